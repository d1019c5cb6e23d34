package classify

import (
	"encoding/gob"
	"encoding/json"
	"fmt"
	"math"
)

var (
	_ json.Marshaler   = (*Probit)(nil)
	_ json.Unmarshaler = (*Probit)(nil)
	_ gob.GobEncoder   = (*Probit)(nil)
	_ gob.GobDecoder   = (*Probit)(nil)
	_ json.Marshaler   = (*GLM)(nil)
	_ json.Unmarshaler = (*GLM)(nil)
	_ gob.GobEncoder   = (*GLM)(nil)
	_ gob.GobDecoder   = (*GLM)(nil)
	_ json.Marshaler   = (*LabelFlip)(nil)
	_ json.Unmarshaler = (*LabelFlip)(nil)
	_ gob.GobEncoder   = (*LabelFlip)(nil)
	_ gob.GobDecoder   = (*LabelFlip)(nil)
)

const (
	probitSchema    = "hyperplane-probit/1"
	glmSchema       = "hyperplane-glm/1"
	labelFlipSchema = "hyperplane-label-flip/1"
)

// estimateJSON is the JSON form of an Estimate; models embed it after Schema.
type estimateJSON struct {
	W                 []number   `json:"w"`
	E                 number     `json:"e"`
	LogLikelihood     number     `json:"log_likelihood"`
	NullLogLikelihood number     `json:"null_log_likelihood"`
	Hessian           *matrix    `json:"hessian"`
	Covariance        *matrix    `json:"covariance"`
	N                 int        `json:"n"`
	Rank              int        `json:"rank"`
	Iterations        int        `json:"iterations"`
	Converged         bool       `json:"converged"`
	Reason            string     `json:"reason"`
	Separable         bool       `json:"separable"`
	Direction         []number   `json:"direction"`
	Trace             []stepJSON `json:"trace"`
	priorJSON
}

func (m *Estimate) toJSON() estimateJSON {
	return estimateJSON{
		W: numbers(m.W), E: number(m.E),
		LogLikelihood: number(m.LogLikelihood), NullLogLikelihood: number(m.NullLogLikelihood),
		Hessian: toMatrix(m.Hessian, m.Hessian == nil), Covariance: toMatrix(m.Covariance, m.Covariance == nil),
		N: m.N, Rank: m.Rank, Iterations: m.Iterations, Converged: m.Converged, Reason: m.Reason,
		Separable: m.Separable, Direction: numbers(m.Direction), Trace: stepsJSON(m.Trace),
		priorJSON: toPriorJSON(m.HasPrior, m.Penalty),
	}
}

// estimate compares all sizes and returns the Estimate; extra is how many
// parameters the matrices have besides the weights.
func (j *estimateJSON) estimate(extra int) (*Estimate, error) {
	n := len(j.W)
	if n < 2 {
		return nil, fmt.Errorf("w has %d weights: needed are the bias and at least one more", n)
	}
	if j.Direction != nil && len(j.Direction) != n {
		return nil, fmt.Errorf("direction has %d entries but w has %d", len(j.Direction), n)
	}
	for i, s := range j.Trace {
		if len(s.W) != n {
			return nil, fmt.Errorf("step %d of the trace has %d weights but w has %d", i, len(s.W), n)
		}
	}
	m := &Estimate{
		W: floats64(j.W), E: float64(j.E),
		LogLikelihood: float64(j.LogLikelihood), NullLogLikelihood: float64(j.NullLogLikelihood),
		N: j.N, Rank: j.Rank, Iterations: j.Iterations, Converged: j.Converged, Reason: j.Reason,
		Separable: j.Separable, Direction: floats64(j.Direction), Trace: traceOf(j.Trace),
	}
	m.HasPrior, m.Penalty = j.prior(m.E, m.LogLikelihood)
	var err error
	if m.Hessian, err = j.Hessian.symmetric("hessian", n+extra); err != nil {
		return nil, err
	}
	m.Covariance, err = j.Covariance.symmetric("covariance", n+extra)
	return m, err
}

type probitJSON struct {
	Schema string `json:"schema"`
	estimateJSON
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Probit) MarshalJSON() ([]byte, error) {
	return json.Marshal(probitJSON{probitSchema, m.toJSON()})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *Probit) UnmarshalJSON(b []byte) error {
	var j probitJSON
	if err := decode(b, probitSchema, &j); err != nil {
		return failure("Probit from JSON", err)
	}
	e, err := j.estimate(0)
	if err != nil {
		return failure("Probit from JSON", err)
	}
	*m = Probit{*e}
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *Probit) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *Probit) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type glmJSON struct {
	Schema string `json:"schema"`
	estimateJSON
	Family string `json:"family"`
	Scale  number `json:"scale"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *GLM) MarshalJSON() ([]byte, error) {
	return json.Marshal(glmJSON{glmSchema, m.toJSON(), m.Family, number(m.Scale)})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema, an
// unknown family or sizes that contradict each other are errors; m is then
// unchanged.
func (m *GLM) UnmarshalJSON(b []byte) error {
	var j glmJSON
	if err := decode(b, glmSchema, &j); err != nil {
		return failure("GLM from JSON", err)
	}
	if _, err := newCanonical(j.Family, float64(j.Scale)); err != nil {
		return failure("GLM from JSON", err)
	}
	e, err := j.estimate(0)
	if err != nil {
		return failure("GLM from JSON", err)
	}
	if j.HasPrior == nil && j.Family != "Bernoulli" { // E leaves out terms in t alone
		e.HasPrior, e.Penalty = false, math.NaN()
	}
	*m = GLM{*e, j.Family, float64(j.Scale)}
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *GLM) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *GLM) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type labelFlipJSON struct {
	Schema string `json:"schema"`
	estimateJSON
	Epsilon   number `json:"epsilon"`
	Estimated bool   `json:"estimated"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *LabelFlip) MarshalJSON() ([]byte, error) {
	return json.Marshal(labelFlipJSON{labelFlipSchema, m.toJSON(), number(m.Epsilon), m.Estimated})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *LabelFlip) UnmarshalJSON(b []byte) error {
	var j labelFlipJSON
	if err := decode(b, labelFlipSchema, &j); err != nil {
		return failure("LabelFlip from JSON", err)
	}
	extra := 0
	if j.Estimated {
		extra = 1
	}
	e, err := j.estimate(extra)
	if err != nil {
		return failure("LabelFlip from JSON", err)
	}
	*m = LabelFlip{*e, float64(j.Epsilon), j.Estimated}
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *LabelFlip) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *LabelFlip) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

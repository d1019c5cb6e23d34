package classify

import (
	"errors"
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

var (
	_ savedModel = (*Logistic)(nil)
	_ savedModel = (*Probit)(nil)
	_ savedModel = (*LabelFlip)(nil)
	_ savedModel = (*GLM)(nil)
	_ savedModel = (*Softmax)(nil)
	_ savedModel = (*QuadraticLogistic)(nil)
	_ savedModel = (*SigmoidSquares)(nil)
)

var (
	_ = codec.Register(codec.Kind[Logistic]{Schema: "hyperplane-logistic/1", Valid: func(m *Logistic) error { return m.sized(0) },
		New: func() *Logistic { return &Logistic{untold} }})
	_ = codec.Register(codec.Kind[Probit]{Schema: "hyperplane-probit/1", Valid: func(m *Probit) error { return m.sized(0) },
		New: func() *Probit { return &Probit{untold} }})
	_ = codec.Register(codec.Kind[LabelFlip]{Schema: "hyperplane-label-flip/1", Valid: (*LabelFlip).sized,
		New: func() *LabelFlip { return &LabelFlip{Estimate: untold} }})
	_ = codec.Register(codec.Kind[GLM]{Schema: "hyperplane-glm/1", Valid: (*GLM).sized,
		New: func() *GLM { return &GLM{Estimate: untold} }})
	_ = codec.Register(codec.Kind[Softmax]{Schema: "hyperplane-softmax/1", Valid: (*Softmax).sized,
		New: func() *Softmax { return &Softmax{Penalty: math.NaN()} }})
	_ = codec.Register(codec.Kind[QuadraticLogistic]{Schema: "hyperplane-quadratic-logistic/1", Valid: (*QuadraticLogistic).sized})
	_ = codec.Register(codec.Kind[SigmoidSquares]{Schema: "hyperplane-sigmoid-squares/1", Valid: (*SigmoidSquares).sized})
)

// untold is what a file of version 0.1 says of the prior.
var untold = Estimate{Penalty: math.NaN()}

// sized compares all sizes; extra is how many parameters the matrices have besides
// the weights.
func (m *Estimate) sized(extra int) error {
	s, n := sizes{}, len(m.W)
	s.weights("w", n)
	s.vector("direction", m.Direction, n)
	s.matrix("hessian", m.Hessian, n+extra, n+extra)
	s.matrix("covariance", m.Covariance, n+extra, n+extra)
	s.trace(m.Trace, n)
	penaltyOf(&m.HasPrior, &m.Penalty, m.E, m.LogLikelihood)
	return s.err
}

func (m *LabelFlip) sized() error {
	if m.Estimated {
		return m.Estimate.sized(1)
	}
	return m.Estimate.sized(0)
}

func (m *GLM) sized() error {
	if _, err := glm.NewCanonical(m.Family, m.Scale); err != nil {
		return err
	}
	untold := math.IsNaN(m.Penalty)
	err := m.Estimate.sized(0)
	if untold && m.Family != "Bernoulli" { // E leaves out terms in t alone
		m.HasPrior, m.Penalty = false, math.NaN()
	}
	return err
}

func (m *Softmax) sized() error {
	if m.W == nil {
		return errNoWeightsSaved
	}
	r, k := dims(m.W)
	if r < 2 || k < 2 {
		return fmt.Errorf("w is %d×%d: needed are the bias and at least one more row, and two classes", r, k)
	}
	s := sizes{}
	s.matrix("direction", m.Direction, r, k)
	s.matrix("hessian", m.Hessian, r*k, r*k)
	s.matrix("covariance", m.Covariance, r*k, r*k)
	s.trace(m.Trace, r*k)
	penaltyOf(&m.HasPrior, &m.Penalty, m.E, m.LogLikelihood)
	return s.err
}

func (m *QuadraticLogistic) sized() error {
	s := sizes{}
	d, k := dims(m.Linear)
	if k < 2 {
		return errors.New("linear is missing or has fewer than two columns")
	}
	s.list("mean", len(m.Mean), d)
	s.list("std", len(m.Std), d)
	s.list("bias", len(m.Bias), k)
	s.list("quadratic", len(m.Quadratic), k)
	for _, q := range m.Quadratic {
		s.need("quadratic", q, d, d)
	}
	return s.err
}

func (m *SigmoidSquares) sized() error {
	r, k := dims(m.W)
	if r < 2 || len(m.Outputs) != k {
		return fmt.Errorf("w is %d×%d with %d outputs: needed are the bias and at least one more row, and one column for each output", r, k, len(m.Outputs))
	}
	s := sizes{}
	for _, o := range m.Outputs {
		s.matrix("hessian", o.Hessian, r, r)
		s.vector("direction", o.Direction, r)
		s.trace(o.Trace, r)
	}
	return s.err
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Logistic) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *Logistic) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *Logistic) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *Logistic) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Probit) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *Probit) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *Probit) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *Probit) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *LabelFlip) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *LabelFlip) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *LabelFlip) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *LabelFlip) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *GLM) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *GLM) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *GLM) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *GLM) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Softmax) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *Softmax) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *Softmax) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *Softmax) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *QuadraticLogistic) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *QuadraticLogistic) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *QuadraticLogistic) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *QuadraticLogistic) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *SigmoidSquares) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *SigmoidSquares) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *SigmoidSquares) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *SigmoidSquares) GobDecode(b []byte) error { return restore(b, m) }

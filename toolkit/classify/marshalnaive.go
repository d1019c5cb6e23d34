package classify

import (
	"encoding/json"
	"fmt"
)

type naiveBernoulliJSON struct {
	sharesJSON
	Mu   *matrix `json:"mu"`
	W    *matrix `json:"w"`
	One  *matrix `json:"log_one"`
	Zero *matrix `json:"log_zero"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *NaiveBayesBernoulli) MarshalJSON() ([]byte, error) {
	return json.Marshal(naiveBernoulliJSON{m.saved(naiveBernoulliSchema), savedMatrix(m.Mu), savedMatrix(m.W), savedMatrix(m.one), savedMatrix(m.zero)})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *NaiveBayesBernoulli) UnmarshalJSON(b []byte) error {
	var j naiveBernoulliJSON
	if err := decode(b, naiveBernoulliSchema, &j); err != nil {
		return failure("NaiveBayesBernoulli from JSON", err)
	}
	s, err := j.restore()
	if err != nil {
		return failure("NaiveBayesBernoulli from JSON", err)
	}
	r, k, d := restorer{}, len(s.Priors), columnsOf(j.Mu)
	n := NaiveBayesBernoulli{s, r.dense("mu", j.Mu, k, d), r.dense("w", j.W, d+1, k), r.dense("log_one", j.One, k, d), r.dense("log_zero", j.Zero, k, d)}
	if r.err != nil {
		return failure("NaiveBayesBernoulli from JSON", r.err)
	}
	*m = n
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *NaiveBayesBernoulli) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *NaiveBayesBernoulli) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type naiveCategoricalJSON struct {
	sharesJSON
	Levels []int     `json:"levels"`
	Mu     []*matrix `json:"mu"`
	W      *matrix   `json:"w"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *NaiveBayesCategorical) MarshalJSON() ([]byte, error) {
	j := naiveCategoricalJSON{sharesJSON: m.saved(naiveCategoricalSchema), Levels: m.Levels, W: savedMatrix(m.W)}
	for _, mu := range m.Mu {
		j.Mu = append(j.Mu, savedMatrix(mu))
	}
	return json.Marshal(j)
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *NaiveBayesCategorical) UnmarshalJSON(b []byte) error {
	var j naiveCategoricalJSON
	if err := decode(b, naiveCategoricalSchema, &j); err != nil {
		return failure("NaiveBayesCategorical from JSON", err)
	}
	s, err := j.restore()
	if err != nil {
		return failure("NaiveBayesCategorical from JSON", err)
	}
	r, k := restorer{}, len(s.Priors)
	n := NaiveBayesCategorical{ClassShares: s, Levels: j.Levels}
	if err := n.place(); err != nil {
		return failure("NaiveBayesCategorical from JSON", err)
	}
	if len(j.Levels) == 0 || len(j.Mu) != len(j.Levels) {
		return failure("NaiveBayesCategorical from JSON", fmt.Errorf("%d levels and %d mu: needed is one of each for every feature", len(j.Levels), len(j.Mu)))
	}
	n.W = r.dense("w", j.W, n.start[len(j.Levels)], k)
	for i, l := range j.Levels {
		n.Mu = append(n.Mu, r.dense("mu", j.Mu[i], k, l))
	}
	if r.err != nil {
		return failure("NaiveBayesCategorical from JSON", r.err)
	}
	*m = n
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *NaiveBayesCategorical) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *NaiveBayesCategorical) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type naiveGaussianJSON struct {
	sharesJSON
	Means    *matrix `json:"means"`
	Variance *matrix `json:"variance"`
	Scale    *matrix `json:"scale"`
	Constant *matrix `json:"constant"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *NaiveBayesGaussian) MarshalJSON() ([]byte, error) {
	return json.Marshal(naiveGaussianJSON{m.saved(naiveGaussianSchema), savedMatrix(m.Means), savedMatrix(m.Variance), savedMatrix(m.scale), savedVector(m.constant)})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *NaiveBayesGaussian) UnmarshalJSON(b []byte) error {
	var j naiveGaussianJSON
	if err := decode(b, naiveGaussianSchema, &j); err != nil {
		return failure("NaiveBayesGaussian from JSON", err)
	}
	s, err := j.restore()
	if err != nil {
		return failure("NaiveBayesGaussian from JSON", err)
	}
	r, k, d := restorer{}, len(s.Priors), columnsOf(j.Means)
	n := NaiveBayesGaussian{s, r.dense("means", j.Means, k, d), r.dense("variance", j.Variance, k, d), r.dense("scale", j.Scale, k, d), r.vector("constant", j.Constant, k)}
	if r.err != nil {
		return failure("NaiveBayesGaussian from JSON", r.err)
	}
	*m = n
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *NaiveBayesGaussian) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *NaiveBayesGaussian) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type expFamilyJSON struct {
	sharesJSON
	Density string  `json:"density"`
	Scale   number  `json:"scale"`
	Shape   number  `json:"shape"`
	Means   *matrix `json:"means"`
	Lambda  *matrix `json:"lambda"`
	LogG    *matrix `json:"log_g"`
	W       *matrix `json:"w"`
	Inner   *matrix `json:"inner"`
	Origin  *matrix `json:"origin"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *ExponentialFamily) MarshalJSON() ([]byte, error) {
	return json.Marshal(expFamilyJSON{m.saved(expFamilySchema), m.Density.String(), number(m.Scale), number(m.Shape), savedMatrix(m.Means),
		savedMatrix(m.Lambda), savedVector(m.LogG), savedMatrix(m.W), savedMatrix(m.inner), savedVector(m.origin)})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *ExponentialFamily) UnmarshalJSON(b []byte) error {
	var j expFamilyJSON
	if err := decode(b, expFamilySchema, &j); err != nil {
		return failure("ExponentialFamily from JSON", err)
	}
	s, err := j.restore()
	if err != nil {
		return failure("ExponentialFamily from JSON", err)
	}
	density := Density(-1)
	for i, name := range expFamilyNames {
		if name == j.Density {
			density = Density(i)
		}
	}
	o := ExponentialFamilyOptions{Density: density, Scale: float64(j.Scale), Shape: float64(j.Shape)}
	if err := o.expFamilyComplete(); err != nil {
		return failure("ExponentialFamily from JSON", err)
	}
	r, k, d := restorer{}, len(s.Priors), columnsOf(j.Means)
	e := ExponentialFamily{s, density, o.Scale, o.Shape, r.dense("means", j.Means, k, d), r.dense("lambda", j.Lambda, k, d),
		r.vector("log_g", j.LogG, k), r.dense("w", j.W, d+1, k), r.dense("inner", j.Inner, d+1, k), r.vector("origin", j.Origin, d)}
	if r.err != nil {
		return failure("ExponentialFamily from JSON", r.err)
	}
	*m = e
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *ExponentialFamily) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *ExponentialFamily) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

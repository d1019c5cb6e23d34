package classify

import (
	"errors"
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
)

var (
	_ savedModel = (*Hyperplane)(nil)
	_ savedModel = (*LinearMachine)(nil)
	_ savedModel = (*LeastSquares)(nil)
	_ savedModel = (*WeightedLeastSquares)(nil)
	_ savedModel = (*Perceptron)(nil)
	_ savedModel = (*Adaline)(nil)
	_ savedModel = (*Fisher)(nil)
	_ savedModel = (*FisherMulti)(nil)
)

var (
	_ = codec.Register(codec.Kind[Hyperplane]{Schema: "hyperplane-plane/1", Valid: (*Hyperplane).sized})
	_ = codec.Register(codec.Kind[LinearMachine]{Schema: "hyperplane-linear-machine/1", Valid: (*LinearMachine).sized})
	_ = codec.Register(codec.Kind[LeastSquares]{Schema: "hyperplane-least-squares/1", Valid: (*LeastSquares).sized})
	_ = codec.Register(codec.Kind[WeightedLeastSquares]{Schema: "hyperplane-weighted-least-squares/1", Valid: (*WeightedLeastSquares).sized})
	_ = codec.Register(codec.Kind[Perceptron]{Schema: "hyperplane-perceptron/1", Valid: (*Perceptron).sized})
	_ = codec.Register(codec.Kind[Adaline]{Schema: "hyperplane-adaline/1", Valid: (*Adaline).sized})
	_ = codec.Register(codec.Kind[Fisher]{Schema: "hyperplane-fisher/1", Valid: (*Fisher).sized, Fields: func(m *Fisher) []codec.Field {
		return []codec.Field{{Name: "regular", Value: &m.regular}}
	}})
	_ = codec.Register(codec.Kind[FisherMulti]{Schema: "hyperplane-fisher-multi/1", Valid: (*FisherMulti).sized, Fields: func(m *FisherMulti) []codec.Field {
		return []codec.Field{{Name: "z", Value: &m.z}}
	}})
)

func (m *Hyperplane) sized() error {
	if len(m.W) == 0 {
		return errNoWeightsSaved
	}
	return nil
}

func (m *LinearMachine) sized() error {
	if r, c := dims(m.W); r < 2 || c < 2 {
		return fmt.Errorf("w is %d×%d: needed are two rows and two columns at least", r, c)
	}
	return nil
}

func (m *LeastSquares) sized() error {
	if m.W == nil {
		return errNoWeightsSaved
	}
	return nil
}

func (m *WeightedLeastSquares) sized() error {
	s := sizes{}
	s.weights("w", len(m.W))
	return s.err
}

func (m *Perceptron) sized() error {
	s, n := sizes{}, len(m.W)
	s.weights("w", n)
	for i, u := range m.Updates {
		if len(u.W) != n {
			s.say("update %d has %d weights but w has %d", i, len(u.W), n)
		}
	}
	return s.err
}

func (m *Adaline) sized() error {
	s, n := sizes{}, len(m.W)
	s.weights("w", n)
	s.list("least_squares", len(m.LeastSquares), n)
	s.trace(m.Trace, n)
	return s.err
}

func (s *Scatter) sized() error {
	if s == nil {
		return errors.New("scatter is missing")
	}
	z, d := sizes{}, len(s.Mean)
	z.need("within", s.Within, d, d)
	z.need("between", s.Between, d, d)
	z.need("total", s.Total, d, d)
	z.need("class_means", s.ClassMeans, len(s.Counts), d)
	z.vector("class_weights", s.ClassWeights, len(s.Counts))
	return z.err
}

func (m *Fisher) sized() error {
	s, d := sizes{m.Scatter.sized()}, len(m.Direction)
	s.list("w", len(m.W), d+1)
	if s.err == nil && (len(m.Scatter.Mean) != d || len(m.Scatter.Counts) != 2) {
		s.say("scatter is of another size")
	}
	return s.err
}

func (m *FisherMulti) sized() error {
	s := sizes{m.Scatter.sized()}
	if s.err != nil {
		return s.err
	}
	d, f := dims(m.W)
	k := len(m.Scatter.Counts)
	s.need("w", m.W, len(m.Scatter.Mean), f)
	s.need("class_means", m.Scatter.ClassMeans, k, d)
	s.need("projected_means", m.ProjectedMeans, k, f)
	s.list("priors", len(m.Priors), k)
	s.need("z", m.z, k, f)
	return s.err
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Hyperplane) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *Hyperplane) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *Hyperplane) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *Hyperplane) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *LinearMachine) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *LinearMachine) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *LinearMachine) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *LinearMachine) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *LeastSquares) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *LeastSquares) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *LeastSquares) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *LeastSquares) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *WeightedLeastSquares) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *WeightedLeastSquares) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *WeightedLeastSquares) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *WeightedLeastSquares) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Perceptron) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *Perceptron) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *Perceptron) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *Perceptron) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Adaline) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *Adaline) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *Adaline) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *Adaline) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Fisher) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *Fisher) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *Fisher) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *Fisher) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *FisherMulti) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; m is then unchanged.
func (m *FisherMulti) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *FisherMulti) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *FisherMulti) GobDecode(b []byte) error { return restore(b, m) }

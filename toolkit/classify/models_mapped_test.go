package classify_test

import (
	"encoding/json"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// mapped is a model of inputs with a domain of their own: the suite's clouds are
// mapped into it. A nil input, NaN and Inf pass unchanged.
type mapped struct {
	Kind  int
	Model classify.Generative
}

var mappedNames = []string{"Bernoulli naive Bayes", "categorical naive Bayes", "Gaussian of given width", "exponential densities", "gamma densities", "Poisson densities", "Bernoulli densities"}

type mappedMatrix struct {
	mat.Matrix
	f func(float64) float64
}

func fitMapped(kind int) fitFunc {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		m := &mapped{Kind: kind}
		var err error
		switch kind {
		case 0:
			m.Model, err = classify.FitNaiveBayesBernoulli(m.input(x), labels, k, classify.NaiveBayesBernoulliOptions{})
		case 1:
			m.Model, err = classify.FitNaiveBayesCategorical(m.input(x), []int{3, 3, 3}, labels, k, classify.NaiveBayesCategoricalOptions{Smoothing: 1})
		default:
			o := classify.ExponentialFamilyOptions{Density: classify.Density(kind - 2)}
			if kind < 5 {
				o.Scale = 1.5
			}
			if kind == 4 {
				o.Shape = 2
			}
			m.Model, err = classify.FitExponentialFamily(m.input(x), labels, k, o)
		}
		return orNone(m, err)
	}
}

func (m mappedMatrix) At(i, j int) float64 {
	v := m.Matrix.At(i, j)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	return m.f(v)
}

func (m *mapped) input(x mat.Matrix) mat.Matrix {
	if d, ok := x.(*mat.Dense); x == nil || (ok && d == nil) || m.Kind == 2 {
		return x
	}
	return mappedMatrix{x, []func(float64) float64{
		func(v float64) float64 { return math.Max(0, math.Copysign(1, v)) },
		func(v float64) float64 { return math.Min(2, math.Floor(math.Abs(2*v))) },
		nil,
		math.Abs, math.Exp,
		func(v float64) float64 { return math.Floor(math.Exp(v)) },
		func(v float64) float64 { return math.Max(0, math.Copysign(1, v)) },
	}[m.Kind]}
}

func (m *mapped) Predict(x mat.Matrix) ([]int, error)        { return m.Model.Predict(m.input(x)) }
func (m *mapped) Scores(x mat.Matrix) (*mat.Dense, error)    { return m.Model.Scores(m.input(x)) }
func (m *mapped) Posterior(x mat.Matrix) (*mat.Dense, error) { return m.Model.Posterior(m.input(x)) }
func (m *mapped) MarshalJSON() ([]byte, error)               { return json.Marshal(m.Model) }
func (m *mapped) UnmarshalJSON(b []byte) error               { return json.Unmarshal(b, m.Model) }
func (m *mapped) GobEncode() ([]byte, error)                 { return m.MarshalJSON() }
func (m *mapped) GobDecode(b []byte) error                   { return m.UnmarshalJSON(b) }

package classify_test

import (
	"encoding/json"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// The lines of the common suite for Fisher's discriminant and the generative models.
func init() {
	empty := func() []func() any {
		return []func() any{
			func() any { return new(classify.Fisher) }, func() any { return new(classify.FisherMulti) },
			func() any { return new(classify.LDA) }, func() any { return new(classify.QDA) }, func() any { return new(classify.NaiveBayesGaussian) },
		}
	}()
	weights := func(p classify.Predictor) []float64 { return generativeWeights(p) }
	models = append(models,
		entry{"Fisher", 2, fitFisher(classify.FisherOptions{}), weights, empty[0]},
		entry{"Fisher, midpoint, shrunk", 2, fitFisher(classify.FisherOptions{Threshold: classify.MidpointThreshold, Shrinkage: 0.1}), weights, empty[0]},
		entry{"Fisher, 3 classes", 3, fitFisherMulti(classify.FisherMultiOptions{}), weights, empty[1]},
		entry{"Fisher, 3 classes, 1 feature", 3, fitFisherMulti(classify.FisherMultiOptions{Features: 1, UniformPriors: true}), weights, empty[1]},
		entry{"LDA, 2 classes", 2, fitLDA(classify.LDAOptions{}), weights, empty[2]},
		entry{"LDA, 3 classes, unbiased", 3, fitLDA(classify.LDAOptions{Unbiased: true, Shrinkage: 0.05}), weights, empty[2]},
		entry{"QDA, 3 classes", 3, fitQDA(classify.QDAOptions{}), weights, empty[3]},
		entry{"Gaussian naive Bayes", 3, fitNaiveGaussian, weights, empty[4]},
	)
	for kind, name := range mappedNames {
		models = append(models, entry{name, 3, func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
			return fitMapped(kind, x, labels, k)
		}, weights, func() any { return emptyMapped(kind) }})
	}
}

func fitFisher(o classify.FisherOptions) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return func(x mat.Matrix, labels []int, _ int) (classify.Predictor, error) {
		t := make([]float64, len(labels))
		for i, l := range labels {
			t[i] = 1 - float64(l)
			if l < 0 || l > 1 {
				t[i] = float64(l)
			}
		}
		m, err := classify.FitFisher(x, t, o)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

func fitFisherMulti(o classify.FisherMultiOptions) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		m, err := classify.FitFisherMulti(x, labels, k, o)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

func fitLDA(o classify.LDAOptions) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		m, err := classify.FitLDA(x, labels, k, o)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

func fitQDA(o classify.QDAOptions) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		m, err := classify.FitQDA(x, labels, k, o)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

func fitNaiveGaussian(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
	m, err := classify.FitNaiveBayesGaussian(x, labels, k, classify.NaiveBayesGaussianOptions{})
	if err != nil {
		return nil, err
	}
	return m, nil
}

func generativeWeights(p classify.Predictor) []float64 {
	switch m := p.(type) {
	case *classify.Fisher:
		return m.W
	case *classify.FisherMulti:
		return flat(m.W)
	case *classify.LDA:
		return flat(m.W)
	case *classify.QDA:
		w := flat(m.Means)
		for _, s := range m.Sigma {
			if s != nil {
				w = append(w, flat(s)...)
			}
		}
		return w
	case *classify.NaiveBayesGaussian:
		return append(flat(m.Means), flat(m.Variance)...)
	case *classify.NaiveBayesBernoulli:
		return flat(m.W)
	case *classify.NaiveBayesCategorical:
		return flat(m.W)
	case *classify.ExponentialFamily:
		return flat(m.W)
	case *mapped:
		return generativeWeights(m.Model)
	}
	panic("no weights")
}

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

func emptyMapped(kind int) *mapped {
	switch kind {
	case 0:
		return &mapped{kind, new(classify.NaiveBayesBernoulli)}
	case 1:
		return &mapped{kind, new(classify.NaiveBayesCategorical)}
	}
	return &mapped{kind, new(classify.ExponentialFamily)}
}

func fitMapped(kind int, x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
	m := &mapped{Kind: kind}
	var err error
	switch kind {
	case 0:
		m.Model, err = classify.FitNaiveBayesBernoulli(m.input(x), labels, k, classify.NaiveBayesOptions{})
	case 1:
		m.Model, err = classify.FitNaiveBayesCategorical(m.input(x), []int{3, 3, 3}, labels, k, classify.NaiveBayesOptions{Smoothing: 1})
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
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (m *mapped) Predict(x mat.Matrix) ([]int, error)        { return m.Model.Predict(m.input(x)) }
func (m *mapped) Scores(x mat.Matrix) (*mat.Dense, error)    { return m.Model.Scores(m.input(x)) }
func (m *mapped) Posterior(x mat.Matrix) (*mat.Dense, error) { return m.Model.Posterior(m.input(x)) }
func (m *mapped) MarshalJSON() ([]byte, error)               { return json.Marshal(m.Model) }
func (m *mapped) UnmarshalJSON(b []byte) error               { return json.Unmarshal(b, m.Model) }
func (m *mapped) GobEncode() ([]byte, error)                 { return m.MarshalJSON() }
func (m *mapped) GobDecode(b []byte) error                   { return m.UnmarshalJSON(b) }

package classify_test

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// The discriminative models' lines of the common suite.
func init() {
	models = append(models, []entry{
		{"softmax, 2 classes", 2, fitSoftmax(classify.SoftmaxOptions{}), softmaxWeights, func() any { return new(classify.Softmax) }},
		{"softmax, 4 classes", 4, fitSoftmax(classify.SoftmaxOptions{}), softmaxWeights, func() any { return new(classify.Softmax) }},
		{"softmax, prior", 3, fitSoftmax(classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 2}}), softmaxWeights, func() any { return new(classify.Softmax) }},
		{"softmax, free bias", 3, fitSoftmax(classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 2, FreeBias: true}}), softmaxWeights, func() any { return new(classify.Softmax) }},
		{"probit", 2, fitProbit(classify.ProbitOptions{}), probitWeights, func() any { return new(classify.Probit) }},
		{"probit, prior", 2, fitProbit(classify.ProbitOptions{Prior: classify.Isotropic{Alpha: 2}}), probitWeights, func() any { return new(classify.Probit) }},
		{"label flip, fixed", 2, fitLabelFlip(classify.LabelFlipOptions{Epsilon: 0.05}), labelFlipWeights, func() any { return new(classify.LabelFlip) }},
		{"label flip, estimated", 2, fitLabelFlip(classify.LabelFlipOptions{Estimate: true, Prior: classify.Isotropic{Alpha: 0.5}}), labelFlipWeights, func() any { return new(classify.LabelFlip) }},
		{"squared sigmoid, 2 classes", 2, fitSigmoidSquares(classify.SigmoidOptions{}), sigmoidWeights, func() any { return new(classify.SigmoidSquares) }},
		{"squared sigmoid, 3 classes", 3, fitSigmoidSquares(classify.SigmoidOptions{Prior: classify.Isotropic{Alpha: 0.1}}), sigmoidWeights, func() any { return new(classify.SigmoidSquares) }},
		{"quadratic logistic", 3, fitQuadraticLogistic(classify.QuadraticOptions{}), quadraticWeights, func() any { return new(classify.QuadraticLogistic) }},
		{"quadratic logistic, rank 1", 3, fitQuadraticLogistic(classify.QuadraticOptions{Lambda: 1, Rank: 1}), quadraticWeights, func() any { return new(classify.QuadraticLogistic) }},
	}...)
}

// twoClass makes an entry's fit of one with targets: labels other than 0 and 1
// become targets out of range.
func twoClass[M classify.Predictor](fit func(x mat.Matrix, t []float64) (M, error)) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return func(x mat.Matrix, labels []int, _ int) (classify.Predictor, error) {
		t := make([]float64, len(labels))
		for i, l := range labels {
			if t[i] = 1 - float64(l); l < 0 || l > 1 {
				t[i] = float64(l)
			}
		}
		m, err := fit(x, t)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

func fitProbit(o classify.ProbitOptions) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return twoClass(func(x mat.Matrix, t []float64) (*classify.Probit, error) { return classify.FitProbit(x, t, o) })
}

func probitWeights(p classify.Predictor) []float64 { return p.(*classify.Probit).W }

func fitLabelFlip(o classify.LabelFlipOptions) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return twoClass(func(x mat.Matrix, t []float64) (*classify.LabelFlip, error) { return classify.FitLabelFlip(x, t, o) })
}

func labelFlipWeights(p classify.Predictor) []float64 {
	m := p.(*classify.LabelFlip)
	return append([]float64{m.Epsilon}, m.W...)
}

func fitSigmoidSquares(o classify.SigmoidOptions) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		m, err := classify.FitSigmoidSquares(x, labels, k, o)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

func sigmoidWeights(p classify.Predictor) []float64 { return flat(p.(*classify.SigmoidSquares).W) }

func fitQuadraticLogistic(o classify.QuadraticOptions) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		m, err := classify.FitQuadraticLogistic(x, labels, k, o)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

func quadraticWeights(p classify.Predictor) []float64 {
	m := p.(*classify.QuadraticLogistic)
	w := append(append([]float64{}, m.Bias...), flat(m.Linear)...)
	for _, q := range m.Quadratic {
		w = append(w, flat(q)...)
	}
	return w
}

// hasConverged reports whether a model says so of itself.
func hasConverged(p classify.Predictor) bool {
	switch m := p.(type) {
	case *classify.Logistic:
		return m.Converged
	case *classify.Probit:
		return m.Converged
	case *classify.LabelFlip:
		return m.Converged
	case *classify.BayesLogistic:
		return m.Converged
	case *classify.BayesSoftmax:
		return m.Converged
	case *classify.Softmax:
		return m.Converged
	case *classify.SigmoidSquares:
		return !slices.ContainsFunc(m.Outputs, func(o classify.SigmoidOutput) bool { return !o.Converged })
	}
	return false
}

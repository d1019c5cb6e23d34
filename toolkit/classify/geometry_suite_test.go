package classify_test

import (
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// The entries of the common suite for the models of this file's neighbours.
func init() {
	ls := func() any { return new(classify.LeastSquares) }
	models = append(models,
		entry{"least squares, ±1", 2, fitCoded(classify.LeastSquaresOptions{Coding: classify.CodingPlusMinus}), leastSquaresWeights, ls},
		entry{"least squares, ±1, 3 classes", 3, fitCoded(classify.LeastSquaresOptions{Coding: classify.CodingPlusMinus}), leastSquaresWeights, ls},
		entry{"least squares, Fisher", 2, fitCoded(classify.LeastSquaresOptions{Coding: classify.CodingFisher}), leastSquaresWeights, ls},
		entry{"least squares, ridge", 3, fitCoded(classify.LeastSquaresOptions{Ridge: 3}), leastSquaresWeights, ls},
		entry{"least squares, ridge, free bias", 3, fitCoded(classify.LeastSquaresOptions{Ridge: 3, FreeBias: true}), leastSquaresWeights, ls},
		entry{"perceptron", 2, fitPerceptron(classify.PerceptronOptions{MaxPasses: 20}), perceptronWeights, func() any { return new(classify.Perceptron) }},
		entry{"perceptron, pocket", 2, fitPerceptron(classify.PerceptronOptions{MaxPasses: 20, Pocket: true, Shuffle: true, Rule: classify.MistakeStep}), perceptronWeights, func() any { return new(classify.Perceptron) }},
		entry{"adaline", 2, fitAdaline(classify.AdalineOptions{Decay: 0.1}), adalineWeights, func() any { return new(classify.Adaline) }},
		entry{"adaline, shuffled", 2, fitAdaline(classify.AdalineOptions{Shuffle: true, Seed: 4, MaxPasses: 10}), adalineWeights, func() any { return new(classify.Adaline) }},
		entry{"one versus rest", 3, fitRest(classify.OneVersusRestOptions{}), restWeights, func() any { return new(classify.OneVersusRest) }},
		entry{"one versus rest, K−1", 3, fitRest(classify.OneVersusRestOptions{LastIsRest: true}), restWeights, func() any { return new(classify.OneVersusRest) }},
		entry{"one versus one, votes", 3, fitOne(classify.DuelVotes), oneWeights, func() any { return new(classify.OneVersusOne) }},
		entry{"one versus one, sums", 4, fitOne(classify.DuelSums), oneWeights, func() any { return new(classify.OneVersusOne) }},
		entry{"one versus one, all", 3, fitOne(classify.DuelAll), oneWeights, func() any { return new(classify.OneVersusOne) }},
		entry{"linear machine", 3, fitMachineOf, func(p classify.Predictor) []float64 { return flat(p.(*classify.LinearMachine).W) }, func() any { return new(classify.LinearMachine) }},
		entry{"hyperplane", 2, fitPlane, func(p classify.Predictor) []float64 { return p.(*classify.Hyperplane).Weights() }, func() any { return new(classify.Hyperplane) }},
	)
	for _, name := range []string{"perceptron", "perceptron, pocket", "adaline", "adaline, shuffled"} {
		orderMatters[name] = true
	}
}

// target01 makes two-class targets of labels, and keeps labels that are wrong.
func target01(labels []int) []float64 {
	t := make([]float64, len(labels))
	for i, l := range labels {
		switch l {
		case 0:
			t[i] = 1
		case 1:
		default:
			t[i] = float64(l)
		}
	}
	return t
}

func orNone[M classify.Predictor](m M, err error) (classify.Predictor, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

func fitCoded(o classify.LeastSquaresOptions) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		return orNone(classify.FitLeastSquares(x, labels, k, o))
	}
}

func fitPerceptron(o classify.PerceptronOptions) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return func(x mat.Matrix, labels []int, _ int) (classify.Predictor, error) {
		return orNone(classify.FitPerceptron(x, target01(labels), o))
	}
}

func perceptronWeights(p classify.Predictor) []float64 { return p.(*classify.Perceptron).W }

func fitAdaline(o classify.AdalineOptions) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return func(x mat.Matrix, labels []int, _ int) (classify.Predictor, error) {
		return orNone(classify.FitAdaline(x, target01(labels), o))
	}
}

func adalineWeights(p classify.Predictor) []float64 { return p.(*classify.Adaline).W }

// logisticMachine is a two-class fit to combine.
func logisticMachine(x mat.Matrix, t []float64) (classify.Scorer, error) {
	return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}})
}

func fitRest(o classify.OneVersusRestOptions) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		return orNone(classify.FitOneVersusRest(x, labels, k, logisticMachine, o))
	}
}

func restWeights(p classify.Predictor) []float64 {
	var w []float64
	for _, m := range p.(*classify.OneVersusRest).Machines {
		w = append(w, m.(*classify.Logistic).W...)
	}
	return w
}

func fitOne(rule classify.DuelRule) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		return orNone(classify.FitOneVersusOne(x, labels, k, logisticMachine, classify.OneVersusOneOptions{Rule: rule}))
	}
}

func oneWeights(p classify.Predictor) []float64 {
	var w []float64
	for _, d := range p.(*classify.OneVersusOne).Duels {
		w = append(w, d.Machine.(*classify.Logistic).W...)
	}
	return w
}

func fitMachineOf(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
	m, err := classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{})
	if err != nil {
		return nil, err
	}
	_, d := x.Dims()
	return orNone(classify.LinearMachineOf(m, d))
}

func fitPlane(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
	m, err := classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{})
	if err != nil {
		return nil, err
	}
	_, d := x.Dims()
	return orNone(classify.BoundaryOf(m, d))
}

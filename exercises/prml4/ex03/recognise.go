package ex03

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

// mistakeValues are the predictions of f at all places of p.at, one after another.
func mistakeValues(p problem, f func(p problem, x []float64) []float64) []float64 {
	var out []float64
	for _, x := range p.at {
		y := f(p, x)
		if y == nil {
			return nil
		}
		out = append(out, y...)
	}
	return out
}

func at(f func(p problem, x []float64) []float64) func(problem) []float64 {
	return func(p problem) []float64 {
		got, right := mistakeValues(p, f), mistakeValues(p, leastSquares)
		if got == nil || floats.EqualApprox(got, right, 1e-9) {
			return nil // on this problem it makes no difference
		}
		return got
	}
}

func leastSquares(p problem, x []float64) []float64 {
	y, _ := instance.Linear(instance.LeastSquares(p.X, p.T), x)
	return y
}

var mistakes = []learner.Mistake[problem]{
	{Key: "mean", Hint: 1, Value: at(func(p problem, _ []float64) []float64 { return instance.Mean(p.T) }),
		Message: "You return the mean of the targets for every x. It satisfies every constraint, but it is the best constant: the inputs are not used."},
	{Key: "no-bias", Hint: 2, Value: at(func(p problem, x []float64) []float64 {
		var svd mat.SVD
		if !svd.Factorize(p.X, mat.SVDThin) {
			return nil
		}
		var w, y mat.Dense
		svd.SolveTo(&w, p.T, svd.Rank(1e-10))
		y.Mul(mat.NewDense(1, len(x), append([]float64(nil), x...)), &w)
		return y.RawRowView(0)
	}), Message: "This is least squares without a bias: your function is 0 at x = 0. The column of ones is what carries the constraints."},
	{Key: "bias-not-used", Hint: 4, Value: at(func(p problem, x []float64) []float64 {
		return instance.Minus(leastSquares(p, x), leastSquares(p, make([]float64, len(x))))
	}), Message: "The slopes are those of least squares with a bias, but the bias itself is left out of the prediction."},
	{Key: "targets-not-restored", Hint: 4, Value: at(func(p problem, x []float64) []float64 {
		return instance.Minus(leastSquares(p, x), instance.Mean(p.T))
	}), Message: "Your predictions are those of centred targets: the mean of the targets was subtracted and never added again."},
	{Key: "sum-forced", Hint: 2, Value: at(func(p problem, x []float64) []float64 {
		y := leastSquares(p, x)
		floats.AddConst((1-floats.Sum(y))/float64(len(y)), y)
		return y
	}), Message: "Your predictions are moved so that they sum to 1. That is one constraint, that of 1-of-K targets; here the targets obey others, or none."},
	{Key: "normalised", Hint: 2, Value: at(func(p problem, x []float64) []float64 {
		y := leastSquares(p, x)
		floats.Scale(1/floats.Sum(y), y)
		return y
	}), Message: "Your predictions are divided by their sum. The constraints come by themselves, and the sum need not be 1 here."},
	{Key: "softmax", Hint: 2, Value: at(func(p problem, x []float64) []float64 {
		y := leastSquares(p, x)
		top := floats.Max(y)
		for i, v := range y {
			y[i] = math.Exp(v - top)
		}
		floats.Scale(1/floats.Sum(y), y)
		return y
	}), Message: "A softmax was applied to the outputs. y(x) is linear in x."},
}

// Package forms contains right and wrong answers to the exercises about least-squares prediction.
// The answers are written as learners write them. The tests of these exercises use the answers.
package forms

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/leastsquares"
)

type predictor = leastsquares.Predictor

// Rights returns right answers, including the reference answer, by name.
func Rights(reference predictor) map[string]predictor {
	return map[string]predictor{
		"reference":                              reference,
		"normal equations with a pseudo-inverse": Pseudo,
		"centred inputs and targets": func(X, T *mat.Dense, x []float64) []float64 {
			xMean, tMean := instance.Mean(X), instance.Mean(T)
			y := leastsquares.Times(instance.Minus(x, xMean),
				leastsquares.Solve(instance.Centred(X, xMean), instance.Centred(T, tMean), leastsquares.FullRank))
			return floats.AddTo(y, y, tMean)
		},
		"targets recoded as ±1": Recoded(reference, 2, -1),
	}
}

// Wrongs returns wrong answers, grouped by the key of the verdict that they must get. The table of
// known mistakes does not contain these answers.
func Wrongs() map[string][]predictor {
	slopeMore := func(X, T *mat.Dense, x []float64) []float64 {
		y := leastsquares.Best(X, T, x)
		floats.AddConst(0.1*x[0], y)
		return y
	}
	return map[string][]predictor{
		"ridge-bias":        {Ridge(0.1, true), Ridge(1e-5, true), Ridge(1e-8, true)},
		"cut-off":           {Cut(1e-5, 0), Cut(1e-3, 0)},
		"constraint":        {slopeMore},
		"not-least-squares": {slopeMore},
		"elsewhere":         {Instead(func(_, _ *mat.Dense, x []float64) bool { return floats.Norm(x, 2) == 0 })},
		"singular": {
			Instead(func(X, _ *mat.Dense, _ []float64) bool { return X.RawMatrix().Rows < X.RawMatrix().Cols+1 }),
			Instead(func(X, _ *mat.Dense, _ []float64) bool {
				return mat.Norm(X.ColView(X.RawMatrix().Cols-1),
					2) == 0
			}),
		},
	}
}

// AsManyPoints is a wrong answer. It predicts 0 if there are as many points as weights, and returns
// the right prediction for all other data.
var AsManyPoints = Instead(func(X, _ *mat.Dense, _ []float64) bool {
	return X.RawMatrix().Rows == X.RawMatrix().Cols+
		1
})

// Instead returns a wrong answer. The answer predicts 0 if such(X, T, x) is true, and otherwise
// returns the least-squares prediction.
func Instead(such func(X, T *mat.Dense, x []float64) bool) predictor {
	return func(X, T *mat.Dense, x []float64) []float64 {
		if such(X, T, x) {
			return make([]float64, T.RawMatrix().Cols)
		}
		return leastsquares.Best(X, T, x)
	}
}

// Recoded returns a version of f that replaces each target t with c·t + shift before the fit, and
// converts each prediction back.
func Recoded(f predictor, c, shift float64) predictor {
	return func(X, T *mat.Dense, x []float64) []float64 {
		R := mat.DenseCopyOf(T)
		R.Apply(func(_, _ int, v float64) float64 { return c*v + shift }, R)
		y := f(X, R, x)
		for k := range y {
			y[k] = (y[k] - shift) / c
		}
		return y
	}
}

// Pseudo solves the normal equations with a pseudo-inverse.
func Pseudo(X, T *mat.Dense, x []float64) []float64 {
	gram, right := Equations(X, T)
	return Apply(leastsquares.Solve(gram, right, leastsquares.FullRank), x)
}

// Ridge returns an answer that solves the normal equations with lambda added to the diagonal. It
// adds lambda to the diagonal entry of the bias only if `bias` is set.
func Ridge(lambda float64, bias bool) predictor {
	return func(X, T *mat.Dense, x []float64) []float64 {
		gram, right := Equations(X, T)
		for j := range gram.RawMatrix().Rows {
			if j > 0 || bias {
				gram.Set(j, j, gram.At(j, j)+lambda)
			}
		}
		var W mat.Dense
		_ = W.Solve(gram, right) // like many learners, ignore the error
		return Apply(&W, x)
	}
}

// Cut returns an answer that ignores a singular value if it is smaller than the number `absolute`,
// or smaller than the largest singular value multiplied by `relative`. A number `relative` below
// 1e-12 counts as 1e-12. The answer never ignores the largest singular value.
func Cut(relative, absolute float64) predictor {
	return func(X, T *mat.Dense, x []float64) []float64 {
		ones := instance.WithOnes(X)
		var svd mat.SVD
		svd.Factorize(ones, mat.SVDNone)
		values, rank := svd.Values(nil), 1
		for rank < len(values) && values[rank] > math.Max(math.Max(relative, 1e-12)*values[0], absolute) {
			rank++
		}
		return Apply(leastsquares.Solve(ones, T, rank), x)
	}
}

// Equations returns both sides of the normal equations, [1 X]ᵀ[1 X] and [1 X]ᵀT.
func Equations(X, T *mat.Dense) (gram, right *mat.Dense) {
	ones := instance.WithOnes(X)
	gram, right = new(mat.Dense), new(mat.Dense)
	gram.Mul(ones.T(), ones)
	right.Mul(ones.T(), T)
	return gram, right
}

// Apply returns Wᵀ[1 x].
func Apply(W mat.Matrix, x []float64) []float64 {
	return leastsquares.Times(append([]float64{1}, x...), W)
}

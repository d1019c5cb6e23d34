package lesson09

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
)

type stepFunc = func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense

func outputs(a []float64) []float64 {
	y := make([]float64, len(a))
	for k := range a {
		sum := 0.0
		for _, v := range a {
			sum += math.Exp(v - a[k])
		}
		y[k] = 1 / sum
	}
	return y
}

// each applies f to every activation separately.
func each(f func(float64) float64) func(a []float64) []float64 {
	return func(a []float64) []float64 {
		y := make([]float64, len(a))
		for k, v := range a {
			y[k] = f(v)
		}
		return y
	}
}

// residual returns t_j − y_j.
func residual(y []float64, j, k int, _ float64) float64 {
	if j == k {
		return 1 - y[j]
	}
	return -y[j]
}

// corrected adds η times a residual times φ to every column.
func corrected(out func(a []float64) []float64, r func(y []float64, j, k int, eta float64) float64) stepFunc {
	return placed(out, r, func(W *mat.Dense, phi []float64, i, j int) float64 { return phi[i] }, 1)
}

// placed multiplies W by keep, and adds to row i and column j η times the residual of the class
// times the feature that at returns.
func placed(out func(a []float64) []float64, r func(y []float64, j, k int, eta float64) float64,
	at func(W *mat.Dense, phi []float64, i, j int) float64, keep float64) stepFunc {
	return func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense {
		m, K := W.Dims()
		a := make([]float64, K)
		for j := range a {
			a[j] = floats.Dot(mat.Col(nil, j, W), phi)
		}
		y, next := out(a), mat.NewDense(m, K, nil)
		for i := range m {
			for j := range K {
				next.Set(i, j, keep*W.At(i, j)+eta*r(y, j, k, eta)*at(W, phi, i, j))
			}
		}
		return next
	}
}

func feature(_ *mat.Dense, phi []float64, i, _ int) float64 { return phi[i] }

var mistakes = []judge.Mistake[stepFunc]{
	{Key: "sign", Hint: 1,
		Message: "Your step goes up the gradient: the true class moves away from the pattern. With (y − t) subtract, with (t − y) add.",
		Answer: corrected(outputs,
			func(y []float64, j, k int, eta float64) float64 { return -residual(y, j, k, eta) })},
	{Key: "no-rate", Hint: 1, Message: "η is missing: your step is the whole gradient.",
		Answer: corrected(outputs,
			func(y []float64, j, k int, eta float64) float64 { return residual(y, j, k, eta) / eta })},
	{Key: "true-only", Hint: 1,
		Message: "Only the column of the true class is moved. The others have had a share in the mistake, y of it each, and move away from the pattern.",
		Answer: corrected(outputs, func(y []float64, j, k int, eta float64) float64 {
			if j != k {
				return 0
			}
			return residual(y, j, k, eta)
		})},
	{Key: "no-target", Hint: 1,
		Message: "All columns move away from the pattern: the target of the true class, 1, is missing.",
		Answer:  corrected(outputs, func(y []float64, j, _ int, _ float64) float64 { return -y[j] })},
	{Key: "arg-max", Hint: 2,
		Message: "Your outputs are 1 for the largest activation and 0 for the others: that is arg max, and a perceptron of many classes. The softmax is a smooth one.",
		Answer: corrected(func(a []float64) []float64 {
			y := make([]float64, len(a))
			y[floats.MaxIdx(a)] = 1
			return y
		}, residual)},
	{Key: "only-mistakes", Hint: 1,
		Message: "{problem}: the true class has the largest activation already, and nothing moves. That is the perceptron's habit; here every pattern moves the weights, by as much as is missing from certainty.",
		Answer: func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense {
			var a mat.VecDense
			if a.MulVec(W.T(), mat.NewVecDense(len(phi), phi)); floats.MaxIdx(a.RawVector().Data) == k {
				return mat.DenseCopyOf(W)
			}
			return corrected(outputs, residual)(W, phi, k, eta)
		}},
	{Key: "sigmoids", Hint: 2,
		Message: "Each of your outputs is the sigmoid of its own activation: those are K machines, each against the rest. The softmax has one denominator for all, and its outputs sum to 1.",
		Answer:  corrected(each(func(a float64) float64 { return 1 / (1 + math.Exp(-a)) }), residual)},
	{Key: "linear", Hint: 2,
		Message: "The softmax is missing: your outputs are the activations themselves. That is the step of least squares.",
		Answer:  corrected(each(func(a float64) float64 { return a }), residual)},
	{Key: "not-normalised", Hint: 2,
		Message: "Your outputs are the exponentials: they are not yet divided by their sum.",
		Answer:  corrected(each(math.Exp), residual)},
	{Key: "one-too-many", Hint: 2,
		Message: "Your denominator has a 1 too many. The 1 stands for a reference class without weights, as in Alpaydin's (10.28); here every class has a column.",
		Answer:  corrected(func(a []float64) []float64 { return outputs(append([]float64{0}, a...))[1:] }, residual)},
	{Key: "mirrored", Hint: 2,
		Message: "Your outputs are largest where the activation is smallest: look at the sign in the exponential.",
		Answer:  corrected(func(a []float64) []float64 { return outputs(each(func(v float64) float64 { return -v })(a)) }, residual)},
	{Key: "slope", Hint: 1,
		Message: "Your step has the factor y(1 − y). For the cross-entropy the slope of the outputs cancels, as with two classes.",
		Answer: corrected(outputs, func(y []float64, j, k int, eta float64) float64 {
			return residual(y, j, k, eta) * y[j] * (1 - y[j])
		})},
	{Key: "wrong-index", Hint: 3,
		Message: "Your weights of class j are moved by the feature number j: that is the misprint of Alpaydin's figure 10.8. Every class moves by the whole pattern.",
		Answer: placed(outputs, residual,
			func(_ *mat.Dense, phi []float64, _, j int) float64 { return phi[min(j, len(phi)-1)] }, 1)},
	{Key: "last-left-out", Hint: 1,
		Message: "The column of the last class stays as it was. A reference class is left out only where its weights are 0 and stay so; here all K columns move.",
		Answer: corrected(outputs, func(y []float64, j, k int, eta float64) float64 {
			if j == len(y)-1 {
				return 0
			}
			return residual(y, j, k, eta)
		})},
	{Key: "bias-left-out", Hint: 1,
		Message: "The first row stays as it was. A bias is corrected as all other weights, its feature is 1.",
		Answer: placed(outputs, residual, func(_ *mat.Dense, phi []float64, i, _ int) float64 {
			if i == 0 {
				return 0
			}
			return phi[i]
		}, 1)},
	{Key: "change-only", Hint: 1, Message: "You return the change of the weights. Return the new weights.",
		Answer: placed(outputs, residual, feature, 0)},
}

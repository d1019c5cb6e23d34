package lesson09

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
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

// residual returns t_j − y_j, where t_j is 1 for the true class k and 0 otherwise.
func residual(y []float64, j, k int, _ float64) float64 {
	if j == k {
		return 1 - y[j]
	}
	return -y[j]
}

// corrected returns the step w_j + η·r_j·φ for every class j, where r computes the residual r_j.
func corrected(out func(a []float64) []float64, r func(y []float64, j, k int, eta float64) float64) stepFunc {
	return placed(out, r, func(W *mat.Dense, phi []float64, i, j int) float64 { return phi[i] }, 1)
}

// placed returns a step that multiplies W by keep. For each i and j the step adds η·r_j·at(i, j) to
// the entry in row i and column j, where r computes the residual r_j.
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
		Message: "Your step moves only the column of the true class. The column of every other class j must move away from the pattern, by ηy_j.",
		Answer: corrected(outputs, func(y []float64, j, k int, eta float64) float64 {
			if j != k {
				return 0
			}
			return residual(y, j, k, eta)
		})},
	{Key: "no-target", Hint: 1,
		Message: "All columns move away from the pattern, because the target 1 of the true class is missing.",
		Answer:  corrected(outputs, func(y []float64, j, _ int, _ float64) float64 { return -y[j] })},
	{Key: "arg-max", Hint: 2,
		Message: "Your outputs are 1 for the largest activation and 0 for the others. That is arg max, as in a multiclass perceptron. The softmax is smooth.",
		Answer: corrected(func(a []float64) []float64 {
			y := make([]float64, len(a))
			y[floats.MaxIdx(a)] = 1
			return y
		}, residual)},
	{Key: "only-mistakes", Hint: 1,
		Message: "{problem}: the true class has the largest activation, and your step moves no weight, as in the perceptron. Here every pattern moves the weights, by η(y − t)φ.",
		Answer: func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense {
			var a mat.VecDense
			if a.MulVec(W.T(), mat.NewVecDense(len(phi), phi)); floats.MaxIdx(a.RawVector().Data) == k {
				return mat.DenseCopyOf(W)
			}
			return corrected(outputs, residual)(W, phi, k, eta)
		}},
	{Key: "sigmoids", Hint: 2,
		Message: "Each of your outputs is the sigmoid of its activation, as in K one-versus-rest models. In the softmax all outputs share one denominator and sum to 1.",
		Answer:  corrected(each(func(a float64) float64 { return 1 / (1 + math.Exp(-a)) }), residual)},
	{Key: "linear", Hint: 2,
		Message: "The softmax is missing: your outputs are the activations themselves. That is the step of least squares.",
		Answer:  corrected(each(func(a float64) float64 { return a }), residual)},
	{Key: "not-normalised", Hint: 2,
		Message: "Your outputs are the exponentials. Divide them by their sum.",
		Answer:  corrected(each(math.Exp), residual)},
	{Key: "one-too-many", Hint: 2,
		Message: "Your denominator contains an extra 1. The 1 belongs to a reference class without weights, as in Alpaydin's (10.28); here every class has a column.",
		Answer:  corrected(func(a []float64) []float64 { return outputs(append([]float64{0}, a...))[1:] }, residual)},
	{Key: "mirrored", Hint: 2,
		Message: "Your outputs are largest where the activation is smallest. The sign in the exponential is wrong.",
		Answer:  corrected(func(a []float64) []float64 { return outputs(each(func(v float64) float64 { return -v })(a)) }, residual)},
	{Key: "slope", Hint: 1,
		Message: "Your step contains the factor y(1 − y). In the gradient of the cross-entropy the slope of the outputs cancels, as for two classes.",
		Answer: corrected(outputs, func(y []float64, j, k int, eta float64) float64 {
			return residual(y, j, k, eta) * y[j] * (1 - y[j])
		})},
	{Key: "wrong-index", Hint: 3,
		Message: "You move the weights of class j by feature j alone, as in the misprint of Alpaydin's figure 10.8. Every class moves by the whole pattern.",
		Answer: placed(outputs, residual,
			func(_ *mat.Dense, phi []float64, _, j int) float64 { return phi[min(j, len(phi)-1)] }, 1)},
	{Key: "last-left-out", Hint: 1,
		Message: "The column of the last class stays unchanged. Only a reference class, with weights fixed at 0, would stay. Here all K columns move.",
		Answer: corrected(outputs, func(y []float64, j, k int, eta float64) float64 {
			if j == len(y)-1 {
				return 0
			}
			return residual(y, j, k, eta)
		})},
	{Key: "bias-left-out", Hint: 1,
		Message: "The first row stays unchanged. A bias is corrected like any other weight, because its feature is 1.",
		Answer: placed(outputs, residual, func(_ *mat.Dense, phi []float64, i, _ int) float64 {
			if i == 0 {
				return 0
			}
			return phi[i]
		}, 1)},
	{Key: "change-only", Hint: 1, Message: "You return the change in the weights. Return the new weights.",
		Answer: placed(outputs, residual, feature, 0)},
}

package ex17

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// byEntry makes a matrix of entries f(y_k, y_j, I_kj).
func byEntry(f func(yk, yj, delta float64) float64) func(a []float64) []float64 {
	return func(a []float64) []float64 { return entries(kernel.Softmax(a), f) }
}

func entries(y []float64, f func(yk, yj, delta float64) float64) []float64 {
	out := make([]float64, 0, len(y)*len(y))
	for k := range y {
		for j := range y {
			delta := 0.0
			if j == k {
				delta = 1
			}
			out = append(out, f(y[k], y[j], delta))
		}
	}
	return out
}

func exps(a []float64) (e []float64, sum float64) {
	e = make([]float64, len(a))
	for k, v := range a {
		e[k] = math.Exp(v)
	}
	return e, floats.Sum(e)
}

var right = byEntry(func(yk, yj, delta float64) float64 { return yk * (delta - yj) })

var mistakes = []learner.Mistake[[]float64]{
	{Key: "sign", Hint: 2, Value: byEntry(func(yk, yj, delta float64) float64 { return yk * (yj - delta) }),
		Message: "All your signs are turned: y_k(y_j − I). An output rises with its own activation."},
	{Key: "diagonal-only", Hint: 1, Value: byEntry(func(yk, _, delta float64) float64 { return delta * yk * (1 - yk) }),
		Message: "Your diagonal is right and all the rest is 0, as if each output had an activation to itself. The denominator contains all of them: for j ≠ k, y_k falls when a_j rises."},
	{Key: "off-diagonal-sign", Hint: 2, Value: byEntry(func(yk, yj, delta float64) float64 { return delta*yk*(1-yk) + (1-delta)*yk*yj }),
		Message: "Your entries off the diagonal are positive. An output falls when another one's activation rises: the derivative of a denominator brings a minus."},
	{Key: "inner-sign", Hint: 2, Value: byEntry(func(yk, yj, delta float64) float64 { return yk * (delta + yj) }),
		Message: "You have y_k(I + y_j): the quotient rule has a minus between its two terms."},
	{Key: "identity-left-out", Hint: 2, Value: byEntry(func(yk, yj, _ float64) float64 { return -yk * yj }),
		Message: "Every entry is −y_k·y_j: only the denominator was differentiated. For j = k the numerator moves, too."},
	{Key: "outer-product", Hint: 2, Value: byEntry(func(yk, yj, _ float64) float64 { return yk * yj }),
		Message: "Every entry is y_k·y_j. That is one of the two terms, with the other sign; where does the numerator's own derivative come in?"},
	{Key: "one-for-identity", Hint: 2, Value: byEntry(func(yk, yj, _ float64) float64 { return yk * (1 - yj) }),
		Message: "You have y_k(1 − y_j) everywhere. The 1 stands there for j = k only: it is the element I_kj of the identity matrix."},
	{Key: "denominator-held-fixed", Hint: 1, Value: byEntry(func(yk, _, delta float64) float64 { return delta * yk }),
		Message: "You have y_k on the diagonal and 0 elsewhere: the numerator was differentiated and the denominator held fixed."},
	{Key: "log-softmax", Hint: 2, Value: byEntry(func(_, yj, delta float64) float64 { return delta - yj }),
		Message: "You have I − y_j: these are the derivatives of ln y_k. A factor y_k is missing."},
	{Key: "log-softmax", Hint: 2, Value: byEntry(func(yk, _, delta float64) float64 { return delta - yk }),
		Message: "You have I − y_k: these are the derivatives of ln y_j by a_k, the transposed ones of a logarithm. A factor is missing."},
	{Key: "squared", Hint: 2, Value: byEntry(func(yk, yj, delta float64) float64 { return yk * yk * (delta - yj) }),
		Message: "A factor y_k comes in once too often."},
	{Key: "unnormalised", Hint: 2, Value: func(a []float64) []float64 {
		e, _ := exps(a)
		return entries(e, func(yk, _, delta float64) float64 { return delta * yk })
	}, Message: "These are the derivatives of e^{a_k} alone: the outputs are divided by the sum of all of them."},
	{Key: "square-of-denominator", Hint: 2, Value: func(a []float64) []float64 {
		e, s := exps(a)
		return entries(e, func(yk, yj, delta float64) float64 { return delta*yk/s - yk*yj/s })
	}, Message: "In the second term you divide by the sum once. The quotient rule divides by its square."},
	{Key: "square-of-denominator", Hint: 2, Value: func(a []float64) []float64 {
		e, s := exps(a)
		return entries(e, func(yk, yj, delta float64) float64 { return (delta*yk*s - yk*yj) / s })
	}, Message: "You divide by the sum once. The quotient rule divides by its square."},
	{Key: "sigmoids", Hint: 1, Value: func(a []float64) []float64 {
		y := make([]float64, len(a))
		for k, v := range a {
			y[k] = kernel.Sigmoid(v)
		}
		return entries(y, func(yk, _, delta float64) float64 { return delta * yk * (1 - yk) })
	}, Message: "These are the derivatives of K separate sigmoids. The softmax has one denominator for all outputs."},
	{Key: "activation-for-output", Hint: 2, Value: func(a []float64) []float64 {
		return entries(a, func(yk, yj, delta float64) float64 { return yk * (delta - yj) })
	}, Message: "The formula is applied to the activations a. It is in terms of the outputs y, the softmax of a."},
	{Key: "softmax-twice", Hint: 3, Value: func(a []float64) []float64 { return right(kernel.Softmax(a)) },
		Message: "The softmax was applied twice: your entries belong to the outputs of the outputs."},
	{Key: "zero", Hint: 2, Value: byEntry(func(_, _, _ float64) float64 { return 0 }),
		Message: "All entries are 0. Was the result never written to, or were the outputs rounded to 0 and 1?"},
}

// recognise names the mistake behind a matrix that is not the Jacobian at a.
func recognise(a []float64, j *mat.Dense) (verify.Verdict, bool) {
	got := learner.Entries(j)
	if v, ok := learner.Recognise(mistakes, a, got); ok {
		return v, true
	}
	if _, ok := learner.Factor(got, right(a)); ok {
		return verify.Fail("factor", 2, "Your matrix is the right one times a number. The outputs are probabilities as they stand: there is no factor in front."), true
	}
	return verify.Verdict{}, false
}

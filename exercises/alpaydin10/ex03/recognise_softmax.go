package ex03

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

// byEntry makes K·K numbers f(y_i, y_j, δ_ij), row by row.
func byEntry(f func(yi, yj, delta float64) float64) func(a []float64) []float64 {
	return func(a []float64) []float64 { return entries(kernel.Softmax(a), f) }
}

func entries(y []float64, f func(yi, yj, delta float64) float64) []float64 {
	var out []float64
	for i := range y {
		for j := range y {
			delta := 0.0
			if i == j {
				delta = 1
			}
			out = append(out, f(y[i], y[j], delta))
		}
	}
	return out
}

var right = byEntry(func(yi, yj, delta float64) float64 { return yi * (delta - yj) })

var mistakes = []learner.Mistake[[]float64]{
	{Key: "misprint-10.32", Hint: 1, Value: byEntry(func(yi, _, _ float64) float64 { return yi * (1 - yi) }),
		Message: "You return y_i(1 − y_i) whatever j is: the derivative with respect to a_i. So it is printed in (10.32), by mistake; the exercise asks for ∂y_i/∂a_j."},
	{Key: "sign", Hint: 2, Value: byEntry(func(yi, yj, delta float64) float64 { return yi * (yj - delta) }),
		Message: "All your signs are turned. An output rises with its own score."},
	{Key: "diagonal-only", Hint: 1, Value: byEntry(func(yi, _, delta float64) float64 { return delta * yi * (1 - yi) }),
		Message: "Right for i = j, and 0 for i ≠ j, as if every output had its own score alone. All scores stand in the denominator: the others' outputs fall when a_j rises."},
	{Key: "off-diagonal-sign", Hint: 2, Value: byEntry(func(yi, yj, delta float64) float64 { return delta*yi*(1-yi) + (1-delta)*yi*yj }),
		Message: "Right for i = j; for i ≠ j the sign is wrong. The derivative of a denominator brings a minus."},
	{Key: "inner-sign", Hint: 2, Value: byEntry(func(yi, yj, delta float64) float64 { return yi * (delta + yj) }),
		Message: "You have y_i(δ_ij + y_j): the quotient rule has a minus between its terms."},
	{Key: "delta-left-out", Hint: 2, Value: byEntry(func(yi, yj, _ float64) float64 { return -yi * yj }),
		Message: "You have −y_i·y_j for every pair: only the denominator was differentiated. For i = j the numerator moves too; that is what δ_ij is for."},
	{Key: "delta-is-one", Hint: 2, Value: byEntry(func(yi, yj, _ float64) float64 { return yi * (1 - yj) }),
		Message: "You have y_i(1 − y_j) for every pair. δ_ij is 1 for i = j and 0 otherwise."},
	{Key: "delta-reversed", Hint: 2, Value: byEntry(func(yi, yj, delta float64) float64 { return yi * (1 - delta - yj) }),
		Message: "Your δ_ij is the wrong way round: 0 for i = j and 1 otherwise."},
	{Key: "denominator-held-fixed", Hint: 1, Value: byEntry(func(yi, _, delta float64) float64 { return delta * yi }),
		Message: "You have y_i for i = j and 0 otherwise: the denominator was held fixed. It contains every score."},
	{Key: "log-softmax", Hint: 2, Value: byEntry(func(_, yj, delta float64) float64 { return delta - yj }),
		Message: "You have δ_ij − y_j, the derivative of log y_i. A factor y_i is missing."},
	{Key: "product", Hint: 2, Value: byEntry(func(yi, yj, _ float64) float64 { return yi * yj }),
		Message: "You have y_i·y_j for every pair: one of two terms, and with the other sign."},
	{Key: "score-for-output", Hint: 2, Value: func(a []float64) []float64 {
		return entries(a, func(yi, yj, delta float64) float64 { return yi * (delta - yj) })
	}, Message: "The formula is applied to the scores. It is in terms of the outputs y, the softmax of a."},
	{Key: "sigmoids", Hint: 1, Value: func(a []float64) []float64 {
		y := make([]float64, len(a))
		for i, v := range a {
			y[i] = kernel.Sigmoid(v)
		}
		return entries(y, func(yi, yj, delta float64) float64 { return delta * yi * (1 - yi) })
	}, Message: "These are the derivatives of K separate sigmoids, (10.42). The softmax has one denominator for all."},
	{Key: "unnormalised", Hint: 2, Value: func(a []float64) []float64 {
		e := make([]float64, len(a))
		for i, v := range a {
			e[i] = math.Exp(v)
		}
		return entries(e, func(ei, _, delta float64) float64 { return delta * ei })
	}, Message: "This is the derivative of the exponential alone. The outputs are divided by the sum of all of them."},
	{Key: "zero", Hint: 1, Value: byEntry(func(_, _, _ float64) float64 { return 0 }),
		Message: "You return 0 for every pair. Was the result never computed?"},
}

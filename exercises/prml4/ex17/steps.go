package ex17

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// piecesFunc is the learner's Pieces.
type piecesFunc = func(a []float64, k, j int) (numerator, denominator float64)

// A pair is an output and an activation.
type pair struct {
	a    []float64
	k, j int
}

// sum is Σ exp(a_i).
func (p pair) sum() float64 { return math.Exp(kernel.LogSumExp(p.a)) }

// pairs are all outputs with all activations, for 1 to 7 classes; activations are
// of a few units, so that no exponential overflows.
func pairs(part uint64) []pair {
	var out []pair
	all := moderate(part)
	for _, a := range append(all[:5:5], all[6], []float64{0.7}) { // all[5] lies about 40
		for k := range a {
			for j := range a {
				out = append(out, pair{a, k, j})
			}
		}
	}
	return out
}

// both makes two numbers from exp(a_k), exp(a_j), their sum and whether k is j.
func both(f func(ek, ej, sum float64, same bool) (n, d float64)) func(pair) []float64 {
	return func(p pair) []float64 {
		n, d := f(math.Exp(p.a[p.k]), math.Exp(p.a[p.j]), p.sum(), p.k == p.j)
		return []float64{n, d}
	}
}

// askPieces calls the learner's function with copies.
func askPieces(pieces piecesFunc, p pair) ([]float64, *verify.Verdict) {
	var in learner.Inputs
	n, d := pieces(in.Slice("a", p.a), p.k, p.j)
	return []float64{n, d}, in.Changed(3)
}

func piecesStep(pieces piecesFunc) steps.Step[pair] {
	when := func(same bool, v float64) float64 {
		if same {
			return v
		}
		return 0
	}
	return steps.Step[pair]{
		Name: "Pieces", Key: "pieces", Hint: 2, Entries: []string{"numerator's derivative", "denominator's derivative"},
		Problems: func() []pair { return pairs(31) },
		Where: func(p pair) string {
			return fmt.Sprintf("%d activations, k = %d and j = %d,", len(p.a), p.k, p.j)
		},
		Ask:  func(p pair) ([]float64, *verify.Verdict) { return askPieces(pieces, p) },
		Unit: func(p pair, _ []float64) []float64 { return []float64{math.Exp(p.a[p.k]), math.Exp(p.a[p.j])} },
		Routes: []steps.Route[pair]{
			{Name: "the derivative of exp", Tol: 1e-9, Value: both(func(ek, ej, _ float64, same bool) (float64, float64) { return when(same, ek), ej })},
			{Name: "the difference quotient", Tol: 1e-6, Value: func(p pair) []float64 {
				at := func(v float64) []float64 {
					a := append([]float64(nil), p.a...)
					a[p.j] += v
					return a
				}
				n := verify.Derivative(func(v float64) float64 { return math.Exp(at(v)[p.k]) }, 0, 0)
				// The terms of the sum that stay are taken off, so that no digits are lost.
				d := verify.Derivative(func(v float64) float64 { return math.Exp(at(v)[p.j]) - math.Exp(p.a[p.j]) }, 0, 0)
				return []float64{n, d}
			}},
		},
		Mistakes: []learner.Mistake[pair]{
			{Key: "numerator-always", Hint: 1, Value: both(func(ek, ej, _ float64, _ bool) (float64, float64) { return ek, ej }),
				Message: "The numerator's derivative is exp(a_k) for every j. Only a_k occurs in the numerator: for j ≠ k nothing in it moves."},
			{Key: "numerator-j", Hint: 1, Value: both(func(_, ej, _ float64, _ bool) (float64, float64) { return ej, ej }),
				Message: "The numerator's derivative is exp(a_j) for every j. Only a_k occurs in the numerator: for j ≠ k nothing in it moves."},
			{Key: "numerator-never", Hint: 1, Value: both(func(_, ej, _ float64, _ bool) (float64, float64) { return 0, ej }),
				Message: "The numerator's derivative is 0 always. For j = k the numerator moves, too."},
			{Key: "denominator-only-own", Hint: 1, Value: both(func(ek, ej, _ float64, same bool) (float64, float64) { return when(same, ek), when(same, ej) }),
				Message: "The denominator's derivative is 0 for j ≠ k. Every activation stands in the denominator, whatever k is."},
			{Key: "denominator-k", Hint: 2, Value: both(func(ek, _, _ float64, same bool) (float64, float64) { return when(same, ek), ek }),
				Message: "The denominator's derivative is exp(a_k). k has nothing to do with the denominator: of its terms the one with a_j moves."},
			{Key: "denominator-whole", Hint: 2, Value: both(func(ek, _, sum float64, same bool) (float64, float64) { return when(same, ek), sum }),
				Message: "The denominator's derivative is the whole sum. Of its terms only the one with a_j moves; the others are constants."},
			{Key: "exchanged", Hint: 2, Value: both(func(ek, ej, _ float64, same bool) (float64, float64) { return ej, when(same, ek) }),
				Message: "The two results are exchanged: the numerator's derivative comes first."},
			{Key: "identity", Hint: 2, Value: both(func(_, ej, _ float64, same bool) (float64, float64) { return when(same, 1), ej }),
				Message: "The numerator's derivative is 1 for j = k: that is the derivative of a_k. The numerator is exp(a_k)."},
			{Key: "divided", Hint: 2, Value: both(func(ek, ej, sum float64, same bool) (float64, float64) { return when(same, ek) / sum, ej / sum }),
				Message: "Both are divided by S already. These are the derivatives of the pieces; the quotient rule comes after."},
			{Key: "power-rule", Hint: 2, Value: func(p pair) []float64 {
				n, e := 0.0, p.a[p.j]*math.Exp(p.a[p.j]-1)
				if p.k == p.j {
					n = e
				}
				return []float64{n, e}
			}, Message: "exp was differentiated as a power, a·exp(a−1). Its derivative is exp itself: the variable stands in the exponent."},
		},
		Right: "They are the derivatives of numerator and denominator, for j = k and for j ≠ k.",
	}
}

// judgeQuotient puts the learner's pieces together.
func judgeQuotient(pieces piecesFunc) verify.Verdict {
	for _, p := range pairs(32) {
		got, bad := askPieces(pieces, p)
		if bad != nil {
			return *bad
		}
		s := p.sum()
		y := (got[0]*s - math.Exp(p.a[p.k])*got[1]) / (s * s)
		if f := verify.Close(y, complexStep(p.a).At(p.k, p.j), verify.Tolerance{Abs: 1e-9}); !f.OK {
			return verify.Fail("pieces-quotient", 2, "For %d activations, k = %d and j = %d, the quotient rule with your pieces, (numerator′·S − exp(a_k)·S′)/S², is not ∂y_k/∂a_j: %s.", len(p.a), p.k, p.j, f.Off())
		}
	}
	return verify.Pass("(numerator′·S − exp(a_k)·S′)/S² is ∂y_k/∂a_j, for all k and j.")
}

// Package ex17 judges PRML exercise 4.17: the derivatives of the softmax outputs
// with respect to the activations.
package ex17

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex17", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

type scores = multiclass.Scores

// Check judges jacobian, which returns the K×K matrix of the derivatives ∂y_k/∂a_j
// of the softmax (4.104) at the activations a (K).
func Check(jacobian jacobianFunc) *verify.Report {
	return exercise.Judge(ask.Parts(jacobian, []judge.Property[scores]{
		judge.Form("a K×K matrix of finite numbers comes back, and a stays as it was",
			func() []scores { return append(moderate(1), scores{0.7}) }, nil, judge.Wrong{}, "You returned a K×K matrix for K from 1 to 7."),
		{Name: "its entries are the derivatives of the softmax", On: func() []scores { return moderate(2) },
			Holds: scores.Derivatives,
			Wrong: judge.Wrong{Key: "derivative", Hint: 2, Message: "For {problem} the derivatives of the softmax are not your entries: you are {off}."},
			Right: "Your entries are the derivatives, by finite differences of the softmax and by a complex step, for K from 2 to 7."},
		{Name: "the columns balance", On: func() []scores { return moderate(3) }, Holds: multiclass.Columns("all entries are 0"),
			Wrong: judge.Wrong{Key: "columns", Hint: 2, Message: "For {problem} a column of your matrix does not sum to 0: {off}. The outputs sum to 1 always: what one gains when an activation changes, the others lose."},
			Right: "Columns sum to 0 because the outputs always sum to 1."},
		{Name: "the rows balance", On: func() []scores { return moderate(3) }, Holds: multiclass.Rows("all entries are 0"),
			Wrong: judge.Wrong{Key: "rows", Hint: 2, Message: "For {problem} a row of your matrix does not sum to 0: {off}. Adding the same number to all activations changes no output."},
			Right: "Rows sum to 0 because a common shift of the activations changes nothing."},
		{Name: "one class and two classes", On: few, First: single,
			Holds: func(a scores, got []float64) verify.Finding {
				if len(a) == 1 {
					return verify.Finding{OK: true}
				}
				slope := verify.Derivative(kernel.Sigmoid, a[0]-a[1], 0)
				return verify.CloseMat(a.Square(got), mat.NewDense(2, 2, []float64{slope, -slope, -slope, slope}), verify.Tolerance{Rel: 1e-7})
			},
			Wrong: judge.Wrong{Key: "two-classes", Hint: 2, Message: "With two classes y₁ = σ(a₁ − a₂), and every entry is the slope of the sigmoid there, up to its sign. For {problem} yours is {off}."},
			Right: "For K = 1 the output cannot move; for K = 2 all entries are ±σ′(a₁ − a₂)."},
		{Name: "finite and right at activations up to ±1000, the largest in every place", On: multiclass.FarScores, Limits: true, Holds: scores.Exact,
			Wrong: judge.Wrong{Key: "tails", Hint: 3, Message: "For {problem} your matrix is finite, but {off}. Are activations or exponentials clipped, or small outputs set to 0? Taking the same number off all activations is exact."},
			Right: "Right at ±1000, too, where the exponentials themselves overflow or vanish."},
	}...)...)
}

// CheckSteps judges the step before the quotient rule, which is optional: pieces
// are the derivatives of exp(a_k) and of Σ exp(a_i) with respect to a_j.
func CheckSteps(pieces piecesFunc) *verify.Report {
	return exercise.JudgeSteps(append(
		askPieces.Steps(pieces, judge.Step[pair]{Name: "Pieces: the derivatives of numerator and denominator", On: func() []pair { return pairs(31) },
			Routes: []judge.Route[pair]{{Name: "the derivative of exp", Tol: 1e-9, Value: right}, {Name: "the difference quotient", Tol: 1e-6, Value: differences}},
			Right:  "They are the derivatives of numerator and denominator, for j = k and for j ≠ k."}),
		askPieces.Parts(pieces, judge.Property[pair]{Name: "Pieces: the quotient rule makes the derivatives of the softmax of them", On: func() []pair { return pairs(32) },
			Holds: func(p pair, got []float64) verify.Finding {
				s := p.sum()
				y := (got[0]*s - math.Exp(p.a[p.k])*got[1]) / (s * s)
				return verify.Close(y, kernel.SoftmaxJacobian(p.a)[p.k*len(p.a)+p.j], verify.Tolerance{Abs: 1e-9})
			},
			Wrong: judge.Wrong{Key: "pieces-quotient", Hint: 2, Message: "For {problem} the quotient rule with your pieces, (numerator′·S − exp(a_k)·S′)/S², is not ∂y_k/∂a_j: {off}."},
			Right: "(numerator′·S − exp(a_k)·S′)/S² is ∂y_k/∂a_j, for all k and j."})...)...)
}

// single finds the output of one class constant.
func single(a scores, got []float64) *verify.Verdict {
	return judge.FailIf(len(a) == 1 && math.Abs(got[0]) > multiclass.Decimals.Abs, "one-class", 2, "With a single class the output is 1 whatever its activation is; your derivative is not 0.")
}

// moderate returns activations of a few units, the first ones general enough to
// tell all known mistakes apart.
func moderate(part uint64) []scores {
	r := instance.Source(417, part)
	draw := func(k int, spread, shift float64) scores { return multiclass.Drawn(r, k, spread, shift) }
	return []scores{draw(4, 1.5, 0.3), draw(3, 1, -1), draw(2, 1, 0), draw(7, 2, 0), make(scores, 5), draw(3, 1, 40), {6, -6, 0.5}}
}

func few() []scores {
	list := []scores{{0}, {-3}, {12}}
	for _, a := range moderate(4)[:3] {
		list = append(list, a[:2])
	}
	return list
}

// A pair is an output and an activation.
type pair struct {
	a    scores
	k, j int
}

func (p pair) String() string { return fmt.Sprintf("%v, k = %d and j = %d", p.a, p.k, p.j) }

// sum is Σ exp(a_i).
func (p pair) sum() float64 { return math.Exp(kernel.LogSumExp(p.a)) }

// pairs are all outputs with all activations, for 1 to 7 classes; activations are
// of a few units, so that no exponential overflows.
func pairs(part uint64) []pair {
	var out []pair
	all := moderate(part)
	for _, a := range append(all[:5:5], all[6], scores{0.7}) { // all[5] lies about 40
		for k := range a {
			for j := range a {
				out = append(out, pair{a, k, j})
			}
		}
	}
	return out
}

func right(p pair) []float64 {
	return []float64{multiclass.Same(p.k, p.j) * math.Exp(p.a[p.k]), math.Exp(p.a[p.j])}
}

// differences are central ones, of the numerator and of the one term of the sum that
// moves: the others would cost digits.
func differences(p pair) []float64 {
	at := func(v float64, i int) float64 {
		a := slices.Clone(p.a)
		a[p.j] += v
		return math.Exp(a[i])
	}
	return []float64{
		verify.Derivative(func(v float64) float64 { return at(v, p.k) }, 0, 0),
		verify.Derivative(func(v float64) float64 { return at(v, p.j) - math.Exp(p.a[p.j]) }, 0, 0),
	}
}

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
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type scores = multiclass.Scores

// Check judges the function `jacobian` of PRML exercise 4.17. `jacobian` returns the K×K matrix of
// the derivatives ∂y_k/∂a_j of the softmax (4.104) at the K activations a.
func Check(jacobian jacobianFunc) *verify.Report {
	return exercise.Judge(question.Parts(jacobian, []judge.Property[scores]{
		judge.Form("the result is a K×K matrix of finite numbers, and the activations a stay unchanged",
			func() []scores { return append(moderate(1), scores{0.7}) }, nil, judge.Wrong{},
			"You returned a K×K matrix for K from 1 to 40."),
		{Name: "the entries are the derivatives of the softmax", Problems: func() []scores { return moderate(2) },
			Holds: scores.Derivatives,
			Wrong: judge.Wrong{Key: "derivative", Hint: 2,
				Message: "For {problem} your entries should be the derivatives of the softmax, but they are {off}."},
			Right: "For K from 2 to 40 your entries agree with the derivatives, computed by finite differences and by a complex step."},
		{Name: "each column sums to 0", Problems: func() []scores { return moderate(3) },
			Holds: multiclass.Columns("0 only because all entries are 0"),
			Wrong: judge.Wrong{Key: "columns", Hint: 2,
				Message: "For {problem} a column of your matrix should sum to 0, but the sum is {off}. The outputs always sum to 1, so the changes in all outputs cancel."},
			Right: "The columns of your matrix sum to 0, because the outputs always sum to 1."},
		{Name: "each row sums to 0", Problems: func() []scores { return moderate(3) },
			Holds: multiclass.Rows("0 only because all entries are 0"),
			Wrong: judge.Wrong{Key: "rows", Hint: 2,
				Message: "For {problem} a row of your matrix should sum to 0, but the sum is {off}. Adding the same number to all activations changes no output."},
			Right: "The rows of your matrix sum to 0, because a common shift of the activations changes no output."},
		{Name: "one class and two classes", Problems: few, Precheck: singleFault,
			Holds: func(a scores, got []float64) verify.Finding {
				if len(a) == 1 {
					return verify.Finding{OK: true}
				}
				slope := verify.Derivative(kernel.Sigmoid, a[0]-a[1], 0)
				two := mat.NewDense(2, 2, []float64{slope, -slope, -slope, slope})
				return judge.All(verify.CloseMat(a.Square(got), two, verify.Tolerance{Rel: 1e-7}), a.Exact(got))
			},
			Wrong: judge.Wrong{Key: "two-classes", Hint: 2,
				Message: "With two classes y₁ = σ(a₁ − a₂), so every entry must be ±σ′(a₁ − a₂). For {problem} your matrix is {off}."},
			Right: "For K = 1 your derivative is 0, because the output is constant. For K = 2 all your entries are ±σ′(a₁ − a₂)."},
		{Name: "finite and right at activations up to ±1000, with the largest activation in any position",
			Problems: multiclass.FarScores,
			Extreme:  true, Holds: scores.Exact,
			Wrong: judge.Wrong{Key: "tails", Hint: 3,
				Message: "For {problem} your matrix is finite, but {off}. Do not clip activations, and do not set small outputs to 0. Subtract the same number from all activations instead."},
			Right: "Your matrix is also right at ±1000, where the exponentials themselves overflow or underflow."},
	}...)...)
}

// CheckSteps judges the optional step that prepares the quotient rule. `pieces` returns the
// derivatives of the numerator exp(a_k) and of the denominator Σ exp(a_i) with respect to a_j.
func CheckSteps(pieces piecesFunc) *verify.Report {
	return exercise.JudgeSteps(append(
		piecesQuestion.Steps(pieces,
			judge.Step[pair]{Name: "Pieces: the derivatives of numerator and denominator",
				Problems: func() []pair { return pairs(31) },
				Routes: []judge.Route[pair]{{Name: "the derivative of exp", Tol: 1e-9, Value: right},
					{Name: "the difference quotient", Tol: 1e-6, Value: differences}},
				Right: "Your pieces are the derivatives of the numerator and the denominator, for j = k and for j ≠ k."}),
		piecesQuestion.Parts(pieces,
			judge.Property[pair]{Name: "Pieces: with your pieces the quotient rule gives the derivatives of the softmax",
				Problems: func() []pair { return pairs(32) },
				Holds: func(p pair, got []float64) verify.Finding {
					s := p.sum()
					y := (got[0]*s - math.Exp(p.a[p.k])*got[1]) / (s * s)
					return verify.Close(y, kernel.SoftmaxJacobian(p.a)[p.k*len(p.a)+p.j], verify.Tolerance{Abs: 1e-9})
				},
				Wrong: judge.Wrong{Key: "pieces-quotient", Hint: 2,
					Message: "For {problem} the quotient rule with your pieces, (numerator′·S − exp(a_k)·S′)/S², should give ∂y_k/∂a_j, but the result is {off}."},
				Right: "With your pieces (numerator′·S − exp(a_k)·S′)/S² is ∂y_k/∂a_j, for all k and j."})...)...)
}

// singleFault returns a verdict if there is only one class and the learner's derivative is not 0.
// (With one class the output is always 1.)
func singleFault(a scores, got []float64) *verify.Verdict {
	return judge.FailIf(len(a) == 1 && math.Abs(got[0]) > multiclass.Decimals.Abs, "one-class", 2,
		"With a single class the output is always 1, so its derivative is 0. Your derivative is not 0.")
}

// moderate returns problems with moderate activations. For any two mistakes with different
// messages, at least one of the first four problems shows which mistake was made.
func moderate(part uint64) []scores {
	r := instance.Source(417, part)
	draw := func(k int, spread, shift float64) scores { return multiclass.Drawn(r, k, spread, shift) }
	return []scores{draw(4, 1.5, 0.3), draw(3, 1, -1), draw(2, 1, 0), draw(7, 2, 0), make(scores, 5), draw(3, 1, 40),
		{6, -6, 0.5}, draw(40, 1, 0)}
}

func few() []scores {
	list := []scores{{0}, {-3}, {12}}
	for _, a := range moderate(4)[:3] {
		list = append(list, a[:2])
	}
	return list
}

// A pair selects the derivative of output k with respect to activation j, at the activations a.
type pair struct {
	a    scores
	k, j int
}

func (p pair) String() string { return fmt.Sprintf("%v, k = %d and j = %d", p.a, p.k, p.j) }

// sum returns S = Σ exp(a_i).
func (p pair) sum() float64 { return math.Exp(kernel.LogSumExp(p.a)) }

// pairs returns every combination of an output and an activation, for problems of 1 to 7 classes with
// activations of a few units.
func pairs(part uint64) []pair {
	var out []pair
	all := moderate(part)
	// pairs omits all[5], whose activations are around 40, and all[7], which has 40 classes
	for _, a := range append(all[:5:5], all[6], scores{0.7}) {
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

// differences returns central differences of the numerator and of the denominator. For the
// denominator it uses only the change of the term exp(a_j). Adding constants, such as the other
// terms, would lose digits.
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

type (
	jacobianFunc = func(a []float64) *mat.Dense
	piecesFunc   = func(a []float64, k, j int) (numerator, denominator float64)
)

var question = &judge.Question[jacobianFunc, scores]{
	Func: "Jacobian", Name: "Jacobian", Hint: 3, Per: "pair of classes", New: true,
	Invoke: func(jacobian jacobianFunc, c *judge.Call, a scores) []float64 {
		j, k := jacobian(c.Slice("a", a)), len(a)
		c.Say(shapeFault(a, j))
		return c.Matrix("J", j, k, k, "K×K")
	},
	Right: func(a scores) []float64 { return kernel.SoftmaxJacobian(a) },
	Nearly: judge.Wrong{Key: "imprecise", Hint: 3,
		Message: "Nearly right: for {problem} your entries have their first digits right, but not 12 decimal places. If you computed them by finite differences, use the exact formula."},
	Sign: judge.Wrong{Key: "sign", Hint: 2,
		Message: "All your signs are wrong. An output increases with its own activation."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your matrix is the right matrix times a constant factor. The derivatives of the softmax have no factor in front."},
	Mistakes: []judge.Mistake[jacobianFunc]{
		{Key: "diagonal-only", Answer: jacobianWith(multiclass.DiagonalOnly), Hint: 1,
			Message: "The diagonal of your matrix is right, but all other entries are 0. Each output depends on all activations through the denominator: for j ≠ k, y_k decreases as a_j increases."},
		{Key: "off-diagonal-sign", Answer: jacobianWith(multiclass.OffDiagonalSign), Hint: 2,
			Message: "Your entries off the diagonal are positive. They must be negative: an output decreases when the activation of another class increases."},
		{Key: "inner-sign", Answer: jacobianWith(multiclass.InnerSign), Hint: 2,
			Message: "Your entries are y_k(I_kj + y_j). The quotient rule has a minus between its two terms."},
		{Key: "identity-left-out", Answer: jacobianWith(multiclass.IdentityLeftOut), Hint: 2,
			Message: "Your entries are −y_k·y_j, as if only the denominator depended on the activations. For j = k the numerator also depends on a_j."},
		{Key: "outer-product", Answer: jacobianWith(multiclass.OuterProduct), Hint: 2,
			Message: "Your entries are y_k·y_j. This is one of the two terms, and its sign is wrong. The derivative of the numerator is missing."},
		{Key: "one-for-identity", Answer: jacobianWith(multiclass.OneForIdentity), Hint: 2,
			Message: "Your entries are y_k(1 − y_j). In place of 1 the formula needs I_kj, the element of the identity matrix, which is 0 for j ≠ k."},
		{Key: "denominator-held-fixed", Answer: jacobianWith(multiclass.DenominatorHeldFixed), Hint: 1,
			Message: "Your entries are y_k on the diagonal and 0 elsewhere, as if only the numerator depended on the activations. The derivative of the denominator is missing."},
		{Key: "log-softmax", Answer: jacobianWith(multiclass.LogSoftmax), Hint: 2,
			Message: "Your entries are I_kj − y_j, the derivatives of ln y_k. A factor y_k is missing."},
		{Key: "log-softmax", Answer: jacobianWith(multiclass.LogSoftmaxTransposed), Hint: 2,
			Message: "Your entries are I_kj − y_k, the derivatives of ln y_j with respect to a_k. Compute the derivatives of ln y_k with respect to a_j instead, and multiply them by y_k."},
		{Key: "squared", Answer: jacobianWith(multiclass.Squared), Hint: 2, Message: "Your entries contain the factor y_k once too often. Leave out one of these factors."},
		{Key: "one-index", Answer: jacobianWith(multiclass.OneIndex), Hint: 2,
			Message: "Your entries are y_k(I_kj − y_k). Off the diagonal they must be −y_k·y_j, with the outputs of both classes as factors."},
		{Key: "one-triangle", Hint: 3,
			Message: "The diagonal and one triangle of your matrix are right, but the other triangle is 0. Fill both triangles, because a *mat.Dense does not mirror entries.",
			Answer:  changed(func(k, j, _ int, v float64) float64 { return multiclass.When(j >= k, v) })},
		{Key: "one-triangle", Hint: 3,
			Message: "The diagonal and one triangle of your matrix are right, but the other triangle is 0. Fill both triangles, because a *mat.Dense does not mirror entries.",
			Answer:  changed(func(k, j, _ int, v float64) float64 { return multiclass.When(j <= k, v) })},
		{Key: "unnormalised", Answer: withValues(multiclass.Map(math.Exp), multiclass.DenominatorHeldFixed), Hint: 2,
			Message: "You return the derivatives of e^{a_k} alone. The outputs are e^{a_k} divided by the sum over all classes."},
		{Key: "square-of-denominator", Hint: 2,
			Message: "Your second term is y_k·e^{a_j}, so you divide it by the sum of the exponentials only once. The quotient rule divides this term by the square of the sum.",
			Answer:  bySum(func(yk, yj, same, sum float64) float64 { return yk * (same - sum*yj) })},
		{Key: "square-of-denominator", Hint: 2,
			Message: "Your entries are e^{a_k}(I_kj − y_j), so a division by the sum of the exponentials is missing. The quotient rule divides by the square of this sum.",
			Answer:  bySum(func(yk, yj, same, sum float64) float64 { return sum * yk * (same - yj) })},
		{Key: "sigmoids", Answer: withValues(multiclass.Map(kernel.Sigmoid), multiclass.DiagonalOnly), Hint: 1,
			Message: "You return the derivatives of K separate sigmoids. The softmax has one denominator for all outputs."},
		{Key: "activation-for-output", Answer: withValues(slices.Clone, multiclass.Softmax), Hint: 2,
			Message: "Your entries are a_k(I_kj − a_j): you use the activations a in the formula. Use the outputs y, the softmax of the activations."},
		{Key: "softmax-twice",
			Answer: withValues(func(a []float64) []float64 { return kernel.Softmax(kernel.Softmax(a)) }, multiclass.Softmax),
			Hint:   3, Message: "You apply the softmax twice: your entries are computed from the softmax of the outputs. Apply the softmax only once, to the activations."},
		{Key: "zero", Answer: jacobianWith(multiclass.Zero), Hint: 2,
			Message: "All your entries are 0. Check that you write to the matrix that you return, and that the outputs are not rounded."},
		{Key: "factor", Hint: 2,
			Message: "Your matrix is the right matrix divided by K. Do not average over the classes.",
			Answer:  changed(func(_, _, classes int, v float64) float64 { return v / float64(classes) })},
	},
}

// shapeFault returns a verdict if a known mistake explains the wrong shape of the matrix. It also
// returns a verdict if an entry is not finite at large activations.
func shapeFault(a scores, j *mat.Dense) *verify.Verdict {
	if j == nil || j.IsEmpty() {
		return nil
	}
	switch r, c := j.Dims(); {
	case len(a) > 1 && r*c == len(a):
		return judge.Fail("one-per-class", 1,
			"You returned one number per class. Every output depends on every activation through the denominator, so there are K×K derivatives.")
	case a.Far() && math.IsNaN(0*mat.Sum(j)): // NaN or infinite
		return judge.Fail("overflow", 3,
			"For %v an entry of your matrix is not a finite number. e^1000 overflows to Inf and e^−1000 underflows to 0, and both Inf/Inf and 0/0 are NaN. Subtract the largest activation from all activations, and do not divide by an output.", a)
	}
	return nil
}

// withValues returns an answer that computes the matrix with the formula d from the numbers
// values(a). The right answer computes it from the outputs of the softmax.
func withValues(values func(a []float64) []float64, d multiclass.Derivative) jacobianFunc {
	return func(a []float64) *mat.Dense { return d.At(values(a)) }
}

func jacobianWith(d multiclass.Derivative) jacobianFunc { return withValues(kernel.Softmax, d) }

// bySum returns an answer that computes entry (k, j) as f(y_k, y_j, I_kj, S), where S is the sum of
// the exponentials.
func bySum(f func(yk, yj, same, sum float64) float64) jacobianFunc {
	return func(a []float64) *mat.Dense {
		sum := pair{a: a}.sum()
		return jacobianWith(func(yk, yj, same float64) float64 { return f(yk, yj, same, sum) })(a)
	}
}

// changed returns an answer that replaces each entry v of the right matrix with f(k, j, K, v).
func changed(f func(k, j, classes int, v float64) float64) jacobianFunc {
	return func(a []float64) *mat.Dense {
		out := jacobianWith(multiclass.Softmax)(a)
		out.Apply(func(k, j int, v float64) float64 { return f(k, j, len(a), v) }, out)
		return out
	}
}

var piecesQuestion = &judge.Question[piecesFunc, pair]{
	Func: "Pieces", Name: "Pieces", Key: "pieces", Hint: 2,
	Entries: []string{"numerator's derivative", "denominator's derivative"},
	Invoke: func(pieces piecesFunc, c *judge.Call, p pair) []float64 {
		n, d := pieces(c.Slice("a", p.a), p.k, p.j)
		return []float64{n, d}
	},
	Right: right,
	Unit:  func(p pair, _ []float64) []float64 { return []float64{math.Exp(p.a[p.k]), math.Exp(p.a[p.j])} },
	Mistakes: []judge.Mistake[piecesFunc]{
		{Key: "numerator-always", Answer: wrongPieces(func(ek, ej, _, _ float64) (float64, float64) { return ek, ej }),
			Hint:    1,
			Message: "Your derivative of the numerator is exp(a_k) for every j. The numerator contains only a_k, so its derivative is 0 for j ≠ k."},
		{Key: "numerator-j", Answer: wrongPieces(func(_, ej, _, _ float64) (float64, float64) { return ej, ej }), Hint: 1,
			Message: "Your derivative of the numerator is exp(a_j) for every j. The numerator contains only a_k, so its derivative is 0 for j ≠ k."},
		{Key: "numerator-never", Answer: wrongPieces(func(_, ej, _, _ float64) (float64, float64) { return 0, ej }), Hint: 1,
			Message: "Your derivative of the numerator is always 0. For j = k the numerator depends on a_j."},
		{Key: "denominator-only-own", Hint: 1,
			Message: "Your derivative of the denominator is 0 for j ≠ k. The denominator contains every activation, whatever k is.",
			Answer:  wrongPieces(func(ek, ej, _, same float64) (float64, float64) { return same * ek, same * ej })},
		{Key: "denominator-k", Hint: 2,
			Message: "Your derivative of the denominator is exp(a_k). The denominator does not depend on k; only its term exp(a_j) depends on a_j.",
			Answer:  wrongPieces(func(ek, _, _, same float64) (float64, float64) { return same * ek, ek })},
		{Key: "denominator-whole", Hint: 2,
			Message: "Your derivative of the denominator is the whole sum. Only its term exp(a_j) depends on a_j; all other terms are constants.",
			Answer:  wrongPieces(func(ek, _, sum, same float64) (float64, float64) { return same * ek, sum })},
		{Key: "exchanged", Hint: 2, Message: "Your two results are swapped. Return the derivative of the numerator first.",
			Answer: wrongPieces(func(ek, ej, _, same float64) (float64, float64) { return ej, same * ek })},
		{Key: "identity", Hint: 2,
			Message: "Your derivative of the numerator is 1 for j = k, which is the derivative of a_k. The numerator is exp(a_k).",
			Answer:  wrongPieces(func(_, ej, _, same float64) (float64, float64) { return same, ej })},
		{Key: "divided", Hint: 2,
			Message: "Both pieces are the right pieces divided by S. Return the derivatives themselves; the quotient rule divides them later.",
			Answer:  wrongPieces(func(ek, ej, sum, same float64) (float64, float64) { return same * ek / sum, ej / sum })},
		{Key: "power-rule", Hint: 2,
			Message: "Your pieces contain a·exp(a−1), as if exp(a) were a power. The variable is in the exponent, so the derivative is exp(a) itself.",
			Answer: func(a []float64, k, j int) (float64, float64) {
				e := a[j] * math.Exp(a[j]-1)
				return multiclass.Same(j, k) * e, e
			}},
	},
}

// wrongPieces returns a wrong answer that computes both pieces with f, from exp(a_k), exp(a_j), the
// sum of the exponentials, and I_kj.
func wrongPieces(f func(ek, ej, sum, same float64) (n, d float64)) piecesFunc {
	return func(a []float64, k, j int) (float64, float64) {
		return f(math.Exp(a[k]), math.Exp(a[j]), pair{a: a}.sum(), multiclass.Same(k, j))
	}
}

func init() {
	judge.Known(exercise, question, Check)
	judge.Known(exercise, piecesQuestion, CheckSteps)
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex17", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

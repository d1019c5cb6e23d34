package ex17

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	jacobianFunc = func(a []float64) *mat.Dense
	piecesFunc   = func(a []float64, k, j int) (numerator, denominator float64)
)

var ask = &judge.Question[jacobianFunc, activations]{
	Func: "Jacobian", Name: "Jacobian", Hint: 3, Per: "pair of classes", New: true,
	Ask: func(jacobian jacobianFunc, c *judge.Call, a activations) []float64 {
		j, k := jacobian(c.Slice("a", a)), len(a)
		if bad := telling(a, j); bad != nil {
			c.Say(bad)
		}
		return c.Matrix("J", j, k, k, "K×K")
	},
	Right:  func(a activations) []float64 { return kernel.SoftmaxJacobian(a) },
	Nearly: judge.Wrong{Key: "imprecise", Hint: 3, Message: "Nearly: for {problem} your entries have their first digits right, but not 12 decimal places. Are they finite differences themselves? The formula is exact."},
	Sign:   judge.Wrong{Key: "sign", Hint: 2, Message: "Your signs are turned. An output rises with its own activation."},
	Factor: judge.Wrong{Key: "factor", Hint: 2, Message: "Your matrix is the right one times a number. The outputs are probabilities as they stand: there is no factor in front."},
	Mistakes: []judge.Mistake[jacobianFunc]{
		{Key: "diagonal-only", Hint: 1, Message: "Your diagonal is right and all the rest is 0, as if each output had an activation to itself. The denominator contains all of them: for j ≠ k, y_k falls when a_j rises.",
			Answer: byEntry(func(yk, _, delta float64) float64 { return delta * yk * (1 - yk) })},
		{Key: "off-diagonal-sign", Hint: 2, Message: "Your entries off the diagonal are positive. An output falls when another one's activation rises: the derivative of a denominator brings a minus.",
			Answer: byEntry(func(yk, yj, delta float64) float64 { return delta*yk*(1-yk) + (1-delta)*yk*yj })},
		{Key: "inner-sign", Hint: 2, Message: "You have y_k(I + y_j): the quotient rule has a minus between its two terms.",
			Answer: byEntry(func(yk, yj, delta float64) float64 { return yk * (delta + yj) })},
		{Key: "identity-left-out", Hint: 2, Message: "Every entry is −y_k·y_j: only the denominator was differentiated. For j = k the numerator moves, too.",
			Answer: byEntry(func(yk, yj, _ float64) float64 { return -yk * yj })},
		{Key: "outer-product", Hint: 2, Message: "Every entry is y_k·y_j. That is one of the two terms, with the other sign; where does the numerator's own derivative come in?",
			Answer: byEntry(func(yk, yj, _ float64) float64 { return yk * yj })},
		{Key: "one-for-identity", Hint: 2, Message: "You have y_k(1 − y_j) everywhere. The 1 stands there for j = k only: it is the element I_kj of the identity matrix.",
			Answer: byEntry(func(yk, yj, _ float64) float64 { return yk * (1 - yj) })},
		{Key: "denominator-held-fixed", Hint: 1, Message: "You have y_k on the diagonal and 0 elsewhere: the numerator was differentiated and the denominator held fixed.",
			Answer: byEntry(func(yk, _, delta float64) float64 { return delta * yk })},
		{Key: "log-softmax", Hint: 2, Message: "You have I − y_j: these are the derivatives of ln y_k. A factor y_k is missing.",
			Answer: byEntry(func(_, yj, delta float64) float64 { return delta - yj })},
		{Key: "log-softmax", Hint: 2, Message: "You have I − y_k: these are the derivatives of ln y_j by a_k, the transposed ones of a logarithm. A factor is missing.",
			Answer: byEntry(func(yk, _, delta float64) float64 { return delta - yk })},
		{Key: "squared", Hint: 2, Message: "A factor y_k comes in once too often.",
			Answer: byEntry(func(yk, yj, delta float64) float64 { return yk * yk * (delta - yj) })},
		{Key: "one-index", Hint: 2, Message: "You have y_k(I − y_k): off the diagonal −y_k² stands where two different outputs belong, one for the numerator and one for the activation that moves.",
			Answer: byEntry(func(yk, _, delta float64) float64 { return yk * (delta - yk) })},
		{Key: "one-triangle", Hint: 3, Message: "The diagonal and one triangle are right, the other triangle is 0: a *mat.Dense does not mirror it. Do both loops run over all K classes?",
			Answer: byIndex(func(y []float64, k, j int) float64 { return when(j >= k, entry(y, k, j)) })},
		{Key: "one-triangle", Hint: 3, Message: "The diagonal and one triangle are right, the other triangle is 0: a *mat.Dense does not mirror it. Do both loops run over all K classes?",
			Answer: byIndex(func(y []float64, k, j int) float64 { return when(j <= k, entry(y, k, j)) })},
		{Key: "unnormalised", Hint: 2, Message: "These are the derivatives of e^{a_k} alone: the outputs are divided by the sum of all of them.",
			Answer: of(exps, func(ek, _, delta, _ float64) float64 { return delta * ek })},
		{Key: "square-of-denominator", Hint: 2, Message: "In the second term you divide by the sum once. The quotient rule divides by its square.",
			Answer: of(exps, func(ek, ej, delta, s float64) float64 { return delta*ek/s - ek*ej/s })},
		{Key: "square-of-denominator", Hint: 2, Message: "You divide by the sum once. The quotient rule divides by its square.",
			Answer: of(exps, func(ek, ej, delta, s float64) float64 { return (delta*ek*s - ek*ej) / s })},
		{Key: "sigmoids", Hint: 1, Message: "These are the derivatives of K separate sigmoids. The softmax has one denominator for all outputs.",
			Answer: of(each(kernel.Sigmoid), func(yk, _, delta, _ float64) float64 { return delta * yk * (1 - yk) })},
		{Key: "activation-for-output", Hint: 2, Message: "The formula is applied to the activations a. It is in terms of the outputs y, the softmax of a.",
			Answer: of(each(func(a float64) float64 { return a }), func(ak, aj, delta, _ float64) float64 { return ak * (delta - aj) })},
		{Key: "softmax-twice", Hint: 3, Message: "The softmax was applied twice: your entries belong to the outputs of the outputs.",
			Answer: func(a []float64) *mat.Dense { return jacobian(kernel.Softmax(a)) }},
		{Key: "zero", Hint: 2, Message: "All entries are 0. Was the result never written to, or were the outputs rounded to 0 and 1?",
			Answer: byEntry(func(_, _, _ float64) float64 { return 0 })},
		{Key: "factor", Hint: 2, Message: "Your matrix is the right one divided by K. The outputs are probabilities as they stand: nothing is averaged over the classes.",
			Answer: byIndex(func(y []float64, k, j int) float64 { return entry(y, k, j) / float64(len(y)) })},
	},
}

// telling is the verdict on a form that shows what was thought.
func telling(a activations, j *mat.Dense) *verify.Verdict {
	if j == nil || j.IsEmpty() {
		return nil
	}
	var bad verify.Verdict
	switch r, c := j.Dims(); {
	case len(a) > 1 && r*c == len(a):
		bad = verify.Fail("one-per-class", 1, "You returned one number per class. Every output depends on every activation, through the denominator: that makes K×K derivatives.")
	case math.Max(floats.Max(a), -floats.Min(a)) > 300 && math.IsNaN(0*mat.Sum(j)): // NaN or infinite
		bad = verify.Fail("overflow", 3, "For %v an entry is not a finite number: e^1000 overflows to Inf, e^−1000 underflows to 0, and Inf/Inf and 0/0 are NaN. Taking the same number off all activations changes nothing; which one?", a)
	default:
		return nil
	}
	return &bad
}

// byIndex makes the matrix of f(y, k, j).
func byIndex(f func(y []float64, k, j int) float64) jacobianFunc {
	return func(a []float64) *mat.Dense {
		y := kernel.Softmax(a)
		out := mat.NewDense(len(a), len(a), nil)
		out.Apply(func(k, j int, _ float64) float64 { return f(y, k, j) }, out)
		return out
	}
}

// of makes the matrix of f(v_k, v_j, I_kj, Σ v) of the values v of a.
func of(values func(a []float64) []float64, f func(vk, vj, delta, sum float64) float64) jacobianFunc {
	return func(a []float64) *mat.Dense {
		v, out := values(a), mat.NewDense(len(a), len(a), nil)
		sum := floats.Sum(v)
		out.Apply(func(k, j int, _ float64) float64 { return f(v[k], v[j], when(k == j, 1), sum) }, out)
		return out
	}
}

func byEntry(f func(yk, yj, delta float64) float64) jacobianFunc {
	return of(kernel.Softmax, func(yk, yj, delta, _ float64) float64 { return f(yk, yj, delta) })
}

var jacobian = byIndex(entry)

// entry is y_k(I_kj − y_j).
func entry(y []float64, k, j int) float64 { return y[k] * (when(k == j, 1) - y[j]) }

func when(is bool, v float64) float64 {
	if is {
		return v
	}
	return 0
}

func each(f func(float64) float64) func([]float64) []float64 {
	return func(a []float64) []float64 {
		out := make([]float64, len(a))
		for k, v := range a {
			out[k] = f(v)
		}
		return out
	}
}

var exps = each(math.Exp)

var askPieces = &judge.Question[piecesFunc, pair]{
	Func: "Pieces", Name: "Pieces", Key: "pieces", Hint: 2, Entries: []string{"numerator's derivative", "denominator's derivative"},
	Ask: func(pieces piecesFunc, c *judge.Call, p pair) []float64 {
		n, d := pieces(c.Slice("a", p.a), p.k, p.j)
		return []float64{n, d}
	},
	Right: right,
	Unit:  func(p pair, _ []float64) []float64 { return []float64{math.Exp(p.a[p.k]), math.Exp(p.a[p.j])} },
	Mistakes: []judge.Mistake[piecesFunc]{
		{Key: "numerator-always", Hint: 1, Message: "The numerator's derivative is exp(a_k) for every j. Only a_k occurs in the numerator: for j ≠ k nothing in it moves.",
			Answer: from(func(ek, ej, _ float64, _ bool) (float64, float64) { return ek, ej })},
		{Key: "numerator-j", Hint: 1, Message: "The numerator's derivative is exp(a_j) for every j. Only a_k occurs in the numerator: for j ≠ k nothing in it moves.",
			Answer: from(func(_, ej, _ float64, _ bool) (float64, float64) { return ej, ej })},
		{Key: "numerator-never", Hint: 1, Message: "The numerator's derivative is 0 always. For j = k the numerator moves, too.",
			Answer: from(func(_, ej, _ float64, _ bool) (float64, float64) { return 0, ej })},
		{Key: "denominator-only-own", Hint: 1, Message: "The denominator's derivative is 0 for j ≠ k. Every activation stands in the denominator, whatever k is.",
			Answer: from(func(ek, ej, _ float64, same bool) (float64, float64) { return when(same, ek), when(same, ej) })},
		{Key: "denominator-k", Hint: 2, Message: "The denominator's derivative is exp(a_k). k has nothing to do with the denominator: of its terms the one with a_j moves.",
			Answer: from(func(ek, _, _ float64, same bool) (float64, float64) { return when(same, ek), ek })},
		{Key: "denominator-whole", Hint: 2, Message: "The denominator's derivative is the whole sum. Of its terms only the one with a_j moves; the others are constants.",
			Answer: from(func(ek, _, sum float64, same bool) (float64, float64) { return when(same, ek), sum })},
		{Key: "exchanged", Hint: 2, Message: "The two results are exchanged: the numerator's derivative comes first.",
			Answer: from(func(ek, ej, _ float64, same bool) (float64, float64) { return ej, when(same, ek) })},
		{Key: "identity", Hint: 2, Message: "The numerator's derivative is 1 for j = k: that is the derivative of a_k. The numerator is exp(a_k).",
			Answer: from(func(_, ej, _ float64, same bool) (float64, float64) { return when(same, 1), ej })},
		{Key: "divided", Hint: 2, Message: "Both are divided by S already. These are the derivatives of the pieces; the quotient rule comes after.",
			Answer: from(func(ek, ej, sum float64, same bool) (float64, float64) { return when(same, ek) / sum, ej / sum })},
		{Key: "power-rule", Hint: 2, Message: "exp was differentiated as a power, a·exp(a−1). Its derivative is exp itself: the variable stands in the exponent.",
			Answer: func(a []float64, k, j int) (float64, float64) {
				e := a[j] * math.Exp(a[j]-1)
				return when(j == k, e), e
			}},
	},
}

// from makes a mistake of exp(a_k), exp(a_j), their sum and whether k is j.
func from(f func(ek, ej, sum float64, same bool) (n, d float64)) piecesFunc {
	return func(a []float64, k, j int) (float64, float64) {
		return f(math.Exp(a[k]), math.Exp(a[j]), pair{a: a}.sum(), k == j)
	}
}

func init() {
	judge.Known(exercise, ask, Check)
	judge.Known(exercise, askPieces, CheckSteps)
}

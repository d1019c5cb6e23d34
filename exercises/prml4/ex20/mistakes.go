package ex20

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	hessianFunc = func(W, Phi *mat.Dense) *mat.Dense
	blockFunc   = func(y []float64) *mat.Dense
	spreadFunc  = func(y, s []float64) float64
)

var ask = &judge.Question[hessianFunc, problem]{
	Func: "Hessian", Name: "Hessian", Hint: 3,
	Ask: func(hessian hessianFunc, c *judge.Call, p problem) []float64 {
		h := hessian(c.Dense("W", p.W), c.Dense("Phi", p.Phi))
		c.Say(misshapen(p, h))
		_, m, k := p.Dims()
		return c.Matrix("Hessian", h, m*k, m*k, "MK×MK")
	},
	Right: func(p problem) []float64 { return slices.Clone(p.right) },
	Unit:  func(p problem, _ []float64) []float64 { return p.units },
	Family: func(p problem, h []float64) *verify.Verdict {
		return judge.FailIf(p.sizes.Ridge(h, p.right), "prior", 2,
			"You add a multiple of the identity, as for a Gaussian prior or against singular matrices. E in (4.108) has no such term, and it would hide the flat directions.")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 2,
		Message: "Nearly: for {problem} your Hessian is {off}. Use the exact formula; finite differences, rounded numbers or a number added to a denominator are not accurate enough."},
	Factor: judge.Wrong{Key: "factor", Hint: 3,
		Message: "Your matrix is the Hessian times a constant factor. E in (4.108) has no factor in front of the sums."},
	Mistakes: []judge.Mistake[hessianFunc]{
		{Key: "printed-sign", Answer: by(negative), Hint: 2,
			Message: "This is (4.110) as printed, with a minus in front, which is a misprint. E is convex, so no entry on the diagonal can be negative."},
		{Key: "cross-blocks-left-out", Answer: by(multiclass.DiagonalOnly), Hint: 1,
			Message: "Your diagonal blocks are right, but all others are 0, as if the classes were fitted separately. The denominator of the softmax couples them: ∂y_k/∂a_j is not 0 for j ≠ k."},
		{Key: "cross-sign", Answer: by(multiclass.OffDiagonalSign), Hint: 2,
			Message: "Your cross blocks have the wrong sign. When the activation of one class increases, the outputs of the others decrease."},
		{Key: "diagonal-blocks-left-out",
			Answer: by(func(yk, yj, same float64) float64 { return (same - 1) * yj * yk }), Hint: 2,
			Message: "Your cross blocks are right, but the diagonal blocks are 0. For j = k the factor is y(1 − y)."},
		{Key: "inner-sign", Answer: by(multiclass.InnerSign), Hint: 2,
			Message: "Your factors are y_k(I + y_j). The derivative of the softmax is y_k(I − y_j)."},
		{Key: "identity-left-out", Answer: by(multiclass.IdentityLeftOut), Hint: 2,
			Message: "Your factors are −y_j·y_k. For j = k the numerator of the softmax also depends on a_j, which adds y_k."},
		{Key: "outer-product", Answer: by(multiclass.OuterProduct), Hint: 2,
			Message: "Your factors are y_j·y_k, one of the two terms with the wrong sign."},
		{Key: "one-for-identity", Answer: by(func(yj, yk, _ float64) float64 { return yk * (1 - yj) }), Hint: 2,
			Message: "Your factors are y_k(1 − y_j). The 1 must be I_kj, the element of the identity matrix, which is 0 for j ≠ k."},
		{Key: "one-for-identity", Answer: by(multiclass.OneForIdentity), Hint: 2,
			Message: "Your factors are y_j(1 − y_k). The 1 must be I_kj, the element of the identity matrix, which is 0 for j ≠ k."},
		{Key: "denominator-held-fixed", Answer: by(multiclass.DenominatorHeldFixed), Hint: 1,
			Message: "Your factors are y_k on the diagonal and 0 elsewhere. You did not differentiate the denominator of the softmax."},
		{Key: "factor-left-out", Answer: by(multiclass.LogSoftmaxTransposed), Hint: 2,
			Message: "Your factors are I − y_j, from the derivatives of ln y. The factor y_k is missing."},
		{Key: "factor-left-out", Answer: by(multiclass.LogSoftmax), Hint: 2,
			Message: "Your factors are I − y_k, from the derivatives of ln y. The factor y_j is missing."},
		{Key: "weights-left-out", Answer: by(func(_, _, same float64) float64 { return same }), Hint: 2,
			Message: "This is ΦᵀΦ in every diagonal block, the Hessian of least squares. The derivatives of the softmax are missing."},
		{Key: "sigmoids", Answer: blocks(rows(multiclass.Map(kernel.Sigmoid)), multiclass.DiagonalOnly), Hint: 1,
			Message: "This is the Hessian of K separate two-class models with sigmoids. The softmax has one denominator for all classes."},
		{Key: "fixed-bound", Hint: 2,
			Message: "This is ½(I − 1/K)⊗ΦᵀΦ, an upper bound on the Hessian that some algorithms use in its place. Return the Hessian itself.",
			Answer: func(W, Phi *mat.Dense) *mat.Dense {
				_, k := W.Dims()
				return by(func(_, _, same float64) float64 { return (same - 1/float64(k)) / 2 })(W, Phi)
			}},
		{Key: "softmax-over-points", Answer: blocks(multiclass.OverPoints, multiclass.Softmax), Hint: 2,
			Message: "You apply the softmax over the points, so the outputs of one class sum to 1. Apply it over the classes of each point, so that the outputs of one point sum to 1."},
		{Key: "mixed-order", Answer: mixed(false, true), Hint: 3,
			Message: "Your rows are grouped by classes, but your columns are grouped by features. Either grouping is right, but use the same one for both; only then is the matrix symmetric."},
		{Key: "mixed-order", Answer: mixed(true, false), Hint: 3,
			Message: "Your columns are grouped by classes, but your rows are grouped by features. Either grouping is right, but use the same one for both; only then is the matrix symmetric."},
		{Key: "last-row", Answer: only(multiclass.LastPoint), Hint: 3,
			Message: "Your matrix contains only the last data point, because each point replaces the previous one."},
		{Key: "first-row", Answer: only(multiclass.FirstPoint), Hint: 3,
			Message: "Your matrix contains only the first data point. Your loop returns too early."},
		{Key: "row-forgotten", Answer: only(multiclass.AllButLast), Hint: 3,
			Message: "Your matrix leaves out the last data point. Your loop ends one point too early."},
		{Key: "row-forgotten", Answer: only(multiclass.AllButFirst), Hint: 3,
			Message: "Your matrix leaves out the first data point. Indices start at 0."},
		{Key: "one-triangle",
			Answer: changed(func(i, j, _ int, v float64) float64 { return multiclass.When(i <= j, v) }), Hint: 3,
			Message: "The upper triangle is right, but the lower one is 0. Fill both, because a *mat.Dense does not mirror entries."},
		{Key: "one-triangle",
			Answer: changed(func(i, j, _ int, v float64) float64 { return multiclass.When(i >= j, v) }), Hint: 3,
			Message: "The lower triangle is right, but the upper one is 0. Fill both, because a *mat.Dense does not mirror entries."},
		{Key: "diagonal-only",
			Answer: changed(func(i, j, _ int, v float64) float64 { return multiclass.When(i == j, v) }), Hint: 3,
			Message: "Your diagonal is right, but all other entries are 0. They are the mixed second derivatives."},
		{Key: "zero", Answer: by(multiclass.Zero), Hint: 3,
			Message: "All your entries are 0. Check that you write to the matrix that you return."},
		{Key: "averaged", Answer: changed(func(_, _, n int, v float64) float64 { return v / float64(n) }), Hint: 3,
			Message: "You divide the matrix by N. E in (4.108) is a sum over the data, not a mean, and so is its Hessian."},
		{Key: "averaged",
			Answer: changed(func(_, _, n int, v float64) float64 { return v / math.Max(1, float64(n-1)) }), Hint: 3,
			Message: "You divide the matrix by N − 1. E in (4.108) is a sum over the data, not a mean. N − 1 belongs to an unbiased variance."},
	},
}

// misshapen returns a verdict on a wrong shape that reveals the mistake, or on numbers that are not
// finite at large activations.
func misshapen(p problem, h *mat.Dense) *verify.Verdict {
	if h == nil || h.IsEmpty() {
		return nil
	}
	n, m, k := p.Dims()
	r, c := h.Dims()
	switch {
	case r == m*k && c == r && p.Far() && math.IsNaN(0*mat.Sum(h)): // NaN or infinite
		return judge.Fail("overflow", 3,
			"For %v an entry is not a finite number: e^800 overflows to Inf, e^−800 underflows to 0, and Inf/Inf and 0/0 are NaN. For each point, subtract its largest activation from all its activations first.", p)
	case r != c || r == m*k || k == 1 || m == 1:
	case r == m:
		return judge.Fail("one-block", 1,
			"Your matrix is M×M, a single block. The Hessian has K×K blocks, one for each pair of classes.")
	case r == k:
		return judge.Fail("one-block", 1,
			"Your matrix is K×K. Each pair of classes has a block of M×M second derivatives.")
	case r == m*(k-1):
		return judge.Fail("class-held", 1,
			"Your matrix has M(K−1) rows, as if the weights of one class were fixed at 0. Here all K weight vectors are free.")
	case r == n || r == n*k:
		return judge.Fail("by-points", 1,
			"Your matrix has %d rows, which belong to data points. The second derivatives are with respect to the MK weights and summed over the points.", r)
	}
	return nil
}

// few compares h with the Hessian (4.97) if there are two classes, and with 0 if there is one
// class.
func few(p problem, h []float64) *verify.Verdict {
	_, m, k := p.Dims()
	want := mat.NewDense(m*k, m*k, nil)
	if a := multiclass.Activations(p.W, p.Phi); k == 2 {
		for i := range a.RawMatrix().Rows {
			phi := p.Phi.RawRowView(i)
			v := mat.NewVecDense(2*m, append(slices.Clone(phi), floats.ScaleTo(make([]float64, m), -1, phi)...)) // (φ, −φ)
			want.RankOne(want, kernel.Sigmoid(a.At(i, 0)-a.At(i, 1))*kernel.Sigmoid(a.At(i, 1)-a.At(i, 0)), v, v)
		}
	}
	f := verify.CloseMat(p.sizes.Even(h), p.sizes.Even(want.RawMatrix().Data), verify.Tolerance{Abs: rightTol})
	switch {
	case f.OK:
		return nil
	case k == 1:
		return judge.Fail("one-class", 2,
			"With a single class the output is always 1, so E and its Hessian are 0. Your matrix is %s.",
			f.Off())
	}
	return judge.Fail("two-classes", 2,
		"For %v every block should be ΦᵀRΦ of (4.97) at w₁ − w₂, with plus on the diagonal and minus off it. Your matrix is %s.", p,
		f.Off())
}

var askBlock = &judge.Question[blockFunc, outputs]{
	Func: "Block", Name: "Block", Key: "block", Hint: 2,
	Ask: func(block blockFunc, c *judge.Call, o outputs) []float64 {
		return c.Matrix("block", block(c.Slice("y", o.y)), len(o.y), len(o.y), "K×K")
	},
	Right: func(o outputs) []float64 { return multiclass.Entries(block(o.y)) },
	Unit:  func(_ outputs, right []float64) []float64 { return slices.Repeat([]float64{1}, len(right)) },
	Mistakes: []judge.Mistake[blockFunc]{
		{Key: "printed-sign", Answer: multiclass.Derivative(negative).At, Hint: 2,
			Message: "All your signs are wrong, as printed in (4.110). The first derivatives of the error are y − t, and y_k increases with a_k, so the diagonal is positive."},
		{Key: "off-diagonal-sign", Answer: multiclass.Derivative(multiclass.OffDiagonalSign).At, Hint: 2,
			Message: "Your diagonal is right, but the other entries have the wrong sign. When one activation increases, the other outputs decrease."},
		{Key: "no-identity", Answer: multiclass.Derivative(multiclass.IdentityLeftOut).At, Hint: 2,
			Message: "Only your diagonal is wrong: it is −y_k², because I_kj is missing. It must be y_k(1−y_k)."},
		{Key: "diagonal-only", Answer: multiclass.Derivative(multiclass.DiagonalOnly).At, Hint: 1,
			Message: "Only your diagonal is nonzero. Every output depends on every activation through the denominator of the softmax."},
		{Key: "outputs-on-diagonal", Answer: multiclass.Derivative(multiclass.DenominatorHeldFixed).At, Hint: 2,
			Message: "This is the diagonal matrix of the outputs. The term −y_j y_k, from the denominator of the softmax, is missing."},
		{Key: "sigmoid-everywhere",
			Answer: multiclass.Derivative(func(yj, yk, _ float64) float64 { return yk * (1 - yj) }).At, Hint: 2,
			Message: "Your entries are y_k(1−y_j). The 1 must be I_kj, which is 0 off the diagonal."},
		{Key: "first-derivative",
			Answer: multiclass.Derivative(func(yk, _, same float64) float64 { return yk - same }).At, Hint: 1,
			Message: "These are the first derivatives y_j − t_j, for each class as the target. Differentiate once more; the second derivatives do not depend on the target."},
	},
}

var askSpread = &judge.Question[spreadFunc, outputs]{
	Func: "Spread", Name: "Spread", Key: "spread", Hint: 2,
	Ask: func(spread spreadFunc, c *judge.Call, o outputs) []float64 {
		return []float64{spread(c.Slice("y", o.y), c.Slice("s", o.s))}
	},
	Right: func(o outputs) []float64 { return []float64{quadratic(multiclass.Softmax)(o.y, o.s)} },
	Unit: func(o outputs, _ []float64) []float64 {
		return []float64{moments(func(_, square float64) float64 { return square })(o.y, o.s)}
	},
	Mistakes: []judge.Mistake[spreadFunc]{
		{Key: "plus", Answer: moments(func(mean, square float64) float64 { return square + mean*mean }), Hint: 2,
			Message: "You add the square of the mean. Subtract it, because the entries of B off the diagonal are −y_j y_k."},
		{Key: "mean-of-squares", Answer: moments(func(_, square float64) float64 { return square }), Hint: 2,
			Message: "This is the mean of the squares. The term −y_j y_k of B is missing, which subtracts the square of the mean."},
		{Key: "mean-not-squared", Answer: moments(func(mean, square float64) float64 { return square - mean }), Hint: 2,
			Message: "You subtract the mean. Subtract its square: Σ_j Σ_k y_j s_j y_k s_k is a product of two equal sums."},
		{Key: "diagonal-only", Answer: quadratic(multiclass.DiagonalOnly), Hint: 1,
			Message: "This is Σ y_k(1−y_k)s_k², with only the diagonal of B. Add the products of different classes."},
		{Key: "unweighted", Answer: func(_, s []float64) float64 { return stat.PopVariance(s, nil) }, Hint: 2,
			Message: "This is the variance of the s_k with equal weights. The weights must be the probabilities y_k."},
		{Key: "standard-deviation", Hint: 2, Message: "This is the square root of the right value.",
			Answer: moments(func(mean, square float64) float64 { return math.Sqrt(math.Max(0, square-mean*mean)) })},
		{Key: "centred-once", Answer: func(_, _ []float64) float64 { return 0 }, Hint: 2,
			Message: "This is always 0, because Σ y_k(s_k − mean) vanishes. Average the squares of the differences."},
	},
}

// sign checks that Spread is 0 where all s_k are equal, and never negative.
func sign(o outputs, got []float64) *verify.Verdict {
	switch room := 1e-12 * floats.Dot(o.s, o.s); {
	case floats.Max(o.s) == floats.Min(o.s) && len(o.s) > 1 && !(math.Abs(got[0]) <= room):
		return judge.Fail("spread-not-flat", 2,
			"For %v your Spread is %.3g although all s_k are equal. Adding the same number to all activations changes no output, so it must be 0.", o, got[0])
	case !(got[0] >= -room):
		return judge.Fail("spread-negative", 2,
			"For %v your Spread is %.3g. It is a mean of squares with the probabilities y_k as weights, so it cannot be negative.", o,
			got[0])
	}
	return nil
}

// right returns the Hessian grouped by classes, and block returns the block of one point. negative
// has the minus printed in (4.110).
var (
	right = by(multiclass.Softmax)
	block = multiclass.Derivative(multiclass.Softmax).At
)

func negative(yk, yj, same float64) float64 { return -multiclass.Softmax(yk, yj, same) }

// blocks returns a Hessian with the blocks Σ_n d(outputs of n) φφᵀ. The block in row j and column k
// uses d(y_j, y_k, I_jk).
func blocks(outputs func(W, Phi *mat.Dense) *mat.Dense, d multiclass.Derivative) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense { return multiclass.Hessian(outputs(W, Phi), Phi, d, false) }
}

func rows(softmax func(a []float64) []float64) func(W, Phi *mat.Dense) *mat.Dense {
	return func(W, Phi *mat.Dense) *mat.Dense { return multiclass.Outputs(W, Phi, softmax) }
}

func by(d multiclass.Derivative) hessianFunc { return blocks(rows(kernel.Softmax), d) }

// only returns an answer that uses only the points selected by which.
func only(which func(i, n int) bool) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense { return right(W, multiclass.Only(Phi, which)) }
}

// changed returns an answer that applies f to the right entries and the number of points. mixed
// groups either the rows or the columns by features.
func changed(f func(i, j, n int, v float64) float64) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		h := right(W, Phi)
		h.Apply(func(i, j int, v float64) float64 { return f(i, j, Phi.RawMatrix().Rows, v) }, h)
		return h
	}
}

func mixed(rows, columns bool) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		m, k := W.Dims()
		return reordered(right(W, Phi), k, m, rows, columns)
	}
}

// quadratic returns an answer that computes Σ_jk s_j B_jk s_k with the matrix B of d. moments
// returns an answer that computes f from Σ y_k s_k and Σ y_k s_k².
func quadratic(d multiclass.Derivative) spreadFunc {
	return func(y, s []float64) float64 {
		return gauss.Form(s, d.At(y), s)
	}
}

func moments(f func(mean, square float64) float64) spreadFunc {
	return func(y, s []float64) float64 {
		return f(floats.Dot(y, s), floats.Dot(y, floats.MulTo(make([]float64, len(s)), s, s)))
	}
}

func init() {
	judge.Known(exercise, ask, Check)
	judge.Known(exercise, askBlock,
		func(f blockFunc) *verify.Report { return CheckSteps(f, quadratic(multiclass.Softmax)) })
	judge.Known(exercise, askSpread, func(f spreadFunc) *verify.Report { return CheckSteps(block, f) })
}

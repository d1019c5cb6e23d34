package ex20

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// byOutputs is a mistake in the factor of block (j,k), r(y_j, y_k, I_jk).
func byOutputs(r func(yj, yk, delta float64) float64) func(problem) []float64 {
	return whole(func(p problem) *mat.Dense {
		return p.blocks(func(_, y []float64, j, k int) float64 { return r(y[j], y[k], identity(j, k)) })
	})
}

// whole is a mistaken matrix, for columns of Φ brought to size 1.
func whole(h func(p problem) *mat.Dense) func(problem) []float64 {
	return func(p problem) []float64 { return learner.Entries(p.even(h(p))) }
}

func identity(j, k int) float64 {
	if j == k {
		return 1
	}
	return 0
}

// rows is the Hessian of the points from … to−1 alone.
func rows(which func(n int) (from, to int)) func(problem) []float64 {
	return func(p problem) []float64 {
		n, m, _ := p.dims()
		i, j := which(n)
		if i >= j || j-i == n {
			return nil
		}
		q := p
		q.Phi = mat.DenseCopyOf(p.Phi.Slice(i, j, 0, m))
		return learner.Entries(p.even(q.right()))
	}
}

// keep is the Hessian with the entries that are not kept set to 0.
func keep(where func(i, j int) bool) func(problem) []float64 {
	return whole(func(p problem) *mat.Dense {
		h := p.right()
		h.Apply(func(i, j int, v float64) float64 {
			if where(i, j) {
				return v
			}
			return 0
		}, h)
		return h
	})
}

// byFeature is the place, in the order by classes, of entry i in the order by
// features.
func (p problem) byFeature(i int) int {
	_, m, k := p.dims()
	return i%k*m + i/k
}

// acrossPoints are outputs whose softmax runs over the points, for each class.
func (p problem) acrossPoints(activations [][]float64) [][]float64 {
	n, _, k := p.dims()
	y := make([][]float64, n)
	for i := range y {
		y[i] = make([]float64, k)
	}
	for c := range k {
		column := make([]float64, n)
		for i, a := range activations {
			column[i] = a[c]
		}
		for i, v := range kernel.Softmax(column) {
			y[i][c] = v
		}
	}
	return y
}

var mistakes = []learner.Mistake[problem]{
	{Key: "printed-sign", Hint: 2, Value: byOutputs(func(yj, yk, delta float64) float64 { return -yk * (delta - yj) }),
		Message: "This is (4.110) as it is printed, with a minus in front: a misprint. E is convex, so no entry on the diagonal can be negative, whatever the weights are; with the minus the diagonal blocks for K = 2 would be the negative of (4.97)."},
	{Key: "cross-blocks-left-out", Hint: 1, Value: byOutputs(func(_, yk, delta float64) float64 { return delta * yk * (1 - yk) }),
		Message: "Your diagonal blocks are right and all others are 0, as if the classes were fitted apart. The denominator of the softmax ties them: for j ≠ k the factor is −y_j·y_k."},
	{Key: "cross-sign", Hint: 2, Value: byOutputs(func(yj, yk, delta float64) float64 { return delta*yk*(1-yk) + (1-delta)*yj*yk }),
		Message: "Your cross blocks have the wrong sign: when the activation of one class rises, the outputs of the others fall."},
	{Key: "diagonal-blocks-left-out", Hint: 2, Value: byOutputs(func(yj, yk, delta float64) float64 { return (delta - 1) * yj * yk }),
		Message: "Your cross blocks are right and the diagonal ones are 0. For j = k the factor is y(1 − y)."},
	{Key: "inner-sign", Hint: 2, Value: byOutputs(func(yj, yk, delta float64) float64 { return yk * (delta + yj) }),
		Message: "You have y_k(I + y_j): the derivative of the softmax has a minus there."},
	{Key: "identity-left-out", Hint: 2, Value: byOutputs(func(yj, yk, _ float64) float64 { return -yj * yk }),
		Message: "Every factor is −y_j·y_k: for j = k the numerator of the softmax moves too, which adds y_k."},
	{Key: "outer-product", Hint: 2, Value: byOutputs(func(yj, yk, _ float64) float64 { return yj * yk }),
		Message: "Every factor is y_j·y_k: one of two terms, with the other sign."},
	{Key: "one-for-identity", Hint: 2, Value: byOutputs(func(yj, yk, _ float64) float64 { return yk * (1 - yj) }),
		Message: "You have y_k(1 − y_j) in every block. The 1 stands there for j = k only: it is an element of the identity matrix."},
	{Key: "one-for-identity", Hint: 2, Value: byOutputs(func(yj, yk, _ float64) float64 { return yj * (1 - yk) }),
		Message: "You have y_j(1 − y_k) in every block. The 1 stands there for j = k only: it is an element of the identity matrix."},
	{Key: "denominator-held-fixed", Hint: 1, Value: byOutputs(func(_, yk, delta float64) float64 { return delta * yk }),
		Message: "Your factors are y_k on the diagonal and 0 elsewhere: the denominator of the softmax was held fixed."},
	{Key: "factor-left-out", Hint: 2, Value: byOutputs(func(yj, _, delta float64) float64 { return delta - yj }),
		Message: "Your factors are I − y_j: an output in front is missing. These are derivatives of ln y."},
	{Key: "factor-left-out", Hint: 2, Value: byOutputs(func(_, yk, delta float64) float64 { return delta - yk }),
		Message: "Your factors are I − y_k: an output in front is missing. These are derivatives of ln y."},
	{Key: "weights-left-out", Hint: 2, Value: byOutputs(func(_, _, delta float64) float64 { return delta }),
		Message: "This is ΦᵀΦ in every diagonal block, the Hessian of least squares. The derivatives of the softmax are missing."},
	{Key: "sigmoids", Hint: 1, Value: whole(func(p problem) *mat.Dense {
		return p.blocks(func(a, _ []float64, j, k int) float64 {
			return identity(j, k) * kernel.Sigmoid(a[k]) * kernel.Sigmoid(-a[k])
		})
	}), Message: "This is the Hessian of K separate two-class models with sigmoids. The softmax has one denominator for all classes."},
	{Key: "fixed-bound", Hint: 2, Value: whole(func(p problem) *mat.Dense {
		return p.blocks(func(_, y []float64, j, k int) float64 { return (identity(j, k) - 1/float64(len(y))) / 2 })
	}), Message: "This is ½(I − 1/K)⊗ΦᵀΦ, an upper bound on the Hessian that holds everywhere and is used in its place in some algorithms. Asked for is the Hessian itself."},
	{Key: "softmax-over-points", Hint: 2, Value: whole(func(p problem) *mat.Dense {
		a := p.activations(p.vector())
		return p.blocksOf(a, p.acrossPoints(a), func(_, y []float64, j, k int) float64 { return y[k] * (identity(j, k) - y[j]) })
	}), Message: "Your softmax runs over the points: the outputs of one class sum to 1 over all n. It runs over the classes, for each point by itself: the outputs of one point sum to 1."},
	{Key: "mixed-order", Hint: 3, Value: whole(func(p problem) *mat.Dense {
		h := p.right()
		out := mat.DenseCopyOf(h)
		out.Apply(func(i, j int, _ float64) float64 { return h.At(i, p.byFeature(j)) }, out)
		return out
	}), Message: "Your rows are in the order by classes, and your columns in the order by features. Either order is right, but it must be the same for both: only then is the matrix symmetric."},
	{Key: "mixed-order", Hint: 3, Value: whole(func(p problem) *mat.Dense {
		h := p.right()
		out := mat.DenseCopyOf(h)
		out.Apply(func(i, j int, _ float64) float64 { return h.At(p.byFeature(i), j) }, out)
		return out
	}), Message: "Your columns are in the order by classes, and your rows in the order by features. Either order is right, but it must be the same for both: only then is the matrix symmetric."},
	{Key: "last-row", Hint: 3, Value: rows(func(n int) (int, int) { return n - 1, n }),
		Message: "Only the last data point is in your matrix: each one replaces the one before."},
	{Key: "first-row", Hint: 3, Value: rows(func(int) (int, int) { return 0, 1 }),
		Message: "Only the first data point is in your matrix. Does the loop return too early?"},
	{Key: "row-forgotten", Hint: 3, Value: rows(func(n int) (int, int) { return 0, n - 1 }),
		Message: "The last data point is not in your matrix: does the loop stop one too early?"},
	{Key: "row-forgotten", Hint: 3, Value: rows(func(n int) (int, int) { return 1, n }),
		Message: "The first data point is not in your matrix: indices begin at 0."},
	{Key: "one-triangle", Hint: 3, Value: keep(func(i, j int) bool { return i <= j }),
		Message: "The upper triangle is right and the lower one is 0: a *mat.Dense does not mirror it."},
	{Key: "one-triangle", Hint: 3, Value: keep(func(i, j int) bool { return i >= j }),
		Message: "The lower triangle is right and the upper one is 0: a *mat.Dense does not mirror it."},
	{Key: "diagonal-only", Hint: 3, Value: keep(func(i, j int) bool { return i == j }),
		Message: "The diagonal is right and all the rest is 0. Mixed second derivatives belong to the Hessian too."},
	{Key: "zero", Hint: 3, Value: byOutputs(func(_, _, _ float64) float64 { return 0 }),
		Message: "All entries are 0. Was the result never written to?"},
}

// recognise names the mistake behind a matrix, in the order by classes, that is
// not the Hessian at p.
func recognise(p problem, h *mat.Dense) (verify.Verdict, bool) {
	got, right := learner.Entries(p.even(h)), learner.Entries(p.even(p.right()))
	if v, ok := learner.Recognise(mistakes, p, got); ok {
		return v, true
	}
	if c, ok := learner.Factor(got, right); ok {
		if n, _, _ := p.dims(); n > 1 && math.Abs(math.Abs(c)*float64(n)-1) < 1e-6 {
			return verify.Fail("averaged", 3, "Your matrix is divided by N. E in (4.108) is the sum over the data, not the mean, and so is its Hessian."), true
		}
		return verify.Fail("factor", 3, "Your matrix is the Hessian times one number. E in (4.108) has no factor in front of its sums."), true
	}
	if ridge(h, p.right()) {
		return verify.Fail("prior", 2, "A multiple of the identity is added: the second derivative of a Gaussian prior, or a help against singular matrices. E in (4.108) has no such term, and it would hide the flat directions."), true
	}
	return verify.Verdict{}, false
}

// ridge tells whether h is right plus α on the diagonal, α > 0.
func ridge(h, right *mat.Dense) bool {
	var extra mat.Dense
	extra.Sub(h, right)
	n, _ := extra.Dims()
	alpha := extra.At(0, 0)
	if !(alpha > 0) {
		return false
	}
	for i := range n {
		for j := range n {
			if !(math.Abs(extra.At(i, j)-alpha*identity(i, j)) <= 1e-6*alpha) {
				return false
			}
		}
	}
	return true
}

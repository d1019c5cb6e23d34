package ex15

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A misconception is a matrix that a known mistake leads to.
type misconception struct {
	key     string
	hint    int
	matrix  func(p problem) *mat.Dense
	message string
}

// concave is what a sign turned by the misprint leads to.
const concave = "Your matrix is negative definite: the Hessian of the log likelihood, or a formula adapted to the words of PRML, which calls E concave after (4.98) and in this exercise. That is a misprint: E = −ln p(t|w) curves upwards, it is convex, and has a minimum, not a maximum."

func byWeight(r func(a float64) float64) func(problem) *mat.Dense {
	return func(p problem) *mat.Dense { return p.weighted(r) }
}

// onlyRow is the Hessian of row i(N) alone.
func onlyRow(i func(n int) int) func(problem) *mat.Dense {
	return func(p problem) *mat.Dense {
		n, m := p.Phi.Dims()
		q := p
		q.Phi = mat.NewDense(1, m, append([]float64(nil), p.Phi.RawRowView(i(n))...))
		return q.weighted(weight)
	}
}

// keep is the Hessian with the entries that are not kept set to 0.
func keep(where func(i, j int) bool) func(problem) *mat.Dense {
	return func(p problem) *mat.Dense {
		h := p.weighted(weight)
		h.Apply(func(i, j int, v float64) float64 {
			if where(i, j) {
				return v
			}
			return 0
		}, h)
		return h
	}
}

var misconceptions = []misconception{
	{"negative", 1, byWeight(func(a float64) float64 { return -weight(a) }), concave},
	{"weights-left-out", 2, byWeight(func(float64) float64 { return 1 }),
		"This is ΦᵀΦ, the Hessian of the sum of squares (4.94): the weights R are left out. Which factor does the sigmoid add when ∇E is differentiated once more?"},
	{"y-squared", 2, byWeight(func(a float64) float64 { return math.Pow(sigmoid(a), 2) }),
		"Each point is weighted with y². The derivative of the sigmoid is not the square of it."},
	{"y-only", 2, byWeight(sigmoid),
		"Each point is weighted with y alone: half of the derivative of the sigmoid is missing."},
	{"one-minus-y", 2, byWeight(func(a float64) float64 { return sigmoid(-a) }),
		"Each point is weighted with 1−y alone: half of the derivative of the sigmoid is missing."},
	{"one-minus-y-squared", 2, byWeight(func(a float64) float64 { return math.Pow(sigmoid(-a), 2) }),
		"Each point is weighted with (1−y)². The derivative of the sigmoid is a product of two different factors."},
	{"one-plus-y", 2, byWeight(func(a float64) float64 { return sigmoid(a) * (1 + sigmoid(a)) }),
		"Each point is weighted with y(1+y). Check the sign in the derivative of the sigmoid: it must vanish where y reaches 1."},
	{"weights-squared", 3, byWeight(func(a float64) float64 { return weight(a) * weight(a) }),
		"R comes in twice: (RΦ)ᵀ(RΦ) weights each point with the square of y(1−y). If both factors shall share the weights, each takes the root."},
	{"root-of-weights", 3, byWeight(func(a float64) float64 { return math.Sqrt(weight(a)) }),
		"Each point is weighted with the square root of y(1−y): the root belongs into both factors of the product, or into none."},
	{"sigmoid-left-out", 2, byWeight(func(a float64) float64 { return a * (1 - a) }),
		"Each point is weighted with a(1−a): the activation a = wᵀφ was taken for the output y = σ(a)."},
	{"uses-targets", 2, byWeight(func(a float64) float64 { return math.Pow(sigmoid(-math.Abs(a)), 2) }),
		"Each point is weighted with (y−t)², where t is y rounded to 0 or 1. Products of gradients resemble the Hessian on average; the second derivatives do not depend on targets at all."},
	{"zero-matrix", 2, byWeight(func(float64) float64 { return 0 }),
		"All entries are 0. Weights t(1−t), or y(1−y) with rounded outputs, vanish; the outputs y lie strictly between 0 and 1. Or was the result never written?"},
	{"last-row", 3, onlyRow(func(n int) int { return n - 1 }),
		"Only the last data point is in your matrix: each one replaces the one before. The terms of all points are added."},
	{"first-row", 3, onlyRow(func(int) int { return 0 }),
		"Only the first data point is in your matrix. Does the loop return too early?"},
	{"diagonal-only", 3, keep(func(i, j int) bool { return i == j }),
		"The diagonal is right and all the rest is 0. The mixed second derivatives, products of two different features, belong to the Hessian too."},
	{"one-triangle", 3, keep(func(i, j int) bool { return i <= j }),
		"The upper triangle is right and the lower one is 0: a *mat.Dense does not mirror it. Fill both, or use a mat.SymDense on the way."},
	{"one-triangle", 3, keep(func(i, j int) bool { return i >= j }),
		"The lower triangle is right and the upper one is 0: a *mat.Dense does not mirror it. Fill both, or use a mat.SymDense on the way."},
}

// recognise names the mistake behind a matrix that is not the Hessian at p.
func recognise(p problem, h *mat.Dense) (misconception, bool) {
	for _, m := range misconceptions {
		if same(p.even(h), p.even(m.matrix(p))) {
			return m, true
		}
	}
	right := p.weighted(weight)
	n, m := p.Phi.Dims()
	if n == m && same(h, outer(p)) {
		return misconception{key: "n-by-n", hint: 2, message: "This is a product in the order Φ…Φᵀ, with one row per data point; only because N = M does it have the right shape."}, true
	}
	if c := at(h) / at(right); n > 1 && sameScaled(p, h, right, c) {
		if math.Abs(c*float64(n)-1) < 1e-6 {
			return misconception{key: "averaged", hint: 2, message: "Your matrix is divided by N. E in (4.90) is the sum over the data, not the mean, and so is its Hessian."}, true
		}
		return misconception{key: "factor", hint: 2, message: "Your matrix is the Hessian times one number. E in (4.90) has no factor in front of its sum."}, true
	}
	if ridge(h, right) {
		return misconception{key: "prior", hint: 2, message: "A multiple of the identity is added to the Hessian: the second derivative of a Gaussian prior, or a help against singular matrices. E in (4.90) has no such term, and the flat directions of part 5 would be hidden by it."}, true
	}
	return misconception{}, false
}

func same(a, b *mat.Dense) bool {
	return verify.CloseMat(a, b, verify.Tolerance{Rel: 1e-6}).OK
}

// at is the first diagonal entry.
func at(h *mat.Dense) float64 { return h.At(0, 0) }

func sameScaled(p problem, h, right *mat.Dense, c float64) bool {
	if math.IsNaN(c) || math.IsInf(c, 0) || c == 0 {
		return false
	}
	var scaled mat.Dense
	scaled.Scale(c, right)
	return verify.CloseMat(p.even(h), p.even(&scaled), verify.Tolerance{Rel: 1e-6}).OK
}

// ridge tells whether h is right plus α on the diagonal, α > 0, with or without
// the first entry (a bias without a prior).
func ridge(h, right *mat.Dense) bool {
	m, _ := h.Dims()
	var extra mat.Dense
	extra.Sub(h, right)
	alpha := extra.At(m-1, m-1)
	if !(alpha > 0) {
		return false
	}
	for i := range m {
		for j := range m {
			want := 0.0
			if i == j && (i > 0 || extra.At(0, 0) > alpha/2) {
				want = alpha
			}
			if !(math.Abs(extra.At(i, j)-want) <= 1e-6*alpha) {
				return false
			}
		}
	}
	return true
}

// outer is ΦᵀRΦ with the factors in the wrong order, R^½ΦΦᵀR^½ for N = M.
func outer(p problem) *mat.Dense {
	n, _ := p.Phi.Dims()
	var h mat.Dense
	h.Mul(p.Phi, p.Phi.T())
	a := p.activations(p.w)
	h.Apply(func(i, j int, v float64) float64 { return v * math.Sqrt(weight(a[i])*weight(a[j])) }, mat.DenseCopyOf(h.Slice(0, n, 0, n)))
	return &h
}

package ex20

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
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
		_, m, k := p.dims()
		return c.Matrix("Hessian", h, m*k, m*k, "MK×MK")
	},
	Right:  func(p problem) []float64 { return slices.Clone(p.right) },
	Unit:   func(p problem, _ []float64) []float64 { return p.units },
	Family: ridge,
	Nearly: judge.Wrong{Key: "nearly", Hint: 2, Message: "Nearly: for {problem} you are {off}. Are these differences of the gradient, rounded numbers, or is something added to a denominator? The formula is exact."},
	Factor: judge.Wrong{Key: "factor", Hint: 3, Message: "Your matrix is the Hessian times one number. E in (4.108) has no factor in front of its sums."},
	Mistakes: []judge.Mistake[hessianFunc]{
		{Key: "printed-sign", Hint: 2, Message: "This is (4.110) as it is printed, with a minus in front: a misprint. E is convex, so no entry on the diagonal can be negative, whatever the weights are; with the minus the diagonal blocks for K = 2 would be the negative of (4.97).",
			Answer: byOutputs(func(yj, yk, same float64) float64 { return -yk * (same - yj) })},
		{Key: "cross-blocks-left-out", Hint: 1, Message: "Your diagonal blocks are right and all others are 0, as if the classes were fitted apart. The denominator of the softmax ties them: for j ≠ k the factor is −y_j·y_k.",
			Answer: byOutputs(func(_, yk, same float64) float64 { return same * yk * (1 - yk) })},
		{Key: "cross-sign", Hint: 2, Message: "Your cross blocks have the wrong sign: when the activation of one class rises, the outputs of the others fall.",
			Answer: byOutputs(func(yj, yk, same float64) float64 { return same*yk*(1-yk) + (1-same)*yj*yk })},
		{Key: "diagonal-blocks-left-out", Hint: 2, Message: "Your cross blocks are right and the diagonal ones are 0. For j = k the factor is y(1 − y).",
			Answer: byOutputs(func(yj, yk, same float64) float64 { return (same - 1) * yj * yk })},
		{Key: "inner-sign", Hint: 2, Message: "You have y_k(I + y_j): the derivative of the softmax has a minus there.",
			Answer: byOutputs(func(yj, yk, same float64) float64 { return yk * (same + yj) })},
		{Key: "identity-left-out", Hint: 2, Message: "Every factor is −y_j·y_k: for j = k the numerator of the softmax moves too, which adds y_k.",
			Answer: byOutputs(func(yj, yk, _ float64) float64 { return -yj * yk })},
		{Key: "outer-product", Hint: 2, Message: "Every factor is y_j·y_k: one of two terms, with the other sign.",
			Answer: byOutputs(func(yj, yk, _ float64) float64 { return yj * yk })},
		{Key: "one-for-identity", Hint: 2, Message: "You have y_k(1 − y_j) in every block. The 1 stands there for j = k only: it is an element of the identity matrix.",
			Answer: byOutputs(func(yj, yk, _ float64) float64 { return yk * (1 - yj) })},
		{Key: "one-for-identity", Hint: 2, Message: "You have y_j(1 − y_k) in every block. The 1 stands there for j = k only: it is an element of the identity matrix.",
			Answer: byOutputs(func(yj, yk, _ float64) float64 { return yj * (1 - yk) })},
		{Key: "denominator-held-fixed", Hint: 1, Message: "Your factors are y_k on the diagonal and 0 elsewhere: the denominator of the softmax was held fixed.",
			Answer: byOutputs(func(_, yk, same float64) float64 { return same * yk })},
		{Key: "factor-left-out", Hint: 2, Message: "Your factors are I − y_j: an output in front is missing. These are derivatives of ln y.",
			Answer: byOutputs(func(yj, _, same float64) float64 { return same - yj })},
		{Key: "factor-left-out", Hint: 2, Message: "Your factors are I − y_k: an output in front is missing. These are derivatives of ln y.",
			Answer: byOutputs(func(_, yk, same float64) float64 { return same - yk })},
		{Key: "weights-left-out", Hint: 2, Message: "This is ΦᵀΦ in every diagonal block, the Hessian of least squares. The derivatives of the softmax are missing.",
			Answer: byOutputs(func(_, _, same float64) float64 { return same })},
		{Key: "sigmoids", Hint: 1, Message: "This is the Hessian of K separate two-class models with sigmoids. The softmax has one denominator for all classes.",
			Answer: blocks(each(kernel.Sigmoid), func(y []float64, j, k int) float64 { return identity(j, k) * y[k] * (1 - y[k]) })},
		{Key: "fixed-bound", Hint: 2, Message: "This is ½(I − 1/K)⊗ΦᵀΦ, an upper bound on the Hessian that holds everywhere and is used in its place in some algorithms. Asked for is the Hessian itself.",
			Answer: blocks(softmax, func(y []float64, j, k int) float64 { return (identity(j, k) - 1/float64(len(y))) / 2 })},
		{Key: "softmax-over-points", Hint: 2, Message: "Your softmax runs over the points: the outputs of one class sum to 1 over all n. It runs over the classes, for each point by itself: the outputs of one point sum to 1.",
			Answer: blocks(acrossPoints, func(y []float64, j, k int) float64 { return y[k] * (identity(j, k) - y[j]) })},
		{Key: "mixed-order", Hint: 3, Message: "Your rows are in the order by classes, and your columns in the order by features. Either order is right, but it must be the same for both: only then is the matrix symmetric.",
			Answer: places(func(i, j int, feature func(int) int) (int, int) { return i, feature(j) })},
		{Key: "mixed-order", Hint: 3, Message: "Your columns are in the order by classes, and your rows in the order by features. Either order is right, but it must be the same for both: only then is the matrix symmetric.",
			Answer: places(func(i, j int, feature func(int) int) (int, int) { return feature(i), j })},
		{Key: "last-row", Hint: 3, Message: "Only the last data point is in your matrix: each one replaces the one before.",
			Answer: rows(func(n int) (int, int) { return n - 1, n })},
		{Key: "first-row", Hint: 3, Message: "Only the first data point is in your matrix. Does the loop return too early?",
			Answer: rows(func(int) (int, int) { return 0, 1 })},
		{Key: "row-forgotten", Hint: 3, Message: "The last data point is not in your matrix: does the loop stop one too early?",
			Answer: rows(func(n int) (int, int) { return 0, n - 1 })},
		{Key: "row-forgotten", Hint: 3, Message: "The first data point is not in your matrix: indices begin at 0.",
			Answer: rows(func(n int) (int, int) { return 1, n })},
		{Key: "one-triangle", Hint: 3, Message: "The upper triangle is right and the lower one is 0: a *mat.Dense does not mirror it.",
			Answer: keep(func(i, j int) bool { return i <= j })},
		{Key: "one-triangle", Hint: 3, Message: "The lower triangle is right and the upper one is 0: a *mat.Dense does not mirror it.",
			Answer: keep(func(i, j int) bool { return i >= j })},
		{Key: "diagonal-only", Hint: 3, Message: "The diagonal is right and all the rest is 0. Mixed second derivatives belong to the Hessian too.",
			Answer: keep(func(i, j int) bool { return i == j })},
		{Key: "zero", Hint: 3, Message: "All entries are 0. Was the result never written to?",
			Answer: byOutputs(func(_, _, _ float64) float64 { return 0 })},
		{Key: "averaged", Hint: 3, Message: "Your matrix is divided by N. E in (4.108) is the sum over the data, not the mean, and so is its Hessian.",
			Answer: over(func(n int) float64 { return float64(n) })},
		{Key: "averaged", Hint: 3, Message: "Your matrix is divided by N − 1. E in (4.108) is a sum over the data, not a mean; and N − 1 belongs to an unbiased variance.",
			Answer: over(func(n int) float64 { return math.Max(1, float64(n-1)) })},
	},
}

// misshapen speaks of shapes that tell what was made, and of numbers that are not
// finite far out.
func misshapen(p problem, h *mat.Dense) *verify.Verdict {
	if h == nil || h.IsEmpty() {
		return nil
	}
	n, m, k := p.dims()
	r, c := h.Dims()
	if sum := mat.Sum(h); r == m*k && c == r && (math.IsNaN(sum) || math.IsInf(sum, 0)) {
		top := 0.0
		for _, a := range p.activations(p.vector()) {
			top = math.Max(top, floats.Norm(a, math.Inf(1)))
		}
		if top < 100 {
			return nil // the common wording names the entry
		}
		return judge.Fail("overflow", 3, "For %v an entry is not a finite number: e^800 overflows to Inf, e^−800 underflows to 0, and Inf/Inf and 0/0 are NaN. What may be taken off all activations of one point, and must be found for each point anew?", p)
	}
	if r != c || r == m*k || k == 1 || m == 1 {
		return nil
	}
	var bad verify.Verdict
	switch r {
	case m:
		bad = verify.Fail("one-block", 1, "Your matrix is M×M: one block. There is one for each pair of classes, K×K of them.")
	case k:
		bad = verify.Fail("one-block", 1, "Your matrix is K×K. Each pair of classes has a block of M×M second derivatives.")
	case m * (k - 1):
		bad = verify.Fail("class-held", 1, "Your matrix has M(K−1) rows, as when one class's weights are held at 0. Here all K weight vectors are free.")
	case n, n * k:
		bad = verify.Fail("by-points", 1, "Your matrix has %d rows, which belong to data points. The second derivatives are by the MK weights, summed over the points.", r)
	default:
		return nil
	}
	return &bad
}

var askBlock = &judge.Question[blockFunc, outputs]{
	Func: "Block", Name: "Block", Key: "block", Hint: 2,
	Ask: func(block blockFunc, c *judge.Call, o outputs) []float64 {
		return c.Matrix("block", block(c.Slice("y", o.y)), len(o.y), len(o.y), "K×K")
	},
	Right: func(o outputs) []float64 { return entries(factor)(o.y).RawMatrix().Data },
	Unit:  func(_ outputs, right []float64) []float64 { return slices.Repeat([]float64{1}, len(right)) },
	Mistakes: []judge.Mistake[blockFunc]{
		{Key: "printed-sign", Hint: 2, Message: "All signs are turned, as in (4.110) as printed. The error's first derivatives are y − t, and y_k grows with its own a_k: the diagonal is positive.",
			Answer: entries(func(y []float64, j, k int) float64 { return -factor(y, j, k) })},
		{Key: "off-diagonal-sign", Hint: 2, Message: "The diagonal is right, and beside it the sign is turned: when one activation grows, the other outputs fall.",
			Answer: entries(func(y []float64, j, k int) float64 { return math.Abs(factor(y, j, k)) })},
		{Key: "no-identity", Hint: 2, Message: "Beside the diagonal all is right; on it the I_kj is lost, y_k(1−y_k) and not −y_k².",
			Answer: entries(func(y []float64, j, k int) float64 { return -y[j] * y[k] })},
		{Key: "diagonal-only", Hint: 1, Message: "Only the diagonal is there. Every output depends on every activation, through the denominator of the softmax.",
			Answer: entries(func(y []float64, j, k int) float64 { return identity(j, k) * y[k] * (1 - y[k]) })},
		{Key: "outputs-on-diagonal", Hint: 2, Message: "This is the diagonal matrix of the outputs: the part −y_j y_k, from the denominator of the softmax, is missing.",
			Answer: entries(func(y []float64, j, k int) float64 { return identity(j, k) * y[k] })},
		{Key: "sigmoid-everywhere", Hint: 2, Message: "Every entry is y_k(1−y_j), as if j were k. The 1 is I_kj: it is there on the diagonal alone.",
			Answer: entries(func(y []float64, j, k int) float64 { return y[k] * (1 - y[j]) })},
		{Key: "first-derivative", Hint: 1, Message: "These are the first derivatives y_j − t_j, for each class as the target. They have to be differentiated once more; the targets vanish then.",
			Answer: entries(func(y []float64, j, k int) float64 { return y[j] - identity(j, k) })},
	},
}

var askSpread = &judge.Question[spreadFunc, outputs]{
	Func: "Spread", Name: "Spread", Key: "spread", Hint: 2,
	Ask: func(spread spreadFunc, c *judge.Call, o outputs) []float64 {
		return []float64{spread(c.Slice("y", o.y), c.Slice("s", o.s))}
	},
	Right: func(o outputs) []float64 { return []float64{quadratic(factor)(o.y, o.s)} },
	Unit: func(o outputs, _ []float64) []float64 {
		return []float64{moments(func(_, square float64) float64 { return square })(o.y, o.s)}
	},
	Mistakes: []judge.Mistake[spreadFunc]{
		{Key: "plus", Hint: 2, Message: "The square of the mean is added. It has to be taken off: beside the diagonal of B stands −y_j y_k.",
			Answer: moments(func(mean, square float64) float64 { return square + mean*mean })},
		{Key: "mean-of-squares", Hint: 2, Message: "This is the mean of the squares alone: the part −y_j y_k of B is left out. With it the square of the mean comes off.",
			Answer: moments(func(_, square float64) float64 { return square })},
		{Key: "mean-not-squared", Hint: 2, Message: "The mean is taken off, and not its square: Σ_j Σ_k y_j s_j y_k s_k is a product of two equal sums.",
			Answer: moments(func(mean, square float64) float64 { return square - mean })},
		{Key: "diagonal-only", Hint: 1, Message: "Only the diagonal of B is in it, Σ y_k(1−y_k)s_k². The products of different classes belong to it as well.",
			Answer: quadratic(func(y []float64, j, k int) float64 { return identity(j, k) * y[k] * (1 - y[k]) })},
		{Key: "unweighted", Hint: 2, Message: "This is the variance of the s_k with equal weights. Their weights are the probabilities y_k.",
			Answer: func(y, s []float64) float64 {
				equal := make([]float64, len(y))
				floats.AddConst(1/float64(len(y)), equal)
				return quadratic(factor)(equal, s)
			}},
		{Key: "standard-deviation", Hint: 2, Message: "This is the root of what is asked for.",
			Answer: moments(func(mean, square float64) float64 { return math.Sqrt(math.Max(0, square-mean*mean)) })},
		{Key: "centred-once", Hint: 2, Message: "This is 0, always. Σ y_k(s_k − mean) vanishes; it is the squares of the differences that are averaged.",
			Answer: func(_, _ []float64) float64 { return 0 }},
	},
}

// factor is that of block (j,k) for one point, with all digits of 1 − y.
func factor(y []float64, j, k int) float64 {
	if j != k {
		return -y[j] * y[k]
	}
	rest := 0.0
	for i, v := range y {
		if i != k {
			rest += v
		}
	}
	return y[k] * rest
}

func identity(j, k int) float64 {
	if j == k {
		return 1
	}
	return 0
}

// right is the Hessian, in the order by classes.
func right(W, Phi *mat.Dense) *mat.Dense { return blocks(softmax, factor)(W, Phi) }

// blocks has the blocks Σ_n r(outputs of n, j, k) φφᵀ, the form of the Hessian and of
// most mistakes in it; outputs changes activations, N×K, to outputs.
func blocks(outputs func(A *mat.Dense), r func(y []float64, j, k int) float64) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		m, k := W.Dims()
		var Y mat.Dense
		Y.Mul(Phi, W)
		outputs(&Y)
		h := mat.NewDense(m*k, m*k, nil)
		for i := range Y.RawMatrix().Rows {
			for j := range k {
				for l := range k {
					block := h.Slice(j*m, (j+1)*m, l*m, (l+1)*m).(*mat.Dense)
					block.RankOne(block, r(Y.RawRowView(i), j, l), Phi.RowView(i), Phi.RowView(i))
				}
			}
		}
		return h
	}
}

// byOutputs is a factor r(y_j, y_k, I_jk).
func byOutputs(r func(yj, yk, same float64) float64) hessianFunc {
	return blocks(softmax, func(y []float64, j, k int) float64 { return r(y[j], y[k], identity(j, k)) })
}

func softmax(A *mat.Dense) {
	for i := range A.RawMatrix().Rows {
		A.SetRow(i, kernel.Softmax(A.RawRowView(i)))
	}
}

func acrossPoints(A *mat.Dense) {
	for k := range A.RawMatrix().Cols {
		A.SetCol(k, kernel.Softmax(mat.Col(nil, k, A)))
	}
}

func each(f func(float64) float64) func(A *mat.Dense) {
	return func(A *mat.Dense) { A.Apply(func(_, _ int, a float64) float64 { return f(a) }, A) }
}

// rows is the Hessian of the points from … to−1; over divides it; keep sets entries
// to 0; places takes them from elsewhere, where feature is the place of an entry of
// the order by features.
func rows(which func(n int) (from, to int)) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		n, m := Phi.Dims()
		_, k := W.Dims()
		from, to := which(n)
		if from >= to {
			return mat.NewDense(m*k, m*k, nil)
		}
		return right(W, Phi.Slice(from, to, 0, m).(*mat.Dense))
	}
}

func over(by func(n int) float64) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		h := right(W, Phi)
		h.Scale(1/by(Phi.RawMatrix().Rows), h)
		return h
	}
}

func keep(where func(i, j int) bool) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		h := right(W, Phi)
		h.Apply(func(i, j int, v float64) float64 {
			if where(i, j) {
				return v
			}
			return 0
		}, h)
		return h
	}
}

func places(of func(i, j int, feature func(int) int) (int, int)) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		m, k := W.Dims()
		h := right(W, Phi)
		out := mat.DenseCopyOf(h)
		out.Apply(func(i, j int, _ float64) float64 { return h.At(of(i, j, func(i int) int { return i%k*m + i/k })) }, out)
		return out
	}
}

// entries makes a K×K matrix, quadratic Σ_jk s_j f(y, j, k) s_k, and moments a number
// of Σ y_k s_k and Σ y_k s_k².
func entries(f func(y []float64, j, k int) float64) blockFunc {
	return func(y []float64) *mat.Dense {
		b := mat.NewDense(len(y), len(y), nil)
		b.Apply(func(j, k int, _ float64) float64 { return f(y, j, k) }, b)
		return b
	}
}

func quadratic(f func(y []float64, j, k int) float64) spreadFunc {
	return func(y, s []float64) float64 {
		v := mat.NewVecDense(len(s), s)
		return mat.Inner(v, entries(f)(y), v)
	}
}

func moments(f func(mean, square float64) float64) spreadFunc {
	return func(y, s []float64) float64 {
		mean, square := 0.0, 0.0
		for k := range y {
			mean += y[k] * s[k]
			square += y[k] * s[k] * s[k]
		}
		return f(mean, square)
	}
}

// ridge speaks of a multiple of the identity that is added.
func ridge(p problem, h []float64) *verify.Verdict {
	if !p.sizes().Ridge(h, p.right) {
		return nil
	}
	return judge.Fail("prior", 2, "A multiple of the identity is added: the second derivative of a Gaussian prior, or a help against singular matrices. E in (4.108) has no such term, and it would hide the flat directions.")
}

// answers are the known wrong ones.
func answers() (list []hessianFunc) {
	for _, m := range ask.Mistakes {
		list = append(list, m.Answer)
	}
	return list
}

func init() {
	judge.Known(exercise, ask, Check)
	judge.Known(exercise, askBlock, func(f blockFunc) *verify.Report { return CheckSteps(f, quadratic(factor)) })
	judge.Known(exercise, askSpread, func(f spreadFunc) *verify.Report { return CheckSteps(entries(factor), f) })
}

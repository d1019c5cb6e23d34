package ex18

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type gradientFunc = func(W, Phi, T *mat.Dense) *mat.Dense

var askGradient = &judge.Question[gradientFunc, problem]{
	Func: "Gradient", Name: "gradient", Hint: 3, Per: "weight and class", New: true, Right: problem.right, Unit: problem.units,
	Ask: func(f gradientFunc, c *judge.Call, p problem) []float64 {
		g := f(c.Dense("W", p.W), c.Dense("Phi", p.Phi), c.Dense("T", p.T))
		m, k := p.W.Dims()
		n, _ := p.Phi.Dims()
		if g != nil && !g.IsEmpty() {
			var v verify.Verdict
			switch r, cols := g.Dims(); {
			case m != k && r == k && cols == m:
				v = verify.Fail("transposed", 3, "Your matrix is K×M, one row per class. Asked for is M×K, like W: column j belongs to w_j.")
				c.Say(&v)
			case m != k && r == n && cols == k && n != m:
				v = verify.Fail("not-summed", 3, "Your matrix is N×K, one row per data point. Each residual is multiplied by the features of its point, and the points are summed.")
				c.Say(&v)
			case p.far && !finite(g):
				v = verify.Fail("overflow", 3, "For %v an entry is not a finite number: e^800 overflows to Inf, e^−800 underflows to 0, and Inf/Inf and 0/0 are NaN. (Residuals divided by y and multiplied by it again end the same way.) What may be taken off all activations of a point?", p)
				c.Say(&v)
			}
		}
		return c.Matrix("gradient", g, m, k, "M×K")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 3, Message: "Nearly: for {problem} three digits are right, and not ten. Are they finite differences themselves, or is something rounded or kept away from 0? The formula is exact."},
	Sign:   judge.Wrong{Key: "sign", Hint: 2, Message: "Your matrix is the gradient of the log likelihood, or a multiple of it: T − Y where Y − T belongs. A step against it would lead uphill."},
	Factor: judge.Wrong{Key: "factor", Hint: 2, Message: "Your matrix is the gradient times one number. E in (4.108) has no factor in front of its sums."},
	Mistakes: []judge.Mistake[gradientFunc]{
		{Key: "sign", Hint: 2, Message: "Your matrix is the gradient of the log likelihood: T − Y where Y − T belongs. A step against it would lead uphill.",
			Answer: each(func(y, t float64) float64 { return t - y })},
		{Key: "own-class-only", Hint: 1, Message: "Each point acts on the weights of its own class only, as if output k depended on activation k alone. Through the common denominator every activation moves the true class's output: the chain rule is a sum over k.",
			Answer: each(func(y, t float64) float64 { return t * (y - 1) })},
		{Key: "other-classes-only", Hint: 2, Message: "Each point acts on the classes that it does not belong to, and not on its own. The term k = j of the chain rule is missing.",
			Answer: each(func(y, t float64) float64 { return (1 - t) * y })},
		{Key: "sigmoids", Hint: 2, Message: "Your outputs are K separate sigmoids: one classifier per class. The softmax divides by a sum over all classes.",
			Answer: byActivation(func(a, t float64) float64 { return kernel.Sigmoid(a) - t })},
		{Key: "softmax-left-out", Hint: 2, Message: "Your residual is a − t: the gradient of linear least squares. The outputs are the softmax of the activations.",
			Answer: byActivation(func(a, t float64) float64 { return a - t })},
		{Key: "unnormalised", Hint: 2, Message: "Your outputs are e^a, not divided by their sum.",
			Answer: byActivation(func(a, t float64) float64 { return math.Exp(a) - t })},
		{Key: "softmax-over-points", Hint: 3, Message: "Your softmax runs down the columns, over the data points. It is taken for each point over its classes: along the rows of the N×K activations.",
			Answer: overPoints},
		{Key: "thresholded", Hint: 2, Message: "Your outputs are 0 and 1, the class with the largest activation: the perceptron's. The sum is over probabilities.",
			Answer: pull(func(a, t []float64) []float64 {
				out := make([]float64, len(a))
				out[floats.MaxIdx(a)] = 1
				floats.Sub(out, t)
				return out
			})},
		{Key: "squared-error", Hint: 2, Message: "This is the gradient of the sum of squares ½Σ(y−t)²: the Jacobian of the softmax is left in. In the cross-entropy the derivative of the logarithm cancels against it.",
			Answer: pull(func(a, t []float64) []float64 {
				y, r := kernel.Softmax(a), residual(a, t)
				mean := floats.Dot(y, r)
				for k := range r {
					r[k] = y[k] * (r[k] - mean)
				}
				return r
			})},
		{Key: "factor-left", Hint: 2, Message: "A factor y(1−y) is left in each residual. It cancels against the derivative of the logarithm.",
			Answer: each(func(y, t float64) float64 { return (y - t) * y * (1 - y) })},
		{Key: "chain-rule-stops-at-y", Hint: 2, Message: "Your residual is −t/y: the derivative of E by the outputs. The derivatives of the outputs by the activations are still to come.",
			Answer: each(func(y, t float64) float64 { return -t / y })},
		{Key: "target-left-out", Hint: 2, Message: "The targets are not in your sum: y times φ, where (y − t) times φ belongs.",
			Answer: each(func(y, _ float64) float64 { return y })},
		{Key: "outputs-left-out", Hint: 2, Message: "The outputs are not in your sum: −t times φ, where (y − t) times φ belongs.",
			Answer: each(func(_, t float64) float64 { return -t })},
		{Key: "absolute", Hint: 2, Message: "Your residuals have lost their signs. The true class is pulled, the others are pushed.",
			Answer: each(func(y, t float64) float64 { return math.Abs(y - t) })},
		{Key: "transposed", Hint: 3, Message: "Your matrix is transposed: with M = K the shape still fits. Column j belongs to w_j, row i to weight i.",
			Answer: func(W, Phi, T *mat.Dense) *mat.Dense { return mat.DenseCopyOf(right(W, Phi, T).T()) }},
		{Key: "class-forgotten", Hint: 3, Message: "The last column is 0 and the others are right. Where one class's weights are held at 0 that is so; here all K weight vectors are free.",
			Answer: changed(func(_, _, g *mat.Dense) {
				m, k := g.Dims()
				g.SetCol(k-1, make([]float64, m))
			})},
		{Key: "class-forgotten", Hint: 3, Message: "The first column is 0 and the others are right. All K weight vectors are free, and indices begin at 0.",
			Answer: changed(func(_, _, g *mat.Dense) {
				m, _ := g.Dims()
				g.SetCol(0, make([]float64, m))
			})},
		{Key: "bias-forgotten", Hint: 3, Message: "The first row is 0 and the others are right. A bias is a weight like any other here, and has its derivatives.",
			Answer: changed(func(_, _, g *mat.Dense) { clear(g.RawRowView(0)) })},
		{Key: "prior", Hint: 2, Message: "W itself is added: the gradient of a Gaussian prior. E in (4.108) is the negative log likelihood alone.",
			Answer: changed(func(W, _, g *mat.Dense) { g.Add(g, W) })},
		{Key: "last-row", Hint: 3, Message: "Only the last data point is in your sum: each one replaces the one before.",
			Answer: rows(func(n int) (int, int) { return n - 1, n })},
		{Key: "first-row", Hint: 3, Message: "Only the first data point is in your sum. Does the loop return too early?",
			Answer: rows(func(int) (int, int) { return 0, 1 })},
		{Key: "row-forgotten", Hint: 3, Message: "The last data point is not in your sum: does the loop stop one too early?",
			Answer: rows(func(n int) (int, int) { return 0, n - 1 })},
		{Key: "row-forgotten", Hint: 3, Message: "The first data point is not in your sum: indices begin at 0.",
			Answer: rows(func(n int) (int, int) { return 1, n })},
		{Key: "zero", Hint: 3, Message: "All entries are 0. Was the result never written to?",
			Answer: changed(func(_, _, g *mat.Dense) { g.Zero() })},
		{Key: "averaged", Hint: 2, Message: "Your gradient is divided by N. E in (4.108) is the sum over the data, not the mean, and so is its gradient.",
			Answer: changed(func(_, Phi, g *mat.Dense) { g.Scale(1/float64(Phi.RawMatrix().Rows), g) })},
		{Key: "averaged", Hint: 2, Message: "Your gradient is divided by N·K. E in (4.108) is a sum over data and classes, not a mean, and so is its gradient.",
			Answer: changed(func(W, Phi, g *mat.Dense) { g.Scale(1/float64(Phi.RawMatrix().Rows*W.RawMatrix().Cols), g) })},
		{Key: "classes-reversed", Hint: 3, Message: "The columns come in reverse order. Column j belongs to w_j.",
			Answer: reordered(func(j, k int) int { return k - 1 - j })},
		{Key: "classes-shifted", Hint: 3, Message: "Each column stands one place too far to the right, and the last one first. Column j belongs to w_j.",
			Answer: reordered(func(j, k int) int { return (j + k - 1) % k })},
		{Key: "classes-shifted", Hint: 3, Message: "Each column stands one place too far to the left, and the first one last. Column j belongs to w_j.",
			Answer: reordered(func(j, k int) int { return (j + 1) % k })},
	},
}

// pull is ΦᵀR for the N×K matrix R with rows r(a_n, t_n): the form of the gradient
// and of most mistakes in it.
func pull(r func(a, t []float64) []float64) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		var a, g mat.Dense
		a.Mul(Phi, W)
		n, k := a.Dims()
		R := mat.NewDense(n, k, nil)
		for i := range n {
			R.SetRow(i, r(a.RawRowView(i), T.RawRowView(i)))
		}
		g.Mul(Phi.T(), R)
		return &g
	}
}

// residual is y − t.
func residual(a, t []float64) []float64 {
	y := kernel.Softmax(a)
	floats.Sub(y, t)
	return y
}

func right(W, Phi, T *mat.Dense) *mat.Dense { return pull(residual)(W, Phi, T) }

// each is a mistake in the residual of one class, r(y_k, t_k).
func each(r func(y, t float64) float64) gradientFunc {
	return pull(func(a, t []float64) []float64 {
		y := kernel.Softmax(a)
		for k := range y {
			y[k] = r(y[k], t[k])
		}
		return y
	})
}

// byActivation is a mistake in the residual of one class, from its own activation.
func byActivation(r func(a, t float64) float64) gradientFunc {
	return pull(func(a, t []float64) []float64 {
		out := make([]float64, len(a))
		for k := range a {
			out[k] = r(a[k], t[k])
		}
		return out
	})
}

// changed is the gradient after a change.
func changed(f func(W, Phi, g *mat.Dense)) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		g := right(W, Phi, T)
		f(W, Phi, g)
		return g
	}
}

// reordered has column from(j, K) in place j.
func reordered(from func(j, k int) int) gradientFunc {
	return changed(func(_, _, g *mat.Dense) {
		old := mat.DenseCopyOf(g)
		_, k := g.Dims()
		for j := range k {
			g.SetCol(j, mat.Col(nil, from(j, k), old))
		}
	})
}

// rows is the gradient of some of the data, 0 for none.
func rows(which func(n int) (from, to int)) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		n, m := Phi.Dims()
		_, k := T.Dims()
		i, j := which(n)
		if i == j {
			return mat.NewDense(m, k, nil)
		}
		return right(W, mat.DenseCopyOf(Phi.Slice(i, j, 0, m)), mat.DenseCopyOf(T.Slice(i, j, 0, k)))
	}
}

// overPoints has the softmax along the wrong side of the activations.
func overPoints(W, Phi, T *mat.Dense) *mat.Dense {
	var a, g mat.Dense
	a.Mul(Phi, W)
	_, k := a.Dims()
	for c := range k {
		a.SetCol(c, kernel.Softmax(mat.Col(nil, c, &a)))
	}
	a.Sub(&a, T)
	g.Mul(Phi.T(), &a)
	return &g
}

func init() { judge.Known(exercise, askGradient, Check) }

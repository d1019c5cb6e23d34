package ex18

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type gradientFunc = func(W, Phi, T *mat.Dense) *mat.Dense

var askGradient = &judge.Question[gradientFunc, problem]{
	Func: "Gradient", Name: "gradient", Hint: 3, Per: "weight and class", New: true, Right: right, Unit: units,
	Ask: func(f gradientFunc, c *judge.Call, p problem) []float64 {
		g := f(c.Dense("W", p.W), c.Dense("Phi", p.Phi), c.Dense("T", p.T))
		c.Say(telling(p, g))
		_, m, k := p.Dims()
		return c.Matrix("gradient", g, m, k, "M×K")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 3, Message: "Nearly: for {problem} three digits are right, and not ten. Are they finite differences themselves, or is something rounded or kept away from 0? The formula is exact."},
	Sign:   judge.Wrong{Key: "sign", Hint: 2, Message: "Your matrix is the gradient of the log likelihood, or a multiple of it: T − Y where Y − T belongs. A step against it would lead uphill."},
	Factor: judge.Wrong{Key: "factor", Hint: 2, Message: "Your matrix is the gradient times one number. E in (4.108) has no factor in front of its sums."},
	Mistakes: []judge.Mistake[gradientFunc]{
		{Key: "sign", Answer: pull(multiclass.Reversed), Hint: 2, Message: "Your matrix is the gradient of the log likelihood: T − Y where Y − T belongs. A step against it would lead uphill."},
		{Key: "own-class-only", Answer: pull(multiclass.OwnClassOnly), Hint: 1, Message: "Each point acts on the weights of its own class only, as if output k depended on activation k alone. Through the common denominator every activation moves the true class's output: the chain rule is a sum over k."},
		{Key: "other-classes-only", Answer: pull(multiclass.OtherClassesOnly), Hint: 2, Message: "Each point acts on the classes that it does not belong to, and not on its own. The term k = j of the chain rule is missing."},
		{Key: "sigmoids", Answer: pull(multiclass.Sigmoids), Hint: 2, Message: "Your outputs are K separate sigmoids: one classifier per class. The softmax divides by a sum over all classes."},
		{Key: "softmax-left-out", Answer: pull(multiclass.ActivationsForOutputs), Hint: 2, Message: "Your residual is a − t: the gradient of linear least squares. The outputs are the softmax of the activations."},
		{Key: "unnormalised", Hint: 2, Message: "Your outputs are e^a, not divided by their sum.",
			Answer: pull(multiclass.Each(func(_, t, a float64) float64 { return math.Exp(a) - t }))},
		{Key: "softmax-over-points", Hint: 3, Message: "Your softmax runs down the columns, over the data points. It is taken for each point over its classes: along the rows of the N×K activations.",
			Answer: func(W, Phi, T *mat.Dense) *mat.Dense {
				r, g := multiclass.OverPoints(W, Phi), mat.DenseCopyOf(W)
				r.Sub(r, T)
				g.Mul(Phi.T(), r)
				return g
			}},
		{Key: "thresholded", Answer: pull(multiclass.Thresholded), Hint: 2, Message: "Your outputs are 0 and 1, the class with the largest activation: the perceptron's. The sum is over probabilities."},
		{Key: "squared-error", Answer: pull(multiclass.SquaredError), Hint: 2, Message: "This is the gradient of the sum of squares ½Σ(y−t)²: the Jacobian of the softmax is left in. In the cross-entropy the derivative of the logarithm cancels against it."},
		{Key: "factor-left", Answer: pull(multiclass.FactorLeft), Hint: 2, Message: "A factor y(1−y) is left in each residual. It cancels against the derivative of the logarithm."},
		{Key: "chain-rule-stops-at-y", Answer: pull(multiclass.ByOutputs), Hint: 2, Message: "Your residual is −t/y: the derivative of E by the outputs. The derivatives of the outputs by the activations are still to come."},
		{Key: "target-left-out", Answer: pull(multiclass.TargetsLeftOut), Hint: 2, Message: "The targets are not in your sum: y times φ, where (y − t) times φ belongs."},
		{Key: "outputs-left-out", Answer: pull(multiclass.OutputsLeftOut), Hint: 2, Message: "The outputs are not in your sum: −t times φ, where (y − t) times φ belongs."},
		{Key: "absolute", Hint: 2, Message: "Your residuals have lost their signs. The true class is pulled, the others are pushed.",
			Answer: pull(multiclass.Each(func(y, t, _ float64) float64 { return math.Abs(y - t) }))},
		{Key: "transposed", Hint: 3, Message: "Your matrix is transposed: with M = K the shape still fits. Column j belongs to w_j, row i to weight i.",
			Answer: func(W, Phi, T *mat.Dense) *mat.Dense { return mat.DenseCopyOf(pull(multiclass.Right)(W, Phi, T).T()) }},
		{Key: "class-forgotten", Answer: without(func(k int) int { return k - 1 }), Hint: 3, Message: "The last column is 0 and the others are right. Where one class's weights are held at 0 that is so; here all K weight vectors are free."},
		{Key: "class-forgotten", Answer: without(func(int) int { return 0 }), Hint: 3, Message: "The first column is 0 and the others are right. All K weight vectors are free, and indices begin at 0."},
		{Key: "bias-forgotten", Hint: 3, Message: "The first row is 0 and the others are right. A bias is a weight like any other here, and has its derivatives.",
			Answer: changed(func(_, _, g *mat.Dense) { clear(g.RawRowView(0)) })},
		{Key: "prior", Answer: changed(func(W, _, g *mat.Dense) { g.Add(g, W) }), Hint: 2, Message: "W itself is added: the gradient of a Gaussian prior. E in (4.108) is the negative log likelihood alone."},
		{Key: "last-row", Answer: only(multiclass.LastPoint), Hint: 3, Message: "Only the last data point is in your sum: each one replaces the one before."},
		{Key: "first-row", Answer: only(multiclass.FirstPoint), Hint: 3, Message: "Only the first data point is in your sum. Does the loop return too early?"},
		{Key: "row-forgotten", Answer: only(multiclass.AllButLast), Hint: 3, Message: "The last data point is not in your sum: does the loop stop one too early?"},
		{Key: "row-forgotten", Answer: only(multiclass.AllButFirst), Hint: 3, Message: "The first data point is not in your sum: indices begin at 0."},
		{Key: "zero", Answer: pull(multiclass.Nothing), Hint: 3, Message: "All entries are 0. Was the result never written to?"},
		{Key: "averaged", Hint: 2, Message: "Your gradient is divided by N. E in (4.108) is the sum over the data, not the mean, and so is its gradient.",
			Answer: changed(func(_, Phi, g *mat.Dense) { g.Scale(1/float64(Phi.RawMatrix().Rows), g) })},
		{Key: "averaged", Hint: 2, Message: "Your gradient is divided by N·K. E in (4.108) is a sum over data and classes, not a mean, and so is its gradient.",
			Answer: changed(func(W, Phi, g *mat.Dense) { g.Scale(1/float64(Phi.RawMatrix().Rows*W.RawMatrix().Cols), g) })},
		{Key: "classes-reversed", Answer: reordered(func(j, k int) int { return k - 1 - j }), Hint: 3, Message: "The columns come in reverse order. Column j belongs to w_j."},
		{Key: "classes-shifted", Hint: 3, Message: "Each column stands one place too far to the right, and the last one first. Column j belongs to w_j.",
			Answer: reordered(func(j, k int) int { return (j + k - 1) % k })},
		{Key: "classes-shifted", Answer: reordered(func(j, k int) int { return (j + 1) % k }), Hint: 3, Message: "Each column stands one place too far to the left, and the first one last. Column j belongs to w_j."},
	},
}

// telling is the verdict on a form that shows what was thought.
func telling(p problem, g *mat.Dense) *verify.Verdict {
	if g == nil || g.IsEmpty() {
		return nil
	}
	n, m, k := p.Dims()
	switch r, cols := g.Dims(); {
	case m != k && r == k && cols == m:
		return judge.Fail("transposed", 3, "Your matrix is K×M, one row per class. Asked for is M×K, like W: column j belongs to w_j.")
	case m != k && r == n && cols == k && n != m:
		return judge.Fail("not-summed", 3, "Your matrix is N×K, one row per data point. Each residual is multiplied by the features of its point, and the points are summed.")
	case p.Far() && math.IsNaN(0*mat.Sum(g)): // NaN or infinite
		return judge.Fail("overflow", 3, "For %v an entry is not a finite number: e^800 overflows to Inf, e^−800 underflows to 0, and Inf/Inf and 0/0 are NaN. (Residuals divided by y and multiplied by it again end the same way.) What may be taken off all activations of a point?", p)
	}
	return nil
}

// pull is ΦᵀR with other residuals.
func pull(r multiclass.Residual) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense { return multiclass.Gradient(W, Phi, T, r) }
}

// only is the gradient of some of the data.
func only(keep func(i, n int) bool) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		return multiclass.Gradient(W, multiclass.Only(Phi, keep), T, multiclass.Right)
	}
}

// changed is the gradient after a change.
func changed(f func(W, Phi, g *mat.Dense)) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		g := pull(multiclass.Right)(W, Phi, T)
		f(W, Phi, g)
		return g
	}
}

// without has 0 in column j(K).
func without(j func(k int) int) gradientFunc {
	return changed(func(_, _, g *mat.Dense) {
		m, k := g.Dims()
		g.SetCol(j(k), make([]float64, m))
	})
}

// reordered has column from(j, K) in place j.
func reordered(from func(j, k int) int) gradientFunc {
	return changed(func(_, _, g *mat.Dense) {
		old := mat.DenseCopyOf(g)
		g.Apply(func(i, j int, _ float64) float64 { return old.At(i, from(j, g.RawMatrix().Cols)) }, g)
	})
}

func init() { judge.Known(exercise, askGradient, Check) }

package ex18

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// each is a mistake in the residual of one class, r(y_k, t_k).
func each(r func(y, t float64) float64) func(problem) []float64 {
	return whole(func(a, t []float64) []float64 {
		y := kernel.Softmax(a)
		for k := range y {
			y[k] = r(y[k], t[k])
		}
		return y
	})
}

// whole is a mistake in the residuals of one point.
func whole(r func(a, t []float64) []float64) func(problem) []float64 {
	return func(p problem) []float64 { return learner.Entries(p.pull(r)) }
}

// byActivation is a mistake in the residual of one class, from its own activation.
func byActivation(r func(a, t float64) float64) func(problem) []float64 {
	return whole(func(a, t []float64) []float64 {
		out := make([]float64, len(a))
		for k := range a {
			out[k] = r(a[k], t[k])
		}
		return out
	})
}

// changed is the gradient after a change.
func changed(f func(p problem, g *mat.Dense)) func(problem) []float64 {
	return func(p problem) []float64 {
		g := p.right()
		f(p, g)
		return learner.Entries(g)
	}
}

var mistakes = []learner.Mistake[problem]{
	{Key: "sign", Hint: 2, Value: each(func(y, t float64) float64 { return t - y }),
		Message: "Your matrix is the gradient of the log likelihood: T − Y where Y − T belongs. A step against it would lead uphill."},
	{Key: "own-class-only", Hint: 1, Value: each(func(y, t float64) float64 { return t * (y - 1) }),
		Message: "Each point acts on the weights of its own class only, as if output k depended on activation k alone. Through the common denominator every activation moves the true class's output: the chain rule is a sum over k."},
	{Key: "other-classes-only", Hint: 2, Value: each(func(y, t float64) float64 { return (1 - t) * y }),
		Message: "Each point acts on the classes that it does not belong to, and not on its own. The term k = j of the chain rule is missing."},
	{Key: "sigmoids", Hint: 2, Value: byActivation(func(a, t float64) float64 { return kernel.Sigmoid(a) - t }),
		Message: "Your outputs are K separate sigmoids: one classifier per class. The softmax divides by a sum over all classes."},
	{Key: "softmax-left-out", Hint: 2, Value: byActivation(func(a, t float64) float64 { return a - t }),
		Message: "Your residual is a − t: the gradient of linear least squares. The outputs are the softmax of the activations."},
	{Key: "unnormalised", Hint: 2, Value: byActivation(func(a, t float64) float64 { return math.Exp(a) - t }),
		Message: "Your outputs are e^a, not divided by their sum."},
	{Key: "softmax-over-points", Hint: 3, Value: overPoints,
		Message: "Your softmax runs down the columns, over the data points. It is taken for each point over its classes: along the rows of the N×K activations."},
	{Key: "thresholded", Hint: 2, Value: whole(func(a, t []float64) []float64 {
		out := make([]float64, len(a))
		out[floats.MaxIdx(a)] = 1
		floats.Sub(out, t)
		return out
	}), Message: "Your outputs are 0 and 1, the class with the largest activation: the perceptron's. The sum is over probabilities."},
	{Key: "squared-error", Hint: 2, Value: whole(func(a, t []float64) []float64 {
		y, r := kernel.Softmax(a), residual(a, t)
		mean := floats.Dot(y, r)
		for k := range r {
			r[k] = y[k] * (r[k] - mean)
		}
		return r
	}), Message: "This is the gradient of the sum of squares ½Σ(y−t)²: the Jacobian of the softmax is left in. In the cross-entropy the derivative of the logarithm cancels against it."},
	{Key: "factor-left", Hint: 2, Value: each(func(y, t float64) float64 { return (y - t) * y * (1 - y) }),
		Message: "A factor y(1−y) is left in each residual. It cancels against the derivative of the logarithm."},
	{Key: "chain-rule-stops-at-y", Hint: 2, Value: each(func(y, t float64) float64 { return -t / y }),
		Message: "Your residual is −t/y: the derivative of E by the outputs. The derivatives of the outputs by the activations are still to come."},
	{Key: "target-left-out", Hint: 2, Value: each(func(y, _ float64) float64 { return y }),
		Message: "The targets are not in your sum: y times φ, where (y − t) times φ belongs."},
	{Key: "outputs-left-out", Hint: 2, Value: each(func(_, t float64) float64 { return -t }),
		Message: "The outputs are not in your sum: −t times φ, where (y − t) times φ belongs."},
	{Key: "absolute", Hint: 2, Value: each(func(y, t float64) float64 { return math.Abs(y - t) }),
		Message: "Your residuals have lost their signs. The true class is pulled, the others are pushed."},
	{Key: "transposed", Hint: 3, Value: func(p problem) []float64 {
		if m, k := p.W.Dims(); m != k || m == 1 {
			return nil
		}
		return learner.Entries(mat.DenseCopyOf(p.right().T()))
	}, Message: "Your matrix is transposed: with M = K the shape still fits. Column j belongs to w_j, row i to weight i."},
	{Key: "class-forgotten", Hint: 3, Value: changed(func(_ problem, g *mat.Dense) {
		m, k := g.Dims()
		g.SetCol(k-1, make([]float64, m))
	}), Message: "The last column is 0 and the others are right. Where one class's weights are held at 0 that is so; here all K weight vectors are free."},
	{Key: "class-forgotten", Hint: 3, Value: changed(func(_ problem, g *mat.Dense) {
		m, _ := g.Dims()
		g.SetCol(0, make([]float64, m))
	}), Message: "The first column is 0 and the others are right. All K weight vectors are free, and indices begin at 0."},
	{Key: "bias-forgotten", Hint: 3, Value: changed(func(_ problem, g *mat.Dense) { clear(g.RawRowView(0)) }),
		Message: "The first row is 0 and the others are right. A bias is a weight like any other here, and has its derivatives."},
	{Key: "prior", Hint: 2, Value: changed(func(p problem, g *mat.Dense) { g.Add(g, p.W) }),
		Message: "W itself is added: the gradient of a Gaussian prior. E in (4.108) is the negative log likelihood alone."},
	{Key: "last-row", Hint: 3, Value: func(p problem) []float64 { return learner.Entries(p.only(rows(p) - 1)) },
		Message: "Only the last data point is in your sum: each one replaces the one before."},
	{Key: "first-row", Hint: 3, Value: func(p problem) []float64 { return learner.Entries(p.only(0)) },
		Message: "Only the first data point is in your sum. Does the loop return too early?"},
	{Key: "row-forgotten", Hint: 3, Value: changed(func(p problem, g *mat.Dense) { g.Sub(g, p.only(rows(p)-1)) }),
		Message: "The last data point is not in your sum: does the loop stop one too early?"},
	{Key: "row-forgotten", Hint: 3, Value: changed(func(p problem, g *mat.Dense) { g.Sub(g, p.only(0)) }),
		Message: "The first data point is not in your sum: indices begin at 0."},
	{Key: "zero", Hint: 3, Value: changed(func(_ problem, g *mat.Dense) { g.Zero() }),
		Message: "All entries are 0. Was the result never written to?"},
}

func rows(p problem) int { return p.Phi.RawMatrix().Rows }

// only is the part of the gradient that row n contributes.
func (p problem) only(n int) *mat.Dense {
	q, m, k := p, len(p.Phi.RawRowView(n)), len(p.T.RawRowView(n))
	q.Phi, q.T = mat.NewDense(1, m, p.Phi.RawRowView(n)), mat.NewDense(1, k, p.T.RawRowView(n))
	return q.right()
}

// overPoints has the softmax along the wrong side of the activations.
func overPoints(p problem) []float64 {
	a := p.activations()
	_, k := a.Dims()
	for c := range k {
		a.SetCol(c, kernel.Softmax(mat.Col(nil, c, a)))
	}
	a.Sub(a, p.T)
	var g mat.Dense
	g.Mul(p.Phi.T(), a)
	return learner.Entries(&g)
}

// recognise names the mistake behind a matrix that is not the gradient at p.
func recognise(p problem, g *mat.Dense) (verify.Verdict, bool) {
	got := learner.Entries(g)
	if v, ok := learner.Recognise(mistakes, p, got); ok {
		return v, true
	}
	if c, ok := learner.Factor(got, learner.Entries(p.right())); ok {
		n, k := p.T.Dims()
		for _, by := range []int{n, n * k} {
			if by > 1 && math.Abs(math.Abs(c)*float64(by)-1) < 1e-6 {
				return verify.Fail("averaged", 2, "Your gradient is divided by N (or by N·K). E in (4.108) is the sum over the data, not the mean, and so is its gradient."), true
			}
		}
		return verify.Fail("factor", 2, "Your matrix is the gradient times one number. E in (4.108) has no factor in front of its sums."), true
	}
	return verify.Verdict{}, false
}

package ex05

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// factor is a mistake in what multiplies xxᵀ; f sees a class's output, target and
// score.
func factor(f func(y, r, g float64) float64) func(problem) []float64 {
	return func(p problem) []float64 {
		return flat(p.gather(func(g, r []float64) []float64 {
			y := kernel.Softmax(g)
			for i := range y {
				y[i] = f(y[i], r[i], g[i])
			}
			return y
		}, product))
	}
}

// outer is a mistake in xxᵀ, made of entries f(x_j, x_l, j, l); nil for D = 1, where
// most of them do not show.
func outer(f func(x []float64, j, l int) float64) func(problem) []float64 {
	return func(p problem) []float64 {
		if _, d, _ := p.dims(); d == 1 {
			return nil
		}
		return flat(p.gather(residual, func(x []float64) *mat.Dense {
			m := mat.NewDense(len(x), len(x), nil)
			m.Apply(func(j, l int, _ float64) float64 { return f(x, j, l) }, m)
			return m
		}))
	}
}

// model is the right gradient of a model with something left out of its scores.
func model(change func(p *problem)) func(problem) []float64 {
	return func(p problem) []float64 {
		change(&p)
		return flat(p.gather(residual, product))
	}
}

func zeros(list []*mat.Dense) []*mat.Dense {
	out := make([]*mat.Dense, len(list))
	for i, m := range list {
		r, c := m.Dims()
		out[i] = mat.NewDense(r, c, nil)
	}
	return out
}

var mistakes = []learner.Mistake[problem]{
	{Key: "sign", Hint: 2, Value: factor(func(y, r, _ float64) float64 { return r - y }),
		Message: "Your matrices are −∂E/∂W_i: r − y for y − r. That is what is added in a step of descent, not the gradient."},
	{Key: "diagonal-only", Hint: 2, Value: outer(func(x []float64, j, l int) float64 {
		if j == l {
			return x[j] * x[j]
		}
		return 0
	}), Message: "Only the diagonals are filled: the squares x_j². The entries off the diagonal multiply the products x_j·x_l, and are learned as well."},
	{Key: "doubled-off-diagonal", Hint: 2, Value: outer(func(x []float64, j, l int) float64 {
		if j == l {
			return x[j] * x[j]
		}
		return 2 * x[j] * x[l]
	}), Message: "Your entries off the diagonal are doubled. That is right if W_i is kept symmetric and entry (j, l) stands for (l, j) too, so that moving it moves both. Here every entry is free and moves alone."},
	{Key: "upper-triangle", Hint: 2, Value: outer(func(x []float64, j, l int) float64 {
		if j <= l {
			return x[j] * x[l]
		}
		return 0
	}), Message: "Only the upper triangle is filled. Every entry of W_i is free here, those below the diagonal as well."},
	{Key: "upper-triangle", Hint: 2, Value: outer(func(x []float64, j, l int) float64 {
		switch {
		case j == l:
			return x[j] * x[j]
		case j < l:
			return 2 * x[j] * x[l]
		}
		return 0
	}), Message: "The upper triangle stands for both, with doubled entries. Every entry of W_i is free here, those below the diagonal as well."},
	{Key: "product-left-out", Hint: 1, Value: outer(func([]float64, int, int) float64 { return 1 }),
		Message: "All entries of a matrix are the sum of the residuals: the factor xxᵀ is left out. The derivative of xᵀWx with respect to an entry is the product that the entry multiplies."},
	{Key: "one-factor", Hint: 2, Value: outer(func(x []float64, j, _ int) float64 { return x[j] }),
		Message: "Your entries have a factor x_j only, as for the linear weights. In xᵀWx entry (j, l) multiplies x_j·x_l."},
	{Key: "one-factor", Hint: 2, Value: outer(func(x []float64, _, l int) float64 { return x[l] }),
		Message: "Your entries have a factor x_l only, as for the linear weights. In xᵀWx entry (j, l) multiplies x_j·x_l."},
	{Key: "inner-product", Hint: 2, Value: outer(func(x []float64, j, l int) float64 {
		if j == l {
			return floats.Dot(x, x)
		}
		return 0
	}), Message: "You have xᵀx on the diagonal: a number times the identity. Here stands the outer product xxᵀ, a matrix."},
	{Key: "twice", Hint: 2, Value: factor(func(y, r, _ float64) float64 { return 2 * (y - r) }),
		Message: "Your matrices are twice the gradient. d(wx²)/dw has no 2: the derivative is with respect to the weight, not to x."},
	{Key: "squared-error", Hint: 2, Value: factor(func(y, r, _ float64) float64 { return (y - r) * y * (1 - y) }),
		Message: "A factor y(1 − y) is left, as for the squared error with sigmoids (10.45). With cross-entropy and softmax it cancels."},
	{Key: "own-class-only", Hint: 2, Value: factor(func(y, r, _ float64) float64 { return r * (y - 1) }),
		Message: "Each class learns from its own points alone. Through the common denominator the points of other classes act on it too, with +y."},
	{Key: "targets-left-out", Hint: 2, Value: factor(func(y, _, _ float64) float64 { return y }),
		Message: "The targets are left out: Σ y xxᵀ."},
	{Key: "outputs-left-out", Hint: 2, Value: factor(func(_, r, _ float64) float64 { return -r }),
		Message: "The outputs are left out: −Σ r xxᵀ, and the gradient would never vanish."},
	{Key: "scores-for-outputs", Hint: 2, Value: factor(func(_, r, g float64) float64 { return g - r }),
		Message: "Your residual is g − r, with the discriminants in place of their softmax."},
	{Key: "sigmoids", Hint: 2, Value: factor(func(_, r, g float64) float64 { return kernel.Sigmoid(g) - r }),
		Message: "Your outputs are K separate sigmoids. The classes exclude each other: y is the softmax of all discriminants."},
	{Key: "quadratic-left-out", Hint: 2, Value: model(func(p *problem) { p.W = zeros(p.W) }),
		Message: "Your outputs are those of the linear terms alone: xᵀW_i x is left out of the discriminants."},
	{Key: "linear-left-out", Hint: 2, Value: model(func(p *problem) { p.w, p.w0 = zeros([]*mat.Dense{p.w})[0], make([]float64, len(p.w0)) }),
		Message: "Your outputs are those of the quadratic terms alone: w_iᵀx + w_i0 is left out of the discriminants."},
	{Key: "linear-left-out", Hint: 2, Value: model(func(p *problem) { p.w = zeros([]*mat.Dense{p.w})[0] }),
		Message: "The linear terms w_iᵀx are left out of the discriminants."},
	{Key: "bias-left-out", Hint: 2, Value: model(func(p *problem) { p.w0 = make([]float64, len(p.w0)) }),
		Message: "The biases w_i0 are left out of the discriminants."},
	{Key: "diagonal-model", Hint: 2, Value: model(func(p *problem) {
		W := zeros(p.W)
		for i, m := range W {
			for j := range m.RawMatrix().Rows {
				m.Set(j, j, p.W[i].At(j, j))
			}
		}
		p.W = W
	}), Message: "Your discriminants use the diagonals of W_i only: xᵀW_i x has a term for every pair of inputs."},
	{Key: "last-point", Hint: 3, Value: model(func(p *problem) {
		n, d, k := p.dims()
		p.X, p.R = mat.DenseCopyOf(p.X.Slice(n-1, n, 0, d)), mat.DenseCopyOf(p.R.Slice(n-1, n, 0, k))
	}), Message: "Only the last point counts. Is a matrix overwritten where it should be added to?"},
	{Key: "last-class-fixed", Hint: 2, Value: func(p problem) []float64 {
		out := p.gather(residual, product)
		out[len(out)-1].Zero()
		return flat(out)
	}, Message: "The matrix of the last class is 0, as if it were the reference class of (10.34). Here all K classes have their own weights."},
	{Key: "classes-mixed", Hint: 3, Value: func(p problem) []float64 {
		out := p.gather(residual, product)
		for i := range out {
			out[i] = out[0]
		}
		return flat(out)
	}, Message: "All your matrices are that of the first class. Is one matrix shared, or the class index left out?"},
	{Key: "zero", Hint: 1, Value: func(p problem) []float64 { return flat(zeros(p.W)) },
		Message: "All entries are 0. Was the result never written to?"},
}

// recognise names the mistake behind matrices that are not the gradient at p.
func recognise(p problem, got []*mat.Dense) (verify.Verdict, bool) {
	if v, ok := learner.Recognise(mistakes, p, flat(got)); ok {
		return v, true
	}
	if c, ok := learner.Factor(flat(got), flat(p.gather(residual, product))); ok {
		if n, _, _ := p.dims(); n > 1 && math.Abs(c*float64(n)-1) < 1e-6 {
			return verify.Fail("averaged", 2, "Your matrices are divided by N. E is the sum over the sample, not the mean, and so is its gradient."), true
		}
		return verify.Fail("factor", 2, "Your matrices are the gradient times one number. E has no factor in front of its sum."), true
	}
	return verify.Verdict{}, false
}

package ex05

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
)

type (
	gradientFunc = func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense
	scoreFunc    = func(g, r []float64) []float64
	entriesFunc  = func(x []float64) *mat.Dense
)

// finite reports a fault to c if an entry of v is not finite. The exercise requires finite results
// for scores up to ±1000.
func finite(c *judge.Call, v []float64) {
	if s := floats.Sum(v); math.IsNaN(s - s) {
		c.Say(judge.Fail("overflow", 3,
			"With scores of ±1000 an entry is not a finite number. An exponential that overflows makes Inf/Inf, so first subtract the largest of the K scores from all of them. An output of 0 makes 0/0, so divide by no output."))
	}
}

var ask = &judge.Question[gradientFunc, problem]{
	Func: "GradientW", Name: "gradient", Hint: 3, Per: "entry of the K matrices", New: true,
	Ask: func(gradient gradientFunc, c *judge.Call, p problem) []float64 {
		_, d, k := p.dims()
		W, handed := make([]*mat.Dense, k), make([]*mat.Dense, k)
		for i := range W {
			W[i] = c.Dense(fmt.Sprintf("W[%d]", i), p.W[i])
			handed[i] = W[i]
		}
		got := gradient(W, c.Dense("w", p.w), c.Slice("w0", p.w0), c.Dense("X", p.X), c.Dense("R", p.R))
		for i := range W {
			if W[i] != handed[i] {
				c.Say(judge.Fail("mutates-inputs", 3,
					"Your function replaced a matrix in its argument W, which the caller shares. Make a new slice."))
			}
		}
		switch len(got) {
		case 0:
			c.Say(judge.Fail("empty", 3, "You returned no matrix. Return one matrix of derivatives per class."))
		case k - 1:
			c.Say(judge.Fail("reference-class", 2,
				"You returned K − 1 = %d matrices, as if the last class were a reference class without weights, as in (10.34). Here every class has its own weights: K = %d.", k-1, k))
		case k:
		default:
			c.Say(judge.Fail("wrong-length", 3, "You returned %d matrices, want one for each of the K = %d classes.", len(got), k))
		}
		var out []float64
		for i, m := range got {
			if p.far && m != nil {
				finite(c, m.RawMatrix().Data)
			}
			out = append(out, c.Matrix(fmt.Sprintf("∂E/∂W of class %d", i), m, d, d, "D×D")...)
		}
		return out
	},
	Right: func(p problem) []float64 { return flat(p.gather(multiclass.Right, product)) },
	Unit:  func(p problem, _ []float64) []float64 { return p.sizes() },
	Sign: judge.Wrong{Key: "sign", Hint: 2,
		Message: "Your matrices are a negative number times ∂E/∂W_i. With r − y in place of y − r they are the step of a descent, not the gradient."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your matrices are the gradient times a constant. E has no factor in front of its sum."},
	Mistakes: []judge.Mistake[gradientFunc]{
		{Key: "twice",
			Answer:  slip{residual: multiclass.Each(func(y, r, _ float64) float64 { return 2 * (y - r) })}.answer,
			Hint:    2,
			Message: "Your matrices are twice the gradient. d(wx²)/dw = x² without a factor 2: the derivative is with respect to the weight, not to x."},
		{Key: "averaged", Hint: 2,
			Message: "Your matrices are the gradient divided by N. E, and so its gradient, is the sum over the sample, not the mean.",
			Answer: slip{result: func(list []*mat.Dense, n int) {
				for _, m := range list {
					m.Scale(1/float64(n), m)
				}
			}}.answer},
		{Key: "diagonal-only", Answer: slip{entry: diagonal}.answer, Hint: 2,
			Message: "Your matrices contain only the diagonal entries, the squares x_j². The entries off the diagonal multiply the products x_j·x_l and have derivatives too."},
		{Key: "doubled-off-diagonal", Answer: slip{entry: tied}.answer, Hint: 2,
			Message: "Your entries off the diagonal are doubled. That is right if W_i is symmetric and one number represents both (j, l) and (l, j). Here every entry is free and changes alone."},
		{Key: "upper-triangle",
			Answer:  slip{entry: func(x []float64, j, l int) float64 { return x[j] * x[l] * upper(j, l) }}.answer,
			Hint:    2,
			Message: "Your matrices contain only the upper triangle. Every entry of W_i is free here, including those below the diagonal."},
		{Key: "upper-triangle", Hint: 2,
			Message: "Your upper triangle, with doubled entries, represents both triangles. Every entry of W_i is free here, including those below the diagonal.",
			Answer:  slip{entry: func(x []float64, j, l int) float64 { return tied(x, j, l) * upper(j, l) }}.answer},
		{Key: "product-left-out", Answer: slip{entry: func([]float64, int, int) float64 { return 1 }}.answer, Hint: 1,
			Message: "All entries of each matrix are the sum of the residuals: the factor xxᵀ is missing. The derivative of xᵀWx with respect to an entry is the product that the entry multiplies."},
		{Key: "one-factor", Answer: slip{entry: row}.answer, Hint: 2,
			Message: "Your entries have a factor x_j only, as for the linear weights. In xᵀWx entry (j, l) multiplies x_j·x_l."},
		{Key: "one-factor", Answer: slip{entry: column}.answer, Hint: 2,
			Message: "Your entries have a factor x_l only, as for the linear weights. In xᵀWx entry (j, l) multiplies x_j·x_l."},
		{Key: "inner-product", Hint: 2,
			Message: "Your matrices are xᵀx times the identity. Use the outer product xxᵀ.",
			Answer: slip{entry: func(x []float64, j, l int) float64 {
				return multiclass.Same(j, l) * floats.Dot(x,
					x)
			}}.answer},
		{Key: "squared-error", Answer: slip{residual: multiclass.FactorLeft}.answer, Hint: 2,
			Message: "Your residual contains a factor y(1 − y), as for the squared error with sigmoids (10.45). With cross-entropy and softmax it cancels."},
		{Key: "own-class-only", Answer: slip{residual: multiclass.OwnClassOnly}.answer, Hint: 2,
			Message: "Each class learns only from its own points. The points of other classes contribute +y, because the outputs share a denominator."},
		{Key: "targets-left-out", Answer: slip{residual: multiclass.TargetsLeftOut}.answer, Hint: 2,
			Message: "Your sum is Σ y xxᵀ, without the targets r."},
		{Key: "outputs-left-out", Answer: slip{residual: multiclass.OutputsLeftOut}.answer, Hint: 2,
			Message: "Your sum is −Σ r xxᵀ, without the outputs y. This gradient would never vanish."},
		{Key: "scores-for-outputs", Answer: slip{residual: multiclass.ActivationsForOutputs}.answer, Hint: 2,
			Message: "Your residual is g − r, with the discriminants in place of their softmax."},
		{Key: "sigmoids", Answer: slip{residual: multiclass.Sigmoids}.answer, Hint: 2,
			Message: "Your outputs are K separate sigmoids. The classes exclude each other: y is the softmax of all discriminants."},
		{Key: "quadratic-left-out", Answer: weighing(func(_, _ int) float64 { return 0 }), Hint: 2,
			Message: "Your discriminants contain only the linear terms: xᵀW_i x is missing."},
		{Key: "linear-left-out", Answer: slip{model: func(p *problem) { p.w.Zero(); clear(p.w0) }}.answer, Hint: 2,
			Message: "Your discriminants contain only the quadratic terms: w_iᵀx + w_i0 is missing."},
		{Key: "linear-left-out", Hint: 2, Message: "Your discriminants do not contain the linear terms w_iᵀx.",
			Answer: slip{model: func(p *problem) { p.w.Zero() }}.answer},
		{Key: "bias-left-out", Hint: 2, Message: "Your discriminants do not contain the biases w_i0.",
			Answer: slip{model: func(p *problem) { clear(p.w0) }}.answer},
		{Key: "diagonal-model", Answer: weighing(multiclass.Same), Hint: 2,
			Message: "Your discriminants use the diagonals of W_i only: xᵀW_i x has a term for every pair of inputs."},
		{Key: "symmetric-assumed", Answer: weighing(func(j, l int) float64 { return 1 + upper(j, l) - upper(l, j) }),
			Hint:    2,
			Message: "Your discriminants use W_jl for W_lj as well: they count the entries above the diagonal twice, and ignore the entries below it. W_i need not be symmetric."},
		{Key: "symmetric-assumed", Answer: weighing(func(j, l int) float64 { return 1 - upper(j, l) + upper(l, j) }),
			Hint:    2,
			Message: "Your discriminants use W_lj for W_jl as well: they count the entries below the diagonal twice, and ignore the entries above it. W_i need not be symmetric."},
		{Key: "last-score-zero", Hint: 2,
			Message: "The score of the last class is 0 in your outputs, as for the reference class of (10.34). Here all K classes have their own weights, including the last one.",
			Answer: slip{model: func(p *problem) {
				k := len(p.W) - 1
				p.W[k].Zero()
				p.w.SetCol(k, make([]float64, p.W[k].RawMatrix().Rows))
				p.w0[k] = 0
			}}.answer},
		{Key: "last-point",
			Answer: slip{model: func(p *problem) { p.X = multiclass.Only(p.X, multiclass.LastPoint) }}.answer, Hint: 3,
			Message: "Only the last point contributes. Add the matrices of all points."},
		{Key: "last-class-fixed",
			Answer: slip{result: func(list []*mat.Dense, _ int) { list[len(list)-1].Zero() }}.answer, Hint: 2,
			Message: "The matrix of the last class is 0, as if it were the reference class of (10.34). Here all K classes have their own weights."},
		{Key: "classes-mixed", Hint: 3,
			Message: "All your matrices equal the matrix of the first class. Each class needs a matrix of its own.",
			Answer: slip{result: func(list []*mat.Dense, _ int) {
				for i := range list {
					list[i] = list[0]
				}
			}}.answer},
		{Key: "zero", Answer: slip{residual: multiclass.Nothing}.answer, Hint: 1,
			Message: "All entries are 0."},
	},
}

// of returns a problem with copies of the arguments.
func of(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) problem {
	p := problem{w: mat.DenseCopyOf(w), w0: append([]float64(nil), w0...), X: mat.DenseCopyOf(X), R: mat.DenseCopyOf(R)}
	for _, m := range W {
		p.W = append(p.W, mat.DenseCopyOf(m))
	}
	return p
}

// gather returns Σ_t factor(scores, targets)_i · outer(x). The gradient and most mistakes in it
// have this form.
func (p problem) gather(factor scoreFunc, outer entriesFunc) []*mat.Dense {
	n, d, k := p.dims()
	out := unflat(make([]float64, k*d*d), d, k)
	for t := range n {
		x := p.X.RawRowView(t)
		for i, f := range factor(p.scores(x), p.R.RawRowView(t)) {
			m := outer(x)
			m.Scale(f, m)
			out[i].Add(out[i], m)
		}
	}
	return out
}

// A slip is a wrong computation of the gradient. Each field replaces one part of the right
// computation: the model, the residuals, the entries x_j x_l, or the result for n points. If a
// field is nil, that part is right.
type slip struct {
	model    func(p *problem)
	residual multiclass.Residual
	entry    func(x []float64, j, l int) float64
	result   func(list []*mat.Dense, n int)
}

func (s slip) answer(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
	p, residual, outer := of(W, w, w0, X, R), scoreFunc(multiclass.Right), product
	if s.model != nil {
		s.model(&p)
	}
	if s.residual != nil {
		residual = s.residual
	}
	if s.entry != nil {
		outer = entry(s.entry)
	}
	list := p.gather(residual, outer)
	if s.result != nil {
		s.result(list, X.RawMatrix().Rows)
	}
	return list
}

// weighing returns a wrong answer that multiplies entry (j, l) of every W_i in the model by f(j,
// l).
func weighing(f func(j, l int) float64) gradientFunc {
	return slip{model: func(p *problem) {
		for _, m := range p.W {
			m.Apply(func(j, l int, v float64) float64 { return v * f(j, l) }, m)
		}
	}}.answer
}

var askScore = &judge.Question[scoreFunc, point]{
	Func: "ByScore", Name: "ByScore", Key: "score", Hint: 2, Per: "class",
	Ask: func(byScore scoreFunc, c *judge.Call, p point) []float64 {
		v := byScore(c.Slice("g", p.g), c.Slice("r", p.r))
		if floats.Norm(p.g, math.Inf(1)) > 100 {
			finite(c, v)
		}
		return c.Vector("list of derivatives", v, len(p.g), "class")
	},
	Right: func(p point) []float64 { return multiclass.Right(p.g, p.r) },
	Unit:  func(p point, _ []float64) []float64 { return slices.Repeat([]float64{1}, len(p.g)) },
	Mistakes: []judge.Mistake[scoreFunc]{
		{Key: "own-class", Answer: multiclass.OwnClassOnly, Hint: 2,
			Message: "Only your derivative for the point's own class is not 0. The denominator of the softmax contains the other scores, so the error depends on them too."},
		{Key: "no-target", Answer: multiclass.TargetsLeftOut, Hint: 2,
			Message: "You return the outputs alone; the targets r are missing."},
		{Key: "by-output", Answer: multiclass.ByOutputs, Hint: 2,
			Message: "You return the derivatives with respect to the outputs, −r/y. The derivatives of the outputs with respect to the scores are missing."},
		{Key: "squared-error", Answer: multiclass.FactorLeft, Hint: 2,
			Message: "Your result contains a factor y(1−y) too many: it belongs to squared errors, and cancels for the cross-entropy."},
		{Key: "sigmoids", Answer: multiclass.Sigmoids, Hint: 2,
			Message: "You apply a sigmoid to each score. The outputs are a softmax, which sums to 1."},
		{Key: "scores", Answer: multiclass.ActivationsForOutputs, Hint: 2,
			Message: "You use the scores in place of the outputs: the softmax is missing."},
	},
}

var askEntries = &judge.Question[entriesFunc, input]{
	Func: "ByEntries", Name: "ByEntries", Key: "entries", Hint: 2, Per: "pair of inputs",
	Ask: func(byEntries entriesFunc, c *judge.Call, x input) []float64 {
		return c.Matrix("matrix", byEntries(c.Slice("x", x)), len(x), len(x), "D×D")
	},
	Right: func(x input) []float64 { return product(x).RawMatrix().Data },
	Entry: func(x input, i int) string { return fmt.Sprintf("row %d, column %d", i/len(x), i%len(x)) },
	Mistakes: []judge.Mistake[entriesFunc]{
		{Key: "tied", Answer: entry(tied), Hint: 2,
			Message: "Your entries off the diagonal are doubled, which is right if W_jl and W_lj are one number. Here each entry is free."},
		{Key: "doubled", Answer: entry(func(x []float64, j, l int) float64 { return 2 * x[j] * x[l] }), Hint: 2,
			Message: "Your entries are doubled. The derivative with respect to x contains a 2, but the score is linear in the entries of W."},
		{Key: "diagonal", Answer: entry(diagonal), Hint: 2,
			Message: "Your matrix contains only the diagonal, the squares. The double sum also contains products of different inputs."},
		{Key: "rows", Answer: entry(row), Hint: 2,
			Message: "Each row contains only x_j: the second factor x_l is missing."},
		{Key: "columns", Answer: entry(column), Hint: 2,
			Message: "Each column contains only x_l: the second factor x_j is missing."},
		{Key: "added", Hint: 2, Message: "You add x_j and x_l; the term W_jl x_j x_l multiplies them.",
			Answer: entry(func(x []float64, j, l int) float64 { return x[j] + x[l] })},
		{Key: "trace", Hint: 2, Message: "Every entry is xᵀx, a number. The derivatives are the entries of xxᵀ.",
			Answer: entry(func(x []float64, _, _ int) float64 { return floats.Dot(x, x) })},
	},
}

// entry makes the function that returns a D×D matrix with the entries f(x, j, l). product returns
// the matrix xxᵀ.
func entry(f func(x []float64, j, l int) float64) entriesFunc {
	return func(x []float64) *mat.Dense {
		m := mat.NewDense(len(x), len(x), nil)
		m.Apply(func(j, l int, _ float64) float64 { return f(x, j, l) }, m)
		return m
	}
}

var product = entry(func(x []float64, j, l int) float64 { return x[j] * x[l] })

// tied returns the derivatives if W_jl and W_lj are one number, and diagonal only the diagonal
// ones. row and column return one factor of x_j x_l only. upper returns 1 in the upper triangle
// including the diagonal, and 0 elsewhere.
func tied(x []float64, j, l int) float64     { return x[j] * x[l] * (2 - multiclass.Same(j, l)) }
func diagonal(x []float64, j, l int) float64 { return x[j] * x[l] * multiclass.Same(j, l) }
func row(x []float64, j, _ int) float64      { return x[j] }
func column(x []float64, _, l int) float64   { return x[l] }

func upper(j, l int) float64 { return multiclass.When(j <= l, 1) }

package ex05

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	scoreFunc   = func(g, r []float64) []float64
	entriesFunc = func(x []float64) *mat.Dense
)

// A point has scores and a target.
type point struct{ g, r []float64 }

func (p point) String() string {
	return fmt.Sprintf("the scores %.3g and the class %d (from 0)", p.g, slices.Index(p.r, 1))
}

// err is −ln y of the point's class.
func (p point) err(g []float64) float64 { return kernel.LogSumExp(g) - floats.Dot(g, p.r) }

// points have 2 to 5 classes.
func points() []point {
	r := source(31)
	var out []point
	for _, k := range []int{3, 2, 4, 3, 5, 2} {
		g := instance.Normals(r, k)
		floats.Scale(1.5, g)
		target := make([]float64, k)
		target[r.IntN(k)] = 1
		out = append(out, point{g, target})
	}
	return append(out, point{[]float64{0, 0, 0}, []float64{0, 1, 0}})
}

func farPoints() []point {
	return []point{{[]float64{1000, -1000, 3}, []float64{1, 0, 0}}, {[]float64{1000, -1000, 3}, []float64{0, 1, 0}}, {[]float64{-999, -1000}, []float64{1, 0}}}
}

func scoreStep(byScore scoreFunc) steps.Step[point] {
	// of makes the values of a mistaken formula from y_i, r_i and g_i.
	of := func(f func(y, r, g float64) float64) func(point) []float64 {
		return func(p point) []float64 {
			y := kernel.Softmax(p.g)
			for i := range y {
				y[i] = f(y[i], p.r[i], p.g[i])
			}
			return y
		}
	}
	return steps.Step[point]{
		Name: "ByScore", Key: "score", Hint: 2, Problems: points, Where: point.String,
		Ask: func(p point) ([]float64, *verify.Verdict) {
			var in learner.Inputs
			v := slices.Clone(byScore(in.Slice("g", p.g), in.Slice("r", p.r)))
			if bad := in.Changed(3); bad != nil {
				return nil, bad
			}
			return v, form.Vector("list of derivatives", v, len(p.g), "class", p.String(), 2)
		},
		Routes: []steps.Route[point]{
			{Name: "the chain rule", Tol: 1e-10, Value: of(func(y, r, _ float64) float64 { return y - r })},
			{Name: "the difference quotient of the error", Tol: 1e-6, Value: func(p point) []float64 {
				out := make([]float64, len(p.g))
				for i := range out {
					g := slices.Clone(p.g)
					// The step is taken from 0: one relative to scores of ±1000 would be coarse.
					out[i] = verify.Derivative(func(v float64) float64 { g[i] = p.g[i] + v; return p.err(g) }, 0, 0)
				}
				return out
			}},
		},
		Mistakes: []learner.Mistake[point]{
			{Key: "own-class", Hint: 2, Value: of(func(y, r, _ float64) float64 { return r * (y - 1) }),
				Message: "Only the score of the point's own class has a derivative. The other scores stand in the denominator of the softmax, and move the error, too."},
			{Key: "no-target", Hint: 2, Value: of(func(y, _, _ float64) float64 { return y }),
				Message: "These are the outputs alone: the target is not in it."},
			{Key: "by-output", Hint: 2, Value: of(func(y, r, _ float64) float64 { return -r / y }),
				Message: "These are the derivatives with respect to the outputs, −r/y. The softmax lies between output and score."},
			{Key: "squared-error", Hint: 2, Value: of(func(y, r, _ float64) float64 { return (y - r) * y * (1 - y) }),
				Message: "A factor y(1−y) is too much: it belongs to squared errors, and cancels for the cross-entropy."},
			{Key: "sigmoids", Hint: 2, Value: of(func(_, r, g float64) float64 { return kernel.Sigmoid(g) - r }),
				Message: "Each score has gone through a sigmoid of its own. The outputs are a softmax: they sum to 1."},
			{Key: "scores", Hint: 2, Value: of(func(_, r, g float64) float64 { return g - r }),
				Message: "The scores stand where the outputs belong: the softmax is missing."},
		},
		Right: "They are the derivatives of the error, by the chain rule and by difference quotients, for 2 to 5 classes.",
	}
}

// inputs have 1 to 4 entries.
func inputs() [][]float64 {
	r := source(32)
	return [][]float64{instance.Normals(r, 3), instance.Normals(r, 2), {1.7}, instance.Normals(r, 4), {0, -1.3}}
}

// askEntries calls the learner's function with a copy.
func askEntries(byEntries entriesFunc, x []float64) (*mat.Dense, *verify.Verdict) {
	var in learner.Inputs
	m := byEntries(in.Slice("x", x))
	if bad := in.Changed(3); bad != nil {
		return nil, bad
	}
	if bad := form.Matrix("matrix", m, len(x), len(x), "D×D", fmt.Sprintf("x = %.3g", x), 2); bad != nil {
		return nil, bad
	}
	return mat.DenseCopyOf(m), nil
}

func entriesStep(byEntries entriesFunc) steps.Step[[]float64] {
	of := func(f func(x []float64, j, l int) float64) func([]float64) []float64 {
		return func(x []float64) []float64 {
			var out []float64
			for j := range x {
				for l := range x {
					out = append(out, f(x, j, l))
				}
			}
			return out
		}
	}
	return steps.Step[[]float64]{
		Name: "ByEntries", Key: "entries", Hint: 2, Problems: inputs,
		Where: func(x []float64) string { return fmt.Sprintf("x = %.3g", x) },
		Ask: func(x []float64) ([]float64, *verify.Verdict) {
			m, bad := askEntries(byEntries, x)
			if bad != nil {
				return nil, bad
			}
			return learner.Entries(m), nil
		},
		Routes: []steps.Route[[]float64]{
			{Name: "the double sum", Tol: 1e-10, Value: of(func(x []float64, j, l int) float64 { return x[j] * x[l] })},
			// The score is linear in the entries: a difference with any step is exact.
			{Name: "the change of xᵀWx with one entry", Tol: 1e-9, Value: of(func(x []float64, j, l int) float64 {
				v := mat.NewVecDense(len(x), x)
				w := mat.NewDense(len(x), len(x), nil)
				w.Set(j, l, 1)
				return mat.Inner(v, w, v)
			})},
		},
		Mistakes: []learner.Mistake[[]float64]{
			{Key: "tied", Hint: 2, Value: of(func(x []float64, j, l int) float64 {
				if j == l {
					return x[j] * x[j]
				}
				return 2 * x[j] * x[l]
			}), Message: "Beside the diagonal all is doubled: that is right where W_jl and W_lj are one number. Here each entry is free."},
			{Key: "doubled", Hint: 2, Value: of(func(x []float64, j, l int) float64 { return 2 * x[j] * x[l] }),
				Message: "Everything is doubled. It is the derivative with respect to x that has a 2; in the entries of W the score is linear."},
			{Key: "diagonal", Hint: 2, Value: of(func(x []float64, j, l int) float64 {
				if j == l {
					return x[j] * x[j]
				}
				return 0
			}), Message: "Only the diagonal is there: the squares. The double sum has the products of different inputs, too."},
			{Key: "rows", Hint: 2, Value: of(func(x []float64, j, _ int) float64 { return x[j] }),
				Message: "Each row holds one x_j: the second factor x_l is missing."},
			{Key: "columns", Hint: 2, Value: of(func(x []float64, _, l int) float64 { return x[l] }),
				Message: "Each column holds one x_l: the second factor x_j is missing."},
			{Key: "added", Hint: 2, Value: of(func(x []float64, j, l int) float64 { return x[j] + x[l] }),
				Message: "x_j and x_l are added; in the term W_jl x_j x_l they are multiplied."},
			{Key: "trace", Hint: 2, Value: of(func(x []float64, _, _ int) float64 { return floats.Dot(x, x) }),
				Message: "Every entry is xᵀx, a number. The derivatives are the entries of xxᵀ."},
		},
		Right: "They are the derivatives of the score, by the double sum and by changing one entry at a time.",
	}
}

// judgeChain puts the learner's links together for the points of a problem.
func judgeChain(byScore scoreFunc, byEntries entriesFunc) verify.Verdict {
	for _, p := range problems(source(33)) {
		n, d, k := p.dims()
		sum := make([]*mat.Dense, k)
		for i := range sum {
			sum[i] = mat.NewDense(d, d, nil)
		}
		for t := range n {
			x := p.X.RawRowView(t)
			m, bad := askEntries(byEntries, x)
			if bad != nil {
				return *bad
			}
			g := byScore(p.scores(p.W, x), slices.Clone(p.R.RawRowView(t)))
			if bad := form.Vector("list of derivatives", g, k, "class", p.name, 2); bad != nil {
				return *bad
			}
			for i := range sum {
				var term mat.Dense
				term.Scale(g[i], m)
				sum[i].Add(sum[i], &term)
			}
		}
		if f := verify.Gradient(func(v []float64) float64 { return p.err(unflat(v, d, k)) }, flat(p.W), flat(sum), verify.Tolerance{Abs: 1e-6, Rel: 1e-6}); !f.OK {
			return verify.Fail("chain", 2, "For “%s” your ByScore times your ByEntries, summed over the points, is not ∂E/∂W by differences: %s. The parts above tell which of the two it is.", p.name, f.Off())
		}
	}
	return verify.Pass("Their products, summed over the points, are ∂E/∂W by differences.")
}

package ex05_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex05"
	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	gradientFunc = func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense
	scoreFunc    = func(g, r []float64) []float64
	entriesFunc  = func(x []float64) *mat.Dense
)

func checkScore(f scoreFunc) *verify.Report     { return ex05.CheckSteps(f, ByEntries) }
func checkEntries(f entriesFunc) *verify.Report { return ex05.CheckSteps(ByScore, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex05.Exercise(), gate.Of(ex05.Check, GradientW), gate.Of(checkScore, ByScore),
		gate.Of(checkEntries, ByEntries))
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex05.Check, map[string]gradientFunc{
		"reference": GradientW,
		"XᵀDX, the residuals on the diagonal of D": withSoftmax(kernel.Softmax),
		"central differences of each point's error": fromResiduals(func(g, r []float64, i int) float64 {
			row := slices.Clone(g)
			return verify.Derivative(func(s float64) float64 {
				row[i] = g[i] + s
				return floats.LogSumExp(row) - floats.Dot(row, r)
			}, 0, 0)
		}),
	})
	gate.Right(t, ex05.CheckSteps(ByScore, ByEntries))
}

// fromResiduals returns an answer that computes Σ_t residual_i xxᵀ for every class i. The answer
// computes each residual from the scores and targets of a point.
func fromResiduals(residual func(g, r []float64, i int) float64) gradientFunc {
	return func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
		g := multiclass.Activations(w, X)
		g.Apply(func(t, i int, linear float64) float64 {
			var twice mat.Dense // W + Wᵀ; half of this sum has the same discriminants as W
			twice.Add(W[i], W[i].T())
			return mat.Inner(X.RowView(t), &twice, X.RowView(t))/2 + linear + w0[i]
		}, g)
		out := make([]*mat.Dense, len(W))
		for i := range W {
			var scaled, m mat.Dense
			scaled.Apply(func(t, _ int, v float64) float64 { return v * residual(g.RawRowView(t), R.RawRowView(t), i) },
				X)
			m.Mul(X.T(), &scaled)
			out[i] = &m
		}
		return out
	}
}

// withSoftmax returns an answer that computes the gradient with the given softmax.
func withSoftmax(softmax func(g []float64) []float64) gradientFunc {
	return fromResiduals(func(g, r []float64, i int) float64 { return softmax(g)[i] - r[i] })
}

// TestWrong checks that the report on each wrong answer has a Wrong part with the answer's key. Most
// of these answers are not in the tables of mistakes.
func TestWrong(t *testing.T) {
	after := func(f func(list []*mat.Dense) []*mat.Dense) gradientFunc {
		return func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			return f(GradientW(W, w, w0, X, R))
		}
	}
	each := func(f func(m *mat.Dense)) gradientFunc {
		return after(func(list []*mat.Dense) []*mat.Dense {
			for _, m := range list {
				f(m)
			}
			return list
		})
	}
	scale := func(c float64) gradientFunc { return each(func(m *mat.Dense) { m.Scale(c, m) }) }
	calls, same := 0.0, &mat.Dense{}
	gate.Wrongs(t, ex05.Exercise(), ex05.Check, map[string][]gradientFunc{
		"sign":        {scale(-1), scale(-3)},
		"error-rises": {scale(-3)},
		"factor":      {scale(0.5)},
		"zero":        {scale(0)},
		"overflow":    multiclass.By(withSoftmax, multiclass.Overflowing()[:2]...),
		"tails":       {withSoftmax(multiclass.Clipped(100))},
		"not-symmetric": {each(func(m *mat.Dense) {
			if d, _ := m.Dims(); d > 1 {
				m.Set(0, 1, m.At(0, 1)+1)
			}
		})},
		// this answer omits the last point
		"derivative": {func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			return GradientW(W, w, w0, multiclass.Only(X, multiclass.AllButLast), R)
		}},
		"units":           {each(func(m *mat.Dense) { m.Apply(func(_, _ int, v float64) float64 { return math.Round(1e14*v) / 1e14 }, m) })},
		"features":        {each(func(m *mat.Dense) { m.Set(0, 0, 1.01*m.At(0, 0)) })},
		"in-the-middle":   {scale(0.5)},
		"reference-class": {after(func(list []*mat.Dense) []*mat.Dense { return list[1:] })},
		"wrong-length":    {after(func(list []*mat.Dense) []*mat.Dense { return append(list, list[0]) })},
		"empty":           {after(func(list []*mat.Dense) []*mat.Dense { list[1] = nil; return list })},
		"wrong-shape": {after(func(list []*mat.Dense) []*mat.Dense {
			list[0] = mat.NewDense(1, 7,
				nil)
			return list
		})},
		"not-finite": {scale(math.NaN())},
		"mutates-inputs": {
			func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
				copy(W, GradientW(W, w, w0, X, R))
				return W
			},
		},
		"not-constant": {after(func(list []*mat.Dense) []*mat.Dense {
			calls++
			list[0].Set(0, 0,
				calls)
			return list
		})},
		"not-new": {after(func(list []*mat.Dense) []*mat.Dense { same.CloneFrom(list[0]); list[0] = same; return list })},
	})
	residual := func(softmax func(g []float64) []float64) scoreFunc {
		return func(g, r []float64) []float64 { return floats.SubTo(make([]float64, len(g)), softmax(g), r) }
	}
	gate.Wrongs(t, ex05.Exercise(), checkScore, map[string][]scoreFunc{
		"chain":        {multiclass.OwnClassOnly},
		"score-sign":   {multiclass.Reversed},
		"score-factor": {multiclass.Each(func(y, r, _ float64) float64 { return (y - r) / 2 })},
		"score-nearly": {multiclass.Each(func(y, r, _ float64) float64 { return 1.00001 * (y - r) })},
		"score-value": {multiclass.Each(func(y, r, _ float64) float64 { return math.Log(y+1e-9) - r }),
			residual(multiclass.Clipped(100))},
		"score-in-the-middle": {multiclass.TargetsLeftOut},
		"overflow":            multiclass.By(residual, multiclass.Overflowing()[:2]...),
	})
	times := func(c float64) entriesFunc {
		return func(x []float64) *mat.Dense { m := ByEntries(x); m.Scale(c, m); return m }
	}
	gate.Wrongs(t, ex05.Exercise(), checkEntries, map[string][]entriesFunc{
		"chain":          {times(2)},
		"entries-sign":   {times(-1)},
		"entries-factor": {times(0.5)},
		"entries-value":  {func(x []float64) *mat.Dense { m := ByEntries(x); m.Set(0, 0, 1); return m }},
	})
}

// TestTitles checks that the titles of the parts do not reveal the answer to the task on paper,
// because a learner sees the titles before trying an answer.
func TestTitles(t *testing.T) {
	todo := func([]*mat.Dense, *mat.Dense, []float64, *mat.Dense, *mat.Dense) []*mat.Dense { panic(verify.TODO) }
	for _, p := range ex05.Check(todo).Parts {
		for _, word := range []string{"x_j", "features", "linear", "stay symmetric"} {
			if strings.Contains(p.Name, word) {
				t.Errorf("the title %q contains %q, want a title that does not reveal the answer", p.Name, word)
			}
		}
	}
}

func ExampleCheck() {
	fmt.Println(ex05.Check(withSoftmax(multiclass.Map(kernel.Sigmoid))).Parts[1].Key)
	// Output: sigmoids
}

/*
Equivalent mutants

GradientW: y[i] = mat.Inner(x, W[i], x) + mat.Dot(w.ColView(i), x) + w0[i] → y[i] = mat.Inner(x, W[i].T(), x) + mat.Dot(w.ColView(i), x) + w0[i]
    xᵀWᵀx = xᵀWx, because a number is its own transpose.
*/

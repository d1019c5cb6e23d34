package ex05_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex05"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
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
	gate.Known(t, ex05.Exercise())
	gate.Function(t, ex05.Exercise(), ex05.Check, GradientW)
	gate.Function(t, ex05.Exercise(), checkScore, ByScore)
	gate.Function(t, ex05.Exercise(), checkEntries, ByEntries)
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex05.Check, map[string]gradientFunc{
		"reference":                    GradientW,
		"XᵀDX with diagonal residuals": with(softmax),
		"linear softmax on products":   products,
		"symmetrised and mirrored":     mirrored,
		"central differences of E":     numerical,
	})
	gate.Rights(t, checkScore, map[string]scoreFunc{
		"y − r": func(g, r []float64) []float64 { return floats.SubTo(make([]float64, len(g)), softmax(g), r) },
		"with the Jacobian of the softmax": func(g, r []float64) []float64 {
			y, out := softmax(g), make([]float64, len(g))
			for i := range g {
				for k := range g {
					out[i] += r[k] * y[i] // −r_k/y_k · y_k(δ − y_i): y_k cancels before it can be 0
				}
				out[i] -= r[i]
			}
			return out
		},
	})
	gate.Rights(t, checkEntries, map[string]entriesFunc{
		"two loops": func(x []float64) *mat.Dense {
			m := mat.NewDense(len(x), len(x), nil)
			for j := range x {
				for l := range x {
					m.Set(j, l, x[j]*x[l])
				}
			}
			return m
		},
		"column times row": func(x []float64) *mat.Dense {
			column := mat.NewDense(len(x), 1, append([]float64(nil), x...))
			var m mat.Dense
			m.Mul(column, column.T())
			return &m
		},
	})
}

// discriminants is N×K, by loops.
func discriminants(W []*mat.Dense, w *mat.Dense, w0 []float64, X *mat.Dense) *mat.Dense {
	n, d := X.Dims()
	g := mat.NewDense(n, len(W), nil)
	for t := range n {
		for i := range W {
			s := w0[i]
			for j := range d {
				s += w.At(j, i) * X.At(t, j)
				for l := range d {
					s += X.At(t, j) * W[i].At(j, l) * X.At(t, l)
				}
			}
			g.Set(t, i, s)
		}
	}
	return g
}

func softmax(g []float64) []float64 { return shifted(floats.Max(g))(g) }

// shifted takes by off all scores.
func shifted(by float64) func(g []float64) []float64 {
	return func(g []float64) []float64 {
		y := make([]float64, len(g))
		for i, v := range g {
			y[i] = math.Exp(v - by)
		}
		floats.Scale(1/floats.Sum(y), y)
		return y
	}
}

// first takes the first score off all, wherever the largest is.
func first(g []float64) []float64 { return shifted(g[0])(g) }

// clipped cuts scores off at ±100.
func clipped(g []float64) []float64 {
	c := make([]float64, len(g))
	for i, v := range g {
		c[i] = math.Max(-100, math.Min(100, v))
	}
	return softmax(c)
}

// with is the gradient with another softmax.
func with(soft func(g []float64) []float64) gradientFunc {
	return func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
		n, _ := X.Dims()
		g := discriminants(W, w, w0, X)
		var out []*mat.Dense
		for i := range W {
			scaled := mat.DenseCopyOf(X)
			for t := range n {
				floats.Scale(soft(g.RawRowView(t))[i]-R.At(t, i), scaled.RawRowView(t))
			}
			var m mat.Dense
			m.Mul(X.T(), scaled)
			out = append(out, &m)
		}
		return out
	}
}

// products learns a linear softmax on (x_j x_l, x_j, 1) and keeps the first part.
func products(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
	n, d := X.Dims()
	k := len(W)
	phi, v := mat.NewDense(n, d*d+d+1, nil), mat.NewDense(d*d+d+1, k, nil)
	for j := range d {
		for t := range n {
			for l := range d {
				phi.Set(t, j*d+l, X.At(t, j)*X.At(t, l))
			}
			phi.Set(t, d*d+j, X.At(t, j))
			phi.Set(t, d*d+d, 1)
		}
		for i := range k {
			for l := range d {
				v.Set(j*d+l, i, W[i].At(j, l))
			}
			v.Set(d*d+j, i, w.At(j, i))
			v.Set(d*d+d, i, w0[i])
		}
	}
	var y, gradient mat.Dense
	y.Mul(phi, v)
	for t := range n {
		y.SetRow(t, softmax(y.RawRowView(t)))
	}
	y.Sub(&y, R)
	gradient.Mul(phi.T(), &y)
	out := make([]*mat.Dense, k)
	for i := range out {
		out[i] = mat.NewDense(d, d, mat.Col(nil, i, &gradient)[:d*d])
	}
	return out
}

// mirrored uses that xᵀWx sees the symmetric part only, and fills one triangle.
func mirrored(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
	half := make([]*mat.Dense, len(W))
	for i, m := range W {
		var s mat.Dense
		s.Add(m, m.T())
		s.Scale(0.5, &s)
		half[i] = &s
	}
	out := with(softmax)(half, w, w0, X, R)
	for _, m := range out {
		d, _ := m.Dims()
		for j := range d {
			for l := range j {
				m.Set(j, l, m.At(l, j))
			}
		}
	}
	return out
}

// numerical takes differences of each point's error, a step of the score's size.
func numerical(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
	n, d := X.Dims()
	g := discriminants(W, w, w0, X)
	out := make([]*mat.Dense, len(W))
	for i := range W {
		out[i] = mat.NewDense(d, d, nil)
		for t := range n {
			row := append([]float64(nil), g.RawRowView(t)...)
			x := mat.NewVecDense(d, mat.Row(nil, t, X))
			slope := verify.Derivative(func(s float64) float64 {
				row[i] = g.At(t, i) + s
				return floats.LogSumExp(row) - floats.Dot(row, R.RawRowView(t))
			}, 0, 0)
			out[i].RankOne(out[i], slope, x, x)
		}
	}
	return out
}

// TestWrong: answers that the tables of mistakes do not hold, by key.
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
		"overflow":    {with(shifted(0)), with(first)},
		"tails":       {with(clipped)},
		"not-symmetric": {each(func(m *mat.Dense) {
			if d, _ := m.Dims(); d > 1 {
				m.Set(0, 1, m.At(0, 1)+1)
			}
		})},
		"derivative": {func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense { // without the last point
			n, d := X.Dims()
			return GradientW(W, w, w0, mat.DenseCopyOf(X.Slice(0, max(1, n-1), 0, d)), mat.DenseCopyOf(R.Slice(0, max(1, n-1), 0, len(W))))
		}},
		"units":           {each(func(m *mat.Dense) { m.Apply(func(_, _ int, v float64) float64 { return math.Round(1e9*v) / 1e9 }, m) })},
		"features":        {each(func(m *mat.Dense) { m.Set(0, 0, 1.01*m.At(0, 0)) })},
		"in-the-middle":   {scale(0.5)},
		"reference-class": {after(func(list []*mat.Dense) []*mat.Dense { return list[1:] })},
		"wrong-length":    {after(func(list []*mat.Dense) []*mat.Dense { return append(list, list[0]) })},
		"empty": {
			func([]*mat.Dense, *mat.Dense, []float64, *mat.Dense, *mat.Dense) []*mat.Dense { return nil },
			after(func(list []*mat.Dense) []*mat.Dense { list[1] = nil; return list }),
		},
		"wrong-shape": {after(func(list []*mat.Dense) []*mat.Dense { list[0] = mat.NewDense(1, 7, nil); return list })},
		"not-finite":  {scale(math.NaN())},
		"mutates-inputs": {
			func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
				copy(W, GradientW(W, w, w0, X, R))
				return W
			},
			func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
				for i, m := range GradientW(W, w, w0, X, R) {
					W[i].Copy(m)
				}
				return W
			},
		},
		"not-constant": {after(func(list []*mat.Dense) []*mat.Dense { calls++; list[0].Set(0, 0, calls); return list })},
		"not-new":      {after(func(list []*mat.Dense) []*mat.Dense { same.CloneFrom(list[0]); list[0] = same; return list })},
		"views": {func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
			V := make([]*mat.Dense, len(W))
			for i, m := range W {
				r, c := m.Dims()
				V[i] = mat.NewDense(r, c, m.RawMatrix().Data[:r*c])
			}
			return GradientW(V, w, w0, X, R)
		}},
	})
	by := func(soft func(g []float64) []float64, f func(y, r float64) float64) scoreFunc {
		return func(g, r []float64) []float64 {
			y := soft(g)
			for i := range y {
				y[i] = f(y[i], r[i])
			}
			return y
		}
	}
	right := func(y, r float64) float64 { return y - r }
	gate.Wrongs(t, ex05.Exercise(), checkScore, map[string][]scoreFunc{
		"chain":               {by(softmax, func(y, r float64) float64 { return r * (y - 1) })},
		"score-sign":          {by(softmax, func(y, r float64) float64 { return r - y })},
		"score-factor":        {by(softmax, func(y, r float64) float64 { return (y - r) / 2 })},
		"score-nearly":        {by(softmax, func(y, r float64) float64 { return 1.00001 * (y - r) })},
		"score-value":         {by(softmax, func(y, r float64) float64 { return math.Log(y+1e-9) - r }), by(clipped, right)},
		"score-in-the-middle": {by(softmax, func(y, _ float64) float64 { return y })},
		"overflow":            {by(shifted(0), right), by(first, right)},
		"wrong-length":        {func(g, r []float64) []float64 { return ByScore(g, r)[1:] }},
		"mutates-inputs":      {func(g, r []float64) []float64 { copy(g, ByScore(g, r)); return g }},
	})
	times := func(c float64) entriesFunc {
		return func(x []float64) *mat.Dense { m := ByEntries(x); m.Scale(c, m); return m }
	}
	gate.Wrongs(t, ex05.Exercise(), checkEntries, map[string][]entriesFunc{
		"chain":          {times(2)},
		"entries-sign":   {times(-1)},
		"entries-factor": {times(0.5)},
		"entries-value":  {func(x []float64) *mat.Dense { m := ByEntries(x); m.Set(0, 0, 1); return m }},
		"wrong-shape":    {func(x []float64) *mat.Dense { return mat.NewDense(len(x), 1, nil) }},
	})
}

// TestTitles: what is seen before an answer is tried tells no answer of the task on
// paper.
func TestTitles(t *testing.T) {
	todo := func([]*mat.Dense, *mat.Dense, []float64, *mat.Dense, *mat.Dense) []*mat.Dense { panic(verify.TODO) }
	for _, p := range ex05.Check(todo).Parts {
		for _, word := range []string{"x_j", "features", "linear", "stay symmetric"} {
			if strings.Contains(p.Name, word) {
				t.Errorf("the title %q has the word %q", p.Name, word)
			}
		}
	}
}

func ExampleCheck() {
	tied := func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
		list := GradientW(W, w, w0, X, R)
		for _, m := range list {
			m.Apply(func(j, l int, v float64) float64 {
				if j == l {
					return v
				}
				return 2 * v
			}, m)
		}
		return list
	}
	fmt.Println(ex05.Check(tied).Parts[1].Key)
	// Output: doubled-off-diagonal
}

func ExampleCheckSteps() {
	doubled := func(x []float64) *mat.Dense { m := ByEntries(x); m.Scale(2, m); return m }
	fmt.Println(ex05.CheckSteps(ByScore, doubled).Parts[2].Message)
	// Output: Everything is doubled. It is the derivative with respect to x that has a 2; in the entries of W the score is linear.
}

/*
Equivalent mutants

GradientW: y[i] = mat.Inner(x, W[i], x) + mat.Dot(w.ColView(i), x) + w0[i] → y[i] = mat.Inner(x, W[i].T(), x) + mat.Dot(w.ColView(i), x) + w0[i]
    xᵀWᵀx = xᵀWx, a number being its own transpose.
*/

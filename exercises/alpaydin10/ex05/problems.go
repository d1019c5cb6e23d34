package ex05

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A problem is a point in the space of weights, and data.
type problem struct {
	name string
	W    []*mat.Dense // K matrices D×D
	w    *mat.Dense   // D×K
	w0   []float64    // K
	X    *mat.Dense   // N×D
	R    *mat.Dense   // N×K, 1-of-K
}

func source(part uint64) *rand.Rand { return instance.Source(1005, part) }

func (p problem) dims() (n, d, k int) {
	n, d = p.X.Dims()
	return n, d, len(p.W)
}

// problems: W_i are not symmetric, and N, D and K differ.
func problems(r *rand.Rand) []problem {
	var out []problem
	for _, c := range []struct {
		name    string
		n, d, k int
		offset  float64
	}{
		{"two inputs, three classes", 25, 2, 3, 0.4},
		{"three inputs, two classes", 18, 3, 2, -0.5},
		{"four inputs, four classes", 30, 4, 4, 0.2},
		{"one input", 10, 1, 2, 1},
		{"a single point", 1, 3, 3, 0},
		{"inputs away from 0", 12, 2, 2, 3},
	} {
		p := problem{name: c.name, X: mat.NewDense(c.n, c.d, instance.Normals(r, c.n*c.d)), w: mat.NewDense(c.d, c.k, instance.Normals(r, c.d*c.k)), w0: instance.Normals(r, c.k)}
		p.X.Apply(func(_, _ int, v float64) float64 { return v + c.offset }, p.X)
		size := 1 + c.offset*c.offset // keeps the scores at a few units
		for range c.k {
			m := mat.NewDense(c.d, c.d, instance.Normals(r, c.d*c.d))
			m.Scale(0.5/size, m)
			p.W = append(p.W, m)
		}
		labels := make([]int, c.n)
		for t := range labels {
			labels[t] = r.IntN(c.k)
		}
		p.R = instance.OneOfK(labels, c.k)
		out = append(out, p)
	}
	return out
}

// scores are the K discriminants at x with the matrices W.
func (p problem) scores(W []*mat.Dense, x []float64) []float64 {
	v := mat.NewVecDense(len(x), x)
	g := make([]float64, len(W))
	for i := range g {
		g[i] = p.w0[i] + mat.Inner(v, W[i], v)
		for j := range x {
			g[i] += p.w.At(j, i) * x[j]
		}
	}
	return g
}

// err is the cross-entropy with the matrices W.
func (p problem) err(W []*mat.Dense) float64 {
	n, _, k := p.dims()
	e := 0.0
	for t := range n {
		g := p.scores(W, p.X.RawRowView(t))
		for i := range k {
			if p.R.At(t, i) == 1 {
				e += kernel.LogSumExp(g) - g[i]
			}
		}
	}
	return e
}

// flat is all entries of the matrices, one after the other, row by row.
func flat(W []*mat.Dense) []float64 {
	var out []float64
	for _, m := range W {
		r, _ := m.Dims()
		for j := range r {
			out = append(out, m.RawRowView(j)...)
		}
	}
	return out
}

// unflat is the inverse of flat for K matrices D×D.
func unflat(v []float64, d, k int) []*mat.Dense {
	out := make([]*mat.Dense, k)
	for i := range out {
		out[i] = mat.NewDense(d, d, append([]float64(nil), v[i*d*d:(i+1)*d*d]...))
	}
	return out
}

// gather is Σ_t factor(scores, targets)_i · outer(x), the form of the gradient and
// of most mistakes in it.
func (p problem) gather(factor func(g, r []float64) []float64, outer func(x []float64) *mat.Dense) []*mat.Dense {
	n, d, k := p.dims()
	out := make([]*mat.Dense, k)
	for i := range out {
		out[i] = mat.NewDense(d, d, nil)
	}
	for t := range n {
		x := p.X.RawRowView(t)
		f := factor(p.scores(p.W, x), p.R.RawRowView(t))
		for i := range out {
			m := mat.DenseCopyOf(outer(x))
			m.Scale(f[i], m)
			out[i].Add(out[i], m)
		}
	}
	return out
}

// residual is y − r.
func residual(g, r []float64) []float64 {
	y := kernel.Softmax(g)
	floats.Sub(y, r)
	return y
}

// product is xxᵀ.
func product(x []float64) *mat.Dense {
	v := mat.NewVecDense(len(x), x)
	var m mat.Dense
	m.Outer(1, v, v)
	return &m
}

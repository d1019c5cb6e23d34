package ex03

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A problem is one step of gradient descent.
type problem struct {
	name string
	W    *mat.Dense // (D+1)×K
	X    *mat.Dense // N×D
	R    *mat.Dense // N×K, 1-of-K
	eta  float64
}

func source(part uint64) *rand.Rand { return instance.Source(1003, part) }

// problems: D+1, K and N differ, so that a transposed factor does not fit.
func problems(r *rand.Rand) []problem {
	var out []problem
	for _, c := range []struct {
		name    string
		n, d, k int
		offset  float64
		eta     float64
	}{
		{"three inputs, three classes", 20, 3, 3, 0.5, 0.1},
		{"two inputs, four classes", 15, 2, 4, -1, 0.03},
		{"one input, two classes", 8, 1, 2, 0.3, 0.5},
		{"a single point", 1, 2, 3, 0, 0.2},
		{"five inputs far from 0, two classes", 12, 5, 2, 3, 0.01},
	} {
		p := problem{name: c.name, X: mat.NewDense(c.n, c.d, instance.Normals(r, c.n*c.d)), W: mat.NewDense(c.d+1, c.k, instance.Normals(r, (c.d+1)*c.k)), eta: c.eta}
		p.X.Apply(func(_, _ int, v float64) float64 { return v + c.offset }, p.X)
		p.W.Scale(0.5, p.W)
		labels := make([]int, c.n)
		for t := range labels {
			labels[t] = r.IntN(c.k)
			if c.k > 2 && labels[t] == 1 { // unequal classes
				labels[t] = r.IntN(c.k)
			}
		}
		p.R = instance.OneOfK(labels, c.k)
		out = append(out, p)
	}
	return out
}

// input is (1, x) of point t.
func (p problem) input(t int) []float64 { return append([]float64{1}, p.X.RawRowView(t)...) }

// scores are the K scores of point t with the weights w.
func (p problem) scores(w *mat.Dense, t int) []float64 {
	_, k := w.Dims()
	a := make([]float64, k)
	for j, v := range p.input(t) {
		for i := range a {
			a[i] += w.At(j, i) * v
		}
	}
	return a
}

// err is the cross-entropy (10.31) with the weights w.
func (p problem) err(w *mat.Dense) float64 {
	n, k := p.R.Dims()
	e := 0.0
	for t := range n {
		a := p.scores(w, t)
		for i := range k {
			if p.R.At(t, i) == 1 {
				e += kernel.LogSumExp(a) - a[i]
			}
		}
	}
	return e
}

// move returns W + Σ_t c_ti x_j, where c gives for a point's scores and targets the
// K numbers that multiply its input: the form of the update and of most mistakes.
func (p problem) move(c func(a, r []float64) []float64) *mat.Dense {
	out := mat.DenseCopyOf(p.W)
	n, _ := p.R.Dims()
	for t := range n {
		factors := c(p.scores(p.W, t), p.R.RawRowView(t))
		for j, v := range p.input(t) {
			for i, f := range factors {
				out.Set(j, i, out.At(j, i)+f*v)
			}
		}
	}
	return out
}

// residual is η(r − y).
func (p problem) residual(a, r []float64) []float64 {
	y := kernel.Softmax(a)
	for i := range y {
		y[i] = p.eta * (r[i] - y[i])
	}
	return y
}

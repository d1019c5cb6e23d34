package ex18

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A problem is a multiclass logistic regression at one point W.
type problem struct {
	name string
	Phi  *mat.Dense // N×M
	T    *mat.Dense // N×K, 1-of-K
	W    *mat.Dense // M×K
}

func source(part uint64) *rand.Rand { return instance.Source(418, part) }

// draw makes a problem with activations of a few units and classes of unequal
// size.
func draw(r *rand.Rand, name string, n, k int, centre, spread []float64) problem {
	m := len(centre)
	p := problem{name: name, Phi: instance.Design(r, n, centre, spread), W: mat.NewDense(m, k, nil)}
	labels := make([]int, n)
	for i := range labels {
		labels[i] = min(r.IntN(k), r.IntN(k)) // the first classes are the larger ones
	}
	p.T = instance.OneOfK(labels, k)
	for c := range k {
		p.W.SetCol(c, instance.Weights(r, p.Phi, 1.5))
	}
	return p
}

// general returns problems on which every known mistake shows.
func general(r *rand.Rand) []problem {
	shifted := draw(r, "all weight vectors far from 0 in one direction", 20, 3, []float64{1, 0}, []float64{0, 1})
	for j := range 2 {
		floats.AddConst(30, shifted.W.RawRowView(j))
	}
	return []problem{
		draw(r, "forty points, three weights, four classes", 40, 4, []float64{1, 0, 0.5}, []float64{0, 1, 1}),
		draw(r, "as many weights as classes", 25, 3, []float64{1, 0, 0}, []float64{0, 1, 2}),
		draw(r, "as many points as weights", 4, 3, []float64{1, 0, 0, 0}, []float64{0, 1, 1, 1}),
		draw(r, "columns of very different size", 30, 5, []float64{1, 0, 1e4}, []float64{0, 1e-2, 5e3}),
		draw(r, "one weight", 12, 3, []float64{0.4}, []float64{1}),
		draw(r, "a single point", 1, 4, []float64{1, 0.5}, []float64{0, 1}),
		draw(r, "N = M = K", 3, 3, []float64{1, 0, 0}, []float64{0.5, 1, 1}),
		shifted,
	}
}

// activations is ΦW, N×K.
func (p problem) activations() *mat.Dense {
	var a mat.Dense
	a.Mul(p.Phi, p.W)
	return &a
}

// errAt is the cross-entropy (4.108) at weights w, M×K.
func (p problem) errAt(w *mat.Dense) float64 {
	q := p
	q.W = w
	a := q.activations()
	e := 0.0
	n, _ := a.Dims()
	for i := range n {
		e += kernel.LogSumExp(a.RawRowView(i)) - floats.Dot(p.T.RawRowView(i), a.RawRowView(i))
	}
	return e
}

// pull is ΦᵀR for the N×K matrix R with rows r(a_n, t_n): the form of the gradient
// and of most mistakes in it.
func (p problem) pull(r func(a, t []float64) []float64) *mat.Dense {
	a := p.activations()
	n, k := a.Dims()
	R := mat.NewDense(n, k, nil)
	for i := range n {
		R.SetRow(i, r(a.RawRowView(i), p.T.RawRowView(i)))
	}
	var g mat.Dense
	g.Mul(p.Phi.T(), R)
	return &g
}

// residual is y − t.
func residual(a, t []float64) []float64 {
	y := kernel.Softmax(a)
	floats.Sub(y, t)
	return y
}

// right is the gradient.
func (p problem) right() *mat.Dense { return p.pull(residual) }

package ex11

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// weightsFunc is the learner's function.
type weightsFunc = func(mu []*mat.Dense, prior []float64) (W *mat.Dense, w0 []float64)

// A problem is a naive Bayes model.
type problem struct {
	name  string
	mu    []*mat.Dense // K matrices, D×L
	prior []float64
}

func (p problem) dims() (k, d, l int) {
	d, l = p.mu[0].Dims()
	return len(p.mu), d, l
}

// simplex draws n positive numbers that sum to 1.
func simplex(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 0.05 + r.ExpFloat64()
	}
	floats.Scale(1/floats.Sum(v), v)
	return v
}

func draw(r *rand.Rand, name string, k, d, l int) problem {
	p := problem{name: name, prior: simplex(r, k)}
	for range k {
		m := mat.NewDense(d, l, nil)
		for i := range d {
			m.SetRow(i, simplex(r, l))
		}
		p.mu = append(p.mu, m)
	}
	return p
}

func problems() []problem {
	r := instance.Source(411, 1)
	return []problem{
		draw(r, "three classes, three features of four states", 3, 3, 4),
		draw(r, "two classes, three features of three states", 2, 3, 3),
		draw(r, "two classes, four features of two states", 2, 4, 2),
		draw(r, "five classes, one feature of six states", 5, 1, 6),
		draw(r, "four classes, three features of five states", 4, 3, 5),
		draw(r, "a single class", 1, 2, 3),
	}
}

// cells calls visit with every φ in 1-of-L coding and the states it codes.
func (p problem) cells(visit func(phi []float64, states []int)) {
	_, d, l := p.dims()
	states := make([]int, d)
	for {
		phi := make([]float64, d*l)
		for i, s := range states {
			phi[i*l+s] = 1
		}
		visit(phi, states)
		i := 0
		for ; i < d; i++ {
			if states[i]++; states[i] < l {
				break
			}
			states[i] = 0
		}
		if i == d {
			return
		}
	}
}

// joint is p(φ|C_k)p(C_k), a product of probabilities.
func (p problem) joint(k int, states []int) float64 {
	v := p.prior[k]
	for i, s := range states {
		v *= p.mu[k].At(i, s)
	}
	return v
}

// activations are w_kᵀφ + w_k0 for all cells and classes, in one list.
func (p problem) activations(w *mat.Dense, w0 []float64) []float64 {
	var out []float64
	p.cells(func(phi []float64, _ []int) {
		for k := range w0 {
			out = append(out, w0[k]+floats.Dot(mat.Col(nil, k, w), phi))
		}
	})
	return out
}

// right are the logarithms of the products, in the same order.
func (p problem) right() []float64 {
	var out []float64
	p.cells(func(_ []float64, states []int) {
		for k := range p.prior {
			out = append(out, math.Log(p.joint(k, states)))
		}
	})
	return out
}

// ask calls the learner's function with copies; with a verdict instead where what
// came back cannot be used.
func ask(f weightsFunc, p problem) (w *mat.Dense, w0 []float64, bad *verify.Verdict) {
	var in learner.Inputs
	var mu []*mat.Dense
	for _, m := range p.mu {
		mu = append(mu, in.Dense("mu", m))
	}
	w, w0 = f(mu, in.Slice("prior", p.prior))
	k, d, l := p.dims()
	if bad = in.Changed(3); bad == nil {
		bad = form.Matrix("W", w, d*l, k, "(D·L)×K", p.name, 3)
	}
	if bad == nil {
		bad = form.Vector("w0", w0, k, "class", p.name, 3)
	}
	return w, w0, bad
}

package ex13

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A problem is a logistic regression at one point w.
type problem struct {
	name string
	Phi  *mat.Dense // N×M
	t    []float64  // N, in {0,1}
	w    []float64  // M
}

func source(part uint64) *rand.Rand { return instance.Source(413, part) }

// draw makes a problem whose activations are a few units in size, with a share of
// about one in three for t = 1.
func draw(r *rand.Rand, name string, n int, centre, spread []float64) problem {
	p := problem{name: name, Phi: instance.Design(r, n, centre, spread), t: make([]float64, n)}
	for i := range p.t {
		if r.IntN(3) == 0 {
			p.t[i] = 1
		}
	}
	p.w = instance.Weights(r, p.Phi, 1.5)
	return p
}

// general returns problems on which every known mistake shows.
func general(r *rand.Rand) []problem {
	return []problem{
		draw(r, "forty points, five weights", 40, []float64{1, 0, 0, 0, -0.5}, []float64{0, 1, 2, 1, 0.5}),
		draw(r, "no constant column", 25, []float64{0.2, -1, 0}, []float64{1, 1, 1}),
		draw(r, "as many points as weights", 4, []float64{1, 0, 0, 0}, []float64{0, 1, 1, 2}),
		draw(r, "columns of very different size", 30, []float64{1, 0, 1e4}, []float64{0, 1e-2, 5e3}),
		draw(r, "fewer points than weights", 3, []float64{1, 0, 0, 0, 0}, []float64{0, 1, 1, 1, 1}),
	}
}

// edges returns the smallest problems, and those of one class.
func edges(r *rand.Rand) []problem {
	ones := draw(r, "all targets 1", 12, []float64{1, 0}, []float64{0, 1})
	zeros := draw(r, "all targets 0", 12, []float64{1, 0}, []float64{0, 1})
	for i := range ones.t {
		ones.t[i], zeros.t[i] = 1, 0
	}
	origin := draw(r, "w = 0", 9, []float64{1, 0}, []float64{0, 1})
	clear(origin.w)
	return []problem{
		draw(r, "one point, one weight", 1, []float64{0.5}, []float64{1}),
		draw(r, "one weight", 8, []float64{0.3}, []float64{1}),
		draw(r, "one point, three weights", 1, []float64{1, 0, 0}, []float64{0, 1, 1}),
		ones, zeros, origin,
	}
}

// err is the cross-entropy E(w), (4.90).
func (p problem) err(w []float64) float64 {
	e := 0.0
	for i, a := range instance.Activations(p.Phi, w) {
		e += kernel.CrossEntropy(a, p.t[i])
	}
	return e
}

// sum is Σ r(a_n, t_n) φ_n, the form of the gradient and of most mistakes in it.
func (p problem) sum(r func(a, t float64) float64) []float64 {
	g := make([]float64, len(p.w))
	for i, a := range instance.Activations(p.Phi, p.w) {
		floats.AddScaled(g, r(a, p.t[i]), p.Phi.RawRowView(i))
	}
	return g
}

// residual is y − t.
func residual(a, t float64) float64 {
	if t == 1 {
		return -kernel.Sigmoid(-a)
	}
	return kernel.Sigmoid(a)
}

// minimum moves w to the minimum of E by Newton's method with halved steps; p must
// have overlapping classes. It uses the gradient of err by its own formula.
func (p problem) minimum() problem {
	m := len(p.w)
	p.w = make([]float64, m)
	for range 60 {
		h := mat.NewDense(m, m, nil)
		for i, a := range instance.Activations(p.Phi, p.w) {
			row := mat.NewVecDense(m, p.Phi.RawRowView(i))
			h.RankOne(h, kernel.Sigmoid(a)*kernel.Sigmoid(-a), row, row)
		}
		var step mat.VecDense
		if err := step.SolveVec(h, mat.NewVecDense(m, p.sum(residual))); err != nil {
			break
		}
		scale, next := 1.0, p.w
		for range 30 {
			next = floats.AddScaledTo(make([]float64, m), p.w, -scale, step.RawVector().Data)
			// At the minimum E differs by rounding only, and the whole step must be taken.
			if p.err(next) <= p.err(p.w)*(1+1e-13) {
				break
			}
			scale /= 2
		}
		p.w = next
	}
	return p
}

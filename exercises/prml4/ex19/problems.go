package ex19

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A problem is a probit regression at one point w.
type problem struct {
	name string
	Phi  *mat.Dense // N×M
	t    []float64  // N, in {0,1}
	w    []float64  // M
}

func source(part uint64) *rand.Rand { return instance.Source(419, part) }

func draw(r *rand.Rand, name string, n int, centre, spread []float64) problem {
	p := problem{name: name, Phi: instance.Design(r, n, centre, spread), t: make([]float64, n)}
	for i := range p.t {
		if r.IntN(5) < 2 {
			p.t[i] = 1
		}
	}
	p.w = instance.Weights(r, p.Phi, 1)
	return p
}

// general returns problems whose Φ has full column rank; on the first one every
// known mistake shows.
func general(r *rand.Rand) []problem {
	first := draw(r, "forty points, four weights", 40, []float64{1, 0, 0, -0.5}, []float64{0, 1, 2, 0.5})
	first.w[0] = 0.4 // activations on both sides of 0, but not evenly
	ones := draw(r, "all targets 1", 12, []float64{1, 0}, []float64{0, 1})
	zeros := draw(r, "all targets 0", 12, []float64{1, 0}, []float64{0, 1})
	for i := range ones.t {
		ones.t[i], zeros.t[i] = 1, 0
	}
	origin := draw(r, "w = 0", 9, []float64{1, 0}, []float64{0, 1})
	clear(origin.w)
	return []problem{
		first,
		draw(r, "no constant column", 25, []float64{0.2, -1, 0}, []float64{1, 1, 1}),
		draw(r, "as many points as weights", 3, []float64{1, 0, 0}, []float64{0, 1, 1}),
		draw(r, "columns of very different size", 30, []float64{1, 0, 1e4}, []float64{0, 1e-2, 5e3}),
		draw(r, "one weight", 8, []float64{0.3}, []float64{1}),
		draw(r, "one point, one weight", 1, []float64{0.8}, []float64{0.1}),
		ones, zeros, origin,
	}
}

// ratio is m(x) = N(x)/Φ(x), and rest is x + m(x), each with its digits in the
// left tail: there −x·m(x)… is Laplace's continued fraction, m(−u) = u + 1/(u + 2/(u + 3/(…))).
func ratio(x float64) (m, rest float64) {
	if x > -5 {
		m = kernel.NormPDF(x) / kernel.NormCDF(x)
		return m, x + m
	}
	u := -x
	f := u
	for k := 80; k >= 2; k-- { // at u = 5 the error is below 1e-16
		f = u + float64(k)/f
	}
	rest = 1 / f
	return u + rest, rest
}

// logCDF is ln Φ(x).
func logCDF(x float64) float64 {
	if x > 0 {
		return math.Log1p(-kernel.NormCDF(-x))
	}
	return math.Log(kernel.NormCDF(x))
}

// logLikelihood is L(w).
func (p problem) logLikelihood(w []float64) float64 {
	l := 0.0
	for i, a := range instance.Activations(p.Phi, w) {
		l += logCDF((2*p.t[i] - 1) * a)
	}
	return l
}

// pull is Σ r(a_n, s_n) φ_n, with s = 2t − 1: the form of the gradient and of most
// mistakes in it.
func (p problem) pull(r func(a, s float64) float64) []float64 {
	g := make([]float64, len(p.w))
	for i, a := range instance.Activations(p.Phi, p.w) {
		floats.AddScaled(g, r(a, 2*p.t[i]-1), p.Phi.RawRowView(i))
	}
	return g
}

// slope is one point's part in the gradient, curve its part in the Hessian.
func slope(a, s float64) float64 { m, _ := ratio(s * a); return s * m }
func curve(a, s float64) float64 { m, rest := ratio(s * a); return -m * rest }

func (p problem) gradientAt(w []float64) []float64 {
	q := p
	q.w = w
	return q.pull(slope)
}

// weighted is Σ r(a_n, s_n) φ_n φ_nᵀ.
func (p problem) weighted(r func(a, s float64) float64) *mat.Dense {
	_, m := p.Phi.Dims()
	h := mat.NewDense(m, m, nil)
	for i, a := range instance.Activations(p.Phi, p.w) {
		row := mat.NewVecDense(m, p.Phi.RawRowView(i))
		h.RankOne(h, r(a, 2*p.t[i]-1), row, row)
	}
	return h
}

// even is h for columns of Φ brought to size 1.
func (p problem) even(h *mat.Dense) *mat.Dense {
	s := instance.Sizes(p.Phi)
	var out mat.Dense
	out.Apply(func(i, j int, v float64) float64 { return v / s[i] / s[j] }, h)
	return &out
}

// far returns problems with activations up to ±30, for targets of both kinds.
func far() []problem {
	extreme := []float64{30, -30, 25, -20, 12, -9, 8.5, -6, 1.2, -0.3}
	var out []problem
	for _, t := range []float64{0, 1} {
		p := problem{name: "activations up to ±30", Phi: mat.NewDense(len(extreme), 2, nil), w: []float64{0.5, 2}, t: make([]float64, len(extreme))}
		r := source(20)
		for i, a := range extreme {
			// The second column is chosen so that wᵀφ is the activation wanted.
			x := r.NormFloat64()
			p.Phi.SetRow(i, []float64{x, (a - p.w[0]*x) / p.w[1]})
			p.t[i] = t
		}
		out = append(out, p)
	}
	// One label at a time, so that no far point hides behind another.
	for _, a := range []float64{30, -30, 9, -9, 18} {
		one := problem{name: "one point far on the wrong side", Phi: mat.NewDense(1, 1, []float64{2}), w: []float64{a / 2}, t: []float64{0}}
		if a < 0 {
			one.t[0] = 1
		}
		out = append(out, one)
	}
	return out
}

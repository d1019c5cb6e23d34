package ex15

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

// A problem is a logistic regression at one point w.
type problem struct {
	name string
	Phi  *mat.Dense // N×M
	t    []float64  // N, in {0,1}
	w    []float64  // M
}

// source is the generator of part n: the same numbers on every run.
func source(n uint64) *rand.Rand { return instance.Source(415, n) }

// draw makes a problem whose columns have the given centres and spreads.
func draw(r *rand.Rand, name string, n int, centre, spread []float64) problem {
	m := len(centre)
	p := problem{name: name, Phi: mat.NewDense(n, m, nil), t: make([]float64, n), w: make([]float64, m)}
	for i := range n {
		for j := range m {
			p.Phi.Set(i, j, centre[j]+spread[j]*r.NormFloat64())
		}
		p.t[i] = float64(r.IntN(2))
	}
	p.drawWeights(r)
	return p
}

// drawWeights keeps the activations at a few units, however large the columns are.
func (p problem) drawWeights(r *rand.Rand) {
	for j, s := range p.sizes() {
		p.w[j] = 1.5 * r.NormFloat64() / s
	}
}

// fullRank returns problems whose columns are linearly independent.
func fullRank(r *rand.Rand) []problem {
	general := draw(r, "forty points, five weights", 40, []float64{1, 0, 0, 0, -0.5}, []float64{0, 1, 2, 1, 0.5})
	general.w[0] = 0.3 // outputs on both sides of ½, so that y and 1−y are told apart
	oneSided := draw(r, "outputs close to 1", 30, []float64{1, 0, 0}, []float64{0, 1, 1})
	oneSided.w[0] = 5
	origin := draw(r, "w = 0", 20, []float64{1, 0}, []float64{0, 1})
	clear(origin.w)
	return []problem{
		general,
		draw(r, "one weight", 7, []float64{0.3}, []float64{1}),
		draw(r, "one point, one weight", 1, []float64{1}, []float64{0.2}),
		draw(r, "as many points as weights", 3, []float64{1, 0, 0}, []float64{0.5, 1, 1}),
		oneSided,
		origin,
		draw(r, "a column far from zero", 25, []float64{1, 1e4}, []float64{0, 5e3}),
		draw(r, "columns of very different size", 25, []float64{0, 0, 1}, []float64{1e-2, 1e2, 0}),
	}
}

// A deficient problem has columns that are linearly dependent, with a direction
// along which Φu = 0.
type deficient struct {
	problem
	null []float64
}

// rankDeficient returns problems whose columns are linearly dependent.
func rankDeficient(r *rand.Rand) []deficient {
	edit := func(name string, n, m int, null []float64, change func(row []float64)) deficient {
		centre, spread := make([]float64, m), make([]float64, m)
		floats.AddConst(1, spread)
		p := draw(r, name, n, centre, spread)
		for i := range n {
			change(p.Phi.RawRowView(i))
		}
		p.drawWeights(r)
		return deficient{p, null}
	}
	few := edit("three points, six weights", 3, 6, nil, func([]float64) {})
	few.null = complement(few.Phi)
	category := 0
	return []deficient{
		edit("a column that occurs twice", 20, 4, []float64{0, 1, 0, -1}, func(x []float64) { x[0], x[3] = 1, x[1] }),
		edit("a constant and three indicators that sum to 1", 18, 4, []float64{1, -1, -1, -1}, func(x []float64) {
			clear(x)
			x[0], x[1+category%3] = 1, 1
			category++
		}),
		edit("a column that is a mixture of two others", 15, 3, []float64{0.3, -1.7, -1}, func(x []float64) { x[2] = 0.3*x[0] - 1.7*x[1] }),
		edit("a mixture again, of very large numbers", 15, 3, []float64{0.3, -1.7, -1}, func(x []float64) {
			floats.Scale(1e6, x)
			x[2] = 0.3*x[0] - 1.7*x[1]
		}),
		edit("one length in metres and in millimetres", 12, 3, []float64{0, 1000, -1}, func(x []float64) { x[0], x[2] = 1, 1000*x[1] }),
		edit("four points, four weights, a column that occurs twice", 4, 4, []float64{1, 0, -1, 0}, func(x []float64) { x[2] = x[0] }),
		edit("a column of zeros", 9, 3, []float64{0, 1, 0}, func(x []float64) { x[1] = 0 }),
		few,
		edit("a single point, two weights", 1, 2, []float64{2, -1}, func(x []float64) { x[1] = 2 * x[0] }),
	}
}

// complement returns a unit vector orthogonal to the N < M rows of phi: what is
// left of a unit vector after the rows' directions are taken out of it, twice for
// full precision.
func complement(phi *mat.Dense) []float64 {
	n, m := phi.Dims()
	var axes [][]float64
	reduce := func(v []float64) {
		for range 2 {
			for _, a := range axes {
				floats.AddScaled(v, -floats.Dot(a, v), a)
			}
		}
		floats.Scale(1/floats.Norm(v, 2), v)
	}
	for i := range n {
		v := append([]float64(nil), phi.RawRowView(i)...)
		reduce(v)
		axes = append(axes, v)
	}
	u := make([]float64, m)
	u[0] = 1
	reduce(u)
	return u
}

// activations returns a = Φw.
func (p problem) activations(w []float64) []float64 {
	n, _ := p.Phi.Dims()
	a := make([]float64, n)
	for i := range a {
		a[i] = floats.Dot(p.Phi.RawRowView(i), w)
	}
	return a
}

// err is the cross-entropy E(w), (4.90).
func (p problem) err(w []float64) float64 {
	e := 0.0
	for i, a := range p.activations(w) {
		e -= p.t[i]*logSigmoid(a) + (1-p.t[i])*logSigmoid(-a)
	}
	return e
}

// gradient is ∇E(w) = Φᵀ(y − t), (4.96).
func (p problem) gradient(w []float64) []float64 {
	g := make([]float64, len(w))
	for i, a := range p.activations(w) {
		floats.AddScaled(g, sigmoid(a)-p.t[i], p.Phi.RawRowView(i))
	}
	return g
}

// weighted is Σ r_n φ_n φ_nᵀ.
func (p problem) weighted(r func(a float64) float64) *mat.Dense {
	_, m := p.Phi.Dims()
	h := mat.NewDense(m, m, nil)
	for i, a := range p.activations(p.w) {
		row := mat.NewVecDense(m, p.Phi.RawRowView(i))
		h.RankOne(h, r(a), row, row)
	}
	return h
}

// sizes is the largest absolute entry of each column, 1 for a column of zeros.
func (p problem) sizes() []float64 {
	_, m := p.Phi.Dims()
	s := make([]float64, m)
	for j := range s {
		if s[j] = floats.Norm(mat.Col(nil, j, p.Phi), math.Inf(1)); s[j] == 0 {
			s[j] = 1
		}
	}
	return s
}

// even divides entry i, j of h by the sizes of columns i and j. It is the Hessian
// for columns brought to size 1, so that one tolerance serves all entries.
func (p problem) even(h *mat.Dense) *mat.Dense {
	s := p.sizes()
	var out mat.Dense
	out.Apply(func(i, j int, v float64) float64 { return v / s[i] / s[j] }, h)
	return &out
}

// unit is even with the largest entry brought to size 1, for the eigenvalues,
// whose signs are all that is asked: very large or small entries are hard on them.
func (p problem) unit(h *mat.Dense) *mat.Dense {
	out := p.even(h)
	largest := math.Max(math.Abs(mat.Max(out)), math.Abs(mat.Min(out)))
	if largest > 0 {
		out.Apply(func(_, _ int, v float64) float64 { return v / largest }, out)
	}
	return out
}

package solve

import (
	"cmp"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

var _ Solver = CoordinateAscent{}

// CoordinateAscent is a solver that changes only one weight in each step.
type CoordinateAscent struct {
	Rate        float64
	Every       int
	EveryUpdate bool
	Stop        Stopping
}

func (s CoordinateAscent) Prepare(d, k int) (int, error) {
	return 10_000, cmp.Or(checkWalk("CoordinateAscent", s.Every, s.EveryUpdate, rate{"Rate", s.Rate}),
		s.Stop.validate(d, k))
}

func (s CoordinateAscent) Solve(p *Problem) *Path {
	k := newSolverRun(p, "coordinate ascent", startOf(p, false, 0), s.Stop, s.Every, s.EveryUpdate)
	c := newSolverColumns(p)
	for !k.done {
		w := slices.Clone(k.w)
		c.activate(w)
		for i := range w {
			g, squares := c.slope(i)
			if p.Prior != nil {
				for j := range w {
					g += c.precisionAt(i, j) * (w[j] - p.Prior.Mean[j])
				}
				squares += c.precisionAt(i, i) / c.curvature
			}
			α := s.Rate
			if α == 0 && squares > 0 {
				α = 1 / (c.curvature * squares)
			}
			c.change = -α * g
			w[i] += c.change
			if s.EveryUpdate && i < len(w)-1 && linalg.AllFinite(w) {
				k.recordUpdate(w)
			}
		}
		k.it++
		k.accept(k.evaluateAt(w))
	}
	return k.finish()
}

// solverColumns stores the activations of all rows. To change one weight, it therefore reads at most
// two columns of x: the column of this weight, and the column of the weight that changed last.
type solverColumns struct {
	*solverRows
	act       []float64 // N×K, by rows
	curvature float64   // upper bound on e″ of every row, or a guess (see glm.Likelihood.Curvature)
	moved     int       // index of the weight that changed last; `act` does not include this change yet
	change    float64
}

func newSolverColumns(p *Problem) *solverColumns {
	q := newSolverRows(p)
	c := &solverColumns{solverRows: q, act: make([]float64, q.n*q.k), curvature: p.GLM.Curvature()}
	if p.GLM.Many != nil {
		c.curvature = 0.25 // y(1−y)
	}
	return c
}

// activate computes the activations of all rows for the weights w.
func (c *solverColumns) activate(w []float64) {
	c.change = 0
	block.Reduce(block.NewDesign(c.src, nil, nil), 0, block.Nothing, func(rows int) func(struct{}, *block.Block) {
		a := make([]float64, rows)
		return func(_ struct{}, b *block.Block) {
			for k := range c.k {
				b.Margins(w[k*c.m:(k+1)*c.m], a)
				for r := range b.N {
					c.act[(b.Lo+r)*c.k+k] = a[r]
				}
			}
		}
	}, func(_, _ struct{}) {})
}

// slopeSums contains two sums over all rows n for one column j: Σ s_n·(dE_n/da_n)·φ_nj and
// Σ s_n·φ_nj², where s_n is the weight of row n.
type slopeSums struct{ g, squares float64 }

// slope first adds the effect of the last changed weight to the activations. It then returns the
// derivative ∂E/∂w_i of the likelihood term, and the weighted sum of the squares of the column of Φ
// that w_i multiplies.
func (c *solverColumns) slope(i int) (g, squares float64) {
	last, change := c.moved, c.change
	c.moved, c.change = i, 0
	class := i / c.m
	sums := block.Walk(c.n, c.m-1, func() *slopeSums { return new(slopeSums) }, func() func(*slopeSums, int, int) {
		q := *c.solverRows
		rows := block.Rows(c.m - 1)
		if !c.src.InMemory() {
			q.buf = make([]float64, rows*(c.m-1))
		}
		q.ownMemory()
		return func(s *slopeSums, lo, hi int) {
			x, stride := q.src.Rows(lo, hi, q.buf)
			at := func(r, j int) float64 {
				if j == 0 {
					return 1
				}
				return x[r*stride+j-1]
			}
			for n := lo; n < hi; n++ {
				q.a = c.act[n*c.k : (n+1)*c.k]
				q.a[last/c.m] += change * at(n-lo, last%c.m)
				v := at(n-lo, i%c.m)
				s.g += q.errorsAt(n)[class] * v
				s.squares += v * v * c.src.Weights().At(n)
			}
		}
	}, func(dst, src *slopeSums) { dst.g += src.g; dst.squares += src.squares })
	return sums.g, sums.squares
}

package classify

import (
	"fmt"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

var _ Solver = CoordinateAscent{}

// CoordinateAscent changes one coefficient at a time, the alternative to the
// gradient ascent of the log likelihood on Gambosi's slides:
//
//	w_j ← w_j + α ∂l/∂w_j = w_j + α Σ_n (t_n − y_n)φ_j(x_n)
//
// (the slide prints the new w_j on the right-hand side too), bias first, and the
// prior's part. An iteration is one round of all coefficients; there are at most
// 10 000 unless the fit's options say otherwise.
type CoordinateAscent struct {
	// Rate is α; 0 takes for each coefficient 1/L_j, L_j a bound of ∂²E/∂w_j²:
	// every step then lowers the error.
	Rate float64
	// Every is how often an iterate is recorded in the Trace: each Every-th, and
	// the last. 0 records all up to about a thousand, then fewer, evenly spaced.
	Every int
	// EveryUpdate records after every single coefficient instead.
	EveryUpdate bool
	// Stop is early stopping.
	Stop Stopping
}

func (s CoordinateAscent) prepare(d, k int) (int, error) {
	if err := walkRate("CoordinateAscent.Rate", s.Rate); err != nil {
		return 0, err
	}
	if err := walkEvery("CoordinateAscent.Every", s.Every); err != nil {
		return 0, err
	}
	if s.EveryUpdate && s.Every > 1 {
		return 0, fmt.Errorf("CoordinateAscent.Every is %d and EveryUpdate is set: choose one", s.Every)
	}
	return 10_000, s.Stop.check(d, k)
}

func (s CoordinateAscent) solve(p *problem) *path {
	every := s.Every
	if s.EveryUpdate {
		every = 1
	}
	k := newWalk(p, "coordinate ascent", p.coord.Outer(p.start), s.Stop, every)
	c := newWalkColumns(p)
	for !k.done {
		w := slices.Clone(k.w)
		c.activate(w)
		for i := range w {
			g, squares := c.slope(i)
			if p.prior != nil {
				for j := range w {
					g += c.precision(i, j) * (w[j] - p.prior.mean[j])
				}
				squares += c.precision(i, i) / c.bend
			}
			α := s.Rate
			if α == 0 && squares > 0 {
				α = 1 / (c.bend * squares)
			}
			c.change = -α * g
			w[i] += c.change
			if s.EveryUpdate && i < len(w)-1 && walkFinite(w) {
				k.glimpse(w)
			}
		}
		k.it++
		k.arrive(w)
	}
	return k.finish()
}

// walkColumns holds the activations of all rows, so that a change of one
// coefficient costs one column of x and not all.
type walkColumns struct {
	*walkRows
	act       []float64 // N×K, by rows
	bend      float64   // bounds the second derivative in one activation
	moved     int       // the coefficient whose change is not in act yet
	change    float64
	precision func(i, j int) float64
}

func newWalkColumns(p *problem) *walkColumns {
	q := newWalkRows(p)
	c := &walkColumns{walkRows: q, act: make([]float64, q.n*q.k), bend: p.glm.Curvature()}
	if p.glm.Many != nil {
		c.bend = 0.25 // y(1−y)
	}
	c.precision = func(i, j int) float64 {
		switch {
		case q.full != nil:
			return q.full[i][j]
		case i == j:
			return q.precision[i]
		}
		return 0
	}
	return c
}

// activate computes all activations at w.
func (c *walkColumns) activate(w []float64) {
	c.change = 0
	block.Reduce(block.NewDesign(c.src, nil, nil), 0, nothing, func(rows int) func(struct{}, *block.Block) {
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

// slopeSums are Σ_n dE_n/da φ_j and Σ_n φ_j².
type slopeSums struct{ g, squares float64 }

// slope brings the last change into the activations and returns ∂E/∂w_i of the
// likelihood and the sum of squares of its column.
func (c *walkColumns) slope(i int) (g, squares float64) {
	last, change := c.moved, c.change
	c.moved, c.change = i, 0
	class := i / c.m
	sums := block.Walk(c.n, c.m-1, func() *slopeSums { return new(slopeSums) }, func() func(*slopeSums, int, int) {
		q := *c.walkRows
		rows := block.Rows(c.m - 1)
		if !c.src.InMemory() {
			q.buf = make([]float64, rows*(c.m-1))
		}
		q.d1, q.d2, q.t, q.tbuf = make([]float64, c.k), make([]float64, c.k), make([]float64, c.k), make([]float64, c.k)
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
				s.g += q.slopes(n)[class] * v
				s.squares += v * v
			}
		}
	}, func(dst, src *slopeSums) { dst.g += src.g; dst.squares += src.squares })
	return sums.g, sums.squares
}

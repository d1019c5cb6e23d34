package classify

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// squaredLengths writes ‖φ‖² of each row.
func squaredLengths(int) func(*block.Block, []float64) {
	return func(b *block.Block, s []float64) {
		for r := range s {
			row := b.Row(r)[:b.M]
			s[r] = linalg.Dot(row, row)
		}
	}
}

// adalineRun is one run of the algorithm.
type adalineRun struct {
	src *block.Source
	t   []float64
	o   AdalineOptions
	m   *Adaline
}

func (r *adalineRun) learn(rows *presenter) error {
	m, o := r.m, r.o
	start, err := r.look()
	if err != nil {
		return err
	}
	for m.Passes = 0; ; {
		if m.Converged = m.Excess <= o.Tolerance; m.Converged {
			m.Reason = fmt.Sprintf("the outputs differ from the least-squares ones by %.2g in the root mean square", math.Sqrt(m.Excess))
			return nil
		}
		if m.Passes == o.MaxPasses {
			break
		}
		before := slices.Clone(m.W)
		η := o.Rate / (1 + o.Decay*float64(m.Passes))
		rows.pass(func(i int, x []float64) bool {
			δ := η * (2*r.t[i] - 1 - activation(m.W, x))
			m.W[0] += δ
			floats.AddScaled(m.W[1:], δ, x)
			return δ-δ == 0
		})
		m.Passes++
		if _, err := r.look(); err != nil {
			return err
		}
		if m.Excess > 1e8*math.Max(1, start) {
			return fmt.Errorf("the weights diverge: after pass %d the mean square error is %.2g", m.Passes, 2*m.E/float64(m.N))
		}
		if floats.Distance(before, m.W, 2) <= 1e-13*floats.Norm(m.W, 2) && o.Decay == 0 {
			break
		}
	}
	m.Reason = fmt.Sprintf("after %d passes the outputs still differ from the least-squares ones by %.2g in the root mean square: ", m.Passes, math.Sqrt(m.Excess))
	if o.Decay == 0 {
		m.Reason += "a constant rate stays off, by about its size; use a Decay or a smaller Rate"
	} else {
		m.Reason += "more passes, a smaller Decay, or columns of one scale"
	}
	return nil
}

// look computes the numbers about the present W and adds a step to the trace.
func (r *adalineRun) look() (excess float64, err error) {
	m := r.m
	type sums struct {
		e, excess float64
		wrong     int
		g         []float64
	}
	s := block.Reduce(block.NewDesign(r.src, nil, nil), 0, func() *sums { return &sums{g: make([]float64, len(m.W))} },
		func(rows int) func(*sums, *block.Block) {
			y, best := make([]float64, rows), make([]float64, rows)
			return func(s *sums, b *block.Block) {
				b.Margins(m.W, y)
				b.Margins(m.LeastSquares, best)
				for i := range b.N {
					t := r.t[b.Lo+i]
					if t != 0.5 && (y[i] >= 0) != (t > 0.5) {
						s.wrong++
					}
					off, δ := y[i]-best[i], y[i]-(2*t-1)
					s.excess += off * off
					s.e += δ * δ / 2
					y[i] = δ
				}
				b.AddRows(s.g, y)
			}
		}, func(dst, src *sums) {
			dst.e += src.e
			dst.excess += src.excess
			dst.wrong += src.wrong
			floats.Add(dst.g, src.g)
		})
	m.E, m.Excess, m.Misclassified = s.e, s.excess/float64(m.N), s.wrong
	norm := floats.Norm(s.g, 2)
	for _, v := range append([]float64{m.E, m.Excess, norm}, m.W...) {
		if v-v != 0 {
			return 0, fmt.Errorf("the weights diverge: no finite numbers after pass %d", m.Passes)
		}
	}
	m.Trace = append(m.Trace, Step{W: slices.Clone(m.W), E: m.E, GradNorm: norm, Misclassified: m.Misclassified, Iteration: m.Passes})
	return m.Excess, nil
}

package glm

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// With several classes there is no maximum if and only if there are directions d_k, not
// all equal up to the null space of Φ, with d_tᵀφ ≥ d_kᵀφ for every row, its class t and every
// other class k. A row with several classes of positive target needs equality among these. So each
// row makes K−1 contrasts (e_t − e_k) ⊗ φ, which replace the signed rows of two classes. The proof
// in exists holds as well: the third derivative of ln Σ exp(a_k) along h is a third cumulant, at
// most the spread max_k h_k − min_k h_k times the second cumulant.

// Contrasts calls f for each contrast of a row with activations a and targets t, with the row's
// class, the other class and the signed margin.
func Contrasts(a, t []float64, f func(own, other int, margin float64)) {
	own := first(t)
	for k, v := range t {
		switch {
		case k == own:
		case v > 0:
			f(own, k, -math.Abs(a[own]-a[k]))
		default:
			f(own, k, a[own]-a[k])
		}
	}
}

// softmaxEachRow reduces over all rows with their activations for weights w.
func softmaxEachRow[A any](s *softmaxRows, w []float64, newAcc func() A, row func(acc A, phi, a, t []float64), merge func(dst, src A)) A {
	return block.ReduceWide(s.design, s.K*s.m*s.K*s.m, newAcc, func(rows int) func(A, *block.Block) {
		p := s.pass(rows, OnlyValue)
		return func(acc A, b *block.Block) {
			p.read(b, w)
			a, t := p.y, p.d
			for r := range b.N {
				p.by.Row(a, p.by.A, r)
				p.by.Row(t, p.by.T, r)
				row(acc, b.Row(r), a, t)
			}
		}
	}, merge)
}

// Leverage returns the largest zᵀCCᵀz over all rows and pairs of classes, where
// z = (e_j−e_k) ⊗ φ and C has the given columns.
func (s *softmaxRows) Leverage(cols [][]float64) float64 {
	return *block.ReduceWide(s.design, 1, func() *float64 { return new(float64) },
		func(rows int) func(*float64, *block.Block) {
			a, sum := make([]float64, s.K*rows), make([]float64, s.K*s.K*rows)
			return func(most *float64, b *block.Block) {
				clear(sum)
				for _, c := range cols {
					for k := range s.K {
						b.Margins(c[k*s.m:(k+1)*s.m], a[k*rows:])
					}
					for j := range s.K {
						for k := range j {
							for r := range b.N {
								d := a[j*rows+r] - a[k*rows+r]
								sum[(j*s.K+k)*rows+r] += d * d
							}
						}
					}
				}
				for _, v := range sum {
					*most = math.Max(*most, v)
				}
			}
		}, func(dst, src *float64) { *dst = math.Max(*dst, *src) })
}

// Along returns the triangular factor of the contrasts that grow less than
// growth along d.
func (s *softmaxRows) Along(d []float64, growth float64) *block.Triangle {
	p := s.K * s.m
	return softmaxEachRow(s, d, func() *block.Triangle { return block.NewTriangle(p) },
		func(tri *block.Triangle, phi, a, t []float64) {
			Contrasts(a, t, func(own, other int, margin float64) {
				if margin >= growth {
					return
				}
				z := make([]float64, p)
				for u, v := range phi {
					z[own*s.m+u], z[other*s.m+u] = v, -v
				}
				tri.AddRow(z)
			})
		}, (*block.Triangle).Merge)
}

// Certify tests every contrast against a direction of unit length: no contrast may be negative,
// and some must be clearly positive. It returns the number of rows with a contrast of zero.
func (s *softmaxRows) Certify(dir []float64, zero float64) (on int, ok bool) {
	type sides struct{ on, right, wrong int }
	c := softmaxEachRow(s, dir, func() *sides { return new(sides) },
		func(c *sides, _, a, t []float64) {
			onPlane := false
			Contrasts(a, t, func(_, _ int, margin float64) {
				switch {
				case margin < -zero:
					c.wrong++
				case margin > 1e4*zero:
					c.right++
				default:
					onPlane = true
				}
			})
			if onPlane {
				c.on++
			}
		}, func(dst, src *sides) { dst.on += src.on; dst.right += src.right; dst.wrong += src.wrong })
	return c.on, c.wrong == 0 && c.right > 0
}

package linalg

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// WellConditioned is the least pivot of a Gram matrix with unit diagonal that is
// trusted: a condition number of about 10⁵, some hundreds for Φ. One step of
// refinement then brings the solution of the normal equations to the accuracy of
// the orthogonal one, and an inverse Hessian keeps ten digits.
const WellConditioned = 1e-5

// summed is from how many rows on the normal equations are tried first.
const summed = 64

// Large reports whether a factorisation of N×M costs enough, over about a hundredth of
// a second, that a Gram matrix is taken for it where that is well conditioned.
func Large(n, m int) bool { return n*m*m > 1<<24 }

// simple is the least pivot from which no refinement is needed: ΦᵀΦ then costs a few
// bits at most.
const simple = 1e-2

// leftOver is the least share of Σt² that the residuals must have where they are not
// summed themselves.
const leftOver = 1. / 32

// Sums are those over all rows of one pass.
type Sums struct {
	rhs  [][]float64 // K of M: Φᵀ(t − Φw)
	Half float64     // ½ Σ squares of the residuals
}

// normalEquations solves the least-squares problem by the Cholesky factor of
// ΦᵀΦ, summed in one pass with ΦᵀT, and where that is not accurate enough with one
// refinement by the residuals. It returns nil if Φ is not clearly well conditioned, or a
// sum overflows. The extra rows are as in SolveLeastSquares.
func normalEquations(d *block.Design, k int, target func(i int, t []float64), extra ...[]float64) *Solution {
	_, m := d.Dims()
	g := targetGram(d, k, target)
	r, pivot := Cholesky(func(i, j int) float64 {
		v := g.At(i, j)
		for _, e := range extra {
			v += e[i] * e[j]
		}
		return v
	}, m)
	if r == nil || pivot < WellConditioned {
		return nil
	}
	s := &Solution{Method: "normal equations"}
	sharp := pivot >= simple
	for j := range k {
		rhs := make([]float64, m)
		for i := range rhs {
			rhs[i] = g.At(i, m+j)
		}
		w, size := r.Solve(r.SolveT(rhs)), g.At(m+j, m+j)
		left := size - Dot(w, rhs)
		sharp = sharp && left >= leftOver*size
		s.W, s.Half = append(s.W, w), s.Half+left/2
	}
	if sharp {
		return s
	}
	s.Method += " with refinement"
	residuals := LsPass(d, s.W, target, extra...)
	s.Half = residuals.Half
	for j, g := range residuals.rhs {
		step := r.Solve(r.SolveT(g))
		s.Half -= Dot(g, step) / 2
		for i, v := range step {
			s.W[j][i] += v
		}
		if !AllFinite(s.W[j]) {
			return nil
		}
	}
	s.Half = math.Max(s.Half, 0)
	return s
}

// targetGram returns the Gram matrix of the columns of Φ and behind them those of the k
// targets.
func targetGram(d *block.Design, k int, target func(i int, t []float64)) *block.Gram {
	_, m := d.Dims()
	return block.Reduce(d, k, func() *block.Gram { return block.NewGram(m + k) }, func(int) func(*block.Gram, *block.Block) {
		return func(g *block.Gram, b *block.Block) {
			for r := range b.N {
				target(b.Lo+r, b.Row(r)[m:])
			}
			g.Add(b)
		}
	}, (*block.Gram).Merge)
}

// LsPass sums the residuals of w over all rows and the extra ones.
func LsPass(d *block.Design, w [][]float64, target func(i int, t []float64), extra ...[]float64) *Sums {
	_, m := d.Dims()
	k := len(w)
	sums := block.Reduce(d, 0, func() *Sums {
		s := &Sums{rhs: make([][]float64, k)}
		for j := range s.rhs {
			s.rhs[j] = make([]float64, m)
		}
		return s
	}, func(rows int) func(*Sums, *block.Block) {
		t, a := make([]float64, rows*k), make([]float64, rows)
		return func(s *Sums, b *block.Block) {
			for r := range b.N {
				target(b.Lo+r, t[r*k:(r+1)*k])
			}
			var half float64
			for j, wj := range w {
				b.Margins(wj, a)
				for r := range b.N {
					a[r] = t[r*k+j] - a[r]
					half += b.W.At(r) * a[r] * a[r] / 2
				}
				b.AddRows(s.rhs[j], a)
			}
			s.Half += half
		}
	}, func(dst, src *Sums) {
		for j, g := range src.rhs {
			for i, v := range g {
				dst.rhs[j][i] += v
			}
		}
		dst.Half += src.Half
	})
	for _, e := range extra {
		for j, wj := range w {
			a := -Dot(e, wj)
			sums.Half += a * a / 2
			for i, v := range e {
				sums.rhs[j][i] += a * v
			}
		}
	}
	return sums
}

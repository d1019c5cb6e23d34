package linalg

import "github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"

// WellConditioned is the least pivot of a Gram matrix with unit diagonal that is
// trusted: a condition number of about 10⁵, some hundreds for Φ. One step of
// refinement then brings the solution of the normal equations to the accuracy of
// the orthogonal one, and an inverse Hessian keeps ten digits.
const WellConditioned = 1e-5

// Large reports whether a factorisation of N×M costs enough (over about a
// second hundredth) that the normal equations are worth their condition check.
func Large(n, m int) bool { return n*m*m > 1<<24 }

// Sums are those over all rows of one pass.
type Sums struct {
	gram *block.Gram
	rhs  [][]float64 // K of M: Φᵀ(t − Φw)
	Half float64     // ½ Σ squares of the residuals
}

// normalEquations solves the least-squares problem by the Cholesky factor of
// ΦᵀΦ, with one refinement by the residuals. It returns nil if Φ is not clearly
// well conditioned. The extra rows are as in SolveLeastSquares.
func normalEquations(d *block.Design, k int, target func(i int, t []float64), extra ...[]float64) *Solution {
	_, m := d.Dims()
	w := make([][]float64, k)
	for j := range w {
		w[j] = make([]float64, m)
	}
	s := LsPass(d, w, target, true, extra...)
	gram := func(i, j int) float64 {
		g := s.gram.At(i, j)
		for _, e := range extra {
			g += e[i] * e[j]
		}
		return g
	}
	r, pivot := Cholesky(gram, m)
	if r == nil || pivot < WellConditioned {
		return nil
	}
	// First the solution, then the correction by its residuals.
	for range 2 {
		for j, g := range s.rhs {
			for i, v := range r.Solve(r.SolveT(g)) {
				w[j][i] += v
			}
		}
		s = LsPass(d, w, target, false, extra...)
	}
	return &Solution{W: w, Half: s.Half, Method: "normal equations with refinement"}
}

// LsPass sums the residuals of w over all rows and the extra ones, and the Gram
// matrix of the former on request.
func LsPass(d *block.Design, w [][]float64, target func(i int, t []float64), gram bool, extra ...[]float64) *Sums {
	_, m := d.Dims()
	k := len(w)
	sums := block.Reduce(d, 0, func() *Sums {
		s := &Sums{rhs: make([][]float64, k)}
		for j := range s.rhs {
			s.rhs[j] = make([]float64, m)
		}
		if gram {
			s.gram = block.NewGram(m)
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
			if gram {
				s.gram.Add(b)
			}
		}
	}, func(dst, src *Sums) {
		for j, g := range src.rhs {
			for i, v := range g {
				dst.rhs[j][i] += v
			}
		}
		dst.Half += src.Half
		if gram {
			dst.gram.Merge(src.gram)
		}
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

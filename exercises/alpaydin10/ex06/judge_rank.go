package ex06

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type rankFunc = func(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64, w0 float64)

// judgeRank compares W with the nearest matrix of its rank, and looks at the
// derivatives with respect to the rest.
func judgeRank(fit rankFunc) verify.Verdict {
	for _, s := range samples(source(6)) {
		_, d := s.X.Dims()
		for rank := range d + 1 {
			const lambda = 0.5
			var in learner.Inputs
			W, w, w0 := fit(in.Dense("X", s.X), in.Slice("r", s.r), lambda, rank)
			if bad := in.Changed(4); bad != nil {
				return *bad
			}
			named := s
			named.name = fmt.Sprintf("%s, rank %d", s.name, rank)
			m, bad := checked(named, W, w, w0)
			if bad != nil {
				return *bad
			}
			if v := wrongRank(named, m, s.fit(lambda, nil), rank); v != nil {
				return *v
			}
		}
	}
	return verify.Pass("Your W has the rank asked for and is the nearest such matrix to the fitted one; w and w0 are the best for it. Rank 0 is the linear discriminant, rank D the quadratic one.")
}

// wrongRank is nil where m is the low-rank model that belongs to full.
func wrongRank(s sample, m, full model, rank int) *verify.Verdict {
	d := len(m.w)
	want := truncate(full.W, rank)
	size := 1e-4 * (1 + mat.Norm(full.W, 2))
	near := func(a mat.Matrix) bool { return verify.CloseMat(m.W, a, verify.Tolerance{Abs: size}).OK }
	if !near(want) {
		var svd mat.SVD
		got := 0
		if svd.Factorize(m.W, mat.SVDNone) {
			for _, v := range svd.Values(nil) {
				if v > size {
					got++
				}
			}
		}
		block := mat.NewDense(d, d, nil) // the first rows and columns
		rows := mat.NewDense(d, d, nil)
		for j := range rank {
			rows.SetRow(j, full.W.RawRowView(j))
			for l := range rank {
				block.Set(j, l, full.W.At(j, l))
			}
		}
		switch {
		case rank < d && near(full.W):
			return learner.Fail("not-truncated", 3, "For “%s” W is still the full matrix of FitRegularised.", s.name)
		case near(rows), near(block):
			return learner.Fail("rows-truncated", 3, "For “%s” W keeps its first rows. Rank is about directions, not about rows: keep the leading eigenvectors, W_r = Σ λ_j u_j u_jᵀ.", s.name)
		case near(byEigenvalue(full.W, rank, func(a, b float64) bool { return a > b })):
			return learner.Fail("signed-order", 3, "For “%s” the eigenvalues were taken in the order of their sign: the largest ones first. A large negative eigenvalue bends as strongly as a positive one: order by size.", s.name)
		case near(byEigenvalue(full.W, rank, func(a, b float64) bool { return a < b })),
			near(byEigenvalue(full.W, rank, func(a, b float64) bool { return a*a < b*b })):
			return learner.Fail("smallest-kept", 3, "For “%s” the wrong eigenvalues were kept: gonum returns them rising, so the first ones are the smallest.", s.name)
		case got > rank:
			return learner.Fail("rank-too-high", 3, "For “%s” your W has rank %d.", s.name, got)
		}
		f := verify.CloseMat(m.W, want, verify.Tolerance{})
		return learner.Fail("not-nearest", 3, "For “%s” your W has a rank of %d, but it is not the part of the leading eigenvectors of FitRegularised's W: %s.", s.name, got, f.Off())
	}
	_, dw, dw0 := m.gradient(s)
	tol := 10 * minimumTol * float64(len(s.r))
	if floats.Norm(append(dw, dw0), 2) <= tol {
		return nil
	}
	if rank < d && verify.CloseSlice(m.w, full.w, verify.Tolerance{Abs: 1e-4}).OK && verify.Close(m.w0, full.w0, verify.Tolerance{Abs: 1e-4}).OK {
		return learner.Fail("not-refitted", 3, "For “%s” w and w0 are still those of the full W. With another W another w fits best: learn them anew, with W held fixed.", s.name)
	}
	return learner.Fail("not-best", 3, "For “%s” W is right, but w and w0 are not the best for it: the derivatives of E do not vanish.", s.name)
}

// byEigenvalue keeps rank eigenvalues in another order.
func byEigenvalue(w *mat.Dense, rank int, before func(a, b float64) bool) *mat.Dense {
	d, _ := w.Dims()
	sym := mat.NewSymDense(d, nil)
	for j := range d {
		for l := j; l < d; l++ {
			sym.SetSym(j, l, (w.At(j, l)+w.At(l, j))/2)
		}
	}
	var e mat.EigenSym
	var u mat.Dense
	out := mat.NewDense(d, d, nil)
	if !e.Factorize(sym, true) {
		return out
	}
	e.VectorsTo(&u)
	values := e.Values(nil)
	taken := make([]bool, d)
	for range rank {
		best := -1
		for j, v := range values {
			if !taken[j] && (best < 0 || before(v, values[best])) {
				best = j
			}
		}
		taken[best] = true
		out.RankOne(out, values[best], u.ColView(best), u.ColView(best))
	}
	return out
}

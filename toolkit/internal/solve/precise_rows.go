package solve

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// rowTerms computes the derivatives of a run of rows from activations of 31 digits, for a loss of
// one activation and for a softmax.
type rowTerms struct {
	glm       *glm.Likelihood
	act       [][]linalg.Twofold // of each class, or of the only activation
	a, d1, d2 []float64
	t, buf    []float64 // targets of a softmax, by rows
	y, c      []float64 // of one row
}

func newRowTerms(g *glm.Likelihood, rows int) *rowTerms {
	k := 1
	if g.Many != nil {
		k = g.Many.K
	}
	s := &rowTerms{glm: g, act: make([][]linalg.Twofold, k), a: make([]float64, max(k, rows)), y: make([]float64, k), c: make([]float64, k)}
	for i := range s.act {
		s.act[i] = make([]linalg.Twofold, rows)
	}
	if k > 1 {
		s.t, s.buf = make([]float64, k*rows), make([]float64, k*rows)
	} else {
		s.d1, s.d2 = make([]float64, rows), make([]float64, rows)
	}
	return s
}

// derive reads the targets of rows lo … lo+n−1, whose activations are set.
func (s *rowTerms) derive(lo, n int) {
	if s.glm.Many != nil {
		s.glm.Many.T.Read(lo, lo+n, s.t, s.buf)
		return
	}
	for r, v := range s.act[0][:n] {
		s.a[r] = v.Hi
	}
	s.glm.Loss.Eval(s.a[:n], s.glm.Targets(lo, lo+n), s.d1[:n], s.d2[:n])
}

// each calls f with the parts of ∇E of row r: e·φ for class own, and −e·φ for class other unless
// other is negative. h is the size of e″·a: the rounding of an activation changes e by a rounding
// of h. The K parts of a softmax add up to 0 exactly, so the part of the class with the largest
// posterior is written as the others with the opposite sign.
func (s *rowTerms) each(r int, f func(own, other int, e, h float64)) {
	if s.glm.Many == nil {
		f(0, -1, s.d1[r], math.Abs(s.d2[r]*s.a[r]))
		return
	}
	k := len(s.act)
	top := 0
	for i := range k {
		if s.act[top][r].Less(s.act[i][r]) {
			top = i
		}
	}
	for i := range k {
		s.a[i] = s.act[i][r].AddTimes(-1, s.act[top][r]).Hi
	}
	kernels.SoftmaxParts(s.y, s.c, s.a[:k])
	for i, t := range s.t[r*k : (r+1)*k] {
		if i != top {
			f(i, top, s.y[i]*(1-t)-t*s.c[i], s.y[i]*math.Abs(s.a[i]))
		}
	}
}

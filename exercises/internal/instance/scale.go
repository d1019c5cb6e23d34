package instance

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A Scale is the size of each row and column of a symmetric matrix, such as a Hessian, whose
// sizes follow from the columns of its design matrix. Matrices are given row by row.
type Scale []float64

// Units returns the product of the two sizes that belong to each entry.
func (s Scale) Units() (u []float64) {
	for _, a := range s {
		for _, b := range s {
			u = append(u, a*b)
		}
	}
	return u
}

// Even divides each entry by its unit. The result is the Hessian for columns scaled to size 1,
// so that one tolerance serves all entries.
func (s Scale) Even(h []float64) *mat.Dense {
	return mat.NewDense(len(s), len(s), floats.DivTo(make([]float64, len(h)), h, s.Units()))
}

// Unit is Even with the largest entry scaled to size 1 and negligible entries set to 0. It serves
// to find the signs of eigenvalues: very large and very small numbers in one matrix are hard on
// the decomposition.
func (s Scale) Unit(h []float64) *mat.Dense {
	first := shrunk(mat.NewDense(len(s), len(s), append([]float64(nil), h...)))
	return shrunk(s.Even(first.RawMatrix().Data))
}

func shrunk(h *mat.Dense) *mat.Dense {
	largest := math.Max(mat.Max(h), -mat.Min(h))
	if largest == 0 {
		return h
	}
	h.Apply(func(_, _ int, v float64) float64 {
		if v /= largest; math.Abs(v) < 1e-100 {
			return 0
		}
		return v
	}, h)
	return h
}

// Ridge reports whether h is right with one α > 0 added to the diagonal, with or
// without the first entry (a bias without a prior). It returns false for a single entry, which
// cannot tell.
func (s Scale) Ridge(h, right []float64) bool {
	n := len(s)
	if n < 2 {
		return false
	}
	extra := mat.NewDense(n, n, Minus(h, right))
	at := floats.MinIdx(s[1:]) + 1 // the entry that shows α best
	alpha := extra.At(at, at)
	for i := range n {
		for j := range n {
			want := 0.0
			if i == j && (i > 0 || extra.At(0, 0) > alpha/2) {
				want = alpha
			}
			if !(math.Abs(extra.At(i, j)-want) <= 1e-3*alpha+1e-12*s[i]*s[j]) {
				return false
			}
		}
	}
	return alpha > 0
}

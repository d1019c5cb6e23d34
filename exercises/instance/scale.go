package instance

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A Scale contains one size for each row and column of a symmetric matrix, such as a Hessian. The
// sizes follow from the columns of the design matrix. Methods accept matrices row by row.
type Scale []float64

// Units returns, for each entry of the matrix, the product of the sizes of its row and column.
func (s Scale) Units() (u []float64) {
	for _, a := range s {
		for _, b := range s {
			u = append(u, a*b)
		}
	}
	return u
}

// Even divides each entry of h by its unit. The result is the Hessian for columns scaled to size 1.
// In this form one tolerance suits all entries.
func (s Scale) Even(h []float64) *mat.Dense {
	return mat.NewDense(len(s), len(s), floats.DivTo(make([]float64, len(h)), h, s.Units()))
}

// Unit is Even with the largest entry scaled to size 1 and negligible entries set to 0. It is for
// finding the signs of eigenvalues, because a decomposition of very large and very small numbers is
// inaccurate.
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

// Ridge reports whether h equals right with one α > 0 added to the diagonal. The first entry, a
// bias, may be without α. It returns false for a matrix with a single entry, because α cannot be
// recognised there.
func (s Scale) Ridge(h, right []float64) bool {
	n := len(s)
	if n < 2 {
		return false
	}
	extra := mat.NewDense(n, n, Minus(h, right))
	at := floats.MinIdx(s[1:]) + 1 // the diagonal entry from which α can be read most accurately
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

package verify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// Close compares two numbers. Equal infinities are close; NaN is close to nothing.
func Close(got, want float64, tol Tolerance) Finding {
	if got == want {
		return Finding{OK: true}
	}
	if !finite(got) || !finite(want) {
		return Finding{Miss: math.NaN()}
	}
	miss := math.Abs(got - want)
	return Finding{OK: miss <= tol.Abs+tol.Rel*math.Abs(want), Miss: miss}
}

// CloseSlice compares two vectors entry by entry. Relative tolerance is taken of
// the largest entry of want, so that a zero among large entries is not held to
// an exact zero.
func CloseSlice(got, want []float64, tol Tolerance) Finding {
	if f := length(len(got), len(want), "entry", "entries"); !f.OK {
		return f
	}
	scale := 0.0
	for _, v := range want {
		scale = math.Max(scale, math.Abs(v))
	}
	tol = Tolerance{Abs: tol.Abs + tol.Rel*scale}
	f := Finding{OK: true}
	for i := range want {
		fi := Close(got[i], want[i], tol)
		fi.Where = fmt.Sprintf("entry %d", i)
		f = worst(f, fi)
	}
	return f
}

// CloseMat compares two matrices entry by entry, with the relative tolerance
// taken of the largest entry of want. A nil matrix is a Finding, not a panic.
func CloseMat(got, want mat.Matrix, tol Tolerance) Finding {
	r, c := want.Dims()
	if f := Shape(got, r, c); !f.OK {
		return f
	}
	tol = Tolerance{Abs: tol.Abs + tol.Rel*maxAbs(want)}
	f := Finding{OK: true}
	for i := range r {
		for j := range c {
			fi := Close(got.At(i, j), want.At(i, j), tol)
			fi.Where = fmt.Sprintf("row %d, column %d", i, j)
			f = worst(f, fi)
		}
	}
	return f
}

// Shape establishes that m is an r×c matrix and not nil.
func Shape(m mat.Matrix, r, c int) Finding {
	if check.Nil(m) {
		return wrong("nil where a %d×%d matrix belongs", r, c)
	}
	if gr, gc := m.Dims(); gr != r || gc != c {
		return wrong("a %d×%d matrix where %d×%d belongs", gr, gc, r, c)
	}
	return Finding{OK: true}
}

func maxAbs(m mat.Matrix) float64 {
	r, c := m.Dims()
	scale := 0.0
	for i := range r {
		for j := range c {
			scale = math.Max(scale, math.Abs(m.At(i, j)))
		}
	}
	return scale
}

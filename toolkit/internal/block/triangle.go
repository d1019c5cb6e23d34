package block

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// Triangle accumulates the upper triangular P×P factor R of an orthogonal factorisation Z = QR of
// all rows added so far. R satisfies RᵀR = ZᵀZ, but Triangle never computes this product. The error
// of R therefore depends on the condition number of Z, and not on its square. An extra column c of
// Z becomes Qᵀc.
type Triangle struct {
	p, ld int
	r     []float64 // the upper triangular matrix R, stored in rows of ld numbers
	dots  []float64
}

// NewTriangle returns the factor R = 0 of a matrix with p columns and no rows.
func NewTriangle(p int) *Triangle {
	ld := vec.Width(p)
	return &Triangle{p, ld, make([]float64, ld*ld), make([]float64, ld)}
}

// At returns element (i, j) of R, which is zero below the diagonal.
func (t *Triangle) At(i, j int) float64 { return t.r[i*t.ld+j] }

// Add adds the rows of the block to the matrix Z, each multiplied by the square root of its weight.
// It destroys the contents of the block.
func (t *Triangle) Add(b *Block) {
	b.scaleByWeights()
	t.add(b.Z, b.N)
}

// AddRow adds one row of P numbers to the matrix Z. It does not change the slice `row`.
func (t *Triangle) AddRow(row []float64) {
	z := make([]float64, t.ld)
	copy(z, row)
	t.add(z, 1)
}

// Merge adds all rows that were added to o. It overwrites o, which must not be used afterwards.
func (t *Triangle) Merge(o *Triangle) { t.add(o.r, t.p) }

// add replaces R with the triangular factor of the matrix that has the rows of R and the n rows of
// z. It applies one Householder reflection for each column of z that is not already zero. R is zero
// below the diagonal, so each reflection changes only one row of R and the rows of z.
func (t *Triangle) add(z []float64, n int) {
	ld := t.ld
	for j := 0; j < t.p; j++ {
		var big float64
		for r := 0; r < n; r++ {
			big = math.Max(big, math.Abs(z[r*ld+j]))
		}
		if big == 0 {
			continue
		}
		top := t.r[j*ld : (j+1)*ld]
		norm := colNorm(z, n, ld, j, top[j], math.Max(big, math.Abs(top[j])))
		// The reflection maps (top_j, z_j) to (alpha, 0). alpha and top_j have opposite signs, so
		// that v0 does not lose digits.
		alpha := -norm
		if top[j] < 0 {
			alpha = norm
		}
		v0 := top[j] - alpha
		// For v = (1, z_j/v0), the reflection is H = I − tau v vᵀ with tau = v0/(−alpha).
		tau := -v0 / alpha
		for r := 0; r < n; r++ {
			z[r*ld+j] /= v0
		}
		t.reflect(z, n, j, tau)
		top[j] = alpha
	}
}

// reflect applies the reflection I − tau v vᵀ with v = (1, z_j) to the columns to the right of
// column j. It processes four rows of z together, so that it reads and writes the elements of vᵀZ
// less often.
func (t *Triangle) reflect(z []float64, n, j int, tau float64) {
	ld, w := t.ld, t.p-j-1
	dots := t.dots[:w]
	rest := t.r[j*ld+j+1:][:len(dots)]
	copy(dots, rest)
	row := func(r int) []float64 { return z[r*ld+j+1:][:len(dots)] }
	r := 0
	for ; r+4 <= n; r += 4 {
		v0, v1, v2, v3 := z[r*ld+j], z[(r+1)*ld+j], z[(r+2)*ld+j], z[(r+3)*ld+j]
		a, b, c, d := row(r), row(r+1), row(r+2), row(r+3)
		for k := range dots {
			dots[k] += (v0*a[k] + v1*b[k]) + (v2*c[k] + v3*d[k])
		}
	}
	for ; r < n; r++ {
		v, a := z[r*ld+j], row(r)
		for k := range dots {
			dots[k] += v * a[k]
		}
	}
	for k := range dots {
		dots[k] *= tau
		rest[k] -= dots[k]
	}
	for r = 0; r+4 <= n; r += 4 {
		v0, v1, v2, v3 := z[r*ld+j], z[(r+1)*ld+j], z[(r+2)*ld+j], z[(r+3)*ld+j]
		a, b, c, d := row(r), row(r+1), row(r+2), row(r+3)
		for k, s := range dots {
			a[k] -= v0 * s
			b[k] -= v1 * s
			c[k] -= v2 * s
			d[k] -= v3 * s
		}
	}
	for ; r < n; r++ {
		v, a := z[r*ld+j], row(r)
		for k, s := range dots {
			a[k] -= v * s
		}
	}
}

// colNorm returns the length of the vector (top, z_j). If squares could overflow or underflow, it
// first divides the numbers by the argument `big`, the largest absolute value.
func colNorm(z []float64, n, ld, j int, top, big float64) float64 {
	if big > 1e-140 && big < 1e140 {
		s := top * top
		for r := 0; r < n; r++ {
			v := z[r*ld+j]
			s += v * v
		}
		return math.Sqrt(s)
	}
	s := (top / big) * (top / big)
	for r := 0; r < n; r++ {
		v := z[r*ld+j] / big
		s += v * v
	}
	return big * math.Sqrt(s)
}

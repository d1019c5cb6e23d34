package block

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// Triangle accumulates the triangular factor R, P×P upper, of an orthogonal factorisation Z = QR
// of all rows added so far. RᵀR = ZᵀZ without ever forming the product, so that R has the accuracy
// of Z, not of its square. An extra column c carried along becomes Qᵀc.
type Triangle struct {
	p, ld int
	r     []float64 // upper triangle, rows of ld
	dots  []float64
}

// NewTriangle returns the factor of no rows, for p columns.
func NewTriangle(p int) *Triangle {
	ld := vec.Width(p)
	return &Triangle{p, ld, make([]float64, ld*ld), make([]float64, ld)}
}

// At returns element (i, j) of R, zero below the diagonal.
func (t *Triangle) At(i, j int) float64 { return t.r[i*t.ld+j] }

// Add adds the rows of the block, each as often as its weight says, and destroys the contents of
// the block.
func (t *Triangle) Add(b *Block) {
	b.weigh()
	t.add(b.Z, b.N)
}

// AddRow adds one row of P numbers, which it does not change.
func (t *Triangle) AddRow(row []float64) {
	z := make([]float64, t.ld)
	copy(z, row)
	t.add(z, 1)
}

// Merge adds the rows of o and destroys o.
func (t *Triangle) Merge(o *Triangle) { t.add(o.r, t.p) }

// add reduces the stack of R and n rows of z to a triangle again, by one Householder reflection
// for each column. R is zero below the diagonal, so each reflection touches one row of R and the
// rows of z.
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
		// The reflection takes (top_j, z_j) to (∓norm, 0), away from top_j.
		alpha := -norm
		if top[j] < 0 {
			alpha = norm
		}
		v0 := top[j] - alpha
		// With v = (1, z_j/v0): H = I − tau v vᵀ, tau = v0/(−alpha).
		tau := -v0 / alpha
		for r := 0; r < n; r++ {
			z[r*ld+j] /= v0
		}
		t.reflect(z, n, j, tau)
		top[j] = alpha
	}
}

// reflect applies I − tau v vᵀ, v = (1, z_j), to the columns right of j. Four
// rows at a time share one pass over the sums.
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

// colNorm returns the length of (top, z_j), scaled by big when squares could
// overflow or vanish.
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

package vec_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// separatedRows returns n rows of d numbers. Between the rows are NaNs that do not belong to any
// row.
func separatedRows(n, d int, rng *rand.Rand) (x []float64, stride int) {
	stride = d + 3
	x = normals(n*stride+1, rng)
	for i := range x {
		if i%stride >= d {
			x[i] = math.NaN()
		}
	}
	return x, stride
}

// TestForms compares Products and Squares with sums computed with 200 bits. The result for a row
// must have the same bits whether the row is processed alone or with others, and with one or
// several vectors of weights. The kernels must use only the numbers of the row.
func TestForms(t *testing.T) {
	forEachPath(t, func(t *testing.T, k vec.Kernels, n, d int, rng *rand.Rand) {
		x, stride := separatedRows(n, d, rng)
		shift, w := normals(d, rng), make([][]float64, 5)
		for c := range w {
			w[c] = normals(d+1, rng)
		}
		squares := func(out []float64, _ int, x []float64, stride, n int, f *vec.Form, ahead bool) {
			k.Squares(out, x, stride, n, f, ahead)
		}
		for name, c := range map[string]struct {
			sum   func(out []float64, ldo int, x []float64, stride, n int, f *vec.Form, ahead bool)
			many  int
			shift []float64
			terms func(x, s, w float64) (a, b float64)
		}{
			"products":        {k.Products, 5, shift, func(x, s, w float64) (a, b float64) { return x - s, w }},
			"two products":    {k.Products, 2, shift, func(x, s, w float64) (a, b float64) { return x - s, w }},
			"without a shift": {k.Products, 1, nil, func(x, s, w float64) (a, b float64) { return x, w }},
			"squares": {squares, 1, shift,
				func(x, s, w float64) (a, b float64) { return (x - s) * w, (x - s) * w }},
		} {
			f, ldo, one := vec.NewForm(c.shift, w[:c.many]...), n+2, make([]float64, 1)
			out := make([]float64, c.many*ldo)
			c.sum(out, ldo, x, stride, n, f, true)
			for v := range c.many {
				alone := vec.NewForm(c.shift, w[v])
				for r := range n {
					want, size := exactSum(d+1, func(j int) (float64, float64) {
						if j == d {
							return w[v][0], 1
						}
						return c.terms(x[r*stride+j], shift[j], w[v][j+1])
					})
					c.sum(one, 1, x[r*stride:], stride, 1, alone, false)
					if got := out[v*ldo+r]; !withinRounding(got, want, size, d+1) || got != one[0] {
						t.Fatalf("%s, row %d, vector %d: the result is %v together with others and %v alone, want %v for both",
							name, r, v, got, one[0], want)
					}
				}
				if out[v*ldo+n] != 0 || out[v*ldo+n+1] != 0 {
					t.Errorf("%s: the kernel wrote after the last row", name)
				}
			}
		}
	})
}

// TestByRow checks every number of the transpose, for 1 to 10 columns.
func TestByRow(t *testing.T) {
	forEachPath(t, func(t *testing.T, k vec.Kernels, n, m int, rng *rand.Rand) {
		columns := m%11 + 1
		lda, stride := n+rng.IntN(3), columns+rng.IntN(3)
		a, out := normals(columns*lda, rng), make([]float64, n*stride)
		k.ByRow(out, stride, a, lda, n, columns)
		for i, v := range out {
			want, r, c := 0.0, i/stride, i%stride
			if c < columns {
				want = a[c*lda+r]
			}
			if v != want {
				t.Fatalf("%d columns: row %d, column %d is %v, want %v", columns, r, c, v, want)
			}
		}
	})
}

// TestFinite checks Finite for slices of finite numbers, and for slices in which one number is not
// finite. This number is at each position in turn.
func TestFinite(t *testing.T) {
	forEachPath(t, func(t *testing.T, k vec.Kernels, n, _ int, rng *rand.Rand) {
		a := normals(n, rng)
		if !k.Finite(a) {
			t.Error("Finite is false for finite numbers, want true")
		}
		for i, v := range a {
			for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				if a[i] = bad; k.Finite(a) {
					t.Errorf("Finite is true for %v at index %d, want false", bad, i)
				}
			}
			a[i] = v
		}
	})
}

// TestProductsAsMargins checks that Products and Margins in plain Go return the same bits, if the
// rows for Margins are the rows for Products with a leading 1.
func TestProductsAsMargins(t *testing.T) {
	k := vec.Paths()[0]
	rng := rand.New(rand.NewPCG(4, 13))
	for d := 1; d < 20; d++ {
		x, w, out, want := normals(d, rng), normals(d+1, rng), make([]float64, 1), make([]float64, 1)
		z, weights := make([]float64, vec.Width(d+1)), make([]float64, vec.Width(d+1))
		z[0] = 1
		copy(z[1:], x)
		copy(weights, w)
		k.Products(out, 1, x, d, 1, vec.NewForm(nil, w), false)
		k.Margins(want, z, 1, len(z), d+1, weights)
		if out[0] != want[0] {
			t.Errorf("%d columns: Products returns %v, want %v as from Margins", d, out[0], want[0])
		}
	}
}

// TestLengths compares Lengths with forward substitution for each row. The result for a row must
// have the same bits whether the row is processed alone or with others.
func TestLengths(t *testing.T) {
	forEachPath(t, func(t *testing.T, k vec.Kernels, n, d int, rng *rand.Rand) {
		x, stride := separatedRows(n, d, rng)
		var whitenings []*vec.Whitening
		var roots, shifts [][]float64
		for range 2 {
			r := normals(d*d, rng)
			for j := range d {
				r[j*d+j] = 4 + math.Abs(r[j*d+j])
			}
			roots, shifts = append(roots, r), append(shifts, normals(d, rng))
			whitenings = append(whitenings, vec.NewWhitening(shifts[len(shifts)-1], r))
		}
		room, one := make([]float64, vec.Room(d)), make([]float64, 2)
		out := make([]float64, 2*n+3)
		k.Lengths(out, n+1, x, stride, n, whitenings, room)
		for r := range n {
			k.Lengths(one, 1, x[r*stride:], stride, 1, whitenings, room)
			for c, root := range roots {
				u, want := make([]float64, d), 0.0
				for j := range d {
					s := x[r*stride+j] - shifts[c][j]
					for i := range j {
						s -= root[i*d+j] * u[i]
					}
					u[j] = s / root[j*d+j]
					want += u[j] * u[j]
				}
				if got := out[c*(n+1)+r]; math.Abs(got-want) > 1e-12*want || got != one[c] {
					t.Fatalf("row %d, whitening %d: the squared length is %v with other rows and %v alone, want %v",
						r, c, got, one[c], want)
				}
			}
		}
		if out[n] != 0 || out[2*n+1] != 0 {
			t.Error("the kernel wrote after the last row")
		}
	})
}

package vec_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// sizes contains numbers of rows n and of columns m. Many of them are a multiple of a vector width,
// or one less, or one more.
var sizes = []struct{ n, m int }{{0, 3}, {0, 24}, {1, 1}, {1, 7}, {3, 8}, {5, 9}, {7, 2}, {8, 5}, {9, 16}, {13, 17},
	{17, 24}, {31, 26}, {64, 33}, {65, 51}, {100, 60}}

// forEachPath runs a test on every code path that this processor supports, for every combination of
// sizes.
func forEachPath(t *testing.T, test func(t *testing.T, k vec.Kernels, n, m int, rng *rand.Rand)) {
	for _, k := range vec.Paths() {
		for _, s := range sizes {
			t.Run(fmt.Sprintf("%s/%d×%d", k.Name(), s.n, s.m), func(t *testing.T) {
				test(t, k, s.n, s.m, rand.New(rand.NewPCG(uint64(s.n), uint64(s.m))))
			})
		}
	}
}

// packedRows returns n rows of m numbers, each padded with zeros.
func packedRows(n, m int, rng *rand.Rand) (z []float64, ld int) {
	ld = vec.Width(m)
	z = make([]float64, n*ld+vec.Pad)
	for r := range n {
		for j := range m {
			z[r*ld+j] = rng.NormFloat64()
		}
	}
	return z, ld
}

func normals(n int, rng *rand.Rand) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

// exactSum returns Σ a_i b_i, computed with 200 bits, and Σ |a_i b_i|.
func exactSum(n int, product func(i int) (a, b float64)) (sum, size float64) {
	s := new(big.Float).SetPrec(200)
	for i := range n {
		a, b := product(i)
		s.Add(s, new(big.Float).SetPrec(200).Mul(big.NewFloat(a), big.NewFloat(b)))
		size += math.Abs(a * b)
	}
	sum, _ = s.Float64()
	return sum, size
}

// withinRounding reports whether a sum of n products is accurate. Its error must be at most n+2
// rounding errors of the sum of the absolute values.
func withinRounding(got, want, size float64, n int) bool {
	return math.Abs(got-want) <= float64(n+2)*0x1p-53*size
}

func TestGramAndCross(t *testing.T) {
	forEachPath(t, func(t *testing.T, k vec.Kernels, n, m int, rng *rand.Rand) {
		z, ld := packedRows(n, m, rng)
		b, ldb := packedRows(n, m+5, rng)
		g, c := make([]float64, ld*ld), make([]float64, ld*ldb)
		k.Gram(g, z, n, ld, m, z)
		k.Cross(c, z, ld, b, ldb, n)
		for i := range m {
			for j := i; j < m; j++ {
				want, size := exactSum(n, func(r int) (float64, float64) { return z[r*ld+i], z[r*ld+j] })
				if !withinRounding(g[i*ld+j], want, size, n) {
					t.Fatalf("G(%d,%d) = %v, want %v", i, j, g[i*ld+j], want)
				}
			}
			for j := range m + 5 {
				want, size := exactSum(n, func(r int) (float64, float64) { return z[r*ld+i], b[r*ldb+j] })
				if !withinRounding(c[i*ldb+j], want, size, n) {
					t.Fatalf("C(%d,%d) = %v, want %v", i, j, c[i*ldb+j], want)
				}
			}
		}
	})
}

// TestMargins checks that the product of a row and the weights is accurate, and that it has the
// same bits whether the row is processed alone or with others.
func TestMargins(t *testing.T) {
	forEachPath(t, func(t *testing.T, k vec.Kernels, n, m int, rng *rand.Rand) {
		z, ld := packedRows(n, m, rng)
		w, out, one := make([]float64, ld), make([]float64, n+1), make([]float64, 1)
		copy(w, normals(m, rng))
		out[n] = 7
		k.Margins(out, z, n, ld, m, w)
		for r := range n {
			want, size := exactSum(m, func(j int) (float64, float64) { return z[r*ld+j], w[j] })
			k.Margins(one, z[r*ld:], 1, ld, m, w)
			if !withinRounding(out[r], want, size, m) || out[r] != one[0] {
				t.Fatalf("the product of row %d is %v with other rows and %v alone, want %v", r, out[r], one[0], want)
			}
		}
		if out[n] != 7 {
			t.Error("the kernel wrote after the last row")
		}
	})
}

func TestAddRows(t *testing.T) {
	forEachPath(t, func(t *testing.T, k vec.Kernels, n, m int, rng *rand.Rand) {
		z, ld := packedRows(n, m, rng)
		s, dst := normals(n, rng), make([]float64, m+1)
		dst[m] = 7
		k.AddRows(dst[:m], z, n, ld, s)
		for j := range m {
			want, size := exactSum(n, func(r int) (float64, float64) { return z[r*ld+j], s[r] })
			if !withinRounding(dst[j], want, size, n) {
				t.Fatalf("the sum of column %d is %v, want %v", j, dst[j], want)
			}
		}
		if dst[m] != 7 {
			t.Error("the kernel wrote after the last column")
		}
		class, sum := make([]int, n), make([]float64, 3*ld)
		for r := range class {
			class[r] = rng.IntN(3)
		}
		k.AddByClass(sum, z, n, ld, class, s)
		for i := range sum {
			c, j := i/ld, i%ld
			want, size := exactSum(n, func(r int) (float64, float64) {
				if class[r] != c {
					return 0, 0
				}
				return z[r*ld+j], s[r]
			})
			if !withinRounding(sum[i], want, size, n) {
				t.Fatalf("the sum of class %d, column %d is %v, want %v", c, j, sum[i], want)
			}
		}
		clear(sum)
		k.AddSquares(sum, z, n, ld, class, s)
		for i := range sum {
			c, j := i/ld, i%ld
			want, size := exactSum(n, func(r int) (float64, float64) {
				if class[r] != c {
					return 0, 0
				}
				return z[r*ld+j] * z[r*ld+j], s[r]
			})
			if !withinRounding(sum[i], want, size, n+1) {
				t.Fatalf("the sum of squares of class %d, column %d is %v, want %v", c, j, sum[i], want)
			}
		}
	})
}

// TestPack checks that packing gives the same bits on every code path as in plain Go. It also
// checks that each scaled number and each product has the bits of a single multiplication.
func TestPack(t *testing.T) {
	forEachPath(t, func(t *testing.T, k vec.Kernels, n, m int, rng *rand.Rand) {
		d, stride := m, m+3
		x := normals(n*stride, rng)
		if n > 0 { // the slice x ends after its last row, so that plain Go panics if it reads further
			x = x[: (n-1)*stride+d : (n-1)*stride+d]
		}
		scale, shifts, class := normals(d, rng), [][]float64{normals(d, rng), normals(d, rng)}, make([]int, n)
		for r := range class {
			class[r] = rng.IntN(2)
		}
		// the padding includes up to two extra vectors, which must become zero
		ld := vec.Width(d+1) + vec.Pad*rng.IntN(3)
		z, plain := make([]float64, n*ld), make([]float64, n*ld)
		for i := range z {
			z[i] = math.NaN()
		}
		for _, p := range []*vec.Packing{vec.NewPacking(d, 1, scale, shifts...), vec.NewPacking(d, 0, nil, shifts...),
			vec.NewPacking(d, 1, nil, nil, nil)} {
			k.Affine(z, ld, x, stride, n, p, class, true)
			vec.Paths()[0].Affine(plain, ld, x, stride, n, p, class, true)
			for i, v := range z {
				if v != plain[i] {
					t.Fatalf("z[%d] = %v, want %v", i, v, plain[i])
				}
			}
		}
		s, to := normals(n, rng), make([]float64, n*ld)
		k.Scale(to, ld, z, ld, d+1, n, s)
		ldv := vec.PackedSquare(d + 1)
		v := make([]float64, n*ldv)
		z = append(z, make([]float64, vec.Pad)...)
		k.PackSquare(v, ldv, z, ld, d+1, n)
		for r := range n {
			at := 0
			for i := range d + 1 {
				if to[r*ld+i] != s[r]*z[r*ld+i] {
					t.Fatalf("the scaled number in row %d, column %d is %v, want s_r z_i = %v", r, i, to[r*ld+i], s[r]*z[r*ld+i])
				}
				for j := i; j <= d; j++ {
					if v[r*ldv+at] != z[r*ld+i]*z[r*ld+j] {
						t.Fatalf("the product in row %d of columns %d and %d is %v, want z_i z_j = %v",
							r, i, j, v[r*ldv+at], z[r*ld+i]*z[r*ld+j])
					}
					at++
				}
			}
		}
	})
}

func TestColumns(t *testing.T) {
	forEachPath(t, func(t *testing.T, k vec.Kernels, n, m int, rng *rand.Rand) {
		stride := m + 2
		for _, bad := range []float64{0, math.NaN(), math.Inf(1), math.Inf(-1)} {
			x, share := normals(n*stride, rng), normals(n, rng)
			ld := vec.Width(m)
			c := vec.Columns{D: m, Low: make([]float64, ld), High: make([]float64, ld), Sum: make([]float64, ld)}
			if n > 0 {
				x = x[:(n-1)*stride+m]
				if bad != 0 {
					x[rng.IntN(n)*stride+rng.IntN(m)] = bad
				}
			}
			if finite := k.Columns(c, x, stride, n, share); finite != (bad == 0 || n == 0) {
				t.Fatalf("with the inserted number %v (0 or no rows: no number is inserted), Columns returns finite = %v, want %v",
					bad, finite, bad == 0 || n == 0)
			}
			for j := 0; j < m && bad == 0; j++ {
				low, high := 0.0, 0.0
				for r := range n {
					low, high = min(low, x[r*stride+j]), max(high, x[r*stride+j])
				}
				want, size := exactSum(n, func(r int) (float64, float64) { return x[r*stride+j], share[r] })
				if c.Low[j] != low || c.High[j] != high || !withinRounding(c.Sum[j], want, size, n+1) {
					t.Fatalf("column %d has the range %v … %v and the sum %v, want %v … %v and %v",
						j, c.Low[j], c.High[j], c.Sum[j], low,
						high, want)
				}
			}
		}
	})
}

// TestSidesAgree compares Sides on every code path with Sides in plain Go.
func TestSidesAgree(t *testing.T) {
	forEachPath(t, func(t *testing.T, k vec.Kernels, n, m int, rng *rand.Rand) {
		for round := range 40 {
			a, target := normals(n, rng), make([]float64, n)
			for i := range target {
				target[i] = float64(rng.IntN(2))
				switch r := rng.IntN(200); {
				case round > 20 && r == 0:
					target[i] = rng.Float64()
				case round > 30 && r == 1:
					a[i] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1)}[rng.IntN(5)]
				}
			}
			wrong, margin, hard := k.Sides(a, target)
			w, g, h := vec.Paths()[0].Sides(a, target)
			if wrong != w || margin != g && !(math.IsNaN(margin) && math.IsNaN(g)) || hard != h {
				t.Fatalf("Sides returns %d, %v, %v, want %d, %v, %v for a = %v and t = %v",
					wrong, margin, hard, w, g, h, a, target)
			}
		}
	})
}

// TestSizes compares Sizes on every code path with exact sums. In the last four rounds, it replaces
// a number in d2 with 0, −1, NaN or +Inf, and compares Sizes with Sizes in plain Go instead. The
// square roots that Sizes writes must have the same bits as the results of math.Sqrt.
func TestSizes(t *testing.T) {
	forEachPath(t, func(t *testing.T, k vec.Kernels, n, m int, rng *rand.Rand) {
		for round := range 10 {
			a, d1, d2 := normals(n, rng), normals(n, rng), normals(n, rng)
			for i := range d2 {
				d2[i] = math.Abs(d2[i])
				if rng.IntN(10) == 0 {
					d1[i], d2[i] = 0, 0
				}
			}
			if round > 5 && n > 0 {
				d2[rng.IntN(n)] = []float64{0, -1, math.NaN(), math.Inf(1)}[round-6]
			}
			root := slices.Clone(d2)
			got := k.Sizes(a, d1, root)
			for i, v := range root {
				if want := math.Sqrt(d2[i]); v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
					t.Fatalf("Sizes writes %v as the square root of %v, want %v", v, d2[i], want)
				}
			}
			if round > 5 {
				want := vec.Paths()[0].Sizes(a, d1, slices.Clone(d2))
				same := func(x, y float64) bool {
					return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) < 1e-9*math.Abs(x)
				}
				if !same(got.Pearson, want.Pearson) || !same(got.Slopes, want.Slopes) || !same(got.CurvatureSum,
					want.CurvatureSum) ||
					!same(got.Moved, want.Moved) {
					t.Fatalf("Sizes returns %+v, want %+v", got, want)
				}
				continue
			}
			for _, s := range []struct {
				name    string
				got     float64
				product func(i int) (float64, float64)
			}{
				{"Pearson", got.Pearson, func(i int) (float64, float64) {
					if d1[i] == 0 {
						return 0, 0
					}
					return d1[i], d1[i] / d2[i]
				}},
				{"slopes", got.Slopes, func(i int) (float64, float64) { return 1, math.Abs(d1[i]) }},
				{"curvatures", got.CurvatureSum, func(i int) (float64, float64) { return 1, d2[i] }},
				{"moved", got.Moved, func(i int) (float64, float64) { return math.Abs(a[i]), d2[i] }},
			} {
				if want, size := exactSum(n, s.product); !withinRounding(s.got, want, size, n) {
					t.Fatalf("the sum %s is %v, want %v", s.name, s.got, want)
				}
			}
		}
	})
}

// TestChoice checks which code path Use returns, in a new process for each value of
// HYPERPLANE_KERNEL.
func TestChoice(t *testing.T) {
	if os.Getenv("VEC_CHOICE") != "" {
		fmt.Printf("path %s.", vec.Use().Name())
		return
	}
	paths := vec.Paths()
	fastest := paths[len(paths)-1].Name()
	words := map[string]string{"": fastest, "fast": "generic"}
	for _, p := range paths {
		words[p.Name()] = p.Name()
	}
	for word, want := range words {
		cmd := exec.Command(os.Args[0], "-test.run=^TestChoice$")
		cmd.Env = append(os.Environ(), "VEC_CHOICE=1", vec.Variable+"="+word)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "path "+want+".") {
			t.Errorf("for HYPERPLANE_KERNEL=%q, the error is %v and the output is %s, want no error and the path %s",
				word, err, out, want)
		}
		if said := strings.Contains(string(out), `HYPERPLANE_KERNEL is "fast"`); said != (word == "fast") {
			t.Errorf("HYPERPLANE_KERNEL=%q: want a warning only for an unknown path, got the output %q", word, out)
		}
	}
}

package instance

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
)

// TestTwoClasses checks that the clouds drawn by TwoClasses have the properties on which exercises
// rely.
func TestTwoClasses(t *testing.T) {
	again := TwoClasses(Source(1, 1))
	for i, c := range TwoClasses(Source(1, 1)) {
		t.Run(c.Name, func(t *testing.T) {
			if !mat.Equal(c.X1, again[i].X1) || !mat.Equal(c.X2, again[i].X2) {
				t.Error("two calls with the same source draw different points, want equal points")
			}
			n1, n2, d := c.Dims()
			var chol mat.Cholesky
			if n1+n2 < d+2 || !chol.Factorize(c.Within()) {
				t.Errorf("N1 = %d, N2 = %d, D = %d: want at least D + 2 points and an invertible S_W", n1, n2, d)
			}
			m1, m2 := c.Means()
			if floats.Distance(m1, m2, 2) == 0 {
				t.Error("the means coincide, want different means")
			}
		})
	}
}

// TestTwoClassesVary checks that the clouds vary. In one dimension m2 − m1 must be positive in some
// clouds and negative in others. Each of the two classes must be a single point in some clouds. The
// means must be close together in some clouds, and far apart in other clouds.
func TestTwoClassesVary(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range TwoClasses(Source(1, 1)) {
		n1, n2, d := c.Dims()
		m1, m2 := c.Means()
		gap := floats.Distance(m1, m2, 2)
		for what, holds := range map[string]bool{
			"to the right": d == 1 && m2[0] > m1[0], "to the left": d == 1 && m2[0] < m1[0],
			"N1 = 1": n1 == 1, "N2 = 1": n2 == 1, "near": gap < 0.01,
			"far": gap > 100 && c.Name != "columns of very different size",
		} {
			seen[what] = seen[what] || holds
		}
	}
	for what, holds := range seen {
		if !holds {
			t.Errorf("no clouds have the property “%s”, want some with it", what)
		}
	}
}

// TestScatter tests the scatter of the points −1 and 1 about 0, and about 1. The expected values
// were computed by hand from the definition.
func TestScatter(t *testing.T) {
	x := mat.NewDense(2, 1, []float64{-1, 1})
	if m := Mean(x); m[0] != 0 {
		t.Errorf("got the mean %g, want 0", m[0])
	}
	if s := Scatter(x, []float64{0}).At(0, 0); s != 2 {
		t.Errorf("scatter about 0: %g, want 2", s)
	}
	if s := Scatter(x, []float64{1}).At(0, 0); s != 4 {
		t.Errorf("scatter about 1: %g, want 4", s)
	}
}

func TestCovariance(t *testing.T) {
	for d := 1; d <= 5; d++ {
		var chol mat.Cholesky
		if !chol.Factorize(Covariance(Source(1, uint64(d)), d)) {
			t.Errorf("d = %d: the covariance is not positive definite, want a positive definite matrix", d)
		}
	}
}

// TestLeastSquares checks that the residuals are orthogonal to the columns of [1 X], even if these
// columns are linearly dependent.
func TestLeastSquares(t *testing.T) {
	r := Source(1, 9)
	x := mat.NewDense(9, 3, Normals(r, 27))
	for i := range 9 {
		x.Set(i, 2, x.At(i, 0)+1e3)
	}
	y := mat.NewDense(9, 2, Normals(r, 18))
	w := LeastSquares(x, y)
	var residual, products mat.Dense
	for i := range 9 {
		value, _ := Linear(w, x.RawRowView(i))
		y.SetRow(i, Minus(y.RawRowView(i), value))
	}
	residual.CloneFrom(y)
	products.Mul(WithOnes(x).T(), &residual)
	if m := mat.Norm(&products, 2); !(m < 1e-8) {
		t.Errorf("the norm of [1 X]ᵀ(y − fit) is %g, want less than 1e-8", m)
	}
}

func TestAbove(t *testing.T) {
	for _, c := range []struct {
		gains []float64
		want  bool
	}{
		{[]float64{0.1, 0.2, 0.3, 0.2}, true},
		{[]float64{0.1, -0.2, 0.3, -0.2}, false},
		{[]float64{-0.1, -0.2, -0.3, -0.2}, false},
		{[]float64{0.1, 0.2, 0.1, 90, 0.2, 0.1}, true}, // `Above` limits the gain 90 to ½
		{[]float64{0.1, 0.2, 0.1, -90, 0.2, 0.1}, false},
	} {
		if got := Above(c.gains, 2); got != c.want {
			t.Errorf("for the gains %v the function Above returned %t, want the opposite", c.gains, got)
		}
	}
}

func TestProducts(t *testing.T) {
	got := Products(mat.NewDense(2, 2, []float64{2, 3, -1, 5}))
	if want := mat.NewDense(2, 7, []float64{1, 2, 3, 4, 6, 6, 9, 1, -1, 5, 1, -5, -5, 25}); !mat.Equal(got, want) {
		t.Errorf("Products returned %v, want %v", mat.Formatted(got), mat.Formatted(want))
	}
}

func TestCentred(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 5, 7})
	if got := Centred(x, []float64{1, 3}); !mat.Equal(got, mat.NewDense(2, 2, []float64{0, -1, 4, 4})) || x.At(1, 1) != 7 {
		t.Errorf("Centred returned %v, and x is now %v; want the rows (0, −1) and (4, 4), and x unchanged", mat.Formatted(got), mat.Formatted(x))
	}
}

func TestCombination(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 5, 7})
	if got := Combination(x, []float64{2, -1}); got[0] != -3 || got[1] != -3 {
		t.Errorf("Combination returned %v, want -3 and -3", got)
	}
}

func TestDiameter(t *testing.T) {
	x, y := mat.NewDense(2, 2, []float64{0, 0, 1, 0}), mat.NewDense(1, 2, []float64{4, 4})
	if a, b := Diameter(x), Diameter(x, y); a != 1 || b != mat.Norm(y, 2) {
		t.Errorf("got the diameters %g and %g, want 1 and √32", a, b)
	}
}

func TestScale(t *testing.T) {
	s := Scale{1, 100}
	if got := s.Even([]float64{3, 100, 100, 5e4}); !mat.Equal(got, mat.NewDense(2, 2, []float64{3, 1, 1, 5})) {
		t.Errorf("the method Even returned %v, want (3 1; 1 5)", mat.Formatted(got))
	}
	if got := s.Unit([]float64{-1e308, 5e307, 1e-300, 0}); !mat.EqualApprox(got, mat.NewDense(2, 2, []float64{-1, 0.005, 0, 0}), 1e-15) {
		t.Errorf("Unit returned %v, want (−1 0.005; 0 0)", mat.Formatted(got))
	}
	if got := s.Unit(make([]float64, 4)); mat.Norm(got, 1) != 0 {
		t.Errorf("for a matrix of zeros the method Unit returned %v, want zeros", mat.Formatted(got))
	}
	right := []float64{2, 30, 30, 4e4}
	for _, tc := range []struct {
		name string
		h    []float64
		want bool
	}{
		{"α on the whole diagonal", []float64{2.5, 30, 30, 4e4 + 0.5}, true},
		{"α except on the bias", []float64{2, 30, 30, 4e4 + 0.5}, true},
		{"negative α", []float64{1.5, 30, 30, 4e4 - 0.5}, false},
		{"α, and a different entry beside the diagonal", []float64{2.5, 30.1, 30, 4e4 + 0.5}, false},
		{"no α", right, false},
	} {
		if got := s.Ridge(tc.h, right); got != tc.want {
			t.Errorf("%s: Ridge returned %v, want the opposite", tc.name, got)
		}
	}
	if (Scale{1}).Ridge([]float64{3}, []float64{2}) {
		t.Error("Ridge returns true for a matrix with a single entry, want false")
	}
}

func TestDesign(t *testing.T) {
	draw := func() *mat.Dense {
		return Design(Source(1, 2), 5, []float64{1, 10}, []float64{0, 2})
	}
	phi := draw()
	if !mat.Equal(phi, draw()) {
		t.Error("two draws from equal sources differ, want equal draws")
	}
	for i := range 5 {
		if phi.At(i, 0) != 1 || phi.At(i, 1) == 10 {
			t.Errorf("row %d is %v, want the constant 1 and a random number other than 10", i, phi.RawRowView(i))
		}
	}
	zero := mat.NewDense(2, 2, []float64{-3, 0, 2, 0})
	if s := Sizes(zero); s[0] != 3 || s[1] != 1 {
		t.Errorf("got the sizes %v, want 3 and 1", s)
	}
	if w := Weights(Source(1, 3), zero, 0); len(w) != 2 || w[0] != 0 || w[1] != 0 {
		t.Errorf("got the weights %v, want two zeros", w)
	}
	if a := Activations(zero, []float64{2, 5}); a[0] != -6 || a[1] != 4 {
		t.Errorf("got the activations %v, want −6 and 4", a)
	}
	if got := OneOfK([]int{1, 0}, 2); !mat.Equal(got, mat.NewDense(2, 2, []float64{0, 1, 1, 0})) {
		t.Errorf("got the targets %v, want (0 1; 1 0)", mat.Formatted(got))
	}
	if s := Paired(func(a, b float64) float64 { return a - 2*b })([]float64{1, 2}, []float64{3, -1}); s != -1 {
		t.Errorf("got the sum %g, want -1", s)
	}
	if n := Counts([]int{1, 0, 1}, 3); n[0] != 1 || n[1] != 2 || n[2] != 0 {
		t.Errorf("got the counts %v, want 1, 2 and 0", n)
	}
	w, want := []float64{0.5, 20}, Magnitudes()
	for i, a := range Activations(Reaching(Source(1, 4), w, want), w) {
		if math.Abs(a-want[i]) > 1e-12*want[i] {
			t.Errorf("activation %d is %g, want %g", i, a, want[i])
		}
		if i > 0 && !(want[i] > want[i-1]) {
			t.Errorf("magnitude %d is %g and the magnitude before it is %g, want ascending order", i, want[i], want[i-1])
		}
	}
}

// TestSource checks that the generator for seed 0 draws the same number as in earlier versions. Two
// generators for the same seed, exercise and part must draw the same number. Generators for
// different seeds, exercises or parts must draw different numbers.
func TestSource(t *testing.T) {
	gate.Variant(t, 0)
	if got, want := Source(402, 3).Uint64(), rand.New(rand.NewPCG(402, 3)).Uint64(); got != want {
		t.Errorf("the generator for seed 0 draws %d, want %d", got, want)
	}
	seen := map[uint64]string{}
	for _, n := range []uint64{0, 1, 2, 1 << 40, 1<<53 - 1, 1<<64 - 1} {
		gate.Variant(t, n)
		first := Source(402, 3).Uint64()
		if Source(402, 3).Uint64() != first {
			t.Errorf("two generators for seed %d and the same part draw different numbers, want the same number", n)
		}
		for _, v := range []uint64{first, Source(402, 4).Uint64(), Source(403, 3).Uint64()} {
			if at, known := seen[v]; known {
				t.Errorf("the generator for seed %d draws the same number as a generator for %s, want different numbers", n, at)
			}
			seen[v] = "a different exercise, part or seed"
		}
	}
}

// TestAgain checks that Again returns true only if the seed is not 0 and `wanted` returns false.
func TestAgain(t *testing.T) {
	for _, tc := range []struct {
		seed   uint64
		wanted bool
		want   bool
	}{{0, true, false}, {0, false, false}, {3, true, false}, {3, false, true}} {
		gate.Variant(t, tc.seed)
		if got := Again(func() bool { return tc.wanted }); got != tc.want {
			t.Errorf("for seed %d and a function that returns %v, Again returned %v, want the opposite", tc.seed, tc.wanted, got)
		}
	}
}

func TestOnce(t *testing.T) {
	calls := 0
	f := Once(func() uint64 { calls++; return Source(1, 1).Uint64() })
	for _, n := range []uint64{0, 5, 5, 0} {
		gate.Variant(t, n)
		if got, want := f(), Source(1, 1).Uint64(); got != want {
			t.Errorf("for seed %d the function made by Once returned %d, want %d", n, got, want)
		}
	}
	if calls != 2 {
		t.Errorf("Once called the function %d times for two seeds, want 2", calls)
	}
}

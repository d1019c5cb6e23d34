package instance

import (
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestTwoClasses: what the exercises rely on.
func TestTwoClasses(t *testing.T) {
	again := TwoClasses(Source(1, 1))
	for i, c := range TwoClasses(Source(1, 1)) {
		t.Run(c.Name, func(t *testing.T) {
			if !mat.Equal(c.X1, again[i].X1) || !mat.Equal(c.X2, again[i].X2) {
				t.Error("two runs draw different points")
			}
			n1, n2, d := c.Dims()
			var chol mat.Cholesky
			if n1+n2 < d+2 || !chol.Factorize(c.Within()) {
				t.Errorf("S_W is singular for N1 = %d, N2 = %d, D = %d", n1, n2, d)
			}
			m1, m2 := c.Means()
			if floats.Distance(m1, m2, 2) == 0 {
				t.Error("the means coincide")
			}
		})
	}
}

// TestTwoClassesVary: m2 − m1 has both signs in one dimension, either class may be a
// single point, and the means lie near each other and far apart.
func TestTwoClassesVary(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range TwoClasses(Source(1, 1)) {
		n1, n2, d := c.Dims()
		m1, m2 := c.Means()
		gap := floats.Distance(m1, m2, 2)
		for what, is := range map[string]bool{
			"to the right": d == 1 && m2[0] > m1[0], "to the left": d == 1 && m2[0] < m1[0],
			"N1 = 1": n1 == 1, "N2 = 1": n2 == 1, "near": gap < 0.01, "far": gap > 100 && c.Name != "columns of very different size",
		} {
			seen[what] = seen[what] || is
		}
	}
	for what, is := range seen {
		if !is {
			t.Errorf("no problem %s", what)
		}
	}
}

// TestScatter against the definition by hand: points −1, 1 about 0 and about 1.
func TestScatter(t *testing.T) {
	x := mat.NewDense(2, 1, []float64{-1, 1})
	if m := Mean(x); m[0] != 0 {
		t.Errorf("mean %g, want 0", m[0])
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
			t.Errorf("d = %d: not positive definite", d)
		}
	}
}

// TestLeastSquares: residuals orthogonal to [1 X], with dependent columns too.
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
		t.Errorf("[1 X]ᵀ(y − fit) has the norm %g, want 0", m)
	}
}

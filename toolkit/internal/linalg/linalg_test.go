package linalg_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// randomMatrix returns an n×d matrix of standard normal numbers.
func randomMatrix(seed uint64, n, d int) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	a := mat.NewDense(n, d, nil)
	a.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, a)
	return a
}

// TestUpper compares the results of the methods of Upper with the same computations on gonum's
// dense matrices.
func TestUpper(t *testing.T) {
	for n := 1; n <= 6; n++ {
		a, b, p := randomMatrix(uint64(n), n+3, n), randomMatrix(9, n, 1), randomMatrix(5, n, max(n-1, 1))
		var h, x, y, inv, hb, form mat.Dense
		h.Mul(a.T(), a)
		u, _ := linalg.Cholesky(h.At, n)
		r, rhs := mat.NewDense(n, n, u.A), b.RawMatrix().Data
		for _, err := range []error{x.Solve(r, b), y.Solve(r.T(), b), inv.Inverse(r)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		hb.Mul(r, b)
		form.Product(p.T(), &h, p)
		q, _ := u.Project(p, rhs)
		logDet, _ := mat.LogDet(&h)
		column := func(v []float64) *mat.Dense { return mat.NewDense(n, 1, v) }
		square := func(r *mat.Dense) mat.Matrix { return linalg.Squared(mat.DenseCopyOf(r.T())) }
		for what, c := range map[string][2]mat.Matrix{
			"RᵀR": {square(r), &h}, "pᵀRᵀRp": {square(mat.NewDense(q.N, q.N, q.A)), &form}, "R⁻¹": {u.Inverse(), &inv},
			"R⁻¹b": {column(u.Solve(rhs)), &x}, "R⁻ᵀb": {column(u.SolveT(rhs)), &y}, "Rb": {column(u.Times(rhs)), &hb},
			"ln|RᵀR|": {mat.NewDense(1, 1, []float64{u.LogDet()}), mat.NewDense(1, 1, []float64{logDet})},
		} {
			if !mat.EqualApprox(c[0], c[1], 1e-11) {
				t.Errorf("%d×%d: %s is %.12g, want %.12g", n, n, what, c[0], c[1])
			}
		}
	}
	if u, _ := linalg.Cholesky(mat.NewDense(2, 2, []float64{1, 2, 2, 1}).At, 2); u != nil {
		t.Error("Cholesky returns a factor for an indefinite matrix")
	}
}

// TestTwofold compares a sum computed with Twofold numbers, which have 31 digits, with the same sum
// computed with math/big.
func TestTwofold(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var sum linalg.Twofold
	exact, size := new(big.Float).SetPrec(2000), 0.0
	for range 1000 {
		u, v := rng.NormFloat64(), math.Exp(5*rng.NormFloat64())
		sum = sum.AddProduct(u, v).AddTimes(u, linalg.Twofold{Hi: v, Lo: v * 0x1p-60})
		product := new(big.Float).SetPrec(200).Mul(big.NewFloat(u), big.NewFloat(v))
		exact.Add(exact, product).Add(exact, product).Add(exact, product.SetMantExp(product, -60))
		size += math.Abs(u) * v
	}
	if left, _ := exact.Sub(exact, big.NewFloat(sum.Hi)).Sub(exact, big.NewFloat(sum.Lo)).Float64(); !(math.Abs(left) <= 1e-29*size) {
		t.Errorf("the error of the Twofold sum is %v, want at most 1e-29 times %v, the sum of the absolute terms",
			left, size)
	}
}

package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// TestNormalEquations checks that normalEquations makes only one pass over the rows if the columns
// are clearly independent and do not explain the targets almost exactly. Otherwise it must make a
// second pass, which computes the residuals. In all cases the errors of the weights and of Half must
// be rounding errors. The error of the weights is the remaining Newton step: H⁻¹ times the gradient.
func TestNormalEquations(t *testing.T) {
	const n, d = 40_000, 20
	for _, c := range []struct {
		name         string
		close, noise float64 // distance between columns 0 and 1, and noise of the targets
		method       string
		step, half   float64 // largest allowed relative errors of the weights and of Half
	}{
		{"plain", 1, 1, "normal equations", 1e-14, 1e-13},
		{"columns nearly dependent", 0.02, 1, "normal equations with refinement", 1e-13, 1e-13},
		{"targets nearly explained", 1, 1e-6, "normal equations with refinement", 1e-14, 1e-9},
	} {
		rng := rand.New(rand.NewPCG(4, 16))
		x, y := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range n {
			row := x.RawRowView(i)
			for j := range row {
				row[j] = rng.NormFloat64()
			}
			row[1] = row[0] + c.close*row[1]
			y[i] = row[0] - 2*row[1] + row[7] + 0.25 + c.noise*rng.NormFloat64()
		}
		src := block.NewSource(x)
		design := NewCoordinates(block.Inspect(src), nil).Design(src)
		target := func(i int, to []float64) { to[0] = y[i] }
		s := normalEquations(design, 1, target)
		if s == nil || s.Method != c.method {
			t.Fatalf("%s: normalEquations returns %+v, want a solution with the method %q", c.name, s, c.method)
		}
		left := LsPass(design, s.W, target)
		r, _ := Cholesky(GramOf(design).At, d+1)
		step := r.Solve(r.SolveT(left.rhs[0]))
		if far := Norm(step) / Norm(s.W[0]); !(far <= c.step) {
			t.Errorf("%s: the relative error of the weights is %v, want a rounding error of at most %v", c.name, far, c.step)
		}
		if off := math.Abs(s.Half-left.Half) / left.Half; !(off <= c.half) {
			t.Errorf("%s: Half is %v, want %v as summed over the rows, up to a relative error of %v", c.name, s.Half, left.Half, c.half)
		}
	}
}

// TestNormalEquationsRange checks that the weights are accurate even if the sums over the targets in
// the normal equations overflow. It also checks that Half is tiny and not negative if the columns
// explain the targets exactly.
func TestNormalEquationsRange(t *testing.T) {
	const n = 100
	rng := rand.New(rand.NewPCG(5, 16))
	x, y := mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		x.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
		y[i] = 3 - 2*x.At(i, 0)
	}
	solve := func(size float64) *Solution {
		src := block.NewSource(x)
		c := NewCoordinates(block.Inspect(src), nil)
		return SolveLeastSquares(c.Design(src), c, 1, func(i int, to []float64) { to[0] = size * y[i] })
	}
	plain := solve(1)
	if !(plain.Half >= 0 && plain.Half < 1e-25) {
		t.Errorf("Half is %v as computed by %s, want a number from 0 to 1e-25", plain.Half, plain.Method)
	}
	const large = 0x1p1017
	for i, v := range solve(large).W[0] {
		if off := math.Abs(v/large - plain.W[0][i]); !(off <= 1e-14) {
			t.Errorf("weight %d is %v, want the product %v·%v", i, v, large, plain.W[0][i])
		}
	}
}

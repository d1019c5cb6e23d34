package ex07_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The learning factor of the text: with S the sum of all squares, of the 1 as well,
// no eigenvalue of the Hessian exceeds S/4 anywhere, so that 2/h_max ≥ 8/S. The 4/S
// that is used is safe, and not the largest that is.
func TestSafeLearningFactor(t *testing.T) {
	const n = 40
	for _, ratio := range []float64{1, 5, 30} {
		X, sum := mat.NewDense(n, 3, nil), 0.0
		for i := range n {
			X.SetRow(i, []float64{1, math.Sqrt2 * math.Sin(float64(7*i)), ratio * math.Sqrt2 * math.Cos(float64(11*i*i))})
			for _, v := range X.RawRowView(i) {
				sum += v * v
			}
		}
		largest := func(w []float64) float64 {
			h := mat.NewSymDense(3, nil)
			for i := range n {
				y := 1 / (1 + math.Exp(-mat.Dot(mat.NewVecDense(3, w), X.RowView(i))))
				h.SymRankOne(h, y*(1-y), X.RowView(i))
			}
			var e mat.EigenSym
			if !e.Factorize(h, false) {
				t.Fatal("no eigenvalues")
			}
			return e.Values(nil)[2]
		}
		r := rand.New(rand.NewPCG(10, 7))
		for range 20 {
			if h := largest([]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64() / ratio}); h > sum/4 {
				t.Errorf("ratio %g: an eigenvalue is %g, want at most S/4 = %g", ratio, h, sum/4)
			}
		}
		// At w = 0, where H is largest.
		if bound := 2 / largest(make([]float64, 3)); !(8/sum <= bound && 4/sum < 0.6*bound) {
			t.Errorf("ratio %g: 2/h_max is %g, want at least 8/S = %g", ratio, bound, 8/sum)
		}
	}
}

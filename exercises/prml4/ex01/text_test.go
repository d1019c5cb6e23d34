package ex01_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The text's two infinite sets, {y ≥ 1/x, x > 0} and {y ≤ 0}: finite parts of them
// are separable, by a gap that is at most 1/n for the parts out to x = n.
func TestGapOfInfiniteSets(t *testing.T) {
	for _, n := range []float64{2, 5, 20} {
		above := mat.NewDense(3, 2, []float64{1 / n, n, 1, 1, n, 1 / n})
		below := mat.NewDense(2, 2, []float64{-n, 0, 3 * n, 0})
		w, w0, ok := Separate(above, below)
		if !ok {
			t.Fatalf("n = %g: no hyperplane", n)
		}
		gap := 0.0
		for sign, m := range map[float64]*mat.Dense{1: above, -1: below} {
			least := math.Inf(1)
			for i := range m.RawMatrix().Rows {
				least = min(least, sign*(w[0]*m.At(i, 0)+w[1]*m.At(i, 1)+w0)/math.Hypot(w[0], w[1]))
			}
			gap += least
		}
		if !(gap > 0) || gap > 1/n+1e-9 {
			t.Errorf("n = %g: the gap is %g, want above 0 and at most 1/n", n, gap)
		}
	}
}

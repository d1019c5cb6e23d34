package classify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// must returns the value of a call, or fails the test that it is then given.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// flat returns the elements of a matrix by rows.
func flat(m mat.Matrix) []float64 {
	r, c := m.Dims()
	var out []float64
	for i := range r {
		for j := range c {
			out = append(out, m.At(i, j))
		}
	}
	return out
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// leastMargin returns the least dᵀφ_n in the direction of t_n; soft targets
// count with −|dᵀφ_n|.
func leastMargin(x mat.Matrix, target, d []float64) float64 {
	least := math.Inf(1)
	for i, v := range target {
		a := d[0]
		for j, w := range d[1:] {
			a += w * x.At(i, j)
		}
		switch v {
		case 1:
		case 0:
			a = -a
		default:
			a = -math.Abs(a)
		}
		least = math.Min(least, a)
	}
	return least
}

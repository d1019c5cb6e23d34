package ex01_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex01"
)

// gap is the room between the sets along the reference's w, 0 where they meet.
func gap(x, y *mat.Dense) float64 {
	w, _, ok := Separate(x, y)
	if !ok {
		return 0
	}
	width := math.Inf(1)
	for i := range x.RawMatrix().Rows {
		for k := range y.RawMatrix().Rows {
			v := floats.SubTo(make([]float64, len(w)), x.RawRowView(i), y.RawRowView(k))
			width = math.Min(width, floats.Dot(w, v)/floats.Norm(w, 2))
		}
	}
	return width
}

// apart is how far the reference's weights make two points of one common point.
func apart(x, y *mat.Dense) float64 {
	alpha, beta, ok := CommonPoint(x, y)
	if !ok {
		return math.Inf(1)
	}
	_, d := x.Dims()
	v := make([]float64, d)
	for i, a := range alpha {
		floats.AddScaled(v, a, x.RawRowView(i))
	}
	for i, b := range beta {
		floats.AddScaled(v, -b, y.RawRowView(i))
	}
	return floats.Norm(v, 2)
}

// TestPromise: the separable pairs keep what the statement promises, and some of the
// pairs lie far from the origin.
func TestPromise(t *testing.T) {
	seen, far := 0, 0
	ex01.Check(func(x, y *mat.Dense) ([]float64, float64, bool) {
		w, w0, ok := Separate(x, y)
		if ok {
			seen++
			var all mat.Dense
			all.Stack(x, y)
			longest := 0.0
			for i := range all.RawMatrix().Rows {
				for k := range i {
					longest = math.Max(longest, floats.Distance(all.RawRowView(i), all.RawRowView(k), 2))
				}
			}
			if width := gap(x, y); width < 1e-4*longest {
				t.Errorf("a gap of %g between points that are up to %g apart", width, longest)
			}
			if reach(x, y) > 1e6*spread(x, y) {
				far++
			}
		}
		return w, w0, ok
	}, CommonPoint)
	if seen == 0 || far == 0 {
		t.Errorf("%d separable pairs, %d of them far from the origin", seen, far)
	}
}

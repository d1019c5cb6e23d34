package ex04_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex04"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
)

type (
	mergeFunc = func(w1, w2 []float64) []float64
	splitFunc = func(w []float64) (w1, w2 []float64)
)

func scaled(w []float64, c float64) []float64 {
	return floats.ScaleTo(make([]float64, len(w)), c, w)
}

func TestRight(t *testing.T) {
	messages := map[string]bool{}
	for _, tc := range []struct {
		name  string
		merge mergeFunc
		split splitFunc
	}{
		{"reference", Merge, Split},
		{"loop, first class as the reference", func(w1, w2 []float64) []float64 {
			var w []float64
			for j := range w1 {
				w = append(w, -(w2[j] - w1[j]))
			}
			return w
		}, func(w []float64) ([]float64, []float64) { return make([]float64, len(w)), scaled(w, -1) }},
		{"mat, even pair", func(w1, w2 []float64) []float64 {
			var w mat.VecDense
			w.SubVec(mat.NewVecDense(len(w1), w1), mat.NewVecDense(len(w2), w2))
			return w.RawVector().Data
		}, func(w []float64) ([]float64, []float64) { return scaled(w, 0.5), scaled(w, -0.5) }},
		{"largest taken out, uneven pair", largestOut, func(w []float64) ([]float64, []float64) {
			w1, w2 := scaled(w, 3), scaled(w, 2)
			floats.AddConst(0.25, w1)
			floats.AddConst(0.25, w2)
			return w1, w2
		}},
		{"w itself returned, zeros beside it", func(w1, w2 []float64) []float64 {
			return floats.AddScaledTo(make([]float64, len(w1)), w1, -1, w2)
		}, func(w []float64) ([]float64, []float64) { return w, make([]float64, len(w)) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := ex04.Check(tc.merge, tc.split)
			gate.Right(t, r)
			messages[r.Parts[5].Message] = true
		})
	}
	if len(messages) != 4 {
		t.Errorf("four choices of a pair are told apart in %d messages: %v", len(messages), messages)
	}
}

// largestOut takes the largest weight out of both first, as a stable softmax does,
// and then the logarithm of the ratio of the exponentials.
func largestOut(w1, w2 []float64) []float64 {
	w := make([]float64, len(w1))
	for j := range w {
		top := math.Max(w1[j], w2[j])
		w[j] = (w1[j] - top) - (w2[j] - top)
	}
	return w
}

package block

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestWeightedView: rows of weight 0 are left out, and the other rows keep their weights, through
// a second view too.
func TestWeightedView(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	given := []float64{0.5, 0, 2, 1}
	v, index := NewWeightedView(NewSource(x), given)
	given[0] = 9
	if want := []int{0, 2, 3}; !slices.Equal(index, want) || v.At(1, 1) != 6 || v.At(2, 0) != 7 {
		t.Errorf("rows %v, with %v and %v", index, v.At(1, 1), v.At(2, 0))
	}
	s := NewSource(NewView(NewSource(v), 1, func() func(phi, x []float64) {
		return func(phi, x []float64) { phi[0] = x[0] + x[1] }
	}))
	if want := (Weights{0.5, 2, 1}); !slices.Equal(s.Weights(), want) || s.Total() != 3.5 {
		t.Errorf("weights %v, %v in all", s.Weights(), s.Total())
	}
	if c := Inspect(s); c.Mean[0] != (0.5*3+2*11+15)/3.5 {
		t.Errorf("the mean is %v", c.Mean)
	}
	if n := s.PerClass([]int{1, 0, 1}, 3); !slices.Equal(n, []float64{2, 1.5, 0}) {
		t.Errorf("classes weigh %v", n)
	}
	g := NewGram(2)
	Reduce(NewDesign(s, nil, nil), 0, Nothing, func(int) func(struct{}, *Block) {
		return func(_ struct{}, b *Block) { g.Add(b) }
	}, func(_, _ struct{}) {})
	for _, e := range []struct{ got, want float64 }{{g.At(0, 0), 3.5}, {g.At(0, 1), 0.5*3 + 2*11 + 15}, {g.At(1, 1), 0.5*9 + 2*121 + 225}} {
		if math.Abs(e.got-e.want) > 1e-12*e.want {
			t.Errorf("a sum of squares is %v, want %v", e.got, e.want)
		}
	}
	if whole, index := NewWeightedView(NewSource(x), []float64{1, 2, 1, 1}); index != nil || !NewSource(whole).InMemory() {
		t.Error("rows that all count are copied")
	}
}

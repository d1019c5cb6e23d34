package block

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestView: a view read by blocks, by At and through a second view gives what
// the numbers say, for sources in memory and not.
func TestView(t *testing.T) {
	const n = 700
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		x.Set(i, 0, float64(i))
		x.Set(i, 1, float64(-3*i))
	}
	sum := func() func(phi, x []float64) {
		scratch := make([]float64, 1)
		return func(phi, x []float64) {
			scratch[0] = x[0] + x[1]
			phi[0], phi[1], phi[2] = scratch[0], x[0]*x[1], 7
		}
	}
	var index []int
	for i := n - 1; i >= 0; i -= 2 {
		index = append(index, i)
	}
	for name, m := range map[string]mat.Matrix{"dense": x, "by At": struct{ mat.Matrix }{x}} {
		t.Run(name, func(t *testing.T) {
			all := NewView(NewSource(m), 3, sum)
			some := NewRowsView(NewSource(all), index)
			if r, c := some.Dims(); r != len(index) || c != 3 {
				t.Fatalf("%d×%d", r, c)
			}
			src := NewSource(some)
			if src.InMemory() {
				t.Fatal("a view is not in memory")
			}
			rows, stride := src.Rows(5, 9, make([]float64, 4*3))
			for r := range 4 {
				i := float64(index[5+r])
				for j, want := range []float64{-2 * i, -3 * i * i, 7} {
					if got := rows[r*stride+j]; got != want {
						t.Errorf("row %d, column %d: %v, want %v", 5+r, j, got, want)
					}
					if got := some.T().At(j, 5+r); got != want {
						t.Errorf("At: row %d, column %d: %v, want %v", 5+r, j, got, want)
					}
				}
			}
			cols := Inspect(src)
			if cols.Min[0] != -2*(n-1) || cols.Max[1] != -3 || cols.Mean[2] != 7 && cols.BadRow != -1 {
				t.Errorf("column statistics %+v", cols)
			}
			if !mat.Equal(mat.DenseCopyOf(some), mat.DenseCopyOf(struct{ mat.Matrix }{some})) {
				t.Error("a copy differs")
			}
		})
	}
}

// TestWeightedView: rows of weight 0 are not there, and the others bring their weights
// with them, through a second view too.
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

package block

import (
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

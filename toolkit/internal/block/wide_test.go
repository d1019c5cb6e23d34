package block

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestReduceWide: every row comes once and in order, whatever the accumulators'
// size, and the same bits for any number of processors.
func TestReduceWide(t *testing.T) {
	x := random(5000, 3, 3)
	d := NewDesign(NewSource(x), nil, nil)
	sum := func(size int) []float64 {
		return *ReduceWide(d, size, func() *[]float64 { s := make([]float64, 5); return &s },
			func(rows int) func(*[]float64, *Block) {
				return func(s *[]float64, b *Block) {
					if b.N > rows {
						t.Errorf("block of %d rows, announced were %d", b.N, rows)
					}
					for r := range b.N {
						for j, v := range b.Row(r) {
							(*s)[j] += v
						}
						(*s)[4] += float64(b.Lo + r)
					}
				}
			}, func(dst, src *[]float64) { floats.Add(*dst, *src) })
	}
	for _, size := range []int{1, 16, 1 << 20, math.MaxInt} {
		want := sum(size)
		if want[0] != 5000 || want[4] != 5000*4999/2 {
			t.Errorf("size %d: %v rows, index sum %v", size, want[0], want[4])
		}
		for _, procs := range []int{1, 2, 7} {
			old := runtime.GOMAXPROCS(procs)
			got := sum(size)
			runtime.GOMAXPROCS(old)
			if !slices.Equal(got, want) {
				t.Errorf("size %d, %d processors: %v, want %v", size, procs, got, want)
			}
		}
	}
}

// TestAssemble builds the Gram matrix of doubled rows (s·φ, φ) from the parts.
func TestAssemble(t *testing.T) {
	const m = 3
	x := random(40, m-1, 4)
	s := make([]float64, 40)
	for r := range s {
		s[r] = 1 + float64(r)/10
	}
	d := NewDesign(NewSource(x), nil, nil)
	whole := NewRows(2*m, 40)
	part := [3]*Gram{NewGram(m), NewGram(m), NewGram(m)} // weights s², s, 1
	Reduce(d, 0, func() struct{} { return struct{}{} }, func(rows int) func(struct{}, *Block) {
		scaled := NewRows(m, rows)
		return func(_ struct{}, b *Block) {
			for r := range b.N {
				row := whole.Append()
				for j, v := range b.Row(r) {
					row[j], row[m+j] = s[b.Lo+r]*v, v
				}
			}
			w := make([]float64, b.N)
			for k := range part {
				for r := range w {
					w[r] = math.Pow(s[b.Lo+r], 1-float64(k)/2)
				}
				scaled.Scaled(b, w)
				part[k].Add(scaled)
			}
		}
	}, func(_, _ struct{}) { t.Error("forty rows need no merging") })
	if !whole.Full() || whole.N != 40 {
		t.Fatalf("%d rows appended", whole.N)
	}
	want, got := NewGram(2*m), NewGram(2*m)
	want.Add(whole)
	packed := func(g *Gram) (a []float64) {
		for i := range m {
			for j := i; j < m; j++ {
				a = append(a, g.At(i, j))
			}
		}
		return a
	}
	got.AddPacked(0, 0, m, 0.5, packed(part[0]))
	got.AddPacked(0, 0, m, 0.5, packed(part[0]))
	got.AddPacked(0, m, m, 1, packed(part[1]))
	got.AddPacked(m, m, m, 1, packed(part[2]))
	if a, b := square(2*m, got), square(2*m, want); far(a, b) > 1e-12*b.At(0, 0) {
		t.Errorf("%v, want %v", mat.Formatted(a), mat.Formatted(b))
	}
	whole.Reset()
	if whole.N != 0 || whole.Full() {
		t.Error("Reset leaves rows")
	}
}

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

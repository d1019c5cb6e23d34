package block

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// random returns an n×d matrix of normal deviates.
func random(n, d int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	return x
}

// opaque hides a matrix's type, so that only At can read it.
type opaque struct{ mat.Matrix }

// views returns the same numbers in every form a Source knows.
func views(x *mat.Dense) map[string]mat.Matrix {
	n, d := x.Dims()
	wide := mat.NewDense(n+2, d+3, nil)
	wide.Apply(func(i, j int, _ float64) float64 { return math.NaN() }, wide)
	inner := wide.Slice(1, n+1, 2, d+2).(*mat.Dense)
	inner.Copy(x)
	return map[string]mat.Matrix{
		"dense": x, "strided": inner, "transposed": mat.DenseCopyOf(x.T()).T(), "by At": opaque{x},
	}
}

func gramOf(d *Design) *Gram {
	_, m := d.Dims()
	return Reduce(d, 0, func() *Gram { return NewGram(m) },
		func(int) func(*Gram, *Block) { return (*Gram).Add }, (*Gram).Merge)
}

func triangleOf(d *Design) *Triangle {
	_, m := d.Dims()
	return Reduce(d, 0, func() *Triangle { return NewTriangle(m) },
		func(int) func(*Triangle, *Block) { return (*Triangle).Add }, (*Triangle).Merge)
}

// naiveGram is ΦᵀΦ by its definition.
func naiveGram(x *mat.Dense, scale, shift []float64) *mat.SymDense {
	n, d := x.Dims()
	phi := mat.NewDense(n, d+1, nil)
	for i := range n {
		phi.Set(i, 0, 1)
		for j := range d {
			v := x.At(i, j)
			if scale != nil {
				v = v*scale[j] - shift[j]
			}
			phi.Set(i, j+1, v)
		}
	}
	var g mat.Dense
	g.Mul(phi.T(), phi)
	s := mat.NewSymDense(d+1, nil)
	for i := range d + 1 {
		for j := i; j <= d; j++ {
			s.SetSym(i, j, g.At(i, j))
		}
	}
	return s
}

func TestSecondMoments(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 5}, {3, 2}, {7, 3}, {64, 4}, {65, 7}, {1000, 2}, {1025, 11}, {5000, 30}, {2000, 150}} {
		n, d := size[0], size[1]
		x := random(n, d, 5)
		scale, shift := make([]float64, d), make([]float64, d)
		for j := range scale {
			scale[j], shift[j] = math.Ldexp(1, j%5-2), float64(j)/3
		}
		for name, v := range views(x) {
			for _, shifted := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d×%d %s shifted=%v", n, d, name, shifted), func(t *testing.T) {
					s, c := scale, shift
					if !shifted {
						s, c = nil, nil
					}
					des := NewDesign(NewSource(v), s, c)
					want := naiveGram(x, s, c)
					g, r := gramOf(des), triangleOf(des)
					tol := 1e-13 * mat.Max(want)
					sym := g.Sym(d + 1)
					for i := 0; i <= d; i++ {
						for j := i; j <= d; j++ {
							var rr float64
							for k := 0; k <= i; k++ {
								rr += r.At(k, i) * r.At(k, j)
							}
							if math.Abs(g.At(i, j)-want.At(i, j)) > tol || math.Abs(rr-want.At(i, j)) > tol {
								t.Fatalf("(%d,%d): Gram %v, RᵀR %v, want %v", i, j, g.At(i, j), rr, want.At(i, j))
							}
							if sym.At(j, i) != g.At(i, j) {
								t.Fatalf("Sym(%d,%d) differs from At", j, i)
							}
						}
						for j := 0; j < i; j++ {
							if r.At(i, j) != 0 {
								t.Fatalf("R(%d,%d) = %v below the diagonal", i, j, r.At(i, j))
							}
						}
					}
				})
			}
		}
	}
}

// TestSameBits is the fixed order of reduction: any number of processors gives
// the same bits.
func TestSameBits(t *testing.T) {
	x := random(40000, 5, 7)
	des := NewDesign(NewSource(x), nil, nil)
	old := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(old)
	g1, r1, c1 := gramOf(des), triangleOf(des), Inspect(NewSource(x))
	for _, procs := range []int{2, 3, 8} {
		runtime.GOMAXPROCS(procs)
		g, r, c := gramOf(des), triangleOf(des), Inspect(NewSource(x))
		for i := range 6 {
			for j := i; j < 6; j++ {
				if g.At(i, j) != g1.At(i, j) || r.At(i, j) != r1.At(i, j) {
					t.Errorf("%d processors: element (%d,%d) differs", procs, i, j)
				}
			}
		}
		for j := range 5 {
			if c.Mean[j] != c1.Mean[j] {
				t.Errorf("%d processors: mean %d differs", procs, j)
			}
		}
	}
}

func TestWalkCoversEveryRowOnce(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 1024, 1025, 8192, 8193, 100003} {
		for _, width := range []int{1, 4, 56, 600, 5000} {
			type seen struct{ rows, last int }
			got := Walk(n, width, func() *seen { return &seen{} }, func() func(*seen, int, int) {
				return func(s *seen, lo, hi int) {
					if hi <= lo || hi-lo > Rows(width) {
						t.Errorf("n %d, width %d: block %d…%d", n, width, lo, hi)
					}
					s.rows += hi - lo
					s.last = hi
				}
			}, func(dst, src *seen) {
				if src.last <= dst.last {
					t.Errorf("n %d, width %d: merged out of order", n, width)
				}
				dst.rows += src.rows
				dst.last = src.last
			})
			if got.rows != n || got.last != n {
				t.Errorf("n %d, width %d: %d rows seen, last %d", n, width, got.rows, got.last)
			}
		}
	}
}

func TestBlockOperations(t *testing.T) {
	x := random(100, 6, 3)
	w := []float64{0.5, 1, -2, 3, 0.25, -1, 2}
	des := NewDesign(NewSource(x), nil, nil)
	type sums struct {
		a, grad []float64
		extra   float64
	}
	got := Reduce(des, 2, func() *sums { return &sums{make([]float64, 100), make([]float64, 7), 0} },
		func(rows int) func(*sums, *Block) {
			a := make([]float64, rows)
			return func(s *sums, b *Block) {
				b.Margins(w, a)
				copy(s.a[b.Lo:], a[:b.N])
				b.AddRows(s.grad, a)
				b.SetColumn(0, a)
				for r := range b.N {
					b.Set(r, 1, 2)
					row := b.Row(r)
					if len(row) != 9 || row[7] != a[r] || row[8] != 2 || row[0] != 1 {
						t.Errorf("row %d is %v", r, row)
					}
				}
				b.ScaleRows(a)
				for r := range b.N {
					s.extra += b.Row(r)[0]
				}
			}
		}, func(dst, src *sums) { t.Error("a hundred rows need no merging") })
	var total float64
	grad := make([]float64, 7)
	for i := range 100 {
		a := w[0]
		for j := range 6 {
			a += w[j+1] * x.At(i, j)
		}
		if math.Abs(a-got.a[i]) > 1e-14 {
			t.Errorf("margin %d: %v, want %v", i, got.a[i], a)
		}
		total += a
		grad[0] += a
		for j := range 6 {
			grad[j+1] += a * x.At(i, j)
		}
	}
	for j, v := range grad {
		if math.Abs(v-got.grad[j]) > 1e-12 {
			t.Errorf("gradient %d: %v, want %v", j, got.grad[j], v)
		}
	}
	if math.Abs(got.extra-total) > 1e-12 {
		t.Errorf("sum of scaled first columns %v, want %v", got.extra, total)
	}
}

func TestInspect(t *testing.T) {
	x := random(3000, 4, 9)
	for name, v := range views(x) {
		c := Inspect(NewSource(v))
		if c.BadRow != -1 {
			t.Errorf("%s: row %d called bad", name, c.BadRow)
		}
		for j := range 4 {
			col := mat.Col(nil, j, x)
			var sum float64
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, a := range col {
				sum += a
				lo, hi = math.Min(lo, a), math.Max(hi, a)
			}
			if c.Min[j] != lo || c.Max[j] != hi || math.Abs(c.Mean[j]-sum/3000) > 1e-15 {
				t.Errorf("%s: column %d: %v %v %v", name, j, c.Min[j], c.Max[j], c.Mean[j])
			}
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		y := mat.DenseCopyOf(x)
		y.Set(2500, 1, bad)
		y.Set(1700, 3, bad)
		if c := Inspect(NewSource(y)); c.BadRow != 1700 || c.BadCol != 3 {
			t.Errorf("%v found at row %d, column %d; want 1700, 3", bad, c.BadRow, c.BadCol)
		}
	}
	big := mat.NewDense(4, 1, []float64{1.7e308, 1.7e308, 1.7e308, 1.6e308})
	if c := Inspect(NewSource(big)); math.IsInf(c.Mean[0], 0) {
		t.Error("the mean of large numbers overflows")
	}
	same := mat.NewDense(3, 1, []float64{0.1, 0.1, 0.1})
	if c := Inspect(NewSource(same)); c.Mean[0] != 0.1 {
		t.Errorf("the mean of a constant column is %v", c.Mean[0])
	}
}

func TestVector(t *testing.T) {
	v := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}).ColView(1).(*mat.VecDense)
	rows, stride := NewSource(v).Rows(1, 3, nil)
	if rows[0] != 4 || rows[stride] != 6 {
		t.Errorf("rows 1 and 2 of a strided vector: %v, %v", rows[0], rows[stride])
	}
}

// TestTriangleScales: the factor keeps its digits for columns of any size.
func TestTriangleScales(t *testing.T) {
	for _, size := range []float64{1e-300, 1e-150, 1, 1e150, 1e300} {
		tri := NewTriangle(2)
		tri.AddRow([]float64{3 * size, 1 * size})
		tri.AddRow([]float64{4 * size, 2 * size})
		tri.AddRow([]float64{0, 0})
		// R = ∓[5, 11/5; 0, 2/5] by hand.
		if math.Abs(math.Abs(tri.At(0, 0))-5*size) > 1e-15*5*size ||
			math.Abs(math.Abs(tri.At(0, 1))-2.2*size) > 1e-15*3*size ||
			math.Abs(math.Abs(tri.At(1, 1))-0.4*size) > 1e-15*3*size {
			t.Errorf("size %v: R = %v %v %v", size, tri.At(0, 0), tri.At(0, 1), tri.At(1, 1))
		}
	}
}

// TestTriangleCollinear: the smallest pivot of nearly dependent columns is right
// to its leading digits, where the Gram matrix would have none.
func TestTriangleCollinear(t *testing.T) {
	x := random(500, 2, 4)
	const eps = 1e-10
	y := mat.NewDense(500, 2, nil)
	for i := range 500 {
		y.Set(i, 0, x.At(i, 0))
		y.Set(i, 1, x.At(i, 0)+eps*x.At(i, 1))
	}
	want := math.Abs(triangleOf(NewDesign(NewSource(x), nil, nil)).At(2, 2)) * eps
	got := math.Abs(triangleOf(NewDesign(NewSource(y), nil, nil)).At(2, 2))
	if math.Abs(got-want) > 1e-4*want {
		t.Errorf("pivot %v, want %v", got, want)
	}
}

func BenchmarkAccumulators(b *testing.B) {
	for _, d := range []int{10, 50, 200} {
		des := NewDesign(NewSource(random(20000, d, 1)), nil, nil)
		for name, run := range map[string]func(){"Gram": func() { gramOf(des) }, "Triangle": func() { triangleOf(des) }} {
			b.Run(fmt.Sprintf("%s D=%d", name, d), func(b *testing.B) {
				for b.Loop() {
					run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20000, "ns/row")
			})
		}
	}
}

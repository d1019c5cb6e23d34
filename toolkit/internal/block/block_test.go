package block

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// randomMatrix returns an n×d matrix of standard normal numbers.
func randomMatrix(n, d int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(n, d, nil)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
	return x
}

// onlyAt wraps a matrix and hides its type, so that a Source can read the elements only with the
// method At.
type onlyAt struct{ mat.Matrix }

// allForms returns several matrices that contain the same numbers as x. They have different Go
// types or memory layouts, because the way in which a Source reads a matrix depends on both.
func allForms(x *mat.Dense) map[string]mat.Matrix {
	n, d := x.Dims()
	wide := mat.NewDense(n+2, d+3, nil)
	wide.Apply(func(i, j int, _ float64) float64 { return math.NaN() }, wide)
	inner := wide.Slice(1, n+1, 2, d+2).(*mat.Dense)
	inner.Copy(x)
	return map[string]mat.Matrix{
		"dense": x, "strided": inner, "transposed": mat.DenseCopyOf(x.T()).T(), "by At": onlyAt{x},
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

// naiveDesign returns Φ, computed directly from its definition.
func naiveDesign(x *mat.Dense, scale, shift []float64) *mat.Dense {
	n, d := x.Dims()
	phi := mat.NewDense(n, d+1, nil)
	phi.Apply(func(i, j int, _ float64) float64 {
		switch {
		case j == 0:
			return 1
		case scale == nil:
			return x.At(i, j-1)
		}
		return x.At(i, j-1)*scale[j-1] - shift[j-1]
	}, phi)
	return phi
}

// leadingSquare returns the leading n×n elements of a matrix.
func leadingSquare(n int, elements interface{ At(i, j int) float64 }) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	m.Apply(func(i, j int, _ float64) float64 { return elements.At(i, j) }, m)
	return m
}

// maxDifference returns the largest absolute difference between corresponding elements of a and b.
func maxDifference(a, b mat.Matrix) float64 {
	var e mat.Dense
	e.Sub(a, b)
	return math.Max(mat.Max(&e), -mat.Min(&e))
}

func TestSecondMoments(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 5}, {3, 2}, {7, 3}, {64, 4}, {65, 7}, {1000, 2}, {1025, 11}, {5000, 30},
		{2000, 150}} {
		n, d := size[0], size[1]
		x := randomMatrix(n, d, 5)
		scale, shift := make([]float64, d), make([]float64, d)
		for j := range scale {
			scale[j], shift[j] = math.Ldexp(1, j%5-2), float64(j)/3
		}
		for name, v := range allForms(x) {
			for _, by := range [][2][]float64{{nil, nil}, {scale, shift}} {
				des := NewDesign(NewSource(v), by[0], by[1])
				phi := naiveDesign(x, by[0], by[1])
				var want, rr mat.Dense
				want.Mul(phi.T(), phi)
				g, r := gramOf(des), leadingSquare(d+1, triangleOf(des))
				rr.Mul(r.T(), r)
				if tol := 1e-13 * mat.Max(&want); !(maxDifference(leadingSquare(d+1, g), &want) <= tol &&
					maxDifference(g.Sym(d+1), &want) <= tol && maxDifference(&rr, &want) <= tol) {
					t.Errorf("%d×%d %s, shifted %v: the error is %v in the Gram matrix, %v in the result of Sym and %v in RᵀR, want at most the rounding error %v in each",
						n, d, name, by[0] != nil, maxDifference(leadingSquare(d+1, g), &want), maxDifference(g.Sym(d+1), &want),
						maxDifference(&rr, &want), tol)
				}
				for i := range d + 1 {
					for j := range i {
						if r.At(i, j) != 0 {
							t.Fatalf("R(%d,%d) = %v, want 0 below the diagonal", i, j, r.At(i, j))
						}
					}
				}
			}
		}
	}
}

// TestSameBits checks that the result of a pass has the same bits for any number of processors. The
// bits are the same because the results of the chunks are merged in a fixed order.
func TestSameBits(t *testing.T) {
	src := NewSource(randomMatrix(40000, 5, 7))
	des := NewDesign(src, nil, nil)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	g, r, c := leadingSquare(6, gramOf(des)), leadingSquare(6, triangleOf(des)), Inspect(src)
	for _, procs := range []int{2, 3, 8} {
		runtime.GOMAXPROCS(procs)
		if !mat.Equal(leadingSquare(6, gramOf(des)), g) || !mat.Equal(leadingSquare(6, triangleOf(des)), r) ||
			!slices.Equal(Inspect(src).Mean, c.Mean) {
			t.Errorf("a result with %d processors differs in some bits from the result with one processor", procs)
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
						t.Errorf("%d rows of width %d: the block with lo = %d and hi = %d is empty or too long", n, width, lo, hi)
					}
					s.rows += hi - lo
					s.last = hi
				}
			}, func(dst, src *seen) {
				if src.last <= dst.last {
					t.Errorf("%d rows of width %d: rows that end before row %d are merged into rows that end before row %d, want the later rows merged into the earlier rows",
						n, width, src.last, dst.last)
				}
				dst.rows += src.rows
				dst.last = src.last
			})
			if got.rows != n || got.last != n {
				t.Errorf("%d rows of width %d: the blocks have %d rows in total and end before row %d, want both equal to the number of rows",
					n, width, got.rows, got.last)
			}
		}
	}
}

func TestBlockOperations(t *testing.T) {
	x := randomMatrix(100, 6, 3)
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
				for r := range b.N {
					b.Set(r, 0, a[r])
					b.Set(r, 1, 2)
					row := b.Row(r)
					if len(row) != 9 || row[7] != a[r] || row[8] != 2 || row[0] != 1 {
						t.Errorf("row %d is %v, want 9 numbers that begin with 1 and end with the two numbers from Set", r, row)
					}
				}
				b.ScaleRows(a)
				for r := range b.N {
					s.extra += b.Row(r)[0]
				}
			}
		}, func(dst, src *sums) {
			t.Error("Reduce merges accumulators, but a hundred rows need only one accumulator")
		})
	phi := naiveDesign(x, nil, nil)
	var margins, grad mat.VecDense
	margins.MulVec(phi, mat.NewVecDense(7, w))
	grad.MulVec(phi.T(), &margins)
	if e := maxDifference(&margins, mat.NewVecDense(100, got.a)); e > 1e-14 {
		t.Errorf("the error of the margins is %v, want a rounding error", e)
	}
	if e := maxDifference(&grad, mat.NewVecDense(7, got.grad)); e > 1e-12 {
		t.Errorf("the error of the gradient is %v, want a rounding error", e)
	}
	if want := mat.Sum(&margins); math.Abs(got.extra-want) > 1e-12 {
		t.Errorf("the sum of column 0 after ScaleRows is %v, want %v", got.extra, want)
	}
}

func TestInspect(t *testing.T) {
	x := randomMatrix(3000, 4, 9)
	for name, v := range allForms(x) {
		c := Inspect(NewSource(v))
		if c.BadRow != -1 {
			t.Errorf("%s: finite row %d is reported as not finite", name, c.BadRow)
		}
		for j := range 4 {
			col := mat.Col(nil, j, x)
			if c.Min[j] != slices.Min(col) || c.Max[j] != slices.Max(col) ||
				math.Abs(c.Mean[j]-floats.Sum(col)/3000) > 1e-15 {
				t.Errorf("%s: column %d has the minimum %v, maximum %v and mean %v, want the minimum %v, maximum %v and mean %v",
					name, j, c.Min[j], c.Max[j], c.Mean[j], slices.Min(col), slices.Max(col), floats.Sum(col)/3000)
			}
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		y := mat.DenseCopyOf(x)
		y.Set(2500, 1, bad)
		y.Set(1700, 3, bad)
		if c := Inspect(NewSource(y)); c.BadRow != 1700 || c.BadCol != 3 {
			t.Errorf("Inspect finds %v at row %d, column %d, want row 1700, column 3", bad, c.BadRow, c.BadCol)
		}
	}
	big := mat.NewDense(4, 1, []float64{1.7e308, 1.7e308, 1.7e308, 1.6e308})
	if c := Inspect(NewSource(big)); math.IsInf(c.Mean[0], 0) {
		t.Error("the mean of large numbers overflows")
	}
	same := mat.NewDense(3, 1, []float64{0.1, 0.1, 0.1})
	if c := Inspect(NewSource(same)); c.Mean[0] != 0.1 {
		t.Errorf("the mean of a constant column is %v, want the constant", c.Mean[0])
	}
}

func TestVector(t *testing.T) {
	v := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}).ColView(1).(*mat.VecDense)
	rows, stride := NewSource(v).Rows(1, 3, nil)
	if rows[0] != 4 || rows[stride] != 6 {
		t.Errorf("rows 1 and 2 of a strided vector are %v and %v, want 4 and 6", rows[0], rows[stride])
	}
}

// TestTriangleScales checks that the triangle R is equally accurate for columns of any magnitude.
func TestTriangleScales(t *testing.T) {
	for _, size := range []float64{1e-300, 1e-150, 1, 1e150, 1e300} {
		tri := NewTriangle(2)
		tri.AddRow([]float64{3 * size, 1 * size})
		tri.AddRow([]float64{4 * size, 2 * size})
		tri.AddRow([]float64{0, 0})
		// Calculated by hand, R is [5, 11/5; 0, 2/5] up to the signs of the rows.
		for at, want := range map[[2]int]float64{{0, 0}: 5, {0, 1}: 2.2, {1, 1}: 0.4} {
			if got := math.Abs(tri.At(at[0], at[1])); math.Abs(got-want*size) > 1.4e-15*want*size {
				t.Errorf("columns of magnitude %v: |R%v| is %v, want %v", size, at, got, want*size)
			}
		}
	}
}

// TestTriangleCollinear checks the leading digits of the smallest pivot for nearly collinear
// columns. If this pivot were computed from the Gram matrix, no digit would be correct.
func TestTriangleCollinear(t *testing.T) {
	x := randomMatrix(500, 2, 4)
	const eps = 1e-10
	y := new(mat.Dense)
	y.Mul(x, mat.NewDense(2, 2, []float64{1, 1, 0, eps}))
	want := math.Abs(triangleOf(NewDesign(NewSource(x), nil, nil)).At(2, 2)) * eps
	got := math.Abs(triangleOf(NewDesign(NewSource(y), nil, nil)).At(2, 2))
	if math.Abs(got-want) > 1e-4*want {
		t.Errorf("the last pivot is %v, want %v", got, want)
	}
}

func BenchmarkAccumulators(b *testing.B) {
	for _, d := range []int{10, 50, 200} {
		des := NewDesign(NewSource(randomMatrix(20000, d, 1)), nil, nil)
		for name, run := range map[string]func(){"Gram": func() { gramOf(des) },
			"Triangle": func() { triangleOf(des) }} {
			b.Run(fmt.Sprintf("%s D=%d", name, d), func(b *testing.B) {
				for b.Loop() {
					run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20000, "ns/row")
			})
		}
	}
}

// TestReduceWide checks accumulators of different sizes. ReduceWide must pass every row to the body
// exactly once, and the result must have the same bits for any number of processors.
func TestReduceWide(t *testing.T) {
	x := randomMatrix(5000, 3, 3)
	d := NewDesign(NewSource(x), nil, nil)
	sum := func(size int) []float64 {
		return *ReduceWide(d, size, func() *[]float64 { s := make([]float64, 5); return &s },
			func(rows int) func(*[]float64, *Block) {
				return func(s *[]float64, b *Block) {
					if b.N > rows {
						t.Errorf("a block has %d rows, want at most %d", b.N, rows)
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
			t.Errorf("size %d: got %v rows whose indices sum to %v, want 5000 rows whose indices sum to 5000·4999/2",
				size, want[0], want[4])
		}
		for _, procs := range []int{1, 2, 7} {
			old := runtime.GOMAXPROCS(procs)
			got := sum(size)
			runtime.GOMAXPROCS(old)
			if !slices.Equal(got, want) {
				t.Errorf("size %d: the sums with %d processors are %v, want %v as with the default number of processors",
					size, procs, got, want)
			}
		}
	}
}

// TestAssemble computes the Gram matrix of the rows (s·φ, φ), which have twice as many entries as
// φ. It checks that AddPacked computes the same matrix from Gram matrices of the weighted rows φ.
func TestAssemble(t *testing.T) {
	const m = 3
	x := randomMatrix(40, m-1, 4)
	s := make([]float64, 40)
	for r := range s {
		s[r] = 1 + float64(r)/10
	}
	d := NewDesign(NewSource(x), nil, nil)
	whole := NewRows(2*m, 40)
	// the weights of the rows in the three Gram matrices are s², s and 1
	part := [3]*Gram{NewGram(m), NewGram(m), NewGram(m)}
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
	}, func(_, _ struct{}) { t.Error("Reduce merges accumulators, but forty rows need only one accumulator") })
	if !whole.Full() || whole.N != 40 {
		t.Fatalf("the block has %d rows and Full is %v, want 40 rows and true", whole.N, whole.Full())
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
	if a, b := leadingSquare(2*m, got), leadingSquare(2*m, want); maxDifference(a, b) > 1e-12*b.At(0, 0) {
		t.Errorf("AddPacked gives the Gram matrix\n%v\nwant\n%v", mat.Formatted(a), mat.Formatted(b))
	}
	whole.Reset()
	if whole.N != 0 || whole.Full() {
		t.Errorf("after Reset the block has %d rows and Full is %v, want no rows and false", whole.N, whole.Full())
	}
}

// TestView checks a view that selects rows of a second view. The second view computes its rows from a
// matrix, which is either in memory or readable only with At. The test reads the elements with Rows
// and with At, and checks the column statistics.
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
				t.Fatalf("the view is %d×%d, want %d rows, one for each index, and 3 columns", r, c, len(index))
			}
			src := NewSource(some)
			if src.InMemory() {
				t.Fatal("InMemory is true for a view, want false")
			}
			rows, stride := src.Rows(5, 9, make([]float64, 4*3))
			for r := range 4 {
				i := float64(index[5+r])
				for j, want := range []float64{-2 * i, -3 * i * i, 7} {
					if got := rows[r*stride+j]; got != want {
						t.Errorf("Rows: row %d, column %d is %v, want %v", 5+r, j, got, want)
					}
					if got := some.T().At(j, 5+r); got != want {
						t.Errorf("At: row %d, column %d is %v, want %v", 5+r, j, got, want)
					}
				}
			}
			cols := Inspect(src)
			if cols.Min[0] != -2*(n-1) || cols.Max[1] != -3 || cols.Mean[2] != 7 || cols.BadRow != -1 {
				t.Errorf("got the column statistics %+v, want Min[0] = %v, Max[1] = -3, Mean[2] = 7 and BadRow = -1", cols, -2*(n-1))
			}
		})
	}
}

// TestTree checks that a tree merges chunks as soon as possible. Whatever order the chunks arrive
// in, the tree must merge them in a fixed order.
func TestTree(t *testing.T) {
	for chunks, want := range map[int]string{
		1: "a", 2: "(ab)", 3: "((ab)c)", 5: "(((ab)(cd))e)", 7: "(((ab)(cd))((ef)g))",
	} {
		for seed := range uint64(20) {
			open, most := 0, 0
			tr := tree[*string]{acc: make([]*string, chunks), whole: make([]int, chunks),
				merge: func(dst, src *string) {
					*dst = fmt.Sprintf("(%s%s)", *dst, *src)
					open--
				}}
			order := rand.New(rand.NewPCG(seed, 16)).Perm(chunks)
			if seed == 0 {
				for c := range order {
					order[c] = c
				}
			}
			for _, c := range order {
				s := string(rune('a' + c))
				open++
				most = max(most, open)
				tr.add(c, &s)
			}
			if got := *tr.acc[0]; got != want {
				t.Errorf("%d chunks that arrive in the order %v are merged as %s, want %s", chunks, order, got, want)
			}
			// If the chunks arrive in order, the tree needs only as many accumulators as the number
			// of chunks has binary digits.
			if limit := bits.Len(uint(chunks)); seed == 0 && most > limit {
				t.Errorf("%d accumulators exist at a time while %d chunks arrive in order, want at most %d", most, chunks, limit)
			}
		}
	}
}

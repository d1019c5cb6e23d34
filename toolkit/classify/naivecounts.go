package classify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
)

// naiveInputs checks the inputs and labels, and counts the classes.
func naiveInputs(x mat.Matrix, labels []int, k int) (*block.Source, []int, error) {
	src, _, err := check.Inputs(x)
	if err != nil {
		return nil, nil, err
	}
	n, _ := src.Dims()
	counts, err := check.Labels(labels, n, k)
	return src, counts, err
}

// naiveSums sums the D columns over the rows of each class: K of D. Outside says
// what is wrong with an entry of x, "" for nothing.
func naiveSums(x mat.Matrix, labels []int, k int, outside func(v float64, j int) string) (sum [][]float64, counts []int, err error) {
	src, counts, err := naiveInputs(x, labels, k)
	if err != nil {
		return nil, nil, err
	}
	if err := generatedDomain(src, outside); err != nil {
		return nil, nil, err
	}
	_, d := src.Dims()
	sum = naiveReduce(src, labels, k, d, scatter.AddTo)
	for c := range sum {
		if sum[c] == nil {
			sum[c] = make([]float64, d)
		}
	}
	return sum, counts, nil
}

// naiveReduce adds every row to the cells of its class, in one pass; the cells of
// a class without rows stay nil.
func naiveReduce(src *block.Source, labels []int, k, cells int, add func(dst, x []float64)) [][]float64 {
	return block.Reduce(block.NewDesign(src, nil, nil), 0,
		func() [][]float64 { return make([][]float64, k) },
		func(int) func([][]float64, *block.Block) {
			return func(s [][]float64, b *block.Block) {
				for r, c := range labels[b.Lo : b.Lo+b.N] {
					if s[c] == nil {
						s[c] = make([]float64, cells)
					}
					add(s[c], b.Row(r)[1:])
				}
			}
		}, naiveMerge)
}

// naiveSmoothing checks the pseudo-count.
func naiveSmoothing(a float64) error {
	if !(a >= 0) || math.IsInf(a, 1) {
		return fmt.Errorf("Smoothing is %v: it must be a number ≥ 0 (0 is maximum likelihood, 1 Laplace's rule)", a)
	}
	return nil
}

// timesLog returns n·ln p with 0·ln 0 = 0.
func timesLog(n, p float64) float64 {
	if n == 0 {
		return 0
	}
	return n * math.Log(p)
}

// newDiagonalFit returns the class means and Σ_{n∈C_k} {s·(x_n − m_k)}² of each
// column, K of D, in one pass with a shift per class.
func newDiagonalFit(x mat.Matrix, labels []int, k int) (*scatter.Fit, [][]float64, error) {
	f, cols, err := scatter.NewFit(x, labels, k, true)
	if err != nil {
		return nil, nil, err
	}
	shift, centre := f.Plan.Shifts()
	sums := block.Reduce(block.NewDesign(f.Plan.Src, nil, nil), 0,
		func() [][]float64 { return make([][]float64, k) },
		func(int) func([][]float64, *block.Block) {
			return func(s [][]float64, b *block.Block) {
				for r, c := range labels[b.Lo : b.Lo+b.N] {
					if s[c] == nil {
						s[c] = make([]float64, 2*f.D)
					}
					naiveSquares(s[c][:f.D], s[c][f.D:], b.Row(r)[1:], f.Scale, shift[c])
				}
			}
		}, naiveMerge)
	squares := make([][]float64, k)
	for c, n := range f.Counts {
		if n == 0 {
			continue
		}
		sum := sums[c][:f.D]
		squares[c] = sums[c][f.D:]
		for j, v := range sum {
			squares[c][j] = math.Max(squares[c][j]-v*v/float64(n), 0)
		}
		sums[c] = sum
	}
	return f, squares, f.Place(cols, centre, shift, sums)
}

// naiveSquares adds z = s·x − c and z² to the sums.
func naiveSquares(sum, square, x, s, c []float64) {
	square, x, s, c = square[:len(sum)], x[:len(sum)], s[:len(sum)], c[:len(sum)]
	for j := range sum {
		z := x[j]*s[j] - c[j]
		sum[j] += z
		square[j] += z * z
	}
}

// naiveMerge adds the sums of each class.
func naiveMerge(dst, src [][]float64) {
	for c, v := range src {
		if dst[c] == nil {
			dst[c] = v
		} else if v != nil {
			scatter.AddTo(dst[c], v)
		}
	}
}

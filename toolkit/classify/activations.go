package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// An activationFunc computes the activations of n rows. Row r of x begins at x[r·stride]. The
// function writes the activation of class k for row r to a[k·lda+r].
type activationFunc func(a []float64, lda int, x []float64, stride, n int)

// An activator creates an activationFunc for one goroutine. Its argument is the largest number of
// rows that the activationFunc receives in one call.
type activator func(rows int) activationFunc

// An activationRun receives the activations of the n rows that start at row lo. a[k·stride+r] is
// the activation of class k for row lo+r. The function may overwrite the slice a.
type activationRun func(lo, n int, a []float64, stride int)

// passActivations computes the k activations of each row of src in one pass. It divides the rows
// into runs that fit into the cache. On each goroutine, passActivations first calls
// newActivations and newRun, with the largest number of rows in a run. For each run, the function
// from newActivations then computes the activations, and the function from newRun receives them.
// The result `bad` is the index of the first row with a NaN activation, or N if no activation is
// NaN. The result `finite` reports whether all activations are finite.
func passActivations(src *block.Source, k int, newActivations activator, newRun func(rows int) activationRun) (bad int,
	finite bool) {
	var odd atomic.Bool
	rowCount, _ := src.Dims()
	first := newLowestRow(rowCount)
	block.Runs(src, func(rows int) func(int, int, []float64, int) {
		a, f, run := make([]float64, k*rows), newActivations(rows), newRun(rows)
		return func(lo, n int, x []float64, stride int) {
			f(a, rows, x, stride, n)
			for c := range k {
				if ac := a[c*rows:][:n]; !vec.Use().Finite(ac) {
					odd.Store(true)
					for r, v := range ac {
						first.record(lo+r, math.IsNaN(v))
					}
				}
			}
			run(lo, n, a, rows)
		}
	})
	return first.row(), !odd.Load()
}

// linearWalk computes the activations w_kᵀφ of new inputs, φ = (1, x), in one pass. It returns an
// error for x of the wrong shape, for NaN or Inf in x, and for a NaN activation. Only the shape is
// checked before the pass. The functions that newRun returns may therefore receive activations
// before linearWalk returns an error.
func linearWalk(x mat.Matrix, w [][]float64, newRun func(rows int) activationRun) error {
	src, err := check.Wide(x, len(w[0])-1)
	if err != nil {
		return err
	}
	bad, finite := passActivations(src, len(w), linearActivator(nil, w), newRun)
	if finite {
		return nil
	}
	if _, _, err := check.Inputs(x); err != nil { // if x contains NaN or Inf, report this instead of a NaN activation
		return err
	}
	if n, _ := src.Dims(); bad < n {
		return fmt.Errorf("the activation of row %d is not a number because wᵀφ overflows: choose other units for x", bad)
	}
	return nil
}

// linearActivator returns an activator for the functions w_k0 + Σ_j w_kj (x_j − origin_j). The bias
// comes first in each vector w_k. A nil origin means that every origin_j is 0. If the last vectors
// in w are 0, the activator does not compute products for these vectors, but sets their activations
// to 0.
func linearActivator(origin []float64, w [][]float64) activator {
	used := len(w)
	for used > 1 && !slices.ContainsFunc(w[used-1], func(v float64) bool { return v != 0 }) {
		used--
	}
	form := vec.NewForm(origin, w[:used]...)
	f := func(a []float64, lda int, x []float64, stride, n int) {
		vec.Use().Products(a, lda, x, stride, n, form, true)
		for k := used; k < len(w); k++ {
			clear(a[k*lda:][:n])
		}
	}
	return func(int) activationFunc { return f }
}

// byRow returns an activator that computes k activations row by row. The function f computes the
// activations of one row x, which has d numbers, and writes the activations to dst. The
// function f must be safe for concurrent use.
func byRow(k, d int, f func(x, dst []float64)) activator {
	return func(int) activationFunc {
		row := make([]float64, k)
		return func(a []float64, lda int, x []float64, stride, n int) {
			for r := range n {
				f(x[r*stride:][:d], row)
				for c, v := range row {
					a[c*lda+r] = v
				}
			}
		}
	}
}

// lowestRow contains the smallest row number that has been recorded so far. Several goroutines may
// record row numbers at the same time.
type lowestRow struct{ at atomic.Int64 }

// newLowestRow returns a lowestRow without a recorded row. Until a row is recorded, the lowestRow
// contains the number `initial`, which must be larger than all row numbers.
func newLowestRow(initial int) *lowestRow {
	l := &lowestRow{}
	l.at.Store(int64(initial))
	return l
}

// record stores the number `row` if `found` is true and `row` is smaller than the stored number.
func (l *lowestRow) record(row int, found bool) {
	for found {
		if old := l.at.Load(); int64(row) >= old || l.at.CompareAndSwap(old, int64(row)) {
			return
		}
	}
}

func (l *lowestRow) row() int { return int(l.at.Load()) }

// linearScores returns the N×K activations w_kᵀφ of new inputs for the K weight vectors in w. It
// returns the errors of linearWalk.
func linearScores(x mat.Matrix, w [][]float64) (*mat.Dense, error) {
	return newPrediction(x, len(w), func(dst *mat.Dense) error { return linearTo(dst, x, w, byColumn) })
}

// linearTo writes predictions to dst. It computes the same activations as linearScores. The link l
// converts the activations of each block of rows to the numbers of the prediction, such as
// probabilities.
func linearTo(dst *mat.Dense, x mat.Matrix, w [][]float64, l predictionLink) error {
	return linearWalk(x, w, l.writeTo(dst))
}

// modelScores returns the N×K activations for the weight vectors w. For a single weight vector, it
// returns an N×2 matrix: the activations, and a column of zeros. Every error begins with
// the model's name, the argument `model`. The argument `err` is an error of an earlier step. If it is
// not nil, modelScores computes nothing and returns it with the name in front.
func modelScores(model string, x mat.Matrix, w [][]float64, err error) (s *mat.Dense, _ error) {
	if err == nil {
		if len(w) == 1 {
			w = [][]float64{w[0], make([]float64, len(w[0]))}
		}
		s, err = linearScores(x, w)
	}
	if err != nil {
		return nil, failure(model, err)
	}
	return s, nil
}

// modelClasses returns, for each row, the index of the largest activation that modelScores returns.
// If several activations tie for the largest, it returns the lowest of their indices.
func modelClasses(model string, x mat.Matrix, w [][]float64, err error) (class []int, _ error) {
	if err == nil {
		class, err = linearClasses(x, w)
	}
	if err != nil {
		return nil, failure(model, err)
	}
	return class, nil
}

// linearClasses returns the same classes as modelClasses, but its errors do not contain the name of
// a model.
func linearClasses(x mat.Matrix, w [][]float64) ([]int, error) {
	return newClasses(x, func(class []int) error { return linearWalk(x, w, largestOf(class, len(w))) })
}

// newClasses calls `write` to fill a new slice with a class for each row of x, and returns the
// slice.
func newClasses(x mat.Matrix, write func(class []int) error) ([]int, error) {
	n, err := check.Height(x)
	if err != nil {
		return nil, err
	}
	class := make([]int, n)
	return class, write(class)
}

// largestOf returns a function that creates activationRuns. For each row, the activationRun writes
// the index of the largest of the k activations to the slice `class`, which must contain zeros at
// first. If k is 1, the class is 1 if the activation is negative, and otherwise 0. The class numbers
// are computed in local variables, because the compiler then emits code without branches. A processor
// could not predict a branch on the largest activation.
func largestOf(class []int, k int) func(rows int) activationRun {
	return func(int) activationRun {
		return func(lo, n int, a []float64, stride int) {
			largest, to := a[:n], class[lo:][:n]
			if k == 1 {
				for r, v := range largest {
					c := 0
					if v < 0 {
						c = 1
					}
					to[r] = c
				}
			}
			for next := 1; next < k; next++ {
				for r, v := range a[next*stride:][:n] {
					c := to[r]
					if v > largest[r] {
						c = next
					}
					to[r], largest[r] = c, max(v, largest[r])
				}
			}
		}
	}
}

// newPrediction calls `write` to fill a new N×k matrix, and returns the matrix. If `write` fails,
// newPrediction returns nil and the error of `write`.
func newPrediction(x mat.Matrix, k int, write func(dst *mat.Dense) error) (*mat.Dense, error) {
	n, err := check.Height(x)
	if err != nil {
		return nil, err
	}
	dst := mat.NewDense(n, k, nil)
	if err := write(dst); err != nil {
		return nil, err
	}
	return dst, nil
}

// checkDestination returns an error if dst is not an N×k matrix, where N is the number of rows of
// x.
func checkDestination(dst *mat.Dense, x mat.Matrix, k int) error {
	n, err := check.Height(x)
	if err != nil {
		return err
	}
	if dst == nil {
		return errors.New("dst is nil: want an N×K matrix, such as one from mat.NewDense")
	}
	if r, c := dst.Dims(); r != n || c != k {
		return fmt.Errorf("dst is %d×%d: predictions of %d rows and %d classes need a %d×%d matrix", r, c, n, k, n, k)
	}
	return nil
}

// A predictionLink creates a function that converts the activations of a block of rows to the
// numbers of a prediction, such as probabilities. `rows` is the largest number of rows in a block.
// The created function reads the activations of n rows from the slice `a` and writes the numbers of
// these rows to the slice `out`. Row r begins at out[r·stride]. The activation of class k for row r
// is a[k·rows+r].
type predictionLink func(rows int) func(out []float64, stride, n int, a []float64, rows int)

// writeTo returns a function that creates activationRuns. Each activationRun writes the numbers of
// its rows to dst.
func (l predictionLink) writeTo(dst *mat.Dense) func(rows int) activationRun {
	raw := dst.RawMatrix()
	return func(rows int) activationRun {
		f := l(rows)
		return func(lo, n int, a []float64, stride int) { f(raw.Data[lo*raw.Stride:], raw.Stride, n, a, stride) }
	}
}

// byColumn is the predictionLink that copies the activations unchanged.
func byColumn(int) func(out []float64, stride, n int, a []float64, rows int) {
	return func(out []float64, stride, n int, a []float64, rows int) {
		vec.Use().ByRow(out, stride, a, rows, n, len(a)/rows)
	}
}

// scoreLink maps an activation a to the pair (a, 0).
var scoreLink = complementLink(func(_ vec.Kernels, y, _, a []float64) { copy(y, a) })

// sigmoidLink maps a to σ(a) and σ(−a), PRML (4.87); normalLink maps a to Φ(a) and Φ(−a), PRML
// (4.114). Even results near 0 are accurate to a few rounding errors.
var (
	sigmoidLink = complementLink(vec.Kernels.Sigmoid)
	normalLink  = complementLink(vec.Kernels.Normal)
)

// complementLink returns the predictionLink that maps each activation a to two numbers. The
// function f writes the two numbers to the slices y and c, which contain zeros before the first
// call.
func complementLink(f func(k vec.Kernels, y, c, a []float64)) predictionLink {
	return func(rows int) func(out []float64, stride, n int, a []float64, rows int) {
		both := make([]float64, 2*rows)
		return func(out []float64, stride, n int, a []float64, _ int) {
			f(vec.Use(), both[:n], both[rows:][:n], a[:n])
			vec.Use().ByRow(out, stride, both, rows, n, 2)
		}
	}
}

// softmaxLink maps the activations of each row to their softmax, PRML (4.104). For infinite and NaN
// activations it returns the same results as kernels.Softmax. For two classes softmaxLink computes
// the sigmoid of the difference between the two activations.
func softmaxLink(rows int) func(out []float64, stride, n int, a []float64, rows int) {
	most, at, pairs := make([]float64, rows), make([]int, rows), sigmoidLink(rows)
	return func(out []float64, stride, n int, a []float64, rows int) {
		if len(a) == 2*rows {
			for r, v := range a[rows : rows+n] {
				if a[r] != v { // if the activations are equal infinities, a[r] − v would be NaN
					a[r] -= v
				} else {
					a[r] = 0
				}
			}
			pairs(out, stride, n, a, rows)
			return
		}
		k := len(a) / rows
		copy(most, a[:n])
		clear(at)
		for c := 1; c < k; c++ {
			for r, v := range a[c*rows:][:n] {
				if v > most[r] || v != v {
					most[r], at[r] = v, c
				}
			}
		}
		for r, m := range most[:n] {
			if m-m != 0 { // infinite or NaN
				row := out[r*stride:][:k]
				for c := range row {
					row[c] = a[c*rows+r]
				}
				kernels.Softmax(row, row)
			}
		}
		for c := range k {
			ac := a[c*rows:][:n]
			for r, m := range most[:n] {
				ac[r] -= m
			}
			vec.Use().Exp(ac, ac)
		}
		for r, m := range most[:n] {
			if m-m != 0 {
				continue
			}
			var rest float64
			for c := range k {
				if c != at[r] {
					rest += a[c*rows+r]
				}
			}
			row := out[r*stride:][:k]
			for c := range row {
				row[c] = a[c*rows+r] / (1 + rest)
			}
		}
	}
}

// logSoftmaxLink maps the activations of each row to the logarithm of their softmax.
func logSoftmaxLink(rows int) func(out []float64, stride, n int, a []float64, rows int) {
	write := byColumn(rows)
	return func(out []float64, stride, n int, a []float64, rows int) {
		write(out, stride, n, a, rows)
		for r := range n {
			row := out[r*stride:][:len(a)/rows]
			kernels.LogSoftmax(row, row)
		}
	}
}

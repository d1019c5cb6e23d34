package classify

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// activations writes those of n rows of x, row r from r·stride on: that of class k goes to
// a[k·lda+r].
type activations func(a []float64, lda int, x []float64, stride, n int)

// activator makes activations, one for each goroutine, for runs of so many rows at most.
type activator func(rows int) activations

// activationRun takes the activations of rows lo … lo+n−1: that of class k for row r of
// them is a[k·stride+r]. It may change them.
type activationRun func(lo, n int, a []float64, stride int)

// walkActivations computes the k activations of all rows of src in one pass over runs of
// rows that stay in cache. newRun makes what takes them and newActivations what computes
// them, once for each goroutine, with the rows of a run at most. It returns the first row
// with one that is NaN, N if there is none, and whether all are finite.
func walkActivations(src *block.Source, k int, newActivations activator, newRun func(rows int) activationRun) (bad int, finite bool) {
	var odd atomic.Bool
	none, _ := src.Dims()
	first := lowestOf(none)
	block.Runs(src, func(rows int) func(int, int, []float64, int) {
		a, f, run := make([]float64, k*rows), newActivations(rows), newRun(rows)
		return func(lo, n int, x []float64, stride int) {
			f(a, rows, x, stride, n)
			for c := range k {
				for r, v := range a[c*rows:][:n] {
					if v-v != 0 { // true of NaN and ±Inf only
						odd.Store(true)
						first.take(lo+r, math.IsNaN(v))
					}
				}
			}
			run(lo, n, a, rows)
		}
	})
	return first.row(), !odd.Load()
}

// linearWalk computes the activations w_kᵀφ of new inputs, φ = (1, x), in one pass. Wrong
// width, NaN and Inf in x and an activation that is NaN are errors, found after the pass.
func linearWalk(x mat.Matrix, w [][]float64, newRun func(rows int) activationRun) error {
	src, err := check.Wide(x, len(w[0])-1)
	if err != nil {
		return err
	}
	bad, finite := walkActivations(src, len(w), linear(nil, w), newRun)
	if finite {
		return nil
	}
	if _, _, err := check.Inputs(x); err != nil { // of NaN or Inf in x no activation is finite
		return err
	}
	if n, _ := src.Dims(); bad < n {
		return fmt.Errorf("the activation of row %d is not a number: wᵀφ overflows, choose other units for x", bad)
	}
	return nil
}

// linear are w_k0 + Σ_j w_kj (x_j − origin_j), bias first in w_k; a nil origin is 0.
func linear(origin []float64, w [][]float64) activator {
	forms := make([]*vec.Form, len(w))
	for k, wk := range w {
		forms[k] = vec.NewForm(wk[0], origin, wk[1:])
	}
	f := func(a []float64, lda int, x []float64, stride, n int) {
		for k, f := range forms {
			vec.Use().Products(a[k*lda:], x, stride, n, f, k == 0)
		}
	}
	return func(int) activations { return f }
}

// byRow are k activations of d numbers that f computes row by row: it writes those of the
// row x to dst, on several goroutines.
func byRow(k, d int, f func(x, dst []float64)) activator {
	return func(int) activations {
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

// lowest is the first of some rows that several goroutines find.
type lowest struct{ at atomic.Int64 }

// lowestOf returns none, which is above all rows.
func lowestOf(none int) *lowest {
	l := &lowest{}
	l.at.Store(int64(none))
	return l
}

// take takes a row if it is one.
func (l *lowest) take(row int, is bool) {
	for is {
		if old := l.at.Load(); int64(row) >= old || l.at.CompareAndSwap(old, int64(row)) {
			return
		}
	}
}

func (l *lowest) row() int { return int(l.at.Load()) }

// linearScores returns the N×K activations w_kᵀφ of new inputs for the K weight vectors in
// w. Errors: those of linearWalk.
func linearScores(x mat.Matrix, w [][]float64) (*mat.Dense, error) {
	return newPrediction(x, len(w), func(dst *mat.Dense) error { return linearTo(dst, x, w, byColumn) })
}

// linearTo is linearScores with a destination, and with what turns the activations of a
// block into the numbers wanted.
func linearTo(dst *mat.Dense, x mat.Matrix, w [][]float64, l link) error {
	return linearWalk(x, w, l.to(dst))
}

// signs returns the class of each row by a single activation: 0 where it is not negative.
func signs(x mat.Matrix, w []float64) ([]int, error) {
	n, err := check.Height(x)
	if err != nil {
		return nil, err
	}
	class := make([]int, n)
	return class, linearWalk(x, [][]float64{w}, func(int) activationRun {
		return func(lo, n int, a []float64, _ int) {
			for r, v := range a[:n] {
				if v < 0 {
					class[lo+r] = 1
				}
			}
		}
	})
}

// newPrediction makes the N×k matrix that write fills, nil with its error.
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

// destination reports what is wrong with dst as the N×k prediction for x.
func destination(dst *mat.Dense, x mat.Matrix, k int) error {
	n, err := check.Height(x)
	if err != nil {
		return err
	}
	if dst == nil {
		return errors.New("dst is nil: it must be an N×K matrix, as mat.NewDense makes it")
	}
	if r, c := dst.Dims(); r != n || c != k {
		return fmt.Errorf("dst is %d×%d: for %d rows and %d classes it must be %d×%d", r, c, n, k, n, k)
	}
	return nil
}

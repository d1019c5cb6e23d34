package classify

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// activationRun takes the activations of rows lo … lo+n−1: that of class k for row r of
// them is a[k·stride+r]. It may change them.
type activationRun func(lo, n int, a []float64, stride int)

// linearWalk computes the activations w_kᵀφ of new inputs, φ = (1, x), in one pass over
// blocks of rows. newRun makes what takes them, once for each goroutine, with the rows of a
// block at most. Wrong width, NaN and Inf in x and an activation that is NaN are errors,
// found after the pass.
func linearWalk(x mat.Matrix, w [][]float64, newRun func(rows int) activationRun) error {
	src, err := check.Wide(x, len(w[0])-1)
	if err != nil {
		return err
	}
	var odd atomic.Bool // an activation is not finite: of NaN or Inf in x all are
	none, _ := src.Dims()
	bad := lowestOf(none)
	block.Reduce(block.NewDesign(src, nil, nil), 0, block.Nothing,
		func(rows int) func(struct{}, *block.Block) {
			a, run := make([]float64, len(w)*rows), newRun(rows)
			return func(_ struct{}, b *block.Block) {
				for k, wk := range w {
					ak := a[k*rows : (k+1)*rows]
					b.Margins(wk, ak)
					for r, v := range ak[:b.N] {
						if v-v != 0 {
							odd.Store(true)
							bad.take(b.Lo+r, math.IsNaN(v))
						}
					}
				}
				run(b.Lo, b.N, a, rows)
			}
		}, func(_, _ struct{}) {})
	if !odd.Load() {
		return nil
	}
	if _, _, err := check.Inputs(x); err != nil {
		return err
	}
	if row := bad.row(); row < none {
		return fmt.Errorf("the activation of row %d is not a number: wᵀφ overflows, choose other units for x", row)
	}
	return nil
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

// link makes what turns activations into the numbers of a prediction, for blocks of so many
// rows at most: those of n rows go to out, row r from r·stride on; a is as for an activationRun.
type link func(rows int) func(out []float64, stride, n int, a []float64, rows int)

// linearTo is linearScores with a destination, and with what turns the activations of a
// block into the numbers wanted.
func linearTo(dst *mat.Dense, x mat.Matrix, w [][]float64, l link) error {
	raw := dst.RawMatrix()
	return linearWalk(x, w, func(rows int) activationRun {
		f := l(rows)
		return func(lo, n int, a []float64, stride int) { f(raw.Data[lo*raw.Stride:], raw.Stride, n, a, stride) }
	})
}

// byColumn are the activations themselves.
func byColumn(int) func(out []float64, stride, n int, a []float64, rows int) {
	return func(out []float64, stride, n int, a []float64, rows int) {
		for k := range len(a) / rows {
			for r, v := range a[k*rows : k*rows+n] {
				out[r*stride+k] = v
			}
		}
	}
}

// pairLink is two numbers of a single activation.
func pairLink(f func(a float64) (float64, float64)) link {
	return func(int) func(out []float64, stride, n int, a []float64, rows int) {
		return func(out []float64, stride, n int, a []float64, _ int) {
			for r, v := range a[:n] {
				row := out[r*stride : r*stride+2]
				row[0], row[1] = f(v)
			}
		}
	}
}

// scoreLink is the activation and 0; normalLink Φ(a) and Φ(−a), PRML (4.114).
var (
	scoreLink  = pairLink(func(a float64) (float64, float64) { return a, 0 })
	normalLink = pairLink(func(a float64) (float64, float64) { return kernels.NormCDF(a), kernels.NormCDF(-a) })
)

// sigmoidLink is σ(a) and σ(−a), PRML (4.87), each to full relative accuracy.
func sigmoidLink(rows int) func(out []float64, stride, n int, a []float64, rows int) {
	y, c := make([]float64, rows), make([]float64, rows)
	return func(out []float64, stride, n int, a []float64, _ int) {
		vec.Use().Sigmoid(y[:n], c[:n], a[:n])
		for r := range n {
			row := out[r*stride : r*stride+2]
			row[0], row[1] = y[r], c[r]
		}
	}
}

// softmaxLink is the softmax of each row, PRML (4.104).
func softmaxLink(int) func(out []float64, stride, n int, a []float64, rows int) {
	return func(out []float64, stride, n int, a []float64, rows int) {
		k := len(a) / rows
		byColumn(rows)(out, stride, n, a, rows)
		for r := range n {
			row := out[r*stride : r*stride+k]
			kernels.Softmax(row, row)
		}
	}
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

package classify

import (
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// link makes what turns activations into the numbers of a prediction, for blocks of so many
// rows at most: those of n rows go to out, row r from r·stride on; a is as for an activationRun.
type link func(rows int) func(out []float64, stride, n int, a []float64, rows int)

// to makes what writes the numbers of all rows to dst.
func (l link) to(dst *mat.Dense) func(rows int) activationRun {
	raw := dst.RawMatrix()
	return func(rows int) activationRun {
		f := l(rows)
		return func(lo, n int, a []float64, stride int) { f(raw.Data[lo*raw.Stride:], raw.Stride, n, a, stride) }
	}
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

// scoreLink is the activation and 0.
var scoreLink = pairLink(func(a float64) (float64, float64) { return a, 0 })

// sigmoidLink is σ(a) and σ(−a), PRML (4.87), normalLink Φ(a) and Φ(−a), PRML (4.114), each
// to full relative accuracy.
var (
	sigmoidLink = complementLink(vec.Kernels.Sigmoid)
	normalLink  = complementLink(vec.Kernels.Normal)
)

// complementLink is a probability of each activation and its complement.
func complementLink(f func(k vec.Kernels, y, c, a []float64)) link {
	return func(rows int) func(out []float64, stride, n int, a []float64, rows int) {
		y, c := make([]float64, rows), make([]float64, rows)
		return func(out []float64, stride, n int, a []float64, _ int) {
			f(vec.Use(), y[:n], c[:n], a[:n])
			for r := range n {
				row := out[r*stride : r*stride+2]
				row[0], row[1] = y[r], c[r]
			}
		}
	}
}

// softmaxLink is the softmax of each row, PRML (4.104), with the conventions and the order
// of sums of kernels.Softmax; of two classes it is the sigmoid of the difference.
func softmaxLink(rows int) func(out []float64, stride, n int, a []float64, rows int) {
	most, at, pairs := make([]float64, rows), make([]int, rows), sigmoidLink(rows)
	return func(out []float64, stride, n int, a []float64, rows int) {
		if len(a) == 2*rows {
			for r, v := range a[rows : rows+n] {
				if a[r] != v { // the difference of equal infinities is no number
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
			if m-m != 0 { // infinite or no number
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

// logSoftmaxLink is the logarithm of the softmax of each row.
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

package glm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// ClassTargets are the targets of N rows for K classes. They are stored as a slice of labels, as
// labels in the inputs, or as a matrix of probabilities with one row for each input.
type ClassTargets struct {
	K      int
	Labels []int         // labels; if nil, Inputs contains them
	Inputs *block.Source // the inputs, which may also contain the labels
	Soft   *block.Source
}

// Read writes the targets of the rows lo…hi−1 to t, with K numbers for each row. If the targets are
// a matrix, Read divides each row by the row's sum, which may differ from 1 by up to 10⁻⁹.
func (c *ClassTargets) Read(lo, hi int, t, buf []float64) {
	k := c.K
	if c.Soft == nil {
		clear(t[:(hi-lo)*k])
		for i, l := range c.labels(lo, hi) {
			t[i*k+l] = 1
		}
		return
	}
	rows, stride := c.Soft.Rows(lo, hi, buf)
	for i := range hi - lo {
		row := rows[i*stride : i*stride+k]
		var sum float64
		for _, v := range row {
			sum += v
		}
		for j, v := range row {
			t[i*k+j] = v / sum
		}
	}
}

func (c *ClassTargets) labels(lo, hi int) []int {
	if c.Labels != nil {
		return c.Labels[lo:hi]
	}
	return c.Inputs.Labels(nil, lo, hi)
}

// SoftmaxLabels returns the targets for labels that were already checked. It accepts classes
// without rows; use NoEmptyClass to reject them. It returns the error of SoftmaxSize.
func SoftmaxLabels(in *check.Data) (*ClassTargets, error) {
	_, d := in.Src.Dims()
	if err := SoftmaxSize(d+1, in.K); err != nil {
		return nil, err
	}
	return &ClassTargets{K: in.K, Labels: in.Labels, Inputs: in.Src}, nil
}

// SoftmaxSize returns an error if the Hessian for k classes with m weights each would need more
// than 2 GB.
func SoftmaxSize(m, k int) error {
	if p := float64(m) * float64(k); p > 1<<14 {
		return fmt.Errorf("%d classes with %d weights each make %.3g weights, and a Hessian of %.3g GB: want at most 2 GB; use fewer columns or classes", k, m, p, 8*p*p/(1<<30))
	}
	return nil
}

// SoftmaxTargets checks a matrix t of target probabilities, with one row for each row of x, and
// returns the targets.
func SoftmaxTargets(t mat.Matrix, x *block.Source) (*ClassTargets, error) {
	src, err := check.TargetRows(t)
	if err != nil {
		return nil, err
	}
	n, k := src.Dims()
	if want, _ := x.Dims(); n != want {
		return nil, fmt.Errorf("t has %d rows but x has %d: give one row of targets per row of x", n, want)
	}
	_, d := x.Dims()
	if err := SoftmaxSize(d+1, k); err != nil {
		return nil, err
	}
	if k < 2 {
		return nil, fmt.Errorf("t is %d×%d: want at least two columns, one per class", n, k)
	}
	for i := range n {
		var sum float64
		for j := range k {
			v := t.At(i, j)
			if !(v >= 0 && v <= 1) {
				return nil, fmt.Errorf("t(%d,%d) is %v: targets are probabilities in [0,1]", i, j, v)
			}
			sum += v
		}
		if math.Abs(sum-1) > 1e-9 {
			return nil, fmt.Errorf("row %d of t sums to %v: the probabilities of the classes must sum to 1", i, sum)
		}
	}
	return &ClassTargets{K: k, Soft: src}, nil
}

// Rows returns the targets of the given rows.
func (c *ClassTargets) Rows(index []int) *ClassTargets {
	out := &ClassTargets{K: c.K}
	if c.Soft != nil {
		out.Soft = block.NewSource(block.NewRowsView(c.Soft, index))
		return out
	}
	out.Labels = make([]int, len(index))
	for i, at := range index {
		out.Labels[i] = c.Labels[at]
	}
	return out
}

// Totals returns Σ_n W_n t_nk for each class k, where W_n is the weight of row n of x.
func (c *ClassTargets) Totals(x *block.Source) []float64 {
	if c.Soft == nil {
		return x.PerClass(c.Labels, c.K)
	}
	n, _ := x.Dims()
	total, t, buf := make([]float64, c.K), make([]float64, c.K), make([]float64, c.K)
	for i := range n {
		c.Read(i, i+1, t, buf)
		for k, v := range t {
			total[k] += x.Weights().At(i) * v
		}
	}
	return total
}

// NoEmptyClass returns an error if a class has no rows or all rows. The argument `total` is the
// result of Totals.
func NoEmptyClass(total []float64) error {
	var n float64
	for _, v := range total {
		n += v
	}
	for k, v := range total {
		if v == n {
			return fmt.Errorf("all %.0f rows are class %d, a single class: the likelihood has no maximum (the bias of that class grows without end); "+
				"add rows of another class, or use a prior on all weights", n, k)
		}
	}
	for k, v := range total {
		if v == 0 {
			return fmt.Errorf("class %d of %d has no rows: the likelihood has no maximum (the bias of that class falls without end); "+
				"leave the class out and number the other classes 0…%d, or use a prior on all weights", k, len(total),
				len(total)-2)
		}
	}
	return nil
}

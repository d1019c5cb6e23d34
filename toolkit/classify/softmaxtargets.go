package classify

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// classTargets are N targets over K classes: labels, or the rows of a matrix.
type classTargets struct {
	k      int
	labels []int
	soft   *block.Source
}

// read writes targets lo…hi−1 to t, by rows; those of a matrix are divided by
// their sum, which is 1 but for rounding.
func (c *classTargets) read(lo, hi int, t, buf []float64) {
	k := c.k
	if c.soft == nil {
		clear(t[:(hi-lo)*k])
		for i, l := range c.labels[lo:hi] {
			t[i*k+l] = 1
		}
		return
	}
	rows, stride := c.soft.Rows(lo, hi, buf)
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

// softmaxLabels checks labels; a class without rows is left to noEmptyClass.
func softmaxLabels(labels []int, src *block.Source, k int) (*classTargets, error) {
	n, d := src.Dims()
	if err := softmaxSize(d+1, k); err != nil {
		return nil, err
	}
	if _, err := check.LabelRange(labels, n, k); err != nil {
		return nil, err
	}
	return &classTargets{k: k, labels: slices.Clone(labels)}, nil
}

// softmaxSize refuses a Hessian of more than 2 GB.
func softmaxSize(m, k int) error {
	if p := float64(m) * float64(k); p > 1<<14 {
		return fmt.Errorf("%d classes with %d weights each make %.3g weights, and a Hessian of %.3g GB: use fewer columns or classes", k, m, p, 8*p*p/(1<<30))
	}
	return nil
}

// softmaxTargets checks a matrix of targets.
func softmaxTargets(t mat.Matrix, x *block.Source) (*classTargets, error) {
	src, err := check.Rows(t)
	if err != nil {
		return nil, fmt.Errorf("the targets: %w", err)
	}
	n, k := src.Dims()
	if want, _ := x.Dims(); n != want {
		return nil, fmt.Errorf("t has %d rows but x has %d: give one row of targets per row of x", n, want)
	}
	_, d := x.Dims()
	if err := softmaxSize(d+1, k); err != nil {
		return nil, err
	}
	if k < 2 {
		return nil, fmt.Errorf("t is %d×%d: needed are at least two columns, one per class", n, k)
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
			return nil, fmt.Errorf("row %d of t sums to %v: the probabilities of the classes sum to 1", i, sum)
		}
	}
	return &classTargets{k: k, soft: src}, nil
}

// totals returns Σ_n t_nk for each class.
func (c *classTargets) totals(n int) []float64 {
	total, t, buf := make([]float64, c.k), make([]float64, c.k), make([]float64, c.k)
	for i := range n {
		c.read(i, i+1, t, buf)
		for k, v := range t {
			total[k] += v
		}
	}
	return total
}

// noEmptyClass is an error if a class has no rows; total are the sums of targets.
func noEmptyClass(total []float64) error {
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
				"leave the class out and number the others 0…%d, or use a prior on all weights", k, len(total), len(total)-2)
		}
	}
	return nil
}

package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// weightsError describes an invalid value of the option Weights.
type weightsError string

func (e weightsError) Error() string { return string(e) }

// mostRows is the largest allowed sum of weights. float64 represents counts up to mostRows exactly.
// leastRows is the smallest allowed sum of weights. Fits divide by the sum, so leastRows is the
// smallest number that has full precision and a finite inverse.
const (
	mostRows  = 1 << 53
	leastRows = 0x1p-1022
)

// checkWeights checks the weights w of n rows. In errors, it uses `name` as the name of the option.
func checkWeights(name string, w []float64, n int) error {
	if len(w) != n {
		return weightsError(fmt.Sprintf("%s has %d entries but x has %d rows: give one weight per row, or nil to give every row the weight 1", name, len(w), n))
	}
	for i, v := range w {
		if !(v >= 0) || math.IsInf(v, 1) {
			return weightsError(fmt.Sprintf("%s[%d] is %v: want a finite number, 0 or more (0 leaves the row out)", name, i, v))
		}
	}
	if n > 0 && slices.Max(w) == 0 {
		return weightsError(fmt.Sprintf("all %d %s are 0, so no row is left: want a weight above 0 for every row that counts",
			n, name))
	}
	return nil
}

// weightedRows returns a view of x in which row n has the weight w[n]. The view omits the rows of
// weight 0. The result `index` contains, for each row of the view, its row number in x, or is nil
// if the view contains all rows. Without weights weightedRows returns x itself.
func weightedRows(x mat.Matrix, w []float64) (rows mat.Matrix, index []int, err error) {
	if w == nil || check.Nil(x) {
		return x, nil, nil
	}
	n, _ := x.Dims()
	if err := checkWeights("Weights", w, n); err != nil {
		return nil, nil, err
	}
	switch sum := block.Weights(w).Sum(n); {
	case n == 0:
		return x, nil, nil
	case sum > mostRows:
		return nil, nil, weightsError(fmt.Sprintf("Weights sum to %.3g, more rows than can be counted: divide all weights so that the sum is at most 2⁵³", sum))
	case sum < leastRows:
		return nil, nil, weightsError(fmt.Sprintf("Weights sum to %.3g, too small to divide by: multiply all weights so that the sum is at least %.3g", sum, leastRows))
	}
	v, index := block.NewWeightedView(block.NewSource(x), w)
	return v, index, nil
}

// weightedData returns the view of x from weightedRows, and the targets of the rows in the view. It
// does not check the length of t, because every fit checks this length later.
func weightedData[T any](x mat.Matrix, t []T, w []float64) (mat.Matrix, []T, error) {
	rows, index, err := weightedRows(x, w)
	if err != nil || index == nil {
		return rows, t, err
	}
	if len(t) != len(w) {
		return x, t, nil
	}
	kept := make([]T, len(index))
	for i, at := range index {
		kept[i] = t[at]
	}
	return rows, kept, nil
}

// weightedMatrix does the same as weightedData for a matrix of targets, with one row of targets for
// each row of x.
func weightedMatrix(x, t mat.Matrix, w []float64) (rows, targets mat.Matrix, err error) {
	rows, index, err := weightedRows(x, w)
	if err != nil || index == nil || check.Nil(t) {
		return rows, t, err
	}
	if n, _ := t.Dims(); n != len(w) {
		return x, t, nil
	}
	return rows, block.NewRowsView(block.NewSource(t), index), nil
}

// weightedFailure is like the function failure, but for a fit with weights. Unless the error is
// already about the weights, weightedFailure adds facts about the weights to it. If a weight is 0, the
// error also states that rows of weight 0 are not counted. If the weights are extreme, the error also
// states their range, because extreme weights may be the cause.
func weightedFailure(function string, w []float64, err error) error {
	var own weightsError
	if errors.As(err, &own) {
		return failure(function, err)
	}
	if least, most, extreme := block.Weights(w).Extreme(); extreme {
		err = fmt.Errorf("%w; or give weights nearer to 1: the weights range from %.3g to %.3g", err, least, most)
	}
	if slices.Contains(w, 0) {
		err = fmt.Errorf("%w (counting only rows of weight above 0)", err)
	}
	return failure(function, err)
}

// wholeRows rounds a sum of weights to the number N of rows of a model. The result is exact if
// every weight is a whole number.
func wholeRows(sum float64) int { return int(math.Round(sum)) }

// wholeCounts applies wholeRows to the sum of weights of each class.
func wholeCounts(sum []float64) []int {
	n := make([]int, len(sum))
	for k, v := range sum {
		n[k] = wholeRows(v)
	}
	return n
}

// sumOr returns the sum of weights of a model. If the model was saved without the sum, sumOr
// returns N.
func sumOr(sum float64, n int) float64 {
	if sum > 0 {
		return sum
	}
	return float64(n)
}

// sumsOr returns the sum of weights of each class. If the model was saved without these sums, sumsOr
// returns the class sizes.
func sumsOr(sum []float64, counts []int) []float64 {
	if len(sum) == len(counts) {
		return sum
	}
	out := make([]float64, len(counts))
	for k, n := range counts {
		out[k] = float64(n)
	}
	return out
}

package classify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// Predictor assigns a class to each input.
type Predictor interface {
	// Predict returns the class index of each of the N rows of x. Errors: x with other
	// columns than the fit, NaN or Inf, a model without a fit.
	Predict(x mat.Matrix) ([]int, error)
}

// Scorer computes activations: the class is the one with the largest.
type Scorer interface {
	// Scores returns the N×K activations a_k(x). Two-class models with a single
	// activation a return the columns (a, 0). Errors: those of Predict.
	Scores(x mat.Matrix) (*mat.Dense, error)
}

// Prober computes posterior probabilities.
type Prober interface {
	// Posterior returns the N×K probabilities p(C_k|x); each row sums to 1. Errors:
	// those of Predict, and a row that has probability 0 in every class.
	Posterior(x mat.Matrix) (*mat.Dense, error)
}

// Must returns v, and panics if err is not nil: for notebook cells.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// failure puts the function's name before an error of its arguments.
func failure(function string, err error) error {
	return fmt.Errorf("classify: %s: %w", function, err)
}

// linearScores returns the N×K activations w_kᵀφ of new inputs, φ = (1, x), for
// the K weight vectors in w. Wrong width, NaN and Inf are errors.
func linearScores(x mat.Matrix, w [][]float64) (*mat.Dense, error) {
	src, err := check.New(x, len(w[0])-1)
	if err != nil {
		return nil, err
	}
	n, _ := src.Dims()
	out := mat.NewDense(n, len(w), nil)
	raw := out.RawMatrix()
	block.Reduce(block.NewDesign(src, nil, nil), 0, block.Nothing,
		func(rows int) func(struct{}, *block.Block) {
			a := make([]float64, rows)
			return func(_ struct{}, b *block.Block) {
				for k, wk := range w {
					b.Margins(wk, a)
					for r := range b.N {
						raw.Data[(b.Lo+r)*raw.Stride+k] = a[r]
					}
				}
			}
		}, func(_, _ struct{}) {})
	for i, a := range raw.Data {
		if math.IsNaN(a) {
			return nil, fmt.Errorf("the activation of row %d is not a number: wᵀφ overflows, choose other units for x", i/len(w))
		}
	}
	return out, nil
}

// largest returns the index of the largest entry of each row, the lowest index
// of several.
func largest(scores *mat.Dense) []int {
	n, _ := scores.Dims()
	class := make([]int, n)
	for i := range class {
		row := scores.RawRowView(i)
		for k, v := range row {
			if v > row[class[i]] {
				class[i] = k
			}
		}
	}
	return class
}

// largestOf is largest where there are scores.
func largestOf(scores *mat.Dense, err error) ([]int, error) {
	if err != nil {
		return nil, err
	}
	return largest(scores), nil
}

package classify

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Predictor assigns a class to each input.
type Predictor interface {
	// Predict returns the class index of each of the N rows of x. Errors: x with a different number
	// of columns than in the fit, NaN or Inf, an unfitted model.
	Predict(x mat.Matrix) ([]int, error)
}

// Scorer computes activations. The predicted class is the class with the largest activation.
type Scorer interface {
	// Scores returns the N×K activations a_k(x). If a two-class model has a single activation a, the
	// columns are a and 0. Scores returns the errors of Predict.
	Scores(x mat.Matrix) (*mat.Dense, error)
}

// Prober computes posterior probabilities.
type Prober interface {
	// Posterior returns the N×K probabilities p(C_k|x); each row sums to 1. It returns
	// the errors of Predict, and an error for a row with probability 0 in every class.
	Posterior(x mat.Matrix) (*mat.Dense, error)
}

// failure puts "classify: " and the name of the given function in front of err, an error about the
// arguments of that function.
func failure(function string, err error) error {
	return fmt.Errorf("classify: %s: %w", function, err)
}

// rowArgMax returns the index of the largest entry of each row. If several entries are largest, it
// returns the lowest of their indices.
func rowArgMax(scores *mat.Dense) []int {
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

// rowArgMaxOf returns rowArgMax(scores), or err if err is not nil.
func rowArgMaxOf(scores *mat.Dense, err error) ([]int, error) {
	if err != nil {
		return nil, err
	}
	return rowArgMax(scores), nil
}

// linearModel is a model whose activations are linear in x.
type linearModel interface {
	// linearWeights returns the (D+1)×K weights of the activations; row 0 contains the biases.
	// Two-class models with one activation return the weights of this activation and a column of
	// zeros. The caller may change the matrix.
	linearWeights() *mat.Dense
}

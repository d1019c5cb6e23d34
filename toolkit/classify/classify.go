package classify

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
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

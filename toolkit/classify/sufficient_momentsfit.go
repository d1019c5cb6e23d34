package classify

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// FitLDA is [FitLDA] of the rows that were added. Errors: those of that function;
// Weights are refused.
//
// Equations: PRML (4.71)–(4.80).
func (s *SufficientMoments) FitLDA(o LDAOptions) (*LDA, error) {
	return fitMoments(s, "FitLDA", o.Weights, func(x *mat.Dense, labels []int, weights []float64) (*LDA, error) {
		o.Weights = weights
		return fitLDA(x, labels, len(s.Counts), o)
	})
}

// FitQDA is [FitQDA] of the rows that were added. Errors: those of that function;
// Weights are refused.
//
// Equations: Alpaydin (10.2), (10.34).
func (s *SufficientMoments) FitQDA(o QDAOptions) (*QDA, error) {
	return fitMoments(s, "FitQDA", o.Weights, func(x *mat.Dense, labels []int, weights []float64) (*QDA, error) {
		o.Weights = weights
		return fitQDA(x, labels, len(s.Counts), o)
	})
}

// FitFisher is [FitFisher] of the rows that were added, class 0 being C₁. Errors: those
// of that function, more than two classes; Weights are refused.
//
// Equations: PRML (4.23)–(4.30).
func (s *SufficientMoments) FitFisher(o FisherOptions) (*Fisher, error) {
	return fitMoments(s, "FitFisher", o.Weights, func(x *mat.Dense, labels []int, weights []float64) (*Fisher, error) {
		if len(s.Counts) != 2 {
			return nil, errors.New("Fisher's discriminant is for two classes: use FitLDA")
		}
		t := make([]float64, len(labels))
		for i, k := range labels {
			t[i] = float64(1 - k)
		}
		o.Weights = weights
		return fitFisher(x, t, o)
	})
}

// FitLeastSquares is [FitLeastSquares] of the rows that were added. Errors: those of
// that function; Weights are refused.
//
// Equations: PRML (4.15), (4.16).
func (s *SufficientMoments) FitLeastSquares(o LeastSquaresOptions) (*LeastSquares, error) {
	return fitMoments(s, "FitLeastSquares", o.Weights, func(x *mat.Dense, labels []int, weights []float64) (*LeastSquares, error) {
		o.Weights = weights
		return fitLeastSquares(x, labels, len(s.Counts), o)
	})
}

// FitNaiveBayesGaussian is [FitNaiveBayesGaussian] of the rows that were added. Errors:
// those of that function; Weights are refused.
//
// Equations: PRML (4.159), (4.161).
func (s *SufficientMoments) FitNaiveBayesGaussian(o NaiveBayesGaussianOptions) (*NaiveBayesGaussian, error) {
	return fitMoments(s, "FitNaiveBayesGaussian", o.Weights, func(x *mat.Dense, labels []int, weights []float64) (*NaiveBayesGaussian, error) {
		o.Weights = weights
		return fitNaiveGaussian(x, labels, len(s.Counts), o)
	})
}

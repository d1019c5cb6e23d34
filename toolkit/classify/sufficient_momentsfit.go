package classify

import (
	"errors"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// FitLDA is [FitLDA] of the rows that were added. Errors: those of that function;
// Weights are refused.
//
// Equations: PRML (4.71)–(4.80).
func (s *SufficientMoments) FitLDA(o LDAOptions) (*LDA, error) {
	return fitMoments(s, "FitLDA", o.Weights, func(in *check.Labelled) (*LDA, error) { return ldaOf(in, o) })
}

// FitQDA is [FitQDA] of the rows that were added. Errors: those of that function;
// Weights are refused.
//
// Equations: Alpaydin (10.2), (10.34).
func (s *SufficientMoments) FitQDA(o QDAOptions) (*QDA, error) {
	return fitMoments(s, "FitQDA", o.Weights, func(in *check.Labelled) (*QDA, error) { return qdaOf(in, o) })
}

// FitFisher is [FitFisher] of the rows that were added, class 0 being C₁. Errors: those
// of that function, more than two classes; Weights are refused.
//
// Equations: PRML (4.23)–(4.30).
func (s *SufficientMoments) FitFisher(o FisherOptions) (*Fisher, error) {
	return fitMoments(s, "FitFisher", o.Weights, func(in *check.Labelled) (*Fisher, error) {
		if in.K != 2 {
			return nil, errors.New("Fisher's discriminant is for two classes: use FitLDA")
		}
		if err := o.check(); err != nil {
			return nil, err
		}
		return fisherOf(in, o)
	})
}

// FitLeastSquares is [FitLeastSquares] of the rows that were added. Errors: those of
// that function; Weights are refused.
//
// Equations: PRML (4.15), (4.16).
func (s *SufficientMoments) FitLeastSquares(o LeastSquaresOptions) (*LeastSquares, error) {
	return fitMoments(s, "FitLeastSquares", o.Weights, func(in *check.Labelled) (*LeastSquares, error) { return leastSquaresOf(in, o) })
}

// FitNaiveBayesGaussian is [FitNaiveBayesGaussian] of the rows that were added. Errors:
// those of that function; Weights are refused.
//
// Equations: PRML (4.159), (4.161).
func (s *SufficientMoments) FitNaiveBayesGaussian(o NaiveBayesGaussianOptions) (*NaiveBayesGaussian, error) {
	return fitMoments(s, "FitNaiveBayesGaussian", o.Weights, func(in *check.Labelled) (*NaiveBayesGaussian, error) { return naiveGaussianOf(in, o) })
}

package classify

import (
	"errors"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

// FitLeastSquares is [FitLeastSquares] of the rows. Errors: those of that function, and
// rows that fail; Weights are refused.
//
// Equations: PRML (4.15), (4.16).
func (r *Rows) FitLeastSquares(o LeastSquaresOptions) (*LeastSquares, error) {
	return overRows(r, "FitLeastSquares", o.Weights, r.labels, func(in *check.Labelled) (*LeastSquares, error) { return leastSquaresOf(in, o) })
}

// FitFisher is [FitFisher] of the rows, which have two classes. Errors: those of that
// function, and rows that fail; Weights are refused.
//
// Equations: PRML (4.23)–(4.30).
func (r *Rows) FitFisher(o FisherOptions) (*Fisher, error) {
	return overRows(r, "FitFisher", o.Weights, r.labels, func(in *check.Labelled) (*Fisher, error) {
		if in.K != 2 {
			return nil, errors.New("Fisher's discriminant is for two classes: use FitLDA")
		}
		if err := o.check(); err != nil {
			return nil, err
		}
		return fisherOf(in, o)
	})
}

// FitLDA is [FitLDA] of the rows. Errors: those of that function, and rows that fail;
// Weights are refused.
//
// Equations: PRML (4.71)–(4.80).
func (r *Rows) FitLDA(o LDAOptions) (*LDA, error) {
	return overRows(r, "FitLDA", o.Weights, r.labels, func(in *check.Labelled) (*LDA, error) { return ldaOf(in, o) })
}

// FitQDA is [FitQDA] of the rows. Errors: those of that function, and rows that fail;
// Weights are refused.
//
// Equations: Alpaydin (10.2), (10.34).
func (r *Rows) FitQDA(o QDAOptions) (*QDA, error) {
	return overRows(r, "FitQDA", o.Weights, r.labels, func(in *check.Labelled) (*QDA, error) { return qdaOf(in, o) })
}

// FitNaiveBayesGaussian is [FitNaiveBayesGaussian] of the rows. Errors: those of that
// function, and rows that fail; Weights are refused.
//
// Equations: PRML (4.159), (4.161).
func (r *Rows) FitNaiveBayesGaussian(o NaiveBayesGaussianOptions) (*NaiveBayesGaussian, error) {
	return overRows(r, "FitNaiveBayesGaussian", o.Weights, r.labels, func(in *check.Labelled) (*NaiveBayesGaussian, error) { return naiveGaussianOf(in, o) })
}

// FitNaiveBayesBernoulli is [FitNaiveBayesBernoulli] of the rows. Errors: those of that
// function, and rows that fail; Weights are refused.
//
// Equations: PRML (4.81), (4.159).
func (r *Rows) FitNaiveBayesBernoulli(o NaiveBayesBernoulliOptions) (*NaiveBayesBernoulli, error) {
	return overRows(r, "FitNaiveBayesBernoulli", o.Weights, r.labels, func(in *check.Labelled) (*NaiveBayesBernoulli, error) { return naiveBernoulli(in, o) })
}

// FitNaiveBayesCategorical is [FitNaiveBayesCategorical] of the rows, with as many
// levels as columns. Errors: those of that function, and rows that fail; Weights are
// refused.
//
// Equations: PRML (4.159).
func (r *Rows) FitNaiveBayesCategorical(levels []int, o NaiveBayesCategoricalOptions) (*NaiveBayesCategorical, error) {
	return overRows(r, "FitNaiveBayesCategorical", o.Weights, r.labels, func(in *check.Labelled) (*NaiveBayesCategorical, error) {
		return naiveCategorical(in, levels, o)
	})
}

// FitLogistic is [FitLogistic] of the rows, which have two classes. Sequential and
// CoordinateAscent, which go from row to row, are refused as a Solver, and so are
// Weights. Other errors: those of that function, and rows that fail.
//
// Equations: PRML (4.89)–(4.92), (4.96), (4.97).
func (r *Rows) FitLogistic(o LogisticOptions) (*Logistic, error) {
	return overRows(r, "FitLogistic", o.Weights, r.twoClass, func(in *targeted) (*Logistic, error) {
		if err := inOrder(o.Solver); err != nil {
			return nil, err
		}
		m, err := in.fit(glm.CrossEntropy{}, o, nil)
		if err != nil {
			return nil, err
		}
		return &Logistic{*m}, nil
	})
}

// FitProbit is [FitProbit] of the rows, as FitLogistic. Errors: those of FitLogistic.
//
// Equations: PRML (4.111), (4.114), (4.122).
func (r *Rows) FitProbit(o ProbitOptions) (*Probit, error) {
	return overRows(r, "FitProbit", o.Weights, r.twoClass, func(in *targeted) (*Probit, error) {
		if err := inOrder(o.Solver); err != nil {
			return nil, err
		}
		m, err := in.fit(glm.ProbitLoss{}, LogisticOptions(o), probitProblem)
		if err != nil {
			return nil, err
		}
		return &Probit{*m}, nil
	})
}

// FitLabelFlip is [FitLabelFlip] of the rows, as FitLogistic. Errors: those of
// FitLogistic, and an Epsilon outside [0, ½).
//
// Equations: PRML (4.117).
func (r *Rows) FitLabelFlip(o LabelFlipOptions) (*LabelFlip, error) {
	return overRows(r, "FitLabelFlip", o.Weights, r.twoClass, func(in *targeted) (*LabelFlip, error) {
		if err := inOrder(o.Solver); err != nil {
			return nil, err
		}
		if err := o.check(); err != nil {
			return nil, err
		}
		return in.fitLabelFlip(o)
	})
}

// FitBayesLogistic is [FitBayesLogistic] of the rows, which have two classes. Errors:
// those of that function, and rows that fail; Weights are refused.
//
// Equations: PRML (4.138), (4.140)–(4.144).
func (r *Rows) FitBayesLogistic(o BayesLogisticOptions) (*BayesLogistic, error) {
	return overRows(r, "FitBayesLogistic", o.Weights, r.twoClass, func(in *targeted) (*BayesLogistic, error) {
		if err := o.check(); err != nil {
			return nil, err
		}
		return in.fitBayes(o)
	})
}

// FitSoftmax is [FitSoftmax] of the rows. Sequential and CoordinateAscent, which go
// from row to row, are refused as a Solver, and so are Weights. Other errors: those of
// that function, and rows that fail.
//
// Equations: PRML (4.104)–(4.110).
func (r *Rows) FitSoftmax(o SoftmaxOptions) (*Softmax, error) {
	return overRows(r, "FitSoftmax", o.Weights, r.labels, func(in *check.Labelled) (*Softmax, error) {
		if err := inOrder(o.Solver); err != nil {
			return nil, err
		}
		_, d := in.Src.Dims()
		if err := glm.SoftmaxSize(d+1, in.K); err != nil {
			return nil, err
		}
		return fitSoftmax(in.Src, in.Cols, &glm.ClassTargets{K: in.K, Inputs: in.Src}, o, nil)
	})
}

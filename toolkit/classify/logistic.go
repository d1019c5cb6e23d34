package classify

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

var (
	_ Predictor   = (*Logistic)(nil)
	_ Scorer      = (*Logistic)(nil)
	_ Prober      = (*Logistic)(nil)
	_ linearModel = (*Logistic)(nil)
)

// LogisticOptions are the options of FitLogistic. The zero value means maximum likelihood.
type LogisticOptions struct {
	// Prior is the prior over the weights; nil means maximum likelihood. Of all fits, only FitLogistic
	// and FitLogisticFrom accept Jeffreys.
	Prior Prior
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
	// Start is the initial w, bias first, D+1 entries; nil means 0. With a nil Start and 50 000
	// rows or more in memory, the solver Newton first fits a sample of the rows, and starts from the
	// weights of this fit.
	Start []float64
	// MaxIterations is the maximum number of iterations; 0 means 100 for Newton and more for slower
	// solvers.
	MaxIterations int
	// Tolerance decides when the fit has converged; 0 means 1e-10. The length of the last Newton
	// step, in units of the standard errors of the weights, must be at most Tolerance. The step
	// must also change the weights and every activation only by a relative amount of at most 1e-8
	// (or Tolerance, if Tolerance is larger).
	Tolerance float64
	// Solver is the solver that finds the optimum; nil means Newton{}.
	Solver Solver
}

// Logistic is the logistic regression model of PRML 4.3.2,
//
//	p(C₁|x) = y = σ(a), a = wᵀφ, φ = (1, x) (4.87),
//
// where w minimises E(w) = −Σ_n {t_n ln y_n + (1−t_n) ln(1−y_n)} (4.90), plus, under a Gaussian
// prior, ½(w−m0)ᵀS0⁻¹(w−m0) (4.142).
//
// The maximum-likelihood weights are finite only if the classes overlap. Otherwise the field Separable
// is true, even if rows of both classes lie on the boundary. Alpaydin 10.7.2 recommends the model "as
// long as classes are linearly separable", but the weights are then infinite (erratum A9).
//
// If w_j is positive, p(C₁|x) grows with x_j. Alpaydin 10.1 interprets the size of w_j as the
// importance of x_j. This is correct only for columns in comparable units. For example, w_j is 1000
// times larger if x_j is in metres instead of millimetres.
//
// Equations: PRML (4.87), (4.90); Alpaydin (10.19), (10.21).
type Logistic struct{ Estimate }

// FitLogistic fits a two-class logistic regression to inputs x (N×D) and targets t in [0,1]. t = 1
// means C₁. A target between 0 and 1 is the probability of C₁ (PRML exercise 4.16).
//
// The likelihood has no maximum if a hyperplane separates the classes, even if some rows lie on the
// hyperplane. FitLogistic then returns an iterate that can be used and plotted, and sets Separable,
// Direction and Reason. If the iterates do not show whether the classes are separable, FitLogistic
// decides by exact arithmetic, unless the data are too large. If the exact proof would take too
// long, FitLogistic stops the proof, and Reason reports this. With a Prior the optimum always
// exists. The prior Jeffreys (Firth's penalised likelihood) has no parameter to choose.
//
// Converged means that W is the optimum: unless Tolerance is larger, the next Newton step would be
// at most 1e-8 standard errors long. This step would also be short relative to the weights and the
// activations. If a column is far from 0, rounding of the weights may prevent this accuracy. Reason
// then recommends centring the column. Under a weak prior, or with a row far from the boundary on
// its correct side, E can fall exponentially along a long path to the optimum. On this path, a
// Newton step can be short in standard errors although the optimum is still far away. FitLogistic
// does not stop at such a step, but continues to the optimum.
//
// Dependent columns (a constant column, duplicates, more columns than rows) are not an error, except
// under Jeffreys' prior. Without a prior, the activations are unique, and W is the shortest of all
// weight vectors with these activations. Reason then names the columns, and Covariance is nil.
//
// Errors: shapes that do not agree, NaN or Inf, targets outside [0,1], targets of a single class
// without a prior on the bias, an invalid prior or option. Under Jeffreys' prior, dependent columns and
// a Solver other than Newton are also errors.
//
// Equations: PRML (4.87), (4.89)–(4.92), (4.96), (4.97), (4.141), (4.142); Alpaydin (10.21)–(10.24).
func FitLogistic(x mat.Matrix, t []float64, o LogisticOptions) (*Logistic, error) {
	return fitLogistic("FitLogistic", InMemory{X: x, T: t}, o)
}

// FitLogisticFrom is like [FitLogistic], but reads the rows from any source. It returns the errors
// of FitLogistic. It also returns an error for more than two classes, for a source that cannot be
// read, and for a source that cannot provide what the fit or its options need. The solvers
// Sequential and CoordinateAscent need the rows in memory.
//
// Equations: PRML (4.89)–(4.92), (4.96), (4.97).
func FitLogisticFrom(s Source, o LogisticOptions) (*Logistic, error) {
	return fitLogistic("FitLogisticFrom", s, o)
}

func fitLogistic(function string, s Source, o LogisticOptions) (*Logistic, error) {
	m, err := fitTwoClass(function, s, glm.CrossEntropy{}, o, nil)
	if err != nil {
		return nil, err
	}
	return &Logistic{*m}, nil
}

// complete replaces zero options with their defaults and returns the starting weights.
func (o *LogisticOptions) complete(m int) ([]float64, error) {
	if err := completeSolver(&o.Solver, &o.MaxIterations, &o.Tolerance, m-1, 2); err != nil {
		return nil, err
	}
	if o.Start == nil {
		return make([]float64, m), nil
	}
	return o.Start, check.Vector("Start", o.Start, m, "one entry for the bias and one for each column of x")
}

func (m *Logistic) estimate() *Estimate {
	if m == nil {
		return nil
	}
	return &m.Estimate
}

func (m *Logistic) linearWeights() *mat.Dense { return twoColumns(m.W) }

// Scores returns an N×2 matrix with the activation a for C₁ and 0 for C₂.
func (m *Logistic) Scores(x mat.Matrix) (*mat.Dense, error) {
	return m.estimate().pairs(x, scoreLink)
}

// Posterior returns an N×2 matrix with p(C₁|x) = σ(a) and p(C₂|x) = σ(−a). Each probability has
// full relative accuracy.
//
// Equations: PRML (4.87); Alpaydin (10.15), (10.21).
func (m *Logistic) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return m.estimate().pairs(x, sigmoidLink)
}

// Predict returns 0 (C₁) for rows with a ≥ 0 and 1 (C₂) for rows with a < 0.
func (m *Logistic) Predict(x mat.Matrix) ([]int, error) { return m.estimate().predict(x) }

// LikelihoodRatio returns the statistic 2(ln p(t|W) − ln p(t|bias alone)) and its degrees of
// freedom. It also returns p, which it computes from the χ² distribution. If all true weights except
// the bias are 0, p is approximately the probability of an even larger statistic. LikelihoodRatio
// returns an error if the fit has a prior, has not converged, or has only constant columns.
func (m *Logistic) LikelihoodRatio() (statistic float64, df int, p float64, err error) {
	switch {
	case m.HasPrior:
		err = errors.New("the fit has a prior, but the likelihood ratio requires maximum likelihood: fit without a prior")
	case !m.Converged:
		err = errors.New("the fit has not converged to a maximum: " + m.Reason)
	case m.Rank < 2:
		err = errors.New("all columns of x are constant, so there are no effects to test")
	}
	if err != nil {
		return 0, 0, 0, failure("LikelihoodRatio", err)
	}
	statistic, df = math.Max(0, 2*(m.LogLikelihood-m.NullLogLikelihood)), m.Rank-1
	return statistic, df, distuv.ChiSquared{K: float64(df)}.Survival(statistic), nil
}

var _ = codec.Register(codec.Kind[Logistic]{Schema: "hyperplane-logistic/1",
	Valid: func(m *Logistic) error { return m.checkSizes(0) },
	New:   func() *Logistic { return &Logistic{unknownPenalty} }})

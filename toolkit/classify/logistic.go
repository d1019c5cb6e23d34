package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

var (
	_ Predictor = (*Logistic)(nil)
	_ Scorer    = (*Logistic)(nil)
	_ Prober    = (*Logistic)(nil)
)

// LogisticOptions are the options of FitLogistic. The zero value is maximum likelihood.
type LogisticOptions struct {
	// Prior is the prior over the weights; nil means maximum likelihood.
	Prior Prior
	// Weights says how often each row counts; nil means once (see the package comment).
	Weights []float64
	// Start is the initial w, bias first, D+1 entries. Nil means 0; for Newton with 50 000 rows or
	// more it means about the optimum of a sample of them.
	Start []float64
	// MaxIterations is the maximum number of iterations; 0 means 100 for Newton and more for
	// solvers that need more.
	MaxIterations int
	// Tolerance is the length of the Newton step, in standard errors of the weights, at which the
	// fit has converged; 0 means 1e-10. The step must also be short relative to the weights and to
	// every activation: 1e-8 of them, or Tolerance if that is larger.
	Tolerance float64
	// Solver is the solver that finds the optimum; nil means Newton{}.
	Solver Solver
}

// Logistic is the logistic regression model of PRML 4.3.2,
//
//	p(C₁|x) = y = σ(a),  a = wᵀφ,  φ = (1, x)  (4.87),
//
// with w minimising E(w) = −Σ_n {t_n ln y_n + (1−t_n) ln(1−y_n)} (4.90), plus ½(w−m0)ᵀS0⁻¹(w−m0)
// under a Gaussian prior (4.142).
//
// The model needs overlapping classes. Alpaydin 10.7.2 recommends it "as long as classes are
// linearly separable", but that is the case in which the weights are not finite (erratum A9); see
// Separable.
//
// The sign of w_j gives the direction in which x_j acts. Its size is the importance of x_j, as
// Alpaydin 10.1 has it, only among columns in comparable units: x_j in metres has 1000 times the
// weight of x_j in millimetres.
//
// Equations: PRML (4.87), (4.90); Alpaydin (10.19), (10.21).
type Logistic struct{ Estimate }

// FitLogistic fits a two-class logistic regression to inputs x (N×D) and targets t in [0,1], t = 1
// meaning C₁; a target between 0 and 1 is the probability that it is 1 (PRML exercise 4.16).
//
// If no maximum of the likelihood exists because a hyperplane separates the classes, with or
// without rows on it, Separable, Direction and Reason are set. The model is then an iterate that
// can be used and plotted. If the iterates prove neither case, exact arithmetic decides, as long as
// the size of the data allows. A proof that takes too many pivots is abandoned, and Reason says
// that it is unfinished. With a Prior the optimum always exists.
//
// Converged means that W is the optimum: the remaining Newton step is at most 1e-8 standard errors
// long, and short relative to the weights and the activations, unless Tolerance is larger. If a
// column lies so far from 0 that its weights in the units of x cannot have these digits, Reason
// says to centre it. A weak prior, or a row far out on its correct side, leaves an exponential tail
// before the optimum. Along this tail the step is short in standard errors long before the end;
// Newton crosses it.
//
// Dependent columns (a constant one, duplicates, more columns than rows) are not an error: the
// activations are unique, and W is the shortest of all weights that give them; Reason names the
// columns and Covariance is nil.
//
// Errors: shapes that do not agree, NaN or Inf, targets outside [0,1], targets of a single class
// without a prior on the bias, a bad prior.
//
// Equations: PRML (4.87), (4.89)–(4.92), (4.96), (4.97), (4.141), (4.142); Alpaydin
// (10.21)–(10.24).
func FitLogistic(x mat.Matrix, t []float64, o LogisticOptions) (*Logistic, error) {
	m, err := fitTwoClass(x, t, glm.CrossEntropy{}, o, nil)
	if err != nil {
		return nil, weightedFailure("FitLogistic", o.Weights, err)
	}
	return &Logistic{*m}, nil
}

// complete fills in the defaults and returns the starting weights.
func (o *LogisticOptions) complete(m int) ([]float64, error) {
	if err := completeSolver(&o.Solver, &o.MaxIterations, &o.Tolerance, m-1, 2); err != nil {
		return nil, err
	}
	if o.Start == nil {
		return make([]float64, m), nil
	}
	return o.Start, check.Vector("Start", o.Start, m, "the bias and one per column of x")
}

func (m *Logistic) estimate() *Estimate {
	if m == nil {
		return nil
	}
	return &m.Estimate
}

// Scores returns N×2: the activations a and 0.
func (m *Logistic) Scores(x mat.Matrix) (*mat.Dense, error) {
	return m.estimate().pair(x, scoreLink)
}

// Posterior returns N×2: p(C₁|x) = σ(a) and p(C₂|x) = σ(−a), each to full
// relative accuracy.
//
// Equations: PRML (4.87); Alpaydin (10.15), (10.21).
func (m *Logistic) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return m.estimate().pair(x, sigmoidLink)
}

// Predict returns 0 (C₁) for rows with a ≥ 0 and 1 (C₂) for the others.
func (m *Logistic) Predict(x mat.Matrix) ([]int, error) { return m.estimate().predict(x) }

// EffectiveDegreesOfFreedom returns the trace of S_N·H, H the Hessian of the likelihood alone: how
// many weights the data determine, D+1 without a prior and less with one. x must hold the rows of
// the fit, and weights the weights of the fit; without weights every row counts once. It returns an
// error if the fit has no covariance or used other rows.
func (m *Logistic) EffectiveDegreesOfFreedom(x mat.Matrix, weights ...float64) (float64, error) {
	const name = "EffectiveDegreesOfFreedom"
	if err := m.hasCovariance(); err != nil {
		return 0, failure(name, err)
	}
	x, _, err := weightedRows(x, weights)
	if err != nil {
		return 0, failure(name, err)
	}
	a, err := m.Activations(x)
	if err != nil {
		return 0, failure(name, err)
	}
	se, err := m.ActivationErrors(x)
	if err != nil {
		return 0, failure(name, err)
	}
	src := block.NewSource(x)
	if n := sumOr(m.SumWeights, m.N); math.Abs(src.Total()-n) > 1e-9*n {
		return 0, failure(name,
			fmt.Errorf("x has %.10g rows: give the %.10g rows of the fit, and its weights if it had any", src.Total(),
				n))
	}
	// tr(S·Σ y(1−y)φφᵀ) = Σ y(1−y)·φᵀSφ.
	var sum float64
	for i, v := range a {
		y, c, _ := kernels.SigmoidParts(v)
		sum += src.Weights().At(i) * y * c * se[i] * se[i]
	}
	return sum, nil
}

// LikelihoodRatio returns the statistic 2(ln p(t|W) − ln p(t|bias alone)), its degrees of freedom,
// and the probability of a larger statistic if no input mattered, by the χ² approximation. It
// requires maximum likelihood: with a prior or without convergence W is not the maximum, and it
// returns an error.
func (m *Logistic) LikelihoodRatio() (statistic float64, df int, p float64, err error) {
	switch {
	case m.HasPrior:
		err = errors.New("the fit has a prior: the likelihood ratio is for maximum likelihood, fit without one")
	case !m.Converged:
		err = errors.New("the fit has not converged to a maximum: " + m.Reason)
	case m.Rank < 2:
		err = errors.New("all columns of x are constant: there is nothing to test")
	}
	if err != nil {
		return 0, 0, 0, failure("LikelihoodRatio", err)
	}
	statistic, df = math.Max(0, 2*(m.LogLikelihood-m.NullLogLikelihood)), m.Rank-1
	return statistic, df, distuv.ChiSquared{K: float64(df)}.Survival(statistic), nil
}

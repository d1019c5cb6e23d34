package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Predictive is a Bayesian classifier: it has a posterior distribution over the
// weights and answers with the weights integrated out (PRML 4.145),
//
//	p(C_k|φ, t) = ∫ p(C_k|φ, w) p(w|t) dw.
//
// BayesLogistic, BayesSoftmax and the variational and sampling fits implement
// it, so that one plot or table compares them.
//
// Equations: PRML (4.145).
type Predictive interface {
	Predictor
	Scorer // the logarithm of the predictive odds or probabilities
	Prober // the predictive distribution

	// PosteriorError returns the predictive distribution, N×K, and the Monte Carlo
	// standard error of each probability, N×K; zeros where nothing was drawn.
	// Errors: those of Posterior.
	PosteriorError(x mat.Matrix) (p, se *mat.Dense, err error)

	// WeightMoments returns the mean and the covariance of the weights under the
	// posterior or its approximation: bias first, and class after class for K > 2.
	WeightMoments() (mean []float64, cov *mat.SymDense)
}

// ActivationPosterior is a two-class Predictive whose activation a = wᵀφ has a
// posterior distribution of its own, PRML (4.148).
//
// Equations: PRML (4.147)–(4.150).
type ActivationPosterior interface {
	Predictive

	// ActivationMoments returns the mean μ_a and the variance σ_a² of a for each
	// row of x, PRML (4.149, 4.150). Errors: those of Posterior.
	ActivationMoments(x mat.Matrix) (mean, variance []float64, err error)
}

// PredictiveMethod is a way of integrating σ(a) over a Gaussian N(a|μ_a, σ_a²).
//
// Equations: PRML (4.151), (4.155).
type PredictiveMethod int

const (
	// Moderated is σ(κ(σ_a²)μ_a), PRML (4.155). The book writes = for what is the
	// approximation (4.153), erratum P32; the error is at most about 0.02.
	PredictiveModerated PredictiveMethod = iota
	// Quadrature is the integral (4.151) itself, to about 13 digits.
	PredictiveQuadrature
	// PredictivePlugIn is σ(μ_a): the weights' mean in place of their distribution.
	PredictivePlugIn
)

// setPrior notes the prior, and how many weights it leaves to the data.
func (m *BayesLogistic) setPrior(g *glm.Gaussian) {
	n := len(m.W)
	m.PriorMean, m.PriorPrecision = make([]float64, n), g.PrecisionMatrix(n)
	m.Determined = float64(n)
	if g == nil {
		return
	}
	copy(m.PriorMean, g.Mean)
	for _, row := range g.Root { // tr(S0⁻¹S_N) = ‖root·Root‖²
		u := linalg.MulVecT(m.Root, row)
		m.Determined -= linalg.Dot(u, u)
	}
	m.Determined = math.Max(m.Determined, 0)
}

// bayesPriorOnly returns the prior itself when there are no data, nil if there are.
func bayesPriorOnly(x mat.Matrix, t []float64, o BayesLogisticOptions) (*BayesLogistic, error) {
	if x == nil || len(t) > 0 {
		return nil, nil
	}
	if d, ok := x.(*mat.Dense); ok && d == nil {
		return nil, nil
	}
	n, d := x.Dims()
	if n != 0 {
		return nil, nil
	}
	var err error
	if o.Prior, err = priorOf(o.Prior); err != nil {
		return nil, err
	}
	if o.Prior == nil {
		return nil, fmt.Errorf("x is %d×%d: it must have at least one row and one column, or a proper Prior must stand for the data", n, d)
	}
	m := d + 1
	if d == 0 {
		if m = o.Prior.weights(); m == 0 {
			return nil, errors.New("x is 0×0: it must have at least one row and one column; without data the prior comes back, if it is a Gaussian that says how many weights there are")
		}
	}
	g, err := o.Prior.resolve(m)
	if err != nil {
		return nil, err
	}
	if g.Free || o.Reestimate {
		return nil, fmt.Errorf("x is 0×%d: it must have at least one row, unless the prior is proper and fixed", d)
	}
	b := &BayesLogistic{W: g.Mean, Precision: g.PrecisionMatrix(m), Method: o.Method, Converged: true, Reason: onlyPrior}
	b.Evidence = Evidence{LogPrior: g.LogDensity(g.Mean), M: m}
	b.Root, b.Covariance, b.Evidence.LogDet = g.Itself()
	b.setPrior(g)
	b.Determined = 0
	b.Alpha = alphaOf(o.Prior)
	return b, nil
}

const onlyPrior = "no data: the posterior is the prior"

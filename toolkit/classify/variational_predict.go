package classify

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// gaussian lends the predictions of any Gaussian q(w): those of the Laplace
// approximation with other moments.
func (m *VariationalLogistic) gaussian() (*BayesLogistic, error) {
	if m == nil || len(m.Mean) == 0 || m.Root == nil {
		return nil, failure("VariationalLogistic", errNoWeights("FitVariationalLogistic"))
	}
	return &BayesLogistic{W: m.Mean, Covariance: m.Covariance, Root: m.Root, Method: m.Method}, nil
}

// variationalError puts this model's name in place of the other.
func variationalError(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	return failure("VariationalLogistic", err)
}

// ActivationMoments returns the mean μ_a = m_Nᵀφ and the variance σ_a² = φᵀS_Nφ of
// the activation of each row of x, PRML (4.149, 4.150).
//
// Equations: PRML (4.149), (4.150).
func (m *VariationalLogistic) ActivationMoments(x mat.Matrix) (mean, variance []float64, err error) {
	g, err := m.gaussian()
	if err != nil {
		return nil, nil, err
	}
	if mean, variance, err = g.ActivationMoments(x); err != nil {
		return nil, nil, variationalError(err)
	}
	return mean, variance, nil
}

// Posterior returns N×2: the predictive p(C₁|φ, t) and p(C₂|φ, t) by the model's
// Method.
//
// Equations: PRML (4.145).
func (m *VariationalLogistic) Posterior(x mat.Matrix) (*mat.Dense, error) {
	g, err := m.gaussian()
	if err != nil {
		return nil, err
	}
	return m.PosteriorBy(x, g.Method)
}

// PosteriorBy returns the predictive distribution by the method given, N×2. Errors:
// those of Posterior, and an unknown method.
func (m *VariationalLogistic) PosteriorBy(x mat.Matrix, by PredictiveMethod) (*mat.Dense, error) {
	g, err := m.gaussian()
	if err != nil {
		return nil, err
	}
	p, err := g.PosteriorBy(x, by)
	if err != nil {
		return nil, variationalError(err)
	}
	return p, nil
}

// PosteriorError returns the predictive distribution by the model's Method, and
// standard errors of 0, for nothing is drawn.
func (m *VariationalLogistic) PosteriorError(x mat.Matrix) (p, se *mat.Dense, err error) {
	if p, err = m.Posterior(x); err != nil {
		return nil, nil, err
	}
	n, _ := p.Dims()
	return p, mat.NewDense(n, 2, nil), nil
}

// Scores returns N×2: the logarithm of the predictive odds, ln p(C₁)/p(C₂), and 0.
func (m *VariationalLogistic) Scores(x mat.Matrix) (*mat.Dense, error) {
	g, err := m.gaussian()
	if err != nil {
		return nil, err
	}
	s, err := g.Scores(x)
	if err != nil {
		return nil, variationalError(err)
	}
	return s, nil
}

// Predict returns 0 (C₁) for rows with μ_a ≥ 0 and 1 (C₂) for the others.
func (m *VariationalLogistic) Predict(x mat.Matrix) ([]int, error) { return largestOf(m.Scores(x)) }

// WeightMoments returns m_N and S_N, as copies.
func (m *VariationalLogistic) WeightMoments() (mean []float64, cov *mat.SymDense) {
	return (&BayesLogistic{W: m.Mean, Covariance: m.Covariance}).WeightMoments()
}

// SampleWeights draws n weight vectors from q(w), one per row. Equal seeds give
// equal draws. Errors: n < 1 or too large for memory, a model without a fit.
func (m *VariationalLogistic) SampleWeights(n int, seed uint64) (*mat.Dense, error) {
	if _, err := m.gaussian(); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, failure("SampleWeights", fmt.Errorf("n is %d: draw at least one", n))
	}
	if err := check.Drawn(float64(n), len(m.Mean)); err != nil {
		return nil, failure("SampleWeights", err)
	}
	return drawGaussian(m.Mean, m.Root, n, rand.New(rand.NewPCG(seed, bayesStream))), nil
}

// DegreesOfFreedom returns the number of weights, D+1.
func (m *VariationalLogistic) DegreesOfFreedom() int { return len(m.Mean) }

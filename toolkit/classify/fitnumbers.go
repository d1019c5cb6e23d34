package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// DegreesOfFreedom returns the number of adjustable weights, D+1 (PRML 4.3.2): it
// grows linearly with the number of inputs, where Gaussian class densities take
// D(D+5)/2 + 1 parameters. Dependent columns count once.
func (m *Logistic) DegreesOfFreedom() int { return m.Rank }

// EffectiveDegreesOfFreedom returns the trace of S_N·H, H the Hessian of the
// likelihood alone: how many weights the data determine, D+1 without a prior and
// less with one. It is an error if the fit has no covariance.
func (m *Logistic) EffectiveDegreesOfFreedom(x mat.Matrix) (float64, error) {
	const name = "EffectiveDegreesOfFreedom"
	if err := m.hasCovariance(); err != nil {
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
	if len(a) != m.N {
		return 0, failure(name, fmt.Errorf("x has %d rows: give the %d rows of the fit", len(a), m.N))
	}
	// tr(S·Σ y(1−y)φφᵀ) = Σ y(1−y)·φᵀSφ.
	var sum float64
	for i, v := range a {
		y, c, _ := kernels.SigmoidParts(v)
		sum += y * c * se[i] * se[i]
	}
	return sum, nil
}

// LikelihoodRatio returns the statistic 2(ln p(t|W) − ln p(t|bias alone)), its
// degrees of freedom, and the probability of a larger one if no input mattered,
// by the χ² approximation. It is for maximum likelihood: with a prior or without
// convergence W is not the maximum, and that is an error.
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

// Intervals returns for each weight the interval w ± z·se that would hold the
// true one with the given probability, by the normal approximation: 0.95 gives
// z = 1.96. It is an error if the fit has no covariance.
func (m *Logistic) Intervals(level float64) (lo, hi []float64, err error) {
	if !(level > 0 && level < 1) {
		return nil, nil, failure("Intervals", fmt.Errorf("level is %v: it is a probability between 0 and 1", level))
	}
	se, err := m.StandardErrors()
	if err != nil {
		return nil, nil, err
	}
	z := distuv.UnitNormal.Quantile(0.5 + level/2)
	lo, hi = make([]float64, len(se)), make([]float64, len(se))
	for i, s := range se {
		lo[i], hi[i] = m.W[i]-z*s, m.W[i]+z*s
	}
	return lo, hi, nil
}

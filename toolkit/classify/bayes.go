package classify

import (
	"gonum.org/v1/gonum/mat"
)

// Predictive is a Bayesian classifier: it has a posterior distribution over the
// weights and answers with the weights integrated out (PRML 4.145),
//
//	p(C_k|φ, t) = ∫ p(C_k|φ, w) p(w|t) dw.
//
// BayesLogistic, BayesSoftmax and the variational and sampling fits implement
// it, so that one plot or table compares them.
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
type ActivationPosterior interface {
	Predictive

	// ActivationMoments returns the mean μ_a and the variance σ_a² of a for each
	// row of x, PRML (4.149, 4.150). Errors: those of Posterior.
	ActivationMoments(x mat.Matrix) (mean, variance []float64, err error)
}

// PredictiveMethod is a way of integrating σ(a) over a Gaussian N(a|μ_a, σ_a²).
type PredictiveMethod int

const (
	// Moderated is σ(κ(σ_a²)μ_a), PRML (4.155). The book writes = for what is the
	// approximation (4.153); the error is at most about 0.02.
	Moderated PredictiveMethod = iota
	// Quadrature is the integral (4.151) itself, to about 13 digits.
	Quadrature
	// PlugIn is σ(μ_a): the weights' mean in place of their distribution.
	PlugIn
)

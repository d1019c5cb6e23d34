package ex22

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

// terms are the numbers of which (4.137) and its mistaken forms are made.
type terms struct {
	lik, prior float64
	twoPi      float64 // M/2 ln(2π)
	logDet     float64 // ln|A|
	m          float64
	p          problem
}

func (p problem) terms() terms {
	logDet, _ := mat.LogDet(p.A)
	m := float64(p.dim())
	return terms{p.logLik(p.mode), p.logPrior(p.mode), m / 2 * math.Log(2*math.Pi), logDet, m, p}
}

// laplace is (4.137).
func laplace(p problem) float64 {
	t := p.terms()
	return t.lik + t.prior + t.twoPi - t.logDet/2
}

// of is what a mistaken formula makes of all problems.
func of(formula func(t terms) float64) func([]problem) []float64 {
	return func(problems []problem) []float64 {
		v := make([]float64, len(problems))
		for i, p := range problems {
			v[i] = formula(p.terms())
		}
		return v
	}
}

// diagonal is Σ g(A_ii).
func diagonal(a *mat.SymDense, g func(float64) float64) float64 {
	sum := 0.0
	for i := range a.SymmetricDim() {
		sum += g(a.At(i, i))
	}
	return sum
}

var mistakes = []learner.Mistake[[]problem]{
	{Key: "two-pi-missing", Hint: 2, Value: of(func(t terms) float64 { return t.lik + t.prior - t.logDet/2 }),
		Message: "The term with ln(2π) is missing: the integral of an M-dimensional Gaussian without its normalisation has M factors √(2π)."},
	{Key: "two-pi-sign", Hint: 2, Value: of(func(t terms) float64 { return t.lik + t.prior - t.twoPi - t.logDet/2 }),
		Message: "The term with ln(2π) has the wrong sign. (2π)^{M/2} is part of the Gaussian's volume here, not of a density's normalisation."},
	{Key: "two-pi-once", Hint: 2, Value: of(func(t terms) float64 { return t.lik + t.prior + t.twoPi/t.m - t.logDet/2 }),
		Message: "½ ln(2π) stands in your sum once; every one of the M dimensions brings it in."},
	{Key: "two-pi-half", Hint: 2, Value: of(func(t terms) float64 { return t.lik + t.prior + 2*t.twoPi - t.logDet/2 }),
		Message: "M ln(2π) stands in your sum: each dimension brings in √(2π), so a ½ is missing."},
	{Key: "pi-for-two-pi", Hint: 2, Value: of(func(t terms) float64 { return t.lik + t.prior + t.m/2*math.Log(math.Pi) - t.logDet/2 }),
		Message: "π stands where 2π belongs: the ½ in the Gaussian's exponent makes the 2."},
	{Key: "determinant-sign", Hint: 2, Value: of(func(t terms) float64 { return t.lik + t.prior + t.twoPi + t.logDet/2 }),
		Message: "½ ln|A| is added where it is subtracted. A is a precision, a curvature: the larger it is, the narrower the posterior, and the smaller its volume. (It is +½ ln of the covariance's determinant.)"},
	{Key: "normaliser-inverted", Hint: 2, Value: of(func(t terms) float64 { return t.lik + t.prior - t.twoPi + t.logDet/2 }),
		Message: "ln(2π) and ln|A| both have the wrong sign. The integral of e^{−½zᵀAz} is what a density is divided by: the inverse of the factor in front of a normal density."},
	{Key: "determinant-half", Hint: 2, Value: of(func(t terms) float64 { return t.lik + t.prior + t.twoPi - t.logDet }),
		Message: "ln|A| is subtracted whole: the volume has the root of the determinant, so a ½ is missing."},
	{Key: "determinant-missing", Hint: 2, Value: of(func(t terms) float64 { return t.lik + t.prior + t.twoPi }),
		Message: "A does not occur in your number, or as the identity. The posterior's width decides how much of the prior survives."},
	{Key: "occam-missing", Hint: 2, Value: of(func(t terms) float64 { return t.lik + t.prior }),
		Message: "This is the height of ln{p(D|θ)p(θ)} at the mode. The evidence is the integral: height times width, and the width is missing."},
	{Key: "best-fit-only", Hint: 1, Value: of(func(t terms) float64 { return t.lik }),
		Message: "This is the log likelihood at the mode. The evidence has a penalty, the Occam factor, for all that the parameters could also have been."},
	{Key: "prior-forgotten", Hint: 1, Value: of(func(t terms) float64 { return t.lik + t.twoPi - t.logDet/2 }),
		Message: "The log prior at the mode is missing. The integrand of the evidence is p(D|θ)p(θ)."},
	{Key: "prior-twice", Hint: 1, Value: of(func(t terms) float64 { return t.lik + 2*t.prior + t.twoPi - t.logDet/2 }),
		Message: "The prior is counted twice. logLik is ln p(D|θ) alone, without the prior."},
	{Key: "prior-sign", Hint: 1, Value: of(func(t terms) float64 { return t.lik - t.prior + t.twoPi - t.logDet/2 }),
		Message: "The log prior is subtracted. Likelihood and prior are multiplied, so their logarithms add."},
	{Key: "likelihood-forgotten", Hint: 1, Value: of(func(t terms) float64 { return t.prior + t.twoPi - t.logDet/2 }),
		Message: "The likelihood is missing: this is the Occam factor of (4.137) alone."},
	{Key: "likelihood-twice", Hint: 1, Value: of(func(t terms) float64 { return 2*t.lik + t.prior + t.twoPi - t.logDet/2 }),
		Message: "The likelihood is counted twice."},
	{Key: "sign", Hint: 1, Value: of(func(t terms) float64 { return -(t.lik + t.prior + t.twoPi - t.logDet/2) }),
		Message: "This is the negative log evidence: the sign of the whole is turned."},
	{Key: "evidence-itself", Hint: 1, Value: of(func(t terms) float64 { return math.Exp(t.lik + t.prior + t.twoPi - t.logDet/2) }),
		Message: "This is the evidence itself. Asked for is its logarithm, which does not underflow."},
	{Key: "not-at-the-mode", Hint: 2, Value: of(func(t terms) float64 {
		origin := make([]float64, t.p.dim())
		return t.p.logLik(origin) + t.p.logPrior(origin) + t.twoPi - t.logDet/2
	}), Message: "Both densities are evaluated at θ = 0. The expansion is about the mode."},
	{Key: "log-missing", Hint: 3, Value: of(func(t terms) float64 { return t.lik + t.prior + t.twoPi - math.Exp(t.logDet)/2 }),
		Message: "The determinant stands in your sum without its logarithm."},
	{Key: "log-missing", Hint: 3, Value: of(func(t terms) float64 { return t.lik + t.prior + t.twoPi - math.Exp(t.logDet/2) }),
		Message: "The root of the determinant stands in your sum without its logarithm."},
	{Key: "diagonal-only", Hint: 3, Value: of(func(t terms) float64 { return t.lik + t.prior + t.twoPi - diagonal(t.p.A, math.Log)/2 }),
		Message: "Only the diagonal of A is used. The product of the diagonal is the determinant of a triangular or diagonal matrix, and A is neither: factorize it first."},
	{Key: "trace-for-determinant", Hint: 3, Value: of(func(t terms) float64 {
		return t.lik + t.prior + t.twoPi - diagonal(t.p.A, func(v float64) float64 { return v })/2
	}), Message: "The trace of A stands where ln|A| belongs. (ln|A| is the trace of the matrix logarithm, not of A.)"},
	{Key: "trace-for-determinant", Hint: 3, Value: of(func(t terms) float64 {
		return t.lik + t.prior + t.twoPi - math.Log(diagonal(t.p.A, func(v float64) float64 { return v }))/2
	}), Message: "|A| is the determinant of A, the product of its eigenvalues; the trace, which you took, is their sum."},
	{Key: "cholesky-half", Hint: 3, Value: of(func(t terms) float64 { return t.lik + t.prior + t.twoPi - t.logDet/4 }),
		Message: "A quarter of ln|A| is subtracted. The product of the Cholesky factor's diagonal is the root of the determinant already: was the ½ taken twice?"},
}

// Package ex26 judges PRML exercise 4.26: the convolution of a probit function
// with a Gaussian is a probit function again, (4.152).
package ex26

import (
	_ "embed"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/prml4/ex26/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of PRML exercise 4.26: convolve is the integral of
// Φ(λa) N(a|μ,σ²) over a, (4.152), derivativeMu its derivative with respect to μ.
func Check(convolve, derivativeMu func(mu, sigma2, lambda float64) float64) *verify.Report {
	part := func(name string, judge func() verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: judge}
	}
	return exercise.Judge(
		part("DerivativeMu is the derivative of the integral, by quadrature and by differences", func() verify.Verdict { return judgeIntegral(derivativeMu, theDerivative) }),
		part("DerivativeMu: narrow and wide Gaussians, flat and steep probit functions", func() verify.Verdict { return judgeExtremes(derivativeMu, theDerivative) }),
		part("Convolve is the integral, by quadrature and by a second integral", func() verify.Verdict { return judgeIntegral(convolve, theIntegral) }),
		part("Convolve: narrow and wide Gaussians, flat and steep probit functions", func() verify.Verdict { return judgeExtremes(convolve, theIntegral) }),
		part("the constant of integration vanishes: 0 for μ → −∞, 1 for μ → ∞", func() verify.Verdict { return judgeConstant(convolve) }),
		part("one function is the derivative of the other", func() verify.Verdict { return judgeTogether(convolve, derivativeMu) }),
	)
}

// CheckSteps judges the steps of the derivation, which are optional: integrand is
// the derivative with respect to μ of Φ(λμ+λσz) N(z|0,1), square completes the
// square in its exponent, and constant is the constant of integration C = I − F
// for an antiderivative F of dI/dμ.
func CheckSteps(integrand func(mu, sigma2, lambda, z float64) float64, square func(mu, sigma2, lambda float64) (c, centre, rest float64), constant func(F func(mu float64) float64) float64) *verify.Report {
	part := func(name string, judge func() verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: judge}
	}
	return exercise.JudgeSteps(
		part("Integrand: the derivative with respect to μ, under the integral sign", integrandStep(integrand).Judge),
		part("Integrand: its integral over z is dI/dμ", func() verify.Verdict { return judgeUnderIntegral(integrand) }),
		part("Square: the square in the exponent, completed", squareStep(square).Judge),
		part("Square: the integral over z, read off it, is dI/dμ", func() verify.Verdict { return judgeVolume(square) }),
		part("Constant: the constant of integration, from a limit", constantStep(constant).Judge),
	)
}

package ex19

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// curveFunc is the learner's LogSlope or LogBend.
type curveFunc = func(x float64) float64

// middle are arguments of a few units, on both sides.
func middle(part uint64) []float64 {
	r := source(part)
	out := []float64{0.8, -1.1, 0, 2.5, -3}
	for range 10 {
		out = append(out, 6*r.Float64()-3.5)
	}
	return out
}

// tails are where Φ, or 1 less it, is rounded to 0.
func tails() []float64 { return []float64{30, -30, -20, 12, -9, 8.5, -6} }

// of makes the values of a mistaken formula from x, N(x) and Φ(x).
func of(f func(x, n, phi float64) float64) func(float64) []float64 {
	return func(x float64) []float64 { return []float64{f(x, kernel.NormPDF(x), kernel.NormCDF(x))} }
}

// common is what both steps have in common.
func common(name, key string, hint int, part uint64, f curveFunc) steps.Step[float64] {
	return steps.Step[float64]{
		Name: name, Key: key, Hint: hint, Problems: func() []float64 { return middle(part) },
		Where: func(x float64) string { return fmt.Sprintf("x = %.4g", x) },
		Ask:   func(x float64) ([]float64, *verify.Verdict) { return []float64{f(x)}, nil },
		Unit:  func(x float64, _ []float64) []float64 { return []float64{1 + math.Max(0, -x)} },
	}
}

func slopeStep(logSlope curveFunc) steps.Step[float64] {
	s := common("LogSlope", "slope", 1, 31, logSlope)
	s.Routes = []steps.Route[float64]{
		{Name: "the quotient", Tol: 1e-9, Value: func(x float64) []float64 { m, _ := ratio(x); return []float64{m} }},
		{Name: "the difference quotient of ln Φ", Tol: 1e-7, Value: func(x float64) []float64 {
			return []float64{verify.Derivative(logCDF, x, 1e-3/math.Max(1, math.Abs(x)))}
		}},
	}
	s.Mistakes = []learner.Mistake[float64]{
		{Key: "density", Hint: 1, Value: of(func(_, n, _ float64) float64 { return n }),
			Message: "This is the derivative of Φ. That of the logarithm is divided by Φ."},
		{Key: "reciprocal", Hint: 1, Value: of(func(_, _, phi float64) float64 { return 1 / phi }),
			Message: "This is 1/Φ: the inner derivative, Φ′, is missing."},
		{Key: "product", Hint: 1, Value: of(func(_, n, phi float64) float64 { return n * phi }),
			Message: "Density and Φ are multiplied; Φ belongs below."},
		{Key: "inverted", Hint: 1, Value: of(func(_, n, phi float64) float64 { return phi / n }),
			Message: "The quotient is upside down: Φ′ stands above, Φ below."},
		{Key: "other-side", Hint: 2, Value: of(func(x, n, _ float64) float64 { return n / kernel.NormCDF(-x) }),
			Message: "The density is divided by 1 − Φ(x). That is the size of the derivative of ln(1−Φ)."},
		{Key: "both", Hint: 2, Value: of(func(x, n, phi float64) float64 { return n / (phi * kernel.NormCDF(-x)) }),
			Message: "The density is divided by Φ(1−Φ): that belongs to the log odds of Φ, not to its logarithm."},
		{Key: "logistic", Hint: 1, Value: of(func(x, _, _ float64) float64 { return kernel.Sigmoid(-x) }),
			Message: "This is 1 − σ(x), the derivative of ln σ(x): the formula of logistic regression."},
	}
	s.Right = "It is the derivative of ln Φ, as a quotient and by difference quotients."
	return s
}

func bendStep(logBend curveFunc) steps.Step[float64] {
	s := common("LogBend", "bend", 2, 32, logBend)
	s.Routes = []steps.Route[float64]{
		{Name: "the quotient rule", Tol: 1e-9, Value: func(x float64) []float64 { m, rest := ratio(x); return []float64{-m * rest} }},
		{Name: "the difference quotient of N/Φ", Tol: 1e-7, Value: func(x float64) []float64 {
			slope := func(x float64) float64 { m, _ := ratio(x); return m }
			return []float64{verify.Derivative(slope, x, 1e-3/math.Max(1, math.Abs(x)))}
		}},
	}
	with := func(f func(x, m float64) float64) func(float64) []float64 {
		return func(x float64) []float64 { m, _ := ratio(x); return []float64{f(x, m)} }
	}
	s.Mistakes = []learner.Mistake[float64]{
		{Key: "square-only", Hint: 2, Value: with(func(_, m float64) float64 { return -m * m }),
			Message: "This is −(N/Φ)²: the quotient rule's other term, with N′(x) = −x N(x), is missing."},
		{Key: "density-only", Hint: 2, Value: with(func(x, m float64) float64 { return -x * m }),
			Message: "This is N′/Φ: the quotient rule's other term, in which Φ is differentiated, is missing."},
		{Key: "density-sign", Hint: 2, Value: with(func(x, m float64) float64 { return m * (x - m) }),
			Message: "The sign of the term with x is turned: N′(x) = −x N(x)."},
		{Key: "square-sign", Hint: 2, Value: with(func(x, m float64) float64 { return m * (m - x) }),
			Message: "The sign of the square is turned: the quotient rule takes it off."},
		{Key: "positive", Hint: 2, Value: with(func(x, m float64) float64 { return m * (x + m) }),
			Message: "Both signs are turned: ln Φ is concave. (Is it the second derivative of −ln Φ?)"},
		{Key: "expected", Hint: 2, Value: of(func(x, n, phi float64) float64 { return -n * n / (phi * kernel.NormCDF(-x)) }),
			Message: "This is −N²/{Φ(1−Φ)}, the average over both targets (Fisher's information). Asked for is the derivative itself."},
		{Key: "first", Hint: 2, Value: with(func(_, m float64) float64 { return m }),
			Message: "This is the first derivative."},
		{Key: "density-slope", Hint: 2, Value: of(func(x, n, _ float64) float64 { return -x * n }),
			Message: "This is Φ″ = N′, the second derivative of Φ and not of its logarithm."},
		{Key: "logistic", Hint: 2, Value: of(func(x, _, _ float64) float64 { return -kernel.Sigmoid(x) * kernel.Sigmoid(-x) }),
			Message: "This is −σ(1−σ), the formula of logistic regression."},
	}
	s.Right = "It is the second derivative of ln Φ, by the quotient rule and by difference quotients."
	return s
}

// judgeBoth uses the learner's functions only.
func judgeBoth(logSlope, logBend curveFunc) verify.Verdict {
	for _, x := range middle(33) {
		if f := verify.Close(logBend(x), verify.Derivative(logSlope, x, 0), verify.Tolerance{Abs: 1e-5}); !f.OK {
			return verify.Fail("not-its-derivative", 2, "At x = %.4g your LogBend is not the slope of your LogSlope: %s. The parts above tell which of the two it is.", x, f.Off())
		}
		if !(logBend(x) < 0) {
			return verify.Fail("not-concave", 2, "At x = %.4g your LogBend is %.3g. ln Φ is concave: its slope falls from left to right.", x, logBend(x))
		}
	}
	return verify.Pass("LogBend is the slope of LogSlope, and negative: ln Φ is concave, and so is L.")
}

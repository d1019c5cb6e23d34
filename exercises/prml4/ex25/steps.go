package ex25

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// scales are values of λ, none of which is 1.
func scales() []float64 {
	r := instance.Source(425, 31)
	out := []float64{0.5, 2, 1.7, 10, 0.01}
	for range 6 {
		out = append(out, math.Exp(2*r.Float64()-1))
	}
	return out
}

// always makes the one value of a mistaken slope of the sigmoid.
func always(v float64) func(struct{}) []float64 {
	return func(struct{}) []float64 { return []float64{v} }
}

func sigmoidStep(sigmoidSlope func() float64) steps.Step[struct{}] {
	return steps.Step[struct{}]{
		Name: "SigmoidSlope", Key: "sigmoid", Hint: 2,
		Problems: func() []struct{} { return []struct{}{{}} },
		Where:    func(struct{}) string { return "a = 0" },
		Ask:      func(struct{}) ([]float64, *verify.Verdict) { return []float64{sigmoidSlope()}, nil },
		Routes: []steps.Route[struct{}]{
			{Name: "the derivative σ(1−σ)", Tol: 1e-12, Value: func(struct{}) []float64 { return []float64{sigmoid(0) * (1 - sigmoid(0))} }},
			{Name: "the difference quotient of σ", Tol: 1e-8, Value: func(struct{}) []float64 { return []float64{verify.Derivative(sigmoid, 0, 0)} }},
		},
		Mistakes: []learner.Mistake[struct{}]{
			{Key: "value-for-slope", Hint: 2, Value: always(0.5), Message: "This is the value of σ at 0, not its slope there."},
			{Key: "one", Hint: 2, Value: always(1), Message: "A slope of 1 belongs to the line a, not to the sigmoid: it takes longer than that to rise from 0 to 1."},
			{Key: "integer-division", Hint: 2, Value: always(0), Message: "A slope of 0 is that of a flat curve. In Go a quotient of whole numbers drops the rest: write one of them with a point."},
			{Key: "cubed", Hint: 2, Value: always(1. / 8), Message: "Three factors ½ are one too many: σ(1−σ) is a product of two."},
			{Key: "plus", Hint: 2, Value: always(3. / 4), Message: "This is σ(1+σ) at 0: the sign in the derivative of the sigmoid is turned."},
		},
		Right: "It is the slope of σ at 0, by its derivative and by a difference quotient.",
	}
}

func probitStep(probitSlope func(lambda float64) float64) steps.Step[float64] {
	of := func(f func(lambda float64) float64) func(float64) []float64 {
		return func(lambda float64) []float64 { return []float64{f(lambda)} }
	}
	peak := 1 / math.Sqrt(2*math.Pi)
	return steps.Step[float64]{
		Name: "ProbitSlope", Key: "probit", Hint: 2, Problems: scales,
		Where: func(lambda float64) string { return fmt.Sprintf("λ = %.4g", lambda) },
		Ask:   func(lambda float64) ([]float64, *verify.Verdict) { return []float64{probitSlope(lambda)}, nil },
		Routes: []steps.Route[float64]{
			{Name: "the chain rule", Tol: 1e-12, Value: of(func(lambda float64) float64 { return lambda * peak })},
			{Name: "the difference quotient of Φ(λa)", Tol: 1e-8, Value: of(func(lambda float64) float64 {
				h := 1 / lambda // the width in which the curve rises
				return verify.Derivative(func(v float64) float64 { return probit(lambda * h * v) }, 0, 0) / h
			})},
		},
		Mistakes: []learner.Mistake[float64]{
			{Key: "no-lambda", Hint: 1, Value: of(func(float64) float64 { return peak }),
				Message: "λ is not in it: the inner derivative of Φ(λa) is missing. The larger λ, the steeper the curve."},
			{Key: "divided", Hint: 1, Value: of(func(lambda float64) float64 { return peak / lambda }),
				Message: "λ divides where it should multiply: Φ(λa) is steeper for a larger λ."},
			{Key: "squared", Hint: 1, Value: of(func(lambda float64) float64 { return lambda * lambda * peak }),
				Message: "λ comes in squared. The inner derivative is λ; the square is taken only when the equation is solved for λ²."},
			{Key: "peak-one", Hint: 2, Value: of(func(lambda float64) float64 { return lambda }),
				Message: "The peak of the normal density was taken for 1. It is a density whose area is 1."},
			{Key: "value-for-slope", Hint: 2, Value: of(func(float64) float64 { return 0.5 }),
				Message: "This is the value of Φ at 0, not its slope there."},
			{Key: "erf", Hint: 2, Value: of(func(lambda float64) float64 { return lambda / math.Sqrt(math.Pi) }),
				Message: "This is the slope of ½(1+erf(λa)). Φ(λa) is ½(1+erf(λa/√2)): a √2 lies between the two."},
			{Key: "no-root", Hint: 2, Value: of(func(lambda float64) float64 { return lambda / (2 * math.Pi) }),
				Message: "The 2π stands under no root: in one dimension the normal density has one factor √(2π)."},
			{Key: "upside-down", Hint: 2, Value: of(func(lambda float64) float64 { return lambda * math.Sqrt(2*math.Pi) }),
				Message: "√(2π) multiplies where it should divide."},
			{Key: "density-elsewhere", Hint: 2, Value: of(func(lambda float64) float64 { return lambda * peak * math.Exp(-lambda*lambda/2) }),
				Message: "The density was taken at λ, that is, at a = 1. Asked for is the slope at a = 0."},
			{Key: "sigmoid", Hint: 2, Value: of(func(lambda float64) float64 { return lambda / 4 }),
				Message: "This is the slope of σ(λa). Φ is another curve: its derivative is the normal density."},
		},
		Right: "It is the slope of Φ(λa) at 0, by the chain rule and by difference quotients, for λ from 0.01 to 10.",
	}
}

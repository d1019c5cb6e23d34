package ex25

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	constantFunc = func() float64
	slopeFunc    = func(lambda float64) float64
)

func (l scale) String() string { return fmt.Sprintf("λ = %.4g", float64(l)) }

var askSquare = &judge.Question[constantFunc, origin]{
	Func: "LambdaSquared", Name: "λ²", Hint: 1,
	Ask:    func(f constantFunc, _ *judge.Call, _ origin) []float64 { return []float64{f()} },
	Right:  func(origin) []float64 { return []float64{math.Pow(0.25/peak, 2)} },
	Nearly: judge.Wrong{Key: "rounded", Hint: 3, Message: "Nearly: your λ² is {off}. Rounded decimals? Write the formula with math.Pi."},
	Mistakes: []judge.Mistake[constantFunc]{
		{Key: "lambda-for-lambda-squared", Hint: 3, Answer: constant(math.Sqrt(math.Pi / 8)), Message: "Your number is λ, not λ²: the exercise asks for the square."},
		{Key: "squared-twice", Hint: 3, Answer: constant(math.Pi / 8 * math.Pi / 8), Message: "Your number is the square of λ²: it was squared once too often."},
		{Key: "inverse", Hint: 2, Answer: constant(8 / math.Pi), Message: "Your number is the reciprocal: 1/λ². Which curve is stretched, and which one stays?"},
		{Key: "inverse-lambda", Hint: 2, Answer: constant(math.Sqrt(8 / math.Pi)), Message: "Your number is 1/λ: the equation was solved for the wrong side, and not squared."},
		{Key: "density-peak-is-one", Hint: 2, Answer: constant(math.Pi / 4), Message: "A factor 2 is lost on the way. Write the slope of Φ(λa) at 0 with its peak density 1/√(2π) and its inner factor λ."},
		{Key: "slope-of-probit-is-one", Hint: 2, Answer: constant(1.0 / 16), Message: "λ was set to ¼, as if Φ had slope 1 at 0. Its slope there is the peak of the normal density."},
		{Key: "slope-of-sigmoid-is-half", Hint: 2, Answer: constant(math.Pi / 2), Message: "The slope of σ at 0 was taken for ½, which is its value there."},
		{Key: "erf-convention", Hint: 2, Answer: constant(math.Pi / 16), Message: "This fits ½(1+erf(λa)) to σ(a). Φ(λa) is ½(1+erf(λa/√2)): a √2 lies between the two."},
		{Key: "same-variance", Hint: 1, Answer: constant(3 / (math.Pi * math.Pi)), Tol: 1e-4, Message: "This λ gives the normal and the logistic density the same variance. It is a criterion, but not equal slopes at 0."},
		{Key: "minimax", Hint: 1, Answer: constant(0.587632 * 0.587632), Tol: 5e-5, Message: "This is the λ² with the smallest largest gap. A different criterion, and a good one; asked for is equal slopes at 0."},
		{Key: "minimax-lambda", Hint: 1, Answer: constant(0.587632), Tol: 5e-5, Message: "This is the λ (not squared) with the smallest largest gap: a different criterion. Asked for is the square of the λ with equal slopes at 0."},
		{Key: "one-point-seven", Hint: 1, Answer: constant(1 / (1.702 * 1.702)), Tol: 5e-5, Message: "This is 1/1.702², a scale quoted in other books: it makes the largest gap small. A different criterion; asked for is equal slopes at 0."},
		{Key: "one-point-seven-lambda", Hint: 1, Answer: constant(1 / 1.702), Tol: 5e-5, Message: "This is 1/1.702, a scale quoted in other books for λ itself: it makes the largest gap small. A different criterion, and not squared."},
		{Key: "kappa", Hint: 3, Answer: constant(1 / math.Sqrt(1+math.Pi/8)), Message: "This is the factor κ(1) of (4.154), in which λ² occurs; the exercise asks for λ² alone."},
	},
}

var askSigmoid = &judge.Question[constantFunc, origin]{
	Func: "SigmoidSlope", Name: "SigmoidSlope", Key: "sigmoid", Hint: 2,
	Ask:   func(f constantFunc, _ *judge.Call, _ origin) []float64 { return []float64{f()} },
	Right: func(origin) []float64 { return []float64{0.25} },
	Mistakes: []judge.Mistake[constantFunc]{
		{Key: "value-for-slope", Hint: 2, Message: "This is the value of σ at 0, not its slope there.", Answer: constant(0.5)},
		{Key: "one", Hint: 2, Message: "A slope of 1 belongs to the line a, not to the sigmoid: it takes longer than that to rise from 0 to 1.", Answer: constant(1)},
		{Key: "integer-division", Hint: 2, Message: "A slope of 0 is that of a flat curve. In Go a quotient of whole numbers drops the rest: write one of them with a point.", Answer: constant(0)},
		{Key: "cubed", Hint: 2, Message: "Three factors ½ are one too many: σ(1−σ) is a product of two.", Answer: constant(1. / 8)},
		{Key: "plus", Hint: 2, Message: "This is σ(1+σ) at 0: the sign in the derivative of the sigmoid is turned.", Answer: constant(3. / 4)},
	},
}

var askProbit = &judge.Question[slopeFunc, scale]{
	Func: "ProbitSlope", Name: "ProbitSlope", Key: "probit", Hint: 2,
	Ask:   func(f slopeFunc, _ *judge.Call, l scale) []float64 { return []float64{f(float64(l))} },
	Right: func(l scale) []float64 { return []float64{float64(l) * peak} },
	Mistakes: []judge.Mistake[slopeFunc]{
		{Key: "no-lambda", Hint: 1, Answer: func(float64) float64 { return peak }, Message: "λ is not in it: the inner derivative of Φ(λa) is missing. The larger λ, the steeper the curve."},
		{Key: "divided", Hint: 1, Answer: func(lambda float64) float64 { return peak / lambda }, Message: "λ divides where it should multiply: Φ(λa) is steeper for a larger λ."},
		{Key: "squared", Hint: 1, Answer: func(lambda float64) float64 { return lambda * lambda * peak }, Message: "λ comes in squared. The inner derivative is λ; the square is taken only when the equation is solved for λ²."},
		{Key: "peak-one", Hint: 2, Answer: func(lambda float64) float64 { return lambda }, Message: "The peak of the normal density was taken for 1. It is a density whose area is 1."},
		{Key: "value-for-slope", Hint: 2, Answer: func(float64) float64 { return 0.5 }, Message: "This is the value of Φ at 0, not its slope there."},
		{Key: "erf", Hint: 2, Answer: func(lambda float64) float64 { return lambda / math.Sqrt(math.Pi) }, Message: "This is the slope of ½(1+erf(λa)). Φ(λa) is ½(1+erf(λa/√2)): a √2 lies between the two."},
		{Key: "no-root", Hint: 2, Answer: func(lambda float64) float64 { return lambda / (2 * math.Pi) }, Message: "The 2π stands under no root: in one dimension the normal density has one factor √(2π)."},
		{Key: "upside-down", Hint: 2, Answer: func(lambda float64) float64 { return lambda * math.Sqrt(2*math.Pi) }, Message: "√(2π) multiplies where it should divide."},
		{Key: "density-elsewhere", Hint: 2, Answer: func(lambda float64) float64 { return lambda * peak * math.Exp(-lambda*lambda/2) }, Message: "The density was taken at λ, that is, at a = 1. Asked for is the slope at a = 0."},
		{Key: "sigmoid", Hint: 2, Answer: func(lambda float64) float64 { return lambda / 4 }, Message: "This is the slope of σ(λa). Φ is another curve: its derivative is the normal density."},
	},
}

func constant(v float64) constantFunc { return func() float64 { return v } }

func init() {
	judge.Known(exercise, askSquare, Check)
	judge.Known(exercise, askSigmoid, func(f constantFunc) *verify.Report {
		return CheckSteps(f, func(lambda float64) float64 { return lambda * peak })
	})
	judge.Known(exercise, askProbit, func(f slopeFunc) *verify.Report { return CheckSteps(constant(0.25), f) })
}

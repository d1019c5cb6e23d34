package ex13

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// linkFunc is the learner's ByOutput or ByActivation.
type linkFunc = func(v, t float64) float64

// A sample is one point: its activation and its target.
type sample struct{ a, t float64 }

func (s sample) y() float64 { return kernel.Sigmoid(s.a) }

// samples have both targets on both sides, and outputs from 0.03 to 0.97, where
// no digits are lost in 1−y.
func samples(part uint64) []sample {
	r := source(part)
	out := []sample{{0.7, 1}, {0.7, 0}, {-1.2, 1}, {-1.2, 0}, {0, 1}, {0, 0}}
	for range 12 {
		out = append(out, sample{7*r.Float64() - 3.5, float64(r.IntN(2))})
	}
	return out
}

// each makes the values of a mistaken formula in the output y and the target.
func each(f func(y, t float64) float64) func(sample) []float64 {
	return func(s sample) []float64 { return []float64{f(s.y(), s.t)} }
}

func outputStep(byOutput linkFunc) steps.Step[sample] {
	return steps.Step[sample]{
		Name: "ByOutput", Key: "output", Hint: 2, Problems: func() []sample { return samples(11) },
		Where: func(s sample) string { return fmt.Sprintf("y = %.4g and t = %g", s.y(), s.t) },
		Ask:   func(s sample) ([]float64, *verify.Verdict) { return []float64{byOutput(s.y(), s.t)}, nil },
		Routes: []steps.Route[sample]{
			{Name: "the difference of two fractions", Tol: 1e-10, Value: each(func(y, t float64) float64 { return (1-t)/(1-y) - t/y })},
			{Name: "the difference quotient of the error", Tol: 1e-7, Value: each(func(y, t float64) float64 {
				h := y * (1 - y) // a length in which the logarithms are smooth
				return verify.Derivative(func(v float64) float64 { return -t*math.Log(y+h*v) - (1-t)*math.Log(1-y-h*v) }, 0, 0) / h
			})},
		},
		Mistakes: []learner.Mistake[sample]{
			{Key: "inner-sign", Hint: 2, Value: each(func(y, t float64) float64 { return -t/y - (1-t)/(1-y) }),
				Message: "For t = 0 the sign is turned: the inner derivative of ln(1−y), a factor −1, is missing."},
			{Key: "first-term", Hint: 2, Value: each(func(y, t float64) float64 { return -t / y }),
				Message: "Only the term with t is there; the one with 1−t has vanished, so that points with t = 0 have no say."},
			{Key: "residual", Hint: 2, Value: each(func(y, t float64) float64 { return y - t }),
				Message: "This is y − t: the denominator y(1−y) is missing. It cancels one link later, against dy/da."},
			{Key: "multiplied", Hint: 2, Value: each(func(y, t float64) float64 { return (y - t) * y * (1 - y) }),
				Message: "y(1−y) multiplies where it should divide: it is the common denominator of the two fractions."},
			{Key: "not-differentiated", Hint: 1, Value: each(func(y, t float64) float64 { return -t*math.Log(y) - (1-t)*math.Log(1-y) }),
				Message: "This is the error of the point itself, not its derivative."},
			{Key: "wrong-side", Hint: 2, Value: each(func(y, t float64) float64 { return (1-t)/y - t/(1-y) }),
				Message: "The two denominators are exchanged: t stands with ln y, and 1−t with ln(1−y)."},
		},
		Right: "It is the derivative, as a difference of fractions and by difference quotients.",
	}
}

func activationStep(byActivation linkFunc) steps.Step[sample] {
	return steps.Step[sample]{
		Name: "ByActivation", Key: "activation", Hint: 2, Problems: func() []sample { return samples(12) },
		Where: func(s sample) string { return fmt.Sprintf("a = %.4g and t = %g", s.a, s.t) },
		Ask:   func(s sample) ([]float64, *verify.Verdict) { return []float64{byActivation(s.a, s.t)}, nil },
		Unit:  func(sample, []float64) []float64 { return []float64{1} },
		Routes: []steps.Route[sample]{
			{Name: "the product of the links", Tol: 1e-10, Value: func(s sample) []float64 { return []float64{residual(s.a, s.t)} }},
			{Name: "the difference quotient of the error", Tol: 1e-7, Value: func(s sample) []float64 {
				return []float64{verify.Derivative(func(a float64) float64 { return kernel.CrossEntropy(a, s.t) }, s.a, 0)}
			}},
		},
		Mistakes: []learner.Mistake[sample]{
			{Key: "squared-error", Hint: 2, Value: each(func(y, t float64) float64 { return (y - t) * y * (1 - y) }),
				Message: "A factor y(1−y) is too much: this is the derivative of the squared error ½(y−t)². For the cross-entropy that factor cancels."},
			{Key: "by-output", Hint: 2, Value: each(func(y, t float64) float64 { return (y - t) / (y * (1 - y)) }),
				Message: "This is the derivative with respect to y. The next link, dy/da = y(1−y), is missing."},
			{Key: "target-lost", Hint: 2, Value: each(func(y, _ float64) float64 { return y }),
				Message: "The target is lost: this is y, whatever t is."},
			{Key: "no-sigmoid", Hint: 1, Value: func(s sample) []float64 { return []float64{s.a - s.t} },
				Message: "This is a − t, the residual of a linear model. The output is σ(a)."},
			{Key: "slope", Hint: 2, Value: each(func(y, _ float64) float64 { return y * (1 - y) }),
				Message: "This is dy/da, the middle link alone."},
			{Key: "plus-minus-one", Hint: 2, Value: each(func(y, t float64) float64 { return y - (2*t - 1) }),
				Message: "The targets were taken for −1 and 1. They are 0 and 1."},
		},
		Right: "It is the derivative, as a product of links and by difference quotients, for both targets.",
	}
}

// far is where exponentials overflow.
func far() []sample {
	return []sample{{800, 1}, {800, 0}, {-800, 1}, {-800, 0}, {40, 0}, {-40, 1}, {709, 0}, {-710, 0}}
}

// judgeLink uses the learner's functions only.
func judgeLink(byOutput, byActivation linkFunc) verify.Verdict {
	for _, s := range samples(13) {
		y := s.y()
		if f := verify.Close(byOutput(y, s.t)*y*(1-y), byActivation(s.a, s.t), verify.Tolerance{Abs: 1e-8}); !f.OK {
			return verify.Fail("not-linked", 2, "At a = %.4g and t = %g your ByOutput at y = σ(a), times dy/da = y(1−y), is not your ByActivation: %s. The parts above tell which of the two it is.", s.a, s.t, f.Off())
		}
	}
	return verify.Pass("ByOutput times y(1−y) is ByActivation.")
}

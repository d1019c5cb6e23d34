package ex14

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// askDirection returns 1 if the learner reports a separating direction, and 0 otherwise. If a
// direction is reported and one exists, the form check also requires that w separates the classes.
var askDirection = &judge.Question[directionFunc, problem]{
	Func: "SeparatingDirection", Name: "w", Hint: 2,
	Ask: func(f directionFunc, c *judge.Call, p problem) []float64 {
		w, ok := f(c.Dense("Phi", p.Phi), c.Slice("t", p.T))
		if !ok {
			return []float64{0}
		}
		if p.W != nil && c.Vector("w", w, len(p.W), "column of Φ") != nil {
			c.Say(separates(p, w))
		}
		return []float64{1}
	},
	Right: isSeparable,
	Mistakes: []judge.Mistake[directionFunc]{
		{Key: "never-ok", Answer: func(*mat.Dense, []float64) ([]float64, bool) { return nil, false }, Hint: 2,
			Message: "You report no separating direction for any data, even where many exist."},
		{Key: "always-ok", Hint: 2,
			Message: "You report success on every data set, even where the classes overlap. Report failure if some point is not strictly on its side.",
			Answer: func(Phi *mat.Dense, t []float64) ([]float64, bool) {
				w, _ := perceptron(Phi, t)
				return w,
					true
			}},
	},
}

// separates returns nil if w separates the classes of p strictly. Otherwise it returns a verdict
// that explains the failure.
func separates(p problem, w []float64) *verify.Verdict {
	length := floats.Norm(w, math.Inf(1))
	if length == 0 {
		return judge.Fail("zero-vector", 3,
			"For %v you returned w = 0, which leaves every point on the boundary. Treat a point with wᵀφ = 0 as misclassified.", p)
	}
	margins := p.Margins(floats.ScaleTo(make([]float64, len(w)), 1/length, w))
	low := floats.MinIdx(margins)
	switch {
	case margins[low] > 0:
		return nil
	case floats.Max(margins) < 0:
		return judge.Fail("opposite", 1,
			"For %v your w has every point on the wrong side, so −w separates. wᵀφ must be positive where t = 1.", p)
	case margins[low] == 0:
		return judge.Fail("on-the-boundary", 3,
			"For %v your w leaves point %d on the boundary, wᵀφ = 0, so its y is ½ for every length of w. The separation must be strict.", p, low)
	}
	return judge.Fail("not-separating", 2,
		"For %v your w leaves point %d on the wrong side. Return a direction only after a complete pass over the points without a correction.", p, low)
}

// fixedNumber returns a verdict on a search that fails after all numbers are multiplied by the same
// factor.
func fixedNumber(p problem, ok []float64) *verify.Verdict {
	return judge.FailIf(p.Scaled && ok[0] != 1, "absolute-threshold", 2,
		"For %v (all numbers multiplied by one factor) you report no separating direction, although you found one before. Your search contains a fixed number, such as a margin, a length or a step.", p)
}

// noIsCheap returns a verdict if the learner reports no direction for separable classes. Without
// it, a function that always reports no direction would pass this part.
func noIsCheap(p problem, ok []float64) *verify.Verdict {
	return judge.FailIf(p.W != nil && ok[0] != 1, "never-ok", 2,
		"It is right to report no direction here, but you also report no direction for separable classes. An earlier part gives the details.")
}

// A walk is a problem with the values of c at which E(c·w) is computed.
type walk struct {
	twoclass.Problem
	c   []float64
	bad *verify.Verdict // set if the learner's w is missing or invalid
}

// errors returns E(c·w) for each c.
func (p walk) errors() []float64 {
	e := make([]float64, len(p.c))
	for i, c := range p.c {
		e[i] = alongW(p.W, p.Phi, p.T, c)
	}
	return e
}

var askError = &judge.Question[errorFunc, walk]{
	Func: "ErrorAlong", Name: "E(c·w)", Hint: 3,
	Ask: func(f errorFunc, call *judge.Call, p walk) []float64 {
		if p.bad != nil {
			call.Say(p.bad)
			return nil
		}
		e := make([]float64, len(p.c))
		for i, c := range p.c {
			e[i] = f(call.Slice("w", p.W), call.Dense("Phi", p.Phi), call.Slice("t", p.T), c)
			call.Say(infinite(p, c, e[i]))
		}
		return e
	},
	Right: walk.errors,
	Unit: func(_ walk, right []float64) []float64 {
		floats.AddConst(1, right)
		return right
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 3,
		Message: "Nearly: for {problem} three digits are right, but not nine. Do not clip outputs, add a small number inside the logarithm, or round."},
	Sign: judge.Wrong{Key: "sign", Hint: 1,
		Message: "Your number is a positive multiple of the log likelihood. E is the negative log likelihood, a sum of positive terms that decreases to 0."},
	Factor: judge.Wrong{Key: "factor", Hint: 1,
		Message: "Your number is E(c·w) times a factor that is the same for all data and every c. E in (4.90) has no factor."},
	Mistakes: []judge.Mistake[errorFunc]{
		{Key: "sign", Answer: but(func(e, _ float64) float64 { return -e }), Hint: 1,
			Message: "Your number is the log likelihood. E is the negative log likelihood, a sum of positive terms that decreases to 0."},
		{Key: "averaged", Answer: but(func(e, n float64) float64 { return e / n }), Hint: 1,
			Message: "You divide the error by N. E in (4.90) is the sum over the data."},
		{Key: "base", Answer: but(func(e, _ float64) float64 { return e / math.Ln2 }), Hint: 1,
			Message: "Your logarithms are to base 2; use natural ones."},
		{Key: "error-scaled", Hint: 1,
			Message: "This is c·E(w). Multiply the weights by c, not the error, and return E(c·w).",
			Answer: func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
				return c * alongW(w, Phi, t,
					1)
			}},
		{Key: "c-left-out", Answer: at(func(v, w []float64, _ float64) { copy(v, w) }), Hint: 1,
			Message: "Your number is E(w), which does not depend on c. Return E(c·w)."},
		{Key: "normalised", Answer: at(func(v, w []float64, _ float64) { floats.Scale(1/floats.Norm(w, 2), v) }),
			Hint:    1,
			Message: "You divide w by its length before you multiply it by c. Return E at c·w, without normalising w."},
		{Key: "normalised", Hint: 1,
			Message: "You divide c·w by its length, so your number depends only on the sign of c. Return E at c·w, without normalising it.",
			Answer: at(func(v, w []float64, c float64) {
				if c != 0 {
					floats.Scale(1/floats.Norm(v, 2), v)
				}
			})},
		{Key: "bias-not-scaled", Answer: at(func(v, w []float64, _ float64) { v[0] = w[0] }), Hint: 3,
			Message: "You do not multiply the first weight by c. Multiply all weights, including the bias; otherwise the boundary moves."},
		{Key: "bias-left-out", Answer: at(func(v, _ []float64, _ float64) { v[0] = 0 }), Hint: 3,
			Message: "You do not use the first weight. If there is a bias, it has a column of Φ and belongs to wᵀφ."},
		{Key: "classes-swapped", Answer: at(func(v, _ []float64, _ float64) { floats.Scale(-1, v) }), Hint: 1,
			Message: "This is E(−c·w), with the classes exchanged. y = σ(a) is the probability of t = 1."},
		{Key: "squared-error", Answer: terms(func(a, t float64) float64 { return math.Pow(kernel.Sigmoid(a)-t, 2) }),
			Hint:    1,
			Message: "This is a sum of squares (y − t)². The error of logistic regression is the cross-entropy (4.90)."},
		{Key: "squared-error",
			Answer: terms(func(a, t float64) float64 { return math.Pow(kernel.Sigmoid(a)-t, 2) / 2 }), Hint: 1,
			Message: "This is a sum of squares ½(y − t)². The error of logistic regression is the cross-entropy (4.90)."},
		{Key: "perceptron", Answer: terms(func(a, t float64) float64 { return math.Max(0, (1-2*t)*a) }), Hint: 1,
			Message: "This is the perceptron criterion, a sum over the points on the wrong side, which is 0 for every separating w. The cross-entropy is a sum over all points."},
		{Key: "count", Hint: 1,
			Message: "You count the points on the wrong side. The cross-entropy is a sum of logarithms.",
			Answer: terms(func(a, t float64) float64 {
				if (2*t-1)*a <= 0 {
					return 1
				}
				return 0
			})},
		{Key: "hinge", Answer: terms(func(a, t float64) float64 { return math.Max(0, 1-(2*t-1)*a) }), Hint: 1,
			Message: "This is the hinge loss max(0, 1 − s), which is 0 for margins of 1 and more. The cross-entropy is never 0."},
		{Key: "one-term-only", Answer: terms(func(a, t float64) float64 { return t * kernel.CrossEntropy(a, 1) }),
			Hint: 1, Message: "Your sum contains only the points with t = 1."},
		{Key: "one-term-only", Answer: terms(func(a, t float64) float64 { return (1 - t) * kernel.CrossEntropy(a, 0) }),
			Hint: 1, Message: "Your sum contains only the points with t = 0."},
		{Key: "inner-sign", Hint: 1,
			Message: "The points with t = 0 have the wrong sign in your sum. Both logarithms have a minus in front.",
			Answer: terms(func(a, t float64) float64 {
				return t*kernel.CrossEntropy(a, 1) - (1-t)*kernel.CrossEntropy(a,
					0)
			})},
		{Key: "likelihood", Answer: but(func(e, _ float64) float64 { return math.Exp(-e) }), Hint: 1,
			Message: "Your number is the likelihood. E is the negative logarithm of the likelihood."},
		{Key: "prior", Hint: 1,
			Message: "You add a penalty ½‖c·w‖². It would make the minimum finite, but return E of (4.90) alone.",
			Answer: func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
				return alongW(w, Phi, t, c) + c*c*floats.Dot(w, w)/2
			}},
	},
}

// infinite returns the verdict on an error that is not finite, and nil otherwise.
func infinite(p walk, c, e float64) *verify.Verdict {
	switch nan := math.IsNaN(e); {
	case !nan && !math.IsInf(e, 0):
		return nil
	case math.Abs(c)*p.Reach() <= 30:
		return judge.Fail("not-finite", 3, "For %v and c = %g you returned %g.", p, c, e)
	case nan:
		return judge.Fail("overflow", 3,
			"For %v and c = %.4g your error is NaN, from 0·ln 0 or Inf − Inf where an output rounds to 0 or 1. Write each term as ln(1+e^−s).", p, c)
	}
	return judge.Fail("overflow", 3,
		"For %v and c = %.4g your error is %g. For a point far on the wrong side y rounds to 0 and −ln y is Inf, but its error is only about |a|. Write the term as ln(1+e^−s), and as −s + ln(1+e^s) for negative s.", p, c, e)
}

// terms returns an answer that computes Σ r(c·a_n, t_n) for a function r. alongW computes E(c·w).
// at returns an answer that computes the error at other weights. but applies f to the error and to
// the number N of points.
var terms = twoclass.Along

var alongW = terms(kernel.CrossEntropy)

func at(weights func(v, w []float64, c float64)) errorFunc {
	return func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
		v := floats.ScaleTo(make([]float64, len(w)), c, w)
		weights(v, w, c)
		return alongW(v, Phi, t, 1)
	}
}

func but(f func(e, n float64) float64) errorFunc {
	return func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
		return f(alongW(w, Phi, t, c), float64(len(t)))
	}
}

// perceptron passes over the points until a complete pass needs no correction.
func perceptron(Phi *mat.Dense, t []float64) (w []float64, ok bool) {
	w = make([]float64, Phi.RawMatrix().Cols)
	clean := 0 // number of consecutive points without a correction
	for n := 0; n < 1000*len(t) && clean < len(t); n++ {
		clean++
		if s, row := 2*t[n%len(t)]-1, Phi.RawRowView(n%len(t)); s*floats.Dot(w, row) <= 0 {
			floats.AddScaled(w, s, row)
			clean = 0
		}
	}
	return w, clean == len(t)
}

func init() {
	judge.Known(exercise, askDirection, func(f directionFunc) *verify.Report { return Check(f, alongW) })
	judge.Known(exercise, askError, func(f errorFunc) *verify.Report { return Check(perceptron, f) })
}

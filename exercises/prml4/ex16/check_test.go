package ex16_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex16"
)

type likelihoodFunc = func(p, pi []float64) float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex16.Exercise(), gate.Of(ex16.Check, LogLikelihood))
}

// sum returns an answer that computes Σ r(p_n, π_n) for a function r.
var sum = instance.Paired

// terms returns a function that computes the term of one point in the log likelihood. The argument
// `log` is the logarithm function to use.
func terms(log func(float64) float64) func(p, pi float64) float64 {
	weighted := func(factor, p float64) float64 {
		if factor == 0 {
			return 0
		}
		return factor * log(p)
	}
	return func(p, pi float64) float64 { return weighted(pi, p) + weighted(1-pi, 1-p) }
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex16.Check, map[string]likelihoodFunc{
		"reference": LogLikelihood,
		"ln(1 − p)": sum(terms(math.Log)),
		"each term that is NaN counts as 0": sum(func(p, pi float64) float64 {
			l := 0.0
			for _, v := range []float64{pi * math.Log(p), (1 - pi) * math.Log(1-p)} {
				if !math.IsNaN(v) {
					l += v
				}
			}
			return l
		}),
		"logarithms of powers, where 0⁰ is 1": sum(func(p, pi float64) float64 {
			return math.Log(math.Pow(p, pi)) +
				math.Log(math.Pow(1-p, 1-pi))
		}),
		"base 2, converted": func(p, pi []float64) float64 {
			return math.Ln2 * sum(terms(math.Log2))(p,
				pi)
		},
	})
}

func plain(p, pi float64) float64 { return pi*math.Log(p) + (1-pi)*math.Log(1-p) }

func one(p, pi float64) float64 { return LogLikelihood([]float64{p}, []float64{pi}) }

// TestWrong checks wrong answers. Except for `mixture`, they are not in the table of mistakes in
// check.go. For each answer, the report must contain the expected key, that is, the name of the
// mistake.
func TestWrong(t *testing.T) {
	scale := func(c float64) likelihoodFunc { return sum(func(p, pi float64) float64 { return c * one(p, pi) }) }
	clip := func(eps float64) likelihoodFunc {
		return sum(func(p, pi float64) float64 { return one(math.Min(1-eps, math.Max(eps, p)), pi) })
	}
	mixture := sum(func(p, pi float64) float64 { return math.Log(pi*p + (1-pi)*(1-p)) })
	gate.Wrongs(t, ex16.Exercise(), ex16.Check, map[string][]likelihoodFunc{
		"factor":        {scale(2), scale(0.5)},
		"sign":          {scale(-2)},
		"in-the-middle": {scale(2), mixture}, // the last part of the report refers to the first part that is Wrong
		"nearly":        {scale(1.0001)},
		"underflow": {func(p, pi []float64) float64 {
			l := 1.0
			for n := range p {
				l *= math.Pow(p[n], pi[n]) * math.Pow(1-p[n], 1-pi[n])
			}
			return l
		}},
		"log-of-zero": {sum(func(p, pi float64) float64 { return plain(pi, p) })},
		"average":     {sum(func(p, pi float64) float64 { return one(p, 3*pi*pi-2*pi*pi*pi) })},
		"certain": {sum(func(p, pi float64) float64 {
			if pi == 1 {
				return 1.1 * math.Log(p)
			}
			return one(p, pi)
		})},
		"shares": {sum(func(p, pi float64) float64 {
			return math.Sqrt(pi)*math.Log(p) +
				math.Sqrt(1-pi)*math.Log(1-p)
		})},
		"not-best":       {sum(func(p, pi float64) float64 { return 2*one(p, pi) + math.Log(p) })},
		"zero-times-log": {sum(plain)},
		"infinity-minus-infinity": {func(p, pi []float64) float64 { // this answer computes −Inf − (−Inf), which is NaN
			l := LogLikelihood(p, pi)
			return l - l + l
		}},
		"impossible-label": {clip(1e-15), clip(1e-12), sum(func(p, pi float64) float64 {
			// this answer ignores labels with a very small probability
			if pi < 1e-6 || pi > 1-1e-6 {
				return one(p, math.Round(pi))
			}
			return one(p, pi)
		})},
		"infinity-sign": {func(p, pi []float64) float64 {
			l := LogLikelihood(p, pi)
			if math.IsInf(l, -1) {
				return -l
			}
			return l
		}},
		"label-that-never-occurs": {func(p, pi []float64) float64 {
			for n := range p {
				if p[n] == 0 || p[n] == 1 {
					return math.Inf(-1)
				}
			}
			return LogLikelihood(p, pi)
		}},
		"limits": {sum(func(p, pi float64) float64 {
			if p == 0 || p == 1 {
				return one(p, pi) + 1e-3
			}
			return one(p, pi)
		}), sum(func(p, pi float64) float64 { // this answer clips outputs other than 0 and 1
			if p == 0 || p == 1 {
				return one(p, pi)
			}
			return one(math.Min(1-1e-14, math.Max(1e-14, p)), pi)
		})},
	})
}

func ExampleCheck() {
	fmt.Println(ex16.Check(sum(func(p, pi float64) float64 { return -(p - pi) * (p - pi) })).Parts[1].Message)
	// Output: This is a sum of squares: the log likelihood of Gaussian noise, not of labels.
}

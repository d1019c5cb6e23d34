// Package lesson01 judges the task of lesson 1.
package lesson01

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"example.org/course/books"
	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	biasFunc = func(mu float64, n int, lambda float64) float64
	mseFunc  = func(mu, sigma float64, n int, lambda float64) float64
)

// Check judges bias and mse, the two functions of the task.
func Check(bias biasFunc, mse mseFunc) *verify.Report {
	return exercise.Judge(slices.Concat(
		biasQuestion.Parts(bias, []judge.Property[problem]{
			judge.Form("Bias: a number, the same on every call", all, nil, judge.Wrong{},
				"You returned a number for every problem."),
			{Name: "Bias: the mean of the estimate minus the truth", Problems: all, Holds: near(rightBias),
				Wrong: judge.Wrong{Key: "bias", Hint: 1,
					Message: "For {problem} the bias is wrong: yours is {off}."},
				Right: "Your bias has the right size and sign."},
		}...),
		mseQuestion.Parts(mse, []judge.Property[problem]{
			judge.Form("MSE: a number, the same on every call", all, nil, judge.Wrong{},
				"You returned a number for every problem."),
			{Name: "MSE: squared bias plus variance", Problems: all, Holds: near(rightMSE),
				Wrong: judge.Wrong{Key: "mse", Hint: 3,
					Message: "For {problem} the expected squared error is wrong: yours is {off}."},
				Right: "Your error is the squared bias plus the variance."},
		}...))...)
}

func near(want func(problem) []float64) func(problem, []float64) verify.Finding {
	return func(p problem, got []float64) verify.Finding {
		return verify.Close(got[0], want(p)[0], verify.Tolerance{Abs: 1e-12, Rel: 1e-9})
	}
}

// problem contains the true mean, the standard deviation of the noise, the number of targets and
// the penalty.
type problem struct {
	mu, sigma float64
	n         int
	lambda    float64
}

func (p problem) String() string {
	return fmt.Sprintf("μ = %.3g, σ = %.3g, N = %d and λ = %.3g", p.mu, p.sigma, p.n, p.lambda)
}

// all returns the random problems. Some have no penalty, a true mean of 0, only one target, or a
// large penalty.
var all = instance.Once(func() (list []problem) {
	r := instance.Source(39001, 1)
	for i := range 8 {
		p := problem{mu: 3 * r.NormFloat64(), sigma: 0.3 + 2*r.Float64(), n: 1 + i*i%7, lambda: 0.2 + 3*r.ExpFloat64()}
		switch i {
		case 3:
			p.lambda = 0
		case 4:
			p.mu = 0
		case 5:
			p.lambda *= 50
		}
		list = append(list, p)
	}
	return list
})

// rightBias and rightMSE assume that each target is μ + σ or μ − σ, with probability ½ each. They may
// do so because the bias and the expected squared error depend only on the mean and the standard
// deviation of the targets. They average over all possible targets; the number of targets μ + σ has a
// binomial distribution.
func rightBias(p problem) []float64 {
	return []float64{average(p, func(e float64) float64 { return e })}
}
func rightMSE(p problem) []float64 {
	return []float64{average(p, func(e float64) float64 { return e * e })}
}

func average(p problem, f func(err float64) float64) (mean float64) {
	weight, n := math.Pow(0.5, float64(p.n)), float64(p.n)
	for k := range p.n + 1 {
		sum := n*p.mu + p.sigma*float64(2*k-p.n)
		mean += weight * f(sum/(n+p.lambda)-p.mu)
		weight *= (n - float64(k)) / float64(k+1)
	}
	return mean
}

var biasQuestion = &judge.Question[biasFunc, problem]{
	Func: "Bias", Name: "bias", Key: "bias", Hint: 3,
	Invoke: func(f biasFunc, _ *judge.Call, p problem) []float64 {
		return []float64{f(p.mu, p.n, p.lambda)}
	},
	Right: rightBias,
	Mistakes: []judge.Mistake[biasFunc]{
		{Key: "sign", Hint: 3, Message: "Your bias has the wrong sign. Subtract the truth from the mean of the estimate.",
			Answer: func(mu float64, n int, lambda float64) float64 { return lambda * mu / (float64(n) + lambda) }},
		{Key: "mean", Hint: 3, Message: "Your number is the mean of the estimate. The bias is its difference from the truth.",
			Answer: func(mu float64, n int, lambda float64) float64 { return float64(n) * mu / (float64(n) + lambda) }},
		{Key: "one", Hint: 1, Message: "You use the mean of only one target. The estimate contains the sum of all N targets.",
			Answer: func(mu float64, n int, lambda float64) float64 { return mu/(float64(n)+lambda) - mu }},
	},
}

var mseQuestion = &judge.Question[mseFunc, problem]{
	Func: "MSE", Name: "expected squared error", Key: "mse", Hint: 3,
	Invoke: func(f mseFunc, _ *judge.Call, p problem) []float64 {
		return []float64{f(p.mu, p.sigma, p.n, p.lambda)}
	},
	Right: rightMSE,
	Mistakes: []judge.Mistake[mseFunc]{
		{Key: "variance", Hint: 3, Message: "Your number is the variance of the estimate alone. The squared bias is missing.",
			Answer: func(_, sigma float64, n int, lambda float64) float64 {
				return float64(n) * sigma * sigma / math.Pow(float64(n)+lambda, 2)
			}},
		{Key: "bias-not-squared", Hint: 3, Message: "You add the bias itself to the variance. Square the bias before you add it.",
			Answer: func(mu, sigma float64, n int, lambda float64) float64 {
				d := float64(n) + lambda
				return -lambda*mu/d + float64(n)*sigma*sigma/(d*d)
			}},
		{Key: "divided-once", Hint: 2, Message: "You divide the variance by N+λ only once. A constant factor of a random number appears squared in its variance.",
			Answer: func(mu, sigma float64, n int, lambda float64) float64 {
				d := float64(n) + lambda
				return math.Pow(lambda*mu/d, 2) + float64(n)*sigma*sigma/d
			}},
		{Key: "plain", Hint: 2, Message: "Your variance is σ²/N, the variance of the plain mean. The shrunk mean has a smaller variance.",
			Answer: func(mu, sigma float64, n int, lambda float64) float64 {
				d := float64(n) + lambda
				return math.Pow(lambda*mu/d, 2) + sigma*sigma/float64(n)
			}},
	},
}

func init() {
	judge.Known(exercise, biasQuestion,
		func(f biasFunc) *verify.Report { return Check(f, judge.Unwritten[mseFunc]()) })
	judge.Known(exercise, mseQuestion,
		func(f mseFunc) *verify.Report { return Check(judge.Unwritten[biasFunc](), f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = books.All.MustParse("lessons/lesson01", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

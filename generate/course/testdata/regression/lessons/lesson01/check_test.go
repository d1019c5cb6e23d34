package lesson01_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	lesson01 "example.org/course/lessons/lesson01"
	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	biasFunc = func(mu float64, n int, lambda float64) float64
	mseFunc  = func(mu, sigma float64, n int, lambda float64) float64
)

func checkBias(f biasFunc) *verify.Report { return lesson01.Check(f, MSE) }
func checkMSE(f mseFunc) *verify.Report   { return lesson01.Check(Bias, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson01.Exercise(), gate.Of(checkBias, Bias), gate.Of(checkMSE, MSE))
}

func TestRight(t *testing.T) {
	gate.Rights(t, checkBias, map[string]biasFunc{
		"reference":  Bias,
		"difference": func(mu float64, n int, lambda float64) float64 { return float64(n)*mu/(float64(n)+lambda) - mu },
		"factor":     func(mu float64, n int, lambda float64) float64 { return mu * (1/(1+lambda/float64(n)) - 1) },
		"a sum": func(mu float64, n int, lambda float64) float64 {
			sum := 0.0
			for range n {
				sum += mu
			}
			return sum/(float64(n)+lambda) - mu
		},
	})
	gate.Rights(t, checkMSE, map[string]mseFunc{
		"reference": MSE,
		"parts": func(mu, sigma float64, n int, lambda float64) float64 {
			return math.Pow(Bias(mu, n, lambda), 2) + float64(n)*math.Pow(sigma/(float64(n)+lambda), 2)
		},
		"factor of the mean": func(mu, sigma float64, n int, lambda float64) float64 {
			s := float64(n) / (float64(n) + lambda)
			return (1-s)*(1-s)*mu*mu + s*s*sigma*sigma/float64(n)
		},
		"second moment": func(mu, sigma float64, n int, lambda float64) float64 {
			m, d := float64(n), float64(n)+lambda
			return (m*sigma*sigma+m*m*mu*mu)/(d*d) - 2*mu*m*mu/d + mu*mu
		},
	})
}

func TestWrong(t *testing.T) {
	gate.Wrongs(t, lesson01.Exercise(), checkBias, map[string][]biasFunc{
		"bias": {func(mu float64, n int, lambda float64) float64 { return -lambda * mu / float64(n) }},
	})
	gate.Wrongs(t, lesson01.Exercise(), checkMSE, map[string][]mseFunc{
		"mse": {func(mu, sigma float64, n int, lambda float64) float64 { return math.Sqrt(MSE(mu, sigma, n, lambda)) }},
	})
}

// TestEquations checks the two equations of the lesson: the first on discrete distributions, and the
// second by computing the minimum of the penalised error.
func TestEquations(t *testing.T) {
	equation.Check(t, "own-3.4", func(r *rand.Rand) (left, right any) {
		c, mu := instance.Normals(r, 6), r.NormFloat64() // six equally likely estimates
		for _, v := range c {
			left = asFloat(left) + (v-mu)*(v-mu)/6
		}
		mean, variance := stat.PopMeanVariance(c, nil)
		return left, (mean-mu)*(mean-mu) + variance
	})
	equation.Check(t, "own-3.5", func(r *rand.Rand) (left, right any) {
		x, lambda := instance.Normals(r, 5), r.ExpFloat64()
		loss := func(c float64) (sum float64) {
			for _, v := range x {
				sum += (v - c) * (v - c) / 2
			}
			return sum + lambda*c*c/2
		}
		lowest := (loss(-1) - loss(1)) / (2 * (loss(1) + loss(-1) - 2*loss(0))) // minimum of the parabola through three points
		return lowest, floats.Sum(x) / (5 + lambda)
	})
}

func asFloat(v any) float64 {
	f, _ := v.(float64)
	return f
}

/*
Equivalent mutants

MSE: d := float64(n) + lambda → d := -(float64(n) + lambda)
    The number d is squared.
*/

package ex19_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex19"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	gradientFunc = twoclass.Gradient
	hessianFunc  = twoclass.Hessian
	curveFunc    = func(x float64) float64
)

func checkGradient(f gradientFunc) *verify.Report { return ex19.Check(f, Hessian) }
func checkHessian(f hessianFunc) *verify.Report   { return ex19.Check(Gradient, f) }
func checkSlope(f curveFunc) *verify.Report       { return ex19.CheckSteps(f, LogBend) }
func checkBend(f curveFunc) *verify.Report        { return ex19.CheckSteps(LogSlope, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex19.Exercise(), gate.Of(checkGradient, Gradient), gate.Of(checkHessian, Hessian),
		gate.Of(checkSlope, LogSlope),
		gate.Of(checkBend, LogBend))
}

var (
	pdf, cdf           = kernel.NormPDF, kernel.NormCDF
	pulling, weighting = twoclass.Pulling, twoclass.Weighting
)

func m(x float64) float64 { return pdf(x) / cdf(x) }

// logRatio returns N(x)/Φ(x), computed as exp(ln N(x) − ln Φ(x)).
func logRatio(x float64) float64 {
	return math.Exp(-x*x/2 - math.Log(2*math.Pi)/2 - math.Log(cdf(x)))
}

// fromQuotient returns an answer for the function Gradient and an answer for the function Hessian.
// Both answers call the function `quotient` to compute N(x)/Φ(x).
func fromQuotient(quotient curveFunc) (gradientFunc, hessianFunc) {
	return pulling(func(a, t float64) float64 { s := 2*t - 1; return s * quotient(s*a) }),
		weighting(func(a, t float64) float64 { x := (2*t - 1) * a; return -quotient(x) * (quotient(x) + x) })
}

func TestRight(t *testing.T) {
	gradient, hessian := fromQuotient(logRatio)
	limited, _ := fromQuotient(replacedAbove(m, 6.5, 0))
	gate.Rights(t, checkGradient, map[string]gradientFunc{
		"reference":  Gradient,
		"logarithms": gradient,
		"(t − y)N/{y(1 − y)}, accurate in both tails": pulling(func(a, t float64) float64 {
			y, c := cdf(a), cdf(-a) // c is 1 − y, computed without cancellation
			return (t*c - (1-t)*y) * pdf(a) / (y * c)
		}),
		"every entry off by half of the tolerance": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			g := Gradient(w, Phi, t)
			for j := range g {
				g[j] += 5e-9 * floats.Norm(mat.Col(nil, j, Phi), math.Inf(1))
			}
			return g
		},
		"factor 0 above 6.5, where N is below 1e-9": limited,
	})
	gate.Rights(t, checkHessian, map[string]hessianFunc{
		"logarithms": hessian,
		"a separate formula for each class": weighting(func(a, t float64) float64 {
			y, c, d := cdf(a), cdf(-a), pdf(a)
			if t == 1 {
				return -a*d/y - (d/y)*(d/y)
			}
			return a*d/c - (d/c)*(d/c)
		}),
	})
	gate.Rights(t, checkSlope, map[string]curveFunc{
		"logarithms":                          logRatio,
		"result off by half of the tolerance": func(x float64) float64 { return m(x) + 5e-10*(1+math.Abs(x)) },
	})
	gate.Rights(t, checkBend, map[string]curveFunc{
		"quotient rule, unsimplified": func(x float64) float64 { return -x*pdf(x)/cdf(x) - math.Pow(pdf(x)/cdf(x), 2) },
		"logarithms":                  func(x float64) float64 { return -logRatio(x)*x - logRatio(x)*logRatio(x) },
	})
}

// replacedAbove returns a function of x that returns f(x) for x ≤ c, and v for x > c.
func replacedAbove(f curveFunc, c, v float64) curveFunc {
	return func(x float64) float64 {
		if x > c {
			return v
		}
		return f(x)
	}
}

// series returns a function that computes N(x)/Φ(x). For x ≤ −c the function computes Φ(x) with n
// terms of its asymptotic series.
func series(c float64, n int) curveFunc {
	return func(x float64) float64 {
		if x > -c {
			return m(x)
		}
		sum, term := 0.0, 1.0
		for k := range n {
			sum += term
			term *= -float64(2*k+1) / (x * x)
		}
		return -x / sum
	}
}

// squared returns the second derivative of ln Φ. It divides by Φ², which underflows in the far left
// tail.
func squared(x float64) float64 { return -(x*pdf(x)*cdf(x) + pdf(x)*pdf(x)) / (cdf(x) * cdf(x)) }

// squares is a version of Hessian that calls the function `squared`.
var squares = weighting(func(a, t float64) float64 { return squared((2*t - 1) * a) })

// TestWrong checks wrong answers, most of which are not in the tables of mistakes in check.go. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	after := func(f func(g, w []float64)) gradientFunc {
		return func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			g := Gradient(w, Phi, t)
			f(g, w)
			return g
		}
	}
	pull := func(quotient curveFunc) gradientFunc { g, _ := fromQuotient(quotient); return g }
	weigh := func(quotient curveFunc) hessianFunc { _, h := fromQuotient(quotient); return h }
	floor := func(x float64) float64 { return pdf(x) / math.Max(1e-12, cdf(x)) }
	byErf := func(x float64) float64 { return pdf(x) / (0.5 * (1 + math.Erf(x/math.Sqrt2))) }
	gate.Wrongs(t, ex19.Exercise(), checkGradient, map[string][]gradientFunc{
		"factor": {after(func(g, _ []float64) { floats.Scale(0.5, g) })},
		"nearly": {pull(series(12, 4)), pull(func(x float64) float64 { return m(x) * (1 + 1e-6) })},
		"prior": {after(func(g, w []float64) { floats.Sub(g, w) }),
			after(func(g, w []float64) { floats.AddScaled(g[1:], -0.1, w[1:]) })},
		"derivative": {after(func(g, _ []float64) { g[0] *= 1.001 }),
			pulling(func(a, t float64) float64 { return math.Tanh(a) - t })},
		"mean-not-zero": {pulling(func(a, t float64) float64 { return t * m(a) })},
		"in-the-middle": {after(func(g, _ []float64) { floats.Scale(2, g) })},
		"one-per-point": {func(_ []float64, _ *mat.Dense, t []float64) []float64 { return make([]float64, len(t)) }},
		"tail": {
			pulling(func(a, t float64) float64 { return (t - cdf(a)) * pdf(a) / (cdf(a) * (1 - cdf(a))) }),
			pull(byErf),
			// this answer is wrong only for x ≤ −8.2, where it calls byErf
			pull(func(x float64) float64 { return replacedAbove(byErf, -8.2, m(x))(x) }),
		},
		"tail-clipped": {pull(floor), pull(replacedAbove(m, 4, 0)),
			pull(func(x float64) float64 { return m(math.Max(-20, x)) }), pull(series(5, 1))},
	})
	apply := func(f func(i, j int, v float64) float64) hessianFunc {
		return func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense {
			h := Hessian(w, Phi, t)
			h.Apply(f, h)
			return h
		}
	}
	scale := func(c float64) hessianFunc { return apply(func(_, _ int, v float64) float64 { return c * v }) }
	diagonal := func(f func(i int, v float64) float64) hessianFunc {
		return apply(func(i, j int, v float64) float64 {
			if i == j {
				return f(i, v)
			}
			return v
		})
	}
	gate.Wrongs(t, ex19.Exercise(), checkHessian, map[string][]hessianFunc{
		"factor": {scale(0.5)},
		"nearly": {weigh(series(20, 3)), weigh(series(12, 4))},
		"prior": {
			diagonal(func(_ int, v float64) float64 { return v - 1 }),
			diagonal(func(_ int, v float64) float64 { return v - 1e-5 }),
			diagonal(func(i int, v float64) float64 { return v - 0.1*math.Min(1, float64(i)) }),
		},
		"second-derivative": {
			diagonal(func(i int, v float64) float64 { return v * (1 + 0.01*float64(1-min(i, 1))) }),
			diagonal(func(int, float64) float64 { return -math.MaxFloat64 }),
		},
		"not-symmetric": {apply(func(i, j int, v float64) float64 {
			return v * (1 + 0.01*float64(max(0,
				j-i)))
		})},
		"not-negative-definite": {diagonal(func(i int, v float64) float64 { return v * float64(1-2*(i%2)) })},
		"of-the-error":          {scale(-1)},
		"information":           {scale(2)},
		"in-the-middle":         {scale(2)},
		"n-by-n": {func(_ []float64, _ *mat.Dense, t []float64) *mat.Dense {
			return mat.NewDense(len(t),
				len(t), nil)
		}},
		"tail": {weigh(byErf), weigh(func(x float64) float64 { return pdf(x) / (1 - cdf(-x)) }),
			squares},
		"tail-clipped": {weigh(floor), weigh(replacedAbove(m, 4, 0)), weigh(series(5, 1)),
			weighting(func(a, t float64) float64 {
				return -m((2*t-1)*a) * replacedAbove(func(x float64) float64 { return m(x) + x }, 4, 0)((2*t-1)*a)
			})},
	})
	gate.Wrongs(t, ex19.Exercise(), checkSlope, map[string][]curveFunc{
		"slope-sign":   {func(x float64) float64 { return -m(x) }},
		"slope-factor": {func(x float64) float64 { return 2 * m(x) }},
		"slope-nearly": {func(x float64) float64 { return m(x) * (1 + 1e-7) }, series(14, 4), replacedAbove(m, 3, 0),
			replacedAbove(m, 4, 0), replacedAbove(m, 5, 0)},
		"slope-value":         {floor},
		"slope-not-finite":    {math.Log, byErf, func(x float64) float64 { return pdf(x) / (1 - cdf(-x)) }},
		"slope-in-the-middle": {pdf},
	})
	gate.Wrongs(t, ex19.Exercise(), checkBend, map[string][]curveFunc{
		"bend-factor": {func(x float64) float64 { return LogBend(x) / 2 }},
		"bend-value": {
			func(float64) float64 { return 0 }, func(float64) float64 { return -math.MaxFloat64 },
			func(x float64) float64 { return LogBend(math.Max(x, -5)) }, replacedAbove(LogBend, 3, 0),
		},
		"bend-nearly":        {replacedAbove(LogBend, 4, 0), replacedAbove(LogBend, 5.5, 0)},
		"bend-not-finite":    {squared},
		"not-its-derivative": {func(x float64) float64 { return -LogBend(x) }},
	})
	both := ex19.CheckSteps(func(x float64) float64 { return -m(x) }, func(x float64) float64 { return -LogBend(x) })
	gate.Wrong(t, ex19.Exercise(), both, "not-concave")
}

// TestCauses checks two Hessians that are wrong or not finite at large activations. The message of the
// part about large activations must name the cause, and must not mention 1 − Φ, which is not the cause.
func TestCauses(t *testing.T) {
	_, few := fromQuotient(series(20, 3))
	for says, f := range map[string]hessianFunc{
		"divide first, then square": squares,
		"series":                    few,
	} {
		part := checkHessian(f).Parts[6]
		if part.Outcome != verify.Wrong || !strings.Contains(part.Message, says) ||
			strings.Contains(part.Message, "1 − Φ") {
			t.Errorf("want a Wrong part whose message contains %q but not 1 − Φ, got the outcome %s and the message %q",
				says, part.Outcome, part.Message)
		}
	}
}

// TestText checks that no explore cell contains Erfc, because only the last hint may name this
// function. It also checks that the task states the required accuracy.
func TestText(t *testing.T) {
	e := ex19.Exercise()
	if strings.Contains(e.Explore, "Erfc") {
		t.Error("an explore cell contains Erfc, want it only in the last hint")
	}
	if !strings.Contains(e.Task, "10^{-8}") || !strings.Contains(e.Task, "10^{-9}") {
		t.Error("the task must state both required accuracies, 10^{-8} and 10^{-9}")
	}
}

func ExampleCheck() {
	canonical := pulling(func(a, t float64) float64 { return t - cdf(a) })
	fmt.Println(ex19.Check(canonical, Hessian).Parts[1].Message)
	// Output: Your factor is t − Φ(a), as in the logistic gradient. There the derivative σ(1 − σ) of the output cancels. The derivative of Φ is the density N(a), not Φ(1 − Φ), so it does not cancel.
}

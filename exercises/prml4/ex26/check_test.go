package ex26_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex26"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	function      = func(mu, sigma2, lambda float64) float64
	integrandFunc = func(mu, sigma2, lambda, z float64) float64
	squareFunc    = func(mu, sigma2, lambda float64) (c, centre, rest float64)
	constantFunc  = func(F func(mu float64) float64) float64
)

func checkIntegral(f function) *verify.Report       { return ex26.Check(f, DerivativeMu) }
func checkSlope(f function) *verify.Report          { return ex26.Check(Convolve, f) }
func checkIntegrand(f integrandFunc) *verify.Report { return ex26.CheckSteps(f, Square, Constant) }
func checkSquare(f squareFunc) *verify.Report       { return ex26.CheckSteps(Integrand, f, Constant) }
func checkConstant(f constantFunc) *verify.Report   { return ex26.CheckSteps(Integrand, Square, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex26.Exercise(), gate.Of(checkIntegral, Convolve), gate.Of(checkSlope, DerivativeMu),
		gate.Of(checkIntegrand, Integrand),
		gate.Of(checkSquare, Square), gate.Of(checkConstant, Constant))
}

var phi, density = kernel.NormCDF, kernel.NormPDF

func width(s2, l float64) float64 { return math.Sqrt(1/(l*l) + s2) }

// fourthOrder returns a difference quotient of f at x with an error of order h⁴.
func fourthOrder(f func(float64) float64, x, h float64) float64 {
	return (8*(f(x+h)-f(x-h)) - f(x+2*h) + f(x-2*h)) / (12 * h)
}

// gridIntegral returns the integral of f(σz) N(z|0,1) over z, computed on a grid. The step of the grid is
// small enough for a function f that changes over a distance of about 1/λ.
func gridIntegral(s2, l float64, f func(a float64) float64) float64 {
	sigma := math.Sqrt(s2)
	h := 0.25 / (1 + l*sigma)
	sum := 0.0
	for i := -int(8.5 / h); i <= int(8.5/h); i++ {
		z := float64(i) * h
		sum += h * f(sigma*z) * density(z)
	}
	return sum
}

func TestRight(t *testing.T) {
	gate.Rights(t, checkIntegral, map[string]function{
		"reference":     Convolve,
		"λμ/(1+λ²σ²)^½": func(mu, s2, l float64) float64 { return phi(l * mu / math.Sqrt(1+l*l*s2)) },
		"½(1+erf), hypotenuse": func(mu, s2, l float64) float64 {
			return 0.5 * (1 + math.Erf(mu/math.Hypot(1/l, math.Sqrt(s2))/math.Sqrt2))
		},
		"distuv.Normal": func(mu, s2, l float64) float64 { return distuv.Normal{Mu: -mu, Sigma: width(s2, l)}.CDF(0) },
		"own quadrature": func(mu, s2, l float64) float64 {
			return gridIntegral(s2, l, func(a float64) float64 { return phi(l * (mu + a)) })
		},
		"result with an error below the tolerance": func(mu, s2, l float64) float64 {
			return Convolve(mu, s2, l) +
				9e-9*math.Sin(1e4*mu)
		},
	})
	gate.Rights(t, checkSlope, map[string]function{
		"reference": DerivativeMu,
		"λ in front": func(mu, s2, l float64) float64 {
			c := 1 + l*l*s2
			return l / math.Sqrt(2*math.Pi*c) * math.Exp(-l*l*mu*mu/(2*c))
		},
		"distuv.Normal": func(mu, s2, l float64) float64 { return distuv.Normal{Sigma: width(s2, l)}.Prob(mu) },
		"difference quotient of the formula": func(mu, s2, l float64) float64 {
			return fourthOrder(func(mu float64) float64 { return Convolve(mu, s2, l) }, mu, 1e-4*width(s2, l))
		},
		"own quadrature": func(mu, s2, l float64) float64 {
			return gridIntegral(s2, l, func(a float64) float64 { return l * density(l*(mu+a)) })
		},
		"result with an error below the tolerance": func(mu, s2, l float64) float64 {
			return DerivativeMu(mu, s2, l) +
				9e-9*DerivativeMu(0, s2, l)
		},
	})
}

func TestRightSteps(t *testing.T) {
	gate.Rights(t, checkIntegrand, map[string]integrandFunc{
		"two densities": func(mu, s2, l, z float64) float64 { return l * density(l*mu+l*math.Sqrt(s2)*z) * density(z) },
		"with Square inside": func(mu, s2, l, z float64) float64 {
			c, centre, rest := Square(mu, s2, l)
			return l / (2 * math.Pi) * math.Exp(-(c*(z-centre)*(z-centre)+rest)/2)
		},
		"difference quotient": func(mu, s2, l, z float64) float64 {
			return fourthOrder(func(mu float64) float64 { return phi(l*(mu+math.Sqrt(s2)*z)) * density(z) }, mu, 1e-3/l)
		},
	})
	gate.Rights(t, checkSquare, map[string]squareFunc{
		"by coefficients": func(mu, s2, l float64) (float64, float64, float64) {
			// a, b and d are the coefficients of λ²(μ+σz)² + z² = az² + bz + d
			a, b, d := 1+l*l*s2, 2*l*l*mu*math.Sqrt(s2), l*l*mu*mu
			return a, -b / (2 * a), d - b*b/(4*a)
		},
		"with the width": func(mu, s2, l float64) (float64, float64, float64) {
			w := width(s2, l)
			return l * l * w * w, -mu * math.Sqrt(s2) / (w * w), mu * mu / (w * w)
		},
	})
	gate.Rights(t, checkConstant, map[string]constantFunc{
		"far to the left":      func(F func(float64) float64) float64 { return -F(-1e5) },
		"less far to the left": func(F func(float64) float64) float64 { return -F(-1e4) },
		"by symmetry":          func(F func(float64) float64) float64 { return 0.5 - F(0) },
		"from the right":       func(F func(float64) float64) float64 { return 1 - F(math.Inf(1)) },
		"mean of both ends":    func(F func(float64) float64) float64 { return 0.5 - (F(-1e6)+F(1e6))/2 },
	})
}

// clippedBeyond returns an answer that calls f if |μ| is at most the given number of widths. For
// larger |μ| the answer returns the limit of f, rounded to an integer.
func clippedBeyond(f function, widths float64) function {
	return func(mu, s2, l float64) float64 {
		if u := mu / width(s2, l); math.Abs(u) > widths {
			return math.Round(f(math.Copysign(40, u)*width(s2, l), s2, l))
		}
		return f(mu, s2, l)
	}
}

// TestWrong checks wrong answers. One of them, Φ(λμ), is also in the table mistakenWidths of check.go,
// but tests the verdict of the report's last part. All others are not in the tables of mistakes. For
// each answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	e := ex26.Exercise()
	// `changed` returns an answer that computes g(v, u), where v is the right value and u = μ/width
	changed := func(g func(v, u float64) float64) function {
		return func(mu, s2, l float64) float64 { return g(Convolve(mu, s2, l), mu/width(s2, l)) }
	}
	gate.Wrongs(t, e, checkIntegral, map[string][]function{
		"constant-of-integration": {changed(func(v, _ float64) float64 { return v + 0.1 })},
		"factor":                  {changed(func(v, _ float64) float64 { return v / 2 })},
		"nearly": {changed(func(v, _ float64) float64 { return v + 1e-6 }),
			changed(func(v, _ float64) float64 { return v + 2e-8 })},
		"value": {changed(func(_, u float64) float64 { return 0.5 + math.Atan(u)/math.Pi }),
			changed(func(_, u float64) float64 { return math.Copysign(math.MaxFloat64, u) })},
		"left-limit": {changed(func(_, u float64) float64 { return 0.5 + math.Atan(u)/math.Pi })},
		"right-limit": {changed(func(v, _ float64) float64 { return 0.9 * v }),
			changed(func(_, _ float64) float64 { return 0 })},
		"not-symmetric": {changed(func(_, u float64) float64 { return phi(u - 0.1) })},
		"no-variance": {
			func(mu, s2, l float64) float64 { return phi(mu / math.Sqrt(s2) / math.Sqrt(1/(l*l*s2)+1)) },
			func(mu, s2, l float64) float64 {
				if s2 == 0 {
					return 0.5
				}
				return Convolve(mu, s2, l)
			},
		},
		"extremes": {
			func(mu, s2, l float64) float64 { // this answer sums over a fixed grid
				return gridIntegral(1, 4, func(a float64) float64 { return phi(l * (mu + math.Sqrt(s2)*a)) })
			},
			clippedBeyond(Convolve, 3), clippedBeyond(Convolve, 3.5), clippedBeyond(Convolve, 4), clippedBeyond(Convolve, 5),
			func(mu, s2, l float64) float64 { return Convolve(mu, math.Min(s2, 9000), l) },
			func(mu, s2, l float64) float64 { return Convolve(mu, s2, math.Min(l, 90)) },
			func(mu, s2, l float64) float64 { return Convolve(mu, s2, math.Max(l, 0.012)) },
			func(mu, s2, l float64) float64 { return Convolve(math.Max(-60, math.Min(mu, 60)), s2, l) },
		},
		"in-the-middle":      {func(mu, _, l float64) float64 { return phi(l*mu + 0.2) }},
		"not-its-derivative": {func(mu, _, l float64) float64 { return phi(l * mu) }},
		"not-finite": {
			func(mu, s2, l float64) float64 { return phi(mu / math.Sqrt(1/(l*l)-s2)) },
			changed(func(v, u float64) float64 {
				if math.Abs(u) > 20 {
					return math.Inf(1)
				}
				return v
			}),
		},
	})
	times := func(c func(s2, l float64) float64) function {
		return func(mu, s2, l float64) float64 { return c(s2, l) * DerivativeMu(mu, s2, l) }
	}
	gate.Wrongs(t, e, checkSlope, map[string][]function{
		"factor": {times(func(_, _ float64) float64 { return 2 }), times(func(_, _ float64) float64 { return -0.5 })},
		"nearly": {
			func(mu, s2, l float64) float64 { // this answer computes a difference quotient with a large step
				h := 1e-3 * width(s2, l)
				return (Convolve(mu+h, s2, l) - Convolve(mu-h, s2, l)) / (2 * h)
			},
			times(func(_, _ float64) float64 { return 1 + 2e-8 }),
		},
		"value": {
			func(mu, s2, l float64) float64 { // this answer uses a one-sided difference quotient
				h := 0.1 * width(s2, l)
				return (Convolve(mu+h, s2, l) - Convolve(mu, s2, l)) / h
			},
			func(_, _, _ float64) float64 { return 0 },
		},
		"not-its-derivative": {func(_, _, _ float64) float64 { return 0 }},
		"no-variance":        {times(func(s2, _ float64) float64 { return s2 / s2 })},
		"extremes": {clippedBeyond(DerivativeMu, 3), clippedBeyond(DerivativeMu, 3.5), clippedBeyond(DerivativeMu, 5), clippedBeyond(DerivativeMu, 6),
			func(mu, s2, l float64) float64 { return DerivativeMu(mu, math.Min(s2, 9000), l) }},
		"in-the-middle": {times(func(_, _ float64) float64 { return 2 })},
	})
}

func TestWrongSteps(t *testing.T) {
	e := ex26.Exercise()
	times := func(c func(z float64) float64) integrandFunc {
		return func(mu, s2, l, z float64) float64 { return c(z) * Integrand(mu, s2, l, z) }
	}
	gate.Wrongs(t, e, checkIntegrand, map[string][]integrandFunc{
		"integrand-sign":   {times(func(float64) float64 { return -1 })},
		"integrand-factor": {times(func(float64) float64 { return 2 * math.Pi })},
		"integrand-value": {times(func(float64) float64 { return 0 }),
			times(func(z float64) float64 { return 1 + z*z })},
		"integrand-integral": {times(func(z float64) float64 { return 1 + z*z })},
		"integrand-nearly": {func(mu, s2, l, z float64) float64 {
			f := func(mu float64) float64 { return phi(l*(mu+math.Sqrt(s2)*z)) * density(z) }
			return (f(mu+1e-3) - f(mu-1e-3)) / 2e-3
		}},
	})
	after := func(f func(c, centre, rest float64) (float64, float64, float64)) squareFunc {
		return func(mu, s2, l float64) (float64, float64, float64) { return f(Square(mu, s2, l)) }
	}
	gate.Wrongs(t, e, checkSquare, map[string][]squareFunc{
		"square-value": {
			after(func(c, z, r float64) (float64, float64, float64) { return 2 - c, z, r }), // 1 − λ²σ²
			after(func(c, z, r float64) (float64, float64, float64) { return 2 * c, z, 2 * r }),
		},
		"square-integral":       {after(func(c, z, r float64) (float64, float64, float64) { return 2 * c, z, 2 * r })},
		"square-sign":           {after(func(c, z, r float64) (float64, float64, float64) { return -c, -z, -r })},
		"square-c-not-positive": {after(func(c, z, r float64) (float64, float64, float64) { return -c, z, r })},
		"square-nearly":         {after(func(c, z, r float64) (float64, float64, float64) { return c, z + 1e-6, r })},
		"square-not-finite": {func(mu, s2, l float64) (float64, float64, float64) { // this answer divides by σ
			c, _, rest := Square(mu, s2, l)
			return c, -mu / math.Sqrt(s2) * (c - 1) / c, rest
		}},
	})
	gate.Wrongs(t, e, checkConstant, map[string][]constantFunc{
		"constant-value": {func(F func(float64) float64) float64 { return F(0) },
			func(F func(float64) float64) float64 { return -F(-4) }},
	})
}

// TestNamed checks that for each known mistake, the first wrong part of the report has the key of
// this mistake. It also checks that the task, the section Explore, the comments on the stubs and the
// messages about known mistakes reveal neither the result of this exercise nor the result of exercise
// 4.25.
func TestNamed(t *testing.T) {
	e := ex26.Exercise()
	var seen strings.Builder
	seen.WriteString(e.Task + e.Explore)
	for _, line := range strings.Split(e.Answer, "\n") {
		if strings.HasPrefix(line, "//") {
			seen.WriteString(line)
		}
	}
	for i, k := range e.Known {
		r := k.Check()
		wrong := slices.DeleteFunc(slices.Clone(r.Parts),
			func(p verify.Result) bool { return p.Outcome != verify.Wrong })
		if len(wrong) == 0 || wrong[0].Key != k.Key {
			t.Errorf("known mistake #%d: the first wrong part does not have the key %q:\n%s", i, k.Key, r)
		}
		for _, p := range wrong {
			seen.WriteString(p.Message)
		}
	}
	for _, formula := range []string{"λ⁻²+σ²", "λμ/(1+λ²σ²)", `\lambda^{-2}`, "math.Pi / 8", "π/8", `\pi/8`} {
		if strings.Contains(seen.String(), formula) {
			t.Errorf("the texts contain %s, want no formula that reveals a result", formula)
		}
	}
}

func TestOneOfTwo(t *testing.T) {
	half := checkIntegral(func(_, _, _ float64) float64 { panic(verify.TODO) })
	if half.Passed() || half.Count(verify.Right) != 3 || half.Count(verify.NotAttempted) != 5 {
		t.Errorf("only one of the two functions is written: want three parts Right and five parts NotAttempted, got\n%s", half)
	}
}

func ExampleCheck() {
	plain := func(mu, _, lambda float64) float64 { return phi(lambda * mu) }
	fmt.Println(ex26.Check(plain, DerivativeMu).Parts[4].Message)
	// Output: This is Φ(λμ), or its derivative: the probit function at the mean, as if the Gaussian had width 0. A larger σ² must make the curve flatter.
}

func ExampleCheckSteps() {
	inner := func(mu, sigma2, lambda, z float64) float64 { return Integrand(mu, sigma2, lambda, z) / lambda }
	fmt.Println(ex26.CheckSteps(inner, Square, Constant).Parts[0].Message)
	// Output: The inner derivative λ is missing: the derivative of the argument λμ+λσz with respect to μ is λ.
}

/*
Equivalent mutants

DerivativeMu: u := mu / s → u := -(mu / s)
    Only u² is used, because the normal density is an even function.

Integrand: u := lambda * (mu + math.Sqrt(sigma2)*z) → u := -(lambda * (mu + math.Sqrt(sigma2)*z))
    Only u² is used.
*/

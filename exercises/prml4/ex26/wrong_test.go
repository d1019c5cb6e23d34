package ex26_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex26"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// slips are mistaken widths, and so wrong answers for both functions.
var slips = []struct {
	name, key string
	width     func(s2, l float64) float64
}{
	{"σ for σ²", "standard-deviation-for-variance", func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + math.Sqrt(s2)) }},
	{"σ⁴ for σ²", "variance-squared", func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + s2*s2) }},
	{"λ² for λ⁻²", "lambda-not-inverted", func(s2, l float64) float64 { return math.Sqrt(l*l + s2) }},
	{"λ for λ⁻²", "lambda-not-inverted", func(s2, l float64) float64 { return math.Sqrt(l + s2) }},
	{"1/λ for λ⁻²", "lambda-not-squared", func(s2, l float64) float64 { return math.Sqrt(1/l + s2) }},
	{"no λ", "lambda-left-out", func(s2, _ float64) float64 { return math.Sqrt(1 + s2) }},
	{"μ/(1+λ²σ²)^½", "lambda-lost", func(s2, l float64) float64 { return math.Sqrt(1 + l*l*s2) }},
	{"λμ/(λ⁻²+σ²)^½", "lambda-twice", func(s2, l float64) float64 { return width(s2, l) / l }},
	{"λμ/(1+σ²)^½", "lambda-not-with-variance", func(s2, l float64) float64 { return math.Sqrt(1+s2) / l }},
	{"λμ/(1+λσ²)^½", "lambda-not-with-variance", func(s2, l float64) float64 { return math.Sqrt(1+l*s2) / l }},
	{"no root", "no-root", func(s2, l float64) float64 { return 1/(l*l) + s2 }},
	{"1/λ + σ", "widths-added", func(s2, l float64) float64 { return 1/l + math.Sqrt(s2) }},
	{"Φ(λμ)", "no-convolution", func(_, l float64) float64 { return 1 / l }},
	{"Φ(μ/σ)", "step-for-probit", func(s2, _ float64) float64 { return math.Sqrt(s2) }},
	{"σ²/2", "half-variance", func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + s2/2) }},
	{"2σ²", "double-variance", func(s2, l float64) float64 { return math.Sqrt(1/(l*l) + 2*s2) }},
	{"difference under the root", "not-finite", func(s2, l float64) float64 { return math.Sqrt(1/(l*l) - s2) }},
}

func TestWrongConvolve(t *testing.T) {
	calls := 0.0
	type wrong struct {
		name, key string
		answer    function
	}
	list := []wrong{
		{"σ(κμ), (4.153)", "kappa-approximation", func(mu, s2, _ float64) float64 { return sigmoid(mu / math.Sqrt(1+math.Pi*s2/8)) }},
		{"σ(κμ) with λ", "kappa-approximation", func(mu, s2, l float64) float64 { return sigmoid(mu / math.Sqrt(1+l*l*s2)) }},
		{"σ at the right place", "kappa-approximation", func(mu, s2, l float64) float64 { return sigmoid(mu / width(s2, l)) }},
		{"Φ(κμ)", "kappa-approximation", func(mu, s2, _ float64) float64 { return phi(mu / math.Sqrt(1+math.Pi*s2/8)) }},
		{"1−I", "falls", func(mu, s2, l float64) float64 { return 1 - Convolve(mu, s2, l) }},
		{"½ erf", "constant-of-integration", func(mu, s2, l float64) float64 { return Convolve(mu, s2, l) - 0.5 }},
		{"½ too much", "constant-of-integration", func(mu, s2, l float64) float64 { return Convolve(mu, s2, l) + 0.5 }},
		{"another constant", "constant-of-integration", func(mu, s2, l float64) float64 { return Convolve(mu, s2, l) + 0.1 }},
		{"erf without √2", "erf-convention", func(mu, s2, l float64) float64 { return 0.5 * (1 + math.Erf(mu/width(s2, l))) }},
		{"erf for Φ", "erf-for-probit", func(mu, s2, l float64) float64 { return math.Erf(mu / width(s2, l)) }},
		{"erf(u/√2) for Φ", "erf-for-probit", func(mu, s2, l float64) float64 { return 2*Convolve(mu, s2, l) - 1 }},
		{"derivative", "derivative-for-value", DerivativeMu},
		{"standard density", "density", func(mu, s2, l float64) float64 { return density(mu / width(s2, l)) }},
		{"half", "factor", func(mu, s2, l float64) float64 { return Convolve(mu, s2, l) / 2 }},
		{"coarse quadrature", "nearly", func(mu, s2, l float64) float64 { return Convolve(mu, s2, l) + 1e-6 }},
		{"some other function", "value", func(mu, s2, l float64) float64 { return 0.5 + math.Atan(mu/width(s2, l))/math.Pi }},
		{"too slow on the left", "left-limit", func(mu, s2, l float64) float64 { return 0.5 + math.Atan(mu/width(s2, l))/math.Pi }},
		{"falls short on the right", "right-limit", func(mu, s2, l float64) float64 { return 0.9 * Convolve(mu, s2, l) }},
		{"not symmetric", "not-symmetric", func(mu, s2, l float64) float64 { return phi(mu/width(s2, l) - 0.1) }},
		{"constant zero", "right-limit", func(_, _, _ float64) float64 { return 0 }},
		{"divides by σ", "no-variance", func(mu, s2, l float64) float64 {
			sigma := math.Sqrt(s2)
			return phi(mu / sigma / math.Sqrt(1/(l*l*sigma*sigma)+1))
		}},
		{"fixed grid", "extremes", func(mu, s2, l float64) float64 {
			sum, h := 0.0, 0.05
			for z := -9.0; z <= 9; z += h {
				sum += h * phi(l*(mu+math.Sqrt(s2)*z)) * density(z)
			}
			if l*math.Sqrt(s2) < 10 {
				return sum
			}
			return sum + 1e-3
		}},
		{"wrong everywhere", "wrong-in-the-middle", func(mu, _, l float64) float64 { return phi(l*mu + 0.2) }},
		{"not its derivative", "not-its-derivative", func(mu, s2, l float64) float64 { return phi(l * mu) }},
		{"not a number", "not-finite", func(_, _, _ float64) float64 { return math.NaN() }},
		{"infinite", "not-finite", func(_, _, _ float64) float64 { return math.Inf(-1) }},
		{"infinite far out", "not-finite", func(mu, s2, l float64) float64 {
			if math.Abs(mu/width(s2, l)) > 20 {
				return math.Inf(1)
			}
			return Convolve(mu, s2, l)
		}},
		{"huge", "value", func(mu, _, _ float64) float64 { return math.Copysign(math.MaxFloat64, mu) }},
		{"samples", "not-constant", func(mu, s2, l float64) float64 { calls++; return Convolve(mu, s2, l) + 1e-3*calls }},
	}
	for _, s := range slips {
		list = append(list, wrong{s.name, s.key, func(mu, s2, l float64) float64 { return phi(mu / s.width(s2, l)) }})
	}
	for _, tc := range list {
		t.Run(tc.name, func(t *testing.T) {
			gate.Wrong(t, ex26.Exercise(), ex26.Check(tc.answer, DerivativeMu), tc.key)
		})
	}
}

func TestWrongDerivative(t *testing.T) {
	calls := 0.0
	times := func(c func(s2, l float64) float64) function {
		return func(mu, s2, l float64) float64 { return c(s2, l) * DerivativeMu(mu, s2, l) }
	}
	type wrong struct {
		name, key string
		answer    function
	}
	list := []wrong{
		{"sign", "sign", times(func(_, _ float64) float64 { return -1 })},
		{"no inner derivative", "inner-derivative", times(width)},
		{"λ in front", "inner-derivative", times(func(s2, l float64) float64 { return l * width(s2, l) })},
		{"1/σ in front", "inner-derivative", times(func(s2, l float64) float64 { return width(s2, l) / math.Sqrt(s2) })},
		{"variance in front", "variance-in-front", times(func(s2, l float64) float64 { return 1 / width(s2, l) })},
		{"σ too much", "times-sigma", times(func(s2, _ float64) float64 { return math.Sqrt(s2) })},
		{"no ½ in the exponent", "exponent-half", func(mu, s2, l float64) float64 {
			w := width(s2, l)
			return math.Exp(-mu*mu/(w*w)) / (w * math.Sqrt(2*math.Pi))
		}},
		{"no 1/√(2π)", "peak-not-normalised", times(func(_, _ float64) float64 { return math.Sqrt(2 * math.Pi) })},
		{"2", "factor", times(func(_, _ float64) float64 { return 2 })},
		{"½", "factor", times(func(_, _ float64) float64 { return 0.5 })},
		{"integral", "value-for-derivative", Convolve},
		{"with respect to σ²", "with-respect-to-variance", func(mu, s2, l float64) float64 {
			w := width(s2, l)
			return -mu / (2 * w * w * w) * density(mu/w)
		}},
		{"second derivative", "second-derivative", func(mu, s2, l float64) float64 {
			w := width(s2, l)
			return -mu / (w * w * w) * density(mu/w)
		}},
		{"of the approximation", "kappa-approximation", func(mu, s2, _ float64) float64 {
			k := 1 / math.Sqrt(1+math.Pi*s2/8)
			return k * sigmoid(k*mu) * (1 - sigmoid(k*mu))
		}},
		{"difference quotient with a wide step", "nearly", func(mu, s2, l float64) float64 {
			h := 1e-3 * width(s2, l)
			return (Convolve(mu+h, s2, l) - Convolve(mu-h, s2, l)) / (2 * h)
		}},
		{"one-sided difference", "value", func(mu, s2, l float64) float64 {
			h := 1e-2 * width(s2, l)
			return (Convolve(mu+h, s2, l) - Convolve(mu, s2, l)) / h
		}},
		{"zero", "value", func(_, _, _ float64) float64 { return 0 }},
		{"zero, compared with Convolve", "not-its-derivative", func(_, _, _ float64) float64 { return 0 }},
		{"divides by σ", "no-variance", func(mu, s2, l float64) float64 { return s2 * DerivativeMu(mu, s2, l) / s2 }},
		{"wide Gaussians", "extremes", func(mu, s2, l float64) float64 { return DerivativeMu(mu, math.Min(s2, 10), l) }},
		{"wrong everywhere", "wrong-in-the-middle", times(func(_, _ float64) float64 { return 2 })},
		{"not a number", "not-finite", times(func(_, _ float64) float64 { return math.NaN() })},
		{"infinite", "not-finite", times(func(_, _ float64) float64 { return math.Inf(1) })},
		{"changes", "not-constant", func(mu, s2, l float64) float64 { calls++; return calls }},
	}
	for _, s := range slips {
		list = append(list, wrong{s.name, s.key, func(mu, s2, l float64) float64 { return density(mu/s.width(s2, l)) / s.width(s2, l) }})
	}
	for _, tc := range list {
		t.Run(tc.name, func(t *testing.T) {
			gate.Wrong(t, ex26.Exercise(), ex26.Check(Convolve, tc.answer), tc.key)
		})
	}
}

func TestNoAnswer(t *testing.T) {
	todo := func(_, _, _ float64) float64 { panic(verify.TODO) }
	own := func(_, _, _ float64) float64 { panic("my own") }
	gate.Outcome(t, ex26.Check(todo, todo), verify.NotAttempted)
	gate.Outcome(t, ex26.Check(own, own), verify.Crashed)
	gate.Outcome(t, ex26.Check(nil, nil), verify.Crashed)
	half := ex26.Check(todo, DerivativeMu)
	if half.Passed() || half.Count(verify.Right) != 2 || half.Count(verify.NotAttempted) != 4 {
		t.Errorf("one of two functions written: want two parts Right and the rest NotAttempted:\n%s", half)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex26.Check(Convolve, DerivativeMu).String(), ex26.Check(Convolve, DerivativeMu).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	plain := func(mu, _, lambda float64) float64 { return phi(lambda * mu) }
	fmt.Println(ex26.Check(plain, DerivativeMu).Parts[2].Message)
	// Output: This is Φ(λμ), or its derivative: the probit function at the mean, as if the Gaussian had no width. σ² must flatten the curve.
}

package ex26_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex26"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongStepsIntegrand(t *testing.T) {
	calls := 0.0
	of := func(f func(u, s, l, z float64) float64) integrandFunc {
		return func(mu, s2, l, z float64) float64 { s := math.Sqrt(s2); return f(l*(mu+s*z), s, l, z) }
	}
	for _, tc := range []struct {
		name, key string
		answer    integrandFunc
	}{
		{"no λ", "integrand-no-lambda", of(func(u, s, l, z float64) float64 { return density(u) * density(z) })},
		{"times σ", "integrand-times-sigma", of(func(u, s, l, z float64) float64 { return l * s * density(u) * density(z) })},
		{"no weight", "integrand-weight-lost", of(func(u, s, l, z float64) float64 { return l * density(u) })},
		{"not differentiated", "integrand-not-differentiated", of(func(u, s, l, z float64) float64 { return phi(u) * density(z) })},
		{"Φ left", "integrand-phi-not-differentiated", of(func(u, s, l, z float64) float64 { return l * phi(u) * density(z) })},
		{"σ² for σ", "integrand-variance-for-sigma", func(mu, s2, l, z float64) float64 { return l * density(l*(mu+s2*z)) * density(z) }},
		{"λ lost inside", "integrand-lambda-lost-inside", func(mu, s2, l, z float64) float64 { return l * density(mu+math.Sqrt(s2)*z) * density(z) }},
		{"by z", "integrand-with-respect-to-z", of(func(u, s, l, z float64) float64 { return l*s*density(u)*density(z) - z*phi(u)*density(z) })},
		{"sign", "integrand-sign", of(func(u, s, l, z float64) float64 { return -l * density(u) * density(z) })},
		{"no 1/(2π)", "integrand-factor", of(func(u, s, l, z float64) float64 { return l * math.Exp(-(u*u+z*z)/2) })},
		{"no ½", "integrand-value", of(func(u, s, l, z float64) float64 { return l / (2 * math.Pi) * math.Exp(-(u*u + z*z)) })},
		{"no ½, summed", "integrand-integral", of(func(u, s, l, z float64) float64 { return l / (2 * math.Pi) * math.Exp(-(u*u + z*z)) })},
		{"coarse quotient", "integrand-nearly", func(mu, s2, l, z float64) float64 {
			f := func(mu float64) float64 { return phi(l*(mu+math.Sqrt(s2)*z)) * density(z) }
			return (f(mu+1e-3) - f(mu-1e-3)) / 2e-3
		}},
		{"zero", "integrand-value", func(_, _, _, _ float64) float64 { return 0 }},
		{"not a number", "integrand-not-finite", func(_, _, _, _ float64) float64 { return math.NaN() }},
		{"huge", "integrand-value", func(_, _, _, z float64) float64 { return math.Copysign(math.MaxFloat64, z) }},
		{"changes", "integrand-not-constant", func(_, _, _, _ float64) float64 { calls++; return calls }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			gate.Wrong(t, ex26.Exercise(), ex26.CheckSteps(tc.answer, Square, Constant), tc.key)
		})
	}
}

func TestWrongStepsSquare(t *testing.T) {
	of := func(f func(l2, s, mu, c float64) (float64, float64, float64)) squareFunc {
		return func(mu, s2, l float64) (float64, float64, float64) { return f(l*l, math.Sqrt(s2), mu, 1+l*l*s2) }
	}
	after := func(f func(c, centre, rest float64) (float64, float64, float64)) squareFunc {
		return func(mu, s2, l float64) (float64, float64, float64) { return f(Square(mu, s2, l)) }
	}
	for _, tc := range []struct {
		name, key string
		answer    squareFunc
	}{
		{"with the ½", "square-halves", after(func(c, z, r float64) (float64, float64, float64) { return c / 2, z, r / 2 })},
		{"centre's sign", "square-centre-sign", after(func(c, z, r float64) (float64, float64, float64) { return c, -z, r })},
		{"λ²μ² left", "square-nothing-taken-off", of(func(l2, s, mu, c float64) (float64, float64, float64) { return c, -l2 * mu * s / c, l2 * mu * mu })},
		{"plus", "square-added-twice", of(func(l2, s, mu, c float64) (float64, float64, float64) {
			return c, -l2 * mu * s / c, l2*mu*mu + l2*l2*mu*mu*s*s/c
		})},
		{"centre not divided", "square-centre-not-divided", after(func(c, z, r float64) (float64, float64, float64) { return c, z * c, r })},
		{"centre² off", "square-off-without-c", after(func(c, z, r float64) (float64, float64, float64) { return c, z, r + c*z*z - z*z })},
		{"centre doubled", "square-centre-doubled", after(func(c, z, r float64) (float64, float64, float64) { return c, 2 * z, r })},
		{"z² lost", "square-one-lost", func(mu, s2, l float64) (float64, float64, float64) {
			s := math.Sqrt(math.Max(s2, 1e-300))
			return l * l * s2, -mu / s, 0
		}},
		{"minus", "square-value", of(func(l2, s, mu, c float64) (float64, float64, float64) {
			return 1 - l2*s*s, -l2 * mu * s / c, l2 * mu * mu / c
		})},
		{"negative c", "square-c-not-positive", after(func(c, z, r float64) (float64, float64, float64) { return -c, z, r })},
		{"λ for λ²", "square-value", func(mu, s2, l float64) (float64, float64, float64) { return Square(mu, s2, math.Sqrt(l)) }},
		{"λ for λ², summed", "square-integral", func(mu, s2, l float64) (float64, float64, float64) { return Square(mu, s2, math.Sqrt(l)) }},
		{"everything doubled", "square-value", after(func(c, z, r float64) (float64, float64, float64) { return 2 * c, z, 2 * r })},
		{"negative", "square-sign", after(func(c, z, r float64) (float64, float64, float64) { return -c, -z, -r })},
		{"rounded", "square-nearly", after(func(c, z, r float64) (float64, float64, float64) { return c, z + 1e-6, r })},
		{"not a number", "square-not-finite", after(func(c, z, r float64) (float64, float64, float64) { return c, z, math.NaN() })},
		{"infinite", "square-not-finite", after(func(c, z, r float64) (float64, float64, float64) { return math.Inf(1), z, r })},
		{"huge", "square-value", after(func(c, z, r float64) (float64, float64, float64) { return math.MaxFloat64, z, -math.MaxFloat64 })},
	} {
		t.Run(tc.name, func(t *testing.T) {
			gate.Wrong(t, ex26.Exercise(), ex26.CheckSteps(Integrand, tc.answer, Constant), tc.key)
		})
	}
}

func TestWrongStepsConstant(t *testing.T) {
	type F = func(mu float64) float64
	for _, tc := range []struct {
		name, key string
		answer    constantFunc
	}{
		{"limit without sign", "constant-limit-sign", func(f F) float64 { return f(math.Inf(-1)) }},
		{"−F(0)", "constant-at-zero", func(f F) float64 { return -f(0) }},
		{"other limit", "constant-other-limit", func(f F) float64 { return -f(math.Inf(1)) }},
		{"1 at −∞", "constant-one-at-left", func(f F) float64 { return 1 - f(math.Inf(-1)) }},
		{"0", "constant-always-zero", func(F) float64 { return 0 }},
		{"½", "constant-always-half", func(F) float64 { return 0.5 }},
		{"not far enough", "constant-too-near", func(f F) float64 { return -f(-10) }},
		{"not far enough either", "constant-too-near", func(f F) float64 { return -f(-100) }},
		{"at another place", "constant-value", func(f F) float64 { return -f(-3) }},
		{"½ forgotten", "constant-value", func(f F) float64 { return f(0) }},
		{"not a number", "constant-not-finite", func(f F) float64 { return math.Inf(-1) - f(0) }},
		{"huge", "constant-value", func(F) float64 { return math.MaxFloat64 }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			gate.Wrong(t, ex26.Exercise(), ex26.CheckSteps(Integrand, Square, tc.answer), tc.key)
		})
	}
}

func TestNoSteps(t *testing.T) {
	type F = func(mu float64) float64
	todo := ex26.CheckSteps(func(_, _, _, _ float64) float64 { panic(verify.TODO) },
		func(_, _, _ float64) (float64, float64, float64) { panic(verify.TODO) }, func(F) float64 { panic(verify.TODO) })
	gate.Outcome(t, todo, verify.NotAttempted)
	own := ex26.CheckSteps(func(_, _, _, _ float64) float64 { panic("my own") },
		func(_, _, _ float64) (float64, float64, float64) { panic("my own") }, func(F) float64 { panic("my own") })
	gate.Outcome(t, own, verify.Crashed)
	gate.Outcome(t, ex26.CheckSteps(nil, nil, nil), verify.Crashed)
	if a, b := ex26.CheckSteps(Integrand, Square, Constant).String(), ex26.CheckSteps(Integrand, Square, Constant).String(); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

func ExampleCheckSteps() {
	inner := func(mu, sigma2, lambda, z float64) float64 { return Integrand(mu, sigma2, lambda, z) / lambda }
	fmt.Println(ex26.CheckSteps(inner, Square, Constant).Parts[0].Message)
	// Output: The inner derivative is missing: the argument λμ+λσz of Φ changes λ times as fast as μ.
}

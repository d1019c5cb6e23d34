package ex08_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex08"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongSteps(t *testing.T) {
	calls := 0.0
	scaled := func(a, b, d float64) termsFunc {
		return func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			q, l, c = Terms(x, mu, Sigma)
			return a * q, b * l, d * c
		}
	}
	for _, tc := range []struct {
		name, key string
		answer    termsFunc
	}{
		{"no ½", "terms-no-half", scaled(2, 2, 2)},
		{"one mixed product", "terms-linear-half", scaled(1, 0.5, 1)},
		{"both without ½", "terms-linear-double", scaled(1, 2, 1)},
		{"as in the bracket", "terms-linear-double-sign", scaled(1, -2, 1)},
		{"sign of the linear part", "terms-linear-sign", scaled(1, -1, 1)},
		{"squares only", "terms-linear-lost", scaled(1, 0, 1)},
		{"sign of the constant", "terms-constant-sign", scaled(1, 1, -1)},
		{"sign of the square", "terms-quadratic-sign", scaled(-1, 1, 1)},
		{"all signs", "terms-sign", scaled(-1, -1, -1)},
		{"a third", "terms-factor", scaled(1./3, 1./3, 1./3)},
		{"constant lost", "terms-value", scaled(1, 1, 0)},
		{"Σ for Σ⁻¹", "terms-covariance", func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			u, m := mat.NewVecDense(len(x), x), mat.NewVecDense(len(mu), mu)
			return -mat.Inner(u, Sigma, u) / 2, mat.Inner(u, Sigma, m), -mat.Inner(m, Sigma, m) / 2
		}},
		{"no Σ", "terms-no-covariance", func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			return -floats.Dot(x, x) / 2, floats.Dot(x, mu), -floats.Dot(mu, mu) / 2
		}},
		{"everything in the square", "terms-no-cancellation", func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			q, l, c = Terms(x, mu, Sigma)
			return q + l + c, 0, 0
		}},
		{"no ½, together", "terms-ratio", scaled(2, 2, 2)},
		{"not a number", "terms-not-finite", scaled(1, math.NaN(), 1)},
		{"huge", "terms-value", func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			return -math.MaxFloat64, math.MaxFloat64, 0
		}},
		{"scales Sigma", "mutates-inputs", func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			q, l, c = Terms(x, mu, Sigma)
			Sigma.ScaleSym(2, Sigma)
			return q, l, c
		}},
		{"subtracts in place", "mutates-inputs", func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			q, l, c = Terms(x, mu, Sigma)
			floats.Sub(x, mu)
			return q, l, c
		}},
		{"changes", "terms-not-constant", func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) { calls++; return calls, 0, 0 }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex08.Exercise(), ex08.CheckSteps(tc.answer), tc.key) })
	}
}

func TestNoSteps(t *testing.T) {
	gate.Outcome(t, ex08.CheckSteps(func(_, _ []float64, _ *mat.SymDense) (q, l, c float64) { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex08.CheckSteps(func(_, _ []float64, _ *mat.SymDense) (q, l, c float64) { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex08.CheckSteps(nil), verify.Crashed)
	if a, b := ex08.CheckSteps(Terms).String(), ex08.CheckSteps(Terms).String(); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

func ExampleCheckSteps() {
	half := func(x, mu []float64, Sigma *mat.SymDense) (quadratic, linear, constant float64) {
		quadratic, linear, constant = Terms(x, mu, Sigma)
		return quadratic, linear / 2, constant
	}
	fmt.Println(ex08.CheckSteps(half).Parts[0].Message)
	// Output: The linear part is half of what it should be: two products hold x once, xᵀΣ⁻¹μ and μᵀΣ⁻¹x, and they are equal because Σ⁻¹ is symmetric.
}

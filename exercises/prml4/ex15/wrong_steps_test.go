package ex15_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex15"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongStepsWeight(t *testing.T) {
	calls := 0.0
	of := func(f func(y float64) float64) weightFunc {
		return func(a float64) float64 { return f(logistic(a)) }
	}
	for _, tc := range []struct {
		name, key string
		answer    weightFunc
	}{
		{"y", "weight-output", of(func(y float64) float64 { return y })},
		{"y²", "weight-y-squared", of(func(y float64) float64 { return y * y })},
		{"y − 1", "weight-first-derivative", of(func(y float64) float64 { return y - 1 })},
		{"squared", "weight-squared-weight", of(func(y float64) float64 { return y * y * (1 - y) * (1 - y) })},
		{"plus", "weight-plus", of(func(y float64) float64 { return y * (1 + y) })},
		{"third derivative", "weight-third", of(func(y float64) float64 { return y * (1 - y) * (1 - 2*y) })},
		{"log likelihood", "weight-sign", of(func(y float64) float64 { return -y * (1 - y) })},
		{"half", "weight-factor", of(func(y float64) float64 { return y * (1 - y) / 2 })},
		{"a quarter", "weight-value", func(float64) float64 { return 0.25 }},
		{"rounded", "weight-nearly", of(func(y float64) float64 { return math.Round(1e6*y*(1-y)) / 1e6 })},
		{"overflows", "weight-far-not-finite", func(a float64) float64 { return math.Exp(a) / math.Pow(1+math.Exp(a), 2) }},
		{"y, far out", "weight-far-in-the-middle", of(func(y float64) float64 { return y })},
		{"constant far out", "weight-far-value", func(a float64) float64 { return Weight(math.Max(-5, math.Min(5, a))) }},
		{"not a number", "weight-not-finite", func(a float64) float64 { return math.Sqrt(a) }},
		{"changes", "weight-not-constant", func(float64) float64 { calls++; return calls }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex15.Exercise(), ex15.CheckSteps(tc.answer, Curvature), tc.key) })
	}
}

func TestWrongStepsCurvature(t *testing.T) {
	calls := 0.0
	after := func(f func(v float64, n int) float64) curvatureFunc {
		return func(u, w []float64, Phi *mat.Dense) float64 {
			n, _ := Phi.Dims()
			return f(Curvature(u, w, Phi), n)
		}
	}
	for _, tc := range []struct {
		name, key string
		answer    curvatureFunc
	}{
		{"no weights", "curvature-unweighted", terms(func(y, s float64) float64 { return s * s })},
		{"not squared", "curvature-not-squared", terms(func(y, s float64) float64 { return y * (1 - y) * s })},
		{"all squared", "curvature-weight-squared", terms(func(y, s float64) float64 { return math.Pow(y*(1-y)*s, 2) })},
		{"absolute", "curvature-absolute", terms(func(y, s float64) float64 { return y * (1 - y) * math.Abs(s) })},
		{"square of the sum", "curvature-square-of-sum", func(u, w []float64, Phi *mat.Dense) float64 {
			return math.Pow(terms(func(y, s float64) float64 { return math.Sqrt(y*(1-y)) * s })(u, w, Phi), 2)
		}},
		{"with ½", "curvature-half", after(func(v float64, _ int) float64 { return v / 2 })},
		{"averaged", "curvature-averaged", after(func(v float64, n int) float64 { return v / float64(n) })},
		{"along w", "curvature-along-w", func(_, w []float64, Phi *mat.Dense) float64 { return Curvature(w, w, Phi) }},
		{"concave", "curvature-sign", after(func(v float64, _ int) float64 { return -v })},
		{"concave, seen by its sign", "curvature-negative", after(func(v float64, _ int) float64 { return -v })},
		{"twice", "curvature-factor", after(func(v float64, _ int) float64 { return 2 * v })},
		{"y² as a weight", "curvature-value", terms(func(y, s float64) float64 { return y * y * s * s })},
		{"not flat", "curvature-not-flat", func(u, w []float64, Phi *mat.Dense) float64 { return Curvature(w, w, Phi) }},
		{"rounded", "curvature-nearly", after(func(v float64, _ int) float64 { return v * (1 + 1e-5) })},
		{"zero", "curvature-value", after(func(float64, int) float64 { return 0 })},
		{"not a number", "curvature-not-finite", after(func(float64, int) float64 { return math.NaN() })},
		{"huge", "curvature-value", after(func(float64, int) float64 { return math.MaxFloat64 })},
		{"changes u", "mutates-inputs", func(u, w []float64, Phi *mat.Dense) float64 {
			v := Curvature(u, w, Phi)
			u[0]++
			return v
		}},
		{"changes", "curvature-not-constant", after(func(v float64, _ int) float64 { calls++; return v + calls*v })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex15.Exercise(), ex15.CheckSteps(Weight, tc.answer), tc.key) })
	}
}

func TestNoSteps(t *testing.T) {
	gate.Outcome(t, ex15.CheckSteps(func(float64) float64 { panic(verify.TODO) }, func(_, _ []float64, _ *mat.Dense) float64 { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex15.CheckSteps(func(float64) float64 { panic("my own") }, func(_, _ []float64, _ *mat.Dense) float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex15.CheckSteps(nil, nil), verify.Crashed)
	if a, b := ex15.CheckSteps(Weight, Curvature).String(), ex15.CheckSteps(Weight, Curvature).String(); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

func ExampleCheckSteps() {
	plain := func(u, w []float64, Phi *mat.Dense) float64 {
		var s mat.VecDense
		s.MulVec(Phi, mat.NewVecDense(len(u), u))
		return mat.Dot(&s, &s)
	}
	fmt.Println(ex15.CheckSteps(Weight, plain).Parts[2].Message)
	// Output: The weights y(1−y) are missing: this is |Φu|², the curvature of least squares.
}

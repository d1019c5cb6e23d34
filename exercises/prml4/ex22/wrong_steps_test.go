package ex22_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex22"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongStepsExpansion(t *testing.T) {
	calls := 0.0
	of := func(f func(h, q float64) float64) expansionFunc {
		return func(h float64, A *mat.SymDense, z []float64) float64 {
			v := mat.NewVecDense(len(z), z)
			return f(h, mat.Inner(v, A, v))
		}
	}
	for _, tc := range []struct {
		name, key string
		answer    expansionFunc
	}{
		{"plus", "expansion-second-order-sign", of(func(h, q float64) float64 { return h + q/2 })},
		{"no ½", "expansion-no-half", of(func(h, q float64) float64 { return h - q })},
		{"no height", "expansion-height-lost", of(func(_, q float64) float64 { return -q / 2 })},
		{"first order", "expansion-first-order", of(func(h, _ float64) float64 { return h })},
		{"exponential", "expansion-not-logarithm", of(func(h, q float64) float64 { return math.Exp(h - q/2) })},
		{"height times bump", "expansion-height-times-bump", of(func(h, q float64) float64 { return h * math.Exp(-q/2) })},
		{"root", "expansion-linear", of(func(h, q float64) float64 { return h - math.Sqrt(q)/2 })},
		{"no A", "expansion-identity", func(h float64, _ *mat.SymDense, z []float64) float64 { return h - floats.Dot(z, z)/2 }},
		{"inverse", "expansion-inverse", func(h float64, A *mat.SymDense, z []float64) float64 {
			var v mat.VecDense
			_ = v.SolveVec(A, mat.NewVecDense(len(z), z))
			return h - floats.Dot(z, v.RawVector().Data)/2
		}},
		{"diagonal of A", "expansion-value", func(h float64, A *mat.SymDense, z []float64) float64 {
			for i, v := range z {
				h -= A.At(i, i) * v * v / 2
			}
			return h
		}},
		{"doubled", "expansion-factor", of(func(h, q float64) float64 { return 2*h - q })},
		{"not a number", "expansion-not-finite", of(func(_, q float64) float64 { return math.Log(-1 - q) })},
		{"huge", "expansion-value", of(func(_, _ float64) float64 { return -math.MaxFloat64 })},
		{"changes A", "mutates-inputs", func(h float64, A *mat.SymDense, z []float64) float64 {
			v := Expansion(h, A, z)
			A.SetSym(0, 0, 0)
			return v
		}},
		{"changes", "expansion-not-constant", of(func(_, _ float64) float64 { calls++; return calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex22.Exercise(), ex22.CheckSteps(tc.answer, LogVolume), tc.key) })
	}
}

func TestWrongStepsVolume(t *testing.T) {
	calls := 0.0
	of := func(f func(m, d float64) float64) volumeFunc {
		return func(A *mat.SymDense) float64 {
			d, _ := mat.LogDet(A)
			return f(float64(A.SymmetricDim()), d)
		}
	}
	for _, tc := range []struct {
		name, key string
		answer    volumeFunc
	}{
		{"+½ ln|A|", "volume-determinant-sign", of(func(m, d float64) float64 { return twoPi(m) + d/2 })},
		{"ln|A|", "volume-no-root", of(func(m, d float64) float64 { return twoPi(m) - d })},
		{"no 2π", "volume-two-pi-missing", of(func(_, d float64) float64 { return -d / 2 })},
		{"one 2π", "volume-two-pi-once", of(func(_, d float64) float64 { return twoPi(1) - d/2 })},
		{"M ln 2π", "volume-two-pi-whole", of(func(m, d float64) float64 { return 2*twoPi(m) - d/2 })},
		{"π", "volume-pi", of(func(m, d float64) float64 { return m/2*math.Log(math.Pi) - d/2 })},
		{"normaliser", "volume-normaliser", of(func(m, d float64) float64 { return d/2 - twoPi(m) })},
		{"volume", "volume-not-logarithm", of(func(m, d float64) float64 { return math.Exp(twoPi(m) - d/2) })},
		{"twice", "volume-factor", of(func(m, d float64) float64 { return 2*twoPi(m) - d })},
		{"whole-number M/2", "volume-value", of(func(m, d float64) float64 { return twoPi(2*math.Floor(m/2)) - d/2 })},
		{"diagonal", "volume-value", func(A *mat.SymDense) (sum float64) {
			for i := range A.SymmetricDim() {
				sum += math.Log(2*math.Pi/A.At(i, i)) / 2
			}
			return sum
		}},
		{"by the determinant", "volume-far-not-finite", func(A *mat.SymDense) float64 {
			return twoPi(float64(A.SymmetricDim())) - math.Log(mat.Det(A))/2
		}},
		{"no 2π, far out", "volume-far-in-the-middle", of(func(_, d float64) float64 { return -d / 2 })},
		{"cut off far out", "volume-far-value", of(func(m, d float64) float64 { return twoPi(m) - math.Min(d, 300)/2 })},
		{"not a number", "volume-not-finite", of(func(_, d float64) float64 { return math.NaN() })},
		{"changes A", "mutates-inputs", func(A *mat.SymDense) float64 {
			v := LogVolume(A)
			A.ScaleSym(2, A)
			return v
		}},
		{"changes", "volume-not-constant", of(func(_, _ float64) float64 { calls++; return calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex22.Exercise(), ex22.CheckSteps(Expansion, tc.answer), tc.key) })
	}
}

func TestNoSteps(t *testing.T) {
	gate.Outcome(t, ex22.CheckSteps(func(float64, *mat.SymDense, []float64) float64 { panic(verify.TODO) }, func(*mat.SymDense) float64 { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex22.CheckSteps(func(float64, *mat.SymDense, []float64) float64 { panic("my own") }, func(*mat.SymDense) float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex22.CheckSteps(nil, nil), verify.Crashed)
	if a, b := ex22.CheckSteps(Expansion, LogVolume).String(), ex22.CheckSteps(Expansion, LogVolume).String(); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

func ExampleCheckSteps() {
	plus := func(A *mat.SymDense) float64 {
		d, _ := mat.LogDet(A)
		return float64(A.SymmetricDim())/2*math.Log(2*math.Pi) + d/2
	}
	fmt.Println(ex22.CheckSteps(Expansion, plus).Parts[1].Message)
	// Output: The sign of ½ ln|A| is turned: the larger the curvature, the narrower the bump. (With the covariance A⁻¹ for the matrix it would be plus.)
}

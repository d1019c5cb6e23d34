package kernels_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/oracle"
)

// TestScalarFacts compares the functions with the 50-digit tables in scalar_facts. The tolerance is
// a few units in the last place, much less than the 1e-9 that the tables suggest.
func TestScalarFacts(t *testing.T) {
	cases, err := oracle.Load("scalar_facts")
	if err != nil {
		t.Fatal(err)
	}
	c := &cases[0]
	for _, tt := range []struct {
		key, arg string
		f        func(float64) float64
		tol      float64
	}{
		{"sigmoid", "a", kernels.Sigmoid, 5e-16},
		{"log_sigmoid", "a", kernels.LogSigmoid, 5e-16},
		{"logit", "p", kernels.Logit, 5e-16},
		{"Phi", "probit_a", kernels.NormCDF, 1e-15},
		{"log_Phi", "probit_a", kernels.LogNormCDF, 5e-16},
		{"probit_hazard", "probit_a", kernels.InverseMills, 2e-15},
	} {
		t.Run(tt.key, func(t *testing.T) {
			want, err := c.Value(tt.key)
			if err != nil {
				t.Fatal(err)
			}
			args := c.Arguments[tt.arg]
			if len(args) != len(want) || len(args) == 0 {
				t.Fatalf("the table has %d arguments and %d values, want equal numbers above 0", len(args), len(want))
			}
			for i, a := range args {
				got := tt.f(a)
				if want[i] == 0 && tt.key == "log_Phi" {
					// The table contains 0 for ln Φ(a), because 1 − 3e-89, rounded to 50 digits, is
					// 1. To first order the true value is −Φ(−a), which TestLogNormCDFRight checks.
					continue
				}
				if e := relErr(got, want[i]); !(e <= tt.tol) {
					t.Errorf("%s(%v) = %v, want %v: the relative error is %.2g", tt.key, a, got, want[i], e)
				}
			}
		})
	}
	for i, a := range c.SoftmaxInputs {
		for name, got := range map[string][]float64{
			"logsumexp": {kernels.LogSumExp(a)}, "softmax": kernels.Softmax(nil, a),
			"log_softmax": kernels.LogSoftmax(nil, a),
		} {
			want, err := c.Value(fmt.Sprintf("%s_%d", name, i))
			if err != nil {
				t.Fatal(err)
			}
			for k := range want {
				if e := relErr(got[k], want[k]); !(e <= 5e-16) {
					t.Errorf("%s of %v: entry %d is %v, want %v: the relative error is %.2g",
						name, a, k, got[k], want[k], e)
				}
			}
		}
	}
}

// TestLogNormCDFRight checks that ln Φ(a) is −Φ(−a) to first order if a is far above 0. The values
// of Φ(−20) and Φ(−37) are in the table.
func TestLogNormCDFRight(t *testing.T) {
	for _, tt := range []struct{ a, phi float64 }{
		{20, 2.7536241186062337e-89}, {37, 5.725571222524577e-300},
	} {
		if got := kernels.LogNormCDF(tt.a); !(relErr(got, -tt.phi) <= 1e-15) {
			t.Errorf("LogNormCDF(%v) = %v, want %v", tt.a, got, -tt.phi)
		}
	}
}

// relErr returns |got−want|/|want|, the relative error. If |want| is subnormal (below 2.2e-308), it
// divides by approximately the smallest normal number instead.
func relErr(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / math.Max(math.Abs(want), 2.3e-308)
}

// TestSoftmaxParts compares y and m+l with the results of other functions of this package, which
// other tests compare with 50-digit tables. It compares the complements with sums computed with 200
// bits.
func TestSoftmaxParts(t *testing.T) {
	for _, a := range [][]float64{
		{0}, {1, 1}, {0, 800}, {800, 0, -800}, {-800, -800, -800}, {40, 0, 3}, {1e-9, 0}, {-1e300, 1e300, 0},
		{1, 2, 3, 4, 5, 4.5},
	} {
		y, c := make([]float64, len(a)), make([]float64, len(a))
		m, l := kernels.SoftmaxParts(y, c, a)
		want, lse := kernels.Softmax(nil, a), kernels.LogSumExp(a)
		if !(math.Abs(m+l-lse) <= 2e-16*math.Abs(lse)) {
			t.Errorf("activations %v: m+l = %v, want %v", a, m+l, lse)
		}
		for k := range a {
			if math.Abs(y[k]-want[k]) > 4e-16*want[k] {
				t.Errorf("activations %v: y_%d = %v, want %v", a, k, y[k], want[k])
			}
			sum := new(big.Float).SetPrec(200)
			for j, v := range y {
				if j != k {
					sum.Add(sum, big.NewFloat(v))
				}
			}
			other, _ := sum.Float64()
			if !(math.Abs(c[k]-other) <= 1e-15*other) {
				t.Errorf("activations %v: 1−y_%d = %v, want %v, the sum of the other probabilities", a, k, c[k], other)
			}
		}
	}
}

// TestProbitParts compares the first two results of ProbitParts with other functions, which other
// tests compare with 50-digit tables. If a ≤ −5, it compares the third result, the curvature, with a
// continued fraction, computed with 300 bits. Otherwise it compares the curvature with a finite
// difference of the hazard.
func TestProbitParts(t *testing.T) {
	for _, a := range []float64{-1e9, -800, -100, -38, -20.5, -7, -5.001, -5, -4.999, -1, 0, 0.3, 1, 5, 9, 30, 38,
		800} {
		l, h, c := kernels.ProbitParts(a)
		if want := kernels.LogNormCDF(a); l != want {
			t.Errorf("ln Φ(%v) = %v, want %v", a, l, want)
		}
		if want := kernels.InverseMills(a); !(math.Abs(h-want) <= 1e-15*want) {
			t.Errorf("the hazard at %v is %v, want %v", a, h, want)
		}
		if !(c >= 0 && c <= 1) {
			t.Errorf("the curvature at %v is %v, want a number in [0,1]", a, c)
		}
		if a > -5 {
			const d = 1e-5
			fd := (kernels.InverseMills(a-d) - kernels.InverseMills(a+d)) / (2 * d)
			if !(math.Abs(fd-c) <= 1e-9*c+1e-10) {
				t.Errorf("the curvature at %v is %v, want %v, the difference quotient", a, c, fd)
			}
			continue
		}
		num := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
		f := num(-a)
		for k := 2000; k >= 2; k-- {
			f.Add(num(-a), new(big.Float).Quo(num(float64(k)), f))
		}
		e := new(big.Float).Quo(num(1), f)
		want, _ := new(big.Float).Mul(e, new(big.Float).Add(num(-a), e)).Float64()
		if !(math.Abs(c-want) <= 4e-16*want) {
			t.Errorf("the curvature at %v is %v, want %v", a, c, want)
		}
	}
	inf, nan := math.Inf(1), math.NaN()
	for a, want := range map[float64][3]float64{inf: {0, 0, 0}, -inf: {-inf, inf, 1}, nan: {nan, nan, nan}} {
		l, h, c := kernels.ProbitParts(a)
		if !floats.Same([]float64{l, h, c}, want[:]) {
			t.Errorf("the results at %v are %v, want %v", a, [3]float64{l, h, c}, want)
		}
	}
}

package kernels_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/oracle"
)

// TestScalarFacts compares with the tables of scalar_facts (50 digits), to a few
// units in the last place rather than the 1e-9 that the tables suggest.
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
		{"softplus", "a", kernels.Softplus, 5e-16},
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
				t.Fatalf("%d arguments for %d values", len(args), len(want))
			}
			for i, a := range args {
				got := tt.f(a)
				if want[i] == 0 && tt.key == "log_Phi" {
					// 1 − 3e-89 rounds to 1 in 50 digits, and its logarithm to 0;
					// to first order it is −Φ(−a), which TestLogNormCDFRight checks.
					continue
				}
				if e := relErr(got, want[i]); e > tt.tol {
					t.Errorf("%s(%v) = %v, want %v: relative error %.2g", tt.key, a, got, want[i], e)
				}
			}
		})
	}
	for i, a := range c.SoftmaxInputs {
		t.Run(fmt.Sprintf("softmax %v", a), func(t *testing.T) {
			key := func(name string) string { return fmt.Sprintf("%s_%d", name, i) }
			check := func(name string, got ...float64) {
				t.Helper()
				want, err := c.Value(key(name))
				if err != nil {
					t.Fatal(err)
				}
				for k := range want {
					if e := relErr(got[k], want[k]); e > 5e-16 {
						t.Errorf("%s[%d] = %v, want %v: relative error %.2g", name, k, got[k], want[k], e)
					}
				}
			}
			check("logsumexp", kernels.LogSumExp(a))
			check("softmax", kernels.Softmax(nil, a)...)
			check("log_softmax", kernels.LogSoftmax(nil, a)...)
		})
	}
}

// TestLogNormCDFRight checks ln Φ(a) = −Φ(−a) to first order far on the right,
// with Φ(−20) and Φ(−37) from the table.
func TestLogNormCDFRight(t *testing.T) {
	for _, tt := range []struct{ a, phi float64 }{
		{20, 2.7536241186062337e-89}, {37, 5.725571222524577e-300},
	} {
		if got := kernels.LogNormCDF(tt.a); relErr(got, -tt.phi) > 1e-15 {
			t.Errorf("LogNormCDF(%v) = %v, want %v", tt.a, got, -tt.phi)
		}
	}
}

// relErr is the relative error; below the normal numbers (2.2e-308) the absolute
// one in units of the smallest number's spacing there.
func relErr(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / math.Max(math.Abs(want), 2.3e-308)
}

package kernel_test

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// TestValues compares the functions with numbers that were computed with 30 digits.
func TestValues(t *testing.T) {
	for _, tc := range []struct {
		name      string
		got, want float64
	}{
		{"σ(0)", kernel.Sigmoid(0), 0.5},
		{"σ(−40)", kernel.Sigmoid(-40), 4.248354255291589e-18},
		{"σ(−800), which is too small for a float64,", kernel.Sigmoid(-800), 0},
		{"σ(800)", kernel.Sigmoid(800), 1},
		{"ln σ(−800)", kernel.LogSigmoid(-800), -800},
		{"ln σ(40)", kernel.LogSigmoid(40), -4.248354255291589e-18},
		{"cross-entropy of a point on the wrong side", kernel.CrossEntropy(800, 0), 800},
		{"log-sum-exp", kernel.LogSumExp([]float64{1000, 1000}), 1000 + math.Ln2},
		{"softmax", kernel.Softmax([]float64{1000, 1000 + math.Log(3)})[0], 0.25},
		{"N(0)", kernel.NormPDF(0), 0.3989422804014327},
		{"Φ(−30)", kernel.NormCDF(-30), 4.906713927148187e-198},
		{"Φ(1)", kernel.NormCDF(1), 0.8413447460685429},
	} {
		if math.Abs(tc.got-tc.want) > 4e-13*math.Abs(tc.want) {
			t.Errorf("%s = %.17g, want %.17g", tc.name, tc.got, tc.want)
		}
	}
}

// TestSoftmaxJacobian compares SoftmaxJacobian with PRML (4.106), y_k(I_kj − y_j). That formula
// loses relative accuracy where y_j is nearly 1, so the tolerance is absolute.
func TestSoftmaxJacobian(t *testing.T) {
	for _, a := range [][]float64{{0.7}, {1, -2, 0.5}, {3, 3}, {-1000, 1000, 998, 0}, {0, -14, -37}} {
		y, got := kernel.Softmax(a), kernel.SoftmaxJacobian(a)
		for k := range a {
			for j := range a {
				want := -y[k] * y[j]
				if k == j {
					want += y[k]
				}
				if v := got[k*len(a)+j]; !(math.Abs(v-want) < 1e-15) {
					t.Errorf("for a = %v, ∂y_%d/∂a_%d = %g, want %g", a, k, j, v, want)
				}
			}
		}
	}
}

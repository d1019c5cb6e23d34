package kernel_test

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// The values were computed with 30 digits.
func TestValues(t *testing.T) {
	for _, tc := range []struct {
		name      string
		got, want float64
	}{
		{"σ(0)", kernel.Sigmoid(0), 0.5},
		{"σ(−40)", kernel.Sigmoid(-40), 4.248354255291589e-18},
		{"σ(−800) underflows to 0", kernel.Sigmoid(-800), 0},
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

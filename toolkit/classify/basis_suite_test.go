package classify_test

import (
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestOnBasisMemory: a fit in the space of 50 basis functions takes no N×50
// numbers (here 40 MB) on top of the inputs.
func TestOnBasisMemory(t *testing.T) {
	const n = 100_000
	x, labels := clouds(n, 2, 2, 1)
	y := targets(labels)
	basis := must(classify.BasisGaussian(must(classify.CentresData(x, 50, 1))(t), 1.5))(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m := must(classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Logistic, error) {
		return classify.FitLogistic(phi, y, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}, MaxIterations: 3})
	}))(t)
	runtime.ReadMemStats(&after)
	if mb := float64(after.TotalAlloc-before.TotalAlloc) / (1 << 20); mb > 20 {
		t.Errorf("%.0f MB allocated in all", mb)
	}
	if len(m.Model.W) != 51 {
		t.Errorf("%d weights", len(m.Model.W))
	}
}

func BenchmarkFitOnBasis(b *testing.B) {
	x, labels := clouds(100_000, 2, 2, 1)
	y := targets(labels)
	basis := classify.Must(classify.BasisGaussian(classify.Must(classify.CentresData(x, 50, 1)), 1.5))
	b.ReportAllocs()
	for b.Loop() {
		classify.Must(classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Logistic, error) {
			return classify.FitLogistic(phi, y, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}})
		}))
	}
}

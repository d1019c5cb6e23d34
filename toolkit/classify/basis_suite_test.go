package classify_test

import (
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
	var m *classify.OnBasis[*classify.Logistic]
	mb := float64(allocated(t, func() (err error) {
		m, err = classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Logistic, error) {
			return classify.FitLogistic(phi, y, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}, MaxIterations: 3})
		})
		return err
	})) / (1 << 20)
	if mb > 20 {
		t.Errorf("%.0f MB allocated in all", mb)
	}
	if len(m.Model.W) != 51 {
		t.Errorf("%d weights", len(m.Model.W))
	}
}

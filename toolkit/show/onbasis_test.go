package show_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// TestOnBasisOfLess draws models on a basis where the model has no posterior or only predicts
// classes. Plots must not call methods that the model lacks.
func TestOnBasisOfLess(t *testing.T) {
	d := toolkit.Must(datasets.Rings(datasets.RingsOptions{}))
	basis := toolkit.Must(classify.BasisProducts(2))
	squares := func(phi mat.Matrix) (*classify.LeastSquares, error) {
		return classify.FitLeastSquares(phi, d.Labels, d.K(), classify.LeastSquaresOptions{})
	}
	names := func(phi mat.Matrix) (classify.Predictor, error) {
		m, err := squares(phi)
		return struct{ classify.Predictor }{m}, err
	}
	for name, m := range map[string]classify.Predictor{
		"activations": toolkit.Must(classify.FitOnBasis(d.X, basis, squares)),
		"names":       toolkit.Must(classify.FitOnBasis(d.X, basis, names)),
	} {
		if _, err := show.Regions(m, d, show.RegionsOptions{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

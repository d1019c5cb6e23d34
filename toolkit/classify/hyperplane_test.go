package classify_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestHyperplaneErrors(t *testing.T) {
	h := must(classify.NewHyperplane([]float64{1, 2, 3}))(t)
	zero := &classify.Hyperplane{W: []float64{0, 0}}
	allFail(t, []failingCall{
		{"bias alone", errorOf(classify.NewHyperplane([]float64{1})), []string{"1 entries"}},
		{"zero", errorOf(classify.NewHyperplane([]float64{1, 0, 0})), []string{"direction"}},
		{"NaN", errorOf(classify.NewHyperplane([]float64{1, math.NaN()})), []string{"w[1]", "NaN"}},
		{"far", errorOf(classify.NewHyperplane([]float64{1e300, 1e-300})), []string{"too far"}},
		{"width", errorOf(h.Distance([]float64{1})), []string{"1 entries", "2"}},
		{"rows", errorOf(h.Distances(mat.NewDense(1, 3, nil))), []string{"1×3"}},
		{"zero, distance", errorOf(zero.Distance([]float64{1, 1})), []string{"direction"}},
		{"zero, origin", errorOf(zero.OriginDistance()), []string{"direction"}},
		{"zero, predict", errorOf(zero.Predict(mat.NewDense(1, 2, nil))), []string{"direction"}},
		{"zero, foot", errorOf(zero.Foot()), []string{"direction"}},
	})
}

// PRML (4.5) and Alpaydin (10.5) print the distance between the plane and the origin with opposite
// signs. FootCoordinate has the sign of PRML: it is the position of the plane relative to the origin.
// OriginDistance has the sign of Alpaydin: it is the position of the origin relative to the plane.
func ExampleNewHyperplane() {
	h := toolkit.Must(classify.NewHyperplane([]float64{10, 3, 4}))
	fmt.Printf("%.1f %.1f\n", toolkit.Must(h.FootCoordinate()), toolkit.Must(h.OriginDistance()))
	fmt.Printf("%.2f\n", toolkit.Must(h.Project([]float64{1, 1})))
	// Output:
	// -2.0 2.0
	// [-1.04 -1.72]
}

// squaredModel is a model whose scores are not linear in x.
type squaredModel struct{ classify.Scorer }

func (m squaredModel) Scores(x mat.Matrix) (*mat.Dense, error) {
	s, err := m.Scorer.Scores(x)
	if err == nil {
		s.MulElem(s, s)
	}
	return s, err
}

func TestLinearMachineOf(t *testing.T) {
	x, labels := clouds(80, 3, 3, 3)
	ls := must(classify.FitLeastSquares(x, labels, 3, classify.LeastSquaresOptions{}))(t)
	soft := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{}))(t)
	near(t, "least squares", must(classify.LinearMachineOf(ls, 3))(t).W, ls.W, 0)
	near(t, "softmax", must(classify.LinearMachineOf(soft, 3))(t).W, soft.W, 0)
	// This model does not provide its weights, so LinearMachineOf computes them from the scores.
	near(t, "probed", must(classify.LinearMachineOf(struct{ classify.Scorer }{ls}, 3))(t).W, ls.W, 1e-14)
	// The boundary of a logistic model has the same w as the model.
	two, both := clouds(80, 3, 2, 4)
	lg := must(classify.FitLogistic(two, targets(both), classify.LogisticOptions{}))(t)
	allClose(t, "logistic boundary", must(classify.BoundaryOf(lg, 3))(t).Weights(), lg.W, 1e-13)
	m := must(classify.LinearMachineOf(ls, 3))(t)
	allFail(t, []failingCall{
		{"square", errorOf(classify.LinearMachineOf(squaredModel{ls}, 3)), []string{"not linear"}},
		{"width", errorOf(classify.LinearMachineOf(ls, 4)), []string{"1×4", "3 columns"}},
		{"no inputs", errorOf(classify.LinearMachineOf(squaredModel{ls}, 0)), []string{"d is 0"}},
		{"no fit", errorOf(classify.LinearMachineOf(new(classify.Logistic), 3)), []string{"no weights", "Fit function"}},
		{"nil", errorOf(classify.LinearMachineOf(nil, 3)), []string{"nil"}},
		{"three classes", errorOf(classify.BoundaryOf(ls, 3)), []string{"3 classes"}},
		{"one class", errorOf(classify.NewLinearMachine(mat.NewDense(2, 1, nil))), []string{"2×1"}},
		{"itself", errorOf(m.Boundary(1, 1)), []string{"same"}},
		{"class 3", errorOf(m.Boundary(1, 3)), []string{"class 3 is not one of the 3 classes"}},
		{"class −1", errorOf(m.Boundary(0, -1)), []string{"class -1 is not one of the 3 classes"}},
		{"parallel", errorOf(must(classify.NewLinearMachine(mat.NewDense(2, 2, []float64{1, 2, 3, 3})))(t).Boundary(0, 1)),
			[]string{"no hyperplane lies between"}},
	})
	errorHas(t, errorOf(new(classify.LinearMachine).Boundary(0, 1)), "NewLinearMachine")
}

package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x5Options change figure 4.5. The zero value draws the printed form.
type PRML4x5Options struct {
	N      int     `default:"50"`      // points of each class
	Spread float64 `default:"1"`       // multiplies the standard deviations
	Shift  float64 `range:"-1e6..1e6"` // distance of the middle class from the line through the other two
	Seed   uint64  // seed of the random data
}

// PRML4x5 draws the decision regions of least squares and of softmax regression for three classes
// in a row.
//
// Numbers: the numbers of the two panels (see show.Regions; a. is least squares, b. logistic), and
// recall.least squares and recall.logistic. A recall is, for each class, the share of the points
// that the model assigns to the correct class. Errors: a negative N or Spread, a Shift that is not
// finite, or data on which a fit fails.
//
// Equations: PRML (4.16), (4.17).
func PRML4x5(o PRML4x5Options) (_ *show.Figure, err error) {
	defer named("PRML 4.5", &err)
	o = filled(o)
	d := try(datasets.ThreeInARow(datasets.SceneOptions{N: o.N, Spread: o.Spread, Seed: o.Seed}))
	for i, l := range d.Labels {
		if l == 1 { // perpendicular to the line of means, which falls at 45°
			d.X.Set(i, 0, d.X.At(i, 0)+o.Shift*math.Sqrt2/2)
			d.X.Set(i, 1, d.X.At(i, 1)+o.Shift*math.Sqrt2/2)
		}
	}
	squares := try(classify.FitLeastSquares(d.X, d.Labels, d.K(), classify.LeastSquaresOptions{}))
	logistic := try(classify.FitSoftmax(d.X, d.Labels, d.K(), classify.SoftmaxOptions{}))
	var (
		panels  []*show.Figure
		recalls [][]float64
	)
	for _, m := range []show.Named{{Name: "least squares", Model: squares},
		{Name: "logistic regression", Model: logistic}} {
		share := recall(d, try(m.Model.Predict(d.X)))
		title := fmt.Sprintf("%s finds %.0f of %d of $C_2$", m.Name, share[1]*float64(o.N), o.N)
		fig := try(show.Regions(m.Model, d, show.RegionsOptions{Title: title, X: whole(d, 0), Y: whole(d, 1)}))
		panels, recalls = append(panels, fig), append(recalls, share)
	}
	fig := equalPanels(2, panels...)
	fig.AddData("recall.least squares", recalls[0])
	fig.AddData("recall.logistic", recalls[1])
	fig.Alt = fmt.Sprintf("Decision regions of least squares and of logistic regression for three classes. Of the middle class the first finds %.0f per cent, the second %.0f.", 100*recalls[0][1], 100*recalls[1][1])
	return fig, nil
}

// recall returns for each class the share of its rows that is predicted correctly.
func recall(d *datasets.Dataset, predicted []int) []float64 {
	right := make([]float64, d.K())
	for i, l := range d.Labels {
		if predicted[i] == l {
			right[l]++
		}
	}
	for k, n := range d.Counts() {
		if n > 0 {
			right[k] /= float64(n)
		}
	}
	return right
}

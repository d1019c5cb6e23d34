package show

import (
	"bytes"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestEveryPlotIsDeterministic makes each kind of figure twice: equal calls are
// equal files.
func TestEveryPlotIsDeterministic(t *testing.T) {
	d, m := petals(t), fitQDA(t, 3)
	trace := classify.Trace{{W: []float64{0, 0}, E: 2}, {W: []float64{1, 1}, E: 1}}
	roc := must(classify.ScoreROC([]float64{1, 0, 1}, []float64{2, 1, 0}))(t)
	cal := must(classify.ScoreCalibration([]float64{1, 0, 1}, []float64{0.9, 0.1, 0.4}, 5))(t)
	w := Direction{Name: "w", W: []float64{1, 2}}
	for _, c := range []struct {
		name string
		make func() (*Figure, error)
	}{
		{"Discriminants", func() (*Figure, error) { return Discriminants(m, d, DiscriminantsOptions{Grid: 30}) }},
		{"Decisions", func() (*Figure, error) { return Decisions(DecideFunc(quarters), square(), DecisionsOptions{Grid: 30}) }},
		{"Densities", func() (*Figure, error) { return Densities(m, d, DensitiesOptions{Grid: 30}) }},
		{"Marginal", func() (*Figure, error) { return Marginal(m, d, DensitiesOptions{Grid: 30}) }},
		{"Contours", func() (*Figure, error) {
			g, err := GaussianDensity("g", []float64{0, 1}, mat.NewSymDense(2, []float64{1, 0.2, 0.2, 2}))
			if err != nil {
				return nil, err
			}
			return Contours(ContoursOptions{Grid: 30, Samples: mat.NewDense(3, 2, nil)}, g)
		}},
		{"Loss", func() (*Figure, error) {
			return Loss(ObjectiveFunc(func(w []float64) float64 { return w[0]*w[0] + w[1] }), LossOptions{Grid: 30}, Path{"p", trace})
		}},
		{"Projections", func() (*Figure, error) { return Projections(d, ProjectionsOptions{}, w) }},
		{"Images", func() (*Figure, error) { return Images(d.X.Slice(0, 4, 0, 2), ImagesOptions{Width: 1}) }},
		{"ROC", func() (*Figure, error) { return ROC(ROCOptions{}, ROCCurve{"r", roc}) }},
		{"Calibration", func() (*Figure, error) { return Calibration(CalibrationOptions{}, CalibrationCurve{"c", cal}) }},
		{"Confusion", func() (*Figure, error) {
			return Confusion(&classify.Confusion{Counts: [][]int{{1, 2}, {3, 4}}}, ConfusionOptions{})
		}},
		{"Coefficients", func() (*Figure, error) {
			return Coefficients([]string{"x1"}, CoefficientsOptions{}, CoefficientSet{Name: "c", Value: []float64{1}})
		}},
		{"Traces", func() (*Figure, error) { return Traces(TracesOptions{}, Path{"p", trace}) }},
		{"Surfaces", func() (*Figure, error) {
			return Surfaces(SurfacesOptions{Data: d, Cells: 10}, PosteriorSheet("a", m, 0), PosteriorSheet("b", m, 1))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := must(c.make())(t), must(c.make())(t)
			for _, format := range Formats() {
				x := must(a.Encode(format))(t)
				y := must(b.At(Notebook).Encode(format))(t)
				if !bytes.Equal(x, y) {
					t.Errorf("%s: two figures of the same call differ", format)
				}
			}
			if a.Alt == "" {
				t.Error("nothing is said to those who cannot see the picture")
			}
			both := must(Panels(2, a, b))(t)
			if _, err := both.At(Page).PDF(); err != nil {
				t.Error(err)
			}
		})
	}
}

package show

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// TestEveryPlotIsDrawn makes each kind of figure twice, also of data at the edge of
// what can be drawn: in every format equal calls are equal files, and the figure says
// in words what it shows.
func TestEveryPlotIsDrawn(t *testing.T) {
	d, m := petals(t), fitQDA(t)
	pairs := must(classify.FitOneVersusOne(d.X, d.Labels, 3, fitTwo, classify.OneVersusOneOptions{}))(t)
	trace := classify.Trace{{W: []float64{0, 0}, E: 2}, {W: []float64{1, 1}, E: 1}}
	roc := must(classify.ScoreROC([]float64{1, 0, 1}, []float64{2, 1, 0}))(t)
	cal := must(classify.ScoreCalibration([]float64{1, 0, 1}, []float64{0.9, 0.1, 0.4}, 5))(t)
	oneRow := must(classify.ScoreCalibration([]float64{1}, []float64{0.5}, 4))(t)
	g := must(GaussianDensity("g", []float64{0, 1}, mat.NewSymDense(2, []float64{1, 0.2, 0.2, 2})))(t)
	first := PredictFunc(func([]float64) int { return 0 })
	constant := func(v float64) Curve { return Curve{"c", func(float64) float64 { return v }} }
	level := sheetOf(func(_, _ float64) float64 { return 3 })
	rows := []struct {
		name string
		make func() (*Figure, error)
	}{
		{"Regions", func() (*Figure, error) { return Regions(m, d, RegionsOptions{Grid: 30, Mistakes: true}) }},
		{"Boundaries", func() (*Figure, error) {
			return Boundaries(square(), BoundariesOptions{Grid: 30}, Named{"a", logit(0, 1, -1)}, Named{"$b$", logit(1, 1, -1)})
		}},
		{"Posterior", func() (*Figure, error) { return Posterior(logit(0, 1, -1), square(), PosteriorOptions{Grid: 30}) }},
		{"Posterior of three", func() (*Figure, error) { return Posterior(m, d, PosteriorOptions{Grid: 30}) }},
		{"Discriminants", func() (*Figure, error) { return Discriminants(m, d, DiscriminantsOptions{Grid: 30, Tint: true}) }},
		{"Discriminants of pairs", func() (*Figure, error) { return Discriminants(pairs, d, DiscriminantsOptions{Grid: 30}) }},
		{"Discriminants without a line", func() (*Figure, error) {
			return Discriminants(ScoreFunc(func([]float64) []float64 { return []float64{math.Inf(-1), 3} }), square(), DiscriminantsOptions{})
		}},
		{"Discriminants of equal points", func() (*Figure, error) {
			return Discriminants(ScoreFunc(func(x []float64) []float64 { return []float64{x[0] - 3} }), plane(2, []int{0, 1}, 3, 3, 3, 3), DiscriminantsOptions{})
		}},
		{"Decisions", func() (*Figure, error) { return Decisions(DecideFunc(quarters), square(), DecisionsOptions{Grid: 30}) }},
		{"Densities", func() (*Figure, error) { return Densities(m, d, DensitiesOptions{Grid: 30}) }},
		{"Marginal", func() (*Figure, error) { return Marginal(m, d, DensitiesOptions{Grid: 30}) }},
		{"Contours", func() (*Figure, error) {
			return Contours(ContoursOptions{Grid: 30, Samples: mat.NewDense(3, 2, nil)}, g)
		}},
		{"Loss", func() (*Figure, error) {
			return Loss(ObjectiveFunc(func(w []float64) float64 { return w[0]*w[0] + w[1] }), LossOptions{Grid: 30}, Path{"p", trace})
		}},
		{"Loss that is flat", func() (*Figure, error) {
			return Loss(ObjectiveFunc(func([]float64) float64 { return 3 }), LossOptions{Grid: 20}, Path{"p", trace[:1]})
		}},
		{"Loss with a wall", func() (*Figure, error) {
			return Loss(ObjectiveFunc(func(w []float64) float64 { return w[0]*w[0] - math.Log(max(0, 0.5-w[0])) }), LossOptions{Grid: 20}, Path{"p", trace})
		}},
		{"Loss of weights near 1e9", func() (*Figure, error) {
			x, target := mat.NewDense(4, 1, []float64{1e-9, 2e-9, 3e-9, 4e-9}), []float64{1, 0, 1, 0}
			m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
			return Loss(must(classify.LogisticObjective(x, target, nil))(t), LossOptions{Grid: 20}, Path{"Newton", m.Trace})
		}},
		{"Projections", func() (*Figure, error) {
			return Projections(d, ProjectionsOptions{}, Direction{Name: "w", W: []float64{1, 2}})
		}},
		{"Images", func() (*Figure, error) { return Images(d.X.Slice(0, 4, 0, 2), ImagesOptions{Width: 1}) }},
		{"Images of nothing", func() (*Figure, error) { return Images(mat.NewDense(3, 400, nil), ImagesOptions{}) }},
		{"ROC", func() (*Figure, error) { return ROC(ROCOptions{Thresholds: []float64{1}}, ROCCurve{"r", roc}) }},
		{"Calibration", func() (*Figure, error) { return Calibration(CalibrationOptions{}, CalibrationCurve{"c", cal}) }},
		{"Calibration of a row", func() (*Figure, error) { return Calibration(CalibrationOptions{}, CalibrationCurve{"c", oneRow}) }},
		{"Confusion", func() (*Figure, error) {
			return Confusion(&classify.Confusion{Counts: [][]int{{1, 2}, {3, 1 << 30}}}, ConfusionOptions{})
		}},
		{"Coefficients", func() (*Figure, error) {
			return Coefficients([]string{"x1"}, CoefficientsOptions{}, CoefficientSet{Name: "c", Value: []float64{1}})
		}},
		{"Trace", func() (*Figure, error) { return Trace(trace[:1], TraceOptions{Title: "one step"}) }},
		{"Traces", func() (*Figure, error) { return Traces(TracesOptions{}, Path{"p", trace}, Path{"q", trace[:1]}) }},
		{"Surfaces", func() (*Figure, error) {
			return Surfaces(SurfacesOptions{Data: d, Cells: 10}, PosteriorSheet("a", m, 0), PosteriorSheet("b", m, 1))
		}},
		{"Surfaces of heights", func() (*Figure, error) {
			return Surfaces(SurfacesOptions{Data: d, Cells: 12, Z: [2]float64{-20, 5}}, ScoreSheet("a", m, 0), ScoreSheet("b", m, 1))
		}},
		{"Surfaces of densities", func() (*Figure, error) { return Surfaces(SurfacesOptions{Data: d, Cells: 12}, DensitySheet("a", m, 0)) }},
		{"Surfaces that are one", func() (*Figure, error) { return Surfaces(SurfacesOptions{Cells: 4}, level, level) }},
		{"Surfaces with a hole", func() (*Figure, error) {
			return Surfaces(SurfacesOptions{Cells: 8, Azimuth: 200, Elevation: 60}, sheetOf(func(a, _ float64) float64 { return math.Log(max(0, a)) }))
		}},
		{"Surfaces of unequal axes", func() (*Figure, error) {
			return Surfaces(SurfacesOptions{Cells: 4, X: [2]float64{-1e9, 1e9}, Y: [2]float64{0, 1e-9}}, sheetOf(func(a, _ float64) float64 { return a * 1e9 }))
		}},
		{"Surfaces in colours", func() (*Figure, error) {
			return Surfaces(SurfacesOptions{Cells: 8}, Sheet{Name: "p", Z: func(a, _ float64) float64 { return 1 / (1 + math.Exp(-a)) }, Colors: PosteriorColor})
		}},
		{"Surfaces over a point", func() (*Figure, error) {
			return Surfaces(SurfacesOptions{Data: plane(1, []int{0}, 2, 2), Cells: 4}, sheetOf(math.Hypot))
		}},
		{"Curves", func() (*Figure, error) {
			return Curves(CurvesOptions{Guides: []float64{0}}, constant(0), constant(-1e9), constant(1e-9), Curve{"1/x", func(x float64) float64 { return 1 / x }})
		}},
	}
	for name, d := range map[string]*datasets.Dataset{
		"one class":              plane(1, []int{0, 0}, 1, 2, 3, 4),
		"one point":              plane(2, []int{1}, 1, 2),
		"equal points":           plane(2, []int{0, 1}, 5, 5, 5, 5),
		"large":                  plane(2, []int{0, 1}, -1e9, 1e9, 1e9, -1e9),
		"small":                  plane(2, []int{0, 1}, 1e-9, 2e-9, 3e-9, 1e-9),
		"unequal units":          plane(2, []int{0, 1}, -1e-9, 0, 1e-9, 3e9),
		"a class without points": plane(3, []int{0, 2}, 0, 0, 1, 1),
	} {
		rows = append(rows, []struct {
			name string
			make func() (*Figure, error)
		}{
			{"Regions of " + name, func() (*Figure, error) { return Regions(first, d, RegionsOptions{Grid: 30}) }},
			{"Projections of " + name, func() (*Figure, error) {
				return Projections(d, ProjectionsOptions{}, Direction{Name: "w", W: []float64{1e-200, 0}, Thresholds: []float64{0}}, Direction{Name: "v", W: []float64{1e200, 1e200}})
			}},
		}...)
	}
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			a, b := must(c.make())(t), must(c.make())(t)
			formats := Formats()
			if strings.Contains(c.name, " ") { // a variant: what it draws is in the SVG
				formats = []string{"svg"}
			}
			for _, format := range formats {
				x, y := must(a.Encode(format))(t), must(b.At(Notebook).Encode(format))(t)
				if len(x) == 0 || !bytes.Equal(x, y) {
					t.Errorf("%s: two figures of the same call have %d and %d bytes, which differ", format, len(x), len(y))
				}
			}
			if a.Alt == "" {
				t.Error("nothing is said to those who cannot see the picture")
			}
			must(must(Panels(2, a, b))(t).At(Page).SVG())(t)
			must(Interactive(a))(t)
		})
	}
}

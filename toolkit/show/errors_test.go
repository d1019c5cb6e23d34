package show

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// nilLogistic is the result of a fit whose error was ignored.
var nilLogistic *classify.Logistic

type failing struct{}

func (failing) Predict(mat.Matrix) ([]int, error) { return nil, errors.New("no mood") }

func (failing) Value([]float64) (float64, error) { return 0, errors.New("no value") }

type short struct{}

func (short) Predict(mat.Matrix) ([]int, error) { return []int{0}, nil }

func (short) Posterior(mat.Matrix) (*mat.Dense, error) { return nil, nil }

// always returns a PosteriorFunc with the same posteriors for every input.
func always(p ...float64) PosteriorFunc { return func([]float64) []float64 { return p } }

type noScores struct{}

func (noScores) Scores(mat.Matrix) (*mat.Dense, error) { return nil, nil }

func failed[T any](_ T, err error) error { return err }

// TestErrors calls every plot with invalid input and checks that the error says what was found
// and what to do. The parts of a message are separated by " … ".
func TestErrors(t *testing.T) {
	unit := [2]float64{0, 1}
	cut := LossOptions{X: unit, Y: unit, Grid: 10}
	one := PredictFunc(func([]float64) int { return 0 })
	even := logit(0, 1, 1)
	changing := PosteriorFunc(func(x []float64) []float64 { return []float64{0.5, 0.5, 0}[:2+int(x[0]+0.5)] })
	scores := ScoreFunc(func(x []float64) []float64 { return x[:1] })
	nanScores := ScoreFunc(func([]float64) []float64 { return []float64{math.NaN()} })
	w := Direction{Name: "w", W: []float64{1, 1}}
	flat := func(v float64) Density { return Density{Name: "f", Log: func(_, _ float64) float64 { return v }} }
	slope := ObjectiveFunc(func(w []float64) float64 { return w[0] })
	sheet := sheetOf(func(a, b float64) float64 { return a + b })
	m := fitQDA(t)
	six, split6 := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3}), []float64{0, 0, 0, 1, 1, 1}
	sixRows := must(classify.FitLogistic(six, split6, classify.LogisticOptions{}))(t)
	names := []string{"bias", "x1"}
	trace := classify.Trace{{W: []float64{1}, E: 1}}
	for _, c := range []struct {
		plot string
		err  error
		want string
	}{
		{"Regions", failed(Regions(nil, square(), RegionsOptions{})), "model is nil"},
		{"Regions", failed(Regions(nilLogistic, square(), RegionsOptions{})), "model is nil"},
		{"Regions", failed(Regions(one, nil, RegionsOptions{})), "data set is nil"},
		{"Regions", failed(Regions(one, plane(2, nil), RegionsOptions{})), "no rows"},
		{"Regions", failed(Regions(one, datasets.Iris(), RegionsOptions{})), "4 features … Columns"},
		{"Regions", failed(Regions(one, plane(9, []int{0}, 1, 1), RegionsOptions{})), "9 classes … Class("},
		{"Regions", failed(Regions(one, plane(2, []int{0, 1}, 0, 0, 1, math.NaN()), RegionsOptions{})),
			"row 1 … x2 … NaN"},
		{"Regions", failed(Regions(one, plane(1, []int{0, 4}, 0, 0, 1, 1), RegionsOptions{})), "row 1 … label 4"},
		{"Regions", failed(Regions(PredictFunc(func([]float64) int { return 7 }), square(), RegionsOptions{})),
			"class 7 … 0 to 1"},
		{"Regions", failed(Regions(one, square(), RegionsOptions{X: [2]float64{2, 1}})), "range X … 2 to 1"},
		{"Regions", failed(Regions(one, square(), RegionsOptions{Y: [2]float64{0, math.Inf(1)}})), "range Y"},
		{"Regions", failed(Regions(one, plane(2, []int{0, 1}, 1e9, 1, 1e9+1, 2), RegionsOptions{})),
			"x1 … 1e+09 to 1.000000001e+09 … Standardize"},
		{"Regions", failed(Regions(one, square(), RegionsOptions{Grid: 3})), "Grid is 3"},
		{"Regions", failed(Regions(nanScores, square(), RegionsOptions{})), "NaN … ScoreFunc"},
		{"Regions",
			failed(Regions(ScoreFunc(func([]float64) []float64 { return []float64{1, 0, 0} }), square(),
				RegionsOptions{})), "3 scores … 2 classes"},
		{"Regions", failed(Regions(failing{}, square(), RegionsOptions{})), "these two features … no mood"},
		{"Regions", failed(Regions(short{}, square(), RegionsOptions{})), "predicts 1 classes"},
		{"Posterior", failed(Posterior(nil, square(), PosteriorOptions{})), "model is nil"},
		{"Posterior", failed(Posterior(PosteriorFunc(nil), square(), PosteriorOptions{})), "model is nil"},
		{"Posterior", failed(Posterior(even, plane(1, []int{0}, 1, 2), PosteriorOptions{})), "1 class"},
		{"Posterior", failed(Posterior(even, square(), PosteriorOptions{Levels: []float64{0.5, 0.2}})),
			"Levels … rise"},
		{"Posterior", failed(Posterior(even, square(), PosteriorOptions{Levels: []float64{1}})), "Levels"},
		{"Posterior", failed(Posterior(always(0.5, 0.7), square(), PosteriorOptions{})), "sum to 1.2"},
		{"Posterior", failed(Posterior(always(-0.5, 1.5), square(), PosteriorOptions{})), "class 0 is -0.5"},
		{"Posterior", failed(Posterior(always(1.5), square(), PosteriorOptions{})), "class 1 is -0.5"},
		{"Posterior", failed(Posterior(always(math.NaN()), square(), PosteriorOptions{})), "NaN"},
		{"Posterior", failed(Posterior(always(), square(), PosteriorOptions{})), "returned nothing"},
		{"Posterior", failed(Posterior(changing, square(), PosteriorOptions{})), "3 numbers … 2 before"},
		{"Posterior", failed(Posterior(short{}, square(), PosteriorOptions{})), "no scores"},
		{"Projections", failed(Projections(square(), ProjectionsOptions{})), "no direction"},
		{"Projections", failed(Projections(square(), ProjectionsOptions{}, make([]Direction, 5)...)), "5 directions"},
		{"Projections", failed(Projections(nil, ProjectionsOptions{}, w)), "data set is nil"},
		{"Projections", failed(Projections(plane(2, nil), ProjectionsOptions{}, w)), "no rows"},
		{"Projections", failed(Projections(plane(8, []int{0}, 1, 1), ProjectionsOptions{}, w)), "8 classes"},
		{"Projections", failed(Projections(plane(2, []int{0, 1}, 1, math.NaN(), 1, 1), ProjectionsOptions{}, w)),
			"row 0 … x2 = NaN"},
		{"Projections", failed(Projections(plane(1, []int{1}, 1, 1), ProjectionsOptions{}, w)), "label 1"},
		{"Projections", failed(Projections(square(), ProjectionsOptions{}, Direction{Name: "w", W: []float64{1}})),
			"1 entries … 2 features"},
		{"Projections", failed(Projections(square(), ProjectionsOptions{}, Direction{Name: "w", W: []float64{0, 0}})),
			"zero"},
		{"Projections",
			failed(Projections(square(), ProjectionsOptions{}, Direction{Name: "w", W: []float64{0, math.Inf(1)}})),
			"finite"},
		{"Projections",
			failed(Projections(square(), ProjectionsOptions{},
				Direction{Name: "w", W: w.W, Thresholds: []float64{math.NaN()}})), "threshold"},
		{"Projections", failed(Projections(square(), ProjectionsOptions{Bins: -1}, w)), "Bins is -1"},
		{"Projections",
			failed(Projections(plane(2, []int{0, 1}, math.MaxFloat64, math.MaxFloat64, 1, 1), ProjectionsOptions{}, w)),
			"overflows"},
		{"Curves", failed(Curves(CurvesOptions{})), "no function"},
		{"Curves", failed(Curves(CurvesOptions{}, Curve{Name: "f"})), `"f" is nil`},
		{"Curves", failed(Curves(CurvesOptions{From: -1, To: 1}, Curve{"√x", math.Sqrt})), "√x is NaN at -1"},
		{"Curves", failed(Curves(CurvesOptions{}, Curve{"f", func(float64) float64 { return math.Inf(1) }})),
			"infinite everywhere"},
		{"Curves", failed(Curves(CurvesOptions{From: 3, To: 2}, Curve{"id", math.Abs})), "3 to 2"},
		{"Curves", failed(Curves(CurvesOptions{Y: [2]float64{1, 0}}, Curve{"id", math.Abs})), "range Y"},
		{"Curves", failed(Curves(CurvesOptions{Points: 1}, Curve{"id", math.Abs})), "Points is 1"},
		{"Curves", failed(Curves(CurvesOptions{}, make([]Curve, 7)...)), "7 functions"},
		{"Contours", failed(Contours(ContoursOptions{X: unit, Y: unit})), "no density"},
		{"Contours", failed(Contours(ContoursOptions{X: unit, Y: unit}, make([]Density, 7)...)), "7 densities"},
		{"Contours", failed(Contours(ContoursOptions{X: unit, Y: unit}, Density{Name: "f"})), "f: the function is nil"},
		{"Contours", failed(Contours(ContoursOptions{}, flat(0))), "option X"},
		{"Contours", failed(Contours(ContoursOptions{X: unit, Y: unit}, flat(math.NaN()))), "NaN"},
		{"Contours", failed(Contours(ContoursOptions{X: unit, Y: unit}, flat(math.Inf(-1)))),
			"f: the density is 0 … ranges"},
		{"Contours", failed(Contours(ContoursOptions{X: unit, Y: unit}, flat(math.Inf(1)))), "infinite"},
		{"Contours", failed(Contours(ContoursOptions{Samples: mat.NewDense(4, 3, nil)}, flat(0))), "4×3"},
		{"Contours", failed(Contours(ContoursOptions{Samples: mat.NewDense(1, 2, []float64{math.NaN(), 0})}, flat(0))),
			"row 0 … NaN"},
		{"Contours",
			failed(Contours(ContoursOptions{Samples: mat.NewDense(2, 2, []float64{1e9, 0, 1e9 + 1, 1})}, flat(0))),
			"nine digits"},
		{"Contours", failed(Contours(ContoursOptions{X: [2]float64{1, 0}, Y: [2]float64{0, 1}}, flat(0))), "range X"},
		{"Loss", failed(Loss(nil, cut)), "objective is nil"},
		{"Loss", failed(Loss(ObjectiveFunc(nil), cut)), "objective is nil"},
		{"Loss", failed(Loss(slope, LossOptions{})), "option X … path"},
		{"Loss", failed(Loss(slope, cut, Path{Name: "p"})), `"p" is empty`},
		{"Loss", failed(Loss(slope, cut, Path{"p", classify.Trace{{W: []float64{1}}, {W: []float64{1, 2}}}})),
			"iteration 0 … 1 weights … 2"},
		{"Loss", failed(Loss(slope, cut, Path{"p", classify.Trace{{W: []float64{1, math.NaN()}}}})),
			"iteration 0 … NaN"},
		{"Loss", failed(Loss(slope, LossOptions{X: unit, Y: unit, I: 1, J: 1})), "I and J are 1 and 1"},
		{"Loss", failed(Loss(slope, LossOptions{X: unit, Y: unit, J: 5})), "0 to 1"},
		{"Loss", failed(Loss(ObjectiveFunc(func([]float64) float64 { return math.NaN() }), cut)), "NaN"},
		{"Loss", failed(Loss(ObjectiveFunc(func([]float64) float64 { return math.Inf(1) }), cut)),
			"infinite everywhere"},
		{"Loss", failed(Loss(failing{}, cut)), "no value"},
		{"Loss", failed(Loss(slope, LossOptions{X: unit, Y: unit, Levels: []float64{2, 1}})), "Levels … rise"},
		{"Loss", failed(Loss(slope, cut, make([]Path, 7)...)), "7 paths"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{})), "no sheet"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{}, make([]Sheet, 7)...)), "7 sheets"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{}, Sheet{Name: "f"})), `"f" has neither`},
		{"Surfaces", failed(Surfaces(SurfacesOptions{}, PosteriorSheet("f", (*classify.QDA)(nil), 0))), "neither"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{}, ScoreSheet("f", nil, 0))), "neither"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{}, DensitySheet("f", nil, 0))), "neither"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{}, PosteriorSheet("f", m, 3))), "no class 3"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{}, sheetOf(func(_, _ float64) float64 { return math.NaN() }))),
			"NaN"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{}, sheetOf(func(_, _ float64) float64 { return math.Inf(1) }))),
			"infinite everywhere"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{X: [2]float64{2, 1}}, sheet)), "range X"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{Z: [2]float64{2, 1}}, sheet)), "range Z"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{Cells: 2}, sheet)), "Cells is 2"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{Elevation: 90}, sheet)), "elevation 90"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{Azimuth: math.NaN()}, sheet)), "azimuth NaN"},
		{"Surfaces", failed(Surfaces(SurfacesOptions{Data: plane(2, nil)}, sheet)), "no rows"},
		{"Images", failed(Images(nil, ImagesOptions{})), "no images"},
		{"Images", failed(Images(&mat.Dense{}, ImagesOptions{})), "0 images"},
		{"Images", failed(Images(mat.NewDense(65, 1, nil), ImagesOptions{})), "65 images"},
		{"Images", failed(Images(mat.NewDense(2, 6, nil), ImagesOptions{})), "6 pixels … Width … bias"},
		{"Images", failed(Images(mat.NewDense(2, 6, nil), ImagesOptions{Width: 4})), "Width is 4"},
		{"Images", failed(Images(mat.NewDense(2, 6, nil), ImagesOptions{Width: 3, Names: []string{"A"}})), "1 names"},
		{"Images", failed(Images(mat.NewDense(1, 1, []float64{math.NaN()}), ImagesOptions{})),
			"pixel 0 of image 0 … NaN"},
		{"Confusion", failed(Confusion(nil, ConfusionOptions{})), "empty"},
		{"Confusion", failed(Confusion(&classify.Confusion{}, ConfusionOptions{})), "empty"},
		{"Confusion", failed(Confusion(&classify.Confusion{Counts: [][]int{{1, 2}, {3}}}, ConfusionOptions{})),
			"row 1 has 1"},
		{"Confusion", failed(Confusion(&classify.Confusion{Counts: [][]int{{1, -2}, {3, 1}}}, ConfusionOptions{})),
			"is -2"},
		{"Confusion", failed(Confusion(&classify.Confusion{Counts: make([][]int, 21)}, ConfusionOptions{})),
			"21 classes"},
		{"Confusion",
			failed(Confusion(&classify.Confusion{Counts: make([][]int, 3)}, ConfusionOptions{Names: []string{"a"}})),
			"1 names for 3"},
		{"Profile", failed(Profile(nilLogistic, mat.NewDense(1, 1, nil), []float64{0}, 1, ProfileOptions{})),
			"FitLogistic"},
		{"Profile", failed(Profile(sixRows, six, split6, 2, ProfileOptions{})), "j is 2 … 1 to 1"},
		{"Profile", failed(Profile(sixRows, six, split6, 1, ProfileOptions{Points: 1})), "Points is 1"},
		{"Profile", failed(Profile(sixRows, six, split6, 1, ProfileOptions{X: [2]float64{1, 1}})), "X"},
		{"Profile", failed(Profile(sixRows, six, split6, 1, ProfileOptions{Level: 2})), "level is 2"},
		{"Profile", failed(Profile(sixRows, six, split6[:5], 1, ProfileOptions{})), "5"},
		{"Coefficients", failed(Coefficients(nil, CoefficientsOptions{}, CoefficientSet{})), "no weights"},
		{"Coefficients", failed(Coefficients(names, CoefficientsOptions{})), "no weights"},
		{"Coefficients", failed(Coefficients(make([]string, 41), CoefficientsOptions{}, make([]CoefficientSet, 1)...)),
			"41 weights"},
		{"Coefficients", failed(Coefficients(names, CoefficientsOptions{}, make([]CoefficientSet, 7)...)), "7 sets"},
		{"Coefficients",
			failed(Coefficients(names, CoefficientsOptions{}, CoefficientSet{Name: "a", Value: []float64{1}})),
			"1 values … 2 names"},
		{"Coefficients",
			failed(Coefficients(names, CoefficientsOptions{},
				CoefficientSet{Name: "a", Value: []float64{1, 2}, Hi: []float64{1}})), "1 upper ends"},
		{"Coefficients",
			failed(Coefficients(names, CoefficientsOptions{},
				CoefficientSet{Name: "a", Value: []float64{1, math.NaN()}})), `x1 of "a" is NaN`},
		{"Coefficients",
			failed(Coefficients(names, CoefficientsOptions{},
				CoefficientSet{Name: "a", Value: []float64{1, 2}, Lo: []float64{1, 3}})), "outside of its interval"},
		{"Coefficients",
			failed(Coefficients(names, CoefficientsOptions{X: [2]float64{1, 1}},
				CoefficientSet{Name: "a", Value: []float64{1, 2}})), "range X"},
		{"Trace", failed(Trace(nil, TraceOptions{})), "empty … Trace field"},
		{"Trace", failed(Trace(classify.Trace{{E: 1}, {E: math.Inf(1)}}, TraceOptions{})), "iteration 1 … +Inf"},
		{"Decisions", failed(Decisions(nil, square(), DecisionsOptions{})), "model is nil"},
		{"Decisions", failed(Decisions(DecideFunc(func([]float64) int { return -7 }), square(), DecisionsOptions{})),
			"returned -7 … classify.Ambiguous"},
		{"Decisions", failed(Decisions(DecideFunc(func([]float64) int { return 2 }), square(), DecisionsOptions{})),
			"returned 2 … 0 to 1"},
		{"DecideFunc", failed(DecideFunc(nil).Decide(mat.NewDense(1, 2, nil))), "nil"},
		{"Decisions", failed(Decisions(DecideFunc(quarters), plane(2, []int{0}, math.Inf(1), 0), DecisionsOptions{})),
			"+Inf"},
		{"Densities", failed(Densities(nil, square(), DensitiesOptions{})), "nil"},
		{"Marginal", failed(Marginal((*classify.QDA)(nil), square(), DensitiesOptions{})), "nil"},
		{"Densities", failed(Densities(noDensity(math.NaN()), square(), DensitiesOptions{})), "NaN"},
		{"Densities", failed(Densities(noDensity(math.Inf(1)), square(), DensitiesOptions{})), "infinite"},
		{"Densities", failed(Densities(noDensity(math.Inf(-1)), square(), DensitiesOptions{})),
			"density is 0 … ranges"},
		{"Marginal", failed(Marginal(noDensity(math.Inf(-1)), square(), DensitiesOptions{})), "density is 0"},
		{"Marginal", failed(Marginal(noDensity(math.NaN()), square(), DensitiesOptions{})), "NaN"},
		{"Densities", failed(Densities(noDensity(0), corners3(), DensitiesOptions{})), "3 classes"},
		{"Densities", failed(Densities(m, petals(t), DensitiesOptions{Levels: []float64{2}})), "Levels"},
		{"GaussianDensity", failed(GaussianDensity("g", []float64{1}, mat.NewSymDense(2, nil))), "mean of 2"},
		{"GaussianDensity", failed(GaussianDensity("g", []float64{1, 2}, mat.NewSymDense(2, []float64{1, 2, 2, 1}))),
			"positive definite"},
		{"GaussianDensity", failed(GaussianDensity("g", []float64{1, 2}, (*mat.SymDense)(nil))), "covariance"},
		{"Discriminants", failed(Discriminants(noScores{}, square(), DiscriminantsOptions{})), "no scores"},
		{"Discriminants", failed(Discriminants(nilLogistic, square(), DiscriminantsOptions{})), "model is nil"},
		{"Discriminants", failed(Discriminants(scores, plane(2, nil), DiscriminantsOptions{})), "no rows"},
		{"Discriminants", failed(Discriminants(scores, plane(8, []int{0}, 1, 1), DiscriminantsOptions{})), "8 classes"},
		{"Discriminants", failed(Discriminants(scores, corners3(), DiscriminantsOptions{})), "2 scores … 3 classes"},
		{"Discriminants",
			failed(Discriminants(scores, plane(2, []int{0, 1}, 1, math.NaN(), 2, 2), DiscriminantsOptions{})),
			"row 0 … NaN"},
		{"Discriminants", failed(Discriminants(nanScores, square(), DiscriminantsOptions{})), "NaN"},
		{"Boundaries", failed(Boundaries(square(), BoundariesOptions{})), "no model"},
		{"Boundaries", failed(Boundaries(square(), BoundariesOptions{}, Named{"bad", failing{}})), "bad … no mood"},
		{"Boundaries", failed(Boundaries(square(), BoundariesOptions{}, make([]Named, 7)...)), "7 models"},
		{"ROC", failed(ROC(ROCOptions{})), "no curve"},
		{"ROC", failed(ROC(ROCOptions{}, make([]ROCCurve, 7)...)), "7 curves"},
		{"ROC", failed(ROC(ROCOptions{}, ROCCurve{"m", nil})), `"m" is nil … ScoreROC`},
		{"ROC", failed(ROC(ROCOptions{}, ROCCurve{"m", &classify.ROC{}})), "0, 0 and 0"},
		{"ROC", failed(ROC(ROCOptions{},
			ROCCurve{"m",
				&classify.ROC{FalsePositive: []float64{math.NaN()}, TruePositive: []float64{0},
					Threshold: []float64{0}}})), "point 0 … NaN"},
		{"Calibration", failed(Calibration(CalibrationOptions{})), "no curve"},
		{"Calibration", failed(Calibration(CalibrationOptions{}, make([]CalibrationCurve, 7)...)), "7 curves"},
		{"Calibration", failed(Calibration(CalibrationOptions{}, CalibrationCurve{"m", nil})), `"m" is nil`},
		{"Calibration", failed(Calibration(CalibrationOptions{}, CalibrationCurve{"m", &classify.Calibration{}})),
			"no bin"},
		{"Calibration",
			failed(Calibration(CalibrationOptions{},
				CalibrationCurve{"m", &classify.Calibration{Bins: []classify.CalibrationBin{{N: 1, Predicted: 2}}}})),
			"[0,1]"},
		{"Traces", failed(Traces(TracesOptions{})), "no trace"},
		{"Traces", failed(Traces(TracesOptions{}, make([]Path, 7)...)), "7 traces"},
		{"Traces", failed(Traces(TracesOptions{}, Path{Name: "p"})), `"p" is empty`},
		{"Traces", failed(Traces(TracesOptions{Quantities: []Quantity{9}}, Path{"p", trace})), "holds 9 … WeightNorm"},
		{"Traces", failed(Traces(TracesOptions{}, Path{"p", classify.Trace{{E: 1}, {E: math.NaN()}}})),
			`iteration 1 of "p" … NaN`},
		{"Trace", failed(Trace(classify.Trace{{W: []float64{math.Inf(1)}}},
			TraceOptions{Quantities: []Quantity{QuantityWeightNorm}})), "norm = +Inf"},
		{"Trace", failed(Trace(trace, TraceOptions{Quantities: []Quantity{-1}})), "holds -1"},
	} {
		t.Run(c.plot, func(t *testing.T) {
			wantError(t, c.err, append(strings.Split(c.want, " … "), "show: "+c.plot)...)
		})
	}
}

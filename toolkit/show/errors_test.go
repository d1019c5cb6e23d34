package show

import (
	"cmp"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// nilLogistic is the nil model that a failed fit returns.
var nilLogistic *classify.Logistic

type failing struct{}

func (failing) Predict(mat.Matrix) ([]int, error) { return nil, errors.New("no mood") }

func (failing) Value([]float64) (float64, error) { return 0, errors.New("no value") }

type short struct{}

func (short) Predict(mat.Matrix) ([]int, error) { return []int{0}, nil }

func (short) Posterior(mat.Matrix) (*mat.Dense, error) { return nil, nil }

// constantPosterior returns a PosteriorFunc whose posteriors are the same for every input.
func constantPosterior(p ...float64) PosteriorFunc { return func([]float64) []float64 { return p } }

type noScores struct{}

func (noScores) Scores(mat.Matrix) (*mat.Dense, error) { return nil, nil }

func failed[T any](_ T, err error) error { return err }

// TestEveryPlotChecksItsArguments calls each plot several times, each time with a different invalid
// argument or option. The error must state the invalid value. The parts of an expected message are
// separated by " … ".
func TestEveryPlotChecksItsArguments(t *testing.T) {
	d := petals(t)
	ab := classify.Trace{{W: []float64{0, 0}, E: 2}, {W: []float64{1, 1}, E: 1}}
	slope := ObjectiveFunc(func(w []float64) float64 { return w[0] })
	x, target := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3}), []float64{0, 0, 1, 0, 1, 1}
	valid := []any{d, fitQDA(t), DecideFunc(quarterMachine), slope, x, target, 1, []string{"bias", "x1"}, ab,
		must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t),
		&classify.Confusion{Counts: [][]int{{1, 2}, {3, 4}}}, Named{"m", fitQDA(t)}, Path{"p", ab},
		must(GaussianDensity("g", make([]float64, 2), mat.NewSymDense(2, []float64{1, 0, 0, 1})))(t),
		Direction{Name: "w", W: []float64{1, 1}}, Curve{"f", math.Sin}, sheetOf(math.Hypot),
		CoefficientSet{Name: "c", Value: []float64{1, 2}}, ROCCurve{"r", must(classify.ScoreROC(target, target))(t)},
		CalibrationCurve{"c", must(classify.ScoreCalibration(target, target, 5))(t)}}
	integers := map[string]int64{"Grid": 7, "Points": 1, "Cells": 2, "Bins": -1}
	empty := map[string]string{"Loss": "objective is nil", "Images": "no images", "Confusion": "empty",
		"Profile": "FitLogistic", "Coefficients": "no weights", "Trace": "empty … Trace field"}
	for name, plot := range map[string]any{"Regions": Regions, "Boundaries": Boundaries, "Posterior": Posterior,
		"Densities": Densities, "Marginal": Marginal, "Discriminants": Discriminants, "Decisions": Decisions,
		"Contours": Contours, "Loss": Loss, "Curves": Curves, "Projections": Projections, "Images": Images, "ROC": ROC,
		"Calibration": Calibration, "Confusion": Confusion, "Coefficients": Coefficients, "Profile": Profile,
		"Trace": Trace, "Traces": Traces, "Surfaces": Surfaces} {
		f := reflect.ValueOf(plot)
		last := f.Type().NumIn() - 1
		var args []reflect.Value
		for i := range last + 1 {
			in := f.Type().In(i)
			if f.Type().IsVariadic() && i == last {
				in = in.Elem()
			}
			v := reflect.Zero(in)
			if n := slices.IndexFunc(valid, func(v any) bool { return reflect.TypeOf(v).AssignableTo(in) }); n >= 0 {
				v = reflect.ValueOf(valid[n])
			}
			if f.Type().IsVariadic() && i == last {
				v = reflect.Append(reflect.Zero(f.Type().In(i)), v)
			}
			args = append(args, v)
		}
		call := func(i int, v reflect.Value) error {
			spoiled := slices.Clone(args)
			spoiled[i] = v
			run := f.Call
			if f.Type().IsVariadic() {
				run = f.CallSlice
			}
			err, _ := run(spoiled)[1].Interface().(error)
			return err
		}
		spoil := func(want string, i int, v reflect.Value) {
			t.Run(name+" "+want, func(t *testing.T) {
				wantError(t, call(i, v), append(strings.Split(want, " … "), "show: "+name)...)
			})
		}
		if err := call(0, args[0]); err != nil {
			t.Fatalf("%s returns the error %v for valid arguments", name, err)
		}
		for i := range args {
			switch in := f.Type().In(i); {
			case in == reflect.TypeFor[*datasets.Dataset]():
				for want, d := range map[string]*datasets.Dataset{"data set is nil": nil, "no rows": plane(2, nil),
					"row 1 … x2 … NaN":   plane(2, []int{0, 1}, 0, 0, 1, math.NaN()),
					"row 1 … label 1":    plane(1, []int{0, 1}, 0, 0, 1, 1),
					"8 classes … Class(": plane(MaxClasses+1, []int{0}, 1, 1)} {
					spoil(want, i, reflect.ValueOf(d))
				}
			case in.Kind() == reflect.Struct:
				for _, field := range reflect.VisibleFields(in) {
					set := func(want string, v any) {
						o := reflect.New(in).Elem()
						o.FieldByIndex(field.Index).Set(reflect.ValueOf(v))
						spoil(want, i, o)
					}
					n, counts := integers[field.Name]
					switch {
					case field.Type == reflect.TypeFor[[2]float64]():
						set("range "+field.Name+" … 2 to 1", [2]float64{2, 1})
						set("range "+field.Name+" … Inf", [2]float64{0, math.Inf(1)})
					case counts:
						set(field.Name+" is", int(n))
					case field.Name == "Levels":
						set("Levels … ascending", []float64{0.5, 0.2})
					case field.Name == "Quantities":
						set("holds 9 … WeightNorm", []Quantity{9})
						set("holds -1", []Quantity{-1})
					}
				}
			case f.Type().IsVariadic() && i == last:
				if name != "Loss" { // Loss can be called without a path
					spoil(cmp.Or(empty[name], "no … is given"), i, reflect.Zero(in))
				}
				spoil("7 ", i, reflect.MakeSlice(in, 7, 7))
			case i == 0:
				spoil(cmp.Or(empty[name], "model is nil"), i, reflect.Zero(in))
			}
		}
	}
}

// firstOption returns the options that a call passes, or the zero options if it passes none.
func firstOption[O any](o []O) (out O) {
	if len(o) > 0 {
		out = o[0]
	}
	return out
}

// TestErrors calls plots with invalid input that TestEveryPlotChecksItsArguments does not try.
func TestErrors(t *testing.T) {
	type points = *datasets.Dataset
	regions := func(m classify.Predictor, d points, o ...RegionsOptions) error {
		return failed(Regions(m, d, firstOption(o)))
	}
	posterior := func(m PosteriorFunc, o ...PosteriorOptions) error {
		return failed(Posterior(m, square(), firstOption(o)))
	}
	projections := func(d points, w ...Direction) error { return failed(Projections(d, ProjectionsOptions{}, w...)) }
	curves := func(f func(float64) float64, o ...CurvesOptions) error {
		return failed(Curves(firstOption(o), Curve{"√x", f}))
	}
	unit := [2]float64{0, 1}
	contours := func(f Density, o ...ContoursOptions) error { return failed(Contours(firstOption(o), f)) }
	samples := func(rows, cols int, v ...float64) error {
		return contours(Density{Name: "f"}, ContoursOptions{Samples: mat.NewDense(rows, cols, v)})
	}
	loss := func(e Objective, o LossOptions, w ...[]float64) error {
		if len(w) == 0 {
			return failed(Loss(e, o))
		}
		p := Path{Name: "p"}
		for _, w := range w[1:] {
			p.Trace = append(p.Trace, classify.Step{W: w})
		}
		return failed(Loss(e, o, p))
	}
	surfaces := func(s Sheet, o ...SurfacesOptions) error { return failed(Surfaces(firstOption(o), s)) }
	images := func(rows, cols int, o ...ImagesOptions) error {
		return failed(Images(mat.NewDense(rows, cols, nil), firstOption(o)))
	}
	confusion := func(counts [][]int, names ...string) error {
		return failed(Confusion(&classify.Confusion{Counts: counts}, ConfusionOptions{Names: names}))
	}
	six, split6 := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3}), []float64{0, 0, 0, 1, 1, 1}
	sixRows := must(classify.FitLogistic(six, split6, classify.LogisticOptions{}))(t)
	profile := func(t []float64, j int, o ...ProfileOptions) error {
		return failed(Profile(sixRows, six, t, j, firstOption(o)))
	}
	coefficients := func(value []float64, lo, hi []float64) error {
		return failed(Coefficients([]string{"bias", "x1"}, CoefficientsOptions{}, CoefficientSet{"a", value, lo, hi}))
	}
	decisions := func(answer int) error {
		return failed(Decisions(DecideFunc(func([]float64) int { return answer }), square(), DecisionsOptions{}))
	}
	densities := func(v noDensity) error { return failed(Densities(v, square(), DensitiesOptions{})) }
	marginal := func(v noDensity) error { return failed(Marginal(v, square(), DensitiesOptions{})) }
	gaussian := func(cov mat.Symmetric, mean ...float64) error { return failed(GaussianDensity("g", mean, cov)) }
	discriminants := func(m classify.Scorer, d points) error {
		return failed(Discriminants(m, d, DiscriminantsOptions{}))
	}
	boundaries := func(m classify.Predictor) error {
		return failed(Boundaries(square(), BoundariesOptions{}, Named{"bad", m}))
	}
	roc := func(r *classify.ROC) error { return failed(ROC(ROCOptions{}, ROCCurve{"m", r})) }
	calibration := func(c *classify.Calibration) error {
		return failed(Calibration(CalibrationOptions{}, CalibrationCurve{"m", c}))
	}
	traces := func(steps ...classify.Step) error { return failed(Traces(TracesOptions{}, Path{"p", steps})) }
	trace := func(step classify.Step) error {
		return failed(Trace(classify.Trace{{E: 1}, step}, TraceOptions{Quantities: []Quantity{QuantityWeightNorm}}))
	}
	nan, inf := math.NaN(), math.Inf(1)
	line := func(v float64) func(float64) float64 { return func(float64) float64 { return v } }
	flat := func(v float64) func(_, _ float64) float64 { return func(_, _ float64) float64 { return v } }
	density := func(v float64) Density { return Density{Name: "f", Log: flat(v)} }
	drawn, cut := ContoursOptions{X: unit, Y: unit}, LossOptions{X: unit, Y: unit, Grid: 10}
	value := func(v float64) Objective { return ObjectiveFunc(func([]float64) float64 { return v }) }
	scores := func(v ...float64) ScoreFunc { return func([]float64) []float64 { return v } }
	class := func(k int) PredictFunc { return func([]float64) int { return k } }
	changing := func(x []float64) []float64 { return []float64{0.5, 0.5, 0}[:2+int(x[0]+0.5)] }
	for plot, errs := range map[string]map[string]error{
		"Regions": {
			"model is nil":         regions(nilLogistic, square()),
			"4 features … Columns": regions(class(0), datasets.Iris()),
			"class 7 … 0 to 1":     regions(class(7), square()),
			"x1 … 1e+09 to 1.000000001e+09 … Standardize": regions(class(0), plane(2, []int{0, 1}, 1e9, 1, 1e9+1, 2)),
			"NaN … ScoreFunc":              regions(scores(nan), square()),
			"3 scores … 2 classes":         regions(scores(1, 0, 0), square()),
			"these two features … no mood": regions(failing{}, square()),
			"predicts 1 classes":           regions(short{}, square()),
		},
		"Posterior": {
			"model is nil": posterior(nil),
			"1 class": failed(Posterior(constantPosterior(1), plane(1, []int{0}, 1, 2),
				PosteriorOptions{})),
			"Levels":               posterior(constantPosterior(0.5), PosteriorOptions{Levels: []float64{1}}),
			"sum to 1.2":           posterior(constantPosterior(0.5, 0.7)),
			"class 0 is -0.5":      posterior(constantPosterior(-0.5, 1.5)),
			"class 1 is -0.5":      posterior(constantPosterior(1.5)),
			"NaN":                  posterior(constantPosterior(nan)),
			"returned nothing":     posterior(constantPosterior()),
			"3 numbers … 2 before": posterior(changing),
			"no scores":            failed(Posterior(short{}, square(), PosteriorOptions{})),
		},
		"Projections": {
			"5 directions":           projections(square(), make([]Direction, 5)...),
			"1 entries … 2 features": projections(square(), Direction{W: []float64{1}}),
			"zero":                   projections(square(), Direction{W: []float64{0, 0}}),
			"finite":                 projections(square(), Direction{W: []float64{0, inf}}),
			"threshold":              projections(square(), Direction{W: []float64{1, 1}, Thresholds: []float64{nan}}),
			"overflows": projections(plane(2, []int{0, 1}, math.MaxFloat64, math.MaxFloat64, 1, 1),
				Direction{W: []float64{1, 1}}),
		},
		"Curves": {
			`"√x" is nil`:         curves(nil),
			"√x is NaN at -1":     curves(math.Sqrt, CurvesOptions{From: -1, To: 1}),
			"infinite everywhere": curves(line(inf)),
			"3 to 2":              curves(math.Abs, CurvesOptions{From: 3, To: 2}),
		},
		"Contours": {
			"f: the function is nil":       contours(Density{Name: "f"}, drawn),
			"option X":                     contours(density(0)),
			"NaN":                          contours(density(nan), drawn),
			"f: the density is 0 … ranges": contours(density(-inf), drawn),
			"infinite":                     contours(density(inf), drawn),
			"4×3":                          samples(4, 3, make([]float64, 12)...),
			"row 0 … NaN":                  samples(1, 2, nan, 0),
			"nine digits":                  samples(2, 2, 1e9, 0, 1e9+1, 1),
		},
		"Loss": {
			"objective is nil":            loss(ObjectiveFunc(nil), cut),
			"option X … path":             loss(value(1), LossOptions{}),
			`"p" is empty`:                loss(value(1), cut, nil),
			"iteration 0 … 1 weights … 2": loss(value(1), cut, nil, []float64{1}, []float64{1, 2}),
			"iteration 0 … NaN":           loss(value(1), cut, nil, []float64{1, nan}),
			"I and J are 1 and 1":         loss(value(1), LossOptions{X: unit, Y: unit, I: 1, J: 1}),
			"0 to 1":                      loss(value(1), LossOptions{X: unit, Y: unit, J: 5}),
			"weights 0 and 1 … NaN":       loss(value(nan), cut),
			"infinite everywhere":         loss(value(inf), cut),
			"no value":                    loss(failing{}, cut),
		},
		"Surfaces": {
			`"f" has neither`:     surfaces(Sheet{Name: "f"}),
			`"p" has neither`:     surfaces(PosteriorSheet("p", (*classify.QDA)(nil), 0)),
			`"s" has neither`:     surfaces(ScoreSheet("s", nil, 0)),
			`"d" has neither`:     surfaces(DensitySheet("d", nil, 0)),
			"no class 3":          surfaces(PosteriorSheet("f", fitQDA(t), 3)),
			"NaN":                 surfaces(sheetOf(flat(nan))),
			"infinite everywhere": surfaces(sheetOf(flat(inf))),
			"elevation 90":        surfaces(sheetOf(flat(0)), SurfacesOptions{Elevation: 90}),
			"azimuth NaN":         surfaces(sheetOf(flat(0)), SurfacesOptions{Azimuth: nan}),
			"no rows":             surfaces(sheetOf(flat(0)), SurfacesOptions{Data: plane(2, nil)}),
		},
		"Images": {
			"0 images":                 failed(Images(&mat.Dense{}, ImagesOptions{})),
			"65 images":                images(65, 1),
			"6 pixels … Width … bias":  images(2, 6),
			"Width is 4":               images(2, 6, ImagesOptions{Width: 4}),
			"1 names":                  images(2, 6, ImagesOptions{Width: 3, Names: []string{"A"}}),
			"pixel 0 of image 0 … NaN": failed(Images(mat.NewDense(1, 1, []float64{nan}), ImagesOptions{})),
		},
		"Confusion": {
			"empty":         confusion(nil),
			"row 1 has 1":   confusion([][]int{{1, 2}, {3}}),
			"is -2":         confusion([][]int{{1, -2}, {3, 1}}),
			"21 classes":    confusion(make([][]int, 21)),
			"1 names for 3": confusion(make([][]int, 3), "a"),
		},
		"Profile": {
			"j is 2 … 1 to 1": profile(split6, 2),
			"level is 2":      profile(split6, 1, ProfileOptions{Level: 2}),
			"5":               profile(split6[:5], 1),
		},
		"Coefficients": {
			"41 weights":              failed(Coefficients(make([]string, 41), CoefficientsOptions{}, CoefficientSet{})),
			"1 values … 2 names":      coefficients([]float64{1}, nil, nil),
			"1 upper ends":            coefficients([]float64{1, 2}, nil, []float64{1}),
			`x1 of "a" is NaN`:        coefficients([]float64{1, nan}, nil, nil),
			"outside of its interval": coefficients([]float64{1, 2}, []float64{1, 3}, nil),
		},
		"Decisions": {
			"returned -7 … classify.Ambiguous": decisions(-7),
			"returned 2 … 0 to 1":              decisions(2),
		},
		"DecideFunc": {"nil": failed(DecideFunc(nil).Decide(mat.NewDense(1, 2, nil)))},
		"Densities": {
			"NaN":                   densities(noDensity(nan)),
			"infinite":              densities(noDensity(inf)),
			"density is 0 … ranges": densities(noDensity(-inf)),
			"3 classes":             failed(Densities(noDensity(0), corners3(), DensitiesOptions{})),
		},
		"Marginal": {"density is 0": marginal(noDensity(-inf)), "NaN": marginal(noDensity(nan))},
		"GaussianDensity": {
			"mean of 2":         gaussian(mat.NewSymDense(2, nil), 1),
			"positive definite": gaussian(mat.NewSymDense(2, []float64{1, 2, 2, 1}), 1, 2),
			"covariance":        gaussian((*mat.SymDense)(nil), 1, 2),
		},
		"Discriminants": {
			"no scores":            discriminants(noScores{}, square()),
			"2 scores … 3 classes": discriminants(scores(1, 0), corners3()),
			"NaN":                  discriminants(scores(nan), square()),
		},
		"Boundaries": {"bad … no mood": boundaries(failing{})},
		"ROC": {
			`"m" is nil … ScoreROC`: roc(nil),
			"0, 0 and 0":            roc(&classify.ROC{}),
			"point 0 … NaN": roc(&classify.ROC{FalsePositive: []float64{nan}, TruePositive: []float64{0},
				Threshold: []float64{0}}),
		},
		"Calibration": {
			`"m" is nil`: calibration(nil),
			"no bin":     calibration(&classify.Calibration{}),
			"[0,1]":      calibration(&classify.Calibration{Bins: []classify.CalibrationBin{{N: 1, Predicted: 2}}}),
		},
		"Traces": {
			`"p" is empty`:             traces(),
			`iteration 1 of "p" … NaN`: traces(classify.Step{E: 1}, classify.Step{E: nan}),
		},
		"Trace": {
			"iteration 1 … +Inf": trace(classify.Step{E: inf}),
			"norm = +Inf":        trace(classify.Step{W: []float64{inf}}),
		},
	} {
		for want, err := range errs {
			t.Run(plot+" "+want, func(t *testing.T) {
				wantError(t, err, append(strings.Split(want, " … "), "show: "+plot)...)
			})
		}
	}
}

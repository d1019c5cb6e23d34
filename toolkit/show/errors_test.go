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

var plots = map[string]any{"Regions": Regions, "Boundaries": Boundaries, "Posterior": Posterior,
	"Densities": Densities, "Marginal": Marginal, "Discriminants": Discriminants, "Decisions": Decisions,
	"Contours": Contours, "Loss": Loss, "Curves": Curves, "Projections": Projections, "Images": Images, "ROC": ROC,
	"Calibration": Calibration, "Confusion": Confusion, "Coefficients": Coefficients, "Profile": Profile,
	"Trace": Trace, "Traces": Traces, "Surfaces": Surfaces}

// args are arguments of a plot.
type args []any

// validArguments returns a valid value for every type of argument, except for options, whose zero
// value is valid.
func validArguments(t *testing.T) args {
	ab := classify.Trace{{W: []float64{0, 0}, E: 2}, {W: []float64{1, 1}, E: 1}}
	x, target := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3}), []float64{0, 0, 1, 0, 1, 1}
	return args{petals(t), fitQDA(t), DecideFunc(quarterMachine),
		ObjectiveFunc(func(w []float64) float64 { return w[0] }), x, target, 1, []string{"bias", "x1"}, ab,
		must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t),
		&classify.Confusion{Counts: [][]int{{1, 2}, {3, 4}}}, Named{"m", fitQDA(t)}, Path{"p", ab},
		must(GaussianDensity("g", make([]float64, 2), mat.NewSymDense(2, []float64{1, 0, 0, 1})))(t),
		Direction{Name: "w", W: []float64{1, 1}}, Curve{"f", math.Sin}, sheetOf(math.Hypot),
		CoefficientSet{"c", []float64{1, 2}, []float64{0, 1}, []float64{3, 3}},
		ROCCurve{"r", must(classify.ScoreROC(target, target))(t)},
		CalibrationCurve{"c", must(classify.ScoreCalibration(target, target, 5))(t)}}
}

// call calls a plot with valid arguments. Each value in the argument `with` replaces the valid
// argument of the same type.
func (valid args) call(name string, with ...any) (*Figure, error) {
	f := reflect.ValueOf(plots[name])
	var in []reflect.Value
	for i := range f.Type().NumIn() {
		typ := f.Type().In(i)
		find := func(from args, typ reflect.Type) (out []reflect.Value) {
			for _, v := range from {
				at, ok := v.(reflect.Value)
				if !ok {
					at = reflect.ValueOf(v)
				}
				if at.Type().AssignableTo(typ) {
					out = append(out, at)
				}
			}
			return out
		}
		given := find(with, typ)
		if f.Type().IsVariadic() && i == f.Type().NumIn()-1 && len(given) == 0 {
			given = find(with, typ.Elem())
			if len(given) == 0 {
				given = find(valid, typ.Elem())[:1]
			}
			given = []reflect.Value{reflect.Append(reflect.Zero(typ), given...)}
		}
		in = append(in, slices.Concat(given, find(valid, typ), []reflect.Value{reflect.Zero(typ)})[0])
	}
	run := f.Call
	if f.Type().IsVariadic() {
		run = f.CallSlice
	}
	out := run(in)
	err, _ := out[1].Interface().(error)
	return out[0].Interface().(*Figure), err
}

// TestEveryPlotChecksItsArguments calls each plot several times, each time with a different invalid
// argument or option. The error must state the invalid value. The parts of an expected message are
// separated by " … ".
func TestEveryPlotChecksItsArguments(t *testing.T) {
	valid := validArguments(t)
	integers := map[string]int64{"Grid": 7, "Points": 1, "Cells": 2, "Bins": -1}
	empty := map[string]string{"Loss": "objective is nil", "Images": "no images", "Confusion": "empty",
		"Profile": "FitLogistic", "Coefficients": "no weights", "Trace": "empty … Trace field"}
	for name, plot := range plots {
		typ := reflect.TypeOf(plot)
		spoil := func(want string, v any) {
			t.Run(name+" "+want, func(t *testing.T) {
				wantError(t, failed(valid.call(name, v)), append(strings.Split(want, " … "), "show: "+name)...)
			})
		}
		for i := range typ.NumIn() {
			switch in := typ.In(i); {
			case in == reflect.TypeFor[*datasets.Dataset]():
				for want, d := range map[string]*datasets.Dataset{"data set is nil": nil, "no rows": plane(2, nil),
					"row 1 … x2 … NaN":   plane(2, []int{0, 1}, 0, 0, 1, math.NaN()),
					"row 1 … label 1":    plane(1, []int{0, 1}, 0, 0, 1, 1),
					"8 classes … Class(": plane(MaxClasses+1, []int{0}, 1, 1)} {
					spoil(want, d)
				}
			case in.Kind() == reflect.Struct:
				for _, field := range reflect.VisibleFields(in) {
					set := func(want string, v any) {
						o := reflect.New(in).Elem()
						o.FieldByIndex(field.Index).Set(reflect.ValueOf(v))
						spoil(want, o)
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
			case typ.IsVariadic() && i == typ.NumIn()-1:
				if name != "Loss" { // Loss can be called without a path
					spoil(cmp.Or(empty[name], "no … is given"), reflect.Zero(in))
				}
				spoil("7 ", reflect.MakeSlice(in, 7, 7))
			case i == 0:
				spoil(cmp.Or(empty[name], "model is nil"), reflect.Zero(in))
			}
		}
	}
}

// TestErrors calls plots with invalid input that TestEveryPlotChecksItsArguments does not try.
func TestErrors(t *testing.T) {
	valid := validArguments(t)
	nan, inf, unit := math.NaN(), math.Inf(1), [2]float64{0, 1}
	line := func(v float64) Curve { return Curve{"c", func(float64) float64 { return v }} }
	flat := func(v float64) func(_, _ float64) float64 { return func(_, _ float64) float64 { return v } }
	density := func(v float64) args {
		return args{Density{Name: "f", Log: flat(v)}, ContoursOptions{X: unit, Y: unit}}
	}
	samples := func(v ...float64) ContoursOptions {
		return ContoursOptions{Samples: mat.NewDense(len(v)/2, 2, v)}
	}
	value := func(v float64) Objective { return ObjectiveFunc(func([]float64) float64 { return v }) }
	scores := func(v ...float64) ScoreFunc { return func([]float64) []float64 { return v } }
	class := func(k int) PredictFunc { return func([]float64) int { return k } }
	decision := func(k int) DecideFunc { return func([]float64) int { return k } }
	changing := PosteriorFunc(func(x []float64) []float64 { return []float64{0.5, 0.5, 0}[:2+int(x[0]+0.5)] })
	path := func(weights ...[]float64) (p Path) {
		p.Name = "p"
		for _, w := range weights {
			p.Trace = append(p.Trace, classify.Step{W: w})
		}
		return p
	}
	six := mat.NewDense(2, 6, nil)
	counts := func(rows ...[]int) *classify.Confusion { return &classify.Confusion{Counts: rows} }
	gaussian := func(cov mat.Symmetric, mean ...float64) error { return failed(GaussianDensity("g", mean, cov)) }
	for plot, inputs := range map[string]map[string]any{
		"Regions": {
			"model is nil":         nilLogistic,
			"4 features … Columns": datasets.Iris(),
			"class 7 … 0 to 2":     class(7),
			"x1 … 1e+09 to 1.000000001e+09 … Standardize": plane(2, []int{0, 1}, 1e9, 1, 1e9+1, 2),
			"NaN … ScoreFunc":              scores(nan),
			"2 scores … 3 classes":         scores(1, 0),
			"these two features … no mood": failing{},
			"returned 1 predictions":       short{},
		},
		"Posterior": {
			"model is nil":         PosteriorFunc(nil),
			"1 class":              args{constantPosterior(1), plane(1, []int{0}, 1, 2)},
			"Levels":               PosteriorOptions{Levels: []float64{1}},
			"sum to 1.2":           constantPosterior(0.5, 0.7),
			"class 0 is -0.5":      constantPosterior(-0.5, 1.5),
			"class 1 is -0.5":      constantPosterior(1.5),
			"NaN":                  constantPosterior(nan),
			"returned nothing":     constantPosterior(),
			"3 numbers … 2 before": args{changing, square()},
			"no scores":            short{},
		},
		"Projections": {
			"5 directions":           make([]Direction, 5),
			"1 entries … 2 features": Direction{W: []float64{1}},
			"zero":                   Direction{W: []float64{0, 0}},
			"finite":                 Direction{W: []float64{0, inf}},
			"threshold":              Direction{W: []float64{1, 1}, Thresholds: []float64{nan}},
			"overflows":              plane(2, []int{0, 1}, math.MaxFloat64, math.MaxFloat64, 1, 1),
		},
		"Curves": {
			`"√x" is nil`:         Curve{Name: "√x"},
			"√x is NaN at -1":     args{Curve{"√x", math.Sqrt}, CurvesOptions{From: -1, To: 1}},
			"infinite everywhere": line(inf),
			"3 to 2":              CurvesOptions{From: 3, To: 2},
		},
		"Contours": {
			"f: the function is nil":       args{Density{Name: "f"}, ContoursOptions{X: unit, Y: unit}},
			"option X":                     density(0)[0],
			"NaN":                          density(nan),
			"f: the density is 0 … ranges": density(-inf),
			"infinite":                     density(inf),
			"4×3":                          ContoursOptions{Samples: mat.NewDense(4, 3, nil)},
			"row 0 … NaN":                  samples(nan, 0),
			"nine digits":                  args{density(0)[0], samples(1e9, 0, 1e9+1, 1)},
		},
		"Loss": {
			"objective is nil":       ObjectiveFunc(nil),
			"option X … path":        []Path{},
			`"p" is empty`:           path(),
			"step 0 … 1 weights … 2": path([]float64{1}, []float64{1, 2}),
			"step 0 … NaN":           path([]float64{1, nan}),
			"I and J are 1 and 1":    LossOptions{I: 1, J: 1},
			"0 to 1":                 LossOptions{J: 5},
			"weights 0 and 1 … NaN":  value(nan),
			"infinite everywhere":    value(inf),
			"no value":               failing{},
		},
		"Surfaces": {
			`"f" has neither`:             Sheet{Name: "f"},
			`"p" has neither`:             PosteriorSheet("p", (*classify.QDA)(nil), 0),
			`"s" has neither`:             ScoreSheet("s", nil, 0),
			`"d" has neither`:             DensitySheet("d", nil, 0),
			"class 3 from":                PosteriorSheet("f", fitQDA(t), 3),
			"NaN":                         sheetOf(flat(nan)),
			"infinite everywhere":         sheetOf(flat(inf)),
			"elevation 90":                SurfacesOptions{Elevation: 90},
			"azimuth NaN":                 SurfacesOptions{Azimuth: nan},
			"no rows":                     SurfacesOptions{Data: plane(2, nil)},
			"Smooth is -1":                SurfacesOptions{Smooth: -1},
			"Smooth is 5 with Cells = 50": SurfacesOptions{Cells: 50, Smooth: 5},
			"Low and See are 1 and":       SurfacesOptions{Low: 1},
			"See are -0.1 and":            SurfacesOptions{Low: -0.1},
			"See are NaN and":             SurfacesOptions{Low: nan},
			"See are 0 and 1;":            SurfacesOptions{See: 1},
			"See are 0 and -1;":           SurfacesOptions{See: -1},
		},
		"Images": {
			"0 images":                 &mat.Dense{},
			"65 images":                mat.NewDense(65, 1, nil),
			"6 pixels … Width … bias":  six,
			"Width is 4":               args{six, ImagesOptions{Width: 4}},
			"1 names":                  args{six, ImagesOptions{Width: 3, Names: []string{"A"}}},
			"pixel 0 of image 0 … NaN": mat.NewDense(1, 1, []float64{nan}),
			"Limit is 2.9":             ImagesOptions{Limit: 2.9}, // the largest absolute value is 3
			"Limit is -1":              ImagesOptions{Limit: -1},
			"Limit is NaN":             ImagesOptions{Limit: nan},
			"Limit is +Inf":            ImagesOptions{Limit: inf},
		},
		"Confusion": {
			"empty":         counts(),
			"row 1 has 1":   counts([]int{1, 2}, []int{3}),
			"is -2":         counts([]int{1, -2}, []int{3, 1}),
			"21 classes":    counts(make([][]int, 21)...),
			"1 names for 3": args{counts(make([][]int, 3)...), ConfusionOptions{Names: []string{"a"}}},
		},
		"Profile": {"j is 2 … 1 to 1": 2, "level is 2": ProfileOptions{Level: 2}, "5": make([]float64, 5)},
		"Coefficients": {
			"41 weights":           make([]string, 41),
			"1 values … 2 names":   CoefficientSet{Name: "a", Value: []float64{1}},
			"1 upper ends":         CoefficientSet{"a", []float64{1, 2}, nil, []float64{1}},
			`x1 of "a" is NaN`:     CoefficientSet{Name: "a", Value: []float64{1, nan}},
			"outside its interval": CoefficientSet{"a", []float64{1, 2}, []float64{1, 3}, nil},
		},
		"Decisions":  {"returned -7 … classify.Ambiguous": decision(-7), "returned 3 … 0 to 2": decision(3)},
		"DecideFunc": {"nil": failed(DecideFunc(nil).Decide(mat.NewDense(1, 2, nil)))},
		"Densities": {
			"NaN":                   args{noDensity(nan), square()},
			"infinite":              args{noDensity(inf), square()},
			"density is 0 … ranges": args{noDensity(-inf), square()},
			"3 classes":             noDensity(0),
		},
		"Marginal": {"density is 0": noDensity(-inf), "NaN": noDensity(nan)},
		"GaussianDensity": {
			"mean of 2":         gaussian(mat.NewSymDense(2, nil), 1),
			"positive definite": gaussian(mat.NewSymDense(2, []float64{1, 2, 2, 1}), 1, 2),
			"covariance":        gaussian((*mat.SymDense)(nil), 1, 2),
		},
		"Discriminants": {"no scores": noScores{}, "2 scores … 3 classes": scores(1, 0), "NaN": scores(nan)},
		"Boundaries":    {"bad … no mood": Named{"bad", failing{}}},
		"ROC": {
			`"m" is nil … ScoreROC`: ROCCurve{"m", nil},
			"0, 0 and 0":            ROCCurve{"m", &classify.ROC{}},
			"point 0 … NaN": ROCCurve{"m", &classify.ROC{FalsePositive: []float64{nan}, TruePositive: []float64{0},
				Threshold: []float64{0}}},
		},
		"Calibration": {
			`"m" is nil`: CalibrationCurve{"m", nil},
			"no bin":     CalibrationCurve{"m", &classify.Calibration{}},
			"[0,1]": CalibrationCurve{"m",
				&classify.Calibration{Bins: []classify.CalibrationBin{{N: 1, Predicted: 2}}}},
		},
		"Traces": {
			`"p" is empty`:             path(),
			`iteration 1 of "p" … NaN`: Path{"p", classify.Trace{{E: 1}, {E: nan}}},
		},
		"Trace": {
			"iteration 1 … +Inf": classify.Trace{{E: 1}, {E: inf}},
			"norm = +Inf": args{classify.Trace{{W: []float64{inf}}},
				TraceOptions{Quantities: []Quantity{QuantityWeightNorm}}},
		},
	} {
		for want, input := range inputs {
			t.Run(plot+" "+want, func(t *testing.T) {
				err, ok := input.(error)
				if with, several := input.(args); several {
					err = failed(valid.call(plot, with...))
				} else if !ok {
					err = failed(valid.call(plot, input))
				}
				wantError(t, err, append(strings.Split(want, " … "), "show: "+plot)...)
			})
		}
	}
}

package figures

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

var nan, inf = math.NaN(), math.Inf(1)

// nonNegative contains the names of the float64 options that must not be negative. Integer
// options must not be negative either.
var nonNegative = []string{"Spread", "Rate", "Width", "Alpha", "Range", "Margin", "Elevation", "Norm", "Precision",
	"Elongation"}

// TestInvalidNumbers checks every numeric option of every figure and chart. It sets a float64 option to
// NaN and infinity, and any numeric option to values outside its range, such as a negative count. In an
// option that is an array, it sets only the second number. Each of these values must cause an error.
func TestInvalidNumbers(t *testing.T) {
	for figure, calls := range map[string][]any{
		"PRML 4.1": {PRML4x1, PRML4x1Chart}, "PRML 4.2": {PRML4x2}, "PRML 4.3": {PRML4x3},
		"PRML 4.4": {PRML4x4, PRML4x4Chart}, "PRML 4.5": {PRML4x5}, "PRML 4.6": {PRML4x6, PRML4x6Chart},
		"PRML 4.7": {PRML4x7, PRML4x7Chart}, "PRML 4.8": {PRML4x8}, "PRML 4.9": {PRML4x9},
		"PRML 4.10": {PRML4x10, PRML4x10Chart}, "PRML 4.11": {PRML4x11}, "PRML 4.12": {PRML4x12, PRML4x12Chart},
		"PRML 4.13": {PRML4x13}, "PRML 4.14": {PRML4x14}, "Alpaydin 10.1": {Alpaydin10x1},
		"Alpaydin 10.2": {Alpaydin10x2}, "Alpaydin 10.3": {Alpaydin10x3}, "Alpaydin 10.4": {Alpaydin10x4},
		"Alpaydin 10.5": {Alpaydin10x5}, "Alpaydin 10.6": {Alpaydin10x6, Alpaydin10x6Chart},
		"Alpaydin 10.7": {Alpaydin10x7, Alpaydin10x7Chart}, "Alpaydin 10.8": {Alpaydin10x8, Alpaydin10x8Chart},
		"Alpaydin 10.9": {Alpaydin10x9}, "Alpaydin 10.10": {Alpaydin10x10, Alpaydin10x10Chart},
		"Gambosi sigmoid": {GambosiSigmoid}, "Gambosi GDA": {GambosiGDA, GambosiGDAChart},
		"Gambosi QDA": {GambosiQDA}, "Gambosi Newton": {GambosiNewton, GambosiNewtonChart},
	} {
		for _, draw := range calls {
			f := reflect.ValueOf(draw)
			for _, field := range reflect.VisibleFields(f.Type().In(0)) {
				o := reflect.New(f.Type().In(0)).Elem()
				number := o.FieldByIndex(field.Index)
				if number.Kind() == reflect.Array {
					number = number.Index(1)
				}
				var bad []float64
				if number.CanFloat() {
					bad = []float64{nan, inf}
				} else if !number.CanInt() {
					continue
				}
				if number.CanInt() || slices.Contains(nonNegative, field.Name) {
					bad = append(bad, -1)
				}
				says := ""
				if from, to, ok := strings.Cut(field.Tag.Get("range"), ".."); ok {
					says = fmt.Sprintf("it must lie between %s and %s", minus(from), minus(to))
					bad = append(bad, min(-1, must(strconv.ParseFloat(from, 64))(t)-1), must(strconv.ParseFloat(to, 64))(t)+1)
				}
				for _, v := range bad {
					if number.CanFloat() {
						number.SetFloat(v)
					} else {
						number.SetInt(int64(v))
					}
					err, _ := f.Call([]reflect.Value{o})[1].Interface().(error)
					if err == nil || !strings.HasPrefix(err.Error(), "figures: "+figure+": ") ||
						!strings.Contains(err.Error(), fmt.Sprint(number)) || !strings.Contains(err.Error(), says) {
						t.Errorf("for %s with %s = %v the error is %v, want an error that names the figure, the value and the range (if the option has one)",
							figure, field.Name, number, err)
					}
				}
			}
		}
	}
}

// A refusal contains the error of a call with invalid options, and a text that the error must
// contain.
type refusal struct {
	err  error
	says string
}

func refused[O, R any](draw func(O) (R, error), says string, o O) refusal {
	_, err := draw(o)
	return refusal{err, says}
}

func TestOptionErrors(t *testing.T) {
	one := [][]float64{{0, 0}}
	many := upTo(mostFrames)
	for _, c := range []refusal{
		refused(PRML4x1, "make |W0| smaller", PRML4x1Options{W0: 50}),
		refused(PRML4x1, "X is [7 0]", PRML4x1Options{X: [2]float64{7, 0}}),
		// with this W0 the chart must return an error, although PRML4x1 does not
		refused(PRML4x1Chart, "make |W0| at most", PRML4x1Options{W0: -5.4}),
		refused(PRML4x6, "", PRML4x6Options{N: 1}),
		refused(PRML4x7Chart, "set Steps", PRML4x7Options{N: 60, Rate: 0.001, Angle: 225}),
		refused(PRML4x8, `Letters is "A"`, PRML4x8Options{Letters: "A"}),
		refused(PRML4x8, `Letters is "AA"`, PRML4x8Options{Letters: "AA"}),
		refused(PRML4x8, "character 'é' is not in the font: want one of ABC", PRML4x8Options{Letters: "Aé"}),
		refused(PRML4x10, "", PRML4x10Options{N: 1}),
		refused(PRML4x10, "", PRML4x10Options{N: 2, ClassCovariances: true}),
		refused(PRML4x11, "", PRML4x11Options{N: 1}),
		refused(PRML4x12, "there are 1 centres; give two", PRML4x12Options{Centres: one}),
		refused(PRML4x12, "there are 0 centres", PRML4x12Options{Centres: [][]float64{}}),
		refused(PRML4x12Chart, "centre 1 has 3 coordinates",
			PRML4x12Options{Centres: [][]float64{{0, 0}, {1, 2, 3}}}),
		refused(PRML4x12, "+Inf", PRML4x12Options{Centres: [][]float64{{0, 0}, {1, inf}}}),
		refused(PRML4x12Chart, "give different centres",
			PRML4x12Options{Centres: [][]float64{{1, 1}, {1, 1}}}),
		refused(PRML4x13, "Stds", PRML4x13Options{Means: []float64{0}}),
		refused(PRML4x13, "Means", PRML4x13Options{Stds: []float64{1}}),
		refused(PRML4x13, "Stds", PRML4x13Options{Means: []float64{0}, Stds: []float64{0}}),
		refused(PRML4x13, "Weights",
			PRML4x13Options{Means: []float64{0}, Stds: []float64{1}, Weights: []float64{1, 2}}),
		refused(Alpaydin10x1, "", Alpaydin10x1Options{W: [3]float64{1, 0, 0}}),
		refused(Alpaydin10x2, "", Alpaydin10x2Options{W: [3]float64{1, 0, 0}}),
		refused(Alpaydin10x2, "x is [1e+09 0]", Alpaydin10x2Options{X: [2]float64{1e9, 0}}),
		refused(Alpaydin10x6, "Iterations is [10 1]; the numbers must increase",
			Alpaydin10x6Options{Iterations: []int{10, 1}}),
		refused(Alpaydin10x6, "Iterations is [-1 1]", Alpaydin10x6Options{Iterations: []int{-1, 1}}),
		refused(Alpaydin10x6, "Iterations is [0]", Alpaydin10x6Options{Iterations: []int{0}}),
		refused(Alpaydin10x6, "Iterations is []", Alpaydin10x6Options{Iterations: []int{}}),
		refused(Alpaydin10x6, "Iterations is [1000000]", Alpaydin10x6Options{Iterations: []int{1e6}}),
		refused(Alpaydin10x6Chart, "one to 60 numbers", Alpaydin10x6Options{Iterations: many}),
		refused(Alpaydin10x7, "more than 6 curves",
			Alpaydin10x7Options{Iterations: []int{1, 2, 3, 4, 5, 6, 7}}),
		refused(Alpaydin10x7Chart, "must increase", Alpaydin10x7Options{Iterations: []int{5, 2}}),
		refused(Alpaydin10x8, "must increase", Alpaydin10x8Options{Iterations: []int{3, 3}}),
		refused(GambosiSigmoid, "Range is -1; want a number above 0", GambosiSigmoidOptions{Range: -1}),
		refused(GambosiSigmoid, "A is 7; it must lie between −6 and 6", GambosiSigmoidOptions{A: 7}),
		refused(GambosiGDA, "", GambosiGDAOptions{N2: 1, ClassCovariances: true}),
		refused(GambosiQDA, "", GambosiQDAOptions{N: 2}),
		refused(GambosiQDA, "", GambosiQDAOptions{N: 1, SharedCovariance: true}),
		refused(GambosiNewton, "take more points", GambosiNewtonOptions{N: 1}),
		refused(GambosiNewtonChart, "Newton's method diverges", GambosiNewtonOptions{Start: 20}),
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("the error is %v, want an error that contains %q", c.err, c.says)
		}
	}
}

// TestOptionsDraw checks that the figures and charts do not fail for unusual options that a learner
// may try.
func TestOptionsDraw(t *testing.T) {
	figures := map[string]func() (*show.Figure, error){
		"4.1 line too far out for the chart": drawWith(PRML4x1, PRML4x1Options{W0: -5.4}),
		"4.8 noise":                          drawWith(PRML4x8, PRML4x8Options{Noise: 0.05}),
		"4.8 one unit":                       drawWith(PRML4x8, PRML4x8Options{Units: 1}),
		"4.8 many wires":                     drawWith(PRML4x8, PRML4x8Options{Wires: 100}),
		"4.8 small shift":                    drawWith(PRML4x8, PRML4x8Options{Shift: 1, Letters: "OX"}),
		// φ₂ is about 0 at every point, and φ₁ alone does not separate the classes; the fit assigns all
		// points to C₁, so the figure has no boundary
		"4.12 far centre":       drawWith(PRML4x12, PRML4x12Options{Centres: [][]float64{{-1.5, -1}, {50, 50}}}),
		"4.12 twice one centre": drawWith(PRML4x12, PRML4x12Options{Centres: [][]float64{{-1.5, -1}, {-1.5, -1}}}),
		"4.13 one point":        drawWith(PRML4x13, PRML4x13Options{N: 1}),
		"4.13 almost a step":    drawWith(PRML4x13, PRML4x13Options{Means: []float64{0}, Stds: []float64{1e-3}}),
		"4.13 far away":         drawWith(PRML4x13, PRML4x13Options{Means: []float64{1e9}, Stds: []float64{1}}),
		"4.13 left end":         drawWith(PRML4x13, PRML4x13Options{A: -4}),
		"4.14 falling sigmoid":  drawWith(PRML4x14, PRML4x14Options{Slope: -20}),
		"4.14 steep":            drawWith(PRML4x14, PRML4x14Options{Slope: 1000}),
		"4.14 far away":         drawWith(PRML4x14, PRML4x14Options{Slope: 1, Bias: -50}),
		"4.14 flat":             drawWith(PRML4x14, PRML4x14Options{Slope: 1e-9}),
		"4.14 sharp":            drawWith(PRML4x14, PRML4x14Options{Precision: 1e9}),
		"4.14 broad":            drawWith(PRML4x14, PRML4x14Options{Precision: 1e-9}),
		"10.1 line outside":     drawWith(Alpaydin10x1, Alpaydin10x1Options{W: [3]float64{9, 1, 0}}),
		"10.2 through 0":        drawWith(Alpaydin10x2, Alpaydin10x2Options{W: [3]float64{0, 1, -1}}),
		"10.2 upright, behind": drawWith(Alpaydin10x2,
			Alpaydin10x2Options{W: [3]float64{-2, 1, 0}, X: [2]float64{-3, 1}}),
		"10.2 on the line": drawWith(Alpaydin10x2, Alpaydin10x2Options{W: [3]float64{-1, 1, 0}, X: [2]float64{1,
			4}}),
		"10.3 overlap":        drawWith(Alpaydin10x3, Alpaydin10x3Options{Spread: 2, Seed: 3}),
		"10.3 one point each": drawWith(Alpaydin10x3, Alpaydin10x3Options{N: 1}),
		"10.5 falling":        drawWith(Alpaydin10x5, Alpaydin10x5Options{W: -4, W0: 2}),
		"10.6 diverging":      drawWith(Alpaydin10x6, Alpaydin10x6Options{Rate: 5, Iterations: []int{1, 40}}),
		"10.6 converged":      drawWith(Alpaydin10x6, Alpaydin10x6Options{Iterations: []int{9000, 10_000}}),
		"10.8 narrow clouds and a high rate": drawWith(Alpaydin10x8,
			Alpaydin10x8Options{Spread: 0.1, Rate: 1, Iterations: []int{1, 500}}),
		"10.9 small spread":        drawWith(Alpaydin10x9, Alpaydin10x9Options{Spread: 0.01, Alpha: 1e-4}),
		"Newton, other start":      drawWith(GambosiNewton, GambosiNewtonOptions{Start: -0.7}),
		"Newton, slow":             drawWith(GambosiNewton, GambosiNewtonOptions{Rate: 0.01}),
		"Newton, near the optimum": drawWith(GambosiNewton, GambosiNewtonOptions{Start: 1.2}),
		"Newton, other seed":       drawWith(GambosiNewton, GambosiNewtonOptions{Seed: 9}),
	}
	for k := 3; k <= show.MaxClasses; k++ {
		for seed := range uint64(3) {
			figures[fmt.Sprintf("4.3 %d classes, seed %d", k, seed)] = drawWith(PRML4x3, PRML4x3Options{K: k,
				Seed: seed})
		}
	}
	for name, draw := range figures {
		fig, err := draw()
		if err == nil {
			_, err = fig.SVG()
		}
		if err != nil {
			t.Errorf("%s: got the error %v, want no error", name, err)
		}
	}
	for name, chart := range map[string]func() (*show.Chart, error){
		"4.7 with Steps": func() (*show.Chart, error) {
			return PRML4x7Chart(PRML4x7Options{N: 60, Rate: 0.001, Angle: 225, Steps: 5})
		},
		"Newton, no tangent to draw": func() (*show.Chart, error) {
			optimum := withDefaults(GambosiNewtonOptions{}).run().one.optimum
			return GambosiNewtonChart(GambosiNewtonOptions{Start: optimum})
		},
		"Newton, slow": func() (*show.Chart, error) { return GambosiNewtonChart(GambosiNewtonOptions{Rate: 0.05}) },
	} {
		if _, err := chart(); err != nil {
			t.Errorf("%s: got the error %v, want no error", name, err)
		}
	}
}

package figures

import (
	"math"
	"slices"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func TestAlpaydin10Errors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	type draw func() (*show.Figure, error)
	for name, f := range map[string]draw{
		"10.1 negative N":      with(Alpaydin10x1, Alpaydin10x1Options{N: -1}),
		"10.1 margin":          with(Alpaydin10x1, Alpaydin10x1Options{Margin: 2}),
		"10.1 no line":         with(Alpaydin10x1, Alpaydin10x1Options{W: [3]float64{1, 0, 0}}),
		"10.1 NaN":             with(Alpaydin10x1, Alpaydin10x1Options{W: [3]float64{1, nan, 0}}),
		"10.2 no line":         with(Alpaydin10x2, Alpaydin10x2Options{W: [3]float64{1, 0, 0}}),
		"10.2 infinite point":  with(Alpaydin10x2, Alpaydin10x2Options{X: [2]float64{inf, 0}}),
		"10.2 far away":        with(Alpaydin10x2, Alpaydin10x2Options{X: [2]float64{1e9, 0}}),
		"10.3 negative N":      with(Alpaydin10x3, Alpaydin10x3Options{N: -1}),
		"10.3 negative spread": with(Alpaydin10x3, Alpaydin10x3Options{Spread: -1}),
		"10.3 NaN spread":      with(Alpaydin10x3, Alpaydin10x3Options{Spread: nan}),
		"10.4 negative N":      with(Alpaydin10x4, Alpaydin10x4Options{N: -1}),
		"10.4 infinite lift":   with(Alpaydin10x4, Alpaydin10x4Options{Lift: inf}),
		"10.6 negative rate":   with(Alpaydin10x6, Alpaydin10x6Options{Rate: -1}),
		"10.6 falling":         with(Alpaydin10x6, Alpaydin10x6Options{Iterations: []int{10, 1}}),
		"10.6 negative":        with(Alpaydin10x6, Alpaydin10x6Options{Iterations: []int{-1, 1}}),
		"10.6 only the start":  with(Alpaydin10x6, Alpaydin10x6Options{Iterations: []int{0}}),
		"10.6 too many":        with(Alpaydin10x6, Alpaydin10x6Options{Iterations: []int{1e6}}),
		"10.6 negative N":      with(Alpaydin10x6, Alpaydin10x6Options{N: -1}),
		"10.7 margin":          with(Alpaydin10x7, Alpaydin10x7Options{Margin: 3}),
		"10.7 NaN rate":        with(Alpaydin10x7, Alpaydin10x7Options{Rate: nan}),
		"10.7 seven curves":    with(Alpaydin10x7, Alpaydin10x7Options{Iterations: []int{1, 2, 3, 4, 5, 6, 7}}),
		"10.8 infinite spread": with(Alpaydin10x8, Alpaydin10x8Options{Spread: inf}),
		"10.8 equal":           with(Alpaydin10x8, Alpaydin10x8Options{Iterations: []int{3, 3}}),
		"10.9 negative prior":  with(Alpaydin10x9, Alpaydin10x9Options{Alpha: -1}),
		"10.10 negative prior": with(Alpaydin10x10, Alpaydin10x10Options{Alpaydin10x9Options: Alpaydin10x9Options{Alpha: -1}}),
		"10.10 from below":     with(Alpaydin10x10, Alpaydin10x10Options{Elevation: -10}),
		"10.10 viewer nowhere": with(Alpaydin10x10, Alpaydin10x10Options{Azimuth: nan}),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := f(); err == nil {
				t.Error("no error")
			}
		})
	}
}

// Options that a learner may well try must draw, in every format that draws.
func TestAlpaydin10Options(t *testing.T) {
	for name, f := range map[string]func() (*show.Figure, error){
		"10.1 line outside":    with(Alpaydin10x1, Alpaydin10x1Options{W: [3]float64{9, 1, 0}}),
		"10.2 through 0":       with(Alpaydin10x2, Alpaydin10x2Options{W: [3]float64{0, 1, -1}}),
		"10.2 upright, behind": with(Alpaydin10x2, Alpaydin10x2Options{W: [3]float64{-2, 1, 0}, X: [2]float64{-3, 1}}),
		"10.2 on the line":     with(Alpaydin10x2, Alpaydin10x2Options{W: [3]float64{-1, 1, 0}, X: [2]float64{1, 4}}),
		"10.3 overlap":         with(Alpaydin10x3, Alpaydin10x3Options{Spread: 2, Seed: 3}),
		"10.3 one point each":  with(Alpaydin10x3, Alpaydin10x3Options{N: 1}),
		"10.6 diverging":       with(Alpaydin10x6, Alpaydin10x6Options{Rate: 5, Iterations: []int{1, 40}}),
		"10.6 converged":       with(Alpaydin10x6, Alpaydin10x6Options{Iterations: []int{9000, 10_000}}),
		"10.8 hard":            with(Alpaydin10x8, Alpaydin10x8Options{Spread: 0.1, Rate: 1, Iterations: []int{1, 500}}),
		"10.9 no spread":       with(Alpaydin10x9, Alpaydin10x9Options{Spread: 0.01, Alpha: 1e-4}),
	} {
		t.Run(name, func(t *testing.T) {
			fig := must(f())(t)
			if _, err := fig.SVG(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAlpaydin10LeavesOptionsAlone(t *testing.T) {
	at := []int{1, 2}
	if _, err := Alpaydin10x6(Alpaydin10x6Options{Iterations: at}); err != nil || !slices.Equal(at, []int{1, 2}) {
		t.Errorf("%v, iterations %v", err, at)
	}
}

package show

import (
	"errors"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// bowl is ½(w₀−1)² + 2(w₁+1)² + w₂.
func bowl(w []float64) float64 {
	return (w[0]-1)*(w[0]-1)/2 + 2*(w[1]+1)*(w[1]+1) + w[2]
}

func bowlPath() Path {
	return Path{"steps", classify.Trace{{W: []float64{-1, 0, 5}, E: 9}, {W: []float64{0.5, -0.8, 2}, E: 3}, {W: []float64{1, -1, 0.5}, E: 0.5}}}
}

func TestLossContoursLieOnTheirLevels(t *testing.T) {
	fig := must(Loss(ObjectiveFunc(bowl), LossOptions{Grid: 60}, bowlPath()))(t)
	renders(t, fig)
	level, x, y := column(t, fig, "contour.level"), column(t, fig, "contour.x"), column(t, fig, "contour.y")
	seen := map[float64]bool{}
	for i := range x {
		seen[level[i]] = true
		if e := bowl([]float64{x[i], y[i], 0.5}); math.Abs(e-level[i]) > 1e-6 { // cut at the last iterate
			t.Errorf("E is %v on the contour %v", e, level[i])
		}
	}
	if len(seen) != 16 {
		t.Errorf("%d levels, want 16", len(seen))
	}
	if px, py := column(t, fig, "steps.x"), column(t, fig, "steps.y"); px[1] != 0.5 || py[2] != -1 {
		t.Errorf("the path is %v, %v", px, py)
	}
	// Other weights, given levels and no path.
	fig = must(Loss(ObjectiveFunc(bowl), LossOptions{I: 2, J: 0, At: []float64{0, 3, 0}, X: [2]float64{0, 1}, Y: [2]float64{0, 2}, Levels: []float64{32.5, 33}, Grid: 30}))(t)
	level, x, y = column(t, fig, "contour.level"), column(t, fig, "contour.x"), column(t, fig, "contour.y")
	for i := range x {
		if e := bowl([]float64{y[i], 3, x[i]}); math.Abs(e-level[i]) > 1e-6 {
			t.Errorf("E is %v on the contour %v", e, level[i])
		}
	}
}

func TestLossOfAFitAndEdges(t *testing.T) {
	x := tinyInputs(t)
	renders(t, x)
	// A flat objective, one with a wall, a path of one point.
	for name, f := range map[string]ObjectiveFunc{
		"flat": func([]float64) float64 { return 3 },
		"wall": func(w []float64) float64 {
			if w[0] > 0 {
				return math.Inf(1)
			}
			return w[0] * w[0]
		},
	} {
		fig, err := Loss(f, LossOptions{Grid: 20}, Path{"p", classify.Trace{{W: []float64{0, 0}}}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		renders(t, fig)
	}
}

// tinyInputs draws the error of a logistic fit of weights near 1e9.
func tinyInputs(t *testing.T) *Figure {
	t.Helper()
	d := plane(2, []int{0, 1, 0, 1}, 1e-9, 0, 2e-9, 1, 3e-9, 2, 4e-9, 3)
	col := d.X.Slice(0, 4, 0, 1)
	m := must(classify.FitLogistic(col, []float64{1, 0, 1, 0}, classify.LogisticOptions{}))(t)
	e := must(classify.LogisticObjective(col, []float64{1, 0, 1, 0}, nil))(t)
	fig := must(Loss(e, LossOptions{Grid: 20}, Path{"Newton", m.Trace}))(t)
	return fig
}

type noValue struct{}

func (noValue) Value([]float64) (float64, error) { return 0, errors.New("no value") }

func TestLossErrors(t *testing.T) {
	at := LossOptions{X: [2]float64{0, 1}, Y: [2]float64{0, 1}, Grid: 10}
	with := func(change func(*LossOptions)) LossOptions { o := at; change(&o); return o }
	ok := ObjectiveFunc(func(w []float64) float64 { return w[0] })
	for _, c := range []struct {
		name  string
		e     Objective
		o     LossOptions
		p     []Path
		words []string
	}{
		{"nil", nil, at, nil, []string{"objective is nil"}},
		{"nil function", ObjectiveFunc(nil), at, nil, []string{"objective is nil"}},
		{"nowhere", ok, LossOptions{}, nil, []string{"option X", "path"}},
		{"empty path", ok, at, []Path{{Name: "p"}}, []string{`"p" is empty`}},
		{"widths", ok, at, []Path{{"p", classify.Trace{{W: []float64{1}}, {W: []float64{1, 2}}}}}, []string{"iteration 0", "1 weights", "2"}},
		{"not finite", ok, at, []Path{{"p", classify.Trace{{W: []float64{1, math.NaN()}}}}}, []string{"iteration 0", "NaN"}},
		{"same weights", ok, with(func(o *LossOptions) { o.I, o.J = 1, 1 }), nil, []string{"I and J are 1 and 1"}},
		{"no such weight", ok, with(func(o *LossOptions) { o.J = 5 }), nil, []string{"0 to 1"}},
		{"NaN", ObjectiveFunc(func([]float64) float64 { return math.NaN() }), at, nil, []string{"NaN"}},
		{"infinite", ObjectiveFunc(func([]float64) float64 { return math.Inf(1) }), at, nil, []string{"infinite everywhere"}},
		{"failing", noValue{}, at, nil, []string{"no value"}},
		{"levels", ok, with(func(o *LossOptions) { o.Levels = []float64{2, 1} }), nil, []string{"Levels", "rise"}},
		{"seven", ok, at, make([]Path, 7), []string{"7 paths"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(Loss(c.e, c.o, c.p...))(t, append(c.words, "show: Loss")...)
		})
	}
}

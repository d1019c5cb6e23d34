package show

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestCurves(t *testing.T) {
	fig, err := Curves(CurvesOptions{From: -1, To: 1, Points: 3}, Curve{"$x^2$", func(x float64) float64 { return x * x }},
		Curve{"1/x", func(x float64) float64 { return 1 / x }})
	if err != nil {
		t.Fatal(err)
	}
	renders(t, fig)
	if got := column(t, fig, "x2"); got[0] != 1 || got[1] != 0 || got[2] != 1 {
		t.Errorf("x² at −1, 0, 1 is %v", got)
	}
	if got := column(t, fig, "1/x"); !math.IsInf(got[1], 1) {
		t.Errorf("1/x at 0 is %v, want +Inf in the numbers and a gap in the picture", got[1])
	}
}

func TestCurvesErrors(t *testing.T) {
	id := Curve{"id", func(x float64) float64 { return x }}
	for _, c := range []struct {
		name   string
		o      CurvesOptions
		curves []Curve
		words  []string
	}{
		{"none", CurvesOptions{}, nil, []string{"no function"}},
		{"nil", CurvesOptions{}, []Curve{{Name: "f"}}, []string{`"f" is nil`}},
		{"NaN", CurvesOptions{From: -1, To: 1}, []Curve{{"√x", math.Sqrt}}, []string{"√x is NaN at -1"}},
		{"infinite", CurvesOptions{}, []Curve{{"f", func(float64) float64 { return math.Inf(1) }}}, []string{"infinite everywhere"}},
		{"range", CurvesOptions{From: 3, To: 2}, []Curve{id}, []string{"3 to 2"}},
		{"height", CurvesOptions{Y: [2]float64{1, 0}}, []Curve{id}, []string{"range Y"}},
		{"points", CurvesOptions{Points: 1}, []Curve{id}, []string{"Points is 1"}},
		{"seven", CurvesOptions{}, make([]Curve, 7), []string{"7 functions"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(Curves(c.o, c.curves...))(t, append(c.words, "show: Curves")...)
		})
	}
}

func TestConstantCurveHasRoom(t *testing.T) {
	for _, v := range []float64{0, 3, -1e9, 1e-9} {
		fig := must(Curves(CurvesOptions{}, Curve{"c", func(float64) float64 { return v }}))(t)
		if p := fig.Panel(0); !(p.Y.Min < v && v < p.Y.Max) {
			t.Errorf("the constant %v is drawn from %v to %v", v, p.Y.Min, p.Y.Max)
		}
		renders(t, fig)
	}
}

func TestTraceNumbersAndAxes(t *testing.T) {
	d := must(petals(t).Class("versicolor", "virginica"))(t)
	target := must(d.Target("versicolor"))(t)
	m := must(classify.FitLogistic(d.X, target, classify.LogisticOptions{}))(t)
	fig := must(Trace(m.Trace, TraceOptions{}))(t)
	renders(t, fig)
	e, g := column(t, fig, "E"), column(t, fig, "gradient")
	for i := 1; i < len(e); i++ {
		if e[i] > e[i-1]*(1+1e-8) {
			t.Errorf("E rises from %v to %v", e[i-1], e[i])
		}
	}
	// Newton's gradient falls over many powers of ten: its axis shows exponents.
	if _, ok := fig.Panel(1).Y.Tick.Marker.(exponentTicks); !ok {
		t.Errorf("the gradient (%v … %v) is not drawn on a logarithmic axis", g[0], g[len(g)-1])
	}
	if _, ok := fig.Panel(2).Y.Tick.Marker.(countTicks); !ok {
		t.Error("misclassified inputs are not counted in whole numbers")
	}
	if got, want := column(t, fig, "norm")[len(e)-1], round9(math.Sqrt(m.W[0]*m.W[0]+m.W[1]*m.W[1]+m.W[2]*m.W[2])); got != want {
		t.Errorf("norm of the last w is %v, want %v", got, want)
	}
}

func TestLogFloor(t *testing.T) {
	for _, c := range []struct {
		name string
		y    []float64
		low  float64
		ok   bool
	}{
		{"small span", []float64{900, 1}, 0, false},
		{"large span", []float64{1000, 1}, 1, true},
		{"ends in zeros", []float64{1, 1e-5, 0, 0}, 1e-5, true},
		{"zero in between", []float64{1, 0, 1e-5}, 0, false},
		{"negative", []float64{1, -1e-5}, 0, false},
		{"all zero", []float64{0, 0}, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if low, ok := logFloor(c.y); ok != c.ok || ok && low != c.low {
				t.Errorf("got %v, %v", low, ok)
			}
		})
	}
}

func TestTraceErrorsAndShortTraces(t *testing.T) {
	refused(Trace(nil, TraceOptions{}))(t, "empty", "Trace field")
	refused(Trace(classify.Trace{{E: 1}, {E: math.Inf(1)}}, TraceOptions{}))(t, "iteration 1", "+Inf")
	fig := must(Trace(classify.Trace{{E: 0.7, GradNorm: 0, Misclassified: 0}}, TraceOptions{Title: "one step"}))(t)
	renders(t, fig)
}

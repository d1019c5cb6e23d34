package show

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestTraceNumbersAndAxes(t *testing.T) {
	_, m := fitLogistic(t)
	fig := must(Trace(m.Trace, TraceOptions{}))(t)
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

func TestProjectionsAgreeWithFisher(t *testing.T) {
	d, target := twoKinds(t)
	m := must(classify.FitFisher(d.X, target, classify.FisherOptions{}))(t)
	s := m.Scatter.ClassMeans
	means := []float64{s.At(0, 0) - s.At(1, 0), s.At(0, 1) - s.At(1, 1)}
	fig := must(Projections(d, ProjectionsOptions{Bins: 20},
		Direction{Name: "means", W: means}, Direction{Name: "Fisher", W: m.Direction, Thresholds: []float64{m.Threshold}}))(t)
	if fig.Len() != 4 || !fig.panels[0].equal {
		t.Errorf("%d panels, want two planes of equal axes over two histograms", fig.Len())
	}
	j := column(t, fig, "Fisher.fisher")[0]
	if math.Abs(j-m.J) > 1e-7*m.J {
		t.Errorf("Fisher's J is %v, want %v", j, m.J)
	}
	if other := column(t, fig, "means.fisher")[0]; other >= j {
		t.Errorf("J on the line of means is %v, not below Fisher's %v", other, j)
	}
	edge, y, class := column(t, fig, "means.edge"), column(t, fig, "means.y"), column(t, fig, "means.class")
	for k, name := range []string{"means.count0", "means.count1"} {
		counts := column(t, fig, name)
		for b, n := range counts {
			in := 0.0
			for i, v := range y {
				if class[i] == float64(k) && v >= edge[b] && (v < edge[b+1] || b == len(counts)-1) {
					in++
				}
			}
			if in != n {
				t.Errorf("bin %d of class %d has %v rows, counted %v", b, k, n, in)
			}
		}
	}
	norm := math.Hypot(means[0], means[1])
	if want := (means[0]*d.X.At(3, 0) + means[1]*d.X.At(3, 1)) / norm; math.Abs(y[3]-want) > 1e-8 {
		t.Errorf("row 3 is projected to %v, want %v", y[3], want)
	}
}

// TestNumbers compares columns of figures with numbers found by hand.
func TestNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	curves := must(Curves(CurvesOptions{From: -1, To: 1, Points: 3}, Curve{"$x^2$", func(x float64) float64 { return x * x }}, Curve{"1/x", func(x float64) float64 { return 1 / x }}))(t)
	slow := classify.Trace{{W: []float64{0, 0}, E: 8, GradNorm: 1e3, Misclassified: 4}, {W: []float64{3, 4}, E: 4, GradNorm: 1, Misclassified: 2, Iteration: 10},
		{W: []float64{6, 8}, E: 2, GradNorm: 1e-3, Iteration: 100, HeldOut: 1}}
	quick := classify.Trace{{W: []float64{0, 0}, E: 8, GradNorm: 1e3}, {W: []float64{5, 12}, E: 1, GradNorm: 0}}
	all := []Quantity{QuantityTrainingError, QuantityGradientNorm, QuantityMisclassified, QuantityWeightNorm, QuantityHeldOutError}
	traces := must(Traces(TracesOptions{Quantities: all}, Path{"slow", slow}, Path{"quick", quick}))(t)
	logs := must(Traces(TracesOptions{Quantities: all, LogIterations: true}, Path{"slow", slow}, Path{"quick", quick}))(t)
	two := must(Trace(slow, TraceOptions{Quantities: []Quantity{QuantityWeightNorm, QuantityMisclassified}}))(t)
	// Two rows of points along the diagonal, one beside the other: across it they
	// are apart, and upright half of each class has its twin in the other.
	var labels []int
	var x []float64
	for i := 0.0; i < 10; i++ {
		labels = append(labels, 0, 1)
		x = append(x, i, i, i+5, i+4)
	}
	rows := must(Projections(plane(2, labels, x...), ProjectionsOptions{Bins: 15}, Direction{Name: "right", W: []float64{1, 0}}, Direction{Name: "across", W: []float64{3, -3}}))(t)
	// Two images of 3 × 2: the second has negative values.
	pixels := mat.NewDense(2, 6, []float64{0, 1, 2, 3, 4, 8, -4, 0, 4, 0, 0, 0})
	images := must(Images(pixels, ImagesOptions{Width: 3, Names: []string{"A", "$w_1$"}}))(t)
	ownGreys := must(Images(pixels, ImagesOptions{Width: 3, OwnGrey: true}))(t)
	r := must(classify.ScoreROC([]float64{1, 1, 0, 1, 0, 0}, []float64{3, 2, 1, 0.5, -1, -2}))(t)
	roc := must(ROC(ROCOptions{Thresholds: []float64{0, 2, 99}}, ROCCurve{"m", r}))(t)
	c := must(classify.ScoreCalibration([]float64{0, 0, 1, 1, 1}, []float64{0.1, 0.15, 0.15, 0.95, 1}, 10))(t)
	calibration := must(Calibration(CalibrationOptions{}, CalibrationCurve{"m", c}))(t)
	counts := &classify.Confusion{Counts: [][]int{{3, 1, 0}, {0, 0, 0}, {2, 2, 4}}}
	confusion := must(Confusion(counts, ConfusionOptions{Names: []string{"a_b", "$", "C3"}}))(t)
	weights := must(Coefficients([]string{"bias", "x1"}, CoefficientsOptions{},
		CoefficientSet{"a", []float64{1, -2}, []float64{0, -inf}, []float64{2, inf}}, CoefficientSet{Name: "b", Value: []float64{1e-3, 0}}))(t)
	for _, c := range []struct {
		fig    *Figure
		column string
		want   []float64
	}{
		{curves, "x2", []float64{1, 0, 1}}, {curves, "1/x", []float64{-1, inf, 1}}, // a gap in the picture
		{traces, "slow.iteration", []float64{0, 10, 100}}, {traces, "quick.iteration", []float64{0, 1}},
		{traces, "quick.norm", []float64{0, 13}}, {traces, "slow.heldout", []float64{0, 0, 1}}, {logs, "slow.iteration", []float64{0, 10, 100}},
		{two, "iteration", []float64{0, 10, 100}}, {two, "norm", []float64{0, 5, 10}},
		{rows, "right.overlap", []float64{0.5}}, {rows, "across.overlap", []float64{0}}, {rows, "across.fisher", []float64{nan}},
		{images, "scale.lo", []float64{-8, -8}}, {images, "scale.hi", []float64{8, 8}},
		{ownGreys, "scale.lo", []float64{0, -4}}, {ownGreys, "scale.hi", []float64{8, 4}},
		// a ≥ 0: all three of C₁ and one of C₂; a ≥ 2: two and none; a ≥ 99: none.
		{roc, "m.mark.fpr", []float64{1.0 / 3, 0, 0}}, {roc, "m.mark.tpr", []float64{1, 2.0 / 3, 0}},
		{roc, "m.auc", []float64{8.0 / 9}}, // one pair of nine is the wrong way round
		{calibration, "m.n", []float64{3, 2}}, {calibration, "m.predicted", []float64{0.4 / 3, 0.975}}, {calibration, "m.observed", []float64{1.0 / 3, 1}},
		{confusion, "true", []float64{0, 0, 0, 1, 1, 1, 2, 2, 2}}, {confusion, "predicted", []float64{0, 1, 2, 0, 1, 2, 0, 1, 2}},
		{confusion, "count", []float64{3, 1, 0, 0, 0, 0, 2, 2, 4}}, {confusion, "share", []float64{0.75, 0.25, 0, nan, nan, nan, 0.25, 0.25, 0.5}},
		{weights, "a.lo", []float64{0, -inf}}, {weights, "b.value", []float64{1e-3, 0}},
	} {
		got := column(t, c.fig, c.column)
		for i := range c.want {
			c.want[i] = round9(c.want[i])
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s is %v, want %v", c.column, got, c.want)
		}
	}
	for _, fig := range []*Figure{traces, logs} {
		if _, ok := fig.Panel(1).Y.Tick.Marker.(exponentTicks); !ok || fig.Len() != 5 {
			t.Error("a gradient from 1000 to 0.001 is not logarithmic")
		}
		if _, ok := fig.Panel(0).Y.Tick.Marker.(niceTicks); !ok {
			t.Error("an error from 8 to 1 is not linear")
		}
	}
	if p := weights.Panel(0); two.Len() != 2 || !(p.X.Min < -2 && p.X.Max > 2) {
		t.Errorf("%d panels of two quantities; weights from %v to %v", two.Len(), p.X.Min, p.X.Max)
	}
	for _, v := range []float64{0, 3, -1e9, 1e-9} { // a constant has room
		p := must(Curves(CurvesOptions{}, Curve{"c", func(float64) float64 { return v }}))(t).Panel(0)
		if !(p.Y.Min < v && v < p.Y.Max) {
			t.Errorf("the constant %v is drawn from %v to %v", v, p.Y.Min, p.Y.Max)
		}
	}
}

func TestGreys(t *testing.T) {
	for _, c := range []struct {
		v, lo, hi float64
		want      uint8
	}{{0, 0, 8, 255}, {8, 0, 8, 0}, {0, -4, 4, 128}, {4, -4, 4, 255}, {-4, -4, 4, 0}, {0, 0, 0, 255}} {
		if got := greyOf(c.v, c.lo, c.hi); got != c.want {
			t.Errorf("%v on the scale %v to %v is %d, want %d", c.v, c.lo, c.hi, got, c.want)
		}
	}
	img := grey(mat.NewDense(1, 6, []float64{0, 1, 2, 3, 4, 8}), 0, 3, 0, 8) // the last is at the lower right
	r := img.Bounds()
	if img.At(r.Max.X-1, r.Max.Y-1) != color.Color(color.NRGBA{0, 0, 0, 255}) || img.At(0, 0) != color.Color(paper) {
		t.Error("the largest pixel is not black, or 0 not white")
	}
}

// A logarithmic axis is for positive values that span a thousand or more; zeros at the
// end, an optimum, are left out.
func TestTraceAxis(t *testing.T) {
	for _, c := range []struct {
		y    []float64
		logs bool
	}{
		{[]float64{900, 1}, false}, {[]float64{1000, 1}, true}, {[]float64{1, 1e-5, 0, 0}, true},
		{[]float64{1, 0, 1e-5}, false}, {[]float64{1, -1e-5}, false}, {[]float64{0, 0}, false},
	} {
		var trace classify.Trace
		for _, v := range c.y {
			trace = append(trace, classify.Step{E: v})
		}
		p := must(Trace(trace, TraceOptions{Quantities: []Quantity{QuantityTrainingError}}))(t).Panel(0)
		if _, ok := p.Y.Tick.Marker.(exponentTicks); ok != c.logs {
			t.Errorf("the axis of %v is logarithmic: %v", c.y, ok)
		}
	}
}

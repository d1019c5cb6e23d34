package show

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

func TestProjectionsCountTheRows(t *testing.T) {
	d, _ := twoKinds(t)
	fig := must(Projections(d, ProjectionsOptions{Bins: 20}, Direction{Name: "a", W: []float64{1, 2}},
		Direction{Name: "b", W: []float64{1, -1}}))(t)
	if fig.Len() != 4 || !fig.panels[0].equal {
		t.Errorf("the figure has %d panels, and its first panel has equal axes: %v; want 4 panels (two planes above two histograms) and true",
			fig.Len(), fig.panels[0].equal)
	}
	edge, y, class := column(t, fig, "a.edge"), column(t, fig, "a.y"), column(t, fig, "a.class")
	for k, name := range []string{"a.count0", "a.count1"} {
		counts := column(t, fig, name)
		for i, v := range y {
			for b := range counts {
				if class[i] == float64(k) && v >= edge[b] && (v < edge[b+1] || b == len(counts)-1) {
					counts[b]--
				}
			}
		}
		if slices.Max(counts) != 0 || slices.Min(counts) != 0 {
			t.Errorf("the counts of class %d differ from the numbers of rows in the bins by %v", k, counts)
		}
	}
}

// TestNumbers compares columns of figures with numbers that were computed by hand or that the test
// computes itself.
func TestNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	curves := must(Curves(CurvesOptions{From: -1, To: 1, Points: 3},
		Curve{"$x^2$", func(x float64) float64 { return x * x }},
		Curve{"1/x", func(x float64) float64 { return 1 / x }}))(t)
	slow := classify.Trace{{W: []float64{0, 0}, E: 8, GradNorm: 1e3, Misclassified: 4},
		{W: []float64{3, 4}, E: 4, GradNorm: 1, Misclassified: 2, Iteration: 10},
		{W: []float64{6, 8}, E: 2, GradNorm: 1e-3, Iteration: 100, HeldOut: 1}}
	quick := classify.Trace{{W: []float64{0, 0}, E: 8, GradNorm: 1e3}, {W: []float64{5, 12}, E: 1, GradNorm: 0}}
	all := []Quantity{QuantityTrainingError, QuantityGradientNorm, QuantityMisclassified, QuantityWeightNorm,
		QuantityHeldOutError}
	traces := must(Traces(TracesOptions{Quantities: all}, Path{"slow", slow}, Path{"quick", quick}))(t)
	logs := must(Traces(TracesOptions{Quantities: all, LogIterations: true}, Path{"slow", slow},
		Path{"quick", quick}))(t)
	two := must(Trace(slow, TraceOptions{Quantities: []Quantity{QuantityWeightNorm, QuantityMisclassified}}))(t)
	heldOut := must(Trace(slow, TraceOptions{Quantities: []Quantity{QuantityHeldOutError}}))(t)
	// The points of each class lie on a line parallel to the diagonal. In the projection onto a
	// direction perpendicular to the diagonal, the classes are separate. In the projection onto the x
	// axis, half of the points of each class coincide with points of the other class.
	var labels []int
	var x []float64
	for i := 0.0; i < 10; i++ {
		labels = append(labels, 0, 1)
		x = append(x, i, i, i+5, i+4)
	}
	rows := must(Projections(plane(2, labels, x...), ProjectionsOptions{Bins: 15},
		Direction{Name: "right", W: []float64{1, 0}}, Direction{Name: "across", W: []float64{3, -3}}))(t)
	// The matrix contains two images of 3 × 2 pixels. The second image has a negative value.
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
		CoefficientSet{"a", []float64{1, -2}, []float64{0, -inf}, []float64{2, inf}},
		CoefficientSet{Name: "b", Value: []float64{1e-3, 0}}))(t)
	six := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3})
	overlap, split := []float64{0, 0, 1, 0, 1, 1}, []float64{0, 0, 0, 1, 1, 1}
	model := must(classify.FitLogistic(six, overlap, classify.LogisticOptions{}))(t)
	se := must(model.StandardErrors())(t)[1]
	profile := must(Profile(model, six, overlap, 1, ProfileOptions{X: [2]float64{0, 2}, Points: 3}))(t)
	infinite := must(classify.FitLogistic(six, split, classify.LogisticOptions{}))(t)
	infinite.Features = []string{"dose_2"}
	onlyProfile := must(Profile(infinite, six, split, 1, ProfileOptions{}))(t)
	// By symmetry the best bias is 0 for every slope w. The profile is therefore 2 Σ ln(1 +
	// exp(−kw)) with k = 1, 2, 3.
	ends, _ := onlyProfile.Data().Column("profile.ends")
	rise := 0.0
	for k := range 3 {
		rise += 2 * math.Log1p(math.Exp(-float64(k+1)*ends[0]))
	}
	_, drawn := onlyProfile.Data().Column("parabola.y")
	if math.Abs(rise-3.841458820694124/2) > 1e-9 || !math.IsInf(ends[1], 1) || drawn ||
		!strings.Contains(onlyProfile.Alt, "weight of dose 2;") {
		t.Errorf("separable classes: the profile has the ends %v (want +Inf as the second) and the rise %v (want 1.92); parabola: %v (want false); Alt: %s (want 'weight of dose 2;')",
			ends, rise,
			drawn, onlyProfile.Alt)
	}
	parabola := func(w float64) float64 { z := (w - model.W[1]) / se; return z * z / 2 }
	for _, c := range []struct {
		fig    *Figure
		column string
		want   []float64
	}{
		// This table does not contain the heights of the profile, because ExampleLogistic_Profile of
		// package classify prints them. The quantile of χ²₁ at 0.95 is 3.8415.
		{profile, "parabola.y", []float64{parabola(0), parabola(1), parabola(2)}},
		{profile, "level", []float64{3.841458820694124 / 2}},
		{profile, "parabola.ends", []float64{model.W[1] - 1.959963984540054*se, model.W[1] + 1.959963984540054*se}},
		{profile, "profile.x", []float64{0, 1, 2}},
		// the line in the picture is interrupted at the infinite value
		{curves, "x2", []float64{1, 0, 1}}, {curves, "1/x", []float64{-1, inf, 1}},
		{traces, "slow.iteration", []float64{0, 10, 100}}, {traces, "quick.iteration", []float64{0, 1}},
		{traces, "quick.norm", []float64{0, 13}}, {traces, "slow.heldout", []float64{0, 0, 1}},
		{logs, "slow.iteration", []float64{0, 10, 100}},
		{two, "iteration", []float64{0, 10, 100}}, {two, "norm", []float64{0, 5, 10}},
		{heldOut, "heldout", []float64{0, 0, 1}},
		{rows, "right.overlap", []float64{0.5}}, {rows, "across.overlap", []float64{0}},
		{rows, "across.fisher", []float64{nan}},
		{images, "scale.lo", []float64{-8, -8}}, {images, "scale.hi", []float64{8, 8}},
		{ownGreys, "scale.lo", []float64{0, -4}}, {ownGreys, "scale.hi", []float64{8, 4}},
		// All three rows of C₁ and one row of C₂ have a ≥ 0. Two rows of C₁ and no row of C₂ have a
		// ≥ 2. No row of either class has a ≥ 99.
		{roc, "m.mark.fpr", []float64{1.0 / 3, 0, 0}}, {roc, "m.mark.tpr", []float64{1, 2.0 / 3, 0}},
		{roc, "m.auc", []float64{8.0 / 9}}, // of the nine pairs of a row of C₁ and a row of C₂, one pair is in the wrong order
		{calibration, "m.n", []float64{3, 2}}, {calibration, "m.predicted", []float64{0.4 / 3, 0.975}},
		{calibration, "m.observed", []float64{1.0 / 3, 1}},
		{confusion, "true", []float64{0, 0, 0, 1, 1, 1, 2, 2, 2}},
		{confusion, "predicted", []float64{0, 1, 2, 0, 1, 2, 0, 1, 2}},
		{confusion, "count", []float64{3, 1, 0, 0, 0, 0, 2, 2, 4}},
		{confusion, "share", []float64{0.75, 0.25, 0, nan, nan, nan, 0.25, 0.25, 0.5}},
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
			t.Errorf("the axis of a gradient from 1000 to 0.001 has ticks of type %T, and the figure has %d panels; want exponentTicks (for a logarithmic axis) and 5 panels",
				fig.Panel(1).Y.Tick.Marker, fig.Len())
		}
		if _, ok := fig.Panel(0).Y.Tick.Marker.(niceTicks); !ok {
			t.Errorf("the axis of an error from 8 to 1 has ticks of type %T, want niceTicks (for a linear axis)", fig.Panel(0).Y.Tick.Marker)
		}
	}
	if p := weights.Panel(0); two.Len() != 2 || !(p.X.Min < -2 && p.X.Max > 2) {
		t.Errorf("the trace of two quantities has %d panels, want 2; the axis of the weights runs from %v to %v, want an axis that includes −2 to 2",
			two.Len(), p.X.Min, p.X.Max)
	}
	for _, v := range []float64{0, 3, -1e9, 1e-9} { // the axis must have a range even if the function is constant
		p := must(Curves(CurvesOptions{}, Curve{"c", func(float64) float64 { return v }}))(t).Panel(0)
		if !(p.Y.Min < v && v < p.Y.Max) {
			t.Errorf("the axis of the constant %v runs from %v to %v, want a range around the constant",
				v, p.Y.Min, p.Y.Max)
		}
	}
}

func TestGreys(t *testing.T) {
	for _, c := range []struct {
		v, lo, hi float64
		want      uint8
	}{{0, 0, 8, 255}, {8, 0, 8, 0}, {0, -4, 4, 128}, {4, -4, 4, 255}, {-4, -4, 4, 0}, {0, 0, 0, 255}} {
		if got := greyOf(c.v, c.lo, c.hi); got != c.want {
			t.Errorf("the grey of %v on the scale %v to %v is %d, want %d", c.v, c.lo, c.hi, got, c.want)
		}
	}
	// the last number belongs to the pixel at the lower right
	img := greyImage(mat.NewDense(1, 6, []float64{0, 1, 2, 3, 4, 8}), 0, 3, 0, 8)
	r := img.Bounds()
	if img.At(r.Max.X-1, r.Max.Y-1) != color.Color(color.NRGBA{0, 0, 0, 255}) || img.At(0, 0) != color.Color(paper) {
		t.Errorf("the pixel of the largest number is %v and the pixel of 0 is %v, want black and white",
			img.At(r.Max.X-1, r.Max.Y-1), img.At(0, 0))
	}
}

// TestTraceAxis checks that the axis is logarithmic if all values are positive and the largest value
// is at least a thousand times the smallest. Zeros at the end must be ignored, because they only
// mean that the optimum is reached. TestTraceAxis also checks the Alt text, and the ticks of the axis
// of misclassified inputs.
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
		fig := must(Trace(trace, TraceOptions{}))(t)
		norm := must(Trace(trace, TraceOptions{Quantities: []Quantity{QuantityWeightNorm}}))(t)
		if !strings.HasPrefix(fig.Alt, "Error, gradient and misclassified inputs over") || !strings.HasPrefix(norm.Alt, "Norm of the weights over") {
			t.Errorf("the figures are described as %q and %q, want the quantities that they show", fig.Alt, norm.Alt)
		}
		if _, ok := fig.Panel(0).Y.Tick.Marker.(exponentTicks); ok != c.logs {
			t.Errorf("for the values %v the axis is logarithmic: %v, want the opposite", c.y, ok)
		}
		if _, ok := fig.Panel(2).Y.Tick.Marker.(countTicks); !ok {
			t.Errorf("the axis of misclassified inputs has ticks of type %T, want countTicks, which label only integers", fig.Panel(2).Y.Tick.Marker)
		}
	}
}

// TestEveryPlotIsDrawn makes each kind of figure twice, and also variants with unusual arguments,
// such as a single point or very large numbers. Equal calls must give equal files in every format
// (variants: only in SVG), even if the panels of the figures were drawn for a different page before.
// Each figure must have an Alt text, and Interactive must accept it.
func TestEveryPlotIsDrawn(t *testing.T) {
	d, m, valid := petals(t), fitQDA(t), validArguments(t)
	pairs := must(classify.FitOneVersusOne(d.X, d.Labels, 3, fitTwo, classify.OneVersusOneOptions{}))(t)
	trace := classify.Trace{{W: []float64{0, 0}, E: 2}, {W: []float64{1, 1}, E: 1}}
	level := sheetOf(func(_, _ float64) float64 { return 3 })
	tiny, alternate := mat.NewDense(4, 1, []float64{1e-9, 2e-9, 3e-9, 4e-9}), []float64{1, 0, 1, 0}
	steep := must(classify.FitLogistic(tiny, alternate, classify.LogisticOptions{}))(t)
	objective := func(f func(w []float64) float64) Objective { return ObjectiveFunc(f) }
	score := func(f func(x []float64) []float64) ScoreFunc { return f }
	hole := sheetOf(func(a, _ float64) float64 { return math.Log(max(0, a)) })
	constant := func(v float64) Curve { return Curve{"c", func(float64) float64 { return v }} }
	split := []float64{1, 1, 1, 0, 0, 0}
	separable := must(classify.FitLogistic(valid[4].(mat.Matrix), split, classify.LogisticOptions{}))(t)
	raised := PosteriorSheet("p", m, 0)
	raised.Colors = PosteriorColors(nil)
	calls := map[string]args{
		"Regions with mistakes":    {RegionsOptions{Grid: 30, Mistakes: true}},
		"Boundaries of two":        {Named{"a", m}, Named{"$b$", m}},
		"Posterior of two classes": {logit(0, 1, -1), square()},
		"Discriminants of pairs":   {pairs, DiscriminantsOptions{Grid: 30, Tint: true}},
		"Discriminants without a line": {square(),
			score(func([]float64) []float64 { return []float64{math.Inf(-1), 3} })},
		"Discriminants of equal points": {plane(2, []int{0, 1}, 3, 3, 3, 3),
			score(func(x []float64) []float64 { return []float64{x[0] - 3} })},
		"Contours with samples": {ContoursOptions{Grid: 30, Samples: mat.NewDense(3, 2, nil)}},
		"Loss that is flat":     {objective(func([]float64) float64 { return 3 }), Path{"p", trace[:1]}},
		"Loss with a wall": {
			objective(func(w []float64) float64 { return w[0]*w[0] - math.Log(max(0, 0.5-w[0])) })},
		"Loss with weights near 1e9": {must(classify.LogisticObjective(tiny, alternate, nil))(t),
			Path{"Newton", steep.Trace}},
		"Images of zeros": {mat.NewDense(3, 400, nil)},
		"Images in a row": {d.X.Slice(0, 4, 0, 2), ImagesOptions{Width: 1}},
		"ROC with a mark": {ROCOptions{Thresholds: []float64{1}}},
		"Calibration of a row": {
			CalibrationCurve{"c", must(classify.ScoreCalibration([]float64{1}, []float64{0.5}, 4))(t)}},
		"Confusion of many rows":   {&classify.Confusion{Counts: [][]int{{1, 2}, {3, 1 << 30}}}},
		"Coefficients of one":      {[]string{"x1"}, CoefficientSet{Name: "c", Value: []float64{1}}},
		"Profile of two points":    {separable, split, 0, ProfileOptions{Points: 2}},
		"Trace of one step":        {trace[:1]},
		"Traces of unequal length": {Path{"p", trace}, Path{"q", trace[:1]}},
		"Surfaces of posteriors": {SurfacesOptions{Data: d, Cells: 10}, PosteriorSheet("a", m, 0),
			PosteriorSheet("b", m, 1)},
		"Surfaces of scores": {SurfacesOptions{Data: d, Cells: 12, Z: [2]float64{-20, 5}}, ScoreSheet("a", m, 0),
			ScoreSheet("b", m, 1)},
		"Surfaces of densities":    {SurfacesOptions{Data: d, Cells: 12}, DensitySheet("a", m, 0)},
		"Surfaces that coincide":   {level, level},
		"Surfaces with a hole":     {SurfacesOptions{Cells: 8, Azimuth: 200, Elevation: 60}, hole},
		"Surfaces of unequal axes": {SurfacesOptions{Cells: 4, X: [2]float64{-1e9, 1e9}, Y: [2]float64{0, 1e-9}}},
		"Surfaces in colours":      {SurfacesOptions{Cells: 8, Data: d}, raised},
		"Surfaces over a point":    {SurfacesOptions{Data: plane(1, []int{0}, 2, 2), Cells: 4}},
		"Curves with a gap": {CurvesOptions{Guides: []float64{0}}, constant(0), constant(-1e9), constant(1e-9),
			Curve{"1/x", func(x float64) float64 { return 1 / x }}},
	}
	for name := range plots {
		calls[name] = nil
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
		calls["Regions of "+name] = args{d, PredictFunc(func([]float64) int { return 0 }), RegionsOptions{Grid: 30}}
		calls["Projections of "+name] = args{d,
			Direction{Name: "w", W: []float64{1e-200, 0}, Thresholds: []float64{0}},
			Direction{Name: "v", W: []float64{1e200, 1e200}}}
	}
	for name, with := range calls {
		t.Run(name, func(t *testing.T) {
			plot, _, variant := strings.Cut(name, " ")
			a, b := must(valid.call(plot, with...))(t), must(valid.call(plot, with...))(t)
			must(must(Panels(2, a, b))(t).At(Page).SVG())(t)
			formats := Formats()
			if variant {
				formats = []string{"svg"}
			}
			for _, format := range formats {
				x, y := must(a.Encode(format))(t), must(b.At(Notebook).Encode(format))(t)
				if len(x) == 0 || !bytes.Equal(x, y) {
					t.Errorf("%s: two figures made by the same call have different or empty files", format)
				}
			}
			if a.Alt == "" {
				t.Error("the figure has no Alt text")
			}
			must(Interactive(a))(t)
		})
	}
}

// TestEquationsProjections compares the numbers of the figure with projections that it computes
// itself, for directions of any length. It compares the criterion J with the value computed from
// scatter matrices.
func TestEquationsProjections(t *testing.T) {
	draw := func(r *rand.Rand) (x *mat.Dense, labels []int, w []float64, fig *Figure) {
		n := 5 + r.IntN(20)
		rows := make([]float64, 2*n)
		for i := range rows {
			rows[i] = r.NormFloat64()
		}
		labels = make([]int, n)
		for i := range labels {
			labels[i] = i % 2
		}
		d := plane(2, labels, rows...)
		w = []float64{r.NormFloat64(), 3 * r.NormFloat64()}
		return d.X, labels, w, must(Projections(d, ProjectionsOptions{}, Direction{Name: "w", W: w}))(t)
	}
	// The tolerance is 1e-8, because figures round to nine digits.
	equation.CheckTo(t, "prml-4.20", 1e-8, func(r *rand.Rand) (left, right any) {
		x, _, w, fig := draw(r)
		var y mat.VecDense
		y.MulVec(x, mat.NewVecDense(2, w))
		y.ScaleVec(1/math.Hypot(w[0], w[1]), &y)
		return column(t, fig, "w.y"), &y
	})
	// The tolerance is 1e-6, because the figure computes J from rounded projections.
	equation.CheckTo(t, "prml-4.25", 1e-6, func(r *rand.Rand) (left, right any) {
		x, labels, w, fig := draw(r)
		s := must(classify.NewScatter(x, labels, 2))(t)
		apart := w[0]*(s.ClassMeans.At(1, 0)-s.ClassMeans.At(0, 0)) + w[1]*(s.ClassMeans.At(1, 1)-s.ClassMeans.At(0, 1))
		v := mat.NewVecDense(2, w)
		return column(t, fig, "w.fisher")[0], apart * apart / mat.Inner(v, s.Within, v)
	})
}

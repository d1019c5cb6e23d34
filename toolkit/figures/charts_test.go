package figures

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// steppedChart contains a chart and the checks of its frames. Frame i is the i-th frame that the
// chart's page stores.
type steppedChart struct {
	chart func() (*show.Chart, error)
	draw  func(i int) *show.Figure
	// checkFrame checks the numbers of frame i. This check must fail for the numbers of the next
	// frame, which for the last frame is the first frame.
	checkFrame func(i int, d show.Data)
	// checkAll, if not nil, checks all frames together. This check must fail if the frames are in
	// reverse order.
	checkAll func(frames []show.Data)
	// pageTexts returns texts that the page must show for frame i. An ellipsis (…) at the beginning
	// or end of a text stands for any characters.
	pageTexts func(i int) []string
}

func TestChartsFrameByFrame(t *testing.T) {
	for name, frames := range map[string]func() steppedChart{
		"4.1": func() steppedChart { return geometryFrames(PRML4x1Options{}) },
		"4.1, other options": func() steppedChart {
			return geometryFrames(PRML4x1Options{W0: 3, Norm: 1.7, Angle: -47, X: [2]float64{-1, 2}})
		},
		"4.4":                   outlierFrames,
		"4.6":                   headingFrames,
		"4.7":                   func() steppedChart { return correctionFrames(PRML4x7Options{}) },
		"4.7, many corrections": func() steppedChart { return correctionFrames(PRML4x7Options{N: 60, Rate: 0.02, Angle: 300}) },
		"4.12":                  centreFrames,
		"10.6":                  twoClassFrames,
		"10.7":                  oneInputFrames,
		"10.8":                  threeClassFrames,
		"Newton":                newtonFrames,
	} {
		t.Run(name, func(t *testing.T) {
			c := frames()
			page := pageOf(t, must(c.chart())(t))
			var numbers []show.Data
			for i := range page.Frames {
				numbers = append(numbers, c.draw(i).Data())
			}
			for i, d := range numbers {
				if err := failureOf(func() { c.checkFrame(i, d) }); err != nil {
					t.Errorf("frame %d: %v", i, err)
				}
				if failureOf(func() { c.checkFrame(i, numbers[(i+1)%len(numbers)]) }) == nil {
					t.Errorf("frame %d: the numbers of the next frame also pass the check", i)
				}
				for _, text := range c.pageTexts(i) {
					if !page.shows(i, text) {
						t.Errorf("frame %d does not contain the text %q; its texts are %q", i, text, page.texts(i))
					}
				}
			}
			if c.checkAll == nil {
				return
			}
			if err := failureOf(func() { c.checkAll(numbers) }); err != nil {
				t.Error(err)
			}
			slices.Reverse(numbers)
			if failureOf(func() { c.checkAll(numbers) }) == nil {
				t.Error("the frames in reverse order also pass the check")
			}
		})
	}
}

// page contains the parts of a chart's page that the tests in this file use.
type page struct {
	size  int // size of the page's data in bytes
	Parts []struct {
		With struct{ Labels []string }
	}
	Frames []struct {
		Parts []int
		Title []struct{ Text string }
	}
	Sliders []struct {
		Labels []string
		Start  int
	}
}

func pageOf(t *testing.T, c *show.Chart) (p page) {
	t.Helper()
	_, rest, ok := strings.Cut(must(c.Snippet())(t), "\", data = ")
	var data json.RawMessage
	if err := json.NewDecoder(strings.NewReader(rest)).Decode(&data); err != nil || !ok {
		t.Fatalf("the data of the page are missing or not valid JSON: %v", err)
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	p.size = len(data)
	return p
}

// texts returns the titles and labels of a frame.
func (p page) texts(frame int) (out []string) {
	for _, title := range p.Frames[frame].Title {
		out = append(out, title.Text)
	}
	for _, part := range p.Frames[frame].Parts {
		out = append(out, p.Parts[part].With.Labels...)
	}
	return out
}

func (p page) shows(frame int, text string) bool {
	begin, open := strings.CutSuffix(text, "…")
	end, rest := strings.CutPrefix(text, "…")
	return slices.ContainsFunc(p.texts(frame), func(s string) bool {
		return s == text || open && strings.HasPrefix(s, begin) || rest && strings.HasSuffix(s, end)
	})
}

// TestInteractiveFigures checks that exactly the figures in the map `starts` have a chart. The
// catalogue must contain the code of each chart. The sliders of a chart must start at the positions
// in `starts`, which show the printed figure or the beginning of a sequence. The page of the chart
// must be small.
func TestInteractiveFigures(t *testing.T) {
	starts := map[string][]string{
		"fig-prml-4.1": {"20°", "−4.8"}, "fig-prml-4.4": {"8", "1×"}, "fig-prml-4.6": {"177.4° (line of the means)"},
		"fig-prml-4.7":  {"0"},
		"fig-prml-4.10": nil, "fig-prml-4.12": {"(−1.50, −1.00)", "(1.50, 1.00)"}, "fig-alpaydin-10.6": {"0"},
		"fig-alpaydin-10.7": {"0"},
		"fig-alpaydin-10.8": {"0"}, "fig-alpaydin-10.10": nil, "fig-gambosi-gda": nil, "fig-gambosi-newton": {"start"},
	}
	for _, e := range All() {
		want, interactive := starts[e.ID]
		delete(starts, e.ID)
		if (e.Chart != nil) != interactive || strings.Contains(e.ChartCall, "Chart(figures.") != interactive {
			t.Errorf("%s: the entry has a chart: %v, and its ChartCall is %q; want both if and only if the figure is a key of the map \"starts\"", e.ID, e.Chart != nil, e.ChartCall)
		}
		if !interactive {
			continue
		}
		p := pageOf(t, must(e.Chart())(t))
		var got []string
		for _, s := range p.Sliders {
			got = append(got, s.Labels[s.Start])
		}
		if !slices.Equal(got, want) {
			t.Errorf("the sliders of %s start at %q, want %q", e.ID, got, want)
		}
		if p.size > 400_000 {
			t.Errorf("%s: the data of %d frames are %d bytes, want at most 400000; draw fewer or coarser frames", e.ID, len(p.Frames),
				p.size)
		}
	}
	if len(starts) > 0 {
		t.Errorf("the catalogue does not contain the figures %v", slices.Collect(maps.Keys(starts)))
	}
}

// geometryFrames returns the checks of figure 4.1. In each frame, w must have the length in the
// option Norm. The angle of w and the bias w0 must equal the numbers at the positions of their
// sliders.
func geometryFrames(o PRML4x1Options) steppedChart {
	chart := func() (*show.Chart, error) { return PRML4x1Chart(o) }
	o = withDefaults(o)
	g := newGeometries(o)
	at := func(i int) (w []float64, y float64) {
		sin, cos := math.Sincos(g.angles[i/len(g.biases)] * math.Pi / 180)
		w = []float64{g.biases[i%len(g.biases)], o.Norm * cos, o.Norm * sin}
		return w, affine(w, o.X[0], o.X[1])
	}
	// Each slider must have a position for the value of its option.
	start, y0 := at(g.start[0]*len(g.biases) + g.start[1])
	checkNear(y0, singleNumber(try(PRML4x1(o)).Data(), "y"), 1e-8, "y(x) at the start")
	checkNear(start[0], o.W0, 1e-9, "w0 at the start")
	// label returns a label that ends in a number. The number has the same format as on the page.
	label := func(what string, v float64) string {
		return what + " = " + minus(fmt.Sprintf("%.3g", math.Round(v*1e9)/1e9+0))
	}
	return steppedChart{
		chart: chart,
		draw:  func(i int) *show.Figure { return g.figure(i/len(g.biases), i%len(g.biases)) },
		checkFrame: func(i int, d show.Data) {
			want, y := at(i)
			for j, w := range column(d, "w") {
				checkNear(w, want[j], 1e-7, fmt.Sprintf("w%d", j))
			}
			checkNear(singleNumber(d, "y"), y, 1e-7, "y")
			checkGeometry(d, want)
		},
		pageTexts: func(i int) []string {
			w, y := at(i)
			return []string{label("−w₀/‖w‖", -w[0]/o.Norm), label("y(x)/‖w‖", y/o.Norm), "…" + label("y(x)", y)}
		},
	}
}

// outlierFrames returns the checks of figure 4.4. Without outliers the boundaries must turn by 0°.
// With each additional outlier, the boundary of least squares must turn farther. With 20 outliers, it
// must also turn farther for each position of the cloud that is farther out. In all these frames the
// boundary of logistic regression must turn by less than 3°.
func outlierFrames() steppedChart {
	o := withDefaults(PRML4x4Options{})
	counts, _ := outlierCounts(o.Outliers)
	p, n := newOutlierScene(o, 20, slices.Max(cloudPlaces), true), len(cloudPlaces)
	drawn := slices.Index(cloudPlaces, asDrawn)
	return steppedChart{
		chart: func() (*show.Chart, error) { return PRML4x4Chart(PRML4x4Options{}) },
		draw:  func(i int) *show.Figure { return p.withTurns(counts[i/n], cloudPlaces[i%n]) },
		checkFrame: func(i int, d show.Data) {
			checkNear(float64(len(column(d, "b.points.x"))), 100, 0, "the number of points")
			checkNear(float64(len(column(d, "b.outliers.x"))), float64(counts[i/n]), 0, "the number of outliers")
			checkNear(singleNumber(d, "outliers.place"), cloudPlaces[i%n], 1e-9, "the place of the cloud of outliers")
			// at the place asDrawn, the x coordinate of the outliers has mean 8.5 and standard deviation 0.45
			if x := column(d, "b.outliers.x"); counts[i/n] > 0 {
				checkNear(stat.Mean(x, nil), 8.5*cloudPlaces[i%n], 1.5, "the mean x coordinate of the outliers")
			}
			turnsAsDrawn(d)
		},
		checkAll: func(frames []show.Data) {
			require(len(frames) == 21*n && counts[0] == 0 && counts[20] == 20,
				"the chart has %d frames for the counts %v, want one frame for each count at each place, and the counts 0 to 20", len(frames), counts)
			// For outliers that are farther away, the boundary of least squares must turn by a
			// larger angle, and the boundary of logistic regression must hardly turn.
			farther := -1.0
			for _, d := range frames[20*n:] {
				squares, logistic := singleNumber(d, "turn.least squares"), singleNumber(d, "turn.logistic")
				require(squares > farther && logistic < 3,
					"when the cloud moves out, least squares turns by %v°, want more than %v°; logistic regression turns by %v°, want less than 3°",
					squares, farther, logistic)
				farther = squares
			}
			before := -1.0
			for i := range counts {
				d := frames[i*n+drawn]
				squares, logistic := singleNumber(d, "turn.least squares"), singleNumber(d, "turn.logistic")
				require(i > 0 || squares == 0 && logistic == 0,
					"without outliers the boundaries turn by %v° and %v°, want 0",
					squares, logistic)
				require(squares > before, "with %d outliers least squares turns by %v°, want more than %v°", i, squares,
					before)
				require(logistic < 3, "with %d outliers logistic regression turns by %v°, want less than 3°", i, logistic)
				before = squares
				// The printed figure with i outliers must have the same numbers as this frame.
				if i == 1 || i == 8 || i == 20 {
					printed := try(PRML4x4(PRML4x4Options{Outliers: i})).Data()
					require(singleNumber(printed, "turn.least squares") == squares &&
						singleNumber(printed, "turn.logistic") == logistic,
						"with %d outliers, the printed figure turns least squares by %v° (want %v°, as in the chart) and logistic regression by %v° (want %v°)",
						i, singleNumber(printed, "turn.least squares"), squares,
						singleNumber(printed, "turn.logistic"), logistic)
				}
			}
		},
		pageTexts: func(i int) []string {
			d := p.figure(counts[i/n], cloudPlaces[i%n]).Data()
			return []string{fmt.Sprintf("least squares turns by %.1f°, logistic regression by %.1f°",
				singleNumber(d, "turn.least squares"), singleNumber(d, "turn.logistic"))}
		},
	}
}

// TestOutlierCounts checks the slider of a figure with fifty outliers. The last position of the
// slider must show fifty outliers, and the slider must start at this position.
func TestOutlierCounts(t *testing.T) {
	if counts, start := outlierCounts(50); len(counts) != 21 || counts[0] != 0 || start != 20 || counts[start] != 50 || !slices.IsSorted(counts) {
		t.Errorf("the slider has the counts %v and starts at index %d, want 21 ascending counts from 0 to 50, starting at index 20", counts, start)
	}
}

// headingFrames returns the checks of figure 4.6. At every slider position, J must equal the value
// computed from the drawn points. J must be largest at Fisher's direction. The projected means must
// be farthest apart for the direction from one mean to the other.
func headingFrames() steppedChart {
	l := newTwoLongClasses(withDefaults(PRML4x6Options{}))
	all := l.headings()
	return steppedChart{
		chart: func() (*show.Chart, error) { return PRML4x6Chart(PRML4x6Options{}) },
		draw:  func(i int) *show.Figure { return l.drawProjected(all[i], 30) },
		checkFrame: func(i int, d show.Data) {
			y := column(d, "direction.y")
			drawn, _ := fisherOf(y, column(d, "direction.class"))
			checkNear(singleNumber(d, "direction.fisher"), drawn, 1e-7, "J")
			sin, cos := math.Sincos(all[i].degrees * math.Pi / 180)
			checkNear(y[1], cos*l.X.At(1, 0)+sin*l.X.At(1, 1), 1e-7, "a projection")
			checkNear(singleNumber(d, "degrees"), all[i].degrees, 1e-6, "the angle")
		},
		checkAll: func(frames []show.Data) {
			require(len(frames) == 39 && all[0].degrees == 0 && all[38].degrees == 180,
				"the slider has %d positions from %v° to %v°, want 39 positions from 0° to 180°",
				len(frames), all[0].degrees, all[len(all)-1].degrees)
			var js, gaps []float64
			for _, d := range frames {
				v, gap := fisherOf(column(d, "direction.y"), column(d, "direction.class"))
				js, gaps = append(js, v), append(gaps, gap)
			}
			largest, farthest := slices.Max(js), slices.Max(gaps)
			checkNear(largest, l.fisher.J, 1e-7, "the largest J")
			at, apart := all[slices.Index(js, largest)], all[slices.Index(gaps, farthest)]
			require(at.name == fisherHeading, "J is largest at the position %s, want Fisher's direction", at.label())
			require(apart.name == meansHeading, "the means are farthest apart at the position %s, want the line of the means", apart.label())
		},
		pageTexts: func(i int) []string {
			j := singleNumber(l.drawProjected(all[i], 30).Data(), "direction.fisher")
			return []string{fmt.Sprintf("J = %.3f (largest: %.3f)", j, l.fisher.J), all[i].label()}
		},
	}
}

// correctionFrames returns the checks of figure 4.7. Frame n must have the numbers that the printed
// figure has after n corrections, and mark the point that the next correction uses. In the last frame,
// no point may be misclassified.
func correctionFrames(o PRML4x7Options) steppedChart {
	c, printed := newCorrections(withDefaults(o)), try(PRML4x7(o)).Data()
	wrong, nextX, nextY := column(printed, "mistakes"), column(printed, "mistake.x"), column(printed, "mistake.y")
	return steppedChart{
		chart: func() (*show.Chart, error) { return PRML4x7Chart(o) },
		draw:  c.step,
		checkFrame: func(n int, d show.Data) {
			for j, w := range column(d, "w") {
				checkNear(w, column(printed, fmt.Sprintf("w.%d", j))[n], 1e-7, fmt.Sprintf("w%d", j))
			}
			checkNear(singleNumber(d, "mistakes"), wrong[n], 0, "the number of mistakes")
			x, y, _ := drawnPart(d, "square: the mistake to correct")
			require(slices.Equal(x, nextX[n:min(n+1, len(nextX))]) && slices.Equal(y, nextY[n:min(n+1, len(nextY))]),
				"the points (%v, %v) are marked as the next mistake, want (%v, %v): the point that the printed figure corrects next, or no point after the last correction",
				x, y, nextX[n:min(n+1, len(nextX))], nextY[n:min(n+1, len(nextY))])
		},
		checkAll: func(frames []show.Data) {
			require(len(frames) == len(wrong) && singleNumber(frames[len(frames)-1], "mistakes") == 0,
				"there are %d frames for %d weight vectors, want equal numbers; the last frame has %v mistakes, want 0",
				len(frames), len(wrong), singleNumber(frames[len(frames)-1], "mistakes"))
		},
		pageTexts: func(n int) []string { return []string{stage(n, wrong[n])} },
	}
}

func TestPRML4x7ManyCorrections(t *testing.T) {
	// A run with many corrections must have four panels: one for each of the first three corrections,
	// and one for the result.
	fig := must(PRML4x7(PRML4x7Options{N: 60, Rate: 0.02, Angle: 300}))(t)
	mistakes := column(fig.Data(), "mistakes")
	if fig.Len() != 4 || len(mistakes) < 6 || mistakes[len(mistakes)-1] != 0 {
		t.Errorf("the figure has %d panels, and the numbers of mistakes are %v; want 4 panels, at least 6 numbers and 0 mistakes at the end", fig.Len(), mistakes)
	}
	// A run must have only one panel if no point is misclassified at the start.
	fig = must(PRML4x7(PRML4x7Options{N: 1, Angle: 45, Seed: 1}))(t)
	if mistakes := column(fig.Data(), "mistakes"); fig.Len() != 1 || len(mistakes) != 1 {
		t.Errorf("the figure has %d panels for %d weight vectors, want one panel for one vector", fig.Len(), len(mistakes))
	}
}

// centreFrames returns the checks of figure 4.12. Every combination of positions of the two centres
// must have its own fit.
func centreFrames() steppedChart {
	o := withDefaults(PRML4x12Options{})
	s, n := o.scene(), len(prml4x12Places)
	return steppedChart{
		chart: func() (*show.Chart, error) { return PRML4x12Chart(PRML4x12Options{}) },
		draw:  func(i int) *show.Figure { return o.frame(s, i/n, i%n) },
		checkFrame: func(i int, d show.Data) {
			// The centres are (−1.5, −1) and (1.5, 1), multiplied by the slider positions f and g.
			f, g := prml4x12Places[i/n], prml4x12Places[i%n]
			checkFit(d, [2][2]float64{{-1.5 * f, -f}, {1.5 * g, g}})
		},
		pageTexts: func(i int) []string {
			return []string{mistakesText(int(singleNumber(o.frame(s, i/n, i%n).Data(), "mistakes.φ")), 120) +
				"; without basis functions 40"}
		},
	}
}

// checkFit checks the numbers of figure 4.12 for the given centres. The points of the second panel
// must be the values φ(x) for the points x of the first panel. The weights must be optimal for the
// features φ. In both panels the boundary must match the weights, and in the plane of φ it must be
// straight. The number of misclassified points must also match the weights.
func checkFit(d show.Data, centres [2][2]float64) {
	const width, alpha = 1.3, 0.01
	phi := func(j int, x, y float64) float64 {
		return math.Exp(-(math.Pow(x-centres[j][0], 2) + math.Pow(y-centres[j][1], 2)) / (2 * width * width))
	}
	x, y, class := drawnPart(d, "a.points")
	px, py, _ := drawnPart(d, "b.points")
	w := column(d, "model.w")
	require(len(w) == 3 && len(px) == 120, "the model has %d weights and %d points, want 3 and 120", len(w), len(px))
	// The gradient ∇E is Σ (y − t) φ + α w, where the prior does not include the bias.
	gradient := [3]float64{0, alpha * w[1], alpha * w[2]}
	for i := range px {
		checkNear(px[i], phi(0, x[i], y[i]), 1e-8, "φ₁ of a point")
		checkNear(py[i], phi(1, x[i], y[i]), 1e-8, "φ₂ of a point")
		r := sigmoid(affine(w, px[i], py[i])) - (1 - class[i])
		gradient[0], gradient[1], gradient[2] = gradient[0]+r, gradient[1]+r*px[i], gradient[2]+r*py[i]
	}
	for j, g := range gradient {
		checkNear(g, 0, 1e-4, fmt.Sprintf("the derivative of the error with respect to w%d", j))
	}
	checkNear(singleNumber(d, "mistakes.φ"), wrongSide(d, "b.points", w), 0, "the number of mistakes")
	n := onLine(d, "b.boundary", w, 1e-7)
	require(n == 0 || n == 2, "the boundary in the plane of φ has %d points, want 0 or 2, because it is a straight line", n)
	bx, by, _ := drawnPart(d, "a.boundary")
	for i := range bx {
		checkNear(affine(w, phi(0, bx[i], by[i]), phi(1, bx[i], by[i]))/math.Hypot(w[1], w[2]), 0, 1e-6,
			"the distance of a boundary point from the line, in the plane of φ")
	}
}

// checkedIterations lists the iterations at which the tests check the stepped charts.
var checkedIterations = []int{0, 1, 2, 3, 7, 20, 300}

func twoClassFrames() steppedChart {
	o := Alpaydin10x6Options{Iterations: checkedIterations}
	return descentFrames(withDefaults(o).run(mostFrames), 1,
		func() (*show.Chart, error) { return Alpaydin10x6Chart(o) })
}

func threeClassFrames() steppedChart {
	o := Alpaydin10x8Options{Iterations: checkedIterations}
	return descentFrames(withDefaults(o).run(mostFrames), 3,
		func() (*show.Chart, error) { return Alpaydin10x8Chart(o) })
}

// descentFrames returns the checks of figures 10.6 (k = 1) and 10.8. Frame i must show the result
// of checkedIterations[i] iterations of the printed algorithm. The checks compare the weights, the
// error, the number of points on the wrong side, the contribution of each point to the next update,
// and the boundary.
func descentFrames(run *descent, k int, chart func() (*show.Chart, error)) steppedChart {
	x, y, class := mat.Col(nil, 0, run.data.X), mat.Col(nil, 1, run.data.X), labels(run.data)
	// state returns the contribution of every point to the next update, the error, and the number
	// of misclassified points. All three are computed for the weights w.
	state := func(w []float64) (part []float64, e, wrong float64) {
		for t := range x {
			out := outputs(w, x[t], y[t], k)
			own := out[int(class[t])]
			part, e = append(part, 1-own), e-math.Log(own)
			if own < slices.Max(out) {
				wrong++
			}
		}
		return part, e, wrong
	}
	return steppedChart{
		chart: chart,
		draw:  func(i int) *show.Figure { return run.frame(checkedIterations[i]) },
		checkFrame: func(i int, d show.Data) {
			w := run.trace[checkedIterations[i]].W // the test of the printed figure checks this trace
			part, e, wrong := state(w)
			checkNear(singleNumber(d, "step.iteration"), float64(checkedIterations[i]), 0, "the iteration")
			checkNear(singleNumber(d, "step.E"), e, 1e-5, "E")
			checkNear(singleNumber(d, "b.this iteration.y"), e, 1e-5, "the mark on the curve of E")
			checkNear(singleNumber(d, "step.misclassified"), wrong, 0, "the number of points on the wrong side")
			for j, v := range column(d, "step.w") {
				checkNear(v, w[j], 1e-7*max(1, math.Abs(w[j])), fmt.Sprintf("w%d", j))
			}
			for t, v := range column(d, "a.part") {
				checkNear(v, part[t], 1e-6, "the contribution of a point")
			}
			bx, by, _ := drawnPart(d, "a.boundary")
			first, second := column(d, "a.boundary.i"), column(d, "a.boundary.j")
			require(len(bx) > 0, "no boundary is drawn")
			for i := range bx {
				out := outputs(w, bx[i], by[i], k)
				checkNear(out[int(first[i])], out[int(second[i])], 1e-5, "on the boundary between two classes, the output of the first class")
			}
		},
		pageTexts: func(i int) []string {
			_, e, wrong := state(run.trace[checkedIterations[i]].W)
			return []string{fmt.Sprintf("E = %.2f,  %s…", e, mistakesText(int(wrong), run.data.N()))}
		},
	}
}

// TestDescentMark checks the mark on the error curve for a run with a logarithmic axis of E. The
// axis is logarithmic because E falls by a large factor.
func TestDescentMark(t *testing.T) {
	run := withDefaults(Alpaydin10x8Options{N: 4, Spread: 0.05, Rate: 1, Iterations: []int{1000}}).run(mostFrames)
	d := run.frame(1000).Data()
	at, e := singleNumber(d, "b.this iteration.y"), singleNumber(d, "step.E")
	if e > run.trace[0].E/1000 {
		t.Fatalf("E falls only from %v to %v, want a fall by a factor of 1000, so that the axis is logarithmic", run.trace[0].E, e)
	}
	if math.Abs(at-math.Log10(e)) > 1e-6 {
		t.Errorf("the height of the mark is %v, want log₁₀E = %v", at, math.Log10(e))
	}
}

// oneInputFrames returns the checks of figure 10.7. The line and the sigmoid must match the weights
// of the printed algorithm, and ‖w‖ must grow from frame to frame.
func oneInputFrames() steppedChart {
	o := Alpaydin10x7Options{Iterations: checkedIterations}
	chart := func() (*show.Chart, error) { return Alpaydin10x7Chart(o) }
	o = withDefaults(o)
	d, trace := o.run(mostFrames)
	inputs, zeros := mat.Col(nil, 0, d.X), make([]float64, d.N())
	// The 0 is the weight of a second input, whose values are all 0.
	states := [][]float64{append(slices.Clone(trace[0].W), 0)}
	for n := range 300 {
		states = append(states, updatedWeights(states[n], inputs, zeros, labels(d), 1, o.Rate))
	}
	return steppedChart{
		chart: chart,
		draw:  func(i int) *show.Figure { return alpaydin10x7Frame(d, trace, checkedIterations[:i+1]) },
		checkFrame: func(i int, numbers show.Data) {
			w := states[checkedIterations[i]]
			checkNear(singleNumber(numbers, "step.iteration"), float64(checkedIterations[i]), 0, "the iteration")
			x, line, _ := drawnPart(numbers, "a.now")
			require(len(x) == 2, "the line has %d points, want 2", len(x))
			for i := range x {
				checkNear(line[i], w[0]+w[1]*x[i], 1e-6, "the line")
			}
			x, curve, _ := drawnPart(numbers, "b.now")
			for i := range x {
				checkNear(curve[i], sigmoid(w[0]+w[1]*x[i]), 1e-6, "the sigmoid")
			}
			checkNear(singleNumber(numbers, "step.misclassified"), misclassified(inputs, labels(d), w[0], w[1]), 0, "the number of points on the wrong side")
		},
		checkAll: func(frames []show.Data) {
			for i := 1; i < len(frames); i++ {
				require(singleNumber(frames[i], "step.norm") > singleNumber(frames[i-1], "step.norm"),
					"‖w‖ is %v in frame %d, want more than in the previous frame, where it is %v",
					singleNumber(frames[i], "step.norm"), i, singleNumber(frames[i-1], "step.norm"))
			}
		},
		pageTexts: func(i int) []string {
			return []string{"after " + plural(checkedIterations[i],
				"iteration") + ": …"}
		},
	}
}

// newtonFrames returns the checks for the figure of Newton's method. Each tangent must end at its
// root, where the next step begins. Each step of the fit with a bias must solve Newton's equations.
// The last frame must have the same iterates and distances as the printed figure.
func newtonFrames() steppedChart {
	run := withDefaults(GambosiNewtonOptions{}).run()
	places := run.places()
	x, t := run.one.x, run.t
	printed := try(GambosiNewton(GambosiNewtonOptions{})).Data()
	w, v := column(printed, "newton.w"), [][2]float64{{}} // both weights of the fit with a bias start at 0
	for n := range newtonSteps {
		v = append(v, newtonStep(x, t, v[n]))
	}
	return steppedChart{
		chart: func() (*show.Chart, error) { return GambosiNewtonChart(GambosiNewtonOptions{}) },
		draw:  func(i int) *show.Figure { return run.frame(places[i]) },
		checkFrame: func(i int, d show.Data) {
			p := places[i]
			got := column(d, "newton.w")
			require(len(got) == p.roots+1, "Newton's method took %d steps, want %d", len(got)-1, p.roots)
			checkNear(got[p.roots], w[p.roots], 1e-7, "w")
			tx, ty, _ := drawnPart(d, "a.tangents")
			require(len(tx) == 3*p.tangents, "the tangents have %d points, want three for each of %d tangents",
				len(tx), p.tangents)
			for k := 0; k < len(tx); k += 3 {
				checkNear(tx[k], got[k/3], 0, "the beginning of a tangent")
				checkNear(tx[k+1], w[k/3+1], 1e-7, "the end of a tangent")
				checkNear(ty[k+1], 0, 1e-8, "the height of the end of a tangent")
			}
			px, py, _ := drawnPart(d, "b.Newton")
			last, want := len(px)-1, v[p.steps]
			require(last >= 0 && last <= p.steps, "the path of Newton's method has %d points after %d steps, want at least one point, and at most one point more than steps", len(px), p.steps)
			checkNear(math.Hypot(px[last]-want[0], py[last]-want[1]), 0, 1e-6,
				"the distance between the end of the path and w")
			descent, _, _ := drawnPart(d, "b.gradient descent")
			require(len(descent) == p.steps+1,
				"the path of gradient descent has %d points after %d steps, want one point more than steps",
				len(descent), p.steps)
			sx, sy, _ := drawnPart(d, "c.p(C1|x) now")
			require(len(sx) > 0, "no sigmoid is drawn")
			for i := range sx {
				checkNear(sy[i], sigmoid(want[0]+want[1]*sx[i]), 1e-6, "the sigmoid")
			}
		},
		checkAll: func(frames []show.Data) {
			require(len(frames) == len(places) && len(places) >= 15 && len(places) <= 60,
				"there are %d frames for %d slider positions, want equal numbers from 15 to 60", len(frames), len(places))
			for _, name := range []string{"newton.w", "newton.slope", "b.Newton.x", "b.gradient descent.y", "error.one weight", "error.Newton", "error.gradient descent"} {
				got, want := column(frames[len(frames)-1], name), column(printed, name)
				require(len(want) > 0 && slices.Equal(got, want),
					"the column %s is %v, want %v as in the printed figure", name, got, want)
			}
		},
		pageTexts: func(i int) []string {
			switch p := places[i]; {
			case p.steps > 0:
				return []string{"‖w − w*‖: Newton–Raphson …"}
			case p.tangents > p.roots:
				return []string{"the tangent at w₍" + string('₀'+rune(p.roots)) + "₎ = …"}
			default:
				return []string{"w₍" + string('₀'+rune(p.roots)) + "₎ = …"}
			}
		},
	}
}

// newtonStep solves H s = ∇E and returns v − s. It computes ∇E and H as the sums (4.96) and (4.97).
func newtonStep(x, t []float64, v [2]float64) [2]float64 {
	var g [2]float64
	var h00, h01, h11 float64
	for n := range x {
		y := sigmoid(v[0] + v[1]*x[n])
		r := y * (1 - y)
		g[0], g[1] = g[0]+y-t[n], g[1]+(y-t[n])*x[n]
		h00, h01, h11 = h00+r, h01+r*x[n], h11+r*x[n]*x[n]
	}
	s1 := (g[1] - h01/h00*g[0]) / (h11 - h01*h01/h00)
	return [2]float64{v[0] - (g[0]-h01*s1)/h00, v[1] - s1}
}

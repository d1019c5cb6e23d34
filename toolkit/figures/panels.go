package figures

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// This file contains elements that several figures draw.

// blankFigure returns a figure with one empty panel, whose axes have the given ranges.
func blankFigure(xLabel, yLabel string, x, y [2]float64) *show.Figure {
	p := show.NewPanel(xLabel, yLabel)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x[0], x[1], y[0], y[1]
	return try(show.NewFigure(1, p))
}

// equalPanels arranges figures with one panel each in rows of `cols` panels. In each panel, one unit
// has the same length on both axes, so a round cloud looks round.
func equalPanels(cols int, figures ...*show.Figure) *show.Figure {
	fig := try(show.Panels(cols, figures...))
	for i := range figures {
		check(fig.EqualAxes(i))
	}
	return fig
}

// wholeRange returns a range whose ends are integers. The range extends at least 1/2 beyond the
// values of a column on both sides.
func wholeRange(d *datasets.Dataset, column int) [2]float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range d.N() {
		v := d.X.At(i, column)
		lo, hi = min(lo, v), max(hi, v)
	}
	return [2]float64{math.Floor(lo - 0.5), math.Ceil(hi + 0.5)}
}

// equalRanges returns an x range and a y range of equal length that include all points of d.
func equalRanges(d *datasets.Dataset) (x, y [2]float64) {
	x, y = wholeRange(d, 0), wholeRange(d, 1)
	more := (y[1] - y[0] - (x[1] - x[0])) / 2
	if more > 0 {
		return [2]float64{x[0] - more, x[1] + more}, y
	}
	return x, [2]float64{y[0] + more, y[1] - more}
}

// firstClassTargets returns the targets of two classes: 1 for the first class, 0 for the second.
func firstClassTargets(d *datasets.Dataset) []float64 { return try(d.Target(d.ClassNames[0])) }

// addPoints draws a marker for each point, in the style of its class. The call place(i) returns the
// position of the marker of point i. If the argument `named` is true, the legend names the classes,
// and the Data of the figure contains the positions of the markers. Size 0 means the default size.
func addPoints(fig *show.Figure, panel int, d *datasets.Dataset, named bool, size float64,
	place func(i int) (x, y float64)) {
	for k := range d.K() {
		var x, y []float64
		for i, label := range d.Labels {
			if label == k {
				px, py := place(i)
				x, y = append(x, px), append(y, py)
			}
		}
		name := ""
		if named {
			name = className(k)
		}
		check(fig.AddMarks(panel, name, x, y, show.Look{Color: show.ClassColor(k), Marker: k, Size: size}))
	}
}

// labels returns the class number of each row.
func labels(d *datasets.Dataset) []float64 {
	out := make([]float64, d.N())
	for i, k := range d.Labels {
		out[i] = float64(k)
	}
	return out
}

// className returns the name of class k as TeX markup.
func className(k int) string { return fmt.Sprintf("$C_%d$", k+1) }

// mistakes returns the number of rows that the model m misclassifies.
func mistakes(m classify.Predictor, d *datasets.Dataset) float64 {
	n := 0.0
	for i, k := range try(m.Predict(d.X)) {
		if k != d.Labels[i] {
			n++
		}
	}
	return n
}

// boundaryLine returns the boundary of a model in a part of the plane. In the returned columns, NaN
// separates the pieces of the boundary.
func boundaryLine(m classify.Predictor, d *datasets.Dataset, x, y [2]float64) (lx, ly []float64) {
	found := try(show.Boundaries(d, show.BoundariesOptions{X: x, Y: y}, show.Named{Name: "m", Model: m})).Data()
	return joinedPieces(found, "m")
}

// joinedPieces returns the line with the given name. It reads the line from d, the Data of a
// figure. In the returned columns, NaN separates the pieces of the line.
func joinedPieces(d show.Data, name string) (x, y []float64) {
	piece, px, py := column(d, name+".piece"), column(d, name+".x"), column(d, name+".y")
	for i := range piece {
		if i > 0 && piece[i] != piece[i-1] {
			x, y = append(x, math.NaN()), append(y, math.NaN())
		}
		x, y = append(x, px[i]), append(y, py[i])
	}
	return x, y
}

// addHalfPlanes tints the two sides of the line that passes through the point `foot` and has the
// unit normal n. The tint extends to the distance `far`. addHalfPlanes returns the two points of
// the line at this distance from `foot`.
func addHalfPlanes(fig *show.Figure, n, foot []float64, far float64) (x, y []float64) {
	x = []float64{foot[0] + far*n[1], foot[0] - far*n[1]}
	y = []float64{foot[1] - far*n[0], foot[1] + far*n[0]}
	for k, s := range []float64{far, -far} {
		check(fig.AddArea(0, "", []float64{x[0], x[1], x[1] + s*n[0], x[0] + s*n[0]},
			[]float64{y[0], y[1], y[1] + s*n[1], y[0] + s*n[1]}, show.Look{Color: show.ClassColor(k)}))
	}
	return x, y
}

// addSideNames writes a label on each side of the line that passes through the point `foot` and has
// the normal n. The first label is on the side to which n points. Each label is in the corner of the
// picture that is farthest from the line on its side. In an upper corner, the label is `below`
// points below the upper edge. A side that is outside the picture has no label.
func addSideNames(fig *show.Figure, n, foot []float64, x, y [2]float64, size, below float64, labels ...string) {
	for k, label := range labels {
		deepest, at := 0.0, [2]float64{}
		for _, cx := range x {
			for _, cy := range y {
				if depth := float64(1-2*k) * (n[0]*(cx-foot[0]) + n[1]*(cy-foot[1])); depth > deepest {
					deepest, at = depth, [2]float64{cx, cy}
				}
			}
		}
		if deepest == 0 {
			continue
		}
		dx, dy, align := 8.0, 8.0, 0.0
		if at[0] == x[1] {
			dx, align = -8, -1
		}
		if at[1] == y[1] {
			dy = -below
		}
		check(fig.AddText(0, label, at[0], at[1], dx, dy,
			show.Look{Size: size, Align: align, Color: show.ClassColor(k)}))
	}
}

// labelBeside writes a label next to (x, y). The unit vector (ux, uy) points from (x, y) towards
// the label.
func labelBeside(fig *show.Figure, label string, x, y, ux, uy float64, l show.Look) error {
	switch {
	case ux < -0.4:
		l.Align = -1
	case ux < 0.4:
		l.Align = -0.5
	}
	return fig.AddText(0, label, x, y, 10*ux, 10*uy-3, l)
}

// halo returns a light tint of a colour. It is darker than the tint of a region.
func halo(c color.NRGBA) color.NRGBA {
	tint := func(v uint8) uint8 { return uint8(math.Round(255 - 0.5*(255-float64(v)))) }
	return color.NRGBA{R: tint(c.R), G: tint(c.G), B: tint(c.B), A: 255}
}

// addNumbers appends a column with the given numbers to the Data of a figure.
func addNumbers(fig *show.Figure, name string, values ...float64) { fig.AddData(name, values) }

// lineOf returns the function w₀ + w₁x.
func lineOf(w []float64) func(float64) float64 {
	return func(x float64) float64 { return w[0] + w[1]*x }
}

// sigmoidOf returns the function σ(w₀ + w₁x).
func sigmoidOf(w []float64) func(float64) float64 {
	return func(x float64) float64 { return kernels.Sigmoid(w[0] + w[1]*x) }
}

// sigmoidAxes returns the axes of a plot of sigmoids from −`far` to `far`, with lines at 0, 1/2 and
// 1.
func sigmoidAxes(xLabel string, far float64) show.CurvesOptions {
	return show.CurvesOptions{XLabel: xLabel, From: -far, To: far, Y: [2]float64{-0.05, 1.05},
		Guides: []float64{0, 0.5, 1}}
}

// addColumns appends the columns of a table to the Data of a figure.
func addColumns(fig *show.Figure, rows [][]float64, names ...string) {
	for j, name := range names {
		var column []float64
		for _, r := range rows {
			column = append(column, r[j])
		}
		fig.AddData(name, column)
	}
}

// Most of the following functions read numbers from the Data of figures, or format numbers for
// titles and labels.

// column returns the column with the given name, which must exist.
func column(d show.Data, name string) []float64 {
	v, ok := d.Column(name)
	require(ok, "there is no column %q", name)
	return v
}

// singleNumber returns the number in a column that contains only one number.
func singleNumber(d show.Data, name string) float64 {
	v := column(d, name)
	require(len(v) == 1, "there are %d numbers in column %q, want one", len(v), name)
	return v[0]
}

// removeRounding removes the rounding error from a sum whose exact value has few digits.
func removeRounding(v float64) float64 { return math.Round(v*1e9)/1e9 + 0 }

// threeDigits formats a number with three significant digits.
func threeDigits(v float64) string { return minus(strconv.FormatFloat(removeRounding(v), 'g', 3, 64)) }

// decimals formats numbers with n decimals and joins them with commas.
func decimals(n int, values ...float64) string {
	var out []string
	for _, v := range values {
		text := strconv.FormatFloat(v, 'f', n, 64)
		if strings.Trim(text, "-0.") == "" {
			text = strings.TrimPrefix(text, "-")
		}
		out = append(out, minus(text))
	}
	return strings.Join(out, ", ")
}

// minus replaces the hyphens in a text with minus signs.
func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }

// plural returns a count with its noun in the singular or plural.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// mistakesText returns a phrase that says how many of n points are misclassified.
func mistakesText(wrong, n int) string { return fmt.Sprintf("%d of %d points wrong", wrong, n) }

// unitLabels formats values with their unit as labels of slider positions.
func unitLabels(values []float64, unit string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = minus(strconv.FormatFloat(v, 'g', 6, 64)) + unit
	}
	return out
}

// integerLabels formats integers as labels of slider positions.
func integerLabels(values []int) []string {
	out := make([]string, len(values))
	for i, n := range values {
		out[i] = strconv.Itoa(n)
	}
	return out
}

// upTo returns the numbers 0, 1, …, n.
func upTo(n int) (all []int) {
	for i := range n + 1 {
		all = append(all, i)
	}
	return all
}

// sliderChart returns a chart with sliders. Its frames are the figures that the function `draw`
// returns for all combinations of slider positions.
func sliderChart(draw func(at []int) *show.Figure, sliders ...show.Slider) *show.Chart {
	return try(show.Sliders(func(at []int) (fig *show.Figure, err error) {
		defer func() { storeFailure(recover(), &err) }()
		return draw(at), nil
	}, sliders...))
}

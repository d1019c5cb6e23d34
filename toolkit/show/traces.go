package show

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// A Quantity selects one of the numbers that a fit records at every step.
type Quantity int

// These quantities can be drawn by [Trace] and [Traces].
const (
	QuantityTrainingError Quantity = iota // the objective E
	QuantityGradientNorm                  // ‖∇E‖
	QuantityMisclassified                 // number of misclassified rows
	QuantityWeightNorm                    // ‖w‖
	QuantityHeldOutError                  // the error E on the held-out rows
)

// quantities contains, for each Quantity, the label of its axis, the name of its column, words for
// the alt text, and a function that returns its value.
var quantities = []struct {
	label, name, words string
	value              func(s classify.Step) float64
}{
	{"error $E(\\mathbf{w})$", "E", "error", func(s classify.Step) float64 { return s.E }},
	{"gradient $\\|\\nabla E\\|$", "gradient", "gradient", func(s classify.Step) float64 { return s.GradNorm }},
	{"misclassified", "misclassified", "misclassified inputs", func(s classify.Step) float64 { return float64(s.Misclassified) }},
	{"weights $\\|\\mathbf{w}\\|$", "norm", "norm of the weights", func(s classify.Step) float64 {
		norm := 0.0
		for _, v := range s.W { // Hypot avoids overflow
			norm = math.Hypot(norm, v)
		}
		return norm
	}},
	{"held-out error", "heldout", "held-out error", func(s classify.Step) float64 { return s.HeldOut }},
}

// valuesOf returns the quantity at each step of a trace.
func (q Quantity) valuesOf(t classify.Trace) []float64 {
	out := make([]float64, len(t))
	for i, s := range t {
		out[i] = round9(quantities[q].value(s))
	}
	return out
}

// iterations returns the iteration numbers of the trace if they are in ascending order. Otherwise
// it returns 0, 1, 2, ….
func iterations(t classify.Trace) []float64 {
	n, rise := make([]float64, len(t)), true
	for i, s := range t {
		n[i] = float64(s.Iteration)
		rise = rise && (i == 0 || n[i] > n[i-1])
	}
	if !rise {
		for i := range n {
			n[i] = float64(i)
		}
	}
	return n
}

// checkTrace returns an error if a trace is empty, or if one of the quantities qs is not finite at
// some iteration. The argument `suffix` is the part of the message that names the trace, such as
// ` of "Newton"`, or "".
func checkTrace(t classify.Trace, suffix string, qs []Quantity) error {
	if len(t) == 0 {
		return fmt.Errorf("the trace%s is empty; draw the Trace field of a fitted model", suffix)
	}
	n := iterations(t)
	for _, q := range qs {
		for i, v := range q.valuesOf(t) {
			if !allFinite(v) {
				return fmt.Errorf("iteration %v%s has %s = %v; the fit did not stay finite", n[i], suffix,
					quantities[q].name, v)
			}
		}
	}
	return nil
}

func checkQuantities(q []Quantity, usual ...Quantity) ([]Quantity, error) {
	if len(q) == 0 {
		q = usual
	}
	for _, v := range q {
		if v < 0 || int(v) >= len(quantities) {
			return nil, fmt.Errorf("option Quantities holds %d; want QuantityTrainingError, QuantityGradientNorm, QuantityMisclassified, QuantityWeightNorm or QuantityHeldOutError", v)
		}
	}
	return q, nil
}

// TraceOptions change what [Trace] draws. All fields are optional.
type TraceOptions struct {
	Title      string
	Quantities []Quantity // quantities of the panels, from the top; the default is error, gradient norm, misclassified
}

// Trace draws how quantities change from iteration to iteration of a fit. Each quantity has a
// panel, and the panels are stacked vertically. The default quantities are the error E, the norm of
// the gradient and the number of misclassified inputs. [Traces] compares several fits. The axis of
// a panel is logarithmic if its values are positive, except for zeros at the end, and the largest
// is at least a thousand times the smallest positive value. Such a panel omits the zeros.
//
// The figure's Data contains the columns "iteration", "E", "gradient", "misclassified" and "norm"
// (the length of w). It contains "heldout" only if [QuantityHeldOutError] is drawn. Errors: an empty
// trace, an unknown quantity, and an E, a gradient or a drawn quantity that is NaN or infinite (the
// error states the iteration).
func Trace(t classify.Trace, o TraceOptions) (_ *Figure, err error) {
	defer prefixError("Trace", &err)
	qs, err := checkQuantities(o.Quantities, QuantityTrainingError, QuantityGradientNorm, QuantityMisclassified)
	if err != nil {
		return nil, err
	}
	if err := checkTrace(t, "", append([]Quantity{QuantityTrainingError, QuantityGradientNorm}, qs...)); err != nil {
		return nil, err
	}
	n := iterations(t)
	last := n[len(n)-1]
	var panels []panel
	for _, q := range qs {
		panels = append(panels, q.panel([]classify.Trace{t}, max(1, last), false, true))
	}
	fig, err := newFigure(1, panels...)
	if err != nil {
		return nil, err
	}
	panels[len(panels)-1].X.Label.Text = "iteration"
	fig.Title = o.Title
	var words []string
	for _, q := range qs {
		words = append(words, quantities[q].words)
	}
	list := words[len(words)-1]
	if before := words[:len(words)-1]; len(before) > 0 {
		list = strings.Join(before, ", ") + " and " + list
	}
	fig.Alt = fmt.Sprintf("%s%s over %v iterations.", strings.ToUpper(list[:1]), list[1:], last)
	fig.AddData("iteration", n)
	for q := range QuantityHeldOutError {
		fig.AddData(quantities[q].name, q.valuesOf(t))
	}
	if slices.Contains(qs, QuantityHeldOutError) {
		fig.AddData(quantities[QuantityHeldOutError].name, QuantityHeldOutError.valuesOf(t))
	}
	return fig, nil
}

// TracesOptions change what [Traces] draws. All fields are optional.
type TracesOptions struct {
	Title      string
	Quantities []Quantity // quantities of the panels, from the top; the default is error, weight norm, misclassified
	// LogIterations gives the first iterations more space: the position of iteration n on the axis
	// is log₁₀(1 + n).
	LogIterations bool
}

// Traces compares how quantities change from iteration to iteration in up to six fits. Each
// quantity has a panel, with one line for each fit. The axis of a panel is logarithmic if its
// values are positive, except for zeros at the end, and the largest is at least a thousand times
// the smallest positive value. (The axis of misclassified rows is never logarithmic.) A panel with
// a logarithmic axis omits the zeros.
//
// For a fit with the name F, the figure's Data contains "F.iteration" and a column for each drawn
// quantity: "F.E", "F.gradient", "F.misclassified", "F.norm" or "F.heldout". Errors: no trace, more
// than six traces, an empty trace, an unknown quantity, and a drawn value that is NaN or infinite (the
// error states the iteration).
func Traces(o TracesOptions, fits ...Path) (_ *Figure, err error) {
	defer prefixError("Traces", &err)
	if err := checkCount(len(fits), "trace", "traces"); err != nil {
		return nil, err
	}
	qs, err := checkQuantities(o.Quantities, QuantityTrainingError, QuantityWeightNorm, QuantityMisclassified)
	if err != nil {
		return nil, err
	}
	last := 1.0
	var traces []classify.Trace
	for _, f := range fits {
		if err := checkTrace(f.Trace, fmt.Sprintf(" of %q", f.Name), qs); err != nil {
			return nil, err
		}
		traces = append(traces, f.Trace)
		last = max(last, iterations(f.Trace)[len(f.Trace)-1])
	}
	var panels []panel
	for _, q := range qs {
		panels = append(panels, q.panel(traces, last, o.LogIterations, false))
	}
	fig, err := newFigure(1, panels...)
	if err != nil {
		return nil, err
	}
	fig.Height = 0.9 + 2.1*float64(len(qs))
	fig.Title = o.Title
	panels[len(panels)-1].X.Label.Text = "iteration"
	fig.Alt = "Traces of"
	for i, f := range fits {
		name := plainText(f.Name)
		fig.AddData(name+".iteration", iterations(f.Trace))
		for _, q := range qs {
			fig.AddData(name+"."+quantities[q].name, q.valuesOf(f.Trace))
		}
		if len(fits) > 1 {
			fig.AddLegend(f.Name, lineLayer{style: lineStyle(i)})
		}
		fig.appendToAlt(i, f.Name)
	}
	fig.Alt += "."
	return fig, nil
}

// panel returns a panel that shows the quantity q as a curve for each trace. The argument
// `alone` says that the figure shows only one trace. Then every step of a trace of up to 60 steps is
// marked with a point, and even the axis of QuantityMisclassified may be logarithmic. A trace that
// consists of one step is always drawn as a point.
func (q Quantity) panel(traces []classify.Trace, last float64, logN, alone bool) panel {
	p := newPanel("", quantities[q].label)
	p.X.Min, p.X.Max = -0.02*last, 1.02*last
	p.X.Tick.Marker = countTicks{}
	if logN {
		p.X.Min, p.X.Max = -0.02*math.Log10(1+last), 1.02*math.Log10(1+last)
		p.X.Tick.Marker = shiftedLogTicks{last}
	}
	lo, hi, low, logs := math.Inf(1), math.Inf(-1), math.Inf(1), alone || q != QuantityMisclassified
	for _, t := range traces {
		for _, v := range q.valuesOf(t) {
			lo, hi = min(lo, v), max(hi, v)
			if v > 0 {
				low = min(low, v)
			}
		}
		logs = logs && fitsLogAxis(q.valuesOf(t))
	}
	// A logarithmic panel shows the log10 of the values on a linear axis. With a logarithmic axis,
	// gonum/plot would leave space above the frame, because it measures the label of such an axis at
	// the wrong height.
	logs = logs && hi >= 1000*low
	switch {
	case logs:
		p.Y.Tick.Marker = exponentTicks{}
		p.Y.Min, p.Y.Max = math.Log10(low)-0.4, math.Log10(hi)+0.4
	case q == QuantityMisclassified:
		p.Y.Tick.Marker = countTicks{}
		p.Y.Min, p.Y.Max = -0.06*max(1, hi), 1.08*max(1, hi)
	default:
		p.Y.Min, p.Y.Max = withMargin(lo, hi)
	}
	for i, t := range traces {
		pts, dots := polyline(iterations(t), q.valuesOf(t)), []xy(nil)
		for j := range pts {
			if logN {
				pts[j].X = round9(math.Log10(1 + pts[j].X))
			}
			if logs {
				pts[j].Y = round9(math.Log10(pts[j].Y))
			}
			if math.IsInf(pts[j].Y, 0) {
				pts[j].Y = math.NaN()
			} else {
				dots = append(dots, pts[j])
			}
		}
		line := lineLayer{[][]xy{pts}, lineStyle(i)}
		if alone {
			line.style = draw.LineStyle{Color: ClassColor(0), Width: lineWidth}
		}
		p.add(line)
		// A curve with a single step has no line, so it always gets a point. In a long curve, the
		// points would look like a thick line, so they are omitted.
		if len(pts) == 1 || alone && len(pts) <= 60 {
			p.add(pointLayer{dots, draw.GlyphStyle{Color: line.style.Color, Radius: markerSize, Shape: marker(0)}})
		}
	}
	return p
}

// fitsLogAxis reports whether a logarithmic axis can show the values. No value may be negative.
// Zeros may occur only at the end, because the curve then simply ends earlier.
func fitsLogAxis(y []float64) bool {
	zero := false
	for _, v := range y {
		if v < 0 || v > 0 && zero {
			return false
		}
		zero = zero || v == 0
	}
	return true
}

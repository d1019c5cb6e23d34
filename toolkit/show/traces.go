package show

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// A Quantity selects a number that a fit records at every step.
type Quantity int

// These quantities can be drawn by [Trace] and [Traces].
const (
	QuantityTrainingError Quantity = iota // the objective E
	QuantityGradientNorm                  // ‖∇E‖
	QuantityMisclassified                 // number of misclassified rows
	QuantityWeightNorm                    // ‖w‖
	QuantityHeldOutError                  // error of the held-out rows
)

// quantities contains the label, the column name and the value function of each Quantity.
var quantities = []struct {
	label, name string
	of          func(s classify.Step) float64
}{
	{"error $E(\\mathbf{w})$", "E", func(s classify.Step) float64 { return s.E }},
	{"gradient $\\|\\nabla E\\|$", "gradient", func(s classify.Step) float64 { return s.GradNorm }},
	{"misclassified", "misclassified", func(s classify.Step) float64 { return float64(s.Misclassified) }},
	{"weights $\\|\\mathbf{w}\\|$", "norm", func(s classify.Step) float64 {
		norm := 0.0
		for _, v := range s.W { // Hypot avoids overflow
			norm = math.Hypot(norm, v)
		}
		return norm
	}},
	{"held-out error", "heldout", func(s classify.Step) float64 { return s.HeldOut }},
}

// valuesOf returns the quantity at each step of a trace.
func (q Quantity) valuesOf(t classify.Trace) []float64 {
	out := make([]float64, len(t))
	for i, s := range t {
		out[i] = round9(quantities[q].of(s))
	}
	return out
}

// iterations returns the iteration numbers of the trace if they rise. If not, it returns 0, 1, 2 …
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

// checkTrace returns an error if a trace is empty or has quantities that are not finite. The
// argument named "of" is the part of the error that names the trace, such as " of newton", or "".
func checkTrace(t classify.Trace, of string, qs []Quantity) error {
	if len(t) == 0 {
		return fmt.Errorf("the trace%s is empty; draw the Trace field of a fitted model", of)
	}
	n := iterations(t)
	for _, q := range qs {
		for i, v := range q.valuesOf(t) {
			if !allFinite(v) {
				return fmt.Errorf("iteration %v%s has %s = %v; the fit did not stay finite", n[i], of,
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

// TraceOptions change what [Trace] draws. The zero value works.
type TraceOptions struct {
	Title      string
	Quantities []Quantity // one panel for each, from the top; the default is error, gradient norm, misclassified
}

// Trace draws the progress of a fit against the iteration, one panel below the other: the error E,
// the norm of the gradient and the number of misclassified inputs, or the quantities in the
// options. [Traces] compares several fits. If a quantity stays positive and spans a factor of a
// thousand or more, the panel has a logarithmic axis and omits zeros at the end.
//
// The figure's Data contains the columns iteration, E, gradient, misclassified and norm (the length
// of w). Errors: an empty trace, or an E or gradient that is NaN or infinite (the error gives the
// iteration).
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
	fig.Alt = fmt.Sprintf("Error, gradient and misclassified inputs over %v iterations.", last)
	fig.AddData("iteration", n)
	for q := range QuantityHeldOutError {
		fig.AddData(quantities[q].name, q.valuesOf(t))
	}
	return fig, nil
}

// TracesOptions change what [Traces] draws. The zero value works.
type TracesOptions struct {
	Title      string
	Quantities []Quantity // one panel for each, from the top; the default is error, weight norm, misclassified
	// LogIterations stretches the first iterations: the axis shows log₁₀(1 + n) for iteration n.
	LogIterations bool
}

// Traces compares the progress of up to six fits: one panel for each quantity against the
// iteration, one line for each fit. A panel, except for misclassified, is logarithmic if its values
// are positive and span a factor of a thousand or more. A logarithmic panel omits zeros at the end.
//
// The figure's Data has columns that begin with the name of a fit. These columns are .iteration and
// one for each quantity (.E, .gradient, .misclassified, .norm or .heldout). Errors: no trace, more
// than six traces, an empty trace, an unknown quantity, a value that is NaN or infinite (the error
// gives the iteration).
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

// panel plots q as a curve for each trace. If single is set, it also draws a point for each
// iteration, unless there are too many iterations.
func (q Quantity) panel(traces []classify.Trace, last float64, logN, single bool) panel {
	p := newPanel("", quantities[q].label)
	p.X.Min, p.X.Max = -0.02*last, 1.02*last
	p.X.Tick.Marker = countTicks{}
	if logN {
		p.X.Min, p.X.Max = -0.02*math.Log10(1+last), 1.02*math.Log10(1+last)
		p.X.Tick.Marker = shiftedLogTicks{last}
	}
	lo, hi, low, logs := math.Inf(1), math.Inf(-1), math.Inf(1), single || q != QuantityMisclassified
	for _, t := range traces {
		for _, v := range q.valuesOf(t) {
			lo, hi = min(lo, v), max(hi, v)
			if v > 0 {
				low = min(low, v)
			}
		}
		logs = logs && fitsLogAxis(q.valuesOf(t))
	}
	// The panel plots log10 of the value on a linear axis, because gonum/plot centres the
	// label of a logarithmic axis outside the frame.
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
		if single {
			line.style = draw.LineStyle{Color: ClassColor(0), Width: lineWidth}
		}
		p.add(line)
		// If there is only one iteration, its point makes it visible. Too many points would look
		// like a thick line.
		if len(pts) == 1 || single && len(pts) <= 60 {
			p.add(pointLayer{dots, draw.GlyphStyle{Color: line.style.Color, Radius: markerSize, Shape: marker(0)}})
		}
	}
	return p
}

// fitsLogAxis reports whether a logarithmic axis can show the values. No value may be negative, and
// only the last values, at an optimum, may be zero.
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

package show

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TraceOptions change what [Trace] draws. The zero value works.
type TraceOptions struct {
	Title      string
	Quantities []Quantity // one panel for each, from the top; default QuantityTrainingError, QuantityGradientNorm, Misclassified
}

// Trace draws how a fit went, one panel under the other against the iteration:
// the error E, the norm of its gradient and the number of misclassified inputs, or
// the quantities chosen. [Traces] compares several fits.
// A quantity that stays positive and falls by a factor of a thousand or more is
// drawn on a logarithmic axis (zeros at its end are left out).
//
// Numbers: iteration, E, gradient, misclassified and norm, the length of w.
// Errors: an empty trace, or E or the gradient is NaN or infinite (the iteration is
// named).
func Trace(t classify.Trace, o TraceOptions) (_ *Figure, err error) {
	defer named("Trace", &err)
	if len(t) == 0 {
		return nil, errors.New("the trace is empty; draw the Trace field of a fitted model")
	}
	var n, e, g, wrong, norm []float64
	qs, err := checkQuantities(o.Quantities, QuantityTrainingError, QuantityGradientNorm, QuantityMisclassified)
	if err != nil {
		return nil, err
	}
	n = iterations(t)
	for i, s := range t {
		for _, v := range []float64{s.E, s.GradNorm} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("iteration %v has E = %v and gradient %v; the fit did not stay finite", n[i], s.E, s.GradNorm)
			}
		}
		e, g = append(e, round9(s.E)), append(g, round9(s.GradNorm))
		wrong, norm = append(wrong, float64(s.Misclassified)), append(norm, weightNorm(s.W))
	}
	for _, q := range qs {
		for i, v := range q.of(t) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("iteration %v has %s = %v; the fit did not stay finite", n[i], quantities[q].name, v)
			}
		}
	}
	var panels []*plot.Plot
	for _, q := range qs {
		panels = append(panels, tracePanel(quantities[q].label, n, q.of(t), q.ticks()))
	}
	fig, err := NewFigure(1, panels...)
	if err != nil {
		return nil, err
	}
	panels[len(panels)-1].X.Label.Text = "iteration"
	fig.Title = o.Title
	fig.Alt = fmt.Sprintf("Error, gradient and misclassified inputs over %v iterations.", n[len(n)-1])
	fig.AddData("iteration", n)
	fig.AddData("E", e)
	fig.AddData("gradient", g)
	fig.AddData("misclassified", wrong)
	fig.AddData("norm", norm)
	return fig, nil
}

// tracePanel draws y over n with a point for each iteration.
func tracePanel(label string, n, y []float64, ticks plot.Ticker) *plot.Plot {
	p := newPlot("", label)
	last := max(1, n[len(n)-1])
	p.X.Min, p.X.Max = -0.02*last, 1.02*last
	p.X.Tick.Marker = countTicks{}
	pts, lo, hi := polyline(n, y), math.Inf(1), math.Inf(-1)
	for _, v := range y {
		lo, hi = min(lo, v), max(hi, v)
	}
	p.Y.Min, p.Y.Max = padded(lo, hi)
	if low, ok := logFloor(y); ok {
		// The panel's coordinate is log10 of the value: gonum/plot centres the label
		// of a truly logarithmic axis outside the frame.
		for i, v := range y {
			pts[i].Y = math.NaN()
			if v > 0 {
				pts[i].Y = round9(math.Log10(v))
			}
		}
		p.Y.Tick.Marker = exponentTicks{}
		p.Y.Min, p.Y.Max = math.Log10(low)-0.4, math.Log10(hi)+0.4
	} else if ticks != nil {
		p.Y.Tick.Marker = ticks
		p.Y.Min, p.Y.Max = -0.06*max(1, hi), 1.08*max(1, hi)
	}
	line := lineLayer{lines: [][]xy{pts}, style: draw.LineStyle{Color: ClassColor(0), Width: lineWidth}}
	p.Add(line)
	// Points that would touch are a thick line, not points.
	if len(n) <= 60 {
		dots := pointLayer{style: draw.GlyphStyle{Color: line.style.Color, Radius: markerSize, Shape: marker(0)}}
		for _, q := range pts {
			if !math.IsNaN(q.Y) {
				dots.points = append(dots.points, q)
			}
		}
		p.Add(dots)
	}
	return p
}

// logFloor returns the smallest positive value if a logarithmic axis suits: no
// value is negative, none but the last few is zero, and the span is a thousand or more.
func logFloor(y []float64) (float64, bool) {
	lo, hi, zero := math.Inf(1), 0.0, false
	for _, v := range y {
		switch {
		case v < 0 || v > 0 && zero:
			return 0, false
		case v == 0:
			zero = true
		default:
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi >= 1000*lo && !math.IsInf(lo, 0)
}

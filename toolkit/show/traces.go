package show

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// TracesOptions change what [Traces] draws. The zero value works.
type TracesOptions struct {
	Title      string
	Quantities []Quantity // one panel for each, from the top; default QuantityTrainingError, QuantityWeightNorm, Misclassified
	// LogIterations spreads the first iterations: the axis is log₁₀(1 + n).
	LogIterations bool
}

// Traces draws how up to six fits went, to be compared: one panel for each
// quantity against the iteration, one line for each fit. A panel whose values are
// positive and span a factor of a thousand or more is logarithmic; zeros are left
// out of it.
//
// Numbers: for each fit its name with .iteration and the names of the quantities
// (E, gradient, misclassified, norm, heldout). Errors: no trace, more than six, an
// empty one, an unknown quantity, a value that is NaN or infinite (the
// iteration is named).
func Traces(o TracesOptions, fits ...Path) (_ *Figure, err error) {
	defer named("Traces", &err)
	if err := checkCount(len(fits), "trace", "traces"); err != nil {
		return nil, err
	}
	qs, err := checkQuantities(o.Quantities, QuantityTrainingError, QuantityWeightNorm, QuantityMisclassified)
	if err != nil {
		return nil, err
	}
	last := 1.0
	for _, f := range fits {
		if len(f.Trace) == 0 {
			return nil, fmt.Errorf("the trace of %q is empty; draw the Trace field of a fitted model", f.Name)
		}
		n := iterations(f.Trace)
		last = max(last, n[len(n)-1])
		for _, q := range qs {
			for i, v := range q.of(f.Trace) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return nil, fmt.Errorf("iteration %v of %q has %s = %v; the fit did not stay finite", n[i], f.Name, quantities[q].name, v)
				}
			}
		}
	}
	var panels []*plot.Plot
	for _, q := range qs {
		panels = append(panels, q.panel(fits, last, o.LogIterations))
	}
	fig, err := NewFigure(1, panels...)
	if err != nil {
		return nil, err
	}
	fig.Height = 0.9 + 2.1*float64(len(qs))
	fig.Title = o.Title
	panels[len(panels)-1].X.Label.Text = "iteration"
	fig.Alt = "Traces of"
	for i, f := range fits {
		name := plain(f.Name)
		fig.AddData(name+".iteration", iterations(f.Trace))
		for _, q := range qs {
			fig.AddData(name+"."+quantities[q].name, q.of(f.Trace))
		}
		if len(fits) > 1 {
			fig.AddLegend(f.Name, lineLayer{style: lineStyle(i)})
		}
		fig.mention(i, f.Name)
	}
	fig.Alt += "."
	return fig, nil
}

// panel draws one quantity of all fits.
func (q Quantity) panel(fits []Path, last float64, logN bool) *plot.Plot {
	p := newPlot("", quantities[q].label)
	p.X.Min, p.X.Max = -0.02*last, 1.02*last
	p.X.Tick.Marker = countTicks{}
	if logN {
		p.X.Min, p.X.Max = -0.02*math.Log10(1+last), 1.02*math.Log10(1+last)
		p.X.Tick.Marker = shiftedLogTicks{last}
	}
	lo, hi, low, logs := math.Inf(1), math.Inf(-1), math.Inf(1), true
	for _, f := range fits {
		y := q.of(f.Trace)
		for _, v := range y {
			lo, hi = min(lo, v), max(hi, v)
			if v > 0 {
				low = min(low, v)
			}
		}
		// Zeros at the end of a fit are an optimum, anywhere else values to be seen.
		if _, ok := logFloor(append([]float64{math.MaxFloat64}, y...)); !ok {
			logs = false
		}
	}
	logs = logs && q != QuantityMisclassified && hi >= 1000*low
	switch {
	case logs:
		p.Y.Tick.Marker = exponentTicks{}
		p.Y.Min, p.Y.Max = math.Log10(low)-0.4, math.Log10(hi)+0.4
	case q == QuantityMisclassified:
		p.Y.Tick.Marker = q.ticks()
		p.Y.Min, p.Y.Max = -0.06*max(1, hi), 1.08*max(1, hi)
	default:
		p.Y.Min, p.Y.Max = padded(lo, hi)
	}
	for i, f := range fits {
		pts := polyline(iterations(f.Trace), q.of(f.Trace))
		for j := range pts {
			if logN {
				pts[j].X = round9(math.Log10(1 + pts[j].X))
			}
			if logs {
				pts[j].Y = round9(math.Log10(pts[j].Y))
				if math.IsInf(pts[j].Y, 0) {
					pts[j].Y = math.NaN()
				}
			}
		}
		line := lineLayer{[][]xy{pts}, lineStyle(i)}
		p.Add(line)
		if len(pts) == 1 { // a line of one point cannot be seen
			p.Add(pointLayer{pts, draw.GlyphStyle{Color: line.style.Color, Radius: markerSize, Shape: marker(0)}})
		}
	}
	return p
}

// shiftedLogTicks label an axis of log₁₀(1 + n) with whole numbers n.
type shiftedLogTicks struct{ last float64 }

// Ticks implements plot.Ticker.
func (s shiftedLogTicks) Ticks(_, _ float64) []plot.Tick {
	out := []plot.Tick{{Value: 0, Label: "0"}}
	for n := 1.0; n <= s.last; n *= 10 {
		out = append(out, plot.Tick{Value: math.Log10(1 + n), Label: tickLabel(n, 0, n)})
		for m := 2.0; m < 10 && m*n <= s.last; m++ {
			out = append(out, plot.Tick{Value: math.Log10(1 + m*n)})
		}
	}
	return out
}

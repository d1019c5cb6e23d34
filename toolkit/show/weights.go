package show

import (
	"errors"
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// A CoefficientSet holds the weights of one model with their intervals, and the name of the model
// in the legend. Lo and Hi may be nil. Their entries may be infinite or NaN for weights without an
// interval.
type CoefficientSet struct {
	Name          string
	Value, Lo, Hi []float64
}

// CoefficientsOptions change what [Coefficients] draws. The zero value works.
type CoefficientsOptions struct {
	Title string
	X     [2]float64 // the range to show; default: all values and intervals
}

// Coefficients draws the weights of up to six models below each other, one row
// for each name from the top, with their intervals and a line at zero.
//
//	lo, hi, err := m.Intervals(0.95)
//	show.Coefficients([]string{"bias", "x1", "x2"}, show.CoefficientsOptions{},
//		show.CoefficientSet{"logistic", m.W, lo, hi})
//
// It omits an end of an interval that is infinite or NaN. Numbers: each set's name
// with .value, .lo and .hi. Errors: no names, more than 40, no set, more than six,
// a set with more or fewer weights than names, a value that is not finite, an interval
// that does not contain its value.
func Coefficients(names []string, o CoefficientsOptions, sets ...CoefficientSet) (_ *Figure, err error) {
	defer named("Coefficients", &err)
	if len(names) == 0 || len(sets) == 0 {
		return nil, errors.New("there are no weights; give the name of each and at least one set")
	}
	if len(names) > 40 {
		return nil, fmt.Errorf("there are %d weights; a page has room for 40: choose some", len(names))
	}
	if err := checkMost(len(sets), "sets"); err != nil {
		return nil, err
	}
	lo, hi := 0.0, 0.0
	for _, s := range sets {
		if err := s.check(names); err != nil {
			return nil, err
		}
		for _, column := range [][]float64{s.Value, s.Lo, s.Hi} {
			for _, v := range column {
				if finite(v) {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
		}
	}
	if o.X == ([2]float64{}) {
		o.X[0], o.X[1] = padded(lo, hi)
	}
	if err := checkRange("X", o.X); err != nil {
		return nil, err
	}
	n := float64(len(names))
	p := newPanel("weight", "")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = o.X[0], o.X[1], 0, n
	var ticks classTicks
	guides := lineLayer{style: draw.LineStyle{Color: gridInk, Width: 1}}
	for i, name := range names {
		y := n - 0.5 - float64(i)
		ticks = append(ticks, plot.Tick{Value: y, Label: label(name)})
		guides.lines = append(guides.lines, []xy{{X: o.X[0], Y: y}, {X: o.X[1], Y: y}})
	}
	p.Y.Tick.Marker, p.Y.Tick.LineStyle.Width = ticks, 0
	zero := lineLayer{[][]xy{{{X: 0, Y: 0}, {X: 0, Y: n}}}, draw.LineStyle{Color: softInk, Width: thinWidth}}
	p.add(guides)
	if o.X[0] < 0 && o.X[1] > 0 {
		p.add(zero)
	}
	fig := one(p)
	fig.Title = o.Title
	step := 0.22 + 0.1*float64(len(sets))
	fig.Height = min(max(n*step+0.9, 1.8), 11)
	fig.Alt = fmt.Sprintf("%d weights of %d models with intervals.", len(names), len(sets))
	for i, s := range sets {
		fig.addSet(s, i, len(sets))
	}
	return fig, nil
}

func (s CoefficientSet) check(names []string) error {
	for _, c := range []struct {
		what string
		v    []float64
	}{{"values", s.Value}, {"lower ends", s.Lo}, {"upper ends", s.Hi}} {
		if len(c.v) != len(names) && (c.what == "values" || c.v != nil) {
			return fmt.Errorf("the set %q has %d %s; there are %d names", s.Name, len(c.v), c.what, len(names))
		}
	}
	for i, v := range s.Value {
		if !finite(v) {
			return fmt.Errorf("%s of %q is %v; it must be finite", names[i], s.Name, v)
		}
		if s.Lo != nil && s.Lo[i] > v || s.Hi != nil && s.Hi[i] < v {
			return fmt.Errorf("%s of %q is %v, outside of its interval", names[i], s.Name, v)
		}
	}
	return nil
}

// addSet draws the i-th of several sets. The first set is the topmost in each row.
func (f *Figure) addSet(s CoefficientSet, i, of int) {
	n := len(s.Value)
	style := draw.LineStyle{Color: LineColor(i), Width: 1.3}
	bars, caps := lineLayer{style: style}, capLayer{style: style}
	dots := pointLayer{style: draw.GlyphStyle{Color: style.Color, Radius: 2.8,
		Shape: marker([]int{0, 2, 4, 1, 3, 5}[i])}}
	for j, v := range s.Value {
		y := round9(float64(n) - 0.5 - float64(j) + 0.6*(float64(of-1)/2-float64(i))/float64(of))
		at := xy{X: round9(v), Y: y}
		dots.points = append(dots.points, at)
		for _, end := range [][]float64{s.Lo, s.Hi} {
			if end != nil && finite(end[j]) {
				q := xy{X: round9(end[j]), Y: y}
				bars.lines = append(bars.lines, []xy{at, q})
				caps.at = append(caps.at, q)
			}
		}
	}
	f.panels[0].add(bars, caps, dots)
	if of > 1 {
		f.AddLegend(s.Name, bars, dots)
	}
	name := plain(s.Name)
	f.AddData(name+".value", s.Value)
	f.AddData(name+".lo", s.Lo)
	f.AddData(name+".hi", s.Hi)
}

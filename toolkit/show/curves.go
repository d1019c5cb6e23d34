package show

import (
	"fmt"
	"math"
)

// A Curve is a function of one variable together with a name for the legend.
type Curve struct {
	Name string
	F    func(float64) float64
}

// CurvesOptions change what [Curves] draws. All fields are optional.
type CurvesOptions struct {
	Title          string
	XLabel, YLabel string
	From, To       float64    // interval of the variable; the default is −5 to 5
	Y              [2]float64 // range of the vertical axis; the default is the range of the functions with a margin
	Points         int        // number of points at which the functions are evaluated; the default is 401
	Guides         []float64  // heights at which to draw thin horizontal lines
	Looks          []Look     // styles of the lines; a zero or missing Look means the default style
}

// Curves draws functions of one variable over the interval From … To. Unless a function has a Look,
// Curves chooses its colour and dashes.
//
// The figure's Data contains "x" and a column for each curve. The column has the curve's name
// without markup, and contains its values. Errors: no function, more than six functions, fewer than
// 2 or more than 100 000 points, and a range whose ends are not finite and ascending. It is also an
// error if a function is nil, returns NaN (the error names the point) or is infinite at every
// point. If a function is infinite only at some points, its curve is interrupted there.
func Curves(o CurvesOptions, curves ...Curve) (_ *Figure, err error) {
	defer prefixError("Curves", &err)
	if err := checkCount(len(curves), "function", "functions"); err != nil {
		return nil, err
	}
	if o.From == 0 && o.To == 0 {
		o.From, o.To = -5, 5
	}
	if err := checkRange("From…To", [2]float64{o.From, o.To}); err != nil {
		return nil, err
	}
	if err := countOr("Points", &o.Points, 401, 2, 100000); err != nil {
		return nil, err
	}
	x := make([]float64, o.Points)
	for i := range x {
		x[i] = round9(o.From + (o.To-o.From)*float64(i)/float64(o.Points-1))
	}
	p := newPanel(o.XLabel, o.YLabel)
	p.X.Min, p.X.Max = o.From, o.To
	fig := singlePanel(p)
	fig.Title = o.Title
	fig.AddData("x", x)
	lo, hi := math.Inf(1), math.Inf(-1)
	layers := make([]lineLayer, len(curves))
	for i, c := range curves {
		y, err := sample(c, x)
		if err != nil {
			return nil, err
		}
		fig.AddData(plainText(c.Name), y)
		layers[i] = lineLayer{style: lineStyle(i), lines: [][]xy{make([]xy, len(x))}}
		if i < len(o.Looks) && o.Looks[i] != (Look{}) {
			layers[i].style = o.Looks[i].strokeStyle(lineWidth)
		}
		for j, v := range y {
			if math.IsInf(v, 0) {
				v = math.NaN() // a gap
			} else {
				lo, hi = min(lo, v), max(hi, v)
			}
			layers[i].lines[0][j] = xy{X: x[j], Y: v}
		}
	}
	if o.Y == ([2]float64{}) {
		o.Y[0], o.Y[1] = withMargin(lo, hi)
	}
	if err := checkRange("Y", o.Y); err != nil {
		return nil, err
	}
	p.Y.Min, p.Y.Max = o.Y[0], o.Y[1]
	guides := lineLayer{style: lineStyle(0)}
	guides.style.Color, guides.style.Width = gridInk, 1
	for _, g := range o.Guides {
		guides.lines = append(guides.lines, []xy{{X: o.From, Y: g}, {X: o.To, Y: g}})
	}
	p.add(guides)
	fig.Alt = "Curves of"
	for i, l := range layers {
		p.add(l)
		if len(layers) > 1 {
			fig.AddLegend(curves[i].Name, l)
		}
		fig.appendToAlt(i, curves[i].Name)
	}
	fig.Alt += fmt.Sprintf(" from %g to %g.", o.From, o.To)
	return fig, nil
}

// sample returns the values of c at every x, rounded.
func sample(c Curve, x []float64) ([]float64, error) {
	if c.F == nil {
		return nil, fmt.Errorf("the function %q is nil", c.Name)
	}
	y := make([]float64, len(x))
	finite := false
	for i, v := range x {
		y[i] = round9(c.F(v))
		if math.IsNaN(y[i]) {
			return nil, fmt.Errorf("%s is NaN at %g", plainText(c.Name), v)
		}
		finite = finite || !math.IsInf(y[i], 0)
	}
	if !finite {
		return nil, fmt.Errorf("%s is infinite everywhere from %g to %g", plainText(c.Name), x[0], x[len(x)-1])
	}
	return y, nil
}

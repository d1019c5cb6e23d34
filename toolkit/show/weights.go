package show

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// A CoefficientSet contains the weights of one model, their intervals from Lo to Hi, and the name
// of the model for the legend. Lo and Hi may be nil. For a weight without an interval, the entries
// of Lo and Hi may be infinite or NaN.
type CoefficientSet struct {
	Name          string
	Value, Lo, Hi []float64
}

// CoefficientsOptions change what [Coefficients] draws. All fields are optional.
type CoefficientsOptions struct {
	Title string
	X     [2]float64 // range to show; the default includes 0, all values, all finite ends of intervals, and a margin
}

// Coefficients draws the weights of up to six models with their intervals. If zero is inside the
// range X, Coefficients also draws a line there. The figure has one row for each name. The first
// name is at the top.
//
//	lo, hi, err := m.Intervals(0.95)
//	show.Coefficients([]string{"bias", "x1", "x2"}, show.CoefficientsOptions{},
//		show.CoefficientSet{"logistic", m.W, lo, hi})
//
// If an end of an interval is infinite or NaN, Coefficients does not draw this end. For a set with
// the name S, the figure's Data contains the columns "S.value", "S.lo" and "S.hi".
//
// Errors: no names, more than 40 names, no set, more than six sets, and a set whose Value, Lo or Hi
// does not have one entry for each name (Lo and Hi may be nil). Further errors: a value that is not
// finite, an interval that does not contain its value, and a range X whose ends are not finite or not
// in ascending order.
func Coefficients(names []string, o CoefficientsOptions, sets ...CoefficientSet) (_ *Figure, err error) {
	defer prefixError("Coefficients", &err)
	if len(names) == 0 || len(sets) == 0 {
		return nil, errors.New("there are no weights; give the name of each weight and at least one set")
	}
	if len(names) > 40 {
		return nil, fmt.Errorf("there are %d weights; a page has space for at most 40: choose fewer weights", len(names))
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
				if allFinite(v) {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
		}
	}
	if o.X == ([2]float64{}) {
		o.X[0], o.X[1] = withMargin(lo, hi)
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
	fig := singlePanel(p)
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
			return fmt.Errorf("the set %q has %d %s; want one for each of the %d names", s.Name, len(c.v), c.what, len(names))
		}
	}
	for i, v := range s.Value {
		if !allFinite(v) {
			return fmt.Errorf("%s of %q is %v; it must be finite", names[i], s.Name, v)
		}
		if s.Lo != nil && s.Lo[i] > v || s.Hi != nil && s.Hi[i] < v {
			return fmt.Errorf("%s of %q is %v, outside its interval", names[i], s.Name, v)
		}
	}
	return nil
}

// addSet draws set i. The argument `total` is the number of sets. If there are several sets, the
// first set is the topmost in each row of the figure.
func (f *Figure) addSet(s CoefficientSet, i, total int) {
	n := len(s.Value)
	style := draw.LineStyle{Color: LineColor(i), Width: 1.3}
	bars, caps := lineLayer{style: style}, capLayer{style: style}
	dots := pointLayer{style: draw.GlyphStyle{Color: style.Color, Radius: 2.8,
		Shape: marker([]int{0, 2, 4, 1, 3, 5}[i])}}
	for j, v := range s.Value {
		y := round9(float64(n) - 0.5 - float64(j) + 0.6*(float64(total-1)/2-float64(i))/float64(total))
		at := xy{X: round9(v), Y: y}
		dots.points = append(dots.points, at)
		for _, end := range [][]float64{s.Lo, s.Hi} {
			if end != nil && allFinite(end[j]) {
				q := xy{X: round9(end[j]), Y: y}
				bars.lines = append(bars.lines, []xy{at, q})
				caps.at = append(caps.at, q)
			}
		}
	}
	f.panels[0].add(bars, caps, dots)
	if total > 1 {
		f.AddLegend(s.Name, bars, dots)
	}
	name := plainText(s.Name)
	f.AddData(name+".value", s.Value)
	f.AddData(name+".lo", s.Lo)
	f.AddData(name+".hi", s.Hi)
}

// ProfileOptions change what [Profile] draws. All fields are optional, except that a fit with a
// prior or with row weights needs the corresponding fields.
type ProfileOptions struct {
	Title   string
	Name    string         // label of the axis, which may contain formulas; the default names the weight
	X       [2]float64     // range of the weight to show; the default includes all finite ends of intervals, and a margin
	Points  int            // number of points at which the profile is computed, 2 to 2000; the default is 81
	Level   float64        // confidence level of the intervals; the default is 0.95
	Prior   classify.Prior // prior of the fit
	Weights []float64      // weights of the rows in the fit
}

// Profile draws the profile of weight j of a logistic model, where weight 0 is the bias. For a
// fixed value of this weight, the profile is the smallest E(w) minus the minimum of E. Profile also
// draws the parabola ½((w_j − ŵ_j)/se)², where ŵ_j is the estimate and se its standard error.
// Wald's test and Wald's intervals use this parabola as an approximation of the profile. A
// horizontal line is at half the quantile of χ²₁ for the confidence level. Each curve has an
// interval, which consists of the weights at which the curve is below this line. The ends of the
// intervals are marked. If the profile is not symmetric, Wald's interval has the wrong position and
// length. If the model has no covariance, as for separable classes without a prior, there is no
// parabola. If the weight has no finite estimate, the profile approaches 0 as the weight tends to
// +∞ or −∞.
//
// The arguments x and t must be the data of the fit. The figure's Data contains the profile
// ("profile.x" and "profile.y") and the ends of its interval ("profile.ends"). If there is a
// parabola, the Data also contains "parabola.x", "parabola.y" and "parabola.ends". The column
// "level" is the height of the line. Errors: a nil model, a j outside 0…D, a range whose ends are
// not finite or not in ascending order, fewer than 2 or more than 2000 points, and the errors of
// ProfileIntervals.
func Profile(m *classify.Logistic, x mat.Matrix, t []float64, j int, o ProfileOptions) (_ *Figure, err error) {
	defer prefixError("Profile", &err)
	if m == nil || len(m.W) == 0 {
		return nil, errors.New("the model is nil or has no weights; make it with classify.FitLogistic")
	}
	if j < 0 || j >= len(m.W) {
		return nil, fmt.Errorf("j is %d; use 0 for the bias, or 1 to %d for a column of x", j, len(m.W)-1)
	}
	if err := countOr("Points", &o.Points, 81, 2, 2000); err != nil {
		return nil, err
	}
	if o.Level == 0 {
		o.Level = 0.95
	}
	fit := classify.ProfileOptions{Level: o.Level, Prior: o.Prior, Weights: o.Weights}
	intervals, err := m.ProfileIntervals(x, t, fit)
	if err != nil {
		return nil, err
	}
	ends := []float64{intervals.Lower[j], intervals.Upper[j]}
	var se float64 // standard error, or 0 if there is no parabola
	var wald []float64
	if m.Covariance != nil {
		se = math.Sqrt(m.Covariance.At(j, j))
		w, err := m.WaldIntervals(o.Level)
		if err != nil {
			return nil, err
		}
		wald = []float64{w.Lower[j], w.Upper[j]}
	}
	if o.X == ([2]float64{}) {
		o.X = profileRange(append(ends, wald...))
	}
	if err := checkRange("X", o.X); err != nil {
		return nil, err
	}
	values := make([]float64, o.Points)
	for i := range values {
		values[i] = round9(o.X[0] + (o.X[1]-o.X[0])*float64(i)/float64(o.Points-1))
	}
	profile, err := m.Profile(x, t, j, values, fit)
	if err != nil {
		return nil, err
	}
	z := distuv.UnitNormal.Quantile(0.5 + o.Level/2)
	half := z * z / 2
	if o.Name == "" {
		o.Name = weightName(m, j)
	}
	p := newPanel(o.Name, `$E - \min E$`)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = o.X[0], o.X[1], 0, 2.4*half
	fig := singlePanel(p)
	fig.Title = o.Title
	fig.AddData("level", []float64{half})
	if err := fig.AddLine(0, "", o.X[:], []float64{half, half}, Look{Color: softInk, Width: 1}); err != nil {
		return nil, err
	}
	draw := func(name string, y, ends []float64, look Look) error {
		for i, v := range y {
			y[i] = round9(v)
		}
		fig.AddData(name+".ends", ends)
		if err := fig.AddLine(0, name, values, y, look); err != nil {
			return err
		}
		for _, e := range ends {
			if !allFinite(e) || e < o.X[0] || e > o.X[1] {
				continue
			}
			if err := fig.AddMarks(0, "", []float64{round9(e)}, []float64{half}, Look{Color: look.Color}); err != nil {
				return err
			}
		}
		return nil
	}
	if err := draw("profile", profile, ends, Look{Color: LineColor(0)}); err != nil {
		return nil, err
	}
	if se > 0 {
		parabola := make([]float64, len(values))
		for i, v := range values {
			z := (v - m.W[j]) / se
			parabola[i] = z * z / 2
		}
		if err := draw("parabola", parabola, wald, Look{Color: LineColor(1), Dash: 1}); err != nil {
			return nil, err
		}
	}
	fig.Alt = fmt.Sprintf("The profile of %s; its %.4g%% interval runs from %.4g to %.4g.", plainText(o.Name),
		100*o.Level, ends[0],
		ends[1])
	if se > 0 {
		fig.Alt += fmt.Sprintf(" The interval of the parabola runs from %.4g to %.4g.", wald[0], wald[1])
	}
	return fig, nil
}

// profileRange returns a range that includes all finite ends of the intervals and a margin. If only
// one end is finite, the width of the range is three times the distance of this end from 0, but at
// least 1.5. If no end is finite, the range is −5 to 5.
func profileRange(ends []float64) [2]float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, e := range ends {
		if allFinite(e) {
			lo, hi = min(lo, e), max(hi, e)
		}
	}
	switch size := math.Max(1, 2*math.Abs(lo)); {
	case math.IsInf(lo, 1):
		return [2]float64{-5, 5}
	case lo == hi && math.IsInf(ends[0], -1):
		return [2]float64{lo - size, lo + size/2}
	case lo == hi:
		return [2]float64{lo - size/2, lo + size}
	}
	pad := 0.15 * (hi - lo)
	return [2]float64{lo - pad, hi + pad}
}

// weightName returns a label for weight j. If the model has no feature names, the label of a weight
// other than the bias is a formula.
func weightName(m *classify.Logistic, j int) string {
	switch {
	case j == 0:
		return "bias"
	case j-1 < len(m.Features):
		return "weight of " + label(m.Features[j-1])
	}
	return fmt.Sprintf("$w_{%d}$", j)
}

package show

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// A CalibrationCurve is what classify.ScoreCalibration returns, with the name
// that the legend gives it.
type CalibrationCurve struct {
	Name        string
	Calibration *classify.Calibration
}

// CalibrationOptions change what [Calibration] draws. The zero value works.
type CalibrationOptions struct {
	Title string
}

// Calibration draws how often C₁ is observed where a model predicts it with
// probability p: a point for each bin with rows, with bars of one standard error,
// against the diagonal on which predictions hold. Below stands how many rows each
// bin has. Up to six models; the legend has their expected calibration errors.
//
// A bin of a single row has no standard error, and no bar. Numbers: each name
// with .predicted, .observed, .stderr, .n of the bins with rows, .lo and .hi of
// these bins, and .error. Errors: no curve, more than six, one that is nil or has
// no rows.
func Calibration(o CalibrationOptions, curves ...CalibrationCurve) (_ *Figure, err error) {
	defer named("Calibration", &err)
	if err := checkCount(len(curves), "curve", "curves"); err != nil {
		return nil, err
	}
	top := unitSquare("", "observed share of $C_1$").panels[0]
	low := newPlot("predicted $p(C_1|\\mathbf{x})$", "rows")
	low.X.Min, low.X.Max = top.X.Min, top.X.Max
	low.Y.Tick.Marker = countTicks{}
	fig, err := NewFigure(1, top, low)
	if err != nil {
		return nil, err
	}
	fig.Width, fig.Height = 4.5, 5.8 // the upper frame is nearly square
	fig.setShape(1, func(s *shape) { s.low = true })
	fig.Title = o.Title
	fig.Alt = "Observed against predicted probabilities of"
	most := 1.0
	for i, c := range curves {
		if c.Calibration == nil {
			return nil, fmt.Errorf("the curve %q is nil; look at the error that classify.ScoreCalibration returned", c.Name)
		}
		tallest, err := fig.addCalibration(c, i)
		if err != nil {
			return nil, err
		}
		most = max(most, tallest)
		fig.mention(i, c.Name)
	}
	fig.Alt += "."
	low.Y.Min, low.Y.Max = 0, 1.08*most
	return fig, nil
}

// addCalibration draws the i-th curve and returns its largest number of rows.
func (f *Figure) addCalibration(c CalibrationCurve, i int) (most float64, err error) {
	var lo, hi, predicted, observed, se, n []float64
	var steps []xy
	for _, b := range c.Calibration.Bins {
		count := float64(b.N)
		most = max(most, count)
		steps = append(steps, xy{X: round9(b.Lo), Y: count}, xy{X: round9(b.Hi), Y: count})
		if b.N == 0 {
			continue
		}
		if !(b.Predicted >= 0 && b.Predicted <= 1 && b.Observed.Value >= 0 && b.Observed.Value <= 1) {
			return 0, fmt.Errorf("the bin from %v to %v of %q has the means %v and %v; they lie in [0,1]", b.Lo, b.Hi, c.Name, b.Predicted, b.Observed.Value)
		}
		lo, hi, n = append(lo, b.Lo), append(hi, b.Hi), append(n, count)
		predicted, observed = append(predicted, round9(b.Predicted)), append(observed, round9(b.Observed.Value))
		se = append(se, b.Observed.StdError)
	}
	if len(n) == 0 {
		return 0, fmt.Errorf("no bin of %q has rows; make it with classify.ScoreCalibration", c.Name)
	}
	line := lineLayer{[][]xy{polyline(predicted, observed)}, lineStyle(i)}
	line.style.Width = 1.1
	dots := pointLayer{line.lines[0], draw.GlyphStyle{Color: line.style.Color, Radius: 2.8, Shape: marker([]int{0, 2, 4, 1, 3, 5}[i])}}
	bars := lineLayer{style: draw.LineStyle{Color: line.style.Color, Width: 0.9}}
	for j, s := range se {
		if !math.IsNaN(s) && s > 0 {
			bars.lines = append(bars.lines, []xy{
				{X: predicted[j], Y: round9(max(0, observed[j]-s))}, {X: predicted[j], Y: round9(min(1, observed[j]+s))}})
		}
	}
	f.panels[0].Add(line, bars, dots)
	counts := lineLayer{[][]xy{steps}, line.style}
	f.panels[1].Add(counts)
	f.AddLegend(fmt.Sprintf("%s: error %.3f", c.Name, round9(c.Calibration.Error)), line, dots)
	name := plain(c.Name)
	for _, col := range []struct {
		name string
		v    []float64
	}{{"lo", lo}, {"hi", hi}, {"n", n}, {"predicted", predicted}, {"observed", observed}, {"stderr", se}, {"error", []float64{c.Calibration.Error}}} {
		f.AddData(name+"."+col.name, col.v)
	}
	return most, nil
}

package show

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// A ROCCurve is what classify.ScoreROC returns, with the name that the legend
// gives it.
type ROCCurve struct {
	Name string
	ROC  *classify.ROC
}

// ROCOptions change what [ROC] draws. The zero value works.
type ROCOptions struct {
	Title string
	// Thresholds are marked on each curve: what calling a row C₁ if its activation
	// is at least that gives. Activations are usually cut at 0, probabilities at ½.
	Thresholds []float64
}

// ROC draws up to six receiver operating characteristics, the share of C₁ that is
// found against the share of C₂ that is mistaken for it, and the diagonal of a
// guess. The legend has the area under each curve with its standard error.
//
// Numbers: each curve's name with .fpr, .tpr, .threshold, .auc and .stderr, and
// .mark.fpr and .mark.tpr. Errors: no curve, more than six, one that is nil or has no
// points.
func ROC(o ROCOptions, curves ...ROCCurve) (_ *Figure, err error) {
	defer named("ROC", &err)
	if err := checkCount(len(curves), "curve", "curves"); err != nil {
		return nil, err
	}
	fig := unitSquare("share of $C_2$ called $C_1$", "share of $C_1$ called $C_1$")
	fig.Title = o.Title
	fig.Alt = "Receiver operating characteristics of"
	for i, c := range curves {
		r := c.ROC
		if r == nil {
			return nil, fmt.Errorf("the curve %q is nil; look at the error that classify.ScoreROC returned", c.Name)
		}
		n := len(r.FalsePositive)
		if n == 0 || len(r.TruePositive) != n || len(r.Threshold) != n {
			return nil, fmt.Errorf("the curve %q has %d, %d and %d numbers; make it with classify.ScoreROC", c.Name, n, len(r.TruePositive), len(r.Threshold))
		}
		fpr, tpr := make([]float64, n), make([]float64, n)
		for j := range n {
			fpr[j], tpr[j] = round9(r.FalsePositive[j]), round9(r.TruePositive[j])
			if !(fpr[j] >= 0 && fpr[j] <= 1 && tpr[j] >= 0 && tpr[j] <= 1) {
				return nil, fmt.Errorf("point %d of the curve %q is (%v, %v); shares lie in [0,1]", j, c.Name, fpr[j], tpr[j])
			}
		}
		layer := lineLayer{[][]xy{polyline(fpr, tpr)}, lineStyle(i)}
		fig.panels[0].Add(layer)
		fig.AddLegend(fmt.Sprintf("%s: area %.3f ± %.3f", c.Name, round9(r.AUC.Value), round9(r.AUC.StdError)), layer)
		name := plain(c.Name)
		fig.AddData(name+".fpr", fpr)
		fig.AddData(name+".tpr", tpr)
		fig.AddData(name+".threshold", r.Threshold)
		fig.AddData(name+".auc", []float64{r.AUC.Value})
		fig.AddData(name+".stderr", []float64{r.AUC.StdError})
		fig.addMarks(r, name, o.Thresholds, i)
		fig.mention(i, c.Name)
	}
	fig.Alt += "."
	return fig, nil
}

// addMarks marks thresholds on the i-th curve.
func (f *Figure) addMarks(r *classify.ROC, name string, thresholds []float64, i int) {
	var fpr, tpr []float64
	layer := pointLayer{style: draw.GlyphStyle{Color: LineColor(i), Radius: 3.2, Shape: marker(0)}}
	for _, t := range thresholds {
		// The rows called C₁ are those with a ≥ t: down to the smallest such value.
		at := 0
		for j, v := range r.Threshold {
			if v >= t && (v <= r.Threshold[at] || math.IsInf(r.Threshold[at], 1)) {
				at = j
			}
		}
		fpr, tpr = append(fpr, r.FalsePositive[at]), append(tpr, r.TruePositive[at])
		layer.points = append(layer.points, xy{X: round9(r.FalsePositive[at]), Y: round9(r.TruePositive[at])})
	}
	if len(thresholds) > 0 {
		f.panels[0].Add(layer)
		f.AddData(name+".mark.fpr", fpr)
		f.AddData(name+".mark.tpr", tpr)
	}
}

// unitSquare returns a square panel from 0 to 1 with its diagonal.
func unitSquare(x, y string) *Figure {
	p := newPlot(x, y)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.02, 1.02, -0.02, 1.02
	p.Add(lineLayer{[][]xy{{{X: 0, Y: 0}, {X: 1, Y: 1}}}, draw.LineStyle{Color: softInk, Width: thinWidth, Dashes: dash(4)}})
	fig := one(p)
	fig.Width, fig.Height = 4.4, 4.7
	fig.setShape(0, func(s *shape) { s.equal = true })
	return fig
}

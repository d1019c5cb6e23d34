package show

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// A ROCCurve is a result of classify.ScoreROC together with a name for the legend.
type ROCCurve struct {
	Name string
	ROC  *classify.ROC
}

// ROCOptions change what [ROC] draws. All fields are optional.
type ROCOptions struct {
	Title string
	// Thresholds are the thresholds to mark on each curve. A threshold is a rule: a row is assigned
	// to C₁ if its activation is at least the threshold. The mark shows the two rates for this
	// rule. The usual threshold is 0 for activations and ½ for probabilities.
	Thresholds []float64
}

// ROC draws up to six receiver operating characteristics and the diagonal of random guessing. At a
// point of a curve, the height is the fraction of the rows of C₁ that are assigned to C₁. The x
// coordinate is the fraction of the rows of C₂ that are assigned to C₁. The legend states the area
// under each curve and its standard error.
//
// For a curve with the name C, the figure's Data contains:
//   - "C.fpr" and "C.tpr": the two coordinates of each point.
//   - "C.threshold": the threshold of each point.
//   - "C.auc" and "C.stderr": the area under the curve and its standard error.
//   - "C.mark.fpr" and "C.mark.tpr": the two coordinates of each mark.
//
// Errors: no curve, more than six curves, a curve that is nil or has no points, columns of a curve
// with different lengths, and a point outside the unit square.
func ROC(o ROCOptions, curves ...ROCCurve) (_ *Figure, err error) {
	defer prefixError("ROC", &err)
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
			return nil, fmt.Errorf("the slices of the curve %q have the lengths %d, %d and %d; want equal lengths above 0, as from classify.ScoreROC", c.Name, n,
				len(r.TruePositive), len(r.Threshold))
		}
		fpr, tpr := rounded9(r.FalsePositive), rounded9(r.TruePositive)
		for j := range n {
			if !(fpr[j] >= 0 && fpr[j] <= 1 && tpr[j] >= 0 && tpr[j] <= 1) {
				return nil, fmt.Errorf("point %d of the curve %q is (%v, %v); want two numbers in [0,1]", j, c.Name, fpr[j],
					tpr[j])
			}
		}
		layer := lineLayer{[][]xy{polyline(fpr, tpr)}, lineStyle(i)}
		fig.panels[0].add(layer)
		fig.AddLegend(fmt.Sprintf("%s: area %.3f ± %.3f", c.Name, round9(r.AUC.Value), round9(r.AUC.StdError)), layer)
		name := plainText(c.Name)
		fig.AddData(name+".fpr", fpr)
		fig.AddData(name+".tpr", tpr)
		fig.AddData(name+".threshold", r.Threshold)
		fig.AddData(name+".auc", []float64{r.AUC.Value})
		fig.AddData(name+".stderr", []float64{r.AUC.StdError})
		fig.addMarks(r, name, o.Thresholds, i)
		fig.appendToAlt(i, c.Name)
	}
	fig.Alt += "."
	return fig, nil
}

// addMarks draws marks at the given thresholds on the i-th curve.
func (f *Figure) addMarks(r *classify.ROC, name string, thresholds []float64, i int) {
	if len(thresholds) == 0 {
		return
	}
	data := newColumns(name+".mark.", "fpr", "tpr")
	for _, t := range thresholds {
		// rows with a ≥ t are assigned to C₁, so the mark is at the curve's smallest threshold that
		// is at least t
		at := 0
		for j, v := range r.Threshold {
			if v >= t && (v <= r.Threshold[at] || math.IsInf(r.Threshold[at], 1)) {
				at = j
			}
		}
		data.row(round9(r.FalsePositive[at]), round9(r.TruePositive[at]))
	}
	f.panels[0].add(pointLayer{polyline(data.values[0], data.values[1]),
		draw.GlyphStyle{Color: LineColor(i), Radius: 3.2, Shape: marker(0)}})
	data.to(f)
}

// unitSquare returns a figure with one square panel, which shows the unit square with a margin and
// its diagonal.
func unitSquare(x, y string) *Figure {
	p := newPanel(x, y)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.02, 1.02, -0.02, 1.02
	p.add(lineLayer{[][]xy{{{X: 0, Y: 0}, {X: 1, Y: 1}}},
		draw.LineStyle{Color: softInk, Width: thinWidth, Dashes: dash(4)}})
	fig := singlePanel(p)
	fig.Width, fig.Height = 4.4, 4.7
	fig.panels[0].equal = true
	return fig
}

// A CalibrationCurve is a result of classify.ScoreCalibration together with a name for the legend.
type CalibrationCurve struct {
	Name        string
	Calibration *classify.Calibration
}

// CalibrationOptions change what [Calibration] draws. All fields are optional.
type CalibrationOptions struct {
	Title string
}

// Calibration draws how often C₁ is observed if a model predicts it with probability p. It divides
// the range of p into bins. Each bin with rows is shown as a point with a bar that is one standard
// error long in each direction but does not extend below 0 or above 1. For a perfectly calibrated
// model the points lie on the diagonal. A second panel below shows the number of rows in each bin.
// Calibration draws up to six models. The legend states the expected calibration error of each model.
//
// A bin with a single row has no standard error and no bar. A bin whose standard error is 0 has no
// bar either. For a model with the name M, the figure's Data contains "M.predicted", "M.observed",
// "M.stderr", "M.n", "M.lo" and "M.hi", with one number for each bin that has rows. It also contains
// the expected calibration error "M.error".
//
// Errors: no curve, more than six curves, a curve that is nil or has no rows, and a mean outside
// [0,1].
func Calibration(o CalibrationOptions, curves ...CalibrationCurve) (_ *Figure, err error) {
	defer prefixError("Calibration", &err)
	if err := checkCount(len(curves), "curve", "curves"); err != nil {
		return nil, err
	}
	top := unitSquare("", "observed share of $C_1$").panels[0]
	low := newPanel("predicted $p(C_1|\\mathbf{x})$", "rows")
	low.X.Min, low.X.Max = top.X.Min, top.X.Max
	low.Y.Tick.Marker = countTicks{}
	fig, err := NewFigure(1, top.Plot, low.Plot)
	if err != nil {
		return nil, err
	}
	fig.Width, fig.Height = 4.5, 5.8 // with this size, the upper frame is nearly square
	fig.panels[1].low = true
	fig.Title = o.Title
	fig.Alt = "Observed against predicted probabilities of"
	most := 1.0
	for i, c := range curves {
		if c.Calibration == nil {
			return nil, fmt.Errorf("the curve %q is nil; look at the error that classify.ScoreCalibration returned",
				c.Name)
		}
		tallest, err := fig.addCalibration(c, i)
		if err != nil {
			return nil, err
		}
		most = max(most, tallest)
		fig.appendToAlt(i, c.Name)
	}
	fig.Alt += "."
	low.Y.Min, low.Y.Max = 0, 1.08*most
	return fig, nil
}

// addCalibration draws curve i. It returns the largest number of rows in a bin.
func (f *Figure) addCalibration(c CalibrationCurve, i int) (most float64, err error) {
	data := newColumns(plainText(c.Name)+".", "lo", "hi", "n", "predicted", "observed", "stderr")
	var steps []xy
	for _, b := range c.Calibration.Bins {
		count := float64(b.N)
		most = max(most, count)
		steps = append(steps, xy{X: round9(b.Lo), Y: count}, xy{X: round9(b.Hi), Y: count})
		if b.N == 0 {
			continue
		}
		if !(b.Predicted >= 0 && b.Predicted <= 1 && b.Observed.Value >= 0 && b.Observed.Value <= 1) {
			return 0, fmt.Errorf("the bin from %v to %v of %q has the predicted mean %v and the observed mean %v; want means in [0,1]", b.Lo, b.Hi,
				c.Name, b.Predicted, b.Observed.Value)
		}
		data.row(b.Lo, b.Hi, count, round9(b.Predicted), round9(b.Observed.Value), b.Observed.StdError)
	}
	predicted, observed := data.values[3], data.values[4]
	if len(predicted) == 0 {
		return 0, fmt.Errorf("no bin of %q has rows; make the curve with classify.ScoreCalibration", c.Name)
	}
	line := lineLayer{[][]xy{polyline(predicted, observed)}, lineStyle(i)}
	line.style.Width = 1.1
	dots := pointLayer{line.lines[0],
		draw.GlyphStyle{Color: line.style.Color, Radius: 2.8, Shape: marker([]int{0, 2, 4, 1, 3, 5}[i])}}
	bars := lineLayer{style: draw.LineStyle{Color: line.style.Color, Width: 0.9}}
	for j, s := range data.values[5] {
		if !math.IsNaN(s) && s > 0 {
			bars.lines = append(bars.lines, []xy{
				{X: predicted[j], Y: round9(max(0, observed[j]-s))},
				{X: predicted[j], Y: round9(min(1, observed[j]+s))}})
		}
	}
	f.panels[0].add(line, bars, dots)
	counts := lineLayer{[][]xy{steps}, line.style}
	f.panels[1].add(counts)
	f.AddLegend(fmt.Sprintf("%s: error %.3f", c.Name, round9(c.Calibration.Error)), line, dots)
	data.to(f)
	f.AddData(plainText(c.Name)+".error", []float64{c.Calibration.Error})
	return most, nil
}

// maxConfusion is the largest number of classes. With more classes, the counts would not fit into
// the cells of the matrix.
const maxConfusion = 20

// ConfusionOptions change what [Confusion] draws. All fields are optional.
type ConfusionOptions struct {
	Title string
	Names []string // names of the classes; the defaults are C₁, C₂, …
}

// Confusion draws a confusion matrix. A row of the matrix is a true class, and a column is a
// predicted class. The number in a cell is the count of inputs with this pair of classes. The tint
// of the cell shows this count as a fraction of all inputs of the true class. The tint is blue on
// the diagonal, which contains the correct predictions, and vermillion elsewhere. A cell with the
// count 0 is white.
//
// The figure's Data has one number for each cell of the matrix in the columns "true", "predicted",
// "count" and "share". The share is NaN for a class without inputs. Errors: c is nil or empty, is
// not square, has a negative count, or has more than 20 classes; the numbers of names and classes
// differ, unless o.Names is nil.
func Confusion(c *classify.Confusion, o ConfusionOptions) (_ *Figure, err error) {
	defer prefixError("Confusion", &err)
	if c == nil || len(c.Counts) == 0 {
		return nil, errors.New("the matrix is empty; make it with classify.ScoreConfusion")
	}
	k := len(c.Counts)
	if k > maxConfusion {
		return nil, fmt.Errorf("there are %d classes; the figure has space for the counts of %d", k, maxConfusion)
	}
	if o.Names != nil && len(o.Names) != k {
		return nil, fmt.Errorf("there are %d names for %d classes; give one name for each class", len(o.Names), k)
	}
	p := newPanel("predicted class", "true class")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, float64(k), 0, float64(k)
	fig := singlePanel(p)
	fig.Title = o.Title
	fig.Alt = fmt.Sprintf("Confusion matrix of %d classes.", k)
	fig.Height = 4.7
	fig.panels[0].equal = true
	var across, down classTicks
	data := newColumns("", "true", "predicted", "count", "share")
	size := max(6, min(labelSize, vg.Length(130/k)))
	for i, row := range c.Counts {
		if len(row) != k {
			return nil, fmt.Errorf("row %d has %d counts; want %d, one for each class", i, len(row), k)
		}
		name := "$C_{" + strconv.Itoa(i+1) + "}$"
		if o.Names != nil {
			name = label(o.Names[i])
		}
		y := float64(k-1-i) + 0.5
		across = append(across, plot.Tick{Value: float64(i) + 0.5, Label: name})
		down = append(down, plot.Tick{Value: y, Label: name})
		total := 0
		for j, n := range row {
			if n < 0 {
				return nil, fmt.Errorf("the count of class %d predicted as class %d is %d; want at least 0", i, j, n)
			}
			total += n
		}
		for j, n := range row {
			s := round9(float64(n) / float64(total))
			data.row(float64(i), float64(j), float64(n), s)
			tint := paper
			if n > 0 {
				hue := palette[0]
				if i != j {
					hue = palette[1]
				}
				tint = mix(paper, hue, 0.08+0.6*s)
			}
			x := float64(j)
			p.add(fill([][]xy{rectangle(x, y-0.5, x+1, y+0.5)}, tint),
				textLayer{at: []xy{{X: x + 0.5, Y: y}}, labels: []string{strconv.Itoa(n)}, size: size, color: ink,
					xalign: draw.XCenter})
		}
	}
	grid := lineLayer{style: draw.LineStyle{Color: paper, Width: 1.5}}
	for i := 1; i < k; i++ {
		v := float64(i)
		grid.lines = append(grid.lines, []xy{{X: v, Y: 0}, {X: v, Y: float64(k)}},
			[]xy{{X: 0, Y: v}, {X: float64(k), Y: v}})
	}
	p.add(grid)
	p.X.Tick.Marker, p.Y.Tick.Marker = across, down
	if k > 10 {
		p.X.Tick.Label.Font.Size, p.Y.Tick.Label.Font.Size = tickSize-1.5, tickSize-1.5
	}
	// the ticks are invisible, but their length makes a margin
	p.X.Tick.LineStyle.Width, p.Y.Tick.LineStyle.Width = 0, 0
	data.to(fig)
	return fig, nil
}

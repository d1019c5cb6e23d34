package show

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// A planeView is what the options of every plot of a plane have in common. They do not
// embed it: a literal of the options would then have to name it.
type planeView struct {
	title, xLabel, yLabel string
	x, y                  [2]float64 // the ranges shown
	grid                  int        // cells of the mesh along each side
}

// A planePlot is a figure of one panel that shows a rectangle of two variables, with the
// mesh on which curves are looked for. Its rows are those of a data set, or nil.
type planePlot struct {
	*Figure
	panel *plot.Plot
	box   box
	grid  contour.Grid
	rows  *datasets.Dataset
}

// newPlane returns the plane of a model and of the data set that it is drawn over:
// labelled with the features and as wide as the points unless v says otherwise.
func newPlane(model any, d *datasets.Dataset, v planeView) (*planePlot, error) {
	if isNil(model) {
		return nil, errNilModel
	}
	if err := checkPlane(d); err != nil {
		return nil, err
	}
	b, err := newBox(d, v.x, v.y)
	if err != nil {
		return nil, err
	}
	if v.xLabel == "" {
		v.xLabel = label(d.FeatureNames[0])
	}
	if v.yLabel == "" {
		v.yLabel = label(d.FeatureNames[1])
	}
	p, err := planeOf(b, v)
	if err == nil {
		p.rows = d
	}
	return p, err
}

// planeOf returns the plane that shows b.
func planeOf(b box, v planeView) (*planePlot, error) {
	g, err := checkGrid(v.grid)
	if err != nil {
		return nil, err
	}
	p := b.panel(v.xLabel, v.yLabel)
	fig := one(p)
	fig.Title = v.title
	return &planePlot{Figure: fig, panel: p, box: b, grid: g}, nil
}

// panel returns an empty panel that shows b.
func (b box) panel(xLabel, yLabel string) *plot.Plot {
	p := newPlot(xLabel, yLabel)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = b.x[0], b.x[1], b.y[0], b.y[1]
	return p
}

// axes names the two variables, for the sentence in Alt.
func (p *planePlot) axes() string { return p.panel.X.Label.Text + " and " + p.panel.Y.Label.Text }

// addRows draws the rows of the data set unless they are hidden.
func (p *planePlot) addRows(hide bool) {
	if !hide {
		p.addPoints(p.rows)
	}
}

// tint fills the regions of the classes.
func (p *planePlot) tint(found *contour.Map) {
	for k, rings := range found.Regions {
		p.panel.Add(areaLayer{p.box.rings(rings), mix(paper, ClassColor(k), tintShare)})
	}
}

// addBoundary draws all boundary lines in one style.
func (p *planePlot) addBoundary(found *contour.Map, style draw.LineStyle) lineLayer {
	layer := lineLayer{p.box.lines(found.Lines), style}
	p.panel.Add(layer)
	return layer
}

// addBoundaryData adds the numbers of the boundary lines: the two classes that meet,
// the piece, and its points.
func (p *planePlot) addBoundaryData(prefix string, found *contour.Map) {
	data := newRuns(prefix, "i", "j", "piece")
	for n, pts := range p.box.lines(found.Lines) {
		data.add(pts, float64(found.Lines[n].I), float64(found.Lines[n].J))
	}
	data.to(p.Figure)
}

// solid is the style of an unbroken line in the colour of the axes.
func solid(width vg.Length) draw.LineStyle { return draw.LineStyle{Color: ink, Width: width} }

// A runs collects the numbers of several runs of points: lines or rings.
type runs struct {
	prefix string
	names  []string
	values [][]float64
	n      float64
}

// newRuns names the columns that every point of a run shares, the last of them the
// number of the run; x and y follow.
func newRuns(prefix string, names ...string) *runs {
	return &runs{prefix: prefix, names: append(names, "x", "y"), values: make([][]float64, len(names)+2)}
}

// add appends a run with the values of its columns.
func (r *runs) add(pts []xy, values ...float64) {
	for _, q := range pts {
		for i, v := range append(values[:len(values):len(values)], r.n, q.X, q.Y) {
			r.values[i] = append(r.values[i], v)
		}
	}
	r.n++
}

func (r *runs) to(f *Figure) {
	for i, name := range r.names {
		f.AddData(r.prefix+name, r.values[i])
	}
}

// mention appends the i-th of the names with which Alt ends.
func (f *Figure) mention(i int, name string) {
	if i > 0 {
		f.Alt += ","
	}
	f.Alt += " " + name
}

// named puts the name of a plot before the error that it returns.
func named(name string, err *error) {
	if *err != nil {
		*err = fmt.Errorf("show: %s: %w", name, *err)
	}
}

// checkCount reports a number of things that one figure cannot show by colours and
// dashes.
func checkCount(n int, one, many string) error {
	if n == 0 {
		return fmt.Errorf("no %s is given; name at least one", one)
	}
	return checkMost(n, many)
}

func checkMost(n int, many string) error {
	if n > len(lineColors) {
		return fmt.Errorf("%d %s; colours and dashes keep %d apart", n, many, len(lineColors))
	}
	return nil
}

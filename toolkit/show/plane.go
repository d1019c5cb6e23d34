package show

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// A planeView contains the options that all plots of a plane have. The option types do not embed
// planeView, because a composite literal with these options would then have to name planeView.
type planeView struct {
	title, xLabel, yLabel string
	x, y                  [2]float64 // ranges of x and y to show
	grid                  int        // number of cells of the mesh along each side
}

// A planePlot is a figure with one panel, which shows a rectangle in the plane of two variables. It
// contains the mesh on which curves are found. The field `rows` contains the data set, or nil.
type planePlot struct {
	*Figure
	box  box
	grid contour.Grid
	rows *datasets.Dataset
	hues []int // for each class of the data set, the number of its colour and marker
}

// newPlane returns an empty plot of the two features of d, in which the caller draws the model. By
// default, the axis labels are the names of the features, and the ranges contain all points.
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
	v.label(d)
	p, err := planeOf(b, v)
	if err == nil {
		p.rows, p.hues = d, huesOf(d)
	}
	return p, err
}

// label gives each axis without a label the name of its feature.
func (v *planeView) label(d *datasets.Dataset) {
	if v.xLabel == "" {
		v.xLabel = label(d.FeatureNames[0])
	}
	if v.yLabel == "" {
		v.yLabel = label(d.FeatureNames[1])
	}
}

// planeOf returns the plot of a plane that shows the rectangle b.
func planeOf(b box, v planeView) (*planePlot, error) {
	g, err := checkGrid(v.grid)
	if err != nil {
		return nil, err
	}
	fig := singlePanel(b.panel(v.xLabel, v.yLabel))
	fig.Title = v.title
	return &planePlot{Figure: fig, box: b, grid: g}, nil
}

// add adds marks to the panel.
func (p *planePlot) add(marks ...mark) { p.panels[0].add(marks...) }

// axes returns a phrase with the names of the two variables, for the sentence in Alt.
func (p *planePlot) axes() string {
	return p.panels[0].X.Label.Text + " and " + p.panels[0].Y.Label.Text
}

// points returns the rows of a data set with two features, grouped by class.
func points(d *datasets.Dataset) [][]xy {
	out := make([][]xy, d.K())
	for i, l := range d.Labels {
		out[l] = append(out[l], rowPoint(d, i))
	}
	return out
}

func rowPoint(d *datasets.Dataset, i int) xy {
	return xy{X: round9(d.X.At(i, 0)), Y: round9(d.X.At(i, 1))}
}

// hue returns the number of the colour and of the marker of class k.
func (p *planePlot) hue(k int) int { return hueIn(p.hues, k) }

// huesOf returns the numbers of the colours and markers of the classes of d. If a number is
// negative, or if two classes would have the same colour and marker, it returns nil.
func huesOf(d *datasets.Dataset) []int {
	hues, taken := make([]int, d.K()), map[int]bool{}
	for k := range hues {
		hues[k] = d.Hue(k)
		if n := hues[k] % MaxClasses; n < 0 || taken[n] {
			return nil
		} else {
			taken[n] = true
		}
	}
	return hues
}

// hueIn returns the hue of class k. If `hues` contains no entry for the class, it returns k.
func hueIn(hues []int, k int) int {
	if k < len(hues) {
		return hues[k]
	}
	return k
}

// classGlyph returns the marker with number k.
func classGlyph(k int, radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: ClassColor(k), Radius: radius, Shape: marker(k)}
}

// addRows draws the rows of the data set and adds them to the legend and the Data. If `hide` is true,
// it does nothing.
func (p *planePlot) addRows(hide bool) {
	if hide {
		return
	}
	for k, pts := range points(p.rows) {
		layer := pointLayer{pts, classGlyph(p.hue(k), markerSize)}
		p.add(layer)
		p.AddLegend(label(p.rows.ClassNames[k]), layer)
	}
	data := newColumns("points.", "x", "y", "class")
	for i, l := range p.rows.Labels {
		q := rowPoint(p.rows, i)
		data.row(q.X, q.Y, float64(l))
	}
	data.to(p.Figure)
}

// addMistakes draws rings around the rows of the data set that the model misclassifies.
func (p *planePlot) addMistakes(predicted []int) {
	var pts []xy
	var rows []float64
	for i, l := range p.rows.Labels {
		if predicted[i] != l {
			pts, rows = append(pts, rowPoint(p.rows, i)), append(rows, float64(i))
		}
	}
	layer := pointLayer{pts, draw.GlyphStyle{Color: ink, Radius: 2.1 * markerSize, Shape: ringGlyph{}}}
	p.add(layer)
	p.AddLegend(fmt.Sprintf("misclassified (%d)", len(pts)), layer)
	p.AddData("mistakes.row", rows)
}

// tint fills the regions of the classes with light colours.
func (p *planePlot) tint(found *contour.Map) {
	for k, rings := range found.Regions {
		p.add(fill(p.box.rings(rings), mix(paper, ClassColor(p.hue(k)), tintShare)))
	}
}

// addBoundary draws all boundary lines in one style.
func (p *planePlot) addBoundary(found *contour.Map, style draw.LineStyle) lineLayer {
	layer := lineLayer{p.box.lines(found.Lines), style}
	p.add(layer)
	return layer
}

// addBoundaryData adds the boundary lines to the Data of the figure. The columns contain the two
// classes that meet, the index of the piece, and the coordinates of the points of the piece.
func (p *planePlot) addBoundaryData(prefix string, found *contour.Map) {
	data := newRuns(prefix, "i", "j", "piece")
	for n, pts := range p.box.lines(found.Lines) {
		data.add(pts, float64(found.Lines[n].I), float64(found.Lines[n].J))
	}
	data.to(p.Figure)
}

// The type `runs` collects the columns for several runs of points. A run is a line or a ring.
type runs struct {
	prefix string
	names  []string
	values [][]float64
	n      float64
}

// newRuns returns an empty value of type runs with the columns `names`, x and y. The columns `names`
// are constant within a run. The last column of `names` contains the index of the run.
func newRuns(prefix string, names ...string) *runs {
	return newColumns(prefix, append(names, "x", "y")...)
}

func newColumns(prefix string, names ...string) *runs {
	return &runs{prefix: prefix, names: names, values: make([][]float64, len(names))}
}

// add appends a run of points. The argument `values` contains the numbers for the columns that are
// constant within the run, without the index of the run, which add itself appends.
func (r *runs) add(pts []xy, values ...float64) {
	for _, q := range pts {
		r.row(append(slices.Clip(values), r.n, q.X, q.Y)...)
	}
	r.n++
}

// row appends one value to each column.
func (r *runs) row(values ...float64) {
	for i, v := range values {
		r.values[i] = append(r.values[i], v)
	}
}

func (r *runs) to(f *Figure) {
	for i, name := range r.names {
		f.AddData(r.prefix+name, r.values[i])
	}
}

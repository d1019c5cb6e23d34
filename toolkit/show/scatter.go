package show

import (
	"fmt"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// addPoints draws the rows of d with the marker of their class, and adds them to
// the legend and the numbers.
func (f *Figure) addPoints(d *datasets.Dataset) {
	byClass := make([][]plotter.XY, d.K())
	var xs, ys, ks []float64
	for i, l := range d.Labels {
		q := plotter.XY{X: round9(d.X.At(i, 0)), Y: round9(d.X.At(i, 1))}
		byClass[l] = append(byClass[l], q)
		xs, ys, ks = append(xs, q.X), append(ys, q.Y), append(ks, float64(l))
	}
	for k, pts := range byClass {
		layer := pointLayer{pts, draw.GlyphStyle{Color: ClassColor(k), Radius: markerSize, Shape: marker(k)}}
		f.panels[0].Add(layer)
		f.AddLegend(label(d.ClassNames[k]), layer)
	}
	f.AddData("points.x", xs)
	f.AddData("points.y", ys)
	f.AddData("points.class", ks)
}

// addMistakes rings the rows of d that the model puts into another class.
func (f *Figure) addMistakes(d *datasets.Dataset, predicted []int) {
	var pts []plotter.XY
	var rows []float64
	for i, l := range d.Labels {
		if predicted[i] != l {
			pts = append(pts, plotter.XY{X: round9(d.X.At(i, 0)), Y: round9(d.X.At(i, 1))})
			rows = append(rows, float64(i))
		}
	}
	layer := pointLayer{pts, draw.GlyphStyle{Color: ink, Radius: 2.1 * markerSize, Shape: ringGlyph{}}}
	f.panels[0].Add(layer)
	f.AddLegend(fmt.Sprintf("misclassified (%d)", len(pts)), layer)
	f.AddData("mistakes.row", rows)
}

// ringGlyph is an open thin circle, to be drawn around other markers.
type ringGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (ringGlyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: 0.9})
	c.Stroke(circle(at, sty.Radius))
}

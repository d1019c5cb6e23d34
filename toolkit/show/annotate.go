package show

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// AddArrow draws an arrow from (x0, y0) to (x1, y1) over a panel. Under a name it
// enters the legend and the numbers (name.x, name.y); with an empty name neither.
// The axes stay as they are. It returns an error if there is no such panel or a
// coordinate is not finite.
func (f *Figure) AddArrow(panel int, name string, x0, y0, x1, y1 float64, l Look) error {
	return f.arrow("AddArrow", panel, name, x0, y0, x1, y1, l, false)
}

// AddSpan draws a line with a head at both ends, as distances are marked on
// drawings; the rest is as for AddArrow. Errors: those of AddArrow.
func (f *Figure) AddSpan(panel int, name string, x0, y0, x1, y1 float64, l Look) error {
	return f.arrow("AddSpan", panel, name, x0, y0, x1, y1, l, true)
}

func (f *Figure) arrow(who string, panel int, name string, x0, y0, x1, y1 float64, l Look, both bool) error {
	x, y := []float64{x0, x1}, []float64{y0, y1}
	pts, err := f.finite(who, panel, x, y)
	if err != nil {
		return err
	}
	layer := arrowLayer{pts[0], pts[1], l.line(1.1), 7, both}
	f.put(panel, name, layer, x, y)
	return nil
}

// AddArea fills the polygon with the corners (x[i], y[i]) with a light tint of
// the colour of l, or with hatching if l has a Dash: 1 and 3 rise, 2 and 4 fall.
// What lies outside of the frame is cut off. Name and errors are as for AddArrow;
// fewer than three corners are an error.
func (f *Figure) AddArea(panel int, name string, x, y []float64, l Look) error {
	pts, err := f.finite("AddArea", panel, x, y)
	if err != nil {
		return err
	}
	if len(pts) < 3 {
		return fmt.Errorf("show: AddArea: %d corners; an area has at least 3", len(pts))
	}
	layer := polygonLayer{corners: pts, color: mix(paper, l.color(), tintShare)}
	if l.Dash > 0 {
		layer.hatch = &hatchLayer{slope: 1, spacing: 5, tint: mix(paper, l.color(), tintShare/2), style: l.line(0.7)}
		layer.hatch.style.Dashes = nil
		if l.Dash%2 == 0 {
			layer.hatch.slope = -1
		}
		layer.color = layer.hatch.tint
	}
	f.put(panel, name, layer, x, y)
	return nil
}

// AddRightAngle draws the mark of a right angle at (x, y), between the directions
// (ux, uy) and (vx, vy), with sides of Size points (0 is 7). It looks right where
// the axes are equal (see [Figure.EqualAxes]). Errors are as for AddArrow.
func (f *Figure) AddRightAngle(panel int, x, y, ux, uy, vx, vy float64, l Look) error {
	pts, err := f.finite("AddRightAngle", panel, []float64{x, ux, vx}, []float64{y, uy, vy})
	if err != nil {
		return err
	}
	f.panels[panel].Add(cornerLayer{pts[0], pts[1], pts[2], l.size(7), l.line(0.9)})
	return nil
}

// line returns the style of a line of that width unless the look has its own.
func (l Look) line(width vg.Length) draw.LineStyle {
	if l.Width > 0 {
		width = vg.Points(l.Width)
	}
	return draw.LineStyle{Color: l.color(), Width: width, Dashes: dash(max(0, l.Dash))}
}

// finite is series without gaps.
func (f *Figure) finite(who string, panel int, x, y []float64) ([]xy, error) {
	pts, err := f.series(who, panel, x, y)
	if err != nil {
		return nil, err
	}
	for i := range x {
		if v := x[i]*0 + y[i]*0; v != 0 { // NaN or infinite
			return nil, fmt.Errorf("show: %s: point %d is (%v, %v); it must be finite", who, i, x[i], y[i])
		}
	}
	return pts, nil
}

// polygonLayer fills a polygon inside the frame.
type polygonLayer struct {
	corners []plotter.XY
	color   color.NRGBA
	hatch   *hatchLayer
}

// Plot implements plot.Plotter.
func (l polygonLayer) Plot(c draw.Canvas, p *plot.Plot) {
	if recorded(c, l) {
		return
	}
	x, y := p.Transforms(&c)
	pts := make([]vg.Point, len(l.corners))
	for i, q := range l.corners {
		pts[i] = vg.Point{X: x(q.X), Y: y(q.Y)}
	}
	pts = c.ClipPolygonXY(pts)
	if len(pts) < 3 {
		return
	}
	c.FillPolygon(l.color, pts)
	if l.hatch != nil {
		l.hatch.hatch(&c, [][]vg.Point{pts})
	}
}

// Thumbnail implements plot.Thumbnailer.
func (l polygonLayer) Thumbnail(c *draw.Canvas) {
	c.SetColor(l.color)
	c.Fill(c.Rectangle.Path())
	if l.hatch != nil {
		l.hatch.Thumbnail(c)
	}
}

// cornerLayer draws the mark of a right angle.
type cornerLayer struct {
	at, u, v plotter.XY // u and v are directions
	size     vg.Length
	style    draw.LineStyle
}

// Plot implements plot.Plotter.
func (l cornerLayer) Plot(c draw.Canvas, p *plot.Plot) {
	if recorded(c, l) {
		return
	}
	x, y := p.Transforms(&c)
	at := vg.Point{X: x(l.at.X), Y: y(l.at.Y)}
	side := func(d plotter.XY) vg.Point {
		q := vg.Point{X: x(l.at.X + d.X), Y: y(l.at.Y + d.Y)}.Sub(at)
		return q.Scale(l.size / vg.Length(math.Hypot(float64(q.X), float64(q.Y))))
	}
	if l.u == (plotter.XY{}) || l.v == (plotter.XY{}) {
		return
	}
	u, v := at.Add(side(l.u)), at.Add(side(l.v))
	c.StrokeLines(l.style, []vg.Point{u, u.Add(v.Sub(at)), v})
}

package show

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The layers of a panel. Each draws in data coordinates and clips at the frame.

// areaLayer fills rings, non-zero winding.
type areaLayer struct {
	rings [][]plotter.XY
	color color.NRGBA
}

// Plot implements plot.Plotter.
func (l areaLayer) Plot(c draw.Canvas, p *plot.Plot) {
	if recorded(c, l) {
		return
	}
	x, y := p.Transforms(&c)
	var path vg.Path
	for _, ring := range l.rings {
		for i, q := range ring {
			at := vg.Point{X: x(q.X), Y: y(q.Y)}
			if i == 0 {
				path.Move(at)
			} else {
				path.Line(at)
			}
		}
		path.Close()
	}
	if len(path) > 0 {
		c.SetColor(l.color)
		c.Fill(path)
	}
}

// Thumbnail implements plot.Thumbnailer.
func (l areaLayer) Thumbnail(c *draw.Canvas) {
	c.SetColor(l.color)
	c.Fill(c.Rectangle.Path())
}

// lineLayer draws lines in one style; a NaN coordinate interrupts a line.
type lineLayer struct {
	lines [][]plotter.XY
	style draw.LineStyle
}

// Plot implements plot.Plotter.
func (l lineLayer) Plot(c draw.Canvas, p *plot.Plot) {
	if recorded(c, l) {
		return
	}
	x, y := p.Transforms(&c)
	for _, line := range l.lines {
		var pts []vg.Point
		flush := func() {
			if len(pts) > 1 {
				c.StrokeLines(l.style, c.ClipLinesXY(pts)...)
			}
			pts = nil
		}
		for _, q := range line {
			if math.IsNaN(q.X) || math.IsNaN(q.Y) {
				flush()
				continue
			}
			pts = append(pts, vg.Point{X: x(q.X), Y: y(q.Y)})
		}
		flush()
	}
}

// Thumbnail implements plot.Thumbnailer.
func (l lineLayer) Thumbnail(c *draw.Canvas) {
	c.StrokeLine2(l.style, c.Min.X, c.Center().Y, c.Max.X, c.Center().Y)
}

// pointLayer draws one marker at each point inside the frame.
type pointLayer struct {
	points []plotter.XY
	style  draw.GlyphStyle
}

// Plot implements plot.Plotter.
func (l pointLayer) Plot(c draw.Canvas, p *plot.Plot) {
	if recorded(c, l) {
		return
	}
	x, y := p.Transforms(&c)
	for _, q := range l.points {
		if at := (vg.Point{X: x(q.X), Y: y(q.Y)}); c.Contains(at) {
			c.DrawGlyph(l.style, at)
		}
	}
}

// Thumbnail implements plot.Thumbnailer.
func (l pointLayer) Thumbnail(c *draw.Canvas) { c.DrawGlyph(l.style, c.Center()) }

// textLayer writes labels at points of the panel.
type textLayer struct {
	at     []plotter.XY
	labels []string
	size   vg.Length
	color  color.NRGBA
	dx, dy vg.Length // offset in points
	xalign draw.XAlignment
}

// Plot implements plot.Plotter.
func (l textLayer) Plot(c draw.Canvas, p *plot.Plot) {
	if recorded(c, l) {
		return
	}
	x, y := p.Transforms(&c)
	sty := legendStyle()
	sty.Font = sans(l.size)
	sty.Color = l.color
	sty.XAlign = l.xalign
	for i, q := range l.at {
		c.FillText(sty, vg.Point{X: x(q.X) + l.dx, Y: middle(sty, y(q.Y)+l.dy)}, l.labels[i])
	}
}

// polyline returns columns x and y as points.
func polyline(x, y []float64) []plotter.XY {
	out := make([]plotter.XY, len(x))
	for i := range x {
		out[i] = plotter.XY{X: x[i], Y: y[i]}
	}
	return out
}

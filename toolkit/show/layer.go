package show

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

type xy = plotter.XY

// A mark is what a layer of a panel shows; at maps its data coordinates to the page.
type mark interface {
	drawOn(c *draw.Canvas, at func(xy) vg.Point)
}

// A legendMark is a mark that the legend can show.
type legendMark interface {
	mark
	plot.Thumbnailer
}

// A layer is a mark as a plotter of gonum/plot.
type layer struct{ mark }

// Plot implements plot.Plotter.
func (l layer) Plot(c draw.Canvas, p *plot.Plot) {
	if r := recordOf(c); r != nil {
		r.keep(l.mark)
		return
	}
	x, y := p.Transforms(&c)
	l.drawOn(&c, func(q xy) vg.Point { return vg.Point{X: x(q.X), Y: y(q.Y)} })
}

// add draws marks on the panel, the later over the earlier.
func (p panel) add(marks ...mark) {
	for _, m := range marks {
		p.Add(layer{m})
	}
}

// placed maps points of the data to the page.
func placed(pts []xy, at func(xy) vg.Point) []vg.Point {
	out := make([]vg.Point, len(pts))
	for i, q := range pts {
		out[i] = at(q)
	}
	return out
}

// areaLayer fills rings, non-zero winding.
type areaLayer struct {
	rings [][]xy
	color color.NRGBA
	hatch *hatching // over the colour; nil for none
	clip  bool      // the rings may reach out of the frame
}

func fill(rings [][]xy, c color.NRGBA) areaLayer { return areaLayer{rings: rings, color: c} }

func (l areaLayer) drawOn(c *draw.Canvas, at func(xy) vg.Point) {
	var path vg.Path
	var rings [][]vg.Point
	for _, ring := range l.rings {
		pts := placed(ring, at)
		if l.clip {
			if pts = c.ClipPolygonXY(pts); len(pts) < 3 {
				continue
			}
		}
		for i, q := range pts {
			if i == 0 {
				path.Move(q)
			} else {
				path.Line(q)
			}
		}
		path.Close()
		rings = append(rings, pts)
	}
	if len(path) == 0 {
		return
	}
	c.SetColor(l.color)
	c.Fill(path)
	if l.hatch != nil {
		l.hatch.draw(c, rings)
	}
}

// Thumbnail implements plot.Thumbnailer.
func (l areaLayer) Thumbnail(c *draw.Canvas) {
	c.SetColor(l.color)
	c.Fill(c.Rectangle.Path())
	if l.hatch != nil {
		l.hatch.draw(c, [][]vg.Point{{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}}})
	}
}

// hatching is parallel lines, so that an area stands out in a grey print.
type hatching struct {
	style   draw.LineStyle
	slope   vg.Length // +1 rising, −1 falling lines
	spacing vg.Length // across
}

// draw draws the lines u = y − slope·x = constant where they are inside an odd number
// of rings. The lines pass through the origin of the page, so that those of
// neighbouring panels and regions agree.
func (h hatching) draw(c *draw.Canvas, rings [][]vg.Point) {
	m, step := h.slope, h.spacing*1.41421356
	lo, hi := vg.Length(1e9), vg.Length(-1e9)
	for _, r := range rings {
		for _, q := range r {
			lo, hi = min(lo, q.Y-m*q.X), max(hi, q.Y-m*q.X)
		}
	}
	for n := int(lo/step) - 1; vg.Length(n)*step < hi; n++ {
		u := vg.Length(n) * step
		var xs []vg.Length
		for _, r := range rings {
			for i, a := range r {
				b := r[(i+1)%len(r)]
				ua, ub := a.Y-m*a.X-u, b.Y-m*b.X-u
				if (ua < 0) != (ub < 0) {
					xs = append(xs, a.X+(b.X-a.X)*ua/(ua-ub))
				}
			}
		}
		slices.Sort(xs)
		for i := 0; i+1 < len(xs); i += 2 {
			c.StrokeLine2(h.style, xs[i], u+m*xs[i], xs[i+1], u+m*xs[i+1])
		}
	}
}

// lineLayer draws lines in one style; a NaN coordinate interrupts a line.
type lineLayer struct {
	lines [][]xy
	style draw.LineStyle
}

func (l lineLayer) drawOn(c *draw.Canvas, at func(xy) vg.Point) {
	for _, line := range l.lines {
		var pts []vg.Point
		for i := range len(line) + 1 {
			if i < len(line) && !math.IsNaN(line[i].X) && !math.IsNaN(line[i].Y) {
				pts = append(pts, at(line[i]))
				continue
			}
			if len(pts) > 1 {
				c.StrokeLines(l.style, c.ClipLinesXY(pts)...)
			}
			pts = nil
		}
	}
}

// Thumbnail implements plot.Thumbnailer.
func (l lineLayer) Thumbnail(c *draw.Canvas) {
	c.StrokeLine2(l.style, c.Min.X, c.Center().Y, c.Max.X, c.Center().Y)
}

// pointLayer draws one marker at each point inside the frame.
type pointLayer struct {
	points []xy
	style  draw.GlyphStyle
}

func (l pointLayer) drawOn(c *draw.Canvas, at func(xy) vg.Point) {
	for _, q := range placed(l.points, at) {
		if c.Contains(q) {
			c.DrawGlyph(l.style, q)
		}
	}
}

// Thumbnail implements plot.Thumbnailer.
func (l pointLayer) Thumbnail(c *draw.Canvas) { c.DrawGlyph(l.style, c.Center()) }

// textLayer writes labels at points of the panel.
type textLayer struct {
	at     []xy
	labels []string
	size   vg.Length
	color  color.NRGBA
	dx, dy vg.Length // offset in points
	xalign draw.XAlignment
}

func (l textLayer) drawOn(c *draw.Canvas, at func(xy) vg.Point) {
	sty := legendStyle()
	sty.Font = sans(l.size)
	sty.Color = l.color
	sty.XAlign = l.xalign
	for i, q := range placed(l.at, at) {
		c.FillText(sty, vg.Point{X: q.X + l.dx, Y: middle(sty, q.Y+l.dy)}, l.labels[i])
	}
}

// imageLayer stretches a picture over a box.
type imageLayer struct {
	box box
	img image.Image
}

func (l imageLayer) drawOn(c *draw.Canvas, at func(xy) vg.Point) {
	c.DrawImage(vg.Rectangle{Min: at(xy{X: l.box.x[0], Y: l.box.y[0]}), Max: at(xy{X: l.box.x[1], Y: l.box.y[1]})}, l.img)
}

// polyline returns columns x and y as points.
func polyline(x, y []float64) []xy {
	out := make([]xy, len(x))
	for i := range x {
		out[i] = xy{X: x[i], Y: y[i]}
	}
	return out
}

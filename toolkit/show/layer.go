package show

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

type xy = plotter.XY

// A mark is what a layer draws. The function `at`, which its method drawOn receives, converts data
// coordinates to page coordinates.
type mark interface {
	drawOn(c *draw.Canvas, at func(xy) vg.Point)
}

// A legendMark is a mark that the legend can show.
type legendMark interface {
	mark
	plot.Thumbnailer
}

// A layer contains a mark and is a plotter for gonum/plot.
type layer struct{ mark }

// Plot implements plot.Plotter.
func (l layer) Plot(c draw.Canvas, p *plot.Plot) {
	if r := recordOf(c); r != nil {
		r.addMark(l.mark)
		return
	}
	x, y := p.Transforms(&c)
	l.drawOn(&c, func(q xy) vg.Point { return vg.Point{X: x(q.X), Y: y(q.Y)} })
}

// add adds marks to the panel. Later marks are drawn over earlier marks.
func (p panel) add(marks ...mark) {
	for _, m := range marks {
		p.Add(layer{m})
	}
}

// toPage converts points from data coordinates to page coordinates.
func toPage(pts []xy, at func(xy) vg.Point) []vg.Point {
	out := make([]vg.Point, len(pts))
	for i, q := range pts {
		out[i] = at(q)
	}
	return out
}

// areaLayer fills rings by the non-zero winding rule.
type areaLayer struct {
	rings [][]xy
	color color.NRGBA
	hatch *hatching // hatching to draw over the colour, or nil
	clip  bool      // whether to cut off the parts of the rings outside the frame
}

func fill(rings [][]xy, c color.NRGBA) areaLayer { return areaLayer{rings: rings, color: c} }

func (l areaLayer) drawOn(c *draw.Canvas, at func(xy) vg.Point) {
	var path vg.Path
	var rings [][]vg.Point
	for _, ring := range l.rings {
		pts := toPage(ring, at)
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

// hatching is a set of parallel lines. It makes an area visible in a greyscale print.
type hatching struct {
	style   draw.LineStyle
	slope   vg.Length // +1 for rising lines, −1 for falling lines
	spacing vg.Length // distance between neighbouring lines
}

// draw draws those parts of the lines y − slope·x = constant that lie inside the area. A point is
// inside the area if it is in an odd number of rings. The positions of the lines are relative to
// the origin of the page, so that the hatchings of neighbouring panels and regions match.
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

// lineLayer draws lines in one style. A NaN coordinate interrupts a line.
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

// pointLayer draws a marker at each point that is inside the frame.
type pointLayer struct {
	points []xy
	style  draw.GlyphStyle
}

func (l pointLayer) drawOn(c *draw.Canvas, at func(xy) vg.Point) {
	for _, q := range toPage(l.points, at) {
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
	for i, q := range toPage(l.at, at) {
		c.FillText(sty, vg.Point{X: q.X + l.dx, Y: baseline(sty, q.Y+l.dy)}, l.labels[i])
	}
}

// imageLayer draws a picture so that it fills a box.
type imageLayer struct {
	box box
	img image.Image
}

func (l imageLayer) drawOn(c *draw.Canvas, at func(xy) vg.Point) {
	c.DrawImage(vg.Rectangle{Min: at(xy{X: l.box.x[0], Y: l.box.y[0]}), Max: at(xy{X: l.box.x[1], Y: l.box.y[1]})},
		l.img)
}

// polyline returns the points (x[i], y[i]) as a slice.
func polyline(x, y []float64) []xy {
	out := make([]xy, len(x))
	for i := range x {
		out[i] = xy{X: x[i], Y: y[i]}
	}
	return out
}

// length returns the length of the vector p on the page.
func length(p vg.Point) vg.Length { return vg.Length(math.Hypot(float64(p.X), float64(p.Y))) }

// drawArrow draws a line between two points, with an arrowhead at the second point.
func drawArrow(c *draw.Canvas, sty draw.LineStyle, a, b vg.Point, head vg.Length) {
	d := b.Sub(a)
	long := length(d)
	if long == 0 {
		return
	}
	d = d.Scale(1 / long)
	head = min(head, long)
	c.StrokeLine2(sty, a.X, a.Y, b.X-0.8*head*d.X, b.Y-0.8*head*d.Y)
	side := vg.Point{X: -d.Y, Y: d.X}.Scale(0.38 * head)
	back := b.Sub(d.Scale(head))
	c.FillPolygon(sty.Color, []vg.Point{b, back.Add(side), b.Sub(d.Scale(0.8 * head)), back.Sub(side)})
}

// arrowLayer draws one arrow. If the field `both` is true, the arrow has a head at each end.
type arrowLayer struct {
	from, to xy
	style    draw.LineStyle
	head     vg.Length
	both     bool
}

func (l arrowLayer) drawOn(c *draw.Canvas, at func(xy) vg.Point) {
	a, b := at(l.from), at(l.to)
	if l.both {
		mid := a.Add(b.Sub(a).Scale(0.5))
		drawArrow(c, l.style, mid, a, l.head)
		a = mid
	}
	drawArrow(c, l.style, a, b, l.head)
}

// Thumbnail implements plot.Thumbnailer.
func (l arrowLayer) Thumbnail(c *draw.Canvas) {
	drawArrow(c, l.style, vg.Point{X: c.Min.X, Y: c.Center().Y}, vg.Point{X: c.Max.X, Y: c.Center().Y}, l.head)
}

// sideLayer draws a short arrow from a line to the side on which the function is positive.
type sideLayer struct {
	a, b  xy   // end points of a segment; the arrow starts at its midpoint
	left  bool // whether the positive side is to the left of the direction from a to b
	style draw.LineStyle
}

// newSideLayer places the arrow near one end of the longest line. To find the positive side, it
// evaluates h.
func newSideLayer(h *height, lines [][]xy, sty draw.LineStyle) (sideLayer, error) {
	w, hh := h.box.size()
	dist := func(p, q xy) float64 { return math.Hypot((q.X-p.X)/w, (q.Y-p.Y)/hh) }
	var longest []xy
	most := -1.0
	for _, l := range lines {
		sum := 0.0
		for i := 1; i < len(l); i++ {
			sum += dist(l[i-1], l[i])
		}
		if sum > most {
			longest, most = l, sum
		}
	}
	s := sideLayer{style: sty}
	s.style.Dashes = nil
	const near = 0.08 // position of the arrow on the line, as a fraction of the line's length
	left := near * most
	for i := 1; i < len(longest); i++ {
		a, b := longest[i-1], longest[i]
		step := dist(a, b)
		if left > step && i < len(longest)-1 {
			left -= step
			continue
		}
		if step == 0 {
			continue
		}
		t := min(1, left/step)
		mid := xy{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)}
		dx, dy := (b.X-a.X)*1e-3, (b.Y-a.Y)*1e-3
		s.a, s.b = xy{X: mid.X - dx, Y: mid.Y - dy}, xy{X: mid.X + dx, Y: mid.Y + dy}
		// Compare the values of h after a small step to the left and after a small step to the
		// right of the line.
		const eps = 1e-3
		ux, uy := (b.X-a.X)/w/step, (b.Y-a.Y)/hh/step
		v, err := h.f.evaluate(mat.NewDense(2, 2, []float64{
			mid.X - eps*uy*w, mid.Y + eps*ux*hh,
			mid.X + eps*uy*w, mid.Y - eps*ux*hh}))
		if err != nil {
			return s, err
		}
		s.left = v[0] > v[1]
		break
	}
	return s, nil
}

func (l sideLayer) drawOn(c *draw.Canvas, at func(xy) vg.Point) {
	const long, head = vg.Length(13), vg.Length(5)
	a, b := at(l.a), at(l.b)
	d := b.Sub(a)
	if length(d) == 0 {
		return
	}
	n := vg.Point{X: -d.Y, Y: d.X}.Scale(long / length(d))
	if !l.left {
		n = n.Scale(-1)
	}
	mid := a.Add(d.Scale(0.5))
	drawArrow(c, l.style, mid, mid.Add(n), head)
}

// cornerLayer draws the mark of a right angle between two directions.
type cornerLayer struct {
	at, u, v xy
	size     vg.Length
	style    draw.LineStyle
}

func (l cornerLayer) drawOn(c *draw.Canvas, at func(xy) vg.Point) {
	if l.u == (xy{}) || l.v == (xy{}) {
		return
	}
	p := at(l.at)
	side := func(d xy) vg.Point {
		q := at(xy{X: l.at.X + d.X, Y: l.at.Y + d.Y}).Sub(p)
		return q.Scale(l.size / length(q))
	}
	u, v := p.Add(side(l.u)), p.Add(side(l.v))
	c.StrokeLines(l.style, []vg.Point{u, u.Add(v.Sub(p)), v})
}

// capLayer draws the end caps of horizontal interval bars.
type capLayer struct {
	at    []xy
	style draw.LineStyle
}

func (l capLayer) drawOn(c *draw.Canvas, at func(xy) vg.Point) {
	for _, q := range toPage(l.at, at) {
		if c.ContainsX(q.X) {
			c.StrokeLine2(l.style, q.X, q.Y-2.5, q.X, q.Y+2.5)
		}
	}
}

package show

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawArrow draws a line from a to b with a head at b.
func drawArrow(c *draw.Canvas, sty draw.LineStyle, a, b vg.Point, head vg.Length) {
	d := b.Sub(a)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if length == 0 {
		return
	}
	d = d.Scale(1 / length)
	head = min(head, length)
	c.StrokeLine2(sty, a.X, a.Y, b.X-0.8*head*d.X, b.Y-0.8*head*d.Y)
	side := vg.Point{X: -d.Y, Y: d.X}.Scale(0.38 * head)
	back := b.Sub(d.Scale(head))
	var p vg.Path
	p.Move(b)
	p.Line(back.Add(side))
	p.Line(b.Sub(d.Scale(0.8 * head)))
	p.Line(back.Sub(side))
	p.Close()
	c.SetColor(sty.Color)
	c.Fill(p)
}

// arrowLayer draws one arrow, or with both a line with two heads.
type arrowLayer struct {
	from, to plotter.XY
	style    draw.LineStyle
	head     vg.Length
	both     bool
}

// Plot implements plot.Plotter.
func (l arrowLayer) Plot(c draw.Canvas, p *plot.Plot) {
	if recorded(c, l) {
		return
	}
	x, y := p.Transforms(&c)
	a, b := vg.Point{X: x(l.from.X), Y: y(l.from.Y)}, vg.Point{X: x(l.to.X), Y: y(l.to.Y)}
	if l.both {
		drawArrow(&c, l.style, a.Add(b.Sub(a).Scale(0.5)), a, l.head)
		a = a.Add(b.Sub(a).Scale(0.5))
	}
	drawArrow(&c, l.style, a, b, l.head)
}

// Thumbnail implements plot.Thumbnailer.
func (l arrowLayer) Thumbnail(c *draw.Canvas) {
	drawArrow(c, l.style, vg.Point{X: c.Min.X, Y: c.Center().Y}, vg.Point{X: c.Max.X, Y: c.Center().Y}, l.head)
}

// sideLayer draws a short arrow from a line to the side where its function is
// positive, near one end of the longest piece.
type sideLayer struct {
	a, b  plotter.XY // a segment, the arrow starts in its middle
	left  bool       // of the way from a to b
	style draw.LineStyle
}

// newSideLayer finds a place for the arrow and asks h which side it is.
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
	const near = 0.08 // of the way along the line
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
		// The layer starts in the middle of its segment.
		dx, dy := (b.X-a.X)*1e-3, (b.Y-a.Y)*1e-3
		s.a, s.b = xy{X: mid.X - dx, Y: mid.Y - dy}, xy{X: mid.X + dx, Y: mid.Y + dy}
		// A step to the left and one to the right, in units of the box.
		const eps = 1e-3
		ux, uy := (b.X-a.X)/w/step, (b.Y-a.Y)/hh/step
		x := mat.NewDense(2, 2, []float64{
			mid.X - eps*uy*w, mid.Y + eps*ux*hh,
			mid.X + eps*uy*w, mid.Y - eps*ux*hh})
		v, err := h.at(x)
		if err != nil {
			return s, err
		}
		s.left = v[0] > v[1]
		break
	}
	return s, nil
}

// Plot implements plot.Plotter.
func (l sideLayer) Plot(c draw.Canvas, p *plot.Plot) {
	if recorded(c, l) {
		return
	}
	const long, head = vg.Length(13), vg.Length(5)
	x, y := p.Transforms(&c)
	a, b := vg.Point{X: x(l.a.X), Y: y(l.a.Y)}, vg.Point{X: x(l.b.X), Y: y(l.b.Y)}
	d := b.Sub(a)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if length == 0 {
		return
	}
	n := vg.Point{X: -d.Y, Y: d.X}.Scale(long / length)
	if !l.left {
		n = n.Scale(-1)
	}
	mid := a.Add(d.Scale(0.5))
	drawArrow(&c, l.style, mid, mid.Add(n), head)
}

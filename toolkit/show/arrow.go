package show

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// length returns the length of a vector of the page.
func length(p vg.Point) vg.Length { return vg.Length(math.Hypot(float64(p.X), float64(p.Y))) }

// drawArrow draws a line from a to b with a head at b.
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

// arrowLayer draws one arrow, or with both a line with two heads.
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

// sideLayer draws a short arrow from a line to the side where its function is
// positive.
type sideLayer struct {
	a, b  xy   // a segment, the arrow starts in its middle
	left  bool // of the way from a to b
	style draw.LineStyle
}

// newSideLayer finds a place for the arrow near one end of the longest line and asks
// h which side it is.
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
		dx, dy := (b.X-a.X)*1e-3, (b.Y-a.Y)*1e-3
		s.a, s.b = xy{X: mid.X - dx, Y: mid.Y - dy}, xy{X: mid.X + dx, Y: mid.Y + dy}
		// A step to the left and one to the right, in units of the box.
		const eps = 1e-3
		ux, uy := (b.X-a.X)/w/step, (b.Y-a.Y)/hh/step
		v, err := h.f.at(mat.NewDense(2, 2, []float64{
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

// capLayer ends horizontal bars.
type capLayer struct {
	at    []xy
	style draw.LineStyle
}

func (l capLayer) drawOn(c *draw.Canvas, at func(xy) vg.Point) {
	for _, q := range placed(l.at, at) {
		if c.ContainsX(q.X) {
			c.StrokeLine2(l.style, q.X, q.Y-2.5, q.X, q.Y+2.5)
		}
	}
}

package show

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A scene draws sheets over a floor. Its coordinates run from 0 to 1 along each
// axis; the box that holds them is a unit wide and deep and tall high.
type scene struct {
	box    box
	zr     [2]float64
	cells  int
	every  int     // so many cells are one of the mesh that is drawn; 0 is one
	low    float64 // what is lower than this part of the box is left out
	alpha  uint8   // of the faces
	sheets []Sheet
	z      [][]float64 // heights of each sheet at the nodes, row by row
	eye    eye
	labels [3]string

	azimuth, elevation float64 // of the eye, in degrees
}

const tall = 0.72

// An eye is a parallel projection: right and up span the page, toward points to
// the viewer.
type eye struct{ right, up, toward [3]float64 }

// newEye looks from azimuth az and elevation el, in degrees.
func newEye(az, el float64) eye {
	sa, ca := math.Sincos(az * math.Pi / 180)
	se, ce := math.Sincos(el * math.Pi / 180)
	return eye{[3]float64{-sa, ca, 0}, [3]float64{-se * ca, -se * sa, ce}, [3]float64{ce * ca, ce * sa, se}}
}

// A view maps scene coordinates to the page.
type view struct {
	eye
	at    vg.Point // of the origin
	scale float64
}

func (e eye) flat(p [3]float64) (x, y float64) {
	p[2] *= tall
	for i := range p {
		x += p[i] * e.right[i]
		y += p[i] * e.up[i]
	}
	return x, y
}

func (v view) point(x, y, z float64) vg.Point {
	a, b := v.flat([3]float64{x, y, z})
	return vg.Point{X: v.at.X + vg.Length(a*v.scale), Y: v.at.Y + vg.Length(b*v.scale)}
}

// fit returns the view that fills a frame, with room for the labels of the axes.
func (s *scene) fit(c draw.Canvas) view {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := range 8 {
		x, y := s.eye.flat([3]float64{float64(i & 1), float64(i >> 1 & 1), float64(i >> 2)})
		lo[0], hi[0], lo[1], hi[1] = min(lo[0], x), max(hi[0], x), min(lo[1], y), max(hi[1], y)
	}
	const left, right, below, above = 52, 16, 24, 4
	w, h := float64(c.Size().X)-left-right, float64(c.Size().Y)-below-above
	scale := min(w/(hi[0]-lo[0]), h/(hi[1]-lo[1]))
	return view{s.eye, vg.Point{
		X: c.Min.X + vg.Length(left+(w-scale*(hi[0]-lo[0]))/2-scale*lo[0]),
		Y: c.Min.Y + vg.Length(below+(h-scale*(hi[1]-lo[1]))/2-scale*lo[1])}, scale}
}

func (s *scene) drawOn(c *draw.Canvas, _ func(xy) vg.Point) {
	v := s.fit(*c)
	s.room(*c, v)
	crossings := s.paint(func(f face) {
		pts, inner := make([]vg.Point, len(f.corners)), false
		for i, q := range f.corners {
			pts[i] = v.point(q.x, q.y, f.z[i])
			inner = inner || q.edge != meshEdge
		}
		paint := f.color
		paint.A = s.alpha
		c.FillPolygon(paint, pts)
		mesh := draw.LineStyle{Color: mix(f.color, ink, 0.35), Width: 0.35}
		if !inner {
			c.StrokeLines(mesh, append(pts, pts[0]))
			return
		}
		// A thin line of the same colour closes the seams that viewers leave.
		if s.alpha == 255 {
			c.StrokeLines(draw.LineStyle{Color: f.color, Width: 0.35}, append(pts, pts[0]))
		}
		for i, q := range f.corners {
			if a, b := pts[i], pts[(i+1)%len(pts)]; q.edge == meshEdge {
				c.StrokeLine2(mesh, a.X, a.Y, b.X, b.Y)
			}
		}
	})
	// The crossings are drawn last, where they can be seen: nearer cells would
	// paint over half of their width.
	for _, x := range crossings {
		for _, seen := range s.seen(x) {
			a, b := v.point(seen.a[0], seen.a[1], seen.a[2]), v.point(seen.b[0], seen.b[1], seen.b[2])
			c.StrokeLine2(draw.LineStyle{Color: ink, Width: 1.1}, a.X, a.Y, b.X, b.Y)
		}
	}
}

// far returns 0 or 1, the side of axis i that is away from the viewer.
func (e eye) far(i int) float64 {
	if e.toward[i] > 0 {
		return 0
	}
	return 1
}

// room draws the floor and the two walls behind, ruled at the ticks, with the
// labels of the axes along their near edges.
func (s *scene) room(c draw.Canvas, v view) {
	fx, fy := s.eye.far(0), s.eye.far(1)
	wall := func(clr color.NRGBA, p ...vg.Point) {
		c.FillPolygon(clr, p)
		c.StrokeLines(draw.LineStyle{Color: softInk, Width: thinWidth}, append(p, p[0]))
	}
	pale := color.NRGBA{0xF6, 0xF6, 0xF6, 255}
	wall(color.NRGBA{0xF0, 0xF0, 0xF0, 255}, v.point(0, 0, 0), v.point(1, 0, 0), v.point(1, 1, 0), v.point(0, 1, 0))
	wall(pale, v.point(fx, 0, 0), v.point(fx, 1, 0), v.point(fx, 1, 1), v.point(fx, 0, 1))
	wall(pale, v.point(0, fy, 0), v.point(1, fy, 0), v.point(1, fy, 1), v.point(0, fy, 1))
	rule := func(p ...vg.Point) { c.StrokeLines(draw.LineStyle{Color: gridInk, Width: thinWidth}, p) }
	core := v.point(0.5, 0.5, 0.5)
	// The upright edge that is farthest to the left carries the heights.
	zx, zy := fx, 1-fy
	if a, _ := s.eye.flat([3]float64{1 - fx, fy, 0}); a < first(s.eye.flat([3]float64{zx, zy, 0})) {
		zx, zy = 1-fx, fy
	}
	for _, axis := range []struct {
		ticks [2]float64
		name  string
		at    func(t float64) vg.Point
		rule  func(t float64)
	}{
		{s.box.x, s.labels[0], func(t float64) vg.Point { return v.point(t, 1-fy, 0) },
			func(t float64) { rule(v.point(t, 1-fy, 0), v.point(t, fy, 0), v.point(t, fy, 1)) }},
		{s.box.y, s.labels[1], func(t float64) vg.Point { return v.point(1-fx, t, 0) },
			func(t float64) { rule(v.point(1-fx, t, 0), v.point(fx, t, 0), v.point(fx, t, 1)) }},
		{s.zr, s.labels[2], func(t float64) vg.Point { return v.point(zx, zy, t) },
			func(t float64) { rule(v.point(fx, 1-fy, t), v.point(fx, fy, t), v.point(1-fx, fy, t)) }},
	} {
		a, b := axis.at(0), axis.at(1)
		out := outward(a, b, core)
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: frameLine}, a.X, a.Y, b.X, b.Y)
		sty := legendStyle()
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YCenter
		sty.Font = sans(tickSize - 1)
		wide := vg.Length(0)
		for _, t := range (niceTicks{}).Ticks(axis.ticks[0], axis.ticks[1]) {
			share := (t.Value - axis.ticks[0]) / (axis.ticks[1] - axis.ticks[0])
			axis.rule(share)
			p := axis.at(share)
			q := p.Add(out.Scale(3))
			c.StrokeLine2(draw.LineStyle{Color: ink, Width: thinWidth}, p.X, p.Y, q.X, q.Y)
			w := sty.Width(t.Label)
			wide = max(wide, w)
			// The label's nearest side, not its middle, keeps the distance.
			q = p.Add(out.Scale(5 + vg.Length(math.Abs(float64(out.X)))*w/2 + vg.Length(math.Abs(float64(out.Y)))*4))
			c.FillText(sty, vg.Point{X: q.X, Y: middle(sty, q.Y)}, t.Label)
		}
		sty.Font = sans(labelSize)
		// Far enough that the nearest corner of the name clears the tick labels.
		ox, oy := vg.Length(math.Abs(float64(out.X))), vg.Length(math.Abs(float64(out.Y)))
		q := a.Add(b.Sub(a).Scale(0.5)).Add(out.Scale(8 + ox*(wide+sty.Width(axis.name)/2) + oy*14))
		if axis.ticks == s.zr {
			sty.Rotation = math.Pi / 2
			q = a.Add(b.Sub(a).Scale(0.5)).Add(out.Scale(21 + wide))
			c.FillText(sty, q, axis.name)
			continue
		}
		c.FillText(sty, vg.Point{X: q.X, Y: middle(sty, q.Y)}, axis.name)
	}
}

func first(a, _ float64) float64 { return a }

// outward returns the direction of length 1 at right angles to the line through a
// and b that points away from m.
func outward(a, b, m vg.Point) vg.Point {
	d := b.Sub(a)
	n := vg.Point{X: -d.Y, Y: d.X}.Scale(1 / vg.Length(math.Hypot(float64(d.X), float64(d.Y))))
	if n.Dot(m.Sub(a)) > 0 {
		return n.Scale(-1)
	}
	return n
}

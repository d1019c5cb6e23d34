package show

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A scene draws sheets, which are surfaces over a floor. The coordinates along each axis run from 0
// to 1. The box that is drawn is one unit wide and one unit deep, and its height is the constant
// `tall`.
type scene struct {
	box    box
	zr     [2]float64
	cells  int
	every  int     // each drawn cell consists of this many mesh cells along each side; 0 means 1
	low    float64 // height below which no sheet is drawn, as a fraction of the box's height
	alpha  uint8   // opacity of the faces
	sheets []Sheet
	z      [][]float64 // heights of each sheet at the nodes of the mesh, row by row, not scaled to 0 to 1
	eye    eye
	labels [3]string

	azimuth, elevation float64 // azimuth and elevation of the viewer, in degrees
}

const tall = 0.72

// An eye is a parallel projection. The unit vectors `right` and `up` lie in the plane of the page,
// and the unit vector `toward` points to the viewer.
type eye struct{ right, up, toward [3]float64 }

// newEye returns the eye of a viewer at azimuth az and elevation el, in degrees.
func newEye(az, el float64) eye {
	sa, ca := math.Sincos(az * math.Pi / 180)
	se, ce := math.Sincos(el * math.Pi / 180)
	return eye{[3]float64{-sa, ca, 0}, [3]float64{-se * ca, -se * sa, ce}, [3]float64{ce * ca, ce * sa, se}}
}

// A view converts scene coordinates to page coordinates.
type view struct {
	eye
	at    vg.Point // position of the origin of the scene on the page
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

// fit returns the view in which the scene, with the labels of its axes, is as large as the canvas
// allows.
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
	s.drawRoom(*c, v)
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
		// Some programs that show the file leave small gaps between neighbouring faces. A thin line
		// in the same colour fills these gaps.
		if s.alpha == 255 {
			c.StrokeLines(draw.LineStyle{Color: f.color, Width: 0.35}, append(pts, pts[0]))
		}
		for i, q := range f.corners {
			if a, b := pts[i], pts[(i+1)%len(pts)]; q.edge == meshEdge {
				c.StrokeLine2(mesh, a.X, a.Y, b.X, b.Y)
			}
		}
	})
	// Draw the visible parts of the crossings last. If they were drawn earlier, nearer cells would
	// cover half of their width.
	for _, x := range crossings {
		for _, seen := range s.visibleParts(x) {
			a, b := v.point(seen.a[0], seen.a[1], seen.a[2]), v.point(seen.b[0], seen.b[1], seen.b[2])
			c.StrokeLine2(draw.LineStyle{Color: ink, Width: 1.1}, a.X, a.Y, b.X, b.Y)
		}
	}
}

// farEnd returns the coordinate, 0 or 1, of the end of axis i that is farther from the viewer.
func (e eye) farEnd(i int) float64 {
	if e.toward[i] > 0 {
		return 0
	}
	return 1
}

// drawRoom draws the floor and the two back walls with grid lines at the ticks. It also draws the
// labels of the axes: along the near edges of the floor, and along the leftmost vertical edge.
func (s *scene) drawRoom(c draw.Canvas, v view) {
	fx, fy := s.eye.farEnd(0), s.eye.farEnd(1)
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
	// The labels of the height axis are at the leftmost vertical edge of the box.
	zx, zy := fx, 1-fy
	if a, _ := s.eye.flat([3]float64{1 - fx, fy, 0}); a < first(s.eye.flat([3]float64{zx, zy, 0})) {
		zx, zy = 1-fx, fy
	}
	for _, axis := range []struct {
		ticks   [2]float64
		name    string
		pointAt func(t float64) vg.Point
		rule    func(t float64)
	}{
		{s.box.x, s.labels[0], func(t float64) vg.Point { return v.point(t, 1-fy, 0) },
			func(t float64) { rule(v.point(t, 1-fy, 0), v.point(t, fy, 0), v.point(t, fy, 1)) }},
		{s.box.y, s.labels[1], func(t float64) vg.Point { return v.point(1-fx, t, 0) },
			func(t float64) { rule(v.point(1-fx, t, 0), v.point(fx, t, 0), v.point(fx, t, 1)) }},
		{s.zr, s.labels[2], func(t float64) vg.Point { return v.point(zx, zy, t) },
			func(t float64) { rule(v.point(fx, 1-fy, t), v.point(fx, fy, t), v.point(1-fx, fy, t)) }},
	} {
		a, b := axis.pointAt(0), axis.pointAt(1)
		out := outwardNormal(a, b, core)
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: frameLine}, a.X, a.Y, b.X, b.Y)
		sty := legendStyle()
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YCenter
		sty.Font = sans(tickSize - 1)
		wide := vg.Length(0)
		for _, t := range (niceTicks{}).Ticks(axis.ticks[0], axis.ticks[1]) {
			share := (t.Value - axis.ticks[0]) / (axis.ticks[1] - axis.ticks[0])
			axis.rule(share)
			p := axis.pointAt(share)
			q := p.Add(out.Scale(3))
			c.StrokeLine2(draw.LineStyle{Color: ink, Width: thinWidth}, p.X, p.Y, q.X, q.Y)
			w := sty.Width(t.Label)
			wide = max(wide, w)
			// The nearest side of the label, not its middle, has a fixed distance from the axis.
			q = p.Add(out.Scale(5 + vg.Length(math.Abs(float64(out.X)))*w/2 + vg.Length(math.Abs(float64(out.Y)))*4))
			c.FillText(sty, vg.Point{X: q.X, Y: baseline(sty, q.Y)}, t.Label)
		}
		sty.Font = sans(labelSize)
		// The nearest corner of the axis name must not touch the tick labels.
		ox, oy := vg.Length(math.Abs(float64(out.X))), vg.Length(math.Abs(float64(out.Y)))
		q := a.Add(b.Sub(a).Scale(0.5)).Add(out.Scale(8 + ox*(wide+sty.Width(axis.name)/2) + oy*14))
		if axis.ticks == s.zr {
			sty.Rotation = math.Pi / 2
			q = a.Add(b.Sub(a).Scale(0.5)).Add(out.Scale(21 + wide))
			c.FillText(sty, q, axis.name)
			continue
		}
		c.FillText(sty, vg.Point{X: q.X, Y: baseline(sty, q.Y)}, axis.name)
	}
}

func first(a, _ float64) float64 { return a }

// outwardNormal returns the unit vector that is perpendicular to the line through the points a and
// b, and that points away from m.
func outwardNormal(a, b, m vg.Point) vg.Point {
	d := b.Sub(a)
	n := vg.Point{X: -d.Y, Y: d.X}.Scale(1 / vg.Length(math.Hypot(float64(d.X), float64(d.Y))))
	if n.Dot(m.Sub(a)) > 0 {
		return n.Scale(-1)
	}
	return n
}

// visibleParts returns the visible parts of a crossing. The ends of the parts are accurate to a
// sixth of the crossing's length. A part ends where a sheet begins to hide the crossing.
func (s *scene) visibleParts(x crossing) []crossing {
	const parts = 6
	var out []crossing
	open := false
	for n := range parts {
		piece := crossing{x.pointAt(float64(n) / parts), x.pointAt(float64(n+1) / parts)}
		switch visible := s.isVisible(piece); {
		case visible && open:
			out[len(out)-1].b = piece.b
		case visible:
			out = append(out, piece)
			open = true
		default:
			open = false
		}
	}
	return out
}

// pointAt returns the point of the crossing at fraction t of the way from end a to end b.
func (x crossing) pointAt(t float64) (p [3]float64) {
	for i := range p {
		p[i] = x.a[i] + (x.b[i]-x.a[i])*t
	}
	return p
}

// isVisible reports whether the middle of a crossing is visible. It is visible if no sheet lies on
// the ray from this point to the viewer. isVisible follows the ray in steps of a third of a cell. A
// sheet lies between two steps if the ray is above the sheet at one step and below the sheet at the
// other.
func (s *scene) isVisible(x crossing) bool {
	p, d := x.pointAt(0.5), s.eye.toward
	d[2] /= tall
	step := 1 / (3 * float64(s.cells) * math.Hypot(d[0], d[1]))
	for k := range s.sheets {
		last := 0.0
		for t := step; ; t += step {
			a, b, z := p[0]+t*d[0], p[1]+t*d[1], p[2]+t*d[2]
			if z > 1 || a < 0 || a > 1 || b < 0 || b > 1 {
				break
			}
			under := s.heightAt(k, a, b)
			gap := z - under
			if math.IsNaN(gap) || under < s.low || under > 1 { // the sheet has a hole here or is not drawn
				last = 0
				continue
			}
			if last*gap < 0 {
				return false
			}
			if gap != 0 {
				last = gap
			}
		}
	}
	return true
}

// heightAt returns the height of sheet k at a point of the floor. In a hole it returns NaN.
func (s *scene) heightAt(k int, x, y float64) float64 {
	n := float64(s.cells)
	i, j := min(int(x*n), s.cells-1), min(int(y*n), s.cells-1)
	u, v := x*n-float64(i), y*n-float64(j)
	z, ok := s.nodes(k, i, j)
	switch {
	case !ok:
		return math.NaN()
	case u > v: // the lower triangle
		return z[0] + u*(z[1]-z[0]) + v*(z[2]-z[1])
	}
	return z[0] + u*(z[2]-z[3]) + v*(z[3]-z[0])
}

// These constants are the kinds of polygon edges.
const (
	innerEdge = iota // inside a drawn cell
	meshEdge         // between drawn cells
	crossEdge        // along a cut
)

// A corner is a corner of a polygon on the floor, together with the kind of the edge that leads to
// the next corner.
type corner struct {
	x, y float64
	edge int
}

// A slope is a plane over the floor. Its height at the point (x, y) is z + gx·x + gy·y.
type slope struct{ z, gx, gy float64 }

func (p slope) height(x, y float64) float64 { return p.z + p.gx*x + p.gy*y }

// A face is a piece of a sheet, described by its corners and their heights.
type face struct {
	slope
	corners []corner
	z       []float64
	color   color.NRGBA
}

// A crossing is a piece of the line on which two sheets intersect.
type crossing struct{ a, b [3]float64 }

// A painter calls the function `draw` with the faces of a scene and collects the crossings.
type painter struct {
	*scene
	draw      func(face)
	crossings []crossing
}

// paint calls the function `draw` with all faces. A hidden face comes before the faces that hide
// it. paint visits the cells from the farthest to the nearest. Where sheets cross, they divide the
// floor of a cell into pieces. paint visits each piece and draws the sheets over it from the lowest
// to the highest. It returns the crossings.
func (s *scene) paint(draw func(face)) []crossing {
	p := &painter{scene: s, draw: draw}
	along := func(i int, far float64) int {
		if far == 0 {
			return i
		}
		return s.cells - 1 - i
	}
	for n := range s.cells {
		for m := range s.cells {
			p.paintCell(along(m, s.eye.farEnd(0)), along(n, s.eye.farEnd(1)))
		}
	}
	return p.crossings
}

// paintCell paints one cell. The node (i, j) is the corner of the cell with the smallest
// coordinates.
func (s *painter) paintCell(i, j int) {
	d := 1 / float64(s.cells)
	x, y := float64(i)*d, float64(j)*d
	south, north, west, east := s.edge(j), s.edge(j+1), s.edge(i), s.edge(i+1)
	lower := []corner{{x, y, south}, {x + d, y, east}, {x + d, y + d, innerEdge}}
	upper := []corner{{x, y, innerEdge}, {x + d, y + d, north}, {x, y + d, west}}
	var low, up []slope
	var nodes [][4]float64
	var which []int
	for k := range s.z {
		z, ok := s.nodes(k, i, j)
		if !ok {
			continue
		}
		which, nodes = append(which, k), append(nodes, z)
		low = append(low, planeThrough(x, y, z[0], (z[1]-z[0])/d, (z[2]-z[1])/d))
		up = append(up, planeThrough(x, y, z[0], (z[2]-z[3])/d, (z[3]-z[0])/d))
	}
	if sheetsApart(nodes, s.low) {
		square := []corner{{x, y, south}, {x + d, y, east}, {x + d, y + d, north}, {x, y + d, west}}
		s.paintPile(square, nodes, which, d)
		return
	}
	if s.eye.toward[0] > s.eye.toward[1] { // the lower triangle is nearer to the viewer
		lower, low, upper, up = upper, up, lower, low
	}
	s.paintDivided(lower, low, which, 0, 1)
	s.paintDivided(upper, up, which, 0, 1)
}

// edge returns the kind of the n-th line between mesh cells. If this line is to be drawn, the kind
// is meshEdge. Otherwise it is innerEdge.
func (s *scene) edge(n int) int {
	if s.every > 1 && n%s.every != 0 {
		return innerEdge
	}
	return meshEdge
}

// nodes returns the heights of sheet k at the corners of the cell (i, j), anticlockwise, as
// fractions of the box's height. It returns false if the sheet has a hole in the cell.
func (s *scene) nodes(k, i, j int) (z [4]float64, ok bool) {
	for n, at := range [4]int{j*(s.cells+1) + i, j*(s.cells+1) + i + 1, (j+1)*(s.cells+1) + i + 1,
		(j+1)*(s.cells+1) + i} {
		z[n] = (s.z[k][at] - s.zr[0]) / (s.zr[1] - s.zr[0])
	}
	return z, allFinite(z[:]...)
}

// planeThrough returns the plane with the slopes gx and gy that has height z at (x, y).
func planeThrough(x, y, z, gx, gy float64) slope { return slope{z - gx*x - gy*y, gx, gy} }

// sheetsApart reports whether, in a cell, the sheets neither meet each other nor extend below the
// floor or above the ceiling. It uses only the heights at the four nodes of the cell.
func sheetsApart(nodes [][4]float64, floor float64) bool {
	for i, a := range nodes {
		for n, v := range a {
			if v < floor || v > 1 {
				return false
			}
			for _, b := range nodes[i+1:] {
				if gap := v - b[n]; !(gap*(a[0]-b[0]) > 0) {
					return false
				}
			}
		}
	}
	return true
}

// sortedIndices returns the numbers 0 … n−1 sorted by a key.
func sortedIndices(n int, key func(i int) float64) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(i, j int) int { return cmp.Compare(key(i), key(j)) })
	return out
}

// paintPile paints a cell in which the sheets do not meet. It paints a whole square for each sheet,
// starting with the lowest sheet.
func (s *painter) paintPile(square []corner, nodes [][4]float64, which []int, d float64) {
	for _, i := range sortedIndices(len(nodes), func(i int) float64 { return nodes[i][0] }) {
		z := nodes[i]
		// mean.z is the mean height of the cell, not the height at (0, 0).
		mean := slope{(z[0] + z[1] + z[2] + z[3]) / 4, (z[1] - z[0] + z[2] - z[3]) / (2 * d),
			(z[3] - z[0] + z[2] - z[1]) / (2 * d)}
		s.draw(face{mean, square, z[:], s.faceColor(which[i], mean.z, mean)})
	}
}

// faceColor returns the colour of sheet k at a height. The brightness depends on the slope of the
// face.
func (s *scene) faceColor(k int, z float64, p slope) color.NRGBA {
	base := s.sheets[k].Color
	if f := s.sheets[k].Colors; f != nil {
		base = f(round9(s.zr[0] + (s.zr[1]-s.zr[0])*min(1, max(0, z))))
	}
	return s.shadedColor(base, p.light(s.eye))
}

// paintDivided divides a piece of the floor along the lines on which two planes cross, and paints
// the farther part first. It skips the pairs of planes before (a, b).
func (s *painter) paintDivided(piece []corner, planes []slope, which []int, a, b int) {
	for ; a < len(planes)-1; a, b = a+1, a+2 {
		for ; b < len(planes); b++ {
			p, q := planes[a], planes[b]
			gap := slope{p.z - q.z, p.gx - q.gx, p.gy - q.gy}
			over, under := cutPiece(piece, gap), cutPiece(piece, slope{-gap.z, -gap.gx, -gap.gy})
			if over == nil || under == nil {
				continue
			}
			// If the gap increases towards the viewer, the part with plane p above plane q is nearer,
			// so paint this part second.
			if gap.gx*s.eye.toward[0]+gap.gy*s.eye.toward[1] > 0 {
				over, under = under, over
			}
			s.paintDivided(over, planes, which, a, b+1)
			s.paintDivided(under, planes, which, a, b+1)
			return
		}
	}
	s.paintStack(piece, planes, which)
}

// paintStack paints the sheets over a piece of the floor on which no two sheets cross.
func (s *painter) paintStack(piece []corner, planes []slope, which []int) {
	var x, y float64
	for _, q := range piece {
		x, y = x+q.x/float64(len(piece)), y+q.y/float64(len(piece))
	}
	for i, a := range planes {
		for _, b := range planes[i+1:] {
			// Two pieces meet at a crossing of a and b. To collect each crossing once, call addCrossings
			// only for the piece on which a is above b.
			if a.height(x, y) > b.height(x, y) {
				s.addCrossings(piece, a, b)
			}
		}
	}
	for _, i := range sortedIndices(len(planes), func(i int) float64 { return planes[i].height(x, y) }) {
		p := planes[i]
		const flush = 1e-9 // a sheet exactly at the height s.low or exactly at the ceiling is also drawn
		shown := cutPiece(cutPiece(piece, slope{p.z - s.low + flush, p.gx, p.gy}), slope{1 + flush - p.z, -p.gx, -p.gy})
		if shown == nil {
			continue
		}
		z := make([]float64, len(shown))
		for n, q := range shown {
			z[n] = p.height(q.x, q.y)
		}
		s.draw(face{p, shown, z, s.faceColor(which[i], p.height(x, y), p)})
	}
}

// addCrossings collects the edges of a piece of the floor along which planes a and b have the same
// height, if this height is between s.low and the ceiling. Such an edge may be a line of the mesh
// instead of a cut, because two planes may cross exactly on a line of the mesh. addCrossings ignores
// planes that are nearly parallel, because small errors of their heights move the line on which they
// cross by a large distance.
func (s *painter) addCrossings(piece []corner, a, b slope) {
	const eps, least = 1e-9, 0.05
	if math.Hypot(a.gx-b.gx, a.gy-b.gy) < least {
		return
	}
	for i, p := range piece {
		q := piece[(i+1)%len(piece)]
		zp, zq := a.height(p.x, p.y), a.height(q.x, q.y)
		if math.Abs(zp-b.height(p.x, p.y)) > eps || math.Abs(zq-b.height(q.x, q.y)) > eps {
			continue
		}
		if min(zp, zq) >= s.low-eps && max(zp, zq) <= 1+eps {
			s.crossings = append(s.crossings, crossing{[3]float64{p.x, p.y, zp}, [3]float64{q.x, q.y, zq}})
		}
	}
}

// light returns the brightness of a plane, from 0 to 1. The light shines from above and from the
// left of the viewer.
func (p slope) light(e eye) float64 {
	gx, gy := p.gx*tall, p.gy*tall
	norm := math.Sqrt(gx*gx + gy*gy + 1)
	var lamp [3]float64
	for i := range lamp {
		lamp[i] = 0.5*e.toward[i] - 0.45*e.right[i]
	}
	lamp[2] += 0.75
	size := math.Sqrt(lamp[0]*lamp[0] + lamp[1]*lamp[1] + lamp[2]*lamp[2])
	return max(0, round9((-gx*lamp[0]-gy*lamp[1]+lamp[2])/norm/size))
}

// shadedColor returns the colour c with the given brightness.
func (s *scene) shadedColor(c color.NRGBA, light float64) color.NRGBA {
	return mix(mix(c, paper, 0.3*light), ink, 0.45*(1-light))
}

// cutPiece returns the part of a convex polygon in which g is positive. If this part is empty or
// extremely narrow, it returns nil.
func cutPiece(piece []corner, g slope) []corner {
	const eps = 1e-12
	var out []corner
	inside := false
	for i, a := range piece {
		b := piece[(i+1)%len(piece)]
		ga, gb := g.height(a.x, a.y), g.height(b.x, b.y)
		inside = inside || ga > eps
		if ga >= 0 {
			out = append(out, a)
		}
		if ga >= 0 != (gb >= 0) {
			t := ga / (ga - gb)
			q := corner{a.x + t*(b.x-a.x), a.y + t*(b.y-a.y), a.edge}
			if ga >= 0 {
				q.edge = crossEdge // the edge to the next corner is the cut
			}
			out = append(out, q)
		}
	}
	if !inside || len(out) < 3 {
		return nil
	}
	return out
}

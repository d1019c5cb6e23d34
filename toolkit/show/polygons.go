package show

import (
	"cmp"
	"image/color"
	"math"
	"slices"
)

// How a polygon's edge came to be.
const (
	innerEdge = iota // within a cell
	meshEdge         // between cells
	crossEdge        // along a cut
)

// A corner of a polygon on the floor, and what the edge to the next corner is.
type corner struct {
	x, y float64
	edge int
}

// A slope is a plane: the height z + gx·x + gy·y over a triangle of the floor.
type slope struct{ z, gx, gy float64 }

func (p slope) height(x, y float64) float64 { return p.z + p.gx*x + p.gy*y }

// A face is a piece of a sheet, with the heights of its corners.
type face struct {
	slope
	corners []corner
	z       []float64
	color   color.NRGBA
}

// A crossing is a piece of the line in which two sheets cross.
type crossing struct{ a, b [3]float64 }

// A painter hands on faces and keeps the crossings.
type painter struct {
	*scene
	draw      func(face)
	crossings []crossing
}

// paint calls draw with all faces, the hidden before those that hide them: cells
// from the farthest to the nearest, in a cell the pieces of the floor that the
// crossings of sheets divide, and over each the sheets from below. It returns the
// crossings.
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
			p.cell(along(m, s.eye.far(0)), along(n, s.eye.far(1)))
		}
	}
	return p.crossings
}

// cell paints the cell whose node nearest to the origin is (i, j).
func (s *painter) cell(i, j int) {
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
		low = append(low, through(x, y, z[0], (z[1]-z[0])/d, (z[2]-z[1])/d))
		up = append(up, through(x, y, z[0], (z[2]-z[3])/d, (z[3]-z[0])/d))
	}
	if apart(nodes, s.low) {
		square := []corner{{x, y, south}, {x + d, y, east}, {x + d, y + d, north}, {x, y + d, west}}
		s.pile(square, nodes, which, d)
		return
	}
	if s.eye.toward[0] > s.eye.toward[1] { // the lower triangle is nearer
		lower, low, upper, up = upper, up, lower, low
	}
	s.divide(lower, low, which, 0, 1)
	s.divide(upper, up, which, 0, 1)
}

// edge tells what the n-th line between cells is: one of the mesh that is drawn, or not.
func (s *scene) edge(n int) int {
	if s.every > 1 && n%s.every != 0 {
		return innerEdge
	}
	return meshEdge
}

// nodes returns the heights of sheet k at the corners of a cell, anticlockwise; false
// where it has a hole.
func (s *scene) nodes(k, i, j int) (z [4]float64, ok bool) {
	for n, at := range [4]int{j*(s.cells+1) + i, j*(s.cells+1) + i + 1, (j+1)*(s.cells+1) + i + 1, (j+1)*(s.cells+1) + i} {
		z[n] = (s.z[k][at] - s.zr[0]) / (s.zr[1] - s.zr[0])
	}
	return z, finite(z[:]...)
}

// through returns the plane of height z at (x, y) with these slopes.
func through(x, y, z, gx, gy float64) slope { return slope{z - gx*x - gy*y, gx, gy} }

// apart reports whether no two sheets meet in a cell and none reaches the floor or
// the ceiling, by their heights at its four nodes.
func apart(nodes [][4]float64, floor float64) bool {
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

// ordered returns 0 … n−1 in the order of a key.
func ordered(n int, key func(i int) float64) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(i, j int) int { return cmp.Compare(key(i), key(j)) })
	return out
}

// pile paints a cell in which the sheets are apart: whole squares, from below.
func (s *painter) pile(square []corner, nodes [][4]float64, which []int, d float64) {
	for _, i := range ordered(len(nodes), func(i int) float64 { return nodes[i][0] }) {
		z := nodes[i]
		mean := slope{(z[0] + z[1] + z[2] + z[3]) / 4, (z[1] - z[0] + z[2] - z[3]) / (2 * d), (z[3] - z[0] + z[2] - z[1]) / (2 * d)}
		s.draw(face{mean, square, z[:], s.faceColor(which[i], mean.z, mean)})
	}
}

// faceColor returns the colour of sheet k at a height, under its light.
func (s *scene) faceColor(k int, z float64, p slope) color.NRGBA {
	base := s.sheets[k].Color
	if f := s.sheets[k].Colors; f != nil {
		base = f(round9(s.zr[0] + (s.zr[1]-s.zr[0])*min(1, max(0, z))))
	}
	return s.lit(base, p.light(s.eye))
}

// divide cuts a piece of the floor where two planes cross, from the pair (a, b)
// on, and paints first the part that is farther away.
func (s *painter) divide(piece []corner, planes []slope, which []int, a, b int) {
	for ; a < len(planes)-1; a, b = a+1, a+2 {
		for ; b < len(planes); b++ {
			p, q := planes[a], planes[b]
			gap := slope{p.z - q.z, p.gx - q.gx, p.gy - q.gy}
			over, under := cut(piece, gap), cut(piece, slope{-gap.z, -gap.gx, -gap.gy})
			if over == nil || under == nil {
				continue
			}
			if gap.gx*s.eye.toward[0]+gap.gy*s.eye.toward[1] > 0 { // the gap grows towards the viewer
				over, under = under, over
			}
			s.divide(over, planes, which, a, b+1)
			s.divide(under, planes, which, a, b+1)
			return
		}
	}
	s.stack(piece, planes, which)
}

// stack paints the sheets over a piece of the floor on which none cross.
func (s *painter) stack(piece []corner, planes []slope, which []int) {
	var x, y float64
	for _, q := range piece {
		x, y = x+q.x/float64(len(piece)), y+q.y/float64(len(piece))
	}
	for i, a := range planes {
		for _, b := range planes[i+1:] {
			if a.height(x, y) > b.height(x, y) { // not on the other side of the line too
				s.cross(piece, a, b)
			}
		}
	}
	for _, i := range ordered(len(planes), func(i int) float64 { return planes[i].height(x, y) }) {
		p := planes[i]
		const flush = 1e-9 // what lies on the floor or under the ceiling is in the box
		shown := cut(cut(piece, slope{p.z - s.low + flush, p.gx, p.gy}), slope{1 + flush - p.z, -p.gx, -p.gy})
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

// cross keeps the edges of a piece of the floor along which planes a and b agree,
// cut there or not: a crossing may run along the mesh. It keeps none if they are
// all but one plane there: then the line means nothing.
func (s *painter) cross(piece []corner, a, b slope) {
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

// light returns how directly the plane is lit, 0 to 1, by a lamp to the upper left
// of the viewer.
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

// lit returns a colour under that much light.
func (s *scene) lit(c color.NRGBA, light float64) color.NRGBA {
	return mix(mix(c, paper, 0.3*light), ink, 0.45*(1-light))
}

// cut returns the part of a convex polygon on which g is positive, or nil if that
// is nothing or a sliver.
func cut(piece []corner, g slope) []corner {
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
				q.edge = crossEdge // from here along the cut
			}
			out = append(out, q)
		}
	}
	if !inside || len(out) < 3 {
		return nil
	}
	return out
}

package contour

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// mesh is the square, divided into triangles. Its points have numbers: first the nodes, then the
// points where lines cross edges, then the corners inside triangles.
type mesh struct {
	grid     Grid
	step     float64 // width or height of a cell, whichever is larger
	labels   []int
	points   []Point
	crossing map[[2]int]int // maps an edge (smaller node first) to the number of the point where a line crosses it

	sides    [][][2]int     // for each label, the sides of its pieces of triangles, with the piece on the left
	segments map[[2]int]seg // maps the ends of a boundary segment (smaller first) to the labels on its sides
	corners  map[int][3]int // maps the number of a corner to the labels that meet there
	moved    map[int]bool   // points that a sharpened corner has replaced
}

type seg struct{ i, j int }

// triangles calls f with the nodes of every triangle, anticlockwise. The diagonals alternate, so
// the mesh has no preferred direction.
func (m *mesh) triangles(f func(a, b, c int)) {
	for j := range m.grid.NY - 1 {
		for i := range m.grid.NX - 1 {
			p := j*m.grid.NX + i
			q, r, s := p+1, p+m.grid.NX+1, p+m.grid.NX
			if (i+j)%2 == 0 {
				f(p, q, r)
				f(p, r, s)
			} else {
				f(p, q, s)
				f(q, r, s)
			}
		}
	}
}

func ordered(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

// cross finds, on every edge whose ends have different labels, the point where the label changes.
func (m *mesh) cross(f Field) error {
	var keys [][2]int
	m.triangles(func(a, b, c int) {
		for _, e := range [][2]int{ordered(a, b), ordered(b, c), ordered(c, a)} {
			if m.labels[e[0]] == m.labels[e[1]] {
				continue
			}
			if _, seen := m.crossing[e]; !seen {
				m.crossing[e] = 0
				keys = append(keys, e)
			}
		}
	})
	edges := make([]Edge, len(keys))
	for i, e := range keys {
		edges[i] = Edge{m.points[e[0]], m.points[e[1]], m.labels[e[0]], m.labels[e[1]]}
	}
	t, err := f.Cross(edges)
	if err != nil {
		return err
	}
	for i, e := range keys {
		m.crossing[e] = len(m.points)
		m.points = append(m.points, edges[i].At(min(1, max(0, t[i]))))
	}
	return nil
}

// cut divides every triangle into pieces, one for each label of its corners.
func (m *mesh) cut(k int) {
	m.sides = make([][][2]int, k)
	m.segments = map[[2]int]seg{}
	m.corners = map[int][3]int{}
	piece := func(label int, ids ...int) {
		for i, a := range ids {
			if b := ids[(i+1)%len(ids)]; !m.within(a, b) {
				m.sides[label] = append(m.sides[label], [2]int{a, b})
			}
		}
	}
	border := func(a, b, i, j int) { m.segments[ordered(a, b)] = seg{min(i, j), max(i, j)} }
	m.triangles(func(a, b, c int) {
		la, lb, lc := m.labels[a], m.labels[b], m.labels[c]
		switch {
		case la == lb && lb == lc:
			piece(la, a, b, c)
			return
		case la == lb: // renumber the nodes of the triangle so that the node with a different label is first
			a, b, c = c, a, b
		case la == lc:
			a, b, c = b, c, a
		}
		la, lb, lc = m.labels[a], m.labels[b], m.labels[c]
		ab, ca := m.crossing[ordered(a, b)], m.crossing[ordered(c, a)]
		if lb == lc {
			piece(la, a, ab, ca)
			piece(lb, ab, b, c, ca)
			border(ab, ca, la, lb)
			return
		}
		bc := m.crossing[ordered(b, c)]
		p, q, r := m.points[ab], m.points[bc], m.points[ca]
		o := len(m.points)
		m.points = append(m.points, Point{(p.X + q.X + r.X) / 3, (p.Y + q.Y + r.Y) / 3})
		m.corners[o] = [3]int{la, lb, lc}
		piece(la, a, ab, o, ca)
		piece(lb, b, bc, o, ab)
		piece(lc, c, ca, o, bc)
		border(ab, o, la, lb)
		border(bc, o, lb, lc)
		border(ca, o, lc, la)
	})
}

// within reports whether a and b are nodes joined by an edge that is not on the rim of the square.
// If such an edge is a side of a piece, it is also a side of the neighbouring piece, which has the
// same label. The edge is then inside the region, so cut omits it.
func (m *mesh) within(a, b int) bool {
	nx, ny := m.grid.NX, m.grid.NY
	if max(a, b) >= nx*ny {
		return false
	}
	rim := func(i, j, last int) bool { return i == j && (i == 0 || i == last) }
	return !rim(a%nx, b%nx, nx-1) && !rim(a/nx, b/nx, ny-1)
}

// sharpen moves each corner to the point where three regions meet according to the field. It does
// not move a corner if the field finds no such point, or if the point is outside the square or more
// than two and a half cells away. The mesh cannot show the tip of a region that ends inside a
// triangle. A moved corner therefore replaces the points on lines that are less than two and a half
// cells away, except other corners and points on the rim of the square.
func (m *mesh) sharpen(f Field) {
	m.moved = map[int]bool{}
	onLine := m.pointsOnLines()
	for _, id := range slices.Sorted(maps.Keys(m.corners)) {
		at, ok := f.Corner(Corner{m.points[id], m.corners[id]})
		reach := 2.5 * m.step
		if !ok || distance(at, m.points[id]) > reach || at.X < 0 || at.X > 1 || at.Y < 0 || at.Y > 1 {
			continue
		}
		for _, p := range onLine {
			if _, corner := m.corners[p]; !corner && distance(m.points[p], at) < reach && interior(m.points[p]) {
				m.moved[p] = true
			}
		}
		m.points[id] = at
	}
}

func interior(p Point) bool { return p.X > 0 && p.X < 1 && p.Y > 0 && p.Y < 1 }

func distance(a, b Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// pointsOnLines returns the numbers of all points that lie on lines, in ascending order.
func (m *mesh) pointsOnLines() []int {
	seen := map[int]bool{}
	for e := range m.segments {
		seen[e[0]], seen[e[1]] = true, true
	}
	return slices.Sorted(maps.Keys(seen))
}

// collect joins the segments into lines and the sides of the pieces into rings. It omits points that
// are not needed (see thin).
func (m *mesh) collect(k int) *Map {
	out := &Map{Regions: make([][][]Point, k)}
	fixed := map[int]bool{} // the ends of lines; rings keep these points too, so that rings and lines match
	for _, c := range m.chains() {
		if !c.closed {
			fixed[c.ids[0]], fixed[c.ids[len(c.ids)-1]] = true, true
		}
		pts := m.thin(c.ids, fixed, c.closed)
		if len(pts) >= 2 {
			out.Lines = append(out.Lines, Line{c.i, c.j, pts, c.closed})
		}
	}
	for label := range k {
		for _, ring := range m.rings(label) {
			if pts := m.thin(ring, fixed, true); len(pts) >= 3 {
				out.Regions[label] = append(out.Regions[label], pts)
			}
		}
	}
	return out
}

// rings joins the sides of a label's pieces into rings. It omits a side that two pieces share, in
// opposite directions, because this side is inside the region.
func (m *mesh) rings(label int) [][]int {
	sides := m.sides[label]
	has := make(map[[2]int]bool, len(sides))
	for _, s := range sides {
		has[s] = true
	}
	next := map[int][]int{}
	var starts []int
	for _, s := range sides {
		if !has[[2]int{s[1], s[0]}] {
			next[s[0]] = append(next[s[0]], s[1])
			starts = append(starts, s[0])
		}
	}
	slices.Sort(starts)
	var out [][]int
	for _, start := range starts {
		var ring []int
		for at := start; len(next[at]) > 0; {
			ring = append(ring, at)
			to := next[at][0]
			next[at] = next[at][1:]
			at = to
		}
		if len(ring) >= 3 {
			out = append(out, ring)
		}
	}
	return out
}

type chain struct {
	seg
	ids    []int
	closed bool
}

// chains joins segments between the same two regions into lines. For each pair of regions, open
// lines come first, then closed lines. An open line begins at its end with the lower number, and a
// closed line at its point with the lowest number.
func (m *mesh) chains() []chain {
	byPair := map[seg]map[int][]int{}
	for e, s := range m.segments {
		if byPair[s] == nil {
			byPair[s] = map[int][]int{}
		}
		byPair[s][e[0]] = append(byPair[s][e[0]], e[1])
		byPair[s][e[1]] = append(byPair[s][e[1]], e[0])
	}
	pairs := slices.SortedFunc(maps.Keys(byPair),
		func(a, b seg) int { return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j)) })
	var out []chain
	for _, pair := range pairs {
		near := byPair[pair]
		for _, ends := range near {
			slices.Sort(ends)
		}
		ids := slices.Sorted(maps.Keys(near))
		for _, open := range []bool{true, false} {
			for _, id := range ids {
				if len(near[id]) == 0 || open && len(near[id])%2 == 0 {
					continue
				}
				c := chain{seg: pair, ids: walk(near, id)}
				if last := len(c.ids) - 1; c.ids[0] == c.ids[last] {
					c.ids, c.closed = c.ids[:last], true
				}
				out = append(out, c)
			}
		}
	}
	return out
}

// walk follows unused segments, beginning at the point id, and removes them.
func walk(near map[int][]int, id int) []int {
	line := []int{id}
	for len(near[id]) > 0 {
		to := near[id][0]
		near[id] = near[id][1:]
		back := slices.Index(near[to], id)
		near[to] = slices.Delete(near[to], back, back+1)
		line = append(line, to)
		id = to
	}
	return line
}

// slack is the largest distance between a thinned line and the original line, as a fraction of the
// side of the square. In a picture 500 points wide this distance is 0.01 point.
const slack = 2e-5

// thin returns the points of a line or ring. It omits points that a sharpened corner has replaced and
// points that are not needed. A point is not needed if its distance from the straight line between
// its remaining neighbours is at most slack. thin keeps the ends of a line and the fixed points, with
// two exceptions: it omits a point that almost equals the point before it, and the first point of a
// ring if this point lies on a straight side.
func (m *mesh) thin(ids []int, fixed map[int]bool, closed bool) []Point {
	kept := slices.DeleteFunc(slices.Clone(ids), func(id int) bool { return m.moved[id] })
	if len(kept) == 0 {
		return nil
	}
	if closed {
		kept = turn(kept, fixed)
		kept = append(kept, kept[0])
	}
	stops := []int{0}
	for i := 1; i < len(kept)-1; i++ {
		if fixed[kept[i]] {
			stops = append(stops, i)
		}
	}
	stops = append(stops, len(kept)-1)
	// If a ring has at most one fixed point, divide it at the point farthest from its first point.
	if closed && len(stops) == 2 {
		far, dist := 0, 0.0
		for i, id := range kept {
			if d := distance(m.points[id], m.points[kept[0]]); d > dist {
				far, dist = i, d
			}
		}
		stops = []int{0, far, len(kept) - 1}
	}
	out := []Point{m.points[kept[0]]}
	for s := 1; s < len(stops); s++ {
		out = m.thinBetween(out, kept[stops[s-1]:stops[s]+1])
	}
	if closed {
		out = out[:len(out)-1]
		if len(out) > 3 && fromSegment(out[0], out[len(out)-1], out[1]) <= slack { // out[0] is on a straight side
			out = out[1:]
		}
	}
	return out
}

// turn rotates a ring so that it begins at its first fixed point, if there is one.
func turn(ids []int, fixed map[int]bool) []int {
	i := max(0, slices.IndexFunc(ids, func(id int) bool { return fixed[id] }))
	return slices.Concat(ids[i:], ids[:i])
}

// thinBetween thins a part of a line by the rule of Douglas and Peucker. It appends the remaining
// points to `out`, except the first point, and returns the result.
func (m *mesh) thinBetween(out []Point, ids []int) []Point {
	last := len(ids) - 1
	if last < 1 {
		return out
	}
	p, q := m.points[ids[0]], m.points[ids[last]]
	far, dist := 0, 0.0
	for i := 1; i < last; i++ {
		if d := fromSegment(m.points[ids[i]], p, q); d > dist {
			far, dist = i, d
		}
	}
	if dist > slack {
		return m.thinBetween(m.thinBetween(out, ids[:far+1]), ids[far:])
	}
	if distance(p, q) < slack/10 { // p and q are almost equal, because both are close to the same node
		return out
	}
	return append(out, q)
}

// fromSegment returns the distance between r and the segment pq.
func fromSegment(r, p, q Point) float64 {
	dx, dy := q.X-p.X, q.Y-p.Y
	l := dx*dx + dy*dy
	if l == 0 {
		return distance(r, p)
	}
	t := min(1, max(0, ((r.X-p.X)*dx+(r.Y-p.Y)*dy)/l))
	return distance(r, Point{p.X + t*dx, p.Y + t*dy})
}

package contour

import (
	"maps"
	"math"
	"slices"
)

// mesh is the triangulated square. Points are numbered: first the nodes, then
// the crossings on edges, then the corners inside triangles.
type mesh struct {
	grid     Grid
	step     float64 // the width of a cell, the larger if they differ
	labels   []int
	points   []Point
	crossing map[[2]int]int // edge (smaller node first) → number of its crossing

	sides    [][][2]int     // per label: directed sides of its pieces, region on the left, but those within
	segments map[[2]int]seg // pieces of boundary lines by their ends (smaller first)
	corners  map[int][3]int // number of a corner → the labels that meet there
	moved    map[int]bool   // points swallowed by a sharpened corner
}

type seg struct{ i, j int }

// triangles calls f with the nodes of every triangle, anticlockwise. The
// diagonals alternate, so that the mesh has no preferred direction.
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

// cross finds the crossing on every edge whose ends differ.
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

// cut divides every triangle among its labels.
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
		case la == lb: // turn the triangle until the odd one out is first
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

// within reports that a and b are nodes with an edge that is not on the rim of the
// square: if a piece has it as a side, so has the piece beyond it, of the same label.
func (m *mesh) within(a, b int) bool {
	nx, ny := m.grid.NX, m.grid.NY
	if max(a, b) >= nx*ny {
		return false
	}
	rim := func(i, j, last int) bool { return i == j && (i == 0 || i == last) }
	return !rim(a%nx, b%nx, nx-1) && !rim(a/nx, b/nx, ny-1)
}

// sharpen moves corners to where the field says three regions meet. The mesh
// cannot see the tip of a region that ends inside a triangle, so the points of
// lines within two and a half cells of a corner are swallowed by it.
func (m *mesh) sharpen(f Field) {
	m.moved = map[int]bool{}
	onLine := m.lineEnds()
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

// lineEnds returns the numbers of all points on lines, in order.
func (m *mesh) lineEnds() []int {
	seen := map[int]bool{}
	for e := range m.segments {
		seen[e[0]], seen[e[1]] = true, true
	}
	return slices.Sorted(maps.Keys(seen))
}

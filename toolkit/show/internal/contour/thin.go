package contour

import "slices"

// slack is how far a thinned line may lie from the full one, as a fraction of the
// square: 0.01 point in a picture of 500 points.
const slack = 2e-5

// thin returns the points of a line or ring without those that a straight line
// between their neighbours passes within slack. The ends, fixed points and, in
// the middle of a fixed stretch, the farthest points stay.
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
	if closed && len(stops) == 2 { // no fixed point to divide a ring at: take the farthest
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
		if len(out) > 3 && fromSegment(out[0], out[len(out)-1], out[1]) <= slack { // on a straight side
			out = out[1:]
		}
	}
	return out
}

// turn rotates a ring to begin at its first fixed point, if it has one.
func turn(ids []int, fixed map[int]bool) []int {
	i := max(0, slices.IndexFunc(ids, func(id int) bool { return fixed[id] }))
	return slices.Concat(ids[i:], ids[:i])
}

// thinBetween appends the points after the first of a stretch (Douglas and
// Peucker's rule).
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
	if distance(p, q) < slack/10 { // two crossings at one node
		return out
	}
	return append(out, q)
}

// fromSegment returns the distance of r from the segment pq.
func fromSegment(r, p, q Point) float64 {
	dx, dy := q.X-p.X, q.Y-p.Y
	l := dx*dx + dy*dy
	if l == 0 {
		return distance(r, p)
	}
	t := min(1, max(0, ((r.X-p.X)*dx+(r.Y-p.Y)*dy)/l))
	return distance(r, Point{p.X + t*dx, p.Y + t*dy})
}

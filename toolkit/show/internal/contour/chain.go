package contour

import (
	"cmp"
	"maps"
	"slices"
)

// collect joins the pieces into rings and lines and drops the points that a
// straight line does without.
func (m *mesh) collect(k int) *Map {
	out := &Map{Regions: make([][][]Point, k)}
	fixed := map[int]bool{} // ends of lines: rings and lines are thinned between the same points
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

// rings joins the sides of a label's pieces. A side that two pieces share, once
// in each direction, lies inside the region and is dropped.
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

// chains joins the segments between the same two regions, open lines before
// closed ones, each from its lowest-numbered end.
func (m *mesh) chains() []chain {
	byPair := map[seg]map[int][]int{}
	for e, s := range m.segments {
		if byPair[s] == nil {
			byPair[s] = map[int][]int{}
		}
		byPair[s][e[0]] = append(byPair[s][e[0]], e[1])
		byPair[s][e[1]] = append(byPair[s][e[1]], e[0])
	}
	pairs := slices.SortedFunc(maps.Keys(byPair), func(a, b seg) int { return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j)) })
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

// walk follows unused segments from id and uses them up.
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

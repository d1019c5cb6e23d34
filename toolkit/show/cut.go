package show

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

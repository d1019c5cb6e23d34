package show

import "math"

// seen returns the parts of a crossing that can be seen, to a sixth of its length:
// one that goes behind a sheet ends there.
func (s *scene) seen(x crossing) []crossing {
	const parts = 6
	var out []crossing
	open := false
	for n := range parts {
		piece := crossing{x.at(float64(n) / parts), x.at(float64(n+1) / parts)}
		switch visible := s.visible(piece); {
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

// at is the point a fraction t of the way along.
func (x crossing) at(t float64) (p [3]float64) {
	for i := range p {
		p[i] = x.a[i] + (x.b[i]-x.a[i])*t
	}
	return p
}

// visible reports whether the middle of a crossing can be seen: whether the ray
// from there to the viewer passes through no sheet. The ray is followed in steps
// of a third of a cell; a sheet lies between two steps if the ray is above it at
// one and below it at the other.
func (s *scene) visible(x crossing) bool {
	p, d := x.at(0.5), s.eye.toward
	d[2] /= tall
	step := 1 / (3 * float64(s.cells) * math.Hypot(d[0], d[1]))
	for k := range s.sheets {
		last := 0.0
		for t := step; ; t += step {
			a, b, z := p[0]+t*d[0], p[1]+t*d[1], p[2]+t*d[2]
			if z > 1 || a < 0 || a > 1 || b < 0 || b > 1 {
				break
			}
			under := s.at(k, a, b)
			gap := z - under
			if math.IsNaN(gap) || under < s.low || under > 1 { // a hole, or cut off
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

// at returns the height of sheet k at a point of the floor, NaN in a hole.
func (s *scene) at(k int, x, y float64) float64 {
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

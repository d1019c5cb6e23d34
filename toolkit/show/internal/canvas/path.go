package canvas

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// path transforms p. Circular arcs become cubic Bézier curves.
func (m matrix) path(p vg.Path) []Segment {
	out := make([]Segment, 0, len(p))
	at := func(q vg.Point) Point { return m.apply(q.X.Points(), q.Y.Points()) }
	for _, comp := range p {
		switch comp.Type {
		case vg.MoveComp:
			out = append(out, Segment{Move, [3]Point{at(comp.Pos)}})
		case vg.LineComp:
			out = append(out, Segment{Line, [3]Point{at(comp.Pos)}})
		case vg.CurveComp:
			if len(comp.Control) == 1 {
				out = append(out, Segment{Quad, [3]Point{at(comp.Control[0]), at(comp.Pos)}})
			} else {
				out = append(out, Segment{Cubic, [3]Point{at(comp.Control[0]), at(comp.Control[1]), at(comp.Pos)}})
			}
		case vg.ArcComp:
			out = m.arc(out, comp)
		case vg.CloseComp:
			out = append(out, Segment{Kind: Close})
		}
	}
	return out
}

// arc appends an arc: a line from the current point to its start (a move, if
// there is none) and one Bézier curve for each quarter turn, whose control
// points lie 4/3 tan(θ/4) radii along the tangents: off by 0.03 % of the radius.
func (m matrix) arc(out []Segment, comp vg.PathComp) []Segment {
	cx, cy, r := comp.Pos.X.Points(), comp.Pos.Y.Points(), comp.Radius.Points()
	n := max(1, int(math.Ceil(math.Abs(comp.Angle)/(math.Pi/2)-1e-9)))
	step := comp.Angle / float64(n)
	k := 4.0 / 3 * math.Tan(step/4) * r
	sin, cos := math.Sincos(comp.Start)
	start := m.apply(cx+r*cos, cy+r*sin)
	switch n := len(out) - 1; {
	case n < 0 || out[n].Kind == Close:
		out = append(out, Segment{Move, [3]Point{start}})
	case out[n].end() != start:
		out = append(out, Segment{Line, [3]Point{start}})
	}
	for i := 1; i <= n; i++ {
		s2, c2 := math.Sincos(comp.Start + step*float64(i))
		out = append(out, Segment{Cubic, [3]Point{
			m.apply(cx+r*cos-k*sin, cy+r*sin+k*cos),
			m.apply(cx+r*c2+k*s2, cy+r*s2-k*c2),
			m.apply(cx+r*c2, cy+r*s2),
		}})
		sin, cos = s2, c2
	}
	return out
}

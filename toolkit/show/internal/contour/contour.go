// Package contour divides the unit square into regions. A function assigns a label to every point
// of the square. The package finds the region of each label and the lines between the regions.
//
// The package cuts the square into triangles. Where two corners of a triangle have different
// labels, the label changes at a point of the edge between them. To find this point, the package
// evaluates the function at points of the edge. The points that it finds therefore lie on the true
// boundary. Only the straight lines between them, and some corners at which three regions meet, are
// approximations. Regions and lines share the points, so there are no overlaps and no gaps.
package contour

import (
	"fmt"
	"math"
)

// A Point lies in the unit square.
type Point struct{ X, Y float64 }

// A Grid has NX × NY nodes, evenly spaced in the unit square.
type Grid struct{ NX, NY int }

// Nodes returns the nodes, row by row, beginning at the bottom left.
func (g Grid) Nodes() []Point {
	out := make([]Point, 0, g.NX*g.NY)
	for j := range g.NY {
		for i := range g.NX {
			out = append(out, Point{float64(i) / float64(g.NX-1), float64(j) / float64(g.NY-1)})
		}
	}
	return out
}

// An Edge joins the points P and Q, whose labels I and J are different.
type Edge struct {
	P, Q Point
	I, J int
}

// At returns the point at the fraction t of the way from P to Q.
func (e Edge) At(t float64) Point {
	return Point{e.P.X + t*(e.Q.X-e.P.X), e.P.Y + t*(e.Q.Y-e.P.Y)}
}

// A Corner is a point where the regions of three labels meet. The point Near is close to it.
type Corner struct {
	Near   Point
	Labels [3]int
}

// A Field finds the places, between the nodes of a grid, through which boundaries pass.
type Field interface {
	// Cross returns, for each edge, the position at which the label changes. The position is the
	// distance from P as a fraction of the length of the edge.
	Cross(edges []Edge) ([]float64, error)
	// Corner returns a more accurate position of the corner c, or false if it finds none.
	Corner(c Corner) (Point, bool)
}

// A Line is one piece of the boundary between the regions I and J, where I < J.
type Line struct {
	I, J   int
	Points []Point
	Closed bool
}

// A Map is the result of Trace. Regions[k] contains the closed rings of label k. Outer rings are
// anticlockwise, and the rings of holes are clockwise. The first point of a ring is not repeated at
// its end.
type Map struct {
	Regions [][][]Point
	Lines   []Line
}

// Trace finds the regions and lines from the labels 0…k−1 at the nodes of g. It returns an error if
// the grid is smaller than 2×2, the numbers of labels and nodes differ, a label is out of range, or
// f returns an error.
func Trace(g Grid, labels []int, k int, f Field) (*Map, error) {
	if g.NX < 2 || g.NY < 2 {
		return nil, fmt.Errorf("contour: a grid of %d × %d nodes; want at least 2 × 2", g.NX, g.NY)
	}
	if len(labels) != g.NX*g.NY {
		return nil, fmt.Errorf("contour: %d labels for %d × %d nodes; want one label for each node", len(labels), g.NX, g.NY)
	}
	for i, l := range labels {
		if l < 0 || l >= k {
			return nil, fmt.Errorf("contour: label %d at node %d; labels run from 0 to %d", l, i, k-1)
		}
	}
	m := &mesh{grid: g, labels: labels, points: g.Nodes(), crossing: map[[2]int]int{},
		step: 1 / float64(min(g.NX, g.NY)-1)}
	if err := m.cross(f); err != nil {
		return nil, err
	}
	m.cut(k)
	m.sharpen(f)
	return m.collect(k), nil
}

// Roots implements Cross for a field in which each label has a number at every point, and a point has
// the label with the largest number. The function `gap` receives one point of each edge, and returns
// for each of these points the number of the edge's label I minus the number of its label J. This gap
// is ≥ 0 at P and ≤ 0 at Q. Roots finds its zeros with regula falsi (Illinois), on all edges at the
// same time. If a gap is linear, the first step finds its zero. If `bisect` is true, Roots uses only
// the signs of the gaps.
func Roots(edges []Edge, bisect bool, gap func([]Point, []Edge) ([]float64, error)) ([]float64, error) {
	n := len(edges)
	if n == 0 {
		return nil, nil
	}
	var (
		lo, hi = make([]float64, n), make([]float64, n)
		pts    = make([]Point, n)
		t      = make([]float64, n)
		side   = make([]int, n)
	)
	eval := func() ([]float64, error) {
		for i, e := range edges {
			pts[i] = e.At(t[i])
		}
		return gap(pts, edges)
	}
	glo, err := eval()
	if err != nil {
		return nil, err
	}
	for i := range t {
		t[i], hi[i] = 1, 1
	}
	ghi, err := eval()
	if err != nil {
		return nil, err
	}
	const steps, tolerance = 50, 1e-12 // 40 steps of bisection reach the tolerance, because 2⁻⁴⁰ ≈ 1e-12
	for range steps {
		moved := 0.0
		for i := range t {
			old := t[i]
			t[i] = falsi(lo[i], hi[i], glo[i], ghi[i], bisect)
			moved = max(moved, math.Abs(t[i]-old))
		}
		if moved < tolerance {
			break
		}
		g, err := eval()
		if err != nil {
			return nil, err
		}
		for i := range t {
			switch {
			case g[i] == 0:
				lo[i], hi[i], glo[i], ghi[i] = t[i], t[i], 0, 0
			case g[i] > 0:
				lo[i], glo[i] = t[i], g[i]
				if side[i] > 0 {
					ghi[i] /= 2
				}
				side[i] = 1
			default:
				hi[i], ghi[i] = t[i], g[i]
				if side[i] < 0 {
					glo[i] /= 2
				}
				side[i] = -1
			}
		}
	}
	return t, nil
}

// falsi returns the next point to try between lo (gap ≥ 0) and hi (gap ≤ 0). This is the zero of
// the straight line through the two gaps. If `bisect` is true or this line has no usable zero, it is
// the midpoint of lo and hi.
func falsi(lo, hi, glo, ghi float64, bisect bool) float64 {
	t := (lo*ghi - hi*glo) / (ghi - glo)
	if bisect || !(t >= lo && t <= hi) { // t is NaN if both gaps are zero or a gap is infinite
		return lo + (hi-lo)/2
	}
	return t
}

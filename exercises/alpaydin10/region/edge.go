package region

import (
	"math"
	"math/rand/v2"
	"slices"
)

// An edge is a line a·x1 + b·x2 = c, or a circle with centre (a, b) and radius c. An edge with a
// period is the family of all lines a·x1 + b·x2 = c + k·period with a whole number k.
type edge struct {
	circle  bool
	a, b, c float64
	period  float64 // by how much c differs between neighbouring lines; 0 for a single line
}

// onLine determines which points count as lying on an edge: at these points the edge's equation
// holds to within onLine times the size of its terms. onLine is far larger than rounding errors. It
// is far smaller than the distance between an edge and the test points beside the edge.
const onLine = 1e-9

// sideOf returns the side of the edge on which the point lies: −1, 1, or 0 for a point on the edge.
// For a line it is the sign of a·x1 + b·x2 − c. For a circle it is −1 inside and 1 outside. For a
// family of lines it is 1 everywhere between the lines.
func (e edge) sideOf(x1, x2 float64) int {
	var u, size float64
	if e.circle {
		u = math.Hypot(x1-e.a, x2-e.b) - e.c
		size = math.Abs(x1) + math.Abs(x2) + e.c
	} else {
		u = e.a*x1 + e.b*x2 - e.c
		size = math.Abs(e.a*x1) + math.Abs(e.b*x2) + math.Abs(e.c)
	}
	if e.period > 0 {
		u = math.Abs(math.Remainder(u, e.period))
		size = math.Max(size, e.period)
	}
	switch {
	case math.Abs(u) <= onLine*size:
		return 0
	case u < 0:
		return -1
	}
	return 1
}

// steps lists numbers k of lines in a periodic family. The method `points` places points on each of these lines, and
// midway between the line and the next one. The lines with large |k| reveal a period that was rounded.
var steps = []float64{-1000, -100, -50, -20, -12, -11, -7, -4, -3, -2, -1, 0, 1, 2, 3, 4, 7, 11, 12, 20, 50, 100, 1000}

// points returns points on the edge, points close to the edge on both sides, and points farther
// away: inside and outside a circle, and midway between the lines of a family.
func (e edge) points(r *rand.Rand) [][2]float64 {
	var out [][2]float64
	if e.circle {
		for i := range 16 {
			angle := float64(i) * math.Pi / 8
			for _, radius := range []float64{0, 0.5 * e.c, e.c * (1 - 1e-3), e.c, e.c * (1 + 1e-3), 2 * e.c} {
				out = append(out, [2]float64{e.a + radius*math.Cos(angle), e.b + radius*math.Sin(angle)})
			}
		}
		return out
	}
	lines := []float64{e.c}
	if e.period > 0 {
		lines = lines[:0]
		for _, k := range steps {
			lines = append(lines, e.c+k*e.period, e.c+(k+0.5)*e.period)
		}
	}
	square := e.a*e.a + e.b*e.b
	for _, c := range lines {
		for _, along := range []float64{0, 1, -1, 3.7 * r.NormFloat64(), 1e3 * r.NormFloat64()} {
			// start at the point of the line that is nearest to the origin, and go along the line
			x1 := e.a*c/square - e.b*along/math.Sqrt(square)
			x2 := e.b*c/square + e.a*along/math.Sqrt(square)
			step := 1e-4 * (1 + math.Abs(x1) + math.Abs(x2)) / math.Sqrt(square)
			for _, s := range []float64{0, step, -step} {
				out = append(out, [2]float64{x1 + s*e.a, x2 + s*e.b})
			}
		}
	}
	return out
}

// midpoint returns a point midway between two parallel lines. The result `ok` is false unless both
// edges are single lines and parallel.
func (e edge) midpoint(f edge) (x [2]float64, ok bool) {
	n, m := math.Hypot(e.a, e.b), math.Hypot(f.a, f.b)
	if e.circle || f.circle || e.period > 0 || f.period > 0 || math.Abs(e.a*f.b-e.b*f.a) > 1e-9*n*m {
		return x, false
	}
	along := math.Copysign(1, e.a*f.a+e.b*f.b)
	middle := (e.c/n + along*f.c/m) / 2
	return [2]float64{middle * e.a / n, middle * e.b / n}, true
}

// intersection returns the point at which two lines intersect. In a periodic family, it uses only
// the line with k = 0. The result `ok` is false unless both edges are lines that intersect at exactly
// one point.
func (e edge) intersection(f edge) (x [2]float64, ok bool) {
	det := e.a*f.b - e.b*f.a
	if e.circle || f.circle || math.Abs(det) < 1e-9*(math.Abs(e.a*f.b)+math.Abs(e.b*f.a)) || det == 0 {
		return x, false
	}
	return [2]float64{(e.c*f.b - e.b*f.c) / det, (e.a*f.c - e.c*f.a) / det}, true
}

// Differ returns a point that lies in exactly one of the regions, if it finds such a point. If it
// finds several points, it prefers points whose coordinates are whole numbers from −3 to 3, and then
// the point nearest to the origin. If the regions agree at all points with such coordinates, Differ
// compares them at points on and beside every edge, between parallel edges, at intersections of edges,
// and at random points up to a distance of about 1e6.
func Differ(r *rand.Rand, a, b Region) (x [2]float64, differ bool) {
	var small [][2]float64
	for x1 := -3.0; x1 <= 3; x1++ {
		for x2 := -3.0; x2 <= 3; x2++ {
			small = append(small, [2]float64{x1, x2})
		}
	}
	for _, places := range [][][2]float64{small, comparisonPoints(r, a, b)} {
		for _, y := range places {
			if a.Contains(y[0], y[1]) != b.Contains(y[0], y[1]) &&
				(!differ || math.Hypot(y[0], y[1]) < math.Hypot(x[0], x[1])) {
				x, differ = y, true
			}
		}
		if differ {
			break
		}
	}
	return x, differ
}

// comparisonPoints returns the points at which Differ compares two regions if they agree at all points
// whose coordinates are whole numbers from −3 to 3. For intersections and midpoints, it pairs each edge
// only with earlier edges, and only with the first 40 of all edges. Regions with thousands of edges would
// otherwise yield too many points.
func comparisonPoints(r *rand.Rand, a, b Region) [][2]float64 {
	var out [][2]float64
	edges := slices.Concat(a.edges, b.edges)
	for i, e := range edges {
		out = append(out, e.points(r)...)
		for _, f := range edges[:min(i, 40)] {
			for _, place := range []func(edge, edge) ([2]float64, bool){edge.intersection, edge.midpoint} {
				if x, ok := place(e, f); ok {
					out = append(out, x)
				}
			}
		}
	}
	for i := range 400 {
		scale := math.Pow(10, float64(i%8)-1) // up to 1e6
		out = append(out, [2]float64{scale * r.NormFloat64(), scale * r.NormFloat64()})
	}
	return out
}

package contour

import (
	"errors"
	"math"
	"testing"
)

// scores is a Field. It computes an activation with each of the functions f.
type scores struct {
	f      []func(Point) float64
	blind  bool // whether Cross uses only the labels
	failed error
}

func (s scores) label(p Point) int {
	best := 0
	for k := range s.f {
		if s.f[k](p) > s.f[best](p) {
			best = k
		}
	}
	return best
}

func (s scores) Cross(edges []Edge) ([]float64, error) {
	return Roots(edges, s.blind, func(p []Point, e []Edge) ([]float64, error) {
		gap := make([]float64, len(p))
		for i, q := range p {
			gap[i] = s.f[e[i].I](q) - s.f[e[i].J](q)
		}
		return gap, s.failed
	})
}

// Corner returns the point where three linear scores are equal. It computes the slopes of the
// scores from their values at corners of the square, which is exact for linear functions.
func (s scores) Corner(c Corner) (Point, bool) {
	if s.blind {
		return Point{}, false
	}
	g := func(p Point, a, b int) float64 { return s.f[c.Labels[a]](p) - s.f[c.Labels[b]](p) }
	o, x, y := Point{}, Point{1, 0}, Point{0, 1}
	u, v := g(o, 0, 1), g(o, 1, 2)
	ux, uy, vx, vy := g(x, 0, 1)-u, g(y, 0, 1)-u, g(x, 1, 2)-v, g(y, 1, 2)-v
	det := ux*vy - uy*vx
	return Point{(-u*vy + v*uy) / det, (-v*ux + u*vx) / det}, true
}

func trace(t *testing.T, g Grid, s scores) *Map {
	t.Helper()
	labels := make([]int, 0, g.NX*g.NY)
	for _, p := range g.Nodes() {
		labels = append(labels, s.label(p))
	}
	m, err := Trace(g, labels, len(s.f), s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// area returns the signed area of a ring, computed with the shoelace formula. It is positive for an
// anticlockwise ring.
func area(ring []Point) float64 {
	a := 0.0
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		a += (p.X*q.Y - q.X*p.Y) / 2
	}
	return a
}

func total(rings [][]Point) (a float64) {
	for _, r := range rings {
		a += area(r)
	}
	return a
}

func linear(w0, wx, wy float64) func(Point) float64 {
	return func(p Point) float64 { return w0 + wx*p.X + wy*p.Y }
}

func TestStraightBoundaryIsTwoPoints(t *testing.T) {
	for _, blind := range []bool{false, true} {
		// The line y = 0.3 + 0.4 x meets the sides of the square at (0, 0.3) and (1, 0.7).
		m := trace(t, Grid{23, 31},
			scores{f: []func(Point) float64{linear(-0.3, -0.4, 1), linear(0, 0, 0)}, blind: blind})
		if len(m.Lines) != 1 || len(m.Lines[0].Points) != 2 {
			t.Fatalf("only labels (%v): got the lines %v, want one line of two points", blind, m.Lines)
		}
		for _, p := range m.Lines[0].Points {
			if d := math.Abs(p.Y - 0.3 - 0.4*p.X); d > 1e-11 {
				t.Errorf("only labels (%v): the point %v is %g off the line", blind, p, d)
			}
		}
		// The area of the region above the line is 1 − (0.3 + 0.7)/2.
		if a := total(m.Regions[0]); math.Abs(a-0.5) > 1e-9 {
			t.Errorf("only labels (%v): the area above the line is %v, want 0.5", blind, a)
		}
		if n := len(m.Regions[0][0]); n != 4 {
			t.Errorf("only labels (%v): the region above the line has %d corners, want 4", blind, n)
		}
	}
}

func TestCornerOfThreeRegions(t *testing.T) {
	// Three lines meet at (0.41, 0.53), which is not near any node.
	s := scores{f: []func(Point) float64{linear(0, 0, 0), linear(-0.41, 1, 0), linear(-0.53-0.5*0.41, 0.5, 1)}}
	m := trace(t, Grid{18, 18}, s)
	if len(m.Lines) != 3 {
		t.Fatalf("%d lines, want 3", len(m.Lines))
	}
	for _, l := range m.Lines {
		if len(l.Points) != 2 {
			t.Errorf("the line between regions %d and %d has %d points, want 2: %v", l.I, l.J, len(l.Points), l.Points)
		}
		nearest := math.Inf(1)
		for _, p := range l.Points {
			nearest = min(nearest, math.Hypot(p.X-0.41, p.Y-0.53))
			if gap := s.f[l.I](p) - s.f[l.J](p); math.Abs(gap) > 1e-11 {
				t.Errorf("the line between regions %d and %d: the scores at %v differ by %g, want equal scores", l.I, l.J, p, gap)
			}
		}
		if nearest > 1e-11 {
			t.Errorf("the line between regions %d and %d ends at the distance %g from the corner, want 0", l.I, l.J, nearest)
		}
	}
	sum := 0.0
	for _, r := range m.Regions {
		sum += total(r)
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the regions cover a fraction of %v of the square, want 1", sum)
	}
}

func TestCircle(t *testing.T) {
	const r = 0.37
	disc := func(p Point) float64 { return r*r - (p.X-0.5)*(p.X-0.5) - (p.Y-0.52)*(p.Y-0.52) }
	m := trace(t, Grid{161, 161}, scores{f: []func(Point) float64{disc, linear(0, 0, 0)}})
	if len(m.Lines) != 1 || !m.Lines[0].Closed {
		t.Fatalf("got %d lines, want one closed line", len(m.Lines))
	}
	for _, p := range m.Lines[0].Points {
		if d := math.Abs(math.Hypot(p.X-0.5, p.Y-0.52) - r); d > 1e-10 {
			t.Errorf("the point %v is at the distance %g from the circle, want 0", p, d)
		}
	}
	// The distance of the straight pieces from the circle is at most slack, so the error of the
	// area is at most about slack × circumference.
	if a := total(m.Regions[0]); math.Abs(a-math.Pi*r*r) > 2*slack*2*math.Pi*r {
		t.Errorf("the area of the disc is %v, want %v", a, math.Pi*r*r)
	}
	if len(m.Regions[1]) != 2 {
		t.Fatalf("the outside has %d rings, want the square and a hole", len(m.Regions[1]))
	}
	outer, hole := area(m.Regions[1][0]), area(m.Regions[1][1])
	if outer*hole >= 0 {
		t.Errorf("the rings have the signed areas %v and %v, want opposite signs because the second is a hole", outer, hole)
	}
}

func TestOneLabelIsTheSquare(t *testing.T) {
	m, err := Trace(Grid{5, 4}, make([]int, 20), 3, scores{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Lines) != 0 || len(m.Regions[0]) != 1 || len(m.Regions[0][0]) != 4 || len(m.Regions[1]) != 0 {
		t.Errorf("got the lines %v and regions %v, want no lines and one region, the square", m.Lines, m.Regions)
	}
	if a := area(m.Regions[0][0]); math.Abs(a-1) > 1e-12 {
		t.Errorf("area %v, want 1", a)
	}
}

func TestRootsNeedsFewSteps(t *testing.T) {
	edges := []Edge{{Point{0, 0}, Point{1, 0}, 0, 1}, {Point{0, 0.5}, Point{1, 0.5}, 0, 1}}
	calls := 0
	at, err := Roots(edges, false, func(p []Point, _ []Edge) ([]float64, error) {
		calls++
		return []float64{0.25 - p[0].X, 0.75 - p[1].X}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(at[0]-0.25)+math.Abs(at[1]-0.75) > 1e-15 {
		t.Errorf("roots %v, want 0.25 and 0.75", at)
	}
	if calls > 4 {
		t.Errorf("a linear gap was evaluated %d times, want at most 4: at both ends and in two steps", calls)
	}
}

func TestRootsWithInfiniteGaps(t *testing.T) {
	edges := []Edge{{Point{0, 0}, Point{1, 0}, 0, 1}}
	at, err := Roots(edges, false, func(p []Point, _ []Edge) ([]float64, error) {
		switch x := p[0].X; { // the log odds of a steep posterior, which are finite only near the middle
		case x < 0.2:
			return []float64{math.Inf(1)}, nil
		case x > 0.6:
			return []float64{math.Inf(-1)}, nil
		default:
			return []float64{0.3 - x}, nil
		}
	})
	if err != nil || math.Abs(at[0]-0.3) > 1e-11 {
		t.Errorf("root %v, %v; want 0.3", at, err)
	}
}

func TestErrors(t *testing.T) {
	boom := errors.New("boom")
	for _, c := range []struct {
		name   string
		grid   Grid
		labels []int
		k      int
		field  Field
	}{
		{"too small a grid", Grid{1, 5}, make([]int, 5), 1, scores{}},
		{"too few labels", Grid{2, 2}, make([]int, 3), 1, scores{}},
		{"label out of range", Grid{2, 2}, []int{0, 1, 2, 0}, 2, scores{}},
		{"field fails", Grid{2, 2}, []int{0, 1, 1, 0}, 2,
			scores{f: []func(Point) float64{linear(0, 0, 0), linear(0, 1, 0)}, failed: boom}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Trace(c.grid, c.labels, c.k, c.field); err == nil {
				t.Error("no error")
			}
		})
	}
}

package ex01

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// A Region is a set of points x = (x1, x2) of the plane. Make one with Everywhere,
// Nowhere, Disc and the conditions of a Form, and combine them with And, Or and
// Except.
type Region struct {
	has   func(x1, x2 float64) bool
	edges []edge // where membership may change
	text  string // how it was built
	fault string // what is wrong with an argument, "" for nothing
}

// A Form is a linear form of the plane, a·x1 + b·x2.
type Form struct{ a, b float64 }

// X1 and X2 are the coordinates as forms.
var (
	X1 = Form{1, 0}
	X2 = Form{0, 1}
)

// Linear is the form a·x1 + b·x2. With a = b = 0 no condition on it makes sense.
func Linear(a, b float64) Form { return Form{a, b} }

// Everywhere is the whole plane.
func Everywhere() Region {
	return Region{has: func(_, _ float64) bool { return true }, text: "everywhere"}
}

// Nowhere is the empty set.
func Nowhere() Region {
	return Region{has: func(_, _ float64) bool { return false }, text: "nowhere"}
}

// Disc holds the points nearer than r to (m1, m2): with r = +Inf all of them.
func Disc(m1, m2, r float64) Region {
	c := edge{circle: true, a: m1, b: m2, c: r}
	out := Region{has: func(x1, x2 float64) bool { return c.side(x1, x2) < 0 }, edges: []edge{c},
		text: fmt.Sprintf("within %.4g of (%.4g, %.4g)", r, m1, m2)}
	switch {
	case !finite(m1, m2) || !(r > 0):
		out.fault = fmt.Sprintf("Disc(%g, %g, %g): the centre must be finite, the radius positive", m1, m2, r)
	case math.IsInf(r, 1):
		return Everywhere()
	}
	return out
}

// Above holds the points with form > c.
func (f Form) Above(c float64) Region {
	return f.condition(">", c, func(side int) bool { return side > 0 })
}

// AtLeast holds the points with form ≥ c.
func (f Form) AtLeast(c float64) Region {
	return f.condition("≥", c, func(side int) bool { return side >= 0 })
}

// Below holds the points with form < c.
func (f Form) Below(c float64) Region {
	return f.condition("<", c, func(side int) bool { return side < 0 })
}

// AtMost holds the points with form ≤ c.
func (f Form) AtMost(c float64) Region {
	return f.condition("≤", c, func(side int) bool { return side <= 0 })
}

// Equals holds the points with form = c, a line.
func (f Form) Equals(c float64) Region {
	return f.condition("=", c, func(side int) bool { return side == 0 })
}

// Between holds the points with from < form < to, a strip without its edges.
func (f Form) Between(from, to float64) Region {
	out := f.Above(from).And(f.Below(to))
	out.text = fmt.Sprintf("%.4g < %s < %.4g", from, f, to)
	return out
}

// Lattice holds the points with form = offset + k·period for a whole number k, of
// any sign: parallel lines at equal distances.
func (f Form) Lattice(period, offset float64) Region {
	e := edge{a: f.a, b: f.b, c: offset, period: math.Abs(period)}
	out := Region{has: func(x1, x2 float64) bool { return e.side(x1, x2) == 0 }, edges: []edge{e},
		text: fmt.Sprintf("%s = %.4g + k·%.4g", f, offset, period), fault: f.fault(offset)}
	if out.fault == "" && (!finite(period) || period == 0) {
		out.fault = fmt.Sprintf("Lattice(%g, %g): the period must be a finite number other than 0", period, offset)
	}
	return out
}

// condition compares the form with c, which may be infinite: every number is less
// than +Inf and greater than −Inf.
func (f Form) condition(sign string, c float64, keep func(side int) bool) Region {
	e := edge{a: f.a, b: f.b, c: c}
	out := Region{has: func(x1, x2 float64) bool { return keep(e.side(x1, x2)) }, edges: []edge{e},
		text: fmt.Sprintf("%s %s %.4g", f, sign, c), fault: f.fault(c)}
	if math.IsInf(c, 0) {
		out.has, out.edges = func(_, _ float64) bool { return keep(-int(math.Copysign(1, c))) }, nil
		out.fault = f.fault(0)
	}
	return out
}

func (f Form) fault(c float64) string {
	switch {
	case !finite(f.a, f.b):
		return fmt.Sprintf("a condition on %s: the numbers of the form must be finite", f)
	case !finite(c):
		return fmt.Sprintf("a condition on %s with the number %g", f, c)
	case f.a == 0 && f.b == 0:
		return "a condition on Linear(0, 0), which is 0 everywhere"
	}
	return ""
}

// String is the form as a formula.
func (f Form) String() string {
	switch f {
	case X1:
		return "x1"
	case X2:
		return "x2"
	}
	return fmt.Sprintf("%.4g·x1 + %.4g·x2", f.a, f.b)
}

// And holds what lies in both regions.
func (r Region) And(s Region) Region {
	return r.join(s, "and", func(in, also bool) bool { return in && also })
}

// Or holds what lies in one of the regions, or in both.
func (r Region) Or(s Region) Region {
	return r.join(s, "or", func(in, also bool) bool { return in || also })
}

// Except holds what lies in r and not in s.
func (r Region) Except(s Region) Region {
	return r.join(s, "except where", func(in, also bool) bool { return in && !also })
}

func (r Region) join(s Region, word string, of func(in, also bool) bool) Region {
	out := Region{edges: append(append([]edge(nil), r.edges...), s.edges...), fault: r.fault, text: "a region of many conditions"}
	if len(r.text)+len(s.text) < 400 {
		out.text = fmt.Sprintf("(%s) %s (%s)", r, word, s)
	}
	if out.fault == "" {
		out.fault = s.fault
	}
	if r.has != nil && s.has != nil {
		out.has = func(x1, x2 float64) bool { return of(r.has(x1, x2), s.has(x1, x2)) }
	}
	return out
}

// Contains reports whether the point (x1, x2) lies in the region. What is within
// rounding of a line counts as on it.
func (r Region) Contains(x1, x2 float64) bool { return r.has != nil && r.has(x1, x2) }

// String says how the region was built.
func (r Region) String() string {
	if r.has == nil {
		return "no region"
	}
	return r.text
}

func finite(v ...float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// An edge is a line a·x1 + b·x2 = c, the family of such lines at c + k·period, or
// a circle around (a, b) with the radius c.
type edge struct {
	circle  bool
	a, b, c float64
	period  float64 // 0 for a single line
}

// onLine is how near, relative to the terms, counts as on an edge: far more than
// rounding, far less than the steps in which points are placed beside an edge.
const onLine = 1e-9

// side is 0 on the edge, else the sign of a·x1 + b·x2 − c, or for a circle −1
// inside and 1 outside. For a family it is 0 on its lines and 1 between them.
func (e edge) side(x1, x2 float64) int {
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

// steps of a family of lines that are looked at: near ones all, and far ones, by
// which a rounded period is found out.
var steps = []float64{-1000, -100, -50, -20, -12, -11, -7, -4, -3, -2, -1, 0, 1, 2, 3, 4, 7, 11, 12, 20, 50, 100, 1000}

// points returns places on the edge and close to it on both sides.
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
			// the line's foot, then along it
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

// between returns a point midway between two lines, if they are parallel.
func (e edge) between(f edge) (x [2]float64, ok bool) {
	n, m := math.Hypot(e.a, e.b), math.Hypot(f.a, f.b)
	if e.circle || f.circle || e.period > 0 || f.period > 0 || math.Abs(e.a*f.b-e.b*f.a) > 1e-9*n*m {
		return x, false
	}
	along := math.Copysign(1, e.a*f.a+e.b*f.b)
	middle := (e.c/n + along*f.c/m) / 2
	return [2]float64{middle * e.a / n, middle * e.b / n}, true
}

// cross returns the point where two single lines meet, if they do.
func (e edge) cross(f edge) (x [2]float64, ok bool) {
	det := e.a*f.b - e.b*f.a
	if e.circle || f.circle || math.Abs(det) < 1e-9*(math.Abs(e.a*f.b)+math.Abs(e.b*f.a)) || det == 0 {
		return x, false
	}
	return [2]float64{(e.c*f.b - e.b*f.c) / det, (e.a*f.c - e.c*f.a) / det}, true
}

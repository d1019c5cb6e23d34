// Package region provides sets of points of the plane. Learners build their answers to Alpaydin
// exercise 10.1 from these sets.
package region

import (
	"fmt"
	"math"
	"slices"
)

// A Region is a set of points x = (x1, x2) of the plane. Make one with Everywhere,
// Nowhere, Disc and the conditions of a Form, and combine them with And, Or and
// Except.
type Region struct {
	has   func(x1, x2 float64) bool
	edges []edge // edges of the conditions; a point can enter or leave the region only across these edges
	text  string // text that describes how the region was built
	fault string // text that describes an invalid argument, or ""
	built []Step // the calls that built the region (see Encode)
}

// A Form is a function a·x1 + b·x2 of a point (x1, x2) of the plane.
type Form struct{ a, b float64 }

// X1 and X2 are the forms x1 and x2, whose values are the coordinates of a point.
var (
	X1 = Form{1, 0}
	X2 = Form{0, 1}
)

// Linear returns the form a·x1 + b·x2. A condition on the form with a = b = 0 is invalid.
func Linear(a, b float64) Form { return Form{a, b} }

// Everywhere returns the whole plane.
func Everywhere() Region {
	return Region{has: func(_, _ float64) bool { return true }, text: "everywhere", built: []Step{{Op: "everywhere"}}}
}

// Nowhere returns the empty set.
func Nowhere() Region {
	return Region{has: func(_, _ float64) bool { return false }, text: "nowhere", built: []Step{{Op: "nowhere"}}}
}

// Disc returns the set of points whose distance from (m1, m2) is less than r. For r = +Inf it
// returns the whole plane.
func Disc(m1, m2, r float64) Region {
	c := edge{circle: true, a: m1, b: m2, c: r}
	out := Region{has: func(x1, x2 float64) bool { return c.sideOf(x1, x2) < 0 }, edges: []edge{c},
		text: fmt.Sprintf("within %.4g of (%.4g, %.4g)", r, m1, m2), built: []Step{{"disc", []float64{m1, m2, r}}}}
	switch {
	case !finite(m1, m2) || !(r > 0):
		out.fault = fmt.Sprintf("Disc(%g, %g, %g): the centre must be finite and the radius positive", m1, m2, r)
	case math.IsInf(r, 1):
		return Everywhere()
	}
	return out
}

// Above returns the set of points at which the form is larger than c.
func (f Form) Above(c float64) Region { return f.condition(">", c, 1) }

// AtLeast returns the set of points at which the form is at least c.
func (f Form) AtLeast(c float64) Region { return f.condition("≥", c, 0, 1) }

// Below returns the set of points at which the form is smaller than c.
func (f Form) Below(c float64) Region { return f.condition("<", c, -1) }

// AtMost returns the set of points at which the form is at most c.
func (f Form) AtMost(c float64) Region { return f.condition("≤", c, -1, 0) }

// Equals returns the set of points at which the form equals c. This set is a line.
func (f Form) Equals(c float64) Region { return f.condition("=", c, 0) }

// Between returns the set of points at which the form lies between `from` and `to`. This set is a
// strip without its two edges.
func (f Form) Between(from, to float64) Region {
	out := f.Above(from).And(f.Below(to))
	out.text = fmt.Sprintf("%.4g < %s < %.4g", from, f, to)
	out.built = []Step{{"between", []float64{f.a, f.b, from, to}}}
	return out
}

// Lattice returns the set of points at which the form equals offset + k·period for some whole
// number k, positive, negative or 0. This set consists of equally spaced parallel lines.
func (f Form) Lattice(period, offset float64) Region {
	e := edge{a: f.a, b: f.b, c: offset, period: math.Abs(period)}
	out := Region{has: func(x1, x2 float64) bool { return e.sideOf(x1, x2) == 0 }, edges: []edge{e},
		text: fmt.Sprintf("%s = %.4g + k·%.4g", f, offset, period), fault: f.fault(offset),
		built: []Step{{"lattice", []float64{f.a, f.b, period, offset}}}}
	if out.fault == "" && (!finite(period) || period == 0) {
		out.fault = fmt.Sprintf("Lattice(%g, %g): the period must be a finite number other than 0", period, offset)
	}
	return out
}

// condition returns the set of points on the given sides of the edge where the form equals c. Side
// −1 means form < c, side 0 means form = c, and side 1 means form > c. If c is infinite, every
// value of the form is less than +Inf and greater than −Inf.
func (f Form) condition(sign string, c float64, sides ...int) Region {
	e := edge{a: f.a, b: f.b, c: c}
	out := Region{has: func(x1, x2 float64) bool { return slices.Contains(sides, e.sideOf(x1, x2)) }, edges: []edge{e},
		text: fmt.Sprintf("%s %s %.4g", f, sign, c), fault: f.fault(c),
		built: []Step{{sign, []float64{f.a, f.b, c}}}}
	if math.IsInf(c, 0) {
		out.has, out.edges = func(_, _ float64) bool { return slices.Contains(sides, -int(math.Copysign(1, c))) }, nil
		out.fault = f.fault(0)
	}
	return out
}

func (f Form) fault(c float64) string {
	switch {
	case !finite(f.a, f.b):
		return fmt.Sprintf("a condition on %s: the coefficients of the form must be finite", f)
	case !finite(c):
		return fmt.Sprintf("a condition on %s with the number %g, which must be finite", f, c)
	case f.a == 0 && f.b == 0:
		return "a condition on Linear(0, 0), which is 0 everywhere"
	}
	return ""
}

// String returns the form as a formula.
func (f Form) String() string {
	switch f {
	case X1:
		return "x1"
	case X2:
		return "x2"
	}
	return fmt.Sprintf("%.4g·x1 + %.4g·x2", f.a, f.b)
}

// And returns the intersection of r and s.
func (r Region) And(s Region) Region {
	return r.join(s, "and", func(in, also bool) bool { return in && also })
}

// Or returns the union of r and s.
func (r Region) Or(s Region) Region {
	return r.join(s, "or", func(in, also bool) bool { return in || also })
}

// Except returns the points in r that are not in s.
func (r Region) Except(s Region) Region {
	return r.join(s, "except where", func(in, also bool) bool { return in && !also })
}

func (r Region) join(s Region, word string, combine func(in, also bool) bool) Region {
	out := Region{edges: slices.Concat(r.edges, s.edges), fault: r.fault, text: "a region of many conditions",
		built: slices.Concat(r.steps(), s.steps(), []Step{{Op: word}})}
	if len(r.text)+len(s.text) < 400 {
		out.text = fmt.Sprintf("(%s) %s (%s)", r, word, s)
	}
	if out.fault == "" {
		out.fault = s.fault
	}
	if r.has != nil && s.has != nil {
		out.has = func(x1, x2 float64) bool { return combine(r.has(x1, x2), s.has(x1, x2)) }
	}
	return out
}

// IsZero reports whether r is the zero value of Region, which is not a valid region.
func (r Region) IsZero() bool { return r.has == nil }

// Fault describes an invalid argument of the calls that built the region. If all arguments were
// valid, Fault returns "".
func (r Region) Fault() string { return r.fault }

// Conditions returns the number of edges from which the region was built: lines, lattices and circles.
// Everywhere, Nowhere and conditions with an infinite number have no edge.
func (r Region) Conditions() int { return len(r.edges) }

// Contains reports whether the point (x1, x2) lies in the region. A point whose distance from a line
// or circle is only a rounding error counts as a point on it.
func (r Region) Contains(x1, x2 float64) bool { return r.has != nil && r.has(x1, x2) }

// String returns a description of how the region was built. The description of a region of many
// conditions omits most of them.
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

// A Step is one of the calls that built a region. It either makes a region from the numbers V, or
// replaces the two most recent regions with one region.
type Step struct {
	Op string
	V  []float64
}

// Encode returns the calls that built the region, in their order. A different process can pass them
// to Decode.
func (r Region) Encode() any { return r.steps() }

func (r Region) steps() []Step {
	if r.built == nil {
		return []Step{{Op: "none"}}
	}
	return r.built
}

// Decode builds a region by making the given calls again. It returns an error if the sequence of
// calls is invalid.
func (Region) Decode(code any) (any, error) {
	steps, _ := code.([]Step)
	var stack []Region
	for i, s := range steps {
		if join := joins[s.Op]; join != nil {
			n := len(stack)
			if n < 2 {
				return nil, fmt.Errorf("step %d joins two regions, but only %d exist at this step", i, n)
			}
			stack = append(stack[:n-2], join(stack[n-2], stack[n-1]))
			continue
		}
		call, ok := calls[s.Op]
		if !ok || len(s.V) != call.numbers {
			return nil, fmt.Errorf("invalid step %d: %q with %d numbers, want a known operation with as many numbers as it takes", i, s.Op, len(s.V))
		}
		stack = append(stack, call.build(s.V))
	}
	if len(stack) != 1 {
		return nil, fmt.Errorf("after the last step %d regions are left, want 1", len(stack))
	}
	return stack[0], nil
}

var joins = map[string]func(r, s Region) Region{
	"and": Region.And, "or": Region.Or, "except where": Region.Except,
}

var calls = map[string]struct {
	numbers int
	build   func(v []float64) Region
}{
	"none":       {0, func([]float64) Region { return Region{} }},
	"everywhere": {0, func([]float64) Region { return Everywhere() }},
	"nowhere":    {0, func([]float64) Region { return Nowhere() }},
	"disc":       {3, func(v []float64) Region { return Disc(v[0], v[1], v[2]) }},
	">":          {3, func(v []float64) Region { return Linear(v[0], v[1]).Above(v[2]) }},
	"≥":          {3, func(v []float64) Region { return Linear(v[0], v[1]).AtLeast(v[2]) }},
	"<":          {3, func(v []float64) Region { return Linear(v[0], v[1]).Below(v[2]) }},
	"≤":          {3, func(v []float64) Region { return Linear(v[0], v[1]).AtMost(v[2]) }},
	"=":          {3, func(v []float64) Region { return Linear(v[0], v[1]).Equals(v[2]) }},
	"between":    {4, func(v []float64) Region { return Linear(v[0], v[1]).Between(v[2], v[3]) }},
	"lattice":    {4, func(v []float64) Region { return Linear(v[0], v[1]).Lattice(v[2], v[3]) }},
}

// Package ex01 judges Alpaydin exercise 10.1: where basis functions are not zero.
// It also holds the regions of the plane that an answer is built of.
package ex01

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParseVaried("exercises/alpaydin10/ex01/exercise.md", text, answer, vary)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise {
	e := exercise.Copy()
	e.Known = allKnown()
	return e
}

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges the six functions of Alpaydin exercise 10.1: each returns the region
// of the plane in which a basis function of section 10.2 is defined and not zero.
func Check(sine func() Region, bump func(a, c float64) Region, radialBump func(m []float64, c float64) Region,
	log func() Region, step func(c float64) Region, halfPlane func(a, b, c float64) Region) *verify.Report {
	c := own()
	return exercise.Judge(
		part("a. "+c.sine(), "Sine", sine, sines,
			fmt.Sprintf("Everywhere but on the lines x1 = %s, infinitely many; negative values are not zero.", c.zeros())),
		part("b. exp(−(x1−a)²/c)", "Bump", bump, bumps,
			"Everywhere: an exponential is never 0, however far x1 is from a. (Floating-point numbers give up beyond about 27√c and say 0.)"),
		part("c. exp(−‖x−m‖²/c)", "RadialBump", radialBump, radialBumps,
			"Everywhere: the bump is local in the sense of small, not of zero."),
		part("d. "+c.log(), "Log", log, logs,
			fmt.Sprintf("Where x2 > %g, its domain, except on the line x2 = %g.", c.q, c.q+1)),
		part("e. 1(x1 > c)", "Step", step, indicators,
			"The open half-plane right of x1 = c; on the line itself the indicator is 0."),
		part("f. 1(a·x1 + b·x2 > c)", "HalfPlane", halfPlane, halfPlanes,
			"The open half-plane to which (a, b) points; on the line itself the indicator is 0."),
	)
}

// A question is a basis function: what its learner is asked, and the wrong answers
// that are known.
type question[F any] struct {
	right    F
	on       []problem[F]
	mistakes []judge.Mistake[F]
	varied   int                                      // of them are possible in variants only, the last ones
	family   func(problem[F], Region) *verify.Verdict // recognises a mistake of many forms; may be nil
}

// A problem is a basis function with its numbers.
type problem[F any] struct {
	name   string
	call   func(f F, c *judge.Call) Region
	centre [2]float64 // of a bump
	c      float64    // of a bump
}

func part[F any](name, function string, f F, q func() question[F], pass string) verify.Part {
	return verify.Part{Name: name, Of: []string{function}, Judge: func() verify.Verdict {
		if bad := q().judge(f); bad != nil {
			return *bad
		}
		return verify.Pass("%s", pass)
	}}
}

// maxEdges bounds what a learner's region may be built of.
const maxEdges = 400

// judge compares regions as sets: at points on every edge that occurs in either of
// them, beside it, between edges and where they cross, and at random up to far out.
// Two regions of these edges that agree there agree.
func (q question[F]) judge(f F) *verify.Verdict {
	got := make([]Region, len(q.on))
	for i, p := range q.on {
		c := judge.NewCall(p.name, 1, false)
		got[i] = p.call(f, c)
		var bad verify.Verdict
		switch {
		case c.Verdict() != nil:
			return c.Verdict()
		case got[i].has == nil:
			bad = verify.Fail("empty", 1, "You returned no region for %s. Begin with ex01.Everywhere(), ex01.Nowhere() or a condition such as ex01.X1.Above(0).", p.name)
		case got[i].fault != "":
			bad = verify.Fail("invalid-region", 0, "Your region for %s is no region: %s.", p.name, got[i].fault)
		case len(got[i].edges) > maxEdges:
			bad = verify.Fail("too-many-edges", 1, "Your region for %s is built of %d conditions. Infinitely many lines at equal distances are one Lattice.", p.name, len(got[i].edges))
		default:
			continue
		}
		return &bad
	}
	for i, p := range q.on {
		x, same := differ(got[i], p.call(q.right, judge.NewCall(p.name, 0, false)))
		if same {
			continue
		}
		for _, m := range q.mistakes {
			if q.explains(m, got) {
				return judge.Fail(m.Key, m.Hint, "%s", m.Message)
			}
		}
		if q.family != nil {
			if bad := q.family(p, got[i]); bad != nil {
				return bad
			}
		}
		bad := verify.Fail("too-little", 2, "Your region for %s leaves out x = (%s, %s), where the function is not zero.", p.name, number(x[0]), number(x[1]))
		if got[i].has(x[0], x[1]) {
			bad = verify.Fail("too-much", 2, "Your region for %s contains x = (%s, %s), where the function is zero or not defined.", p.name, number(x[0]), number(x[1]))
		}
		return &bad
	}
	return nil
}

// explains reports whether a mistake gives the learner's region in every problem.
func (q question[F]) explains(m judge.Mistake[F], got []Region) bool {
	for i, p := range q.on {
		if _, same := differ(got[i], p.call(m.Answer, judge.NewCall("", 0, false))); !same {
			return false
		}
	}
	return true
}

// number has all digits, so that a learner who puts it into the function finds what
// the message says.
func number(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }

// differ returns a point that lies in one region only: of the simplest ones, else
// the one that is nearest to the origin.
func differ(a, b Region) (x [2]float64, same bool) {
	same = true
	for _, y := range places(a, b) {
		if a.has(y[0], y[1]) != b.has(y[0], y[1]) && (same || math.Hypot(y[0], y[1]) < math.Hypot(x[0], x[1])) {
			x, same = y, false
		}
		if !same && y == last {
			return x, same
		}
	}
	return x, same
}

// last is the last one of the simplest points.
var last = [2]float64{3, 3}

// places are the points at which two regions are compared: small whole numbers, then
// the others.
func places(a, b Region) [][2]float64 {
	r := instance.Source(1001, 1)
	var out [][2]float64
	for x1 := -3.0; x1 <= 3; x1++ {
		for x2 := -3.0; x2 <= 3; x2++ {
			out = append(out, [2]float64{x1, x2})
		}
	}
	edges := slices.Concat(a.edges, b.edges)
	for i, e := range edges {
		out = append(out, e.points(r)...)
		for _, f := range edges[:min(i, 40)] {
			for _, place := range []func(edge, edge) ([2]float64, bool){edge.cross, edge.between} {
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

// known are the mistakes of a question. Those of a variant alone stand at the end of
// its table and are not among them: with some constants two of them are one.
func known[F any](q func() question[F], check func(F) *verify.Report) (out []exercises.Known) {
	list := q().mistakes
	for i, m := range list[:len(list)-q().varied] {
		out = append(out, exercises.Known{Key: m.Key, Check: func() *verify.Report { return check(q().mistakes[i].Answer) }})
	}
	return out
}

// allKnown are made when they are asked for: they follow the variant, which is chosen
// after the package starts.
func allKnown() []exercises.Known {
	sine, bump, radial, log, step, half := rightSine, rightBump, rightRadial, rightLog, rightStep, rightHalf
	return slices.Concat(
		known(sines, func(f func() Region) *verify.Report { return Check(f, bump, radial, log, step, half) }),
		known(bumps, func(f func(a, c float64) Region) *verify.Report { return Check(sine, f, radial, log, step, half) }),
		known(radialBumps, func(f func(m []float64, c float64) Region) *verify.Report {
			return Check(sine, bump, f, log, step, half)
		}),
		known(logs, func(f func() Region) *verify.Report { return Check(sine, bump, radial, f, step, half) }),
		known(indicators, func(f func(c float64) Region) *verify.Report { return Check(sine, bump, radial, log, f, half) }),
		known(halfPlanes, func(f func(a, b, c float64) Region) *verify.Report { return Check(sine, bump, radial, log, step, f) }))
}

// constants are those of the two basis functions without arguments of their own:
// a is sin(p(x1−s)), d is log(x2−q). The others are given their numbers by the
// check.
type constants struct{ p, s, q float64 }

// common are the constants of the book: sin(x1) and log(x2).
var common = constants{p: 1}

// constantsOf are the constants of a variant. p and s are whole numbers other than
// 0, p at least 3, so that a period or an offset left out shows and does not look
// like every second zero; q is not 0 either.
func constantsOf(n uint64) constants {
	if n == 0 {
		return common
	}
	r := seed.Source(n, 1001, 0)
	c := constants{p: float64(3 + r.IntN(3)), s: float64(1 + r.IntN(5)), q: float64(1 + r.IntN(4))}
	if r.IntN(2) == 1 {
		c.q = -c.q
	}
	return c
}

// own are the constants of the variant that the program has chosen.
func own() constants { return constantsOf(seed.Get()) }

// at is the x1 at which the argument of the sine is u.
func (c constants) at(u float64) float64 { return c.s + u/c.p }

// lattice are the lines on which the argument of the sine is offset + k·period.
func (c constants) lattice(period, offset float64) Region {
	return X1.Lattice(period/c.p, c.at(offset))
}

// sine is the basis function a in plain letters.
func (c constants) sine() string {
	if c == common {
		return "sin(x1)"
	}
	return fmt.Sprintf("sin(%g(x1−%g))", c.p, c.s)
}

// log is the basis function d in plain letters.
func (c constants) log() string {
	switch {
	case c.q < 0:
		return fmt.Sprintf("log(x2+%g)", -c.q)
	case c.q > 0:
		return fmt.Sprintf("log(x2−%g)", c.q)
	}
	return "log(x2)"
}

// zeros are the zeros of the sine in plain letters.
func (c constants) zeros() string {
	if c == common {
		return "kπ"
	}
	return fmt.Sprintf("%g + kπ/%g", c.s, c.p)
}

// vary is what becomes of the constants in the texts.
func vary(n uint64) map[string]string {
	c := constantsOf(n)
	v := map[string]string{
		"sineGo": c.sine(), "logGo": c.log(),
		"logFrom": fmt.Sprintf("%g", c.q), "logZero": fmt.Sprintf("%g", c.q+1),
		"offset": fmt.Sprintf("%g", c.s),
	}
	if c == common {
		v["sine"], v["log"], v["zeros"], v["period"] = `\sin(x_1)`, `\log(x_2)`, `k\pi`, "math.Pi"
		v["offsetHint"], v["sineStep"], v["logStep"] = "", "", ""
		v["halfPlane"] = "the open upper half-plane without a line"
		return v
	}
	sign := "-"
	if c.q < 0 {
		sign = "+"
	}
	v["sine"] = fmt.Sprintf(`\sin\{%g(x_1-%g)\}`, c.p, c.s)
	v["log"] = fmt.Sprintf(`\log(x_2%s%g)`, sign, math.Abs(c.q))
	v["zeros"] = fmt.Sprintf(`%g+k\pi/%g`, c.s, c.p)
	v["period"] = fmt.Sprintf("math.Pi/%g", c.p)
	v["offsetHint"] = " The offset is where its argument is 0."
	v["sineStep"] = fmt.Sprintf(`$%g(x_1-%g)=k\pi$, that is for `, c.p, c.s)
	v["logStep"] = fmt.Sprintf(", at $x_2=%g$", c.q+1)
	v["halfPlane"] = fmt.Sprintf("the open half-plane above $x_2=%g$ without a line", c.q)
	return v
}

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

// Package ex01 judges Alpaydin exercise 10.1: for which x each basis function is defined and not zero.
// Learners build their answers from the regions of package region, which ex01 re-exports.
package ex01

import (
	"embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/region"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Region is a set of points x = (x1, x2) of the plane. Make one with Everywhere,
// Nowhere, Disc and the conditions of a Form, and combine them with And, Or and
// Except.
type Region = region.Region

// A Form is a function a·x1 + b·x2 of a point (x1, x2) of the plane.
type Form = region.Form

// X1 and X2 are the forms x1 and x2, whose values are the coordinates of a point.
var X1, X2 = region.X1, region.X2

// Linear returns the form a·x1 + b·x2. A condition on the form with a = b = 0 is invalid.
func Linear(a, b float64) Form { return region.Linear(a, b) }

// Everywhere returns the whole plane.
func Everywhere() Region { return region.Everywhere() }

// Nowhere returns the empty set.
func Nowhere() Region { return region.Nowhere() }

// Disc returns the open disc of radius r about (m1, m2), or the whole plane if r = +Inf.
func Disc(m1, m2, r float64) Region { return region.Disc(m1, m2, r) }

// Check judges the six functions of Alpaydin exercise 10.1: each returns the region
// of the plane in which a basis function of section 10.2 is defined and not zero.
func Check(sine func() Region, bump func(a, c float64) Region, radialBump func(m []float64, c float64) Region,
	log func() Region, step func(c float64) Region, halfPlane func(a, b, c float64) Region) *verify.Report {
	return exercise.Judge(sines().part(sine), bumps().part(bump), radialBumps().part(radialBump),
		logs().part(log), indicators().part(step), halfPlanes().part(halfPlane))
}

// A question represents one of the six functions that Check judges. It contains the problems for
// which the check calls the learner's function, and the known wrong answers.
type question[F any] struct {
	title, function, pass string
	right                 F
	on                    []problem[F]
	mistakes              []judge.Mistake[F]
	// mistakes that are possible only with personal constants (a seed other than 0); they are not
	// in knownMistakes, because for some constants two of these mistakes give the same answer
	varied []judge.Mistake[F]
	// recognises a mistake in which the learner chose a number freely, such as a radius; may be nil
	family func(problem[F], Region) *verify.Verdict
}

// A problem is a basis function whose parameters have fixed values.
type problem[F any] struct {
	name   string
	call   func(f F, c *judge.Call) Region
	centre [2]float64 // centre of a bump; unused for other functions
	c      float64    // width parameter of a bump; unused for other functions
}

func (q question[F]) part(f F) verify.Part {
	return verify.Part{Name: q.title, Of: []string{q.function}, Judge: func() verify.Verdict {
		if bad := q.judgeRegions(f); bad != nil {
			return *bad
		}
		return verify.Pass("%s", q.pass)
	}}
}

// knownMistakes returns the known mistakes that are possible with every seed.
func (q question[F]) knownMistakes() (out []exercises.Known) {
	for _, m := range q.mistakes {
		out = append(out,
			exercises.Known{Key: m.Key,
				Check: func() *verify.Report { return exercise.Judge(q.part(judge.Through(m.Answer).(F))) }})
	}
	return out
}

// maxEdges is the largest number of conditions that a learner's region may have.
const maxEdges = 400

// judgeRegions judges the learner's region in every problem. If all regions are valid and contain
// the same points as the right regions, it returns nil. Otherwise it returns a verdict.
func (q question[F]) judgeRegions(f F) *verify.Verdict {
	got := make([]Region, len(q.on))
	for i, p := range q.on {
		c := judge.NewCall(p.name, 1, false)
		got[i] = p.call(f, c)
		switch r := got[i]; {
		case c.Verdict() != nil:
			return c.Verdict()
		case r.IsZero():
			return judge.Fail("empty", 1,
				"You returned no region for %s. Begin with ex01.Everywhere(), ex01.Nowhere() or a condition such as ex01.X1.Above(0).", p.name)
		case r.Fault() != "":
			return judge.Fail("invalid-region", 0, "Your region for %s is invalid: %s.", p.name, r.Fault())
		case r.Conditions() > maxEdges:
			return judge.Fail("too-many-edges", 1,
				"Your region for %s is built from %d conditions, more than this check allows. A single Lattice represents infinitely many equally spaced lines.", p.name, r.Conditions())
		}
	}
	for i, p := range q.on {
		x, wrong := findDifference(got[i], p.call(q.right, judge.NewCall(p.name, 0, false)))
		if !wrong {
			continue
		}
		for _, m := range slices.Concat(q.mistakes, q.varied) {
			if q.explainsAll(m, got) {
				return judge.Fail(m.Key, m.Hint, "%s", m.Message)
			}
		}
		if q.family != nil {
			if bad := q.family(p, got[i]); bad != nil {
				return bad
			}
		}
		if got[i].Contains(x[0], x[1]) {
			return judge.Fail("too-much", 2,
				"Your region for %s contains x = (%s, %s), where the function is zero or not defined.", p.name,
				allDigits(x[0]), allDigits(x[1]))
		}
		return judge.Fail("too-little", 2,
			"Your region for %s leaves out x = (%s, %s), where the function is not zero.", p.name, allDigits(x[0]),
			allDigits(x[1]))
	}
	return nil
}

// findDifference searches for a point x that lies in exactly one of the two regions. If it finds a
// point, the result `wrong` is true. Calls with the same two regions test the same points.
func findDifference(a, b Region) (x [2]float64, wrong bool) {
	return region.Differ(instance.Source(1001, 1), a, b)
}

// explainsAll reports whether an answer with the mistake m returns the same regions as the learner
// in all problems. The learner's regions are `got`.
func (q question[F]) explainsAll(m judge.Mistake[F], got []Region) bool {
	for i, p := range q.on {
		if _, wrong := findDifference(got[i], p.call(m.Answer, judge.NewCall("", 0, false))); wrong {
			return false
		}
	}
	return true
}

// allDigits returns v with all its digits, so that a learner who substitutes v into the basis
// function gets the same result as the check.
func allDigits(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }

// constants contains the constants p, s and q of the basis functions sin(p(x1−s)) and log(x2−q).
// The learner's functions for these two basis functions have no arguments. The learner's other
// functions receive the constants of their basis functions as arguments.
type constants struct{ p, s, q float64 }

// The variable `common` contains the constants of the book. With these constants the two basis
// functions are sin(x1) and log(x2).
var common = constants{p: 1}

// constantsOf returns the constants that the seed n selects; seed 0 selects the constants of the
// book. For all other seeds the constants are nonzero whole numbers, and p is at least 3. If p
// were 2, an answer that omits the factor p would leave out only every second zero. The check would
// then confuse this answer with a different known mistake.
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

// ownConstants returns the constants for the current seed of this program. It calls Peek and not
// Get: a program that only lists the known mistakes must be able to choose a different seed later,
// which a call of Get would prevent.
func ownConstants() constants { return constantsOf(seed.Peek()) }

// x1At returns the value of x1 at which the argument of the sine is u.
func (c constants) x1At(u float64) float64 { return c.s + u/c.p }

// lattice returns the lines on which the argument of the sine is offset + k·period, for all whole
// numbers k.
func (c constants) lattice(period, offset float64) Region {
	return X1.Lattice(period/c.p, c.x1At(offset))
}

// bookOr returns the text `plain` if c contains the constants of the book, and otherwise the text
// `variant`.
func (c constants) bookOr(plain, variant string) string {
	if c == common {
		return plain
	}
	return variant
}

// sine and log return the two basis functions with the constants c, as plain text. The method
// `zeros` returns the zeros of the sine as plain text.
func (c constants) sine() string {
	return c.bookOr("sin(x1)", fmt.Sprintf("sin(%g(x1−%g))", c.p, c.s))
}

func (c constants) log() string {
	return c.bookOr("log(x2)", strings.ReplaceAll(fmt.Sprintf("log(x2%+g)", -c.q), "-", "−"))
}

func (c constants) zeros() string { return c.bookOr("kπ", fmt.Sprintf("%g + kπ/%g", c.s, c.p)) }

// vary returns the texts that replace the placeholders of the exercise if the seed is n.
func vary(n uint64) map[string]string {
	c := constantsOf(n)
	return map[string]string{
		"sineGo": c.sine(), "logGo": c.log(),
		"logFrom": fmt.Sprint(c.q), "logZero": fmt.Sprint(c.q + 1), "offset": fmt.Sprint(c.s),
		"sine":       c.bookOr(`\sin(x_1)`, fmt.Sprintf(`\sin\{%g(x_1-%g)\}`, c.p, c.s)),
		"log":        c.bookOr(`\log(x_2)`, fmt.Sprintf(`\log(x_2%+g)`, -c.q)),
		"zeros":      c.bookOr(`k\pi`, fmt.Sprintf(`%g+k\pi/%g`, c.s, c.p)),
		"period":     c.bookOr("math.Pi", fmt.Sprintf("math.Pi/%g", c.p)),
		"offsetHint": c.bookOr("", " The offset is the $x_1$ at which its argument is 0."),
		"sineStep":   c.bookOr("", fmt.Sprintf(`$%g(x_1-%g)=k\pi$, that is for `, c.p, c.s)),
		"logStep":    c.bookOr("", fmt.Sprintf(", at $x_2=%g$", c.q+1)),
		"halfPlane": c.bookOr("the open upper half-plane without a line",
			fmt.Sprintf("the open half-plane above $x_2=%g$ without a line", c.q)),
	}
}

const (
	otherVariable = "Your condition restricts the wrong coordinate: the function depends only on %s."
	closedEdge    = "Your region contains its edge. On the edge both sides of the condition are equal, so “greater than” is false and the indicator is 0."
	reversed      = "Your region is the opposite half-plane, where the indicator is 0."
	allIndicator  = "Your region is the whole plane, but the indicator is 0 where its condition is false."
	noIndicator   = "Your region is empty, but the indicator is 1 where its condition is true."
	noBump        = "Your region is empty. At the centre the exponent is 0: what is the exponential of 0?"
	tangent       = "Your edge is turned by a right angle: (a, b) is normal to the edge, not along it."
)

// alwaysRegion returns a learner's function that always returns r.
func alwaysRegion(r Region) func() Region { return func() Region { return r } }

// planeWithout returns a learner's function. That function returns the plane without the points of
// r.
func planeWithout(r Region) func() Region { return alwaysRegion(Everywhere().Except(r)) }

// onlyProblem returns the single problem for a function without arguments.
func onlyProblem(name string) []problem[func() Region] {
	return []problem[func() Region]{{name: name, call: func(f func() Region, _ *judge.Call) Region { return f() }}}
}

func sines() question[func() Region] {
	c := ownConstants()
	zeros := c.lattice(math.Pi, 0)
	line := func(u float64) Region { return X1.Equals(c.x1At(u)) }
	between := func(u, v float64) Region { return X1.Between(c.x1At(u), c.x1At(v)) }
	everySecond := c.bookOr("You leave out every second zero: within one period of 2π the sine vanishes twice.",
		"You leave out every second zero: within one period the sine vanishes twice.")
	q := question[func() Region]{title: "a. " + c.sine(), function: "Sine", right: planeWithout(zeros),
		on: onlyProblem(c.sine()),
		pass: fmt.Sprintf("Your region is the plane without the infinitely many lines x1 = %s. Where the sine is negative, it is not zero either.",
			c.zeros()), mistakes: []judge.Mistake[func() Region]{
			{Key: "zeros-forgotten", Hint: 1, Answer: alwaysRegion(Everywhere()),
				Message: "Your region is the whole plane, but a sine has infinitely many zeros. Where are they?"},
			{Key: "one-zero", Hint: 2, Answer: planeWithout(line(0)),
				Message: fmt.Sprintf("You leave out only x1 = %g. The sine has more zeros.", c.s)},
			{Key: "three-zeros", Hint: 2, Answer: planeWithout(line(0).Or(line(math.Pi)).Or(line(-math.Pi))),
				Message: c.bookOr("You leave out only 0 and ±π. The sine has zeros along the whole axis.",
					"You leave out only three zeros. The sine has zeros along the whole axis.")},
			{Key: "one-period", Hint: 2, Answer: alwaysRegion(between(-math.Pi, math.Pi).Except(line(0))),
				Message: "You describe one period only. The function is defined on the whole axis."},
			{Key: "one-period", Hint: 2, Answer: alwaysRegion(between(0, math.Pi)),
				Message: "You describe one arch only. The function is defined on the whole axis, and negative values are not zero."},
			{Key: "one-period", Hint: 2, Answer: alwaysRegion(between(0, 2*math.Pi).Except(line(math.Pi))),
				Message: "You describe one period only. The function is defined on the whole axis."},
			{Key: "half-axis", Hint: 2, Answer: planeWithout(zeros.And(X1.AtLeast(c.s))),
				Message: "You leave out zeros on one side only. The sine also has zeros on the left: k may be negative."},
			{Key: "half-axis", Hint: 2, Answer: planeWithout(zeros.And(X1.Above(c.s))),
				Message: "You leave out zeros on one side only. The sine also has zeros on the left: k may be negative or 0."},
			{Key: "every-second-zero", Hint: 2, Answer: planeWithout(c.lattice(2*math.Pi, 0)), Message: everySecond},
			{Key: "every-second-zero", Hint: 2, Answer: planeWithout(c.lattice(2*math.Pi, math.Pi)), Message: everySecond},
			{Key: "cosine", Hint: 2, Answer: planeWithout(c.lattice(math.Pi, math.Pi/2)),
				Message: "You leave out the zeros of the cosine. What is sin(0)?"},
			{Key: "too-many-zeros", Hint: 2, Answer: planeWithout(c.lattice(math.Pi/2, 0)),
				Message: c.bookOr("You also leave out the odd multiples of π/2, where the sine is 1 or −1.",
					"You also leave out the lines halfway between the zeros, where the sine is 1 or −1.")},
			{Key: "degrees", Hint: 2, Answer: planeWithout(c.lattice(180, 0)),
				Message: c.bookOr("Your zeros are the multiples of 180, as if x1 were in degrees. The argument of the sine is in radians.",
					"Your zeros are right for an argument in degrees. The argument of the sine is in radians.")},
			{Key: "zeros", Hint: 1, Answer: alwaysRegion(zeros),
				Message: "Your region contains the zeros of the sine. Return the region where the sine is not zero."},
			{Key: "whole-numbers", Hint: 2, Answer: planeWithout(c.lattice(1, 0)),
				Message: c.bookOr("Your zeros are the whole numbers 0, ±1, ±2, … The zeros of the sine are the multiples of a different number.", "You leave out the lines on which the argument is a whole number. The sine is zero where its argument is a multiple of a different number.")},
			{Key: "wrong-variable", Hint: 2, Answer: planeWithout(X2.Lattice(math.Pi/c.p, c.s)),
				Message: fmt.Sprintf(otherVariable, "x1")},
			{Key: "both-variables", Hint: 2, Answer: planeWithout(zeros.Or(X2.Lattice(math.Pi/c.p, c.s))),
				Message: "You also leave out lines x2 = const. The function does not depend on x2: on each of these lines the function takes all its values."},
			{Key: "points-for-lines", Hint: 2, Answer: planeWithout(zeros.And(X2.Equals(0))),
				Message: "You leave out single points. The function does not depend on x2, so each zero x1 is a whole line."},
		}}
	for _, pi := range []float64{3.14, 3.1416, 3.14159, 3.1415926, 22.0 / 7} {
		q.mistakes = append(q.mistakes,
			judge.Mistake[func() Region]{Key: "rounded-pi", Hint: 3, Answer: planeWithout(c.lattice(pi, 0)),
				Message: "Your period comes from a rounded π, so lines far from the origin are in the wrong place. Use math.Pi."})
	}
	if c != common {
		q.varied = []judge.Mistake[func() Region]{
			{Key: "constants-ignored", Hint: 2, Answer: planeWithout(X1.Lattice(math.Pi, 0)),
				Message: fmt.Sprintf("You leave out the zeros of sin(x1). Here the argument of the sine is %g(x1−%g).", c.p, c.s)},
			{Key: "factor-ignored", Hint: 2, Answer: planeWithout(X1.Lattice(math.Pi, c.s)),
				Message: fmt.Sprintf("The distance between your lines is π. The argument grows %g times as fast as x1.", c.p)},
			{Key: "factor-inverted", Hint: 2, Answer: planeWithout(X1.Lattice(c.p*math.Pi, c.s)),
				Message: fmt.Sprintf("The distance between your lines is %gπ. The argument grows %g times as fast as x1, so the zeros lie closer together, not further apart.", c.p, c.p)},
			{Key: "offset-ignored", Hint: 2, Answer: planeWithout(X1.Lattice(math.Pi/c.p, 0)),
				Message: "The distance between your lines is right, but the offset is missing: where is the argument 0?"},
			{Key: "offset-sign", Hint: 2, Answer: planeWithout(X1.Lattice(math.Pi/c.p, -c.s)),
				Message: "The distance between your lines is right, but the offset has the wrong sign: where is the argument 0?"},
			{Key: "offset-divided", Hint: 2, Answer: planeWithout(X1.Lattice(math.Pi/c.p, c.s/c.p)),
				Message: fmt.Sprintf("The distance between your lines is right. The offset is divided by %g, as if the argument were %gx1−%g. Where is the argument 0?", c.p, c.p, c.s)},
		}
	}
	return q
}

// boundedRegion returns a verdict if the learner's region for a bump contains the centre, but ends
// in both directions of x1 at a distance of at most 10⁶√c from the centre.
func boundedRegion[F any](p problem[F], r Region) *verify.Verdict {
	in := func(x float64) bool {
		return r.Contains(p.centre[0]+x, p.centre[1]) && r.Contains(p.centre[0]-x, p.centre[1])
	}
	out := func(x float64) bool {
		return !r.Contains(p.centre[0]+x, p.centre[1]) && !r.Contains(p.centre[0]-x, p.centre[1])
	}
	switch {
	case !in(0) || !out(1e6*math.Sqrt(p.c)):
		return nil
	case in(math.Sqrt(707*p.c)) && out(math.Sqrt(747*p.c)):
		return judge.Fail("underflow", 1,
			"Your region ends where the result of math.Exp underflows, between about e⁻⁷⁰⁸ and e⁻⁷⁴⁵. The function itself is not zero there.")
	}
	return judge.Fail("bounded", 1,
		"Your region ends at some distance from the centre. The bump decreases very fast, but for which number is an exponential zero?")
}

func bumps() question[func(a, c float64) Region] {
	type bump = func(a, c float64) Region
	q := question[bump]{title: "b. exp(−(x1−a)²/c)", function: "Bump",
		right: func(_, _ float64) Region { return Everywhere() },
		pass:  "Your region is the whole plane: an exponential is never 0, however far x1 is from a. (In floating point the result underflows to 0 beyond about 27√c.)", family: boundedRegion[bump], mistakes: []judge.Mistake[bump]{
			{Key: "centre-excluded", Hint: 1,
				Answer:  func(a, _ float64) Region { return Everywhere().Except(X1.Equals(a)) },
				Message: "You leave out x1 = a. There the exponent is 0; what is the exponential of 0?"},
			{Key: "centre-only", Hint: 1, Answer: func(a, _ float64) Region { return X1.Equals(a) },
				Message: "Your region is only the line x1 = a. The bump is largest there, but not zero elsewhere."},
			{Key: "one-side", Hint: 1, Answer: func(a, _ float64) Region { return X1.Above(a) },
				Message: "Your region lies on one side of x1 = a only. The exponent depends on (x1−a)², so the bump is equal on both sides."},
			{Key: "one-side", Hint: 1, Answer: func(a, _ float64) Region { return X1.Below(a) },
				Message: "Your region lies on one side of x1 = a only. The exponent depends on (x1−a)², so the bump is equal on both sides."},
			{Key: "nowhere", Hint: 1, Answer: func(_, _ float64) Region { return Nowhere() }, Message: noBump},
		}}
	for _, n := range [][2]float64{{0, 1}, {2, 3}, {-1.5, 0.2}, {10, 50}, {0, 1e-6}, {-3, 1e6}} {
		a, c := n[0], n[1]
		q.on = append(q.on,
			problem[bump]{name: fmt.Sprintf("exp(−(x1−a)²/c) with a = %g, c = %g", a, c), centre: [2]float64{a, 0},
				c:    c,
				call: func(f bump, _ *judge.Call) Region { return f(a, c) }})
	}
	return q
}

func radialBumps() question[func(m []float64, c float64) Region] {
	type bump = func(m []float64, c float64) Region
	centre := func(m []float64) Region { return X1.Equals(m[0]).And(X2.Equals(m[1])) }
	q := question[bump]{title: "c. exp(−‖x−m‖²/c)", function: "RadialBump",
		right: func([]float64, float64) Region { return Everywhere() },
		pass:  "Your region is the whole plane: away from m the bump is small, but never 0.", family: boundedRegion[bump],
		mistakes: []judge.Mistake[bump]{
			{Key: "centre-excluded", Hint: 1,
				Answer:  func(m []float64, _ float64) Region { return Everywhere().Except(centre(m)) },
				Message: "You leave out x = m. There the exponent is 0; what is the exponential of 0?"},
			{Key: "centre-only", Hint: 1, Answer: func(m []float64, _ float64) Region { return centre(m) },
				Message: "Your region is only the point x = m. The bump is largest there, but not zero elsewhere."},
			{Key: "nowhere", Hint: 1, Answer: func([]float64, float64) Region { return Nowhere() }, Message: noBump},
		}}
	for _, n := range [][3]float64{{0, 0, 1}, {1, -2, 3}, {-30, 4, 0.1}, {2, 5, 1e6}} {
		m, c := []float64{n[0], n[1]}, n[2]
		q.on = append(q.on,
			problem[bump]{name: fmt.Sprintf("exp(−‖x−m‖²/c) with m = (%g, %g), c = %g", m[0], m[1], c),
				centre: [2]float64(m), c: c,
				call: func(f bump, call *judge.Call) Region { return f(call.Slice("m", m), c) }})
	}
	return q
}

func logs() question[func() Region] {
	c := ownConstants()
	q := c.q
	one := X2.Equals(q + 1)
	out := question[func() Region]{title: "d. " + c.log(), function: "Log", right: alwaysRegion(X2.Above(q).Except(one)),
		on:   onlyProblem(c.log()),
		pass: fmt.Sprintf("Your region is x2 > %g, the domain of the logarithm, without the line x2 = %g.", q, q+1),
		mistakes: []judge.Mistake[func() Region]{
			{Key: "log-one-forgotten", Hint: 2, Answer: alwaysRegion(X2.Above(q)),
				Message: "You have the domain. Within it the logarithm has one zero: which number has the logarithm 0?"},
			{Key: "domain-ignored", Hint: 2, Answer: planeWithout(one),
				Message: fmt.Sprintf("You leave out the zero of the logarithm, but for which x2 is %s defined?",
					c.log())},
			{Key: "everywhere", Hint: 1, Answer: alwaysRegion(Everywhere()),
				Message: "Your region is the whole plane. For which x2 is the logarithm defined, and where is it zero?"},
			{Key: "zero-included", Hint: 2, Answer: alwaysRegion(X2.AtLeast(q).Except(one)),
				Message: fmt.Sprintf("At x2 = %g the function is not defined: it tends to −∞ as x2 tends to %g. (Go's math.Log returns −Inf there.)", q, q)},
			{Key: "zero-included", Hint: 2, Answer: alwaysRegion(X2.AtLeast(q)),
				Message: fmt.Sprintf("At x2 = %g the function is not defined, and within its domain it has one zero.", q)},
			{Key: "log-of-zero", Hint: 2, Answer: planeWithout(X2.Equals(q)),
				Message: fmt.Sprintf("You leave out only x2 = %g. For %s x2 the function is not defined either, and its zero is at a different x2.", q, c.bookOr("negative", "smaller"))},
			{Key: "positive-only", Hint: 2, Answer: alwaysRegion(X2.Above(q + 1)),
				Message: "Your region is where the logarithm is positive. Negative values are not zero either."},
			{Key: "positive-only", Hint: 2, Answer: alwaysRegion(X2.AtLeast(q + 1)),
				Message: "Your region is where the logarithm is not negative. Negative values are not zero, but log(1) is zero."},
			{Key: "negative-only", Hint: 2, Answer: alwaysRegion(X2.Between(q, q+1)),
				Message: "Your region is where the logarithm is negative. Positive values are not zero either."},
			{Key: "zero-at-e", Hint: 2, Answer: alwaysRegion(X2.Above(q).Except(X2.Equals(q + math.E))),
				Message: c.bookOr("You leave out x2 = e, whose logarithm is 1.",
					"You leave out the line where the argument is e, whose logarithm is 1.")},
			{Key: "zeros", Hint: 1, Answer: alwaysRegion(one),
				Message: "Your region is where the logarithm is zero. Return the region where it is not zero."},
			{Key: "wrong-variable", Hint: 2, Answer: alwaysRegion(X1.Above(q).Except(X1.Equals(q + 1))),
				Message: fmt.Sprintf(otherVariable, "x2")},
			{Key: "points-for-lines", Hint: 2, Answer: alwaysRegion(X2.Above(q).Except(one.And(X1.Equals(0)))),
				Message: fmt.Sprintf("You leave out a point. The function does not depend on x1, so it is zero on the whole line x2 = %g.", q+1)},
		}}
	if c != common {
		out.varied = []judge.Mistake[func() Region]{
			{Key: "constants-ignored", Hint: 2, Answer: alwaysRegion(X2.Above(0).Except(X2.Equals(1))),
				Message: "Your region is right for log(x2), but here the argument of the logarithm is not x2."},
			{Key: "offset-sign", Hint: 2, Answer: alwaysRegion(X2.Above(-q).Except(X2.Equals(1 - q))),
				Message: "Your edge is on the wrong side of x2 = 0. For which x2 is the argument of the logarithm 0?"},
			{Key: "zero-not-moved", Hint: 2, Answer: alwaysRegion(X2.Above(q).Except(X2.Equals(1))),
				Message: "The domain is right, and the line that you leave out is the zero of log(x2). For which x2 is the argument 1?"},
			{Key: "zero-not-moved", Hint: 2, Answer: alwaysRegion(X2.Above(q).Except(X2.Equals(0))),
				Message: "The domain is right. The line that you leave out is x2 = 0; for which x2 is the argument 1?"},
		}
	}
	return out
}

func indicators() question[func(c float64) Region] {
	type step = func(c float64) Region
	q := question[step]{title: "e. 1(x1 > c)", function: "Step", right: X1.Above,
		pass: "Your region is the open half-plane right of x1 = c; on the line itself the indicator is 0.",
		mistakes: []judge.Mistake[step]{
			{Key: "closed", Hint: 2, Answer: X1.AtLeast, Message: closedEdge},
			{Key: "flipped", Hint: 2, Answer: X1.Below, Message: reversed},
			{Key: "flipped", Hint: 2, Answer: X1.AtMost, Message: reversed},
			{Key: "wrong-variable", Hint: 2, Answer: X2.Above, Message: fmt.Sprintf(otherVariable, "x1")},
			{Key: "everywhere", Hint: 1, Answer: func(float64) Region { return Everywhere() }, Message: allIndicator},
			{Key: "nowhere", Hint: 1, Answer: func(float64) Region { return Nowhere() }, Message: noIndicator},
			{Key: "edge-only", Hint: 1, Answer: X1.Equals,
				Message: "Your region is only the line x1 = c. The indicator is 1 on one whole side of this line."},
			{Key: "edge-excluded-only", Hint: 2,
				Answer:  func(c float64) Region { return Everywhere().Except(X1.Equals(c)) },
				Message: "You leave out only the line x1 = c. On one whole side of this line the condition is false and the indicator is 0."},
			{Key: "c-ignored", Hint: 2, Answer: func(float64) Region { return X1.Above(0) },
				Message: "Your half-plane begins at 0 for every c."},
			{Key: "c-sign", Hint: 2, Answer: func(c float64) Region { return X1.Above(-c) },
				Message: "Your half-plane begins at −c."},
		}}
	for _, c := range []float64{1.5, 0, -3, 1e4, 1e-6, -1e6} {
		q.on = append(q.on,
			problem[step]{name: fmt.Sprintf("1(x1 > c) with c = %g", c),
				call: func(f step, _ *judge.Call) Region { return f(c) }})
	}
	return q
}

func halfPlanes() question[func(a, b, c float64) Region] {
	type half = func(a, b, c float64) Region
	// divided returns an answer that divides the inequality by a coefficient: by `a` if `x1First`
	// is set, and otherwise by `b`. If this coefficient is 0 and `other` is set, the answer divides by
	// the other coefficient. If it is 0 and `other` is not set, the answer does not divide.
	divided := func(x1First, other bool) half {
		return func(a, b, c float64) Region {
			switch {
			case a != 0 && (x1First || other && b == 0):
				return Linear(1, b/a).Above(c / a)
			case b != 0 && (!x1First || other):
				return Linear(a/b, 1).Above(c / b)
			}
			return Linear(a, b).Above(c)
		}
	}
	const negative = "If a coefficient is negative, your region is the opposite half-plane, as if you divided by the coefficient. Dividing by a negative number reverses an inequality, so do not divide."
	q := question[half]{title: "f. 1(a·x1 + b·x2 > c)", function: "HalfPlane",
		right: func(a, b, c float64) Region { return Linear(a, b).Above(c) },
		pass:  "Your region is the open half-plane to which (a, b) points; on the line itself the indicator is 0.",
		mistakes: []judge.Mistake[half]{
			{Key: "divided-by-negative", Hint: 2, Answer: divided(false, false), Message: negative},
			{Key: "divided-by-negative", Hint: 2, Answer: divided(true, false), Message: negative},
			{Key: "divided-by-negative", Hint: 2, Answer: divided(false, true), Message: negative},
			{Key: "divided-by-negative", Hint: 2, Answer: divided(true, true), Message: negative},
			{Key: "closed", Hint: 2, Answer: func(a, b, c float64) Region { return Linear(a, b).AtLeast(c) },
				Message: closedEdge},
			{Key: "flipped", Hint: 2, Answer: func(a, b, c float64) Region { return Linear(a, b).Below(c) },
				Message: reversed},
			{Key: "flipped", Hint: 2, Answer: func(a, b, c float64) Region { return Linear(a, b).AtMost(c) },
				Message: reversed},
			{Key: "c-ignored", Hint: 2, Answer: func(a, b, _ float64) Region { return Linear(a, b).Above(0) },
				Message: "Your line passes through the origin for every c."},
			{Key: "c-sign", Hint: 2, Answer: func(a, b, c float64) Region { return Linear(a, b).Above(-c) },
				Message: "Your line is a·x1 + b·x2 = −c: the constant c has the wrong sign."},
			{Key: "normal-sign", Hint: 2, Answer: func(a, b, c float64) Region { return Linear(a, -b).Above(c) },
				Message: "Your form is a·x1 − b·x2; it should be a·x1 + b·x2."},
			{Key: "normal-swapped", Hint: 2, Answer: func(a, b, c float64) Region { return Linear(b, a).Above(c) },
				Message: "Your form is b·x1 + a·x2: a and b are swapped."},
			{Key: "tangent", Hint: 2, Answer: func(a, b, c float64) Region { return Linear(-b, a).Above(c) },
				Message: tangent},
			{Key: "tangent", Hint: 2, Answer: func(a, b, c float64) Region { return Linear(b, -a).Above(c) },
				Message: tangent},
			{Key: "everywhere", Hint: 1, Answer: func(_, _, _ float64) Region { return Everywhere() },
				Message: allIndicator},
			{Key: "nowhere", Hint: 1, Answer: func(_, _, _ float64) Region { return Nowhere() }, Message: noIndicator},
			{Key: "edge-only", Hint: 1, Answer: func(a, b, c float64) Region { return Linear(a, b).Equals(c) },
				Message: "Your region is only the line. The indicator is 1 on one whole side of it."},
			{Key: "edge-excluded-only", Hint: 2,
				Answer:  func(a, b, c float64) Region { return Everywhere().Except(Linear(a, b).Equals(c)) },
				Message: "You leave out only the line. On one whole side of it the condition is false and the indicator is 0."},
		}}
	for _, n := range [][3]float64{{1, 2, 3}, {-1, 0.5, 0.7}, {3, -4, -5}, {0, 2, 1}, {-2, 0, 3}, {1e-3, 2e3, 40},
		{2e6, -3e6, 1}, {1, 1, 0}} {
		a, b, c := n[0], n[1], n[2]
		q.on = append(q.on, problem[half]{name: fmt.Sprintf("1(a·x1 + b·x2 > c) with a = %g, b = %g, c = %g", a, b, c),
			call: func(f half, _ *judge.Call) Region { return f(a, b, c) }})
	}
	return q
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParseVaried("exercises/alpaydin10/ex01", files, vary)

// Exercise returns a copy of the text of this exercise, together with the known mistakes.
func Exercise() *exercises.Exercise {
	e := exercise.Copy()
	// List the known mistakes here, not when the package is initialised, because they depend on the
	// seed, which the program sets only after the initialisation.
	e.Known = slices.Concat(sines().knownMistakes(), bumps().knownMistakes(), radialBumps().knownMistakes(), logs().knownMistakes(),
		indicators().knownMistakes(), halfPlanes().knownMistakes())
	return e
}

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

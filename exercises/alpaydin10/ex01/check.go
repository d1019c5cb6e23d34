// Package ex01 judges Alpaydin exercise 10.1: where basis functions are not zero.
// It also holds the regions of the plane that an answer is built of.
package ex01

import (
	_ "embed"
	"fmt"
	"math"
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
func Exercise() *exercises.Exercise { return exercise.Copy() }

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
				bad := verify.Fail(m.Key, m.Hint, "%s", m.Message)
				return &bad
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

// known enters the mistakes of a question into the exercise. Those of a variant alone
// stand at the end of its table and are not among them: with some constants two of
// them are one.
func known[F any](q func() question[F], check func(F) *verify.Report) {
	list := q().mistakes
	for i, m := range list[:len(list)-q().varied] {
		exercise.Known = append(exercise.Known, exercises.Known{Key: m.Key, Check: func() *verify.Report { return check(q().mistakes[i].Answer) }})
	}
}

func init() {
	sine, bump, radial, log, step, half := rightSine, rightBump, rightRadial, rightLog, rightStep, rightHalf
	known(sines, func(f func() Region) *verify.Report { return Check(f, bump, radial, log, step, half) })
	known(bumps, func(f func(a, c float64) Region) *verify.Report { return Check(sine, f, radial, log, step, half) })
	known(radialBumps, func(f func(m []float64, c float64) Region) *verify.Report {
		return Check(sine, bump, f, log, step, half)
	})
	known(logs, func(f func() Region) *verify.Report { return Check(sine, bump, radial, f, step, half) })
	known(indicators, func(f func(c float64) Region) *verify.Report { return Check(sine, bump, radial, log, f, half) })
	known(halfPlanes, func(f func(a, b, c float64) Region) *verify.Report { return Check(sine, bump, radial, log, step, f) })
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

// Package ex01 judges Alpaydin exercise 10.1: where basis functions are not zero. Learners build
// their answers from the regions of package region, which ex01 re-exports.
package ex01

import (
	"embed"
	"fmt"
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

// A Form is a linear form of the plane, a·x1 + b·x2.
type Form = region.Form

// X1 and X2 are the coordinates as forms.
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

// A question is one of the six functions that Check judges. It contains the problems with which the
// check calls the learner's function, and the known wrong answers.
type question[F any] struct {
	title, function, pass string
	right                 F
	on                    []problem[F]
	mistakes              []judge.Mistake[F]
	varied                []judge.Mistake[F]                       // in variants only; known omits them because two may coincide
	family                func(problem[F], Region) *verify.Verdict // recognises a mistake with a free parameter; may be nil
}

// A problem is a basis function with the values of its parameters.
type problem[F any] struct {
	name   string
	call   func(f F, c *judge.Call) Region
	centre [2]float64 // only for a bump
	c      float64    // only for a bump
}

func (q question[F]) part(f F) verify.Part {
	return verify.Part{Name: q.title, Of: []string{q.function}, Judge: func() verify.Verdict {
		if bad := q.judge(f); bad != nil {
			return *bad
		}
		return verify.Pass("%s", q.pass)
	}}
}

// known returns the mistakes that occur in every variant.
func (q question[F]) known() (out []exercises.Known) {
	for _, m := range q.mistakes {
		out = append(out,
			exercises.Known{Key: m.Key,
				Check: func() *verify.Report { return exercise.Judge(q.part(judge.Through(m.Answer).(F))) }})
	}
	return out
}

// maxEdges bounds the number of conditions in a learner's region.
const maxEdges = 400

// judge compares the learner's region with the right region in every problem. It returns nil if
// they contain the same points, and otherwise the verdict.
func (q question[F]) judge(f F) *verify.Verdict {
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
				"Your region for %s is built from %d conditions. A single Lattice represents infinitely many equally spaced lines.", p.name, r.Conditions())
		}
	}
	for i, p := range q.on {
		x, wrong := differ(got[i], p.call(q.right, judge.NewCall(p.name, 0, false)))
		if !wrong {
			continue
		}
		for _, m := range slices.Concat(q.mistakes, q.varied) {
			if q.explains(m, got) {
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
				number(x[0]), number(x[1]))
		}
		return judge.Fail("too-little", 2,
			"Your region for %s leaves out x = (%s, %s), where the function is not zero.", p.name, number(x[0]),
			number(x[1]))
	}
	return nil
}

// differ compares two regions at random points, which are the same in every call. If wrong is set,
// only one of the regions contains x.
func differ(a, b Region) (x [2]float64, wrong bool) {
	return region.Differ(instance.Source(1001, 1), a, b)
}

// explains reports whether the mistake m produces the learner's regions got in all problems.
func (q question[F]) explains(m judge.Mistake[F], got []Region) bool {
	for i, p := range q.on {
		if _, wrong := differ(got[i], p.call(m.Answer, judge.NewCall("", 0, false))); wrong {
			return false
		}
	}
	return true
}

// number formats v with all digits. A learner who substitutes v into the basis function then sees
// what the message says about the point.
func number(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }

// constants contains the constants of the two functions without arguments: a is sin(p(x1−s)), d is
// log(x2−q). The check passes the constants of the other functions as arguments.
type constants struct{ p, s, q float64 }

// common contains the book's constants, with which a and d are sin(x1) and log(x2).
var common = constants{p: 1}

// constantsOf returns the constants of variant n. All are nonzero whole numbers, and p is at least
// 3. An answer that omits the factor or the offset therefore has other zeros. These zeros cannot be
// mistaken for every second zero of the right answer.
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

// own returns the constants of the program's variant. It uses Peek because listing the known
// mistakes must not fix the variant. Only judging fixes the variant.
func own() constants { return constantsOf(seed.Peek()) }

// at returns the x1 at which the argument of the sine is u.
func (c constants) at(u float64) float64 { return c.s + u/c.p }

// lattice returns the lines on which the argument of the sine is offset + k·period.
func (c constants) lattice(period, offset float64) Region {
	return X1.Lattice(period/c.p, c.at(offset))
}

// say returns plain if c contains the book's constants, and variant otherwise.
func (c constants) say(plain, variant string) string {
	if c == common {
		return plain
	}
	return variant
}

// sine, log and zeros return the basis functions a and d, and the zeros of a, as plain text.
func (c constants) sine() string { return c.say("sin(x1)", fmt.Sprintf("sin(%g(x1−%g))", c.p, c.s)) }

func (c constants) log() string {
	return c.say("log(x2)", strings.ReplaceAll(fmt.Sprintf("log(x2%+g)", -c.q), "-", "−"))
}

func (c constants) zeros() string { return c.say("kπ", fmt.Sprintf("%g + kπ/%g", c.s, c.p)) }

// vary returns the replacements for the placeholders in the texts of variant n.
func vary(n uint64) map[string]string {
	c := constantsOf(n)
	return map[string]string{
		"sineGo": c.sine(), "logGo": c.log(),
		"logFrom": fmt.Sprint(c.q), "logZero": fmt.Sprint(c.q + 1), "offset": fmt.Sprint(c.s),
		"sine":       c.say(`\sin(x_1)`, fmt.Sprintf(`\sin\{%g(x_1-%g)\}`, c.p, c.s)),
		"log":        c.say(`\log(x_2)`, fmt.Sprintf(`\log(x_2%+g)`, -c.q)),
		"zeros":      c.say(`k\pi`, fmt.Sprintf(`%g+k\pi/%g`, c.s, c.p)),
		"period":     c.say("math.Pi", fmt.Sprintf("math.Pi/%g", c.p)),
		"offsetHint": c.say("", " The offset is where its argument is 0."),
		"sineStep":   c.say("", fmt.Sprintf(`$%g(x_1-%g)=k\pi$, that is for `, c.p, c.s)),
		"logStep":    c.say("", fmt.Sprintf(", at $x_2=%g$", c.q+1)),
		"halfPlane": c.say("the open upper half-plane without a line",
			fmt.Sprintf("the open half-plane above $x_2=%g$ without a line", c.q)),
	}
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParseVaried("exercises/alpaydin10/ex01", files, vary)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise {
	e := exercise.Copy()
	// The known mistakes depend on the variant, which the program chooses after this package is
	// initialised.
	e.Known = slices.Concat(sines().known(), bumps().known(), radialBumps().known(), logs().known(),
		indicators().known(), halfPlanes().known())
	return e
}

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

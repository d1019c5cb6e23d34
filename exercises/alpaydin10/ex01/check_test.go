package ex01_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex01"
	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	plainFunc  = func() ex01.Region
	bumpFunc   = func(a, c float64) ex01.Region
	radialFunc = func(m []float64, c float64) ex01.Region
	stepFunc   = func(c float64) ex01.Region
	halfFunc   = func(a, b, c float64) ex01.Region
)

// vary returns the texts that replace the placeholders of the exercise, for a given seed. These
// texts contain the constants.
var vary = ex01.Exercise().Vary

// constants returns the constants p, s and q for the seed n. With these constants the basis
// functions are sin(p(x1−s)) and log(x2−q).
func constants(n uint64) (p, s, q float64) {
	v := vary(n)
	p = 1
	_, _ = fmt.Sscanf(v["period"], "math.Pi/%g", &p) // if the text contains no factor, p is 1
	fmt.Sscan(v["offset"]+" "+v["logFrom"], &s, &q)
	return p, s, q
}

// p, s and q are the constants for the seed that these tests use to judge answers.
var p, s, q = constants(gate.Seed())

var x1, x2, all = ex01.X1, ex01.X2, ex01.Everywhere()

// line returns the value of x1 at which the argument of the sine is u.
func line(u float64) float64 { return s + u/p }

func lattice(period, offset float64) ex01.Region { return x1.Lattice(period/p, line(offset)) }

// sine and log are the right answers for the constants p, s and q.
func sine() ex01.Region { return all.Except(lattice(math.Pi, 0)) }
func log() ex01.Region  { return x2.Above(q).Except(x2.Equals(q + 1)) }

type report = *verify.Report

func checkSine(f plainFunc) report    { return ex01.Check(f, Bump, RadialBump, log, Step, HalfPlane) }
func checkBump(f bumpFunc) report     { return ex01.Check(sine, f, RadialBump, log, Step, HalfPlane) }
func checkRadial(f radialFunc) report { return ex01.Check(sine, Bump, f, log, Step, HalfPlane) }
func checkLog(f plainFunc) report     { return ex01.Check(sine, Bump, RadialBump, f, Step, HalfPlane) }
func checkStep(f stepFunc) report     { return ex01.Check(sine, Bump, RadialBump, log, f, HalfPlane) }
func checkHalf(f halfFunc) report     { return ex01.Check(sine, Bump, RadialBump, log, Step, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex01.Exercise(), gate.Of(checkSine, sine), gate.Of(checkBump, Bump),
		gate.Of(checkRadial, RadialBump), gate.Of(checkLog, log),
		gate.Of(checkStep, Step), gate.Of(checkHalf, HalfPlane))
}

// alwaysRegion turns each region into a learner's function. That function has no arguments and
// always returns the region.
func alwaysRegion(regions ...ex01.Region) []plainFunc {
	var out []plainFunc
	for _, r := range regions {
		out = append(out, func() ex01.Region { return r })
	}
	return out
}

// lines returns the plane without the line at which x1 equals the number `from`, and without `many`
// parallel lines on each side of this line. The distance between neighbouring lines is `step`.
func lines(many int, from, step float64) ex01.Region {
	r := all
	for k := -many; k <= many; k++ {
		r = r.Except(x1.Equals(from + float64(k)*step))
	}
	return r
}

// TestRegions compares the right regions for the sine and the logarithm with these functions: a
// region must contain exactly the points at which the function is defined and not zero.
func TestRegions(t *testing.T) {
	for i := range 4000 {
		x := float64(i-2000) / 64
		if v := math.Sin(p * (x - s)); sine().Contains(x, 1) != (math.Abs(v) > 1e-9) {
			t.Errorf("at x1 = %g the sine is %g; the region contains this point: %v, want the opposite", x, v, sine().Contains(x, 1))
		}
		if x = line(float64(i-2000) * math.Pi); sine().Contains(x, 1) || math.Abs(math.Sin(p*(x-s))) > 1e-9 {
			t.Errorf("at x1 = %g the sine is %g; the region contains this point: %v; want a sine of 0 (to within 1e-9) and a point outside the region", x, math.Sin(p*(x-s)), sine().Contains(x, 1))
		}
		x = q + float64(i-2000)/64
		if v := math.Log(x - q); log().Contains(1, x) != (v != 0 && !math.IsNaN(v) && !math.IsInf(v, 0)) {
			t.Errorf("at x2 = %g the logarithm is %g; the region contains this point: %v, want the opposite", x, v, log().Contains(1, x))
		}
	}
}

func TestRight(t *testing.T) {
	inf := math.Inf(1)
	if gate.Seed() == 0 { // Sine and Log are right only for seed 0, with the constants of the book
		t.Run("as written",
			func(t *testing.T) { gate.Right(t, ex01.Check(Sine, Bump, RadialBump, Log, Step, HalfPlane)) })
	}
	right := func(check func(plainFunc) report, regions ...ex01.Region) {
		for i, f := range alwaysRegion(regions...) {
			t.Run(fmt.Sprintf("%v #%d", regions[i], i), func(t *testing.T) { gate.Right(t, check(f)) })
		}
	}
	right(checkSine, sine(),
		all.Except(lattice(2*math.Pi, 0)).Except(lattice(2*math.Pi, math.Pi)),
		all.Except(lattice(-math.Pi, 7*math.Pi)),
		x1.Above(s).Or(x1.Below(s)).Except(lattice(math.Pi, 0)))
	right(checkLog, log(),
		x2.Between(q, q+1).Or(x2.Above(q+1)),
		x2.Between(q, inf).Except(x2.Equals(q+1)),
		all.Except(x2.AtMost(q)).Except(x2.Equals(q+1)),
		x2.Above(q).And(x2.Below(q+1).Or(x2.Above(q+1))))
	gate.Rights(t, checkBump, map[string]bumpFunc{
		"two halves":       func(a, _ float64) ex01.Region { return x1.AtMost(a).Or(x1.Above(a)) },
		"except nowhere":   func(_, _ float64) ex01.Region { return all.Except(ex01.Nowhere()) },
		"from −∞ to ∞":     func(_, _ float64) ex01.Region { return x1.Between(-inf, inf) },
		"at most infinity": func(_, _ float64) ex01.Region { return x2.AtMost(inf) },
	})
	gate.Rights(t, checkRadial, map[string]radialFunc{
		"inside and outside": func(m []float64, c float64) ex01.Region {
			d := ex01.Disc(m[0], m[1], c)
			return d.Or(all.Except(d))
		},
		"two halves":    func(m []float64, _ float64) ex01.Region { return x1.AtLeast(m[0]).Or(x1.AtMost(m[0])) },
		"infinite disc": func(m []float64, _ float64) ex01.Region { return ex01.Disc(m[0], m[1], inf) },
	})
	gate.Rights(t, checkStep, map[string]stepFunc{
		"scaled form":      func(c float64) ex01.Region { return ex01.Linear(2, 0).Above(2 * c) },
		"complement":       func(c float64) ex01.Region { return all.Except(x1.AtMost(c)) },
		"without the edge": func(c float64) ex01.Region { return x1.AtLeast(c).Except(x1.Equals(c)) },
		"up to infinity":   func(c float64) ex01.Region { return x1.Between(c, inf) },
	})
	gate.Rights(t, checkHalf, map[string]halfFunc{
		"turned round": func(a, b, c float64) ex01.Region { return ex01.Linear(-a, -b).Below(-c) },
		"complement":   func(a, b, c float64) ex01.Region { return all.Except(ex01.Linear(a, b).AtMost(c)) },
		"unit normal": func(a, b, c float64) ex01.Region {
			n := math.Hypot(a, b)
			return ex01.Linear(a/n, b/n).Above(c / n)
		},
	})
}

// TestWrong judges wrong answers that are not in the tables of mistakes, and checks the keys of the
// verdicts.
func TestWrong(t *testing.T) {
	const large = math.MaxFloat64
	gate.Wrongs(t, ex01.Exercise(), checkSine, map[string][]plainFunc{
		"too-little":     alwaysRegion(x1.Above(s).Except(lattice(math.Pi, 0))),
		"too-much":       alwaysRegion(all.Except(x1.Equals(s)).Except(x1.Equals(line(math.Pi))), lines(10, s, math.Pi/p)),
		"too-many-edges": alwaysRegion(lines(500, s, math.Pi/p)),
		"empty":          alwaysRegion(ex01.Region{}),
		"invalid-region": alwaysRegion(all.Except(x1.Lattice(0, 0)), all.Except(x1.Lattice(math.Inf(1), 0))),
	})
	gate.Wrongs(t, ex01.Exercise(), checkBump, map[string][]bumpFunc{
		"bounded": {
			func(a, c float64) ex01.Region { return x1.Between(a-math.Sqrt(c), a+math.Sqrt(c)) },
			func(a, c float64) ex01.Region { return x1.Between(a-30*math.Sqrt(c), a+30*math.Sqrt(c)) },
		},
		"underflow": {
			func(a, c float64) ex01.Region { return x1.Between(a-math.Sqrt(745*c), a+math.Sqrt(745*c)) },
			func(a, c float64) ex01.Region {
				return x1.AtLeast(a - math.Sqrt(708.3964*c)).And(x1.AtMost(a + math.Sqrt(708.3964*c)))
			},
		},
		"too-little": {func(_, _ float64) ex01.Region { return x1.Above(-7) }},
	})
	gate.Wrongs(t, ex01.Exercise(), checkRadial, map[string][]radialFunc{
		"bounded":   {func(m []float64, c float64) ex01.Region { return ex01.Disc(m[0], m[1], 3*math.Sqrt(c)) }},
		"underflow": {func(m []float64, c float64) ex01.Region { return ex01.Disc(m[0], m[1], math.Sqrt(745*c)) }},
	})
	gate.Wrongs(t, ex01.Exercise(), checkLog, map[string][]plainFunc{
		"too-little": alwaysRegion(x2.Above(q).And(x1.Above(0)).Except(x2.Equals(q+1)),
			x2.Between(q, q+1).Or(x2.AtLeast(q+1.0001)), x2.Between(q, q+1).Or(x2.AtLeast(q+1+1e-7))),
		"too-much": alwaysRegion(x2.Above(q-1).Except(x2.Equals(q+1)), x2.AtLeast(q-1e-7).Except(x2.Equals(q+1))),
		"empty":    alwaysRegion(ex01.Region{}.Or(all)),
	})
	// In the conditions of this region, terms overflow at several points. The seed determines which
	// of these points the check reports and which key the verdict has. So accept any key.
	r := checkLog(alwaysRegion(x2.Above(-large).Except(ex01.Linear(large, large).Equals(large)))[0])
	gate.Wrong(t, ex01.Exercise(), r, r.Parts[3].Key)
	gate.Wrongs(t, ex01.Exercise(), checkStep, map[string][]stepFunc{
		"invalid-region": {func(float64) ex01.Region { return x1.Above(math.NaN()) }},
	})
	gate.Wrongs(t, ex01.Exercise(), checkHalf, map[string][]halfFunc{
		"invalid-region": {func(a, b, c float64) ex01.Region {
			if b < 0 {
				return ex01.Linear(a/b, 1).Below(c / b)
			}
			return ex01.Linear(a/b, 1).Above(c / b)
		}},
	})
}

// TestWrongConstants judges answers that omit or misread the constants p, s and q, and checks the
// keys of the verdicts.
func TestWrongConstants(t *testing.T) {
	if gate.Seed() == 0 {
		gate.Variant(t, 1)
	}
	p, s, q := constants(max(gate.Seed(), 1))
	same := func(check func(plainFunc) report, key string, r ex01.Region) {
		gate.Wrongs(t, ex01.Exercise(), check, map[string][]plainFunc{key: alwaysRegion(r)})
	}
	sine := func(f plainFunc) report {
		return ex01.Check(f, Bump, RadialBump, func() ex01.Region { return x2.Above(q).Except(x2.Equals(q + 1)) }, Step,
			HalfPlane)
	}
	log := func(f plainFunc) report {
		return ex01.Check(func() ex01.Region { return all.Except(x1.Lattice(math.Pi/p, s)) }, Bump, RadialBump, f, Step,
			HalfPlane)
	}
	same(sine, "constants-ignored", Sine())
	same(sine, "factor-ignored", all.Except(x1.Lattice(math.Pi, s)))
	same(sine, "factor-inverted", all.Except(x1.Lattice(math.Pi*p, s)))
	same(sine, "offset-ignored", all.Except(x1.Lattice(math.Pi/p, 0)))
	same(sine, "offset-sign", all.Except(x1.Lattice(math.Pi/p, -s)))
	same(sine, "offset-divided", all.Except(x1.Lattice(math.Pi/p, s/p)))
	same(log, "constants-ignored", Log())
	same(log, "offset-sign", x2.Above(-q).Except(x2.Equals(1-q)))
}

// TestNearCounterexample checks the messages about wrong regions for the sine. If a known mistake
// produces the region, the message must describe this mistake. Otherwise the message must give the
// coordinates of a point with all digits, and these coordinates must be small.
func TestNearCounterexample(t *testing.T) {
	gate.Variant(t, 0)
	part := func(r ex01.Region) string {
		return ex01.Check(func() ex01.Region { return r }, Bump, RadialBump, Log, Step, HalfPlane).Parts[0].Message
	}
	for _, tc := range []struct {
		r    ex01.Region
		want string
	}{
		{all.Except(x1.Lattice(math.Pi, 0).And(x1.AtLeast(-1))), "one side only"},
		{all.Except(x1.Lattice(math.Pi, 0).And(x1.Above(-7))), "x = (-9.42477796076938, 0)"},
		{lines(10, 0, math.Pi), "34.55751918948772, 0)"},
		{all.Except(x1.Lattice(math.Pi, 0)).Except(x2.Lattice(math.Pi, 0)), "x2 = const"},
		{all.Except(x1.Lattice(math.Pi, 0)).Except(x2.Equals(0)), "x = (-1, 0)"},
	} {
		if m := part(tc.r); !strings.Contains(m, tc.want) {
			t.Errorf("%v: got the message %q, want a message that contains %q", tc.r, m, tc.want)
		}
	}
}

// TestConstants checks the constants for many seeds. The constants must be valid, and there must be
// many different sets of constants. For every seed the exercise must replace the same placeholders.
func TestConstants(t *testing.T) {
	seen := map[[3]float64]bool{}
	for n := range uint64(500) {
		p, s, q := constants(n)
		seen[[3]float64{p, s, q}] = true
		if common := p == 1 && s == 0 && q == 0; common != (n == 0) || n > 0 && (p < 3 || s < 1 || q == 0) {
			t.Errorf("seed %d: got p = %g, s = %g, q = %g; want 1, 0, 0 for seed 0, and p ≥ 3, s ≥ 1, q ≠ 0 for all other seeds", n, p, s, q)
		}
		if !slices.Equal(slices.Sorted(maps.Keys(vary(n))), slices.Sorted(maps.Keys(vary(0)))) {
			t.Errorf("seed %d replaces the placeholders %q, want the placeholders of seed 0, %q", n, slices.Sorted(maps.Keys(vary(n))), slices.Sorted(maps.Keys(vary(0))))
		}
	}
	if len(seen) < 100 {
		t.Errorf("got %d different sets of constants for 500 seeds, want at least 100", len(seen))
	}
}

func ExampleCheck() {
	domain := func() ex01.Region { return ex01.X2.Above(q) } // q is 0 only for seed 0, with the constants of the book
	fmt.Println(ex01.Check(Sine, Bump, RadialBump, domain, Step, HalfPlane).Parts[3].Message)
	// Output: You have the domain. Within it the logarithm has one zero: which number has the logarithm 0?
}

/*
Equivalent mutants

Sine: return ex01.Everywhere().Except(ex01.X1.Lattice(math.Pi, 0)) → return ex01.Everywhere().Except(ex01.X1.Lattice(-math.Pi, 0))
    The lattice contains k·period for every whole number k, positive or negative, so −π gives the same lines.
*/

package ex01_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex01"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func check(a answers) *verify.Report {
	return ex01.Check(a.sine, a.bump, a.radial, a.log, a.step, a.halfPlane)
}

// wrong is the reference with one function changed.
func wrong(change func(a *answers)) answers {
	a := reference
	change(&a)
	return a
}

func TestWrong(t *testing.T) {
	x1, x2, all := ex01.X1, ex01.X2, ex01.Everywhere()
	sine := func(r ex01.Region) answers {
		return wrong(func(a *answers) { a.sine = func() ex01.Region { return r } })
	}
	log := func(r ex01.Region) answers {
		return wrong(func(a *answers) { a.log = func() ex01.Region { return r } })
	}
	bump := func(f func(a, c float64) ex01.Region) answers { return wrong(func(a *answers) { a.bump = f }) }
	radial := func(f func(m []float64, c float64) ex01.Region) answers {
		return wrong(func(a *answers) { a.radial = f })
	}
	step := func(f func(c float64) ex01.Region) answers { return wrong(func(a *answers) { a.step = f }) }
	half := func(f func(a, b, c float64) ex01.Region) answers { return wrong(func(a *answers) { a.halfPlane = f }) }
	huge := "too-much" // what is found first among numbers that overflow
	if q != 0 {
		huge = "too-little"
	}
	for _, tc := range []struct {
		name, key string
		a         answers
	}{
		{"sine: everywhere", "zeros-forgotten", sine(all)},
		{"sine: except 0", "one-zero", sine(all.Except(x1.Equals(s)))},
		{"sine: except 0, ±π", "three-zeros", sine(x1.Above(s).Or(x1.Below(s)).Except(x1.Equals(line(math.Pi))).Except(x1.Equals(line(-math.Pi))))},
		{"sine: one period", "one-period", sine(x1.Between(line(-math.Pi), line(math.Pi)).Except(x1.Equals(s)))},
		{"sine: one arch", "one-period", sine(x1.Between(line(0), line(math.Pi)))},
		{"sine: 2π", "every-second-zero", sine(all.Except(lattice(2*math.Pi, 0)))},
		{"sine: odd multiples", "every-second-zero", sine(all.Except(lattice(2*math.Pi, math.Pi)))},
		{"sine: cosine", "cosine", sine(all.Except(lattice(math.Pi, math.Pi/2)))},
		{"sine: π/2", "too-many-zeros", sine(all.Except(lattice(math.Pi/2, 0)))},
		{"sine: degrees", "degrees", sine(all.Except(lattice(180, 0)))},
		{"sine: the zeros", "zeros", sine(lattice(math.Pi, 0))},
		{"sine: whole numbers", "whole-numbers", sine(all.Except(lattice(1, 0)))},
		{"sine: 3.14", "rounded-pi", sine(all.Except(lattice(3.14, 0)))},
		{"sine: 3.14159", "rounded-pi", sine(all.Except(lattice(3.14159, 0)))},
		{"sine: x2", "wrong-variable", sine(all.Except(x2.Lattice(math.Pi/p, s)))},
		{"sine: points", "points-for-lines", sine(all.Except(lattice(math.Pi, 0).And(x2.Equals(0))))},
		{"sine: right half", "too-little", sine(x1.Above(s).Except(lattice(math.Pi, 0)))},
		{"sine: few zeros by hand", "too-much", sine(all.Except(x1.Equals(s)).Except(x1.Equals(line(math.Pi))))},
		{"sine: a thousand zeros by hand", "too-many-edges", wrong(func(a *answers) {
			a.sine = func() ex01.Region {
				r := all
				for k := -500; k <= 500; k++ {
					r = r.Except(x1.Equals(line(float64(k) * math.Pi)))
				}
				return r
			}
		})},

		{"bump: within a standard width", "bounded", bump(func(a, c float64) ex01.Region { return x1.Between(a-math.Sqrt(c), a+math.Sqrt(c)) })},
		{"bump: three widths", "bounded", bump(func(a, c float64) ex01.Region { return x1.Between(a-3*c, a+3*c) })},
		{"bump: where Go's number is not 0", "underflow", bump(func(a, c float64) ex01.Region {
			r := math.Sqrt(745 * c)
			return x1.Between(a-r, a+r)
		})},
		{"bump: except the centre", "centre-excluded", bump(func(a, _ float64) ex01.Region { return all.Except(x1.Equals(a)) })},
		{"bump: centre only", "centre-only", bump(func(a, _ float64) ex01.Region { return x1.Equals(a) })},
		{"bump: right side", "one-side", bump(func(a, _ float64) ex01.Region { return x1.Above(a) })},
		{"bump: nowhere", "nowhere", bump(func(_, _ float64) ex01.Region { return ex01.Nowhere() })},
		{"bump: positive x1", "too-little", bump(func(_, _ float64) ex01.Region { return x1.Above(-7) })},

		{"radial: disc", "bounded", radial(func(m []float64, c float64) ex01.Region { return ex01.Disc(m[0], m[1], 3*math.Sqrt(c)) })},
		{"radial: underflow", "underflow", radial(func(m []float64, c float64) ex01.Region { return ex01.Disc(m[0], m[1], math.Sqrt(745*c)) })},
		{"radial: except m", "centre-excluded", radial(func(m []float64, _ float64) ex01.Region {
			return all.Except(x1.Equals(m[0]).And(x2.Equals(m[1])))
		})},
		{"radial: only m", "centre-only", radial(func(m []float64, _ float64) ex01.Region { return x1.Equals(m[0]).And(x2.Equals(m[1])) })},
		{"radial: nowhere", "nowhere", radial(func([]float64, float64) ex01.Region { return ex01.Nowhere() })},
		{"radial: changes m", "mutates-inputs", radial(func(m []float64, _ float64) ex01.Region { m[0]++; return all })},

		{"log: x2 > 0", "log-one-forgotten", log(x2.Above(q))},
		{"log: except 1", "domain-ignored", log(all.Except(x2.Equals(q + 1)))},
		{"log: everywhere", "everywhere", log(all)},
		{"log: 0 included", "zero-included", log(x2.AtLeast(q).Except(x2.Equals(q + 1)))},
		{"log: x2 ≥ 0", "zero-included", log(x2.AtLeast(q))},
		{"log: except 0", "log-of-zero", log(all.Except(x2.Equals(q)))},
		{"log: positive", "positive-only", log(x2.Above(q + 1))},
		{"log: not negative", "positive-only", log(x2.AtLeast(q + 1))},
		{"log: negative", "negative-only", log(x2.Between(q, q+1))},
		{"log: except e", "zero-at-e", log(x2.Above(q).Except(x2.Equals(q + math.E)))},
		{"log: zeros", "zeros", log(x2.Equals(q + 1))},
		{"log: x1", "wrong-variable", log(x1.Above(q).Except(x1.Equals(q + 1)))},
		{"log: a point", "points-for-lines", log(x2.Above(q).Except(x2.Equals(q + 1).And(x1.Equals(0))))},
		{"log: both coordinates", "too-little", log(x2.Above(q).And(x1.Above(0)).Except(x2.Equals(q + 1)))},
		{"log: also below", "too-much", log(x2.Above(q - 1).Except(x2.Equals(q + 1)))},

		{"step: closed", "closed", step(func(c float64) ex01.Region { return x1.AtLeast(c) })},
		{"step: other side", "flipped", step(func(c float64) ex01.Region { return x1.Below(c) })},
		{"step: complement", "flipped", step(func(c float64) ex01.Region { return all.Except(x1.Above(c)) })},
		{"step: x2", "wrong-variable", step(func(c float64) ex01.Region { return x2.Above(c) })},
		{"step: everywhere", "everywhere", step(func(float64) ex01.Region { return all })},
		{"step: nowhere", "nowhere", step(func(float64) ex01.Region { return ex01.Nowhere() })},
		{"step: edge", "edge-only", step(func(c float64) ex01.Region { return x1.Equals(c) })},
		{"step: all but the edge", "edge-excluded-only", step(func(c float64) ex01.Region { return all.Except(x1.Equals(c)) })},
		{"step: c ignored", "c-ignored", step(func(float64) ex01.Region { return x1.Above(0) })},
		{"step: −c", "c-sign", step(func(c float64) ex01.Region { return x1.Above(-c) })},

		{"half-plane: closed", "closed", half(func(a, b, c float64) ex01.Region { return ex01.Linear(a, b).AtLeast(c) })},
		{"half-plane: other side", "flipped", half(func(a, b, c float64) ex01.Region { return ex01.Linear(a, b).Below(c) })},
		{"half-plane: c ignored", "c-ignored", half(func(a, b, _ float64) ex01.Region { return ex01.Linear(a, b).Above(0) })},
		{"half-plane: −c", "c-sign", half(func(a, b, c float64) ex01.Region { return ex01.Linear(a, b).Above(-c) })},
		{"half-plane: −b", "normal-sign", half(func(a, b, c float64) ex01.Region { return ex01.Linear(a, -b).Above(c) })},
		{"half-plane: b, a", "normal-swapped", half(func(a, b, c float64) ex01.Region { return ex01.Linear(b, a).Above(c) })},
		{"half-plane: along (a, b)", "tangent", half(func(a, b, c float64) ex01.Region { return ex01.Linear(-b, a).Above(c) })},
		{"half-plane: solved for x2", "divided-by-negative", half(func(a, b, c float64) ex01.Region {
			if b == 0 {
				return ex01.Linear(a, b).Above(c)
			}
			return ex01.Linear(a/b, 1).Above(c / b)
		})},
		{"half-plane: solved for x1", "divided-by-negative", half(func(a, b, c float64) ex01.Region {
			if a == 0 {
				return ex01.Linear(a, b).Above(c)
			}
			return ex01.Linear(1, b/a).Above(c / a)
		})},
		{"half-plane: solved for x2 without care", "invalid-region", half(func(a, b, c float64) ex01.Region {
			if b < 0 {
				return ex01.Linear(a/b, 1).Below(c / b)
			}
			return ex01.Linear(a/b, 1).Above(c / b)
		})},
		{"half-plane: everywhere", "everywhere", half(func(_, _, _ float64) ex01.Region { return all })},
		{"half-plane: nowhere", "nowhere", half(func(_, _, _ float64) ex01.Region { return ex01.Nowhere() })},
		{"half-plane: edge", "edge-only", half(func(a, b, c float64) ex01.Region { return ex01.Linear(a, b).Equals(c) })},
		{"half-plane: all but the edge", "edge-excluded-only", half(func(a, b, c float64) ex01.Region { return all.Except(ex01.Linear(a, b).Equals(c)) })},

		{"no region", "empty", sine(ex01.Region{})},
		{"built on no region", "empty", log(ex01.Region{}.Or(all))},
		{"not a number", "invalid-region", step(func(float64) ex01.Region { return x1.Above(math.NaN()) })},
		{"period 0", "invalid-region", sine(all.Except(x1.Lattice(0, 0)))},
		{"huge numbers", huge, log(x2.Above(-math.MaxFloat64).Except(ex01.Linear(math.MaxFloat64, math.MaxFloat64).Equals(math.MaxFloat64)))},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex01.Exercise(), check(tc.a), tc.key) })
	}
}

// In a variant the constants can be left out or misread.
func TestWrongConstants(t *testing.T) {
	if gate.Seed() == 0 {
		gate.Variant(t, 1)
	}
	p, s, q := ex01.Constants()
	x1, x2, all := ex01.X1, ex01.X2, ex01.Everywhere()
	for _, tc := range []struct {
		name, key string
		part      int
		region    ex01.Region
	}{
		{"sin(x1)", "constants-ignored", 0, all.Except(x1.Lattice(math.Pi, 0))},
		{"the answer of the common variant", "constants-ignored", 0, Sine()},
		{"factor ignored", "factor-ignored", 0, all.Except(x1.Lattice(math.Pi, s))},
		{"factor inverted", "factor-inverted", 0, all.Except(x1.Lattice(math.Pi*p, s))},
		{"offset ignored", "offset-ignored", 0, all.Except(x1.Lattice(math.Pi/p, 0))},
		{"offset's sign", "offset-sign", 0, all.Except(x1.Lattice(math.Pi/p, -s))},
		{"offset divided", "offset-divided", 0, all.Except(x1.Lattice(math.Pi/p, s/p))},
		{"log(x2)", "constants-ignored", 3, Log()},
		{"log: offset's sign", "offset-sign", 3, x2.Above(-q).Except(x2.Equals(1 - q))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			same := func() ex01.Region { return tc.region }
			r := ex01.Check(same, Bump, RadialBump, same, Step, HalfPlane)
			gate.Wrong(t, ex01.Exercise(), r, tc.key)
			if r.Parts[tc.part].Key != tc.key {
				t.Errorf("part %q has the key %q, want %q", r.Parts[tc.part].Name, r.Parts[tc.part].Key, tc.key)
			}
		})
	}
}

// Constants of variants are what the texts rely on, and differ.
func TestConstants(t *testing.T) {
	seen := map[[3]float64]bool{}
	for n := range uint64(500) {
		p, s, q := ex01.ConstantsOf(n)
		seen[[3]float64{p, s, q}] = true
		if common := p == 1 && s == 0 && q == 0; common != (n == 0) || n > 0 && (p < 3 || s < 1 || q == 0) {
			t.Errorf("variant %d has the constants %g, %g, %g", n, p, s, q)
		}
		if !slices.Equal(slices.Sorted(maps.Keys(ex01.Vary(n))), slices.Sorted(maps.Keys(ex01.Vary(0)))) {
			t.Errorf("variant %d has other constants than the common one", n)
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d sets of constants among 500 variants", len(seen))
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, check(answers{
		func() ex01.Region { panic(verify.TODO) }, func(_, _ float64) ex01.Region { panic(verify.TODO) },
		func([]float64, float64) ex01.Region { panic(verify.TODO) }, func() ex01.Region { panic(verify.TODO) },
		func(float64) ex01.Region { panic(verify.TODO) }, func(_, _, _ float64) ex01.Region { panic(verify.TODO) },
	}), verify.NotAttempted)
	gate.Outcome(t, check(answers{}), verify.Crashed)
	one := check(wrong(func(a *answers) { a.log = func() ex01.Region { panic(verify.TODO) } }))
	if one.Passed() || one.Count(verify.NotAttempted) != 1 || one.Count(verify.Right) != 5 {
		t.Errorf("one of six functions left: want one part NotAttempted and five Right:\n%s", one)
	}
	own := check(wrong(func(a *answers) { a.log = func() ex01.Region { panic("my own") } }))
	if own.Count(verify.Crashed) != 1 || own.Count(verify.Right) != 5 {
		t.Errorf("one of six functions panics:\n%s", own)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := check(reference).String(), check(reference).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	domain := func() ex01.Region { return ex01.X2.Above(q) } // q is 0, but in variants
	fmt.Println(ex01.Check(Sine, Bump, RadialBump, domain, Step, HalfPlane).Parts[3].Message)
	// Output: You have the domain. Within it the logarithm has one zero: which number has the logarithm 0?
}

func ExampleRegion() {
	r := ex01.X2.Above(0).Except(ex01.X1.Lattice(2, 1))
	fmt.Println(r)
	fmt.Println(r.Contains(0, 5), r.Contains(-3, 5), r.Contains(0, 0))
	// Output:
	// (x2 > 0) except where (x1 = 1 + k·2)
	// true false false
}

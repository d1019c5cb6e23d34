package ex01

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// wholly makes an ask of a function that takes nothing which it could change.
func wholly(f func() Region) func() (Region, *verify.Verdict) {
	return func() (Region, *verify.Verdict) { return f(), nil }
}

const (
	otherVariable = "Your condition is on the wrong coordinate: the function depends on %s alone."
	closedEdge    = "The edge does not belong to it: where both sides are equal, “greater than” is false and the indicator is 0."
	reversed      = "Your half-plane is the other one: there the indicator is 0."
)

func sines(sine func() Region) []question {
	zeros := X1.Lattice(math.Pi, 0)
	return []question{{"sin(x1)", wholly(sine), Everywhere().Except(zeros), []mistake{
		{"zeros-forgotten", 1, Everywhere(), "You say everywhere. A sine passes through zero again and again: where?"},
		{"one-zero", 2, Everywhere().Except(X1.Equals(0)), "Only x1 = 0 is left out. The sine has more zeros than that one."},
		{"three-zeros", 2, Everywhere().Except(X1.Equals(0)).Except(X1.Equals(math.Pi)).Except(X1.Equals(-math.Pi)), "You leave out 0 and ±π. Nothing stops there: the axis goes on, and so do the zeros."},
		{"one-period", 2, X1.Between(-math.Pi, math.Pi).Except(X1.Equals(0)), "You describe one period only. The function is defined on the whole axis."},
		{"one-period", 2, X1.Between(0, math.Pi), "You describe one arch only. The function is defined on the whole axis, and negative values are not zero."},
		{"one-period", 2, X1.Between(0, 2*math.Pi).Except(X1.Equals(math.Pi)), "You describe one period only. The function is defined on the whole axis."},
		{"every-second-zero", 2, Everywhere().Except(X1.Lattice(2*math.Pi, 0)), "You leave out every second zero: within one period of 2π the sine vanishes twice."},
		{"every-second-zero", 2, Everywhere().Except(X1.Lattice(2*math.Pi, math.Pi)), "You leave out every second zero: within one period of 2π the sine vanishes twice."},
		{"cosine", 2, Everywhere().Except(X1.Lattice(math.Pi, math.Pi/2)), "These are the zeros of the cosine. What is sin(0)?"},
		{"too-many-zeros", 2, Everywhere().Except(X1.Lattice(math.Pi/2, 0)), "You also leave out the odd multiples of π/2, where the sine is 1 or −1."},
		{"degrees", 2, Everywhere().Except(X1.Lattice(180, 0)), "Your zeros are at multiples of 180: degrees. The argument of the sine is in radians."},
		{"zeros", 1, zeros, "You describe where the sine is zero. Asked is where it is not."},
		{"whole-numbers", 2, Everywhere().Except(X1.Lattice(1, 0)), "Your zeros are the whole numbers. Those of the sine are at whole multiples of another number."},
		{"rounded-pi", 3, Everywhere().Except(X1.Lattice(3.14, 0)), "Your period is π rounded: after some steps the lines are off. Use math.Pi."},
		{"rounded-pi", 3, Everywhere().Except(X1.Lattice(3.1416, 0)), "Your period is π rounded: after many steps the lines are off. Use math.Pi."},
		{"rounded-pi", 3, Everywhere().Except(X1.Lattice(3.14159, 0)), "Your period is π rounded: after many steps the lines are off. Use math.Pi."},
		{"wrong-variable", 2, Everywhere().Except(X2.Lattice(math.Pi, 0)), fmt.Sprintf(otherVariable, "x1")},
		{"points-for-lines", 2, Everywhere().Except(zeros.And(X2.Equals(0))), "You leave out points. x has two coordinates and x2 is free: where x1 is a zero, a whole line is."},
	}, nil}}
}

// bounded is the mistake of a bump around m that ends somewhere, wherever that is.
func bounded(m1, m2 float64) func(Region) *mistake {
	return func(r Region) *mistake {
		if !r.has(m1, m2) || r.has(m1+1e6, m2) || r.has(m1-1e6, m2) {
			return nil
		}
		return &mistake{key: "bounded", hint: 1, message: "You say that the bump ends. It gets small very fast, but for which number x is an exponential zero?"}
	}
}

const underflow = "Where you stop, Go's numbers stop: math.Exp gives 0 below about e⁻⁷⁴⁵. The exponential itself is not zero there; the question is about the function."

// limits are −log of the smallest numbers above 0: with all digits, with fewer, and
// where math.Exp gives up.
var limits = []float64{745.1332191019411, 745.13321910194122, 745.13, 745, 746, 708, 708.3964185322641}

func bumps(bump func(a, c float64) Region) []question {
	var out []question
	for _, n := range [][2]float64{{0, 1}, {2, 3}, {-1.5, 0.2}, {10, 50}} {
		a, c := n[0], n[1]
		q := question{fmt.Sprintf("exp(−(x1−a)²/c) with a = %g, c = %g", a, c), wholly(func() Region { return bump(a, c) }), Everywhere(), []mistake{
			{"centre-excluded", 1, Everywhere().Except(X1.Equals(a)), "You leave out x1 = a. There the exponent is 0; what is the exponential of 0?"},
			{"centre-only", 1, X1.Equals(a), "You say: on x1 = a only. There the bump is largest, not alone different from zero."},
			{"one-side", 1, X1.Above(a), "One side only: the exponent has a square, so both sides are alike."},
			{"nowhere", 1, Nowhere(), "You say nowhere. Take x1 = a: what is the exponential of 0?"},
		}, bounded(a, 0)}
		for _, limit := range limits {
			r := math.Sqrt(limit * c)
			q.mistakes = append(q.mistakes, mistake{"underflow", 1, X1.Between(a-r, a+r), underflow},
				mistake{"underflow", 1, X1.AtLeast(a - r).And(X1.AtMost(a + r)), underflow})
		}
		out = append(out, q)
	}
	return out
}

func radialBumps(bump func(m []float64, c float64) Region) []question {
	var out []question
	for _, n := range [][3]float64{{0, 0, 1}, {1, -2, 3}, {-30, 4, 0.1}} {
		m, c := []float64{n[0], n[1]}, n[2]
		ask := func() (Region, *verify.Verdict) {
			var in learner.Inputs
			r := bump(in.Slice("m", m), c)
			return r, in.Changed(0)
		}
		centre := X1.Equals(m[0]).And(X2.Equals(m[1]))
		q := question{fmt.Sprintf("exp(−‖x−m‖²/c) with m = (%g, %g), c = %g", m[0], m[1], c), ask, Everywhere(), []mistake{
			{"centre-excluded", 1, Everywhere().Except(centre), "You leave out x = m. There the exponent is 0; what is the exponential of 0?"},
			{"centre-only", 1, centre, "You say: at x = m only. There the bump is largest, not alone different from zero."},
			{"nowhere", 1, Nowhere(), "You say nowhere. Take x = m: what is the exponential of 0?"},
		}, bounded(m[0], m[1])}
		for _, limit := range limits {
			q.mistakes = append(q.mistakes, mistake{"underflow", 1, Disc(m[0], m[1], math.Sqrt(limit*c)), underflow})
		}
		out = append(out, q)
	}
	return out
}

func logs(log func() Region) []question {
	one := X2.Equals(1)
	return []question{{"log(x2)", wholly(log), X2.Above(0).Except(one), []mistake{
		{"log-one-forgotten", 2, X2.Above(0), "You have the domain. Within it the logarithm has one zero: which number has the logarithm 0?"},
		{"domain-ignored", 2, Everywhere().Except(one), "The zero of the logarithm is left out, but for which x2 is log(x2) a number at all?"},
		{"everywhere", 1, Everywhere(), "You say everywhere. For which x2 is there a logarithm, and which logarithm is zero?"},
		{"zero-included", 2, X2.AtLeast(0).Except(one), "x2 = 0 has no logarithm: it falls without end towards 0. (Go's math.Log says −Inf there.)"},
		{"zero-included", 2, X2.AtLeast(0), "x2 = 0 has no logarithm, and within the domain there is one zero."},
		{"log-of-zero", 2, Everywhere().Except(X2.Equals(0)), "You leave out x2 = 0 only: for negative x2 there is no logarithm either, and where it is zero is another place."},
		{"positive-only", 2, X2.Above(1), "You say where the logarithm is positive. Negative values are not zero."},
		{"positive-only", 2, X2.AtLeast(1), "You say where the logarithm is not negative. Negative values are not zero, and log(1) is."},
		{"negative-only", 2, X2.Between(0, 1), "You say where the logarithm is negative. Positive values are not zero either."},
		{"zero-at-e", 2, X2.Above(0).Except(X2.Equals(math.E)), "You leave out x2 = e, whose logarithm is 1."},
		{"zeros", 1, one, "You describe where the logarithm is zero. Asked is where it is not."},
		{"wrong-variable", 2, X1.Above(0).Except(X1.Equals(1)), fmt.Sprintf(otherVariable, "x2")},
		{"points-for-lines", 2, X2.Above(0).Except(one.And(X1.Equals(0))), "You leave out a point. x1 is free: where x2 = 1, a whole line is."},
	}, nil}}
}

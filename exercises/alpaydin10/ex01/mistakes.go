package ex01

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

const (
	otherVariable = "Your condition is on the wrong coordinate: the function depends on %s alone."
	closedEdge    = "The edge does not belong to it: where both sides are equal, “greater than” is false and the indicator is 0."
	reversed      = "You have the other half-plane: there the indicator is 0."
	allIndicator  = "You say everywhere. The indicator is 0 where its condition is false."
	noIndicator   = "You say nowhere. The indicator is 1 where its condition is true."
	noBump        = "You say nowhere. Take the centre: what is the exponential of 0?"
	tangent       = "Your edge is turned by a right angle: (a, b) is normal to the edge, not along it."
)

// fixed returns a learner's function that always returns r.
func fixed(r Region) func() Region { return func() Region { return r } }

// without returns a learner's function that returns the plane without r.
func without(r Region) func() Region { return fixed(Everywhere().Except(r)) }

// without0 returns the only problem of a function without arguments.
func without0(name string) []problem[func() Region] {
	return []problem[func() Region]{{name: name, call: func(f func() Region, _ *judge.Call) Region { return f() }}}
}

func sines() question[func() Region] {
	c := own()
	zeros := c.lattice(math.Pi, 0)
	line := func(u float64) Region { return X1.Equals(c.at(u)) }
	between := func(u, v float64) Region { return X1.Between(c.at(u), c.at(v)) }
	everySecond := c.say("You leave out every second zero: within one period of 2π the sine vanishes twice.",
		"You leave out every second zero: within one period the sine vanishes twice.")
	q := question[func() Region]{title: "a. " + c.sine(), function: "Sine", right: without(zeros),
		on: without0(c.sine()),
		pass: fmt.Sprintf("Everywhere but on the lines x1 = %s, infinitely many; negative values are not zero.",
			c.zeros()), mistakes: []judge.Mistake[func() Region]{
			{Key: "zeros-forgotten", Hint: 1, Answer: fixed(Everywhere()),
				Message: "You say everywhere. A sine passes through zero again and again: where?"},
			{Key: "one-zero", Hint: 2, Answer: without(line(0)),
				Message: fmt.Sprintf("Only x1 = %g is left out. The sine has more zeros than that one.", c.s)},
			{Key: "three-zeros", Hint: 2, Answer: without(line(0).Or(line(math.Pi)).Or(line(-math.Pi))),
				Message: c.say("You leave out 0 and ±π. Nothing stops there: the axis goes on, and so do the zeros.",
					"You leave out three zeros. Nothing stops there: the axis goes on, and so do the zeros.")},
			{Key: "one-period", Hint: 2, Answer: fixed(between(-math.Pi, math.Pi).Except(line(0))),
				Message: "You describe one period only. The function is defined on the whole axis."},
			{Key: "one-period", Hint: 2, Answer: fixed(between(0, math.Pi)),
				Message: "You describe one arch only. The function is defined on the whole axis, and negative values are not zero."},
			{Key: "one-period", Hint: 2, Answer: fixed(between(0, 2*math.Pi).Except(line(math.Pi))),
				Message: "You describe one period only. The function is defined on the whole axis."},
			{Key: "half-axis", Hint: 2, Answer: without(zeros.And(X1.AtLeast(c.s))),
				Message: "You leave out zeros on one side only. They go on to the left as to the right: k may be negative."},
			{Key: "half-axis", Hint: 2, Answer: without(zeros.And(X1.Above(c.s))),
				Message: "You leave out zeros on one side only. They go on to the left as to the right: k may be negative or 0."},
			{Key: "every-second-zero", Hint: 2, Answer: without(c.lattice(2*math.Pi, 0)), Message: everySecond},
			{Key: "every-second-zero", Hint: 2, Answer: without(c.lattice(2*math.Pi, math.Pi)), Message: everySecond},
			{Key: "cosine", Hint: 2, Answer: without(c.lattice(math.Pi, math.Pi/2)),
				Message: "These are the zeros of the cosine. What is sin(0)?"},
			{Key: "too-many-zeros", Hint: 2, Answer: without(c.lattice(math.Pi/2, 0)),
				Message: c.say("You also leave out the odd multiples of π/2, where the sine is 1 or −1.",
					"You also leave out the lines halfway between, where the sine is 1 or −1.")},
			{Key: "degrees", Hint: 2, Answer: without(c.lattice(180, 0)),
				Message: c.say("Your zeros are at multiples of 180: degrees. The argument of the sine is in radians.",
					"Your zeros are those of a sine in degrees. The argument of the sine is in radians.")},
			{Key: "zeros", Hint: 1, Answer: fixed(zeros),
				Message: "You describe where the sine is zero. Describe where it is not."},
			{Key: "whole-numbers", Hint: 2, Answer: without(c.lattice(1, 0)),
				Message: c.say("Your zeros are the whole numbers. Those of the sine are at whole multiples of another number.", "Your zeros are where the argument is a whole number. Those of the sine are at whole multiples of another number.")},
			{Key: "wrong-variable", Hint: 2, Answer: without(X2.Lattice(math.Pi/c.p, c.s)),
				Message: fmt.Sprintf(otherVariable, "x1")},
			{Key: "both-variables", Hint: 2, Answer: without(zeros.Or(X2.Lattice(math.Pi/c.p, c.s))),
				Message: "You leave out lines x2 = const as well. The function does not look at x2: on such a line it has all its values."},
			{Key: "points-for-lines", Hint: 2, Answer: without(zeros.And(X2.Equals(0))),
				Message: "You leave out points. x has two coordinates and x2 is free: each zero x1 is a whole line."},
		}}
	for _, pi := range []float64{3.14, 3.1416, 3.14159, 3.1415926, 22.0 / 7} {
		q.mistakes = append(q.mistakes,
			judge.Mistake[func() Region]{Key: "rounded-pi", Hint: 3, Answer: without(c.lattice(pi, 0)),
				Message: "Your period is π rounded: after some steps the lines are off. Use math.Pi."})
	}
	if c != common {
		q.varied = []judge.Mistake[func() Region]{
			{Key: "constants-ignored", Hint: 2, Answer: without(X1.Lattice(math.Pi, 0)),
				Message: fmt.Sprintf("These are the zeros of sin(x1). Here the argument is %g(x1−%g).", c.p, c.s)},
			{Key: "factor-ignored", Hint: 2, Answer: without(X1.Lattice(math.Pi, c.s)),
				Message: fmt.Sprintf("Your lines are π apart. The argument grows %g times as fast as x1.", c.p)},
			{Key: "factor-inverted", Hint: 2, Answer: without(X1.Lattice(c.p*math.Pi, c.s)),
				Message: fmt.Sprintf("Your lines are %gπ apart. The argument grows %g times as fast as x1, so the zeros are closer, not further apart.", c.p, c.p)},
			{Key: "offset-ignored", Hint: 2, Answer: without(X1.Lattice(math.Pi/c.p, 0)),
				Message: "The distance of your lines is right. But where is the argument 0?"},
			{Key: "offset-sign", Hint: 2, Answer: without(X1.Lattice(math.Pi/c.p, -c.s)),
				Message: "The distance of your lines is right, and the offset has the wrong sign: where is the argument 0?"},
			{Key: "offset-divided", Hint: 2, Answer: without(X1.Lattice(math.Pi/c.p, c.s/c.p)),
				Message: fmt.Sprintf("The distance of your lines is right. The offset is divided by %g, as if the argument were %gx1−%g; where is it 0?", c.p, c.p, c.s)},
		}
	}
	return q
}

// bounded recognises the mistake of a bump that ends somewhere, wherever that is.
func bounded[F any](p problem[F], r Region) *verify.Verdict {
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
			"Where you stop, Go's numbers stop: math.Exp gives 0 below about e⁻⁷⁴⁵. The exponential itself is not zero there; the question is about the function.")
	}
	return judge.Fail("bounded", 1,
		"You say that the bump ends. It gets small very fast, but for which number x is an exponential zero?")
}

func bumps() question[func(a, c float64) Region] {
	type bump = func(a, c float64) Region
	q := question[bump]{title: "b. exp(−(x1−a)²/c)", function: "Bump",
		right: func(_, _ float64) Region { return Everywhere() },
		pass:  "Everywhere: an exponential is never 0, however far x1 is from a. (Floating-point numbers give up beyond about 27√c and say 0.)", family: bounded[bump], mistakes: []judge.Mistake[bump]{
			{Key: "centre-excluded", Hint: 1,
				Answer:  func(a, _ float64) Region { return Everywhere().Except(X1.Equals(a)) },
				Message: "You leave out x1 = a. There the exponent is 0; what is the exponential of 0?"},
			{Key: "centre-only", Hint: 1, Answer: func(a, _ float64) Region { return X1.Equals(a) },
				Message: "You say: on x1 = a only. The bump is largest there, but not zero elsewhere."},
			{Key: "one-side", Hint: 1, Answer: func(a, _ float64) Region { return X1.Above(a) },
				Message: "One side only: the exponent has a square, so both sides are alike."},
			{Key: "one-side", Hint: 1, Answer: func(a, _ float64) Region { return X1.Below(a) },
				Message: "One side only: the exponent has a square, so both sides are alike."},
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
		pass:  "Everywhere: the bump is local in the sense of small, not of zero.", family: bounded[bump],
		mistakes: []judge.Mistake[bump]{
			{Key: "centre-excluded", Hint: 1,
				Answer:  func(m []float64, _ float64) Region { return Everywhere().Except(centre(m)) },
				Message: "You leave out x = m. There the exponent is 0; what is the exponential of 0?"},
			{Key: "centre-only", Hint: 1, Answer: func(m []float64, _ float64) Region { return centre(m) },
				Message: "You say: at x = m only. The bump is largest there, but not zero elsewhere."},
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
	c := own()
	q := c.q
	one := X2.Equals(q + 1)
	out := question[func() Region]{title: "d. " + c.log(), function: "Log", right: fixed(X2.Above(q).Except(one)),
		on:   without0(c.log()),
		pass: fmt.Sprintf("Where x2 > %g, its domain, except on the line x2 = %g.", q, q+1),
		mistakes: []judge.Mistake[func() Region]{
			{Key: "log-one-forgotten", Hint: 2, Answer: fixed(X2.Above(q)),
				Message: "You have the domain. Within it the logarithm has one zero: which number has the logarithm 0?"},
			{Key: "domain-ignored", Hint: 2, Answer: without(one),
				Message: fmt.Sprintf("The zero of the logarithm is left out, but for which x2 is %s a number at all?",
					c.log())},
			{Key: "everywhere", Hint: 1, Answer: fixed(Everywhere()),
				Message: "You say everywhere. For which x2 is there a logarithm, and which logarithm is zero?"},
			{Key: "zero-included", Hint: 2, Answer: fixed(X2.AtLeast(q).Except(one)),
				Message: fmt.Sprintf("x2 = %g has no logarithm: it falls without end towards %g. (Go's math.Log says −Inf there.)", q, q)},
			{Key: "zero-included", Hint: 2, Answer: fixed(X2.AtLeast(q)),
				Message: fmt.Sprintf("x2 = %g has no logarithm, and within the domain there is one zero.", q)},
			{Key: "log-of-zero", Hint: 2, Answer: without(X2.Equals(q)),
				Message: fmt.Sprintf("You leave out x2 = %g only: for %s x2 there is no logarithm either, and its zero lies elsewhere.", q, c.say("negative", "smaller"))},
			{Key: "positive-only", Hint: 2, Answer: fixed(X2.Above(q + 1)),
				Message: "You say where the logarithm is positive. Negative values are not zero."},
			{Key: "positive-only", Hint: 2, Answer: fixed(X2.AtLeast(q + 1)),
				Message: "You say where the logarithm is not negative. Negative values are not zero, and log(1) is."},
			{Key: "negative-only", Hint: 2, Answer: fixed(X2.Between(q, q+1)),
				Message: "You say where the logarithm is negative. Positive values are not zero either."},
			{Key: "zero-at-e", Hint: 2, Answer: fixed(X2.Above(q).Except(X2.Equals(q + math.E))),
				Message: c.say("You leave out x2 = e, whose logarithm is 1.",
					"You leave out the line where the argument is e, whose logarithm is 1.")},
			{Key: "zeros", Hint: 1, Answer: fixed(one),
				Message: "You describe where the logarithm is zero. Describe where it is not."},
			{Key: "wrong-variable", Hint: 2, Answer: fixed(X1.Above(q).Except(X1.Equals(q + 1))),
				Message: fmt.Sprintf(otherVariable, "x2")},
			{Key: "points-for-lines", Hint: 2, Answer: fixed(X2.Above(q).Except(one.And(X1.Equals(0)))),
				Message: fmt.Sprintf("You leave out a point. x1 is free: x2 = %g is a whole line.", q+1)},
		}}
	if c != common {
		out.varied = []judge.Mistake[func() Region]{
			{Key: "constants-ignored", Hint: 2, Answer: fixed(X2.Above(0).Except(X2.Equals(1))),
				Message: "This is right for log(x2). Which numbers does the logarithm see here?"},
			{Key: "offset-sign", Hint: 2, Answer: fixed(X2.Above(-q).Except(X2.Equals(1 - q))),
				Message: "Your edge lies on the other side of x2 = 0: for which x2 is the argument of the logarithm 0?"},
			{Key: "zero-not-moved", Hint: 2, Answer: fixed(X2.Above(q).Except(X2.Equals(1))),
				Message: "The domain is right, and the line that you leave out is the zero of log(x2). For which x2 is the argument 1?"},
			{Key: "zero-not-moved", Hint: 2, Answer: fixed(X2.Above(q).Except(X2.Equals(0))),
				Message: "The domain is right. The line that you leave out is x2 = 0; for which x2 is the argument 1?"},
		}
	}
	return out
}

func indicators() question[func(c float64) Region] {
	type step = func(c float64) Region
	q := question[step]{title: "e. 1(x1 > c)", function: "Step", right: X1.Above,
		pass: "The open half-plane right of x1 = c; on the line itself the indicator is 0.",
		mistakes: []judge.Mistake[step]{
			{Key: "closed", Hint: 2, Answer: X1.AtLeast, Message: closedEdge},
			{Key: "flipped", Hint: 2, Answer: X1.Below, Message: reversed},
			{Key: "flipped", Hint: 2, Answer: X1.AtMost, Message: reversed},
			{Key: "wrong-variable", Hint: 2, Answer: X2.Above, Message: fmt.Sprintf(otherVariable, "x1")},
			{Key: "everywhere", Hint: 1, Answer: func(float64) Region { return Everywhere() }, Message: allIndicator},
			{Key: "nowhere", Hint: 1, Answer: func(float64) Region { return Nowhere() }, Message: noIndicator},
			{Key: "edge-only", Hint: 1, Answer: X1.Equals,
				Message: "You say: on the line x1 = c. There the indicator steps; it stays 1 on one side."},
			{Key: "edge-excluded-only", Hint: 2,
				Answer:  func(c float64) Region { return Everywhere().Except(X1.Equals(c)) },
				Message: "Only the line x1 = c is left out. To one side of it the condition is false and the indicator 0."},
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
	// divided solves for x2, or for x1 if x1First. If that coefficient is 0, it solves for the
	// other variable if other is set, or does not divide.
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
	const negative = "Where the coefficient is negative you have the other half-plane: dividing an inequality by a negative number turns it round. Leave it undivided."
	q := question[half]{title: "f. 1(a·x1 + b·x2 > c)", function: "HalfPlane",
		right: func(a, b, c float64) Region { return Linear(a, b).Above(c) },
		pass:  "The open half-plane to which (a, b) points; on the line itself the indicator is 0.",
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
				Message: "Your line is a·x1 + b·x2 = −c: the constant has changed sides without its sign, or with one too many."},
			{Key: "normal-sign", Hint: 2, Answer: func(a, b, c float64) Region { return Linear(a, -b).Above(c) },
				Message: "You have a·x1 − b·x2 for a·x1 + b·x2."},
			{Key: "normal-swapped", Hint: 2, Answer: func(a, b, c float64) Region { return Linear(b, a).Above(c) },
				Message: "a and b have changed places."},
			{Key: "tangent", Hint: 2, Answer: func(a, b, c float64) Region { return Linear(-b, a).Above(c) },
				Message: tangent},
			{Key: "tangent", Hint: 2, Answer: func(a, b, c float64) Region { return Linear(b, -a).Above(c) },
				Message: tangent},
			{Key: "everywhere", Hint: 1, Answer: func(_, _, _ float64) Region { return Everywhere() },
				Message: allIndicator},
			{Key: "nowhere", Hint: 1, Answer: func(_, _, _ float64) Region { return Nowhere() }, Message: noIndicator},
			{Key: "edge-only", Hint: 1, Answer: func(a, b, c float64) Region { return Linear(a, b).Equals(c) },
				Message: "You say: on the line. There the indicator steps; it stays 1 on one side."},
			{Key: "edge-excluded-only", Hint: 2,
				Answer:  func(a, b, c float64) Region { return Everywhere().Except(Linear(a, b).Equals(c)) },
				Message: "Only the line is left out. To one side of it the condition is false and the indicator 0."},
		}}
	for _, n := range [][3]float64{{1, 2, 3}, {-1, 0.5, 0.7}, {3, -4, -5}, {0, 2, 1}, {-2, 0, 3}, {1e-3, 2e3, 40},
		{2e6, -3e6, 1}, {1, 1, 0}} {
		a, b, c := n[0], n[1], n[2]
		q.on = append(q.on, problem[half]{name: fmt.Sprintf("1(a·x1 + b·x2 > c) with a = %g, b = %g, c = %g", a, b, c),
			call: func(f half, _ *judge.Call) Region { return f(a, b, c) }})
	}
	return q
}

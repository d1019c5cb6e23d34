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
	c := own()
	zeros := c.lattice(math.Pi, 0)
	without := func(r Region) Region { return Everywhere().Except(r) }
	line := func(u float64) Region { return X1.Equals(c.at(u)) }
	between := func(u, v float64) Region { return X1.Between(c.at(u), c.at(v)) }
	// say takes the words with the numbers of sin(x1) where they are those.
	say := func(plain, variant string) string {
		if c == common {
			return plain
		}
		return variant
	}
	everySecond := say("You leave out every second zero: within one period of 2π the sine vanishes twice.", "You leave out every second zero: within one period the sine vanishes twice.")
	mistakes := []mistake{
		{"zeros-forgotten", 1, Everywhere(), "You say everywhere. A sine passes through zero again and again: where?"},
		{"one-zero", 2, without(line(0)), fmt.Sprintf("Only x1 = %g is left out. The sine has more zeros than that one.", c.s)},
		{"three-zeros", 2, without(line(0)).Except(line(math.Pi)).Except(line(-math.Pi)), say("You leave out 0 and ±π. Nothing stops there: the axis goes on, and so do the zeros.", "You leave out three zeros. Nothing stops there: the axis goes on, and so do the zeros.")},
		{"one-period", 2, between(-math.Pi, math.Pi).Except(line(0)), "You describe one period only. The function is defined on the whole axis."},
		{"one-period", 2, between(0, math.Pi), "You describe one arch only. The function is defined on the whole axis, and negative values are not zero."},
		{"one-period", 2, between(0, 2*math.Pi).Except(line(math.Pi)), "You describe one period only. The function is defined on the whole axis."},
		{"every-second-zero", 2, without(c.lattice(2*math.Pi, 0)), everySecond},
		{"every-second-zero", 2, without(c.lattice(2*math.Pi, math.Pi)), everySecond},
		{"cosine", 2, without(c.lattice(math.Pi, math.Pi/2)), "These are the zeros of the cosine. What is sin(0)?"},
		{"too-many-zeros", 2, without(c.lattice(math.Pi/2, 0)), say("You also leave out the odd multiples of π/2, where the sine is 1 or −1.", "You also leave out the lines halfway between, where the sine is 1 or −1.")},
		{"degrees", 2, without(c.lattice(180, 0)), say("Your zeros are at multiples of 180: degrees. The argument of the sine is in radians.", "Your zeros are those of a sine in degrees. The argument of the sine is in radians.")},
		{"zeros", 1, zeros, "You describe where the sine is zero. Asked is where it is not."},
		{"whole-numbers", 2, without(c.lattice(1, 0)), say("Your zeros are the whole numbers. Those of the sine are at whole multiples of another number.", "Your zeros are where the argument is a whole number. Those of the sine are at whole multiples of another number.")},
		{"rounded-pi", 3, without(c.lattice(3.14, 0)), "Your period is π rounded: after some steps the lines are off. Use math.Pi."},
		{"rounded-pi", 3, without(c.lattice(3.1416, 0)), "Your period is π rounded: after many steps the lines are off. Use math.Pi."},
		{"rounded-pi", 3, without(c.lattice(3.14159, 0)), "Your period is π rounded: after many steps the lines are off. Use math.Pi."},
		{"wrong-variable", 2, without(X2.Lattice(math.Pi/c.p, c.s)), fmt.Sprintf(otherVariable, "x1")},
		{"points-for-lines", 2, without(zeros.And(X2.Equals(0))), "You leave out points. x has two coordinates and x2 is free: where x1 is a zero, a whole line is."},
	}
	if c != common {
		mistakes = append(mistakes,
			mistake{"constants-ignored", 2, without(X1.Lattice(math.Pi, 0)), fmt.Sprintf("These are the zeros of sin(x1). Here the argument is %g(x1−%g).", c.p, c.s)},
			mistake{"factor-ignored", 2, without(X1.Lattice(math.Pi, c.s)), fmt.Sprintf("Your lines are π apart. The argument grows %g times as fast as x1.", c.p)},
			mistake{"factor-inverted", 2, without(X1.Lattice(c.p*math.Pi, c.s)), fmt.Sprintf("Your lines are %gπ apart. The argument grows %g times as fast as x1, so the zeros are closer, not further apart.", c.p, c.p)},
			mistake{"offset-ignored", 2, without(X1.Lattice(math.Pi/c.p, 0)), "The distance of your lines is right. But where is the argument 0?"},
			mistake{"offset-sign", 2, without(X1.Lattice(math.Pi/c.p, -c.s)), "The distance of your lines is right, and the offset has the wrong sign: where is the argument 0?"},
			mistake{"offset-divided", 2, without(X1.Lattice(math.Pi/c.p, c.s/c.p)), fmt.Sprintf("The distance of your lines is right. The offset is divided by %g, as if the argument were %gx1−%g; where is it 0?", c.p, c.p, c.s)})
	}
	return []question{{c.sine(), wholly(sine), without(zeros), mistakes, nil}}
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
	c := own()
	q := c.q
	one := X2.Equals(q + 1)
	mistakes := []mistake{
		{"log-one-forgotten", 2, X2.Above(q), "You have the domain. Within it the logarithm has one zero: which number has the logarithm 0?"},
		{"domain-ignored", 2, Everywhere().Except(one), fmt.Sprintf("The zero of the logarithm is left out, but for which x2 is %s a number at all?", c.log())},
		{"everywhere", 1, Everywhere(), "You say everywhere. For which x2 is there a logarithm, and which logarithm is zero?"},
		{"zero-included", 2, X2.AtLeast(q).Except(one), fmt.Sprintf("x2 = %g has no logarithm: it falls without end towards %g. (Go's math.Log says −Inf there.)", q, q)},
		{"zero-included", 2, X2.AtLeast(q), fmt.Sprintf("x2 = %g has no logarithm, and within the domain there is one zero.", q)},
		{"log-of-zero", 2, Everywhere().Except(X2.Equals(q)), fmt.Sprintf("You leave out x2 = %g only: for %s x2 there is no logarithm either, and where it is zero is another place.", q, c.below())},
		{"positive-only", 2, X2.Above(q + 1), "You say where the logarithm is positive. Negative values are not zero."},
		{"positive-only", 2, X2.AtLeast(q + 1), "You say where the logarithm is not negative. Negative values are not zero, and log(1) is."},
		{"negative-only", 2, X2.Between(q, q+1), "You say where the logarithm is negative. Positive values are not zero either."},
		{"zero-at-e", 2, X2.Above(q).Except(X2.Equals(q + math.E)), c.atE()},
		{"zeros", 1, one, "You describe where the logarithm is zero. Asked is where it is not."},
		{"wrong-variable", 2, X1.Above(q).Except(X1.Equals(q + 1)), fmt.Sprintf(otherVariable, "x2")},
		{"points-for-lines", 2, X2.Above(q).Except(one.And(X1.Equals(0))), fmt.Sprintf("You leave out a point. x1 is free: where x2 = %g, a whole line is.", q+1)},
	}
	if c != common {
		mistakes = append(mistakes,
			mistake{"constants-ignored", 2, X2.Above(0).Except(X2.Equals(1)), "This is right for log(x2). Which numbers does the logarithm see here?"},
			mistake{"offset-sign", 2, X2.Above(-q).Except(X2.Equals(1 - q)), "Your edge lies on the other side of x2 = 0: for which x2 is the argument of the logarithm 0?"},
			mistake{"zero-not-moved", 2, X2.Above(q).Except(X2.Equals(1)), "The domain is right, and the line that you leave out is the zero of log(x2). For which x2 is the argument 1?"},
			mistake{"zero-not-moved", 2, X2.Above(q).Except(X2.Equals(0)), "The domain is right. The line that you leave out is x2 = 0; for which x2 is the argument 1?"})
	}
	return []question{{c.log(), wholly(log), X2.Above(q).Except(one), mistakes, nil}}
}

// below says which x2 lie below the domain of the logarithm.
func (c constants) below() string {
	if c.q == 0 {
		return "negative"
	}
	return "smaller"
}

// atE is what is wrong with the place where the logarithm is 1.
func (c constants) atE() string {
	if c.q == 0 {
		return "You leave out x2 = e, whose logarithm is 1."
	}
	return "You leave out the line where the argument is e, whose logarithm is 1."
}

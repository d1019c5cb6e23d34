package ex04

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// directionFunc is the learner's function.
type directionFunc = func(X1, X2 *mat.Dense) []float64

// problems are the point clouds of part n.
func problems(n uint64) []instance.Clouds { return instance.TwoClasses(instance.Source(404, n)) }

// ask calls the learner's function with copies and returns a copy of its answer,
// with a verdict instead where that is not D finite numbers or an argument was
// changed.
func ask(direction directionFunc, c instance.Clouds) ([]float64, *verify.Verdict) {
	var in learner.Inputs
	w := append([]float64(nil), direction(in.Dense("X1", c.X1), in.Dense("X2", c.X2))...)
	if bad := in.Changed(3); bad != nil {
		return nil, bad
	}
	n1, n2, d := c.Dims()
	if len(w) != d && len(w) > 1 && (len(w) == n1 || len(w) == n2 || len(w) == n1+n2) {
		return nil, learner.Fail("one-per-point", 3, "You returned %d numbers, as many as there are points. w lives in the space of the inputs: one entry per column of X1 and X2, here %d. Were the means taken along the rows?", len(w), d)
	}
	return w, form.Vector("w", w, d, "column of X1 and X2", c.Name, 3)
}

func judgeForm(direction directionFunc) verify.Verdict {
	for _, c := range problems(1) {
		first, bad := ask(direction, c)
		if bad != nil {
			return *bad
		}
		second, bad := ask(direction, c)
		if bad != nil {
			return *bad
		}
		if !verify.CloseSlice(second, first, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same points gave different vectors. w depends on X1 and X2 alone; a search that starts at random should end at one place.")
		}
	}
	return verify.Pass("You returned D numbers, for D from 1 to 5.")
}

func judgeLength(direction directionFunc) verify.Verdict {
	for _, c := range problems(2) {
		w, bad := ask(direction, c)
		if bad != nil {
			return *bad
		}
		length := verify.Close(floats.Norm(w, 2), 1, verify.Tolerance{Abs: 1e-9})
		if length.OK {
			continue
		}
		m1, m2 := c.Means()
		gap := floats.Distance(m1, m2, 2)
		switch {
		case floats.Norm(w, 2) == 0:
			return verify.Fail("zero-vector", 2, "You returned the zero vector, on which everything is projected to one point.")
		case verify.Close(floats.Norm(w, 1), 1, verify.Tolerance{Abs: 1e-9}).OK:
			return verify.Fail("other-norm", 2, "Your vector has Σ|w_i| = 1. The constraint of this exercise is wᵀw = 1, a sum of squares.")
		case verify.Close(floats.Norm(w, math.Inf(1)), 1, verify.Tolerance{Abs: 1e-9}).OK:
			return verify.Fail("other-norm", 2, "The largest entry of your vector has size 1. The constraint of this exercise is wᵀw = 1, a sum of squares.")
		case verify.Close(floats.Norm(w, 2), 1/gap, verify.Tolerance{Rel: 1e-6}).OK:
			return verify.Fail("divided-by-square", 3, "Your vector is divided by the square of its length: wᵀw is meant to be 1, so divide by the root of the sum of squares.")
		case verify.Close(floats.Norm(w, 2), gap, verify.Tolerance{Rel: 1e-6}).OK:
			return verify.Fail("not-normalised", 2, "Your vector is as long as the means are apart. Without a bound on the length wᵀ(m2 − m1) has no maximum, so the constraint wᵀw = 1 is part of the question.")
		}
		return verify.Fail("length", 2, "For “%s” the length of your w should be 1 and is %s.", c.Name, length.Off())
	}
	return verify.Pass("wᵀw = 1: the constraint is met.")
}

func judgeDirection(direction directionFunc) verify.Verdict {
	clouds := problems(3)
	answers := make([][]float64, len(clouds))
	for i, c := range clouds {
		var bad *verify.Verdict
		if answers[i], bad = ask(direction, c); bad != nil {
			return *bad
		}
	}
	for i, c := range clouds {
		m1, m2 := c.Means()
		along := verify.SameDirection(answers[i], instance.Minus(m2, m1), 100*c.Tol)
		if along.OK {
			continue
		}
		if floats.Norm(answers[i], 2) == 0 {
			return verify.Fail("zero-vector", 2, "The zero vector has no direction.")
		}
		if m, ok := recognise(clouds, answers); ok {
			return verify.Fail(m.key, m.hint, "%s", m.message)
		}
		return verify.Fail("direction", 2, "For “%s” the sine of the angle between your w and the line through the two class means should be 0: %s.", c.Name, along.Off())
	}
	return verify.Pass("Your w is a positive multiple of m2 − m1.")
}

// judgeLargest needs no formula for the solution: it tries other unit vectors,
// near and far, and looks at the multiplier's condition.
func judgeLargest(direction directionFunc) verify.Verdict {
	r := instance.Source(404, 40)
	for _, c := range problems(4) {
		w, bad := ask(direction, c)
		if bad != nil {
			return *bad
		}
		length := floats.Norm(w, 2)
		if length == 0 || math.IsInf(length, 1) {
			return verify.Fail("zero-vector", 2, "A vector of length %.3g cannot be compared with unit vectors.", length)
		}
		floats.Scale(1/length, w) // the length is judged in a part of its own
		m1, m2 := c.Means()
		gap := instance.Minus(m2, m1)
		size := floats.Norm(gap, 2)
		own := floats.Dot(w, gap)
		for i := range 400 {
			u := instance.Unit(r, len(w))
			if i%2 == 1 { // a small turn
				floats.AddScaledTo(u, w, 0.05, u)
				floats.Scale(1/floats.Norm(u, 2), u)
			}
			if floats.Dot(u, gap) > own+1e-6*size {
				if own < -(1-1e-6)*size { // the worst there is
					return verify.Fail("minimum", 1, "On your w, brought to length 1, the projected mean of class 2 lies below that of class 1: wᵀ(m2 − m1) is negative, and other unit vectors make it positive.")
				}
				return verify.Fail("not-largest", 1, "For “%s” there are unit vectors on which the projected means are further apart than on yours.", c.Name)
			}
		}
		// ∇{wᵀ(m2−m1) + λ(1−wᵀw)} = 0 says that nothing of m2−m1 is left beside w.
		rest := floats.AddScaledTo(make([]float64, len(w)), gap, -own, w)
		if f := verify.CloseSlice(rest, make([]float64, len(w)), verify.Tolerance{Abs: 100 * c.Tol * size}); !f.OK {
			return verify.Fail("not-stationary", 2, "No λ satisfies the condition m2 − m1 = 2λw of the multiplier: relative to |m2 − m1|, %s.", verify.Finding{Miss: f.Miss / size, Where: f.Where}.Off())
		}
	}
	return verify.Pass("Neither a random unit vector nor a small turn does better, and the condition of the Lagrange multiplier holds. It is the separation of the means, and only of the means, that is largest: see the plot below.")
}

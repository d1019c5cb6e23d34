// Package ex04 judges PRML exercise 4.4: the unit vector on which the projected
// class means are furthest apart.
package ex04

import (
	"embed"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex04", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges direction of PRML exercise 4.4: from the points X1 (N1×D) and X2
// (N2×D) of two classes it returns the unit vector w (D) that maximises
// wᵀ(m2 − m1), (4.22).
func Check(direction func(X1, X2 *mat.Dense) []float64) *verify.Report {
	return exercise.Judge(slices.Concat(
		askVector.Parts(direction, []judge.Property[instance.Clouds]{
			judge.Form("D finite numbers come back, and X1 and X2 stay as they were", usual, nil, judge.Wrong{}, "You returned D numbers, for D from 1 to 5."),
			{Name: "w has length 1", On: usual, First: telling,
				Holds: func(_ instance.Clouds, w []float64) verify.Finding {
					return verify.Close(floats.Norm(w, 2), 1, verify.Tolerance{Abs: lengthTol})
				},
				Wrong: judge.Wrong{Key: "length", Hint: 2, Message: "For {problem} the length of your w should be 1 and is {off}."},
				Right: "wᵀw = 1: the constraint is met."},
		}...),
		askLine.Parts(direction, judge.Property[instance.Clouds]{Name: "w lies along the right line, either way round", On: usual,
			Holds: onBest,
			Wrong: judge.Wrong{Key: "direction", Hint: 2, Message: "For {problem} your w, brought to length 1, does not lie along the right line: {off}."},
			Right: "Your w is a multiple of m2 − m1."}),
		askUnit.Parts(direction, []judge.Property[instance.Clouds]{
			{Name: "w points along it the right way", On: usual,
				Holds: func(c instance.Clouds, w []float64) verify.Finding {
					along := floats.Dot(w, best(c))
					if along < directionTol-1 {
						return verify.Finding{Note: "it points the other way there. Is the sign left to chance, as that of an eigenvector is, or to a rule that does not look at the classes?"}
					}
					return verify.Finding{OK: along > 0, Note: "it is not on the right line there, of which part 3 speaks."}
				},
				Wrong: judge.Wrong{Key: "orientation", Hint: 1, Message: "For {problem} wᵀ(m2 − m1) is not positive on your w: {off}"},
				Right: "On your w class 2 lies on the positive side: a positive multiple of m2 − m1."},
			{Name: "no other unit vector puts the projected means further apart", On: usual, First: better, Holds: stationary,
				Wrong: judge.Wrong{Key: "not-stationary", Hint: 2, Message: "For {problem} no λ makes the derivative of wᵀ(m2 − m1) + λ(1 − wᵀw) vanish at your w: relative to |m2 − m1|, it is {off}."},
				Right: "Neither a random unit vector nor a small turn does better, and the condition of the Lagrange multiplier holds. It is the separation of the means, and only of the means, that is largest: see the plot below."},
			{Name: "fewer points than columns, and one point in each class", On: few, Limits: true,
				Holds: onBest,
				Wrong: judge.Wrong{Key: "few-points", Hint: 2, Message: "For {problem} your w is not the one that puts the projected means furthest apart: {off}. Is a matrix inverted that few points make singular?"},
				Right: "Two means are enough: no spread of the points is asked for."},
		}...))...)
}

// The statement promises these.
const (
	lengthTol    = 1e-9
	directionTol = 1e-7
)

var (
	usual = instance.Once(func() []instance.Clouds {
		list := instance.TwoClasses(instance.Source(404, 1))
		x1, x2 := list[0].Copy()
		x1.Scale(1e-9, x1)
		x2.Scale(1e-9, x2)
		return append(list, instance.Clouds{Name: "inputs in a far too large unit", X1: x1, X2: x2, Tol: list[0].Tol})
	})
	few = instance.Once(func() []instance.Clouds { return instance.FewPoints(instance.Source(404, 2)) })
)

// gap is m2 − m1, best the answer.
func gap(c instance.Clouds) []float64 {
	m1, m2 := c.Means()
	return instance.Minus(m2, m1)
}

func best(c instance.Clouds) []float64 { return unit(gap(c)) }

func onBest(c instance.Clouds, w []float64) verify.Finding {
	return verify.CloseSlice(w, best(c), verify.Tolerance{Abs: directionTol})
}

// unit is v brought to length 1, or zeros.
func unit(v []float64) []float64 {
	out := slices.Clone(v)
	floats.Scale(1/math.Max(1, floats.Norm(v, math.Inf(1))), out) // a sum of squares does not overflow then
	if length := floats.Norm(out, 2); length > 0 {
		floats.Scale(1/length, out)
	}
	return out
}

// telling names what has another length than 1.
func telling(c instance.Clouds, w []float64) *verify.Verdict {
	one := func(norm, want float64) bool { return verify.Close(norm, want, verify.Tolerance{Rel: lengthTol}).OK }
	length, apart := floats.Norm(w, 2), floats.Norm(gap(c), 2)
	switch {
	case one(length, 1):
		return nil
	case length == 0:
		return judge.Fail("zero-vector", 2, "You returned the zero vector, on which everything is projected to one point.")
	case one(floats.Norm(w, 1), 1):
		return judge.Fail("other-norm", 2, "Your vector has Σ|w_i| = 1. The constraint of this exercise is wᵀw = 1, a sum of squares.")
	case one(floats.Norm(w, math.Inf(1)), 1):
		return judge.Fail("other-norm", 2, "The largest entry of your vector has size 1. The constraint of this exercise is wᵀw = 1, a sum of squares.")
	case one(length, 1/apart):
		return judge.Fail("divided-by-square", 3, "Your vector is divided by the square of its length: wᵀw is meant to be 1, so divide by the root of the sum of squares.")
	case one(length, apart):
		return judge.Fail("not-normalised", 2, "For %v your vector is as long as the means are apart. Without a bound on the length wᵀ(m2 − m1) has no maximum, so the constraint wᵀw = 1 is part of the question.", c)
	}
	return nil
}

// better needs no formula for the solution: it tries other unit vectors, near and
// far.
func better(c instance.Clouds, w []float64) *verify.Verdict {
	r := instance.Source(404, 40)
	gap := gap(c)
	size, own := floats.Norm(gap, 2), floats.Dot(w, gap)
	for i := range 400 {
		u := instance.Unit(r, len(w))
		if i%2 == 1 { // a small turn
			u = unit(floats.AddScaledTo(u, w, 0.05, u))
		}
		if floats.Dot(u, gap) <= own+1e-6*size {
			continue
		}
		if own < -(1-1e-6)*size { // the worst there is
			return judge.Fail("minimum", 1, "For %v the projected mean of class 2 lies below that of class 1 on your w: wᵀ(m2 − m1) is negative, and other unit vectors make it positive.", c)
		}
		return judge.Fail("not-largest", 1, "For %v there are unit vectors on which the projected means are further apart than on yours.", c)
	}
	return nil
}

// stationary: of m2 − m1 nothing is left beside w, so that a multiple of w is its
// gradient.
func stationary(c instance.Clouds, w []float64) verify.Finding {
	u := best(c)
	rest := floats.AddScaledTo(make([]float64, len(w)), u, -floats.Dot(u, w), w)
	return verify.CloseSlice(rest, make([]float64, len(w)), verify.Tolerance{Abs: directionTol})
}

// Package ex01 is a fixture: an exercise whose check accepts a wrong answer,
// refuses a right answer, and takes one mistake for another. `generate judge`
// must reject this exercise.
package ex01

import (
	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

var exercise = &exercises.Exercise{ID: "own-1", Title: "Areas", Hints: []string{"Multiply."}}

// Exercise returns a copy of this exercise, with only the fields that the tests need.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Check judges the function `area` by its result for a single rectangle, whose sides are both 1.
func Check(area func(a, b float64) float64) *verify.Report {
	return exercise.Judge(verify.Part{Name: "area", Judge: func() verify.Verdict {
		switch got := area(1, 1); got {
		case 1:
			return verify.Pass("The area.")
		case 0:
			return verify.Fail("zero", 1, "The area is not 0.")
		}
		return verify.Fail("area", 1, "That is not the area.")
	}})
}

// CheckSteps judges the function `square` by its result for a single number.
func CheckSteps(square func(a float64) float64) *verify.Report {
	return exercise.JudgeSteps(verify.Part{Name: "square", Judge: func() verify.Verdict {
		if square(3) != 9 {
			return verify.Fail("square", 1, "That is not the square.")
		}
		return verify.Pass("The square.")
	}})
}

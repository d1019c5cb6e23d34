// Package ex07 is a fixture: an exercise that uses most features of the exercise format.
package ex07

import (
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Name is a constant that a cell of the section Explore uses.
const Name = "fixture"

// Scale is a type that the learner's signatures use.
type Scale float64

// Check judges the halves and the mean.
func Check(halve func(x []float64, by Scale) []float64, mean func(x *mat.Dense) float64, more ...int) *verify.Report {
	return verify.Run("own-7", "Halves",
		verify.Part{Name: "halves", Judge: func() verify.Verdict {
			if y := halve([]float64{4}, 2); len(y) != 1 || y[0] != 2 {
				return verify.Fail("halves", 1, "Not halved.")
			}
			return verify.Pass("Halved.")
		}},
		verify.Part{Name: "mean", Judge: func() verify.Verdict {
			if mean(mat.NewDense(1, 2, []float64{1, 3})) != 2 {
				return verify.Fail("mean", 2, "Not the mean.")
			}
			return verify.Pass("The mean.")
		}},
	)
}

// CheckSteps judges an intermediate step.
func CheckSteps(sum func(x []float64) float64) *verify.Report {
	return verify.Run("own-7", "Halves, step by step",
		verify.Part{Name: "sum", Judge: func() verify.Verdict {
			if sum([]float64{1, 2}) != 3 {
				return verify.Fail("sum", 0, "Not the sum.")
			}
			return verify.Pass("The sum.")
		}},
	)
}

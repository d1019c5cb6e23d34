// Package lesson03 judges the task of lesson 3: Fisher's direction for two classes.
package lesson03

import (
	"embed"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	directionFunc = func(X1, X2 *mat.Dense) []float64
	clouds        = instance.Clouds
)

// Check judges direction, which returns Fisher's direction (4.30), with the sign for which class 1
// has the larger projections.
func Check(direction directionFunc) *verify.Report {
	return exercise.Judge(askDirection.Parts(direction, []judge.Property[clouds]{
		judge.Form[clouds]("D finite numbers, not all 0, the same direction on every call", plain, nil, judge.Wrong{},
			"You returned a direction in the space of the inputs."),
		{Name: "the direction with the largest J", On: plain, Holds: upToSign,
			Wrong: judge.Wrong{Key: "direction", Hint: 1,
				Message: "For {problem} your vector is not parallel to S_W⁻¹(m1 − m2), with either sign: scaled to length 1, it is {off}."},
			Right: "No other direction has a larger J."},
		{Name: "class 1 has the larger projections", On: plain, Holds: larger,
			Wrong: judge.Wrong{Key: "side", Hint: 1,
				Message: "For {problem} class 2 has the larger projections, but class 1 should."},
			Right: "The projection of the mean of class 1 is larger than the projection of the mean of class 2."},
		{Name: "few points, other units, means near and far", On: problems, Holds: exactly,
			Wrong: judge.Wrong{Key: "numbers", Hint: 2,
				Message: "For {problem} your vector is not in the direction of S_W⁻¹(m1 − m2): scaled to length 1, it is {off}."},
			Right: "Your direction is right for a single point in a class, for columns of any size, and for means that are close or far apart."},
	}...)...)
}

// problems returns clouds in one to five dimensions.
var problems = instance.Once(func() []clouds { return instance.TwoClasses(instance.Source(5003, 1)) })

// plain returns the first four problems, which have numbers of moderate size.
func plain() []clouds { return problems()[:4] }

// exactly compares got with the right direction. Both have length 1, and each entry is compared in
// the unit of its column.
func exactly(c clouds, got []float64) verify.Finding {
	unit := sizes(c)
	for j, want := range right(c) {
		if f := verify.Close(got[j], want, verify.Tolerance{Abs: 10 * c.Tol * unit[j]}); !f.OK {
			return f
		}
	}
	return verify.Finding{OK: true}
}

// larger checks that the mean of class 1 has a larger projection than the mean of class 2.
func larger(c clouds, got []float64) verify.Finding {
	m1, m2 := c.Means()
	return verify.Finding{OK: floats.Dot(got, m1) > floats.Dot(got, m2)}
}

func upToSign(c clouds, got []float64) verify.Finding {
	if floats.Dot(got, right(c)) < 0 {
		got = slices.Clone(got)
		floats.Scale(-1, got)
	}
	return exactly(c, got)
}

// right returns the right direction, scaled to length 1. It uses least squares with the targets
// N/N1 and −N/N2, (4.38).
func right(c clouds) []float64 {
	n1, n2, _ := c.Dims()
	t := mat.NewDense(n1+n2, 1, nil)
	for i := range n1 + n2 {
		if t.Set(i, 0, float64(n1+n2)/float64(n1)); i >= n1 {
			t.Set(i, 0, -float64(n1+n2)/float64(n2))
		}
	}
	return unit(mat.Col(nil, 0, instance.LeastSquares(c.All(), t))[1:])
}

// sizes returns the size of each entry of a direction of length 1, in proportion to 1 over the
// spread of its column.
func sizes(c clouds) []float64 {
	_, _, d := c.Dims()
	out := make([]float64, d)
	for j := range out {
		out[j] = 1 / math.Max(stat.StdDev(mat.Col(nil, j, c.X1), nil), stat.StdDev(mat.Col(nil, j, c.X2), nil))
		if math.IsNaN(out[j]) { // a single point has no spread
			out[j] = 1 / stat.StdDev(mat.Col(nil, j, c.All()), nil)
		}
	}
	return unit(out)
}

// unit returns v scaled to length 1.
func unit(v []float64) []float64 {
	out := slices.Clone(v)
	floats.Scale(1/floats.Norm(v, 2), out)
	return out
}

func init() { judge.Known(exercise, askDirection, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson03", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

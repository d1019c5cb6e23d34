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
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	directionFunc = func(X1, X2 *mat.Dense) []float64
	clouds        = instance.Clouds
)

// Check judges `direction`, which returns Fisher's direction (4.30). The sign must be such that
// class 1 has the larger projections.
func Check(direction directionFunc) *verify.Report {
	return exercise.Judge(directionQuestion.Parts(direction, []judge.Property[clouds]{
		judge.Form[clouds]("D finite numbers, not all 0, the same direction on every call", firstProblems, nil, judge.Wrong{},
			"You returned a direction in the space of the inputs."),
		{Name: "the direction with the largest J", Problems: firstProblems, Holds: upToSign,
			Wrong: judge.Wrong{Key: "direction", Hint: 1,
				Message: "For {problem} your vector is not parallel to S_W⁻¹(m1 − m2), with either sign: scaled to length 1, it is {off}."},
			Right: "No other direction has a larger J."},
		{Name: "class 1 has the larger projections", Problems: firstProblems, Holds: largerProjection,
			Wrong: judge.Wrong{Key: "side", Hint: 1,
				Message: "For {problem} class 2 has the larger projections, but class 1 should."},
			Right: "Projected onto your direction, the mean of class 1 is larger than the mean of class 2."},
		{Name: "few points, other units, means close together or far apart", Problems: problems,
			Holds: compareDirection,
			Wrong: judge.Wrong{Key: "numbers", Hint: 2,
				Message: "For {problem} your vector is not in the direction of S_W⁻¹(m1 − m2): scaled to length 1, it is {off}."},
			Right: "Your direction is right for a single point in a class, for columns of very different sizes, and for means that are close or far apart."},
	}...)...)
}

// problems returns pairs of point clouds in one to five dimensions.
var problems = instance.Once(func() []clouds { return instance.TwoClasses(instance.Source(5003, 1)) })

// firstProblems returns the first four problems, in which all numbers have moderate sizes.
func firstProblems() []clouds { return problems()[:4] }

// compareDirection compares `got` with the right direction. Both vectors have length 1. The
// tolerance for each entry is proportional to the typical size of this entry (see entrySizes).
func compareDirection(c clouds, got []float64) verify.Finding {
	unit := entrySizes(c)
	for j, want := range rightDirection(c) {
		if f := verify.Close(got[j], want, verify.Tolerance{Abs: 10 * c.Tol * unit[j]}); !f.OK {
			return f
		}
	}
	return verify.Finding{OK: true}
}

// largerProjection checks that the mean of class 1 has a larger projection than the mean of class
// 2.
func largerProjection(c clouds, got []float64) verify.Finding {
	m1, m2 := c.Means()
	return verify.Finding{OK: floats.Dot(got, m1) > floats.Dot(got, m2)}
}

func upToSign(c clouds, got []float64) verify.Finding {
	if floats.Dot(got, rightDirection(c)) < 0 {
		got = slices.Clone(got)
		floats.Scale(-1, got)
	}
	return compareDirection(c, got)
}

// rightDirection returns the right direction, scaled to length 1. It computes the direction by
// least squares with the targets N/N1 and −N/N2, (4.38).
func rightDirection(c clouds) []float64 {
	p := gauss.Classes{Clouds: c}
	n1, n2, n := p.Counts()
	t := p.Targets(n/n1, -n/n2)
	return unitVector(mat.Col(nil, 0, instance.LeastSquares(c.All(), mat.NewDense(len(t), 1, t)))[1:])
}

// entrySizes returns the typical sizes of the entries of a direction of length 1. The size of an
// entry is inversely proportional to the spread of the entry's column.
func entrySizes(c clouds) []float64 {
	_, _, d := c.Dims()
	out := make([]float64, d)
	for j := range out {
		out[j] = 1 / math.Max(stat.StdDev(mat.Col(nil, j, c.X1), nil), stat.StdDev(mat.Col(nil, j, c.X2), nil))
		if math.IsNaN(out[j]) { // a class with a single point has no spread
			out[j] = 1 / stat.StdDev(mat.Col(nil, j, c.All()), nil)
		}
	}
	return unitVector(out)
}

// unitVector returns v scaled to length 1.
func unitVector(v []float64) []float64 {
	out := slices.Clone(v)
	floats.Scale(1/floats.Norm(v, 2), out)
	return out
}

var directionQuestion = &judge.Question[directionFunc, clouds]{
	Func: "Direction", Name: "w", Hint: 3, Per: "column of X1", New: true,
	Invoke: func(f directionFunc, c *judge.Call, p clouds) []float64 {
		_, _, d := p.Dims()
		w := c.Vector("w", f(c.Dense("X1", p.X1), c.Dense("X2", p.X2)), d, "column of X1")
		if w == nil {
			return nil
		}
		if floats.Norm(w, math.Inf(1)) == 0 {
			c.Say(judge.Fail("zero", 1, "All entries of your w are 0, which is not a direction."))
			return nil
		}
		return unitVector(w)
	},
	Right: rightDirection,
	Unit:  func(p clouds, _ []float64) []float64 { return entrySizes(p) },
	Sign: judge.Wrong{Key: "sign", Hint: 1,
		Message: "Your direction is right except for its sign: class 2 has the larger projections. PRML (4.30) has the sign of your answer, m2 − m1, but PRML's rule “class 1 if y ≥ y0” needs m1 − m2."},
	Mistakes: []judge.Mistake[directionFunc]{
		{Key: "means", Hint: 1,
			Message: "Your w is m1 − m2, the line of the means. It is Fisher's direction only where the classes are round: S_W is missing, or has no effect.",
			Answer:  fromClasses(gauss.Classes.Gap)},
		{Key: "multiplied", Hint: 1,
			Message: "Your w is S_W(m1 − m2), with S_W in place of its inverse. Multiplying by S_W turns w towards the directions in which the classes are wide.",
			Answer:  fromClasses(func(p gauss.Classes) []float64 { return gauss.Times(p.Within(), p.Gap()) })},
		{Key: "first-class", Hint: 2,
			Message: "Your matrix contains only the scatter of class 1. S_W is the sum over both classes.",
			Answer:  solveWith(func(_, _ float64) (a, b float64) { return 1, 0 })},
		{Key: "second-class", Hint: 2,
			Message: "Your matrix contains only the scatter of class 2. S_W is the sum over both classes.",
			Answer:  solveWith(func(_, _ float64) (a, b float64) { return 0, 1 })},
		{Key: "averaged", Hint: 2,
			Message: "{problem}: your matrix is the sum of the scatters, each divided by the number of points of its class. (4.28) is a plain sum, in which a class with more points has more weight.",
			Answer:  solveWith(func(n1, n2 float64) (a, b float64) { return 1 / n1, 1 / n2 })},
		{Key: "difference", Hint: 2,
			Message: "Your matrix is the scatter of class 1 minus the scatter of class 2. Use their sum.",
			Answer:  solveWith(func(_, _ float64) (a, b float64) { return 1, -1 })},
		{Key: "not-centred", Hint: 2,
			Message: "Your matrix is the sum of xxᵀ over all points. First subtract from each point the mean of its class.",
			Answer: fromClasses(func(p gauss.Classes) []float64 {
				_, _, d := p.Dims()
				return gauss.Solve(instance.Scatter(p.All(), make([]float64, d)), p.Gap())
			})},
		{Key: "diagonal", Hint: 2,
			Message: "Your w is m1 − m2 with each entry divided by the scatter of its own column. The entries of S_W off the diagonal are missing; they matter where columns are correlated.",
			Answer:  divided(func(s float64) float64 { return s })},
		{Key: "standardised", Hint: 2,
			Message: "Your w is m1 − m2 with each entry divided by the root of the scatter of its own column. This only removes the units; Fisher's direction needs the whole inverse of S_W.",
			Answer:  divided(math.Sqrt)},
		{Key: "sum-of-means", Hint: 1,
			Message: "Your vector is S_W⁻¹(m1 + m2): use the difference of the means instead of their sum.",
			Answer: fromClasses(func(p gauss.Classes) []float64 {
				m1, m2 := p.Means()
				floats.Add(m1, m2)
				return gauss.Solve(p.Within(), m1)
			})},
		{Key: "one-mean", Hint: 1, Message: "Your vector is S_W⁻¹m1: the mean of class 2 is missing.",
			Answer: fromClasses(func(p gauss.Classes) []float64 { return gauss.Solve(p.Within(), instance.Mean(p.X1)) })},
	},
}

// fromClasses returns an answer that computes f from the points of the two classes.
func fromClasses(f func(p gauss.Classes) []float64) directionFunc {
	return func(X1, X2 *mat.Dense) []float64 { return f(gauss.Of(X1, X2)) }
}

// solveWith returns an answer that uses a·(scatter of class 1) + b·(scatter of class 2) in place of
// S_W. The function `weights` computes a and b from N1 and N2.
func solveWith(weights func(n1, n2 float64) (a, b float64)) directionFunc {
	return fromClasses(func(p gauss.Classes) []float64 {
		n1, n2, _ := p.Counts()
		a, b := weights(n1, n2)
		m1, m2 := p.Means()
		S := mat.DenseCopyOf(instance.Scatter(p.X1, m1))
		S2 := instance.Scatter(p.X2, m2)
		S.Apply(func(i, j int, v float64) float64 { return a*v + b*S2.At(i, j) }, S)
		return gauss.Solve(S, p.Gap())
	})
}

// divided returns an answer that divides each entry of m1 − m2 by f(s), where s is the scatter of the
// entry's column.
func divided(f func(s float64) float64) directionFunc {
	return fromClasses(func(p gauss.Classes) []float64 {
		w, S := p.Gap(), p.Within()
		for j := range w {
			w[j] /= f(S.At(j, j))
		}
		return w
	})
}

func init() { judge.Known(exercise, directionQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson03", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

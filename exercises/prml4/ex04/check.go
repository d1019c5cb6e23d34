// Package ex04 judges PRML exercise 4.4: the unit vector on which the projected
// class means are furthest apart.
package ex04

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

// Check judges the function `direction` of PRML exercise 4.4. From the points X1 (N1×D) and X2
// (N2×D) of two classes, `direction` returns the unit vector w (D) that maximises wᵀ(m2 − m1),
// (4.22).
func Check(direction func(X1, X2 *mat.Dense) []float64) *verify.Report {
	return exercise.Judge(slices.Concat(
		vectorQuestion.Parts(direction, []judge.Property[instance.Clouds]{
			judge.Form("the result is D finite numbers, and X1 and X2 stay unchanged", usual, nil, judge.Wrong{},
				"You returned D numbers, for D = 1, 2, 3 and 5."),
			{Name: "w has length 1", Problems: usual, Precheck: lengthFault,
				Holds: func(_ instance.Clouds, w []float64) verify.Finding {
					return verify.Close(floats.Norm(w, 2), 1, verify.Tolerance{Abs: lengthTol})
				},
				Wrong: judge.Wrong{Key: "length", Hint: 2,
					Message: "For {problem} the length of your w should be 1, but it is {off}."},
				Right: "wᵀw = 1: the constraint is met."},
		}...),
		lineQuestion.Parts(direction,
			judge.Property[instance.Clouds]{Name: "w lies along the right line, in either direction", Problems: usual,
				Holds: onBest,
				Wrong: judge.Wrong{Key: "direction", Hint: 2,
					Message: "For {problem} your w does not lie along the right line. Scaled to length 1, your w is {off}."},
				Right: "Your w is a multiple of m2 − m1."}),
		unitQuestion.Parts(direction, []judge.Property[instance.Clouds]{
			{Name: "w points from m1 to m2", Problems: usual,
				Holds: func(c instance.Clouds, w []float64) verify.Finding {
					along := floats.Dot(w, best(c))
					if along < directionTol-1 {
						return verify.Finding{Note: "w points from m2 to m1. Choose the sign from the classes; the sign of an eigenvector is arbitrary."}
					}
					return verify.Finding{OK: along > 0,
						Note: "w does not lie along m2 − m1. Part 3 of this report says more."}
				},
				Wrong: judge.Wrong{Key: "orientation", Hint: 1,
					Message: "For {problem} your wᵀ(m2 − m1) is not positive: {off}"},
				Right: "On your w the mean of class 2 lies on the positive side of the mean of class 1."},
			{Name: "no other unit vector puts the projected means further apart", Problems: usual, Precheck: betterUnit,
				Holds: stationary,
				Wrong: judge.Wrong{Key: "not-stationary", Hint: 2,
					Message: "For {problem} no λ makes the derivative of wᵀ(m2 − m1) + λ(1 − wᵀw) vanish at your w: for the best λ, the derivative divided by |m2 − m1| should be 0, but it is {off}."},
				Right: "No random unit vector or small rotation of w increases the distance, and the Lagrange condition holds. Your w maximises only the distance between the means and ignores the spread; see the plot below."},
			{Name: "fewer points than columns, and one point in each class", Problems: few, Extreme: true,
				Holds: onBest,
				Wrong: judge.Wrong{Key: "few-points", Hint: 2,
					Message: "For {problem} your w does not put the projected means furthest apart: your w is {off}. Use only the two means; a scatter matrix is singular with few points."},
				Right: "Your w is right even with few points, because it depends only on the two means, not on the spread of the points."},
		}...))...)
}

// lengthTol and directionTol are the tolerances stated in the text of the exercise.
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
		return append(list, instance.Clouds{Name: "inputs measured in a unit that makes them tiny", X1: x1, X2: x2, Tol: list[0].Tol})
	})
	few = instance.Once(func() []instance.Clouds { return instance.FewPoints(instance.Source(404, 2)) })
)

// gap returns m2 − m1.
func gap(c instance.Clouds) []float64 {
	m1, m2 := c.Means()
	return instance.Minus(m2, m1)
}

// best returns the right answer, the unit vector along m2 − m1.
func best(c instance.Clouds) []float64 { return unit(gap(c)) }

func onBest(c instance.Clouds, w []float64) verify.Finding {
	return verify.CloseSlice(w, best(c), verify.Tolerance{Abs: directionTol})
}

// unit returns v scaled to length 1, or zeros if v is zero.
func unit(v []float64) []float64 {
	out := slices.Clone(v)
	floats.Scale(1/math.Max(1, floats.Norm(v, math.Inf(1))), out) // otherwise the length of v could overflow
	if length := floats.Norm(out, 2); length > 0 {
		floats.Scale(1/length, out)
	}
	return out
}

// lengthFault returns a verdict that explains why the length of w is not 1. It returns nil if the
// length is 1, and also if it finds no explanation.
func lengthFault(c instance.Clouds, w []float64) *verify.Verdict {
	one := func(norm, want float64) bool { return verify.Close(norm, want, verify.Tolerance{Rel: lengthTol}).OK }
	length, apart := floats.Norm(w, 2), floats.Norm(gap(c), 2)
	switch {
	case one(length, 1):
		return nil
	case length == 0:
		return judge.Fail("zero-vector", 2,
			"You returned the zero vector, which projects all points to 0.")
	case one(floats.Norm(w, 1), 1):
		return judge.Fail("other-norm", 2,
			"Your vector has Σ|w_i| = 1. The constraint of this exercise is wᵀw = 1, a sum of squares.")
	case one(math.Abs(w[0]), 1) && !onBest(c, unit(w)).OK:
		return judge.Fail("divided-too-early", 3,
			"For %v the first entry of your vector has size 1, and the vector is not a positive multiple of m2 − m1. Perhaps your loop divides the first entry before it has added the squares of the other entries. First compute the sum of the squares of all entries, then divide.", c)
	case one(floats.Norm(w, math.Inf(1)), 1):
		return judge.Fail("other-norm", 2,
			"The largest entry of your vector has size 1. The constraint of this exercise is wᵀw = 1: divide by the square root of the sum of all squares.")
	case one(length, 1/apart):
		return judge.Fail("divided-by-square", 3,
			"The length of your vector is 1 divided by the distance between the means. Perhaps you divided by the sum of squares. Divide by the square root of this sum, so that wᵀw = 1.")
	case one(length, apart):
		return judge.Fail("not-normalised", 2,
			"For %v the length of your vector is the distance between the means. Without a bound on the length of w, wᵀ(m2 − m1) has no maximum. Scale w so that wᵀw = 1.", c)
	}
	return nil
}

// betterUnit returns a verdict if it finds a unit vector on which the projected means are further
// apart than on w. It tries random vectors and small rotations of w, so it needs no formula for the
// best vector.
func betterUnit(c instance.Clouds, w []float64) *verify.Verdict {
	r := instance.Source(404, 40)
	gap := gap(c)
	size, own := floats.Norm(gap, 2), floats.Dot(w, gap)
	for i := range 400 {
		u := instance.Unit(r, len(w))
		if i%2 == 1 { // a small rotation
			u = unit(floats.AddScaledTo(u, w, 0.05, u))
		}
		if floats.Dot(u, gap) <= own+1e-6*size {
			continue
		}
		if own < -(1-1e-6)*size { // w is opposite to the best vector
			return judge.Fail("minimum", 1,
				"For %v your w projects the mean of class 2 below the mean of class 1: wᵀ(m2 − m1) is negative, and other unit vectors make it positive.", c)
		}
		return judge.Fail("not-largest", 1,
			"For %v there are unit vectors on which the projected means are further apart than on your w.", c)
	}
	return nil
}

// stationary checks that m2 − m1, the gradient of wᵀ(m2 − m1), has no component orthogonal to w.
func stationary(c instance.Clouds, w []float64) verify.Finding {
	u := best(c)
	rest := floats.AddScaledTo(make([]float64, len(w)), u, -floats.Dot(u, w), w)
	return verify.CloseSlice(rest, make([]float64, len(w)), verify.Tolerance{Abs: directionTol})
}

type (
	directionFunc = func(X1, X2 *mat.Dense) []float64
	mistake       = judge.Mistake[directionFunc]
)

// question returns a judge.Question that judges the vector change(p, w), where w is the learner's
// vector for problem p.
func question(change func(p instance.Clouds, w []float64) []float64, mistakes ...mistake) *judge.Question[directionFunc,
	instance.Clouds] {
	return &judge.Question[directionFunc, instance.Clouds]{
		Func: "Direction", Name: "w", Hint: 3, Per: "column of X1 and X2", Right: best, Mistakes: mistakes,
		Invoke: func(direction directionFunc, c *judge.Call, p instance.Clouds) []float64 {
			w := direction(c.Dense("X1", p.X1), c.Dense("X2", p.X2))
			n1, n2, d := p.Dims()
			if n := len(w); n != d && n > 1 && (n == n1 || n == n2 || n == n1+n2) {
				c.Say(judge.Fail("one-per-point", 3,
					"You returned %d numbers, as many as there are points in a class or in both classes. w has one entry per column of X1 and X2, here %d. Compute the mean of each column, not of each row.", n, d))
			}
			return change(p, c.Vector("w", w, d, "column of X1 and X2"))
		},
	}
}

// vectorQuestion judges w itself. unitQuestion judges w scaled to length 1. lineQuestion also changes the sign of
// w if w points away from class 2.
var vectorQuestion = question(func(_ instance.Clouds, w []float64) []float64 { return w })

var unitQuestion = question(func(_ instance.Clouds, w []float64) []float64 { return unit(w) },
	mistake{Key: "opposite", Hint: 1,
		Message: "Your w points from m2 to m1. It lies along the right line, but it minimises wᵀ(m2 − m1). Find the maximum of (4.22), including the sign of w.",
		Answer:  columnwise(func(x1, x2 []float64) float64 { return mean(x1) - mean(x2) })})

var lineQuestion = question(
	func(p instance.Clouds, w []float64) []float64 {
		if w = unit(w); len(w) > 0 && floats.Dot(w, gap(p)) < 0 {
			floats.Scale(-1, w)
		}
		return w
	},
	[]mistake{
		{Key: "zero-vector", Answer: columnwise(func(_, _ []float64) float64 { return 0 }), Hint: 2,
			Message: "The zero vector has no direction."},
		{Key: "fisher", Hint: 2,
			Message: "Your w is Fisher's direction S_W⁻¹(m2 − m1), (4.30). Its criterion also contains the spread of the classes. The criterion of this exercise contains only the means.",
			Answer: func(X1, X2 *mat.Dense) []float64 {
				c := instance.Clouds{X1: X1, X2: X2}
				var w mat.VecDense
				if g := gap(c); w.SolveVec(c.Within(), mat.NewVecDense(len(g), g)) != nil {
					return nil
				}
				return w.RawVector().Data
			}},
		{Key: "medians", Hint: 3, Message: "Your w is the difference between the medians of the columns. m1 and m2 are means (4.21), so use the difference between the means.",
			Answer: columnwise(func(x1, x2 []float64) float64 { return median(x2) - median(x1) })},
		{Key: "sum-of-means", Answer: columnwise(func(x1, x2 []float64) float64 { return mean(x1) + mean(x2) }), Hint: 2,
			Message: "Your w is a multiple of m1 + m2. Use the difference m2 − m1."},
		{Key: "sums", Hint: 3,
			Message: "Your w is the difference between the sums of the points of each class, or between these sums divided by the same number. Divide each sum by the number of points of its class.",
			Answer:  columnwise(func(x1, x2 []float64) float64 { return floats.Sum(x2) - floats.Sum(x1) })},
		{Key: "wrong-counts", Hint: 3,
			Message: "Your w is a difference between sums of points in which each sum is divided by the number of points of the other class. Divide each sum by the number of points of its own class.",
			Answer: columnwise(func(x1, x2 []float64) float64 {
				return floats.Sum(x2)/float64(len(x1)) - floats.Sum(x1)/float64(len(x2))
			})},
		{Key: "n-minus-1", Hint: 3,
			Message: "Your w is a difference between sums of points in which each sum is divided by N−1, as for a variance. For a mean, divide by N.",
			Answer:  columnwise(func(x1, x2 []float64) float64 { return overOneLess(x2) - overOneLess(x1) })},
		{Key: "one-class", Answer: columnwise(func(_, x2 []float64) float64 { return mean(x2) }), Hint: 2,
			Message: "Your w is a multiple of m2 alone. Use the difference m2 − m1."},
		{Key: "one-class", Answer: columnwise(func(x1, _ []float64) float64 { return mean(x1) }), Hint: 2,
			Message: "Your w is a multiple of m1 alone. Use the difference m2 − m1."},
		{Key: "unit-means", Hint: 2,
			Message: "You scale each mean to length 1 before you compute the difference. The constraint is about the length of w, so scale the difference, not the means.",
			Answer: func(X1, X2 *mat.Dense) []float64 {
				return instance.Minus(unit(instance.Mean(X2)), unit(instance.Mean(X1)))
			}},
		{Key: "from-total-mean", Hint: 2,
			Message: "Your w is a multiple of the mean of all points. This mean does not distinguish the classes. Use the difference m2 − m1.",
			Answer:  columnwise(func(x1, x2 []float64) float64 { return floats.Sum(x1) + floats.Sum(x2) })},
		{Key: "first-points", Answer: columnwise(func(x1, x2 []float64) float64 { return x2[0] - x1[0] }), Hint: 3,
			Message: "Your w is the difference between the first points of the two classes. A mean contains all rows."},
		{Key: "last-points", Answer: columnwise(func(x1, x2 []float64) float64 { return last(x2) - last(x1) }), Hint: 3,
			Message: "Your w is the difference between the last points of the two classes, as if each point replaced the sum of the earlier points. Add all points."},
		{Key: "row-left-out", Hint: 3,
			Message: "Your sums leave out the last point of each class. Add all rows.",
			Answer: columnwise(func(x1, x2 []float64) float64 {
				return mean(x2) - mean(x1) - last(x2)/size(x2) +
					last(x1)/size(x1)
			})},
		{Key: "row-left-out", Hint: 3,
			Message: "Your sums leave out the first point of each class. The first row has the index 0.",
			Answer: columnwise(func(x1, x2 []float64) float64 {
				return mean(x2) - mean(x1) - x2[0]/size(x2) +
					x1[0]/size(x1)
			})},
		{Key: "standardised", Hint: 2,
			Message: "In your w each entry of m2 − m1 is divided by the standard deviation of its column, as for standardised inputs. Project the original points.",
			Answer: columnwise(func(x1, x2 []float64) float64 {
				return (mean(x2) - mean(x1)) / math.Sqrt(scatter(slices.Concat(x1, x2)))
			})},
		{Key: "standardised", Hint: 2,
			Message: "In your w each entry of m2 − m1 is divided by the scatter of its column within the classes. This is Fisher's direction with a diagonal S_W. In this exercise only the means matter.",
			Answer: columnwise(func(x1, x2 []float64) float64 {
				return (mean(x2) - mean(x1)) / (scatter(x1) +
					scatter(x2))
			})},
		{Key: "absolute-values", Hint: 1,
			Message: "Your w contains the absolute values of the entries of m2 − m1. An entry must be negative if class 2 has the smaller mean in its column.",
			Answer:  columnwise(func(x1, x2 []float64) float64 { return math.Abs(mean(x2) - mean(x1)) })},
		{Key: "signs", Hint: 2,
			Message: "All entries of your w have the same size, and their signs are the signs of m2 − m1. This is the maximum under the constraint max |w_i| = 1. The constraint here is wᵀw = 1.",
			Answer:  columnwise(func(x1, x2 []float64) float64 { return math.Copysign(1, mean(x2)-mean(x1)) })},
		{Key: "largest-column", Hint: 2,
			Message: "Your w is 0 except in the column with the largest difference between the means. This is the maximum under the constraint Σ|w_i| = 1. The constraint here is wᵀw = 1.",
			Answer: func(X1, X2 *mat.Dense) []float64 {
				w := gap(instance.Clouds{X1: X1, X2: X2})
				top := floats.Norm(w, math.Inf(1))
				for j, v := range w {
					if math.Abs(v) < top {
						w[j] = 0
					}
				}
				return w
			}},
		{Key: "principal", Hint: 2,
			Message: "Your w is the first principal component, the direction in which all points together vary most. This direction does not depend on the classes. Use the difference m2 − m1.",
			Answer: func(X1, X2 *mat.Dense) []float64 {
				var all, v mat.Dense
				all.Stack(X1, X2)
				var pc stat.PC
				pc.PrincipalComponents(&all, nil)
				pc.VectorsTo(&v)
				return mat.Col(nil, 0, &v)
			}},
	}...)

// columnwise returns a function that computes entry j of w from column j of both classes.
func columnwise(f func(x1, x2 []float64) float64) directionFunc {
	return func(X1, X2 *mat.Dense) []float64 {
		_, d := X1.Dims()
		w := make([]float64, d)
		for j := range w {
			w[j] = f(mat.Col(nil, j, X1), mat.Col(nil, j, X2))
		}
		return w
	}
}

func size(v []float64) float64 { return float64(len(v)) }
func last(v []float64) float64 { return v[len(v)-1] }
func mean(v []float64) float64 { return floats.Sum(v) / size(v) }

func scatter(v []float64) float64 { return stat.MomentAbout(2, v, mean(v), nil) * size(v) }

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// overOneLess divides the sum of v by N−1, where N is the number of entries. If N is 1, it divides
// by 1.
func overOneLess(v []float64) float64 { return floats.Sum(v) / math.Max(1, size(v)-1) }

func init() {
	judge.Known(exercise, lineQuestion, Check)
	judge.Known(exercise, unitQuestion, Check)
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex04", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

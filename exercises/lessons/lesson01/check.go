// Package lesson01 judges the task of lesson 1. An answer returns the class whose linear function
// is the largest at an input. It also returns how far the input is from the border of this class's region.
package lesson01

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type classFunc = func(W *mat.Dense, x []float64) (k int, r float64)

// Check judges `class`, which returns the class k with the largest linear function (4.9). The function `class` also
// returns the distance of the input from the nearest of the planes (4.10) between class k and the other classes.
func Check(class classFunc) *verify.Report {
	return exercise.Judge(classQuestion.Parts(class, []judge.Property[classifier]{
		judge.Form[classifier]("a class from 0 to K−1 and a finite distance, the same on every call", ofKinds(plain, below),
			nil, judge.Wrong{}, "You returned a class and a distance."),
		{Name: "the class of the largest function", Problems: ofKinds(plain, below), Holds: sameClass,
			Wrong: judge.Wrong{Key: "class", Hint: 1,
				Message: "{problem}: your k is not the class whose y_k is the largest."},
			Right: "Your class is the class with the largest function, even where all functions are negative."},
		{Name: "the distance from the nearest border", Problems: ofKinds(plain, below, wide), Holds: compareClass,
			Wrong: judge.Wrong{Key: "distance", Hint: 2,
				Message: "{problem}: your k is wrong, or your r is not the distance from the nearest plane y_k = y_j: {off}."},
			Right: "Your r is the distance from the nearest of the planes, for weights and inputs of very different sizes."},
		{Name: "on a border: the first class and the distance 0", Problems: ofKinds(plain, border), Holds: compareClass,
			Wrong: judge.Wrong{Key: "border", Hint: 1,
				Message: "{problem}: several functions share the largest value. Return the first of their classes, and the distance 0."},
			Right: "On a border you return the first of the classes that meet there, and the distance 0."},
	}...)...)
}

func sameClass(m classifier, got []float64) verify.Finding {
	return verify.Close(got[0], rightResult(m)[0], verify.Tolerance{})
}

func compareClass(m classifier, got []float64) verify.Finding {
	if f := sameClass(m, got); !f.OK {
		return f
	}
	return verify.Close(got[1], rightResult(m)[1], verify.Tolerance{Rel: 1e-9, Abs: 1e-9 * distanceUnit(m)})
}

// distanceUnit returns the length of the input x, or the unit of the inputs if the unit is larger.
// The tolerance of a distance is proportional to the sum of this length and the distance.
func distanceUnit(m classifier) float64 { return math.Max(m.unit, floats.Norm(m.x, 2)) }

// rightResult returns the right class and the right distance, which is the smallest distance of x from
// a plane between this class and another class. For each plane it finds the foot of the perpendicular
// from x, and then the distance of x from this foot.
func rightResult(m classifier) []float64 {
	y := scores(m.W, m.x)
	k := floats.MaxIdx(y)
	r := math.Inf(1)
	for j := range y {
		if j != k {
			normal := instance.Minus(weights(m.W, k), weights(m.W, j))
			foot := append([]float64(nil), m.x...)
			floats.AddScaled(foot, -(y[k]-y[j])/floats.Dot(normal, normal), normal)
			r = math.Min(r, floats.Distance(foot, m.x, 2))
		}
	}
	return []float64{float64(k), r}
}

// A classifier contains the weights of the linear functions, and one input.
type classifier struct {
	name string
	W    *mat.Dense
	x    []float64
	unit float64 // the unit of the inputs
}

func (m classifier) String() string {
	d, k := m.W.Dims()
	return fmt.Sprintf("%s (K = %d, D = %d, x = %.3g, values y_k = %.3g)", m.name, k, d-1, m.x, scores(m.W, m.x))
}

type kind int

var kinds = []string{"a point within a region", "a point where all functions are negative", "a classifier in other units",
	"a point on a border"}

const (
	plain kind = iota
	below
	wide
	border
)

// ofKinds returns a function that draws classifiers of the given kinds, with two or more classes.
var ofKinds = instance.OfKinds(5001, 12, draw)

func draw(r *rand.Rand, k kind, i int) classifier {
	d, classes := 1+i%4, 2+i%5
	m := classifier{name: kinds[k], W: mat.NewDense(d+1, classes, instance.Normals(r, (d+1)*classes)),
		x: instance.Normals(r, d), unit: 1}
	switch k {
	case below:
		for j := range classes {
			m.W.Set(0, j, m.W.At(0, j)-20)
		}
	case wide: // multiplying x by the unit and dividing the weights by the unit multiplies r by the unit
		m.unit = math.Pow(10, float64(3*(i%3)-3))
		floats.Scale(m.unit, m.x)
		size := math.Pow(10, float64(2*(i%4)-3))
		m.W.Apply(func(row, _ int, w float64) float64 {
			if row > 0 {
				w /= m.unit
			}
			return w * size
		}, m.W)
	case border: // round to whole numbers, so that two functions are exactly equal
		m.W.Apply(func(row, j int, w float64) float64 {
			if row == 1 {
				w += float64(10 * j) // make all weights w_j different
			}
			return math.Round(w)
		}, m.W)
		for i, v := range m.x {
			m.x[i] = math.Round(3 * v)
		}
		if floats.Norm(m.x, 1) == 0 {
			// The exercise allows an error proportional to the distance or to the length of x, whichever is larger.
			// The distance is 0 on a border, so if x were 0, too, the exercise would allow no error.
			m.x[0] = 1
		}
		y := scores(m.W, m.x)
		for _, j := range []int{i % (classes - 1), classes - 1} {
			m.W.Set(0, j, m.W.At(0, j)+floats.Max(y)+1-y[j])
		}
	}
	return m
}

// scores returns the K functions (4.9) at x.
func scores(W *mat.Dense, x []float64) []float64 {
	_, k := W.Dims()
	y := make([]float64, k)
	for j := range y {
		y[j] = W.At(0, j) + floats.Dot(weights(W, j), x)
	}
	return y
}

// weights returns the weights w_j of function j, without its bias.
func weights(W *mat.Dense, j int) []float64 { return mat.Col(nil, j, W)[1:] }

var classQuestion = &judge.Question[classFunc, classifier]{
	Func: "Class", Name: "answer", Hint: 1, Entries: []string{"class k", "distance r"},
	Invoke: func(f classFunc, c *judge.Call, m classifier) []float64 {
		k, r := f(c.Dense("W", m.W), c.Slice("x", m.x))
		if _, classes := m.W.Dims(); k < 0 || k >= classes {
			c.Say(judge.Fail("no-class", 1, "Your k is %d. The classes are 0 … %d.", k, classes-1))
		}
		return []float64{float64(k), r}
	},
	Right: rightResult,
	Unit:  func(m classifier, _ []float64) []float64 { return []float64{1, distanceUnit(m)} },
	Mistakes: []judge.Mistake[classFunc]{
		{Key: "no-bias", Hint: 1, Message: "Your functions do not contain the biases, which are row 0 of W.",
			Answer: answerBy(func(W *mat.Dense, x []float64) []float64 {
				y := scores(W, x)
				floats.Sub(y, W.RawRowView(0))
				return y
			}, floats.MaxIdx, nearest)},
		{Key: "smallest", Hint: 1, Message: "Your class is the class with the smallest function.",
			Answer: answerBy(scores, floats.MinIdx, nearest)},
		{Key: "largest-size", Hint: 1,
			Message: "Your class is the class with the largest |y_k|, but this y_k may be far below 0. Compare the y_k including their signs.",
			Answer: answerBy(scores, func(y []float64) int {
				k := 0
				for j := range y {
					if math.Abs(y[j]) > math.Abs(y[k]) {
						k = j
					}
				}
				return k
			}, nearest)},
		{Key: "starts-at-zero", Hint: 1,
			Message: "{problem}: where all functions are negative, your class is 0, as if your search for the largest value began with the value 0. Begin with the value of the first class.",
			Answer: answerBy(scores, func(y []float64) int {
				k, most := 0, 0.0
				for j, v := range y {
					if v > most {
						k, most = j, v
					}
				}
				return k
			}, nearest)},
		{Key: "last-of-equal", Hint: 1,
			Message: "If several functions share the largest value, you return the last of their classes. Return the first.",
			Answer:  answerBy(scores, lastIdx, nearest)},
		{Key: "own-distance", Hint: 1,
			Message: "Your class is the class with the largest y_k/‖w_k‖, the signed distance from the plane y_k = 0. Compare the functions y_k themselves, (4.9).",
			Answer: func(W *mat.Dense, x []float64) (int, float64) {
				y := scores(W, x)
				for j := range y {
					y[j] /= floats.Norm(weights(W, j), 2)
				}
				k := floats.MaxIdx(y)
				return k, nearest(W, scores(W, x), k)
			}},
		{Key: "own-plane", Hint: 2,
			Message: "Your r is the distance from the plane y_k = 0, which is not a border: the border is where y_k equals another function.",
			Answer: answerBy(scores, floats.MaxIdx,
				func(W *mat.Dense, y []float64, k int) float64 { return y[k] / floats.Norm(weights(W, k), 2) })},
		{Key: "value", Hint: 2, Message: "Your r is y_k itself: that is a value, not a distance.",
			Answer: answerBy(scores, floats.MaxIdx, func(_ *mat.Dense, y []float64, k int) float64 { return y[k] })},
		{Key: "not-divided", Hint: 2,
			Message: "Your r is the smallest difference y_k − y_j. To get a distance, divide each difference by its ‖w_k − w_j‖ before you take the smallest.",
			Answer:  answerBy(scores, floats.MaxIdx, distanceOver(math.Min, func(*mat.Dense, int, int) float64 { return 1 }))},
		{Key: "wrong-length", Hint: 2,
			Message: "You divide by ‖w_k‖. The weights of the plane y_k − y_j = 0 are w_k − w_j.",
			Answer: answerBy(scores, floats.MaxIdx,
				distanceOver(math.Min, func(W *mat.Dense, k, _ int) float64 { return floats.Norm(weights(W, k), 2) }))},
		{Key: "squared-length", Hint: 2, Message: "You divide by the squared length of w_k − w_j; divide by the length.",
			Answer: answerBy(scores, floats.MaxIdx,
				distanceOver(math.Min, func(W *mat.Dense, k, j int) float64 { return math.Pow(weightGap(W, k, j), 2) }))},
		{Key: "length-with-bias", Hint: 2,
			Message: "You divide by a length that includes the biases. The biases only shift the plane: use the length of w_k − w_j alone.",
			Answer: answerBy(scores, floats.MaxIdx, distanceOver(math.Min, func(W *mat.Dense, k, j int) float64 {
				return floats.Distance(mat.Col(nil, k, W), mat.Col(nil, j, W), 2)
			}))},
		{Key: "farthest", Hint: 2,
			Message: "Your r is the distance from the farthest of the planes. The border of the region is the nearest plane.",
			Answer:  answerBy(scores, floats.MaxIdx, distanceOver(math.Max, weightGap))},
		{Key: "second-largest", Hint: 3,
			Message: "{problem}: your r is the distance from the plane between k and the class with the second largest function. Another plane is nearer here, so compare the distances from all planes.",
			Answer: answerBy(scores, floats.MaxIdx, func(W *mat.Dense, y []float64, k int) float64 {
				rest := append([]float64(nil), y...)
				rest[k] = math.Inf(-1)
				j := floats.MaxIdx(rest)
				return (y[k] - y[j]) / weightGap(W, k, j)
			})},
		{Key: "negative", Hint: 2,
			Message: "Your r is negative, but y_k is the largest value, so no difference y_k − y_j is negative.",
			Answer: answerBy(scores, floats.MaxIdx,
				func(W *mat.Dense, y []float64, k int) float64 { return -nearest(W, y, k) })},
	},
}

// answerBy returns an answer that computes the values of the linear functions. From these values,
// the function `pick` selects a class, and the function `distance` computes the distance for this
// class.
func answerBy(functions func(*mat.Dense, []float64) []float64, pick func([]float64) int,
	distance func(*mat.Dense, []float64, int) float64) classFunc {
	return func(W *mat.Dense, x []float64) (int, float64) {
		y := functions(W, x)
		k := pick(y)
		return k, distance(W, y, k)
	}
}

// distanceOver returns a function that computes a distance. The function divides each difference
// y_k − y_j by length(W, k, j), and combines the quotients with `join`, for example with math.Min.
func distanceOver(join func(a, b float64) float64, length func(W *mat.Dense, k, j int) float64) func(*mat.Dense, []float64,
	int) float64 {
	return func(W *mat.Dense, y []float64, k int) float64 {
		r := math.NaN()
		for j := range y {
			if v := (y[k] - y[j]) / length(W, k, j); j != k && math.IsNaN(r) {
				r = v
			} else if j != k {
				r = join(r, v)
			}
		}
		return r
	}
}

var nearest = distanceOver(math.Min, weightGap)

// weightGap returns ‖w_k − w_j‖, the length of the difference of two weight vectors.
func weightGap(W *mat.Dense, k, j int) float64 {
	return floats.Norm(instance.Minus(weights(W, k), weights(W, j)), 2)
}

func lastIdx(y []float64) int {
	k := 0
	for j := range y {
		if y[j] >= y[k] {
			k = j
		}
	}
	return k
}

func init() { judge.Known(exercise, classQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson01", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

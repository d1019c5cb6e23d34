// Package lesson01 judges the task of lesson 1: find the class with the largest linear function,
// and the distance from the border of its region.
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

// Check judges class. This function returns the class k with the largest linear function (4.9). It
// also returns the distance from the nearest of the planes (4.10) between class k and the other
// classes.
func Check(class classFunc) *verify.Report {
	return exercise.Judge(askClass.Parts(class, []judge.Property[machine]{
		judge.Form[machine]("a class from 0 to K−1 and a finite distance, the same on every call", on(plain, below),
			nil, judge.Wrong{}, "You returned a class and a distance."),
		{Name: "the class of the largest function", On: on(plain, below), Holds: sameClass,
			Wrong: judge.Wrong{Key: "class", Hint: 1,
				Message: "{problem}: your k is not the class whose y_k is the largest."},
			Right: "Your class is the class with the largest function, also where all functions are negative."},
		{Name: "the distance from the nearest border", On: on(plain, below, wide), Holds: exactly,
			Wrong: judge.Wrong{Key: "distance", Hint: 2,
				Message: "{problem}: your r is not the distance from the nearest plane y_k = y_j: {off}."},
			Right: "Your r is the distance from the nearest of the planes, for weights and inputs of any size."},
		{Name: "on a border the first class, at distance 0", On: on(plain, border), Holds: exactly,
			Wrong: judge.Wrong{Key: "border", Hint: 1,
				Message: "{problem}: several functions share the largest value. Return the first of their classes, and the distance 0."},
			Right: "On a border you return the first of the classes that meet there, and 0."},
	}...)...)
}

func sameClass(m machine, got []float64) verify.Finding {
	return verify.Close(got[0], right(m)[0], verify.Tolerance{})
}

func exactly(m machine, got []float64) verify.Finding {
	if f := sameClass(m, got); !f.OK {
		return f
	}
	return verify.Close(got[1], right(m)[1], verify.Tolerance{Rel: 1e-9, Abs: 1e-9 * size(m)})
}

// size returns the size to which the tolerance of distances is relative: the length of the input,
// but at least the unit of the inputs.
func size(m machine) float64 { return math.Max(m.unit, floats.Norm(m.x, 2)) }

// right returns the right class and distance. It computes each distance from the point nearest to x
// on the plane, which lies along the normal.
func right(m machine) []float64 {
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

// A machine is a classifier with one input.
type machine struct {
	name string
	W    *mat.Dense
	x    []float64
	unit float64 // the unit of the inputs
}

func (m machine) String() string {
	d, k := m.W.Dims()
	return fmt.Sprintf("%s (K = %d, D = %d, x = %.3g, the y_k are %.3g)", m.name, k, d-1, m.x, scores(m.W, m.x))
}

type kind int

var kinds = []string{"a point within a region", "a point where all functions are negative", "a machine in other units",
	"a point on a border"}

const (
	plain kind = iota
	below
	wide
	border
)

// on draws machines of the given kinds, with two or more classes.
var on = instance.OfKinds(5001, 12, draw)

func draw(r *rand.Rand, k kind, i int) machine {
	d, classes := 1+i%4, 2+i%5
	m := machine{name: kinds[k], W: mat.NewDense(d+1, classes, instance.Normals(r, (d+1)*classes)),
		x: instance.Normals(r, d), unit: 1}
	switch k {
	case below:
		for j := range classes {
			m.W.Set(0, j, m.W.At(0, j)-20)
		}
	case wide: // r is in the unit of x, and does not depend on the size of the functions
		m.unit = math.Pow(10, float64(3*(i%3)-3))
		floats.Scale(m.unit, m.x)
		size := math.Pow(10, float64(2*(i%4)-3))
		m.W.Apply(func(row, _ int, w float64) float64 {
			if row > 0 {
				w /= m.unit
			}
			return w * size
		}, m.W)
	case border: // whole numbers, so that two functions are exactly equal
		m.W.Apply(func(row, j int, w float64) float64 {
			if row == 1 {
				w += float64(10 * j) // makes the weights of all functions different
			}
			return math.Round(w)
		}, m.W)
		for i, v := range m.x {
			m.x[i] = math.Round(3 * v)
		}
		if floats.Norm(m.x, 1) == 0 {
			m.x[0] = 1 // the distance is promised to digits of the length of x
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

// weights returns the weights of function j, without the bias.
func weights(W *mat.Dense, j int) []float64 { return mat.Col(nil, j, W)[1:] }

func init() { judge.Known(exercise, askClass, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson01", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Package equation helps tests to check numbered equations numerically. A test computes both sides
// of an equation for random values, each side in a different way, and Check compares the results.
//
//	equation.Check(t, "prml-4.88", func(r *rand.Rand) (left, right any) {
//		a := 3 * r.NormFloat64()
//		return derivative(kernels.Sigmoid, a), kernels.Sigmoid(a) * kernels.Sigmoid(-a)
//	})
//
// The command in the folder generate makes an index of equations, with links to these tests. It
// finds each call by its id, for example "prml-4.88". The id must therefore be a string literal, and
// the table of equations in generate/equations must contain it. The tests of a course in a separate
// module can use this package in the same way.
package equation

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Draws is the number of times that random values are drawn for each equation.
const Draws = 20

// Tolerance is the largest difference between the two sides that Check allows, relative to the
// largest absolute value on either side.
const Tolerance = 1e-9

// Sides is a function that draws random values and computes both sides of an equation for them.
// Each side is a number, a slice of numbers, a matrix, or a []any of such values.
type Sides func(r *rand.Rand) (left, right any)

// Check calls CheckTo with the default tolerance, the constant Tolerance.
func Check(t testing.TB, id string, sides Sides) {
	t.Helper()
	CheckTo(t, id, Tolerance, sides)
}

// CheckTo draws random values several times. It fails t if in any draw the sides of the equation
// differ by more than tolerance, relative to the largest absolute value on either side. It also fails
// t if the sides have different numbers of values, or if a side is empty, has an unknown type or
// contains a number that is not finite. CheckTo fails t as well if the left side is the same in every
// draw, because equal draws check the equation only once.
func CheckTo(t testing.TB, id string, tolerance float64, sides Sides) {
	t.Helper()
	var first []float64
	varies := false
	for i := range Draws {
		left, right, err := both(sides, id, i)
		if err != nil {
			t.Errorf("%s, draw %d: %v", id, i, err)
			return
		}
		if at, gap := farthest(left, right); !(gap <= tolerance) {
			t.Errorf("%s, draw %d: number %d is %v on the left and %v on the right; the difference relative to the largest number is %.2g, want at most %.2g", id, i, at, left[at],
				right[at], gap, tolerance)
			return
		}
		if i == 0 {
			first = left
		}
		varies = varies || !same(first, left)
	}
	if !varies {
		t.Errorf("%s: all %d draws give the same numbers on the left, want different numbers in different draws", id, Draws)
	}
}

// Holds draws random values several times, and fails t if the function `statement` returns an error
// for any draw. Use Holds for inequalities and for properties of a set of values.
func Holds(t testing.TB, id string, statement func(r *rand.Rand) error) {
	t.Helper()
	for i := range Draws {
		if err := statement(drawSource(id, i)); err != nil {
			t.Errorf("%s, draw %d: %v", id, i, err)
			return
		}
	}
}

// A Reading contains three values for one random draw. Printed is the value of the printed equation,
// and Right is the value of the corrected equation. True is the true value, computed independently of
// both. Printed is nil if the printed equation has no value, for example because its matrices cannot
// be multiplied.
type Reading struct{ True, Printed, Right any }

// Misprint checks that the entry of the errata with the given id is indeed a misprint, and fails t
// otherwise. The value of the corrected form must equal the true value in every draw, with a relative
// error of at most 1e-6. The value of the printed form must be wrong in at least half of the draws. It
// is wrong if it is nil, empty or not finite, has the wrong number of values, or differs from the true
// value by more than a thousandth of the largest absolute value in the two. Misprint also fails t if one
// of the three values has an unknown type.
func Misprint(t testing.TB, id string, read func(r *rand.Rand) Reading) {
	t.Helper()
	wrong := 0
	for i := range Draws {
		x := read(drawSource(id, i))
		truth, err := numbers(x.True)
		right, err2 := numbers(x.Right)
		if err == nil {
			err = err2
		}
		if err == nil && len(truth) != len(right) {
			err = fmt.Errorf("the true value has %d numbers, the corrected form has %d: want equally many", len(truth), len(right))
		}
		if err != nil {
			t.Errorf("%s, draw %d: %v", id, i, err)
			return
		}
		if at, gap := farthest(truth, right); !(gap <= 1e-6) {
			t.Errorf("%s, draw %d: the corrected form gives %v, want %v", id, i, right[at], truth[at])
			return
		}
		printed, err := numbers(x.Printed)
		if x.Printed != nil && errors.As(err, new(typeError)) {
			t.Errorf("%s, draw %d: the printed form: %v", id, i, err)
			return
		}
		if err != nil || len(printed) != len(truth) {
			wrong++ // a printed form that is nil, empty, not finite or of the wrong length also counts as wrong
			continue
		}
		if _, gap := farthest(truth, printed); !(gap <= 1e-3) {
			wrong++
		}
	}
	if wrong < Draws/2 {
		t.Errorf("%s: the printed form is wrong in only %d of %d draws, want at least half of them for a misprint", id, wrong, Draws)
	}
}

// drawSource returns the random number generator for draw i of the equation with the given id. The
// generator depends only on i and id, so every run of a test draws the same values.
func drawSource(id string, i int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(id))
	return rand.New(rand.NewPCG(h.Sum64(), uint64(i)))
}

func both(sides Sides, id string, i int) (left, right []float64, err error) {
	l, r := sides(drawSource(id, i))
	if left, err = numbers(l); err != nil {
		return nil, nil, fmt.Errorf("left: %w", err)
	}
	if right, err = numbers(r); err != nil {
		return nil, nil, fmt.Errorf("right: %w", err)
	}
	if len(left) != len(right) {
		return nil, nil, fmt.Errorf("%d numbers on the left, %d on the right: want equally many", len(left), len(right))
	}
	return left, right, nil
}

// A typeError says that a side of an equation has a type that the function `numbers` does not support.
type typeError string

func (e typeError) Error() string { return string(e) }

// numbers returns a list of all numbers in one side of an equation. It returns an error if the side
// has an unknown type, is empty, or contains a number that is not finite.
func numbers(side any) (list []float64, err error) {
	switch v := side.(type) {
	case float64:
		list = []float64{v}
	case int:
		list = []float64{float64(v)}
	case []float64:
		list = v
	case []int:
		for _, x := range v {
			list = append(list, float64(x))
		}
	case mat.Matrix:
		r, c := v.Dims()
		for i := range r {
			for j := range c {
				list = append(list, v.At(i, j))
			}
		}
	case []any:
		for _, x := range v {
			more, err := numbers(x)
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
		}
	default:
		return nil, typeError(fmt.Sprintf("unknown type %T: want float64, int, []float64, []int, mat.Matrix or []any", side))
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the %T is empty: want at least one number", side)
	}
	for _, x := range list {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("one of the numbers is %v: want finite numbers", x)
		}
	}
	return list, nil
}

// farthest compares two lists of the same length. It returns the position of the largest
// difference, and this difference divided by the largest absolute value in the lists.
func farthest(left, right []float64) (at int, gap float64) {
	size := 0.0
	for i := range left {
		size = max(size, math.Abs(left[i]), math.Abs(right[i]))
	}
	for i := range left {
		if d := math.Abs(left[i]-right[i]) / max(size, math.SmallestNonzeroFloat64); d > gap {
			at, gap = i, d
		}
	}
	return at, gap
}

func same(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

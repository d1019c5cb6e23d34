package ex04_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex04"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type directionFunc = func(X1, X2 *mat.Dense) []float64

func TestFunctions(t *testing.T) { gate.Functions(t, ex04.Exercise(), gate.Of(ex04.Check, Direction)) }

// difference returns m2 − m1.
func difference(X1, X2 *mat.Dense) []float64 {
	return instance.Minus(instance.Mean(X2), instance.Mean(X1))
}

// changed returns an answer that calls f and applies the function `change` to its result.
func changed(f directionFunc, change func(w []float64)) directionFunc {
	return func(X1, X2 *mat.Dense) []float64 {
		w := f(X1, X2)
		change(w)
		return w
	}
}

// unit returns an answer that calls f and scales its result to length 1.
func unit(f directionFunc) directionFunc {
	return changed(f, func(w []float64) { floats.Scale(1/floats.Norm(w, 2), w) })
}

// eigenvector returns the eigenvector of S_B with the largest eigenvalue. The sign of this vector
// is arbitrary.
func eigenvector(X1, X2 *mat.Dense) []float64 {
	gap := difference(X1, X2)
	var sb mat.SymDense
	sb.SymOuterK(1, mat.NewDense(len(gap), 1, gap))
	var e mat.EigenSym
	e.Factorize(&sb, true)
	var v mat.Dense
	e.VectorsTo(&v)
	return mat.Col(nil, len(gap)-1, &v)
}

// ascent computes w by projected gradient ascent.
func ascent(X1, X2 *mat.Dense) []float64 {
	gap := difference(X1, X2)
	w := make([]float64, len(gap))
	for range 50 {
		floats.AddScaled(w, 1/floats.Norm(gap, 2), gap)
		floats.Scale(1/floats.Norm(w, 2), w)
	}
	return w
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex04.Check, map[string]directionFunc{
		"reference": Direction,
		"column by column": unit(func(X1, X2 *mat.Dense) []float64 {
			w := make([]float64, X1.RawMatrix().Cols)
			for j := range w {
				w[j] = stat.Mean(mat.Col(nil, j, X2), nil) - stat.Mean(mat.Col(nil, j, X1), nil)
			}
			return w
		}),
		"divided by 2λ, with the Lagrange multiplier λ = |m2 − m1|/2": changed(difference, func(w []float64) {
			lambda := math.Sqrt(floats.Dot(w, w)) / 2
			floats.Scale(1/(2*lambda), w)
		}),
		"eigenvector of S_B, with the sign chosen so that it points to m2": func(X1, X2 *mat.Dense) []float64 {
			w := eigenvector(X1, X2)
			floats.Scale(math.Copysign(1, floats.Dot(w, difference(X1, X2))), w)
			return w
		},
		"projected gradient ascent":                         ascent,
		"one entry with an error below the stated accuracy": unit(changed(Direction, func(w []float64) { w[len(w)-1] += 1e-8 })),
	})
}

// TestWrong checks wrong answers that are not in the tables of mistakes in check.go. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	gate.Wrongs(t, ex04.Exercise(), ex04.Check, map[string][]directionFunc{
		// the second answer does not normalise if the means are closer than 1e-6
		"not-normalised": {difference, changed(difference, func(w []float64) {
			if length := floats.Norm(w, 2); length > 1e-6 {
				floats.Scale(1/length, w)
			}
		})},
		"divided-by-square": {changed(difference, func(w []float64) { floats.Scale(1/floats.Dot(w, w), w) })},
		"other-norm": {
			changed(difference, func(w []float64) { floats.Scale(1/floats.Norm(w, 1), w) }),
			changed(difference, func(w []float64) { floats.Scale(1/floats.Norm(w, math.Inf(1)), w) }),
		},
		"divided-too-early": {changed(difference, func(w []float64) {
			sum := 0.0
			for i := range w {
				sum += w[i] * w[i]
				w[i] /= math.Sqrt(sum)
			}
		})},
		"length": {
			// this answer divides m2 − m1 by 2λ, but with λ = |m2 − m1|
			changed(Direction, func(w []float64) { floats.Scale(0.5, w) }),
			changed(Direction, func(w []float64) { floats.Scale(1+1e-7, w) }),
			changed(Direction, func(w []float64) { floats.Scale(1e300, w) }),
		},
		"minimum": {func(X1, X2 *mat.Dense) []float64 { return Direction(X2, X1) }},
		"orientation": {
			eigenvector,
			oneDimension(func(float64) float64 { return 1 }),
			oneDimension(func(float64) float64 { return -1 }),
			changed(Direction, func(w []float64) { floats.Scale(math.Copysign(1, w[0]), w) }),
		},
		"not-finite": {oneDimension(func(gap float64) float64 { return math.Sqrt(gap) / math.Sqrt(gap) })},
		"direction": {
			changed(Direction, func(w []float64) { clear(w); w[0] = 1 }),
			changed(Direction, func(w []float64) { w[0] += 1e-6 }),
			wrongIf(func(gap float64) bool { return gap < 0.1 }), wrongIf(func(gap float64) bool { return gap > 500 }),
		},
		"not-largest":    {changed(Direction, func(w []float64) { clear(w); w[0] = 1 })},
		"not-stationary": {unit(changed(Direction, func(w []float64) { w[0] += 1e-4 }))},
		"one-per-point":  {func(X1, X2 *mat.Dense) []float64 { return make([]float64, X2.RawMatrix().Rows) }},
	})
}

// oneDimension returns an answer that can be wrong only for D = 1. For D = 1 the answer returns
// f(m2 − m1).
func oneDimension(f func(gap float64) float64) directionFunc {
	return func(X1, X2 *mat.Dense) []float64 {
		if _, d := X1.Dims(); d == 1 {
			return []float64{f(difference(X1, X2)[0])}
		}
		return Direction(X1, X2)
	}
}

// wrongIf returns an answer that is wrong only if D > 1 and the function `condition` returns true
// for the distance between the means.
func wrongIf(condition func(gap float64) bool) directionFunc {
	return func(X1, X2 *mat.Dense) []float64 {
		w := Direction(X1, X2)
		if condition(floats.Norm(difference(X1, X2), 2)) && len(w) > 1 {
			w[0], w[1] = -w[1], w[0]
		}
		return w
	}
}

// TestTurned checks an answer whose w has the wrong sign for some problems. The first four parts of
// the report must reject only the sign of w, not the line along which w lies.
func TestTurned(t *testing.T) {
	r := ex04.Check(eigenvector)
	for i, want := range []verify.Outcome{verify.Right, verify.Right, verify.Right, verify.Wrong} {
		if got := r.Parts[i].Outcome; got != want {
			t.Errorf("part %d is %s, want %s:\n%s", i+1, got, want, r)
		}
	}
}

// TestOtherLine checks the message about the sign of w for two answers. If w lies along m2 − m1 but
// points from m2 to m1, the message must explain the sign. If w does not lie along m2 − m1, the
// message must refer to part 3, because the sign is not the only fault.
func TestOtherLine(t *testing.T) {
	turned := changed(Direction, func(w []float64) {
		floats.Scale(-1, w)
		if len(w) > 1 {
			w[0], w[1] = w[0]-w[1], w[1]+w[0]
		}
	})
	for want, f := range map[string]directionFunc{"of an eigenvector is arbitrary": eigenvector, "Part 3": turned} {
		if got := ex04.Check(f).Parts[3]; got.Key != "orientation" || !strings.Contains(got.Message, want) {
			t.Errorf("want key \"orientation\" and a message with %q, got %s: %s", want, got.Key, got.Message)
		}
	}
}

func ExampleCheck() {
	turned := func(X1, X2 *mat.Dense) []float64 { return Direction(X2, X1) }
	fmt.Println(ex04.Check(turned).Parts[4].Message)
	// Output: For “tilted classes in the plane” your w projects the mean of class 2 below the mean of class 1: wᵀ(m2 − m1) is negative, and other unit vectors make it positive.
}

/*
Equivalent mutants

Direction: floats.AddScaled(m, 1/float64(n), X.RawRowView(i)) → floats.AddScaled(m, 2/float64(n), X.RawRowView(i))
Direction: floats.AddScaled(m, 1/float64(n), X.RawRowView(i)) → floats.AddScaled(m, 0.5/float64(n), X.RawRowView(i))
    Both means are multiplied by the same positive number, and so is their difference. Dividing by its length cancels the number.
*/

package lesson01_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson01"
)

type classFunc = func(W *mat.Dense, x []float64) (k int, r float64)

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson01.Exercise(), gate.Of(lesson01.Check, Class))
}

// TestDigits checks the tolerance for every problem: Check must accept a tenth of the error that
// the exercise allows, and reject ten times the allowed error.
func TestDigits(t *testing.T) {
	gate.Digits(t, lesson01.Check, Class, func(in, out []any) float64 { return 1e-9 * gate.Largest(in[1], out[1]) })
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson01.Check, map[string]classFunc{
		"reference": Class,
		"vectors": func(W *mat.Dense, x []float64) (int, float64) {
			_, K := W.Dims()
			var y mat.VecDense
			y.MulVec(W.T(), mat.NewVecDense(len(x)+1, append([]float64{1}, x...)))
			k := floats.MaxIdx(y.RawVector().Data)
			r := math.Inf(1)
			for j := range K {
				if j == k {
					continue
				}
				var difference mat.VecDense
				difference.SubVec(W.ColView(k), W.ColView(j))
				r = min(r, (y.AtVec(k)-y.AtVec(j))/mat.Norm(difference.SliceVec(1, len(x)+1), 2))
			}
			return k, r
		},
		// doubling all functions changes neither the regions nor the distances
		"scaled": func(W *mat.Dense, x []float64) (int, float64) {
			var twice mat.Dense
			twice.Scale(2, W)
			return Class(&twice, x)
		},
		"all pairs": func(W *mat.Dense, x []float64) (int, float64) {
			_, K := W.Dims()
			for k := range K { // find the first class for which no distance from a plane is negative
				r := math.Inf(1)
				for j := range K {
					normal, value := make([]float64, len(x)), W.At(0, k)-W.At(0, j)
					for i := range x {
						normal[i] = W.At(i+1, k) - W.At(i+1, j)
						value += normal[i] * x[i]
					}
					if j != k {
						r = min(r, value/floats.Norm(normal, 2))
					}
				}
				if r >= 0 {
					return k, r
				}
			}
			return 0, 0
		},
	})
}

func TestWrong(t *testing.T) {
	gate.Wrongs(t, lesson01.Exercise(), lesson01.Check, map[string][]classFunc{
		"wrong-before": {func(W *mat.Dense, x []float64) (int, float64) { k, r := Class(W, x); return k, 1.1*r + 1 }},
		"no-class":     {func(W *mat.Dense, x []float64) (int, float64) { k, r := Class(W, x); return k + 1, r }},
		"class":        {func(W *mat.Dense, x []float64) (int, float64) { return 1, 0 }},
		"distance":     {func(W *mat.Dense, x []float64) (int, float64) { k, r := Class(W, x); return k, r * r }},
		"border": {func(W *mat.Dense, x []float64) (int, float64) {
			k, r := Class(W, x)
			return k,
				math.Max(r, 1e-3)
		}},
	})
}

func ExampleCheck() {
	value := func(W *mat.Dense, x []float64) (int, float64) {
		k, _ := Class(W, x)
		y := W.At(0, k)
		for i, v := range x {
			y += W.At(i+1, k) * v
		}
		return k, y
	}
	fmt.Println(lesson01.Check(value).Parts[2].Message)
	// Output: Your r is y_k itself: that is a value, not a distance.
}

/*
Equivalent mutants

Class: squares += math.Pow(W.At(i+1, k)-W.At(i+1, j), 2) → squares += math.Pow(-(W.At(i+1, k)-W.At(i+1, j)), 2)
    The square removes the sign.
*/

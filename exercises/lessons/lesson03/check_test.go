package lesson03_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson03"
)

type directionFunc = func(X1, X2 *mat.Dense) []float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson03.Exercise(), gate.OfNew(lesson03.Check, Direction))
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson03.Check, map[string]directionFunc{
		"reference": Direction,
		"length 1": func(X1, X2 *mat.Dense) []float64 {
			w := Direction(X1, X2)
			floats.Scale(1/floats.Norm(w, 2), w)
			return w
		},
		"products of centred tables": func(X1, X2 *mat.Dense) []float64 {
			_, d := X1.Dims()
			S := mat.NewDense(d, d, nil)
			for _, X := range []*mat.Dense{X1, X2} {
				centred, m := mat.DenseCopyOf(X), mean(X)
				centred.Apply(func(_, j int, v float64) float64 { return v - m[j] }, centred)
				var product mat.Dense
				product.Mul(centred.T(), centred)
				S.Add(S, &product)
			}
			var inverse mat.Dense
			_ = inverse.Inverse(S) // ignore the error, which only reports a large condition number
			var w mat.VecDense
			w.MulVec(&inverse, mat.NewVecDense(d, floats.SubTo(make([]float64, d), mean(X1), mean(X2))))
			return w.RawVector().Data
		},
		"total scatter": func(X1, X2 *mat.Dense) []float64 { // the result is parallel to S_W⁻¹(m1 − m2)
			var all mat.Dense
			all.Stack(X1, X2)
			var S mat.SymDense
			stat.CovarianceMatrix(&S, &all, nil)
			_, d := X1.Dims()
			var w mat.VecDense
			_ = w.SolveVec(&S, mat.NewVecDense(d, floats.SubTo(make([]float64, d), mean(X1), mean(X2))))
			return w.RawVector().Data
		},
	})
}

func TestWrong(t *testing.T) {
	gate.Wrongs(t, lesson03.Exercise(), lesson03.Check, map[string][]directionFunc{
		"zero": {func(X1, X2 *mat.Dense) []float64 { return make([]float64, len(mean(X1))) }},
		"sign": {func(X1, X2 *mat.Dense) []float64 {
			w := Direction(X1, X2)
			floats.Scale(-1, w)
			return w
		}, func(X1, X2 *mat.Dense) []float64 { return Direction(X2, X1) }},
		"direction": {func(X1, X2 *mat.Dense) []float64 {
			w := Direction(X1, X2)
			w[0] += 0.1 * floats.Norm(w, 2)
			return w
		}},
	})
}

func ExampleCheck() {
	line := func(X1, X2 *mat.Dense) []float64 { return floats.SubTo(mean(X1), mean(X1), mean(X2)) }
	fmt.Println(lesson03.Check(line).Parts[1].Message)
	// Output: Your w is m1 − m2, the line of the means. It is Fisher's direction only where the classes are round: S_W is missing, or has no effect.
}

/*
Equivalent mutants

Direction: v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), X.RawRowView(i), m)) → v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), m, X.RawRowView(i)))
    The outer product of v with itself removes the sign.

Direction: SW.RankOne(SW, 1, v, v) → SW.RankOne(SW, 2, v, v)
    The direction may have any length.

Direction: SW.RankOne(SW, 1, v, v) → SW.RankOne(SW, 0.5, v, v)
    The direction may have any length.

Direction: if err := w.SolveVec(SW, mat.NewVecDense(d, difference)); err != nil → if err := w.SolveVec(SW.T(), mat.NewVecDense(d, difference)); err != nil
    S_W is symmetric.
*/

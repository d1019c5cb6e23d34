package lesson13_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson13"
)

type sharesFunc = func(Y *mat.Dense, from, to []float64) []float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson13.Exercise(), gate.OfNew(lesson13.Check, Shares))
}

// TestDigits checks the tolerance for every problem: Check must accept a tenth of the error that
// the statement allows, and reject ten times the allowed error.
func TestDigits(t *testing.T) {
	gate.Digits(t, lesson13.Check, Shares, func(_, out []any) float64 { return 1e-9 * gate.Largest(out[0]) })
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson13.Check, map[string]sharesFunc{
		"reference": Shares,
		"entry by entry": func(Y *mat.Dense, from, to []float64) []float64 {
			n, k := Y.Dims()
			out := make([]float64, k)
			for i := range n {
				all := 0.0
				for j := range k {
					all += Y.At(i, j) * to[j] / from[j]
				}
				for j := range k {
					out[j] += Y.At(i, j) * to[j] / from[j] / all
				}
			}
			floats.Scale(1/float64(n), out)
			return out
		},
		"matrices": func(Y *mat.Dense, from, to []float64) []float64 {
			n, k := Y.Dims()
			ratio := floats.DivTo(make([]float64, k), to, from)
			var z mat.Dense
			z.Mul(Y, mat.NewDiagDense(k, ratio))
			z.Apply(func(i, _ int, v float64) float64 { return v / mat.Dot(Y.RowView(i), mat.NewVecDense(k, ratio)) },
				&z)
			out := make([]float64, k)
			for j := range out {
				out[j] = mat.Sum(z.ColView(j)) / float64(n)
			}
			return out
		},
		"log odds": func(Y *mat.Dense, from, to []float64) []float64 {
			n, k := Y.Dims()
			out := make([]float64, k)
			for i := range n {
				for j := range k {
					others := 0.0 // the sum of the odds of all classes against class j
					for l := range k {
						others += math.Exp(math.Log(Y.At(i, l)) - math.Log(Y.At(i, j)) +
							math.Log(to[l]/from[l]) - math.Log(to[j]/from[j]))
					}
					if Y.At(i, j) > 0 {
						out[j] += 1 / others / float64(n)
					}
				}
			}
			return out
		},
	})
}

func TestWrong(t *testing.T) {
	// power returns an answer that multiplies each posterior by (to/from)^c instead of to/from.
	power := func(c float64) sharesFunc {
		return func(Y *mat.Dense, from, to []float64) []float64 {
			ratio := floats.DivTo(make([]float64, len(to)), to, from)
			for j := range ratio {
				ratio[j] = math.Pow(ratio[j], c) * from[j]
			}
			return Shares(Y, from, ratio)
		}
	}
	gate.Wrongs(t, lesson13.Exercise(), lesson13.Check, map[string][]sharesFunc{
		"wrong-before": {func(Y *mat.Dense, from, to []float64) []float64 {
			out := Shares(Y, from, to)
			out[0] *= 1.1
			return out
		}},
		// this answer squares the posteriors
		"mean": {func(Y *mat.Dense, from, to []float64) []float64 {
			var z mat.Dense
			z.MulElem(Y, Y)
			return Shares(&z, from, to)
		}},
		"correction": {power(2), power(0.5)},
		"limits": {func(Y *mat.Dense, from, to []float64) []float64 {
			out := Shares(Y, from, to)
			for j := range out {
				out[j] = math.Max(out[j], 1e-6)
			}
			return out
		}},
	})
}

func ExampleCheck() {
	inverted := func(Y *mat.Dense, from, to []float64) []float64 { return Shares(Y, to, from) }
	fmt.Println(lesson13.Check(inverted).Parts[2].Message)
	// Output: Your quotient is from/to. The probability of a class that has become rarer must decrease, so the quotient is to/from.
}

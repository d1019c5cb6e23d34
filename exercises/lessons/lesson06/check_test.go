package lesson06_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson06"
)

type countFunc = func(X *mat.Dense, labels []int, k int, alpha float64) *mat.Dense

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson06.Exercise(), gate.OfNew(lesson06.Check, Count))
}

// TestDigits checks the tolerance for every problem: Check must accept a tenth of the error that
// the exercise allows, and reject ten times the allowed error.
func TestDigits(t *testing.T) {
	gate.Digits(t, lesson06.Check, Count, func(_, out []any) float64 { return 1e-9 * gate.Largest(out[0]) })
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson06.Check, map[string]countFunc{
		"reference": Count,
		"from alpha on": func(X *mat.Dense, labels []int, k int, alpha float64) *mat.Dense {
			_, d := X.Dims()
			ones, zeros := mat.NewDense(k, d, nil), mat.NewDense(k, d, nil)
			start := func(int, int, float64) float64 { return alpha }
			ones.Apply(start, ones)
			zeros.Apply(start, zeros)
			for n, c := range labels {
				for i := range d {
					if X.At(n, i) == 1 {
						ones.Set(c, i, ones.At(c, i)+1)
					} else {
						zeros.Set(c, i, zeros.At(c, i)+1)
					}
				}
			}
			zeros.Add(zeros, ones)
			ones.DivElem(ones, zeros)
			return ones
		},
		"a product of matrices": func(X *mat.Dense, labels []int, k int, alpha float64) *mat.Dense {
			n, _ := X.Dims()
			T := mat.NewDense(n, k, nil)
			for row, c := range labels {
				T.Set(row, c, 1)
			}
			var mu mat.Dense
			mu.Mul(T.T(), X)
			mu.Apply(func(c, _ int, ones float64) float64 { return (ones + alpha) / (mat.Sum(T.ColView(c)) + 2*alpha) },
				&mu)
			return &mu
		},
		"entry by entry": func(X *mat.Dense, labels []int, k int, alpha float64) *mat.Dense {
			_, d := X.Dims()
			mu := mat.NewDense(k, d, nil)
			for c := range k {
				for i := range d {
					ones, rows := alpha, 2*alpha
					for n := range labels {
						if labels[n] == c {
							ones += X.At(n, i)
							rows++
						}
					}
					mu.Set(c, i, ones/rows)
				}
			}
			return mu
		},
	})
}

func TestWrong(t *testing.T) {
	gate.Wrongs(t, lesson06.Exercise(), lesson06.Check, map[string][]countFunc{
		"wrong-before": {func(X *mat.Dense, labels []int, k int, alpha float64) *mat.Dense {
			return Count(X, labels, k, math.Sqrt(alpha))
		}},
		"shares": {func(X *mat.Dense, labels []int, k int, alpha float64) *mat.Dense {
			return Count(X, labels, k,
				3*alpha)
		}},
		"smoothing": {func(X *mat.Dense, labels []int, k int, alpha float64) *mat.Dense {
			return Count(X, labels, k, min(alpha, 0.3))
		}},
		// this answer returns 0 for a class without rows
		"limits": {func(X *mat.Dense, labels []int, k int, alpha float64) *mat.Dense {
			mu := Count(X, labels, k, alpha)
			seen := make([]float64, k)
			for _, c := range labels {
				seen[c] = 1
			}
			mu.Apply(func(c, _ int, v float64) float64 { return v * seen[c] }, mu)
			return mu
		}},
	})
}

func ExampleCheck() {
	plain := func(X *mat.Dense, labels []int, k int, alpha float64) *mat.Dense { return Count(X, labels, k, 1e-12) }
	fmt.Println(lesson06.Check(plain).Parts[1].Message)
	// Output: Your answer does not depend on α: your numbers are N_ki/N_k.
}

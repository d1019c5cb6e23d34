package lesson09_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson09"
)

type stepFunc = func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson09.Exercise(), gate.OfNew(lesson09.Check, Step))
}

// stepWith returns a step that computes the outputs with the given softmax.
func stepWith(softmax func(a []float64) []float64) stepFunc {
	return func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense {
		m, K := W.Dims()
		a := make([]float64, K)
		for j := range K {
			for i := range m {
				a[j] += W.At(i, j) * phi[i]
			}
		}
		y, next := softmax(a), mat.NewDense(m, K, nil)
		for i := range m {
			for j := range K {
				t := 0.0
				if j == k {
					t = 1
				}
				next.Set(i, j, W.At(i, j)-eta*(y[j]-t)*phi[i])
			}
		}
		return next
	}
}

// shiftedSoftmax returns a softmax that subtracts top(a) from every activation before it computes
// the exponentials.
func shiftedSoftmax(top func(a []float64) float64) func(a []float64) []float64 {
	return func(a []float64) []float64 {
		y, by := make([]float64, len(a)), top(a)
		for j := range a {
			y[j] = math.Exp(a[j] - by)
		}
		floats.Scale(1/floats.Sum(y), y)
		return y
	}
}

// TestDigits checks the tolerance for every problem: Check must accept a tenth of the error that
// the statement allows, and reject ten times the allowed error.
func TestDigits(t *testing.T) {
	gate.Digits(t, lesson09.Check, Step, func(in, out []any) float64 { return 1e-9 * gate.Largest(in[0], out[0]) })
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson09.Check, map[string]stepFunc{
		"reference":   Step,
		"loops":       stepWith(shiftedSoftmax(floats.Max)),
		"log sum exp": stepWith(logSoftmax),
		"columns": func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense {
			var a mat.Dense
			a.Mul(mat.NewDense(1, len(phi), phi), W)
			y := logSoftmax(a.RawRowView(0))
			next := mat.DenseCopyOf(W)
			for j := range y {
				column := mat.Col(nil, j, W)
				if j == k {
					y[j]--
				}
				floats.AddScaled(column, -eta*y[j], phi)
				next.SetCol(j, column)
			}
			return next
		},
	})
}

// logSoftmax returns the softmax as exp(a_k − ln Σ_j exp(a_j)).
func logSoftmax(a []float64) []float64 {
	y, sum := make([]float64, len(a)), floats.LogSumExp(a)
	for j := range a {
		y[j] = math.Exp(a[j] - sum)
	}
	return y
}

func TestWrong(t *testing.T) {
	gate.Wrongs(t, lesson09.Exercise(), lesson09.Check, map[string][]stepFunc{
		"not-new": {func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense {
			if next := Step(W, phi, k, eta); !mat.Equal(next, W) {
				return next
			}
			return W
		}},
		"not-finite": {stepWith(shiftedSoftmax(func([]float64) float64 { return 0 }))},
		"far": {stepWith(func(a []float64) []float64 {
			clipped := make([]float64, len(a))
			for j, v := range a {
				clipped[j] = math.Max(-30, math.Min(30, v))
			}
			return logSoftmax(clipped)
		})},
		"step": {func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense { return Step(W, phi, k, eta*eta) }},
		// for two classes, this answer leaves the weights of the second class unchanged, and its new
		// weights of the first class are the right ones plus 0.001φ
		"sizes": {func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense {
			if _, K := W.Dims(); K != 2 {
				return Step(W, phi, k, eta)
			}
			next := Step(W, phi, k, eta)
			next.SetCol(1, mat.Col(nil, 1, W))
			for i := range phi {
				next.Set(i, 0, next.At(i, 0)+1e-3*phi[i])
			}
			return next
		}},
	})
}

func ExampleCheck() {
	alone := func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense {
		next := mat.DenseCopyOf(W)
		next.SetCol(k, mat.Col(nil, k, Step(W, phi, k, eta)))
		return next
	}
	fmt.Println(lesson09.Check(alone).Parts[1].Message)
	// Output: Your step moves only the column of the true class. The column of every other class j must move away from the pattern, by ηy_jφ.
}

/*
Equivalent mutants

# These mutants are right answers.
Step: floats.AddConst(-floats.Max(y), y) → floats.AddConst((-floats.Max(y))/2, y)
    Any common shift of the activations cancels. With activations within ±1000 the largest exponent is half the largest activation, from −500 to 500, so its exponential neither overflows nor becomes 0.

Step: y[j] = math.Exp(y[j]) → y[j] = -math.Exp(y[j])
Step: y[j] = math.Exp(y[j]) → y[j] = 2*math.Exp(y[j])
Step: y[j] = math.Exp(y[j]) → y[j] = math.Exp(y[j])/2
    The outputs are divided by their sum, so a common factor cancels.
*/

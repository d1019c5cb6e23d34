package ex17_test

/*
Equivalent mutants

# These mutants are right answers.
Jacobian: top := floats.Max(a) → top := floats.Max(a)/2
    Any common shift of the activations cancels. With activations within ±1000 the largest exponent is half the largest activation, from −500 to 500, so its exponential neither overflows nor underflows to 0.

Jacobian: y[k] = math.Exp(v - top) → y[k] = -math.Exp(v - top)
Jacobian: y[k] = math.Exp(v - top) → y[k] = 2*math.Exp(v - top)
Jacobian: y[k] = math.Exp(v - top) → y[k] = math.Exp(v - top)/2
    The outputs are divided by their sum, so a common factor cancels.

Jacobian: J.Set(k, j, y[k]*(1-y[k])) → J.Set(j, k, y[k]*(1-y[k]))
Jacobian: J.Set(k, j, -y[k]*y[j]) → J.Set(j, k, -y[k]*y[j])
    The matrix is symmetric: diag(y) − yyᵀ.
*/

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex17"
)

type (
	jacobianFunc = func(a []float64) *mat.Dense
	piecesFunc   = func(a []float64, k, j int) (numerator, denominator float64)
)

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex17.Exercise(), gate.OfNew(ex17.Check, Jacobian), gate.Of(ex17.CheckSteps, Pieces))
}

// answerFrom returns an answer that calls the function `outputs` and computes the Jacobian from its
// result.
func answerFrom(outputs func(a []float64) []float64) jacobianFunc {
	return func(a []float64) *mat.Dense { return multiclass.Derivative(multiclass.Softmax).At(outputs(a)) }
}

// changedFor returns an answer that calls Jacobian and applies f to the result. If the argument
// `classes` is not 0, the answer applies f only to problems with this number of classes.
func changedFor(classes int, f func(J *mat.Dense)) jacobianFunc {
	return func(a []float64) *mat.Dense {
		J := Jacobian(a)
		if classes == 0 || classes == len(a) {
			f(J)
		}
		return J
	}
}

// TestDigits checks the tolerance on each problem, except in the first part, which checks only the
// form. Check must accept a tenth of the error that the statement allows, and must reject ten times
// the allowed error.
func TestDigits(t *testing.T) {
	gate.Digits(t, ex17.Check, Jacobian, func(_, _ []any) float64 { return 1e-12 })
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex17.Check, map[string]jacobianFunc{
		"reference": Jacobian,
		"diag(y) − yyᵀ": func(a []float64) *mat.Dense {
			y := kernel.Softmax(a)
			J := mat.DenseCopyOf(mat.NewDiagDense(len(y), append([]float64(nil), y...)))
			v := mat.NewVecDense(len(y), y)
			J.RankOne(J, -1, v, v)
			return J
		},
		"log-sum-exp, with each diagonal entry computed from the other entries of its row": func(a []float64) *mat.Dense {
			lse := floats.LogSumExp(a)
			J := mat.NewDense(len(a), len(a), nil)
			for k := range a {
				for j := range a {
					if j != k {
						v := math.Exp(a[k] + a[j] - 2*lse)
						J.Set(k, j, -v)
						J.Set(k, k, J.At(k, k)+v)
					}
				}
			}
			return J
		},
		"outputs as 1/Σ exp(a_j − a_k)": answerFrom(multiclass.Reciprocal),
		"derivative of the log-softmax: y_k times I_kj − y_j": func(a []float64) *mat.Dense {
			y := kernel.Softmax(a)
			var J mat.Dense
			J.Mul(mat.NewDiagDense(len(y), y), multiclass.Derivative(multiclass.LogSoftmax).At(y))
			return &J
		},
		"the result is a view of a larger matrix": func(a []float64) *mat.Dense {
			k := len(a)
			out := mat.NewDense(k+1, k+2, nil).Slice(1, k+1, 1, k+1).(*mat.Dense)
			out.Copy(Jacobian(a))
			return out
		},
		// outputs below e⁻³⁰ are smaller than the allowed error
		"outputs below e⁻³⁰ are set to 0": answerFrom(multiclass.Cut(30)),
	})
}

// TestWrong checks wrong answers that are not in the tables of mistakes in check.go. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	gate.Wrongs(t, ex17.Exercise(), ex17.Check, map[string][]jacobianFunc{
		"sign":   {changedFor(0, func(J *mat.Dense) { J.Scale(-1, J) }), changedFor(0, func(J *mat.Dense) { J.Scale(-2, J) })},
		"factor": {changedFor(0, func(J *mat.Dense) { J.Scale(0.5, J) })},
		"zero":   {answerFrom(func(a []float64) []float64 { y := make([]float64, len(a)); y[floats.MaxIdx(a)] = 1; return y })},
		"derivative": {
			changedFor(0, func(J *mat.Dense) { J.Set(0, 0, J.At(0, 0)*1.01) }),
			changedFor(0, func(J *mat.Dense) {
				J.Apply(func(i, j int, v float64) float64 { return math.Copysign(math.MaxFloat64, float64(1-2*(i%2))) },
					J)
			}),
			answerFrom(multiclass.Cut(10)),
			changedFor(0, func(J *mat.Dense) {
				// this answer fills only nine rows; the next answer fills only sixteen columns
				J.Apply(func(k, _ int, v float64) float64 { return multiclass.When(k < 9, v) }, J)
			}),
			changedFor(0, func(J *mat.Dense) {
				J.Apply(func(_, j int, v float64) float64 { return multiclass.When(j < 16, v) }, J)
			}),
			changedFor(3, func(J *mat.Dense) { J.Scale(2, J) }), // this answer is wrong only for K = 3
		},
		"columns": {changedFor(0, func(J *mat.Dense) { J.Set(0, 0, J.At(0, 0)+0.1) })},
		"rows": {changedFor(4, func(J *mat.Dense) {
			J.Set(0, 0, J.At(0, 0)+0.1)
			J.Set(1, 0, J.At(1, 0)-0.1)
		})},
		"two-classes": {changedFor(2, func(J *mat.Dense) { J.Set(0, 1, 0.3) })},
		"one-class":   {changedFor(1, func(J *mat.Dense) { J.Set(0, 0, 1) })},
		"imprecise": {func(a []float64) *mat.Dense {
			J := mat.NewDense(len(a), len(a), nil)
			for j := range a {
				up, down := append([]float64(nil), a...), append([]float64(nil), a...)
				up[j] += 1e-5
				down[j] -= 1e-5
				J.SetCol(j,
					floats.ScaleTo(make([]float64, len(a)), 5e4,
						floats.SubTo(make([]float64, len(a)), kernel.Softmax(up), kernel.Softmax(down))))
			}
			return J
		}},
		"overflow": multiclass.By(answerFrom, multiclass.Overflowing()...),
		"tails": multiclass.By(answerFrom, multiclass.Clipped(700), multiclass.Cut(13), multiclass.Cut(20),
			multiclass.Cut(24)),
		"in-the-middle": {changedFor(0, func(J *mat.Dense) { J.Scale(2, J) })},
		"one-per-class": {
			func(a []float64) *mat.Dense { return mat.NewDense(len(a), 1, kernel.Softmax(a)) },
			func(a []float64) *mat.Dense { return mat.NewDense(1, len(a), kernel.Softmax(a)) },
		},
	})
}

func TestRightSteps(t *testing.T) {
	gate.Rights(t, ex17.CheckSteps, map[string]piecesFunc{
		"reference": Pieces,
		"difference quotients": func(a []float64, k, j int) (float64, float64) {
			const h = 1e-2
			d := math.Exp(a[j]) * (8*(math.Exp(h)-math.Exp(-h)) - math.Exp(2*h) + math.Exp(-2*h)) / (12 * h)
			if k == j {
				return d, d
			}
			return 0, d
		},
	})
}

func TestWrongSteps(t *testing.T) {
	// changedPieces returns an answer that computes the correct pieces and applies f to them
	changedPieces := func(f func(n, d float64) (float64, float64)) piecesFunc {
		return func(a []float64, k, j int) (float64, float64) { return f(Pieces(a, k, j)) }
	}
	turned := changedPieces(func(n, d float64) (float64, float64) { return n, -d })
	gate.Wrongs(t, ex17.Exercise(), ex17.CheckSteps, map[string][]piecesFunc{
		"pieces-sign":     {changedPieces(func(n, d float64) (float64, float64) { return -n, -d })},
		"pieces-factor":   {changedPieces(func(n, d float64) (float64, float64) { return 2 * n, 2 * d })},
		"pieces-value":    {turned},
		"pieces-quotient": {turned},
		"pieces-nearly":   {changedPieces(func(n, d float64) (float64, float64) { return n, d * (1 + 1e-5) })},
	})
}

func ExampleCheck() {
	log := func(a []float64) *mat.Dense {
		return multiclass.Derivative(multiclass.LogSoftmax).At(kernel.Softmax(a))
	}
	fmt.Println(ex17.Check(log).Parts[1].Message)
	// Output: Your entries are I_kj − y_j, the derivatives of ln y_k. A factor y_k is missing.
}

func ExampleCheckSteps() {
	always := func(a []float64, k, j int) (numerator, denominator float64) { return math.Exp(a[k]), math.Exp(a[j]) }
	fmt.Println(ex17.CheckSteps(always).Parts[0].Message)
	// Output: Your derivative of the numerator is exp(a_k) for every j. The numerator contains only a_k, so its derivative is 0 for j ≠ k.
}

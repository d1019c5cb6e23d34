package ex03_test

/*
Equivalent mutants

# These mutants are right answers.
DSoftmax: top, sum := floats.Max(a), 0.0 → top, sum := floats.Max(a)/2, 0.0
    Any common shift of the scores cancels. With scores within ±1000 the largest exponent is half the largest score, within ±500, so its exponential is neither infinite nor 0.
*/

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex03"
	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	derivativeFunc = func(a []float64, i, j int) float64
	stepFunc       = func(W, X, R *mat.Dense, eta float64) *mat.Dense
)

func checkDerivative(f derivativeFunc) *verify.Report { return ex03.Check(f, Step) }
func checkStep(f stepFunc) *verify.Report             { return ex03.Check(DSoftmax, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex03.Exercise(), gate.Of(checkDerivative, DSoftmax), gate.OfNew(checkStep, Step))
}

func TestRight(t *testing.T) {
	gate.Rights(t, checkDerivative, map[string]derivativeFunc{
		"reference":                  DSoftmax,
		"y_i(δ − y_j)":               derivativeOf(kernel.Softmax),
		"from differences of scores": derivativeOf(multiclass.Reciprocal),
	})
	gate.Rights(t, checkStep, map[string]stepFunc{
		"reference":              Step,
		"matrices":               byMatrices(kernel.Softmax),
		"sums of outer products": byOuterProducts,
		"the long update, r/y·y cancelled": func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			return longUpdate(W, X, R, eta, func(r, _ float64) float64 { return r })
		},
	})
}

// derivativeOf returns y_i(δ_ij − y_j), where y is the result of the function `outputs`.
func derivativeOf(outputs func(a []float64) []float64) derivativeFunc {
	return func(a []float64, i, j int) float64 {
		y := outputs(a)
		return multiclass.Softmax(y[i], y[j], multiclass.Same(i, j))
	}
}

// TestWrongDerivative checks that the report on each wrong answer has a Wrong part with the answer's
// key. Most of these answers are not in the table of mistakes.
func TestWrongDerivative(t *testing.T) {
	right := derivativeOf(kernel.Softmax)
	overflow := append(multiclass.By(derivativeOf, multiclass.Overflowing()...), func(a []float64, i, j int) float64 {
		return math.Exp(a[i]) / math.Exp(floats.LogSumExp(a)) * (multiclass.Same(i, j) - kernel.Softmax(a)[j])
	})
	gate.Wrongs(t, ex03.Exercise(), checkDerivative, map[string][]derivativeFunc{
		"sign":   {func(a []float64, i, j int) float64 { return -right(a, i, j) }},
		"factor": {func(a []float64, i, j int) float64 { return right(a, i, j) / 2 }},
		"imprecise": {func(a []float64, i, j int) float64 {
			const h = 1e-5
			up, down := slices.Clone(a), slices.Clone(a)
			up[j] += h
			down[j] -= h
			return (kernel.Softmax(up)[i] - kernel.Softmax(down)[i]) / (2 * h)
		}},
		"derivative": {
			func([]float64, int, int) float64 { return math.MaxFloat64 },
			// This answer returns 0 only for more than 4 classes, so the message must not say “0
			// for every pair”.
			func(a []float64, i, j int) float64 {
				if len(a) > 4 {
					return 0
				}
				return right(a, i, j)
			},
		},
		"sum-over-outputs": {func(a []float64, i, j int) float64 {
			return right(a, i, j) + 0.1*multiclass.Same(i, 0)*multiclass.Same(j, 0)
		}},
		"sum-over-scores": {func(a []float64, i, j int) float64 {
			return multiclass.Same(i,
				j) - kernel.Softmax(a)[i]
		}},
		"overflow": overflow,
		"tails": multiclass.By(derivativeOf, multiclass.Clipped(50), multiclass.Clipped(700), multiclass.Cut(14),
			multiclass.Cut(20), multiclass.Cut(24)),
		"in-the-middle": {func(a []float64, i, j int) float64 { y := kernel.Softmax(a); return y[i] * y[j] }},
	})
}

// TestWrongStep judges wrong answers that are not in the table of mistakes, and checks the keys of
// the verdicts.
func TestWrongStep(t *testing.T) {
	// change returns an answer W + d, where d is the step of the reference answer after f has
	// altered it.
	change := func(f func(d, W *mat.Dense)) stepFunc {
		return func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			d := Step(W, X, R, eta)
			d.Sub(d, W)
			f(d, W)
			d.Add(d, W)
			return d
		}
	}
	scaled := func(c float64) stepFunc { return change(func(d, _ *mat.Dense) { d.Scale(c, d) }) }
	overflow := append(multiclass.By(byMatrices, multiclass.Overflowing()...),
		func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			return longUpdate(W, X, R, eta, func(r, y float64) float64 { return r / y * y })
		})
	gate.Wrongs(t, ex03.Exercise(), checkStep, map[string][]stepFunc{
		"uphill":         {scaled(-1), scaled(-2)},
		"step-factor":    {scaled(0.5)},
		"step-imprecise": {scaled(1 + 1e-5)},
		"gradient": {
			change(func(d, _ *mat.Dense) { d.Set(0, 0, 1.01*d.At(0, 0)) }),
			change(func(d, _ *mat.Dense) { d.Set(0, 0, 1e300) }),
			// For two classes this answer uses 2η in place of η. If η is ½, the answer looks as if
			// η were missing. For more classes the answer is right, so the message must not say
			// that η is missing.
			func(W, X, R *mat.Dense, eta float64) *mat.Dense {
				if _, k := W.Dims(); k == 2 {
					eta *= 2
				}
				return Step(W, X, R, eta)
			},
		},
		"moves-without-eta": {change(func(d, W *mat.Dense) { // weight decay
			var decay mat.Dense
			decay.Scale(-0.01, W)
			d.Add(d, &decay)
		})},
		"error-rises":   {change(func(d, _ *mat.Dense) { d.Scale(-1, d); clear(d.RawRowView(0)) })},
		"step-overflow": overflow,
		"step-tails": append(multiclass.By(byMatrices, multiclass.Clipped(50), multiclass.Clipped(700)),
			func(W, X, R *mat.Dense, eta float64) *mat.Dense {
				// this answer ignores a class whose output is 0
				return longUpdate(W, X, R, eta, func(r, y float64) float64 { return r / (y + 1e-300) * y })
			}),
		"in-the-middle": {scaled(2)},
		"transposed": {func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			return mat.DenseCopyOf(Step(W, X, R,
				eta).T())
		}},
		"no-bias-row": {func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			r, k := W.Dims()
			return mat.DenseCopyOf(Step(W, X, R, eta).Slice(1, r, 0, k))
		}},
	})
}

// TestCutOutputs checks that Check rejects answers that set outputs below a threshold to 0, for
// several thresholds. The seed determines the scores. For some seeds the part with moderate scores
// already fails, so the key of the verdict varies.
func TestCutOutputs(t *testing.T) {
	for _, c := range []float64{4, 6, 8, 10, 12, 14} {
		if r := checkStep(byMatrices(multiclass.Cut(c))); r.Passed() {
			t.Errorf("Check accepts an answer that sets outputs below e^−%g to 0:\n%s", c, r)
		}
	}
}

// TestOneOfTwo checks that Check judges the parts of one function if the other function is not
// attempted.
func TestOneOfTwo(t *testing.T) {
	half := checkStep(func(_, _, _ *mat.Dense, _ float64) *mat.Dense { panic(verify.TODO) })
	if half.Passed() || half.Count(verify.NotAttempted) != 5 || half.Count(verify.Right) != 5 {
		t.Errorf("want five parts NotAttempted and five parts Right, got\n%s", half)
	}
}

func ExampleCheck() {
	printed := func(a []float64, i, _ int) float64 { return DSoftmax(a, i, i) }
	fmt.Println(ex03.Check(printed, Step).Parts[1].Message)
	// Output: You return y_i(1 − y_i) whatever j is: the derivative with respect to a_i. (10.32) prints it by mistake; the exercise asks for ∂y_i/∂a_j.
}

func byMatrices(softmax func(a []float64) []float64) stepFunc {
	return func(W, X, R *mat.Dense, eta float64) *mat.Dense {
		x := instance.WithOnes(X)
		y, g := multiclass.Outputs(W, x, softmax), mat.DenseCopyOf(W)
		y.Sub(R, y)
		g.Mul(x.T(), y)
		g.Scale(eta, g)
		g.Add(W, g)
		return g
	}
}

func byOuterProducts(W, X, R *mat.Dense, eta float64) *mat.Dense {
	x, next := instance.WithOnes(X), mat.DenseCopyOf(W)
	e := multiclass.Outputs(W, x, kernel.Softmax)
	e.Sub(R, e)
	for t := range x.RawMatrix().Rows {
		next.RankOne(next, eta, x.RowView(t), e.RowView(t))
	}
	return next
}

// longUpdate computes the update with the first line of (10.33). That line contains the factor
// r/y·y, which longUpdate computes with the function `product`.
func longUpdate(W, X, R *mat.Dense, eta float64, product func(r, y float64) float64) *mat.Dense {
	x, next := instance.WithOnes(X), mat.DenseCopyOf(W)
	y := multiclass.Outputs(W, x, kernel.Softmax)
	n, k := y.Dims()
	for t := range n {
		s := make([]float64, k)
		for j := range k {
			for i := range k {
				s[j] += product(R.At(t, i), y.At(t, i)) * (multiclass.Same(i, j) - y.At(t, j))
			}
		}
		next.RankOne(next, eta, x.RowView(t), mat.NewVecDense(k, s))
	}
	return next
}

package leastsquares

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type property = judge.Property[Problem]

// Normal returns the property that least squares has at the training inputs: the residuals
// are orthogonal to the columns of [1 X].
func Normal(name string, hint int, on func() []Problem) property {
	return property{Name: name, On: on, Holds: orthogonal,
		Wrong: judge.Wrong{Key: "not-least-squares", Hint: hint,
			Message: "For {problem} your residuals T − Y are not orthogonal to the columns of [1 X]: relative to the lengths of the two, {off} (column 0 is the ones). The sum of squares can still be made smaller."},
		Right: "No column of [1 X] is left in your residuals at the training inputs: no other weights do better."}
}

// orthogonal measures each product of a column with a residual relative to the lengths of
// the column and of the longest target, because a target of zeros has no size.
func orthogonal(p Problem, got []float64) verify.Finding {
	ones := instance.WithOnes(p.X)
	var residual, products mat.Dense
	residual.Sub(p.T, p.training(got))
	products.Mul(ones.T(), &residual)
	longest := 0.0
	_, k := p.T.Dims()
	for j := range k {
		longest = math.Max(longest, mat.Norm(p.T.ColView(j), 2))
	}
	d, _ := products.Dims()
	for i := range d {
		for j := range k {
			miss := math.Abs(products.At(i, j)) / (mat.Norm(ones.ColView(i), 2) * longest)
			if !(miss <= 10*p.Tol) {
				return verify.Finding{Miss: miss, Where: fmt.Sprintf("column %d against target %d", i, j)}
			}
		}
	}
	return verify.Finding{OK: true}
}

// Linear returns the property that the predictions at the training inputs form a linear
// function, and that the other predictions continue it.
func Linear(name string, on func() []Problem) property {
	return property{Name: name, On: on,
		Holds: func(p Problem, got []float64) verify.Finding {
			w := instance.LeastSquares(p.X, p.training(got)) // carries the errors at the training inputs out to x
			for i, x := range p.At {
				want, size := instance.Linear(w, x)
				if f := verify.CloseSlice(p.row(got, i), want,
					verify.Tolerance{Abs: 100 * p.Tol * math.Max(size, p.unit[0])}); !f.OK {
					return f
				}
			}
			return verify.Finding{OK: true}
		},
		Wrong: judge.Wrong{Key: "not-linear", Hint: 1,
			Message: "For {problem} your predictions at the training inputs and elsewhere are not one linear function of x: they miss it, {off}. y(x) is Wᵀx plus a bias, with nothing applied to it."},
		Right: "Between and far beyond the training inputs your predictions continue as one linear function."}
}

// Equal returns the property that every prediction equals the least-squares prediction.
func Equal(name string, hint int, on func() []Problem, right string) property {
	return property{Name: name, On: on, Holds: equal,
		Wrong: judge.Wrong{Key: "not-least-squares", Hint: hint,
			Message: "For {problem} your predictions are not those of least squares: {off}."},
		Right: right}
}

// equal compares with the least-squares prediction, in units of the size of the terms.
func equal(p Problem, got []float64) verify.Finding {
	for i, v := range got {
		if f := verify.Close(v, p.want[i], verify.Tolerance{Abs: 10 * p.Tol * p.unit[i]}); !f.OK {
			return f
		}
	}
	return verify.Finding{OK: true}
}

// Rank is Equal for problems where the columns of [1 X] are dependent. Answers that fail only
// here get their own message.
func Rank(name string, hint int, f Predictor, on func() []Problem) property {
	out := Equal(name, hint, on,
		"With dependent columns or fewer points than weights your predictions are least squares at the training inputs and at their affine combinations. There they do not depend on which of the best weights you choose.")
	out.First = func(p Problem, got []float64) *verify.Verdict {
		found := equal(p, got)
		if found.OK || !works(f) {
			return nil
		}
		if bad := solverSlip(p, got); bad != nil {
			return bad
		}
		return singular(p, hint, "your predictions are "+found.Off())
	}
	return out
}

func singular(p Problem, hint int, found string) *verify.Verdict {
	return judge.Fail("singular", hint,
		"With %s, %s; with independent columns all is well. Here the columns of [1 X] depend on each other (fewer points than weights are a case of it), so [1 X]ᵀ[1 X] has no inverse: a plain Inverse, Cholesky, QR or Solve gives up, or returns rounding errors together with an error value. The least-squares prediction at these inputs exists all the same, and is unique.", p.Name, found)
}

// works reports whether f passes the control experiment: data of the same kind with independent
// columns, and targets with and without a constraint.
func works(f Predictor) (right bool) {
	defer func() {
		if recover() != nil {
			right = false
		}
	}()
	r := instance.Source(402, 5)
	p := oneOfK(r, recipe{"control", []int{7, 8, 5}, []float64{1, -0.5, 0.3}, []float64{1, 1, 1}, rankTol})
	for _, p := range []Problem{p, p.RandomTargets(r, 3)} {
		got := ask(f, &judge.Call{}, p, 0)
		if len(got) != len(p.want) || !equal(p, got).OK {
			return false
		}
	}
	return true
}

// fromGonum reports whether the cause of a panic is an error of package mat, as for a singular
// or misshaped matrix, and not the learner's own.
func fromGonum(cause any) (error, bool) {
	err, ok := cause.(error)
	if !ok {
		return nil, false
	}
	var condition mat.Condition
	var shape mat.Error
	var stack mat.ErrorStack
	return err, errors.As(err, &condition) || errors.As(err, &shape) || errors.As(err, &stack)
}

// Obeys returns the property that the predictions satisfy the constraints of the targets.
func Obeys(name string, on func() []Problem, wrong judge.Wrong, right string) property {
	return property{Name: name, On: on, Wrong: wrong, Right: right,
		Holds: func(p Problem, got []float64) verify.Finding { return Satisfy(p, p.A, p.B, got) }}
}

// Satisfy reports whether all predictions satisfy Ay + b = 0.
func Satisfy(p Problem, a *mat.Dense, b []float64, got []float64) verify.Finding {
	for i := range p.At {
		y := p.row(got, i)
		for j, c := range b {
			row := a.RawRowView(j)
			size := math.Abs(c) + floats.Norm(row, 1)*p.unit[i*len(y)]
			if f := verify.AffineConstraint(row, c, y, verify.Tolerance{Abs: 10 * p.Tol * size}); !f.OK {
				if len(b) > 1 {
					f.Where = fmt.Sprintf("constraint %d of %d", j+1, len(b))
				}
				return f
			}
		}
	}
	return verify.Finding{OK: true}
}

package leastsquares

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type property = judge.Property[Problem]

// Normal returns the property that, at the training inputs, the residuals are orthogonal to the
// columns of [1 X]. Every least-squares fit has this property.
func Normal(name string, hint int, on func() []Problem) property {
	return property{Name: name, Problems: on, Holds: orthogonal,
		Wrong: judge.Wrong{Key: "not-least-squares", Hint: hint,
			Message: "For {problem} your residuals T − Y are not orthogonal to the columns of [1 X]: their product, divided by the lengths of the column and of the targets, is {off} (column 0 contains the ones). Other weights make the sum of squares smaller."},
		Right: "At the training inputs your residuals are orthogonal to all columns of [1 X], so no other weights yield a smaller sum of squares."}
}

// orthogonal checks that each column of residuals is orthogonal to each column of [1 X]. It divides
// their product by the length of the column of [1 X] and by the length of the longest column of
// targets. It does not use the length of the column of targets to which the residuals belong,
// because that length may be 0.
func orthogonal(p Problem, got []float64) verify.Finding {
	ones := instance.WithOnes(p.X)
	var residual, products mat.Dense
	residual.Sub(p.T, p.atTrainingInputs(got))
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

// Linear returns the property that a single linear function yields all predictions, at the training
// inputs and elsewhere.
func Linear(name string, on func() []Problem) property {
	return property{Name: name, Problems: on,
		Holds: func(p Problem, got []float64) verify.Finding {
			// w is the linear function that fits the predictions at the training inputs. All
			// predictions must agree with w.
			w := instance.LeastSquares(p.X, p.atTrainingInputs(got))
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
			Message: "For {problem} your predictions at the training inputs and elsewhere are not one linear function of x: they are {off}. y(x) is Wᵀx plus a bias, with the same W and bias for every x."},
		Right: "Between and far beyond the training inputs your predictions continue as one linear function."}
}

// Equal returns the property that every prediction equals the least-squares prediction.
func Equal(name string, hint int, on func() []Problem, right string) property {
	return property{Name: name, Problems: on, Holds: equal,
		Wrong: judge.Wrong{Key: "not-least-squares", Hint: hint,
			Message: "For {problem} your predictions differ from the least-squares predictions: they are {off}."},
		Right: right}
}

// equal compares every prediction with the least-squares prediction. The tolerance of a prediction is
// proportional to its unit (see withPredictions).
func equal(p Problem, got []float64) verify.Finding {
	for i, v := range got {
		if f := verify.Close(v, p.want[i], verify.Tolerance{Abs: 10 * p.Tol * p.unit[i]}); !f.OK {
			return f
		}
	}
	return verify.Finding{OK: true}
}

// Rank is like Equal, for problems in which the columns of [1 X] are linearly dependent. If an
// answer is wrong for dependent columns but right for independent columns, the message says so and
// explains the cause.
func Rank(name string, hint int, f Predictor, on func() []Problem) property {
	out := Equal(name, hint, on,
		"Even if columns are dependent or there are fewer points than weights, your predictions are the least-squares predictions. They are tested at the training inputs and at affine combinations of these inputs, because there all weights that minimise the sum of squares yield the same prediction.")
	out.Precheck = func(p Problem, got []float64) *verify.Verdict {
		found := equal(p, got)
		if found.OK || !rightInControl(f) {
			return nil
		}
		if bad := solverMistake(p, got); bad != nil {
			return bad
		}
		return singular(p, hint, "your predictions are "+found.Off())
	}
	return out
}

func singular(p Problem, hint int, found string) *verify.Verdict {
	return judge.Fail("singular", hint,
		"With %s, %s. With independent columns your predictions are right or nearly right. Here the columns of [1 X] are linearly dependent, for example because there are fewer points than weights. Then [1 X]ᵀ[1 X] has no inverse, and a plain Inverse, Cholesky, QR or Solve fails, or returns rounding errors together with an error value. The least-squares prediction at these inputs still exists and is unique.", p.Name, found)
}

// rightInControl reports whether f is right for two problems with independent columns. In one
// problem the targets satisfy a constraint, and in the other they do not.
func rightInControl(f Predictor) (right bool) {
	defer func() {
		if recover() != nil {
			right = false
		}
	}()
	r := instance.Source(402, 5)
	p := oneOfK(r, recipe{"control", []int{7, 8, 5}, []float64{1, -0.5, 0.3}, []float64{1, 1, 1}, rankTol})
	for _, p := range []Problem{p, p.RandomTargets(r, 3)} {
		got := predictAll(f, &judge.Call{}, p, 0)
		if len(got) != len(p.want) || !equal(p, got).OK {
			return false
		}
	}
	return true
}

// isGonumError returns the value of a panic as an error. It also reports whether this error comes from
// gonum's package mat, for example because of a singular matrix or a wrong shape.
func isGonumError(cause any) (error, bool) {
	err, ok := cause.(error)
	if !ok {
		return nil, false
	}
	var condition mat.Condition
	var shape mat.Error
	var stack mat.ErrorStack
	return err, errors.As(err, &condition) || errors.As(err, &shape) || errors.As(err, &stack)
}

// Obeys returns the property that the predictions satisfy every affine constraint that the targets
// satisfy.
func Obeys(name string, on func() []Problem, wrong judge.Wrong, right string) property {
	return property{Name: name, Problems: on, Wrong: wrong, Right: right,
		Holds: func(p Problem, got []float64) verify.Finding { return Satisfy(p, p.A, p.B, got) }}
}

// Satisfy compares the vector a·y + b with 0 for every prediction y. It returns a finding on the
// first difference, or OK if every prediction satisfies the constraints.
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

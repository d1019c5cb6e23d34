package ex02

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// judgeConstraint establishes the claim of the exercise on random constraints.
func judgeConstraint(predict predictor) verify.Verdict {
	r := source(6)
	outputs := []int{3, 2, 4, 1, 5, 6} // K for each recipe
	for i, c := range recipes {
		k := outputs[i]
		a, b := normals(r, k), 3*r.NormFloat64()
		switch i {
		case 1:
			b = 0
		case 2:
			a[1], b = 0, 50 // an output that the constraint leaves alone
		}
		p := oneOfK(r, c).withTargets(r, k).constrain(a, b)
		tol := verify.Tolerance{Rel: 10 * c.tol}
		for n := range p.X.RawMatrix().Rows {
			if v := obeys(predict, p, a, b, p.X.RawRowView(n), "a training input", tol); v != nil {
				return *v
			}
		}
		for _, x := range p.far {
			if v := obeys(predict, p, a, b, x, "an input away from the training set", tol); v != nil {
				return *v
			}
		}
	}
	return verify.Pass("For %d random constraints, K from 1 to 6, aᵀy(x) + b = 0 at every training input and at every new x, also far away.", len(recipes))
}

func obeys(predict predictor, p problem, a []float64, b float64, x []float64, where string, tol verify.Tolerance) *verify.Verdict {
	y, bad := ask(predict, p, x)
	if bad != nil {
		return bad
	}
	f := verify.AffineConstraint(a, b, y, tol)
	if f.OK {
		return nil
	}
	v := verify.Fail("constraint", 2, "All targets of “%s” satisfy aᵀt + b = 0 (K = %d), but at %s aᵀy(x) + b is %s. Which step of the proof does your function not take part in: the bias, the missing penalty, or linearity?", p.name, len(a), where, f.Off())
	return &v
}

// judgeSum is the constraint that matters most: with 1-of-K targets all outputs
// sum to 1.
func judgeSum(predict predictor) verify.Verdict {
	r := source(7)
	outside := false
	for _, c := range recipes {
		p := oneOfK(r, c)
		for _, x := range p.far {
			y, bad := ask(predict, p, x)
			if bad != nil {
				return *bad
			}
			// Far out the entries are large and cancel: the tolerance follows them.
			if f := verify.SumsTo(y, 1, verify.Tolerance{Abs: 10 * c.tol * (1 + floats.Norm(y, 1))}); !f.OK {
				return verify.Fail("sum", 2, "The targets of “%s” are 1-of-K and sum to 1, your prediction at a new x does not: its sum is %s.", p.name, f.Off())
			}
			outside = outside || floats.Min(y) < 0 || floats.Max(y) > 1
		}
	}
	if !outside {
		return verify.Pass("Your outputs sum to 1 at every x.")
	}
	return verify.Pass("Your outputs sum to 1 at every x, and still are no probabilities: some lie outside [0, 1].")
}

// judgeFree looks at targets that obey no constraint: items with none, one or
// several labels. What least squares does not promise must not be forced.
func judgeFree(predict predictor) verify.Verdict {
	r := source(8)
	for _, c := range recipes {
		p := oneOfK(r, c)
		n, k := p.T.Dims()
		for range n/2 + 1 {
			i, j := r.IntN(n), r.IntN(k)
			p.T.Set(i, j, 1-p.T.At(i, j))
		}
		Y, bad := atTraining(predict, p)
		if bad != nil {
			return *bad
		}
		best := instance.LeastSquares(p.X, p.T)
		for _, x := range p.far {
			y, bad := ask(predict, p, x)
			if bad != nil {
				return *bad
			}
			want, size := instance.Linear(best, x)
			if f := verify.CloseSlice(y, want, verify.Tolerance{Abs: 10 * c.tol * size}); !f.OK {
				return forced(predict, p, y, want, f)
			}
		}
		if v := fits(p, Y); v != nil {
			return *v
		}
		if v := linearInTargets(predict, p, normals(r, k)); v != nil {
			return *v
		}
	}
	return verify.Pass("Where targets sum to 0, 1, 2 or more, your predictions sum to what least squares makes of that.")
}

// linearInTargets is a second route that needs no solution to compare with: the
// prediction for the single target aᵀt is aᵀ times the prediction for t.
func linearInTargets(predict predictor, p problem, a []float64) *verify.Verdict {
	var combined mat.Dense
	combined.Mul(p.T, mat.NewVecDense(len(a), a))
	q := p
	q.T = &combined
	for _, x := range p.far {
		y, bad := ask(predict, p, x)
		if bad != nil {
			return bad
		}
		one, bad := ask(predict, q, x)
		if bad != nil {
			return bad
		}
		size := floats.Norm(y, 2) * floats.Norm(a, 2)
		if f := verify.Close(one[0], floats.Dot(a, y), verify.Tolerance{Abs: 10 * p.tol * (1 + size)}); !f.OK {
			v := verify.Fail("not-linear-in-targets", 1, "The prediction for the combined target aᵀt is not aᵀy(x): %s. For fixed inputs y(x) is a weighted sum of the targets, with weights that do not depend on them.", f.Off())
			return &v
		}
	}
	return nil
}

// forced names the ways to force a sum of 1 on a prediction y that least squares
// would make want.
func forced(predict predictor, p problem, y, want []float64, f verify.Finding) verify.Verdict {
	if !verify.SumsTo(y, 1, verify.Tolerance{Abs: 1e-6}).OK {
		return verify.Fail("not-least-squares", 3, "The targets of “%s” have none, one or several labels. Your prediction at a new x is not that of least squares: %s.", p.name, f.Off())
	}
	added := floats.SubTo(make([]float64, len(y)), y, want)
	switch {
	case verify.Parallel(y, want, 1e-5).OK:
		return verify.Fail("normalised", 2, "These targets do not sum to 1, yet your outputs do: they are the least-squares ones divided by their sum. With 1-of-K targets that changes nothing, which is the point of the exercise; here it does.")
	case floats.Max(added)-floats.Min(added) <= 1e-5*(1+floats.Norm(want, 1)):
		return verify.Fail("projected", 2, "These targets do not sum to 1, yet your outputs do: they are the least-squares ones projected onto the plane where the sum is 1. The constraint comes from the targets, not from the function.")
	case positive(predict, p):
		return verify.Fail("softmax", 2, "These targets do not sum to 1, yet your outputs do, and all are positive: a softmax or something like it was applied. Nothing need be applied to Wᵀx plus the bias.")
	}
	return verify.Fail("sum-forced", 2, "These targets do not sum to 1, yet your outputs do. The constraint must come from the targets; a function that forces it is not least squares.")
}

// positive tells whether all entries of all predictions are, also far out, where
// those of a linear function are not.
func positive(predict predictor, p problem) bool {
	for _, x := range p.far {
		if y, bad := ask(predict, p, x); bad != nil || floats.Min(y) <= 0 {
			return false
		}
	}
	return true
}

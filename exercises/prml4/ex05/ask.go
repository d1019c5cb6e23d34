package ex05

import (
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// scatterFunc is the learner's function.
type scatterFunc = func(X1, X2 *mat.Dense) (SB, SW *mat.Dense)

// problems are the point clouds of part n; in the last there are fewer points
// than columns, so that S_W is singular.
func problems(n uint64) []instance.Clouds {
	r := instance.Source(405, n)
	return append(instance.TwoClasses(r), instance.Clouds{
		Name: "two and three points in five dimensions", Tol: 1e-9,
		X1: mat.NewDense(2, 5, instance.Normals(r, 10)),
		X2: mat.NewDense(3, 5, instance.Normals(r, 15)),
	})
}

// ask calls the learner's function with copies and returns copies of its answers,
// with a verdict instead where these are not two D×D matrices of finite numbers
// or an argument was changed.
func ask(scatter scatterFunc, c instance.Clouds) (sb, sw *mat.Dense, bad *verify.Verdict) {
	var in learner.Inputs
	sb, sw = scatter(in.Dense("X1", c.X1), in.Dense("X2", c.X2))
	if bad = in.Changed(3); bad != nil {
		return nil, nil, bad
	}
	n1, n2, d := c.Dims()
	if sb != nil && d > 1 {
		if r, k := sb.Dims(); r == 1 && k == 1 {
			return nil, nil, learner.Fail("inner-product", 2, "Your S_B is a single number: a row times a column, (m2 − m1)ᵀ(m2 − m1). A column times a row, (m2 − m1)(m2 − m1)ᵀ, is a D×D matrix.")
		}
	}
	if sw != nil {
		if r, k := sw.Dims(); r == k && r != d && (r == n1 || r == n2 || r == n1+n2) {
			return nil, nil, learner.Fail("one-per-point", 3, "Your S_W has one row and one column per point: a product in the order XXᵀ. With the points in the rows of X, the sum of the xxᵀ is XᵀX.")
		}
	}
	if bad = form.Matrix("S_B", sb, d, d, "D×D", c.Name, 3); bad != nil {
		return nil, nil, bad
	}
	if bad = form.Matrix("S_W", sw, d, d, "D×D", c.Name, 3); bad != nil {
		return nil, nil, bad
	}
	return mat.DenseCopyOf(sb), mat.DenseCopyOf(sw), nil
}

func judgeForm(scatter scatterFunc) verify.Verdict {
	for _, c := range problems(1) {
		sb, sw, bad := ask(scatter, c)
		if bad != nil {
			return *bad
		}
		sb2, sw2, bad := ask(scatter, c)
		if bad != nil {
			return *bad
		}
		if !verify.CloseMat(sb2, sb, verify.Tolerance{Rel: 1e-9}).OK || !verify.CloseMat(sw2, sw, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same points gave different matrices. Is something added to a matrix that outlives the call?")
		}
	}
	return verify.Pass("You returned two D×D matrices, for D from 1 to 5.")
}

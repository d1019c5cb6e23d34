package ex02

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// judgeFit establishes least squares at the training inputs by its two halves:
// the predictions lie in the span of the columns of [1 X], and what remains of
// the targets is orthogonal to that span.
func judgeFit(predict predictor) verify.Verdict {
	r := source(2)
	for _, c := range recipes {
		p := oneOfK(r, c)
		Y, bad := atTraining(predict, p)
		if bad != nil {
			return *bad
		}
		if v := fits(p, Y); v != nil {
			return *v
		}
	}
	return verify.Pass("On %d data sets, up to N = 60, D = 3 and K = 5, no column of [1 X] is left in your residuals: no other weights do better.", len(recipes))
}

// fits is nil where Y is the least-squares prediction at the training inputs of
// a problem of full rank, and else the verdict with the mistake it looks like.
func fits(p problem, Y *mat.Dense) *verify.Verdict {
	basis := instance.WithOnes(p.X)
	normal := verify.NormalEquations(basis, Y, p.T, p.tol)
	span := verify.InSpan(basis, Y, math.Max(p.tol, 1e-7))
	if normal.OK && span.OK {
		return nil
	}
	v := verify.Fail("not-least-squares", 3, "For “%s” your residuals T − Y are not orthogonal to the columns of [1 X]: relative to the lengths of the two, %s (column 0 is the ones). The sum of squares can still be made smaller.", p.name, normal.Off())
	switch {
	case same(Y, p.T):
		v = verify.Fail("interpolates", 1, "At the training inputs you return the targets themselves. Overlapping classes cannot be met exactly by a linear function; least squares leaves residuals.")
	case !span.OK:
		v = verify.Fail("not-linear", 1, "For “%s” your predictions at the training inputs are not a linear function of x: they leave the span of the columns of [1 X], %s. y(x) is Wᵀx plus a bias, with nothing applied to it.", p.name, span.Off())
	default:
		if m, ok := recognise(p, Y); ok {
			v = verify.Fail(m.key, m.hint, "%s", m.message)
		}
	}
	return &v
}

// judgeLinear establishes that the function which the training predictions
// determine is the one that answers elsewhere.
func judgeLinear(predict predictor) verify.Verdict {
	r := source(3)
	for _, c := range recipes {
		p := oneOfK(r, c)
		Y, bad := atTraining(predict, p)
		if bad != nil {
			return *bad
		}
		W := instance.LeastSquares(p.X, Y)
		var answers [][]float64
		miss := verify.Finding{OK: true}
		for _, x := range p.far {
			y, bad := ask(predict, p, x)
			if bad != nil {
				return *bad
			}
			answers = append(answers, y)
			want, size := instance.Linear(W, x)
			// The training predictions carry their own rounding out to x.
			if f := verify.CloseSlice(y, want, verify.Tolerance{Abs: 10 * p.tol * size}); !f.OK && miss.OK {
				miss = f
			}
		}
		if !miss.OK {
			return notLinear(p, Y, answers, miss)
		}
	}
	return verify.Pass("Between and far beyond the training inputs your predictions continue as one linear function.")
}

// notLinear names what a function that is not linear away from the training
// inputs looks like.
func notLinear(p problem, Y *mat.Dense, answers [][]float64, miss verify.Finding) verify.Verdict {
	low, high, sums := math.Inf(1), math.Inf(-1), true
	fromTargets, fromFit, bits := true, true, true
	for _, y := range answers {
		fromTargets = fromTargets && isRow(y, p.T)
		fromFit = fromFit && isRow(y, Y)
		sums = sums && verify.SumsTo(y, 1, verify.Tolerance{Abs: 1e-9}).OK
		for _, v := range y {
			low, high = math.Min(low, v), math.Max(high, v)
			bits = bits && (v == 0 || v == 1)
		}
	}
	switch {
	case same(Y, p.T) && fromTargets:
		return verify.Fail("nearest-neighbour", 1, "Every prediction is one of the targets, as if the nearest training input answered. The least-squares prediction is one linear function for all x.")
	case same(Y, p.T):
		return verify.Fail("interpolates", 1, "Your function meets every target and is not linear in between. The least-squares prediction is one linear function for all x.")
	case fromFit && !bits:
		return verify.Fail("training-only", 2, "At a new x you return the prediction of one of the training inputs. Keep the weights W of the fit, and evaluate the linear function at x itself.")
	case bits:
		return verify.Fail("hard-decision", 2, "Every entry is 0 or 1: the class was chosen already. y(x) is the vector before that choice, and its entries may be any numbers.")
	case low > 0 && sums:
		return verify.Fail("softmax", 2, "Even far away all entries are positive and sum to 1: a softmax or something like it was applied. The constraint of this exercise needs no help, y(x) is linear in x and its entries may leave [0, 1].")
	case low >= 0 && high <= 1:
		return verify.Fail("clipped", 2, "Even far away no entry leaves [0, 1], so the outputs are clipped. The least-squares y(x) is linear in x, hence unbounded.")
	}
	return verify.Fail("not-linear", 2, "For “%s” your training predictions determine a linear function, and at a new x your prediction misses it: %s.", p.name, miss.Off())
}

// isRow tells whether y is one of the rows of m.
func isRow(y []float64, m *mat.Dense) bool {
	n, _ := m.Dims()
	for i := range n {
		if floats.EqualApprox(y, m.RawRowView(i), 1e-9) {
			return true
		}
	}
	return false
}

// same compares two matrices of one shape, to 1e-6 of the larger one.
func same(a, b mat.Matrix) bool {
	var diff mat.Dense
	diff.Sub(a, b)
	return mat.Max(absolute(&diff)) <= 1e-6*math.Max(mat.Max(absolute(a)), mat.Max(absolute(b)))
}

func absolute(m mat.Matrix) *mat.Dense {
	var out mat.Dense
	out.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, m)
	return &out
}

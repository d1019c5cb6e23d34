package ex03

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// fitTol leaves room for the normal equations with an explicit inverse.
const fitTol = 1e-7

func judgeForm(predict predictor) verify.Verdict {
	for _, p := range obedient(instance.Source(403, 1)) {
		for _, x := range p.at[:3] {
			first, bad := ask(predict, p, x)
			if bad != nil {
				return *bad
			}
			second, bad := ask(predict, p, x)
			if bad != nil {
				return *bad
			}
			if !verify.CloseSlice(second, first, verify.Tolerance{Rel: 1e-9}).OK {
				return verify.Fail("not-constant", 0, "Two calls with the same data gave different predictions. The least-squares prediction depends on X, T and x alone.")
			}
		}
	}
	return verify.Pass("You returned K numbers for every problem, from K = 2 to 5.")
}

func judgeFit(predict predictor) verify.Verdict {
	r := instance.Source(403, 2)
	for _, p := range append(obedient(r), draw(r, "targets without constraint", 20, 4, 3)) {
		if v := fits(predict, p, 3); v != nil {
			return *v
		}
	}
	return verify.Pass("At the training inputs no column of [1 X] is left in your residuals, and elsewhere your prediction is the same linear function.")
}

func judgeRank(predict predictor) verify.Verdict {
	for _, p := range deficient(instance.Source(403, 3)) {
		v := fits(predict, p, 4)
		if v == nil {
			continue
		}
		if v.Key == "empty" || v.Key == "wrong-length" || v.Key == "mutates-inputs" || v.Key == "mean" || v.Key == "no-bias" {
			return *v
		}
		return verify.Fail("singular", 4, "For “%s” the columns of [1 X] depend on each other, so [1 X]ᵀ[1 X] has no inverse. The sum of squares still has a minimum, and at an affine combination of training inputs all its minimisers predict the same; your prediction is another (or not a number). The pseudo-inverse does it, as in exercise 4.2.", p.name)
	}
	return verify.Pass("Dependent columns and few points make no difference.")
}

// fits is nil where the learner's predictions are those of least squares, both at
// the training inputs (orthogonal residuals) and at p.at.
func fits(predict predictor, p problem, hint int) *verify.Verdict {
	training, elsewhere, bad := answers(predict, p)
	if bad != nil {
		return bad
	}
	basis := instance.WithOnes(p.X)
	normal, span := verify.NormalEquations(basis, training, p.T, fitTol), verify.InSpan(basis, training, fitTol)
	W := instance.LeastSquares(p.X, p.T)
	f := verify.Finding{OK: true}
	for i, x := range p.at {
		want, size := instance.Linear(W, x)
		if at := verify.CloseSlice(elsewhere.RawRowView(i), want, verify.Tolerance{Abs: fitTol * size}); !at.OK {
			f = at
		}
	}
	if normal.OK && span.OK && f.OK {
		return nil
	}
	if v, ok := learner.Recognise(mistakes, p, learner.Entries(elsewhere)); ok {
		return &v
	}
	if span.OK && flattened(elsewhere, p) {
		return learner.Fail("forced", 2, "For “%s” your predictions satisfy a linear constraint that the targets do not satisfy: it was imposed on them. Least squares takes over what all targets obey, and nothing else.", p.name)
	}
	if _, ok := learner.Factor(learner.Entries(elsewhere), mistakeValues(p, leastSquares)); ok {
		return learner.Fail("scaled", hint, "Your predictions are the least-squares ones times one number.")
	}
	switch {
	case !span.OK:
		return learner.Fail("not-linear", hint, "For “%s” your predictions at the training inputs are not a linear function of x: they leave the span of the columns of [1 X], %s.", p.name, span.Off())
	case !normal.OK:
		return learner.Fail("not-least-squares", hint, "For “%s” your residuals are not orthogonal to the columns of [1 X]: relative to the lengths of the two, %s. The sum of squares can still be made smaller. (A penalty does this too.)", p.name, normal.Off())
	}
	return learner.Fail("elsewhere", hint, "For “%s” you predict as least squares does at the training inputs, and otherwise elsewhere: %s.", p.name, f.Off())
}

// flattened tells whether predictions lie on an affine subspace smaller than that
// of the least-squares predictions.
func flattened(y *mat.Dense, p problem) bool {
	_, k := y.Dims()
	want := mat.NewDense(len(p.at), k, mistakeValues(p, leastSquares))
	return affineRank(y) < affineRank(want)
}

// affineRank is the dimension of the smallest affine subspace that holds all rows.
func affineRank(y *mat.Dense) int {
	n, _ := y.Dims()
	centred, mean := mat.DenseCopyOf(y), instance.Mean(y)
	for i := range n {
		floats.Sub(centred.RawRowView(i), mean)
	}
	size := 0.0
	for _, v := range y.RawMatrix().Data {
		size = math.Max(size, math.Abs(v))
	}
	if size < 1e-300 || math.IsInf(size, 1) {
		return 0
	}
	centred.Scale(1/size, centred)
	var svd mat.SVD
	if !svd.Factorize(centred, mat.SVDNone) {
		return 0
	}
	rank := 0
	for _, s := range svd.Values(nil) {
		if s > 1e-9 {
			rank++
		}
	}
	return rank
}

func judgeObeys(predict predictor) verify.Verdict {
	r := instance.Source(403, 4)
	for _, p := range append(obedient(r), deficient(r)...) {
		for _, x := range p.at {
			y, bad := ask(predict, p, x)
			if bad != nil {
				return *bad
			}
			for i, b := range p.b {
				_, size := instance.Linear(instance.LeastSquares(p.X, p.T), x)
				a := p.A.RawRowView(i)
				if f := verify.AffineConstraint(a, b, y, verify.Tolerance{Rel: 1e-7, Abs: 1e-7 * size}); !f.OK {
					return verify.Fail("constraint", 2, "For “%s” all targets satisfy constraint %d of %d, and your prediction at a new x does not: aᵀy + b is %s. In exercise 4.2 the bias carried one constraint; it carries all of them.", p.name, i+1, p.constraints(), f.Off())
				}
			}
		}
	}
	return verify.Pass("What all targets obey, your predictions obey at every x: one constraint, several, and so many that only one target is possible.")
}

func judgeFree(predict predictor) verify.Verdict {
	for _, p := range free(instance.Source(403, 5)) {
		if v := fits(predict, p, 2); v != nil {
			return *v
		}
	}
	return verify.Pass("Targets that break a constraint, even one of them and a little, are predicted as least squares does. Nothing is forced.")
}

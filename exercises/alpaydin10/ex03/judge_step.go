package ex03

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type stepFunc = func(W, X, R *mat.Dense, eta float64) *mat.Dense

// askStep calls the learner's Step with copies and returns a copy of its answer;
// with a verdict instead where that is not a (D+1)×K matrix of finite numbers.
func askStep(step stepFunc, p problem) (*mat.Dense, *verify.Verdict) {
	var in learner.Inputs
	next := step(in.Dense("W", p.W), in.Dense("X", p.X), in.Dense("R", p.R), p.eta)
	if bad := in.Changed(4); bad != nil {
		return nil, bad
	}
	r, c := p.W.Dims()
	if next != nil && !next.IsEmpty() {
		if gr, gc := next.Dims(); gr == c && gc == r && r != c {
			return nil, learner.Fail("transposed", 4, "You returned a K×(D+1) matrix, one row per class. The weights of a class stand in a column: (D+1)×K, here %d×%d.", r, c)
		} else if gr == r-1 && gc == c {
			return nil, learner.Fail("no-bias-row", 4, "You returned a D×K matrix: the row of biases is missing. The biases are row 0, and they learn like weights of an input that is always 1.")
		}
	}
	if bad := form.Matrix("W", next, r, c, "(D+1)×K", p.name, 4); bad != nil {
		return nil, bad
	}
	return mat.DenseCopyOf(next), nil
}

func judgeStepForm(step stepFunc) verify.Verdict {
	for _, p := range problems(source(5)) {
		first, bad := askStep(step, p)
		if bad != nil {
			return *bad
		}
		second, bad := askStep(step, p)
		if bad != nil {
			return *bad
		}
		if !mat.Equal(first, second) {
			return verify.Fail("not-constant", 0, "Two calls with the same weights, data and η gave different results. Is something added to a matrix that outlives the call?")
		}
	}
	return verify.Pass("You returned a new (D+1)×K matrix for D from 1 to 5 and K from 2 to 4.")
}

// judgeStep compares the change of the weights with finite differences of E.
func judgeStep(step stepFunc) verify.Verdict {
	for _, p := range problems(source(6)) {
		next, bad := askStep(step, p)
		if bad != nil {
			return *bad
		}
		r, c := p.W.Dims()
		change := mat.NewDense(r, c, nil)
		change.Sub(next, p.W)
		change.Scale(-1/p.eta, change)
		f := verify.Gradient(func(w []float64) float64 {
			return p.err(mat.NewDense(r, c, append([]float64(nil), w...)))
		}, learner.Entries(p.W), learner.Entries(change), verify.Tolerance{Rel: 1e-7, Abs: 1e-7})
		if f.OK {
			continue
		}
		if v, ok := recogniseStep(p, next); ok {
			return v
		}
		f.Where = "" // the entries are flattened
		return verify.Fail("gradient", 4, "For “%s” the change of the weights, divided by −η, is not the gradient of E by central differences: %s.", p.name, f.Off())
	}
	return verify.Pass("The change is −η times the gradient of the cross-entropy, by central differences in every weight and bias: of the whole product of derivatives, η Σ (r − y) x is left.")
}

// judgeDescent looks at the error alone.
func judgeDescent(step stepFunc) verify.Verdict {
	for _, p := range problems(source(7)) {
		p.eta = 0
		same, bad := askStep(step, p)
		if bad != nil {
			return *bad
		}
		if f := verify.CloseMat(same, p.W, verify.Tolerance{Abs: 1e-12}); !f.OK {
			return verify.Fail("moves-without-eta", 3, "For “%s” and η = 0 nothing should move, but the weights do: they are %s. Does η multiply the whole change, and does the step begin at W?", p.name, f.Off())
		}
		p.eta = 1e-4
		next, bad := askStep(step, p)
		if bad != nil {
			return *bad
		}
		before, after := p.err(p.W), p.err(next)
		switch {
		case floats.Equal(next.RawMatrix().Data, p.W.RawMatrix().Data):
			return verify.Fail("unchanged", 3, "For “%s” the weights come back as they were, although the error is not at its least.", p.name)
		case !(after < before):
			return verify.Fail("error-rises", 3, "For “%s” and η = %g the error does not fall. The step goes against the gradient, from the weights that were handed in.", p.name, p.eta)
		}
	}
	return verify.Pass("A small step lowers the error on every problem, and η = 0 leaves the weights alone.")
}

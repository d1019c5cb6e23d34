package ex05

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type gradientFunc = func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense

// ask calls the learner's function with copies of everything and returns copies of
// its matrices; with a verdict instead where they are not K finite D×D matrices.
func ask(gradient gradientFunc, p problem) ([]*mat.Dense, *verify.Verdict) {
	var in learner.Inputs
	_, d, k := p.dims()
	W := make([]*mat.Dense, k)
	handed := make([]*mat.Dense, k)
	for i := range W {
		W[i] = in.Dense(fmt.Sprintf("W[%d]", i), p.W[i])
		handed[i] = W[i]
	}
	got := gradient(W, in.Dense("w", p.w), in.Slice("w0", p.w0), in.Dense("X", p.X), in.Dense("R", p.R))
	if bad := in.Changed(3); bad != nil {
		return nil, bad
	}
	for i := range W {
		if W[i] != handed[i] {
			return nil, learner.Fail("mutates-inputs", 3, "Your function put another matrix into its argument W. A slice is shared with the caller: make a new one.")
		}
	}
	switch {
	case len(got) == 0:
		return nil, learner.Fail("empty", 3, "Nothing came back. There is one matrix of derivatives per class.")
	case len(got) == k-1:
		return nil, learner.Fail("reference-class", 2, "You returned K − 1 = %d matrices, as if the last class were a reference class without weights, as in (10.34). Here every class has its own: K = %d.", len(got), k)
	case len(got) != k:
		return nil, learner.Fail("wrong-length", 3, "You returned %d matrices, and there are K = %d classes.", len(got), k)
	}
	out := make([]*mat.Dense, k)
	for i, m := range got {
		if bad := form.Matrix(fmt.Sprintf("∂E/∂W of class %d", i), m, d, d, "D×D", p.name, 3); bad != nil {
			return nil, bad
		}
		out[i] = mat.DenseCopyOf(m)
	}
	return out, nil
}

func judgeForm(gradient gradientFunc) verify.Verdict {
	for _, p := range problems(source(1)) {
		first, bad := ask(gradient, p)
		if bad != nil {
			return *bad
		}
		second, bad := ask(gradient, p)
		if bad != nil {
			return *bad
		}
		if !floats.Equal(flat(first), flat(second)) {
			return verify.Fail("not-constant", 0, "Two calls with the same arguments gave different matrices. Is something added to a matrix that outlives the call?")
		}
	}
	return verify.Pass("You returned one D×D matrix per class, for D from 1 to 4 and K from 2 to 4.")
}

package ex11

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func judgeForm(f weightsFunc) verify.Verdict {
	for _, p := range problems() {
		w, w0, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		first := p.activations(w, w0)
		w, w0, bad = ask(f, p)
		if bad != nil {
			return *bad
		}
		if !floats.Equal(first, p.activations(w, w0)) {
			return verify.Fail("not-constant", 0, "Two calls with the same arguments gave different weights.")
		}
	}
	return verify.Pass("You returned finite weights for K from 1 to 5, D from 1 to 4, L from 2 to 6.")
}

func judgeCells(f weightsFunc) verify.Verdict {
	plain := true // the weights are the logarithms themselves
	for _, p := range problems() {
		w, w0, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		got, right := p.activations(w, w0), p.right()
		g := verify.CloseSlice(got, right, verify.Tolerance{Abs: 1e-10, Rel: 1e-11})
		if g.OK {
			plain = plain && math.Abs(w0[0]-math.Log(p.prior[0])) < 1e-9
			continue
		}
		if v, ok := learner.Recognise(mistakes, p, got); ok {
			return v
		}
		if _, ok := learner.Factor(got, right); ok {
			return verify.Fail("factor", 2, "For “%s” all activations are right up to one factor. Are the logarithms natural ones (math.Log), with the right sign?", p.name)
		}
		if len(p.mu) > 1 && shifted(got, right, len(p.mu)) {
			return verify.Fail("common-shift", 2, "For “%s” your activations differ from ln{p(φ|C_k)p(C_k)} by a number that is the same for all classes. The posteriors are right, since only differences matter to them; asked for is the logarithm itself.", p.name)
		}
		return verify.Fail("activation", 2, "For “%s” some activation is not the logarithm of the product of the probabilities: %s (activations are counted through the cells, class by class).", p.name, g.Off())
	}
	if plain {
		return verify.Pass("On every cell the activation is the logarithm of prior times probabilities.")
	}
	return verify.Pass("On every cell the activation is the logarithm of prior times probabilities. (Recognised: part of each feature's weights is moved into the bias, which is free, since the L entries of a feature sum to 1.)")
}

// shifted tells whether got − right is the same for the k classes of each cell.
func shifted(got, right []float64, k int) bool {
	for i := 0; i < len(got); i += k {
		for j := 1; j < k; j++ {
			if !(math.Abs((got[i+j]-right[i+j])-(got[i]-right[i])) < 1e-9) {
				return false
			}
		}
	}
	return true
}

func judgePosterior(f weightsFunc) verify.Verdict {
	for _, p := range problems() {
		w, w0, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		a, at, miss := p.activations(w, w0), 0, verify.Finding{OK: true}
		p.cells(func(_ []float64, states []int) {
			want := make([]float64, len(p.prior))
			for k := range want {
				want[k] = p.joint(k, states)
			}
			floats.Scale(1/floats.Sum(want), want)
			if g := verify.CloseSlice(kernel.Softmax(a[at:at+len(want)]), want, verify.Tolerance{Abs: 1e-9}); !g.OK && miss.OK {
				miss = g
			}
			at += len(want)
		})
		if !miss.OK {
			return verify.Fail("posterior", 1, "For “%s” the softmax of your activations is not prior times probabilities over their sum: %s.", p.name, miss.Off())
		}
	}
	return verify.Pass("The softmax of your activations is Bayes' theorem, on every cell.")
}

func judgeMany(f weightsFunc) verify.Verdict {
	p := draw(instance.Source(411, 2), "400 features", 3, 400, 5)
	w, w0, bad := ask(f, p)
	if bad != nil {
		return *bad
	}
	_, d, l := p.dims()
	r := instance.Source(411, 3)
	for range 20 {
		phi, want := make([]float64, d*l), make([]float64, len(p.mu))
		for k := range want {
			want[k] = math.Log(p.prior[k])
		}
		for i := range d {
			s := r.IntN(l)
			phi[i*l+s] = 1
			for k := range want {
				want[k] += math.Log(p.mu[k].At(i, s))
			}
		}
		got := make([]float64, len(want))
		for k := range got {
			got[k] = w0[k] + floats.Dot(mat.Col(nil, k, w), phi)
		}
		if g := verify.CloseSlice(got, want, verify.Tolerance{Rel: 1e-10}); !g.OK {
			return verify.Fail("many-features", 2, "With 400 features your activations are not the sums of the logarithms: %s.", g.Off())
		}
	}
	return verify.Pass("Sums of logarithms do not underflow.")
}

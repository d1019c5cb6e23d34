package ex11_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex11"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func after(f func(w *mat.Dense, w0 []float64) (*mat.Dense, []float64)) weightsFunc {
	return func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) { return f(Weights(mu, prior)) }
}

func TestWrong(t *testing.T) {
	calls := 0.0
	scale := func(c float64) weightsFunc {
		return after(func(w *mat.Dense, w0 []float64) (*mat.Dense, []float64) {
			w.Scale(c, w)
			for k := range w0 {
				w0[k] *= c
			}
			return w, w0
		})
	}
	for _, tc := range []struct {
		name, key string
		answer    weightsFunc
	}{
		{"binary formula", "binary-formula", build(odds, func(mu []*mat.Dense, prior []float64, k int) float64 {
			b := math.Log(prior[k])
			for _, v := range mu[k].RawMatrix().Data {
				b += math.Log(1 - v)
			}
			return b
		})},
		{"log odds", "binary-formula", build(odds, logPrior)},
		{"no prior", "prior-missing", build(logMu, zero)},
		{"prior without logarithm", "prior-without-logarithm", build(logMu, func(_ []*mat.Dense, prior []float64, k int) float64 { return prior[k] })},
		{"prior in every weight", "prior-per-feature", build(func(mu []*mat.Dense, prior []float64, k, i, s int) float64 {
			return math.Log(mu[k].At(i, s) * prior[k])
		}, zero)},
		{"prior twice", "prior-twice", build(logMu, func(_ []*mat.Dense, prior []float64, k int) float64 { return 2 * math.Log(prior[k]) })},
		{"minus ln prior", "prior-sign", build(logMu, func(_ []*mat.Dense, prior []float64, k int) float64 { return -math.Log(prior[k]) })},
		{"μ for ln μ", "probabilities-added", build(plain, logPrior)},
		{"no logarithm at all", "probabilities-added", build(plain, func(_ []*mat.Dense, prior []float64, k int) float64 { return prior[k] })},
		{"prior only", "features-missing", build(func([]*mat.Dense, []float64, int, int, int) float64 { return 0 }, logPrior)},
		{"divided by sums", "logarithm-of-sums", build(func(mu []*mat.Dense, _ []float64, k, i, s int) float64 {
			sum := 0.0
			for j := range mu {
				sum += mu[j].At(i, s)
			}
			return math.Log(mu[k].At(i, s) / sum)
		}, logPrior)},
		{"classes reversed", "classes-swapped", build(func(mu []*mat.Dense, p []float64, k, i, s int) float64 { return logMu(mu, p, len(mu)-1-k, i, s) },
			func(mu []*mat.Dense, p []float64, k int) float64 { return math.Log(p[len(mu)-1-k]) })},
		{"rows s·D+i", "layout", func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
			w, w0 := Weights(mu, prior)
			d, l := mu[0].Dims()
			v := mat.NewDense(d*l, len(mu), nil)
			for i := range d {
				for s := range l {
					v.SetRow(s*d+i, w.RawRowView(i*l+s))
				}
			}
			return v, w0
		}},
		{"last state 0", "last-state-zero", build(func(mu []*mat.Dense, p []float64, k, i, s int) float64 {
			if _, l := mu[k].Dims(); s == l-1 {
				return 0
			}
			return logMu(mu, p, k, i, s)
		}, logPrior)},
		{"last feature 0", "last-feature-forgotten", build(func(mu []*mat.Dense, p []float64, k, i, s int) float64 {
			if d, _ := mu[k].Dims(); i == d-1 {
				return 0
			}
			return logMu(mu, p, k, i, s)
		}, logPrior)},
		{"sign", "factor", scale(-1)},
		{"base 2", "factor", scale(1 / math.Ln2)},
		{"half", "factor", scale(0.5)},
		{"against the last class", "common-shift", after(func(w *mat.Dense, w0 []float64) (*mat.Dense, []float64) {
			n, k := w.Dims()
			for i := range n {
				last := w.At(i, k-1)
				for j := range k {
					w.Set(i, j, w.At(i, j)-last)
				}
			}
			return w, w0
		})},
		{"one weight off", "activation", after(func(w *mat.Dense, w0 []float64) (*mat.Dense, []float64) {
			w.Set(0, 0, w.At(0, 0)+0.01)
			return w, w0
		})},
		{"a single class needs no weights", "activation", after(func(w *mat.Dense, w0 []float64) (*mat.Dense, []float64) {
			if len(w0) == 1 {
				w.Zero()
				w0[0] = 1
			}
			return w, w0
		})},
		{"one weight off, in the posterior", "posterior", after(func(w *mat.Dense, w0 []float64) (*mat.Dense, []float64) {
			w.Set(0, 0, w.At(0, 0)+0.01)
			return w, w0
		})},
		{"limited probabilities", "many-features", after(func(w *mat.Dense, w0 []float64) (*mat.Dense, []float64) {
			if n, _ := w.Dims(); n > 100 {
				w.Set(0, 0, 0)
				w.Scale(0.999, w)
			}
			return w, w0
		})},
		{"transposed", "wrong-shape", after(func(w *mat.Dense, w0 []float64) (*mat.Dense, []float64) { return mat.DenseCopyOf(w.T()), w0 })},
		{"no matrix", "empty", after(func(_ *mat.Dense, w0 []float64) (*mat.Dense, []float64) { return nil, w0 })},
		{"no bias", "empty", after(func(w *mat.Dense, _ []float64) (*mat.Dense, []float64) { return w, nil })},
		{"one bias too few", "wrong-length", after(func(w *mat.Dense, w0 []float64) (*mat.Dense, []float64) { return w, w0[1:] })},
		{"not a number", "not-finite", scale(math.NaN())},
		{"infinite", "not-finite", scale(math.Inf(1))},
		{"huge", "activation", after(func(w *mat.Dense, w0 []float64) (*mat.Dense, []float64) {
			w.Set(0, 0, math.MaxFloat64)
			return w, w0
		})},
		{"changes", "not-constant", after(func(w *mat.Dense, w0 []float64) (*mat.Dense, []float64) { calls++; w0[0] += calls; return w, w0 })},
		{"logarithms in place", "mutates-inputs", func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
			w, w0 := Weights(mu, prior)
			mu[0].Scale(2, mu[0])
			return w, w0
		}},
		{"prior in place", "mutates-inputs", func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
			w, w0 := Weights(mu, prior)
			copy(prior, w0)
			return w, w0
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex11.Exercise(), ex11.Check(tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex11.Check(func([]*mat.Dense, []float64) (*mat.Dense, []float64) { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex11.Check(func([]*mat.Dense, []float64) (*mat.Dense, []float64) { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex11.Check(nil), verify.Crashed)
}

// TestSingleClass: with K = 1 there is no second table to take the sizes from.
func TestSingleClass(t *testing.T) {
	report := ex11.Check(func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
		mu[1].Dims()
		return Weights(mu, prior)
	})
	if report.Passed() || report.Count(verify.Crashed) != 3 {
		t.Errorf("want the three parts with a single class Crashed:\n%s", report)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex11.Check(Weights).String(), ex11.Check(Weights).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	fmt.Println(ex11.Check(build(logMu, zero)).Parts[1].Message)
	// Output: The prior is missing: these are ln p(φ|C_k).
}

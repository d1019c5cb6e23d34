package ex11_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex11"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type weightsFunc = func(mu []*mat.Dense, prior []float64) (W *mat.Dense, w0 []float64)

func TestFunctions(t *testing.T) { gate.Functions(t, ex11.Exercise(), gate.OfNew(ex11.Check, Weights)) }

// changedInputs returns an answer that calls Weights with changed arguments. It applies ofMu to
// every probability in mu, and ofPrior to every prior.
func changedInputs(ofMu, ofPrior func(v float64) float64) weightsFunc {
	return func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
		others := make([]*mat.Dense, len(mu))
		for k, m := range mu {
			others[k] = mat.DenseCopyOf(m)
			others[k].Apply(func(_, _ int, v float64) float64 { return ofMu(v) }, m)
		}
		priors := make([]float64, len(prior))
		for k, v := range prior {
			priors[k] = ofPrior(v)
		}
		return Weights(others, priors)
	}
}

// changedResult returns an answer that calls Weights and applies f to the result.
func changedResult(f func(w *mat.Dense, w0 []float64)) weightsFunc {
	return func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
		w, w0 := Weights(mu, prior)
		f(w, w0)
		return w, w0
	}
}

func same(v float64) float64 { return v }

func least(c float64) func(float64) float64 {
	return func(v float64) float64 { return math.Max(v, c) }
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex11.Check, map[string]weightsFunc{
		"reference":         Weights,
		"base 2, and back":  changedInputs(func(v float64) float64 { return math.Exp(math.Log2(v) * math.Ln2) }, same),
		"relative rounding": changedResult(func(w *mat.Dense, w0 []float64) { w.Scale(1+1e-12, w); floats.Scale(1-1e-12, w0) }),
		"prior spread over the weights of the features": func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
			w, w0 := Weights(mu, prior)
			d, _ := mu[0].Dims()
			w.Apply(func(_, k int, v float64) float64 { return v + w0[k]/float64(d) }, w)
			return w, make([]float64, len(w0))
		},
		"last state as reference": lastAsReference,
	})
}

// lastAsReference returns weights that give the same activations as Weights. It subtracts the last
// weight of each feature from all weights of the feature, and adds this last weight to the bias.
func lastAsReference(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
	w, w0 := Weights(mu, prior)
	d, l := mu[0].Dims()
	for i := range d {
		last := slices.Clone(w.RawRowView(i*l + l - 1))
		floats.Add(w0, last)
		for s := range l {
			floats.Sub(w.RawRowView(i*l+s), last)
		}
	}
	return w, w0
}

// TestFreedom checks weights that are not the logarithms but give the same activations. The report
// must contain a note for these weights, and no note for the logarithms.
func TestFreedom(t *testing.T) {
	if own, moved := ex11.Check(Weights).Parts[1].Message, ex11.Check(lastAsReference).Parts[1].Message; strings.Contains(own, "Your biases are not") || !strings.Contains(moved, "Your biases are not") {
		t.Errorf("want a note for the moved weights, and no note for the logarithms. The message for the logarithms is: %s\nThe message for the moved weights is: %s", own, moved)
	}
}

// TestWrong checks wrong answers that are not in the tables of mistakes in check.go. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	scale := func(c float64) weightsFunc {
		return changedResult(func(w *mat.Dense, w0 []float64) { w.Scale(c, w); floats.Scale(c, w0) })
	}
	// `noise` multiplies each weight by 1 plus a small error; like rounding errors, these errors
	// differ between classes
	noise := changedResult(func(w *mat.Dense, _ []float64) {
		w.Apply(func(i, k int, v float64) float64 { return v * (1 + 3e-10*math.Sin(float64(7*i+k))) }, w)
	})
	// aloneZero sets all weights to 0 and the bias to 1 if there is only one class
	aloneZero := changedResult(func(w *mat.Dense, w0 []float64) {
		if len(w0) == 1 {
			w.Zero()
			w0[0] = 1
		}
	})
	gate.Wrongs(t, ex11.Exercise(), ex11.Check, map[string][]weightsFunc{
		"factor": {scale(-1), scale(1 / math.Ln2), scale(1 / math.Ln10), scale(0.5)},
		"common-shift": {
			// this answer subtracts the weights of the last class from the weights of every class
			changedResult(func(w *mat.Dense, w0 []float64) {
				n, k := w.Dims()
				for i := range n {
					floats.AddConst(-w.At(i, k-1), w.RawRowView(i))
				}
			}),
			changedResult(func(_ *mat.Dense, w0 []float64) { floats.AddConst(1, w0) }),
			func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) { // the bias is ln(prior/D)
				w, w0 := Weights(mu, prior)
				d, _ := mu[0].Dims()
				floats.AddConst(-math.Log(float64(d)), w0)
				return w, w0
			},
		},
		"nearly":     {scale(1 + 1e-8), changedInputs(func(v float64) float64 { return v + 1e-8 }, same), noise},
		"activation": {changedResult(func(w *mat.Dense, _ []float64) { w.Set(0, 0, w.At(0, 0)+0.01) }), aloneZero},
		"posterior":  {changedResult(func(w *mat.Dense, _ []float64) { w.Set(0, 0, w.At(0, 0)+0.01) })},
		"rare": {
			changedInputs(least(3e-3), same), changedInputs(least(1e-3), same), changedInputs(least(1e-6), same),
			changedInputs(least(1e-9), same),
			changedInputs(least(1e-12), same), changedInputs(func(v float64) float64 { return v + 1e-12 }, same),
			changedInputs(same, least(4e-3)), changedInputs(same, least(1e-3)), changedInputs(same, least(1e-9)),
		},
		"layout": {func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
			// this answer computes wrong row numbers, and panics if D > L
			right, w0 := Weights(mu, prior)
			d, l := mu[0].Dims()
			w := mat.NewDense(d*l, len(mu), nil)
			for row := range d * l {
				w.SetRow(row/l*d+row%l, right.RawRowView(row))
			}
			return w, w0
		}},
		"many-features": {changedResult(func(w *mat.Dense, _ []float64) {
			if n, _ := w.Dims(); n > 100 {
				w.Set(n-1, 0, 0)
				w.Set(0, 0, 0)
			}
		})},
		"in-the-middle": {scale(0.5)},
	})
}

// TestRarePrior checks that Check rejects an answer that raises priors below 0.02 to 0.02. In some
// variants no model that problems() returns has a prior this small. Check therefore also needs the
// models that rare() returns, because some of their priors are below 0.02 in every variant.
func TestRarePrior(t *testing.T) {
	if r := ex11.Check(changedInputs(same, least(0.02))); r.Passed() {
		t.Errorf("an answer that clips priors at 0.02 passed:\n%s", r)
	}
}

// TestLimits checks that some problems have one class (K = 1), and that some have one state (L =
// 1). An answer that accesses a second matrix of mu or a second state must crash.
func TestLimits(t *testing.T) {
	for name, call := range map[string]func(mu []*mat.Dense){
		"a second class": func(mu []*mat.Dense) { mu[1].Dims() },
		"a second state": func(mu []*mat.Dense) { mu[0].At(0, 1) },
	} {
		r := ex11.Check(func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
			call(mu)
			return Weights(mu, prior)
		})
		if r.Passed() || r.Count(verify.Crashed) != 3 {
			t.Errorf("an answer that accesses %s: %d parts have the outcome Crashed, want 3:\n%s", name,
				r.Count(verify.Crashed), r)
		}
	}
}

func ExampleCheck() {
	noPrior := func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
		w, w0 := Weights(mu, prior)
		return w, make([]float64, len(w0))
	}
	fmt.Println(ex11.Check(noPrior).Parts[1].Message)
	// Output: Your activations are ln p(φ|C_k). The prior is missing.
}

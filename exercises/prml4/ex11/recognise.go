package ex11

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

// of is what mistaken weights make of the activations: weight for state s of
// feature i in class k, bias for class k.
func of(weight func(p problem, k, i, s int) float64, bias func(p problem, k int) float64) func(problem) []float64 {
	return func(p problem) []float64 {
		classes, d, l := p.dims()
		w, w0 := mat.NewDense(d*l, classes, nil), make([]float64, classes)
		for k := range classes {
			w0[k] = bias(p, k)
			for i := range d {
				for s := range l {
					w.Set(i*l+s, k, weight(p, k, i, s))
				}
			}
		}
		return p.activations(w, w0)
	}
}

func logMu(p problem, k, i, s int) float64   { return math.Log(p.mu[k].At(i, s)) }
func logPrior(p problem, k int) float64      { return math.Log(p.prior[k]) }
func plainMu(p problem, k, i, s int) float64 { return p.mu[k].At(i, s) }

var mistakes = []learner.Mistake[problem]{
	{Key: "binary-formula", Hint: 2, Message: "Each entry of φ is treated as a binary feature of its own, with φ ln μ + (1−φ) ln(1−μ), as in (4.82). The L entries of a feature are not independent: exactly one is 1, and only its probability is a factor.",
		Value: of(func(p problem, k, i, s int) float64 { v := p.mu[k].At(i, s); return math.Log(v / (1 - v)) },
			func(p problem, k int) float64 {
				sum := logPrior(p, k)
				for _, v := range learner.Entries(p.mu[k]) {
					sum += math.Log(1 - v)
				}
				return sum
			})},
	{Key: "binary-formula", Hint: 2, Message: "The weights are log odds, ln{μ/(1−μ)}, as for binary features in (4.82). With 1-of-L coding only the probability of the state that occurs is a factor.",
		Value: of(func(p problem, k, i, s int) float64 { v := p.mu[k].At(i, s); return math.Log(v / (1 - v)) }, logPrior)},
	{Key: "prior-missing", Hint: 1, Message: "The prior is missing: these are ln p(φ|C_k).", Value: of(logMu, func(problem, int) float64 { return 0 })},
	{Key: "prior-without-logarithm", Hint: 2, Message: "The prior stands in the bias without its logarithm.", Value: of(logMu, func(p problem, k int) float64 { return p.prior[k] })},
	{Key: "prior-per-feature", Hint: 2, Message: "The prior comes in with every feature. It is a factor once.",
		Value: of(func(p problem, k, i, s int) float64 { return logMu(p, k, i, s) + logPrior(p, k) }, func(problem, int) float64 { return 0 })},
	{Key: "prior-twice", Hint: 2, Message: "The prior comes in twice.", Value: of(logMu, func(p problem, k int) float64 { return 2 * logPrior(p, k) })},
	{Key: "prior-sign", Hint: 2, Message: "ln p(C_k) has the wrong sign.", Value: of(logMu, func(p problem, k int) float64 { return -logPrior(p, k) })},
	{Key: "probabilities-added", Hint: 2, Message: "The probabilities themselves are the weights, so that they are added. Independent probabilities are multiplied: their logarithms add.", Value: of(plainMu, logPrior)},
	{Key: "probabilities-added", Hint: 2, Message: "The probabilities themselves are weights and bias, so that they are added. Independent probabilities are multiplied: their logarithms add.",
		Value: of(plainMu, func(p problem, k int) float64 { return p.prior[k] })},
	{Key: "features-missing", Hint: 2, Message: "Only the prior is in your activations.", Value: of(func(problem, int, int, int) float64 { return 0 }, logPrior)},
	{Key: "logarithm-of-sums", Hint: 2, Message: "The weights are divided by sums over the classes: this is the sum of the logarithms of each feature's own posterior, without priors. Normalise once, at the end, if at all.",
		Value: of(func(p problem, k, i, s int) float64 {
			sum := 0.0
			for j := range p.mu {
				sum += p.mu[j].At(i, s)
			}
			return math.Log(p.mu[k].At(i, s) / sum)
		}, logPrior)},
	{Key: "classes-swapped", Hint: 3, Message: "The classes are in reverse order: column k of W belongs to class k.",
		Value: of(func(p problem, k, i, s int) float64 { return logMu(p, len(p.mu)-1-k, i, s) }, func(p problem, k int) float64 { return logPrior(p, len(p.mu)-1-k) })},
	{Key: "layout", Hint: 3, Message: "The weights stand in the wrong rows: s·D+i, all features of one state together. Entry i·L+s of φ is state s of feature i.",
		Value: func(p problem) []float64 {
			_, d, l := p.dims()
			if d == 1 {
				return nil
			}
			return of(func(p problem, k, i, s int) float64 { row := i*l + s; return logMu(p, k, row%d, row/d) }, logPrior)(p)
		}},
	{Key: "last-state-zero", Hint: 3, Message: "The last state of each feature has weight 0. That is allowed if what is taken from it goes into the bias and is taken from the other states, too.",
		Value: of(func(p problem, k, i, s int) float64 {
			if _, _, l := p.dims(); s == l-1 {
				return 0
			}
			return logMu(p, k, i, s)
		}, logPrior)},
	{Key: "last-feature-forgotten", Hint: 3, Message: "The last feature has no weights: does a loop stop one too early?",
		Value: of(func(p problem, k, i, s int) float64 {
			if _, d, _ := p.dims(); i == d-1 {
				return 0
			}
			return logMu(p, k, i, s)
		}, logPrior)},
}

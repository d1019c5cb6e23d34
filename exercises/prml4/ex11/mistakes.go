package ex11

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// weightsFunc is the learner's function.
type weightsFunc = func(mu []*mat.Dense, prior []float64) (W *mat.Dense, w0 []float64)

// call returns the learner's results, nil where they have no form.
func (p problem) call(f weightsFunc, c *judge.Call) (w, w0 []float64) {
	var mu []*mat.Dense
	for _, m := range p.mu {
		mu = append(mu, c.Dense("mu", m))
	}
	W, b := f(mu, c.Slice("prior", p.prior))
	k, d, l := p.dims()
	return c.Matrix("W", W, d*l, k, "(D·L)×K"), c.Vector("w0", b, k, "class")
}

var ask = &judge.Question[weightsFunc, problem]{
	Func: "Weights", Name: "activations", Hint: 3, Per: "cell and class", New: true,
	Ask: func(f weightsFunc, c *judge.Call, p problem) []float64 {
		w, w0 := p.call(f, c)
		if w == nil || w0 == nil {
			return nil
		}
		classes, _, l := p.dims()
		out := make([]float64, 0, len(p.cells)*classes)
		for _, states := range p.cells { // wᵀφ adds the weights of the states
			a := slices.Clone(w0)
			for i, s := range states {
				row := (i*l + s) * classes
				floats.Add(a, w[row:row+classes])
			}
			out = append(out, a...)
		}
		return out
	},
	Right:  func(p problem) []float64 { return slices.Clone(p.logs) }, // a factor is tried on it
	Family: commonShift,
	Nearly: judge.Wrong{Key: "nearly", Hint: 2, Message: "Nearly: for {problem} your activations are {off}. Is something small added to the probabilities, or a logarithm rounded?"},
	Factor: judge.Wrong{Key: "factor", Hint: 2, Message: "All activations are right up to one factor. Are the logarithms natural ones (math.Log), with the right sign?"},
	Mistakes: []judge.Mistake[weightsFunc]{
		{Key: "binary-formula", Hint: 2, Message: "Each entry of φ is treated as a binary feature of its own, with φ ln μ + (1−φ) ln(1−μ), as in (4.82). The L entries of a feature are not independent: exactly one is 1, and only its probability is a factor.",
			Answer: build(logOdds, func(p problem, k int) float64 {
				sum := logPrior(p, k)
				for i := range p.mu[k].RawMatrix().Rows {
					for _, v := range p.mu[k].RawRowView(i) {
						sum += math.Log(1 - v)
					}
				}
				return sum
			})},
		{Key: "binary-formula", Answer: build(logOdds, logPrior), Hint: 2, Message: "The weights are log odds, ln{μ/(1−μ)}, as for binary features in (4.82). With 1-of-L coding only the probability of the state that occurs is a factor."},
		{Key: "prior-missing", Answer: build(logMu, func(problem, int) float64 { return 0 }), Hint: 1, Message: "The prior is missing: these are ln p(φ|C_k)."},
		{Key: "prior-without-logarithm", Answer: build(logMu, prior), Hint: 2, Message: "The prior stands in the bias without its logarithm."},
		{Key: "prior-per-feature", Hint: 2, Message: "The prior comes in with every feature. It is a factor once.",
			Answer: build(func(p problem, k, i, s int) float64 { return logMu(p, k, i, s) + logPrior(p, k) }, func(problem, int) float64 { return 0 })},
		{Key: "prior-per-feature", Hint: 2, Message: "The prior comes in with every feature, and with the bias once more. It is a factor once.",
			Answer: build(func(p problem, k, i, s int) float64 { return logMu(p, k, i, s) + logPrior(p, k) }, logPrior)},
		{Key: "prior-per-feature", Hint: 2, Message: "ln p(C_k) is divided by the number of features. The prior is a factor once, whole.",
			Answer: build(logMu, func(p problem, k int) float64 { _, d, _ := p.dims(); return logPrior(p, k) / float64(d) })},
		{Key: "prior-twice", Hint: 2, Message: "The prior comes in twice.",
			Answer: build(logMu, func(p problem, k int) float64 { return 2 * logPrior(p, k) })},
		{Key: "prior-sign", Hint: 2, Message: "ln p(C_k) has the wrong sign.",
			Answer: build(logMu, func(p problem, k int) float64 { return -logPrior(p, k) })},
		{Key: "prior-odds", Hint: 1, Message: "The bias is the log odds of the prior, ln{π/(1−π)}. Odds compare one class with the rest; a_k of (4.63) is a logarithm of the joint probability of features and class k alone.",
			Answer: build(logMu, func(p problem, k int) float64 { return math.Log(p.prior[k] / (1 - p.prior[k])) })},
		{Key: "prior-uniform", Hint: 1, Message: "The bias is −ln K for every class, as if all classes were equally likely. Is prior used?",
			Answer: build(logMu, func(p problem, _ int) float64 { return -math.Log(float64(len(p.prior))) })},
		{Key: "weights-sign", Hint: 2, Message: "The weights have the wrong sign, and the bias has not.",
			Answer: build(func(p problem, k, i, s int) float64 { return -logMu(p, k, i, s) }, logPrior)},
		{Key: "probabilities-added", Answer: build(mu, logPrior), Hint: 2, Message: "The probabilities themselves are the weights, so that they are added. Independent probabilities are multiplied: their logarithms add."},
		{Key: "probabilities-added", Answer: build(mu, prior), Hint: 2, Message: "The probabilities themselves are weights and bias, so that they are added. Independent probabilities are multiplied: their logarithms add."},
		{Key: "features-missing", Hint: 2, Message: "Only the prior is in your activations.",
			Answer: build(func(problem, int, int, int) float64 { return 0 }, logPrior)},
		{Key: "logarithm-of-sums", Hint: 2, Message: "The weights are divided by sums over the classes: this is the sum of the logarithms of each feature's own posterior, without priors. Normalise once, at the end, if at all.",
			Answer: build(func(p problem, k, i, s int) float64 {
				sum := 0.0
				for _, m := range p.mu {
					sum += m.At(i, s)
				}
				return math.Log(p.mu[k].At(i, s) / sum)
			}, logPrior)},
		{Key: "classes-swapped", Hint: 3, Message: "The classes are in reverse order: column k of W belongs to class k.",
			Answer: build(func(p problem, k, i, s int) float64 { return logMu(p, len(p.mu)-1-k, i, s) }, func(p problem, k int) float64 { return logPrior(p, len(p.mu)-1-k) })},
		{Key: "one-class", Hint: 3, Message: "Every class has the weights of class 0. Is it mu[0] where it is mu[k]?",
			Answer: build(func(p problem, _, i, s int) float64 { return logMu(p, 0, i, s) }, logPrior)},
		{Key: "layout", Answer: rows(func(i, s, d, _ int) int { return s*d + i }), Hint: 3, Message: "The weights stand in the wrong rows: s·D+i, all features of one state together. Entry i·L+s of φ is state s of feature i."},
		{Key: "layout", Answer: rows(func(i, s, d, _ int) int { return i*d + s }), Hint: 3, Message: "The weights stand in the wrong rows: i·D+s, so that features overlap, or leave W. There are L states to a feature, and entry i·L+s of φ is state s of feature i."},
		{Key: "last-state-zero", Answer: without(func(_, s, _, l int) bool { return s == l-1 }), Hint: 3, Message: "The last state of each feature has weight 0. That is allowed if what is taken from it goes into the bias and is taken from the other states, too."},
		{Key: "last-feature-forgotten", Answer: without(func(i, _, d, _ int) bool { return i == d-1 }), Hint: 3, Message: "The last feature has no weights: does a loop stop one too early?"},
	},
}

// commonShift tells that the activations of each cell differ from the right ones by a
// number that is the same for all classes. Rounding is no such number.
func commonShift(p problem, got []float64) *verify.Verdict {
	classes, largest := len(p.prior), 0.0
	off := floats.SubTo(make([]float64, len(got)), got, p.logs)
	for i, v := range off {
		if math.Abs(v-off[i-i%classes]) > 1e-9 {
			return nil
		}
		largest = math.Max(largest, math.Abs(v))
	}
	return judge.FailIf(classes > 1 && largest >= 1e-6, "common-shift", 2, "For %v your activations differ from ln{p(φ|C_k)p(C_k)} by a number that is the same for all classes. The posteriors are right, since only differences matter to them; asked for is the logarithm itself.", p)
}

// build makes a learner's function of what stands in W for state s of feature i in
// class k, and of what stands in w0.
func build(weight func(p problem, k, i, s int) float64, bias func(p problem, k int) float64) weightsFunc {
	return func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
		p := problem{mu: mu, prior: prior}
		classes, d, l := p.dims()
		w, w0 := mat.NewDense(d*l, classes, nil), make([]float64, classes)
		for k := range classes {
			w0[k] = bias(p, k)
			for row := range d * l {
				w.Set(row, k, weight(p, k, row/l, row%l))
			}
		}
		return w, w0
	}
}

// rows puts the right weights into other rows, as far as W has them.
func rows(row func(i, s, d, l int) int) weightsFunc {
	return func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
		right, w0 := build(logMu, logPrior)(mu, prior)
		d, l := mu[0].Dims()
		w := mat.NewDense(d*l, len(mu), nil)
		for i := range d {
			for s := range l {
				if to := row(i, s, d, l); to < d*l { // a learner's panics beyond
					w.SetRow(to, right.RawRowView(i*l+s))
				}
			}
		}
		return w, w0
	}
}

// without leaves weights at 0.
func without(left func(i, s, d, l int) bool) weightsFunc {
	return rows(func(i, s, d, l int) int {
		if left(i, s, d, l) {
			return d * l
		}
		return i*l + s
	})
}

func mu(p problem, k, i, s int) float64      { return p.mu[k].At(i, s) }
func logMu(p problem, k, i, s int) float64   { return math.Log(mu(p, k, i, s)) }
func logOdds(p problem, k, i, s int) float64 { return math.Log(mu(p, k, i, s) / (1 - mu(p, k, i, s))) }
func prior(p problem, k int) float64         { return p.prior[k] }
func logPrior(p problem, k int) float64      { return math.Log(p.prior[k]) }

func init() { judge.Known(exercise, ask, Check) }

// Package ex11 judges PRML exercise 4.11: with discrete features that are
// independent within each class, the activations are linear.
package ex11

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges weights, which returns W ((D·L)×K) and w0 (K) of the naive Bayes
// classifier with state probabilities mu (K matrices, D×L) and class priors (K).
func Check(weights func(mu []*mat.Dense, prior []float64) (W *mat.Dense, w0 []float64)) *verify.Report {
	return exercise.Judge(ask.Parts(weights, []judge.Property[problem]{
		judge.Form("W and w0 come back in the right shapes, and mu and prior stay as they were", problems, nil,
			judge.Wrong{},
			"You returned finite weights for K from 1 to 5, D from 1 to 4, L from 1 to 6."),
		{Name: "a_k is ln{p(φ|C_k)p(C_k)} on every cell of the table", On: problems, Holds: activations,
			Wrong: judge.Wrong{Key: "activation", Hint: 2,
				Message: "For {problem} some activation is not the logarithm of the product of the probabilities: {off}."},
			Right: "On every cell the activation is the logarithm of prior times probabilities.",
			Note:  func([][]float64) string { return freedom(weights) }},
		{Name: "the posteriors are those of Bayes' theorem", On: problems, Holds: posteriors,
			Wrong: judge.Wrong{Key: "posterior", Hint: 1,
				Message: "For {problem} the softmax of your activations is not prior times probabilities over their sum: {off}."},
			Right: "The softmax of your activations is Bayes' theorem, on every cell."},
		{Name: "rare states and rare classes", On: rare, Limits: true, Holds: activations,
			Wrong: judge.Wrong{Key: "rare", Hint: 2,
				Message: "For {problem} some activation is not the logarithm of the product: {off}. Is a probability kept away from 0 by a limit, or by a number that is added to it? All of them are greater than 0 as they are, and the logarithm of a small one is what tells the classes apart."},
			Right: "A probability of 10⁻¹² counts with its own logarithm, in a state as in a prior."},
		{Name: "400 features, where the product of probabilities underflows", On: many, Limits: true,
			Holds: activations,
			Wrong: judge.Wrong{Key: "many-features", Hint: 2,
				Message: "With 400 features your activations are not the sums of the logarithms: {off}."},
			Right: "Sums of logarithms do not underflow."},
	}...)...)
}

func activations(p problem, got []float64) verify.Finding {
	worst, classes := verify.Finding{OK: true}, len(p.prior)
	for i, right := range p.logs {
		if f := verify.Close(got[i], right, verify.Tolerance{Abs: 1e-10, Rel: 1e-10}); !f.OK && (worst.OK || f.Miss > worst.Miss) {
			worst = f
			worst.Where = fmt.Sprintf("class %d", i%classes)
			if states := p.cells[i/classes]; len(states) < 9 {
				worst.Where += fmt.Sprintf(" for the states %v", states)
			}
		}
	}
	return worst
}

func posteriors(p problem, got []float64) verify.Finding {
	classes := len(p.prior)
	for at := 0; at < len(got); at += classes {
		want := make([]float64, classes) // prior times probabilities, divided by their sum
		for k := range want {
			want[k] = math.Exp(p.logs[at+k])
		}
		floats.Scale(1/floats.Sum(want), want)
		if f := verify.CloseSlice(kernel.Softmax(got[at:at+classes]), want, verify.Tolerance{Abs: 1e-9}); !f.OK {
			return f
		}
	}
	return verify.Finding{OK: true}
}

// freedom notes that right weights are not the logarithms themselves.
func freedom(f weightsFunc) string {
	for _, p := range problems() {
		_, w0 := p.call(f, &judge.Call{})
		for k, v := range w0 {
			if math.Abs(v-math.Log(p.prior[k])) > 1e-9 {
				return "(Recognised: part of each feature's weights is moved into the bias, which is free, since the L entries of a feature sum to 1.)"
			}
		}
	}
	return ""
}

// A problem is a naive Bayes model, with the cells of its table at which the activations are
// compared.
type problem struct {
	name  string
	mu    []*mat.Dense // K matrices, D×L
	prior []float64
	cells [][]int   // the states of the D features
	logs  []float64 // the right activations, cell by cell and class by class
}

func (p problem) String() string { return "“" + p.name + "”" }

func (p problem) dims() (k, d, l int) {
	d, l = p.mu[0].Dims()
	return len(p.mu), d, l
}

var problems = instance.Once(func() []problem {
	r := instance.Source(411, 1)
	return finish(
		draw(r, "three classes, three features of four states", 3, 3, 4),
		draw(r, "two classes, three features of three states", 2, 3, 3),
		draw(r, "two classes, four features of two states", 2, 4, 2),
		draw(r, "five classes, one feature of six states", 5, 1, 6),
		draw(r, "four classes, three features of five states", 4, 3, 5),
		draw(r, "a single class", 1, 2, 3),
		draw(r, "features of a single state", 3, 2, 1),
	)
})

// rare holds models with probabilities far below the probabilities in problems. The product of a
// probability and a prior is never subnormal, so an answer may compute it.
var rare = instance.Once(func() []problem {
	r := instance.Source(411, 4)
	states := draw(r, "rare states", 3, 2, 4)
	for i, small := range [][]float64{{1e-3, 1e-6, 1e-9}, {2e-3, 1e-12, 1e-290}} {
		row := with(r, small)
		for k, m := range states.mu { // no state is rare in all classes
			m.SetRow(i, slices.Concat(row[k:], row[:k]))
		}
	}
	classes := draw(r, "rare classes", 4, 2, 3)
	classes.prior = with(r, []float64{1e-3, 1e-6, 1e-12})
	three := draw(r, "a class that is not quite so rare", 3, 2, 2)
	three.prior = with(r, []float64{0.2, 0.01})
	return finish(states, classes, three)
})

// with returns these numbers and the remainder to 1, in random order.
func with(r *rand.Rand, small []float64) []float64 {
	v := append(slices.Clone(small), 1-floats.Sum(small))
	r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
	return v
}

var many = instance.Once(func() []problem {
	p := model(instance.Source(411, 2), "400 features", 3, 400, 5)
	r := instance.Source(411, 3)
	for range 20 {
		states := make([]int, 400)
		for i := range states {
			states[i] = r.IntN(5)
		}
		p.cells = append(p.cells, states)
	}
	return finish(p)
})

func model(r *rand.Rand, name string, k, d, l int) problem {
	p := problem{name: name, prior: simplex(r, k)}
	for range k {
		m := mat.NewDense(d, l, nil)
		for i := range d {
			m.SetRow(i, simplex(r, l))
		}
		p.mu = append(p.mu, m)
	}
	return p
}

// draw returns a model with all cells of its table.
func draw(r *rand.Rand, name string, k, d, l int) problem {
	p := model(r, name, k, d, l)
	p.cells = [][]int{nil}
	for range d {
		var longer [][]int
		for i := range l * len(p.cells) {
			longer = append(longer, append(slices.Clone(p.cells[i%len(p.cells)]), i/len(p.cells)))
		}
		p.cells = longer
	}
	return p
}

// simplex draws n positive numbers that sum to 1.
func simplex(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 0.05 + r.ExpFloat64()
	}
	floats.Scale(1/floats.Sum(v), v)
	return v
}

// finish computes the right activations, the logarithms of the products.
func finish(list ...problem) []problem {
	for n, p := range list {
		for _, states := range p.cells {
			for k, product := range p.prior {
				exponent := 0 // the product is product·2^exponent and does not underflow
				for i, s := range states {
					fraction, e := math.Frexp(product * p.mu[k].At(i, s))
					product, exponent = fraction, exponent+e
				}
				list[n].logs = append(list[n].logs, math.Log(product)+float64(exponent)*math.Ln2)
			}
		}
	}
	return list
}

// weightsFunc is the learner's function.
type weightsFunc = func(mu []*mat.Dense, prior []float64) (W *mat.Dense, w0 []float64)

// call returns the learner's results, or nil if their shape or values are invalid.
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
	Right:  func(p problem) []float64 { return slices.Clone(p.logs) }, // cloned because a factor is tried on it
	Family: commonShift,
	Nearly: judge.Wrong{Key: "nearly", Hint: 2,
		Message: "Nearly: for {problem} your activations are {off}. Is something small added to the probabilities, or a logarithm rounded?"},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "All activations are right up to one factor. Are the logarithms natural ones (math.Log), with the right sign?"},
	Mistakes: []judge.Mistake[weightsFunc]{
		{Key: "binary-formula", Hint: 2,
			Message: "Each entry of φ is treated as a binary feature of its own, with φ ln μ + (1−φ) ln(1−μ), as in (4.82). The L entries of a feature are not independent: exactly one is 1, and only its probability is a factor.",
			Answer: build(logOdds, func(p problem, k int) float64 {
				sum := logPrior(p, k)
				for i := range p.mu[k].RawMatrix().Rows {
					for _, v := range p.mu[k].RawRowView(i) {
						sum += math.Log(1 - v)
					}
				}
				return sum
			})},
		{Key: "binary-formula", Answer: build(logOdds, logPrior), Hint: 2,
			Message: "The weights are log odds, ln{μ/(1−μ)}, as for binary features in (4.82). With 1-of-L coding only the probability of the state that occurs is a factor."},
		{Key: "prior-missing", Answer: build(logMu, func(problem, int) float64 { return 0 }), Hint: 1,
			Message: "The prior is missing: these are ln p(φ|C_k)."},
		{Key: "prior-without-logarithm", Answer: build(logMu, prior), Hint: 2,
			Message: "The prior stands in the bias without its logarithm."},
		{Key: "prior-per-feature", Hint: 2, Message: "The prior comes in with every feature. It is a factor once.",
			Answer: build(func(p problem, k, i, s int) float64 { return logMu(p, k, i, s) + logPrior(p, k) },
				func(problem, int) float64 { return 0 })},
		{Key: "prior-per-feature", Hint: 2,
			Message: "The prior comes in with every feature, and with the bias once more. It is a factor once.",
			Answer: build(func(p problem, k, i, s int) float64 { return logMu(p, k, i, s) + logPrior(p, k) },
				logPrior)},
		{Key: "prior-per-feature", Hint: 2,
			Message: "ln p(C_k) is divided by the number of features. The prior is a factor once, whole.",
			Answer: build(logMu,
				func(p problem, k int) float64 { _, d, _ := p.dims(); return logPrior(p, k) / float64(d) })},
		{Key: "prior-twice", Hint: 2, Message: "The prior comes in twice.",
			Answer: build(logMu, func(p problem, k int) float64 { return 2 * logPrior(p, k) })},
		{Key: "prior-sign", Answer: build(logMu, func(p problem, k int) float64 { return -logPrior(p, k) }), Hint: 2,
			Message: "ln p(C_k) has the wrong sign."},
		{Key: "prior-odds", Hint: 1,
			Message: "The bias is the log odds of the prior, ln{π/(1−π)}. Odds compare one class with the rest; a_k of (4.63) is a logarithm of the joint probability of features and class k alone.",
			Answer:  build(logMu, func(p problem, k int) float64 { return math.Log(p.prior[k] / (1 - p.prior[k])) })},
		{Key: "prior-uniform", Hint: 1,
			Message: "The bias is −ln K for every class, as if all classes were equally likely. Is prior used?",
			Answer:  build(logMu, func(p problem, _ int) float64 { return -math.Log(float64(len(p.prior))) })},
		{Key: "weights-sign", Hint: 2, Message: "The weights have the wrong sign, and the bias has not.",
			Answer: build(func(p problem, k, i, s int) float64 { return -logMu(p, k, i, s) }, logPrior)},
		{Key: "probabilities-added", Answer: build(mu, logPrior), Hint: 2,
			Message: "The probabilities themselves are the weights, so that they are added. Independent probabilities are multiplied: their logarithms add."},
		{Key: "probabilities-added", Answer: build(mu, prior), Hint: 2,
			Message: "The probabilities themselves are weights and bias, so that they are added. Independent probabilities are multiplied: their logarithms add."},
		{Key: "features-missing", Answer: build(func(problem, int, int, int) float64 { return 0 }, logPrior), Hint: 2,
			Message: "Only the prior is in your activations."},
		{Key: "logarithm-of-sums", Hint: 2,
			Message: "The weights are divided by sums over the classes: this is the sum of the logarithms of each feature's own posterior, without priors. Normalise once, at the end, if at all.",
			Answer: build(func(p problem, k, i, s int) float64 {
				sum := 0.0
				for _, m := range p.mu {
					sum += m.At(i, s)
				}
				return math.Log(p.mu[k].At(i, s) / sum)
			}, logPrior)},
		{Key: "classes-swapped", Hint: 3,
			Message: "The classes are in reverse order: column k of W belongs to class k.",
			Answer: build(func(p problem, k, i, s int) float64 { return logMu(p, len(p.mu)-1-k, i, s) },
				func(p problem, k int) float64 { return logPrior(p, len(p.mu)-1-k) })},
		{Key: "one-class", Hint: 3, Message: "Every class has the weights of class 0. Is it mu[0] where it is mu[k]?",
			Answer: build(func(p problem, _, i, s int) float64 { return logMu(p, 0, i, s) }, logPrior)},
		{Key: "layout", Answer: rows(func(i, s, d, _ int) int { return s*d + i }), Hint: 3,
			Message: "The weights stand in the wrong rows: s·D+i, all features of one state together. Entry i·L+s of φ is state s of feature i."},
		{Key: "layout", Answer: rows(func(i, s, d, _ int) int { return i*d + s }), Hint: 3,
			Message: "The weights stand in the wrong rows: i·D+s, so that features overlap, or leave W. There are L states to a feature, and entry i·L+s of φ is state s of feature i."},
		{Key: "last-state-zero", Answer: without(func(_, s, _, l int) bool { return s == l-1 }), Hint: 3,
			Message: "The last state of each feature has weight 0. That is allowed if what is taken from it goes into the bias and is taken from the other states, too."},
		{Key: "last-feature-forgotten", Answer: without(func(i, _, d, _ int) bool { return i == d-1 }), Hint: 3,
			Message: "The last feature has no weights: does a loop stop one too early?"},
	},
}

// commonShift detects activations that differ from the right ones by the same number for all
// classes of a cell. Differences of the size of rounding errors do not count.
func commonShift(p problem, got []float64) *verify.Verdict {
	classes, largest := len(p.prior), 0.0
	off := floats.SubTo(make([]float64, len(got)), got, p.logs)
	for i, v := range off {
		if math.Abs(v-off[i-i%classes]) > 1e-9 {
			return nil
		}
		largest = math.Max(largest, math.Abs(v))
	}
	return judge.FailIf(classes > 1 && largest >= 1e-6, "common-shift", 2,
		"For %v your activations differ from ln{p(φ|C_k)p(C_k)} by a number that is the same for all classes. The posteriors are right, since only differences matter to them; return the logarithm itself.", p)
}

// build makes a learner's function: weight returns the entry of W for state s of feature i in class
// k, and bias returns the entry of w0.
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

// rows moves the right weights to other rows, and drops those that W has no row for.
func rows(row func(i, s, d, l int) int) weightsFunc {
	return func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
		right, w0 := build(logMu, logPrior)(mu, prior)
		d, l := mu[0].Dims()
		w := mat.NewDense(d*l, len(mu), nil)
		for i := range d {
			for s := range l {
				if to := row(i, s, d, l); to < d*l { // a learner's function panics on larger rows
					w.SetRow(to, right.RawRowView(i*l+s))
				}
			}
		}
		return w, w0
	}
}

// without leaves the weights selected by left at 0.
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

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex11", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

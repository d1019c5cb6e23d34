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
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges the function `weights` of PRML exercise 4.11. `weights` returns the weights W
// ((D·L)×K) and the biases w0 (K) of the naive Bayes classifier. Its arguments are the state
// probabilities mu (K matrices, D×L) and the class priors (K).
func Check(weights func(mu []*mat.Dense, prior []float64) (W *mat.Dense, w0 []float64)) *verify.Report {
	return exercise.Judge(question.Parts(weights, []judge.Property[problem]{
		judge.Form("W and w0 have the right shapes, and mu and prior stay unchanged", problems, nil,
			judge.Wrong{},
			"You returned finite weights for K from 1 to 5, D from 1 to 4, L from 1 to 6."),
		{Name: "a_k is ln{p(φ|C_k)p(C_k)} in every cell of the table", Problems: problems, Holds: activations,
			Wrong: judge.Wrong{Key: "activation", Hint: 2,
				Message: "For {problem} at least one activation is wrong. It should be the logarithm of the product of the probabilities, but it is {off}."},
			Right:     "In every cell of the table your activation is the logarithm of the product of the prior and the state probabilities.",
			RightNote: func([][]float64) string { return freedomNote(weights) }},
		{Name: "the posteriors agree with Bayes' theorem", Problems: problems, Holds: posteriors,
			Wrong: judge.Wrong{Key: "posterior", Hint: 1,
				Message: "For {problem} the softmax of your activations should be the posterior, but it is {off}. The posterior is the prior times the state probabilities, divided by the sum of these products over the classes."},
			Right: "In every cell the softmax of your activations equals the posterior of Bayes' theorem."},
		{Name: "rare states and rare classes", Problems: rare, Extreme: true, Holds: activations,
			Wrong: judge.Wrong{Key: "rare", Hint: 2,
				Message: "For {problem} at least one activation is wrong. It should be the logarithm of the product of the probabilities, but it is {off}. Do not clip the probabilities, and do not add a number to them: all are greater than 0, and small probabilities distinguish the classes."},
			Right: "Your activations are right for state probabilities down to 10⁻²⁹⁰ and for priors down to 10⁻¹²."},
		{Name: "400 features, where the product of probabilities underflows", Problems: many, Extreme: true,
			Holds: activations,
			Wrong: judge.Wrong{Key: "many-features", Hint: 2,
				Message: "With 400 features your activations should be the sums of the logarithms, but they are {off}."},
			Right: "With 400 features your activations are right, because sums of logarithms do not underflow."},
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
		want := make([]float64, classes) // the right posteriors for this cell of the table
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

// freedomNote returns a note for the report if a bias w0 is not the logarithm of the prior. The
// report shows the note only if all activations are right.
func freedomNote(f weightsFunc) string {
	for _, p := range problems() {
		_, w0 := p.call(f, &judge.Call{})
		for k, v := range w0 {
			if math.Abs(v-math.Log(p.prior[k])) > 1e-9 {
				return "(Your biases are not ln p(C_k), but your weights compensate for the difference. This is allowed, because the L entries of φ for a feature sum to 1.)"
			}
		}
	}
	return ""
}

// A problem contains a naive Bayes model and some cells, that is, combinations of feature states.
// The report compares the activations in these cells.
type problem struct {
	name  string
	mu    []*mat.Dense // K matrices, D×L
	prior []float64
	cells [][]int   // each cell contains the states of the D features
	logs  []float64 // the right activations, cell by cell and class by class
}

func (p problem) String() string { return "“" + p.name + "”" }

func (p problem) dims() (k, d, l int) {
	d, l = p.mu[0].Dims()
	return len(p.mu), d, l
}

var problems = instance.Once(func() []problem {
	r := instance.Source(411, 1)
	return finished(
		drawModel(r, "three classes, three features of four states", 3, 3, 4),
		drawModel(r, "two classes, three features of three states", 2, 3, 3),
		drawModel(r, "two classes, four features of two states", 2, 4, 2),
		drawModel(r, "five classes, one feature of six states", 5, 1, 6),
		drawModel(r, "four classes, three features of five states", 4, 3, 5),
		drawModel(r, "a single class", 1, 2, 3),
		drawModel(r, "features of a single state", 3, 2, 1),
	)
})

// rare returns models in which some state probabilities or priors are small, most of them very small.
// The smallest state probability is 1e-290, not smaller, because an answer may multiply a state
// probability by a prior: float64 must represent the product without loss of digits.
var rare = instance.Once(func() []problem {
	r := instance.Source(411, 4)
	states := drawModel(r, "rare states", 3, 2, 4)
	for i, small := range [][]float64{{1e-3, 1e-6, 1e-9}, {2e-3, 1e-12, 1e-290}} {
		row := withRemainder(r, small)
		// each class has the probabilities in a different order, so the probability of every state differs
		// between the classes
		for k, m := range states.mu {
			m.SetRow(i, slices.Concat(row[k:], row[:k]))
		}
	}
	classes := drawModel(r, "rare classes", 4, 2, 3)
	classes.prior = withRemainder(r, []float64{1e-3, 1e-6, 1e-12})
	three := drawModel(r, "a class with the prior 0.01", 3, 2, 2)
	three.prior = withRemainder(r, []float64{0.2, 0.01})
	return finished(states, classes, three)
})

// withRemainder returns the given numbers and 1 minus their sum, in random order.
func withRemainder(r *rand.Rand, small []float64) []float64 {
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
	return finished(p)
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

// drawModel returns a random model and all cells of its table.
func drawModel(r *rand.Rand, name string, k, d, l int) problem {
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

// finished adds the right activations to the problems and returns the problems. An activation is
// the logarithm of a product: the prior times the state probabilities.
func finished(list ...problem) []problem {
	for n, p := range list {
		for _, states := range p.cells {
			for k, product := range p.prior {
				exponent := 0 // the whole product is product·2^exponent; this form cannot underflow
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

// weightsFunc is the type of the learner's function.
type weightsFunc = func(mu []*mat.Dense, prior []float64) (W *mat.Dense, w0 []float64)

// call returns the entries of the learner's W and w0. In place of a result with an invalid shape or
// value it returns nil.
func (p problem) call(f weightsFunc, c *judge.Call) (w, w0 []float64) {
	var mu []*mat.Dense
	for _, m := range p.mu {
		mu = append(mu, c.Dense("mu", m))
	}
	W, b := f(mu, c.Slice("prior", p.prior))
	k, d, l := p.dims()
	return c.Matrix("W", W, d*l, k, "(D·L)×K"), c.Vector("w0", b, k, "class")
}

var question = &judge.Question[weightsFunc, problem]{
	Func: "Weights", Name: "activations", Hint: 3, Per: "cell and class", New: true,
	Invoke: func(f weightsFunc, c *judge.Call, p problem) []float64 {
		w, w0 := p.call(f, c)
		if w == nil || w0 == nil {
			return nil
		}
		classes, _, l := p.dims()
		out := make([]float64, 0, len(p.cells)*classes)
		for _, states := range p.cells { // in 1-of-L coding, wᵀφ is the sum of the weights of the observed states
			a := slices.Clone(w0)
			for i, s := range states {
				row := (i*l + s) * classes
				floats.Add(a, w[row:row+classes])
			}
			out = append(out, a...)
		}
		return out
	},
	// Right returns a copy of the activations, because package judge may scale the returned slice
	Right:  func(p problem) []float64 { return slices.Clone(p.logs) },
	Family: commonShift,
	Nearly: judge.Wrong{Key: "nearly", Hint: 2,
		Message: "Nearly right: for {problem} your activations are {off}. Do not add a number to the probabilities, and do not round logarithms."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "All activations are right except for a common factor. Use natural logarithms (math.Log) with the right sign."},
	Mistakes: []judge.Mistake[weightsFunc]{
		{Key: "binary-formula", Hint: 2,
			Message: "Your terms are φ ln μ + (1−φ) ln(1−μ), as if each entry of φ were a separate binary feature, as in (4.82). Of the L entries of a feature exactly one is 1, and only its probability is a factor.",
			Answer: answerFrom(logOdds, func(p problem, k int) float64 {
				sum := logPrior(p, k)
				for i := range p.mu[k].RawMatrix().Rows {
					for _, v := range p.mu[k].RawRowView(i) {
						sum += math.Log(1 - v)
					}
				}
				return sum
			})},
		{Key: "binary-formula", Answer: answerFrom(logOdds, logPrior), Hint: 2,
			Message: "Your weights are log odds, ln{μ/(1−μ)}, as for binary features in (4.82). With 1-of-L coding, only the probability of the observed state is a factor."},
		{Key: "prior-missing", Answer: answerFrom(logMu, func(problem, int) float64 { return 0 }), Hint: 1,
			Message: "Your activations are ln p(φ|C_k). The prior is missing."},
		{Key: "prior-without-logarithm", Answer: answerFrom(logMu, prior), Hint: 2,
			Message: "Your activations contain the prior without the logarithm. Add ln p(C_k)."},
		{Key: "prior-per-feature", Hint: 2, Message: "Your activations contain ln p(C_k) once per feature. Add it only once.",
			Answer: answerFrom(func(p problem, k, i, s int) float64 { return logMu(p, k, i, s) + logPrior(p, k) },
				func(problem, int) float64 { return 0 })},
		{Key: "prior-per-feature", Hint: 2,
			Message: "Your activations contain ln p(C_k) once per feature and once more. Add it only once.",
			Answer: answerFrom(func(p problem, k, i, s int) float64 { return logMu(p, k, i, s) + logPrior(p, k) },
				logPrior)},
		{Key: "prior-per-feature", Hint: 2,
			Message: "Your activations contain ln p(C_k) divided by the number of features. Add ln p(C_k) itself, once.",
			Answer: answerFrom(logMu,
				func(p problem, k int) float64 { _, d, _ := p.dims(); return logPrior(p, k) / float64(d) })},
		{Key: "prior-twice", Hint: 2, Message: "Your activations contain ln p(C_k) twice. Add it only once.",
			Answer: answerFrom(logMu, func(p problem, k int) float64 { return 2 * logPrior(p, k) })},
		{Key: "prior-sign", Answer: answerFrom(logMu, func(p problem, k int) float64 { return -logPrior(p, k) }), Hint: 2,
			Message: "In your activations, ln p(C_k) has the wrong sign. Add ln p(C_k)."},
		{Key: "prior-odds", Hint: 1,
			Message: "Your activations contain the log odds of the prior, ln{π/(1−π)}. But a_k of (4.63) is not a log odds. It is the logarithm of the joint probability of the features and class k.",
			Answer:  answerFrom(logMu, func(p problem, k int) float64 { return math.Log(p.prior[k] / (1 - p.prior[k])) })},
		{Key: "prior-uniform", Hint: 1,
			Message: "Your activations contain −ln K for every class, as if all classes were equally likely. Use the given priors.",
			Answer:  answerFrom(logMu, func(p problem, _ int) float64 { return -math.Log(float64(len(p.prior))) })},
		{Key: "weights-sign", Hint: 2, Message: "Your weights have the wrong sign, but the sign of the bias is right.",
			Answer: answerFrom(func(p problem, k, i, s int) float64 { return -logMu(p, k, i, s) }, logPrior)},
		{Key: "probabilities-added", Answer: answerFrom(mu, logPrior), Hint: 2,
			Message: "Your weights are the probabilities themselves, so the activations add them. Probabilities of independent features are multiplied, so their logarithms are added."},
		{Key: "probabilities-added", Answer: answerFrom(mu, prior), Hint: 2,
			Message: "Your weights and bias are the probabilities themselves, so the activations add them. Probabilities of independent features are multiplied, so their logarithms are added."},
		{Key: "features-missing", Answer: answerFrom(func(problem, int, int, int) float64 { return 0 }, logPrior), Hint: 2,
			Message: "Your activations contain only the prior. Add the logarithms of the state probabilities."},
		{Key: "logarithm-of-sums", Hint: 2,
			Message: "You divide each state probability by its sum over the classes before you take the logarithm. Take the logarithm of the probability itself; only the final posteriors are normalised.",
			Answer: answerFrom(func(p problem, k, i, s int) float64 {
				sum := 0.0
				for _, m := range p.mu {
					sum += m.At(i, s)
				}
				return math.Log(p.mu[k].At(i, s) / sum)
			}, logPrior)},
		{Key: "classes-swapped", Hint: 3,
			Message: "Your classes are in reverse order. Column k of W belongs to class k.",
			Answer: answerFrom(func(p problem, k, i, s int) float64 { return logMu(p, len(p.mu)-1-k, i, s) },
				func(p problem, k int) float64 { return logPrior(p, len(p.mu)-1-k) })},
		{Key: "one-class", Hint: 3, Message: "Every class has the weights of class 0. Compute column k of W from mu[k].",
			Answer: answerFrom(func(p problem, _, i, s int) float64 { return logMu(p, 0, i, s) }, logPrior)},
		{Key: "layout", Answer: movedRows(func(i, s, d, _ int) int { return s*d + i }), Hint: 3,
			Message: "Your weights are in the wrong rows, s·D+i. Entry i·L+s of φ is state s of feature i."},
		{Key: "layout", Answer: movedRows(func(i, s, d, _ int) int { return i*d + s }), Hint: 3,
			Message: "Your weights are in the wrong rows, i·D+s. A feature has L states, and entry i·L+s of φ is state s of feature i."},
		{Key: "last-state-zero", Answer: zeroedWeights(func(_, s, _, l int) bool { return s == l-1 }), Hint: 3,
			Message: "The last state of each feature has weight 0. This is allowed only if you first subtract the weight of the last state from the weights of all other states of the feature, and add the subtracted weight to the bias."},
		{Key: "last-feature-forgotten", Answer: zeroedWeights(func(i, _, d, _ int) bool { return i == d-1 }), Hint: 3,
			Message: "The weights of the last feature are 0, as if a loop ended one feature too early."},
	},
}

// commonShift returns a verdict if, in each cell, the activations of all classes have the same
// error. It returns nil if all errors are below 1e-6, or if there is only one class.
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
		"For %v your activations differ from ln{p(φ|C_k)p(C_k)} by a number that is the same for all classes. Your posteriors are right, because they depend only on the differences between activations. But this exercise asks for the logarithm itself.", p)
}

// answerFrom returns an answer that computes its result with two functions. weight(p, k, i, s)
// computes the entry of W for state s of feature i and class k. bias(p, k) computes the entry of w0
// for class k.
func answerFrom(weight func(p problem, k, i, s int) float64, bias func(p problem, k int) float64) weightsFunc {
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

// movedRows returns an answer that puts the right weights into wrong rows of W: the weights for
// state s of feature i are in row(i, s, D, L). If W has no such row, the answer omits these
// weights.
func movedRows(row func(i, s, d, l int) int) weightsFunc {
	return func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
		right, w0 := answerFrom(logMu, logPrior)(mu, prior)
		d, l := mu[0].Dims()
		w := mat.NewDense(d*l, len(mu), nil)
		for i := range d {
			for s := range l {
				// SetRow panics if W has no such row
				if to := row(i, s, d, l); to < d*l {
					w.SetRow(to, right.RawRowView(i*l+s))
				}
			}
		}
		return w, w0
	}
}

// zeroedWeights returns an answer that sets the weights for state s of feature i to 0 where left(i,
// s, D, L) returns true.
func zeroedWeights(left func(i, s, d, l int) bool) weightsFunc {
	return movedRows(func(i, s, d, l int) int {
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

func init() { judge.Known(exercise, question, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex11", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

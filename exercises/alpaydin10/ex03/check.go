// Package ex03 judges Alpaydin exercise 10.3: the derivatives of the softmax, and
// the update rule of the weights that follows from them.
package ex03

import (
	"embed"
	"math/cmplx"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	scores         = multiclass.Scores
	derivativeFunc = func(a []float64, i, j int) float64
	stepFunc       = func(W, X, R *mat.Dense, eta float64) *mat.Dense
)

// gradient is the accuracy that the exercise requires of the gradient of E, which the check
// computes from the learner's step.
var gradient = verify.Tolerance{Abs: 1e-7, Rel: 1e-7}

// Check judges both functions of Alpaydin exercise 10.3. dSoftmax returns ∂y_i/∂a_j at the scores a
// (K). step returns the weights after one step of gradient descent with the learning factor eta,
// (D+1)×K with the biases in row 0. The error is the cross-entropy (10.31) of the inputs X (N×D)
// and the 1-of-K targets R (N×K).
func Check(dSoftmax derivativeFunc, step stepFunc) *verify.Report {
	return exercise.Judge(append(askDerivative.Parts(dSoftmax, derivativeParts()...),
		askStep.Parts(step, stepParts()...)...)...)
}

func derivativeParts() []judge.Property[scores] {
	moderate := func(part uint64) func() []scores { return func() []scores { return some(source(part)) } }
	return []judge.Property[scores]{
		judge.Form("DSoftmax: the result is a finite number, and a stays unchanged", moderate(1), nil, judge.Wrong{},
			"You returned a number for every i and j, for K from 1 to 6."),
		{Name: "DSoftmax: the result is the derivative of y_i with respect to a_j", On: moderate(2), Holds: scores.Derivatives,
			Wrong: judge.Wrong{Key: "derivative", Hint: 2,
				Message: "For {problem} your ∂y_i/∂a_j is {off} (rows are i, columns j)."},
			Right: "Central differences of the softmax agree for every pair i, j, equal or not, for K from 1 to 6. (The printed (10.32) contains ∂a_i instead of ∂a_j; the exercise is right.)"},
		{Name: "DSoftmax: when one score changes, the changes of the outputs cancel", On: moderate(3),
			Holds: multiclass.Columns("0 only because all of them are 0"),
			Wrong: judge.Wrong{Key: "sum-over-outputs", Hint: 2,
				Message: "For {problem}, when one score changes, the changes of all outputs must cancel, because the outputs sum to 1. The sum of your derivatives is {off}."},
			Right: "Σ_i ∂y_i/∂a_j = 0 because the outputs sum to 1."},
		{Name: "DSoftmax: when all scores change by the same amount, no output changes", On: moderate(3),
			Holds: multiclass.Rows("0 only because all of them are 0"),
			Wrong: judge.Wrong{Key: "sum-over-scores", Hint: 2,
				Message: "For {problem}, when all scores change by the same amount, no output changes. Your derivatives of one output must therefore cancel, but their sum is {off}."},
			Right: "Σ_j ∂y_i/∂a_j = 0 because a common shift changes nothing."},
		{Name: "DSoftmax: finite and right at scores up to ±1000, with the largest in any position", On: multiclass.FarScores,
			Limits: true, Holds: scores.Exact,
			Wrong: judge.Wrong{Key: "tails", Hint: 3,
				Message: "For {problem} your numbers are finite, but {off} (rows are i, columns j). Clipping, or setting a small output to 0, is not accurate enough."},
			Right: "Right at ±1000, where the exponentials themselves overflow or vanish."},
	}
}

func stepParts() []judge.Property[problem] {
	with := func(part uint64, eta float64) func() []problem {
		return func() []problem {
			list := problems(source(part))
			for i := range list {
				list[i].eta = eta
			}
			return list
		}
	}
	return []judge.Property[problem]{
		judge.Form("Step: the result is a (D+1)×K matrix, and W, X and R stay unchanged",
			func() []problem { return problems(source(5)) }, nil, judge.Wrong{},
			"You returned a new (D+1)×K matrix for D from 1 to 5 and K from 2 to 4."),
		{Name: "Step: the weights change by −η times the gradient of E",
			On: func() []problem { return problems(source(6)) },
			Holds: func(p problem, change []float64) verify.Finding {
				slopes := floats.ScaleTo(make([]float64, len(change)), -1/p.eta, change)
				return flattened(verify.Gradient(p.Error, multiclass.Entries(p.W), slopes, gradient))
			},
			Wrong: judge.Wrong{Key: "gradient", Hint: 4,
				Message: "For {problem} the change of the weights, divided by −η, is not the gradient of E by central differences: it is {off}."},
			Right: "The change is −η times the gradient of the cross-entropy, by central differences in every weight and bias. The product of derivatives simplifies to η Σ (r − y) x."},
		{Name: "Step: with η = 0 the weights do not change", On: with(7, 0),
			Holds: func(p problem, change []float64) verify.Finding {
				return flattened(verify.CloseSlice(change, make([]float64, len(change)), multiclass.Decimals))
			},
			Wrong: judge.Wrong{Key: "moves-without-eta", Hint: 3,
				Message: "For {problem} and η = 0 the weights should not change, but they are {off}. η must multiply the whole change, and the step must begin at W."},
			Right: "η = 0 leaves the weights unchanged."},
		{Name: "Step: with a small η the error falls", On: with(7, 1e-4),
			Holds: func(p problem, change []float64) verify.Finding {
				w := multiclass.Entries(p.W)
				return verify.Finding{OK: p.Error(floats.AddTo(change, change, w)) < p.Error(w)}
			},
			Wrong: judge.Wrong{Key: "error-rises", Hint: 3,
				Message: "For {problem} and η = 0.0001 the error does not decrease. The step must go against the gradient, and begin at the weights W that were passed in."},
			Right: "A small step decreases the error on every problem."},
		{Name: "Step: finite and right at scores up to ±1000", On: farSteps, Limits: true,
			Holds: func(p problem, change []float64) verify.Finding {
				return flattened(verify.CloseSlice(change, p.change(), verify.Tolerance{Abs: gradient.Abs * p.eta}))
			},
			Wrong: judge.Wrong{Key: "step-tails", Hint: 3,
				Message: "For {problem} your weights are finite, but {off}. Clipping, or setting a small output to 0, is not accurate enough."},
			Right: "Right even for scores of ±1000, whichever class has the largest score."},
	}
}

func source(part uint64) *rand.Rand { return instance.Source(1003, part) }

// flattened removes the index from a finding, because the index in a flattened matrix means nothing
// to a learner.
func flattened(f verify.Finding) verify.Finding {
	f.Where = ""
	return f
}

// some draws scores of a few units. On the first scores all known mistakes differ from each other.
func some(r *rand.Rand) []scores {
	draw := func(k int, spread, shift float64) scores { return multiclass.Drawn(r, k, spread, shift) }
	return []scores{draw(4, 1.5, 0.4), draw(3, 1, -1), draw(2, 1.2, 0), draw(6, 2, 0), {0.3}, make(scores, 4),
		draw(3, 1, 30)}
}

// A problem contains the arguments of one step of gradient descent. The Φ of the embedded problem
// is X with a column of ones.
type problem struct {
	multiclass.Problem
	X   *mat.Dense // N×D
	eta float64
}

// problems draws problems with different D+1, K and N, so that an answer with a transposed factor
// cannot multiply the matrices.
func problems(r *rand.Rand) []problem {
	var out []problem
	for _, c := range []struct {
		name    string
		n, d, k int
		offset  float64
		eta     float64
	}{
		{"three inputs, three classes", 20, 3, 3, 0.5, 0.1},
		{"two inputs, four classes", 15, 2, 4, -1, 0.03},
		{"one input, two classes", 8, 1, 2, 0.3, 0.5},
		{"a single point", 1, 2, 3, 0, 0.2},
		{"five inputs far from 0, two classes", 12, 5, 2, 3, 0.01},
		{"fewer points than inputs and than classes", 2, 4, 3, 0, 1},
	} {
		x, w := mat.NewDense(c.n, c.d, instance.Normals(r, c.n*c.d)),
			mat.NewDense(c.d+1, c.k, instance.Normals(r, (c.d+1)*c.k))
		floats.AddConst(c.offset, x.RawMatrix().Data)
		w.Scale(0.5, w)
		labels := make([]int, c.n)
		for t := range labels {
			labels[t] = r.IntN(c.k)
			if c.k > 2 && labels[t] == 1 { // unequal classes
				labels[t] = r.IntN(c.k)
			}
		}
		out = append(out, posed(c.name, w, x, instance.OneOfK(labels, c.k), c.eta))
	}
	return out
}

func posed(name string, w, x, r *mat.Dense, eta float64) problem {
	return problem{multiclass.Problem{Name: name, Phi: instance.WithOnes(x), T: r, W: w}, x, eta}
}

// farSteps returns steps for a single point whose scores are far apart. The bias contributes half
// of each score.
func farSteps() (out []problem) {
	for i, a := range multiclass.FarScores()[2:] { // the first two lists contain a single score
		k := len(a)
		half := floats.ScaleTo(make([]float64, k), 0.5, a)
		out = append(out, posed("a single point with the scores "+strings.TrimPrefix(a.String(), "a = "),
			mat.NewDense(2, k, append(half, half...)), mat.NewDense(1, 1, []float64{1}),
			instance.OneOfK([]int{(i + 2) % k}, k), 0.1))
	}
	return out
}

// change returns −η times the gradient of E. It computes the derivatives with respect to the scores
// by a complex step.
func (p problem) change() []float64 {
	return multiclass.Entries(change(p.W, p.X, p.T, p.eta, func(a, r []float64) []float64 {
		const h = 1e-30
		top, out := floats.Max(a), make([]float64, len(a))
		for i := range a {
			sum := complex(0, 0)
			for k, v := range a {
				sum += cmplx.Exp(complex(v-top, h*multiclass.Same(i, k)))
			}
			out[i] = imag(cmplx.Log(sum))/h - r[i]
		}
		return out
	}))
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/alpaydin10/ex03", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

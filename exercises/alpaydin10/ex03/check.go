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
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	scores         = multiclass.Scores
	derivativeFunc = func(a []float64, i, j int) float64
	stepFunc       = func(W, X, R *mat.Dense, eta float64) *mat.Dense
)

// gradient is the accuracy that the statement requires of the gradient behind a step.
var gradient = verify.Tolerance{Abs: 1e-7, Rel: 1e-7}

// Check judges both functions of Alpaydin exercise 10.3. dSoftmax returns ∂y_i/∂a_j
// at the scores a (K). step returns the weights, (D+1)×K with the biases in row 0,
// after one step of gradient descent with the learning factor eta on the
// cross-entropy (10.31) of the inputs X (N×D) with the 1-of-K targets R (N×K).
func Check(dSoftmax derivativeFunc, step stepFunc) *verify.Report {
	return exercise.Judge(append(askDerivative.Parts(dSoftmax, derivativeParts()...),
		askStep.Parts(step, stepParts()...)...)...)
}

func derivativeParts() []judge.Property[scores] {
	moderate := func(part uint64) func() []scores { return func() []scores { return some(source(part)) } }
	return []judge.Property[scores]{
		judge.Form("DSoftmax: a finite number comes back, and a stays as it was", moderate(1), nil, judge.Wrong{},
			"You returned a number for every i and j, for K from 1 to 6."),
		{Name: "DSoftmax: it is the derivative of y_i with respect to a_j", On: moderate(2), Holds: scores.Derivatives,
			Wrong: judge.Wrong{Key: "derivative", Hint: 2,
				Message: "For {problem} some ∂y_i/∂a_j is not your number: you are {off} (rows are i, columns j)."},
			Right: "Central differences of the softmax agree for every pair i, j, equal or not, for K from 1 to 6. (The printed (10.32) has ∂a_i for ∂a_j; the exercise has it right.)"},
		{Name: "DSoftmax: when one score moves, the outputs balance", On: moderate(3),
			Holds: multiclass.Columns("0 of nothing but zeros"),
			Wrong: judge.Wrong{Key: "sum-over-outputs", Hint: 2,
				Message: "For {problem}, when one score moves, the changes of all outputs must cancel, since the outputs sum to 1: their sum is {off}."},
			Right: "Σ_i ∂y_i/∂a_j = 0 because the outputs sum to 1."},
		{Name: "DSoftmax: when all scores move together, every output balances", On: moderate(3),
			Holds: multiclass.Rows("0 of nothing but zeros"),
			Wrong: judge.Wrong{Key: "sum-over-scores", Hint: 2,
				Message: "For {problem}, when all scores move by the same amount, no output changes: the derivatives of one output must cancel, but their sum is {off}."},
			Right: "Σ_j ∂y_i/∂a_j = 0 because a common shift changes nothing."},
		{Name: "DSoftmax: finite and right at scores up to ±1000, the largest in every place", On: multiclass.FarScores,
			Limits: true, Holds: scores.Exact,
			Wrong: judge.Wrong{Key: "tails", Hint: 3,
				Message: "For {problem} your numbers are finite, but {off} (rows are i, columns j). Is something clipped, or a small output set to 0?"},
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
		judge.Form("Step: a (D+1)×K matrix comes back, and W, X and R stay as they were",
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
			Right: "The change is −η times the gradient of the cross-entropy, by central differences in every weight and bias: of the whole product of derivatives, η Σ (r − y) x is left."},
		{Name: "Step: with η = 0 nothing moves", On: with(7, 0),
			Holds: func(p problem, change []float64) verify.Finding {
				return flattened(verify.CloseSlice(change, make([]float64, len(change)), multiclass.Decimals))
			},
			Wrong: judge.Wrong{Key: "moves-without-eta", Hint: 3,
				Message: "For {problem} and η = 0 nothing should move, but the weights do: they are {off}. Does η multiply the whole change, and does the step begin at W?"},
			Right: "η = 0 leaves the weights alone."},
		{Name: "Step: with a small η the error falls", On: with(7, 1e-4),
			Holds: func(p problem, change []float64) verify.Finding {
				w := multiclass.Entries(p.W)
				return verify.Finding{OK: p.Error(floats.AddTo(change, change, w)) < p.Error(w)}
			},
			Wrong: judge.Wrong{Key: "error-rises", Hint: 3,
				Message: "For {problem} and η = 0.0001 the error does not fall. The step goes against the gradient, from the weights that were passed in."},
			Right: "A small step lowers the error on every problem."},
		{Name: "Step: finite and right at scores up to ±1000", On: farSteps, Limits: true,
			Holds: func(p problem, change []float64) verify.Finding {
				return flattened(verify.CloseSlice(change, p.change(), verify.Tolerance{Abs: gradient.Abs * p.eta}))
			},
			Wrong: judge.Wrong{Key: "step-tails", Hint: 3,
				Message: "For {problem} your weights are finite, but {off}. Are scores or outputs clipped, or is a small output taken for 0?"},
			Right: "Right for scores of ±1000, too, whichever class has the largest."},
	}
}

func source(part uint64) *rand.Rand { return instance.Source(1003, part) }

// flattened drops the place from a finding, because the entries of the matrix are flattened.
func flattened(f verify.Finding) verify.Finding {
	f.Where = ""
	return f
}

// some draws scores of a few units; the first ones tell all known mistakes apart.
func some(r *rand.Rand) []scores {
	draw := func(k int, spread, shift float64) scores { return multiclass.Drawn(r, k, spread, shift) }
	return []scores{draw(4, 1.5, 0.4), draw(3, 1, -1), draw(2, 1.2, 0), draw(6, 2, 0), {0.3}, make(scores, 4),
		draw(3, 1, 30)}
}

// A problem is one step of gradient descent. Its Φ is X with a column of ones.
type problem struct {
	multiclass.Problem
	X   *mat.Dense // N×D
	eta float64
}

// problems draws problems whose D+1, K and N differ, so that a transposed factor does not fit.
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

// farSteps returns steps for a single point whose scores are far apart; half of each
// score comes from the bias.
func farSteps() (out []problem) {
	for i, a := range multiclass.FarScores()[2:] { // the first two have one class
		k := len(a)
		half := floats.ScaleTo(make([]float64, k), 0.5, a)
		out = append(out, posed("a single point with the scores "+strings.TrimPrefix(a.String(), "a = "),
			mat.NewDense(2, k, append(half, half...)), mat.NewDense(1, 1, []float64{1}),
			instance.OneOfK([]int{(i + 2) % k}, k), 0.1))
	}
	return out
}

// change returns −η times the gradient of E, with the derivatives with respect to the scores
// from a complex step.
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

package ex03

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// moved is a mistake of the form W + Σ c x.
func moved(c func(p problem, a, r []float64) []float64) func(problem) []float64 {
	return func(p problem) []float64 {
		return learner.Entries(p.move(func(a, r []float64) []float64 { return c(p, a, r) }))
	}
}

// each is a mistake of the form W + η Σ f(y_i, r_i) x.
func each(f func(y, r float64) float64) func(problem) []float64 {
	return moved(func(p problem, a, r []float64) []float64 {
		y := kernel.Softmax(a)
		for i := range y {
			y[i] = p.eta * f(y[i], r[i])
		}
		return y
	})
}

// change is a mistake made on the right change of W.
func change(f func(p problem, d *mat.Dense)) func(problem) []float64 {
	return func(p problem) []float64 {
		d := p.move(p.residual)
		d.Sub(d, p.W)
		f(p, d)
		d.Add(d, p.W)
		return learner.Entries(d)
	}
}

var stepMistakes = []learner.Mistake[problem]{
	{Key: "uphill", Hint: 3, Value: each(func(y, r float64) float64 { return y - r }),
		Message: "Your step goes uphill: η Σ (y − r) x is added. That is the gradient; descent goes against it, so that a class whose output is too small gains."},
	{Key: "averaged", Hint: 4, Value: change(func(p problem, d *mat.Dense) {
		if n, _ := p.R.Dims(); n > 1 {
			d.Scale(1/float64(n), d)
		}
	}), Message: "Your step is divided by N. E in (10.31) is a sum over the sample, not a mean, and so is its gradient."},
	{Key: "eta-left-out", Hint: 4, Value: change(func(p problem, d *mat.Dense) { d.Scale(1/p.eta, d) }),
		Message: "η is left out: the whole gradient is taken as the step."},
	{Key: "eta-twice", Hint: 4, Value: change(func(p problem, d *mat.Dense) { d.Scale(p.eta, d) }),
		Message: "η comes in twice, once in the sum and once outside it."},
	{Key: "change-only", Hint: 4, Value: change(func(p problem, d *mat.Dense) { d.Sub(d, p.W) }),
		Message: "You return the change ΔW. Asked for are the weights after the step, W + ΔW."},
	{Key: "bias-not-updated", Hint: 4, Value: change(func(_ problem, d *mat.Dense) { clear(d.RawRowView(0)) }),
		Message: "The biases stay as they were. They learn as well: by η Σ (r − y), as for an input that is always 1."},
	{Key: "only-biases", Hint: 4, Value: change(func(_ problem, d *mat.Dense) {
		r, _ := d.Dims()
		for j := 1; j < r; j++ {
			clear(d.RawRowView(j))
		}
	}), Message: "Only the biases change. Does the loop over the inputs run?"},
	{Key: "input-left-out", Hint: 3, Value: change(func(_ problem, d *mat.Dense) {
		r, _ := d.Dims()
		for j := 1; j < r; j++ {
			copy(d.RawRowView(j), d.RawRowView(0))
		}
	}), Message: "Every weight changes as the biases do: the factor x is left out. The derivative of a score with respect to a weight is that weight's input."},
	{Key: "squared-error", Hint: 3, Value: each(func(y, r float64) float64 { return (r - y) * y * (1 - y) }),
		Message: "A factor y(1 − y) is left, as in (10.45). With the cross-entropy the r/y in front takes it away."},
	{Key: "own-class-only", Hint: 3, Value: each(func(y, r float64) float64 { return r * (1 - y) }),
		Message: "Each class learns from its own points alone: η Σ r(1 − y) x. Because of the common denominator the points of other classes push it away, by −y; ∂y_i/∂a_j for i ≠ j was left out."},
	{Key: "outputs-left-out", Hint: 3, Value: each(func(_, r float64) float64 { return r }),
		Message: "You add η Σ r x: the outputs y are left out, and the step would never get smaller."},
	{Key: "targets-left-out", Hint: 3, Value: each(func(y, _ float64) float64 { return -y }),
		Message: "You subtract η Σ y x: the targets r are left out."},
	{Key: "chain-rule-stops-at-y", Hint: 3, Value: each(func(y, r float64) float64 { return r / y }),
		Message: "You add η Σ (r/y) x: the derivative of −E with respect to the outputs. The derivative of the outputs with respect to the scores is missing."},
	{Key: "sigmoids", Hint: 3, Value: moved(func(p problem, a, r []float64) []float64 {
		out := make([]float64, len(a))
		for i := range a {
			out[i] = p.eta * (r[i] - kernel.Sigmoid(a[i]))
		}
		return out
	}), Message: "Your outputs are K separate sigmoids. The classes exclude each other: the softmax shares one denominator."},
	{Key: "scores-for-outputs", Hint: 3, Value: moved(func(p problem, a, r []float64) []float64 {
		return scaled(p.eta, floats.SubTo(make([]float64, len(a)), r, a))
	}), Message: "Your residual is r − a, with the scores in place of the outputs: least squares on a linear model."},
	{Key: "hard-outputs", Hint: 3, Value: moved(func(p problem, a, r []float64) []float64 {
		out := append([]float64(nil), r...)
		out[floats.MaxIdx(a)]--
		return scaled(p.eta, out)
	}), Message: "Your outputs are 1 for the largest score and 0 for the others: the perceptron's rule. The sum is over the probabilities."},
	{Key: "bias-not-in-score", Hint: 4, Value: biasNotInScore,
		Message: "The outputs are computed without the biases: the score is w_i0 + w_iᵀx."},
	{Key: "one-by-one", Hint: 4, Value: oneByOne,
		Message: "Your weights change after every point, and the next one already sees the new ones: stochastic descent. Asked for is one step for all points together, all with the W that was handed in."},
	{Key: "last-point-only", Hint: 4, Value: onlyPoint(func(n int) int { return n - 1 }),
		Message: "Only the last point counts. Is the change overwritten where it should be added to?"},
	{Key: "first-point-only", Hint: 4, Value: onlyPoint(func(int) int { return 0 }),
		Message: "Only the first point counts. Does the loop end too early?"},
	{Key: "misprint-figure-10.8", Hint: 3, Value: classIndexedInput(0),
		Message: "You multiply by x_i, the input with the number of the class. So it is printed in figure 10.8, by mistake: the weight w_ij belongs to the input x_j."},
	{Key: "misprint-figure-10.8", Hint: 3, Value: classIndexedInput(1),
		Message: "You multiply by x_i, the input with the number of the class. So it is printed in figure 10.8, by mistake: the weight w_ij belongs to the input x_j."},
	{Key: "last-class-fixed", Hint: 3, Value: change(func(_ problem, d *mat.Dense) {
		r, k := d.Dims()
		for j := range r {
			d.Set(j, k-1, 0)
		}
	}), Message: "The last class does not learn, as if it were the reference class of (10.25). Here all K classes have weights."},
}

func scaled(c float64, v []float64) []float64 {
	floats.Scale(c, v)
	return v
}

func biasNotInScore(p problem) []float64 {
	bare := p
	bare.W = mat.DenseCopyOf(p.W)
	clear(bare.W.RawRowView(0))
	next := bare.move(bare.residual)
	next.Sub(next, bare.W)
	next.Add(next, p.W)
	return learner.Entries(next)
}

func oneByOne(p problem) []float64 {
	n, k := p.R.Dims()
	if n == 1 {
		return nil
	}
	for t := range n {
		_, d := p.X.Dims()
		q := problem{W: p.W, eta: p.eta, X: mat.DenseCopyOf(p.X.Slice(t, t+1, 0, d)), R: mat.DenseCopyOf(p.R.Slice(t, t+1, 0, k))}
		p.W = q.move(q.residual)
	}
	return learner.Entries(p.W)
}

func onlyPoint(which func(n int) int) func(problem) []float64 {
	return func(p problem) []float64 {
		n, k := p.R.Dims()
		if n == 1 {
			return nil
		}
		t := which(n)
		_, d := p.X.Dims()
		p.X, p.R = mat.DenseCopyOf(p.X.Slice(t, t+1, 0, d)), mat.DenseCopyOf(p.R.Slice(t, t+1, 0, k))
		return learner.Entries(p.move(p.residual))
	}
}

// classIndexedInput multiplies the residual of class i by input i+shift of (1, x),
// for every weight of the class.
func classIndexedInput(shift int) func(problem) []float64 {
	return func(p problem) []float64 {
		r, k := p.W.Dims()
		if k+shift > r {
			return nil
		}
		out := mat.DenseCopyOf(p.W)
		n, _ := p.R.Dims()
		for t := range n {
			x := p.input(t)
			for i, f := range p.residual(p.scores(p.W, t), p.R.RawRowView(t)) {
				for j := range r {
					out.Set(j, i, out.At(j, i)+f*x[i+shift])
				}
			}
		}
		return learner.Entries(out)
	}
}

// recogniseStep names the mistake behind weights that are not one step further.
func recogniseStep(p problem, next *mat.Dense) (verify.Verdict, bool) {
	got := learner.Entries(next)
	if v, ok := learner.Recognise(stepMistakes, p, got); ok {
		return v, true
	}
	was := learner.Entries(p.W)
	right := learner.Entries(p.move(p.residual))
	if c, ok := learner.Factor(floats.SubTo(make([]float64, len(got)), got, was), floats.SubTo(right, right, was)); ok && math.Abs(c) > 1e-6 {
		return verify.Fail("step-factor", 4, "Your step is the right one times a number. It is η times the sum, without another factor."), true
	}
	return verify.Verdict{}, false
}

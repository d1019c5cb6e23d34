package ex13

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// bySum is a mistake of the form Σ r(a, t) φ.
func bySum(r func(a, t float64) float64) func(problem) []float64 {
	return func(p problem) []float64 { return p.sum(r) }
}

func prime(a float64) float64 { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }

var mistakes = []learner.Mistake[problem]{
	{Key: "sign", Hint: 2, Value: bySum(func(a, t float64) float64 { return -residual(a, t) }),
		Message: "Your vector is −∇E, the gradient of the log likelihood: t − y where y − t belongs. A step against it would lead uphill."},
	{Key: "squared-error", Hint: 2, Value: bySum(func(a, t float64) float64 { return residual(a, t) * prime(a) }),
		Message: "A factor y(1−y) is left: this is the gradient of the sum of squares ½Σ(y−t)². In the cross-entropy the derivative of the logarithms divides by it."},
	{Key: "squared-error", Hint: 2, Value: bySum(func(a, t float64) float64 { return 2 * residual(a, t) * prime(a) }),
		Message: "This is the gradient of the sum of squares Σ(y−t)². The cross-entropy has logarithms; what does their derivative do to y(1−y)?"},
	{Key: "chain-rule-stops-at-y", Hint: 2, Value: bySum(func(a, t float64) float64 { return residual(a, t) / prime(a) }),
		Message: "Each residual is divided by y(1−y): the derivative of E with respect to y, multiplied by φ. The link between, dy/da, is missing."},
	{Key: "plus-minus-one", Hint: 2, Value: bySum(func(a, t float64) float64 { return kernel.Sigmoid(a) - (2*t - 1) }),
		Message: "Your residual is y − (2t−1), with targets −1 and +1. The targets of (4.90) are 0 and 1; a target −1 belongs to other error functions."},
	{Key: "sigmoid-left-out", Hint: 2, Value: bySum(func(a, t float64) float64 { return a - t }),
		Message: "Your residual is a − t: the gradient of linear least squares. The output is y = σ(a), not the activation itself."},
	{Key: "thresholded", Hint: 2, Value: bySum(func(a, t float64) float64 {
		if a >= 0 {
			return 1 - t
		}
		return -t
	}), Message: "Your outputs are 0 and 1: a threshold, as the perceptron has. The sum is over the probabilities y = σ(a)."},
	{Key: "classes-swapped", Hint: 2, Value: bySum(func(a, t float64) float64 { return kernel.Sigmoid(-a) - t }),
		Message: "Your output is σ(−a) = 1 − y: the sign in the exponent is turned. y is the probability of t = 1."},
	{Key: "one-term-only", Hint: 2, Value: bySum(func(a, t float64) float64 { return -t * kernel.Sigmoid(-a) }),
		Message: "Only the points with t = 1 are in your sum: the second term of the cross-entropy, with 1−t, is missing."},
	{Key: "one-term-only", Hint: 2, Value: bySum(func(a, t float64) float64 { return (1 - t) * kernel.Sigmoid(a) }),
		Message: "Only the points with t = 0 are in your sum: the first term of the cross-entropy, with t, is missing."},
	{Key: "inner-sign", Hint: 2, Value: bySum(func(a, t float64) float64 { return -t*kernel.Sigmoid(-a) - (1-t)*kernel.Sigmoid(a) }),
		Message: "The points with t = 0 come in with the wrong sign: the inner derivative of ln(1−y) is −1, and there is a minus in front already."},
	{Key: "target-left-out", Hint: 2, Value: bySum(func(a, _ float64) float64 { return kernel.Sigmoid(a) }),
		Message: "The targets are not in your sum: y times φ, where (y−t) times φ belongs."},
	{Key: "absolute", Hint: 2, Value: bySum(func(a, t float64) float64 { return math.Abs(residual(a, t)) }),
		Message: "Your residuals have lost their signs. Points of the two classes pull in opposite directions."},
	{Key: "features-left-out", Hint: 2, Value: featuresLeftOut,
		Message: "All entries are Σ(y−t). Each residual is multiplied by the features of its point, which is what a = wᵀφ contributes to the chain."},
	{Key: "last-row", Hint: 3, Value: onlyRow(func(n int) int { return n - 1 }),
		Message: "Only the last data point is in your sum: each one replaces the one before."},
	{Key: "first-row", Hint: 3, Value: onlyRow(func(int) int { return 0 }),
		Message: "Only the first data point is in your sum. Does the loop return too early?"},
	{Key: "row-forgotten", Hint: 3, Value: without(func(n int) int { return n - 1 }),
		Message: "The last data point is not in your sum: does the loop stop one too early?"},
	{Key: "row-forgotten", Hint: 3, Value: without(func(int) int { return 0 }),
		Message: "The first data point is not in your sum: indices begin at 0."},
	{Key: "bias-forgotten", Hint: 3, Value: func(p problem) []float64 {
		g := p.sum(residual)
		g[0] = 0
		return g
	}, Message: "The first entry is 0 and the others are right. A bias is a weight like any other here: its column of Φ is there, and its derivative too."},
	{Key: "bias-forgotten", Hint: 3, Value: func(p problem) []float64 {
		q := p
		q.w = append([]float64{0}, p.w[1:]...)
		return q.sum(residual)
	}, Message: "The first weight is left out of your activations. All columns of Φ count, a column of ones too."},
	{Key: "zero", Hint: 3, Value: bySum(func(float64, float64) float64 { return 0 }),
		Message: "All entries are 0. Was the result never written to?"},
	{Key: "transposed", Hint: 3, Value: transposed,
		Message: "Φ is transposed: with N = M the shapes still fit. Row n of Φ belongs to data point n, and entry j of the gradient collects column j."},
	{Key: "prior", Hint: 2, Value: func(p problem) []float64 {
		return floats.AddTo(make([]float64, len(p.w)), p.sum(residual), p.w)
	}, Message: "The weights themselves are added: the gradient of a Gaussian prior. E in (4.90) is the negative log likelihood alone."},
}

func featuresLeftOut(p problem) []float64 {
	total := 0.0
	for i, a := range instance.Activations(p.Phi, p.w) {
		total += residual(a, p.t[i])
	}
	g := make([]float64, len(p.w))
	floats.AddConst(total, g)
	return g
}

// onlyRow is the gradient of row i(N) alone.
func onlyRow(i func(n int) int) func(problem) []float64 {
	return func(p problem) []float64 {
		n, _ := p.Phi.Dims()
		k := i(n)
		a := instance.Activations(p.Phi, p.w)[k]
		g := make([]float64, len(p.w))
		floats.AddScaled(g, residual(a, p.t[k]), p.Phi.RawRowView(k))
		return g
	}
}

// without is the gradient without row i(N).
func without(i func(n int) int) func(problem) []float64 {
	return func(p problem) []float64 {
		return floats.SubTo(make([]float64, len(p.w)), p.sum(residual), onlyRow(i)(p))
	}
}

// transposed is Φ(y−t), possible for N = M only.
func transposed(p problem) []float64 {
	n, m := p.Phi.Dims()
	if n != m || n == 1 {
		return nil
	}
	y := instance.Activations(p.Phi, p.w)
	for i := range y {
		y[i] = residual(y[i], p.t[i])
	}
	var g mat.VecDense
	g.MulVec(p.Phi, mat.NewVecDense(n, y))
	return g.RawVector().Data
}

// recognise names the mistake behind a vector that is not the gradient at p.
func recognise(p problem, g []float64) (verify.Verdict, bool) {
	if v, ok := learner.Recognise(mistakes, p, g); ok {
		return v, true
	}
	if c, ok := learner.Factor(g, p.sum(residual)); ok {
		if n := float64(len(p.t)); n > 1 && math.Abs(math.Abs(c)*n-1) < 1e-6 {
			return verify.Fail("averaged", 2, "Your gradient is divided by N. E in (4.90) is the sum over the data, not the mean, and so is its gradient."), true
		}
		return verify.Fail("factor", 2, "Your vector is the gradient times one number. E in (4.90) has no factor in front of its sum."), true
	}
	return verify.Verdict{}, false
}

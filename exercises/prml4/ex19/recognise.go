package ex19

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

var pdf, cdf = kernel.NormPDF, kernel.NormCDF

// target is t for s = 2t − 1.
func target(s float64) float64 { return (1 + s) / 2 }

func bySlope(r func(a, s float64) float64) func(problem) []float64 {
	return func(p problem) []float64 { return p.pull(r) }
}

var gradientMistakes = []learner.Mistake[problem]{
	{Key: "of-the-error", Hint: 1, Value: bySlope(func(a, s float64) float64 { return -slope(a, s) }),
		Message: "Your vector is the gradient of the error −L. Asked for is the one of the log likelihood, which points uphill."},
	{Key: "logistic", Hint: 2, Value: bySlope(func(a, s float64) float64 { return target(s) - kernel.Sigmoid(a) }),
		Message: "This is the gradient of logistic regression, with the sigmoid for the output. Here p(t=1|a) = Φ(a)."},
	{Key: "canonical-form", Hint: 2, Value: bySlope(func(a, s float64) float64 { return target(s) - cdf(a) }),
		Message: "Your factor is t − Φ(a), the form that the logistic gradient has. There the derivative of the output cancelled; Φ′ is the density, and Φ(1 − Φ) is not: nothing cancels."},
	{Key: "denominator-left-out", Hint: 2, Value: bySlope(func(a, s float64) float64 { return (target(s) - cdf(a)) * pdf(a) }),
		Message: "Your factor is (t − Φ)·N(a): the gradient of a sum of squares. The derivative of the logarithms divides by Φ(1 − Φ)."},
	{Key: "density-left-out", Hint: 2, Value: bySlope(func(a, s float64) float64 { return (target(s) - cdf(a)) / (cdf(a) * cdf(-a)) }),
		Message: "Your factor is (t − Φ)/{Φ(1 − Φ)}: the derivative by the output. The inner derivative, the density N(a), is missing."},
	{Key: "label-forgotten", Hint: 1, Value: bySlope(func(a, _ float64) float64 { m, _ := ratio(a); return m }),
		Message: "All points pull as if they had t = 1. With t = 0 the term is ln Φ(−a), with a minus from its inner derivative."},
	{Key: "sign-of-label-outside", Hint: 1, Value: bySlope(func(a, s float64) float64 { m, _ := ratio(a); return s * m }),
		Message: "The sign of the label stands outside and is missing inside: for t = 0 the density is divided by Φ(−a) = 1 − Φ(a), not by Φ(a)."},
	{Key: "inner-sign", Hint: 1, Value: bySlope(func(a, s float64) float64 { return math.Abs(slope(a, s)) }),
		Message: "The points with t = 0 come in with the wrong sign: the inner derivative of Φ(−a) is −1."},
	{Key: "one-term-only", Hint: 2, Value: bySlope(func(a, s float64) float64 { return target(s) * slope(a, s) }),
		Message: "Only the points with t = 1 are in your sum."},
	{Key: "one-term-only", Hint: 2, Value: bySlope(func(a, s float64) float64 { return target(-s) * slope(a, s) }),
		Message: "Only the points with t = 0 are in your sum."},
	{Key: "erf-scale", Hint: 3, Value: bySlope(func(a, s float64) float64 { m, _ := ratio(math.Sqrt2 * s * a); return s * math.Sqrt2 * m }),
		Message: "This belongs to the model ½(1 + erf(a)), which is Φ(√2·a). A √2 is missing in the argument of erf."},
	{Key: "erf-scale", Hint: 3, Value: bySlope(func(a, s float64) float64 { return s * pdf(a) / cdf(math.Sqrt2*s*a) }),
		Message: "Your Φ is ½(1 + erf(a)), which is Φ(√2·a), while your density is right. A √2 is missing in the argument of erf."},
	{Key: "density-scale", Hint: 2, Value: bySlope(func(a, s float64) float64 { return s * math.Exp(-a*a) / math.Sqrt(2*math.Pi) / cdf(s*a) }),
		Message: "Your density has exp(−a²); the standard normal has exp(−a²/2)."},
	{Key: "features-left-out", Hint: 2, Value: func(p problem) []float64 {
		total := 0.0
		for i, a := range instance.Activations(p.Phi, p.w) {
			total += slope(a, 2*p.t[i]-1)
		}
		g := make([]float64, len(p.w))
		floats.AddConst(total, g)
		return g
	}, Message: "All entries are the same: each factor is still to be multiplied by the features of its point."},
	{Key: "row-forgotten", Hint: 3, Value: func(p problem) []float64 { return dropped(p, 0).pull(slope) },
		Message: "The first data point is not in your sum: indices begin at 0."},
	{Key: "row-forgotten", Hint: 3, Value: func(p problem) []float64 { return dropped(p, len(p.t)-1).pull(slope) },
		Message: "The last data point is not in your sum: does the loop stop one too early?"},
	{Key: "bias-forgotten", Hint: 3, Value: func(p problem) []float64 {
		g := p.pull(slope)
		g[0] = 0
		return g
	}, Message: "The first entry is 0 and the others are right. A bias is a weight like any other here."},
	{Key: "prior", Hint: 2, Value: func(p problem) []float64 {
		g := p.pull(slope)
		floats.Sub(g, p.w)
		return g
	}, Message: "The weights are subtracted: the gradient of a Gaussian prior. Asked for is the log likelihood alone."},
	{Key: "zero", Hint: 2, Value: bySlope(func(_, _ float64) float64 { return 0 }),
		Message: "All entries are 0. Was the result never written to?"},
}

// dropped is p without the effect of point i: a row of zeros contributes nothing.
func dropped(p problem, i int) problem {
	q := p
	q.Phi = mat.DenseCopyOf(p.Phi)
	clear(q.Phi.RawRowView(i))
	return q
}

// recogniseGradient names the mistake behind a vector that is not the gradient.
func recogniseGradient(p problem, g []float64) (verify.Verdict, bool) {
	if v, ok := learner.Recognise(gradientMistakes, p, g); ok {
		return v, true
	}
	return byFactor(g, p.pull(slope), len(p.t), "gradient")
}

// byFactor names what a single wrong number in front can mean.
func byFactor(got, right []float64, n int, what string) (verify.Verdict, bool) {
	c, ok := learner.Factor(got, right)
	switch near := func(v float64) bool { return math.Abs(math.Abs(c)/v-1) < 1e-6 }; {
	case !ok:
		return verify.Verdict{}, false
	case n > 1 && near(1/float64(n)):
		return verify.Fail("averaged", 2, "Your %s is divided by N. The log likelihood is a sum over the data, not a mean.", what), true
	case near(math.Sqrt(2 * math.Pi)):
		return verify.Fail("density-not-normalised", 2, "Your %s is √(2π) times too large: the density lacks its factor 1/√(2π).", what), true
	}
	return verify.Fail("factor", 2, "Your %s is the right one times a number. There is no factor in front of the sum.", what), true
}

func byCurve(r func(a, s float64) float64) func(problem) []float64 {
	return func(p problem) []float64 { return learner.Entries(p.even(p.weighted(r))) }
}

// keep is the Hessian with the entries that are not kept set to 0.
func keep(where func(i, j int) bool) func(problem) []float64 {
	return func(p problem) []float64 {
		h := p.even(p.weighted(curve))
		h.Apply(func(i, j int, v float64) float64 {
			if where(i, j) {
				return v
			}
			return 0
		}, h)
		return learner.Entries(h)
	}
}

func mills(x float64) float64 { m, _ := ratio(x); return m }

func logisticWeight(a float64) float64 { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }

var hessianMistakes = []learner.Mistake[problem]{
	{Key: "of-the-error", Hint: 1, Value: byCurve(func(a, s float64) float64 { return -curve(a, s) }),
		Message: "Your matrix is the Hessian of the error −L, with positive weights. Asked for is the one of the log likelihood."},
	{Key: "expected", Hint: 2, Value: byCurve(func(a, _ float64) float64 { return -pdf(a) * pdf(a) / (cdf(a) * cdf(-a)) }),
		Message: "These are the weights N²/{Φ(1−Φ)}: the expected Hessian (minus the Fisher information), averaged over targets that the model draws. It does for an algorithm, and for the sigmoid it is the same; asked for are the second derivatives for the targets as observed."},
	{Key: "expected", Hint: 2, Value: byCurve(func(a, _ float64) float64 { return pdf(a) * pdf(a) / (cdf(a) * cdf(-a)) }),
		Message: "These are the weights N²/{Φ(1−Φ)}: the Fisher information, averaged over targets that the model draws, with a positive sign. Asked for are the second derivatives of L for the targets as observed, which are negative."},
	{Key: "logistic", Hint: 2, Value: byCurve(func(a, _ float64) float64 { return -logisticWeight(a) }),
		Message: "These are the weights of logistic regression, y(1−y) with the sigmoid."},
	{Key: "logistic", Hint: 2, Value: byCurve(func(a, _ float64) float64 { return logisticWeight(a) }),
		Message: "These are the weights of logistic regression, y(1−y) with the sigmoid, and the sign of the error's Hessian."},
	{Key: "canonical-form", Hint: 2, Value: byCurve(func(a, _ float64) float64 { return -cdf(a) * cdf(-a) }),
		Message: "Your weights are Φ(1−Φ), the form that the logistic Hessian has. It comes from the sigmoid's derivative; Φ′ is the density."},
	{Key: "canonical-form", Hint: 2, Value: byCurve(func(a, _ float64) float64 { return -pdf(a) }),
		Message: "Your weights are the density N(a): the derivative of t − Φ(a), which is not the gradient of this model."},
	{Key: "term-left-out", Hint: 2, Value: byCurve(func(a, s float64) float64 { return -mills(s*a) * mills(s*a) }),
		Message: "Your weights are m²: of the quotient rule's two terms the one with N′(x) = −x·N(x) is missing. (Sums of squared gradients look like this.)"},
	{Key: "term-left-out", Hint: 2, Value: byCurve(func(a, s float64) float64 { return -mills(s*a) * s * a }),
		Message: "Your weights are x·m(x): of the quotient rule's two terms the one with the squared density is missing."},
	{Key: "inner-sign", Hint: 2, Value: byCurve(func(a, s float64) float64 { return -mills(s*a) * (mills(s*a) - s*a) }),
		Message: "Your weights are m(m − x). The derivative of the density is −x·N(x): with the minus in front, both terms have one sign."},
	{Key: "label-forgotten", Hint: 2, Value: byCurve(func(a, s float64) float64 { return -mills(s*a) * (mills(s*a) + a) }),
		Message: "In m(m + x) you have a for x. x = s·a carries the sign of the label."},
	{Key: "label-forgotten", Hint: 1, Value: byCurve(func(a, _ float64) float64 { return curve(a, 1) }),
		Message: "All points count as if they had t = 1. The targets do not drop out of this Hessian."},
	{Key: "weights-left-out", Hint: 2, Value: byCurve(func(_, _ float64) float64 { return -1 }),
		Message: "This is −ΦᵀΦ, as for least squares: the weights are missing."},
	{Key: "erf-scale", Hint: 3, Value: byCurve(func(a, s float64) float64 { return 2 * curve(math.Sqrt2*a, s) }),
		Message: "This belongs to the model ½(1 + erf(a)), which is Φ(√2·a). A √2 is missing in the argument of erf."},
	{Key: "outer-product", Hint: 2, Value: func(p problem) []float64 {
		g, h := mat.NewVecDense(len(p.w), p.pull(slope)), mat.Dense{}
		h.Outer(-1, g, g)
		return learner.Entries(p.even(&h))
	}, Message: "Your matrix is −∇L ∇Lᵀ, a product of first derivatives."},
	{Key: "row-forgotten", Hint: 3, Value: func(p problem) []float64 { return learner.Entries(p.even(dropped(p, 0).weighted(curve))) },
		Message: "The first data point is not in your sum: indices begin at 0."},
	{Key: "row-forgotten", Hint: 3, Value: func(p problem) []float64 {
		return learner.Entries(p.even(dropped(p, len(p.t)-1).weighted(curve)))
	}, Message: "The last data point is not in your sum: does the loop stop one too early?"},
	{Key: "diagonal-only", Hint: 3, Value: keep(func(i, j int) bool { return i == j }),
		Message: "The diagonal is right and all the rest is 0. Mixed second derivatives belong to the Hessian too."},
	{Key: "one-triangle", Hint: 3, Value: keep(func(i, j int) bool { return i <= j }),
		Message: "The upper triangle is right and the lower one is 0: a *mat.Dense does not mirror it."},
	{Key: "one-triangle", Hint: 3, Value: keep(func(i, j int) bool { return i >= j }),
		Message: "The lower triangle is right and the upper one is 0: a *mat.Dense does not mirror it."},
	{Key: "zero", Hint: 2, Value: byCurve(func(_, _ float64) float64 { return 0 }),
		Message: "All entries are 0. Was the result never written to?"},
}

// recogniseHessian names the mistake behind a matrix that is not the Hessian.
func recogniseHessian(p problem, h *mat.Dense) (verify.Verdict, bool) {
	got := learner.Entries(p.even(h))
	if v, ok := learner.Recognise(hessianMistakes, p, got); ok {
		return v, true
	}
	return byFactor(got, byCurve(curve)(p), len(p.t), "Hessian")
}

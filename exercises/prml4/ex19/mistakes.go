package ex19

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	gradientFunc = twoclass.Gradient
	hessianFunc  = twoclass.Hessian
	curveFunc    = func(x float64) float64
)

var pdf, cdf = kernel.NormPDF, kernel.NormCDF

// mills computes N(x)/Φ(x) without care for the tails, as a learner might.
func mills(x float64) float64 { return pdf(x) / cdf(x) }

// slope returns the factor of φ in the gradient for one point, and curve returns the factor of φφᵀ
// in the Hessian.
func slope(a, t float64) float64 { s := 2*t - 1; m, _ := ratio(s * a); return s * m }
func curve(a, t float64) float64 { m, rest := ratio((2*t - 1) * a); return -m * rest }

const nearly = "Nearly: for {problem} you are {off}. Are these finite differences, rounded constants, or a series for Φ with few terms? The formula is exact."

var askGradient = &judge.Question[gradientFunc, problem]{
	Func: "Gradient", Name: "gradient", Hint: 2, Per: "weight", Right: probit.Gradient,
	Ask: func(gradient gradientFunc, c *judge.Call, p problem) []float64 {
		g := gradient(c.Slice("w", p.W), c.Dense("Phi", p.Phi), c.Slice("t", p.T))
		if len(g) == len(p.W) {
			c.Say(notFinite("tail", p, p.Reach(), "an entry of your gradient", floats.Sum(g)))
		}
		return g
	},
	Length: func(p problem, n int) *verify.Verdict {
		return judge.FailIf(n == len(p.T), "one-per-point", 2,
			"Your gradient has one entry per data point. Each factor is multiplied by the features of its point, and the points are summed: one entry per weight.")
	},
	Unit: func(p problem, _ []float64) []float64 { return p.Scale() },
	Family: func(p problem, g []float64) *verify.Verdict {
		return judge.FailIf(twoclass.Prior(instance.Minus(probit.Gradient(p), g), p.W), "prior", 2,
			"The weights are subtracted, or a multiple of them: the gradient of a Gaussian prior. Use the log likelihood alone.")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 2, Message: nearly},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your gradient is the right one times a number. There is no factor in front of the sum."},
	Mistakes: []judge.Mistake[gradientFunc]{
		{Key: "of-the-error", Answer: pulling(func(a, t float64) float64 { return -slope(a, t) }), Hint: 1,
			Message: "Your vector is the gradient of the error −L. Return the gradient of the log likelihood, which points uphill."},
		{Key: "logistic", Answer: pulling(func(a, t float64) float64 { return t - kernel.Sigmoid(a) }), Hint: 2,
			Message: "This is the gradient of logistic regression, with the sigmoid for the output. Here p(t=1|a) = Φ(a)."},
		{Key: "canonical-form", Answer: pulling(func(a, t float64) float64 { return t - cdf(a) }), Hint: 2,
			Message: "Your factor is t − Φ(a), the form that the logistic gradient has. There the derivative of the output cancelled; Φ′ is the density, and Φ(1 − Φ) is not: nothing cancels."},
		{Key: "denominator-left-out", Answer: pulling(func(a, t float64) float64 { return (t - cdf(a)) * pdf(a) }),
			Hint:    2,
			Message: "Your factor is (t − Φ)·N(a): the gradient of a sum of squares. The derivative of the logarithms divides by Φ(1 − Φ)."},
		{Key: "density-left-out",
			Answer: pulling(func(a, t float64) float64 { return (t - cdf(a)) / (cdf(a) * cdf(-a)) }), Hint: 2,
			Message: "Your factor is (t − Φ)/{Φ(1 − Φ)}: the derivative by the output. The inner derivative, the density N(a), is missing."},
		{Key: "plus-minus-one", Hint: 2,
			Message: "In t − Φ(a) the targets are taken for −1 and 1. There they are 0 and 1; s = 2t − 1 belongs into the other form.",
			Answer:  pulling(func(a, t float64) float64 { return (2*t - 1 - cdf(a)) * pdf(a) / (cdf(a) * cdf(-a)) })},
		{Key: "label-forgotten", Answer: pulling(func(a, _ float64) float64 { return mills(a) }), Hint: 1,
			Message: "All points pull as if they had t = 1. With t = 0 the term is ln Φ(−a), with a minus from its inner derivative."},
		{Key: "sign-of-label-outside", Answer: pulling(func(a, t float64) float64 { return (2*t - 1) * mills(a) }),
			Hint:    1,
			Message: "The sign of the label stands outside and is missing inside: for t = 0 the density is divided by Φ(−a) = 1 − Φ(a), not by Φ(a)."},
		{Key: "inner-sign", Answer: pulling(func(a, t float64) float64 { return mills((2*t - 1) * a) }), Hint: 1,
			Message: "The points with t = 0 come in with the wrong sign: the inner derivative of Φ(−a) is −1."},
		{Key: "one-term-only", Answer: pulling(func(a, t float64) float64 { return t * mills(a) }), Hint: 2,
			Message: "Only the points with t = 1 are in your sum."},
		{Key: "one-term-only", Answer: pulling(func(a, t float64) float64 { return -(1 - t) * mills(-a) }), Hint: 2,
			Message: "Only the points with t = 0 are in your sum."},
		{Key: "erf-scale", Hint: 3,
			Message: "This belongs to the model ½(1 + erf(a)), which is Φ(√2·a). A √2 is missing in the argument of erf.",
			Answer: pulling(func(a, t float64) float64 {
				s := 2*t - 1
				return s * 2 / math.Sqrt(math.Pi) * math.Exp(-a*a) / math.Erfc(-s*a)
			})},
		{Key: "erf-scale", Hint: 3,
			Message: "Your Φ is ½(1 + erf(a)), which is Φ(√2·a), while your density is right. A √2 is missing in the argument of erf.",
			Answer:  pulling(func(a, t float64) float64 { s := 2*t - 1; return s * pdf(a) / (math.Erfc(-s*a) / 2) })},
		{Key: "density-scale", Hint: 2, Message: "Your density has exp(−a²); the standard normal has exp(−a²/2).",
			Answer: pulling(func(a, t float64) float64 { s := 2*t - 1; return s * math.Exp(-a*a) / math.Sqrt(2*math.Pi) / cdf(s*a) })},
		{Key: "density-not-normalised", Hint: 2,
			Message: "Your gradient is √(2π) times too large: the density lacks its factor 1/√(2π).",
			Answer:  pulling(func(a, t float64) float64 { s := 2*t - 1; return s * math.Exp(-a*a/2) / cdf(s*a) })},
		{Key: "averaged",
			Answer: probit.ButGradient(func(g []float64, p problem) { floats.Scale(1/float64(len(p.T)), g) }), Hint: 2,
			Message: "Your gradient is divided by N. The log likelihood is a sum over the data, not a mean."},
		{Key: "features-left-out", Hint: 2,
			Message: "All entries are the same: each factor is still to be multiplied by the features of its point.",
			Answer: probit.ButGradient(func(g []float64, p problem) {
				clear(g)
				floats.AddConst(twoclass.Sum(slope, p.W, p.Phi, p.T), g)
			})},
		{Key: "row-forgotten", Answer: probit.Rows(1, -1), Hint: 3,
			Message: "The first data point is not in your sum: indices begin at 0."},
		{Key: "row-forgotten", Answer: probit.Rows(0, -2), Hint: 3,
			Message: "The last data point is not in your sum: does the loop stop one too early?"},
		{Key: "bias-forgotten", Answer: probit.ButGradient(func(g []float64, _ problem) { g[0] = 0 }), Hint: 3,
			Message: "The first entry is 0 and the others are right. A bias is a weight like any other here."},
		{Key: "zero", Answer: pulling(func(_, _ float64) float64 { return 0 }), Hint: 2,
			Message: "All entries are 0. Was the result never written to?"},
	},
}

var askHessian = &judge.Question[hessianFunc, problem]{
	Func: "Hessian", Name: "Hessian", Hint: 2, Right: probit.Hessian,
	Ask: func(hessian hessianFunc, c *judge.Call, p problem) []float64 {
		h := hessian(c.Slice("w", p.W), c.Dense("Phi", p.Phi), c.Slice("t", p.T))
		n, m := p.Phi.Dims()
		if h != nil && !h.IsEmpty() {
			switch r, k := h.Dims(); {
			case r == n && k == n && n != m:
				c.Say(judge.Fail("n-by-n", 2,
					"Your Hessian is N×N, one row per data point: a product in the order Φ…Φᵀ. The second derivatives are by the M weights."))
			case r == m && k == m:
				c.Say(notFinite("tail", p, p.Reach(), "an entry of your Hessian", mat.Sum(h)))
			}
		}
		return c.Matrix("Hessian", h, m, m, "M×M")
	},
	Unit: func(p problem, _ []float64) []float64 { return p.Scale().Units() },
	Family: func(p problem, h []float64) *verify.Verdict {
		identity := mat.DenseCopyOf(mat.NewDiagDense(len(p.W), slices.Repeat([]float64{1}, len(p.W))))
		return judge.FailIf(twoclass.Prior(instance.Minus(probit.Hessian(p), h), identity.RawMatrix().Data), "prior", 2,
			"A multiple of the identity is subtracted from the Hessian: the second derivative of a Gaussian prior, or a help against singular matrices. Use the log likelihood alone.")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 2, Message: nearly},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your Hessian is the right one times a number. There is no factor in front of the sum."},
	Mistakes: []judge.Mistake[hessianFunc]{
		{Key: "of-the-error", Answer: weighting(func(a, t float64) float64 { return -curve(a, t) }), Hint: 1,
			Message: "Your matrix is the Hessian of the error −L, with positive weights. Return the Hessian of the log likelihood."},
		{Key: "expected",
			Answer: weighting(func(a, _ float64) float64 { return -pdf(a) * pdf(a) / (cdf(a) * cdf(-a)) }), Hint: 2,
			Message: "These are the weights N²/{Φ(1−Φ)}: the expected Hessian (minus the Fisher information), averaged over targets that the model draws. It does for an algorithm, and for the sigmoid it is the same; return the second derivatives for the targets as observed."},
		{Key: "expected", Answer: weighting(func(a, _ float64) float64 { return pdf(a) * pdf(a) / (cdf(a) * cdf(-a)) }),
			Hint:    2,
			Message: "These are the weights N²/{Φ(1−Φ)}: the Fisher information, averaged over targets that the model draws, with a positive sign. Return the second derivatives of L for the targets as observed, which are negative."},
		{Key: "logistic",
			Answer: weighting(func(a, _ float64) float64 { return -kernel.Sigmoid(a) * kernel.Sigmoid(-a) }), Hint: 2,
			Message: "These are the weights of logistic regression, y(1−y) with the sigmoid."},
		{Key: "logistic",
			Answer: weighting(func(a, _ float64) float64 { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }), Hint: 2,
			Message: "These are the weights of logistic regression, y(1−y) with the sigmoid, and the sign of the error's Hessian."},
		{Key: "canonical-form", Answer: weighting(func(a, _ float64) float64 { return -cdf(a) * cdf(-a) }), Hint: 2,
			Message: "Your weights are Φ(1−Φ), the form that the logistic Hessian has. It comes from the sigmoid's derivative; Φ′ is the density."},
		{Key: "canonical-form", Answer: weighting(func(a, _ float64) float64 { return -pdf(a) }), Hint: 2,
			Message: "Your weights are the density N(a): the derivative of t − Φ(a), which is not the gradient of this model."},
		{Key: "term-left-out", Answer: bending(func(x, m float64) float64 { return -m * m }), Hint: 2,
			Message: "Your weights are m²: of the quotient rule's two terms the one with N′(x) = −x·N(x) is missing. (Sums of squared gradients look like this.)"},
		{Key: "term-left-out", Answer: bending(func(x, m float64) float64 { return -x * m }), Hint: 2,
			Message: "Your weights are x·m(x): of the quotient rule's two terms the one with the squared density is missing."},
		{Key: "inner-sign", Answer: bending(func(x, m float64) float64 { return -m * (m - x) }), Hint: 2,
			Message: "Your weights are m(m − x). The derivative of the density is −x·N(x): with the minus in front, both terms have one sign."},
		{Key: "label-forgotten", Hint: 2,
			Message: "In m(m + x) you have a for x. x = s·a carries the sign of the label.",
			Answer:  weighting(func(a, t float64) float64 { m := mills((2*t - 1) * a); return -m * (m + a) })},
		{Key: "label-forgotten", Answer: weighting(func(a, _ float64) float64 { return -mills(a) * (mills(a) + a) }),
			Hint: 1, Message: "All points count as if they had t = 1. The targets do not drop out of this Hessian."},
		{Key: "weights-left-out", Answer: weighting(func(_, _ float64) float64 { return -1 }), Hint: 2,
			Message: "This is −ΦᵀΦ, as for least squares: the weights are missing."},
		{Key: "erf-scale", Hint: 3,
			Message: "This belongs to the model ½(1 + erf(a)), which is Φ(√2·a). A √2 is missing in the argument of erf.",
			Answer:  weighting(func(a, t float64) float64 { x := math.Sqrt2 * (2*t - 1) * a; return -2 * mills(x) * (mills(x) + x) })},
		{Key: "density-not-normalised", Hint: 2,
			Message: "Your N/Φ is √(2π) times too large: the density lacks its factor 1/√(2π).",
			Answer:  bending(func(x, m float64) float64 { m *= math.Sqrt(2 * math.Pi); return -m * (x + m) })},
		{Key: "square-underflows",
			Answer: bending(func(x, m float64) float64 { return -x*m - pdf(x)*pdf(x)/cdf(x)/cdf(x) }), Hint: 3,
			Message: "For {problem} the square of the density, or that of Φ, is below the smallest number (N(30)² is about 1e-392), and your Hessian lacks the term that it stands in. Form the quotient first, then its square."},
		{Key: "outer-product", Hint: 2, Message: "Your matrix is −∇L ∇Lᵀ, a product of first derivatives.",
			Answer: probit.ButHessian(func(h *mat.Dense, p problem) {
				g := mat.NewVecDense(len(p.W), probit.Gradient(p))
				h.Outer(-1, g, g)
			})},
		{Key: "averaged", Answer: probit.ButHessian(func(h *mat.Dense, p problem) { h.Scale(1/float64(len(p.T)), h) }),
			Hint: 2, Message: "Your Hessian is divided by N. The log likelihood is a sum over the data, not a mean."},
		{Key: "row-forgotten", Answer: probit.ButHessian(probit.Rest(1, -1)), Hint: 3,
			Message: "The first data point is not in your sum: indices begin at 0."},
		{Key: "row-forgotten", Answer: probit.ButHessian(probit.Rest(0, -2)), Hint: 3,
			Message: "The last data point is not in your sum: does the loop stop one too early?"},
		{Key: "diagonal-only", Answer: probit.ButHessian(twoclass.Keep(func(i, j int) bool { return i == j })), Hint: 3,
			Message: "The diagonal is right and all the rest is 0. Mixed second derivatives belong to the Hessian too."},
		{Key: "one-triangle", Answer: probit.ButHessian(twoclass.Keep(func(i, j int) bool { return i <= j })), Hint: 3,
			Message: "The upper triangle is right and the lower one is 0: a *mat.Dense does not mirror it."},
		{Key: "one-triangle", Answer: probit.ButHessian(twoclass.Keep(func(i, j int) bool { return i >= j })), Hint: 3,
			Message: "The lower triangle is right and the upper one is 0: a *mat.Dense does not mirror it."},
		{Key: "zero", Answer: weighting(func(_, _ float64) float64 { return 0 }), Hint: 2,
			Message: "All entries are 0. Was the result never written to?"},
	},
}

// notFinite returns a verdict if sum, the sum of the results, is not finite at large activations.
// reach is the largest |a|; squares underflow only beyond 26.
func notFinite(key string, where fmt.Stringer, reach float64, what string, sum float64) *verify.Verdict {
	switch {
	case !math.IsNaN(sum) && !math.IsInf(sum, 0) || reach <= moderate:
		return nil
	case reach <= 26:
		return judge.Fail(key, 3,
			"For %v %s is not a finite number. 1 − Φ(9) is 0 after rounding, and (1 + erf)/2 is 0 at −9: divided by that, the density gives Inf or NaN. Which function has the digits of the small tail?", where, what)
	}
	return judge.Fail(key, 3,
		"For %v %s is not a finite number, while it is one at ±26. Φ(−30) is about 5e-198, and its square, about 1e-395, is below the smallest number, as that of the density is: divide first, then square.", where, what)
}

// both contains the two functions. askBoth calls them with every possible vector of targets of a
// problem.
type both struct {
	gradient gradientFunc
	hessian  hessianFunc
}

// askBoth judges two averages over the targets: E[∇L], and E[∇∇L] + E[∇L ∇Lᵀ] relative to E[∇L
// ∇Lᵀ].
var askBoth = &judge.Question[both, problem]{
	Func: "Gradient", Name: "average", Hint: 2,
	Ask: func(f both, c *judge.Call, p problem) []float64 {
		n, m := p.Phi.Dims()
		mean, sum, variance := make([]float64, m), mat.NewDense(m, m, nil), mat.NewDense(m, m, nil)
		for code := range 1 << n {
			probability, t := 1.0, make([]float64, n)
			for i, a := range instance.Activations(p.Phi, p.W) {
				t[i] = float64(code >> i & 1)
				probability *= cdf((2*t[i] - 1) * a)
			}
			g := c.Vector("gradient", f.gradient(c.Slice("w", p.W), c.Dense("Phi", p.Phi), c.Slice("t", t)), m,
				"weight")
			h := c.Matrix("Hessian", f.hessian(c.Slice("w", p.W), c.Dense("Phi", p.Phi), c.Slice("t", t)), m, m, "M×M")
			if g == nil || h == nil {
				return nil
			}
			floats.AddScaled(mean, probability, g)
			v := mat.NewVecDense(m, g)
			variance.RankOne(variance, probability, v, v)
			floats.AddScaled(sum.RawMatrix().Data, probability, h)
		}
		sum.Add(sum, variance)
		if size := mat.Norm(variance, 1); size > 0 {
			sum.Scale(1/size, sum)
		}
		return append(mean, sum.RawMatrix().Data...)
	},
	Right: func(p problem) []float64 { return make([]float64, len(p.W)*(1+len(p.W))) },
}

// with returns an answer to a step that computes its result from x and m = N(x)/Φ(x).
func with(f func(x, m float64) float64) curveFunc {
	return func(x float64) float64 { return f(x, mills(x)) }
}

var askSlope = &judge.Question[curveFunc, place]{
	Func: "LogSlope", Name: "LogSlope", Key: "slope", Hint: 1, Ask: curveAt("LogSlope", "slope-not-finite"), Unit: unit,
	Right: func(x place) []float64 { m, _ := ratio(float64(x)); return []float64{m} },
	Mistakes: []judge.Mistake[curveFunc]{
		{Key: "density", Hint: 1, Message: "This is the derivative of Φ. That of the logarithm is divided by Φ.",
			Answer: pdf},
		{Key: "reciprocal", Answer: func(x float64) float64 { return 1 / cdf(x) }, Hint: 1,
			Message: "This is 1/Φ: the inner derivative, Φ′, is missing."},
		{Key: "product", Answer: func(x float64) float64 { return pdf(x) * cdf(x) }, Hint: 1,
			Message: "Density and Φ are multiplied; Φ belongs below."},
		{Key: "inverted", Answer: func(x float64) float64 { return cdf(x) / pdf(x) }, Hint: 1,
			Message: "The quotient is upside down: Φ′ stands above, Φ below."},
		{Key: "other-side", Answer: func(x float64) float64 { return pdf(x) / cdf(-x) }, Hint: 2,
			Message: "The density is divided by 1 − Φ(x). That is the size of the derivative of ln(1−Φ)."},
		{Key: "both", Answer: func(x float64) float64 { return pdf(x) / (cdf(x) * cdf(-x)) }, Hint: 2,
			Message: "The density is divided by Φ(1−Φ): that belongs to the log odds of Φ, not to its logarithm."},
		{Key: "logistic", Answer: func(x float64) float64 { return kernel.Sigmoid(-x) }, Hint: 1,
			Message: "This is 1 − σ(x), the derivative of ln σ(x): the formula of logistic regression."},
	},
}

var askBend = &judge.Question[curveFunc, place]{
	Func: "LogBend", Name: "LogBend", Key: "bend", Hint: 2, Ask: curveAt("LogBend", "bend-not-finite"), Unit: unit,
	Right: func(x place) []float64 { m, rest := ratio(float64(x)); return []float64{-m * rest} },
	Mistakes: []judge.Mistake[curveFunc]{
		{Key: "square-only", Answer: with(func(_, m float64) float64 { return -m * m }), Hint: 2,
			Message: "This is −(N/Φ)²: the quotient rule's other term, with N′(x) = −x N(x), is missing."},
		{Key: "density-only", Answer: with(func(x, m float64) float64 { return -x * m }), Hint: 2,
			Message: "This is N′/Φ: the quotient rule's other term, in which Φ is differentiated, is missing."},
		{Key: "density-sign", Answer: with(func(x, m float64) float64 { return m * (x - m) }), Hint: 2,
			Message: "The sign of the term with x is turned: N′(x) = −x N(x)."},
		{Key: "square-sign", Answer: with(func(x, m float64) float64 { return m * (m - x) }), Hint: 2,
			Message: "The sign of the square is turned: the quotient rule takes it off."},
		{Key: "positive", Answer: with(func(x, m float64) float64 { return m * (x + m) }), Hint: 2,
			Message: "Both signs are turned: ln Φ is concave. (Is it the second derivative of −ln Φ?)"},
		{Key: "expected", Answer: func(x float64) float64 { return -pdf(x) * pdf(x) / (cdf(x) * cdf(-x)) }, Hint: 2,
			Message: "This is −N²/{Φ(1−Φ)}, the average over both targets (Fisher's information). Return the derivative itself."},
		{Key: "first", Hint: 2, Message: "This is the first derivative.", Answer: mills},
		{Key: "density-slope", Answer: func(x float64) float64 { return -x * pdf(x) }, Hint: 2,
			Message: "This is Φ″ = N′, the second derivative of Φ and not of its logarithm."},
		{Key: "logistic", Answer: func(x float64) float64 { return -kernel.Sigmoid(x) * kernel.Sigmoid(-x) }, Hint: 2,
			Message: "This is −σ(1−σ), the formula of logistic regression."},
		{Key: "square-underflows", Answer: func(x float64) float64 { return -x*mills(x) - pdf(x)*pdf(x)/cdf(x)/cdf(x) },
			Hint:    2,
			Message: "At {problem} the square of the density, or that of Φ, is below the smallest number, and the term that it stands in is lost. Form the quotient first, then its square."},
	},
}

// curveAt returns a function that calls f at x. A result that is not finite gets a verdict with the
// given key.
func curveAt(name, key string) func(f curveFunc, c *judge.Call, x place) []float64 {
	return func(f curveFunc, c *judge.Call, x place) []float64 {
		v := f(float64(x))
		c.Say(notFinite(key, x, math.Abs(float64(x)), "your "+name, v))
		return []float64{v}
	}
}

// unit returns the unit of the accuracy of the steps, because N/Φ grows like |x| on the left.
func unit(x place, _ []float64) []float64 { return []float64{1 + math.Abs(float64(x))} }

var pulling, weighting = twoclass.Pulling, twoclass.Weighting

// bending returns a Hessian with the weights r(x, m), where x = s·a and m = N(x)/Φ(x).
func bending(r func(x, m float64) float64) hessianFunc {
	return weighting(func(a, t float64) float64 { x := (2*t - 1) * a; return r(x, mills(x)) })
}

func init() {
	judge.Known(exercise, askGradient, func(f gradientFunc) *verify.Report { return Check(f, weighting(curve)) })
	judge.Known(exercise, askHessian, func(f hessianFunc) *verify.Report { return Check(pulling(slope), f) })
	judge.Known(exercise, askSlope, func(f curveFunc) *verify.Report {
		return CheckSteps(f, with(func(x, m float64) float64 { return -m * (x + m) }))
	})
	judge.Known(exercise, askBend, func(f curveFunc) *verify.Report { return CheckSteps(mills, f) })
}

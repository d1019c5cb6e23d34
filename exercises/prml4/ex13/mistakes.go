package ex13

import (
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
	linkFunc     = func(v, t float64) float64
)

var ask = &judge.Question[gradientFunc, problem]{
	Func: "Gradient", Name: "gradient", Hint: 3, Per: "weight",
	Ask: func(gradient gradientFunc, c *judge.Call, p problem) []float64 {
		g := gradient(c.Slice("w", p.W), c.Dense("Phi", p.Phi), c.Slice("t", p.T))
		if i := slices.IndexFunc(g, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }); i >= 0 && len(g) == len(p.W) {
			bad := verify.Fail("not-finite", 3, "For %v entry %d of your gradient is %g. Is there a division by y or 1−y, or a logarithm? Neither is left in the simplified form.", p, i, g[i])
			if p.Reach() > 30 {
				bad = verify.Fail("overflow", 3, "For %v entry %d of your gradient is %g. e^a/(1+e^a) is Inf/Inf at 800, and a residual divided by y(1−y) and multiplied by it again is 0/0 where y has become 0 or 1.", p, i, g[i])
			}
			c.Say(&bad)
		}
		return g
	},
	Right: twoclass.Logistic.Gradient,
	Unit:  func(p problem, _ []float64) []float64 { return instance.Sizes(p.Phi) },
	Length: func(p problem, n int) *verify.Verdict {
		return judge.FailIf(n == len(p.T), "transposed", 2, "For %v you returned %d numbers, one per data point. The gradient has one entry per weight, here %d: is Φ transposed somewhere, or the sum over the points missing?", p, n, len(p.W))
	},
	Family: func(p problem, g []float64) *verify.Verdict {
		return judge.FailIf(twoclass.Prior(instance.Minus(g, twoclass.Logistic.Gradient(p)), p.W), "prior", 2, "The weights themselves are added, or a multiple of them: the gradient of a Gaussian prior. E in (4.90) is the negative log likelihood alone.")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 2, Message: "Nearly: for {problem} you are {off}. Are these finite differences themselves, rounded numbers, or an approximation of σ? The formula is exact."},
	Factor: judge.Wrong{Key: "factor", Hint: 2, Message: "Your vector is the gradient times one number. E in (4.90) has no factor in front of its sum."},
	Mistakes: []judge.Mistake[gradientFunc]{
		{Key: "sign", Hint: 2, Message: "Your vector is −∇E, the gradient of the log likelihood: t − y where y − t belongs. A step against it would lead uphill.",
			Answer: pulling(func(a, t float64) float64 { return -twoclass.Residual(a, t) })},
		{Key: "averaged", Hint: 2, Message: "Your gradient is divided by N. E in (4.90) is the sum over the data, not the mean, and so is its gradient.",
			Answer: twoclass.Logistic.ButGradient(func(g []float64, p problem) { floats.Scale(1/float64(len(p.T)), g) })},
		{Key: "averaged", Hint: 2, Message: "Your gradient is divided by N − 1. E in (4.90) is a sum over the data, not a mean; and N − 1 belongs to an unbiased variance.",
			Answer: twoclass.Logistic.ButGradient(func(g []float64, p problem) { floats.Scale(1/math.Max(1, float64(len(p.T)-1)), g) })},
		{Key: "squared-error", Hint: 2, Message: "A factor y(1−y) is left: this is the gradient of the sum of squares ½Σ(y−t)². In the cross-entropy the derivative of the logarithms divides by it.",
			Answer: pulling(func(a, t float64) float64 { return twoclass.Residual(a, t) * twoclass.Prime(a) })},
		{Key: "squared-error", Hint: 2, Message: "This is the gradient of the sum of squares Σ(y−t)². The cross-entropy has logarithms; what does their derivative do to y(1−y)?",
			Answer: pulling(func(a, t float64) float64 { return 2 * twoclass.Residual(a, t) * twoclass.Prime(a) })},
		{Key: "chain-rule-stops-at-y", Hint: 2, Message: "Each residual is divided by y(1−y): the derivative of E with respect to y, multiplied by φ. The link between, dy/da, is missing.",
			Answer: pulling(func(a, t float64) float64 { return twoclass.Residual(a, t) / twoclass.Prime(a) })},
		{Key: "plus-minus-one", Hint: 2, Message: "Your residual is y − (2t−1), with targets −1 and +1. The targets of (4.90) are 0 and 1; a target −1 belongs to other error functions.",
			Answer: pulling(func(a, t float64) float64 { return kernel.Sigmoid(a) - (2*t - 1) })},
		{Key: "sigmoid-left-out", Answer: pulling(func(a, t float64) float64 { return a - t }), Hint: 2, Message: "Your residual is a − t: the gradient of linear least squares. The output is y = σ(a), not the activation itself."},
		{Key: "tanh", Hint: 2, Message: "Your output is tanh(a), which runs from −1 to 1. The output here is σ(a), from 0 to 1; σ(a) = (1 + tanh(a/2))/2.",
			Answer: pulling(func(a, t float64) float64 { return math.Tanh(a) - t })},
		{Key: "probit", Hint: 2, Message: "Your output is Φ(a), the distribution function of the normal density. It resembles σ(a) and is another function: logistic regression has 1/(1+e^−a).",
			Answer: pulling(func(a, t float64) float64 { return kernel.NormCDF(a) - t })},
		{Key: "thresholded", Hint: 2, Message: "Your outputs are 0 and 1: a threshold, as the perceptron has. The sum is over the probabilities y = σ(a).",
			Answer: pulling(func(a, t float64) float64 {
				if a >= 0 {
					return 1 - t
				}
				return -t
			})},
		{Key: "classes-swapped", Hint: 2, Message: "Your output is σ(−a) = 1 − y: the sign in the exponent is turned. y is the probability of t = 1.",
			Answer: pulling(func(a, t float64) float64 { return kernel.Sigmoid(-a) - t })},
		{Key: "one-term-only", Hint: 2, Message: "Only the points with t = 1 are in your sum: the second term of the cross-entropy, with 1−t, is missing.",
			Answer: pulling(func(a, t float64) float64 { return -t * kernel.Sigmoid(-a) })},
		{Key: "one-term-only", Hint: 2, Message: "Only the points with t = 0 are in your sum: the first term of the cross-entropy, with t, is missing.",
			Answer: pulling(func(a, t float64) float64 { return (1 - t) * kernel.Sigmoid(a) })},
		{Key: "inner-sign", Hint: 2, Message: "The points with t = 0 come in with the wrong sign: the inner derivative of ln(1−y) is −1, and there is a minus in front already.",
			Answer: pulling(func(a, t float64) float64 { return -t*kernel.Sigmoid(-a) - (1-t)*kernel.Sigmoid(a) })},
		{Key: "target-left-out", Hint: 2, Message: "The targets are not in your sum: y times φ, where (y−t) times φ belongs.",
			Answer: pulling(func(a, _ float64) float64 { return kernel.Sigmoid(a) })},
		{Key: "absolute", Hint: 2, Message: "Your residuals have lost their signs. Points of the two classes pull in opposite directions.",
			Answer: pulling(func(a, t float64) float64 { return math.Abs(twoclass.Residual(a, t)) })},
		{Key: "features-left-out", Hint: 2, Message: "All entries are Σ(y−t). Each residual is multiplied by the features of its point, which is what a = wᵀφ contributes to the chain.",
			Answer: twoclass.Logistic.ButGradient(func(g []float64, p problem) {
				clear(g)
				floats.AddConst(twoclass.Sum(twoclass.Residual, p.W, p.Phi, p.T), g)
			})},
		{Key: "last-row", Answer: twoclass.Logistic.Rows(-1, -1), Hint: 3, Message: "Only the last data point is in your sum: each one replaces the one before."},
		{Key: "first-row", Answer: twoclass.Logistic.Rows(0, 0), Hint: 3, Message: "Only the first data point is in your sum. Does the loop return too early?"},
		{Key: "row-forgotten", Answer: twoclass.Logistic.Rows(0, -2), Hint: 3, Message: "The last data point is not in your sum: does the loop stop one too early?"},
		{Key: "row-forgotten", Answer: twoclass.Logistic.Rows(1, -1), Hint: 3, Message: "The first data point is not in your sum: indices begin at 0."},
		{Key: "bias-forgotten", Hint: 3, Message: "The first entry is 0 and the others are right. A bias is a weight like any other here: its column of Φ is there, and its derivative too.",
			Answer: twoclass.Logistic.ButGradient(func(g []float64, _ problem) { g[0] = 0 })},
		{Key: "bias-forgotten", Hint: 3, Message: "The first weight is left out of your activations. All columns of Φ count, a column of ones too.",
			Answer: func(w []float64, Phi *mat.Dense, t []float64) []float64 {
				return pulling(twoclass.Residual)(append([]float64{0}, w[1:]...), Phi, t)
			}},
		{Key: "zero", Answer: pulling(func(float64, float64) float64 { return 0 }), Hint: 3, Message: "All entries are 0. Was the result never written to?"},
		{Key: "transposed", Hint: 3, Message: "Φ is transposed: with N = M the shapes still fit. Row n of Φ belongs to data point n, and entry j of the gradient collects column j.",
			Answer: twoclass.Logistic.ButGradient(func(g []float64, p problem) {
				if len(p.T) == len(p.W) {
					r := instance.Activations(p.Phi, p.W)
					for i, a := range r {
						r[i] = twoclass.Residual(a, p.T[i])
					}
					copy(g, instance.Activations(p.Phi, r))
				}
			})},
	},
}

var askOutput = &judge.Question[linkFunc, output]{
	Func: "ByOutput", Name: "ByOutput", Key: "output", Hint: 2,
	Ask:   func(f linkFunc, _ *judge.Call, s output) []float64 { return []float64{f(s.y, s.t)} },
	Right: func(s output) []float64 { return []float64{fractions(s.y, s.t)} },
	Mistakes: []judge.Mistake[linkFunc]{
		{Key: "inner-sign", Hint: 2, Message: "For t = 0 the sign is turned: the inner derivative of ln(1−y), a factor −1, is missing.",
			Answer: func(y, t float64) float64 { return -t/y - (1-t)/(1-y) }},
		{Key: "first-term", Answer: func(y, t float64) float64 { return -t / y }, Hint: 2, Message: "Only the term with t is there; the one with 1−t has vanished, so that points with t = 0 have no say."},
		{Key: "residual", Answer: func(y, t float64) float64 { return y - t }, Hint: 2, Message: "This is y − t: the denominator y(1−y) is missing. It cancels one link later, against dy/da."},
		{Key: "multiplied", Hint: 2, Message: "y(1−y) multiplies where it should divide: it is the common denominator of the two fractions.",
			Answer: func(y, t float64) float64 { return (y - t) * y * (1 - y) }},
		{Key: "not-differentiated", Hint: 1, Message: "This is the error of the point itself, not its derivative.",
			Answer: func(y, t float64) float64 { return -t*math.Log(y) - (1-t)*math.Log(1-y) }},
		{Key: "wrong-side", Answer: func(y, t float64) float64 { return (1-t)/y - t/(1-y) }, Hint: 2, Message: "The two denominators are exchanged: t stands with ln y, and 1−t with ln(1−y)."},
	},
}

var askActivation = &judge.Question[linkFunc, activation]{
	Func: "ByActivation", Name: "ByActivation", Key: "activation", Hint: 2,
	Ask:   func(f linkFunc, _ *judge.Call, s activation) []float64 { return []float64{f(s.a, s.t)} },
	Right: func(s activation) []float64 { return []float64{twoclass.Residual(s.a, s.t)} },
	Unit:  func(activation, []float64) []float64 { return []float64{1} },
	Mistakes: []judge.Mistake[linkFunc]{
		{Key: "squared-error", Hint: 2, Message: "A factor y(1−y) is too much: this is the derivative of the squared error ½(y−t)². For the cross-entropy that factor cancels.",
			Answer: func(a, t float64) float64 { return twoclass.Residual(a, t) * twoclass.Prime(a) }},
		{Key: "by-output", Hint: 2, Message: "This is the derivative with respect to y. The next link, dy/da = y(1−y), is missing.",
			Answer: func(a, t float64) float64 { return twoclass.Residual(a, t) / twoclass.Prime(a) }},
		{Key: "target-lost", Answer: func(a, _ float64) float64 { return kernel.Sigmoid(a) }, Hint: 2, Message: "The target is lost: this is y, whatever t is."},
		{Key: "no-sigmoid", Answer: func(a, t float64) float64 { return a - t }, Hint: 1, Message: "This is a − t, the residual of a linear model. The output is σ(a)."},
		{Key: "slope", Answer: func(a, _ float64) float64 { return twoclass.Prime(a) }, Hint: 2, Message: "This is dy/da, the middle link alone."},
		{Key: "plus-minus-one", Hint: 2, Message: "The targets were taken for −1 and 1. They are 0 and 1.",
			Answer: func(a, t float64) float64 { return kernel.Sigmoid(a) - (2*t - 1) }},
	},
}

func fractions(y, t float64) float64 { return (1-t)/(1-y) - t/y }

var pulling = twoclass.Pulling

func init() {
	judge.Known(exercise, ask, Check)
	judge.Known(exercise, askOutput, func(f linkFunc) *verify.Report { return CheckSteps(f, twoclass.Residual) })
	judge.Known(exercise, askActivation, func(f linkFunc) *verify.Report { return CheckSteps(fractions, f) })
}

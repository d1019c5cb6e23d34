package ex15

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	hessianFunc   = func(w []float64, Phi *mat.Dense) *mat.Dense
	directionFunc = func(Phi *mat.Dense) (u []float64, ok bool)
	weightFunc    = func(a float64) float64
	curvatureFunc = func(u, w []float64, Phi *mat.Dense) float64
)

var askHessian = &judge.Question[hessianFunc, problem]{
	Func: "Hessian", Name: "Hessian", Hint: 3, Right: func(p problem) []float64 { return logistic.Hessian(p.Problem) },
	Ask: func(hessian hessianFunc, c *judge.Call, p problem) []float64 {
		h := hessian(c.Slice("w", p.W), c.Dense("Phi", p.Phi))
		m := len(p.W)
		if h != nil && !h.IsEmpty() {
			switch r, k := h.Dims(); {
			case r == k && r == len(p.T) && r != m:
				c.Say(judge.Fail("n-by-n", 2,
					"For %v you returned an N×N matrix, one row per data point: a product in the order Φ…Φᵀ. The second derivatives are with respect to the M weights.", p))
			case r == m && k == m && math.IsNaN(mat.Sum(h)-mat.Sum(h)) && p.Reach() > 30:
				c.Say(judge.Fail("overflow", 3,
					"For %v your matrix holds numbers that are not finite. In e^a/(1+e^a), and in e^−a/(1+e^−a)², the exponential overflows to Inf for |a| > 709 on one side, and Inf/Inf is NaN. Both σ(a) and 1−σ(a) can be written so that exp only sees numbers below 0.", p))
			}
		}
		return c.Matrix("Hessian", h, m, m, "M×M")
	},
	Unit: func(p problem, _ []float64) []float64 { return p.Scale().Units() },
	Family: func(p problem, h []float64) *verify.Verdict {
		return judge.FailIf(p.Scale().Ridge(h, logistic.Hessian(p.Problem)), "prior", 2,
			"A multiple of the identity is added to the Hessian: the second derivative of a Gaussian prior, or a help against singular matrices. E in (4.90) has no such term, and it would hide flat directions.")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 2,
		Message: "Nearly: for {problem} you are {off}. Are these differences of the gradient, rounded numbers, or an approximation of σ? The formula is exact."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your matrix is the Hessian times one number. E in (4.90) has no factor in front of its sum."},
	Mistakes: []judge.Mistake[hessianFunc]{
		{Key: "negative", Answer: weighting(func(a float64) float64 { return -prime(a) }), Hint: 1,
			Message: "Your matrix is the negative of the Hessian of E: that of the log likelihood, or a formula adapted to the words of PRML, which calls E concave after (4.98) and in this exercise. That is a misprint: E = −ln p(t|w) curves upwards, it is convex, and has a minimum, not a maximum."},
		{Key: "weights-left-out", Answer: weighting(func(float64) float64 { return 1 }), Hint: 2,
			Message: "This is ΦᵀΦ, the Hessian of the sum of squares (4.94): the weights R are left out. Which factor does the sigmoid add when ∇E is differentiated once more?"},
		{Key: "y-squared", Answer: weighting(func(a float64) float64 { return math.Pow(kernel.Sigmoid(a), 2) }),
			Hint: 2, Message: "Each point is weighted with y². The derivative of the sigmoid is not the square of it."},
		{Key: "y-only", Answer: weighting(kernel.Sigmoid), Hint: 2,
			Message: "Each point is weighted with y alone: half of the derivative of the sigmoid is missing."},
		{Key: "one-minus-y", Answer: weighting(func(a float64) float64 { return kernel.Sigmoid(-a) }), Hint: 2,
			Message: "Each point is weighted with 1−y alone: half of the derivative of the sigmoid is missing."},
		{Key: "one-minus-y-squared",
			Answer: weighting(func(a float64) float64 { return math.Pow(kernel.Sigmoid(-a), 2) }), Hint: 2,
			Message: "Each point is weighted with (1−y)². The derivative of the sigmoid is a product of two different factors."},
		{Key: "one-plus-y",
			Answer: weighting(func(a float64) float64 { return kernel.Sigmoid(a) * (1 + kernel.Sigmoid(a)) }), Hint: 2,
			Message: "Each point is weighted with y(1+y). Check the sign in the derivative of the sigmoid: it must vanish where y reaches 1."},
		{Key: "weights-squared", Answer: weighting(func(a float64) float64 { return prime(a) * prime(a) }), Hint: 3,
			Message: "R comes in twice: (RΦ)ᵀ(RΦ) weights each point with the square of y(1−y). If both factors shall share the weights, each takes the root."},
		{Key: "root-of-weights", Answer: weighting(func(a float64) float64 { return math.Sqrt(prime(a)) }), Hint: 3,
			Message: "Each point is weighted with the square root of y(1−y): the root belongs into both factors of the product, or into none."},
		{Key: "sigmoid-left-out", Answer: weighting(func(a float64) float64 { return a * (1 - a) }), Hint: 2,
			Message: "Each point is weighted with a(1−a): the activation a = wᵀφ was taken for the output y = σ(a)."},
		{Key: "uses-targets",
			Answer: weighting(func(a float64) float64 { return math.Pow(kernel.Sigmoid(-math.Abs(a)), 2) }), Hint: 2,
			Message: "Each point is weighted with (y−t)², where t is y rounded to 0 or 1. Products of gradients resemble the Hessian on average; the second derivatives do not depend on targets at all."},
		{Key: "quarter", Answer: weighting(func(float64) float64 { return 0.25 }), Hint: 2,
			Message: "This is ¼ΦᵀΦ, an upper bound on the Hessian (y(1−y) is ¼ at y = ½) that some algorithms use in its place. Return the Hessian itself, at w."},
		{Key: "probit", Answer: weighting(kernel.NormPDF), Hint: 2,
			Message: "Each point is weighted with the normal density at a: the derivative of Φ(a), not that of σ(a)."},
		{Key: "zero-matrix", Answer: weighting(func(float64) float64 { return 0 }), Hint: 2,
			Message: "All entries are 0. Weights t(1−t), or y(1−y) with rounded outputs, vanish; the outputs y lie strictly between 0 and 1. Or was the result never written?"},
		{Key: "last-row", Answer: but(logistic.Rest(-1, -1)), Hint: 3,
			Message: "Only the last data point is in your matrix: each one replaces the one before. The terms of all points are added."},
		{Key: "first-row", Answer: but(logistic.Rest(0, 0)), Hint: 3,
			Message: "Only the first data point is in your matrix. Does the loop return too early?"},
		{Key: "diagonal-only", Answer: but(twoclass.Keep(func(i, j int) bool { return i == j })), Hint: 3,
			Message: "The diagonal is right and all the rest is 0. The mixed second derivatives, products of two different features, belong to the Hessian too."},
		{Key: "one-triangle", Answer: but(twoclass.Keep(func(i, j int) bool { return i <= j })), Hint: 3,
			Message: "The upper triangle is right and the lower one is 0: a *mat.Dense does not mirror it. Fill both, or use a mat.SymDense on the way."},
		{Key: "one-triangle", Answer: but(twoclass.Keep(func(i, j int) bool { return i >= j })), Hint: 3,
			Message: "The lower triangle is right and the upper one is 0: a *mat.Dense does not mirror it. Fill both, or use a mat.SymDense on the way."},
		{Key: "averaged", Answer: but(func(h *mat.Dense, p twoclass.Problem) { h.Scale(1/float64(len(p.T)), h) }),
			Hint:    2,
			Message: "Your matrix is divided by N. E in (4.90) is the sum over the data, not the mean, and so is its Hessian."},
		{Key: "averaged", Hint: 2,
			Message: "Your matrix is divided by N − 1. E in (4.90) is a sum over the data, not a mean; and N − 1 belongs to an unbiased variance.",
			Answer:  but(func(h *mat.Dense, p twoclass.Problem) { h.Scale(1/math.Max(1, float64(len(p.T)-1)), h) })},
		{Key: "n-by-n", Hint: 2,
			Message: "This is a product in the order Φ…Φᵀ, with one row per data point; only because N = M does it have the right shape.",
			Answer: but(func(h *mat.Dense, p twoclass.Problem) {
				if len(p.T) == len(p.W) {
					a := instance.Activations(p.Phi, p.W)
					h.Mul(p.Phi, p.Phi.T())
					h.Apply(func(i, j int, v float64) float64 { return v * math.Sqrt(prime(a[i])*prime(a[j])) }, h)
				}
			})},
	},
}

// askNull turns an answer of NullDirection into two numbers: whether there is a direction, and how
// much it moves the activations.
var askNull = &judge.Question[directionFunc, problem]{
	Func: "NullDirection", Name: "NullDirection", Hint: 3,
	Ask: func(nullDirection directionFunc, c *judge.Call, p problem) []float64 {
		u, ok := nullDirection(c.Dense("Phi", p.Phi))
		switch {
		case !ok:
			return []float64{0, 0}
		case p.null == nil:
			return []float64{1, 0}
		}
		n, m := p.Phi.Dims()
		if len(u) == n && n != m {
			c.Say(judge.Fail("left-null", 3,
				"With %v your u has one entry per data point: it combines rows. A direction of w has one entry per column of Φ.", p))
		}
		if c.Vector("u", u, m, "column of Φ") == nil {
			return nil
		}
		if floats.Norm(u, math.Inf(1)) == 0 {
			c.Say(judge.Fail("zero-vector", 2,
				"With %v you returned u = 0. Standing still changes nothing; that is no direction.", p))
			return nil
		}
		return []float64{1, p.moved(u)}
	},
	Right: func(p problem) []float64 {
		if p.null == nil {
			return []float64{0, 0}
		}
		return []float64{1, 0}
	},
	Family: func(p problem, got []float64) *verify.Verdict {
		switch {
		case p.null == nil && p.Scaled:
			return judge.Fail("absolute-threshold", 3,
				"Φ with %v has independent columns, and you report a flat direction. Is a singular value or a determinant compared with a fixed number? Small is what is small against the largest singular value.", p)
		case p.null != nil && got[0] == 0:
			return judge.Fail("missed", 3,
				"With %v there is a direction along which E is constant, and you report none. %s", p, missed(p))
		}
		return nil
	},
	Mistakes: []judge.Mistake[directionFunc]{
		{Key: "always-ok", Hint: 2,
			Message: "You report a flat direction for every Φ, also where the columns are independent and every direction changes some activation.",
			Answer:  func(Phi *mat.Dense) ([]float64, bool) { u, _ := singular(Phi, -1); return u, true }},
		{Key: "never-ok", Answer: func(*mat.Dense) ([]float64, bool) { return nil, false }, Hint: 2,
			Message: "You report no flat direction for any Φ, also where a column occurs twice. Along which u does no activation change there?"},
		{Key: "counts-only", Hint: 2,
			Message: "You report a flat direction exactly where there are fewer points than weights. Columns can depend on each other with any number of points, for instance with {problem}.",
			Answer: func(Phi *mat.Dense) ([]float64, bool) {
				u, _ := singular(Phi, -1)
				return u, Phi.RawMatrix().Rows < len(u)
			}},
		{Key: "wrong-end", Answer: func(Phi *mat.Dense) ([]float64, bool) { return singular(Phi, 0) }, Hint: 3,
			Message: "With {problem} your u is the direction that changes the activations most. Which end of the list holds the smallest singular value (or eigenvalue)? mat.SVD sorts them falling, mat.EigenSym rising."},
		{Key: "left-null", Hint: 3,
			Message: "With {problem} your u combines the rows, not the columns. Was U taken for V, or ΦΦᵀ for ΦᵀΦ?",
			Answer: func(Phi *mat.Dense) ([]float64, bool) {
				if n, m := Phi.Dims(); n == m {
					return singular(mat.DenseCopyOf(Phi.T()), -1)
				}
				return singular(Phi, -1)
			}},
	},
}

var askWeight = &judge.Question[weightFunc, activation]{
	Func: "Weight", Name: "Weight", Key: "weight", Hint: 2,
	Ask:   func(f weightFunc, _ *judge.Call, a activation) []float64 { return []float64{f(float64(a))} },
	Right: func(a activation) []float64 { return []float64{prime(float64(a))} },
	Unit:  func(activation, []float64) []float64 { return []float64{1} },
	Mistakes: []judge.Mistake[weightFunc]{
		{Key: "output", Answer: kernel.Sigmoid, Hint: 2,
			Message: "This is y, the first derivative for t = 0. One more derivative is asked for."},
		{Key: "y-squared", Answer: func(a float64) float64 { return math.Pow(kernel.Sigmoid(a), 2) }, Hint: 2,
			Message: "This is y². The derivative of σ is y(1−y)."},
		{Key: "first-derivative", Answer: func(a float64) float64 { return -kernel.Sigmoid(-a) }, Hint: 2,
			Message: "This is y − 1, the first derivative for t = 1. One more derivative is asked for, in which no target is left."},
		{Key: "squared-weight", Answer: func(a float64) float64 { return prime(a) * prime(a) }, Hint: 2,
			Message: "This is the square of y(1−y): one factor too many. The first derivative of the error is y − t, with no y(1−y) in it."},
		{Key: "plus", Answer: func(a float64) float64 { return kernel.Sigmoid(a) * (1 + kernel.Sigmoid(a)) }, Hint: 2,
			Message: "This is y(1+y): the sign in the derivative of σ is turned."},
		{Key: "third", Answer: func(a float64) float64 { return prime(a) * (1 - 2*kernel.Sigmoid(a)) }, Hint: 2,
			Message: "This is the second derivative of σ, and so the third of the error: it was differentiated once too often."},
	},
}

var askCurvature = &judge.Question[curvatureFunc, bend]{
	Func: "Curvature", Name: "Curvature", Key: "curvature", Hint: 2, Right: bend.curvature,
	Ask: func(f curvatureFunc, c *judge.Call, b bend) []float64 {
		return []float64{f(c.Slice("u", b.u), c.Slice("w", b.W), c.Dense("Phi", b.Phi))}
	},
	Unit: func(b bend, _ []float64) []float64 { return []float64{b.size()} },
	Mistakes: []judge.Mistake[curvatureFunc]{
		{Key: "unweighted", Answer: total(func(_, s float64) float64 { return s * s }), Hint: 2,
			Message: "The weights y(1−y) are missing: this is |Φu|², the curvature of least squares."},
		{Key: "not-squared", Answer: total(func(a, s float64) float64 { return prime(a) * s }), Hint: 2,
			Message: "uᵀφ stands there once. It comes twice, from the left and from the right of φφᵀ, and so squared."},
		{Key: "weight-squared", Answer: total(func(a, s float64) float64 { return math.Pow(prime(a)*s, 2) }), Hint: 2,
			Message: "The weight is squared together with uᵀφ. It comes in once."},
		{Key: "absolute", Answer: total(func(a, s float64) float64 { return prime(a) * math.Abs(s) }), Hint: 2,
			Message: "The size of uᵀφ stands where its square belongs."},
		{Key: "square-of-sum", Hint: 2,
			Message: "This is the square of a sum over the points. Each point has a square of its own, and these are summed: positive and negative uᵀφ must not cancel.",
			Answer: func(u, w []float64, Phi *mat.Dense) float64 {
				return math.Pow(total(func(a, s float64) float64 { return math.Sqrt(prime(a)) * s })(u, w, Phi), 2)
			}},
		{Key: "half", Answer: total(func(a, s float64) float64 { return prime(a) * s * s / 2 }), Hint: 2,
			Message: "This is ½uᵀHu, the second-order term of a Taylor series. The second derivative itself has no ½."},
		{Key: "averaged", Hint: 2, Message: "The sum over the points is divided by N. E is a sum, not a mean.",
			Answer: func(u, w []float64, Phi *mat.Dense) float64 {
				return curvature(u, w, Phi) / float64(Phi.RawMatrix().Rows)
			}},
		{Key: "along-w", Answer: func(_, w []float64, Phi *mat.Dense) float64 { return curvature(w, w, Phi) }, Hint: 2,
			Message: "This is wᵀHw: the direction u is not used."},
	},
}

// weighting makes a Hessian, the right one and most mistakes, and total makes its curvature. but
// changes the right Hessian.
var (
	weighting = twoclass.Untargeted
	total     = twoclass.Curvature
	curvature = total(func(a, s float64) float64 { return prime(a) * s * s })
)

func but(change func(h *mat.Dense, p twoclass.Problem)) hessianFunc {
	return func(w []float64, Phi *mat.Dense) *mat.Dense {
		return logistic.ButHessian(change)(w, Phi, make([]float64, Phi.RawMatrix().Rows))
	}
}

// singular returns right singular vector k, counted from the largest singular value (−1 is the
// last), and whether the columns are dependent.
func singular(Phi *mat.Dense, k int) (v []float64, dependent bool) {
	var svd mat.SVD
	var all mat.Dense
	svd.Factorize(Phi, mat.SVDFullV)
	svd.VTo(&all)
	_, m := Phi.Dims()
	return mat.Col(nil, (k+m)%m, &all), svd.Rank(1e-10) < m
}

func init() {
	right := func(Phi *mat.Dense) ([]float64, bool) { return singular(Phi, -1) }
	judge.Known(exercise, askHessian, func(f hessianFunc) *verify.Report { return Check(f, right) })
	judge.Known(exercise, askNull, func(f directionFunc) *verify.Report { return Check(weighting(prime), f) })
	judge.Known(exercise, askWeight, func(f weightFunc) *verify.Report { return CheckSteps(f, curvature) })
	judge.Known(exercise, askCurvature, func(f curvatureFunc) *verify.Report { return CheckSteps(prime, f) })
}

// missed explains what the search needs to find this direction.
func missed(p problem) string {
	if mat.Norm(p.Phi, 1) == 0 {
		return "All singular values are 0 there, the largest, too: is one that equals your limit small enough?"
	}
	if n, m := p.Phi.Dims(); n < m {
		return "With fewer points than weights there always is one, even if no singular value that you see is 0."
	}
	return "What do you take for 0? Whole columns may depend on each other, and rounding leaves a little where 0 belongs: a little beside the largest singular value."
}

package ex15

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
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
					"For %v you returned an N×N matrix, with one row per data point, as Φ…Φᵀ has. The second derivatives are with respect to the M weights.", p))
			case r == m && k == m && math.IsNaN(mat.Sum(h)-mat.Sum(h)) && p.Reach() > 30:
				c.Say(judge.Fail("overflow", 3,
					"For %v some entries of your matrix are not finite. In e^a/(1+e^a) and e^−a/(1+e^−a)² the exponential overflows for |a| > 709 on one side, and Inf/Inf is NaN. Write σ(a) and 1−σ(a) with exponentials of negative numbers only.", p))
			}
		}
		return c.Matrix("Hessian", h, m, m, "M×M")
	},
	Unit: func(p problem, _ []float64) []float64 { return p.Scale().Units() },
	Family: func(p problem, h []float64) *verify.Verdict {
		return judge.FailIf(p.Scale().Ridge(h, logistic.Hessian(p.Problem)), "prior", 2,
			"You add a multiple of the identity to the Hessian, as for a Gaussian prior or against singular matrices. E in (4.90) has no such term, and it would hide flat directions.")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 2,
		Message: "Nearly: for {problem} your Hessian is {off}. Use the exact formula; differences of the gradient, rounded numbers or an approximation of σ are not accurate enough."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your matrix is the Hessian times a constant factor. E in (4.90) has no factor in front of the sum."},
	Mistakes: []judge.Mistake[hessianFunc]{
		{Key: "negative", Answer: weighting(func(a float64) float64 { return -prime(a) }), Hint: 1,
			Message: "Your matrix is the negative Hessian of E, which is the Hessian of the log likelihood. PRML calls E concave after (4.98) and in this exercise, but this is a misprint: E = −ln p(t|w) is convex."},
		{Key: "weights-left-out", Answer: weighting(func(float64) float64 { return 1 }), Hint: 2,
			Message: "This is ΦᵀΦ, the Hessian of the sum of squares (4.94). The weights R are missing: differentiating ∇E also differentiates the sigmoid, which adds the factor y(1−y)."},
		{Key: "y-squared", Answer: weighting(func(a float64) float64 { return math.Pow(kernel.Sigmoid(a), 2) }),
			Hint: 2, Message: "You weight each point with y². The derivative of the sigmoid is y(1−y)."},
		{Key: "y-only", Answer: weighting(kernel.Sigmoid), Hint: 2,
			Message: "You weight each point with y alone. The factor 1−y of the derivative of the sigmoid is missing."},
		{Key: "one-minus-y", Answer: weighting(func(a float64) float64 { return kernel.Sigmoid(-a) }), Hint: 2,
			Message: "You weight each point with 1−y alone. The factor y of the derivative of the sigmoid is missing."},
		{Key: "one-minus-y-squared",
			Answer: weighting(func(a float64) float64 { return math.Pow(kernel.Sigmoid(-a), 2) }), Hint: 2,
			Message: "You weight each point with (1−y)². The derivative of the sigmoid is a product of two different factors."},
		{Key: "one-plus-y",
			Answer: weighting(func(a float64) float64 { return kernel.Sigmoid(a) * (1 + kernel.Sigmoid(a)) }), Hint: 2,
			Message: "You weight each point with y(1+y). The derivative of the sigmoid must vanish where y approaches 1, so the second factor has the wrong sign."},
		{Key: "weights-squared", Answer: weighting(func(a float64) float64 { return prime(a) * prime(a) }), Hint: 3,
			Message: "You use R twice: (RΦ)ᵀ(RΦ) weights each point with the square of y(1−y). Multiply one factor by R, or both by the square root of R."},
		{Key: "root-of-weights", Answer: weighting(func(a float64) float64 { return math.Sqrt(prime(a)) }), Hint: 3,
			Message: "You weight each point with the square root of y(1−y). Multiply both factors of the product by the root, or one factor by y(1−y)."},
		{Key: "sigmoid-left-out", Answer: weighting(func(a float64) float64 { return a * (1 - a) }), Hint: 2,
			Message: "You weight each point with a(1−a). Use the output y = σ(a), not the activation a = wᵀφ."},
		{Key: "uses-targets",
			Answer: weighting(func(a float64) float64 { return math.Pow(kernel.Sigmoid(-math.Abs(a)), 2) }), Hint: 2,
			Message: "You weight each point with (y−t)², where t is y rounded to 0 or 1. Products of gradients approximate the Hessian only on average; it does not depend on targets."},
		{Key: "quarter", Answer: weighting(func(float64) float64 { return 0.25 }), Hint: 2,
			Message: "This is ¼ΦᵀΦ, an upper bound on the Hessian (y(1−y) is ¼ at y = ½) that some algorithms use in its place. Return the Hessian itself, at w."},
		{Key: "probit", Answer: weighting(kernel.NormPDF), Hint: 2,
			Message: "You weight each point with the normal density at a, the derivative of Φ(a). Use the derivative of σ(a)."},
		{Key: "zero-matrix", Answer: weighting(func(float64) float64 { return 0 }), Hint: 2,
			Message: "All your entries are 0. t(1−t), and y(1−y) with rounded outputs, are 0; use the unrounded y. Also check that you write to the matrix that you return."},
		{Key: "last-row", Answer: but(logistic.Rest(-1, -1)), Hint: 3,
			Message: "Your matrix contains only the last data point, because each point replaces the previous one. Add the terms of all points."},
		{Key: "first-row", Answer: but(logistic.Rest(0, 0)), Hint: 3,
			Message: "Your matrix contains only the first data point. Your loop returns too early."},
		{Key: "diagonal-only", Answer: but(twoclass.Keep(func(i, j int) bool { return i == j })), Hint: 3,
			Message: "Your diagonal is right, but all other entries are 0. They are the mixed second derivatives, with products of two different features."},
		{Key: "one-triangle", Answer: but(twoclass.Keep(func(i, j int) bool { return i <= j })), Hint: 3,
			Message: "The upper triangle is right, but the lower one is 0. A *mat.Dense does not mirror entries, so fill both triangles, or copy from a mat.SymDense."},
		{Key: "one-triangle", Answer: but(twoclass.Keep(func(i, j int) bool { return i >= j })), Hint: 3,
			Message: "The lower triangle is right, but the upper one is 0. A *mat.Dense does not mirror entries, so fill both triangles, or copy from a mat.SymDense."},
		{Key: "averaged", Answer: but(func(h *mat.Dense, p twoclass.Problem) { h.Scale(1/float64(len(p.T)), h) }),
			Hint:    2,
			Message: "You divide the matrix by N. E in (4.90) is a sum over the data, not a mean, and so is its Hessian."},
		{Key: "averaged", Hint: 2,
			Message: "You divide the matrix by N − 1. E in (4.90) is a sum over the data, not a mean. N − 1 belongs to an unbiased variance.",
			Answer:  but(func(h *mat.Dense, p twoclass.Problem) { h.Scale(1/math.Max(1, float64(len(p.T)-1)), h) })},
		{Key: "n-by-n", Hint: 2,
			Message: "This is a product Φ…Φᵀ, with one row per data point. It has the right shape only because N = M.",
			Answer: but(func(h *mat.Dense, p twoclass.Problem) {
				if len(p.T) == len(p.W) {
					a := instance.Activations(p.Phi, p.W)
					h.Mul(p.Phi, p.Phi.T())
					h.Apply(func(i, j int, v float64) float64 { return v * math.Sqrt(prime(a[i])*prime(a[j])) }, h)
				}
			})},
	},
}

// askNull converts a result of NullDirection into two numbers: whether a direction is reported, and
// how much u changes the activations.
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
				"For %v your u has one entry per data point, so it combines rows. A direction of w has one entry per column of Φ.", p))
		}
		if c.Vector("u", u, m, "column of Φ") == nil {
			return nil
		}
		if floats.Norm(u, math.Inf(1)) == 0 {
			c.Say(judge.Fail("zero-vector", 2,
				"For %v you returned u = 0, which is not a direction.", p))
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
				"For %v Φ has independent columns, but you report a flat direction. Compare singular values with the largest singular value, not with a fixed number.", p)
		case p.null != nil && got[0] == 0:
			return judge.Fail("missed", 3,
				"For %v there is a direction along which E is constant, but you report none. %s", p, missed(p))
		}
		return nil
	},
	Mistakes: []judge.Mistake[directionFunc]{
		{Key: "always-ok", Hint: 2,
			Message: "You report a flat direction for every Φ, even where the columns are independent and every direction changes some activation.",
			Answer:  func(Phi *mat.Dense) ([]float64, bool) { u, _ := singular(Phi, -1); return u, true }},
		{Key: "never-ok", Answer: func(*mat.Dense) ([]float64, bool) { return nil, false }, Hint: 2,
			Message: "You report no flat direction for any Φ, even where a column occurs twice. There u = 1 for one copy and −1 for the other changes no activation."},
		{Key: "counts-only", Hint: 2,
			Message: "You report a flat direction exactly where there are fewer points than weights. Columns can be dependent with any number of points, for example for {problem}.",
			Answer: func(Phi *mat.Dense) ([]float64, bool) {
				u, _ := singular(Phi, -1)
				return u, Phi.RawMatrix().Rows < len(u)
			}},
		{Key: "wrong-end", Answer: func(Phi *mat.Dense) ([]float64, bool) { return singular(Phi, 0) }, Hint: 3,
			Message: "For {problem} your u is the direction that changes the activations most. Use the smallest singular value (or eigenvalue): mat.SVD lists it last, and mat.EigenSym lists it first."},
		{Key: "left-null", Hint: 3,
			Message: "For {problem} your u combines the rows, not the columns. Use V instead of U, or ΦᵀΦ instead of ΦΦᵀ.",
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
			Message: "This is y, the first derivative for t = 0. Differentiate once more."},
		{Key: "y-squared", Answer: func(a float64) float64 { return math.Pow(kernel.Sigmoid(a), 2) }, Hint: 2,
			Message: "This is y². The derivative of σ is y(1−y)."},
		{Key: "first-derivative", Answer: func(a float64) float64 { return -kernel.Sigmoid(-a) }, Hint: 2,
			Message: "This is y − 1, the first derivative for t = 1. Differentiate once more; the second derivative does not depend on the target."},
		{Key: "squared-weight", Answer: func(a float64) float64 { return prime(a) * prime(a) }, Hint: 2,
			Message: "This is the square of y(1−y). The first derivative of the error is y − t, which contains no y(1−y)."},
		{Key: "plus", Answer: func(a float64) float64 { return kernel.Sigmoid(a) * (1 + kernel.Sigmoid(a)) }, Hint: 2,
			Message: "This is y(1+y). The derivative of σ is y(1−y)."},
		{Key: "third", Answer: func(a float64) float64 { return prime(a) * (1 - 2*kernel.Sigmoid(a)) }, Hint: 2,
			Message: "This is the second derivative of σ, which is the third derivative of the error. Differentiate once less."},
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
			Message: "This is |Φu|², the curvature of least squares. The weights y(1−y) are missing."},
		{Key: "not-squared", Answer: total(func(a, s float64) float64 { return prime(a) * s }), Hint: 2,
			Message: "Your terms contain uᵀφ instead of its square. uᵀφφᵀu = (uᵀφ)²."},
		{Key: "weight-squared", Answer: total(func(a, s float64) float64 { return math.Pow(prime(a)*s, 2) }), Hint: 2,
			Message: "You square the weight together with uᵀφ. Square only uᵀφ."},
		{Key: "absolute", Answer: total(func(a, s float64) float64 { return prime(a) * math.Abs(s) }), Hint: 2,
			Message: "Your terms contain |uᵀφ| in place of its square."},
		{Key: "square-of-sum", Hint: 2,
			Message: "This is the square of a sum over the points. Sum the squares instead: positive and negative uᵀφ must not cancel.",
			Answer: func(u, w []float64, Phi *mat.Dense) float64 {
				return math.Pow(total(func(a, s float64) float64 { return math.Sqrt(prime(a)) * s })(u, w, Phi), 2)
			}},
		{Key: "half", Answer: total(func(a, s float64) float64 { return prime(a) * s * s / 2 }), Hint: 2,
			Message: "This is ½uᵀHu, the second-order term of a Taylor series. The second derivative itself has no ½."},
		{Key: "averaged", Hint: 2, Message: "You divide the sum over the points by N. E is a sum, not a mean.",
			Answer: func(u, w []float64, Phi *mat.Dense) float64 {
				return curvature(u, w, Phi) / float64(Phi.RawMatrix().Rows)
			}},
		{Key: "along-w", Answer: func(_, w []float64, Phi *mat.Dense) float64 { return curvature(w, w, Phi) }, Hint: 2,
			Message: "This is wᵀHw. Use the direction u."},
	},
}

// weighting returns the Hessian for given weights of the points; it computes the right Hessian and
// most mistakes. total returns the corresponding curvature. but applies change to the right
// Hessian.
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

// singular returns right singular vector k, where vector 0 belongs to the largest singular value
// and −1 is the last. It also reports whether the columns are dependent.
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

// missed returns advice for a search that did not find the flat direction of p.
func missed(p problem) string {
	if mat.Norm(p.Phi, 1) == 0 {
		return "All singular values are 0, including the largest, so a singular value equal to your limit must count as 0."
	}
	if n, m := p.Phi.Dims(); n < m {
		return "With fewer points than weights a flat direction always exists, even if no listed singular value is 0."
	}
	return "It may combine many columns, and a column of zeros has one of its own. If you look for it with singular values, treat a value as 0 if it is tiny relative to the largest one, because rounding leaves a small number in place of 0."
}

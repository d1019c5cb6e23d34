// Package ex08 judges PRML exercise 4.8: for two Gaussian classes with one
// covariance matrix the posterior probability is a sigmoid of a linear function.
package ex08

import (
	"embed"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges the function `posterior` of PRML exercise 4.8. `posterior` returns w, of length D, and w0
// such that p(C1|x) = σ(wᵀx + w0). Its arguments are the class means (length D), the shared covariance Sigma (D×D)
// and the prior p1 of class 1.
func Check(posterior func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) (w []float64,
	w0 float64)) *verify.Report {
	return exercise.Judge(slices.Concat(
		bothQuestion.Parts(posterior,
			judge.Form("the result is D weights and a bias, and mu1, mu2 and Sigma stay unchanged", problems, nil,
				judge.Wrong{},
				"You returned D weights and a bias, for D = 1, 2, 3 and 5.")),
		weightsQuestion.Parts(posterior,
			judge.Property[problem]{Name: "w: between two points the log odds change by wᵀ(x − x')", Problems: problems,
				Holds: slopes,
				Wrong: judge.Wrong{Key: "w", Hint: 2,
					Message: "For {problem} your wᵀ(x − x') should be the change in the log odds from the point x' to the point x, but it is {off}."},
				Right: "Between two points the log odds of Bayes' rule change by wᵀ(x − x'). They are linear in x, because the quadratic terms of the two classes cancel."}),
		biasQuestion.Parts(posterior, []judge.Property[problem]{
			{Name: "w0: the log odds at x = 0", Problems: problems, Holds: atZero,
				Wrong: judge.Wrong{Key: "w0", Hint: 2,
					Message: "For {problem} your w0 should be the log odds of Bayes' rule at x = 0, but it is {off}."},
				Right: "Your w0 equals the log odds of Bayes' rule at x = 0."},
			{Name: "w0 with a prior close to 0, and close to 1", Problems: extremes, Extreme: true, Holds: atZero,
				Wrong: judge.Wrong{Key: "limited-prior", Hint: 2,
					Message: "For {problem} your w0 is {off}. Do not clip p1 and do not add a number to it: p1 already lies between 0 and 1."},
				Right: "Your w0 is right for priors p1 from 10⁻³⁰⁰ to the last number below 1."},
		}...),
		bothQuestion.Parts(posterior, []judge.Property[problem]{
			{Name: "σ(wᵀx + w0) is Bayes' rule on the densities", Problems: problems, Holds: bayes,
				Wrong: judge.Wrong{Key: "bayes", Hint: 1,
					Message: "For {problem} your σ(wᵀx + w0) should be the posterior probability p1·N(x|mu1, Sigma)/p(x), computed from both densities, but it is {off}."},
				Right: "Your σ(wᵀx + w0) equals p(C1|x), computed by Bayes' rule from both densities."},
			{Name: "another prior", Problems: problems,
				Precheck: func(p problem, got []float64) *verify.Verdict { return priorFault(p, got, posterior) },
				Right:    "With another prior, only w0 changes. It changes as much as ln{p1/(1−p1)}. The boundary keeps its direction."},
			{Name: "the classes exchanged", Problems: problems,
				Holds:   func(problem, []float64) verify.Finding { return verify.Finding{OK: true} },
				Related: exchanged,
				FromRelated: func(_ problem, answer []float64) []float64 {
					return floats.ScaleTo(make([]float64, len(answer)), -1, answer)
				},
				Wrong: judge.Wrong{Key: "not-antisymmetric", Hint: 2,
					Message: "For {problem}, exchanging the two classes (means and priors) should change w and w0 to −w and −w0, since p(C2|x) = 1 − p(C1|x). At least one of your terms does not change its sign."},
				Right: "Exchanging the classes changes w and w0 to −w and −w0, in agreement with σ(−a) = 1 − σ(a)."},
			{Name: "inputs in small units, and in large ones", Problems: units, Extreme: true, Holds: bayes,
				Wrong: judge.Wrong{Key: "units", Hint: 3,
					Message: "For {problem} your σ(wᵀx + w0) should be p(C1|x), but it is {off}. Do not add a fixed number to Sigma, and do not compare Sigma with a fixed number."},
				Right: "Your result is also right for inputs of the sizes 10⁻⁶ and 10⁶."},
		}...))...)
}

// CheckSteps judges the optional step that expands the exponent: `terms` returns the parts of
// −½(x−mu)ᵀΣ⁻¹(x−mu) that are quadratic in x, linear in x, and constant.
func CheckSteps(terms func(x, mu []float64, Sigma *mat.SymDense) (quadratic, linear, constant float64)) *verify.Report {
	return exercise.JudgeSteps(append(
		termsQuestion.Steps(terms,
			judge.Step[exponent]{Name: "Terms: quadratic, linear and constant part of the exponent",
				Problems: exponents,
				Routes: []judge.Route[exponent]{
					{Name: "the product of the two brackets", Tol: 1e-9, Value: parts},
					{Name: "the exponent at x, −x and 0", Tol: 1e-7, Value: func(e exponent) []float64 {
						// the exponents are large if the means are far from the origin, so the
						// differences between exponents lose digits
						plus, minus, zero := e.value(1), e.value(-1), e.value(0)
						return []float64{(plus-zero)/2 + (minus-zero)/2, (plus - minus) / 2, zero}
					}},
				},
				Right: "Your parts agree with the expanded exponent, and with the values of the exponent at x, −x and 0."}),
		verify.Part{Name: "Terms: the difference between the parts of the two classes", Of: []string{"Terms"},
			Judge: func() verify.Verdict { return checkDifference(terms) }})...)
}

// slopes compares wᵀ(x − x') with the change in the log odds from x' to x. w0 cancels in this
// change.
func slopes(p problem, w []float64) verify.Finding {
	for i := 1; i < len(p.at); i++ {
		f := verify.Close(floats.Dot(w, instance.Minus(p.at[i], p.at[i-1])), p.logOdds(p.at[i])-p.logOdds(p.at[i-1]),
			verify.Tolerance{Abs: logOddsTol * (p.size(p.at[i]) + p.size(p.at[i-1]))})
		if !f.OK {
			return f
		}
	}
	return verify.Finding{OK: true}
}

func atZero(p problem, w0 []float64) verify.Finding {
	return verify.Close(w0[0], p.logOdds(p.origin()), verify.Tolerance{Abs: logOddsTol * p.size(p.origin())})
}

func bayes(p problem, got []float64) verify.Finding {
	d := len(p.mu1)
	for _, x := range p.at {
		one, two := math.Log(p.p1)+p.logDensity(x, p.mu1), math.Log(1-p.p1)+p.logDensity(x, p.mu2)
		want := math.Exp(one - kernel.LogSumExp([]float64{one, two}))
		y := kernel.Sigmoid(floats.Dot(got[:d], x) + got[d])
		if f := verify.Close(y, want, verify.Tolerance{Abs: logOddsTol * p.size(x)}); !f.OK {
			return f
		}
	}
	return verify.Finding{OK: true}
}

// priorFault returns a verdict if a different prior changes w, changes w0 by a wrong amount, or makes
// the answer invalid. It compares the answer for p with the answer for a copy of p that has another
// value of p1.
func priorFault(p problem, got []float64, posterior posteriorFunc) *verify.Verdict {
	d := len(p.mu1)
	other := p
	other.p1 = 0.05 + 0.5*p.p1
	next := bothQuestion.Invoke(posterior, &judge.Call{}, other)
	if next == nil {
		return judge.Fail("prior", 2, "With another prior, p1 = %.3g, your result does not consist of D finite weights and a finite bias.", other.p1)
	}
	if !verify.CloseSlice(next[:d], got[:d], verify.Tolerance{Rel: 1e-9}).OK {
		return judge.Fail("w-prior", 2,
			"With another prior your w changes. The prior is a factor in (4.58) that does not depend on x, so it affects only w0.")
	}
	logit := func(y float64) float64 { return math.Log(y) - math.Log1p(-y) }
	moved, want := next[d]-got[d], logit(other.p1)-logit(p.p1)
	f := verify.Close(moved, want, verify.Tolerance{Abs: logOddsTol * p.size(p.origin())})
	switch {
	case f.OK:
		return nil
	case moved == 0:
		return judge.Fail("prior-missing", 2,
			"Your w0 does not depend on p1. A class that is rare is less probable at every x.")
	case verify.Close(moved, -want, verify.Tolerance{Rel: 1e-6}).OK:
		return judge.Fail("prior-inverted", 2,
			"A larger p1 lowers your w0, as if you used the ratio (1−p1)/p1 of the priors. (One set of lecture slides contains this mistake.) The ratio must be p1/(1−p1).")
	case verify.Close(moved, math.Log(other.p1/p.p1), verify.Tolerance{Rel: 1e-6}).OK:
		return judge.Fail("prior-of-one", 2, "Your w0 changes only as much as ln p1, but class 2 also has a prior.")
	}
	return judge.Fail("prior", 2,
		"With another p1, w0 must change as much as the log ratio of the priors. The change in your w0 is %s.",
		f.Off())
}

// checkDifference calls the learner's function for both classes. The quadratic parts must be equal.
// The sum of the linear and constant parts for class 1, minus this sum for class 2, must be the log
// ratio of the densities.
func checkDifference(terms termsFunc) verify.Verdict {
	for _, p := range problems() {
		for _, x := range p.at[:4] {
			one, two := termsQuestion.Invoke(terms, &judge.Call{}, exponent{p, x, p.mu1}),
				termsQuestion.Invoke(terms, &judge.Call{}, exponent{p, x, p.mu2})
			size := p.size(x) + math.Abs(p.quadratic(x))
			if f := verify.Close(one[0], two[0], verify.Tolerance{Abs: 1e-9 * size}); !f.OK {
				return verify.Fail("terms-no-cancellation", 2,
					"For %v your quadratic parts of the two classes differ at the same x: compared with the part for class 2, the part for class 1 is %s. The quadratic part does not contain the mean, and both classes have the same covariance, so the parts must be equal.", p, f.Off())
			}
			ratio := p.logDensity(x, p.mu1) - p.logDensity(x, p.mu2)
			if f := verify.Close(one[1]+one[2]-two[1]-two[2], ratio, verify.Tolerance{Abs: 1e-8 * size}); !f.OK {
				return verify.Fail("terms-ratio", 2,
					"For %v your linear and constant parts of class 1, minus these parts of class 2, should be the log ratio of the densities, but the result is %s.", p, f.Off())
			}
		}
	}
	return verify.Pass("The quadratic parts do not depend on the class and cancel. The remaining parts are linear in x and equal the log ratio of the densities.")
}

// A problem consists of two Gaussian classes and the points at which the report compares their
// densities.
type problem struct {
	name     string
	mu1, mu2 []float64
	Sigma    *mat.SymDense
	p1       float64
	at       [][]float64 // points within a few standard deviations of the means
}

func (p problem) String() string { return "“" + p.name + "”" }

// exchanged returns p with the two classes swapped.
func exchanged(p problem) problem {
	p.mu1, p.mu2, p.p1 = p.mu2, p.mu1, 1-p.p1
	return p
}

func (p problem) origin() []float64 { return make([]float64, len(p.mu1)) }

// drawProblem returns a pair of classes with different means. Both means lie at the distance |apart|
// from the point `offset`, if every coordinate is measured in units of its entry of `scale`. In one
// dimension the mean of class 1 lies to the right of the mean of class 2 if `apart` is positive, and
// to the left if `apart` is negative.
func drawProblem(r *rand.Rand, name string, offset, scale []float64, apart, p1 float64) problem {
	d := len(offset)
	p := problem{name: name, Sigma: instance.Covariance(r, d), p1: p1, mu1: make([]float64, d), mu2: make([]float64, d)}
	one, two := instance.Unit(r, d), instance.Unit(r, d)
	if d == 1 {
		one[0], two[0] = 1, -1
	}
	for i := range d {
		for j := i; j < d; j++ {
			p.Sigma.SetSym(i, j, p.Sigma.At(i, j)*scale[i]*scale[j])
		}
		p.mu1[i] = offset[i] + apart*scale[i]*one[i]
		p.mu2[i] = offset[i] + apart*scale[i]*two[i]
	}
	for range 12 {
		x := make([]float64, d)
		for j := range x {
			x[j] = offset[j] + 2*scale[j]*r.NormFloat64()
		}
		p.at = append(p.at, x)
	}
	return p
}

var problems = instance.Once(func() []problem {
	r := instance.Source(408, 1)
	sphere := drawProblem(r, "unit covariance, equal priors", []float64{0.5, 1, -1}, []float64{1, 1, 1}, 1, 0.5)
	sphere.Sigma = mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	twin := drawProblem(r, "one mean for both classes", []float64{1, 2}, []float64{1, 1}, 1, 0.2)
	copy(twin.mu2, twin.mu1)
	return []problem{
		drawProblem(r, "tilted covariance in the plane", []float64{1.5, -1}, []float64{1, 0.6}, 1.5, 0.3),
		drawProblem(r, "one dimension", []float64{0.4}, []float64{1.7}, 1, 0.6),
		drawProblem(r, "one dimension, the classes exchanged", []float64{-3}, []float64{0.8}, -1.5, 0.4),
		drawProblem(r, "five dimensions", []float64{0, 1, -1, 2, 0}, []float64{1, 2, 0.5, 1, 1}, 2, 0.9),
		sphere,
		drawProblem(r, "a rare class", []float64{1, 0}, []float64{1, 1}, 1, 1e-6),
		twin,
		drawProblem(r, "columns of very different size", []float64{0.02, -50}, []float64{1e-2, 1e2}, 1, 0.4),
		drawProblem(r, "means far from the origin", []float64{300, -200}, []float64{1, 1}, 1, 0.7),
	}
})

// units returns problems with very small and very large inputs. On these problems an answer is
// wrong if it adds a fixed number to Sigma, or compares Sigma with a fixed number.
var units = instance.Once(func() []problem {
	r := instance.Source(408, 3)
	return []problem{
		drawProblem(r, "inputs of size 10⁻⁶", []float64{1e-6, 0}, []float64{1e-6, 1e-6}, 1, 0.35),
		drawProblem(r, "inputs of size 10⁶", []float64{1e6, -1e6}, []float64{1e6, 2e6}, 1, 0.8),
	}
})

// extremes returns problems in which one of the priors is nearly 0.
var extremes = instance.Once(func() (list []problem) {
	r := instance.Source(408, 2)
	prior := func(name string, p1 float64) {
		list = append(list, drawProblem(r, name, []float64{0.5, -0.2}, []float64{1, 1}, 1, p1))
	}
	prior("p1 = 10⁻⁹", 1e-9)
	prior("p1 = 1 − 10⁻⁹", 1-1e-9)
	prior("p1 = 10⁻³⁰⁰", 1e-300)
	prior("p1 next below 1", math.Nextafter(1, 0))
	return list
})

// logDensity returns ln N(x|μ, Σ).
func (p problem) logDensity(x, mu []float64) float64 {
	return -0.5 * (p.quadratic(instance.Minus(x, mu)) + p.logDet() + float64(len(x))*math.Log(2*math.Pi))
}

// logDet returns ln|Σ|.
func (p problem) logDet() float64 {
	v, _ := mat.LogDet(p.Sigma)
	return v
}

// logOdds returns the log odds a of (4.58) at x.
func (p problem) logOdds(x []float64) float64 {
	return p.logDensity(x, p.mu1) + math.Log(p.p1) - p.logDensity(x, p.mu2) - math.Log(1-p.p1)
}

// size returns roughly the sum of the absolute values of the terms of wᵀx + w0. Tolerances are
// relative to this sum, not to the result, because the terms nearly cancel if the means are far
// from the origin.
func (p problem) size(x []float64) float64 {
	gap := weights(p)
	s := 1 + p.quadratic(p.mu1) + p.quadratic(p.mu2) + math.Abs(math.Log(p.p1))
	for j := range x {
		s += math.Abs(gap[j] * x[j])
	}
	return s
}

// logOddsTol is the largest allowed error of the log odds, divided by the result of the method
// `size`. It is large enough for the rounding errors of an explicit inverse of Sigma.
const logOddsTol = 1e-9

// The type `exponent` contains the arguments of the exponent −½(x−μ)ᵀΣ⁻¹(x−μ): a problem with the
// matrix Sigma, the point x, and the mean mu.
type exponent struct {
	problem
	x, mu []float64
}

// exponents returns arguments for both classes. In two of these, x or mu is the origin, so two parts
// of the exponent are 0. In a third one, x equals mu, so the quadratic and constant parts are equal.
var exponents = instance.Once(func() (list []exponent) {
	for _, p := range problems() {
		list = append(list, exponent{p, p.at[0], p.mu1}, exponent{p, p.at[1], p.mu2}, exponent{p, p.at[2], p.mu1})
	}
	p := problems()[0]
	return append(list, exponent{p, p.origin(), p.mu1}, exponent{p, p.mu2, p.mu2}, exponent{p, p.at[0], p.origin()})
})

// value returns the exponent at c·x, that is, −½(c·x−μ)ᵀΣ⁻¹(c·x−μ).
func (e exponent) value(c float64) float64 {
	return -0.5 * e.quadratic(instance.Minus(floats.ScaleTo(e.origin(), c, e.x), e.mu))
}

// inner returns the three numbers xᵀΣ⁻¹x, xᵀΣ⁻¹μ and μᵀΣ⁻¹μ.
func (e exponent) inner() (xx, xm, mm float64) {
	return e.quadratic(e.x), floats.Dot(e.x, e.solve(e.mu)), e.quadratic(e.mu)
}

// parts returns the quadratic, linear and constant parts of the exponent.
func parts(e exponent) []float64 {
	xx, xm, mm := e.inner()
	return []float64{-xx / 2, xm, -mm / 2}
}

type (
	posteriorFunc = func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) (w []float64, w0 float64)
	termsFunc     = func(x, mu []float64, Sigma *mat.SymDense) (quadratic, linear, constant float64)
)

// callPosterior returns a function that calls the learner's function with copies of its arguments.
// The returned function returns w if `slopes` is true, followed by w0 if `bias` is true. It returns
// nil if `slopes` is true and w is invalid, or if both arguments are true and w0 is not finite.
func callPosterior(slopes, bias bool) func(f posteriorFunc, c *judge.Call, p problem) []float64 {
	return func(f posteriorFunc, c *judge.Call, p problem) (got []float64) {
		d := len(p.mu1)
		w, w0 := f(c.Slice("mu1", p.mu1), c.Slice("mu2", p.mu2), c.Sym("Sigma", p.Sigma), p.p1)
		if slopes {
			if len(w) == d+1 {
				c.Say(judge.Fail("bias-inside", 3,
					"Your w has D+1 entries, but w has one entry per input. Return the bias separately, as w0."))
			}
			got = c.Vector("w", w, d, "entry of mu1")
		}
		if slopes && bias && (got == nil || math.IsNaN(w0) || math.IsInf(w0, 0)) {
			c.Say(judge.Fail("not-finite", 3,
				"For %v your w0 is %g. Check for a logarithm of 0, or for an inverse that does not exist.", p, w0))
			return nil
		}
		if bias {
			got = append(got, w0)
		}
		return got
	}
}

var bothQuestion = &judge.Question[posteriorFunc, problem]{
	Func: "Posterior", Name: "w and w0", Hint: 3, Per: "input, and one for w0", Invoke: callPosterior(true, true),
	Right: func(p problem) []float64 { return append(weights(p), w0(p)) },
	Unit:  func(p problem, _ []float64) []float64 { return append(p.units(), p.size(p.origin())) },
	Mistakes: []judge.Mistake[posteriorFunc]{
		{Key: "classes-swapped", Hint: 1,
			Message: "For {problem} your σ(wᵀx + w0) is p(C2|x), the probability of the other class.",
			Answer:  wrongBoth(func(p problem) ([]float64, float64) { return weights(exchanged(p)), w0(exchanged(p)) })},
	},
}

// units returns a typical size for each entry of w: the square root of (μ1−μ2)ᵀΣ⁻¹(μ1−μ2), divided
// by the standard deviation of the input. If the means are equal, it uses 1 in place of this root.
func (p problem) units() []float64 {
	far := math.Sqrt(p.quadratic(p.gap()))
	if far == 0 {
		far = 1
	}
	u := gauss.Roots(p.Sigma)
	for j, s := range u {
		u[j] = far / s
	}
	return u
}

var weightsQuestion = &judge.Question[posteriorFunc, problem]{
	Func: "Posterior", Name: "w", Hint: 3, Per: "input", Invoke: callPosterior(true, false), Right: weights,
	Unit: func(p problem, _ []float64) []float64 { return p.units() },
	Nearly: judge.Wrong{Key: "w-nearly", Hint: 3,
		Message: "Nearly right: for {problem} your w is {off}. Do not add a number to Sigma, and do not round intermediate results."},
	Sign: judge.Wrong{Key: "w-factor", Hint: 2,
		Message: "Your w is (4.66) times a negative number. In each exponent the two mixed terms xᵀΣ⁻¹μ have a minus sign inside the bracket, and the factor −½ in front of the bracket makes them positive."},
	Factor: judge.Wrong{Key: "w-factor", Hint: 2,
		Message: "Your w is (4.66) times a constant factor. Each quadratic form contains two equal mixed terms xᵀΣ⁻¹μ. The factor ½ turns their sum into a single xᵀΣ⁻¹μ."},
	Mistakes: []judge.Mistake[posteriorFunc]{
		{Key: "classes-swapped", Hint: 1,
			Message: "Your w is Σ⁻¹(μ2 − μ1), which is the w of p(C2|x). The log odds of p(C1|x) increase towards μ1.",
			Answer:  wrongSlope(func(p problem) []float64 { return p.solve(instance.Minus(p.mu2, p.mu1)) })},
		{Key: "sigma-for-inverse", Hint: 2,
			Message: "Your w is Σ(μ1 − μ2). The exponent of the density contains Σ⁻¹, so w is small in directions in which the classes spread widely.",
			Answer:  wrongSlope(func(p problem) []float64 { return gauss.Times(p.Sigma, p.gap()) })},
		{Key: "sigma-missing", Answer: wrongSlope(func(p problem) []float64 { return p.gap() }), Hint: 2,
			Message: "Your w is μ1 − μ2, which is right only for Σ = I. In general w = Σ⁻¹(μ1 − μ2)."},
		{Key: "half-of-inverse", Hint: 3,
			Message: "Your w is L⁻¹(μ1 − μ2) with the Cholesky factor L of Σ = LLᵀ. Multiply it by L⁻ᵀ to obtain Σ⁻¹(μ1 − μ2).",
			Answer: wrongSlope(func(p problem) []float64 {
				var chol mat.Cholesky
				var L mat.TriDense
				chol.Factorize(p.Sigma)
				chol.LTo(&L)
				return gauss.Solve(&L, p.gap())
			})},
		{Key: "half-of-inverse", Hint: 3,
			Message: "Your w is Σ^(−½)(μ1 − μ2), with the square root of the inverse. The exponent of the density contains the inverse itself.",
			Answer:  wrongSlope(func(p problem) []float64 { return gauss.Times(gauss.Power(p.Sigma, -0.5), p.gap()) })},
		{Key: "raw-data", Hint: 3,
			Message: "Your w is U⁻¹(μ1 − μ2), where U is only the upper triangle of Sigma, as in RawSymmetric().Data of a *mat.SymDense. Read the entries of Sigma with At, or use a Cholesky factorization of Sigma.",
			Answer: wrongSlope(func(p problem) []float64 {
				upper := mat.NewDense(len(p.mu1), len(p.mu1), nil)
				for i := range p.mu1 {
					for j := i; j < len(p.mu1); j++ {
						upper.Set(i, j, p.Sigma.At(i, j))
					}
				}
				return gauss.Solve(upper, p.gap())
			})},
		{Key: "inverse-twice", Answer: wrongSlope(func(p problem) []float64 { return p.solve(p.solve(p.gap())) }), Hint: 3,
			Message: "Your w is Σ⁻²(μ1 − μ2), with two inverses. Apply the inverse only once."},
		{Key: "unit-length", Hint: 2,
			Message: "Your w has length 1. The length of w determines how steep σ is along w. If you scale w and w0, the boundary stays the same, but the probabilities change. So do not scale w to length 1.",
			Answer: wrongSlope(func(p problem) []float64 {
				w := weights(p)
				floats.Scale(1/floats.Norm(w, 2), w) // w = 0 gives NaN
				return w
			})},
		{Key: "diagonal-only", Hint: 2,
			Message: "Your w is μ1 − μ2 with each entry divided by its own variance, as if Σ were diagonal. Use the inverse of the whole matrix.",
			Answer: wrongSlope(func(p problem) []float64 {
				w := p.gap()
				for j := range w {
					w[j] /= p.Sigma.At(j, j)
				}
				return w
			})},
		{Key: "entries-inverted", Hint: 2,
			Message: "Your w is μ1 − μ2, multiplied by the matrix of the reciprocals 1/Σ_ij. But the inverse of a matrix is not the matrix of the reciprocals.",
			Answer: wrongSlope(func(p problem) []float64 {
				var inverted mat.Dense
				inverted.Apply(func(_, _ int, v float64) float64 { return 1 / v }, p.Sigma)
				return gauss.Times(&inverted, p.gap())
			})},
		{Key: "sum-of-means", Hint: 2,
			Message: "Your w is Σ⁻¹(μ1 + μ2). The log odds are the difference of two exponents, so the means are subtracted.",
			Answer:  wrongSlope(func(p problem) []float64 { return p.solve(floats.AddTo(p.origin(), p.mu1, p.mu2)) })},
		{Key: "one-mean", Answer: wrongSlope(func(p problem) []float64 { return p.solve(p.mu1) }), Hint: 2,
			Message: "Your w is Σ⁻¹μ1, which is w_1 of the K-class form (4.69). For two classes, return the difference w_1 − w_2."},
	},
}

var biasQuestion = &judge.Question[posteriorFunc, problem]{
	Func: "Posterior", Name: "w0", Hint: 3, Invoke: callPosterior(false, true),
	Right: func(p problem) []float64 { return []float64{w0(p)} },
	Unit:  func(_ problem, right []float64) []float64 { return []float64{1 + math.Abs(right[0])} },
	Nearly: judge.Wrong{Key: "w0-nearly", Hint: 3,
		Message: "Nearly right: for {problem} your w0 is {off}. Do not add a number to Sigma or p1, and do not round intermediate results."},
	Mistakes: []judge.Mistake[posteriorFunc]{
		{Key: "prior-missing", Answer: combined(-0.5, 0.5, 0), Hint: 2,
			Message: "The prior is missing in your w0. A class that is rare is less probable at every x."},
		{Key: "prior-inverted", Answer: combined(-0.5, 0.5, -1), Hint: 2,
			Message: "Your ratio of the priors is inverted. (One set of lecture slides contains this mistake.) If class 1 is more frequent, w0 must be larger."},
		{Key: "half-missing", Answer: combined(-1, 1, 1), Hint: 2,
			Message: "The ½ of the exponent is missing in the terms μᵀΣ⁻¹μ of your w0."},
		{Key: "half-on-all", Answer: combined(-0.5, 0.5, 0.5), Hint: 3,
			Message: "In your w0 the log ratio of the priors also has a factor ½. Only the exponents have this factor."},
		{Key: "classes-swapped", Answer: combined(0.5, -0.5, -1), Hint: 1,
			Message: "Your w0 is the bias of p(C2|x). Change every sign."},
		{Key: "quadratic-sign", Answer: combined(0.5, -0.5, 1), Hint: 2,
			Message: "The signs of the two terms μᵀΣ⁻¹μ of your w0 are swapped. The term of class 1 has the factor −½."},
		{Key: "quadratic-sum", Answer: combined(-0.5, -0.5, 1), Hint: 2,
			Message: "Both terms μᵀΣ⁻¹μ of your w0 have a minus. The term of class 2 needs a plus, because the density of class 2 is in the denominator of the ratio (4.58)."},
		{Key: "quadratic-sum", Answer: combined(0.5, 0.5, 1), Hint: 2,
			Message: "Both terms μᵀΣ⁻¹μ of your w0 have a plus. The term of class 1 needs a minus: the exponent of class 1 is negative, and its density is in the numerator of the ratio (4.58)."},
		{Key: "quadratic-missing", Answer: combined(0, 0, 1), Hint: 2,
			Message: "Your w0 is the log ratio of the priors alone. The constant terms ∓½μᵀΣ⁻¹μ of the two exponents are missing."},
		{Key: "one-quadratic", Answer: combined(-0.5, 0, 1), Hint: 2,
			Message: "Your w0 contains only the term μᵀΣ⁻¹μ of class 1. The term of class 2 is missing."},
		{Key: "one-quadratic", Answer: combined(0, 0.5, 1), Hint: 2,
			Message: "Your w0 contains only the term μᵀΣ⁻¹μ of class 2. The term of class 1 is missing."},
		{Key: "squared-difference", Hint: 2,
			Message: "Your w0 contains −½(μ1−μ2)ᵀΣ⁻¹(μ1−μ2). The difference of two squares a² − b² is not the square of the difference, (a − b)².",
			Answer:  wrongBias(func(p problem) float64 { return -p.quadratic(p.gap())/2 + logRatio(p) })},
		{Key: "squared-difference", Hint: 2,
			Message: "Your w0 contains ½(μ1−μ2)ᵀΣ⁻¹(μ1−μ2). The difference of two squares a² − b² is not the square of the difference, (a − b)².",
			Answer:  wrongBias(func(p problem) float64 { return p.quadratic(p.gap())/2 + logRatio(p) })},
		{Key: "squared-difference", Hint: 2,
			Message: "Your w0 contains −½(μ1+μ2)ᵀΣ⁻¹(μ1+μ2). The difference of two squares a² − b² is not the square of the sum.",
			Answer: wrongBias(func(p problem) float64 {
				return -p.quadratic(floats.AddTo(p.origin(), p.mu1,
					p.mu2))/2 + logRatio(p)
			})},
		{Key: "prior-no-log", Answer: withPrior(func(p1 float64) float64 { return p1 / (1 - p1) }), Hint: 3,
			Message: "Your w0 contains the ratio of the priors without the logarithm. Use ln{p1/(1−p1)}."},
		{Key: "prior-no-log", Answer: withPrior(func(p1 float64) float64 { return p1 }), Hint: 3,
			Message: "Your w0 contains p1 itself. It must contain ln p1 minus the logarithm of the prior of class 2."},
		{Key: "prior-of-one", Answer: withPrior(func(p1 float64) float64 { return math.Log(p1) }), Hint: 2,
			Message: "Your w0 contains only ln p1. The prior of class 2 is missing."},
		{Key: "prior-of-one", Answer: withPrior(func(p1 float64) float64 { return -math.Log(1 - p1) }), Hint: 2,
			Message: "Your w0 contains only the prior of class 2. The prior of class 1 is missing."},
		{Key: "prior-sum", Hint: 2,
			Message: "Your w0 contains the sum of both logarithms of the priors. Subtract the logarithm of the prior of class 2.",
			Answer:  withPrior(func(p1 float64) float64 { return math.Log(p1) + math.Log(1-p1) })},
		{Key: "prior-twice", Answer: withPrior(func(p1 float64) float64 { return 2 * math.Log(p1/(1-p1)) }), Hint: 2,
			Message: "Your w0 contains the log ratio of the priors twice. Add it only once."},
		{Key: "log-base", Answer: withPrior(func(p1 float64) float64 { return math.Log10(p1 / (1 - p1)) }), Hint: 3,
			Message: "Your log ratio of the priors has base 10. σ is defined with e, so use math.Log, the natural logarithm."},
		{Key: "log-base", Answer: withPrior(func(p1 float64) float64 { return math.Log2(p1 / (1 - p1)) }), Hint: 3,
			Message: "Your log ratio of the priors has base 2. σ is defined with e, so use math.Log, the natural logarithm."},
		{Key: "sigma-for-inverse", Hint: 2,
			Message: "The terms of your w0 are μᵀΣμ. The exponent of the density contains Σ⁻¹, so they must be μᵀΣ⁻¹μ.",
			Answer: wrongBias(func(p problem) float64 {
				return (floats.Dot(p.mu2, gauss.Times(p.Sigma, p.mu2))-floats.Dot(p.mu1,
					gauss.Times(p.Sigma, p.mu1)))/2 + logRatio(p)
			})},
		{Key: "sigma-missing", Hint: 2, Message: "The terms of your w0 are μᵀμ, without Σ⁻¹. They are right only for Σ = I.",
			Answer: wrongBias(func(p problem) float64 {
				return (floats.Dot(p.mu2, p.mu2)-floats.Dot(p.mu1,
					p.mu1))/2 + logRatio(p)
			})},
		{Key: "determinant-left", Answer: wrongBias(func(p problem) float64 { return w0(p) - p.logDet()/2 }), Hint: 3,
			Message: "Your w0 contains a term −½ ln|Σ|. This term is equal for both classes, so it cancels."},
		{Key: "determinant-left", Answer: wrongBias(func(p problem) float64 { return w0(p) + p.logDet()/2 }), Hint: 3,
			Message: "Your w0 contains a term +½ ln|Σ|. This term is equal for both classes, so it cancels."},
	},
}

// termsQuestion judges the three parts of an exponent. The unit of the linear part is 1 plus the square
// root of the product of xᵀΣ⁻¹x and μᵀΣ⁻¹μ, because |xᵀΣ⁻¹μ| is at most this root.
var termsQuestion = &judge.Question[termsFunc, exponent]{
	Func: "Terms", Name: "Terms", Key: "terms", Hint: 2,
	Entries: []string{"quadratic part", "linear part", "constant part"},
	Invoke: func(terms termsFunc, c *judge.Call, e exponent) []float64 {
		q, l, k := terms(c.Slice("x", e.x), c.Slice("mu", e.mu), c.Sym("Sigma", e.Sigma))
		return []float64{q, l, k}
	},
	Right: parts,
	Unit: func(e exponent, _ []float64) []float64 {
		xx, _, mm := e.inner()
		return []float64{1 + xx, 1 + math.Sqrt(xx*mm), 1 + mm}
	},
	Mistakes: []judge.Mistake[termsFunc]{
		{Key: "no-half", Answer: mixed(-1, 2, -1), Hint: 2,
			Message: "Each of your parts is twice the right value: the factor ½ of the exponent is missing."},
		{Key: "linear-half", Answer: mixed(-0.5, 0.5, -0.5), Hint: 2,
			Message: "Your linear part is half of the right value. Both products xᵀΣ⁻¹μ and μᵀΣ⁻¹x are linear in x, and they are equal because Σ⁻¹ is symmetric."},
		{Key: "linear-sign", Answer: mixed(-0.5, -1, -0.5), Hint: 2,
			Message: "Your linear part has the wrong sign. The minus of −½ times the minus of x−μ is a plus."},
		{Key: "linear-double", Answer: mixed(-0.5, 2, -0.5), Hint: 2,
			Message: "Your linear part is twice the right value. The factor ½ of the exponent also applies to the two equal products xᵀΣ⁻¹μ and μᵀΣ⁻¹x."},
		{Key: "linear-double-sign", Answer: mixed(-0.5, -2, -0.5), Hint: 2,
			Message: "Your linear part is −2xᵀΣ⁻¹μ, the value inside the bracket. Multiply it by the factor −½ in front of the bracket."},
		{Key: "linear-lost", Answer: mixed(-0.5, 0, -0.5), Hint: 2,
			Message: "Your linear part is 0. (x−μ)ᵀΣ⁻¹(x−μ) contains two mixed products besides the two squares."},
		{Key: "constant-sign", Answer: mixed(-0.5, 1, 0.5), Hint: 2,
			Message: "Your constant part has the wrong sign. The square of μ is positive inside the bracket, and the factor before the bracket is −½."},
		{Key: "constant-lost", Answer: mixed(-0.5, 1, 0), Hint: 2,
			Message: "Your constant part is 0. The constant part is the exponent at x = 0."},
		{Key: "quadratic-sign", Answer: mixed(0.5, 1, -0.5), Hint: 2,
			Message: "Your quadratic part has the wrong sign. It must be negative, because the density decreases far from its mean."},
		{Key: "covariance", Hint: 3, Message: "Your parts contain Σ where the exponent contains Σ⁻¹.",
			Answer: func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
				u, v := gauss.Times(Sigma, x), gauss.Times(Sigma, mu)
				return -floats.Dot(x, u) / 2, floats.Dot(x, v), -floats.Dot(mu, v) / 2
			}},
		{Key: "no-covariance", Hint: 3, Message: "Σ⁻¹ is missing in your parts, which are right only for Σ = I.",
			Answer: func(x, mu []float64, _ *mat.SymDense) (q, l, c float64) {
				return -floats.Dot(x, x) / 2, floats.Dot(x, mu), -floats.Dot(mu, mu) / 2
			}},
	},
}

func (p problem) gap() []float64 { return instance.Minus(p.mu1, p.mu2) }

// solve returns Σ⁻¹v.
func (p problem) solve(v []float64) []float64 { return gauss.Solve(p.Sigma, v) }

// quadratic returns vᵀΣ⁻¹v.
func (p problem) quadratic(v []float64) float64 { return floats.Dot(v, p.solve(v)) }

// weights returns w of (4.66).
func weights(p problem) []float64 { return p.solve(p.gap()) }

// w0 returns the bias of (4.67).
func w0(p problem) float64 { return (p.quadratic(p.mu2)-p.quadratic(p.mu1))/2 + logRatio(p) }

// logRatio returns ln{p1/(1−p1)}, the last term of w0.
func logRatio(p problem) float64 { return math.Log(p.p1 / (1 - p.p1)) }

// wrongBoth returns a wrong answer that computes w and w0 with f.
func wrongBoth(f func(p problem) ([]float64, float64)) posteriorFunc {
	return func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
		return f(problem{mu1: mu1, mu2: mu2, Sigma: Sigma, p1: p1})
	}
}

// wrongSlope returns a wrong answer that computes w with f and returns the right w0.
func wrongSlope(f func(p problem) []float64) posteriorFunc {
	return wrongBoth(func(p problem) ([]float64, float64) { return f(p), w0(p) })
}

// wrongBias returns a wrong answer that computes w0 with f and returns the right w.
func wrongBias(f func(p problem) float64) posteriorFunc {
	return wrongBoth(func(p problem) ([]float64, float64) { return weights(p), f(p) })
}

// combined returns a wrong answer whose w0 is a weighted sum of μ1ᵀΣ⁻¹μ1, μ2ᵀΣ⁻¹μ2 and the log
// ratio of the priors. The arguments are the factors of these three terms.
func combined(q1, q2, prior float64) posteriorFunc {
	return wrongBias(func(p problem) float64 { return q1*p.quadratic(p.mu1) + q2*p.quadratic(p.mu2) + prior*logRatio(p) })
}

// withPrior returns an answer with the right w and a wrong w0. In this w0, f(p1) replaces the log
// ratio of the priors.
func withPrior(f func(p1 float64) float64) posteriorFunc {
	return wrongBias(func(p problem) float64 { return w0(p) - logRatio(p) + f(p.p1) })
}

// mixed returns an answer that computes the three parts q·xᵀΣ⁻¹x, l·xᵀΣ⁻¹μ and c·μᵀΣ⁻¹μ.
func mixed(q, l, c float64) termsFunc {
	return func(x, mu []float64, Sigma *mat.SymDense) (float64, float64, float64) {
		xx, xm, mm := exponent{problem{Sigma: Sigma}, x, mu}.inner()
		return q * xx, l * xm, c * mm
	}
}

func init() {
	judge.Known(exercise, bothQuestion, Check)
	judge.Known(exercise, weightsQuestion, Check)
	judge.Known(exercise, biasQuestion, Check)
	judge.Known(exercise, termsQuestion, CheckSteps)
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex08", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

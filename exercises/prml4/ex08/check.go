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
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges posterior of PRML exercise 4.8: from the class means (D), the
// shared covariance Sigma (D×D) and the prior p1 of class 1 it returns w (D) and
// w0 with p(C1|x) = σ(wᵀx + w0).
func Check(posterior func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) (w []float64,
	w0 float64)) *verify.Report {
	return exercise.Judge(slices.Concat(
		askBoth.Parts(posterior,
			judge.Form("the result is D weights and a bias, and mu1, mu2 and Sigma stay unchanged", problems, nil,
				judge.Wrong{},
				"You returned D weights and a bias, for D from 1 to 5.")),
		askWeights.Parts(posterior,
			judge.Property[problem]{Name: "w: between two points the log odds change by wᵀ(x − x')", On: problems,
				Holds: slopes,
				Wrong: judge.Wrong{Key: "w", Hint: 2,
					Message: "For {problem} the log odds of Bayes' rule should change by your wᵀ(x − x') between two points, but the change is {off}."},
				Right: "Between two points the log odds of Bayes' rule change by wᵀ(x − x'). They are linear in x, because the quadratic terms of the two classes cancel."}),
		askBias.Parts(posterior, []judge.Property[problem]{
			{Name: "w0: the log odds at x = 0", On: problems, Holds: atZero,
				Wrong: judge.Wrong{Key: "w0", Hint: 2,
					Message: "For {problem} your w0 should be the log odds of Bayes' rule at x = 0, but it is {off}."},
				Right: "Your w0 equals the log odds of Bayes' rule at x = 0."},
			{Name: "w0 with a prior close to 0, and close to 1", On: extremes, Limits: true, Holds: atZero,
				Wrong: judge.Wrong{Key: "limited-prior", Hint: 2,
					Message: "For {problem} your w0 is {off}. Do not clip p1 or add a number to it: p1 already lies between 0 and 1."},
				Right: "You use the prior unchanged, however rare a class is."},
		}...),
		askBoth.Parts(posterior, []judge.Property[problem]{
			{Name: "σ(wᵀx + w0) is Bayes' rule on the densities", On: problems, Holds: bayes,
				Wrong: judge.Wrong{Key: "bayes", Hint: 1,
					Message: "For {problem} the posterior probability p1·N(x|mu1, Sigma)/p(x), with both densities written out, should be your σ(wᵀx + w0), but the difference is {off}."},
				Right: "With both densities written out and Bayes' rule applied, p(C1|x) is your σ(wᵀx + w0)."},
			{Name: "another prior", On: problems,
				First: func(p problem, got []float64) *verify.Verdict { return moves(p, got, posterior) },
				Right: "Another prior changes w0 by the change of ln{p1/(1−p1)}, so the boundary moves parallel to itself."},
			{Name: "the classes exchanged", On: problems,
				Holds: func(problem, []float64) verify.Finding { return verify.Finding{OK: true} },
				Also:  exchanged,
				Back: func(_ problem, answer []float64) []float64 {
					return floats.ScaleTo(make([]float64, len(answer)), -1, answer)
				},
				Wrong: judge.Wrong{Key: "not-antisymmetric", Hint: 2,
					Message: "For {problem}, exchanging the two classes (means and priors) should change w and w0 to −w and −w0, since p(C2|x) = 1 − p(C1|x). Some term of yours does not change its sign."},
				Right: "Exchanging the classes changes w and w0 to −w and −w0, in agreement with σ(−a) = 1 − σ(a)."},
			{Name: "inputs in small units, and in large ones", On: units, Limits: true, Holds: bayes,
				Wrong: judge.Wrong{Key: "units", Hint: 3,
					Message: "For {problem} your σ(wᵀx + w0) should be p(C1|x), but it is {off}; for inputs of size 1 it is right. Do not add a fixed number to Sigma or compare Sigma with one."},
				Right: "Your result does not depend on the unit of x."},
		}...))...)
}

// CheckSteps judges the optional step that expands the exponent: terms returns the parts of
// −½(x−mu)ᵀΣ⁻¹(x−mu) that are quadratic in x, linear in x, and constant.
func CheckSteps(terms func(x, mu []float64, Sigma *mat.SymDense) (quadratic, linear, constant float64)) *verify.Report {
	return exercise.JudgeSteps(append(
		askTerms.Steps(terms,
			judge.Step[exponent]{Name: "Terms: quadratic, linear and constant part of the exponent", On: exponents,
				Routes: []judge.Route[exponent]{
					{Name: "the product of the two brackets", Tol: 1e-9, Value: parts},
					{Name: "the exponent at x, −x and 0", Tol: 1e-7, Value: func(e exponent) []float64 { // loses digits if the means are far from the origin
						plus, minus, zero := e.value(1), e.value(-1), e.value(0)
						return []float64{(plus-zero)/2 + (minus-zero)/2, (plus - minus) / 2, zero}
					}},
				},
				Right: "Your parts agree with the expanded exponent, and with the values of the exponent at x, −x and 0."}),
		verify.Part{Name: "Terms: the parts of both classes, put together", Of: []string{"Terms"},
			Judge: func() verify.Verdict { return cancel(terms) }})...)
}

// slopes compares wᵀ(x − x') with the difference of the log odds between x and x'. w0 cancels in
// the difference.
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

// moves compares the answer for p with the answer for p with another prior.
func moves(p problem, got []float64, posterior posteriorFunc) *verify.Verdict {
	d := len(p.mu1)
	other := p
	other.p1 = 0.05 + 0.5*p.p1
	next := askBoth.Ask(posterior, &judge.Call{}, other)
	if next == nil {
		return judge.Fail("prior", 2, "With another prior, p1 = %.3g, there are no finite weights and bias.", other.p1)
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
			"A larger p1 lowers your w0. Your ratio of the priors is p2/p1 (as on one set of lecture slides); it must be p1/p2.")
	case verify.Close(moved, math.Log(other.p1/p.p1), verify.Tolerance{Rel: 1e-6}).OK:
		return judge.Fail("prior-of-one", 2, "Only ln p1 enters your w0. Class 2 has a prior, too.")
	}
	return judge.Fail("prior", 2,
		"With another p1, w0 must change by the change of the log ratio of the priors. Your change is %s.",
		f.Off())
}

// cancel checks the learner's parts of both classes together: the quadratic parts must cancel, and
// the rest must be the log ratio of the densities.
func cancel(terms termsFunc) verify.Verdict {
	for _, p := range problems() {
		for _, x := range p.at[:4] {
			one, two := askTerms.Ask(terms, &judge.Call{}, exponent{p, x, p.mu1}),
				askTerms.Ask(terms, &judge.Call{}, exponent{p, x, p.mu2})
			size := p.size(x) + math.Abs(p.quadratic(x))
			if f := verify.Close(one[0], two[0], verify.Tolerance{Abs: 1e-9 * size}); !f.OK {
				return verify.Fail("terms-no-cancellation", 2,
					"For %v your quadratic parts of the two classes differ at the same x: one is %s from the other. They contain no mean, so with a shared covariance they must be equal.", p, f.Off())
			}
			ratio := p.logDensity(x, p.mu1) - p.logDensity(x, p.mu2)
			if f := verify.Close(one[1]+one[2]-two[1]-two[2], ratio, verify.Tolerance{Abs: 1e-8 * size}); !f.OK {
				return verify.Fail("terms-ratio", 2,
					"For %v the linear and constant parts of class 1, minus the same parts of class 2, should be the log ratio of the densities, but the difference is %s.", p, f.Off())
			}
		}
	}
	return verify.Pass("The quadratic parts do not depend on the class and cancel. The remaining parts are linear in x and equal the log ratio of the densities.")
}

// A problem is a pair of Gaussian classes, with the points at which the classes are compared.
type problem struct {
	name     string
	mu1, mu2 []float64
	Sigma    *mat.SymDense
	p1       float64
	at       [][]float64 // within a few standard deviations of the means
}

func (p problem) String() string { return "“" + p.name + "”" }

// exchanged swaps the two classes.
func exchanged(p problem) problem {
	p.mu1, p.mu2, p.p1 = p.mu2, p.mu1, 1-p.p1
	return p
}

func (p problem) origin() []float64 { return make([]float64, len(p.mu1)) }

// draw returns a pair of classes with different means. In one dimension the means lie on opposite
// sides of offset, with class 1 on the right.
func draw(r *rand.Rand, name string, offset, scale []float64, apart, p1 float64) problem {
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
	sphere := draw(r, "unit covariance, equal priors", []float64{0.5, 1, -1}, []float64{1, 1, 1}, 1, 0.5)
	sphere.Sigma = mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	twin := draw(r, "one mean for both classes", []float64{1, 2}, []float64{1, 1}, 1, 0.2)
	copy(twin.mu2, twin.mu1)
	return []problem{
		draw(r, "tilted covariance in the plane", []float64{1.5, -1}, []float64{1, 0.6}, 1.5, 0.3),
		draw(r, "one dimension", []float64{0.4}, []float64{1.7}, 1, 0.6),
		draw(r, "one dimension, the classes exchanged", []float64{-3}, []float64{0.8}, -1.5, 0.4),
		draw(r, "five dimensions", []float64{0, 1, -1, 2, 0}, []float64{1, 2, 0.5, 1, 1}, 2, 0.9),
		sphere,
		draw(r, "a rare class", []float64{1, 0}, []float64{1, 1}, 1, 1e-6),
		twin,
		draw(r, "columns of very different size", []float64{0.02, -50}, []float64{1e-2, 1e2}, 1, 0.4),
		draw(r, "means far from the origin", []float64{300, -200}, []float64{1, 1}, 1, 0.7),
	}
})

// units returns problems with very small and very large inputs. A fixed number that is added or
// compared to Sigma is noticeable there.
var units = instance.Once(func() []problem {
	r := instance.Source(408, 3)
	return []problem{
		draw(r, "inputs of the size 10⁻⁶", []float64{1e-6, 0}, []float64{1e-6, 1e-6}, 1, 0.35),
		draw(r, "inputs of the size 10⁶", []float64{1e6, -1e6}, []float64{1e6, 2e6}, 1, 0.8),
	}
})

// extremes returns problems in which one of the priors is nearly 0.
var extremes = instance.Once(func() (list []problem) {
	r := instance.Source(408, 2)
	prior := func(name string, p1 float64) {
		list = append(list, draw(r, name, []float64{0.5, -0.2}, []float64{1, 1}, 1, p1))
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

// logOdds returns a of (4.58) at x.
func (p problem) logOdds(x []float64) float64 {
	return p.logDensity(x, p.mu1) + math.Log(p.p1) - p.logDensity(x, p.mu2) - math.Log(1-p.p1)
}

// size returns the size of the terms whose sum is wᵀx + w0 at x. Tolerances are relative to size,
// because the two quadratic forms of (4.67) cancel if the means are far from the origin.
func (p problem) size(x []float64) float64 {
	gap := weights(p)
	s := 1 + p.quadratic(p.mu1) + p.quadratic(p.mu2) + math.Abs(math.Log(p.p1))
	for j := range x {
		s += math.Abs(gap[j] * x[j])
	}
	return s
}

// logOddsTol is the required accuracy, relative to size. It allows for the rounding errors of an
// explicit inverse.
const logOddsTol = 1e-9

// An exponent is the exponent of the density with mean mu at the point x.
type exponent struct {
	problem
	x, mu []float64
}

// exponents returns exponents of both classes. In some of them x or mu is the origin, or x is the
// mean, where parts vanish or coincide.
var exponents = instance.Once(func() (list []exponent) {
	for _, p := range problems() {
		list = append(list, exponent{p, p.at[0], p.mu1}, exponent{p, p.at[1], p.mu2}, exponent{p, p.at[2], p.mu1})
	}
	p := problems()[0]
	return append(list, exponent{p, p.origin(), p.mu1}, exponent{p, p.mu2, p.mu2}, exponent{p, p.at[0], p.origin()})
})

// value returns −½(x−μ)ᵀΣ⁻¹(x−μ) at c·x.
func (e exponent) value(c float64) float64 {
	return -0.5 * e.quadratic(instance.Minus(floats.ScaleTo(e.origin(), c, e.x), e.mu))
}

// inner returns xᵀΣ⁻¹x, xᵀΣ⁻¹μ and μᵀΣ⁻¹μ.
func (e exponent) inner() (xx, xm, mm float64) {
	return e.quadratic(e.x), floats.Dot(e.x, e.solve(e.mu)), e.quadratic(e.mu)
}

// parts returns the three parts of the exponent.
func parts(e exponent) []float64 {
	xx, xm, mm := e.inner()
	return []float64{-xx / 2, xm, -mm / 2}
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex08", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

package ex08

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// termsFunc is the learner's Terms.
type termsFunc = func(x, mu []float64, Sigma *mat.SymDense) (quadratic, linear, constant float64)

// An exponent is the exponent of one density at one place.
type exponent struct {
	problem
	x, mu []float64
}

// exponents of both classes, some of them at the origin and at a mean, where parts
// vanish or coincide.
func exponents() []exponent {
	var out []exponent
	for _, p := range problems(7) {
		out = append(out, exponent{p, p.at[0], p.mu1}, exponent{p, p.at[1], p.mu2}, exponent{p, p.at[2], p.mu1})
	}
	first := out[0].problem
	return append(out, exponent{first, make([]float64, len(first.mu1)), first.mu1}, exponent{first, first.mu2, first.mu2})
}

// value is −½(x−μ)ᵀΣ⁻¹(x−μ) at c·x.
func (e exponent) value(c float64) float64 {
	x := append([]float64(nil), e.x...)
	floats.Scale(c, x)
	return -0.5 * e.quadratic(instance.Minus(x, e.mu))
}

// inner is xᵀΣ⁻¹x, xᵀΣ⁻¹μ and μᵀΣ⁻¹μ.
func (e exponent) inner() (xx, xm, mm float64) {
	return e.quadratic(e.x), floats.Dot(e.x, e.solve(e.mu)), e.quadratic(e.mu)
}

// combined makes three parts from the inner products.
func combined(f func(xx, xm, mm float64) (q, l, c float64)) func(exponent) []float64 {
	return func(e exponent) []float64 {
		q, l, c := f(e.inner())
		return []float64{q, l, c}
	}
}

// askTerms calls the learner's function with copies.
func askTerms(terms termsFunc, e exponent) ([]float64, *verify.Verdict) {
	var in learner.Inputs
	q, l, c := terms(in.Slice("x", e.x), in.Slice("mu", e.mu), in.Sym("Sigma", e.Sigma))
	return []float64{q, l, c}, in.Changed(3)
}

func termsStep(terms termsFunc) steps.Step[exponent] {
	return steps.Step[exponent]{
		Name: "Terms", Key: "terms", Hint: 2, Entries: []string{"quadratic part", "linear part", "constant part"},
		Problems: exponents, Where: func(e exponent) string { return "“" + e.name + "”" },
		Ask: func(e exponent) ([]float64, *verify.Verdict) { return askTerms(terms, e) },
		Unit: func(e exponent, _ []float64) []float64 { // |xᵀΣ⁻¹μ| is at most the root of the other two
			xx, _, mm := e.inner()
			return []float64{1 + xx, 1 + math.Sqrt(xx*mm), 1 + mm}
		},
		Routes: []steps.Route[exponent]{
			{Name: "the product of the two brackets", Tol: 1e-9, Value: combined(func(xx, xm, mm float64) (float64, float64, float64) { return -xx / 2, xm, -mm / 2 })},
			// Far from the origin the values of the exponent cancel.
			{Name: "the exponent at x, −x and 0", Tol: 1e-7, Value: func(e exponent) []float64 {
				plus, minus, zero := e.value(1), e.value(-1), e.value(0)
				return []float64{(plus-zero)/2 + (minus-zero)/2, (plus - minus) / 2, zero}
			}},
		},
		Mistakes: []learner.Mistake[exponent]{
			{Key: "no-half", Hint: 2, Value: combined(func(xx, xm, mm float64) (float64, float64, float64) { return -xx, 2 * xm, -mm }),
				Message: "All parts are twice what they should be: the ½ in front of the exponent is lost."},
			{Key: "linear-half", Hint: 2, Value: combined(func(xx, xm, mm float64) (float64, float64, float64) { return -xx / 2, xm / 2, -mm / 2 }),
				Message: "The linear part is half of what it should be: two products hold x once, xᵀΣ⁻¹μ and μᵀΣ⁻¹x, and they are equal because Σ⁻¹ is symmetric."},
			{Key: "linear-sign", Hint: 2, Value: combined(func(xx, xm, mm float64) (float64, float64, float64) { return -xx / 2, -xm, -mm / 2 }),
				Message: "The sign of the linear part is turned: minus, from −½, times minus, from x−μ."},
			{Key: "linear-double", Hint: 2, Value: combined(func(xx, xm, mm float64) (float64, float64, float64) { return -xx / 2, 2 * xm, -mm / 2 }),
				Message: "The linear part is twice what it should be: the two equal products have the ½ in front of them, too."},
			{Key: "linear-double-sign", Hint: 2, Value: combined(func(xx, xm, mm float64) (float64, float64, float64) { return -xx / 2, -2 * xm, -mm / 2 }),
				Message: "The linear part is −2xᵀΣ⁻¹μ, as it stands inside the bracket: the factor −½ in front of the bracket belongs to it as well."},
			{Key: "linear-lost", Hint: 2, Value: combined(func(xx, xm, mm float64) (float64, float64, float64) { return -xx / 2, 0, -mm / 2 }),
				Message: "The linear part is lost: (x−μ)ᵀΣ⁻¹(x−μ) has two mixed products besides the two squares."},
			{Key: "constant-sign", Hint: 2, Value: combined(func(xx, xm, mm float64) (float64, float64, float64) { return -xx / 2, xm, mm / 2 }),
				Message: "The sign of the constant part is turned: minus times minus makes the square of μ positive inside the bracket, and −½ stands before it."},
			{Key: "quadratic-sign", Hint: 2, Value: combined(func(xx, xm, mm float64) (float64, float64, float64) { return xx / 2, xm, -mm / 2 }),
				Message: "The sign of the quadratic part is turned: the density falls far from its mean."},
			{Key: "covariance", Hint: 3, Value: func(e exponent) []float64 {
				x, m := mat.NewVecDense(len(e.x), e.x), mat.NewVecDense(len(e.mu), e.mu)
				return []float64{-mat.Inner(x, e.Sigma, x) / 2, mat.Inner(x, e.Sigma, m), -mat.Inner(m, e.Sigma, m) / 2}
			}, Message: "Your parts hold Σ where Σ⁻¹ belongs."},
			{Key: "no-covariance", Hint: 3, Value: func(e exponent) []float64 {
				return []float64{-floats.Dot(e.x, e.x) / 2, floats.Dot(e.x, e.mu), -floats.Dot(e.mu, e.mu) / 2}
			}, Message: "Your parts are those of the unit covariance: Σ⁻¹ is missing."},
		},
		Right: "They are the parts of the exponent, by multiplying out, and by the values of the exponent at x, −x and 0.",
	}
}

// judgeCancel puts the learner's parts of both classes together.
func judgeCancel(terms termsFunc) verify.Verdict {
	for _, p := range problems(8) {
		for _, x := range p.at {
			one, bad := askTerms(terms, exponent{p, x, p.mu1})
			if bad != nil {
				return *bad
			}
			two, bad := askTerms(terms, exponent{p, x, p.mu2})
			if bad != nil {
				return *bad
			}
			size := p.size(x) + math.Abs(p.quadratic(x))
			if f := verify.Close(one[0], two[0], verify.Tolerance{Abs: 1e-9 * size}); !f.OK {
				return verify.Fail("terms-no-cancellation", 2, "For “%s” your quadratic parts of the two classes differ at the same x: one is %s from the other. No mean occurs in them; with one covariance for both they are equal.", p.name, f.Off())
			}
			ratio := p.logDensity(x, p.mu1) - p.logDensity(x, p.mu2)
			if f := verify.Close(one[1]+one[2]-two[1]-two[2], ratio, verify.Tolerance{Abs: 1e-8 * size}); !f.OK {
				return verify.Fail("terms-ratio", 2, "For “%s” linear and constant part of class 1, minus those of class 2, are not the logarithm of the ratio of the densities: %s.", p.name, f.Off())
			}
		}
	}
	return verify.Pass("The quadratic parts do not know the class and cancel; what is left is linear in x, and the log ratio of the densities.")
}

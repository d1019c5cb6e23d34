package ex08_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex08"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	posteriorFunc = func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) (w []float64, w0 float64)
	termsFunc     = func(x, mu []float64, Sigma *mat.SymDense) (quadratic, linear, constant float64)
)

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex08.Exercise(), gate.Of(ex08.Check, Posterior), gate.Of(ex08.CheckSteps, Terms))
}

// explicitInverse returns an answer that computes the inverse of Sigma. The w of the answer is
// c·Σ⁻¹(μ1−μ2). The argument w0 computes the bias from μ1ᵀΣ⁻¹μ1, μ2ᵀΣ⁻¹μ2 and p1.
func explicitInverse(c float64, w0 func(q1, q2, p1 float64) float64) posteriorFunc {
	return func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
		var P mat.Dense
		if P.Inverse(Sigma) != nil {
			panic("no inverse")
		}
		w := gauss.Times(&P, instance.Minus(mu1, mu2))
		floats.Scale(c, w)
		return w, w0(floats.Dot(mu1, gauss.Times(&P, mu1)), floats.Dot(mu2, gauss.Times(&P, mu2)), p1)
	}
}

func right(q1, q2, p1 float64) float64 { return (q2-q1)/2 + math.Log(p1/(1-p1)) }

func TestRight(t *testing.T) {
	gate.Rights(t, ex08.Check, map[string]posteriorFunc{
		"reference": Posterior,
		"explicit inverse, (4.66) and (4.67) as printed": explicitInverse(1, right),
		"log ratio of the priors as a difference of logarithms": explicitInverse(1,
			func(q1, q2, p1 float64) float64 { return -q1/2 + q2/2 + math.Log(p1) - math.Log1p(-p1) }),
		"difference of the K-class forms, (4.69) and (4.70)": func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			class := func(mu []float64, p float64) ([]float64, float64) {
				w := gauss.Solve(Sigma, mu)
				return w, -floats.Dot(mu, w)/2 + math.Log(p)
			}
			v, v0 := class(mu1, p1)
			u, u0 := class(mu2, 1-p1)
			return instance.Minus(v, u), v0 - u0
		},
		"whitened": func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			root := gauss.Power(Sigma, -0.5)
			z1, z2 := gauss.Times(root, mu1), gauss.Times(root, mu2)
			return gauss.Times(root, instance.Minus(z1, z2)), right(floats.Dot(z1, z1), floats.Dot(z2, z2), p1)
		},
		"w and w0 from log odds of the densities": func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64,
			float64) {
			var chol mat.Cholesky
			chol.Factorize(Sigma)
			odds := func(x []float64) float64 {
				return distmv.NormalLogProb(x, mu1, &chol) - distmv.NormalLogProb(x, mu2, &chol) + math.Log(p1/(1-p1))
			}
			x, w := make([]float64, len(mu1)), make([]float64, len(mu1))
			w0 := odds(x)
			for j := range w {
				x[j] = math.Sqrt(Sigma.At(j, j)) + math.Abs(mu1[j])
				w[j] = (odds(x) - w0) / x[j]
				x[j] = 0
			}
			return w, w0
		},
	})
	gate.Rights(t, ex08.CheckSteps, map[string]termsFunc{
		"reference": Terms,
		"both mixed products, entry by entry": func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			var P mat.Dense
			_ = P.Inverse(Sigma)
			for i := range x {
				for j := range x {
					q -= 0.5 * x[i] * P.At(i, j) * x[j]
					l += 0.5 * (x[i]*P.At(i, j)*mu[j] + mu[i]*P.At(i, j)*x[j])
					c -= 0.5 * mu[i] * P.At(i, j) * mu[j]
				}
			}
			return q, l, c
		},
		"whitened": func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			root := gauss.Power(Sigma, -0.5)
			a, b := gauss.Times(root, x), gauss.Times(root, mu)
			return -floats.Dot(a, a) / 2, floats.Dot(a, b), -floats.Dot(b, b) / 2
		},
		"linear part computed from the exponent and the other two parts": func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			q, _, c = Terms(x, mu, Sigma)
			all, _, _ := Terms(instance.Minus(x, mu), mu, Sigma)
			return q, all - q - c, c
		},
	})
}

// TestWrong checks wrong answers that are not in the tables of mistakes in check.go. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	after := func(f func(w []float64, w0 *float64)) posteriorFunc {
		return func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			w, w0 := Posterior(mu1, mu2, Sigma, p1)
			f(w, &w0)
			return w, w0
		}
	}
	// withJitter returns an answer that calls Posterior with changed arguments: it adds `jitter` to
	// the diagonal of Sigma and replaces p1 with prior(p1).
	withJitter := func(jitter float64, prior func(p1 float64) float64) posteriorFunc {
		return func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			s := mat.NewSymDense(len(mu1), nil)
			s.CopySym(Sigma)
			for i := range mu1 {
				s.SetSym(i, i, s.At(i, i)+jitter)
			}
			return Posterior(mu1, mu2, s, prior(p1))
		}
	}
	jitter := func(c float64) posteriorFunc { return withJitter(c, func(p1 float64) float64 { return p1 }) }
	clip := func(low, high float64) posteriorFunc {
		return withJitter(0, func(p1 float64) float64 { return math.Max(low, math.Min(high, p1)) })
	}
	gate.Wrongs(t, ex08.Exercise(), ex08.Check, map[string][]posteriorFunc{
		"w-factor":  {explicitInverse(0.5, right), explicitInverse(2, right), explicitInverse(-2, right)},
		"w":         {after(func(w []float64, _ *float64) { w[0] += 0.01 })},
		"w-nearly":  {jitter(1e-9), after(func(w []float64, _ *float64) { floats.Scale(1+1e-7, w) })},
		"units":     {jitter(1e-14)},
		"bayes":     {after(func(w []float64, _ *float64) { w[0] += 0.01 })},
		"w0":        {after(func(_ []float64, w0 *float64) { *w0 += 0.1 })},
		"w0-nearly": {after(func(_ []float64, w0 *float64) { *w0 += 1e-6 })},
		"limited-prior": {clip(1e-6, 1-1e-6), clip(1e-9, 1-1e-9), clip(1e-12, 1-1e-12), clip(1e-15, 1-1e-15),
			clip(1e-100, 1)},
		"not-antisymmetric": {explicitInverse(1,
			func(q1, q2, p1 float64) float64 { return (q1-q2)/2 + 1 - math.Log(p1/(1-p1)) })},
		"prior": {explicitInverse(1, func(q1, q2, p1 float64) float64 { return (q2-q1)/2 + 3*math.Log(p1/(1-p1)) }),
			unusualPrior},
		"prior-missing":  {explicitInverse(1, func(q1, q2, _ float64) float64 { return q2 - q1 })},
		"prior-inverted": {explicitInverse(1, func(q1, q2, p1 float64) float64 { return q2 - q1 + math.Log((1-p1)/p1) })},
		"prior-of-one":   {explicitInverse(1, func(q1, q2, p1 float64) float64 { return q2 - q1 + math.Log(p1) })},
		"w-prior": {func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			w, w0 := Posterior(mu1, mu2, Sigma, p1)
			floats.Scale(p1/(1-p1), w)
			return w, w0
		}},
		"wrong-length": {func(_, _ []float64, _ *mat.SymDense, _ float64) ([]float64,
			float64) {
			return make([]float64, 9), 0
		}},
	})
	scaled := func(a, b, d float64) termsFunc {
		return func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			q, l, c = Terms(x, mu, Sigma)
			return a * q, b * l, d * c
		}
	}
	gate.Wrongs(t, ex08.Exercise(), ex08.CheckSteps, map[string][]termsFunc{
		"terms-sign":   {scaled(-1, -1, -1)},
		"terms-factor": {scaled(1./3, 1./3, 1./3)},
		"terms-nearly": {scaled(1+1e-7, 1, 1)},
		"terms-value":  {scaled(1, 1, 3)},
		"terms-no-cancellation": {func(x, mu []float64, Sigma *mat.SymDense) (q, l, c float64) {
			q, l, c = Terms(x, mu, Sigma)
			return q + l + c, 0, 0
		}},
		"terms-ratio": {scaled(2, 2, 2)},
	})
}

// unusualPrior is wrong only for the prior 0.35. Check uses this prior in the part of the report that
// changes p1, and for one problem of the part on units.
func unusualPrior(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
	w, w0 := Posterior(mu1, mu2, Sigma, p1)
	if p1 == 0.05+0.5*0.6 {
		w0 = math.NaN()
	}
	return w, w0
}

// TestBiasByItself checks that Check judges w0 separately from w. The answer in this test scales w
// to length 1, which gives NaN if both classes have the same mean. The answer's w0 is always right.
func TestBiasByItself(t *testing.T) {
	r := ex08.Check(func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
		w, w0 := Posterior(mu1, mu2, Sigma, p1)
		floats.Scale(1/floats.Norm(w, 2), w)
		return w, w0
	})
	if w, w0 := r.Parts[1], r.Parts[2]; w.Key != "unit-length" || w0.Outcome != verify.Right {
		t.Errorf("want the key \"unit-length\" for w and a Right w0; got the message on w: %s\nand the message on w0: %s", w.Message, w0.Message)
	}
}

func ExampleCheck() {
	noPrior := explicitInverse(1, func(q1, q2, _ float64) float64 { return (q2 - q1) / 2 })
	fmt.Println(ex08.Check(noPrior).Parts[2].Message)
	// Output: The prior is missing in your w0. A class that is rare is less probable at every x.
}

func ExampleCheckSteps() {
	fmt.Println(ex08.CheckSteps(Terms).Summary())
	// Output: passed: all 2 parts right
}

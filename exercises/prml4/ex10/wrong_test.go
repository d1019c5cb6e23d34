package ex10_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex10"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrong(t *testing.T) {
	after := func(f func(mu *mat.Dense, sigma *mat.SymDense)) fitFunc {
		return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, sigma := Fit(Phi, labels, K)
			f(mu, sigma)
			return mu, sigma
		}
	}
	scaled := func(c func(n, k float64) float64) fitFunc {
		return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, sigma := Fit(Phi, labels, K)
			sigma.ScaleSym(c(float64(len(labels)), float64(K)), sigma)
			return mu, sigma
		}
	}
	// weighted sums c(N_k, N, K) times the class scatters.
	weighted := func(c func(nk, n, k float64) float64) fitFunc {
		return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, _ := Fit(Phi, labels, K)
			_, m := Phi.Dims()
			sigma := mat.NewSymDense(m, nil)
			for k := range K {
				X := class(Phi, labels, k)
				nk, _ := X.Dims()
				own := mat.DenseCopyOf(mu.Slice(k, k+1, 0, m))
				sigma.AddSym(sigma, symmetric(c(float64(nk), float64(len(labels)), float64(K)), residuals(X, make([]int, nk), own)))
			}
			return mu, sigma
		}
	}
	// means changes the means and leaves the covariance.
	means := func(f func(nk, n, k float64) float64) fitFunc {
		return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, sigma := Fit(Phi, labels, K)
			count := make([]float64, K)
			for _, k := range labels {
				count[k]++
			}
			mu.Apply(func(k, _ int, v float64) float64 { return v * f(count[k], float64(len(labels)), float64(K)) }, mu)
			return mu, sigma
		}
	}
	global := func(Phi *mat.Dense, labels []int, K int) *mat.Dense {
		n, m := Phi.Dims()
		mu := mat.NewDense(K, m, nil)
		mu.Apply(func(_, j int, _ float64) float64 { return mat.Sum(Phi.ColView(j)) / float64(n) }, mu)
		return mu
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    fitFunc
	}{
		{"N−K", "n-minus-k", scaled(func(n, k float64) float64 { return n / (n - k) })},
		{"N−1", "n-minus-1", scaled(func(n, _ float64) float64 { return n / (n - 1) })},
		{"twice is not the largest", "not-largest", scaled(func(_, _ float64) float64 { return 2 })},
		{"plain average", "unweighted", weighted(func(nk, _, k float64) float64 { return 1 / nk / k })},
		{"plain average of unbiased covariances", "unweighted", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, _ := Fit(Phi, labels, K)
			_, m := Phi.Dims()
			sigma := mat.NewSymDense(m, nil)
			for k := range K {
				var s mat.SymDense
				stat.CovarianceMatrix(&s, class(Phi, labels, k), nil)
				s.ScaleSym(1/float64(K), &s)
				sigma.AddSym(sigma, &s)
			}
			return mu, sigma
		}},
		{"weights on unbiased covariances", "unbiased-classes", weighted(func(nk, n, _ float64) float64 { return nk / n / math.Max(1, nk-1) })},
		{"sum of covariances", "sum-of-covariances", weighted(func(nk, _, _ float64) float64 { return 1 / nk })},
		{"scatter", "scatter", scaled(func(n, _ float64) float64 { return n })},
		{"weighted twice", "twice-weighted", weighted(func(nk, n, _ float64) float64 { return nk / n })},
		{"half", "half", scaled(func(_, _ float64) float64 { return 0.5 })},
		{"twice", "factor", scaled(func(_, _ float64) float64 { return 2 })},
		{"total covariance", "total-covariance", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, _ := Fit(Phi, labels, K)
			return mu, symmetric(1/float64(len(labels)), residuals(Phi, labels, global(Phi, labels, K)))
		}},
		{"an entry off, seen by the weights", "weights", after(func(_ *mat.Dense, sigma *mat.SymDense) { sigma.SetSym(0, 0, 1.01*sigma.At(0, 0)) })},
		{"global mean", "global-mean", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu := global(Phi, labels, K)
			return mu, symmetric(1/float64(len(labels)), residuals(Phi, labels, mu))
		}},
		{"not centred", "not-centred", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, _ := Fit(Phi, labels, K)
			return mu, symmetric(1/float64(len(labels)), Phi)
		}},
		{"diagonal", "diagonal-only", after(func(_ *mat.Dense, sigma *mat.SymDense) {
			for i := range sigma.SymmetricDim() {
				for j := range i {
					sigma.SetSym(i, j, 0)
				}
			}
		})},
		{"precision", "inverse", after(func(_ *mat.Dense, sigma *mat.SymDense) {
			var c mat.Cholesky
			if c.Factorize(sigma) {
				_ = c.InverseTo(sigma)
			}
		})},
		{"root", "standard-deviations", after(func(_ *mat.Dense, sigma *mat.SymDense) { _ = sigma.PowPSD(sigma, 0.5) })},
		{"negative", "factor", scaled(func(_, _ float64) float64 { return -1 })},
		{"negative is no covariance", "not-positive-definite", scaled(func(_, _ float64) float64 { return -1 })},
		{"zero", "not-positive-definite", after(func(_ *mat.Dense, sigma *mat.SymDense) { sigma.Zero() })},
		{"an entry off", "covariance", after(func(_ *mat.Dense, sigma *mat.SymDense) { sigma.SetSym(0, 0, 1.01*sigma.At(0, 0)) })},
		{"means divided by N", "mean-divided-by-n", means(func(nk, n, _ float64) float64 { return nk / n })},
		{"means divided by N_k−1", "mean-n-minus-1", means(func(nk, _, _ float64) float64 { return nk / math.Max(1, nk-1) })},
		{"means divided by K", "mean-divided-by-k", means(func(nk, _, k float64) float64 { return nk / k })},
		{"sums", "sums", means(func(nk, _, _ float64) float64 { return nk })},
		{"a mean moved", "mean", after(func(mu *mat.Dense, _ *mat.SymDense) { mu.Set(0, 0, mu.At(0, 0)+0.01) })},
		{"means in reverse order", "reversed", after(func(mu *mat.Dense, _ *mat.SymDense) {
			k, _ := mu.Dims()
			for i := range k / 2 {
				top := append([]float64(nil), mu.RawRowView(i)...)
				mu.SetRow(i, mu.RawRowView(k-1-i))
				mu.SetRow(k-1-i, top)
			}
		})},
		{"means in columns", "transposed", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, sigma := Fit(Phi, labels, K)
			return mat.DenseCopyOf(mu.T()), sigma
		}},
		{"nil mu", "empty", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			_, sigma := Fit(Phi, labels, K)
			return nil, sigma
		}},
		{"nil Sigma", "empty", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, _ := Fit(Phi, labels, K)
			return mu, nil
		}},
		{"empty Sigma", "empty", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, _ := Fit(Phi, labels, K)
			return mu, &mat.SymDense{}
		}},
		{"N×N", "wrong-shape", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, _ := Fit(Phi, labels, K)
			return mu, mat.NewSymDense(len(labels), nil)
		}},
		{"not a number", "not-finite", after(func(mu *mat.Dense, _ *mat.SymDense) { mu.Set(0, 0, math.NaN()) })},
		{"infinite", "not-finite", after(func(_ *mat.Dense, sigma *mat.SymDense) { sigma.SetSym(0, 0, math.Inf(1)) })},
		{"huge", "not-positive-definite", after(func(mu *mat.Dense, sigma *mat.SymDense) {
			mu.Set(0, 0, math.MaxFloat64)
			for i := range sigma.SymmetricDim() {
				for j := range i + 1 {
					sigma.SetSym(i, j, math.MaxFloat64)
				}
			}
		})},
		{"centres Phi in place", "mutates-inputs", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, sigma := Fit(Phi, labels, K)
			Phi.Copy(residuals(Phi, labels, mu))
			return mu, sigma
		}},
		{"labels from 1", "mutates-inputs", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, sigma := Fit(Phi, labels, K)
			for i := range labels {
				labels[i]++
			}
			return mu, sigma
		}},
		{"changes", "not-constant", after(func(mu *mat.Dense, _ *mat.SymDense) { calls++; mu.Set(0, 0, mu.At(0, 0)+calls) })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex10.Exercise(), ex10.Check(tc.answer), tc.key) })
	}
}

func TestWrongSteps(t *testing.T) {
	// terms is a·Σ + b·S with the sum S over all points.
	terms := func(f func(n float64) (a, b float64)) gradientFunc {
		return func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
			a, b := f(float64(len(labels)))
			var g mat.Dense
			g.Scale(a, Sigma)
			g.Add(&g, symmetric(b, residuals(Phi, labels, mu)))
			return &g
		}
	}
	after := func(f func(g *mat.Dense)) gradientFunc {
		return func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
			g := Gradient(Phi, labels, mu, Sigma)
			f(g)
			return g
		}
	}
	for _, tc := range []struct {
		name, key string
		answer    gradientFunc
	}{
		{"signs", "gradient-sign", terms(func(n float64) (float64, float64) { return -n / 2, 0.5 })},
		{"no ½", "gradient-half", terms(func(n float64) (float64, float64) { return n, -1 })},
		{"no ½ in the second term", "gradient-half", terms(func(n float64) (float64, float64) { return n / 2, -1 })},
		{"no ½ in the first term", "gradient-half", terms(func(n float64) (float64, float64) { return n, -0.5 })},
		{"no N", "gradient-n", terms(func(float64) (float64, float64) { return 0.5, -0.5 })},
		{"plus", "gradient-plus", terms(func(n float64) (float64, float64) { return n / 2, 0.5 })},
		{"no determinant", "gradient-determinant", terms(func(float64) (float64, float64) { return 0, -0.5 })},
		{"averaged", "gradient-averaged", terms(func(n float64) (float64, float64) { return 0.5, -0.5 / n })},
		{"Σ⁻¹ for Σ", "gradient-precision", func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
			var g mat.Dense
			_ = g.Inverse(Sigma)
			g.Scale(float64(len(labels))/2, &g)
			g.Add(&g, symmetric(-0.5, residuals(Phi, labels, mu)))
			return &g
		}},
		{"with respect to Σ", "gradient-sigma", func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
			var P, g mat.Dense
			_ = P.Inverse(Sigma)
			g.Product(&P, symmetric(1, residuals(Phi, labels, mu)), &P)
			P.Scale(float64(len(labels)), &P)
			g.Sub(&g, &P)
			g.Scale(0.5, &g)
			return &g
		}},
		{"off-diagonals doubled", "gradient", after(func(g *mat.Dense) {
			g.Apply(func(i, j int, v float64) float64 {
				if i != j {
					return 2 * v
				}
				return v
			}, g)
		})},
		{"not zero at the maximum", "not-zero", after(func(g *mat.Dense) { g.Set(0, 0, g.At(0, 0)+1) })},
		{"zero", "always-zero", after(func(g *mat.Dense) { g.Zero() })},
		{"nil", "empty", func(*mat.Dense, []int, *mat.Dense, *mat.SymDense) *mat.Dense { return nil }},
		{"not a number", "not-finite", after(func(g *mat.Dense) { g.Set(0, 0, math.NaN()) })},
		{"huge", "gradient", after(func(g *mat.Dense) { g.Set(0, 0, math.MaxFloat64) })},
		{"scales Sigma", "mutates-inputs", func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
			g := Gradient(Phi, labels, mu, Sigma)
			Sigma.ScaleSym(2, Sigma)
			return g
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex10.Exercise(), ex10.CheckSteps(tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex10.Check(func(*mat.Dense, []int, int) (*mat.Dense, *mat.SymDense) { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex10.Check(func(*mat.Dense, []int, int) (*mat.Dense, *mat.SymDense) { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex10.Check(nil), verify.Crashed)
	gate.Outcome(t, ex10.CheckSteps(func(*mat.Dense, []int, *mat.Dense, *mat.SymDense) *mat.Dense { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex10.CheckSteps(func(*mat.Dense, []int, *mat.Dense, *mat.SymDense) *mat.Dense { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex10.CheckSteps(nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex10.Check(Fit).String(), ex10.Check(Fit).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	pooled := func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
		mu, sigma := Fit(Phi, labels, K)
		n := float64(len(labels))
		sigma.ScaleSym(n/(n-float64(K)), sigma)
		return mu, sigma
	}
	fmt.Println(ex10.Check(pooled).Parts[2].Message)
	// Output: Your Sigma is divided by N−K: the unbiased, pooled covariance. A good estimate, but the maximum of the likelihood divides by N.
}

func ExampleCheckSteps() {
	fmt.Println(ex10.CheckSteps(Gradient).Summary())
	// Output: passed: all 2 parts right
}

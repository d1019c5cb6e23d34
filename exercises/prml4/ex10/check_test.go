package ex10_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex10"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	fitFunc      = func(Phi *mat.Dense, labels []int, K int) (mu *mat.Dense, Sigma *mat.SymDense)
	gradientFunc = func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense
)

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex10.Exercise(), gate.Of(ex10.Check, Fit), gate.Of(ex10.CheckSteps, Gradient))
}

// weightedLibrary returns an answer with the right means. The Sigma of the answer is a weighted sum
// of the class covariances that the library gonum computes, with the divisors N_k − 1. A class with
// a single point adds nothing to this sum.
func weightedLibrary(weight func(nk, n, k float64) float64) fitFunc {
	return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
		mu, sigma := Fit(Phi, labels, K)
		_, m := Phi.Dims()
		sigma.Zero()
		for k := range K {
			var rows []float64
			for i, l := range labels {
				if l == k {
					rows = append(rows, Phi.RawRowView(i)...)
				}
			}
			if nk := len(rows) / m; nk > 1 {
				var s mat.SymDense
				stat.CovarianceMatrix(&s, mat.NewDense(nk, m, rows), nil)
				s.ScaleSym(weight(float64(nk), float64(len(labels)), float64(K)), &s)
				sigma.AddSym(sigma, &s)
			}
		}
		return mu, sigma
	}
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex10.Check, map[string]fitFunc{
		"reference": Fit,
		"weighted class covariances from the library": weightedLibrary(func(nk, n, _ float64) float64 { return (nk - 1) / n }),
		"means from 1-of-K targets, and total scatter minus between-class scatter": func(Phi *mat.Dense, labels []int, K int) (*mat.Dense,
			*mat.SymDense) {
			T := instance.OneOfK(labels, K)
			var counts, mu, placed mat.Dense
			counts.Mul(T.T(), T) // diagonal
			mu.Mul(T.T(), Phi)
			_ = mu.Solve(&counts, &mu)
			placed.Mul(T, &mu)
			sigma, between := instance.Scatter(Phi, instance.Mean(Phi)), instance.Scatter(&placed, instance.Mean(Phi))
			between.ScaleSym(-1, between)
			sigma.AddSym(sigma, between)
			sigma.ScaleSym(1/float64(len(labels)), sigma)
			return &mu, sigma
		},
	})
	gate.Rights(t, ex10.CheckSteps, map[string]gradientFunc{"reference": Gradient})
}

// TestWrong checks wrong answers that are not in the tables of mistakes in check.go. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	// changedWhere returns an answer that applies f to the right result if wanted(N, M, K) is true.
	changedWhere := func(wanted func(n, m, k int) bool, f func(mu *mat.Dense, sigma *mat.SymDense)) fitFunc {
		return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, sigma := Fit(Phi, labels, K)
			if n, m := Phi.Dims(); wanted(n, m, K) {
				f(mu, sigma)
			}
			return mu, sigma
		}
	}
	after := func(f func(mu *mat.Dense, sigma *mat.SymDense)) fitFunc {
		return changedWhere(func(_, _, _ int) bool { return true }, f)
	}
	few := func(n, m, _ int) bool { return n < m }
	times := func(c float64) fitFunc {
		return after(func(_ *mat.Dense, sigma *mat.SymDense) { sigma.ScaleSym(c, sigma) })
	}
	entry := func(c float64) fitFunc {
		return after(func(_ *mat.Dense, sigma *mat.SymDense) { sigma.SetSym(0, 0, c*sigma.At(0, 0)) })
	}
	jitter := func(c float64) fitFunc {
		return after(func(_ *mat.Dense, sigma *mat.SymDense) {
			for i := range sigma.SymmetricDim() {
				sigma.SetSym(i, i, sigma.At(i, i)+c)
			}
		})
	}
	zero := func(_ *mat.Dense, sigma *mat.SymDense) { sigma.Zero() }
	one := func(_ *mat.Dense, sigma *mat.SymDense) { sigma.SetSym(0, 0, 1) }
	gate.Wrongs(t, ex10.Exercise(), ex10.Check, map[string][]fitFunc{
		"factor":                {times(2), times(-1)},
		"not-largest":           {times(2)},
		"not-positive-definite": {times(-1), after(zero)},
		"covariance":            {entry(1.01), after(zero)},
		"weights":               {entry(1.01)},
		"covariance-nearly":     {entry(1 + 1e-4), jitter(1e-8)},
		"mean": {after(func(mu *mat.Dense, _ *mat.SymDense) { mu.Set(0, 0, mu.At(0, 0)+0.1) }),
			changedWhere(few, func(mu *mat.Dense, _ *mat.SymDense) { mu.Set(0, 0, 0) })},
		"mean-nearly": {after(func(mu *mat.Dense, _ *mat.SymDense) { mu.Set(0, 0, mu.At(0, 0)*(1+1e-10)) })},
		"limits": {
			changedWhere(few, zero),
			changedWhere(func(n, _, k int) bool { return n == k }, one),
			changedWhere(func(n, _, _ int) bool { return n == 1 }, one),
			changedWhere(func(n, m, _ int) bool { return n == 2 && m == 1 }, zero),
		},
		"transposed": {func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, sigma := Fit(Phi, labels, K)
			return mat.DenseCopyOf(mu.T()), sigma
		}},
	})
	but := func(f func(g *mat.Dense)) gradientFunc {
		return func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
			g := Gradient(Phi, labels, mu, Sigma)
			f(g)
			return g
		}
	}
	gate.Wrongs(t, ex10.Exercise(), ex10.CheckSteps, map[string][]gradientFunc{
		"gradient": {but(func(g *mat.Dense) { g.Set(0, 0, g.At(0, 0)+1) }),
			but(func(g *mat.Dense) { g.Zero() })},
		"not-zero":        {but(func(g *mat.Dense) { g.Set(0, 0, g.At(0, 0)+1) })},
		"always-zero":     {but(func(g *mat.Dense) { g.Zero() })},
		"gradient-factor": {but(func(g *mat.Dense) { g.Scale(3, g) })},
		"gradient-nearly": {but(func(g *mat.Dense) { g.Scale(1+1e-5, g) }),
			but(func(g *mat.Dense) { g.Scale(1+1e-8, g) })},
	})
}

// pooled returns the right means, and the pooled covariance S_W/(N−K) as Sigma. The right divisor
// is N.
func pooled(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
	mu, sigma := Fit(Phi, labels, K)
	n := float64(len(labels))
	sigma.ScaleSym(n/(n-float64(K)), sigma)
	return mu, sigma
}

// TestMeansByThemselves checks that Check judges the means separately from Sigma. If N = K, a Sigma
// divided by N−K is not finite, but the means are right.
func TestMeansByThemselves(t *testing.T) {
	if p := ex10.Check(pooled).Parts[1]; p.Outcome != verify.Right {
		t.Errorf("the part on the means has the outcome %s, want Right: %s", p.Outcome, p.Message)
	}
}

func ExampleCheck() {
	fmt.Println(ex10.Check(pooled).Parts[2].Message)
	// Output: Your Sigma is S_W/(N−K), the unbiased pooled covariance. It is a good estimate, but the maximum-likelihood estimate divides by N.
}

/*
Equivalent mutants

Fit: v := floats.SubTo(make([]float64, m), Phi.RawRowView(i), mu.RawRowView(k)) → v := floats.SubTo(make([]float64, m), mu.RawRowView(k), Phi.RawRowView(i))
Gradient: mat.NewVecDense(m, floats.SubTo(make([]float64, m), Phi.RawRowView(i), mu.RawRowView(k))) → mat.NewVecDense(m, floats.SubTo(make([]float64, m), mu.RawRowView(k), Phi.RawRowView(i)))
    Only vvᵀ is used, and (−v)(−v)ᵀ = vvᵀ.
*/

package ex10_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex10"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	fitFunc      = func(Phi *mat.Dense, labels []int, K int) (mu *mat.Dense, Sigma *mat.SymDense)
	gradientFunc = func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense
)

func TestFunctions(t *testing.T) {
	gate.Known(t, ex10.Exercise())
	gate.Function(t, ex10.Exercise(), ex10.Check, Fit)
	gate.Function(t, ex10.Exercise(), ex10.CheckSteps, Gradient)
}

// class returns the rows of one class.
func class(Phi *mat.Dense, labels []int, k int) *mat.Dense {
	_, m := Phi.Dims()
	var rows []float64
	for i, l := range labels {
		if l == k {
			rows = append(rows, Phi.RawRowView(i)...)
		}
	}
	return mat.NewDense(len(rows)/m, m, rows)
}

// oneOfK is the N×K matrix of targets.
func oneOfK(labels []int, K int) *mat.Dense {
	T := mat.NewDense(len(labels), K, nil)
	for i, k := range labels {
		T.Set(i, k, 1)
	}
	return T
}

// residuals are Φ − Tμ, N×M.
func residuals(Phi *mat.Dense, labels []int, mu *mat.Dense) *mat.Dense {
	K, _ := mu.Dims()
	var r mat.Dense
	r.Mul(oneOfK(labels, K), mu)
	r.Sub(Phi, &r)
	return &r
}

// symmetric is c·XᵀX.
func symmetric(c float64, X *mat.Dense) *mat.SymDense {
	var s mat.SymDense
	s.SymOuterK(c, X.T())
	return &s
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex10.Check, map[string]fitFunc{
		"reference": Fit,
		"1-of-K targets and residuals": func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			T := oneOfK(labels, K)
			var counts, mu mat.Dense
			counts.Mul(T.T(), T) // diagonal
			mu.Mul(T.T(), Phi)
			_ = mu.Solve(&counts, &mu)
			return &mu, symmetric(1/float64(len(labels)), residuals(Phi, labels, &mu))
		},
		"weighted class covariances of the library": func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			_, m := Phi.Dims()
			mu, sigma := mat.NewDense(K, m, nil), mat.NewSymDense(m, nil)
			for k := range K {
				X := class(Phi, labels, k)
				nk, _ := X.Dims()
				for j := range m {
					mu.Set(k, j, stat.Mean(mat.Col(nil, j, X), nil))
				}
				if nk > 1 {
					var s mat.SymDense
					stat.CovarianceMatrix(&s, X, nil)
					s.ScaleSym(float64(nk-1)/float64(len(labels)), &s)
					sigma.AddSym(sigma, &s)
				}
			}
			return mu, sigma
		},
		"total minus between": func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, _ := Fit(Phi, labels, K)
			n, m := Phi.Dims()
			all := mat.NewDense(1, m, nil)
			for j := range m {
				all.Set(0, j, mat.Sum(Phi.ColView(j))/float64(n))
			}
			origin := make([]int, n) // every point in one class
			total := symmetric(1/float64(n), residuals(Phi, origin, all))
			var placed mat.Dense
			placed.Mul(oneOfK(labels, K), mu)
			between := symmetric(-1/float64(n), residuals(&placed, origin, all))
			total.AddSym(total, between)
			return mu, total
		},
		"running means and scatters": func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			n, m := Phi.Dims()
			mu, sigma, seen := mat.NewDense(K, m, nil), mat.NewSymDense(m, nil), make([]float64, K)
			for i, k := range labels {
				before := mat.NewVecDense(m, nil)
				before.SubVec(Phi.RowView(i), mu.RowView(k))
				c := seen[k] / (seen[k] + 1)
				seen[k]++
				for j := range m {
					mu.Set(k, j, mu.At(k, j)+before.AtVec(j)/seen[k])
				}
				sigma.SymRankOne(sigma, c/float64(n), before)
			}
			return mu, sigma
		},
	})
	gate.Rights(t, ex10.CheckSteps, map[string]gradientFunc{
		"reference": Gradient,
		"½N(Σ − S)": func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
			n := float64(len(labels))
			var g mat.Dense
			g.Sub(Sigma, symmetric(1/n, residuals(Phi, labels, mu)))
			g.Scale(n/2, &g)
			return &g
		},
		"inverse of the inverse, trace form": func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
			var P, back mat.Dense
			_ = P.Inverse(Sigma)
			_ = back.Inverse(P.T())
			var g mat.Dense
			g.Scale(float64(len(labels)), &back)
			g.Sub(&g, symmetric(1, residuals(Phi, labels, mu)))
			g.Scale(0.5, &g)
			return &g
		},
		"point by point": func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
			g := mat.NewDense(Sigma.SymmetricDim(), Sigma.SymmetricDim(), nil)
			g.Apply(func(i, j int, _ float64) (v float64) {
				for n, k := range labels {
					v += (Sigma.At(i, j) - (Phi.At(n, i)-mu.At(k, i))*(Phi.At(n, j)-mu.At(k, j))) / 2
				}
				return v
			}, g)
			return g
		},
	})
}

// TestWrong: answers that the tables of mistakes do not hold, by key.
func TestWrong(t *testing.T) {
	after := func(f func(mu *mat.Dense, sigma *mat.SymDense)) fitFunc {
		return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, sigma := Fit(Phi, labels, K)
			f(mu, sigma)
			return mu, sigma
		}
	}
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
	// averaged is a mean of the library's class covariances, with 0 for a single point.
	averaged := func(weight func(nk, n, k float64) float64) fitFunc {
		return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, sigma := Fit(Phi, labels, K)
			sigma.Zero()
			for k := range K {
				X := class(Phi, labels, k)
				if nk, _ := X.Dims(); nk > 1 {
					var s mat.SymDense
					stat.CovarianceMatrix(&s, X, nil)
					s.ScaleSym(weight(float64(nk), float64(len(labels)), float64(K)), &s)
					sigma.AddSym(sigma, &s)
				}
			}
			return mu, sigma
		}
	}
	// small is another answer where there are few points.
	small := func(wanted func(n, m, k int) bool, f func(mu *mat.Dense, sigma *mat.SymDense)) fitFunc {
		return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, sigma := Fit(Phi, labels, K)
			if n, m := Phi.Dims(); wanted(n, m, K) {
				f(mu, sigma)
			}
			return mu, sigma
		}
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
		"mean":                  {after(func(mu *mat.Dense, _ *mat.SymDense) { mu.Set(0, 0, mu.At(0, 0)+0.1) }), small(func(n, m, _ int) bool { return n < m }, func(mu *mat.Dense, _ *mat.SymDense) { mu.Set(0, 0, 0) })},
		"mean-nearly":           {after(func(mu *mat.Dense, _ *mat.SymDense) { mu.Set(0, 0, mu.At(0, 0)*(1+1e-6)) })},
		"unweighted":            {averaged(func(_, _, k float64) float64 { return 1 / k })},
		"unbiased-classes":      {averaged(func(nk, n, _ float64) float64 { return nk / n })},
		"limits": {
			small(func(n, m, _ int) bool { return n < m }, zero),
			small(func(n, _, k int) bool { return n == k }, one),
			small(func(n, _, _ int) bool { return n == 1 }, one),
			small(func(n, m, _ int) bool { return n == 2 && m == 1 }, zero),
			jitter(1e-13),
		},
		"transposed": {func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, sigma := Fit(Phi, labels, K)
			return mat.DenseCopyOf(mu.T()), sigma
		}},
		"empty": {func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, _ := Fit(Phi, labels, K)
			return mu, &mat.SymDense{}
		}},
		"wrong-shape": {func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			mu, _ := Fit(Phi, labels, K)
			return mu, mat.NewSymDense(len(labels), nil)
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
		"gradient":        {but(func(g *mat.Dense) { g.Set(0, 0, g.At(0, 0)+1) }), but(func(g *mat.Dense) { g.Zero() })},
		"not-zero":        {but(func(g *mat.Dense) { g.Set(0, 0, g.At(0, 0)+1) })},
		"always-zero":     {but(func(g *mat.Dense) { g.Zero() })},
		"gradient-factor": {but(func(g *mat.Dense) { g.Scale(3, g) })},
		"gradient-nearly": {but(func(g *mat.Dense) { g.Scale(1+1e-5, g) }), but(func(g *mat.Dense) { g.Scale(1+1e-8, g) })},
	})
}

// pooled divides by N−K.
func pooled(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
	mu, sigma := Fit(Phi, labels, K)
	n := float64(len(labels))
	sigma.ScaleSym(n/(n-float64(K)), sigma)
	return mu, sigma
}

// TestMeansByThemselves: where N−K is 0 a Sigma divided by it is not finite, and the
// means are right.
func TestMeansByThemselves(t *testing.T) {
	if p := ex10.Check(pooled).Parts[1]; p.Outcome != verify.Right {
		t.Errorf("the means are not judged by themselves: %s", p.Message)
	}
}

func ExampleCheck() {
	fmt.Println(ex10.Check(pooled).Parts[2].Message)
	// Output: Your Sigma is divided by N−K: the unbiased, pooled covariance. A good estimate, but the maximum of the likelihood divides by N.
}

func ExampleCheckSteps() {
	fmt.Println(ex10.CheckSteps(Gradient).Summary())
	// Output: passed: all 3 parts right
}

/*
Equivalent mutants

Fit: v := floats.SubTo(make([]float64, m), Phi.RawRowView(i), mu.RawRowView(k)) → v := floats.SubTo(make([]float64, m), mu.RawRowView(k), Phi.RawRowView(i))
Gradient: mat.NewVecDense(m, floats.SubTo(make([]float64, m), Phi.RawRowView(i), mu.RawRowView(k))) → mat.NewVecDense(m, floats.SubTo(make([]float64, m), mu.RawRowView(k), Phi.RawRowView(i)))
    v changes its sign, and only vvᵀ is used: (−v)(−v)ᵀ = vvᵀ.
*/

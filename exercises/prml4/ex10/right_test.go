package ex10_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex10"
)

type (
	fitFunc      = func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense)
	gradientFunc = func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense
)

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
	for _, tc := range []struct {
		name   string
		answer fitFunc
	}{
		{"reference", Fit},
		{"1-of-K targets and residuals", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
			T := oneOfK(labels, K)
			var counts, mu mat.Dense
			counts.Mul(T.T(), T) // diagonal
			mu.Mul(T.T(), Phi)
			_ = mu.Solve(&counts, &mu)
			return &mu, symmetric(1/float64(len(labels)), residuals(Phi, labels, &mu))
		}},
		{"weighted class covariances of the library", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
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
		}},
		{"total minus between", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
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
		}},
		{"running means and scatters", func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
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
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex10.Check(tc.answer)) })
	}
}

func TestRightSteps(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer gradientFunc
	}{
		{"reference", Gradient},
		{"½N(Σ − S)", func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
			n := float64(len(labels))
			var g mat.Dense
			g.Sub(Sigma, symmetric(1/n, residuals(Phi, labels, mu)))
			g.Scale(n/2, &g)
			return &g
		}},
		{"inverse of the inverse, trace form", func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
			var P, back mat.Dense
			_ = P.Inverse(Sigma)
			_ = back.Inverse(P.T())
			var g mat.Dense
			g.Scale(float64(len(labels)), &back)
			g.Sub(&g, symmetric(1, residuals(Phi, labels, mu)))
			g.Scale(0.5, &g)
			return &g
		}},
		{"point by point", func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
			g := mat.NewDense(Sigma.SymmetricDim(), Sigma.SymmetricDim(), nil)
			g.Apply(func(i, j int, _ float64) (v float64) {
				for n, k := range labels {
					v += (Sigma.At(i, j) - (Phi.At(n, i)-mu.At(k, i))*(Phi.At(n, j)-mu.At(k, j))) / 2
				}
				return v
			}, g)
			return g
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex10.CheckSteps(tc.answer)) })
	}
}

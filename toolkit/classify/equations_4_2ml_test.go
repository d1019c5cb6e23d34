package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

// jointLikelihood is Σ_n ln p(x_n|C_k)p(C_k), k the class of row n, of Gaussian
// classes with a shared covariance.
func jointLikelihood(t *testing.T, x *mat.Dense, labels []int, means mat.Matrix, priors []float64, sigma *mat.SymDense) (sum float64) {
	t.Helper()
	logs := jointLogs(t, x, means, priors, sigma)
	for i, k := range labels {
		sum += logs.At(i, k)
	}
	return sum
}

// trials are other values near those that are claimed to be the most likely: f gets
// the size of a random change, 0 for none, and returns the log likelihood.
func trials(f func(change float64) float64) error {
	most := f(0)
	for _, c := range []float64{-0.1, -1e-3, 1e-3, 0.1} {
		if l := f(c); !(l < most) {
			return fmt.Errorf("the log likelihood is %v, and %v after a change of size %v", most, l, c)
		}
	}
	return nil
}

func TestEquationsGaussianShares(t *testing.T) {
	equation.Check(t, "prml-4.71", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{Priors: []float64{0.3, 0.7}})
		logs, product := jointLogs(t, x, m.Means, []float64{1, 1}, m.Sigma), 1.0
		for i, k := range labels {
			target := float64(1 - k)
			product *= math.Pow(0.3*math.Exp(logs.At(i, 0)), target) * math.Pow(0.7*math.Exp(logs.At(i, 1)), 1-target)
		}
		return math.Exp(m.LogLikelihood), product
	})
	// Of two values of π, all else is the same.
	equation.Check(t, "prml-4.72", func(r *rand.Rand) (left, right any) {
		x, labels := clusters(r, 2, 2)
		p, q := 0.1+0.8*r.Float64(), 0.1+0.8*r.Float64()
		fit := func(p float64) float64 {
			return must(classify.FitLDA(x, labels, 2, classify.LDAOptions{Priors: []float64{p, 1 - p}}))(t).LogLikelihood
		}
		sum := 0.0
		for _, k := range labels {
			target := float64(1 - k)
			sum += target*math.Log(p) + (1-target)*math.Log(1-p) - target*math.Log(q) - (1-target)*math.Log(1-q)
		}
		return fit(p) - fit(q), sum
	})
	equation.Check(t, "prml-4.73", func(r *rand.Rand) (left, right any) {
		_, labels, m := sharedFit(t, r, 2, classify.LDAOptions{})
		sum := 0.0
		for _, k := range labels {
			sum += float64(1 - k)
		}
		return m.Priors[0], sum / float64(len(labels))
	})
	mostLikelyPriors := func(k int) func(r *rand.Rand) error {
		return func(r *rand.Rand) error {
			x, labels, m := sharedFit(t, r, k, classify.LDAOptions{})
			a, b := r.IntN(k), r.IntN(k-1)
			if b == a {
				b = k - 1
			}
			return trials(func(change float64) float64 {
				p := append([]float64{}, m.Priors...)
				p[a], p[b] = p[a]*(1-change), p[b]+p[a]*change
				return jointLikelihood(t, x, labels, m.Means, p, m.Sigma)
			})
		}
	}
	equation.Holds(t, "prml-4.73", mostLikelyPriors(2))
	equation.Check(t, "prml-4.159", func(r *rand.Rand) (left, right any) {
		_, labels, m := sharedFit(t, r, 4, classify.LDAOptions{})
		counts := make([]float64, 4)
		for _, k := range labels {
			counts[k] += 1 / float64(len(labels))
		}
		return m.Priors, counts
	})
	equation.Holds(t, "prml-4.159", mostLikelyPriors(4))
}

func TestEquationsGaussianMeans(t *testing.T) {
	// The difference of the two sides at μ₁ is that at another mean: a constant.
	equation.Check(t, "prml-4.74", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{})
		_, d := x.Dims()
		var inverse mat.Dense
		if err := inverse.Inverse(m.Sigma); err != nil {
			t.Fatal(err)
		}
		terms := func() (log, square float64) {
			logs := must(m.LogDensities(x))(t)
			for i, k := range labels {
				e := mat.NewVecDense(d, mat.Row(nil, i, x))
				e.SubVec(e, m.Means.RowView(0))
				log += float64(1-k) * logs.At(i, 0)
				square -= float64(1-k) * mat.Inner(e, &inverse, e) / 2
			}
			return log, square
		}
		log, square := terms()
		m.Means.SetRow(0, normals(r, d))
		otherLog, otherSquare := terms()
		return log - otherLog, square - otherSquare
	})
	equation.Check(t, "prml-4.75", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{})
		mean, _ := averageOf(x, labels, 0)
		return mat.Row(nil, 0, m.Means), mean
	})
	equation.Check(t, "prml-4.76", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{})
		mean, _ := averageOf(x, labels, 1)
		return mat.Row(nil, 1, m.Means), mean
	})
	mostLikelyMean := func(k, class int) func(r *rand.Rand) error {
		return func(r *rand.Rand) error {
			x, labels, m := sharedFit(t, r, k, classify.LDAOptions{})
			_, d := x.Dims()
			way := normals(r, d)
			return trials(func(change float64) float64 {
				means := mat.DenseCopyOf(m.Means)
				for j, v := range way {
					means.Set(class, j, means.At(class, j)+change*v)
				}
				return jointLikelihood(t, x, labels, means, m.Priors, m.Sigma)
			})
		}
	}
	equation.Holds(t, "prml-4.75", mostLikelyMean(2, 0))
	equation.Holds(t, "prml-4.76", mostLikelyMean(2, 1))
	equation.Check(t, "prml-4.161", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 4, classify.LDAOptions{})
		var means []float64
		for k := range 4 {
			mean, _ := averageOf(x, labels, k)
			means = append(means, mean...)
		}
		return m.Means, means
	})
	equation.Holds(t, "prml-4.161", mostLikelyMean(4, 2))
}

func TestEquationsGaussianCovariance(t *testing.T) {
	// Shrinkage gives a Σ other than S.
	equation.Check(t, "prml-4.77", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{Shrinkage: 0.1 + 0.8*r.Float64()})
		rows, d := x.Dims()
		n := float64(rows)
		part := m.LogLikelihood + n*float64(d)/2*math.Log(2*math.Pi)
		for _, p := range m.Priors {
			part -= n * p * math.Log(p)
		}
		var ratio mat.Dense
		if err := ratio.Solve(m.Sigma, pooled(x, labels, 2)); err != nil {
			t.Fatal(err)
		}
		return part, -n/2*math.Log(mat.Det(m.Sigma)) - n/2*mat.Trace(&ratio)
	})
	equation.Check(t, "prml-4.78", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{})
		return m.Sigma, pooled(x, labels, 2)
	})
	equation.Check(t, "prml-4.79", func(r *rand.Rand) (left, right any) {
		x, labels := clusters(r, 2, 2)
		return must(classify.FitQDA(x, labels, 2, classify.QDAOptions{}))(t).Sigma[0], covarianceOf(x, labels, 0)
	})
	equation.Check(t, "prml-4.80", func(r *rand.Rand) (left, right any) {
		x, labels := clusters(r, 2, 2)
		return must(classify.FitQDA(x, labels, 2, classify.QDAOptions{}))(t).Sigma[1], covarianceOf(x, labels, 1)
	})
	// An exercise calls the features φ.
	equation.Check(t, "prml-4.160", func(r *rand.Rand) (left, right any) {
		x, _, m := sharedFit(t, r, 4, classify.LDAOptions{})
		return must(m.LogDensities(x))(t), jointLogs(t, x, m.Means, []float64{1, 1, 1, 1}, m.Sigma)
	})
	equation.Check(t, "prml-4.162", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 4, classify.LDAOptions{})
		return m.Sigma, pooled(x, labels, 4)
	})
	mostLikelyCovariance := func(k int) func(r *rand.Rand) error {
		return func(r *rand.Rand) error {
			x, labels, m := sharedFit(t, r, k, classify.LDAOptions{})
			_, d := x.Dims()
			way := spread(r, d)
			way.ScaleSym(2*mat.Trace(m.Sigma)/mat.Trace(way), way)
			return trials(func(change float64) float64 {
				s, part := mat.NewSymDense(d, nil), mat.NewSymDense(d, nil)
				s.ScaleSym(1-change, m.Sigma)
				part.ScaleSym(math.Abs(change), way)
				s.AddSym(s, part)
				return jointLikelihood(t, x, labels, m.Means, m.Priors, s)
			})
		}
	}
	equation.Holds(t, "prml-4.78", mostLikelyCovariance(2))
	equation.Holds(t, "prml-4.162", mostLikelyCovariance(4))
	equation.Check(t, "prml-4.163", func(r *rand.Rand) (left, right any) {
		x, labels := clusters(r, 3, 3)
		m := must(classify.FitQDA(x, labels, 3, classify.QDAOptions{}))(t)
		return []any{m.Sigma[0], m.Sigma[1], m.Sigma[2]}, []any{covarianceOf(x, labels, 0), covarianceOf(x, labels, 1), covarianceOf(x, labels, 2)}
	})
}

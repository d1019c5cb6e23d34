package ex20_test

import (
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex20"
)

type (
	blockFunc  = func(y []float64) *mat.Dense
	spreadFunc = func(y, s []float64) float64
)

// entry makes a K×K matrix.
func entry(f func(y []float64, j, k int) float64) blockFunc {
	return func(y []float64) *mat.Dense {
		B := mat.NewDense(len(y), len(y), nil)
		B.Apply(func(j, k int, _ float64) float64 { return f(y, j, k) }, B)
		return B
	}
}

// moments makes a number from Σ y_k s_k and Σ y_k s_k².
func moments(f func(mean, square float64) float64) spreadFunc {
	return func(y, s []float64) float64 {
		mean, square := 0.0, 0.0
		for k := range y {
			mean += y[k] * s[k]
			square += y[k] * s[k] * s[k]
		}
		return f(mean, square)
	}
}

func TestRightSteps(t *testing.T) {
	for _, tc := range []struct {
		name   string
		block  blockFunc
		spread spreadFunc
	}{
		{"reference", Block, Spread},
		{"y_k(I − y_j), mean of squared differences", entry(func(y []float64, j, k int) float64 { return y[k] * (delta(k, j) - y[j]) }),
			func(y, s []float64) (square float64) {
				mean := floats.Dot(y, s)
				for k := range y {
					square += y[k] * (s[k] - mean) * (s[k] - mean)
				}
				return square
			}},
		{"diag y − yyᵀ, sᵀBs", func(y []float64) *mat.Dense {
			v := mat.NewVecDense(len(y), append([]float64(nil), y...))
			B := mat.NewDense(len(y), len(y), nil)
			for k := range y {
				B.Set(k, k, y[k])
			}
			B.RankOne(B, -1, v, v)
			return B
		}, func(y, s []float64) float64 {
			v := mat.NewVecDense(len(s), s)
			return mat.Inner(v, Block(y), v)
		}},
		{"rows that sum to 0, pairs", func(y []float64) *mat.Dense {
			B := entry(func(y []float64, j, k int) float64 { return -y[j] * y[k] * (1 - delta(j, k)) })(y)
			for k := range y {
				B.Set(k, k, -floats.Sum(B.RawRowView(k)))
			}
			return B
		}, func(y, s []float64) (sum float64) {
			for j := range y {
				for k := range j {
					sum += y[j] * y[k] * (s[j] - s[k]) * (s[j] - s[k])
				}
			}
			return sum
		}},
		{"library variance", Block, func(y, s []float64) float64 { return stat.PopVariance(s, y) }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex20.CheckSteps(tc.block, tc.spread)) })
	}
}

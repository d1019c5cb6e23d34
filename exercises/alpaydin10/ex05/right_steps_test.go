package ex05_test

import (
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex05"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
)

type (
	scoreFunc   = func(g, r []float64) []float64
	entriesFunc = func(x []float64) *mat.Dense
)

// entry makes a D×D matrix.
func entry(f func(x []float64, j, l int) float64) entriesFunc {
	return func(x []float64) *mat.Dense {
		m := mat.NewDense(len(x), len(x), nil)
		m.Apply(func(j, l int, _ float64) float64 { return f(x, j, l) }, m)
		return m
	}
}

// each makes K numbers from y_i, r_i and g_i.
func each(f func(y, r, g float64) float64) scoreFunc {
	return func(g, r []float64) []float64 {
		y := softmax(append([]float64(nil), g...))
		out := make([]float64, len(g))
		for i := range out {
			out[i] = f(y[i], r[i], g[i])
		}
		return out
	}
}

func TestRightSteps(t *testing.T) {
	for _, tc := range []struct {
		name    string
		score   scoreFunc
		entries entriesFunc
	}{
		{"reference", ByScore, ByEntries},
		{"y − r, two loops", each(func(y, r, _ float64) float64 { return y - r }), entry(func(x []float64, j, l int) float64 { return x[j] * x[l] })},
		{"by cases, rank one", each(func(y, r, _ float64) float64 {
			if r == 1 {
				return y - 1
			}
			return y
		}), func(x []float64) *mat.Dense {
			m, v := mat.NewDense(len(x), len(x), nil), mat.NewVecDense(len(x), x)
			m.RankOne(m, 1, v, v)
			return m
		}},
		{"with the Jacobian of the softmax, column times row", func(g, r []float64) []float64 {
			y := softmax(append([]float64(nil), g...))
			out := make([]float64, len(g))
			for i := range g {
				for k := range g {
					// −r_k/y_k · y_k(δ − y_i): y_k cancels before it can be 0
					out[i] += r[k] * y[i]
				}
				out[i] -= r[i]
			}
			return out
		}, func(x []float64) *mat.Dense {
			column := mat.NewDense(len(x), 1, append([]float64(nil), x...))
			var m mat.Dense
			m.Mul(column, column.T())
			return &m
		}},
		{"in place of a copy", func(g, r []float64) []float64 {
			return floats.SubTo(make([]float64, len(g)), softmax(append([]float64(nil), g...)), r)
		}, ByEntries},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex05.CheckSteps(tc.score, tc.entries)) })
	}
}

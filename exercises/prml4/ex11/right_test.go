package ex11_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex11"
)

type weightsFunc = func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64)

// build makes weights from functions of class, feature and state.
func build(weight func(mu []*mat.Dense, prior []float64, k, i, s int) float64, bias func(mu []*mat.Dense, prior []float64, k int) float64) weightsFunc {
	return func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
		d, l := mu[0].Dims()
		w, w0 := mat.NewDense(d*l, len(mu), nil), make([]float64, len(mu))
		for k := range mu {
			w0[k] = bias(mu, prior, k)
			for row := range d * l {
				w.Set(row, k, weight(mu, prior, k, row/l, row%l))
			}
		}
		return w, w0
	}
}

func logMu(mu []*mat.Dense, _ []float64, k, i, s int) float64 { return math.Log(mu[k].At(i, s)) }
func logPrior(_ []*mat.Dense, prior []float64, k int) float64 { return math.Log(prior[k]) }
func zero(_ []*mat.Dense, _ []float64, _ int) float64         { return 0 }
func odds(mu []*mat.Dense, _ []float64, k, i, s int) float64 {
	v := mu[k].At(i, s)
	return math.Log(v / (1 - v))
}
func plain(mu []*mat.Dense, _ []float64, k, i, s int) float64 { return mu[k].At(i, s) }

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer weightsFunc
	}{
		{"reference", Weights},
		{"column by column", func(mu []*mat.Dense, prior []float64) (*mat.Dense, []float64) {
			d, l := mu[0].Dims()
			w := mat.NewDense(d*l, len(mu), nil)
			var w0 []float64
			for k, m := range mu {
				var logs mat.Dense
				logs.Apply(func(_, _ int, v float64) float64 { return math.Log(v) }, m)
				w.SetCol(k, logs.RawMatrix().Data)
				w0 = append(w0, math.Log(prior[k]))
			}
			return w, w0
		}},
		{"last state as reference, the rest in the bias", build(func(mu []*mat.Dense, _ []float64, k, i, s int) float64 {
			_, l := mu[k].Dims()
			return math.Log(mu[k].At(i, s) / mu[k].At(i, l-1))
		}, func(mu []*mat.Dense, prior []float64, k int) float64 {
			d, l := mu[k].Dims()
			b := math.Log(prior[k])
			for i := range d {
				b += math.Log(mu[k].At(i, l-1))
			}
			return b
		})},
		{"prior in the first feature's weights", build(func(mu []*mat.Dense, prior []float64, k, i, s int) float64 {
			if i == 0 {
				return math.Log(prior[k] * mu[k].At(i, s))
			}
			return math.Log(mu[k].At(i, s))
		}, zero)},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex11.Check(tc.answer)) })
	}
}

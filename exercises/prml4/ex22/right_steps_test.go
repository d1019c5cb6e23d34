package ex22_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex22"
)

type (
	expansionFunc = func(height float64, A *mat.SymDense, z []float64) float64
	volumeFunc    = func(A *mat.SymDense) float64
)

func TestRightSteps(t *testing.T) {
	for _, tc := range []struct {
		name      string
		expansion expansionFunc
		volume    volumeFunc
	}{
		{"reference", Expansion, LogVolume},
		{"length of a triangular product, eigenvalues", func(h float64, A *mat.SymDense, z []float64) float64 {
			var c mat.Cholesky
			c.Factorize(A)
			var u mat.TriDense
			c.UTo(&u)
			var v mat.VecDense
			v.MulVec(&u, mat.NewVecDense(len(z), z))
			return h - 0.5*mat.Dot(&v, &v)
		}, func(A *mat.SymDense) (sum float64) {
			var e mat.EigenSym
			e.Factorize(A, false)
			for _, v := range e.Values(nil) { // one integral along each principal axis
				sum += math.Log(2*math.Pi/v) / 2
			}
			return sum
		}},
		{"entry by entry, LU", func(h float64, A *mat.SymDense, z []float64) float64 {
			for i := range z {
				h -= A.At(i, i) * z[i] * z[i] / 2
				for j := range i {
					h -= A.At(i, j) * z[i] * z[j]
				}
			}
			return h
		}, func(A *mat.SymDense) float64 {
			d, _ := mat.LogDet(A)
			return (float64(A.SymmetricDim())*math.Log(2*math.Pi) - d) / 2
		}},
		{"matrix times vector first, scaled covariance", func(h float64, A *mat.SymDense, z []float64) float64 {
			var v mat.VecDense
			v.MulVec(A, mat.NewVecDense(len(z), z))
			return h + floats.Dot(z, v.RawVector().Data)/-2
		}, func(A *mat.SymDense) float64 {
			var c, d mat.Cholesky
			c.Factorize(A)
			var cov mat.SymDense
			_ = c.InverseTo(&cov)
			cov.ScaleSym(2*math.Pi, &cov)
			d.Factorize(&cov)
			return d.LogDet() / 2
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex22.CheckSteps(tc.expansion, tc.volume)) })
	}
}

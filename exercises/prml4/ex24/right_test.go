package ex24_test

import (
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex24"
)

type projectFunc = func(phi, m []float64, S *mat.SymDense) (mu, variance float64)

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer projectFunc
	}{
		{"reference", Project},
		{"double sum", func(phi, m []float64, S *mat.SymDense) (mu, variance float64) {
			for i := range phi {
				mu += phi[i] * m[i]
				for j := range phi {
					variance += phi[i] * S.At(i, j) * phi[j]
				}
			}
			return mu, variance
		}},
		{"diagonal plus twice the rest", func(phi, m []float64, S *mat.SymDense) (mu, variance float64) {
			for i := range phi {
				variance += phi[i] * phi[i] * S.At(i, i)
				for j := range i {
					variance += 2 * phi[i] * phi[j] * S.At(i, j)
				}
			}
			return floats.Dot(m, phi), variance
		}},
		{"Sφ by BLAS", func(phi, m []float64, S *mat.SymDense) (mu, variance float64) {
			v := blas64.Vector{N: len(phi), Data: phi, Inc: 1}
			image := blas64.Vector{N: len(phi), Data: make([]float64, len(phi)), Inc: 1}
			blas64.Symv(1, S.RawSymmetric(), v, 0, image)
			return floats.Dot(phi, m), blas64.Dot(v, image)
		}},
		{"eigenvectors", func(phi, m []float64, S *mat.SymDense) (mu, variance float64) {
			var e mat.EigenSym
			e.Factorize(S, true)
			var v mat.Dense
			e.VectorsTo(&v)
			for i, lambda := range e.Values(nil) {
				along := floats.Dot(mat.Col(nil, i, &v), phi)
				variance += lambda * along * along
			}
			return floats.Dot(phi, m), variance
		}},
		{"1×1 matrices", func(phi, m []float64, S *mat.SymDense) (mu, variance float64) {
			row := mat.NewDense(1, len(phi), append([]float64(nil), phi...))
			var left, full, mean mat.Dense
			left.Mul(row, S)
			full.Mul(&left, row.T())
			mean.Mul(row, mat.NewDense(len(m), 1, append([]float64(nil), m...)))
			return mean.At(0, 0), full.At(0, 0)
		}},
		{"Mahalanobis distance with the inverse, S where it exists", func(phi, m []float64, S *mat.SymDense) (float64, float64) {
			var chol mat.Cholesky
			var inverse mat.SymDense
			var precision mat.Cholesky
			if chol.Factorize(S) && chol.Cond() < 1e8 && chol.InverseTo(&inverse) == nil && precision.Factorize(&inverse) {
				d := stat.Mahalanobis(mat.NewVecDense(len(phi), phi), mat.NewVecDense(len(phi), nil), &precision)
				return floats.Dot(phi, m), d * d
			}
			return Project(phi, m, S)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex24.Check(tc.answer)) })
	}
}

package ex24_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex24"
)

type projectFunc = func(phi, m []float64, S *mat.SymDense) (mu, variance float64)

func TestFunctions(t *testing.T) { gate.Functions(t, ex24.Exercise(), gate.Of(ex24.Check, Project)) }

func TestRight(t *testing.T) {
	gate.Rights(t, ex24.Check, map[string]projectFunc{
		"reference": Project,
		"double sum": func(phi, m []float64, S *mat.SymDense) (mu, variance float64) {
			for i := range phi {
				mu += phi[i] * m[i]
				for j := range phi {
					variance += phi[i] * S.At(i, j) * phi[j]
				}
			}
			return mu, variance
		},
		"Sφ by BLAS": func(phi, m []float64, S *mat.SymDense) (mu, variance float64) {
			v := blas64.Vector{N: len(phi), Data: phi, Inc: 1}
			image := blas64.Vector{N: len(phi), Data: make([]float64, len(phi)), Inc: 1}
			blas64.Symv(1, S.RawSymmetric(), v, 0, image)
			return floats.Dot(phi, m), blas64.Dot(v, image)
		},
		"eigenvectors": func(phi, m []float64, S *mat.SymDense) (mu, variance float64) {
			var e mat.EigenSym
			e.Factorize(S, true)
			var v mat.Dense
			e.VectorsTo(&v)
			for i, lambda := range e.Values(nil) {
				along := floats.Dot(mat.Col(nil, i, &v), phi)
				variance += lambda * along * along
			}
			return floats.Dot(phi, m), variance
		},
		"Mahalanobis distance computed from S⁻¹, or φᵀSφ if S is nearly singular": func(phi, m []float64, S *mat.SymDense) (float64,
			float64) {
			var chol mat.Cholesky
			var inverse mat.SymDense
			var precision mat.Cholesky
			if chol.Factorize(S) && chol.Cond() < 1e8 && chol.InverseTo(&inverse) == nil &&
				precision.Factorize(&inverse) {
				d := stat.Mahalanobis(mat.NewVecDense(len(phi), phi), mat.NewVecDense(len(phi), nil), &precision)
				return floats.Dot(phi, m), d * d
			}
			return Project(phi, m, S)
		},
	})
}

// TestWrong checks wrong answers that are not in the tables of mistakes in check.go. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	after := func(g func(mu, v float64) (float64, float64)) projectFunc {
		return func(phi, m []float64, S *mat.SymDense) (float64, float64) { return g(Project(phi, m, S)) }
	}
	mean := func(g func(mu float64) float64) projectFunc {
		return after(func(mu, v float64) (float64, float64) { return g(mu), v })
	}
	variance := func(g func(v float64) float64) projectFunc {
		return after(func(mu, v float64) (float64, float64) { return mu, g(v) })
	}
	gate.Wrongs(t, ex24.Exercise(), ex24.Check, map[string][]projectFunc{
		"mean": {
			mean(func(mu float64) float64 { return mu + 1e-4 }),
			mean(func(mu float64) float64 { return math.Max(-100, math.Min(100, mu)) }),
		},
		"variance": {
			variance(func(v float64) float64 { return 1.001 * v }),
			variance(func(v float64) float64 { return math.Min(1000, v) }),
		},
		"negative": {variance(func(v float64) float64 { return -3 * v })},
		"integral": {variance(func(v float64) float64 { return 1.001 * v }),
			func(phi, m []float64, S *mat.SymDense) (float64, float64) {
				mu, v := Project(phi, m, S)
				if len(phi) == 2 && mat.Trace(S) < 0.5 {
					v += 0.2
				}
				return mu, v
			}},
		"not-additive": {
			func(phi, m []float64, S *mat.SymDense) (float64, float64) {
				mu, v := Project(phi, m, S)
				return mu, math.Sqrt(v * mat.Trace(S) * floats.Dot(phi, phi))
			},
			mean(func(mu float64) float64 { return mu * mu }),
		},
		"singular": {
			variance(func(v float64) float64 { return math.Max(v, 1e-9) }),
			variance(func(v float64) float64 { return v * v / v }),
			func(phi, m []float64, S *mat.SymDense) (float64, float64) {
				// this answer returns the variance 1 for φ = 0
				mu, v := Project(phi, m, S)
				if floats.Norm(phi, 2) == 0 {
					v = 1
				}
				return mu, v
			},
			mean(func(mu float64) float64 {
				if mu == 0 {
					return 1
				}
				return mu
			}),
		},
	})
}

func ExampleCheck() {
	deviation := func(phi, m []float64, S *mat.SymDense) (float64, float64) {
		mu, v := Project(phi, m, S)
		return mu, math.Sqrt(v)
	}
	fmt.Println(ex24.Check(deviation).Parts[2].Message)
	// Output: This is the standard deviation; return the variance, its square.
}

package ex01_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/course/own/ex01"
	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

type weightsFunc = func(phi *mat.Dense, t []float64) []float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex01.Exercise(), gate.Of(ex01.Check, Weights))
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex01.Check, map[string]weightsFunc{
		"reference": Weights,
		"least squares by Solve": func(phi *mat.Dense, t []float64) []float64 {
			var w mat.Dense
			if err := w.Solve(phi, mat.NewDense(len(t), 1, t)); err != nil {
				panic(err)
			}
			return mat.Col(nil, 0, &w)
		},
		"the inverse": func(phi *mat.Dense, t []float64) []float64 {
			var a, inverse, pinv mat.Dense
			a.Mul(phi.T(), phi)
			if err := inverse.Inverse(&a); err != nil {
				panic(err)
			}
			pinv.Mul(&inverse, phi.T())
			var w mat.VecDense
			w.MulVec(&pinv, mat.NewVecDense(len(t), t))
			return w.RawVector().Data
		},
		"the singular value decomposition": func(phi *mat.Dense, t []float64) []float64 {
			var svd mat.SVD
			svd.Factorize(phi, mat.SVDThin)
			var w mat.Dense
			_, m := phi.Dims()
			svd.SolveTo(&w, mat.NewDense(len(t), 1, t), m)
			return mat.Col(nil, 0, &w)
		},
	})
}

func TestWrong(t *testing.T) {
	gate.Wrongs(t, ex01.Exercise(), ex01.Check, map[string][]weightsFunc{
		"weights": {func(phi *mat.Dense, t []float64) []float64 {
			w := Weights(phi, t)
			w[0] += 0.1
			return w
		}},
	})
}

// TestEquation checks that the solution of the normal equations gives the orthogonal projection of the
// targets onto the space that the columns of Φ span. The test computes this projection with the
// Gram–Schmidt process.
func TestEquation(t *testing.T) {
	equation.Check(t, "own-3.1", func(r *rand.Rand) (left, right any) {
		phi := instance.Design(r, 7, []float64{1, 0, 0.5}, []float64{0, 1, 2})
		target := instance.Normals(r, 7)
		w := Weights(phi, target)
		fit := make([]float64, 7) // the projection of the target
		var basis [][]float64
		for j := range 3 {
			v := mat.Col(nil, j, phi)
			for _, b := range basis {
				floats.AddScaled(v, -floats.Dot(v, b), b)
			}
			floats.Scale(1/floats.Norm(v, 2), v)
			basis = append(basis, v)
			floats.AddScaled(fit, floats.Dot(v, target), v)
		}
		return instance.Activations(phi, w), fit
	})
}

/*
Equivalent mutants

Weights: if err := w.SolveVec(&a, &b); err != nil → if err := w.SolveVec((&a).T(), &b); err != nil
    The matrix ΦᵀΦ is symmetric.
*/

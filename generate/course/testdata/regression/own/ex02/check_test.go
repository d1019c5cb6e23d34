package ex02_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/course/own/ex02"
	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

type ridgeFunc = func(phi *mat.Dense, t []float64, lambda float64) []float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex02.Exercise(), gate.Of(ex02.Check, Ridge))
}

// bySVD computes the weights from the singular value decomposition of Φ. For each singular value s,
// least squares has the factor 1/s; bySVD uses s/(s²+λ) in its place.
func bySVD(phi *mat.Dense, t []float64, lambda float64) []float64 {
	var svd mat.SVD
	svd.Factorize(phi, mat.SVDThin)
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	_, m := phi.Dims()
	w := make([]float64, m)
	for i, s := range svd.Values(nil) {
		c := floats.Dot(mat.Col(nil, i, &u), t) * s / (s*s + lambda)
		floats.AddScaled(w, c, mat.Col(nil, i, &v))
	}
	return w
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex02.Check, map[string]ridgeFunc{
		"reference":       Ridge,
		"singular values": bySVD,
		"rows of √λ below Φ": func(phi *mat.Dense, t []float64, lambda float64) []float64 {
			n, m := phi.Dims()
			long := mat.NewDense(n+m, m, nil)
			long.Slice(0, n, 0, m).(*mat.Dense).Copy(phi)
			for j := range m {
				long.Set(n+j, j, math.Sqrt(lambda))
			}
			var w mat.Dense
			if err := w.Solve(long, mat.NewDense(n+m, 1, append(append([]float64{}, t...), make([]float64, m)...))); err != nil {
				panic(err)
			}
			return mat.Col(nil, 0, &w)
		},
		"by Cholesky": func(phi *mat.Dense, t []float64, lambda float64) []float64 {
			_, m := phi.Dims()
			s := mat.NewSymDense(m, nil)
			s.SymOuterK(1, phi.T())
			for j := range m {
				s.SetSym(j, j, s.At(j, j)+lambda)
			}
			var chol mat.Cholesky
			chol.Factorize(s)
			var b, w mat.VecDense
			b.MulVec(phi.T(), mat.NewVecDense(len(t), t))
			if err := chol.SolveVecTo(&w, &b); err != nil {
				panic(err)
			}
			return w.RawVector().Data
		},
	})
}

func TestWrong(t *testing.T) {
	gate.Wrongs(t, ex02.Exercise(), ex02.Check, map[string][]ridgeFunc{
		"ridge": {func(phi *mat.Dense, t []float64, lambda float64) []float64 {
			return Ridge(phi, t, lambda*lambda)
		}},
	})
}

func TestEquation(t *testing.T) {
	equation.Check(t, "own-3.2", func(r *rand.Rand) (left, right any) {
		phi := instance.Design(r, 5, []float64{1, 0, 0.5}, []float64{0, 1, 2})
		target, lambda := instance.Normals(r, 5), r.ExpFloat64()
		return Ridge(phi, target, lambda), bySVD(phi, target, lambda)
	})
}

/*
Equivalent mutants

Ridge: if err := w.SolveVec(&a, &b); err != nil → if err := w.SolveVec((&a).T(), &b); err != nil
    The matrix λI + ΦᵀΦ is symmetric.
*/

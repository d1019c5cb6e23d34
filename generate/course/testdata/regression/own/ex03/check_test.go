package ex03_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/course/own/ex03"
	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

type varianceFunc = func(phi *mat.Dense, alpha, beta float64, x []float64) float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex03.Exercise(), gate.Of(ex03.Check, Variance))
}

// kernel computes the variance as the equivalent Gaussian process does, with a matrix that has a
// row for each point.
func kernel(phi *mat.Dense, alpha, beta float64, x []float64) float64 {
	n, _ := phi.Dims()
	v := mat.NewVecDense(len(x), x)
	var k mat.Dense
	k.Mul(phi, phi.T())
	k.Scale(1/alpha, &k)
	for i := range n {
		k.Set(i, i, k.At(i, i)+1/beta)
	}
	var c, s mat.VecDense
	c.MulVec(phi, v)
	c.ScaleVec(1/alpha, &c)
	if err := s.SolveVec(&k, &c); err != nil {
		panic(err)
	}
	return 1/beta + mat.Dot(v, v)/alpha - mat.Dot(&c, &s)
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex03.Check, map[string]varianceFunc{
		"reference":          Variance,
		"a Gaussian process": kernel,
		"the inverse": func(phi *mat.Dense, alpha, beta float64, x []float64) float64 {
			m := len(x)
			a := mat.NewSymDense(m, nil)
			a.SymOuterK(beta, phi.T())
			for j := range m {
				a.SetSym(j, j, a.At(j, j)+alpha)
			}
			var s mat.Dense
			if err := s.Inverse(a); err != nil {
				panic(err)
			}
			v := mat.NewVecDense(m, x)
			return mat.Inner(v, &s, v) + 1/beta
		},
		"singular values": func(phi *mat.Dense, alpha, beta float64, x []float64) float64 {
			var svd mat.SVD
			svd.Factorize(phi, mat.SVDFull)
			var v mat.Dense
			svd.VTo(&v)
			values, sum := svd.Values(nil), 1/beta
			for j := range x {
				precision := alpha
				if j < len(values) {
					precision += beta * values[j] * values[j]
				}
				c := mat.Dot(mat.NewVecDense(len(x), x), v.ColView(j))
				sum += c * c / precision
			}
			return sum
		},
	})
}

func TestWrong(t *testing.T) {
	gate.Wrongs(t, ex03.Exercise(), ex03.Check, map[string][]varianceFunc{
		"variance": {func(phi *mat.Dense, alpha, beta float64, x []float64) float64 {
			return Variance(phi, 1/alpha, beta, x)
		}},
	})
}

func TestEquation(t *testing.T) {
	equation.Check(t, "own-3.3", func(r *rand.Rand) (left, right any) {
		phi := instance.Design(r, 4, []float64{1, 0}, []float64{0, 1})
		alpha, beta, x := 0.1+r.Float64(), 0.1+r.ExpFloat64(), instance.Normals(r, 2)
		return kernel(phi, alpha, beta, x), Variance(phi, alpha, beta, x)
	})
}

/*
Equivalent mutants

Variance: a.Scale(beta, &a) → a.Scale(beta, (&a).T())
    The matrix ΦᵀΦ is symmetric.

Variance: if err := s.SolveVec(&a, v); err != nil → if err := s.SolveVec((&a).T(), v); err != nil
    The matrix αI + βΦᵀΦ is symmetric.
*/

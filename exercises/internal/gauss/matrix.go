package gauss

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

// Times is M·v.
func Times(m mat.Matrix, v []float64) []float64 {
	var out mat.VecDense
	out.MulVec(m, mat.NewVecDense(len(v), v))
	return out.RawVector().Data
}

// Solve is M⁻¹v, or, where M has more rows than columns, the least-squares solution.
// Of a matrix that has no inverse it is what is left of the digits.
func Solve(m mat.Matrix, v []float64) []float64 {
	var out mat.VecDense
	_ = out.SolveVec(m, mat.NewVecDense(len(v), v)) // an error tells of lost digits, too
	return out.RawVector().Data
}

// Plus is A + b·vvᵀ.
func Plus(a mat.Matrix, b float64, v []float64) *mat.Dense {
	u, out := mat.NewVecDense(len(v), v), mat.DenseCopyOf(a)
	out.RankOne(out, b, u, u)
	return out
}

// Power is a power of a positive definite matrix, of which the root is the one that is
// symmetric.
func Power(s mat.Symmetric, power float64) *mat.SymDense {
	var out mat.SymDense
	_ = out.PowPSD(s, power) // an error is that of a matrix that is not positive definite
	return &out
}

// Roots are those of the diagonal: standard deviations, of a covariance.
func Roots(m mat.Symmetric) instance.Scale {
	s := make(instance.Scale, m.SymmetricDim())
	for j := range s {
		s[j] = math.Sqrt(m.At(j, j))
	}
	return s
}

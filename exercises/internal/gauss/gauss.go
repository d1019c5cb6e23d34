// Package gauss contains the code that the exercises on Fisher's discriminant and on Gaussian
// classes share. It computes the sums over two classes of points, and products with matrices.
// Checks, known mistakes and tests use these functions.
package gauss

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
)

// Times returns M·v.
func Times(m mat.Matrix, v []float64) []float64 {
	var out mat.VecDense
	out.MulVec(m, mat.NewVecDense(len(v), v))
	return out.RawVector().Data
}

// Form returns uᵀMv.
func Form(u []float64, m mat.Matrix, v []float64) float64 { return floats.Dot(u, Times(m, v)) }

// Solve returns M⁻¹v, or the least-squares solution if M has more rows than columns. For a singular
// matrix the result is meaningless, because it depends on rounding.
func Solve(m mat.Matrix, v []float64) []float64 {
	var out mat.VecDense
	_ = out.SolveVec(m, mat.NewVecDense(len(v), v)) // an error may only mean that digits are lost
	return out.RawVector().Data
}

// Plus returns A + b·vvᵀ.
func Plus(a mat.Matrix, b float64, v []float64) *mat.Dense {
	u, out := mat.NewVecDense(len(v), v), mat.DenseCopyOf(a)
	out.RankOne(out, b, u, u)
	return out
}

// Power returns a power of a positive definite matrix. For the power ½ it returns the symmetric
// root.
func Power(s mat.Symmetric, power float64) *mat.SymDense {
	var out mat.SymDense
	_ = out.PowPSD(s, power) // fails only for a matrix that is not positive definite
	return &out
}

// Roots returns the square roots of the diagonal entries of m. For a covariance they are the
// standard deviations.
func Roots(m mat.Symmetric) instance.Scale {
	s := make(instance.Scale, m.SymmetricDim())
	for j := range s {
		s[j] = math.Sqrt(m.At(j, j))
	}
	return s
}

// Classes contains the points of two classes. Its methods compute the sums that a fit needs.
type Classes struct{ instance.Clouds }

// Of returns the two classes, with copies of a learner's arguments X1 (N1×D) and X2 (N2×D).
func Of(X1, X2 *mat.Dense) Classes {
	return Classes{instance.Clouds{X1: mat.DenseCopyOf(X1), X2: mat.DenseCopyOf(X2)}}
}

// Counts returns N1, N2 and N.
func (c Classes) Counts() (n1, n2, n float64) {
	a, b, _ := c.Dims()
	return float64(a), float64(b), float64(a + b)
}

// Mean returns the mean of all points.
func (c Classes) Mean() []float64 { return instance.Mean(c.All()) }

// Gap returns m1 − m2.
func (c Classes) Gap() []float64 {
	m1, m2 := c.Means()
	return instance.Minus(m1, m2)
}

// Total returns S_T, the scatter of all points about their common mean, D×D.
func (c Classes) Total() *mat.SymDense { return instance.Scatter(c.All(), c.Mean()) }

// Spread returns, for each column, the root of the sum of squares about the column's mean. In these
// units all columns have the same size.
func (c Classes) Spread() instance.Scale { return Roots(c.Total()) }

// Targets returns N numbers: t1 for the points of class 1 and t2 for the points of class 2.
func (c Classes) Targets(t1, t2 float64) (t []float64) {
	n1, n2, _ := c.Dims()
	for range n1 {
		t = append(t, t1)
	}
	for range n2 {
		t = append(t, t2)
	}
	return t
}

// Package gauss holds what the exercises on Fisher's discriminant and on Gaussian
// classes share: the sums over two classes of points, and plain products with
// matrices, which checks, known mistakes and tests are put together from.
package gauss

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

// Times is M·v.
func Times(m mat.Matrix, v []float64) []float64 {
	var out mat.VecDense
	out.MulVec(m, mat.NewVecDense(len(v), v))
	return out.RawVector().Data
}

// Form is uᵀMv.
func Form(u []float64, m mat.Matrix, v []float64) float64 { return floats.Dot(u, Times(m, v)) }

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

// Classes are the points of two classes, with the sums that a fit is made of.
type Classes struct{ instance.Clouds }

// Of are the classes of a learner's arguments X1 (N1×D) and X2 (N2×D), copied.
func Of(X1, X2 *mat.Dense) Classes {
	return Classes{instance.Clouds{X1: mat.DenseCopyOf(X1), X2: mat.DenseCopyOf(X2)}}
}

// Counts are N1, N2 and N.
func (c Classes) Counts() (n1, n2, n float64) {
	a, b, _ := c.Dims()
	return float64(a), float64(b), float64(a + b)
}

// Mean is that of all points.
func (c Classes) Mean() []float64 { return instance.Mean(c.All()) }

// Gap is m1 − m2.
func (c Classes) Gap() []float64 {
	m1, m2 := c.Means()
	return instance.Minus(m1, m2)
}

// Total is S_T, the scatter of all points about their common mean, D×D.
func (c Classes) Total() *mat.SymDense { return instance.Scatter(c.All(), c.Mean()) }

// Spread is the root of each column's sum of squares about its mean; in these units
// all columns count alike.
func (c Classes) Spread() instance.Scale { return Roots(c.Total()) }

// Targets are t1 for the points of class 1 and t2 for those of class 2, N numbers.
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

// Package gauss contains the code that the exercises about Fisher's discriminant and Gaussian
// classes share. The package computes sums over the points of two classes, and products with
// matrices. Checks, known mistakes and tests use these functions.
//
// [Linear] draws models that are linear in their parameters, with Gaussian noise and a Gaussian
// prior. The posterior of such a model is Gaussian. Linear computes the log evidence of the model
// without an integral over the parameters.
package gauss

import (
	"math"
	"math/rand/v2"
	"slices"

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

// Solve returns M⁻¹v. If M has more rows than columns, it returns the least-squares solution. For a
// singular matrix the result is meaningless.
func Solve(m mat.Matrix, v []float64) []float64 {
	var out mat.VecDense
	// ignore the error: it means that M is singular, or that digits may be lost
	_ = out.SolveVec(m, mat.NewVecDense(len(v), v))
	return out.RawVector().Data
}

// Plus returns A + b·vvᵀ.
func Plus(a mat.Matrix, b float64, v []float64) *mat.Dense {
	u, out := mat.NewVecDense(len(v), v), mat.DenseCopyOf(a)
	out.RankOne(out, b, u, u)
	return out
}

// Power returns a power of a positive definite matrix. If the exponent is ½, the result is the
// symmetric square root.
func Power(s mat.Symmetric, power float64) *mat.SymDense {
	var out mat.SymDense
	_ = out.PowPSD(s, power) // PowPSD fails only if the matrix is not positive definite
	return &out
}

// Roots returns the square roots of the diagonal entries of m. If m is a covariance matrix, the
// roots are the standard deviations.
func Roots(m mat.Symmetric) instance.Scale {
	s := make(instance.Scale, m.SymmetricDim())
	for j := range s {
		s[j] = math.Sqrt(m.At(j, j))
	}
	return s
}

// Classes contains the points of two classes. Its methods compute the sums that are needed to fit a
// model.
type Classes struct{ instance.Clouds }

// Of returns Classes with copies of X1 (N1×D) and X2 (N2×D), the arguments of a learner's function.
func Of(X1, X2 *mat.Dense) Classes {
	return Classes{instance.Clouds{X1: mat.DenseCopyOf(X1), X2: mat.DenseCopyOf(X2)}}
}

// Counts returns the numbers of points N1, N2 and N = N1 + N2.
func (c Classes) Counts() (n1, n2, n float64) {
	a, b, _ := c.Dims()
	return float64(a), float64(b), float64(a + b)
}

// Mean returns the mean of all points.
func (c Classes) Mean() []float64 { return instance.Mean(c.All()) }

// Gap returns the difference of the class means, m1 − m2.
func (c Classes) Gap() []float64 {
	m1, m2 := c.Means()
	return instance.Minus(m1, m2)
}

// Total returns S_T, the scatter of all points about their common mean, D×D.
func (c Classes) Total() *mat.SymDense { return instance.Scatter(c.All(), c.Mean()) }

// Spread returns one number for each column: the root of the sum of the squared deviations from the
// column's mean. Dividing every column by its number gives all columns the same spread.
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

// A Model contains a Gaussian prior over the M parameters θ, and the Gaussian posterior given N
// targets.
type Model struct {
	N     int
	M0    []float64     // mean of the prior
	S0    *mat.SymDense // covariance of the prior, M×M
	H     *mat.SymDense // −∇∇ ln p(D|θ) = βΦᵀΦ, M×M
	A     *mat.SymDense // H + S0⁻¹
	Mode  []float64     // mode of the posterior
	Exact float64       // ln p(D)

	prior         *mat.Cholesky // factor of S0
	data          []float64     // βΦᵀt
	beta, squares float64       // `beta` is the noise precision, and `squares` is Σ t²
}

// Linear draws a model with m parameters and noise of precision beta, and then draws targets. The
// prior covariance is priorVariance times a random matrix. Linear returns the model with its
// posterior after the first n[0] targets, after the first n[1] targets, and so on. It computes the
// log evidence as the sum of ln p(t_i|t_1 … t_{i−1}) over the targets. Each of these densities is
// Gaussian, and its mean and variance follow from the posterior after the targets t_1 … t_{i−1}. This
// method needs no determinant and no integral over the parameters. The numbers in n must be positive
// and increasing.
func Linear(r *rand.Rand, m int, priorVariance, beta float64, n ...int) []Model {
	now := Model{M0: instance.Normals(r, m), S0: instance.Covariance(r, m), H: mat.NewSymDense(m, nil),
		prior: new(mat.Cholesky), data: make([]float64, m), beta: beta}
	now.S0.ScaleSym(priorVariance, now.S0)
	now.prior.Factorize(now.S0)
	truth := instance.Normals(r, m)
	mean, cov := slices.Clone(now.M0), mat.DenseCopyOf(now.S0)
	var out []Model
	for len(out) < len(n) {
		phi := instance.Normals(r, m)
		phi[0] = 1
		t := floats.Dot(truth, phi) + r.NormFloat64()/math.Sqrt(beta)

		row := mat.NewVecDense(m, phi)
		var gain mat.VecDense
		gain.MulVec(cov, row)
		variance := 1/beta + mat.Dot(row, &gain)
		e := t - floats.Dot(mean, phi)
		now.Exact += -e*e/(2*variance) - math.Log(2*math.Pi*variance)/2
		floats.AddScaled(mean, e/variance, gain.RawVector().Data)
		cov.RankOne(cov, -1/variance, &gain, &gain)

		now.N++
		now.H.SymRankOne(now.H, beta, row)
		floats.AddScaled(now.data, beta*t, phi)
		now.squares += t * t
		if now.N == n[len(out)] {
			out = append(out, now.snapshot())
		}
	}
	return out
}

// snapshot returns a copy of the model, in which it sets A and Mode for the targets drawn so far.
// Later targets do not change the copy.
func (d Model) snapshot() Model {
	m := len(d.M0)
	h := mat.NewSymDense(m, nil)
	h.CopySym(d.H)
	d.H, d.data = h, slices.Clone(d.data)
	d.A = Inverse(d.S0)
	d.A.AddSym(d.A, d.H)
	// A·mode = S0⁻¹m0 + βΦᵀt
	d.Mode = Solve(d.A, floats.AddTo(make([]float64, m), Solve(d.S0, d.M0), d.data))
	return d
}

// LogLik returns ln p(D|θ), from the expanded form of the sum of (t−φᵀθ)².
func (d Model) LogLik(theta []float64) float64 {
	fit := d.beta*d.squares - 2*floats.Dot(d.data, theta) + Form(theta, d.H, theta)
	return float64(d.N)/2*math.Log(d.beta/(2*math.Pi)) - fit/2
}

// LogPrior returns ln N(θ|m0,S0).
func (d Model) LogPrior(theta []float64) float64 {
	var solved mat.VecDense
	z := mat.NewVecDense(len(theta), instance.Minus(theta, d.M0))
	_ = d.prior.SolveVecTo(&solved, z) // S0 is far from singular, so SolveVecTo returns no error
	return -float64(len(theta))/2*math.Log(2*math.Pi) - d.prior.LogDet()/2 - mat.Dot(z, &solved)/2
}

// Inverse returns the inverse of a positive definite matrix. For any other matrix, and for a matrix
// that is nearly singular, it returns zeros.
func Inverse(a *mat.SymDense) *mat.SymDense {
	var chol mat.Cholesky
	out := mat.NewSymDense(a.SymmetricDim(), nil)
	if !chol.Factorize(a) || chol.InverseTo(out) != nil {
		out.Zero()
	}
	return out
}

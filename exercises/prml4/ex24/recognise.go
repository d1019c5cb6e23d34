package ex24

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

// of is what a mistaken formula makes of all problems.
func of(f func(p problem) float64) func([]problem) []float64 {
	return func(list []problem) []float64 {
		v := make([]float64, len(list))
		for i, p := range list {
			v[i] = f(p)
		}
		return v
	}
}

// form is uᵀSv.
func form(u []float64, s mat.Matrix, v []float64) float64 {
	return mat.Inner(mat.NewVecDense(len(u), u), s, mat.NewVecDense(len(v), v))
}

func (p problem) mean() float64     { return floats.Dot(p.phi, p.m) }
func (p problem) variance() float64 { return form(p.phi, p.S, p.phi) }

// withPrecision is φᵀS⁻¹φ.
func (p problem) withPrecision() float64 {
	var inverse mat.Dense
	if inverse.Inverse(p.S) != nil {
		return math.NaN()
	}
	return form(p.phi, &inverse, p.phi)
}

// entries is Σ φ_i S_ij φ_j over the entries that are kept.
func (p problem) entries(keep func(i, j int) bool) float64 {
	sum := 0.0
	for i := range p.phi {
		for j := range p.phi {
			if keep(i, j) {
				sum += p.phi[i] * p.S.At(i, j) * p.phi[j]
			}
		}
	}
	return sum
}

func (p problem) ones() []float64 {
	v := make([]float64, len(p.m))
	floats.AddConst(1, v)
	return v
}

// image is Sφ.
func (p problem) image() []float64 {
	var v mat.VecDense
	v.MulVec(p.S, mat.NewVecDense(len(p.phi), p.phi))
	return v.RawVector().Data
}

var meanMistakes = []learner.Mistake[[]problem]{
	{Key: "mean-of-weights-alone", Hint: 2, Message: "The features are not in your mean: this is the sum of the entries of m. The activation is wᵀφ, each weight times its feature.",
		Value: of(func(p problem) float64 { return floats.Sum(p.m) })},
	{Key: "mean-of-weights-alone", Hint: 2, Message: "The features are not in your mean: this is the first entry of m.",
		Value: of(func(p problem) float64 { return p.m[0] })},
	{Key: "mean-of-weights-alone", Hint: 2, Message: "The features are not in your mean: this is mᵀm.",
		Value: of(func(p problem) float64 { return floats.Dot(p.m, p.m) })},
	{Key: "mean-sign", Hint: 2, Message: "Your mean has the wrong sign.", Value: of(func(p problem) float64 { return -p.mean() })},
	{Key: "mean-averaged", Hint: 2, Message: "Your mean is divided by M. wᵀφ is a sum over the weights, not their average.",
		Value: of(func(p problem) float64 { return p.mean() / float64(len(p.m)) })},
	{Key: "bias-forgotten", Hint: 2, Message: "The first weight is missing in your mean. φ holds the bias's 1 where there is one; all M products are added.",
		Value: of(func(p problem) float64 { return p.mean() - p.m[0]*p.phi[0] })},
	{Key: "last-forgotten", Hint: 2, Message: "The last weight is missing in your mean: does the loop stop one too early?",
		Value: of(func(p problem) float64 { k := len(p.m) - 1; return p.mean() - p.m[k]*p.phi[k] })},
	{Key: "mean-with-covariance", Hint: 2, Message: "S stands in your mean, φᵀSm. The expectation of a linear function needs the mean of w only.",
		Value: of(func(p problem) float64 { return form(p.phi, p.S, p.m) })},
	{Key: "sigmoid-applied", Hint: 1, Message: "This is σ of the mean activation. Asked for is the distribution of a itself; the sigmoid comes afterwards.",
		Value: of(func(p problem) float64 { return kernel.Sigmoid(p.mean()) })},
	{Key: "kappa-applied", Hint: 1, Message: "This is κ(σ²)μ of (4.155), the next step. Asked for is the mean of a itself.",
		Value: of(func(p problem) float64 { return p.mean() / math.Sqrt(1+math.Pi*p.variance()/8) })},
	{Key: "mean-zero", Hint: 2, Message: "Your mean is 0 everywhere.", Value: of(func(problem) float64 { return 0 })},
}

var varianceMistakes = []learner.Mistake[[]problem]{
	{Key: "covariance-as-precision", Hint: 2, Value: of(problem.withPrecision),
		Message: "This is φᵀS⁻¹φ: S was taken for a precision. (4.143) prints S_N for what is its inverse, S_N⁻¹; in (4.144) and (4.150), and here, S is a covariance."},
	{Key: "covariance-as-precision", Hint: 2, Value: of(func(p problem) float64 { return 1 / p.withPrecision() }),
		Message: "This is 1/(φᵀS⁻¹φ), the variance along φ when all other directions are held fixed. Integrating them out gives another, larger one."},
	{Key: "precision-returned", Hint: 2, Value: of(func(p problem) float64 { return 1 / p.variance() }),
		Message: "This is the inverse of the variance, a precision."},
	{Key: "standard-deviation", Hint: 2, Value: of(func(p problem) float64 { return math.Sqrt(p.variance()) }),
		Message: "This is the standard deviation; asked for is the variance, its square."},
	{Key: "variance-squared", Hint: 2, Value: of(func(p problem) float64 { return p.variance() * p.variance() }),
		Message: "This is the square of the variance: φᵀSφ is a variance already."},
	{Key: "off-diagonals-dropped", Hint: 3, Value: of(func(p problem) float64 { return p.entries(func(i, j int) bool { return i == j }) }),
		Message: "Only the diagonal of S is used. Weights are correlated, and the variance of a sum has their covariances, too."},
	{Key: "covariances-once", Hint: 3, Value: of(func(p problem) float64 { return p.entries(func(i, j int) bool { return i <= j }) }),
		Message: "Each covariance is counted once. S_ij and S_ji both belong to the double sum."},
	{Key: "features-once", Hint: 3, Value: of(func(p problem) float64 { return form(p.phi, p.S, p.ones()) }),
		Message: "The features come in once: this is the sum of the entries of Sφ. The variance is quadratic in φ."},
	{Key: "features-left-out", Hint: 2, Value: of(func(p problem) float64 { return form(p.ones(), p.S, p.ones()) }),
		Message: "The features are not in your variance: this is the sum of all entries of S."},
	{Key: "features-left-out", Hint: 2, Value: of(func(p problem) float64 { return mat.Trace(p.S) }),
		Message: "The features are not in your variance: this is the trace of S."},
	{Key: "features-left-out", Hint: 2, Value: of(func(p problem) float64 { return mat.Det(p.S) }),
		Message: "The features are not in your variance: this is the determinant of S."},
	{Key: "covariance-left-out", Hint: 2, Value: of(func(p problem) float64 { return floats.Dot(p.phi, p.phi) }),
		Message: "S is not in your variance: this is φᵀφ."},
	{Key: "mean-for-features", Hint: 2, Value: of(func(p problem) float64 { return form(p.m, p.S, p.m) }),
		Message: "This is mᵀSm: φ belongs on both sides, not the mean of the weights."},
	{Key: "mean-for-features", Hint: 2, Value: of(func(p problem) float64 { return form(p.phi, p.S, p.m) }),
		Message: "This is φᵀSm: φ belongs on both sides, not the mean of the weights."},
	{Key: "covariance-twice", Hint: 3, Value: of(func(p problem) float64 { v := p.image(); return floats.Dot(v, v) }),
		Message: "This is φᵀSᵀSφ, the squared length of Sφ: S comes in twice."},
	{Key: "second-moment", Hint: 2, Value: of(func(p problem) float64 { return p.variance() + p.mean()*p.mean() }),
		Message: "This is E[a²]. The variance is E[a²] − E[a]²."},
	{Key: "mean-subtracted", Hint: 2, Value: of(func(p problem) float64 { return p.variance() - p.mean()*p.mean() }),
		Message: "The squared mean is subtracted from φᵀSφ. S is the covariance, from which the mean is already gone."},
	{Key: "noise-added", Hint: 2, Value: of(func(p problem) float64 { return p.variance() + 1 }),
		Message: "A 1 is added to the variance, as the noise in linear regression's predictive distribution (3.58). The activation has no noise of its own."},
	{Key: "factor", Hint: 2, Value: of(func(p problem) float64 { return p.variance() / 2 }), Message: "A factor ½ stands in front of the variance."},
	{Key: "factor", Hint: 2, Value: of(func(p problem) float64 { return p.variance() * 2 }), Message: "A factor 2 stands in front of the variance."},
	{Key: "averaged", Hint: 2, Value: of(func(p problem) float64 { return p.variance() / float64(len(p.m)) }), Message: "The variance is divided by M; it is a plain double sum."},
	{Key: "negative", Hint: 2, Value: of(func(p problem) float64 { return -p.variance() }), Message: "The variance has the wrong sign."},
}

package ex24

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	projectFunc = func(phi, m []float64, S *mat.SymDense) (mu, variance float64)
	mistake     = judge.Mistake[projectFunc]
)

// ask calls project and says which of its results is not finite.
func ask(project projectFunc, c *judge.Call, p problem) (mu, variance float64) {
	mu, variance = project(c.Slice("phi", p.phi), c.Slice("m", p.m), c.Sym("S", p.S))
	if v := mu - mu + variance - variance; v != 0 {
		bad := verify.Fail("not-finite", 3, "For %v you returned a mean of %g and a variance of %g. Sums of products of finite numbers are all that is needed.", p, mu, variance)
		if p.exact {
			bad = verify.Fail("singular", 3, "With %v you returned a mean of %g and a variance of %g. Is S inverted, or something divided by a variance or a length?", p, mu, variance)
		}
		c.Say(&bad)
	}
	return mu, variance
}

// question asks for the results from one up to another.
func question(name string, from, to int, mistakes []mistake) *judge.Question[projectFunc, problem] {
	return &judge.Question[projectFunc, problem]{
		Func: "Project", Name: name, Hint: 3,
		Ask: func(project projectFunc, c *judge.Call, p problem) []float64 {
			mu, variance := ask(project, c, p)
			return []float64{mu, variance}[from:to]
		},
		Right:    func(p problem) []float64 { return []float64{p.mean(), p.variance()}[from:to] },
		Unit:     func(p problem, _ []float64) []float64 { return p.sizes()[from:to] },
		Mistakes: mistakes,
	}
}

var (
	askBoth     = question("pair", 0, 2, nil)
	askMean     = question("mean", 0, 1, meanMistakes)
	askVariance = question("variance", 1, 2, varianceMistakes)
)

var meanMistakes = []mistake{
	{Key: "results-swapped", Hint: 3, Answer: made(func(p problem) (float64, float64) { return p.variance(), p.mean() }), Message: "Mean and variance are returned in the wrong order."},
	{Key: "mean-of-weights-alone", Hint: 2, Answer: mean(func(p problem) float64 { return floats.Sum(p.m) }), Message: "The features are not in your mean: this is the sum of the entries of m. The activation is wᵀφ, each weight times its feature."},
	{Key: "mean-of-weights-alone", Hint: 2, Answer: mean(func(p problem) float64 { return p.m[0] }), Message: "The features are not in your mean: this is the first entry of m."},
	{Key: "mean-of-weights-alone", Hint: 2, Answer: mean(func(p problem) float64 { return floats.Dot(p.m, p.m) }), Message: "The features are not in your mean: this is mᵀm."},
	{Key: "mean-sign", Hint: 2, Answer: mean(func(p problem) float64 { return -p.mean() }), Message: "Your mean has the wrong sign."},
	{Key: "mean-averaged", Hint: 2, Answer: mean(func(p problem) float64 { return p.mean() / float64(len(p.m)) }), Message: "Your mean is divided by M. wᵀφ is a sum over the weights, not their average."},
	{Key: "bias-forgotten", Hint: 2, Answer: mean(func(p problem) float64 { return p.mean() - p.m[0]*p.phi[0] }), Message: "The first weight is missing in your mean. φ holds the bias's 1 where there is one; all M products are added."},
	{Key: "last-forgotten", Hint: 2, Answer: mean(func(p problem) float64 { k := len(p.m) - 1; return p.mean() - p.m[k]*p.phi[k] }), Message: "The last weight is missing in your mean: does the loop stop one too early?"},
	{Key: "mean-with-covariance", Hint: 2, Answer: mean(func(p problem) float64 { return form(p.phi, p.S, p.m) }), Message: "S stands in your mean, φᵀSm. The expectation of a linear function needs the mean of w only."},
	{Key: "sigmoid-applied", Hint: 1, Answer: mean(func(p problem) float64 { return kernel.Sigmoid(p.mean()) }), Message: "This is σ of the mean activation. Asked for is the distribution of a itself; the sigmoid comes afterwards."},
	{Key: "kappa-applied", Hint: 1, Answer: mean(func(p problem) float64 { return p.mean() / math.Sqrt(1+math.Pi*p.variance()/8) }), Message: "This is κ(σ²)μ of (4.155), the next step. Asked for is the mean of a itself."},
	{Key: "mean-zero", Hint: 2, Answer: mean(func(problem) float64 { return 0 }), Message: "Your mean is 0 everywhere."},
}

var varianceMistakes = []mistake{
	{Key: "covariance-as-precision", Hint: 2, Answer: variance(problem.withPrecision), Message: "This is φᵀS⁻¹φ: S was taken for a precision. (4.143) prints S_N for what is its inverse, S_N⁻¹; in (4.144) and (4.150), and here, S is a covariance."},
	{Key: "covariance-as-precision", Hint: 2, Answer: variance(func(p problem) float64 { return 1 / p.withPrecision() }), Message: "This is 1/(φᵀS⁻¹φ), the variance along φ when all other directions are held fixed. Integrating them out gives another, larger one."},
	{Key: "precision-returned", Hint: 2, Answer: variance(func(p problem) float64 { return 1 / p.variance() }), Message: "This is the inverse of the variance, a precision."},
	{Key: "standard-deviation", Hint: 2, Answer: variance(func(p problem) float64 { return math.Sqrt(p.variance()) }), Message: "This is the standard deviation; asked for is the variance, its square."},
	{Key: "variance-squared", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() * p.variance() }), Message: "This is the square of the variance: φᵀSφ is a variance already."},
	{Key: "off-diagonals-dropped", Hint: 3, Message: "Only the diagonal of S is used. Weights are correlated, and the variance of a sum has their covariances, too.",
		Answer: variance(func(p problem) float64 { return p.entries(func(i, j int) bool { return i == j }) })},
	{Key: "covariances-once", Hint: 3, Message: "Each covariance is counted once. S_ij and S_ji both belong to the double sum.",
		Answer: variance(func(p problem) float64 { return p.entries(func(i, j int) bool { return i <= j }) })},
	{Key: "features-once", Hint: 3, Answer: variance(func(p problem) float64 { return form(p.phi, p.S, p.ones()) }), Message: "The features come in once: this is the sum of the entries of Sφ. The variance is quadratic in φ."},
	{Key: "features-left-out", Hint: 2, Answer: variance(func(p problem) float64 { return form(p.ones(), p.S, p.ones()) }), Message: "The features are not in your variance: this is the sum of all entries of S."},
	{Key: "features-left-out", Hint: 2, Answer: variance(func(p problem) float64 { return mat.Trace(p.S) }), Message: "The features are not in your variance: this is the trace of S."},
	{Key: "features-left-out", Hint: 2, Answer: variance(func(p problem) float64 { return mat.Det(p.S) }), Message: "The features are not in your variance: this is the determinant of S."},
	{Key: "covariance-left-out", Hint: 2, Answer: variance(func(p problem) float64 { return floats.Dot(p.phi, p.phi) }), Message: "S is not in your variance: this is φᵀφ."},
	{Key: "mean-for-features", Hint: 2, Answer: variance(func(p problem) float64 { return form(p.m, p.S, p.m) }), Message: "This is mᵀSm: φ belongs on both sides, not the mean of the weights."},
	{Key: "mean-for-features", Hint: 2, Answer: variance(func(p problem) float64 { return form(p.phi, p.S, p.m) }), Message: "This is φᵀSm: φ belongs on both sides, not the mean of the weights."},
	{Key: "covariance-twice", Hint: 3, Answer: variance(func(p problem) float64 { v := p.image(); return floats.Dot(v, v) }), Message: "This is φᵀSᵀSφ, the squared length of Sφ: S comes in twice."},
	{Key: "second-moment", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() + p.mean()*p.mean() }), Message: "This is E[a²]. The variance is E[a²] − E[a]²."},
	{Key: "mean-subtracted", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() - p.mean()*p.mean() }), Message: "The squared mean is subtracted from φᵀSφ. S is the covariance, from which the mean is already gone."},
	{Key: "noise-added", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() + 1 }), Message: "A 1 is added to the variance, as the noise in linear regression's predictive distribution (3.58). The activation has no noise of its own."},
	{Key: "factor", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() / 2 }), Message: "A factor ½ stands in front of the variance."},
	{Key: "factor", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() * 2 }), Message: "A factor 2 stands in front of the variance."},
	{Key: "averaged", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() / float64(len(p.m)) }), Message: "The variance is divided by M; it is a plain double sum."},
	{Key: "negative", Hint: 2, Answer: variance(func(p problem) float64 { return -p.variance() }), Message: "The variance has the wrong sign."},
}

// made is a learner whose numbers are f's, mean one whose mean is, and variance one whose
// variance is.
func made(f func(p problem) (float64, float64)) projectFunc {
	return func(phi, m []float64, S *mat.SymDense) (float64, float64) { return f(problem{phi: phi, m: m, S: S}) }
}

func mean(f func(p problem) float64) projectFunc {
	return made(func(p problem) (float64, float64) { return f(p), p.variance() })
}

func variance(f func(p problem) float64) projectFunc {
	return made(func(p problem) (float64, float64) { return p.mean(), f(p) })
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

func init() {
	askBoth.Entries = []string{"mean", "variance"}
	askVariance.Family = notNegative
	judge.Known(exercise, askMean, Check)
	judge.Known(exercise, askVariance, Check)
}

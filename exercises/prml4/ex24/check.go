// Package ex24 judges PRML exercise 4.24: the distribution of the activation wᵀφ for weights with a
// Gaussian distribution.
package ex24

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges the function `project` of PRML exercise 4.24. `project` returns the mean (4.149) and
// the variance (4.150) of the activation wᵀφ for features phi (M). The weights have the
// distribution N(m,S), where m has M entries and S is M×M.
func Check(project func(phi, m []float64, S *mat.SymDense) (mu, variance float64)) *verify.Report {
	return exercise.Judge(slices.Concat(
		bothQuestion.Parts(project,
			judge.Form("the result is two finite numbers, and the arguments stay unchanged", problems, nil,
				judge.Wrong{},
				"You returned two finite numbers for M from 1 to 8.")),
		meanQuestion.Parts(project,
			momentPart("mean", 0,
				"For small and large features your mean is the mean activation of weight vectors that are placed symmetrically about m.")),
		varianceQuestion.Parts(project,
			momentPart("variance", 1,
				"For small and large features your variance is the mean squared deviation of the activations of weight vectors that have the covariance S.")),
		bothQuestion.Parts(project, []judge.Property[problem]{
			{Name: "one integral over the activation a equals the M-dimensional integral over w", Problems: small,
				Precheck: func(p problem, got []float64) *verify.Verdict { return notNegative(p, got[1:]) },
				Holds: func(p problem, got []float64) verify.Finding {
					// the tolerance is larger than the errors of both integrals, which have 10
					// correct decimals
					return verify.Close(average(0.01, got[0], []float64{math.Sqrt(got[1])}), p.overWeights(),
						verify.Tolerance{Abs: 1e-8})
				},
				Wrong: judge.Wrong{Key: "integral", Hint: 2,
					Message: "For {problem} the integral of σ(a) over your Gaussian should equal the integral of σ(wᵀφ) over all weights, but it is {off}."},
				Right: "In up to three dimensions the average of σ over your one-dimensional Gaussian equals the average over all weights to 8 decimals."},
			{Name: "if w is a sum of independent vectors, means and variances add", Problems: problems,
				Holds: func(p problem, got []float64) verify.Finding {
					other, sum := p.plus(drawProblem(instance.Source(424, 3), "", len(p.m), 1))
					mu, variance := project(other.phi, other.m, other.S)
					a, b := project(sum.phi, sum.m, sum.S)
					return sum.compareBoth([]float64{a, b}, got[0]+mu, got[1]+variance, 1e-9, 0)
				},
				Wrong: judge.Wrong{Key: "not-additive", Hint: 2,
					Message: "If w is the sum of two independent Gaussian vectors, the means and variances of the activation should add. For {problem} your result is {off}."},
				Right: "Your means and variances add, as for a sum of independent vectors."},
			{Name: "weights with a singular covariance, and features that are 0", Problems: singular, Extreme: true,
				Holds: func(p problem, got []float64) verify.Finding {
					return p.compareBoth(got, p.mean(), p.variance(), 1e-10, 1e-12)
				},
				Wrong: judge.Wrong{Key: "singular", Hint: 3,
					Message: "For {problem} your mean or variance is {off}. Do not invert or factorize S, do not add a number to S, and do not divide by a length. If all features are 0, the activation is 0 and does not vary."},
				Right: "Your results are also right for a singular S and for φ = 0. The formulas need no inverse."},
		}...))...)
}

// momentPart returns the part of the report that checks the mean of the activation if `which` is 0, and
// the variance of the activation if `which` is 1. This part compares the learner's result with the mean
// or the variance of the activations of 2M weight vectors, which have the mean m and the covariance S.
func momentPart(name string, which int, right string) judge.Property[problem] {
	return judge.Property[problem]{Name: fmt.Sprintf("the %s of the activation, computed from 2M weight vectors", name),
		Problems: scales,
		Holds: func(p problem, got []float64) verify.Finding {
			return verify.Close(got[0], p.moments()[which], verify.Tolerance{Abs: 1e-10 * p.sizes()[which]})
		},
		Wrong: judge.Wrong{Key: name, Hint: 2,
			Message: fmt.Sprintf("For {problem} the function Check computes the activations of 2M weight vectors with the mean m and the covariance S, placed in pairs symmetrically about m. The %s of these activations should equal your result, but your result is {off}.", name)},
		Right: right}
}

// compareBoth compares the two results with the given mean and variance. The mean may differ by
// tol·s1, and the variance by atZero + t·s2. Here s1 and s2 are the two sums that p.sizes returns,
// and t is the larger of tol and 1e-9.
func (p problem) compareBoth(got []float64, mean, variance, tol, atZero float64) verify.Finding {
	size := p.sizes()
	return judge.All(verify.Close(got[0], mean, verify.Tolerance{Abs: tol * size[0]}),
		verify.Close(got[1], variance, verify.Tolerance{Abs: atZero + max(tol, 1e-9)*size[1]}))
}

func notNegative(p problem, got []float64) *verify.Verdict {
	return judge.FailIf(got[0] < 0, "negative", 2, "For %v your variance is %.4g. A variance cannot be negative.", p,
		got[0])
}

// A problem contains a feature vector φ and the Gaussian distribution N(m,S) of the weights.
type problem struct {
	name   string
	phi, m []float64
	S      *mat.SymDense
	exact  bool // whether S is singular or φ = 0
}

func (p problem) String() string { return "“" + p.name + "”" }

// drawProblem returns a random problem with m weights. Its covariance is a random covariance
// multiplied by `scale`.
func drawProblem(r *rand.Rand, name string, m int, scale float64) problem {
	p := problem{name: name, phi: instance.Normals(r, m), m: instance.Normals(r, m), S: instance.Covariance(r, m)}
	p.S.ScaleSym(scale, p.S)
	return p
}

func problems() []problem {
	r := instance.Source(424, 1)
	bias := drawProblem(r, "a bias and three other features", 4, 0.7)
	bias.phi[0] = 1
	return []problem{
		drawProblem(r, "three weights", 3, 1.3),
		drawProblem(r, "one weight", 1, 0.4),
		drawProblem(r, "two weights", 2, 2),
		bias,
		drawProblem(r, "eight weights", 8, 0.5),
		drawProblem(r, "two weights, very uncertain", 2, 40),
	}
}

// scales returns the problems, and copies of some of them in which all features are multiplied by
// 1e-3, 1e4 or −3. The factor multiplies the mean, and its square multiplies the variance.
func scales() []problem {
	list := problems()
	for _, p := range list[:3] {
		for _, to := range []struct {
			c    float64
			word string
		}{{1e-3, "small"}, {1e4, "large"}, {-3, "sign-reversed"}} {
			q := p
			q.name = p.name + ", " + to.word + " features"
			q.phi = floats.ScaleTo(make([]float64, len(p.phi)), to.c, p.phi)
			list = append(list, q)
		}
	}
	return list
}

// small returns problems with at most three weights, so that σ can be integrated numerically over
// all weights.
func small() []problem {
	r := instance.Source(424, 2)
	return []problem{drawProblem(r, "one weight", 1, 1), drawProblem(r, "two weights", 2, 1), drawProblem(r, "three weights", 3, 0.7),
		drawProblem(r, "two weights, small variances", 2, 0.05)}
}

func singular() (list []problem) {
	r := instance.Source(424, 4)
	for _, m := range []int{1, 2, 4} {
		p := drawProblem(r, "weights known exactly", m, 1)
		p.S, p.exact = mat.NewSymDense(m, nil), true
		list = append(list, p)
		if m > 1 {
			p.name, p.S = "weights uncertain in one direction only", mat.NewSymDense(m, nil)
			p.S.SymRankOne(p.S, 2, mat.NewVecDense(m, instance.Unit(r, m)))
			list = append(list, p)
		}
		p = drawProblem(r, "features that are all 0", m, 1)
		clear(p.phi)
		p.exact = true
		list = append(list, p)
	}
	return list
}

// plus returns two problems with the features of p. In the first problem the weights have the same
// distribution as in the argument `other`. In the second problem the weights are the sum of two
// independent vectors: the weights of p and the weights of the first problem.
func (p problem) plus(other problem) (_, sum problem) {
	other.phi, sum = p.phi, p
	sum.m = floats.AddTo(make([]float64, len(p.m)), p.m, other.m)
	sum.S = mat.NewSymDense(len(p.m), nil)
	sum.S.AddSym(p.S, other.S)
	return other, sum
}

// sizes returns two sums of absolute values: the sum of all |φ_i m_i|, the terms of the mean, and the
// sum of all |φ_i S_ij φ_j|, the terms of the variance. Tolerances are proportional to these sums.
func (p problem) sizes() []float64 {
	var mean, variance float64
	for i := range p.phi {
		mean += math.Abs(p.phi[i] * p.m[i])
		for j := range p.phi {
			variance += math.Abs(p.phi[i] * p.S.At(i, j) * p.phi[j])
		}
	}
	return []float64{mean, variance}
}

// factor returns L with LLᵀ = S. If z has the distribution N(0,I), w = m + Lz has the distribution
// N(m,S).
func (p problem) factor() *mat.TriDense {
	var chol mat.Cholesky
	chol.Factorize(p.S)
	var l mat.TriDense
	chol.LTo(&l)
	return &l
}

// moments computes the mean and the variance of the activation over the 2M points m ± √M·L_i, where
// L_i is column i of L. These points have the mean m and the covariance S. Therefore the mean and
// the variance of a linear function of w over these points are right, and moments needs no formula
// for the variance of the activation.
func (p problem) moments() []float64 {
	m, l := len(p.m), p.factor()
	var a []float64
	for i := range m {
		column := mat.Col(nil, i, l)
		for _, sign := range []float64{1, -1} {
			w := floats.AddScaledTo(make([]float64, m), p.m, sign*math.Sqrt(float64(m)), column)
			a = append(a, floats.Dot(w, p.phi))
		}
	}
	mean, variance := stat.PopMeanVariance(a, nil)
	return []float64{mean, variance}
}

// overWeights returns the integral of σ(wᵀφ) N(w|m,S) over all weights, for M up to 3. With w = m +
// Lz it integrates over z. For each entry of z it uses the trapezoidal rule from −7 to 7. Let c be
// the change in the activation per unit of z, and h the step. The poles of σ at ±iπ cause an error
// of e^{−2π²/(ch)}. For ch ≤ 0.8 ten decimals are right.
func (p problem) overWeights() float64 {
	h := 0.25
	m, l := len(p.m), p.factor()
	direction := make([]float64, m) // `direction` is Lᵀφ: its entry i is the change in the activation per unit of z_i
	for i := range m {
		direction[i] = floats.Dot(mat.Col(nil, i, l), p.phi)
		h = math.Min(h, 0.8/math.Abs(direction[i]))
	}
	return average(h, floats.Dot(p.m, p.phi), direction)
}

// average returns the mean of σ(a + Σ direction_i z_i), where z has the distribution N(0,I). It
// computes this mean as a sum over a grid with the step h.
func average(h, a float64, direction []float64) float64 {
	if len(direction) == 0 {
		return kernel.Sigmoid(a)
	}
	sum, reach := 0.0, int(math.Ceil(7/h))
	for k := -reach; k <= reach; k++ {
		z := h * float64(k)
		sum += h * kernel.NormPDF(z) * average(h, a+direction[0]*z, direction[1:])
	}
	return sum
}

type (
	projectFunc = func(phi, m []float64, S *mat.SymDense) (mu, variance float64)
	mistake     = judge.Mistake[projectFunc]
)

// callProject calls the learner's function and records a verdict if a result is not finite.
func callProject(project projectFunc, c *judge.Call, p problem) (mu, variance float64) {
	mu, variance = project(c.Slice("phi", p.phi), c.Slice("m", p.m), c.Sym("S", p.S))
	if v := mu - mu + variance - variance; v != 0 {
		bad := verify.Fail("not-finite", 3,
			"For %v you returned a mean of %g and a variance of %g, but both must be finite. The computation needs only sums of products of finite numbers.", p, mu, variance)
		if p.exact {
			bad = verify.Fail("singular", 3,
				"For %v you returned a mean of %g and a variance of %g, but both must be finite. S is singular or φ is 0 for this problem, so do not invert S, and do not divide by a variance or a length.", p, mu, variance)
		}
		c.Say(&bad)
	}
	return mu, variance
}

// question returns a judge.Question that judges the results from the number `from` up to, but not
// including, the number `to`. Result 0 is the mean, and result 1 is the variance.
func question(name string, from, to int, mistakes []mistake) *judge.Question[projectFunc, problem] {
	return &judge.Question[projectFunc, problem]{
		Func: "Project", Name: name, Hint: 3,
		Invoke: func(project projectFunc, c *judge.Call, p problem) []float64 {
			mu, variance := callProject(project, c, p)
			return []float64{mu, variance}[from:to]
		},
		Right:    func(p problem) []float64 { return []float64{p.mean(), p.variance()}[from:to] },
		Unit:     func(p problem, _ []float64) []float64 { return p.sizes()[from:to] },
		Mistakes: mistakes,
	}
}

var (
	bothQuestion     = question("pair", 0, 2, nil)
	meanQuestion     = question("mean", 0, 1, meanMistakes)
	varianceQuestion = question("variance", 1, 2, varianceMistakes)
)

var meanMistakes = []mistake{
	{Key: "results-swapped", Hint: 3,
		Answer:  answerFrom(func(p problem) (float64, float64) { return p.variance(), p.mean() }),
		Message: "Your first result is the variance. Return the mean first, and then the variance."},
	{Key: "mean-of-weights-alone", Hint: 2, Answer: mean(func(p problem) float64 { return floats.Sum(p.m) }),
		Message: "Your mean is the sum of the entries of m, without the features. The activation is wᵀφ, so multiply each weight by its feature."},
	{Key: "mean-of-weights-alone", Hint: 2, Answer: mean(func(p problem) float64 { return p.m[0] }),
		Message: "Your mean is the first entry of m, without the features. The activation is wᵀφ, so multiply each weight by its feature."},
	{Key: "mean-of-weights-alone", Hint: 2, Answer: mean(func(p problem) float64 { return floats.Dot(p.m, p.m) }),
		Message: "Your mean is mᵀm, without the features. Multiply each entry of m by its feature."},
	{Key: "mean-sign", Hint: 2, Answer: mean(func(p problem) float64 { return -p.mean() }),
		Message: "Your mean has the wrong sign."},
	{Key: "mean-averaged", Hint: 2, Answer: mean(func(p problem) float64 { return p.mean() / float64(len(p.m)) }),
		Message: "Your mean is the right mean divided by M. wᵀφ is a sum over the weights, not an average."},
	{Key: "bias-forgotten", Hint: 2, Answer: mean(func(p problem) float64 { return p.mean() - p.m[0]*p.phi[0] }),
		Message: "Your mean leaves out the first weight. A bias is an ordinary weight with the feature 1 in φ, so add all M products."},
	{Key: "last-forgotten", Hint: 2,
		Answer:  mean(func(p problem) float64 { k := len(p.m) - 1; return p.mean() - p.m[k]*p.phi[k] }),
		Message: "Your mean leaves out the last weight. Check where your loop ends."},
	{Key: "mean-with-covariance", Hint: 2, Answer: mean(func(p problem) float64 { return gauss.Form(p.phi, p.S, p.m) }),
		Message: "Your mean is φᵀSm. The mean of a linear function of w depends only on the mean of w, not on S."},
	{Key: "sigmoid-applied", Hint: 1, Answer: mean(func(p problem) float64 { return kernel.Sigmoid(p.mean()) }),
		Message: "You return σ of the mean activation. Return the mean activation itself. The sigmoid is applied only in a later step."},
	{Key: "kappa-applied", Hint: 1,
		Answer:  mean(func(p problem) float64 { return p.mean() / math.Sqrt(1+math.Pi*p.variance()/8) }),
		Message: "You return κ(σ²)μ, which occurs in (4.155), in a later step. Return the mean activation itself."},
	{Key: "mean-zero", Hint: 2, Answer: mean(func(problem) float64 { return 0 }),
		Message: "Your mean is 0 everywhere."},
}

var varianceMistakes = []mistake{
	{Key: "covariance-as-precision", Hint: 2, Answer: variance(problem.withPrecision),
		Message: "You return φᵀS⁻¹φ, as if S were a precision. (4.143) prints S_N in place of its inverse S_N⁻¹, but in this exercise, and in (4.144) and (4.150), S is a covariance."},
	{Key: "covariance-as-precision", Hint: 2,
		Answer:  variance(func(p problem) float64 { return 1 / p.withPrecision() }),
		Message: "You return 1/(φᵀS⁻¹φ), as if the weights could vary only along φ. In this exercise the weights vary in all directions."},
	{Key: "precision-returned", Hint: 2, Answer: variance(func(p problem) float64 { return 1 / p.variance() }),
		Message: "You return the precision 1/σ². Return its inverse, the variance."},
	{Key: "standard-deviation", Hint: 2, Answer: variance(func(p problem) float64 { return math.Sqrt(p.variance()) }),
		Message: "This is the standard deviation; return the variance, its square."},
	{Key: "variance-squared", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() * p.variance() }),
		Message: "You return the square of the variance. φᵀSφ is already the variance."},
	{Key: "off-diagonals-dropped", Hint: 3,
		Message: "Your variance contains only the diagonal of S. The weights are correlated, so the variance of a sum also contains their covariances.",
		Answer:  variance(func(p problem) float64 { return p.entries(func(i, j int) bool { return i == j }) })},
	{Key: "covariances-once", Hint: 3,
		Message: "Your variance contains each covariance only once. The double sum contains both S_ij and S_ji.",
		Answer:  variance(func(p problem) float64 { return p.entries(func(i, j int) bool { return i <= j }) })},
	{Key: "features-once", Hint: 3,
		Answer:  variance(func(p problem) float64 { return gauss.Form(p.phi, p.S, p.ones()) }),
		Message: "You return the sum of the entries of Sφ, which is linear in φ. The variance is quadratic in φ."},
	{Key: "features-left-out", Hint: 2,
		Answer:  variance(func(p problem) float64 { return gauss.Form(p.ones(), p.S, p.ones()) }),
		Message: "Your variance is the sum of all entries of S, without the features. The variance is quadratic in φ."},
	{Key: "features-left-out", Hint: 2, Answer: variance(func(p problem) float64 { return mat.Trace(p.S) }),
		Message: "Your variance is the trace of S, without the features. The variance is quadratic in φ."},
	{Key: "features-left-out", Hint: 2, Answer: variance(func(p problem) float64 { return mat.Det(p.S) }),
		Message: "Your variance is the determinant of S, without the features. The variance is quadratic in φ."},
	{Key: "covariance-left-out", Hint: 2, Answer: variance(func(p problem) float64 { return floats.Dot(p.phi, p.phi) }),
		Message: "Your variance is φᵀφ, without S. The variance depends on the covariance of the weights."},
	{Key: "mean-for-features", Hint: 2, Answer: variance(func(p problem) float64 { return gauss.Form(p.m, p.S, p.m) }),
		Message: "You return mᵀSm. Use φ on both sides, not the mean of the weights."},
	{Key: "mean-for-features", Hint: 2,
		Answer:  variance(func(p problem) float64 { return gauss.Form(p.phi, p.S, p.m) }),
		Message: "You return φᵀSm. Use φ on both sides, not the mean of the weights."},
	{Key: "covariance-twice", Hint: 3,
		Answer:  variance(func(p problem) float64 { v := p.image(); return floats.Dot(v, v) }),
		Message: "You return φᵀSᵀSφ, the squared length of Sφ. Use S only once."},
	{Key: "second-moment", Hint: 2,
		Answer:  variance(func(p problem) float64 { return p.variance() + p.mean()*p.mean() }),
		Message: "You return E[a²]. The variance is E[a²] − E[a]²."},
	{Key: "mean-subtracted", Hint: 2,
		Answer:  variance(func(p problem) float64 { return p.variance() - p.mean()*p.mean() }),
		Message: "You return φᵀSφ minus the squared mean. The covariance S is already a mean of squared deviations from m, so subtract nothing."},
	{Key: "noise-added", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() + 1 }),
		Message: "Your variance is the right variance plus 1, as if the activation contained noise, like the target of linear regression in (3.58). The activation contains no noise."},
	{Key: "factor", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() / 2 }),
		Message: "Your variance contains an extra factor ½."},
	{Key: "factor", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() * 2 }),
		Message: "Your variance contains an extra factor 2."},
	{Key: "averaged", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() / float64(len(p.m)) }),
		Message: "Your variance is the right variance divided by M. The variance is a double sum that is not divided by M."},
	{Key: "negative", Hint: 2, Answer: variance(func(p problem) float64 { return -p.variance() }),
		Message: "Your variance has the wrong sign."},
}

// answerFrom returns an answer that computes both results with f.
func answerFrom(f func(p problem) (float64, float64)) projectFunc {
	return func(phi, m []float64, S *mat.SymDense) (float64, float64) { return f(problem{phi: phi, m: m, S: S}) }
}

// mean returns an answer that computes the mean with f and returns the right variance.
func mean(f func(p problem) float64) projectFunc {
	return answerFrom(func(p problem) (float64, float64) { return f(p), p.variance() })
}

// variance returns an answer that computes the variance with f and returns the right mean.
func variance(f func(p problem) float64) projectFunc {
	return answerFrom(func(p problem) (float64, float64) { return p.mean(), f(p) })
}

func (p problem) mean() float64     { return floats.Dot(p.phi, p.m) }
func (p problem) variance() float64 { return gauss.Form(p.phi, p.S, p.phi) }

// withPrecision returns φᵀS⁻¹φ. If S is singular or nearly singular, it returns NaN.
func (p problem) withPrecision() float64 {
	var inverse mat.Dense
	if inverse.Inverse(p.S) != nil {
		return math.NaN()
	}
	return gauss.Form(p.phi, &inverse, p.phi)
}

// entries returns Σ φ_i S_ij φ_j over all i and j for which keep(i, j) is true.
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

// image returns Sφ.
func (p problem) image() []float64 { return gauss.Times(p.S, p.phi) }

func init() {
	bothQuestion.Entries = []string{"mean", "variance"}
	varianceQuestion.Family = notNegative
	judge.Known(exercise, meanQuestion, Check)
	judge.Known(exercise, varianceQuestion, Check)
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex24", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

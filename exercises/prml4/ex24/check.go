// Package ex24 judges PRML exercise 4.24: the distribution of the activation wᵀφ for weights with a
// Gaussian distribution.
package ex24

import (
	"embed"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges project, which returns mean and variance of the activation wᵀφ for
// features phi (M) and weights with the distribution N(m,S), m with M entries and
// S M×M: (4.149) and (4.150).
func Check(project func(phi, m []float64, S *mat.SymDense) (mu, variance float64)) *verify.Report {
	return exercise.Judge(slices.Concat(
		askBoth.Parts(project,
			judge.Form("two finite numbers come back, and the arguments stay as they were", problems, nil,
				judge.Wrong{},
				"You returned two finite numbers for M from 1 to 8.")),
		askMean.Parts(project,
			moment("mean", 0,
				"It is the mean activation of weight vectors placed symmetrically about m, for features of every size.")),
		askVariance.Parts(project,
			moment("variance", 1,
				"It is the mean squared deviation of the activations of weight vectors that have the covariance S, for features of every size.")),
		askBoth.Parts(project, []judge.Property[problem]{
			{Name: "one integral over a is the M-dimensional integral over w", On: small,
				First: func(p problem, got []float64) *verify.Verdict { return notNegative(p, got[1:]) },
				Holds: func(p problem, got []float64) verify.Finding { // (4.151): both sums are right to 10 decimals
					return verify.Close(average(0.01, got[0], []float64{math.Sqrt(got[1])}), p.overWeights(),
						verify.Tolerance{Abs: 1e-8})
				},
				Wrong: judge.Wrong{Key: "integral", Hint: 2,
					Message: "For {problem} the integral of σ(a) over your Gaussian is not that of σ(wᵀφ) over all weights: {off}."},
				Right: "The average of σ over your one-dimensional Gaussian equals the average over all weights, in up to three dimensions, to 8 decimals."},
			{Name: "where w is a sum of independent parts, means and variances add", On: problems,
				Holds: func(p problem, got []float64) verify.Finding {
					other, sum := p.plus(draw(instance.Source(424, 3), "", len(p.m), 1))
					mu, variance := project(other.phi, other.m, other.S)
					a, b := project(sum.phi, sum.m, sum.S)
					return sum.agree([]float64{a, b}, got[0]+mu, got[1]+variance, 1e-9, 0)
				},
				Wrong: judge.Wrong{Key: "not-additive", Hint: 2,
					Message: "For {problem}: where w is the sum of two independent Gaussian vectors, means and variances of the activation add. Yours do not: {off}."},
				Right: "The mean is linear in m, the variance in S."},
			{Name: "weights that are partly known exactly, and features that are 0", On: singular, Limits: true,
				Holds: func(p problem, got []float64) verify.Finding {
					return p.agree(got, p.mean(), p.variance(), 1e-10, 1e-12)
				},
				Wrong: judge.Wrong{Key: "singular", Hint: 3,
					Message: "With {problem} your mean or variance is not right: {off}. Is S inverted, factorized or added to, or something divided by a length?"},
				Right: "It holds for a singular S, too, and for φ = 0: no matrix need be inverted."},
		}...))...)
}

// moment compares a result with the same moment over points that have the mean and covariance of
// the weights.
func moment(name string, which int, right string) judge.Property[problem] {
	return judge.Property[problem]{Name: "the " + name + " of the activation, over weights in all M directions",
		On: scales,
		Holds: func(p problem, got []float64) verify.Finding {
			return verify.Close(got[0], p.moments()[which], verify.Tolerance{Abs: 1e-10 * p.sizes()[which]})
		},
		Wrong: judge.Wrong{Key: name, Hint: 2,
			Message: "For {problem}: weight vectors in pairs, a step forward and back along each of the M directions, which together have the mean m and the covariance S, have activations of another " + name + " than yours: it is {off}."},
		Right: right}
}

// agree compares both results, to tol relative to the terms of their sums. The tolerance of the
// variance also includes atZero.
func (p problem) agree(got []float64, mean, variance, tol, atZero float64) verify.Finding {
	size := p.sizes()
	return judge.All(verify.Close(got[0], mean, verify.Tolerance{Abs: tol * size[0]}),
		verify.Close(got[1], variance, verify.Tolerance{Abs: atZero + max(tol, 1e-9)*size[1]}))
}

func notNegative(p problem, got []float64) *verify.Verdict {
	return judge.FailIf(got[0] < 0, "negative", 2, "For %v your variance is %.4g. A variance is not negative.", p,
		got[0])
}

// A problem is a feature vector and a Gaussian over the weights.
type problem struct {
	name   string
	phi, m []float64
	S      *mat.SymDense
	exact  bool // S is singular, or φ = 0
}

func (p problem) String() string { return "“" + p.name + "”" }

// draw makes a problem with M weights; scale multiplies the covariance.
func draw(r *rand.Rand, name string, m int, scale float64) problem {
	p := problem{name: name, phi: instance.Normals(r, m), m: instance.Normals(r, m), S: instance.Covariance(r, m)}
	p.S.ScaleSym(scale, p.S)
	return p
}

func problems() []problem {
	r := instance.Source(424, 1)
	bias := draw(r, "a bias and three features", 4, 0.7)
	bias.phi[0] = 1
	return []problem{
		draw(r, "three weights", 3, 1.3),
		draw(r, "one weight", 1, 0.4),
		draw(r, "two weights", 2, 2),
		bias,
		draw(r, "eight weights", 8, 0.5),
		draw(r, "two weights, very uncertain", 2, 40),
	}
}

// scales returns the problems, and some of them with features that are a thousand times as small,
// ten thousand times as large, or negative. The mean grows with φ, the variance with its square.
func scales() []problem {
	list := problems()
	for _, p := range list[:3] {
		for _, to := range []struct {
			c    float64
			word string
		}{{1e-3, "small"}, {1e4, "large"}, {-3, "negative"}} {
			q := p
			q.name = p.name + ", " + to.word + " features"
			q.phi = floats.ScaleTo(make([]float64, len(p.phi)), to.c, p.phi)
			list = append(list, q)
		}
	}
	return list
}

// small returns problems of up to three weights, over which σ can be integrated.
func small() []problem {
	r := instance.Source(424, 2)
	return []problem{draw(r, "one weight", 1, 1), draw(r, "two weights", 2, 1), draw(r, "three weights", 3, 0.7),
		draw(r, "two weights, small variances", 2, 0.05)}
}

func singular() (list []problem) {
	r := instance.Source(424, 4)
	for _, m := range []int{1, 2, 4} {
		p := draw(r, "weights known exactly", m, 1)
		p.S, p.exact = mat.NewSymDense(m, nil), true
		list = append(list, p)
		if m > 1 {
			p.name, p.S = "weights uncertain in one direction only", mat.NewSymDense(m, nil)
			p.S.SymRankOne(p.S, 2, mat.NewVecDense(m, instance.Unit(r, m)))
			list = append(list, p)
		}
		p = draw(r, "features that are all 0", m, 1)
		clear(p.phi)
		p.exact = true
		list = append(list, p)
	}
	return list
}

// plus returns other with the features of p, and the sum of p and other.
func (p problem) plus(other problem) (_, sum problem) {
	other.phi, sum = p.phi, p
	sum.m = floats.AddTo(make([]float64, len(p.m)), p.m, other.m)
	sum.S = mat.NewSymDense(len(p.m), nil)
	sum.S.AddSym(p.S, other.S)
	return other, sum
}

// sizes returns the sizes of the terms of the mean and the variance, which tolerances are relative
// to.
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

// factor returns L with LLᵀ = S: w = m + Lz has the distribution N(m,S) for a standard normal z.
func (p problem) factor() *mat.TriDense {
	var chol mat.Cholesky
	chol.Factorize(p.S)
	var l mat.TriDense
	chol.LTo(&l)
	return &l
}

// moments returns the mean and variance of the activation over the 2M points m ± √M·L_i, which have
// the mean and covariance of the weights. This suffices for a linear function of w, and it uses no
// formula for the variance of a.
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

// overWeights returns the integral of σ(wᵀφ) N(w|m,S) over all weights, M up to 3, by the
// trapezoidal rule in each direction of z from −7 to 7. The poles of σ at ±iπ cause an error of
// e^{−2π²/(ch)}, where a grows by c per unit of z and h is the step. This leaves ten decimals for
// ch ≤ 0.8.
func (p problem) overWeights() float64 {
	h := 0.25
	m, l := len(p.m), p.factor()
	direction := make([]float64, m) // change of a per unit of each z: Lᵀφ
	for i := range m {
		direction[i] = floats.Dot(mat.Col(nil, i, l), p.phi)
		h = math.Min(h, 0.8/math.Abs(direction[i]))
	}
	return average(h, floats.Dot(p.m, p.phi), direction)
}

// average returns the mean of σ(a + Σ direction_i z_i) over standard normal z, computed as a sum in
// steps of h.
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

// ask calls project and reports results that are not finite.
func ask(project projectFunc, c *judge.Call, p problem) (mu, variance float64) {
	mu, variance = project(c.Slice("phi", p.phi), c.Slice("m", p.m), c.Sym("S", p.S))
	if v := mu - mu + variance - variance; v != 0 {
		bad := verify.Fail("not-finite", 3,
			"For %v you returned a mean of %g and a variance of %g. Sums of products of finite numbers are all that is needed.", p, mu, variance)
		if p.exact {
			bad = verify.Fail("singular", 3,
				"With %v you returned a mean of %g and a variance of %g. Is S inverted, or something divided by a variance or a length?", p, mu, variance)
		}
		c.Say(&bad)
	}
	return mu, variance
}

// question judges the results from index from up to, but not including, index to.
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
	{Key: "results-swapped", Hint: 3,
		Answer:  made(func(p problem) (float64, float64) { return p.variance(), p.mean() }),
		Message: "Mean and variance are returned in the wrong order."},
	{Key: "mean-of-weights-alone", Hint: 2, Answer: mean(func(p problem) float64 { return floats.Sum(p.m) }),
		Message: "The features are not in your mean: this is the sum of the entries of m. The activation is wᵀφ, each weight times its feature."},
	{Key: "mean-of-weights-alone", Hint: 2, Answer: mean(func(p problem) float64 { return p.m[0] }),
		Message: "The features are not in your mean: this is the first entry of m."},
	{Key: "mean-of-weights-alone", Hint: 2, Answer: mean(func(p problem) float64 { return floats.Dot(p.m, p.m) }),
		Message: "The features are not in your mean: this is mᵀm."},
	{Key: "mean-sign", Hint: 2, Answer: mean(func(p problem) float64 { return -p.mean() }),
		Message: "Your mean has the wrong sign."},
	{Key: "mean-averaged", Hint: 2, Answer: mean(func(p problem) float64 { return p.mean() / float64(len(p.m)) }),
		Message: "Your mean is divided by M. wᵀφ is a sum over the weights, not their average."},
	{Key: "bias-forgotten", Hint: 2, Answer: mean(func(p problem) float64 { return p.mean() - p.m[0]*p.phi[0] }),
		Message: "The first weight is missing in your mean. φ holds the bias's 1 where there is one; all M products are added."},
	{Key: "last-forgotten", Hint: 2,
		Answer:  mean(func(p problem) float64 { k := len(p.m) - 1; return p.mean() - p.m[k]*p.phi[k] }),
		Message: "The last weight is missing in your mean: does the loop stop one too early?"},
	{Key: "mean-with-covariance", Hint: 2, Answer: mean(func(p problem) float64 { return gauss.Form(p.phi, p.S, p.m) }),
		Message: "S stands in your mean, φᵀSm. The expectation of a linear function needs the mean of w only."},
	{Key: "sigmoid-applied", Hint: 1, Answer: mean(func(p problem) float64 { return kernel.Sigmoid(p.mean()) }),
		Message: "This is σ of the mean activation. Find the distribution of a itself; the sigmoid comes afterwards."},
	{Key: "kappa-applied", Hint: 1,
		Answer:  mean(func(p problem) float64 { return p.mean() / math.Sqrt(1+math.Pi*p.variance()/8) }),
		Message: "This is κ(σ²)μ of (4.155), the next step. Return the mean of a itself."},
	{Key: "mean-zero", Hint: 2, Answer: mean(func(problem) float64 { return 0 }),
		Message: "Your mean is 0 everywhere."},
}

var varianceMistakes = []mistake{
	{Key: "covariance-as-precision", Hint: 2, Answer: variance(problem.withPrecision),
		Message: "This is φᵀS⁻¹φ: S was taken for a precision. (4.143) prints S_N for what is its inverse, S_N⁻¹; in (4.144) and (4.150), and here, S is a covariance."},
	{Key: "covariance-as-precision", Hint: 2,
		Answer:  variance(func(p problem) float64 { return 1 / p.withPrecision() }),
		Message: "This is 1/(φᵀS⁻¹φ), the variance along φ when all other directions are held fixed. Integrating them out gives another, larger one."},
	{Key: "precision-returned", Hint: 2, Answer: variance(func(p problem) float64 { return 1 / p.variance() }),
		Message: "This is the inverse of the variance, a precision."},
	{Key: "standard-deviation", Hint: 2, Answer: variance(func(p problem) float64 { return math.Sqrt(p.variance()) }),
		Message: "This is the standard deviation; return the variance, its square."},
	{Key: "variance-squared", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() * p.variance() }),
		Message: "This is the square of the variance: φᵀSφ is a variance already."},
	{Key: "off-diagonals-dropped", Hint: 3,
		Message: "Only the diagonal of S is used. Weights are correlated, and the variance of a sum has their covariances, too.",
		Answer:  variance(func(p problem) float64 { return p.entries(func(i, j int) bool { return i == j }) })},
	{Key: "covariances-once", Hint: 3,
		Message: "Each covariance is counted once. S_ij and S_ji both belong to the double sum.",
		Answer:  variance(func(p problem) float64 { return p.entries(func(i, j int) bool { return i <= j }) })},
	{Key: "features-once", Hint: 3,
		Answer:  variance(func(p problem) float64 { return gauss.Form(p.phi, p.S, p.ones()) }),
		Message: "The features come in once: this is the sum of the entries of Sφ. The variance is quadratic in φ."},
	{Key: "features-left-out", Hint: 2,
		Answer:  variance(func(p problem) float64 { return gauss.Form(p.ones(), p.S, p.ones()) }),
		Message: "The features are not in your variance: this is the sum of all entries of S."},
	{Key: "features-left-out", Hint: 2, Answer: variance(func(p problem) float64 { return mat.Trace(p.S) }),
		Message: "The features are not in your variance: this is the trace of S."},
	{Key: "features-left-out", Hint: 2, Answer: variance(func(p problem) float64 { return mat.Det(p.S) }),
		Message: "The features are not in your variance: this is the determinant of S."},
	{Key: "covariance-left-out", Hint: 2, Answer: variance(func(p problem) float64 { return floats.Dot(p.phi, p.phi) }),
		Message: "S is not in your variance: this is φᵀφ."},
	{Key: "mean-for-features", Hint: 2, Answer: variance(func(p problem) float64 { return gauss.Form(p.m, p.S, p.m) }),
		Message: "This is mᵀSm: φ belongs on both sides, not the mean of the weights."},
	{Key: "mean-for-features", Hint: 2,
		Answer:  variance(func(p problem) float64 { return gauss.Form(p.phi, p.S, p.m) }),
		Message: "This is φᵀSm: φ belongs on both sides, not the mean of the weights."},
	{Key: "covariance-twice", Hint: 3,
		Answer:  variance(func(p problem) float64 { v := p.image(); return floats.Dot(v, v) }),
		Message: "This is φᵀSᵀSφ, the squared length of Sφ: S comes in twice."},
	{Key: "second-moment", Hint: 2,
		Answer:  variance(func(p problem) float64 { return p.variance() + p.mean()*p.mean() }),
		Message: "This is E[a²]. The variance is E[a²] − E[a]²."},
	{Key: "mean-subtracted", Hint: 2,
		Answer:  variance(func(p problem) float64 { return p.variance() - p.mean()*p.mean() }),
		Message: "The squared mean is subtracted from φᵀSφ. S is the covariance, from which the mean is already gone."},
	{Key: "noise-added", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() + 1 }),
		Message: "A 1 is added to the variance, as the noise in linear regression's predictive distribution (3.58). The activation has no noise of its own."},
	{Key: "factor", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() / 2 }),
		Message: "A factor ½ stands in front of the variance."},
	{Key: "factor", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() * 2 }),
		Message: "A factor 2 stands in front of the variance."},
	{Key: "averaged", Hint: 2, Answer: variance(func(p problem) float64 { return p.variance() / float64(len(p.m)) }),
		Message: "The variance is divided by M; it is a plain double sum."},
	{Key: "negative", Hint: 2, Answer: variance(func(p problem) float64 { return -p.variance() }),
		Message: "The variance has the wrong sign."},
}

// made is a learner's function that returns the results of f. mean replaces only the mean, and
// variance only the variance.
func made(f func(p problem) (float64, float64)) projectFunc {
	return func(phi, m []float64, S *mat.SymDense) (float64, float64) { return f(problem{phi: phi, m: m, S: S}) }
}

func mean(f func(p problem) float64) projectFunc {
	return made(func(p problem) (float64, float64) { return f(p), p.variance() })
}

func variance(f func(p problem) float64) projectFunc {
	return made(func(p problem) (float64, float64) { return p.mean(), f(p) })
}

func (p problem) mean() float64     { return floats.Dot(p.phi, p.m) }
func (p problem) variance() float64 { return gauss.Form(p.phi, p.S, p.phi) }

// withPrecision returns φᵀS⁻¹φ.
func (p problem) withPrecision() float64 {
	var inverse mat.Dense
	if inverse.Inverse(p.S) != nil {
		return math.NaN()
	}
	return gauss.Form(p.phi, &inverse, p.phi)
}

// entries returns Σ φ_i S_ij φ_j over the entries selected by keep.
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
	askBoth.Entries = []string{"mean", "variance"}
	askVariance.Family = notNegative
	judge.Known(exercise, askMean, Check)
	judge.Known(exercise, askVariance, Check)
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex24", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

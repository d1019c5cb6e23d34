// Package ex10 judges PRML exercise 4.10: maximum likelihood for Gaussian classes
// that share one covariance matrix.
package ex10

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges the function `fit` of PRML exercise 4.10. `fit` returns the class means mu (K×M) and
// the shared covariance Sigma (M×M) that maximise the likelihood. Its arguments are the features
// Phi (N×M), the labels, from 0 to K−1, and the number K of classes.
func Check(fit func(Phi *mat.Dense, labels []int, K int) (mu *mat.Dense, Sigma *mat.SymDense)) *verify.Report {
	return exercise.Judge(slices.Concat(
		bothQuestion.Parts(fit,
			judge.Form("the result is a K×M and an M×M matrix, and Phi and labels stay unchanged", problems, nil,
				judge.Wrong{},
				"You returned K means and one covariance matrix, for K from 1 to 40.")),
		meansQuestion.Parts(fit, judge.Property[problem]{
			Name:     "the means: all derivatives of the log likelihood vanish",
			Problems: func() []problem { return slices.Concat(problems(), limits()) }, Holds: meansStationary,
			Wrong: judge.Wrong{Key: "mean", Hint: 1,
				Message: "For {problem} the log likelihood increases if one of your means moves. Its derivative, per point of the class and with all features scaled to the same size, should be 0, but it is {off}."},
			Right: "The derivatives with respect to all your means vanish, whatever the covariance is. Each mean is the mean of the points of its class.",
		}),
		covarianceQuestion.Parts(fit,
			judge.Property[problem]{Name: "the covariance: all derivatives vanish, by finite differences",
				Problems: problems,
				Holds:    covarianceStationary,
				Wrong: judge.Wrong{Key: "covariance", Hint: 3,
					Message: "For {problem} your Sigma does not maximise the log likelihood at the best means: {off}."},
				Right: "With Sigma = LLᵀ, no small change to an entry of L makes the data more likely."}),
		bothQuestion.Parts(fit,
			judge.Property[problem]{Name: "no other means or covariances make the data more likely", Problems: problems,
				Holds: largest,
				Precheck: func(p problem, both []float64) *verify.Verdict {
					_, sigma := p.split(both)
					_, ok := cholesky(sigma)
					return judge.FailIf(!ok, "not-positive-definite", 3,
						"For %v your Sigma is not positive definite, so no Gaussian density has this covariance, and there is no likelihood to compare.", p)
				},
				Wrong: judge.Wrong{Key: "not-largest", Hint: 1,
					Message: "For {problem} a random change in your means or in your covariance makes the data more likely."},
				Right: "All random changes in the means and the covariance, small and large, make the data less likely."}),
		covarianceQuestion.Parts(fit, []judge.Property[problem]{
			{Name: "Sigma is the mean of the class covariances, weighted by N_k/N", Problems: problems, Holds: weighted,
				Wrong: judge.Wrong{Key: "weights", Hint: 3,
					Message: "For {problem} your Sigma should be Σ_k (N_k/N)·S_k with the class covariances S_k. With all features scaled to the same size, it is {off}."},
				Right: "Your Sigma is Σ_k (N_k/N)·S_k, so each class has a weight proportional to its number of points. (The unbiased estimate would divide by N−K.)"},
			{Name: "Sigma of few points, and of features in any unit", Problems: limits, Extreme: true, Holds: weighted,
				Wrong: judge.Wrong{Key: "limits", Hint: 3,
					Message: "For {problem} your Sigma should be Σ_k (N_k/N)·S_k. With all features scaled to the same size, it is {off}. You can use this formula even for one point, because it needs no inverse. Do not add a number to Sigma."},
				Right: "Your estimate also exists for fewer points than features, although it then has no inverse."},
		}...))...)
}

// CheckSteps judges the optional step that determines Sigma. `gradient` returns the derivatives
// (M×M) of the log likelihood with respect to the entries of Σ⁻¹.
func CheckSteps(gradient func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense) *verify.Report {
	return exercise.JudgeSteps(gradientQuestion.Parts(gradient, []judge.Property[place]{
		judge.Form("Gradient: the result is an M×M matrix, and the arguments stay unchanged", places, nil,
			judge.Wrong{}, "You returned an M×M matrix, for M from 1 to 5."),
		{Name: "Gradient: it agrees with the derivatives with respect to Σ⁻¹, computed by finite differences",
			Problems: places,
			Holds: func(p place, g []float64) verify.Finding {
				return judge.All(verify.CloseMat(p.square(g), p.numeric(), verify.Tolerance{Rel: 1e-6}),
					verify.CloseMat(p.square(g), p.gradient(), verify.Tolerance{Rel: 1e-9}))
			},
			Wrong: judge.Wrong{Key: "gradient", Hint: 3,
				Message: "For {problem} your derivatives of the log likelihood with respect to the entries of Σ⁻¹ are wrong: they are {off}."},
			Right: "Your derivatives are right. You treated all entries of Σ⁻¹ as independent variables, as the exercise asks."},
		{Name: "Gradient: zero at the maximum, and only there", Problems: maxima,
			Precheck: func(p place, _ []float64) *verify.Verdict {
				large := place{p.problem, p.mu, mat.NewSymDense(p.sigma.SymmetricDim(), nil)}
				large.sigma.ScaleSym(1.3, p.sigma)
				got := gradientQuestion.Invoke(gradient, &judge.Call{}, large)
				vanishes := len(got) > 0 && floats.Norm(floats.DivTo(got, got, p.units()), math.Inf(1)) < 1e-3
				return judge.FailIf(vanishes, "always-zero", 3,
					"For %v your gradient also vanishes at a wrong covariance, 1.3 times the estimate.", p)
			},
			Holds: func(p place, g []float64) verify.Finding {
				even := p.square(floats.DivTo(make([]float64, len(g)), g, p.units()))
				return verify.CloseMat(even, p.square(make([]float64, len(g))), verify.Tolerance{Abs: 1e-8})
			},
			Wrong: judge.Wrong{Key: "not-zero", Hint: 3,
				Message: "For {problem} your gradient does not vanish at the maximum of the likelihood: {off}."},
			Right: "Your gradient vanishes at the estimates, but not where the covariance is too large."},
	}...)...)
}

// meansStationary checks that the derivatives of the log likelihood with respect to the means
// vanish. At the right means they vanish for any covariance, so meansStationary uses a random
// covariance, not the learner's.
func meansStationary(p problem, mu []float64) verify.Finding {
	scaled, at := p.standardised(mu)
	_, m := p.dims()
	L, _ := cholesky(entries(instance.Covariance(instance.Source(4100, uint64(m)), m)))
	for k, count := range p.counts {
		for j, v := range mat.Row(nil, k, at) {
			slope := verify.Derivative(func(s float64) float64 {
				at.Set(k, j, v+s)
				return scaled.logLikelihood(at, L)
			}, 0, 0.1) / float64(count)
			at.Set(k, j, v)
			if !(math.Abs(slope) <= 1e-8) {
				return verify.Finding{Miss: math.Abs(slope),
					Where: fmt.Sprintf("entry %d of the mean of class %d", j, k)}
			}
		}
	}
	return verify.Finding{OK: true}
}

// covarianceStationary checks that the derivatives of the log likelihood with respect to the
// entries of L are 0 at the right means, where L is the Cholesky factor of Σ (Σ = LLᵀ). It does not
// differentiate with respect to the entries of Σ, because a changed Σ may not be a covariance, while
// LLᵀ always is.
func covarianceStationary(p problem, sigma []float64) verify.Finding {
	n, m := p.dims()
	scaled, mu := p.standardised(entries(p.means()))
	L, ok := cholesky(p.evenEntries(sigma))
	if !ok {
		return verify.Finding{Note: "in some direction the variance of your Sigma is zero or negative, so no Gaussian density has the covariance Sigma. A sum of products (φ−μ)(φ−μ)ᵀ has no negative variance"}
	}
	for i := range m {
		for j := range i + 1 {
			v, unit := L.At(i, j), L.At(i, i)
			slope := verify.Derivative(func(s float64) float64 {
				L.SetTri(i, j, v+s*unit)
				return scaled.logLikelihood(mu, L)
			}, 0, 0) / float64(n)
			L.SetTri(i, j, v)
			if !(math.Abs(slope) <= 1e-6) {
				return verify.Finding{Miss: math.Abs(slope),
					Where: "a derivative of the log likelihood per point with respect to the Cholesky factor of your Sigma (this derivative should be 0)"}
			}
		}
	}
	return verify.Finding{OK: true}
}

func weighted(p problem, sigma []float64) verify.Finding {
	// For a single point, for example, all right entries are 0. The relative tolerance is then 0, so an
	// absolute tolerance is needed, too.
	return verify.CloseSlice(p.evenEntries(sigma), p.evenEntries(entries(p.covariance())), verify.Tolerance{Rel: 1e-8, Abs: 1e-12})
}

// largest tries 60 random changes, small and larger, in the learner's means, in the covariance, or in
// both. No change may increase the likelihood.
func largest(p problem, both []float64) verify.Finding {
	n, m := p.dims()
	r := instance.Source(4101, uint64(n))
	means, sigma := p.split(both)
	scaled, mu := p.standardised(means)
	L, _ := cholesky(p.evenEntries(sigma))
	own := scaled.logLikelihood(mu, L)
	for i := range 60 {
		step := []float64{0.02, 0.3}[i%2]
		otherMu, otherL := mat.DenseCopyOf(mu), mat.NewTriDense(m, mat.Lower, nil)
		otherL.Copy(L)
		if i%3 != 0 {
			otherMu.Apply(func(_, _ int, v float64) float64 { return v + step*r.NormFloat64() }, otherMu)
		}
		for a := range m {
			for b := range a + 1 {
				if i%3 != 1 {
					otherL.SetTri(a, b, L.At(a, b)+step*L.At(a, a)*r.NormFloat64())
				}
			}
		}
		if other := scaled.logLikelihood(otherMu, otherL); !(other <= own+1e-8*float64(n)) {
			return verify.Finding{Miss: other - own}
		}
	}
	return verify.Finding{OK: true}
}

// A problem is a data set with a class label for each point.
type problem struct {
	name   string
	Phi    *mat.Dense // N×M
	labels []int      // N
	counts []int      // counts[k] is the number N_k of points of class k
}

func (p problem) String() string { return "“" + p.name + "”" }

func (p problem) dims() (n, m int) { return p.Phi.Dims() }

// drawProblem returns overlapping classes, with counts[k] points in class k. The covariance of class
// k is not diagonal and grows with k, so that wrong weights of the classes change the result.
func drawProblem(r *rand.Rand, name string, offset, scale []float64, counts ...int) problem {
	m := len(offset)
	mix := mat.NewDense(m, m, instance.Normals(r, m*m))
	for i := range m {
		mix.Set(i, i, mix.At(i, i)+2)
	}
	p := problem{name: name, counts: counts}
	var rows [][]float64
	for k, c := range counts {
		centre := instance.Normals(r, m)
		for range c {
			x := gauss.Times(mix, instance.Normals(r, m))
			for j, z := range x {
				x[j] = offset[j] + scale[j]*(2*centre[j]+(1+0.5*float64(k))*z)
			}
			rows = append(rows, x)
			p.labels = append(p.labels, k)
		}
	}
	r.Shuffle(len(rows), func(i, j int) {
		rows[i], rows[j] = rows[j], rows[i]
		p.labels[i], p.labels[j] = p.labels[j], p.labels[i]
	})
	p.Phi = mat.NewDense(len(rows), m, slices.Concat(rows...))
	return p
}

var problems = instance.Once(func() []problem {
	r := instance.Source(410, 1)
	return []problem{
		drawProblem(r, "three classes in the plane", []float64{1, -1}, []float64{1, 1}, 14, 6, 9),
		drawProblem(r, "two classes on a line", []float64{0.5}, []float64{2}, 5, 12),
		drawProblem(r, "four classes of very unequal size, three features", []float64{0, 2, 0}, []float64{1, 1, 1}, 40, 4, 7, 3),
		drawProblem(r, "a single class", []float64{0, 1}, []float64{1, 1}, 11),
		drawProblem(r, "a class with one point", []float64{0, 0}, []float64{1, 1}, 1, 10),
		drawProblem(r, "features far from the origin", []float64{1e3, -2e3}, []float64{1, 1}, 10, 8),
		drawProblem(r, "features of very different size", []float64{0.01, 50}, []float64{1e-2, 1e2}, 12, 9, 5),
		drawProblem(r, "forty classes", []float64{1, 0}, []float64{1, 2}, slices.Repeat([]int{2, 5}, 20)...),
	}
})

// limits returns extreme problems that the exercise allows. Some problems have very few points, most
// of them too few for an invertible covariance. In the other problems the features are very small,
// very large, or far from 0.
var limits = instance.Once(func() []problem {
	r := instance.Source(410, 2)
	return []problem{
		drawProblem(r, "fewer points than features", []float64{0, 1, -1, 2, 0}, []float64{1, 1, 2, 1, 1}, 2, 2),
		drawProblem(r, "one point in each class", []float64{0, 3}, []float64{1, 1}, 1, 1, 1),
		drawProblem(r, "a single point", []float64{2, -1, 1}, []float64{1, 1, 1}, 1),
		drawProblem(r, "two points on a line", []float64{-1}, []float64{1}, 2),
		drawProblem(r, "features that lie 10⁶ times their spread from 0", []float64{1e6, -2e6}, []float64{1, 1}, 9, 6),
		drawProblem(r, "features of the sizes 10⁻⁶ and 10⁶", []float64{2e-6, -1e6}, []float64{1e-6, 1e6}, 4, 7),
	}
})

// means returns the K×M matrix of the class means.
func (p problem) means() *mat.Dense {
	_, m := p.dims()
	mu := mat.NewDense(len(p.counts), m, nil)
	for i, k := range p.labels {
		floats.AddScaled(mu.RawRowView(k), 1/float64(p.counts[k]), p.Phi.RawRowView(i))
	}
	return mu
}

// scatter returns the sum of w_k(φ−μ_k)(φ−μ_k)ᵀ over all points φ, where k is the class of φ and
// w_k is weight(k).
func (p problem) scatter(mu *mat.Dense, weight func(k int) float64) *mat.SymDense {
	_, m := p.dims()
	s := mat.NewSymDense(m, nil)
	for i, k := range p.labels {
		v := instance.Minus(p.Phi.RawRowView(i), mu.RawRowView(k))
		s.SymRankOne(s, weight(k), mat.NewVecDense(m, v))
	}
	return s
}

// covariance returns Σ of (4.162), the sum of the class covariances with the weights N_k/N.
func (p problem) covariance() *mat.SymDense {
	return p.scatter(p.means(), func(k int) float64 { return 1 / count(p, k) * (count(p, k) / total(p)) })
}

// sizes returns the standard deviation of each feature within the classes. If a feature does not
// vary within the classes, sizes returns its largest absolute value instead, or 1 if all its values
// are 0. These numbers are the units in which features, means and errors are measured.
func (p problem) sizes() instance.Scale {
	out := instance.Sizes(p.Phi)
	for j, s := range gauss.Roots(p.covariance()) {
		if s > 0 {
			out[j] = s
		}
	}
	return out
}

// evenEntries converts the entries of a covariance to units in which each feature has the size 1.
func (p problem) evenEntries(sigma []float64) []float64 {
	return p.sizes().Even(sigma).RawMatrix().Data
}

// standardised converts the features and the means to units in which each feature has the size 1.
func (p problem) standardised(mu []float64) (problem, *mat.Dense) {
	_, m := p.dims()
	size, means := p.sizes(), mat.NewDense(len(p.counts), m, slices.Clone(mu))
	divide := func(_, j int, v float64) float64 { return v / size[j] }
	means.Apply(divide, means)
	p.Phi = mat.DenseCopyOf(p.Phi)
	p.Phi.Apply(divide, p.Phi)
	return p, means
}

// split divides one slice into the entries of the means, which come first, and the entries of the
// covariance.
func (p problem) split(both []float64) (mu, sigma []float64) {
	_, m := p.dims()
	return both[:len(p.counts)*m], both[len(p.counts)*m:]
}

// logLikelihood returns Σ_n ln N(φ_n|μ_k, Σ), where k is the class of point n and Σ = LLᵀ. It omits
// the term −½NM ln 2π, which does not depend on the means and Σ.
func (p problem) logLikelihood(mu *mat.Dense, L *mat.TriDense) float64 {
	logDet, _ := mat.LogDet(L)
	sum := -total(p) * logDet
	for i, k := range p.labels {
		z := instance.Minus(p.Phi.RawRowView(i), mu.RawRowView(k))
		// z becomes the solution of Lz = φ − μ
		blas64.Trsv(blas.NoTrans, L.RawTriangular(), blas64.Vector{N: len(z), Inc: 1, Data: z})
		sum -= 0.5 * floats.Dot(z, z)
	}
	return sum
}

// cholesky returns the Cholesky factor of the matrix with the entries s, row by row. If the matrix
// is not positive definite, cholesky returns nil and false.
func cholesky(s []float64) (l *mat.TriDense, ok bool) {
	var c mat.Cholesky
	m := int(math.Sqrt(float64(len(s))))
	if ok = c.Factorize(mat.NewSymDense(m, s)); ok {
		l = &mat.TriDense{}
		c.LTo(l)
	}
	return l, ok
}

func entries(s mat.Matrix) []float64 { return mat.DenseCopyOf(s).RawMatrix().Data }

type (
	fitFunc      = func(Phi *mat.Dense, labels []int, K int) (mu *mat.Dense, Sigma *mat.SymDense)
	gradientFunc = func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense
)

// callFit returns a function that calls the learner's function with copies of its arguments. The
// returned function returns the entries of mu if `means` is true, followed by the entries of Sigma
// if `covariance` is true. The report judges the means separately, because the Sigma of a learner may
// contain NaN although the means are right. For example, N−K is 0 if each class has one point, and a
// learner may divide by it.
func callFit(means, covariance bool) func(fit fitFunc, c *judge.Call, p problem) []float64 {
	return func(fit fitFunc, c *judge.Call, p problem) (got []float64) {
		n, m := p.dims()
		K := len(p.counts)
		mu, sigma := fit(c.Dense("Phi", p.Phi), c.Ints("labels", p.labels), K)
		if means {
			if mu != nil && K != m && K != n && mu.RawMatrix().Rows == m && mu.RawMatrix().Cols == K {
				c.Say(judge.Fail("transposed", 4,
					"For %v your mu is M×K, with one mean per column. Return a K×M matrix, with one mean per row.", p))
			}
			got = c.Matrix("mu", mu, K, m, "K×M")
		}
		if covariance {
			got = append(got, c.Symmetric("Sigma", sigma, m, "M×M")...)
		}
		return got
	}
}

// meanUnits and sigmaUnits return the units in which errors of the means and of the covariance are
// measured.
func meanUnits(p problem, _ []float64) []float64  { return slices.Repeat(p.sizes(), len(p.counts)) }
func sigmaUnits(p problem, _ []float64) []float64 { return p.sizes().Units() }

var bothQuestion = &judge.Question[fitFunc, problem]{
	Func: "Fit", Name: "estimates", Hint: 4, Per: "number", Invoke: callFit(true, true),
	Right: func(p problem) []float64 { return append(entries(p.means()), entries(p.covariance())...) },
	Unit:  func(p problem, _ []float64) []float64 { return append(meanUnits(p, nil), sigmaUnits(p, nil)...) },
}

var meansQuestion = &judge.Question[fitFunc, problem]{
	Func: "Fit", Name: "mu", Hint: 4, Per: "class and feature", Invoke: callFit(true, false), Unit: meanUnits,
	Right: func(p problem) []float64 { return entries(p.means()) },
	Nearly: judge.Wrong{Key: "mean-nearly", Hint: 2,
		Message: "Nearly right: for {problem} your means are {off}. Do not add a number to the counts, and do not round intermediate results."},
	Mistakes: []judge.Mistake[fitFunc]{
		{Key: "global-mean",
			Answer: fromMeans(func(p problem, _ *mat.Dense, _ int) []float64 { return instance.Mean(p.Phi) }), Hint: 1,
			Message: "All your means are the mean of all points. The classes share only the covariance; each class has its own mean."},
		{Key: "one-mean", Answer: fromMeans(func(_ problem, mu *mat.Dense, _ int) []float64 { return mu.RawRowView(0) }),
			Hint: 1, Message: "All your means are the mean of class 0. Each class has its own mean."},
		{Key: "mean-divided-by-n", Answer: dividedSums(func(p problem, _ int) float64 { return total(p) }), Hint: 2,
			Message: "You divide the sum of the points of each class by N, the number of all points. Divide it by N_k, the number of points of the class."},
		{Key: "mean-n-minus-1", Answer: dividedSums(func(p problem, k int) float64 { return count(p, k) - 1 }), Hint: 2,
			Message: "You divide the sum of the points of each class by N_k − 1. For a mean, divide it by N_k."},
		{Key: "mean-divided-by-k", Answer: dividedSums(func(p problem, _ int) float64 { return number(p) }), Hint: 2,
			Message: "You divide the sum of the points of each class by K, the number of classes. Divide it by N_k, the number of points of the class."},
		{Key: "sums", Answer: dividedSums(func(problem, int) float64 { return 1 }), Hint: 2,
			Message: "Each of your means is the sum of the points of its class. Divide this sum by the number of points of the class."},
		{Key: "reversed", Hint: 4, Message: "Your means are right but in reverse order. Row k belongs to label k.",
			Answer: fromMeans(func(p problem, mu *mat.Dense, k int) []float64 { return mu.RawRowView(len(p.counts) - 1 - k) })},
	},
}

var covarianceQuestion = &judge.Question[fitFunc, problem]{
	Func: "Fit", Name: "Sigma", Hint: 4, Per: "pair of features", Invoke: callFit(false, true), Unit: sigmaUnits,
	Right: func(p problem) []float64 { return entries(p.covariance()) },
	Nearly: judge.Wrong{Key: "covariance-nearly", Hint: 3,
		Message: "Nearly right: for {problem} your Sigma is {off}. Do not add a number to the diagonal, do not round, and subtract the mean before you square."},
	Factor: judge.Wrong{Key: "factor", Hint: 3,
		Message: "Your Sigma is the maximum-likelihood covariance times a constant factor. Divide only by N, the number of all points."},
	Mistakes: []judge.Mistake[fitFunc]{
		{Key: "n-minus-k", Answer: weightedClasses(func(p problem, _ int) float64 { return 1 / (total(p) - number(p)) }),
			Hint:    3,
			Message: "Your Sigma is S_W/(N−K), the unbiased pooled covariance. It is a good estimate, but the maximum-likelihood estimate divides by N."},
		{Key: "n-minus-1", Answer: weightedClasses(func(p problem, _ int) float64 { return 1 / (total(p) - 1) }), Hint: 3,
			Message: "Your Sigma is S_W/(N−1). The maximum-likelihood estimate divides by N."},
		{Key: "unweighted", Answer: weightedClasses(func(p problem, k int) float64 { return 1 / count(p, k) / number(p) }),
			Hint:    3,
			Message: "Your Sigma is the plain average of the class covariances, so a class with three points has the same weight as a class with forty points. Weight each class covariance with N_k/N."},
		{Key: "unweighted",
			Answer: weightedClasses(func(p problem, k int) float64 { return 1 / (count(p, k) - 1) / number(p) }), Hint: 3,
			Message: "Your Sigma is the plain average of the unbiased class covariances. The right Sigma is Σ_k (N_k/N)·S_k, and each S_k has the divisor N_k."},
		{Key: "unbiased-classes", Hint: 3,
			Message: "Your weights N_k/N are right, but each class covariance is divided by N_k − 1 (as in stat.CovarianceMatrix). Maximum likelihood divides by N_k.",
			Answer:  weightedClasses(func(p problem, k int) float64 { return count(p, k) / total(p) / (count(p, k) - 1) })},
		{Key: "sum-of-covariances", Answer: weightedClasses(func(p problem, k int) float64 { return 1 / count(p, k) }), Hint: 3,
			Message: "Your Sigma is the sum of the class covariances without the weights N_k/N. Multiply each class covariance by its weight."},
		{Key: "scatter", Answer: weightedClasses(func(problem, int) float64 { return 1 }), Hint: 3,
			Message: "Your Sigma is S_W, the sum of the products (φ−μ)(φ−μ)ᵀ. Divide it by N."},
		{Key: "divided-by-k", Answer: weightedClasses(func(p problem, _ int) float64 { return 1 / number(p) }), Hint: 3,
			Message: "Your Sigma is the sum of the products (φ−μ)(φ−μ)ᵀ divided by K, the number of classes. Divide it by N."},
		{Key: "twice-weighted", Answer: weightedClasses(func(p problem, k int) float64 { return count(p, k) / total(p) }),
			Hint:    3,
			Message: "Your Sigma is the sum of the products (φ−μ)(φ−μ)ᵀ, each with the weight N_k/N of its class. Such a sum already contains N_k terms for class k, so the weight of each product must be 1/N."},
		{Key: "half", Answer: weightedClasses(func(p problem, _ int) float64 { return 0.5 / total(p) }), Hint: 3,
			Message: "Your Sigma is half of the right estimate. The factor ½ of the exponent and the factor ½ of ½N ln|Σ| cancel."},
		{Key: "one-class",
			Answer: weightedClasses(func(p problem, k int) float64 { return multiclass.Same(k, 0) / count(p, k) }), Hint: 3,
			Message: "Your Sigma is the covariance of class 0 alone. Add the terms of all classes."},
		{Key: "one-class",
			Answer: weightedClasses(func(p problem, k int) float64 {
				return multiclass.Same(k, len(p.counts)-1) / count(p,
					k)
			}), Hint: 3,
			Message: "Your Sigma is the covariance of the last class alone, as if each class replaced the previous class. Add the terms of all classes."},
		{Key: "total-covariance", Answer: aboutCentre(func(p problem) []float64 { return instance.Mean(p.Phi) }), Hint: 3,
			Message: "Your Sigma is the covariance of all points about their common mean, so it also contains the distances between the classes. Subtract from each point the mean of its class."},
		{Key: "about-one-mean", Answer: aboutCentre(func(p problem) []float64 { return p.means().RawRowView(0) }), Hint: 3,
			Message: "Your Sigma is the scatter of all points about the mean of class 0, divided by N. Subtract from each point the mean of its class."},
		{Key: "not-centred", Hint: 3, Message: "Your Sigma is the mean of the products φφᵀ, as if all class means were 0. Subtract the class means from the points first.",
			Answer: aboutCentre(func(p problem) []float64 { _, m := p.dims(); return make([]float64, m) })},
		{Key: "diagonal-only", Answer: entrywise(func(_, _, v, same float64) float64 { return same * v }), Hint: 3,
			Message: "The diagonal of your Sigma is right, but all other entries are 0, as in a naive Bayes model. In a general covariance matrix, the other entries are the covariances of two different features."},
		{Key: "correlations", Answer: entrywise(func(a, b, v, _ float64) float64 { return v / math.Sqrt(a*b) }),
			Hint:    3,
			Message: "Your Sigma contains correlations, with ones on its diagonal. Do not divide by the standard deviations."},
		{Key: "standard-deviations",
			Answer: entrywise(func(a, _, _, same float64) float64 { return same * math.Sqrt(a) }), Hint: 3,
			Message: "The diagonal of your Sigma contains standard deviations, and all other entries are 0. The diagonal must contain variances, and the other entries covariances."},
		{Key: "standard-deviations",
			Answer: entrywise(func(a, _, v, same float64) float64 { return same*math.Sqrt(a) + (1-same)*v }), Hint: 3,
			Message: "The diagonal of your Sigma contains standard deviations. It must contain variances, in squared units like the other entries."},
		{Key: "standard-deviations", Hint: 3, Message: "Your Sigma is the matrix square root of the estimate. Its entries must be variances and covariances, in squared units.",
			Answer: fromSigma(func(p problem) *mat.SymDense {
				s := p.covariance()
				// if PowPSD finds an eigenvalue that is not positive, it returns an error and
				// leaves s unchanged; in this case the answer returns the right Sigma
				_ = s.PowPSD(s, 0.5)
				return s
			})},
		{Key: "inverse",
			Answer: fromSigma(func(p problem) *mat.SymDense { return symmetric(inverse(p.covariance())) }), Hint: 3,
			Message: "Your Sigma is the precision Σ⁻¹. The derivatives with respect to Σ⁻¹ are simpler, but the exercise asks for Σ. Invert your result."},
	},
}

func newProblem(Phi *mat.Dense, labels []int, K int) problem {
	p := problem{Phi: mat.DenseCopyOf(Phi), labels: labels, counts: make([]int, K)}
	for _, k := range labels {
		p.counts[k]++
	}
	return p
}

func count(p problem, k int) float64 { return float64(p.counts[k]) }
func total(p problem) float64        { return float64(len(p.labels)) }
func number(p problem) float64       { return float64(len(p.counts)) }

// fromMeans returns an answer that computes the mean of class k by applying f to the right means of
// all classes.
func fromMeans(f func(p problem, mu *mat.Dense, k int) []float64) fitFunc {
	return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
		p := newProblem(Phi, labels, K)
		mu := p.means()
		for k := range K {
			mu.SetRow(k, f(p, p.means(), k))
		}
		return mu, p.covariance()
	}
}

// dividedSums returns an answer that divides the sum of the points of class k by divisor(p, k).
func dividedSums(divisor func(p problem, k int) float64) fitFunc {
	return fromMeans(func(p problem, mu *mat.Dense, k int) []float64 {
		return floats.ScaleTo(mu.RawRowView(k), count(p, k)/divisor(p, k), mu.RawRowView(k))
	})
}

// fromSigma returns an answer that computes Sigma with f and returns the right means.
func fromSigma(f func(p problem) *mat.SymDense) fitFunc {
	return func(Phi *mat.Dense, labels []int, K int) (*mat.Dense, *mat.SymDense) {
		p := newProblem(Phi, labels, K)
		return p.means(), f(p)
	}
}

// weightedClasses returns an answer whose Sigma is the sum of weight(p, k)·(φ−μ_k)(φ−μ_k)ᵀ over all
// points, where k is the class of the point φ.
func weightedClasses(weight func(p problem, k int) float64) fitFunc {
	return fromSigma(func(p problem) *mat.SymDense {
		return p.scatter(p.means(), func(k int) float64 { return weight(p, k) })
	})
}

// aboutCentre returns an answer whose Sigma is the mean of (φ−c)(φ−c)ᵀ over all points φ, where c
// is centre(p).
func aboutCentre(centre func(p problem) []float64) fitFunc {
	return fromSigma(func(p problem) *mat.SymDense {
		s := instance.Scatter(p.Phi, centre(p))
		s.ScaleSym(1/total(p), s)
		return s
	})
}

// entrywise returns an answer that computes each entry of Sigma with f. The arguments `a` and `b`
// of f are the right variances of the row and of the column, and `v` is the right entry. The
// argument `same` is 1 on the diagonal and 0 elsewhere.
func entrywise(f func(a, b, v, same float64) float64) fitFunc {
	return fromSigma(func(p problem) *mat.SymDense {
		s := p.covariance()
		out := mat.DenseCopyOf(s)
		out.Apply(func(i, j int, v float64) float64 { return f(s.At(i, i), s.At(j, j), v, multiclass.Same(i, j)) }, s)
		return symmetric(out)
	})
}

func symmetric(m *mat.Dense) *mat.SymDense {
	return mat.NewSymDense(m.RawMatrix().Rows, m.RawMatrix().Data)
}

func init() {
	judge.Known(exercise, meansQuestion, Check)
	judge.Known(exercise, covarianceQuestion, Check)
	judge.Known(exercise, gradientQuestion, CheckSteps)
}

var gradientQuestion = &judge.Question[gradientFunc, place]{
	Func: "Gradient", Name: "gradient", Hint: 4, Per: "pair of features",
	Invoke: func(gradient gradientFunc, c *judge.Call, p place) []float64 {
		_, m := p.dims()
		return c.Matrix("gradient",
			gradient(c.Dense("Phi", p.Phi), c.Ints("labels", p.labels), c.Dense("mu", p.mu), c.Sym("Sigma", p.sigma)),
			m, m, "M×M")
	},
	Right: func(p place) []float64 { return entries(p.gradient()) },
	Unit:  func(p place, _ []float64) []float64 { return p.units() },
	Nearly: judge.Wrong{Key: "gradient-nearly", Hint: 3,
		Message: "Nearly right: for {problem} your gradient is {off}. Use the exact formula; coarse differences or rounded numbers are not accurate enough."},
	Factor: judge.Wrong{Key: "gradient-factor", Hint: 3,
		Message: "Your gradient is the right gradient times a constant factor."},
	Mistakes: []judge.Mistake[gradientFunc]{
		{Key: "gradient-sign", Answer: withFactors(func(n float64) (a, b float64) { return -n / 2, 0.5 }), Hint: 3,
			Message: "All signs of your gradient are wrong, as in the gradient of −ln p. ln p contains +½N ln|Σ⁻¹| and a minus before the quadratic forms."},
		{Key: "gradient-half", Answer: withFactors(func(n float64) (a, b float64) { return n, -1 }), Hint: 3,
			Message: "The factor ½ is missing in both terms of your gradient."},
		{Key: "gradient-half", Answer: withFactors(func(n float64) (a, b float64) { return n / 2, -1 }), Hint: 3,
			Message: "The factor ½ is missing in the second term of your gradient."},
		{Key: "gradient-half", Answer: withFactors(func(n float64) (a, b float64) { return n, -0.5 }), Hint: 3,
			Message: "The factor ½ is missing in the first term of your gradient."},
		{Key: "gradient-n", Answer: withFactors(func(float64) (a, b float64) { return 0.5, -0.5 }), Hint: 3,
			Message: "The factor N is missing in the first term of your gradient: every point contributes ½ ln|Σ⁻¹|."},
		{Key: "gradient-plus", Answer: withFactors(func(n float64) (a, b float64) { return n / 2, 0.5 }), Hint: 3,
			Message: "The second term of your gradient has the wrong sign: the quadratic form has a minus in the exponent."},
		{Key: "gradient-determinant", Answer: withFactors(func(float64) (a, b float64) { return 0, -0.5 }), Hint: 3,
			Message: "Your gradient lacks the term of the determinant: ∂ ln|P|/∂P = (P⁻¹)ᵀ."},
		{Key: "gradient-quadratic", Answer: withFactors(func(n float64) (a, b float64) { return n / 2, 0 }), Hint: 3,
			Message: "Your gradient lacks the term of the quadratic forms. It contains only the derivative of ½N ln|Σ⁻¹|."},
		{Key: "gradient-averaged", Answer: withFactors(func(n float64) (a, b float64) { return 0.5, -0.5 / n }), Hint: 3,
			Message: "Your gradient is divided by N, as for the mean log likelihood per point. Return the derivatives of the sum over all points."},
		{Key: "gradient-symmetric", Hint: 3,
			Message: "You return 2G − diag(G) instead of the gradient G, as if the entries P_ij and P_ji of P = Σ⁻¹ changed together. In this exercise all M² entries of P are independent variables.",
			Answer: atPlace(func(p place) *mat.Dense {
				g := p.gradient()
				g.Apply(func(i, j int, v float64) float64 { return (2 - multiclass.Same(i, j)) * v }, g)
				return g
			})},
		{Key: "gradient-one-mean", Hint: 3,
			Message: "Your gradient contains the deviations of all points from the mean of class 0. Subtract from each point the mean of its own class.",
			Answer: func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
				return atPlace(place.gradient)(Phi, make([]int, len(labels)), mu, Sigma)
			}},
		{Key: "gradient-precision", Hint: 3,
			Message: "The first term of your gradient contains Σ⁻¹ in place of Σ: ∂ ln|P|/∂P is P⁻¹, and P = Σ⁻¹.",
			Answer: atPlace(func(p place) *mat.Dense {
				P := inverse(p.sigma)
				P.Scale(total(p.problem)/2, P)
				P.Add(P, p.terms(0, -0.5))
				return P
			})},
		{Key: "gradient-sigma", Hint: 3,
			Message: "You return the derivative with respect to Σ. Return the derivative with respect to Σ⁻¹, which is simpler.",
			Answer: atPlace(func(p place) *mat.Dense {
				P, g := inverse(p.sigma), p.terms(-total(p.problem)/2, 0.5)
				g.Product(P, g, P)
				return g
			})},
	},
}

// atPlace returns an answer that calls f to compute the gradient at a place.
func atPlace(f func(p place) *mat.Dense) gradientFunc {
	return func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense {
		return f(place{newProblem(Phi, labels, mu.RawMatrix().Rows), mat.DenseCopyOf(mu), Sigma})
	}
}

// withFactors returns an answer that computes a·Sigma + b·Σ_n(φ−μ)(φ−μ)ᵀ, where f(N) returns a
// and b.
func withFactors(f func(n float64) (a, b float64)) gradientFunc {
	return atPlace(func(p place) *mat.Dense { return p.terms(f(total(p.problem))) })
}

func inverse(s *mat.SymDense) *mat.Dense {
	var P mat.Dense
	_ = P.Inverse(s) // the ignored error reports that s is singular or nearly singular
	return &P
}

// A place is a problem with the means and the covariance at which the likelihood is differentiated.
type place struct {
	problem
	mu    *mat.Dense
	sigma *mat.SymDense
}

// terms returns a times the matrix p.sigma, plus b times the sum of (φ−μ)(φ−μ)ᵀ over all points.
func (p place) terms(a, b float64) *mat.Dense {
	var g mat.Dense
	g.Scale(a, p.sigma)
	g.Add(&g, p.scatter(p.mu, func(int) float64 { return b }))
	return &g
}

// gradient returns the right derivatives, which are terms(N/2, −½).
func (p place) gradient() *mat.Dense { return p.terms(total(p.problem)/2, -0.5) }

// units returns a typical size of each entry of the term N/2·Σ.
func (p place) units() []float64 {
	u := gauss.Roots(p.sigma).Units()
	return floats.ScaleTo(u, total(p.problem)/2, u)
}

// places returns places that are not at the maximum of the likelihood. Some of the problems have so
// few points that their likelihood has no maximum.
var places = instance.Once(func() (list []place) {
	r := instance.Source(4102, 1)
	for _, p := range append(slices.Clone(problems()[:5]), limits()[:3]...) {
		_, m := p.dims()
		mu := p.means()
		mu.Apply(func(_, _ int, v float64) float64 { return v + 0.3*r.NormFloat64() }, mu)
		list = append(list, place{p, mu, instance.Covariance(r, m)})
	}
	return list
})

var maxima = instance.Once(func() (list []place) {
	for _, p := range problems() {
		list = append(list, place{p, p.means(), p.covariance()})
	}
	return list
})

// logLikelihoodP returns the log likelihood, without its constant term, as a function of the matrix
// P = Σ⁻¹, which may be any square matrix with a positive determinant.
func (p place) logLikelihoodP(P *mat.Dense) float64 {
	sum := 0.5 * total(p.problem) * math.Log(mat.Det(P))
	for i, k := range p.labels {
		v := instance.Minus(p.Phi.RawRowView(i), p.mu.RawRowView(k))
		sum -= 0.5 * floats.Dot(v, gauss.Times(P, v))
	}
	return sum
}

// numeric returns the derivatives of logLikelihoodP, computed by central differences.
func (p place) numeric() *mat.Dense {
	P := inverse(p.sigma) // the inverse is accurate because sigma is well conditioned
	out := mat.DenseCopyOf(P)
	out.Apply(func(i, j int, v float64) float64 {
		at := mat.DenseCopyOf(P)
		return verify.Derivative(func(s float64) float64 {
			at.Set(i, j, v+s)
			return p.logLikelihoodP(at)
		}, 0, 0)
	}, P)
	return out
}

// square returns an M×M matrix with the entries v.
func (p place) square(v []float64) *mat.Dense {
	_, m := p.dims()
	return mat.NewDense(m, m, v)
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex10", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

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
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges fit of PRML exercise 4.10: from the features Phi (N×M) and labels
// from 0 to K−1 it returns the class means mu (K×M) and the shared covariance
// Sigma (M×M) that maximise the likelihood.
func Check(fit func(Phi *mat.Dense, labels []int, K int) (mu *mat.Dense, Sigma *mat.SymDense)) *verify.Report {
	return exercise.Judge(slices.Concat(
		askBoth.Parts(fit,
			judge.Form("the result is a K×M and an M×M matrix, and Phi and labels stay unchanged", problems, nil,
				judge.Wrong{},
				"You returned K means and one covariance matrix, for K from 1 to 40.")),
		askMeans.Parts(fit, judge.Property[problem]{
			Name: "the means: all derivatives of the log likelihood vanish",
			On:   func() []problem { return slices.Concat(problems(), limits()) }, Holds: meansStationary,
			Wrong: judge.Wrong{Key: "mean", Hint: 1,
				Message: "For {problem} the log likelihood increases when one of your means is moved: its derivative, per point and standard deviation, is {off}."},
			Right: "The derivatives with respect to all means vanish, whatever the covariance is. Each mean is the mean of the points of its class.",
		}),
		askCovariance.Parts(fit,
			judge.Property[problem]{Name: "the covariance: all derivatives vanish, by finite differences", On: problems,
				Holds: covarianceStationary,
				Wrong: judge.Wrong{Key: "covariance", Hint: 3,
					Message: "For {problem} your Sigma does not maximise the log likelihood at the best means: {off}."},
				Right: "With Sigma = LLᵀ, no small change of an entry of L makes the data more likely."}),
		askBoth.Parts(fit,
			judge.Property[problem]{Name: "no other means or covariances make the data more likely", On: problems,
				Holds: largest,
				First: func(p problem, both []float64) *verify.Verdict {
					_, sigma := p.split(both)
					_, ok := cholesky(sigma)
					return judge.FailIf(!ok, "not-positive-definite", 3,
						"For %v your Sigma is not positive definite, so it has no density and no likelihood to compare.", p)
				},
				Wrong: judge.Wrong{Key: "not-largest", Hint: 1,
					Message: "For {problem} there are means and a covariance, close to yours, that make the data more likely."},
				Right: "All random changes of the means and the covariance, small and large, make the data less likely."}),
		askCovariance.Parts(fit, []judge.Property[problem]{
			{Name: "Sigma is the mean of the class covariances, weighted with N_k/N", On: problems, Holds: weighted,
				Wrong: judge.Wrong{Key: "weights", Hint: 3,
					Message: "For {problem} your Sigma should be Σ_k (N_k/N)·S_k with the class covariances S_k. In features scaled to equal size it is {off}."},
				Right: "Sigma is Σ_k (N_k/N)·S_k, so each class has a weight proportional to its number of points. (The unbiased estimate would divide by N−K.)"},
			{Name: "Sigma of few points, and of features in any unit", On: limits, Limits: true, Holds: weighted,
				Wrong: judge.Wrong{Key: "limits", Hint: 3,
					Message: "For {problem} your Sigma should be Σ_k (N_k/N)·S_k. In features scaled to equal size it is {off}. The sums need no inverse and no added number, so they exist even for one point."},
				Right: "Your estimate also exists for fewer points than features, although it then has no inverse."},
		}...))...)
}

// CheckSteps judges the step that determines Sigma: gradient returns the derivatives (M×M) of the
// log likelihood with respect to the entries of Σ⁻¹.
func CheckSteps(gradient func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense) *verify.Report {
	return exercise.JudgeSteps(askGradient.Parts(gradient, []judge.Property[place]{
		judge.Form("Gradient: the result is an M×M matrix, and the arguments stay unchanged", places, nil,
			judge.Wrong{}, "You returned an M×M matrix, for M from 1 to 4."),
		{Name: "Gradient: the derivatives with respect to Σ⁻¹, by finite differences", On: places,
			Holds: func(p place, g []float64) verify.Finding {
				return judge.All(verify.CloseMat(p.square(g), p.numeric(), verify.Tolerance{Rel: 1e-6}),
					verify.CloseMat(p.square(g), p.gradient(), verify.Tolerance{Rel: 1e-9}))
			},
			Wrong: judge.Wrong{Key: "gradient", Hint: 3,
				Message: "For {problem} your derivatives of the log likelihood with respect to the entries of Σ⁻¹ differ from central differences: they are {off}."},
			Right: "Your derivatives are right. All entries of Σ⁻¹ are treated as independent variables."},
		{Name: "Gradient: zero at the maximum, and only there", On: maxima,
			First: func(p place, _ []float64) *verify.Verdict {
				large := place{p.problem, p.mu, mat.NewSymDense(p.sigma.SymmetricDim(), nil)}
				large.sigma.ScaleSym(1.3, p.sigma)
				got := askGradient.Ask(gradient, &judge.Call{}, large)
				vanishes := len(got) > 0 && floats.Norm(floats.DivTo(got, got, p.units()), math.Inf(1)) < 1e-3
				return judge.FailIf(vanishes, "always-zero", 3,
					"For %v your gradient also vanishes at a covariance that is a third too large.", p)
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

// meansStationary checks the derivatives of the log likelihood with respect to the means. They
// vanish at the right means for any covariance, so it uses an arbitrary covariance instead of the
// learner's.
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

// covarianceStationary checks the derivatives with respect to the entries of the Cholesky factor L,
// Σ = LLᵀ. The entries of L are free, because LLᵀ is a covariance for any L.
func covarianceStationary(p problem, sigma []float64) verify.Finding {
	n, m := p.dims()
	scaled, mu := p.standardised(entries(p.means()))
	L, ok := cholesky(p.even(sigma))
	if !ok {
		return verify.Finding{Note: "in some direction its variance is zero or negative, so it is not the covariance of a density. A sum of products (φ−μ)(φ−μ)ᵀ has no negative variance"}
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
					Where: "a derivative with respect to its Cholesky factor, per point"}
			}
		}
	}
	return verify.Finding{OK: true}
}

func weighted(p problem, sigma []float64) verify.Finding {
	return verify.CloseSlice(p.even(sigma), p.even(entries(p.covariance())), verify.Tolerance{Rel: 1e-8, Abs: 1e-12}) // some entries are 0
}

// largest compares the likelihood with the likelihoods of other means and covariances, near and
// far.
func largest(p problem, both []float64) verify.Finding {
	n, m := p.dims()
	r := instance.Source(4101, uint64(n))
	means, sigma := p.split(both)
	scaled, mu := p.standardised(means)
	L, _ := cholesky(p.even(sigma))
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

// A problem is a labelled data set.
type problem struct {
	name   string
	Phi    *mat.Dense // N×M
	labels []int      // N
	counts []int      // the numbers N_k of points, one per class
}

func (p problem) String() string { return "“" + p.name + "”" }

func (p problem) dims() (n, m int) { return p.Phi.Dims() }

// draw returns overlapping classes. The covariance of class k is tilted and grows with k, so that
// wrong weights of the classes change the result.
func draw(r *rand.Rand, name string, offset, scale []float64, counts ...int) problem {
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
		draw(r, "three classes in the plane", []float64{1, -1}, []float64{1, 1}, 14, 6, 9),
		draw(r, "two classes on a line", []float64{0.5}, []float64{2}, 5, 12),
		draw(r, "four classes, three features, very unequal", []float64{0, 2, 0}, []float64{1, 1, 1}, 40, 4, 7, 3),
		draw(r, "a single class", []float64{0, 1}, []float64{1, 1}, 11),
		draw(r, "a class with one point", []float64{0, 0}, []float64{1, 1}, 1, 10),
		draw(r, "features far from the origin", []float64{1e3, -2e3}, []float64{1, 1}, 10, 8),
		draw(r, "features of very different size", []float64{0.01, 50}, []float64{1e-2, 1e2}, 12, 9, 5),
		draw(r, "forty classes", []float64{1, 0}, []float64{1, 2}, slices.Repeat([]int{2, 5}, 20)...),
	}
})

// limits returns problems with too few points for an invertible covariance, and with features that
// are very small or very large.
var limits = instance.Once(func() []problem {
	r := instance.Source(410, 2)
	return []problem{
		draw(r, "fewer points than features", []float64{0, 1, -1, 2, 0}, []float64{1, 1, 2, 1, 1}, 2, 2),
		draw(r, "one point in each class", []float64{0, 3}, []float64{1, 1}, 1, 1, 1),
		draw(r, "a single point", []float64{2, -1, 1}, []float64{1, 1, 1}, 1),
		draw(r, "two points on a line", []float64{-1}, []float64{1}, 2),
		draw(r, "features of the sizes 10⁻⁶ and 10⁶", []float64{2e-6, -1e6}, []float64{1e-6, 1e6}, 4, 7),
	}
})

// means returns the class means, K×M.
func (p problem) means() *mat.Dense {
	_, m := p.dims()
	mu := mat.NewDense(len(p.counts), m, nil)
	for i, k := range p.labels {
		floats.AddScaled(mu.RawRowView(k), 1/float64(p.counts[k]), p.Phi.RawRowView(i))
	}
	return mu
}

// scatter returns the sum of w_k(φ−μ_k)(φ−μ_k)ᵀ over the points, where weight returns w_k.
func (p problem) scatter(mu *mat.Dense, weight func(k int) float64) *mat.SymDense {
	_, m := p.dims()
	s := mat.NewSymDense(m, nil)
	for i, k := range p.labels {
		v := instance.Minus(p.Phi.RawRowView(i), mu.RawRowView(k))
		s.SymRankOne(s, weight(k), mat.NewVecDense(m, v))
	}
	return s
}

// covariance returns (4.162), the class covariances weighted by N_k/N.
func (p problem) covariance() *mat.SymDense {
	return p.scatter(p.means(), func(k int) float64 { return 1 / count(p, k) * (count(p, k) / total(p)) })
}

// sizes returns the standard deviations of the features within the classes. A feature without
// spread has the size of its values instead. Steps and errors are measured in these units.
func (p problem) sizes() instance.Scale {
	out := instance.Sizes(p.Phi)
	for j, s := range gauss.Roots(p.covariance()) {
		if s > 0 {
			out[j] = s
		}
	}
	return out
}

// even returns the entries of a covariance in units in which all features have the same size.
// standardised returns the problem and means in these units.
func (p problem) even(sigma []float64) []float64 { return p.sizes().Even(sigma).RawMatrix().Data }

func (p problem) standardised(mu []float64) (problem, *mat.Dense) {
	_, m := p.dims()
	size, means := p.sizes(), mat.NewDense(len(p.counts), m, slices.Clone(mu))
	divide := func(_, j int, v float64) float64 { return v / size[j] }
	means.Apply(divide, means)
	p.Phi = mat.DenseCopyOf(p.Phi)
	p.Phi.Apply(divide, p.Phi)
	return p, means
}

// split separates the means and the covariance.
func (p problem) split(both []float64) (mu, sigma []float64) {
	_, m := p.dims()
	return both[:len(p.counts)*m], both[len(p.counts)*m:]
}

// logLikelihood returns Σ_n ln N(φ_n|μ_k, Σ) up to a constant, where k is the class of point n and
// L is the Cholesky factor in Σ = LLᵀ. The priors of exercise 4.9 would add another constant.
func (p problem) logLikelihood(mu *mat.Dense, L *mat.TriDense) float64 {
	logDet, _ := mat.LogDet(L)
	sum := -total(p) * logDet
	for i, k := range p.labels {
		z := instance.Minus(p.Phi.RawRowView(i), mu.RawRowView(k))
		blas64.Trsv(blas.NoTrans, L.RawTriangular(), blas64.Vector{N: len(z), Inc: 1, Data: z}) // Lz = φ − μ
		sum -= 0.5 * floats.Dot(z, z)
	}
	return sum
}

// cholesky returns the Cholesky factor of a matrix, or false if the matrix is not positive
// definite.
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

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex10", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Package ex10 judges PRML exercise 4.10: maximum likelihood for Gaussian classes
// that share one covariance matrix.
package ex10

import (
	_ "embed"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/prml4/ex10/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges fit of PRML exercise 4.10: from the features Phi (N×M) and labels
// from 0 to K−1 it returns the class means mu (K×M) and the shared covariance
// Sigma (M×M) that maximise the likelihood.
func Check(fit func(Phi *mat.Dense, labels []int, K int) (mu *mat.Dense, Sigma *mat.SymDense)) *verify.Report {
	return exercise.Judge(slices.Concat(
		askBoth.Parts(fit, judge.Form("a K×M and an M×M matrix come back, and Phi and labels stay as they were", problems, nil, judge.Wrong{},
			"You returned K means and one covariance matrix, for K from 1 to 4.")),
		askMeans.Parts(fit, judge.Property[problem]{
			Name: "the means: no derivative of the log likelihood is left", On: everywhere, Holds: meansStationary,
			Wrong: judge.Wrong{Key: "mean", Hint: 1, Message: "For {problem} the log likelihood still rises when one of your means is moved: its derivative, per point and standard deviation, is {off}."},
			Right: "The derivatives with respect to all means vanish, whatever the covariance is: each class has its own mean, that of its points.",
		}),
		askCovariance.Parts(fit, judge.Property[problem]{
			Name: "the covariance: no derivative is left, by finite differences", On: problems, Holds: covarianceStationary,
			Wrong: judge.Wrong{Key: "covariance", Hint: 3, Message: "For {problem} the log likelihood, at the best means, is not largest at your Sigma: {off}."},
			Right: "Written as Sigma = LLᵀ, no entry of L can be changed to make the data more likely.",
		}),
		askBoth.Parts(fit, judge.Property[problem]{
			Name: "no other means or covariances make the data more likely", On: problems, First: aDensity, Holds: largest,
			Wrong: judge.Wrong{Key: "not-largest", Hint: 1, Message: "For {problem} there are means and a covariance, close to yours, that make the data more likely."},
			Right: "Random changes of means and covariance, small and large, only make the data less likely.",
		}),
		askCovariance.Parts(fit,
			judge.Property[problem]{
				Name: "Sigma is the mean of the class covariances, weighted with N_k/N", On: problems, Holds: weighted,
				Wrong: judge.Wrong{Key: "weights", Hint: 3, Message: "For {problem} your Sigma is not Σ_k (N_k/N)·S_k with the class covariances S_k (features brought to one size): {off}."},
				Right: "Sigma is Σ_k (N_k/N)·S_k: a class counts for as much as it has points. (It is not the unbiased estimate: that divides by N−K.)",
			},
			judge.Property[problem]{
				Name: "Sigma of few points, and of features in any unit", On: limits, Holds: weighted, Limits: true,
				Wrong: judge.Wrong{Key: "limits", Hint: 3, Message: "For {problem} your Sigma is not Σ_k (N_k/N)·S_k (features brought to one size): {off}. The sums need no inverse and nothing added, so that they exist for one point, too."},
				Right: "The estimate exists for fewer points than features; it then has no inverse.",
			}))...)
}

// CheckSteps judges the step in which Sigma is found: gradient returns the
// derivatives (M×M) of the log likelihood with respect to the entries of Σ⁻¹.
func CheckSteps(gradient func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense) *verify.Report {
	return exercise.JudgeSteps(askGradient.Parts(gradient,
		judge.Form("Gradient: an M×M matrix comes back, and the arguments stay as they were", places, nil, judge.Wrong{}, "You returned an M×M matrix, for M from 1 to 4."),
		judge.Property[place]{
			Name: "Gradient: the derivatives with respect to Σ⁻¹, by finite differences", On: places,
			Holds: func(p place, g []float64) verify.Finding {
				if f := verify.CloseMat(p.square(g), p.square(p.numeric()), verify.Tolerance{Rel: 1e-6}); !f.OK {
					return f
				}
				return verify.CloseMat(p.square(g), p.square(slope(p)), verify.Tolerance{Rel: 1e-9})
			},
			Wrong: judge.Wrong{Key: "gradient", Hint: 3, Message: "For {problem} the derivatives of the log likelihood with respect to the entries of Σ⁻¹, by central differences, are not yours: {off}."},
			Right: "Your derivatives are those of the log likelihood, with all entries of Σ⁻¹ taken as free.",
		},
		judge.Property[place]{
			Name: "Gradient: zero at the maximum, and only there", On: maxima,
			First: func(p place, _ []float64) *verify.Verdict { return alwaysZero(p, gradient) },
			Holds: func(p place, g []float64) verify.Finding {
				even := floats.DivTo(make([]float64, len(g)), g, askGradient.Unit(p, nil))
				return verify.CloseMat(p.square(even), p.square(make([]float64, len(g))), verify.Tolerance{Abs: 1e-8})
			},
			Wrong: judge.Wrong{Key: "not-zero", Hint: 3, Message: "For {problem} your gradient does not vanish at the maximum of the likelihood: {off}."},
			Right: "It vanishes at the estimates, and not where the covariance is too large.",
		})...)
}

// meansStationary looks at the derivatives of the log likelihood with respect to the
// means, for a covariance that need not be the learner's: it has no say.
func meansStationary(p problem, mu []float64) verify.Finding {
	_, m := p.dims()
	size := p.sizes()
	other := instance.Covariance(instance.Source(4100, uint64(m)), m)
	for i := range m {
		for j := i; j < m; j++ {
			other.SetSym(i, j, other.At(i, j)*size[i]*size[j])
		}
	}
	L, _ := cholesky(other)
	for k, count := range p.counts {
		for j := range m {
			at := mat.NewDense(len(p.counts), m, slices.Clone(mu))
			moved := at.At(k, j)
			slope := verify.Derivative(func(s float64) float64 { // in standard deviations
				at.Set(k, j, moved+s*size[j])
				return p.logLikelihood(at, L)
			}, 0, 0.1) / float64(count)
			if !(math.Abs(slope) <= 1e-8) {
				return verify.Finding{Miss: math.Abs(slope), Where: fmt.Sprintf("entry %d of the mean of class %d", j, k)}
			}
		}
	}
	return verify.Finding{OK: true}
}

// covarianceStationary looks at the derivatives with respect to the entries of the
// Cholesky factor L, Σ = LLᵀ, which are free: any L gives a covariance.
func covarianceStationary(p problem, sigma []float64) verify.Finding {
	n, m := p.dims()
	scaled := p.standardised()
	L, ok := cholesky(mat.NewSymDense(m, p.even(sigma)))
	if !ok {
		return verify.Finding{Note: "it has a direction in which the variance is zero or negative, so that it is the covariance of no density. Sums of (φ−μ)(φ−μ)ᵀ cannot do that"}
	}
	mu := scaled.means()
	for i := range m {
		for j := range i + 1 {
			at := mat.NewTriDense(m, mat.Lower, nil)
			at.Copy(L)
			slope := verify.Derivative(func(s float64) float64 {
				at.SetTri(i, j, L.At(i, j)+s*L.At(i, i))
				return scaled.logLikelihood(mu, at)
			}, 0, 0) / float64(n)
			if !(math.Abs(slope) <= 1e-6) {
				return verify.Finding{Miss: math.Abs(slope), Where: "a derivative with respect to its Cholesky factor, per point"}
			}
		}
	}
	return verify.Finding{OK: true}
}

func weighted(p problem, sigma []float64) verify.Finding {
	right := p.even(p.weighted())
	return verify.CloseSlice(p.even(sigma), right, verify.Tolerance{Rel: 1e-8, Abs: 1e-12}) // it may be 0
}

// aDensity tells of a Sigma without a density.
func aDensity(p problem, both []float64) *verify.Verdict {
	_, sigma := p.split(both)
	if _, ok := cholesky(sigma); !ok {
		bad := verify.Fail("not-positive-definite", 3, "For %v your Sigma is not positive definite, so there is no density whose likelihood could be compared.", p)
		return &bad
	}
	return nil
}

// largest compares with other means and covariances, near and far.
func largest(p problem, both []float64) verify.Finding {
	n, m := p.dims()
	r, size := instance.Source(4101, uint64(n)), p.sizes()
	mu, sigma := p.split(both)
	L, _ := cholesky(sigma)
	own := p.logLikelihood(mu, L)
	for i := range 60 {
		step := []float64{0.02, 0.3}[i%2]
		otherMu, otherL := mat.DenseCopyOf(mu), mat.NewTriDense(m, mat.Lower, nil)
		otherL.Copy(L)
		if i%3 != 0 {
			otherMu.Apply(func(_, j int, v float64) float64 { return v + step*size[j]*r.NormFloat64() }, otherMu)
		}
		if i%3 != 1 {
			for a := range m {
				for b := range a + 1 {
					otherL.SetTri(a, b, L.At(a, b)+step*L.At(a, a)*r.NormFloat64())
				}
			}
		}
		if other := p.logLikelihood(otherMu, otherL); !(other <= own+1e-8*float64(n)) {
			return verify.Finding{Miss: other - own}
		}
	}
	return verify.Finding{OK: true}
}

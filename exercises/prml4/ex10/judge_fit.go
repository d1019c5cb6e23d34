package ex10

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func judgeForm(fit fitFunc) verify.Verdict {
	for _, p := range problems(1) {
		mu, sigma, bad := ask(fit, p)
		if bad != nil {
			return *bad
		}
		mu2, sigma2, bad := ask(fit, p)
		if bad != nil {
			return *bad
		}
		if !verify.CloseMat(mu2, mu, verify.Tolerance{Rel: 1e-9}).OK || !verify.CloseMat(sigma2, sigma, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same data gave different matrices. Is something added to a matrix that outlives the call?")
		}
	}
	return verify.Pass("You returned K means and one covariance matrix, for K from 1 to 4.")
}

// judgeMeans looks at the derivatives of the log likelihood with respect to the
// means, for a covariance that need not be the learner's: it has no say.
func judgeMeans(fit fitFunc) verify.Verdict {
	r := instance.Source(4100, 1)
	for _, p := range problems(2) {
		mu, _, bad := ask(fit, p)
		if bad != nil {
			return *bad
		}
		_, m := p.dims()
		size := p.sizes()
		other := instance.Covariance(r, m)
		for i := range m {
			for j := i; j < m; j++ {
				other.SetSym(i, j, other.At(i, j)*size[i]*size[j])
			}
		}
		L, _ := cholesky(other)
		for k := range p.k() {
			for j := range m {
				at := mat.DenseCopyOf(mu)
				slope := verify.Derivative(func(s float64) float64 { // in standard deviations
					at.Set(k, j, mu.At(k, j)+s*size[j])
					return p.logLikelihood(at, L)
				}, 0, 0.1) / float64(p.counts[k])
				if math.Abs(slope) <= 1e-6 {
					continue
				}
				if v, ok := learner.Recognise(meanMistakes, p, p.evenMeans(mu)); ok {
					return v
				}
				return verify.Fail("mean", 1, "For “%s” the log likelihood still rises when entry %d of the mean of class %d is moved: its derivative, per point and standard deviation, is %s.", p.name, j, k, verify.Finding{Miss: math.Abs(slope)}.Off())
			}
		}
	}
	return verify.Pass("The derivatives with respect to all means vanish, whatever the covariance is: each class has its own mean, that of its points.")
}

// judgeCovariance looks at the derivatives with respect to the entries of the
// Cholesky factor L, Σ = LLᵀ, which are free: any L gives a covariance.
func judgeCovariance(fit fitFunc) verify.Verdict {
	for _, p := range problems(3) {
		_, sigma, bad := ask(fit, p)
		if bad != nil {
			return *bad
		}
		even := p.evenCovariance(sigma)
		wrong := func() *verify.Verdict {
			if v, ok := learner.Recognise(covarianceMistakes, p, even); ok {
				return &v
			}
			if _, ok := learner.Factor(even, p.evenCovariance(p.covariance())); ok {
				return learner.Fail("factor", 3, "Your Sigma is the maximum-likelihood covariance times one number. The only division is by N, the number of all points.")
			}
			return nil
		}
		_, m := p.dims()
		unit := mat.NewSymDense(m, nil)
		for i := range m {
			for j := i; j < m; j++ {
				unit.SetSym(i, j, even[i*m+j])
			}
		}
		scaled := p.standardised()
		L, ok := cholesky(unit)
		if !ok {
			if v := wrong(); v != nil {
				return *v
			}
			return verify.Fail("not-positive-definite", 3, "For “%s” your Sigma has a direction in which the variance is zero or negative: it is the covariance of no density. Sums of (φ−μ)(φ−μ)ᵀ cannot do that.", p.name)
		}
		mu := scaled.means()
		for i := range m {
			for j := range i + 1 {
				at := mat.NewTriDense(m, mat.Lower, nil)
				at.Copy(L)
				slope := verify.Derivative(func(s float64) float64 {
					at.SetTri(i, j, L.At(i, j)+s*L.At(i, i))
					return scaled.logLikelihood(mu, at)
				}, 0, 0) / float64(len(p.labels))
				if math.Abs(slope) <= 1e-6 {
					continue
				}
				if v := wrong(); v != nil {
					return *v
				}
				return verify.Fail("covariance", 3, "For “%s”, at the best means, the log likelihood still rises when your Sigma is changed: a derivative with respect to its Cholesky factor, per point, is %s.", p.name, verify.Finding{Miss: math.Abs(slope)}.Off())
			}
		}
	}
	return verify.Pass("Written as Sigma = LLᵀ, no entry of L can be changed to make the data more likely.")
}

// judgeLargest compares with other means and covariances, near and far.
func judgeLargest(fit fitFunc) verify.Verdict {
	r := instance.Source(4101, 1)
	for _, p := range problems(4) {
		mu, sigma, bad := ask(fit, p)
		if bad != nil {
			return *bad
		}
		n, m := p.dims()
		size := p.sizes()
		L, ok := cholesky(sigma)
		if !ok {
			return verify.Fail("not-positive-definite", 3, "For “%s” your Sigma is not positive definite, so there is no density whose likelihood could be compared.", p.name)
		}
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
			if p.logLikelihood(otherMu, otherL) > own+1e-8*float64(n) {
				return verify.Fail("not-largest", 1, "For “%s” there are means and a covariance, close to yours, that make the data more likely.", p.name)
			}
		}
	}
	return verify.Pass("Random changes of means and covariance, small and large, only make the data less likely.")
}

// judgeWeights says the result in the form of (4.162), by the class covariances.
func judgeWeights(fit fitFunc) verify.Verdict {
	for _, p := range problems(5) {
		_, sigma, bad := ask(fit, p)
		if bad != nil {
			return *bad
		}
		n, m := p.dims()
		mu := p.means()
		want := mat.NewSymDense(m, nil)
		for k := range p.k() {
			nk := float64(p.counts[k])
			s := p.scatter(mu, func(j int) float64 {
				if j == k {
					return 1 / nk
				}
				return 0
			})
			s.ScaleSym(nk/float64(n), s)
			want.AddSym(want, s)
		}
		if f := verify.CloseSlice(p.evenCovariance(sigma), p.evenCovariance(want), verify.Tolerance{Rel: 1e-8}); !f.OK {
			if v, ok := learner.Recognise(covarianceMistakes, p, p.evenCovariance(sigma)); ok {
				return v
			}
			return verify.Fail("weights", 3, "For “%s” your Sigma is not Σ_k (N_k/N)·S_k with the class covariances S_k (features brought to one size): %s.", p.name, f.Off())
		}
	}
	return verify.Pass("Sigma is Σ_k (N_k/N)·S_k: a class counts for as much as it has points. (It is not the unbiased estimate: that divides by N−K.)")
}

package ex10

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

// standardised is the problem with every feature divided by its size.
func (p problem) standardised() problem {
	size := p.sizes()
	q := p
	q.Phi = mat.DenseCopyOf(p.Phi)
	q.Phi.Apply(func(_, j int, v float64) float64 { return v / size[j] }, q.Phi)
	return q
}

// evenMeans and evenCovariance are entries in units in which all features have one
// size.
func (p problem) evenMeans(mu *mat.Dense) []float64 {
	size := p.sizes()
	out := mat.DenseCopyOf(mu)
	out.Apply(func(_, j int, v float64) float64 { return v / size[j] }, out)
	return learner.Entries(out)
}

func (p problem) evenCovariance(s mat.Matrix) []float64 {
	size := p.sizes()
	out := mat.DenseCopyOf(s)
	out.Apply(func(i, j int, v float64) float64 { return v / size[i] / size[j] }, out)
	return learner.Entries(out)
}

// sums makes the means of the sums over the classes, with a divisor for each.
func sums(divisor func(p problem, k int) float64) func(problem) []float64 {
	return func(p problem) []float64 {
		mu := p.means()
		for k := range p.k() {
			floats.Scale(float64(p.counts[k])/divisor(p, k), mu.RawRowView(k))
		}
		return p.unlessRight(p.evenMeans(mu), p.evenMeans(p.means()))
	}
}

// unlessRight is nil where a mistake happens to give the right numbers, or none.
func (p problem) unlessRight(got, right []float64) []float64 {
	if _, _, found := learner.NotFinite(got); found || floats.EqualApprox(got, right, 1e-9) {
		return nil
	}
	return got
}

var meanMistakes = []learner.Mistake[problem]{
	{Key: "global-mean", Hint: 1, Value: func(p problem) []float64 {
		mu := p.means()
		for k := range p.k() {
			mu.SetRow(k, instance.Mean(p.Phi))
		}
		return p.unlessRight(p.evenMeans(mu), p.evenMeans(p.means()))
	}, Message: "All your means are the mean of all points. Shared is only the covariance; each class has a mean of its own."},
	{Key: "mean-divided-by-n", Hint: 2, Value: sums(func(p problem, _ int) float64 { return float64(len(p.labels)) }),
		Message: "The sum over each class is divided by N, the number of all points, instead of by its own N_k."},
	{Key: "mean-n-minus-1", Hint: 2, Value: sums(func(p problem, k int) float64 { return float64(p.counts[k] - 1) }),
		Message: "The sum over each class is divided by N_k − 1. A mean is divided by N_k."},
	{Key: "mean-divided-by-k", Hint: 2, Value: sums(func(p problem, _ int) float64 { return float64(p.k()) }),
		Message: "The sum over each class is divided by K, the number of classes, instead of by its own number of points."},
	{Key: "sums", Hint: 2, Value: sums(func(problem, int) float64 { return 1 }),
		Message: "Your means are the sums over the classes, not divided by anything."},
	{Key: "reversed", Hint: 4, Value: func(p problem) []float64 {
		mu, out := p.means(), p.means()
		for k := range p.k() {
			out.SetRow(k, mu.RawRowView(p.k()-1-k))
		}
		return p.unlessRight(p.evenMeans(out), p.evenMeans(mu))
	}, Message: "The means are right and stand in reverse order: row k belongs to label k."},
}

// classes is the weighted sum of the class scatters about the class means.
func classes(weight func(p problem, k int) float64) func(problem) []float64 {
	return func(p problem) []float64 {
		s := p.scatter(p.means(), func(k int) float64 { return weight(p, k) })
		return p.unlessRight(p.evenCovariance(s), p.evenCovariance(p.covariance()))
	}
}

func count(p problem, k int) float64 { return float64(p.counts[k]) }
func total(p problem) float64        { return float64(len(p.labels)) }
func number(p problem) float64       { return float64(p.k()) }

var covarianceMistakes = []learner.Mistake[problem]{
	{Key: "n-minus-k", Hint: 3, Value: classes(func(p problem, _ int) float64 { return 1 / (total(p) - number(p)) }),
		Message: "Your Sigma is divided by N−K: the unbiased, pooled covariance. A good estimate, but the maximum of the likelihood divides by N."},
	{Key: "n-minus-1", Hint: 3, Value: classes(func(p problem, _ int) float64 { return 1 / (total(p) - 1) }),
		Message: "Your Sigma is divided by N−1. The maximum of the likelihood divides by N."},
	{Key: "unweighted", Hint: 3, Value: classes(func(p problem, k int) float64 { return 1 / count(p, k) / number(p) }),
		Message: "Your Sigma is the plain average of the class covariances, so that a class with three points counts as much as one with forty. The weights are N_k/N."},
	{Key: "unweighted", Hint: 3, Value: classes(func(p problem, k int) float64 { return 1 / (count(p, k) - 1) / number(p) }),
		Message: "Your Sigma is the plain average of the unbiased class covariances. The weights are N_k/N, and each S_k is divided by N_k."},
	{Key: "unbiased-classes", Hint: 3, Value: classes(func(p problem, k int) float64 { return count(p, k) / total(p) / (count(p, k) - 1) }),
		Message: "The weights N_k/N are right, but your class covariances are divided by N_k − 1 (stat.CovarianceMatrix does that). Maximum likelihood divides each by N_k."},
	{Key: "sum-of-covariances", Hint: 3, Value: classes(func(p problem, k int) float64 { return 1 / count(p, k) }),
		Message: "Your Sigma is the sum of the class covariances without the weights N_k/N."},
	{Key: "scatter", Hint: 3, Value: classes(func(problem, int) float64 { return 1 }),
		Message: "Your Sigma is S_W, the sum of the (φ−μ)(φ−μ)ᵀ: the division by N is missing."},
	{Key: "twice-weighted", Hint: 3, Value: classes(func(p problem, k int) float64 { return count(p, k) / total(p) }),
		Message: "Your S_k are sums, not divided by their N_k, and the weights N_k/N come on top of that: a larger class has the longer sum already."},
	{Key: "half", Hint: 3, Value: classes(func(p problem, _ int) float64 { return 0.5 / total(p) }),
		Message: "Your Sigma is half of the estimate: the ½ of the exponent has the ½ of ½N ln|Σ| against it."},
	{Key: "total-covariance", Hint: 3, Value: func(p problem) []float64 {
		s := instance.Scatter(p.Phi, instance.Mean(p.Phi))
		s.ScaleSym(1/total(p), s)
		return p.unlessRight(p.evenCovariance(s), p.evenCovariance(p.covariance()))
	}, Message: "Your Sigma is the covariance of all points about their common mean: the distances between the classes are in it. Each point is compared with the mean of its own class."},
	{Key: "not-centred", Hint: 3, Value: func(p problem) []float64 {
		_, m := p.dims()
		s := instance.Scatter(p.Phi, make([]float64, m))
		s.ScaleSym(1/total(p), s)
		return p.evenCovariance(s)
	}, Message: "Your Sigma is the mean of the φφᵀ: no mean is subtracted."},
	{Key: "diagonal-only", Hint: 3, Value: func(p problem) []float64 {
		c := mat.DenseCopyOf(p.covariance())
		c.Apply(func(i, j int, v float64) float64 {
			if i == j {
				return v
			}
			return 0
		}, c)
		return p.unlessRight(p.evenCovariance(c), p.evenCovariance(p.covariance()))
	}, Message: "The diagonal of your Sigma is right and all the rest is 0: a naive Bayes model. The general covariance has the products of different features too."},
	{Key: "inverse", Hint: 3, Value: func(p problem) []float64 {
		var inv mat.Dense
		if inv.Inverse(p.covariance()) != nil {
			return nil
		}
		return p.unlessRight(p.evenCovariance(&inv), p.evenCovariance(p.covariance()))
	}, Message: "Your Sigma is the inverse of the estimate: the precision Σ⁻¹, with which the likelihood is easier to differentiate. Invert it back."},
	{Key: "standard-deviations", Hint: 3, Value: func(p problem) []float64 {
		var e mat.EigenSym
		if !e.Factorize(p.covariance(), true) {
			return nil
		}
		var v, root mat.Dense
		e.VectorsTo(&v)
		values := e.Values(nil)
		scaled := mat.DenseCopyOf(&v)
		scaled.Apply(func(_, j int, x float64) float64 { return x * math.Sqrt(math.Max(0, values[j])) }, scaled)
		root.Mul(scaled, v.T())
		return p.unlessRight(p.evenCovariance(&root), p.evenCovariance(p.covariance()))
	}, Message: "Your Sigma is the square root of the estimate."},
}

// gradientOf is a·Σ + b·ΣΣ(φ−μ)(φ−μ)ᵀ at a place.
func gradientOf(f func(p place) (a, b float64)) func(place) []float64 {
	return func(p place) []float64 {
		a, b := f(p)
		var left, right mat.Dense
		left.Scale(a, p.sigma)
		right.Scale(b, p.scatter(p.mu, func(int) float64 { return 1 }))
		left.Add(&left, &right)
		return learner.Entries(&left)
	}
}

var gradientMistakes = []learner.Mistake[place]{
	{Key: "gradient-sign", Hint: 3, Value: gradientOf(func(p place) (float64, float64) { return -total(p.problem) / 2, 0.5 }),
		Message: "All signs of your gradient are turned: ln p holds +½N ln|Σ⁻¹|, and a minus before the quadratic forms. (Or is it the gradient of −ln p?)"},
	{Key: "gradient-half", Hint: 3, Value: gradientOf(func(p place) (float64, float64) { return total(p.problem), -1 }),
		Message: "The factor ½ is missing in both terms of your gradient."},
	{Key: "gradient-half", Hint: 3, Value: gradientOf(func(p place) (float64, float64) { return total(p.problem) / 2, -1 }),
		Message: "The factor ½ is missing in the second term of your gradient."},
	{Key: "gradient-half", Hint: 3, Value: gradientOf(func(p place) (float64, float64) { return total(p.problem), -0.5 }),
		Message: "The factor ½ is missing in the first term of your gradient."},
	{Key: "gradient-n", Hint: 3, Value: gradientOf(func(place) (float64, float64) { return 0.5, -0.5 }),
		Message: "The N is missing in the first term of your gradient: every point has its own ½ ln|Σ⁻¹|."},
	{Key: "gradient-plus", Hint: 3, Value: gradientOf(func(p place) (float64, float64) { return total(p.problem) / 2, 0.5 }),
		Message: "The sign of the second term of your gradient is turned: the quadratic form stands in the exponent with a minus."},
	{Key: "gradient-determinant", Hint: 3, Value: gradientOf(func(place) (float64, float64) { return 0, -0.5 }),
		Message: "Your gradient lacks the term of the determinant: ∂ ln|P|/∂P = (P⁻¹)ᵀ."},
	{Key: "gradient-averaged", Hint: 3, Value: gradientOf(func(p place) (float64, float64) { return 0.5, -0.5 / total(p.problem) }),
		Message: "Your gradient is divided by N: it is that of the mean log likelihood per point."},
	{Key: "gradient-precision", Hint: 3, Value: func(p place) []float64 {
		var inverse mat.Dense
		if inverse.Inverse(p.sigma) != nil {
			return nil
		}
		var right mat.Dense
		right.Scale(-0.5, p.scatter(p.mu, func(int) float64 { return 1 }))
		inverse.Scale(total(p.problem)/2, &inverse)
		inverse.Add(&inverse, &right)
		return learner.Entries(&inverse)
	}, Message: "The first term of your gradient holds Σ⁻¹ where Σ belongs: ∂ ln|P|/∂P is the inverse of P, and P is Σ⁻¹ already."},
	{Key: "gradient-sigma", Hint: 3, Value: func(p place) []float64 {
		var P, S, out mat.Dense
		if P.Inverse(p.sigma) != nil {
			return nil
		}
		S.Mul(p.scatter(p.mu, func(int) float64 { return 1 }), &P)
		out.Mul(&P, &S)
		P.Scale(-total(p.problem), &P)
		out.Add(&out, &P)
		out.Scale(0.5, &out)
		return learner.Entries(&out)
	}, Message: "This is the derivative with respect to Σ itself. Asked for is the one with respect to Σ⁻¹, which is simpler: only one inverse occurs."},
}

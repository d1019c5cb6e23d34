package classify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestNaiveBayesZeros checks that a class has posterior 0 for a row with a value that does not
// occur in the class. A row with probability 0 in all classes has a posterior only if Smoothing is
// set.
func TestNaiveBayesZeros(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0})
	labels := []int{0, 0, 0, 1, 1, 1}
	impossible := mat.NewDense(1, 2, []float64{1, 1})
	m := must(classify.FitNaiveBayesBernoulli(x, labels, 2, classify.NaiveBayesBernoulliOptions{}))(t)
	closeTo(t, m.W.At(1, 0), math.Inf(-1), 0, "ln 0/1")
	post, logs := must(m.Posterior(x))(t), must(m.LogPosterior(x))(t)
	for i, k := range labels {
		allClose(t, "posterior", []float64{post.At(i, k), post.At(i, 1-k), logs.At(i, k)}, []float64{1, 0, 0}, 0)
		closeTo(t, logs.At(i, 1-k), math.Inf(-1), 0, "log posterior of a class without the value")
	}
	errorHas(t, errorOf(m.Posterior(impossible)), "NaiveBayesBernoulli", "row 0", "probability 0 in every class",
		"Smoothing")
	errorHas(t, errorOf(m.Predict(impossible)), "Smoothing")
	closeTo(t, must(m.LogMarginal(impossible))(t)[0], math.Inf(-1), 0, "ln p(x)")
	finite(t, "likelihood", m.LogLikelihood)
	for _, alpha := range []float64{1, 1e-300, 1e308} {
		s := must(classify.FitNaiveBayesBernoulli(x, labels, 2,
			classify.NaiveBayesBernoulliOptions{Smoothing: alpha}))(t)
		finite(t, "posterior", flat(must(s.Posterior(impossible))(t))...)
		c := must(classify.FitNaiveBayesCategorical(x, []int{2, 2}, labels, 2,
			classify.NaiveBayesCategoricalOptions{Smoothing: alpha}))(t)
		near(t, "μ", c.Mu[0].Slice(0, 2, 1, 2), s.Mu.Slice(0, 2, 0, 1), 1e-14)
	}
	levels := func(l ...int) error {
		return errorOf(classify.FitNaiveBayesCategorical(x, l, labels, 2, classify.NaiveBayesCategoricalOptions{}))
	}
	allFail(t, []failingCall{
		{"value",
			errorOf(classify.FitNaiveBayesBernoulli(pointsOn(0, 2), []int{0, 1}, 2, classify.NaiveBayesBernoulliOptions{})),
			[]string{"FitNaiveBayesBernoulli", "row 1, column 0 is 2", "0 or 1"}},
		{"predicted value", errorOf(m.Predict(mat.NewDense(1, 2, []float64{0, 0.5}))), []string{"row 0, column 1 is 0.5"}},
		{"too few levels", levels(2), []string{"FitNaiveBayesCategorical", "levels has 1 entries but x has 2 columns"}},
		{"value outside the levels", levels(1, 2), []string{"FitNaiveBayesCategorical", "row 3, column 0 is 1"}},
		{"0 levels", levels(0, 2), []string{"levels[0] is 0"}},
	})
}

// TestExponentialFamily compares the densities of every family with gonum's densities for the class
// means. The scores must agree with Bayes' theorem for these densities, up to a term that is equal
// for all classes, and must equal (4.86).
func TestExponentialFamily(t *testing.T) {
	x, labels := clouds(90, 2, 3, 7)
	x.Apply(func(_, _ int, v float64) float64 { return math.Floor(math.Exp(v)) + 1 }, x)
	binary := mat.DenseCopyOf(x)
	binary.Apply(func(_, _ int, v float64) float64 { return truth(v > 2) }, x)
	type density interface{ LogProb(float64) float64 }
	for _, c := range []struct {
		x       *mat.Dense
		o       classify.ExponentialFamilyOptions
		density func(mean float64) density
	}{
		{x, classify.ExponentialFamilyOptions{Scale: 0.7}, // for Gaussian densities, Scale is the standard deviation
			func(mean float64) density { return distuv.Normal{Mu: mean, Sigma: 0.7} }},
		{x, classify.ExponentialFamilyOptions{Density: classify.DensityExponential, Scale: 2}, // s has no effect
			func(mean float64) density { return distuv.Exponential{Rate: 1 / mean} }},
		{x, classify.ExponentialFamilyOptions{Density: classify.DensityGamma, Shape: 3},
			func(mean float64) density { return distuv.Gamma{Alpha: 3, Beta: 3 / mean} }},
		{x, classify.ExponentialFamilyOptions{Density: classify.DensityGamma}, // the shape is 1
			func(mean float64) density { return distuv.Exponential{Rate: 1 / mean} }},
		{x, classify.ExponentialFamilyOptions{Density: classify.DensityPoisson},
			func(mean float64) density { return distuv.Poisson{Lambda: mean} }},
		{binary, classify.ExponentialFamilyOptions{Density: classify.DensityBernoulli},
			func(mean float64) density { return distuv.Bernoulli{P: mean} }},
	} {
		m := must(classify.FitExponentialFamily(c.x, labels, 3, c.o))(t)
		var want mat.Dense
		want.Apply(func(i, k int, _ float64) (sum float64) {
			mean, _ := averageOf(c.x, labels, k)
			for j, v := range mean {
				sum += c.density(v).LogProb(c.x.At(i, j))
			}
			return sum
		}, mat.NewDense(90, 3, nil))
		near(t, m.Density.String(), must(m.LogDensities(c.x))(t), &want, 1e-13)
		scores := must(m.Scores(c.x))(t)
		for k := range 3 {
			gap := math.Log(m.Priors[k] / m.Priors[0])
			closeTo(t, scores.At(4, k)-scores.At(4, 0), want.At(4, k)-want.At(4, 0)+gap, 1e-11, "%v: a_k − a_1", m.Density)
			a := m.LogG[k] + math.Log(m.Priors[k]) + floats.Dot(m.Lambda.RawRowView(k), c.x.RawRowView(4))/m.Scale
			closeTo(t, scores.At(4, k), a, 1e-12*(1+math.Abs(a)), "%v: score (4.86)", m.Density)
		}
	}
}

// TestExponentialFamilyErrors checks errors for entries outside the domain, for invalid options, for
// means that are too large for Scale, and for means at the limit of their range. With Smoothing, fits
// with means at the limit succeed.
func TestExponentialFamilyErrors(t *testing.T) {
	x, labels := mat.NewDense(4, 1, []float64{0, 0, 1, 0}), []int{0, 0, 1, 1}
	for _, c := range []struct {
		o     classify.ExponentialFamilyOptions
		x     *mat.Dense
		want  string
		cured bool // with Smoothing, the fit succeeds
	}{
		{classify.ExponentialFamilyOptions{Density: classify.DensityPoisson}, x,
			"column 0 of x (counting from 0) has mean 0 in class 0", true},
		{classify.ExponentialFamilyOptions{Density: classify.DensityBernoulli}, x, "range of DensityBernoulli", true},
		{classify.ExponentialFamilyOptions{Density: classify.DensityExponential}, x, "Smoothing", true},
		{classify.ExponentialFamilyOptions{Density: classify.DensityGamma}, x, "numbers > 0", false},
		{classify.ExponentialFamilyOptions{Density: classify.DensityExponential},
			mat.NewDense(4, 1, []float64{1, 2, -3, 4}), "row 2, column 0 is -3", false},
		{classify.ExponentialFamilyOptions{Density: classify.DensityPoisson},
			mat.NewDense(4, 1, []float64{1, 2, 3, 4.5}), "counts", false},
		{classify.ExponentialFamilyOptions{Scale: 1e-200}, x, "too large for Scale", false},
		{classify.ExponentialFamilyOptions{Density: classify.DensityPoisson, Scale: 2}, x, "s = 1 only", false},
		{classify.ExponentialFamilyOptions{Density: classify.DensityGamma, Shape: -2}, x, "Shape is -2", false},
		{classify.ExponentialFamilyOptions{Shape: 2}, x, "only DensityGamma", false},
	} {
		errorHas(t, errorOf(classify.FitExponentialFamily(c.x, labels, 2, c.o)), "classify: FitExponentialFamily: ", c.want)
		if c.cured {
			c.o.Smoothing = 1
			m := must(classify.FitExponentialFamily(c.x, labels, 2, c.o))(t)
			finite(t, "W", flat(m.W)...)
			// Class 0 has two rows of 0. Smoothing adds a row with the overall mean ¼.
			closeTo(t, m.Means.At(0, 0), 1.0/12, 1e-16, "smoothed mean")
		}
	}
	if s := classify.Density(9).String(); s != "Density(9)" {
		t.Errorf("Density(9).String() is %q, want \"Density(9)\"", s)
	}
}

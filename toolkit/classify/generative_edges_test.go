package classify_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// generativeFit is a fit with the options that all generative models share.
type generativeFit struct {
	name string
	fit  func(x mat.Matrix, labels []int, k int, priors []float64, uniform bool) (classify.Generative, error)
}

// generativeFits fit data with entries 0 and 1, the domain of all of them.
var generativeFits = []generativeFit{
	{"LDA", func(x mat.Matrix, labels []int, k int, p []float64, u bool) (classify.Generative, error) {
		return generativeOf(classify.FitLDA(x, labels, k, classify.LDAOptions{Priors: p, UniformPriors: u}))
	}},
	{"QDA", func(x mat.Matrix, labels []int, k int, p []float64, u bool) (classify.Generative, error) {
		return generativeOf(classify.FitQDA(x, labels, k, classify.QDAOptions{Priors: p, UniformPriors: u}))
	}},
	{"NaiveBayesGaussian", func(x mat.Matrix, labels []int, k int, p []float64, u bool) (classify.Generative, error) {
		return generativeOf(classify.FitNaiveBayesGaussian(x, labels, k, classify.NaiveBayesGaussianOptions{Priors: p, UniformPriors: u}))
	}},
	{"NaiveBayesBernoulli", func(x mat.Matrix, labels []int, k int, p []float64, u bool) (classify.Generative, error) {
		return generativeOf(classify.FitNaiveBayesBernoulli(x, labels, k, classify.NaiveBayesBernoulliOptions{Priors: p, UniformPriors: u}))
	}},
	{"NaiveBayesCategorical", func(x mat.Matrix, labels []int, k int, p []float64, u bool) (classify.Generative, error) {
		return generativeOf(classify.FitNaiveBayesCategorical(x, []int{2, 3}, labels, k, classify.NaiveBayesCategoricalOptions{Priors: p, UniformPriors: u}))
	}},
	{"ExponentialFamily", func(x mat.Matrix, labels []int, k int, p []float64, u bool) (classify.Generative, error) {
		return generativeOf(classify.FitExponentialFamily(x, labels, k, classify.ExponentialFamilyOptions{Density: classify.DensityPoisson, Priors: p, UniformPriors: u}))
	}},
}

func generativeOf[M classify.Generative](m M, err error) (classify.Generative, error) { return m, err }

// binaryRows: class 1 is empty; both others show all four points.
func binaryRows() (*mat.Dense, []int) {
	return mat.NewDense(10, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1}), []int{0, 0, 0, 0, 0, 2, 2, 2, 2, 2}
}

// TestGenerativeEmptyClass: prior 0, posterior 0, never NaN, also with uniform
// priors; a given prior for it is an error.
func TestGenerativeEmptyClass(t *testing.T) {
	x, labels := binaryRows()
	for _, f := range generativeFits {
		t.Run(f.name, func(t *testing.T) {
			for _, uniform := range []bool{false, true} {
				m := must(f.fit(x, labels, 3, nil, uniform))(t)
				nearly(t, "priors", sharesOf(m).Priors, []float64{0.5, 0, 0.5}, 0)
				post, dens := must(m.Posterior(x))(t), must(m.LogDensities(x))(t)
				for i := range 10 {
					if post.At(i, 1) != 0 || !math.IsInf(dens.At(i, 1), -1) || math.Abs(post.At(i, 0)+post.At(i, 2)-1) > 1e-15 {
						t.Fatalf("row %d: posterior %v, log densities %v", i, post.RawRowView(i), dens.RawRowView(i))
					}
				}
				finite(t, "marginal", must(m.LogMarginal(x))(t)...)
				finite(t, "likelihood", sharesOf(m).LogLikelihood)
				errorIf(t, slices.ContainsFunc(weightsOf(m), math.IsNaN), "weights %v", weightsOf(m))
				_, drawn := must2(m.Sample(200, 1))(t)
				errorIf(t, slices.Contains(drawn, 1), "the empty class was drawn")
				savedAndLoaded(t, m)
			}
			for _, c := range []struct {
				p    []float64
				u    bool
				want string
			}{
				{[]float64{0.5, 0.25, 0.25}, false, "class 1 has no rows"},
				{[]float64{0.5, 0.5}, false, "2 entries"},
				{[]float64{0.5, 0, 0.4}, false, "sum to 0.9"},
				{[]float64{-0.5, 0, 1.5}, false, "Priors[0]"},
				{[]float64{math.NaN(), 0, 1}, false, "Priors[0]"},
				{[]float64{0.5, 0, 0.5}, true, "both"},
			} {
				mentions(t, of(f.fit(x, labels, 3, c.p, c.u)), "classify: Fit"+f.name, c.want)
			}
			m := must(f.fit(x, labels, 3, []float64{1, 0, 0}, false))(t)
			errorIf(t, must(m.Predict(x))(t)[9] != 0 || !math.IsInf(sharesOf(m).LogLikelihood, -1), "prior 1 for class 0: likelihood %v", sharesOf(m).LogLikelihood)
			mentions(t, of2(emptyOf(m).(classify.Generative).Sample(1, 1)), f.name, "Fit function")
			mentions(t, of(f.fit(x.Slice(0, 1, 0, 2), []int{0}, 3, nil, false)), "class", "1 labels")
		})
	}
}

// TestGaussianSingular: the error names the class, the rank, the columns and the
// remedy, and Shrinkage (Smoothing) is one.
func TestGaussianSingular(t *testing.T) {
	x, labels := clouds(12, 3, 2, 3)
	dup := mat.DenseCopyOf(x)
	dup.Apply(func(i, j int, v float64) float64 { return x.At(i, j%2) }, x)
	constant := mat.DenseCopyOf(x)
	constant.Apply(func(i, j int, v float64) float64 {
		if j == 1 && labels[i] == 1 {
			return 0.1
		}
		return v
	}, x)
	wide, wl := clouds(6, 5, 2, 4)
	for _, c := range []struct {
		name     string
		x        *mat.Dense
		l        []int
		lda, qda []string
	}{
		{"duplicate", dup, labels, []string{"Σ", "rank 2 of 3", "dependent: 0, 2", "Shrinkage"}, []string{"class 0", "dependent: 0, 2", "FitLDA", "FitNaiveBayesGaussian"}},
		{"constant in a class", constant, labels, nil, []string{"class 1", "constant within the class: 1"}},
		{"D > N", wide, wl, []string{"6 rows leave only 4 directions for 5 columns"}, []string{"class 0", "3 rows leave only 2 directions"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := of(classify.FitLDA(c.x, c.l, 2, classify.LDAOptions{}))
			if errorIf(t, (err == nil) != (c.lda == nil), "LDA: %v", err); c.lda != nil {
				mentions(t, err, c.lda...)
			}
			mentions(t, of(classify.FitQDA(c.x, c.l, 2, classify.QDAOptions{})), c.qda...)
			must(must(classify.FitLDA(c.x, c.l, 2, classify.LDAOptions{Shrinkage: 0.2}))(t).Predict(c.x))(t)
			must(must(classify.FitQDA(c.x, c.l, 2, classify.QDAOptions{Shrinkage: 0.2}))(t).Predict(c.x))(t)
		})
	}
	// Shrinkage by its formula.
	m := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t)
	g := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{Shrinkage: 0.2}))(t)
	want := mat.NewSymDense(3, nil)
	for i := range 3 {
		for j := i; j < 3; j++ {
			v := 0.8 * m.Sigma.At(i, j)
			if i == j {
				v += 0.2 * mat.Trace(m.Sigma) / 3
			}
			want.SetSym(i, j, v)
		}
	}
	near(t, "(1−γ)Σ + γ(tr Σ/D)I", g.Sigma, want, 1e-14)
	zero := mat.DenseCopyOf(constant)
	zero.Apply(func(_, j int, v float64) float64 { return v * float64(j) }, constant)
	nb := func(x mat.Matrix, smoothing float64) error {
		return of(classify.FitNaiveBayesGaussian(x, labels, 2, classify.NaiveBayesGaussianOptions{Smoothing: smoothing}))
	}
	refused(t, []refusal{
		{"shrinkage < 0", of(classify.FitLDA(x, labels, 2, classify.LDAOptions{Shrinkage: -0.1})), []string{"Shrinkage", "[0,1]"}},
		{"shrinkage > 1", of(classify.FitLDA(x, labels, 2, classify.LDAOptions{Shrinkage: 1.1})), []string{"Shrinkage", "[0,1]"}},
		{"shrinkage NaN", of(classify.FitLDA(x, labels, 2, classify.LDAOptions{Shrinkage: math.NaN()})), []string{"Shrinkage", "[0,1]"}},
		{"N = K", of(classify.FitLDA(pointsOn(1, 2), []int{0, 1}, 2, classify.LDAOptions{Unbiased: true})), []string{"N − K = 0"}},
		{"one point", of(classify.FitQDA(pointsOn(1, 2, 4), []int{0, 1, 1}, 2, classify.QDAOptions{Shrinkage: 0.5, Unbiased: true})), []string{"class 0", "one point"}},
		{"naive Bayes", nb(constant, 0), []string{"column 1", "class 1", "Smoothing"}},
		{"constant", nb(zero, 1e-9), []string{"column 0", "constant over all rows"}},
		{"smoothing", nb(constant, -1), []string{"Smoothing", "-1"}},
	})
	errorIf(t, nb(constant, 1e-9) != nil, "%v", nb(constant, 1e-9))
}

// TestGaussianTails: offsets, activations beyond ±800 and inputs where every density
// underflows keep posteriors that are right.
func TestGaussianTails(t *testing.T) {
	x, labels := dyadic(90, 3, 3, 0)
	far, _ := dyadic(90, 3, 3, 1e9)
	for _, f := range generativeFits[:3] {
		m := must(f.fit(x, labels, 3, nil, false))(t)
		at := must(f.fit(far, labels, 3, nil, false))(t)
		near(t, f.name+" at an offset", must(at.Posterior(far))(t), must(m.Posterior(x))(t), 1e-6) // x itself has 2⁻²⁰·2⁻³ left
		point := mat.NewDense(2, 3, []float64{60, -50, 40, -900, 800, 700})
		post, logPost := must(m.Posterior(point))(t), must(m.LogPosterior(point))(t)
		for i := range 2 {
			within(t, floats.Sum(post.RawRowView(i)), 1, 1e-15, "%s: row %d", f.name, i)
			errorIf(t, mat.Min(logPost.RowView(i)) > -30, "%s: row %d: logs %v", f.name, i, logPost.RawRowView(i))
			finite(t, f.name, logPost.RawRowView(i)...)
		}
		// At 1e200 squares overflow in QDA and naive Bayes: an error, no NaN.
		if p, err := m.Posterior(mat.NewDense(1, 3, []float64{1e200, 1e200, -1e200})); err == nil {
			finite(t, f.name, p.RawRowView(0)...)
		} else {
			mentions(t, err, "row 0")
		}
	}
}

// TestGenerativeSample: samples have the moments of the model (within 5 standard
// errors), the same seed gives the same bytes, and a fit to them comes back.
func TestGenerativeSample(t *testing.T) {
	const n = 20000
	for name, g := range generated(t, 120, 9) {
		t.Run(name, func(t *testing.T) {
			x, labels := must2(g.m.Sample(n, 1))(t)
			again, _, _ := g.m.Sample(n, 1)
			other, _, _ := g.m.Sample(n, 2)
			errorIf(t, !mat.Equal(x, again) || mat.Equal(x, other), "the seed does not fix the sample")
			// The mean of ln p(x|C) has no bias; its error follows from its spread.
			counts := make([]float64, 3)
			for _, k := range labels {
				counts[k]++
			}
			for k, p := range sharesOf(g.m).Priors {
				within(t, counts[k]/n, p, 5*math.Sqrt(p*(1-p)/n), "share of class %d", k)
			}
			checkMeans(t, g.m, x, labels)
		})
	}
	mentions(t, of2(must(classify.FitLDA(mat.NewDense(4, 1, []float64{1, 2, 4, 5}), []int{0, 0, 1, 1}, 2, classify.LDAOptions{}))(t).Sample(0, 1)), "LDA", "n is 0")
}

// checkMeans compares the means of each class, and for Gaussians the scatter.
func checkMeans(t *testing.T, m classify.Generative, x *mat.Dense, labels []int) {
	t.Helper()
	var means *mat.Dense
	var sigma func(k int) mat.Matrix
	switch m := m.(type) {
	case *classify.LDA:
		means, sigma = m.Means, func(int) mat.Matrix { return m.Sigma }
	case *classify.QDA:
		means, sigma = m.Means, func(k int) mat.Matrix { return m.Sigma[k] }
	case *classify.NaiveBayesGaussian:
		means = m.Means
	case *classify.NaiveBayesBernoulli:
		means = m.Mu
	case *classify.NaiveBayesCategorical:
		means = mat.NewDense(3, 3, nil)
		for k := range 3 {
			for i, mu := range m.Mu {
				means.Set(k, i, mu.At(k, 1)+2*mu.At(k, 2))
			}
		}
	case *classify.ExponentialFamily:
		means = m.Means
	}
	s := must(classify.FitQDA(x, labels, 3, classify.QDAOptions{}))(t)
	for k := range 3 {
		n := float64(s.Counts[k])
		for j := range 3 {
			within(t, s.Means.At(k, j), means.At(k, j), 5*math.Sqrt(s.Sigma[k].At(j, j)/n), "mean of class %d, column %d", k, j)
			for i := 0; i < 3 && sigma != nil; i++ { // the variance of a sample covariance is (σ_ii σ_jj + σ_ij²)/N
				c := sigma(k)
				se := math.Sqrt((c.At(i, i)*c.At(j, j) + c.At(i, j)*c.At(i, j)) / n)
				within(t, s.Sigma[k].At(i, j), c.At(i, j), 5*se, "class %d: covariance %d,%d", k, i, j)
			}
		}
	}
}

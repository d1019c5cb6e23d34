package classify_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// A generativeFit contains two functions for one kind of generative model. The function `fit` fits the
// model with the options Priors and UniformPriors. If `priors` is nil and `uniform` is false, the
// priors are the class shares. The function `shift` returns the model with other priors.
type generativeFit struct {
	name  string
	fit   func(x mat.Matrix, labels []int, k int, priors []float64, uniform bool) (classify.Generative, error)
	shift func(m classify.Generative, to []float64) (classify.Generative, error)
}

func generativeFitOf[M interface {
	classify.PriorShifted
	classify.Generative
}](name string, fit func(x mat.Matrix, labels []int, k int, priors []float64, uniform bool) (M, error)) generativeFit {
	return generativeFit{name,
		func(x mat.Matrix, labels []int, k int, priors []float64, uniform bool) (classify.Generative, error) {
			return fit(x, labels, k, priors, uniform)
		},
		func(m classify.Generative, to []float64) (classify.Generative, error) {
			return classify.ShiftPriors(m.(M), nil, to)
		}}
}

// generativeFits lists fits that all accept rows with two columns of zeros and ones.
var generativeFits = []generativeFit{
	generativeFitOf("LDA", func(x mat.Matrix, labels []int, k int, p []float64, u bool) (*classify.LDA, error) {
		return classify.FitLDA(x, labels, k, classify.LDAOptions{Priors: p, UniformPriors: u})
	}),
	generativeFitOf("QDA", func(x mat.Matrix, labels []int, k int, p []float64, u bool) (*classify.QDA, error) {
		return classify.FitQDA(x, labels, k, classify.QDAOptions{Priors: p, UniformPriors: u})
	}),
	generativeFitOf("NaiveBayesGaussian",
		func(x mat.Matrix, labels []int, k int, p []float64, u bool) (*classify.NaiveBayesGaussian, error) {
			return classify.FitNaiveBayesGaussian(x, labels, k,
				classify.NaiveBayesGaussianOptions{Priors: p, UniformPriors: u})
		}),
	generativeFitOf("NaiveBayesBernoulli",
		func(x mat.Matrix, labels []int, k int, p []float64, u bool) (*classify.NaiveBayesBernoulli, error) {
			return classify.FitNaiveBayesBernoulli(x, labels, k,
				classify.NaiveBayesBernoulliOptions{Priors: p, UniformPriors: u})
		}),
	generativeFitOf("NaiveBayesCategorical",
		func(x mat.Matrix, labels []int, k int, p []float64, u bool) (*classify.NaiveBayesCategorical, error) {
			return classify.FitNaiveBayesCategorical(x, []int{2, 3}, labels, k,
				classify.NaiveBayesCategoricalOptions{Priors: p, UniformPriors: u})
		}),
	generativeFitOf("ExponentialFamily",
		func(x mat.Matrix, labels []int, k int, p []float64, u bool) (*classify.ExponentialFamily, error) {
			return classify.FitExponentialFamily(x, labels, k,
				classify.ExponentialFamilyOptions{Density: classify.DensityPoisson, Priors: p, UniformPriors: u})
		}),
}

// A modelCase contains a generative model, and inputs in the domain of the model.
type modelCase struct {
	m classify.Generative
	x mat.Matrix
}

// generativeModels fits each kind of generative model to data with 3 classes and 3 columns. The data of
// a model are in the domain of this model.
func generativeModels(t *testing.T) (all map[string]modelCase, labels []int) {
	t.Helper()
	x, labels := clouds(120, 3, 3, 9)
	all = map[string]modelCase{}
	for _, f := range generativeFits[:3] {
		all[f.name] = modelCase{must(f.fit(x, labels, 3, nil, false))(t), x}
	}
	for kind, name := range mappedNames {
		m := must(fitMapped(kind)(x, labels, 3))(t).(*mappedModel)
		all[name] = modelCase{m.Model, m.input(x)}
	}
	return all, labels
}

func sharesOf(m classify.Generative) classify.ClassShares {
	switch m := m.(type) {
	case *classify.LDA:
		return m.ClassShares
	case *classify.QDA:
		return m.ClassShares
	case *classify.NaiveBayesGaussian:
		return m.ClassShares
	case *classify.NaiveBayesBernoulli:
		return m.ClassShares
	case *classify.NaiveBayesCategorical:
		return m.ClassShares
	}
	return m.(*classify.ExponentialFamily).ClassShares
}

// TestGenerativeLikelihood checks that LogLikelihood is the sum of ln p(x_n|C)p(C) over the rows,
// where C is the class of row n. AIC and BIC must be the values for this LogLikelihood and the
// expected degrees of freedom. TwoClass must refuse a model of three classes, and Quadratic must
// refuse a class that does not exist.
func TestGenerativeLikelihood(t *testing.T) {
	all, labels := generativeModels(t)
	// With K = 3 and D = 3, each model has 2 free priors. LDA, QDA and Gaussian naive Bayes also have
	// 9 means. LDA has 6 entries of a shared covariance, QDA has 18 entries of separate covariances,
	// and Gaussian naive Bayes has 9 variances. In categorical naive Bayes, a feature has three
	// values and therefore 2 free probabilities in each class, 18 in total. The other models have
	// one parameter per class and column, 9 in total.
	dof := map[string]int{"LDA": 17, "QDA": 29, "NaiveBayesGaussian": 20, "categorical naive Bayes": 20}
	for name, g := range all {
		s, dens, free := sharesOf(g.m), must(g.m.LogDensities(g.x))(t), cmp.Or(dof[name], 11)
		var want float64
		for i, k := range labels {
			want += dens.At(i, k) + math.Log(s.Priors[k])
		}
		closeTo(t, s.LogLikelihood, want, 1e-12*math.Abs(want), "%s: LogLikelihood", name)
		errorIf(t, g.m.DegreesOfFreedom() != free, "%s: got %d degrees of freedom, want %d", name, g.m.DegreesOfFreedom(), free)
		closeTo(t, s.AIC(), -2*s.LogLikelihood+2*float64(free), 0, "%s: AIC", name)
		closeTo(t, s.BIC(), s.AIC()+float64(free)*(math.Log(120)-2), 1e-9, "%s: BIC", name)
	}
	n := must(generativeFits[1].fit(all["QDA"].x, labels, 3, nil, true))(t).DegreesOfFreedom()
	errorIf(t, n != 27, "QDA with uniform priors: got %d degrees of freedom, want 27", n)
	lda, qda := all["LDA"].m.(*classify.LDA), all["QDA"].m.(*classify.QDA)
	errorHas(t, errorOf(lda.TwoClass()), "3 classes")
	errorHas(t, errorOf3(qda.Quadratic(3)), "0…2")
}

// TestGaussianTails checks posteriors of extreme data. For data near 1e9, the posteriors must be the
// same as for these data near 0. At inputs where every density underflows, the posteriors must sum
// to 1, and their logarithms must be finite. For entries of 1e200, Posterior must return finite
// numbers or an error.
func TestGaussianTails(t *testing.T) {
	x, labels := dyadicClouds(90, 3, 3, 0)
	far, _ := dyadicClouds(90, 3, 3, 1e9)
	point := mat.NewDense(2, 3, []float64{60, -50, 40, -900, 800, 700})
	for _, f := range generativeFits[:3] {
		m, at := must(f.fit(x, labels, 3, nil, false))(t), must(f.fit(far, labels, 3, nil, false))(t)
		// The tolerance is 1e-6, because the class means of "far", near 1e9, are rounded to multiples of 2⁻²³.
		near(t, f.name+" at an offset", must(at.Posterior(far))(t), must(m.Posterior(x))(t), 1e-6)
		post, logPost := must(m.Posterior(point))(t), must(m.LogPosterior(point))(t)
		for i := range 2 {
			closeTo(t, floats.Sum(post.RawRowView(i)), 1, 1e-15, "%s: row %d", f.name, i)
			errorIf(t, mat.Min(logPost.RowView(i)) > -30, "%s: the log posteriors are %v, want at least one ≤ −30", f.name, logPost.RawRowView(i))
			finite(t, f.name, logPost.RawRowView(i)...)
		}
		// The squares of these entries overflow in QDA and naive Bayes, so an error is correct, too.
		if p, err := m.Posterior(mat.NewDense(1, 3, []float64{1e200, 1e200, -1e200})); err == nil {
			finite(t, f.name, p.RawRowView(0)...)
		} else {
			errorHas(t, err, "row 0")
		}
	}
}

func ExampleFitFisher() {
	d := toolkit.Must(datasets.Iris().Class("versicolor", "virginica"))
	t := toolkit.Must(d.Target("versicolor"))
	m := toolkit.Must(classify.FitFisher(d.X, t, classify.FisherOptions{}))
	fmt.Printf("w = %.3f, y0 = %.3f: %s\n", m.Direction, m.Threshold, m.Reason)
	fmt.Printf("J = %.4f, projected means %.3f\n", m.J, m.ProjectedMeans)
	// Output:
	// w = [0.227 0.356 -0.445 -0.790], y0 = -1.049: equal projected Gaussian densities
	// J = 0.1451, projected means [-0.609 -1.516]
}

func ExampleFitFisherMulti() {
	d := datasets.Iris()
	m := toolkit.Must(classify.FitFisherMulti(d.X, d.Labels, d.K(), classify.FisherMultiOptions{}))
	fmt.Printf("eigenvalues %.3f, J = %.3f\n", m.Eigenvalues, m.J)
	y := toolkit.Must(m.Transform(d.X.Slice(0, 1, 0, 4)))
	fmt.Printf("the first row's features: %.3f\n", mat.Row(nil, 0, y))
	// Output:
	// eigenvalues [32.192 0.285], J = 32.477
	// the first row's features: [-0.491 0.574]
}

func ExampleNewScatter() {
	x := mat.NewDense(4, 1, []float64{1, 3, 7, 9})
	s := toolkit.Must(classify.NewScatter(x, []int{0, 0, 1, 1}, 2))
	fmt.Println(s.Within.At(0, 0), s.Between.At(0, 0), s.Total.At(0, 0))
	// Output: 4 36 40
}

func ExampleFitLDA() {
	d := datasets.Iris()
	m := toolkit.Must(classify.FitLDA(d.X, d.Labels, d.K(), classify.LDAOptions{}))
	wrong := 0
	for i, k := range toolkit.Must(m.Predict(d.X)) {
		if k != d.Labels[i] {
			wrong++
		}
	}
	fmt.Printf("%d of %d wrong, ln p(X,t) = %.3f with %d parameters\n", wrong, d.N(), m.LogLikelihood,
		m.DegreesOfFreedom())
	// Output: 3 of 150 wrong, ln p(X,t) = -263.204 with 24 parameters
}

func ExampleFitQDA() {
	d := datasets.Iris()
	m := toolkit.Must(classify.FitQDA(d.X, d.Labels, d.K(), classify.QDAOptions{}))
	post := toolkit.Must(m.Posterior(mat.NewDense(1, 4, []float64{6, 2.8, 4.9, 1.6})))
	fmt.Printf("%.3f\n", mat.Row(nil, 0, post))
	// Output: [0.000 0.580 0.420]
}

func ExampleFitNaiveBayesBernoulli() {
	x := mat.NewDense(4, 2, []float64{1, 0, 1, 1, 0, 1, 0, 0})
	m := toolkit.Must(classify.FitNaiveBayesBernoulli(x, []int{0, 0, 1, 1}, 2,
		classify.NaiveBayesBernoulliOptions{Smoothing: 1}))
	fmt.Println(mat.Row(nil, 0, m.Mu), mat.Row(nil, 1, m.Mu))
	// Output: [0.75 0.5] [0.25 0.5]
}

func ExampleFitNaiveBayesCategorical() {
	// One feature has the values 0, 1 and 2. No row of class 0 has the value 2.
	x := mat.NewDense(5, 1, []float64{0, 0, 1, 2, 1})
	m := toolkit.Must(classify.FitNaiveBayesCategorical(x, []int{3}, []int{0, 0, 0, 1, 1}, 2,
		classify.NaiveBayesCategoricalOptions{}))
	fmt.Printf("%.3f\n", mat.Row(nil, 0, m.Mu[0]))
	_, labels, err := m.Sample(12, 2)
	fmt.Println(labels, err)
	// Output:
	// [0.667 0.333 0.000]
	// [1 0 0 1 0 1 1 0 0 1 1 0] <nil>
}

func ExampleFitNaiveBayesGaussian() {
	x := mat.NewDense(4, 1, []float64{0, 2, 10, 14})
	m := toolkit.Must(classify.FitNaiveBayesGaussian(x, []int{0, 0, 1, 1}, 2, classify.NaiveBayesGaussianOptions{}))
	fmt.Println(mat.Col(nil, 0, m.Means), mat.Col(nil, 0, m.Variance))
	// Output: [1 12] [1 4]
}

func ExampleFitExponentialFamily() {
	// The inputs are waiting times. They have exponential densities, with mean 1 in one class and
	// mean 4 in the other class.
	x := mat.NewDense(4, 1, []float64{0.5, 1.5, 2, 6})
	m := toolkit.Must(classify.FitExponentialFamily(x, []int{0, 0, 1, 1}, 2,
		classify.ExponentialFamilyOptions{Density: classify.DensityExponential}))
	// The difference a₁ − a₂ is linear in x. It is 0 at x = ln 4 / (1 − 1/4).
	fmt.Printf("%.4f %+.4f·x\n", m.W.At(0, 0)-m.W.At(0, 1), m.W.At(1, 0)-m.W.At(1, 1))
	// Output: 1.3863 -0.7500·x
}

// TestGenerativeEmptyClass checks that an empty class has prior 0 and posterior 0, never NaN, even
// with uniform priors. A positive prior for the empty class must be an error.
func TestGenerativeEmptyClass(t *testing.T) {
	// Class 1 is empty. In classes 0 and 2 each feature is 0 in some rows and 1 in others.
	x := mat.NewDense(10, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1})
	labels := []int{0, 0, 0, 0, 0, 2, 2, 2, 2, 2}
	for _, f := range generativeFits {
		t.Run(f.name, func(t *testing.T) {
			for _, uniform := range []bool{false, true} {
				m := must(f.fit(x, labels, 3, nil, uniform))(t)
				allClose(t, "priors", sharesOf(m).Priors, []float64{0.5, 0, 0.5}, 0)
				post, dens := must(m.Posterior(x))(t), must(m.LogDensities(x))(t)
				for i := range 10 {
					closeTo(t, post.At(i, 0)+post.At(i, 2), 1, 1e-15, "row %d", i)
					errorIf(t, post.At(i, 1) != 0 || !math.IsInf(dens.At(i, 1), -1), "the empty class has posterior %v and log density %v, want 0 and -Inf",
						post.At(i, 1), dens.At(i, 1))
				}
				finite(t, "marginal and likelihood", append(must(m.LogMarginal(x))(t), sharesOf(m).LogLikelihood)...)
				errorIf(t, slices.ContainsFunc(weightsOf(m), math.IsNaN), "the weights %v contain NaN, want numbers",
					weightsOf(m))
				_, drawn := must2(m.Sample(200, 1))(t)
				errorIf(t, slices.Contains(drawn, 1), "the sample contains rows of the empty class, want only the other classes")
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
				errorHas(t, errorOf(f.fit(x, labels, 3, c.p, c.u)), "classify: Fit"+f.name, c.want)
			}
			m := must(f.fit(x, labels, 3, []float64{1, 0, 0}, false))(t)
			errorIf(t, must(m.Predict(x))(t)[9] != 0 || !math.IsInf(sharesOf(m).LogLikelihood, -1),
				"prior 1 for class 0: Predict returns class %d for row 9 and the log likelihood is %v, want class 0 and -Inf", must(m.Predict(x))(t)[9], sharesOf(m).LogLikelihood)
			errorHas(t, errorOf2(emptyOf(m).(classify.Generative).Sample(1, 1)), f.name, "Fit function")
			errorHas(t, errorOf2(m.Sample(0, 1)), "n is 0")
			errorHas(t, errorOf(f.fit(x.Slice(0, 1, 0, 2), []int{0}, 3, nil, false)), "class", "1 rows")
		})
	}
}

// TestGaussianSingular checks that a fit with a singular covariance returns an error that names the
// cause: dependent columns, columns that are constant within a class, or too few rows. The error of
// QDA must also name the class. With Shrinkage, LDA and QDA must succeed, unless the covariance is 0.
// With Smoothing, naive Bayes must succeed, unless a column is constant over all rows.
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
		{"duplicate", dup, labels, []string{"Σ", "rank 2 of 3", "(counting from 0): 0, 2", "Shrinkage"},
			[]string{"class 0", "(counting from 0): 0, 2", "FitLDA", "FitNaiveBayesGaussian"}},
		{"constant in a class", constant, labels, nil, []string{"class 1", "zero within-class variance (counting from 0): 1"}},
		{"D > N", wide, wl, []string{"6 rows span only 4 directions for 5 columns"},
			[]string{"class 0", "3 rows span only 2 directions"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := errorOf(classify.FitLDA(c.x, c.l, 2, classify.LDAOptions{}))
			if errorIf(t, (err == nil) != (c.lda == nil), "LDA: got error %v, want an error if and only if Σ is singular", err); c.lda != nil {
				errorHas(t, err, c.lda...)
			}
			errorHas(t, errorOf(classify.FitQDA(c.x, c.l, 2, classify.QDAOptions{})), c.qda...)
			must(must(classify.FitLDA(c.x, c.l, 2, classify.LDAOptions{Shrinkage: 0.2}))(t).Predict(c.x))(t)
			must(must(classify.FitQDA(c.x, c.l, 2, classify.QDAOptions{Shrinkage: 0.2}))(t).Predict(c.x))(t)
		})
	}
	// With Shrinkage γ, the covariance must equal (1−γ)Σ + γ(tr Σ/D)·I, where Σ is the covariance for γ = 0.
	m := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t)
	g := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{Shrinkage: 0.2}))(t)
	want := combine(0.8, m.Sigma, 0.2*mat.Trace(m.Sigma)/3, eye(3))
	near(t, "(1−γ)Σ + γ(tr Σ/D)I", g.Sigma, want, 1e-14)
	zero := mat.DenseCopyOf(constant)
	zero.Apply(func(_, j int, v float64) float64 { return v * float64(j) }, constant)
	nb := func(x mat.Matrix, smoothing float64) error {
		return errorOf(classify.FitNaiveBayesGaussian(x, labels, 2,
			classify.NaiveBayesGaussianOptions{Smoothing: smoothing}))
	}
	allFail(t, []failingCall{
		{"shrinkage > 1", errorOf(classify.FitLDA(x, labels, 2, classify.LDAOptions{Shrinkage: 1.1})),
			[]string{"Shrinkage", "[0,1]"}},
		{"N = K", errorOf(classify.FitLDA(pointsOn(1, 2), []int{0, 1}, 2, classify.LDAOptions{Unbiased: true})),
			[]string{"N − K = 0"}},
		{"one point",
			errorOf(classify.FitQDA(pointsOn(1, 2, 4), []int{0, 1, 1}, 2,
				classify.QDAOptions{Shrinkage: 0.5, Unbiased: true})), []string{"class 0", "equals the mean of its class"}},
		{"naive Bayes", nb(constant, 0), []string{"column 1", "class 1", "Smoothing"}},
		{"constant", nb(zero, 1e-9), []string{"column 0", "constant over all rows"}},
	})
	errorIf(t, nb(constant, 1e-9) != nil, "naive Bayes with Smoothing: got the error %v, want no error", nb(constant, 1e-9))
}

// TestGenerativeSample checks that the class shares and means of samples agree with the model within
// 5 standard errors. For Gaussian densities it also checks the covariances. Equal seeds must give
// equal samples, and different seeds must give different samples.
func TestGenerativeSample(t *testing.T) {
	const n = 20000
	all, _ := generativeModels(t)
	for name, g := range all {
		t.Run(name, func(t *testing.T) {
			x, labels := must2(g.m.Sample(n, 1))(t)
			again, _, _ := g.m.Sample(n, 1)
			other, _, _ := g.m.Sample(n, 2)
			errorIf(t, !mat.Equal(x, again) || mat.Equal(x, other), "want equal samples for equal seeds and different samples for different seeds")
			var means *mat.Dense
			sigma := func(int) mat.Matrix { return nil }
			switch m := g.m.(type) {
			case *classify.LDA:
				means, sigma = m.Means, func(int) mat.Matrix { return m.Sigma }
			case *classify.QDA:
				means, sigma = m.Means, func(k int) mat.Matrix { return m.Sigma[k] }
			case *classify.NaiveBayesGaussian:
				means, sigma = m.Means, func(k int) mat.Matrix { return mat.NewDiagDense(3, m.Variance.RawRowView(k)) }
			case *classify.NaiveBayesBernoulli:
				means = m.Mu
			case *classify.NaiveBayesCategorical:
				means = mat.NewDense(3, 3, nil)
				means.Apply(func(k, i int, _ float64) float64 { return m.Mu[i].At(k, 1) + 2*m.Mu[i].At(k, 2) }, means)
			case *classify.ExponentialFamily:
				if means = m.Means; m.Density == classify.DensityGaussian {
					sigma = func(int) mat.Matrix { return mat.NewDiagDense(3, fill(3, m.Scale*m.Scale)) }
				}
			}
			s := must(classify.FitQDA(x, labels, 3, classify.QDAOptions{}))(t)
			for k, p := range sharesOf(g.m).Priors { // the share of a class has the standard error √(p(1−p)/n)
				rows := float64(s.Counts[k])
				closeTo(t, rows/n, p, 5*math.Sqrt(p*(1-p)/n), "share of class %d", k)
				for j := range 3 {
					closeTo(t, s.Means.At(k, j), means.At(k, j), 5*math.Sqrt(s.Sigma[k].At(j, j)/rows),
						"mean of class %d, column %d", k, j)
				}
				if c := sigma(k); c != nil {
					for i := range 3 {
						for j := range 3 { // the variance of a sample covariance is (σ_ii σ_jj + σ_ij²)/N
							se := math.Sqrt((c.At(i, i)*c.At(j, j) + c.At(i, j)*c.At(i, j)) / rows)
							closeTo(t, s.Sigma[k].At(i, j), c.At(i, j), 5*se,
								"class %d: covariance of columns %d and %d", k, i, j)
						}
					}
				}
			}
		})
	}
}

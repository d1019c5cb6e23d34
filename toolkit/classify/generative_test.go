package classify_test

import (
	"cmp"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// given is a generative model and inputs in its domain.
type given struct {
	m classify.Generative
	x mat.Matrix
}

// generated fits one of each generative model to data in its domain.
func generated(t *testing.T, n int, seed uint64) map[string]given {
	t.Helper()
	x, labels := clouds(n, 3, 3, seed)
	out := map[string]given{}
	for _, f := range generativeFits[:3] {
		out[f.name] = given{must(f.fit(x, labels, 3, nil, false))(t), x}
	}
	for kind, name := range mappedNames {
		m := must(fitMapped(kind)(x, labels, 3))(t).(*mapped)
		out[name] = given{m.Model, m.input(x)}
	}
	return out
}

// TestGenerativeBayes: the posterior, the marginal and the class are those of
// Bayes' theorem from densities and priors, and the scores give the posterior.
func TestGenerativeBayes(t *testing.T) {
	for name, g := range generated(t, 120, 9) {
		dens, post := must(g.m.LogDensities(g.x))(t), must(g.m.Posterior(g.x))(t)
		logPost, marginal, scores := must(g.m.LogPosterior(g.x))(t), must(g.m.LogMarginal(g.x))(t), must(g.m.Scores(g.x))(t)
		for i := range marginal {
			joint := make([]float64, 3)
			for k, p := range sharesOf(g.m).Priors {
				joint[k] = p * math.Exp(dens.At(i, k))
			}
			sum := floats.Sum(joint)
			floats.Scale(1/sum, joint)
			nearly(t, name+": ln p(x)", marginal[i:i+1], []float64{math.Log(sum)}, 1e-12)
			nearly(t, name+": posterior", post.RawRowView(i), joint, 1e-12)
			nearly(t, name+": posterior of the scores", kernels.Softmax(nil, scores.RawRowView(i)), joint, 1e-12)
			for k := range joint {
				joint[k] = math.Log(post.At(i, k))
			}
			nearly(t, name+": log posterior", logPost.RawRowView(i), joint, 1e-12)
		}
	}
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

// TestGenerativeLikelihood: LogLikelihood is Σ ln p(x_n|C)p(C) over the rows, and
// AIC, BIC and the degrees of freedom follow from it.
func TestGenerativeLikelihood(t *testing.T) {
	_, labels := clouds(120, 3, 3, 9)
	// K = 3, D = 3: means 9; shared covariance 6, own 18; variances 9; 2 priors.
	// Three values of each of the 3 features leave 2 free: 18.
	dof := map[string]int{"LDA": 17, "QDA": 29, "NaiveBayesGaussian": 20, "Bernoulli naive Bayes": 11, "categorical naive Bayes": 20}
	for name, g := range generated(t, 120, 9) {
		s, dens := sharesOf(g.m), must(g.m.LogDensities(g.x))(t)
		var want float64
		for i, k := range labels {
			want += dens.At(i, k) + math.Log(s.Priors[k])
		}
		within(t, s.LogLikelihood, want, 1e-12*math.Abs(want), "%s: LogLikelihood", name)
		free := cmp.Or(dof[name], 11) // exponential families of one parameter: 9 means, 2 priors
		errorIf(t, g.m.DegreesOfFreedom() != free, "%s: %d degrees of freedom, want %d", name, g.m.DegreesOfFreedom(), free)
		within(t, s.AIC(), -2*s.LogLikelihood+2*float64(free), 0, "%s: AIC", name)
		within(t, s.BIC(), s.AIC()+float64(free)*(math.Log(120)-2), 1e-9, "%s: BIC", name)
	}
	// PRML 4.3.2 and Gambosi's slides, K = 2: M(M+5)/2+1 and d(d+3)+1.
	x, two := clouds(80, 4, 2, 1)
	for i, want := range []int{4*9/2 + 1, 4*7 + 1} {
		n := must(generativeFits[i].fit(x, two, 2, nil, false))(t).DegreesOfFreedom()
		errorIf(t, n != want, "%s: %d degrees of freedom, want %d", generativeFits[i].name, n, want)
	}
	n := must(classify.FitQDA(x, two, 2, classify.QDAOptions{UniformPriors: true}))(t).DegreesOfFreedom()
	errorIf(t, n != 4*7, "QDA, uniform: %d", n)
}

// TestGaussianDensities: LDA, QDA and naive Bayes against gonum's normal density;
// the two-class form and the quadratic form.
func TestGaussianDensities(t *testing.T) {
	iris := datasets.Iris()
	lda := must(classify.FitLDA(iris.X, iris.Labels, 3, classify.LDAOptions{}))(t)
	qda := must(classify.FitQDA(iris.X, iris.Labels, 3, classify.QDAOptions{}))(t)
	nb := must(classify.FitNaiveBayesGaussian(iris.X, iris.Labels, 3, classify.NaiveBayesGaussianOptions{}))(t)
	scores := must(qda.Scores(iris.X))(t)
	for k := range 3 {
		diag := mat.NewSymDense(4, nil)
		for j := range 4 {
			diag.SetSym(j, j, qda.Sigma[k].At(j, j)) // the same variances: naive Bayes is QDA's diagonal
		}
		for name, c := range map[string]struct {
			m     classify.Generative
			sigma *mat.SymDense
		}{"LDA": {lda, lda.Sigma}, "QDA": {qda, qda.Sigma[k]}, "naive Bayes": {nb, diag}} {
			norm, _ := distmv.NewNormal(lda.Means.RawRowView(k), c.sigma, nil)
			got := must(c.m.LogDensities(iris.X))(t)
			for i := range 150 {
				nearly(t, name, []float64{got.At(i, k)}, []float64{norm.LogProb(iris.X.RawRowView(i))}, 1e-10)
			}
		}
		a, b, c, err := qda.Quadratic(k)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 150 {
			x := iris.X.RowView(i)
			within(t, mat.Inner(x, a, x)+mat.Dot(mat.NewVecDense(4, b), x)+c, scores.At(i, k), 1e-9, "quadratic form, row %d", i)
		}
	}
	two := must(iris.Class("versicolor", "virginica"))(t)
	m := must(classify.FitLDA(two.X, two.Labels, 2, classify.LDAOptions{Priors: []float64{0.3, 0.7}}))(t)
	w := &classify.Logistic{Estimate: classify.Estimate{W: must(m.TwoClass())(t)}}
	near(t, "posterior of the two-class form", must(m.Posterior(two.X))(t), must(w.Posterior(two.X))(t), 1e-11)
	mentions(t, of(lda.TwoClass()), "3 classes")
	mentions(t, of3(qda.Quadratic(3)), "0…2")
}

// TestUnbiased: N/(N−K) times Σ, N_k/(N_k−1) times Σ_k and the variances.
func TestUnbiased(t *testing.T) {
	x, labels := clouds(60, 3, 3, 2)
	m := must(classify.FitLDA(x, labels, 3, classify.LDAOptions{}))(t)
	u := must(classify.FitLDA(x, labels, 3, classify.LDAOptions{Unbiased: true}))(t)
	var want mat.SymDense
	want.ScaleSym(60.0/57, m.Sigma)
	near(t, "Σ", u.Sigma, &want, 1e-14)
	q, uq := must(classify.FitQDA(x, labels, 3, classify.QDAOptions{}))(t), must(classify.FitQDA(x, labels, 3, classify.QDAOptions{Unbiased: true}))(t)
	want.ScaleSym(20.0/19, q.Sigma[1])
	near(t, "Σ_k", uq.Sigma[1], &want, 1e-14)
	nb := must(classify.FitNaiveBayesGaussian(x, labels, 3, classify.NaiveBayesGaussianOptions{Unbiased: true}))(t)
	within(t, nb.Variance.At(1, 2), want.At(2, 2), 1e-14, "variance")
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
	fmt.Printf("%d of %d wrong, ln p(X,t) = %.3f with %d parameters\n", wrong, d.N(), m.LogLikelihood, m.DegreesOfFreedom())
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
	m := toolkit.Must(classify.FitNaiveBayesBernoulli(x, []int{0, 0, 1, 1}, 2, classify.NaiveBayesBernoulliOptions{Smoothing: 1}))
	fmt.Println(mat.Row(nil, 0, m.Mu), mat.Row(nil, 1, m.Mu))
	// Output: [0.75 0.5] [0.25 0.5]
}

func ExampleFitNaiveBayesCategorical() {
	// One feature with the values 0, 1 and 2; the class 0 has never shown 2.
	x := mat.NewDense(5, 1, []float64{0, 0, 1, 2, 1})
	m := toolkit.Must(classify.FitNaiveBayesCategorical(x, []int{3}, []int{0, 0, 0, 1, 1}, 2, classify.NaiveBayesCategoricalOptions{}))
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
	// Waiting times: two classes with exponential densities of mean 1 and 4.
	x := mat.NewDense(4, 1, []float64{0.5, 1.5, 2, 6})
	m := toolkit.Must(classify.FitExponentialFamily(x, []int{0, 0, 1, 1}, 2, classify.ExponentialFamilyOptions{Density: classify.DensityExponential}))
	// a₁ − a₂ is linear in x; it is 0 at ln 4 / (1 − 1/4).
	fmt.Printf("%.4f %+.4f·x\n", m.W.At(0, 0)-m.W.At(0, 1), m.W.At(1, 0)-m.W.At(1, 1))
	// Output: 1.3863 -0.7500·x
}

package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// generated fits one of each generative model to data in its domain.
func generated(t *testing.T, n int, seed uint64) map[string]struct {
	m classify.Generative
	x mat.Matrix
} {
	t.Helper()
	x, labels := clouds(n, 3, 3, seed)
	out := map[string]struct {
		m classify.Generative
		x mat.Matrix
	}{}
	add := func(name string, m classify.Generative, x mat.Matrix) {
		out[name] = struct {
			m classify.Generative
			x mat.Matrix
		}{m, x}
	}
	add("LDA", must(classify.FitLDA(x, labels, 3, classify.LDAOptions{}))(t), x)
	add("QDA", must(classify.FitQDA(x, labels, 3, classify.QDAOptions{}))(t), x)
	add("Gaussian naive Bayes", must(classify.FitNaiveBayesGaussian(x, labels, 3, classify.NaiveBayesGaussianOptions{}))(t), x)
	for kind, name := range mappedNames {
		m := must(fitMapped(kind)(x, labels, 3))(t).(*mapped)
		add(name, m.Model, m.input(x))
	}
	return out
}

// TestGenerativeBayes: the posterior, the marginal and the class are those of
// Bayes' theorem from densities and priors, and the scores give the posterior.
func TestGenerativeBayes(t *testing.T) {
	for name, g := range generated(t, 120, 9) {
		t.Run(name, func(t *testing.T) {
			dens, post := must(g.m.LogDensities(g.x))(t), must(g.m.Posterior(g.x))(t)
			logPost, marginal := must(g.m.LogPosterior(g.x))(t), must(g.m.LogMarginal(g.x))(t)
			scores := must(g.m.Scores(g.x))(t)
			priors := priorsOf(g.m)
			for i := range marginal {
				var sum float64
				for k, p := range priors {
					sum += p * math.Exp(dens.At(i, k))
				}
				if e := math.Abs(math.Log(sum) - marginal[i]); e > 1e-12*(1+math.Abs(marginal[i])) {
					t.Fatalf("row %d: ln p(x) %v, by its definition %v", i, marginal[i], math.Log(sum))
				}
				soft := kernels.Softmax(nil, scores.RawRowView(i))
				for k, p := range priors {
					want := p * math.Exp(dens.At(i, k)) / sum
					if math.Abs(post.At(i, k)-want) > 1e-12 || math.Abs(soft[k]-want) > 1e-12 {
						t.Fatalf("row %d: posterior %v, from scores %v, by Bayes %v", i, post.At(i, k), soft[k], want)
					}
					if math.Abs(logPost.At(i, k)-math.Log(post.At(i, k))) > 1e-12*(1+math.Abs(logPost.At(i, k))) {
						t.Fatalf("row %d: log posterior %v of %v", i, logPost.At(i, k), post.At(i, k))
					}
				}
			}
		})
	}
}

func priorsOf(m classify.Generative) []float64 { return sharesOf(m).Priors }

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
	dof := map[string]int{"LDA": 17, "QDA": 29, "Gaussian naive Bayes": 20, "Bernoulli naive Bayes": 11, "categorical naive Bayes": 20}
	for name, g := range generated(t, 120, 9) {
		s := sharesOf(g.m)
		dens := must(g.m.LogDensities(g.x))(t)
		var want float64
		for i, k := range labels {
			want += dens.At(i, k) + math.Log(s.Priors[k])
		}
		if math.Abs(s.LogLikelihood-want) > 1e-12*math.Abs(want) {
			t.Errorf("%s: LogLikelihood %v, summed %v", name, s.LogLikelihood, want)
		}
		free, ok := dof[name]
		if !ok {
			free = 11 // exponential families of one parameter: 9 means, 2 priors
		}
		if g.m.DegreesOfFreedom() != free {
			t.Errorf("%s: %d degrees of freedom, want %d", name, g.m.DegreesOfFreedom(), free)
		}
		if a, b := s.AIC(), s.BIC(); a != -2*s.LogLikelihood+2*float64(free) || math.Abs(b-a-float64(free)*(math.Log(120)-2)) > 1e-9 {
			t.Errorf("%s: AIC %v, BIC %v", name, a, b)
		}
	}
	// PRML 4.3.2 and Gambosi's slides, K = 2: M(M+5)/2+1 and d(d+3)+1.
	x, two := clouds(80, 4, 2, 1)
	if n := must(classify.FitLDA(x, two, 2, classify.LDAOptions{}))(t).DegreesOfFreedom(); n != 4*9/2+1 {
		t.Errorf("LDA: %d", n)
	}
	if n := must(classify.FitQDA(x, two, 2, classify.QDAOptions{}))(t).DegreesOfFreedom(); n != 4*7+1 {
		t.Errorf("QDA: %d", n)
	}
	if n := must(classify.FitQDA(x, two, 2, classify.QDAOptions{UniformPriors: true}))(t).DegreesOfFreedom(); n != 4*7 {
		t.Errorf("QDA, uniform: %d", n)
	}
}

// TestGaussianDensities: LDA, QDA and naive Bayes against gonum's normal density;
// the weights (4.69), (4.70), the two-class form and the quadratic form.
func TestGaussianDensities(t *testing.T) {
	iris := datasets.Iris()
	lda := must(classify.FitLDA(iris.X, iris.Labels, 3, classify.LDAOptions{}))(t)
	qda := must(classify.FitQDA(iris.X, iris.Labels, 3, classify.QDAOptions{}))(t)
	nb := must(classify.FitNaiveBayesGaussian(iris.X, iris.Labels, 3, classify.NaiveBayesGaussianOptions{}))(t)
	for k := range 3 {
		diag := mat.NewSymDense(4, nil)
		for j := range 4 {
			diag.SetSym(j, j, qda.Sigma[k].At(j, j)) // the same variances: naive Bayes is QDA's diagonal
		}
		for name, c := range map[string]struct {
			m     classify.Generative
			sigma *mat.SymDense
		}{"LDA": {lda, lda.Sigma}, "QDA": {qda, qda.Sigma[k]}, "naive Bayes": {nb, diag}} {
			norm, ok := distmv.NewNormal(lda.Means.RawRowView(k), c.sigma, nil)
			if !ok {
				t.Fatal("not positive definite")
			}
			got := must(c.m.LogDensities(iris.X))(t)
			for i := range 150 {
				if want := norm.LogProb(iris.X.RawRowView(i)); math.Abs(got.At(i, k)-want) > 1e-10*math.Abs(want) {
					t.Fatalf("%s: row %d, class %d: %v, want %v", name, i, k, got.At(i, k), want)
				}
			}
		}
		a, b, c, err := qda.Quadratic(k)
		if err != nil {
			t.Fatal(err)
		}
		scores := must(qda.Scores(iris.X))(t)
		for i := range 150 {
			x := iris.X.RowView(i)
			if got := mat.Inner(x, a, x) + mat.Dot(mat.NewVecDense(4, b), x) + c; math.Abs(got-scores.At(i, k)) > 1e-9 {
				t.Fatalf("quadratic form %v, score %v", got, scores.At(i, k))
			}
		}
	}
	scores := must(lda.Scores(iris.X))(t)
	for i := range 150 {
		for k := range 3 {
			a := lda.W.At(0, k)
			for j := range 4 {
				a += lda.W.At(j+1, k) * iris.X.At(i, j)
			}
			if math.Abs(a-scores.At(i, k)) > 1e-9 {
				t.Fatalf("w_kᵀx + w_k0 = %v, score %v", a, scores.At(i, k))
			}
		}
	}
	two := must(iris.Class("versicolor", "virginica"))(t)
	m := must(classify.FitLDA(two.X, two.Labels, 2, classify.LDAOptions{Priors: []float64{0.3, 0.7}}))(t)
	w, post := must(m.TwoClass())(t), must(m.Posterior(two.X))(t)
	for i := range 100 {
		a := w[0]
		for j, v := range two.X.RawRowView(i) {
			a += w[j+1] * v
		}
		if y := kernels.Sigmoid(a); math.Abs(y-post.At(i, 0)) > 1e-11 {
			t.Fatalf("σ(a) = %v, posterior %v", y, post.At(i, 0))
		}
	}
	_, err := lda.TwoClass()
	mentions(t, err, "3 classes")
	_, _, _, err = qda.Quadratic(3)
	mentions(t, err, "0…2")
}

// TestGaussianMaximum: the fit is a maximum of the joint likelihood: moving means
// or covariance lowers Σ ln N(x|μ,Σ) (a twin that shares no code with the fit).
func TestGaussianMaximum(t *testing.T) {
	x, labels := clouds(60, 3, 3, 2)
	m := must(classify.FitLDA(x, labels, 3, classify.LDAOptions{}))(t)
	at := func(means *mat.Dense, sigma *mat.SymDense) (l float64) {
		for k := range 3 {
			norm, ok := distmv.NewNormal(means.RawRowView(k), sigma, nil)
			if !ok {
				return math.Inf(-1)
			}
			for i, c := range labels {
				if c == k {
					l += norm.LogProb(x.RawRowView(i)) + math.Log(m.Priors[k])
				}
			}
		}
		return l
	}
	best := at(m.Means, m.Sigma)
	if math.Abs(best-m.LogLikelihood) > 1e-10 {
		t.Errorf("LogLikelihood %v, twin %v", m.LogLikelihood, best)
	}
	rng := rand.New(rand.NewPCG(2, 2))
	for range 50 {
		means, sigma := mat.DenseCopyOf(m.Means), mat.NewSymDense(3, nil)
		sigma.CopySym(m.Sigma)
		means.Set(rng.IntN(3), rng.IntN(3), means.At(0, 0)+0.05*rng.NormFloat64())
		i, j := rng.IntN(3), rng.IntN(3)
		sigma.SetSym(i, j, sigma.At(i, j)+0.05*rng.NormFloat64())
		if l := at(means, sigma); l >= best {
			t.Errorf("%v beats the maximum %v", l, best)
		}
	}
	// Unbiased: N/(N−K) times Σ, N_k/(N_k−1) times Σ_k.
	u := must(classify.FitLDA(x, labels, 3, classify.LDAOptions{Unbiased: true}))(t)
	var want mat.SymDense
	want.ScaleSym(60.0/57, m.Sigma)
	near(t, "Σ", u.Sigma, &want, 1e-14)
	q, uq := must(classify.FitQDA(x, labels, 3, classify.QDAOptions{}))(t), must(classify.FitQDA(x, labels, 3, classify.QDAOptions{Unbiased: true}))(t)
	want.ScaleSym(20.0/19, q.Sigma[1])
	near(t, "Σ_k", uq.Sigma[1], &want, 1e-14)
	nb := must(classify.FitNaiveBayesGaussian(x, labels, 3, classify.NaiveBayesGaussianOptions{Unbiased: true}))(t)
	if math.Abs(nb.Variance.At(1, 2)-want.At(2, 2)) > 1e-14 {
		t.Errorf("variance %v, want %v", nb.Variance.At(1, 2), want.At(2, 2))
	}
}

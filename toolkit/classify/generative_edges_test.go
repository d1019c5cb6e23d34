package classify_test

import (
	"math"
	"testing"

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
		return generativeOf(classify.FitNaiveBayesBernoulli(x, labels, k, classify.NaiveBayesOptions{Priors: p, UniformPriors: u}))
	}},
	{"NaiveBayesCategorical", func(x mat.Matrix, labels []int, k int, p []float64, u bool) (classify.Generative, error) {
		return generativeOf(classify.FitNaiveBayesCategorical(x, []int{2, 3}, labels, k, classify.NaiveBayesOptions{Priors: p, UniformPriors: u}))
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
				if p := priorsOf(m); p[0] != 0.5 || p[1] != 0 || p[2] != 0.5 {
					t.Errorf("priors %v", p)
				}
				post, dens := must(m.Posterior(x))(t), must(m.LogDensities(x))(t)
				for i := range 10 {
					if post.At(i, 1) != 0 || !math.IsInf(dens.At(i, 1), -1) || math.Abs(post.At(i, 0)+post.At(i, 2)-1) > 1e-15 {
						t.Fatalf("row %d: posterior %v, log densities %v", i, post.RawRowView(i), dens.RawRowView(i))
					}
				}
				finite(t, "marginal", must(m.LogMarginal(x))(t)...)
				finite(t, "likelihood", sharesOf(m).LogLikelihood)
				for _, v := range weightsOf(m) {
					if math.IsNaN(v) {
						t.Errorf("weights %v", weightsOf(m))
					}
				}
				_, drawn, err := m.Sample(200, 1)
				if err != nil {
					t.Fatal(err)
				}
				for _, k := range drawn {
					if k == 1 {
						t.Fatal("the empty class was drawn")
					}
				}
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
				_, err := f.fit(x, labels, 3, c.p, c.u)
				mentions(t, err, "classify: Fit"+f.name, c.want)
			}
			m := must(f.fit(x, labels, 3, []float64{1, 0, 0}, false))(t)
			if c := must(m.Predict(x))(t); c[9] != 0 {
				t.Errorf("class %d with prior 1 for class 0", c[9])
			}
			if !math.IsInf(sharesOf(m).LogLikelihood, -1) {
				t.Errorf("likelihood %v of rows with prior 0", sharesOf(m).LogLikelihood)
			}
			zero := emptyOf(m).(classify.Generative)
			_, err := zero.Predict(x)
			mentions(t, err, f.name, "Fit function")
			_, _, err = zero.Sample(1, 1)
			mentions(t, err, f.name, "Fit function")
			_, err = f.fit(x.Slice(0, 1, 0, 2), []int{0}, 3, nil, false)
			mentions(t, err, "class", "1 labels")
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
			if _, err := classify.FitLDA(c.x, c.l, 2, classify.LDAOptions{}); c.lda != nil {
				mentions(t, err, c.lda...)
			} else if err != nil {
				t.Error(err)
			}
			_, err := classify.FitQDA(c.x, c.l, 2, classify.QDAOptions{})
			mentions(t, err, c.qda...)
			l := must(classify.FitLDA(c.x, c.l, 2, classify.LDAOptions{Shrinkage: 0.2}))(t)
			q := must(classify.FitQDA(c.x, c.l, 2, classify.QDAOptions{Shrinkage: 0.2}))(t)
			must(l.Predict(c.x))(t)
			must(q.Predict(c.x))(t)
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
	for _, s := range []float64{-0.1, 1.1, math.NaN()} {
		_, err := classify.FitLDA(x, labels, 2, classify.LDAOptions{Shrinkage: s})
		mentions(t, err, "Shrinkage", "[0,1]")
	}
	_, err := classify.FitLDA(mat.NewDense(2, 1, []float64{1, 2}), []int{0, 1}, 2, classify.LDAOptions{Unbiased: true})
	mentions(t, err, "N − K = 0")
	_, err = classify.FitQDA(mat.NewDense(3, 1, []float64{1, 2, 4}), []int{0, 1, 1}, 2, classify.QDAOptions{Shrinkage: 0.5, Unbiased: true})
	mentions(t, err, "class 0", "one point")
	_, err = classify.FitNaiveBayesGaussian(constant, labels, 2, classify.NaiveBayesGaussianOptions{})
	mentions(t, err, "column 1", "class 1", "Smoothing")
	must(classify.FitNaiveBayesGaussian(constant, labels, 2, classify.NaiveBayesGaussianOptions{Smoothing: 1e-9}))(t)
	constant.Apply(func(_, j int, v float64) float64 { return v * float64(j) }, constant)
	_, err = classify.FitNaiveBayesGaussian(constant, labels, 2, classify.NaiveBayesGaussianOptions{Smoothing: 1e-9})
	mentions(t, err, "column 0", "constant over all rows")
	_, err = classify.FitNaiveBayesGaussian(constant, labels, 2, classify.NaiveBayesGaussianOptions{Smoothing: -1})
	mentions(t, err, "Smoothing", "-1")
}

// TestGaussianTails: offsets, units from 1e-150 to 1e150, activations beyond ±800
// and inputs where every density underflows keep posteriors that are right.
func TestGaussianTails(t *testing.T) {
	x, labels := dyadic(90, 3, 3, 0)
	far, _ := dyadic(90, 3, 3, 1e9)
	type fit func(x mat.Matrix) (classify.Generative, error)
	for name, f := range map[string]fit{
		"LDA": func(x mat.Matrix) (classify.Generative, error) {
			return generativeOf(classify.FitLDA(x, labels, 3, classify.LDAOptions{}))
		},
		"QDA": func(x mat.Matrix) (classify.Generative, error) {
			return generativeOf(classify.FitQDA(x, labels, 3, classify.QDAOptions{}))
		},
		"naive Bayes": func(x mat.Matrix) (classify.Generative, error) {
			return generativeOf(classify.FitNaiveBayesGaussian(x, labels, 3, classify.NaiveBayesGaussianOptions{}))
		},
	} {
		m := must(f(x))(t)
		want := must(m.Posterior(x))(t)
		near(t, name+" at an offset", must(must(f(far))(t).Posterior(far))(t), want, 1e-6) // x itself has 2⁻²⁰·2⁻³ left
		for _, u := range []float64{0x1p-498, 0x1p498} {
			y := mat.DenseCopyOf(x)
			y.Scale(u, y)
			near(t, name+" in other units", must(must(f(y))(t).Posterior(y))(t), want, 1e-12)
		}
		point := mat.NewDense(2, 3, []float64{60, -50, 40, -900, 800, 700})
		post, logPost := must(m.Posterior(point))(t), must(m.LogPosterior(point))(t)
		for i := range 2 {
			var sum float64
			for k := range 3 {
				sum += post.At(i, k)
			}
			if math.Abs(sum-1) > 1e-15 || mat.Min(logPost.RowView(i)) > -30 {
				t.Errorf("%s: row %d: posterior %v, logs %v", name, i, post.RawRowView(i), logPost.RawRowView(i))
			}
			finite(t, name, logPost.RawRowView(i)...)
		}
		// At 1e200 squares overflow in QDA and naive Bayes: an error, no NaN.
		huge := mat.NewDense(1, 3, []float64{1e200, 1e200, -1e200})
		if p, err := m.Posterior(huge); err == nil {
			finite(t, name, p.RawRowView(0)...)
		} else {
			mentions(t, err, "row 0")
		}
	}
}

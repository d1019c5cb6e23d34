package classify_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestMessagesTellTheTruth: the explanation of an error is that of the option and
// the data it is about.
func TestMessagesTellTheTruth(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{1, 1, 2, 2, 3, 4, 4, 3, 5, 5, 6, 9})
	labels := []int{0, 0, 0, 1, 1, 1}
	fill := mat.DenseCopyOf(x)
	fill.Set(5, 1, 1e200)
	fit := func(x mat.Matrix, labels []int) (classify.Predictor, error) {
		return classify.FitLDA(x, labels, 2, classify.LDAOptions{})
	}
	for _, c := range []struct {
		name string
		err  error
		want []string
		not  []string
	}{
		{"a huge entry in another class", of(classify.FitNaiveBayesGaussian(fill, labels, 2, classify.NaiveBayesGaussianOptions{})),
			[]string{"column 1", "1e+200", "class 0", "fill value"}, []string{"constant"}},
		{"a column that is constant", of(classify.FitNaiveBayesGaussian(mat.NewDense(4, 1, []float64{7, 7, 1, 2}), []int{0, 0, 1, 1}, 2, classify.NaiveBayesGaussianOptions{})),
			[]string{"column 0", "constant in the 2 row(s) of class 0"}, nil},
		{"Smoothing of a variance", of(classify.FitNaiveBayesGaussian(x, labels, 2, classify.NaiveBayesGaussianOptions{Smoothing: -1})),
			[]string{"Smoothing is -1", "share of each column's variance"}, []string{"Laplace"}},
		{"Shrinkage of QDA", of(classify.FitQDA(x, labels, 2, classify.QDAOptions{Shrinkage: -1})),
			[]string{"Shrinkage is -1", "[0,1]"}, []string{"FitLDA"}},
		{"HeldOut NaN", of(classify.EvaluateHeldOut(x, labels, 2, fit, classify.EvaluateOptions{HeldOut: math.NaN()})),
			[]string{"HeldOut NaN", "between 0 and 1"}, []string{"keeps"}},
		{"HeldOut too small", of(classify.EvaluateHeldOut(x, labels, 2, fit, classify.EvaluateOptions{HeldOut: 0.01})),
			[]string{"HeldOut 0.01 of 6 rows keeps 0 out"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			mentions(t, c.err, c.want...)
			for _, w := range c.not {
				if c.err != nil && strings.Contains(c.err.Error(), w) {
					t.Errorf("error %q mentions %q", c.err, w)
				}
			}
		})
	}
}

// TestLabelFlipOfEqualRows: ε and w have one likelihood when all rows are the same.
func TestLabelFlipOfEqualRows(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{3, 3, 3, 3})
	for _, y := range [][]float64{{0, 1, 0, 1}, {0, 1, 1, 1}} {
		for _, p := range []classify.Prior{nil, classify.Isotropic{Alpha: 1}} {
			m := must(classify.FitLabelFlip(x, y, classify.LabelFlipOptions{Estimate: true, Prior: p}))(t)
			if !strings.Contains(m.Reason, "all rows of x are the same") || strings.Contains(m.Reason, "Inf") {
				t.Errorf("reason %q", m.Reason)
			}
		}
		m := must(classify.FitLabelFlip(x, y, classify.LabelFlipOptions{Epsilon: 0.1}))(t)
		if !m.Converged || strings.Contains(m.Reason, "the same") {
			t.Errorf("with ε given: %q", m.Reason)
		}
	}
}

// TestHessianOf: the Hessian of an objective is what its comment says, the second
// derivative where E is convex and elsewhere a matrix without negative directions.
func TestHessianOf(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{-2, -1, 1, 2}), []float64{1, 0, 0, 1}
	w := []float64{0.3, 2.5}
	for _, c := range []struct {
		name  string
		o     *classify.Objective
		exact bool
	}{
		{"logistic", must(classify.LogisticObjective(x, y, nil))(t), true},
		{"probit", must(classify.ProbitObjective(x, y, nil))(t), true},
		{"Poisson", must(classify.GLMObjective(x, y, classify.PoissonTarget{}, nil))(t), true},
		{"label flip", must(classify.LabelFlipObjective(x, y, 0.1, nil))(t), false},
		{"sigmoid", must(classify.SigmoidObjective(x, y, nil))(t), false},
	} {
		h := must(c.o.Hessian(w))(t)
		var miss float64
		for j := range 2 {
			at := func(d float64) []float64 {
				v := []float64{w[0], w[1]}
				v[j] += d
				return must(c.o.Gradient(v))(t)
			}
			up, down := at(1e-5), at(-1e-5)
			for i := range 2 {
				miss = math.Max(miss, math.Abs((up[i]-down[i])/2e-5-h.At(i, j)))
			}
		}
		if exact := miss < 1e-6; exact != c.exact {
			t.Errorf("%s: the Hessian differs from the second derivatives by %g", c.name, miss)
		}
		var e mat.EigenSym
		if !e.Factorize(h, false) || e.Values(nil)[0] < -1e-12 {
			t.Errorf("%s: eigenvalues %v", c.name, e.Values(nil))
		}
	}
}

// TestHugeDraws: more draws than memory holds are an error at once.
func TestHugeDraws(t *testing.T) {
	const huge = math.MaxInt / 2
	x, y, labels := mat.NewDense(6, 1, []float64{0, 1, 2, 3, 4, 5}), []float64{0, 1, 0, 1, 0, 1}, []int{0, 1, 0, 1, 0, 1}
	iso := classify.Isotropic{Alpha: 1}
	bayes := must(classify.FitBayesLogistic(x, y, classify.BayesLogisticOptions{Prior: iso}))(t)
	variational := must(classify.FitVariationalLogistic(x, y, classify.VariationalLogisticOptions{Prior: iso}))(t)
	lda := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t)
	laplace := must(classify.Laplace1D(func(z float64) float64 { return -z * z }, classify.Laplace1DOptions{}))(t)
	_, _, sample := lda.Sample(huge, 1)
	for name, err := range map[string]error{
		"LDA.Sample":                        sample,
		"BayesLogistic.SampleWeights":       of(bayes.SampleWeights(huge, 1)),
		"VariationalLogistic.SampleWeights": of(variational.SampleWeights(huge, 1)),
		"LaplaceFit1D.Sample":               of(laplace.Sample(huge, 1)),
		"FitBayesSoftmax":                   of(classify.FitBayesSoftmax(x, labels, 2, classify.BayesSoftmaxOptions{Prior: iso, Draws: huge - 1})),
		"SampleLogistic, Draws":             of(classify.SampleLogistic(x, y, classify.SampleLogisticOptions{Prior: iso, Draws: huge})),
		"SampleLogistic, Chains":            of(classify.SampleLogistic(x, y, classify.SampleLogisticOptions{Prior: iso, Chains: huge})),
	} {
		t.Run(name, func(t *testing.T) { mentions(t, err, "GB", "classify: ") })
	}
}

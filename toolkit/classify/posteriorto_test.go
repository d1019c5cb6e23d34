package classify_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// checkPosteriors checks PosteriorTo for a model that has posteriors. The posteriors in the destination
// must equal the result of one call of Posterior with all rows, and the results of calls with a single
// row each. The destination may be a part of a larger matrix. Invalid arguments must lead to errors.
func checkPosteriors(t *testing.T, f *fittedModel) {
	m, ok := classify.ProberOf(f.m)
	if !ok {
		return
	}
	n, d := f.x.Dims()
	want := must(m.Posterior(f.x))(t)
	_, k := want.Dims()
	large := mat.NewDense(n+2, k+3, nil)
	for name, dst := range map[string]*mat.Dense{"a matrix": mat.NewDense(n, k, nil),
		"a part of a larger matrix": large.Slice(1, n+1, 2, k+2).(*mat.Dense)} {
		if err := classify.PosteriorTo(dst, m, f.x); err != nil || !mat.Equal(dst, want) {
			t.Errorf("with %s as destination: got error %v, want no error and the numbers that Posterior returns", name, err)
		}
	}
	errorIf(t, large.At(0, 2) != 0 || large.At(1, 1) != 0 || large.At(1, k+2) != 0,
		"numbers outside the destination have changed, want no change")
	for i := range n {
		if one := must(m.Posterior(f.x.Slice(i, i+1, 0, d)))(t); !mat.Equal(one, want.Slice(i, i+1, 0, k)) {
			t.Fatalf("the posteriors of row %d change if the row is predicted alone, want no change", i)
		}
	}
	bad := mat.DenseCopyOf(f.x)
	bad.Set(n-1, 1, math.Inf(1))
	bad.Set(7, 2, math.NaN())
	for _, c := range []struct {
		dst   *mat.Dense
		x     mat.Matrix
		wants []string
	}{
		{nil, f.x, []string{"dst is nil"}},
		{mat.NewDense(n, k+1, nil), f.x, []string{"dst is", fmt.Sprintf("need a %d×%d matrix", n, k)}},
		{mat.NewDense(n-1, k, nil), f.x, []string{fmt.Sprintf("dst is %d×%d", n-1, k)}},
		{mat.NewDense(n, k, nil), bad, []string{"row 7, column 2 is NaN"}},
		{mat.NewDense(n, k, nil), nil, []string{"x is nil"}},
		{mat.NewDense(n, k, nil), f.x.Slice(0, n, 0, d-1), []string{fmt.Sprintf("x is %d×%d", n, d-1)}},
	} {
		errorHas(t, classify.PosteriorTo(c.dst, m, c.x), c.wants...)
	}
}

// TestPosteriorToNil checks that PosteriorTo returns an error for a nil model and for a model
// without a fit.
func TestPosteriorToNil(t *testing.T) {
	x, dst := mat.NewDense(1, 1, nil), mat.NewDense(1, 2, nil)
	for _, m := range []classify.Prober{nil, (*classify.Logistic)(nil), &classify.Logistic{}, &classify.Softmax{},
		(*classify.LDA)(nil), &classify.QDA{}, &classify.NaiveBayesBernoulli{}} {
		if err := classify.PosteriorTo(dst, m, x); err == nil {
			t.Errorf("%#v has no fit, but PosteriorTo returned no error", m)
		}
	}
}

// TestSoftmaxOverflow uses activations that are equal, or differ by at least 1e200, or are infinite. The
// classes that share the largest activation must have equal probabilities, and all other classes must
// have probability 0. A NaN activation must be an error.
func TestSoftmaxOverflow(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{1e200, -1e200, 0, 1})
	for _, c := range []struct {
		name string
		w    *mat.Dense
		want []float64
	}{
		{"two equal classes", mat.NewDense(2, 2, []float64{0, 0, 1e200, 1e200}),
			[]float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}},
		{"one of two classes", mat.NewDense(2, 2, []float64{0, 0, 1e200, 0}), []float64{1, 0, 0, 1, 0.5, 0.5, 1, 0}},
		{"two of three classes", mat.NewDense(2, 3, []float64{0, 0, 0, 1e200, 1e200, 0}),
			[]float64{0.5, 0.5, 0, 0, 0, 1, 1. / 3, 1. / 3, 1. / 3, 0.5, 0.5, 0}},
	} {
		if p := must((&classify.Softmax{W: c.w}).Posterior(x))(t); !mat.Equal(p, mat.NewDense(4, len(c.want)/4, c.want)) {
			t.Errorf("%s: Posterior returns\n%v\nwant equal probabilities for the classes with the largest activation, and 0 for other classes", c.name, mat.Formatted(p))
		}
	}
	_, err := (&classify.Softmax{W: mat.NewDense(3, 2, []float64{0, 0, 1e200, 1, -1e200, 1})}).Posterior(mat.NewDense(2,
		2, []float64{0, 0, 1e200, 1e200}))
	errorHas(t, err, "the activation of row 1 is not a number")
}

// TestPosteriorToMemory checks the memory of predictions. PosteriorTo must not allocate a matrix or
// any other memory that grows with the number of rows, except for the model "Bayes", which cannot write
// to a given matrix. Posterior must allocate little more than its result.
func TestPosteriorToMemory(t *testing.T) {
	const n = 100_000
	x, target := twoClouds(n, 3, 0)
	labels, dst := sidesOf(target), mat.NewDense(n, 2, nil)
	for name, m := range map[string]classify.Prober{
		"logistic":    must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t),
		"probit":      must(classify.FitProbit(x, target, classify.ProbitOptions{}))(t),
		"softmax":     must(classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{}))(t),
		"LDA":         must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t),
		"QDA":         must(classify.FitQDA(x, labels, 2, classify.QDAOptions{}))(t),
		"naive Bayes": must(classify.FitNaiveBayesGaussian(x, labels, 2, classify.NaiveBayesGaussianOptions{}))(t),
		"Bayes":       must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: isotropic}))(t),
	} {
		size := allocated(t, func() error { return classify.PosteriorTo(dst, m, x) })
		errorIf(t, size > 4*n && name != "Bayes", "%s: PosteriorTo allocated %d bytes for 100000 rows, want at most 4 per row", name, size)
		size = allocated(t, func() error { return errorOf(m.Posterior(x)) })
		errorIf(t, size > 3*8*n, "%s: Posterior allocated %d bytes for 100000 rows, want at most 24 per row", name, size)
	}
}

// TestPosteriorOverflow checks that an infinite activation is allowed, but a NaN activation is an
// error.
func TestPosteriorOverflow(t *testing.T) {
	m := &classify.Logistic{Estimate: classify.Estimate{W: []float64{0, 1e200, 1e200}}}
	x := mat.NewDense(3, 2, []float64{1, 1, -1e200, 0, 1e200, -1e200})
	p := must(m.Posterior(x.Slice(0, 2, 0, 2)))(t)
	errorIf(t, p.At(0, 0) != 1 || p.At(0, 1) != 0 || p.At(1, 0) != 0 || p.At(1, 1) != 1, "got the posteriors\n%v\nwant (1, 0) and (0, 1)", mat.Formatted(p))
	_, err := m.Posterior(x)
	errorHas(t, err, "the activation of row 2 is not a number")
	_, err = m.Predict(x)
	errorHas(t, err, "the activation of row 2 is not a number")
}

// Write the posteriors of many batches to the same matrix.
func ExamplePosteriorTo() {
	iris := toolkit.Must(datasets.Iris().Columns("petal_length", "petal_width"))
	m := toolkit.Must(classify.FitLDA(iris.X, iris.Labels, 3, classify.LDAOptions{}))
	p := mat.NewDense(50, 3, nil)
	for first := 0; first < 150; first += 50 {
		if err := classify.PosteriorTo(p, m, iris.X.Slice(first, first+50, 0, 2)); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("row %d: %.4f\n", first, p.RawRowView(0))
	}
	// Output:
	// row 0: [1.0000 0.0000 0.0000]
	// row 50: [0.0000 0.9878 0.0122]
	// row 100: [0.0000 0.0000 1.0000]
}

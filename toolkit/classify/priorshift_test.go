package classify_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestShiftPriorsIsARefit checks that a generative model with shifted priors equals a fit with
// these priors. The original model must not change.
func TestShiftPriorsIsARefit(t *testing.T) {
	x, labels := clouds(90, 2, 3, 1018)
	x.Apply(func(_, _ int, v float64) float64 { return truth(v > 0) }, x)
	to := []float64{0.7, 0.1, 0.2}
	for _, f := range generativeFits {
		m := must(f.fit(x, labels, 3, nil, false))(t)
		before := must(m.Posterior(x))(t)
		refit, shifted := must(f.fit(x, labels, 3, to, false))(t), must(f.shift(m, to))(t)
		near(t, f.name+": scores", must(shifted.Scores(x))(t), must(refit.Scores(x))(t), 1e-12)
		near(t, f.name+": posterior", must(shifted.Posterior(x))(t), must(refit.Posterior(x))(t), 1e-12)
		allClose(t, f.name+": p(x)", must(shifted.LogMarginal(x))(t), must(refit.LogMarginal(x))(t), 1e-12)
		near(t, f.name+": before", must(m.Posterior(x))(t), before, 0)
		near(t, f.name+": Bayes", must(shifted.Posterior(x))(t), reweightedPosterior(before, shareOfRows(labels, 3), to),
			1e-12)
		for i, w := range weightsOf(refit) {
			closeTo(t, weightsOf(shifted)[i], w, 1e-12, "%s: weight %d", f.name, i)
		}
		closeTo(t, sharesOf(shifted).LogLikelihood, sharesOf(refit).LogLikelihood, 1e-10, "%s: ln p(X,t)", f.name)
	}
}

// TestShiftPriorsByBayes checks that ShiftPriors changes the posterior of models that are not Generative
// as Bayes' theorem requires. For softmax regression, only the biases may change, and their sum must
// stay 0. For logistic regression, the opposite shift must restore the weights.
func TestShiftPriorsByBayes(t *testing.T) {
	x, labels := clouds(90, 2, 3, 1019)
	from, to := shareOfRows(labels, 3), []float64{0.05, 0.15, 0.8}
	compare := func(name string, before, after classify.Prober, from, to []float64) {
		near(t, name, must(after.Posterior(x))(t), reweightedPosterior(must(before.Posterior(x))(t), from, to), 1e-12)
	}
	m := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{}))(t)
	s := must(classify.ShiftPriors(m, from, to))(t)
	compare("softmax", m, s, from, to)
	near(t, "weights", s.W.Slice(1, 3, 0, 3), m.W.Slice(1, 3, 0, 3), 0)
	closeTo(t, mat.Sum(s.W.RowView(0)), 0, 1e-13, "sum of the biases")
	q := must(classify.FitQuadraticLogistic(x, labels, 3, classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 1}))(t)
	compare("quadratic", q, must(classify.ShiftPriors(q, from, to))(t), from, to)
	f := must(classify.FitFisherMulti(x, labels, 3, classify.FisherMultiOptions{Features: 1}))(t)
	compare("Fisher", f, must(classify.ShiftPriors(f, nil, to))(t), from, to)
	l := must(classify.FitLogistic(x, targets(labels), classify.LogisticOptions{}))(t)
	from, to = []float64{1. / 3, 2. / 3}, []float64{0.1, 0.9}
	p := must(classify.ShiftPriors(l, from, to))(t)
	compare("logistic", l, p, from, to)
	allClose(t, "there and back", must(classify.ShiftPriors(p, to, from))(t).W, l.W, 1e-12)
}

func TestShiftPriorsArguments(t *testing.T) {
	x, labels := clouds(40, 2, 2, 1021)
	l := must(classify.FitLogistic(x, targets(labels), classify.LogisticOptions{}))(t)
	lda := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t)
	empty := must(classify.FitLDA(x, labels, 3, classify.LDAOptions{}))(t)
	half := []float64{0.5, 0.5}
	shift := func(from, to []float64) error { return errorOf(classify.ShiftPriors(l, from, to)) }
	allFail(t, []failingCall{
		{"nil from", shift(nil, half), []string{"ShiftPriors", `the argument "from" has 0 entries`, "2 classes"}},
		{"three priors", shift(half, []float64{0.5, 0.25, 0.25}), []string{`the argument "to" has 3 entries`}},
		{"prior 0", shift(half, []float64{0, 1}), []string{"to[0] is 0", "above 0"}},
		{"prior above 1", shift([]float64{1.5, -0.5}, half), []string{"from[0] is 1.5"}},
		{"NaN", shift([]float64{math.NaN(), 1}, half), []string{"from[0] is NaN"}},
		{"sum above 1", shift(half, []float64{0.5, 0.6}), []string{`the argument "to" sums to 1.1`}},
		{"from for a model that stores Priors", errorOf(classify.ShiftPriors(lda, half, half)), []string{`the argument "from" is not nil`, "Priors"}},
		{"no rows", errorOf(classify.ShiftPriors(empty, nil, []float64{0.5, 0.25, 0.25})),
			[]string{"from[2] is 0", "without rows"}},
		{"nil", errorOf(classify.ShiftPriors[*classify.QDA](nil, nil, half)), []string{"the model is nil"}},
		{"unfitted", errorOf(classify.ShiftPriors(new(classify.Logistic), half, half)), []string{"no weights"}},
		{"unfitted softmax", errorOf(classify.ShiftPriors(new(classify.Softmax), half, half)), []string{"no weights"}},
		{"unfitted QDA", errorOf(classify.ShiftPriors(new(classify.QDA), nil, half)), []string{"the model is empty"}},
	})
}

// reweightedPosterior returns the posterior after the class priors change from `from` to `to`:
// p·to/from, normalised.
func reweightedPosterior(p *mat.Dense, from, to []float64) *mat.Dense {
	out := mat.DenseCopyOf(p)
	n, k := p.Dims()
	for i := range n {
		var sum float64
		for j := range k {
			sum += p.At(i, j) * to[j] / from[j]
		}
		for j := range k {
			out.Set(i, j, p.At(i, j)*to[j]/from[j]/sum)
		}
	}
	return out
}

// shareOfRows returns N_k/N.
func shareOfRows(labels []int, k int) []float64 {
	p := make([]float64, k)
	for _, l := range labels {
		p[l] += 1 / float64(len(labels))
	}
	return p
}

// The classifier is fitted to equally many rows of each class. It is then used for data in which
// the first class is rare. Only the bias changes.
func ExampleShiftPriors() {
	x := mat.NewDense(8, 1, []float64{1, 2, 3, 4, 0, 1, 2, 3})
	t := []float64{1, 1, 1, 1, 0, 0, 0, 0}
	m, err := classify.FitLogistic(x, t, classify.LogisticOptions{})
	if err != nil {
		panic(err)
	}
	rare, err := classify.ShiftPriors(m, []float64{0.5, 0.5}, []float64{0.05, 0.95})
	if err != nil {
		panic(err)
	}
	point := mat.NewDense(1, 1, []float64{4})
	before, _ := m.Posterior(point)
	after, _ := rare.Posterior(point)
	fmt.Printf("w = %.3f, p(C1|x=4) = %.3f\n", m.W, before.At(0, 0))
	fmt.Printf("w = %.3f, p(C1|x=4) = %.3f\n", rare.W, after.At(0, 0))
	// Output:
	// w = [-1.513 0.756], p(C1|x=4) = 0.819
	// w = [-4.457 0.756], p(C1|x=4) = 0.193
}

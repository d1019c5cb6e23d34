package classify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestProbitIdentities(t *testing.T) {
	x, labels := clouds(120, 3, 2, 321)
	m := must(classify.FitProbit(x, targets(labels), classify.ProbitOptions{}))(t)
	stationary(t, must(classify.ProbitObjective(x, targets(labels), nil))(t), m.W, 1e-11)
	// A 0/1 input makes two groups, whose shares the model meets exactly.
	g := pointsOn(0, 0, 0, 0, 0, 1, 1, 1, 1, 1)
	s := must(classify.FitProbit(g, []float64{1, 0, 0, 0, 0, 1, 1, 1, 0, 0}, classify.ProbitOptions{}))(t)
	p := must(s.Posterior(g))(t)
	within(t, p.At(0, 0), 0.2, 1e-14, "share of the zeros")
	within(t, p.At(9, 0), 0.6, 1e-14, "share of the ones")
	// A soft target t = Φ(a) has the expectation of the observed Hessian.
	mean := must(classify.ProbitObjective(x, column(must(m.Posterior(x))(t)), nil))(t)
	near(t, "expected information", must(m.FisherInformation(x))(t), must(mean.Hessian(m.W))(t), 1e-12)
	l := must(classify.FitLogistic(x, targets(labels), classify.LogisticOptions{}))(t)
	for i, w := range m.W { // the two curves differ by 0.018 at most
		within(t, w/(l.W[i]*math.Sqrt(math.Pi/8)), 1.05, 0.25, "weight %d beside the scaled logistic one", i)
	}
	within(t, m.NullLogLikelihood, l.NullLogLikelihood, 0, "null log likelihood")
	mentions(t, of(new(classify.Probit).FisherInformation(x)), "no weights")
	y, l2 := clouds(30, 2, 2, 341)
	twice := mat.NewDense(30, 3, nil)
	twice.Augment(y, y.ColView(0))
	d := must(classify.FitProbit(twice, targets(l2), classify.ProbitOptions{}))(t)
	mentions(t, of(d.ExpectedStandardErrors(twice)), "singular")
}

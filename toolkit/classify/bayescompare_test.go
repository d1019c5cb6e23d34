package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// TestEvidenceAgainstBIC: as N grows by four decades the Laplace evidence and BIC
// both fall by thousands, and their difference stays bounded: it tends to
// ln p(w) + (M/2) ln 2π − ½ ln|A/N| (PRML exercise 4.23). Also shown: what N has to
// be for BIC to weigh a parameter more than AIC, N ≥ 8 and not any N.
func TestEvidenceAgainstBIC(t *testing.T) {
	x, target := drawn(1000000, 2, 5)
	var low, high float64
	for i, n := range []int{100, 1000, 10000, 100000, 1000000} {
		part := x.Slice(0, n, 0, 2)
		m := must(classify.FitBayesLogistic(part, target[:n], classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
		gap := m.LogEvidence() + m.BIC()/2
		t.Logf("N = %7d: ln p(D) = %12.3f, difference %.4f", n, m.LogEvidence(), gap)
		if i == 0 {
			low, high = gap, gap
		}
		low, high = math.Min(low, gap), math.Max(high, gap)
		limit := m.Evidence.LogPrior + 1.5*math.Log(2*math.Pi) - (m.Evidence.LogDet-3*math.Log(float64(n)))/2
		if math.Abs(gap-limit) > 1e-9*math.Abs(m.LogEvidence()) {
			t.Errorf("difference %v, limit %v", gap, limit)
		}
	}
	if high-low > 1 {
		t.Errorf("the difference goes from %v to %v", low, high)
	}
	for n := 1; n < 20; n++ {
		e := classify.Evidence{M: 1, N: n}
		if (e.BIC() > e.AIC()) != (n >= 8) {
			t.Errorf("N = %d: BIC %v, AIC %v", n, e.BIC(), e.AIC())
		}
	}
}

// TestCompareModels: polynomial bases of growing size on data of the second
// degree; the criteria choose it, the likelihood the largest.
func TestCompareModels(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const n = 500
	target := make([]float64, n)
	z := make([]float64, n)
	for i := range n {
		z[i] = 2 * rng.NormFloat64()
		target[i] = truth(rng.Float64() < 1/(1+math.Exp(2-z[i]*z[i])))
	}
	var cs []classify.Candidate
	for d := 1; d <= 6; d++ {
		x := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				x.Set(i, j, math.Pow(z[i]/2, float64(j+1)))
			}
		}
		m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
		cs = append(cs, classify.Candidate{Name: fmt.Sprintf("degree %d", d), Model: m})
	}
	c := must(classify.CompareModels(cs...))(t)
	if c.ByEvidence != 1 || c.ByBIC != 1 || c.ByLikelihood < 2 {
		t.Errorf("winners %d, %d, %d, %d\n%s", c.ByEvidence, c.ByBIC, c.ByAIC, c.ByLikelihood, c)
	}
	var sum float64
	for _, r := range c.Rows {
		sum += r.Probability
		if math.Abs(r.LogEvidence-r.LogLikelihood-r.LogOccam) > 1e-9 || r.LogOccam >= 0 {
			t.Errorf("%+v", r)
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("the probabilities sum to %v", sum)
	}
	if text := c.String(); strings.Count(text, "*") != 4 || strings.Count(text, "\n") != 7 {
		t.Errorf("table\n%s", text)
	}
}

// TestCompareLinks: logistic, probit and softmax of the same posterior; the
// evidence of a Logistic and of a BayesLogistic are one.
func TestCompareLinks(t *testing.T) {
	x, target := drawn(200, 2, 9)
	labels := make([]int, len(target))
	for i, v := range target {
		labels[i] = int(1 - v)
	}
	prior := classify.Isotropic{Alpha: 0.5}
	logistic := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior}))(t)
	probit := must(classify.FitProbit(x, target, classify.ProbitOptions{Prior: prior}))(t)
	softmax := must(classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{Prior: prior}))(t)
	bayes := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: prior}))(t)
	bayesK := must(classify.FitBayesSoftmax(x, labels, 2, classify.BayesSoftmaxOptions{Prior: prior}))(t)
	e := must(classify.EvidenceOf(logistic, prior))(t)
	if math.Abs(e.LogEvidence()-bayes.LogEvidence()) > 1e-10 {
		t.Errorf("%v and %v", e.LogEvidence(), bayes.LogEvidence())
	}
	k := must(classify.EvidenceOf(softmax, prior))(t)
	if math.Abs(k.LogEvidence()-bayesK.LogEvidence()) > 1e-10 {
		t.Errorf("%v and %v", k.LogEvidence(), bayesK.LogEvidence())
	}
	ml := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	c := must(classify.CompareModels(
		classify.Candidate{Name: "logistic", Model: logistic, Prior: prior}, classify.Candidate{Name: "probit", Model: probit, Prior: prior},
		classify.Candidate{Name: "maximum likelihood", Model: ml}, classify.Candidate{Name: "softmax", Model: bayesK}))(t)
	if !math.IsNaN(c.Rows[2].LogEvidence) || c.ByEvidence == 2 || c.ByLikelihood < 0 || math.IsNaN(c.Rows[1].LogEvidence) {
		t.Errorf("%s", c)
	}
	small := must(classify.FitLogistic(x.Slice(0, 100, 0, 2), target[:100], classify.LogisticOptions{}))(t)
	for _, bad := range []struct {
		c    []classify.Candidate
		want []string
	}{
		{nil, []string{"no candidates"}},
		{[]classify.Candidate{{Name: "a"}}, []string{"candidate 0 (a)"}},
		{[]classify.Candidate{{Name: "a", Model: ml}, {Name: "b", Model: small}}, []string{"candidate 1 (b)", "100 rows", "200"}},
		{[]classify.Candidate{{Name: "a", Model: logistic, Prior: classify.Isotropic{Alpha: 3}}}, []string{"penalty", "prior of the fit"}},
		{[]classify.Candidate{{Name: "a", Model: logistic, Prior: classify.Isotropic{}}}, []string{"Alpha"}},
		{[]classify.Candidate{{Name: "a", Model: (*classify.Logistic)(nil)}}, []string{"without a fit"}},
	} {
		_, err := classify.CompareModels(bad.c...)
		mentions(t, err, bad.want...)
	}
	flip := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Prior: prior, Epsilon: 0.05}))(t)
	if f, err := classify.EvidenceOf(flip, prior); err != nil || !(f.LogEvidence() < 0) {
		t.Errorf("label flip: %+v, %v", f, err)
	}
	flip.Hessian = mat.NewSymDense(4, nil) // as of an estimated ε
	_, err := classify.EvidenceOf(flip, prior)
	mentions(t, err, "besides its weights")
	twice := mat.NewDense(200, 4, nil)
	twice.Augment(x, x)
	_, err = classify.EvidenceOf(must(classify.FitSoftmax(twice, labels, 2, classify.SoftmaxOptions{}))(t), nil)
	mentions(t, err, "not positive definite", "not unique")
}

// TestOccamSign: under a proper prior the Occam factor is a loss, as S0⁻¹ ≤ A; with
// flat parameters, whose density is taken as 1, it may be a gain.
func TestOccamSign(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{-2, -1, -0.5, 0.5, 1, 2})
	target := []float64{0, 0, 1, 0, 1, 1}
	for _, alpha := range []float64{1e-6, 1e-3, 1, 1e3, 1e6} {
		prior := classify.Isotropic{Alpha: alpha}
		e, err := classify.EvidenceOf(toolkit.Must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior})), prior)
		if err != nil {
			t.Fatal(err)
		}
		if e.Flat != 0 || !(e.LogOccam() < 0) {
			t.Errorf("α = %g: ln of the Occam factor %g with %d flat parameters, want a loss with none", alpha, e.LogOccam(), e.Flat)
		}
	}
	e, err := classify.EvidenceOf(toolkit.Must(classify.FitLogistic(x, target, classify.LogisticOptions{})), nil)
	if err != nil {
		t.Fatal(err)
	}
	if e.Flat != 2 || !(e.LogOccam() > 1) {
		t.Errorf("flat: ln of the Occam factor %g with %d flat parameters, want a gain with 2", e.LogOccam(), e.Flat)
	}
}

func ExampleCompareModels() {
	iris := toolkit.Must(datasets.Iris().Class("versicolor", "virginica"))
	t := toolkit.Must(iris.Target("versicolor"))
	var all []classify.Candidate
	for _, names := range [][]string{{"sepal_width"}, {"petal_width"}, {"petal_length", "petal_width"}, iris.FeatureNames[1:]} {
		x := toolkit.Must(iris.Columns(names...)).X
		m := toolkit.Must(classify.FitBayesLogistic(x, t, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.01}}))
		all = append(all, classify.Candidate{Name: strings.Join(names, ", "), Model: m})
	}
	fmt.Print(toolkit.Must(classify.CompareModels(all...)))
	// Output:
	// model                                     M    ln p(D|θ)          AIC          BIC     ln Occam      ln p(D)  p(model|D)
	// sepal_width                               2     -64.299      132.598      137.808       -6.723      -71.022       0.0000
	// petal_width                               2     -17.126       38.252       43.462       -6.881      -24.007       0.0084
	// petal_length, petal_width                 3     -12.255       30.509       38.325      -10.338      -22.593       0.0344
	// sepal_width, petal_length, petal_width    4      -8.737*      25.474*      35.895*     -10.528      -19.266*      0.9573
}

package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// TestEvidenceAgainstBIC: as N grows by three decades the Laplace evidence and BIC
// both fall by thousands, and their difference stays bounded: it tends to
// ln p(w) + (M/2) ln 2π − ½ ln|A/N| (PRML exercise 4.23). Also shown: what N has to
// be for BIC to weigh a parameter more than AIC, N ≥ 8 and not any N.
func TestEvidenceAgainstBIC(t *testing.T) {
	x, target := drawn(100000, 2, 5)
	var gaps []float64
	for _, n := range []int{100, 1000, 10000, 100000} {
		part := x.Slice(0, n, 0, 2)
		m := must(classify.FitBayesLogistic(part, target[:n], classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
		gap := m.LogEvidence() + m.BIC()/2
		gaps = append(gaps, gap)
		limit := m.Evidence.LogPrior + 1.5*math.Log(2*math.Pi) - (m.Evidence.LogDet-3*math.Log(float64(n)))/2
		within(t, gap, limit, 1e-9*math.Abs(m.LogEvidence()), "difference of N = %d", n)
	}
	errorIf(t, slices.Max(gaps)-slices.Min(gaps) > 1, "the difference goes through %v", gaps)
	for n := 1; n < 20; n++ {
		e := classify.Evidence{M: 1, N: n}
		errorIf(t, (e.BIC() > e.AIC()) != (n >= 8), "N = %d: BIC %v, AIC %v", n, e.BIC(), e.AIC())
	}
}

// TestCompareModels: polynomial bases of growing size on data of the second
// degree; the criteria choose it, the likelihood the largest.
func TestCompareModels(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const n = 500
	target, z := make([]float64, n), make([]float64, n)
	for i := range n {
		z[i] = 2 * rng.NormFloat64()
		target[i] = truth(rng.Float64() < 1/(1+math.Exp(2-z[i]*z[i])))
	}
	var cs []classify.Candidate
	for d := 1; d <= 6; d++ {
		x := mat.NewDense(n, d, nil)
		x.Apply(func(i, j int, _ float64) float64 { return math.Pow(z[i]/2, float64(j+1)) }, x)
		m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
		cs = append(cs, classify.Candidate{Name: fmt.Sprintf("degree %d", d), Model: m})
	}
	c := must(classify.CompareModels(cs...))(t)
	errorIf(t, c.ByEvidence != 1 || c.ByBIC != 1 || c.ByLikelihood < 2, "winners %d, %d, %d, %d\n%s", c.ByEvidence, c.ByBIC, c.ByAIC, c.ByLikelihood, c)
	var sum float64
	for _, r := range c.Rows {
		sum += r.Probability
		errorIf(t, math.Abs(r.LogEvidence-r.LogLikelihood-r.LogOccam) > 1e-9 || r.LogOccam >= 0, "%+v", r)
	}
	within(t, sum, 1, 1e-12, "sum of the probabilities")
	errorIf(t, strings.Count(c.String(), "*") != 4 || strings.Count(c.String(), "\n") != 7, "table\n%s", c)
}

// TestCompareLinks: logistic, probit and softmax of the same posterior; the
// evidence of a Logistic and of a BayesLogistic are one.
func TestCompareLinks(t *testing.T) {
	x, target := drawn(200, 2, 9)
	prior := classify.Isotropic{Alpha: 0.5}
	logistic := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior}))(t)
	probit := must(classify.FitProbit(x, target, classify.ProbitOptions{Prior: prior}))(t)
	bayes := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: prior}))(t)
	bayesK := must(classify.FitBayesSoftmax(x, sidesOf(target), 2, classify.BayesSoftmaxOptions{Prior: prior}))(t)
	within(t, must(classify.EvidenceOf(logistic, prior))(t).LogEvidence(), bayes.LogEvidence(), 1e-10, "logistic evidence")
	ml := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	c := must(classify.CompareModels(
		classify.Candidate{Name: "logistic", Model: logistic, Prior: prior}, classify.Candidate{Name: "probit", Model: probit, Prior: prior},
		classify.Candidate{Name: "maximum likelihood", Model: ml}, classify.Candidate{Name: "softmax", Model: bayesK}))(t)
	errorIf(t, !math.IsNaN(c.Rows[2].LogEvidence) || c.ByEvidence == 2 || c.ByLikelihood < 0 || math.IsNaN(c.Rows[1].LogEvidence), "%s", c)
	flip := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Prior: prior, Epsilon: 0.05}))(t)
	flip.Hessian = mat.NewSymDense(4, nil) // as of an estimated ε
	small := must(classify.FitLogistic(x.Slice(0, 100, 0, 2), target[:100], classify.LogisticOptions{}))(t)
	var twice mat.Dense
	twice.Augment(x, x)
	softmax := must(classify.FitSoftmax(&twice, sidesOf(target), 2, classify.SoftmaxOptions{}))(t)
	compared := func(c ...classify.Candidate) error { return of(classify.CompareModels(c...)) }
	refused(t, []refusal{
		{"nothing", compared(), []string{"no candidates"}},
		{"no model", compared(classify.Candidate{Name: "a"}), []string{"candidate 0 (a)"}},
		{"other rows", compared(classify.Candidate{Name: "a", Model: ml}, classify.Candidate{Name: "b", Model: small}), []string{"candidate 1 (b)", "100 rows", "200"}},
		{"other prior", compared(classify.Candidate{Name: "a", Model: logistic, Prior: classify.Isotropic{Alpha: 3}}), []string{"penalty", "prior of the fit"}},
		{"alpha", compared(classify.Candidate{Name: "a", Model: logistic, Prior: classify.Isotropic{}}), []string{"Alpha"}},
		{"nil", compared(classify.Candidate{Name: "a", Model: (*classify.Logistic)(nil)}), []string{"without a fit"}},
		{"ε", of(classify.EvidenceOf(flip, prior)), []string{"besides its weights"}},
		{"dependent columns", of(classify.EvidenceOf(softmax, nil)), []string{"not positive definite", "not unique"}},
	})
}

// TestOccamSign: under a proper prior the Occam factor is a loss, as S0⁻¹ ≤ A; with
// flat parameters, whose density is taken as 1, it may be a gain.
func TestOccamSign(t *testing.T) {
	x, target := pointsOn(-2, -1, -0.5, 0.5, 1, 2), []float64{0, 0, 1, 0, 1, 1}
	for _, p := range []classify.Prior{classify.Isotropic{Alpha: 1e-6}, classify.Isotropic{Alpha: 1e-3}, classify.Isotropic{Alpha: 1}, classify.Isotropic{Alpha: 1e3}, classify.Isotropic{Alpha: 1e6}, nil} {
		e := must(classify.EvidenceOf(must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: p}))(t), p))(t)
		errorIf(t, p != nil && (e.Flat != 0 || !(e.LogOccam() < 0)) || p == nil && (e.Flat != 2 || !(e.LogOccam() > 1)),
			"%v: ln of the Occam factor %g with %d flat parameters", p, e.LogOccam(), e.Flat)
	}
}

func ExampleCompareModels() {
	iris := datasets.Must(datasets.Iris().Class("versicolor", "virginica"))
	t := datasets.Must(iris.Target("versicolor"))
	var all []classify.Candidate
	for _, names := range [][]string{{"sepal_width"}, {"petal_width"}, {"petal_length", "petal_width"}, iris.FeatureNames[1:]} {
		x := datasets.Must(iris.Columns(names...)).X
		m := classify.Must(classify.FitBayesLogistic(x, t, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.01}}))
		all = append(all, classify.Candidate{Name: strings.Join(names, ", "), Model: m})
	}
	fmt.Print(classify.Must(classify.CompareModels(all...)))
	// Output:
	// model                                     M    ln p(D|θ)          AIC          BIC     ln Occam      ln p(D)  p(model|D)
	// sepal_width                               2     -64.299      132.598      137.808       -6.723      -71.022       0.0000
	// petal_width                               2     -17.126       38.252       43.462       -6.881      -24.007       0.0084
	// petal_length, petal_width                 3     -12.255       30.509       38.325      -10.338      -22.593       0.0344
	// sepal_width, petal_length, petal_width    4      -8.737*      25.474*      35.895*     -10.528      -19.266*      0.9573
}

package classify_test

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// evidenceCase is a test case for a model with one weight vector. It contains six targets and the
// function that fits the model. The field `density` is a function that computes ln p(t_n|a_n) by the
// textbook formula.
type evidenceCase struct {
	name    string
	t       []float64
	density func(a, t float64) float64
	fit     func(x mat.Matrix, t []float64, p classify.Prior) (classify.Criteria, error)
}

// evidenceFit returns a version of `fit` whose only argument besides the data is the prior.
func evidenceFit[M classify.Criteria, O any](fit func(mat.Matrix, []float64, O) (M, error),
	o func(classify.Prior) O) func(mat.Matrix, []float64, classify.Prior) (classify.Criteria, error) {
	return func(x mat.Matrix, t []float64, p classify.Prior) (classify.Criteria, error) { return fit(x, t, o(p)) }
}

func glmCase(name string, t []float64, f classify.TargetFamily, density func(a, t float64) float64) evidenceCase {
	return evidenceCase{name, t, density, func(x mat.Matrix, t []float64, p classify.Prior) (classify.Criteria, error) {
		return classify.FitGLM(x, t, f, classify.GLMOptions{Prior: p})
	}}
}

func evidenceCases() []evidenceCase {
	binary, counts := []float64{0, 1, 0, 1, 0, 1}, []float64{0, 1, 1, 2, 4, 7}
	real, positive := []float64{-1.5, 0.3, 0.1, 2, 1.4, 3.9}, []float64{0.4, 0.5, 0.9, 0.7, 2, 3.1}
	bernoulli := func(y func(a float64) float64) func(a, t float64) float64 {
		return func(a, t float64) float64 { return -crossEntropy(y)(a, t) }
	}
	gaussian := func(s float64) func(a, t float64) float64 {
		return func(a, t float64) float64 { return distuv.Normal{Mu: a, Sigma: math.Sqrt(s)}.LogProb(t) }
	}
	gamma := func(s float64) func(a, t float64) float64 { // gamma targets have shape 1/s and mean −1/a
		return func(a, t float64) float64 {
			if a >= 0 {
				return math.Inf(-1)
			}
			return distuv.Gamma{Alpha: 1 / s, Beta: -a / s}.LogProb(t)
		}
	}
	return []evidenceCase{
		{"logistic", binary, bernoulli(logisticCurve), evidenceFit(classify.FitLogistic,
			func(p classify.Prior) classify.LogisticOptions { return classify.LogisticOptions{Prior: p} })},
		{"probit", binary, bernoulli(distuv.UnitNormal.CDF), evidenceFit(classify.FitProbit,
			func(p classify.Prior) classify.ProbitOptions { return classify.ProbitOptions{Prior: p} })},
		{"label flip", binary, bernoulli(flipCurve(0.05)), evidenceFit(classify.FitLabelFlip,
			func(p classify.Prior) classify.LabelFlipOptions {
				return classify.LabelFlipOptions{Epsilon: 0.05, Prior: p}
			})},
		glmCase("Bernoulli", binary, classify.BernoulliTarget{}, bernoulli(logisticCurve)),
		glmCase("Poisson", counts, classify.PoissonTarget{},
			func(a, t float64) float64 { return distuv.Poisson{Lambda: math.Exp(a)}.LogProb(t) }),
		glmCase("Gaussian", real, classify.GaussianTarget{}, gaussian(1)),
		glmCase("Gaussian, s = 0.3", real, classify.GaussianTarget{Scale: 0.3}, gaussian(0.3)),
		glmCase("gamma", positive, classify.GammaTarget{}, gamma(1)),
		glmCase("gamma, s = 0.5", positive, classify.GammaTarget{Scale: 0.5}, gamma(0.5)),
		glmCase("gamma, s = 2", positive, classify.GammaTarget{Scale: 2}, gamma(2)),
	}
}

func evidenceInputs() *mat.Dense { return mat.NewDense(6, 1, []float64{-2, -1, 0, 1, 2, 3}) }

// evidencePrior contains a prior, its log density (0 for a flat prior) and the number of
// parameters in which it is flat.
type evidencePrior struct {
	name  string
	prior classify.Prior
	log   func(w []float64) float64
	flat  int
}

func evidencePriors() []evidencePrior {
	s0 := mat.NewSymDense(2, []float64{2, 0.3, 0.3, 0.5})
	dense, _ := distmv.NewNormal([]float64{-0.4, 0.2}, s0, nil)
	slope := distuv.Normal{Sigma: 1 / math.Sqrt(0.7)}
	return []evidencePrior{
		{"isotropic", classify.Isotropic{Alpha: 0.7},
			func(w []float64) float64 { return slope.LogProb(w[0]) + slope.LogProb(w[1]) }, 0},
		{"free bias", classify.Isotropic{Alpha: 0.7, FreeBias: true},
			func(w []float64) float64 { return slope.LogProb(w[1]) }, 1},
		{"Gaussian", classify.Gaussian{Mean: []float64{-0.4, 0.2}, Cov: s0}, dense.LogProb, 0},
		{"none", nil, func([]float64) float64 { return 0 }, 2},
	}
}

// TestEvidenceOf computes every term of (4.137) from textbook densities and their second
// differences. The result of EvidenceOf must have the same terms, for every family, scale and kind
// of prior. The result must be the same after Save and Load.
func TestEvidenceOf(t *testing.T) {
	x := evidenceInputs()
	for _, c := range evidenceCases() {
		for _, p := range evidencePriors() {
			t.Run(c.name+"/"+p.name, func(t *testing.T) {
				m := must(c.fit(x, c.t, p.prior))(t)
				e := must(classify.EvidenceOf(m, p.prior))(t)
				likelihood := func(w []float64) float64 {
					return -errorSum(x, c.t, w, func(a, t float64) float64 { return -c.density(a, t) })
				}
				w := numbersOf(nil, reflect.ValueOf(m), func(name string) bool { return name == "W" })
				h := mat.NewSymDense(2, nil)
				fd.Hessian(h, func(w []float64) float64 { return -likelihood(w) - p.log(w) }, w,
					&fd.Settings{Formula: fd.Central, Step: 1e-4})
				closeTo(t, e.LogLikelihood, likelihood(w), 1e-10, "ln p(t|w)")
				closeTo(t, e.LogPrior, p.log(w), 1e-10, "ln p(w)")
				closeTo(t, e.LogDet, math.Log(mat.Det(h)), 1e-5, "ln|A|")
				errorIf(t, e.M != 2 || e.N != 6 || e.Flat != p.flat,
					"got %+v, want M 2, N 6 and Flat %d", e, p.flat)
				saved := must(classify.EvidenceOf(loadModel[classify.Criteria](t, textOf(t, m)), p.prior))(t)
				errorIf(t, saved != e, "loaded: %+v, want %+v", saved, e)
				// A file without the fields of the prior does not store the penalty. Load then computes
				// the penalty as E + LogLikelihood. If E omits terms that depend only on the targets,
				// the penalty is unknown, and EvidenceOf returns an error.
				old, err := classify.EvidenceOf(loadOlder(t, m), p.prior)
				if g, ok := m.(*classify.GLM); ok && g.Family != "Bernoulli" {
					errorHas(t, err, "does not store", "fit the model again")
				} else {
					errorIf(t, err != nil || old != e,
						"evidence of a model from an older file: got %+v and error %v, want %+v",
						old, err, e)
				}
				errorHas(t, errorOf(classify.EvidenceOf(m, classify.Isotropic{Alpha: 3})), "prior")
				if p.prior != nil {
					errorHas(t, errorOf(classify.EvidenceOf(m, nil)), "fitted with a prior")
				}
			})
		}
	}
}

// TestEvidenceOfSoftmax checks that EvidenceOf and FitBayesSoftmax return the same evidence for
// every prior. No probability changes if the same vector is added to the weights of all classes. If
// the prior is flat in directions of such shifts, both functions must omit these directions.
func TestEvidenceOfSoftmax(t *testing.T) {
	x := mat.NewDense(9, 2, []float64{0, 0, 1, 1, 2, 0, 0, 1, 1, 0, 2, 1, 3, 5, 1, 2, 0, 3})
	labels := []int{0, 1, 2, 1, 2, 0, 0, 0, 2}
	for _, p := range []classify.Prior{
		nil, classify.Isotropic{Alpha: 0.4}, classify.Isotropic{Alpha: 0.4, FreeBias: true},
		classify.Isotropic{Alpha: 1e-20}, classify.Isotropic{Alpha: 1e-300},
		classify.Isotropic{Alpha: 1e-100, FreeBias: true},
		classify.Gaussian{Mean: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, Cov: spd(9, 5, 2)},
	} {
		m := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Prior: p}))(t)
		want := must(classify.FitBayesSoftmax(x, labels, 3, classify.BayesSoftmaxOptions{Prior: p}))(t).Evidence
		e, err := classify.EvidenceOf(loadModel[classify.Criteria](t, textOf(t, m)), p)
		errorIf(t, err != nil || e.M != want.M || e.Flat != want.Flat || e.N != want.N ||
			math.Abs(e.LogEvidence()-want.LogEvidence()) > 1e-9 || math.Abs(e.LogDet-want.LogDet) > 1e-9,
			"evidence under the prior %v: got %+v and error %v, want %+v", p, e, err, want)
		if p != nil {
			errorHas(t, errorOf(classify.EvidenceOf(m, nil)), "fitted with a prior")
		}
	}
	m := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Prior: isotropic}))(t)
	must(classify.EvidenceOf(loadOlder(t, m), isotropic))(t)
}

var priorFields = regexp.MustCompile(`,"has_prior":(true|false),"penalty":[^,}]+`)

// loadOlder saves a model, removes the fields of the prior from the file, and loads the model.
func loadOlder(t *testing.T, m any) classify.Criteria {
	t.Helper()
	text := textOf(t, m)
	errorIf(t, !priorFields.Match(text), "the saved model is %s, want the fields has_prior and penalty in it", text)
	return loadModel[classify.Criteria](t, priorFields.ReplaceAll(text, nil))
}

// TestCompareLinks compares logistic, probit and softmax fits of the same data. A Logistic
// and a BayesLogistic must have the same evidence.
func TestCompareLinks(t *testing.T) {
	x, target := logisticRows(200, 2, 9)
	prior := classify.Isotropic{Alpha: 0.5}
	logistic := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior}))(t)
	probit := must(classify.FitProbit(x, target, classify.ProbitOptions{Prior: prior}))(t)
	bayes := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: prior}))(t)
	bayesK := must(classify.FitBayesSoftmax(x, sidesOf(target), 2, classify.BayesSoftmaxOptions{Prior: prior}))(t)
	closeTo(t, must(classify.EvidenceOf(logistic, prior))(t).LogEvidence(), bayes.LogEvidence(), 1e-10,
		"logistic evidence")
	ml := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	c := must(classify.CompareModels(
		classify.Candidate{Name: "logistic", Model: logistic, Prior: prior},
		classify.Candidate{Name: "probit", Model: probit, Prior: prior},
		classify.Candidate{Name: "maximum likelihood", Model: ml},
		classify.Candidate{Name: "softmax", Model: bayesK}))(t)
	errorIf(t, !math.IsNaN(c.Rows[2].LogEvidence) || c.ByEvidence == 2 || c.ByLikelihood < 0 ||
		math.IsNaN(c.Rows[1].LogEvidence),
		"want an evidence for probit, no evidence for maximum likelihood, and a model with the best likelihood, got\n%s", c)
	// The softmax model of two classes has as many free weights as the logistic model.
	closeTo(t, bayesK.AIC()-bayesK.Deviance(), bayes.AIC()-bayes.Deviance(), 1e-12, "2M of the Bayesian softmax model")
	closeTo(t, bayesK.BIC()-bayesK.Deviance(), bayes.BIC()-bayes.Deviance(), 1e-12, "M ln N of the Bayesian softmax model")
	errorIf(t, c.Rows[3].M != 3, "the Bayesian softmax model has M = %d, want 3", c.Rows[3].M)
	flip := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Prior: prior, Epsilon: 0.05}))(t)
	flip.Hessian = mat.NewSymDense(4, nil) // Hessian of four parameters: three weights and an estimated ε
	small := must(classify.FitLogistic(x.Slice(0, 100, 0, 2), target[:100], classify.LogisticOptions{}))(t)
	var twice mat.Dense
	twice.Augment(x, x)
	softmax := must(classify.FitSoftmax(&twice, sidesOf(target), 2, classify.SoftmaxOptions{}))(t)
	compared := func(c ...classify.Candidate) error { return errorOf(classify.CompareModels(c...)) }
	allFail(t, []failingCall{
		{"nothing", compared(), []string{"no candidates"}},
		{"no model", compared(classify.Candidate{Name: "a"}), []string{"candidate 0 (a)"}},
		{"other rows", compared(classify.Candidate{Name: "a", Model: ml}, classify.Candidate{Name: "b", Model: small}),
			[]string{"candidate 1 (b)", "100 rows", "200"}},
		{"other prior", compared(classify.Candidate{Name: "a", Model: logistic, Prior: classify.Isotropic{Alpha: 3}}),
			[]string{"penalty", "prior of the fit"}},
		{"alpha", compared(classify.Candidate{Name: "a", Model: logistic, Prior: classify.Isotropic{}}),
			[]string{"Alpha"}},
		{"nil", compared(classify.Candidate{Name: "a", Model: (*classify.Logistic)(nil)}), []string{"without a fit"}},
		{"ε", errorOf(classify.EvidenceOf(flip, prior)), []string{"besides its weights"}},
		{"dependent columns", errorOf(classify.EvidenceOf(softmax, nil)), []string{"not positive definite", "not unique"}},
	})
}

func ExampleCompareModels() {
	iris := toolkit.Must(datasets.Iris().Class("versicolor", "virginica"))
	t := toolkit.Must(iris.Target("versicolor"))
	var all []classify.Candidate
	for _, names := range [][]string{{"sepal_width"}, {"petal_width"}, {"petal_length", "petal_width"},
		iris.FeatureNames[1:]} {
		x := toolkit.Must(iris.Columns(names...)).X
		m := toolkit.Must(classify.FitBayesLogistic(x, t,
			classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.01}}))
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

package classify_test

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// evidenceCase is a model of one weight vector over six rows: its fit, and
// ln p(t_n|a_n) by the textbook density.
type evidenceCase struct {
	name    string
	t       []float64
	density func(a, t float64) float64
	fit     func(x mat.Matrix, t []float64, p classify.Prior) (classify.Criteria, error)
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
	gamma := func(s float64) func(a, t float64) float64 { // shape 1/s, mean −1/a
		return func(a, t float64) float64 {
			if a >= 0 {
				return math.Inf(-1)
			}
			return distuv.Gamma{Alpha: 1 / s, Beta: -a / s}.LogProb(t)
		}
	}
	return []evidenceCase{
		{"logistic", binary, bernoulli(logisticCurve), func(x mat.Matrix, t []float64, p classify.Prior) (classify.Criteria, error) {
			return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: p})
		}},
		{"probit", binary, bernoulli(distuv.UnitNormal.CDF), func(x mat.Matrix, t []float64, p classify.Prior) (classify.Criteria, error) {
			return classify.FitProbit(x, t, classify.ProbitOptions{Prior: p})
		}},
		{"label flip", binary, bernoulli(flipCurve(0.05)), func(x mat.Matrix, t []float64, p classify.Prior) (classify.Criteria, error) {
			return classify.FitLabelFlip(x, t, classify.LabelFlipOptions{Epsilon: 0.05, Prior: p})
		}},
		glmCase("Bernoulli", binary, classify.BernoulliTarget{}, bernoulli(logisticCurve)),
		glmCase("Poisson", counts, classify.PoissonTarget{}, func(a, t float64) float64 { return distuv.Poisson{Lambda: math.Exp(a)}.LogProb(t) }),
		glmCase("Gaussian", real, classify.GaussianTarget{}, gaussian(1)),
		glmCase("Gaussian, s = 0.3", real, classify.GaussianTarget{Scale: 0.3}, gaussian(0.3)),
		glmCase("gamma", positive, classify.GammaTarget{}, gamma(1)),
		glmCase("gamma, s = 0.5", positive, classify.GammaTarget{Scale: 0.5}, gamma(0.5)),
		glmCase("gamma, s = 2", positive, classify.GammaTarget{Scale: 2}, gamma(2)),
	}
}

func evidenceInputs() *mat.Dense { return mat.NewDense(6, 1, []float64{-2, -1, 0, 1, 2, 3}) }

// evidencePrior is a prior, and its log density; a flat one has density 1.
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
		{"isotropic", classify.Isotropic{Alpha: 0.7}, func(w []float64) float64 { return slope.LogProb(w[0]) + slope.LogProb(w[1]) }, 0},
		{"free bias", classify.Isotropic{Alpha: 0.7, FreeBias: true}, func(w []float64) float64 { return slope.LogProb(w[1]) }, 1},
		{"Gaussian", classify.Gaussian{Mean: []float64{-0.4, 0.2}, Cov: s0}, dense.LogProb, 0},
		{"none", nil, func([]float64) float64 { return 0 }, 2},
	}
}

// again returns a model that has been saved as JSON and as gob.
func again(t *testing.T, m classify.Criteria) classify.Criteria {
	t.Helper()
	return fromGob(t, fromJSON(t, must(json.Marshal(m))(t), emptyOf(m).(classify.Criteria)))
}

// TestEvidenceOf: every term of (4.137) for every family, scale and kind of prior
// against the textbook densities and second differences of them; and the same
// after JSON and gob.
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
				fd.Hessian(h, func(w []float64) float64 { return -likelihood(w) - p.log(w) }, w, &fd.Settings{Formula: fd.Central, Step: 1e-4})
				within(t, e.LogLikelihood, likelihood(w), 1e-10, "ln p(t|w)")
				within(t, e.LogPrior, p.log(w), 1e-10, "ln p(w)")
				within(t, e.LogDet, math.Log(mat.Det(h)), 1e-5, "ln|A|")
				errorIf(t, e.M != 2 || e.N != 6 || e.Flat != p.flat, "%+v", e)
				saved := must(classify.EvidenceOf(again(t, m), p.prior))(t)
				errorIf(t, saved != e, "after JSON and gob %+v, want %+v", saved, e)
				mentions(t, of(classify.EvidenceOf(m, classify.Isotropic{Alpha: 3})), "prior")
				if p.prior != nil {
					mentions(t, of(classify.EvidenceOf(m, nil)), "fitted with a prior")
				}
			})
		}
	}
}

// TestEvidenceIsExactForGaussian: the posterior of a linear model with Gaussian
// noise is Gaussian, so that the Laplace evidence is the evidence: t is
// N(Φm0, sI + ΦS0Φᵀ) (PRML (2.115)).
func TestEvidenceIsExactForGaussian(t *testing.T) {
	x, target := evidenceInputs(), []float64{-1.5, 0.3, 0.1, 2, 1.4, 3.9}
	m0, s0 := []float64{-0.4, 0.2}, mat.NewSymDense(2, []float64{2, 0.3, 0.3, 0.5})
	phi := mat.NewDense(6, 2, slices.Repeat([]float64{1}, 12))
	phi.SetCol(1, mat.Col(nil, 0, x))
	var mean, spread mat.Dense
	mean.Mul(phi, mat.NewDense(2, 1, m0))
	spread.Product(phi, s0, phi.T())
	for _, s := range []float64{0.05, 0.3, 1, 40} {
		cov := mat.NewSymDense(6, nil)
		for i := range 6 {
			for j := i; j < 6; j++ {
				cov.SetSym(i, j, spread.At(i, j)+s*truth(i == j))
			}
		}
		marginal, _ := distmv.NewNormal(flat(&mean), cov, nil)
		prior := classify.Gaussian{Mean: m0, Cov: s0}
		m := must(classify.FitGLM(x, target, classify.GaussianTarget{Scale: s}, classify.GLMOptions{Prior: prior}))(t)
		want := marginal.LogProb(target)
		within(t, must(classify.EvidenceOf(m, prior))(t).LogEvidence(), want, 1e-11*(1+math.Abs(want)), "s = %v: ln p(t)", s)
	}
}

// TestEvidenceOfSoftmax: with every prior it is that of FitBayesSoftmax, which
// leaves out the common shift of the classes where the prior is flat along it.
func TestEvidenceOfSoftmax(t *testing.T) {
	x := mat.NewDense(9, 2, []float64{0, 0, 1, 1, 2, 0, 0, 1, 1, 0, 2, 1, 3, 5, 1, 2, 0, 3})
	labels := []int{0, 1, 2, 1, 2, 0, 0, 0, 2}
	for _, p := range []classify.Prior{
		nil, classify.Isotropic{Alpha: 0.4}, classify.Isotropic{Alpha: 0.4, FreeBias: true},
		classify.Gaussian{Mean: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, Cov: spd(9, 5, 2)},
	} {
		m := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Prior: p}))(t)
		want := must(classify.FitBayesSoftmax(x, labels, 3, classify.BayesSoftmaxOptions{Prior: p}))(t).Evidence
		e, err := classify.EvidenceOf(again(t, m), p)
		errorIf(t, err != nil || e.M != want.M || e.Flat != want.Flat || e.N != want.N || math.Abs(e.LogEvidence()-want.LogEvidence()) > 1e-9 || math.Abs(e.LogDet-want.LogDet) > 1e-9,
			"prior %v: %+v, %v; want %+v", p, e, err, want)
		if p != nil {
			mentions(t, of(classify.EvidenceOf(m, nil)), "fitted with a prior")
		}
	}
}

// TestHasPrior: a prior too weak to be seen in E is a prior all the same.
func TestHasPrior(t *testing.T) {
	x, binary := evidenceInputs(), []float64{0, 1, 0, 1, 0, 1}
	weak := classify.Isotropic{Alpha: 1e-300}
	m := must(classify.FitLogistic(x, binary, classify.LogisticOptions{Prior: weak}))(t)
	if m.E != -m.LogLikelihood {
		t.Fatal("the penalty shows in E: the test needs a weaker prior")
	}
	for _, m := range []*classify.Logistic{m, fromJSON(t, must(json.Marshal(m))(t), new(classify.Logistic))} {
		mentions(t, of3(m.LikelihoodRatio()), "the fit has a prior")
		mentions(t, of(classify.EvidenceOf(m, nil)), "fitted with a prior")
	}
	free := must(classify.FitLogistic(x, binary, classify.LogisticOptions{}))(t)
	if _, _, _, err := free.LikelihoodRatio(); err != nil {
		t.Error(err)
	}
	mentions(t, of(classify.EvidenceOf(free, weak)), "fitted without a prior")
}

var priorFields = regexp.MustCompile(`,"has_prior":(true|false),"penalty":[^,}]+`)

// TestSavedWithoutPrior: a file that does not say whether the fit had a prior is
// read by E and the log likelihood, which differ by the penalty; where E leaves
// out constants of the targets the penalty cannot be known, and that is said.
func TestSavedWithoutPrior(t *testing.T) {
	x := evidenceInputs()
	older := func(b []byte) []byte {
		if !priorFields.Match(b) {
			t.Fatalf("no prior in %s", b)
		}
		return priorFields.ReplaceAll(b, nil)
	}
	for _, c := range evidenceCases() {
		for _, p := range evidencePriors() {
			m := must(c.fit(x, c.t, p.prior))(t)
			e, err := classify.EvidenceOf(fromJSON(t, older(must(json.Marshal(m))(t)), emptyOf(m).(classify.Criteria)), p.prior)
			if g, ok := m.(*classify.GLM); ok && g.Family != "Bernoulli" {
				mentions(t, err, "saved without", "fit it again")
				continue
			}
			want := must(classify.EvidenceOf(m, p.prior))(t)
			errorIf(t, err != nil || e != want, "%s, %s: %+v, %v; want %+v", c.name, p.name, e, err, want)
		}
	}
	s := must(classify.FitSoftmax(x, []int{0, 1, 0, 1, 0, 1}, 2, classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	if _, err := classify.EvidenceOf(fromJSON(t, older(must(json.Marshal(s))(t)), new(classify.Softmax)), classify.Isotropic{Alpha: 1}); err != nil {
		t.Error(err)
	}
}

package classify_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// glmFamilies lists each family with suitable targets and weights, and ln p of one target from
// gonum's distributions.
var glmFamilies = []struct {
	name   string
	family classify.TargetFamily
	w      []float64
	target func(rng *rand.Rand, i int) float64
	logp   func(t, η float64) float64
}{
	{"Bernoulli", classify.BernoulliTarget{}, []float64{0.2, 0.5, -0.3},
		func(rng *rand.Rand, _ int) float64 { return float64(rng.IntN(2)) },
		func(t, η float64) float64 { return distuv.Bernoulli{P: 1 / (1 + math.Exp(-η))}.LogProb(t) }},
	{"Poisson", classify.PoissonTarget{}, []float64{0.2, 0.5, -0.3},
		func(rng *rand.Rand, i int) float64 { return float64(rng.IntN(4 + 2*(i%2))) },
		func(t, η float64) float64 { return distuv.Poisson{Lambda: math.Exp(η)}.LogProb(t) }},
	{"Gaussian", classify.GaussianTarget{Scale: 2.5}, []float64{0.2, 0.5, -0.3},
		func(rng *rand.Rand, i int) float64 { return rng.NormFloat64() + float64(i%2) },
		func(t, η float64) float64 { return distuv.Normal{Mu: η, Sigma: math.Sqrt(2.5)}.LogProb(t) }},
	{"gamma", classify.GammaTarget{Scale: 0.4}, []float64{-3, 0.2, -0.1},
		func(rng *rand.Rand, i int) float64 { return 0.1 + rng.ExpFloat64()/(1+float64(i%2)) },
		func(t, η float64) float64 { return distuv.Gamma{Alpha: 2.5, Beta: -2.5 * η}.LogProb(t) }},
	{"exponential", classify.GammaTarget{}, []float64{-3, 0.2, -0.1},
		func(rng *rand.Rand, i int) float64 { return rng.ExpFloat64() },
		func(t, η float64) float64 { return distuv.Exponential{Rate: -η}.LogProb(t) }},
}

func glmData(f func(*rand.Rand, int) float64) (*mat.Dense, []float64) {
	x, _ := clouds(80, 2, 2, 411)
	rng := rand.New(rand.NewPCG(41, 42))
	t := make([]float64, 80)
	for i := range t {
		t[i] = f(rng, i)
	}
	return x, t
}

func TestGLM(t *testing.T) {
	for _, f := range glmFamilies {
		t.Run(f.name, func(t *testing.T) {
			x, target := glmData(f.target)
			x2, t2 := mat.DenseCopyOf(x), slices.Clone(target)
			m := must(classify.FitGLM(x, target, f.family, classify.GLMOptions{}))(t)
			again := must(classify.FitGLM(x, target, f.family, classify.GLMOptions{}))(t)
			errorIf(t, !reflect.DeepEqual(m, again) || !mat.Equal(x, x2) || !slices.Equal(target, t2),
				"a second fit differs, or the data were changed")
			roundTrip(t, m)
			for _, prior := range []classify.Prior{nil, classify.Isotropic{Alpha: 2, FreeBias: true}} {
				o := must(classify.GLMObjective(x, target, f.family, prior))(t)
				differences(t, o, f.w, true)
				p := must(classify.FitGLM(x, target, f.family, classify.GLMOptions{Prior: prior}))(t)
				errorIf(t, !p.Converged, "%s", p.Reason)
				stationary(t, o, p.W, 1e-10)
			}
			mean := stat.Mean(target, nil)
			link := map[string]float64{"Bernoulli": math.Log(mean / (1 - mean)), "Poisson": math.Log(mean),
				"Gaussian": mean, "gamma": -1 / mean}[m.Family]
			want := -errorSum(x, target, m.W, func(a, t float64) float64 { return -f.logp(t, a) })
			null := -errorSum(x, target, []float64{link, 0, 0}, func(a, t float64) float64 { return -f.logp(t, a) })
			nearly(t, "log likelihoods, by gonum", []float64{m.LogLikelihood, m.NullLogLikelihood},
				[]float64{want, null}, 1e-11)
			// E and −ln p differ by a constant, which the test computes at another w.
			at := errorSum(x, target, f.w, func(a, t float64) float64 { return -f.logp(t, a) })
			o := must(classify.GLMObjective(x, target, f.family, nil))(t)
			within(t, must(o.Value(f.w))(t)-at, m.E+m.LogLikelihood, 1e-10, "E less −ln p at another w")
			// The bias component of Σ(y−t)φ is 0, so the mean prediction is the mean target.
			within(t, stat.Mean(must(m.Mean(x))(t), nil), mean, 1e-11, "the means balance")
		})
	}
}

// TestGLMTwins checks that the Bernoulli family reproduces FitLogistic and the Gaussian family
// least squares.
func TestGLMTwins(t *testing.T) {
	x, labels := clouds(60, 3, 2, 421)
	target := targets(labels)
	m := must(classify.FitGLM(x, target, classify.BernoulliTarget{}, classify.GLMOptions{}))(t)
	l := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	errorIf(t, !slices.Equal(m.W, l.W) || m.NullLogLikelihood != l.NullLogLikelihood ||
		!mat.Equal(m.Covariance, l.Covariance), "Bernoulli %v, logistic %v", m.W, l.W)
	ls := must(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{}))(t)
	for _, s := range []float64{1, 1e-6, 1e6} {
		g := must(classify.FitGLM(x, target, classify.GaussianTarget{Scale: s}, classify.GLMOptions{}))(t)
		nearly(t, "weights of least squares", g.W, column(ls.W), 1e-12)
		// Each of the two mirrored outputs contributes half of E_D, and Σ(t−y)² is twice that half.
		within(t, must(g.PearsonScale(x, target))(t), ls.SumSquare/56, 1e-12, "Pearson's scale")
	}
}

// TestPoissonExistence checks that no maximum exists if some direction lowers the means of zero
// counts without changing the other rows.
func TestPoissonExistence(t *testing.T) {
	for _, c := range []struct {
		name   string
		x, t   []float64
		exists bool
	}{
		{"two groups, one of zeros", []float64{0, 0, 1, 1}, []float64{0, 0, 3, 5}, false},
		{"both groups counted", []float64{0, 0, 1, 1}, []float64{0, 1, 3, 5}, true},
		{"zeros on one side of one value", []float64{-2, -1, 1, 1}, []float64{0, 0, 3, 5}, false},
		{"zeros on both sides", []float64{-2, 3, 1, 1}, []float64{0, 0, 3, 5}, true},
		{"large counts", []float64{0, 1, 2, 3}, []float64{1e6, 2e6, 5e6, 1e7}, true},
	} {
		m := must(classify.FitGLM(pointsOn(c.x...), c.t, classify.PoissonTarget{}, classify.GLMOptions{}))(t)
		errorIf(t, m.Converged != c.exists || m.Separable == c.exists, "%s: Converged %v, Separable %v: %s", c.name,
			m.Converged, m.Separable, m.Reason)
		for i, v := range c.t {
			if m.Separable {
				d := m.Direction[0] + m.Direction[1]*c.x[i]
				errorIf(t, d > 1e-10 || v > 0 && d < -1e-10, "%s: row %d, count %v: the direction gives %v", c.name, i,
					v, d)
			}
		}
		p := must(classify.FitGLM(pointsOn(c.x...), c.t, classify.PoissonTarget{},
			classify.GLMOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
		errorIf(t, !p.Converged, "%s: %s", c.name, p.Reason)
	}
}

func TestGLMArguments(t *testing.T) {
	x, _ := clouds(4, 2, 2, 431)
	fit := func(f classify.TargetFamily, o classify.GLMOptions, t ...float64) error {
		return of(classify.FitGLM(x, t, f, o))
	}
	none := classify.GLMOptions{}
	good := must(classify.FitGLM(x, []float64{1, 2, 4, 3}, classify.GaussianTarget{}, none))(t)
	gamma := &classify.GLM{Estimate: classify.Estimate{W: []float64{-1, 1}}, Family: "gamma", Scale: 1}
	other := &classify.GLM{Estimate: classify.Estimate{W: []float64{-1, 1}}, Family: "binomial"}
	refused(t, []refusal{
		{"no family", fit(nil, none, 1, 0, 1, 0), []string{"FitGLM", "family is nil"}},
		{"scale", fit(classify.GammaTarget{Scale: -1}, none, 1, 2, 1, 2), []string{"Scale", "-1"}},
		{"scale NaN", fit(classify.GaussianTarget{Scale: math.NaN()}, none, 1, 2, 1, 2), []string{"Scale", "NaN"}},
		{"short", fit(classify.PoissonTarget{}, none, 1, 2), []string{"2 targets", "4 rows"}},
		{"negative count", fit(classify.PoissonTarget{}, none, 1, 2, -3, 4), []string{"t[2]", "-3", "counts"}},
		{"gamma zero", fit(classify.GammaTarget{}, none, 1, 2, 3, 0), []string{"t[3]", "greater than 0"}},
		{"Bernoulli 2", fit(classify.BernoulliTarget{}, none, 1, 2, 0, 0), []string{"t[1]", "between 0 and 1"}},
		{"Inf", fit(classify.GaussianTarget{}, none, 1, math.Inf(1), 0, 0), []string{"t[1]", "Inf"}},
		{"no counts", fit(classify.PoissonTarget{}, none, 0, 0, 0, 0), []string{"all 4 counts are 0", "prior"}},
		{"start", fit(classify.GammaTarget{}, classify.GLMOptions{Start: []float64{1, 0, 0}}, 1, 2, 3, 4),
			[]string{"start", "gamma"}},
		{"overflow", fit(classify.GaussianTarget{}, none, 1e200, -1e200, 0, 0), []string{"start", "units"}},
		{"outside the range", of(gamma.Mean(pointsOn(0, 5))), []string{"row 1", "gamma", "negative"}},
		{"unknown family", of(other.Mean(x)), []string{"binomial"}},
		{"family of a file",
			loadError(`{"schema":"hyperplane-glm/1","family":"x","scale":1,"w":[1,2]}`),
			[]string{`"x"`}},
		{"Pearson, short", of(good.PearsonScale(x, []float64{1})), []string{"1 targets", "4 rows"}},
		{"Pearson, few rows", of(good.PearsonScale(x.Slice(0, 3, 0, 2), []float64{1, 2, 4})),
			[]string{"3 rows", "not the scale"}},
	})
	m := must(classify.FitGLM(x, make([]float64, 4), classify.PoissonTarget{},
		classify.GLMOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	errorIf(t, !m.Converged || m.NullLogLikelihood != 0, "no counts, with a prior: null log likelihood %v: %s",
		m.NullLogLikelihood, m.Reason)
}

package classify_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// glmFamilies are the families with targets and weights that suit them, and ln p
// of one target by gonum's distributions.
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
			o := must(classify.GLMObjective(x, target, f.family, nil))(t)
			t.Run("derivatives", func(t *testing.T) { differences(t, o, f.w, true) })
			m := must(classify.FitGLM(x, target, f.family, classify.GLMOptions{}))(t)
			if !m.Converged {
				t.Fatal(m.Reason)
			}
			stationary(t, o, m.W, 1e-10)
			t.Run("log likelihood", func(t *testing.T) {
				var want, null float64
				mean := 0.0
				for _, v := range target {
					mean += v / float64(len(target))
				}
				link := map[string]float64{"Bernoulli": math.Log(mean / (1 - mean)), "Poisson": math.Log(mean), "Gaussian": mean, "gamma": -1 / mean}
				for i, η := range must(m.Activations(x))(t) {
					want += f.logp(target[i], η)
					null += f.logp(target[i], link[m.Family])
				}
				if math.Abs(m.LogLikelihood-want) > 1e-11*math.Abs(want) || math.Abs(m.NullLogLikelihood-null) > 1e-11*math.Abs(null) {
					t.Errorf("log likelihood %v and %v, by gonum %v and %v", m.LogLikelihood, m.NullLogLikelihood, want, null)
				}
				// E and −ln p differ by a constant, here taken at another w.
				at := 0.0
				for i := range target {
					at += f.logp(target[i], f.w[0]+f.w[1]*x.At(i, 0)+f.w[2]*x.At(i, 1))
				}
				if d := (must(o.Value(f.w))(t) + at) - (m.E + m.LogLikelihood); math.Abs(d) > 1e-10 {
					t.Errorf("E and −ln p differ by %v more at another w", d)
				}
			})
			t.Run("the means balance", func(t *testing.T) { // the bias component of Σ(y−t)φ = 0
				var d float64
				for i, y := range must(m.Mean(x))(t) {
					d += y - target[i]
				}
				if math.Abs(d) > 1e-9 {
					t.Errorf("Σ(y−t) = %v", d)
				}
			})
			t.Run("saved and loaded", func(t *testing.T) { roundTrip(t, m) })
			t.Run("prior", func(t *testing.T) {
				p := must(classify.FitGLM(x, target, f.family, classify.GLMOptions{Prior: classify.Isotropic{Alpha: 2, FreeBias: true}}))(t)
				o := must(classify.GLMObjective(x, target, f.family, classify.Isotropic{Alpha: 2, FreeBias: true}))(t)
				if !p.Converged {
					t.Error(p.Reason)
				}
				stationary(t, o, p.W, 1e-10)
			})
			t.Run("refit identical, nothing changed", func(t *testing.T) {
				x2, t2 := mat.DenseCopyOf(x), slices.Clone(target)
				again := must(classify.FitGLM(x, target, f.family, classify.GLMOptions{}))(t)
				if !reflect.DeepEqual(m, again) || !mat.Equal(x, x2) || !slices.Equal(target, t2) {
					t.Error("a second fit differs, or the data were changed")
				}
			})
		})
	}
}

// TestGLMTwins: the Bernoulli family is FitLogistic, the Gaussian least squares.
func TestGLMTwins(t *testing.T) {
	x, labels := clouds(60, 3, 2, 421)
	target := targets(labels)
	m := must(classify.FitGLM(x, target, classify.BernoulliTarget{}, classify.GLMOptions{}))(t)
	l := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	if !slices.Equal(m.W, l.W) || m.NullLogLikelihood != l.NullLogLikelihood || !mat.Equal(m.Covariance, l.Covariance) {
		t.Errorf("Bernoulli %v, logistic %v", m.W, l.W)
	}
	for _, s := range []float64{1, 1e-6, 1e6} {
		g := must(classify.FitGLM(x, target, classify.GaussianTarget{Scale: s}, classify.GLMOptions{}))(t)
		ls := must(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{}))(t)
		for i, w := range g.W {
			if want := ls.W.At(i, 0); math.Abs(w-want) > 1e-12*(1+math.Abs(want)) {
				t.Errorf("scale %v: weight %d is %v, least squares %v", s, i, w, want)
			}
		}
		// Σ(t−y)² is twice the part of E_D of one of the two mirrored outputs.
		if p := must(g.PearsonScale(x, target))(t); math.Abs(p-ls.SumSquare/56) > 1e-12 {
			t.Errorf("Pearson's scale %v, want %v", p, ls.SumSquare/56)
		}
	}
	t.Run("separable Bernoulli", func(t *testing.T) {
		s := must(classify.FitGLM(mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []float64{0, 0, 1, 1}, classify.BernoulliTarget{}, classify.GLMOptions{}))(t)
		if !s.Separable || s.Converged {
			t.Error(s.Reason)
		}
	})
}

// TestPoissonExistence: zero counts that a direction can lower without touching
// the others have no maximum.
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
		t.Run(c.name, func(t *testing.T) {
			x := mat.NewDense(len(c.x), 1, c.x)
			m := must(classify.FitGLM(x, c.t, classify.PoissonTarget{}, classify.GLMOptions{}))(t)
			if m.Converged != c.exists || m.Separable == c.exists {
				t.Fatalf("Converged %v, Separable %v: %s", m.Converged, m.Separable, m.Reason)
			}
			for i, v := range c.t {
				if c.exists {
					break
				}
				if d := m.Direction[0] + m.Direction[1]*c.x[i]; d > 1e-10 || v > 0 && d < -1e-10 {
					t.Errorf("row %d, count %v: the direction gives %v", i, v, d)
				}
			}
			p := must(classify.FitGLM(x, c.t, classify.PoissonTarget{}, classify.GLMOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
			if !p.Converged {
				t.Error(p.Reason)
			}
		})
	}
}

func TestGLMArguments(t *testing.T) {
	x, _ := clouds(4, 2, 2, 431)
	for _, c := range []struct {
		name   string
		family classify.TargetFamily
		t      []float64
		o      classify.GLMOptions
		want   []string
	}{
		{"no family", nil, []float64{1, 0, 1, 0}, classify.GLMOptions{}, []string{"family is nil"}},
		{"scale", classify.GammaTarget{Scale: -1}, []float64{1, 2, 1, 2}, classify.GLMOptions{}, []string{"Scale", "-1"}},
		{"scale NaN", classify.GaussianTarget{Scale: math.NaN()}, []float64{1, 2, 1, 2}, classify.GLMOptions{}, []string{"Scale", "NaN"}},
		{"short", classify.PoissonTarget{}, []float64{1, 2}, classify.GLMOptions{}, []string{"2 targets", "4 rows"}},
		{"negative count", classify.PoissonTarget{}, []float64{1, 2, -3, 4}, classify.GLMOptions{}, []string{"t[2]", "-3", "counts"}},
		{"gamma zero", classify.GammaTarget{}, []float64{1, 2, 3, 0}, classify.GLMOptions{}, []string{"t[3]", "greater than 0"}},
		{"Bernoulli 2", classify.BernoulliTarget{}, []float64{1, 2, 0, 0}, classify.GLMOptions{}, []string{"t[1]", "between 0 and 1"}},
		{"Inf", classify.GaussianTarget{}, []float64{1, math.Inf(1), 0, 0}, classify.GLMOptions{}, []string{"t[1]", "Inf"}},
		{"no counts", classify.PoissonTarget{}, make([]float64, 4), classify.GLMOptions{}, []string{"all 4 counts are 0", "prior"}},
		{"one class", classify.BernoulliTarget{}, make([]float64, 4), classify.GLMOptions{}, []string{"single class"}},
		{"start", classify.GammaTarget{}, []float64{1, 2, 3, 4}, classify.GLMOptions{Start: []float64{1, 0, 0}}, []string{"start", "gamma"}},
		{"overflow", classify.GaussianTarget{}, []float64{1e200, -1e200, 0, 0}, classify.GLMOptions{}, []string{"start", "units"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := classify.FitGLM(x, c.t, c.family, c.o)
			mentions(t, err, append(c.want, "FitGLM")...)
		})
	}
	t.Run("no counts, with a prior", func(t *testing.T) {
		m := must(classify.FitGLM(x, make([]float64, 4), classify.PoissonTarget{}, classify.GLMOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
		if !m.Converged || m.NullLogLikelihood != 0 {
			t.Errorf("null log likelihood %v: %s", m.NullLogLikelihood, m.Reason)
		}
	})
	t.Run("outside the range", func(t *testing.T) {
		m := &classify.GLM{Estimate: classify.Estimate{W: []float64{-1, 1}}, Family: "gamma", Scale: 1}
		_, err := m.Mean(mat.NewDense(2, 1, []float64{0, 5}))
		mentions(t, err, "row 1", "gamma", "negative")
	})
	t.Run("unknown family", func(t *testing.T) {
		m := &classify.GLM{Estimate: classify.Estimate{W: []float64{-1, 1}}, Family: "binomial"}
		_, err := m.Mean(x)
		mentions(t, err, "binomial")
		mentions(t, json.Unmarshal([]byte(`{"schema":"hyperplane-glm/1","family":"x","scale":1,"w":[1,2]}`), m), `"x"`)
	})
	t.Run("Pearson", func(t *testing.T) {
		m := must(classify.FitGLM(x, []float64{1, 2, 4, 3}, classify.GaussianTarget{}, classify.GLMOptions{}))(t)
		_, err := m.PearsonScale(x, []float64{1})
		mentions(t, err, "1 targets", "4 rows")
		_, err = m.PearsonScale(x.Slice(0, 3, 0, 2), []float64{1, 2, 4})
		mentions(t, err, "3 rows", "nothing")
	})
}

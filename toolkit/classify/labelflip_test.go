package classify_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// flipped returns overlapping clouds with every seventh label wrong.
func flipped(n int, seed uint64) (*mat.Dense, []float64) {
	x, labels := clouds(n, 2, 2, seed)
	x.Scale(2, x)
	t := targets(labels)
	for i := 0; i < n; i += 7 {
		t[i] = 1 - t[i]
	}
	return x, t
}

// TestLabelFlipParameters: ε counts as one where it is estimated.
func TestLabelFlipParameters(t *testing.T) {
	x, target := flipped(200, 521)
	target[4], target[9] = 0.3, 0.75
	for _, estimate := range []bool{false, true} {
		m := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.1, Estimate: estimate}))(t)
		inverses(t, m.Hessian, m.Covariance, 1e-9)
		se, err := m.EpsilonError()
		if estimate {
			within(t, se*se, m.Covariance.At(3, 3), 1e-14, "variance of ε, %v", err)
		} else {
			mentions(t, err, "given", "Estimate")
		}
		k := 3 + int(truth(estimate))
		errorIf(t, !m.Converged || m.DegreesOfFreedom() != k, "%d degrees of freedom for %d parameters: %s", m.DegreesOfFreedom(), k, m.Reason)
		within(t, m.AIC(), m.Deviance()+2*float64(k), 1e-12, "AIC")
		within(t, m.BIC(), m.Deviance()+float64(k)*math.Log(200), 1e-12, "BIC")
	}
}

func TestLabelFlipTwins(t *testing.T) {
	x, target := flipped(150, 531)
	l := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	m := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{}))(t)
	nearly(t, "ε = 0: weights", m.W, l.W, 1e-11)
	if math.Abs(m.LogLikelihood-l.LogLikelihood) > 1e-11 || math.Abs(m.NullLogLikelihood-l.NullLogLikelihood) > 1e-11 {
		t.Errorf("ε = 0: log likelihoods %v %v, logistic %v %v", m.LogLikelihood, m.NullLogLikelihood, l.LogLikelihood, l.NullLogLikelihood)
	}
	t.Run("soft targets of the model itself", func(t *testing.T) {
		// With t = p(t=1|x) of weights w the minimum is at w, ε.
		at := &classify.LabelFlip{Estimate: classify.Estimate{W: []float64{0.4, 1.5, -2}}, Epsilon: 0.12}
		soft := mat.Col(nil, 0, must(at.LabelPosterior(x))(t))
		got := must(classify.FitLabelFlip(x, soft, classify.LabelFlipOptions{Estimate: true}))(t)
		if !got.Converged || math.Abs(got.Epsilon-0.12) > 1e-9 {
			t.Errorf("ε = %v: %s", got.Epsilon, got.Reason)
		}
		nearly(t, "weights", got.W, at.W, 1e-8)
	})
	t.Run("clean labels put ε at the edge", func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 31))
		clean := make([]float64, 150)
		for i := range clean {
			clean[i] = truth(rng.Float64() < 1/(1+math.Exp(-0.5*x.At(i, 0)))) // much noise near the boundary, none far off
			if a := 0.5 * x.At(i, 0); math.Abs(a) > 1 {
				clean[i] = truth(a > 0)
			}
		}
		got := must(classify.FitLabelFlip(x, clean, classify.LabelFlipOptions{Estimate: true}))(t)
		l := must(classify.FitLogistic(x, clean, classify.LogisticOptions{}))(t)
		if got.Epsilon != 0 || !strings.Contains(got.Reason, "edge") || math.Abs(got.LogLikelihood-l.LogLikelihood) > 1e-9 || got.Covariance != nil {
			t.Errorf("ε = %v, log likelihood %v, logistic %v: %s", got.Epsilon, got.LogLikelihood, l.LogLikelihood, got.Reason)
		}
		_, err := got.EpsilonError()
		mentions(t, err, "no covariance", "edge")
	})
	t.Run("an outlier costs at most −ln ε", func(t *testing.T) {
		far := mat.NewDense(151, 2, nil)
		far.Stack(x, mat.NewDense(1, 2, []float64{1e6, 0}))
		o := classify.LabelFlipOptions{Epsilon: 0.1}
		base := must(classify.FitLabelFlip(x, target, o))(t)
		o.Start = base.W // it is another minimum that the outlier leaves as it is
		worse := must(classify.FitLabelFlip(far, append(slices.Clone(target), 1-truth(base.W[1] > 0)), o))(t)
		nearly(t, "weights with an outlier", worse.W, base.W, 1e-9)
		if d := base.LogLikelihood - worse.LogLikelihood; math.Abs(d+math.Log(0.1)) > 1e-9 {
			t.Errorf("the outlier costs %v, want −ln 0.1", d)
		}
	})
}

// TestLabelFlipStarts: more starts never end higher.
func TestLabelFlipStarts(t *testing.T) {
	for seed := range uint64(5) {
		x, target := flipped(40, 541+seed)
		prior := classify.Isotropic{Alpha: 0.01}
		one := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.15, Prior: prior}))(t)
		many := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.15, Prior: prior, Starts: 10, Seed: seed}))(t)
		if many.E > one.E+1e-9 {
			t.Errorf("seed %d: E = %v with more starts, %v with one", seed, many.E, one.E)
		}
		again := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.15, Prior: prior, Starts: 10, Seed: seed}))(t)
		if !slices.Equal(again.W, many.W) {
			t.Errorf("seed %d: another result the second time", seed)
		}
	}
}

func TestLabelFlipArguments(t *testing.T) {
	x, target := flipped(30, 551)
	fit := func(o classify.LabelFlipOptions) error { return of(classify.FitLabelFlip(x, target, o)) }
	refused(t, []refusal{
		{"half", fit(classify.LabelFlipOptions{Epsilon: 0.5}), []string{"FitLabelFlip", "Epsilon is 0.5"}},
		{"negative", fit(classify.LabelFlipOptions{Epsilon: -0.1}), []string{"Epsilon is -0.1"}},
		{"NaN", fit(classify.LabelFlipOptions{Epsilon: math.NaN()}), []string{"Epsilon is NaN"}},
		{"starts", fit(classify.LabelFlipOptions{Starts: -1}), []string{"Starts is -1"}},
	})
}

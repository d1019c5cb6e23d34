package classify_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

var samplers = []struct {
	name   string
	method classify.Sampler
	draws  int // of each chain in the tests of moments
}{
	{"Hamiltonian", classify.SamplerHamiltonian, 2000},
	{"random walk", classify.SamplerRandomWalk, 8000},
}

// skewed is a small sample with a wide prior: its posterior is far from Gaussian.
func skewed() (*mat.Dense, []float64, classify.Gaussian, *mat.Dense) {
	x := mat.NewDense(8, 1, []float64{-2, -1.2, -0.7, -0.1, 0.3, 0.4, 1.5, 2.5})
	t := []float64{0, 0, 0, 1, 0, 1, 1, 1}
	return x, t, classify.Gaussian{Mean: []float64{0.5, -0.5}, Cov: mat.NewSymDense(2, []float64{9, 2, 2, 16})}, mat.NewDense(3, 1, []float64{-1, 0.2, 4})
}

// pinned is the same with a bias that the prior holds at 0.3, to 1e-7: a posterior
// of the slope alone, from a nearly singular S0.
func pinned() (*mat.Dense, []float64, classify.Gaussian, *mat.Dense) {
	x, t, _, points := skewed()
	return x, t, classify.Gaussian{Mean: []float64{0.3, 0}, Cov: mat.NewSymDense(2, []float64{1e-14, 0, 0, 25})}, points
}

// divided is separable, with a prior.
func divided() (*mat.Dense, []float64, classify.Gaussian, *mat.Dense) {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3})
	return x, []float64{0, 0, 0, 1, 1, 1}, classify.Gaussian{Cov: mat.NewSymDense(2, []float64{4, 0, 0, 25})}, mat.NewDense(2, 1, []float64{0.5, -2.5})
}

// TestSampleExact: means, variances and predictive probabilities of all samplers
// are within 4 of their own Monte Carlo standard errors of the exact ones, over 20
// seeds; and the errors are neither too small nor too large: their quotients with
// the deviations have a mean square near 1.
func TestSampleExact(t *testing.T) {
	for _, c := range []struct {
		name string
		data func() (*mat.Dense, []float64, classify.Gaussian, *mat.Dense)
	}{{"two weights", skewed}, {"one weight", pinned}, {"separable", divided}} {
		x, target, prior, points := c.data()
		e := sampleIntegrate(t, x, target, prior, points)
		for _, s := range samplers {
			t.Run(c.name+", "+s.name, func(t *testing.T) {
				var square, count float64
				within := func(what string, seed uint64, got, want, se float64) {
					z := (got - want) / se
					errorIf(t, !(math.Abs(z) <= 4), "seed %d: %s is %.5g, exactly %.5g: %.1f errors of %.2g apart", seed, what, got, want, z, se)
					square += z * z
					count++
				}
				for seed := range uint64(20) {
					m := must(classify.SampleLogistic(x, target, classify.SampleLogisticOptions{Prior: prior, Method: s.method, Draws: s.draws, Warmup: 300, Seed: seed}))(t)
					p, se := must2(m.PosteriorError(points))(t)
					for j, want := range e.mean {
						within(fmt.Sprintf("mean of w%d", j), seed, m.Mean[j], want, m.MCError[j])
						// The variance is the mean of (w−mean)²; its error is taken from
						// the means of twenty runs of draws in each chain.
						v, se := batched(must(m.Trace(j))(t), want)
						within(fmt.Sprintf("variance of w%d", j), seed, v, e.cov.At(j, j), se)
					}
					for i, want := range e.posterior {
						within(fmt.Sprintf("p at point %d", i), seed, p.At(i, 0), want, se.At(i, 0))
					}
				}
				ms := square / count
				errorIf(t, ms < 0.6 || ms > 1.6, "mean square of the deviations in errors is %.2f, over %v comparisons", ms, count)
			})
		}
	}
}

// batched returns the mean of (w−centre)² and its error by batch means.
func batched(chains [][]float64, centre float64) (mean, se float64) {
	var means []float64
	for _, c := range chains {
		n := len(c) / 20
		for b := range 20 {
			var sum float64
			for _, w := range c[b*n : (b+1)*n] {
				sum += (w - centre) * (w - centre)
			}
			means = append(means, sum/float64(n))
		}
	}
	for _, v := range means {
		mean += v / float64(len(means))
	}
	for _, v := range means {
		se += (v - mean) * (v - mean)
	}
	k := float64(len(means))
	return mean, math.Sqrt(se / (k - 1) / k)
}

// TestSampleDraws: every recorded log posterior is that of its draw, and the draws
// depend on the seed and the chain.
func TestSampleDraws(t *testing.T) {
	x, target, prior, _ := skewed()
	o := must(classify.LogisticObjective(x, target, prior))(t)
	for _, s := range samplers {
		t.Run(s.name, func(t *testing.T) {
			opt := classify.SampleLogisticOptions{Prior: prior, Method: s.method, Draws: 100, Warmup: 50, Chains: 3, Seed: 7}
			m := must(classify.SampleLogistic(x, target, opt))(t)
			for c, chain := range m.Chains {
				for i, l := range m.LogPosterior[c] {
					nearly(t, "ln p of a draw", []float64{l}, []float64{-must(o.Value(chain.RawRowView(i)))(t)}, 1e-10)
				}
			}
			errorIf(t, mat.Equal(m.Chains[0], m.Chains[1]), "two chains are equal")
			opt.Seed = 8
			if again := must(classify.SampleLogistic(x, target, opt))(t); mat.Equal(m.Chains[0], again.Chains[0]) {
				t.Error("two seeds give the same draws")
			}
			all := must(m.Draws())(t)
			if r, _ := all.Dims(); r != 300 || all.At(250, 1) != m.Chains[2].At(50, 1) {
				t.Errorf("%d draws", r)
			}
		})
	}
}

// TestSampleTarget: the warm-up arrives at the acceptance asked for.
func TestSampleTarget(t *testing.T) {
	x, labels := clouds(200, 4, 2, 5)
	target := targets(labels)
	for _, c := range []struct {
		name   string
		method classify.Sampler
		target float64
		want   float64
		slack  float64
	}{
		// The defaults: 0.234 + 0.206/5 for five weights, and 0.8.
		{"random walk", classify.SamplerRandomWalk, 0, 0.234 + 0.206/5, 0.06},
		{"random walk, 0.5", classify.SamplerRandomWalk, 0.5, 0.5, 0.06},
		{"Hamiltonian, 0.95", classify.SamplerHamiltonian, 0.95, 0.95, 0.04},
		{"Hamiltonian", classify.SamplerHamiltonian, 0, 0.8, 0.1},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := must(classify.SampleLogistic(x, target, classify.SampleLogisticOptions{Prior: classify.Isotropic{Alpha: 1}, Method: c.method, Target: c.target, Draws: 2000, Warmup: 1000}))(t)
			for i, a := range m.Acceptance {
				errorIf(t, math.Abs(a-c.want) > c.slack, "chain %d accepts %.3f, wanted %.3f (step %.3f)", i, a, c.want, m.StepSize[i])
			}
		})
	}
}

// TestSampleWarnings: chains too short to agree, or to tell much, say so.
func TestSampleWarnings(t *testing.T) {
	x, labels := clouds(200, 6, 2, 5)
	target := targets(labels)
	o := classify.SampleLogisticOptions{Prior: classify.Isotropic{Alpha: 1}, Method: classify.SamplerRandomWalk, Draws: 20, Warmup: 1, Target: 0.99}
	m := must(classify.SampleLogistic(x, target, o))(t)
	errorIf(t, m.Converged, "20 draws with tiny steps count as converged: %s", m.Reason)
	mentions(t, fmt.Errorf("%s", m.Reason), "R̂ of w", "chains do not agree", "effective sample size", "Hamiltonian")
	m = must(classify.SampleLogistic(x, target, classify.SampleLogisticOptions{Prior: o.Prior}))(t)
	errorIf(t, !m.Converged || m.Divergent != 0, "%s", m.Reason)
	mentions(t, fmt.Errorf("%s", m.Reason), "the chains agree", "R̂ is at most 1.00")
}

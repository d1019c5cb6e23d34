package classify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/mcmc"
)

// measure fills in the moments and the diagnostics from the draws.
func (m *LogisticSample) measure() {
	draws, k := m.Chains[0].Dims()
	d := mcmc.NewDiagnoser(draws)
	m.Mean, m.RHat, m.ESS, m.MCError = make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k)
	for j := range k {
		g := d.Diagnose(m.series(j))
		m.Mean[j], m.RHat[j], m.ESS[j], m.MCError[j] = g.Mean, g.Rhat, g.Ess, math.Sqrt(g.Variance/g.Ess)
	}
	m.Covariance = mat.NewSymDense(k, nil)
	n := float64(draws*len(m.Chains) - 1)
	u := make([]float64, k)
	for _, c := range m.Chains {
		for i := range draws {
			for j, v := range c.RawRowView(i) {
				u[j] = v - m.Mean[j]
			}
			for j := range u {
				for l := j; l < k; l++ {
					m.Covariance.SetSym(j, l, m.Covariance.At(j, l)+u[j]*u[l]/n)
				}
			}
		}
	}
	m.judge(d.Diagnose(m.LogPosterior).Rhat)
}

// judge says whether the chains can be trusted.
func (m *LogisticSample) judge(density float64) {
	worst, least := 0, 0
	for j := range m.RHat {
		if m.RHat[j] > m.RHat[worst] {
			worst = j
		}
		if m.ESS[j] < m.ESS[least] {
			least = j
		}
	}
	const remedy = "draw more, or with a longer Warmup"
	var found []string
	if !(m.RHat[worst] <= sampleRHat) {
		found = append(found, fmt.Sprintf("R̂ of w%d is %.4g, above %v: the chains do not agree yet; %s", worst, m.RHat[worst], sampleRHat, remedy))
	} else if !(density <= sampleRHat) {
		found = append(found, fmt.Sprintf("R̂ of the log posterior is %.4g, above %v: the chains do not agree yet; %s", density, sampleRHat, remedy))
	}
	if m.ESS[least] < sampleLeast {
		advice := remedy
		if m.Method != SamplerHamiltonian {
			advice += ", or use the Hamiltonian sampler"
		}
		found = append(found, fmt.Sprintf("the effective sample size of w%d is %.0f, below %d; %s", least, m.ESS[least], sampleLeast, advice))
	}
	m.Converged = len(found) == 0
	if m.Divergent > 0 {
		found = append(found, fmt.Sprintf("%d Hamiltonian trajectories lost the energy: parts of the posterior may be missing; use a Target nearer to 1", m.Divergent))
	}
	if len(found) == 0 {
		found = append(found, fmt.Sprintf("the chains agree: R̂ is at most %.4f, the effective sample size at least %.0f", math.Max(slices.Max(m.RHat), density), m.ESS[least]))
	}
	m.Reason = strings.Join(found, "; ")
}

// series returns the draws of weight j, one slice for each chain.
func (m *LogisticSample) series(j int) [][]float64 {
	out := make([][]float64, len(m.Chains))
	for c, draws := range m.Chains {
		out[c] = mat.Col(nil, j, draws)
	}
	return out
}

// Trace returns the draws of weight j (0 is the bias), one slice for each chain in
// the order drawn: what a trace plot shows. A weight that does not exist is an
// error.
func (m *LogisticSample) Trace(j int) ([][]float64, error) {
	if err := m.weight(j); err != nil {
		return nil, failure("Trace", err)
	}
	return m.series(j), nil
}

// Autocorrelation returns the autocorrelation of weight j at lags 0 … lags, for
// each chain. It is 0 after lag 0 for a chain that never moved. Errors: a weight
// that does not exist, lags that are negative or not less than the draws of a
// chain.
func (m *LogisticSample) Autocorrelation(j, lags int) ([][]float64, error) {
	if err := m.weight(j); err != nil {
		return nil, failure("Autocorrelation", err)
	}
	draws, _ := m.Chains[0].Dims()
	if lags < 0 || lags >= draws {
		return nil, failure("Autocorrelation", fmt.Errorf("lags is %d: chains of %d draws have lags 0 to %d", lags, draws, draws-1))
	}
	d := mcmc.NewDiagnoser(2 * draws)
	out := m.series(j)
	for c, s := range out {
		cov := make([]float64, draws)
		d.Autocovariance(s, stat.Mean(s, nil), cov)
		first := cov[0]
		for t := range cov {
			if first > 0 {
				cov[t] /= first
			}
		}
		cov[0] = 1
		out[c] = cov[:lags+1]
	}
	return out, nil
}

// Draws returns all draws as one matrix, chain after chain, one weight vector per
// row: a cloud to be drawn, or to compute with. A sample without draws is an error.
func (m *LogisticSample) Draws() (*mat.Dense, error) {
	if len(m.Chains) == 0 || len(m.Mean) == 0 {
		return nil, failure("Draws", errNoWeights("SampleLogistic"))
	}
	draws, k := m.Chains[0].Dims()
	out := mat.NewDense(draws*len(m.Chains), k, nil)
	for c, chain := range m.Chains {
		out.Slice(c*draws, (c+1)*draws, 0, k).(*mat.Dense).Copy(chain)
	}
	return out, nil
}

// Intervals returns for each weight the interval that holds it with the given
// posterior probability, with equal tails on either side: quantiles of the draws.
// Errors: a level that is not between 0 and 1, and those of Draws.
func (m *LogisticSample) Intervals(level float64) (lo, hi []float64, err error) {
	if !(level > 0 && level < 1) {
		return nil, nil, failure("Intervals", fmt.Errorf("level is %v: it is a probability between 0 and 1", level))
	}
	all, err := m.Draws()
	if err != nil {
		return nil, nil, err
	}
	for j := range m.Mean {
		v := mat.Col(nil, j, all)
		slices.Sort(v)
		lo = append(lo, stat.Quantile((1-level)/2, stat.LinInterp, v, nil))
		hi = append(hi, stat.Quantile((1+level)/2, stat.LinInterp, v, nil))
	}
	return lo, hi, nil
}

func (m *LogisticSample) weight(j int) error {
	if len(m.Chains) == 0 || len(m.Mean) == 0 {
		return errNoWeights("SampleLogistic")
	}
	if j < 0 || j >= len(m.Mean) {
		return fmt.Errorf("j is %d: the weights are 0 (the bias) to %d", j, len(m.Mean)-1)
	}
	return nil
}

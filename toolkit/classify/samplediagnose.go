package classify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

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
		if m.Method != Hamiltonian {
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

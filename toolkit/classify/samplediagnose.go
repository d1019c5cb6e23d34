package classify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// diagnosis is what the chains tell of one quantity.
type diagnosis struct {
	mean, variance float64 // of all draws
	rhat, ess      float64
}

// diagnoser holds the memory for chains of one length.
type diagnoser struct {
	half int
	fft  *fourier.FFT
	pad  []float64
	freq []complex128
}

func newDiagnoser(draws int) *diagnoser {
	d := &diagnoser{half: draws / 2}
	size := 1
	for size < 2*d.half {
		size *= 2
	}
	d.fft = fourier.NewFFT(size)
	d.pad, d.freq = make([]float64, size), make([]complex128, size/2+1)
	return d
}

// diagnose computes split-R̂ and the effective sample size (Gelman et al. 2013,
// 11.4 and 11.5) of one series per chain. Each is cut into halves of h draws; with
// W the mean of the halves' variances and B/h the variance of their means,
//
//	var⁺ = (h−1)/h·W + B/h,  R̂ = √(var⁺/W),  ρ_t = 1 − (W − mean autocovariance_t)/var⁺,
//
// and ESS = (all draws)/(1 + 2Σρ_t), the sum running over pairs ρ_2k + ρ_2k+1 as
// long as they are positive, and no pair larger than the one before (Geyer 1992).
func (d *diagnoser) diagnose(series [][]float64) diagnosis {
	h := float64(d.half)
	var all int
	var out diagnosis
	for _, s := range series {
		all += len(s)
		for _, v := range s {
			out.mean += v
		}
	}
	out.mean /= float64(all)
	acov := make([]float64, d.half)
	var w float64
	var means []float64
	for _, s := range series {
		for _, v := range s {
			out.variance += (v - out.mean) * (v - out.mean)
		}
		for _, half := range [][]float64{s[:d.half], s[len(s)-d.half:]} {
			m, v := stat.MeanVariance(half, nil)
			means = append(means, m)
			w += v
			d.autocovariance(half, m, acov)
		}
	}
	out.variance /= float64(all - 1)
	parts := float64(len(means))
	w /= parts
	between := stat.Variance(means, nil)
	plus := (h-1)/h*w + between
	total := parts * h
	switch {
	case plus == 0: // all draws are equal
		out.rhat, out.ess = 1, total
		return out
	case w == 0: // no chain moved
		out.rhat, out.ess = math.Inf(1), parts/2
		return out
	}
	out.rhat = math.Sqrt(plus / w)
	ρ := func(t int) float64 {
		if t == 0 {
			return 1
		}
		return 1 - (w-acov[t]/parts)/plus
	}
	τ, before := -1.0, math.Inf(1)
	for t := 0; t+1 < d.half; t += 2 {
		pair := ρ(t) + ρ(t+1)
		if !(pair > 0) {
			break
		}
		before = math.Min(before, pair)
		τ += 2 * before
	}
	// Draws that alternate can be worth more than independent ones; how much more
	// cannot be told from the series, so it is bounded (Vehtari et al. 2021).
	out.ess = total / math.Max(τ, 1/math.Log10(math.Max(total, 10)))
	return out
}

// autocovariance adds (1/h)Σ_i (s_i−m)(s_i+t−m) to sum_t, by the Fourier transform
// of the series padded with zeros.
func (d *diagnoser) autocovariance(s []float64, m float64, sum []float64) {
	clear(d.pad)
	for i, v := range s {
		d.pad[i] = v - m
	}
	d.fft.Coefficients(d.freq, d.pad)
	for i, c := range d.freq {
		d.freq[i] = complex(real(c)*real(c)+imag(c)*imag(c), 0)
	}
	d.fft.Sequence(d.pad, d.freq)
	for t := range sum {
		sum[t] += d.pad[t] / float64(len(d.pad)) / float64(len(s))
	}
}

// measure fills in the moments and the diagnostics from the draws.
func (m *LogisticSample) measure() {
	draws, k := m.Chains[0].Dims()
	d := newDiagnoser(draws)
	m.Mean, m.RHat, m.ESS, m.MCError = make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k)
	for j := range k {
		g := d.diagnose(m.series(j))
		m.Mean[j], m.RHat[j], m.ESS[j], m.MCError[j] = g.mean, g.rhat, g.ess, math.Sqrt(g.variance/g.ess)
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
	m.judge(d.diagnose(m.LogPosterior).rhat)
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

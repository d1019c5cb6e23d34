package mcmc

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/stat"
)

// Diagnosis contains the statistics of one quantity, computed from all chains. `Rhat` is split-R̂,
// and `Ess` is the effective sample size.
type Diagnosis struct {
	Mean, Variance float64 // over all draws
	Rhat, Ess      float64
}

// Diagnoser computes diagnoses for chains that all have the same length. It reuses its scratch
// memory.
type Diagnoser struct {
	half int
	fft  *fourier.FFT
	pad  []float64
	freq []complex128
}

// NewDiagnoser returns a diagnoser for chains with the given number of draws.
func NewDiagnoser(draws int) *Diagnoser {
	d := &Diagnoser{half: draws / 2}
	size := 1
	for size < 2*d.half {
		size *= 2
	}
	d.fft = fourier.NewFFT(size)
	d.pad, d.freq = make([]float64, size), make([]complex128, size/2+1)
	return d
}

// Diagnose computes split-R̂ and the effective sample size (Gelman et al. 2013, 11.4 and 11.5) from
// one series for each chain. It divides each series into two halves of h draws, without the middle
// draw if the number of draws is odd. Let W be the mean of the variances of the halves, and B/h the
// variance of the means of the halves. Then
//
//	var⁺ = (h−1)/h·W + B/h, R̂ = √(var⁺/W), ρ_t = 1 − (W − mean autocovariance_t)/var⁺,
//
// and ESS = (all draws)/(1 + 2Σρ_t). The sum is computed from the pairs ρ_{2k} + ρ_{2k+1}. The sum
// ends before the first pair that is not positive. A pair that is larger than the previous pair is
// replaced by the previous pair (Geyer 1992).
func (d *Diagnoser) Diagnose(series [][]float64) Diagnosis {
	h := float64(d.half)
	var all int
	var out Diagnosis
	for _, s := range series {
		all += len(s)
		for _, v := range s {
			out.Mean += v
		}
	}
	out.Mean /= float64(all)
	acov := make([]float64, d.half)
	var w float64
	var means []float64
	for _, s := range series {
		for _, v := range s {
			out.Variance += (v - out.Mean) * (v - out.Mean)
		}
		for _, half := range [][]float64{s[:d.half], s[len(s)-d.half:]} {
			m, v := stat.MeanVariance(half, nil)
			means = append(means, m)
			w += v
			d.Autocovariance(half, m, acov)
		}
	}
	out.Variance /= float64(all - 1)
	parts := float64(len(means))
	w /= parts
	between := stat.Variance(means, nil)
	plus := (h-1)/h*w + between
	total := parts * h
	switch {
	case plus == 0: // the variance is 0, because all draws are equal
		out.Rhat, out.Ess = 1, total
		return out
	case w == 0: // the draws within each half are equal, but the halves differ
		out.Rhat, out.Ess = math.Inf(1), parts/2
		return out
	}
	out.Rhat = math.Sqrt(plus / w)
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
	// If successive draws are negatively correlated, the effective sample size can exceed the
	// number of draws. The series does not show reliably by how much, so Diagnose limits ESS
	// (Vehtari et al. 2021).
	out.Ess = total / math.Max(τ, 1/math.Log10(math.Max(total, 10)))
	return out
}

// Autocovariance adds (1/h)Σ_i (s_i−m)(s_{i+t}−m) to sum_t for every lag t, where h is the length
// of the series s. It pads the series with zeros and computes these sums with a Fourier transform.
func (d *Diagnoser) Autocovariance(s []float64, m float64, sum []float64) {
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

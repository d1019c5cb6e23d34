package classify

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/mcmc"
)

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

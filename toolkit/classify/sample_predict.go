package classify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/mcmc"
)

// activationSeries calls f for each row of x with its activations wᵀφ for every
// draw, one slice for each chain, from several goroutines. newF is called once for
// each of them.
func (m *LogisticSample) activationSeries(x mat.Matrix, newF func() func(row int, a [][]float64)) error {
	if err := m.check(x); err != nil {
		return err
	}
	draws, _ := m.Chains[0].Dims()
	bad := block.Reduce(block.NewDesign(block.NewSource(x), nil, nil), 0, func() *int { b := -1; return &b },
		func(int) func(*int, *block.Block) {
			f := newF()
			a := make([][]float64, len(m.Chains))
			for c := range a {
				a[c] = make([]float64, draws)
			}
			return func(bad *int, b *block.Block) {
				for r := range b.N {
					nan := false
					φ := b.Row(r)
					for c, w := range m.Chains {
						for i := range draws {
							a[c][i] = linalg.Dot(φ, w.RawRowView(i))
							nan = nan || math.IsNaN(a[c][i])
						}
					}
					if nan {
						if *bad < 0 {
							*bad = b.Lo + r
						}
						continue
					}
					f(b.Lo+r, a)
				}
			}
		}, func(dst, src *int) {
			if *dst < 0 {
				*dst = *src
			}
		})
	if *bad >= 0 {
		return failure("LogisticSample", fmt.Errorf("the activation of row %d is not a number: wᵀφ overflows, choose other units for x", *bad))
	}
	return nil
}

// logOdds returns the logarithm of Σσ(a)/Σσ(−a): also where both a sum and its
// terms are too small for numbers.
func logOdds(a [][]float64) float64 {
	var y, c float64
	n := 0
	for _, s := range a {
		n += len(s)
		for _, v := range s {
			p, q, _ := kernels.SigmoidParts(v)
			y += p
			c += q
		}
	}
	if tiny := 1e-280 * float64(n); y > tiny && c > tiny {
		return math.Log(y) - math.Log(c)
	}
	logs := func(sign float64) float64 {
		l := make([]float64, 0, n)
		for _, s := range a {
			for _, v := range s {
				l = append(l, kernels.LogSigmoid(sign*v))
			}
		}
		return kernels.LogSumExp(l)
	}
	return logs(1) - logs(-1)
}

// Scores returns N×2: the logarithm of the predictive odds, ln p(C₁)/p(C₂), and 0.
func (m *LogisticSample) Scores(x mat.Matrix) (*mat.Dense, error) {
	if err := m.check(x); err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	out := mat.NewDense(n, 2, nil)
	err := m.activationSeries(x, func() func(int, [][]float64) {
		return func(row int, a [][]float64) { out.Set(row, 0, logOdds(a)) }
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Posterior returns N×2: the predictive p(C₁|φ, t) = mean of σ(wᵀφ) over all draws,
// PRML (4.145) by sampling, and p(C₂|φ, t).
//
// Equations: PRML (4.145).
func (m *LogisticSample) Posterior(x mat.Matrix) (*mat.Dense, error) {
	p, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	n, _ := p.Dims()
	for i := range n {
		s := p.At(i, 0)
		p.Set(i, 0, kernels.Sigmoid(s))
		p.Set(i, 1, kernels.Sigmoid(-s))
	}
	return p, nil
}

// PosteriorError returns the predictive distribution and its Monte Carlo standard
// error, √(variance/ESS) of σ(wᵀφ) over the draws, the same for both classes. It is
// the error of having drawn finitely many weights, not the uncertainty of the
// weights, which the probability itself contains.
func (m *LogisticSample) PosteriorError(x mat.Matrix) (p, se *mat.Dense, err error) {
	if err := m.check(x); err != nil {
		return nil, nil, err
	}
	n, _ := x.Dims()
	p, se = mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil)
	draws, _ := m.Chains[0].Dims()
	err = m.activationSeries(x, func() func(int, [][]float64) {
		d := mcmc.NewDiagnoser(draws)
		return func(row int, a [][]float64) {
			s := logOdds(a)
			p.SetRow(row, []float64{kernels.Sigmoid(s), kernels.Sigmoid(-s)})
			// Towards the smaller class, where σ keeps its digits.
			sign := 1.0
			if s > 0 {
				sign = -1
			}
			for _, c := range a {
				for i, v := range c {
					c[i] = kernels.Sigmoid(sign * v)
				}
			}
			g := d.Diagnose(a)
			e := math.Sqrt(g.Variance / g.Ess)
			se.SetRow(row, []float64{e, e})
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return p, se, nil
}

// Predict returns 0 (C₁) for rows with predictive odds ≥ 1 and 1 (C₂) for the
// others.
func (m *LogisticSample) Predict(x mat.Matrix) ([]int, error) { return largestOf(m.Scores(x)) }

// ActivationMoments returns the mean and the variance of the activation of each
// row of x over the draws.
func (m *LogisticSample) ActivationMoments(x mat.Matrix) (mean, variance []float64, err error) {
	if err := m.check(x); err != nil {
		return nil, nil, err
	}
	n, _ := x.Dims()
	mean, variance = make([]float64, n), make([]float64, n)
	err = m.activationSeries(x, func() func(int, [][]float64) {
		return func(row int, a [][]float64) { mean[row], variance[row] = pooledMoments(a) }
	})
	if err != nil {
		return nil, nil, err
	}
	return mean, variance, nil
}

// pooledMoments returns the mean and the variance of all chains together.
func pooledMoments(a [][]float64) (mean, variance float64) {
	n := 0
	for _, s := range a {
		n += len(s)
		for _, v := range s {
			mean += v
		}
	}
	mean /= float64(n)
	for _, s := range a {
		for _, v := range s {
			variance += (v - mean) * (v - mean)
		}
	}
	return mean, variance / float64(n-1)
}

// WeightMoments returns the mean and the covariance of all draws, as copies.
func (m *LogisticSample) WeightMoments() (mean []float64, cov *mat.SymDense) {
	return (&BayesLogistic{W: m.Mean, Covariance: m.Covariance}).WeightMoments()
}

// DegreesOfFreedom returns the number of weights, D+1.
func (m *LogisticSample) DegreesOfFreedom() int { return len(m.Mean) }

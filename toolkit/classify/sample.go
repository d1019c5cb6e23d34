package classify

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/mcmc"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

var _ ActivationPosterior = (*LogisticSample)(nil)

// LogisticSample contains draws from the posterior p(w|t) of logistic regression, made by Markov
// chain Monte Carlo. The method assumes nothing about the shape of the posterior, but every result
// has a Monte Carlo error.
//
// All samplers work in the coordinates w = w_MAP + Rz, RRᵀ = S_N. In these coordinates the Laplace
// approximation (4.144) is N(z|0, I), so the same step size is suitable for all directions. The
// chains start at random points of N(z|0, 4I), which is wider than the posterior. If the chains
// later agree, their draws no longer depend on the starting points.
//
// Equations: PRML (4.141).
type LogisticSample struct {
	Names
	Chains       []*mat.Dense // the draws, one matrix per chain: Draws×(D+1), bias first
	LogPosterior [][]float64  // the value of ln p(t|w) − ½(w−m0)ᵀS0⁻¹(w−m0) at each draw

	Mean       []float64     // mean of all draws
	Covariance *mat.SymDense // covariance of all draws; the divisor is the number of draws − 1
	// RHat is the split-R̂ of each weight (Gelman et al. 2013), computed from both halves of every
	// chain. A value near 1 means that the chains agree.
	RHat []float64
	// ESS is the effective sample size of each weight. The mean of ESS independent draws would have
	// the same Monte Carlo error. ESS exceeds the number of draws if successive draws alternate
	// around the mean.
	ESS []float64
	// MCError is the Monte Carlo standard error of Mean, √(variance/ESS).
	MCError []float64

	Method Sampler
	// Acceptance contains, per chain, the share of proposals accepted after the warm-up. For
	// SamplerHamiltonian it contains the mean acceptance probability, which is close to this share.
	Acceptance []float64
	StepSize   []float64 // step size after the warm-up, per chain, in units of z
	Divergent  int       // number of Hamiltonian trajectories after the warm-up for which the leapfrog rule diverged
	Warmup     int       // number of draws discarded per chain
	Seed       uint64
	N          int // number of rows in the fit: the sum of the row weights, rounded
	// Converged reports whether the chains agree and have enough effective draws. The chains agree
	// if R̂ ≤ 1.01 for every weight and for LogPosterior. The effective draws are enough if ESS ≥
	// 100 for every weight.
	Converged bool
	Reason    string // the results of the diagnostics, including warnings
}

const (
	sampleRHat  = 1.01 // largest accepted R̂ (Vehtari et al. 2021)
	sampleLeast = 100  // smallest accepted ESS, at which the mean has an error of a tenth of a standard deviation

	sampleWarmup = 1 << 27 // largest valid value of the option Warmup
)

// SampleLogistic draws from the posterior of the weights for inputs x (N×D) and targets t in [0,1].
// t = 1 means C₁. The chains run concurrently. The draws depend only on the options and the data,
// not on the number of processors.
//
// A proper prior allows separable classes, a single class, dependent columns and more columns than
// rows. Without data the draws come from the prior. In this case x is an empty
// mat.Dense, t is empty, and a Gaussian prior determines the number of weights.
//
// A random-walk draw needs one or two passes over the rows. A Hamiltonian draw needs one pass for
// each step of its trajectory, and at most one more pass. SampleLogistic allocates no array of size N×D.
//
// Errors: the errors of FitVariationalLogistic; options out of range; draws that need more than 1 GB.
//
// Equations: PRML (4.140), (4.141).
func SampleLogistic(x mat.Matrix, t []float64, o SampleLogisticOptions) (*LogisticSample, error) {
	m, err := sampleLogistic(x, t, o)
	if err != nil {
		return nil, weightedFailure("SampleLogistic", o.Weights, err)
	}
	return m, nil
}

func sampleLogistic(x mat.Matrix, t []float64, o SampleLogisticOptions) (*LogisticSample, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	target, err := newSampleTarget(x, t, o.Weights, o.Prior)
	if err != nil {
		return nil, err
	}
	if err := check.Drawn(float64(o.Chains)*float64(o.Draws), target.M); err != nil {
		return nil, err
	}
	if o.Target == 0 {
		o.Target = o.Method.defaultTarget(target.M)
	}
	m := &LogisticSample{
		Chains: make([]*mat.Dense, o.Chains), LogPosterior: make([][]float64, o.Chains),
		Acceptance: make([]float64, o.Chains), StepSize: make([]float64, o.Chains),
		Method: o.Method, Warmup: o.Warmup, Seed: o.Seed,
	}
	if target.N > 0 {
		m.N = wholeRows(target.Src.Total())
	}
	lost := make([]int, o.Chains)
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for c := range o.Chains {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			r := target.Chain(mcmc.ChainOptions{Walk: o.Method == SamplerRandomWalk, Draws: o.Draws, Warmup: o.Warmup,
				Target: o.Target, Seed: o.Seed}, c)
			m.Chains[c], m.LogPosterior[c], m.Acceptance[c], m.StepSize[c], lost[c] = r.Draws, r.LogP, r.Accepted,
				r.Step, r.Lost
		})
	}
	wg.Wait()
	for c, v := range lost {
		m.Divergent += v
		for _, w := range m.Chains[c].RawMatrix().Data {
			if math.IsNaN(w) || math.IsInf(w, 0) {
				return nil, errors.New("a drawn weight is NaN or Inf: choose other units for x, or a narrower prior")
			}
		}
	}
	m.computeMoments()
	if !linalg.Finite(m.Covariance) {
		return nil, errors.New("the covariance of the weights overflows: choose other units for x, or a narrower prior")
	}
	return m, nil
}

// check returns an error if the model has no draws, or if x has the wrong number of columns or
// contains NaN or Inf.
func (m *LogisticSample) check(x mat.Matrix) error {
	if m == nil || len(m.Chains) == 0 || len(m.Mean) == 0 {
		return failure("LogisticSample", errNoWeights("SampleLogistic"))
	}
	if _, err := check.New(x, len(m.Mean)-1); err != nil {
		return failure("LogisticSample", err)
	}
	return nil
}

// Sampler is a method of drawing from the posterior of the weights.
type Sampler int

const (
	// SamplerHamiltonian is Hamiltonian Monte Carlo. Each trajectory follows the gradient by the
	// leapfrog rule. The length of a trajectory is random, about a quarter of a full oscillation.
	SamplerHamiltonian Sampler = iota
	// SamplerRandomWalk is the Metropolis algorithm with Gaussian steps of equal size in all
	// directions of z (see LogisticSample). Its successive draws are more strongly correlated than the
	// draws of SamplerHamiltonian.
	SamplerRandomWalk
)

// SampleLogisticOptions are the options of SampleLogistic. The zero value selects 4 chains of 1000
// draws by Hamiltonian Monte Carlo under a flat prior.
type SampleLogisticOptions struct {
	// Prior is N(w|m0, S0). Nil means a flat prior. The classes must then overlap.
	Prior Prior
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
	// Method is the sampler; the zero value is SamplerHamiltonian.
	Method Sampler
	// Chains is the number of chains, each with its own start and random numbers; 0 means 4.
	Chains int
	// Draws is the number of draws kept per chain; 0 means 1000.
	Draws int
	// Warmup is the number of draws that are discarded at the start of a chain; 0 means 500.
	// During the warm-up the sampler adapts the step size.
	Warmup int
	// Target is the share of proposals that should be accepted. During the warm-up the sampler
	// adapts the step size to reach this share. For SamplerHamiltonian, 0 means 0.8. For
	// SamplerRandomWalk, 0 means 0.44 for one weight and less for more weights, down to 0.234.
	Target float64
	// Seed is the seed of the random numbers. Equal seeds give equal draws.
	Seed uint64
}

// complete checks the options and replaces zero options with their defaults, except for Target.
func (o *SampleLogisticOptions) complete() error {
	if o.Method < SamplerHamiltonian || o.Method > SamplerRandomWalk {
		return fmt.Errorf("option Method is %d: it must be SamplerHamiltonian or SamplerRandomWalk", o.Method)
	}
	for _, v := range []struct {
		name        string
		at          *int
		least, none int
	}{{"Chains", &o.Chains, 1, 4}, {"Draws", &o.Draws, 4, 1000}, {"Warmup", &o.Warmup, 1, 500}} {
		if *v.at == 0 {
			*v.at = v.none
		}
		if *v.at < v.least {
			return fmt.Errorf("option %s is %d: it must be at least %d (0 means the default, %d)", v.name, *v.at, v.least,
				v.none)
		}
	}
	if o.Warmup > sampleWarmup {
		return fmt.Errorf("option Warmup is %d: want at most %d draws", o.Warmup, sampleWarmup)
	}
	if !(o.Target >= 0 && o.Target < 1) {
		return fmt.Errorf("option Target is %v: want a share of proposals between 0 and 1 (0 means the default)", o.Target)
	}
	return nil
}

// defaultTarget returns the default acceptance rate for m weights. For SamplerRandomWalk the
// default approximates the optimal rate for Gaussian posteriors (Roberts, Gelman and Gilks 1997). For
// SamplerHamiltonian the default is above the optimal rate of about 0.65 (Hoffman and Gelman 2014).
func (s Sampler) defaultTarget(m int) float64 {
	if s == SamplerRandomWalk {
		return 0.234 + 0.206/float64(m)
	}
	return 0.8
}

// newSampleTarget checks the data and returns the posterior density in the coordinates z. The mode of
// the posterior and the curvature at the mode determine these coordinates. Without data, the posterior
// is the prior.
func newSampleTarget(x mat.Matrix, t, weights []float64, prior Prior) (*mcmc.Target, error) {
	b, err := bayesPriorOnly(x, t, BayesLogisticOptions{Prior: prior, Weights: weights})
	if err != nil {
		return nil, err
	}
	if b != nil {
		return priorTarget(b), nil
	}
	p, err := variationalProblem(x, t, weights, prior)
	if err != nil {
		return nil, err
	}
	p.Start, p.MaxIt, p.Tol = make([]float64, p.GLM.M), 100, 1e-6
	path := solve.Newton{}.Solve(p)
	if path.Quad == nil {
		return nil, errors.New("the curvature at the mode is not positive definite in double precision: standardise the columns of x, or narrow the prior; " + path.Reason)
	}
	s := &mcmc.Target{
		N: p.GLM.N, M: p.GLM.M, Src: p.GLM.Design.Source(), T: p.GLM.T, Coord: p.Coord,
		Mode: path.W, Root: path.Quad.R.Inverse(), Rest: p.Residual(path.W),
	}
	for _, row := range p.Root {
		s.Prior = append(s.Prior, linalg.MulVecT(s.Root, row))
	}
	return s, nil
}

// priorTarget returns the density from which a fit without data draws. This density is the prior. In
// the coordinates z around the prior mean, −ln p is ½‖z‖² plus a constant.
func priorTarget(b *BayesLogistic) *mcmc.Target {
	m := len(b.W)
	s := &mcmc.Target{M: m, Mode: b.W, Root: b.Root, Rest: make([]float64, m),
		Coord: &linalg.Coordinates{Scale: make([]float64, m-1), Shift: make([]float64, m-1)}}
	for j := range s.Coord.Scale {
		s.Coord.Scale[j] = 1
	}
	for i := range m {
		row := make([]float64, m)
		row[i] = 1
		s.Prior = append(s.Prior, row)
	}
	return s
}

// activationSeries computes the activations wᵀφ of each row of x for every draw, one slice per
// chain. It divides the rows among several goroutines, and calls newF once for each goroutine. The
// function that newF returns receives the number and the activations of one row at a time. If an
// activation is NaN, activationSeries returns an error.
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
		return failure("LogisticSample",
			fmt.Errorf("the activation of row %d is not a number because wᵀφ overflows: choose other units for x", *bad))
	}
	return nil
}

// logOdds returns the logarithm of Σσ(a)/Σσ(−a), even if a sum underflows.
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

// Scores returns an N×2 matrix with the logarithm of the predictive odds, ln p(C₁)/p(C₂), and 0.
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

// Posterior returns an N×2 matrix with the predictive p(C₁|φ, t) and p(C₂|φ, t). p(C₁|φ, t) is the
// mean of σ(wᵀφ) over all draws, which estimates the integral (4.145).
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

// PosteriorError returns the predictive distribution and its Monte Carlo standard error
// √(variance/ESS), with the variance and the ESS of σ(wᵀφ) over the draws. The error is the same
// for both classes. This error measures only the effect of the finite number of draws. The
// uncertainty of the weights is already a part of the probability.
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
			// Compute with the probability of the less likely class, because float64 numbers near 0
			// lie much closer together than numbers near 1.
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

// Predict returns 0 (C₁) for rows with predictive odds ≥ 1 and 1 (C₂) for all other rows.
func (m *LogisticSample) Predict(x mat.Matrix) ([]int, error) { return rowArgMaxOf(m.Scores(x)) }

// ActivationMoments returns, for each row of x, the mean and the variance of the activation over
// all draws.
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

// pooledMoments returns the mean and the variance of all chains combined.
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

// WeightMoments returns copies of the mean and the covariance of all draws.
func (m *LogisticSample) WeightMoments() (mean []float64, cov *mat.SymDense) {
	return (&BayesLogistic{W: m.Mean, Covariance: m.Covariance}).WeightMoments()
}

// DegreesOfFreedom returns the number of weights, D+1.
func (m *LogisticSample) DegreesOfFreedom() int { return len(m.Mean) }

// computeMoments computes the moments and the diagnostics from the draws.
func (m *LogisticSample) computeMoments() {
	draws, k := m.Chains[0].Dims()
	d := mcmc.NewDiagnoser(draws)
	m.Mean, m.RHat, m.ESS, m.MCError = make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k)
	for j := range k {
		g := d.Diagnose(m.weightDraws(j))
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
	m.setConverged(d.Diagnose(m.LogPosterior).Rhat)
}

// setConverged sets Converged and Reason. The argument `density` is the R̂ of the log posterior.
func (m *LogisticSample) setConverged(density float64) {
	worst, least := 0, 0
	for j := range m.RHat {
		if m.RHat[j] > m.RHat[worst] {
			worst = j
		}
		if m.ESS[j] < m.ESS[least] {
			least = j
		}
	}
	const remedy = "draw more, or use a longer Warmup"
	var found []string
	if !(m.RHat[worst] <= sampleRHat) {
		found = append(found,
			fmt.Sprintf("R̂ of w%d is %.4g, above %v: the chains do not agree yet; %s", worst, m.RHat[worst],
				sampleRHat, remedy))
	} else if !(density <= sampleRHat) {
		found = append(found,
			fmt.Sprintf("R̂ of the log posterior is %.4g, above %v: the chains do not agree yet; %s", density,
				sampleRHat, remedy))
	}
	if m.ESS[least] < sampleLeast {
		advice := remedy
		if m.Method != SamplerHamiltonian {
			advice += ", or use the Hamiltonian sampler"
		}
		found = append(found,
			fmt.Sprintf("the effective sample size of w%d is %.0f, below %d; %s", least, m.ESS[least], sampleLeast,
				advice))
	}
	m.Converged = len(found) == 0
	if m.Divergent > 0 {
		found = append(found,
			fmt.Sprintf("%d Hamiltonian trajectories diverged, so parts of the posterior may be missing: use a Target nearer to 1", m.Divergent))
	}
	if len(found) == 0 {
		found = append(found,
			fmt.Sprintf("the chains agree: R̂ is at most %.4f, and the effective sample size is at least %.0f",
				math.Max(slices.Max(m.RHat), density), m.ESS[least]))
	}
	m.Reason = strings.Join(found, "; ")
}

// weightDraws returns the draws of weight j, one slice per chain.
func (m *LogisticSample) weightDraws(j int) [][]float64 {
	out := make([][]float64, len(m.Chains))
	for c, draws := range m.Chains {
		out[c] = mat.Col(nil, j, draws)
	}
	return out
}

// Trace returns the draws of weight j (0 is the bias) for a trace plot, one slice per chain in the
// order drawn. Errors: a weight j that does not exist, a sample without draws.
func (m *LogisticSample) Trace(j int) ([][]float64, error) {
	if err := m.weight(j); err != nil {
		return nil, failure("Trace", err)
	}
	return m.weightDraws(j), nil
}

// Draws returns all draws as one matrix, chain after chain, one weight vector per row. It returns
// an error for a sample without draws.
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

// Intervals returns, for each weight, the limits of an interval. The argument `level` is the
// posterior probability that the interval contains the weight. Both tails have equal probability,
// so the limits are quantiles of the draws. Errors: a level that is not between 0 and 1, and the
// errors of Draws.
func (m *LogisticSample) Intervals(level float64) (lo, hi []float64, err error) {
	if !(level > 0 && level < 1) {
		return nil, nil, failure("Intervals", fmt.Errorf("level is %v: it must be a probability between 0 and 1", level))
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
		return fmt.Errorf("j is %d: want the number of a weight, from 0 (the bias) to %d", j, len(m.Mean)-1)
	}
	return nil
}

var _ = codec.Register(codec.Kind[LogisticSample]{Schema: "hyperplane-logistic-sample/1",
	Valid: (*LogisticSample).checkSizes})

func (m *LogisticSample) checkSizes() error {
	s, n, c := sizeChecker{}, len(m.Mean), len(m.Chains)
	s.checkWeights("mean", n)
	if c == 0 {
		return errors.New("chains are missing")
	}
	s.requireLength("log_posterior", len(m.LogPosterior), c)
	s.requireLength("acceptance", len(m.Acceptance), c)
	s.requireLength("step_size", len(m.StepSize), c)
	s.requireLength("r_hat", len(m.RHat), n)
	s.requireLength("ess", len(m.ESS), n)
	s.requireLength("mc_error", len(m.MCError), n)
	if m.Method < SamplerHamiltonian || m.Method > SamplerRandomWalk {
		s.say("method is %d: it must be 0 or 1", m.Method)
	}
	draws, _ := dims(m.Chains[0])
	if draws < 4 {
		s.say("chain 0 has %d draws: want at least 4", draws)
	}
	for i, w := range m.Chains {
		s.requireMatrix(fmt.Sprintf("chain %d", i), w, draws, n)
		if s.err == nil {
			s.requireLength(fmt.Sprintf("log_posterior %d", i), len(m.LogPosterior[i]), draws)
		}
	}
	s.requireMatrix("covariance", m.Covariance, n, n)
	return s.err
}

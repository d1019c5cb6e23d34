package classify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

var (
	_ Predictive = (*BayesSoftmax)(nil)
	_ Criteria   = (*BayesSoftmax)(nil)
)

// BayesSoftmaxOptions are the options of FitBayesSoftmax. The zero value means a flat prior.
type BayesSoftmaxOptions struct {
	// Prior is the prior over the weights of all K classes, as in SoftmaxOptions. Nil means a flat
	// prior, or Isotropic{Alpha: 1} with Reestimate.
	Prior Prior
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
	// Reestimate sets α of an Isotropic prior to the value with the largest Laplace evidence. The
	// search starts at the Alpha of Prior, or at 1 if Prior is nil.
	Reestimate bool
	// Draws is the number of random weight matrices over which predictions are averaged; 0 means
	// 1000. The matrices are drawn in pairs W_MAP + δ, W_MAP − δ, so an odd number is increased by 1.
	// The standard error is proportional to 1/√Draws.
	Draws int
	Seed  uint64 // seed of the draws
	// Start is the first iterate, (D+1)×K; nil has the same meaning as in SoftmaxOptions.
	Start *mat.Dense
	// MaxIterations is the maximum number of Newton iterations; 0 means 100.
	MaxIterations int
	// Tolerance has the same meaning as in SoftmaxOptions; 0 means 1e-10.
	Tolerance float64
}

// BayesSoftmax is Bayesian softmax regression: the Laplace approximation of PRML 4.5.1 for the
// model of PRML 4.3.4,
//
//	p(W|T) ≃ N(W|W_MAP, S_N),  S_N⁻¹ = S0⁻¹ + ∇∇E(W_MAP)  (4.110 with a plus sign),
//
// for all K(D+1) weights together. The predictive distribution ∫ y_k(φ, W) q(W) dW has no closed
// form. BayesSoftmax computes it as the mean over draws from q, with a standard error.
//
// Equations: PRML (4.138), (4.140), (4.141), (4.144).
type BayesSoftmax struct {
	Names
	W *mat.Dense // (D+1)×K: W_MAP; row 0 contains the biases
	// Precision is the precision matrix S_N⁻¹, ordered class by class. It is singular if the prior is
	// flat in all weights or in the biases.
	Precision *mat.SymDense
	// Covariance is S_N, ordered class by class. For a flat prior it is the covariance under the
	// condition Σ_k w_k = 0, and for a prior with FreeBias under the condition that the biases sum to 0.
	Covariance *mat.SymDense
	Root       *mat.Dense // S_N = Root·Rootᵀ
	Alpha      float64    // α of an Isotropic prior, after re-estimation if requested; 0 for other priors
	// Evidence is the Laplace evidence at the mode, (4.137). No probability changes if the same
	// vector is added to the weights of all classes. If the prior is flat in directions of such
	// shifts, Evidence omits these directions.
	Evidence   Evidence
	Draws      int         // number of weight matrices over which predictions are averaged, an even number
	Seed       uint64      // seed of the draws
	N          int         // number of rows in the fit: the sum of the row weights, rounded
	Iterations int         // number of Newton steps in the fit with the final prior
	Converged  bool        // reports whether W is the mode and, with Reestimate, whether Alpha has the greatest evidence
	Reason     string      // why the fit stopped
	AlphaTrace []AlphaStep // with Reestimate, the evidence at every α that the search tried
}

// FitBayesSoftmax fits the Laplace approximation of the posterior to inputs x (N×D) with labels
// 0…k−1.
//
// With a proper prior the posterior exists for any data, even if some classes have no rows. Without
// data (x an empty mat.Dense, no labels, a Gaussian prior) the result is the prior. Adding the same
// vector to the weights of all classes does not change any probability. Under a flat prior the
// approximation therefore omits the directions of these shifts. Under a prior with FreeBias it omits
// only the direction that shifts all biases.
//
// FitBayesSoftmax returns the errors of FitSoftmax. Under a flat prior, separable classes and
// dependent columns are also errors, because the posterior cannot be normalised. Other errors: a
// negative Draws, one draw, draws that need more than 1 GB, Reestimate with a prior that has FreeBias
// or is not Isotropic.
//
// Equations: PRML (4.138), (4.140), (4.141), (4.144).
func FitBayesSoftmax(x mat.Matrix, labels []int, k int, o BayesSoftmaxOptions) (*BayesSoftmax, error) {
	m, err := fitBayesSoftmax(x, labels, k, o)
	if err != nil {
		return nil, weightedFailure("FitBayesSoftmax", o.Weights, err)
	}
	return m, nil
}

func fitBayesSoftmax(x mat.Matrix, labels []int, k int, o BayesSoftmaxOptions) (*BayesSoftmax, error) {
	if o.Draws < 0 || o.Draws == 1 {
		return nil, fmt.Errorf("option Draws is %d: want 0 for the default of 1000, or at least 2, because draws come in pairs", o.Draws)
	}
	if o.Draws == 0 {
		o.Draws = 1000
	}
	if err := check.Drawn(float64(o.Draws), 1); err != nil {
		return nil, err
	}
	o.Draws += o.Draws % 2
	var err error
	if o.Prior, err = priorOf(o.Prior); err != nil {
		return nil, err
	}
	if o.Reestimate {
		if o.Prior, err = reestimatedPrior(o.Prior); err != nil {
			return nil, err
		}
	}
	if m, err := bayesSoftmaxPriorOnly(x, labels, k, o); m != nil || err != nil {
		return m, err
	}
	in, err := InMemory{X: x, Labels: labels, K: k}.checkedData(requirements{weights: o.Weights, labels: true, oneClass: true})
	if err != nil {
		return nil, err
	}
	targets, err := glm.SoftmaxLabels(in)
	if err != nil {
		return nil, err
	}
	_, d := in.Src.Dims()
	if err := check.Drawn(float64(o.Draws), k*(d+1)); err != nil {
		return nil, err
	}
	so := SoftmaxOptions{Start: o.Start, MaxIterations: o.MaxIterations, Tolerance: o.Tolerance}
	start, err := so.complete(d+1, k)
	if err != nil {
		return nil, err
	}
	o.MaxIterations, o.Tolerance = so.MaxIterations, so.Tolerance
	f := &bayesSoftmaxFit{src: in.Src, cols: in.Cols, t: targets, o: o, start: start}
	prior, err := softmaxPrior(o.Prior, d+1, k)
	if err != nil {
		return nil, err
	}
	if o.Reestimate {
		if prior.Free {
			return nil, errors.New("option Reestimate needs a proper prior: use a prior without FreeBias")
		}
		return f.reestimate()
	}
	if prior == nil || prior.Free {
		if err := glm.NoEmptyClass(targets.Totals(in.Src)); err != nil {
			return nil, err
		}
	}
	s, err := f.solve(prior)
	if err != nil {
		return nil, err
	}
	m, err := f.model(s)
	if err != nil {
		return nil, err
	}
	m.Alpha = alphaOf(o.Prior)
	return m, nil
}

// bayesSoftmaxFit contains the data and the options of a fit. The fit may compute the mode under
// several priors.
type bayesSoftmaxFit struct {
	src   *block.Source
	cols  *block.Columns
	t     *glm.ClassTargets
	o     BayesSoftmaxOptions
	start []float64
}

// solve computes the mode of the posterior and the evidence under a prior.
func (f *bayesSoftmaxFit) solve(prior *glm.Gaussian) (*bayesMode, error) {
	p := solve.NewSoftmaxProblem(f.src, f.cols, f.t, prior)
	p.Factor = true
	if p.Rank != nil && p.Rank.Dependent != nil {
		return nil, fmt.Errorf("the prior is flat and the data do not determine all weights, so the posterior cannot be normalised: give a Prior, or drop some of the %s", p.Rank.Describe(f.cols))
	}
	p.Start, p.MaxIt, p.Tol, p.MayChangeStart = p.Coord.Inner(f.start), f.o.MaxIterations, f.o.Tolerance,
		f.o.Start == nil && floats.Norm(f.start, 1) == 0
	path := solve.Newton{}.Solve(p)
	if path.Direction != nil {
		return nil, fmt.Errorf("the prior is flat and %s. Under a flat prior the posterior does not decrease along at least one direction and cannot be normalised: give a Prior, for instance Isotropic{Alpha: 1}", path.Reason)
	}
	s := &bayesMode{p: p, path: path, w: p.FinalWeights(path), prior: prior}
	m := len(s.w)
	if err := check.Vector("w", s.w, m, "weights"); err != nil {
		return nil, fmt.Errorf("the weights are not finite numbers (%w): choose other units for x", err)
	}
	if path.Quad == nil {
		return nil, errors.New("the curvature at the mode is not positive definite in double precision: standardise the columns of x, or narrow the prior; " + path.Reason)
	}
	_, d := f.src.Dims()
	// Count the parameters that have a posterior. With a proper prior, these are all parameters. If
	// the prior is flat, the count omits the D+1 directions that change the weights of all classes
	// equally. If the prior is flat only in the biases, the count omits the direction that changes
	// all biases equally.
	copies := float64(f.t.K) // number of diagonal blocks B in the scaling of the free coordinates; |B| = Π s_j
	free := m
	switch {
	case prior == nil:
		copies--
		free = (f.t.K - 1) * (d + 1)
	case prior.Free:
		free = m - 1
	}
	logDet := path.Quad.R.LogDet()
	if p.FreeRoot != nil {
		// R describes only the differences between the weights of the classes. The prior alone
		// determines the sum of these weights, so add the determinant of one class's prior.
		copies--
		logDet += prior.Each.LogDet()
	}
	for _, v := range p.Coord.Scale {
		logDet -= 2 * copies * math.Log(v)
	}
	s.evidence = Evidence{
		LogLikelihood: prior.Value(s.w) - path.Trace[len(path.Trace)-1].E,
		LogPrior:      prior.LogDensity(s.w), LogDet: logDet, M: free, N: wholeRows(f.src.Total()),
		SumWeights: f.src.Total(), Flat: free - prior.Proper(),
	}
	return s, nil
}

// model returns the fitted model for the mode s. The weights of the model multiply the unscaled
// columns of x.
func (f *bayesSoftmaxFit) model(s *bayesMode) (*BayesSoftmax, error) {
	e, precision := s.p.At(s.path)
	s.prior.AddPrecision(precision)
	m := &BayesSoftmax{
		W: byClass(s.w, f.t.K), Precision: precision, Covariance: s.p.SoftmaxCovariance(s.path.Quad),
		Root:     s.p.SoftmaxRoot(s.path.Quad),
		Evidence: s.evidence, Draws: f.o.Draws, Seed: f.o.Seed, N: s.evidence.N,
		Iterations: len(s.path.Trace) - 1, Converged: s.path.Converged, Reason: s.path.Reason,
	}
	m.Evidence.LogLikelihood = -e
	if !linalg.Finite(m.Precision) || !linalg.Finite(m.Covariance) {
		return nil, errors.New("the Hessian or the covariance of the weights overflows: choose other units for x, or another prior")
	}
	return m, nil
}

// reestimate fits the model with the α that has the greatest evidence. If the search finds no maximum,
// the model has the α at which the search ended, and its Converged is false.
func (f *bayesSoftmaxFit) reestimate() (*BayesSoftmax, error) {
	_, d := f.src.Dims()
	first, priorAt := f.o.Prior.precision()
	last, trace, found, why, err := alphaMode(first,
		func(alpha float64) (*glm.Gaussian, error) { return softmaxPrior(priorAt(alpha), d+1, f.t.K) },
		func(g *glm.Gaussian) (*bayesMode, error) {
			m, err := f.solve(g)
			if err == nil {
				f.start = m.w
			}
			return m, err
		})
	if err != nil {
		return nil, err
	}
	m, err := f.model(last)
	if err != nil {
		return nil, err
	}
	m.Alpha, m.AlphaTrace = trace[len(trace)-1].Alpha, trace
	m.Converged = m.Converged && found
	m.Reason += "; " + why
	return m, nil
}

// bayesSoftmaxPriorOnly handles the case without data, in which the posterior equals the prior. It
// returns the model with this posterior. It returns nil if x is not an empty mat.Dense, if there are
// labels, or if the prior does not determine the number of weights.
func bayesSoftmaxPriorOnly(x mat.Matrix, labels []int, k int, o BayesSoftmaxOptions) (*BayesSoftmax, error) {
	empty, ok := x.(*mat.Dense)
	if !ok || empty == nil || !empty.IsEmpty() || len(labels) > 0 || o.Prior == nil {
		return nil, nil
	}
	size := o.Prior.weights()
	if size == 0 {
		return nil, nil
	}
	if o.Weights != nil {
		if err := checkWeights("Weights", o.Weights, 0); err != nil {
			return nil, err
		}
	}
	g, err := o.Prior.resolve(size)
	if err != nil {
		return nil, err
	}
	if k < 2 || size%k != 0 || size/k < 2 {
		return nil, fmt.Errorf("the prior has %d weights, but k is %d: want k·(D+1) weights, with k ≥ 2 and D ≥ 1", size, k)
	}
	m := &BayesSoftmax{W: byClass(g.Mean, k), Precision: g.PrecisionMatrix(size), Draws: o.Draws, Seed: o.Seed,
		Converged: true, Reason: onlyPrior}
	m.Evidence = Evidence{LogPrior: g.LogDensity(g.Mean), M: len(g.Mean)}
	m.Root, m.Covariance, m.Evidence.LogDet = g.Itself()
	return m, nil
}

// PosteriorError returns the predictive distribution p(C_k|φ, T), N×K, as the mean over m.Draws
// draws of the weights. It also returns the standard errors, N×K. The weights are drawn in pairs
// W_MAP + δ, W_MAP − δ, and the errors of a pair partly cancel. The standard errors are computed
// from the means of the pairs, and are +Inf if there is only one pair. All rows use the same draws,
// so the result for a row does not depend on the other rows, but rows with similar inputs have
// similar errors.
func (m *BayesSoftmax) PosteriorError(x mat.Matrix) (p, se *mat.Dense, err error) {
	if m == nil || m.W == nil || m.Root == nil {
		return nil, nil, failure("BayesSoftmax", errNoWeights("FitBayesSoftmax"))
	}
	d, k := m.W.Dims()
	src, err := check.New(x, d-1)
	if err != nil {
		return nil, nil, failure("BayesSoftmax", err)
	}
	n, _ := src.Dims()
	p, se = mat.NewDense(n, k, nil), mat.NewDense(n, k, nil)
	mode := classAfterClass(m.W)
	draws := drawGaussian(make([]float64, len(mode)), m.Root, m.Draws/2, rand.New(rand.NewPCG(m.Seed, bayesStream)))
	bad := block.Reduce(block.NewDesign(src, nil, nil), 0, func() *int { b := -1; return &b },
		func(rows int) func(*int, *block.Block) {
			s := &softmaxDraws{k: k, mean: make([]float64, rows*k), delta: make([]float64, rows*k),
				y: make([]float64, 2*k), a: make([]float64, rows)}
			return func(bad *int, b *block.Block) {
				if r := s.predictBlock(b, mode, draws, p, se); r >= 0 && *bad < 0 {
					*bad = r
				}
			}
		}, func(dst, src *int) {
			if *dst < 0 {
				*dst = *src
			}
		})
	if *bad >= 0 {
		return nil, nil, failure("BayesSoftmax",
			fmt.Errorf("the probabilities of row %d are not numbers because Wᵀφ overflows: choose other units for x", *bad))
	}
	return p, se, nil
}

// softmaxDraws is the scratch memory for the rows of a block.
type softmaxDraws struct {
	k           int
	mean, delta []float64 // activations at the mode, and how much a draw changes each of them
	y, a        []float64
}

// writeActivations writes the K activations of each row to dst, for weights w ordered class by
// class.
func (s *softmaxDraws) writeActivations(b *block.Block, w, dst []float64) {
	for j := range s.k {
		b.Margins(w[j*b.M:(j+1)*b.M], s.a)
		for r := range b.N {
			dst[r*s.k+j] = s.a[r]
		}
	}
}

// predictBlock computes the probabilities p and the standard errors se for the rows of one block. It
// returns the index of the first row with a NaN probability, or −1 if no probability is NaN. After
// each pair of draws, it updates the mean and the sum of squared deviations of the probabilities
// (Welford's method). The standard error of a probability near 1 therefore stays accurate.
func (s *softmaxDraws) predictBlock(b *block.Block, mode []float64, draws, p, se *mat.Dense) int {
	s.writeActivations(b, mode, s.mean)
	pairs, _ := draws.Dims()
	for i := range pairs {
		s.writeActivations(b, draws.RawRowView(i), s.delta)
		for r := range b.N {
			at := s.mean[r*s.k : (r+1)*s.k]
			step := s.delta[r*s.k : (r+1)*s.k]
			plus, minus := s.y[:s.k], s.y[s.k:]
			for j, v := range at {
				plus[j], minus[j] = v+step[j], v-step[j]
			}
			kernels.Softmax(plus, plus)
			kernels.Softmax(minus, minus)
			mean, square := p.RawRowView(b.Lo+r), se.RawRowView(b.Lo+r)
			for j := range mean {
				v := (plus[j] + minus[j]) / 2
				step := v - mean[j]
				mean[j] += step / float64(i+1)
				square[j] += step * (v - mean[j])
			}
		}
	}
	bad := -1
	for r := range b.N {
		mean, square := p.RawRowView(b.Lo+r), se.RawRowView(b.Lo+r)
		var sum float64
		for j, v := range square {
			if pairs > 1 {
				square[j] = math.Sqrt(v / float64(pairs-1) / float64(pairs))
			} else {
				square[j] = math.Inf(1) // a single pair gives no estimate of the standard error
			}
			sum += mean[j]
		}
		if math.IsNaN(sum) && bad < 0 {
			bad = b.Lo + r
		}
		for j := range mean {
			mean[j] /= sum
		}
	}
	return bad
}

// Posterior returns the predictive distribution p(C_k|φ, T), N×K. PosteriorError also returns the
// standard errors.
//
// Equations: PRML (4.145).
func (m *BayesSoftmax) Posterior(x mat.Matrix) (*mat.Dense, error) {
	p, _, err := m.PosteriorError(x)
	return p, err
}

// Scores returns the N×K logarithms of the predictive probabilities.
func (m *BayesSoftmax) Scores(x mat.Matrix) (*mat.Dense, error) {
	p, err := m.Posterior(x)
	if err != nil {
		return nil, err
	}
	p.Apply(func(_, _ int, v float64) float64 { return math.Log(v) }, p)
	return p, nil
}

// Predict returns the most probable class for each row of x. This class may differ from the most
// probable class at W_MAP, because the probabilities also depend on the uncertainty of the weights.
func (m *BayesSoftmax) Predict(x mat.Matrix) ([]int, error) { return rowArgMaxOf(m.Posterior(x)) }

// WeightMoments returns copies of W_MAP, ordered class by class, and of S_N. Without a fit, it
// returns nil.
func (m *BayesSoftmax) WeightMoments() (mean []float64, cov *mat.SymDense) {
	if m == nil || m.W == nil || m.Covariance == nil {
		return nil, nil
	}
	mean = classAfterClass(m.W)
	cov = mat.NewSymDense(len(mean), nil)
	cov.CopySym(m.Covariance)
	return mean, cov
}

// LogEvidence returns the Laplace approximation of ln p(T), PRML (4.137).
//
// Equations: PRML (4.137).
func (m *BayesSoftmax) LogEvidence() float64 { return m.Evidence.LogEvidence() }

// Deviance returns −2 ln p(T|W_MAP).
func (m *BayesSoftmax) Deviance() float64 { return m.Evidence.Deviance() }

// AIC returns −2 ln p(T|W_MAP) + 2M, where M = (K−1)(D+1) is the number of weights that
// the likelihood determines; smaller is better.
func (m *BayesSoftmax) AIC() float64 { return m.Deviance() + 2*float64(m.DegreesOfFreedom()) }

// BIC returns −2 ln p(T|W_MAP) + M ln N, with the M of AIC; smaller is better.
func (m *BayesSoftmax) BIC() float64 {
	return m.Deviance() + float64(m.DegreesOfFreedom())*math.Log(math.Max(sumOr(m.Evidence.SumWeights, m.N), 1))
}

// DegreesOfFreedom returns (K−1)(D+1), the number of weights that the likelihood determines.
func (m *BayesSoftmax) DegreesOfFreedom() int {
	rows, k := m.W.Dims()
	return rows * (k - 1)
}

var _ = codec.Register(codec.Kind[BayesSoftmax]{Schema: "hyperplane-bayes-softmax/1",
	Valid: (*BayesSoftmax).checkSizes})

func (m *BayesSoftmax) checkSizes() error {
	if m.W == nil {
		return errNoWeightsSaved
	}
	r, k := dims(m.W)
	if r < 2 || k < 2 {
		return fmt.Errorf("w is %d×%d: want at least two rows (the first for the bias) and at least two columns (one per class)", r, k)
	}
	const most = 1 << 24
	if m.Draws < 2 || m.Draws%2 != 0 || m.Draws > most {
		return fmt.Errorf("draws is %d: want an even number from 2 to %d", m.Draws, most)
	}
	s := sizeChecker{}
	s.checkMatrix("precision", m.Precision, r*k, r*k)
	s.checkMatrix("covariance", m.Covariance, r*k, r*k)
	_, c := dims(m.Root)
	s.checkMatrix("root", m.Root, r*k, c)
	return s.err
}

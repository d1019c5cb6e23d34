package classify

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

var (
	_ Predictor = (*LabelFlip)(nil)
	_ Scorer    = (*LabelFlip)(nil)
	_ Prober    = (*LabelFlip)(nil)
)

// LabelFlipOptions of FitLabelFlip.
type LabelFlipOptions struct {
	// Epsilon is ε, the probability that a label is wrong, in [0, ½); if ε is
	// estimated, where to start, and 0 is several starts over the range.
	Epsilon float64
	// Estimate makes ε a parameter, found together with w.
	Estimate bool
	// Starts is the number of random starts besides Start, at most 100 000, and Seed
	// chooses them.
	// E is not convex: of all stationary points found, the lowest is returned.
	Starts int
	Seed   uint64
	// Prior over the weights; nil is none (maximum likelihood).
	Prior Prior
	// Weights says how often each row counts; nil is once (see the package comment).
	Weights []float64
	// Start is the first iterate, bias first, D+1 entries; nil is 0.
	Start []float64
	// MaxIterations bounds the iterations of each of the two phases; 0 is 100 for
	// Newton, more for solvers that need more.
	MaxIterations int
	// Tolerance is the length of the Newton step, counted in standard errors of
	// the weights, at which the fit has converged, if the step is as short beside
	// the weights and every activation too, 1e-8 of them or Tolerance if that is
	// more; 0 is 1e-10.
	Tolerance float64
	// Solver is the way of the first phase, with ε fixed and the expected Hessian;
	// nil is Newton{}. Newton steps with the exact Hessian follow.
	Solver Solver
}

// LabelFlip is logistic regression that allows for wrong labels, PRML 4.3.5: the
// true class is C₁ with probability σ(a), a = wᵀφ, and its label is flipped with
// probability ε, so that
//
//	p(t=1|x) = (1−ε)σ(a) + ε(1−σ(a)) = ε + (1−2ε)σ(a),   p(t=0|x) = ε + (1−2ε)σ(−a).
//
// (4.117) prints this as p(t|x), a distribution over t that would not sum to 1
// (erratum P17); it is p(t=1|x). A row far on the wrong side costs at most −ln ε, however far.
//
// E(w) = −ln p(t|w) is not convex, and bounded: it may have several minima, or its
// lowest value only at infinity also for data that are not separable.
//
// Equations: PRML (4.117).
type LabelFlip struct {
	// Estimate as for FitLogistic. If ε was estimated, Hessian and Covariance are
	// those of (w, ε), D+2 square.
	Estimate
	Epsilon   float64 // ε
	Estimated bool    // whether the fit found it
}

// FitLabelFlip fits the model to inputs x (N×D) and targets t in [0,1], t = 1
// meaning C₁.
//
// If E falls as long as w grows in some direction, the model is an iterate that
// can be used and plotted, with Separable set, the Direction, and a Reason. If the
// best ε is 0, the model is FitLogistic's and has no Covariance; Reason says so, and
// also if all rows of x are the same, which do not determine ε.
//
// Errors: those of FitLogistic, and an Epsilon outside [0, ½).
//
// Equations: PRML (4.117).
func FitLabelFlip(x mat.Matrix, t []float64, o LabelFlipOptions) (*LabelFlip, error) {
	m, err := fitLabelFlip(x, t, o)
	if err != nil {
		return nil, weightedFailure("FitLabelFlip", o.Weights, err)
	}
	return m, nil
}

// flipFit is a fit of a LabelFlip on its way.
type flipFit struct {
	*solve.Problem
	in *targeted
}

func fitLabelFlip(x mat.Matrix, t []float64, o LabelFlipOptions) (*LabelFlip, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	x, t, err := weigh(x, t, o.Weights)
	if err != nil {
		return nil, err
	}
	in, err := newTargeted(x, t)
	if err != nil {
		return nil, err
	}
	return in.fitLabelFlip(o)
}

// mostStarts bounds the random starts of a label flip.
const mostStarts = 100_000

func (o LabelFlipOptions) check() error {
	if !(o.Epsilon >= 0 && o.Epsilon < 0.5) {
		return fmt.Errorf("option Epsilon is %v: the probability of a wrong label lies in [0, ½)", o.Epsilon)
	}
	if o.Starts < 0 || o.Starts > mostStarts {
		return fmt.Errorf("option Starts is %d: want 0 … %d, each of which is a fit", o.Starts, mostStarts)
	}
	return nil
}

func (in *targeted) fitLabelFlip(o LabelFlipOptions) (*LabelFlip, error) {
	lo := LogisticOptions{Prior: o.Prior, Start: o.Start, MaxIterations: o.MaxIterations, Tolerance: o.Tolerance, Solver: o.Solver}
	p, err := in.problem(glm.FlipLoss{Eps: o.Epsilon}, lo)
	if err != nil {
		return nil, err
	}
	f := flipFit{p, in}
	if f.Prior == nil || f.Prior.Free {
		if err := check.OneClass(in.src.EachTarget(in.t)); err != nil {
			return nil, err
		}
	}
	f.Proper, f.Convex = true, false // what the logistic existence test says does not hold here
	// The best w for fixed ε can jump between minima as ε changes.
	rates := []float64{o.Epsilon}
	if o.Estimate && o.Epsilon == 0 {
		rates = []float64{0.02, 0.1, 0.2, 0.3, 0.4}
	}
	var best *solve.ExactPath
	try := func(start []float64) {
		for _, ε := range rates {
			if p := f.flip(o, start, ε); best == nil || better(p, best) {
				best = p
			}
		}
	}
	try(f.Start)
	rng := rand.New(rand.NewPCG(o.Seed, 4117))
	for range o.Starts {
		start := make([]float64, len(f.Start))
		for i := range start {
			start[i] = 4 * rng.NormFloat64() // inner inputs are about 1 in size
		}
		if f.Rank != nil {
			start = linalg.MulVec(f.Rank.Free, linalg.MulVecT(f.Rank.Free, start))
		}
		try(start)
	}
	separable := &solve.Recession{}
	if f.Prior == nil && (!best.Converged || best.Eps == 0) { // a minimum with curvature leaves no direction
		separable = f.Recede()
	}
	if o.Estimate && separable.Direction != nil && separable.On == 0 {
		return f.noFlips(o) // E comes as near to 0 as one likes
	}
	if d := separable.Direction; d != nil && best.Direction == nil { // every row's loss falls along it, or stays
		best.Converged, best.Direction = false, f.Coord.Inner(d)
		best.Reason = fmt.Sprintf("the objective has no minimum: it approaches its lowest value as w grows, because a hyperplane separates the classes, with %d rows on it; "+
			"W is the iterate after %d iterations; for finite weights use a Prior", separable.On, len(best.Trace)-1)
	}
	return f.flipped(best, o)
}

// noFlips fits strictly separable classes: ε = 0, and w grows without end.
func (f flipFit) noFlips(o LabelFlipOptions) (*LabelFlip, error) {
	f.GLM, f.Proper, f.Convex = glm.New(f.GLM.Design, f.GLM.T, glm.CrossEntropy{}), false, true
	n := &solve.ExactPath{Path: solverOf(o.Solver).Solve(f.Problem), Fit: f.Problem, Row: func(ε float64) func(a, t float64) glm.ExactRow { return glm.FlipLoss{Eps: ε}.Row }, Joint: true}
	n.Quad = nil
	n.Sums = f.GLM.EvaluateExact(n.W, n.Row(0))
	n.E = n.Sums.E
	if n.Direction == nil { // the solver did not get so far
		n.Converged, n.Direction = false, f.Coord.Inner(f.Recede().Direction)
		n.Reason += "; the classes are linearly separable: the likelihood has no maximum, it grows as long as w does; for finite weights use a Prior"
	}
	n.Reason += atEdge
	return f.flipped(n, o)
}

// atEdge ends the reason of a fit whose best ε is 0.
const atEdge = "; the likelihood is largest at ε = 0, the edge of its range: this is logistic regression"

// flipped turns the path into the model.
func (f flipFit) flipped(best *solve.ExactPath, o LabelFlipOptions) (*LabelFlip, error) {
	e, err := finish(f.Problem, best.Path)
	if err != nil {
		return nil, err
	}
	m := &LabelFlip{Estimate: *e, Epsilon: best.Eps, Estimated: o.Estimate}
	m.LogLikelihood, m.E = -best.Sums.E, best.E
	m.NullLogLikelihood = flipNull(f.in.src.EachTarget(f.in.t), f.Src.Weights(), f.Src.Total(), best.Eps)
	m.Hessian, m.Covariance = best.Matrices(m.Converged && f.Rank == nil)
	if !linalg.Finite(m.Hessian) || m.Covariance != nil && !linalg.Finite(m.Covariance) {
		return nil, errors.New("the Hessian or its inverse overflows: choose other units for x")
	}
	if o.Estimate && slices.Equal(f.Cols.Min, f.Cols.Max) {
		const same = "all rows of x are the same, and their labels tell only p(t=1), not ε and w apart: give ε, or columns that vary"
		if m.Converged {
			m.Reason += "; " + same
		} else {
			m.Reason = "not converged: " + same
		}
	}
	return m, nil
}

// flip finds a minimum from start, first with ε fixed and the expected Hessian.
func (f flipFit) flip(o LabelFlipOptions, start []float64, ε float64) *solve.ExactPath {
	p := *f.Problem
	p.Start, p.GLM = start, glm.New(f.GLM.Design, f.GLM.T, glm.FlipLoss{Eps: ε})
	n := f.Exactly(solverOf(o.Solver).Solve(&p), func(ε float64) func(a, t float64) glm.ExactRow { return glm.FlipLoss{Eps: ε}.Row }, ε, o.Estimate)
	if n.AtZero() {
		n.Reason += atEdge
	}
	return n
}

// better prefers a lower E, beyond rounding, and a minimum to an iterate.
func better(a, b *solve.ExactPath) bool {
	if d := 1e-10 * (1 + math.Abs(b.E)); a.E < b.E-d || a.E <= b.E+d && a.Converged && !b.Converged {
		return true
	}
	return false
}

// flipNull is the log likelihood of the best bias alone.
func flipNull(t iter.Seq2[int, float64], w block.Weights, n, ε float64) float64 {
	var share, l float64
	for i, v := range t {
		share += w.At(i) * v / n
	}
	p := math.Min(math.Max(share, ε), 1-ε)
	if share > 0 {
		l += share * math.Log(p)
	}
	if share < 1 {
		l += (1 - share) * math.Log1p(-p)
	}
	return l * n
}

// LabelFlipObjective returns E(w) for a fixed ε, with a prior or nil. Its Hessian
// is the expected one, which serves as a second derivative that is never negative.
// Errors: an epsilon outside [0, ½), and those of LogisticObjective.
//
// Equations: PRML (4.117).
func LabelFlipObjective(x mat.Matrix, t []float64, epsilon float64, prior Prior) (*Objective, error) {
	if !(epsilon >= 0 && epsilon < 0.5) {
		return nil, failure("LabelFlipObjective", fmt.Errorf("epsilon is %v: it lies in [0, ½)", epsilon))
	}
	o, err := LogisticObjective(x, t, prior)
	if err != nil {
		return nil, failure("LabelFlipObjective", err)
	}
	o.glm.Loss = glm.FlipLoss{Eps: epsilon}
	return o, nil
}

// DegreesOfFreedom returns D+1, and 1 more if ε was estimated; dependent columns
// count once.
func (m *LabelFlip) DegreesOfFreedom() int {
	if m.Estimated {
		return m.Rank + 1
	}
	return m.Rank
}

// AIC returns −2 ln p(t|W,ε) + 2M with M the degrees of freedom.
func (m *LabelFlip) AIC() float64 { return m.Deviance() + 2*float64(m.DegreesOfFreedom()) }

// BIC returns −2 ln p(t|W,ε) + M ln N.
func (m *LabelFlip) BIC() float64 {
	return m.Deviance() + float64(m.DegreesOfFreedom())*math.Log(sumOr(m.SumWeights, m.N))
}

// EpsilonError returns the standard error of an estimated ε. It is an error if ε was
// given, or the fit has no covariance.
func (m *LabelFlip) EpsilonError() (float64, error) {
	switch {
	case !m.Estimated:
		return 0, failure("EpsilonError", errors.New("ε was given, not estimated: set LabelFlipOptions.Estimate"))
	case m.Covariance == nil:
		return 0, failure("EpsilonError", noCovariance(m.Separable, m.Converged, m.Reason))
	}
	return math.Sqrt(m.Covariance.At(len(m.W), len(m.W))), nil
}

func (m *LabelFlip) estimate() *Estimate {
	if m == nil {
		return nil
	}
	return &m.Estimate
}

// Scores returns N×2: the activations a and 0.
func (m *LabelFlip) Scores(x mat.Matrix) (*mat.Dense, error) {
	return m.estimate().pair(x, scoreLink)
}

// Posterior returns N×2: the probabilities σ(a) and σ(−a) of the true class.
func (m *LabelFlip) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return m.estimate().pair(x, sigmoidLink)
}

// LabelPosterior returns N×2: the probabilities of the label that would be
// observed, flips included. Errors: those of Posterior.
//
// Equations: PRML (4.117).
func (m *LabelFlip) LabelPosterior(x mat.Matrix) (*mat.Dense, error) {
	if m == nil {
		return nil, failure("LabelPosterior", errNoWeights("FitLabelFlip"))
	}
	δ := 1 - 2*m.Epsilon
	return m.estimate().pair(x, pairLink(func(a float64) (float64, float64) {
		return m.Epsilon + δ*kernels.Sigmoid(a), m.Epsilon + δ*kernels.Sigmoid(-a)
	}))
}

// Predict returns 0 (C₁) for rows with a ≥ 0 and 1 (C₂) for the others.
func (m *LabelFlip) Predict(x mat.Matrix) ([]int, error) { return m.estimate().predict(x) }

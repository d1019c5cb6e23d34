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
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

var (
	_ Predictor   = (*LabelFlip)(nil)
	_ Scorer      = (*LabelFlip)(nil)
	_ Prober      = (*LabelFlip)(nil)
	_ linearModel = (*LabelFlip)(nil)
)

// LabelFlipOptions are the options of FitLabelFlip.
type LabelFlipOptions struct {
	// Epsilon is ε, the probability that a label is wrong, in [0, ½). If the fit estimates ε,
	// Epsilon is the initial value. In that case 0 means that the fit tries several initial values.
	Epsilon float64
	// Estimate makes ε a parameter that is estimated together with w.
	Estimate bool
	// Starts is the number of random starts in addition to Start, at most 100 000. Seed is the seed
	// of the random starts. E is not convex, so the fit returns the lowest of all minima that it
	// finds.
	Starts int
	Seed   uint64
	// Prior is the prior over the weights; nil means maximum likelihood.
	Prior Prior
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
	// Start is the initial w, bias first, D+1 entries; nil means 0.
	Start []float64
	// MaxIterations is the maximum number of iterations in each of the two phases of the fit (see
	// Solver). 0 means 100 for Newton and more for slower solvers.
	MaxIterations int
	// Tolerance decides when the fit has converged; 0 means 1e-10. The length of the last Newton
	// step, in units of the standard errors of the weights, must be at most Tolerance. The step
	// must also change the weights and every activation only by a relative amount of at most 1e-8
	// (or Tolerance, if Tolerance is larger).
	Tolerance float64
	// Solver is the solver of the first phase, with ε fixed and the expected Hessian; nil means
	// Newton{}. The second phase takes Newton steps with the exact Hessian.
	Solver Solver
}

// LabelFlip is logistic regression for data in which some labels are wrong, PRML 4.3.5. The true
// class is C₁ with probability σ(a), a = wᵀφ. The label of a row is wrong with probability ε.
// Therefore
//
//	p(t=1|x) = (1−ε)σ(a) + ε(1−σ(a)) = ε + (1−2ε)σ(a), p(t=0|x) = ε + (1−2ε)σ(−a).
//
// (4.117) has p(t|x) in place of p(t=1|x), but the sum over t is then not 1 (erratum P17).
// A row on the wrong side of the boundary adds at most −ln ε to E, at any distance from the
// boundary.
//
// If ε > 0, E(w) = −ln p(t|w) is bounded and not convex. E may have several minima. E may also have
// no minimum and keep falling as w grows. This is possible even if the data are not separable.
//
// Equations: PRML (4.117).
type LabelFlip struct {
	// Estimate contains results of the same kinds as for FitLogistic. If ε was estimated, Hessian and
	// Covariance are (D+2)×(D+2) matrices for the parameters (w, ε).
	Estimate
	Epsilon   float64 // ε
	Estimated bool    // reports whether the fit estimated ε
}

// FitLabelFlip fits the model to inputs x (N×D) and targets t in [0,1]. t = 1 means C₁.
//
// If E keeps falling as w grows in some direction, FitLabelFlip returns an iterate and sets
// Separable, Direction and Reason. The iterate can be used and plotted. If the fit estimates ε, two
// more cases are possible, which Reason reports. If the best ε is 0, the model equals the model of
// FitLogistic, and Covariance is nil. If all rows of x are equal, the labels do not determine ε.
//
// Errors: the errors of FitLogistic; an Epsilon outside [0, ½); a number of Starts that is negative
// or above 100 000.
//
// Equations: PRML (4.117).
func FitLabelFlip(x mat.Matrix, t []float64, o LabelFlipOptions) (*LabelFlip, error) {
	return fitLabelFlip("FitLabelFlip", InMemory{X: x, T: t}, o)
}

// FitLabelFlipFrom is like [FitLabelFlip], but reads the rows from any source. It returns the
// errors of FitLabelFlip and of FitLogisticFrom.
//
// Equations: PRML (4.117).
func FitLabelFlipFrom(s Source, o LabelFlipOptions) (*LabelFlip, error) {
	return fitLabelFlip("FitLabelFlipFrom", s, o)
}

// flipFit is a LabelFlip fit in progress.
type flipFit struct {
	*solve.Problem
	in *check.Data
}

func fitLabelFlip(function string, s Source, o LabelFlipOptions) (*LabelFlip, error) {
	d := requirements{weights: o.Weights, solver: o.Solver}
	return fitFrom(function, s, d, func(in *check.Data) (*LabelFlip, error) {
		if err := o.check(); err != nil {
			return nil, err
		}
		return labelFlipOf(in, o)
	})
}

// maxStarts is the largest number of random starts of a label-flip fit.
const maxStarts = 100_000

func (o LabelFlipOptions) check() error {
	if !(o.Epsilon >= 0 && o.Epsilon < 0.5) {
		return fmt.Errorf("option Epsilon is %v: want the probability of a wrong label, in [0, ½)", o.Epsilon)
	}
	if o.Starts < 0 || o.Starts > maxStarts {
		return fmt.Errorf("option Starts is %d: want 0 … %d, because each start needs time for a fit", o.Starts, maxStarts)
	}
	return nil
}

func labelFlipOf(in *check.Data, o LabelFlipOptions) (*LabelFlip, error) {
	lo := LogisticOptions{Prior: o.Prior, Start: o.Start, MaxIterations: o.MaxIterations, Tolerance: o.Tolerance,
		Solver: o.Solver}
	p, err := newProblem(in, glm.FlipLoss{Eps: o.Epsilon}, lo)
	if err != nil {
		return nil, err
	}
	f := flipFit{p, in}
	if f.Prior == nil || f.Prior.Free {
		if err := check.OneClass(in.Targets()); err != nil {
			return nil, err
		}
	}
	f.Proper, f.Convex = true, false // skip the test for a minimum of E, because this test is not valid for this loss
	// E can have several minima, and a different minimum can be the lowest for a different ε. A fit
	// that estimates ε without an initial value therefore tries several values of ε.
	rates := []float64{o.Epsilon}
	if o.Estimate && o.Epsilon == 0 {
		rates = []float64{0.02, 0.1, 0.2, 0.3, 0.4}
	}
	var best *solve.ExactPath
	try := func(start []float64) {
		for _, ε := range rates {
			if p := f.minimise(o, start, ε); best == nil || isBetter(p, best) {
				best = p
			}
		}
	}
	try(f.Start)
	rng := rand.New(rand.NewPCG(o.Seed, 4117))
	for range o.Starts {
		start := make([]float64, len(f.Start))
		for i := range start {
			start[i] = 4 * rng.NormFloat64() // 4 is a wide spread, because the columns are scaled to about 1
		}
		if f.Rank != nil {
			start = linalg.MulVec(f.Rank.Free, linalg.MulVecT(f.Rank.Free, start))
		}
		try(start)
	}
	separable := &solve.Recession{}
	// Look for a separating direction, unless the fit converged with ε > 0: then E has a strict minimum, so
	// no such direction exists.
	if f.Prior == nil && (!best.Converged || best.Eps == 0) {
		separable = f.Recede()
	}
	if o.Estimate && separable.Direction != nil && separable.RowsOnPlane == 0 {
		return f.fitSeparable(o) // for strictly separable classes, E comes arbitrarily close to 0
	}
	if d := separable.Direction; d != nil && best.Direction == nil { // a step along d increases the loss of no row
		best.Converged, best.Direction = false, f.Coord.Inner(d)
		best.Reason = fmt.Sprintf("the objective has no minimum: it approaches its lowest value as w grows, because a hyperplane separates the classes, with %d rows on the hyperplane; "+
			"W is the iterate after %d iterations; for finite weights use a Prior", separable.RowsOnPlane,
			best.Trace[len(best.Trace)-1].Iteration)
	}
	return f.toModel(best, o)
}

// fitSeparable fits strictly separable classes. For such classes the best ε is 0, and w grows
// without bound.
func (f flipFit) fitSeparable(o LabelFlipOptions) (*LabelFlip, error) {
	f.GLM, f.Proper, f.Convex = glm.New(f.GLM.Design, f.GLM.T, glm.CrossEntropy{}), false, true
	n := &solve.ExactPath{Path: solverOf(o.Solver).Solve(f.Problem), Fit: f.Problem,
		Row: func(ε float64) func(a, t float64) glm.ExactRow { return glm.FlipLoss{Eps: ε}.Row }, Joint: true}
	n.Quad = nil
	n.Sums = f.GLM.EvaluateExact(n.W, n.Row(0))
	n.E = n.Sums.E
	if n.Direction == nil { // the solver stopped before it found a separating direction
		n.Converged, n.Direction = false, f.Coord.Inner(f.Recede().Direction)
		n.Reason += "; the classes are linearly separable: the likelihood has no maximum, because it grows as w grows; for finite weights use a Prior"
	}
	n.Reason += edgeReason
	return f.toModel(n, o)
}

// edgeReason is appended to Reason if the best ε is 0.
const edgeReason = "; the likelihood is largest at ε = 0, the edge of its range, so the model is logistic regression"

// toModel converts the result of a solver to the model.
func (f flipFit) toModel(best *solve.ExactPath, o LabelFlipOptions) (*LabelFlip, error) {
	e, err := resultOf(f.Problem, best.Path)
	if err != nil {
		return nil, err
	}
	m := &LabelFlip{Estimate: *e, Epsilon: best.Eps, Estimated: o.Estimate}
	m.LogLikelihood, m.E = -best.Sums.E, best.E
	m.NullLogLikelihood = flipNull(f.in.Targets(), f.Src.Weights(), f.Src.Total(), best.Eps)
	m.Hessian, m.Covariance = best.Matrices(m.Converged && f.Rank == nil)
	if !linalg.Finite(m.Hessian) || m.Covariance != nil && !linalg.Finite(m.Covariance) {
		return nil, errors.New("the Hessian or its inverse overflows: choose other units for x")
	}
	if o.Estimate && slices.Equal(f.Cols.Min, f.Cols.Max) {
		const same = "all rows of x are the same, so their labels determine p(t=1) but not ε and w: do not estimate ε, or add columns that vary"
		if m.Converged {
			m.Reason += "; " + same
		} else {
			m.Reason = "not converged: " + same
		}
	}
	return m, nil
}

// minimise searches for a minimum of E. It begins at the weights `start`. In the first phase ε is
// fixed, and the solver uses the expected Hessian. The second phase uses the exact Hessian, and
// also changes ε if o.Estimate is set.
func (f flipFit) minimise(o LabelFlipOptions, start []float64, ε float64) *solve.ExactPath {
	p := *f.Problem
	p.Start, p.GLM = start, glm.New(f.GLM.Design, f.GLM.T, glm.FlipLoss{Eps: ε})
	n := f.MinimiseExact(solverOf(o.Solver).Solve(&p),
		func(ε float64) func(a, t float64) glm.ExactRow { return glm.FlipLoss{Eps: ε}.Row }, ε, o.Estimate)
	if n.AtZero() {
		n.Reason += edgeReason
	}
	return n
}

// isBetter reports whether the first of two paths is better than the second. The path with the
// lower E is better. If the two values of E are equal up to rounding, a path that has converged is
// better than a path that has not converged.
func isBetter(a, b *solve.ExactPath) bool {
	if d := 1e-10 * (1 + math.Abs(b.E)); a.E < b.E-d || a.E <= b.E+d && a.Converged && !b.Converged {
		return true
	}
	return false
}

// flipNull returns the log likelihood of the best model whose only weight is the bias, for the given
// ε. The argument n is the sum of the row weights w.
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

// LabelFlipObjective returns the Objective E(w) for a fixed ε, with an optional prior. Its method
// Hessian returns the expected Hessian, which is positive semidefinite. Errors: an epsilon outside
// [0, ½), and the errors of LogisticObjective.
//
// Equations: PRML (4.117).
func LabelFlipObjective(x mat.Matrix, t []float64, epsilon float64, prior Prior) (*Objective, error) {
	if !(epsilon >= 0 && epsilon < 0.5) {
		return nil, failure("LabelFlipObjective", fmt.Errorf("epsilon is %v: want a probability in [0, ½)", epsilon))
	}
	o, err := objectiveOf("LabelFlipObjective", x, t, prior)
	if err != nil {
		return nil, err
	}
	o.glm.Loss = glm.FlipLoss{Eps: epsilon}
	return o, nil
}

// DegreesOfFreedom returns Rank, plus 1 if ε was estimated. Rank is D+1 unless Φ has dependent
// columns.
func (m *LabelFlip) DegreesOfFreedom() int {
	if m.Estimated {
		return m.Rank + 1
	}
	return m.Rank
}

// AIC returns −2 ln p(t|W,ε) + 2M, where M is DegreesOfFreedom.
func (m *LabelFlip) AIC() float64 { return m.Deviance() + 2*float64(m.DegreesOfFreedom()) }

// BIC returns −2 ln p(t|W,ε) + M ln N.
func (m *LabelFlip) BIC() float64 {
	return m.Deviance() + float64(m.DegreesOfFreedom())*math.Log(sumOr(m.SumWeights, m.N))
}

// EpsilonError returns the standard error of an estimated ε. It returns an error if ε was given or
// the fit has no covariance.
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

func (m *LabelFlip) linearWeights() *mat.Dense { return twoColumns(m.W) }

// Scores returns an N×2 matrix with the activation a for C₁ and 0 for C₂.
func (m *LabelFlip) Scores(x mat.Matrix) (*mat.Dense, error) {
	return m.estimate().pairs(x, scoreLink)
}

// Posterior returns an N×2 matrix with the probabilities σ(a) and σ(−a) of the true class.
func (m *LabelFlip) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return m.estimate().pairs(x, sigmoidLink)
}

// LabelPosterior returns an N×2 matrix with the probabilities of the observed label, which may be
// wrong. Errors: as for Posterior.
//
// Equations: PRML (4.117).
func (m *LabelFlip) LabelPosterior(x mat.Matrix) (*mat.Dense, error) {
	if m == nil {
		return nil, failure("LabelPosterior", errNoWeights("FitLabelFlip"))
	}
	δ := 1 - 2*m.Epsilon
	return m.estimate().pairs(x, complementLink(func(_ vec.Kernels, y, c, a []float64) {
		for r, v := range a {
			y[r], c[r] = m.Epsilon+δ*kernels.Sigmoid(v), m.Epsilon+δ*kernels.Sigmoid(-v)
		}
	}))
}

// Predict returns 0 (C₁) for rows with a ≥ 0 and 1 (C₂) for rows with a < 0.
func (m *LabelFlip) Predict(x mat.Matrix) ([]int, error) { return m.estimate().predict(x) }

var _ = codec.Register(codec.Kind[LabelFlip]{Schema: "hyperplane-label-flip/1", Valid: (*LabelFlip).checkSizes,
	New: func() *LabelFlip { return &LabelFlip{Estimate: unknownPenalty} }})

func (m *LabelFlip) checkSizes() error {
	if m.Estimated {
		return m.Estimate.checkSizes(1)
	}
	return m.Estimate.checkSizes(0)
}

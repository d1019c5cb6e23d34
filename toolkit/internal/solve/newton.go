package solve

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Newton is the Newton–Raphson method, PRML (4.92). With the gradient ∇E and the Hessian H = RᵀR at
// w, a step is
//
//	w ← w − s·H⁻¹∇E(w) = w − s·R⁻¹z, z = R⁻ᵀ∇E(w).
//
// The number λ = ‖z‖ = √(∇EᵀH⁻¹∇E) is the length of the full step (s = 1), measured in standard
// errors of w.
//
// A line search selects s: the first of the numbers 1, ½, ¼, … for which E decreases by at least
// 10⁻⁴·sλ² (Armijo). If no s is accepted, or if H is singular in double precision, the step is
// damped: H is replaced by an upper bound on all Hessians. For the logistic loss this bound is ¼ΦᵀΦ
// + S0⁻¹.
type Newton struct{}

var _ Solver = Newton{}

const (
	sufficient = 1e-4 // smallest accepted decrease of E, divided by the decrease that the slope predicts (Armijo)
	shortest   = 1e-3 // the line search tries only step sizes s above this number
	rounding   = 1e-8 // if λ is below this number, rounding errors can be the reason why a step makes no progress
	steadyTol  = 1e-3 // an iterate counts as nearly converged if λ is at most this number
	doublings  = 1000 // largest number of doublings of a step; 2¹⁰⁰⁰ is near the largest float64
)

func (Newton) Prepare(_, _ int) (int, error) { return 100, nil }

func (Newton) Solve(p *Problem) *Path {
	n := newNewton(p, p.Start)
	n.run()
	if p.FromSample {
		return nil
	}
	n.out.Quad, n.out.last = n.q, n.ev
	return n.out
}

// newton contains the state of Newton's method at an iterate.
type newton struct {
	*Problem
	out   *Path
	lv    glm.Level
	ev    *glm.Evaluation
	e     float64
	q     *Quadratic    // quadratic model with H and ∇E; nil if H is singular in double precision
	λ     float64       // length of the full Newton step in standard errors; +Inf if q is nil
	bound *linalg.Upper // triangular factor of an upper bound on all Hessians; computed only when needed

	contraction float64 // the next λ is estimated as contraction·λ²; +Inf if unknown
	it          int
	last        float64 // λ of the previous iterate
	longer      bool    // true if λ is not below the previous λ, because only rounding errors of w remain
	stalled     int     // number of iterations in which `longer` was true

	proved    bool       // true if the existence of the optimum has been proved
	tested    bool       // true if minimumEnclosed was already called at this iterate
	recedes   *Recession // proof that the optimum does not exist, or nil
	uncertain string     // Reason of the fit if rounding errors hide the optimum; otherwise ""
}

func newNewton(p *Problem, w []float64) *newton {
	return &newton{Problem: p, out: &Path{W: w}, lv: p.Moments(), last: math.Inf(1), contraction: math.Inf(1)}
}

// run repeats (4.92) until the method `examine` or handleNoProgress returns a reason to stop.
func (n *newton) run() {
	if !n.startFromSample() {
		if n.FromSample {
			return
		}
		n.accept(n.out.W)
	}
	end := notDone
	for ; end == notDone; n.it++ {
		n.computeModel() // compute H and ∇E at w
		end = n.examine()
		if end != notDone {
			break
		}
		moved := n.advance() // step w ← w − s·H⁻¹∇E
		if !moved {
			end = n.handleNoProgress()
		}
	}
	n.writeResult(end)
}

// accept evaluates the objective at w and makes w the current iterate.
func (n *newton) accept(w []float64) {
	ev, e := n.Evaluate(w, n.lv)
	n.record(w, ev, e)
}

// record is like accept, but the objective was already evaluated at w.
func (n *newton) record(w []float64, ev *glm.Evaluation, e float64) {
	n.out.W, n.ev, n.e = w, ev, e
	s := n.step(w, ev, e)
	s.Iteration = len(n.out.Trace)
	n.out.Trace = append(n.out.Trace, s)
}

// computeModel computes H, ∇E and λ at the iterate. If the Gram matrix is too ill conditioned,
// computeModel switches to the orthogonal factor for this and all further iterations.
func (n *newton) computeModel() {
	n.q = n.quadratic(n.out.W, n.ev)
	if n.q == nil && n.lv == glm.WithGram {
		n.lv = glm.WithTriangle
		n.ev, n.e = n.Evaluate(n.out.W, n.lv)
		n.q = n.quadratic(n.out.W, n.ev)
	}
	n.λ, n.tested = math.Inf(1), false
	if n.q != nil {
		n.λ = n.q.decrement()
	}
}

// advance takes one or more chords (see makeChords), a Newton step w ← w − s·H⁻¹∇E, or a damped step.
// It reports whether w changed.
func (n *newton) advance() (moved bool) {
	if n.q == nil {
		return n.makeDampedStep()
	}
	if n.makeChords() {
		return true
	}
	from, d := n.out.W, n.newtonStep(n.q)
	slack := 1e-13 * math.Abs(n.e) // upper bound on the rounding error of E
	// If `blind` is true, the values of E are too close to be compared, or the gradient has more
	// correct digits than E. The line search then rejects a step only if E increases by more than
	// any rounding error. Such an increase means that the step is far too long, which can happen
	// for a loss whose values are bounded.
	blind := n.λ*n.λ <= slack || n.precise && n.λ <= steadyTol || n.Jeffreys && n.λ <= blurredPenalty
	rise := 1e-6 * (1 + math.Abs(n.e))
	for s := 1.0; s > shortest; s /= 2 {
		lv := glm.OnlyValue
		// The line search nearly always accepts the first step. Its evaluation therefore also
		// computes the second moments that the next iteration needs.
		if s == 1 {
			lv = n.lv
		}
		w := pointAlong(from, d, s)
		ev, e := n.Evaluate(w, lv)
		if !blind && !(e <= n.e-sufficient*s*n.λ*n.λ+slack) || !(e <= n.e+rise) {
			continue
		}
		if s < 1 {
			ev, e = n.Evaluate(w, n.lv)
		}
		n.record(w, ev, e)
		n.followTail(from, d, s)
		return true
	}
	return n.makeDampedStep()
}

// newtonStep returns the Newton step −H⁻¹∇E = −R⁻¹z.
func (p *Problem) newtonStep(q *Quadratic) []float64 {
	d := p.Rank.Embed(q.R.Solve(q.z))
	if q.shift != nil {
		floats.Add(d, q.shift)
	}
	floats.Scale(-1, d)
	return d
}

// makeDampedStep tries two changes of w. The first is a step with an upper bound on all Hessians
// instead of H, so that the step is not too long; it is doubled as long as E decreases. The second
// change halves w as long as E decreases. makeDampedStep makes the change that leads to the lower E.
// If neither change lowers E, it leaves w unchanged and returns false.
func (n *newton) makeDampedStep() (moved bool) {
	var w []float64
	least := n.e
	for _, bound := range n.upperBounds() {
		switch regular := bound.Regular(); {
		case !regular && n.Jeffreys:
			continue
		case !regular:
			return false
		}
		g := n.innerGradient(n.out.W, n.ev)
		d := n.newtonStep(&Quadratic{R: bound, z: bound.SolveT(g)})
		at, e := n.descend(func(k int) []float64 { return pointAlong(n.out.W, d, math.Ldexp(1, k)) })
		if n.Jeffreys && at == nil { // with Jeffreys' prior, the bounds are valid only near the iterate
			at, e = n.shortenStep(d)
		}
		if e < least {
			w, least = at, e
		}
	}
	if !n.fixed { // halving all weights would also change the fixed weight
		half := func(k int) []float64 { return pointAlong(n.out.W, n.out.W, math.Ldexp(1, -k-1)-1) }
		back, e := n.descend(half)
		if n.Jeffreys && math.IsInf(n.e, 1) {
			back, e = n.firstRegular(half)
		}
		if e < least {
			w, least = back, e
		}
	}
	if !(least < n.e) {
		return false
	}
	n.accept(w)
	return true
}

// upperBounds returns the factor of an upper bound on all Hessians. With Jeffreys' prior it returns
// two factors, as far as they exist, or none if H is singular at the iterate. The first belongs to
// a bound that holds only at the iterate. It may have no correct digits if the probabilities of the
// rows are close to 0 or 1. For this case, the second factor belongs to an upper bound on the
// likelihood's Hessian.
func (n *newton) upperBounds() []*linalg.Upper {
	if n.bound == nil {
		n.bound = n.boundFactor()
	}
	switch {
	case !n.Jeffreys:
		return []*linalg.Upper{n.bound}
	case n.ev.Info == nil:
		return nil
	case n.ev.Info.Bound == nil:
		return []*linalg.Upper{n.bound}
	}
	return []*linalg.Upper{n.restrictToFree(n.ev.Info.Bound), n.bound}
}

// descend evaluates E at point(0), point(1), … as long as each E is lower than the previous E. It
// returns the point with the lowest E, and this E. If E at point(0) is not lower than at the current
// iterate, it returns nil instead of a point.
func (n *newton) descend(point func(k int) []float64) (best []float64, least float64) {
	least = n.e
	for k := range doublings {
		w := point(k)
		_, e := n.Evaluate(w, glm.OnlyValue)
		if !(e < least) {
			break
		}
		best, least = w, e
	}
	return best, least
}

// pointAlong returns w + s·d.
func pointAlong(w, d []float64, s float64) []float64 {
	return floats.AddScaledTo(make([]float64, len(w)), w, s, d)
}

// stopReason is the reason why Newton's method stops.
type stopReason int

const (
	notDone   stopReason = iota // keep iterating
	optimum                     // the step is short, and it has been proved that E has a minimum
	separable                   // the hyperplane of the iterate separates the classes
	receding                    // it has been proved that E decreases forever in some direction
	blurred                     // rounding hides the optimum
	exhausted                   // the number of iterations has reached its limit
	stuck                       // no step reduces E, or the steps do not become shorter
)

const (
	separatedTol = 1e-6 // if the weights separate the classes, the method continues until E is at most this number
	watchFrom    = 8    // number of iterations before the first test for quasi-separation
	watchEvery   = 4    // number of iterations between two tests for quasi-separation
	maxStalled   = 3    // the method stops after this many iterations in which rounding errors kept λ from decreasing
)

// examine decides whether the method stops at this iterate. If the step is short, but could be
// different with the precise gradient, examine switches to the precise gradient.
func (n *newton) examine() stopReason {
	if n.separates() {
		// The first iterate that separates the classes may be close to the least-squares solution.
		// Later iterates approach the hyperplane with the widest margin, so continue until E is
		// small.
		if n.e <= separatedTol || n.it >= n.MaxIt {
			return separable
		}
		return notDone
	}
	short := n.λ <= n.Tol || n.λ <= rounding && n.λ > n.last/2
	if short && !n.gradientIsExact() {
		n.usePrecise()
		n.computeModel()
		short = n.λ <= n.Tol
	}
	short = short && n.isShort()
	watch := n.it >= watchFrom && (n.it%watchEvery == 0 && n.λ <= steadyTol || n.it >= n.MaxIt)
	answer, proof := undecided, (*Recession)(nil)
	if watch || short {
		answer, proof = n.decideExistence(watch || !math.IsInf(n.Tol, 1))
	}
	if watch && answer == undecided {
		proof = n.approximateRecession()
	}
	// If no row lies on the plane (proof.RowsOnPlane is 0), continue, because later iterates will separate
	// the classes as well.
	if proof != nil && (proof.RowsOnPlane > 0 || n.NonLogistic != nil || n.it >= n.MaxIt) {
		n.recedes = proof
		return receding
	}
	if short && answer == exists {
		n.uncertain = n.roundingReason()
		if n.uncertain != "" {
			return blurred
		}
		return optimum
	}
	if n.it >= n.MaxIt {
		return exhausted
	}
	n.longer = n.precise && n.λ <= steadyTol && n.λ >= n.last // only rounding errors of w remain
	n.last = n.λ
	if n.longer {
		n.stalled++
	}
	if n.stalled >= maxStalled {
		return n.handleNoProgress()
	}
	return notDone
}

// handleNoProgress decides how to continue if no step reduces E or if the steps do not become
// shorter.
func (n *newton) handleNoProgress() stopReason {
	if n.separates() {
		return separable
	}
	if !n.gradientIsExact() {
		n.usePrecise()
		return notDone
	}
	_, n.recedes = n.decideExistence(true)
	if n.recedes != nil {
		return receding
	}
	return stuck
}

// writeResult writes the result to the path.
func (n *newton) writeResult(end stopReason) {
	out := n.out
	switch end {
	case optimum:
		λ := n.λ
		if λ <= n.Tol && n.it < n.MaxIt && !n.hasManyRows() { // with many rows, λ is far below Tol even without this step
			before, trace := *n, *n.out
			n.advance() // after one more step, the error of w is about the square of the current error
			n.computeModel()
			if n.precise && n.λ > λ { // the new λ is only the rounding error of w, so it may exceed the old λ
				*n, *n.out = before, trace
			}
		}
		out.Converged = true
		out.Reason = fmt.Sprintf("converged after %d iterations: the last Newton step was %.1g standard errors long",
			n.traceSteps(), λ)
	case receding:
		out.Direction, out.rowsOnPlane = n.Coord.Inner(n.recedes.Direction), n.recedes.RowsOnPlane
		out.Reason = n.noMaximumReason(out.rowsOnPlane, n.recedes.Pivots)
	case separable:
		out.Direction = out.W
		out.Reason = n.noMaximumReason(0, 0)
	case blurred:
		out.Reason = n.uncertain
	case exhausted:
		out.Reason = fmt.Sprintf("not converged: stopped after MaxIterations = %d, the Newton step is still %.2g standard errors long", n.it, n.λ) + n.obstacle()
	case stuck:
		why := "no step lowers the objective"
		if n.longer {
			why = fmt.Sprintf("the Newton step, %.2g standard errors long, gets no shorter", n.λ)
		}
		out.Reason = fmt.Sprintf("not converged: stopped after %d iterations, because %s", n.traceSteps(), why) + n.obstacle()
	}
}

// traceSteps returns the number of steps in the trace, without the start.
func (n *newton) traceSteps() int { return len(n.out.Trace) - 1 }

// noMaximumReason returns the Reason of a fit that has no maximum because a hyperplane separates
// the classes. The argument rowsOnPlane is the number of rows on the hyperplane. If the argument
// `pivots` is not 0, the exact proof was stopped after this number of pivots, and the hyperplane
// was found with floating-point arithmetic.
func (n *newton) noMaximumReason(rowsOnPlane, pivots int) string {
	kind := "the classes are linearly separable:"
	switch {
	case rowsOnPlane > 0 && pivots > 0:
		kind = fmt.Sprintf("the classes are quasi-separable: up to rounding, a hyperplane has no row on the wrong side and %d rows on it (the exact proof is unfinished after %d pivots), so", rowsOnPlane, pivots)
	case rowsOnPlane > 0:
		kind = fmt.Sprintf("the classes are quasi-separable: a hyperplane has no row on the wrong side and %d rows on it, so", rowsOnPlane)
	}
	return fmt.Sprintf("%s the likelihood has no maximum (it keeps increasing as w grows); W is the iterate after %d iterations; for finite weights use a Prior", kind, n.traceSteps())
}

// obstacle returns text to be added to a Reason. The text says what prevents convergence and what
// to do. It is empty if the obstacle is unknown.
func (n *newton) obstacle() string {
	switch {
	case n.Prior == nil && !n.Proper && n.Recede().Pivots > 0:
		return fmt.Sprintf("; the proof that the maximum exists is unfinished after %d pivots: use a Prior",
			n.Recede().Pivots)
	case n.Prior == nil && !n.Proper && !n.Recede().Known:
		return "; the maximum is not proved to exist: use a Prior"
	case n.q == nil || !n.q.R.Regular():
		return "; the Hessian is singular in double precision: look for columns or entries of extreme size"
	case n.precise || n.λ <= rounding:
		return "; rounding errors prevent convergence: " + n.causeOfRounding()
	}
	return ""
}

// causeOfRounding describes the most likely cause of large rounding errors: an entry of
// x, or the weights of the rows.
func (n *newton) causeOfRounding() string {
	src := n.GLM.Design.Source()
	if least, most, extreme := src.Weights().Extreme(); extreme {
		return fmt.Sprintf("the weights of the rows range from %.3g to %.3g: give weights nearer to 1", least, most)
	}
	rows, d := src.Dims()
	column, row, most, buf := 0, 0, 0.0, make([]float64, d)
	for i := range rows {
		x, _ := src.Rows(i, i+1, buf)
		for j, v := range x[:d] {
			if a := math.Abs(v); a > most {
				column, row, most = j, i, a
			}
		}
	}
	return fmt.Sprintf("column %d of x (counting from 0) reaches %.3g in row %d: look at that row, or centre and scale the column, and leave out columns that nearly depend on others", column, most, row)
}

// All rows may be so far from the boundary that their losses decrease exponentially with the
// activation. Every Newton step then changes the activations of these rows by 1, however far away
// the optimum is, and multiplies λ by e^−½. Therefore λ can be small although the optimum is far
// away, and a short step does not prove that the optimum is near.

// isShort reports whether the next step is short relative to the weights and the activations.
func (n *newton) isShort() bool {
	const room = 0.9 // allows for the rounding error of the step
	return n.q != nil && n.Problem.isShort(n.out.W, n.newtonStep(n.q), room*n.requiredAccuracy())
}

// isShort reports whether a step d from w is short. The length of d must be at most share·(1 +
// ‖w‖), both in inner coordinates and in the units of x. In every row, the change in the activation
// must be at most share·(1 + |activation|). Weights and activations then have the required digits.
// For a softmax, the differences between the weights of two classes must have these digits too. Such
// a difference is up to √2 times as long as the weights.
func (p *Problem) isShort(w, d []float64, share float64) bool {
	normFloor := 1.0
	if p.GLM.Many != nil {
		normFloor = math.Sqrt2 / 2
	}
	reach := math.Sqrt2 * p.maxRowNorm() * linalg.Norm(d)
	if reach > share {
		reach = p.Reach(w, d)
	}
	return reach <= share && linalg.Norm(d) <= share*(normFloor+linalg.Norm(w)) &&
		linalg.Norm(p.Coord.Outer(d)) <= share*(normFloor+linalg.Norm(p.Coord.Outer(w)))
}

// Reach returns the largest |φᵀd|/(1+|φᵀw|) of all rows. For a softmax it replaces the activations
// with the differences between the activations of two classes.
func (p *Problem) Reach(w, d []float64) float64 {
	if many := p.GLM.Many; many != nil {
		return many.Reach(w, d)
	}
	return glm.RowMax(p.GLM.Design, func(rows int) func(*block.Block, []float64) {
		a, change := make([]float64, rows), make([]float64, rows)
		return func(b *block.Block, s []float64) {
			b.Margins(w, a)
			b.Margins(d, change)
			for r := range s {
				s[r] = math.Abs(change[r]) / (1 + math.Abs(a[r]))
			}
		}
	})
}

// tailShare is a lower bound for a ratio: the slope of E after a step along an exponential tail of
// E, divided by the slope before this step.
const tailShare = 0.25

// followTail starts at w = from + s·d, the end of the last step, and doubles this step as long as E
// decreases. To decide whether E decreases, it tests the sign of the slope of E, because the values
// of E may be too close to be compared. followTail passes an exponential tail of length 2^k in
// about k steps. It does nothing if E is not convex, if λ or the slope shows no such tail, or if it is
// not proved that E has a minimum.
func (n *newton) followTail(from, d []float64, s float64) {
	if !n.Convex || n.λ > steadyTol || !(n.slope(n.out.W, n.ev, d) < -tailShare*n.λ*n.λ) ||
		n.Reach(from, d) <= rounding {
		return
	}
	if answer, _ := n.decideExistence(true); answer != exists {
		return // it is not proved that a minimum exists, so E may decrease forever along the tail
	}
	var best []float64
	for range doublings {
		s *= 2
		w := pointAlong(from, d, s)
		ev, e := n.Evaluate(w, glm.WithGradient)
		if !(n.slope(w, ev, d) < 0 && e <= n.e+1e-13*math.Abs(n.e)) {
			break
		}
		best = w
	}
	if best == nil {
		return
	}
	n.out.Trace = n.out.Trace[:len(n.out.Trace)-1]
	n.accept(best)
}

// slope returns the derivative ∇Eᵀd at w. The argument ev must be the evaluation at w and must
// include the gradient.
func (p *Problem) slope(w []float64, ev *glm.Evaluation, d []float64) float64 {
	return linalg.Dot(p.fullGradient(w, ev), d)
}

// If there are many rows, a pass that computes H takes several times as long as a pass that
// computes only ∇E. Newton's method therefore computes H rarely. It starts at the optimum for a
// sample of the rows, with the H of the sample, and uses each H for several steps. A step with the
// H of an earlier iterate is called a chord. If upper bounds on the errors prove the result,
// further passes are not necessary. A fit with Converged = true was always checked on all rows.

const (
	manyRows   = 50_000
	sampleRuns = 64 // a sample consists of this many runs of consecutive rows, evenly spaced
	sampleOf   = 16 // number of all rows divided by the number of rows in the largest sample
	// largest λ at the end of a fit to a sample; a smaller λ is useless, because the optima of
	// samples differ by about √M standard errors
	sampleTol        = 1
	maxChordShare    = 0.3 // largest allowed ratio of λ after a chord to λ before it
	chordsPerHessian = 2   // this many successive chords take as long as the computation of a new H
)

// hasManyRows reports whether the problem has at least manyRows rows, is convex, does not use the
// precise gradient, and has a Hessian that is computed as a Gram matrix.
func (p *Problem) hasManyRows() bool {
	n, _ := p.GLM.Design.Dims()
	return n >= manyRows && p.Convex && !p.precise && p.Moments() == glm.WithGram
}

// sampleEstimate is an estimate of the optimum and of H for all rows, computed from a sample of the
// rows.
type sampleEstimate struct {
	w           []float64  // the optimum for the sample, which is an approximate optimum for all rows
	q           *Quadratic // approximate Hessian H for all rows at w, without a gradient
	contraction float64    // for all rows, λ after a Newton step is about contraction·λ²
	rate        float64    // estimate of λ after a step with q, divided by λ before the step
}

// estimateFromSamples solves the problem for several samples of increasing size. For each sample,
// Newton's method starts at the optimum for the previous sample. estimateFromSamples returns nil if
// the problem does not allow samples, or if the method does not converge quickly for a sample.
func (p *Problem) estimateFromSamples() *sampleEstimate {
	if !p.MayChangeStart || !p.hasManyRows() || !p.Src.InMemory() || p.FreeRoot != nil {
		return nil
	}
	p.scratch = new(scratch) // the fits of the samples share this scratch memory
	var r *sampleEstimate
	rows, m := p.GLM.Design.Dims()
	for _, factor := range []int{16 * sampleOf, 4 * sampleOf, sampleOf} {
		if rows/factor < 40*m {
			continue
		}
		s := p.sampleProblem(factor)
		if r != nil {
			s.Start = r.w
		}
		if r = s.solveSample(); r == nil {
			return nil
		}
		size, _ := s.GLM.Design.Dims()
		more := float64(rows) / float64(size)
		r.q.R = r.q.R.Scaled(math.Sqrt(more))
		r.contraction /= math.Sqrt(more)
		// The eigenvalues of H^−½·H_sample·H^−½ lie within about 1 ± 2√(M/n).
		r.rate = 2 * math.Sqrt(float64(r.q.R.N)/float64(size))
	}
	return r
}

// solveSample takes at most 15 full Newton steps (s = 1), until λ is at most sampleTol. It returns
// nil if λ remains larger, if E increases, if H is singular, or if an iterate separates the classes.
func (p *Problem) solveSample() *sampleEstimate {
	w := p.Start
	last, before := math.Inf(1), math.Inf(1)
	for range 15 {
		ev, e := p.Evaluate(w, glm.WithGram)
		q := p.quadratic(w, ev)
		ev.Gram.Release()
		if q == nil || ev.Hard && ev.Margin > 0 || !(e <= last) {
			return nil
		}
		λ := q.decrement()
		contraction := λ / (before * before)
		w, last, before = pointAlong(w, p.newtonStep(q), 1), e, λ
		if λ <= sampleTol {
			return &sampleEstimate{w: w, q: q, contraction: contraction}
		}
	}
	return nil
}

// sampleProblem returns the problem for a sample of the rows. The problem p has about `factor`
// times as many rows as the sample. sampleProblem multiplies the precision of the prior by the
// fraction of the rows that the sample contains.
func (p *Problem) sampleProblem(factor int) *Problem {
	n, _ := p.Src.Dims()
	index := block.Spread(n, n/factor, sampleRuns)
	s := *p
	s.Src = block.NewSource(block.NewRowsView(p.Src, index))
	design := p.Coord.Design(s.Src)
	if many := p.GLM.Many; many != nil {
		s.GLM = glm.NewSoftmax(design, many.T.Rows(index))
	} else {
		t := make([]float64, len(index))
		for i, at := range index {
			t[i] = p.GLM.T[at]
		}
		s.GLM = glm.New(design, t, p.GLM.Loss)
	}
	if p.Prior == nil {
		return &s
	}
	share := math.Sqrt(float64(len(index)) / float64(n))
	prior := *p.Prior
	prior.Root = scaledRows(p.Prior.Root, share)
	s.Prior, s.Root = &prior, scaledRows(p.Root, share)
	return &s
}

func scaledRows(rows [][]float64, s float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		out[i] = slices.Clone(row)
		floats.Scale(s, out[i])
	}
	return out
}

// startFromSample starts at the optimum for a sample and makes chords, which here are steps with
// the H of the sample. It reports whether all derivatives that the next iteration needs were
// computed at the last iterate.
func (n *newton) startFromSample() bool {
	r := n.estimateFromSamples()
	if r == nil {
		return false
	}
	n.out.W, n.contraction = r.w, r.contraction
	if r.rate > maxChordShare {
		return false
	}
	if n.FromSample {
		n.GLM.Design.Inspect()
	}
	ev, e := n.Evaluate(r.w, glm.WithGradient)
	if n.FromSample && !n.coordinatesSuit() {
		return false
	}
	n.record(r.w, ev, e)
	n.q = r.q
	n.q.z = n.q.R.SolveT(n.innerGradient(r.w, ev))
	n.λ = n.q.decrement()
	if !n.makeChordsAt(r.rate) {
		n.reevaluate()
	}
	n.it = n.traceSteps()
	return true
}

// reevaluate evaluates the last iterate again, with second moments.
func (n *newton) reevaluate() {
	n.out.Trace = n.out.Trace[:len(n.out.Trace)-1]
	n.accept(n.out.W)
}

// makeChords makes chords if they save time. A chord is a step w ← w − H⁻¹∇E(w) with the H of an
// earlier iterate. makeChords reports whether it took a step. If it took one, it has also computed
// the second moments at the last iterate.
func (n *newton) makeChords() (moved bool) {
	return n.q != nil && n.lv == glm.WithGram && n.hasManyRows() && n.makeChordsAt(n.contraction*n.λ)
}

// makeChordsAt makes chords, which are steps with the H of an earlier iterate. The argument `rate`
// is the expected λ after a step, divided by the λ before the step. makeChordsAt stops if this
// ratio exceeds maxChordShare, if a chord does not decrease E enough, or if the next iterate should
// have a new H (see lambdaForNewHessian). In the last case, the step to that iterate computes the
// new H. The number of iterations does not exceed MaxIt.
func (n *newton) makeChordsAt(rate float64) (moved bool) {
	q, λ := n.q, n.λ
	for rate <= maxChordShare && λ*rate > n.lambdaForNewHessian(λ, rate) && n.traceSteps()+1 < n.MaxIt {
		w := pointAlong(n.out.W, n.newtonStep(q), 1)
		ev, e := n.Evaluate(w, glm.WithGradient)
		if !(e <= n.e-sufficient*λ*λ+1e-13*math.Abs(n.e)) {
			rate = 1
			break
		}
		n.record(w, ev, e)
		n.it++
		moved = true
		next := *q
		next.z = q.R.SolveT(n.innerGradient(w, ev))
		shorter := next.decrement()
		q, λ, rate = &next, shorter, shorter/λ
	}
	if !moved {
		return false
	}
	if rate <= maxChordShare {
		w := pointAlong(n.out.W, n.newtonStep(q), 1)
		if ev, e := n.Evaluate(w, n.lv); e <= n.e+1e-13*math.Abs(n.e) {
			n.record(w, ev, e)
			return true
		}
	}
	n.it--
	n.reevaluate()
	return true
}

// lambdaForNewHessian returns the λ at which an iterate should have a new H. A chord is a step with
// the H of an earlier iterate. If a few chords are enough to reach the final λ, lambdaForNewHessian
// returns the final λ. Otherwise it returns a λ from which one Newton step and one chord reach the
// final λ. The Newton step changes λ to contraction·λ², and the chord multiplies this number by
// contraction·λ.
func (n *newton) lambdaForNewHessian(λ, rate float64) float64 {
	end := n.Tol / 4
	if λ*math.Pow(rate, chordsPerHessian+1) <= end {
		return end
	}
	return math.Max(end, math.Cbrt(n.Tol/(n.contraction*n.contraction)))
}

// maxRowNorm returns an upper bound on ‖φ‖ for all rows. In inner coordinates, the absolute value
// of an input is at most 2, and the bias input is 1.
func (p *Problem) maxRowNorm() float64 { return math.Sqrt(1 + 4*float64(len(p.Coord.Scale))) }

// boundsSuffice reports whether upper bounds on rounding errors prove that the sums in float64 are
// accurate enough. They are accurate enough if their errors change the Newton step by at most half
// of the tolerance. Let γ = k·2⁻⁵³, where k is the number of additions and roundings through
// which a term passes. The error of ∂E/∂w_j is at most
//
//	γ·Σ_n |e′_nφ_nj| ≤ γ·√(Σ e′_n²/e″_n)·√H_jj (Cauchy and Schwarz).
//
// For each class of a softmax the same bound holds with e″ = y_k(1−y_k). With D = diag(√H_jj), this
// error changes the step by at most γ·√(Σ e′_n²/e″_n)·√M·‖D·R⁻¹‖. An activation is computed as the
// sum of at least four partial sums, so that its k is at most about M/4 + 8. The rounding errors of
// the activations change the step by at most γ‖w‖max‖φ‖·√Σe″_n. For a softmax, e″ is replaced by
// the variance of the rounding errors under the posterior, which is at most the square of the
// largest error. The function priorRounding returns a bound on the rounding error of the prior.
func (n *newton) boundsSuffice() bool {
	held, prior, ok := n.priorRounding(n.out.W)
	if n.q == nil || n.ev.Gram == nil || !ok {
		return false
	}
	rows, m := n.GLM.Design.Dims()
	size, contrast := 0, 1.0
	if many := n.GLM.Many; many != nil {
		size, contrast = many.Size(glm.WithGram), math.Sqrt2
	}
	inv := n.Rank.EmbedColumns(n.q.inverse())
	outer := n.Coord.Columns(inv)
	scaled := mat.DenseCopyOf(inv)
	for j := range n.GLM.M {
		floats.Scale(math.Sqrt(n.ev.Gram.At(j, j)), scaled.RawRowView(j))
	}
	w := linalg.Norm(n.out.W)
	far := 1 + linalg.Norm(n.Coord.Outer(n.out.W))
	sums := float64(block.SumDepth(rows, m, size)+m+8) * math.Sqrt((n.ev.Pearson+held)*float64(m))
	margins := float64(m/4+8) * n.maxRowNorm() * w * math.Sqrt(n.ev.CurvatureSum)
	accurate := func(norm func(mat.Matrix) float64) bool {
		inner := norm(inv)
		z := prior + 0x1p-53*(sums*norm(scaled)+margins)
		return z*math.Max(1,
			math.Max(contrast*inner*n.maxRowNorm(), math.Max(inner/(1+w), norm(outer)/far))) <= 0.5*n.requiredAccuracy()
	}
	// closeNormBound needs about 9M³ operations, and sums with 31 digits need at least 50 NM
	// operations. With few rows, closeNormBound therefore saves no time.
	return accurate(normBound) || rows > n.GLM.M*n.GLM.M && accurate(closeNormBound)
}

// If there are many rows, a separate pass for the column statistics would take a twentieth of the
// time of a fit. If p.FromSample is true, the coordinates are therefore chosen from only a few rows. The
// first pass of Newton's method over all rows, at the optimum for a sample, then also inspects the
// columns.

// coordinatesSuit reports whether all inspected numbers are finite and the coordinates suit the
// inspected columns. It compares them with the coordinates that NewCoordinates would choose for these
// columns: each scale must be from 1/16 to 2 times the chosen scale, and the centres may differ by at
// most 1 in inner coordinates. If the coordinates suit, coordinatesSuit stores the statistics of the
// columns and sets p.FromSample to false.
func (p *Problem) coordinatesSuit() bool {
	cols := p.GLM.Design.Inspected()
	if cols.BadRow >= 0 {
		return false
	}
	want := linalg.NewCoordinates(cols, p.Prior.Floors(len(cols.Mean)))
	for j, s := range p.Coord.Scale {
		r := s / want.Scale[j]
		if r > 2 || r < 1./16 || !(math.Abs(p.Coord.Shift[j]-want.Shift[j]*r) <= 1) {
			return false
		}
	}
	p.Cols, p.FromSample = cols, false
	return true
}

package solve

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// solverRun contains the state and the code that all solvers except Newton share. A solver chooses the
// next point. The methods of solverRun evaluate and record the point, and decide whether and why to
// stop. The iterates are weights w in the units of x, not inner weights, because the books define
// the steps for these weights.
//
// Convergence means the same as for Newton. The method `measure` therefore computes the Newton step
// from time to time. Measured in standard errors of the weights, the Newton step must be shorter
// than the tolerance. It must also be short relative to the weights and the activations. Finally,
// it must be proved that the optimum exists.
type solverRun struct {
	*Problem
	name  string // name of the solver, for the Reason
	stop  Stopping
	held  *heldOutMonitor
	every int  // number of iterations between two recorded iterates
	noisy bool // whether a step of the solver may increase E

	*iterate // current iterate; nil before the first iterate
	it       int
	rises    int     // number of iterations that increased E
	due      int     // the next iteration at which the Newton step is measured
	λ        float64 // length of the Newton step that was computed last; +Inf if none was computed
	unmoved  bool    // whether the iterate no longer changes
	polished bool    // whether `measure` has taken its additional Newton step at the optimum
	thin     bool    // whether the interval `every` grows when the trace becomes long
	done     bool
	early    bool // whether the solver stopped because of its Stopping
	out      *Path
}

// iterate is a point that a solver has reached, with the value and the gradient of the objective.
type iterate struct {
	w, in []float64 // the weights w in the units of x, and the inner weights
	ev    *glm.Evaluation
	e     float64
	grad  []float64 // ∇E(w)
}

const maxTraceSteps = 1024 // the largest number of steps in a trace if `thin` is true

func newSolverRun(p *Problem, name string, start []float64, s Stopping, every int, everyUpdate bool) *solverRun {
	if everyUpdate {
		every = 1
	}
	k := &solverRun{Problem: p, name: name, stop: s, held: s.newHeldOut(p), every: max(every, 1), thin: every == 0,
		λ: math.Inf(1), out: &Path{}}
	k.accept(k.evaluateAt(start))
	return k
}

// evaluateAt returns the iterate with the weights w, and with the objective and its gradient there.
func (k *solverRun) evaluateAt(w []float64) *iterate {
	in := k.Coord.Inner(w)
	ev, e := k.Evaluate(in, glm.WithGradient)
	return &iterate{w, in, ev, e, k.gradient(w, ev)}
}

// accept makes x the current iterate and decides whether to stop. The argument x is the result of
// iteration k.it. If w, E or ∇E is not finite, the solver stops at the previous iterate, or at the
// start.
func (k *solverRun) accept(x *iterate) {
	if !linalg.AllFinite(x.w) || !linalg.AllFinite(x.in) || !linalg.AllFinite(x.grad) || math.IsInf(x.e, 0) ||
		math.IsNaN(x.e) {
		if k.iterate == nil {
			k.iterate = x
			k.record(x, 0)
			k.end("stopped at the start: the error or its gradient is not finite there; choose another Start, or other units for x")
			return
		}
		k.it--
		k.end("diverged: iteration %d of %s leads to numbers that cannot be represented; make the rate smaller or standardise the columns of x", k.it+1, k.name)
		return
	}
	if k.iterate != nil {
		k.unmoved = slices.Equal(x.w, k.w)
		if x.e > k.e {
			k.rises++
		}
	}
	k.iterate = x
	var held float64
	enough := false
	if k.held != nil {
		held, enough = k.held.evaluate(k.in, k.it)
	}
	k.record(x, held)
	switch {
	case k.stop.NoErrors && x.ev.Wrong == 0:
		k.early = true
		k.end("stopped early after %d iterations of %s: no row is misclassified", k.it, k.name)
	case enough:
		k.early = true
		k.w, k.in = k.Coord.Outer(k.held.best), k.held.best
		k.end("stopped early after %d iterations of %s: the held-out error has not fallen for %d iterations; W are the weights of iteration %d",
			k.it, k.name, k.it-k.held.at, k.held.at)
	case k.it >= k.due || k.it >= k.MaxIt || k.unmoved:
		// A measurement takes about as much time as the computation of M/4 gradients. The next
		// measurement therefore follows after at least M/4 iterations.
		k.due = k.it + max(8, k.it/16, k.GLM.M/4)
		k.measure(k.unmoved)
	}
}

// measure computes the Newton step. It stops the solver at the optimum, for separable data, if
// rounding errors hide the optimum, or when the largest number of iterations is reached. When the
// iterate no longer changes, measure takes a Newton step if the iterate is nearly optimal (see
// lastStepLimit), and otherwise stops the solver. If `still` is true, or if the Newton step no longer
// becomes shorter, a Newton step that consists only of rounding errors also counts as short.
func (k *solverRun) measure(still bool) {
	n := newNewton(k.Problem, k.in)
	n.ev, n.e = n.Evaluate(k.in, n.lv)
	n.computeModel()
	n.out.Trace = k.out.Trace
	if n.separates() && (k.e <= separatedTol || k.it >= k.MaxIt) {
		k.out.Direction = k.in
		k.end("%s; W is the iterate after %d iterations of %s", separableReason, k.it, k.name)
		return
	}
	last := k.λ
	if n.q != nil {
		k.λ = n.λ
		k.out.Quad = n.q
		still = still || k.λ > 0.999*last
		short := k.λ <= k.Tol || k.λ <= rounding && still
		if short && !n.gradientIsExact() {
			n.usePrecise()
			n.computeModel()
			k.λ = n.λ
			k.out.Quad = n.q
			short = k.λ <= math.Max(k.Tol, rounding)
		}
		if short && n.isShort() {
			if answer, _ := n.decideExistence(true); answer == exists {
				if reason := n.roundingReason(); reason != "" {
					k.end("%s", reason)
					return
				}
				// With a strong prior all weights are tiny. A step that is short in standard errors
				// may then be long relative to the vector of weights. One more Newton step makes the
				// weights accurate.
				d := linalg.Norm(n.newtonStep(n.q))
				if !k.polished && k.it < k.MaxIt && d > k.requiredAccuracy()*linalg.Norm(k.in) && n.advance() {
					k.polished = true
					k.it++
					k.due = k.it
					k.accept(k.evaluateAt(k.Coord.Outer(n.out.W)))
					return
				}
				k.out.Converged = true
				k.end("converged after %d iterations of %s: the Newton step is %.1g standard errors long", k.it, k.name,
					k.λ)
				return
			}
		}
	}
	if k.it >= k.MaxIt {
		k.end("not converged: stopped after MaxIterations = %d iterations of %s%s%s", k.MaxIt, k.name, k.distance(), k.advice())
		return
	}
	if !k.unmoved {
		return
	}
	moved := false
	if k.λ <= lastStepLimit {
		moved = n.advance() && !slices.Equal(n.out.W, k.in)
	}
	if !moved {
		k.end("not converged: %s no longer changes the weights after %d iterations%s; the steps of the solver, or the changes in E, are lost in rounding errors: use Newton{}", k.name, k.it, k.distance())
		return
	}
	k.it++
	k.accept(k.evaluateAt(k.Coord.Outer(n.out.W)))
}

// lastStepLimit is the largest λ at which a final Newton step may complete a fit that makes no progress
// because of rounding errors. At this λ, the distance of E from its minimum is only λ²/2.
const lastStepLimit = 1e-6

// separableReason is the first part of Reason if the last iterate separates the classes.
const separableReason = "the classes are linearly separable: the likelihood has no maximum (it keeps increasing as w grows); for finite weights use a Prior"

func (k *solverRun) distance() string {
	if math.IsInf(k.λ, 0) {
		return ""
	}
	return fmt.Sprintf(", the Newton step is still %.2g standard errors long", k.λ)
}

// advice returns a hint for the Reason of the fit if the learning rate is too large, and ""
// otherwise.
func (k *solverRun) advice() string {
	if !k.noisy && 4*k.rises > k.it {
		return fmt.Sprintf("; the error rose in %d of %d iterations: the rate is too large for the columns of x; make the rate smaller or standardise the columns", k.rises, k.it)
	}
	return ""
}

func (k *solverRun) end(format string, args ...any) {
	k.done = true
	k.out.W = k.in
	k.out.Reason = fmt.Sprintf(format, args...)
}

// recordUpdate records a point in the middle of an iteration.
func (k *solverRun) recordUpdate(w []float64) { k.record(k.evaluateAt(w), 0) }

// record adds a step to the trace. The trace keeps the last step, and the steps of all iterations
// whose number is a multiple of the field `every`. If `thin` is true and the trace becomes long,
// record doubles this field and removes every second step.
func (k *solverRun) record(x *iterate, held float64) {
	tr := k.out.Trace
	if n := len(tr); n > 0 && tr[n-1].Iteration%k.every != 0 {
		tr = tr[:n-1] // remove the previous step, which was in the trace only because it was the last step
	}
	tr = append(tr,
		Step{W: slices.Clone(x.w), E: x.e, GradNorm: floats.Norm(x.grad, 2), Misclassified: misclassified(x.ev),
			Iteration: k.it, HeldOut: held})
	if k.thin && len(tr) > maxTraceSteps {
		k.every *= 2
		keep := tr[:0]
		for i, s := range tr {
			if s.Iteration%k.every == 0 || i == len(tr)-1 {
				keep = append(keep, s)
			}
		}
		tr = keep
	}
	k.out.Trace = tr
}

// finish returns the path. If the solver stopped without a proof that the optimum exists or does not
// exist, finish runs Newton's method to decide whether the classes are separable. If the solver
// stopped early because of its Stopping, finish only tests whether the returned weights separate the
// classes.
func (k *solverRun) finish() *Path {
	out := k.out
	if out.Converged || k.Proper || out.Direction != nil {
		return out
	}
	if k.early {
		n := &newton{Problem: k.Problem, out: &Path{W: out.W}, ev: k.GLM.Evaluate(out.W, glm.OnlyValue)}
		if n.separates() {
			out.Direction = out.W
			out.Reason += "; the classes are linearly separable"
		}
		return out
	}
	p := *k.Problem
	p.Start, p.MaxIt = make([]float64, k.GLM.M), 100
	if path := (Newton{}).Solve(&p); path.Direction != nil {
		out.Direction = path.Direction
		out.Reason += "; the classes are separable (some rows may lie on the boundary), so the likelihood has no maximum: it keeps increasing as w grows; for finite weights use a Prior"
	}
	return out
}

// startOf returns the starting weights. If `small` is true, it adds a number drawn from [−0.01,
// 0.01] to each weight. If the starting weights are 0, this is the initialisation in the first
// lines of Alpaydin's fig. 10.6.
func startOf(p *Problem, small bool, seed uint64) []float64 {
	w := p.Coord.Outer(p.Start)
	if small {
		rng := rand.New(rand.NewPCG(seed, 106))
		for j := range w {
			w[j] += 0.01 * (2*rng.Float64() - 1)
		}
	}
	return w
}

// checkWalk checks the options that all solvers except Newton share: the interval between recorded
// steps, and the learning rates, if the solver has any. A rate of 0 means the default.
func checkWalk(solver string, every int, everyUpdate bool, rates ...rate) error {
	for _, r := range rates {
		if !(r.value >= 0) || math.IsInf(r.value, 1) {
			return fmt.Errorf("%s.%s is %v: want a finite number, at least 0 (0 means the default)", solver, r.name, r.value)
		}
	}
	switch {
	case every < 0:
		return fmt.Errorf("%s.Every is %d: want a number of iterations, at least 0 (0 means the default)", solver, every)
	case everyUpdate && every > 1:
		return fmt.Errorf("%s.Every is %d and EveryUpdate is set: choose one", solver, every)
	}
	return nil
}

type rate struct {
	name  string
	value float64
}

// Stopping contains the conditions under which a solver stops before the optimum.
type Stopping struct {
	NoErrors bool
	X        mat.Matrix
	T        []float64
	Labels   []int
	Patience int
}

// validate returns an error if an option is invalid, if options contradict each other, or if they do
// not match the number of columns d and the number of classes.
func (s Stopping) validate(d, classes int) error {
	switch {
	case s.Patience < 0:
		return fmt.Errorf("Stopping.Patience is %d: want a number of iterations, at least 0 (0 means the default, 10)",
			s.Patience)
	case s.X == nil && (s.T != nil || s.Labels != nil || s.Patience != 0):
		return errors.New("Stopping has no X, but T, Labels or Patience is set: give the held-out inputs X, or leave out these fields")
	case s.X == nil:
		return nil
	}
	src, _, err := check.Inputs(s.X)
	if err != nil {
		return fmt.Errorf("Stopping: %w", err)
	}
	n, got := src.Dims()
	if s.T != nil {
		err = check.Targets(s.T, n)
	}
	switch {
	case got != d:
		return fmt.Errorf("Stopping.X is %d×%d: the inputs of the fit have %d columns", n, got, d)
	case (s.T == nil) == (s.Labels == nil):
		return errors.New("Stopping needs the targets of X: set T (only for two classes) or Labels, but not both")
	case err != nil:
		return fmt.Errorf("Stopping: %w", err)
	case s.T != nil && classes > 2:
		return fmt.Errorf("Stopping.T is for two classes: this fit has %d classes, so give Labels", classes)
	case s.Labels != nil && len(s.Labels) != n:
		return fmt.Errorf("Stopping.Labels has %d entries but X has %d rows: give one label per row", len(s.Labels), n)
	}
	for i, l := range s.Labels {
		if l < 0 || l >= classes {
			return fmt.Errorf("Stopping.Labels[%d] is %d: with %d classes the labels are 0…%d", i, l, classes,
				classes-1)
		}
	}
	return nil
}

// heldOutLikelihood returns the likelihood of the held-out rows in d. The model is the same as in
// the likelihood g.
func (s Stopping) heldOutLikelihood(g *glm.Likelihood, d *block.Design) *glm.Likelihood {
	n, _ := d.Dims()
	if g.Many == nil {
		t := s.T
		if t == nil {
			t = make([]float64, n)
			for i, l := range s.Labels {
				t[i] = float64(1 - l) // class 0 is the class C₁ with target 1
			}
		}
		return glm.New(d, t, g.Loss)
	}
	targets := &glm.ClassTargets{K: g.Many.K, Labels: s.Labels}
	if s.Labels == nil {
		y := mat.NewDense(n, 2, nil)
		for i, t := range s.T {
			y.SetRow(i, []float64{t, 1 - t})
		}
		targets.Soft = block.NewSource(y)
	}
	return glm.NewSoftmax(d, targets)
}

// heldOutMonitor computes the likelihood of the held-out rows during a fit.
type heldOutMonitor struct {
	glm      *glm.Likelihood
	patience int
	best     []float64 // inner weights with the smallest held-out error
	least    float64
	at       int // iteration at which `best` was found
}

// newHeldOut returns the heldOutMonitor for the held-out rows, or nil if there are no held-out rows.
func (s Stopping) newHeldOut(p *Problem) *heldOutMonitor {
	if s.X == nil {
		return nil
	}
	g := s.heldOutLikelihood(p.GLM, p.Coord.Design(block.NewSource(s.X)))
	return &heldOutMonitor{glm: g, patience: cmp.Or(s.Patience, 10), least: math.Inf(1)}
}

// evaluate returns the held-out error at an iterate. It also reports whether the least held-out
// error was at least `patience` iterations ago.
func (h *heldOutMonitor) evaluate(in []float64, it int) (e float64, enough bool) {
	e = h.glm.Evaluate(in, glm.OnlyValue).E
	if h.best == nil || e < h.least {
		h.best, h.least, h.at = in, e, it
	}
	return e, it-h.at >= h.patience
}

// solverRows reads the rows of a problem one at a time, for weights w in the units of x. Each row has
// one activation, or K activations for a softmax.
type solverRows struct {
	glm                 *glm.Likelihood
	src                 *block.Source
	n, k, m             int // number of rows, number of activations per row, number of weights per activation
	x, buf              []float64
	t, tbuf             []float64
	a, d1, d2           []float64
	precision           []float64   // diagonal of S0⁻¹ if all other elements of S0⁻¹ are 0
	full                [][]float64 // S0⁻¹ row by row, if it is not diagonal
	mean, priorGradient []float64
}

func newSolverRows(p *Problem) *solverRows {
	src := p.GLM.Design.Source()
	n, d := src.Dims()
	q := &solverRows{glm: p.GLM, src: src, n: n, k: 1, m: d + 1, buf: make([]float64, d)}
	if p.GLM.Many != nil {
		q.k = p.GLM.Many.K
	}
	q.ownMemory()
	if p.Prior != nil {
		q.mean, q.priorGradient = p.Prior.Mean, make([]float64, len(p.Prior.Mean))
		q.precision, q.full = p.Prior.Matrix()
	}
	return q
}

// ownMemory allocates memory that only q uses, for one row. Before this call, copies of q share
// their memory.
func (q *solverRows) ownMemory() {
	for _, v := range []*[]float64{&q.t, &q.tbuf, &q.a, &q.d1, &q.d2} {
		*v = make([]float64, q.k)
	}
}

// precisionAt returns element (i, j) of S0⁻¹.
func (q *solverRows) precisionAt(i, j int) float64 {
	switch {
	case q.full != nil:
		return q.full[i][j]
	case i == j:
		return q.precision[i]
	}
	return 0
}

// rowErrors returns the derivatives dE_i/da of row i for the weights w. For the logistic loss this
// is y−t times the row's weight.
func (q *solverRows) rowErrors(i int, w []float64) []float64 {
	rows, _ := q.src.Rows(i, i+1, q.buf)
	q.x = rows[:q.m-1]
	for c := range q.k {
		w := w[c*q.m : (c+1)*q.m]
		a := w[0]
		for j, v := range q.x {
			a += w[j+1] * v
		}
		q.a[c] = a
	}
	return q.errorsAt(i)
}

// errorsAt computes the derivatives dE_i/da of row i from the activations that q has already
// computed.
func (q *solverRows) errorsAt(i int) []float64 {
	if q.glm.Many == nil {
		q.glm.Loss.Eval(q.a, q.glm.T[i:i+1], q.d1, q.d2)
		q.d1[0] *= q.src.Weights().At(i)
		return q.d1
	}
	q.glm.Many.T.Read(i, i+1, q.t, q.tbuf)
	kernels.Softmax(q.d1, q.a)
	for c, t := range q.t {
		q.d1[c] = (q.d1[c] - t) * q.src.Weights().At(i)
	}
	return q.d1
}

// addToWeights adds scale·s_c·φ to the weights of each class c, where φ is the last row that q
// read.
func (q *solverRows) addToWeights(w []float64, scale float64, s []float64) {
	for c, v := range s {
		v *= scale
		w := w[c*q.m : (c+1)*q.m]
		w[0] += v
		for j, x := range q.x {
			w[j+1] += v * x
		}
	}
}

// addPriorGradient adds scale·S0⁻¹(w−m0) to w.
func (q *solverRows) addPriorGradient(w []float64, scale float64) {
	switch {
	case q.precision != nil:
		for j, p := range q.precision {
			w[j] += scale * p * (w[j] - q.mean[j])
		}
	case q.full != nil:
		for i, row := range q.full {
			q.priorGradient[i] = 0
			for j, p := range row {
				q.priorGradient[i] += p * (w[j] - q.mean[j])
			}
		}
		for j, v := range q.priorGradient {
			w[j] += scale * v
		}
	}
}

// largestCurvature returns an upper bound on the eigenvalues of ∇∇E_n for all rows n, where each
// E_n includes 1/N of the prior's penalty. For a loss whose curvature has no upper bound, the
// result is a guess (see Likelihood.Curvature).
func (q *solverRows) largestCurvature(p *Problem) float64 {
	var big float64
	for i := range q.n {
		rows, _ := q.src.Rows(i, i+1, q.buf)
		s := 1.0
		for _, v := range rows[:q.m-1] {
			s += v * v
		}
		big = max(big, s*q.src.Weights().At(i))
	}
	return q.glm.Curvature()*big + p.Prior.Largest()/float64(q.n)
}

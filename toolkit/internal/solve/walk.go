package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// walk is what the solvers beside Newton share: they say where to go, it
// evaluates, records, and decides when to stop and why. Iterates are in the
// coordinates of w as given, those in which the books take their steps.
//
// Convergence means the same as for Newton: the Newton step, measured now and
// then, is shorter than the tolerance in standard errors of the weights and short
// beside weights and activations, and the optimum has been proved to exist.
type walk struct {
	*Problem
	name  string // of the solver, for the reasons
	stop  Stopping
	held  *walkHeldOut
	every int  // record every so many iterations; 0: thin out as they get many
	noisy bool // a step is not meant to lower E

	it      int
	w       []float64 // the iterate
	in      []float64 // and in inner coordinates
	ev      *glm.Evaluation
	e       float64
	grad    []float64 // ∇E(w)
	rises   int       // iterations that raised E
	due     int       // the iteration of the next look at the Newton step
	λ       float64   // at the last look
	settled bool      // the iterate no longer moves
	thin    bool      // every is chosen as the trace grows
	done    bool
	early   bool // a Stopping ended it
	out     *Path
}

const walkSteps = 1024 // steps of a trace that thins itself out

func newWalk(p *Problem, name string, start []float64, s Stopping, every int) *walk {
	k := &walk{Problem: p, name: name, stop: s, held: s.watch(p), every: max(every, 1), thin: every == 0, λ: math.Inf(1), out: &Path{}}
	k.arrive(start)
	return k
}

// arrive goes to w, the result of iteration it, and decides whether to go on.
// If w or E is not finite the walk ends at the iterate before.
func (k *walk) arrive(w []float64) {
	in := k.Coord.Inner(w)
	ev, e := k.Evaluate(in, glm.WithGradient)
	k.take(w, in, ev, e)
}

// take is arrive with the evaluation already made.
func (k *walk) take(w, in []float64, ev *glm.Evaluation, e float64) {
	g := k.Coord.Gradient(ev.Grad)
	k.Prior.AddGradient(g, w)
	if !walkFinite(w) || !walkFinite(in) || !walkFinite(g) || math.IsInf(e, 0) || math.IsNaN(e) {
		if k.w == nil {
			k.w, k.in, k.ev, k.e, k.grad = w, in, ev, e, g
			k.record(Step{W: slices.Clone(w), E: e, GradNorm: floats.Norm(g, 2), Misclassified: misclassified(ev)})
			k.end("stopped at the start: the error there is not a finite number; choose another Start, or other units for x")
			return
		}
		k.it--
		k.end("diverged: iteration %d of %s leads to numbers that cannot be represented; make the rate smaller or standardise the columns of x", k.it+1, k.name)
		return
	}
	if k.w != nil {
		k.settled = slices.Equal(w, k.w)
		if e > k.e {
			k.rises++
		}
	}
	k.w, k.in, k.ev, k.e, k.grad = w, in, ev, e, g
	var held float64
	enough := false
	if k.held != nil {
		held, enough = k.held.look(in, k.it)
	}
	k.record(Step{W: slices.Clone(w), E: e, GradNorm: floats.Norm(g, 2), Misclassified: misclassified(ev), Iteration: k.it, HeldOut: held})
	switch {
	case k.stop.NoErrors && ev.Wrong == 0:
		k.early = true
		k.end("stopped early after %d iterations of %s: no row is misclassified", k.it, k.name)
	case enough:
		k.early = true
		k.w, k.in = k.Coord.Outer(k.held.best), k.held.best
		k.end("stopped early after %d iterations of %s: the held-out error has not fallen for %d; W are the weights of iteration %d",
			k.it, k.name, k.it-k.held.at, k.held.at)
	case k.it >= k.due || k.it >= k.MaxIt || k.settled:
		// A look costs about as much as M/4 gradients.
		k.due = k.it + max(8, k.it/16, k.GLM.M/4)
		k.look(k.settled)
	}
}

// look measures the Newton step and ends the walk at the optimum, on separable
// data, or when the iterations are used up. With still, or if the Newton step no
// longer shrinks, one that only rounding keeps from 0 will do.
func (k *walk) look(still bool) {
	n := &newton{Problem: k.Problem, out: &Path{W: k.in}, lv: glm.WithTriangle}
	if linalg.Large(k.GLM.N, k.GLM.M) {
		n.lv = glm.WithGram
	}
	n.ev, n.e = n.Evaluate(k.in, n.lv)
	n.model()
	q := n.q
	n.out.Trace = k.out.Trace
	if n.separated() && (k.e <= sharp || k.it >= k.MaxIt) {
		k.out.Direction = k.in
		k.end("%s; W is the iterate after %d iterations of %s", walkSeparable, k.it, k.name)
		return
	}
	last := k.λ
	if q != nil {
		k.λ = q.decrement()
		k.out.Quad = q
		still = still || k.λ > 0.999*last
		short := k.λ <= k.Tol || k.λ <= rounding && still
		if short && !n.exact() {
			n.sharpen()
			n.model()
			k.λ = n.length()
			k.out.Quad = n.q
			short = k.λ <= math.Max(k.Tol, rounding)
		}
		if short && n.near() {
			if answer, _ := n.existence(k.λ, true); answer == exists && n.blurred() {
				k.end("%s", n.out.Reason)
				return
			} else if answer == exists {
				k.out.Converged = true
				k.end("converged after %d iterations of %s: the Newton step is %.1g standard errors long", k.it, k.name, k.λ)
				return
			}
		}
	}
	if k.it >= k.MaxIt {
		k.end("not converged: stopped after MaxIterations = %d of %s%s%s", k.MaxIt, k.name, k.distance(), k.advice())
		return
	}
	if !k.settled {
		return
	}
	moved := false
	if k.λ <= walkLast {
		moved = n.advance(k.λ) && !slices.Equal(n.out.W, k.in)
	}
	if !moved {
		k.end("not converged: %s no longer moves after %d iterations%s; E is too flat there for its values to be compared: Newton{} gets further", k.name, k.it, k.distance())
		return
	}
	k.it++
	k.arrive(k.Coord.Outer(n.out.W))
}

// walkLast is the λ from which a walk that rounding has stopped makes a Newton
// step: values of E differ by λ²/2 only.
const walkLast = 1e-6

// walkSeparable begins the reason of a fit whose iterate separates the classes.
const walkSeparable = "the classes are linearly separable: the likelihood has no maximum, it grows as long as w does; for finite weights use a Prior"

func (k *walk) distance() string {
	if math.IsInf(k.λ, 0) {
		return ""
	}
	return fmt.Sprintf(", the Newton step is still %.2g standard errors long", k.λ)
}

// advice says what a rate that is too large looks like.
func (k *walk) advice() string {
	if !k.noisy && 4*k.rises > k.it {
		return fmt.Sprintf("; the error rose in %d of %d iterations: the rate is too large for the columns of x, make it smaller or standardise them", k.rises, k.it)
	}
	return ""
}

func (k *walk) end(format string, args ...any) {
	k.done = true
	k.out.W = k.in
	k.out.Reason = fmt.Sprintf(format, args...)
}

// glimpse records an iterate in the middle of an iteration.
func (k *walk) glimpse(w []float64) {
	in := k.Coord.Inner(w)
	ev, e := k.Evaluate(in, glm.WithGradient)
	g := k.Coord.Gradient(ev.Grad)
	k.Prior.AddGradient(g, w)
	k.record(Step{W: slices.Clone(w), E: e, GradNorm: floats.Norm(g, 2), Misclassified: misclassified(ev), Iteration: k.it})
}

// record keeps every so manieth step; a trace that thins itself out drops every
// other one when it gets long.
func (k *walk) record(s Step) {
	tr := k.out.Trace
	if n := len(tr); n > 0 && tr[n-1].Iteration%k.every != 0 {
		tr = tr[:n-1] // the last step was kept only while it was the last
	}
	tr = append(tr, s)
	if k.thin && len(tr) > walkSteps {
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

// finish returns the result. A walk that ended without a proof of the optimum
// asks Newton's iterates whether the classes can be separated; one that was to
// stop early looks only at its own last iterate.
func (k *walk) finish() *Path {
	out := k.out
	if out.Converged || k.Proper || out.Direction != nil {
		return out
	}
	if k.early {
		n := &newton{Problem: k.Problem, out: &Path{W: out.W}, ev: k.GLM.Evaluate(out.W, glm.OnlyValue)}
		if n.separated() {
			out.Direction = out.W
			out.Reason += "; the classes are linearly separable"
		}
		return out
	}
	p := *k.Problem
	p.Start, p.MaxIt = make([]float64, k.GLM.M), 100
	if way := (Newton{}).Solve(&p); way.Direction != nil {
		out.Direction = way.Direction
		out.Reason += "; the classes are separable, with or without rows on the boundary: the likelihood has no maximum, it grows as long as w does; for finite weights use a Prior"
	}
	return out
}

func walkFinite(v []float64) bool {
	for _, a := range v {
		if a-a != 0 {
			return false
		}
	}
	return true
}

// walkSmallStart adds to each starting weight a number drawn from [−0.01, 0.01]: with
// a start of 0 the first lines of Alpaydin's fig. 10.6.
func walkSmallStart(start []float64, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 106))
	w := slices.Clone(start)
	for j := range w {
		w[j] += 0.01 * (2*rng.Float64() - 1)
	}
	return w
}

// walkRate checks a learning rate, of which 0 stands for a default.
func walkRate(name string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 1) {
		return fmt.Errorf("%s is %v: it must be a number greater than 0 (0 is the default)", name, v)
	}
	return nil
}

func walkEvery(name string, v int) error {
	if v < 0 {
		return fmt.Errorf("%s is %d: record every so many iterations (0 is the default)", name, v)
	}
	return nil
}

package classify

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Newton is the Newton–Raphson method (4.92), for the logistic model iterative
// reweighted least squares (4.99), with step halving:
//
//	w ← w − s·H⁻¹∇E(w),  s = 1, ½, ¼, … until E falls.
//
// R_nn = y_n(1−y_n) of (4.98) is the variance of t_n, and as a least-squares weight
// the inverse variance of the working target z_n of (4.100): var[z_n] = 1/R_nn. (The
// text before (4.101) likens R to the variances of that problem, which are 1/R.)
//
// E is convex, so from any start it reaches the minimum if there is one; and
// near the minimum every step doubles the number of right digits. Along an
// exponential tail, where s = 1 moves by one unit of activation only, s is doubled
// as long as E falls. Where the posteriors are so saturated that H says nothing (a
// start far off), the step is taken with the bound H ≤ ¼ΦᵀΦ + S0⁻¹ instead, or back
// towards w = 0.
type Newton struct{}

var _ Solver = Newton{}

const (
	sufficient = 1e-4 // share of the predicted decrease that a step must bring (Armijo)
	shortest   = 1e-3 // below this s the direction is given up
	rounding   = 1e-8 // below this λ a stagnation is rounding, not lack of progress
	tail       = 0.25 // share of the slope that is left after a step along an exponential tail
	sharp      = 1e-6 // separating weights are good enough when the error is below this
	settled    = 1e-3 // at this λ the rows whose margins do not grow have settled
	watchFrom  = 8    // iterations before quasi-separation is looked for
	watchEvery = 4    // and between two looks
)

func (Newton) solve(p *problem) *path {
	n := &newton{problem: p, out: &path{w: p.start}, lv: glm.WithTriangle}
	if linalg.Large(p.glm.N, p.glm.M) {
		n.lv = glm.WithGram
	}
	n.run()
	for i := range n.out.trace {
		n.out.trace[i].Iteration = i
	}
	n.out.quad = n.q
	return n.out
}

func (Newton) prepare(_, _ int) (int, error) { return 100, nil }

type newton struct {
	*problem
	out   *path
	lv    glm.Level
	ev    *glm.Evaluation
	e     float64
	q     *quadratic    // nil if the Hessian is singular in double precision
	bound *linalg.Upper // factor of ¼ΦᵀΦ + S0⁻¹, made when needed
}

func (n *newton) run() {
	last, stalled := math.Inf(1), 0
	n.arrive(n.out.w)
	for it := 0; ; it++ {
		n.model()
		λ := n.length()
		if n.separated() {
			if n.e <= sharp || it >= n.maxIt || !n.advance(λ) {
				n.sayComplete()
				return
			}
			continue
		}
		done := λ <= n.tol || λ <= rounding && λ > last/2
		if done && !n.exact() {
			n.sharpen()
			n.model()
			λ = n.length()
			done = λ <= n.tol
		}
		done = done && n.near()
		answer, proof := undecided, (*recession)(nil)
		if watch := it >= watchFrom && (it%watchEvery == 0 && λ <= settled || it >= n.maxIt); watch || done {
			answer, proof = n.existence(λ, watch || !math.IsInf(n.tol, 1))
			if watch && answer == undecided {
				proof = n.approximateRecession()
			}
		}
		switch {
		case proof != nil && (proof.on > 0 || n.signs != nil || it >= n.maxIt): // a complete separation shows in the iterates
			n.sayRecession(proof)
			return
		case done && answer == exists && n.blurred():
			return
		case done && answer == exists:
			if λ <= n.tol && it < n.maxIt {
				n.advance(λ) // one more step squares the error
				n.model()
			}
			n.sayConverged(λ)
			return
		case it >= n.maxIt:
			n.out.reason = fmt.Sprintf("not converged: stopped after MaxIterations = %d, the Newton step is still %.2g standard errors long", it, λ) + n.remark()
			return
		}
		why := "no step lowers the objective"
		if n.precise && λ <= settled && λ >= last {
			stalled++ // what is left is the rounding of w
			why = fmt.Sprintf("the Newton step, %.2g standard errors long, gets no shorter", λ)
		}
		last = λ
		if stalled < 3 && n.advance(λ) {
			continue
		}
		if stalled < 3 && !n.exact() {
			n.sharpen()
			continue
		}
		if _, proof = n.existence(λ, true); proof != nil {
			n.sayRecession(proof)
			return
		}
		n.out.reason = fmt.Sprintf("not converged: stopped after %d iterations, because %s", len(n.out.trace)-1, why) + n.remark()
		return
	}
}

// length returns Newton's λ, +Inf where the Hessian is singular.
func (n *newton) length() float64 {
	if n.q == nil {
		return math.Inf(1)
	}
	return n.q.decrement()
}

func (n *newton) sayConverged(λ float64) {
	n.out.converged = true
	n.out.reason = fmt.Sprintf("converged after %d iterations: the last Newton step was %.1g standard errors long", len(n.out.trace)-1, λ)
}

// arrive evaluates the objective at a new iterate and notes it in the trace.
func (n *newton) arrive(w []float64) {
	ev, e := n.evaluate(w, n.lv)
	n.note(w, ev, e)
}

func (n *newton) note(w []float64, ev *glm.Evaluation, e float64) {
	n.out.w, n.ev, n.e = w, ev, e
	n.out.trace = append(n.out.trace, n.step(w, ev, e))
}

// model takes the quadratic model here. If the Gram matrix is too ill
// conditioned it goes over to the orthogonal factor for good.
func (n *newton) model() {
	n.q = n.quadratic(n.out.w, n.ev)
	if n.q == nil && n.lv == glm.WithGram {
		n.lv = glm.WithTriangle
		n.ev, n.e = n.evaluate(n.out.w, n.lv)
		n.q = n.quadratic(n.out.w, n.ev)
	}
}

// advance takes the longest step of 1, ½, ¼, … that lowers E enough, or the
// bounded step if there is none. It reports whether it moved.
func (n *newton) advance(λ float64) bool {
	if n.q == nil {
		return n.bounded()
	}
	d := n.direction(n.q)
	slack := 1e-13 * math.Abs(n.e) // rounding of the sum over rows
	// E may be too flat to compare, or the gradient have more digits than E.
	if λ*λ <= slack || n.precise && λ <= settled {
		from := n.out.w
		n.arrive(along(from, d, 1))
		n.stretch(from, d, 1, λ)
		return true
	}
	for s := 1.0; s > shortest; s /= 2 {
		lv := glm.OnlyValue
		if s == 1 { // nearly always taken, so with all that the next iteration needs
			lv = n.lv
		}
		w := along(n.out.w, d, s)
		ev, e := n.evaluate(w, lv)
		if !(e <= n.e-sufficient*s*λ*λ+slack) {
			continue
		}
		from := n.out.w
		if lv == glm.OnlyValue {
			n.arrive(w)
		} else {
			n.note(w, ev, e)
		}
		n.stretch(from, d, s, λ)
		return true
	}
	return n.bounded()
}

// bounded takes a step where H says nothing: with ¼ΦᵀΦ + S0⁻¹ in place of H,
// which lowers E always because y(1−y) ≤ ¼, doubled as long as E falls; or, if
// that brings E lower, back towards w = 0, halving w as long as E falls.
func (n *newton) bounded() bool {
	if n.bound == nil {
		n.bound = n.boundFactor()
	}
	if !n.bound.Regular() {
		return false
	}
	g := n.innerGradient(n.out.w, n.ev)
	d := n.direction(&quadratic{r: n.bound, z: n.bound.SolveT(g)})
	w, least := n.descend(func(k int) []float64 { return along(n.out.w, d, math.Ldexp(1, k)) })
	back, e := n.descend(func(k int) []float64 { return along(n.out.w, n.out.w, math.Ldexp(1, -k-1)-1) })
	if e < least {
		w, least = back, e
	}
	if !(least < n.e) {
		return false
	}
	n.arrive(w)
	return true
}

// descend returns the last of the points 0, 1, 2, … of a line up to which E falls.
func (n *newton) descend(point func(k int) []float64) (best []float64, least float64) {
	least = n.e
	for k := range 1000 {
		w := point(k)
		_, e := n.evaluate(w, glm.OnlyValue)
		if !(e < least) {
			break
		}
		best, least = w, e
	}
	return best, least
}

package solve

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Newton is Newton–Raphson with step halving, PRML (4.92).
type Newton struct{}

var _ Solver = Newton{}

const (
	Sufficient = 1e-4 // share of the predicted decrease that a step must bring (Armijo)
	shortest   = 1e-3 // below this s the direction is given up
	rounding   = 1e-8 // below this λ a stagnation is rounding, not lack of progress
	tail       = 0.25 // share of the slope that is left after a step along an exponential tail
	sharp      = 1e-6 // separating weights are good enough when the error is below this
	settled    = 1e-3 // at this λ the rows whose margins do not grow have settled
	watchFrom  = 8    // iterations before quasi-separation is looked for
	watchEvery = 4    // and between two looks
)

func (Newton) Solve(p *Problem) *Path {
	n := &newton{Problem: p, out: &Path{W: p.Start}, lv: glm.WithTriangle}
	if linalg.Large(p.GLM.N, p.GLM.M) {
		n.lv = glm.WithGram
	}
	n.run()
	for i := range n.out.Trace {
		n.out.Trace[i].Iteration = i
	}
	n.out.Quad = n.q
	return n.out
}

func (Newton) Prepare(_, _ int) (int, error) { return 100, nil }

type newton struct {
	*Problem
	out   *Path
	lv    glm.Level
	ev    *glm.Evaluation
	e     float64
	q     *Quadratic    // nil if the Hessian is singular in double precision
	bound *linalg.Upper // factor of ¼ΦᵀΦ + S0⁻¹, made when needed
}

func (n *newton) run() {
	last, stalled := math.Inf(1), 0
	n.arrive(n.out.W)
	for it := 0; ; it++ {
		n.model()
		λ := n.length()
		if n.separated() {
			if n.e <= sharp || it >= n.MaxIt || !n.advance(λ) {
				n.sayComplete()
				return
			}
			continue
		}
		done := λ <= n.Tol || λ <= rounding && λ > last/2
		if done && !n.exact() {
			n.sharpen()
			n.model()
			λ = n.length()
			done = λ <= n.Tol
		}
		done = done && n.near()
		answer, proof := undecided, (*Recession)(nil)
		if watch := it >= watchFrom && (it%watchEvery == 0 && λ <= settled || it >= n.MaxIt); watch || done {
			answer, proof = n.existence(λ, watch || !math.IsInf(n.Tol, 1))
			if watch && answer == undecided {
				proof = n.approximateRecession()
			}
		}
		switch {
		case proof != nil && (proof.On > 0 || n.Signs != nil || it >= n.MaxIt): // a complete separation shows in the iterates
			n.sayRecession(proof)
			return
		case done && answer == exists && n.blurred():
			return
		case done && answer == exists:
			if λ <= n.Tol && it < n.MaxIt {
				n.advance(λ) // one more step squares the error
				n.model()
			}
			n.sayConverged(λ)
			return
		case it >= n.MaxIt:
			n.out.Reason = fmt.Sprintf("not converged: stopped after MaxIterations = %d, the Newton step is still %.2g standard errors long", it, λ) + n.remark()
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
		n.out.Reason = fmt.Sprintf("not converged: stopped after %d iterations, because %s", len(n.out.Trace)-1, why) + n.remark()
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
	n.out.Converged = true
	n.out.Reason = fmt.Sprintf("converged after %d iterations: the last Newton step was %.1g standard errors long", len(n.out.Trace)-1, λ)
}

// arrive evaluates the objective at a new iterate and notes it in the trace.
func (n *newton) arrive(w []float64) {
	ev, e := n.Evaluate(w, n.lv)
	n.note(w, ev, e)
}

func (n *newton) note(w []float64, ev *glm.Evaluation, e float64) {
	n.out.W, n.ev, n.e = w, ev, e
	n.out.Trace = append(n.out.Trace, n.step(w, ev, e))
}

// model takes the quadratic model here. If the Gram matrix is too ill
// conditioned it goes over to the orthogonal factor for good.
func (n *newton) model() {
	n.q = n.quadratic(n.out.W, n.ev)
	if n.q == nil && n.lv == glm.WithGram {
		n.lv = glm.WithTriangle
		n.ev, n.e = n.Evaluate(n.out.W, n.lv)
		n.q = n.quadratic(n.out.W, n.ev)
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
		from := n.out.W
		n.arrive(along(from, d, 1))
		n.stretch(from, d, 1, λ)
		return true
	}
	for s := 1.0; s > shortest; s /= 2 {
		lv := glm.OnlyValue
		if s == 1 { // nearly always taken, so with all that the next iteration needs
			lv = n.lv
		}
		w := along(n.out.W, d, s)
		ev, e := n.Evaluate(w, lv)
		if !(e <= n.e-Sufficient*s*λ*λ+slack) {
			continue
		}
		from := n.out.W
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
	g := n.innerGradient(n.out.W, n.ev)
	d := n.direction(&Quadratic{R: n.bound, z: n.bound.SolveT(g)})
	w, least := n.descend(func(k int) []float64 { return along(n.out.W, d, math.Ldexp(1, k)) })
	back, e := n.descend(func(k int) []float64 { return along(n.out.W, n.out.W, math.Ldexp(1, -k-1)-1) })
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
		_, e := n.Evaluate(w, glm.OnlyValue)
		if !(e < least) {
			break
		}
		best, least = w, e
	}
	return best, least
}

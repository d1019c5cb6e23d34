package classify

import (
	"fmt"
	"math"
)

// Newton is the Newton–Raphson method (4.92), for the logistic model iterative
// reweighted least squares (4.99), with step halving:
//
//	w ← w − s·H⁻¹∇E(w),  s = 1, ½, ¼, … until E falls.
//
// E is convex, so from any start it reaches the minimum if there is one; and
// near the minimum every step doubles the number of right digits.
type Newton struct{}

var _ Solver = Newton{}

const (
	sufficient = 1e-4 // share of the predicted decrease that a step must bring (Armijo)
	quadratics = 1e-4 // below this λ full steps cannot fail, and E is too flat to compare
	rounding   = 1e-6 // below this λ a stagnation is rounding, not lack of progress
	sharp      = 1e-6 // separating weights are good enough when the error is below this
	watchFrom  = 8    // iterations before quasi-separation is looked for
	watchEvery = 4    // and between two looks
)

func (Newton) solve(p *problem) *path {
	n := &newton{problem: p, out: &path{w: p.start}, lv: withTriangle}
	if large(p.glm.n, p.glm.m) {
		n.lv = withGram
	}
	n.run()
	return n.out
}

type newton struct {
	*problem
	out *path
	lv  level
	ev  *evaluation
	e   float64
}

func (n *newton) run() {
	last := math.Inf(1)
	n.arrive(n.out.w)
	for it := 0; ; it++ {
		q := n.model()
		n.out.quad = q
		if n.separated() && (n.e <= sharp || it >= n.maxIt || q == nil) {
			return
		}
		if it >= watchFrom && it%watchEvery == 0 && !n.proper && (q == nil || !n.exists(q)) && n.quasiSeparated() {
			return
		}
		if q == nil {
			n.out.reason = fmt.Sprintf("stopped after %d iterations: the Hessian is singular in double precision at the last iterate; standardise the columns, or use a Prior", it)
			return
		}
		λ := q.decrement()
		if (λ <= n.tol || λ <= rounding && λ > last/2) && (n.proper || n.exists(q)) {
			n.out.converged = true
			n.out.reason = fmt.Sprintf("converged after %d iterations: the Newton step is %.1g standard errors long", it, λ)
			return
		}
		if it >= n.maxIt {
			n.out.reason = fmt.Sprintf("not converged: stopped after MaxIterations = %d, the Newton step is still %.2g standard errors long", it, λ)
			return
		}
		last = λ
		if !n.advance(q, λ) {
			if n.separated() {
				return
			}
			n.out.reason = fmt.Sprintf("stopped after %d iterations: no step along the Newton direction lowers the objective", it)
			return
		}
	}
}

// arrive evaluates the objective at a new iterate and notes it in the trace.
func (n *newton) arrive(w []float64) {
	n.ev, n.e = n.evaluate(w, n.lv)
	n.out.w = w
	n.out.trace = append(n.out.trace, n.step(w, n.ev, n.e))
}

// model returns the quadratic model here. If the Gram matrix is too ill
// conditioned it goes over to the orthogonal factor for good.
func (n *newton) model() *quadratic {
	q := n.quadratic(n.out.w, n.ev)
	if q == nil && n.lv == withGram {
		n.lv = withTriangle
		n.ev, n.e = n.evaluate(n.out.w, n.lv)
		q = n.quadratic(n.out.w, n.ev)
	}
	return q
}

// advance takes the longest step of 1, ½, ¼, … that lowers E enough.
func (n *newton) advance(q *quadratic, λ float64) bool {
	w := n.move(n.out.w, q, 1)
	if λ <= quadratics {
		n.arrive(w)
		return true
	}
	slack := 1e-13 * math.Abs(n.e) // rounding of the sum over rows
	for s := 1.0; s > 1e-15; s /= 2 {
		w := n.move(n.out.w, q, s)
		ev, e := n.evaluate(w, n.trial(s))
		if e <= n.e-sufficient*s*λ*λ+slack {
			if s == 1 {
				n.ev, n.e, n.out.w = ev, e, w
				n.out.trace = append(n.out.trace, n.step(w, ev, e))
			} else {
				n.arrive(w)
			}
			return true
		}
	}
	return false
}

// trial is the work spent on a trial point: the full step is nearly always
// taken, so it is evaluated with all that the next iteration needs.
func (n *newton) trial(s float64) level {
	if s == 1 {
		return n.lv
	}
	return onlyValue
}

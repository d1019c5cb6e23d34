package solve

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Newton is the Newton–Raphson method, PRML (4.92): with gradient ∇E and Hessian
// H = RᵀR at w,
//
//	w ← w − s·H⁻¹∇E(w) = w − s·R⁻¹z,  z = R⁻ᵀ∇E(w).
//
// λ = ‖z‖ = √(∇EᵀH⁻¹∇E) is the length of the step, counted in standard errors of w.
//
// Line search: s is the first of 1, ½, ¼, … that lowers E by at least 10⁻⁴·sλ² (Armijo). Damping:
// if H is singular in double precision, or no s is accepted, a matrix that no Hessian exceeds
// replaces H. For the logistic loss this matrix is ¼ΦᵀΦ + S0⁻¹.
type Newton struct{}

var _ Solver = Newton{}

const (
	sufficient = 1e-4 // share of the predicted decrease that a step must bring (Armijo)
	shortest   = 1e-3 // least s that the line search tries
	rounding   = 1e-8 // below this λ rounding explains a lack of progress
	steadyTol  = 1e-3 // at this λ margins that do not grow no longer change
	doublings  = 1000 // most doublings of a step: float64 has about as many powers of two
)

func (Newton) Prepare(_, _ int) (int, error) { return 100, nil }

func (Newton) Solve(p *Problem) *Path {
	n := newNewton(p, p.Start)
	n.run()
	if p.Early {
		return nil
	}
	n.out.Quad, n.out.last = n.q, n.ev
	return n.out
}

// newton is the state of the method at an iterate.
type newton struct {
	*Problem
	out   *Path
	lv    glm.Level
	ev    *glm.Evaluation
	e     float64
	q     *Quadratic    // H and ∇E; nil if the Hessian is singular in double precision
	λ     float64       // length of the step; +Inf if q is nil
	bound *linalg.Upper // factor of a matrix that no Hessian exceeds, computed when needed

	contraction float64 // the next λ is about this times λ²; +Inf if not known
	it          int
	last        float64 // λ of the previous iterate
	longer      bool    // λ is not less than last, because of the rounding of w
	stalled     int     // how often λ was not less than last

	proved    bool       // the optimum is proved to exist
	tested    bool       // the inequality of enclosed has been tried at this iterate
	recedes   *Recession // the proof that the optimum does not exist
	uncertain string     // how rounding hides the optimum
}

func newNewton(p *Problem, w []float64) *newton {
	return &newton{Problem: p, out: &Path{W: w}, lv: p.Moments(), last: math.Inf(1), contraction: math.Inf(1)}
}

// run repeats (4.92) until examine or stuck gives a reason to stop.
func (n *newton) run() {
	if !n.rehearse() {
		if n.Early {
			return
		}
		n.accept(n.out.W)
	}
	end := notDone
	for ; end == notDone; n.it++ {
		n.model() // H and ∇E at w
		end = n.examine()
		if end != notDone {
			break
		}
		moved := n.advance() // w ← w − s·H⁻¹∇E
		if !moved {
			end = n.stuck()
		}
	}
	n.stop(end)
}

// accept makes w the iterate.
func (n *newton) accept(w []float64) {
	ev, e := n.Evaluate(w, n.lv)
	n.record(w, ev, e)
}

// record is accept for an iterate that has been evaluated.
func (n *newton) record(w []float64, ev *glm.Evaluation, e float64) {
	n.out.W, n.ev, n.e = w, ev, e
	s := n.step(w, ev, e)
	s.Iteration = len(n.out.Trace)
	n.out.Trace = append(n.out.Trace, s)
}

// model computes H, ∇E and λ at the iterate. If the Gram matrix is too ill conditioned, it uses
// the orthogonal factor from then on.
func (n *newton) model() {
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

// advance makes a step w ← w − s·H⁻¹∇E, or a damped one. It reports whether it moved.
func (n *newton) advance() (moved bool) {
	if n.q == nil {
		return n.damped()
	}
	if n.chords() {
		return true
	}
	from, d := n.out.W, n.direction(n.q)
	slack := 1e-13 * math.Abs(n.e) // rounding of the sum over rows
	// E may be too flat for a comparison, or the gradient may have more digits than E. A rise
	// beyond all rounding still counts: where a loss has a bound, the step may be far too long.
	blind := n.λ*n.λ <= slack || n.precise && n.λ <= steadyTol
	rise := 1e-6 * (1 + math.Abs(n.e))
	for s := 1.0; s > shortest; s /= 2 {
		lv := glm.OnlyValue
		if s == 1 { // nearly always accepted, so evaluated with the moments of the next iteration
			lv = n.lv
		}
		w := along(from, d, s)
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
	return n.damped()
}

// direction returns the Newton step −H⁻¹∇E = −R⁻¹z.
func (p *Problem) direction(q *Quadratic) []float64 {
	d := p.Rank.Embed(q.R.Solve(q.z))
	if q.shift != nil {
		floats.Add(d, q.shift)
	}
	floats.Scale(-1, d)
	return d
}

// damped makes a step with the bound in place of H, which always lowers E, and doubles it as long
// as E falls. If halving w, towards w = 0, leads to a lower E, it does that instead, as long as E
// falls.
func (n *newton) damped() (moved bool) {
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
	n.accept(w)
	return true
}

// descend goes along the points 0, 1, 2, … of a line as long as E falls, and returns the last one.
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

// along returns w + s·d.
func along(w, d []float64, s float64) []float64 {
	return floats.AddScaledTo(make([]float64, len(w)), w, s, d)
}

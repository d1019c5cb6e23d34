package figures

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// newtonSteps is how many steps of each method are made at most; fewer if it arrives.
const newtonSteps = 12

// arrived is the distance from the optimum at which rounding begins to show.
const arrived = 1e-9

// steady rounds a difference of numbers near 1 to twelve decimals: what lies
// beyond is rounding error, and differs from processor to processor.
func steady(v float64) float64 { return math.Round(v*1e12)/1e12 + 0 } // + 0: not −0

func allSteady(values []float64) (out []float64) {
	for _, v := range values {
		out = append(out, steady(v))
	}
	return out
}

// converges ends the figure if a step leads too far away.
func converges(w ...float64) {
	need(floats.Norm(w, 2) < 1e3, "Newton's method diverges from this Start: take one nearer to 0, or a lower Rate")
}

// newtonOneWeight is the fit of p(C₁|x) = σ(wx).
type newtonOneWeight struct {
	x, t                []float64
	w, slope, curvature []float64
	optimum             float64
}

// derivatives returns dE/dw and d²E/dw², (4.96)–(4.97), for the mean error.
func (m *newtonOneWeight) derivatives(w float64) (slope, curvature float64) {
	n := float64(len(m.x))
	for i, x := range m.x {
		y := kernels.Sigmoid(w * x)
		slope += (y - m.t[i]) * x / n
		curvature += y * (1 - y) * x * x / n
	}
	return slope, curvature
}

// run finds the optimum by bisection, and makes the steps w ← w − rate·E′/E″ (4.92).
func (m *newtonOneWeight) run(start, rate float64) {
	// dE/dw rises: its root lies between two points where it has different signs.
	lo, hi := -1.0, 1.0
	for s, _ := m.derivatives(lo); s > 0 && lo > -1e3; s, _ = m.derivatives(lo) {
		lo *= 2
	}
	for s, _ := m.derivatives(hi); s < 0 && hi < 1e3; s, _ = m.derivatives(hi) {
		hi *= 2
	}
	need(lo > -1e3 && hi < 1e3, "the classes lie on different sides of 0, so that the error has no minimum: take more points")
	for range 80 {
		mid := (lo + hi) / 2
		if s, _ := m.derivatives(mid); s < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	m.optimum = (lo + hi) / 2
	w := start
	for range newtonSteps + 1 {
		s, c := m.derivatives(w)
		m.w, m.slope, m.curvature = append(m.w, w), append(m.slope, s), append(m.curvature, c)
		if math.Abs(w-m.optimum) < arrived {
			return
		}
		w -= rate * s / c
		converges(w)
	}
}

// newtonTwoWeights is the logistic regression with bias.
type newtonTwoWeights struct {
	objective       *classify.Objective
	known           remembered           // the same, for pictures
	ranges          [2][2]float64        // of w₀ and w₁ in the first picture, kept for the next
	pictures        map[int]*show.Figure // by steps: frames show the same again
	optimum         []float64
	newton, descent classify.Trace
}

// run finds the optimum, and makes the steps of Newton's method and of gradient descent.
func (m *newtonTwoWeights) run(d *datasets.Dataset, t []float64, start, rate float64) {
	best := try(classify.FitLogistic(d.X, t, classify.LogisticOptions{}))
	need(!best.Separable, "a threshold separates the classes, so that the error has no minimum: take more points")
	m.optimum = best.W
	m.objective = try(classify.LogisticObjective(d.X, t, nil))
	m.known, m.pictures = remembered{m.objective, map[[2]float64]float64{}}, map[int]*show.Figure{}
	m.newton = m.walk(start, rate, func(g []float64, h *mat.SymDense) []float64 {
		det := h.At(0, 0)*h.At(1, 1) - h.At(0, 1)*h.At(0, 1)
		return []float64{(h.At(1, 1)*g[0] - h.At(0, 1)*g[1]) / det, (h.At(0, 0)*g[1] - h.At(0, 1)*g[0]) / det}
	})
	// A step that cannot overshoot: E″ is nowhere larger than ¼ΦᵀΦ, nor that than its trace.
	bound := 0.0
	for i := range d.N() {
		bound += (1 + d.X.At(i, 0)*d.X.At(i, 0)) / 4
	}
	m.descent = m.walk(start, 1, func(g []float64, _ *mat.SymDense) []float64 { return []float64{g[0] / bound, g[1] / bound} })
}

// walk makes steps w ← w − rate·step(∇E, ∇∇E) from (0, start).
func (m *newtonTwoWeights) walk(start, rate float64, step func(g []float64, h *mat.SymDense) []float64) classify.Trace {
	var trace classify.Trace
	w := []float64{0, start}
	for i := range newtonSteps + 1 {
		e := try(m.objective.Value(w))
		g := try(m.objective.Gradient(w))
		trace = append(trace, classify.Step{W: w, E: e, GradNorm: math.Hypot(g[0], g[1]), Iteration: i})
		if m.distance(w) < arrived {
			break
		}
		s := step(g, try(m.objective.Hessian(w)))
		w = []float64{w[0] - rate*s[0], w[1] - rate*s[1]}
		converges(w...)
	}
	return trace
}

// distance returns ‖w − w*‖.
func (m *newtonTwoWeights) distance(w []float64) float64 {
	return math.Hypot(w[0]-m.optimum[0], w[1]-m.optimum[1])
}

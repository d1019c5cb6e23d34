package figures

import (
	"errors"
	"math"

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

var errDiverged = errors.New("Newton's method diverges from this Start: take one nearer to 0, or a lower Rate")

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
func (m *newtonOneWeight) run(start, rate float64) error {
	// dE/dw rises: its root lies between two points where it has different signs.
	lo, hi := -1.0, 1.0
	for s, _ := m.derivatives(lo); s > 0 && lo > -1e3; s, _ = m.derivatives(lo) {
		lo *= 2
	}
	for s, _ := m.derivatives(hi); s < 0 && hi < 1e3; s, _ = m.derivatives(hi) {
		hi *= 2
	}
	if lo <= -1e3 || hi >= 1e3 {
		return errors.New("the classes lie on different sides of 0, so that the error has no minimum: take more points")
	}
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
			return nil
		}
		w -= rate * s / c
		if !(math.Abs(w) < 1e3) {
			return errDiverged
		}
	}
	return nil
}

// rounded returns the slopes without their rounding errors.
func (m *newtonOneWeight) rounded() []float64 {
	out := make([]float64, len(m.slope))
	for k, v := range m.slope {
		out[k] = steady(v)
	}
	return out
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
func (m *newtonTwoWeights) run(d *datasets.Dataset, t []float64, start, rate float64) error {
	best, err := classify.FitLogistic(d.X, t, classify.LogisticOptions{})
	if err != nil {
		return err
	}
	if best.Separable {
		return errors.New("a threshold separates the classes, so that the error has no minimum: take more points")
	}
	m.optimum = best.W
	if m.objective, err = classify.LogisticObjective(d.X, t, nil); err != nil {
		return err
	}
	m.known, m.pictures = remembered{m.objective, map[[2]float64]float64{}}, map[int]*show.Figure{}
	if m.newton, err = m.walk(start, rate, func(g []float64, h *mat.SymDense) []float64 {
		det := h.At(0, 0)*h.At(1, 1) - h.At(0, 1)*h.At(0, 1)
		return []float64{(h.At(1, 1)*g[0] - h.At(0, 1)*g[1]) / det, (h.At(0, 0)*g[1] - h.At(0, 1)*g[0]) / det}
	}); err != nil {
		return err
	}
	// A step that cannot overshoot: E″ is nowhere larger than ¼ΦᵀΦ, nor that than its trace.
	bound := 0.0
	for i := range d.N() {
		bound += (1 + d.X.At(i, 0)*d.X.At(i, 0)) / 4
	}
	m.descent, err = m.walk(start, 1, func(g []float64, _ *mat.SymDense) []float64 { return []float64{g[0] / bound, g[1] / bound} })
	return err
}

// walk makes steps w ← w − rate·step(∇E, ∇∇E) from (0, start).
func (m *newtonTwoWeights) walk(start, rate float64, step func(g []float64, h *mat.SymDense) []float64) (classify.Trace, error) {
	var trace classify.Trace
	w := []float64{0, start}
	for i := range newtonSteps + 1 {
		e, err := m.objective.Value(w)
		if err != nil {
			return nil, err
		}
		g, err := m.objective.Gradient(w)
		if err != nil {
			return nil, err
		}
		trace = append(trace, classify.Step{W: w, E: e, GradNorm: math.Hypot(g[0], g[1]), Iteration: i})
		if m.distance(w) < arrived {
			break
		}
		h, err := m.objective.Hessian(w)
		if err != nil {
			return nil, err
		}
		s := step(g, h)
		w = []float64{w[0] - rate*s[0], w[1] - rate*s[1]}
		if !(math.Hypot(w[0], w[1]) < 1e3) {
			return nil, errDiverged
		}
	}
	return trace, nil
}

// distance returns ‖w − w*‖.
func (m *newtonTwoWeights) distance(w []float64) float64 {
	return math.Hypot(w[0]-m.optimum[0], w[1]-m.optimum[1])
}

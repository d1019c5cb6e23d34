package twoclass

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

// Penalised is where the error plus ½ Σ_j price_j (w_j − centre_j)² is least, found by
// Newton's method from the centre, a gradient of 1e-9 for each point or better.
func (m Model) Penalised(p Problem, price, centre []float64) []float64 {
	at := func(w []float64) Problem { return Problem{Phi: p.Phi, T: p.T, W: w} }
	pull := func(w []float64) []float64 {
		return floats.MulTo(make([]float64, len(w)), price, instance.Minus(w, centre))
	}
	objective := optimize.Problem{
		Func: func(w []float64) float64 { return m.At(p, w) + floats.Dot(pull(w), instance.Minus(w, centre))/2 },
		Grad: func(g, w []float64) { floats.AddTo(g, m.Gradient(at(w)), pull(w)) },
		Hess: func(h *mat.SymDense, w []float64) {
			h.CopySym(mat.NewSymDense(len(w), m.Hessian(at(w))))
			for j, c := range price {
				h.SetSym(j, j, h.At(j, j)+c)
			}
		},
	}
	settings := &optimize.Settings{GradientThreshold: 1e-9 * float64(len(p.T)), MajorIterations: 100, Converger: optimize.NeverTerminate{}}
	result, _ := optimize.Minimize(objective, centre, settings, &optimize.Newton{}) // an error: it is as low as rounding lets it be
	return result.X
}

package glm

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// ExactRow has the loss of one row and its derivatives in the activation a and, if the loss has a
// parameter ε common to all rows, in ε. Expected is a second derivative in a that is never
// negative.
type ExactRow struct{ E, A, Aa, Eps, AEps, EpsEps, Expected float64 }

// ExactSums are the sums of one pass with exact second derivatives. Rows with negative ones have a
// Gram matrix of their own.
type ExactSums struct {
	*Evaluation
	Plus, Minus *block.Gram
	Eps, EpsEps float64
	AEps        []float64
}

// EvaluateExact makes the pass.
func (g *Likelihood) EvaluateExact(w []float64, row func(a, t float64) ExactRow) *ExactSums {
	return block.ReduceWide(g.Design, 2*g.M*g.M, func() *ExactSums {
		return &ExactSums{
			Evaluation: &Evaluation{Grad: make([]float64, g.M), Margin: math.Inf(1), Hard: true},
			Plus:       block.NewGram(g.M), Minus: block.NewGram(g.M), AEps: make([]float64, g.M),
		}
	}, func(rows int) func(*ExactSums, *block.Block) {
		a, d1, mixed := make([]float64, rows), make([]float64, rows), make([]float64, rows)
		up, down := make([]float64, rows), make([]float64, rows)
		scaled := block.NewRows(g.M, rows)
		return func(s *ExactSums, b *block.Block) {
			t := g.Targets(b.Lo, b.Lo+b.N)
			b.Margins(w, a)
			s.sides(a[:b.N], t, b.W)
			var any bool
			for n, v := range a[:b.N] {
				r, w := row(v, t[n]), b.W.At(n)
				s.E += w * r.E
				s.Eps += w * r.Eps
				s.EpsEps += w * r.EpsEps
				d1[n], mixed[n] = r.A, r.AEps
				up[n], down[n] = math.Sqrt(math.Max(r.Aa, 0)), math.Sqrt(math.Max(-r.Aa, 0))
				any = any || r.Aa < 0
			}
			b.AddRows(s.Grad, d1)
			b.AddRows(s.AEps, mixed)
			scaled.Scaled(b, up)
			s.Plus.Add(scaled)
			if any {
				scaled.Scaled(b, down)
				s.Minus.Add(scaled)
			}
		}
	}, func(dst, src *ExactSums) {
		dst.merge(src.Evaluation)
		dst.Plus.Merge(src.Plus)
		dst.Minus.Merge(src.Minus)
		dst.Eps += src.Eps
		dst.EpsEps += src.EpsEps
		for i, v := range src.AEps {
			dst.AEps[i] += v
		}
	})
}

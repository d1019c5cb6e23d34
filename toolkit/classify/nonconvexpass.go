package classify

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// exactRow has the loss of one row and its derivatives in the activation a and in
// a parameter ε common to all rows, where the loss has one; expected is a second
// derivative in a that is never negative.
type exactRow struct{ e, a, aa, ε, aε, εε, expected float64 }

// exactSums are the sums of one pass with exact second derivatives, the negative
// ones in a Gram matrix of their own.
type exactSums struct {
	*evaluation
	plus, minus *block.Gram
	ε, εε       float64
	aε          []float64
}

// evaluateExact makes the pass.
func (g *glm) evaluateExact(w []float64, row func(a, t float64) exactRow) *exactSums {
	return block.ReduceWide(g.design, 2*g.m*g.m, func() *exactSums {
		return &exactSums{
			evaluation: &evaluation{grad: make([]float64, g.m), margin: math.Inf(1), hard: true},
			plus:       block.NewGram(g.m), minus: block.NewGram(g.m), aε: make([]float64, g.m),
		}
	}, func(rows int) func(*exactSums, *block.Block) {
		a, d1, mixed := make([]float64, rows), make([]float64, rows), make([]float64, rows)
		up, down := make([]float64, rows), make([]float64, rows)
		scaled := block.NewRows(g.m, rows)
		return func(s *exactSums, b *block.Block) {
			t := g.t[b.Lo : b.Lo+b.N]
			b.Margins(w, a)
			s.sides(a[:b.N], t)
			var any bool
			for n, v := range a[:b.N] {
				r := row(v, t[n])
				s.e += r.e
				s.ε += r.ε
				s.εε += r.εε
				d1[n], mixed[n] = r.a, r.aε
				up[n], down[n] = math.Sqrt(math.Max(r.aa, 0)), math.Sqrt(math.Max(-r.aa, 0))
				any = any || r.aa < 0
			}
			b.AddRows(s.grad, d1)
			b.AddRows(s.aε, mixed)
			scaled.Scaled(b, up)
			s.plus.Add(scaled)
			if any {
				scaled.Scaled(b, down)
				s.minus.Add(scaled)
			}
		}
	}, func(dst, src *exactSums) {
		dst.merge(src.evaluation)
		dst.plus.Merge(src.plus)
		dst.minus.Merge(src.minus)
		dst.ε += src.ε
		dst.εε += src.εε
		for i, v := range src.aε {
			dst.aε[i] += v
		}
	})
}

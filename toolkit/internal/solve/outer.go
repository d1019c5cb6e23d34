package solve

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Outer returns the weights of x itself for inner weights. If several are equally good, it returns
// the shortest.
func (p *Problem) Outer(in []float64) []float64 { return p.Rank.Shortest(p.Coord.Outer(in)) }

// Returned returns the weights of x at the end of a path. If their rounding costs more digits than
// Converged promises, the path is no longer Converged.
func (p *Problem) Returned(way *Path) []float64 {
	w := p.Outer(way.W)
	if way.Converged && way.Quad != nil {
		if why := p.Rounding(way.W, w, way.Quad); why != "" {
			way.Converged, way.Reason = false, why
		}
	}
	return w
}

// farFrom is the distance of a column from 0, in spreads, above which the rounding of the weights
// of dependent columns is measured.
const farFrom = 1 << 10

// Rounding returns "" if the weights w of x are as good as the inner weights that they were
// rounded from, and otherwise the reason why they are not. q is the model of the objective. The
// bias includes Σ_j w_j·c_j of columns about c_j, and has no more digits than that sum.
func (p *Problem) Rounding(in, w []float64, q *Quadratic) string {
	moved, λ := p.moved(in, w, q)
	if λ <= p.digits() && math.Sqrt2*p.widest()*linalg.Norm(moved) <= 0.1*p.digits() {
		return ""
	}
	step := p.direction(q)
	floats.Sub(step, moved)
	if λ <= p.digits() && p.near(in, step, p.digits()) {
		return ""
	}
	return fmt.Sprintf("not converged: rounding leaves the weights in the units of x uncertain by %.1g standard errors or of an activation, because %s",
		math.Max(λ, p.Reach(in, step)), p.farthest(in))
}

// moved returns the distance of the inner weights of w from in, without the part that changes no
// activation, and the length in standard errors of the Newton step that is left at w.
func (p *Problem) moved(in, w []float64, q *Quadratic) ([]float64, float64) {
	d := p.Coord.Displacement(w, in)
	left := func(u []float64) float64 {
		z := q.R.Times(u)
		floats.Sub(z, q.z)
		return linalg.Norm(z)
	}
	switch {
	case p.Rank == nil:
		return d, left(d)
	case p.Rank.Dependent == nil: // the free coordinates are orthonormal
		u := p.Rank.Restrict(d)
		d, λ := p.Rank.Embed(u), left(u)
		if p.FreeRoot != nil {
			shift := p.Rank.Shortest(common(p.Coord.Displacement(w, in), p.GLM.Many.K))
			floats.Add(d, shift)
			floats.Sub(shift, q.shift)
			for _, row := range p.Root {
				λ = math.Hypot(λ, linalg.Dot(row, shift))
			}
		}
		return d, λ
	case floats.Norm(p.Coord.Shift, math.Inf(1)) < farFrom:
		return make([]float64, len(d)), q.decrement()
	}
	// The shortest weights may be far from in along the dependent columns, where q has no
	// curvature. So the factor is computed again from the rows.
	ev, _ := p.Evaluate(in, glm.WithTriangle)
	return make([]float64, len(d)), q.decrement() + linalg.Norm(linalg.Leading(ev.Tri, p.GLM.M).Times(d))
}

// farthest names the column that takes the most digits from the bias.
func (p *Problem) farthest(in []float64) string {
	column, most, m := 0, -1.0, len(p.Coord.Shift)+1
	for i, v := range in {
		if j := i%m - 1; j >= 0 && math.Abs(v*p.Coord.Shift[j]) > most {
			column, most = j, math.Abs(v*p.Coord.Shift[j])
		}
	}
	c := p.Coord.Shift[column] / p.Coord.Scale[column]
	spread := math.Max(p.Cols.Max[column]-c, c-p.Cols.Min[column])
	return fmt.Sprintf("column %d of x (from 0) lies about %.3g from 0, with a spread of %.3g: centre the column", column, math.Abs(c), spread)
}

// Likelihood returns the likelihood as a function of the weights of x itself.
func (p *Problem) Likelihood() *glm.Likelihood {
	design := p.GLM.Design.Again(nil, nil)
	if many := p.GLM.Many; many != nil {
		return glm.NewSoftmax(design, many.T)
	}
	return glm.New(design, p.GLM.T, p.GLM.Loss)
}

// someRows is the number of rows from which one more sum over them is worth avoiding.
const someRows = 64

// At returns the likelihood's part of E and of its Hessian at the end of a path, in the
// coordinates of w. If the rounded w is as good as the last iterate, it returns the values of that
// iterate. If a column is far from 0 relative to its spread and there are few rows, it sums the
// rows again.
func (p *Problem) At(way *Path) (e float64, h *mat.SymDense) {
	if p.GLM.N >= someRows && p.Convex && way.last != nil && way.last.Gram != nil && !p.precise && floats.Norm(p.Coord.Shift, math.Inf(1)) < farFrom {
		return way.last.E, linalg.Symmetrised(p.Coord.Form(way.last.Gram.Sym(p.GLM.M)))
	}
	l := p.Likelihood()
	ev := l.Evaluate(p.Outer(way.W), glm.WithGram)
	return ev.E, ev.Gram.Sym(p.GLM.M)
}

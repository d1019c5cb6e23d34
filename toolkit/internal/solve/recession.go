package solve

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Recession states whether the likelihood has a maximum. The likelihood has no maximum if and only
// if there is a direction d with three properties. First, zᵀd ≥ 0 for every signed row z. Second,
// zᵀd = 0 for every row whose target is neither 0 nor 1. Third, zᵀd > 0 for at least one z. The
// signed row z is −φ for t = 0 and φ for t > 0. For a softmax, the signed rows are the contrasts
// (e_t − e_k) ⊗ φ.
type Recession struct {
	Known       bool      // whether the result is proved
	Pivots      int       // number of pivots of an exact proof that did not finish within its budget; otherwise 0
	Direction   []float64 // direction d for the weights w in the units of x; nil if no d exists or if the search found no d
	RowsOnPlane int       // number of rows with zᵀd = 0 for every such d; may be too large if the budget is used up
}

// recessionSize limits the use of exact arithmetic. Exact arithmetic is used only if all signed
// rows together have at most this number of entries.
const recessionSize = 4 << 20

// Recede decides whether the likelihood has a maximum, and keeps the result for later calls.
func (p *Problem) Recede() *Recession {
	if p.recession == nil {
		p.recession = p.signedRows().recession(cmp.Or(p.budget, existence.NewBudget()))
	}
	return p.recession
}

// logisticRecession decides whether the likelihood of a loss other than the logistic loss has a
// maximum. Only the signs of dᵀφ_n matter. This loss therefore decreases in a direction d if and
// only if the logistic loss with the targets Signs decreases in this direction. logisticRecession
// runs Newton's method for the logistic loss, starting at Steeper times the current weights. It stops
// as soon as a step proves that the maximum exists or does not exist. Usually one step is enough.
func (n *newton) logisticRecession() *Recession {
	p := *n.Problem
	signs := n.NonLogistic.Signs
	if signs == nil {
		signs = n.GLM.T
	}
	p.GLM, p.NonLogistic = glm.New(n.GLM.Design, signs, glm.CrossEntropy{}), nil
	p.Start = make([]float64, len(n.out.W))
	for i, v := range n.out.W {
		p.Start[i] = n.NonLogistic.Steeper * v
	}
	p.MaxIt, p.Tol, p.MayChangeStart = 100, math.Inf(1), false
	// A direction that separates all rows separates every sample of the rows. Therefore, if the
	// maximum exists for a sample, it exists for all rows.
	if p.hasManyRows() && p.Src.InMemory() && p.Rank == nil && n.GLM.N/sampleOf >= 40*n.GLM.M &&
		(Newton{}).Solve(p.sampleProblem(sampleOf)).Converged {
		return &Recession{Known: true}
	}
	proof := Newton{}.Solve(&p)
	if proof.Direction != nil {
		return &Recession{Known: true, Direction: n.Coord.Outer(proof.Direction), RowsOnPlane: proof.rowsOnPlane}
	}
	return &Recession{Known: proof.Converged}
}

// signedRows contains the signed rows of a likelihood. Each column is multiplied by a power of two.
type signedRows struct {
	existence.Cone
	k, m       int       // number of classes (1 for a two-class likelihood), and number of weights of each class
	scale      []float64 // of each column
	row, level []int     // row numbers, in x, of the rows in Hard and in Level
}

// signedRows returns the signed rows, or nil if they have too many entries for exact arithmetic (see
// recessionSize).
func (p *Problem) signedRows() *signedRows {
	src := p.GLM.Design.Source()
	n, d := src.Dims()
	c, classes, m := &signedRows{k: 1, m: d + 1}, 2, d+1
	if p.GLM.Many != nil {
		c.k, classes = p.GLM.Many.K, p.GLM.Many.K
	}
	free := classes - 1 // the part of the direction for the last class is 0
	if float64(n)*float64(free*free)*float64(m) > recessionSize {
		return nil
	}
	c.M = free * m
	c.scale = append([]float64{1}, ColumnScales(p.Cols).Scale...)
	buf, t := make([]float64, d), make([]float64, classes)
	for i := range n {
		x, _ := src.Rows(i, i+1, buf)
		switch {
		case p.GLM.Many != nil:
			p.GLM.Many.T.Read(i, i+1, t, make([]float64, classes))
		case p.NonLogistic != nil && p.NonLogistic.Signs != nil:
			t[0], t[1] = p.NonLogistic.Signs[i], 1-p.NonLogistic.Signs[i]
		default:
			t[0] = p.GLM.Targets(i, i+1)[0]
			t[1] = 1 - t[0]
		}
		glm.Contrasts(make([]float64, classes), t, func(own, other int, _ float64) {
			z := make([]float64, classes*m)
			z[own*m], z[other*m] = 1, -1
			for j, v := range x[:d] {
				v *= c.scale[j+1]
				z[own*m+j+1], z[other*m+j+1] = v, -v
			}
			z = z[:c.M]
			if t[other] > 0 {
				c.Level, c.level = append(c.Level, z), append(c.level, i)
			} else {
				c.Hard, c.row = append(c.Hard, z), append(c.row, i)
			}
		})
	}
	return c
}

// recession decides within the budget whether the likelihood has a maximum. The direction in the
// result is for the weights w in the units of x.
func (c *signedRows) recession(budget *existence.Budget) *Recession {
	if c == nil {
		return &Recession{}
	}
	d, plane, known := c.Widest(budget)
	switch {
	case d == nil && known:
		return &Recession{Known: true}
	case d == nil:
		return &Recession{Pivots: budget.Pivots}
	}
	largest := slices.Max(c.scale)
	for i := range d {
		d[i] *= c.scale[i%c.m]
		d[i] /= largest // without this division, the square of an entry of d could overflow
	}
	on := slices.Clone(c.level)
	for _, i := range plane {
		on = append(on, c.row[i])
	}
	slices.Sort(on)
	return &Recession{Known: true, Direction: append(d, make([]float64, c.k*c.m-len(d))...),
		RowsOnPlane: len(slices.Compact(on))}
}

// ColumnScales returns coordinates that multiply each column by a power of two and do not centre it.
// The largest absolute value in a multiplied column is about 1. The multiplication by a power of two
// is exact.
func ColumnScales(cols *block.Columns) *linalg.Coordinates {
	d := len(cols.Min)
	c := &linalg.Coordinates{Scale: make([]float64, d), Shift: make([]float64, d)}
	for j := range d {
		_, e := math.Frexp(math.Max(math.Abs(cols.Min[j]), math.Abs(cols.Max[j])))
		c.Scale[j] = math.Ldexp(1, -min(max(e, -1000), 1000))
	}
	return c
}

// The likelihood has a maximum if and only if no hyperplane separates the classes.
// A hyperplane with points of both classes on it also counts as separating. In symbols: no
// direction d outside the null space of Φ satisfies dᵀφ_n ≥ 0 for all n with t_n = 1, dᵀφ_n ≤ 0 for
// t_n = 0, and dᵀφ_n = 0 for 0 < t_n < 1. The iterates of Newton's method usually decide this
// question. If an iterate separates the classes, the maximum does not exist. If the inequality in
// minimumEnclosed holds, the maximum exists. In all other cases, recession decides by exact
// arithmetic, or logisticRecession if the likelihood is not logistic.

// verdict states whether the existence of the optimum is proved, disproved or undecided.
type verdict int

const (
	undecided verdict = iota
	exists
	none
)

// decideExistence decides whether the optimum exists. If the optimum does not exist, the Recession
// that decideExistence returns is the proof. If the argument `exact` is false, decideExistence
// tries only the inequality in minimumEnclosed, once per iterate. If the optimum exists,
// decideExistence keeps the proof for later calls, because existence depends only on the data.
func (n *newton) decideExistence(exact bool) (verdict, *Recession) {
	if n.Proper || n.proved {
		return exists, nil
	}
	// Because of rounding errors, independent columns may seem dependent. The inequality in
	// minimumEnclosed then ignores some directions. In this case it is used only if exact
	// arithmetic cannot decide.
	whole := n.Rank == nil || n.Rank.Dependent == nil || exact && n.NonLogistic == nil && !n.Recede().Known
	if !n.tested && (n.NonLogistic == nil || n.NonLogistic.Decay != nil) && n.q != nil && whole {
		n.tested = true
		n.proved = n.minimumEnclosed()
	}
	switch {
	case n.proved:
		return exists, nil
	case !exact:
		return undecided, nil
	case n.NonLogistic != nil && n.recession == nil:
		n.recession = n.logisticRecession()
	}
	switch r := n.Recede(); {
	case r.Known && r.Direction != nil:
		return none, r
	case r.Known:
		n.proved = true
		return exists, nil
	}
	return undecided, nil
}

// separates reports whether the iterate separates the classes strictly: every row lies on the
// correct side of the hyperplane, and no row lies on the hyperplane. It returns false without a
// test if Proper is true, if a target is neither 0 nor 1, or if the likelihood is neither logistic
// nor a softmax.
func (n *newton) separates() bool {
	if n.Proper || n.NonLogistic != nil || !n.ev.Hard {
		return false
	}
	// In inner coordinates, the absolute values of the inputs are at most 2. The rounding error of any
	// activation is therefore below 1e-14·M·size, where `size` is the sum of the |w_j|.
	var size float64
	for _, v := range n.out.W {
		size += math.Abs(v)
	}
	return n.ev.Margin > 1e-14*float64(n.GLM.M)*size
}

// minimumEnclosed reports whether λ·ρ ≤ ½ with ρ = max_n √(φ_nᵀH⁻¹φ_n). The inequality λ·ρ < 1
// already proves that the minimum exists. The smaller limit ½ allows for rounding errors.
//
// The third derivative of the logistic loss is at most its second derivative. Along a step h, the
// Hessian therefore decreases at most by the factor exp(−|φᵀh|) ≥ exp(−ρ‖h‖_H). Two integrations
// give, for a step of length ‖h‖_H = δ and with u = ρδ,
//
//	E(w+h) − E(w) ≥ δ·[ (exp(−u) + u − 1)/u − λρ ]/ρ.
//
// The fraction tends to 1 as u grows. If λρ < 1, E is therefore larger than E(w) on the surface of
// a sufficiently large ball, and the convex function E has its minimum inside this ball. For
// separable data the inequality never holds, provided that H has correct digits in every direction.
// If H may lack them, minimumEnclosed returns false.
//
// For a loss other than the logistic loss, with e″ ≤ c·|e′| in the rows of class 0 or 1, the
// inequality is λ·ρ·c < 1. The Newton step d satisfies Hd = −∇E, so Σ (e′_n + e″_nφ_nᵀd)φ_n = 0. In
// the rows of class 0 or 1 the factors have the sign of e′_n, because |φ_nᵀd| ≤ λρ < 1/c. Let v be
// a direction along which the loss of these rows does not rise, and the other activations do not
// change. Then no term of Σ (e′_n + e″_nφ_nᵀd)φ_nᵀv is positive. The sum is 0, so all terms are 0.
// This means that φ_nᵀv = 0 in every row, and v = 0 (Stiemke's theorem).
func (n *newton) minimumEnclosed() bool {
	safe := 0.5
	if !n.q.R.FullRank() {
		return false
	}
	if n.NonLogistic != nil {
		safe /= n.NonLogistic.Decay(n.maxRowNorm() * linalg.Norm(n.out.W))
	}
	inv := n.Rank.EmbedColumns(n.q.inverse())
	// This bound holds because, in inner coordinates, the absolute value of an input is at most 2
	// and the bias input is 1.
	if bound := math.Sqrt(1+4*float64(n.GLM.M-1)) * normBound(inv); n.λ*bound <= safe {
		return true
	}
	_, k := inv.Dims()
	col := make([][]float64, k)
	for j := range col {
		col[j] = mat.Col(nil, j, inv)
	}
	if many := n.GLM.Many; many != nil {
		return n.λ*math.Sqrt(many.Leverage(col)) <= safe
	}
	ρ2 := glm.RowMax(n.GLM.Design, func(rows int) func(*block.Block, []float64) {
		a := make([]float64, rows)
		return func(b *block.Block, s []float64) {
			clear(s)
			for _, c := range col {
				b.Margins(c, a)
				for r := range s {
					s[r] += a[r] * a[r]
				}
			}
		}
	})
	return n.λ*math.Sqrt(ρ2) <= safe
}

// approximateRecession is for data for which decideExistence cannot decide, for example because
// there are too many rows for exact arithmetic. It looks for a plane that separates the classes,
// with some rows on the plane. With every Newton step, the margins of the rows that are not on the
// plane grow by about 1, without end. The margins of the rows on the plane converge. The direction
// is therefore the change in w over the last watchEvery steps, projected onto the null space of the
// rows with converged margins. A threshold below watchEvery distinguishes the growing margins from
// the converged ones. The best threshold is unknown, so several are tried. If no threshold leads to
// a direction, approximateRecession returns nil. approximateRecession is not needed if no row is on
// the plane, because the iterates themselves then separate the classes.
func (n *newton) approximateRecession() *Recession {
	tr := n.out.Trace
	if len(tr) <= watchEvery {
		return nil
	}
	d := n.Coord.Inner(tr[len(tr)-1].W)
	floats.Sub(d, n.Coord.Inner(tr[len(tr)-1-watchEvery].W))
	dir, on := existence.Plane(n.GLM, d, watchEvery/2, watchEvery/4, watchEvery/8.)
	if dir == nil {
		return nil
	}
	r := &Recession{Direction: n.Coord.Outer(dir), RowsOnPlane: on}
	if n.NonLogistic == nil {
		r.Pivots = n.Recede().Pivots
	}
	return r
}

// normBound returns an upper bound on the norm ‖A‖. It uses two facts: ‖A‖² is at most Σa², and it
// is at most the product of the largest column sum and the largest row sum of the |a|.
func normBound(a mat.Matrix) float64 {
	return math.Min(mat.Norm(a, 2), math.Sqrt(mat.Norm(a, 1))*math.Sqrt(mat.Norm(a, math.Inf(1))))
}

// closeNormBound returns an upper bound on the norm ‖A‖: the eighth root of ‖(AᵀA)⁴‖_F. With the
// singular values σ of A this is (Σσ¹⁶)^(1/16). If A has n columns, the result is at most
// n^(1/16)·‖A‖.
func closeNormBound(a mat.Matrix) float64 {
	size := normBound(a) // divide by `size`, because a power of an entry could overflow
	if !(size > 0) || math.IsInf(size, 1) {
		return size
	}
	var unit, square, power mat.Dense
	unit.Scale(1/size, a)
	square.Mul(unit.T(), &unit)
	power.Mul(&square, &square)
	square.Mul(&power, &power)
	return size * math.Pow(mat.Norm(&square, 2), 1./8)
}

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

// Recession answers exactly whether the likelihood has a maximum. It has no maximum if and only if
// some direction d has zᵀd ≥ 0 for every signed row z, = 0 for a row of soft targets, and > 0 for
// some z. The signed rows are φ for t = 1 and −φ for t = 0. For a softmax they are the contrasts
// (e_t − e_k) ⊗ φ.
type Recession struct {
	Known     bool      // false if the problem is too large for exact arithmetic, or for its budget
	Pivots    int       // of an exact proof that its budget left unfinished, else 0
	Direction []float64 // nil if the maximum exists; in the coordinates of w
	On        int       // rows that every such direction leaves on the plane; more if the budget ran out
}

// recessionSize is the largest number of entries of signed rows that exact arithmetic examines.
const recessionSize = 4 << 20

// Recede decides once and keeps the answer.
func (p *Problem) Recede() *Recession {
	if p.recession == nil {
		p.recession = p.signedRows().recession(cmp.Or(p.budget, existence.NewBudget()))
	}
	return p.recession
}

// logisticRecession decides whether the likelihood of a loss other than the logistic one has a
// maximum. Some losses fall along a direction d exactly where the logistic loss does for the
// targets signs. They have the same answer as the logistic loss, because only the signs of dᵀφ_n
// enter. So the logistic Newton method runs, from about the weights reached, until it proves
// either answer; usually one step is enough.
func (n *newton) logisticRecession() *Recession {
	p := *n.Problem
	if p.Signs == nil {
		p.Signs = p.GLM.T
	}
	p.GLM = glm.New(n.GLM.Design, p.Signs, glm.CrossEntropy{})
	p.Signs, p.Other = nil, false
	p.Start = make([]float64, len(n.out.W))
	for i, v := range n.out.W {
		p.Start[i] = n.Steeper * v
	}
	p.MaxIt, p.Tol, p.Warm = 100, math.Inf(1), false
	// A direction that separates all rows separates every subset of them.
	if p.many() && p.Src.InMemory() && p.Rank == nil && n.GLM.N/sampleOf >= 40*n.GLM.M &&
		(Newton{}).Solve(p.sample(sampleOf)).Converged {
		return &Recession{Known: true}
	}
	proof := Newton{}.Solve(&p)
	if proof.Direction != nil {
		return &Recession{Known: true, Direction: n.Coord.Outer(proof.Direction), On: proof.on}
	}
	return &Recession{Known: proof.Converged}
}

// signedRows are the signed rows of a likelihood, with columns scaled by powers of two.
type signedRows struct {
	existence.Cone
	k, m       int       // classes (1 for two of them), and weights of each
	scale      []float64 // of each column
	row, level []int     // the rows of x that the hard and the level ones come from
}

// signedRows returns nil if there are too many for exact arithmetic.
func (p *Problem) signedRows() *signedRows {
	src := p.GLM.Design.Source()
	n, d := src.Dims()
	c, classes, m := &signedRows{k: 1, m: d + 1}, 2, d+1
	if p.GLM.Many != nil {
		c.k, classes = p.GLM.Many.K, p.GLM.Many.K
	}
	free := classes - 1 // the last class has d = 0
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
		case p.Signs != nil:
			t[0], t[1] = p.Signs[i], 1-p.Signs[i]
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

// recession returns the direction in the coordinates of w.
func (c *signedRows) recession(left *existence.Budget) *Recession {
	if c == nil {
		return &Recession{}
	}
	d, plane, known := c.Widest(left)
	switch {
	case d == nil && known:
		return &Recession{Known: true}
	case d == nil:
		return &Recession{Pivots: left.Pivots}
	}
	largest := slices.Max(c.scale)
	for i := range d {
		d[i] *= c.scale[i%c.m]
		d[i] /= largest // or its square may overflow
	}
	on := slices.Clone(c.level)
	for _, i := range plane {
		on = append(on, c.row[i])
	}
	slices.Sort(on)
	return &Recession{Known: true, Direction: append(d, make([]float64, c.k*c.m-len(d))...),
		On: len(slices.Compact(on))}
}

// ColumnScales scales the columns to about 1 by powers of two, which is exact.
func ColumnScales(cols *block.Columns) *linalg.Coordinates {
	d := len(cols.Min)
	c := &linalg.Coordinates{Scale: make([]float64, d), Shift: make([]float64, d)}
	for j := range d {
		_, e := math.Frexp(math.Max(math.Abs(cols.Min[j]), math.Abs(cols.Max[j])))
		c.Scale[j] = math.Ldexp(1, -min(max(e, -1000), 1000))
	}
	return c
}

// Without a prior the likelihood has a maximum if and only if no hyperplane separates the classes,
// not even with points of both on it. That is: no direction d ≠ 0 (up to the null space of Φ) has
// dᵀφ_n ≥ 0 for t_n = 1, ≤ 0 for t_n = 0 and = 0 for 0 < t_n < 1. Newton's iterates usually prove
// one of the two, by separating the classes themselves or by the inequality in enclosed. Otherwise
// recession decides by exact arithmetic.

// verdict is the knowledge about the existence of the optimum.
type verdict int

const (
	undecided verdict = iota
	exists
	none
)

// existence decides whether the optimum exists; if it does not, the Recession is the proof. Unless
// exact is set, only the inequality is tried. It is called once per iterate. A proof that the
// optimum exists is kept, because existence depends on the data alone.
func (n *newton) existence(exact bool) (verdict, *Recession) {
	if n.Proper || n.proved {
		return exists, nil
	}
	// Columns that are dependent up to rounding may be independent exactly.
	whole := n.Rank == nil || n.Rank.Dependent == nil || exact && !n.Other && !n.Recede().Known
	if !n.tested && (!n.Other || n.Decay != nil) && n.q != nil && whole {
		n.tested = true
		n.proved = n.enclosed()
	}
	switch {
	case n.proved:
		return exists, nil
	case !exact:
		return undecided, nil
	case n.Other && n.recession == nil:
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

// separated reports whether the iterate separates the classes with every row strictly on its side.
func (n *newton) separated() bool {
	if n.Proper || n.Other || !n.ev.Hard {
		return false
	}
	// A bound on the rounding of any activation: inner inputs are at most 2.
	var size float64
	for _, v := range n.out.W {
		size += math.Abs(v)
	}
	return n.ev.Margin > 1e-14*float64(n.GLM.M)*size
}

// enclosed reports whether this inequality proves that the minimum exists: λ·ρ < 1 with
// ρ = max_n √(φ_nᵀH⁻¹φ_n).
//
// The third derivative of the logistic loss is at most its second, so along a
// step h the Hessian falls no faster than exp(−|φᵀh|) ≥ exp(−ρ‖h‖_H). Two
// integrations give, at distance δ and with u = ρδ,
//
//	E(w+h) − E(w) ≥ δ·[ (exp(−u) + u − 1)/u − λρ ]/ρ,
//
// and the fraction tends to 1: if λρ < 1, E is larger than E(w) all around a
// large enough ball, and a convex function then has its minimum inside.
// On separable data this can never come true, as long as H has digits in every
// direction.
//
// For another loss with e″ ≤ c·|e′| in the rows of class 0 or 1 it is λ·ρ·c < 1. Because
// Hd = −∇E for the step d, Σ (e′_n + e″_nφ_nᵀd)φ_n = 0, in these rows with factors of the
// sign of e′_n, for |φ_nᵀd| ≤ λρ < 1/c. A direction v along which no row of them loses and
// the others stay makes no term of Σ (e′_n + e″_nφ_nᵀd)φ_nᵀv positive: all are 0, so
// φ_nᵀv = 0 in every row, and v = 0 (Stiemke's theorem).
func (n *newton) enclosed() bool {
	safe := 0.5
	if !n.q.R.Sharp() {
		return false
	}
	if n.Other {
		safe /= n.Decay(n.widest() * linalg.Norm(n.out.W))
	}
	inv := n.Rank.EmbedColumns(n.q.inverse())
	// Inner inputs are at most 2 in size, the bias is 1.
	if bound := math.Sqrt(1+4*float64(n.GLM.M-1)) * longest(inv); n.λ*bound <= safe {
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

// approximateRecession looks for a direction that separates with some rows on the plane, where
// there are too many rows for exact arithmetic. On such data the margins of the other rows grow by
// about 1 with every Newton step without end, while the margins of the rows on the plane converge.
// So the direction is the change of w over the last watchEvery steps, without its part along the
// rows that have converged. Any growth below watchEvery may separate the two kinds of rows. It
// returns nil if it finds no direction. If no row is on the plane, the separation is complete and
// the iterates show it.
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
	r := &Recession{Direction: n.Coord.Outer(dir), On: on}
	if !n.Other {
		r.Pivots = n.Recede().Pivots
	}
	return r
}

// longest returns a bound of ‖A‖: its square is at most Σa², and at most the largest sum of a
// column times the largest sum of a row.
func longest(a mat.Matrix) float64 {
	return math.Min(mat.Norm(a, 2), math.Sqrt(mat.Norm(a, 1))*math.Sqrt(mat.Norm(a, math.Inf(1))))
}

// closely returns a bound of ‖A‖, the eighth root of ‖(AᵀA)⁴‖_F, which is (Σσ¹⁶)^(1/16). With n
// columns it is at most n^(1/16)·‖A‖.
func closely(a mat.Matrix) float64 {
	size := longest(a) // taken out, so that no power overflows
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

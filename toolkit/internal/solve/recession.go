package solve

import (
	"cmp"
	"math"
	"slices"

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
	if p.many() && p.Src.InMemory() && p.Rank == nil && n.GLM.N/sampleOf >= 40*n.GLM.M && (Newton{}).Solve(p.sample(sampleOf)).Converged {
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
	return &Recession{Known: true, Direction: append(d, make([]float64, c.k*c.m-len(d))...), On: len(slices.Compact(on))}
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

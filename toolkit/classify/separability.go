package classify

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Separability is the answer to whether a hyperplane has all rows of one class
// strictly on one side and all of the other strictly on the other, with a
// certificate of either (PRML exercise 4.1): such a plane exists if and only if
// the convex hulls of the classes have no point in common. (The book's
// "conversely" is its first statement again, erratum P30; the converse holds too,
// for finite sets.)
//
// Equations: PRML (4.156).
type Separability struct {
	Separable bool

	// If Separable: weights W, bias first, with wᵀφ > 0 for t = 1 and wᵀφ < 0 for
	// t = 0, proven for every row in arithmetic of 30 digits; and the distance of
	// the nearest row from that plane. It is not the plane of widest margin.
	W      []float64
	Margin float64

	// If not: a point in both hulls, Σ α_i x_i = Σ β_j x_j, with α, β > 0 summing
	// to 1, over the rows RowsC1 of t = 1 and RowsC2 of t = 0, ascending. Gap is
	// the largest difference between the two sums over all columns; it is at most
	// 10⁻¹² of the column's largest entry.
	RowsC1, RowsC2 []int
	Alpha, Beta    []float64
	Common         []float64
	Gap            float64
}

// sepGap bounds the gap of a common point, relative to the column's largest entry.
const sepGap = 1e-12

// Separable decides whether the classes t = 1 and t = 0 are linearly separable,
// for x N×D. Hulls that touch are not: some row would lie on the plane.
//
// The decision is a linear program (see Gordan's theorem) over the rows that the
// current plane violates; few of the N take part, so that large N costs little
// more than some passes over x. A plane is proven row by row; that there is none
// is decided in exact arithmetic. Only where many columns make that too slow do
// hulls whose distance is below the rounding of x count as touching; the Gap says
// how far apart they may be.
//
// Errors: shapes that do not agree, NaN or Inf, targets other than 0 and 1, a
// single class; and classes so close that no plane between them has weights of 53
// bits.
//
// Equations: PRML (4.156).
func Separable(x mat.Matrix, t []float64) (*Separability, error) {
	s, err := separable(x, t)
	if err != nil {
		return nil, failure("Separable", err)
	}
	return s, nil
}

func separable(x mat.Matrix, t []float64) (*Separability, error) {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, _ := src.Dims()
	side, err := hardSides(t, n)
	if err != nil {
		return nil, err
	}
	return (&sepProblem{src: src, cols: cols, side: side}).decide()
}

// sepProblem is the question for the rows with side ±1; those with 0 take no part.
type sepProblem struct {
	src  *block.Source
	cols *block.Columns
	side []int8
}

func (p *sepProblem) decide() (*Separability, error) {
	c := linalg.NewCoordinates(p.cols, nil)
	d := c.Design(p.src)
	_, m := d.Dims()
	lp := existence.NewLP(m)
	var rows []int // of x, in the order of lp.rows
	batch := max(4*m, 256)
	known := make([]bool, len(p.side))
	take := func(index []int) {
		for _, i := range index {
			known[i] = true
			rows = append(rows, i)
			lp.Add(p.signedRow(c, i))
		}
	}
	take(p.sample(batch))
	for round := 0; ; round++ {
		if !lp.Solve() {
			break
		}
		if lp.S <= 0 || lp.S < existence.Zero*float64(m+1) {
			break
		}
		worst, positive := p.violators(d, lp, known, batch)
		if len(worst) == 0 || positive && round > 50 {
			break
		}
		take(worst)
	}
	if lp.S > 0 {
		if s := p.proven(c.Outer(lp.V)); s != nil {
			return s, nil
		}
	}
	if s, err := p.exactly(lp, rows); s != nil || err != nil {
		return s, err
	}
	s, gap := p.common(lp.Shares(), rows)
	for j, g := range gap {
		if size := math.Max(math.Abs(p.cols.Min[j]), math.Abs(p.cols.Max[j])); !(g <= sepGap*size) {
			return nil, fmt.Errorf("neither a separating plane nor a common point of the hulls could be proven in double precision (column %d), and exact arithmetic would take too long: leave columns out", j)
		}
	}
	return s, nil
}

// sample returns about count rows, evenly from each class.
func (p *sepProblem) sample(count int) []int {
	var class [2][]int
	for i, s := range p.side {
		switch s {
		case 1:
			class[0] = append(class[0], i)
		case -1:
			class[1] = append(class[1], i)
		}
	}
	var out []int
	for _, c := range class {
		k := min(len(c), count/2)
		for i := range k {
			out = append(out, c[i*len(c)/k])
		}
	}
	return out
}

// signedRow returns t_n φ′_n, t_n = ±1.
func (p *sepProblem) signedRow(c *linalg.Coordinates, i int) []float64 {
	_, w := p.src.Dims()
	x, _ := p.src.Rows(i, i+1, make([]float64, w))
	a := make([]float64, w+1)
	s := float64(p.side[i])
	a[0] = s
	for j, v := range x[:w] {
		a[j+1] = s * (v*c.Scale[j] - c.Shift[j])
	}
	return a
}

// violators returns the rows, not known yet, that the present v violates most,
// and whether v has all rows strictly on their sides.
func (p *sepProblem) violators(d *block.Design, lp *existence.LP, known []bool, count int) (worst []int, positive bool) {
	margin := make([]float64, len(p.side))
	block.Reduce(d, 0, block.Nothing, func(rows int) func(struct{}, *block.Block) {
		a := make([]float64, rows)
		return func(_ struct{}, b *block.Block) {
			b.Margins(lp.V, a)
			for r := range b.N {
				margin[b.Lo+r] = a[r] * float64(p.side[b.Lo+r])
			}
		}
	}, func(_, _ struct{}) {})
	positive = true
	for i, v := range margin {
		if p.side[i] == 0 {
			continue
		}
		positive = positive && v > 0
		if v < lp.S-existence.Optimal && !known[i] {
			worst = append(worst, i)
		}
	}
	slices.SortFunc(worst, func(i, j int) int { return cmp.Or(cmp.Compare(margin[i], margin[j]), cmp.Compare(i, j)) })
	return worst[:min(count, len(worst))], positive
}

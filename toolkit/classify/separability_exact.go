package classify

import (
	"errors"
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

// ClassPair is the separability of two of several classes; the first plays the
// part of t = 1.
type ClassPair struct {
	First, Second int
	*Separability
}

// SeparablePairs decides for each pair of classes whether it is linearly
// separable: pairwise separation, Alpaydin 10.4, the weaker demand. Pairs come in
// the order (0,1), (0,2) …; those with a class without rows are left out. Rows
// in certificates are rows of x. Errors as FitLeastSquares.
//
// Equations: Alpaydin (10.9).
func SeparablePairs(x mat.Matrix, labels []int, k int) ([]ClassPair, error) {
	p, counts, err := sepLabels(x, labels, k)
	if err != nil {
		return nil, failure("SeparablePairs", err)
	}
	var out []ClassPair
	for i := range k {
		for j := i + 1; j < k && counts[i] > 0; j++ {
			if counts[j] == 0 {
				continue
			}
			for n, l := range labels {
				switch l {
				case i:
					p.side[n] = 1
				case j:
					p.side[n] = -1
				default:
					p.side[n] = 0
				}
			}
			s, err := p.decide()
			if err != nil {
				return nil, failure("SeparablePairs", err)
			}
			out = append(out, ClassPair{i, j, s})
		}
	}
	return out, nil
}

// SeparableFromRest decides for each class whether it is linearly separable from
// all others together, as one hyperplane per class demands (Alpaydin 10.3.2 and
// 10.7). In the certificates the class is t = 1. A class without rows has a nil
// entry. Errors as FitLeastSquares.
//
// Equations: Alpaydin (10.7).
func SeparableFromRest(x mat.Matrix, labels []int, k int) ([]*Separability, error) {
	p, counts, err := sepLabels(x, labels, k)
	if err != nil {
		return nil, failure("SeparableFromRest", err)
	}
	out := make([]*Separability, k)
	for i := range k {
		if counts[i] == 0 {
			continue
		}
		for n, l := range labels {
			p.side[n] = -1
			if l == i {
				p.side[n] = 1
			}
		}
		if out[i], err = p.decide(); err != nil {
			return nil, failure("SeparableFromRest", err)
		}
	}
	return out, nil
}

func sepLabels(x mat.Matrix, labels []int, k int) (*sepProblem, []int, error) {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, nil, err
	}
	n, _ := src.Dims()
	counts, err := check.Labels(labels, n, k)
	if err != nil {
		return nil, nil, err
	}
	return &sepProblem{src: src, cols: cols, side: make([]int8, n)}, counts, nil
}

// exactly decides in exact arithmetic, beginning with the rows that the program in
// floating point ended with. It returns nil if the budget of a proof does not suffice.
//
// By Gordan's theorem either 0 is a convex combination of the signed rows a_n, that
// is (0, 1) = Σ λ_n (a_n, 1) with λ ≥ 0, or a plane separates strictly; farkas
// decides between the two.
func (p *sepProblem) exactly(lp *existence.LP, rows []int) (*Separability, error) {
	c := solve.ColumnScales(p.cols)
	_, d := p.src.Dims()
	b := make([]*big.Int, d+2)
	for j := range b {
		b[j] = new(big.Int)
	}
	b[d+1].SetInt64(1)
	var taken []int
	var columns [][]float64
	take := func(i int) {
		taken = append(taken, i)
		columns = append(columns, append(p.signedRow(c, i), 1))
	}
	for i := range lp.Shares() {
		taken = append(taken, rows[i])
	}
	slices.Sort(taken) // a map has no order
	for _, i := range taken {
		columns = append(columns, append(p.signedRow(c, i), 1))
	}
	for left := existence.NewBudget(); ; {
		f := existence.NewFarkas(columns, b, left)
		y, common := f.Solve()
		if common {
			s, _ := p.common(f.Shares(), taken)
			return s, nil
		}
		if y == nil {
			return nil, nil
		}
		more := p.outside(y, c, taken, 4*(d+2))
		if len(more) == 0 {
			return p.rounded(existence.RoundedTo1(y[:d+1]), c)
		}
		for _, i := range more {
			take(i)
		}
	}
}

// outside returns rows, of those not taken, with yᵀ(a, 1) < 0, the worst first.
func (p *sepProblem) outside(y []*big.Int, c *linalg.Coordinates, taken []int, count int) []int {
	v := existence.RoundedTo1(y)
	size := map[int]float64{}
	var out []int
	for i, side := range p.side {
		if side == 0 || slices.Contains(taken, i) {
			continue
		}
		a := append(p.signedRow(c, i), 1)
		s, bound := existence.BoundedDot(a, v)
		if s < -bound || s <= bound && existence.ExactDot(y, a).Sign() < 0 {
			out, size[i] = append(out, i), s
		}
	}
	slices.SortStableFunc(out, func(i, j int) int { return int(math.Copysign(1, size[i]-size[j])) })
	return out[:min(count, len(out))]
}

// rounded brings an exact plane, in scaled columns, to weights of 53 bits. Where
// the gap is so narrow that the threshold falls outside, a multiple of the plane
// has other numbers to choose from.
func (p *sepProblem) rounded(v []float64, c *linalg.Coordinates) (*Separability, error) {
	w := c.Outer(v)
	for k := range 64 {
		u := slices.Clone(w)
		for j := range u {
			u[j] *= 1 + float64(k)/64
		}
		if s := p.proven(u); s != nil {
			return s, nil
		}
	}
	return nil, errors.New("the classes are linearly separable, but so close that no plane found between them has weights of 53 bits: give x with an origin near the boundary")
}

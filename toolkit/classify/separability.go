package classify

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

// Separability reports whether a hyperplane strictly separates the rows of two classes (PRML
// exercise 4.1). It also contains a certificate, which proves the result. A separating plane exists
// if and only if the convex hulls of the classes have no point in common. In the exercise, the
// sentence with "conversely" repeats the first statement instead of its converse (erratum P30). For
// finite sets, the statement and its converse are both true.
//
// Equations: PRML (4.156).
type Separability struct {
	Separable bool

	// If Separable is true, W contains the weights of a separating plane, bias first. The weights
	// satisfy wᵀφ > 0 for t = 1 and wᵀφ < 0 for t = 0. The inequality has been proved for every
	// row, with arithmetic of 30 digits. Margin is the distance between the plane and the nearest
	// row. Other planes may have a wider margin.
	W      []float64
	Margin float64

	// If Separable is false, Common is a point in the convex hulls of both classes, Σ α_i x_i = Σ
	// β_j x_j. The α_i are positive and sum to 1. The β_j are also positive and sum to 1. Alpha
	// contains α for the rows RowsC1 with t = 1, and Beta contains β for the rows RowsC2 with t =
	// 0. The row numbers are in ascending order. Gap is the largest difference, over all columns,
	// between the two sums. In each column the difference is at most 10⁻¹² of the column's largest
	// entry.
	RowsC1, RowsC2 []int
	Alpha, Beta    []float64
	Common         []float64
	Gap            float64
}

// sepGap bounds the difference between the two sums Σ α_i x_i and Σ β_j x_j that represent the same
// point. In each column, the difference is at most sepGap times the column's largest entry.
const sepGap = 1e-12

// Separable decides whether the classes t = 1 and t = 0 are linearly separable, for x N×D. If the
// convex hulls of the classes only touch, the classes are not separable, because every plane
// between the hulls contains at least one row. However, the likelihood of such classes may have no
// maximum. In that case the field Separable of a FitLogistic result is true, and InfiniteWeights
// reports which weights are infinite.
//
// Separable solves a linear program (see Gordan's theorem) that contains only a few of the N rows.
// After each solution it adds the rows that violate the solution most. For a large N, the time is
// therefore little more than the time of a few passes over x. If Separable finds a separating plane,
// it checks the plane on every row. If no plane separates the classes, Separable proves this in
// exact arithmetic. With many columns exact arithmetic can be too slow. In this case, hulls count as
// touching if some point of one hull and some point of the other hull differ, in each column, by at
// most 10⁻¹² of the column's largest entry. Gap is then the largest of these differences.
//
// Errors: shapes that do not agree, NaN or Inf, targets other than 0 and 1, a single class, and
// separable classes so close to each other that Separable finds no separating weights of 53 bits. If
// exact arithmetic is too slow, hulls that are close but do not count as touching are also an error.
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

// sepProblem contains the data of a search for a plane between the rows with side 1 and the rows
// with side −1. The search ignores rows with side 0.
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
	var rows []int // the rows of x that the linear program uses, in the order of lp.rows
	batch := max(4*m, 256)
	known := make([]bool, len(p.side))
	take := func(index []int) {
		for _, i := range index {
			known[i] = true
			rows = append(rows, i)
			lp.Add(p.signedRow(c, i))
		}
	}
	take(p.sampleRows(batch))
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
		if s := p.certificate(c.Outer(lp.V)); s != nil {
			return s, nil
		}
	}
	if s, err := p.decideExactly(lp, rows); s != nil || err != nil {
		return s, err
	}
	s, gap := p.commonPoint(lp.Shares(), rows)
	for j, g := range gap {
		if size := math.Max(math.Abs(p.cols.Min[j]), math.Abs(p.cols.Max[j])); !(g <= sepGap*size) {
			return nil, fmt.Errorf("double precision proves neither a separating plane nor a common point of the hulls (column %d), and exact arithmetic would take too long: use fewer columns", j)
		}
	}
	return s, nil
}

// sampleRows returns at most `count` row numbers: at most count/2 from each class, evenly spaced among
// the rows of the class.
func (p *sepProblem) sampleRows(count int) []int {
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

// signedRow returns t_i φ′_i, where t_i is ±1 and φ′_i is the vector φ_i of row i in the
// coordinates c.
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

// violators returns at most `count` rows, the largest violation first. A row is a violator if a_nᵀv,
// with v = lp.V, is below the program's bound lp.S by more than existence.Optimal. violators omits the
// rows r for which known[r] is true. The result `positive` reports whether all rows of both classes lie
// strictly on the correct side of the plane lp.V.
func (p *sepProblem) violators(d *block.Design, lp *existence.LP, known []bool, count int) (worst []int,
	positive bool) {
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

// projections contains the smallest projection of a row of C₁ and the largest projection of a row
// of C₂.
type projections struct{ least1, largest2 linalg.Twofold }

// certificate returns the certificate of the plane with normal vector (w1 … wD) whose threshold is
// in the middle of the gap between the classes. It returns nil if the gap is not larger than the
// rounding errors of this computation, or if a number is not finite.
func (p *sepProblem) certificate(w []float64) *Separability {
	for _, v := range w {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	}
	s := block.Reduce(block.NewDesign(p.src, nil, nil), 0, func() *projections {
		return &projections{linalg.Twofold{Hi: math.Inf(1)}, linalg.Twofold{Hi: math.Inf(-1)}}
	}, func(int) func(*projections, *block.Block) {
		return func(s *projections, b *block.Block) {
			for r := range b.N {
				side := p.side[b.Lo+r]
				if side == 0 {
					continue
				}
				var a linalg.Twofold
				for j, v := range b.Row(r)[1:b.M] {
					a = a.AddProduct(w[j+1], v)
				}
				if side > 0 && a.Less(s.least1) {
					s.least1 = a
				}
				if side < 0 && s.largest2.Less(a) {
					s.largest2 = a
				}
			}
		}
	}, func(dst, src *projections) {
		if src.least1.Less(dst.least1) {
			dst.least1 = src.least1
		}
		if dst.largest2.Less(src.largest2) {
			dst.largest2 = src.largest2
		}
	})
	// The final value of bound exceeds the rounding error of every wᵀx + w0, because the error of each
	// product and sum of Twofold numbers is less than 2⁻¹⁰⁰ times the size of its terms.
	bound := 0.0
	for j, lo := range p.cols.Min {
		bound += math.Abs(w[j+1]) * math.Max(math.Abs(lo), math.Abs(p.cols.Max[j]))
	}
	w0 := -(s.least1.Hi/2 + s.largest2.Hi/2)
	bound = (bound + math.Abs(w0)) * float64(len(w)) * 1e-29
	up, down := s.least1.Add(w0).Hi, -s.largest2.Add(w0).Hi
	if !(math.Min(up, down) > bound) || math.IsInf(bound, 0) {
		return nil
	}
	w = slices.Clone(w)
	w[0] = w0
	return &Separability{Separable: true, W: w, Margin: math.Min(up, down) / floats.Norm(w[1:], 2)}
}

// commonPoint computes a point in both hulls from the shares found by the linear program. It
// returns the certificate with the point, and the gap of each column. The argument `rows` contains,
// for each row of the program, its row number in x.
func (p *sepProblem) commonPoint(found map[int]float64, rows []int) (*Separability, []float64) {
	s := &Separability{}
	share := map[int]float64{}
	for i, v := range found {
		share[rows[i]] = v
		if p.side[rows[i]] > 0 {
			s.RowsC1 = append(s.RowsC1, rows[i])
		} else {
			s.RowsC2 = append(s.RowsC2, rows[i])
		}
	}
	s.Alpha, s.Beta = sortedShares(s.RowsC1, share), sortedShares(s.RowsC2, share)
	x1, x2 := p.weightedSum(s.RowsC1, s.Alpha), p.weightedSum(s.RowsC2, s.Beta)
	gap := make([]float64, len(x1))
	for j := range x1 {
		s.Common = append(s.Common, x1[j].Hi)
		gap[j] = math.Abs(x1[j].Add(-x2[j].Hi).Add(-x2[j].Lo).Hi)
	}
	s.Gap = slices.Max(gap)
	return s, gap
}

// sortedShares sorts the rows in place. It returns the shares of the rows, divided by their sum.
func sortedShares(rows []int, share map[int]float64) []float64 {
	slices.Sort(rows)
	out, sum := make([]float64, len(rows)), 0.0
	for i, r := range rows {
		out[i] = share[r]
		sum += out[i]
	}
	floats.Scale(1/sum, out)
	return out
}

// weightedSum returns Σ a_i x_i over the given rows of x.
func (p *sepProblem) weightedSum(rows []int, a []float64) []linalg.Twofold {
	_, d := p.src.Dims()
	out, buf := make([]linalg.Twofold, d), make([]float64, d)
	for i, r := range rows {
		x, _ := p.src.Rows(r, r+1, buf)
		for j, v := range x[:d] {
			out[j] = out[j].AddProduct(a[i], v)
		}
	}
	return out
}

// Verify checks the certificate with the data x and t. It returns nil if the certificate proves the
// result to the accuracy that is stated at the fields of Separability. Otherwise it returns an
// error that names the contradiction.
//
// Equations: PRML (4.156).
func (s *Separability) Verify(x mat.Matrix, t []float64) error {
	if err := s.verify(x, t); err != nil {
		return failure("Separability.Verify", err)
	}
	return nil
}

func (s *Separability) verify(x mat.Matrix, t []float64) error {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return err
	}
	n, d := src.Dims()
	if err := check.Targets(t, n); err != nil {
		return err
	}
	if s.Separable {
		if err := check.Vector("W", s.W, d+1, "one entry for the bias and one for each column"); err != nil {
			return err
		}
		row := make([]float64, d)
		for i, v := range t {
			a := linalg.Twofold{Hi: s.W[0]}
			for j := range row {
				a = a.AddProduct(s.W[j+1], x.At(i, j))
			}
			if v == 1 && !(a.Hi > 0) || v == 0 && !(a.Hi < 0) { // NaN, after an overflow, is on neither side
				return fmt.Errorf("row %d with t = %v has wᵀφ = %v: want a strictly positive value for t = 1, and a strictly negative value for t = 0", i, v, a.Hi)
			}
		}
		return nil
	}
	p := &sepProblem{src: src}
	x1, err := p.hullPoint("Alpha", s.RowsC1, s.Alpha, t, 1)
	if err != nil {
		return err
	}
	x2, err := p.hullPoint("Beta", s.RowsC2, s.Beta, t, 0)
	if err != nil {
		return err
	}
	for j := range x1 {
		gap := math.Abs(x1[j].Add(-x2[j].Hi).Hi)
		if size := math.Max(math.Abs(cols.Min[j]), math.Abs(cols.Max[j])); gap > sepGap*size {
			return fmt.Errorf("column %d: Σ α x = %v but Σ β x = %v, so the two sums are not the same point", j, x1[j].Hi, x2[j].Hi)
		}
	}
	return nil
}

// hullPoint checks that a sum of rows is a convex combination, and returns the point.
func (p *sepProblem) hullPoint(name string, rows []int, a, t []float64, class float64) ([]linalg.Twofold, error) {
	if len(rows) != len(a) || len(a) == 0 {
		return nil, fmt.Errorf("%s has %d shares for %d rows: want one share per row, and at least one share", name, len(a), len(rows))
	}
	sum := 0.0
	for i, r := range rows {
		if r < 0 || r >= len(t) || t[r] != class {
			return nil, fmt.Errorf("%s[%d] is for row %d, which is not a row with t = %v", name, i, r, class)
		}
		if !(a[i] >= 0) {
			return nil, fmt.Errorf("%s[%d] is %v: shares must not be negative", name, i, a[i])
		}
		sum += a[i]
	}
	if math.Abs(sum-1) > 1e-12 {
		return nil, fmt.Errorf("%s sums to %v, want 1", name, sum)
	}
	return p.weightedSum(rows, a), nil
}

// Plane returns the separating plane, or an error if the classes are not separable.
func (s *Separability) Plane() (*Hyperplane, error) {
	if !s.Separable {
		return nil, failure("Separability.Plane",
			errors.New("the classes are not separable, because their hulls share the point Common"))
	}
	return NewHyperplane(s.W)
}

// ClassPair contains the separability of two of several classes. First is the class with t = 1.
type ClassPair struct {
	First, Second int
	*Separability
}

// SeparablePairs decides for each pair of classes whether a hyperplane separates the two classes.
// This is pairwise separation, Alpaydin 10.4. It is a weaker condition than separation of each
// class from all other classes together. The pairs have the order (0,1), (0,2) …. Pairs with an
// empty class are omitted. The row numbers in the certificates are the numbers of rows of x.
// Errors: the errors of FitLeastSquares; the errors of Separable for classes that are too close.
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

// SeparableFromRest decides for each class whether a hyperplane separates the class from all other
// classes together. A classifier with one hyperplane per class can classify all rows correctly only
// if all these hyperplanes exist (Alpaydin 10.3.2 and 10.7). The certificate of class k has t = 1 for
// this class and t = 0 for all others. It is nil if class k has no rows.
// Errors: as for SeparablePairs.
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

// decideExactly decides separability in exact arithmetic. It starts with the rows that have a
// positive share in lp, the last solution of the linear program in floating-point arithmetic. It
// returns nil if a proof would need too many arithmetic operations. It returns an error if the classes
// are separable, but roundPlane finds no plane.
//
// By Gordan's theorem, exactly one of two statements is true. Either a plane strictly separates the
// classes, or 0 is a convex combination of the signed rows a_n. The second statement means (0, 1) =
// Σ λ_n (a_n, 1) with λ ≥ 0. existence.Farkas decides which statement is true.
func (p *sepProblem) decideExactly(lp *existence.LP, rows []int) (*Separability, error) {
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
	slices.Sort(taken) // sort, because the order of a range over a map is random
	for _, i := range taken {
		columns = append(columns, append(p.signedRow(c, i), 1))
	}
	for left := existence.NewBudget(); ; {
		f := existence.NewFarkas(columns, b, left)
		y, common := f.Solve()
		if common {
			s, _ := p.commonPoint(f.Shares(), taken)
			return s, nil
		}
		if y == nil {
			return nil, nil
		}
		more := p.exactViolators(y, c, taken, 4*(d+2))
		if len(more) == 0 {
			return p.roundPlane(existence.RoundedTo1(y[:d+1]), c)
		}
		for _, i := range more {
			take(i)
		}
	}
}

// exactViolators returns at most `count` rows with yᵀ(z, 1) < 0, where z is the signed row. It
// omits the rows in the list `taken`. The row with the smallest yᵀ(z, 1) comes first.
func (p *sepProblem) exactViolators(y []*big.Int, c *linalg.Coordinates, taken []int, count int) []int {
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
	slices.SortStableFunc(out, func(i, j int) int { return cmp.Compare(size[i], size[j]) })
	return out[:min(count, len(out))]
}

// roundPlane returns the certificate of a plane. The argument v contains the plane's weights for the
// scaled columns of c, which exact arithmetic has found and which were rounded to 53 bits. If the gap
// between the classes is narrow, rounding can move the plane out of the gap. roundPlane then tries
// multiples of the weights, because the rounding errors of multiples differ. If no multiple
// separates the classes, it returns an error.
func (p *sepProblem) roundPlane(v []float64, c *linalg.Coordinates) (*Separability, error) {
	w := c.Outer(v)
	for k := range 64 {
		u := slices.Clone(w)
		for j := range u {
			u[j] *= 1 + float64(k)/64
		}
		if s := p.certificate(u); s != nil {
			return s, nil
		}
	}
	return nil, errors.New("the classes are linearly separable, but so close that Separable finds no separating plane with weights of 53 bits: shift the origin of x to the boundary")
}

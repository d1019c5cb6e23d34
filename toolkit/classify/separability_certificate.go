package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// span is the range of the projections of each class: the least of C₁ and the
// largest of C₂.
type span struct{ least1, largest2 linalg.Twofold }

// proven returns the certificate of the direction w1 … wD, with the threshold
// that halves the gap between the classes, or nil if the classes are not
// strictly divided by it beyond all rounding of this computation.
func (p *sepProblem) proven(w []float64) *Separability {
	for _, v := range w {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	}
	s := block.Reduce(block.NewDesign(p.src, nil, nil), 0, func() *span {
		return &span{linalg.Twofold{Hi: math.Inf(1)}, linalg.Twofold{Hi: math.Inf(-1)}}
	}, func(int) func(*span, *block.Block) {
		return func(s *span, b *block.Block) {
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
	}, func(dst, src *span) {
		if src.least1.Less(dst.least1) {
			dst.least1 = src.least1
		}
		if dst.largest2.Less(src.largest2) {
			dst.largest2 = src.largest2
		}
	})
	// Each product and sum is off by less than 2⁻¹⁰⁰ of the terms.
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

// common returns the point in both hulls that the solved program found by its
// shares, and the gap of each column. rows are the rows of x behind those of the
// program.
func (p *sepProblem) common(found map[int]float64, rows []int) (*Separability, []float64) {
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
	s.Alpha, s.Beta = shares(s.RowsC1, share), shares(s.RowsC2, share)
	x1, x2 := p.mixture(s.RowsC1, s.Alpha), p.mixture(s.RowsC2, s.Beta)
	gap := make([]float64, len(x1))
	for j := range x1 {
		s.Common = append(s.Common, x1[j].Hi)
		gap[j] = math.Abs(x1[j].Add(-x2[j].Hi).Add(-x2[j].Lo).Hi)
	}
	s.Gap = slices.Max(gap)
	return s, gap
}

// shares sorts the rows and returns their shares, scaled to the sum 1.
func shares(rows []int, share map[int]float64) []float64 {
	slices.Sort(rows)
	out, sum := make([]float64, len(rows)), 0.0
	for i, r := range rows {
		out[i] = share[r]
		sum += out[i]
	}
	floats.Scale(1/sum, out)
	return out
}

// mixture returns Σ a_i x_i over some rows of x.
func (p *sepProblem) mixture(rows []int, a []float64) []linalg.Twofold {
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

// Verify checks the certificate against the data it was made for: it is nil if
// the certificate proves what it claims, to the accuracy stated there, and else
// says what is wrong with it.
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
		if err := check.Vector("W", s.W, d+1, "the bias and one per column"); err != nil {
			return err
		}
		row := make([]float64, d)
		for i, v := range t {
			a := linalg.Twofold{Hi: s.W[0]}
			for j := range row {
				a = a.AddProduct(s.W[j+1], x.At(i, j))
			}
			if v == 1 && a.Hi <= 0 || v == 0 && a.Hi >= 0 {
				return fmt.Errorf("row %d with t = %v has wᵀφ = %v: it must be strictly on its side", i, v, a.Hi)
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
			return fmt.Errorf("column %d: Σ α x = %v but Σ β x = %v: not the same point", j, x1[j].Hi, x2[j].Hi)
		}
	}
	return nil
}

// hullPoint checks one convex combination and returns its point.
func (p *sepProblem) hullPoint(name string, rows []int, a, t []float64, class float64) ([]linalg.Twofold, error) {
	if len(rows) != len(a) || len(a) == 0 {
		return nil, fmt.Errorf("%s has %d shares for %d rows", name, len(a), len(rows))
	}
	sum := 0.0
	for i, r := range rows {
		if r < 0 || r >= len(t) || t[r] != class {
			return nil, fmt.Errorf("%s[%d] is for row %d, which is not a row with t = %v", name, i, r, class)
		}
		if !(a[i] >= 0) {
			return nil, fmt.Errorf("%s[%d] is %v: shares are not negative", name, i, a[i])
		}
		sum += a[i]
	}
	if math.Abs(sum-1) > 1e-12 {
		return nil, fmt.Errorf("%s sums to %v, not to 1", name, sum)
	}
	return p.mixture(rows, a), nil
}

// Plane returns the separating plane, an error if the classes are not separable.
func (s *Separability) Plane() (*Hyperplane, error) {
	if !s.Separable {
		return nil, failure("Separability.Plane", errors.New("the classes are not separable: their hulls have the point Common in common"))
	}
	return NewHyperplane(s.W)
}

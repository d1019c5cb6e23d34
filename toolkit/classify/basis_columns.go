package classify

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

var (
	_ Basis = (*ScaledBasis)(nil)
	_ Basis = (*ColumnsBasis)(nil)
)

// ScaledBasis are the inputs in other units: φ_j(x) = (x_j − Shift_j)/Scale_j.
type ScaledBasis struct {
	Shift, Scale []float64 // D
}

// BasisStandard returns the inputs with the mean of x taken away and divided by
// its standard deviation (divisor N), column by column: what a single learning
// rate for all weights needs. A constant column is an error.
func BasisStandard(x mat.Matrix) (*ScaledBasis, error) {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, failure("BasisStandard", err)
	}
	n, d := src.Dims()
	spread := make([]float64, d)
	for j := range spread {
		if spread[j] = math.Max(cols.Max[j]-cols.Mean[j], cols.Mean[j]-cols.Min[j]); spread[j] == 0 || math.IsInf(spread[j], 1) {
			return nil, failure("BasisStandard", fmt.Errorf("column %d of x has the spread %v: leave a constant column out, give a huge one other units", j, spread[j]))
		}
	}
	// Deviations are counted in the largest, so that no square overflows; their
	// mean corrects the rounding of the first one.
	type moments struct{ first, second []float64 }
	sums := block.Walk(n, d, func() *moments { return &moments{make([]float64, d), make([]float64, d)} },
		func() func(*moments, int, int) {
			buf := make([]float64, block.Rows(d)*d)
			return func(m *moments, lo, hi int) {
				rows, stride := src.Rows(lo, hi, buf)
				for r := range hi - lo {
					for j, v := range rows[r*stride : r*stride+d] {
						q := (v - cols.Mean[j]) / spread[j]
						m.first[j] += q
						m.second[j] += q * q
					}
				}
			}
		}, func(dst, src *moments) {
			for j := range dst.first {
				dst.first[j] += src.first[j]
				dst.second[j] += src.second[j]
			}
		})
	b := &ScaledBasis{make([]float64, d), make([]float64, d)}
	for j := range d {
		mean := sums.first[j] / float64(n)
		b.Shift[j] = cols.Mean[j] + mean*spread[j]
		b.Scale[j] = spread[j] * math.Sqrt(sums.second[j]/float64(n)-mean*mean)
	}
	return b, b.check()
}

// Dims returns D twice.
func (b *ScaledBasis) Dims() (d, m int) { return len(b.Shift), len(b.Shift) }

// Eval writes φ(x) to phi.
func (b *ScaledBasis) Eval(phi, x []float64) error {
	for j, v := range x {
		phi[j] = (v - b.Shift[j]) / b.Scale[j]
	}
	return nil
}

func (b *ScaledBasis) check() error {
	if err := check.Vector("ScaledBasis.Shift", b.Shift, len(b.Scale), "one per column"); err != nil {
		return err
	}
	if err := check.Vector("ScaledBasis.Scale", b.Scale, len(b.Shift), "one per column"); err != nil {
		return err
	}
	for j, s := range b.Scale {
		if s == 0 {
			return fmt.Errorf("ScaledBasis.Scale[%d] is 0", j)
		}
	}
	return nil
}

// ColumnsBasis are some of the inputs as they are: φ_j(x) = x_i, i = Index[j].
type ColumnsBasis struct {
	Inputs int   // D
	Index  []int // M, counted from 0
}

// BasisColumns returns the given columns of d inputs, counted from 0, as they
// are; without any, all of them.
//
// Errors: d < 1, a column that is not 0 to d−1.
func BasisColumns(d int, column ...int) (*ColumnsBasis, error) {
	b := &ColumnsBasis{Inputs: d, Index: slices.Clone(column)}
	if len(column) == 0 {
		for j := range max(d, 0) {
			b.Index = append(b.Index, j)
		}
	}
	if err := b.check(); err != nil {
		return nil, failure("BasisColumns", err)
	}
	return b, nil
}

// Dims returns D and M.
func (b *ColumnsBasis) Dims() (d, m int) { return b.Inputs, len(b.Index) }

// Eval writes φ(x) to phi.
func (b *ColumnsBasis) Eval(phi, x []float64) error {
	for j, i := range b.Index {
		phi[j] = x[i]
	}
	return nil
}

func (b *ColumnsBasis) check() error {
	if b.Inputs < 1 || len(b.Index) == 0 {
		return fmt.Errorf("ColumnsBasis chooses %d columns of %d: needed is at least one of each", len(b.Index), b.Inputs)
	}
	for _, i := range b.Index {
		if i < 0 || i >= b.Inputs {
			return fmt.Errorf("there is no column %d of x: with %d columns they are 0…%d", i, b.Inputs, b.Inputs-1)
		}
	}
	return nil
}

package classify

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

var _ Basis = (*GaussianBasis)(nil)

// GaussianBasis are bells around centres, PRML (3.4) and figure 4.12,
//
//	φ_j(x) = exp(−‖x − c_j‖²/2s_j²).
//
// Alpaydin 10.2 writes exp(−‖x−m‖²/c): c = 2s².
type GaussianBasis struct {
	Centres [][]float64 // M of D
	Widths  []float64   // s_j, M
}

// BasisGaussian returns bells around the rows of centres (M×D) with one width for
// all, or one for each. CentresGrid, CentresData and CentresKMeans make centres.
//
// Errors: NaN or Inf, another number of widths, widths that are not greater than
// 0.
func BasisGaussian(centres mat.Matrix, width ...float64) (*GaussianBasis, error) {
	src, _, err := check.Inputs(centres)
	if err != nil {
		return nil, failure("BasisGaussian", fmt.Errorf("centres: %w", err))
	}
	m, d := src.Dims()
	if len(width) != 1 && len(width) != m {
		return nil, failure("BasisGaussian", fmt.Errorf("%d widths for %d centres: give one, or one for each", len(width), m))
	}
	b := &GaussianBasis{}
	for i := range m {
		c := make([]float64, d)
		for j := range c {
			c[j] = centres.At(i, j)
		}
		b.Centres = append(b.Centres, c)
		b.Widths = append(b.Widths, width[i%len(width)])
	}
	if err := b.check(); err != nil {
		return nil, failure("BasisGaussian", err)
	}
	return b, nil
}

// Dims returns D and M.
func (b *GaussianBasis) Dims() (d, m int) {
	if len(b.Centres) == 0 {
		return 0, 0
	}
	return len(b.Centres[0]), len(b.Centres)
}

// Eval writes φ(x) to phi.
func (b *GaussianBasis) Eval(phi, x []float64) error {
	for j, c := range b.Centres {
		s := b.Widths[j]
		var r2 float64
		for i, v := range c {
			q := (x[i] - v) / s
			r2 += q * q
		}
		phi[j] = kernels.Bell(r2)
	}
	return nil
}

func (b *GaussianBasis) check() error {
	if err := basisTable("GaussianBasis.Centres", b.Centres); err != nil {
		return err
	}
	if err := check.Vector("GaussianBasis.Widths", b.Widths, len(b.Centres), "one per centre"); err != nil {
		return err
	}
	for j, s := range b.Widths {
		if !(s > 0) {
			return fmt.Errorf("GaussianBasis.Widths[%d] is %v: a width is greater than 0", j, s)
		}
	}
	return nil
}

package classify

import (
	"fmt"
	"math"
	"slices"

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
// all, or one for each. BasisCentresGrid, BasisCentresData and BasisCentresKMeans make centres.
// Errors: centres that are empty, NaN or Inf, another number of widths, a width
// that is not a positive number.
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
	if b == nil {
		return failure("GaussianBasis", errNoBasis)
	}
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

var _ Basis = (*RidgeBasis)(nil)

// RidgeBasis are functions that vary in one direction only,
//
//	φ_j(x) = f(w_j0 + w_j1 x_1 + … + w_jD x_D),
//
// of Alpaydin's list in 10.2: sin(x1) has f = "sin" and w = (0, 1, 0), log(x2)
// f = "log" and (0, 0, 1), 1(x1 > c) f = "indicator" and (−c, 1, 0), and
// 1(ax1 + bx2 > c) the same with (−c, a, b). With f = "sigmoid" they are the
// hidden units of a perceptron with one layer, PRML (3.5).
type RidgeBasis struct {
	Function string      // "sigmoid", "indicator", "log" or "sin"
	W        [][]float64 // M of D+1, bias first
}

// ridges are the functions a RidgeBasis may name.
var ridges = map[string]func(a float64) float64{
	"sigmoid": kernels.Sigmoid,
	"indicator": func(a float64) float64 {
		if a > 0 {
			return 1
		}
		return 0
	},
	"log": math.Log,
	"sin": math.Sin,
}

// BasisSigmoid returns φ_j(x) = σ(w_jᵀ(1, x)) for weights with the bias first.
// Errors: no weights, rows of different length or without an input, NaN or Inf.
func BasisSigmoid(w ...[]float64) (*RidgeBasis, error) { return newRidge("BasisSigmoid", "sigmoid", w) }

// BasisIndicator returns φ_j(x) = 1 where w_jᵀ(1, x) > 0, else 0, for weights with
// the bias first. Errors: those of BasisSigmoid.
func BasisIndicator(w ...[]float64) (*RidgeBasis, error) {
	return newRidge("BasisIndicator", "indicator", w)
}

// BasisLog returns φ_j(x) = ln(w_jᵀ(1, x)) for weights with the bias first. An x
// for which the argument is not positive is an error of whatever uses the basis.
func BasisLog(w ...[]float64) (*RidgeBasis, error) { return newRidge("BasisLog", "log", w) }

// BasisSin returns φ_j(x) = sin(w_jᵀ(1, x)) for weights with the bias first.
// Errors: those of BasisSigmoid.
func BasisSin(w ...[]float64) (*RidgeBasis, error) { return newRidge("BasisSin", "sin", w) }

func newRidge(name, function string, w [][]float64) (*RidgeBasis, error) {
	b := &RidgeBasis{Function: function}
	for _, v := range w {
		b.W = append(b.W, slices.Clone(v))
	}
	if err := b.check(); err != nil {
		return nil, failure(name, err)
	}
	return b, nil
}

// Dims returns D and M.
func (b *RidgeBasis) Dims() (d, m int) {
	if len(b.W) == 0 {
		return 0, 0
	}
	return len(b.W[0]) - 1, len(b.W)
}

// Eval writes φ(x) to phi.
func (b *RidgeBasis) Eval(phi, x []float64) error {
	if b == nil {
		return failure("RidgeBasis", errNoBasis)
	}
	f := ridges[b.Function]
	for j, w := range b.W {
		a := w[0]
		for i, v := range w[1:] {
			a += v * x[i]
		}
		if b.Function == "log" && !(a > 0) {
			return fmt.Errorf("function %d is the logarithm of %v: its argument must be greater than 0, shift the column or leave it out", j, a)
		}
		phi[j] = f(a)
	}
	return nil
}

func (b *RidgeBasis) check() error {
	if ridges[b.Function] == nil {
		return fmt.Errorf("RidgeBasis.Function is %q: known are sigmoid, indicator, log and sin", b.Function)
	}
	if err := basisTable("the weights w", b.W); err != nil {
		return err
	}
	if len(b.W[0]) < 2 {
		return fmt.Errorf("the weights w[0] have %d entries: needed are the bias and one per column of x", len(b.W[0]))
	}
	return nil
}

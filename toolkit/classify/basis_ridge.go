package classify

import (
	"fmt"
	"math"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

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
//
// Errors: as BasisIndicator.
func BasisSigmoid(w ...[]float64) (*RidgeBasis, error) { return newRidge("BasisSigmoid", "sigmoid", w) }

// BasisIndicator returns φ_j(x) = 1 where w_jᵀ(1, x) > 0, else 0, for weights with
// the bias first.
//
// Errors: no weights, NaN or Inf, weight vectors of different length or with a
// bias alone.
func BasisIndicator(w ...[]float64) (*RidgeBasis, error) {
	return newRidge("BasisIndicator", "indicator", w)
}

// BasisLog returns φ_j(x) = ln(w_jᵀ(1, x)) for weights with the bias first. An x
// for which the argument is not positive is an error of whatever uses the basis.
func BasisLog(w ...[]float64) (*RidgeBasis, error) { return newRidge("BasisLog", "log", w) }

// BasisSin returns φ_j(x) = sin(w_jᵀ(1, x)) for weights with the bias first.
//
// Errors: as BasisIndicator.
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

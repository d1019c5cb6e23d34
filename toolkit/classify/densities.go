package classify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// generatedTo writes what l makes of k activations of inputs of d columns. Shapes, NaN,
// Inf, an entry outside of the model's domain and a NaN result are errors, and the first
// row whose activations are all −Inf is, if refused is not nil.
func generatedTo(dst *mat.Dense, x mat.Matrix, k, d int, outside func(float64, int) string, f activator, l link, refused func(row int) error) error {
	src, err := check.Wide(x, d)
	if err != nil {
		return err
	}
	if outside != nil { // f is for entries of the domain alone
		if _, _, err := check.Inputs(x); err != nil {
			return err
		}
		if err := generatedDomain(src, outside); err != nil {
			return err
		}
	}
	none, _ := src.Dims()
	unlikely, to := lowestOf(none), l.to(dst)
	bad, finite := walkActivations(src, k, f, func(rows int) activationRun {
		write := to(rows)
		return func(lo, n int, a []float64, stride int) {
			r := impossible(a, stride, n)
			unlikely.take(lo+r, r < n)
			write(lo, n, a, stride)
		}
	})
	if finite {
		return nil
	}
	if outside == nil {
		if _, _, err := check.Inputs(x); err != nil { // of NaN or Inf in x no activation is finite
			return err
		}
	}
	switch {
	case bad < none:
		return fmt.Errorf("the activation of row %d is not a number: it overflows, choose other units for x", bad)
	case refused != nil && unlikely.row() < none:
		return refused(unlikely.row())
	}
	return nil
}

// impossible returns the first of n rows whose activations are all −Inf, n if none is.
func impossible(a []float64, stride, n int) int {
	for r, v := range a[:n] {
		most := v
		for at := r + stride; math.IsInf(most, -1) && at < len(a); at += stride {
			most = a[at]
		}
		if math.IsInf(most, -1) {
			return r
		}
	}
	return n
}

// generatedDomain reports the first entry of x, by rows, that is outside.
func generatedDomain(src *block.Source, outside func(float64, int) string) error {
	type place struct {
		row int
		err error
	}
	p := block.Reduce(block.NewDesign(src, nil, nil), 0, func() *place { return &place{row: -1} },
		func(int) func(*place, *block.Block) {
			return func(p *place, b *block.Block) {
				for r := 0; r < b.N && p.row < 0; r++ {
					for j, v := range b.Row(r)[1:] {
						if what := outside(v, j); what != "" {
							p.row, p.err = b.Lo+r, fmt.Errorf("x row %d, column %d is %v: %s", b.Lo+r, j, v, what)
							break
						}
					}
				}
			}
		}, func(dst, src *place) {
			if dst.row < 0 {
				*dst = *src
			}
		})
	return p.err
}

// gaussian are ln N(x|μ_k, R_kᵀR_k) = −½{‖R_k⁻ᵀ(x−μ_k)‖² + ln|R_kᵀR_k| + D ln 2π}, PRML
// (4.64), μ_k the rows of means; −Inf where R_k is nil.
func gaussian(means *mat.Dense, roots []*linalg.Upper) activator {
	_, d := means.Dims()
	var whitenings []*vec.Whitening
	constant := make([]float64, len(roots))
	for k, r := range roots {
		if r != nil {
			whitenings = append(whitenings, vec.NewWhitening(means.RawRowView(k), r.A))
			constant[k] = r.LogDet() + float64(d)*kernels.Log2Pi
		}
	}
	return func(rows int) activations {
		lengths, room := make([]float64, len(whitenings)*rows), make([]float64, vec.Room(d))
		return func(a []float64, lda int, x []float64, stride, n int) {
			vec.Use().Lengths(lengths, rows, x, stride, n, whitenings, room)
			left := lengths
			for k, r := range roots {
				if r == nil {
					nowhere(a[k*lda:][:n])
					continue
				}
				for i, u := range left[:n] {
					a[k*lda+i] = -(u + constant[k]) / 2
				}
				left = left[rows:]
			}
		}
	}
}

// nowhere makes the densities of a class without rows.
func nowhere(a []float64) {
	for i := range a {
		a[i] = math.Inf(-1)
	}
}

// withPriors adds ln p(C_k) to log densities.
func withPriors(f activator, priors []float64) activator {
	return func(rows int) activations {
		densities := f(rows)
		return func(a []float64, lda int, x []float64, stride, n int) {
			densities(a, lda, x, stride, n)
			for k, p := range priors {
				if ak := a[k*lda:][:n]; p == 0 { // beside an infinite density, too
					nowhere(ak)
				} else {
					floats.AddConst(math.Log(p), ak)
				}
			}
		}
	}
}

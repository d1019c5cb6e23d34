package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Prior is a Gaussian prior over the weights, p(w) = N(w|m0, S0), PRML (4.140).
// With it a fit minimises −ln p(t|w) + ½(w−m0)ᵀS0⁻¹(w−m0), (4.142) without its
// constant. Isotropic and Gaussian implement it; a nil Prior is none (maximum
// likelihood).
type Prior interface {
	resolve(m int) (*gaussian, error)
}

var (
	_ Prior = Isotropic{}
	_ Prior = Gaussian{}
)

// Isotropic is the prior N(w|0, α⁻¹I): it adds α/2·‖w‖² to the error.
type Isotropic struct {
	Alpha float64 // the precision α > 0 of each weight
	// FreeBias leaves the bias w0 out of the penalty. PRML penalises it too;
	// many packages do not (scikit-learn: C = 1/α).
	FreeBias bool
}

// Gaussian is the prior N(w|m0, S0) over w = (w0, w1 … wD).
type Gaussian struct {
	Mean []float64     // m0, D+1 entries; nil is 0
	Cov  *mat.SymDense // S0, (D+1)×(D+1), positive definite
}

// gaussian is a prior in the form the solvers use: the precision is rootᵀ·root.
type gaussian struct {
	mean []float64
	root [][]float64 // rows of M
	free bool        // the bias is not penalised
	each *gaussian   // not nil if this treats each class of a softmax alike, around 0
}

func (p Isotropic) resolve(m int) (*gaussian, error) {
	if !(p.Alpha > 0) || math.IsInf(p.Alpha, 1) {
		return nil, fmt.Errorf("Isotropic.Alpha is %v: the precision must be a number greater than 0 (for no prior leave Prior nil)", p.Alpha)
	}
	g := &gaussian{mean: make([]float64, m), free: p.FreeBias}
	for i := range m {
		if i == 0 && p.FreeBias {
			continue
		}
		row := make([]float64, m)
		row[i] = math.Sqrt(p.Alpha)
		g.root = append(g.root, row)
	}
	return g, nil
}

func (p Gaussian) resolve(m int) (*gaussian, error) {
	g := &gaussian{mean: make([]float64, m)}
	if p.Mean != nil {
		if err := check.Vector("Gaussian.Mean", p.Mean, m, "one per weight, bias first"); err != nil {
			return nil, err
		}
		copy(g.mean, p.Mean)
	}
	if p.Cov == nil {
		return nil, errors.New("Gaussian.Cov is nil: give the covariance S0 of the weights, or use Isotropic")
	}
	if n := p.Cov.SymmetricDim(); n != m {
		return nil, fmt.Errorf("Gaussian.Cov is %d×%d, needed is %d×%d (one row per weight, bias first)", n, n, m, m)
	}
	for i := range m {
		for j := i; j < m; j++ {
			if v := p.Cov.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("Gaussian.Cov(%d,%d) is %v: it must be a finite number", i, j, v)
			}
		}
	}
	r, _ := linalg.Cholesky(p.Cov.At, m)
	if r == nil || !r.Regular() {
		return nil, errors.New("Gaussian.Cov is not positive definite: a covariance needs positive variances and independent directions")
	}
	// S0 = RᵀR, so S0⁻¹ = R⁻¹R⁻ᵀ and the root is R⁻ᵀ, lower triangular.
	inv := r.Inverse()
	for i := range m {
		row := mat.Col(nil, i, inv)
		for _, v := range row {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				return nil, errors.New("Gaussian.Cov is too close to singular to be inverted")
			}
		}
		g.root = append(g.root, row)
	}
	return g, nil
}

// plainPrior returns the prior that a pointer points to, so that a type switch
// need not ask for pointers; a nil pointer is an error.
func plainPrior(p Prior) (Prior, error) {
	if p != nil && check.Nil(p) {
		return nil, fmt.Errorf("Prior is a nil %T: leave Prior out for none, or give a value such as Isotropic{Alpha: 1}", p)
	}
	switch v := p.(type) {
	case *Isotropic:
		return *v, nil
	case *Gaussian:
		return *v, nil
	}
	return p, nil
}

// resolvePrior returns a prior over m weights in the solvers' form, nil for nil.
func resolvePrior(p Prior, m int) (*gaussian, error) {
	p, err := plainPrior(p)
	if p == nil {
		return nil, err
	}
	return p.resolve(m)
}

// residual returns root·(w − m0), whose half square is the penalty.
func (g *gaussian) residual(w []float64) []float64 {
	u := make([]float64, len(g.root))
	for i, row := range g.root {
		for j, v := range row {
			if v != 0 {
				u[i] += v * (w[j] - g.mean[j])
			}
		}
	}
	return u
}

// value returns ½(w−m0)ᵀS0⁻¹(w−m0), 0 for no prior.
func (g *gaussian) value(w []float64) float64 {
	if g == nil {
		return 0
	}
	u := g.residual(w)
	return linalg.Dot(u, u) / 2
}

// addGradient adds S0⁻¹(w−m0) to dst.
func (g *gaussian) addGradient(dst, w []float64) {
	if g == nil {
		return
	}
	for i, u := range g.residual(w) {
		for j, v := range g.root[i] {
			dst[j] += v * u
		}
	}
}

// precision returns element (i,j) of S0⁻¹.
func (g *gaussian) precision(i, j int) float64 {
	if g == nil {
		return 0
	}
	var s float64
	for _, row := range g.root {
		s += row[i] * row[j]
	}
	return s
}

// addPrecision adds S0⁻¹ to h.
func (g *gaussian) addPrecision(h *mat.SymDense) {
	if g != nil {
		addSquares(h, g.root)
	}
}

// addSquares adds Σ rᵀr of rows that are mostly zero to h.
func addSquares(h *mat.SymDense, rows [][]float64) {
	for _, row := range rows {
		var at []int
		for i, v := range row {
			if v != 0 {
				at = append(at, i)
			}
		}
		for k, i := range at {
			for _, j := range at[k:] {
				h.SetSym(i, j, h.At(i, j)+row[i]*row[j])
			}
		}
	}
}

// floors returns, for each input column, the spread that makes the prior's own
// entries at most 1 in inner coordinates.
func (g *gaussian) floors(d int) []float64 {
	if g == nil {
		return nil
	}
	f := make([]float64, d)
	for _, row := range g.root {
		for j := range f {
			f[j] = math.Max(f[j], math.Abs(row[j+1]))
		}
	}
	return f
}

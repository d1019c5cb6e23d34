package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// setPrior notes the prior, and how many weights it leaves to the data.
func (m *BayesLogistic) setPrior(g *gaussian) {
	n := len(m.W)
	m.PriorMean, m.PriorPrecision = make([]float64, n), g.precisionMatrix(n)
	m.Determined = float64(n)
	if g == nil {
		return
	}
	copy(m.PriorMean, g.mean)
	for _, row := range g.root { // tr(S0⁻¹S_N) = ‖root·Root‖²
		u := linalg.MulVecT(m.Root, row)
		m.Determined -= linalg.Dot(u, u)
	}
	m.Determined = math.Max(m.Determined, 0)
}

// bayesPriorOnly returns the prior itself when there are no data, nil if there are.
func bayesPriorOnly(x mat.Matrix, t []float64, o BayesLogisticOptions) (*BayesLogistic, error) {
	if x == nil || len(t) > 0 {
		return nil, nil
	}
	if d, ok := x.(*mat.Dense); ok && d == nil {
		return nil, nil
	}
	n, d := x.Dims()
	if n != 0 {
		return nil, nil
	}
	m := d + 1
	var err error
	if o.Prior, err = plainPrior(o.Prior); err != nil {
		return nil, err
	}
	iso, isotropic := o.Prior.(Isotropic)
	switch p := o.Prior.(type) {
	case Gaussian:
		if p.Cov != nil && d == 0 {
			m = p.Cov.SymmetricDim()
		}
	case Isotropic:
		if d == 0 {
			return nil, errors.New("x is 0×0: it must have at least one row and one column; without data the prior comes back, if it is a Gaussian that says how many weights there are")
		}
		if p.FreeBias || o.Reestimate {
			return nil, fmt.Errorf("x is 0×%d: it must have at least one row, unless the prior is proper and fixed", d)
		}
	default:
		return nil, fmt.Errorf("x is %d×%d: it must have at least one row and one column, or a proper Prior must stand for the data", n, d)
	}
	g, err := o.Prior.resolve(m)
	if err != nil {
		return nil, err
	}
	b := &BayesLogistic{W: g.mean, Precision: g.precisionMatrix(m), Method: o.Method, Converged: true, Reason: onlyPrior}
	b.Root, b.Covariance, b.Evidence = g.itself()
	b.setPrior(g)
	b.Determined = 0
	if isotropic {
		b.Alpha = iso.Alpha
	}
	return b, nil
}

const onlyPrior = "no data: the posterior is the prior"

// itself returns a proper prior as the posterior of no data.
func (g *gaussian) itself() (root *mat.Dense, cov *mat.SymDense, e Evidence) {
	m := len(g.mean)
	low := linalg.NewUpper(m) // the root is lower triangular: low is its transpose
	for i, row := range g.root {
		for j := range i + 1 {
			low.Set(j, i, row[j])
		}
	}
	root = mat.DenseCopyOf(low.Inverse().T())
	cov = mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			cov.SetSym(i, j, linalg.Dot(root.RawRowView(i), root.RawRowView(j)))
		}
	}
	return root, cov, Evidence{LogPrior: g.logDensity(g.mean), LogDet: low.LogDet(), M: m}
}

package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// DegreesOfFreedom returns the number of adjustable weights, D+1 (PRML 4.3.2): it
// grows linearly with the number of inputs, where Gaussian class densities take
// D(D+5)/2 + 1 parameters. Dependent columns count once.
//
// Equations: Gambosi (degrees-logistic).
func (m *Estimate) DegreesOfFreedom() int { return m.Rank }

// Deviance returns −2 ln p(t|W).
func (m *Estimate) Deviance() float64 { return -2 * m.LogLikelihood }

// AIC returns Akaike's criterion −2 ln p(t|W) + 2M, M the degrees of freedom; smaller is
// better. PRML (1.73) is −½ of it.
func (m *Estimate) AIC() float64 { return m.Deviance() + 2*float64(m.DegreesOfFreedom()) }

// BIC returns −2 ln p(t|W) + M ln N; smaller is better. PRML (4.139) is −½ of it.
//
// Equations: PRML (4.139).
func (m *Estimate) BIC() float64 {
	return m.Deviance() + float64(m.DegreesOfFreedom())*math.Log(sumOr(m.SumWeights, m.N))
}

// StandardErrors returns the standard error of each weight, the square roots of
// the diagonal of Covariance. It is an error if the fit has no covariance.
func (m *Estimate) StandardErrors() ([]float64, error) {
	if err := m.hasCovariance(); err != nil {
		return nil, failure("StandardErrors", err)
	}
	se := make([]float64, len(m.W))
	for i := range se {
		se[i] = math.Sqrt(m.Covariance.At(i, i))
	}
	return se, nil
}

// Wald returns for each weight z = w/se and the probability of a larger |z| if
// the true weight were 0, 2Φ(−|z|), by the normal approximation. Errors as in
// StandardErrors.
func (m *Estimate) Wald() (z, p []float64, err error) {
	se, err := m.StandardErrors()
	if err != nil {
		return nil, nil, err
	}
	z, p = make([]float64, len(se)), make([]float64, len(se))
	for i, s := range se {
		z[i] = m.W[i] / s
		p[i] = 2 * kernels.NormCDF(-math.Abs(z[i]))
	}
	return z, p, nil
}

// ActivationErrors returns the standard error √(φᵀ·Covariance·φ) of the
// activation of each row of x; its square is σ_a² of PRML (4.150). It is an error
// if the fit has no covariance or x other columns than the fit.
//
// Equations: PRML (4.150).
func (m *Estimate) ActivationErrors(x mat.Matrix) ([]float64, error) {
	if err := m.hasCovariance(); err != nil {
		return nil, failure("ActivationErrors", err)
	}
	f, err := m.covarianceForms()
	if err != nil {
		return nil, failure("ActivationErrors", err)
	}
	s, err := linearScores(x, f)
	if err != nil {
		return nil, failure("ActivationErrors", err)
	}
	n, _ := s.Dims()
	out := make([]float64, n)
	for i := range out {
		out[i] = mat.Norm(s.RowView(i), 2)
	}
	return out, nil
}

// covarianceForms returns linear forms of φ whose squares sum to φᵀCφ, never negative: with
// C = FFᵀ it is ‖Fᵀφ‖². Columns far from 0 may leave C too few digits for that. Then the
// forms are 1/√A_00 and R(x−c), with RᵀR the block of C without the bias. Here c = A_x0/A_00
// is the mean of x weighted by the curvature: A⁻¹ with the square completed.
func (m *Estimate) covarianceForms() ([][]float64, error) {
	n := len(m.W)
	r, pivot := linalg.Cholesky(m.Covariance.At, n)
	square := m.Hessian != nil && m.Hessian.SymmetricDim() == n // no parameter besides
	var f [][]float64
	if r != nil && (pivot >= fewDigits || !square) {
		for i := range n {
			f = append(f, r.A[i*n:(i+1)*n])
		}
		return f, nil
	}
	if square {
		r, _ = linalg.Cholesky(func(i, j int) float64 { return m.Covariance.At(i+1, j+1) }, n-1)
	}
	if r == nil || !square {
		return nil, errors.New("the covariance is not positive definite in double precision: standardise the columns of x")
	}
	a := m.Hessian.At(0, 0)
	f = append(f, make([]float64, n))
	f[0][0] = 1 / math.Sqrt(a)
	for i := range n - 1 {
		row := append([]float64{0}, r.A[i*r.N:(i+1)*r.N]...)
		for j, v := range row[1:] {
			row[0] -= v * (m.Hessian.At(0, j+1) / a)
		}
		f = append(f, row)
	}
	return f, nil
}

// Intervals returns for each weight the interval w ± z·se that would hold the
// true one with the given probability, by the normal approximation: 0.95 gives
// z = 1.96. It is an error if the fit has no covariance.
func (m *Estimate) Intervals(level float64) (lo, hi []float64, err error) {
	if !(level > 0 && level < 1) {
		return nil, nil, failure("Intervals", fmt.Errorf("level is %v: it is a probability between 0 and 1", level))
	}
	se, err := m.StandardErrors()
	if err != nil {
		return nil, nil, err
	}
	z := distuv.UnitNormal.Quantile(0.5 + level/2)
	lo, hi = make([]float64, len(se)), make([]float64, len(se))
	for i, s := range se {
		lo[i], hi[i] = m.W[i]-z*s, m.W[i]+z*s
	}
	return lo, hi, nil
}

func (m *Estimate) hasCovariance() error {
	if m.Covariance != nil {
		return nil
	}
	return noCovariance(m.Separable, m.Converged, m.Reason)
}

// noCovariance says why a fit has no covariance.
func noCovariance(separable, converged bool, reason string) error {
	switch {
	case separable:
		return errors.New("the classes are separable: the maximum of the likelihood and its covariance do not exist; use a Prior")
	case !converged:
		return errors.New("the fit has not converged and has no covariance: " + reason)
	}
	return errors.New("the weights are not unique and have no covariance: " + reason)
}

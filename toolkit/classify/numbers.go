package classify

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// Deviance returns −2 ln p(t|W).
func (m *Logistic) Deviance() float64 { return -2 * m.LogLikelihood }

// AIC returns Akaike's criterion −2 ln p(t|W) + 2M, M the degrees of freedom; smaller is
// better. PRML (1.73) is −½ of it.
func (m *Logistic) AIC() float64 { return m.Deviance() + 2*float64(m.DegreesOfFreedom()) }

// BIC returns −2 ln p(t|W) + M ln N; smaller is better. PRML (4.139) is −½ of it.
func (m *Logistic) BIC() float64 {
	return m.Deviance() + float64(m.DegreesOfFreedom())*math.Log(float64(m.N))
}

// StandardErrors returns the standard error of each weight, the square roots of
// the diagonal of Covariance. It is an error if the fit has no covariance.
func (m *Logistic) StandardErrors() ([]float64, error) {
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
// the true weight were 0, 2Φ(−|z|), by the normal approximation. Errors: those of
// StandardErrors.
func (m *Logistic) Wald() (z, p []float64, err error) {
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
func (m *Logistic) ActivationErrors(x mat.Matrix) ([]float64, error) {
	if err := m.hasCovariance(); err != nil {
		return nil, failure("ActivationErrors", err)
	}
	// C = FFᵀ, so φᵀCφ = ‖Fᵀφ‖²: a sum of squares, never negative.
	r, _ := cholesky(m.Covariance.At, len(m.W))
	if r == nil {
		return nil, failure("ActivationErrors", errors.New("the covariance is not positive definite in double precision: standardise the columns of x"))
	}
	f := make([][]float64, r.n)
	for i := range f {
		f[i] = r.a[i*r.n : (i+1)*r.n]
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

func (m *Logistic) hasCovariance() error {
	switch {
	case m.Covariance != nil:
		return nil
	case m.Separable:
		return errors.New("the classes are separable: the maximum of the likelihood and its covariance do not exist; use a Prior")
	case !m.Converged:
		return errors.New("the fit has not converged and has no covariance: " + m.Reason)
	}
	return errors.New("the weights are not unique and have no covariance: " + m.Reason)
}

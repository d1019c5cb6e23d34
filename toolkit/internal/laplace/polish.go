package laplace

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// polish makes the last Newton steps and computes the curvature in coordinates in which the
// Gaussian has unit variances, so that one step of the differences fits all directions.
func (l *search) polish(z []float64) (*Mode, error) {
	z = slices.Clone(z)
	s := make([]float64, l.m)
	for i, v := range z {
		s[i] = 1e-3 * (1 + math.Abs(v))
	}
	f := l.value(z)
	b, err := l.whiten(z, f, s)
	if err != nil {
		return nil, err
	}
	mode := &Mode{Step: l.o.Step}
	var r *linalg.Upper
	last := math.Inf(1)
	for range 8 {
		g, c, err := l.stable(z, f, b, mode)
		if err != nil {
			return nil, err
		}
		if r, _ = linalg.Cholesky(c.At, l.m); r == nil {
			return nil, fmt.Errorf("the curvature at %.6g is not positive definite: Laplace's approximation needs a maximum that is curved in every direction", z)
		}
		u := r.Solve(r.SolveT(g))
		length := floats.Norm(u, 2)
		var inv mat.Dense
		inv.Mul(b, r.Inverse()) // z + B·R⁻¹·v has unit curvature in v
		if length >= last || length > 1 {
			break
		}
		floats.Add(z, linalg.MulVec(b, u))
		f, last = l.value(z), length
		if length > 1e-3 || mode.StepError > 1e-3 {
			b = mat.DenseCopyOf(&inv)
		}
		if length < 1e-13 {
			break
		}
	}
	if math.IsInf(f, 0) || last > 1e-5 {
		return nil, fmt.Errorf("the maximum near %.6g could not be refined: the last Newton step is %.2g standard deviations long; ln f may have a corner or too few digits there, give its derivatives", z, last)
	}
	g, c, err := l.stable(z, f, b, mode)
	if err != nil {
		return nil, err
	}
	if r, _ = linalg.Cholesky(c.At, l.m); r == nil || floats.HasNaN(g) {
		return nil, fmt.Errorf("the curvature at %.6g is not positive definite", z)
	}
	if mode.StepError > stableShare {
		return nil, fmt.Errorf("the curvature at %.6g cannot be trusted: it changes by %.2g of itself when the step of the differences is halved; ln f may have a corner or too few digits there, give its derivatives", z, mode.StepError)
	}
	return mode.complete(z, f, b, r)
}

// complete sets the mode from the factor R of the curvature in u, z + B·u.
func (m *Mode) complete(z []float64, f float64, b *mat.Dense, r *linalg.Upper) (*Mode, error) {
	var root, inv mat.Dense
	root.Mul(b, r.Inverse()) // A⁻¹ = root·rootᵀ
	if err := inv.Inverse(&root); err != nil {
		if _, ill := err.(mat.Condition); !ill {
			return nil, fmt.Errorf("the curvature at %.6g cannot be inverted in double precision: rescale the parameters", z)
		}
	}
	m.At, m.LogF = z, f
	m.Covariance, m.Precision = linalg.Squared(&root), linalg.Squared(mat.DenseCopyOf(inv.T()))
	if !linalg.Finite(m.Covariance) || !linalg.Finite(m.Precision) {
		return nil, fmt.Errorf("the curvature at %.6g overflows: rescale the parameters", z)
	}
	logB, _ := mat.LogDet(b)
	m.LogDet = r.LogDet() - 2*logB
	m.LogZ = f + float64(len(z))/2*kernels.Log2Pi - m.LogDet/2
	return m, nil
}

// whiten returns B such that ln f has about unit curvature in u, z + B·u.
func (l *search) whiten(z []float64, f float64, s []float64) (*mat.Dense, error) {
	b := mat.DenseCopyOf(mat.NewDiagDense(l.m, s))
	for range 4 {
		_, c := l.derivatives(z, f, b, central4, 5e-2)
		r, _ := linalg.Cholesky(c.At, l.m)
		if r == nil || !r.Regular() {
			return nil, fmt.Errorf("the curvature near %.6g is not positive definite: ln f may grow without end, or its maximum be flatter than a parabola; Laplace's approximation needs one that is curved in every direction", z)
		}
		var next mat.Dense
		next.Mul(b, r.Inverse())
		b = &next
		if l.o.Hessian != nil {
			break
		}
	}
	return b, nil
}

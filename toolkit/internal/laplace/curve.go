package laplace

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// central4 and central8 are difference formulas for gonum's package diff/fd. The error of central4
// is proportional to step⁴ (order 4), and the error of central8 is proportional to step⁸ (order 8).
// The search uses central4. At the mode, stableDerivatives chooses one of the two formulas.
var (
	central4 = fd.Formula{Derivative: 1, Step: 1e-3, Stencil: []fd.Point{
		{Loc: -2, Coeff: 1. / 12}, {Loc: -1, Coeff: -2. / 3}, {Loc: 1, Coeff: 2. / 3}, {Loc: 2, Coeff: -1. / 12},
	}}
	central8 = fd.Formula{Derivative: 1, Step: 1e-2, Stencil: []fd.Point{
		{Loc: -4, Coeff: 1. / 280}, {Loc: -3, Coeff: -4. / 105}, {Loc: -2, Coeff: 1. / 5}, {Loc: -1, Coeff: -4. / 5},
		{Loc: 1, Coeff: 4. / 5}, {Loc: 2, Coeff: -1. / 5}, {Loc: 3, Coeff: 4. / 105}, {Loc: 4, Coeff: -1. / 280},
	}}
)

// stableShare decides whether a curvature is accepted. When the step of the differences is halved,
// the relative change in the curvature must be at most stableShare. At a corner of ln f this change
// is ½.
const stableShare = 0.1

// derivatives returns the gradient and the curvature −∇∇ of ln f(z + B·u) with respect to u, at u =
// 0. It calls the derivative functions in the options. If a function is missing, it computes
// differences with the given step instead. From each value of ln f in these differences, it
// subtracts the argument f, the value of ln f at z, so that a large value costs no digits.
func (l *search) derivatives(z []float64, f float64, b *mat.Dense, formula fd.Formula, step float64) (g []float64,
	curvature *mat.SymDense) {
	at := func(u []float64) []float64 { return floats.AddTo(make([]float64, l.m), z, linalg.MulVec(b, u)) }
	value := func(u []float64) float64 { return l.value(at(u)) - f }
	slope := func(u []float64) []float64 {
		dst := make([]float64, l.m)
		l.o.Gradient(dst, at(u))
		return linalg.MulVecT(b, dst)
	}
	zero := make([]float64, l.m)
	set := &fd.Settings{Formula: formula, Step: step}
	if l.o.Gradient != nil {
		g = slope(zero)
	} else {
		g = fd.Gradient(nil, value, zero, set)
	}
	switch {
	case l.o.Hessian != nil:
		h := mat.NewSymDense(l.m, nil)
		l.o.Hessian(h, slices.Clone(z))
		var hb, bhb mat.Dense
		hb.Mul(h, b)
		bhb.Mul(b.T(), &hb)
		curvature = negatedSymmetric(&bhb)
	case l.o.Gradient != nil:
		jac := mat.NewDense(l.m, l.m, nil)
		fd.Jacobian(jac, func(y, u []float64) { copy(y, slope(u)) }, zero,
			&fd.JacobianSettings{Formula: formula, Step: step})
		curvature = negatedSymmetric(jac)
	default:
		curvature = mat.NewSymDense(l.m, nil)
		fd.Hessian(curvature, value, zero, set)
		curvature.ScaleSym(-1, curvature)
	}
	return g, curvature
}

// negatedSymmetric returns the symmetric matrix −(A + Aᵀ)/2.
func negatedSymmetric(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	return linalg.SymOf(n, func(i, j int) float64 { return -(a.At(i, j) + a.At(j, i)) / 2 })
}

// quadraticAt returns the quadratic model of ln f(z + s·u) at u = 0, where s contains the unit of
// each variable. It makes s smaller if a point of the difference formula is outside the domain of
// f.
func (l *search) quadraticAt(z []float64, f float64, s []float64) (*quadratic, error) {
	for range 40 {
		g, c := l.derivatives(z, f, mat.DenseCopyOf(mat.NewDiagDense(l.m, s)), central4, 1e-2)
		if l.inf {
			return nil, errInfinite
		}
		var eig mat.EigenSym
		if floats.HasNaN(g) || math.IsInf(floats.Norm(g, 1), 0) || !linalg.Finite(c) || !eig.Factorize(c, true) {
			floats.Scale(0.25, s)
			continue
		}
		h := &quadratic{g: g, values: eig.Values(nil), vectors: new(mat.Dense)}
		eig.VectorsTo(h.vectors)
		return h, nil
	}
	return nil, fmt.Errorf("ln f has no finite derivatives at %.6g", z)
}

// stableDerivatives computes the derivatives with the step in the options. If the options contain
// no step, it tries the steps ½, ¼, …. It chooses the step whose curvature differs least from the
// curvature for twice the step. With a larger step the error of the difference formula is larger,
// and with a smaller step the rounding errors are larger. If the options contain both derivative
// functions, no step is needed. stableDerivatives sets the fields Step and StepError of `mode`.
func (l *search) stableDerivatives(z []float64, f float64, b *mat.Dense, mode *Mode) (g []float64, c *mat.SymDense, err error) {
	formula := central8
	if l.m > 3 && l.o.Gradient == nil {
		formula = central4 // a formula of order 4 needs only a quarter of the evaluations that a formula of order 8 needs
	}
	if l.o.Hessian != nil && l.o.Gradient != nil {
		mode.Step, mode.StepError = 0, 0
		g, c = l.derivatives(z, f, b, formula, 1)
		return g, c, nil
	}
	step := l.o.Step
	if step > 0 {
		g, c = l.derivatives(z, f, b, formula, step)
		_, half := l.derivatives(z, f, b, formula, step/2)
		mode.Step, mode.StepError = step, relativeChange(c, half)
	} else {
		mode.StepError = math.Inf(1)
		_, wide := l.derivatives(z, f, b, formula, 0.5)
		for step = 0.25; step > 1e-4; step /= 2 {
			g2, narrow := l.derivatives(z, f, b, formula, step)
			change := relativeChange(wide, narrow)
			if change < mode.StepError {
				g, c, mode.Step, mode.StepError = g2, narrow, step, change
			} else if change > 100*mode.StepError {
				break // rounding dominates
			}
			wide = narrow
		}
	}
	if l.o.Hessian != nil {
		mode.StepError = 0
	}
	if c == nil || !linalg.Finite(c) || floats.HasNaN(g) {
		return nil, nil, fmt.Errorf("ln f has no finite derivatives around %.6g: its maximum is at an edge", z)
	}
	return g, c, nil
}

func relativeChange(a, b *mat.SymDense) float64 {
	if !linalg.Finite(a) || !linalg.Finite(b) {
		return math.Inf(1)
	}
	var d mat.Dense
	d.Sub(a, b)
	return mat.Norm(&d, 2) / mat.Norm(b, 2)
}

// refine takes the last Newton steps. It uses coordinates in which all variances of the Gaussian
// are 1. The same difference step is then suitable in all directions.
func (l *search) refine(z []float64) (*Mode, error) {
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
		g, c, err := l.stableDerivatives(z, f, b, mode)
		if err != nil {
			return nil, err
		}
		if r, _ = linalg.Cholesky(c.At, l.m); r == nil {
			return nil, fmt.Errorf("the curvature at %.6g is not positive definite: Laplace's approximation needs a maximum that is curved in every direction", z)
		}
		u := r.Solve(r.SolveT(g))
		length := floats.Norm(u, 2)
		var inv mat.Dense
		inv.Mul(b, r.Inverse()) // for the points z + B·R⁻¹·v, the curvature with respect to v is 1
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
		return nil, fmt.Errorf("the maximum near %.6g could not be refined: the last Newton step is %.2g standard deviations long, want at most 1e-5; ln f may have a corner or too few digits there: give its derivatives", z, last)
	}
	g, c, err := l.stableDerivatives(z, f, b, mode)
	if err != nil {
		return nil, err
	}
	if r, _ = linalg.Cholesky(c.At, l.m); r == nil || floats.HasNaN(g) {
		return nil, fmt.Errorf("the curvature at %.6g is not positive definite", z)
	}
	if mode.StepError > stableShare {
		return nil, fmt.Errorf("the curvature at %.6g cannot be trusted: its relative change is %.2g when the step of the differences is halved, want at most 0.1; ln f may have a corner or too few digits there: give its derivatives", z, mode.StepError)
	}
	return mode.complete(z, f, b, r)
}

// complete fills in the fields of the mode except Step and StepError, and returns the mode. The
// argument r is the Cholesky factor R of the curvature with respect to u at the points z + B·u.
func (m *Mode) complete(z []float64, f float64, b *mat.Dense, r *linalg.Upper) (*Mode, error) {
	var root, inv mat.Dense
	root.Mul(b, r.Inverse()) // A⁻¹ = root·rootᵀ
	if err := inv.Inverse(&root); err != nil {
		if c, ill := err.(mat.Condition); !ill || math.IsInf(float64(c), 1) {
			return nil, fmt.Errorf("the curvature at %.6g cannot be inverted in double precision: rescale the parameters", z)
		}
	}
	m.At, m.LogF = z, f
	m.Covariance, m.Precision = linalg.Squared(&root), linalg.Squared(mat.DenseCopyOf(inv.T()))
	if !linalg.Finite(m.Covariance) || !linalg.Finite(m.Precision) {
		return nil, fmt.Errorf("the curvature at %.6g or its inverse overflows: rescale the parameters", z)
	}
	logB, _ := mat.LogDet(b)
	m.LogDet = r.LogDet() - 2*logB
	m.LogZ = f + float64(len(z))/2*kernels.Log2Pi - m.LogDet/2
	return m, nil
}

// whiten returns a matrix B such that the curvature of ln f(z + B·u) with respect to u is about 1 in
// every direction.
func (l *search) whiten(z []float64, f float64, s []float64) (*mat.Dense, error) {
	b := mat.DenseCopyOf(mat.NewDiagDense(l.m, s))
	for range 4 {
		_, c := l.derivatives(z, f, b, central4, 5e-2)
		r, _ := linalg.Cholesky(c.At, l.m)
		if r == nil || !r.Regular() {
			return nil, fmt.Errorf("the curvature near %.6g is not positive definite: ln f may grow without end, or have a maximum flatter than a parabola; Laplace's approximation needs a maximum that is curved in every direction", z)
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

// direction converts a direction v in the scaled variables u to a direction in the variables z,
// where z = s·u. Messages show the result. The result has length 1, except that entries with an
// absolute value below 10⁻⁶ are set to 0. The entry with the largest absolute value is positive.
func direction(v, s []float64) []float64 {
	d := make([]float64, len(v))
	at := 0
	for i := range d {
		d[i] = v[i] * s[i]
		if math.Abs(d[i]) > math.Abs(d[at]) {
			at = i
		}
	}
	floats.Scale(math.Copysign(1/floats.Norm(d, 2), d[at]), d)
	for i, x := range d {
		if math.Abs(x) < 1e-6 {
			d[i] = 0
		}
	}
	return d
}

// modeAt returns the mode of f at z0, or the reason why z0 is not a mode. If z0 is a mode except for
// a small error, modeAt removes the error with a few Newton steps.
func (l *search) modeAt(z0 []float64) (*Mode, error) {
	f, s, err := l.startAt(z0, "ln f at %.4g is %v: f is not positive there")
	if err != nil {
		return nil, err
	}
	var h *quadratic
	for round := range 4 { // after every round but the last, adapt the difference steps to the curvature
		if h, err = l.quadraticAt(z0, f, s); err != nil {
			return nil, err
		}
		if round < 3 {
			h.rescale(s, z0, math.Abs)
		}
	}
	_, length := h.newtonStep()
	most := h.maxCurvature()
	negative := 0
	for _, λ := range h.values {
		if λ < -1e-6*most {
			negative++
		}
	}
	switch v := mat.Col(nil, 0, h.vectors); {
	case length > 1e-3:
		return nil, fmt.Errorf("%.6g is not a stationary point of ln f: the next Newton step is %.3g standard deviations long; use Laplace to find the mode", z0, length)
	case negative == l.m:
		return nil, fmt.Errorf("the stationary point %.6g is a minimum of f, not a maximum; use Laplace to find a mode",
			z0)
	case negative > 0:
		return nil, fmt.Errorf("the stationary point %.6g is a saddle of f, not a maximum: f rises along %.3g; use Laplace to find a mode", z0, direction(v, s))
	case h.values[0] <= 1e-6*most:
		return nil, fmt.Errorf("the curvature at %.6g is not positive definite: along %.3g it is about 0; Laplace's approximation needs a maximum that is curved in every direction", z0, direction(v, s))
	}
	return l.refine(z0)
}

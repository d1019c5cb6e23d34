package laplace

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// The central differences of gonum's diff/fd have order 4 for the search and order 8 at the mode:
// their errors are of the order step⁴ and step⁸.
var (
	central4 = fd.Formula{Derivative: 1, Step: 1e-3, Stencil: []fd.Point{
		{Loc: -2, Coeff: 1. / 12}, {Loc: -1, Coeff: -2. / 3}, {Loc: 1, Coeff: 2. / 3}, {Loc: 2, Coeff: -1. / 12},
	}}
	central8 = fd.Formula{Derivative: 1, Step: 1e-2, Stencil: []fd.Point{
		{Loc: -4, Coeff: 1. / 280}, {Loc: -3, Coeff: -4. / 105}, {Loc: -2, Coeff: 1. / 5}, {Loc: -1, Coeff: -4. / 5},
		{Loc: 1, Coeff: 4. / 5}, {Loc: 2, Coeff: -1. / 5}, {Loc: 3, Coeff: 4. / 105}, {Loc: 4, Coeff: -1. / 280},
	}}
)

// stableShare is the relative change of the curvature, when the step is halved, from which the
// curvature is meaningless. At a corner the change is ½.
const stableShare = 0.1

// derivatives returns gradient and curvature −∇∇ of ln f at u = 0 of z + B·u, from the functions
// given or from differences with the step given. It subtracts the value of ln f at z first, so
// that the value costs no digits.
func (l *search) derivatives(z []float64, f float64, b *mat.Dense, formula fd.Formula, step float64) (g []float64, curvature *mat.SymDense) {
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
		curvature = negated(&bhb)
	case l.o.Gradient != nil:
		jac := mat.NewDense(l.m, l.m, nil)
		fd.Jacobian(jac, func(y, u []float64) { copy(y, slope(u)) }, zero, &fd.JacobianSettings{Formula: formula, Step: step})
		curvature = negated(jac)
	default:
		curvature = mat.NewSymDense(l.m, nil)
		fd.Hessian(curvature, value, zero, set)
		curvature.ScaleSym(-1, curvature)
	}
	return g, curvature
}

// negated returns −(A + Aᵀ)/2.
func negated(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	return linalg.SymOf(n, func(i, j int) float64 { return -(a.At(i, j) + a.At(j, i)) / 2 })
}

// hill returns the derivatives in units s. It shrinks s if the differences leave the domain of f.
func (l *search) hill(z []float64, f float64, s []float64) (*hill, error) {
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
		h := &hill{g: g, values: eig.Values(nil), vectors: new(mat.Dense)}
		eig.VectorsTo(h.vectors)
		return h, nil
	}
	return nil, fmt.Errorf("ln f has no finite derivatives at %.6g", z)
}

// stable returns the derivatives with the step in the options. If the options have no step, it
// tries the steps ½, ¼, … and returns the derivatives at which halving the step changes the
// curvature least: larger steps err by the formula, smaller steps by rounding.
func (l *search) stable(z []float64, f float64, b *mat.Dense, mode *Mode) (g []float64, c *mat.SymDense, err error) {
	formula := central8
	if l.m > 3 && l.o.Gradient == nil {
		formula = central4 // a quarter of the evaluations
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

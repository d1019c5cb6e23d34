package classify

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// Change is a change of variable z = From(u) from the whole line to the domain
// of z. Laplace's approximation depends on the variable: a density of u has the
// Jacobian as one more factor, so its mode is elsewhere. PRML 4.4 recommends one
// in which the domain has no edge, as ln τ for 0 < τ < ∞.
type Change struct {
	Name     string
	From     func(u float64) float64 // z
	To       func(z float64) float64 // u
	LogSlope func(u float64) float64 // ln dz/du
}

// LogChange is τ = exp(u), u = ln τ, for 0 < τ < ∞.
func LogChange() Change {
	return Change{"ln z", kernels.Exp, math.Log, func(u float64) float64 { return u }}
}

// LogitChange is z = σ(u), u = ln z/(1−z), for 0 < z < 1.
func LogitChange() Change {
	return Change{"logit z", kernels.Sigmoid, kernels.Logit, func(u float64) float64 { return kernels.LogSigmoid(u) + kernels.LogSigmoid(-u) }}
}

// Of returns ln f as a density of u: ln f(From(u)) + ln dz/du. Its integral over
// u is that of f over z. The zero Change leaves ln f as it is, and of nil it makes
// nil, which Laplace1D refuses.
func (c Change) Of(logf func(z float64) float64) func(u float64) float64 {
	if logf == nil || c.From == nil {
		return logf
	}
	return func(u float64) float64 { return logf(c.From(u)) + c.LogSlope(u) }
}

// Back returns the density of z that belongs to a log density of u, such as the
// LogDensity of a LaplaceFit1D: exp(ln q(u) − ln dz/du) at u = To(z);
// nil for nil.
func (c Change) Back(logq func(u float64) float64) func(z float64) float64 {
	switch {
	case logq == nil:
		return nil
	case c.To == nil:
		return func(z float64) float64 { return kernels.Exp(logq(z)) }
	}
	return func(z float64) float64 {
		u := c.To(z)
		return kernels.Exp(logq(u) - c.LogSlope(u))
	}
}

// ChangeEach applies one change per dimension to a function of several variables:
// changes[i] to z_i, the zero Change leaving it as it is. The Jacobian is the
// product of the slopes. Of nil it makes nil, which Laplace refuses.
func ChangeEach(logf func(z []float64) float64, changes ...Change) func(u []float64) float64 {
	if logf == nil {
		return nil
	}
	return func(u []float64) float64 {
		z := append([]float64(nil), u...)
		var slope float64
		for i, c := range changes {
			if i < len(z) && c.From != nil {
				z[i] = c.From(u[i])
				slope += c.LogSlope(u[i])
			}
		}
		return logf(z) + slope
	}
}

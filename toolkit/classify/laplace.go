package classify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/laplace"
)

// LaplaceOptions of Laplace. The zero value uses finite differences and a few
// random starts.
type LaplaceOptions struct {
	// Gradient writes ∇ ln f(z) to dst; nil takes finite differences of ln f.
	Gradient func(dst, z []float64)
	// Hessian writes ∇∇ ln f(z) to dst, M×M (A is its negative); nil takes finite
	// differences of the gradient, or of ln f.
	Hessian func(dst *mat.SymDense, z []float64)
	// Step of the finite differences at the mode, in standard deviations of the
	// approximation; 0 halves it until the curvature is most stable.
	Step float64
	// Starts are further points to search from.
	Starts [][]float64
	// Random is how many more starts are drawn from a Gaussian around x0; 0 is 8, a
	// negative number none; at most 100 000.
	Random int
	// Spread is the standard deviation of the random starts, in units of 1+|x0_i|;
	// 0 is 3.
	Spread float64
	Seed   uint64 // of the random starts
	// MaxIterations of the search from each start; 0 is 200.
	MaxIterations int
}

// Mode is a maximum of ln f with the Gaussian that touches it, PRML (4.131–4.135).
//
// Equations: PRML (4.131)–(4.135).
type Mode struct {
	At         []float64     // z0
	LogF       float64       // ln f(z0)
	Precision  *mat.SymDense // A = −∇∇ ln f at z0 (4.132)
	Covariance *mat.SymDense // A⁻¹
	LogDet     float64       // ln|A|
	// LogZ is ln f(z0) + (M/2) ln 2π − ½ ln|A|, (4.135).
	LogZ float64
	// Step of the finite differences used, in standard deviations, 0 if the Hessian
	// was given; and how much the curvature changed, relatively, when it was halved.
	Step, StepError float64
}

// LaplaceFit is the Laplace approximation q(z) = N(z|z0, A⁻¹) of p(z) = f(z)/Z,
// PRML (4.134), at the highest mode found, with all modes found. A Gaussian sees
// one mode only; several in Modes say how much is left out.
//
// Equations: PRML (4.133), (4.134).
type LaplaceFit struct {
	Mode
	Modes    []Mode   // all that were found, the highest first
	Starts   int      // of the search
	Failures []string // why the search from a start ended without a mode
}

// Laplace approximates the normalising constant and the density of f(z), given
// by its logarithm, by a Gaussian at its mode. M is the length of x0. It searches
// uphill from x0 and the other starts by Newton's method, safeguarded where the
// curvature is not negative; ln f may be −Inf or NaN outside of its domain.
//
// Errors: x0 outside of the domain, no mode (ln f grows without end, or its
// maximum is at an edge), a curvature that is not positive definite (a flat
// direction, or a maximum flatter than a parabola), ln f = +Inf.
//
// Equations: PRML (4.125), (4.126), (4.131)–(4.135).
func Laplace(logf func(z []float64) float64, x0 []float64, o LaplaceOptions) (*LaplaceFit, error) {
	fit, err := laplaceFit(logf, x0, o)
	if err != nil {
		return nil, failure("Laplace", err)
	}
	return fit, nil
}

func laplaceFit(logf func(z []float64) float64, x0 []float64, o LaplaceOptions) (*LaplaceFit, error) {
	found, err := laplace.Find(logf, x0, laplace.Options(o))
	if err != nil {
		return nil, err
	}
	fit := &LaplaceFit{Starts: found.Starts, Failures: found.Failures}
	for _, m := range found.Modes {
		fit.Modes = append(fit.Modes, Mode(m))
	}
	fit.Mode = fit.Modes[0]
	return fit, nil
}

// LaplaceAt approximates f at a point that is said to be its mode, without a
// search. Errors: a point where ln f is not stationary, a minimum or a saddle, a
// curvature that is not positive definite.
//
// Equations: PRML (4.131)–(4.135).
func LaplaceAt(logf func(z []float64) float64, z0 []float64, o LaplaceOptions) (*Mode, error) {
	m, err := laplace.Take(logf, z0, laplace.Options(o))
	if err != nil {
		return nil, failure("LaplaceAt", err)
	}
	return (*Mode)(m), nil
}

// Dim returns M.
func (m *Mode) Dim() int { return len(m.At) }

// Z returns the approximate normalising constant f(z0)(2π)^(M/2)/|A|^½, PRML
// (4.135); it may overflow where LogZ does not.
//
// Equations: PRML (4.135).
func (m *Mode) Z() float64 { return kernels.Exp(m.LogZ) }

// LogDensity returns ln q(z) of the Gaussian (4.134), −Inf for a z of another
// length.
//
// Equations: PRML (4.134).
func (m *Mode) LogDensity(z []float64) float64 {
	if len(z) != len(m.At) {
		return math.Inf(-1)
	}
	d := floats.SubTo(make([]float64, len(z)), z, m.At)
	v := mat.NewVecDense(len(d), d)
	return m.LogDet/2 - float64(len(d))/2*kernels.Log2Pi - mat.Inner(v, m.Precision, v)/2
}

// Gaussian returns q(z) as a distribution of gonum, for densities, quantiles and
// draws with the seed given. It is an error if the covariance is not positive
// definite in double precision.
//
// Equations: PRML (4.134).
func (m *Mode) Gaussian(seed uint64) (*distmv.Normal, error) {
	n, ok := distmv.NewNormal(m.At, m.Covariance, rand.NewPCG(seed, bayesStream))
	if !ok {
		return nil, failure("Gaussian", errors.New("the covariance is not positive definite in double precision: rescale the parameters"))
	}
	return n, nil
}

// Sample draws n points from q(z), one per row. Equal seeds give equal draws.
func (m *Mode) Sample(n int, seed uint64) (*mat.Dense, error) {
	if n < 1 {
		return nil, failure("Sample", fmt.Errorf("n is %d: draw at least one", n))
	}
	g, err := m.Gaussian(seed)
	if err != nil {
		return nil, err
	}
	if err := check.Drawn(float64(n), len(m.At)); err != nil {
		return nil, failure("Sample", err)
	}
	out := mat.NewDense(n, len(m.At), nil)
	for i := range n {
		g.Rand(out.RawRowView(i))
	}
	return out, nil
}

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

// ChangeLog is τ = exp(u), u = ln τ, for 0 < τ < ∞.
func ChangeLog() Change {
	return Change{"ln z", kernels.Exp, math.Log, func(u float64) float64 { return u }}
}

// ChangeLogit is z = σ(u), u = ln z/(1−z), for 0 < z < 1.
func ChangeLogit() Change {
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

package classify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/laplace"
)

// LaplaceOptions are the options of Laplace. The zero value uses finite differences and a few
// random starts.
type LaplaceOptions struct {
	// Gradient writes ∇ ln f(z) to dst; nil means finite differences of ln f.
	Gradient func(dst, z []float64)
	// Hessian writes ∇∇ ln f(z) = −A to dst, M×M. nil means finite differences of Gradient, or of ln f
	// if Gradient is nil, too.
	Hessian func(dst *mat.SymDense, z []float64)
	// Step is the step of the finite differences at the mode, in standard deviations of the
	// approximation. If Step is 0, Laplace tries ever smaller steps. It uses the step at which the
	// curvature depends least on the step.
	Step float64
	// Starts are additional points from which the search starts.
	Starts [][]float64
	// Random is the number of additional starts drawn from a Gaussian around x0, at most 100 000. 0
	// means 8, and a negative number means no random starts.
	Random int
	// Spread determines the random starts; 0 means 3. Coordinate i of a random start has the
	// standard deviation Spread·(1+|x0_i|).
	Spread float64
	Seed   uint64 // seed of the random starts
	// MaxIterations is the maximum number of iterations from each start; 0 means 200.
	MaxIterations int
}

// Mode is a maximum of ln f, together with the Gaussian approximation of f at this maximum, PRML
// (4.131–4.135).
//
// Equations: PRML (4.131)–(4.135).
type Mode struct {
	At         []float64     // z0
	LogF       float64       // ln f(z0)
	Precision  *mat.SymDense // the precision matrix A = −∇∇ ln f at z0 (4.132)
	Covariance *mat.SymDense // A⁻¹
	LogDet     float64       // ln|A|
	// LogZ is ln f(z0) + (M/2) ln 2π − ½ ln|A|, (4.135).
	LogZ float64
	// Step is the step of the finite differences used, in standard deviations, or 0 if both the
	// gradient and the Hessian were given. StepError is the relative change in the curvature between
	// this step and a step of twice or half the size, or 0 if the Hessian was given.
	Step, StepError float64
}

// LaplaceFit is the Laplace approximation q(z) = N(z|z0, A⁻¹) of p(z) = f(z)/Z, PRML (4.134), at
// the highest mode found. A Gaussian has a single mode. If Modes has several entries, the
// approximation describes only the highest mode.
//
// Equations: PRML (4.133), (4.134).
type LaplaceFit struct {
	Mode
	Modes    []Mode   // all modes found, in order of decreasing ln f
	Starts   int      // number of starts of the search
	Failures []string // for each search that found no mode, the reason
}

// Laplace approximates the density p(z) = f(z)/Z by a Gaussian at the mode of f, and also
// approximates Z, the normalising constant. The argument `logf` computes ln f(z), and x0 has M entries.
// From x0 and each other start, Laplace searches for a maximum with Newton's method. Where the
// curvature of ln f is not negative, a safeguard replaces the Newton step. Outside the domain of f,
// `logf` may return −Inf or NaN.
//
// Laplace returns an error if logf is nil, if x0 or an option is invalid, if ln f is +Inf at a point of
// a search, or if no search finds a mode. In the last case, the error states why the search from x0
// failed. For example, x0 is outside the domain, ln f grows without bound or has its maximum at an
// edge, or A is not positive definite (a flat direction, or a maximum flatter than a parabola).
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

// LaplaceAt approximates f at z0 without a search. z0 must be a mode of f, except for a small error,
// which a few Newton steps remove. LaplaceAt returns an error if f(z0) is 0 or infinite, if ln f is not
// stationary at z0, if z0 is a minimum or a saddle, or if the precision matrix A is not positive
// definite. A nil logf and an invalid z0 or option are also errors.
//
// Equations: PRML (4.131)–(4.135).
func LaplaceAt(logf func(z []float64) float64, z0 []float64, o LaplaceOptions) (*Mode, error) {
	m, err := laplace.Take(logf, z0, laplace.Options(o))
	if err != nil {
		return nil, failure("LaplaceAt", err)
	}
	return (*Mode)(m), nil
}

// Z returns the approximate normalising constant f(z0)(2π)^(M/2)/|A|^½, PRML (4.135). The result
// may overflow although LogZ is finite.
//
// Equations: PRML (4.135).
func (m *Mode) Z() float64 { return kernels.Exp(m.LogZ) }

// LogDensity returns ln q(z) of the Gaussian (4.134), or −Inf if z has the wrong length.
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

// Gaussian returns q(z) as a gonum distribution with the given seed, for densities, quantiles and
// draws. It returns an error if the covariance is not positive definite in double precision.
//
// Equations: PRML (4.134).
func (m *Mode) Gaussian(seed uint64) (*distmv.Normal, error) {
	n, ok := distmv.NewNormal(m.At, m.Covariance, rand.NewPCG(seed, bayesStream))
	if !ok {
		return nil, failure("Gaussian",
			errors.New("the covariance is not positive definite in double precision: rescale the parameters"))
	}
	return n, nil
}

// Sample draws n points from q(z), one per row. Equal seeds give equal draws. Errors: n < 1, n too
// large for memory, and the errors of Gaussian.
func (m *Mode) Sample(n int, seed uint64) (*mat.Dense, error) {
	if n < 1 {
		return nil, failure("Sample", fmt.Errorf("n is %d: draw at least one point", n))
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

// Change is a change of variable z = From(u), where u can be any real number and z is in the domain
// of f. Laplace's approximation depends on the variable. The density of u contains the Jacobian as
// an additional factor and therefore has a different mode. PRML 4.4 recommends a variable with an
// unbounded domain, such as ln τ for 0 < τ < ∞.
type Change struct {
	Name     string
	From     func(u float64) float64 // maps u to z
	To       func(z float64) float64 // maps z to u
	LogSlope func(u float64) float64 // ln dz/du
}

// ChangeLog returns the change τ = exp(u), u = ln τ, for 0 < τ < ∞.
func ChangeLog() Change {
	return Change{"ln z", kernels.Exp, math.Log, func(u float64) float64 { return u }}
}

// Of returns ln f as a log density of u: ln f(From(u)) + ln dz/du. The integral of the density over
// u equals the integral of f over z. The zero Change returns ln f unchanged. For a nil logf, Of
// returns nil, which Laplace1D rejects.
func (c Change) Of(logf func(z float64) float64) func(u float64) float64 {
	if logf == nil || c.From == nil {
		return logf
	}
	return func(u float64) float64 { return logf(c.From(u)) + c.LogSlope(u) }
}

// Back returns the density of z that corresponds to a log density of u, such as the LogDensity of a
// LaplaceFit1D: exp(ln q(u) − ln dz/du) at u = To(z). For a nil logq, Back returns nil.
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

// Laplace1DOptions are the options of Laplace1D. The zero value searches the whole line and uses
// finite differences.
type Laplace1DOptions struct {
	// Lower and Upper are the ends of the domain of f. At the ends and outside the domain, f counts as
	// 0. One or both ends may be infinite. If both ends are 0, the domain is the whole line.
	Lower, Upper float64
	// First and Second are the derivatives of ln f; nil means finite differences.
	First, Second func(z float64) float64
	// Step is the step of the finite differences at the mode, in standard deviations. If Step is 0,
	// Laplace1D tries ever smaller steps. It uses the step at which the curvature depends least on
	// the step.
	Step float64
	// Starts are additional starting points. Even without them, the search starts from several points
	// that are spread over the domain.
	Starts []float64
}

// LaplaceFit1D is the Laplace approximation q(z) = N(z|z0, A⁻¹) of p(z) = f(z)/Z
// in one dimension, PRML (4.130), at the highest mode found.
//
// Equations: PRML (4.125)–(4.130).
type LaplaceFit1D struct {
	Z0    float64 // the mode
	LogF  float64 // ln f(z0)
	A     float64 // the precision A = −d² ln f/dz² at z0, (4.128)
	LogZ  float64 // LogZ = ln f(z0) + ½ ln(2π/A), (4.135)
	Modes []Mode  // all modes found, in order of decreasing ln f
	// Step is the step of the finite differences used, in standard deviations, or 0 if both First and
	// Second were given. StepError is the relative change in A between this step and a step of twice
	// or half the size, or 0 if Second was given.
	Step, StepError float64

	lower, upper float64
}

// Laplace1D approximates the density p(z) = f(z)/Z by a Gaussian at the mode of f, and also
// approximates the normalising constant Z (PRML 4.4). logf computes ln f(z). Laplace1D searches for
// a maximum from the option Starts and from points that are spread over the domain. Errors: as for
// Laplace, an invalid domain, and an f that is 0 at every start.
//
// Equations: PRML (4.125)–(4.130), (4.135).
func Laplace1D(logf func(z float64) float64, o Laplace1DOptions) (*LaplaceFit1D, error) {
	fit, err := laplace1D(logf, o)
	if err != nil {
		return nil, failure("Laplace1D", err)
	}
	return fit, nil
}

func laplace1D(logf func(z float64) float64, o Laplace1DOptions) (*LaplaceFit1D, error) {
	if logf == nil {
		return nil, errors.New("logf is nil: give the logarithm of f")
	}
	lower, upper, err := o.domain()
	if err != nil {
		return nil, err
	}
	inside := func(z []float64) float64 {
		if !(z[0] > lower && z[0] < upper) {
			return math.Inf(-1)
		}
		return logf(z[0])
	}
	lo := LaplaceOptions{Step: o.Step, Random: -1}
	if o.First != nil {
		lo.Gradient = func(dst, z []float64) {
			dst[0] = math.NaN()
			if z[0] > lower && z[0] < upper {
				dst[0] = o.First(z[0])
			}
		}
	}
	if o.Second != nil {
		lo.Hessian = func(dst *mat.SymDense, z []float64) { dst.SetSym(0, 0, o.Second(z[0])) }
	}
	for i, s := range o.Starts {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return nil, fmt.Errorf("option Starts[%d] is %v: it must be a finite number", i, s)
		}
	}
	for _, s := range append(append([]float64(nil), o.Starts...), laplaceSpread(lower, upper)...) {
		if v := inside([]float64{s}); !math.IsInf(v, -1) && !math.IsNaN(v) {
			lo.Starts = append(lo.Starts, []float64{s})
		}
	}
	if lo.Starts == nil {
		return nil, errors.New("f is 0 at every start: set Starts to points where f is positive, or set the domain with Lower and Upper")
	}
	first := lo.Starts[0]
	lo.Starts = lo.Starts[1:]
	fit, err := laplaceFit(inside, first, lo)
	if err != nil {
		return nil, err
	}
	return &LaplaceFit1D{
		Z0: fit.At[0], LogF: fit.LogF, A: fit.Precision.At(0, 0), LogZ: fit.LogZ, Modes: fit.Modes,
		Step: fit.Step, StepError: fit.StepError, lower: lower, upper: upper,
	}, nil
}

func (o Laplace1DOptions) domain() (lower, upper float64, err error) {
	switch {
	case math.IsNaN(o.Lower) || math.IsNaN(o.Upper) || o.Lower > o.Upper || o.Lower == o.Upper && o.Lower != 0:
		return 0, 0, fmt.Errorf("the domain is from %v to %v: Lower must be less than Upper (0 and 0 mean the whole line)", o.Lower, o.Upper)
	case o.Lower == o.Upper:
		return math.Inf(-1), math.Inf(1), nil
	}
	return o.Lower, o.Upper, nil
}

// laplaceSpread returns starting points that are spread over a domain. For a bounded domain the
// points are evenly spaced. For a domain with one finite end, their distances from this end range
// from 0.01 to 100. If both ends are infinite, the points are 0 and numbers up to ±100.
func laplaceSpread(lower, upper float64) (s []float64) {
	const count = 16
	switch {
	case !math.IsInf(lower, 0) && !math.IsInf(upper, 0):
		for i := range count {
			s = append(s, lower+(upper-lower)*(float64(i)+0.5)/count)
		}
		return s
	case !math.IsInf(lower, 0) || !math.IsInf(upper, 0):
		for _, d := range []float64{1, 0.1, 0.3, 3, 10, 30, 0.01, 100} {
			if math.IsInf(upper, 0) {
				s = append(s, lower+d)
			} else {
				s = append(s, upper-d)
			}
		}
		return s
	}
	s = append(s, 0)
	for _, d := range []float64{0.3, 1, 3, 10, 30, 100} {
		s = append(s, d, -d)
	}
	return s
}

// Z returns the approximate normalising constant f(z0)√(2π/A), (4.135).
//
// Equations: PRML (4.135).
func (m *LaplaceFit1D) Z() float64 { return kernels.Exp(m.LogZ) }

// Density returns q(z) = √(A/2π) exp(−½A(z−z0)²), (4.130).
//
// Equations: PRML (4.129), (4.130).
func (m *LaplaceFit1D) Density(z float64) float64 { return kernels.Exp(m.LogDensity(z)) }

// LogDensity returns ln q(z).
//
// Equations: PRML (4.127), (4.130).
func (m *LaplaceFit1D) LogDensity(z float64) float64 {
	return (math.Log(m.A)-kernels.Log2Pi)/2 - m.A*(z-m.Z0)*(z-m.Z0)/2
}

// Sample draws n numbers from q(z). Equal seeds give equal draws. Errors: as for the Sample of a Mode,
// and an empty fit.
func (m *LaplaceFit1D) Sample(n int, seed uint64) ([]float64, error) {
	if len(m.Modes) == 0 {
		return nil, failure("Sample", errors.New("the fit has no mode: make the fit with Laplace1D"))
	}
	s, err := m.Modes[0].Sample(n, seed)
	if err != nil {
		return nil, err
	}
	return mat.Col(nil, 0, s), nil
}

// Exact1D contains the exact quantities that the fit approximates, computed by quadrature.
type Exact1D struct {
	LogZ           float64 // the exact value ln ∫ f dz
	Mean, Variance float64 // mean and variance of p(z) = f(z)/Z
	KL             float64 // KL(q‖p) = ∫ q ln(q/p) dz; +Inf if f is 0 at a point where q is not
}

// Exact computes the integral of f and the moments of p, for comparison with LogZ and with the moments
// of q. It also computes the divergence KL(q‖p). For a smooth f the result has about 12 correct digits.
// logf must be the function that was approximated. Exact divides the line into intervals of length σ/4,
// where σ is the standard deviation of q. Exact starts at the mode, moves outward in both directions, and
// integrates over each interval by Gauss–Legendre quadrature. In each direction it stops when an interval
// adds nothing. The integral includes other modes only if f is not negligible between the modes. Exact
// returns an error for a nil logf or an empty fit, if ln f is NaN or +Inf at a point, and if the sum
// does not converge within 1000 standard deviations.
//
// Equations: PRML (4.125).
func (m *LaplaceFit1D) Exact(logf func(z float64) float64) (*Exact1D, error) {
	if logf == nil || m == nil || len(m.Modes) == 0 {
		return nil, failure("Exact", errors.New("logf is nil or the fit is empty: give logf, and a fit made with Laplace1D"))
	}
	sd := 1 / math.Sqrt(m.A)
	const order, share = 24, 0.25
	nodes, weights := make([]float64, order), make([]float64, order)
	quad.Legendre{}.FixedLocations(nodes, weights, -1, 1)
	var sum [4]float64 // ∫ f/f(z0) dz, the first two moments of f/f(z0) about z0, and ∫ q ln(q/f) dz
	side := func(dir, end float64) error {
		for k := 0; ; k++ {
			a := m.Z0 + dir*float64(k)*share*sd
			b := m.Z0 + dir*float64(k+1)*share*sd
			last := dir*(end-b) <= 0
			if last {
				b = end
			}
			var part [4]float64
			for i, x := range nodes {
				z := a + (b-a)*(x+1)/2
				w := weights[i] * math.Abs(b-a) / 2
				lf, lq := logf(z), m.LogDensity(z)
				f, q := kernels.Exp(lf-m.LogF), kernels.Exp(lq)
				if math.IsNaN(f) || math.IsInf(lf, 1) {
					return fmt.Errorf("ln f(%v) is %v: want a finite number at every point of the domain, or −Inf where f is 0", z, lf)
				}
				d := z - m.Z0
				part[0] += w * f
				part[1] += w * f * d
				part[2] += w * f * d * d
				if q > 0 {
					part[3] += w * q * (lq - lf)
				}
			}
			floats.Add(sum[:], part[:])
			if last || k > 40 && part[0] <= 1e-18*sum[0] && math.Abs(part[2]) <= 1e-17*sum[2] {
				if last && m.LogDensity(b) > -700 {
					sum[3] = math.Inf(1) // KL is infinite if q is positive where f is 0
				}
				return nil
			}
			if k > 4000 {
				return fmt.Errorf("f is not negligible even 1000 standard deviations from the mode: the integral of f cannot be computed")
			}
		}
	}
	for _, s := range []struct{ dir, end float64 }{{1, m.upper}, {-1, m.lower}} {
		if err := side(s.dir, s.end); err != nil {
			return nil, failure("Exact", err)
		}
	}
	e := &Exact1D{LogZ: m.LogF + math.Log(sum[0])}
	shift := sum[1] / sum[0]
	e.Mean, e.Variance = m.Z0+shift, sum[2]/sum[0]-shift*shift
	e.KL = sum[3] + e.LogZ
	return e, nil
}

package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// Laplace1DOptions of Laplace1D. The zero value searches the whole line by finite
// differences.
type Laplace1DOptions struct {
	// Lower and Upper bound the domain of f, outside of which it is 0; equal ones,
	// as 0 and 0, mean the whole line. They may be infinite.
	Lower, Upper float64
	// First and Second are the derivatives of ln f; nil takes finite differences.
	First, Second func(z float64) float64
	// Step of the finite differences at the mode, in standard deviations; 0 halves
	// it until the curvature is most stable.
	Step float64
	// Starts to search from besides those spread over the domain.
	Starts []float64
}

// LaplaceFit1D is the Laplace approximation q(z) = N(z|z0, A⁻¹) of p(z) = f(z)/Z
// in one dimension, PRML (4.130), at the highest mode found.
//
// Equations: PRML (4.125)–(4.130).
type LaplaceFit1D struct {
	Z0    float64 // the mode
	LogF  float64 // ln f(z0)
	A     float64 // −d² ln f/dz² at z0, (4.128)
	LogZ  float64 // ln f(z0) + ½ ln 2π/A, (4.135)
	Modes []Mode  // all that were found, the highest first
	// Step of the finite differences used, in standard deviations, 0 if Second was
	// given; and how much A changed, relatively, when it was halved.
	Step, StepError float64

	lower, upper float64
}

// Laplace1D approximates the normalising constant and the density of f(z), given
// by its logarithm, by a Gaussian at its mode (PRML 4.4). It searches uphill from
// points spread over the domain. Errors are those of Laplace.
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
		return nil, errors.New("f is 0 at every start: give Starts where it is positive, or the domain by Lower and Upper")
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

// laplaceSpread returns starts over a domain: evenly if it is bounded, otherwise at
// distances that grow from its finite end or from 0.
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

// Sample draws n numbers from q(z). Equal seeds give equal draws.
func (m *LaplaceFit1D) Sample(n int, seed uint64) ([]float64, error) {
	if len(m.Modes) == 0 {
		return nil, failure("Sample", errors.New("there is no mode: make it with Laplace1D"))
	}
	s, err := m.Modes[0].Sample(n, seed)
	if err != nil {
		return nil, err
	}
	return mat.Col(nil, 0, s), nil
}

// Exact1D is what the approximation stands for, by quadrature.
type Exact1D struct {
	LogZ           float64 // ln ∫ f dz
	Mean, Variance float64 // of p(z) = f(z)/Z
	KL             float64 // KL(q‖p) = ∫ q ln(q/p) dz; +Inf where f is 0 but q is not
}

// Exact integrates f by Gauss–Legendre panels of a quarter of a standard
// deviation of q, outward from the mode until nothing is added, to about 12
// digits for a smooth f: to compare with LogZ and the density. It sees the other
// modes only if f does not vanish on the way. logf is the function that was
// approximated. It is an error if the sum does not end within 1000 deviations.
//
// Equations: PRML (4.125).
func (m *LaplaceFit1D) Exact(logf func(z float64) float64) (*Exact1D, error) {
	if logf == nil || m == nil || len(m.Modes) == 0 {
		return nil, failure("Exact", errors.New("give logf, and a fit made with Laplace1D"))
	}
	sd := 1 / math.Sqrt(m.A)
	const order, share = 24, 0.25
	nodes, weights := make([]float64, order), make([]float64, order)
	quad.Legendre{}.FixedLocations(nodes, weights, -1, 1)
	var sum [4]float64 // f/f(z0), its first two moments about z0, ∫ q ln(q/f)
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
					return fmt.Errorf("ln f(%v) is %v: it must be a number in the whole domain", z, lf)
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
					sum[3] = math.Inf(1) // q goes on where f is 0
				}
				return nil
			}
			if k > 4000 {
				return fmt.Errorf("f is not negligible 1000 standard deviations from the mode: its integral cannot be found")
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

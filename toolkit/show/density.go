package show

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Density is a function of two variables with the name that the legend gives
// it. Log returns the logarithm of the density; a constant in it does not matter.
// It may be −Inf.
type Density struct {
	Name string
	Log  func(a, b float64) float64
	// Mean and Deviation say where the density is, for the ranges shown by
	// default; zero deviations say nothing.
	Mean, Deviation [2]float64
}

// GaussianDensity returns the Gaussian with that mean, two entries, and
// covariance, 2×2. It returns an error if the sizes differ from these, or the
// covariance is not positive definite.
func GaussianDensity(name string, mean []float64, cov mat.Symmetric) (Density, error) {
	if len(mean) != 2 || isNil(cov) || cov.SymmetricDim() != 2 {
		return Density{}, fmt.Errorf("show: GaussianDensity: %s needs a mean of 2 entries (it has %d) and a covariance of 2×2; choose two of the variables", name, len(mean))
	}
	a, b, c := cov.At(0, 0), cov.At(0, 1), cov.At(1, 1)
	sa, sc := math.Sqrt(a), math.Sqrt(c)
	rho := b / sa / sc
	rest := (1 - rho) * (1 + rho)
	if !(a > 0 && c > 0 && rest > 0) || math.IsInf(a+c, 0) || math.IsNaN(mean[0]+mean[1]) || math.IsInf(mean[0]+mean[1], 0) {
		return Density{}, fmt.Errorf("show: GaussianDensity: %s has the mean %v and the covariance [%v %v; %v %v], which is not finite and positive definite", name, mean, a, b, b, c)
	}
	m0, m1 := mean[0], mean[1]
	return Density{name, func(x, y float64) float64 {
		u, v := (x-m0)/sa, (y-m1)/sc
		return 0 - (u*u-2*rho*u*v+v*v)/(2*rest) // 0 − 0 is 0, not −0
	}, [2]float64{m0, m1}, [2]float64{sa, sc}}, nil
}

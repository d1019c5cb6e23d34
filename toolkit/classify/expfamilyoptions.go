package classify

import (
	"fmt"
	"math"
)

// ExponentialFamilyOptions of FitExponentialFamily. The zero value is Gaussian
// densities of standard deviation 1, by maximum likelihood.
type ExponentialFamilyOptions struct {
	Density Density
	// Scale s > 0 is shared by all classes and columns; 0 is 1. It is the standard
	// deviation of GaussianDensity; exponential and gamma densities come out the
	// same for every s; Poisson and Bernoulli ones have s = 1.
	Scale float64
	// Shape α > 0 of GammaDensity; 0 is 1.
	Shape float64
	// Priors and UniformPriors as in LDAOptions.
	Priors        []float64
	UniformPriors bool
	// Smoothing ≥ 0 counts as this many more rows in each class, equal to the
	// mean of all rows: so that no class has a mean at the edge of the family.
	Smoothing float64
}

// expFamilyComplete fills in the defaults.
func (o *ExponentialFamilyOptions) expFamilyComplete() error {
	if o.Density < 0 || int(o.Density) >= len(expFamilyNames) {
		return fmt.Errorf("Density is %d: choose one of %v", int(o.Density), expFamilyNames)
	}
	if o.Scale == 0 {
		o.Scale = 1
	}
	if o.Shape == 0 {
		o.Shape = 1
	}
	switch {
	case !(o.Scale > 0) || math.IsInf(o.Scale, 1):
		return fmt.Errorf("Scale is %v: s must be a number greater than 0 (0 is the default, 1)", o.Scale)
	case o.Scale != 1 && (o.Density == PoissonDensity || o.Density == BernoulliDensity):
		return fmt.Errorf("Scale is %v: %v is defined with s = 1 only", o.Scale, o.Density)
	case !(o.Shape > 0) || math.IsInf(o.Shape, 1):
		return fmt.Errorf("Shape is %v: α must be a number greater than 0 (0 is the default, 1)", o.Shape)
	case o.Shape != 1 && o.Density != GammaDensity:
		return fmt.Errorf("Shape is %v: only GammaDensity has a shape", o.Shape)
	}
	return naiveSmoothing(o.Smoothing)
}

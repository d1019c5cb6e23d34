package datasets

import (
	"errors"
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// RingsOptions describe classes on circles around the origin. The zero value
// gives a disc and a ring around it.
type RingsOptions struct {
	// N is the number of points of each ring; 0 is 50.
	N int
	// Radii of the rings, one class each; nil is 0 (a disc) and 3.
	Radii []float64
	// Noise is the standard deviation of both coordinates; 0 is 0.5.
	Noise float64
	// Seed of the random numbers.
	Seed uint64
}

const ringsStream = 0x72696e6773 // "rings"

// Rings draws one class per radius: a point of the circle, uniform in the angle,
// plus Gaussian noise. No line separates the classes; x1² + x2² does. Radii or a
// Noise that are negative or not finite are errors.
func Rings(o RingsOptions) (*Dataset, error) {
	if o.N < 0 {
		return nil, fmt.Errorf("datasets: Rings: option N is %d: a number of points is not negative", o.N)
	}
	if o.N == 0 {
		o.N = 50
	}
	if o.Radii == nil {
		o.Radii = []float64{0, 3}
	}
	if len(o.Radii) == 0 {
		return nil, errors.New("datasets: Rings: option Radii is empty: give one radius per class")
	}
	if o.Noise == 0 {
		o.Noise = 0.5
	}
	const most = 1e300 // a sum of two such numbers is finite
	if !(o.Noise > 0 && o.Noise <= most) {
		return nil, fmt.Errorf("datasets: Rings: option Noise is %v: it must be a positive number", o.Noise)
	}
	if err := check.Drawn(float64(o.N)*float64(len(o.Radii)), 2); err != nil {
		return nil, fmt.Errorf("datasets: Rings: %w", err)
	}
	g := newSampler(o.Seed, ringsStream)
	g.d = 2
	for k, r := range o.Radii {
		if !(r >= 0 && r <= most) {
			return nil, fmt.Errorf("datasets: Rings: option Radii[%d] is %v: a radius is a number of 0 or more", k, r)
		}
		g.names = append(g.names, fmt.Sprintf("C%d", k+1))
		for range o.N {
			sin, cos := math.Sincos(2 * math.Pi * g.rng.Float64())
			g.x = append(g.x,
				nineDigits(r*cos+o.Noise*g.rng.NormFloat64()),
				nineDigits(r*sin+o.Noise*g.rng.NormFloat64()))
			g.labels = append(g.labels, k)
		}
	}
	return g.dataset("rings", fmt.Sprintf("rings with seed %d", o.Seed))
}

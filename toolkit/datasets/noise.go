package datasets

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

const (
	noiseStream = 0x6e6f697365 // "noise"
	flipStream  = 0x666c6970   // "flip"
)

// Noise returns the data with Gaussian noise of mean 0 and standard deviation std
// added to every number; sums are rounded to nine digits. Standardize first if
// the columns have different units. A std that is negative or not finite is an
// error.
func (d *Dataset) Noise(std float64, seed uint64) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if !(std >= 0 && std <= 1e300) { // ten deviations more than that are finite
		return nil, fmt.Errorf("datasets: Noise: std is %v: it must be a number of 0 or more", std)
	}
	e := d.take(ascending(d.N()))
	if std == 0 {
		return e, nil
	}
	rng := rand.New(rand.NewPCG(seed, noiseStream))
	e.X.Apply(func(_, _ int, v float64) float64 {
		return nineDigits(v + std*rng.NormFloat64())
	}, e.X)
	return e, e.Check()
}

// FlipLabels returns the data with each label, independently with probability
// epsilon, replaced by one of the other classes, all equally likely: the
// mislabelled data of PRML (4.117). An epsilon outside [0, 1] is an error, and so is a single class.
func (d *Dataset) FlipLabels(epsilon float64, seed uint64) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if !(epsilon >= 0 && epsilon <= 1) {
		return nil, fmt.Errorf("datasets: FlipLabels: epsilon is %v: it is a probability, between 0 and 1", epsilon)
	}
	if d.K() < 2 {
		return nil, errors.New("datasets: FlipLabels: there is a single class: there is no other to flip to")
	}
	rng := rand.New(rand.NewPCG(seed, flipStream))
	e := d.take(ascending(d.N()))
	for i, l := range e.Labels {
		// Both numbers are drawn for every row, so that a larger epsilon flips
		// the same rows and some more.
		flip, to := rng.Float64() < epsilon, rng.IntN(d.K()-1)
		if !flip {
			continue
		}
		if to >= l {
			to++
		}
		e.Labels[i] = to
	}
	return e, nil
}

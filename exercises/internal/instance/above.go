package instance

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Above tells whether the mean of gains is above 0 by more than so many standard
// errors. A gain counts as ½ at most, and as −½ at least: a single loss of many units
// would drown the others.
func Above(gains []float64, errors float64) bool {
	bounded := make([]float64, len(gains))
	for i, g := range gains {
		bounded[i] = math.Max(-0.5, math.Min(0.5, g))
	}
	mean, sd := stat.MeanStdDev(bounded, nil)
	return mean > errors*sd/math.Sqrt(float64(len(gains)))
}

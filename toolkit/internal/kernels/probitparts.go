package kernels

import "math"

// ProbitParts returns all that a probit loss needs: ln Φ(a), the hazard
// h = N(a)/Φ(a), which is d ln Φ/da, and c = h·(a+h) = −d² ln Φ/da², between 0
// and 1. On the left a+h = 1/t − 2/t³ + …, t = −a, would cancel to nothing; it is
// the inner part of Laplace's continued fraction and is taken from there.
func ProbitParts(a float64) (logPhi, h, c float64) {
	if !(a <= -5) {
		h = InverseMills(a)
		if h == 0 {
			return LogNormCDF(a), 0, 0 // a may be +Inf
		}
		return LogNormCDF(a), h, h * (a + h)
	}
	if math.IsInf(a, -1) {
		return a, math.Inf(1), 1
	}
	t := -a
	f := t
	for k := 60; k >= 2; k-- {
		f = t + float64(k)/f
	}
	excess := 1 / f
	h = t + excess
	return LogNormCDF(a), h, h * excess
}

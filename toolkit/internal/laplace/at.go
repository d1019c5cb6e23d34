package laplace

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// direction returns the direction v of u in z = s·u, for a message: its length is 1 and its
// largest entry is positive.
func direction(v, s []float64) []float64 {
	d := make([]float64, len(v))
	at := 0
	for i := range d {
		d[i] = v[i] * s[i]
		if math.Abs(d[i]) > math.Abs(d[at]) {
			at = i
		}
	}
	floats.Scale(math.Copysign(1/floats.Norm(d, 2), d[at]), d)
	for i, x := range d {
		if math.Abs(x) < 1e-6 {
			d[i] = 0
		}
	}
	return d
}

// at accepts z0 as the mode, or returns the reason why z0 is not a mode.
func (l *search) at(z0 []float64) (*Mode, error) {
	f, s, err := l.begin(z0, "ln f at %.4g is %v: f is not positive there")
	if err != nil {
		return nil, err
	}
	var h *hill
	for round := range 4 { // until the steps of the differences fit the curvature
		if h, err = l.hill(z0, f, s); err != nil {
			return nil, err
		}
		if round < 3 {
			h.rescale(s, z0, math.Abs)
		}
	}
	_, length := h.step()
	most := h.most()
	negative := 0
	for _, λ := range h.values {
		if λ < -1e-6*most {
			negative++
		}
	}
	switch v := mat.Col(nil, 0, h.vectors); {
	case length > 1e-3:
		return nil, fmt.Errorf("%.6g is not a stationary point of ln f: the next Newton step is %.3g standard deviations long; use Laplace to find the mode", z0, length)
	case negative == l.m:
		return nil, fmt.Errorf("the stationary point %.6g is a minimum of f, not a maximum; use Laplace to find a mode", z0)
	case negative > 0:
		return nil, fmt.Errorf("the stationary point %.6g is a saddle of f, not a maximum: f rises along %.3g; use Laplace to find a mode", z0, direction(v, s))
	case h.values[0] <= 1e-6*most:
		return nil, fmt.Errorf("the curvature at %.6g is not positive definite: along %.3g it is 0; Laplace's approximation needs a maximum that is curved in every direction", z0, direction(v, s))
	}
	return l.polish(z0)
}

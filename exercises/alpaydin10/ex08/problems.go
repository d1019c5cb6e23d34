package ex08

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A line is the argument wx + w0 of the sigmoid.
type line struct{ w, w0 float64 }

// lines are round ones first, for messages that can be followed by hand, then
// random ones of many sizes; both signs of w, and boundaries far out and at 0.
func lines(part uint64) []line {
	list := []line{{2, -6}, {-3, 6}, {0.5, 4}, {-0.25, -5}, {1, 0}, {8, 20}, {1e-4, 3}, {1e5, -700}, {-40, 1e-3}}
	r := instance.Source(1008, part)
	for range 12 {
		w := r.NormFloat64() * math.Pow(10, 2*r.Float64()-1)
		list = append(list, line{w, 5 * r.NormFloat64()})
	}
	return list
}

// y is σ(wx + w0).
func (l line) y(x float64) float64 { return kernel.Sigmoid(l.w*x + l.w0) }

// unit is a length on the x-axis that suits the line: a tolerance for a place on
// it relates to it, and known mistakes are compared in it.
func (l line) unit() float64 { return (1 + math.Abs(l.w0)) / math.Abs(l.w) }

// crossing finds the x with y = ½ by bisection, from values of y alone.
func (l line) crossing() float64 {
	lo, hi := -2*l.unit(), 2*l.unit()
	rising := l.y(hi) > l.y(lo)
	for range 200 {
		mid := lo + (hi-lo)/2
		if (l.y(mid) < 0.5) == rising {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + (hi-lo)/2
}

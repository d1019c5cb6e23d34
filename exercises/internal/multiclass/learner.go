package multiclass

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// Less returns a softmax as learners write it. It subtracts the result of off from every
// activation.
func Less(off func(a []float64) float64) func(a []float64) []float64 {
	return func(a []float64) []float64 {
		top := off(a)
		y := Map(func(v float64) float64 { return math.Exp(v - top) })(a)
		floats.Scale(1/floats.Sum(y), y)
		return y
	}
}

// Overflowing returns softmaxes that subtract something other than the largest activation. The
// first four overflow on FarProblems too.
func Overflowing() (list []func(a []float64) []float64) {
	for _, off := range []func(a []float64) float64{
		func([]float64) float64 { return 0 },
		func(a []float64) float64 { return a[0] },
		func(a []float64) float64 { return a[len(a)-1] },
		floats.Min,
		func(a []float64) float64 { return a[len(a)/2] },
		func(a []float64) float64 { return floats.Norm(a, math.Inf(1)) },
		func(a []float64) float64 { return floats.Sum(a) / float64(len(a)) },
		func(a []float64) float64 { return (floats.Min(a) + floats.Max(a)) / 2 },
	} {
		list = append(list, Less(off))
	}
	return list
}

// Cut returns a softmax that sets outputs below e^−c to 0. Clipped returns a softmax of activations
// limited to ±c.
func Cut(c float64) func(a []float64) []float64 {
	return func(a []float64) []float64 {
		return Map(func(y float64) float64 {
			if y < math.Exp(-c) {
				return 0
			}
			return y
		})(kernel.Softmax(a))
	}
}

func Clipped(c float64) func(a []float64) []float64 {
	return func(a []float64) []float64 {
		return kernel.Softmax(Map(func(v float64) float64 { return math.Max(-c, math.Min(c, v)) })(a))
	}
}

// By calls make for each softmax, and returns the resulting answers. Each answer has the fault of
// its softmax.
func By[F any](make func(softmax func(a []float64) []float64) F, softmaxes ...func(a []float64) []float64) (list []F) {
	for _, softmax := range softmaxes {
		list = append(list, make(softmax))
	}
	return list
}

// Bounded returns a softmax that limits its outputs to eps … 1 − eps.
func Bounded(eps float64) func(a []float64) []float64 {
	return func(a []float64) []float64 {
		return Map(func(y float64) float64 { return math.Min(1-eps, math.Max(eps, y)) })(kernel.Softmax(a))
	}
}

// Reciprocal computes the softmax as 1/Σ_j exp(a_j − a_k), without subtracting the largest
// activation.
func Reciprocal(a []float64) []float64 {
	return Map(func(v float64) float64 {
		sum := 0.0
		for _, w := range a {
			sum += math.Exp(w - v)
		}
		return 1 / sum
	})(a)
}

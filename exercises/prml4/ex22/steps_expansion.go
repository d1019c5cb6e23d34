package ex22

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// expansionFunc is the learner's Expansion.
type expansionFunc = func(height float64, A *mat.SymDense, z []float64) float64

// A place is a model with a Gaussian posterior and a distance from its mode.
type place struct {
	problem
	z []float64
}

// places hold the mode itself.
func places() []place {
	r := source(31)
	var out []place
	for _, p := range gaussians() {
		z := instance.Normals(r, p.dim())
		floats.Scale(0.7, z)
		out = append(out, place{p, z}, place{p, instance.Unit(r, p.dim())})
	}
	first := out[0].problem
	return append(out, place{first, make([]float64, first.dim())})
}

// height is the logarithm of the integrand at the mode.
func (p place) height() float64 { return p.logLik(p.mode) + p.logPrior(p.mode) }

// form is zᵀBz.
func (p place) form(b mat.Matrix) float64 {
	v := mat.NewVecDense(len(p.z), p.z)
	return mat.Inner(v, b, v)
}

func expansionStep(expansion expansionFunc) steps.Step[place] {
	// of makes the values of a mistaken formula from the height and zᵀAz.
	of := func(f func(h, q float64) float64) func(place) []float64 {
		return func(p place) []float64 { return []float64{f(p.height(), p.form(p.A))} }
	}
	return steps.Step[place]{
		Name: "Expansion", Key: "expansion", Hint: 2, Problems: places,
		Where: func(p place) string { return "“" + p.name + "”" },
		Ask: func(p place) ([]float64, *verify.Verdict) {
			var in learner.Inputs
			v := expansion(p.height(), in.Sym("A", p.A), in.Slice("z", p.z))
			return []float64{v}, in.Changed(3)
		},
		Unit: func(p place, _ []float64) []float64 { return []float64{1 + p.form(p.A)} },
		Routes: []steps.Route[place]{
			{Name: "the sum over the second derivatives", Tol: 1e-9, Value: func(p place) []float64 {
				sum := p.height()
				for i, a := range p.z {
					for j, b := range p.z {
						sum -= a * p.A.At(i, j) * b / 2
					}
				}
				return []float64{sum}
			}},
			// For a Gaussian posterior the expansion is exact.
			{Name: "log likelihood plus log prior at that place", Tol: 1e-8, Value: func(p place) []float64 {
				theta := floats.AddTo(make([]float64, len(p.z)), p.mode, p.z)
				return []float64{p.logLik(theta) + p.logPrior(theta)}
			}},
		},
		Mistakes: []learner.Mistake[place]{
			{Key: "second-order-sign", Hint: 2, Value: of(func(h, q float64) float64 { return h + q/2 }),
				Message: "The sign of the second-order term is turned: A holds the negative second derivatives, and away from a maximum the function falls."},
			{Key: "no-half", Hint: 2, Value: of(func(h, q float64) float64 { return h - q }),
				Message: "The second-order term has lost its ½."},
			{Key: "height-lost", Hint: 2, Value: of(func(_, q float64) float64 { return -q / 2 }),
				Message: "The value at the maximum is missing: an expansion begins with it."},
			{Key: "first-order", Hint: 2, Value: of(func(h, _ float64) float64 { return h }),
				Message: "This is the expansion to first order: at a maximum the gradient is 0, and only the height is left. One more order is asked for."},
			{Key: "not-logarithm", Hint: 2, Value: of(func(h, q float64) float64 { return math.Exp(h - q/2) }),
				Message: "This is the expansion in an exponential: f itself. Asked for is ln f."},
			{Key: "height-times-bump", Hint: 2, Value: of(func(h, q float64) float64 { return h * math.Exp(-q/2) }),
				Message: "Logarithm and exponential are mixed: the height is that of ln f, and the second-order term comes in as a sum."},
			{Key: "linear", Hint: 2, Value: func(p place) []float64 { return []float64{p.height() - math.Sqrt(p.form(p.A))/2} },
				Message: "The second-order term stands under a root."},
			{Key: "identity", Hint: 2, Value: func(p place) []float64 { return []float64{p.height() - floats.Dot(p.z, p.z)/2} },
				Message: "A is not in it: the curvature differs from direction to direction."},
			{Key: "inverse", Hint: 2, Value: func(p place) []float64 { return []float64{p.height() - floats.Dot(p.z, solve(p.A, p.z))/2} },
				Message: "The inverse of A stands where A belongs. A holds the second derivatives themselves; its inverse is the covariance."},
		},
		Right: "It is the expansion to second order, and ln f itself where the posterior is Gaussian.",
	}
}

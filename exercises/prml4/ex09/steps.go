package ex09

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	slopesFunc     = func(pi []float64, lambda float64, labels []int) []float64
	multiplierFunc = func(labels []int, K int) float64
)

// A place is a problem with numbers π and λ at which to differentiate.
type place struct {
	problem
	pi     []float64
	lambda float64
}

// places are off the simplex, and have classes without data among them.
func places() []place {
	r := instance.Source(409, 31)
	var out []place
	for _, p := range append(full(32), sparse(33)...) {
		pi := make([]float64, p.k())
		for k := range pi {
			pi[k] = 0.1 + 0.8*r.Float64()
		}
		out = append(out, place{p, pi, 5 * r.NormFloat64()})
	}
	return out
}

// ofCounts makes one number per class from N_k and π_k.
func ofCounts(f func(p place, n, pi float64) float64) func(place) []float64 {
	return func(p place) []float64 {
		out := make([]float64, p.k())
		for k, n := range p.counts {
			out[k] = f(p, float64(n), p.pi[k])
		}
		return out
	}
}

// askSlopes calls the learner's function with copies.
func askSlopes(slopes slopesFunc, p place) ([]float64, *verify.Verdict) {
	var in learner.Inputs
	labels := slices.Clone(p.labels)
	g := slices.Clone(slopes(in.Slice("pi", p.pi), p.lambda, labels))
	if bad := in.Changed(3); bad != nil {
		return nil, bad
	}
	if !slices.Equal(labels, p.labels) {
		return nil, learner.Fail("mutates-inputs", 3, "Your Slopes changed labels, which is shared with the caller: work on a copy (slices.Clone).")
	}
	return g, form.Vector("list of slopes", g, p.k(), "class", p.name, 2)
}

func slopesStep(slopes slopesFunc) steps.Step[place] {
	return steps.Step[place]{
		Name: "Slopes", Key: "slopes", Hint: 2, Problems: places,
		Where: func(p place) string { return "“" + p.name + "”" },
		Ask:   func(p place) ([]float64, *verify.Verdict) { return askSlopes(slopes, p) },
		Unit: func(p place, _ []float64) []float64 {
			unit := ofCounts(func(p place, n, pi float64) float64 { return 1 + n/pi + math.Abs(p.lambda) })(p)
			return unit
		},
		Routes: []steps.Route[place]{
			{Name: "the derivative of the logarithm", Tol: 1e-9, Value: ofCounts(func(p place, n, pi float64) float64 { return n/pi + p.lambda })},
			{Name: "the difference quotient of the Lagrangian", Tol: 1e-7, Value: func(p place) []float64 {
				out := make([]float64, p.k())
				for k := range out {
					pi := slices.Clone(p.pi)
					out[k] = verify.Derivative(func(v float64) float64 {
						pi[k] = p.pi[k] * (1 + v)
						return p.logLikelihood(pi) + p.lambda*(floats.Sum(pi)-1)
					}, 0, 0) / p.pi[k]
				}
				return out
			}},
		},
		Mistakes: []learner.Mistake[place]{
			{Key: "multiplier-sign", Hint: 2, Value: ofCounts(func(p place, n, pi float64) float64 { return n/pi - p.lambda }),
				Message: "λ is taken off. In this Lagrangian it stands with a plus."},
			{Key: "no-multiplier", Hint: 2, Value: ofCounts(func(_ place, n, pi float64) float64 { return n / pi }),
				Message: "The constraint is not in it: the derivative of λ(Σπ_k − 1) is missing."},
			{Key: "no-logarithm", Hint: 2, Value: ofCounts(func(p place, n, _ float64) float64 { return n + p.lambda }),
				Message: "N_k stands there without 1/π_k: it is the logarithm of π_k that is differentiated."},
			{Key: "multiplied", Hint: 2, Value: ofCounts(func(p place, n, pi float64) float64 { return n*pi + p.lambda }),
				Message: "N_k is multiplied by π_k; the derivative of ln π_k is 1/π_k."},
			{Key: "no-count", Hint: 2, Value: ofCounts(func(p place, _, pi float64) float64 { return 1/pi + p.lambda }),
				Message: "The number of points of the class is missing: each of them brings ln π_k once."},
			{Key: "all-points", Hint: 2, Value: ofCounts(func(p place, _, pi float64) float64 { return float64(p.n())/pi + p.lambda }),
				Message: "The number of all points stands where that of the class belongs."},
			{Key: "not-differentiated", Hint: 2, Value: ofCounts(func(p place, n, pi float64) float64 { return n*math.Log(pi) + p.lambda*pi }),
				Message: "These are the terms of the Lagrangian, not yet differentiated."},
			{Key: "constraint-not-differentiated", Hint: 2, Value: ofCounts(func(p place, n, pi float64) float64 { return n/pi + p.lambda*(floats.Sum(p.pi)-1) }),
				Message: "λ still has its factor Σπ_k − 1, the derivative of the constraint term by λ. By π_k it is λ alone."},
			{Key: "times-prior", Hint: 2, Value: ofCounts(func(p place, n, pi float64) float64 { return n/pi + p.lambda*pi }),
				Message: "λ has a factor π_k: in λ(Σπ_k − 1) each π_k occurs once, and its derivative is λ."},
		},
		Right: "They are the derivatives of the Lagrangian, by calculus and by difference quotients, on the simplex and off it.",
	}
}

func multiplierStep(multiplier multiplierFunc) steps.Step[problem] {
	of := func(f func(p problem) float64) func(problem) []float64 {
		return func(p problem) []float64 { return []float64{f(p)} }
	}
	return steps.Step[problem]{
		Name: "Multiplier", Key: "multiplier", Hint: 2,
		Problems: func() []problem { return append(full(34), sparse(35)...) },
		Where:    func(p problem) string { return "“" + p.name + "”" },
		Ask: func(p problem) ([]float64, *verify.Verdict) {
			labels := slices.Clone(p.labels)
			v := multiplier(labels, p.k())
			if !slices.Equal(labels, p.labels) {
				return nil, learner.Fail("mutates-inputs", 3, "Your Multiplier changed labels, which is shared with the caller: work on a copy (slices.Clone).")
			}
			return []float64{v}, nil
		},
		Routes: []steps.Route[problem]{
			{Name: "the sum of the conditions, each multiplied by its π_k,", Tol: 1e-9, Value: of(func(p problem) float64 { return -float64(p.n()) })},
			// What the constraint costs: how the largest log likelihood changes when
			// the π_k must sum to 1+c is −λ, the meaning of every multiplier.
			{Name: "the change of the maximum with the constraint", Tol: 1e-6, Value: of(func(p problem) float64 {
				return -verify.Derivative(func(c float64) float64 {
					pi := p.shares()
					floats.Scale(1+c, pi)
					return p.logLikelihood(pi)
				}, 0, 0)
			})},
		},
		Mistakes: []learner.Mistake[problem]{
			{Key: "plus", Hint: 2, Value: of(func(p problem) float64 { return float64(p.n()) }),
				Message: "The size is right and the sign is turned: N_k/π_k is positive, so λ must be negative for the sum to vanish. (With −λ in the Lagrangian it would be as you say.)"},
			{Key: "classes", Hint: 2, Value: of(func(p problem) float64 { return -float64(p.k()) }),
				Message: "This is −K. Summing the conditions over the classes sums the N_k, and gives the number of points."},
			{Key: "classes", Hint: 2, Value: of(func(p problem) float64 { return float64(p.k()) }),
				Message: "This is K, the number of classes. Summing the conditions sums the N_k; and mind the sign."},
			{Key: "inverse", Hint: 2, Value: of(func(p problem) float64 { return -1 / float64(p.n()) }),
				Message: "This is −1/N: it is turned upside down. π_k = −N_k/λ, and the sum over k must be 1."},
			{Key: "inverse", Hint: 2, Value: of(func(p problem) float64 { return 1 / float64(p.n()) }),
				Message: "This is 1/N: it is turned upside down, and the sign as well. π_k = −N_k/λ, and the sum over k must be 1."},
			{Key: "one", Hint: 2, Value: of(func(problem) float64 { return -1 }),
				Message: "This is −1 for all data. Before the sum is taken λ is unknown; the constraint fixes it from the N_k."},
			{Key: "first-class", Hint: 2, Value: of(func(p problem) float64 { return -float64(p.counts[0]) }),
				Message: "This is −N_1, from one condition alone. λ is common to all of them: sum over the classes."},
			{Key: "n-minus-1", Hint: 2, Value: of(func(p problem) float64 { return 1 - float64(p.n()) }),
				Message: "This is −(N−1). Nothing is lost in the sum: Σ N_k = N."},
		},
		Right: "It is the λ of the maximum, by the sum of the conditions, and as the change of the maximum with the constraint.",
	}
}

// judgeMultiplied puts the learner's λ into the learner's derivatives.
func judgeMultiplied(slopes slopesFunc, multiplier multiplierFunc) verify.Verdict {
	for _, p := range full(36) {
		lambda := multiplier(slices.Clone(p.labels), p.k())
		g, bad := askSlopes(slopes, place{p, p.shares(), lambda})
		if bad != nil {
			return *bad
		}
		if f := verify.CloseSlice(g, make([]float64, p.k()), verify.Tolerance{Abs: 1e-9 * float64(p.n())}); !f.OK {
			return verify.Fail("not-stationary", 2, "For “%s”, at the π_k that make the labels most likely and with your λ, your derivatives do not vanish: %s.", p.name, f.Off())
		}
	}
	return verify.Pass("With your λ all your derivatives vanish at the largest likelihood.")
}

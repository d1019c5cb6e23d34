package ex09

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A discriminant is g(x) = w0 + wᵀφ(x).
type discriminant struct {
	features func(x float64) []float64
	all      []float64 // as the learner returned them
	w        []float64 // M
	w0       float64
	bias     bool // one more weight than features came back
}

// build calls both functions and fits the weights to the features.
func build(features func(x float64) []float64, weights func() []float64) (discriminant, *verify.Verdict) {
	phi, w := features(own().middle()), slices.Clone(weights())
	m := len(phi)
	d := discriminant{features: features, all: w}
	switch {
	case m == 0:
		return d, learner.Fail("empty", 1, "Features returned nothing. A discriminant needs at least one feature of x.")
	case len(w) == 0:
		return d, learner.Fail("empty", 2, "Weights returned nothing: it returns the bias and one weight for each of your %d features.", m)
	case len(w) == m+1:
		d.w0, d.w, d.bias = w[0], w[1:], true
	case len(w) == m:
		d.w = w
	default:
		return d, learner.Fail("wrong-length", 2, "You have %d features and %d weights. It must be one weight per feature and one for the bias, or one per feature.", m, len(w))
	}
	if i, v, found := learner.NotFinite(w); found {
		return d, learner.Fail("not-finite", 2, "Weight %d is %g.", i, v)
	}
	return d, nil
}

// at is g(x), with a verdict instead where the features changed their number or
// are not finite.
func (d discriminant) at(x float64) (float64, *verify.Verdict) {
	phi := slices.Clone(d.features(x))
	if len(phi) != len(d.w) {
		return 0, learner.Fail("wrong-length", 2, "At x = %g you return %d features, at x = %g there were %d. Their number is fixed: a feature that has nothing to say is 0.", x, len(phi), own().middle(), len(d.w))
	}
	if i, v, found := learner.NotFinite(phi); found {
		return 0, learner.Fail("not-finite", 3, "At x = %g feature %d is %g. Exponentials of x overflow and logarithms end at 0; a power of x is finite everywhere.", x, i, v)
	}
	g := d.w0 + floats.Dot(d.w, phi)
	if math.IsNaN(g) {
		return 0, learner.Fail("not-finite", 2, "At x = %g the sum of weights times features is not a number: infinite terms of both signs. Are the weights very large?", x)
	}
	return g, nil
}

// signs are the classes chosen at these places.
func (d discriminant) signs(at []float64) (inside []bool, bad *verify.Verdict) {
	for _, x := range at {
		g, bad := d.at(x)
		if bad != nil {
			return nil, bad
		}
		inside = append(inside, g > 0)
	}
	return inside, nil
}

// reach is how far the grid goes to either side of the middle: from −20, beyond
// the mirror image of the interval, to as far on the right.
func reach() float64 { return 20 + own().middle() }

// grid are places at distances of 0.01, 200 to a unit, that miss the end points.
func grid() []float64 {
	from, n := own().middle()-reach(), int(200*reach())
	var out []float64
	for i := range n {
		out = append(out, from+(float64(i)+0.5)/100)
	}
	return out
}

func judgeForm(features func(x float64) []float64, weights func() []float64) verify.Verdict {
	d, bad := build(features, weights)
	if bad != nil {
		return *bad
	}
	if !slices.Equal(d.all, weights()) {
		return verify.Fail("not-constant", 0, "Two calls of Weights returned different numbers.")
	}
	for _, x := range append(grid(), 0, -1e3, 1e3, -1e6, 1e6) {
		first, bad := d.at(x)
		if bad != nil {
			return *bad
		}
		second, bad := d.at(x)
		if bad != nil {
			return *bad
		}
		if first != second {
			return verify.Fail("not-constant", 0, "Two calls of Features at x = %g returned different numbers.", x)
		}
	}
	if !d.bias {
		return verify.Pass("As many weights as features (%d): read as g(x) = Σ w_j φ_j(x), without a bias.", len(d.w))
	}
	return verify.Pass("One weight more than features (%d): read as g(x) = w0 + Σ w_j φ_j(x), the bias in front.", len(d.w))
}

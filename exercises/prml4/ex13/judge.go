package ex13

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// derivativeTol is the agreement asked for with central differences, whose own
// error is near 1e-10 of the largest entry.
var derivativeTol = verify.Tolerance{Rel: 1e-7, Abs: 1e-9}

// differences compares g with central differences of E, for columns brought to
// size 1, so that one step and one tolerance serve all entries.
func differences(p problem, g []float64) verify.Finding {
	s := instance.Sizes(p.Phi)
	back := func(v []float64) []float64 { return floats.DivTo(make([]float64, len(v)), v, s) }
	at := floats.MulTo(make([]float64, len(s)), p.w, s)
	return verify.Gradient(func(v []float64) float64 { return p.err(back(v)) }, at, back(g), derivativeTol)
}

// compare is nil where g is the gradient at p, and else names what is wrong.
func compare(gradient gradientFunc, p problem) *verify.Verdict {
	g, bad := ask(gradient, p)
	if bad != nil {
		return bad
	}
	f := differences(p, g)
	if f.OK {
		return nil
	}
	if v, ok := recognise(p, g); ok {
		return &v
	}
	v := verify.Fail("derivative", 2, "For “%s” (columns brought to size 1) the derivatives of E by central differences are not your entries: %s.", p.name, f.Off())
	return &v
}

func judgeDerivative(gradient gradientFunc) verify.Verdict {
	for _, p := range general(source(2)) {
		if bad := compare(gradient, p); bad != nil {
			return *bad
		}
	}
	return verify.Pass("Your entries are the derivatives of E by finite differences: the factor y(1−y) has gone.")
}

func judgeEdges(gradient gradientFunc) verify.Verdict {
	for _, p := range edges(source(3)) {
		if bad := compare(gradient, p); bad != nil {
			return *bad
		}
	}
	return verify.Pass("The same formula holds for a single point, a single weight, and targets all alike.")
}

// judgeMinimum looks at E alone: where it is least, and whether small steps
// against the gradient lower it.
func judgeMinimum(gradient gradientFunc) verify.Verdict {
	r := source(4)
	// Targets at random, many points: the classes overlap, so that there is a minimum.
	for _, p := range []problem{
		draw(r, "sixty points, three weights", 60, []float64{1, 0, 0}, []float64{0, 1, 1}),
		draw(r, "thirty points, one weight", 30, []float64{0.2}, []float64{1}),
	} {
		low := p.minimum()
		g, bad := ask(gradient, low)
		if bad != nil {
			return *bad
		}
		size := mat.Norm(p.Phi, 2)
		if f := verify.CloseSlice(g, make([]float64, len(g)), verify.Tolerance{Abs: 1e-8 * size}); !f.OK {
			return verify.Fail("not-zero-at-minimum", 2, "For “%s”, at the w where E is least, your gradient is not zero: %s.", p.name, f.Off())
		}
		for range 5 {
			p.w = floats.AddTo(make([]float64, len(low.w)), low.w, instance.Normals(r, len(low.w)))
			g, bad := ask(gradient, p)
			if bad != nil {
				return *bad
			}
			length := floats.Norm(g, 2)
			if length == 0 {
				return verify.Fail("zero-away-from-minimum", 2, "For “%s” your gradient is zero at a point where E is not least.", p.name)
			}
			// A step much shorter than the curvature of E allows, whatever the length of g.
			down := floats.AddScaledTo(make([]float64, len(g)), p.w, -1e-4/length, g)
			if !(p.err(down) < p.err(p.w)) {
				return verify.Fail("uphill", 2, "For “%s” a small step against your gradient does not lower E.", p.name)
			}
		}
	}
	return verify.Pass("It vanishes where E is least, and everywhere else a small step against it lowers E.")
}

// judgeTails looks at weights so large that outputs are 0 or 1 to the last digit.
func judgeTails(gradient gradientFunc) verify.Verdict {
	extreme := []float64{800, -800, 745, -745, 710, -710, 40, -40, 1.2, -0.3}
	for _, t := range []float64{0, 1} {
		p := problem{name: "large weights", Phi: mat.NewDense(len(extreme), 2, nil), w: []float64{0.5, 20}, t: make([]float64, len(extreme))}
		r := source(5)
		for i, a := range extreme {
			// The second column is chosen so that wᵀφ is the activation wanted.
			x := r.NormFloat64()
			p.Phi.SetRow(i, []float64{x, (a - p.w[0]*x) / p.w[1]})
			p.t[i] = t
		}
		g, bad := askRaw(gradient, p)
		if bad != nil {
			return *bad
		}
		f := verify.CloseSlice(g, p.sum(residual), verify.Tolerance{Rel: 1e-9})
		switch {
		case f.OK:
		case compare(gradient, general(source(6))[0]) != nil:
			return verify.Fail("wrong-in-the-middle", 0, "At activations up to ±800 your gradient is not right; nor is it at moderate ones. Mend that first, the second part says more.")
		case math.IsNaN(f.Miss):
			return verify.Fail("overflow", 3, "At activations up to ±800 your gradient is %s. e^a/(1+e^a) is Inf/Inf there, and a residual divided by y(1−y) and multiplied by it again is 0/0.", f.Off())
		default:
			return verify.Fail("tails", 3, "At activations up to ±800 your gradient is finite, but %s. Are activations or outputs clipped?", f.Off())
		}
	}
	return verify.Pass("No overflow at ±800: a point far on the wrong side pulls with a residual of 1, one far on the right side not at all.")
}

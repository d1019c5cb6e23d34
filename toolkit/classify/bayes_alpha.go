package classify

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

// AlphaStep contains one value of α that a search tried, and the log of the Laplace evidence at this
// value.
type AlphaStep struct {
	Alpha       float64
	LogEvidence float64
}

const (
	alphaRange = 50    // largest number of doublings or halvings of α in a search
	alphaNear  = 0.02  // the search narrows the interval that contains the maximum to this width, in doublings of α
	alphaStep  = 0.1   // step, in doublings of α, of the finite differences that estimate the slope of the evidence
	alphaDone  = 1e-10 // alphaPolish stops after a Newton step below this length, in doublings of α
)

// searchAlpha maximises the Laplace evidence over the α of an isotropic prior (PRML 4.4.1 with 3.5;
// also called type-2 maximum likelihood). The search starts at the α in `first`. The mode of the
// posterior depends on α, so the function `evidence` must compute the mode for each α. The evidence
// is smooth in ln α but may have no maximum. For example, if the inputs contain no information
// about the classes, the evidence keeps rising as α → ∞ and w → 0. If the search finds no maximum,
// searchAlpha returns found = false. The result `why` explains why the search ended. The last step
// of the trace contains the α of the result.
func searchAlpha(first float64, evidence func(alpha float64) (float64, error)) (trace []AlphaStep, found bool,
	why string, err error) {
	at := func(v float64) (float64, error) {
		alpha := first * math.Exp2(v)
		e, err := evidence(alpha)
		if err != nil {
			return 0, fmt.Errorf("at α = %.3g: %w", alpha, err)
		}
		if math.IsNaN(e) {
			return 0, fmt.Errorf("the evidence at α = %.3g is not a number: choose other units for x", alpha)
		}
		trace = append(trace, AlphaStep{alpha, e})
		return e, nil
	}
	v, found, err := alphaMaximize(at, alphaRange, alphaNear)
	if err == nil && found {
		v, err = alphaPolish(at, v)
	}
	if err == nil {
		_, err = at(v)
	}
	switch {
	case err != nil:
		return nil, false, "", err
	case found:
		why = fmt.Sprintf("α maximises the Laplace evidence, after %d evaluations", len(trace))
	case v > 0:
		why = fmt.Sprintf("α not converged: the evidence still rises, or is constant, at α = %.3g; the inputs seem to contain no information about the classes",
			trace[len(trace)-1].Alpha)
	default:
		why = fmt.Sprintf("α not converged: the evidence still rises, or is constant, as α falls to %.3g; set α yourself",
			trace[len(trace)-1].Alpha)
	}
	return trace, found, why, nil
}

// alphaPolish improves v, an estimate of the location of the maximum of f. It applies Newton's
// method to the slope of f, with central differences of the sixth order. The evidence is flat near
// its maximum. A comparison of evidence values therefore locates the maximum only to about the
// square root of the rounding error. The zero of the slope locates the maximum more accurately. If
// the curvature is not negative, or if the Newton step is large, alphaPolish stops and returns the
// last v.
func alphaPolish(f func(v float64) (float64, error), v float64) (float64, error) {
	first, second := [4]float64{0, 3. / 4, -3. / 20, 1. / 60}, [4]float64{-49. / 18, 3. / 2, -3. / 20, 1. / 90}
	for range 4 {
		middle, err := f(v)
		if err != nil {
			return v, err
		}
		var slope, curvature float64
		for k := 1; k <= 3; k++ {
			up, err := f(v + float64(k)*alphaStep)
			if err != nil {
				return v, err
			}
			down, err := f(v - float64(k)*alphaStep)
			if err != nil {
				return v, err
			}
			slope += first[k] * (up - down) / alphaStep
			curvature += second[k] * ((up - middle) + (down - middle)) / alphaStep / alphaStep
		}
		if !(curvature < 0) {
			return v, nil
		}
		d := -slope / curvature
		if math.Abs(d) > alphaStep {
			return v, nil
		}
		v += d
		if math.Abs(d) < alphaDone {
			break
		}
	}
	return v, nil
}

// alphaMode searches for the α with the greatest evidence, and returns the mode for the α at which
// the search ended. The function `solve` computes the mode under a given prior. It may start its
// search at the mode for the previous α.
func alphaMode(alpha float64, prior func(alpha float64) (*glm.Gaussian, error),
	solve func(*glm.Gaussian) (*bayesMode, error)) (last *bayesMode, trace []AlphaStep, found bool, why string,
	err error) {
	trace, found, why, err = searchAlpha(alpha, func(alpha float64) (float64, error) {
		g, err := prior(alpha)
		if err != nil {
			return 0, err
		}
		if last, err = solve(g); err != nil {
			return 0, err
		}
		return last.evidence.LogEvidence(), nil
	})
	return last, trace, found, why, err
}

// reestimate fits the model with the α that has the greatest evidence. If the search finds no maximum,
// the model has the α at which the search ended, and its Converged is false.
func (f *bayesFit) reestimate() (*BayesLogistic, error) {
	_, d := f.Src.Dims()
	first, priorAt := f.o.Prior.precision()
	last, trace, found, why, err := alphaMode(first,
		func(alpha float64) (*glm.Gaussian, error) { return priorAt(alpha).resolve(d + 1) },
		func(g *glm.Gaussian) (*bayesMode, error) {
			m, err := f.solve(g)
			if err == nil {
				f.start = m.w
			}
			return m, err
		})
	if err != nil {
		return nil, err
	}
	m, err := f.model(last)
	if err != nil {
		return nil, err
	}
	m.Alpha, m.AlphaTrace = trace[len(trace)-1].Alpha, trace
	m.Converged = m.Converged && found
	m.Reason += "; " + why
	return m, nil
}

// alphaMaximize searches for a maximum of f between −limit and limit. It starts at 0, moves uphill
// and doubles the step each time, until f falls. It then narrows the interval that contains the
// maximum to the width `tol` by golden sections and parabolas. alphaMaximize returns found = false
// if f has still not fallen at ±limit, or if an uphill step hardly changes f. In both cases `at` is the
// point at which the search stopped.
func alphaMaximize(f func(v float64) (float64, error), limit, tol float64) (at float64, found bool, err error) {
	evaluations := 0
	call := func(v float64) (y float64) {
		if err == nil {
			evaluations++
			y, err = f(v)
		}
		return y
	}
	a, b := 0.0, 1.0
	fa, fb := call(a), call(b)
	if fa > fb {
		a, b, fa, fb = b, a, fb, fa
	}
	c, fc := b, fb
	for step := b - a; err == nil; {
		step *= 2
		c = math.Max(-limit, math.Min(limit, b+step))
		fc = call(c)
		if fc < fb {
			break
		}
		if math.Abs(c) == limit || fc-fb <= 1e-12*math.Abs(fb) {
			return c, false, err
		}
		a, fa, b, fb = b, fb, c, fc
	}
	if err != nil {
		return b, false, err
	}
	// The points a, b, c are in ascending or descending order, and f is highest at b.
	const golden = 0.3819660112501051 // (3−√5)/2
	for err == nil && math.Abs(c-a) > tol {
		lo, hi := math.Min(a, c), math.Max(a, c)
		v := alphaParabola(a, fa, b, fb, c, fc)
		// The next point is usually the vertex v of the parabola. However, every fourth step is a
		// golden-section step, and so is a step whose v is not a number, too close to an end of the
		// interval or too far from b. In either case, a point that is too close to b is moved away from b.
		if !(v > lo+tol/4 && v < hi-tol/4) || math.Abs(v-b) > 0.5*(hi-lo) || evaluations%4 == 0 {
			if hi-b > b-lo {
				v = b + golden*(hi-b)
			} else {
				v = b - golden*(b-lo)
			}
		}
		if math.Abs(v-b) < tol/4 {
			v = b + math.Copysign(tol/4, hi-b-(b-lo))
		}
		fv := call(v)
		switch {
		case fv > fb && (v-b)*(c-b) > 0:
			a, fa, b, fb = b, fb, v, fv
		case fv > fb:
			c, fc, b, fb = b, fb, v, fv
		case (v-b)*(c-b) > 0:
			c, fc = v, fv
		default:
			a, fa = v, fv
		}
	}
	return b, err == nil, err
}

// alphaParabola returns the abscissa of the vertex of the parabola through three points.
func alphaParabola(a, fa, b, fb, c, fc float64) float64 {
	p, q := (b-a)*(fb-fc), (b-c)*(fb-fa)
	return b - ((b-a)*p-(b-c)*q)/(2*(p-q))
}

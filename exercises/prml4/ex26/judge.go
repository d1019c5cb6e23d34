package ex26

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A definition is what one of the functions must be.
type definition struct {
	name     string
	hint     int
	first    func(point) float64 // by quadrature
	second   func(point) float64 // by another route
	other    string              // the name of that route
	unit     func(point) float64 // the size to which the tolerance relates
	mistakes []learner.Mistake[[]point]
	right    string
}

var theIntegral = definition{"Convolve", 3, integral, areaUnderSlope, "the area under the derivative",
	func(point) float64 { return 1 }, integralMistakes,
	"It is the integral, summed over a grid, and the area under its derivative, summed over another: the exact formula, without approximation."}

var theDerivative = definition{"DerivativeMu", 2, slope, slopeByDifferences, "the difference quotient of the integral",
	func(p point) float64 { return 1 / p.width() }, slopeMistakes,
	"It is the derivative under the integral sign, summed over a grid, and the difference quotient of the integral."}

// tol is what the statement asks for, relative to the definition's unit. It leaves
// room for a learner's own quadrature or difference quotient.
const tol = 1e-8

// ask calls the learner's function at p; with a verdict instead where no finite
// number, or not always the same one, comes back.
func ask(f function, d definition, p point) (float64, *verify.Verdict) {
	v := f(p.mu, p.sigma2, p.lambda)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, learner.Fail("not-finite", d.hint, "%s returned %g at μ = %.4g, σ² = %.4g, λ = %.4g. Look for the root of a difference, or a division by something that can be 0: λ⁻² is added, and never 0.", d.name, v, p.mu, p.sigma2, p.lambda)
	}
	if v != f(p.mu, p.sigma2, p.lambda) {
		return 0, learner.Fail("not-constant", 0, "Two calls of %s with the same arguments returned different numbers. If you draw samples: the integral has a closed form.", d.name)
	}
	return v, nil
}

func judgeIntegral(f function, d definition) verify.Verdict {
	points := moderate()
	got := make([]float64, len(points))
	for i, p := range points {
		v, bad := ask(f, d, p)
		if bad != nil {
			return *bad
		}
		got[i] = v
	}
	for i, p := range points {
		t := verify.Tolerance{Abs: tol * d.unit(p)}
		a, b := verify.Close(got[i], d.first(p), t), verify.Close(got[i], d.second(p), t)
		if a.OK && b.OK {
			continue
		}
		if v, ok := learner.Recognise(d.mistakes, points, got); ok {
			return v
		}
		right := make([]float64, len(points))
		for j, q := range points {
			right[j] = d.first(q)
		}
		if c, ok := learner.Factor(got, right); ok && math.Abs(c-1) > 1e-3 {
			return verify.Fail("factor", d.hint, "%s is right up to one number that multiplies it everywhere. Is a factor lost or doubled, such as ½ or 1/√(2π)?", d.name)
		}
		if !a.OK {
			if a.Miss < 1e-4*d.unit(p) {
				return verify.Fail("nearly", d.hint, "Nearly: at μ = %.4g, σ² = %.4g, λ = %.4g your value and the quadrature are %s. A coarse sum, rounded constants, or an approximation? There is an exact formula.", p.mu, p.sigma2, p.lambda, a.Off())
			}
			return verify.Fail("value", d.hint, "At μ = %.4g, σ² = %.4g, λ = %.4g your %s is not what quadrature gives: %s.", p.mu, p.sigma2, p.lambda, d.name, a.Off())
		}
		return verify.Fail("value", d.hint, "At μ = %.4g, σ² = %.4g, λ = %.4g your %s is not %s: %s.", p.mu, p.sigma2, p.lambda, d.name, d.other, b.Off())
	}
	return verify.Pass("%s", d.right)
}

// rightInTheMiddle is the control experiment of judgeExtremes.
func rightInTheMiddle(f function, d definition) bool {
	for _, p := range moderate() {
		if !verify.Close(f(p.mu, p.sigma2, p.lambda), d.first(p), verify.Tolerance{Abs: tol * d.unit(p)}).OK {
			return false
		}
	}
	return true
}

func judgeExtremes(f function, d definition) verify.Verdict {
	for _, e := range extremes {
		v := f(e.mu, e.sigma2, e.lambda)
		g := verify.Close(v, d.first(e.point), verify.Tolerance{Abs: tol * d.unit(e.point)})
		if g.OK {
			continue
		}
		if !rightInTheMiddle(f, d) {
			return verify.Fail("wrong-in-the-middle", 0, "With %s %s is not right. It is not at moderate numbers either: mend that first, the part before says more.", e.name, d.name)
		}
		if e.sigma2 == 0 {
			return verify.Fail("no-variance", d.hint, "With %s, %s returned %.4g: %s. Nothing is integrated there, and your formula should say so; does it divide by σ?", e.name, d.name, v, g.Off())
		}
		return verify.Fail("extremes", d.hint, "With %s (μ = %.4g, σ² = %.4g, λ = %.4g) %s returned %.4g: %s. At moderate numbers it is right: look for a sum over a fixed grid, a limit, or numbers that grow too large on the way.", e.name, e.mu, e.sigma2, e.lambda, d.name, v, g.Off())
	}
	return verify.Pass("It holds for σ² from 0 to 10⁴ and λ from 0.01 to 100.")
}

// judgeConstant uses the learner's function alone: its two limits, and Φ(λa) +
// Φ(−λa) = 1 under the integral.
func judgeConstant(f function) verify.Verdict {
	for _, p := range moderate() {
		w := p.width()
		at := func(u float64) float64 { return f(w*u, p.sigma2, p.lambda) }
		for _, u := range []float64{-8, -12, -30, -100} {
			left, right := at(u), at(-u)
			switch {
			case math.IsNaN(left+right) || math.IsInf(left+right, 0):
				return verify.Fail("not-finite", 3, "Far out, at μ = ±%.3g, Convolve returned %g and %g.", -w*u, left, right)
			case math.Abs(left) > tol && math.Abs(right-left-1) < tol:
				return verify.Fail("constant-of-integration", 3, "Your function rises by 1 from left to right, as it must, but starts from %.3g. For μ → −∞ the whole Gaussian lies where Φ is 0: that fixes the constant of integration.", left)
			case math.Abs(left-1) < tol && math.Abs(right) < tol:
				return verify.Fail("falls", 1, "Your function falls from 1 to 0 as μ grows. Φ(λa) rises with a.")
			case math.Abs(left) > tol:
				return verify.Fail("left-limit", 3, "At μ = %.3g, with σ² = %.3g and λ = %.3g, Convolve returned %.4g. The whole Gaussian lies where Φ(λa) is 0 there.", w*u, p.sigma2, p.lambda, left)
			case math.Abs(right-1) > tol:
				return verify.Fail("right-limit", 3, "At μ = %.3g, with σ² = %.3g and λ = %.3g, Convolve returned %.4g. The whole Gaussian lies where Φ(λa) is 1 there.", -w*u, p.sigma2, p.lambda, right)
			}
		}
		for _, u := range []float64{0, 0.3, 1.1, 2.5} {
			if g := verify.Close(at(u)+at(-u), 1, verify.Tolerance{Abs: tol}); !g.OK {
				return verify.Fail("not-symmetric", 3, "The values at μ and −μ must sum to 1, since Φ(λa) + Φ(−λa) = 1 under the integral. At μ = %.3g, σ² = %.3g, λ = %.3g the sum is %s.", w*u, p.sigma2, p.lambda, g.Off())
			}
		}
	}
	return verify.Pass("It goes from 0 to 1 and is ½ at μ = 0: no constant is left over.")
}

// judgeTogether compares the learner's functions with each other only.
func judgeTogether(convolve, derivativeMu function) verify.Verdict {
	for _, p := range moderate() {
		w := p.width()
		along := func(v float64) float64 { return convolve(p.mu+w*v, p.sigma2, p.lambda) }
		numeric := verify.Derivative(along, 0, 0)
		// Differences divide the rounding of a learner's own quadrature by their step.
		g := verify.Close(w*derivativeMu(p.mu, p.sigma2, p.lambda), numeric, verify.Tolerance{Abs: 1e-5})
		if g.OK {
			continue
		}
		return verify.Fail("not-its-derivative", 2, "At μ = %.3g, σ² = %.3g, λ = %.3g your DerivativeMu is not the slope of your Convolve: relative to the steepest slope there is, they are %s. The parts above tell which of the two it is.", p.mu, p.sigma2, p.lambda, g.Off())
	}
	return verify.Pass("DerivativeMu is the slope of Convolve.")
}

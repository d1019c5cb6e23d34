package ex21

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// scalar is a learner's function.
type scalar = func(a float64) float64

// grid is where the functions are compared.
var grid = []float64{0, 0.1, -0.25, 0.7, -1, 1.3, -1.9, 2.6, -3.1, 4.2, -5, 6, -8}

// tol is the 12 decimals that the statement asks for.
var tol = verify.Tolerance{Abs: 1e-12}

// simpson is the integral of f from 0 to a by Simpson's rule on 4000 intervals;
// its error is below 1e-14 for the Gaussian and |a| ≤ 8.
func simpson(f scalar, a float64) float64 {
	const n = 4000
	h := a / n
	sum := f(0) + f(a)
	for i := 1; i < n; i++ {
		weight := 4.0
		if i%2 == 0 {
			weight = 2
		}
		sum += weight * f(float64(i)*h)
	}
	return sum * h / 3
}

// A definition is what one of the functions must be.
type definition struct {
	name     string
	integral scalar
	mistakes []learner.Mistake[[]float64]
	right    string
}

var probitCase = definition{"Probit",
	func(a float64) float64 { return 0.5 + simpson(kernel.NormPDF, a) }, probitMistakes,
	"Φ(a) agrees with the area under the normal density left of a."}

var erfCase = definition{"ErfPRML",
	func(a float64) float64 {
		return 2 / math.Sqrt(math.Pi) * simpson(func(theta float64) float64 { return math.Exp(-theta * theta / 2) }, a)
	}, erfMistakes,
	"It agrees with the integral of exp(−θ²/2), the chapter's definition. (The usual erf, with exp(−θ²), is another function.)"}

// sample returns f on the grid, with a verdict instead where it is not a number or
// two calls differ.
func sample(f scalar, name string) ([]float64, *verify.Verdict) {
	out := make([]float64, len(grid))
	for i, a := range grid {
		out[i] = f(a)
		if math.IsNaN(out[i]) || math.IsInf(out[i], 0) {
			return nil, learner.Fail("not-finite", 2, "%s(%g) is %g. Look for a division by zero, or for the inverse function: math.Erfinv is only defined between −1 and 1.", name, a, out[i])
		}
		if f(a) != out[i] {
			return nil, learner.Fail("not-constant", 0, "Two calls of %s with the same a returned different numbers.", name)
		}
	}
	return out, nil
}

func judgeIntegral(f scalar, d definition) verify.Verdict {
	got, bad := sample(f, d.name)
	if bad != nil {
		return *bad
	}
	want := make([]float64, len(grid))
	for i, a := range grid {
		want[i] = d.integral(a)
	}
	g := verify.CloseSlice(got, want, tol)
	if g.OK {
		return verify.Pass("%s", d.right)
	}
	if v, ok := learner.Recognise(d.mistakes, grid, got); ok {
		return v
	}
	worst := 0
	for i := range got {
		if math.Abs(got[i]-want[i]) > math.Abs(got[worst]-want[worst]) {
			worst = i
		}
	}
	if g.Miss < 1e-3 {
		return verify.Fail("rounded", 3, "Nearly: against quadrature %s(%g) is off by about %s. Rounded constants, or a numerical approximation? Asked for are 12 decimals; use math.Sqrt2, math.Pi and math.Erf.", d.name, grid[worst], verify.Magnitude(g.Miss))
	}
	miss := verify.Finding{Miss: g.Miss}
	return verify.Fail("value", 2, "Against quadrature %s(%g) is %s.", d.name, grid[worst], miss.Off())
}

func judgeDistribution(probit scalar) verify.Verdict {
	got, bad := sample(probit, "Probit")
	if bad != nil {
		return *bad
	}
	for i, a := range grid {
		if got[i] < 0 || got[i] > 1 {
			return verify.Fail("not-a-probability", 2, "Probit(%g) is outside [0,1]: it is a probability.", a)
		}
	}
	for i, a := range grid[1:] {
		if f := verify.Close(got[i+1]+probit(-a), 1, tol); !f.OK {
			return verify.Fail("not-symmetric", 2, "Probit(%g) and Probit(%g) do not add up to 1: their sum is %s. The density is symmetric, so the areas left of −a and right of a are the same.", a, -a, f.Off())
		}
	}
	low, high := probit(math.Inf(-1)), probit(math.Inf(1))
	if !verify.Close(low, 0, tol).OK || !verify.Close(high, 1, tol).OK {
		return verify.Fail("limits", 2, "From a = −∞ to ∞ your Probit runs from %.3g to %.3g. All of the area lies between; which factor is missing?", low, high)
	}
	for a := -8.0; a < 8; a += 0.125 {
		if !(probit(a+0.125) >= probit(a)) {
			return verify.Fail("not-rising", 2, "Your Probit falls between %g and %g; an area cannot shrink when its limit moves to the right.", a, a+0.125)
		}
	}
	if !verify.Close(probit(-10), kernel.NormCDF(-10), verify.Tolerance{Rel: 1e-9}).OK {
		return verify.Pass("It rises from 0 to 1. (One thing to know: at a = −10 your Probit has no digits left, because 1 + erf cancels there. Erfc is a function of its own for that reason.)")
	}
	return verify.Pass("It rises from 0 to 1, and keeps its digits in the left tail, where 1 + erf would cancel.")
}

func judgeOdd(erf scalar) verify.Verdict {
	got, bad := sample(erf, "ErfPRML")
	if bad != nil {
		return *bad
	}
	for i, a := range grid {
		if f := verify.Close(got[i], -erf(-a), tol); !f.OK {
			return verify.Fail("not-odd", 2, "ErfPRML(%g) and ErfPRML(%g) are not opposite numbers: they are %s. The integral runs from 0.", a, -a, f.Off())
		}
	}
	low, high := erf(math.Inf(-1)), erf(math.Inf(1))
	switch {
	case verify.Close(high, math.Sqrt2, tol).OK && verify.Close(low, -math.Sqrt2, tol).OK:
		return verify.Pass("It goes to ±√2, where the usual erf goes to ±1: that tells them apart at a glance.")
	case verify.Close(high, 1, tol).OK:
		return verify.Fail("usual-limit", 2, "Your ErfPRML goes to 1, as the usual erf does. The chapter's has exp(−θ²/2) under the integral and the same 2/√π in front, so its area is larger.")
	}
	return verify.Fail("limits", 2, "For a → ∞ your ErfPRML goes to %.4g. Which area lies under exp(−θ²/2) right of 0, times 2/√π?", high)
}

// judgeRelation compares the learner's functions with each other.
func judgeRelation(probit, erf scalar) verify.Verdict {
	p, bad := sample(probit, "Probit")
	if bad != nil {
		return *bad
	}
	e, bad := sample(erf, "ErfPRML")
	if bad != nil {
		return *bad
	}
	chapter, usual := true, true
	for i := range grid {
		chapter = chapter && verify.Close(p[i], (1+e[i]/math.Sqrt2)/2, tol).OK
		usual = usual && verify.Close(probit(math.Sqrt2*grid[i]), (1+e[i])/2, tol).OK
	}
	switch {
	case chapter && verify.Close(p[5], p[0], verify.Tolerance{Abs: 1e-3}).OK:
		return verify.Fail("constant", 1, "Both are constants. Φ grows with a.")
	case chapter:
		return verify.Pass("Your functions satisfy (4.116). With the usual erf the same reads Φ(a) = ½{1 + erf(a/√2)}: the √2 moves inside.")
	case usual:
		return verify.Fail("usual-relation", 2, "Your functions satisfy Φ(a) = ½{1 + erf(a/√2)}, the relation for the usual erf, and not (4.116).")
	}
	return verify.Fail("relation", 2, "Your two functions do not satisfy (4.116). At least one of them is not what it should be; the parts above say which.")
}

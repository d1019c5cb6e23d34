// Package lesson11 judges the task of lesson 11: the Laplace approximation of a density
// on the line.
package lesson11

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type laplaceFunc = func(logf, first, second func(z float64) float64, start float64) (z0, A, logZ float64)

// Check judges `laplace`, which approximates f(z)/Z by a Gaussian at the mode (4.130) and computes
// ln Z (4.135).
func Check(laplace laplaceFunc) *verify.Report {
	return exercise.Judge(laplaceQuestion.Parts(laplace, []judge.Property[density]{
		judge.Form("three numbers, the same on every call", ofKinds(gaussian, skewed), nil, judge.Wrong{},
			"You returned three finite numbers."),
		{Name: "exact for a Gaussian", Problems: ofKinds(gaussian), Holds: compareResults,
			Wrong: judge.Wrong{Key: "gaussian", Hint: 2,
				Message: "{problem}: f is a multiple of a Gaussian density, so the approximation must be exact. One of your results is {off}, measured in the unit that the task states for it."},
			Right: "For a Gaussian your approximation is the Gaussian itself, and its area is exact."},
		{Name: "the mode and the curvature of other densities", Problems: ofKinds(gaussian, skewed, slow),
			Holds: compareResults,
			Wrong: judge.Wrong{Key: "skewed", Hint: 1,
				Message: "{problem}: the mode, the precision or ln Z is {off}, measured in the unit that the task states for it."},
			Right: "For skewed densities your function finds the mode, and computes the curvature at the mode."},
		{Name: "heights f(z0) outside the range of a float64", Problems: ofKinds(gaussian, skewed, high),
			Holds: compareResults,
			Wrong: judge.Wrong{Key: "heights", Hint: 3,
				Message: "{problem}: one of your results is {off}, measured in the unit that the task states for it. If you compute f itself, use ln f instead."},
			Right: "Your results are also right if f(z0) overflows or underflows."},
	}...)...)
}

// compareResults compares the three numbers of the learner with the right numbers. The tolerance
// for each number is 1e-9 times the unit that the task states.
func compareResults(d density, got []float64) verify.Finding {
	want, unit := rightResults(d), units(d, nil)
	a, b := make([]float64, 3), make([]float64, 3)
	for i := range want {
		a[i], b[i] = got[i]/unit[i], want[i]/unit[i]
	}
	for i := range want {
		if found := verify.Close(a[i], b[i], verify.Tolerance{Abs: 1e-9}); !found.OK {
			return found
		}
	}
	return verify.Finding{OK: true}
}

func units(d density, _ []float64) []float64 {
	r := rightResults(d)
	return []float64{math.Max(math.Abs(r[0]), 1/math.Sqrt(r[1])), r[1], math.Max(1, math.Abs(r[2]))}
}

// rightResults returns the right z0, A and ln Z. It finds the mode z0 by bisection of the slope of
// ln f, which decreases and is 0 at the mode.
func rightResults(d density) []float64 {
	lo, hi := d.start-1, d.start+1
	for d.first(lo) < 0 {
		lo -= hi - lo
	}
	for d.first(hi) > 0 {
		hi += hi - lo
	}
	for range 200 {
		if mid := lo + (hi-lo)/2; d.first(mid) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	z0 := lo + (hi-lo)/2
	a := -d.second(z0)
	return []float64{z0, a, d.logf(z0) + (math.Log(2*math.Pi)-math.Log(a))/2}
}

var laplaceQuestion = &judge.Question[laplaceFunc, density]{
	Func: "Laplace", Name: "results", Hint: 1, Entries: []string{"z0", "A", "logZ"}, Unit: units,
	Invoke: func(f laplaceFunc, _ *judge.Call, d density) []float64 {
		z0, a, logZ := f(d.logf, d.first, d.second, d.start)
		return []float64{z0, a, logZ}
	},
	Right: rightResults,
	Nearly: judge.Wrong{Key: "nearly", Hint: 1,
		Message: "Nearly: for {problem} your results are right only in their first digits: they are {off} (entry 0 is z0, 1 is A, 2 is ln Z). Repeat Newton's step until z no longer changes, and compute A with the function second."},
	Mistakes: []judge.Mistake[laplaceFunc]{
		{Key: "one-step", Hint: 1,
			Message: "{problem}: your mode is the result of a single Newton step. This step goes to the maximum of the parabola at the start, which is the maximum of ln f only if f is a multiple of a Gaussian.",
			Answer:  newtonFrom(1, precision, area)},
		{Key: "no-step", Hint: 1, Message: "You return the start as the mode, but the slope of ln f is not 0 there.",
			Answer: newtonFrom(0, precision, area)},
		{Key: "curvature-of-start", Hint: 2,
			Message: "{problem}: your A is the curvature at the start, not at the mode.",
			Answer: func(logf, first, second func(z float64) float64, start float64) (z0, A, logZ float64) {
				z0, A = newton(100, first, second, start), -second(start)
				return z0, A, area(logf(z0), A)
			}},
		{Key: "curvature-of-f", Hint: 2,
			Message: "{problem}: your A is the curvature of f, which contains the factor f(z0). Use the curvature of ln f.",
			Answer:  newtonFrom(100, func(logf, a float64) float64 { return a * math.Exp(logf) }, area)},
		{Key: "variance", Hint: 2, Message: "You return the variance 1/A. A is the precision.",
			Answer: newtonFrom(100, func(_, a float64) float64 { return 1 / a },
				func(l, v float64) float64 { return area(l, 1/v) })},
		{Key: "deviation", Hint: 2, Message: "You return the standard deviation 1/√A. A is the precision.",
			Answer: newtonFrom(100, func(_, a float64) float64 { return 1 / math.Sqrt(a) },
				func(l, s float64) float64 { return area(l, 1/(s*s)) })},
		{Key: "half", Hint: 2, Message: "Your A is half of the precision. The exponent of the Gaussian is −½A(z − z0)², so the ½ is not a part of A.",
			Answer: newtonFrom(100, func(_, a float64) float64 { return a / 2 },
				func(l, a float64) float64 { return area(l, 2*a) })},
		{Key: "precision-for-variance", Hint: 3,
			Message: "Your ln Z contains the precision in place of the variance. A narrower peak of the same height has less area, not more.",
			Answer:  newtonFrom(100, precision, func(l, a float64) float64 { return l + math.Log(2*math.Pi*a)/2 })},
		{Key: "no-pi", Hint: 3,
			Message: "In your ln Z the term ½ ln 2π is missing: the area under a bell of height 1 and precision 1 is √(2π).",
			Answer:  newtonFrom(100, precision, func(l, a float64) float64 { return l - math.Log(a)/2 })},
		{Key: "no-root", Hint: 3, Message: "Your ln Z contains ln(2π/A) in place of ½ ln(2π/A): the area under a bell of height 1 is √(2π/A).",
			Answer: newtonFrom(100, precision, func(l, a float64) float64 { return l + math.Log(2*math.Pi/a) })},
		{Key: "no-height", Hint: 3, Message: "{problem}: ln f(z0) is missing from ln Z: the height of the bell is f(z0), not 1.",
			Answer: newtonFrom(100, precision, func(_, a float64) float64 { return area(0, a) })},
		{Key: "only-height", Hint: 3, Message: "You return ln f(z0) for ln Z. Z is an area: the height f(z0) times the width √(2π/A).",
			Answer: newtonFrom(100, precision, func(l, _ float64) float64 { return l })},
		{Key: "not-logarithm", Hint: 3, Message: "{problem}: you return Z instead of ln Z.",
			Answer: newtonFrom(100, precision, func(l, a float64) float64 { return math.Exp(area(l, a)) })},
		{Key: "inverse", Hint: 3,
			Message: "Your ln Z has the wrong sign: it is the logarithm of 1/Z, the factor in front of f in the density f(z)/Z.",
			Answer:  newtonFrom(100, precision, func(l, a float64) float64 { return -area(l, a) })},
	},
}

func precision(_, a float64) float64 { return a }

func area(logf, a float64) float64 { return logf + math.Log(2*math.Pi/a)/2 }

func newton(steps int, first, second func(z float64) float64, z float64) float64 {
	for range steps {
		z -= first(z) / second(z)
	}
	return z
}

// newtonFrom returns an answer that takes the given number of Newton steps; z0 is the result of the
// last step. The function `shape` then computes A from ln f(z0) and −(ln f)″(z0). The function
// `logZ` computes ln Z from ln f(z0) and A.
func newtonFrom(steps int, shape func(logf, a float64) float64, logZ func(logf, shape float64) float64) laplaceFunc {
	return func(logf, first, second func(z float64) float64, start float64) (z0, A, Z float64) {
		z0 = newton(steps, first, second, start)
		A = shape(logf(z0), -second(z0))
		return z0, A, logZ(logf(z0), A)
	}
}

// A density is a function f on the line with a single mode and a concave ln f. The functions `first`
// and `second` are the derivatives of ln f. From the point `start`, Newton's method converges to the
// mode within 20 steps.
type density struct {
	name                string
	logf, first, second func(z float64) float64
	start               float64
}

type kind uint64

const (
	gaussian kind = iota
	skewed
	slow
	high
)

// ofKinds returns a function that draws densities of the given kinds.
func ofKinds(kinds ...kind) func() []density {
	return func() (list []density) {
		for _, k := range kinds {
			if k == slow {
				list = append(list, steepDensity(0, 1), steepDensity(0, 1e-6), steepDensity(0, 1e6), steepDensity(-3, 2))
				continue
			}
			r := instance.Source(5011, uint64(k))
			for i := range 6 {
				list = append(list, draw(r, k, i))
			}
		}
		return list
	}
}

func draw(r *rand.Rand, k kind, i int) density {
	height := instance.Normals(r, 1)[0]
	if k == high {
		height = []float64{-5000, 900, -800, 3000, -1e4, 1e4}[i]
	}
	shift := []float64{100, 0, -100, 0, -50, 0}[i]
	switch {
	case k == gaussian || i%4 == 3:
		return bellDensity(r, height).shifted(shift)
	case i%4 == 0:
		return rateDensity(r, height).shifted(shift)
	case i%4 == 1:
		return weightPosterior(r, height).shifted(shift)
	}
	return cutOffDensity(r, height).shifted(shift)
}

// steepDensity returns a density proportional to exp(−cosh((z−mode)/unit)), which decreases very
// fast. Newton's method needs 18 steps, because each of the first steps moves z only about one unit
// towards the mode.
func steepDensity(mode, unit float64) density {
	return density{
		name:   fmt.Sprintf("exp(−cosh) in units of %g", unit),
		logf:   func(z float64) float64 { return -math.Cosh((z - mode) / unit) },
		first:  func(z float64) float64 { return -math.Sinh((z-mode)/unit) / unit },
		second: func(z float64) float64 { return -math.Cosh((z-mode)/unit) / (unit * unit) },
		start:  mode + 15*unit,
	}
}

// shifted returns the density d, shifted to the right by the given distance.
func (d density) shifted(distance float64) density {
	at := func(f func(float64) float64) func(float64) float64 {
		return func(z float64) float64 { return f(z - distance) }
	}
	return density{d.name, at(d.logf), at(d.first), at(d.second), d.start + distance}
}

// bellDensity returns a narrow or a wide Gaussian density, multiplied by a constant.
func bellDensity(r *rand.Rand, height float64) density {
	m, a := 3*r.NormFloat64(), math.Pow(10, 4*r.Float64()-2)
	return density{
		name:   "a Gaussian",
		logf:   func(z float64) float64 { return height - a*(z-m)*(z-m)/2 },
		first:  func(z float64) float64 { return -a * (z - m) },
		second: func(float64) float64 { return -a },
		start:  m + (1+r.Float64())/math.Sqrt(a),
	}
}

// rateDensity returns a multiple of the density of z = ln τ for a number τ with a gamma
// distribution.
func rateDensity(r *rand.Rand, height float64) density {
	n, s := 1+20*r.Float64(), math.Exp(r.NormFloat64())
	return density{
		name:   "the logarithm of a gamma variable",
		logf:   func(z float64) float64 { return height + n*z - s*math.Exp(z) },
		first:  func(z float64) float64 { return n - s*math.Exp(z) },
		second: func(z float64) float64 { return -s * math.Exp(z) },
		// start to the right of the mode, where a Newton step never passes beyond the mode
		start: math.Log(n/s) + 0.5 + r.Float64(),
	}
}

// weightPosterior returns a multiple of the posterior density of a single weight: the product of a
// Gaussian prior and six sigmoids, times a constant.
func weightPosterior(r *rand.Rand, height float64) density {
	alpha, x, t := 0.2+r.Float64(), instance.Normals(r, 6), make([]float64, 6)
	for n := range t {
		t[n] = float64(n % 2)
	}
	sum := func(start float64, term func(n int) float64) float64 {
		for n := range x {
			start += term(n)
		}
		return start
	}
	return density{
		name: "a prior times sigmoids",
		logf: func(w float64) float64 {
			return sum(height-alpha*w*w/2, func(n int) float64 { return -kernel.CrossEntropy(w*x[n], t[n]) })
		},
		first: func(w float64) float64 {
			return sum(-alpha*w, func(n int) float64 { return (t[n] - kernel.Sigmoid(w*x[n])) * x[n] })
		},
		second: func(w float64) float64 {
			return sum(-alpha,
				func(n int) float64 { return -kernel.Sigmoid(w*x[n]) * kernel.Sigmoid(-w*x[n]) * x[n] * x[n] })
		},
		start: 0,
	}
}

// cutOffDensity returns a multiple of exp(−z²/2)σ(cz+1). PRML figure 4.14 shows a similar density
// with a steeper sigmoid.
func cutOffDensity(r *rand.Rand, height float64) density {
	c := 1 + r.Float64()
	return density{
		name:   "a Gaussian cut off by a sigmoid",
		logf:   func(z float64) float64 { return height - z*z/2 + kernel.LogSigmoid(c*z+1) },
		first:  func(z float64) float64 { return -z + c*kernel.Sigmoid(-c*z-1) },
		second: func(z float64) float64 { return -1 - c*c*kernel.Sigmoid(c*z+1)*kernel.Sigmoid(-c*z-1) },
		start:  0.5 + r.Float64(),
	}
}

func init() { judge.Known(exercise, laplaceQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson11", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

func (d density) String() string { return fmt.Sprintf("%s (start %.3g)", d.name, d.start) }

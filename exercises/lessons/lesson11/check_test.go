package lesson11_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson11"
)

type laplaceFunc = func(logf, first, second func(z float64) float64, start float64) (z0, A, logZ float64)

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson11.Exercise(), gate.Of(lesson11.Check, Laplace))
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson11.Check, map[string]laplaceFunc{
		"reference": Laplace,
		"a fixed number of steps": func(logf, first, second func(z float64) float64, start float64) (z0, A,
			logZ float64) {
			for range 20 {
				start += first(start) / -second(start)
			}
			A = -second(start)
			return start, A, logf(start) + 0.5*math.Log(2*math.Pi) - 0.5*math.Log(A)
		},
		"until the slope is nearly 0": func(logf, first, second func(z float64) float64, start float64) (z0, A,
			logZ float64) {
			z0, A = start, -second(start)
			for i := 0; i < 1000 && math.Abs(first(z0)) > 1e-13*math.Sqrt(A); i++ {
				z0 += first(z0) / A
				A = -second(z0)
			}
			return z0, A, logf(z0) + math.Log(math.Sqrt(2*math.Pi/A))
		},
		"bisection": func(logf, first, second func(z float64) float64, start float64) (z0, A, logZ float64) {
			lo, hi := start-1, start+1
			for first(lo) < 0 {
				lo -= 2 * (hi - lo)
			}
			for first(hi) > 0 {
				hi += 2 * (hi - lo)
			}
			for range 300 {
				if z0 = (lo + hi) / 2; first(z0) > 0 {
					lo = z0
				} else {
					hi = z0
				}
			}
			A = -second(z0)
			return z0, A, logf(z0) - math.Log(A/(2*math.Pi))/2
		},
	})
}

// newton returns an answer that takes Newton steps as long as the function `more` returns true. The
// arguments of `more` are the number that the last step subtracted from z, the slope, and the number
// of steps so far. Before the first step, the first of these arguments is Inf.
func newton(more func(step, slope float64, steps int) bool) laplaceFunc {
	return func(logf, first, second func(z float64) float64, start float64) (z0, A, logZ float64) {
		z0 = start
		for steps, step := 0, math.Inf(1); more(step, first(z0), steps); steps++ {
			step = first(z0) / second(z0)
			z0 -= step
		}
		A = -second(z0)
		return z0, A, logf(z0) + math.Log(2*math.Pi/A)/2
	}
}

// TestWrong judges wrong answers that are not in the table of mistakes, and checks the keys of the
// verdicts.
func TestWrong(t *testing.T) {
	gate.Wrongs(t, lesson11.Exercise(), lesson11.Check, map[string][]laplaceFunc{
		"nearly": {newton(func(_, slope float64, _ int) bool { return math.Abs(slope) > 1e-3 }),
			// this answer computes A from a second difference of ln f
			func(logf, first, second func(z float64) float64, start float64) (z0, A, logZ float64) {
				z0, _, _ = Laplace(logf, first, second, start)
				h := 1e-2 / math.Sqrt(-second(z0))
				A = (2*logf(z0) - logf(z0+h) - logf(z0-h)) / (h * h)
				return z0, A, logf(z0) + math.Log(2*math.Pi/A)/2
			}},
		"gaussian": {func(logf, first, second func(z float64) float64, start float64) (z0, A, logZ float64) {
			z0, A, logZ = Laplace(logf, first, second, start)
			return z0, A, logZ + 1
		}},
		"skewed": {
			newton(func(step, _ float64, steps int) bool { return steps < 2 }),
			newton(func(step, _ float64, steps int) bool { return steps < 5 }),
			newton(func(step, _ float64, steps int) bool { return steps < 10 }),
			newton(func(step, _ float64, steps int) bool { return math.Abs(step) > 1e-6 }),
		},
		"not-finite": {
			// this answer returns A with the wrong sign
			func(logf, first, second func(z float64) float64, start float64) (z0, A, logZ float64) {
				z0, _, _ = Laplace(logf, first, second, start)
				A = second(z0)
				return z0, A, logf(z0) + math.Log(2*math.Pi/A)/2
			},
			// this answer computes f itself, which overflows
			func(logf, first, second func(z float64) float64, start float64) (z0, A, logZ float64) {
				z0, A, _ = Laplace(logf, first, second, start)
				return z0, A, math.Log(math.Exp(logf(z0)) * math.Sqrt(2*math.Pi/A))
			},
		},
	})
}

// TestArea compares ln Z of the reference answer with the exact value ln Γ(n) − n ln s for the
// function ln f(z) = nz − s·exp(z), with n = 9 and s = 2.
func TestArea(t *testing.T) {
	logf := func(z float64) float64 { return 9*z - 2*math.Exp(z) }
	_, _, got := Laplace(logf, func(z float64) float64 { return 9 - 2*math.Exp(z) },
		func(z float64) float64 { return -2 * math.Exp(z) }, 2)
	lgamma, _ := math.Lgamma(9)
	// here Laplace's ln Z is Stirling's formula, whose error for ln Γ(n) is about 1/(12n)
	if want := lgamma - 9*math.Log(2); math.Abs(got-want) > 1.0/(11*9) {
		t.Errorf("got ln Z = %.6f, want at most 1/99 above or below the exact value %.6f", got, want)
	}
}

func ExampleCheck() {
	withPrecision := func(logf, first, second func(z float64) float64, start float64) (z0, A, logZ float64) {
		z0, A, logZ = Laplace(logf, first, second, start)
		return z0, A, logZ + math.Log(A)
	}
	fmt.Println(lesson11.Check(withPrecision).Parts[1].Message)
	// Output: Your ln Z contains the precision in place of the variance. A narrower peak of the same height has less area, not more.
}

/*
Equivalent mutants

Laplace: for range 20 → for range 20-1
Laplace: for range 20 → for range 21
Laplace: for range 20 → for range 19
    Eighteen steps suffice from every start. A further step from the mode stays at the mode.
*/

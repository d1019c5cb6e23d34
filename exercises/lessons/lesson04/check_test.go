package lesson04_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson04"
)

type stepFunc = func(w, phi []float64, t, eta float64) []float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson04.Exercise(), gate.OfNew(lesson04.Check, Step))
}

// TestDigits checks the tolerance for every problem: Check must accept a tenth of the error that
// the exercise allows, and reject ten times the allowed error.
func TestDigits(t *testing.T) {
	gate.Digits(t, lesson04.Check, Step, func(in, out []any) float64 { return 1e-12 * gate.Largest(in[0], out[0]) })
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson04.Check, map[string]stepFunc{
		"reference": Step,
		"matrices": func(w, phi []float64, t, eta float64) []float64 {
			v, x := mat.NewVecDense(len(w), w), mat.NewVecDense(len(phi), phi)
			var next mat.VecDense
			next.CloneFromVec(v)
			if !(mat.Dot(v, x)*t > 0) {
				next.AddScaledVec(v, eta*t, x)
			}
			return next.RawVector().Data
		},
		"as a factor": func(w, phi []float64, t, eta float64) []float64 {
			wrong := 0.0
			if math.Signbit(floats.Dot(w, phi)*t) || floats.Dot(w, phi) == 0 {
				wrong = 1
			}
			return floats.AddScaledTo(make([]float64, len(w)), w, wrong*eta*t, phi)
		},
		"by sides": func(w, phi []float64, t, eta float64) []float64 {
			a := 0.0
			for i := range w {
				a += w[i] * phi[i]
			}
			if (t > 0 && a > 0) || (t < 0 && a < 0) {
				return append([]float64(nil), w...)
			}
			var next []float64
			for i := range w {
				next = append(next, w[i]-eta*(-t)*phi[i])
			}
			return next
		},
	})
}

func TestWrong(t *testing.T) {
	gate.Wrongs(t, lesson04.Exercise(), lesson04.Check, map[string][]stepFunc{
		"correction":   {func(w, phi []float64, t, eta float64) []float64 { return Step(w, phi, t, eta*eta) }},
		"wrong-before": {func(w, phi []float64, t, eta float64) []float64 { return Step(w, phi, t, eta*eta) }},
		"not-new": {func(w, phi []float64, t, eta float64) []float64 {
			if floats.Dot(w, phi)*t > 0 {
				return w
			}
			return Step(w, phi, t, eta)
		}},
		"changes-the-right": {marginStep(1e-2), marginStep(1e-3), marginStep(1e-6)},
	})
}

// marginStep returns an answer that corrects the weights for more patterns than the perceptron does:
// it also corrects them for patterns on the right side if |wᵀφ| is at most `margin`.
func marginStep(margin float64) stepFunc {
	return func(w, phi []float64, t, eta float64) []float64 {
		if a := floats.Dot(w, phi) * t; 0 < a && a <= margin {
			return floats.AddScaledTo(make([]float64, len(w)), w, eta*t, phi)
		}
		return Step(w, phi, t, eta)
	}
}

func ExampleCheck() {
	towards := func(w, phi []float64, t, eta float64) []float64 { return Step(w, phi, t, -eta) }
	fmt.Println(lesson04.Check(towards).Parts[2].Message)
	// Output: Your correction goes the wrong way: along the gradient of the criterion, not against it. After the correction the pattern is farther on the wrong side.
}

/*
Equivalent mutants

Step: if floats.Dot(w, phi)*t <= 0 → if floats.Dot(w, phi)/t <= 0
    t is +1 or −1, so it is its own reciprocal.

Step: floats.AddScaled(next, eta*t, phi) → floats.AddScaled(next, eta/t, phi)
    t is +1 or −1, so it is its own reciprocal.
*/

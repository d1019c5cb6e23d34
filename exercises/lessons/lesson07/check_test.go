package lesson07_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson07"
)

type epochFunc = func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson07.Exercise(), gate.OfNew(lesson07.Check, Epoch))
}

// TestDigits checks the tolerance for every problem: Check must accept a tenth of the error that
// the exercise allows, and reject ten times the allowed error.
func TestDigits(t *testing.T) {
	gate.Digits(t, lesson07.Check, Epoch, func(in, out []any) float64 { return 1e-9 * gate.Largest(in[0], out[0]) })
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson07.Check, map[string]epochFunc{
		"reference": Epoch,
		"vectors": func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			v := mat.VecDenseCopyOf(mat.NewVecDense(len(w), w))
			for n := range t {
				a := mat.Dot(v, Phi.RowView(n))
				y := 1 / (1 + math.Exp(-a))
				if a < 0 {
					y = math.Exp(a) / (1 + math.Exp(a))
				}
				v.AddScaledVec(v, -eta*(y-t[n]), Phi.RowView(n))
			}
			return v.RawVector().Data
		},
		"output from the hyperbolic tangent": func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			v := append([]float64{}, w...)
			for n, target := range t {
				phi := mat.Row(nil, n, Phi)
				y := (1 + math.Tanh(floats.Dot(v, phi)/2)) / 2
				floats.Scale(eta*(target-y), phi)
				floats.Add(v, phi)
			}
			return v
		},
		"by classes": func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			next := append([]float64(nil), w...)
			for n := range t {
				a := 0.0
				for j := range next {
					a += next[j] * Phi.At(n, j)
				}
				step := -eta / (1 + math.Exp(-a))
				if t[n] == 1 {
					step = eta / (1 + math.Exp(a))
				}
				for j := range next {
					next[j] += step * Phi.At(n, j)
				}
			}
			return next
		},
	})
}

func TestWrong(t *testing.T) {
	naive := func(a float64) float64 { return math.Exp(a) / (1 + math.Exp(a)) }
	followRows := func(sigma func(float64) float64) epochFunc {
		return func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			next := append([]float64(nil), w...)
			for n := range t {
				a := 0.0
				for j := range next {
					a += next[j] * Phi.At(n, j)
				}
				for j := range next {
					next[j] += eta * (t[n] - sigma(a)) * Phi.At(n, j)
				}
			}
			return next
		}
	}
	// stopsAt returns an answer that stops at the first row for which `when` returns true
	stopsAt := func(when func(a, t, eta float64) bool) epochFunc {
		return func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			next := append([]float64(nil), w...)
			for n := range t {
				a := floats.Dot(Phi.RawRowView(n), next)
				if when(a, t[n], eta) {
					break
				}
				floats.AddScaled(next, eta*(t[n]-1/(1+math.Exp(-a))), Phi.RawRowView(n))
			}
			return next
		}
	}
	clip := func(least float64) epochFunc {
		return followRows(func(a float64) float64 { return math.Max(least, math.Min(1-least, 1/(1+math.Exp(-a)))) })
	}
	gate.Wrongs(t, lesson07.Exercise(), lesson07.Check, map[string][]epochFunc{
		"not-finite": {followRows(naive)},
		"far": {followRows(func(a float64) float64 { return naive(math.Max(-9, math.Min(9, a))) }), clip(1e-7), clip(1e-8),
			stopsAt(func(a, t, eta float64) bool { return math.Abs(eta*(t-1/(1+math.Exp(-a)))) < 1e-6 }),
			stopsAt(func(a, t, _ float64) bool { return (2*t-1)*a > 20 })},
		"step": {func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			return Epoch(w, Phi, t, eta*eta)
		}},
		"sequence": {func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 {
			for n := 0; n < len(t); n += 2 { // this answer uses only every second pattern
				w = Epoch(w, Phi.Slice(n, n+1, 0, len(w)).(*mat.Dense), t[n:n+1], eta)
			}
			return w
		}},
	})
}

func ExampleCheck() {
	up := func(w []float64, Phi *mat.Dense, t []float64, eta float64) []float64 { return Epoch(w, Phi, t, -eta) }
	fmt.Println(lesson07.Check(up).Parts[1].Message)
	// Output: Your step goes up the gradient: it moves the output away from the target. With (y − t) subtract, with (t − y) add.
}

package lesson10_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson10"
)

type gradientFunc = func(w []float64, Phi *mat.Dense, t []float64, eps float64) []float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson10.Exercise(), gate.OfNew(lesson10.Check, Gradient))
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson10.Check, map[string]gradientFunc{
		"reference": Gradient,
		// derivative of E = −Σ ln{(1−ε)σ(sa)+εσ(−sa)}; s is 1 or −1
		"signs": func(w []float64, Phi *mat.Dense, t []float64, eps float64) []float64 {
			g := mat.NewVecDense(len(w), nil)
			for n := range t {
				s := 2*t[n] - 1
				x := s * mat.Dot(Phi.RowView(n), mat.NewVecDense(len(w), w))
				right, wrong := 1/(1+math.Exp(-x)), 1/(1+math.Exp(x))
				g.AddScaledVec(g, -s*(1-2*eps)*right*wrong/((1-eps)*right+eps*wrong), Phi.RowView(n))
			}
			return g.RawVector().Data
		},
		"hyperbolic tangents": func(w []float64, Phi *mat.Dense, t []float64, eps float64) []float64 {
			g := make([]float64, len(w))
			for j := range g {
				for n := range t {
					a := 0.0
					for i := range w {
						a += w[i] * Phi.At(n, i)
					}
					s := (1 + math.Tanh(a/2)) / 2
					y := (1-eps)*s + eps*(1-s)
					v := (1 - 2*eps) / 4 * (1 - math.Pow(math.Tanh(a/2), 2))
					if t[n] == 1 {
						g[j] -= v / y * Phi.At(n, j)
					} else {
						g[j] += v / (1 - y) * Phi.At(n, j)
					}
				}
			}
			return g
		},
		"by cases": func(w []float64, Phi *mat.Dense, t []float64, eps float64) []float64 {
			var a, g mat.VecDense
			a.MulVec(Phi, mat.NewVecDense(len(w), w))
			for n := range t {
				tail := math.Exp(-math.Log1p(math.Exp(-math.Abs(a.AtVec(n))))) // σ(|a|)
				slope := (1 - 2*eps) * tail * (1 - tail)
				s := tail
				if a.AtVec(n) < 0 {
					s = 1 - tail
				}
				if t[n] == 1 {
					a.SetVec(n, -slope/(eps+(1-2*eps)*s))
				} else {
					a.SetVec(n, slope/(1-eps-(1-2*eps)*s))
				}
			}
			g.MulVec(Phi.T(), &a)
			return g.RawVector().Data
		},
	})
}

// TestWrong judges wrong answers that are not in the table of mistakes, and checks the keys of the
// verdicts.
func TestWrong(t *testing.T) {
	gate.Wrongs(t, lesson10.Exercise(), lesson10.Check, map[string][]gradientFunc{
		"gradient": {func(w []float64, Phi *mat.Dense, t []float64, eps float64) []float64 {
			return Gradient(w, Phi, t, eps/2)
		}},
		// this answer clips activations to ±15
		"far": {func(w []float64, Phi *mat.Dense, t []float64, eps float64) []float64 {
			g := make([]float64, len(w))
			for n := range t {
				a := mat.Dot(Phi.RowView(n), mat.NewVecDense(len(w), w))
				a = math.Max(-15, math.Min(15, a))
				pull := Gradient([]float64{a}, mat.NewDense(1, 1, []float64{1}), t[n:n+1], eps)[0]
				for j := range g {
					g[j] += pull * Phi.At(n, j)
				}
			}
			return g
		}},
		// this answer computes σ as e^a/(1+e^a), which overflows
		"not-finite": {func(w []float64, Phi *mat.Dense, t []float64, eps float64) []float64 {
			g := make([]float64, len(w))
			for n := range t {
				e := math.Exp(mat.Dot(Phi.RowView(n), mat.NewVecDense(len(w), w)))
				s := e / (1 + e)
				y := eps + (1-2*eps)*s
				for j := range g {
					g[j] += (y - t[n]) / (y * (1 - y)) * (1 - 2*eps) * s * (1 - s) * Phi.At(n, j)
				}
			}
			return g
		}},
	})
}

// TestGradient compares the reference answer with central differences of E.
func TestGradient(t *testing.T) {
	Phi, labels, eps := mat.NewDense(4, 2, []float64{1, -2, 1, 0.5, 1, 1, 1, 3}), []float64{1, 0, 1, 1}, 0.07
	e := func(w []float64) (sum float64) {
		for n, label := range labels {
			y := eps + (1-2*eps)/(1+math.Exp(-w[0]-w[1]*Phi.At(n, 1)))
			sum -= label*math.Log(y) + (1-label)*math.Log(1-y)
		}
		return sum
	}
	w := []float64{0.3, -0.8}
	want := fd.Gradient(nil, e, w, &fd.Settings{Formula: fd.Central})
	for j, g := range Gradient(w, Phi, labels, eps) {
		if math.Abs(g-want[j]) > 1e-8 {
			t.Errorf("entry %d of the gradient is %g, want the central difference %g, to within 1e-8", j, g, want[j])
		}
	}
}

func ExampleCheck() {
	trusting := func(w []float64, Phi *mat.Dense, t []float64, _ float64) []float64 { return Gradient(w, Phi, t, 0) }
	fmt.Println(lesson10.Check(trusting).Parts[1].Message)
	// Output: You return Σ(σ−t)φ, the gradient of ordinary logistic regression, which takes all labels to be right, whatever ε is.
}

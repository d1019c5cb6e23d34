package lesson05_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson05"
)

type sphericalFunc = func(mu1, mu2 []float64, lambda, p1 float64) []float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson05.Exercise(), gate.OfNew(lesson05.Check, Spherical))
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson05.Check, map[string]sphericalFunc{
		"reference": Spherical,
		"through the middle": func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
			w := floats.SubTo(make([]float64, len(mu1)), mu1, mu2)
			floats.Scale(1/lambda, w)
			middle := floats.AddTo(make([]float64, len(mu1)), mu1, mu2)
			return append([]float64{math.Log(p1) - math.Log(1-p1) - floats.Dot(w, middle)/2}, w...)
		},
		"by distances": func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
			var w []float64
			w0 := math.Log(p1) - math.Log1p(-p1)
			for i, m := range mu1 {
				w = append(w, m/lambda-mu2[i]/lambda)
				w0 += 0.5 / lambda * (mu2[i] - m) * (mu2[i] + m)
			}
			return append([]float64{w0}, w...)
		},
		"by densities": func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
			d := len(mu1)
			sigma := mat.NewSymDense(d, nil)
			for i := range d {
				sigma.SetSym(i, i, lambda)
			}
			one, _ := distmv.NewNormal(mu1, sigma, nil)
			two, _ := distmv.NewNormal(mu2, sigma, nil)
			w := make([]float64, d+1)
			x := make([]float64, d)
			w[0] = one.LogProb(x) - two.LogProb(x) + math.Log(p1/(1-p1))
			step := math.Sqrt(lambda)
			for i := range d { // the log odds are linear, so a difference quotient is exactly their slope
				x[i] = step
				w[i+1] = (one.LogProb(x) - two.LogProb(x) + math.Log(p1/(1-p1)) - w[0]) / step
				x[i] = 0
			}
			return w
		},
	})
}

func TestWrong(t *testing.T) {
	gate.Wrongs(t, lesson05.Exercise(), lesson05.Check, map[string][]sphericalFunc{
		"wrong-before": {func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
			return Spherical(mu1, mu2, math.Sqrt(lambda)+lambda, p1)
		}},
		// this answer computes densities at x = 0, and the densities can underflow
		"not-finite": {func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
			w := Spherical(mu1, mu2, lambda, p1)
			density := func(mu []float64) float64 { return math.Exp(-floats.Dot(mu, mu) / (2 * lambda)) }
			w[0] = math.Log(density(mu1) / density(mu2) * p1 / (1 - p1))
			return w
		}},
		"weights": {func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
			return Spherical(mu1, mu2, lambda+1,
				p1)
		}},
		"prior": {func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
			return Spherical(mu1, mu2, lambda, 1/(1+math.Exp(2-4*p1)))
		}},
		"limits": {func(mu1, mu2 []float64, lambda, p1 float64) []float64 {
			return Spherical(mu1, mu2, lambda, math.Max(p1, 1e-4))
		}},
	})
}

func ExampleCheck() {
	asPrinted := func(mu1, mu2 []float64, lambda, p1 float64) []float64 { return Spherical(mu1, mu2, lambda, 1-p1) }
	fmt.Println(lesson05.Check(asPrinted).Parts[2].Message)
	// Output: The quotient of the priors is upside down: class 1 comes first, as everywhere in the log odds. (One of Gambosi's slides prints it the other way.)
}

package multiclass

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func drawn() Problem {
	r := rand.New(rand.NewPCG(4, 18))
	return Draw(r, "drawn", 20, 3, []float64{1, 0}, []float64{0, 1}, 1, func() int { return r.IntN(3) })
}

func TestGradient(t *testing.T) {
	p := drawn()
	g := Gradient(p.W, p.Phi, p.T, Right)
	if f := verify.Gradient(p.Error, Entries(p.W), Entries(g), verify.Tolerance{Rel: 1e-7, Abs: 1e-7}); !f.OK {
		t.Errorf("Gradient does not return the gradient of the error: %s", f.Off())
	}
	if got, want := p.Error(make([]float64, 6)), 20*math.Log(3); math.Abs(got-want) > 1e-12 {
		t.Errorf("at W = 0 the error is %g, want N ln K = %g", got, want)
	}
	var parts mat.Dense // the gradient of the first point plus the gradient of all other points
	parts.Add(Gradient(p.W, Only(p.Phi, FirstPoint), p.T, Right), Gradient(p.W, Only(p.Phi, AllButFirst), p.T, Right))
	if !mat.EqualApprox(g, &parts, 1e-12) {
		t.Errorf("the gradient of the first point plus the gradient of all other points is\n%v\nwant the gradient of all points\n%v", mat.Formatted(&parts), mat.Formatted(g))
	}
}

func TestDerivative(t *testing.T) {
	a := Scores{0.3, -1.2, 2}
	y := kernel.Softmax(a)
	if got := Entries(Derivative(Softmax).At(y)); !a.Derivatives(got).OK || !Columns("")(a, got).OK || !Rows("")(a, got).OK {
		t.Errorf("Derivative(Softmax) yields %v, want the Jacobian of the softmax", got)
	}
}

// TestHessian checks that the Hessian contains the derivatives of the gradient, both with the
// weights grouped by class and with the weights grouped by feature.
func TestHessian(t *testing.T) {
	p := drawn()
	_, m, k := p.Dims()
	y := Outputs(p.W, p.Phi, kernel.Softmax)
	classes, features := Hessian(y, p.Phi, Softmax, false), Hessian(y, p.Phi, Softmax, true)
	for i := range m * k {
		for j := range m * k {
			if a, b := classes.At(i, j), features.At(i%m*k+i/m, j%m*k+j/m); a != b {
				t.Errorf("with the weights grouped by class, entry (%d, %d) is %g, but with the weights grouped by feature the same derivative is %g; want equal numbers", i, j, a, b)
			}
		}
	}
	gradient := func(w []float64) []float64 { return Entries(Gradient(mat.NewDense(m, k, w), p.Phi, p.T, Right)) }
	if f := verify.Jacobian(gradient, Entries(p.W), features, verify.Tolerance{Rel: 1e-7, Abs: 1e-7}); !f.OK {
		t.Errorf("the Hessian does not contain the derivatives of the gradient: %s", f.Off())
	}
}

package verify_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A prediction is least squares when it lies in the span of the columns and its
// residuals are orthogonal to them. The targets themselves leave no residual, but
// are not in the span.
func ExampleNormalEquations() {
	x := mat.NewDense(3, 2, []float64{1, 0, 1, 1, 1, 2})
	t := mat.NewDense(3, 1, []float64{0, 1, 5})
	line := mat.NewDense(3, 1, []float64{-0.5, 2, 4.5})
	fmt.Println(verify.NormalEquations(x, line, t, 1e-12).OK, verify.InSpan(x, line, 1e-12).OK)
	fmt.Println(verify.NormalEquations(x, t, t, 1e-12).OK, verify.InSpan(x, t, 1e-12).OK)
	// Output:
	// true true
	// true false
}

func ExampleInSpan() {
	x := mat.NewDense(3, 1, []float64{1, 1, 1})
	f := verify.InSpan(x, mat.NewDense(3, 1, []float64{1, 2, 3}), 1e-12)
	fmt.Println(f.OK, f.Off())
	// Output: false off by about 1 in column 0
}

// The Jacobian of a gradient is the Hessian.
func ExampleJacobian() {
	gradient := func(w []float64) []float64 { return []float64{2 * w[0], w[1]} } // of w₀² + w₁²/2
	f := verify.Jacobian(gradient, []float64{1, 1}, mat.NewDense(2, 2, []float64{2, 0, 0, 2}), verify.Tolerance{Rel: 1e-8})
	fmt.Println(f.OK, f.Off())
	// Output: false off by about 1 in row 1, column 1
}

package verify_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// The residuals of the least-squares line are orthogonal to the columns, those of
// another line are not.
func ExampleNormalEquations() {
	x := mat.NewDense(3, 2, []float64{1, 0, 1, 1, 1, 2})
	t := mat.NewDense(3, 1, []float64{0, 1, 5})
	fmt.Println(verify.NormalEquations(x, mat.NewDense(3, 1, []float64{-0.5, 2, 4.5}), t, 1e-12).OK)
	fmt.Println(verify.NormalEquations(x, mat.NewDense(3, 1, []float64{0, 2, 4}), t, 1e-12).OK)
	// Output:
	// true
	// false
}

// The Jacobian of a gradient is the Hessian.
func ExampleJacobian() {
	gradient := func(w []float64) []float64 { return []float64{2 * w[0], w[1]} } // of w₀² + w₁²/2
	f := verify.Jacobian(gradient, []float64{1, 1}, mat.NewDense(2, 2, []float64{2, 0, 0, 2}), verify.Tolerance{Rel: 1e-8})
	fmt.Println(f.OK, f.Off())
	// Output: false off by about 1 in row 1, column 1
}

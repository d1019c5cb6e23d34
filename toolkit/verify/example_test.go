package verify_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// The check of an exercise passes parts to Run. The first part calls the learner's function. The
// second part panics with TODO, as if the learner had not replaced a stub.
func ExampleRun() {
	square := func(x float64) float64 { return x * x } // the learner's answer
	report := verify.Run("demo-1", "The square",
		verify.Part{Name: "the square of 3", Judge: func() verify.Verdict {
			if f := verify.Close(square(3), 9, verify.Tolerance{Rel: 1e-12}); !f.OK {
				return verify.Fail("value", 1, "The square of 3 is %s.", f.Off())
			}
			return verify.Pass("")
		}},
		verify.Part{Name: "the derivative", Judge: func() verify.Verdict { panic(verify.TODO) }},
	)
	fmt.Print(report)
	// Output:
	// demo-1 · The square
	//   ✓ Right        1. the square of 3
	//   · NotAttempted 2. the derivative
	//                    The function still holds the stub.
	// not passed: 1 of 2 parts right
}

// The report on a personal variant of an exercise shows the seed of the variant.
func ExampleHeading_Run() {
	report := verify.Heading{Exercise: "demo-1", Title: "The square", Seed: 7}.Run(
		verify.Part{Name: "the square of 3", Judge: func() verify.Verdict { return verify.Pass("") }})
	fmt.Println(report.Seed)
	fmt.Print(report)
	// Output:
	// 7
	// demo-1 · The square · variant 7
	//   ✓ Right        the square of 3
	// passed: all 1 parts right
}

// A Finding states the size and the place of the violation, but never the expected value.
func ExampleCloseSlice() {
	f := verify.CloseSlice([]float64{1, 2, 3.2}, []float64{1, 2, 3.1}, verify.Tolerance{Rel: 1e-9})
	fmt.Println(f.OK, f.Off())
	// Output: false off by about 0.1 in entry 2
}

func ExampleGradient() {
	e := func(w []float64) float64 { return math.Exp(w[0]) + w[1]*w[1] }
	w := []float64{0, 3}
	fmt.Println(verify.Gradient(e, w, []float64{1, 6}, verify.Tolerance{Rel: 1e-8}).OK)
	fmt.Println(verify.Gradient(e, w, []float64{1, -6}, verify.Tolerance{Rel: 1e-8}).Off())
	// Output:
	// true
	// off by about 10 in entry 1
}

func ExamplePositiveDefinite() {
	fmt.Println(verify.PositiveDefinite(mat.NewDense(2, 2, []float64{2, 1, 1, 2}), 1e-12).OK)
	fmt.Println(verify.PositiveDefinite(mat.NewDense(2, 2, []float64{1, 2, 2, 1}), 1e-12).Off())
	// Output:
	// true
	// off by about 1 in the smallest eigenvalue
}

func ExampleParallel() {
	fmt.Println(verify.Parallel([]float64{1, 2}, []float64{-3, -6}, 1e-12).OK)
	// Output: true
}

func ExampleAffineConstraint() {
	// y1 + y2 − 1 = 0
	fmt.Println(verify.AffineConstraint([]float64{1, 1}, -1, []float64{0.3, 0.7}, verify.Tolerance{Rel: 1e-12}).OK)
	// Output: true
}

func ExampleClose() {
	fmt.Println(verify.Close(3.14159, math.Pi, verify.Tolerance{Abs: 1e-5}).OK)
	fmt.Println(verify.Close(3.1, math.Pi, verify.Tolerance{Abs: 1e-5}).Off())
	// Output:
	// true
	// off by about 0.1
}

func ExampleCloseMat() {
	want := mat.NewDense(1, 2, []float64{1, 2})
	fmt.Println(verify.CloseMat(mat.NewDense(2, 1, []float64{1, 2}), want, verify.Tolerance{Rel: 1e-9}).Off())
	// Output: a 2×1 matrix instead of 1×2
}

func ExampleSumsTo() {
	fmt.Println(verify.SumsTo([]float64{0.2, 0.3, 0.5}, 1, verify.Tolerance{Abs: 1e-12}).OK)
	// Output: true
}

func ExampleSameDirection() {
	fmt.Println(verify.SameDirection([]float64{1, 2}, []float64{-1, -2}, 1e-12).Off())
	// Output: the opposite direction
}

func ExampleSymmetric() {
	fmt.Println(verify.Symmetric(mat.NewDense(2, 2, []float64{1, 2, 3, 1}), 1e-12).Off())
	// Output: off by about 1 in row 1, column 0
}

func ExamplePositiveSemidefinite() {
	fmt.Println(verify.PositiveSemidefinite(mat.NewDense(2, 2, []float64{1, 1, 1, 1}), 1e-12).OK)
	// Output: true
}

// Magnitude rounds a number to a power of ten.
func ExampleMagnitude() {
	fmt.Println(verify.Magnitude(0.0372), verify.Magnitude(12), verify.Magnitude(-4e-8), verify.Magnitude(math.Inf(1)))
	// Output: 0.1 10 10⁻⁷ +Inf
}

// The residuals of the least-squares line are orthogonal to the columns of x. For any other line
// they are not.
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
	gradient := func(w []float64) []float64 { return []float64{2 * w[0], w[1]} } // the gradient of w₀² + w₁²/2
	f := verify.Jacobian(gradient, []float64{1, 1}, mat.NewDense(2, 2, []float64{2, 0, 0, 2}),
		verify.Tolerance{Rel: 1e-8})
	fmt.Println(f.OK, f.Off())
	// Output: false off by about 1 in row 1, column 1
}

package ex07_test

import (
	"fmt"
	"math"
	r "math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise/testdata/good/ex07"
)

// Two is a constant that the learner sees.
const Two = 2

// Table is a type that the learner sees; its random source needs an import.
type Table struct {
	Source *r.PCG
}

// Halve returns x/by, N values.
//
// A second paragraph of the comment.
func Halve(x []float64, by ex07.Scale) []float64 {
	// the division
	y := slices.Clone(x)
	for i := range y {
		y[i] /= float64(by) // in place
	}
	return y
}

// A comment that belongs to nothing.

// Mean returns the mean of the entries of x, N×D.
func Mean(x *mat.Dense) float64 {
	r, c := x.Dims()
	return total(x) / float64(r*c)
}

// Sum returns the sum of x, N values.
func Sum(x []float64) float64 {
	math := 0.0 // a variable that is called like a package
	for _, v := range x {
		math += v
	}
	return math
}

// total is a helper of the reference answer.
//
//hyperplane:hidden
func total(x *mat.Dense) float64 { return mat.Sum(x) }

// Half is a helper that the learner gets whole.
//
//hyperplane:given
func Half() float64 { return math.Sqrt(0.25) }

func TestMean(t *testing.T) {
	if Mean(mat.NewDense(1, 1, nil)) != 0 {
		t.Error("not 0")
	}
}

func ExampleSum() {
	fmt.Println(Sum(nil))
	// Output: 0
}

func BenchmarkSum(*testing.B) {}

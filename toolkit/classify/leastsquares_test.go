package classify_test

import (
	"fmt"
	"math"

	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestLeastSquaresEmptyClass(t *testing.T) {
	x, labels := clouds(30, 2, 2, 47)
	m := must(classify.FitLeastSquares(x, labels, 4, classify.LeastSquaresOptions{}))(t)
	nearly(t, "weights of the empty classes", flat(m.W.Slice(0, 3, 2, 4)), make([]float64, 6), 0)
	for _, k := range []int{-1, 0, 1} {
		mentions(t, of(classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{})),
			fmt.Sprintf("k is %d", k), "two classes")
	}
	mentions(t, of(classify.FitLeastSquares(x, labels, math.MaxInt, classify.LeastSquaresOptions{})), "k is", "30 rows")
}

func TestTargetErrors(t *testing.T) {
	x := pointsOn(0, 1, 2)
	one := mat.NewDense(3, 1, []float64{1, 2, 3})
	refused(t, []refusal{
		{"rows", of(classify.FitLeastSquaresTargets(x, mat.NewDense(2, 1, nil), classify.LeastSquaresOptions{})),
			[]string{"2×1", "3 rows"}},
		{"NaN", of(classify.FitLeastSquaresTargets(x, pointsOn(1, 2, math.NaN()), classify.LeastSquaresOptions{})),
			[]string{"targets", "row 2"}},
		{"nil", of(classify.FitLeastSquaresTargets(x, nil, classify.LeastSquaresOptions{})), []string{"targets"}},
		{"coding",
			of(classify.FitLeastSquaresTargets(x, one, classify.LeastSquaresOptions{Coding: classify.CodingFisher})),
			[]string{"Coding"}},
		{"unknown coding", of(classify.FitLeastSquares(x, []int{0, 1, 1}, 2, classify.LeastSquaresOptions{Coding: 9})),
			[]string{"Coding is 9"}},
		{"ridge", of(classify.FitLeastSquares(x, []int{0, 1, 1}, 2, classify.LeastSquaresOptions{Ridge: -1})),
			[]string{"Ridge is -1"}},
		{"Fisher, 3 classes",
			of(classify.FitLeastSquares(x, []int{0, 1, 2}, 3,
				classify.LeastSquaresOptions{Coding: classify.CodingFisher})), []string{"two classes"}},
		{"Fisher targets, one class", of(classify.FisherTargets([]float64{1, 1})), []string{"single class"}},
		{"Fisher targets, soft", of(classify.FisherTargets([]float64{1, 0.5})), []string{"t[1]"}},
		{"±1 targets", of(classify.PlusMinusTargets([]float64{1, -1})), []string{"t[1]"}},
		{"overflow",
			of(classify.FitLeastSquaresTargets(pointsOn(0, 1e-300, 2e-300), pointsOn(0, 1e300, 2e300),
				classify.LeastSquaresOptions{})), []string{"cannot be represented"}},
		{"not fitted", of(new(classify.LeastSquares).Outputs(x)), []string{"FitLeastSquares"}},
	})
}

// With the targets N/N₁ and −N/N₂, least squares gives Fisher's discriminant.
func ExampleFitLeastSquaresTargets() {
	x := mat.NewDense(5, 1, []float64{3, 4, 5, 0, 1})
	t := toolkit.Must(classify.FisherTargets([]float64{1, 1, 1, 0, 0}))
	m := toolkit.Must(classify.FitLeastSquaresTargets(x, mat.NewDense(5, 1, t), classify.LeastSquaresOptions{}))
	fmt.Printf("%.3f: boundary at the mean %.1f\n", t[0], -m.W.At(0, 0)/m.W.At(1, 0))
	// Output: 1.667: boundary at the mean 2.6
}

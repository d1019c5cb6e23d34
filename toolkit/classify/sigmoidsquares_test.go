package classify_test

import (
	"fmt"
	"math"

	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestSigmoidTargetsArguments(t *testing.T) {
	x, labels := clouds(30, 2, 3, 1037)
	with := func(i, j int, v float64) *mat.Dense {
		target := oneOfK(labels, 3)
		target.Set(i, j, v)
		return target
	}
	fit := func(target mat.Matrix) error {
		return of(classify.FitSigmoidSquaresTargets(x, target, classify.SigmoidSquaresOptions{}))
	}
	refused(t, []refusal{
		{"half", fit(with(4, 1, 0.5)), []string{"FitSigmoidSquaresTargets", "t(4,1) is 0.5"}},
		{"NaN", fit(with(2, 0, math.NaN())), []string{"t(2,0) is NaN"}},
		{"rows", fit(oneOfK(labels, 3).Slice(0, 8, 0, 3)), []string{"8 rows", "30"}},
		{"nil", fit(nil), []string{"the targets", "nil"}},
		{"empty column", fit(mat.NewDense(30, 2, nil)), []string{"class 0 has 0 of the 30 rows"}},
	})
}

// The first column of t marks articles on sports, the second column articles on politics. The
// fourth article is on both topics, the first article on neither topic.
func ExampleFitSigmoidSquaresTargets() {
	x := mat.NewDense(6, 2, []float64{0, 0, 3, 0, 0, 3, 3, 3, 4, 1, 1, 4}) // number of words of each kind
	t := mat.NewDense(6, 2, []float64{0, 0, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1})
	m, err := classify.FitSigmoidSquaresTargets(x, t,
		classify.SigmoidSquaresOptions{Prior: classify.Isotropic{Alpha: 0.01}})
	if err != nil {
		panic(err)
	}
	y, _ := m.Values(x)
	fmt.Printf("%.2f\n", mat.Formatted(y))
	// Output:
	// ⎡0.15  0.15⎤
	// ⎢0.98  0.03⎥
	// ⎢0.03  0.98⎥
	// ⎢0.90  0.90⎥
	// ⎢1.00  0.09⎥
	// ⎣0.09  1.00⎦
}

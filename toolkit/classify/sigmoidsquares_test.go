package classify_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestSigmoidTargetsOneOfK checks that if every row has a single 1, the fit equals the fit of
// labels, bit for bit. With two classes the test compares only the first output.
func TestSigmoidTargetsOneOfK(t *testing.T) {
	for _, k := range []int{2, 3, 4} {
		x, labels := clouds(100, 2, k, 1036)
		o := classify.SigmoidSquaresOptions{Seed: 5}
		m := must(classify.FitSigmoidSquares(x, labels, k, o))(t)
		s := must(classify.FitSigmoidSquaresTargets(x, oneOfK(labels, k), o))(t)
		_, outputs := m.W.Dims()
		near(t, "W", s.W.Slice(0, 3, 0, outputs), m.W, 0)
		near(t, "H", s.Outputs[outputs-1].Hessian, m.Outputs[outputs-1].Hessian, 0)
		if k > 2 {
			errorIf(t, s.SumSquare != m.SumSquare || s.N != m.N, "sum of squares %v, of labels %v", s.SumSquare,
				m.SumSquare)
			errorIf(t, !slices.Equal(must(s.Predict(x))(t), must(m.Predict(x))(t)), "other classes")
		}
	}
}

// TestSigmoidTargetsOverlap checks that two overlapping classes have two outputs that need not sum
// to 1. Each output must equal the fit of its column alone. A model loaded from JSON must have the
// same outputs.
func TestSigmoidTargetsOverlap(t *testing.T) {
	x := mat.NewDense(40, 1, nil)
	both := mat.NewDense(40, 2, nil)
	for i := range 40 {
		v := float64(i)/4 - 5
		x.Set(i, 0, v)
		both.Set(i, 0, truth(v > -2 != (i%7 == 0)))
		both.Set(i, 1, truth(v < 2 != (i%5 == 0)))
	}
	m := must(classify.FitSigmoidSquaresTargets(x, both, classify.SigmoidSquaresOptions{}))(t)
	for j, out := range m.Outputs {
		errorIf(t, !out.Converged, "output %d: %s", j, out.Reason)
		alone := must(classify.FitSigmoidSquaresTargets(x, both.Slice(0, 40, j, j+1),
			classify.SigmoidSquaresOptions{}))(t)
		nearly(t, "alone", mat.Col(nil, 0, alone.W), mat.Col(nil, j, m.W), 1e-8)
	}
	v := must(m.Values(mat.NewDense(1, 1, nil)))(t) // both classes are likely at 0
	w := m.W
	nearly(t, "values", v.RawRowView(0), []float64{1 / (1 + math.Exp(-w.At(0, 0))), 1 / (1 + math.Exp(-w.At(0, 1)))},
		1e-14)
	errorIf(t, v.At(0, 0) < 0.5 || v.At(0, 1) < 0.5, "at 0 the outputs are %v", v.RawRowView(0))
	near(t, "from a file", must(loaded[*classify.SigmoidSquares](t, textOf(t, m)).Values(x))(t), must(m.Values(x))(t), 0)
}

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

package classify_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestLeastSquaresEmptyClass(t *testing.T) {
	x, labels := clouds(30, 2, 2, 47)
	m := must(classify.FitLeastSquares(x, labels, 4, classify.LeastSquaresOptions{}))(t)
	allClose(t, "weights of the empty classes", flat(m.W.Slice(0, 3, 2, 4)), make([]float64, 6), 0)
	for _, k := range []int{-1, 0, 1} {
		errorHas(t, errorOf(classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{})),
			fmt.Sprintf("k is %d", k), "two classes")
	}
	errorHas(t, errorOf(classify.FitLeastSquares(x, labels, math.MaxInt, classify.LeastSquaresOptions{})), "k is", "30 rows")
}

func TestTargetErrors(t *testing.T) {
	x := pointsOn(0, 1, 2)
	one := mat.NewDense(3, 1, []float64{1, 2, 3})
	allFail(t, []failingCall{
		{"too few rows of targets",
			errorOf(classify.FitLeastSquaresTargets(x, mat.NewDense(2, 1, nil), classify.LeastSquaresOptions{})),
			[]string{"2×1", "3 rows"}},
		{"NaN", errorOf(classify.FitLeastSquaresTargets(x, pointsOn(1, 2, math.NaN()), classify.LeastSquaresOptions{})),
			[]string{"targets", "row 2"}},
		{"nil", errorOf(classify.FitLeastSquaresTargets(x, nil, classify.LeastSquaresOptions{})), []string{"targets"}},
		{"coding",
			errorOf(classify.FitLeastSquaresTargets(x, one, classify.LeastSquaresOptions{Coding: classify.CodingFisher})),
			[]string{"Coding"}},
		{"Fisher, 3 classes",
			errorOf(classify.FitLeastSquares(x, []int{0, 1, 2}, 3,
				classify.LeastSquaresOptions{Coding: classify.CodingFisher})), []string{"two classes"}},
		{"Fisher targets, one class", errorOf(classify.FisherTargets([]float64{1, 1})), []string{"single class"}},
		{"Fisher targets, soft", errorOf(classify.FisherTargets([]float64{1, 0.5})), []string{"t[1]"}},
		{"±1 targets", errorOf(classify.PlusMinusTargets([]float64{1, -1})), []string{"t[1]"}},
		{"overflow",
			errorOf(classify.FitLeastSquaresTargets(pointsOn(0, 1e-300, 2e-300), pointsOn(0, 1e300, 2e300),
				classify.LeastSquaresOptions{})), []string{"are not finite numbers"}},
		{"not fitted", errorOf(new(classify.LeastSquares).Outputs(x)), []string{"FitLeastSquares"}},
	})
}

// With the targets N/N₁ and −N/N₂, the least-squares fit has the direction of Fisher's
// discriminant.
func ExampleFitLeastSquaresTargets() {
	x := mat.NewDense(5, 1, []float64{3, 4, 5, 0, 1})
	t := toolkit.Must(classify.FisherTargets([]float64{1, 1, 1, 0, 0}))
	m := toolkit.Must(classify.FitLeastSquaresTargets(x, mat.NewDense(5, 1, t), classify.LeastSquaresOptions{}))
	fmt.Printf("%.3f: boundary at the mean %.1f\n", t[0], -m.W.At(0, 0)/m.W.At(1, 0))
	// Output: 1.667: boundary at the mean 2.6
}

type weightedOptions = classify.WeightedLeastSquaresOptions

// TestWeightedLeastSquaresCounts compares weighted rows with copies of rows. A row of weight 2 must
// have the same effect as two copies, and a row of weight 0 must have no effect. Weights of 1 must
// give the same fit as nil. The test does not compare N, which counts rows.
func TestWeightedLeastSquaresCounts(t *testing.T) {
	r := drawnRows(45)
	whole, some, ones := make([]float64, 45), make([]float64, 45), slices.Repeat([]float64{1}, 45)
	for i := range whole {
		whole[i], some[i] = float64(1+i*i%7%4), truth(i%5 != 2)
	}
	broken := r.repeated(ones)
	broken.t[2], broken.t[7] = math.NaN(), math.Inf(1)
	broken.x.Set(2, 0, math.NaN())
	fit := func(r testRows, w []float64, o weightedOptions) *classify.WeightedLeastSquares {
		m := must(classify.FitWeightedLeastSquares(r.x, r.t, w, o))(t)
		m.N = 0
		return m
	}
	for _, o := range []weightedOptions{{}, {Ridge: 0.7}, {Ridge: 2, FreeBias: true}} {
		compareNumbers(t, fit(r, whole, o), fit(r.repeated(whole), nil, o), 1e-10)
		compareNumbers(t, fit(broken, some, o), fit(r.repeated(some), nil, o), 0)
		compareNumbers(t, fit(r, ones, o), fit(r, nil, o), 0)
	}
	savedAndLoaded(t, fit(r, whole, weightedOptions{}))
}

// TestWeightedLeastSquaresUnits multiplies all weights by a very large or very small factor. Only
// the sum of squares may change, by the same factor.
func TestWeightedLeastSquaresUnits(t *testing.T) {
	r, w := drawnRows(45), make([]float64, 45)
	for i := range w {
		w[i] = 0.1 + float64(i%7)
	}
	m := must(classify.FitWeightedLeastSquares(r.x, r.t, w, weightedOptions{}))(t)
	for _, e := range []int{-1000, -60, 60, 900} {
		s := must(classify.FitWeightedLeastSquares(r.x, r.t, multiple(math.Ldexp(1, e), w), weightedOptions{}))(t)
		errorIf(t, !slices.Equal(s.W, m.W) || s.SumSquare != math.Ldexp(m.SumSquare, e), "weights r times 2^%d: got W %v and SumSquare %v, want %v and %v", e, s.W,
			s.SumSquare, m.W, math.Ldexp(m.SumSquare, e))
	}
	near(t, "values", oneColumn(must(m.Values(r.x))(t)), mul(withOnes(r.x), oneColumn(m.W)), 1e-13)
	errorIf(t, m.DegreesOfFreedom() != m.Rank || m.N != 45, "got N %d, rank %d and %d degrees of freedom, want N 45 and as many degrees of freedom as the rank", m.N, m.Rank, m.DegreesOfFreedom())
}

func TestWeightedLeastSquaresRefuses(t *testing.T) {
	x, y := mat.NewDense(3, 1, []float64{1, 2, 4}), []float64{1, 0, 2}
	fit := func(t, r []float64, o weightedOptions) error {
		return errorOf(classify.FitWeightedLeastSquares(x, t, r, o))
	}
	allFail(t, []failingCall{
		{"few weights", fit(y, []float64{1, 2}, weightedOptions{}),
			[]string{"classify: FitWeightedLeastSquares", "r has 2 entries but x has 3 rows"}},
		{"negative", fit(y, []float64{1, -2, 1}, weightedOptions{}), []string{"r[1] is -2"}},
		{"infinite", fit(y, []float64{1, math.Inf(1), 1}, weightedOptions{}), []string{"r[1] is +Inf"}},
		{"zeros", fit(y, make([]float64, 3), weightedOptions{}), []string{"all 3 weights r are 0"}},
		{"few targets", fit(y[:2], nil, weightedOptions{}), []string{"t has 2 entries"}},
		{"NaN", fit([]float64{1, 2, math.NaN()}, []float64{0, 1, 1}, weightedOptions{}),
			[]string{"t[1] is NaN", "counting only rows of weight above 0"}},
		{"nil", errorOf(classify.FitWeightedLeastSquares(nil, y, y, weightedOptions{})), []string{"nil"}},
		{"no fit", errorOf((*classify.WeightedLeastSquares)(nil).Values(x)), []string{"FitWeightedLeastSquares"}},
		{"file", loadError(`{"schema":"hyperplane-weighted-least-squares/1"}`), []string{"0 weights"}},
	})
	errorIf(t, fmt.Sprint(new(classify.WeightedLeastSquares)) == "" || fmt.Sprint(new(classify.IRLS)) == "",
		"an empty model prints nothing, want some text")
	constant := must(classify.FitWeightedLeastSquares(mat.NewDense(3, 1, []float64{2, 2, 2}), y, []float64{1, 2, 1},
		weightedOptions{}))(t)
	errorIf(t, constant.Rank != 1 || !strings.Contains(constant.Reason, "constant"), "got %+v, want rank 1 and a Reason that says that the column is constant", constant)
}

// TestIRLSSaysWhy checks that Reason names the cause if a fit does not converge. For invalid
// arguments, FitIRLS must return an error.
func TestIRLSSaysWhy(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3})
	for _, c := range []struct {
		name      string
		t         []float64
		o         classify.IRLSOptions
		separable bool
		words     string
	}{
		{"separable", []float64{0, 0, 0, 1, 1, 1}, classify.IRLSOptions{}, true, "a hyperplane separates the classes"},
		{"R is 0", []float64{0, 0, 1, 0, 1, 1}, classify.IRLSOptions{Start: []float64{2000, 0}}, false,
			"R vanishes, because y(1−y) is 0 in double precision for all 6 rows"},
		{"a target is infinite", []float64{0, 0, 1, 0, 1, 1}, classify.IRLSOptions{Start: []float64{0, 740}}, false,
			"R vanishes for row"},
		{"one row is left", []float64{0, 1, 1, 1, 1, 1}, classify.IRLSOptions{Start: []float64{2400, 800}}, true,
			"the remaining rows do not determine w"},
		{"one iteration", []float64{0, 0, 1, 0, 1, 1}, classify.IRLSOptions{MaxIterations: 1}, false,
			"not converged after 1 weighted fits"},
	} {
		m := must(classify.FitIRLS(x, c.t, c.o))(t)
		errorIf(t, m.Converged || m.Separable != c.separable || !strings.Contains(m.Reason, c.words),
			"%s: got Converged %v and Separable %v, want false and %v, and a Reason that contains %q:\n%s", c.name, m.Converged, m.Separable, c.separable, c.words, m.Reason)
		errorIf(t, !strings.Contains(m.String(), "NOT CONVERGED"), "%s: the model prints\n%s\nwant a text with NOT CONVERGED", c.name, m)
	}
	fit := func(y []float64, o classify.IRLSOptions) error { return errorOf(classify.FitIRLS(x, y, o)) }
	y := []float64{0, 0, 1, 0, 1, 1}
	errorHas(t, fit(y[:2], classify.IRLSOptions{}), "classify: FitIRLS", "2 targets")
	errorHas(t, fit(make([]float64, 6), classify.IRLSOptions{}), "single class")
	errorHas(t, fit(y, classify.IRLSOptions{Start: []float64{1}}), "Start has 1 entries")
	errorHas(t, errorOf(classify.FitIRLS(nil, y, classify.IRLSOptions{})), "nil")
}

func ExampleFitWeightedLeastSquares() {
	x := mat.NewDense(4, 1, []float64{0, 1, 2, 3})
	t := []float64{1, 3, 5, 17} // The last target is uncertain, with standard deviation 10 instead of 1.
	m := toolkit.Must(classify.FitWeightedLeastSquares(x, t, []float64{1, 1, 1, 0.01},
		classify.WeightedLeastSquaresOptions{}))
	equal := toolkit.Must(classify.FitWeightedLeastSquares(x, t, nil, classify.WeightedLeastSquaresOptions{}))
	fmt.Printf("%.2f, all weights equal: %.2f\n", m.W, equal.W)
	// Output: [0.93 2.10], all weights equal: [-1.00 5.00]
}

func ExampleFitIRLS() {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 6})
	m := toolkit.Must(classify.FitIRLS(x, []float64{0, 0, 1, 0, 1, 1}, classify.IRLSOptions{}))
	for _, s := range m.Steps[:3] {
		fmt.Printf("w %.3f  R %.3f  z %.2f\n", s.W, s.R, s.Z)
	}
	fmt.Println(m.Converged)
	// Output:
	// w [0.000 0.000]  R [0.250 0.250 0.250 0.250 0.250 0.250]  z [-2.00 -2.00 2.00 -2.00 2.00 2.00]
	// w [-0.206 0.411]  R [0.155 0.194 0.228 0.247 0.228 0.085]  z [-2.68 -2.39 2.24 -2.02 2.16 3.37]
	// w [-0.149 0.586]  R [0.113 0.166 0.219 0.238 0.194 0.032]  z [-3.06 -2.59 2.35 -2.11 2.38 4.40]
	// true
}

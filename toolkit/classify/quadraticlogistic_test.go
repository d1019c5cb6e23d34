package classify_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// ringClasses returns points of k overlapping classes. The distance from a common centre increases
// from class to class.
func ringClasses(n, d, k int, seed uint64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(seed, 7))
	x, labels := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		labels[i] = i % k
		for j := range d {
			x.Set(i, j, 5+float64(j)+rng.NormFloat64()*float64(1+labels[i])*float64(1+j))
		}
	}
	return x, labels
}

// TestQuadraticTwin checks that a QuadraticLogistic without penalties equals softmax regression on
// the inputs, their squares and their products.
func TestQuadraticTwin(t *testing.T) {
	const n, d, k = 150, 2, 3
	x, labels := ringClasses(n, d, k, 711)
	m := must(classify.FitQuadraticLogistic(x, labels, k, classify.QuadraticLogisticOptions{}))(t)
	y := mat.NewDense(n, 5, nil)
	for i := range n {
		a, b := x.At(i, 0), x.At(i, 1)
		y.SetRow(i, []float64{a, b, a * a, a * b, b * b})
	}
	s := must(classify.FitSoftmax(y, labels, k, classify.SoftmaxOptions{}))(t)
	errorIf(t, !m.Converged || !s.Converged || m.DegreesOfFreedom() != s.DegreesOfFreedom(), "%s; %s", m.Reason,
		s.Reason)
	allClose(t, "criteria", []float64{m.LogLikelihood, m.AIC(), m.BIC()}, []float64{s.LogLikelihood, s.AIC(), s.BIC()},
		1e-11)
	near(t, "posteriors", must(m.Posterior(x))(t), must(s.Posterior(y))(t), 1e-10)
	for c := range k {
		w2, w, w0, err := m.Coefficients(c)
		if err != nil {
			t.Fatal(err)
		}
		allClose(t, "coefficients", []float64{w0, w[0], w[1], w2.At(0, 0), 2 * w2.At(0, 1), w2.At(1, 1)},
			mat.Col(nil, c, s.W), 1e-9)
	}
	errorHas(t, errorOf3(m.Coefficients(3)), "class is 3", "0…2")
}

func TestQuadraticEdges(t *testing.T) {
	x, labels := ringClasses(60, 2, 2, 741)
	fit := func(x mat.Matrix, labels []int, o classify.QuadraticLogisticOptions) *classify.QuadraticLogistic {
		return must(classify.FitQuadraticLogistic(x, labels, 2, o))(t)
	}
	fails := func(x mat.Matrix, k int, o classify.QuadraticLogisticOptions) error {
		return errorOf(classify.FitQuadraticLogistic(x, labels, k, o))
	}
	allFail(t, []failingCall{
		{"rank", fails(x, 2, classify.QuadraticLogisticOptions{Rank: 3}), []string{"Rank is 3", "1…2"}},
		{"empty class", fails(x, 3, classify.QuadraticLogisticOptions{}), []string{"class 2", "no rows"}},
		{"many columns", fails(mat.NewDense(60, 300, nil), 2, classify.QuadraticLogisticOptions{}),
			[]string{"GB", "fewer"}},
		{"constant column", fails(mat.NewDense(60, 2, nil), 2, classify.QuadraticLogisticOptions{Lambda: 1}),
			[]string{"not unique", "Alpha"}},
	})
	// In these data a circle separates the classes.
	y, l := mat.NewDense(40, 2, nil), make([]int, 40)
	for i := range l {
		l[i] = i % 2
		r := 1 + 2*float64(l[i])
		y.SetRow(i, []float64{r * math.Cos(float64(i)), r * math.Sin(float64(i))})
	}
	m, s := fit(y, l, classify.QuadraticLogisticOptions{}), fit(y, l, classify.QuadraticLogisticOptions{Lambda: 0.1})
	errorIf(t, !m.Separable || m.Converged || misclassified(t, m, y, l) > 0 || !s.Converged, "circle: %s; %s", m.Reason,
		s.Reason)
	// A line separates the classes, and only the quadratic part has a penalty.
	line, l := pointsOn(-3, -2, -1, 1, 2, 3), []int{0, 0, 0, 1, 1, 1}
	m, s = fit(line, l, classify.QuadraticLogisticOptions{Lambda: 1}),
		fit(line, l, classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 1})
	errorIf(t, !m.Separable || m.Converged || mat.Norm(m.Quadratic[0], 2) != 0 || !s.Converged, "line: %s; %s",
		m.Reason, s.Reason)
	// The data have a constant column, and both penalties are set.
	constant, both := mat.NewDense(60, 3, slices.Repeat([]float64{4.2}, 180)),
		classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 1}
	constant.Copy(x)
	m = fit(constant, labels, both)
	closeTo(t, m.E, fit(x, labels, both).E, 1e-10, "objective E of data with a constant column")
	errorIf(t, !m.Converged || m.Std[2] != 1, "constant column: %s", m.Reason)
}

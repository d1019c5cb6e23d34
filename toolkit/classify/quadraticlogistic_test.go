package classify_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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
	errorIf(t, !m.Converged || !s.Converged || m.DegreesOfFreedom() != s.DegreesOfFreedom(),
		"want two converged fits with equal degrees of freedom, got %d (%s) and %d (%s)", m.DegreesOfFreedom(), m.Reason,
		s.DegreesOfFreedom(), s.Reason)
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
	y, circle := mat.NewDense(40, 2, nil), make([]int, 40)
	for i := range circle {
		circle[i] = i % 2
		r := 1 + 2*float64(circle[i])
		y.SetRow(i, []float64{r * math.Cos(float64(i)), r * math.Sin(float64(i))})
	}
	m, s := fit(y, circle, classify.QuadraticLogisticOptions{}), fit(y, circle, classify.QuadraticLogisticOptions{Lambda: 0.1})
	errorIf(t, !m.Separable || m.Converged || misclassified(t, m, y, circle) > 0 || !strings.HasSuffix(m.Reason, "set Lambda and Alpha") || !s.Converged,
		"circle: want a first fit with Separable true, Converged false, 0 misclassified rows and the advice to set Lambda and Alpha, got %v, %v, %d and: %s; want a converged second fit, got: %s",
		m.Separable, m.Converged, misclassified(t, m, y, circle), m.Reason, s.Reason)
	// A single threshold separates the classes. In the first fit, only the quadratic part has a
	// penalty.
	line, l := pointsOn(-3, -2, -1, 1, 2, 3), []int{0, 0, 0, 1, 1, 1}
	m, s = fit(line, l, classify.QuadraticLogisticOptions{Lambda: 1}),
		fit(line, l, classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 1})
	errorIf(t, !m.Separable || m.Converged || mat.Norm(m.Quadratic[0], 2) != 0 || !s.Converged,
		"line: want a first fit with Separable true, Converged false and a quadratic part of norm 0, got %v, %v and %v: %s; want a converged second fit, got: %s",
		m.Separable, m.Converged, mat.Norm(m.Quadratic[0], 2), m.Reason, s.Reason)
	errorIf(t, !strings.Contains(m.Reason, "without the quadratic part the classes are linearly separable") ||
		!strings.HasSuffix(m.Reason, "for finite weights set Alpha"),
		"line: got the reason %q, want linear separability without the quadratic part, and the advice to set Alpha", m.Reason)
	// A circle separates the classes, and only the linear part has a penalty.
	m = fit(y, circle, classify.QuadraticLogisticOptions{Alpha: 1})
	errorIf(t, !m.Separable || m.Converged || mat.Norm(m.Linear, 2) != 0 || misclassified(t, m, y, circle) > 0 ||
		!strings.HasPrefix(m.Reason, "without the linear part the classes are linearly separable") ||
		!strings.HasSuffix(m.Reason, "for finite weights set Lambda"),
		"circle: want Separable true, Converged false, a linear part of norm 0, 0 misclassified rows and the advice to set Lambda; got %v, %v, %v, %d and: %s",
		m.Separable, m.Converged, mat.Norm(m.Linear, 2), misclassified(t, m, y, circle), m.Reason)
	// If the classes overlap, the fit converges although only the linear part has a penalty.
	m = fit(x, labels, classify.QuadraticLogisticOptions{Alpha: 1})
	errorIf(t, !m.Converged, "overlapping classes: want a converged fit, got the reason: %s", m.Reason)
	// The data have a constant column, and both penalties are set.
	constant, both := mat.NewDense(60, 3, slices.Repeat([]float64{4.2}, 180)),
		classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 1}
	constant.Copy(x)
	m = fit(constant, labels, both)
	closeTo(t, m.E, fit(x, labels, both).E, 1e-10, "objective E of data with a constant column")
	errorIf(t, !m.Converged || m.Std[2] != 1, "constant column: want a converged fit in which the column has Std 1, got Std %v and: %s", m.Std[2], m.Reason)
}

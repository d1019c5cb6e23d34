package classify_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// rings returns points of k overlapping classes at increasing distances from a centre.
func rings(n, d, k int, seed uint64) (*mat.Dense, []int) {
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

// TestQuadraticTwin checks that without shrinkage the model is softmax regression on the inputs and
// all their products.
func TestQuadraticTwin(t *testing.T) {
	const n, d, k = 150, 2, 3
	x, labels := rings(n, d, k, 711)
	m := must(classify.FitQuadraticLogistic(x, labels, k, classify.QuadraticLogisticOptions{}))(t)
	y := mat.NewDense(n, 5, nil)
	for i := range n {
		a, b := x.At(i, 0), x.At(i, 1)
		y.SetRow(i, []float64{a, b, a * a, a * b, b * b})
	}
	s := must(classify.FitSoftmax(y, labels, k, classify.SoftmaxOptions{}))(t)
	errorIf(t, !m.Converged || !s.Converged || m.DegreesOfFreedom() != s.DegreesOfFreedom(), "%s; %s", m.Reason,
		s.Reason)
	nearly(t, "criteria", []float64{m.LogLikelihood, m.AIC(), m.BIC()}, []float64{s.LogLikelihood, s.AIC(), s.BIC()},
		1e-11)
	near(t, "posteriors", must(m.Posterior(x))(t), must(s.Posterior(y))(t), 1e-10)
	for c := range k {
		w2, w, w0, err := m.Coefficients(c)
		if err != nil {
			t.Fatal(err)
		}
		nearly(t, "coefficients", []float64{w0, w[0], w[1], w2.At(0, 0), 2 * w2.At(0, 1), w2.At(1, 1)},
			mat.Col(nil, c, s.W), 1e-9)
	}
	mentions(t, of3(m.Coefficients(3)), "class is 3", "0…2")
}

// TestQuadraticShrinkage checks that E matches its definition. As λ grows, ‖W‖ must fall and the
// model must approach the linear model. The units of x must not change the posterior.
func TestQuadraticShrinkage(t *testing.T) {
	const n, d, k = 120, 3, 3
	x, labels := rings(n, d, k, 721)
	y := mat.NewDense(n, d, nil)
	y.Apply(func(_, j int, v float64) float64 { return v*[]float64{1e3, 1e-2, 7}[j] - 4 }, x)
	lin := must(classify.FitSoftmax(x, labels, k, classify.SoftmaxOptions{}))(t)
	last := math.Inf(1)
	for _, λ := range []float64{0.01, 1, 100, 1e9} {
		o := classify.QuadraticLogisticOptions{Lambda: λ}
		m := must(classify.FitQuadraticLogistic(x, labels, k, o))(t)
		var size, p float64
		for _, q := range m.Quadratic {
			size += mat.Norm(q, 2) * mat.Norm(q, 2)
		}
		errorIf(t, !m.Converged || !(size < last), "λ = %v: Σ‖W‖² = %v after %v: %s", λ, size, last, m.Reason)
		last = size
		post := must(m.Posterior(x))(t)
		for i, l := range labels {
			p += math.Log(post.At(i, l))
		}
		nearly(t, "E and log likelihood", []float64{m.E, m.LogLikelihood}, []float64{λ/2*size - p, p}, 1e-10)
		scaled := must(classify.FitQuadraticLogistic(y, labels, k, o))(t)
		near(t, "posteriors in other units", must(scaled.Posterior(y))(t), post, 1e-9)
		for j := range d { // the common shift of all classes is removed
			within(t, mat.Sum(m.Linear.RowView(j)), 0, 1e-12, "λ = %v: sum of the linear weights %d", λ, j)
		}
		if λ == 1e9 {
			near(t, "the limit is the linear model", post, must(lin.Posterior(x))(t), 1e-6)
		}
	}
}

// TestQuadraticRank checks that the matrices have the given rank, that the maximum rank gives the
// full fit, and that a higher rank fits better. For classes that differ along one axis rank 1 is
// enough.
func TestQuadraticRank(t *testing.T) {
	const n, d = 200, 3
	x, labels := rings(n, d, 2, 731)
	rng := rand.New(rand.NewPCG(73, 1))
	for i := range n { // only column 1 distinguishes the classes
		x.Set(i, 0, rng.NormFloat64())
		x.Set(i, 2, rng.NormFloat64())
	}
	fit := func(rank int) *classify.QuadraticLogistic {
		return must(classify.FitQuadraticLogistic(x, labels, 2,
			classify.QuadraticLogisticOptions{Lambda: 0.1, Rank: rank}))(t)
	}
	full, last := fit(0), math.Inf(1)
	for r := 1; r <= d; r++ {
		m := fit(r)
		errorIf(t, !m.Converged || m.MatrixRank != r || m.DegreesOfFreedom() != 1+d+r*(r+1)/2,
			"rank %d: %d, %d degrees of freedom: %s", r, m.MatrixRank, m.DegreesOfFreedom(), m.Reason)
		errorIf(t, m.E > last+1e-9, "rank %d: E = %v, above %v of the rank before", r, m.E, last)
		last = m.E
		var svd mat.SVD
		svd.Factorize(m.Quadratic[0], mat.SVDNone)
		errorIf(t, svd.Rank(1e-10) != r, "rank %d: singular values %v", r, svd.Values(nil))
		errorIf(t, r == 1 && full.LogLikelihood-m.LogLikelihood > 3, "rank 1 loses %v of the log likelihood",
			full.LogLikelihood-m.LogLikelihood)
	}
	near(t, "full rank is the full fit", fit(d).Quadratic[0], full.Quadratic[0], 1e-12)
}

func TestQuadraticEdges(t *testing.T) {
	x, labels := rings(60, 2, 2, 741)
	fit := func(x mat.Matrix, labels []int, o classify.QuadraticLogisticOptions) *classify.QuadraticLogistic {
		return must(classify.FitQuadraticLogistic(x, labels, 2, o))(t)
	}
	fails := func(x mat.Matrix, k int, o classify.QuadraticLogisticOptions) error {
		return of(classify.FitQuadraticLogistic(x, labels, k, o))
	}
	refused(t, []refusal{
		{"lambda", fails(x, 2, classify.QuadraticLogisticOptions{Lambda: -1}),
			[]string{"FitQuadraticLogistic", "Lambda is -1"}},
		{"alpha", fails(x, 2, classify.QuadraticLogisticOptions{Alpha: math.NaN()}), []string{"Alpha is NaN"}},
		{"rank", fails(x, 2, classify.QuadraticLogisticOptions{Rank: 3}), []string{"Rank is 3", "1…2"}},
		{"empty class", fails(x, 3, classify.QuadraticLogisticOptions{}), []string{"class 2", "no rows"}},
		{"many columns", fails(mat.NewDense(60, 300, nil), 2, classify.QuadraticLogisticOptions{}),
			[]string{"GB", "fewer"}},
		{"constant column", fails(mat.NewDense(60, 2, nil), 2, classify.QuadraticLogisticOptions{Lambda: 1}),
			[]string{"not unique", "Alpha"}},
		{"tolerance", fails(x, 2, classify.QuadraticLogisticOptions{Tolerance: -1}), []string{"Tolerance"}},
	})
	// A circle separates the classes.
	y, l := mat.NewDense(40, 2, nil), make([]int, 40)
	for i := range l {
		l[i] = i % 2
		r := 1 + 2*float64(l[i])
		y.SetRow(i, []float64{r * math.Cos(float64(i)), r * math.Sin(float64(i))})
	}
	m, s := fit(y, l, classify.QuadraticLogisticOptions{}), fit(y, l, classify.QuadraticLogisticOptions{Lambda: 0.1})
	errorIf(t, !m.Separable || m.Converged || misclassified(t, m, y, l) > 0 || !s.Converged, "circle: %s; %s", m.Reason,
		s.Reason)
	// A line separates the classes, with shrinkage of the quadratic part only.
	line, l := pointsOn(-3, -2, -1, 1, 2, 3), []int{0, 0, 0, 1, 1, 1}
	m, s = fit(line, l, classify.QuadraticLogisticOptions{Lambda: 1}),
		fit(line, l, classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 1})
	errorIf(t, !m.Separable || m.Converged || mat.Norm(m.Quadratic[0], 2) != 0 || !s.Converged, "line: %s; %s",
		m.Reason, s.Reason)
	// A constant column with both penalties.
	constant, both := mat.NewDense(60, 3, slices.Repeat([]float64{4.2}, 180)),
		classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 1}
	constant.Copy(x)
	m = fit(constant, labels, both)
	within(t, m.E, fit(x, labels, both).E, 1e-10, "E with a constant column")
	errorIf(t, !m.Converged || m.Std[2] != 1, "constant column: %s", m.Reason)
}

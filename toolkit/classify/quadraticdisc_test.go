package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// rings returns points of k classes at growing distance from a centre, overlapping.
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

// TestQuadraticTwin: without shrinkage the model is softmax regression on the
// inputs and all their products.
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
	if !m.Converged || !s.Converged {
		t.Fatalf("%s; %s", m.Reason, s.Reason)
	}
	if m.DegreesOfFreedom() != s.DegreesOfFreedom() || math.Abs(m.LogLikelihood-s.LogLikelihood) > 1e-10 || math.Abs(m.AIC()-s.AIC()) > 1e-9 || math.Abs(m.BIC()-s.BIC()) > 1e-9 {
		t.Errorf("log likelihood %v with %d, softmax %v with %d", m.LogLikelihood, m.DegreesOfFreedom(), s.LogLikelihood, s.DegreesOfFreedom())
	}
	if got, want := must(m.Posterior(x))(t), must(s.Posterior(y))(t); !mat.EqualApprox(got, want, 1e-10) {
		t.Error("other posteriors")
	}
	for c := range k {
		w2, w, w0, err := m.Coefficients(c)
		if err != nil {
			t.Fatal(err)
		}
		got := []float64{w0, w[0], w[1], w2.At(0, 0), 2 * w2.At(0, 1), w2.At(1, 1)}
		for i, v := range got {
			if want := s.W.At(i, c); math.Abs(v-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("class %d: coefficient %d is %v, softmax has %v", c, i, v, want)
			}
		}
	}
	_, _, _, err := m.Coefficients(3)
	mentions(t, err, "class is 3", "0…2")
}

// TestQuadraticShrinkage: E is what its definition says; ‖W‖ falls as λ grows, to
// the linear model; and units do not matter.
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
		var size float64
		for _, q := range m.Quadratic {
			size += mat.Norm(q, 2) * mat.Norm(q, 2)
		}
		if !m.Converged || !(size < last) {
			t.Errorf("λ = %v: Σ‖W‖² = %v after %v: %s", λ, size, last, m.Reason)
		}
		last = size
		if want := -m.LogLikelihood + λ/2*size; math.Abs(m.E-want) > 1e-10*want {
			t.Errorf("λ = %v: E = %v, by the definition %v", λ, m.E, want)
		}
		var p float64 // the naive log likelihood
		post := must(m.Posterior(x))(t)
		for i, l := range labels {
			p += math.Log(post.At(i, l))
		}
		if math.Abs(p-m.LogLikelihood) > 1e-10*math.Abs(p) {
			t.Errorf("λ = %v: log likelihood %v, by the posteriors %v", λ, m.LogLikelihood, p)
		}
		scaled := must(classify.FitQuadraticLogistic(y, labels, k, o))(t)
		if !mat.EqualApprox(must(scaled.Posterior(y))(t), post, 1e-9) {
			t.Errorf("λ = %v: other posteriors in other units", λ)
		}
		for j := range d { // the shift of all classes together is taken out
			if s := mat.Sum(m.Linear.RowView(j)); math.Abs(s) > 1e-12 {
				t.Errorf("λ = %v: linear weights %d sum to %v", λ, j, s)
			}
		}
		if λ == 1e9 && !mat.EqualApprox(post, must(lin.Posterior(x))(t), 1e-6) {
			t.Error("the limit is not the linear model")
		}
	}
}

// TestQuadraticRank: matrices of the given rank; all of it is the full fit; more
// rank fits better; and for classes that differ along one axis rank 1 is enough.
func TestQuadraticRank(t *testing.T) {
	const n, d = 200, 3
	x, labels := rings(n, d, 2, 731)
	rng := rand.New(rand.NewPCG(73, 1))
	for i := range n { // only column 1 tells the classes apart
		for _, j := range []int{0, 2} {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	full := must(classify.FitQuadraticLogistic(x, labels, 2, classify.QuadraticLogisticOptions{Lambda: 0.1}))(t)
	last := math.Inf(-1)
	for r := 1; r <= d; r++ {
		m := must(classify.FitQuadraticLogistic(x, labels, 2, classify.QuadraticLogisticOptions{Lambda: 0.1, Rank: r}))(t)
		if !m.Converged || m.MatrixRank != r || m.DegreesOfFreedom() != 1+d+r*(r+1)/2 {
			t.Errorf("rank %d: %d, %d degrees of freedom: %s", r, m.MatrixRank, m.DegreesOfFreedom(), m.Reason)
		}
		if -m.E < last-1e-9 {
			t.Errorf("rank %d: E = %v, above %v of the rank before", r, m.E, -last)
		}
		last = -m.E
		var eig mat.EigenSym
		eig.Factorize(m.Quadratic[0], false)
		nonzero := 0
		for _, v := range eig.Values(nil) {
			if math.Abs(v) > 1e-10 {
				nonzero++
			}
		}
		if nonzero != r {
			t.Errorf("rank %d: eigenvalues %v", r, eig.Values(nil))
		}
		if r == 1 && full.LogLikelihood-m.LogLikelihood > 3 {
			t.Errorf("rank 1 loses %v of the log likelihood", full.LogLikelihood-m.LogLikelihood)
		}
		if r == d && !mat.EqualApprox(m.Quadratic[0], full.Quadratic[0], 1e-12) {
			t.Error("full rank is not the full fit")
		}
	}
}

func TestQuadraticEdges(t *testing.T) {
	x, labels := rings(60, 2, 2, 741)
	for _, c := range []struct {
		name string
		x    mat.Matrix
		k    int
		o    classify.QuadraticLogisticOptions
		want []string
	}{
		{"lambda", x, 2, classify.QuadraticLogisticOptions{Lambda: -1}, []string{"Lambda is -1"}},
		{"alpha", x, 2, classify.QuadraticLogisticOptions{Alpha: math.NaN()}, []string{"Alpha is NaN"}},
		{"rank", x, 2, classify.QuadraticLogisticOptions{Rank: 3}, []string{"Rank is 3", "1…2"}},
		{"empty class", x, 3, classify.QuadraticLogisticOptions{}, []string{"class 2", "no rows"}},
		{"many columns", mat.NewDense(60, 300, nil), 2, classify.QuadraticLogisticOptions{}, []string{"GB", "fewer"}},
		{"constant column", mat.NewDense(60, 2, nil), 2, classify.QuadraticLogisticOptions{Lambda: 1}, []string{"not unique", "Alpha"}},
		{"options", x, 2, classify.QuadraticLogisticOptions{Tolerance: -1}, []string{"Tolerance"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := classify.FitQuadraticLogistic(c.x, labels, c.k, c.o)
			mentions(t, err, append(c.want, "FitQuadraticLogistic")...)
		})
	}
	t.Run("a circle separates", func(t *testing.T) {
		y, l := mat.NewDense(40, 2, nil), make([]int, 40)
		for i := range l {
			l[i] = i % 2
			r := 1 + 2*float64(l[i])
			y.SetRow(i, []float64{r * math.Cos(float64(i)), r * math.Sin(float64(i))})
		}
		m := must(classify.FitQuadraticLogistic(y, l, 2, classify.QuadraticLogisticOptions{}))(t)
		if !m.Separable || m.Converged {
			t.Error(m.Reason)
		}
		for i, c := range must(m.Predict(y))(t) {
			if c != l[i] {
				t.Fatalf("row %d is class %d", i, c)
			}
		}
		s := must(classify.FitQuadraticLogistic(y, l, 2, classify.QuadraticLogisticOptions{Lambda: 0.1}))(t)
		if !s.Converged {
			t.Error(s.Reason)
		}
	})
	t.Run("a line separates, with shrinkage of the quadratic part alone", func(t *testing.T) {
		y := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3})
		l := []int{0, 0, 0, 1, 1, 1}
		m := must(classify.FitQuadraticLogistic(y, l, 2, classify.QuadraticLogisticOptions{Lambda: 1}))(t)
		if !m.Separable || m.Converged || mat.Norm(m.Quadratic[0], 2) != 0 {
			t.Error(m.Reason)
		}
		s := must(classify.FitQuadraticLogistic(y, l, 2, classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 1}))(t)
		if !s.Converged {
			t.Error(s.Reason)
		}
	})
	t.Run("constant column with both penalties", func(t *testing.T) {
		y := mat.NewDense(60, 3, nil)
		y.Slice(0, 60, 0, 2).(*mat.Dense).Copy(x)
		for i := range 60 {
			y.Set(i, 2, 4.2)
		}
		m := must(classify.FitQuadraticLogistic(y, labels, 2, classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 1}))(t)
		base := must(classify.FitQuadraticLogistic(x, labels, 2, classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 1}))(t)
		if !m.Converged || math.Abs(m.E-base.E) > 1e-10 || m.Std[2] != 1 {
			t.Errorf("E = %v, without the column %v: %s", m.E, base.E, m.Reason)
		}
	})
	t.Run("huge and tiny units", func(t *testing.T) {
		base := must(classify.FitQuadraticLogistic(x, labels, 2, classify.QuadraticLogisticOptions{}))(t)
		for _, s := range []float64{1e150, 1e-150} {
			y := mat.NewDense(60, 2, nil)
			y.Scale(s, x)
			m := must(classify.FitQuadraticLogistic(y, labels, 2, classify.QuadraticLogisticOptions{}))(t)
			if !mat.EqualApprox(must(m.Posterior(y))(t), must(base.Posterior(x))(t), 1e-9) {
				t.Errorf("scale %v: other posteriors: %s", s, m.Reason)
			}
		}
	})
	t.Run("tall and opaque", func(t *testing.T) {
		m := must(classify.FitQuadraticLogistic(struct{ mat.Matrix }{x}, labels, 2, classify.QuadraticLogisticOptions{}))(t)
		base := must(classify.FitQuadraticLogistic(x, labels, 2, classify.QuadraticLogisticOptions{}))(t)
		if !mat.Equal(m.Linear, base.Linear) {
			t.Error("another fit when read element by element")
		}
	})
}

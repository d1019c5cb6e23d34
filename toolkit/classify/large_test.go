package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// drawn returns n rows in d dimensions with targets drawn from a logistic model.
func drawn(n, d int, seed uint64) (*mat.Dense, []float64) {
	rng := rand.New(rand.NewPCG(seed, 13))
	x, t := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		a := 0.3
		for j := range d {
			v := rng.NormFloat64()
			x.Set(i, j, v)
			a += v * math.Cos(float64(j)) / math.Sqrt(float64(d))
		}
		if rng.Float64() < 1/(1+math.Exp(-a)) {
			t[i] = 1
		}
	}
	return x, t
}

// TestLargeLogistic: above the limit where Gram matrices take over, the fit
// agrees with the orthogonal way on the same rows, with and without dependent
// columns, a prior, and many chunks to merge.
func TestLargeLogistic(t *testing.T) {
	x, target := drawn(10000, 35, 1)
	n2 := 20000
	twice, both := mat.NewDense(n2, 35, nil), make([]float64, n2)
	for i := range n2 {
		twice.SetRow(i, x.RawRowView(i%10000))
		both[i] = target[i%10000]
	}
	for _, c := range []struct {
		name   string
		change func(*mat.Dense)
		small  classify.LogisticOptions
		large  classify.LogisticOptions
	}{
		{"plain", func(*mat.Dense) {}, classify.LogisticOptions{}, classify.LogisticOptions{}},
		{"duplicate", func(m *mat.Dense) { m.Apply(copyColumn(m), m) }, classify.LogisticOptions{}, classify.LogisticOptions{}},
		{"prior", func(*mat.Dense) {},
			classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 50}}, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 100}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			xs, xl := mat.DenseCopyOf(x), mat.DenseCopyOf(twice)
			c.change(xs)
			c.change(xl)
			a := must(classify.FitLogistic(xs, target, c.small))(t)
			b := must(classify.FitLogistic(xl, both, c.large))(t)
			if !a.Converged || !b.Converged || a.Rank != b.Rank {
				t.Fatalf("%s / %s", a.Reason, b.Reason)
			}
			nearly(t, "weights", b.W, a.W, 1e-12)
			if a.Covariance != nil {
				for i := range a.W {
					if e := math.Abs(b.Covariance.At(i, i)*2/a.Covariance.At(i, i) - 1); e > 1e-11 {
						t.Errorf("variance %d differs by %.2g", i, e)
					}
				}
			}
		})
	}
}

// copyColumn makes column 5 a copy of column 2.
func copyColumn(m *mat.Dense) func(i, j int, v float64) float64 {
	return func(i, j int, v float64) float64 {
		if j == 5 {
			return m.At(i, 2)
		}
		return v
	}
}

// TestLargeSeparable: quasi-separation is found among many rows too.
func TestLargeSeparable(t *testing.T) {
	x, target := drawn(20000, 30, 2)
	for i := range target {
		// Column 0 decides, but for the tenth of the rows where it is zero.
		if i%10 == 0 {
			x.Set(i, 0, 0)
		} else {
			target[i] = truth(x.At(i, 0) > 0)
		}
	}
	m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	if !m.Separable || m.Converged || leastMargin(x, target, m.Direction) < -1e-10 {
		t.Fatalf("%s", m.Reason)
	}
	for i, d := range m.Direction {
		if math.Abs(d-truth(i == 1)) > 1e-9 {
			t.Errorf("direction %d is %v", i, d)
		}
	}
}

package classify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestGenerativeSample: samples have the moments of the model (within 5 standard
// errors), the same seed gives the same bytes, and a fit to them comes back.
func TestGenerativeSample(t *testing.T) {
	const n = 20000
	for name, g := range generated(t, 120, 9) {
		t.Run(name, func(t *testing.T) {
			x, labels, err := g.m.Sample(n, 1)
			if err != nil {
				t.Fatal(err)
			}
			again, _, _ := g.m.Sample(n, 1)
			other, _, _ := g.m.Sample(n, 2)
			if !mat.Equal(x, again) || mat.Equal(x, other) {
				t.Error("the seed does not fix the sample")
			}
			// The mean of ln p(x|C) has no bias; its error follows from its spread.
			counts := make([]float64, 3)
			for _, k := range labels {
				counts[k]++
			}
			for k, p := range priorsOf(g.m) {
				if se := math.Sqrt(p * (1 - p) / n); math.Abs(counts[k]/n-p) > 5*se {
					t.Errorf("class %d: share %v, prior %v", k, counts[k]/n, p)
				}
			}
			checkMeans(t, g.m, x, labels)
		})
	}
	_, _, err := must(classify.FitLDA(mat.NewDense(4, 1, []float64{1, 2, 4, 5}), []int{0, 0, 1, 1}, 2, classify.LDAOptions{}))(t).Sample(0, 1)
	mentions(t, err, "LDA", "n is 0")
}

// checkMeans compares the means of each class, and for Gaussians the scatter.
func checkMeans(t *testing.T, m classify.Generative, x *mat.Dense, labels []int) {
	t.Helper()
	var means *mat.Dense
	var sigma func(k int) mat.Matrix
	switch m := m.(type) {
	case *classify.LDA:
		means, sigma = m.Means, func(int) mat.Matrix { return m.Sigma }
	case *classify.QDA:
		means, sigma = m.Means, func(k int) mat.Matrix { return m.Sigma[k] }
	case *classify.NaiveBayesGaussian:
		means = m.Means
	case *classify.NaiveBayesBernoulli:
		means = m.Mu
	case *classify.NaiveBayesCategorical:
		means = mat.NewDense(3, 3, nil)
		for k := range 3 {
			for i, mu := range m.Mu {
				means.Set(k, i, mu.At(k, 1)+2*mu.At(k, 2))
			}
		}
	case *classify.ExponentialFamily:
		means = m.Means
	}
	s := must(classify.FitQDA(x, labels, 3, classify.QDAOptions{}))(t)
	for k := range 3 {
		for j := range 3 {
			se := math.Sqrt(s.Sigma[k].At(j, j) / float64(s.Counts[k]))
			if e := math.Abs(s.Means.At(k, j) - means.At(k, j)); e > 5*se {
				t.Errorf("class %d, column %d: mean %v, want %v ± %v", k, j, s.Means.At(k, j), means.At(k, j), se)
			}
			if sigma == nil {
				continue
			}
			for i := range 3 { // the variance of a sample covariance is (σ_ii σ_jj + σ_ij²)/N
				c := sigma(k)
				se := math.Sqrt((c.At(i, i)*c.At(j, j) + c.At(i, j)*c.At(i, j)) / float64(s.Counts[k]))
				if e := math.Abs(s.Sigma[k].At(i, j) - c.At(i, j)); e > 5*se {
					t.Errorf("class %d: covariance %d,%d is %v, want %v ± %v", k, i, j, s.Sigma[k].At(i, j), c.At(i, j), se)
				}
			}
		}
	}
}

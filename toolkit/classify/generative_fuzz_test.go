package classify_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// FuzzFitGenerative: no panic, and no NaN without an error, whatever the data.
func FuzzFitGenerative(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 1, 1, 2, 3, 0, 4, 5, 1}, 2, 0.0, uint8(0))
	f.Add([]byte{0, 0, 1, 1, 2, 0, 3, 1, 4, 0, 5, 1, 6, 0}, 1, 1.0, uint8(1))
	f.Add([]byte{8, 0, 9, 1, 10, 0, 11, 1, 12, 0, 0, 1}, 1, 0.5, uint8(2))
	f.Add([]byte{0, 1, 0, 1, 0, 1, 1, 1, 2, 0, 0, 0, 1, 0, 1, 1, 1, 2}, 2, 1e-3, uint8(7))
	f.Fuzz(func(t *testing.T, b []byte, d int, a float64, bits uint8) {
		if d < 1 || d > 6 || len(b) < d+1 || len(b) > 400 {
			return
		}
		x, labels, _ := fuzzData(b, d)
		u := bits&1 != 0
		if m, err := classify.FitFisher(x, targets(labels), classify.FisherOptions{Threshold: classify.FisherThreshold(bits >> 1 & 1), Shrinkage: a, PseudoInverse: bits&4 != 0}); err == nil {
			finite(t, "Fisher", append(m.W, m.J, m.ProjectedScatters[0], m.ProjectedScatters[1])...)
		}
		if m, err := classify.FitFisherMulti(x, labels, 3, classify.FisherMultiOptions{Shrinkage: a, PseudoInverse: bits&4 != 0, UniformPriors: u}); err == nil {
			finite(t, "FisherMulti", append(flat(m.W), m.Eigenvalues...)...)
			if p, err := m.Posterior(x); err == nil {
				finite(t, "FisherMulti posterior", flat(p)...)
			}
		}
		levels := make([]int, d)
		for j := range levels {
			levels[j] = 8
		}
		l, errLDA := classify.FitLDA(x, labels, 3, classify.LDAOptions{Shrinkage: a, UniformPriors: u, Unbiased: bits&2 != 0})
		fuzzGenerative(t, l, errLDA, x)
		q, errQDA := classify.FitQDA(x, labels, 3, classify.QDAOptions{Shrinkage: a, UniformPriors: u, Unbiased: bits&2 != 0})
		fuzzGenerative(t, q, errQDA, x)
		g, errNB := classify.FitNaiveBayesGaussian(x, labels, 3, classify.NaiveBayesGaussianOptions{Smoothing: a, UniformPriors: u, Unbiased: bits&2 != 0})
		fuzzGenerative(t, g, errNB, x)
		n, errB := classify.FitNaiveBayesBernoulli(x, labels, 3, classify.NaiveBayesOptions{Smoothing: a, UniformPriors: u})
		fuzzGenerative(t, n, errB, x)
		c, errC := classify.FitNaiveBayesCategorical(x, levels, labels, 3, classify.NaiveBayesOptions{Smoothing: a, UniformPriors: u})
		fuzzGenerative(t, c, errC, x)
		o := classify.ExponentialFamilyOptions{Density: classify.Density(bits >> 3 % 5), Smoothing: a, UniformPriors: u}
		e, errE := classify.FitExponentialFamily(x, labels, 3, o)
		fuzzGenerative(t, e, errE, x)
	})
}

func fuzzGenerative(t *testing.T, m classify.Generative, err error, x mat.Matrix) {
	t.Helper()
	if err != nil {
		return
	}
	w := weightsOf(m)
	if bad := notNumber(append(w, sharesOf(m).LogLikelihood)); bad {
		t.Errorf("%T: NaN in %v, likelihood %v", m, w, sharesOf(m).LogLikelihood)
	}
	if p, err := m.Posterior(x); err == nil {
		finite(t, "posterior", flat(p)...)
	}
	if p, err := m.LogDensities(x); err == nil && notNumber(flat(p)) {
		t.Errorf("%T: densities %v", m, flat(p))
	}
	if p, err := m.LogMarginal(x); err == nil && notNumber(p) {
		t.Errorf("%T: marginals %v", m, p)
	}
	b := must(json.Marshal(m))(t)
	if err := json.Unmarshal(b, emptyOf(m)); err != nil {
		t.Errorf("%s does not load: %v", b, err)
	}
}

func notNumber(v []float64) bool {
	for _, a := range v {
		if math.IsNaN(a) {
			return true
		}
	}
	return false
}

// FuzzLoadGenerative: a loader takes what it can predict with, or gives an error.
func FuzzLoadGenerative(f *testing.F) {
	x, labels := clouds(30, 2, 3, 1)
	for _, e := range models {
		y, l := x, labels
		if e.k == 2 {
			y, l = clouds(30, 2, 2, 1)
		} else if strings.HasPrefix(e.name, "categorical") {
			y, l = clouds(30, 3, 3, 1)
		}
		m, err := e.fit(y, l, e.k)
		if err != nil {
			continue // models of other data
		}
		b, err := json.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"schema":"hyperplane-lda/1","priors":[1,0],"counts":[1,0],"means":{"rows":2,"cols":1,"data":[1,2]}}`))
	f.Add([]byte(`{"schema":"hyperplane-fisher-multi/1","w":{"rows":1,"cols":1,"data":[1]},"scatter":null}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, m := range []classify.Predictor{new(classify.Fisher), new(classify.FisherMulti), new(classify.LDA), new(classify.QDA),
			new(classify.NaiveBayesBernoulli), new(classify.NaiveBayesCategorical), new(classify.NaiveBayesGaussian), new(classify.ExponentialFamily)} {
			if json.Unmarshal(b, m) != nil {
				continue
			}
			again := must(json.Marshal(m))(t)
			if err := json.Unmarshal(again, m); err != nil {
				t.Errorf("%s loads, but its copy %s does not: %v", b, again, err)
			}
			for d := 1; d < 4; d++ {
				if _, err := m.Predict(mat.NewDense(1, d, nil)); err != nil && !strings.HasPrefix(err.Error(), "classify: ") {
					t.Errorf("error %q has no prefix", err)
				}
			}
		}
	})
}

package classify_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// closeModels compares the numbers of two saved models, each beside the largest of its
// list. Words, such as how a fit was solved, may differ.
func closeModels(t *testing.T, name, got, want string, tol float64) {
	t.Helper()
	var a, b any
	for text, v := range map[string]*any{got: &a, want: &b} {
		if err := json.Unmarshal([]byte(text), v); err != nil {
			t.Fatalf("%s: %v in %s", name, err, text)
		}
	}
	compared := 0
	var compare func(path string, a, b any, scale float64)
	compare = func(path string, a, b any, scale float64) {
		switch b := b.(type) {
		case map[string]any:
			for key, v := range b {
				compare(path+"."+key, a.(map[string]any)[key], v, 0)
			}
		case []any:
			list, ok := a.([]any)
			if !ok || len(list) != len(b) {
				t.Errorf("%s: %s is %v, want %v", name, path, a, b)
				return
			}
			for _, v := range b {
				if f, ok := v.(float64); ok {
					scale = math.Max(scale, math.Abs(f))
				}
			}
			for i, v := range b {
				compare(path, list[i], v, scale)
			}
		case float64:
			compared++
			if f, ok := a.(float64); !ok || math.Abs(f-b) > tol*math.Max(scale, math.Abs(b)) {
				t.Errorf("%s: %s is %v, want %v", name, path, a, b)
			}
		}
	}
	compare("", a, b, 0)
	if compared < 5 {
		t.Errorf("%s: only %d numbers in %s", name, compared, want)
	}
}

// momentFits are the fits of SufficientMoments and the same ones in memory.
func momentFits(s *classify.SufficientMoments, x *mat.Dense, labels []int) map[string][2]func() (string, error) {
	k := len(s.Counts)
	target := make([]float64, len(labels))
	for i, c := range labels {
		target[i] = float64(1 - min(c, 1))
	}
	fits := map[string][2]func() (string, error){
		"LDA": {func() (string, error) { return saved(s.FitLDA(classify.LDAOptions{})) },
			func() (string, error) { return saved(classify.FitLDA(x, labels, k, classify.LDAOptions{})) }},
		"LDA, shrunk": {func() (string, error) { return saved(s.FitLDA(classify.LDAOptions{Shrinkage: 0.25, Unbiased: true})) },
			func() (string, error) {
				return saved(classify.FitLDA(x, labels, k, classify.LDAOptions{Shrinkage: 0.25, Unbiased: true}))
			}},
		"QDA": {func() (string, error) { return saved(s.FitQDA(classify.QDAOptions{Unbiased: true})) },
			func() (string, error) {
				return saved(classify.FitQDA(x, labels, k, classify.QDAOptions{Unbiased: true}))
			}},
		"naive Bayes": {func() (string, error) {
			return saved(s.FitNaiveBayesGaussian(classify.NaiveBayesGaussianOptions{Smoothing: 1e-9}))
		},
			func() (string, error) {
				return saved(classify.FitNaiveBayesGaussian(x, labels, k, classify.NaiveBayesGaussianOptions{Smoothing: 1e-9}))
			}},
		"least squares": {func() (string, error) { return saved(s.FitLeastSquares(classify.LeastSquaresOptions{})) },
			func() (string, error) {
				return saved(classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{}))
			}},
		"ridge": {func() (string, error) {
			return saved(s.FitLeastSquares(classify.LeastSquaresOptions{Ridge: 2, Coding: classify.CodingPlusMinus}))
		},
			func() (string, error) {
				return saved(classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{Ridge: 2, Coding: classify.CodingPlusMinus}))
			}},
	}
	if k == 2 {
		fits["Fisher"] = [2]func() (string, error){func() (string, error) { return saved(s.FitFisher(classify.FisherOptions{})) },
			func() (string, error) { return saved(classify.FitFisher(x, target, classify.FisherOptions{})) }}
	}
	return fits
}

// TestSufficientMoments: fits of the statistics of one part and of several merged ones
// are those of the rows.
func TestSufficientMoments(t *testing.T) {
	for _, c := range []struct{ n, d, k, parts int }{{40, 1, 2, 3}, {1000, 3, 2, 1}, {3000, 5, 4, 7}} {
		each := made(c.n, c.d, c.k, false)
		x, labels := inMemory(t, each)
		parts := make([]*classify.SufficientMoments, c.parts)
		for i := range parts {
			parts[i] = must(classify.NewSufficientMoments(c.d, c.k))(t)
		}
		for i, l := range labels {
			if err := parts[i*c.parts/c.n].Add(x.RawRowView(i), l); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range parts[1:] {
			if err := parts[0].Merge(p); err != nil {
				t.Fatal(err)
			}
		}
		for name, f := range momentFits(parts[0], x, labels) {
			got, gotErr := f[0]()
			want, wantErr := f[1]()
			if gotErr != nil || wantErr != nil {
				t.Fatalf("%s: %v, %v", name, gotErr, wantErr)
			}
			closeModels(t, name, got, want, 1e-12)
		}
	}
}

// TestSufficientMomentsOffset: far from 0 the statistics keep what the rows have.
func TestSufficientMomentsOffset(t *testing.T) {
	const offset = 1e6
	x, labels := inMemory(t, made(2000, 3, 3, false))
	x.Apply(func(_, _ int, v float64) float64 { return v + offset }, x)
	parts := []*classify.SufficientMoments{must(classify.NewSufficientMoments(3, 3))(t), must(classify.NewSufficientMoments(3, 3))(t)}
	for i, l := range labels {
		if err := parts[i%2].Add(x.RawRowView(i), l); err != nil {
			t.Fatal(err)
		}
	}
	if err := parts[0].Merge(parts[1]); err != nil {
		t.Fatal(err)
	}
	got := must(parts[0].FitQDA(classify.QDAOptions{}))(t)
	want := must(classify.FitQDA(x, labels, 3, classify.QDAOptions{}))(t)
	for k, s := range want.Sigma {
		if !mat.EqualApprox(got.Sigma[k], s, 1e-9) { // x itself is rounded to 1e-10
			t.Errorf("class %d: covariance %v, want %v", k, got.Sigma[k], s)
		}
	}
}

// TestSufficientCounts: those of parts, merged in any order, give the bits of the fit.
func TestSufficientCounts(t *testing.T) {
	x, labels := inMemory(t, made(500, 3, 3, true))
	levels := []int{2, 2, 2}
	one := must(classify.NewSufficientCounts(levels, 3))(t)
	parts := []*classify.SufficientCounts{must(classify.NewSufficientCounts(levels, 3))(t), must(classify.NewSufficientCounts(levels, 3))(t)}
	for i, l := range labels {
		for _, s := range []*classify.SufficientCounts{one, parts[i%2]} {
			if err := s.Add(x.RawRowView(i), l); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := parts[1].Merge(parts[0]); err != nil {
		t.Fatal(err)
	}
	o := classify.NaiveBayesBernoulliOptions{Smoothing: 0.5}
	bernoulli := must(saved(classify.FitNaiveBayesBernoulli(x, labels, 3, o)))(t)
	categorical := must(saved(classify.FitNaiveBayesCategorical(x, levels, labels, 3, classify.NaiveBayesCategoricalOptions(o))))(t)
	for _, s := range []*classify.SufficientCounts{one, parts[1]} {
		if got := must(saved(s.FitNaiveBayesBernoulli(o)))(t); got != bernoulli {
			t.Errorf("%s, want %s", got, bernoulli)
		}
		if got := must(saved(s.FitNaiveBayesCategorical(classify.NaiveBayesCategoricalOptions(o))))(t); got != categorical {
			t.Errorf("%s, want %s", got, categorical)
		}
	}
}

// TestLogisticSums: Newton's method over merged sums ends where FitLogistic does, with
// and without a prior, and the sums are those of its objective.
func TestLogisticSums(t *testing.T) {
	x, labels := inMemory(t, made(3000, 4, 2, false))
	target := make([]float64, len(labels))
	for i, c := range labels {
		target[i] = float64(1 - c)
	}
	for _, prior := range []classify.Prior{nil, classify.Isotropic{Alpha: 3}} {
		w := make([]float64, 5)
		length := 1.0
		for pass := 0; length > 1e-9 && pass < 20; pass++ {
			sums := must(classify.NewLogisticSums(w))(t)
			for part := range 3 {
				s := must(classify.NewLogisticSums(w))(t)
				for i := part * 1000; i < (part+1)*1000; i++ {
					if err := s.Add(x.RawRowView(i), target[i]); err != nil {
						t.Fatal(err)
					}
				}
				if err := sums.Merge(s); err != nil {
					t.Fatal(err)
				}
			}
			if pass == 2 {
				o := must(classify.LogisticObjective(x, target, nil))(t)
				e, g, h := sums.Sums()
				wantE, wantG, wantH := must(o.Value(w))(t), must(o.Gradient(w))(t), must(o.Hessian(w))(t)
				if math.Abs(e-wantE) > 1e-12*wantE || !mat.EqualApprox(mat.NewVecDense(5, g), mat.NewVecDense(5, wantG), 1e-9) || !mat.EqualApprox(h, wantH, 1e-9) || sums.N != 3000 {
					t.Errorf("sums %v, %v, %v, want %v, %v, %v", e, g, h, wantE, wantG, wantH)
				}
			}
			w, length = must2(sums.Step(prior))(t)
		}
		want := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior}))(t)
		for j := range w {
			if math.Abs(w[j]-want.W[j]) > 1e-12*math.Abs(want.W[j]) {
				t.Errorf("w%d = %v, want %v", j, w[j], want.W[j])
			}
		}
	}
}

// TestSufficientSaved: JSON and gob restore every bit, also of what still has rows to
// take in, and what is restored goes on as if nothing had happened.
func TestSufficientSaved(t *testing.T) {
	x, labels := inMemory(t, made(700, 2, 3, true))
	moments, again := must(classify.NewSufficientMoments(2, 4))(t), new(classify.SufficientMoments)
	counts, countsAgain := must(classify.NewSufficientCounts([]int{2, 3}, 3))(t), new(classify.SufficientCounts)
	sums, sumsAgain := must(classify.NewLogisticSums([]float64{0.1, 0.2, 0.3}))(t), new(classify.LogisticSums)
	for i, l := range labels {
		for _, err := range []error{moments.Add(x.RawRowView(i), l), counts.Add(x.RawRowView(i), l), sums.Add(x.RawRowView(i), float64(l)/2)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	savedAgain(t, moments, again)
	savedAgain(t, counts, countsAgain)
	savedAgain(t, sums, sumsAgain)
	for _, err := range []error{moments.Add([]float64{1, 0}, 3), again.Add([]float64{1, 0}, 3), moments.Merge(moments), again.Merge(again)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got, want := must(saved(again, nil))(t), must(saved(moments, nil))(t)
	if got != want || moments.Counts[3] != 2 {
		t.Errorf("%s, %s", got, want)
	}
}

// savedAgain writes v and reads it again, into back and by Load.
func savedAgain(t *testing.T, v, back interface {
	json.Marshaler
	json.Unmarshaler
	gob.GobEncoder
	gob.GobDecoder
}) {
	t.Helper()
	text := must(json.Marshal(v))(t)
	if err := json.Unmarshal(text, back); err != nil {
		t.Fatal(err)
	}
	if again := must(json.Marshal(back))(t); !bytes.Equal(again, text) {
		t.Errorf("%s came back as %s", text, again)
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&b).Decode(back); err != nil {
		t.Fatal(err)
	}
	if again := must(json.Marshal(must(classify.Load(must(json.Marshal(back))(t)))(t)))(t); !bytes.Equal(again, text) {
		t.Errorf("%s came back as %s", text, again)
	}
}

package classify_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// closeModels compares the numbers of two saved models. For the numbers of a list, the tolerance is
// multiplied by the largest absolute value in the list. Strings, such as the Reason of a fit, may
// differ.
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
				t.Errorf("%s: field %s is %v, want %v", name, path, a, b)
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
				t.Errorf("%s: field %s is %v, want %v", name, path, a, b)
			}
		}
	}
	compare("", a, b, 0)
	if compared < 5 {
		t.Errorf("%s: compared only %d numbers in %s, want at least 5", name, compared, want)
	}
}

// momentFits returns the fits that accept SufficientMoments. With each fit it returns the same fit
// to rows in memory.
func momentFits(s *classify.SufficientMoments, x *mat.Dense, labels []int) map[string][2]func() (string, error) {
	k := len(s.Counts)
	target := make([]float64, len(labels))
	for i, c := range labels {
		target[i] = float64(1 - min(c, 1))
	}
	fits := map[string][2]func() (string, error){
		"LDA": {func() (string, error) { return savedText(classify.FitLDAFrom(s, classify.LDAOptions{})) },
			func() (string, error) { return savedText(classify.FitLDA(x, labels, k, classify.LDAOptions{})) }},
		"LDA, shrunk": {func() (string,
			error) {
			return savedText(classify.FitLDAFrom(s, classify.LDAOptions{Shrinkage: 0.25, Unbiased: true}))
		},
			func() (string, error) {
				return savedText(classify.FitLDA(x, labels, k, classify.LDAOptions{Shrinkage: 0.25, Unbiased: true}))
			}},
		"QDA": {func() (string, error) { return savedText(classify.FitQDAFrom(s, classify.QDAOptions{Unbiased: true})) },
			func() (string, error) {
				return savedText(classify.FitQDA(x, labels, k, classify.QDAOptions{Unbiased: true}))
			}},
		"naive Bayes": {func() (string, error) {
			return savedText(classify.FitNaiveBayesGaussianFrom(s, classify.NaiveBayesGaussianOptions{Smoothing: 1e-9}))
		},
			func() (string, error) {
				return savedText(classify.FitNaiveBayesGaussian(x, labels, k,
					classify.NaiveBayesGaussianOptions{Smoothing: 1e-9}))
			}},
		"least squares": {func() (string, error) {
			return savedText(classify.FitLeastSquaresFrom(s, classify.LeastSquaresOptions{}))
		},
			func() (string, error) {
				return savedText(classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{}))
			}},
		"ridge": {func() (string, error) {
			return savedText(classify.FitLeastSquaresFrom(s, classify.LeastSquaresOptions{Ridge: 2, Coding: classify.CodingPlusMinus}))
		},
			func() (string, error) {
				return savedText(classify.FitLeastSquares(x, labels, k,
					classify.LeastSquaresOptions{Ridge: 2, Coding: classify.CodingPlusMinus}))
			}},
	}
	if k == 2 {
		fits["Fisher"] = [2]func() (string,
			error){func() (string, error) { return savedText(classify.FitFisherFrom(s, classify.FisherOptions{})) },
			func() (string, error) { return savedText(classify.FitFisher(x, target, classify.FisherOptions{})) }}
	}
	return fits
}

// TestSufficientMoments checks fits to the statistics of one part and of several merged parts. The
// fits must equal the fits to the rows.
func TestSufficientMoments(t *testing.T) {
	for _, c := range []struct{ n, d, k, parts int }{{40, 1, 2, 3}, {1000, 3, 2, 1}, {3000, 5, 4, 7}} {
		each := generatedRows(c.n, c.d, c.k, false)
		x, labels := collectRows(t, each)
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

// TestSufficientMomentsOffset checks that the statistics are as accurate as the rows, even if the
// inputs are far from 0.
func TestSufficientMomentsOffset(t *testing.T) {
	const offset = 1e6
	x, labels := collectRows(t, generatedRows(2000, 3, 3, false))
	x.Apply(func(_, _ int, v float64) float64 { return v + offset }, x)
	parts := []*classify.SufficientMoments{must(classify.NewSufficientMoments(3, 3))(t),
		must(classify.NewSufficientMoments(3, 3))(t)}
	for i, l := range labels {
		if err := parts[i%2].Add(x.RawRowView(i), l); err != nil {
			t.Fatal(err)
		}
	}
	if err := parts[0].Merge(parts[1]); err != nil {
		t.Fatal(err)
	}
	got := must(classify.FitQDAFrom(parts[0], classify.QDAOptions{}))(t)
	want := must(classify.FitQDA(x, labels, 3, classify.QDAOptions{}))(t)
	for k, s := range want.Sigma {
		if !mat.EqualApprox(got.Sigma[k], s, 1e-9) { // the tolerance allows for the rounding of x to 1e-10
			t.Errorf("the covariance of class %d is %v, want %v", k, got.Sigma[k], s)
		}
	}
}

// TestSufficientCounts fits the counts that result from merging parts of the data. In any order of
// merging, the model must equal the fit to the rows, bit for bit.
func TestSufficientCounts(t *testing.T) {
	x, labels := collectRows(t, generatedRows(500, 3, 3, true))
	levels := []int{2, 2, 2}
	one := must(classify.NewSufficientCounts(levels, 3))(t)
	parts := []*classify.SufficientCounts{must(classify.NewSufficientCounts(levels, 3))(t),
		must(classify.NewSufficientCounts(levels, 3))(t)}
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
	bernoulli := must(savedText(classify.FitNaiveBayesBernoulli(x, labels, 3, o)))(t)
	categorical := must(savedText(classify.FitNaiveBayesCategorical(x, levels, labels, 3,
		classify.NaiveBayesCategoricalOptions(o))))(t)
	for _, s := range []*classify.SufficientCounts{one, parts[1]} {
		if got := must(savedText(classify.FitNaiveBayesBernoulliFrom(s, o)))(t); got != bernoulli {
			t.Errorf("%s, want %s", got, bernoulli)
		}
		if got := must(savedText(classify.FitNaiveBayesCategoricalFrom(s, nil,
			classify.NaiveBayesCategoricalOptions(o))))(t); got != categorical {
			t.Errorf("%s, want %s", got, categorical)
		}
	}
}

// TestLogisticSums checks that Newton's method with merged sums reaches the optimum of FitLogistic,
// with and without a prior. The sums must equal the value and the derivatives of LogisticObjective.
func TestLogisticSums(t *testing.T) {
	x, labels := collectRows(t, generatedRows(3000, 4, 2, false))
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
				if math.Abs(e-wantE) > 1e-12*wantE ||
					!mat.EqualApprox(mat.NewVecDense(5, g), mat.NewVecDense(5, wantG), 1e-9) ||
					!mat.EqualApprox(h, wantH, 1e-9) || sums.N != 3000 {
					t.Errorf("the sums E, ∇E, H are %v, %v, %v, want %v, %v, %v", e, g, h, wantE, wantG, wantH)
				}
			}
			w, length = must2(sums.Step(prior))(t)
		}
		want := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior}))(t)
		for j := range w {
			if math.Abs(w[j]-want.W[j]) > 1e-12*math.Abs(want.W[j]) {
				t.Errorf("weight w%d is %v, want %v", j, w[j], want.W[j])
			}
		}
	}
}

// TestSufficientSaved checks that Save and Load restore statistics bit for bit, even if rows are
// pending. After that, Add and Merge must change the restored statistics in the same way as the
// original statistics.
func TestSufficientSaved(t *testing.T) {
	x, labels := collectRows(t, generatedRows(700, 2, 3, true))
	moments := must(classify.NewSufficientMoments(2, 4))(t)
	counts := must(classify.NewSufficientCounts([]int{2, 3}, 3))(t)
	sums := must(classify.NewLogisticSums([]float64{0.1, 0.2, 0.3}))(t)
	for i, l := range labels {
		for _, err := range []error{moments.Add(x.RawRowView(i), l), counts.Add(x.RawRowView(i), l),
			sums.Add(x.RawRowView(i), float64(l)/2)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, m := range []classify.Model{moments, counts, sums} {
		text := textOf(t, m)
		back := textOf(t, loadModel[classify.Model](t, text))
		errorIf(t, !bytes.Equal(back, text), "the statistics %s are restored as %s, want equal statistics", text, back)
	}
	again := loadModel[*classify.SufficientMoments](t, textOf(t, moments))
	for _, err := range []error{moments.Add([]float64{1, 0}, 3), again.Add([]float64{1, 0}, 3), moments.Merge(moments),
		again.Merge(again)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got, want := must(savedText(again, nil))(t), must(savedText(moments, nil))(t)
	if got != want || moments.Counts[3] != 2 {
		t.Errorf("%s, %s", got, want)
	}
}

const (
	shardFile  = "HYPERPLANE_TEST_SHARD_FILE"  // path of the CSV file that a child process reads
	shardPart  = "HYPERPLANE_TEST_SHARD_PART"  // index of the part to read
	shardCount = "HYPERPLANE_TEST_SHARD_COUNT" // number of parts
	shardOut   = "HYPERPLANE_TEST_SHARD_OUT"   // path of the output file for the statistics
)

// shardOf reads one part of a file. The part consists of every count-th row.
func shardOf(path string, part, count int) (*classify.SufficientMoments, error) {
	f, err := datasets.OpenCSVFile(path, datasets.CSVOptions{Classes: []string{"a", "b", "c"}})
	if err != nil {
		return nil, err
	}
	s, err := classify.NewSufficientMoments(f.D(), f.K())
	if err != nil {
		return nil, err
	}
	i, failed := 0, error(nil)
	err = f.Each(func(x []float64, label float64) bool {
		if i++; i%count == part {
			failed = s.Add(x, int(label))
		}
		return failed == nil
	})
	if failed != nil {
		return nil, failed
	}
	return s, err
}

// TestShardProcess is the child process of TestSufficientShards. In a normal test run it does
// nothing.
func TestShardProcess(t *testing.T) {
	path := os.Getenv(shardFile)
	if path == "" {
		return
	}
	part, count := must(strconv.Atoi(os.Getenv(shardPart)))(t), must(strconv.Atoi(os.Getenv(shardCount)))(t)
	b := textOf(t, must(shardOf(path, part, count))(t))
	if err := os.WriteFile(os.Getenv(shardOut), b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSufficientShards reads the parts of a file in separate processes. The merged statistics must
// match the fit of all rows to 12 digits. The merged statistics must have the same bits as the
// statistics of the same parts read in one process.
func TestSufficientShards(t *testing.T) {
	const parts = 3
	dir := t.TempDir()
	path := filepath.Join(dir, "rows.csv")
	x, labels := collectRows(t, generatedRows(4000, 4, 3, false))
	d := &datasets.Dataset{Name: "rows", X: x, Labels: labels, FeatureNames: []string{"p", "q", "r", "s"},
		ClassNames: []string{"a", "b", "c"}}
	if err := datasets.WriteCSVFile(path, d); err != nil {
		t.Fatal(err)
	}
	var children []*exec.Cmd
	var said [parts]bytes.Buffer
	for part := range parts {
		c := exec.Command(os.Args[0], "-test.run=^TestShardProcess$")
		c.Env = append(os.Environ(), shardFile+"="+path, fmt.Sprintf("%s=%d", shardPart, part),
			fmt.Sprintf("%s=%d", shardCount, parts),
			fmt.Sprintf("%s=%s/%d.json", shardOut, dir, part))
		c.Stdout, c.Stderr = &said[part], &said[part]
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, c)
	}
	merged, one := must(classify.NewSufficientMoments(4, 3))(t), must(classify.NewSufficientMoments(4, 3))(t)
	for part, c := range children {
		if err := c.Wait(); err != nil {
			t.Fatalf("part %d: %v\n%s", part, err, said[part].String())
		}
		text := must(os.ReadFile(filepath.Join(dir, strconv.Itoa(part)+".json")))(t)
		s := loadModel[*classify.SufficientMoments](t, text)
		for _, err := range []error{merged.Merge(s), one.Merge(must(shardOf(path, part, parts))(t))} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if got, want := must(savedText(merged, nil))(t), must(savedText(one, nil))(t); got != want {
		t.Errorf("the merged statistics of several processes are %s\nwant the statistics of one process: %s", got, want)
	}
	for name, f := range momentFits(merged, x, labels) {
		closeModels(t, name, must(f[0]())(t), must(f[1]())(t), 1e-12)
	}
	if merged.Counts[0]+merged.Counts[1]+merged.Counts[2] != 4000 {
		t.Errorf("%v rows", merged.Counts)
	}
}

// TestSufficientErrors checks the errors for input that cannot be added, merged or fitted.
func TestSufficientErrors(t *testing.T) {
	of := func(_ any, err error) error { return err }
	// The argument rows contains the numbers x, y and label of each row, one row after the other.
	moments := func(rows ...float64) *classify.SufficientMoments {
		s := must(classify.NewSufficientMoments(2, 3))(t)
		for i := 0; i < len(rows); i += 3 {
			if err := s.Add(rows[i:i+2], int(rows[i+2])); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	counts := must(classify.NewSufficientCounts([]int{2, 3}, 2))(t)
	three := must(classify.NewSufficientCounts([]int{2, 3}, 2))(t)
	for label := range 2 {
		if err := three.Add([]float64{1, 2}, label); err != nil {
			t.Fatal(err)
		}
	}
	sums := must(classify.NewLogisticSums([]float64{0, 0}))(t)
	other := must(classify.NewLogisticSums([]float64{0, 1}))(t)
	step := func(s *classify.LogisticSums, p classify.Prior) error { _, _, err := s.Step(p); return err }
	constant := must(classify.NewLogisticSums([]float64{0, 0}))(t)
	for _, v := range []float64{0, 1, 1} {
		if err := constant.Add([]float64{2}, v); err != nil {
			t.Fatal(err)
		}
	}
	line := moments(0, 0, 0, 1, 2, 0, 2, 4, 0, 0, 1, 1, 1, 3, 1, 2, 5, 1)
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		err  error
		want []string
	}{
		{"no columns", of(classify.NewSufficientMoments(0, 2)), []string{"0 columns"}},
		{"huge", of(classify.NewSufficientMoments(1<<20, 2)), []string{"1 GB"}},
		{"label", moments().Add([]float64{1, 2}, 3), []string{"label is 3", "0…2"}},
		{"width", moments().Add([]float64{1}, 0), []string{"1 numbers", "2 columns"}},
		{"NaN", moments().Add([]float64{1, inf}, 0), []string{"x[1] is +Inf"}},
		{"beyond the range", moments(-1e308, 0, 0).Add([]float64{1.5e308, 0}, 0), []string{"x[0] is 1.5e+308"}},
		{"unmade", new(classify.SufficientMoments).Add(nil, 0), []string{"NewSufficientMoments"}},
		{"merge", moments().Merge(must(classify.NewSufficientMoments(2, 2))(t)),
			[]string{"2 columns and 3 classes", "2 and 2"}},
		{"merge nil", moments().Merge(nil), []string{"NewSufficientMoments"}},
		{"no rows", of(classify.FitLDAFrom(moments(), classify.LDAOptions{})), []string{"[0 0 0] rows", "at least two"}},
		{"one class", of(classify.FitQDAFrom(moments(1, 2, 1), classify.QDAOptions{})), []string{"[0 1 0] rows"}},
		{"Weights", of(classify.FitLDAFrom(line, classify.LDAOptions{Weights: []float64{1}})), []string{"Weights", "leave Weights out"}},
		{"singular", of(classify.FitQDAFrom(line, classify.QDAOptions{})), []string{"class 0 is singular", "rank 1 of 2"}},
		{"singular, shared", of(classify.FitLDAFrom(line, classify.LDAOptions{})), []string{"singular", "dependent: 0, 1"}},
		{"three classes", of(classify.FitFisherFrom(line, classify.FisherOptions{})), []string{"two classes"}},
		{"constant",
			of(classify.FitNaiveBayesGaussianFrom(moments(1, 2, 0, 1, 3, 0, 4, 5, 1, 6, 7, 1),
				classify.NaiveBayesGaussianOptions{})),
			[]string{"column 0", "constant", "class 0"}},

		{"levels", of(classify.NewSufficientCounts([]int{2, 0}, 2)), []string{"levels[1] is 0"}},
		{"no levels", of(classify.NewSufficientCounts(nil, 2)), []string{"0 columns"}},
		{"counts, value", counts.Add([]float64{1, 3}, 0), []string{"x[1] is 3", "0…2"}},
		{"counts, fraction", counts.Add([]float64{0.5, 0}, 0), []string{"x[0] is 0.5"}},
		{"counts, width", counts.Add([]float64{1}, 0), []string{"1 numbers", "2 columns"}},
		{"counts, label", counts.Add([]float64{1, 1}, -1), []string{"label is -1"}},
		{"counts, merge", counts.Merge(must(classify.NewSufficientCounts([]int{3, 2}, 2))(t)),
			[]string{"[2 3]", "[3 2]"}},
		{"counts, no rows", of(classify.FitNaiveBayesCategoricalFrom(counts, nil, classify.NaiveBayesCategoricalOptions{})),
			[]string{"[0 0] rows"}},
		{"counts, not binary", of(classify.FitNaiveBayesBernoulliFrom(three, classify.NaiveBayesBernoulliOptions{})),
			[]string{"feature 1 has 3 levels"}},
		{"counts, unmade", new(classify.SufficientCounts).Add(nil, 0), []string{"NewSufficientCounts"}},

		{"sums, no columns", of(classify.NewLogisticSums([]float64{1})), []string{"1 entries"}},
		{"sums, width", sums.Add([]float64{1, 2}, 0), []string{"x has 2 entries"}},
		{"sums, target", sums.Add([]float64{1}, 2), []string{"is 2", "[0,1]"}},
		{"sums, merge", sums.Merge(other), []string{"different weights"}},
		{"sums, no rows", step(sums, nil), []string{"no rows"}},
		{"sums, singular", step(constant, nil), []string{"singular", "Prior"}},
		{"sums, prior", step(constant, classify.Isotropic{Alpha: -1}), []string{"Alpha"}},
		{"sums, unmade", new(classify.LogisticSums).Add([]float64{1}, 0), []string{"NewLogisticSums"}},

		{"file, sizes",
			loadError(`{"schema":"hyperplane-sufficient-moments/1","counts":[1,1],"columns":2,"origin":[[0],[0,0]],"factor":[null,null]}`), []string{"origin has 1 entries"}},
		{"file, rows",
			loadError(`{"schema":"hyperplane-sufficient-moments/1","counts":[4,0],"columns":1,"origin":[[0],null],"factor":[{"rows":2,"cols":2,"data":[3,0,0,1]},null]}`), []string{"number of rows, 4"}},
		{"file, cells",
			loadError(`{"schema":"hyperplane-sufficient-counts/1","levels":[2],"counts":[2,1],"cells":[[1,1],[2,0]]}`),
			[]string{"class 1", "want 1"}},
		{"file, sums",
			loadError(`{"schema":"hyperplane-logistic-sums/1","w":[0,0],"n":1,"e":0,"gradient":[1],"hessian":null}`),
			[]string{"gradient"}},
	} {
		wantError(t, c.name, c.err, c.want...)
	}
	if _, length, err := constant.Step(classify.Isotropic{Alpha: 1}); err != nil || !(length > 0) {
		t.Errorf("a step with a prior has length %v and error %v, want a positive length", length, err)
	}
	if e, g, h := (*classify.LogisticSums)(nil).Sums(); e != 0 || g != nil || h != (*mat.SymDense)(nil) {
		t.Errorf("nil LogisticSums have the sums %v, %v, %v, want 0, nil and nil", e, g, h)
	}
}

// TestReadersChangeNothing checks that reading statistics does not change them. While rows are
// pending, two goroutines fit the statistics, save them and merge them into another value.
func TestReadersChangeNothing(t *testing.T) {
	x, labels := clouds(700, 3, 2, 19)
	type part interface {
		model() classify.Model
		add(i int) error
		read() error
	}
	for name, make := range map[string]func() part{
		"moments": func() part { return momentsPart{must(classify.NewSufficientMoments(3, 2))(t), x, labels} },
		"sums":    func() part { return sumsPart{must(classify.NewLogisticSums(make([]float64, 4)))(t), x, labels} },
	} {
		read, left := make(), make()
		for i := range labels {
			if i == 100 {
				var both sync.WaitGroup
				for range 2 {
					both.Go(func() {
						if err := read.read(); err != nil {
							t.Error(err)
						}
					})
				}
				both.Wait()
			}
			for _, p := range []part{read, left} {
				if err := p.add(i); err != nil {
					t.Fatal(err)
				}
			}
		}
		got, want := textOf(t, read.model()), textOf(t, left.model())
		errorIf(t, !bytes.Equal(got, want), "%s: reading changes the bits after a merge, want no change:\n%s\n%s", name, got, want)
	}
}

type momentsPart struct {
	*classify.SufficientMoments
	x      *mat.Dense
	labels []int
}

func (p momentsPart) model() classify.Model { return p.SufficientMoments }

func (p momentsPart) add(i int) error { return p.Add(p.x.RawRowView(i), p.labels[i]) }

func (p momentsPart) read() error {
	total, err := classify.NewSufficientMoments(3, 2)
	if err == nil {
		err = total.Merge(p.SufficientMoments)
	}
	_, failed := classify.FitLDAFrom(p, classify.LDAOptions{})
	lost := classify.Save(io.Discard, p.model())
	return errors.Join(err, failed, lost)
}

type sumsPart struct {
	*classify.LogisticSums
	x      *mat.Dense
	labels []int
}

func (p sumsPart) model() classify.Model { return p.LogisticSums }

func (p sumsPart) add(i int) error { return p.Add(p.x.RawRowView(i), float64(p.labels[i])) }

func (p sumsPart) read() error {
	total, err := classify.NewLogisticSums(p.W)
	if err == nil {
		err = total.Merge(p.LogisticSums)
	}
	_, _, failed := p.Step(nil)
	lost := classify.Save(io.Discard, p.model())
	return errors.Join(err, failed, lost)
}

// TestMomentsFarFromZero checks that fits to moments are accurate even if columns are far from 0.
// The inputs are multiples of 2⁻¹⁰, so adding an offset is exact. The fits to the inputs without an
// offset are therefore the expected results.
func TestMomentsFarFromZero(t *testing.T) {
	base, labels := clouds(193, 3, 2, 23)
	base.Apply(func(_, _ int, v float64) float64 { return math.Round(v*1024) / 1024 }, base)
	same := func(t *testing.T, name string, got, want mat.Matrix) {
		t.Helper()
		var d mat.Dense
		d.Sub(got, want)
		errorIf(t, !(mat.Norm(&d, 2) <= 1e-12*mat.Norm(want, 2)), "%s: %.15v, want %.15v", name, mat.Formatted(got),
			mat.Formatted(want))
	}
	slopes := func(w *mat.Dense) mat.Matrix { return w.Slice(1, 4, 0, 2) }
	for _, offset := range []float64{1e3, 1e6, 1e9, 1e12} {
		parts := make([]*classify.SufficientMoments, 2)
		for p := range parts {
			parts[p] = must(classify.NewSufficientMoments(3, 2))(t)
			for i := p; i < len(labels); i += 2 {
				x := []float64{base.At(i, 0) + offset, base.At(i, 1) - offset, base.At(i, 2)}
				if err := parts[p].Add(x, labels[i]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := parts[0].Merge(parts[1]); err != nil {
			t.Fatal(err)
		}
		s, name := parts[0], fmt.Sprintf("offset %g, ", offset)
		same(t, name+"LDA", must(classify.FitLDAFrom(s, classify.LDAOptions{}))(t).Sigma,
			must(classify.FitLDA(base, labels, 2, classify.LDAOptions{}))(t).Sigma)
		q, want := must(classify.FitQDAFrom(s, classify.QDAOptions{}))(t),
			must(classify.FitQDA(base, labels, 2, classify.QDAOptions{}))(t)
		same(t, name+"QDA", q.Sigma[1], want.Sigma[1])
		closeTo(t, q.Means.At(1, 0), offset+want.Means.At(1, 0), offset*0x1p-52, "%sQDA: mean", name)
		same(t, name+"naive Bayes", must(classify.FitNaiveBayesGaussianFrom(s, classify.NaiveBayesGaussianOptions{}))(t).Variance,
			must(classify.FitNaiveBayesGaussian(base, labels, 2, classify.NaiveBayesGaussianOptions{}))(t).Variance)
		f, fisher := must(classify.FitFisherFrom(s, classify.FisherOptions{}))(t),
			must(classify.FitFisher(base, targets(labels), classify.FisherOptions{}))(t)
		if offset <= 1e9 { // at a larger offset the projected means are less accurate
			closeTo(t, f.J, fisher.J, 1e-12*fisher.J, "%sFisher", name)
		}
		for k, v := range fisher.ProjectedScatters {
			closeTo(t, f.ProjectedScatters[k], v, 1e-12*v, "%sFisher: scatter %d", name, k)
		}
		same(t, name+"least squares", slopes(must(classify.FitLeastSquaresFrom(s, classify.LeastSquaresOptions{}))(t).W),
			slopes(must(classify.FitLeastSquares(base, labels, 2, classify.LeastSquaresOptions{}))(t).W))
	}
}

// Each of two machines stores half of the iris data. One machine sends its statistics to the other.
func ExampleSufficientMoments() {
	iris := datasets.Iris()
	half := func(part int) *classify.SufficientMoments {
		s := toolkit.Must(classify.NewSufficientMoments(iris.D(), iris.K()))
		for i := part; i < iris.N(); i += 2 {
			if err := s.Add(iris.X.RawRowView(i), iris.Labels[i]); err != nil {
				fmt.Println(err)
			}
		}
		return s
	}
	var sent bytes.Buffer
	toolkit.Must(0, classify.Save(&sent, half(1)))

	received := toolkit.Must(classify.Load(&sent)).(*classify.SufficientMoments)
	all := half(0)
	if err := all.Merge(received); err != nil {
		fmt.Println(err)
	}
	m := toolkit.Must(classify.FitLDAFrom(all, classify.LDAOptions{}))
	same := toolkit.Must(classify.FitLDA(iris.X, iris.Labels, iris.K(), classify.LDAOptions{}))
	fmt.Println(all.Counts, mat.EqualApprox(m.Sigma, same.Sigma, 1e-14))
	// Output: [50 50 50] true
}

// sixMoments returns the moments of six rows with overlapping classes.
func sixMoments() *classify.SufficientMoments {
	s := toolkit.Must(classify.NewSufficientMoments(2, 2))
	for i, x := range [][]float64{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {1, 1}, {0, 1}} {
		if err := s.Add(x, i/3); err != nil {
			fmt.Println(err)
		}
	}
	return s
}

func ExampleNewSufficientMoments() {
	s := toolkit.Must(classify.NewSufficientMoments(2, 3))
	fmt.Println(s.Counts)
	// Output: [0 0 0]
}

func ExampleSufficientMoments_Add() {
	s := sixMoments()
	fmt.Println(s.Add([]float64{1, 2, 3}, 0))
	// Output: classify: SufficientMoments.Add: x has 3 numbers: these statistics have 2 columns
}

func ExampleSufficientMoments_Merge() {
	s := sixMoments()
	fmt.Println(s.Merge(sixMoments()), s.Counts)
	// Output: <nil> [6 6]
}

func ExampleFitLDAFrom_moments() {
	m := toolkit.Must(classify.FitLDAFrom(sixMoments(), classify.LDAOptions{}))
	fmt.Printf("%.3f\n", toolkit.Must(m.TwoClass())[:2])
	// Output: [0.750 -1.500]
}

func ExampleFitQDAFrom_moments() {
	m := toolkit.Must(classify.FitQDAFrom(sixMoments(), classify.QDAOptions{}))
	fmt.Printf("%.3f\n", m.LogDet)
	// Output: [-3.296 -3.296]
}

func ExampleFitFisherFrom_moments() {
	m := toolkit.Must(classify.FitFisherFrom(sixMoments(), classify.FisherOptions{}))
	fmt.Printf("%.3f %s\n", m.Direction[0], m.Reason)
	// Output: -1.000 equal projected Gaussian densities
}

func ExampleFitLeastSquaresFrom_moments() {
	m := toolkit.Must(classify.FitLeastSquaresFrom(sixMoments(), classify.LeastSquaresOptions{}))
	fmt.Printf("%.3f\n", m.SumSquare)
	// Output: 1.333
}

func ExampleFitNaiveBayesGaussianFrom_moments() {
	m := toolkit.Must(classify.FitNaiveBayesGaussianFrom(sixMoments(), classify.NaiveBayesGaussianOptions{}))
	fmt.Printf("%.3f\n", mat.Formatted(m.Variance))
	// Output:
	// ⎡0.222  0.222⎤
	// ⎣0.222  0.222⎦
}

// sixCounts returns the counts of the rows of sixMoments, which contain only 0 and 1.
func sixCounts() *classify.SufficientCounts {
	s := toolkit.Must(classify.NewSufficientCounts([]int{2, 2}, 2))
	for i, x := range [][]float64{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {1, 1}, {0, 1}} {
		if err := s.Add(x, i/3); err != nil {
			fmt.Println(err)
		}
	}
	return s
}

func ExampleNewSufficientCounts() {
	s := toolkit.Must(classify.NewSufficientCounts([]int{2, 3}, 2))
	fmt.Println(s.Counts, s.Cells)
	// Output: [0 0] [[0 0 0 0 0] [0 0 0 0 0]]
}

func ExampleSufficientCounts() {
	fmt.Println(sixCounts().Cells)
	// Output: [[2 1 1 2] [1 2 1 2]]
}

func ExampleSufficientCounts_Add() {
	fmt.Println(sixCounts().Add([]float64{0, 2}, 0))
	// Output: classify: SufficientCounts.Add: x[1] is 2: the values of this feature are numbered 0…1
}

func ExampleSufficientCounts_Merge() {
	s := sixCounts()
	fmt.Println(s.Merge(sixCounts()), s.Counts)
	// Output: <nil> [6 6]
}

func ExampleFitNaiveBayesBernoulliFrom_counts() {
	m := toolkit.Must(classify.FitNaiveBayesBernoulliFrom(sixCounts(), classify.NaiveBayesBernoulliOptions{Smoothing: 1}))
	fmt.Printf("%.1f\n", mat.Formatted(m.Mu))
	// Output:
	// ⎡0.4  0.6⎤
	// ⎣0.6  0.6⎦
}

func ExampleFitNaiveBayesCategoricalFrom_counts() {
	m := toolkit.Must(classify.FitNaiveBayesCategoricalFrom(sixCounts(), nil, classify.NaiveBayesCategoricalOptions{}))
	fmt.Printf("%.3f\n", mat.Formatted(m.Mu[0]))
	// Output:
	// ⎡0.667  0.333⎤
	// ⎣0.333  0.667⎦
}

// sixSums returns the sums over the rows of sixMoments at weights w.
func sixSums(w []float64) *classify.LogisticSums {
	s := toolkit.Must(classify.NewLogisticSums(w))
	for i, x := range [][]float64{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {1, 1}, {0, 1}} {
		if err := s.Add(x, float64(1-i/3)); err != nil {
			fmt.Println(err)
		}
	}
	return s
}

// In every pass one machine sends w, merges the sums of the parts and calls Step.
func ExampleLogisticSums() {
	w := []float64{0, 0, 0}
	for pass := range 4 {
		all := toolkit.Must(classify.NewLogisticSums(w))
		for range 2 { // machines
			if err := all.Merge(sixSums(w)); err != nil {
				fmt.Println(err)
			}
		}
		e, _, _ := all.Sums()
		var length float64
		var err error
		if w, length, err = all.Step(nil); err != nil {
			fmt.Println(err)
		}
		fmt.Printf("pass %d: E = %.6f, a short step: %v\n", pass, e, length < 1e-8)
	}
	fmt.Printf("%.3f\n", w[:2])
	// Output:
	// pass 0: E = 8.317766, a short step: false
	// pass 1: E = 7.639108, a short step: false
	// pass 2: E = 7.638170, a short step: false
	// pass 3: E = 7.638170, a short step: true
	// [0.693 -1.386]
}

func ExampleNewLogisticSums() {
	s := toolkit.Must(classify.NewLogisticSums([]float64{0, 1}))
	fmt.Println(s.N, s.W)
	// Output: 0 [0 1]
}

func ExampleLogisticSums_Add() {
	fmt.Println(sixSums([]float64{0, 0, 0}).Add([]float64{1, 2}, -1))
	// Output: classify: LogisticSums.Add: t[0] is -1: targets lie in [0,1], 1 for class C1 and 0 for C2 (not −1 and +1)
}

func ExampleLogisticSums_Merge() {
	s := sixSums([]float64{0, 0, 0})
	fmt.Println(s.Merge(sixSums([]float64{0, 0, 0})), s.N)
	// Output: <nil> 12
}

func ExampleLogisticSums_Sums() {
	e, g, h := sixSums([]float64{0, 0, 0}).Sums()
	fmt.Printf("%.3f %.2f %.2f\n", e, g, h.At(0, 0))
	// Output: 4.159 [0.00 0.50 0.00] 1.50
}

func ExampleLogisticSums_Step() {
	w, length, err := sixSums([]float64{0, 0, 0}).Step(classify.Isotropic{Alpha: 1})
	fmt.Printf("%.3f %.3f %v\n", w[:2], length, err)
	// Output: [0.083 -0.333] 0.408 <nil>
}

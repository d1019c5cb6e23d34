package classify_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

const (
	shardFile  = "HYPERPLANE_TEST_SHARD_FILE"  // the CSV file, for a child
	shardPart  = "HYPERPLANE_TEST_SHARD_PART"  // which of the parts of its rows
	shardCount = "HYPERPLANE_TEST_SHARD_COUNT" // of how many
	shardOut   = "HYPERPLANE_TEST_SHARD_OUT"   // where the statistics go
)

// shardOf reads the rows of a part of a file: every count-th.
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

// TestShardProcess is what TestSufficientShards runs in processes of their own. Else it
// does nothing.
func TestShardProcess(t *testing.T) {
	path := os.Getenv(shardFile)
	if path == "" {
		return
	}
	part, count := must(strconv.Atoi(os.Getenv(shardPart)))(t), must(strconv.Atoi(os.Getenv(shardCount)))(t)
	b := must(json.Marshal(must(shardOf(path, part, count))(t)))(t)
	if err := os.WriteFile(os.Getenv(shardOut), b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSufficientShards reads parts of a file in processes of their own: what they write
// merges to the fit of all rows, to 12 digits, and to the bits of the same parts read
// in one process.
func TestSufficientShards(t *testing.T) {
	const parts = 3
	dir := t.TempDir()
	path := filepath.Join(dir, "rows.csv")
	x, labels := inMemory(t, made(4000, 4, 3, false))
	d := &datasets.Dataset{Name: "rows", X: x, Labels: labels, FeatureNames: []string{"p", "q", "r", "s"}, ClassNames: []string{"a", "b", "c"}}
	if err := datasets.WriteCSVFile(path, d); err != nil {
		t.Fatal(err)
	}
	var children []*exec.Cmd
	var said [parts]bytes.Buffer
	for part := range parts {
		c := exec.Command(os.Args[0], "-test.run=^TestShardProcess$")
		c.Env = append(os.Environ(), shardFile+"="+path, fmt.Sprintf("%s=%d", shardPart, part), fmt.Sprintf("%s=%d", shardCount, parts),
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
		s := new(classify.SufficientMoments)
		if err := json.Unmarshal(must(os.ReadFile(filepath.Join(dir, strconv.Itoa(part)+".json")))(t), s); err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{merged.Merge(s), one.Merge(must(shardOf(path, part, parts))(t))} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if got, want := must(saved(merged, nil))(t), must(saved(one, nil))(t); got != want {
		t.Errorf("of processes: %s\nof one: %s", got, want)
	}
	for name, f := range momentFits(merged, x, labels) {
		closeModels(t, name, must(f[0]())(t), must(f[1]())(t), 1e-12)
	}
	if merged.Counts[0]+merged.Counts[1]+merged.Counts[2] != 4000 {
		t.Errorf("%v rows", merged.Counts)
	}
}

// TestSufficientErrors: what cannot be added, merged or fitted is named.
func TestSufficientErrors(t *testing.T) {
	of := func(_ any, err error) error { return err }
	moments := func(rows ...float64) *classify.SufficientMoments { // of two columns: x, y, label
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
	load := func(text string) error { _, err := classify.Load([]byte(text)); return err }
	line := moments(0, 0, 0, 1, 2, 0, 2, 4, 0, 0, 1, 1, 1, 3, 1, 2, 5, 1)
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		err  error
		want []string
	}{
		{"no columns", of(classify.NewSufficientMoments(0, 2)), []string{"0 columns"}},
		{"huge", of(classify.NewSufficientMoments(1<<20, 2)), []string{"memory"}},
		{"label", moments().Add([]float64{1, 2}, 3), []string{"label is 3", "0…2"}},
		{"width", moments().Add([]float64{1}, 0), []string{"1 numbers", "2 columns"}},
		{"NaN", moments().Add([]float64{1, inf}, 0), []string{"x[1] is +Inf"}},
		{"beyond the range", moments(-1e308, 0, 0).Add([]float64{1.5e308, 0}, 0), []string{"x[0] is 1.5e+308"}},
		{"unmade", new(classify.SufficientMoments).Add(nil, 0), []string{"NewSufficientMoments"}},
		{"merge", moments().Merge(must(classify.NewSufficientMoments(2, 2))(t)), []string{"2 columns and 3 classes", "2 and 2"}},
		{"merge nil", moments().Merge(nil), []string{"NewSufficientMoments"}},
		{"no rows", of(moments().FitLDA(classify.LDAOptions{})), []string{"[0 0 0] rows", "at least two"}},
		{"one class", of(moments(1, 2, 1).FitQDA(classify.QDAOptions{})), []string{"[0 1 0] rows"}},
		{"Weights", of(line.FitLDA(classify.LDAOptions{Weights: []float64{1}})), []string{"Weights", "leave it out"}},
		{"singular", of(line.FitQDA(classify.QDAOptions{})), []string{"class 0 is singular", "rank 1 of 2"}},
		{"singular, shared", of(line.FitLDA(classify.LDAOptions{})), []string{"singular", "dependent: 0, 1"}},
		{"three classes", of(line.FitFisher(classify.FisherOptions{})), []string{"two classes"}},
		{"constant", of(moments(1, 2, 0, 1, 3, 0, 4, 5, 1, 6, 7, 1).FitNaiveBayesGaussian(classify.NaiveBayesGaussianOptions{})), []string{"column 0", "constant", "class 0"}},

		{"levels", of(classify.NewSufficientCounts([]int{2, 0}, 2)), []string{"levels[1] is 0"}},
		{"no levels", of(classify.NewSufficientCounts(nil, 2)), []string{"0 columns"}},
		{"counts, value", counts.Add([]float64{1, 3}, 0), []string{"x[1] is 3", "0…2"}},
		{"counts, fraction", counts.Add([]float64{0.5, 0}, 0), []string{"x[0] is 0.5"}},
		{"counts, width", counts.Add([]float64{1}, 0), []string{"1 numbers", "2 columns"}},
		{"counts, label", counts.Add([]float64{1, 1}, -1), []string{"label is -1"}},
		{"counts, merge", counts.Merge(must(classify.NewSufficientCounts([]int{3, 2}, 2))(t)), []string{"[2 3]", "[3 2]"}},
		{"counts, no rows", of(counts.FitNaiveBayesCategorical(classify.NaiveBayesCategoricalOptions{})), []string{"[0 0] rows"}},
		{"counts, not binary", of(three.FitNaiveBayesBernoulli(classify.NaiveBayesBernoulliOptions{})), []string{"feature 1 has 3 levels"}},
		{"counts, unmade", new(classify.SufficientCounts).Add(nil, 0), []string{"NewSufficientCounts"}},

		{"sums, no columns", of(classify.NewLogisticSums([]float64{1})), []string{"1 entries"}},
		{"sums, width", sums.Add([]float64{1, 2}, 0), []string{"x has 2 entries"}},
		{"sums, target", sums.Add([]float64{1}, 2), []string{"is 2", "[0,1]"}},
		{"sums, merge", sums.Merge(other), []string{"different weights"}},
		{"sums, no rows", step(sums, nil), []string{"no rows"}},
		{"sums, singular", step(constant, nil), []string{"singular", "Prior"}},
		{"sums, prior", step(constant, classify.Isotropic{Alpha: -1}), []string{"Alpha"}},
		{"sums, unmade", new(classify.LogisticSums).Add([]float64{1}, 0), []string{"NewLogisticSums"}},

		{"file, sizes", load(`{"schema":"hyperplane-sufficient-moments/1","counts":[1,1],"columns":2,"origin":[[0],[0,0]],"factor":[null,null]}`), []string{"origin has 1 entries"}},
		{"file, rows", load(`{"schema":"hyperplane-sufficient-moments/1","counts":[4,0],"columns":1,"origin":[[0],null],"factor":[{"rows":2,"cols":2,"data":[3,0,0,1]},null]}`), []string{"4 rows"}},
		{"file, cells", load(`{"schema":"hyperplane-sufficient-counts/1","levels":[2],"counts":[2,1],"cells":[[1,1],[2,0]]}`), []string{"class 1", "rows are 1"}},
		{"file, sums", load(`{"schema":"hyperplane-logistic-sums/1","w":[0,0],"n":1,"e":0,"gradient":[1],"hessian":null}`), []string{"gradient"}},
	} {
		wantError(t, c.name, c.err, c.want...)
	}
	if _, length, err := constant.Step(classify.Isotropic{Alpha: 1}); err != nil || !(length > 0) {
		t.Errorf("with a prior: %v, %v", length, err)
	}
	if e, g, h := (*classify.LogisticSums)(nil).Sums(); e != 0 || g != nil || h != (*mat.SymDense)(nil) {
		t.Errorf("sums of nil: %v, %v, %v", e, g, h)
	}
}

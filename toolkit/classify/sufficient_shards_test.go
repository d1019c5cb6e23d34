package classify_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
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

// TestReadersChangeNothing: statistics that are merged into others, by several goroutines
// at once, sent, or fitted to, with rows that are not yet summed, go on as if they had not
// been.
func TestReadersChangeNothing(t *testing.T) {
	x, labels := clouds(700, 3, 2, 19)
	type part interface {
		json.Marshaler
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
		got, want := must(read.MarshalJSON())(t), must(left.MarshalJSON())(t)
		errorIf(t, !bytes.Equal(got, want), "%s: other bits after a merge:\n%s\n%s", name, got, want)
	}
}

type momentsPart struct {
	*classify.SufficientMoments
	x      *mat.Dense
	labels []int
}

func (p momentsPart) add(i int) error { return p.Add(p.x.RawRowView(i), p.labels[i]) }

func (p momentsPart) read() error {
	total, err := classify.NewSufficientMoments(3, 2)
	if err == nil {
		err = total.Merge(p.SufficientMoments)
	}
	_, failed := p.FitLDA(classify.LDAOptions{})
	_, lost := p.MarshalJSON()
	return errors.Join(err, failed, lost)
}

type sumsPart struct {
	*classify.LogisticSums
	x      *mat.Dense
	labels []int
}

func (p sumsPart) add(i int) error { return p.Add(p.x.RawRowView(i), float64(p.labels[i])) }

func (p sumsPart) read() error {
	total, err := classify.NewLogisticSums(p.W)
	if err == nil {
		err = total.Merge(p.LogisticSums)
	}
	_, _, failed := p.Step(nil)
	_, lost := p.MarshalJSON()
	return errors.Join(err, failed, lost)
}

// TestMomentsFarFromZero: of columns far from 0 the fits have the digits that the moments
// have. Multiples of 2⁻¹⁰ and offsets are exact, so that the inputs without an offset judge.
func TestMomentsFarFromZero(t *testing.T) {
	base, labels := clouds(193, 3, 2, 23)
	base.Apply(func(_, _ int, v float64) float64 { return math.Round(v*1024) / 1024 }, base)
	same := func(t *testing.T, name string, got, want mat.Matrix) {
		t.Helper()
		var d mat.Dense
		d.Sub(got, want)
		errorIf(t, !(mat.Norm(&d, 2) <= 1e-12*mat.Norm(want, 2)), "%s: %.15v, want %.15v", name, mat.Formatted(got), mat.Formatted(want))
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
		same(t, name+"LDA", must(s.FitLDA(classify.LDAOptions{}))(t).Sigma, must(classify.FitLDA(base, labels, 2, classify.LDAOptions{}))(t).Sigma)
		q, want := must(s.FitQDA(classify.QDAOptions{}))(t), must(classify.FitQDA(base, labels, 2, classify.QDAOptions{}))(t)
		same(t, name+"QDA", q.Sigma[1], want.Sigma[1])
		within(t, q.Means.At(1, 0), offset+want.Means.At(1, 0), offset*0x1p-52, "%sQDA: mean", name)
		same(t, name+"naive Bayes", must(s.FitNaiveBayesGaussian(classify.NaiveBayesGaussianOptions{}))(t).Variance,
			must(classify.FitNaiveBayesGaussian(base, labels, 2, classify.NaiveBayesGaussianOptions{}))(t).Variance)
		f, fisher := must(s.FitFisher(classify.FisherOptions{}))(t), must(classify.FitFisher(base, targets(labels), classify.FisherOptions{}))(t)
		if offset <= 1e9 { // the projected means have no more digits than offset
			within(t, f.J, fisher.J, 1e-12*fisher.J, "%sFisher", name)
		}
		for k, v := range fisher.ProjectedScatters {
			within(t, f.ProjectedScatters[k], v, 1e-12*v, "%sFisher: scatter %d", name, k)
		}
		same(t, name+"least squares", slopes(must(s.FitLeastSquares(classify.LeastSquaresOptions{}))(t).W), slopes(must(classify.FitLeastSquares(base, labels, 2, classify.LeastSquaresOptions{}))(t).W))
	}
}

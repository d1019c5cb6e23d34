package datasets

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestRowOperations: as TestOperations.
func TestRowOperations(t *testing.T) {
	other := &Dataset{X: mat.NewDense(2, 2, []float64{70, 7, 80, 8}), Labels: []int{0, 1}, FeatureNames: []string{"b", "a"}, ClassNames: []string{"grey", "blue"}}
	rgb := []string{"red", "green", "blue"}
	all := [][]float64{{1, 10}, {2, 20}, {3, 30}, {4, 60}}
	for _, c := range []struct {
		name    string
		do      func(d *Dataset) (*Dataset, error)
		rows    [][]float64
		labels  []int
		classes []string
	}{
		{"Head", func(d *Dataset) (*Dataset, error) { return d.Head(2) }, all[:2], []int{0, 1}, rgb},
		{"Head of all", func(d *Dataset) (*Dataset, error) { return d.Head(99) }, all, []int{0, 1, 2, 1}, rgb},
		{"Concat", func(d *Dataset) (*Dataset, error) { return d.Concat(other) },
			[][]float64{{1, 10}, {2, 20}, {3, 30}, {4, 60}, {7, 70}, {8, 80}}, []int{0, 1, 2, 1, 3, 2}, []string{"red", "green", "blue", "grey"}},
		{"Concat of nothing", func(d *Dataset) (*Dataset, error) { return d.Concat() }, all, []int{0, 1, 2, 1}, rgb},
		{"Concat with itself", func(d *Dataset) (*Dataset, error) { return d.Concat(d) }, slices.Concat(all, all), []int{0, 1, 2, 1, 0, 1, 2, 1}, rgb},
		{"Relabel", func(d *Dataset) (*Dataset, error) {
			return d.Relabel(map[string]string{"red": "warm", "green": "cold", "blue": "cold"})
		}, all, []int{0, 1, 1, 1}, []string{"warm", "cold"}},
		{"Relabel into another", func(d *Dataset) (*Dataset, error) { return d.Relabel(map[string]string{"blue": "red"}) }, all, []int{0, 1, 0, 1}, []string{"red", "green"}},
		{"Relabel, exchanged", func(d *Dataset) (*Dataset, error) {
			return d.Relabel(map[string]string{"red": "green", "green": "red"})
		}, all, []int{0, 1, 2, 1}, []string{"green", "red", "blue"}},
		{"Noise 0", func(d *Dataset) (*Dataset, error) { return d.Noise(0, 1) }, all, []int{0, 1, 2, 1}, rgb},
		{"FlipLabels 0", func(d *Dataset) (*Dataset, error) { return d.FlipLabels(0, 1) }, all, []int{0, 1, 2, 1}, rgb},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sample()
			before := copyOf(d)
			e := must(c.do(d))(t)
			if !reflect.DeepEqual(rowsOf(e), c.rows) || !slices.Equal(e.Labels, c.labels) || !slices.Equal(e.ClassNames, c.classes) {
				t.Errorf("rows %v, labels %v, classes %v", rowsOf(e), e.Labels, e.ClassNames)
			}
			if err := e.Check(); err != nil || e.Name != "sample" || e.Source != "made up" {
				t.Errorf("%v; %q from %q", err, e.Name, e.Source)
			}
			e.X.Zero()
			e.Labels[0], e.FeatureNames[0], e.ClassNames[0] = 99, "changed", "changed"
			if !reflect.DeepEqual(d, before) {
				t.Error("the receiver was changed")
			}
		})
	}
	if got := sample().Counts(); !slices.Equal(got, []int{1, 2, 1}) {
		t.Errorf("Counts: %v", got)
	}
}

func TestRowErrors(t *testing.T) {
	d := sample()
	second := func(_ any, err error) error { return err }
	one := must(d.Relabel(map[string]string{"red": "x", "green": "x", "blue": "x"}))(t)
	bad := sample()
	bad.Labels[1] = 5
	for _, c := range []struct {
		name string
		err  error
		want []string
	}{
		{"Head", second(d.Head(0)), []string{"n is 0", "at least 1"}},
		{"Head broken", second(bad.Head(1)), []string{"label of row 1"}},
		{"Shuffle broken", second(bad.Shuffle(1)), []string{"label of row 1"}},
		{"Concat width", second(d.Concat(must(d.Columns("a"))(t))), []string{"data set 1 has 1 features", "Columns"}},
		{"Concat names", second(d.Concat(d, Ripley())), []string{"data set 2", `"a"`, `"xs", "ys"`}},
		{"Concat broken", second(d.Concat(d, bad)), []string{"data set 2", "label of row 1"}},
		{"Concat nil", second(d.Concat(nil)), []string{"data set 1", "nil"}},
		{"Relabel", second(d.Relabel(map[string]string{"pink": "x"})), []string{`"pink"`, `"red"`}},
		{"Relabel to nothing", second(d.Relabel(map[string]string{"red": ""})), []string{"no name"}},
		{"Noise", second(d.Noise(-1, 0)), []string{"std is -1"}},
		{"Noise NaN", second(d.Noise(math.NaN(), 0)), []string{"std is NaN"}},
		{"FlipLabels", second(d.FlipLabels(1.5, 0)), []string{"epsilon is 1.5"}},
		{"FlipLabels NaN", second(d.FlipLabels(math.NaN(), 0)), []string{"epsilon is NaN"}},
		{"FlipLabels one class", second(one.FlipLabels(0.1, 0)), []string{"single class"}},
		{"Folds of 1", second(d.Folds(1, 0, false)), []string{"k is 1", "between 2 and 4"}},
		{"Folds of 5", second(d.Folds(5, 0, true)), []string{"k is 5"}},
		{"Folds broken", second(bad.Folds(2, 0, true)), []string{"label of row 1"}},
	} {
		t.Run(c.name, func(t *testing.T) { mentions(t, c.err, append(c.want, "datasets: ")...) })
	}
}

// numberedRows is a data set whose only feature is the number of the row.
func numberedRows(labels []int, classes ...string) *Dataset {
	d := &Dataset{X: mat.NewDense(len(labels), 1, nil), Labels: labels, FeatureNames: []string{"row"}, ClassNames: classes}
	for i := range labels {
		d.X.Set(i, 0, float64(i))
	}
	return d
}

func TestShuffle(t *testing.T) {
	d := numberedRows([]int{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, "even", "odd")
	e := must(d.Shuffle(1))(t)
	seen := mat.Col(nil, 0, e.X)
	for i, v := range seen {
		if e.Labels[i] != int(v)%2 {
			t.Errorf("row %v came with label %d", v, e.Labels[i])
		}
	}
	if slices.IsSorted(seen) {
		t.Error("the order is the old one")
	}
	slices.Sort(seen)
	if !slices.Equal(seen, mat.Col(nil, 0, d.X)) {
		t.Errorf("the rows are %v", seen)
	}
	if again := must(d.Shuffle(1))(t); !mat.Equal(again.X, e.X) {
		t.Error("the same seed gave another order")
	}
	if other := must(d.Shuffle(2))(t); mat.Equal(other.X, e.X) {
		t.Error("another seed gave the same order")
	}
}

func TestFolds(t *testing.T) {
	for _, c := range []struct {
		name       string
		n, k       int
		stratified bool
	}{{"plain", 103, 5, false}, {"stratified", 103, 5, true}, {"one out", 9, 9, true}, {"halves", 10, 2, false}} {
		t.Run(c.name, func(t *testing.T) {
			labels := make([]int, c.n)
			for i := range labels {
				labels[i] = []int{0, 0, 0, 0, 0, 1, 1, 2}[i%8] // 5 : 2 : 1
			}
			d := numberedRows(labels, "a", "b", "c")
			folds := must(d.Folds(c.k, 7, c.stratified))(t)
			if len(folds) != c.k {
				t.Fatalf("%d folds", len(folds))
			}
			tested := make([]int, c.n)
			for f, fold := range folds {
				if n := fold.Test.N(); n != c.n/c.k && n != c.n/c.k+1 || n+fold.Train.N() != c.n {
					t.Errorf("fold %d: %d test and %d training rows", f, n, fold.Train.N())
				}
				test, train := mat.Col(nil, 0, fold.Test.X), mat.Col(nil, 0, fold.Train.X)
				if !slices.IsSorted(test) || !slices.IsSorted(train) {
					t.Errorf("fold %d: the rows' order is not kept", f)
				}
				for i, v := range test {
					tested[int(v)]++
					if slices.Contains(train, v) {
						t.Errorf("fold %d: row %v is in both parts", f, v)
					}
					if fold.Test.Labels[i] != labels[int(v)] {
						t.Errorf("fold %d: row %v has label %d", f, v, fold.Test.Labels[i])
					}
				}
				for k, n := range fold.Test.Counts() {
					if share := float64(d.Counts()[k]) / float64(c.k); c.stratified && math.Abs(float64(n)-share) >= 1 {
						t.Errorf("fold %d has %d rows of class %d, want %v up to one", f, n, k, share)
					}
				}
			}
			for i, n := range tested {
				if n != 1 {
					t.Errorf("row %d is tested %d times", i, n)
				}
			}
			again := must(d.Folds(c.k, 7, c.stratified))(t)
			if !reflect.DeepEqual(again, folds) {
				t.Error("the same seed gave other folds")
			}
			if other := must(d.Folds(c.k, 8, c.stratified))(t); reflect.DeepEqual(other, folds) {
				t.Error("another seed gave the same folds")
			}
		})
	}
}

func TestNoiseAndFlips(t *testing.T) {
	n := 40000
	d := numberedRows(make([]int, n), "a", "b", "c")
	for i := range n {
		d.Labels[i] = i % 3
		d.X.Set(i, 0, 5)
	}
	e := must(d.Noise(2, 1))(t)
	mean, std := moments(mat.Col(nil, 0, e.X))
	if math.Abs(mean-5) > 4*2/math.Sqrt(float64(n)) || math.Abs(std-2) > 4*2/math.Sqrt(2*float64(n)) { // four standard errors
		t.Errorf("mean %v and deviation %v, want 5 and 2", mean, std)
	}
	var last *Dataset
	for _, epsilon := range []float64{0.1, 0.3, 1} {
		e := must(d.FlipLabels(epsilon, 1))(t)
		var to [3][3]float64
		for i, l := range e.Labels {
			to[d.Labels[i]][l]++
			if last != nil && last.Labels[i] != d.Labels[i] && last.Labels[i] != l {
				t.Fatalf("row %d: a larger epsilon flips it otherwise", i)
			}
		}
		for from, row := range to {
			for l, count := range row {
				total := row[0] + row[1] + row[2]
				want := epsilon / 2
				if l == from {
					want = 1 - epsilon
				}
				if math.Abs(count/total-want) > 4*math.Sqrt(want*(1-want)/total) {
					t.Errorf("epsilon %v: a share of %v goes from %d to %d, want %v", epsilon, count/total, from, l, want)
				}
			}
		}
		last = e
	}
}

func TestDescribe(t *testing.T) {
	d := sample()
	d.ClassNames[2] = "light\tblue"
	want := `sample: 4 rows, 2 features, 3 classes

class          rows  share
red            1     25.0%
green          2     50.0%
"light\tblue"  1     25.0%

feature  min  mean  max  std    different
a        1    2.5   4    1.118  4
b        10   30    60   18.71  4

made up
` // the deviations are √1.25 and √350
	if got := d.Describe(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	one := &Dataset{X: mat.NewDense(1, 1, []float64{7}), Labels: []int{0}, FeatureNames: []string{"a"}, ClassNames: []string{"k"}}
	if got := one.Describe(); !strings.Contains(got, "this data set: 1 row, 1 feature, 1 class\n") || !strings.Contains(got, "a        7    7     7    0    1\n") {
		t.Error(got)
	}
	d.Labels[0] = 9
	if got := d.Describe(); !strings.Contains(got, "label of row 0") {
		t.Error(got)
	}
	var none *Dataset
	if got := none.Describe(); !strings.Contains(got, "nil") {
		t.Error(got)
	}
}

func TestDatasetSaved(t *testing.T) {
	d := sample()
	d.X.SetRow(0, []float64{math.Copysign(0, -1), 5e-324})
	d.X.SetRow(1, []float64{math.MaxFloat64, 0.1 + 0.2})
	back := new(Dataset)
	b := must(json.Marshal(d))(t)
	if err := json.Unmarshal(b, back); err != nil || !reflect.DeepEqual(d, back) || !math.Signbit(back.X.At(0, 0)) {
		t.Errorf("%s came back as %+v, %v", b, back, err)
	}
	if inside := must(json.Marshal(struct{ D Dataset }{*d}))(t); !strings.Contains(string(inside), "hyperplane-dataset/1") {
		t.Errorf("as a value inside a struct it is written as %s", inside)
	}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(d); err != nil {
		t.Fatal(err)
	}
	back = new(Dataset)
	if err := gob.NewDecoder(&buf).Decode(back); err != nil || !reflect.DeepEqual(d, back) {
		t.Errorf("by gob it came back as %+v, %v", back, err)
	}
	d.ClassNames[0] = "\xff"
	_, err := json.Marshal(d)
	mentions(t, err, "UTF-8")
	d.Labels[0] = 7
	_, err = json.Marshal(d)
	mentions(t, err, "label of row 0")
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"other schema", `{"schema":"hyperplane-encoder/1"}`, []string{"hyperplane-encoder/1", "hyperplane-dataset/1"}},
		{"empty", `{"schema":"hyperplane-dataset/1"}`, []string{"0 rows"}},
		{"ragged", `{"schema":"hyperplane-dataset/1","features":["a","b"],"x":[[1,2],[3]],"labels":[0,0],"classes":["k"]}`, []string{"row 1 has 1", "2 features"}},
		{"label", `{"schema":"hyperplane-dataset/1","features":["a"],"x":[[1]],"labels":[1],"classes":["k"]}`, []string{"label of row 0 is 1"}},
		{"field", `{"schema":"hyperplane-dataset/1","feature":["a"]}`, []string{"unknown field"}},
		{"too large", `{"schema":"hyperplane-dataset/1","features":["a"],"x":[[1e999]],"labels":[0],"classes":["k"]}`, []string{"1e999"}},
	} {
		e := *sample()
		mentions(t, json.Unmarshal([]byte(c.text), &e), append(c.want, "datasets: Dataset: ")...)
		if !reflect.DeepEqual(&e, sample()) {
			t.Errorf("%s: a failed load changed the data set", c.name)
		}
	}
}

func FuzzDatasetJSON(f *testing.F) {
	b, err := json.Marshal(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"schema":"hyperplane-dataset/1","features":["a","b"],"x":[[1,2],[3]],"labels":[0,0],"classes":["k"]}`))
	f.Add([]byte(`{"schema":"hyperplane-dataset/1","features":["a"],"x":[null],"labels":[-1],"classes":[null]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var d, again Dataset
		if json.Unmarshal(b, &d) != nil {
			return
		}
		if err := d.Check(); err != nil {
			t.Fatalf("%s gives a bad data set: %v", b, err)
		}
		saved := must(json.Marshal(d))(t)
		if err := json.Unmarshal(saved, &again); err != nil || !reflect.DeepEqual(rowsOf(&d), rowsOf(&again)) || !slices.Equal(d.Labels, again.Labels) || !slices.Equal(d.ClassNames, again.ClassNames) {
			t.Fatalf("%s came back as %+v, %v", saved, again, err)
		}
		if d.Describe() == "" {
			t.Error("there is no description")
		}
	})
}

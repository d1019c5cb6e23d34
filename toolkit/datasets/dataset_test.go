package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// sample is a small data set with all names set.
func sample() *Dataset {
	return &Dataset{
		Name: "sample", Source: "made up",
		X:            mat.NewDense(4, 2, []float64{1, 10, 2, 20, 3, 30, 4, 60}),
		Labels:       []int{0, 1, 2, 1},
		FeatureNames: []string{"a", "b"},
		ClassNames:   []string{"red", "green", "blue"},
	}
}

// copyOf is a copy without shared memory, apart from the code under test.
func copyOf(d *Dataset) *Dataset {
	e := *d
	e.X = mat.DenseCopyOf(d.X)
	e.Labels = slices.Clone(d.Labels)
	e.FeatureNames = slices.Clone(d.FeatureNames)
	e.ClassNames = slices.Clone(d.ClassNames)
	return &e
}

// mentions checks that err is an error whose message has the given words.
func mentions(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; want one with %q", words)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not mention %q", err, w)
		}
	}
}

func rowsOf(d *Dataset) [][]float64 {
	var out [][]float64
	for i := range d.N() {
		out = append(out, slices.Clone(d.X.RawRowView(i)))
	}
	return out
}

func TestIris(t *testing.T) {
	d := Iris()
	if d.N() != 150 || d.D() != 4 || d.K() != 3 {
		t.Fatalf("%d×%d, %d classes", d.N(), d.D(), d.K())
	}
	if got := strings.Join(d.ClassNames, " "); got != "setosa versicolor virginica" {
		t.Error(got)
	}
	if got := strings.Join(d.FeatureNames, " "); got != "sepal_length sepal_width petal_length petal_width" {
		t.Error(got)
	}
	// Column means as published with the data in the UCI repository.
	for j, want := range []float64{5.843333, 3.057333, 3.758, 1.199333} {
		if got := mat.Sum(d.X.ColView(j)) / 150; math.Abs(got-want) > 1e-6 {
			t.Errorf("mean of %s is %v, want %v", d.FeatureNames[j], got, want)
		}
	}
	for k := range 3 {
		if n := must(d.Class(d.ClassNames[k]))(t).N(); n != 50 {
			t.Errorf("%d rows of %s", n, d.ClassNames[k])
		}
	}
	if !strings.Contains(d.Source, "Fisher") || d.Name != "Iris" {
		t.Errorf("%q from %q", d.Name, d.Source)
	}
	d.X.Zero()
	d.ClassNames[0] = "x"
	if e := Iris(); e.X.At(0, 0) != 5.1 || e.ClassNames[0] != "setosa" {
		t.Error("two calls share memory")
	}
}

// TestOperations: what each method returns, and that it neither changes its
// receiver nor shares memory with it.
func TestOperations(t *testing.T) {
	for _, c := range []struct {
		name    string
		do      func(d *Dataset) (*Dataset, error)
		rows    [][]float64
		labels  []int
		classes []string
	}{
		{"Class", func(d *Dataset) (*Dataset, error) { return d.Class("blue", "green") },
			[][]float64{{2, 20}, {3, 30}, {4, 60}}, []int{1, 0, 1}, []string{"blue", "green"}},
		{"Columns", func(d *Dataset) (*Dataset, error) { return d.Columns("b") },
			[][]float64{{10}, {20}, {30}, {60}}, []int{0, 1, 2, 1}, []string{"red", "green", "blue"}},
		{"Columns in another order", func(d *Dataset) (*Dataset, error) { return d.Columns("b", "a") },
			[][]float64{{10, 1}, {20, 2}, {30, 3}, {60, 4}}, []int{0, 1, 2, 1}, []string{"red", "green", "blue"}},
		{"Rows", func(d *Dataset) (*Dataset, error) { return d.Rows(3, 0, 3) },
			[][]float64{{4, 60}, {1, 10}, {4, 60}}, []int{1, 0, 1}, []string{"red", "green", "blue"}},
		{"Append", func(d *Dataset) (*Dataset, error) { return d.Append([]float64{9, 90}, "blue") },
			[][]float64{{1, 10}, {2, 20}, {3, 30}, {4, 60}, {9, 90}}, []int{0, 1, 2, 1, 2}, []string{"red", "green", "blue"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sample()
			before := copyOf(d)
			e := must(c.do(d))(t)
			if !reflect.DeepEqual(rowsOf(e), c.rows) || !slices.Equal(e.Labels, c.labels) || !slices.Equal(e.ClassNames, c.classes) {
				t.Errorf("rows %v, labels %v, classes %v", rowsOf(e), e.Labels, e.ClassNames)
			}
			if e.Name != "sample" || e.Source != "made up" || len(e.FeatureNames) != e.D() {
				t.Errorf("%q from %q with %v", e.Name, e.Source, e.FeatureNames)
			}
			if err := e.Check(); err != nil {
				t.Error(err)
			}
			e.X.Zero()
			e.Labels[0], e.FeatureNames[0], e.ClassNames[0] = 99, "changed", "changed"
			if !mat.Equal(d.X, before.X) || !slices.Equal(d.Labels, before.Labels) ||
				!slices.Equal(d.FeatureNames, before.FeatureNames) || !slices.Equal(d.ClassNames, before.ClassNames) {
				t.Error("the receiver was changed")
			}
		})
	}
	got := must(sample().Target("green"))(t)
	if !slices.Equal(got, []float64{0, 1, 0, 1}) {
		t.Errorf("Target: %v", got)
	}
}

func TestWrongNames(t *testing.T) {
	d := sample()
	second := func(_ any, err error) error { return err }
	for _, c := range []struct {
		name string
		err  error
		want []string
	}{
		{"target", second(d.Target("gren")), []string{`"gren"`, `"green"`, "sample"}},
		{"class", second(d.Class("green", "pink")), []string{`"pink"`, `"red", "green", "blue"`}},
		{"no class", second(d.Class()), []string{"at least one class", `"red"`}},
		{"class twice", second(d.Class("red", "red")), []string{"twice"}},
		{"column", second(d.Columns("c")), []string{`"c"`, `"a", "b"`}},
		{"no column", second(d.Columns()), []string{"at least one feature"}},
		{"row", second(d.Rows(4)), []string{"no row 4", "0…3"}},
		{"negative row", second(d.Rows(-1)), []string{"no row -1"}},
		{"no row", second(d.Rows()), []string{"at least one row"}},
		{"append class", second(d.Append([]float64{1, 2}, "x")), []string{`"x"`}},
		{"append length", second(d.Append([]float64{1}, "red")), []string{"1 numbers", "2 features"}},
		{"append NaN", second(d.Append([]float64{1, math.NaN()}, "red")), []string{"row 4", `"b"`, "NaN"}},
	} {
		t.Run(c.name, func(t *testing.T) { mentions(t, c.err, c.want...) })
	}
	empty := must(d.Rows(0, 1))(t)
	_, err := empty.Class("blue")
	mentions(t, err, "no row", `"blue"`)
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(d *Dataset)
		want  []string
	}{
		{"no X", func(d *Dataset) { d.X = nil }, []string{"X is nil"}},
		{"no rows", func(d *Dataset) { d.X = &mat.Dense{} }, []string{"0×0"}},
		{"labels", func(d *Dataset) { d.Labels = d.Labels[:2] }, []string{"4 rows", "2 labels"}},
		{"features", func(d *Dataset) { d.FeatureNames = d.FeatureNames[:1] }, []string{"2 columns", "1 feature"}},
		{"label", func(d *Dataset) { d.Labels[3] = 3 }, []string{"row 3", "0…2"}},
		{"feature twice", func(d *Dataset) { d.FeatureNames[1] = "a" }, []string{`"a"`, "twice"}},
		{"class unnamed", func(d *Dataset) { d.ClassNames[1] = "" }, []string{"class 1", "no name"}},
		{"Inf", func(d *Dataset) { d.X.Set(2, 1, math.Inf(1)) }, []string{"row 2", `"b"`, "+Inf"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sample()
			c.spoil(d)
			mentions(t, d.Check(), c.want...)
			_, err := d.Target("red")
			mentions(t, err, c.want...)
			_, _, err = d.Standardize()
			mentions(t, err, c.want...)
			_, _, err = d.Split(0.5, 1)
			mentions(t, err, c.want...)
			mentions(t, WriteCSV(&strings.Builder{}, d), c.want...)
		})
	}
	var none *Dataset
	mentions(t, none.Check(), "nil")
}

func TestStandardize(t *testing.T) {
	d := sample()
	e, s, err := d.Standardize()
	if err != nil {
		t.Fatal(err)
	}
	// mean and variance by hand: (1…4) 2.5, 1.25; (10,20,30,60) 30, 350
	for j, want := range [][2]float64{{2.5, math.Sqrt(1.25)}, {30, math.Sqrt(350)}} {
		if s.Mean[j] != want[0] || math.Abs(s.Std[j]-want[1]) > 1e-15*want[1] {
			t.Errorf("column %d: mean %v, deviation %v", j, s.Mean[j], s.Std[j])
		}
		if got := e.X.At(0, j); math.Abs(got-(d.X.At(0, j)-want[0])/want[1]) > 1e-15 {
			t.Errorf("first row, column %d: %v", j, got)
		}
	}
	back := must(s.Invert(e.X))(t)
	if !mat.EqualApprox(back, d.X, 1e-14) {
		t.Errorf("Invert gives %v", mat.Formatted(back))
	}
	if d.X.At(0, 0) != 1 {
		t.Error("the receiver was changed")
	}
	_, err = s.Apply(mat.NewDense(1, 3, nil))
	mentions(t, err, "1×3", "2 columns")
	_, err = s.Apply(nil)
	mentions(t, err, "nil")
	_, err = s.Invert((*mat.Dense)(nil))
	mentions(t, err, "nil")
	flat := must(d.Rows(0, 0))(t)
	_, _, err = flat.Standardize()
	mentions(t, err, `"a"`, "constant", "Columns")
}

// TestStandardizeScales: offsets and units over the whole range of numbers.
func TestStandardizeScales(t *testing.T) {
	base := []float64{-1, 0.5, 2, 0.25}
	for _, c := range []struct{ scale, offset, tol float64 }{
		{1, 0, 1e-15}, {1e-300, 0, 1e-14}, {1e300, 0, 1e-14}, {1, 1e8, 1e-7}, {1e-150, 1, 0},
	} {
		d := sample()
		for i, v := range base {
			d.X.Set(i, 0, v*c.scale+c.offset)
		}
		e, s, err := d.Standardize()
		if c.tol == 0 { // the spread is lost in the offset: the column is constant
			mentions(t, err, "constant")
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		// the deviation of base, by hand: mean 0.4375, squares sum to 5.3125 − 4·0.4375²
		want := math.Sqrt((5.3125-4*0.4375*0.4375)/4) * c.scale
		if math.Abs(s.Std[0]/want-1) > c.tol {
			t.Errorf("scale %v, offset %v: deviation %v, want %v", c.scale, c.offset, s.Std[0], want)
		}
		if sum := mat.Sum(e.X.ColView(0)); math.Abs(sum) > 1e-7 {
			t.Errorf("scale %v, offset %v: the standardised column sums to %v", c.scale, c.offset, sum)
		}
	}
}

func TestSplit(t *testing.T) {
	d := Iris()
	train, test, err := d.Split(0.7, 5)
	if err != nil {
		t.Fatal(err)
	}
	if train.N() != 105 || test.N() != 45 || train.K() != 3 {
		t.Fatalf("%d and %d rows", train.N(), test.N())
	}
	// Together they are the data, each in its order.
	count := map[[5]float64]int{}
	add := func(e *Dataset, by int) {
		for i, row := range rowsOf(e) {
			count[[5]float64{row[0], row[1], row[2], row[3], float64(e.Labels[i])}] += by
		}
	}
	add(d, 1)
	add(train, -1)
	add(test, -1)
	for k, n := range count {
		if n != 0 {
			t.Errorf("row %v occurs %+d times", k, -n)
		}
	}
	if !slices.IsSorted(train.Labels) || !slices.IsSorted(test.Labels) {
		t.Error("the rows' order is not kept")
	}
	again, _, _ := d.Split(0.7, 5)
	other, _, _ := d.Split(0.7, 6)
	if !mat.Equal(train.X, again.X) || mat.Equal(train.X, other.X) {
		t.Error("the same seed must give the same part, another seed another")
	}
	for _, f := range []float64{0, 1, -1, 2, 0.001, 0.999, math.NaN()} {
		_, _, err := d.Split(f, 1)
		mentions(t, err, "Split", "one part empty")
		_, _, err = d.SplitStratified(f, 1)
		mentions(t, err, "SplitStratified", "one part empty")
	}
}

func TestSplitStratified(t *testing.T) {
	d := must(Iris().Rows(slices.Concat(ascending(53), []int{100, 101, 102, 103, 104, 105, 106})...))(t) // 50, 3 and 7 rows
	for _, share := range []float64{0.02, 0.3, 0.5, 0.7, 0.98} {
		for seed := range uint64(20) {
			train, test, err := d.SplitStratified(share, seed)
			if err != nil {
				t.Fatal(err)
			}
			if whole := math.Round(share * 60); float64(train.N()) != whole || test.N() != 60-train.N() {
				t.Errorf("share %v: %d and %d rows", share, train.N(), test.N())
			}
			for k, n := range train.Counts() {
				if all := d.Counts()[k]; n+test.Counts()[k] != all || math.Abs(float64(n)-float64(train.N())/60*float64(all)) >= 1 {
					t.Errorf("share %v, seed %d: %d of %d rows of class %d, %d in the test part", share, seed, n, all, k, test.Counts()[k])
				}
			}
			again, _, _ := d.SplitStratified(share, seed)
			if !mat.Equal(again.X, train.X) {
				t.Errorf("share %v: the same seed gave another part", share)
			}
		}
	}
	a, _, _ := d.SplitStratified(0.5, 1)
	b, _, _ := d.SplitStratified(0.5, 2)
	if mat.Equal(a.X, b.X) {
		t.Error("two seeds gave the same part")
	}
}

func TestTargets(t *testing.T) {
	if got := must(Targets([]int{0, 2, 1, 2}, 2))(t); !slices.Equal(got, []float64{0, 1, 0, 1}) {
		t.Errorf("targets %v", got)
	}
	if got := must(Targets([]int{0}, 7))(t); !slices.Equal(got, []float64{0}) {
		t.Errorf("targets %v", got)
	}
	fault := func(_ []float64, err error) error { return err }
	for want, err := range map[string]error{
		"class is -1":           fault(Targets([]int{0}, -1)),
		"no labels":             fault(Targets(nil, 0)),
		"label of row 1 is -2:": fault(Targets([]int{0, -2}, 0)),
	} {
		mentions(t, err, "datasets: Targets", want)
	}
}

// hash is the SHA-256 of a data set as CSV.
func hash(t *testing.T, d *Dataset) string {
	t.Helper()
	h := sha256.New()
	if err := WriteCSV(h, d); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// TestSameBytes: the hashes were written down when the generators were made. A
// figure or an exercise depends on these bytes; if one changes, all do.
func TestSameBytes(t *testing.T) {
	clean, with, err := Outliers(OutliersOptions{})
	if err != nil {
		t.Fatal(err)
	}
	train, _, err := Iris().Split(0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		d    *Dataset
		want string
	}{
		{"iris", Iris(), "f3d663a4283df4f97170f328afd0dc5cf7307307b5b6052f38591e1df6bdb62e"},
		{"two Gaussians", must(TwoGaussians(TwoGaussiansOptions{}))(t), "28f8bb97673e66ed73c8dd2657e9908e7177f8bca8823bfd92006aea6f94964c"},
		{"two Gaussians, three dimensions", must(TwoGaussians(TwoGaussiansOptions{N1: 7, N2: 9, Mean1: []float64{1, 2, 3}, Seed: 42}))(t), "9fc1cfedb7aa19a8966f2ce4f1de1a7b8c4178f846423873f21240a15e3e6673"},
		{"outliers, clean", clean, "9289d35ad853ab2ff6cdd039c51f1b5c9ba35b9a3fedac45b6b633770de7920e"},
		{"outliers", with, "5652bf50db36055d960ff2073e8d2545bd14eb68b7646d72db4caa515592ae8c"},
		{"split", train, "65870af3db5c41317529734bee84400341a7c688e29d174ba2eaea4a55934a97"},
	} {
		if got := hash(t, c.d); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTwoGaussians(t *testing.T) {
	cov := mat.NewSymDense(2, []float64{2, 0.6, 0.6, 0.5})
	d := must(TwoGaussians(TwoGaussiansOptions{N1: 20000, N2: 10000, Mean1: []float64{3, 0}, Mean2: []float64{0, -1}, Cov1: cov, Seed: 3}))(t)
	if d.N() != 30000 || d.K() != 2 || d.ClassNames[0] != "C1" || d.Labels[0] != 0 || d.Labels[29999] != 1 {
		t.Fatalf("%d rows, classes %v", d.N(), d.ClassNames)
	}
	for k, mean := range [][]float64{{3, 0}, {0, -1}} {
		e := must(d.Class(d.ClassNames[k]))(t)
		n := float64(e.N())
		for i := range 2 {
			a := mat.Sum(e.X.ColView(i)) / n
			// four standard errors
			if math.Abs(a-mean[i]) > 4*math.Sqrt(cov.At(i, i)/n) {
				t.Errorf("class %d: mean %d is %v, want %v", k, i, a, mean[i])
			}
			for j := range 2 {
				b := mat.Sum(e.X.ColView(j)) / n
				got := mat.Dot(e.X.ColView(i), e.X.ColView(j))/n - a*b
				if se := math.Sqrt((cov.At(i, i)*cov.At(j, j) + cov.At(i, j)*cov.At(i, j)) / n); math.Abs(got-cov.At(i, j)) > 4*se {
					t.Errorf("class %d: covariance (%d,%d) is %v, want %v", k, i, j, got, cov.At(i, j))
				}
			}
		}
	}
	for _, c := range []struct {
		name string
		o    TwoGaussiansOptions
		want []string
	}{
		{"negative", TwoGaussiansOptions{N1: -1}, []string{"N1 is -1"}},
		{"lengths", TwoGaussiansOptions{Mean1: []float64{1, 2}, Mean2: []float64{1}}, []string{"Mean2 has 1 entries", "Mean1 has 2"}},
		{"NaN", TwoGaussiansOptions{Mean2: []float64{1, math.NaN()}}, []string{"Mean2[1]", "NaN"}},
		{"size", TwoGaussiansOptions{Mean1: []float64{1}, Cov1: cov}, []string{"Cov1", "2×2", "1 entries"}},
		{"indefinite", TwoGaussiansOptions{Cov2: mat.NewSymDense(2, []float64{1, 2, 2, 1})}, []string{"Cov2", "not positive definite"}},
		{"infinite", TwoGaussiansOptions{Cov1: mat.NewSymDense(2, []float64{math.Inf(1), 0, 0, 1})}, []string{"Cov1", "(0,0)"}},
	} {
		_, err := TwoGaussians(c.o)
		mentions(t, err, append(c.want, "TwoGaussians")...)
	}
	one := must(TwoGaussians(TwoGaussiansOptions{Cov1: mat.NewSymDense(1, []float64{4})}))(t)
	if one.D() != 1 {
		t.Errorf("D = %d from a 1×1 covariance", one.D())
	}
}

func TestOutliers(t *testing.T) {
	clean, with, err := Outliers(OutliersOptions{N: 30, Outliers: 5, Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	if clean.N() != 60 || with.N() != 65 || !mat.Equal(clean.X, with.X.Slice(0, 60, 0, 2)) {
		t.Fatalf("%d and %d rows", clean.N(), with.N())
	}
	for i := 60; i < 65; i++ {
		if with.Labels[i] != 1 || with.X.At(i, 0) < 5 {
			t.Errorf("row %d is no outlier of the second class: %v", i, with.X.RawRowView(i))
		}
	}
	_, _, err = Outliers(OutliersOptions{N: -3})
	mentions(t, err, "Outliers", "-3")
}

func TestWriteCSVFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "data.csv")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	bad := sample()
	bad.Labels[0] = 7
	mentions(t, WriteCSVFile(path, bad), "label of row 0")
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("a failed write left %q", b)
	}
	d := sample()
	if err := WriteCSVFile(path, d); err != nil {
		t.Fatal(err)
	}
	back := must(ReadCSVFile(path, CSVOptions{Classes: d.ClassNames}))(t)
	if !mat.Equal(back.X, d.X) || !slices.Equal(back.Labels, d.Labels) || back.Name != "data" {
		t.Errorf("came back as %+v", back)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
	mentions(t, WriteCSVFile(filepath.Join(dir, "no", "data.csv"), d), "WriteCSVFile")
	_, err := ReadCSVFile(filepath.Join(dir, "none.csv"), CSVOptions{})
	mentions(t, err, "none.csv")
}

// must returns the value of a call, or fails the test that it is then given.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

package datasets

import (
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestCheck(t *testing.T) {
	for words, spoil := range map[string]func(d *Dataset){
		"X is nil":             func(d *Dataset) { d.X = nil },
		"0×0":                  func(d *Dataset) { d.X = &mat.Dense{} },
		"4 rows|2 labels":      func(d *Dataset) { d.Labels = d.Labels[:2] },
		"2 columns|1 feature":  func(d *Dataset) { d.FeatureNames = d.FeatureNames[:1] },
		"row 3|0…2":            func(d *Dataset) { d.Labels[3] = 3 },
		`"a"|twice`:            func(d *Dataset) { d.FeatureNames[1] = "a" },
		"class 1|no name":      func(d *Dataset) { d.ClassNames[1] = "" },
		"1 hues for 3 classes": func(d *Dataset) { d.Hues = []int{0} },
		`"blue" is -2`:         func(d *Dataset) { d.Hues = []int{0, 1, -2} },
		`row 2|"b"|+Inf`:       func(d *Dataset) { d.X.Set(2, 1, math.Inf(1)) },
	} {
		d := sample()
		spoil(d)
		for _, err := range []error{d.Check(), errorOf(d.Target("red")), errorOf3(d.Standardize()),
			errorOf3(d.Split(0.5, 1)), WriteCSV(io.Discard, d)} {
			wantMention(t, err, strings.Split(words, "|")...)
		}
	}
	var none *Dataset
	wantMention(t, none.Check(), "nil")
}

func TestStandardize(t *testing.T) {
	d := sample()
	e, s, err := d.Standardize()
	if err != nil {
		t.Fatal(err)
	}
	// Calculated by hand: the numbers 1, 2, 3, 4 have mean 2.5 and variance 1.25; the numbers 10,
	// 20, 30, 60 have mean 30 and variance 350.
	for j, want := range [][2]float64{{2.5, math.Sqrt(1.25)}, {30, math.Sqrt(350)}} {
		if s.Mean[j] != want[0] || math.Abs(s.Std[j]-want[1]) > 1e-15*want[1] {
			t.Errorf("column %d: got the scale %+v, want the mean and deviation %v", j, s, want)
		}
		if got := e.X.At(0, j); math.Abs(got-(d.X.At(0, j)-want[0])/want[1]) > 1e-15 {
			t.Errorf("row 0, column %d: the standardised value is %v, want (x − mean)/deviation = %v", j, got, (d.X.At(0, j)-want[0])/want[1])
		}
	}
	back := must(s.Invert(e.X))(t)
	if !mat.EqualApprox(back, d.X, 1e-14) {
		t.Errorf("Invert returns\n%v\nwant the original inputs\n%v", mat.Formatted(back), mat.Formatted(d.X))
	}
	if d.X.At(0, 0) != 1 {
		t.Error("Standardize changed the receiver, want no change")
	}
	wantMention(t, errorOf(s.Apply(mat.NewDense(1, 3, nil))), "1×3", "2 numbers")
	wantMention(t, errorOf(s.Apply(nil)), "nil")
	wantMention(t, errorOf(s.Invert((*mat.Dense)(nil))), "nil")
	wantMention(t, errorOf3(must(d.Rows(0, 0))(t).Standardize()), `"a"`, "constant", "Columns")
}

// TestStandardizeScales checks Standardize for columns with very small and very large means and
// standard deviations.
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
		if c.tol == 0 { // the numbers are so small that adding the offset rounds all of them to the offset
			wantMention(t, err, "constant")
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		// the standard deviation of the slice `base`, calculated by hand from the mean 0.4375 and the
		// sum of squares 5.3125
		want := math.Sqrt((5.3125-4*0.4375*0.4375)/4) * c.scale
		if math.Abs(s.Std[0]/want-1) > c.tol {
			t.Errorf("%+v: the standard deviation is %v, want %v", c, s.Std[0], want)
		}
		if sum := mat.Sum(e.X.ColView(0)); math.Abs(sum) > 1e-7 {
			t.Errorf("%+v: the standardised column sums to %v, want 0", c, sum)
		}
	}
}

// TestOperations checks the results of the methods that select, append, rename and flip. None of these
// methods may change its receiver or return a data set that shares memory with the receiver. The test
// also checks Counts, Target and Targets.
func TestOperations(t *testing.T) {
	rgb, all, labels := []string{"red", "green", "blue"}, [][]float64{{1, 10}, {2, 20}, {3, 30}, {4, 60}},
		[]int{0, 1, 2, 1}
	relabel := func(names ...string) func(d *Dataset) (*Dataset, error) {
		m := map[string]string{}
		for i := 0; i < len(names); i += 2 {
			m[names[i]] = names[i+1]
		}
		return func(d *Dataset) (*Dataset, error) { return d.Relabel(m) }
	}
	for _, c := range []struct {
		name    string
		do      func(d *Dataset) (*Dataset, error)
		rows    [][]float64
		labels  []int
		classes []string
	}{
		{"Class", func(d *Dataset) (*Dataset, error) { return d.Class("blue", "green") }, all[1:], []int{1, 0, 1},
			[]string{"blue", "green"}},
		{"Columns", func(d *Dataset) (*Dataset, error) { return d.Columns("b") }, [][]float64{{10}, {20}, {30}, {60}},
			labels, rgb},
		{"Columns in another order", func(d *Dataset) (*Dataset, error) { return d.Columns("b", "a") },
			[][]float64{{10, 1}, {20, 2}, {30, 3}, {60, 4}}, labels, rgb},
		{"Rows", func(d *Dataset) (*Dataset, error) { return d.Rows(3, 0, 3) }, [][]float64{{4, 60}, {1, 10}, {4, 60}},
			[]int{1, 0, 1}, rgb},
		{"Append", func(d *Dataset) (*Dataset, error) { return d.Append([]float64{9, 90}, "blue") },
			append(slices.Clone(all), []float64{9, 90}), []int{0, 1, 2, 1, 2}, rgb},
		{"Relabel", relabel("red", "warm", "green", "cold", "blue", "cold"), all, []int{0, 1, 1, 1},
			[]string{"warm", "cold"}},
		{"Relabel nothing", relabel(), all, labels, rgb},
		{"Relabel into another", relabel("blue", "red"), all, []int{0, 1, 0, 1}, rgb[:2]},
		{"Relabel, exchanged", relabel("red", "green", "green", "red"), all, labels, []string{"green", "red", "blue"}},
		{"FlipLabels 0", func(d *Dataset) (*Dataset, error) { return d.FlipLabels(0, 1) }, all, labels, rgb},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sample()
			e := must(c.do(d))(t)
			if !reflect.DeepEqual(rowsOf(e), c.rows) || !slices.Equal(e.Labels, c.labels) ||
				!slices.Equal(e.ClassNames, c.classes) {
				t.Errorf("got the rows %v, labels %v and classes %q, want %v, %v and %q", rowsOf(e), e.Labels, e.ClassNames, c.rows, c.labels, c.classes)
			}
			if err := e.Check(); err != nil || e.Name != "sample" || e.Source != "made up" {
				t.Errorf("got the error %v, the name %q and the source %q, want no error, \"sample\" and \"made up\"",
					err, e.Name, e.Source)
			}
			e.X.Zero()
			e.Labels[0], e.FeatureNames[0], e.ClassNames[0] = 99, "changed", "changed"
			if !reflect.DeepEqual(d, sample()) {
				t.Error("the method changed the receiver, or the result shares memory with the receiver")
			}
		})
	}
	if got := sample().Counts(); !slices.Equal(got, []int{1, 2, 1}) {
		t.Errorf("Counts returns %v, want [1 2 1]", got)
	}
	for i, got := range [][]float64{must(sample().Target("green"))(t), must(Targets([]int{0, 2, 1, 2}, 2))(t),
		must(Targets([]int{0}, 7))(t)} {
		if want := [][]float64{{0, 1, 0, 1}, {0, 1, 0, 1}, {0}}[i]; !slices.Equal(got, want) {
			t.Errorf("call %d: got the targets %v, want %v", i, got, want)
		}
	}
}

func TestOperationErrors(t *testing.T) {
	d, bad := sample(), sample()
	bad.Labels[1] = 5
	one := must(d.Relabel(map[string]string{"red": "x", "green": "x", "blue": "x"}))(t)
	two := must(d.Rows(0, 1))(t)
	wantErrors(t, "datasets: ", map[string]error{
		`"gren"|"green"|sample`:                   errorOf(d.Target("gren")),
		`no class ""|"red", "green", "blue"`:      errorOf(d.Target("")),
		`"pink"|"red", "green", "blue"`:           errorOf(d.Class("green", "pink")),
		`at least one class|"red"`:                errorOf(d.Class()),
		"class|twice":                             errorOf(d.Class("red", "red")),
		`no row|"blue"`:                           errorOf(two.Class("blue")),
		`"c"|"a", "b"`:                            errorOf(d.Columns("c")),
		"at least one feature":                    errorOf(d.Columns()),
		"no row 4|0…3":                            errorOf(d.Rows(4)),
		"no row -1":                               errorOf(d.Rows(-1)),
		"at least one row":                        errorOf(d.Rows()),
		`"x"|"red", "green"`:                      errorOf(d.Append([]float64{1, 2}, "x")),
		"1 numbers|2 features":                    errorOf(d.Append([]float64{1}, "red")),
		`row 4|"b"|NaN`:                           errorOf(d.Append([]float64{1, math.NaN()}, "red")),
		"label of row 1|5":                        errorOf(bad.Shuffle(1)),
		`"pink"|"red"`:                            errorOf(d.Relabel(map[string]string{"pink": "x"})),
		"no name":                                 errorOf(d.Relabel(map[string]string{"red": ""})),
		"epsilon is 1.5":                          errorOf(d.FlipLabels(1.5, 0)),
		"epsilon is NaN":                          errorOf(d.FlipLabels(math.NaN(), 0)),
		"single class":                            errorOf(one.FlipLabels(0.1, 0)),
		"datasets: Targets|class is -1":           errorOf(Targets([]int{0}, -1)),
		"datasets: Targets|no labels":             errorOf(Targets(nil, 0)),
		"datasets: Targets|label of row 1 is -2:": errorOf(Targets([]int{0, -2}, 0)),
	})
}

func TestDescribe(t *testing.T) {
	d := sample()
	d.ClassNames[2] = "light\tblue"
	for _, want := range []string{`"light\tblue"  1     25.0%`, // in the next text, 18.71 is √350
		"b        10   30    60   18.71  4\n\nmade up\n"} {
		if got := d.Describe(); !strings.Contains(got, want) {
			t.Errorf("Describe returns\n%s\nwant a text with %q", got, want)
		}
	}
	one := &Dataset{X: mat.NewDense(1, 1, []float64{7}), Labels: []int{0}, FeatureNames: []string{"a"},
		ClassNames: []string{"k"}}
	if got := one.Describe(); !strings.Contains(got, "this data set: 1 row, 1 feature, 1 class\n") ||
		!strings.Contains(got, "a        7    7     7    0    1\n") {
		t.Errorf("Describe returns\n%s\nwant a single row, feature and class, and the deviation 0", got)
	}
	d.Labels[0] = 9
	if got := d.Describe(); !strings.Contains(got, "label of row 0") {
		t.Errorf("for an invalid label, Describe returns %q, want a text with \"label of row 0\"", got)
	}
	var none *Dataset
	if got := none.Describe(); !strings.Contains(got, "nil") {
		t.Errorf("for a nil data set, Describe returns %q, want a text with \"nil\"", got)
	}
}

// TestSplit checks that the two parts together contain every row once, and that each part keeps the
// order of the rows. With SplitStratified, the training part must contain the requested fraction of
// every class. Equal seeds must give equal parts.
func TestSplit(t *testing.T) {
	labels := slices.Concat(slices.Repeat([]int{0}, 50), slices.Repeat([]int{1}, 3), slices.Repeat([]int{2}, 7))
	d := numberedRows(labels, "a", "b", "c")
	for name, split := range map[string]func(float64, uint64) (*Dataset, *Dataset, error){"Split": d.Split,
		"SplitStratified": d.SplitStratified} {
		for _, share := range []float64{0.02, 0.3, 0.5, 0.7, 0.98} {
			var last []float64
			for seed := range uint64(20) {
				train, test, err := split(share, seed)
				if err != nil {
					t.Fatal(err)
				}
				a, b := mat.Col(nil, 0, train.X), mat.Col(nil, 0, test.X)
				both := slices.Sorted(slices.Values(slices.Concat(a, b)))
				if len(a) != int(math.Round(share*60)) || !slices.IsSorted(a) || !slices.IsSorted(b) ||
					!slices.Equal(both, mat.Col(nil, 0, d.X)) {
					t.Errorf("%s with the share %v gives the parts %v and %v, want sorted parts of the right size that together contain every row",
						name, share, a, b)
				}
				for i, v := range a {
					if train.Labels[i] != labels[int(v)] {
						t.Errorf("%s: row %v has the label %d, want %d", name, v, train.Labels[i], labels[int(v)])
					}
				}
				for k, n := range train.Counts() {
					if want := float64(train.N()) / 60 * float64(d.Counts()[k]); name == "SplitStratified" && math.Abs(float64(n)-want) >= 1 {
						t.Errorf("for the share %v got %d rows of class %d, want about %v", share, n, k, want)
					}
				}
				if again, _, _ := split(share, seed); !mat.Equal(again.X, train.X) || share == 0.5 && slices.Equal(a, last) {
					t.Errorf("%s: want the same parts for the same seed, and different parts for different seeds", name)
				}
				last = a
			}
		}
		for _, share := range []float64{0, 1, -1, 2, 0.001, 0.999, math.NaN()} {
			wantMention(t, errorOf3(split(share, 1)), name+":", "one part empty")
		}
	}
}

func TestFlipLabels(t *testing.T) {
	n := 40000
	d := numberedRows(make([]int, n), "a", "b", "c")
	for i := range n {
		d.Labels[i] = i % 3
	}
	var last *Dataset
	for _, epsilon := range []float64{0.1, 0.3, 1} {
		e := must(d.FlipLabels(epsilon, 1))(t)
		var to [3][3]float64
		for i, l := range e.Labels {
			to[d.Labels[i]][l]++
			if last != nil && last.Labels[i] != d.Labels[i] && last.Labels[i] != l {
				t.Fatalf("row %d: a smaller epsilon flips the label, but the larger epsilon does not flip it to the same class", i)
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
					t.Errorf("a share of %v of the rows of class %d has the label %d after FlipLabels, want about %v",
						count/total, from, l, want)
				}
			}
		}
		last = e
	}
}

// TestHuesBelongToClasses checks that a derived data set keeps the hue of each class. A joined class
// must have the hue of its first old class.
func TestHuesBelongToClasses(t *testing.T) {
	iris := Iris()
	two := must(iris.Class("versicolor", "virginica"))(t)
	training, test, err := two.Split(0.5, 1)
	standard, _, failed := two.Standardize()
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	for name, c := range map[string]struct {
		d    *Dataset
		want []int
	}{
		"whole":                     {iris, nil},
		"Class":                     {two, []int{1, 2}},
		"Class, other order":        {must(two.Class("virginica", "versicolor"))(t), []int{2, 1}},
		"Class, one of two":         {must(two.Class("virginica"))(t), []int{2}},
		"Class, first two of three": {must(iris.Class("setosa", "versicolor"))(t), nil},
		"Columns":                   {must(two.Columns("petal_length", "petal_width"))(t), []int{1, 2}},
		"Rows":                      {must(two.Rows(3, 1))(t), []int{1, 2}},
		"Append":                    {must(two.Append([]float64{1, 2, 3, 4}, "virginica"))(t), []int{1, 2}},
		"Split, training part":      {training, []int{1, 2}},
		"Split, test part":          {test, []int{1, 2}},
		"Shuffle":                   {must(two.Shuffle(1))(t), []int{1, 2}},
		"Standardize":               {standard, []int{1, 2}},
		"Relabel, renamed":          {must(two.Relabel(map[string]string{"virginica": "v"}))(t), []int{1, 2}},
		"Relabel, joined": {must(iris.Relabel(map[string]string{"setosa": "other", "versicolor": "other"}))(t),
			[]int{0, 2}},
	} {
		if !slices.Equal(c.d.Hues, c.want) {
			t.Errorf("%s: got the hues %v, want %v", name, c.d.Hues, c.want)
		}
	}
	if two.Hue(1) != 2 || iris.Hue(1) != 1 {
		t.Errorf("virginica has hue %d and versicolor has hue %d, want 2 and 1", two.Hue(1), iris.Hue(1))
	}
}

package datasets

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestOperations: what each method returns, and that it neither changes its
// receiver nor shares memory with it.
func TestOperations(t *testing.T) {
	rgb, all, labels := []string{"red", "green", "blue"}, [][]float64{{1, 10}, {2, 20}, {3, 30}, {4, 60}}, []int{0, 1, 2, 1}
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
		{"Class", func(d *Dataset) (*Dataset, error) { return d.Class("blue", "green") }, all[1:], []int{1, 0, 1}, []string{"blue", "green"}},
		{"Columns", func(d *Dataset) (*Dataset, error) { return d.Columns("b") }, [][]float64{{10}, {20}, {30}, {60}}, labels, rgb},
		{"Columns in another order", func(d *Dataset) (*Dataset, error) { return d.Columns("b", "a") },
			[][]float64{{10, 1}, {20, 2}, {30, 3}, {60, 4}}, labels, rgb},
		{"Rows", func(d *Dataset) (*Dataset, error) { return d.Rows(3, 0, 3) }, [][]float64{{4, 60}, {1, 10}, {4, 60}}, []int{1, 0, 1}, rgb},
		{"Append", func(d *Dataset) (*Dataset, error) { return d.Append([]float64{9, 90}, "blue") },
			append(slices.Clone(all), []float64{9, 90}), []int{0, 1, 2, 1, 2}, rgb},
		{"Relabel", relabel("red", "warm", "green", "cold", "blue", "cold"), all, []int{0, 1, 1, 1}, []string{"warm", "cold"}},
		{"Relabel nothing", relabel(), all, labels, rgb},
		{"Relabel into another", relabel("blue", "red"), all, []int{0, 1, 0, 1}, rgb[:2]},
		{"Relabel, exchanged", relabel("red", "green", "green", "red"), all, labels, []string{"green", "red", "blue"}},
		{"FlipLabels 0", func(d *Dataset) (*Dataset, error) { return d.FlipLabels(0, 1) }, all, labels, rgb},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sample()
			e := must(c.do(d))(t)
			if !reflect.DeepEqual(rowsOf(e), c.rows) || !slices.Equal(e.Labels, c.labels) || !slices.Equal(e.ClassNames, c.classes) {
				t.Errorf("rows %v, labels %v, classes %v", rowsOf(e), e.Labels, e.ClassNames)
			}
			if err := e.Check(); err != nil || e.Name != "sample" || e.Source != "made up" {
				t.Errorf("%v; %q from %q", err, e.Name, e.Source)
			}
			e.X.Zero()
			e.Labels[0], e.FeatureNames[0], e.ClassNames[0] = 99, "changed", "changed"
			if !reflect.DeepEqual(d, sample()) {
				t.Error("the receiver was changed")
			}
		})
	}
	if got := sample().Counts(); !slices.Equal(got, []int{1, 2, 1}) {
		t.Errorf("Counts: %v", got)
	}
	for i, got := range [][]float64{must(sample().Target("green"))(t), must(Targets([]int{0, 2, 1, 2}, 2))(t), must(Targets([]int{0}, 7))(t)} {
		if want := [][]float64{{0, 1, 0, 1}, {0, 1, 0, 1}, {0}}[i]; !slices.Equal(got, want) {
			t.Errorf("targets %v, want %v", got, want)
		}
	}
}

func TestOperationErrors(t *testing.T) {
	d, bad := sample(), sample()
	bad.Labels[1] = 5
	one := must(d.Relabel(map[string]string{"red": "x", "green": "x", "blue": "x"}))(t)
	two := must(d.Rows(0, 1))(t)
	faults(t, "datasets: ", map[string]error{
		`"gren"|"green"|sample`:                   of(d.Target("gren")),
		`no class ""|"red", "green", "blue"`:      of(d.Target("")),
		`"pink"|"red", "green", "blue"`:           of(d.Class("green", "pink")),
		`at least one class|"red"`:                of(d.Class()),
		"class|twice":                             of(d.Class("red", "red")),
		`no row|"blue"`:                           of(two.Class("blue")),
		`"c"|"a", "b"`:                            of(d.Columns("c")),
		"at least one feature":                    of(d.Columns()),
		"no row 4|0…3":                            of(d.Rows(4)),
		"no row -1":                               of(d.Rows(-1)),
		"at least one row":                        of(d.Rows()),
		`"x"|"red", "green"`:                      of(d.Append([]float64{1, 2}, "x")),
		"1 numbers|2 features":                    of(d.Append([]float64{1}, "red")),
		`row 4|"b"|NaN`:                           of(d.Append([]float64{1, math.NaN()}, "red")),
		"label of row 1|5":                        of(bad.Shuffle(1)),
		`"pink"|"red"`:                            of(d.Relabel(map[string]string{"pink": "x"})),
		"no name":                                 of(d.Relabel(map[string]string{"red": ""})),
		"epsilon is 1.5":                          of(d.FlipLabels(1.5, 0)),
		"epsilon is NaN":                          of(d.FlipLabels(math.NaN(), 0)),
		"single class":                            of(one.FlipLabels(0.1, 0)),
		"datasets: Targets|class is -1":           of(Targets([]int{0}, -1)),
		"datasets: Targets|no labels":             of(Targets(nil, 0)),
		"datasets: Targets|label of row 1 is -2:": of(Targets([]int{0, -2}, 0)),
	})
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

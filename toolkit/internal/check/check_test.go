package check

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestErrors checks that every error names the argument, the value found and the remedy.
func TestErrors(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, math.NaN()})
	of := func(_ any, err error) error { return err }
	inputs := func(m mat.Matrix) error { _, _, err := Inputs(m); return err }
	for _, c := range []struct {
		name string
		err  error
		want []string // empty: no error
	}{
		{"fine", inputs(mat.NewDense(1, 1, nil)), nil},
		{"NaN", inputs(x), []string{"row 2", "column 1", "NaN"}},
		{"nil", inputs(nil), []string{"x is nil"}},
		{"nil vector", inputs((*mat.VecDense)(nil)), []string{"x is nil"}},
		{"nil symmetric", inputs((*mat.SymDense)(nil)), []string{"x is nil"}},
		{"empty", inputs(&mat.Dense{}), []string{"0×0", "one row"}},
		{"width fine, number not", of(New(x, 2)), []string{"row 2"}},
		{"new, width", of(New(x, 3)), []string{"3×2", "3 columns"}},
		{"targets", Targets([]float64{0, 0.5, 1}, 3), nil},
		{"targets short", Targets([]float64{0}, 3), []string{"1 targets", "3 rows"}},
		{"targets ±1", Targets([]float64{1, -1, 1}, 3), []string{"t[1]", "-1", "[0,1]"}},
		{"targets NaN", Targets([]float64{1, math.NaN(), 1}, 3), []string{"t[1]", "NaN"}},
		{"one class", OneClass(slices.All([]float64{1, 1})), []string{"2 targets", "single class", "prior"}},
		{"other class", OneClass(slices.All([]float64{0, 0})), []string{"are 0"}},
		{"two classes", OneClass(slices.All([]float64{0, 1})), nil},
		{"soft", OneClass(slices.All([]float64{0.5, 0.5})), nil},
		{"labels", of(Labels([]int{0, 1, 1}, 3, 2)), nil},
		{"labels, few classes", of(Labels([]int{0, 0, 0}, 3, 1)), []string{"k is 1"}},
		{"labels, short", of(Labels([]int{0}, 3, 2)), []string{"1 entries", "3 rows"}},
		{"labels, high", of(Labels([]int{0, 2, 1}, 3, 2)), []string{"labels[1]", "0…1"}},
		{"labels, one class", of(Labels([]int{1, 1, 1}, 3, 2)), []string{"class 1", "two classes"}},
		{"labels, too many classes", of(Labels([]int{0, 1, 1}, 3, 5000)), []string{"5000", "3 rows"}},
		{"vector", Vector("w", []float64{1, 2}, 2, "one each"), nil},
		{"vector length", Vector("w", []float64{1}, 2, "one each"), []string{"w has 1", "2", "one each"}},
		{"vector Inf", Vector("w", []float64{1, math.Inf(1)}, 2, "one each"), []string{"w[1]", "+Inf"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if (c.err != nil) != (c.want != nil) {
				t.Fatalf("error %v, want one with %q", c.err, c.want)
			}
			for _, w := range c.want {
				if !strings.Contains(c.err.Error(), w) {
					t.Errorf("error %q does not mention %q", c.err, w)
				}
			}
		})
	}
	if err := Drawn(1<<26, 2); err != nil {
		t.Error(err)
	}
	if err := Drawn(math.MaxInt, 2); err == nil || !strings.Contains(err.Error(), "GB") {
		t.Errorf("as many rows as int counts: %v", err)
	}
	for _, nothing := range []any{nil, (*mat.Dense)(nil), (func())(nil)} {
		if !Nil(nothing) {
			t.Errorf("a nil %T is not nil", nothing)
		}
	}
	if Nil(x) || Nil(0) || Nil(func() {}) {
		t.Error("a value is nil")
	}
	counts, err := Labels([]int{0, 2, 2}, 3, 4)
	if err != nil || counts[0] != 1 || counts[1] != 0 || counts[2] != 2 || counts[3] != 0 {
		t.Errorf("counts %v, %v", counts, err)
	}
}

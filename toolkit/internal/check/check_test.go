package check

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestErrors checks that every error names the argument and the value found, and says what to do.
func TestErrors(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, math.NaN()})
	errorOf := func(_ any, err error) error { return err }
	inputs := func(m mat.Matrix) error { _, _, err := Inputs(m); return err }
	for i, err := range []error{
		inputs(mat.NewDense(1, 1, nil)), Targets([]float64{0, 0.5, 1}, 3), OneClass(slices.All([]float64{0, 1})),
		OneClass(slices.All([]float64{0.5, 0.5})), errorOf(Labels([]int{0, 1, 1}, 3, 2)),
		Vector("w", []float64{1, 2}, 2, "one each"),
	} {
		if err != nil {
			t.Errorf("for valid input %d the error is %v, want nil", i, err)
		}
	}
	for want, err := range map[string]error{
		"row 2 … column 1 … NaN":           inputs(x),
		"nil":                              inputs(nil),
		"is nil":                           inputs((*mat.VecDense)(nil)),
		"x is nil":                         inputs((*mat.SymDense)(nil)),
		"0×0 … one row":                    inputs(&mat.Dense{}),
		"row 2":                            errorOf(New(x, 2)),
		"3×2 … 3 columns":                  errorOf(New(x, 3)),
		"1 targets … 3 rows":               Targets([]float64{0}, 3),
		"t[1] … -1 … [0,1]":                Targets([]float64{1, -1, 1}, 3),
		"t[1] … NaN":                       Targets([]float64{1, math.NaN(), 1}, 3),
		"2 targets … single class … prior": OneClass(slices.All([]float64{1, 1})),
		"are 0":                            OneClass(slices.All([]float64{0, 0})),
		"k is 1":                           errorOf(Labels([]int{0, 0, 0}, 3, 1)),
		"1 entries … 3 rows":               errorOf(Labels([]int{0}, 3, 2)),
		"labels[1] … 0…1":                  errorOf(Labels([]int{0, 2, 1}, 3, 2)),
		"class 1 … two classes":            errorOf(Labels([]int{1, 1, 1}, 3, 2)),
		"5000 … 3 rows":                    errorOf(Labels([]int{0, 1, 1}, 3, 5000)),
		"w has 1 … 2 … one each":           Vector("w", []float64{1}, 2, "one each"),
		"w[1] … +Inf":                      Vector("w", []float64{1, math.Inf(1)}, 2, "one each"),
	} {
		for _, word := range strings.Split(want, " … ") {
			if err == nil || !strings.Contains(err.Error(), word) {
				t.Errorf("the error is %v, want an error that contains %q", err, word)
			}
		}
	}
	if err := Drawn(1<<26, 2); err != nil {
		t.Error(err)
	}
	if err := Drawn(math.MaxInt, 2); err == nil || !strings.Contains(err.Error(), "GB") {
		t.Errorf("the error for MaxInt rows is %v, want an error with the limit in GB", err)
	}
	for _, nothing := range []any{nil, (*mat.Dense)(nil), (func())(nil)} {
		if !Nil(nothing) {
			t.Errorf("Nil is false for a nil %T", nothing)
		}
	}
	if Nil(x) || Nil(0) || Nil(func() {}) {
		t.Error("Nil is true for a value that is not nil")
	}
	counts, err := Labels([]int{0, 2, 2}, 3, 4)
	if err != nil || counts[0] != 1 || counts[1] != 0 || counts[2] != 2 || counts[3] != 0 {
		t.Errorf("Labels returns the counts %v and the error %v, want [1 0 2 0] and no error", counts, err)
	}
}

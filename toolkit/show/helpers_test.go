package show

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// plane returns a data set of two features with these rows and labels.
func plane(k int, labels []int, x ...float64) *datasets.Dataset {
	d := &datasets.Dataset{Name: "test", Labels: labels, FeatureNames: []string{"x1", "x2"}}
	if len(labels) > 0 {
		d.X = mat.NewDense(len(labels), 2, x)
	}
	for i := range k {
		d.ClassNames = append(d.ClassNames, "C"+string(rune('1'+i)))
	}
	return d
}

// square has a point of each of two classes in opposite corners.
func square() *datasets.Dataset { return plane(2, []int{0, 1}, 0, 0, 1, 1) }

// petals is Iris in the plane of the petals.
func petals(t *testing.T) *datasets.Dataset {
	t.Helper()
	d := must(datasets.Iris().Columns("petal_length", "petal_width"))(t)
	return d
}

func column(t *testing.T, f *Figure, name string) []float64 {
	t.Helper()
	v, ok := f.Data().Column(name)
	if !ok {
		t.Fatalf("no column %q", name)
	}
	return v
}

// wantError checks that err mentions every word.
func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not mention %q", err, w)
		}
	}
}

// must returns what a call returned, or ends the test with its error.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// refused checks that the error of a call mentions every word.
func refused[T any](_ T, err error) func(t *testing.T, words ...string) {
	return func(t *testing.T, words ...string) {
		t.Helper()
		wantError(t, err, words...)
	}
}

// renders checks that the figure can be drawn in every format.
func renders(t *testing.T, f *Figure) {
	t.Helper()
	for _, format := range Formats() {
		if b, err := f.Encode(format); err != nil || len(b) == 0 {
			t.Errorf("%s: %d bytes, %v", format, len(b), err)
		}
	}
}

// logit is a two-class posterior that is linear in the log odds.
func logit(w0, w1, w2 float64) PosteriorFunc {
	return func(x []float64) []float64 { return []float64{1 / (1 + math.Exp(-(w0 + w1*x[0] + w2*x[1])))} }
}

// nilLogistic is what is left of a fit whose error was ignored.
var nilLogistic *classify.Logistic

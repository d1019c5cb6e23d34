package show

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// plane returns a data set with two features and k classes, and with the given labels and rows.
func plane(k int, labels []int, x ...float64) *datasets.Dataset {
	d := &datasets.Dataset{Name: "test", Labels: labels, FeatureNames: []string{"x1", "x2"}}
	if len(labels) > 0 {
		d.X = mat.NewDense(len(labels), 2, x[:2*len(labels)])
	}
	for i := range k {
		d.ClassNames = append(d.ClassNames, "C"+string(rune('1'+i)))
	}
	return d
}

// square returns a data set with two classes of one point each. The points are opposite corners of
// the unit square.
func square() *datasets.Dataset { return plane(2, []int{0, 1}, 0, 0, 1, 1) }

func corners3() *datasets.Dataset { return plane(3, []int{0, 1, 2}, 0, 0, 1, 0, 0.5, 1) }

// petals returns Iris with the petal measurements only.
func petals(t *testing.T) *datasets.Dataset {
	return must(datasets.Iris().Columns("petal_length", "petal_width"))(t)
}

// twoKinds returns the petal measurements of two classes, and targets that are 1 for the first of
// these classes and 0 for the second.
func twoKinds(t *testing.T) (*datasets.Dataset, []float64) {
	d := must(petals(t).Class("versicolor", "virginica"))(t)
	return d, must(d.Target("versicolor"))(t)
}

func fitLogistic(t *testing.T) (*datasets.Dataset, *classify.Logistic) {
	d, target := twoKinds(t)
	return d, must(classify.FitLogistic(d.X, target, classify.LogisticOptions{}))(t)
}

func fitQDA(t *testing.T) *classify.QDA {
	d := petals(t)
	return must(classify.FitQDA(d.X, d.Labels, 3, classify.QDAOptions{}))(t)
}

// fitTwo fits a two-class machine for a classifier that combines several machines.
func fitTwo(x mat.Matrix, t []float64) (classify.Scorer, error) {
	return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})
}

// logit returns a two-class posterior whose log odds are linear in the input.
func logit(w0, w1, w2 float64) PosteriorFunc {
	return func(x []float64) []float64 { return []float64{1 / (1 + math.Exp(-(w0 + w1*x[0] + w2*x[1])))} }
}

func column(t *testing.T, f *Figure, name string) []float64 {
	t.Helper()
	v, ok := f.Data().Column(name)
	if !ok {
		t.Fatalf("the figure's Data has no column %q", name)
	}
	return v
}

// columns returns the values of the columns prefix+names[0], prefix+names[1] and so on. Row i of the
// result contains value i of each column. If the first column is empty, the test fails.
func columns(t *testing.T, f *Figure, prefix string, names ...string) [][]float64 {
	t.Helper()
	out := make([][]float64, len(column(t, f, prefix+names[0])))
	for _, n := range names {
		for i, v := range column(t, f, prefix+n) {
			out[i] = append(out[i], v)
		}
	}
	if len(out) == 0 {
		t.Fatalf("the columns with prefix %q are empty, so the test checks nothing", prefix)
	}
	return out
}

// checkClose reports an error unless |got − want| is at most tol.
func checkClose(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s is %v, want %v ± %v", what, got, want, tol)
	}
}

// wantError checks that err is not nil and that its message contains every word.
func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("got no error, want an error")
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not contain %q", err, w)
		}
	}
}

// must(f(…))(t) returns the value that the call f(…) returned. If the call returned an error, the test
// fails with this error.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// checkError(f(…))(t, words…) checks that the call f(…) returned an error and that its message
// contains every word.
func checkError[T any](_ T, err error) func(t *testing.T, words ...string) {
	return func(t *testing.T, words ...string) {
		t.Helper()
		wantError(t, err, words...)
	}
}

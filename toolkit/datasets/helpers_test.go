package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// sample returns a small data set in which every field except Hues is set.
func sample() *Dataset {
	return &Dataset{
		Name: "sample", Source: "made up",
		X:            mat.NewDense(4, 2, []float64{1, 10, 2, 20, 3, 30, 4, 60}),
		Labels:       []int{0, 1, 2, 1},
		FeatureNames: []string{"a", "b"},
		ClassNames:   []string{"red", "green", "blue"},
	}
}

// numberedRows returns a data set whose only feature is the row number.
func numberedRows(labels []int, classes ...string) *Dataset {
	d := &Dataset{X: mat.NewDense(len(labels), 1, nil), Labels: labels, FeatureNames: []string{"row"},
		ClassNames: classes}
	for i := range labels {
		d.X.Set(i, 0, float64(i))
	}
	return d
}

// must returns a function whose argument is a test t. That function returns v, or fails t if err is
// not nil.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// errorOf returns the error of a call that returns a value and an error.
func errorOf(_ any, err error) error { return err }

// errorOf3 returns the error of a call that returns two values and an error.
func errorOf3(_, _ any, err error) error { return err }

// wantMention fails the test unless err is an error whose message contains all of the words.
func wantMention(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("got no error, want an error that contains %q", words)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("got the error %q, want an error that contains %q", err, w)
		}
	}
}

// wantErrors checks the errors in a map. Each error must contain the string `prefix` and the words in
// its key, which are separated by |. Each error must also contain "datasets: " exactly once.
func wantErrors(t *testing.T, prefix string, errs map[string]error) {
	t.Helper()
	for words, err := range errs {
		wantMention(t, err, append(strings.Split(words, "|"), prefix)...)
		if err != nil && strings.Count(err.Error(), "datasets: ") != 1 {
			t.Errorf("the error %v does not contain \"datasets: \" exactly once", err)
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

// hash returns the SHA-256 of a data set as CSV.
func hash(t *testing.T, d *Dataset) string {
	t.Helper()
	h := sha256.New()
	if err := WriteCSV(h, d); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(h.Sum(nil))
}

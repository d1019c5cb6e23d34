package main

import (
	"context"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// closeTo checks that each number got[i] equals the number want[i]. The tolerance is 1e-12 times the
// largest absolute value in want.
func closeTo(t *testing.T, name string, got, want []float64) {
	t.Helper()
	var scale float64
	for _, v := range want {
		scale = math.Max(scale, math.Abs(v))
	}
	if len(got) != len(want) || scale == 0 {
		t.Fatalf("%s: got %v, want as many numbers as in %v, which must not all be 0", name, got, want)
	}
	for i, v := range want {
		if !(math.Abs(got[i]-v) <= 1e-12*scale) {
			t.Errorf("%s: got %v, want %v", name, got, want)
			return
		}
	}
}

// clouds returns the rows of three overlapping classes.
func clouds(t *testing.T) *datasets.Dataset {
	t.Helper()
	return must(datasets.Gaussians(datasets.GaussiansOptions{
		Means: [][]float64{{0, 0, 0}, {1, 0, 0.5}, {0, 1, 1}}, N: []int{700, 500, 300},
		Classes: []string{"a", "b", "c"}, Seed: 16,
	}))(t)
}

// TestMoments checks that Beam's workers compute the right moments. It computes an LDA model from
// the moments that Beam has merged. This model must equal the result of FitLDA.
func TestMoments(t *testing.T) {
	d := clouds(t)
	s := must(Moments(context.Background(), rowsOf(d), d.D(), d.K()))(t)
	got := must(classify.FitLDAFrom(s, classify.LDAOptions{}))(t)
	want := must(classify.FitLDA(d.X, d.Labels, d.K(), classify.LDAOptions{}))(t)
	closeTo(t, "W", got.W.RawMatrix().Data, want.W.RawMatrix().Data)
	closeTo(t, "means", got.Means.RawMatrix().Data, want.Means.RawMatrix().Data)
	closeTo(t, "priors", got.Priors, want.Priors)
	closeTo(t, "ln p(X,t)", []float64{got.LogLikelihood}, []float64{want.LogLikelihood})
	if !mat.EqualApprox(got.Sigma, want.Sigma, 1e-12) {
		t.Errorf("got the covariance %v, want %v", got.Sigma, want.Sigma)
	}
}

// TestLogistic checks that Newton's method, with one pipeline for each step, gives the same weights
// as FitLogistic.
func TestLogistic(t *testing.T) {
	d := must(clouds(t).Class("a", "b"))(t)
	target := must(d.Target("a"))(t)
	for name, prior := range map[string]classify.Prior{"maximum likelihood": nil,
		"prior": classify.Isotropic{Alpha: 2}} {
		w, passes, err := Logistic(context.Background(), rowsOf(d), d.D(), prior)
		if err != nil {
			t.Fatal(err)
		}
		want := must(classify.FitLogistic(d.X, target, classify.LogisticOptions{Prior: prior}))(t)
		closeTo(t, name, w, want.W)
		if passes < 3 || passes > 10 {
			t.Errorf("%s: got %d passes, want 3 to 10", name, passes)
		}
	}
}

// TestErrors checks two errors: a row that cannot be added must stop the pipeline with an error,
// and separable classes must give an error.
func TestErrors(t *testing.T) {
	ctx := context.Background()
	if _, err := Moments(ctx, []Row{{[]float64{1}, 0}, {[]float64{1, 2}, 1}}, 1, 2); err == nil {
		t.Error("rows of different lengths give no error, want an error")
	}
	if _, _, err := Logistic(ctx, []Row{{[]float64{1}, 0}, {[]float64{2}, 0}, {[]float64{3}, 1}, {[]float64{4}, 1}}, 1,
		nil); err == nil {
		t.Error("separable classes give no error, want an error")
	}
}

// TestRun checks the command without a file, with a file, and with a missing file.
func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := datasets.WriteCSVFile(path, must(clouds(t).Class("a", "b"))(t)); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"", path} {
		if err := run(context.Background(), file, ""); err != nil {
			t.Error(err)
		}
	}
	if err := run(context.Background(), filepath.Join(os.DevNull, "none.csv"), ""); err == nil {
		t.Error("a missing file gives no error, want an error")
	}
}

package classify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestWaysOptions(t *testing.T) {
	x, target, prior, points := skewed()
	for _, o := range []struct {
		o    classify.VariationalLogisticOptions
		want string
	}{
		{classify.VariationalLogisticOptions{Method: 3}, "Method is 3"},
		{classify.VariationalLogisticOptions{StartXi: math.NaN()}, "StartXi is NaN"},
		{classify.VariationalLogisticOptions{MaxIterations: -1}, "MaxIterations is -1"},
		{classify.VariationalLogisticOptions{Tolerance: -1}, "Tolerance is -1"},
		{classify.VariationalLogisticOptions{Prior: classify.Isotropic{}}, "Alpha is 0"},
	} {
		_, err := classify.FitVariationalLogistic(x, target, o.o)
		mentions(t, err, o.want)
	}
	for _, o := range []struct {
		o    classify.SampleLogisticOptions
		want string
	}{
		{classify.SampleLogisticOptions{Method: 2}, "Method is 2"},
		{classify.SampleLogisticOptions{Chains: -1}, "Chains is -1"},
		{classify.SampleLogisticOptions{Draws: 3}, "Draws is 3"},
		{classify.SampleLogisticOptions{Warmup: -5}, "Warmup is -5"},
		{classify.SampleLogisticOptions{Target: 1}, "Target is 1"},
	} {
		_, err := classify.SampleLogistic(x, target, o.o)
		mentions(t, err, o.want)
	}
	m := must(classify.SampleLogistic(x, target, classify.SampleLogisticOptions{Prior: prior, Draws: 10, Warmup: 10}))(t)
	_, err := m.Trace(2)
	mentions(t, err, "j is 2", "to 1")
	_, err = m.Autocorrelation(0, 10)
	mentions(t, err, "lags is 10", "0 to 9")
	_, _, err = m.Intervals(1)
	mentions(t, err, "level is 1")
	_, err = classify.CompareApproximations(points)
	mentions(t, err, "no approximations")
	_, err = classify.CompareApproximations(points, classify.Approximation{Name: "none"})
	mentions(t, err, "approximation 0 (none) has no model")
	_, err = classify.CompareApproximations(points, classify.Approximation{Name: "new", Model: new(classify.LogisticSample)})
	mentions(t, err, "approximation 0 (new)", "without a fit")
	_, err = classify.CompareApproximations(mat.NewDense(1, 2, nil), classify.Approximation{Name: "sampling", Model: m})
	mentions(t, err, "sampling", "1×2", "1 columns")
}

// TestSampleTrace: the autocorrelation of a chain written by hand, and the share of
// the draws in an interval.
func TestSampleTrace(t *testing.T) {
	// 1, −1, 1, −1: mean 0, covariances 4/4, −3/4, 2/4, −1/4.
	m := &classify.LogisticSample{Mean: []float64{0, 0}, Chains: []*mat.Dense{mat.NewDense(4, 2, []float64{1, 5, -1, 5, 1, 5, -1, 5})}}
	a := must(m.Autocorrelation(0, 3))(t)
	for i, want := range []float64{1, -0.75, 0.5, -0.25} {
		if math.Abs(a[0][i]-want) > 1e-15 {
			t.Errorf("lag %d: %v, want %v", i, a[0][i], want)
		}
	}
	if a = must(m.Autocorrelation(1, 2))(t); a[0][0] != 1 || a[0][1] != 0 || a[0][2] != 0 {
		t.Errorf("a chain that never moves: %v", a[0])
	}
	x, target, prior, _ := skewed()
	s := must(classify.SampleLogistic(x, target, classify.SampleLogisticOptions{Prior: prior}))(t)
	lo, hi, err := s.Intervals(0.9)
	if err != nil {
		t.Fatal(err)
	}
	inside := 0
	chains := must(s.Trace(1))(t)
	for _, c := range chains {
		for _, w := range c {
			if w >= lo[1] && w <= hi[1] {
				inside++
			}
		}
	}
	if inside < 3596 || inside > 3604 { // 0.9 of 4000
		t.Errorf("%d of 4000 draws inside", inside)
	}
}

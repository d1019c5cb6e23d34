package classify_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestWaysLoadErrors(t *testing.T) {
	const v, s = `{"schema":"hyperplane-variational-logistic/1",`, `{"schema":"hyperplane-logistic-sample/1",`
	const chain = `"mean":[1,2],"chains":[{"rows":4,"cols":2,"data":[1,2,3,4,5,6,7,8]}],"log_posterior":[[1,2,3,4]],"acceptance":[1],"step_size":[1],"r_hat":[1,1],"ess":[1,1],"mc_error":[1,1]`
	for _, c := range []struct {
		name string
		into any
		text string
		want []string
	}{
		{"kind", new(classify.VariationalLogistic), s + `"mean":[1,2]}`, []string{"another kind"}},
		{"no mean", new(classify.VariationalLogistic), v + `"mean":[1]}`, []string{"1 weights"}},
		{"xi", new(classify.VariationalLogistic), v + `"mean":[1,2],"n":3,"xi":[1]}`, []string{"xi has 1", "3"}},
		{"method", new(classify.VariationalLogistic), v + `"mean":[1,2],"method":7}`, []string{"method is 7"}},
		{"no root", new(classify.VariationalLogistic), v + `"mean":[1,2],"covariance":{"rows":2,"cols":2,"data":[1,0,0,1]}}`, []string{"root is missing"}},
		{"root", new(classify.VariationalLogistic), v + `"mean":[1,2],"root":{"rows":1,"cols":1,"data":[1]},"covariance":{"rows":2,"cols":2,"data":[1,0,0,1]}}`, []string{"root is 1×1, needed is 2×1"}},
		{"step", new(classify.VariationalLogistic), v + `"mean":[1,2],"root":{"rows":2,"cols":1,"data":[1,2]},"covariance":{"rows":2,"cols":2,"data":[1,0,0,1]},"trace":[{"mean":[1]}]}`, []string{"step 0"}},
		{"no chains", new(classify.LogisticSample), s + `"mean":[1,2]}`, []string{"chains are missing"}},
		{"covariance", new(classify.LogisticSample), s + chain + `}`, []string{"covariance is missing"}},
		{"sampler", new(classify.LogisticSample), s + chain + `,"method":2}`, []string{"method is 2"}},
		{"short", new(classify.LogisticSample), s + strings.Replace(chain, `"log_posterior":[[1,2,3,4]]`, `"log_posterior":[[1,2]]`, 1) + `}`, []string{"log_posterior 0 has 2 entries", "needed are 4"}},
		{"diagnostics", new(classify.LogisticSample), s + strings.Replace(chain, `"ess":[1,1]`, `"ess":[1]`, 1) + `}`, []string{"ess has 1 entries", "needed are 2"}},
	} {
		t.Run(c.name, func(t *testing.T) { mentions(t, json.Unmarshal([]byte(c.text), c.into), c.want...) })
	}
	for _, m := range []classify.Predictive{new(classify.VariationalLogistic), new(classify.LogisticSample)} {
		_, err := m.Predict(mat.NewDense(1, 1, nil))
		mentions(t, err, "no weights")
		if mean, cov := m.WeightMoments(); mean != nil || cov != nil {
			t.Error("moments of nothing")
		}
	}
	_, err := new(classify.LogisticSample).Draws()
	mentions(t, err, "no weights", "SampleLogistic")
}

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
		o    classify.SampleOptions
		want string
	}{
		{classify.SampleOptions{Method: 2}, "Method is 2"},
		{classify.SampleOptions{Chains: -1}, "Chains is -1"},
		{classify.SampleOptions{Draws: 3}, "Draws is 3"},
		{classify.SampleOptions{Warmup: -5}, "Warmup is -5"},
		{classify.SampleOptions{Target: 1}, "Target is 1"},
	} {
		_, err := classify.SampleLogistic(x, target, o.o)
		mentions(t, err, o.want)
	}
	m := must(classify.SampleLogistic(x, target, classify.SampleOptions{Prior: prior, Draws: 10, Warmup: 10}))(t)
	_, err := m.Trace(2)
	mentions(t, err, "j is 2", "to 1")
	_, err = m.Autocorrelation(0, 10)
	mentions(t, err, "lags is 10", "0 to 9")
	_, _, err = m.Intervals(1)
	mentions(t, err, "level is 1")
	_, err = classify.CompareWays(points)
	mentions(t, err, "no ways")
	_, err = classify.CompareWays(points, classify.Way{Name: "none"})
	mentions(t, err, "way 0 (none) has no model")
	_, err = classify.CompareWays(points, classify.Way{Name: "new", Model: new(classify.LogisticSample)})
	mentions(t, err, "way 0 (new)", "without a fit")
	_, err = classify.CompareWays(mat.NewDense(1, 2, nil), classify.Way{Name: "sampling", Model: m})
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
	s := must(classify.SampleLogistic(x, target, classify.SampleOptions{Prior: prior}))(t)
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

package classify_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// TestFarStarts: from starts at which every row is saturated, half of them on the
// wrong side, the convex fits reach the same optimum.
func TestFarStarts(t *testing.T) {
	x, labels := clouds(100, 2, 2, 61)
	for _, f := range optima {
		if strings.HasPrefix(f.name, "label") {
			continue
		}
		want := must(f.fit(x, targets(labels), classify.LogisticOptions{}))(t)
		for _, start := range [][]float64{{0, 800, -800}, {800, 0, 0}, {-1e4, 3e5, 1e6}, want.W} {
			far := must(f.fit(x, targets(labels), classify.LogisticOptions{Start: start}))(t)
			errorIf(t, !far.Converged, "%s, start %v: %s", f.name, start, far.Reason)
			nearly(t, f.name, far.W, want.W, 1e-11)
		}
	}
}

func TestFewRows(t *testing.T) {
	all := classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}}
	row := mat.NewDense(1, 2, []float64{1, 2})
	wide, labels := clouds(8, 30, 2, 71)
	for _, f := range optima {
		t.Run(f.name, func(t *testing.T) {
			for _, p := range []classify.Prior{nil, classify.Isotropic{Alpha: 1, FreeBias: true}} {
				mentions(t, of(f.fit(row, []float64{1}, classify.LogisticOptions{Prior: p})), "single class", "prior")
			}
			one := must(f.fit(row, []float64{1}, all))(t)
			errorIf(t, !one.Converged, "one row: %s", one.Reason)
			stationary(t, must(f.objective(row, []float64{1}, all.Prior))(t), one.W, 1e-12)
			soft := must(f.fit(row, []float64{0.3}, classify.LogisticOptions{}))(t)
			errorIf(t, !soft.Converged || soft.Rank != 1, "one soft row has rank %d: %s", soft.Rank, soft.Reason)
			stationary(t, must(f.objective(row, []float64{0.3}, nil))(t), soft.W, 1e-12)
			nearly(t, "the shortest w of a row is along it", soft.W, []float64{soft.W[0], soft.W[0], 2 * soft.W[0]}, 1e-13)
			m := must(f.fit(wide, targets(labels), classify.LogisticOptions{}))(t)
			errorIf(t, !m.Separable || m.Converged || m.Rank != 8 || leastMargin(wide, targets(labels), m.Direction) <= 0, "more columns than rows: rank %d: %s", m.Rank, m.Reason)
			m = must(f.fit(wide, targets(labels), all))(t)
			errorIf(t, !m.Converged, "more columns than rows: %s", m.Reason)
			stationary(t, must(f.objective(wide, targets(labels), all.Prior))(t), m.W, 1e-9)
		})
	}
}

// TestDependentColumns: dependent columns do not change the activations, and w
// is the limit of a vanishing isotropic prior.
func TestDependentColumns(t *testing.T) {
	x, labels := clouds(100, 2, 2, 81)
	target := targets(labels)
	for _, f := range optima {
		base := must(f.fit(x, target, classify.LogisticOptions{}))(t)
		want := must(base.Activations(x))(t)
		for _, c := range []struct {
			name string
			cols func(a, b float64) []float64
			say  string
		}{
			{"duplicate", func(a, b float64) []float64 { return []float64{a, b, a} }, "linearly dependent: 0, 2"},
			{"constant", func(a, b float64) []float64 { return []float64{a, 7.3, b} }, "constant like the bias: 1"},
			{"sum", func(a, b float64) []float64 { return []float64{a, b, a + b} }, "linearly dependent: 0, 1, 2"},
			{"fahrenheit", func(a, b float64) []float64 { return []float64{a, 1.8*a + 32, b} }, "linearly dependent: 0, 1"},
			{"both", func(a, b float64) []float64 { return []float64{a, b, b * 1e6, -4, 2} }, "constant like the bias: 3, 4; linearly dependent: 1, 2"},
		} {
			t.Run(f.name+"/"+c.name, func(t *testing.T) {
				y := mat.NewDense(100, len(c.cols(0, 0)), nil)
				for i := range 100 {
					y.SetRow(i, c.cols(x.At(i, 0), x.At(i, 1)))
				}
				m := must(f.fit(y, target, classify.LogisticOptions{}))(t)
				errorIf(t, !m.Converged || m.Rank != 3 || m.Covariance != nil, "rank %d, want 3; reason %q", m.Rank, m.Reason)
				mentions(t, reasonError(m.Reason), c.say)
				nearly(t, "activations", must(m.Activations(y))(t), want, 1e-8)
				if f.name == "logistic" {
					mentions(t, of(m.StandardErrors()), "not unique")
				}
				lim := must(f.fit(y, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1e-7}}))(t)
				nearly(t, "weights of a weak prior", lim.W, m.W, 1e-5)
			})
		}
	}
}

// TestOptions: every fit names the option that cannot be, and leaves those that can
// as they are.
func TestOptions(t *testing.T) {
	x, labels := clouds(30, 2, 2, 91)
	target, nan := targets(labels), math.NaN()
	notPD := mat.NewSymDense(3, []float64{1, 2, 0, 2, 1, 0, 0, 0, 1})
	with := func(v float64) []float64 {
		bad := slices.Clone(target)
		bad[12] = v
		return bad
	}
	for _, f := range optima {
		t.Run(f.name, func(t *testing.T) {
			fit := func(o classify.LogisticOptions) error { return of(f.fit(x, target, o)) }
			prior := func(p classify.Prior) error { return fit(classify.LogisticOptions{Prior: p}) }
			refused(t, []refusal{
				{"start too short", fit(classify.LogisticOptions{Start: []float64{1}}), []string{"classify: Fit", "Start"}},
				{"start NaN", fit(classify.LogisticOptions{Start: []float64{1, nan, 0}}), []string{"Start[", "NaN"}},
				{"iterations", fit(classify.LogisticOptions{MaxIterations: -1}), []string{"classify: Fit", "MaxIterations", "-1"}},
				{"tolerance", fit(classify.LogisticOptions{Tolerance: -1}), []string{"Tolerance", "-1"}},
				{"tolerance NaN", fit(classify.LogisticOptions{Tolerance: nan}), []string{"Tolerance"}},
				{"alpha 0", prior(classify.Isotropic{}), []string{"Alpha is 0", "nil"}},
				{"alpha NaN", prior(classify.Isotropic{Alpha: nan}), []string{"Alpha"}},
				{"no covariance", prior(classify.Gaussian{}), []string{"Cov is nil"}},
				{"covariance size", prior(classify.Gaussian{Cov: mat.NewSymDense(2, nil)}), []string{"2×2"}},
				{"negative target", of(f.fit(x, with(-1), classify.LogisticOptions{})), []string{"12", "-1"}},
				{"target NaN", of(f.fit(x, with(nan), classify.LogisticOptions{})), []string{"12", "NaN"}},
				{"short", of(f.fit(x, target[:5], classify.LogisticOptions{})), []string{"5", "30"}},
			})
			m := must(f.fit(x, target, classify.LogisticOptions{MaxIterations: 2}))(t)
			mentions(t, reasonError(m.Reason), "MaxIterations = 2")
		})
	}
	refused(t, []refusal{
		{"indefinite", of(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: classify.Gaussian{Cov: notPD}})), []string{"not positive definite"}},
		{"mean size", of(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: classify.Gaussian{Mean: []float64{1, 2}, Cov: notPD}})), []string{"Mean", "2 entries"}},
	})
	m := must(classify.FitLogistic(x, target, classify.LogisticOptions{MaxIterations: 2}))(t)
	errorIf(t, m.Converged || m.Iterations != 2 || len(m.Trace) != 3, "%d iterations: %s", m.Iterations, m.Reason)
	mentions(t, of(m.StandardErrors()), "not converged")
	start, mean := []float64{1, 2, 3}, []float64{3, 2, 1}
	cov := mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	must(classify.FitLogistic(x, target, classify.LogisticOptions{Start: start, Prior: classify.Gaussian{Mean: mean, Cov: cov}}))(t)
	errorIf(t, fmt.Sprint(start, mean, cov.At(1, 1)) != "[1 2 3] [3 2 1] 1", "start or prior were changed")
}

// TestConvergedIsOptimumStrongPrior: the optimum is −∇E(0)/α then, to first order, and no
// solver takes 0 for it.
func TestConvergedIsOptimumStrongPrior(t *testing.T) {
	x, labels := clouds(30, 2, 2, 17)
	for _, alpha := range []float64{1e20, 1e25, 1e30, 1e100, 1e300} {
		for _, f := range optima {
			prior := classify.Isotropic{Alpha: alpha}
			want := must(must(f.objective(x, targets(labels), nil))(t).Gradient(make([]float64, 3)))(t)
			for _, s := range []classify.Solver{classify.Newton{}, classify.LBFGS{}, classify.GradientDescent{}, classify.CoordinateAscent{}, classify.Sequential{}} {
				m := must(f.fit(x, targets(labels), classify.LogisticOptions{Prior: prior, Solver: s}))(t)
				for j, w := range m.W {
					within(t, w, -want[j]/alpha, 1e-6*linalg.Norm(want)/alpha, "%s %T, α = %g, %s: weight %d", f.name, s, alpha, m.Reason, j)
				}
				errorIf(t, !m.Converged, "%s %T, α = %g: %s", f.name, s, alpha, m.Reason)
			}
		}
	}
}

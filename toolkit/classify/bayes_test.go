package classify_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// TestImproper checks that every approximation returns an error if the posterior does not exist, or
// if an option is invalid. The error must explain the reason.
func TestImproper(t *testing.T) {
	separable, at := pointsOn(-3, -2, -1, 1, 2, 3), []float64{0, 0, 0, 1, 1, 1}
	twice := mat.NewDense(4, 2, []float64{1, 1, 2, 2, 3, 3, 4, 4})
	free := classify.Isotropic{Alpha: 1, FreeBias: true}
	for _, c := range []struct {
		name   string
		x      *mat.Dense
		target []float64
		prior  classify.Prior
		want   []string
	}{
		{"separable", separable, at, nil, []string{"flat", "separable", "normalised", "Prior"}},
		{"quasi-separable", pointsOn(1, 2, 2, 3), []float64{0, 0, 1, 1}, nil,
			[]string{"flat", "separable", "normalised", "Prior"}},
		{"dependent columns", twice, []float64{0, 1, 0, 1}, nil, []string{"flat", "normalised", "column"}},
		{"one class", separable, make([]float64, 6), nil, []string{"flat", "single class"}},
		{"one class, free bias", separable, make([]float64, 6), free, []string{"flat in the bias"}},
		{"alpha", separable, at, classify.Isotropic{}, []string{"Alpha", "0"}},
		{"S0 indefinite", separable, at, classify.Gaussian{Cov: mat.NewSymDense(2, []float64{1, 2, 2, 1})},
			[]string{"Cov", "positive definite"}},
		{"S0 size", separable, at, classify.Gaussian{Cov: mat.NewSymDense(3, nil)}, []string{"3×3", "2×2"}},
		{"no data, flat", &mat.Dense{}, nil, nil, []string{"0×0"}},
		{"no data, isotropic", &mat.Dense{}, nil, free, []string{"0×0"}},
	} {
		allFail(t, []failingCall{
			{c.name + ", Laplace",
				errorOf(classify.FitBayesLogistic(c.x, c.target, classify.BayesLogisticOptions{Prior: c.prior})),
				append(c.want, "FitBayesLogistic")},
			{c.name + ", variational",
				errorOf(classify.FitVariationalLogistic(c.x, c.target, classify.VariationalLogisticOptions{Prior: c.prior})),
				append(c.want, "FitVariationalLogistic")},
			{c.name + ", sampling",
				errorOf(classify.SampleLogistic(c.x, c.target, classify.SampleLogisticOptions{Prior: c.prior})),
				append(c.want, "SampleLogistic")},
		})
	}
	labels := []int{0, 0, 1, 1, 2, 2}
	bayes := func(o classify.BayesLogisticOptions) error {
		return errorOf(classify.FitBayesLogistic(separable, at, o))
	}
	soft := func(k int, l []int, o classify.BayesSoftmaxOptions) error {
		return errorOf(classify.FitBayesSoftmax(separable, l, k, o))
	}
	allFail(t, []failingCall{
		{"α, re-estimated",
			bayes(classify.BayesLogisticOptions{Reestimate: true, Prior: classify.Isotropic{Alpha: -1}}),
			[]string{"Alpha", "-1"}},
		{"re-estimated Gaussian", bayes(classify.BayesLogisticOptions{Reestimate: true, Prior: classify.Gaussian{}}),
			[]string{"Reestimate", "Isotropic"}},
		{"start", bayes(classify.BayesLogisticOptions{Start: []float64{1}}), []string{"Start"}},
		{"no rows, targets",
			errorOf(classify.FitBayesLogistic(&mat.Dense{}, at, classify.BayesLogisticOptions{Prior: free})),
			[]string{"0×0"}},
		{"softmax, flat, separable", soft(3, labels, classify.BayesSoftmaxOptions{}),
			[]string{"flat", "separable", "cannot be normalised"}},
		{"softmax, flat, empty class", soft(4, labels, classify.BayesSoftmaxOptions{}), []string{"class"}},
		{"softmax, flat, one class", soft(2, make([]int, 6), classify.BayesSoftmaxOptions{}), []string{"class 0"}},
		{"softmax, draws", soft(3, labels, classify.BayesSoftmaxOptions{Draws: 1}), []string{"Draws"}},
		{"softmax, re-estimated, free bias",
			soft(3, labels, classify.BayesSoftmaxOptions{Reestimate: true, Prior: free}), []string{"FreeBias"}},
		{"softmax, prior size",
			soft(3, labels, classify.BayesSoftmaxOptions{Prior: classify.Gaussian{Cov: spd(3, 2, 1)}}),
			[]string{"3×3", "6×6"}},
	})
}

// noRows is a matrix with columns but no rows, which gonum's Dense cannot represent.
type noRows struct{ d int }

func (m noRows) Dims() (r, c int)    { return 0, m.d }
func (m noRows) At(i, j int) float64 { panic("no rows") }
func (m noRows) T() mat.Matrix       { return mat.Transpose{Matrix: m} }

// TestBayesNoData checks that every approximation returns the prior if there is no data.
func TestBayesNoData(t *testing.T) {
	prior := classify.Gaussian{Mean: []float64{1, -2, 30},
		Cov: mat.NewSymDense(3, []float64{2, 0.5, 0, 0.5, 1, 0.2, 0, 0.2, 9})}
	for _, x := range []mat.Matrix{&mat.Dense{}, noRows{2}} {
		m := must(classify.FitBayesLogistic(x, nil, classify.BayesLogisticOptions{Prior: prior}))(t)
		errorIf(t, !m.Converged || !slices.Equal(m.W, prior.Mean) || m.N != 0 || m.Determined != 0 || m.BIC() != 0,
			"Converged is %v, W is %v, N is %d, Determined is %v and BIC is %v, want a converged fit with W = %v, and 0 for the last three",
			m.Converged, m.W, m.N, m.Determined, m.BIC(), prior.Mean)
		closeTo(t, m.LogEvidence(), 0, 1e-12, "ln p(D)")
		near(t, "S_N", m.Covariance, prior.Cov, 1e-12)
	}
	m := must(classify.FitBayesLogistic(noRows{2}, nil,
		classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 4}}))(t)
	errorIf(t, m.Alpha != 4 || m.Covariance.At(1, 1) != 0.25 || m.Covariance.At(1, 2) != 0,
		"Alpha is %v and the covariance matrix is %v, want Alpha 4, variances of 0.25 and covariances of 0", m.Alpha, flat(m.Covariance))
	s := must(classify.FitBayesSoftmax(&mat.Dense{}, nil, 3,
		classify.BayesSoftmaxOptions{Prior: classify.Gaussian{Cov: spd(6, 10, 1)}}))(t)
	near(t, "S_N of softmax", s.Covariance, spd(6, 10, 1), 1e-12)
	closeTo(t, s.LogEvidence(), 0, 1e-12, "ln p(D) of softmax")
	v := must(classify.FitVariationalLogistic(&mat.Dense{}, nil, classify.VariationalLogisticOptions{Prior: prior}))(t)
	allClose(t, "variational", append(v.Mean, flat(v.Covariance)...),
		append(slices.Clone(prior.Mean), flat(prior.Cov)...), 1e-13)
	errorIf(t, v.Bound != 0 || !v.Converged, "without data the bound is %v and Converged is %v, want 0 and true: %s",
		v.Bound, v.Converged, v.Reason)
	for _, s := range samplers {
		m := must(classify.SampleLogistic(&mat.Dense{}, nil,
			classify.SampleLogisticOptions{Prior: prior, Method: s.method, Draws: s.draws}))(t)
		for j, w := range m.Mean {
			closeTo(t, w, prior.Mean[j], 4*m.MCError[j], "%s: w%d", s.name, j)
			closeTo(t, m.Covariance.At(j, j)/prior.Cov.At(j, j), 1, 0.2, "%s: variance %d", s.name, j)
		}
	}
}

// TestReestimate checks that the derivative of the log evidence with respect to ln α is 0 at the α
// that Reestimate finds, and that no α of a grid has a higher evidence.
func TestReestimate(t *testing.T) {
	x, target := logisticRows(300, 4, 2)
	for _, free := range []bool{false, true} {
		fit := func(alpha float64, re bool) *classify.BayesLogistic {
			return must(classify.FitBayesLogistic(x, target,
				classify.BayesLogisticOptions{Reestimate: re,
					Prior: classify.Isotropic{Alpha: alpha, FreeBias: free}}))(t)
		}
		m := fit(1, true)
		errorIf(t, !m.Converged || !strings.Contains(m.Reason, "maximises") || len(m.AlphaTrace) > 60,
			"Converged is %v, Reason is '%s' and the trace has %d steps, want a converged fit, \"maximises\" in Reason, and at most 60 steps",
			m.Converged, m.Reason, len(m.AlphaTrace))
		at := func(alpha float64) float64 { return fit(alpha, false).LogEvidence() }
		closeTo(t, at(m.Alpha), m.LogEvidence(), 1e-10, "evidence of a fit with the re-estimated α")
		closeTo(t, (at(m.Alpha*1.01)-at(m.Alpha/1.01))/(2*math.Log(1.01)), 0, 1e-4, "slope of the evidence at α = %v", m.Alpha)
		for k := -10; k <= 10; k++ {
			e := at(math.Exp2(float64(k)))
			errorIf(t, e > m.LogEvidence()+1e-12, "at α = 2^%d the evidence is %v, want at most %v, the evidence at the re-estimated α", k, e, m.LogEvidence())
		}
		closeTo(t, fit(1e4, true).Alpha/m.Alpha, 1, 1e-7, "α of a search from 10⁴, divided by α of a search from 1")
	}
	// The inputs x contain no information about the targets. The search then raises α without finding
	// a maximum, and Reason must report that the evidence still rises.
	m := must(classify.FitBayesLogistic(pointsOn(-1, 1, -1, 1), []float64{1, 1, 0, 0},
		classify.BayesLogisticOptions{Reestimate: true}))(t)
	errorIf(t, m.Converged || !strings.Contains(m.Reason, "still rises") || m.Alpha < 100,
		"Converged is %v, α is %v and Reason is '%s', want no convergence, α of at least 100, and \"still rises\" in Reason",
		m.Converged, m.Alpha, m.Reason)
	s, labels := clouds(120, 3, 3, 4)
	b := must(classify.FitBayesSoftmax(s, labels, 3, classify.BayesSoftmaxOptions{Reestimate: true}))(t)
	roundTrip(t, b)
	for _, f := range []float64{0.5, 2} {
		other := must(classify.FitBayesSoftmax(s, labels, 3,
			classify.BayesSoftmaxOptions{Prior: classify.Isotropic{Alpha: f * b.Alpha}}))(t)
		errorIf(t, !b.Converged || len(b.AlphaTrace) == 0 || other.LogEvidence() >= b.LogEvidence(),
			"softmax: the evidence is %v at the re-estimated α, want more than %v, the evidence at %v·α; Converged is %v and the trace has %d steps, want a converged fit and at least one step: %s",
			b.LogEvidence(), other.LogEvidence(), f, b.Converged, len(b.AlphaTrace), b.Reason)
	}
}

// TestBayesSampleWeights checks that the mean and the covariance of the draws agree with the mean
// and the covariance of q(w).
func TestBayesSampleWeights(t *testing.T) {
	x, target := logisticRows(40, 1, 2)
	m := must(classify.FitBayesLogistic(x, target,
		classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	s := must(m.SampleWeights(40000, 9))(t)
	checkDraws(t, s, m.W, m.Covariance)
	errorIf(t, !mat.Equal(s, must(m.SampleWeights(40000, 9))(t)), "equal seeds give different draws, want equal draws")
}

// TestBayesNearlySingular uses a prior that forces two weights to be nearly equal. The model must
// then nearly equal the model with a single weight for the sum of the two columns.
func TestBayesNearlySingular(t *testing.T) {
	x, target := logisticRows(80, 2, 6)
	sum := mat.NewDense(80, 1, nil)
	sum.Add(x.Slice(0, 80, 0, 1), x.Slice(0, 80, 1, 2))
	one := must(classify.FitBayesLogistic(sum, target,
		classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	fit := func(eps float64) (*classify.BayesLogistic, error) {
		tied := mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, 1 - eps, 0, 1 - eps, 1})
		return classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Gaussian{Cov: tied}})
	}
	for _, eps := range []float64{1e-8, 1e-12, 1e-14} {
		m := must(fit(eps))(t)
		errorIf(t, !m.Converged, "ε = %v: the fit has not converged, want a converged fit: %s", eps, m.Reason)
		for j := 1; j < 3; j++ {
			closeTo(t, m.W[j], one.W[1], 100*eps+1e-7, "ε = %v: w%d", eps, j)
		}
		closeTo(t, m.LogEvidence(), one.LogEvidence(), 100*eps+1e-4, "ln p(D) of nearly equal weights, ε = %v", eps)
		near(t, fmt.Sprintf("ε = %v: posterior", eps), must(m.Posterior(x))(t), must(one.Posterior(sum))(t), 1e-6)
	}
	errorHas(t, errorOf(fit(0)), "positive definite")
}

func ExampleFitBayesLogistic() {
	iris := toolkit.Must(datasets.Iris().Columns("petal_length", "petal_width"))
	t := toolkit.Must(iris.Target("setosa")) // A line separates setosa from the other classes.
	m := toolkit.Must(classify.FitBayesLogistic(iris.X, t,
		classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))
	far := mat.NewDense(2, 2, []float64{1.4, 0.2, -6, -6})
	plug, moderated := toolkit.Must(m.PosteriorBy(far, classify.PredictivePlugIn)), toolkit.Must(m.Posterior(far))
	fmt.Printf("w = %.3f, ln p(D) = %.2f\n", m.W, m.LogEvidence())
	for i := range 2 {
		fmt.Printf("p(setosa) = %.4f at the mode, %.4f moderated\n", plug.At(i, 0), moderated.At(i, 0))
	}
	// Output:
	// w = [3.977 -1.152 -1.702], ln p(D) = -23.17
	// p(setosa) = 0.8833 at the mode, 0.8779 moderated
	// p(setosa) = 1.0000 at the mode, 0.9997 moderated
}

package classify_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

var samplers = []struct {
	name   string
	method classify.Sampler
	draws  int // number of draws per chain in the tests that compare moments
}{
	{"Hamiltonian", classify.SamplerHamiltonian, 2000},
	{"random walk", classify.SamplerRandomWalk, 8000},
}

// skewedData returns a small data set, a wide prior and test points. Under this prior, the
// posterior is far from Gaussian.
func skewedData() (*mat.Dense, []float64, classify.Gaussian, *mat.Dense) {
	x := mat.NewDense(8, 1, []float64{-2, -1.2, -0.7, -0.1, 0.3, 0.4, 1.5, 2.5})
	t := []float64{0, 0, 0, 1, 0, 1, 1, 1}
	return x, t, classify.Gaussian{Mean: []float64{0.5, -0.5},
		Cov: mat.NewSymDense(2, []float64{9, 2, 2, 16})}, mat.NewDense(3, 1, []float64{-1, 0.2, 4})
}

// pinnedBias returns the data of skewedData, with a prior under which the bias differs from 0.3 by
// only about 1e-7. S0 is nearly singular, so only the slope varies in the posterior.
func pinnedBias() (*mat.Dense, []float64, classify.Gaussian, *mat.Dense) {
	x, t, _, points := skewedData()
	return x, t, classify.Gaussian{Mean: []float64{0.3, 0}, Cov: mat.NewSymDense(2, []float64{1e-14, 0, 0, 25})}, points
}

// separableData returns separable data, a prior and test points.
func separableData() (*mat.Dense, []float64, classify.Gaussian, *mat.Dense) {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3})
	return x, []float64{0, 0, 0, 1, 1,
		1}, classify.Gaussian{Cov: mat.NewSymDense(2, []float64{4, 0, 0, 25})}, mat.NewDense(2, 1, []float64{0.5, -2.5})
}

// TestSampleExact checks all samplers with 20 seeds. Means, variances and predictive probabilities
// must differ from the exact values by at most 4 Monte Carlo standard errors. The standard errors
// must also have the right size. To check this, the test divides each deviation by its standard
// error. The mean of the squares of these ratios must be near 1.
func TestSampleExact(t *testing.T) {
	for _, c := range []struct {
		name string
		data func() (*mat.Dense, []float64, classify.Gaussian, *mat.Dense)
	}{{"two weights", skewedData}, {"one weight", pinnedBias}, {"separable", separableData}} {
		x, target, prior, points := c.data()
		e := sampleIntegrate(t, x, target, prior, points)
		for _, s := range samplers {
			t.Run(c.name+", "+s.name, func(t *testing.T) {
				var square, count float64
				closeTo := func(what string, seed uint64, got, want, se float64) {
					z := (got - want) / se
					errorIf(t, !(math.Abs(z) <= 4), "seed %d: %s is %.5g, want %.5g: the difference is %.1f standard errors of %.2g, want at most 4",
						seed, what, got, want, z, se)
					square += z * z
					count++
				}
				for seed := range uint64(20) {
					m := must(classify.SampleLogistic(x, target,
						classify.SampleLogisticOptions{Prior: prior, Method: s.method, Draws: s.draws, Warmup: 300,
							Seed: seed}))(t)
					p, se := must2(m.PosteriorError(points))(t)
					for j, want := range e.mean {
						closeTo(fmt.Sprintf("mean of w%d", j), seed, m.Mean[j], want, m.MCError[j])
						// Estimate the variance as the average of (w−want)², where `want` is the exact
						// mean. batchMean estimates the standard error of this average from the
						// averages over 20 batches of draws per chain.
						v, se := batchMean(must(m.Trace(j))(t), want)
						closeTo(fmt.Sprintf("variance of w%d", j), seed, v, e.cov.At(j, j), se)
					}
					for i, want := range e.posterior {
						closeTo(fmt.Sprintf("p at point %d", i), seed, p.At(i, 0), want, se.At(i, 0))
					}
				}
				ms := square / count
				errorIf(t, ms < 0.6 || ms > 1.6, "the mean of (deviation/standard error)² is %.2f over %v comparisons, want 0.6 to 1.6",
					ms, count)
			})
		}
	}
}

// batchMean returns the mean of (w−centre)² over all draws, and the standard error of this mean,
// estimated from the means of 20 batches per chain.
func batchMean(chains [][]float64, centre float64) (mean, se float64) {
	var means []float64
	for _, c := range chains {
		n := len(c) / 20
		for b := range 20 {
			var sum float64
			for _, w := range c[b*n : (b+1)*n] {
				sum += (w - centre) * (w - centre)
			}
			means = append(means, sum/float64(n))
		}
	}
	for _, v := range means {
		mean += v / float64(len(means))
	}
	for _, v := range means {
		se += (v - mean) * (v - mean)
	}
	k := float64(len(means))
	return mean, math.Sqrt(se / (k - 1) / k)
}

// TestSampleWarnings checks that Reason contains a warning if the chains do not agree or have too
// few effective draws.
func TestSampleWarnings(t *testing.T) {
	x, labels := clouds(200, 6, 2, 5)
	target := targets(labels)
	o := classify.SampleLogisticOptions{Prior: classify.Isotropic{Alpha: 1}, Method: classify.SamplerRandomWalk,
		Draws: 20, Warmup: 1, Target: 0.99}
	m := must(classify.SampleLogistic(x, target, o))(t)
	errorIf(t, m.Converged, "Converged is true for 20 draws with tiny steps, want false: %s", m.Reason)
	errorHas(t, fmt.Errorf("%s", m.Reason), "R̂ of w", "chains do not agree", "effective sample size", "Hamiltonian")
	m = must(classify.SampleLogistic(x, target, classify.SampleLogisticOptions{Prior: o.Prior}))(t)
	errorIf(t, !m.Converged || m.Divergent != 0, "got Converged %v and %d divergent trajectories, want true and 0: %s", m.Converged, m.Divergent, m.Reason)
	errorHas(t, fmt.Errorf("%s", m.Reason), "the chains agree", "R̂ is at most 1.00")
	table := must(classify.CompareApproximations(x, classify.Approximation{Name: "sampling", Model: m}))(t)
	errorIf(t, len(table.Warnings) > 0, "the chains agree, but the table has the warnings %v, want no warnings", table.Warnings)
}

// TestApproximationsTails checks that the log odds are accurate at activations of ±800, and that the probability
// of the less likely class is accurate at the activation −600.
func TestApproximationsTails(t *testing.T) {
	prior := classify.Gaussian{Cov: mat.NewSymDense(2, []float64{1e-6, 0, 0, 1e-6}), Mean: []float64{0, 1}}
	far := mat.NewDense(2, 1, []float64{-800, 800})
	vm := must(classify.FitVariationalLogistic(far, []float64{0, 1},
		classify.VariationalLogisticOptions{Prior: prior}))(t)
	sm := must(classify.SampleLogistic(far, []float64{0, 1},
		classify.SampleLogisticOptions{Prior: prior, Draws: 200}))(t)
	quad := *vm
	vm.Method, quad.Method = classify.PredictivePlugIn, classify.PredictiveQuadrature
	for name, m := range map[string]classify.Predictive{"variational": vm, "sampling": sm} {
		l := must(m.Scores(far))(t)
		errorIf(t, math.Abs(l.At(0, 0)+800) > 1 || math.Abs(l.At(1, 0)-800) > 1, "%s: the log odds at x = −800 and x = 800 are %v and %v, want −800 ± 1 and 800 ± 1", name, l.At(0, 0), l.At(1, 0))
	}
	for name, m := range map[string]classify.Predictive{"variational": &quad, "sampling": sm} {
		if p := must(m.Posterior(mat.NewDense(1, 1, []float64{-600})))(t); p.At(0, 1) != 1 || !(p.At(0, 0) > 1e-262 && p.At(0, 0) < 1e-259) {
			// The expected value is exp(−600 + 0.18), which is about 3e-261.
			t.Errorf("%s: at the activation −600 the probabilities of C₁ and C₂ are %v and %v, want about 3e-261 and exactly 1", name, p.At(0, 0), p.At(0, 1))
		}
	}
}

func TestApproximationsOptions(t *testing.T) {
	x, target, prior, points := skewedData()
	sample := func(o classify.SampleLogisticOptions) error { return errorOf(classify.SampleLogistic(x, target, o)) }
	m := must(classify.SampleLogistic(x, target,
		classify.SampleLogisticOptions{Prior: prior, Draws: 10, Warmup: 10}))(t)
	errorHas(t, sample(classify.SampleLogisticOptions{Draws: 3}), "Draws is 3")
	errorHas(t, sample(classify.SampleLogisticOptions{Target: 1}), "Target is 1")
	errorHas(t, errorOf(m.Trace(2)), "j is 2", "to 1")
	errorHas(t, errorOf2(m.Intervals(1)), "level is 1")
	errorHas(t, errorOf(new(classify.LogisticSample).Draws()), "no weights", "SampleLogistic")
	errorHas(t, errorOf(classify.CompareApproximations(points)), "no approximations")
	errorHas(t, errorOf(classify.CompareApproximations(points, classify.Approximation{Name: "none"})),
		"approximation 0 (none) has no model")
	errorHas(t, errorOf(classify.CompareApproximations(points,
		classify.Approximation{Name: "new", Model: new(classify.LogisticSample)})),
		"approximation 0 (new)", "without a fit")
	errorHas(t, errorOf(classify.CompareApproximations(mat.NewDense(1, 2, nil),
		classify.Approximation{Name: "sampling", Model: m})),
		"sampling", "1×2", "1 columns")
}

// TestVariationalBound checks that no iteration lowers the bound. After a converged fit, the gradient
// of the bound with respect to ξ must be 0, which means ξ_n² = E[a_n²].
func TestVariationalBound(t *testing.T) {
	xc, lc := clouds(300, 5, 2, 3)
	xs, ts, _, _ := separableData()
	xw, lw := clouds(10, 30, 2, 3)
	for _, c := range []struct {
		name   string
		x      *mat.Dense
		target []float64
		prior  classify.Prior
	}{
		{"overlapping", xc, targets(lc), classify.Isotropic{Alpha: 0.1}},
		{"overlapping, flat", xc, targets(lc), nil},
		{"overlapping, free bias", xc, targets(lc), classify.Isotropic{Alpha: 3, FreeBias: true}},
		{"separable, wide prior", xs, ts, classify.Isotropic{Alpha: 1e-6}},
		{"separable, narrow prior", xs, ts, classify.Isotropic{Alpha: 1e6}},
		{"more columns than rows", xw, targets(lw), classify.Isotropic{Alpha: 1e-2}},
	} {
		for _, plain := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, plain %v", c.name, plain), func(t *testing.T) {
				m := must(classify.FitVariationalLogistic(c.x, c.target,
					classify.VariationalLogisticOptions{Prior: c.prior, Plain: plain, MaxIterations: 300}))(t)
				for i, s := range m.Trace[1:] {
					before := m.Trace[i].Bound
					errorIf(t, s.Bound < before-1e-12*(1+math.Abs(before)),
						"iteration %d lowers the bound from %v to %v, want no decrease", i+1, before, s.Bound)
				}
				last := m.Trace[len(m.Trace)-1]
				errorIf(t, last.Bound != m.Bound || !floats.Equal(last.Mean, m.Mean),
					"the trace ends at %+v, want the model's bound %v and mean %v", last, m.Bound, m.Mean)
				if !m.Converged {
					if plain && c.name != "overlapping" { // with Plain, a fit can need more than 300 iterations
						return
					}
					t.Fatal(m.Reason)
				}
				mean, variance := must2(m.ActivationMoments(c.x))(t)
				for i, xi := range m.Xi {
					want := math.Sqrt(mean[i]*mean[i] + variance[i])
					errorIf(t, math.Abs(xi-want) > 1e-8*(1+want), "ξ of row %d is %v, want %v from E[a²]", i, xi, want)
				}
			})
		}
	}
}

// TestSampleTrace checks that the 90 % interval of a weight contains 90 % of the weight's draws.
func TestSampleTrace(t *testing.T) {
	x, target, prior, _ := skewedData()
	s := must(classify.SampleLogistic(x, target, classify.SampleLogisticOptions{Prior: prior}))(t)
	lo, hi := must2(s.Intervals(0.9))(t)
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
		t.Errorf("%d of 4000 draws are inside the 90 %% interval, want 3596 to 3604", inside)
	}
}

func ExampleFitVariationalLogistic() {
	two := toolkit.Must(toolkit.Must(datasets.Iris().Class("versicolor", "virginica")).Columns("petal_width"))
	t := toolkit.Must(two.Target("versicolor"))
	m := toolkit.Must(classify.FitVariationalLogistic(two.X, t,
		classify.VariationalLogisticOptions{Prior: classify.Isotropic{Alpha: 0.01}}))
	fmt.Printf("%v, ln p(t) ≥ %.3f\n", m.Converged, m.Bound)
	for j, w := range m.Mean {
		fmt.Printf("w%d = %6.2f ± %.2f\n", j, w, math.Sqrt(m.Covariance.At(j, j)))
	}
	// Output:
	// true, ln p(t) ≥ -25.354
	// w0 =  17.73 ± 1.31
	// w1 = -10.86 ± 0.79
}

func ExampleSampleLogistic() {
	two := toolkit.Must(toolkit.Must(datasets.Iris().Class("versicolor", "virginica")).Columns("petal_width"))
	t := toolkit.Must(two.Target("versicolor"))
	m := toolkit.Must(classify.SampleLogistic(two.X, t,
		classify.SampleLogisticOptions{Prior: classify.Isotropic{Alpha: 0.01}, Seed: 1}))
	fmt.Println(m.Converged)
	for j, w := range m.Mean {
		fmt.Printf("w%d = %3.0f ± %.0f\n", j, w, math.Sqrt(m.Covariance.At(j, j)))
	}
	// Output:
	// true
	// w0 =  18 ± 3
	// w1 = -11 ± 2
}

func ExampleCompareApproximations() {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 0.5, 2, 3})
	t := []float64{0, 0, 0, 1, 1, 1} // The data are separable, so only the prior limits the slope.
	approximations := toolkit.Must(classify.FitApproximations(x, t,
		classify.ApproximationsOptions{Prior: classify.Isotropic{Alpha: 0.1}, Method: classify.PredictiveQuadrature}))
	points := mat.NewDense(2, 1, []float64{0.5, -4})
	fmt.Print(toolkit.Must(classify.CompareApproximations(points, approximations[:3]...)))
	// The sampled slope is exact up to the Monte Carlo error.
	exact := toolkit.Must(classify.CompareApproximations(points, approximations[3]))
	fmt.Printf("%s: w1 = %.0f ± %.0f\n", exact.Names[0], exact.Mean.At(0, 1), exact.StdDev.At(0, 1))
	// Output:
	// method                  w0             w1  p(C₁|0.5)  p(C₁|-4)
	// MAP plug-in          0.406          2.411     0.8336    0.0001
	// Laplace      0.406 ± 1.680  2.411 ± 1.782     0.7282    0.1031
	// variational  0.478 ± 1.243  3.355 ± 0.764     0.8395    0.0003
	// sampling: w1 = 4 ± 2
}

// The exact probability is 0.858, computed as a sum over a grid of weights. The Monte Carlo error
// of the sampled probability is about 0.003.
func ExampleFitApproximations() {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 0.5, 2, 3})
	t := []float64{0, 0, 1, 0, 1, 1}
	for _, w := range toolkit.Must(classify.FitApproximations(x, t,
		classify.ApproximationsOptions{Prior: classify.Isotropic{Alpha: 0.1}})) {
		p := toolkit.Must(w.Model.Posterior(mat.NewDense(1, 1, []float64{2})))
		fmt.Printf("%-12s %.2f\n", w.Name, p.At(0, 0))
	}
	// Output:
	// MAP plug-in  0.86
	// Laplace      0.77
	// variational  0.84
	// sampling     0.86
}

package classify_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// TestWaysTails: activations of ±800, and the probability of the other class keeps
// its digits.
func TestWaysTails(t *testing.T) {
	prior := classify.Gaussian{Cov: mat.NewSymDense(2, []float64{1e-6, 0, 0, 1e-6}), Mean: []float64{0, 1}}
	far := mat.NewDense(2, 1, []float64{-800, 800})
	vm := must(classify.FitVariationalLogistic(far, []float64{0, 1}, classify.VariationalLogisticOptions{Prior: prior}))(t)
	sm := must(classify.SampleLogistic(far, []float64{0, 1}, classify.SampleLogisticOptions{Prior: prior, Draws: 200}))(t)
	quad := *vm
	vm.Method, quad.Method = classify.PredictivePlugIn, classify.PredictiveQuadrature
	for name, m := range map[string]classify.Predictive{"variational": vm, "sampling": sm} {
		l := must(m.Scores(far))(t)
		errorIf(t, math.Abs(l.At(0, 0)+800) > 1 || math.Abs(l.At(1, 0)-800) > 1, "%s: log odds %v", name, l.At(0, 0))
	}
	for name, m := range map[string]classify.Predictive{"variational": &quad, "sampling": sm} {
		if p := must(m.Posterior(mat.NewDense(1, 1, []float64{-600})))(t); p.At(0, 1) != 1 || !(p.At(0, 0) > 1e-262 && p.At(0, 0) < 1e-259) {
			t.Errorf("%s: p at −600 is %v", name, p.At(0, 0)) // exp(−600 + 0.18) = 3e-261
		}
	}
}

func TestWaysOptions(t *testing.T) {
	x, target, prior, points := skewed()
	variational := func(o classify.VariationalLogisticOptions) error {
		return of(classify.FitVariationalLogistic(x, target, o))
	}
	sample := func(o classify.SampleLogisticOptions) error { return of(classify.SampleLogistic(x, target, o)) }
	m := must(classify.SampleLogistic(x, target, classify.SampleLogisticOptions{Prior: prior, Draws: 10, Warmup: 10}))(t)
	refused(t, []refusal{
		{"method", variational(classify.VariationalLogisticOptions{Method: 3}), []string{"Method is 3"}},
		{"ξ", variational(classify.VariationalLogisticOptions{StartXi: math.NaN()}), []string{"StartXi is NaN"}},
		{"iterations", variational(classify.VariationalLogisticOptions{MaxIterations: -1}), []string{"MaxIterations is -1"}},
		{"tolerance", variational(classify.VariationalLogisticOptions{Tolerance: -1}), []string{"Tolerance is -1"}},
		{"sampler", sample(classify.SampleLogisticOptions{Method: 2}), []string{"Method is 2"}},
		{"chains", sample(classify.SampleLogisticOptions{Chains: -1}), []string{"Chains is -1"}},
		{"draws", sample(classify.SampleLogisticOptions{Draws: 3}), []string{"Draws is 3"}},
		{"warm-up", sample(classify.SampleLogisticOptions{Warmup: -5}), []string{"Warmup is -5"}},
		{"target", sample(classify.SampleLogisticOptions{Target: 1}), []string{"Target is 1"}},
		{"trace", of(m.Trace(2)), []string{"j is 2", "to 1"}},
		{"lags", of(m.Autocorrelation(0, 10)), []string{"lags is 10", "0 to 9"}},
		{"level", of2(m.Intervals(1)), []string{"level is 1"}},
		{"no draws", of(new(classify.LogisticSample).Draws()), []string{"no weights", "SampleLogistic"}},
		{"no approximations", of(classify.CompareApproximations(points)), []string{"no approximations"}},
		{"no model", of(classify.CompareApproximations(points, classify.Approximation{Name: "none"})), []string{"approximation 0 (none) has no model"}},
		{"no fit", of(classify.CompareApproximations(points, classify.Approximation{Name: "new", Model: new(classify.LogisticSample)})), []string{"approximation 0 (new)", "without a fit"}},
		{"width", of(classify.CompareApproximations(mat.NewDense(1, 2, nil), classify.Approximation{Name: "sampling", Model: m})), []string{"sampling", "1×2", "1 columns"}},
	})
}

// TestSampleTrace: the autocorrelation of a chain written by hand, and the share of
// the draws in an interval.
func TestSampleTrace(t *testing.T) {
	// 1, −1, 1, −1: mean 0, covariances 4/4, −3/4, 2/4, −1/4.
	m := &classify.LogisticSample{Mean: []float64{0, 0}, Chains: []*mat.Dense{mat.NewDense(4, 2, []float64{1, 5, -1, 5, 1, 5, -1, 5})}}
	a := must(m.Autocorrelation(0, 3))(t)
	for i, want := range []float64{1, -0.75, 0.5, -0.25} {
		errorIf(t, math.Abs(a[0][i]-want) > 1e-15, "lag %d: %v, want %v", i, a[0][i], want)
	}
	if a = must(m.Autocorrelation(1, 2))(t); a[0][0] != 1 || a[0][1] != 0 || a[0][2] != 0 {
		t.Errorf("a chain that never moves: %v", a[0])
	}
	x, target, prior, _ := skewed()
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
		t.Errorf("%d of 4000 draws inside", inside)
	}
}

func ExampleFitVariationalLogistic() {
	two := toolkit.Must(toolkit.Must(datasets.Iris().Class("versicolor", "virginica")).Columns("petal_width"))
	t := toolkit.Must(two.Target("versicolor"))
	m := toolkit.Must(classify.FitVariationalLogistic(two.X, t, classify.VariationalLogisticOptions{Prior: classify.Isotropic{Alpha: 0.01}}))
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
	m := toolkit.Must(classify.SampleLogistic(two.X, t, classify.SampleLogisticOptions{Prior: classify.Isotropic{Alpha: 0.01}, Seed: 1}))
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
	t := []float64{0, 0, 0, 1, 1, 1} // separable: only the prior holds the slope
	ways := toolkit.Must(classify.FitApproximations(x, t, classify.ApproximationsOptions{Prior: classify.Isotropic{Alpha: 0.1}, Method: classify.PredictiveQuadrature}))
	points := mat.NewDense(2, 1, []float64{0.5, -4})
	fmt.Print(toolkit.Must(classify.CompareApproximations(points, ways[:3]...)))
	exact := toolkit.Must(classify.CompareApproximations(points, ways[3])) // up to its Monte Carlo error
	fmt.Printf("%s: w1 = %.0f ± %.0f\n", exact.Names[0], exact.Mean.At(0, 1), exact.StdDev.At(0, 1))
	// Output:
	// way                     w0             w1  p(C₁|0.5)  p(C₁|-4)
	// MAP plug-in          0.406          2.411     0.8336    0.0001
	// Laplace      0.406 ± 1.680  2.411 ± 1.782     0.7282    0.1031
	// variational  0.478 ± 1.243  3.355 ± 0.764     0.8395    0.0003
	// sampling: w1 = 4 ± 2
}

// The exact answer is 0.858, by a sum over a grid of weights; the sampled one has
// a Monte Carlo error of about 0.003.
func ExampleFitApproximations() {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 0.5, 2, 3})
	t := []float64{0, 0, 1, 0, 1, 1}
	for _, w := range toolkit.Must(classify.FitApproximations(x, t, classify.ApproximationsOptions{Prior: classify.Isotropic{Alpha: 0.1}})) {
		p := toolkit.Must(w.Model.Posterior(mat.NewDense(1, 1, []float64{2})))
		fmt.Printf("%-12s %.2f\n", w.Name, p.At(0, 0))
	}
	// Output:
	// MAP plug-in  0.86
	// Laplace      0.77
	// variational  0.84
	// sampling     0.86
}

// fixedPoint checks m_N and S_N by (10.156) and (10.157), whole matrices at ξ.
func fixedPoint(t *testing.T, x *mat.Dense, target []float64, prior classify.Prior, m *classify.VariationalLogistic) {
	t.Helper()
	n, d := x.Dims()
	precision, b := mat.NewSymDense(d+1, nil), mat.NewVecDense(d+1, nil)
	if p, ok := prior.(classify.Isotropic); ok {
		for j := range d + 1 {
			precision.SetSym(j, j, p.Alpha*truth(j > 0 || !p.FreeBias))
		}
	}
	for i := range n {
		φ, ξ := mat.NewVecDense(d+1, append([]float64{1}, x.RawRowView(i)...)), m.Xi[i]
		precision.SymRankOne(precision, (kernels.Sigmoid(ξ)-0.5)/ξ, φ)
		b.AddScaledVec(b, target[i]-0.5, φ)
	}
	inverses(t, precision, m.Covariance, 1e-5)
	var mean mat.VecDense
	mean.MulVec(m.Covariance, b)
	nearly(t, "m_N", m.Mean, mean.RawVector().Data, 1e-6)
}

// TestVariationalBound: no iteration lowers the bound, and its gradient with respect
// to ξ vanishes at the end: ξ_n² = E[a_n²], also where the way is long.
func TestVariationalBound(t *testing.T) {
	xc, lc := clouds(300, 5, 2, 3)
	xs, ts, _, _ := divided()
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
				m := must(classify.FitVariationalLogistic(c.x, c.target, classify.VariationalLogisticOptions{Prior: c.prior, Plain: plain, MaxIterations: 300}))(t)
				for i, s := range m.Trace[1:] {
					before := m.Trace[i].Bound
					errorIf(t, s.Bound < before-1e-12*(1+math.Abs(before)), "iteration %d lowers the bound from %v to %v", i+1, before, s.Bound)
				}
				last := m.Trace[len(m.Trace)-1]
				errorIf(t, last.Bound != m.Bound || !floats.Equal(last.Mean, m.Mean), "the trace ends at %v, the model is %v", last, m.Mean)
				if !m.Converged {
					if plain && c.name != "overlapping" { // the text's updates may take very long
						return
					}
					t.Fatal(m.Reason)
				}
				fixedPoint(t, c.x, c.target, c.prior, m)
				mean, variance := must2(m.ActivationMoments(c.x))(t)
				for i, xi := range m.Xi {
					want := math.Sqrt(mean[i]*mean[i] + variance[i])
					errorIf(t, math.Abs(xi-want) > 1e-8*(1+want), "ξ of row %d is %v, E[a²] says %v", i, xi, want)
				}
			})
		}
	}
}

// TestVariationalLarge: many rows need few passes, agree with the Laplace
// approximation's mean to a fraction of a standard deviation, and take memory for
// ξ alone: three lists of N numbers and the copy of t, not N×D.
func TestVariationalLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("a large fit")
	}
	n, d := 200000, 20
	x, target := drawn(n, d, 3)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	m := must(classify.FitVariationalLogistic(x, target, classify.VariationalLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	runtime.ReadMemStats(&after)
	errorIf(t, !m.Converged || m.Iterations > 60, "%d passes: %s", m.Iterations, m.Reason)
	l := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	for j, w := range m.Mean {
		sd := math.Sqrt(l.Covariance.At(j, j))
		errorIf(t, math.Abs(w-l.W[j]) > 0.05*sd, "w%d is %v, at the mode %v ± %v", j, w, l.W[j], sd)
	}
	if used, most := after.TotalAlloc-before.TotalAlloc, uint64(n*d*8); used > most {
		t.Errorf("%d bytes allocated in all passes together, x has %d", used, most)
	}
}

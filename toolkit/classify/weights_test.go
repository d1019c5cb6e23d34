package classify_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// weightedFit is a fit with the option Weights. The function fit fits the rows r, in which row n
// has the weight w[n].
type weightedFit struct {
	name string
	fit  func(r testRows, w []float64) (any, error)
}

// testRows contains inputs with overlapping classes 0…2, and targets for two-class fits and for
// fits with soft targets. The inputs are small whole numbers, because every model accepts such
// inputs.
type testRows struct {
	x      *mat.Dense
	labels []int
	t      []float64
	soft   *mat.Dense
}

func drawnRows(n int) testRows {
	rng := rand.New(rand.NewPCG(4, 138))
	r := testRows{mat.NewDense(n, 2, nil), make([]int, n), make([]float64, n), mat.NewDense(n, 3, nil)}
	for i := range n {
		c := i % 3
		r.labels[i], r.t[i] = c, truth(c == 0)
		for j := range 2 {
			r.x.Set(i, j, math.Trunc(4*rng.Float64()+truth(c == j)))
		}
		a := 0.1 + 0.5*rng.Float64()
		r.soft.SetRow(i, []float64{a, (1 - a) / 3, 1 - a - (1-a)/3})
	}
	return r
}

// repeated returns r with row i repeated w[i] times, for whole weights w.
func (r testRows) repeated(w []float64) testRows {
	var index []int
	for i, v := range w {
		index = append(index, slices.Repeat([]int{i}, int(v))...)
	}
	_, d := r.x.Dims()
	_, k := r.soft.Dims()
	n := len(index)
	out := testRows{mat.NewDense(n, d, nil), make([]int, n), make([]float64, n), mat.NewDense(n, k, nil)}
	for i, at := range index {
		out.labels[i], out.t[i] = r.labels[at], r.t[at]
		out.x.SetRow(i, r.x.RawRowView(at))
		out.soft.SetRow(i, r.soft.RawRowView(at))
	}
	return out
}

// withWeights returns options with the field Weights set.
func withWeights[O any](o O, w []float64) O {
	reflect.ValueOf(&o).Elem().FieldByName("Weights").Set(reflect.ValueOf(w))
	return o
}

func sides[M, O any](name string, fit func(mat.Matrix, []float64, O) (M, error), o O) weightedFit {
	return weightedFit{name, func(r testRows, w []float64) (any, error) { return fit(r.x, r.t, withWeights(o, w)) }}
}

func classes[M, O any](name string, fit func(mat.Matrix, []int, int, O) (M, error), o O) weightedFit {
	return weightedFit{name, func(r testRows, w []float64) (any, error) { return fit(r.x, r.labels, 3, withWeights(o, w)) }}
}

func matrices[M, O any](name string, fit func(x, t mat.Matrix, o O) (M, error), o O) weightedFit {
	return weightedFit{name, func(r testRows, w []float64) (any, error) { return fit(r.x, r.soft, withWeights(o, w)) }}
}

func canonical(name string, family classify.TargetFamily, of func(v float64) float64) weightedFit {
	return weightedFit{name, func(r testRows, w []float64) (any, error) {
		t := make([]float64, len(r.t))
		for i := range t {
			t[i] = of(r.soft.At(i, 0))
		}
		return classify.FitGLM(r.x, t, family, classify.GLMOptions{Weights: w})
	}}
}

// weightedFits is the table of all fits with weights.
func weightedFits() []weightedFit {
	prior := classify.Isotropic{Alpha: 0.7}
	return []weightedFit{
		sides("logistic", classify.FitLogistic, classify.LogisticOptions{}),
		sides("logistic, prior", classify.FitLogistic, classify.LogisticOptions{Prior: prior}),
		sides("logistic, gradient descent", classify.FitLogistic,
			classify.LogisticOptions{Solver: classify.GradientDescent{}, MaxIterations: 50}),
		sides("logistic, coordinates", classify.FitLogistic,
			classify.LogisticOptions{Prior: prior, Solver: classify.CoordinateAscent{}, MaxIterations: 50}),
		sides("logistic, L-BFGS", classify.FitLogistic,
			classify.LogisticOptions{Solver: classify.LBFGS{}, MaxIterations: 8}),
		sides("probit", classify.FitProbit, classify.ProbitOptions{}),
		sides("label flip", classify.FitLabelFlip,
			classify.LabelFlipOptions{Estimate: true, Epsilon: 0.1, Prior: prior}),
		canonical("Bernoulli", classify.BernoulliTarget{}, func(v float64) float64 { return v }),
		canonical("Poisson", classify.PoissonTarget{}, func(v float64) float64 { return math.Floor(5 * v) }),
		canonical("Gaussian", classify.GaussianTarget{Scale: 2}, func(v float64) float64 { return v }),
		canonical("gamma", classify.GammaTarget{Scale: 0.5}, func(v float64) float64 { return 1 + v }),
		classes("softmax", classify.FitSoftmax, classify.SoftmaxOptions{}),
		classes("softmax, prior", classify.FitSoftmax, classify.SoftmaxOptions{Prior: prior}),
		classes("softmax, gradient descent", classify.FitSoftmax,
			classify.SoftmaxOptions{Solver: classify.GradientDescent{}, MaxIterations: 50}),
		matrices("softmax targets", classify.FitSoftmaxTargets, classify.SoftmaxOptions{}),
		classes("quadratic logistic", classify.FitQuadraticLogistic,
			classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 0.5}),
		classes("squared sigmoids", classify.FitSigmoidSquares, classify.SigmoidSquaresOptions{Prior: prior}),
		{"squared sigmoids, targets", func(r testRows, w []float64) (any, error) {
			var likely mat.Dense
			likely.Apply(func(_, _ int, v float64) float64 { return truth(v > 0.3) }, r.soft)
			return classify.FitSigmoidSquaresTargets(r.x, &likely,
				classify.SigmoidSquaresOptions{Prior: prior, Weights: w})
		}},
		classes("least squares", classify.FitLeastSquares, classify.LeastSquaresOptions{Ridge: 0.5}),
		matrices("least squares targets", classify.FitLeastSquaresTargets, classify.LeastSquaresOptions{}),
		{"least squares, Fisher's targets", func(r testRows, w []float64) (any, error) {
			return classify.FitLeastSquares(r.x, sidesOf(r.t), 2,
				classify.LeastSquaresOptions{Coding: classify.CodingFisher, Weights: w})
		}},
		sides("Fisher", classify.FitFisher, classify.FisherOptions{}),
		classes("Fisher, 3 classes", classify.FitFisherMulti, classify.FisherMultiOptions{}),
		classes("LDA", classify.FitLDA, classify.LDAOptions{Unbiased: true}),
		classes("LDA, shrunk", classify.FitLDA, classify.LDAOptions{Shrinkage: 0.2}),
		classes("QDA", classify.FitQDA, classify.QDAOptions{}),
		classes("QDA, unbiased, shrunk", classify.FitQDA, classify.QDAOptions{Unbiased: true, Shrinkage: 0.1}),
		classes("Gaussian naive Bayes", classify.FitNaiveBayesGaussian,
			classify.NaiveBayesGaussianOptions{Unbiased: true, Smoothing: 0.1}),
		{"Bernoulli naive Bayes", func(r testRows, w []float64) (any, error) {
			var above mat.Dense
			above.Apply(func(_, _ int, v float64) float64 { return truth(v > 1) }, r.x)
			return classify.FitNaiveBayesBernoulli(&above, r.labels, 3,
				classify.NaiveBayesBernoulliOptions{Smoothing: 1, Weights: w})
		}},
		{"categorical naive Bayes", func(r testRows, w []float64) (any, error) {
			return classify.FitNaiveBayesCategorical(r.x, []int{5, 5}, r.labels, 3,
				classify.NaiveBayesCategoricalOptions{Smoothing: 1, Weights: w})
		}},
		classes("Gaussian densities", classify.FitExponentialFamily, classify.ExponentialFamilyOptions{Scale: 1.5}),
		classes("Poisson densities", classify.FitExponentialFamily,
			classify.ExponentialFamilyOptions{Density: classify.DensityPoisson, Smoothing: 2}),
		sides("Bayes logistic", classify.FitBayesLogistic, classify.BayesLogisticOptions{Reestimate: true}),
		sides("Bayes logistic, flat", classify.FitBayesLogistic, classify.BayesLogisticOptions{}),
		classes("Bayes softmax", classify.FitBayesSoftmax, classify.BayesSoftmaxOptions{Prior: prior, Draws: 10}),
		sides("variational", classify.FitVariationalLogistic, classify.VariationalLogisticOptions{Prior: prior}),
		sides("sampling", classify.SampleLogistic,
			classify.SampleLogisticOptions{Prior: prior, Draws: 20, Warmup: 10, Chains: 2}),
		sides("sampling, random walk", classify.SampleLogistic,
			classify.SampleLogisticOptions{Prior: prior, Draws: 20, Warmup: 10, Chains: 2,
				Method: classify.SamplerRandomWalk}),
		sides("all approximations", classify.FitApproximations,
			classify.ApproximationsOptions{Prior: prior,
				Sample: classify.SampleLogisticOptions{Draws: 20, Warmup: 10, Chains: 1}}),
	}
}

// everyNumber returns all numbers of m by name: the numbers in the JSON of m, and the results of
// the methods of m without arguments.
func everyNumber(t *testing.T, m any) map[string][]float64 {
	all := map[string][]float64{}
	models := []any{m}
	if list, ok := m.([]classify.Approximation); ok {
		models = nil
		for _, a := range list {
			models = append(models, a.Model)
		}
	}
	for _, m := range models {
		var fields any
		if err := json.Unmarshal(textOf(t, m), &fields); err != nil {
			t.Fatal(err)
		}
		savedNumbers(all, "", fields)
	}
	v := reflect.ValueOf(m)
	for i := range v.NumMethod() {
		if f := v.Method(i); f.Type().NumIn() == 0 {
			for _, out := range f.Call(nil) {
				name := v.Type().Method(i).Name
				all[name] = numbersOf(all[name], out, func(string) bool { return true })
			}
		}
	}
	return all
}

func savedNumbers(all map[string][]float64, name string, v any) {
	switch v := v.(type) {
	case float64:
		all[name] = append(all[name], v)
	case string: // ±Inf and NaN are stored as strings; skip other strings, such as names and reasons
		if f, err := strconv.ParseFloat(v, 64); err == nil {
			all[name] = append(all[name], f)
		}
	case bool:
		all[name] = append(all[name], truth(v))
	case []any:
		all[name+"#"] = append(all[name+"#"], float64(len(v)))
		for _, e := range v {
			savedNumbers(all, name, e)
		}
	case map[string]any:
		for key, e := range v {
			if key != "xi" { // skip xi, because its length is the number of rows, which changes if rows are repeated
				savedNumbers(all, name+"."+key, e)
			}
		}
	}
}

// compareNumbers compares all numbers of two fits. The tolerance for the numbers with one name is
// multiplied by the largest of these numbers.
func compareNumbers(t *testing.T, got, want any, tol float64) {
	t.Helper()
	a, b := everyNumber(t, got), everyNumber(t, want)
	if len(a) < 5 || len(a) != len(b) {
		t.Fatalf("the fits have %d and %d named lists of numbers, want equal counts", len(a), len(b))
	}
	for name, v := range b {
		u, size := a[name], 0.01
		if len(u) != len(v) {
			t.Fatalf("%s: got %d numbers, want %d", name, len(u), len(v))
		}
		for i, w := range v {
			if !math.IsInf(w, 0) {
				size = math.Max(size, math.Abs(w))
			}
			if u[i] != w && !(math.Abs(u[i]-w) <= tol*size) && !(math.IsNaN(u[i]) && math.IsNaN(w)) {
				t.Fatalf("%s[%d] is %.17g, want %.17g", name, i, u[i], w)
			}
		}
	}
}

// TestWeights makes three comparisons for every fit:
//   - Rows with whole weights are compared with copies of the rows.
//   - Rows of weight 0 are compared with omitted rows. All bits must agree.
//   - Weights of 1 are compared with nil Weights. All bits must agree.
func TestWeights(t *testing.T) {
	r := drawnRows(45)
	n := len(r.t)
	whole, some, ones := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		whole[i], some[i], ones[i] = float64(1+i*i%7%4), truth(i%5 != 2), 1
	}
	for _, c := range weightedFits() {
		t.Run(c.name, func(t *testing.T) {
			t.Run("whole",
				func(t *testing.T) {
					compareNumbers(t, must(c.fit(r, whole))(t), must(c.fit(r.repeated(whole), nil))(t), 1e-10)
				})
			t.Run("zeros", func(t *testing.T) {
				broken := r.repeated(ones) // a fit must ignore the entries of a row with weight 0
				for i, w := range some {
					if w == 0 {
						broken.t[i], broken.labels[i] = math.NaN(), -1
						broken.x.Set(i, 0, math.NaN())
						broken.soft.Set(i, 1, 7)
					}
				}
				compareNumbers(t, must(c.fit(broken, some))(t), must(c.fit(r.repeated(some), nil))(t), 0)
			})
			t.Run("ones", func(t *testing.T) { compareNumbers(t, must(c.fit(r, ones))(t), must(c.fit(r, nil))(t), 0) })
			t.Run("errors", func(t *testing.T) { weightsRefused(t, c, r) })
		})
	}
}

func weightsRefused(t *testing.T, c weightedFit, r testRows) {
	t.Helper()
	bad := slices.Repeat([]float64{1}, len(r.t))
	for v, want := range map[float64]string{
		-1:         "Weights[3] is -1: want a finite number, 0 or more, which is how often the row counts",
		math.NaN(): "Weights[3] is NaN", math.Inf(1): "Weights[3] is +Inf",
		1e300: "Weights sum to 1e+300, more rows than can be counted: divide all weights",
	} {
		bad[3] = v
		errorHas(t, of(c.fit(r, bad)), want)
	}
	errorHas(t, of(c.fit(r, []float64{1, 2})), "Weights has 2 entries but x has 45 rows")
	errorHas(t, of(c.fit(r, make([]float64, len(r.t)))), "all 45 Weights are 0",
		"want a weight above 0 for every row that counts")
	for i := range bad {
		bad[i] = math.SmallestNonzeroFloat64
	}
	errorHas(t, of(c.fit(r, bad)), "Weights sum to 2.22e-322, too small to divide by: multiply all weights")
}

// TestWeightsLarge checks weights in problems that are so large that the fits use normal equations
// and compute Hessians from Gram matrices.
func TestWeightsLarge(t *testing.T) {
	const n = 4700
	x, labels := clouds(n, 60, 2, 7)
	r, w := testRows{x, labels, targets(labels), mat.NewDense(n, 1, targets(labels))}, make([]float64, n)
	for i := range w {
		w[i] = float64(1 + i%3)
	}
	for _, c := range []weightedFit{sides("", classify.FitLogistic, classify.LogisticOptions{}),
		matrices("", classify.FitLeastSquaresTargets, classify.LeastSquaresOptions{})} {
		compareNumbers(t, must(c.fit(r, w))(t), must(c.fit(r.repeated(w), nil))(t), 1e-10)
	}
}

// TestWeightsFractions checks fractional weights with a prior. A fit with weights c and precision
// cα must have the same mode as a fit with weights 1 and precision α. Its error E must be c times
// as large.
func TestWeightsFractions(t *testing.T) {
	r := drawnRows(45)
	const c = 0.3
	w := slices.Repeat([]float64{c}, 45)
	m := must(classify.FitLogistic(r.x, r.t,
		classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 2 * c}, Weights: w}))(t)
	whole := must(classify.FitLogistic(r.x, r.t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 2}}))(t)
	allClose(t, "W", m.W, whole.W, 1e-10)
	allClose(t, "E, Σw, N, covariance, BIC", []float64{m.E, m.SumWeights, float64(m.N), m.Covariance.At(1, 2), m.BIC()},
		[]float64{c * whole.E, 13.5, 14, whole.Covariance.At(1, 2) / c, m.Deviance() + 3*math.Log(13.5)}, 1e-10)

	// If the weights of a class sum to less than ½, the class must still have a positive share,
	// even after Save and Load.
	for i, l := range r.labels {
		w[i] = c / 10
		if l > 0 {
			w[i] = 1
		}
	}
	a := must(classify.FitLDA(r.x, r.labels, 3, classify.LDAOptions{Weights: w}))(t)
	compareNumbers(t, loadModel[*classify.LDA](t, textOf(t, a)), a, 0)
	allClose(t, "counts, share", []float64{float64(a.Counts[0]), float64(a.N), a.ClassWeights[0], a.Priors[0]},
		[]float64{0, 30, 0.45, 0.45 / 30.45}, 1e-12)
	errorHas(t, of(classify.FitQDA(r.x, r.labels, 3, classify.QDAOptions{Weights: w, Unbiased: true})),
		"Weights of class 0 sum to 0.45", "N_k − 1", "leave Unbiased out")
	errorHas(t, of(classify.FitNaiveBayesGaussian(r.x, r.labels, 3,
		classify.NaiveBayesGaussianOptions{Weights: w, Unbiased: true})), "Weights of class 0 sum to 0.45",
		"leave Unbiased out")
	errorHas(t, of(classify.FitLDA(r.x, r.labels, 3,
		classify.LDAOptions{Weights: slices.Repeat([]float64{0.05}, 45), Unbiased: true})), "2.25 rows",
		"N − K = -0.75")
}

// TestWeightsAreTheCause checks that errors and Reason name the range of the weights. The inputs
// have moderate sizes, so only the weights can be the cause.
func TestWeightsAreTheCause(t *testing.T) {
	x, y := pointsOn(-4, -3, -2, -1, 1, 2, 3, 4), []float64{0, 1, 0, 0, 1, 0, 1, 1}
	m := must(classify.FitLogistic(x, y,
		classify.LogisticOptions{Weights: []float64{1e6, 1, 1e-12, 1e-12, 1e6, 1e-12, 1e-6, 1e-6}}))(t)
	errorIf(t, m.Converged || !strings.Contains(m.Reason, "the weights of the rows range from 1e-12 to 1e+06"), "%s",
		m.Reason)
	tiny := []float64{1e-308, 5e-324, 1e-310, 1e-308, 1e-310, 1e-308, 5e-324, 1e-308}
	errorHas(t, of(classify.FitLogistic(x, y, classify.LogisticOptions{Weights: tiny})), "overflows",
		"or give weights nearer to 1: the weights range from 4.94e-324 to 1e-308")
	naive := func(w []float64) error {
		return of(classify.FitNaiveBayesGaussian(x, sidesOf(y), 2, classify.NaiveBayesGaussianOptions{Weights: w}))
	}
	errorHas(t, naive([]float64{1, 1e-20, 1e-20, 1e-20, 1e-20, 1e-20, 1, 1e-20}), "variance",
		"or give weights nearer to 1: the weights range from 1e-20 to 1")
	if err := naive([]float64{1, 1, 0, 0, 1, 0, 1, 1}); err == nil || strings.Contains(err.Error(), "nearer to 1") {
		t.Errorf("a class of one row gives the error %v, want an error that does not mention the weights", err)
	}
}

// TestWeightsOfMethods checks the methods whose arguments are the rows of the fit. It also checks
// fits of weighted rows by the sequential solver, which must reach the same optimum as Newton's
// method.
func TestWeightsOfMethods(t *testing.T) {
	r := drawnRows(45)
	w := make([]float64, 45)
	for i := range w {
		w[i] = float64(i % 4)
	}
	all := r.repeated(w)
	p := must(classify.FitProbit(r.x, r.t, classify.ProbitOptions{Weights: w}))(t)
	g := must(classify.FitGLM(r.x, r.t, classify.GaussianTarget{}, classify.GLMOptions{Weights: w}))(t)
	allClose(t, "information", flat(must(p.FisherInformation(r.x, w...))(t)), flat(must(p.FisherInformation(all.x))(t)),
		1e-12)
	allClose(t, "expected errors", must(p.ExpectedStandardErrors(r.x, w...))(t), must(p.ExpectedStandardErrors(all.x))(t),
		1e-12)
	allClose(t, "Pearson's scale", []float64{must(g.PearsonScale(r.x, r.t, w...))(t)},
		[]float64{must(g.PearsonScale(all.x, all.t))(t)}, 1e-12)
	errorHas(t, of(g.PearsonScale(r.x, r.t, 1)), "Weights has 1 entries", "45 rows")

	o := classify.LogisticOptions{Weights: w, Solver: classify.Sequential{Corrected: true, Shuffle: true},
		MaxIterations: 5000, Tolerance: 1e-8}
	allClose(t, "W by single rows", must(classify.FitLogistic(r.x, r.t, o))(t).W,
		must(classify.FitLogistic(r.x, r.t, classify.LogisticOptions{Weights: w}))(t).W, 1e-6)
	two := must(classify.FitSoftmax(r.x, r.labels, 3,
		classify.SoftmaxOptions{Weights: w, Solver: o.Solver, MaxIterations: 5000, Tolerance: 1e-8}))(t)
	allClose(t, "W of softmax with the sequential solver", flat(two.W),
		flat(must(classify.FitSoftmax(r.x, r.labels, 3, classify.SoftmaxOptions{Weights: w}))(t).W), 1e-6)
}

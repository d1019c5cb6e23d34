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

// testRows contains inputs with class labels, and targets for two-class fits.
type testRows struct {
	x      *mat.Dense
	labels []int
	t      []float64
}

// drawnRows returns n rows of three overlapping classes. The inputs are small whole numbers. Rows of
// class 0 have the target 1.
func drawnRows(n int) testRows {
	rng := rand.New(rand.NewPCG(4, 138))
	r := testRows{mat.NewDense(n, 2, nil), make([]int, n), make([]float64, n)}
	for i := range n {
		c := i % 3
		r.labels[i], r.t[i] = c, truth(c == 0)
		for j := range 2 {
			r.x.Set(i, j, math.Trunc(4*rng.Float64()+truth(c == j)))
		}
	}
	return r
}

// repeated returns r with row i repeated w[i] times. The weights w must be whole numbers.
func (r testRows) repeated(w []float64) (out testRows) {
	var data []float64
	for i, v := range w {
		for range int(v) {
			data = append(data, r.x.RawRowView(i)...)
			out.labels, out.t = append(out.labels, r.labels[i]), append(out.t, r.t[i])
		}
	}
	_, d := r.x.Dims()
	out.x = mat.NewDense(len(out.t), d, data)
	return out
}

// patternWeights returns three slices of n weights. The first contains whole numbers from 1 to 3,
// the second contains zeros and ones, and the third contains only ones.
func patternWeights(n int) (whole, some, ones []float64) {
	whole, some, ones = make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		whole[i], some[i], ones[i] = float64(1+i*i%7%4), truth(i%5 != 2), 1
	}
	return whole, some, ones
}

// everyNumber returns a map from names to all numbers of m: the numbers in the JSON of m, and the
// results of the methods of m without arguments.
func everyNumber(t *testing.T, m any) map[string][]float64 {
	all := map[string][]float64{}
	m = bareModel(m)
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

// compareNumbers compares all numbers of two fits. For each number, it multiplies the tolerance by the
// largest absolute value among the finite wanted numbers of the same name so far, but at least by 0.01.
func compareNumbers(t *testing.T, got, want any, tol float64) {
	t.Helper()
	a, b := everyNumber(t, got), everyNumber(t, want)
	if len(a) < 5 || len(a) != len(b) {
		t.Fatalf("the two fits have %d and %d named lists of numbers, want equal counts of at least 5", len(a), len(b))
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

// TestWeights makes three comparisons for every fit with the option Weights, except for one fit that
// processes one row at a time:
//   - Rows with whole weights are compared with copies of the rows.
//   - Rows of weight 0 are compared with omitted rows. All bits must agree.
//   - Weights of 1 are compared with nil Weights. All bits must agree.
//
// TestWeights also checks the errors for invalid weights.
func TestWeights(t *testing.T) {
	whole, some, ones := patternWeights(45)
	for _, e := range slices.Concat(models, others) {
		if !e.has("Weights") || e.name == "logistic, sequential" { // this fit updates w after every row, so a row of weight k differs from k copies
			continue
		}
		x, labels := clouds(45, 3, e.k, 4)
		r := testRows{x, labels, targets(labels)}
		fit := func(t *testing.T, r testRows, w []float64) any {
			return must(e.with("Weights", w).run(r.x, r.labels, e.k))(t)
		}
		t.Run(e.name, func(t *testing.T) {
			compareNumbers(t, fit(t, r, whole), fit(t, r.repeated(whole), nil), 1e-10)
			broken := r.repeated(ones) // a fit must ignore the entries of a row with weight 0
			for i, w := range some {
				if w == 0 {
					broken.labels[i] = -1
					broken.x.Set(i, 0, math.NaN())
				}
			}
			compareNumbers(t, fit(t, broken, some), fit(t, r.repeated(some), nil), 0)
			compareNumbers(t, fit(t, r, ones), fit(t, r, nil), 0)
			weightsRefused(t, func(w []float64) error { return errorOf(e.with("Weights", w).run(x, labels, e.k)) })
		})
	}
}

func weightsRefused(t *testing.T, fit func(w []float64) error) {
	t.Helper()
	bad := slices.Repeat([]float64{1}, 45)
	for v, want := range map[float64]string{
		-1:         "Weights[3] is -1: want a finite number, 0 or more (0 leaves the row out)",
		math.NaN(): "Weights[3] is NaN", math.Inf(1): "Weights[3] is +Inf",
		1e300: "Weights sum to 1e+300, more rows than can be counted: divide all weights",
	} {
		bad[3] = v
		errorHas(t, fit(bad), want)
	}
	errorHas(t, fit([]float64{1, 2}), "Weights has 2 entries but x has 45 rows")
	errorHas(t, fit(make([]float64, 45)), "all 45 Weights are 0", "want a weight above 0 for every row that counts")
	errorHas(t, fit(slices.Repeat([]float64{math.SmallestNonzeroFloat64}, 45)),
		"Weights sum to 2.22e-322, too small to divide by: multiply all weights")
}

// TestWeightsLarge checks weights in problems that are so large that the fits use normal equations
// and compute Hessians from Gram matrices.
func TestWeightsLarge(t *testing.T) {
	x, labels := clouds(4700, 60, 2, 7)
	w, _, _ := patternWeights(4700)
	all := testRows{x, labels, targets(labels)}.repeated(w)
	for _, f := range []fitter{twoClass(classify.FitLogistic, classify.LogisticOptions{}),
		ofShares(classify.FitLeastSquaresTargets, classify.LeastSquaresOptions{})} {
		compareNumbers(t, must(f.with("Weights", w).run(x, labels, 2))(t), must(f.run(all.x, all.labels, 2))(t), 1e-10)
	}
}

// TestWeightsFractions checks fractional weights with a prior. A fit with weights c and precision
// cα must have the same mode as a fit with weights 1 and precision α. The error E of the first fit
// must be c times as large.
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
	errorHas(t, errorOf(classify.FitQDA(r.x, r.labels, 3, classify.QDAOptions{Weights: w, Unbiased: true})),
		"Weights of class 0 sum to 0.45", "N_k − 1", "leave Unbiased out")
	errorHas(t, errorOf(classify.FitNaiveBayesGaussian(r.x, r.labels, 3,
		classify.NaiveBayesGaussianOptions{Weights: w, Unbiased: true})), "Weights of class 0 sum to 0.45",
		"leave Unbiased out")
	errorHas(t, errorOf(classify.FitLDA(r.x, r.labels, 3,
		classify.LDAOptions{Weights: slices.Repeat([]float64{0.05}, 45), Unbiased: true})), "2.25 rows",
		"N − K = -0.75")
}

// TestWeightsAreTheCause checks that errors and Reason name the range of the weights if the weights are
// extreme. The inputs have moderate sizes, so only the weights can be the cause. With moderate weights,
// an error must not name their range.
func TestWeightsAreTheCause(t *testing.T) {
	x, y := pointsOn(-4, -3, -2, -1, 1, 2, 3, 4), []float64{0, 1, 0, 0, 1, 0, 1, 1}
	m := must(classify.FitLogistic(x, y,
		classify.LogisticOptions{Weights: []float64{1e6, 1, 1e-12, 1e-12, 1e6, 1e-12, 1e-6, 1e-6}}))(t)
	errorIf(t, m.Converged || !strings.Contains(m.Reason, "the weights of the rows range from 1e-12 to 1e+06"),
		"got Converged %v and the Reason %q, want false and a Reason with the range of the weights", m.Converged,
		m.Reason)
	tiny := []float64{1e-308, 5e-324, 1e-310, 1e-308, 1e-310, 1e-308, 5e-324, 1e-308}
	errorHas(t, errorOf(classify.FitLogistic(x, y, classify.LogisticOptions{Weights: tiny})), "overflows",
		"or give weights nearer to 1: the weights range from 4.94e-324 to 1e-308")
	naive := func(w []float64) error {
		return errorOf(classify.FitNaiveBayesGaussian(x, sidesOf(y), 2, classify.NaiveBayesGaussianOptions{Weights: w}))
	}
	errorHas(t, naive([]float64{1, 1e-20, 1e-20, 1e-20, 1e-20, 1e-20, 1, 1e-20}), "variance",
		"or give weights nearer to 1: the weights range from 1e-20 to 1")
	if err := naive([]float64{1, 1, 0, 0, 1, 0, 1, 1}); err == nil || strings.Contains(err.Error(), "nearer to 1") {
		t.Errorf("a class of one row gives the error %v, want an error that does not name the range of the weights", err)
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
	errorHas(t, errorOf(g.PearsonScale(r.x, r.t, 1)), "Weights has 1 entries", "45 rows")

	o := classify.LogisticOptions{Weights: w, Solver: classify.Sequential{Corrected: true, Shuffle: true},
		MaxIterations: 5000, Tolerance: 1e-8}
	allClose(t, "W of logistic regression with the sequential solver", must(classify.FitLogistic(r.x, r.t, o))(t).W,
		must(classify.FitLogistic(r.x, r.t, classify.LogisticOptions{Weights: w}))(t).W, 1e-6)
	two := must(classify.FitSoftmax(r.x, r.labels, 3,
		classify.SoftmaxOptions{Weights: w, Solver: o.Solver, MaxIterations: 5000, Tolerance: 1e-8}))(t)
	allClose(t, "W of softmax with the sequential solver", flat(two.W),
		flat(must(classify.FitSoftmax(r.x, r.labels, 3, classify.SoftmaxOptions{Weights: w}))(t).W), 1e-6)
}

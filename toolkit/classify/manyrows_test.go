package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// twoClouds returns n rows of two classes. At first the distance between the class means is 2.2. Each
// column is then multiplied by 1, 2 or 3, and the given offset is added to all columns.
func twoClouds(n, d int, offset float64) (*mat.Dense, []float64) {
	rng := rand.New(rand.NewPCG(22, uint64(n)))
	x, t := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		t[i] = float64(rng.IntN(2))
		row := x.RawRowView(i)
		for j := range row {
			row[j] = offset + float64(1+j%3)*(rng.NormFloat64()+1.1/math.Sqrt(float64(d))*(2*t[i]-1))
		}
	}
	return x, t
}

// compareStarts compares a fit with a nil start and a fit with an explicit start at 0. With 50 000
// rows or more, a fit with a nil start begins at the optimum for a sample of the rows.
func compareStarts(t *testing.T, d int, fit func(start []float64) *classify.Estimate) {
	t.Helper()
	warm, cold := fit(nil), fit(make([]float64, d+1))
	errorIf(t, floats.Norm(cold.Trace[0].W, 2) != 0 || warm.Trace[0].E >= cold.Trace[0].E,
		"the trace of the explicit start begins at weights %v with E = %v, and the trace of the nil start at E = %v; want weights 0 for the explicit start, and a lower E for the nil start",
		cold.Trace[0].W, cold.Trace[0].E, warm.Trace[0].E)
	sameEstimate(t, warm, cold)
}

// sameEstimate checks that two fits have converged to the same optimum.
func sameEstimate(t *testing.T, got, want *classify.Estimate) {
	t.Helper()
	errorIf(t, !got.Converged || !want.Converged, "want two converged fits; first fit: %s; second fit: %s", got.Reason, want.Reason)
	nearTo(t, "W", got.W, want.W, 1e-10)
	closeTo(t, got.E, want.E, 1e-12*want.E, "E")
	nearTo(t, "Hessian", flat(got.Hessian), flat(want.Hessian), 1e-9)
	nearTo(t, "Covariance", flat(got.Covariance), flat(want.Covariance), 1e-9)
}

// nearTo checks that no number got[i] differs from the number want[i] by more than the tolerance
// times the largest |want[i]|.
func nearTo(t *testing.T, name string, got, want []float64, tolerance float64) {
	t.Helper()
	a, b := mat.NewVecDense(len(got), got), mat.NewVecDense(len(want), want)
	var d mat.VecDense
	d.SubVec(a, b)
	if size := mat.Norm(b, math.Inf(1)); !(mat.Norm(&d, math.Inf(1)) <= tolerance*size) {
		t.Errorf("%s differs by %v, want at most %v for numbers of up to %v", name, mat.Norm(&d, math.Inf(1)), tolerance*size, size)
	}
}

func TestManyRows(t *testing.T) {
	const d = 20
	for _, offset := range []float64{0, 1e5, 1e6} {
		x, y := twoClouds(60_000, d, offset)
		m := must(classify.FitLogistic(x, y, classify.LogisticOptions{}))(t)
		// At offset 1e6 and with this many rows, the rounding of the bias is 4e-8 standard errors,
		// so the fit cannot converge.
		if said := strings.Contains(m.Reason, "centre the column"); m.Converged == (offset == 1e6) || said != (offset == 1e6) || m.Rank != d+1 {
			t.Errorf("at offset %v: got rank %d and Converged %v, want 21 and %v, and the advice to centre the column only at offset 1e6: %s", offset, m.Rank, m.Converged, offset != 1e6, m.Reason)
		}
	}
	x, y := twoClouds(60_000, d, 1)
	compareStarts(t, d, func(start []float64) *classify.Estimate {
		return &must(classify.FitProbit(x, y, classify.ProbitOptions{Start: start}))(t).Estimate
	})
	// In the fit to a sample of the rows, the precision of the prior must be multiplied by the
	// share of the rows in the sample. The final result must be the optimum under the given prior.
	for _, p := range []classify.Prior{nil, classify.Isotropic{Alpha: 2000}} {
		compareStarts(t, d, func(start []float64) *classify.Estimate {
			return &must(classify.FitLogistic(x, y, classify.LogisticOptions{Start: start, Prior: p}))(t).Estimate
		})
	}
}

// TestManyRowsHard checks data for which a sample of the rows is useless or misleading.
func TestManyRowsHard(t *testing.T) {
	const n, d = 60_000, 20
	// fit replaces the entry in column j of each row with the result of `change`, and fits a logistic model.
	fit := func(j int, change func(i int, row []float64, y float64) float64) *classify.Logistic {
		x, y := twoClouds(n, d, 0)
		for i := range n {
			x.Set(i, j, change(i, x.RawRowView(i), y[i]))
		}
		return must(classify.FitLogistic(x, y, classify.LogisticOptions{}))(t)
	}
	m := fit(1, func(_ int, row []float64, _ float64) float64 { return row[0] + 1e-7*row[1] })
	errorIf(t, !m.Converged || m.Rank != d+1, "nearly dependent columns: got rank %d and Converged %v, want 21 and true: %s", m.Rank, m.Converged, m.Reason)
	m = fit(1, func(_ int, row []float64, _ float64) float64 { return row[0] })
	errorIf(t, m.Rank != d || !strings.Contains(m.Reason, "linearly dependent: 0, 1"), "dependent columns: got rank %d, want 20 and a Reason that names columns 0 and 1: %s",
		m.Rank, m.Reason)
	// A sample of the rows can miss the only row in which column 3 is not 0.
	m = fit(3, func(i int, _ []float64, _ float64) float64 { return truth(i == n/2+2000) })
	errorIf(t, !m.Separable, "column with one non-zero entry: Separable is false, want true: %s", m.Reason)
	m = fit(0, func(_ int, row []float64, y float64) float64 { return row[0] + 20*(2*y-1) })
	errorIf(t, !m.Separable, "separable classes: Separable is false, want true: %s", m.Reason)
}

// TestSameBits checks that fits give equal models, bit for bit, with 1, 2, 3 and 7 processors.
func TestSameBits(t *testing.T) {
	x, labels := clouds(60_000, 20, 2, 22)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, f := range []fitter{twoClass(classify.FitLogistic, classify.LogisticOptions{}),
		labelled(classify.FitLDA, classify.LDAOptions{}), labelled(classify.FitSoftmax, classify.SoftmaxOptions{})} {
		runtime.GOMAXPROCS(1)
		want := must(f.run(x, labels, 2))(t)
		for _, p := range []int{2, 3, 7} {
			runtime.GOMAXPROCS(p)
			errorIf(t, !reflect.DeepEqual(must(f.run(x, labels, 2))(t), want), "%T: a fit with %d processors gives different bits, want the same bits",
				want, p)
		}
	}
}

// TestManyRowsMemory checks that a fit to 100 000 rows allocates at most 8 MiB. Each pass reuses the
// accumulators, so the allocated memory does not grow with the number of rows.
func TestManyRowsMemory(t *testing.T) {
	x, y := twoClouds(100_000, 50, 0)
	size := allocated(t, func() error { return errorOf(classify.FitLogistic(x, y, classify.LogisticOptions{})) })
	t.Logf("the fit allocated %.1f MB", float64(size)/1e6)
	errorIf(t, size > 8<<20, "the fit allocated %d bytes, want at most %d (8 MiB)", size, 8<<20)
}

// TestManyRowsStreamed checks a fit that reads the rows again in each pass. The fit must reach the
// same optimum as a fit of rows in memory. Thirteen passes must be enough, including the passes
// that count, check and scale the rows. After the last pass of Newton's method, the fit needs only
// one more pass, for the null model. For these data it must not make a pass that computes sums with
// 31 digits.
func TestManyRowsStreamed(t *testing.T) {
	const d = 20
	x, y := twoClouds(60_000, d, 0)
	memory := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{}))
	passes := 0
	rows := toolkit.Must(classify.NewRows(classify.RowsOf(x, y),
		classify.RowsOptions{Progress: func(pass, _, _ int) { passes = pass + 1 }}))
	sameEstimate(t, &must(classify.FitLogisticFrom(rows, classify.LogisticOptions{}))(t).Estimate, &memory.Estimate)
	errorIf(t, passes > 13, "got %d passes, want at most 13", passes)
}

// TestManyRowsIterations checks that Iterations and MaxIterations also count chords. A chord is a
// step that uses the Hessian of an earlier iterate.
func TestManyRowsIterations(t *testing.T) {
	x, y := twoClouds(60_000, 20, 0)
	for most := 1; most <= 6; most++ {
		m := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{MaxIterations: most}))
		errorIf(t, m.Iterations > most || m.Iterations != len(m.Trace)-1,
			"MaxIterations is %d: got %d iterations and %d steps, want equal numbers of at most MaxIterations: %s", most, m.Iterations, len(m.Trace)-1, m.Reason)
	}
}

// plainMatrix hides the type of a matrix, so that a fit cannot read its rows in place.
type plainMatrix struct{ *mat.Dense }

// TestManyRowsInspected checks that fits agree whether or not they read the rows in place. If a fit
// reads the rows in place, the pass that computes the sums also inspects the rows. This pass scales
// the columns by factors from a sample of the rows. If the fit cannot read the rows in place, an
// earlier pass inspects all rows. A logistic fit that reads the rows in place also computes its
// internal coordinates from a few rows.
func TestManyRowsInspected(t *testing.T) {
	const n, d = 60_000, 4
	x, target := twoClouds(n, d, 50)
	labels := sidesOf(target)
	moments := []fitter{
		labelled(classify.FitLDA, classify.LDAOptions{}), labelled(classify.FitQDA, classify.QDAOptions{}),
		labelled(classify.FitNaiveBayesGaussian, classify.NaiveBayesGaussianOptions{}),
		twoClass(classify.FitFisher, classify.FisherOptions{}),
	}
	logistic := twoClass(classify.FitLogistic, classify.LogisticOptions{})
	both := []fitter{logistic, logistic.with("Prior", classify.Isotropic{Alpha: 2})}
	same := func(name string, fits []fitter) {
		t.Helper()
		for _, f := range fits {
			a, b := must(f.run(x, labels, 2))(t), must(f.run(plainMatrix{x}, labels, 2))(t)
			for _, m := range []any{a, b} { // ignore fields that depend on how the fit reached its result
				if m, ok := m.(*classify.Logistic); ok {
					m.Trace, m.Iterations, m.Reason, m.Hessian, m.Covariance = nil, 0, "", nil, nil
				}
			}
			t.Run(name, func(t *testing.T) { compareNumbers(t, a, b, 1e-9) })
		}
	}
	all := slices.Concat(moments, both)
	same("alike", all)
	x.Set(31_500, 2, 1e12)
	same("one number far outside the range of any sample", moments)
	x.Set(31_500, 2, 1e5)
	same("one number far off", both)
	x.Set(31_500, 2, 50)
	kept := mat.Col(nil, 1, x)
	for i, v := range kept {
		x.Set(i, 1, v*1e-120)
		x.Set(i, 3, x.At(i, 3)*1e120)
	}
	same("columns of very different size", all)
	for i := range n {
		x.Set(i, 1, truth(i%1900 == 1899)*1e-7) // column 1 contains a small number in a few rows and 0 in all others
	}
	same("constant except in a few rows", both)
	for i := range n {
		x.Set(i, 1, x.At(i, 0)-x.At(i, 2))
	}
	same("dependent", both)
	x.SetCol(1, kept)
	all = append(all, twoClass(classify.FitProbit, classify.ProbitOptions{}))
	for _, at := range []int{0, 45_123, n - 1} {
		was := x.At(at, 3)
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			x.Set(at, 3, bad)
			for _, f := range all {
				errorHas(t, errorOf(f.run(x, labels, 2)), fmt.Sprintf("x row %d, column 3 is %v", at, bad))
			}
		}
		x.Set(at, 3, was)
	}
	labels[5], x.RawRowView(45_123)[0] = 5, math.NaN()
	for _, f := range all { // a fit must report the error in x, not the error in the labels
		errorHas(t, errorOf(f.run(x, labels, 2)), "x row 45123")
	}
	x.RawRowView(45_123)[0] = 0
	errorHas(t, errorOf(logistic.run(x, labels, 2)), "t[5] is 5")
}

// TestPredictManyRows checks that Predict returns the first class with the largest score, for rows
// that are processed in several blocks by several goroutines. The inputs and the linear models'
// weights are small integers, so that in many rows several classes share the largest score.
func TestPredictManyRows(t *testing.T) {
	const n = 20_000
	rng := rand.New(rand.NewPCG(5, n))
	integers := func(r, c int) *mat.Dense {
		m := mat.NewDense(r, c, nil)
		m.Apply(func(_, _ int, _ float64) float64 { return float64(rng.IntN(5) - 2) }, m)
		return m
	}
	x, labels := integers(n, 3), make([]int, n)
	for i := range labels {
		labels[i] = i % 3
	}
	for name, m := range map[string]classify.Predictor{
		"four columns of weights": must(classify.NewLinearMachine(integers(4, 4)))(t),
		"one vector of weights":   &classify.Hyperplane{W0: 1, W: []float64{1, -2, 1}},
		"densities":               must(classify.FitNaiveBayesGaussian(x, labels, 3, classify.NaiveBayesGaussianOptions{}))(t),
	} {
		s := must(m.(classify.Scorer).Scores(x))(t)
		for i, class := range must(m.Predict(x))(t) {
			if row := s.RawRowView(i); class != floats.MaxIdx(row) {
				t.Fatalf("%s: row %d has the scores %v and the class %d, want the first of the largest scores", name, i, row, class)
			}
		}
	}
}

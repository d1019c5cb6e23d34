package classify_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// eachRow yields the rows of one pass.
type eachRow = func(yield func(x []float64, t float64) bool) error

// generatedRows returns a function that yields n rows of d numbers in k overlapping classes, with
// labels. Every call yields the same rows. If `whole` is true, every input is 0 or 1.
func generatedRows(n, d, k int, whole bool) eachRow {
	return func(yield func(x []float64, t float64) bool) error {
		rng := rand.New(rand.NewPCG(16, uint64(n)))
		x := make([]float64, d)
		for range n {
			c := rng.IntN(k)
			for j := range x {
				x[j] = rng.NormFloat64() + float64((c+j)%k)
				if whole {
					x[j] = math.Round(min(max(x[j], 0), 1))
				}
			}
			if !yield(x, float64(c)) {
				break
			}
		}
		return nil
	}
}

// collectRows returns the rows of one pass as a matrix, and their labels.
func collectRows(t *testing.T, each eachRow) (x *mat.Dense, labels []int) {
	t.Helper()
	var data []float64
	if err := each(func(row []float64, c float64) bool {
		data = append(data, row...)
		labels = append(labels, int(c))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return mat.NewDense(len(labels), len(data)/len(labels), data), labels
}

// savedText returns m as JSON. Two models with equal JSON have the same numbers, bit for bit.
func savedText[M any](m M, err error) (string, error) {
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = classify.Save(&b, bareModel(m))
	return b.String(), err
}

// outcome returns the model m as JSON. If err is not nil, outcome returns the text of err without
// the name of the function that failed.
func outcome(m any, err error) string {
	text, err := savedText(m, err)
	if err != nil {
		return regexp.MustCompile(`^classify: \w+: `).ReplaceAllString(err.Error(), "")
	}
	return text
}

// sourceFit contains a function that fits a model to a source, and the type of the fit's options.
type sourceFit struct {
	options reflect.Type
	fit     func(s classify.Source, options any) (any, error)
}

func from[M, O any](fit func(classify.Source, O) (M, error)) sourceFit {
	return sourceFit{reflect.TypeFor[O](), func(s classify.Source, o any) (any, error) { return orNil(fit(s, o.(O))) }}
}

// sourceFits lists functions that fit a model to a source, one for each type of options.
var sourceFits = []sourceFit{
	from(classify.FitLeastSquaresFrom), from(classify.FitFisherFrom), from(classify.FitLDAFrom),
	from(classify.FitQDAFrom),
	from(classify.FitNaiveBayesGaussianFrom), from(classify.FitNaiveBayesBernoulliFrom),
	from(func(s classify.Source, o classify.NaiveBayesCategoricalOptions) (*classify.NaiveBayesCategorical, error) {
		return classify.FitNaiveBayesCategoricalFrom(s, []int{3, 3, 3}, o)
	}),
	from(classify.FitLogisticFrom), from(classify.FitProbitFrom), from(classify.FitLabelFlipFrom),
	from(classify.FitBayesLogisticFrom), from(classify.FitSoftmaxFrom),
}

// sourceModel is an entry of the list `models`, together with a function that fits its model to a
// source.
type sourceModel struct {
	suiteEntry
	from func(s classify.Source) (any, error)
}

// sourceModels returns the models that can be fitted to a source with k classes, or with any
// number of classes if k is 0.
func sourceModels(k int) (out []sourceModel) {
	for _, e := range models {
		i := slices.IndexFunc(sourceFits, func(f sourceFit) bool { return f.options == reflect.TypeOf(e.options) })
		if i >= 0 && (k == 0 || e.k == k) {
			out = append(out,
				sourceModel{e, func(s classify.Source) (any, error) { return sourceFits[i].fit(s, e.options) }})
		}
	}
	return out
}

// valuesOf returns labels as numbers.
func valuesOf(labels []int) []float64 {
	v := make([]float64, len(labels))
	for i, l := range labels {
		v[i] = float64(l)
	}
	return v
}

// sourcesOf returns the rows of a matrix as sources with labels, and for two classes also as sources
// with targets.
func sourcesOf(t *testing.T, x mat.Matrix, labels []int, k int) map[string]classify.Source {
	t.Helper()
	s := map[string]classify.Source{
		"labels": must(classify.NewRows(classify.RowsOf(x, valuesOf(labels)),
			classify.RowsOptions{Classes: k}))(t),
		"labels in memory": classify.InMemory{X: x, Labels: labels, K: k},
	}
	if k == 2 {
		s["targets"] = must(classify.NewRows(classify.RowsOf(x, targets(labels)), classify.RowsOptions{}))(t)
		s["targets in memory"] = classify.InMemory{X: x, T: targets(labels)}
	}
	return s
}

// TestSources fits each model twice, to a source of rows and to the same rows as a matrix. The two
// models must be equal, bit for bit. The results (models or errors) for labels of a single class and
// for labels without class 0 must also be equal. A solver that needs the rows in memory must return an
// error for other sources. The largest test case has so many rows that the fits compute their sums in
// pieces. The test also splits the rows into parts and merges the statistics of the parts. A fit to
// merged counts must give the same bits, and a fit to merged moments the same model up to rounding. The
// fit of a model that needs more than the statistics contain must return an error.
func TestSources(t *testing.T) {
	for _, e := range sourceModels(0) {
		t.Run(e.name, func(t *testing.T) {
			for _, n := range []int{60, 3000, 20_000} {
				x, labels := clouds(n, 3, e.k, 16)
				model := must(e.fit(x, labels, e.k))(t)
				input := mat.Matrix(x)
				if m, ok := model.(*mappedModel); ok {
					input = m.input(x)
				}
				for name, s := range sourcesOf(t, input, labels, e.k) {
					got := outcome(e.from(s))
					if _, memory := s.(classify.InMemory); !memory && needsMemory(e.options) {
						errorIf(t, !strings.Contains(got, "LBFGS"), "%s: got %s, want an error that recommends LBFGS", name, got)
						continue
					}
					errorIf(t, got != outcome(model, nil), "N = %d, %s: got %s\nwant %s", n, name, got,
						outcome(model, nil))
				}
				if n == 3000 {
					checkStatistics(t, e, input, labels, model)
					one, empty := make([]int, n), slices.Clone(labels)
					for i := range empty {
						empty[i] = max(empty[i], 1)
					}
					for _, l := range [][]int{one, empty} {
						for name, s := range sourcesOf(t, input, l, e.k) {
							if got, want := outcome(e.from(s)), outcome(e.run(x, l, e.k)); !needsMemory(e.options) && got != want {
								t.Errorf("class %d is empty, %s: got %s\nwant %s", 1-l[0], name, got, want)
							}
						}
					}
				}
			}
		})
	}
}

// needsMemory reports whether the solver in the options needs the rows in memory.
func needsMemory(options any) bool {
	v := reflect.ValueOf(options).FieldByName("Solver")
	return v.IsValid() && !v.IsNil() && strings.Contains("Sequential CoordinateAscent", v.Elem().Type().Name())
}

// checkStatistics fits merged statistics of the rows, and compares the result with the model that
// was fitted to the rows themselves. A fit that needs more than these statistics must return an
// error.
func checkStatistics(t *testing.T, e sourceModel, x mat.Matrix, labels []int, model any) {
	t.Helper()
	moments, counts := make([]*classify.SufficientMoments, 3), make([]*classify.SufficientCounts, 3)
	levels := []int{3, 3, 3}
	if e.name == mappedNames[0] {
		levels = []int{2, 2, 2}
	}
	for p := range 3 {
		moments[p] = must(classify.NewSufficientMoments(3, e.k))(t)
		counts[p] = must(classify.NewSufficientCounts(levels, e.k))(t)
	}
	failed := make([]error, 0, 4)
	whole := e.name == mappedNames[0] || e.name == mappedNames[1]
	for i, l := range labels {
		failed = append(failed, moments[i%3].Add(mat.Row(nil, i, x), l))
		if whole {
			failed = append(failed, counts[i%3].Add(mat.Row(nil, i, x), l))
		}
	}
	for p := range 2 {
		failed = append(failed, moments[2].Merge(moments[p]), counts[2].Merge(counts[p]))
	}
	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}
	byMoments, err := e.from(moments[2])
	byCounts, refused := e.from(counts[2])
	switch bareModel(model).(type) {
	case *classify.LDA, *classify.QDA, *classify.NaiveBayesGaussian, *classify.LeastSquares, *classify.Fisher:
		compareNumbers(t, must(byMoments, err)(t), model, 1e-12)
	default:
		errorHas(t, err, "needs the rows")
	}
	if whole {
		errorIf(t, outcome(byCounts, refused) != outcome(model, nil), "the fit to merged counts gives %s, want the model of the fit to the rows: %s", outcome(byCounts, refused), outcome(model, nil))
	} else {
		errorHas(t, refused, "single features", "NewSufficientMoments")
	}
}

// TestRowsProgress checks that Progress reports ascending numbers of passes, and ascending numbers of
// rows within a pass. At least three passes of FitLDA must reach the last row. Its other passes
// inspect only a few rows.
func TestRowsProgress(t *testing.T) {
	const n = 5000
	type step struct{ pass, row, rows int }
	var steps []step
	rows := must(classify.NewRows(generatedRows(n, 2, 2, false),
		classify.RowsOptions{Classes: 2,
			Progress: func(pass, row, rows int) { steps = append(steps, step{pass, row, rows}) }}))(t)
	if last := steps[len(steps)-1]; last.pass != 0 || last.row < n-1024 || last.rows != 0 {
		t.Errorf("the last progress of the first pass is %v, want pass 0, one of the last 1024 rows and the total 0", last)
	}
	steps = nil
	must(classify.FitLDAFrom(rows, classify.LDAOptions{}))(t)
	ends := 0
	for i, s := range steps {
		if s.rows != n || s.row < 1 || s.row > n || i > 0 &&
			(s.pass < steps[i-1].pass || s.pass == steps[i-1].pass && s.row <= steps[i-1].row) {
			t.Fatalf("step %d of the progress is %v after %v, want ascending passes, ascending rows from 1 to 5000 within a pass, and the total 5000", i, s, steps[i-1])
		}
		if s.row == n {
			ends++
		}
	}
	if ends < 3 || steps[0].pass != 1 {
		t.Errorf("%d passes reach the last row, and the first step is %v, want at least 3 passes and a first step in pass 1", ends, steps[0])
	}
}

// TestRowsSeparableAndDegenerate checks that a fit to Rows and a fit to a matrix agree for separable
// classes, dependent columns, and inputs of 0 and 1. For separable classes and dependent columns, a
// fit makes additional passes over the rows, to prove separability or to name the columns in a
// message.
func TestRowsSeparableAndDegenerate(t *testing.T) {
	n := 1500
	each := func(dup bool, gap float64) eachRow {
		return func(yield func(x []float64, t float64) bool) error {
			rng := rand.New(rand.NewPCG(16, 2))
			for i := range n {
				c := float64(i % 2)
				u := rng.Float64() + gap*c
				v := rng.NormFloat64()
				if dup {
					v = 2 * u
				}
				if !yield([]float64{u, v}, c) {
					break
				}
			}
			return nil
		}
	}
	for name, each := range map[string]eachRow{
		"separable": each(false, 1.5), "touching": each(false, 1), "dependent": each(true, 0.5),
		"zeros and ones": generatedRows(n, 2, 2, true),
	} {
		x, labels := collectRows(t, each)
		rows := must(classify.NewRows(each, classify.RowsOptions{Classes: 2}))(t)
		for _, e := range sourceModels(2) {
			if got, want := outcome(e.from(rows)), outcome(e.run(x, labels, 2)); got != want && !needsMemory(e.options) {
				t.Errorf("%s, %s: got %.300s\nwant %.300s", name, e.name, got, want)
			}
		}
	}
}

// TestRowsMemory checks that a fit of two million rows (80 MB of numbers) needs at most 8 MB of
// heap.
func TestRowsMemory(t *testing.T) {
	const n, d, most = 2_000_000, 4, 8 << 20
	var peak, before uint64
	recordPeak := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
	}
	// Use a linear congruential generator for the rows, because it is fast.
	each := func(yield func(x []float64, t float64) bool) error {
		x, state := make([]float64, d), uint64(16)
		for i := range n {
			if i%100_000 == 0 {
				recordPeak()
			}
			var sum float64
			for j := range x {
				state = state*6364136223846793005 + 1442695040888963407
				x[j] = float64(state>>40)/(1<<23) - 1
				sum += x[j]
			}
			label := 0.0
			if state>>20&1023 < uint64(512+200*sum) {
				label = 1
			}
			if !yield(x, label) {
				break
			}
		}
		return nil
	}
	runtime.GC()
	recordPeak()
	before, peak = peak, 0
	rows := must(classify.NewRows(each, classify.RowsOptions{Classes: 2}))(t)
	for name, fit := range map[string]func() error{
		"logistic": func() error { return errorOf(classify.FitLogisticFrom(rows, classify.LogisticOptions{})) },
		"LDA":      func() error { return errorOf(classify.FitLDAFrom(rows, classify.LDAOptions{})) },
		"least squares": func() error {
			return errorOf(classify.FitLeastSquaresFrom(rows, classify.LeastSquaresOptions{}))
		},
		"naive Bayes": func() error {
			return errorOf(classify.FitNaiveBayesGaussianFrom(rows, classify.NaiveBayesGaussianOptions{}))
		},
		"softmax, few steps": func() error {
			return errorOf(classify.FitSoftmaxFrom(rows, classify.SoftmaxOptions{MaxIterations: 2}))
		},
	} {
		peak = 0
		if err := fit(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if peak > before+most {
			t.Errorf("%s: the heap grew by %.1f MB, want at most %d MB", name, float64(peak-before)/(1<<20), most>>20)
		}
		t.Logf("%s: %.1f MB", name, float64(peak-before)/(1<<20))
	}
}

// TestRowsErrors checks that an error of NewRows or of a fit states the cause of the error and, for an
// invalid row, the row. The cause occurs in the first pass or only in later passes.
func TestRowsErrors(t *testing.T) {
	const n = 5000
	good, none := generatedRows(n, 2, 2, false), errors.New("no further row")
	// changedFrom returns a function that yields the same rows as the function `good`. From its call
	// number `pass` on (counted from 1), the returned function applies `change` to the row with the
	// index `at` before it yields this row. If `change` returns an error, the call ends before the row and
	// returns this error, or nil if the error is `none`.
	changedFrom := func(pass, at int, change func(x []float64, t float64) ([]float64, float64, error)) eachRow {
		calls := 0
		return func(yield func(x []float64, t float64) bool) (failed error) {
			calls++
			i := 0
			err := good(func(x []float64, t float64) bool {
				if i++; i-1 == at && calls >= pass {
					x, t, failed = change(x, t)
				}
				return failed == nil && yield(x, t)
			})
			if failed == none {
				return err
			}
			return errors.Join(err, failed)
		}
	}
	fit := func(each eachRow) error {
		return errorOf(classify.FitLogisticFrom(must(classify.NewRows(each, classify.RowsOptions{Classes: 2}))(t),
			classify.LogisticOptions{}))
	}
	for _, c := range []struct {
		at     int
		change func(x []float64, t float64) ([]float64, float64, error)
		want   []string
		later  bool // true if the error can occur only after the first pass
	}{
		{4321, func(x []float64, t float64) ([]float64, float64, error) { return []float64{0, math.NaN()}, t, nil },
			[]string{"row 4321, column 1", "NaN"}, false},
		{7, func(x []float64, t float64) ([]float64, float64, error) { return []float64{math.Inf(-1), 0}, t, nil },
			[]string{"row 7, column 0", "-Inf"}, false},
		{3000, func(x []float64, t float64) ([]float64, float64, error) { return x[:1], t, nil },
			[]string{"row 3000", "1 columns", "has 2"}, false},
		{10, func(x []float64, _ float64) ([]float64, float64, error) { return x, 2, nil },
			[]string{"row 10", "the label is 2", "0…1"}, false},
		{2000, func(x []float64, t float64) ([]float64, float64, error) { return x, t, errors.New("the disk is gone") },
			[]string{"the disk is gone"}, false},
		{4999, func(x []float64, t float64) ([]float64, float64, error) { return x, t, none },
			[]string{"there are 4999 rows", "5000", "the same rows"}, true},
		{0, func(x []float64, t float64) ([]float64, float64, error) { return []float64{x[0] + 1e-9, x[1]}, t, nil },
			[]string{"not the same rows", "seed"}, true},
		{4000, func(x []float64, t float64) ([]float64, float64, error) { return x, 1 - t, nil },
			[]string{"not the same rows"}, true},
	} {
		if !c.later {
			errorHas(t, errorOf(classify.NewRows(changedFrom(1, c.at, c.change), classify.RowsOptions{Classes: 2})),
				append(c.want, "classify: NewRows")...)
		}
		for pass := 2; pass < 6; pass++ {
			errorHas(t, fit(changedFrom(pass, c.at, c.change)), append(c.want, "classify: FitLogisticFrom: ")...)
		}
	}
	calls := 0
	errorHas(t, fit(func(yield func(x []float64, t float64) bool) error {
		calls++
		return generatedRows(n+min(calls-1, 1), 2, 2, false)(yield)
	}), "more rows than the 5000")

	few := func(targets ...float64) eachRow {
		return classify.RowsOf(mat.NewDense(len(targets), 1, []float64{1, 2, 3, 4}[:len(targets)]), targets)
	}
	rows := func(k int, targets ...float64) *classify.Rows {
		return must(classify.NewRows(few(targets...), classify.RowsOptions{Classes: k}))(t)
	}
	invalid := func(k int, each eachRow, words ...string) {
		t.Helper()
		errorHas(t, errorOf(classify.NewRows(each, classify.RowsOptions{Classes: k})), words...)
	}
	invalid(0, nil, "each is nil")
	invalid(0, func(func([]float64, float64) bool) error { return nil }, "no rows")
	invalid(0, func(yield func([]float64, float64) bool) error { yield(nil, 1); return nil }, "no columns")
	invalid(0, classify.RowsOf(nil, nil), "x is nil")
	invalid(0, classify.RowsOf(mat.NewDense(2, 1, nil), nil), "0 entries", "2 rows")
	invalid(1, few(1, 0), "Classes is 1")
	invalid(-2, few(1, 0), "Classes is -2")
	invalid(0, few(1, -1), "row 1", "-1", "[0,1]")
	invalid(0, few(1, math.NaN()), "row 1", "NaN")
	invalid(2, few(1, 0.5), "row 1", "0.5")
	lda, logistic := classify.LDAOptions{}, classify.LogisticOptions{}
	errorHas(t, errorOf(classify.FitLDAFrom(rows(0, 0.5, 0, 1), lda)), "between 0 and 1")
	errorHas(t, errorOf(classify.FitLogisticFrom(rows(3, 0, 1, 2), logistic)), "3 classes", "FitSoftmax")
	errorHas(t, errorOf(classify.FitFisherFrom(rows(3, 0, 1, 2), classify.FisherOptions{})), "two classes", "FitLDA")
	errorHas(t, errorOf(classify.FitLDAFrom(rows(2, 0, 1), classify.LDAOptions{Weights: []float64{1, 2}})),
		"Weights has 2 entries", "in memory")
	errorHas(t, errorOf(classify.FitLDAFrom((*classify.Rows)(nil), lda)), "NewRows")
	errorHas(t, errorOf(classify.FitProbitFrom(new(classify.Rows), classify.ProbitOptions{})), "NewRows")
	errorHas(t, errorOf(classify.FitQDAFrom(nil, classify.QDAOptions{})), "FitQDAFrom: the source is nil")
	errorHas(t, errorOf(classify.FitNaiveBayesCategoricalFrom(sixCounts(), []int{3, 1},
		classify.NaiveBayesCategoricalOptions{})),
		"levels are [3 1]", "the counts have")
	errorHas(t, errorOf(classify.FitNaiveBayesBernoulliFrom(rows(2, 0, 1), classify.NaiveBayesBernoulliOptions{})),
		"row 1", "binary")
	errorHas(t, errorOf(classify.FitNaiveBayesGaussianFrom(rows(2, 0, 1), classify.NaiveBayesGaussianOptions{})),
		"constant", "class 0")
	x := mat.NewDense(3, 1, nil)
	errorHas(t, errorOf(classify.FitLDAFrom(classify.InMemory{X: x, T: []float64{1, 0, 1}, Labels: []int{0, 1, 0}}, lda)),
		"both T and Labels")
	errorHas(t, errorOf(classify.FitLogisticFrom(classify.InMemory{X: x, Labels: []int{0, 1, 2}, K: 3}, logistic)),
		"3 classes", "FitSoftmax")
	errorHas(t, errorOf(classify.FitLDAFrom(classify.InMemory{X: x, T: []float64{0.5, 1, 1}}, lda)), "t[0] is 0.5",
		"one class")
}

// A generator makes a million rows in every pass and keeps no row in memory.
func ExampleNewRows() {
	each := func(yield func(x []float64, t float64) bool) error {
		rng := rand.New(rand.NewPCG(1, 1)) // the same seed in every pass, so that all passes yield the same rows
		x := make([]float64, 2)
		for range 1_000_000 {
			c := float64(rng.IntN(2))
			x[0], x[1] = rng.NormFloat64()+2*c, rng.NormFloat64()
			if !yield(x, c) {
				break
			}
		}
		return nil
	}
	rows := toolkit.Must(classify.NewRows(each, classify.RowsOptions{Classes: 2}))
	m := toolkit.Must(classify.FitLDAFrom(rows, classify.LDAOptions{}))
	fmt.Println(rows.N(), "rows")
	fmt.Printf("the means are %.1f apart\n", m.Means.At(1, 0)-m.Means.At(0, 0))
	// Output:
	// 1000000 rows
	// the means are 2.0 apart
}

// RowsOf returns a function that yields the rows of a matrix until yield returns false.
func ExampleRowsOf() {
	x := mat.NewDense(3, 1, []float64{10, 20, 30})
	err := classify.RowsOf(x, []float64{1, 0, 1})(func(x []float64, t float64) bool {
		fmt.Println(x, t)
		return t == 1
	})
	fmt.Println(err)
	// Output:
	// [10] 1
	// [20] 0
	// <nil>
}

// sixRows returns rows with two columns of zeros and ones, and overlapping classes.
func sixRows() *classify.Rows {
	x := mat.NewDense(6, 2, []float64{0, 0, 0, 1, 1, 1, 1, 0, 1, 1, 0, 1})
	return toolkit.Must(classify.NewRows(classify.RowsOf(x, []float64{0, 0, 0, 1, 1, 1}),
		classify.RowsOptions{Classes: 2}))
}

func ExampleRows_N() {
	fmt.Println(sixRows().N(), "rows")
	// Output: 6 rows
}

func ExampleRows_D() {
	fmt.Println(sixRows().D(), "columns")
	// Output: 2 columns
}

func ExampleFitLeastSquaresFrom() {
	m := toolkit.Must(classify.FitLeastSquaresFrom(sixRows(), classify.LeastSquaresOptions{}))
	fmt.Printf("%.3f\n", m.SumSquare)
	// Output: 1.333
}

func ExampleFitFisherFrom() {
	m := toolkit.Must(classify.FitFisherFrom(sixRows(), classify.FisherOptions{}))
	fmt.Printf("%.3f %s\n", m.Direction[0], m.Reason)
	// Output: -1.000 equal projected Gaussian densities
}

func ExampleFitLDAFrom() {
	m := toolkit.Must(classify.FitLDAFrom(sixRows(), classify.LDAOptions{}))
	fmt.Printf("%.3f\n", toolkit.Must(m.TwoClass())[:2])
	// Output: [0.750 -1.500]
}

func ExampleFitQDAFrom() {
	m := toolkit.Must(classify.FitQDAFrom(sixRows(), classify.QDAOptions{}))
	fmt.Printf("%.3f\n", m.LogDet)
	// Output: [-3.296 -3.296]
}

func ExampleFitNaiveBayesGaussianFrom() {
	m := toolkit.Must(classify.FitNaiveBayesGaussianFrom(sixRows(), classify.NaiveBayesGaussianOptions{}))
	fmt.Printf("%.3f\n", mat.Formatted(m.Variance))
	// Output:
	// ⎡0.222  0.222⎤
	// ⎣0.222  0.222⎦
}

func ExampleFitNaiveBayesBernoulliFrom() {
	m := toolkit.Must(classify.FitNaiveBayesBernoulliFrom(sixRows(), classify.NaiveBayesBernoulliOptions{Smoothing: 1}))
	fmt.Printf("%.1f\n", mat.Formatted(m.Mu))
	// Output:
	// ⎡0.4  0.6⎤
	// ⎣0.6  0.6⎦
}

func ExampleFitNaiveBayesCategoricalFrom() {
	m := toolkit.Must(classify.FitNaiveBayesCategoricalFrom(sixRows(), []int{2, 2}, classify.NaiveBayesCategoricalOptions{}))
	fmt.Printf("%.3f\n", mat.Formatted(m.Mu[0]))
	// Output:
	// ⎡0.667  0.333⎤
	// ⎣0.333  0.667⎦
}

func ExampleFitLogisticFrom() {
	m := toolkit.Must(classify.FitLogisticFrom(sixRows(), classify.LogisticOptions{}))
	fmt.Printf("%v %.3f\n", m.Converged, m.W[:2])
	// Output: true [0.693 -1.386]
}

func ExampleFitProbitFrom() {
	m := toolkit.Must(classify.FitProbitFrom(sixRows(), classify.ProbitOptions{}))
	fmt.Printf("%v %.3f\n", m.Converged, m.W[:2])
	// Output: true [0.431 -0.861]
}

func ExampleFitLabelFlipFrom() {
	m := toolkit.Must(classify.FitLabelFlipFrom(sixRows(), classify.LabelFlipOptions{Epsilon: 0.1}))
	fmt.Printf("%v %.3f\n", m.Converged, m.W[:2])
	// Output: true [0.887 -1.775]
}

func ExampleFitBayesLogisticFrom() {
	m := toolkit.Must(classify.FitBayesLogisticFrom(sixRows(),
		classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))
	fmt.Printf("%v %.3f\n", m.Converged, m.W[:2])
	// Output: true [0.083 -0.334]
}

func ExampleFitSoftmaxFrom() {
	m := toolkit.Must(classify.FitSoftmaxFrom(sixRows(), classify.SoftmaxOptions{}))
	fmt.Printf("%v %.3f\n", m.Converged, mat.Formatted(m.W.Slice(0, 2, 0, 2), mat.Prefix("     ")))
	// Output:
	// true ⎡ 0.347  -0.347⎤
	//      ⎣-0.693   0.693⎦
}

package classify_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// generatedRows returns a function that yields n rows of d numbers in k overlapping classes, with
// labels. Every call yields the same rows. If the inputs are to be whole numbers, each input is 0
// or 1.
func generatedRows(n, d, k int, whole bool) func(yield func(x []float64, t float64) bool) error {
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
func collectRows(t *testing.T, each func(yield func(x []float64, t float64) bool) error) (x *mat.Dense, labels []int) {
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

// savedText returns m as JSON. If two models have equal JSON, their numbers have the same bits.
func savedText[M any](m M, err error) (string, error) {
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = classify.Save(&b, m)
	return b.String(), err
}

// rowFit contains a fit to a source and the same fit to a matrix.
type rowFit struct {
	name   string
	k      int
	whole  bool
	from   func(s classify.Source) (string, error)
	memory func(x *mat.Dense, labels []int, t []float64) (string, error)
}

// rowFits returns a test case for every fit to a source.
func rowFits() []rowFit {
	prior := classify.Isotropic{Alpha: 0.1}
	levels := []int{2, 2, 2}
	return []rowFit{
		{"least squares", 3, false, func(s classify.Source) (string, error) {
			return savedText(classify.FitLeastSquaresFrom(s, classify.LeastSquaresOptions{Ridge: 1}))
		},
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return savedText(classify.FitLeastSquares(x, l, 3, classify.LeastSquaresOptions{Ridge: 1}))
			}},
		{"Fisher", 2, false,
			func(s classify.Source) (string, error) {
				return savedText(classify.FitFisherFrom(s, classify.FisherOptions{}))
			},
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return savedText(classify.FitFisher(x, t, classify.FisherOptions{}))
			}},
		{"LDA", 3, false, func(s classify.Source) (string, error) {
			return savedText(classify.FitLDAFrom(s, classify.LDAOptions{}))
		},
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return savedText(classify.FitLDA(x, l, 3, classify.LDAOptions{}))
			}},
		{"QDA", 3, false,
			func(s classify.Source) (string, error) {
				return savedText(classify.FitQDAFrom(s, classify.QDAOptions{Unbiased: true}))
			},
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return savedText(classify.FitQDA(x, l, 3, classify.QDAOptions{Unbiased: true}))
			}},
		{"naive Bayes, Gaussian", 3, false, func(s classify.Source) (string, error) {
			return savedText(classify.FitNaiveBayesGaussianFrom(s, classify.NaiveBayesGaussianOptions{}))
		},
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return savedText(classify.FitNaiveBayesGaussian(x, l, 3, classify.NaiveBayesGaussianOptions{}))
			}},
		{"naive Bayes, Bernoulli", 3, true, func(s classify.Source) (string, error) {
			return savedText(classify.FitNaiveBayesBernoulliFrom(s, classify.NaiveBayesBernoulliOptions{}))
		},
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return savedText(classify.FitNaiveBayesBernoulli(x, l, 3, classify.NaiveBayesBernoulliOptions{}))
			}},
		{"naive Bayes, categorical", 3, true, func(s classify.Source) (string, error) {
			return savedText(classify.FitNaiveBayesCategoricalFrom(s, levels, classify.NaiveBayesCategoricalOptions{}))
		},
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return savedText(classify.FitNaiveBayesCategorical(x, levels, l, 3,
					classify.NaiveBayesCategoricalOptions{}))
			}},
		{"logistic", 2, false,
			func(s classify.Source) (string, error) {
				return savedText(classify.FitLogisticFrom(s, classify.LogisticOptions{}))
			},
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return savedText(classify.FitLogistic(x, t, classify.LogisticOptions{}))
			}},
		{"logistic, L-BFGS", 2, false, func(s classify.Source) (string, error) {
			return savedText(classify.FitLogisticFrom(s, classify.LogisticOptions{Prior: prior, Solver: classify.LBFGS{}}))
		},
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return savedText(classify.FitLogistic(x, t,
					classify.LogisticOptions{Prior: prior, Solver: classify.LBFGS{}}))
			}},
		{"logistic, gradient descent", 2, false, func(s classify.Source) (string, error) {
			return savedText(classify.FitLogisticFrom(s,
				classify.LogisticOptions{MaxIterations: 20, Solver: classify.GradientDescent{}}))
		},
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return savedText(classify.FitLogistic(x, t,
					classify.LogisticOptions{MaxIterations: 20, Solver: classify.GradientDescent{}}))
			}},
		{"probit", 2, false,
			func(s classify.Source) (string, error) {
				return savedText(classify.FitProbitFrom(s, classify.ProbitOptions{}))
			},
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return savedText(classify.FitProbit(x, t, classify.ProbitOptions{}))
			}},
		{"label flip", 2, false, func(s classify.Source) (string, error) {
			return savedText(classify.FitLabelFlipFrom(s, classify.LabelFlipOptions{Epsilon: 0.05, Estimate: true}))
		},
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return savedText(classify.FitLabelFlip(x, t, classify.LabelFlipOptions{Epsilon: 0.05, Estimate: true}))
			}},
		{"Bayesian logistic", 2, false, func(s classify.Source) (string, error) {
			return savedText(classify.FitBayesLogisticFrom(s, classify.BayesLogisticOptions{Prior: prior}))
		},
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return savedText(classify.FitBayesLogistic(x, t, classify.BayesLogisticOptions{Prior: prior}))
			}},
		{"softmax", 3, false,
			func(s classify.Source) (string, error) {
				return savedText(classify.FitSoftmaxFrom(s, classify.SoftmaxOptions{}))
			},
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return savedText(classify.FitSoftmax(x, l, 3, classify.SoftmaxOptions{}))
			}},
	}
}

// TestRowsAsInMemory fits rows in memory, and the same rows that a function yields in every pass.
// Both models must be equal, bit for bit. The rows have labels or targets. The largest test case
// has so many rows that the fits compute their sums in pieces.
func TestRowsAsInMemory(t *testing.T) {
	for _, f := range rowFits() {
		t.Run(f.name, func(t *testing.T) {
			for _, n := range []int{60, 3000, 20_000} {
				each := generatedRows(n, 3, f.k, f.whole)
				x, labels := collectRows(t, each)
				target := make([]float64, n) // label 0 becomes target 1
				for i, c := range labels {
					target[i] = float64(1 - min(c, 1))
				}
				want, err := f.memory(x, labels, target)
				if err != nil {
					t.Fatal(err)
				}
				rows := must(classify.NewRows(each, classify.RowsOptions{Classes: f.k}))(t)
				if rows.N() != n || rows.D() != 3 {
					t.Errorf("%d×%d, want %d×3", rows.N(), rows.D(), n)
				}
				sources := map[string]classify.Source{
					"labels": rows, "labels in memory": classify.InMemory{X: x, Labels: labels, K: f.k},
				}
				if f.k == 2 {
					sources["targets"] = must(classify.NewRows(classify.RowsOf(x, target), classify.RowsOptions{}))(t)
					sources["targets in memory"] = classify.InMemory{X: x, T: target}
				}
				for name, s := range sources {
					if got, err := f.from(s); err != nil || got != want {
						t.Errorf("N = %d, %s: got error %v and model %s\nwant %s", n, name, err, got, want)
					}
				}
			}
		})
	}
}

// TestRowsProgress checks that Progress reports ascending pass and row numbers. At least three
// passes must reach the last row. The remaining passes of FitLDA inspect only a few rows.
func TestRowsProgress(t *testing.T) {
	const n = 5000
	type step struct{ pass, row, rows int }
	var steps []step
	rows := must(classify.NewRows(generatedRows(n, 2, 2, false),
		classify.RowsOptions{Classes: 2,
			Progress: func(pass, row, rows int) { steps = append(steps, step{pass, row, rows}) }}))(t)
	if last := steps[len(steps)-1]; last.pass != 0 || last.row < n-1024 || last.rows != 0 {
		t.Errorf("the last progress of the first pass is %v, want pass 0 and one of the last rows", last)
	}
	steps = nil
	must(classify.FitLDAFrom(rows, classify.LDAOptions{}))(t)
	ends := 0
	for i, s := range steps {
		if s.rows != n || s.row < 1 || s.row > n || i > 0 &&
			(s.pass < steps[i-1].pass || s.pass == steps[i-1].pass && s.row <= steps[i-1].row) {
			t.Fatalf("step %d of the progress is %v after %v, want ascending passes and rows", i, s, steps[i-1])
		}
		if s.row == n {
			ends++
		}
	}
	if ends < 3 || steps[0].pass != 1 {
		t.Errorf("got %d passes that reach the last row, and the first step %v; want at least 3, and pass 1 first", ends, steps[0])
	}
}

// TestRowsSeparableAndDegenerate checks separable classes and degenerate columns. For such data a
// fit makes additional passes over the rows, to prove separability or to name the columns in a
// message.
func TestRowsSeparableAndDegenerate(t *testing.T) {
	n := 1500
	each := func(dup bool, gap float64) func(yield func(x []float64, t float64) bool) error {
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
	for _, c := range []struct {
		name string
		each func(yield func(x []float64, t float64) bool) error
	}{{"separable", each(false, 1.5)}, {"touching", each(false, 1)}, {"dependent", each(true, 0.5)},
		{"constant", generatedRows(n, 2, 2, true)}} {
		x, labels := collectRows(t, c.each)
		target := make([]float64, n)
		for i, l := range labels {
			target[i] = float64(1 - l)
		}
		rows := must(classify.NewRows(c.each, classify.RowsOptions{Classes: 2}))(t)
		for name, f := range map[string][2]func() (string, error){
			"logistic": {func() (string, error) { return savedText(classify.FitLogisticFrom(rows, classify.LogisticOptions{})) },
				func() (string, error) { return savedText(classify.FitLogistic(x, target, classify.LogisticOptions{})) }},
			"probit": {func() (string, error) { return savedText(classify.FitProbitFrom(rows, classify.ProbitOptions{})) },
				func() (string, error) { return savedText(classify.FitProbit(x, target, classify.ProbitOptions{})) }},
			"softmax": {func() (string, error) { return savedText(classify.FitSoftmaxFrom(rows, classify.SoftmaxOptions{})) },
				func() (string, error) { return savedText(classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{})) }},
			"label flip": {func() (string,
				error) {
				return savedText(classify.FitLabelFlipFrom(rows, classify.LabelFlipOptions{Estimate: true}))
			},
				func() (string, error) {
					return savedText(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Estimate: true}))
				}},
			"Fisher, pseudo-inverse": {func() (string,
				error) {
				return savedText(classify.FitFisherFrom(rows, classify.FisherOptions{PseudoInverse: true}))
			},
				func() (string, error) {
					return savedText(classify.FitFisher(x, target, classify.FisherOptions{PseudoInverse: true}))
				}},
			"least squares": {func() (string,
				error) {
				return savedText(classify.FitLeastSquaresFrom(rows, classify.LeastSquaresOptions{}))
			},
				func() (string, error) {
					return savedText(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{}))
				}},
		} {
			got, gotErr := f[0]()
			want, wantErr := f[1]()
			if got != want || (gotErr == nil) != (wantErr == nil) {
				t.Errorf("%s, %s: got error %v and model %.300s\nwant error %v and model %.300s", c.name, name, gotErr, got, wantErr, want)
			}
		}
		// If the covariance is singular, FitLDA and FitLDAFrom must return the same error text.
		_, got := classify.FitLDAFrom(rows, classify.LDAOptions{})
		_, want := classify.FitLDA(x, labels, 2, classify.LDAOptions{})
		if (got == nil) != (want == nil) || got != nil &&
			strings.TrimPrefix(got.Error(), "classify: FitLDAFrom: ") != strings.TrimPrefix(want.Error(),
				"classify: FitLDA: ") {
			t.Errorf("%s: got the LDA error %v, want %v", c.name, got, want)
		}
	}
}

// wantError checks that err contains all the given strings.
func wantError(t *testing.T, name string, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: got no error, want an error with %q", name, want)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: error %q does not mention %q", name, err, w)
		}
	}
}

// TestRowsMemory checks that a fit of two million rows (80 MB of numbers) needs at most 8 MB of
// heap.
func TestRowsMemory(t *testing.T) {
	const n, d, most = 2_000_000, 4, 8 << 20
	var peak, before uint64
	look := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
	}
	// Use a linear congruential generator for the rows, because it is fast.
	each := func(yield func(x []float64, t float64) bool) error {
		x, state := make([]float64, d), uint64(16)
		for i := range n {
			if i%100_000 == 0 {
				look()
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
	look()
	before, peak = peak, 0
	rows := must(classify.NewRows(each, classify.RowsOptions{Classes: 2}))(t)
	for name, fit := range map[string]func() error{
		"logistic": func() error { _, err := classify.FitLogisticFrom(rows, classify.LogisticOptions{}); return err },
		"LDA":      func() error { _, err := classify.FitLDAFrom(rows, classify.LDAOptions{}); return err },
		"least squares": func() error {
			_,
				err := classify.FitLeastSquaresFrom(rows, classify.LeastSquaresOptions{})
			return err
		},
		"naive Bayes": func() error {
			_,
				err := classify.FitNaiveBayesGaussianFrom(rows, classify.NaiveBayesGaussianOptions{})
			return err
		},
		"softmax, few steps": func() error {
			_,
				err := classify.FitSoftmaxFrom(rows, classify.SoftmaxOptions{MaxIterations: 2})
			return err
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

// TestRowsErrors checks that an error of NewRows or of a fit names the row that caused the error.
// The invalid row occurs in the first pass or only in later passes.
func TestRowsErrors(t *testing.T) {
	const n = 5000
	good := generatedRows(n, 2, 2, false)
	// changedFrom yields the same rows as the function good. In the given pass and all later
	// passes, it first applies the function change to each row.
	changedFrom := func(pass int, change func(i int, x []float64, t float64) ([]float64, float64, bool, error)) func(yield func(x []float64, t float64) bool) error {
		calls := 0
		return func(yield func(x []float64, t float64) bool) error {
			calls++
			if calls < pass {
				return good(yield)
			}
			i, failed := 0, error(nil)
			err := good(func(x []float64, t float64) bool {
				var keep bool
				if x, t, keep, failed = change(i, x, t); failed != nil {
					return false
				}
				i++
				return !keep || yield(x, t)
			})
			return errors.Join(err, failed)
		}
	}
	type change = func(i int, x []float64, t float64) ([]float64, float64, bool, error)
	for _, c := range []struct {
		name   string
		change change
		want   []string
	}{
		{"NaN", func(i int, x []float64, t float64) ([]float64, float64, bool, error) {
			if i == 4321 {
				x[1] = math.NaN()
			}
			return x, t, true, nil
		}, []string{"row 4321, column 1", "NaN"}},
		{"Inf", func(i int, x []float64, t float64) ([]float64, float64, bool, error) {
			if i == 7 {
				x[0] = math.Inf(-1)
			}
			return x, t, true, nil
		}, []string{"row 7, column 0", "-Inf"}},
		{"ragged", func(i int, x []float64, t float64) ([]float64, float64, bool, error) {
			if i == 3000 {
				x = x[:1]
			}
			return x, t, true, nil
		}, []string{"row 3000", "1 columns", "has 2"}},
		{"label", func(i int, x []float64, t float64) ([]float64, float64, bool, error) {
			if i == 10 {
				t = 2
			}
			return x, t, true, nil
		}, []string{"row 10", "the label is 2", "0…1"}},
		{"broken", func(i int, x []float64, t float64) ([]float64, float64, bool, error) {
			if i == 2000 {
				return x, t, true, errors.New("the disk is gone")
			}
			return x, t, true, nil
		}, []string{"the disk is gone"}},
	} {
		_, err := classify.NewRows(changedFrom(1, c.change), classify.RowsOptions{Classes: 2})
		wantError(t, c.name+" at once", err, append(c.want, "classify: NewRows")...)
		for pass := 2; pass < 6; pass++ {
			r := must(classify.NewRows(changedFrom(pass, c.change), classify.RowsOptions{Classes: 2}))(t)
			_, err = classify.FitLogisticFrom(r, classify.LogisticOptions{})
			wantError(t, c.name+" later", err, append(c.want, "classify: FitLogisticFrom: pass ")...)
		}
	}
	for _, c := range []struct {
		name   string
		change change
		want   []string
	}{
		{"fewer", func(i int, x []float64, t float64) ([]float64, float64, bool, error) { return x, t, i != 50, nil },
			[]string{"there are 4999 rows", "5000", "the same rows"}},
		{"other numbers", func(i int, x []float64, t float64) ([]float64, float64, bool, error) {
			x[0] += 1e-9
			return x, t, true, nil
		}, []string{"not the same rows", "seed"}},
		{"another target", func(i int, x []float64, t float64) ([]float64, float64, bool, error) {
			if i == 4000 {
				t = 1 - t
			}
			return x, t, true, nil
		}, []string{"not the same rows"}},
	} {
		for pass := 2; pass < 5; pass++ {
			r := must(classify.NewRows(changedFrom(pass, c.change), classify.RowsOptions{Classes: 2}))(t)
			_, err := classify.FitLDAFrom(r, classify.LDAOptions{})
			wantError(t, c.name, err, c.want...)
		}
	}
	calls := 0
	more := must(classify.NewRows(func(yield func(x []float64, t float64) bool) error {
		calls++
		return generatedRows(n+min(calls-1, 1), 2, 2, false)(yield)
	}, classify.RowsOptions{Classes: 2}))(t)
	_, err := classify.FitQDAFrom(more, classify.QDAOptions{})
	wantError(t, "more", err, "more rows than the 5000")

	few := func(targets ...float64) func(yield func(x []float64, t float64) bool) error {
		return classify.RowsOf(mat.NewDense(len(targets), 1, []float64{1, 2, 3, 4}[:len(targets)]), targets)
	}
	of := func(_ any, err error) error { return err }
	rows := func(k int, targets ...float64) *classify.Rows {
		return must(classify.NewRows(few(targets...), classify.RowsOptions{Classes: k}))(t)
	}
	for _, c := range []struct {
		name string
		err  error
		want []string
	}{
		{"nil", of(classify.NewRows(nil, classify.RowsOptions{})), []string{"each is nil"}},
		{"no rows",
			of(classify.NewRows(func(func([]float64, float64) bool) error { return nil }, classify.RowsOptions{})),
			[]string{"no rows"}},
		{"no columns",
			of(classify.NewRows(func(yield func([]float64, float64) bool) error { yield(nil, 1); return nil },
				classify.RowsOptions{})), []string{"no columns"}},
		{"nil matrix", of(classify.NewRows(classify.RowsOf(nil, nil), classify.RowsOptions{})), []string{"x is nil"}},
		{"targets missing", of(classify.NewRows(classify.RowsOf(mat.NewDense(2, 1, nil), nil), classify.RowsOptions{})),
			[]string{"0 entries", "2 rows"}},
		{"one class wanted", of(classify.NewRows(few(1, 0), classify.RowsOptions{Classes: 1})),
			[]string{"Classes is 1"}},
		{"negative", of(classify.NewRows(few(1, 0), classify.RowsOptions{Classes: -2})), []string{"Classes is -2"}},
		{"target", of(classify.NewRows(few(1, -1), classify.RowsOptions{})), []string{"row 1", "-1", "[0,1]"}},
		{"target NaN", of(classify.NewRows(few(1, math.NaN()), classify.RowsOptions{})), []string{"row 1", "NaN"}},
		{"label, a fraction", of(classify.NewRows(few(1, 0.5), classify.RowsOptions{Classes: 2})),
			[]string{"row 1", "0.5"}},
		{"soft", of(classify.FitLDAFrom(rows(0, 0.5, 0, 1), classify.LDAOptions{})), []string{"between 0 and 1"}},
		{"one class, labels", of(classify.FitLDAFrom(rows(3, 1, 1), classify.LDAOptions{})), []string{"all 2 rows are class 1"}},
		{"one class, targets", of(classify.FitLogisticFrom(rows(0, 1, 1), classify.LogisticOptions{})),
			[]string{"all 2 targets are 1"}},
		{"three classes", of(classify.FitLogisticFrom(rows(3, 0, 1, 2), classify.LogisticOptions{})),
			[]string{"3 classes", "FitSoftmax"}},
		{"three classes, Fisher", of(classify.FitFisherFrom(rows(3, 0, 1, 2), classify.FisherOptions{})),
			[]string{"two classes", "FitLDA"}},
		{"empty class", of(classify.FitSoftmaxFrom(rows(3, 0, 1), classify.SoftmaxOptions{})), []string{"class 2 of 3 has no rows"}},
		{"Weights", of(classify.FitLDAFrom(rows(2, 0, 1), classify.LDAOptions{Weights: []float64{1, 2}})),
			[]string{"Weights has 2 entries", "in memory"}},
		{"Sequential", of(classify.FitLogisticFrom(rows(2, 0, 1), classify.LogisticOptions{Solver: classify.Sequential{}})),
			[]string{"Sequential", "LBFGS"}},
		{"CoordinateAscent",
			of(classify.FitSoftmaxFrom(rows(2, 0, 1), classify.SoftmaxOptions{Solver: &classify.CoordinateAscent{}})),
			[]string{"CoordinateAscent"}},
		{"nil rows", of(classify.FitLDAFrom((*classify.Rows)(nil), classify.LDAOptions{})), []string{"NewRows"}},
		{"empty rows", of(classify.FitProbitFrom(new(classify.Rows), classify.ProbitOptions{})), []string{"NewRows"}},
		{"nil source", of(classify.FitQDAFrom(nil, classify.QDAOptions{})), []string{"FitQDAFrom: the source is nil"}},
		{"moments for rows", of(classify.FitLogisticFrom(sixMoments(), classify.LogisticOptions{})),
			[]string{"needs the rows"}},
		{"counts for rows", of(classify.FitLDAFrom(sixCounts(), classify.LDAOptions{})),
			[]string{"single features", "NewSufficientMoments"}},
		{"levels of counts", of(classify.FitNaiveBayesCategoricalFrom(sixCounts(), []int{3, 1},
			classify.NaiveBayesCategoricalOptions{})), []string{"levels are [3 1]", "the counts have"}},
		{"targets and labels", of(classify.FitLDAFrom(classify.InMemory{X: mat.NewDense(1, 1, nil), T: []float64{1},
			Labels: []int{0}}, classify.LDAOptions{})), []string{"both T and Labels"}},
		{"labels of three classes", of(classify.FitProbitFrom(classify.InMemory{X: mat.NewDense(3, 1, nil),
			Labels: []int{0, 1, 2}, K: 3}, classify.ProbitOptions{})), []string{"3 classes", "FitSoftmax"}},
		{"soft targets for labels", of(classify.FitLDAFrom(classify.InMemory{X: mat.NewDense(2, 1, nil),
			T: []float64{0.5, 1}}, classify.LDAOptions{})), []string{"t[0] is 0.5", "one class"}},
		{"not binary", of(classify.FitNaiveBayesBernoulliFrom(rows(2, 0, 1), classify.NaiveBayesBernoulliOptions{})),
			[]string{"row 1", "binary"}},
		{"constant in a class", of(classify.FitNaiveBayesGaussianFrom(rows(2, 0, 1), classify.NaiveBayesGaussianOptions{})),
			[]string{"constant", "class 0"}},
	} {
		wantError(t, c.name, c.err, c.want...)
	}
}

// A generator makes a million rows in every pass and keeps no row in memory.
func ExampleNewRows() {
	each := func(yield func(x []float64, t float64) bool) error {
		rng := rand.New(rand.NewPCG(1, 1)) // equal seeds give the same rows in every pass
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

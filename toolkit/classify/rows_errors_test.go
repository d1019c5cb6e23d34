package classify_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestRowsErrors: rows that cannot be fitted are named, in the first pass and later.
func TestRowsErrors(t *testing.T) {
	const n = 5000
	good := made(n, 2, 2, false)
	// after is good, but from a pass on with rows changed by a function.
	after := func(pass int, change func(i int, x []float64, t float64) ([]float64, float64, bool, error)) func(yield func(x []float64, t float64) bool) error {
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
		_, err := classify.NewRows(after(1, c.change), classify.RowsOptions{Classes: 2})
		wantError(t, c.name+" at once", err, append(c.want, "classify: NewRows")...)
		for pass := 2; pass < 6; pass++ {
			r := must(classify.NewRows(after(pass, c.change), classify.RowsOptions{Classes: 2}))(t)
			_, err = r.FitLogistic(classify.LogisticOptions{})
			wantError(t, c.name+" later", err, append(c.want, "classify: Rows.FitLogistic: pass ")...)
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
			r := must(classify.NewRows(after(pass, c.change), classify.RowsOptions{Classes: 2}))(t)
			_, err := r.FitLDA(classify.LDAOptions{})
			wantError(t, c.name, err, c.want...)
		}
	}
	calls := 0
	more := must(classify.NewRows(func(yield func(x []float64, t float64) bool) error {
		calls++
		return made(n+min(calls-1, 1), 2, 2, false)(yield)
	}, classify.RowsOptions{Classes: 2}))(t)
	_, err := more.FitQDA(classify.QDAOptions{})
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
		{"no rows", of(classify.NewRows(func(func([]float64, float64) bool) error { return nil }, classify.RowsOptions{})), []string{"no rows"}},
		{"no columns", of(classify.NewRows(func(yield func([]float64, float64) bool) error { yield(nil, 1); return nil }, classify.RowsOptions{})), []string{"no columns"}},
		{"nil matrix", of(classify.NewRows(classify.RowsOf(nil, nil), classify.RowsOptions{})), []string{"x is nil"}},
		{"targets missing", of(classify.NewRows(classify.RowsOf(mat.NewDense(2, 1, nil), nil), classify.RowsOptions{})), []string{"0 entries", "2 rows"}},
		{"one class wanted", of(classify.NewRows(few(1, 0), classify.RowsOptions{Classes: 1})), []string{"Classes is 1"}},
		{"negative", of(classify.NewRows(few(1, 0), classify.RowsOptions{Classes: -2})), []string{"Classes is -2"}},
		{"target", of(classify.NewRows(few(1, -1), classify.RowsOptions{})), []string{"row 1", "-1", "[0,1]"}},
		{"target NaN", of(classify.NewRows(few(1, math.NaN()), classify.RowsOptions{})), []string{"row 1", "NaN"}},
		{"label, a fraction", of(classify.NewRows(few(1, 0.5), classify.RowsOptions{Classes: 2})), []string{"row 1", "0.5"}},
		{"soft", of(rows(0, 0.5, 0, 1).FitLDA(classify.LDAOptions{})), []string{"between 0 and 1"}},
		{"one class, labels", of(rows(3, 1, 1).FitLDA(classify.LDAOptions{})), []string{"all 2 rows are class 1"}},
		{"one class, targets", of(rows(0, 1, 1).FitLogistic(classify.LogisticOptions{})), []string{"all 2 targets are 1"}},
		{"three classes", of(rows(3, 0, 1, 2).FitLogistic(classify.LogisticOptions{})), []string{"3 classes", "FitSoftmax"}},
		{"three classes, Fisher", of(rows(3, 0, 1, 2).FitFisher(classify.FisherOptions{})), []string{"two classes", "FitLDA"}},
		{"empty class", of(rows(3, 0, 1).FitSoftmax(classify.SoftmaxOptions{})), []string{"class 2 of 3 has no rows"}},
		{"Weights", of(rows(2, 0, 1).FitLDA(classify.LDAOptions{Weights: []float64{1, 2}})), []string{"Weights has 2 entries", "in memory"}},
		{"Sequential", of(rows(2, 0, 1).FitLogistic(classify.LogisticOptions{Solver: classify.Sequential{}})), []string{"Sequential", "LBFGS"}},
		{"CoordinateAscent", of(rows(2, 0, 1).FitSoftmax(classify.SoftmaxOptions{Solver: &classify.CoordinateAscent{}})), []string{"CoordinateAscent"}},
		{"nil rows", of((*classify.Rows)(nil).FitLDA(classify.LDAOptions{})), []string{"NewRows"}},
		{"empty rows", of(new(classify.Rows).FitProbit(classify.ProbitOptions{})), []string{"NewRows"}},
		{"not binary", of(rows(2, 0, 1).FitNaiveBayesBernoulli(classify.NaiveBayesBernoulliOptions{})), []string{"row 1", "binary"}},
		{"constant in a class", of(rows(2, 0, 1).FitNaiveBayesGaussian(classify.NaiveBayesGaussianOptions{})), []string{"constant", "class 0"}},
	} {
		wantError(t, c.name, c.err, c.want...)
	}
}

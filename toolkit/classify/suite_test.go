package classify_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// fitted is a model of the table with its data.
type fitted struct {
	entry
	m      classify.Predictor
	x      *mat.Dense
	labels []int
}

// TestCommon: what every model promises.
func TestCommon(t *testing.T) {
	for _, e := range models {
		t.Run(e.name, func(t *testing.T) {
			f := &fitted{entry: e}
			f.x, f.labels = clouds(90, 3, e.k, 1)
			f.m = must(e.fit(f.x, f.labels, e.k))(t)
			t.Run("answers agree", func(t *testing.T) { answersAgree(t, f) })
			t.Run("inputs untouched", func(t *testing.T) { inputsUntouched(t, e) })
			t.Run("refit identical", func(t *testing.T) { refitIdentical(t, f) })
			t.Run("batches", func(t *testing.T) { batches(t, f) })
			t.Run("posteriors", func(t *testing.T) { posteriors(t, f) })
			t.Run("views", func(t *testing.T) { matrixViews(t, f) })
			t.Run("bad input", func(t *testing.T) { badInput(t, f) })
			t.Run("without a fit", func(t *testing.T) { withoutFit(t, f) })
			t.Run("saved and loaded", func(t *testing.T) { savedAndLoaded(t, f.m) })
			t.Run("goroutines", func(t *testing.T) { goroutines(t, f) })
			for _, i := range invariances {
				t.Run(i.name, func(t *testing.T) {
					err := i.check(f)
					for reason, names := range i.exceptions {
						if !slices.Contains(names, e.name) {
							continue
						}
						errorIf(t, err == nil && !strings.HasPrefix(reason, chance), "holds, although it %s: no exception is needed", reason)
						return
					}
					if err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

// answersAgree: posteriors are probabilities, and scores, posterior and class agree.
func answersAgree(t *testing.T, f *fitted) {
	class := must(f.m.Predict(f.x))(t)
	tables := []*mat.Dense{must(f.m.(classify.Scorer).Scores(f.x))(t)}
	if p, ok := classify.ProberOf(f.m); ok {
		post := must(p.Posterior(f.x))(t)
		tables = append(tables, post)
		for i := range class {
			row := post.RawRowView(i)
			var sum float64
			for _, v := range row {
				sum += v
				if !(v >= 0 && v <= 1) {
					t.Fatalf("row %d: probability %v", i, v)
				}
			}
			errorIf(t, math.Abs(sum-1) > 4e-16*float64(f.k), "row %d sums to 1%+.2g", i, sum-1)
		}
	}
	for _, table := range tables {
		n, c := table.Dims()
		if n != len(class) || c != f.k {
			t.Fatalf("%d×%d answers for %d rows and %d classes", n, c, len(class), f.k)
		}
		for i := range class {
			row := table.RawRowView(i)
			errorIf(t, row[class[i]] != slices.Max(row), "row %d: class %d but answers %v", i, class[i], row)
		}
	}
}

func inputsUntouched(t *testing.T, e entry) {
	x, labels := clouds(40, 3, e.k, 2)
	x2, labels2 := mat.DenseCopyOf(x), slices.Clone(labels)
	m := must(e.fit(x, labels, e.k))(t)
	before := must(json.Marshal(m))(t)
	must(m.Predict(x))(t)
	must(m.(classify.Scorer).Scores(x))(t)
	errorIf(t, !mat.Equal(x, x2) || !slices.Equal(labels, labels2), "the data were changed")
	errorIf(t, !bytes.Equal(before, must(json.Marshal(m))(t)), "the model was changed by predicting")
	// A fitted model does not share memory with the data either.
	x.Zero()
	errorIf(t, !bytes.Equal(before, must(json.Marshal(m))(t)), "the model changed with the data")
}

func refitIdentical(t *testing.T, f *fitted) {
	for _, procs := range []int{1, 2, 5} {
		old := runtime.GOMAXPROCS(procs)
		again := must(f.fit(f.x, f.labels, f.k))(t)
		runtime.GOMAXPROCS(old)
		errorIf(t, !reflect.DeepEqual(f.m, again), "a second fit with %d processors differs", procs)
	}
}

func batches(t *testing.T, f *fitted) {
	n, d := f.x.Dims()
	all := must(f.m.(classify.Scorer).Scores(f.x))(t)
	for i := range n {
		one := must(f.m.(classify.Scorer).Scores(f.x.Slice(i, i+1, 0, d)))(t)
		if !mat.Equal(one, all.Slice(i, i+1, 0, f.k)) {
			t.Fatalf("row %d alone has other scores than among all", i)
		}
	}
}

// matrixViews: strided, transposed and opaque matrices give the same bits.
func matrixViews(t *testing.T, f *fitted) {
	n, d := f.x.Dims()
	wide := mat.NewDense(n+1, d+2, nil)
	inner := wide.Slice(1, n+1, 1, d+1).(*mat.Dense)
	inner.Copy(f.x)
	for name, v := range map[string]mat.Matrix{
		"strided": inner, "transposed": mat.DenseCopyOf(f.x.T()).T(), "by At": struct{ mat.Matrix }{f.x},
	} {
		errorIf(t, !reflect.DeepEqual(f.m, must(f.fit(v, f.labels, f.k))(t)), "%s: another model", name)
		errorIf(t, !slices.Equal(must(f.m.Predict(f.x))(t), must(f.m.Predict(v))(t)), "%s: other predictions", name)
	}
}

func badInput(t *testing.T, f *fitted) {
	with := func(v float64) *mat.Dense {
		y := mat.DenseCopyOf(f.x)
		y.Set(7, 2, v)
		return y
	}
	negative, high := slices.Clone(f.labels), slices.Clone(f.labels)
	negative[4], high[5] = -1, f.k
	var none *mat.Dense
	for _, b := range []struct {
		name   string
		x      mat.Matrix
		labels []int
		also   bool     // predicting for x fails likewise
		want   []string // words of the message
	}{
		{"nil", nil, f.labels, true, []string{"x is nil"}},
		{"typed nil", none, f.labels, true, []string{"x is nil"}},
		{"no rows", &mat.Dense{}, nil, true, []string{"0×0", "at least one row"}},
		{"NaN", with(math.NaN()), f.labels, true, []string{"row 7", "column 2", "NaN"}},
		{"Inf", with(math.Inf(-1)), f.labels, true, []string{"row 7", "column 2", "-Inf"}},
		{"short labels", f.x, f.labels[:10], false, []string{"10", "90 rows"}},
		{"negative label", f.x, negative, false, []string{"[4]", "-1"}},
		{"high label", f.x, high, false, []string{"[5]", fmt.Sprint(f.k)}},
	} {
		t.Run(b.name, func(t *testing.T) {
			mentions(t, of(f.fit(b.x, b.labels, f.k)), b.want...)
			if b.also {
				mentions(t, of(f.m.Predict(b.x)), b.want...)
			}
		})
	}
	mentions(t, of(f.m.Predict(f.x.Slice(0, 5, 0, 2))), "5×2", "3 columns")
	// One class: an error, or with a prior on all weights a finite answer.
	got, err := f.fit(f.x, make([]int, len(f.labels)), f.k)
	if err != nil {
		mentions(t, err, "class", "90")
	} else if !hasConverged(got) {
		t.Error("a single class is neither an error nor a converged fit")
	}
}

// mentions checks that err is an error whose message has the given words.
func mentions(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; want one with %q", words)
		return
	}
	for _, w := range words {
		errorIf(t, !strings.Contains(err.Error(), w), "error %q does not mention %q", err, w)
	}
}

var madeBy = regexp.MustCompile("Fit|make (it|one) with|needs a direction")

// withoutFit: a model that was never fitted or loaded answers with an error that
// says where models come from.
func withoutFit(t *testing.T, f *fitted) {
	m := emptyOf(f.m).(classify.Predictor)
	_, predict := m.Predict(f.x)
	_, scores := m.(classify.Scorer).Scores(f.x)
	all := []error{predict, scores}
	if p, ok := classify.ProberOf(m); ok {
		_, err := p.Posterior(f.x)
		all = append(all, err)
	}
	for _, err := range all {
		errorIf(t, err == nil || !strings.HasPrefix(err.Error(), "classify: ") || !madeBy.MatchString(err.Error()), "error %v", err)
	}
	if p, ok := m.(classify.Predictive); ok {
		if mean, cov := p.WeightMoments(); mean != nil || cov != nil {
			t.Error("moments of nothing")
		}
	}
}

// goroutines: fits and predictions run side by side (with -race) and agree.
func goroutines(t *testing.T, f *fitted) {
	want := must(f.m.Predict(f.x))(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got, err := f.m.Predict(f.x); err != nil || !slices.Equal(got, want) {
				t.Errorf("predictions side by side differ: %v", err)
			}
			if again, err := f.fit(f.x, f.labels, f.k); err != nil || !reflect.DeepEqual(again, f.m) {
				t.Errorf("fits side by side differ: %v", err)
			}
		})
	}
	wg.Wait()
}

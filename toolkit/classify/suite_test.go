package classify_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
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

// fittedModel contains a fitted model from the list `models`, and the data of the fit.
type fittedModel struct {
	suiteEntry
	m      classify.Predictor
	x      *mat.Dense
	labels []int
}

// TestCommon checks the properties that every model must have.
func TestCommon(t *testing.T) {
	for _, e := range models {
		t.Run(e.name, func(t *testing.T) {
			f := &fittedModel{suiteEntry: e}
			f.x, f.labels = clouds(90, 3, e.k, 1)
			f.m = must(e.fit(f.x, f.labels, e.k))(t)
			t.Run("answers agree", func(t *testing.T) { answersAgree(t, f) })
			t.Run("inputs untouched", func(t *testing.T) { inputsUntouched(t, e) })
			t.Run("refit identical", func(t *testing.T) { refitIdentical(t, f) })
			t.Run("batches", func(t *testing.T) { batches(t, f) })
			t.Run("posteriors", func(t *testing.T) { checkPosteriors(t, f) })
			t.Run("views", func(t *testing.T) { matrixViews(t, f) })
			t.Run("bad input", func(t *testing.T) { badInput(t, f) })
			t.Run("without a fit", func(t *testing.T) { withoutFit(t, f) })
			t.Run("saved and loaded", func(t *testing.T) { savedAndLoaded(t, f.m) })
			t.Run("goroutines", func(t *testing.T) { checkConcurrent(t, f) })
			for _, i := range invariances {
				t.Run(i.name, func(t *testing.T) {
					err := i.check(f)
					for reason, names := range i.exceptions {
						if !slices.Contains(names, e.name) {
							continue
						}
						errorIf(t, err == nil && !strings.HasPrefix(reason, chance),
							"the property holds, although the list of exceptions says that the model %s: remove the exception", reason)
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

// answersAgree checks that posteriors are probabilities, and that the predicted class has the
// largest score and the largest posterior.
func answersAgree(t *testing.T, f *fittedModel) {
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
					t.Fatalf("row %d has the probability %v, want a number in [0,1]", i, v)
				}
			}
			errorIf(t, math.Abs(sum-1) > 4e-16*float64(f.k), "the sum of the probabilities of row %d differs from 1 by %+.2g, want a sum of 1", i, sum-1)
		}
	}
	for _, table := range tables {
		n, c := table.Dims()
		if n != len(class) || c != f.k {
			t.Fatalf("got %d×%d numbers for %d rows and %d classes, want one number per row and class", n, c, len(class), f.k)
		}
		for i := range class {
			row := table.RawRowView(i)
			errorIf(t, row[class[i]] != slices.Max(row), "row %d: the predicted class %d does not have the largest of the numbers %v", i, class[i], row)
		}
	}
}

func inputsUntouched(t *testing.T, e suiteEntry) {
	x, labels := clouds(40, 3, e.k, 2)
	x2, labels2 := mat.DenseCopyOf(x), slices.Clone(labels)
	m := must(e.fit(x, labels, e.k))(t)
	before := textOf(t, m)
	must(m.Predict(x))(t)
	must(m.(classify.Scorer).Scores(x))(t)
	errorIf(t, !mat.Equal(x, x2) || !slices.Equal(labels, labels2), "a fit or a prediction changed the data, want no change")
	errorIf(t, !bytes.Equal(before, textOf(t, m)), "a prediction changed the model, want no change")
	// If the data change after the fit, the model must not change.
	x.Zero()
	errorIf(t, !bytes.Equal(before, textOf(t, m)), "the model changed when the data changed, want no change")
}

func refitIdentical(t *testing.T, f *fittedModel) {
	for _, procs := range []int{1, 2, 5} {
		old := runtime.GOMAXPROCS(procs)
		again := must(f.fit(f.x, f.labels, f.k))(t)
		runtime.GOMAXPROCS(old)
		errorIf(t, !reflect.DeepEqual(f.m, again), "a second fit with %d processors is different, want an equal model", procs)
	}
}

func batches(t *testing.T, f *fittedModel) {
	n, d := f.x.Dims()
	all := must(f.m.(classify.Scorer).Scores(f.x))(t)
	for i := range n {
		one := must(f.m.(classify.Scorer).Scores(f.x.Slice(i, i+1, 0, d)))(t)
		if !mat.Equal(one, all.Slice(i, i+1, 0, f.k)) {
			t.Fatalf("the scores of row %d change if the row is predicted alone, want equal scores", i)
		}
	}
}

// matrixViews checks that a fit returns the same bits if x is a part of a larger matrix, a
// transposed matrix, or a matrix of an unknown type.
func matrixViews(t *testing.T, f *fittedModel) {
	n, d := f.x.Dims()
	wide := mat.NewDense(n+1, d+2, nil)
	inner := wide.Slice(1, n+1, 1, d+1).(*mat.Dense)
	inner.Copy(f.x)
	for name, v := range map[string]mat.Matrix{
		"strided": inner, "transposed": mat.DenseCopyOf(f.x.T()).T(), "by At": struct{ mat.Matrix }{f.x},
	} {
		errorIf(t, !reflect.DeepEqual(f.m, must(f.fit(v, f.labels, f.k))(t)), "%s: the fit gives a different model, want an equal model", name)
		errorIf(t, !slices.Equal(must(f.m.Predict(f.x))(t), must(f.m.Predict(v))(t)), "%s: the predictions differ, want equal predictions", name)
	}
}

func badInput(t *testing.T, f *fittedModel) {
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
		also   bool     // true if the error of Predict for x must contain the same words
		want   []string // words that the error must contain
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
			errorHas(t, errorOf(f.fit(b.x, b.labels, f.k)), b.want...)
			if b.also {
				errorHas(t, errorOf(f.m.Predict(b.x)), b.want...)
			}
		})
	}
	errorHas(t, errorOf(f.m.Predict(f.x.Slice(0, 5, 0, 2))), "5×2", "3 columns")
	// Labels of a single class must give an error, or a converged fit if a prior covers all
	// weights.
	got, err := f.fit(f.x, make([]int, len(f.labels)), f.k)
	if err != nil {
		errorHas(t, err, "class", "90")
	} else if !hasConverged(got) {
		t.Error("a single class gives neither an error nor a converged fit, want one of them")
	}
}

// errorHas checks that err is an error whose message contains all words.
func errorHas(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("got no error, want an error with %q", words)
		return
	}
	for _, w := range words {
		errorIf(t, !strings.Contains(err.Error(), w), "got error %q, want an error with %q", err, w)
	}
}

var madeBy = regexp.MustCompile("Fit|(make it|make one|create the model) with|needs a direction")

// withoutFit checks a model that was never fitted or loaded. Its methods must return an error that says
// how to make such a model, or that a hyperplane needs a direction.
func withoutFit(t *testing.T, f *fittedModel) {
	m := emptyOf(f.m).(classify.Predictor)
	_, predict := m.Predict(f.x)
	_, scores := m.(classify.Scorer).Scores(f.x)
	all := []error{predict, scores}
	if p, ok := classify.ProberOf(m); ok {
		_, err := p.Posterior(f.x)
		all = append(all, err)
	}
	for _, err := range all {
		errorIf(t, err == nil || !strings.HasPrefix(err.Error(), "classify: ") || !madeBy.MatchString(err.Error()),
			"an unfitted model gives the error %v, want an error of classify that says how to make such a model, or that a hyperplane needs a direction", err)
	}
	if p, ok := m.(classify.Predictive); ok {
		if mean, cov := p.WeightMoments(); mean != nil || cov != nil {
			t.Error("an unfitted model has moments of the weights, want nil")
		}
	}
}

// checkConcurrent checks that fits and predictions on several goroutines agree. With the flag -race,
// the test also detects data races.
func checkConcurrent(t *testing.T, f *fittedModel) {
	want := must(f.m.Predict(f.x))(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got, err := f.m.Predict(f.x); err != nil || !slices.Equal(got, want) {
				t.Errorf("a concurrent prediction differs or fails, want equal predictions and no error: got the error %v", err)
			}
			if again, err := f.fit(f.x, f.labels, f.k); err != nil || !reflect.DeepEqual(again, f.m) {
				t.Errorf("a concurrent fit differs or fails, want equal models and no error: got the error %v", err)
			}
		})
	}
	wg.Wait()
}

// chance is the prefix of some reasons in the lists of exceptions. If a reason has this prefix, the
// models listed under the reason may have the property by chance.
const chance = "sometimes: "

// invariances lists properties that every model must have, except for some models. The exceptions
// are the names of these models, grouped by the reason. TestCommon fails if one of these models has
// the property after all, unless the reason begins with the prefix `chance`.
var invariances = []struct {
	name       string
	check      func(*fittedModel) error
	exceptions map[string][]string
}{
	{"row order", rowOrder, map[string][]string{
		"learns row by row": {"perceptron", "perceptron, pocket", "adaline",
			"adaline, shuffled", "logistic, sequential"},
		chance + "ends before the optimum":                                  {"logistic, L-BFGS"},
		chance + "draws random numbers that depend on the last digits of E": {"sampling, Hamiltonian", "sampling, random walk"},
		chance + "computes α only to ten digits, see TestReestimate":        {"Bayes logistic, α re-estimated"},
	}},
	{"units", checkUnits, map[string][]string{
		"penalises weights, which depend on the units of x": {
			"least squares, ridge", "least squares, ridge, free bias", "logistic, prior", "logistic, free bias",
			"softmax, prior", "softmax, free bias",
			"probit, prior", "label flip, estimated", "squared sigmoid, 3 classes", "Bayes logistic",
			"Bayes logistic, quadrature", "Bayes logistic, α re-estimated",
			"Bayes softmax", "Bayes softmax, 2 classes", "variational, prior, quadrature", "sampling, random walk",
			"one versus rest", "one versus rest, K−1", "one versus one, votes", "one versus one, sums",
			"one versus one, all",
		},
		"takes steps that are proportional to x": {"perceptron", "perceptron, pocket", "adaline", "adaline, shuffled"},
		chance + "ends before the optimum": {"logistic, gradient descent", "logistic, sequential",
			"logistic, coordinate ascent", "logistic, L-BFGS"},
		"has scores in the units of x": {"Fisher"},
		"shrinks a covariance towards a multiple of the unit matrix": {"Fisher, midpoint, shrunk", "LDA, 3 classes, unbiased",
			"QDA, unbiased, shrunk"},
		"has basis functions at fixed places":        {"logistic on bells", "least squares on products and a sine, 3 classes"},
		"accepts only inputs in a restricted domain": mappedNames,
	}},
	{"relabelled", checkRelabelled, map[string][]string{
		"assigns every tie to the same class":    {"perceptron, pocket"},
		"has no machine for the last class":      {"one versus rest, K−1"},
		"draws random numbers class after class": {"Bayes softmax", "Bayes softmax, flat"},
		chance + "starts at a different point or takes a different path": {"logistic, gradient descent", "logistic, sequential",
			"logistic, coordinate ascent", "logistic, L-BFGS"},
		"starts its chains at points that do not depend on the class numbers": {"sampling, Hamiltonian", "sampling, random walk"},
	}},
}

func rowOrder(f *fittedModel) error {
	n, d := f.x.Dims()
	y, l := mat.NewDense(n, d, nil), make([]int, n)
	for to, from := range rand.New(rand.NewPCG(3, 3)).Perm(n) {
		y.SetRow(to, f.x.RawRowView(from))
		l[to] = f.labels[from]
	}
	m, err := f.fit(y, l, f.k)
	if err != nil {
		return err
	}
	w, want := weightsOf(m), weightsOf(f.m)
	if len(w) < 3 || len(w) != len(want) {
		return fmt.Errorf("got %d weights after reordering the rows, want %d", len(w), len(want))
	}
	for i := range w {
		if math.Abs(w[i]-want[i]) > 1e-12*(1+math.Abs(want[i])) {
			return fmt.Errorf("weight %d is %v after reordering the rows, want %v", i, w[i], want[i])
		}
	}
	return nil
}

// checkUnits checks that scores and posteriors do not depend on the units and the origin of the
// columns. In the first case, the units are moderate and the origin moves. In the second case, the
// units are as different as 2⁴⁰⁰ and 2⁻³⁰⁰.
func checkUnits(f *fittedModel) error {
	for _, c := range [][2][]float64{{{8, 0.3, 50}, {1, -2, 30}}, {{0x1p400, 0x1p-300, 0x1p20}, {0, 0, 0}}} {
		y := mat.DenseCopyOf(f.x)
		y.Apply(func(_, j int, v float64) float64 { return v*c[0][j] + c[1][j] }, y)
		m, err := f.fit(y, f.labels, f.k)
		if err != nil {
			return err
		}
		if err := sameAnswers(f, m, y, func(class int) int { return class }); err != nil {
			return err
		}
	}
	return nil
}

// checkRelabelled changes the numbers of the classes. The columns of scores and posteriors must be
// reordered in the same way.
func checkRelabelled(f *fittedModel) error {
	next := func(class int) int { return (class + 1) % f.k }
	l := make([]int, len(f.labels))
	for i, class := range f.labels {
		l[i] = next(class)
	}
	m, err := f.fit(f.x, l, f.k)
	if err != nil {
		return err
	}
	return sameAnswers(f, m, f.x, next)
}

// sameAnswers compares the scores and posteriors of the model m for inputs y with the scores and
// posteriors of the fitted model f for its own inputs. Class c of f is class to(c) of m. Scores may
// differ by a term that is equal for all classes.
func sameAnswers(f *fittedModel, m classify.Predictor, y mat.Matrix, to func(int) int) error {
	type outputs = func(classify.Predictor, mat.Matrix) (*mat.Dense, error)
	answers := map[string]outputs{"score": func(m classify.Predictor, x mat.Matrix) (*mat.Dense, error) {
		s, err := m.(classify.Scorer).Scores(x)
		if err != nil {
			return nil, err
		}
		n, _ := s.Dims()
		for i := range n {
			row := s.RawRowView(i)
			top := slices.Max(row)
			for k := range row {
				row[k] -= top
			}
		}
		return s, nil
	}}
	if _, ok := classify.ProberOf(m); ok {
		answers["probability"] = func(m classify.Predictor, x mat.Matrix) (*mat.Dense,
			error) {
			return m.(classify.Prober).Posterior(x)
		}
	}
	for name, compute := range answers {
		want, errWant := compute(f.m, f.x)
		got, errGot := compute(m, y)
		if err := errors.Join(errWant, errGot); err != nil {
			return err
		}
		n, _ := want.Dims()
		for i := range n {
			for k := range f.k {
				if a, b := want.At(i, k), got.At(i, to(k)); !(math.Abs(a-b) <= 1e-8*(1+math.Abs(a))) && a != b {
					return fmt.Errorf("row %d, class %d: the %s is %v, want %v", i, k, name, b, a)
				}
			}
		}
	}
	return nil
}

// TestExceptionsAreModels checks that every exception names a model in the list `models`.
func TestExceptionsAreModels(t *testing.T) {
	for _, i := range invariances {
		for reason, names := range i.exceptions {
			for _, name := range names {
				if !slices.ContainsFunc(models, func(e suiteEntry) bool { return e.name == name }) {
					t.Errorf("exceptions to the property %s: the list `models` has no model %q; the reason for this exception is: %s", i.name, name, reason)
				}
			}
		}
	}
}

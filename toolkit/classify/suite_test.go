package classify_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// entry is one line of the common suite: a model and the data it is fitted to.
type entry struct {
	name   string
	k      int // classes of the data
	fit    func(x mat.Matrix, labels []int, k int) (classify.Predictor, error)
	weight func(classify.Predictor) []float64
	empty  func() any // a new model to load into
}

// models is the table of all models: a new model is one more entry.
var models = []entry{
	{"least squares, 3 classes", 3, fitLeastSquares, leastSquaresWeights, func() any { return new(classify.LeastSquares) }},
	{"least squares, 2 classes", 2, fitLeastSquares, leastSquaresWeights, func() any { return new(classify.LeastSquares) }},
	{"logistic, maximum likelihood", 2, fitLogistic(classify.LogisticOptions{}), logisticWeights, func() any { return new(classify.Logistic) }},
	{"logistic, prior", 2, fitLogistic(classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 2}}), logisticWeights, func() any { return new(classify.Logistic) }},
	{"logistic, free bias", 2, fitLogistic(classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 2, FreeBias: true}}), logisticWeights, func() any { return new(classify.Logistic) }},
}

// orderMatters names the models that learn row by row.
var orderMatters = map[string]bool{}

func fitLeastSquares(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
	m, err := classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{})
	if err != nil {
		return nil, err
	}
	return m, nil
}

func leastSquaresWeights(p classify.Predictor) []float64 {
	return flat(p.(*classify.LeastSquares).W)
}

func fitLogistic(o classify.LogisticOptions) func(mat.Matrix, []int, int) (classify.Predictor, error) {
	return func(x mat.Matrix, labels []int, _ int) (classify.Predictor, error) {
		t := make([]float64, len(labels))
		for i, l := range labels {
			if l == 0 {
				t[i] = 1
			}
			if l < 0 || l > 1 {
				t[i] = float64(l)
			}
		}
		m, err := classify.FitLogistic(x, t, o)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

func logisticWeights(p classify.Predictor) []float64 { return p.(*classify.Logistic).W }

// clouds returns n points of k overlapping classes in d dimensions.
func clouds(n, d, k int, seed uint64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(seed, 11))
	x, labels := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		labels[i] = i % k
		for j := range d {
			v := rng.NormFloat64()
			if j%k == labels[i] {
				v += 0.8
			}
			x.Set(i, j, v)
		}
	}
	return x, labels
}

func TestCommon(t *testing.T) {
	for _, e := range models {
		t.Run(e.name, func(t *testing.T) {
			x, labels := clouds(90, 3, e.k, 1)
			m := must(e.fit(x, labels, e.k))(t)
			t.Run("answers agree", func(t *testing.T) { answersAgree(t, m, x, e.k) })
			t.Run("inputs untouched", func(t *testing.T) { inputsUntouched(t, e) })
			t.Run("refit identical", func(t *testing.T) { refitIdentical(t, e, m, x, labels) })
			if !orderMatters[e.name] {
				t.Run("row order", func(t *testing.T) { rowOrder(t, e, m, x, labels) })
			}
			t.Run("batches", func(t *testing.T) { batches(t, m, x) })
			t.Run("views", func(t *testing.T) { matrixViews(t, e, m, x, labels) })
			t.Run("bad input", func(t *testing.T) { badInput(t, e, m, x, labels) })
			t.Run("saved and loaded", func(t *testing.T) { savedAndLoaded(t, e, m) })
			t.Run("goroutines", func(t *testing.T) { goroutines(t, e, m, x, labels) })
		})
	}
}

// answersAgree: posteriors are probabilities, and scores, posterior and class agree.
func answersAgree(t *testing.T, m classify.Predictor, x *mat.Dense, k int) {
	class := must(m.Predict(x))(t)
	scores := must(m.(classify.Scorer).Scores(x))(t)
	tables := []*mat.Dense{scores}
	if p, ok := m.(classify.Prober); ok {
		post := must(p.Posterior(x))(t)
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
			if math.Abs(sum-1) > 4e-16*float64(k) {
				t.Errorf("row %d sums to 1%+.2g", i, sum-1)
			}
		}
	}
	for _, table := range tables {
		n, c := table.Dims()
		if n != len(class) || c != k {
			t.Fatalf("%d×%d answers for %d rows and %d classes", n, c, len(class), k)
		}
		for i := range class {
			row := table.RawRowView(i)
			if row[class[i]] != slices.Max(row) {
				t.Errorf("row %d: class %d but answers %v", i, class[i], row)
			}
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
	if !mat.Equal(x, x2) || !slices.Equal(labels, labels2) {
		t.Error("the data were changed")
	}
	if !bytes.Equal(before, must(json.Marshal(m))(t)) {
		t.Error("the model was changed by predicting")
	}
	// A fitted model does not share memory with the data either.
	x.Zero()
	if !bytes.Equal(before, must(json.Marshal(m))(t)) {
		t.Error("the model changed with the data")
	}
}

func refitIdentical(t *testing.T, e entry, m classify.Predictor, x *mat.Dense, labels []int) {
	for _, procs := range []int{1, 2, 5} {
		old := runtime.GOMAXPROCS(procs)
		again := must(e.fit(x, labels, e.k))(t)
		runtime.GOMAXPROCS(old)
		if !reflect.DeepEqual(m, again) {
			t.Errorf("a second fit with %d processors differs", procs)
		}
	}
}

func rowOrder(t *testing.T, e entry, m classify.Predictor, x *mat.Dense, labels []int) {
	n, d := x.Dims()
	y, l := mat.NewDense(n, d, nil), make([]int, n)
	for to, from := range rand.New(rand.NewPCG(3, 3)).Perm(n) {
		y.SetRow(to, x.RawRowView(from))
		l[to] = labels[from]
	}
	w, want := e.weight(must(e.fit(y, l, e.k))(t)), e.weight(m)
	for i := range w {
		if math.Abs(w[i]-want[i]) > 1e-12*(1+math.Abs(want[i])) {
			t.Errorf("weight %d: %v in another order of the rows, %v before", i, w[i], want[i])
		}
	}
}

func batches(t *testing.T, m classify.Predictor, x *mat.Dense) {
	n, d := x.Dims()
	all := must(m.(classify.Scorer).Scores(x))(t)
	for i := range n {
		one := must(m.(classify.Scorer).Scores(x.Slice(i, i+1, 0, d)))(t)
		if !mat.Equal(one, all.Slice(i, i+1, 0, all.RawMatrix().Cols)) {
			t.Fatalf("row %d alone has other scores than among all", i)
		}
	}
}

// matrixViews: strided, transposed and opaque matrices give the same bits.
func matrixViews(t *testing.T, e entry, m classify.Predictor, x *mat.Dense, labels []int) {
	n, d := x.Dims()
	wide := mat.NewDense(n+1, d+2, nil)
	inner := wide.Slice(1, n+1, 1, d+1).(*mat.Dense)
	inner.Copy(x)
	for name, v := range map[string]mat.Matrix{
		"strided": inner, "transposed": mat.DenseCopyOf(x.T()).T(), "by At": struct{ mat.Matrix }{x},
	} {
		again := must(e.fit(v, labels, e.k))(t)
		if !reflect.DeepEqual(e.weight(m), e.weight(again)) {
			t.Errorf("%s: other weights", name)
		}
		if !slices.Equal(must(m.Predict(x))(t), must(m.Predict(v))(t)) {
			t.Errorf("%s: other predictions", name)
		}
	}
}

func badInput(t *testing.T, e entry, m classify.Predictor, x *mat.Dense, labels []int) {
	with := func(v float64) *mat.Dense {
		y := mat.DenseCopyOf(x)
		y.Set(7, 2, v)
		return y
	}
	one := make([]int, len(labels))
	negative := slices.Clone(labels)
	negative[4] = -1
	high := slices.Clone(labels)
	high[5] = e.k
	var none *mat.Dense
	for _, b := range []struct {
		name   string
		x      mat.Matrix
		labels []int
		also   bool     // predicting for x fails likewise
		want   []string // words of the message
	}{
		{"nil", nil, labels, true, []string{"x is nil"}},
		{"typed nil", none, labels, true, []string{"x is nil"}},
		{"no rows", &mat.Dense{}, nil, true, []string{"0×0", "at least one row"}},
		{"NaN", with(math.NaN()), labels, true, []string{"row 7", "column 2", "NaN"}},
		{"Inf", with(math.Inf(-1)), labels, true, []string{"row 7", "column 2", "-Inf"}},
		{"short labels", x, labels[:10], false, []string{"10", "90 rows"}},
		{"negative label", x, negative, false, []string{"[4]", "-1"}},
		{"high label", x, high, false, []string{"[5]", fmt.Sprint(e.k)}},
	} {
		t.Run(b.name, func(t *testing.T) {
			_, err := e.fit(b.x, b.labels, e.k)
			mentions(t, err, b.want...)
			if b.also {
				_, err = m.Predict(b.x)
				mentions(t, err, b.want...)
			}
		})
	}
	if _, err := m.Predict(x.Slice(0, 5, 0, 2)); err == nil || !strings.Contains(err.Error(), "5×2") || !strings.Contains(err.Error(), "3 columns") {
		t.Errorf("wrong width: %v", err)
	}
	// One class: an error, or with a prior on all weights a finite answer.
	got, err := e.fit(x, one, e.k)
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
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not mention %q", err, w)
		}
	}
}

func savedAndLoaded(t *testing.T, e entry, m classify.Predictor) {
	b := must(json.Marshal(m))(t)
	back := e.empty()
	if err := json.Unmarshal(b, back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(m, back) {
		t.Errorf("JSON: %+v came back as %+v", m, back)
	}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(m); err != nil {
		t.Fatal(err)
	}
	back = e.empty()
	if err := gob.NewDecoder(&buf).Decode(back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(m, back) {
		t.Errorf("gob: %+v came back as %+v", m, back)
	}
	other := bytes.Replace(b, []byte(`/1"`), []byte(`/999"`), 1)
	mentions(t, json.Unmarshal(other, e.empty()), "schema", "/999", "version")
}

// goroutines: fits and predictions run side by side (with -race) and agree.
func goroutines(t *testing.T, e entry, m classify.Predictor, x *mat.Dense, labels []int) {
	want := must(m.Predict(x))(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got, err := m.Predict(x); err != nil || !slices.Equal(got, want) {
				t.Errorf("predictions side by side differ: %v", err)
			}
			if again, err := e.fit(x, labels, e.k); err != nil || !reflect.DeepEqual(e.weight(again), e.weight(m)) {
				t.Errorf("fits side by side differ: %v", err)
			}
		})
	}
	wg.Wait()
}

package classify_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestLoadOlder checks that Saved can read models that version 0.2.0 saved, at least one model of each
// kind. For the first 12 rows that the function clouds returns, each model must predict the classes
// that the test file lists. If the model is saved and loaded again, it must not change.
func TestLoadOlder(t *testing.T) {
	text := must(os.ReadFile("testdata/saved-0.2.jsonl"))(t)
	kinds := map[reflect.Type]bool{}
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var saved struct {
			Name    string
			D       int
			Model   classify.Saved[classify.Model]
			Classes []int
		}
		if err := json.Unmarshal(line, &saved); err != nil {
			t.Fatal(err)
		}
		t.Run(saved.Name, func(t *testing.T) {
			m := saved.Model.Model
			kinds[reflect.TypeOf(m)] = true
			n := 12
			if saved.D == 3 {
				n = 40
			}
			k := 2
			if len(saved.Classes) > 0 {
				k = slices.Max(saved.Classes) + 1
			}
			x, _ := clouds(n, saved.D, max(k, 2), 1)
			if i := slices.IndexFunc(models, func(e suiteEntry) bool { return e.name == saved.Name }); i >= 0 {
				x, _ = clouds(n, saved.D, models[i].k, 1)
			}
			rows := x.Slice(0, 12, 0, saved.D)
			switch m.(type) { // these two naive Bayes models need binary or categorical inputs
			case *classify.NaiveBayesBernoulli:
				rows = (&mappedModel{Kind: 0}).input(rows)
			case *classify.NaiveBayesCategorical:
				rows = (&mappedModel{Kind: 1}).input(rows)
			}
			got := must(m.(classify.Predictor).Predict(rows))(t)
			errorIf(t, !slices.Equal(got, saved.Classes), "the loaded %T predicts %v, want %v", m, got, saved.Classes)
			back := must(classify.Load(bytes.NewReader(textOf(t, m))))(t)
			errorIf(t, !reflect.DeepEqual(m, back), "the %T changes if it is saved and loaded again, want no change", m)
		})
	}
	errorIf(t, len(kinds) < 26, "got only %d kinds of models, want at least 26", len(kinds))
}

// otherBasis is a basis that a different package defines.
type otherBasis struct{ classify.Basis }

// TestSaved checks that Saved writes and restores models inside larger JSON values. The type
// parameter of Saved is the type of the model or an interface. After an error the value of Saved
// must be unchanged.
func TestSaved(t *testing.T) {
	x, labels := clouds(30, 3, 2, 1)
	type file struct {
		Name  string
		One   classify.Saved[*classify.Logistic]
		Any   classify.Saved[classify.Model]
		On    classify.Saved[*classify.OnBasis[*classify.Logistic]]
		Twice classify.Saved[*classify.OnBasis[*classify.OnBasis[*classify.Logistic]]]
		Nil   classify.Saved[classify.Predictor]
	}
	f := file{Name: "five"}
	f.One.Model = must(classify.FitLogistic(x, strictTargets(labels), classify.LogisticOptions{}))(t)
	f.Any.Model = must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t)
	f.On.Model = must(onBells(x, labels, 2))(t).(*classify.OnBasis[*classify.Logistic])
	f.Twice.Model = &classify.OnBasis[*classify.OnBasis[*classify.Logistic]]{Model: f.On.Model, Basis: f.On.Model.Basis}
	text := must(json.Marshal(f))(t)
	var back file
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(f, back) {
		t.Errorf("got error %v; the struct %+v is restored as %+v, want no error and an equal struct", err, f, back)
	}
	before := f.One.Model
	errorHas(t, f.One.UnmarshalJSON(textOf(t, f.Any.Model)), "hyperplane-lda/1", "want a *classify.Logistic")
	errorIf(t, f.One.Model != before, "after an error the model is %+v, want no change", f.One.Model)
	saved := textOf(t, f.On.Model)
	errorHas(t, f.One.UnmarshalJSON(saved), "hyperplane-on-basis/1", "want a *classify.Logistic")
	errorHas(t, new(classify.Saved[classify.Logistic]).UnmarshalJSON(saved), "want a classify.Logistic")
	errorHas(t, new(classify.Saved[*classify.OnBasis[*classify.LDA]]).UnmarshalJSON(saved), "want a *classify.LDA")
	errorHas(t, errorOf(json.Marshal(classify.Saved[classify.Logistic]{})), "classify.Logistic", "not a pointer")
}

func TestSaveErrors(t *testing.T) {
	plane := &classify.Hyperplane{W: []float64{1}}
	reader, writer := io.Pipe()
	reader.CloseWithError(errors.New("closed"))
	unmade := new(classify.OnBasis[*classify.Logistic])
	plain := string(must(json.Marshal(plane))(t))
	errorHas(t, classify.Save(io.Discard, nil), "m is nil")
	errorHas(t, classify.Save(io.Discard, (*classify.LDA)(nil)), "m is nil")
	errorHas(t, classify.Save(writer, plane), "closed")
	errorHas(t, classify.Save(io.Discard, new(classify.Separability)), "Separability", "cannot be saved")
	errorHas(t, classify.Save(io.Discard, unmade), "the basis is nil")
	errorHas(t, classify.Save(io.Discard, &classify.OnBasis[*classify.Hyperplane]{Model: plane, Basis: otherBasis{}}),
		"otherBasis", "cannot be saved")
	errorHas(t, errorOf(classify.Load(reader)), "closed")
	errorHas(t, loadError("12"), "Load")
	errorHas(t, loadError("{}"), "classify.Save")
	errorHas(t, loadError(plain), "classify.Save")
	errorHas(t, loadError(`{"schema":"other/1"}`), `schema "other/1"`)
	errorHas(t, loadError(string(textOf(t, plane))+"{}"), "after top-level value")
}

func ExampleSave() {
	x := mat.NewDense(4, 1, []float64{0, 1, 2, 3})
	fitted := toolkit.Must(classify.FitLDA(x, []int{0, 0, 1, 1}, 2, classify.LDAOptions{}))
	var file bytes.Buffer // a program would use a file, for example the result of os.Create
	toolkit.Must(0, classify.Save(&file, fitted))

	model := toolkit.Must(classify.Load(&file))
	fmt.Printf("%T\n", model)
	fmt.Println(toolkit.Must(model.(classify.Predictor).Predict(x)))
	// Output:
	// *classify.LDA
	// [0 0 1 1]
}

// savedAndLoaded checks that Save and Load restore m exactly, and that Load rejects a later version
// of the schema.
func savedAndLoaded(t *testing.T, m any) {
	t.Helper()
	text := roundTrip(t, m)
	again := textOf(t, must(classify.Load(bytes.NewReader(text)))(t))
	errorIf(t, !bytes.Equal(again, text), "Load restores %s as %s, want an equal model", text, again)
	errorHas(t, loadError(strings.Replace(string(text), `/1"`, `/999"`, 1)), "schema", "/999", "version")
}

// roundTrip checks that Saved restores m from the text that Save writes. It returns the text.
func roundTrip(t *testing.T, m any) []byte {
	t.Helper()
	text := textOf(t, m)
	var back any
	switch bare := bareModel(m).(type) {
	case *classify.OnBasis[*classify.Logistic]: // without this type, Saved would return an *OnBasis[Predictor]
		m, back = bare, loadModel[*classify.OnBasis[*classify.Logistic]](t, text)
	case *classify.OnBasis[*classify.LeastSquares]:
		m, back = bare, loadModel[*classify.OnBasis[*classify.LeastSquares]](t, text)
	default:
		m, back = bare, loadModel[any](t, text)
	}
	errorIf(t, !reflect.DeepEqual(m, back), "the model %+v is restored as %+v, want an equal model", m, back)
	return text
}

// bareModel returns the model of package classify that m contains, or m itself.
func bareModel(m any) any {
	if m, ok := m.(*mappedModel); ok {
		return m.Model
	}
	return m
}

// textOf returns the text that Save writes.
func textOf(t testing.TB, m any) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := classify.Save(&b, bareModel(m)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// loadModel returns the model in the text. The model must have type M.
func loadModel[M any](t *testing.T, text []byte) M {
	t.Helper()
	var s classify.Saved[M]
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return s.Model
}

func loadError(text string) error { return errorOf(classify.Load(strings.NewReader(text))) }

// TestLoadErrors checks that the error for an inconsistent file names the field or the invalid value.
func TestLoadErrors(t *testing.T) {
	saved := string(textOf(t, &classify.Logistic{Estimate: classify.Estimate{W: []float64{1, 2}}}))
	const (
		columns = `"basis":{"kind":"columns","inputs":1,"index":[0]},`
		chain   = `"mean":[1,2],"chains":[{"rows":4,"cols":2,"data":[1,2,3,4,5,6,7,8]}],"log_posterior":[[1,2,3,4]],"acceptance":[1],"step_size":[1],"r_hat":[1,1],"ess":[1,1],"mc_error":[1,1]`
		unit    = `"covariance":{"rows":2,"cols":2,"data":[1,0,0,1]}`
		four    = `"w":{"rows":2,"cols":2,"data":[1,2,3,4]},`
	)
	for _, kind := range []struct {
		schema string
		cases  [][]string // the text of the file after the schema, and the words that the error must contain
	}{
		{"logistic", [][]string{
			{`"w":[]`, "0 weights"},
			{`"w":[1,"two"]`, `"two"`},
			{`"w":[1,null]`, "null"},
			{`"w":[1,2],"weights":[1]`, "weights"},
			{`"w":[1,2],"direction":[1]`, "direction", "1 entries", "2"},
			{`"w":[1,2],"trace":[{"w":[1]}]`, "step 0", "1 weights"},
			{`"w":[1,2],"hessian":{"rows":3,"cols":3,"data":[1,2,3,4,5,6,7,8,9]}`, "hessian", "3×3", "2×2"},
			{`"w":[1,2],"covariance":{"rows":2,"cols":2,"data":[1,2,3]}`, "covariance", "3 numbers"},
		}},
		{"least-squares", [][]string{
			{`"e":1`, "w is missing"},
			{`"w":{"rows":-1,"cols":-1,"data":[1]}`, "-1×-1"},
		}},
		{"on-basis", [][]string{
			{`"model":` + saved, "basis is missing"},
			{`"basis":{"kind":"columns","inputs":1,"index":[0]}`, "model is missing"},
			{`"basis":{"kind":"wavelet"},"model":` + saved, "wavelet"},
			{`"basis":{"kind":"gaussian","centres":[[1]],"widths":[0]},"model":` + saved, "Widths[0]"},
			{`"basis":{"kind":"columns","inputs":1,"index":[1]},"model":` + saved, "column 1"},
			{`"basis":{"kind":"chain","parts":[null]},"model":` + saved, "part 0", "nil"},
			{columns + `"model":{"schema":"x/1"}`, "x/1"},
		}},
		{"bayes-logistic", [][]string{
			{`"w":[1]`, "1 weights"},
			{`"w":[1,2],"prior_mean":[1]`, "prior_mean has 1"},
			{`"w":[1,2],"method":3`, "method is 3"},
			{`"w":[1,2],"covariance":{"rows":1,"cols":1,"data":[1]}`, "covariance is 1×1"},
			{`"w":[1,2],"root":{"rows":1,"cols":2,"data":[1,2]}`, "root is 1×2, want 2×2"},
		}},
		{"bayes-softmax", [][]string{
			{`"draws":2`, "w is missing"},
			{`"w":{"rows":1,"cols":2,"data":[1,2]},"draws":2`, "w is 1×2"},
			{four + `"draws":3`, "draws is 3"},
			{four + `"draws":2,"root":{"rows":2,"cols":1,"data":[1,2]}`, "root is 2×1, want 4×1"},
		}},
		{"variational-logistic", [][]string{
			{`"mean":[1]`, "1 weights"},
			{`"mean":[1,2],"n":3,"xi":[1]`, "xi has 1", "3"},
			{`"mean":[1,2],"method":7`, "method is 7"},
			{`"mean":[1,2],` + unit, "root is missing"},
			{`"mean":[1,2],"root":{"rows":1,"cols":1,"data":[1]},` + unit, "root is 1×1, want 2×1"},
			{`"mean":[1,2],"root":{"rows":2,"cols":1,"data":[1,2]},` + unit + `,"trace":[{"mean":[1]}]`, "step 0"},
		}},
		{"logistic-sample", [][]string{
			{`"mean":[1,2]`, "chains are missing"},
			{chain, "covariance is missing"},
			{chain + `,"method":2`, "method is 2"},
			{strings.Replace(chain, `[[1,2,3,4]]`, `[[1,2]]`, 1), "log_posterior 0 has 2 entries", "want 4"},
			{strings.Replace(chain, `"ess":[1,1]`, `"ess":[1]`, 1), "ess has 1 entries", "want 2"},
		}},
	} {
		for _, c := range kind.cases {
			t.Run(kind.schema+" "+c[0], func(t *testing.T) {
				errorHas(t, loadError(`{"schema":"hyperplane-`+kind.schema+`/1",`+c[0]+"}"), c[1:]...)
			})
		}
	}
}

// TestRoundTripInf checks that special numbers are restored exactly: −0, the largest float64, the
// smallest positive float64, and Inf and NaN, which JSON cannot represent.
func TestRoundTripInf(t *testing.T) {
	inf, negZero, nan := math.Inf(1), math.Copysign(0, -1), math.NaN()
	m := &classify.Logistic{Estimate: classify.Estimate{
		W: []float64{inf, -inf, negZero, 5e-324, math.MaxFloat64}, E: -inf, LogLikelihood: inf,
		Direction: []float64{1, 0, 0, negZero, 0.1 + 0.2},
		Trace:     classify.Trace{{W: []float64{inf, 0, 0, 0, -inf}, E: inf, GradNorm: inf, Misclassified: 3}},
	}}
	back := loadModel[*classify.Logistic](t, roundTrip(t, m))
	errorIf(t, !math.Signbit(back.W[2]) || !math.Signbit(back.Direction[3]), "the model %+v is restored as %+v, want the same signs of zeros", m, back)
	roundTrip(t, &classify.LeastSquares{W: mat.NewDense(2, 2, []float64{inf, -inf, negZero, 1}), SumSquare: inf})
	w := loadModel[*classify.Logistic](t, textOf(t, &classify.Logistic{Estimate: classify.Estimate{W: []float64{nan, 1}}})).W
	errorIf(t, !math.IsNaN(w[0]), "NaN is restored as %v, want NaN", w)
	e := loadModel[*classify.BayesLogistic](t, textOf(t, &classify.BayesLogistic{W: []float64{1, 2},
		Evidence: classify.Evidence{LogLikelihood: -inf, LogDet: nan, LogPrior: -0.1, M: 3, N: 4, Flat: 1}})).Evidence
	errorIf(t, !math.IsNaN(e.LogDet) || e.LogPrior != -0.1 || e.Flat != 1, "the evidence is restored as %+v, want LogDet NaN, LogPrior -0.1 and Flat 1", e)
}

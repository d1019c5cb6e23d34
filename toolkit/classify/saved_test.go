package classify_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
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

// TestLoadOlder checks that Load reads a model of each kind that version 0.2.0 saved. Each loaded
// model must predict the classes recorded in the file. The inputs are the first 12 rows of clouds.
func TestLoadOlder(t *testing.T) {
	text := must(os.ReadFile("testdata/saved-0.2.jsonl"))(t)
	kinds := map[reflect.Type]bool{}
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var saved struct {
			Name    string
			D       int
			Model   json.RawMessage
			Classes []int
		}
		if err := json.Unmarshal(line, &saved); err != nil {
			t.Fatal(err)
		}
		t.Run(saved.Name, func(t *testing.T) {
			m := must(classify.Load(saved.Model))(t)
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
			if i := slices.IndexFunc(models, func(e entry) bool { return e.name == saved.Name }); i >= 0 {
				x, _ = clouds(n, saved.D, models[i].k, 1)
			}
			rows := x.Slice(0, 12, 0, saved.D)
			switch m.(type) { // these models need binary or categorical inputs
			case *classify.NaiveBayesBernoulli:
				rows = (&mapped{Kind: 0}).input(rows)
			case *classify.NaiveBayesCategorical:
				rows = (&mapped{Kind: 1}).input(rows)
			}
			got := must(m.(classify.Predictor).Predict(rows))(t)
			errorIf(t, !slices.Equal(got, saved.Classes), "a %T answers %v, it was %v", m, got, saved.Classes)
			again := must(json.Marshal(m))(t)
			back := must(classify.Load(again))(t)
			errorIf(t, !reflect.DeepEqual(m, back), "saved again, a %T comes back otherwise", m)
		})
	}
	errorIf(t, len(kinds) < 26, "%d kinds of models are read", len(kinds))
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{`{}`: `schema ""`, `{"schema":"other/1"}`: `schema "other/1"`,
		`12`: "Load", `{"kind":"columns","inputs":1,"index":[0]}`: ""} {
		if _, err := classify.Load([]byte(text)); want != "" {
			mentions(t, err, want)
		}
	}
}

func ExampleLoad() {
	x := mat.NewDense(4, 1, []float64{0, 1, 2, 3})
	fitted := toolkit.Must(classify.FitLDA(x, []int{0, 0, 1, 1}, 2, classify.LDAOptions{}))
	saved := toolkit.Must(json.Marshal(fitted))

	model := toolkit.Must(classify.Load(saved))
	fmt.Printf("%T\n", model)
	fmt.Println(toolkit.Must(model.(classify.Predictor).Predict(x)))
	// Output:
	// *classify.LDA
	// [0 0 1 1]
}

// savedAndLoaded checks that m can be restored from JSON, from gob, and by Load, which knows only
// the schema. A later schema version must be an error.
func savedAndLoaded(t *testing.T, m any) {
	b := roundTrip(t, m)
	loaded := must(classify.Load(b))(t)
	again := must(json.Marshal(loaded))(t)
	errorIf(t, !bytes.Equal(again, b), "Load: %s came back as %s", b, again)
	other := bytes.Replace(b, []byte(`/1"`), []byte(`/999"`), 1)
	mentions(t, json.Unmarshal(other, emptyOf(m)), "schema", "/999", "version")
}

// roundTrip checks that m can be restored from JSON and from gob, and returns the JSON.
func roundTrip(t *testing.T, m any) []byte {
	t.Helper()
	b := must(json.Marshal(m))(t)
	if back := fromJSON(t, b, emptyOf(m)); !reflect.DeepEqual(m, back) {
		t.Errorf("JSON: %+v came back as %+v", m, back)
	}
	if back := fromGob(t, m); !reflect.DeepEqual(m, back) {
		t.Errorf("gob: %+v came back as %+v", m, back)
	}
	return b
}

func fromJSON[M any](t *testing.T, b []byte, back M) M {
	t.Helper()
	if err := json.Unmarshal(b, back); err != nil {
		t.Fatal(err)
	}
	return back
}

func fromGob[M any](t *testing.T, m M) M {
	t.Helper()
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(m); err != nil {
		t.Fatal(err)
	}
	back := emptyOf(m)
	if err := gob.NewDecoder(&buf).Decode(back); err != nil {
		t.Fatal(err)
	}
	return back.(M)
}

// TestLoadErrors checks that the error for an inconsistent file names the field. The error must
// leave the model unchanged into which the test loads the file.
func TestLoadErrors(t *testing.T) {
	saved := string(must(json.Marshal(&classify.Logistic{Estimate: classify.Estimate{W: []float64{1, 2}}}))(t))
	const (
		columns = `"basis":{"kind":"columns","inputs":1,"index":[0]},`
		chain   = `"mean":[1,2],"chains":[{"rows":4,"cols":2,"data":[1,2,3,4,5,6,7,8]}],"log_posterior":[[1,2,3,4]],"acceptance":[1],"step_size":[1],"r_hat":[1,1],"ess":[1,1],"mc_error":[1,1]`
		unit    = `"covariance":{"rows":2,"cols":2,"data":[1,0,0,1]}`
		four    = `"w":{"rows":2,"cols":2,"data":[1,2,3,4]},`
	)
	for _, kind := range []struct {
		schema string
		model  any        // the model to load into
		cases  [][]string // the text after the schema, then words of the error
	}{
		{"logistic", &classify.Logistic{Estimate: classify.Estimate{W: []float64{4, 5}}}, [][]string{
			{`"w":[]`, "0 weights"},
			{`"w":[1,"two"]`, `"two"`},
			{`"w":[1,null]`, "null"},
			{`"w":[1,2],"weights":[1]`, "weights"},
			{`"w":[1,2],"direction":[1]`, "direction", "1 entries", "2"},
			{`"w":[1,2],"trace":[{"w":[1]}]`, "step 0", "1 weights"},
			{`"w":[1,2],"hessian":{"rows":3,"cols":3,"data":[1,2,3,4,5,6,7,8,9]}`, "hessian", "3×3", "2×2"},
			{`"w":[1,2],"covariance":{"rows":2,"cols":2,"data":[1,2,3]}`, "covariance", "3 numbers"},
		}},
		{"least-squares", &classify.Logistic{Estimate: classify.Estimate{W: []float64{4, 5}}},
			[][]string{{`"w":[1,2]`, "hyperplane-least-squares/1", "another kind"}}},
		{"", new(classify.Logistic), [][]string{{`"w":[1,2]`, `""`}}},
		{"least-squares", new(classify.LeastSquares), [][]string{
			{`"e":1`, "w is missing"},
			{`"w":{"rows":-1,"cols":-1,"data":[1]}`, "-1×-1"},
		}},
		{"on-basis", new(classify.OnBasis[*classify.Logistic]), [][]string{
			{`"model":` + saved, "basis is missing"},
			{`"basis":{"kind":"columns","inputs":1,"index":[0]}`, "model is missing"},
			{`"basis":{"kind":"wavelet"},"model":` + saved, "wavelet"},
			{`"basis":{"kind":"gaussian","centres":[[1]],"widths":[0]},"model":` + saved, "Widths[0]"},
			{`"basis":{"kind":"columns","inputs":1,"index":[1]},"model":` + saved, "column 1"},
			{`"basis":{"kind":"chain","parts":[null]},"model":` + saved, "part 0", "nil"},
			{columns + `"model":{"schema":"x/1"}`, "x/1"},
		}},
		{"bayes-logistic", new(classify.BayesLogistic), [][]string{
			{`"w":[1]`, "1 weights"},
			{`"w":[1,2],"prior_mean":[1]`, "prior_mean has 1"},
			{`"w":[1,2],"method":3`, "method is 3"},
			{`"w":[1,2],"covariance":{"rows":1,"cols":1,"data":[1]}`, "covariance is 1×1"},
			{`"w":[1,2],"root":{"rows":1,"cols":2,"data":[1,2]}`, "root is 1×2, want 2×2"},
		}},
		{"bayes-softmax", new(classify.BayesSoftmax), [][]string{
			{`"draws":2`, "w is missing"},
			{`"w":{"rows":1,"cols":2,"data":[1,2]},"draws":2`, "w is 1×2"},
			{four + `"draws":3`, "draws is 3"},
			{four + `"draws":2,"root":{"rows":2,"cols":1,"data":[1,2]}`, "root is 2×1, want 4×1"},
		}},
		{"logistic-sample", new(classify.VariationalLogistic), [][]string{{`"mean":[1,2]`, "another kind"}}},
		{"variational-logistic", new(classify.VariationalLogistic), [][]string{
			{`"mean":[1]`, "1 weights"},
			{`"mean":[1,2],"n":3,"xi":[1]`, "xi has 1", "3"},
			{`"mean":[1,2],"method":7`, "method is 7"},
			{`"mean":[1,2],` + unit, "root is missing"},
			{`"mean":[1,2],"root":{"rows":1,"cols":1,"data":[1]},` + unit, "root is 1×1, want 2×1"},
			{`"mean":[1,2],"root":{"rows":2,"cols":1,"data":[1,2]},` + unit + `,"trace":[{"mean":[1]}]`, "step 0"},
		}},
		{"logistic-sample", new(classify.LogisticSample), [][]string{
			{`"mean":[1,2]`, "chains are missing"},
			{chain, "covariance is missing"},
			{chain + `,"method":2`, "method is 2"},
			{strings.Replace(chain, `[[1,2,3,4]]`, `[[1,2]]`, 1), "log_posterior 0 has 2 entries", "want 4"},
			{strings.Replace(chain, `"ess":[1,1]`, `"ess":[1]`, 1), "ess has 1 entries", "want 2"},
		}},
	} {
		head := `{"schema":"hyperplane-` + kind.schema + `/1",`
		if kind.schema == "" {
			head = "{"
		}
		before := fmt.Sprintf("%+v", kind.model)
		for _, c := range kind.cases {
			t.Run(kind.schema+" "+c[0], func(t *testing.T) {
				mentions(t, json.Unmarshal([]byte(head+c[0]+"}"), kind.model), c[1:]...)
				after := fmt.Sprintf("%+v", kind.model)
				errorIf(t, after != before, "the model was changed from %s to %s", before, after)
			})
		}
	}
}

// TestRoundTripInf checks that numbers that JSON cannot represent, such as Inf, are restored
// exactly.
func TestRoundTripInf(t *testing.T) {
	inf, negZero, nan := math.Inf(1), math.Copysign(0, -1), math.NaN()
	m := &classify.Logistic{Estimate: classify.Estimate{
		W: []float64{inf, -inf, negZero, 5e-324, math.MaxFloat64}, E: -inf, LogLikelihood: inf,
		Direction: []float64{1, 0, 0, negZero, 0.1 + 0.2},
		Trace:     classify.Trace{{W: []float64{inf, 0, 0, 0, -inf}, E: inf, GradNorm: inf, Misclassified: 3}},
	}}
	back := fromJSON(t, roundTrip(t, m), new(classify.Logistic))
	errorIf(t, !math.Signbit(back.W[2]) || !math.Signbit(back.Direction[3]), "%+v came back as %+v", m, back)
	roundTrip(t, &classify.LeastSquares{W: mat.NewDense(2, 2, []float64{inf, -inf, negZero, 1}), SumSquare: inf})
	w := fromGob(t, &classify.Logistic{Estimate: classify.Estimate{W: []float64{nan, 1}}}).W
	errorIf(t, !math.IsNaN(w[0]), "NaN came back as %v", w)
	e := fromGob(t,
		&classify.BayesLogistic{W: []float64{1, 2},
			Evidence: classify.Evidence{LogLikelihood: -inf, LogDet: nan, LogPrior: -0.1, M: 3, N: 4,
				Flat: 1}}).Evidence
	errorIf(t, !math.IsNaN(e.LogDet) || e.LogPrior != -0.1 || e.Flat != 1, "%+v", e)
}

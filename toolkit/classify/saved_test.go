package classify_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestLoadOlder: models saved by version 0.2.0, one of each kind, come back by their
// schema and answer as they did. The inputs are the first 12 rows of clouds.
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
			switch m.(type) { // these count values
			case *classify.NaiveBayesBernoulli:
				rows = (&mapped{Kind: 0}).input(rows)
			case *classify.NaiveBayesCategorical:
				rows = (&mapped{Kind: 1}).input(rows)
			}
			got := must(m.(classify.Predictor).Predict(rows))(t)
			if !slices.Equal(got, saved.Classes) {
				t.Errorf("a %T answers %v, it was %v", m, got, saved.Classes)
			}
			again := must(json.Marshal(m))(t)
			if back := must(classify.Load(again))(t); !reflect.DeepEqual(m, back) {
				t.Errorf("saved again, a %T comes back otherwise", m)
			}
		})
	}
	if len(kinds) < 26 {
		t.Errorf("%d kinds of models are read", len(kinds))
	}
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{`{}`: `schema ""`, `{"schema":"other/1"}`: `schema "other/1"`, `12`: "Load", `{"kind":"columns","inputs":1,"index":[0]}`: ""} {
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

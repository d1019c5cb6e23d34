package datasets

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// wantRoundTrip checks that v does not change when it is saved and loaded, both as JSON and with
// encoding/gob.
func wantRoundTrip[T any](t *testing.T, v *T) {
	t.Helper()
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(v); err != nil {
		t.Fatal(err)
	}
	back, again := new(T), new(T)
	b := must(json.Marshal(v))(t)
	if err := json.Unmarshal(b, back); err != nil || !reflect.DeepEqual(v, back) {
		t.Errorf("the JSON %s is loaded as %+v with the error %v, want the saved value and no error", b, back, err)
	}
	if err := gob.NewDecoder(&buf).Decode(again); err != nil || !reflect.DeepEqual(v, again) {
		t.Errorf("saving and loading with gob gives %+v with the error %v, want the same value and no error", again, err)
	}
}

// wantRejected loads the JSON in each key of the map `texts` into a value that `fresh` returns.
// Loading must return an error and leave this value unchanged. The error must contain the string
// `prefix`, and the words that `texts` lists for the key, separated by |.
func wantRejected[T any](t *testing.T, prefix string, fresh func() *T, texts map[string]string) {
	t.Helper()
	for text, words := range texts {
		v := fresh()
		wantMention(t, json.Unmarshal([]byte(text), v), append(strings.Split(words, "|"), prefix)...)
		if !reflect.DeepEqual(v, fresh()) {
			t.Errorf("loading %s changed the value, want no change", text)
		}
	}
}

func TestDatasetSaved(t *testing.T) {
	d := sample()
	d.X.SetRow(0, []float64{math.Copysign(0, -1), 5e-324})
	d.X.SetRow(1, []float64{math.MaxFloat64, 0.1 + 0.2})
	wantRoundTrip(t, d)
	if inside := string(must(json.Marshal(struct{ D Dataset }{*d}))(t)); !strings.Contains(inside, `{"schema":"hyperplane-dataset/1"`) || !strings.Contains(inside, "[-0,5e-324]") {
		t.Errorf("a data set that is a struct field is written as %s, want an object that begins with the schema and contains the row [-0,5e-324]", inside)
	}
	d.Hues = []int{3, 0, 1}
	wantRoundTrip(t, d)
	back := *d
	d.Hues = nil
	if err := json.Unmarshal(must(json.Marshal(d))(t), &back); err != nil || !reflect.DeepEqual(&back, d) {
		t.Errorf("loading into a data set with hues gives %+v with the error %v, want the saved data set without hues and no error", back, err)
	}
	d.ClassNames[0] = "\xff"
	wantMention(t, errorOf(json.Marshal(d)), "UTF-8")
	d.Labels[0] = 7
	wantMention(t, errorOf(json.Marshal(d)), "label of row 0")
	wantRejected(t, "datasets: Dataset: ", sample, map[string]string{
		`{"schema":"hyperplane-encoder/1"}`: "hyperplane-encoder/1|hyperplane-dataset/1",
		`{"schema":"hyperplane-dataset/1"}`: "0 rows",
		`{"schema":"hyperplane-dataset/1","features":["a","b"],"x":[[1,2],[3]],"labels":[0,0],"classes":["k"]}`: "row 1 has 1|2 features",
		`{"schema":"hyperplane-dataset/1","features":["a"],"x":[[1]],"labels":[1],"classes":["k"]}`:             "label of row 0 is 1",
		`{"schema":"hyperplane-dataset/1","feature":["a"]}`:                                                     "unknown field",
		`{"schema":"hyperplane-dataset/1","features":["a"],"x":[[1e999]],"labels":[0],"classes":["k"]}`:         "1e999",
	})
}

func FuzzDatasetJSON(f *testing.F) {
	b, err := json.Marshal(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"schema":"hyperplane-dataset/1","features":["a","b"],"x":[[1,2],[3]],"labels":[0,0],"classes":["k"]}`))
	f.Add([]byte(`{"schema":"hyperplane-dataset/1","features":["a"],"x":[null],"labels":[-1],"classes":[null]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var d, again Dataset
		if json.Unmarshal(b, &d) != nil {
			return
		}
		if err := d.Check(); err != nil {
			t.Fatalf("%s gives an invalid data set: %v", b, err)
		}
		saved := must(json.Marshal(d))(t)
		if err := json.Unmarshal(saved, &again); err != nil || !reflect.DeepEqual(rowsOf(&d), rowsOf(&again)) || !slices.Equal(d.Labels, again.Labels) || !slices.Equal(d.ClassNames, again.ClassNames) {
			t.Fatalf("the JSON %s is loaded as %+v with the rows %v and the error %v, want the saved value and no error", saved, again, rowsOf(&again), err)
		}
		if d.Describe() == "" {
			t.Error("there is no description")
		}
	})
}

func TestEncoderSaved(t *testing.T) {
	for _, o := range []EncoderOptions{{}, {DropFirst: true, Missing: MissingFill},
		{Missing: MissingSkip, Columns: []string{"ward"}}} {
		wantRoundTrip(t, mustEncoder(t, mixedTable(t), o))
	}
	const whole = `{"schema":"hyperplane-encoder/1","features":[{"name":"a","kind":"numeric","mean":1,"mode":0},` +
		`{"name":"b","kind":"categorical","levels":["u","v"],"mean":0,"mode":1}],"label":"k","classes":["x"],"drop_first":true,"missing":"fill"}`
	var e Encoder
	if err := json.Unmarshal([]byte(whole), &e); err != nil || string(must(json.Marshal(e))(t)) != whole {
		t.Errorf("the JSON %s is loaded as %+v with the error %v, want no error and an encoder that is saved as the same JSON", whole, e, err)
	}
	texts := map[string]string{`{"schema":"hyperplane-dataset/1"}`: "hyperplane-dataset/1"}
	const numeric = `{"name":"a","kind":"numeric"}`
	for _, c := range []struct{ features, rest, want string }{
		{``, ``, "no features"},
		{`{"name":"a","kind":"word"}`, ``, `"word"|"categorical"`},
		{`{"name":"a","kind":"categorical"}`, ``, `"a"|0 levels`},
		{`{"name":"a","kind":"categorical","levels":["u"],"mode":1}`, ``, "mode 1"},
		{`{"name":"a","kind":"categorical","levels":["u","u"]}`, ``, `"u"|twice|"a"`},
		{`{"name":"a","kind":"numeric","levels":["u"]}`, ``, "numeric with 1 levels and mode 0"},
		{numeric + `,` + numeric, ``, `"a"|twice`},
		{`{"kind":"numeric"}`, ``, "no name"},
		{numeric, `,"missing":"never"`, `"never"|"fill"`},
		{numeric, `,"label":"k"`, `"k"|0 classes`},
		{numeric, `,"classes":["x"]`, "1 classes"},
		{numeric, `,"label":"k","classes":["x","x"]`, "twice"},
		{numeric, `,"fill":1`, "unknown field"},
	} {
		texts[`{"schema":"hyperplane-encoder/1","features":[`+c.features+`]`+c.rest+`}`] = c.want
	}
	wantRejected(t, "datasets: Encoder: ", func() *Encoder { return mustEncoder(t, mixedTable(t), EncoderOptions{}) }, texts)
	wantMention(t, errorOf(json.Marshal(Encoder{})), "no features")
	wantMention(t, errorOf(json.Marshal(Encoder{Features: []Feature{{Name: "a", Kind: KindCategorical,
		Levels: []string{"\xff", "u"}}}, DropFirst: true})), "UTF-8")
	wantMention(t, errorOf(json.Marshal(Missing(9))), "Missing(9)")
}

func FuzzEncoderJSON(f *testing.F) {
	f.Add([]byte(`{"schema":"hyperplane-encoder/1","features":[{"name":"a","kind":"numeric","mean":1},{"name":"b","kind":"categorical","levels":["u","v"],"mode":1}],"label":"k","classes":["x"],"missing":"fill"}`), "1", "u")
	f.Add([]byte(`{"schema":"hyperplane-encoder/1","features":[{"name":"a","kind":"categorical","levels":["u"],"mode":-1}],"missing":"skip","drop_first":true}`), "", "")
	f.Fuzz(func(t *testing.T, b []byte, first, second string) {
		var e, again Encoder
		if json.Unmarshal(b, &e) != nil {
			return
		}
		saved := must(json.Marshal(e))(t)
		if err := json.Unmarshal(saved, &again); err != nil || !bytes.Equal(saved, must(json.Marshal(again))(t)) {
			t.Fatalf("the JSON %s is loaded as %+v with the error %v, want the saved value and no error", saved, again, err)
		}
		x, err := e.EncodeRow(first, second)
		if err == nil &&
			(len(x) != len(e.FeatureNames()) ||
				slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })) {
			t.Fatalf("the encoder %s encodes the row %q, %q as %v, want one finite number for each feature name", b, first, second, x)
		}
	})
}

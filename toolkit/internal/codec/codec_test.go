package codec

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

type part struct {
	Name  string
	Share float64
}

type common struct{ Count int }

type machine interface{ side() int }

// model has fields of most types that the codec can save.
type model struct {
	common
	Embedded
	W0          float64
	MCError     []float64
	Pair        [2]float64
	Dense       *mat.Dense
	Sym         *mat.SymDense
	Parts       []part
	Rows        [][]float64
	Inner       *part
	Machines    []machine
	Seed        uint64
	Done        bool
	hidden      []float64
	Unset       float64
	Text        string
	LogLikeHood float64
}

type Embedded struct{ Reason string }

type other struct{ A int }

func (o *other) side() int { return o.A }

type stranger struct{}

func (*stranger) side() int { return 0 }

var (
	_ = Register(Kind[model]{
		Schema: "test-model/1", New: func() *model { return &model{Unset: 7} },
		Valid: func(m *model) error {
			if len(m.MCError) == 1 {
				return errors.New("one entry alone")
			}
			return nil
		},
		Fields: func(m *model) []Field { return []Field{{"hidden", &m.hidden}} },
	})
	_ = Register(Kind[other]{Schema: "other", Key: "kind"})
)

func TestRoundTrip(t *testing.T) {
	inf, negZero := math.Inf(1), math.Copysign(0, -1)
	m := &model{
		Embedded: Embedded{"a \"reason\""}, W0: 0.1 + 0.2,
		MCError: []float64{inf, -inf, negZero, 5e-324, math.MaxFloat64}, Pair: [2]float64{1, 2},
		Dense: mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, inf}), Sym: mat.NewSymDense(2, []float64{1, 2, 0, 3}),
		Parts: []part{{"π", 0.5}, {"", negZero}}, Rows: [][]float64{{1}, nil, {}}, Inner: &part{"in", 1},
		Machines: []machine{&other{3}, nil}, Seed: math.MaxUint64, Done: true, hidden: []float64{4}, Unset: 1,
		Text: "<&>",
	}
	b, err := Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Load(b)
	if err != nil || !reflect.DeepEqual(m, back) {
		t.Fatalf("Load returns the error %v, want no error and an equal model; the model\n%+v\nis restored as\n%+v\nfrom the text\n%s", err, m, back, b)
	}
	if again, _ := Marshal(back); string(again) != string(b) {
		t.Errorf("saving the restored model gives different bytes: %s", again)
	}
	for _, want := range []string{`{"schema":"test-model/1","reason":`, `"mc_error":["Infinity","-Infinity",-0,`,
		`"w0":`, `"log_like_hood":`, `{"kind":"other","a":3}`, `"hidden":[4]`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("the text does not contain %s; it is %s", want, b)
		}
	}
	if strings.Contains(string(b), "count") {
		t.Errorf("an unexported field is saved: %s", b)
	}
}

func TestOldForms(t *testing.T) {
	text := `{"schema":"test-model/1","mc_error":{"rows":1,"cols":2,"data":[1,"NaN"]},"inner":{"schema":"part/1","name":"x"}}`
	got, err := Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if m := got.(*model); len(m.MCError) != 2 || !math.IsNaN(m.MCError[1]) || m.Inner.Name != "x" || m.Unset != 7 {
		t.Errorf("the old form is loaded as %+v, want its numbers and the default of the missing field", m)
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                                       "cannot unmarshal",
		`{`:                                        "unexpected end",
		`{"schema":"x"}`:                           `unknown schema "x"`,
		`{"schema":"test-model/1","w1":3}`:         `unknown field "w1"`,
		`{"schema":"test-model/1","w0":"three"}`:   `w0: "three" is not a number`,
		`{"schema":"test-model/1","w0":null}`:      "null where a number",
		`{"schema":"test-model/1","pair":[1]}`:     "pair: 1 entries, want 2",
		`{"schema":"test-model/1","pair":null}`:    "pair: 0 entries",
		`{"schema":"test-model/1","mc_error":[1]}`: "one entry alone",
		`{"schema":"test-model/1","mc_error":{"rows":2,"cols":1,"data":[1,2]}}`:     "2 rows where a vector",
		`{"schema":"test-model/1","dense":{"rows":2,"cols":2,"data":[1,2,3]}}`:      "2×2 and has 3 numbers",
		`{"schema":"test-model/1","dense":{"rows":-1,"cols":-1,"data":[1]}}`:        "-1×-1",
		`{"schema":"test-model/1","dense":{"rows":1,"cols":1,"data":[{}]}}`:         "is not a number",
		`{"schema":"test-model/1","sym":{"rows":1,"cols":2,"data":[1,2]}}`:          "symmetric",
		`{"schema":"test-model/1","dense":{"rows":1,"cols":1,"data":[1],"more":1}}`: "more",
		`{"schema":"test-model/1","parts":[{"name":"a","share":{}}]}`:               "parts: [0]: share",
		`{"schema":"test-model/1","machines":[{"kind":"none"}]}`:                    `unknown schema "none"`,
		`{"schema":"test-model/1","machines":[{"schema":"test-model/1"}]}`:          "is not a machine",
		`{"schema":"test-model/1","rows":[null,{"rows":0}]}`:                        "0×0",
	} {
		if _, err := Load([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("for the text %s the error is %v, want an error that contains %q", text, err, want)
		}
	}
	if _, err := Marshal(&model{Machines: []machine{&stranger{}}}); err == nil || !strings.Contains(err.Error(), "*codec.stranger") {
		t.Errorf("the error for a field that is not a model is %v, want an error that names the type", err)
	}
	if b, err := Marshal((*model)(nil)); string(b) != "null" || err != nil {
		t.Errorf("a nil model is saved as %s with the error %v, want null and no error", b, err)
	}
}

func TestRegisterTwice(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("registering a schema twice does not panic")
		}
	}()
	Register(Kind[part]{Schema: "other"})
}

func TestStrict(t *testing.T) {
	var into struct{ Schema, A string }
	if err := Strict([]byte(`{"schema":"s","a":"x"}`), "s", &into); err != nil || into.A != "x" {
		t.Errorf("Strict returns the error %v and reads %v, want no error and a = x", err, into)
	}
	for _, text := range []string{`{"schema":"t"}`, `{"schema":"s","b":1}`, `x`} {
		if Strict([]byte(text), "s", &into) == nil {
			t.Errorf("Strict accepts %s, want an error", text)
		}
	}
}

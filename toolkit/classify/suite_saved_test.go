package classify_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// savedAndLoaded: a model comes back from JSON, from gob and by its schema alone,
// and a later version of its form is an error.
func savedAndLoaded(t *testing.T, m any) {
	b := roundTrip(t, m)
	loaded := must(classify.Load(b))(t)
	if again := must(json.Marshal(loaded))(t); !bytes.Equal(again, b) {
		t.Errorf("Load: %s came back as %s", b, again)
	}
	other := bytes.Replace(b, []byte(`/1"`), []byte(`/999"`), 1)
	mentions(t, json.Unmarshal(other, emptyOf(m)), "schema", "/999", "version")
}

// roundTrip: m comes back from JSON, which is returned, and from gob.
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

package progress

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzParse: any text is understood or refused in one line; what is understood is
// written so that it is understood again, and then comes out the same, with no
// field lost.
func FuzzParse(f *testing.F) {
	f.Add(passed)
	for _, text := range broken {
		f.Add(text)
	}
	f.Add(`{"schema": "hyperplane-progress/1", "x": [1e400, "\u2028"], "exercises": {"a": {"y": {}, "steps": {"z": 1}}, "b": null, "": {}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parse([]byte(text))
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("more than one line: %v", err)
			}
			return
		}
		first, err := p.text()
		if err != nil {
			t.Fatal(err)
		}
		again, err := parse(first)
		if err != nil {
			t.Fatalf("%v of its own text\n%s", err, first)
		}
		second, err := again.text()
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("written twice (%v)\n%s\n%s", err, first, second)
		}
		var before, after map[string]any
		for text, v := range map[string]*map[string]any{text: &before, string(first): &after} {
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			if err := d.Decode(v); err != nil {
				t.Fatal(err)
			}
		}
		for name, value := range before {
			if known := strings.EqualFold(name, "schema") || strings.EqualFold(name, "exercises"); !known && !reflect.DeepEqual(after[name], value) {
				t.Errorf("%q is %v, was %v", name, after[name], value)
			}
		}
	})
}

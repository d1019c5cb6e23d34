package progress

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzParse: any text is understood or refused in one line; what is understood is
// written so that it is understood again, and then comes out the same.
func FuzzParse(f *testing.F) {
	f.Add(passed)
	for _, text := range damaged {
		f.Add(text)
	}
	f.Add(`{"schema": "hyperplane-progress/1", "Schema": "\u2028", "exercises": {"a": {"steps": {"tries": 1}}, "b": null, "": {}}}`)
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
	})
}

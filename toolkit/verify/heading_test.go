package verify

import "testing"

// An incomplete report may be the last one that is shown: its first display has
// the whole heading.
func TestHeadingIsThereFromTheFirstDisplay(t *testing.T) {
	data, err := bundle(newReport(Heading{Exercise: "prml-0.0", Title: "fixture", Seed: 7, Optional: true}, []Part{{Name: "a"}}))
	if err != nil {
		t.Fatal(err)
	}
	first := data[ReportMIME].(map[string]any)
	for key, want := range map[string]any{"exercise": "prml-0.0", "title": "fixture", "seed": 7.0, "optional": true, "complete": false} {
		if first[key] != want {
			t.Errorf("%s is %v, want %v", key, first[key], want)
		}
	}
	data, err = bundle(newReport(Heading{Exercise: "prml-0.0"}, nil))
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := data[ReportMIME].(map[string]any)["optional"]; ok {
		t.Errorf("a report that counts says optional: %v", v)
	}
}

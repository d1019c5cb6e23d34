package exercises

import (
	"encoding/json"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A report says itself whether it is of the steps; a title decides nothing.
func TestStepsAreOptional(t *testing.T) {
	part := verify.Part{Name: "part", Judge: func() verify.Verdict { return verify.Pass("") }}
	for _, title := range []string{"A title", "A title (steps)"} {
		e := &Exercise{ID: "prml-4.99", Title: title}
		for _, tt := range []struct {
			judge    func(...verify.Part) *verify.Report
			optional bool
		}{{e.Judge, false}, {e.JudgeSteps, true}} {
			r := tt.judge(part)
			text, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			var again verify.Report
			if err := json.Unmarshal(text, &again); err != nil {
				t.Fatal(err)
			}
			if r.Optional != tt.optional || again.Optional != tt.optional {
				t.Errorf("%q: optional is %t, as JSON %t, want %t", r.Title, r.Optional, again.Optional, tt.optional)
			}
		}
	}
}

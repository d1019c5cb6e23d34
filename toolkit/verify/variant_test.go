package verify_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// All forms of a report tell a personal variant, and say nothing of the common one.
func TestVariantInReports(t *testing.T) {
	part := verify.Part{Name: "p", Judge: func() verify.Verdict { return verify.Pass("") }}
	for _, tt := range []struct {
		report *verify.Report
		seed   uint64
	}{{verify.Heading{Exercise: "e", Title: "Title", Seed: 9007199254740991}.Run(part), 9007199254740991}, {verify.Run("e", "Title", part), 0}} {
		for _, form := range []string{tt.report.String(), tt.report.HTML()} {
			if got := strings.Contains(form, "Title · variant 9007199254740991"); got != (tt.seed != 0) {
				t.Errorf("seed %d: %s", tt.seed, form)
			}
		}
		text, err := json.Marshal(tt.report)
		if err != nil {
			t.Fatal(err)
		}
		var again verify.Report
		var object map[string]any
		if err := json.Unmarshal(text, &again); err != nil || again.Seed != tt.seed {
			t.Errorf("the seed %d comes back as %d, %v", tt.seed, again.Seed, err)
		}
		// a page reads numbers as floating point
		if err := json.Unmarshal(text, &object); err != nil || object["seed"] != float64(tt.seed) {
			t.Errorf("the seed %d is %v on the page, %v", tt.seed, object["seed"], err)
		}
	}
}

package toolkit

import (
	"strings"
	"testing"
)

func TestMadeWith(t *testing.T) {
	for _, tc := range []struct {
		name, version string
		silent        bool
	}{
		{"same", Version, true},
		{"same with v", "v" + Version, true},
		{"older", "0.0.1", false},
		{"empty", "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out strings.Builder
			madeWith(&out, tc.version)
			if got := out.String(); (got == "") != tc.silent {
				t.Errorf("MadeWith(%q) printed %q", tc.version, got)
			} else if !tc.silent && (!strings.Contains(got, Version) || !strings.Contains(got, "make lab") || strings.Count(got, "\n") != 1) {
				t.Errorf("MadeWith(%q) printed %q, want one line with both versions and the remedy", tc.version, got)
			}
		})
	}
}

package gate

import (
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
)

func TestFromEnvironment(t *testing.T) {
	for _, tc := range []struct {
		text string
		want uint64
		err  string
	}{
		{"", 0, ""}, {"0", 0, ""}, {"7", 7, ""}, {"18446744073709551615", 1<<64 - 1, ""},
		{"seven", 0, `HYPERPLANE_SEED is "seven"`}, {"-1", 0, "whole number from 0"}, {"1.5", 0, "whole number"}, {" 7", 0, "whole number"},
	} {
		got, err := fromEnvironment(tc.text)
		if got != tc.want || (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
			t.Errorf("%q gives %d, %v; want %d, %q", tc.text, got, err, tc.want, tc.err)
		}
	}
}

func TestVariant(t *testing.T) {
	before := Seed()
	t.Run("inside", func(t *testing.T) {
		Variant(t, before+5)
		if seed.Get() != before+5 {
			t.Errorf("the seed is %d, want %d", seed.Get(), before+5)
		}
	})
	if Seed() != before {
		t.Errorf("the seed stays %d after the test, want %d", Seed(), before)
	}
}

package seed

import (
	"strings"
	"testing"
)

func reset() { state.value, state.wasRead = 0, false }

func TestChoose(t *testing.T) {
	defer reset()
	for _, tc := range []struct {
		name string
		do   func() error
		want string // text that the error must contain; "" if there must be no error
		seed uint64
	}{
		{"once", func() error { return Choose(7) }, "", 7},
		{"twice the same", func() error { _ = Choose(7); return Choose(7) }, "", 7},
		{"twice", func() error { _ = Choose(7); return Choose(8) },
			"variant 8 cannot be chosen: this program already uses variant 7", 7},
		{"after a check", func() error { Get(); return Choose(8) }, "already uses variant 0", 0},
		{"variant 0 after variant 7", func() error { _ = Choose(7); return Choose(0) }, "already uses variant 7", 7},
		{"the common variant after a check", func() error { Get(); return Choose(0) }, "", 0},
		{"the same variant after a check", func() error { _ = Choose(7); Get(); return Choose(7) }, "", 7},
	} {
		t.Run(tc.name, func(t *testing.T) {
			reset()
			err := tc.do()
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got the error %v, want an error that contains %q (\"\" means no error)", err, tc.want)
			}
			if got := Get(); got != tc.seed {
				t.Errorf("got the seed %d, want %d", got, tc.seed)
			}
		})
	}
}

// TestSourceSpreads checks that neighbouring seeds, and seeds with a single set bit, draw unrelated
// numbers. The mean of the first numbers of all generators must be near the mean of a uniform
// distribution.
func TestSourceSpreads(t *testing.T) {
	sum, n := 0.0, 0
	for s := range uint64(1000) {
		sum += Source(s, 402, 1).Float64()
		n++
	}
	for bit := range 64 {
		sum += Source(1<<bit, 402, 1).Float64()
		n++
	}
	if mean := sum / float64(n); mean < 0.46 || mean > 0.54 { // more than four standard errors
		t.Errorf("the mean of the first numbers of %d generators is %g, want 0.46 to 0.54", n, mean)
	}
}

package must

import (
	"errors"
	"strconv"
	"testing"
)

// recorder is a testing.TB that counts failures instead of failing.
type recorder struct {
	testing.TB
	failed int
}

func (r *recorder) Errorf(string, ...any) { r.failed++ }
func (r *recorder) Fatal(...any)          { r.failed++ }

// TestRed checks that each helper fails if its condition does not hold.
func TestRed(t *testing.T) {
	none := errors.New("none")
	for name, tt := range map[string]struct {
		do   func(t testing.TB)
		want int
	}{
		"done":                {func(t testing.TB) { Do(t, nil) }, 0},
		"not done":            {func(t testing.TB) { Do(t, none) }, 1},
		"not got":             {func(t testing.TB) { Get(strconv.Atoi("x"))(t) }, 1},
		"contained":           {func(t testing.TB) { Contain(t, "abc", "a", "c") }, 0},
		"two not contained":   {func(t testing.TB) { Contain(t, "abc", "x", "a", "y") }, 2},
		"no error":            {func(t testing.TB) { Fail(t, nil, "") }, 0},
		"an error":            {func(t testing.TB) { Fail(t, none, "") }, 1},
		"the error":           {func(t testing.TB) { Fail(t, none, "no", "ne") }, 0},
		"no error, one want":  {func(t testing.TB) { Fail(t, nil, "none") }, 1},
		"another error":       {func(t testing.TB) { Fail(t, none, "none", "one more") }, 1},
		"the golden text":     {func(t testing.TB) { Golden(t, "testdata/golden", "text\n") }, 0},
		"another golden text": {func(t testing.TB) { Golden(t, "testdata/golden", "text") }, 1},
	} {
		r := &recorder{TB: t}
		if tt.do(r); r.failed != tt.want {
			t.Errorf("%s: got %d failures, want %d", name, r.failed, tt.want)
		}
	}
}

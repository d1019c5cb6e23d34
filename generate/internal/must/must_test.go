package must

import (
	"errors"
	"strconv"
	"strings"
	"testing"
)

// A recorder is a testing.TB that counts the failures and does not fail the test.
type recorder struct {
	testing.TB
	failed int
}

func (r *recorder) Errorf(string, ...any) { r.failed++ }
func (r *recorder) Fatal(...any)          { r.failed++ }

// TestRed checks that the helpers Do, Get, Contain, Fail and Golden report one failure for each
// condition that does not hold, and no failure if all conditions hold.
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

// TestComplaints checks that the function complaints finds the fault of each faulty notebook in the
// table, and no fault in the good notebook.
func TestComplaints(t *testing.T) {
	const good = "{\n \"cells\": [],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n"
	tests := []struct{ name, notebook, want string }{
		{"good", good, ""},
		{"indented by two", strings.ReplaceAll(good, "\n ", "\n  "), "written differently"},
		{"no final newline", strings.TrimSuffix(good, "\n"), "written differently"},
		{"format 4.4", strings.Replace(good, "minor\": 5", "minor\": 4", 1), "format is not 4.5"},
		{"not JSON", "# Title\n", "does not validate"},
		{"cell without id", strings.Replace(good, "[]", `[{"cell_type":"markdown","metadata":{},"source":""}]`, 1),
			"does not validate"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := complaints(t, map[string]string{"a/b.ipynb": tt.notebook})
			if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("got the complaints %q, want complaints that contain %q (\"\" means no complaints)", got, tt.want)
			}
		})
	}
}

package verify

import (
	"io"
	"os"
	"strings"
	"testing"
)

// heard runs f and returns what it wrote to standard output and standard error.
func heard(t *testing.T, f func()) (stdout, stderr string) {
	t.Helper()
	wasOut, wasErr := os.Stdout, os.Stderr
	defer func() { os.Stdout, os.Stderr = wasOut, wasErr }()
	texts := [2]chan string{make(chan string, 1), make(chan string, 1)}
	var writers [2]*os.File
	for i := range texts {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		writers[i] = w
		go func() {
			text, _ := io.ReadAll(r)
			texts[i] <- string(text)
		}()
	}
	os.Stdout, os.Stderr = writers[0], writers[1]
	f()
	writers[0].Close()
	writers[1].Close()
	return <-texts[0], <-texts[1]
}

// TestRequire: nbgrader gives all points to a cell without output on standard error, and no points
// to a cell with such output.
func TestRequire(t *testing.T) {
	parts := []Part{
		{Name: "first", Judge: func() Verdict { return Pass("") }},
		{Name: "second", Judge: func() Verdict { return Fail("sign", 0, "the sign") }},
		{Name: "third", Judge: func() Verdict { panic("boom") }},
		{Name: "fourth", Judge: func() Verdict { panic(TODO) }},
	}
	for n, want := range map[int]string{
		1: "", 2: "part 2 is Wrong: second", 3: "part 3 is Crashed: third", 4: "part 4 is NotAttempted: fourth",
		0: "no part 0: prml-0.0 has parts 1 to 4", 5: "no part 5",
	} {
		t.Setenv("NBGRADER_EXECUTION", "autograde")
		_, stderr := heard(t, func() { Run("prml-0.0", "fixture", parts...).Require(n) })
		if (want == "") != (stderr == "") || !strings.Contains(stderr, want) {
			t.Errorf("Require(%d) says %q, want %q", n, stderr, want)
		}
		t.Setenv("NBGRADER_EXECUTION", "")
		_, stderr = heard(t, func() { Run("prml-0.0", "fixture", parts[:2]...).Require(min(n, 2)) })
		if stderr != "" {
			t.Errorf("in a lab Require(%d) says %q; the report has said it", n, stderr)
		}
	}
}

// TestTraceUnderNbgrader: the trace of a part that panics is shown, and costs no points of the
// other parts.
func TestTraceUnderNbgrader(t *testing.T) {
	boom := Part{Name: "part", Judge: func() Verdict { panic("boom") }}
	for _, tt := range []struct{ variable, where string }{{"", "stderr"}, {"validate", "stdout"}} {
		t.Setenv("NBGRADER_EXECUTION", tt.variable)
		stdout, stderr := heard(t, func() { Run("prml-0.0", "fixture", boom, boom) })
		got := map[string]string{"stdout": stdout, "stderr": stderr}
		if !strings.Contains(got[tt.where], "panic: boom") || !strings.Contains(got[tt.where], "panic again: boom") {
			t.Errorf("NBGRADER_EXECUTION=%q: no trace on %s: %q", tt.variable, tt.where, got)
		}
		delete(got, tt.where)
		for name, text := range got {
			if text != "" {
				t.Errorf("NBGRADER_EXECUTION=%q: %s says %q", tt.variable, name, text)
			}
		}
	}
}

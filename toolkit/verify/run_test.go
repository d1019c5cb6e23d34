package verify

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

func TestRunOutcomes(t *testing.T) {
	var nilFunc func() Verdict
	for _, tc := range []struct {
		name  string
		limit time.Duration
		judge func() Verdict
		want  Outcome
		key   string
	}{
		{"right", 0, func() Verdict { return Pass("yes") }, Right, ""},
		{"wrong", 0, func() Verdict { return Fail("sign", 2, "looks like a sign") }, Wrong, "sign"},
		{"stub", 0, func() Verdict { panic(TODO) }, NotAttempted, ""},
		{"own panic", 0, func() Verdict { panic("TODO") }, Crashed, ""},
		{"panic with an uncomparable value", 0, func() Verdict { panic([]int{1}) }, Crashed, ""},
		{"panic(nil)", 0, func() Verdict { panic(nil) }, Crashed, ""},
		{"Goexit", 0, func() Verdict { runtime.Goexit(); return Pass("") }, Crashed, "goexit"},
		{"nil function", 0, nilFunc, Crashed, "panic-in-check"},
		{"endless", 20 * time.Millisecond, func() Verdict { select {} }, TimedOut, "timed-out"},
		{"verdict without outcome", 0, func() Verdict { return Verdict{} }, NotRun, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			after := false
			r := Run("prml-0.0", "fixture",
				Part{Name: "part", Limit: tc.limit, Judge: tc.judge},
				Part{Name: "next", Judge: func() Verdict { after = true; return Pass("") }})
			if got := r.Parts[0]; got.Outcome != tc.want || tc.key != "" && got.Key != tc.key {
				t.Errorf("outcome %v, key %q, want %v, %q", got.Outcome, got.Key, tc.want, tc.key)
			}
			if !after || !r.Complete {
				t.Errorf("the next part was not judged")
			}
			if r.Passed() != (tc.want == Right) {
				t.Errorf("Passed() = %v for %v", r.Passed(), tc.want)
			}
		})
	}
}

// TestOneTrace: five parts that panic in one place do not fill the page with five
// stack traces.
func TestOneTrace(t *testing.T) {
	boom := Part{Name: "part", Judge: func() Verdict { panic("boom\non two lines") }}
	text := onStderr(t, func() { Run("prml-0.0", "fixture", boom, boom, boom) })
	if n := strings.Count(text, "goroutine "); n == 0 || n != strings.Count(strings.SplitAfter(text, "panic again")[0], "goroutine ") {
		t.Errorf("want one stack trace, the first:\n%s", text)
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines[len(lines)-2:] {
		if line != "panic again: boom on two lines, outside your code" {
			t.Errorf("a later panic is printed as %q", line)
		}
	}
	if again := onStderr(t, func() { Run("prml-0.0", "fixture", boom) }); !strings.Contains(again, "goroutine ") || strings.Contains(again, "again") {
		t.Errorf("the next report has no trace of its own:\n%s", again)
	}
}

// onStderr returns what f writes to standard error.
func onStderr(t *testing.T, f func()) string {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	defer func(old *os.File) { os.Stderr = old }(os.Stderr)
	os.Stderr = file
	f()
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEmptyAndIncompleteNeverPass(t *testing.T) {
	if Run("prml-0.0", "no parts").Passed() {
		t.Error("a report without parts passed")
	}
	r := newReport(Heading{Exercise: "prml-0.0", Title: "fixture"}, []Part{{Name: "a"}})
	r.Parts[0].set(Pass(""))
	if r.Passed() {
		t.Error("an incomplete report passed")
	}
}

// All forms of a report say the same; only a personal variant tells its seed, and
// an incomplete one, which may be the last that is shown, has the whole heading.
func TestReportForms(t *testing.T) {
	const seed = 1<<53 - 1 // the largest that a page, which reads numbers as floating point, holds
	common := Run("prml-4.9", "a < b & c",
		Part{Name: "first", Judge: func() Verdict { return Pass("fine") }},
		Part{Name: "second", Judge: func() Verdict { return Fail("k", 3, "x < y\nsecond line") }})
	first := newReport(Heading{Exercise: "prml-4.9", Title: "a < b & c", Seed: seed, Optional: true}, []Part{{Name: "first"}})
	for _, tt := range []struct {
		r          *Report
		text, page []string
	}{
		{common, []string{"prml-4.9 · a < b & c\n", "Right", "Wrong", "1. first", "x < y", "ex09.Hint(3)", "not passed: 1 of 2"},
			[]string{"a &lt; b &amp; c</caption>", "x &lt; y<br>second line", "Hint(3)"}},
		{first, []string{"a < b & c · variant 9007199254740991\n", "judging: 0 of 1"}, []string{"a &lt; b &amp; c · variant 9007199254740991</caption>"}},
	} {
		data, err := bundle(tt.r)
		if err != nil {
			t.Fatal(err)
		}
		for mime, wants := range map[protocol.MIMEType][]string{protocol.MIMETextPlain: tt.text, protocol.MIMETextHTML: tt.page} {
			for _, want := range wants {
				if form := data[mime].(string); !strings.Contains(form, want) {
					t.Errorf("%s lacks %q:\n%s", mime, want, form)
				}
			}
		}
		// The kernel's pipe is gob: a value of an unknown type kills it for the cell.
		var pipe bytes.Buffer
		var got protocol.DisplayData
		if err := errors.Join(gob.NewEncoder(&pipe).Encode(&protocol.DisplayData{Data: data}), gob.NewDecoder(&pipe).Decode(&got)); err != nil {
			t.Fatal(err)
		}
		object := got.Data[ReportMIME].(map[string]any)
		for key, want := range map[string]any{"exercise": "prml-4.9", "title": "a < b & c", "seed": float64(tt.r.Seed), "complete": tt.r.Complete, "passed": false} {
			if object[key] != want {
				t.Errorf("%s arrived as %v, want %v", key, object[key], want)
			}
		}
		if v, ok := object["optional"]; ok != tt.r.Optional {
			t.Errorf("optional arrived as %v", v)
		}
		text, err := json.Marshal(tt.r)
		var back Report
		if err := errors.Join(err, json.Unmarshal(text, &back)); err != nil || !reflect.DeepEqual(&back, tt.r) {
			t.Errorf("JSON round trip gave %+v, %v", back, err)
		}
	}
}

func TestOutcomeText(t *testing.T) {
	for o := NotRun; o <= TimedOut; o++ {
		b, _ := o.MarshalText()
		var back Outcome
		if err := back.UnmarshalText(b); err != nil || back != o {
			t.Errorf("%v came back as %v, %v", o, back, err)
		}
	}
	var o Outcome
	if err := o.UnmarshalText([]byte("Perfect")); err == nil {
		t.Error("an unknown outcome was read without an error")
	}
	if got := Outcome(99).String(); got != "Outcome(99)" {
		t.Errorf("String of an unknown outcome: %q", got)
	}
}

// TestEndlessOnce: a loop without an end is waited for once for each function, and
// in all no longer than DefaultLimit.
func TestEndlessOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		endless := func() Verdict { <-end; return Pass("") }
		fine := func() Verdict { return Pass("") }
		start := time.Now()
		r := Run("prml-0.0", "fixture",
			Part{Name: "f", Of: []string{"Fit"}, Judge: endless}, Part{Name: "f", Of: []string{"Fit"}, Judge: fine},
			Part{Name: "g", Of: []string{"Grow"}, Judge: endless}, Part{Name: "h", Of: []string{"Halt"}, Judge: fine}, Part{Name: "g", Of: []string{"Grow"}, Judge: endless})
		if took := time.Since(start); took > DefaultLimit {
			t.Errorf("waited %v", took)
		}
		close(end)
		want := []Outcome{TimedOut, NotRun, TimedOut, Right, NotRun}
		for i, p := range r.Parts {
			if p.Outcome != want[i] {
				t.Errorf("part %d is %v, want %v", i+1, p.Outcome, want[i])
			}
		}
		if m := r.Parts[4].Message; m != "Not asked: Grow did not come to an end in part 3." {
			t.Errorf("part 5 says %q", m)
		}
		if r.Passed() || !r.Complete {
			t.Error("the report is passed, or not complete")
		}
	})
}

// TestEcho: what an earlier part has said of the same function is not said again.
func TestEcho(t *testing.T) {
	slip := func(message string) func() Verdict { return func() Verdict { return Fail("slip", 2, "%s", message) } }
	r := Run("prml-0.0", "fixture",
		Part{Name: "a", Of: []string{"F"}, Judge: slip("first")}, Part{Name: "b", Of: []string{"G"}, Judge: slip("of another")},
		Part{Name: "c", Of: []string{"F"}, Judge: slip("second")}, Part{Name: "d", Judge: slip("of nobody")},
		Part{Name: "e", Of: []string{"F"}, Judge: func() Verdict { return Fail("other", 1, "something else") }})
	for i, want := range []string{"first", "of another", "The same as in part 1: mend that first.", "of nobody", "something else"} {
		if got := r.Parts[i]; got.Message != want || got.Outcome != Wrong || strings.HasPrefix(want, "The same") != (got.Hint == 0) {
			t.Errorf("part %d: %+v, want %q", i+1, got, want)
		}
	}
	crash := func(cause string) func() Verdict { return func() Verdict { panic(cause) } }
	r = Run("prml-0.0", "fixture", Part{Name: "a", Of: []string{"F"}, Judge: crash("one")}, Part{Name: "b", Of: []string{"F"}, Judge: crash("one")}, Part{Name: "c", Of: []string{"F"}, Judge: crash("two")})
	if !strings.HasPrefix(r.Parts[1].Message, "The same") || !strings.Contains(r.Parts[2].Message, "panic: two") {
		t.Errorf("panics:\n%s", r)
	}
}

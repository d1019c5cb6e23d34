package verify

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"
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

func TestReportForms(t *testing.T) {
	r := Run("prml-0.0", "a < b & c",
		Part{Name: "first", Judge: func() Verdict { return Pass("fine") }},
		Part{Name: "second", Judge: func() Verdict { return Fail("k", 3, "x < y\nsecond line") }})
	text, page := r.String(), r.HTML()
	for _, want := range []string{"Right", "Wrong", "first", "x < y", "Hint(3)", "not passed: 1 of 2"} {
		if !strings.Contains(text, want) {
			t.Errorf("String lacks %q:\n%s", want, text)
		}
	}
	for _, want := range []string{"a &lt; b &amp; c", "x &lt; y<br>second line", "Hint(3)"} {
		if !strings.Contains(page, want) {
			t.Errorf("HTML lacks %q:\n%s", want, page)
		}
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Report
		Passed bool `json:"passed"`
	}
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if back.Passed || !back.Complete || back.Parts[1] != r.Parts[1] || back.Exercise != "prml-0.0" {
		t.Errorf("JSON round trip gave %+v", back)
	}
}

// The kernel's pipe is gob: a value of an unknown type kills it for the cell.
func TestBundleSurvivesGob(t *testing.T) {
	r := Run("prml-0.0", "fixture", Part{Name: "p", Judge: func() Verdict { return Fail("k", 1, "m") }})
	data, err := bundle(r)
	if err != nil {
		t.Fatal(err)
	}
	var pipe bytes.Buffer
	if err := gob.NewEncoder(&pipe).Encode(&protocol.DisplayData{Data: data}); err != nil {
		t.Fatal(err)
	}
	var got protocol.DisplayData
	if err := gob.NewDecoder(&pipe).Decode(&got); err != nil {
		t.Fatal(err)
	}
	object, ok := got.Data[protocol.MIMEType(ReportMIME)].(map[string]any)
	if !ok || object["exercise"] != "prml-0.0" {
		t.Errorf("the report arrived as %v", got.Data[protocol.MIMEType(ReportMIME)])
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

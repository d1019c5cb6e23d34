package verify

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io"
	"os"
	"reflect"
	"runtime"
	"slices"
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
		{"panic with the text TODO", 0, func() Verdict { panic("TODO") }, Crashed, ""},
		{"panic with an uncomparable value", 0, func() Verdict { panic([]int{1}) }, Crashed, ""},
		{"panic with a long text", 0, func() Verdict { panic(strings.Repeat("long ", 1<<20)) }, Crashed, ""},
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
				t.Errorf("got the result %+v, want the outcome %v with the key %q (\"\" allows every key)", got, tc.want, tc.key)
			}
			if n := len(r.Parts[0].Message); n > 5000 {
				t.Errorf("the message has %d bytes, want at most 5000", n)
			}
			if !after || !r.Complete || r.Passed() != (tc.want == Right) {
				t.Errorf("the next part was judged: %v, the report is complete: %v and has passed: %v; want true, true and %v",
					after, r.Complete, r.Passed(), tc.want == Right)
			}
		})
	}
}

// TestLimit checks that the time limit of a part is multiplied by the integer in
// HYPERPLANE_PATIENCE. The factor must be from 1 to 100, and 1 if the variable contains no integer.
func TestLimit(t *testing.T) {
	for text, want := range map[string]time.Duration{"": defaultLimit, "10": 10 * defaultLimit, "0": defaultLimit,
		"-3": defaultLimit, "soon": defaultLimit, "1000000000000": 100 * defaultLimit} {
		t.Setenv(patienceVariable, text)
		if got := (Part{}).limit(); got != want {
			t.Errorf("with %s=%q, got the limit %v, want %v", patienceVariable, text, got, want)
		}
		if got := (Part{Limit: defaultLimit / 2}).limit(); got != want/2 {
			t.Errorf("with %s=%q a part whose Limit is half of the default has the time limit %v, want %v", patienceVariable, text, got, want/2)
		}
	}
}

// TestOneTrace checks that Run prints only one stack trace if several parts panic in the same place.
func TestOneTrace(t *testing.T) {
	boom := Part{Name: "part", Judge: func() Verdict { panic("boom\non two lines") }}
	_, text := capturedOutput(t, func() { Run("prml-0.0", "fixture", boom, boom, boom) })
	if n := strings.Count(text, "goroutine "); n == 0 || n != strings.Count(strings.SplitAfter(text, "panic again")[0], "goroutine ") {
		t.Errorf("want only one stack trace, the trace of the first panic, got\n%s", text)
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines[len(lines)-2:] {
		if line != "panic again: boom on two lines, outside your code" {
			t.Errorf("Run prints a later panic as %q, want the value and the place in one line", line)
		}
	}
	if _, again := capturedOutput(t, func() { Run("prml-0.0", "fixture", boom) }); !strings.Contains(again, "goroutine ") || strings.Contains(again, "again") {
		t.Errorf("a second report must print a stack trace and no line with 'panic again', got\n%s", again)
	}
}

func TestEmptyAndIncompleteNeverPass(t *testing.T) {
	if Run("prml-0.0", "no parts").Passed() {
		t.Error("Passed is true for a report without parts")
	}
	r := newReport(Heading{Exercise: "prml-0.0", Title: "fixture"}, []Part{{Name: "a"}})
	r.Parts[0].set(Pass(""))
	if r.Passed() {
		t.Error("Passed is true for an incomplete report")
	}
}

// TestReportForms checks that all forms of a report (text, HTML and JSON) have the same content.
// Only the report on a personal variant may show a seed. Even an incomplete report must have the
// whole heading, because it may be the last state of the report that the notebook shows.
func TestReportForms(t *testing.T) {
	const seed = 1<<53 - 1 // JavaScript's numbers are floats, which represent all integers up to this one exactly
	common := Run("prml-4.9", "a < b & c",
		Part{Name: "first", Judge: func() Verdict { return Pass("fine") }},
		Part{Name: "second", Judge: func() Verdict { return Fail("k", 3, "x < y\nsecond line") }})
	first := newReport(Heading{Exercise: "prml-4.9", Title: "a < b & c", Seed: seed, Optional: true},
		[]Part{{Name: "first"}})
	for _, tt := range []struct {
		r          *Report
		text, page []string
	}{
		{common, []string{"prml-4.9 · a < b & c\n", "Right", "Wrong", "1. first", "x < y", "ex09.Hint(3)",
			"not passed: 1 of 2"},
			[]string{"a &lt; b &amp; c</caption>", "x &lt; y<br>second line", "Hint(3)"}},
		{first, []string{"a < b & c · variant 9007199254740991\n", "judging: 0 of 1"},
			[]string{"a &lt; b &amp; c · variant 9007199254740991</caption>"}},
	} {
		data, err := bundle(tt.r)
		if err != nil {
			t.Fatal(err)
		}
		for mime, wants := range map[protocol.MIMEType][]string{protocol.MIMETextPlain: tt.text,
			protocol.MIMETextHTML: tt.page} {
			for _, want := range wants {
				if form := data[mime].(string); !strings.Contains(form, want) {
					t.Errorf("%s lacks %q:\n%s", mime, want, form)
				}
			}
		}
		// The pipe to the kernel encodes values with gob. If a value has a type that is not
		// registered, the pipe fails for all later output of the cell.
		var pipe bytes.Buffer
		var got protocol.DisplayData
		if err := errors.Join(gob.NewEncoder(&pipe).Encode(&protocol.DisplayData{Data: data}),
			gob.NewDecoder(&pipe).Decode(&got)); err != nil {
			t.Fatal(err)
		}
		object := got.Data[ReportMIME].(map[string]any)
		for key, want := range map[string]any{"exercise": "prml-4.9", "title": "a < b & c", "seed": float64(tt.r.Seed),
			"complete": tt.r.Complete, "passed": false} {
			if object[key] != want {
				t.Errorf("the key %s arrived through gob as %v, want %v", key, object[key], want)
			}
		}
		if v, ok := object["optional"]; ok != tt.r.Optional {
			t.Errorf("the key \"optional\" arrived as %v, want it only for a report on intermediate steps", v)
		}
		text, err := json.Marshal(tt.r)
		var back Report
		if err := errors.Join(err, json.Unmarshal(text, &back)); err != nil || !reflect.DeepEqual(&back, tt.r) {
			t.Errorf("saving and loading as JSON gives the report %+v and the error %v, want the same report and no error", back, err)
		}
	}
}

func TestOutcomeText(t *testing.T) {
	for o := NotRun; o <= TimedOut; o++ {
		b, _ := o.MarshalText()
		var back Outcome
		if err := back.UnmarshalText(b); err != nil || back != o {
			t.Errorf("the outcome %v is read as %v with the error %v, want the same outcome and no error", o, back, err)
		}
	}
	var o Outcome
	if err := o.UnmarshalText([]byte("Perfect")); err == nil {
		t.Error("an unknown outcome was read without an error")
	}
	if got := Outcome(99).String(); got != "Outcome(99)" {
		t.Errorf("String returns %q for the unknown outcome 99, want Outcome(99)", got)
	}
}

// TestSlowMachine checks that an answer may take longer if the check's own work on the same problems
// takes long. Run gives this work as much time as the usual limit and must not wait longer for it.
func TestSlowMachine(t *testing.T) {
	sleep := func(d time.Duration) func() { return func() { time.Sleep(d) } }
	for name, tc := range map[string]struct {
		own, answer func()
		took        time.Duration
		want        Outcome
	}{
		"fast machine": {sleep(time.Millisecond), sleep(defaultLimit + time.Second), defaultLimit, TimedOut},
		"slow machine": {sleep(5 * time.Second), sleep(2 * defaultLimit), 2 * defaultLimit, Right},
		"endless on a slow machine": {sleep(5 * time.Second), sleep(time.Hour), ownTimeFactor * 5 * time.Second,
			TimedOut},
		"answer arrives while Own runs": {sleep(time.Minute), sleep(defaultLimit + time.Second), defaultLimit + time.Second, Right},
		"Own hangs":                     {sleep(time.Hour), sleep(2 * time.Hour), 2 * defaultLimit, TimedOut},
		"Own panics":                    {func() { panic("the learner's") }, sleep(time.Hour), defaultLimit, TimedOut},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				r := Run("prml-0.0", "fixture",
					Part{Name: "f", Own: tc.own, Judge: func() Verdict { tc.answer(); return Pass("") }})
				if took := time.Since(start).Round(time.Second); r.Parts[0].Outcome != tc.want || took != tc.took {
					t.Errorf("got the outcome %v after %v, want %v after %v", r.Parts[0].Outcome, took, tc.want, tc.took)
				}
				time.Sleep(3 * time.Hour) // package synctest requires that every goroutine ends
			})
		})
	}
}

// TestEndlessOnce checks that Run waits only once for a function that never returns. Later parts
// must not call this function.
func TestEndlessOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		endless := func() Verdict { <-end; return Pass("") }
		fine := func() Verdict { return Pass("") }
		start := time.Now()
		r := Run("prml-0.0", "fixture",
			Part{Name: "f", Of: []string{"Fit"}, Judge: endless}, Part{Name: "f", Of: []string{"Fit"}, Judge: fine},
			Part{Name: "g", Of: []string{"Grow"}, Judge: endless}, Part{Name: "h", Of: []string{"Halt"}, Judge: fine},
			Part{Name: "g", Of: []string{"Grow"}, Judge: endless})
		if took := time.Since(start); took != 2*defaultLimit {
			t.Errorf("waited %v, want %v: the default limit once for Fit and once for Grow", took, 2*defaultLimit)
		}
		close(end)
		want := []Outcome{TimedOut, NotRun, TimedOut, Right, NotRun}
		for i, p := range r.Parts {
			if p.Outcome != want[i] {
				t.Errorf("part %d has the outcome %v, want %v", i+1, p.Outcome, want[i])
			}
		}
		if m := r.Parts[4].Message; m != "Not called: Grow is also used in part 3, which exceeded its time limit." {
			t.Errorf("part 5 has the message %q, want a message that names Grow and the time limit of part 3", m)
		}
		if r.Passed() || !r.Complete {
			t.Errorf("the report has passed: %v, and is complete: %v; want false and true", r.Passed(), r.Complete)
		}
	})
}

// TestEcho checks that the message of a part refers to an earlier part if both found the same
// mistake in the same function.
func TestEcho(t *testing.T) {
	slip := func(message string) func() Verdict { return func() Verdict { return Fail("slip", 2, "%s", message) } }
	r := Run("prml-0.0", "fixture",
		Part{Name: "a", Of: []string{"F"}, Judge: slip("first")},
		Part{Name: "b", Of: []string{"G"}, Judge: slip("of another")},
		Part{Name: "c", Of: []string{"F"}, Judge: slip("second")}, Part{Name: "d", Judge: slip("of nobody")},
		Part{Name: "e", Of: []string{"F"}, Judge: func() Verdict { return Fail("other", 1, "something else") }})
	for i, want := range []string{"first", "of another", "Some cases of this part show the mistake of part 1: fix it there first.", "of nobody",
		"something else"} {
		if got := r.Parts[i]; got.Message != want || got.Outcome != Wrong ||
			strings.HasPrefix(want, "Some cases") != (got.Hint == 0) {
			t.Errorf("got the result %+v, want the message %q, and a hint unless the message refers to an earlier part", got, want)
		}
	}
	crash := func(cause string) func() Verdict { return func() Verdict { panic(cause) } }
	r = Run("prml-0.0", "fixture", Part{Name: "a", Of: []string{"F"}, Judge: crash("one")},
		Part{Name: "b", Of: []string{"F"}, Judge: crash("one")},
		Part{Name: "c", Of: []string{"F"}, Judge: crash("two")})
	if !strings.HasPrefix(r.Parts[1].Message, "Some cases") || !strings.Contains(r.Parts[2].Message, "panic: two") {
		t.Errorf("want a reference to part 1 for the second panic and the panic's own message for the third, got\n%s", r)
	}
}

// TestTry checks that a trial judges the parts in the given order and stops at the first part that
// is not Right. Its report must be complete only if all given parts are Right. After Try has
// returned, a call of Run must not be a trial.
func TestTry(t *testing.T) {
	var judged []int
	part := func(i int, v Verdict) Part {
		return Part{Judge: func() Verdict { judged = append(judged, i); return v }}
	}
	parts := []Part{part(0, Pass("")), part(1, Fail("wrong", 0, "wrong")), part(2, Pass(""))}
	for _, tt := range []struct {
		order, judged []int
		complete      bool
	}{{[]int{2, 0}, []int{2, 0}, true}, {[]int{2, 1, 0}, []int{2, 1}, false}, {[]int{1}, []int{1}, false},
		{nil, nil, false}, {[]int{0, 3}, []int{0}, false}} {
		judged = nil
		var r *Report
		Try(tt.order, func() { r = Run("id", "title", parts...) })
		if !slices.Equal(judged, tt.judged) || r.Complete != tt.complete {
			t.Errorf("Try with the parts %v judged %v (complete: %t), want %v (complete: %t)", tt.order, judged, r.Complete, tt.judged, tt.complete)
		}
	}
	if judged = nil; !Run("id", "title", parts...).Complete || len(judged) != 3 {
		t.Errorf("after the trials, Run judged the parts %v, want all of them and a complete report", judged)
	}
}

// capturedOutput runs f and returns the texts that f wrote to standard output and standard error.
func capturedOutput(t *testing.T, f func()) (stdout, stderr string) {
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

// TestRequire checks that Require writes to standard error if and only if nbgrader runs the
// notebook and the part is not Right or does not exist. nbgrader gives points to a test cell only if
// the cell writes nothing to standard error.
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
		_, stderr := capturedOutput(t, func() { Run("prml-0.0", "fixture", parts...).Require(n) })
		if (want == "") != (stderr == "") || !strings.Contains(stderr, want) {
			t.Errorf("Require(%d) writes %q, want %q", n, stderr, want)
		}
		t.Setenv("NBGRADER_EXECUTION", "")
		_, stderr = capturedOutput(t, func() { Run("prml-0.0", "fixture", parts[:2]...).Require(min(n, 2)) })
		if stderr != "" {
			t.Errorf("outside nbgrader Require(%d) writes %q, want nothing", min(n, 2), stderr)
		}
	}
}

// TestTraceUnderNbgrader checks that the stack trace of a panic goes to standard output when
// nbgrader runs the notebook. If it went to standard error, the cell would also lose the points for
// parts without a panic.
func TestTraceUnderNbgrader(t *testing.T) {
	boom := Part{Name: "part", Judge: func() Verdict { panic("boom") }}
	for _, tt := range []struct{ variable, where string }{{"", "stderr"}, {"validate", "stdout"}} {
		t.Setenv("NBGRADER_EXECUTION", tt.variable)
		stdout, stderr := capturedOutput(t, func() { Run("prml-0.0", "fixture", boom, boom) })
		got := map[string]string{"stdout": stdout, "stderr": stderr}
		if !strings.Contains(got[tt.where], "panic: boom") || !strings.Contains(got[tt.where], "panic again: boom") {
			t.Errorf("with NBGRADER_EXECUTION=%q, want the stack trace and a line with 'panic again' on %s, got %q", tt.variable, tt.where, got)
		}
		delete(got, tt.where)
		for name, text := range got {
			if text != "" {
				t.Errorf("with NBGRADER_EXECUTION=%q, %s contains %q, want nothing", tt.variable, name, text)
			}
		}
	}
}

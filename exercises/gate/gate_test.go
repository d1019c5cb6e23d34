package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// recorder is a TB that only records errors. A test can therefore call the gate with a bad report
// and still pass.
type recorder struct{ errors []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func report(v ...verify.Verdict) *verify.Report {
	var parts []verify.Part
	for _, v := range v {
		parts = append(parts, verify.Part{Name: "part", Judge: func() verify.Verdict { return v }})
	}
	return verify.Run("prml-0.0", "fixture", parts...)
}

// TestGateGoesRed checks that Right, Wrong and Outcome fail a test exactly if the report on an answer
// is not as required.
func TestGateGoesRed(t *testing.T) {
	e := &exercises.Exercise{Hints: []string{"one"}}
	right, wrong := verify.Pass("fine"), verify.Fail("key", 1, "looks like …")
	for _, tc := range []struct {
		name string
		red  bool
		run  func(TB)
	}{
		{"right accepted", false, func(t TB) { Right(t, report(right)) }},
		{"right refused", true, func(t TB) { Right(t, report(right, wrong)) }},
		{"report without parts", true, func(t TB) { Right(t, report()) }},
		{"wrong with its key", false, func(t TB) { Wrong(t, e, report(right, wrong), "key") }},
		{"wrong with another key", true, func(t TB) { Wrong(t, e, report(wrong), "other") }},
		{"wrong answer passes", true, func(t TB) { Wrong(t, e, report(right), "key") }},
		{"hint that does not exist", true, func(t TB) { Wrong(t, e, report(verify.Fail("key", 2, "m")), "key") }},
		{"empty message", true, func(t TB) { Wrong(t, e, report(verify.Fail("key", 1, " ")), "key") }},
		{"incomplete", true, func(t TB) { r := report(wrong); r.Complete = false; Wrong(t, e, r, "key") }},
		{"stub", false,
			func(t TB) { Outcome(t, report(verify.Verdict{Outcome: verify.NotAttempted}), verify.NotAttempted) }},
		{"stub that passes", true, func(t TB) { Outcome(t, report(right), verify.NotAttempted) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rec := &recorder{}
			tc.run(rec)
			if red := len(rec.errors) > 0; red != tc.red {
				t.Errorf("whether the gate failed the test: got %v, want %v; errors %q", red, tc.red, rec.errors)
			}
		})
	}
}

// TestIsEmptyResult checks that isEmptyResult returns true for nil results and for empty results,
// which contain no number that Function could change, and false for other results.
func TestIsEmptyResult(t *testing.T) {
	for _, tc := range []struct {
		result any
		want   bool
	}{
		{(*mat.Dense)(nil), true}, {[]float64(nil), true}, {[]float64{}, true},
		{mat.NewDense(1, 1, nil), false}, {[]float64{0}, false}, {0.0, false},
	} {
		if got := isEmptyResult(reflect.ValueOf(tc.result)); got != tc.want {
			t.Errorf("isEmptyResult(%T %v) = %v, want %v", tc.result, tc.result, got, tc.want)
		}
	}
}

// namedRecorder is a recorder that has a Name method, as testing.T has.
type namedRecorder struct {
	recorder
	name string
}

func (n *namedRecorder) Name() string { return n.name }

// TestRecord checks that every call of Right or Wrong adds a record to the file, even a call that
// fails the test.
func TestRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "records")
	t.Setenv(recordVariable, file)
	e := &exercises.Exercise{Hints: []string{"one"}}
	right, wrong := verify.Pass("fine"), verify.Fail("key", 1, "looks like …")
	tb := &namedRecorder{name: "TestRight/reference"}
	Right(tb, report(right))
	Right(tb, report(wrong))
	Wrong(tb, e, report(right, wrong), "key")
	Wrong(&recorder{}, e, report(wrong), "other")
	Wrong(tb, e, report(verify.Fail("key", 1, " ")), "key")
	Wrong(tb, e, report(right), "key")
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"kind":"right","exercise":"prml-0.0","test":"TestRight/reference","passed":true,"complete":true}
{"kind":"right","exercise":"prml-0.0","test":"TestRight/reference","passed":false,"complete":true}
{"kind":"wrong","exercise":"prml-0.0","test":"TestRight/reference","key":"key","passed":false,"complete":true,"own":true,"message":"looks like …"}
{"kind":"wrong","exercise":"prml-0.0","test":"","key":"other","passed":false,"complete":true}
{"kind":"wrong","exercise":"prml-0.0","test":"TestRight/reference","key":"key","passed":false,"complete":true,"message":" "}
{"kind":"wrong","exercise":"prml-0.0","test":"TestRight/reference","key":"key","passed":true,"complete":true}
`
	html := regexp.MustCompile(`,"html":"(?:[^"\\]|\\.)*passed(?:[^"\\]|\\.)*"`) // the report, which must contain "passed"
	if n := len(html.FindAll(got, -1)); n != 6 {
		t.Errorf("got %d records whose HTML report contains “passed”, want 6", n)
	}
	if got := html.ReplaceAllString(string(got), ""); got != want {
		t.Errorf("got the records\n%swant\n%s", got, want)
	}
}

// TestRecordCannotBeWritten checks that Right fails the test if the record cannot be written.
func TestRecordCannotBeWritten(t *testing.T) {
	t.Setenv(recordVariable, filepath.Join(t.TempDir(), "missing", "records"))
	rec := &recorder{}
	Right(rec, report(verify.Pass("fine")))
	if len(rec.errors) != 1 {
		t.Errorf("got the errors %q, want one error", rec.errors)
	}
}

func TestFromEnvironment(t *testing.T) {
	for _, tc := range []struct {
		text string
		want uint64
		err  string
	}{
		{"", 0, ""}, {"0", 0, ""}, {"7", 7, ""}, {"18446744073709551615", 1<<64 - 1, ""},
		{"seven", 0, `invalid HYPERPLANE_SEED "seven"`}, {"-1", 0, "0 or larger"}, {"1.5", 0, "whole number"},
		{" 7", 0, "whole number"},
	} {
		got, err := parseSeed(tc.text)
		if got != tc.want || (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
			t.Errorf("parseSeed(%q) = %d, %v; want %d and an error that contains %q (\"\" means no error)", tc.text, got, err, tc.want, tc.err)
		}
	}
}

func TestVariant(t *testing.T) {
	before := Seed()
	t.Run("inside", func(t *testing.T) {
		Variant(t, before+5)
		if seed.Get() != before+5 {
			t.Errorf("within the test the seed is %d, want %d", seed.Get(), before+5)
		}
	})
	if Seed() != before {
		t.Errorf("after the test the seed is %d, want %d", Seed(), before)
	}
}

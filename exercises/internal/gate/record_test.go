package gate

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// named is a recorder with a test's name.
type named struct {
	recorder
	name string
}

func (n *named) Name() string { return n.name }

// TestRecord: a line for every call, also of one that fails.
func TestRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "records")
	t.Setenv(recordVariable, file)
	e := &exercises.Exercise{Hints: []string{"one"}}
	right, wrong := verify.Pass("fine"), verify.Fail("key", 1, "looks like …")
	tb := &named{name: "TestRight/reference"}
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
	if string(got) != want {
		t.Errorf("recorded is\n%swant\n%s", got, want)
	}
}

// TestRecordCannotBeWritten: what is not counted must not go unnoticed.
func TestRecordCannotBeWritten(t *testing.T) {
	t.Setenv(recordVariable, filepath.Join(t.TempDir(), "missing", "records"))
	rec := &recorder{}
	Right(rec, report(verify.Pass("fine")))
	if len(rec.errors) != 1 {
		t.Errorf("it said %q", rec.errors)
	}
}

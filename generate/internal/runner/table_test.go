package runner

import (
	"bytes"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestTable(t *testing.T) {
	report := &verify.Report{Exercise: "prml-4.25", Complete: true, Parts: []verify.Result{
		{Name: "slope", Outcome: verify.Right}, {Name: "gap", Outcome: verify.Wrong, Message: "too\nwide"}}}
	s := &Summary{Notebooks: []Notebook{
		{Path: "tour.ipynb", Verdict: OK, Cells: []Cell{{Number: 2, ID: "a", Verdict: OK}, {Number: 3, ID: "b", Verdict: CompileError, Expected: true, Detail: "a typo"}}},
		{Path: "25.ipynb", Verdict: NotPassed, Detail: "1 of 2", Cells: []Cell{{Number: 5, ID: "check", Verdict: NotPassed, Detail: "1 of 2", Reports: []*verify.Report{report}}, {Verdict: NotRun}}},
		{Path: "20.ipynb", Verdict: Passed, Cells: []Cell{{Number: 6, ID: "steps", Verdict: NotPassed, Optional: true, Detail: "optional steps: not passed: 1 of 2 parts right", Reports: []*verify.Report{report}}}},
		{Path: "notes.txt", Verdict: NotANotebook, Detail: "no JSON at line 1"},
	}}
	const want = `OK                tour.ipynb · 2 code cells
  CompileError    cell 3 b · as the notebook says: a typo
NotPassed         25.ipynb · 2 code cells, 1 not reached
  NotPassed       cell 5 check · 1 of 2
    Right         slope
    Wrong         gap · too wide
Passed            20.ipynb · 1 code cells
  NotPassed       cell 6 steps · optional steps: not passed: 1 of 2 parts right
    Right         slope
    Wrong         gap · too wide
NotANotebook      notes.txt · no JSON at line 1
2 passed, 2 failed
`
	var got bytes.Buffer
	if err := s.WriteTable(&got); err != nil || got.String() != want {
		t.Errorf("table (%v)\n%s\nwant\n%s", err, &got, want)
	}
}

func TestJoinStreams(t *testing.T) {
	piece := func(name, text string) nbformat.Output {
		return nbformat.Output{"output_type": "stream", "name": name, "text": text}
	}
	shown := nbformat.Output{"output_type": "display_data"}
	got := joinStreams([]nbformat.Output{piece("stdout", "a"), piece("stdout", "b"), piece("stderr", "x"), piece("stdout", "c"), shown, piece("stdout", "d"), piece("stdout", "e")})
	var text string
	for _, o := range got {
		name, s := o.Stream()
		text += name + ":" + s + ";"
	}
	if want := "stdout:ab;stderr:x;stdout:c;:;stdout:de;"; text != want {
		t.Errorf("joined %q, want %q", text, want)
	}
}

// A bar must not be drawn into a log: there a line per notebook is enough.
func TestProgressInALog(t *testing.T) {
	var log bytes.Buffer
	p := NewProgress(&log)
	for done := range 4 {
		p.Show("notebooks/tour.ipynb", done, 3)
	}
	if want := "  ran       tour (3 cells)\n"; log.String() != want {
		t.Errorf("log %q, want %q", &log, want)
	}
}

package runner

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestTable(t *testing.T) {
	report := &verify.Report{Exercise: "prml-4.25", Complete: true, Parts: []verify.Result{
		{Name: "slope", Outcome: verify.Right}, {Name: "gap", Outcome: verify.Wrong, Message: "too\nwide"}}}
	s := &Summary{Notebooks: []Notebook{
		{Path: "tour.ipynb", Verdict: OK,
			Cells: []Cell{{Number: 2, ID: "a", Verdict: OK},
				{Number: 3, ID: "b", Verdict: CompileError, Expected: true, Detail: "a typo"}}},
		{Path: "25.ipynb", Verdict: NotPassed, Detail: "1 of 2",
			Cells: []Cell{{Number: 5, ID: "check", Verdict: NotPassed, Detail: "1 of 2",
				Reports: []*verify.Report{report}}, {Verdict: NotRun}}},
		{Path: "20.ipynb", Verdict: Passed,
			Cells: []Cell{{Number: 6, ID: "steps", Verdict: NotPassed, Optional: true,
				Detail: "optional steps: not passed: 1 of 2 parts right", Reports: []*verify.Report{report}}}},
		{Path: "h15.ipynb", Verdict: CompileError, Detail: "Cell[3]: Line 2: undefined: x",
			Cells: []Cell{{Number: 7, ID: "stub", Verdict: CompileError, Detail: "Cell[3]: Line 2: undefined: x"},
				{Number: 9, ID: "explore", Verdict: CompileError, Detail: "undefined: Sigmoid"}}},
		{Path: "notes.txt", Verdict: NotANotebook, Detail: "invalid JSON at line 1"},
	}}
	const want = `OK                tour.ipynb · 2 code cells
  CompileError    cell 3 b · as the notebook expects: a typo
NotPassed         25.ipynb · 2 code cells, 1 not reached: cell 5 check: 1 of 2
  NotPassed       cell 5 check · 1 of 2
    Right         slope
    Wrong         gap · too wide
Passed            20.ipynb · 1 code cells
  NotPassed       cell 6 steps · optional steps: not passed: 1 of 2 parts right
    Right         slope
    Wrong         gap · too wide
CompileError      h15.ipynb · 2 code cells: cell 7 stub: Cell[3]: Line 2: undefined: x
  CompileError    cell 7 stub · Cell[3]: Line 2: undefined: x
  CompileError    cell 9 explore · undefined: Sigmoid
NotANotebook      notes.txt · invalid JSON at line 1
2 passed, 3 failed
`
	var got bytes.Buffer
	if err := s.WriteTable(&got); err != nil || got.String() != want {
		t.Errorf("got the table (error %v)\n%s\nwant\n%s", err, &got, want)
	}
}

// TestTableOfOddNames checks that names and messages of a notebook cannot add a line to the table or
// send a command to the terminal. The JSON form of the summary must contain the unchanged name of the
// notebook.
func TestTableOfOddNames(t *testing.T) {
	const forged = "nl\nPassed            ada.ipynb"
	report := &verify.Report{Complete: true, Parts: []verify.Result{
		{Name: "slope\nPassed            eve.ipynb", Outcome: verify.Right},
		{Name: "gap\x1b[2J", Outcome: verify.Wrong, Message: "too \x1b]0;wide\a and\u202eback\u009b1m \xff"},
		{Name: strings.Repeat("long ", 1000), Outcome: verify.Right}}}
	s := &Summary{Notebooks: []Notebook{
		{Path: forged, Verdict: NotANotebook, Detail: "no \x1b[31mJSON"},
		{Path: "übung 4.25 λ.ipynb", Verdict: NotPassed, Detail: "1 of\r2",
			Cells: []Cell{{Number: 5, ID: "check", Verdict: NotPassed, Detail: "1 of\r2",
				Reports: []*verify.Report{report}}}},
		{Path: "\xff\u202e.ipynb", Verdict: OK, Cells: []Cell{{Number: 1, ID: "a", Verdict: OK}}},
	}}
	const want = `NotANotebook      "nl\nPassed            ada.ipynb" · no �[31mJSON
NotPassed         übung 4.25 λ.ipynb · 1 code cells: cell 5 check: 1 of 2
  NotPassed       cell 5 check · 1 of 2
    Right         "slope\nPassed            eve.ipynb"
    Wrong         "gap\x1b[2J" · too �]0;wide� and�back�1m �
`
	var got bytes.Buffer
	if err := s.WriteTable(&got); err != nil || !strings.HasPrefix(got.String(), want) {
		t.Errorf("got the table (error %v)\n%s\nwant a table that begins with\n%s", err, &got, want)
	}
	for i, line := range strings.Split(got.String(), "\n") {
		if len(line) > 1000 || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("line %d has more than 1000 bytes or contains unprintable characters: %q", i+1, line)
		}
	}
	text := must.Get(json.Marshal(s))(t)
	var read Summary
	if err := json.Unmarshal(text, &read); err != nil || read.Notebooks[0].Path != forged {
		t.Errorf("after writing and reading JSON, the name is %q (error %v), want %q", read.Notebooks[0].Path, err, forged)
	}
}

func TestJoinStreams(t *testing.T) {
	piece := func(name, text string) nbformat.Output {
		return nbformat.Output{"output_type": "stream", "name": name, "text": text}
	}
	shown := nbformat.Output{"output_type": "display_data"}
	got := joinStreams([]nbformat.Output{piece("stdout", "a"), piece("stdout", "b"), piece("stderr", "x"),
		piece("stdout", "c"), shown, piece("stdout", "d"), piece("stdout", "e")})
	var text string
	for _, o := range got {
		name, s := o.Stream()
		text += name + ":" + s + ";"
	}
	if want := "stdout:ab;stderr:x;stdout:c;:;stdout:de;"; text != want {
		t.Errorf("got the joined outputs %q, want %q", text, want)
	}
}

// TestProgressInALog checks that Progress writes one line per notebook to a log, whatever the name
// of the notebook, and that it writes nothing about running cells.
func TestProgressInALog(t *testing.T) {
	var log bytes.Buffer
	p := NewProgress(&log)
	for done := range 4 {
		p.Show("notebooks/a\n\x1b[2J.ipynb", done, 3)
	}
	p.Show("notebooks/kept.ipynb", 3, 3)
	p.Show("notebooks/text.ipynb", 0, 0)
	if want := "  ran       \"a\\n\\x1b[2J\" (3 cells)\n  unchanged kept\n  ran       text (0 cells)\n"; log.String() != want {
		t.Errorf("got the log %q, want %q", &log, want)
	}
}

package progress

import (
	"encoding/json"
	"strings"
	"testing"
)

var entries = []Entry{{"prml-4.1", "First & <foremost>", 3, "", "PRML, chapter 4"}, {"prml-4.2", "Second", 3, "", "PRML, chapter 4"},
	{"prml-4.25", "Third", 4, "", "PRML, chapter 4"}, {"alpaydin-10.3", "Fourth", 2, "", "Alpaydin, chapter 10"}}

// sampleProgress returns a Progress with an exercise in each state.
func sampleProgress() *Progress {
	p := New()
	pass(p)
	p.Exercise("prml-4.25").Revealed = true
	p.Exercise("prml-4.25").SawHint(2)
	r := p.Exercise("prml-4.1")
	r.Answer.Begin(2)
	r.Answer.Finish(1, 2, false)
	r.Answer.Begin(2)
	r.Steps = &Attempts{Tries: 1, Last: &Try{Right: 1, Parts: 3, Finished: true}}
	r.SawHint(1)
	r.SawHint(3)
	p.Exercise("alpaydin-10.3").Revealed = true
	p.Exercise("alpaydin-10.3").Steps = &Attempts{Passed: true, Tries: 1}
	p.Exercise("prml-5.1").SawHint(1)
	p.Exercise("prml-5.1:7").SawHint(1)
	return p
}

func TestTable(t *testing.T) {
	const want = `1 of 4 exercises passed, 1 tried, 1 revealed, 1 not begun
The file also contains exercises that this table does not list: prml-5.1.
Stored in work/progress.json.

PRML, chapter 4
  4.1   First & <foremost>  tried                           2 tries  not finished  hints 1 and 3 (of 3)  steps: 1 of 3 right
  4.2   Second              not begun
  4.25  Third               ✓ passed (solution seen first)  1 try    3 of 3 right  hint 2 (of 4)

Alpaydin, chapter 10
  10.3  Fourth  revealed        ✓ steps
`
	table := NewTable(entries, sampleProgress(), "work/progress.json", "")
	if got := table.String(); got != want {
		t.Errorf("got the table\n%s\nwant\n%s", got, want)
	}
	page := table.HTML()
	for _, want := range []string{"First &amp; &lt;foremost&gt;", "<b>Alpaydin, chapter 10</b>", "✓ passed",
		"hints 1 and 3 (of 3)", "1 of 4 exercises passed"} {
		if !strings.Contains(page, want) {
			t.Errorf("the HTML lacks %q:\n%s", want, page)
		}
	}
	for _, tag := range []string{"table", "tr", "td", "th", "p", "b"} {
		if open, closed := strings.Count(page, "<"+tag+">")+strings.Count(page, "<"+tag+" "),
			strings.Count(page, "</"+tag+">"); open != closed || open == 0 {
			t.Errorf("got %d tags <%s> and %d closing tags, want equal numbers above 0", open, tag, closed)
		}
	}
}

// TestTableOfVariants checks that an exercise has a row for every seed with a record, but counts only
// once, with its best state. The note about an exercise that was passed long ago must name an unused seed.
func TestTableOfVariants(t *testing.T) {
	p := New()
	p.Exercise("prml-4.1:7").Answer.Begin(2)
	p.Exercise("prml-4.1:12").Answer = Attempts{Passed: true, Tries: 3, PassedOn: "2020-01-01"}
	p.Exercise("prml-4.2:1").Answer = Attempts{Passed: true, Tries: 1, PassedOn: "2020-01-01"}
	const want = `2 of 2 exercises passed, 0 tried, 0 revealed, 0 not begun
Passed more than two weeks ago: prml-4.1, prml-4.2. Try again with other numbers: ` +
		"`generate exercises prml-4.1 --seed 1`" + ` makes the notebook; on a page, add ?seed=1 to the address.

PRML, chapter 4
  4.1  First & <foremost>, variant 7   tried     1 try    not finished
  4.1  First & <foremost>, variant 12  ✓ passed  3 tries
  4.2  Second, variant 1               ✓ passed  1 try
`
	if got := NewTable(entries[:2], p, "", "").String(); got != want {
		t.Errorf("got the table\n%s\nwant\n%s", got, want)
	}
}

func TestTableOfAFile(t *testing.T) {
	const none = "0 of 4 exercises passed, 0 tried, 0 revealed, 4 not begun\n"
	for name, tt := range map[string]struct {
		text []string
		want string
	}{
		"missing": {nil, none + "There is no FILE yet: the first check in a notebook creates it.\n\n"},
		"broken": {[]string{"{"}, none +
			"Your progress is unknown: FILE is broken (unexpected end of JSON input); the next check renames it and starts a new file.\n\n"},
		"good": {[]string{passed}, "1 of 4 exercises passed, 0 tried, 0 revealed, 3 not begun\nStored in FILE.\n\n"},
	} {
		f, _ := newFile(t, tt.text...)
		if got, want := f.Table(entries).String(), strings.ReplaceAll(tt.want, "FILE", f.Path); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got the table\n%s\nwant it to begin with the counts and the note\n%s", name, got, want)
		}
	}
}

func TestTableJSON(t *testing.T) {
	text, err := json.Marshal(NewTable(entries, sampleProgress(), "f", ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"schema":"hyperplane-progress-table/2","file":"f","passed":1,"tried":1,"revealed":1,"not_begun":1,"count":4,"exercises":[`,
		`{"id":"prml-4.1","title":"First \u0026 \u003cforemost\u003e","state":"tried","revealed":false,"tries":2,"last":{"right":0,"parts":2,"finished":false},"hints":3,"hints_seen":[1,3],"steps":{"passed":false,"tries":1,"last":{"right":1,"parts":3,"finished":true}}}`,
		`{"id":"prml-4.2","title":"Second","state":"not begun","revealed":false,"tries":0,"last":null,"hints":3,"hints_seen":[],"steps":null}`,
		`"others":["prml-5.1"],"due":[]}`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the JSON lacks %s:\n%s", want, text)
		}
	}
}

func TestSeries(t *testing.T) {
	for want, numbers := range map[string][]int{"": nil, "4": {4}, "1 and 3": {1, 3}, "1, 2 and 5": {1, 2, 5}} {
		if got := Series(numbers); got != want {
			t.Errorf("Series(%v) = %q, want %q", numbers, got, want)
		}
	}
}

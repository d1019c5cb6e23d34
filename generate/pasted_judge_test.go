package main

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A pasted answer is the stub cell of an exercise with one function wrong.
type pasted struct {
	exercise string
	key      string   // of the message that it must earn
	wrong    []string // names of the parts that are Wrong; all others are Right
	code     string   // what stands in the cell
}

// parsePasted reads a wrong answer:
//
//	// key: that of the message
//	// wrong: the name of a part, a line for each that this answer gets wrong
//
//	the functions of the stub cell
func parsePasted(exercise, text string) (pasted, error) {
	p := pasted{exercise: exercise}
	head, code, _ := strings.Cut(text, "\n\n")
	for i, line := range strings.Split(head, "\n") {
		key, isKey := strings.CutPrefix(line, "// key: ")
		part, isPart := strings.CutPrefix(line, "// wrong: ")
		switch {
		case i == 0 && isKey:
			p.key = key
		case i > 0 && isPart:
			p.wrong = append(p.wrong, part)
		default:
			return p, fmt.Errorf("%s: line %d is %q; want “// key: …” first, then “// wrong: …” for each part, then an empty line", exercise, i+1, line)
		}
	}
	p.code = strings.TrimSpace(code)
	if p.key == "" || len(p.wrong) == 0 || p.code == "" {
		return p, fmt.Errorf("%s: the key, a part that is wrong, or the code is missing", exercise)
	}
	return p, nil
}

// faults says in what the run of a notebook with this answer, and the page made of
// it, differ from what a learner should meet.
func (p pasted) faults(n runner.Notebook, page string) []string {
	var faults []string
	say := func(format string, args ...any) {
		faults = append(faults, p.exercise+": "+fmt.Sprintf(format, args...))
	}
	if n.Verdict != runner.NotPassed {
		say("the notebook is %s (%s), want NotPassed", n.Verdict, n.Detail)
	}
	shown := shownReports(page, p.exercise)
	var wrong []string
	earned, right := false, 0
	for _, c := range n.Cells {
		if c.Verdict != runner.OK && (c.Exercise == "" || c.Verdict != runner.Passed && c.Verdict != runner.NotPassed) {
			say("cell %s is %s (%s)", c.ID, c.Verdict, c.Detail)
		}
		for _, r := range c.Reports {
			if r.Optional && r.Count(verify.NotAttempted) == len(r.Parts) {
				continue // the optional steps, left alone
			}
			if !r.Complete {
				say("the report of cell %s is not complete", c.ID)
			}
			for _, part := range r.Parts {
				switch want := slices.Contains(p.wrong, part.Name); {
				case part.Outcome == verify.Right && !want:
					right++
					continue
				case part.Outcome != verify.Wrong:
					say("part %q is %s", part.Name, part.Outcome)
					continue
				case !want:
					say("part %q is Wrong (%s: %s), which the file does not say", part.Name, part.Key, part.Message)
				}
				wrong = append(wrong, part.Name)
				message := words(part.Message)
				switch {
				case message == "":
					say("part %q is Wrong without a message", part.Name)
				case !strings.Contains(shown, message):
					say("the page does not show the message of part %q: %s", part.Name, part.Message)
				case part.Key == p.key:
					earned = true
				}
			}
		}
	}
	for _, name := range p.wrong {
		if !slices.Contains(wrong, name) {
			say("no part %q is Wrong", name)
		}
	}
	if !earned {
		say("no part is Wrong with the key %q and a message on the page", p.key)
	}
	if right == 0 {
		say("no part is Right: what is right beside the fault is not seen")
	}
	return faults
}

// shownReports is the text of the reports of an exercise on a page, as read: without
// tags, a single space between words.
func shownReports(page, exercise string) string {
	table := regexp.MustCompile(`(?s)<table><caption[^>]*><b>` + regexp.QuoteMeta(html.EscapeString(exercise)) + `</b>.*?</table>`)
	text := strings.Join(table.FindAllString(page, -1), " ")
	return words(html.UnescapeString(tag.ReplaceAllString(text, " ")))
}

var tag = regexp.MustCompile(`<[^>]*>`)

func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestPastedFaults shows every rule of faults red once.
func TestPastedFaults(t *testing.T) {
	const cell = "fixture-0-0-"
	type fixture struct {
		p    *pasted
		n    *runner.Notebook
		r    *verify.Report
		page *string
	}
	rendered := func(f fixture) string { return "<p>before</p>" + f.r.HTML() + "<p>after</p>" }
	for _, tt := range []struct {
		name, want string // want "": no fault
		change     func(f fixture)
	}{
		{"as it should be", "", func(fixture) {}},
		{"another key", `key "other"`, func(f fixture) { f.p.key = "other" }},
		{"right answer", `no part is Wrong with the key "slip"`, func(f fixture) {
			f.r.Parts[1], f.r.Parts[2] = f.r.Parts[0], f.r.Parts[0]
			*f.page = rendered(f)
		}},
		{"no message", "without a message", func(f fixture) { f.r.Parts[1].Message = " " }},
		{"page without the report", "the page does not show", func(f fixture) { *f.page = "" }},
		{"message elsewhere on the page", "the page does not show", func(f fixture) { *f.page = f.r.Parts[1].Message + f.r.Parts[2].Message }},
		{"another message on the page", "the page does not show", func(f fixture) { *f.page = strings.Replace(*f.page, "1 &lt; 2", "2 &lt; 1", 1) }},
		{"report of another exercise", "the page does not show", func(f fixture) { *f.page = strings.ReplaceAll(*f.page, "fixture-0.0", "fixture-0x0") }},
		{"a part too many wrong", "which the file does not say", func(f fixture) { f.p.wrong = f.p.wrong[:1] }},
		{"a part of the other function wrong", `"f: right" is Wrong`, func(f fixture) {
			f.r.Parts[0].Outcome, f.r.Parts[0].Message = verify.Wrong, "more"
			*f.page = rendered(f)
		}},
		{"a part that should be wrong is right", `"g: too" is Right`, func(f fixture) { f.r.Parts[2].Outcome = verify.Right }},
		{"a part that does not exist", `no part "h" is Wrong`, func(f fixture) { f.p.wrong = append(f.p.wrong, "h") }},
		{"a part not run", `"f: right" is NotRun`, func(f fixture) { f.r.Parts[0].Outcome = verify.NotRun }},
		{"a part crashed", `"f: right" is Crashed`, func(f fixture) { f.r.Parts[0].Outcome = verify.Crashed }},
		{"a stub left", `"f: right" is NotAttempted`, func(f fixture) { f.r.Parts[0].Outcome = verify.NotAttempted }},
		{"nothing right", "no part is Right", func(f fixture) { f.r.Parts = f.r.Parts[1:] }},
		{"not complete", "not complete", func(f fixture) { f.r.Complete = false }},
		{"notebook passed", "the notebook is Passed", func(f fixture) { f.n.Verdict = runner.Passed }},
		{"check panicked", cell + "check is Panicked", func(f fixture) { f.n.Cells[1].Verdict = runner.Panicked }},
		{"explore cell panicked", cell + "explore is Panicked", func(f fixture) { f.n.Cells[2].Verdict = runner.Panicked }},
		{"cell not run", cell + "explore is NotRun", func(f fixture) { f.n.Cells[2].Verdict = runner.NotRun }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := pasted{exercise: "fixture-0.0", key: "slip", wrong: []string{"g: value", "g: too"}}
			r := &verify.Report{Exercise: "fixture-0.0", Title: "title", Complete: true, Parts: []verify.Result{
				{Name: "f: right", Outcome: verify.Right, Message: "fine"},
				{Name: "g: value", Outcome: verify.Wrong, Key: "slip", Message: "It's 1 < 2 & so on\nin two lines", Hint: 1},
				{Name: "g: too", Outcome: verify.Wrong, Key: "too", Message: "again"},
			}}
			n := runner.Notebook{Verdict: runner.NotPassed, Cells: []runner.Cell{
				{ID: cell + "setup", Verdict: runner.OK},
				{ID: cell + "check", Exercise: "fixture-0.0", Verdict: runner.NotPassed, Reports: []*verify.Report{r}},
				{ID: cell + "explore", Verdict: runner.OK},
			}}
			var page string
			f := fixture{&p, &n, r, &page}
			page = rendered(f)
			tt.change(f)
			got := strings.Join(p.faults(n, page), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("faults %q, want %q", got, tt.want)
			}
		})
	}
}

func TestParsePasted(t *testing.T) {
	p, err := parsePasted("prml-4.25", "// key: slip\n// wrong: a: b\n// wrong: c\n\n// typed\nfunc F() {\n\n}\n")
	if err != nil || p.key != "slip" || !slices.Equal(p.wrong, []string{"a: b", "c"}) || p.code != "// typed\nfunc F() {\n\n}" {
		t.Errorf("read %+v (%v)", p, err)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "line 1"},
		{"no key", "// wrong: a\n\nfunc F() {}", "line 1"},
		{"no part", "// key: slip\n\nfunc F() {}", "is missing"},
		{"no code", "// key: slip\n// wrong: a\n\n", "is missing"},
		{"no empty line", "// key: slip\n// wrong: a\nfunc F() {}", "line 3"},
		{"two keys", "// key: slip\n// key: slip\n\nfunc F() {}", "line 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parsePasted("prml-4.25", tt.text)
			must.Fail(t, err, tt.want)
		})
	}
}

package course

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// pastedDir is a folder of wrong answers. Each file contains the text of a stub cell in which a
// learner has typed a wrong answer, in the format that parsePasted reads.
const pastedDir = "testdata/pasted"

// pastedAnswers reads the wrong answers in pastedDir. It also returns a map from the ids of the
// exercises to the exercises.
func pastedAnswers(t *testing.T) (root string, list []pasted, of map[string]*exercise.Exercise) {
	t.Helper()
	root, files, err := module()
	must.Do(t, err)
	of = map[string]*exercise.Exercise{}
	for name, text := range must.Tree(t, pastedDir) {
		id, ok := strings.CutSuffix(name, ".go.txt")
		if !ok {
			t.Fatalf("%s/%s: the name of the file must be an exercise id followed by .go.txt", pastedDir, name)
		}
		found := must.Get(catalog.Exercises(files, id))(t)
		p := must.Get(parsePasted(id, text))(t)
		list, of[id] = append(list, p), found[0]
	}
	slices.SortFunc(list, func(a, b pasted) int { return strings.Compare(a.exercise, b.exercise) })
	return root, list, of
}

// TestPastedAreRecorded checks that pastedDir contains at least ten wrong answers to exercises from
// both books. For each wrong answer, the check or the tests of the exercise must contain the key of
// the mistake.
func TestPastedAreRecorded(t *testing.T) {
	root, list, of := pastedAnswers(t)
	books := map[string]int{}
	for _, p := range list {
		book, _, _ := strings.Cut(p.exercise, "-")
		books[book]++
		if !isRecorded(t, root, of[p.exercise], p.key) {
			t.Errorf("%s: neither the check nor the tests in %[3]s name the key %[2]q", p.exercise, p.key, of[p.exercise].Dir)
		}
	}
	if len(list) < 10 || len(books) < 2 {
		t.Errorf("got %d wrong answers from the books %v; want at least 10, from both books", len(list), books)
	}
}

// isRecorded reports whether the mistake with the given key is known for the exercise: the
// exercise's check recognises this mistake, or the exercise's tests contain the key.
func isRecorded(t *testing.T, root string, e *exercise.Exercise, key string) bool {
	t.Helper()
	for _, entry := range catalog.Content.Entries {
		if entry.Dir() == e.Dir && slices.ContainsFunc(entry.Exercise.Known,
			func(k exercises.Known) bool { return k.Key == key }) {
			return true
		}
	}
	return strings.Contains(must.Read(t, filepath.Join(root, e.Dir, "check_test.go")), strconv.Quote(key))
}

// withStubs returns the text of a stub cell in which a learner has typed the given code. If the
// code lacks functions of the stub, such as the functions of optional steps, withStubs appends
// these functions as they are in the stub.
func withStubs(t *testing.T, code, stub string) string {
	t.Helper()
	functions := func(source string) (text map[string]string, names []string) {
		const head = "package p\n"
		set := token.NewFileSet()
		file := must.Get(parser.ParseFile(set, "cell", head+source, parser.ParseComments))(t)
		text = map[string]string{}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				from := f.Pos()
				if f.Doc != nil {
					from = f.Doc.Pos()
				}
				names = append(names, f.Name.Name)
				text[f.Name.Name] = (head + source)[set.Position(from).Offset:set.Position(f.End()).Offset]
			}
		}
		return text, names
	}
	written, _ := functions(code)
	stubs, names := functions(stub)
	for _, name := range names {
		if _, ok := written[name]; !ok {
			code += "\n\n" + stubs[name]
		}
	}
	return code
}

// TestPastedWrongAnswers pastes each wrong answer over the stub in the learner's notebook. It runs
// the notebook in the kernel, and checks the verdicts and the HTML page with reportFaults. The test
// also checks reportFaults itself: it must report a fault if the answer is right, or if p contains
// a different key than the report of the check.
func TestPastedWrongAnswers(t *testing.T) {
	kerneltest.Kernel(t)
	root, list, of := pastedAnswers(t)
	notebooks := filepath.Join(root, "notebooks", "exercises")
	in, out := t.TempDir(), t.TempDir()
	// readAnswerCell reads a committed notebook. It returns the notebook and its stub cell, which
	// contains the answer.
	readAnswerCell := func(exercise, path string) (*nbformat.Notebook, *nbformat.Cell) {
		t.Helper()
		nb := must.Get(nbformat.ReadFile(filepath.Join(notebooks, path)))(t)
		stub := nb.Cell(nbformat.ID(exercise, "stub"))
		if stub == nil {
			t.Fatalf("%s has no stub cell", path)
		}
		return nb, stub
	}
	paste := func(p pasted, path string) {
		t.Helper()
		nb, stub := readAnswerCell(p.exercise, of[p.exercise].LearnerPath())
		stub.Source = withStubs(t, p.code, stub.Source)
		must.Do(t, nb.WriteFile(path))
	}

	// Also paste the reference answer into a notebook. The reference answer is right, but
	// reportFaults expects a wrong answer, so it must report a fault.
	const twin = "prml-4.25"
	at := slices.IndexFunc(list, func(p pasted) bool { return p.exercise == twin })
	if at < 0 {
		t.Fatalf("pastedDir contains no wrong answer to %s: choose a different exercise in this test", twin)
	}
	_, solved := readAnswerCell(twin, of[twin].SolvedPath())
	right := list[at]
	right.code = solved.Source
	last := filepath.Join(in, "twin.ipynb")
	paste(right, last)

	args := []string{"run", "--json", "--html", "--out", out, "--timeout", "3m", "--jobs",
		strconv.Itoa(runtime.NumCPU())}
	for _, p := range list {
		path := filepath.Join(in, p.exercise+".ipynb")
		paste(p, path)
		args = append(args, path)
	}
	s := runJSON[runner.Summary](t, exitNotPassed, append(args, last)...)
	if len(s.Notebooks) != len(list)+1 {
		t.Fatalf("%d notebooks; want %d", len(s.Notebooks), len(list)+1)
	}
	page := func(i int) string {
		t.Helper()
		return must.Read(t,
			filepath.Join(out, strings.TrimSuffix(filepath.Base(s.Notebooks[i].Path), ".ipynb")+".html"))
	}

	for i, p := range list {
		t.Run(p.exercise, func(t *testing.T) {
			for _, fault := range p.reportFaults(s.Notebooks[i], page(i)) {
				t.Error(fault)
			}
		})
	}
	t.Run("red/right answer", func(t *testing.T) {
		n := s.Notebooks[len(list)]
		if n.Verdict != runner.Passed {
			t.Errorf("the notebook with the reference answer does not pass: it has the status %s (%s)", n.Verdict, n.Detail)
		}
		missing := `no part is Wrong with the key "` + right.key + `"`
		if got := right.reportFaults(n, page(len(list))); !strings.Contains(strings.Join(got, "\n"), missing) {
			t.Errorf("got the faults %q, want one to be %q", got, missing)
		}
	})
	t.Run("red/another key", func(t *testing.T) {
		p := list[at]
		p.key = "squared-twice"
		if got := p.reportFaults(s.Notebooks[at], page(at)); len(got) != 1 || !strings.Contains(got[0], `with the key "squared-twice"`) {
			t.Errorf("got the faults %q, want one that names the key", got)
		}
	})
}

// pasted is a wrong answer to an exercise, with the verdicts that the check must return.
type pasted struct {
	exercise string
	key      string   // key of the mistake that the check must recognise
	wrong    []string // names of the parts that must be Wrong; all other parts must be Right
	code     string   // text of the stub cell
}

// parsePasted parses the text of a file in pastedDir. The first line contains the key of the
// mistake. Each line "// wrong:" names a part of the check that must be Wrong. After an empty line
// follows the text of the stub cell:
//
//	// key: lambda-for-lambda-squared
//	// wrong: the curves stay as close as equal slopes allow
//
//	func LambdaSquared() float64 { return math.Sqrt(2*math.Pi) / 4 }
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
		return p, fmt.Errorf("%s: one of these is missing: the key of the mistake, a part that must be Wrong, the code", exercise)
	}
	return p, nil
}

// reportFaults checks a run of the notebook into which the answer p was pasted. n contains the
// verdicts of the run, and page is the HTML page of the notebook. reportFaults returns a line for
// each difference from the verdicts that p expects.
func (p pasted) reportFaults(n runner.Notebook, page string) []string {
	var faults []string
	say := func(format string, args ...any) {
		faults = append(faults, p.exercise+": "+fmt.Sprintf(format, args...))
	}
	if n.Verdict != runner.NotPassed {
		say("the notebook has the status %s (%s), want NotPassed", n.Verdict, n.Detail)
	}
	shown := shownReports(page, p.exercise)
	var wrong []string
	earned, right := false, 0
	for _, c := range n.Cells {
		if c.Verdict != runner.OK && (c.Exercise == "" || c.Verdict != runner.Passed && c.Verdict != runner.NotPassed) {
			say("cell %s has the status %s (%s)", c.ID, c.Verdict, c.Detail)
		}
		for _, r := range c.Reports {
			if r.Optional && r.Count(verify.NotAttempted) == len(r.Parts) {
				continue // skip this report: all of its parts are optional steps that were not attempted
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
					say("part %q is Wrong (%s: %s), want Right", part.Name, part.Key, part.Message)
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
			say("part %q is not Wrong", name)
		}
	}
	if !earned {
		say("no part is Wrong with the key %q and a message on the page", p.key)
	}
	if right == 0 {
		say("no part is Right; want at least one part that the mistake does not affect")
	}
	return faults
}

// shownReports returns the text of the check's reports on a page, for the given exercise. The text
// contains no HTML tags, and its words are separated by single spaces.
func shownReports(page, exercise string) string {
	table := regexp.MustCompile(`(?s)<table><caption[^>]*><b>` + regexp.QuoteMeta(html.EscapeString(exercise)) +
		`</b>.*?</table>`)
	text := strings.Join(table.FindAllString(page, -1), " ")
	return words(html.UnescapeString(tag.ReplaceAllString(text, " ")))
}

var tag = regexp.MustCompile(`<[^>]*>`)

func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestPastedFaults checks that reportFaults reports each kind of difference between a run and the
// expected verdicts.
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
		name, want string // text in a fault that reportFaults must return; "" means no fault
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
		{"message outside the report", "the page does not show",
			func(f fixture) { *f.page = f.r.Parts[1].Message + f.r.Parts[2].Message }},
		{"different message on the page", "the page does not show",
			func(f fixture) { *f.page = strings.Replace(*f.page, "1 &lt; 2", "2 &lt; 1", 1) }},
		{"report of another exercise", "the page does not show",
			func(f fixture) { *f.page = strings.ReplaceAll(*f.page, "fixture-0.0", "fixture-0x0") }},
		{"unexpected wrong part", "want Right", func(f fixture) { f.p.wrong = f.p.wrong[:1] }},
		{"wrong part of a different function", `"f: right" is Wrong`, func(f fixture) {
			f.r.Parts[0].Outcome, f.r.Parts[0].Message = verify.Wrong, "more"
			*f.page = rendered(f)
		}},
		{"missing wrong part", `"g: too" is Right`,
			func(f fixture) { f.r.Parts[2].Outcome = verify.Right }},
		{"unknown part", `part "h" is not Wrong`, func(f fixture) { f.p.wrong = append(f.p.wrong, "h") }},
		{"a part not run", `"f: right" is NotRun`, func(f fixture) { f.r.Parts[0].Outcome = verify.NotRun }},
		{"a part crashed", `"f: right" is Crashed`, func(f fixture) { f.r.Parts[0].Outcome = verify.Crashed }},
		{"a stub left", `"f: right" is NotAttempted`, func(f fixture) { f.r.Parts[0].Outcome = verify.NotAttempted }},
		{"nothing right", "no part is Right", func(f fixture) { f.r.Parts = f.r.Parts[1:] }},
		{"not complete", "not complete", func(f fixture) { f.r.Complete = false }},
		{"notebook passed", "the notebook has the status Passed", func(f fixture) { f.n.Verdict = runner.Passed }},
		{"check panicked", cell + "check has the status Panicked", func(f fixture) { f.n.Cells[1].Verdict = runner.Panicked }},
		{"explore cell panicked", cell + "explore has the status Panicked",
			func(f fixture) { f.n.Cells[2].Verdict = runner.Panicked }},
		{"cell not run", cell + "explore has the status NotRun", func(f fixture) { f.n.Cells[2].Verdict = runner.NotRun }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := pasted{exercise: "fixture-0.0", key: "slip", wrong: []string{"g: value", "g: too"}}
			r := &verify.Report{Exercise: "fixture-0.0", Title: "title", Complete: true, Parts: []verify.Result{
				{Name: "f: right", Outcome: verify.Right, Message: "fine"},
				{Name: "g: value", Outcome: verify.Wrong, Key: "slip", Message: "It's 1 < 2 & so on\nin two lines",
					Hint: 1},
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
			got := strings.Join(p.reportFaults(n, page), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("faults %q, want %q", got, tt.want)
			}
		})
	}
}

func TestParsePasted(t *testing.T) {
	p, err := parsePasted("prml-4.25", "// key: slip\n// wrong: a: b\n// wrong: c\n\n// typed\nfunc F() {\n\n}\n")
	if err != nil || p.key != "slip" || !slices.Equal(p.wrong, []string{"a: b", "c"}) ||
		p.code != "// typed\nfunc F() {\n\n}" {
		t.Errorf("read %+v (%v)", p, err)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "line 1"},
		{"no key", "// wrong: a\n\nfunc F() {}", "line 1"},
		{"no part", "// key: slip\n\nfunc F() {}", "missing: the key"},
		{"no code", "// key: slip\n// wrong: a\n\n", "missing: the key"},
		{"no empty line", "// key: slip\n// wrong: a\nfunc F() {}", "line 3"},
		{"two keys", "// key: slip\n// key: slip\n\nfunc F() {}", "line 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parsePasted("prml-4.25", tt.text)
			must.Fail(t, err, tt.want)
		})
	}
}

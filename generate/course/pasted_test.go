package course

import (
	"cmp"
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

// pastedDir is a folder of wrong answers that a learner might type in place of a stub. Each file
// contains one answer, in the format that parsePasted reads.
const pastedDir = "testdata/pasted"

// pastedAnswers reads the wrong answers in pastedDir. It also returns the folder of the module, and
// a map from the ids of the exercises to the exercises.
func pastedAnswers(t *testing.T) (root string, list []pasted, byID map[string]*exercise.Exercise) {
	t.Helper()
	root, files, err := openModule()
	must.Do(t, err)
	byID = map[string]*exercise.Exercise{}
	for name, text := range must.Tree(t, pastedDir) {
		id, ok := strings.CutSuffix(name, ".go.txt")
		if !ok {
			t.Fatalf("%s/%s: the name of the file must be an exercise id followed by .go.txt", pastedDir, name)
		}
		found := must.Get(catalog.Exercises(files, id))(t)
		p := must.Get(parsePasted(id, text))(t)
		list, byID[id] = append(list, p), found[0]
	}
	slices.SortFunc(list, func(a, b pasted) int { return strings.Compare(a.exercise, b.exercise) })
	return root, list, byID
}

// TestPastedAreRecorded checks that pastedDir contains at least ten wrong answers to exercises from
// both books. For each wrong answer, the check or the tests of the exercise must contain the key of
// the mistake.
func TestPastedAreRecorded(t *testing.T) {
	root, list, byID := pastedAnswers(t)
	books := map[string]int{}
	for _, p := range list {
		book, _, _ := strings.Cut(p.exercise, "-")
		books[book]++
		if !isRecorded(t, root, byID[p.exercise], p.key) {
			t.Errorf("%s: neither the check nor the tests in %[3]s name the key %[2]q", p.exercise, p.key, byID[p.exercise].Dir)
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
// the notebook in the kernel, and checks the verdicts and the HTML page with reportFaults.
func TestPastedWrongAnswers(t *testing.T) {
	kerneltest.Kernel(t)
	root, list, byID := pastedAnswers(t)
	in, out := t.TempDir(), t.TempDir()
	args := []string{"run", "--json", "--html", "--out", out, "--timeout", "3m", "--jobs",
		strconv.Itoa(runtime.NumCPU())}
	for _, p := range list {
		learner := filepath.Join(root, "notebooks", "exercises", byID[p.exercise].LearnerPath())
		nb := must.Get(nbformat.ReadFile(learner))(t)
		stub := nb.Cell(nbformat.ID(p.exercise, "stub"))
		stub.Source = withStubs(t, p.code, stub.Source)
		path := filepath.Join(in, p.exercise+".ipynb")
		must.Do(t, nb.WriteFile(path))
		args = append(args, path)
	}
	s := runJSON[runner.Summary](t, exitNotPassed, args...)
	if len(s.Notebooks) != len(list) {
		t.Fatalf("the summary contains %d notebooks, want %d", len(s.Notebooks), len(list))
	}
	for i, p := range list {
		for _, fault := range p.reportFaults(s.Notebooks[i], must.Read(t, filepath.Join(out, p.exercise+".html"))) {
			t.Error(fault)
		}
	}
}

// pasted is a wrong answer to an exercise, with the verdicts that the check must return.
type pasted struct {
	exercise string
	key      string   // key of the mistake that the check must recognise
	wrong    []string // names of the parts that must be Wrong; all other parts must be Right
	code     string   // the functions that the learner has written; withStubs adds the others
}

// parsePasted parses the text of a file in pastedDir. The line "// key:" contains the key of the
// mistake. Each line "// wrong:" names a part of the check that must be Wrong. The learner's code
// follows after an empty line:
//
//	// key: lambda-for-lambda-squared
//	// wrong: the curves stay as close as equal slopes allow
//
//	func LambdaSquared() float64 { return math.Sqrt(2*math.Pi) / 4 }
func parsePasted(exercise, text string) (pasted, error) {
	head, code, _ := strings.Cut(text, "\n\n")
	p := pasted{exercise: exercise, code: strings.TrimSpace(code)}
	for line := range strings.SplitSeq(head, "\n") {
		if key, ok := strings.CutPrefix(line, "// key: "); ok && p.key == "" {
			p.key = key
		} else if part, ok := strings.CutPrefix(line, "// wrong: "); ok {
			p.wrong = append(p.wrong, part)
		} else {
			return p, fmt.Errorf("%s: invalid line %q: want one line “// key: …”, and otherwise lines “// wrong: …”", exercise, line)
		}
	}
	if p.key == "" || len(p.wrong) == 0 || p.code == "" {
		return p, fmt.Errorf("%s: one of these is missing: the key of the mistake, a part that must be Wrong, the code", exercise)
	}
	return p, nil
}

// reportFaults checks a run of the notebook into which the answer p was pasted. The argument `n`
// contains the verdicts of the run, and `page` is the HTML page of the notebook. reportFaults
// returns lines that describe the differences from what p expects. The notebook must be NotPassed,
// and no cell may fail except by the verdict of a check. The parts in p.wrong must be Wrong, the page
// must show their messages, and one of these parts must have the key p.key. There must be at least
// one other part, and all other parts must be Right.
func (p pasted) reportFaults(n runner.Notebook, page string) (faults []string) {
	say := func(format string, args ...any) {
		faults = append(faults, p.exercise+": "+fmt.Sprintf(format, args...))
	}
	if n.Verdict != runner.NotPassed {
		say("the notebook has the status %s (%s), want NotPassed", n.Verdict, n.Detail)
	}
	shown := shownReports(page, p.exercise)
	var wrong, right, keys []string
	for _, c := range n.Cells {
		if c.Verdict != runner.OK && (c.Exercise == "" || c.Verdict != runner.Passed && c.Verdict != runner.NotPassed) {
			say("cell %s has the status %s (%s), want OK (in a cell with a check, also Passed or NotPassed)", c.ID, c.Verdict, c.Detail)
		}
		for _, r := range c.Reports {
			if r.Optional && r.Count(verify.NotAttempted) == len(r.Parts) {
				continue // skip this report: all of its parts are optional steps that were not attempted
			}
			for _, part := range r.Parts {
				message := words(part.Message)
				switch {
				case part.Outcome == verify.Right:
					right = append(right, part.Name)
				case part.Outcome != verify.Wrong || message == "" || !strings.Contains(shown, message):
					say("part %q is %s with the message %q; want Right, or Wrong with a message that the page shows", part.Name, part.Outcome, part.Message)
				default:
					wrong, keys = append(wrong, part.Name), append(keys, part.Key)
				}
			}
		}
	}
	slices.Sort(wrong)
	if !slices.Equal(wrong, slices.Sorted(slices.Values(p.wrong))) || len(right) == 0 || !slices.Contains(keys, p.key) {
		say("got the parts %q Wrong with the keys %q, and the parts %q Right; want %q Wrong, %q among the keys, and at least one part Right", wrong, keys, right,
			p.wrong, p.key)
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
	for name, tt := range map[string]struct {
		change func(p *pasted, n *runner.Notebook, r *verify.Report)
		page   string // "" means a page with the report
		fault  bool
	}{
		"as it should be":            {func(*pasted, *runner.Notebook, *verify.Report) {}, "", false},
		"different key":              {func(p *pasted, _ *runner.Notebook, _ *verify.Report) { p.key = "other" }, "", true},
		"right answer":               {func(_ *pasted, _ *runner.Notebook, r *verify.Report) { r.Parts[1] = r.Parts[0] }, "", true},
		"no right part":              {func(_ *pasted, _ *runner.Notebook, r *verify.Report) { r.Parts = r.Parts[1:] }, "", true},
		"a part crashed":             {func(_ *pasted, _ *runner.Notebook, r *verify.Report) { r.Parts[0].Outcome = verify.Crashed }, "", true},
		"no message":                 {func(_ *pasted, _ *runner.Notebook, r *verify.Report) { r.Parts[1].Message = " " }, "", true},
		"message outside the report": {func(*pasted, *runner.Notebook, *verify.Report) {}, "It's 1 < 2 & so on", true},
		"notebook passed":            {func(_ *pasted, n *runner.Notebook, _ *verify.Report) { n.Verdict = runner.Passed }, "", true},
		"a cell panicked":            {func(_ *pasted, n *runner.Notebook, _ *verify.Report) { n.Cells[0].Verdict = runner.Panicked }, "", true},
	} {
		p := pasted{exercise: "fixture-0.0", key: "slip", wrong: []string{"g"}}
		r := &verify.Report{Exercise: "fixture-0.0", Complete: true, Parts: []verify.Result{
			{Name: "f", Outcome: verify.Right, Message: "fine"},
			{Name: "g", Outcome: verify.Wrong, Key: "slip", Message: "It's 1 < 2 & so on"}}}
		n := runner.Notebook{Verdict: runner.NotPassed, Cells: []runner.Cell{
			{ID: "check", Exercise: "fixture-0.0", Verdict: runner.NotPassed, Reports: []*verify.Report{r}}}}
		tt.change(&p, &n, r)
		if got := p.reportFaults(n, cmp.Or(tt.page, "<p>before</p>"+r.HTML())); (len(got) > 0) != tt.fault {
			t.Errorf("%s: got the faults %q, want a fault: %t", name, got, tt.fault)
		}
	}
}

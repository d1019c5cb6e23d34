package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
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
)

// pastedDir holds wrong answers as learners type them, a whole stub cell each; the
// form is that of parsePasted.
const pastedDir = "testdata/pasted"

// pastedAnswers reads the wrong answers of pastedDir, each with its exercise.
func pastedAnswers(t *testing.T) (root string, list []pasted, of map[string]*exercise.Exercise) {
	t.Helper()
	root, files, err := module()
	must.Do(t, err)
	of = map[string]*exercise.Exercise{}
	for name, text := range must.Tree(t, pastedDir) {
		id, ok := strings.CutSuffix(name, ".go.txt")
		if !ok {
			t.Fatalf("%s/%s: want the id of an exercise and .go.txt", pastedDir, name)
		}
		found := must.Get(catalog.Exercises(files, id))(t)
		p := must.Get(parsePasted(id, text))(t)
		list, of[id] = append(list, p), found[0]
	}
	slices.SortFunc(list, func(a, b pasted) int { return strings.Compare(a.exercise, b.exercise) })
	return root, list, of
}

// TestPastedAreRecorded: there are ten and more from both books, and each earns a
// key that the exercise's own table of wrong answers has.
func TestPastedAreRecorded(t *testing.T) {
	root, list, of := pastedAnswers(t)
	books := map[string]int{}
	for _, p := range list {
		book, _, _ := strings.Cut(p.exercise, "-")
		books[book]++
		if !recorded(t, root, of[p.exercise], p.key) {
			t.Errorf("%s: no wrong answer with the key %q is recorded in %s", p.exercise, p.key, of[p.exercise].Dir)
		}
	}
	if len(list) < 10 || len(books) < 2 {
		t.Errorf("%d wrong answers from the books %v; want at least 10 from both", len(list), books)
	}
}

// recorded reports whether a wrong answer with this key is in the exercise's tables:
// of the mistakes that its check knows, or of its tests.
func recorded(t *testing.T, root string, e *exercise.Exercise, key string) bool {
	t.Helper()
	for _, entry := range catalog.Entries {
		if entry.Dir == e.Dir && slices.ContainsFunc(entry.Exercise.Known, func(k exercises.Known) bool { return k.Key == key }) {
			return true
		}
	}
	return strings.Contains(must.Read(t, filepath.Join(root, e.Dir, "check_test.go")), strconv.Quote(key))
}

// withStubs is the cell of a learner who has written code and left the rest of the
// stub as it was: the functions of the optional steps.
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

// TestPastedWrongAnswers pastes each wrong answer into the learner's notebook, as it
// is committed, in place of the stub, runs the whole notebook through the kernel and
// looks at the page. The same judgement of a right answer goes red, and so does one
// that waits for another key.
func TestPastedWrongAnswers(t *testing.T) {
	kerneltest.Kernel(t)
	root, list, of := pastedAnswers(t)
	notebooks := filepath.Join(root, "notebooks", "exercises")
	in, out := t.TempDir(), t.TempDir()
	// answer reads a committed notebook and finds the cell with the answer.
	answer := func(exercise, path string) (*nbformat.Notebook, *nbformat.Cell) {
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
		nb, stub := answer(p.exercise, of[p.exercise].LearnerPath())
		stub.Source = withStubs(t, p.code, stub.Source)
		must.Do(t, nb.WriteFile(path))
	}

	// The red twin: a small notebook, with the reference answer pasted in.
	const twin = "prml-4.25"
	at := slices.IndexFunc(list, func(p pasted) bool { return p.exercise == twin })
	if at < 0 {
		t.Fatalf("no wrong answer to %s: name another exercise here", twin)
	}
	_, solved := answer(twin, of[twin].SolvedPath())
	right := list[at]
	right.code = solved.Source
	last := filepath.Join(in, "twin.ipynb")
	paste(right, last)

	args := []string{"run", "--json", "--html", "--out", out, "--timeout", "3m", "--jobs", strconv.Itoa(runtime.NumCPU())}
	for _, p := range list {
		path := filepath.Join(in, p.exercise+".ipynb")
		paste(p, path)
		args = append(args, path)
	}
	s := printed[runner.Summary](t, exitNotPassed, append(args, last)...)
	if len(s.Notebooks) != len(list)+1 {
		t.Fatalf("%d notebooks; want %d", len(s.Notebooks), len(list)+1)
	}
	page := func(i int) string {
		t.Helper()
		return must.Read(t, filepath.Join(out, strings.TrimSuffix(filepath.Base(s.Notebooks[i].Path), ".ipynb")+".html"))
	}

	for i, p := range list {
		t.Run(p.exercise, func(t *testing.T) {
			for _, fault := range p.faults(s.Notebooks[i], page(i)) {
				t.Error(fault)
			}
		})
	}
	t.Run("red/right answer", func(t *testing.T) {
		n := s.Notebooks[len(list)]
		if n.Verdict != runner.Passed {
			t.Errorf("the notebook with the reference answer is %s (%s)", n.Verdict, n.Detail)
		}
		missing := `no part is Wrong with the key "` + right.key + `"`
		if got := right.faults(n, page(len(list))); !strings.Contains(strings.Join(got, "\n"), missing) {
			t.Errorf("faults %q, want %q among them", got, missing)
		}
	})
	t.Run("red/another key", func(t *testing.T) {
		p := list[at]
		p.key = "squared-twice"
		if got := p.faults(s.Notebooks[at], page(at)); len(got) != 1 || !strings.Contains(got[0], `with the key "squared-twice"`) {
			t.Errorf("faults %q, want one that names the key", got)
		}
	})
}

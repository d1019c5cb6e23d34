package exercise

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// good is the folder of an exercise without faults, relative to the module. root is the path from
// this package to the module.
const (
	good = "generate/internal/exercise/testdata/good/ex07"
	root = "../../.."
)

// editedFixture returns the valid fixture after one edit: in one file, `new` replaces `old`, which
// must occur exactly once. If `file` is "", editedFixture changes nothing.
func editedFixture(t *testing.T, file, old, new string) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	for _, name := range []string{"exercise.md", "check.go", "answer_test.go"} {
		text := must.Read(t, path.Join(root, good, name))
		if name == file {
			if n := strings.Count(text, old); n != 1 {
				t.Fatalf("%q occurs %d times in %s, want 1", old, n, name)
			}
			text = strings.Replace(text, old, new, 1)
		}
		m[path.Join(good, name)] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

func load(t *testing.T, fsys fs.FS) *Exercise {
	t.Helper()
	return must.Get(Load(fsys, good))(t)
}

// outline returns the notebook as text that lists the id, role and source of every cell.
func outline(nb *nbformat.Notebook) string {
	var b strings.Builder
	for _, c := range nb.Cells {
		role := c.Metadata["hyperplane"].(map[string]any)["role"].(string)
		b.WriteString("=== " + string(c.Type) + " " + c.ID + " (" + role + ")\n" + c.Source + "\n")
	}
	return b.String()
}

func TestNotebooks(t *testing.T) {
	e := load(t, os.DirFS(root))
	for name, make := range map[string]func() (*nbformat.Notebook, error){"learner": e.Learner, "solved": e.Solved} {
		t.Run(name, func(t *testing.T) {
			nb := must.Get(make())(t)
			must.Golden(t, "testdata/good/"+name+".golden", strings.ReplaceAll(outline(nb), toolkit.Version, "VERSION"))
		})
	}
}

func TestNotebooksAreTheSameEveryTimeAndValid(t *testing.T) {
	files := map[string]string{}
	for range 2 {
		e := load(t, os.DirFS(root))
		for name, make := range map[string]func() (*nbformat.Notebook, error){e.LearnerPath(): e.Learner,
			e.SolvedPath(): e.Solved} {
			text := string(must.Get(must.Get(make())(t).Marshal())(t))
			if before, ok := files[name]; ok && before != text {
				t.Errorf("%s: a second run makes a different notebook", name)
			}
			files[name] = text
		}
	}
	if len(files) != 2 || files["good/07-halves.ipynb"] == "" || files["solutions/good/07-halves.ipynb"] == "" {
		t.Errorf("got %d notebooks, want two with the names good/07-halves.ipynb and solutions/good/07-halves.ipynb", len(files))
	}
	must.SameNotebooks(t, files)
}

// TestFaults checks that each of these faults in an exercise's folder causes an error with file and
// line.
func TestFaults(t *testing.T) {
	tests := []struct{ name, file, old, new, want string }{
		{"missing heading", "exercise.md", "## Derivation\n", "\n",
			"exercise.md:32: found the heading \"## Explore\", want \"## Derivation\""},
		{"empty hint", "exercise.md", "By two.\n", "\n", "exercise.md:24: Hint 2 is empty"},
		{"explore is no Go", "exercise.md", "fmt.Println(seven)", "fmt.Println(seven", "exercise.md:49: "},
		{"explore begins with code", "exercise.md", "How fast do they shrink?", "",
			"exercise.md:37: begin the section Explore with a sentence"},
		{"explore has an empty cell", "exercise.md", "%%\nfmt.Println(seven)\n", "",
			"exercise.md:47: the Go block is empty"},
		{"answer does not parse", "answer_test.go", "const Two = 2", "const Two = = 2", "answer_test.go:16:13: "},
		{"init", "answer_test.go", "func BenchmarkSum(*testing.B) {}", "func init() {}",
			"answer_test.go:73: func init is not allowed in a notebook cell"},
		{"main", "answer_test.go", "func BenchmarkSum(*testing.B) {}", "func main() {}",
			"answer_test.go:73: func main is not allowed"},
		{"method", "answer_test.go", "func BenchmarkSum(*testing.B) {}", "// M does.\nfunc (t Table) M() {}",
			"answer_test.go:74: M is a method"},
		{"no doc comment", "answer_test.go", "func BenchmarkSum(*testing.B) {}", "func Third() {}",
			"answer_test.go:73: func Third has no doc comment"},
		{"no body", "answer_test.go", "func BenchmarkSum(*testing.B) {}", "// F is in assembly.\nfunc F()",
			"answer_test.go:74: func F has no body"},
		{"variable", "answer_test.go", "const Two = 2", "var Two = 2",
			"answer_test.go:16: the doc comment of a variable must contain //hyperplane:given"},
		{"dot import", "answer_test.go", "\t\"slices\"\n", "\t. \"slices\"\n", "answer_test.go:7: import . \"slices\""},
		{"missing function", "answer_test.go", "func Mean(", "func Median(",
			"check.go:17: Check has the parameter mean, but " + good +
				"/answer_test.go has no function of this name; its functions are Halve, Median, Sum"},
		{"nameless parameter", "check.go", "func CheckSteps(sum func(x []float64) float64)",
			"func CheckSteps(func(x []float64) float64)", "check.go:35: a parameter of CheckSteps has no name"},
		{"check of nothing", "check.go", "func CheckSteps(sum func(x []float64) float64)", "func CheckSteps()",
			"check.go:35: CheckSteps has no parameter"},
		{"no Check", "check.go", "func Check(", "func Judge(", "check.go:1: there is no func Check"},
		{"check does not parse", "check.go", "const Name = \"fixture\"", "const", "check.go:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := Load(editedFixture(t, tt.file, tt.old, tt.new), good)
			if err == nil {
				_, err = e.Learner()
			}
			must.Fail(t, err, good+"/"+tt.want)
		})
	}
}

func TestMissingFiles(t *testing.T) {
	for _, name := range []string{"exercise.md", "check.go", "answer_test.go"} {
		m := editedFixture(t, "", "", "")
		delete(m, path.Join(good, name))
		_, err := Load(m, good)
		must.Fail(t, err, path.Join(good, name)+" is missing")
	}
	_, err := Load(os.DirFS(root), "generate")
	must.Fail(t, err, "ex and two digits")
}

// TestVariantNotebook checks that the title of a variant names the learner and that the set-up cell
// selects the variant. The metadata of the notebook must contain the variant's seed. The cells must
// contain plain names in place of macros. The notebook of the common variant must not mention variants.
func TestVariantNotebook(t *testing.T) {
	module := os.DirFS(root)
	for _, v := range []Variant{{Seed: 12345}, {Seed: 12345, For: "A_da *B* <i>"}} {
		e := must.Get(LoadVariant(module, good, v))(t)
		nb := must.Get(e.Learner())(t)
		title, setup := nb.Cells[0].Source, nb.Cells[1].Source
		whose := "**Variant**, number 12345:"
		if v.For != "" {
			whose = `**Variant for A\_da \*B\* \<i\>**, number 12345:`
		}
		if !strings.Contains(title, whose) {
			t.Errorf("the title is\n%s\nwant a title that contains %q", title, whose)
		}
		if !strings.Contains(setup, "\n\nvar _ = exercises.Variant(12345)\n\n%%\n") ||
			!strings.Contains(setup, `/exercises"`+"\n") {
			t.Errorf("the set-up cell is\n%s\nwant a cell that imports the package exercises and selects variant 12345", setup)
		}
		if own := nb.Metadata["hyperplane"].(map[string]any); own["seed"] != json.Number("12345") {
			t.Errorf("got the metadata %v, want the seed 12345", own)
		}
	}
	linked := must.Get(LoadVariant(module, good, Variant{Seed: 3}))(t)
	linked.Task = "See {eq:prml-4.97} and {ex:prml-4.25}."
	if text := outline(must.Get(linked.Learner())(t)); !strings.Contains(text, "See (4.97) and PRML 4.25.") {
		t.Errorf("the notebook of a variant is\n%s\nwant \"See (4.97) and PRML 4.25.\" in place of macros", text)
	}
	e := must.Get(Load(module, good))(t)
	nb := must.Get(e.Learner())(t)
	if own := nb.Metadata["hyperplane"].(map[string]any); own["seed"] != nil || strings.Contains(outline(nb), "ariant") {
		t.Errorf("the notebook without a personal variant mentions variants: its metadata is %v, its cells are\n%s",
			own, outline(nb))
	}
}

// TestVariantConstants checks that the task, the stub and the solution contain the constants of the
// variant. Errors about constants must contain the file's name and the line number.
func TestVariantConstants(t *testing.T) {
	m := editedFixture(t, "exercise.md", "$y_n = x_n/2$", "$y_n = x_n/[[c]]$")
	m[good+"/answer_test.go"].Data = []byte(strings.Replace(string(m[good+"/answer_test.go"].Data), "const Two = 2\n",
		"const Two = 2 //hyperplane:vary const Two = [[c]]\n", 1))
	vary := func(n uint64) map[string]string { return map[string]string{"c": fmt.Sprint(2 + n)} }
	for _, n := range []uint64{0, 5} {
		e := must.Get(LoadVariant(m, good, Variant{Seed: n, Vary: vary}))(t)
		for _, want := range []string{fmt.Sprintf("$y_n = x_n/%d$", 2+n), fmt.Sprintf("\nconst Two = %d\n", 2+n)} {
			for _, part := range []string{e.Task + "\n" + e.Answer.Stub.Source, e.Task + "\n" + e.Answer.Solution.Source} {
				if !strings.Contains(part, want) {
					t.Errorf("variant %d: want %q in\n%s", n, want, part)
				}
			}
		}
		if got := e.Varies(); !slices.Equal(got, []string{"constants"}) {
			t.Errorf("Varies lists %q, want only \"constants\"", got)
		}
	}
	for _, tt := range []struct {
		vary exercises.Constants
		want string
	}{
		{nil, good + "/answer_test.go:16: unknown constant [[c]]"},
		{func(n uint64) map[string]string { return map[string]string{"c": fmt.Sprint(3 + n)} },
			good + "/answer_test.go:16: the line is"},
		{func(n uint64) map[string]string { return map[string]string{"c": fmt.Sprint(2 + n), "d": ""} },
			good + "/exercise.md:1: the constant d occurs neither"},
		{func(uint64) map[string]string { return map[string]string{"c": "2"} }, ""},
	} {
		_, err := LoadVariant(m, good, Variant{Seed: 3, Vary: tt.vary})
		must.Fail(t, err, tt.want)
	}
}

// TestVaries checks that Varies lists "data" only if a source file of the package, other than a
// test, draws random data.
func TestVaries(t *testing.T) {
	for _, tt := range []struct{ file, source, want string }{
		{"none.txt", "", ""},
		{"judge.go", "package ex07\n\nvar r = instance.Source(407, 1)\n", "data"},
		{"more_test.go", "package ex07\n\nvar r = instance.Source(407, 1)\n", ""},
	} {
		with := editedFixture(t, "", "", "")
		with[good+"/"+tt.file] = &fstest.MapFile{Data: []byte(tt.source)}
		if got := strings.Join(load(t, with).Varies(), " "); got != tt.want {
			t.Errorf("Varies with %s gives %q, want %q", tt.file, got, tt.want)
		}
	}
}

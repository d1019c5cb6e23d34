package exercise

import (
	"flag"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/jupytertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// good is the fixture's folder in the module, root the module seen from here.
const (
	good = "generate/internal/exercise/testdata/good/ex07"
	root = "../../.."
)

// edited returns the good fixture with old replaced by new in one file; old must
// be there once. A file that becomes "" is missing.
func edited(t *testing.T, file, old, new string) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	for _, name := range []string{"exercise.md", "check.go", "answer_test.go"} {
		data, err := os.ReadFile(path.Join(root, good, name))
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if name == file {
			if n := strings.Count(text, old); n != 1 {
				t.Fatalf("%q is %d times in %s", old, n, name)
			}
			text = strings.Replace(text, old, new, 1)
		}
		m[path.Join(good, name)] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

func load(t *testing.T, fsys fs.FS) *Exercise {
	t.Helper()
	e, err := Load(fsys, good)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// outline is the notebook as text: every cell with its id, role and source.
func outline(nb *nbformat.Notebook) string {
	var b strings.Builder
	for _, c := range nb.Cells {
		role := c.Metadata["hyperplane"].(map[string]any)["role"].(string)
		b.WriteString("=== " + string(c.Type) + " " + c.ID + " (" + role + ")\n" + c.Source + "\n")
	}
	return b.String()
}

var update = flag.Bool("update", false, "write the golden files anew")

func TestNotebooks(t *testing.T) {
	e := load(t, os.DirFS(root))
	for name, make := range map[string]func() (*nbformat.Notebook, error){"learner": e.Learner, "solved": e.Solved} {
		t.Run(name, func(t *testing.T) {
			nb, err := make()
			if err != nil {
				t.Fatal(err)
			}
			file := "testdata/good/" + name + ".golden"
			got := strings.ReplaceAll(outline(nb), toolkit.Version, "VERSION")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the notebook is now\n%s\nwant\n%s\n(go test -update writes %s)", got, want, file)
			}
		})
	}
}

func TestNotebooksAreTheSameEveryTimeAndValid(t *testing.T) {
	files := map[string][]byte{}
	for range 2 {
		e := load(t, os.DirFS(root))
		for name, make := range map[string]func() (*nbformat.Notebook, error){e.LearnerPath(): e.Learner, e.SolvedPath(): e.Solved} {
			nb, err := make()
			if err != nil {
				t.Fatal(err)
			}
			data, err := nb.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			if before, ok := files[name]; ok && string(before) != string(data) {
				t.Errorf("%s differs the second time", name)
			}
			files[name] = data
		}
	}
	if len(files) != 2 || files["good/07-halves.ipynb"] == nil || files["solutions/good/07-halves.ipynb"] == nil {
		t.Errorf("the notebooks are called otherwise: %d", len(files))
	}
	jupytertest.SameBytes(t, files)
}

// Every fault in an exercise's folder is an error with file and line.
func TestFaults(t *testing.T) {
	tests := []struct{ name, file, old, new, want string }{
		{"missing heading", "exercise.md", "## Derivation\n", "\n", "exercise.md:32: found the heading \"## Explore\" where \"## Derivation\" must stand"},
		{"empty hint", "exercise.md", "By two.\n", "\n", "exercise.md:24: Hint 2 is empty"},
		{"explore is no Go", "exercise.md", "fmt.Println(seven)", "fmt.Println(seven", "exercise.md:49: "},
		{"explore begins with code", "exercise.md", "How fast do they shrink?", "", "exercise.md:37: begin with a sentence"},
		{"explore has an empty cell", "exercise.md", "%%\nfmt.Println(seven)\n", "", "exercise.md:47: the Go block is empty"},
		{"answer does not parse", "answer_test.go", "const Two = 2", "const Two = = 2", "answer_test.go:16:13: "},
		{"init", "answer_test.go", "func BenchmarkSum(*testing.B) {}", "func init() {}", "answer_test.go:73: func init cannot stand in a notebook cell"},
		{"main", "answer_test.go", "func BenchmarkSum(*testing.B) {}", "func main() {}", "answer_test.go:73: func main cannot"},
		{"method", "answer_test.go", "func BenchmarkSum(*testing.B) {}", "// M does.\nfunc (t Table) M() {}", "answer_test.go:74: M is a method"},
		{"no doc comment", "answer_test.go", "func BenchmarkSum(*testing.B) {}", "func Third() {}", "answer_test.go:73: func Third has no doc comment"},
		{"no body", "answer_test.go", "func BenchmarkSum(*testing.B) {}", "// F is in assembly.\nfunc F()", "answer_test.go:74: func F has no body"},
		{"variable", "answer_test.go", "const Two = 2", "var Two = 2", "answer_test.go:16: a variable must say who gets it"},
		{"dot import", "answer_test.go", "\t\"slices\"\n", "\t. \"slices\"\n", "answer_test.go:7: import . \"slices\""},
		{"missing function", "answer_test.go", "func Mean(", "func Median(", "check.go:17: Check takes mean, but " + good + "/answer_test.go has no such function; it has Halve, Median, Sum"},
		{"nameless parameter", "check.go", "func CheckSteps(sum func(x []float64) float64)", "func CheckSteps(func(x []float64) float64)", "check.go:35: a parameter of CheckSteps has no name"},
		{"check of nothing", "check.go", "func CheckSteps(sum func(x []float64) float64)", "func CheckSteps()", "check.go:35: CheckSteps takes none"},
		{"no Check", "check.go", "func Check(", "func Judge(", "check.go:1: there is no func Check"},
		{"check does not parse", "check.go", "const Name = \"fixture\"", "const", "check.go:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := Load(edited(t, tt.file, tt.old, tt.new), good)
			if err == nil {
				_, err = e.Learner()
			}
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.HasPrefix(err.Error(), good+"/") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %q, want one with %q", err, tt.want)
			}
		})
	}
}

func TestMissingFiles(t *testing.T) {
	for _, name := range []string{"exercise.md", "check.go", "answer_test.go"} {
		m := edited(t, "", "", "")
		delete(m, path.Join(good, name))
		if _, err := Load(m, good); err == nil || !strings.Contains(err.Error(), path.Join(good, name)+" is missing") {
			t.Errorf("error %v, want one that says that %s is missing", err, name)
		}
	}
	if _, err := Load(os.DirFS(root), "generate"); err == nil || !strings.Contains(err.Error(), "ex and two digits") {
		t.Errorf("a folder that is no exercise: error %v", err)
	}
}

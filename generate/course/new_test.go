package course

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// moduleCopy makes a temporary folder with a copy of those parts of this module that a new exercise
// needs. It makes this folder the current folder. It also sets -trimpath, so that programs do not
// contain the path of the folder. Therefore the go command can reuse what it has compiled for other
// copies.
func moduleCopy(t *testing.T) string {
	t.Helper()
	root, dir := moduleRoot(t), t.TempDir()
	for _, name := range []string{"toolkit", "exercises", "generate", "docker"} {
		must.Do(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(root, name))))
	}
	for _, name := range []string{"go.mod", "go.sum", "CONTRIBUTING.md"} {
		must.Write(t, filepath.Join(dir, name), must.Read(t, filepath.Join(root, name)))
	}
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "-trimpath -buildvcs=false")
	return dir
}

// addToCatalogue adds the exercise in the folder `dir` to the list of exercises in this test
// program. The list in the program lacks this exercise, because the program was compiled before the
// exercise existed. For a user this step is not necessary, because `go run` compiles the changed
// list.
func addToCatalogue(t *testing.T, module fs.FS, dir string) {
	t.Helper()
	text := must.Get(fs.ReadFile(module, dir+"/exercise.md"))(t)
	answer := must.Get(fs.ReadFile(module, dir+"/answer_test.go"))(t)
	e := must.Get(exercises.Text{Name: dir + "/exercise.md", Markdown: string(text), Answer: string(answer)}.Parse(0))(t)
	entries := current.Entries
	t.Cleanup(func() { current.Entries = entries })
	current.Entries = append(slices.Clone(entries), exercises.Checked{Exercise: e})
}

// TestNew makes a new exercise and a new lesson in a copy of the module. For both, `generate judge`
// must report full counts such as 5/5, the tests of the package catalog must pass, and
// `generate notebooks` must make a notebook.
func TestNew(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	dir := moduleCopy(t)
	runWant(t, 0, []string{"new", "exercise", "own-1", "--slug", "origin"},
		"exercises/own/ex01/check.go", "go run ./generate judge own-1")
	runWant(t, 0, []string{"new", "lesson"}, "generate/lessons/15-slope.md", "exercises/lessons/lesson15/exercise.md")
	folders := []string{"exercises/own/ex01", "exercises/lessons/lesson15"}

	row := regexp.MustCompile(`(?m)^(?:own-1|lesson-15)` + strings.Repeat(` +([0-9]+)/([0-9]+)`, 4) + " ")
	table := runWant(t, 0, slices.Concat([]string{"judge"}, folders), "2 exercises, 0 red")
	rows := row.FindAllStringSubmatch(table, -1)
	if len(rows) != 2 {
		t.Fatalf("the judge prints %d rows, want one for the exercise and one for the lesson:\n%s", len(rows), table)
	}
	for _, m := range rows {
		for i := 1; i < len(m); i += 2 {
			if m[i] != m[i+1] || m[i] == "0" {
				t.Errorf("column %d of the row %q contains the counts %s/%s, want equal counts above 0", i/2+1, m[0], m[i], m[i+1])
			}
		}
	}

	// The tests of package `catalog` must find the new exercise and the task of the new lesson in
	// the list of exercises.
	test := exec.Command("go", "test", "./generate/internal/catalog", "-v", "-run",
		"^(TestEveryExerciseIsListed|TestProgressListsTheCatalogue)$")
	if said, err := test.CombinedOutput(); err != nil || strings.Count(string(said), "--- PASS") != 2 {
		t.Errorf("the catalogue's tests failed or did not run: %v\n%s", err, said)
	}

	for _, folder := range folders {
		addToCatalogue(t, os.DirFS(dir), folder)
	}
	runWant(t, 0, []string{"notebooks"}, "notebooks/exercises/own/01-origin.ipynb", "notebooks/lessons/15-slope.ipynb")
	nb := must.Get(nbformat.ReadFile(filepath.Join(dir, "notebooks/lessons/15-slope.ipynb")))(t)
	var all strings.Builder
	for _, c := range nb.Cells {
		all.WriteString(c.Source + "\n")
	}
	must.Contain(t, all.String(), "exercises.NoGuess", "show.Display(", "$$", "lesson15.Check(Slope, Loss)")
}

// TestNewRefuses checks that the command `new` rejects invalid arguments, such as an id with an
// unknown book or the id of a listed exercise. It also checks that a refused command changes no file.
func TestNewRefuses(t *testing.T) {
	dir := t.TempDir()
	root := moduleRoot(t)
	must.Write(t, filepath.Join(dir, "go.mod"), must.Read(t, filepath.Join(root, "go.mod")))
	must.Write(t, filepath.Join(dir, catalogFile), must.Read(t, filepath.Join(root, catalogFile)))
	must.Write(t, filepath.Join(dir, "exercises/prml4/ex27/exercise.md"), "mine")
	t.Chdir(dir)
	before := must.Tree(t, dir)
	wantRefused(t, []string{"new"}, []mistake{
		{"no argument", nil, "missing argument: want new course FOLDER, new exercise ID, or new lesson"},
		{"unknown kind", []string{"exercice"}, "did you mean exercise?"},
		{"no id", []string{"exercise"}, "accepts 1 arg"},
		{"invalid form of the id", []string{"exercise", "four"}, `invalid id "four": want a form like lesson-N or prml-4.N`},
		{"path in the id", []string{"exercise", "prml-4.2/../../x"}, "invalid id"},
		{"unknown book", []string{"exercise", "prml-3.1"}, `invalid id "prml-3.1"`},
		{"task of a lesson", []string{"exercise", "lesson-15"}, "use `new lesson`"},
		{"invalid slug", []string{"exercise", "prml-4.28", "--slug", "../x"}, `slug is "../x", want lower-case words`},
		{"too large a number", []string{"exercise", "own-100"}, "want a number from 1 to 99"},
		{"listed exercise", []string{"exercise", "prml-4.25"}, "lists prml-4.25 already"},
		{"existing file", []string{"exercise", "prml-4.27"}, "ex27/exercise.md exists, and the command `new` never overwrites a file"},
	})
	after := must.Tree(t, dir)
	if len(after) != len(before) {
		t.Errorf("after the refused commands there are %d files, want %d", len(after), len(before))
	}
	for name, text := range before {
		if after[name] != text {
			t.Errorf("a refused command changed %s", name)
		}
	}
}

package course

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// exerciseCount is the number of exercises, as text. noneBegun is the first line that the command
// `progress` prints for a learner who has not tried any exercise.
var (
	exerciseCount = strconv.Itoa(len(exercises.Entries()))
	noneBegun     = "0 of " + exerciseCount + " exercises passed, 0 tried, 0 revealed, " + exerciseCount +
		" not begun\n"
)

const (
	onePassed = `{"schema": "hyperplane-progress/1", "exercises": {"prml-4.25": {"answer": {"passed": true, "tries": 2}, "hints": [1]}}}`
)

func TestProgressCommand(t *testing.T) {
	for _, tt := range []struct {
		name, text string // text is the content of the progress file; "" if there is no file
		want       []string
	}{
		{"missing", "",
			[]string{noneBegun + "There is no ", "\nPRML, chapter 4\n  4.1 ", "\nAlpaydin, chapter 10\n  10.1 "}},
		{"one passed", onePassed,
			[]string{"1 of " + exerciseCount + " exercises passed, 0 tried", "✓ passed", "2 tries", "hint 1 (of 3)",
				"\nStored in "}},
		{"broken", onePassed[:70],
			[]string{noneBegun, "Your progress is unknown: ", "is broken (unexpected end of JSON input)"}},
		{"another program's", `{"done": 3}`,
			[]string{noneBegun, "Your progress is unknown: ", "it belongs to another program"}},
		{"of a newer version", `{"schema": "hyperplane-progress/3"}`, []string{noneBegun, "update the toolkit"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(progress.Variable, "/elsewhere/progress.json") // --dir takes precedence
			dir := t.TempDir()
			notebooks := filepath.Join(dir, "exercises", "prml4")
			must.Do(t, os.MkdirAll(notebooks, 0o755))
			must.Write(t, filepath.Join(dir, ".hyperplane.json"), "{}")
			if tt.text != "" {
				must.Write(t, filepath.Join(dir, progress.Name), tt.text)
			}
			before := must.Tree(t, dir)
			for _, at := range []string{dir, notebooks} {
				got := runWant(t, 0, []string{"progress", "--dir", at}, tt.want...)
				table := runJSON[progress.Table](t, 0, "progress", "--json", "--dir", at)
				if table.File != filepath.Join(dir, progress.Name) || strconv.Itoa(len(table.Rows)) != exerciseCount ||
					(table.Note == "") != strings.Contains(got, "Stored in") {
					t.Errorf("the JSON has the file %q, %d exercises and the note %q; want the file %q, %s exercises, and a note exactly if this table lacks the line “Stored in”:\n%s", table.File, len(table.Rows),
						table.Note, filepath.Join(dir, progress.Name), exerciseCount, got)
				}
			}
			if !maps.Equal(before, must.Tree(t, dir)) {
				t.Error("the command `progress` changed files")
			}
		})
	}
}

func TestProgressOfTheEnvironment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.json")
	must.Write(t, path, onePassed)
	t.Setenv(progress.Variable, path)
	runWant(t, 0, []string{"progress"}, "1 of "+exerciseCount+" exercises passed", path)
	t.Setenv(progress.Variable, "") // if neither --dir nor this variable is set, the command uses the folder "work"
	runWant(t, 0, []string{"progress"}, " of "+exerciseCount+" exercises passed")
}

// TestProgressInTheKernel runs in the kernel what a learner does: check the stub and a wrong
// answer, show a hint, ask for the solution, and check the right answer. The progress file must then
// record these steps. At the start, the file contains invalid JSON. The check must keep this broken
// file under a different name.
func TestProgressInTheKernel(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	t.Setenv(progress.Variable, "")
	dir, out := t.TempDir(), t.TempDir()
	run(t, "notebooks", "--work", dir)
	must.Write(t, filepath.Join(dir, progress.Name), onePassed[:70])
	folder := filepath.Join(dir, "exercises", "prml4")
	nb := must.Get(nbformat.ReadFile(filepath.Join(folder, "25-probit-scale.ipynb")))(t)
	setup, stub, check := nb.Cell("prml-4-25-setup"), nb.Cell("prml-4-25-stub"), nb.Cell("prml-4-25-check")
	if setup == nil || stub == nil || check == nil {
		t.Fatal("the notebook lacks a set-up, stub or check cell")
	}
	body := regexp.MustCompile(`panic\(verify\.TODO\).*`)
	answer := func(expression string) string { return body.ReplaceAllString(stub.Source, "return "+expression) }
	mine := nbformat.New()
	for _, c := range []struct{ id, source string }{
		{"setup", setup.Source},
		{"stub", stub.Source}, {"stub-check", check.Source},
		{"wrong", answer("8 / math.Pi")}, {"wrong-check", check.Source},
		{"tried", "%%\nexercises.Progress()"},
		{"hint", "%%\nex25.Hint(2)"},
		{"offer", "%%\nex25.Solution()"},
		{"right", answer("math.Pi / 8")}, {"right-check", check.Source},
		{"solution", "%%\nex25.Solution()"},
		{"passed", "%%\nexercises.Progress()"},
	} {
		mine.AddCode(c.id, c.source)
	}
	path := filepath.Join(folder, "mine.ipynb")
	must.Do(t, mine.WriteFile(path))
	must.Get(runner.Run(t.Context(), []string{path}, runner.Options{Kernel: kernel, Out: out, Person: true}))(t)
	done := must.Get(nbformat.ReadFile(filepath.Join(out, "mine.ipynb")))(t)
	for id, want := range map[string]struct{ mime, text string }{
		"stub-check": {"text/html", "so it was renamed to progress.json.broken and"},
		// The check prints the learner's answer below the heading “Is this verdict wrong?”.
		"wrong-check": {"text/html", "Answer:\n\nfunc LambdaSquared() float64 {"},
		"tried":       {"text/plain", "0 of " + exerciseCount + " exercises passed, 1 tried"},
		"offer":       {"text/markdown", "Hints 1 and 3 are still unseen"},
		"solution":    {"text/markdown", "You had passed this exercise before"},
		"passed":      {"text/html", "1 of " + exerciseCount + " exercises passed, 0 tried"},
	} {
		shown := ""
		for _, o := range done.Cell(id).Outputs {
			s, _ := o.Data(want.mime).(string)
			shown += s
		}
		if !strings.Contains(shown, want.text) {
			t.Errorf("cell %s: want the text %q in %q, from the outputs %v", id, want.text, shown, done.Cell(id).Outputs)
		}
	}

	if kept := must.Read(t, filepath.Join(dir, progress.Name+".broken")); kept != onePassed[:70] {
		t.Errorf("the renamed file contains %q, want the broken text", kept)
	}
	p := must.Get(progress.File{Path: filepath.Join(dir, progress.Name)}.Read())(t)
	r := p.Peek("prml-4.25")
	if len(p.Exercises) != 1 || r.State() != progress.Passed || r.Answer.Tries != 2 ||
		r.Answer.Last.String() != "3 of 3 right" ||
		!slices.Equal(r.Hints, []int{2}) || !r.Offered || r.Revealed || r.Steps != nil {
		t.Errorf("the progress file contains\n%s\nwant only prml-4.25: passed on the second try, last result 3 of 3, hint 2 seen, solution offered but not revealed, no steps", must.Read(t, filepath.Join(dir, progress.Name)))
	}
	runWant(t, 0, []string{"progress", "--dir", folder}, "1 of "+exerciseCount+" exercises passed")
}

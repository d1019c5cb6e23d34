package course

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

func TestOneExercise(t *testing.T) {
	dir := t.TempDir()
	run(t, "exercises", "prml-4.25", "--out", dir)
	got := slices.Sorted(maps.Keys(must.Tree(t, dir)))
	want := []string{"prml4/25-probit-scale.ipynb", "solutions/prml4/25-probit-scale.ipynb"}
	if !slices.Equal(got, want) {
		t.Errorf("got the files %q, want %q", got, want)
	}
}

func TestNotebooksValidate(t *testing.T) {
	dir := t.TempDir()
	run(t, "notebooks", "--out", dir)
	made := must.Tree(t, dir)
	if made["tour.ipynb"] == "" || made["exercises/prml4/25-probit-scale.ipynb"] == "" {
		t.Errorf("the command made only the files %q, want also tour.ipynb and exercises/prml4/25-probit-scale.ipynb", slices.Sorted(maps.Keys(made)))
	}
	if made["equations.md"] == "" {
		t.Error("the page of equations was not written")
	}
	delete(made, "equations.md")
	must.SameNotebooks(t, made)
}

func TestCheck(t *testing.T) {
	type change = func(nb *nbformat.Notebook)
	tests := []struct {
		name  string
		want  string // text that the check must print; "" if the check must pass
		edit  change // if edit is not nil, it changes the notebook tour.ipynb before the check
		files func(dir, tour string)
	}{
		{"as generated", "", nil, nil},
		{"quoted numbers are missing from the outputs", "tour.ipynb: quotes 0.335, 18, 6, which no cell of the same section prints", func(nb *nbformat.Notebook) {
			c := nb.Cell("tour-setup")
			c.ExecutionCount, c.Outputs = new(7), helloOutput
			nb.Metadata["language_info"].(map[string]any)["version"] = "go1.26.8"
		}, nil},
		{"source edited", "tour.ipynb: differs from its source",
			func(nb *nbformat.Notebook) { nb.Cells[0].Source += "!" }, nil},
		{"cell removed", "differs from its source", func(nb *nbformat.Notebook) { nb.Cells = nb.Cells[1:] }, nil},
		{"metadata edited", "differs from its source", func(nb *nbformat.Notebook) { nb.Metadata["hyperplane"] = nil },
			nil},
		{"indented otherwise", "is not formatted like a notebook from Jupyter", nil, func(_, tour string) {
			must.Write(t, tour, strings.ReplaceAll(must.Read(t, tour), "\n ", "\n  "))
		}},
		{"not JSON", "tour.ipynb: not a notebook: invalid JSON at line 1", nil,
			func(_, tour string) { must.Write(t, tour, "# Tour\n") }},
		{"page edited", `equations.md: differs from its source: line 1 is "Other", want "#`, nil, func(dir, _ string) {
			must.Write(t, filepath.Join(dir, "equations.md"), "Other\n")
		}},
		{"missing", "tour.ipynb: is missing", nil, func(_, tour string) { must.Do(t, os.Remove(tour)) }},
		{"no source", "old.ipynb: has no source", nil,
			func(dir, _ string) { must.Write(t, filepath.Join(dir, "old.ipynb"), "") }},
	}
	made := t.TempDir()
	run(t, "notebooks", "--out", made)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			must.Do(t, os.CopyFS(dir, os.DirFS(made)))
			tour := filepath.Join(dir, "tour.ipynb")
			if tt.edit != nil {
				edit(t, tour, tt.edit)
			}
			if tt.files != nil {
				tt.files(dir, tour)
			}
			before := must.Tree(t, dir)
			code := exitNotPassed
			if tt.want == "" {
				code = 0
			}
			runWant(t, code, []string{"notebooks", "--check", "--out", dir}, tt.want)
			if !maps.Equal(before, must.Tree(t, dir)) {
				t.Error("the check changed files")
			}
		})
	}
}

func TestOutputsAreKept(t *testing.T) {
	dir := t.TempDir()
	run(t, "notebooks", "--out", dir)
	path := filepath.Join(dir, "tour.ipynb")
	edit(t, path, func(nb *nbformat.Notebook) { nb.Cell("tour-setup").Outputs = helloOutput })
	executed := must.Read(t, path)
	run(t, "notebooks", "--out", dir)
	if must.Read(t, path) != executed {
		t.Error("the file has changed although the sources are the same, want the same file with its outputs")
	}
	edit(t, path, func(nb *nbformat.Notebook) { nb.Cells[0].Source += "!" })
	run(t, "notebooks", "--out", dir)
	if must.Read(t, path) != executed {
		t.Error("only a text was edited, so the generator should restore it and keep the outputs, but the file differs from its state before the edit")
	}
	edit(t, path, func(nb *nbformat.Notebook) { nb.Cell("tour-setup").Source += " " })
	runWant(t, 0, []string{"notebooks", "--out", dir},
		"tour.ipynb: outputs removed, because the code has changed; run the notebook again (in hyperplane's repository: `make notebooks`)")
	if strings.Contains(must.Read(t, path), "stdout") {
		t.Error("the code has changed, but its old outputs were kept")
	}
}

func TestWorkKeepsEdits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "work")
	run(t, "notebooks", "--work", dir)
	written := must.Tree(t, dir)
	if written["tour.ipynb"] == "" || written["exercises/prml4/25-probit-scale.ipynb"] == "" {
		t.Errorf("the command wrote only the files %q, want also tour.ipynb and exercises/prml4/25-probit-scale.ipynb", slices.Sorted(maps.Keys(written)))
	}
	for name := range written {
		if strings.Contains(name, "solutions") {
			t.Errorf("%s was copied into the learner's folder", name)
		}
	}
	tour := filepath.Join(dir, "tour.ipynb")
	must.Write(t, tour, "mine")
	runWant(t, 0, []string{"notebooks", "--work", dir}, "tour.ipynb: edited by you, left unchanged\n")
	written["tour.ipynb"] = "mine"
	if !maps.Equal(written, must.Tree(t, dir)) {
		t.Error("a second run of the command changed files")
	}
}

// TestFailureLeavesOldFilesWhole runs `generate exercises` with an output folder in which the command
// cannot write one of the notebooks, because a folder has the notebook's name. All existing files in the
// output folder must stay unchanged.
func TestFailureLeavesOldFilesWhole(t *testing.T) {
	dir := t.TempDir()
	run(t, "exercises", "--out", dir)
	must.Write(t, filepath.Join(dir, "prml4", "25-probit-scale.ipynb"), "old")
	solved := filepath.Join(dir, "solutions", "prml4", "25-probit-scale.ipynb")
	must.Do(t, os.Remove(solved))
	must.Do(t, os.Mkdir(solved, 0o755))
	before := must.Tree(t, dir)
	runWant(t, exitBad, []string{"exercises", "--out", dir}, "is a folder")
	if !maps.Equal(before, must.Tree(t, dir)) {
		t.Error("the command failed, but it has changed files")
	}
}

func TestInterruptedGenerationChangesNothing(t *testing.T) {
	dir := t.TempDir()
	run(t, "notebooks", "--out", dir)
	must.Write(t, filepath.Join(dir, "tour.ipynb"), "old")
	before := must.Tree(t, dir)
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var stdout, stderr bytes.Buffer
	if code := execute(ctx, []string{"notebooks", "--out", dir}, &stdout, &stderr); code != exitBad || !strings.Contains(stderr.String(), "stopped before anything") {
		t.Errorf("after an interrupt, got exit status %d and the output %s, want status 2 and an output with “stopped before anything”", code, &stderr)
	}
	if !maps.Equal(before, must.Tree(t, dir)) {
		t.Error("the command was interrupted, but it has changed files")
	}
}

// TestUsage checks the errors for invalid command lines. A refused command must write no file.
func TestUsage(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must.Write(t, file, "")
	wantRefused(t, nil, []mistake{
		{"unknown exercise", []string{"exercises", "prml-4.255"}, "did you mean prml-4.25?"},
		{"unknown command", []string{"exercise"}, "did you mean exercises?"},
		{"unknown flag", []string{"exercises", "--outt", "x"}, "unknown flag: --outt"},
		{"unknown list", []string{"list", "exercise"}, "did you mean exercises?"},
		{"unknown figure", []string{"figures", "fig-prml-4.99"}, "did you mean fig-prml-4.9?"},
		{"unknown format", []string{"figures", "--format", "gif"}, "gif"},
		{"unknown size", []string{"figures", "--size", "huge"}, "huge"},
		{"no jobs", []string{"figures", "--jobs", "0"}, "invalid --jobs 0: want 1 or more"},
		{"figures into a folder below a file", []string{"figures", "fig-prml-4.9", "--out", filepath.Join(file, "x")}, "x"},
		{"check and out", []string{"figures", "--check", "m.json", "--out", "x"}, "[check out]"},
		{"check and size", []string{"figures", "--check", "m.json", "--size", "page"}, "[check size]"},
		{"check and format", []string{"figures", "--check", "m.json", "--format", "csv"}, "[check format]"},
		{"no manifest", []string{"figures", "--check", filepath.Join(file, "m.json")}, "cannot read the manifest"},
		{"two lists", []string{"list", "exercises", "figures"}, "want one of lessons"},
		{"check and work", []string{"notebooks", "--check", "--work", "x"}, "check work"},
		{"unexpected argument", []string{"notebooks", "tour"}, "tour"},
		{"out is below a file", []string{"exercises", "--out", filepath.Join(file, "x")}, "not a directory"},
		{"no notebook", []string{"run"}, "requires at least 1 arg"},
		{"argument to doctor", []string{"doctor", "me"}, "me"},
		{"carry without a folder", []string{"notebooks", "--carry"}, "--carry needs --work"},
		{"charts without a folder", []string{"run", "--charts", "x.ipynb"}, "--charts needs --out"},
		{"missing folder of executed notebooks", []string{"site", "--executed", "none"}, "--executed: "},
		{"work is below a file", []string{"notebooks", "--work", filepath.Join(file, "x")}, "file"},
	})
	wantRefused(t, []string{"judge"}, []mistake{
		{"no jobs", []string{"--jobs", "0"}, "invalid --jobs 0: want 1 or more"},
		{"unknown exercise", []string{"prml-4.255"}, "did you mean prml-4.25?"},
		{"no such folder", []string{"exercises/prml4/ex99"}, "exercises/prml4/ex99/exercise.md is missing"},
		{"folder of no exercise", []string{"./toolkit"}, "invalid folder name: want ex and two digits"},
		{"folder outside the module", []string{"../ex01"}, "../ex01 is not a folder of this module"},
	})
	wantRefused(t, []string{"run", "x.ipynb"}, []mistake{
		{"time limit of 0", []string{"--timeout", "0s"}, "above 0"},
		{"negative limit", []string{"--limit", "-1m"}, "above 0"},
		{"time without a unit", []string{"--timeout", "60"}, "must be a duration"},
		{"no jobs", []string{"--jobs", "0"}, "invalid --jobs 0: want 1 or more"},
		{"pages without a folder", []string{"--html"}, "--out"},
		{"unknown exercise", []string{"--exercise", "prml-4.52"}, "did you mean prml-4.12"},
		{"empty exercise", []string{"--exercise", ""}, "there is no exercise"},
		{"seed without an exercise", []string{"--seed", "7"}, "--seed and --student need --exercise"},
		{"student without an exercise", []string{"--student", "Ada"},
			"--seed and --student need --exercise"},
		{"negative seed", []string{"--exercise", "prml-4.25", "--seed", "-1"}, "invalid --seed"},
		{"trust without pages", []string{"--trust"}, "--html"},
	})
	wantRefused(t, []string{"site"}, []mistake{
		{"watch without a server", []string{"--watch"}, "--watch needs --serve"},
		{"watch and as-is", []string{"--watch", "--serve=127.0.0.1:0", "--as-is"}, "neither --as-is nor --executed"},
	})
	wantRefused(t, []string{"progress"}, []mistake{
		{"no folder", []string{"--dir", file + "-none"}, "the folder does not exist"},
		{"a file", []string{"--dir", file}, "is a file"},
		{"unexpected argument", []string{"me"}, "me"},
	})
	wantRefused(t, []string{"exercises", "prml-4.25"}, []mistake{
		{"nbgrader without a folder", []string{"--nbgrader"}, "--nbgrader needs the course folder"},
		{"assignment without nbgrader", []string{"--assignment", "a", "--out", dir}, "--assignment needs --nbgrader"},
		{"invalid name of the assignment", []string{"--nbgrader", "--assignment", "a+b", "--out", dir}, `invalid assignment name "a+b"`},
	})
	if left := must.Tree(t, dir); len(left) != 1 {
		t.Errorf("the refused commands left the files %v, want only “file”", left)
	}
}

func TestOutsideTheModule(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, command := range []string{"list", "exercises", "notebooks"} {
		runWant(t, exitBad, []string{command}, "not inside the module")
	}
}

func TestFiguresNeedNoModule(t *testing.T) {
	t.Chdir(t.TempDir())
	runWant(t, 0, []string{"list", "figures"}, "fig-prml-4.9")
	run(t, "figures", "fig-prml-4.9", "--format", "csv", "--out", "figures")
}

func TestHelpDocumentsExitCodes(t *testing.T) {
	for _, newCmd := range commands {
		name := newCmd().Name()
		if out := run(t, name, "--help"); !strings.Contains(strings.ToLower(out), "exit status") {
			t.Errorf("the help of %s does not mention the exit status:\n%s", name, out)
		}
	}
	runWant(t, 0, nil, "Exit status: 0 success", "notebooks")
}

func TestList(t *testing.T) {
	l := runJSON[listing](t, 0, "list", "--json")
	i := slices.IndexFunc(l.Exercises, func(e listedExercise) bool { return e.ID == "prml-4.25" })
	if i < 0 || !slices.Equal(l.Exercises[i].Functions, []string{"LambdaSquared", "SigmoidSlope", "ProbitSlope"}) ||
		l.Exercises[i].Notebook != "notebooks/exercises/prml4/25-probit-scale.ipynb" {
		t.Errorf("the list contains the exercises %+v, want prml-4.25 with the functions LambdaSquared, SigmoidSlope and ProbitSlope, and with the notebook notebooks/exercises/prml4/25-probit-scale.ipynb", l.Exercises)
	}
	if len(l.Lessons) != 18 || l.Lessons[0].Notebook != "notebooks/index.ipynb" ||
		l.Lessons[1].Notebook != "notebooks/tour.ipynb" {
		t.Errorf("the list contains the lessons %+v, want 18, of which the first two have the notebooks notebooks/index.ipynb and notebooks/tour.ipynb", l.Lessons)
	}
	for id, want := range map[string][]string{
		"alpaydin-10.1": {"data", "constants"}, "alpaydin-10.9": {"constants"}, "prml-4.8": {"data"}, "prml-4.21": {},
		"lesson-2": {"data"},
	} {
		i := slices.IndexFunc(l.Exercises, func(e listedExercise) bool { return e.ID == id })
		if i < 0 || !slices.Equal(l.Exercises[i].Varies, want) {
			t.Errorf("for %s, the list contains the entries %+v, want one entry with %q in the field “varies”", id, l.Exercises[max(i, 0):i+1], want)
		}
	}
	sections := runJSON[listing](t, 0, "list", "sections", "--json").Sections
	if len(sections) < 70 || sections[0].Section != "PRML 4" || len(sections[0].Cells) == 0 {
		t.Errorf("the list contains the sections %+v, want at least 70, and cells for the first section, PRML 4", sections)
	}
	for _, s := range sections {
		slices.Sort(s.Exercises)
		if once := slices.Compact(slices.Clone(s.Exercises)); len(once) < len(s.Exercises) {
			t.Errorf("section %s lists the exercises %v, want each exercise once", s.Section, s.Exercises)
		}
	}
	if l := runJSON[listing](t, 0, "list", "lessons", "--json"); len(l.Exercises) != 0 || len(l.Lessons) == 0 {
		t.Errorf("the command `list lessons` lists %d exercises and %d lessons, want 0 exercises and at least one lesson", len(l.Exercises), len(l.Lessons))
	}
	runWant(t, 0, []string{"list"}, "prml-4.25", "data, constants", "–")
}

func TestFiguresAndGallery(t *testing.T) {
	for _, gallery := range []bool{false, true} {
		dir := t.TempDir()
		run(t, "figures", "fig-prml-4.9", "--format", "csv", fmt.Sprintf("--gallery=%t", gallery), "--jobs", "2",
			"--out", dir)
		want := []string{"fig-prml-4.9.csv", "index.html", "manifest.json"}
		if !gallery {
			want = slices.Delete(want, 1, 2)
		}
		if got := slices.Sorted(maps.Keys(must.Tree(t, dir))); !slices.Equal(got, want) {
			t.Errorf("with --gallery=%t, got the files %q, want %q", gallery, got, want)
		}
	}
}

func TestCheckFigures(t *testing.T) {
	tests := []struct {
		name, old, new string // in the manifest, the test replaces the first text `old` with the text `new`
		code           int
		want           string // text that the output must contain
	}{
		{"as written", "", "", 0, "the figures match the manifest"},
		{"other numbers", `"numbers": "`, `"numbers": "0`, exitNotPassed, "fig-prml-4.9: numbers differ\n"},
		{"not JSON", "{", "figures", exitBad, "is not a manifest"},
	}
	made := t.TempDir()
	run(t, "figures", "fig-prml-4.9", "--format", "svg,csv", "--size", "page", "--out", made)
	manifest := must.Read(t, filepath.Join(made, "manifest.json"))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir) // run in an empty folder, so that the test notices files that the command writes by mistake
			must.Write(t, "m.json", strings.Replace(manifest, tt.old, tt.new, 1))
			before := must.Tree(t, dir)
			runWant(t, tt.code, []string{"figures", "--check", "m.json", "fig-prml-4.9"}, tt.want)
			if !maps.Equal(before, must.Tree(t, dir)) {
				t.Error("the check wrote files")
			}
		})
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/jupytertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

// generate runs the command line and returns exit code, stdout and stderr.
func generate(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = execute(t.Context(), args, &out, &err)
	return code, out.String(), err.String()
}

// A mistake is a command line that is refused, and what stderr says.
type mistake struct {
	name string
	args []string
	want string
}

// refused runs the mistakes, each with what all have in common before it.
func refused(t *testing.T, before []string, mistakes []mistake) {
	t.Helper()
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			code, stdout, stderr := generate(t, slices.Concat(before, m.args)...)
			if code != exitBad || !strings.Contains(stderr, m.want) || stdout != "" {
				t.Errorf("exit %d, stdout %q, stderr %q; want exit 2 and %q", code, stdout, stderr, m.want)
			}
		})
	}
}

// must is generate for what must succeed; it returns stdout.
func must(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := generate(t, args...)
	if code != 0 {
		t.Fatalf("generate %q: exit %d\n%s%s", args, code, stdout, stderr)
	}
	return stdout
}

// read returns all files below dir: slash-separated relative path → content.
func read(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	m := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		m[filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func equal(a, b map[string][]byte) bool { return maps.EqualFunc(a, b, bytes.Equal) }

func TestExercisesAreTheSameEveryTime(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	must(t, "exercises", "--out", a)
	must(t, "exercises", "--out", b)
	if first := read(t, a); len(first) < 2 || !equal(first, read(t, b)) {
		t.Errorf("two generations differ, or are empty (%d files)", len(first))
	}
}

func TestOneExercise(t *testing.T) {
	dir := t.TempDir()
	must(t, "exercises", "prml-4.25", "--out", dir)
	got := slices.Sorted(maps.Keys(read(t, dir)))
	want := []string{"prml4/25-probit-scale.ipynb", "solutions/prml4/25-probit-scale.ipynb"}
	if !slices.Equal(got, want) {
		t.Errorf("files are %q, want %q", got, want)
	}
}

func TestNotebooksValidate(t *testing.T) {
	dir := t.TempDir()
	must(t, "notebooks", "--out", dir)
	made := read(t, dir)
	if made["tour.ipynb"] == nil || made["exercises/prml4/25-probit-scale.ipynb"] == nil {
		t.Errorf("made are %q", slices.Sorted(maps.Keys(made)))
	}
	jupytertest.SameBytes(t, made)
}

func TestCheck(t *testing.T) {
	const tour = "tour.ipynb"
	edit := func(change func(nb *nbformat.Notebook)) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			nb, err := nbformat.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			change(nb)
			data, err := nb.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			write(t, path, data)
		}
	}
	count := 7
	tests := []struct {
		name string
		edit func(t *testing.T, path string)
		want string // "" when the check must pass
	}{
		{"as generated", func(*testing.T, string) {}, ""},
		{"with outputs", edit(func(nb *nbformat.Notebook) {
			c := nb.Cell("tour-setup")
			c.ExecutionCount = &count
			c.Outputs = []nbformat.Output{{"output_type": "stream", "name": "stdout", "text": "1\n"}}
			nb.Metadata["language_info"].(map[string]any)["version"] = "go1.26.8"
		}), ""},
		{"source edited", edit(func(nb *nbformat.Notebook) { nb.Cells[0].Source += "!" }), "tour.ipynb: differs from its source"},
		{"cell removed", edit(func(nb *nbformat.Notebook) { nb.Cells = nb.Cells[1:] }), "differs from its source"},
		{"metadata edited", edit(func(nb *nbformat.Notebook) { nb.Metadata["hyperplane"] = nil }), "differs from its source"},
		{"indented otherwise", func(t *testing.T, path string) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			write(t, path, bytes.ReplaceAll(data, []byte("\n "), []byte("\n  ")))
		}, "is not written as Jupyter writes it"},
		{"not JSON", func(t *testing.T, path string) { write(t, path, []byte("# Tour\n")) }, "tour.ipynb: not a notebook: no JSON at line 1"},
		{"missing", func(t *testing.T, path string) { remove(t, path) }, "tour.ipynb: is missing"},
		{"no source", func(t *testing.T, path string) { write(t, filepath.Join(filepath.Dir(path), "old.ipynb"), nil) }, "old.ipynb: has no source"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			must(t, "notebooks", "--out", dir)
			tt.edit(t, filepath.Join(dir, tour))
			before := read(t, dir)
			code, stdout, stderr := generate(t, "notebooks", "--check", "--out", dir)
			if tt.want == "" && code != 0 || tt.want != "" && (code != exitNotPassed || !strings.Contains(stdout, tt.want)) {
				t.Errorf("exit %d\n%s%s\nwant %q", code, stdout, stderr, tt.want)
			}
			if !equal(before, read(t, dir)) {
				t.Error("the check changed files")
			}
		})
	}
}

func TestCommittedNotebooksAreUpToDate(t *testing.T) {
	if code, stdout, stderr := generate(t, "notebooks", "--check"); code != 0 {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}

func TestOutputsAreKept(t *testing.T) {
	dir := t.TempDir()
	must(t, "notebooks", "--out", dir)
	path := filepath.Join(dir, "tour.ipynb")
	nb, err := nbformat.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	nb.Cell("tour-setup").Outputs = []nbformat.Output{{"output_type": "stream", "name": "stdout", "text": "1\n"}}
	run, err := nb.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, run)
	must(t, "notebooks", "--out", dir)
	if !bytes.Equal(read(t, dir)["tour.ipynb"], run) {
		t.Error("the outputs are gone though the sources are the same")
	}
	nb.Cells[0].Source += "!"
	changed, err := nb.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, changed)
	must(t, "notebooks", "--out", dir)
	if bytes.Contains(read(t, dir)["tour.ipynb"], []byte("stdout")) {
		t.Error("the outputs of other sources were kept")
	}
}

func TestWorkKeepsEdits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "work")
	must(t, "notebooks", "--work", dir)
	laid := read(t, dir)
	if laid["tour.ipynb"] == nil || laid["exercises/prml4/25-probit-scale.ipynb"] == nil {
		t.Errorf("laid are %q", slices.Sorted(maps.Keys(laid)))
	}
	for name := range laid {
		if strings.Contains(name, "solutions") {
			t.Errorf("%s was laid for the learner", name)
		}
	}
	tour := filepath.Join(dir, "tour.ipynb")
	write(t, tour, []byte("mine"))
	out := must(t, "notebooks", "--work", dir)
	if !strings.Contains(out, "tour.ipynb: yours, left as it is\n") {
		t.Errorf("nothing is said about the edited notebook:\n%s", out)
	}
	laid["tour.ipynb"] = []byte("mine")
	if !equal(laid, read(t, dir)) {
		t.Error("laying again changed files")
	}
}

// A generation that fails half-way leaves what was there.
func TestFailureLeavesOldFilesWhole(t *testing.T) {
	dir := t.TempDir()
	must(t, "exercises", "--out", dir)
	write(t, filepath.Join(dir, "prml4", "25-probit-scale.ipynb"), []byte("old"))
	solved := filepath.Join(dir, "solutions", "prml4", "25-probit-scale.ipynb")
	remove(t, solved)
	if err := os.Mkdir(solved, 0o755); err != nil {
		t.Fatal(err)
	}
	before := read(t, dir)
	code, _, stderr := generate(t, "exercises", "--out", dir)
	if code != exitBad || !strings.Contains(stderr, "is a folder") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if !equal(before, read(t, dir)) {
		t.Error("a generation that failed changed files")
	}
}

func TestInterruptedGenerationChangesNothing(t *testing.T) {
	dir := t.TempDir()
	must(t, "notebooks", "--out", dir)
	write(t, filepath.Join(dir, "tour.ipynb"), []byte("old"))
	before := read(t, dir)
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var stdout, stderr bytes.Buffer
	if code := execute(ctx, []string{"notebooks", "--out", dir}, &stdout, &stderr); code != exitBad || !strings.Contains(stderr.String(), "stopped before anything") {
		t.Errorf("exit %d: %s", code, &stderr)
	}
	if !equal(before, read(t, dir)) {
		t.Error("an interrupted generation changed files")
	}
}

func TestUsage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, nil)
	refused(t, nil, []mistake{
		{"unknown exercise", []string{"exercises", "prml-4.255"}, "did you mean prml-4.25?"},
		{"unknown command", []string{"exercise"}, "did you mean exercises?"},
		{"unknown flag", []string{"exercises", "--outt", "x"}, "unknown flag: --outt"},
		{"unknown list", []string{"list", "exercise"}, "did you mean exercises?"},
		{"unknown figure", []string{"figures", "fig-prml-4.99"}, "did you mean fig-prml-4.9?"},
		{"unknown format", []string{"figures", "--format", "gif"}, "gif"},
		{"unknown size", []string{"figures", "--size", "huge"}, "huge"},
		{"no jobs", []string{"figures", "--jobs", "0"}, "--jobs takes a number from 1"},
		{"figures into a file", []string{"figures", "fig-prml-4.9", "--out", filepath.Join(file, "x")}, "x"},
		{"check and out", []string{"figures", "--check", "m.json", "--out", "x"}, "[check out]"},
		{"check and size", []string{"figures", "--check", "m.json", "--size", "page"}, "[check size]"},
		{"check and format", []string{"figures", "--check", "m.json", "--format", "csv"}, "[check format]"},
		{"no manifest", []string{"figures", "--check", filepath.Join(file, "m.json")}, "cannot read the manifest"},
		{"two lists", []string{"list", "exercises", "figures"}, "name one of"},
		{"check and work", []string{"notebooks", "--check", "--work", "x"}, "check work"},
		{"argument too many", []string{"notebooks", "tour"}, "tour"},
		{"out is a file", []string{"exercises", "--out", filepath.Join(file, "x")}, "not a directory"},
		{"work is a file", []string{"notebooks", "--work", filepath.Join(file, "x")}, "file"},
	})
}

func TestOutsideTheModule(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, command := range []string{"list", "exercises", "notebooks"} {
		if code, _, stderr := generate(t, command); code != exitBad || !strings.Contains(stderr, "not inside the module") {
			t.Errorf("%s: exit %d: %s", command, code, stderr)
		}
	}
}

func TestFiguresNeedNoModule(t *testing.T) {
	t.Chdir(t.TempDir())
	if out := must(t, "list", "figures"); !strings.Contains(out, "fig-prml-4.9") {
		t.Errorf("the list is\n%s", out)
	}
	must(t, "figures", "fig-prml-4.9", "--format", "csv", "--out", "figures")
}

func TestHelpDocumentsExitCodes(t *testing.T) {
	for _, newCmd := range commands {
		name := newCmd().Name()
		if out := must(t, name, "--help"); !strings.Contains(strings.ToLower(out), "exit status") {
			t.Errorf("the help of %s says nothing about the exit status:\n%s", name, out)
		}
	}
	if out := must(t); !strings.Contains(out, "Exit status: 0 all is well") || !strings.Contains(out, "notebooks") {
		t.Errorf("the help is\n%s", out)
	}
}

func TestListJSON(t *testing.T) {
	var l listing
	if err := json.Unmarshal([]byte(must(t, "list", "--json")), &l); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(l.Exercises, func(e listedExercise) bool { return e.ID == "prml-4.25" })
	if i < 0 || !slices.Equal(l.Exercises[i].Functions, []string{"LambdaSquared", "SigmoidSlope", "ProbitSlope"}) || l.Exercises[i].Notebook != "notebooks/exercises/prml4/25-probit-scale.ipynb" {
		t.Errorf("exercises are %+v", l.Exercises)
	}
	if len(l.Lessons) == 0 || l.Lessons[0].Notebook != "notebooks/tour.ipynb" {
		t.Errorf("lessons are %+v", l.Lessons)
	}
	if err := json.Unmarshal([]byte(must(t, "list", "lessons", "--json")), &l); err != nil || len(l.Exercises) != 0 {
		t.Errorf("list lessons also lists %d exercises (%v)", len(l.Exercises), err)
	}
	if out := must(t, "list"); !strings.Contains(out, "prml-4.25") {
		t.Errorf("the list is\n%s", out)
	}
}

// All figures, and the page and the manifest with them, are the same however many
// are drawn at a time.
func TestFiguresAreTheSameForAnyJobs(t *testing.T) {
	one, two := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	args := []string{"figures", "--format", "svg,csv", "--size", "page"}
	must(t, append(args, "--jobs", "1", "--out", one)...)
	must(t, append(args, "--jobs", "2", "--out", two)...)
	first, second := read(t, one), read(t, two)
	want := []string{"index.html", "manifest.json"}
	for _, f := range figures.All() {
		want = append(want, f.ID+".csv", f.ID+".svg")
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(first)); !slices.Equal(got, want) {
		t.Errorf("made are %q, want %q", got, want)
	}
	for _, name := range want {
		if !bytes.Equal(first[name], second[name]) {
			t.Errorf("%s depends on the number of jobs", name)
		}
	}
}

func TestFiguresWithoutGallery(t *testing.T) {
	dir := t.TempDir()
	must(t, "figures", "fig-prml-4.9", "--format", "csv", "--gallery=false", "--out", dir)
	want := []string{"fig-prml-4.9.csv", "manifest.json"}
	if got := slices.Sorted(maps.Keys(read(t, dir))); !slices.Equal(got, want) {
		t.Errorf("made are %q, want %q", got, want)
	}
}

func TestCheckFigures(t *testing.T) {
	tests := []struct {
		name string
		edit func(manifest string) string
		code int
		want string // in what is said
	}{
		{"as written", func(m string) string { return m }, 0, "the figures are as the manifest says"},
		{"a hash", func(m string) string {
			return regexp.MustCompile(`"sha256": "[0-9a-f]{8}`).ReplaceAllString(m, `"sha256": "00000000`)
		}, exitNotPassed, "fig-prml-4.9: fig-prml-4.9.svg: bytes differ\n"},
		{"the numbers", func(m string) string {
			return regexp.MustCompile(`"numbers": "[0-9a-f]{8}`).ReplaceAllString(m, `"numbers": "00000000`)
		}, exitNotPassed, "fig-prml-4.9: numbers differ\n"},
		{"a parameter", func(m string) string { return strings.Replace(m, "figures.PRML4x9(", "figures.PRML4x8(", 1) }, exitNotPassed, "fig-prml-4.9: call: figures.PRML4x8("},
		{"another figure", func(m string) string { return strings.ReplaceAll(m, "fig-prml-4.9", "fig-prml-4.99") }, exitNotPassed, "fig-prml-4.9: is not in the manifest\n"},
		{"no JSON", func(string) string { return "figures" }, exitBad, "is not a manifest"},
		{"no such size", func(m string) string { return strings.Replace(m, `"size": "page"`, `"size": "poster"`, 1) }, exitBad, "poster"},
	}
	made := t.TempDir()
	must(t, "figures", "fig-prml-4.9", "--format", "svg,csv", "--size", "page", "--out", made)
	manifest := string(read(t, made)["manifest.json"])
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir) // where out/figures would be made
			write(t, "m.json", []byte(tt.edit(manifest)))
			before := read(t, dir)
			code, stdout, stderr := generate(t, "figures", "--check", "m.json", "fig-prml-4.9")
			if code != tt.code || !strings.Contains(stdout+stderr, tt.want) {
				t.Errorf("exit %d\n%s%s\nwant exit %d and %q", code, stdout, stderr, tt.code, tt.want)
			}
			if !equal(before, read(t, dir)) {
				t.Error("the check wrote files")
			}
		})
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/doctor"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

const fixtures = "internal/runner/testdata/"

func TestRunExitStatus(t *testing.T) {
	kerneltest.Kernel(t)
	out := t.TempDir()
	tests := []struct {
		name string
		args []string
		code int
		want string
	}{
		{"passed", []string{"right.ipynb"}, 0, "1 passed, 0 failed"},
		{"not passed", []string{"right.ipynb", "stub.ipynb"}, exitNotPassed, "1 passed, 1 failed"},
		{"not a notebook", []string{"not_json.ipynb"}, exitNotPassed, "NotANotebook"},
		{"no such notebook", []string{"none.ipynb"}, exitBad, "none.ipynb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{"run", "--out", out}
			for _, a := range tt.args {
				args = append(args, fixtures+a)
			}
			code, stdout, stderr := generate(t, args...)
			if code != tt.code || !strings.Contains(stdout+stderr, tt.want) {
				t.Errorf("exit %d, want %d and %q\n%s%s", code, tt.code, tt.want, stdout, stderr)
			}
		})
	}
}

func TestRunJSONAndPages(t *testing.T) {
	kerneltest.Kernel(t)
	out := t.TempDir()
	var s runner.Summary
	if err := json.Unmarshal([]byte(must(t, "run", "--json", "--html", "--out", out, fixtures+"right.ipynb")), &s); err != nil {
		t.Fatal(err)
	}
	if s.Schema != "hyperplane-run/1" || !s.Passed || len(s.Notebooks) != 1 || s.Notebooks[0].Verdict != runner.Passed || len(s.Notebooks[0].Files) != 2 {
		t.Errorf("the summary is %+v", s)
	}
	page, err := os.ReadFile(filepath.Join(out, "right.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<title>right</title>", "two parts", "Right"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("%q is not in the page", want)
		}
	}
	if strings.Contains(string(page), "file:///") {
		t.Error("the page needs files of this machine")
	}
}

// textNotebook writes a notebook without code cells, which needs no kernel.
func textNotebook(t *testing.T, path, markdown string) {
	t.Helper()
	nb := nbformat.New()
	nb.AddMarkdown("text", markdown)
	text, err := nb.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// What cannot be judged is exit 2, and the verdicts of the others are printed.
func TestRunNotJudged(t *testing.T) {
	kerneltest.Kernel(t)
	dir := t.TempDir()
	textNotebook(t, filepath.Join(dir, "a.ipynb"), "# A")
	if err := os.Symlink("nowhere", filepath.Join(dir, "b.ipynb")); err != nil {
		t.Fatal(err)
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name   string
		ctx    context.Context
		a      runner.Verdict
		stderr string
	}{
		{"dangling link", t.Context(), runner.OK, "not every notebook could be judged"},
		{"interrupted", interrupted, runner.NotJudged, "interrupted"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := execute(tt.ctx, []string{"run", "--json", dir}, &stdout, &stderr)
			var s runner.Summary
			if err := json.Unmarshal(stdout.Bytes(), &s); err != nil {
				t.Fatalf("%v\n%s%s", err, stdout.String(), stderr.String())
			}
			if code != exitBad || !strings.Contains(stderr.String(), tt.stderr) {
				t.Errorf("exit %d, want %d and %q\n%s", code, exitBad, tt.stderr, stderr.String())
			}
			if len(s.Notebooks) != 2 || s.Notebooks[0].Verdict != tt.a || s.Notebooks[1].Verdict != runner.NotJudged || s.Passed {
				t.Errorf("the summary is %+v", s)
			}
		})
	}
}

// Scripts of a notebook are in its page only with --trust.
func TestRunTrust(t *testing.T) {
	kerneltest.Kernel(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.ipynb")
	textNotebook(t, path, "# A\n\n<script>alert(1)</script>")
	for _, trust := range []bool{false, true} {
		must(t, "run", "--html", fmt.Sprintf("--trust=%t", trust), "--out", filepath.Join(dir, "out"), path)
		page, err := os.ReadFile(filepath.Join(dir, "out", "a.html"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(page), "alert(1)") != trust {
			t.Errorf("--trust=%t: the script is in the page: %t", trust, !trust)
		}
	}
}

// The notebook that is run is never what the run writes.
func TestRunSparesItsInput(t *testing.T) {
	kerneltest.Kernel(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.ipynb")
	textNotebook(t, path, "# A")
	code, _, stderr := generate(t, "run", path, "--out", dir)
	if code != exitBad || !strings.Contains(stderr, "name another output folder") {
		t.Errorf("exit %d: %s; want exit %d and what to do", code, stderr, exitBad)
	}
}

func TestRunUsage(t *testing.T) {
	refused(t, nil, []mistake{
		{"no notebook", []string{"run"}, "requires at least 1 arg"},
		{"no time", []string{"run", "x.ipynb", "--timeout", "0s"}, "above 0"},
		{"negative limit", []string{"run", "x.ipynb", "--limit", "-1m"}, "above 0"},
		{"time without a unit", []string{"run", "x.ipynb", "--timeout", "60"}, "missing unit"},
		{"no jobs", []string{"run", "x.ipynb", "--jobs", "0"}, "from 1"},
		{"pages for nowhere", []string{"run", "x.ipynb", "--html"}, "--out"},
		{"no such exercise", []string{"run", "x.ipynb", "--exercise", "prml-4.52"}, "did you mean prml-4.12"},
		{"empty exercise", []string{"run", "x.ipynb", "--exercise", ""}, "there is no exercise"},
		{"seed of no exercise", []string{"run", "x.ipynb", "--seed", "7"}, "--seed and --student need --exercise"},
		{"student of no exercise", []string{"run", "x.ipynb", "--student", "Ada"}, "--seed and --student need --exercise"},
		{"no number", []string{"run", "x.ipynb", "--exercise", "prml-4.25", "--seed", "-1"}, "--seed takes"},
		{"trust without pages", []string{"run", "x.ipynb", "--trust"}, "--html"},
		{"argument to doctor", []string{"doctor", "me"}, "me"},
	})
}

// What a run is asked to expect decides, not what the notebooks say of themselves.
func TestRunExpects(t *testing.T) {
	kerneltest.Kernel(t)
	dir := t.TempDir()
	must(t, "exercises", "alpaydin-10.9", "--seed", "7", "--out", dir)
	lesson := filepath.Join(dir, "lesson.ipynb")
	paths, err := filepath.Glob(filepath.Join(dir, "solutions", "alpaydin10", "*.ipynb"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	seven := paths[0]
	nb := nbformat.New()
	nb.Metadata["hyperplane"] = map[string]any{"lesson": "empty"}
	nb.AddMarkdown("text", "Nothing is asked here.")
	nb.AddCode("code", "%%")
	text, err := nb.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	write(t, lesson, text)
	for _, tt := range []struct {
		args []string
		code int
		want []string
	}{
		{[]string{"--exercise", "alpaydin-10.9", "--seed", "7"}, exitNotPassed, []string{"Passed            " + seven, "NoVerdict         " + lesson, "1 passed, 1 failed"}},
		{[]string{"--exercise", "alpaydin-10.9", "--student", "Ada"}, exitNotPassed, []string{"Mismatch          " + seven, "variant 7, not variant "}},
	} {
		code, stdout, stderr := generate(t, append([]string{"run", seven, lesson}, tt.args...)...)
		for _, want := range tt.want {
			if code != tt.code || !strings.Contains(stdout, want) {
				t.Errorf("%q: exit %d, want %d and %q\n%s%s", tt.args, code, tt.code, want, stdout, stderr)
			}
		}
	}
	if code, stdout, _ := generate(t, "run", lesson); code != 0 || !strings.HasPrefix(stdout, "OK  ") {
		t.Errorf("a lesson: exit %d\n%s", code, stdout)
	}
}

func TestRunWithoutSetup(t *testing.T) {
	t.Setenv("HYPERPLANE_TOOLS", t.TempDir())
	code, _, stderr := generate(t, "run", fixtures+"right.ipynb")
	if code != exitBad || !strings.Contains(stderr, "make setup") {
		t.Errorf("exit %d: %s; want exit 2 and what to do", code, stderr)
	}
	code, stdout, _ := generate(t, "doctor", "--json")
	var r doctor.Report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	if code != exitNotPassed || r.Well || len(r.Findings) < 8 {
		t.Errorf("doctor: exit %d, %+v; want exit 1 and missing tools", code, r)
	}
}

package course

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
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

const fixtures = "../internal/runner/testdata/"

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
			runWant(t, tt.code, args, tt.want)
		})
	}
}

func TestRunJSONAndPages(t *testing.T) {
	kerneltest.Kernel(t)
	out := t.TempDir()
	s := runJSON[runner.Summary](t, 0, "run", "--json", "--html", "--out", out, fixtures+"right.ipynb")
	if s.Schema != "hyperplane-run/1" || !s.Passed || len(s.Notebooks) != 1 ||
		s.Notebooks[0].Verdict != runner.Passed || len(s.Notebooks[0].Files) != 2 {
		t.Errorf("the summary is %+v", s)
	}
	page := must.Read(t, filepath.Join(out, "right.html"))
	must.Contain(t, page, "<title>right</title>", "two parts", "Right")
	if strings.Contains(page, "file:///") {
		t.Error("the page refers to files of this machine")
	}
}

// TestRunNotJudged runs `generate run` with two notebooks, of which at least one cannot be judged.
// The exit code must be 2, and the command must still print a verdict on each notebook.
func TestRunNotJudged(t *testing.T) {
	kerneltest.Kernel(t)
	dir := t.TempDir()
	textNotebook(t, dir, "# A")
	must.Do(t, os.Symlink("nowhere", filepath.Join(dir, "b.ipynb")))
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name   string
		ctx    context.Context
		a      runner.Verdict
		stderr string
	}{
		{"dangling link", t.Context(), runner.OK, "some notebooks could not be judged"},
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
				t.Errorf("got exit status %d, want %d and the text %q in\n%s",
					code, exitBad, tt.stderr, stderr.String())
			}
			if len(s.Notebooks) != 2 || s.Notebooks[0].Verdict != tt.a || s.Notebooks[1].Verdict != runner.NotJudged ||
				s.Passed {
				t.Errorf("the summary is %+v", s)
			}
		})
	}
}

// TestRunTrust checks that the HTML page of a notebook contains the scripts in the notebook only
// with --trust.
func TestRunTrust(t *testing.T) {
	kerneltest.Kernel(t)
	dir := t.TempDir()
	path := textNotebook(t, dir, "# A\n\n<script>alert(1)</script>")
	for _, trust := range []bool{false, true} {
		run(t, "run", "--html", fmt.Sprintf("--trust=%t", trust), "--out", filepath.Join(dir, "out"), path)
		if strings.Contains(must.Read(t, filepath.Join(dir, "out", "a.html")), "alert(1)") != trust {
			t.Errorf("with --trust=%t, want the script in the page if and only if the flag is true; the page contains it: %t", trust, !trust)
		}
	}
}

// TestRunSparesItsInput checks that `generate run` returns an error if --out is the folder of the
// notebook. Otherwise the executed notebook would overwrite the original.
func TestRunSparesItsInput(t *testing.T) {
	kerneltest.Kernel(t)
	dir := t.TempDir()
	runWant(t, exitBad, []string{"run", textNotebook(t, dir, "# A"), "--out", dir}, "name another output folder")
}

func TestRunUsage(t *testing.T) {
	wantRefused(t, nil, []mistake{
		{"no notebook", []string{"run"}, "requires at least 1 arg"},
		{"no time", []string{"run", "x.ipynb", "--timeout", "0s"}, "above 0"},
		{"negative limit", []string{"run", "x.ipynb", "--limit", "-1m"}, "above 0"},
		{"time without a unit", []string{"run", "x.ipynb", "--timeout", "60"}, "must be a duration"},
		{"no jobs", []string{"run", "x.ipynb", "--jobs", "0"}, "from 1"},
		{"pages for nowhere", []string{"run", "x.ipynb", "--html"}, "--out"},
		{"no such exercise", []string{"run", "x.ipynb", "--exercise", "prml-4.52"}, "did you mean prml-4.12"},
		{"empty exercise", []string{"run", "x.ipynb", "--exercise", ""}, "there is no exercise"},
		{"seed of no exercise", []string{"run", "x.ipynb", "--seed", "7"}, "--seed and --student need --exercise"},
		{"student of no exercise", []string{"run", "x.ipynb", "--student", "Ada"},
			"--seed and --student need --exercise"},
		{"no number", []string{"run", "x.ipynb", "--exercise", "prml-4.25", "--seed", "-1"}, "invalid --seed"},
		{"trust without pages", []string{"run", "x.ipynb", "--trust"}, "--html"},
		{"argument to doctor", []string{"doctor", "me"}, "me"},
	})
}

// TestRunExpects checks the flags of `generate run` that name the expected exercise and variant. A
// notebook of a different variant must not pass, and a notebook without a check must not pass.
func TestRunExpects(t *testing.T) {
	kerneltest.Kernel(t)
	dir := t.TempDir()
	run(t, "exercises", "alpaydin-10.9", "--seed", "7", "--out", dir)
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
	must.Do(t, nb.WriteFile(lesson))
	for _, tt := range []struct {
		args []string
		code int
		want []string
	}{
		{[]string{"--exercise", "alpaydin-10.9", "--seed", "7"}, exitNotPassed,
			[]string{"Passed            " + seven, "NoVerdict         " + lesson, "1 passed, 1 failed"}},
		{[]string{"--exercise", "alpaydin-10.9", "--student", "Ada"}, exitNotPassed,
			[]string{"Mismatch          " + seven, "variant 7, not variant "}},
	} {
		runWant(t, tt.code, append([]string{"run", seven, lesson}, tt.args...), tt.want...)
	}
	runWant(t, 0, []string{"run", lesson}, "OK                "+lesson)
}

func TestRunWithoutSetup(t *testing.T) {
	t.Setenv("HYPERPLANE_TOOLS", t.TempDir())
	runWant(t, exitBad, []string{"run", fixtures + "right.ipynb"}, "make setup")
	if r := runJSON[doctor.Report](t, exitNotPassed, "doctor", "--json"); r.Well || len(r.Findings) < 8 {
		t.Errorf("doctor returns %+v; want findings about missing tools", r)
	}
	// Use a kernel from the folder .tools of another checkout. Such a kernel would compile cells
	// with the sources of the other checkout, so the command must reject it.
	spec := filepath.Join(os.Getenv("HYPERPLANE_TOOLS"), "share", "jupyter", "kernels", "gonb", "kernel.json")
	must.Write(t, spec, `{"argv": ["gonb", "-go_work=/other/checkout"]}`)
	runWant(t, exitBad, []string{"run", fixtures + "right.ipynb"},
		"serves the checkout /other/checkout, not "+moduleRoot(t), "make setup")
}

// TestUntouchedNotebooks runs learners' notebooks that nobody has edited. Such a notebook must not
// show an error, must not reveal a hint, and must not pass.
func TestUntouchedNotebooks(t *testing.T) {
	kerneltest.Kernel(t)
	in, out := t.TempDir(), t.TempDir()
	run(t, "exercises", "prml-4.25", "alpaydin-10.8", "--out", in)
	paths := []string{"prml4/25-probit-scale.ipynb", "alpaydin10/08-boundary-and-slope.ipynb"}
	args := []string{"run", "--json", "--out", out, "--timeout", "3m"}
	for _, p := range paths {
		args = append(args, filepath.Join(in, p))
	}
	s := runJSON[runner.Summary](t, exitNotPassed, args...)
	if len(s.Notebooks) != len(paths) {
		t.Fatalf("%d notebooks", len(s.Notebooks))
	}
	for _, n := range s.Notebooks {
		if n.Verdict != runner.NotPassed ||
			n.Detail != "not attempted yet: replace the stub's panic(verify.TODO) by your answer" {
			t.Errorf("%s is %s (%s)", n.Path, n.Verdict, n.Detail)
		}
		for _, c := range n.Cells {
			if c.Verdict != runner.OK && (c.Exercise == "" || c.Verdict != runner.NotPassed) {
				t.Errorf("%s: cell %s has the status %s (%s)", n.Path, c.ID, c.Verdict, c.Detail)
			}
		}
		nb := must.Get(nbformat.ReadFile(n.Files[0]))(t)
		for _, fault := range untouchedFaults(nb) {
			t.Errorf("%s: %s", n.Path, fault)
		}
	}
}

// untouchedFaults checks a notebook that was run without any edits. It returns a line for each
// output that the notebook must not contain, and for each output that is missing.
func untouchedFaults(nb *nbformat.Notebook) []string {
	var faults []string
	for _, c := range nb.Cells {
		if c.Type != nbformat.Code {
			continue
		}
		text := ""
		for _, o := range c.Outputs {
			if name, _ := o.Stream(); name == "stderr" || o.Type() == "error" {
				faults = append(faults, fmt.Sprintf("cell %s shows an error: %v", c.ID, o))
			}
			for _, mime := range []string{"text/plain", "text/markdown"} {
				if s, ok := o.Data(mime).(string); ok {
					text += s
				}
			}
		}
		role := nbformat.OwnMetadata(c.Metadata)["role"]
		want := map[any]string{"explore": "This cell needs your ", "hint": "This exercise has ",
			"check": "not attempted yet"}[role]
		switch {
		case !strings.Contains(text, want):
			faults = append(faults, fmt.Sprintf("cell %s prints %q, want %q", c.ID, text, want))
		case want == "" && text != "":
			faults = append(faults, fmt.Sprintf("cell %s says %q", c.ID, text))
		case strings.Contains(text, "**Hint"):
			faults = append(faults, "the output reveals a hint")
		}
	}
	return faults
}

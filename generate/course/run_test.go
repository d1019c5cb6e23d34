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

// TestRun runs a right answer, a stub, a notebook without code and an invalid file. The summary, the
// table and the exit code must agree with the verdicts. The page of a notebook must contain the
// report, must not refer to files of this machine, and must contain the notebook's scripts only with
// --trust.
func TestRun(t *testing.T) {
	kerneltest.Kernel(t)
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	script := textNotebook(t, dir, "# A\n\n<script>alert(1)</script>")
	s := runJSON[runner.Summary](t, 0, "run", "--json", "--html", "--out", out, fixtures+"right.ipynb", script)
	if s.Schema != "hyperplane-run/1" || !s.Passed || len(s.Notebooks) != 2 ||
		s.Notebooks[0].Verdict != runner.Passed || len(s.Notebooks[0].Files) != 2 {
		t.Errorf("got the summary %+v, want the schema hyperplane-run/1, a pass, and two notebooks, the first Passed and with two files", s)
	}
	pages := map[string]string{}
	for _, n := range s.Notebooks {
		pages[filepath.Base(n.Path)] = must.Read(t, n.Files[1])
	}
	must.Contain(t, pages["right.ipynb"], "<title>right</title>", "two parts", "Right")
	if strings.Contains(pages["right.ipynb"], "file:///") || strings.Contains(pages["a.ipynb"], "alert(1)") {
		t.Error("a page refers to files of this machine, or contains a script without --trust")
	}
	run(t, "run", "--html", "--trust", "--out", out, script)
	must.Contain(t, must.Read(t, filepath.Join(out, "a.html")), "alert(1)")
	runWant(t, exitNotPassed, []string{"run", fixtures + "right.ipynb", fixtures + "stub.ipynb", fixtures + "not_json.ipynb"},
		"1 passed, 2 failed", "NotANotebook")
	runWant(t, exitBad, []string{"run", fixtures + "none.ipynb"}, "none.ipynb")
	// The executed notebook must not overwrite the original.
	runWant(t, exitBad, []string{"run", script, "--out", dir}, "name another output folder")
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
				t.Fatalf("cannot read the summary: %v; the command printed\n%s%s", err, stdout.String(), stderr.String())
			}
			if code != exitBad || !strings.Contains(stderr.String(), tt.stderr) {
				t.Errorf("got exit status %d, want %d and the text %q in\n%s",
					code, exitBad, tt.stderr, stderr.String())
			}
			if len(s.Notebooks) != 2 || s.Notebooks[0].Verdict != tt.a || s.Notebooks[1].Verdict != runner.NotJudged ||
				s.Passed {
				t.Errorf("got the summary %+v, want no pass and two notebooks, the first with the verdict %s and the second with NotJudged", s, tt.a)
			}
		})
	}
}

// TestRunExpects checks the flags of `generate run` that name the expected exercise and variant. A
// notebook of a different variant must not pass, and a notebook without a check must not pass.
// Without the flags, a right answer must pass only in its own variant, and the report must contain
// the variant of the notebook.
func TestRunExpects(t *testing.T) {
	kerneltest.Kernel(t)
	dir := t.TempDir()
	solved := map[uint64]string{7: "", 8: ""}
	for seed := range solved {
		out := filepath.Join(dir, fmt.Sprint(seed))
		run(t, "exercises", "alpaydin-10.9", "--seed", fmt.Sprint(seed), "--out", out)
		solved[seed] = filepath.Join(out, "solutions/alpaydin10/09-interval-by-features.ipynb")
	}
	seven, lesson := solved[7], filepath.Join(dir, "lesson.ipynb")
	answer := cellOf(t, must.Read(t, seven), "alpaydin-10-9-stub")
	edit(t, solved[8], func(nb *nbformat.Notebook) { nb.Cell("alpaydin-10-9-stub").Source = answer })
	nb := nbformat.New()
	nb.Metadata["hyperplane"] = map[string]any{"lesson": "empty"}
	nb.AddMarkdown("text", "Nothing is asked here.")
	nb.AddCode("code", "%%")
	must.Do(t, nb.WriteFile(lesson))
	runWant(t, exitNotPassed, []string{"run", seven, lesson, "--exercise", "alpaydin-10.9", "--seed", "7"},
		"Passed            "+seven, "NoVerdict         "+lesson, "1 passed, 1 failed")
	runWant(t, exitNotPassed, []string{"run", seven, "--exercise", "alpaydin-10.9", "--student", "Ada"},
		"Mismatch          "+seven, "variant 7, not variant ")
	s := runJSON[runner.Summary](t, exitNotPassed, "run", "--json", seven, solved[8], lesson)
	for i, want := range []runner.Verdict{runner.Passed, runner.NotPassed, runner.OK} {
		n := s.Notebooks[i]
		if n.Verdict != want {
			t.Errorf("%s is %s (%s), want %s", n.Path, n.Verdict, n.Detail, want)
		}
		for _, c := range n.Cells {
			for _, r := range c.Reports {
				if solved[r.Seed] != n.Path {
					t.Errorf("%s: the report has the variant %d, want the variant of the notebook", n.Path, r.Seed)
				}
			}
		}
	}
}

func TestRunWithoutSetup(t *testing.T) {
	t.Setenv("HYPERPLANE_TOOLS", t.TempDir())
	runWant(t, exitBad, []string{"run", fixtures + "right.ipynb"}, "make setup")
	if r := runJSON[doctor.Report](t, exitNotPassed, "doctor", "--json"); r.Well || len(r.Findings) < 8 {
		t.Errorf("doctor returns %+v; want Well = false and at least 8 findings", r)
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
		t.Fatalf("the summary contains %d notebooks, want %d, one for each path", len(s.Notebooks), len(paths))
	}
	for _, n := range s.Notebooks {
		if n.Verdict != runner.NotPassed ||
			n.Detail != "not attempted yet: replace the stub's panic(verify.TODO) by your answer" {
			t.Errorf("%s has the verdict %s (%s), want NotPassed with the note about the stub", n.Path, n.Verdict, n.Detail)
		}
		for _, c := range n.Cells {
			if c.Verdict != runner.OK && (c.Exercise == "" || c.Verdict != runner.NotPassed) {
				t.Errorf("%s: cell %s has the status %s (%s), want OK, or NotPassed for a check", n.Path, c.ID, c.Verdict, c.Detail)
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
			faults = append(faults, fmt.Sprintf("cell %s prints %q, want a text that contains %q", c.ID, text, want))
		case want == "" && text != "":
			faults = append(faults, fmt.Sprintf("cell %s prints %q, want no output", c.ID, text))
		case strings.Contains(text, "**Hint"):
			faults = append(faults, "the output reveals a hint")
		}
	}
	return faults
}

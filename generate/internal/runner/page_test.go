package runner_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// A page has the name of its file, whatever that is, as its title; scripts of the
// notebook are in it only with Trust, and no network is asked for.
func TestPages(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	for _, name := range []string{"--help", "-x", "--output-dir=elsewhere", "<b>", "bad\xff"} {
		nb := nbformat.New()
		nb.AddMarkdown("text", "# A notebook with $x^2$\n\n<script>bring()</script>")
		must.Do(t, nb.WriteFile(filepath.Join(dir, name+".ipynb")))
	}
	for _, trust := range []bool{false, true} {
		s := must.Get(runner.Run(t.Context(), []string{dir}, runner.Options{Kernel: scripted(t, false), Out: out, HTML: true, Trust: trust}))(t)
		for _, n := range s.Notebooks {
			if n.Verdict != runner.OK || len(n.Files) != 2 {
				t.Errorf("%q: %s, files %q", n.Path, n.Verdict, n.Files)
				continue
			}
			text := must.Read(t, n.Files[1])
			must.Contain(t, text, "A notebook", "<msup>")
			if strings.Contains(text, "<script>bring()") != trust || strings.Contains(text, `src="http`) || strings.Contains(text, `href="http`) {
				t.Errorf("%q, trust %v: %s", n.Path, trust, text)
			}
		}
	}
	must.Contain(t, must.Read(t, filepath.Join(out, "<b>.html")), "<title>&lt;b&gt;</title>")
}

// A notebook that passed is not run again while neither it nor what it is made with has
// changed; one that did not pass is.
func TestReuse(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	good, bad := notebook(t, filepath.Join(dir, "good.ipynb"), "Ends"), notebook(t, filepath.Join(dir, "bad.ipynb"), "NoCache2")
	o := runner.Options{Kernel: scripted(t, false), Out: out, Reuse: runner.Reuse{Dir: t.TempDir(), Inputs: "a"}}
	run := func(inputs string) (reused [2]bool) {
		t.Helper()
		o.Reuse.Inputs = inputs
		s := must.Get(runner.Run(t.Context(), []string{good, bad}, o))(t)
		for i, want := range []runner.Verdict{runner.OK, runner.CompileError} {
			if n := s.Notebooks[i]; n.Verdict != want || len(n.Files) != 1 || len(n.Cells) != 1 || n.Path != []string{good, bad}[i] {
				t.Errorf("%+v, want %s", n, want)
			}
			reused[i] = s.Notebooks[i].Reused
		}
		return reused
	}
	for i, step := range []struct {
		inputs string
		want   bool
	}{{"a", false}, {"a", true}, {"b", false}, {"b", true}} {
		if got := run(step.inputs); got != [2]bool{step.want, false} {
			t.Errorf("run %d reused %v, want %v for the good one and never the bad", i+1, got, step.want)
		}
	}
	fresh := must.Read(t, filepath.Join(out, "good.ipynb"))
	notebook(t, good, "Ends otherwise")
	if got := run("b"); got[0] {
		t.Error("a notebook that has changed was not run")
	}
	if must.Read(t, filepath.Join(out, "good.ipynb")) == fresh {
		t.Error("the old result was written for the new notebook")
	}
}

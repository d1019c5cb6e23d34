package course

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// oldWork is a folder of notebooks. Version 0.1.0 of hyperplane created the notebooks, and a
// learner edited some of them. The learner has answered exercises 4.25 and 4.9 without their optional
// steps, and has not changed exercise 4.12. In exercise 10.8, the learner has written Boundary, but
// not Slope. In the current version of hyperplane, Slope has a different signature.
const oldWork = "testdata/work-0.1.0"

const (
	solved25  = "exercises/prml4/25-probit-scale"
	half9     = "exercises/prml4/09-class-priors"
	changed8  = "exercises/alpaydin10/08-boundary-and-slope"
	pristine  = "exercises/prml4/12-sigmoid-derivative"
	carryLine = " notebooks can receive your answers: go run ./generate notebooks --work "
)

// TestWorkOfAnOlderVersion runs `generate notebooks --work` on a learner's folder of version 0.1.0.
// The edited notebooks must stay unchanged, byte for byte. The command must write a new version of
// each edited notebook beside it. With --carry the command must also copy the learner's answers
// into the new versions, except an answer whose function now has a different signature.
func TestWorkOfAnOlderVersion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "work")
	must.Do(t, os.CopyFS(dir, os.DirFS(oldWork)))
	before := must.Tree(t, dir)
	fresh := t.TempDir()
	run(t, "notebooks", "--out", fresh)
	made := must.Tree(t, fresh)
	beside := func(name string) string { return name + ".v" + toolkit.Version + ".ipynb" }
	same := func(when string) {
		t.Helper()
		now := must.Tree(t, dir)
		for name, data := range before {
			if name != ".hyperplane.json" && name != pristine+".ipynb" && now[name] != data {
				t.Errorf("%s: the learner's file %s has changed", when, name)
			}
		}
	}

	out := run(t, "notebooks", "--work", dir)
	same("after the first run")
	now := must.Tree(t, dir)
	for _, name := range []string{solved25, half9, changed8} {
		if now[beside(name)] != made[name+".ipynb"] {
			t.Errorf("%s differs from the new notebook", beside(name))
		}
	}
	if now[pristine+".ipynb"] != made[pristine+".ipynb"] {
		t.Error("a notebook that the learner has not edited was not updated")
	}
	if want := "2" + carryLine + dir + " --carry\n"; !strings.HasSuffix(out, want) {
		t.Errorf("the command prints\n%s\nwant the last line %q", out, want)
	}

	out = run(t, "notebooks", "--work", dir, "--carry")
	same("after the run with --carry")
	now = must.Tree(t, dir)
	for _, name := range []string{solved25, half9} {
		mine, carried := cellText(t, before[name+".ipynb"]), cellText(t, now[beside(name)])
		if mine != carried {
			t.Errorf("%s: the answer is now\n%s\nwant\n%s", name, carried, mine)
		}
		if strings.Replace(now[beside(name)], carried, cellText(t, made[name+".ipynb"]), 1) != made[name+".ipynb"] {
			t.Errorf("%s differs from the new notebook in more than the answer", beside(name))
		}
		must.Contain(t, out, name+".ipynb: your answer is now also in "+beside(name)+"\n")
	}
	if now[beside(changed8)] != made[changed8+".ipynb"] {
		t.Error("an answer was copied although the function Slope has a different signature in the new stub")
	}
	must.Contain(t, out, changed8+".ipynb: your answer could not be copied into "+beside(changed8)+
		": the signature of Slope has changed; nothing was overwritten\n")
	if strings.Contains(out, pristine+".ipynb: your") {
		t.Errorf("the output mentions a notebook without an answer:\n%s", out)
	}

	// If the learner has also edited the new copy of a notebook, another run must not change any
	// file and must not offer to copy answers.
	must.Write(t, filepath.Join(dir, filepath.FromSlash(beside(changed8))), "mine")
	now = must.Tree(t, dir)
	for _, args := range [][]string{{"--carry"}, nil} {
		out = run(t, append([]string{"notebooks", "--work", dir}, args...)...)
		if strings.Contains(out, "your answer") {
			t.Errorf("a run with %q prints a text about answers, want none:\n%s", args, out)
		}
		if !maps.Equal(now, must.Tree(t, dir)) {
			t.Errorf("a run with %q has changed files", args)
		}
	}
	same("after further runs")
	runWant(t, 0, []string{"progress", "--dir", dir}, "✓ passed   2 tries  3 of 3 right",
		"tried      1 try    2 of 4 right")
}

// cellText returns the source of the stub cell in a notebook, as the notebook's file contains it:
// lines of JSON strings.
func cellText(t *testing.T, notebook string) string {
	t.Helper()
	_, rest, ok := strings.Cut(notebook, `-stub",`)
	_, rest, ok2 := strings.Cut(rest, `"source": [`)
	if !ok || !ok2 {
		t.Fatal("the notebook has no stub cell")
	}
	text, _, _ := strings.Cut(rest, "\n   ]")
	return text
}

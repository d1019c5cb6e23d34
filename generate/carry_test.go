package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// oldWork is a learner's folder as hyperplane 0.1.0 laid it and the learner left
// it: 4.25 solved, 4.9 solved but for its steps, 10.8 half solved with another
// signature for Slope, 4.12 as it came.
const oldWork = "testdata/work-0.1.0"

const (
	solved25  = "exercises/prml4/25-probit-scale"
	half9     = "exercises/prml4/09-class-priors"
	changed8  = "exercises/alpaydin10/08-boundary-and-slope"
	pristine  = "exercises/prml4/12-sigmoid-derivative"
	record    = "progress.json"
	carryLine = " new copies can have your answers: go run ./generate notebooks --work "
)

// stubOf is the text of the stub cell of a notebook.
func stubOf(t *testing.T, data []byte) string {
	t.Helper()
	nb, err := nbformat.Parse("it", data)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range nb.Cells {
		if strings.HasSuffix(c.ID, "-stub") {
			return c.Source
		}
	}
	t.Fatal("there is no stub cell")
	return ""
}

// The folder of 0.1.0 under this toolkit: what the learner did stays, byte for
// byte; new copies come beside; answers go into them when they are asked to.
func TestWorkOfAnOlderVersion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.CopyFS(dir, os.DirFS(oldWork)); err != nil {
		t.Fatal(err)
	}
	before := read(t, dir)
	fresh := t.TempDir()
	must(t, "notebooks", "--out", fresh)
	made := read(t, fresh)
	beside := func(name string) string { return name + ".v" + toolkit.Version + ".ipynb" }
	same := func(when string) {
		t.Helper()
		now := read(t, dir)
		for name, data := range before {
			if name != ".hyperplane.json" && name != pristine+".ipynb" && !bytes.Equal(now[name], data) {
				t.Errorf("%s: %s is not what the learner left", when, name)
			}
		}
	}

	out := must(t, "notebooks", "--work", dir)
	same("laid")
	now := read(t, dir)
	for _, name := range []string{solved25, half9, changed8} {
		if !bytes.Equal(now[beside(name)], made[name+".ipynb"]) {
			t.Errorf("%s is not the new notebook", beside(name))
		}
	}
	if !bytes.Equal(now[pristine+".ipynb"], made[pristine+".ipynb"]) {
		t.Error("the notebook that nobody had touched was not renewed")
	}
	if want := "2" + carryLine + dir + " --carry\n"; !strings.HasSuffix(out, want) {
		t.Errorf("it says\n%s\nwant the last line %q", out, want)
	}

	out = must(t, "notebooks", "--work", dir, "--carry")
	same("carried")
	now = read(t, dir)
	for _, name := range []string{solved25, half9} {
		mine, carried := stubOf(t, before[name+".ipynb"]), stubOf(t, now[beside(name)])
		if mine != carried {
			t.Errorf("%s: the answer is now\n%s\nwant\n%s", name, carried, mine)
		}
		if got := string(bytes.Replace(now[beside(name)], cellText(t, now[beside(name)]), cellText(t, made[name+".ipynb"]), 1)); got != string(made[name+".ipynb"]) {
			t.Errorf("%s differs from the new notebook in more than the answer", beside(name))
		}
		if line := name + ".ipynb: your answer now stands in the new copy too: " + beside(name) + "\n"; !strings.Contains(out, line) {
			t.Errorf("it says\n%s\nwant %q", out, line)
		}
	}
	if !bytes.Equal(now[beside(changed8)], made[changed8+".ipynb"]) {
		t.Error("an answer with another signature was carried")
	}
	if line := changed8 + ".ipynb: your answer could not be carried into " + beside(changed8) + ": Slope takes or returns something else now; both are left as they are\n"; !strings.Contains(out, line) {
		t.Errorf("it says\n%s\nwant %q", out, line)
	}
	if strings.Contains(out, pristine+".ipynb: your") {
		t.Errorf("a notebook without an answer is spoken of:\n%s", out)
	}

	// Again, with work in a new copy: nothing changes, and nothing is offered.
	write(t, filepath.Join(dir, filepath.FromSlash(beside(changed8))), []byte("mine"))
	now = read(t, dir)
	for _, args := range [][]string{{"--carry"}, nil} {
		out = must(t, append([]string{"notebooks", "--work", dir}, args...)...)
		if strings.Contains(out, "your answer") {
			t.Errorf("%q says\n%s", args, out)
		}
		if !equal(now, read(t, dir)) {
			t.Errorf("%q changes files", args)
		}
	}
	same("again")
	out = must(t, "progress", "--dir", dir)
	for _, want := range []string{"✓ passed   2 tries  3 of 3 right", "tried      1 try    2 of 4 right"} {
		if !strings.Contains(out, want) {
			t.Errorf("the progress of 0.1.0 is read as\n%s\nwant %q", out, want)
		}
	}
}

// cellText is the stub cell's text as it stands in the file.
func cellText(t *testing.T, data []byte) []byte {
	t.Helper()
	at := bytes.Index(data, []byte(`-stub",`))
	from := at + bytes.Index(data[at:], []byte(`"source": [`))
	return data[from : from+bytes.Index(data[from:], []byte("\n   ]"))]
}

func TestCarryNeedsAFolder(t *testing.T) {
	if code, _, stderr := generate(t, "notebooks", "--carry"); code != exitBad || !strings.Contains(stderr, "--carry goes with --work") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

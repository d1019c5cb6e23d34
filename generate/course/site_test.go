package course

import (
	"debug/buildinfo"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// TestEquationsPage checks that the page of the equations is self-contained: formulas are typeset,
// and no link points to another page.
func TestEquationsPage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "equations.html")
	runWant(t, 0, []string{"equations", "--html", file})
	text := must.Read(t, file)
	must.Contain(t, text, "<title>Every equation, and where it is</title>", "<mfrac>", `<a href="#prml-4.97">`,
		`id="prml-4.97"`, "<code>classify.FitLogistic</code>")
	for _, bad := range []string{"$$", `href="..`, `src="http`} {
		if strings.Contains(text, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
}

// TestInputs checks that the hash of the inputs changes if and only if a source changes. A wrong
// hash would reuse outdated results or prevent any reuse.
func TestInputs(t *testing.T) {
	m := fstest.MapFS{}
	for _, source := range inputSources {
		if filepath.Ext(source) == "" {
			source += "/a.go"
		}
		m[source] = &fstest.MapFile{Data: []byte(source)}
	}
	first := must.Get(inputsOf(m))(t)
	m["README.md"] = &fstest.MapFile{Data: []byte("read me")}
	if must.Get(inputsOf(m))(t) != first {
		t.Error("a change of a text file changes the hash of the inputs")
	}
	for _, source := range inputSources {
		if m[source] == nil {
			source += "/a.go"
		}
		old := m[source]
		m[source] = &fstest.MapFile{Data: []byte("changed")}
		if must.Get(inputsOf(m))(t) == first {
			t.Errorf("a change of %s does not change the hash of the inputs", source)
		}
		m[source] = old
	}
	delete(m, "go.mod")
	_, err := inputsOf(m)
	must.Fail(t, err, "go.mod")
}

// TestSiteErrors checks that invalid flags lead to a one-line error before the command draws
// anything.
func TestSiteErrors(t *testing.T) {
	runWant(t, exitBad, []string{"site", "--executed", "none"}, "--executed", "none")
	runWant(t, exitBad, []string{"run", "--charts", "x.ipynb"}, "--charts needs --out")
}

// TestLicences checks that `generate licences` lists the licences of all modules linked into
// generate. The list of modules comes from the build information that Go records in the program.
func TestLicences(t *testing.T) {
	dir := t.TempDir()
	run(t, "licences", "--out", dir)
	text := must.Read(t, filepath.Join(dir, licences.File))
	program := filepath.Join(dir, "generate")
	build := exec.Command("go", "build", "-o", program, "..")
	must.Get(build.CombinedOutput())(t)
	info := must.Get(buildinfo.ReadFile(program))(t)
	if len(info.Deps) < 20 {
		t.Errorf("the command links %d modules, want at least 20", len(info.Deps))
	}
	for _, m := range info.Deps {
		if m.Replace == nil && !strings.Contains(text, "\n"+m.Path+" "+m.Version+"\n") {
			t.Errorf("%s must name %s %s", licences.File, m.Path, m.Version)
		}
	}
	must.Contain(t, text, "\nGo "+strings.TrimPrefix(runtime.Version(), "go")+"\n", "\nCodeMirror 6 and Lezer\n",
		"\nTemml ")
}

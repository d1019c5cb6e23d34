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

// TestEquationsPage checks the file that `generate equations --html` writes. The formulas must be
// typeset, and the page must contain no links to other pages.
func TestEquationsPage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "equations.html")
	runWant(t, 0, []string{"equations", "--html", file})
	text := must.Read(t, file)
	must.Contain(t, text, "<title>Every equation, and where it is</title>", "<mfrac>", `<a href="#prml-4.97">`,
		`id="prml-4.97"`, "<code>classify.FitLogistic</code>")
	for _, bad := range []string{"$$", `href="..`, `src="http`} {
		if strings.Contains(text, bad) {
			t.Errorf("the page contains %q, want typeset formulas and no links to other pages", bad)
		}
	}
}

// TestInputs checks that the hash from inputsOf changes if a file in inputSources changes, and
// stays the same if README.md is added, which is not an input. With a wrong hash, a run could reuse
// outdated results, or could never reuse a result. If go.mod is missing, inputsOf must return an
// error.
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
		t.Error("the hash of the inputs depends on README.md, which is not an input")
	}
	for _, source := range inputSources {
		if m[source] == nil {
			source += "/a.go"
		}
		old := m[source]
		m[source] = &fstest.MapFile{Data: []byte("changed")}
		if must.Get(inputsOf(m))(t) == first {
			t.Errorf("the hash of the inputs does not depend on %s", source)
		}
		m[source] = old
	}
	delete(m, "go.mod")
	_, err := inputsOf(m)
	must.Fail(t, err, "go.mod")
}

// TestLicences checks that the output of `generate licences` names every module that is linked into
// the program `generate`, except replaced modules. The test reads the list of modules from the build
// information in the program.
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
			t.Errorf("%s does not name the module %s %s, which is linked into the program", licences.File, m.Path, m.Version)
		}
	}
	must.Contain(t, text, "\nGo "+strings.TrimPrefix(runtime.Version(), "go")+"\n", "\nCodeMirror 6 and Lezer\n",
		"\nTemml ")
}

package main

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// The page of the equations stands alone: formulas are set, and no link leads out of it.
func TestEquationsPage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "equations.html")
	says(t, 0, []string{"equations", "--html", file})
	text := must.Read(t, file)
	must.Contain(t, text, "<title>Every equation, and where it is</title>", "<mfrac>", `<a href="#prml-4.97">`, `id="prml-4.97"`, "<code>classify.FitLogistic</code>")
	for _, bad := range []string{"$$", `href="..`, `src="http`} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is in the page", bad)
		}
	}
}

// Results of former runs are used again while the sources are the same, whatever else
// has changed.
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
		t.Error("a text changes the inputs")
	}
	for _, source := range inputSources {
		if m[source] == nil {
			source += "/a.go"
		}
		old := m[source]
		m[source] = &fstest.MapFile{Data: []byte("changed")}
		if must.Get(inputsOf(m))(t) == first {
			t.Errorf("%s does not change the inputs", source)
		}
		m[source] = old
	}
	delete(m, "go.mod")
	_, err := inputsOf(m)
	must.Fail(t, err, "go.mod")
}

// What cannot be made says so in one line, before anything is drawn.
func TestSiteErrors(t *testing.T) {
	says(t, exitBad, []string{"site", "--executed", "none"}, "--executed", "none")
	says(t, exitBad, []string{"run", "--charts", "x.ipynb"}, "--charts needs --out")
}

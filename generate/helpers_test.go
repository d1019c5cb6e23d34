package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// generate runs the command line and returns exit code, stdout and stderr.
func generate(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = execute(t.Context(), args, &out, &err)
	return code, out.String(), err.String()
}

// says runs a command line that must end with code and print all of wants; it returns
// stdout.
func says(t *testing.T, code int, args []string, wants ...string) string {
	t.Helper()
	got, stdout, stderr := generate(t, args...)
	if got != code {
		t.Fatalf("generate %q: exit %d, want %d\n%s%s", args, got, code, stdout, stderr)
	}
	must.Contain(t, stdout+stderr, wants...)
	return stdout
}

// run is generate for what must succeed; it returns stdout.
func run(t *testing.T, args ...string) string {
	t.Helper()
	return says(t, 0, args)
}

// printed runs a command line that prints JSON and ends with code.
func printed[T any](t *testing.T, code int, args ...string) (v T) {
	t.Helper()
	must.Do(t, json.Unmarshal([]byte(says(t, code, args)), &v))
	return v
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

// edit changes the notebook in a file.
func edit(t *testing.T, path string, change func(nb *nbformat.Notebook)) {
	t.Helper()
	nb := must.Get(nbformat.ReadFile(path))(t)
	change(nb)
	must.Do(t, nb.WriteFile(path))
}

// cellOf is the source of a cell of a notebook that was read as text.
func cellOf(t *testing.T, notebook, id string) string {
	t.Helper()
	return must.Get(nbformat.Parse("it", []byte(notebook)))(t).Cell(id).Source
}

// moduleRoot is the folder of the module.
func moduleRoot(t *testing.T) string {
	t.Helper()
	root, _, err := module()
	must.Do(t, err)
	return root
}

// hello is a stream of outputs, as a run leaves it.
var hello = []nbformat.Output{{"output_type": "stream", "name": "stdout", "text": "1\n"}}

// textNotebook writes a notebook without code cells, which needs no kernel.
func textNotebook(t *testing.T, dir, markdown string) string {
	t.Helper()
	nb := nbformat.New()
	nb.AddMarkdown("text", markdown)
	path := filepath.Join(dir, "a.ipynb")
	must.Do(t, nb.WriteFile(path))
	return path
}

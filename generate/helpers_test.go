package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
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

// says runs a command line that must end with code and print all of wants. It returns stdout.
func says(t *testing.T, code int, args []string, wants ...string) string {
	t.Helper()
	got, stdout, stderr := generate(t, args...)
	if got != code {
		t.Fatalf("generate %q: exit %d, want %d\n%s%s", args, got, code, stdout, stderr)
	}
	must.Contain(t, stdout+stderr, wants...)
	return stdout
}

// run runs a command line that must succeed. It returns stdout.
func run(t *testing.T, args ...string) string {
	t.Helper()
	return says(t, 0, args)
}

// printed runs a command line that prints JSON and ends with code, and returns the decoded value.
func printed[T any](t *testing.T, code int, args ...string) (v T) {
	t.Helper()
	must.Do(t, json.Unmarshal([]byte(says(t, code, args)), &v))
	return v
}

// A mistake is a command line that is refused, with the text expected on stderr.
type mistake struct {
	name string
	args []string
	want string
}

// refused runs the mistakes, each after the arguments common to all.
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

// cellOf returns the source of a cell of a notebook given as text.
func cellOf(t *testing.T, notebook, id string) string {
	t.Helper()
	return must.Get(nbformat.Parse("it", []byte(notebook)))(t).Cell(id).Source
}

// moduleRoot returns the folder of the module.
func moduleRoot(t *testing.T) string {
	t.Helper()
	root, _, err := module()
	must.Do(t, err)
	return root
}

// hello is a stream output, as left by a run.
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

// asCommand is set for a test binary that acts as the generate command.
const asCommand = "HYPERPLANE_TEST_AS_GENERATE"

// TestMain lets the test binary act as the command: the seed of a variant holds for a
// whole process, and grade starts itself for each submission.
func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" || slices.Contains(os.Args[1:], "judge-one") {
		main()
	}
	os.Exit(m.Run())
}

// process returns generate as a separate process. It skips these end-to-end tests in short
// mode.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("-short")
	}
	cmd := exec.CommandContext(t.Context(), must.Get(os.Executable())(t), args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// apart runs generate as a separate process. It must exit with code and print all of wants.
func apart(t *testing.T, code int, args []string, wants ...string) string {
	t.Helper()
	cmd := process(t, args...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("generate %q: exit %d, want %d\n%s", args, got, code, &said)
	}
	must.Contain(t, said.String(), wants...)
	return said.String()
}

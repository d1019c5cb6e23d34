package course

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// generate runs the command `generate` with the given arguments, and returns its exit code, its
// stdout and its stderr.
func generate(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = execute(t.Context(), args, &out, &err)
	return code, out.String(), err.String()
}

// runWant runs the command `generate` with the arguments `args` and returns its stdout. The command
// must exit with the given code, and its stdout or stderr must contain every string in `wants`.
func runWant(t *testing.T, code int, args []string, wants ...string) string {
	t.Helper()
	got, stdout, stderr := generate(t, args...)
	if got != code {
		t.Fatalf("generate %q exits with %d, want %d; it printed\n%s%s", args, got, code, stdout, stderr)
	}
	must.Contain(t, stdout+stderr, wants...)
	return stdout
}

// run runs the command `generate` with the given arguments and returns its stdout. The command must
// exit with code 0.
func run(t *testing.T, args ...string) string {
	t.Helper()
	return runWant(t, 0, args)
}

// runJSON runs the command `generate` with the given arguments. The command must exit with the given
// code and print a JSON value, which runJSON decodes and returns.
func runJSON[T any](t *testing.T, code int, args ...string) (v T) {
	t.Helper()
	must.Do(t, json.Unmarshal([]byte(runWant(t, code, args)), &v))
	return v
}

// mistake is an invalid command line. The text `want` must occur in the error message.
type mistake struct {
	name string
	args []string
	want string
}

// wantRefused runs the command `generate` once for each mistake. Each run gets the arguments in
// `before`, followed by the arguments of the mistake. Each run must exit with exitBad, print the
// expected text to stderr, and print nothing to stdout.
func wantRefused(t *testing.T, before []string, mistakes []mistake) {
	t.Helper()
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			code, stdout, stderr := generate(t, slices.Concat(before, m.args)...)
			if code != exitBad || !strings.Contains(stderr, m.want) || stdout != "" {
				t.Errorf("got exit status %d, stdout %q and stderr %q; want exit status 2, no stdout, and %q on stderr",
					code, stdout, stderr, m.want)
			}
		})
	}
}

// edit reads the notebook at `path`, calls `change` with the notebook, and writes the notebook back
// to the file.
func edit(t *testing.T, path string, change func(nb *nbformat.Notebook)) {
	t.Helper()
	nb := must.Get(nbformat.ReadFile(path))(t)
	change(nb)
	must.Do(t, nb.WriteFile(path))
}

// cellOf returns the source of a cell in a notebook. The argument `notebook` is the JSON text of
// the notebook, and `id` is the id of the cell.
func cellOf(t *testing.T, notebook, id string) string {
	t.Helper()
	return must.Get(nbformat.Parse(unnamed, []byte(notebook)))(t).Cell(id).Source
}

// moduleRoot returns the folder that contains the go.mod of this module.
func moduleRoot(t *testing.T) string {
	t.Helper()
	root, _, err := openModule()
	must.Do(t, err)
	return root
}

// helloOutput is the output that Jupyter stores in a notebook after a code cell prints the number 1
// and a newline.
var helloOutput = []nbformat.Output{{"output_type": "stream", "name": "stdout", "text": "1\n"}}

// textNotebook writes a notebook with one Markdown cell to `dir` and returns the path of the
// notebook. `generate run` needs no kernel for a notebook without code cells.
func textNotebook(t *testing.T, dir, markdown string) string {
	t.Helper()
	nb := nbformat.New()
	nb.AddMarkdown("text", markdown)
	path := filepath.Join(dir, "a.ipynb")
	must.Do(t, nb.WriteFile(path))
	return path
}

// asCommand is the name of an environment variable. If the variable is set, the test binary runs
// the command `generate` instead of the tests.
const asCommand = "HYPERPLANE_TEST_AS_GENERATE"

// generateCourse is the course that the function main of the command `generate` passes to Main.
var generateCourse = Course{Module: cell.HyperplaneModule, Figures: true, Toolkit: toolkit.Version,
	Books:     exercises.Standard(),
	Exercises: catalog.Entries, Lessons: catalog.Content.LessonDir, Equations: equations.Standard.Dir}

// TestMain runs the command `generate` instead of the tests if asCommand is set or if the arguments
// contain judge-one. In this way, a test can run the command in a separate process. Tests that
// choose a variant need a separate process, because exercises.Variant sets the seed for a whole
// process. The command `grade` starts its own program, which is the test binary here, with the
// argument judge-one.
func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" || slices.Contains(os.Args[1:], "judge-one") {
		Main(generateCourse)
	}
	if err := setCurrent(generateCourse); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// process prepares a separate process that runs the command `generate` with the given arguments. With
// go test -short, process skips the test.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("-short")
	}
	// If this process ignores SIGHUP (under nohup) or SIGINT (in the background of a script), its child
	// processes inherit this setting. Handle these signals here, so that they end the children as usual.
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	cmd := exec.CommandContext(t.Context(), must.Get(os.Executable())(t), args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// runApart runs the command `generate` in a separate process and returns its stdout and stderr as one
// text. The process must exit with the given code, and the text must contain every string in `wants`.
func runApart(t *testing.T, code int, args []string, wants ...string) string {
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
		t.Fatalf("generate %q exits with %d, want %d; it printed\n%s", args, got, code, &said)
	}
	must.Contain(t, said.String(), wants...)
	return said.String()
}

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

// generate runs the command line and returns exit code, stdout and stderr.
func generate(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = execute(t.Context(), args, &out, &err)
	return code, out.String(), err.String()
}

// runWant runs a command line that must exit with the given code and print every string in wants.
// It returns stdout.
func runWant(t *testing.T, code int, args []string, wants ...string) string {
	t.Helper()
	got, stdout, stderr := generate(t, args...)
	if got != code {
		t.Fatalf("generate %q exits with %d, want %d; it printed\n%s%s", args, got, code, stdout, stderr)
	}
	must.Contain(t, stdout+stderr, wants...)
	return stdout
}

// run runs a command line, which must succeed. It returns stdout.
func run(t *testing.T, args ...string) string {
	t.Helper()
	return runWant(t, 0, args)
}

// runJSON runs a command line that must exit with code and print JSON. It returns the decoded
// value.
func runJSON[T any](t *testing.T, code int, args ...string) (v T) {
	t.Helper()
	must.Do(t, json.Unmarshal([]byte(runWant(t, code, args)), &v))
	return v
}

// mistake is an invalid command line, with the text that stderr must contain.
type mistake struct {
	name string
	args []string
	want string
}

// wantRefused runs the command line of each mistake, after the arguments in before. Each run must
// exit with exitBad, print the mistake's text to stderr, and print nothing to stdout.
func wantRefused(t *testing.T, before []string, mistakes []mistake) {
	t.Helper()
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			code, stdout, stderr := generate(t, slices.Concat(before, m.args)...)
			if code != exitBad || !strings.Contains(stderr, m.want) || stdout != "" {
				t.Errorf("got exit status %d, stdout %q and stderr %q; want exit status 2 and %q on stderr",
					code, stdout, stderr, m.want)
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

// cellOf returns the source of the cell id in the JSON text of a notebook.
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

// helloOutput is the stream output that Jupyter stores after a code cell prints hello.
var helloOutput = []nbformat.Output{{"output_type": "stream", "name": "stdout", "text": "1\n"}}

// textNotebook writes a notebook without code cells to dir and returns the path. Such a notebook
// can be executed without a kernel.
func textNotebook(t *testing.T, dir, markdown string) string {
	t.Helper()
	nb := nbformat.New()
	nb.AddMarkdown("text", markdown)
	path := filepath.Join(dir, "a.ipynb")
	must.Do(t, nb.WriteFile(path))
	return path
}

// asCommand is the environment variable that makes the test binary act as the generate command.
const asCommand = "HYPERPLANE_TEST_AS_GENERATE"

// generateCourse is the course of the command generate.
var generateCourse = Course{Module: cell.Module, Figures: true, Toolkit: toolkit.Version, Books: exercises.Standard(),
	Exercises: catalog.Entries, Lessons: catalog.Content.LessonDir, Equations: equations.Standard.Dir}

// TestMain lets the test binary act as the generate command. Some tests need a separate process,
// because the seed of a variant applies to a whole process. In addition, grade runs its own program
// for each submission.
func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" || slices.Contains(os.Args[1:], "judge-one") {
		Main(generateCourse)
	}
	if err := setCurrent(generateCourse); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// process returns a command that runs generate in a separate process. In short mode, process skips
// the test.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("-short")
	}
	// A test that runs under nohup ignores SIGHUP, and its child processes inherit this setting. If the
	// test handles the signal, its children have the default behaviour again.
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	cmd := exec.CommandContext(t.Context(), must.Get(os.Executable())(t), args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// runApart runs generate in a separate process and returns stdout and stderr. The process must exit
// with the given code and print every string in wants.
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

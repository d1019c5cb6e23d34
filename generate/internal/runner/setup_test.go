package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// Where nothing compiles, a right answer has no verdict, and the cause is told.
func TestBrokenSetup(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	tests := []struct {
		name string
		env  map[string]string // "" unsets
		want string
	}{
		{"no home", map[string]string{"HOME": "", "GOCACHE": "", "XDG_CACHE_HOME": ""}, "neither GOMODCACHE nor GOPATH is set"},
		{"no cache", map[string]string{"GOCACHE": "off"}, "GOCACHE=off"},
		{"no temporary folder", map[string]string{"TMPDIR": "/proc/nothing"}, "/proc/nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			clean(t)
			for name, value := range tt.env {
				t.Setenv(name, value)
				if value == "" {
					must.Do(t, os.Unsetenv(name))
				}
			}
			s, err := runner.Run(t.Context(), []string{"testdata/right.ipynb", "testdata/good.ipynb"}, runner.Options{Kernel: kernel})
			must.Fail(t, err, "set-up is broken", tt.want)
			for _, n := range s.Notebooks {
				if n.Verdict != runner.NotJudged || len(n.Cells) > 0 {
					t.Errorf("%s: %s with %d cells, want NotJudged", n.Path, n.Verdict, len(n.Cells))
				}
			}
		})
	}
}

// What a user has set for other builds, and for python, does not reach the kernel; a
// cell is built without a C compiler; neither locale nor the name of the folder keeps a
// notebook from being run.
func TestOddEnvironment(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	clean(t)
	for name, value := range map[string]string{
		"GOWORK": "off", "GO111MODULE": "off", "GOOS": "windows", "GOARCH": "arm64", "GOFLAGS": "-mod=vendor",
		"CGO_ENABLED": "1", "CC": "/nonexistent/cc",
		"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": "/nonexistent",
	} {
		t.Setenv(name, value)
	}
	dir := filepath.Join(t.TempDir(), "λ\xff")
	right := strings.Replace(must.Read(t, "testdata/right.ipynb"), "%%\\n", "%%\\n// λ² ∈ ℝ\\n", 1)
	must.Contain(t, right, "λ²")
	must.Write(t, filepath.Join(dir, "right.ipynb"), right)
	s := must.Get(runner.Run(t.Context(), []string{dir}, runner.Options{Kernel: kernel, Out: t.TempDir(), HTML: true}))(t)
	if !s.Passed || s.Notebooks[0].Verdict != runner.Passed {
		t.Errorf("%s (%s), want Passed", s.Notebooks[0].Verdict, s.Notebooks[0].Detail)
	}
}

// Neither the current folder, which may be one of hand-ins, nor PYTHONPATH gives
// python its modules; an interpreter named relative to that folder is found.
func TestPythonHasModulesOfItsOwn(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	clean(t)
	dir := t.TempDir()
	seen := filepath.Join(dir, "seen")
	for _, name := range []string{"nbclient", "nbformat", "jupyter_client", "random", "asyncio"} {
		text := "open(" + "'" + seen + "', 'a').write(__name__ + ' ')\nraise SystemExit(3)\n"
		must.Write(t, filepath.Join(dir, name+".py"), text)
	}
	must.Do(t, os.Symlink(kernel.Python, filepath.Join(dir, "python")))
	text := notebook(t, filepath.Join(t.TempDir(), "text.ipynb"))
	code := notebook(t, filepath.Join(t.TempDir(), "code.ipynb"), "%%\n")

	t.Setenv("HYPERPLANE_PYTHON", "./python")
	t.Setenv("PYTHONPATH", dir+":.")
	t.Chdir(dir)
	python := must.Get(runner.FindPython())(t)
	must.Get(runner.Run(t.Context(), []string{text}, runner.Options{Kernel: runner.Kernel{Python: python, Data: kernel.Data}, Out: t.TempDir(), HTML: true}))(t)
	// Without a kernel: what is asked is who says so.
	_, err := runner.Run(t.Context(), []string{code}, runner.Options{Kernel: runner.Kernel{Python: python, Data: dir}})
	must.Fail(t, err, "No such kernel")
	if names, err := os.ReadFile(seen); err == nil {
		t.Errorf("imported from the folder: %s", names)
	}
}

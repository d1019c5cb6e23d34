package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
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
		{"no C compiler", map[string]string{"CGO_ENABLED": "1", "CC": "/nonexistent/cc"}, "cgo"},
		{"no temporary folder", map[string]string{"TMPDIR": "/proc/nothing"}, "/proc/nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			clean(t)
			for name, value := range tt.env {
				t.Setenv(name, value)
				if value == "" {
					do(t, os.Unsetenv(name))
				}
			}
			s, err := runner.Run(t.Context(), []string{"testdata/right.ipynb", "testdata/good.ipynb"}, runner.Options{Kernel: kernel})
			if err == nil || !strings.Contains(err.Error(), "set-up is broken") || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want that the set-up is broken: …%s…", err, tt.want)
			}
			for _, n := range s.Notebooks {
				if n.Verdict != runner.NotJudged || len(n.Cells) > 0 {
					t.Errorf("%s: %s with %d cells, want NotJudged", n.Path, n.Verdict, len(n.Cells))
				}
			}
		})
	}
}

// What a user has set for other builds, and for python, does not reach the kernel;
// neither locale nor the name of the folder keeps a notebook from being run.
func TestOddEnvironment(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	clean(t)
	for name, value := range map[string]string{
		"GOWORK": "off", "GO111MODULE": "off", "GOOS": "windows", "GOARCH": "arm64", "GOFLAGS": "-mod=vendor",
		"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": "/nonexistent",
	} {
		t.Setenv(name, value)
	}
	dir := filepath.Join(t.TempDir(), "λ\xff")
	do(t, os.Mkdir(dir, 0o700))
	text, err := os.ReadFile("testdata/right.ipynb")
	do(t, err)
	right := strings.Replace(string(text), "%%\\n", "%%\\n// λ² ∈ ℝ\\n", 1)
	if right == string(text) {
		t.Fatal("no letter beyond ASCII was put in")
	}
	do(t, os.WriteFile(filepath.Join(dir, "right.ipynb"), []byte(right), 0o600))
	s, err := runner.Run(t.Context(), []string{dir}, runner.Options{Kernel: kernel, Out: t.TempDir(), HTML: true})
	if err != nil {
		t.Fatal(err)
	}
	if !s.Passed || s.Notebooks[0].Verdict != runner.Passed {
		t.Errorf("%s (%s), want Passed", s.Notebooks[0].Verdict, s.Notebooks[0].Detail)
	}
}

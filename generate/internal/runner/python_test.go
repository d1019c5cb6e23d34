package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// Neither the current folder, which may be one of hand-ins, nor PYTHONPATH gives
// python its modules; an interpreter named relative to that folder is found.
func TestPythonHasModulesOfItsOwn(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	clean(t)
	dir := t.TempDir()
	seen := filepath.Join(dir, "seen")
	for _, name := range []string{"nbclient", "nbformat", "nbconvert", "jupyter_client", "random", "asyncio"} {
		text := "open(" + "'" + seen + "', 'a').write(__name__ + ' ')\nraise SystemExit(3)\n"
		do(t, os.WriteFile(filepath.Join(dir, name+".py"), []byte(text), 0o600))
	}
	do(t, os.Symlink(kernel.Python, filepath.Join(dir, "python")))
	text := notebook(t, filepath.Join(t.TempDir(), "text.ipynb"))
	code := notebook(t, filepath.Join(t.TempDir(), "code.ipynb"), "%%\n")

	t.Setenv("HYPERPLANE_PYTHON", "./python")
	t.Setenv("PYTHONPATH", dir+":.")
	t.Chdir(dir)
	python, err := runner.FindPython()
	if err != nil {
		t.Fatal(err)
	}
	_, err = runner.Run(t.Context(), []string{text}, runner.Options{Kernel: runner.Kernel{Python: python, Data: kernel.Data}, Out: t.TempDir(), HTML: true})
	if err != nil {
		t.Error(err)
	}
	// Without a kernel: what is asked is who says so.
	_, err = runner.Run(t.Context(), []string{code}, runner.Options{Kernel: runner.Kernel{Python: python, Data: dir}})
	if err == nil || !strings.Contains(err.Error(), "No such kernel") {
		t.Errorf("error %v, want that of the real nbclient", err)
	}
	if names, err := os.ReadFile(seen); err == nil {
		t.Errorf("imported from the folder: %s", names)
	}
}

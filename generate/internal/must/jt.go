package must

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

)

// python returns a Python interpreter that can import nbformat: $HYPERPLANE_PYTHON if the variable
// is set, else /usr/bin/python3 or python3. If no such interpreter exists, python skips the test.
func python(t *testing.T) string {
	t.Helper()
	candidates := []string{"/usr/bin/python3", "python3"}
	if p := os.Getenv("HYPERPLANE_PYTHON"); p != "" {
		candidates = []string{p}
	}
	for _, p := range candidates {
		if exec.Command(p, "-c", "import nbformat").Run() == nil {
			return p
		}
	}
	t.Skipf("%s needs a Python with nbformat (Debian: apt-get install python3-nbformat or jupyter-nbformat); tried %q",
		t.Name(), candidates)
	return ""
}

const compare = `
import json, sys, nbformat
bad = 0
for path in sys.argv[1:]:
    text = open(path, encoding="utf-8", newline="").read()
    try:
        # nbformat repairs a missing id with a warning: look before it does
        assert all("id" in cell for cell in json.loads(text)["cells"]), "a cell has no id"
        nb = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
        assert (nb.nbformat, nb.nbformat_minor) == (4, 5), "format is not 4.5"
        nbformat.validate(nb)
    except Exception as e:
        bad += 1
        print(path, "does not validate:", str(e)[:2000])
        continue
    again = nbformat.writes(nb) + "\n"
    if again != text:
        bad += 1
        at = next((i for i, (a, b) in enumerate(zip(again, text)) if a != b), min(len(again), len(text)))
        print(path, "is written differently by nbformat, from character", at, ":", repr(again[max(at-60,0):at+60]), "against", repr(text[max(at-60,0):at+60]))
sys.exit(bad > 0)
`

// SameBytes fails the test unless every notebook (file name → content) is valid in format 4.5 and
// equals the output of nbformat byte for byte. It skips the test if no Python can import nbformat.
func SameBytes(t *testing.T, notebooks map[string]string) {
	t.Helper()
	if complaint := complaints(t, notebooks); complaint != "" {
		t.Errorf("nbformat disagrees:\n%s", complaint)
	}
}

// complaints returns the faults that nbformat finds in the notebooks.
func complaints(t *testing.T, notebooks map[string]string) string {
	t.Helper()
	args := []string{"-c", compare}
	dir := t.TempDir()
	for name, text := range notebooks {
		path := filepath.Join(dir, filepath.FromSlash(name))
		Write(t, path, text)
		args = append(args, path)
	}
	out, err := exec.Command(python(t), args...).CombinedOutput()
	if err != nil && len(out) == 0 {
		return err.Error()
	}
	return string(out)
}

// Package must fails a test, and stops it, when a necessary operation fails. It also contains other
// helpers that the tests of the generator share.
package must

import (
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Do fails the test, and stops it, if err is not nil.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns a function. If err is nil, this function returns v. Otherwise it fails the test and
// stops it. Use Get as in must.Get(os.ReadFile(name))(t).
func Get[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return v
	}
}

// Read returns the text of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	return string(Get(os.ReadFile(path))(t))
}

// Write writes a file and creates its folder if necessary.
func Write(t testing.TB, path, text string) {
	t.Helper()
	Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	Do(t, os.WriteFile(path, []byte(text), 0o644))
}

// Tree returns the texts of all files below dir. The keys of the map are the paths relative to dir,
// with slashes.
func Tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	Do(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel := Get(filepath.Rel(dir, path))(t)
			files[filepath.ToSlash(rel)] = Read(t, path)
		}
		return err
	}))
	return files
}

// Contain fails the test for each string in `wants` that does not occur in the text.
func Contain(t testing.TB, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}

// Fail fails the test unless err is an error whose text contains every string in `wants`. If
// `wants` contains only "", err must be nil. Without `wants`, Fail checks nothing.
func Fail(t testing.TB, err error, wants ...string) {
	t.Helper()
	if len(wants) == 1 && wants[0] == "" {
		if err != nil {
			t.Errorf("got the error %v, want no error", err)
		}
		return
	}
	for _, want := range wants {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got the error %v, want an error that contains %q", err, want)
		}
	}
}

var update = flag.Bool("update", false, "rewrite the golden files")

// Updating reports whether the tests should rewrite the golden files.
func Updating() bool { return *update }

// Golden fails the test unless `got` equals the text of the golden file. With the flag -update,
// Golden first writes `got` to the file.
func Golden(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		Write(t, file, got)
	}
	if want := Read(t, file); got != want {
		t.Errorf("got\n%s\nwant\n%s\n(to accept the new text, run `go test -update`, which rewrites %s)", got, want, file)
	}
}

// nbformatPython returns the path of a Python interpreter that can import nbformat. If the variable
// HYPERPLANE_PYTHON is set, nbformatPython tries only the path in this variable. Otherwise it tries
// /usr/bin/python3 and python3. If none of these can import nbformat, nbformatPython skips the test.
func nbformatPython(t *testing.T) string {
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

const compareNotebooks = `
import json, sys, nbformat
bad = 0
for path in sys.argv[1:]:
    text = open(path, encoding="utf-8", newline="").read()
    try:
        # look for missing ids first, because nbformat.reads adds them
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
        print(path, "is written differently by nbformat, from character", at, ": nbformat writes", repr(again[max(at-60,0):at+60]), "but the notebook has", repr(text[max(at-60,0):at+60]))
sys.exit(bad > 0)
`

// SameNotebooks fails the test unless every notebook is valid in format 4.5 and is written exactly
// as nbformat writes it, byte for byte. The keys of the map are the file names of the notebooks.
// SameNotebooks skips the test if nbformatPython finds no interpreter.
func SameNotebooks(t *testing.T, notebooks map[string]string) {
	t.Helper()
	if complaint := complaints(t, notebooks); complaint != "" {
		t.Errorf("nbformat finds these faults in the notebooks:\n%s", complaint)
	}
}

// complaints lets Python check the notebooks with nbformat, and returns everything that Python
// prints: a message for each notebook with a fault, or "" if there are no faults. If Python fails
// without a message, complaints returns the error.
func complaints(t *testing.T, notebooks map[string]string) string {
	t.Helper()
	args := []string{"-c", compareNotebooks}
	dir := t.TempDir()
	for name, text := range notebooks {
		path := filepath.Join(dir, filepath.FromSlash(name))
		Write(t, path, text)
		args = append(args, path)
	}
	out, err := exec.Command(nbformatPython(t), args...).CombinedOutput()
	if err != nil && len(out) == 0 {
		return err.Error()
	}
	return string(out)
}

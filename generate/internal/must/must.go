// Package must ends a test when a necessary operation fails. It also contains other helpers that
// the tests of the generator share.
package must

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Do ends the test if err is not nil.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns a function that returns v, or ends the test if err is not nil. Use it as in
// must.Get(os.ReadFile(name))(t).
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

// Tree returns the texts of all files below dir, by slash-separated relative path.
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

// Contain fails the test for each string in wants that text does not contain.
func Contain(t testing.TB, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}

// Fail fails the test unless err is an error whose text contains all of wants. If "" is the only
// want, err must be nil.
func Fail(t testing.TB, err error, wants ...string) {
	t.Helper()
	if len(wants) == 1 && wants[0] == "" {
		if err != nil {
			t.Errorf("error %v, want none", err)
		}
		return
	}
	for _, want := range wants {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want an error with %q", err, want)
		}
	}
}

var update = flag.Bool("update", false, "rewrite the golden files")

// Updating reports whether the tests should rewrite the golden files.
func Updating() bool { return *update }

// Golden fails the test unless got equals the text of a golden file. With the flag -update, it
// writes got to the file instead.
func Golden(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		Write(t, file, got)
	}
	if want := Read(t, file); got != want {
		t.Errorf("got\n%s\nwant\n%s\n(go test -update writes %s)", got, want, file)
	}
}

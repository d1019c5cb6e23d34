package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTreeWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	tree := Tree{"b/two": []byte("2"), "a": []byte("1")}
	got, err := tree.Write(t.Context(), dir)
	if err != nil || !slices.Equal(got.Written, []string{"a", "b/two"}) || got.Unchanged != nil {
		t.Fatalf("first: %+v, %v", got, err)
	}
	before := stat(t, filepath.Join(dir, "a"))
	tree["b/two"] = []byte("II")
	got, err = tree.Write(t.Context(), dir)
	if err != nil || !slices.Equal(got.Written, []string{"b/two"}) || !slices.Equal(got.Unchanged, []string{"a"}) {
		t.Fatalf("second: %+v, %v", got, err)
	}
	if after := stat(t, filepath.Join(dir, "a")); !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Error("a file with the same bytes was written again")
	}
	want(t, dir, map[string]string{"a": "1", "b/two": "II"})
}

// A failure while the files are being prepared leaves the tree as it was.
func TestFailureLeavesOldFilesWhole(t *testing.T) {
	for last, wanted := range map[string]string{"m/inside": "not a directory", "z": "is a folder"} {
		dir := t.TempDir()
		if _, err := (Tree{"a": []byte("old a"), "m": []byte("old m")}).Write(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, "z"), 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := Tree{"a": []byte("new a"), last: []byte("new")}.Write(t.Context(), dir)
		if err == nil || !strings.Contains(err.Error(), wanted) {
			t.Errorf("error %v, want one with %q", err, wanted)
		}
		want(t, dir, map[string]string{"a": "old a", "m": "old m"})
	}
}

func TestUnwritableFolderIsNamed(t *testing.T) {
	if err := os.MkdirAll("/proc/hyperplane", 0o755); err == nil {
		t.Skip("/proc is writable here")
	}
	_, err := Tree{"a": nil}.Write(t.Context(), "/proc/hyperplane")
	if err == nil || !strings.Contains(err.Error(), "cannot write to /proc/hyperplane") {
		t.Errorf("error %v, want one that names the folder", err)
	}
}

func TestCancelledContextChangesNothing(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Tree{"a": []byte("x")}.Write(ctx, dir)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	want(t, dir, map[string]string{})
}

func TestBadPaths(t *testing.T) {
	for _, path := range []string{"../up", "/abs", "", ".", "a//b", "a/../b"} {
		if _, err := (Tree{path: nil}).Write(t.Context(), t.TempDir()); err == nil {
			t.Errorf("path %q was accepted", path)
		}
	}
}

func stat(t *testing.T, path string) fs.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// want compares all files below dir, hidden ones too, with what is expected.
func want(t *testing.T, dir string, expected map[string]string) {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		got[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range expected {
		if got[name] != content {
			t.Errorf("%s holds %q, want %q", name, got[name], content)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("%s should not be there", name)
	}
}

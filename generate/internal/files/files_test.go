package files

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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

func TestWriteKeepsModeAndSetsDefault(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]fs.FileMode{old: 0o600, filepath.Join(dir, "new"): 0o644} {
		if err := Write(path, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if got := stat(t, path).Mode().Perm(); got != mode {
			t.Errorf("%s has mode %v, want %v", path, got, mode)
		}
	}
}

// A failure while the files are being prepared must leave the tree as it was.
func TestFailureLeavesOldFilesWhole(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T, dir string) // makes z unwritable
		want string
	}{
		{"target is a folder", func(t *testing.T, dir string) { mkdir(t, filepath.Join(dir, "z")) }, "is a folder"},
		{"parent is a file", func(t *testing.T, dir string) {}, "a part of that path is a file"},
		{"folder not writable", func(t *testing.T, dir string) {
			if os.Geteuid() == 0 {
				t.Skip("root may write everywhere")
			}
			mkdir(t, filepath.Join(dir, "locked"))
			if err := os.Chmod(filepath.Join(dir, "locked"), 0o555); err != nil {
				t.Fatal(err)
			}
		}, "permission denied; choose another folder"},
	}
	last := map[string]string{"target is a folder": "z", "parent is a file": "m/inside", "folder not writable": "locked/z"}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			old := Tree{"a": []byte("old a"), "m": []byte("old m")}
			if _, err := old.Write(t.Context(), dir); err != nil {
				t.Fatal(err)
			}
			tt.make(t, dir)
			next := Tree{"a": []byte("new a"), last[tt.name]: []byte("new")}
			_, err := next.Write(t.Context(), dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			want(t, dir, map[string]string{"a": "old a", "m": "old m"})
		})
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

// Names on Linux are bytes.
func TestNameThatIsNotUTF8(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bad\xff")
	if err := Write(path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "x" {
		t.Errorf("the file holds %q (%v)", got, err)
	}
}

func TestSweepRemovesOnlyOldTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	age := time.Now().Add(-2 * staleAfter)
	for name, old := range map[string]bool{".x" + temporary + "1": true, ".x" + temporary + "2": false, ".mine": true} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if old {
			if err := os.Chtimes(path, age, age); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := Write(filepath.Join(dir, "x"), []byte("x")); err != nil {
		t.Fatal(err)
	}
	want(t, dir, map[string]string{"x": "x", ".mine": "", ".x" + temporary + "2": ""})
}

const victim = "HYPERPLANE_TEST_VICTIM"

// A writer killed at any moment leaves every file whole.
func TestKilledWriter(t *testing.T) {
	generations := [][]byte{bytes.Repeat([]byte("A"), 1<<20), bytes.Repeat([]byte("B"), 1<<20)}
	if dir := os.Getenv(victim); dir != "" {
		for i := 0; ; i++ {
			if _, err := (Tree{"one": generations[i%2], "two": generations[i%2]}).Write(context.Background(), dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	for round := range 6 {
		dir := t.TempDir()
		if _, err := (Tree{"one": generations[0], "two": generations[0]}).Write(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWriter$")
		cmd.Env = append(os.Environ(), victim+"="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(30+17*round) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("the writer ended by itself")
		}
		for _, name := range []string{"one", "two"} {
			got, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !bytes.Equal(got, generations[0]) && !bytes.Equal(got, generations[1]) {
				t.Errorf("round %d: %s is neither the old file nor the new one (%d bytes, %v)", round, name, len(got), err)
			}
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

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
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

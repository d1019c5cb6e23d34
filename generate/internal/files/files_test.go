package files

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

func TestTreeWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	tree := Tree{"b/two": []byte("2"), "a": []byte("1")}
	got := must.Get(tree.Write(t.Context(), dir))(t)
	if !slices.Equal(got.Written, []string{"a", "b/two"}) || got.Unchanged != nil {
		t.Errorf("the first call reports %+v, want Written with \"a\" and \"b/two\", and no Unchanged", got)
	}
	before := must.Get(os.Stat(filepath.Join(dir, "a")))(t)
	tree["b/two"] = []byte("II")
	got = must.Get(tree.Write(t.Context(), dir))(t)
	if !slices.Equal(got.Written, []string{"b/two"}) || !slices.Equal(got.Unchanged, []string{"a"}) {
		t.Errorf("the second call reports %+v, want Written with \"b/two\" and Unchanged with \"a\"", got)
	}
	if after := must.Get(os.Stat(filepath.Join(dir, "a")))(t); !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Error("a file that already had the wanted bytes was written again")
	}
	if got, want := must.Tree(t, dir), map[string]string{"a": "1", "b/two": "II"}; !maps.Equal(got, want) {
		t.Errorf("the files are %q, want %q", got, want)
	}
}

// TestTreeWriteErrors checks that a failed write changes no file.
func TestTreeWriteErrors(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, tt := range []struct {
		last, want string
		ctx        context.Context
	}{
		{"m/inside", "not a directory", t.Context()},
		{"z", "is a folder", t.Context()},
		{"n", "stopped before anything", stopped},
		{"../up", "want a relative path inside", t.Context()},
		{"/abs", "want a relative path inside", t.Context()},
		{"", "want a relative path inside", t.Context()},
		{".", "want a relative path inside", t.Context()},
		{"a//b", "want a relative path inside", t.Context()},
		{"a/../b", "want a relative path inside", t.Context()},
	} {
		dir := t.TempDir()
		must.Get(Tree{"a": []byte("old a"), "m": []byte("old m")}.Write(t.Context(), dir))(t)
		must.Do(t, os.Mkdir(filepath.Join(dir, "z"), 0o755))
		before := must.Tree(t, dir)
		_, err := Tree{"a": []byte("new a"), tt.last: []byte("new")}.Write(tt.ctx, dir)
		if must.Fail(t, err, tt.want); !maps.Equal(before, must.Tree(t, dir)) {
			t.Errorf("%q: the failed write has changed files", tt.last)
		}
	}
}

// TestOverlay checks that the overlay file maps each path to the path of the replacement, or to ""
// if the go command must ignore the file.
func TestOverlay(t *testing.T) {
	dir := t.TempDir()
	must.Write(t, filepath.Join(dir, "x"), "package x")
	file := must.Get(Overlay(dir, map[string]string{"/a/x.go": filepath.Join(dir, "x"), "/a/y.go": ""}))(t)
	must.Contain(t, must.Read(t, file), `{"Replace":{"/a/x.go":"`+dir+`/x","/a/y.go":""}}`)
}

func TestUnwritableFolderIsNamed(t *testing.T) {
	if err := os.MkdirAll("/proc/hyperplane", 0o755); err == nil {
		t.Skip("/proc is writable here")
	}
	_, err := Tree{"a": nil}.Write(t.Context(), "/proc/hyperplane")
	must.Fail(t, err, "cannot write to /proc/hyperplane")
}

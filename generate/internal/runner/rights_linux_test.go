package runner

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// asNobody calls the function `action` with the rights of an ordinary user, because the user root
// may read and remove everything. Only the thread that runs `action` loses the rights of root.
func asNobody(t *testing.T, action func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		action()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlock the thread, so that it ends with the goroutine
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var none [2]unix.CapUserData
		if err := unix.Capset(&header, &none[0]); err != nil {
			t.Errorf("capset: %v", err)
			return
		}
		action()
	}()
	<-done
}

// TestRemoveReadOnly checks that the function `remove` deletes read-only folders, which os.RemoveAll
// does not delete. A notebook can leave such folders behind, for example in a module cache.
func TestRemoveReadOnly(t *testing.T) {
	asNobody(t, func() {
		for _, removes := range []struct {
			name   string
			remove func(string) error
			fails  bool
		}{{"os.RemoveAll", os.RemoveAll, true}, {"remove", remove, false}} {
			root := filepath.Join(t.TempDir(), "run")
			deep := filepath.Join(root, "tmp", "mod", "cache")
			must.Write(t, filepath.Join(deep, "file"), "")
			for _, dir := range []string{deep, filepath.Dir(deep)} {
				must.Do(t, os.Chmod(dir, 0o500))
			}
			if err := removes.remove(root); (err != nil) != removes.fails {
				t.Errorf("%s: got the error %v, want an error: %t", removes.name, err, removes.fails)
			}
			_, err := os.Lstat(root)
			if left := err == nil; left != removes.fails {
				t.Errorf("%s: the folder still exists: %t (error of Lstat: %v), want %t",
					removes.name, left, err, removes.fails)
			}
			_ = remove(root)
		}
	})
}

// TestFindLockedFolder checks findNotebooks for a folder whose contents it may not list. The result
// must contain the folder, so that the run reports it like an unreadable file.
func TestFindLockedFolder(t *testing.T) {
	asNobody(t, func() {
		dir := t.TempDir()
		for name, mode := range map[string]os.FileMode{"locked": 0, "open": 0o700} {
			path := filepath.Join(dir, name)
			must.Write(t, filepath.Join(path, "a.ipynb"), "")
			must.Do(t, os.Chmod(path, mode))
		}
		got, err := findNotebooks([]string{dir})
		want := []string{filepath.Join(dir, "locked"), filepath.Join(dir, "open", "a.ipynb")}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("found the paths %q (error %v), want %q", got, err, want)
		}
		_, err = nbformat.ReadFile(want[0])
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("reading the folder gives the error %v, want a permission error", err)
		}
		_ = os.Chmod(want[0], 0o700)
	})
}

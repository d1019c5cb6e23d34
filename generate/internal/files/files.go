// Package files writes files so that a reader never meets half of one.
package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// temporary marks the files that are written before they get their real name.
const temporary = ".hyperplane-tmp-"

// staleAfter is the age from which a temporary file cannot belong to a writer
// that still runs: it was left by one that was killed.
const staleAfter = time.Hour

// Write puts data into the file at path, making its folder if need be. The data
// goes to a temporary file in the same folder, which then takes the name: at any
// moment, and after any failure, path is the old file whole or the new file
// whole. A file that already holds data is not touched.
func Write(path string, data []byte) error {
	_, err := Tree{filepath.Base(path): data}.Write(context.Background(), filepath.Dir(path))
	return err
}

// A Tree is a set of files: slash-separated relative path → content. It is made
// wholly in memory before any of it is written.
type Tree map[string][]byte

// Paths returns the paths of the files in order.
func (t Tree) Paths() []string { return slices.Sorted(maps.Keys(t)) }

// A Result says what Tree.Write did, as paths of the tree in order.
type Result struct {
	Written   []string
	Unchanged []string // held the same bytes before
}

// Write writes the files of the tree below dir. First every file that differs
// goes to a temporary file beside it; only when all are written do they take
// their names, one rename each. When something fails before that, or ctx is
// cancelled, nothing below dir has changed; every single file is the old one
// whole or the new one whole at any time.
// An error names the file or folder and, where it can, the remedy.
func (t Tree) Write(ctx context.Context, dir string) (Result, error) {
	var done Result
	staged := map[string]string{} // path in the tree → temporary file
	defer func() {
		for _, tmp := range staged {
			os.Remove(tmp)
		}
	}()
	swept := map[string]bool{}
	for _, path := range t.Paths() {
		if err := ctx.Err(); err != nil {
			return Result{}, fmt.Errorf("stopped before anything in %s was changed: %w", dir, err)
		}
		if !valid(path) {
			return Result{}, fmt.Errorf("%q is not a relative path inside %s", path, dir)
		}
		target := filepath.Join(dir, filepath.FromSlash(path))
		if old, err := os.ReadFile(target); err == nil && bytes.Equal(old, t[path]) {
			done.Unchanged = append(done.Unchanged, path)
			continue
		}
		folder := filepath.Dir(target)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return Result{}, explain(err, folder)
		}
		if !swept[folder] {
			sweep(folder)
			swept[folder] = true
		}
		tmp, err := stage(folder, target, t[path])
		if tmp != "" {
			staged[path] = tmp
		}
		if err != nil {
			return Result{}, explain(err, folder)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(staged)) {
		target := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.Rename(staged[path], target); err != nil {
			return done, explain(err, target)
		}
		delete(staged, path)
		done.Written = append(done.Written, path)
	}
	return done, nil
}

// valid is fs.ValidPath for the names of files, which need not be UTF-8.
func valid(p string) bool { return filepath.IsLocal(p) && path.Clean(p) == p && p != "." }

// stage writes data to a new temporary file in folder and returns its name, also
// with an error once the file exists.
func stage(folder, target string, data []byte) (string, error) {
	f, err := os.CreateTemp(folder, "."+filepath.Base(target)+temporary+"*")
	if err != nil {
		return "", err
	}
	mode := fs.FileMode(0o644) // CreateTemp makes it 0600
	if info, err := os.Stat(target); err == nil {
		if info.IsDir() {
			f.Close()
			return f.Name(), fmt.Errorf("%s is a folder, a file of that name is to be written", target)
		}
		mode = info.Mode().Perm()
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync() // the content must be on the disk before the name is
	}
	return f.Name(), errors.Join(err, f.Close())
}

// sweep removes temporary files that a killed writer left in folder. It is a
// courtesy: what it cannot remove stays.
func sweep(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.Contains(e.Name(), temporary) && time.Since(info.ModTime()) > staleAfter {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

// explain adds the remedy to errors that a user can mend.
func explain(err error, path string) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("cannot write to %s: permission denied; choose another folder or change its rights: %w", path, err)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("cannot write to %s: the file system is read-only; choose another folder: %w", path, err)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("cannot write to %s: a part of that path is a file, not a folder: %w", path, err)
	}
	return fmt.Errorf("cannot write to %s: %w", path, err)
}

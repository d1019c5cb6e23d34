// Package files writes a set of files together. It first writes all new contents to temporary files. If
// this fails, the old files stay unchanged.
package files

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// Write writes data to the file at path and creates the file's folder if necessary. It does not
// touch a file that already contains the same data. See [toolkit.WriteFile].
func Write(path string, data []byte) error {
	_, err := Tree{filepath.Base(path): data}.Write(context.Background(), filepath.Dir(path))
	return err
}

// A Tree is a set of files. It maps the relative path of each file, with slashes, to the content of
// the file.
type Tree map[string][]byte

// Paths returns the sorted paths of the files.
func (t Tree) Paths() []string { return slices.Sorted(maps.Keys(t)) }

// A Result lists the paths of the files that Tree.Write wrote or left unchanged, in sorted order.
type Result struct {
	Written   []string
	Unchanged []string // the file already had the wanted content
}

// Write writes the files of the tree below dir and creates folders if necessary. It skips a file
// that already has the content in the tree. Write first compares the files with the tree. If ctx is
// cancelled during this comparison, if a path is invalid, if a folder cannot be created, or if writing
// the temporary files fails (see [toolkit.WriteFiles]), no file below dir changes.
func (t Tree) Write(ctx context.Context, dir string) (Result, error) {
	var done Result
	fresh := map[string][]byte{}
	for _, path := range t.Paths() {
		if err := ctx.Err(); err != nil {
			return Result{}, fmt.Errorf("stopped before anything in %s was changed: %w", dir, err)
		}
		if !isValid(path) {
			return Result{}, fmt.Errorf("invalid path %q: want a relative path inside %s, in its shortest form", path, dir)
		}
		target := filepath.Join(dir, filepath.FromSlash(path))
		if old, err := os.ReadFile(target); err == nil && bytes.Equal(old, t[path]) {
			done.Unchanged = append(done.Unchanged, path)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return Result{}, fmt.Errorf("cannot write to %s: %w; choose another folder", filepath.Dir(target), err)
		}
		fresh[target] = t[path]
		done.Written = append(done.Written, path)
	}
	if err := toolkit.WriteFiles(fresh); err != nil {
		return Result{}, err
	}
	return done, nil
}

// Overlay writes a file for the option -overlay of the go command into dir and returns its path. The
// go command then reads the file replace[path] in place of the file at path. If replace[path] is "",
// the go command behaves as if no file were at path.
func Overlay(dir string, replace map[string]string) (string, error) {
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, list, 0o644)
}

// isValid is like fs.ValidPath, but accepts file names that are not UTF-8, and rejects ".".
func isValid(p string) bool { return filepath.IsLocal(p) && path.Clean(p) == p && p != "." }

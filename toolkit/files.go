package toolkit

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// These constants describe temporary files. The name of every temporary file contains `temporary`.
// The function removeStale assumes that a temporary file older than staleAfter was left
// by a killed program.
const (
	temporary  = ".hyperplane-tmp-"
	staleAfter = time.Hour
)

// WriteFile writes b to the file at path. It writes a temporary file in the same folder, and renames
// the temporary file when it is complete. The file at path is therefore always complete: even after
// a failure it is either the old file or the new file. An existing file keeps its permissions. If
// path is a symbolic link, WriteFile writes the target of the link and keeps the link. Errors: a
// folder that does not exist or is not writable, and a path that is not a regular file. Each of these
// errors names the file and says what to do.
func WriteFile(path string, b []byte) error { return WriteFiles(map[string][]byte{path: b}) }

// WriteFiles is like [WriteFile], but writes several files. The keys of the map are paths, and the
// values are contents. WriteFiles renames the temporary files only after it has written all of
// them. If an error occurs before the first rename, all old files are therefore unchanged. All
// errors that the comment of WriteFile lists occur before the first rename. The same holds for one
// more error: two paths that lead to the same file.
func WriteFiles(files map[string][]byte) error {
	staged := map[string]string{} // maps each target to its temporary file
	defer func() {
		for _, tmp := range staged {
			os.Remove(tmp)
		}
	}()
	swept := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		target := linkTarget(path)
		if folder := filepath.Dir(target); !swept[folder] {
			removeStale(folder)
			swept[folder] = true
		}
		if staged[target] != "" {
			return fmt.Errorf("cannot write to %s: another path leads to the same file", path)
		}
		tmp, err := stage(target, files[path])
		if tmp != "" {
			staged[target] = tmp
		}
		if err != nil {
			return fmt.Errorf("cannot write to %s: %w", path, withRemedy(err, target))
		}
	}
	for _, target := range slices.Sorted(maps.Keys(staged)) {
		if err := os.Rename(staged[target], target); err != nil {
			return fmt.Errorf("cannot write to %s: %w", target, err)
		}
		delete(staged, target)
	}
	return nil
}

// stage writes b to a new temporary file in the folder of target, and returns the name of the
// temporary file. If an error occurs after the file was created, stage returns both the name and
// the error.
func stage(target string, b []byte) (string, error) {
	mode := fs.FileMode(0o644) // mode of a file that does not exist yet; CreateTemp alone would leave the mode 0600
	switch info, err := os.Stat(target); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", err
	case info.IsDir():
		return "", fmt.Errorf("%s is a folder: choose another name", target)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is a device or pipe, not a file: choose another name", target)
	default:
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+temporary+"*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync() // write the content to disk before the rename
	}
	return f.Name(), errors.Join(err, f.Close())
}

// linkTarget follows the symbolic links at path and returns their target, which need not exist. If
// the links form a cycle, linkTarget returns path itself.
func linkTarget(path string) string {
	at := path
	for range 40 { // Linux follows at most 40 links
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return real
		}
		to, err := os.Readlink(at)
		if err != nil {
			return at
		}
		if !filepath.IsAbs(to) {
			folder, err := filepath.EvalSymlinks(filepath.Dir(at))
			if err != nil {
				return at
			}
			to = filepath.Join(folder, to)
		}
		at = to
	}
	return path
}

// removeStale removes temporary files that a killed program left in `folder`. It ignores errors.
func removeStale(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.Contains(e.Name(), temporary) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > staleAfter {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

// withRemedy adds advice to an error whose cause the user can remove.
func withRemedy(err error, target string) error {
	folder := filepath.Dir(target)
	info, statErr := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the folder %s cannot be written to; choose another, or change its permissions: %w", folder,
			err)
	case errors.Is(statErr, fs.ErrNotExist):
		return fmt.Errorf("the folder %s does not exist; make it first: %w", folder, err)
	case statErr != nil || !info.IsDir():
		return fmt.Errorf("%s is not a folder, or a part of its path is a file; choose another folder: %w", folder, err)
	}
	return err // other errors, such as a full or read-only file system, need no advice
}

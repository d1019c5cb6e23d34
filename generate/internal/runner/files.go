package runner

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// These constants are the file extensions of a notebook and of its HTML page.
const (
	extension  = ".ipynb"
	pageEnding = ".html"
)

// findNotebooks lists the files that the list `paths` names, whatever their extension. For a folder,
// it lists the notebooks below the folder, in lexical order, without Jupyter's checkpoints.
// findNotebooks does not check whether a file can be read, because an unreadable file must not prevent
// other notebooks from being run. For the same reason, the list also contains folders that cannot be
// searched. findNotebooks returns an error if `paths` is empty, a path does not exist, or a folder
// contains no notebook. A path that ends in .ipynb is an exception: if it is a link to a folder, or a
// folder without notebooks, findNotebooks lists the path itself, like a file.
func findNotebooks(paths []string) ([]string, error) {
	var found []string
	for _, p := range paths {
		info, err := os.Lstat(p)
		if err != nil {
			return nil, err
		}
		named := filepath.Ext(p) == extension
		target, err := os.Stat(p)
		if err != nil || !target.IsDir() || named && info.Mode().Type() == fs.ModeSymlink {
			found = append(found, p)
			continue
		}
		before := len(found)
		// Add a separator at the end of the path, so that WalkDir follows a link to a folder.
		_ = filepath.WalkDir(p+string(filepath.Separator), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				found = append(found, path)
			case d.IsDir() && d.Name() == ".ipynb_checkpoints":
				return fs.SkipDir
			case !d.IsDir() && filepath.Ext(path) == extension:
				found = append(found, path)
			}
			return nil
		})
		switch {
		case len(found) > before:
		case named:
			found = append(found, p)
		default:
			return nil, fmt.Errorf("no notebooks (*%s) in %s", extension, p)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no notebooks given")
	}
	return found, nil
}

// targetPaths returns, for each notebook, the path of its result in the folder `out`, without
// extension. If `out` is "", the paths are "". Below `out`, the results have the same relative paths
// as the notebooks below the smallest folder that contains all notebooks. targetPaths creates the
// folder `out`. It returns an error if a result would overwrite a notebook or another result, or if
// `out` cannot be written to.
func targetPaths(notebooks []string, out string) ([]string, error) {
	targets := make([]string, len(notebooks))
	if out == "" {
		return targets, nil
	}
	absolute := make([]string, len(notebooks))
	for i, f := range notebooks {
		var err error
		if absolute[i], err = filepath.Abs(f); err != nil {
			return nil, err
		}
	}
	shared := filepath.Dir(absolute[0])
	for _, f := range absolute {
		for !strings.HasPrefix(f, strings.TrimSuffix(shared, string(filepath.Separator))+string(filepath.Separator)) {
			shared = filepath.Dir(shared)
		}
	}
	for i, f := range absolute {
		below, err := filepath.Rel(shared, f)
		if err != nil {
			return nil, err
		}
		targets[i] = filepath.Join(out, strings.TrimSuffix(below, extension))
		if same := slices.Index(targets[:i], targets[i]); same >= 0 {
			return nil, fmt.Errorf("the results of %s and %s would be the same file: leave out one of the two", notebooks[same],
				notebooks[i])
		}
	}
	if err := protectNotebooks(notebooks, targets); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, fmt.Errorf("cannot write to the output folder: %w", err)
	}
	// Try to create a file before the notebooks run, so that the user learns at once if the folder
	// cannot be written to.
	probe, err := os.CreateTemp(out, ".probe-*")
	if err != nil {
		return nil, fmt.Errorf("cannot write to the output folder: %w", err)
	}
	_ = probe.Close()
	return targets, os.Remove(probe.Name())
}

// protectNotebooks rejects targets that would overwrite one of the notebooks to be run, because a
// person may be editing that notebook. protectNotebooks also recognises a notebook under a
// different path or behind a link.
func protectNotebooks(notebooks, targets []string) error {
	made := map[string]fs.FileInfo{} // existing files that a result would replace, keyed by path
	for _, t := range targets {
		for _, path := range []string{t + extension, t + pageEnding} {
			if info, err := os.Stat(path); err == nil {
				made[path] = info
			}
		}
	}
	for _, f := range notebooks {
		input, err := os.Stat(f)
		if err != nil {
			continue // skip a missing notebook, because no target can overwrite it
		}
		for path, info := range made {
			if os.SameFile(info, input) {
				return fmt.Errorf("%s would overwrite the notebook %s: name another output folder", path, f)
			}
		}
	}
	return nil
}

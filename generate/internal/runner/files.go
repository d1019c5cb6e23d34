package runner

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const extension = ".ipynb"

// find lists the notebooks that paths name, folders replaced by the notebooks
// below them in the order of their names.
func find(paths []string) ([]string, error) {
	var files []string
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, p)
			continue
		}
		before := len(files)
		err = filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == ".ipynb_checkpoints":
				return fs.SkipDir
			case !d.IsDir() && filepath.Ext(path) == extension:
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, fmt.Errorf("no notebooks (*%s) in %s", extension, p)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no notebooks given")
	}
	return files, nil
}

// place returns for each file the path of its result in the folder out, without
// extension. Files keep the folders below the one that all of them share.
func place(files []string, out string) ([]string, error) {
	targets := make([]string, len(files))
	if out == "" {
		return targets, nil
	}
	absolute := make([]string, len(files))
	for i, f := range files {
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
			return nil, fmt.Errorf("%s and %s would be written to the same file: name each once", files[same], files[i])
		}
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, fmt.Errorf("cannot write to the output folder: %w", err)
	}
	probe, err := os.CreateTemp(out, ".probe-*") // before the work, not after it
	if err != nil {
		return nil, fmt.Errorf("cannot write to the output folder: %w", err)
	}
	_ = probe.Close()
	return targets, os.Remove(probe.Name())
}

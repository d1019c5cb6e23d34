package progress

import (
	"bytes"
	"os"
	"path/filepath"
)

const (
	// Name is the name of the file.
	Name = "progress.json"
	// Variable is the environment variable that names another file.
	Variable = "HYPERPLANE_PROGRESS"
	// rootMark is in the folder into which `generate notebooks --work` laid the
	// learner's notebooks.
	rootMark = ".hyperplane.json"
)

// A File is where progress is kept; it need not exist.
type File struct {
	Path string
}

// Find returns the file for notebooks in dir: the one that [Variable] names, or
// else that of the nearest folder, dir or one above it, which holds such a file
// or is one that notebooks were laid into. Without any, the file is in dir.
func Find(dir string) File {
	if path := os.Getenv(Variable); path != "" {
		return File{path}
	}
	return Below(dir)
}

// Below is Find without regard to the environment.
func Below(dir string) File {
	start, err := filepath.Abs(dir)
	if err != nil {
		start = dir
	}
	for at := start; ; at = filepath.Dir(at) {
		f := File{filepath.Join(at, Name)}
		if _, err := os.Stat(filepath.Join(at, rootMark)); err == nil || f.isOurs() {
			return f
		}
		if at == filepath.Dir(at) {
			return File{filepath.Join(start, Name)}
		}
	}
}

// isOurs reports whether the file names our schema, even if it is damaged. The
// name is a common one: a file of another program, somewhere above, must not be
// taken for a broken one of ours.
func (f File) isOurs() bool {
	text, err := f.read()
	return err == nil && bytes.Contains(text, []byte(schemaName))
}

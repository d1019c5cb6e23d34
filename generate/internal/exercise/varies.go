package exercise

import (
	"bytes"
	"io/fs"
	"path"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
)

// Varies says what differs between the personal variants of the exercise: "data",
// "constants", both or, where the mathematics leaves nothing to choose, nothing.
func (e *Exercise) Varies() []string { return e.varies }

// varies reads off the package's sources whether its check draws data, so that the
// list cannot say what is not so.
func varies(module fs.FS, dir string, vary exercises.Constants) ([]string, error) {
	out := []string{}
	files, err := fs.Glob(module, path.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := fs.ReadFile(module, name)
		if err != nil {
			return nil, err
		}
		if bytes.Contains(source, []byte("instance.Source(")) {
			out = append(out, "data")
			break
		}
	}
	if vary != nil {
		out = append(out, "constants")
	}
	return out, nil
}

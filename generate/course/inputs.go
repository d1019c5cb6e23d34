package course

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// inputSources are the files and folders of the module that can change the outputs of cells and the
// bytes of figures.
var inputSources = []string{"go.mod", "go.sum", "toolkit", "exercises", toolsModule}

// toolsModule is the folder of a nested Go module. The go.mod in this folder determines the version
// of the kernel.
const toolsModule = "docker/tools"

// inputsHash returns a hash of all sources that can change the outputs of a notebook or the bytes
// of a figure. The notebook itself is not part of the hash. The result of an earlier run is still
// valid if neither the hash nor the notebook has changed.
func inputsHash() (string, error) {
	_, module, err := openModule()
	if err != nil {
		return "", err
	}
	return inputsOf(module)
}

// inputsOf returns a hash of the version of hyperplane, the version of Go, the architecture of the
// processor, and the files in inputSources and in the folders `more`. If the course has its own Go
// module, inputsOf hashes the module's Go files, their embedded texts (*.md), go.mod and go.sum in place
// of the files in inputSources and `more`.
func inputsOf(module fs.FS, more ...string) (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, toolkit.Version, runtime.Version(), runtime.GOARCH)
	var failed error
	sources := slices.Concat(inputSources, more)
	if !cell.InHyperplane() {
		// Leave out the sources of hyperplane, because the go.mod names their version. If the go.mod
		// replaces hyperplane with a folder outside the module, the hash misses changes in that folder.
		sources = []string{"."}
	}
	for _, source := range sources {
		err := fs.WalkDir(module, source, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && path == toolsModule {
				return nil // skip the folder: an installed program has no sources of nested modules
			}
			if source == "." && d != nil && d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			if err != nil || d.IsDir() || source == "." && !slices.Contains([]string{".go", ".mod", ".sum", ".md"}, filepath.Ext(path)) {
				return err
			}
			text, err := fs.ReadFile(module, path)
			fmt.Fprintf(sum, "%s %d\n%s", path, len(text), text)
			return err
		})
		failed = errors.Join(failed, err)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), failed
}

// compilerInputs returns the hash of the sources from which `generate compiler` builds the compiler
// of a site.
func compilerInputs(module fs.FS) (string, error) {
	return inputsOf(module, "generate/internal/cell", "generate/internal/play")
}

// fileHash returns the first 12 hexadecimal digits of the SHA-256 hash of a file.
func fileHash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil))[:12], nil
}

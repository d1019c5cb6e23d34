package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"runtime"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// inputSources are what cells and figures are compiled from, and the kernel.
var inputSources = []string{"go.mod", "go.sum", "toolkit", "exercises", toolsModule}

// toolsModule is the nested module that pins the kernel.
const toolsModule = "docker/tools"

// inputs names all that the outputs of a notebook and the bytes of a figure depend on,
// beside the notebook: two names are equal when the sources are.
func inputs() (string, error) {
	_, module, err := module()
	if err != nil {
		return "", err
	}
	return inputsOf(module)
}

func inputsOf(module fs.FS) (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, toolkit.Version, runtime.Version(), runtime.GOARCH)
	var failed error
	for _, source := range inputSources {
		err := fs.WalkDir(module, source, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && path == toolsModule {
				return nil // a nested module is not in the sources of an installed program
			}
			if err != nil || d.IsDir() {
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

package cell

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// FindRoot returns the folder of this module: dir or the nearest folder above it
// whose go.mod is the module's.
func FindRoot(dir string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := start; ; at = filepath.Dir(at) {
		mod, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err == nil && bytes.HasPrefix(mod, []byte("module "+Module+"\n")) {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is not inside the module %s: its exercises, lessons and kernel are found there; change to its folder", start, Module)
		}
	}
}

package exercises

import (
	"os"
	"path/filepath"
)

// headlessVariable is set where no person works in the notebook, as by `generate
// run`: what happens there is nobody's progress.
const headlessVariable = "HYPERPLANE_HEADLESS"

// HeadlessMark is the name of an empty file that says the same to every program
// below the folder that it lies in. A runner has the programs of the cells compiled
// below such a folder: the environment is a cell's to change.
const HeadlessMark = "hyperplane-headless"

func headless() bool {
	v := os.Getenv(headlessVariable)
	return v != "" && v != "0" || marked()
}

// executable is the path of this program. A test replaces it.
var executable = os.Executable

// marked reports whether this program lies below a HeadlessMark.
func marked() bool {
	path, err := executable()
	if err != nil {
		return false
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, HeadlessMark)); err == nil {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

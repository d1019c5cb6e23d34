//go:build !linux

package runner

import (
	"os"
	"syscall"
)

// markerVariable is the name of an environment variable. For each session, the function `open` sets
// the variable to a random marker, which all processes of the session inherit.
const markerVariable = "HYPERPLANE_RUN"

// endProcessTree kills only the process with the id `root`, because without Linux's /proc it cannot
// find the descendants of this process. On systems other than Linux, run notebooks in the container image.
func endProcessTree(root int, _ string) []int {
	if p, err := os.FindProcess(root); err == nil {
		_ = p.Kill()
	}
	return nil
}

func ownGroup() *syscall.SysProcAttr { return nil }

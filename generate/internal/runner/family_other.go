//go:build !linux

package runner

import (
	"os"
	"syscall"
)

// markerVariable is set in the environment of every process of a run.
const markerVariable = "HYPERPLANE_RUN"

// endFamily kills root. Without /proc it cannot find root's descendants; on such systems notebooks
// should run in the container image.
func endFamily(root int, _ string) []int {
	if p, err := os.FindProcess(root); err == nil {
		_ = p.Kill()
	}
	return nil
}

func ownGroup() *syscall.SysProcAttr { return nil }

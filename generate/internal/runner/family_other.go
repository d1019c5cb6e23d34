//go:build !linux

package runner

import (
	"os"
	"syscall"
)

// markerVariable is in the environment of every process of a run.
const markerVariable = "HYPERPLANE_RUN"

// endFamily kills root. Without /proc its descendants cannot be found from here;
// on such systems notebooks are run in the container image.
func endFamily(root int, _ string) []int {
	if p, err := os.FindProcess(root); err == nil {
		_ = p.Kill()
	}
	return nil
}

func ownGroup() *syscall.SysProcAttr { return nil }

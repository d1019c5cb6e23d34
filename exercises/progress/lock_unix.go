//go:build !windows && !js

package progress

import (
	"os"
	"syscall"
)

// held takes the lock of f, and reports whether another program has it.
func held(f *os.File) bool {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return err == syscall.EWOULDBLOCK || err == syscall.EINTR
}

//go:build !windows && !js

package progress

import (
	"os"
	"syscall"
)

// tryLock tries to lock f and reports whether a different program holds the lock.
func tryLock(f *os.File) bool {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return err == syscall.EWOULDBLOCK || err == syscall.EINTR
}

//go:build !windows && !js

package progress

import (
	"os"
	"syscall"
)

// tryLock tries to lock f. It returns true if the caller must try again, because the lock is held or
// a signal interrupted the call. After any other error, such as on a file system without locks, it
// returns false, and f stays unlocked.
func tryLock(f *os.File) bool {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return err == syscall.EWOULDBLOCK || err == syscall.EINTR
}

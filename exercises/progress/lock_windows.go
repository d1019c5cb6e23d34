package progress

import (
	"os"

	"golang.org/x/sys/windows"
)

// tryLock tries to lock f. It returns true if the caller must try again, because the lock is held.
// After any other error, such as on a file system without locks, it returns false, and f stays
// unlocked.
func tryLock(f *os.File) bool {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{})
	return err == windows.ERROR_LOCK_VIOLATION || err == windows.ERROR_IO_PENDING
}

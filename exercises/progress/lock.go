package progress

import (
	"errors"
	"os"
	"time"
)

var (
	errHeld    = errors.New("another program has been writing it for long")
	errNoLocks = errors.New("no locks here")
)

// acquire takes the lock of the file at path and returns what gives it back. It
// is the system's lock on an open file, which ends with the program, so that none
// is ever left behind; the empty lock file itself stays, because removing it
// would let two programs lock two files of one name.
//
// Where the system or the file system knows no such locks it returns at once:
// then two notebooks that write in the same millisecond may lose a try, which is
// better than losing all of them.
func acquire(path string, limit time.Duration) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(limit); ; time.Sleep(2 * time.Millisecond) {
		switch err := tryLock(f); {
		case err == nil:
			return func() { _ = unlock(f); _ = f.Close() }, nil
		case errors.Is(err, errNoLocks):
			_ = f.Close()
			return func() {}, nil
		case !errors.Is(err, errHeld) || time.Now().After(deadline):
			_ = f.Close()
			return nil, err
		}
	}
}

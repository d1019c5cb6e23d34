package progress

import (
	"errors"
	"os"
	"time"
)

// patience is how long Update waits while a different notebook writes. A write takes a few
// milliseconds. Tests with many writers set a longer time.
var patience = 2 * time.Second

var errHeld = errors.New("locked by another program")

// Lock waits for the lock of the file at path, and returns a function that releases it. It uses the
// operating system's lock on an open file, which ends with the program and is never left behind.
// The empty lock file itself is not removed, because otherwise two programs could lock two files of
// the same name. On file systems without locks, two notebooks that write in the same millisecond
// may lose a try. Lock fails if a different program holds the lock for all of wait, or if the file
// cannot be created.
func Lock(path string, wait time.Duration) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(wait); held(f); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			_ = f.Close()
			return nil, errHeld
		}
	}
	return func() { _ = f.Close() }, nil // closing releases the lock
}

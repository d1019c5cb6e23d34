package progress

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

const (
	// Name is the default name of the progress file.
	Name = "progress.json"
	// Variable is the name of an environment variable. If the variable is set, it contains the path
	// of the progress file to use instead.
	Variable = "HYPERPLANE_PROGRESS"
	// rootMark is the name of the file that marks the folder into which the command
	// `generate notebooks --work` wrote the learner's notebooks.
	rootMark = ".hyperplane.json"
)

// A File is a progress file. The file need not exist yet.
type File struct {
	Path string
}

// Find returns the progress file for notebooks in dir. If the environment variable [Variable] is
// set, Find returns the file that the variable names. Otherwise Find searches dir and then each
// folder above dir. It stops at the first folder that contains a progress file, or into which
// `generate notebooks --work` wrote the notebooks. The result is the progress file in this folder.
// If the search finds no folder, the result is the progress file in dir. Find ignores shared
// folders above dir, such as /tmp.
func Find(dir string) File {
	if path := os.Getenv(Variable); path != "" {
		return File{path}
	}
	return Below(dir)
}

// Below is like Find, but ignores the environment variable.
func Below(dir string) File {
	start, err := filepath.Abs(dir)
	if err != nil {
		start = dir
	}
	for at := start; ; at = filepath.Dir(at) {
		f := File{filepath.Join(at, Name)}
		if at == start || !isShared(at) {
			if _, err := os.Stat(filepath.Join(at, rootMark)); err == nil || f.isOurs() {
				return f
			}
		}
		if at == filepath.Dir(at) {
			return File{filepath.Join(start, Name)}
		}
	}
}

// isShared reports whether dir has the sticky bit. This bit is usual for folders such as /tmp, in which
// everybody may create files, but only the owner of a file may remove it.
func isShared(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.Mode()&fs.ModeSticky != 0
}

// isOurs reports whether the file contains the name of this package's schema, even if the file is
// damaged. Other programs also use the name progress.json, and Find must not treat their files as
// damaged progress files.
func (f File) isOurs() bool {
	text, err := f.read()
	return err == nil && bytes.Contains(text, []byte(schemaName))
}

// Read returns the contents of the file, without changing it. If the file is missing, the result
// contains no records. If the file cannot be used, the error is one line that names the file and the
// reason.
func (f File) Read() (*Progress, error) {
	p, _, err := f.loadText()
	if broken(err) {
		return nil, fmt.Errorf("%s is broken (%w); the next check renames it and starts a new file", f.Path, err)
	}
	return p, err
}

// Update calls the function `change` with the contents of the file. If the resulting text differs from
// the text of the file, Update writes the new text, and replaces the file only after that text is
// complete. Other programs that call Update for the file wait until this call returns.
//
// Update renames a damaged or empty file to <name>.broken (or .broken-2, …). The function `change` then
// receives an empty Progress, and `note` is a line that reports the new name. If Update returns an
// error, it has not written the result. The error is one line. For example, Update returns an error if
// the folder is not writable, if the lock stays held for too long, or if the file is not for this
// toolkit.
func (f File) Update(change func(*Progress)) (note string, err error) {
	if real, err := filepath.EvalSymlinks(f.Path); err == nil {
		f.Path = real // if Path is a link, write to the target of the link, so that the link itself stays
	}
	if _, _, err := f.loadText(); err != nil && !broken(err) {
		return "", err
	}
	folder := filepath.Dir(f.Path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", f.unwritable(err)
	}
	release, err := Lock(filepath.Join(folder, "."+filepath.Base(f.Path)+".lock"), lockWait)
	if err != nil {
		return "", f.unwritable(err)
	}
	defer release()
	p, text, err := f.loadText()
	if err != nil && !broken(err) {
		return "", err
	}
	if err != nil {
		aside, moveErr := f.renameBroken()
		if moveErr != nil {
			return "", f.unwritable(moveErr)
		}
		note = fmt.Sprintf("%s was broken (%v), so it was renamed to %s and a new file was started", f.Path, err,
			filepath.Base(aside))
		p, text = New(), nil
	}
	change(p)
	fresh, err := p.text()
	if err == nil && !bytes.Equal(fresh, text) {
		err = toolkit.WriteFile(f.Path, fresh)
	}
	if err != nil {
		err = f.unwritable(err)
	}
	return note, err
}

func broken(err error) bool { return errors.As(err, new(brokenError)) }

// loadText returns the text of the file, and the Progress that it parses from the text. For a missing
// file it returns an empty Progress and no error. Every error contains the name of the file, except a
// brokenError. The caller adds the name to a brokenError.
func (f File) loadText() (*Progress, []byte, error) {
	text, err := f.read()
	if errors.Is(err, fs.ErrNotExist) {
		return New(), nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s %w", f.Path, err)
	}
	p, err := parse(text)
	if err != nil && !broken(err) {
		err = fmt.Errorf("%s is unchanged: %w; to use another file, set %s to its path", f.Path, err, Variable)
	}
	return p, text, err
}

// read returns the text of the file. It returns an error if the file is not a regular file, because
// reading a pipe could block forever.
func (f File) read() ([]byte, error) {
	if info, err := os.Stat(f.Path); err == nil && !info.Mode().IsRegular() {
		kind := "device or pipe"
		if info.IsDir() {
			kind = "folder"
		}
		return nil, fmt.Errorf("is a %s, not a file: rename it, or set %s to another file", kind, Variable)
	}
	text, err := os.ReadFile(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("cannot be read (%s)", shortReason(err))
	}
	return text, err
}

// renameBroken renames the file to an unused name, such as <name>.broken, and returns the new path.
func (f File) renameBroken() (string, error) {
	aside := f.Path + ".broken"
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); err != nil {
			return aside, os.Rename(f.Path, aside)
		}
		aside = fmt.Sprintf("%s.broken-%d", f.Path, n)
	}
}

func (f File) unwritable(err error) error {
	return fmt.Errorf("%s cannot be written (%s); set %s to a writable file", f.Path, shortReason(err), Variable)
}

// shortReason returns the text of err. If err is an error of the operating system, shortReason omits the
// operation and the path, with which the errors of package os begin.
func shortReason(err error) string {
	if number := syscall.Errno(0); errors.As(err, &number) {
		return number.Error()
	}
	return err.Error()
}

// lockWait is the longest time for which Update waits while another program writes the file. Writing
// the file takes a few milliseconds. Tests change this time.
var lockWait = 2 * time.Second

var errHeld = errors.New("locked by another program")

// Lock waits for the lock of the file at path, and returns a function that releases the lock. It
// uses the operating system's lock on an open file. The system releases this lock when the program
// ends. Lock never removes the empty lock file. If it did, two programs could hold locks on two
// different files with the same name. On a file system without locks, Lock returns at once and locks
// nothing, so the record of a try may be lost if two notebooks write in the same millisecond. Lock
// returns an error if the lock stays held for longer than `wait`, or if the file cannot be opened or
// created.
func Lock(path string, wait time.Duration) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(wait); tryLock(f); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			_ = f.Close()
			return nil, errHeld
		}
	}
	return func() { _ = f.Close() }, nil // closing the file releases the lock
}

package progress

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

const (
	// Name is the name of the file.
	Name = "progress.json"
	// Variable is the environment variable that names a different file.
	Variable = "HYPERPLANE_PROGRESS"
	// rootMark marks the folder in which `generate notebooks --work` put the learner's notebooks.
	rootMark = ".hyperplane.json"
)

// A File is the file that stores progress; it need not exist.
type File struct {
	Path string
}

// Find returns the file for notebooks in dir: the file named by [Variable], or else the file in the
// nearest folder, dir or above, that contains such a file or is marked as the root of a learner's
// notebooks. If there is no such folder, the file is in dir. Shared folders above dir, such as
// /tmp, are ignored.
func Find(dir string) File {
	if path := os.Getenv(Variable); path != "" {
		return File{path}
	}
	return Below(dir)
}

// Below is Find without the environment variable.
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

// isShared reports whether dir is a folder that everybody may write to but only owners may remove
// from.
func isShared(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.Mode()&fs.ModeSticky != 0
}

// isOurs reports whether the file names our schema, even if it is damaged. The name is common: a
// file of a different program in a folder above must not be taken for a broken file of ours.
func (f File) isOurs() bool {
	text, err := f.read()
	return err == nil && bytes.Contains(text, []byte(schemaName))
}

// Read returns the contents of the file. A missing file means a learner who has not begun. Read
// changes nothing. If the file cannot be used, the error is one line with its name and the remedy.
func (f File) Read() (*Progress, error) {
	p, _, err := f.load()
	if broken(err) {
		return nil, fmt.Errorf("%s is broken (%w); the next check renames it and starts a new one", f.Path, err)
	}
	return p, err
}

// Update calls change with the contents of the file and writes the result, while other programs
// that use Update wait. The file is only replaced when the new text is complete.
//
// A file that cannot be parsed is renamed to <name>.broken (or .broken-2, …), and change gets an
// empty progress; note is a line that says so. An error is one line and means that nothing was
// written: the folder is not writable, a different program held the file too long, or the file is
// not for this toolkit.
func (f File) Update(change func(*Progress)) (note string, err error) {
	if real, err := filepath.EvalSymlinks(f.Path); err == nil {
		f.Path = real // a link stays in place, even if it leads to a broken file
	}
	if _, _, err := f.load(); err != nil && !broken(err) {
		return "", err
	}
	folder := filepath.Dir(f.Path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", f.unwritable(err)
	}
	release, err := Lock(filepath.Join(folder, "."+filepath.Base(f.Path)+".lock"), patience)
	if err != nil {
		return "", f.unwritable(err)
	}
	defer release()
	p, text, err := f.load()
	if err != nil && !broken(err) {
		return "", err
	}
	if err != nil {
		aside, moveErr := f.putAside()
		if moveErr != nil {
			return "", f.unwritable(moveErr)
		}
		note = fmt.Sprintf("%s was broken (%v): it was renamed to %s, and a new one started", f.Path, err,
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

// load returns the contents of the file and its text. Its errors name the file, except the error of
// a broken file, which the caller completes.
func (f File) load() (*Progress, []byte, error) {
	text, err := f.read()
	if errors.Is(err, fs.ErrNotExist) {
		return New(), nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s %w", f.Path, err)
	}
	p, err := parse(text)
	if err != nil && !broken(err) {
		err = fmt.Errorf("%s is unchanged: %w, or set %s to another file", f.Path, err, Variable)
	}
	return p, text, err
}

// read is os.ReadFile for a regular file: a pipe would block it forever.
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
		err = fmt.Errorf("cannot be read (%s)", reason(err))
	}
	return text, err
}

// putAside renames the file to an unused name and returns that name.
func (f File) putAside() (string, error) {
	aside := f.Path + ".broken"
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); err != nil {
			return aside, os.Rename(f.Path, aside)
		}
		aside = fmt.Sprintf("%s.broken-%d", f.Path, n)
	}
}

func (f File) unwritable(err error) error {
	return fmt.Errorf("%s cannot be written (%s); set %s to a writable file", f.Path, reason(err), Variable)
}

// reason returns err without the path that os puts in front of it.
func reason(err error) string {
	if number := syscall.Errno(0); errors.As(err, &number) {
		return number.Error()
	}
	return err.Error()
}

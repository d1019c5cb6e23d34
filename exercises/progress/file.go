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
	// Variable is the environment variable that names another file.
	Variable = "HYPERPLANE_PROGRESS"
	// rootMark is in the folder into which `generate notebooks --work` laid the
	// learner's notebooks.
	rootMark = ".hyperplane.json"
)

// A File is where progress is kept; it need not exist.
type File struct {
	Path string
}

// Find returns the file for notebooks in dir: the one that [Variable] names, or
// else that of the nearest folder, dir or one above it, which holds such a file
// or is one that notebooks were laid into. Without any, the file is in dir. What lies
// in a folder above that everybody shares, as /tmp, is nobody's.
func Find(dir string) File {
	if path := os.Getenv(Variable); path != "" {
		return File{path}
	}
	return Below(dir)
}

// Below is Find without regard to the environment.
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

// isShared reports whether everybody may write into a folder, but only the owner remove.
func isShared(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.Mode()&fs.ModeSticky != 0
}

// isOurs reports whether the file names our schema, even if it is damaged. The
// name is a common one: a file of another program, somewhere above, must not be
// taken for a broken one of ours.
func (f File) isOurs() bool {
	text, err := f.read()
	return err == nil && bytes.Contains(text, []byte(schemaName))
}

// Read returns what the file holds; a missing one is that of a learner who has
// not begun. It changes nothing. The error of a file that cannot be used is one
// line that names it and the remedy.
func (f File) Read() (*Progress, error) {
	p, _, err := f.load()
	if broken(err) {
		return nil, fmt.Errorf("%s is broken (%w); the next check keeps it aside and begins a new one", f.Path, err)
	}
	return p, err
}

// Update lets change change what the file holds, while no other program that
// uses Update can. The new text takes the file's name only when it is whole.
//
// A file that cannot be understood is renamed to <name>.broken (or .broken-2, …)
// and change gets an empty progress; note is the line that says so. An error, of
// one line, means that nothing was written: the folder cannot be written to,
// another program held the file for long, or the file is not for this toolkit.
func (f File) Update(change func(*Progress)) (note string, err error) {
	if real, err := filepath.EvalSymlinks(f.Path); err == nil {
		f.Path = real // a link stays where it is, also to a broken file
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
		note = fmt.Sprintf("%s was broken (%v): it is kept as %s, and a new one is begun", f.Path, err, filepath.Base(aside))
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

// load returns what the file holds and its text; only the error of a broken file
// needs more words.
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
		err = fmt.Errorf("%s stays as it is: %w, or set %s to another file", f.Path, err, Variable)
	}
	return p, text, err
}

// read is os.ReadFile for a regular file: a pipe would keep it waiting for ever.
func (f File) read() ([]byte, error) {
	if info, err := os.Stat(f.Path); err == nil && !info.Mode().IsRegular() {
		kind := "device or pipe"
		if info.IsDir() {
			kind = "folder"
		}
		return nil, fmt.Errorf("is no file but a %s: rename it, or set %s to another file", kind, Variable)
	}
	text, err := os.ReadFile(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("cannot be read (%s)", reason(err))
	}
	return text, err
}

// putAside renames the file to a name that is free, and returns that.
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
	return fmt.Errorf("%s cannot be written (%s); set %s to a file that can", f.Path, reason(err), Variable)
}

// reason is err without the path that os puts in front of it.
func reason(err error) string {
	if number := syscall.Errno(0); errors.As(err, &number) {
		return number.Error()
	}
	return err.Error()
}

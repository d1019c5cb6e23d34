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
	release, err := acquire(filepath.Join(folder, "."+filepath.Base(f.Path)+".lock"))
	if err != nil {
		return "", f.unwritable(err)
	}
	defer release()
	p, text, err := f.load()
	if broken(err) {
		aside, moveErr := f.putAside()
		if moveErr != nil {
			return "", f.unwritable(moveErr)
		}
		note = fmt.Sprintf("%s was broken (%v): it is kept as %s, and a new one is begun", f.Path, err, filepath.Base(aside))
		p, text = New(), nil
	} else if err != nil {
		return "", err
	}
	change(p)
	fresh, err := p.text()
	if err == nil && !bytes.Equal(fresh, text) {
		err = toolkit.WriteFile(f.Path, fresh)
	}
	if err != nil {
		return note, f.unwritable(err)
	}
	return note, nil
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
	info, err := os.Stat(f.Path)
	switch {
	case err != nil:
	case info.IsDir():
		return nil, fmt.Errorf("is no file but a folder: rename it, or set %s to another file", Variable)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("is no file but a device or pipe: rename it, or set %s to another file", Variable)
	}
	text, err := os.ReadFile(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("cannot be read (%s)", reason(err))
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

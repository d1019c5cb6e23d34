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

// patience is how long Update waits while another notebook writes, which takes
// some milliseconds. Tests with many writers have more.
var patience = 2 * time.Second

// Read returns what the file holds; a missing one is that of a learner who has
// not begun. It changes nothing. The error of a file that cannot be used is one
// line that names it and the remedy.
func (f File) Read() (*Progress, error) {
	text, err := f.load()
	if errors.Is(err, fs.ErrNotExist) {
		return New(), nil
	}
	if err != nil {
		return nil, err
	}
	p, err := parse(text)
	switch {
	case errors.As(err, new(brokenError)):
		return nil, fmt.Errorf("%s is broken (%w); the next check keeps it aside and begins a new one", f.Path, err)
	case err != nil:
		return nil, f.strange(err)
	}
	return p, nil
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
		f.Path = real // putAside would rename the link
	}
	if err := f.obstacle(); err != nil {
		return "", err
	}
	folder := filepath.Dir(f.Path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", f.unwritable(err)
	}
	release, err := acquire(filepath.Join(folder, "."+filepath.Base(f.Path)+".lock"), patience)
	if err != nil {
		return "", f.unwritable(err)
	}
	defer release()

	var p *Progress
	text, err := f.load()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p = New()
	case err != nil:
		return "", err
	default:
		if p, err = parse(text); errors.As(err, new(brokenError)) {
			aside, moveErr := f.putAside()
			if moveErr != nil {
				return "", f.unwritable(moveErr)
			}
			note = fmt.Sprintf("%s was broken (%v): it is kept as %s, and a new one is begun", f.Path, err, filepath.Base(aside))
			p, text = New(), nil
		} else if err != nil {
			return "", f.strange(err)
		}
	}
	change(p)
	fresh, err := p.text()
	if err != nil {
		return note, f.unwritable(err)
	}
	if bytes.Equal(fresh, text) {
		return note, nil
	}
	if err := toolkit.WriteFile(f.Path, fresh); err != nil {
		return note, f.unwritable(err)
	}
	return note, nil
}

// putAside renames the file to a name that is free, and returns that.
func (f File) putAside() (string, error) {
	for n := 1; ; n++ {
		aside := f.Path + ".broken"
		if n > 1 {
			aside = fmt.Sprintf("%s-%d", aside, n)
		}
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return aside, os.Rename(f.Path, aside)
		} else if err != nil {
			return "", err
		}
	}
}

// load reads the file; fs.ErrNotExist is passed on as it is.
func (f File) load() ([]byte, error) {
	if err := f.obstacle(); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s cannot be read (%s)", f.Path, reason(err))
	}
	return text, err
}

// obstacle is the error for something in the file's place that is no file; a pipe
// would keep a reader waiting for ever.
func (f File) obstacle() error {
	info, err := os.Stat(f.Path)
	if err != nil || info.Mode().IsRegular() {
		return nil // reading says what is wrong
	}
	kind := "device or pipe"
	if info.IsDir() {
		kind = "folder"
	}
	return fmt.Errorf("%s is no file but a %s: rename it, or set %s to another file", f.Path, kind, Variable)
}

// strange is the error for a file that is whole, but not for this toolkit.
func (f File) strange(err error) error {
	return fmt.Errorf("%s stays as it is: %w, or set %s to another file", f.Path, err, Variable)
}

func (f File) unwritable(err error) error {
	return fmt.Errorf("%s cannot be written (%s); set %s to a file that can", f.Path, reason(err), Variable)
}

// reason is err without the path that os puts in front of it.
func reason(err error) string {
	if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	if linkErr := (*os.LinkError)(nil); errors.As(err, &linkErr) {
		err = linkErr.Err
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return "a part of that path is a file, not a folder"
	}
	return err.Error()
}

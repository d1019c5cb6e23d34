package progress

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// temporary is the ending of the files that are written before they get their
// real name; one that is older than staleAfter was left by a killed program.
const (
	temporary  = ".tmp-"
	staleAfter = time.Hour
)

// write puts text into the file at path by way of a temporary file: path is the
// old file whole or the new one whole, whatever happens.
func write(path string, text []byte) (err error) {
	folder, prefix := filepath.Dir(path), "."+filepath.Base(path)+temporary
	sweep(folder, prefix)
	mode := fs.FileMode(0o644) // CreateTemp makes it 0600
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	tmp, err := os.CreateTemp(folder, prefix+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	_, err = tmp.Write(text)
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if err == nil {
		err = tmp.Sync() // the content must be on the disk before the name is
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// sweep removes what a killed program left. It is a courtesy: what it cannot
// remove stays.
func sweep(folder, prefix string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > staleAfter {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
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

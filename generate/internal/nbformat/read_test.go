package nbformat

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// What is no regular file of a sensible size is refused at once, without waiting.
func TestReadFileRefuses(t *testing.T) {
	link := func(to string) func(string) error {
		return func(path string) error { return os.Symlink(to, path) }
	}
	tests := []struct {
		name string
		make func(path string) error
		want string
	}{
		{"pipe", func(path string) error { return unix.Mkfifo(path, 0o600) }, "not a regular file"},
		{"device without end", link("/dev/zero"), "not a regular file"},
		{"dangling link", link("nowhere"), "no such file"},
		{"link to itself", link("x.ipynb"), "too many levels"},
		{"link to a folder", link("."), "a folder"},
		{"folder", func(path string) error { return os.Mkdir(path, 0o700) }, "a folder"},
		{"giant", func(path string) error {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(path, MaxSize+1) // takes no room on the disk
		}, "more than a notebook may have"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.ipynb")
			if err := tt.make(path); err != nil {
				t.Fatal(err)
			}
			_, err := ReadFile(path)
			if !errors.As(err, new(*fs.PathError)) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want an fs.PathError with %q", err, tt.want)
			}
		})
	}
}

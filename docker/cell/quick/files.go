package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// buildSettings returns the settings that affect the output of `go build`. These are the
// environment variables of Go and of cgo, and a hash of the settings that `go env -w` has written.
// The list omits the usual variables that affect only the Go runtime or downloads. It also omits
// variables whose names begin with GO, but which belong to GoNB or to Google's programs.
func buildSettings() []string {
	var kept []string
	for _, v := range os.Environ() {
		key, _, _ := strings.Cut(v, "=")
		switch key {
		case "GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GOTRACEBACK", "GOPROXY", "GOSUMDB":
			continue
		}
		ofGo := strings.HasPrefix(key, "GO") && !strings.HasPrefix(key, "GONB") && !strings.HasPrefix(key, "GOOGLE_")
		if ofGo || strings.HasPrefix(key, "CGO_") {
			kept = append(kept, v)
		}
	}
	slices.Sort(kept)
	return append(kept, goEnv())
}

// goEnv returns the hash of the file to which `go env -w` writes, or "" if the file does not exist.
// If the file cannot be read, goEnv returns the text of the error.
func goEnv() string {
	file := os.Getenv("GOENV")
	if folder, err := os.UserConfigDir(); file == "" && err == nil {
		file = filepath.Join(folder, "go", "env")
	}
	hash, err := hashFile(file)
	if err != nil {
		return err.Error()
	}
	return hash
}

// sourceHashes returns, by path, the hashes of all folders from which a package is built: the
// package's own folder, which is `folder`, and the folders of the files that the package embeds.
func sourceHashes(folder string, embedded []string) (map[string]string, error) {
	hashes := map[string]string{}
	for _, f := range append(embedded, "x") {
		f = filepath.Dir(filepath.Join(folder, f))
		if hashes[f] != "" {
			continue
		}
		hash, err := hashFolder(f)
		if err != nil {
			return nil, err
		}
		hashes[f] = hash
	}
	return hashes, nil
}

// hashFolder returns a hash of the names and contents of the files in a folder, and of the names of
// its subfolders. It omits test files, because they are not part of a cell's program.
func hashFolder(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		content := ""
		if !e.IsDir() {
			if content, err = hashFile(filepath.Join(folder, e.Name())); err != nil {
				return "", err
			}
		}
		fmt.Fprintf(h, "%q %s\n", e.Name(), content)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// hashFile returns the hash of the file's contents, or "" if the file does not exist.
func hashFile(path string) (string, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return fmt.Sprintf("%x", sha256.Sum256(b)), err
}

// installProgram moves or copies a program to its destination. There the program has the permissions
// that `go build` would give it.
func installProgram(from, to string) error {
	if err := os.Rename(from, to); err == nil {
		return nil
	}
	// Rename fails across file systems. In that case, copy to a temporary file beside the
	// destination first, so that an incomplete program never has the destination's name.
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o777)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err == nil {
		err = os.Rename(to+".new", to)
	}
	if err != nil {
		os.Remove(to + ".new")
	}
	return err
}

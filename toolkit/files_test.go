package toolkit

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWriteKeepsModeAndSetsDefault checks that an existing file keeps its permissions and a
// new file gets 0644.
func TestWriteKeepsModeAndSetsDefault(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	mustSetUp(t, os.WriteFile(old, nil, 0o600))
	for path, mode := range map[string]fs.FileMode{old: 0o600, filepath.Join(dir, "new"): 0o644} {
		mustSetUp(t, WriteFile(path, []byte("x")))
		info, err := os.Stat(path)
		mustSetUp(t, err)
		if got := info.Mode().Perm(); got != mode {
			t.Errorf("%s has mode %v, want %v", path, got, mode)
		}
	}
}

// TestWriteFileErrors checks that every error names the file and states the cause or what to do.
// After an error all files must be unchanged.
func TestWriteFileErrors(t *testing.T) {
	for _, tt := range []struct {
		name, last string
		wants      []string
	}{
		{"no folder", "none/z", []string{"none does not exist", "make it first"}},
		{"parent is a file", "a/z", []string{"a is not a folder"}},
		{"grandparent is a file", "a/b/z", []string{"not a folder, or a part of its path is a file"}},
		{"a folder in place of the file", "folder", []string{"folder is a folder"}},
		{"a device in place of the file", "device", []string{"is a device"}},
		{"folder not writable", "locked/z", []string{"locked cannot be written to", "choose another"}},
		{"a circle of links", "circle", []string{"too many"}},
		{"two paths to one file", "link", []string{"another path leads to the same file"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "folder not writable" && os.Geteuid() == 0 {
				t.Skip("root may write everywhere")
			}
			dir := t.TempDir()
			in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
			for _, err := range []error{
				WriteFile(in("a"), []byte("old")), os.Mkdir(in("folder"), 0o755), os.Mkdir(in("locked"), 0o555),
				os.Symlink(os.DevNull, in("device")), os.Symlink("circle", in("circle")),
				os.Symlink("a", in("link")),
			} {
				if err != nil {
					t.Skip(err)
				}
			}
			err := WriteFiles(map[string][]byte{in("a"): []byte("new"), in(tt.last): []byte("new")})
			for _, want := range append(tt.wants, "cannot write to "+in(tt.last)) {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %v, want an error that contains %q", err, want)
				}
			}
			checkFolder(t, dir, map[string]string{"a": "old"})
		})
	}
}

// TestWriteFileFollowsLinks checks that WriteFile writes to the target of a link and keeps the
// link. The path is the first link of a chain, and the way to the second link leads through a link
// to a folder. The target of the chain does not exist at first.
func TestWriteFileFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	mustSetUp(t, os.MkdirAll(filepath.Join(dir, "far", "below"), 0o755))
	links := map[string]string{"link": filepath.Join("near", "link"), "near": filepath.Join("far", "below"),
		"far/below/link": filepath.Join("..", "mine")}
	for at, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, at)); err != nil {
			t.Skip("symbolic links cannot be created here:", err)
		}
	}
	for _, text := range []string{"first", "second"} {
		mustSetUp(t, WriteFile(filepath.Join(dir, "link"), []byte(text)))
		for at := range links {
			if info, err := os.Lstat(filepath.Join(dir, at)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
				t.Errorf("the link %s is missing or was replaced by a file (error %v), want an unchanged link", at, err)
			}
		}
		if got, err := os.ReadFile(filepath.Join(dir, "far", "mine")); string(got) != text {
			t.Errorf("the target of the links contains %q (error %v), want the new text %q", got, err, text)
		}
	}
}

func TestSweepRemovesOnlyOldTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	age := time.Now().Add(-2 * staleAfter)
	for name, when := range map[string]time.Time{".x" + temporary + "1": age, ".x" + temporary + "2": time.Now(),
		".mine": age} {
		path := filepath.Join(dir, name)
		mustSetUp(t, os.WriteFile(path, nil, 0o644), os.Chtimes(path, when, when))
	}
	// On Linux, a file name is a sequence of bytes that need not be valid UTF-8.
	mustSetUp(t, WriteFile(filepath.Join(dir, "x\xff"), []byte("x")))
	checkFolder(t, dir, map[string]string{"x\xff": "x", ".mine": "", ".x" + temporary + "2": ""})
}

const victim = "HYPERPLANE_TEST_VICTIM"

// TestKilledWriter checks that every file is complete, no matter when its writer is killed.
func TestKilledWriter(t *testing.T) {
	contents := [][]byte{bytes.Repeat([]byte("A"), 1<<20), bytes.Repeat([]byte("B"), 1<<20)}
	both := func(dir string, b []byte) error {
		return WriteFiles(map[string][]byte{filepath.Join(dir, "one"): b, filepath.Join(dir, "two"): b})
	}
	if dir := os.Getenv(victim); dir != "" {
		for i := 0; ; i++ {
			mustSetUp(t, both(dir, contents[i%2]))
		}
	}
	for round := range 6 {
		dir := t.TempDir()
		mustSetUp(t, both(dir, contents[0]))
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWriter$")
		cmd.Env = append(os.Environ(), victim+"="+dir)
		mustSetUp(t, cmd.Start())
		time.Sleep(time.Duration(30+17*round) * time.Millisecond)
		mustSetUp(t, cmd.Process.Kill())
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != -1 { // −1 means that a signal ended the process
			t.Fatalf("the writer ended with the exit status %d before it was killed, want a running writer", code)
		}
		for _, name := range []string{"one", "two"} {
			got, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !bytes.Equal(got, contents[0]) && !bytes.Equal(got, contents[1]) {
				t.Errorf("round %d: %s is neither the old file nor the new file (%d bytes, error %v)",
					round, name, len(got),
					err)
			}
		}
	}
}

// mustSetUp fails the test and stops it if a step of its setup fails.
func mustSetUp(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// checkFolder checks that the folder dir and its subfolders contain exactly the expected files. It
// includes hidden files, but not links.
func checkFolder(t *testing.T, dir string, expected map[string]string) {
	t.Helper()
	got := map[string]string{}
	mustSetUp(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		got[path] = string(data)
		return err
	}))
	if !maps.Equal(got, expected) {
		t.Errorf("the folder contains %q, want %q", got, expected)
	}
}

func TestMadeWith(t *testing.T) {
	for version, silent := range map[string]bool{Version: true, "v" + Version: true, "0.0.1": false, "": false} {
		var out strings.Builder
		madeWith(&out, version)
		if got := out.String(); (got == "") != silent || !silent &&
			(!strings.Contains(got, Version) || !strings.Contains(got, "make lab") || strings.Count(got, "\n") != 1) {
			t.Errorf("MadeWith(%q) printed %q, want nothing for the same version, otherwise one line with the version of the toolkit and `make lab`", version,
				got)
		}
	}
}

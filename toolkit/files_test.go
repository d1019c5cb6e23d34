package toolkit

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An old file keeps its permissions.
func TestWriteKeepsModeAndSetsDefault(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]fs.FileMode{old: 0o600, filepath.Join(dir, "new"): 0o644} {
		if err := WriteFile(path, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if got := stat(t, path).Mode().Perm(); got != mode {
			t.Errorf("%s has mode %v, want %v", path, got, mode)
		}
	}
}

// Every failure names the file and the remedy, and leaves all files as they were.
func TestWriteFileErrors(t *testing.T) {
	for _, tt := range []struct {
		name, last string
		wants      []string
	}{
		{"no folder", "none/z", []string{"none does not exist", "make it first"}},
		{"parent is a file", "a/z", []string{"a is not a folder"}},
		{"below a file", "a/b/z", []string{"not a folder, or a part of it is a file"}},
		{"a folder in its place", "folder", []string{"folder is a folder"}},
		{"a device in its place", "device", []string{"is a device"}},
		{"folder not writable", "locked/z", []string{"locked cannot be written to", "choose another"}},
		{"a circle of links", "circle", []string{"too many"}},
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
			} {
				if err != nil {
					t.Skip(err)
				}
			}
			err := WriteFiles(map[string][]byte{in("a"): []byte("new"), in(tt.last): []byte("new")})
			for _, want := range append(tt.wants, "cannot write to "+in(tt.last)) {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error %v, want one with %q", err, want)
				}
			}
			want(t, dir, map[string]string{"a": "old"})
		})
	}
}

// A link stays one, and what it leads to is written, also through other links, in
// the folder that they mean, and when there is nothing yet.
func TestWriteFileFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "far", "below"), 0o755); err != nil {
		t.Fatal(err)
	}
	links := map[string]string{"link": filepath.Join("near", "link"), "near": filepath.Join("far", "below"), "far/below/link": filepath.Join("..", "mine")}
	for at, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, at)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	for _, text := range []string{"first", "second"} {
		if err := WriteFile(filepath.Join(dir, "link"), []byte(text)); err != nil {
			t.Fatal(err)
		}
		for at := range links {
			if info, err := os.Lstat(filepath.Join(dir, at)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
				t.Errorf("the link %s was replaced (%v)", at, err)
			}
		}
		if got, err := os.ReadFile(filepath.Join(dir, "far", "mine")); string(got) != text {
			t.Errorf("what they lead to holds %q (%v)", got, err)
		}
	}
}

// Names on Linux are bytes.
func TestNameThatIsNotUTF8(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bad\xff")
	if err := WriteFile(path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "x" {
		t.Errorf("the file holds %q (%v)", got, err)
	}
}

func TestSweepRemovesOnlyOldTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	age := time.Now().Add(-2 * staleAfter)
	for name, old := range map[string]bool{".x" + temporary + "1": true, ".x" + temporary + "2": false, ".mine": true} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if old {
			if err := os.Chtimes(path, age, age); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := WriteFile(filepath.Join(dir, "x"), []byte("x")); err != nil {
		t.Fatal(err)
	}
	want(t, dir, map[string]string{"x": "x", ".mine": "", ".x" + temporary + "2": ""})
}

const victim = "HYPERPLANE_TEST_VICTIM"

// A writer killed at any moment leaves every file whole.
func TestKilledWriter(t *testing.T) {
	contents := [][]byte{bytes.Repeat([]byte("A"), 1<<20), bytes.Repeat([]byte("B"), 1<<20)}
	both := func(dir string, b []byte) error {
		return WriteFiles(map[string][]byte{filepath.Join(dir, "one"): b, filepath.Join(dir, "two"): b})
	}
	if dir := os.Getenv(victim); dir != "" {
		for i := 0; ; i++ {
			if err := both(dir, contents[i%2]); err != nil {
				t.Fatal(err)
			}
		}
	}
	for round := range 6 {
		dir := t.TempDir()
		if err := both(dir, contents[0]); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWriter$")
		cmd.Env = append(os.Environ(), victim+"="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(30+17*round) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("the writer ended by itself")
		}
		for _, name := range []string{"one", "two"} {
			got, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !bytes.Equal(got, contents[0]) && !bytes.Equal(got, contents[1]) {
				t.Errorf("round %d: %s is neither the old file nor the new one (%d bytes, %v)", round, name, len(got), err)
			}
		}
	}
}

func stat(t *testing.T, path string) fs.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// want compares all files below dir, hidden ones too but no links, with what is expected.
func want(t *testing.T, dir string, expected map[string]string) {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		got[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range expected {
		if got[name] != content {
			t.Errorf("%s holds %q, want %q", name, got[name], content)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("%s should not be there", name)
	}
}

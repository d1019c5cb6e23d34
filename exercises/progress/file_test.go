package progress

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	return string(must(os.ReadFile(path))(t))
}

// names are the files in dir but for the lock.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	for _, e := range must(os.ReadDir(dir))(t) {
		if !strings.HasSuffix(e.Name(), ".lock") {
			out = append(out, e.Name())
		}
	}
	return out
}

// file is one in a new folder of its own.
func file(t *testing.T) (f File, dir string) {
	dir = t.TempDir()
	return File{filepath.Join(dir, Name)}, dir
}

func pass(p *Progress) {
	a := &p.Exercise("prml-4.25").Answer
	a.Begin(3)
	a.Finish(3, 3, true)
}

const passed = `{
  "schema": "hyperplane-progress/1",
  "exercises": {
    "prml-4.25": {
      "answer": {
        "passed": true,
        "tries": 1,
        "last": {
          "right": 3,
          "parts": 3,
          "finished": true
        }
      },
      "steps": null,
      "hints": [
        1,
        3
      ],
      "offered": false,
      "revealed": false
    }
  }
}
`

func TestRoundTrip(t *testing.T) {
	f, dir := file(t)
	p := must(f.Read())(t) // missing
	if len(p.Exercises) != 0 || len(names(t, dir)) != 0 {
		t.Fatalf("a missing file reads as %v and leaves %q", p.Exercises, names(t, dir))
	}
	note, err := f.Update(func(p *Progress) {
		pass(p)
		r := p.Exercise("prml-4.25")
		r.SawHint(3)
		r.SawHint(1)
		r.SawHint(3)
	})
	if err != nil || note != "" {
		t.Fatal(note, err)
	}
	if got := get(t, f.Path); got != passed {
		t.Errorf("the file holds\n%s\nwant\n%s", got, passed)
	}
	r := must(f.Read())(t).Peek("prml-4.25")
	if want := []int{1, 3}; r.State() != Passed || r.Answer.Tries != 1 || r.Answer.Last.String() != "3 of 3 right" || !slices.Equal(r.Hints, want) {
		t.Errorf("read back: %+v", r)
	}
	if got := r.Unseen(4); !slices.Equal(got, []int{2, 4}) {
		t.Errorf("unseen hints %v", got)
	}
}

// A change that changes nothing writes nothing.
func TestNothingToWrite(t *testing.T) {
	f, _ := file(t)
	put(t, f.Path, passed)
	before := must(os.Stat(f.Path))(t)
	if _, err := f.Update(func(p *Progress) { p.Exercise("prml-4.1") }); err != nil {
		t.Fatal(err)
	}
	if after := must(os.Stat(f.Path))(t); !os.SameFile(before, after) {
		t.Error("the file was written anew")
	}
}

func TestPassedStaysPassed(t *testing.T) {
	p := New()
	pass(p)
	r := p.Exercise("prml-4.25")
	r.Answer.Begin(3)
	if r.State() != Passed || r.Answer.Last.String() != "not finished" {
		t.Errorf("while the next try goes on: %s, %s", r.State(), r.Answer.Last)
	}
	r.Answer.Finish(1, 3, false)
	if r.State() != Passed || r.Answer.Last.String() != "1 of 3 right" || r.Answer.Tries != 2 {
		t.Errorf("after a wrong try: %s, %s, %d tries", r.State(), r.Answer.Last, r.Answer.Tries)
	}
}

func TestStates(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    Record
		want State
	}{
		{"nothing", Record{}, NotBegun},
		{"hints alone", Record{Hints: []int{1}}, NotBegun},
		{"steps alone", Record{Steps: &Attempts{Tries: 1}}, NotBegun},
		{"offered", Record{Offered: true}, NotBegun},
		{"tried", Record{Answer: Attempts{Tries: 1}}, Tried},
		{"revealed", Record{Answer: Attempts{Tries: 1}, Revealed: true}, Revealed},
		{"passed after that", Record{Answer: Attempts{Tries: 2, Passed: true}, Revealed: true}, Passed},
	} {
		if got := tt.r.State(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A try that was none leaves the file as it would be without it.
func TestWithdraw(t *testing.T) {
	f, _ := file(t)
	for _, change := range []func(p *Progress){
		func(p *Progress) { p.Exercise("prml-4.1").Answer.Begin(2) },
		func(p *Progress) { p.Exercise("prml-4.1").Answer.Withdraw(nil) },
	} {
		if _, err := f.Update(change); err != nil {
			t.Fatal(err)
		}
	}
	if p := must(f.Read())(t); len(p.Exercises) != 0 {
		t.Errorf("left is %s", get(t, f.Path))
	}
	a := Attempts{}
	a.Withdraw(nil) // another notebook withdrew first
	if a.Tries != 0 {
		t.Errorf("%d tries", a.Tries)
	}
}

var damaged = map[string]string{
	"cut short":       passed[:len(passed)/2],
	"empty":           "",
	"blank":           "\n",
	"no JSON":         "<html>",
	"two texts":       passed + passed,
	"null":            "null",
	"empty object":    "{}",
	"a list":          "[1]",
	"a number":        `{"schema": "hyperplane-progress/1", "exercises": 3}`,
	"tries of words":  `{"schema": "hyperplane-progress/1", "exercises": {"prml-4.1": {"answer": {"tries": "two"}}}}`,
	"record of words": `{"schema": "hyperplane-progress/1", "exercises": {"prml-4.1": "passed"}}`,
}

func TestBrokenFileIsKeptAside(t *testing.T) {
	for name, text := range damaged {
		t.Run(name, func(t *testing.T) {
			f, dir := file(t)
			put(t, f.Path, text)
			put(t, f.Path+".broken", "an earlier one")
			if _, err := f.Read(); err == nil || !strings.Contains(err.Error(), "is broken") || strings.Contains(err.Error(), "\n") {
				t.Errorf("Read: %v, want one line that says it is broken", err)
			}
			if got := get(t, f.Path); got != text {
				t.Errorf("Read left %q", got)
			}
			note, err := f.Update(pass)
			if err != nil || !strings.Contains(note, "kept as progress.json.broken-2") || strings.Contains(note, "\n") {
				t.Errorf("Update: %q, %v; want a line that says where it is", note, err)
			}
			if got := get(t, f.Path+".broken-2"); got != text {
				t.Errorf("kept aside is %q", got)
			}
			if got := get(t, f.Path+".broken"); got != "an earlier one" {
				t.Errorf("the earlier one is %q", got)
			}
			if must(f.Read())(t).Peek("prml-4.25").State() != Passed {
				t.Errorf("the new file holds %s", get(t, f.Path))
			}
			if n := names(t, dir); len(n) != 3 {
				t.Errorf("left are %q", n)
			}
		})
	}
}

// Files that are whole, but not ours to change, stay where and as they are.
func TestStrangersStay(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"another program's":    {`{"done": 3}`, "another program's"},
		"another schema":       {`{"schema": 7}`, "another program's"},
		"of a newer version":   {`{"schema": "hyperplane-progress/2", "exercises": []}`, "update the toolkit"},
		"of a version unknown": {`{"schema": "hyperplane-progress/"}`, "update the toolkit"},
		"with a field more":    {`{"schema": "hyperplane-progress/1", "pace": 2, "exercises": {}}`, `the field "pace"`}, // which writing would lose
		"with one far inside":  {`{"schema": "hyperplane-progress/1", "exercises": {"prml-4.1": {"answer": {"last": {"pace": 3}}}}}`, "update the toolkit"},
	} {
		t.Run(name, func(t *testing.T) {
			f, dir := file(t)
			put(t, f.Path, tt.text)
			_, readErr := f.Read()
			_, err := f.Update(pass)
			for _, err := range []error{readErr, err} {
				if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), Variable) {
					t.Errorf("error %v, want one line with %q and the remedy", err, tt.want)
				}
			}
			if n := names(t, dir); get(t, f.Path) != tt.text || len(n) != 1 {
				t.Errorf("left are %q with %q", n, get(t, f.Path))
			}
		})
	}
}

func TestCannotBeWritten(t *testing.T) {
	readOnly := filepath.Join(t.TempDir(), "read-only")
	if err := os.Mkdir(readOnly, 0o555); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), Name)
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(folder, "mine"), "x")
	inFile := filepath.Join(t.TempDir(), "file")
	put(t, inFile, "x")
	for name, tt := range map[string]struct {
		path, want string
		here       bool // it can be tested
	}{
		"read-only folder":         {filepath.Join(readOnly, Name), "permission denied", os.Getuid() != 0}, // root may write there
		"the kernel's folder":      {"/proc/self/" + Name, "cannot be written", runtime.GOOS == "linux"},   // not even root may
		"a folder in its place":    {folder, "is no file but a folder", true},
		"a device in its place":    {os.DevNull, "is no file but a device", true},
		"a file in place of a dir": {filepath.Join(inFile, Name), "cannot be", true},
	} {
		t.Run(name, func(t *testing.T) {
			if !tt.here {
				t.Skip("root may write there, and other systems have no such folder")
			}
			_, err := File{tt.path}.Update(pass)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), tt.path) {
				t.Errorf("error %v, want one line about %s with %q", err, tt.path, tt.want)
			}
		})
	}
	if got := get(t, filepath.Join(folder, "mine")); got != "x" {
		t.Errorf("in the folder: %q", got)
	}
}

// A link stays one, also to a broken file, and one in a circle; what it leads to
// is written.
func TestLink(t *testing.T) {
	f, dir := file(t)
	mine := File{filepath.Join(dir, "elsewhere", "mine.json")}
	put(t, mine.Path, passed[:50])
	link := func(to, at string) {
		if err := os.Symlink(to, at); err != nil {
			t.Skip("no links here:", err)
		}
	}
	link(mine.Path, f.Path)
	if note, err := f.Update(pass); err != nil || !strings.Contains(note, "mine.json.broken") {
		t.Fatal(note, err)
	}
	if must(mine.Read())(t).Peek("prml-4.25").State() != Passed {
		t.Error("what it leads to was not written")
	}
	circle := File{filepath.Join(dir, "circle")}
	link("circle", circle.Path)
	if _, err := circle.Update(pass); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line", err)
	}
	for _, at := range []string{f.Path, circle.Path} {
		if info := must(os.Lstat(at))(t); info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link %s was replaced", at)
		}
	}
}

// While another program holds the lock nothing is written, and the wait ends.
func TestHeldLock(t *testing.T) {
	f, dir := file(t)
	lock := filepath.Join(dir, "."+Name+".lock")
	release := must(acquire(lock))(t)
	defer func(usual time.Duration) { patience = usual }(patience)
	patience = 10 * time.Millisecond
	if _, err := f.Update(pass); err == nil || !strings.Contains(err.Error(), errHeld.Error()) || len(names(t, dir)) != 0 {
		t.Errorf("the second gets %v and leaves %q", err, names(t, dir))
	}
	release()
	if _, err := f.Update(pass); err != nil {
		t.Error(err)
	}
}

const writerVariable = "PROGRESS_TEST_WRITER"

// TestWriter is not a test: it is another notebook, run by TestManyWriters.
func TestWriter(t *testing.T) {
	path := os.Getenv(writerVariable)
	if path == "" {
		t.Skip("only as a child of TestManyWriters")
	}
	patience = time.Minute
	for range 25 {
		if _, err := (File{path}).Update(func(p *Progress) { p.Exercise("prml-4.25").Answer.Begin(3) }); err != nil {
			t.Fatal(err)
		}
	}
}

// TestManyWriters: of several programs, each with several goroutines, no try is lost.
func TestManyWriters(t *testing.T) {
	f, dir := file(t)
	defer func(usual time.Duration) { patience = usual }(patience)
	patience = time.Minute // a busy machine loses no try either
	var children []*exec.Cmd
	for range 3 {
		c := exec.Command(os.Args[0], "-test.run", "^TestWriter$")
		c.Env = append(os.Environ(), writerVariable+"="+f.Path)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, c)
	}
	failed := make(chan error)
	for i := range 4 {
		go func() {
			var first error
			for range 10 {
				if _, err := f.Update(func(p *Progress) { p.Exercise(fmt.Sprintf("prml-4.%d", i)).Answer.Begin(1) }); err != nil && first == nil {
					first = err
				}
			}
			failed <- first
		}()
	}
	for range 4 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	for _, c := range children {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	p := must(f.Read())(t)
	if n := p.Peek("prml-4.25").Answer.Tries; n != 75 {
		t.Errorf("%d tries of the other programs, want 75", n)
	}
	for i := range 4 {
		if n := p.Peek(fmt.Sprintf("prml-4.%d", i)).Answer.Tries; n != 10 {
			t.Errorf("%d tries of goroutine %d, want 10", n, i)
		}
	}
	if got := names(t, dir); !slices.Equal(got, []string{Name}) {
		t.Errorf("left are %q", got)
	}
}

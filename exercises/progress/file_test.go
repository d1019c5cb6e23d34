package progress

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
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
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	return string(must(os.ReadFile(path))(t))
}

// requireFiles fails the test unless dir contains exactly these files. It ignores lock files.
func requireFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	var got []string
	for _, e := range must(os.ReadDir(dir))(t) {
		if !strings.HasSuffix(e.Name(), ".lock") {
			got = append(got, e.Name())
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the folder contains the files %q, want %q", got, want)
	}
}

// requireOneLine fails the test unless `err` is a single line that contains the given words. `err`
// may be an error or a note.
func requireOneLine(t *testing.T, err any, words ...string) {
	t.Helper()
	text := fmt.Sprint(err)
	for _, w := range words {
		if !strings.Contains(text, w) || strings.Contains(text, "\n") {
			t.Errorf("got %q, want one line that contains %q", text, w)
		}
	}
}

// newFile returns a progress file in a new folder. If `text` is given, the file exists and contains
// this text.
func newFile(t *testing.T, text ...string) (f File, dir string) {
	t.Helper()
	dir = t.TempDir()
	f = File{filepath.Join(dir, Name)}
	for _, s := range text {
		put(t, f.Path, s)
	}
	return f, dir
}

// update calls Update, and fails the test if Update returns an error or a note.
func (f File) update(t *testing.T, change func(*Progress)) {
	t.Helper()
	if note := must(f.Update(change))(t); note != "" {
		t.Error(note)
	}
}

func pass(p *Progress) {
	a := &p.Exercise("prml-4.25").Answer
	a.Begin(3)
	a.Finish(3, 3, true)
}

func TestMain(m *testing.M) {
	today = func() string { return "2026-11-24" } // the date that is recorded for every pass in these tests
	os.Exit(m.Run())
}

const passed = `{
  "schema": "hyperplane-progress/2",
  "exercises": {
    "prml-4.25": {
      "answer": {
        "passed": true,
        "tries": 1,
        "last": {
          "right": 3,
          "parts": 3,
          "finished": true
        },
        "passed_after": 1,
        "passed_on": "2026-11-24"
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
	f, dir := newFile(t)
	if p := must(f.Read())(t); len(p.Exercises) != 0 {
		t.Fatalf("Read returned the exercises %v for a missing file, want an empty map", p.Exercises)
	}
	requireFiles(t, dir)
	f.update(t, func(p *Progress) {
		pass(p)
		for _, n := range []int{3, 1, 3} {
			p.Exercise("prml-4.25").SawHint(n)
		}
	})
	if got := get(t, f.Path); got != passed {
		t.Errorf("the file contains\n%s\nwant\n%s", got, passed)
	}
	r := must(f.Read())(t).Peek("prml-4.25")
	if r.State() != Passed || r.Answer.Tries != 1 || r.Answer.Last.String() != "3 of 3 right" ||
		!slices.Equal(r.Hints, []int{1, 3}) || !slices.Equal(r.Unseen(4), []int{2, 4}) {
		t.Errorf("got the record %+v, want one try, passed with 3 of 3 right, the hints 1 and 3 seen, and the hints 2 and 4 unseen", r)
	}
	// Update must not write the file if its contents stay the same. The empty record that this call
	// adds does not count, because Update does not write empty records.
	before := must(os.Stat(f.Path))(t)
	f.update(t, func(p *Progress) { p.Exercise("prml-4.1") })
	if after := must(os.Stat(f.Path))(t); !os.SameFile(before, after) {
		t.Error("Update wrote the file although the contents had not changed, want the file untouched")
	}
}

// TestSchema1 checks that Read returns the records of a schema 1 file as records for seed 0, and
// does not change the file. Update must write the file as schema 2.
func TestSchema1(t *testing.T) {
	old := strings.NewReplacer("progress/2", "progress/1", ",\n        \"passed_after\": 1", "",
		",\n        \"passed_on\": \"2026-11-24\"", "").Replace(passed)
	f, _ := newFile(t, old)
	if r := must(f.Read())(t).Peek("prml-4.25"); r.State() != Passed || r.Answer.Tries != 1 || get(t, f.Path) != old {
		t.Errorf("after Read: got the record %+v and the file %s, want one passed try and the file unchanged", r, get(t, f.Path))
	}
	f.update(t, func(p *Progress) { p.Exercise(Key("prml-4.25", 7)).Answer.Begin(3) })
	if got := get(t, f.Path); !strings.Contains(got, `"schema": "hyperplane-progress/2"`) {
		t.Errorf("want a file of schema 2, got %s", got)
	}
	p := must(f.Read())(t)
	if common, own := p.Peek("prml-4.25"), p.Peek("prml-4.25:7"); common.State() != Passed || own.State() != Tried ||
		own.Answer.Tries != 1 || len(p.Exercises) != 2 {
		t.Errorf("got the record %+v for seed 0 and %+v for seed 7, want a passed exercise, an exercise with one try, and no third record", common, own)
	}
}

// TestJoin checks that Join keeps all progress from both files, and that a second call of Join
// changes nothing.
func TestJoin(t *testing.T) {
	here, there := New(), New()
	a, b := here.Exercise("prml-4.1"), there.Exercise("prml-4.1")
	for range 3 {
		a.Answer.Begin(2)
	}
	a.Revealed = true
	a.SawHint(2)
	b.Answer.Begin(2)
	b.Answer.Finish(2, 2, true)
	b.Steps = &Attempts{Tries: 1}
	b.SawHint(1)
	pass(there)
	here.Join(there)
	here.Join(there)
	r := here.Peek("prml-4.1")
	if r.State() != Passed || r.Answer.Tries != 3 || r.Answer.Last.Finished || r.Answer.PassedAfter != 1 ||
		r.Answer.PassedOn != "2026-11-24" || !r.Revealed || r.Steps.Tries != 1 || !slices.Equal(r.Hints, []int{1, 2}) ||
		here.Peek("prml-4.25").State() != Passed {
		t.Errorf("for an exercise in both files, Join gives the record %+v with the steps %+v, want passed after 1 try on 2026-11-24, 3 tries with an unfinished last try, revealed, 1 try at the steps, hints 1 and 2; "+
			"for an exercise in only the other file, Join gives the record %+v, want passed", r, r.Steps, here.Peek("prml-4.25"))
	}
}

func TestKeys(t *testing.T) {
	for key, want := range map[string]struct {
		id   string
		seed uint64
	}{"prml-4.25": {"prml-4.25", 0}, "lesson-4:12": {"lesson-4", 12}, "prml-4.1:x": {"prml-4.1:x", 0},
		"prml-4.1:07": {"prml-4.1:07", 0}, "prml-4.1:": {"prml-4.1:", 0}} {
		if id, seed := ParseKey(key); id != want.id || seed != want.seed || Key(id, seed) != key {
			t.Errorf("ParseKey(%[1]s) = %[2]s, %[3]d, want %[5]s, %[6]d; Key of the result = %[4]s, want %[1]s", key, id, seed, Key(id, seed), want.id, want.seed)
		}
	}
}

// TestDue checks that Due lists the exercises whose latest pass, with any seed, was more than two weeks
// ago. It also checks that unusedSeed skips the seeds that have a record.
func TestDue(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	p := New()
	for key, date := range map[string]string{"prml-4.1": "2026-11-09", "prml-4.2": "2026-11-10", "prml-4.3": "2026-10-01",
		"prml-4.3:7": "2026-11-20", "prml-4.4:3": "2025-01-01", "prml-4.5": ""} {
		p.Exercise(key).Answer = Attempts{Passed: true, PassedOn: date}
	}
	p.Exercise("prml-4.4:1").Answer.Begin(1)
	if got := strings.Join(p.Due(now), " "); got != "prml-4.1 prml-4.2 prml-4.4" {
		t.Errorf("Due returned %s, want prml-4.1 prml-4.2 prml-4.4", got)
	}
	if got := p.Due(now.Add(-12 * time.Hour)); len(got) != 2 {
		t.Errorf("exactly two weeks after the pass of prml-4.2, Due returned %v, want two exercises: prml-4.1 and prml-4.4, but not prml-4.2", got)
	}
	if a, b := p.unusedSeed("prml-4.4"), p.unusedSeed("prml-4.1"); a != 2 || b != 1 {
		t.Errorf("got the unused seeds %d for prml-4.4 and %d for prml-4.1, want 2 and 1", a, b)
	}
}

// TestEarlierTries checks how many earlier tries the record keeps besides the last try, and which of
// them remain after a try is withdrawn. It also checks what the record says about passes.
func TestEarlierTries(t *testing.T) {
	var a Attempts
	try := func(key string, right int) {
		a.Begin(2)
		a.Finish(right, 2, right == 2)
		a.Last.Wrong = map[int]string{}
		if right < 2 {
			a.Last.Wrong[2] = key
		}
	}
	for range maxEarlier + 3 {
		try("sign", 1)
	}
	if n := a.Times("sign"); n != maxEarlier+1 || len(a.Earlier) != maxEarlier {
		t.Errorf("got %d recorded tries with the mistake and %d earlier tries, want %d and %d", n, len(a.Earlier), maxEarlier+1, maxEarlier)
	}
	try("last", 0)
	before := a.Last
	a.Begin(2)
	a.Withdraw(before)
	a.Withdraw(before) // a second notebook withdraws the same try
	if a.Last != before || len(a.Earlier) != maxEarlier-1 {
		t.Errorf("after a withdrawn try: got the last try %+v and %d earlier tries, want %+v and %d", a.Last, len(a.Earlier), before, maxEarlier-1)
	}
	tries := a.Tries
	try("", 2)
	try("scale", 1)
	try("", 2)
	if a.PassedAfter != tries+1 || a.PassedOn != "2026-11-24" || a.Times("scale") != 1 {
		t.Errorf("got the record %+v and %d tries with the mistake scale; want PassedAfter %d, which counts the tries up to the first pass, PassedOn 2026-11-24, and 1 try with the mistake", a, a.Times("scale"), tries+1)
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
		{"revealed and passed", Record{Answer: Attempts{Tries: 2, Passed: true}, Revealed: true}, Passed},
	} {
		if got := tt.r.State(); got != tt.want {
			t.Errorf("%s: got the state %s, want %s", tt.name, got, tt.want)
		}
	}
	p := New()
	pass(p)
	r := p.Exercise("prml-4.25")
	r.Answer.Begin(3)
	if r.State() != Passed || r.Answer.Last.String() != "not finished" {
		t.Errorf("while the next try is judged: got the state %s and the last try %s, want passed and not finished", r.State(), r.Answer.Last)
	}
	r.Answer.Finish(1, 3, false)
	if r.State() != Passed || r.Answer.Last.String() != "1 of 3 right" || r.Answer.Tries != 2 {
		t.Errorf("after a wrong try: got the state %s, the last try %q and %d tries; want the state passed, the last try \"1 of 3 right\" and 2 tries",
			r.State(), r.Answer.Last, r.Answer.Tries)
	}
	// Withdrawing a try must leave the file as it was before the try, even if a second notebook
	// withdraws the same try.
	f, _ := newFile(t)
	f.update(t, func(p *Progress) { p.Exercise("prml-4.1").Answer.Begin(2) })
	for range 2 {
		f.update(t, func(p *Progress) { p.Exercise("prml-4.1").Answer.Withdraw(nil) })
		if p := must(f.Read())(t); len(p.Exercises) != 0 {
			t.Errorf("want a file without records, got %s", get(t, f.Path))
		}
	}
}

var damaged = map[string]string{
	"cut short":             passed[:len(passed)/2],
	"empty":                 "",
	"blank":                 "\n",
	"no JSON":               "<html>",
	"two texts":             passed + passed,
	"null":                  "null",
	"empty object":          "{}",
	"a list":                "[1]",
	"exercises as a number": `{"schema": "hyperplane-progress/1", "exercises": 3}`,
	"tries as text":         `{"schema": "hyperplane-progress/1", "exercises": {"prml-4.1": {"answer": {"tries": "two"}}}}`,
	"record as text":        `{"schema": "hyperplane-progress/1", "exercises": {"prml-4.1": "passed"}}`,
}

func TestBrokenFileIsKeptAside(t *testing.T) {
	for name, text := range damaged {
		t.Run(name, func(t *testing.T) {
			f, dir := newFile(t, text)
			put(t, f.Path+".broken", "an earlier one")
			_, err := f.Read()
			requireOneLine(t, err, "is broken")
			if got := get(t, f.Path); got != text {
				t.Errorf("after Read the file contains %q, want the damaged text", got)
			}
			requireOneLine(t, must(f.Update(pass))(t), "renamed to progress.json.broken-2")
			if late, early := get(t, f.Path+".broken-2"), get(t, f.Path+".broken"); late != text || early != "an earlier one" {
				t.Errorf("the renamed files contain %q and %q, want the damaged text and the text of the earlier file", late, early)
			}
			if must(f.Read())(t).Peek("prml-4.25").State() != Passed {
				t.Errorf("want a new file that records the pass, got %s", get(t, f.Path))
			}
			requireFiles(t, dir, Name, Name+".broken", Name+".broken-2")
		})
	}
}

// TestStrangersStay checks that Update neither changes nor renames a file that is intact but
// belongs to a different program or a different version of the toolkit.
func TestStrangersStay(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"another program's":           {`{"done": 3}`, "another program"},
		"another schema":              {`{"schema": 7}`, "another program"},
		"of a newer version":          {`{"schema": "hyperplane-progress/3", "exercises": []}`, "update the toolkit"},
		"of an unknown version":       {`{"schema": "hyperplane-progress/"}`, "update the toolkit"},
		"with an unknown field":       {`{"schema": "hyperplane-progress/1", "pace": 2, "exercises": {}}`, `the field "pace"`}, // Update must fail: it would lose the unknown field
		"with a nested unknown field": {`{"schema": "hyperplane-progress/1", "exercises": {"prml-4.1": {"answer": {"last": {"pace": 3}}}}}`, "update the toolkit"},
	} {
		t.Run(name, func(t *testing.T) {
			f, dir := newFile(t, tt.text)
			_, readErr := f.Read()
			_, err := f.Update(pass)
			requireOneLine(t, readErr, tt.want, Variable)
			requireOneLine(t, err, tt.want, Variable)
			requireFiles(t, dir, Name)
			if got := get(t, f.Path); got != tt.text {
				t.Errorf("the file contains %q, want it unchanged", got)
			}
		})
	}
}

func TestCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	readOnly, folder, inFile := filepath.Join(dir, "read-only"), filepath.Join(dir, Name), filepath.Join(dir, "file")
	if err := os.Mkdir(readOnly, 0o555); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(folder, "mine"), "x")
	put(t, inFile, "x")
	for name, tt := range map[string]struct {
		path, want string
		here       bool // whether the test case is possible on this system
	}{
		// root can write to a read-only folder
		"read-only folder": {filepath.Join(readOnly, Name), "permission denied", os.Getuid() != 0},
		// no user, not even root, can create a file in this folder
		"the kernel's folder":           {"/proc/self/" + Name, "cannot be written", runtime.GOOS == "linux"},
		"a folder in place of the file": {folder, "is a folder, not a file", true},
		"a device in place of the file": {os.DevNull, "is a device", true},
		"a file in place of a dir":      {filepath.Join(inFile, Name), "cannot be", true},
	} {
		t.Run(name, func(t *testing.T) {
			if !tt.here {
				t.Skip("root may write to a read-only folder, and only Linux has /proc")
			}
			_, err := File{tt.path}.Update(pass)
			requireOneLine(t, err, tt.path, tt.want)
		})
	}
	if got := get(t, filepath.Join(folder, "mine")); got != "x" {
		t.Errorf("the existing file in the folder contains %q, want \"x\"", got)
	}
}

// TestLink checks that Update writes the target of a link and keeps the link. In one case the target
// is a broken file. In the other case the link points to itself, so Update must return an error.
func TestLink(t *testing.T) {
	f, dir := newFile(t)
	mine := File{filepath.Join(dir, "elsewhere", "mine.json")}
	put(t, mine.Path, passed[:50])
	link := func(to, at string) {
		if err := os.Symlink(to, at); err != nil {
			t.Skip("this system cannot make links:", err)
		}
	}
	link(mine.Path, f.Path)
	requireOneLine(t, must(f.Update(pass))(t), "mine.json.broken")
	if must(mine.Read())(t).Peek("prml-4.25").State() != Passed {
		t.Error("Update did not record the pass in the target of the link")
	}
	circle := File{filepath.Join(dir, "circle")}
	link("circle", circle.Path)
	_, err := circle.Update(pass)
	requireOneLine(t, err, "circle")
	for _, at := range []string{f.Path, circle.Path} {
		if info := must(os.Lstat(at))(t); info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("Update replaced the link %s with a file, want the link kept", at)
		}
	}
}

// TestHeldLock checks that Update writes nothing and returns an error if the lock is held for longer
// than lockWait.
func TestHeldLock(t *testing.T) {
	f, dir := newFile(t)
	lock := filepath.Join(dir, "."+Name+".lock")
	release := must(Lock(lock, 0))(t)
	defer func(usual time.Duration) { lockWait = usual }(lockWait)
	lockWait = 10 * time.Millisecond
	_, err := f.Update(pass)
	requireOneLine(t, err, errHeld.Error())
	requireFiles(t, dir)
	release()
	f.update(t, pass)
}

const writerVariable = "PROGRESS_TEST_WRITER"

// TestManyWriters checks that no try is lost if several programs write the same file at the same
// time: the test itself, which writes from four goroutines, and three programs that it starts.
func TestManyWriters(t *testing.T) {
	defer func(usual time.Duration) { lockWait = usual }(lockWait)
	lockWait = time.Minute // on a busy machine a writer may wait a long time for the lock
	begin := func(f File, id string, tries int) error {
		var errs []error
		for range tries {
			_, err := f.Update(func(p *Progress) { p.Exercise(id).Answer.Begin(3) })
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	}
	if path := os.Getenv(writerVariable); path != "" { // true in the programs that the test starts
		if err := begin(File{path}, "prml-4.25", 25); err != nil {
			t.Fatal(err)
		}
		return
	}
	f, dir := newFile(t)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			if err := begin(f, fmt.Sprintf("prml-4.%d", i), 10); err != nil {
				t.Error(err)
			}
		})
	}
	for range 3 {
		all.Go(func() {
			c := exec.Command(os.Args[0], "-test.run", "^TestManyWriters$")
			c.Env = append(os.Environ(), writerVariable+"="+f.Path)
			if text, err := c.CombinedOutput(); err != nil {
				t.Errorf("a process that writes to the file fails with %v: %s", err, text)
			}
		})
	}
	all.Wait()
	p := must(f.Read())(t)
	for id, want := range map[string]int{"prml-4.25": 75, "prml-4.0": 10, "prml-4.1": 10, "prml-4.2": 10,
		"prml-4.3": 10} {
		if n := p.Peek(id).Answer.Tries; n != want {
			t.Errorf("got %d recorded tries at the exercise %s, want %d", n, id, want)
		}
	}
	requireFiles(t, dir, Name)
}

// FuzzParse checks that, for any text, parse returns either a Progress or a one-line error. It
// then writes the Progress as text, parses this text, and writes the result again. The two written
// texts must be equal.
func FuzzParse(f *testing.F) {
	f.Add(passed)
	for _, text := range damaged {
		f.Add(text)
	}
	f.Add(`{"schema": "hyperplane-progress/1", "Schema": "\u2028", "exercises": {"a": {"steps": {"tries": 1}}, "b": null, "": {}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parse([]byte(text))
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("the error has more than one line: %v", err)
			}
			return
		}
		first, err := p.text()
		if err != nil {
			t.Fatal(err)
		}
		again, err := parse(first)
		if err != nil {
			t.Fatalf("parse rejects the text that the toolkit wrote, with the error %v:\n%s", err, first)
		}
		second, err := again.text()
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("the text changes when it is parsed and written again (error %v):\n%s\n%s", err, first, second)
		}
	})
}

// TestFind checks that Find searches the notebook's folder and every folder above it, except shared
// folders. If the environment variable is set, Find must return the path in the variable.
func TestFind(t *testing.T) {
	t.Setenv(Variable, "")
	const ours = `{"schema": "hyperplane-progress/1"`
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"nothing", nil, "work/ch4/" + Name},
		{"beside", map[string]string{"work/ch4/" + Name: ours}, "work/ch4/" + Name},
		{"above", map[string]string{"work/" + Name: ours}, "work/" + Name},
		{"above, cut short", map[string]string{"work/" + Name: ours[:33]}, "work/" + Name},
		{"notebooks written above", map[string]string{"work/" + rootMark: "{}"}, "work/" + Name},
		{"notebooks written far above", map[string]string{rootMark: "{}"}, Name},
		{"the nearest", map[string]string{rootMark: "{}", "work/" + Name: ours}, "work/" + Name},
		{"another program's file above", map[string]string{"work/" + Name: `{"done": 3}`, rootMark: "{}"}, Name},
		{"another program's file above, and no other", map[string]string{"work/" + Name: "broken"}, "work/ch4/" + Name},
		{"broken beside", map[string]string{"work/ch4/" + Name: "broken"}, "work/ch4/" + Name},
		{"a folder above", map[string]string{"work/" + Name + "/x": ours}, "work/ch4/" + Name},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := must(filepath.EvalSymlinks(t.TempDir()))(t)
			at := filepath.Join(dir, "work", "ch4")
			put(t, filepath.Join(at, "notebook"), "")
			for name, text := range tt.files {
				put(t, filepath.Join(dir, filepath.FromSlash(name)), text)
			}
			t.Chdir(at)
			if got, want := Find(".").Path, filepath.Join(dir, filepath.FromSlash(tt.want)); got != want {
				t.Errorf("Find returned %s, want %s", got, want)
			}
		})
	}
	t.Run("above, in a shared folder", func(t *testing.T) {
		dir := must(filepath.EvalSymlinks(t.TempDir()))(t)
		put(t, filepath.Join(dir, Name), ours)
		put(t, filepath.Join(dir, "work", "notebook"), "")
		for _, tt := range []struct {
			mode os.FileMode
			want string
		}{{0o777, Name}, {0o777 | os.ModeSticky, filepath.Join("work", Name)}} {
			if err := os.Chmod(dir, tt.mode); err != nil {
				t.Fatal(err)
			}
			if got, want := Find(filepath.Join(dir, "work")).Path, filepath.Join(dir, tt.want); got != want {
				t.Errorf("for a folder of mode %v Find returned %s, want %s", tt.mode, got, want)
			}
		}
	})
	t.Setenv(Variable, "/elsewhere/mine.json")
	if got := Find(t.TempDir()).Path; got != "/elsewhere/mine.json" {
		t.Errorf("with the environment variable, Find returned %s, want the path in the variable", got)
	}
}

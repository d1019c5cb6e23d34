package exercises

import (
	"embed"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// recording reports whether the learner's progress is recorded. A test replaces it.
var recording = func() bool { return gonbui.IsNotebook && !headless() }

// key names the record of the exercise in this program's variant.
func (e *Exercise) key() string { return progress.Key(e.ID, seed.Get()) }

// keep changes the record of the exercise and reports whether it was written to disk. It tells the
// learner in one line if it was not, or if a broken file was renamed. Nothing is recorded outside a
// notebook or by a runner.
func (e *Exercise) keep(change func(*progress.Record)) bool {
	if !recording() {
		return false
	}
	note, err := here().Update(func(p *progress.Progress) { change(p.Exercise(e.key())) })
	if note != "" {
		tell(note + ".")
	}
	if err != nil {
		tell("Your progress is not recorded: " + err.Error() + ".")
	}
	return err == nil
}

// here returns the progress file of this notebook: GoNB runs a cell in the notebook's folder.
func here() progress.File { return progress.Find(".") }

// told holds the lines that this cell has shown, so that the same error before and after judging is
// shown only once.
var told sync.Map

func tell(line string) {
	if _, again := told.LoadOrStore(line, true); !again {
		display(line)
	}
}

// toAnswer and toSteps select the attempts at one of an exercise's two checks.
func toAnswer(r *progress.Record) *progress.Attempts { return &r.Answer }

func toSteps(r *progress.Record) *progress.Attempts {
	if r.Steps == nil {
		r.Steps = &progress.Attempts{}
	}
	return r.Steps
}

// A try is a check in progress.
type try struct {
	exercise *Exercise
	of       func(*progress.Record) *progress.Attempts
	begun    bool          // it was recorded as begun
	before   *progress.Try // the previous try
}

// begin records a try before it is judged: the learner's code may end the program.
func (e *Exercise) begin(of func(*progress.Record) *progress.Attempts, parts int) *try {
	t := &try{exercise: e, of: of}
	t.begun = e.keep(func(r *progress.Record) {
		a := of(r)
		t.before = a.Last
		a.Begin(parts)
	})
	return t
}

// end records the result of the try and reports whether the try counts: one that only met the stub
// does not. If the try repeats a mistake, end tells the learner.
func (t *try) end(r *verify.Report) (counts bool) {
	none := len(r.Parts) > 0 && r.Count(verify.NotAttempted) == len(r.Parts)
	if none && !t.begun {
		return false
	}
	repeated := ""
	t.exercise.keep(func(rec *progress.Record) {
		a := t.of(rec)
		if none {
			a.Withdraw(t.before)
			return
		}
		if !t.begun {
			a.Begin(len(r.Parts))
		}
		a.Finish(r.Count(verify.Right), len(r.Parts), r.Passed())
		a.Last.Wrong = mistakes(r)
		repeated = t.exercise.again(rec, a, r)
	})
	if repeated != "" {
		display(repeated)
	}
	return !none
}

// texts are the exercises' own files: this package must not import theirs, and a
// list of ids and titles beside them would have to be kept equal.
//
//go:embed lessons/*/exercise.md prml4/*/exercise.md alpaydin10/*/exercise.md
var texts embed.FS

// Progress shows in a notebook which exercises are passed, tried, revealed and not begun, and
// returns the table as plain text. It covers all exercises, or only those with the given ids;
// unknown ids are ignored.
//
// It shows the contents of the file progress.json in the folder that your notebooks were installed
// in, or else beside the notebook. The environment variable HYPERPLANE_PROGRESS names a different
// file. When a notebook runs unattended (HYPERPLANE_HEADLESS=1), all exercises are shown as not
// begun, so that the output is the same for everybody.
func Progress(ids ...string) string {
	list := Entries()
	if len(ids) > 0 {
		list = slices.DeleteFunc(list, func(e progress.Entry) bool { return !slices.Contains(ids, e.ID) })
	}
	t := progress.NewTable(list, progress.New(), "", "")
	if !headless() {
		f := here()
		f.Path = nearby(f.Path)
		t = f.Table(list)
	}
	text := t.String()
	showBoth(t.HTML(), text)
	return text
}

// Entries lists all exercises: the lessons' tasks, then the books in their order.
func Entries() []progress.Entry {
	var list []progress.Entry
	for _, book := range []string{"lessons", "prml4", "alpaydin10"} {
		names, _ := fs.Glob(texts, book+"/*/exercise.md") // the pattern is well-formed
		for _, name := range names {
			text, err := fs.ReadFile(texts, name)
			if err != nil {
				continue // cannot happen: it was just listed
			}
			if e, err := parse(name, string(text)); err == nil { // otherwise the catalogue's test fails; placeholders are never shown here
				list = append(list,
					progress.Entry{ID: e.ID, Title: e.Title, Hints: len(e.Hints),
						Dir: path.Join("exercises", path.Dir(name))})
			}
		}
	}
	return list
}

// nearby returns the path relative to the notebook if that is shorter.
func nearby(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && strings.Count(rel, "..") <= 3 {
		return rel
	}
	return path
}

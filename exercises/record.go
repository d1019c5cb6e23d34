package exercises

import (
	"embed"
	"fmt"
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

// isRecording reports whether the learner's progress is recorded. Tests replace this function.
var isRecording = func() bool { return gonbui.IsNotebook && !headless() }

// key names the record of the exercise in this program's variant.
func (e *Exercise) key() string { return progress.Key(e.ID, seed.Get()) }

// saveRecord changes the record of the exercise and reports whether it was written to disk. If it was
// not, or if a broken file was renamed, it shows the learner one line. Nothing is recorded outside
// a notebook or by a runner.
func (e *Exercise) saveRecord(change func(*progress.Record)) bool {
	if !isRecording() {
		return false
	}
	note, err := notebookProgress().Update(func(p *progress.Progress) { change(p.Exercise(e.key())) })
	if note != "" {
		tell(note + ".")
	}
	if err != nil {
		tell("Your progress is not recorded: " + err.Error() + ".")
	}
	return err == nil
}

// notebookProgress returns the progress file of this notebook. GoNB runs a cell in the folder of the notebook.
func notebookProgress() progress.File { return progress.Find(".") }

// shownLines contains the lines that this cell has shown. A cell shows the same error only once, although
// it may occur both before and after judging.
var shownLines sync.Map

func tell(line string) {
	if _, again := shownLines.LoadOrStore(line, true); !again {
		display(line)
	}
}

// toAnswer and toSteps select the attempts at the Check or the CheckSteps of an exercise.
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
	begun    bool          // keep recorded the beginning of the try
	before   *progress.Try // the previous try
}

// begin records a try before it is judged, because the learner's code may end the program.
func (e *Exercise) begin(of func(*progress.Record) *progress.Attempts, parts int) *try {
	t := &try{exercise: e, of: of}
	t.begun = e.saveRecord(func(r *progress.Record) {
		a := of(r)
		t.before = a.Last
		a.Begin(parts)
	})
	return t
}

// end records the result of the try and reports whether the try counts; a try that only called the
// stub does not count. If the try repeats a mistake, end shows the learner a line.
func (t *try) end(r *verify.Report) (counts bool) {
	none := len(r.Parts) > 0 && r.Count(verify.NotAttempted) == len(r.Parts)
	if none && !t.begun {
		return false
	}
	repeated := ""
	t.exercise.saveRecord(func(rec *progress.Record) {
		a := t.of(rec)
		if none {
			a.Withdraw(t.before)
			return
		}
		if !t.begun {
			a.Begin(len(r.Parts))
		}
		a.Finish(r.Count(verify.Right), len(r.Parts), r.Passed())
		a.Last.Wrong = mistakeKeys(r)
		repeated = t.exercise.repeatedMistake(rec, a, r)
	})
	if repeated != "" {
		display(repeated)
	}
	return !none
}

// texts contains the exercise.md of every exercise. This package must not import the packages of
// the exercises, and a separate list of ids and titles could differ from the files.
//
//go:embed */*/exercise.md
var texts embed.FS

// Progress shows in a notebook which exercises are passed, tried, revealed and not begun, and
// returns the table as plain text. It covers all exercises, or only those with the given ids. It
// ignores unknown ids.
//
// Progress reads the file progress.json in the folder into which your notebooks were installed, or
// else beside the notebook. The environment variable HYPERPLANE_PROGRESS names a different file.
// When a notebook runs unattended (HYPERPLANE_HEADLESS=1), Progress shows all exercises as not
// begun, so that the output is the same for everybody.
func Progress(ids ...string) string {
	list := Entries()
	if len(ids) > 0 {
		list = slices.DeleteFunc(list, func(e progress.Entry) bool { return !slices.Contains(ids, e.ID) })
	}
	return showProgress(list)
}

// ProgressOf is like [Progress], but covers the given exercises, which may belong to any course.
func ProgressOf(list ...*Exercise) string {
	var entries []progress.Entry
	for _, e := range list {
		entries = append(entries, e.Entry())
	}
	return showProgress(entries)
}

func showProgress(list []progress.Entry) string {
	t := progress.NewTable(list, progress.New(), "", "")
	if !headless() {
		f := notebookProgress()
		f.Path = shortPath(f.Path)
		t = f.Table(list)
	}
	text := t.String()
	showBoth(t.HTML(), text)
	return text
}

// Entries returns all exercises: first the tasks of the lessons, then the exercises of each book in
// order.
func Entries() []progress.Entry {
	var list []progress.Entry
	books := Standard()
	for _, book := range books.all() {
		names, _ := fs.Glob(texts, book.Folder+"/*/exercise.md") // the pattern is well-formed
		for _, name := range names {
			text, err := fs.ReadFile(texts, name)
			if err != nil {
				continue // cannot happen, because Glob just listed the file
			}
			name = path.Join("exercises", name)
			if e, err := parse(books, name, string(text)); err == nil { // a text that does not parse fails a test of the catalogue; placeholders do not matter here
				e.source.Name = name
				list = append(list, e.Entry())
			}
		}
	}
	return list
}

// Entry returns the line of the exercise in a table of progress.
func (e *Exercise) Entry() progress.Entry {
	return progress.Entry{ID: e.ID, Title: e.Title, Hints: len(e.Hints), Dir: e.Dir(), Group: e.Book.Heading()}
}

// shortPath returns path relative to the notebook's folder if the relative path is short.
func shortPath(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && strings.Count(rel, "..") <= 3 {
		return rel
	}
	return path
}

// mistakeKeys maps the number of each part that is not right, from 1, to the key of its mistake.
func mistakeKeys(r *verify.Report) map[int]string {
	out := map[int]string{}
	for i, p := range r.Parts {
		if p.Outcome != verify.Right {
			out[i+1] = p.Key
		}
	}
	return out
}

// repeatedMistake returns a line for the learner if the last try of a repeats the mistake of an earlier try,
// and "" otherwise. The line names the hint that helps. From the third time on, it also lists the
// changes since the previous try. rec is the record that a belongs to.
func (e *Exercise) repeatedMistake(rec *progress.Record, a *progress.Attempts, r *verify.Report) string {
	for i, p := range r.Parts {
		times := a.Times(p.Key)
		if p.Outcome != verify.Wrong || p.Key == "" || times < 2 {
			continue
		}
		text := fmt.Sprintf("Your answer had the mistake of part %d in %d of your last %d tries.", i+1, times,
			len(a.Earlier)+1) + e.hintAdvice(rec, p.Hint)
		if times > 2 {
			text += changedParts(a)
		}
		return text
	}
	return ""
}

// hintAdvice names the hint to read for a repeated mistake: the hint of the mistake or, if the learner
// has seen it, the next unseen hint.
func (e *Exercise) hintAdvice(rec *progress.Record, hint int) string {
	unseen := rec.Unseen(len(e.Hints))
	switch {
	case slices.Contains(unseen, hint):
		return fmt.Sprintf(" Read hint %d: %s.Hint(%d).", hint, e.packageName(), hint)
	case len(unseen) > 0:
		return fmt.Sprintf(" Read the next hint, number %d: %s.Hint(%d).", unseen[0], e.packageName(), unseen[0])
	case hint > 0:
		return fmt.Sprintf(" Read hint %d again: %s.Hint(%d).", hint, e.packageName(), hint)
	}
	return ""
}

// changedParts lists the parts that changed between the last two tries. It returns "" if the record does
// not contain them.
func changedParts(a *progress.Attempts) string {
	if len(a.Earlier) == 0 {
		return ""
	}
	before, now := a.Earlier[len(a.Earlier)-1], a.Last
	if !before.Finished || before.Parts != now.Parts || len(before.Wrong) != before.Parts-before.Right {
		return "" // the program ended, the check has changed, or the record is of schema 1
	}
	var right, wrong []int
	for i := 1; i <= now.Parts; i++ {
		_, was := before.Wrong[i]
		_, is := now.Wrong[i]
		switch {
		case was && !is:
			right = append(right, i)
		case is && !was:
			wrong = append(wrong, i)
		}
	}
	var changes []string
	for _, c := range []struct {
		parts []int
		into  string
	}{{right, "right"}, {wrong, "wrong"}} {
		switch len(c.parts) {
		case 0:
		case 1:
			changes = append(changes, fmt.Sprintf("part %d turned %s", c.parts[0], c.into))
		default:
			changes = append(changes, fmt.Sprintf("parts %s turned %s", progress.Series(c.parts), c.into))
		}
	}
	if len(changes) == 0 {
		return " Since the previous try, no part has changed: the same parts are right."
	}
	return " Since the previous try, " + strings.Join(changes, ", and ") + "."
}

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

// isRecording reports whether the learner's progress is recorded. Tests replace this variable.
var isRecording = func() bool { return gonbui.IsNotebook && !headless() }

// key returns the key of the exercise's progress record, for the seed of this program.
func (e *Exercise) key() string { return progress.Key(e.ID, seed.Get()) }

// saveRecord changes the progress record of the exercise and reports whether the record was written
// to disk. If the record cannot be written, or if a broken file was renamed, saveRecord shows the
// learner a line that says so. Outside a notebook, and when a notebook runs unattended, it records
// nothing.
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

// notebookProgress returns the progress file of this notebook. GoNB runs the code of a cell in the
// notebook's folder, so the search begins there.
func notebookProgress() progress.File { return progress.Find(".") }

// shownLines contains the lines about the progress file that this cell has shown. The same error may
// occur both before and after judging, but the cell must show it only once.
var shownLines sync.Map

func tell(line string) {
	if _, again := shownLines.LoadOrStore(line, true); !again {
		display(line)
	}
}

// toAnswer returns the part of a record that describes the tries at Check. toSteps returns the part
// that describes the tries at CheckSteps.
func toAnswer(r *progress.Record) *progress.Attempts { return &r.Answer }

func toSteps(r *progress.Record) *progress.Attempts {
	if r.Steps == nil {
		r.Steps = &progress.Attempts{}
	}
	return r.Steps
}

// A try is a check that has begun and not ended yet.
type try struct {
	exercise *Exercise
	attempts func(*progress.Record) *progress.Attempts
	begun    bool          // whether the progress file contains the beginning of the try
	before   *progress.Try // the previous try, or nil
}

// begin records the try before the answer is judged. A record after judging would come too late if
// the learner's code ends the program.
func (e *Exercise) begin(attempts func(*progress.Record) *progress.Attempts, parts int) *try {
	t := &try{exercise: e, attempts: attempts}
	t.begun = e.saveRecord(func(r *progress.Record) {
		a := attempts(r)
		t.before = a.Last
		a.Begin(parts)
	})
	return t
}

// end records the result of the try and reports whether the try counts. A try that only called
// unwritten stubs does not count. If the try repeats a mistake, end shows the learner a line about
// it.
func (t *try) end(r *verify.Report) (counts bool) {
	none := len(r.Parts) > 0 && r.Count(verify.NotAttempted) == len(r.Parts)
	if none && !t.begun {
		return false
	}
	repeated := ""
	t.exercise.saveRecord(func(rec *progress.Record) {
		a := t.attempts(rec)
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

// texts contains the exercise.md of every exercise. Entries reads ids and titles from these files,
// because this package must not import the packages of the exercises. A separate list could differ
// from the files.
//
//go:embed */*/exercise.md
var texts embed.FS

// Progress shows in a notebook which exercises are passed, tried, revealed or not begun, and
// returns the table as plain text. It covers all exercises, or only those with the given ids. It
// ignores unknown ids.
//
// Progress reads progress.json in the notebook's folder or in the nearest folder above it that
// contains this file, or into which `generate` wrote the notebooks. If there is no such folder,
// Progress uses the notebook's folder. If the environment variable HYPERPLANE_PROGRESS is set,
// Progress reads the file that the variable names. When a notebook runs unattended, for example with
// HYPERPLANE_HEADLESS=1, Progress shows all exercises as not begun, so that the output is the same
// for everybody.
func Progress(ids ...string) string {
	list := Entries()
	if len(ids) > 0 {
		list = slices.DeleteFunc(list, func(e progress.Entry) bool { return !slices.Contains(ids, e.ID) })
	}
	return showProgress(list)
}

// ProgressOf is like [Progress] for the given exercises, which may belong to any course.
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

// Entries returns an entry for every exercise whose text parses: first the tasks of the lessons, then
// the exercises of each book in the order of their numbers.
func Entries() []progress.Entry {
	var list []progress.Entry
	books := Standard()
	for _, book := range books.all() {
		names, _ := fs.Glob(texts, book.Folder+"/*/exercise.md") // the pattern has no syntax error, so Glob returns no error
		for _, name := range names {
			text, err := fs.ReadFile(texts, name)
			if err != nil {
				continue // cannot happen, because Glob has just listed this file
			}
			name = path.Join("exercises", name)
			// Entries skips a text that does not parse, because the catalogue's tests report it.
			if e, err := parse(books, name, string(text)); err == nil {
				e.source.Name = name
				list = append(list, e.Entry())
			}
		}
	}
	return list
}

// Entry returns the exercise as an entry of a progress table.
func (e *Exercise) Entry() progress.Entry {
	return progress.Entry{ID: e.ID, Title: e.Title, Hints: len(e.Hints), Dir: e.Dir(), Group: e.Book.Heading()}
}

// shortPath returns the path relative to the notebook's folder. If the relative path contains more
// than three "..", shortPath returns the path unchanged.
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

// mistakeKeys maps the number of each part that is not right to the key of the mistake in the part's
// verdict. The numbers begin at 1.
func mistakeKeys(r *verify.Report) map[int]string {
	out := map[int]string{}
	for i, p := range r.Parts {
		if p.Outcome != verify.Right {
			out[i+1] = p.Key
		}
	}
	return out
}

// repeatedMistake returns a line for the learner if the last try made a mistake that an earlier try
// also made, and "" otherwise. The line is about the first such mistake and contains the sentence of
// hintAdvice. From the third occurrence on, the line also contains the sentence of changedParts. The
// argument `a` is a part of the record `rec`.
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

// hintAdvice returns a sentence that names the hint to read after a repeated mistake. The argument
// `hint` is the number of the hint about this mistake. If the learner has already seen that hint,
// the sentence names the first unseen hint. If the learner has seen all hints, the sentence advises
// reading the hint about the mistake again. If no hint is about this mistake, `hint` is 0; hintAdvice
// then names the first unseen hint, or returns "" if the learner has seen all hints.
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

// changedParts returns a sentence about the parts that turned right or wrong between the last two
// tries. It returns "" if the results of these tries cannot be compared.
func changedParts(a *progress.Attempts) string {
	if len(a.Earlier) == 0 {
		return ""
	}
	before, now := a.Earlier[len(a.Earlier)-1], a.Last
	if !before.Finished || before.Parts != now.Parts || len(before.Wrong) != before.Parts-before.Right {
		// the results cannot be compared: the learner's code ended the program during the previous
		// try, the check has changed, or the record has schema 1 and lacks the wrong parts
		return ""
	}
	var right, wrong []int
	for i := 1; i <= now.Parts; i++ {
		_, wrongBefore := before.Wrong[i]
		_, wrongNow := now.Wrong[i]
		switch {
		case wrongBefore && !wrongNow:
			right = append(right, i)
		case wrongNow && !wrongBefore:
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
			changes = append(changes, fmt.Sprintf("part %d is now %s", c.parts[0], c.into))
		default:
			changes = append(changes, fmt.Sprintf("parts %s are now %s", progress.Series(c.parts), c.into))
		}
	}
	if len(changes) == 0 {
		return " Since the previous try, no part has changed: the same parts are right."
	}
	return " Since the previous try, " + strings.Join(changes, ", and ") + "."
}

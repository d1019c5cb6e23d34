package exercises

import (
	"sync"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// recording reports whether the learner's progress is recorded. A test replaces it.
var recording = func() bool { return gonbui.IsNotebook && !headless() }

// keep changes what is recorded of the exercise and reports whether it is on the
// disk. It tells the learner in one line when it is not, or when a broken file
// was put aside. Nothing is recorded outside a notebook, nor by a runner.
func (e *Exercise) keep(change func(*progress.Record)) bool {
	if !recording() {
		return false
	}
	note, err := here().Update(func(p *progress.Progress) { change(p.Exercise(e.ID)) })
	if note != "" {
		tell(note + ".")
	}
	if err != nil {
		tell("Your progress is not recorded: " + err.Error() + ".")
	}
	return err == nil
}

// here is the file for this notebook: GoNB runs a cell in the notebook's folder.
func here() progress.File { return progress.Find(".") }

// told are the lines that this cell has shown: a file that cannot be written is
// the same before and after judging.
var told sync.Map

func tell(line string) {
	if _, again := told.LoadOrStore(line, true); !again {
		display(line)
	}
}

// The checks that an exercise may have.
func toAnswer(r *progress.Record) *progress.Attempts { return &r.Answer }

func toSteps(r *progress.Record) *progress.Attempts {
	if r.Steps == nil {
		r.Steps = &progress.Attempts{}
	}
	return r.Steps
}

// A try is a check that goes on.
type try struct {
	exercise *Exercise
	of       func(*progress.Record) *progress.Attempts
	begun    bool          // it was recorded as begun
	before   *progress.Try // the last one before it
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

// end records how the try ended. One that met nothing but the stub was none.
func (t *try) end(r *verify.Report) {
	none := len(r.Parts) > 0 && r.Count(verify.NotAttempted) == len(r.Parts)
	if none && !t.begun {
		return
	}
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
	})
}

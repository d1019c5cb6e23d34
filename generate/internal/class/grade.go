package class

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/schollz/progressbar/v3"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Grader judges the submissions of a course.
type Grader struct {
	Course *Course
	Out    string // folder of the results
	Tool   string // version of the judge; stored in the Basis of each result
	Limits grading.Limits
	Jobs   int // number of submissions to judge at the same time
	Shard  Shard
	Log    io.Writer // Grade writes a line to Log for every finished submission, unless Watch is true
	Watch  bool      // true if Log is a terminal, which then shows a progress bar and a line for every finished learner

	Diagnosis time.Duration // time limit of the search for the mistake in one wrong answer; 0 disables the search

	Cost     grading.Cost  // combined cost of all calls of Judge; see Cost.Add
	Judged   int           // number of calls of Judge that returned an outcome
	Received []*Submission // submissions found by Grade

	counting sync.Mutex // protects Cost, Judged and unkept against simultaneous access
	unkept   bool       // true if writing a result has failed

	stop context.CancelCauseFunc // ends the current run of Grade

	// Load reads an exercise in the learner's variant. Judge judges an answer in a separate
	// process.
	Load  func(id string, l Learner) (*exercise.Exercise, error)
	Judge func(ctx context.Context, job *grading.Job) (*grading.Outcome, error)
}

// A FolderError reports that Grade could not list the submissions, or could not read the times in
// manifestFile. After this error the caller must not write grades, because every submission without a
// stored result would count as Missing.
type FolderError struct{ Err error }

func (e *FolderError) Error() string { return e.Err.Error() }
func (e *FolderError) Unwrap() error { return e.Err }

// Grade judges the submissions below dir that belong to g.Shard, and stores each result as soon as it
// is available. It skips a submission if a result for the submission's current Basis is already stored
// and is not Failed. If a submission ran out of time and was judged only once, Grade judges it once
// more while no other submission is judged. Grade returns a line for each result whose points or status
// differ from the result of an earlier run, and a line for each entry of dir that is not a submission.
//
// If some submissions could not be judged, Grade returns an error that lists these submissions. The
// results of all other submissions are valid. If the error is a [FolderError], Grade judged
// nothing. If the error is a [grading.Fault], Grade ended early and stored no results for the
// submissions that it was judging.
func (g *Grader) Grade(ctx context.Context, dir string) (changed, ungraded []string, err error) {
	ctx, g.stop = context.WithCancelCause(ctx)
	defer g.stop(nil)
	found, ungraded, err := Find(dir, g.Course)
	if err != nil {
		return nil, nil, &FolderError{err}
	}
	g.Received = found
	if err := g.Shard.begin(g.Out); err != nil {
		return nil, ungraded, err
	}
	var todo []*Submission
	for i, h := range found {
		if g.Shard.has(i) {
			todo = append(todo, h)
		}
	}
	b := newBar(g.Log, g.Watch, todo)
	before, after := make([]*Result, len(todo)), make([]*Result, len(todo))
	failures := make([]error, len(todo))
	again := make([]bool, len(todo))
	queue := make(chan int)
	var workers sync.WaitGroup
	for range max(1, min(g.Jobs, len(todo))) {
		workers.Go(func() {
			for i := range queue {
				before[i], after[i], again[i], failures[i] = g.judgeUnlessDone(ctx, todo[i], b, false)
			}
		})
	}
	for i := range todo {
		queue <- i // if ctx has ended, judgeUnlessDone returns immediately
	}
	close(queue)
	workers.Wait()
	for i, h := range todo {
		if again[i] && failures[i] == nil {
			var second *Result
			if _, second, _, failures[i] = g.judgeUnlessDone(ctx, h, b, true); second != nil {
				after[i] = second
			}
		}
	}
	if fault := (*grading.Fault)(nil); errors.As(context.Cause(ctx), &fault) {
		return nil, ungraded, fmt.Errorf("this machine cannot judge: %w", fault)
	}
	for i, h := range todo {
		if old, new := before[i], after[i]; old != nil && new != nil && (old.Points != new.Points || old.Status != new.Status) {
			changed = append(changed, fmt.Sprintf("%s %s: %s, previously %s", h.Learner, h.Exercise, new.inBrief(), old.inBrief()))
		}
	}
	// Record the shard as complete only if all of its results are stored, because Merge reads only
	// stored results. Otherwise the user must run the shard again.
	if ctx.Err() == nil && !g.unkept {
		failures = append(failures, g.Shard.end(g.Out))
	}
	return changed, ungraded, errors.Join(failures...)
}

// judgeUnlessDone judges h unless a result for the current Basis of h is already stored and is not
// Failed. It returns the results that are stored for the text of h before and after the call; `before`
// is nil if no result was stored. If an error occurs, both results are nil. `again` is true if h ran out
// of time and must be judged a second time. The caller then calls judgeUnlessDone for h once more, with
// `alone` set to true. The second call judges h in any case.
func (g *Grader) judgeUnlessDone(ctx context.Context, h *Submission, b *bar, alone bool) (before, after *Result,
	again bool, err error) {
	wrap := func(err error) (*Result, *Result, bool, error) {
		b.finish(h, err.Error(), false)
		return nil, nil, false, fmt.Errorf("%s: %w", h.File, err)
	}
	if ctx.Err() != nil {
		return nil, nil, false, context.Cause(ctx)
	}
	kept, err := loadAttempts(g.Out, h.Learner, h.Exercise)
	if err != nil {
		return wrap(err)
	}
	l := find(g.Course.Learners, h.Learner)
	data, unread := h.read()
	basis := &Basis{Hash: hash(data), Exercise: h.Exercise, Seed: l.Seed, Tool: g.Tool, Limits: g.Limits}
	if unread != nil {
		basis.Hash = hash([]byte(unread.Error()))
	}
	before = kept.resultFor(basis.Hash)
	if before != nil && before.Status != Failed && *before.Basis == *basis && !alone {
		again = before.timedOut() && !before.Retried
		b.finish(h, "as before", again)
		return before, before, again, nil
	}
	r := &Result{Learner: l.ID, Name: l.Name, Exercise: h.Exercise, File: h.File, TimeFrom: h.TimeFrom,
		Time: h.Time.UTC().Format(time.RFC3339), Notes: h.Notes, Basis: basis, Retried: alone,
		Own: h.Record}
	r.setLate(l, h.Time)
	failed := g.judgeSubmission(ctx, r, data, unread, l)
	if errors.As(failed, new(*grading.Fault)) {
		g.stop(failed)
	}
	if ctx.Err() != nil { // ignore the outcome of an interrupted run
		return nil, nil, false, context.Cause(ctx)
	}
	if failed != nil {
		if before == nil || before.Status == Failed { // do not replace an earlier result with Failed
			r.Status, r.Message = Failed, failedMessage
			r.score(g.Course.assignedEntry(r.Exercise))
			failed = errors.Join(failed, g.storeResult(r))
		}
		return wrap(failed)
	}
	if alone && before != nil && *before.Basis == *basis && before.Points > r.Points {
		first := *before
		first.Retried = true
		first.Notes = append(slices.Clone(first.Notes), fmt.Sprintf(
			"Judged twice because the time ran out. The second run gave %s. The better result counts.", r.inBrief()))
		r = &first
	}
	if err := g.storeResult(r); err != nil {
		return wrap(err)
	}
	again = r.timedOut() && !alone
	b.finish(h, r.inBrief(), again)
	return before, r, again, nil
}

// failedMessage is the message to a learner whose submission could not be judged.
const failedMessage = "Received, but grading failed; this is not your fault."

// storeResult stores a result. If storing fails, storeResult sets the field `unkept`.
func (g *Grader) storeResult(r *Result) error {
	err := keep(g.Out, r)
	if err != nil {
		g.counting.Lock()
		g.unkept = true
		g.counting.Unlock()
	}
	return err
}

// judgeSubmission judges a submission and stores the outcome in r. `data` and `unread` are the results of
// Submission.read: the text of the submission, and the error that occurred while it was read, or nil.
// judgeSubmission returns an error only if the exercise cannot be loaded or the judge fails.
func (g *Grader) judgeSubmission(ctx context.Context, r *Result, data []byte, unread error, l *Learner) error {
	assigned := g.Course.assignedEntry(r.Exercise)
	refuse := func(err error) error {
		r.Status, r.Message = Unreadable, grading.Printable(err.Error(), grading.MaxMessage)
		r.score(assigned)
		return nil
	}
	if unread != nil {
		var path *os.PathError
		if errors.As(unread, &path) {
			unread = path.Err // leave out the path, because it names folders on the teacher's machine
		}
		return refuse(unread)
	}
	e, err := g.Load(r.Exercise, *l)
	if err != nil {
		return err
	}
	source, notes, err := Answer(data, e)
	if err != nil {
		return refuse(err)
	}
	if err := grading.FitsSource(source); err != nil { // do not store this answer, because it is too long
		r.Status, r.Message = grading.Refused, err.Error()
		r.score(assigned)
		return nil
	}
	r.Source = source
	for _, note := range notes {
		r.Notes = append(r.Notes, grading.Printable(note, grading.MaxMessage))
	}
	done, err := g.Judge(ctx,
		&grading.Job{Exercise: r.Exercise, Seed: l.Seed, Source: source, Limits: g.Limits, Diagnosis: g.Diagnosis})
	if err != nil {
		return err
	}
	g.counting.Lock()
	g.Cost.Add(done.Cost)
	g.Judged++
	g.counting.Unlock()
	for _, report := range done.Reports {
		if report.Exercise != r.Exercise || report.Seed != l.Seed || !report.Complete {
			return fmt.Errorf(
				"the judge returned a report on %s, variant %d, complete: %t; want a complete report on %s in the learner's variant %d",
				report.Exercise, report.Seed, report.Complete, r.Exercise, l.Seed)
		}
	}
	for _, report := range done.Reports {
		// Remove control characters. The text of a panic can contain such characters, and pages and
		// terminals show this text.
		for i := range report.Parts {
			report.Parts[i].Message = strings.Map(withoutControl, report.Parts[i].Message)
		}
	}
	r.Status, r.Message, r.Reports = done.Status, grading.Printable(done.Message, grading.MaxMessage), done.Reports
	r.score(assigned)
	return nil
}

// withoutControl returns -1 for the characters in Unicode's categories Cc, Cf, Zl and Zp, except \n and
// \t, so that strings.Map removes these characters. They can control a terminal or change the direction
// of writing.
func withoutControl(r rune) rune {
	if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
		return -1
	}
	return r
}

// assignedEntry returns the course's entry for an exercise. If the course does not contain the
// exercise, the entry has weight 0.
func (c *Course) assignedEntry(exercise string) Assigned {
	for _, e := range c.Exercises {
		if e.ID == exercise {
			return e
		}
	}
	return Assigned{ID: exercise}
}

// inBrief returns a short description of a result, for example "2 of 2 points".
func (r *Result) inBrief() string {
	text := fmt.Sprintf("%.4g of %.4g points", r.Points, r.Max)
	if r.Status != grading.Judged {
		text += ", " + string(r.Status)
	}
	for _, p := range r.Parts {
		if p.Outcome == verify.TimedOut {
			return text + ", out of time"
		}
	}
	return text
}

// A bar shows the progress of a run of Grade. In a log, it prints a line for every finished
// submission. On a terminal, it shows a progress bar and prints a line for every finished learner.
type bar struct {
	mu     sync.Mutex
	log    io.Writer
	shown  *progressbar.ProgressBar // nil if log is not a terminal
	n, all int
	begun  time.Time
	left   map[string]int    // maps a learner's id to the number of unfinished submissions
	said   map[string]string // maps a learner's id to the results of finished submissions
}

func newBar(log io.Writer, watch bool, todo []*Submission) *bar {
	b := &bar{log: log, all: len(todo), begun: time.Now(), left: map[string]int{}, said: map[string]string{}}
	if watch {
		b.shown = progressbar.NewOptions(b.all, progressbar.OptionSetWriter(log), progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
	}
	for _, h := range todo {
		b.left[h.Learner]++
	}
	return b
}

// finish reports that h is finished. `text` describes the result. If `again` is true, h will be
// judged once more.
func (b *bar) finish(h *Submission, text string, again bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
	if again {
		b.all++
		text += " (will be judged again)"
	} else {
		b.left[h.Learner]--
	}
	if b.shown == nil {
		left := ""
		if b.n < b.all {
			each := time.Since(b.begun) / time.Duration(b.n)
			left = fmt.Sprintf(", about %v left", (each * time.Duration(b.all-b.n)).Round(time.Second))
		}
		fmt.Fprintf(b.log, "[%d/%d%s] %s %s: %s\n", b.n, b.all, left, h.Learner, h.Exercise, text)
		return
	}
	if !again {
		b.said[h.Learner] += fmt.Sprintf("; %s: %s", h.Exercise, text)
	}
	if b.left[h.Learner] == 0 && !again {
		_ = b.shown.Clear() // Ignore the error, because grading must continue even if the bar cannot be shown.
		fmt.Fprintln(b.log, h.Learner+":", strings.TrimPrefix(b.said[h.Learner], "; "))
	}
	b.shown.ChangeMax(b.all)
	_ = b.shown.Set(b.n)
}

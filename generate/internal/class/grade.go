package class

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Grader judges the hand-ins of a course.
type Grader struct {
	Course *Course
	Out    string // folder of the results
	Tool   string // what judges
	Limits grading.Limits
	Jobs   int // hand-ins at a time
	Shard  Shard
	Log    io.Writer // a line for every finished hand-in
	Watch  bool      // Log is a terminal: a bar instead, and a line for every finished learner

	Diagnosis time.Duration // how long to look for the place of the mistake in each wrong answer

	Cost     grading.Cost // of all that was judged
	Judged   int          // how many that are
	Received []*HandIn    // what Grade has found

	counting sync.Mutex // guards Cost, Judged and unkept
	unkept   bool       // a result could not be written

	stop context.CancelCauseFunc // ends Grade

	// Load reads an exercise as a learner has it; Judge judges an answer in a process of
	// its own.
	Load  func(id string, l Learner) (*exercise.Exercise, error)
	Judge func(ctx context.Context, job *grading.Job) (*grading.Outcome, error)
}

// Grade judges the hand-ins below a folder that were not judged by the same basis before,
// and keeps each result as soon as it is there. A hand-in that ran out of time is judged
// once more when nothing else runs. It returns what changed for whom since an earlier run,
// and what lies in the folder that is no hand-in. An error beside them tells of hand-ins
// that could not be judged: the others are, unless it is a [grading.Fault], which ends the
// run and is no result of any hand-in.
func (g *Grader) Grade(ctx context.Context, dir string) (changed, strange []string, err error) {
	ctx, g.stop = context.WithCancelCause(ctx)
	defer g.stop(nil)
	found, strange, err := Find(dir, g.Course)
	if err != nil {
		return nil, nil, err
	}
	g.Received = found
	if err := g.Shard.begin(g.Out); err != nil {
		return nil, strange, err
	}
	var todo []*HandIn
	for i, h := range found {
		if g.Shard.has(i) {
			todo = append(todo, h)
		}
	}
	b := newBar(g.Log, g.Watch, todo)
	changes := make([]string, len(todo))
	failures := make([]error, len(todo))
	again := make([]bool, len(todo))
	queue := make(chan int)
	var workers sync.WaitGroup
	for range max(1, min(g.Jobs, len(todo))) {
		workers.Go(func() {
			for i := range queue {
				changes[i], again[i], failures[i] = g.one(ctx, todo[i], b, false)
			}
		})
	}
	for i := range todo {
		queue <- i // once ctx has ended, one only says so
	}
	close(queue)
	workers.Wait()
	for i, h := range todo {
		if again[i] && failures[i] == nil {
			var later string
			if later, _, failures[i] = g.one(ctx, h, b, true); later != "" {
				changes[i] = later
			}
		}
	}
	if fault := (*grading.Fault)(nil); errors.As(context.Cause(ctx), &fault) {
		return nil, strange, fmt.Errorf("this machine cannot judge: %w", fault)
	}
	for _, c := range changes {
		if c != "" {
			changed = append(changed, c)
		}
	}
	// Whoever merges shards sees only what is kept: an unfinished shard is run again.
	if ctx.Err() == nil && !g.unkept {
		failures = append(failures, g.Shard.end(g.Out))
	}
	return changed, strange, errors.Join(failures...)
}

// one judges a hand-in, unless it was judged. It returns what changed, and whether the
// hand-in ran out of time and is to be judged once more, alone.
func (g *Grader) one(ctx context.Context, h *HandIn, b *bar, alone bool) (changed string, again bool, err error) {
	wrap := func(err error) (string, bool, error) {
		b.done(h, err.Error(), false)
		return "", false, fmt.Errorf("%s: %w", h.File, err)
	}
	if ctx.Err() != nil {
		return "", false, context.Cause(ctx)
	}
	kept, err := load(g.Out, h.Learner, h.Exercise)
	if err != nil {
		return wrap(err)
	}
	l := find(g.Course.Learners, h.Learner)
	data, unread := readHandIn(h.Path)
	basis := &Basis{Hash: hash(data), Exercise: h.Exercise, Seed: l.Seed, Tool: g.Tool, Limits: g.Limits}
	if unread != nil {
		basis.Hash = hash([]byte(unread.Error()))
	}
	before := kept.of(basis.Hash)
	if before != nil && before.Status != Failed && *before.Basis == *basis && !alone {
		again := before.timedOut() && !before.Retried
		b.done(h, "as before", again)
		return "", again, nil
	}
	r := &Result{Learner: l.ID, Name: l.Name, Exercise: h.Exercise, File: h.File, TimeFrom: h.TimeFrom,
		Time: h.Time.UTC().Format(time.RFC3339), Notes: h.Notes, Basis: basis, Retried: alone}
	r.due(l, h.Time)
	failed := g.judge(ctx, r, data, unread, l)
	if errors.As(failed, new(*grading.Fault)) {
		g.stop(failed)
	}
	if ctx.Err() != nil { // what was judged while the run was ended is no result
		return "", false, context.Cause(ctx)
	}
	if failed != nil {
		if before == nil || before.Status == Failed { // else that stays
			r.Status, r.Message = Failed, failedMessage
			r.score(g.Course.assigned(r.Exercise))
			failed = errors.Join(failed, g.keep(r))
		}
		return wrap(failed)
	}
	if alone && before != nil && *before.Basis == *basis && before.Points > r.Points {
		first := *before
		first.Retried = true
		first.Notes = append(slices.Clone(first.Notes), fmt.Sprintf(
			"Judged twice, because the time ran out: the second time gave %s. The better result counts.", r.brief()))
		r = &first
	}
	if before != nil && !alone && (before.Points != r.Points || before.Status != r.Status) {
		changed = fmt.Sprintf("%s %s: %s, before %s", h.Learner, h.Exercise, r.brief(), before.brief())
	}
	if err := g.keep(r); err != nil {
		return wrap(err)
	}
	again = r.timedOut() && !alone
	b.done(h, r.brief(), again)
	return changed, again, nil
}

// failedMessage is what the learner reads of a submission that could not be judged.
const failedMessage = "Received, but grading failed; this is not your fault."

// keep keeps a result, and notes if it could not.
func (g *Grader) keep(r *Result) error {
	err := keep(g.Out, r)
	if err != nil {
		g.counting.Lock()
		g.unkept = true
		g.counting.Unlock()
	}
	return err
}

// judge fills in what became of a hand-in.
func (g *Grader) judge(ctx context.Context, r *Result, data []byte, unread error, l *Learner) error {
	assigned := g.Course.assigned(r.Exercise)
	refuse := func(err error) error {
		r.Status, r.Message = Unreadable, grading.Printable(err.Error(), grading.MaxMessage)
		r.score(assigned)
		return nil
	}
	if unread != nil {
		var path *os.PathError
		if errors.As(unread, &path) {
			unread = path.Err // not where the teacher keeps the file
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
	r.Source = source
	for _, note := range notes {
		r.Notes = append(r.Notes, grading.Printable(note, grading.MaxMessage))
	}
	done, err := g.Judge(ctx, &grading.Job{Exercise: r.Exercise, Seed: l.Seed, Source: source, Limits: g.Limits, Diagnosis: g.Diagnosis})
	if err != nil {
		return err
	}
	g.counting.Lock()
	g.Cost.Add(done.Cost)
	g.Judged++
	g.counting.Unlock()
	for _, report := range done.Reports {
		if report.Exercise != r.Exercise || report.Seed != l.Seed || !report.Complete {
			return fmt.Errorf("the judge gave a report of %s, variant %d, complete: %t", report.Exercise, report.Seed, report.Complete)
		}
	}
	r.Status, r.Message, r.Reports = done.Status, grading.Printable(done.Message, grading.MaxMessage), done.Reports
	r.score(assigned)
	return nil
}

// assigned is an exercise of the course, without weight if it is none.
func (c *Course) assigned(exercise string) Assigned {
	for _, e := range c.Exercises {
		if e.ID == exercise {
			return e
		}
	}
	return Assigned{ID: exercise}
}

// brief is a result in a few words.
func (r *Result) brief() string {
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

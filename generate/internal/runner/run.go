// Package runner executes notebooks unattended and judges them.
//
// A notebook runs through nbclient. Each notebook has its own process runner.py, whose descendants
// are the kernel and the programs of the cells. The kernel's replies are not trusted, because GoNB
// replies "ok" to a failing `!` line and to a learner's os.Exit(0). Instead, the outputs of a cell
// decide the verdict on the cell (verdict.go). A cell that checks an exercise does not pass without a
// report. Its reports must be complete, and every part of them must be Right, except optional steps
// that were not attempted. If the notebook or the options name an exercise or a variant, the reports
// must also be about this exercise or variant (claim.go).
//
// The check, the answer and the report are in one program, and the notebook itself names its
// exercise. Therefore a notebook can be written in such a way that it forges a verdict. The
// verdicts help learners who want to learn; they do not prevent cheating.
//
// When a run ends on Linux, for whatever reason, all its processes end and its temporary folder is
// removed (family_linux.go, session.go). On other systems, programs of cells can remain
// (family_other.go).
package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// Options configures a run. For most fields, the comment states the meaning of the zero value.
type Options struct {
	Kernel  Kernel
	Out     string // folder for the executed notebooks; with "", Run writes none
	Charts  bool   // true to write the interactive version of each chart, too
	Reuse   Reuse
	HTML    bool          // true to write each notebook also as an HTML page to Out
	Trust   bool          // true if pages keep scripts and everything else that the notebooks display
	Timeout time.Duration // time limit for each cell; 0 means one minute
	Limit   time.Duration // time limit for each notebook; 0 means 15 minutes
	Jobs    int           // number of notebooks to run at the same time; 0 means 1

	StreamCap int // maximum number of characters that a cell may print; 0 means a million
	// DisplayCap is the maximum number of characters of the pictures, pages and data from a cell. Each
	// display counts as 1000 characters more than it has. 0 means 16 million.
	DisplayCap int

	Books    exercises.Books // books of the exercises; nil means exercises.Standard()
	Exercise string          // exercise that every notebook must pass; "" means the exercise that the notebook names
	Seed     *uint64         // variant that every notebook must have; nil means the variant that the notebook names
	Person   bool            // true if a person works in the notebooks, so that checks record the person's progress

	// Progress, if not nil, is called when a cell begins. Its argument `done` is the number of
	// finished code cells, and its argument `all` is the number of all code cells. Progress is also
	// called when the notebook has finished; then `done` equals `all`. Two calls never overlap.
	Progress func(path string, done, all int)
}

func (o Options) withDefaults() Options {
	o.Timeout = cmp.Or(o.Timeout, time.Minute)
	o.Limit = cmp.Or(o.Limit, 15*time.Minute)
	o.Jobs = cmp.Or(o.Jobs, 1)
	o.StreamCap = cmp.Or(o.StreamCap, 1e6)
	o.DisplayCap = cmp.Or(o.DisplayCap, 16e6)
	if o.Books == nil {
		o.Books = exercises.Standard()
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	return o
}

// grace is the longest time to wait for the last messages of a cell after the kernel's reply. An
// interrupted cell may take twice this time to end: if its program ignores the interrupt, GoNB kills
// the program only after 5 seconds, and the last messages arrive after that.
const grace = 10 * time.Second

// startup is the longest time to wait until a new kernel responds. On an idle machine, a kernel
// responds after a third of a second.
const startup = time.Minute

// Run executes notebooks, each in a separate kernel, and judges them. A path names a file or a
// folder; a folder stands for all notebooks below it. If a file is not a notebook, or cannot be
// read or run, the file's result contains the reason. Run then continues with the remaining files,
// unless the set-up is broken.
//
// If Run cannot use the paths or the folder Out, it runs nothing and returns a nil summary and an
// error. If Run returns both an error and a summary, the summary or the folder Out may be incomplete.
// The error then says that ctx ended, the set-up is broken, or a result could not be made or written.
// The verdicts in such a summary are valid.
func Run(ctx context.Context, paths []string, o Options) (*Summary, error) {
	o = o.withDefaults()
	files, err := findNotebooks(paths)
	if err != nil {
		return nil, err
	}
	targets, err := targetPaths(files, o.Out)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	report := o.Progress
	o.Progress = func(path string, done, all int) {
		mu.Lock()
		defer mu.Unlock()
		report(path, done, all)
	}

	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	b := &batch{Options: o, stop: stop}
	s := &Summary{Schema: "hyperplane-run/1", Passed: true, Notebooks: make([]Notebook, len(files))}
	failures := make([]error, len(files))
	queue := make(chan int)
	var workers sync.WaitGroup
	for range min(o.Jobs, len(files)) {
		workers.Go(func() {
			for i := range queue {
				s.Notebooks[i], failures[i] = b.runOne(ctx, files[i], targets[i])
			}
		})
	}
	for i := range files {
		queue <- i // after ctx has ended, runOne returns without running its notebook
	}
	close(queue)
	workers.Wait()
	for _, n := range s.Notebooks {
		s.Passed = s.Passed && n.Verdict.Pass()
	}
	if ctx.Err() != nil {
		return s, context.Cause(ctx)
	}
	return s, firstError(failures)
}

// firstError returns the first error in errs that is not nil. If there are more errors, the message
// also says how many more there are.
func firstError(errs []error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) > 1 {
		return fmt.Errorf("%w (and %d more)", errs[0], len(errs)-1)
	}
	return errors.Join(errs...)
}

// judge returns the result of a cell after its execution. If the cell began but did not end normally
// (see stoppedTimeout), judge also adds a note to the outputs of the cell.
func (e execution) judge(cell *nbformat.Cell, k claim, o Options) Cell {
	if !e.started {
		return Cell{ID: cell.ID, Exercise: exerciseOf(cell), Verdict: NotRun, Detail: "the run ended before this cell"}
	}
	if !e.ended { // the time limit of the whole notebook stopped the cell
		e.stopped = stoppedTimeout
	}
	c := judge(cell, e.stopped, k)
	switch e.stopped {
	case stoppedTimeout, stoppedStuck:
		if e.ended {
			c.Detail += fmt.Sprintf(" (the limit is %v for a cell; the first cells need time to compile packages; see --timeout)", o.Timeout)
		} else {
			c.Detail += fmt.Sprintf(" (the limit is %v for the notebook)", o.Limit)
		}
	case stoppedOutput:
		c.Detail += fmt.Sprintf(" (the limit is %d characters of text and %d characters of displays)", o.StreamCap, o.DisplayCap)
	}
	if e.stopped != "" {
		cell.Outputs = append(cell.Outputs, nbformat.Output{"output_type": "stream", "name": "stderr",
			"text": fmt.Sprintf("\n[%s: %s]\n", c.Verdict, c.Detail)})
	}
	return c
}

// Package runner executes notebooks unattended and judges them.
//
// A notebook runs through nbclient (runner.py, one process per notebook, the parent of the kernel
// and of every cell's programs). The kernel's replies are not trusted: GoNB says "ok" to a failing
// `!` line and to a learner's os.Exit(0). A cell is judged by its outputs (verdict.go). A cell that
// checks an exercise passes only if its report is complete and every part of it is Right, and if
// the report is about the exercise and variant of the notebook (claim.go). A missing verdict never
// counts as a pass.
//
// Judge, answer and report are in one program, and a notebook itself says what it is. A verdict is
// therefore valid for a notebook that its learner wrote to learn. It is no proof against one that
// was written to deceive.
//
// In every case, all processes of a run end with it, and its temporary folder is removed
// (family_linux.go, session.go).
package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// Options configures a run. The comments on the fields say what a zero value means.
type Options struct {
	Kernel  Kernel
	Out     string // folder for the executed notebooks; "" writes none
	Charts  bool   // also write charts in their interactive form
	Reuse   Reuse
	HTML    bool          // also write each as an HTML page to Out
	Trust   bool          // in pages, keep scripts and everything else that the notebooks display
	Timeout time.Duration // limit for a cell; 0 means one minute
	Limit   time.Duration // limit for a notebook; 0 means a quarter of an hour
	Jobs    int           // number of notebooks to run at a time; 0 means 1

	StreamCap  int // bytes of text that a cell may print; 0 means a million
	DisplayCap int // bytes of pictures, pages and data that a cell may show; 0 means 16 million

	Exercise string  // exercise that every notebook must pass; "" leaves that to the notebooks
	Seed     *uint64 // variant that the notebooks must have; nil leaves that to them
	Person   bool    // a person works in the notebooks: record the progress in them

	// Progress, if not nil, is called when a cell begins (done of all cells have finished) and when
	// the notebook has finished (done = all). Calls do not overlap.
	Progress func(path string, done, all int)
}

func (o Options) withDefaults() Options {
	o.Timeout = cmp.Or(o.Timeout, time.Minute)
	o.Limit = cmp.Or(o.Limit, 15*time.Minute)
	o.Jobs = cmp.Or(o.Jobs, 1)
	o.StreamCap = cmp.Or(o.StreamCap, 1e6)
	o.DisplayCap = cmp.Or(o.DisplayCap, 16e6)
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	return o
}

// grace is how long an interrupted cell may take to end. GoNB itself kills a program that ignores
// the interrupt after 5 seconds.
const grace = 10 * time.Second

// startup is how long a kernel may take to respond; on an idle machine it takes a third of a
// second.
const startup = time.Minute

// Run executes notebooks, each in a separate kernel, and judges them. Paths may be files, or
// folders for all notebooks below. A file that is not a notebook, or that cannot be read or run,
// gets a verdict that says so, and the others are run nevertheless.
//
// A nil summary comes with an error and means that nothing could be started. An error together with
// a summary says why notebooks are missing in it or on disk: ctx ended, the set-up is broken, or a
// result could not be written. The verdicts in the summary are valid.
func Run(ctx context.Context, paths []string, o Options) (*Summary, error) {
	o = o.withDefaults()
	files, err := find(paths)
	if err != nil {
		return nil, err
	}
	targets, err := place(files, o.Out)
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
		queue <- i // after ctx has ended, runOne only returns
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

// firstError returns the first of errs with the number of further errors.
func firstError(errs []error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) > 1 {
		return fmt.Errorf("%w (and %d more)", errs[0], len(errs)-1)
	}
	return errors.Join(errs...)
}

// judge returns the verdict on the execution of a cell. If the cell was stopped, it adds a note to
// the cell's outputs.
func (e execution) judge(cell *nbformat.Cell, k claim, o Options) Cell {
	if !e.started {
		return Cell{ID: cell.ID, Exercise: exerciseOf(cell), Verdict: NotRun, Detail: "the run ended before this cell"}
	}
	if !e.ended { // stopped by the limit of the whole notebook
		e.stopped = stoppedTimeout
	}
	c := judge(cell, e.stopped, k)
	switch e.stopped {
	case stoppedTimeout, stoppedStuck:
		if e.ended {
			c.Detail += fmt.Sprintf(" (the limit is %v for a cell)", o.Timeout)
		} else {
			c.Detail += fmt.Sprintf(" (the limit is %v for the notebook)", o.Limit)
		}
	case stoppedOutput:
		c.Detail += fmt.Sprintf(" (%d bytes of text, %d of displays)", o.StreamCap, o.DisplayCap)
	}
	if e.stopped != "" {
		cell.Outputs = append(cell.Outputs, nbformat.Output{"output_type": "stream", "name": "stderr",
			"text": fmt.Sprintf("\n[%s: %s]\n", c.Verdict, c.Detail)})
	}
	return c
}

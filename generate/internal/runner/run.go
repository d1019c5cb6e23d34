// Package runner executes notebooks without a person and judges them.
//
// A notebook runs through nbclient (runner.py, one process per notebook, with
// the kernel and every program of every cell below it). What a kernel answers is
// not trusted: GoNB says "ok" to a failing `!` line and to a learner's
// os.Exit(0). A cell is judged by its outputs (judge.go), and a cell that checks
// an exercise passes only when its report arrived complete and every part of it
// is Right, and of the exercise and variant that the notebook is of (claim.go). No
// verdict is never a pass.
//
// Judge, answer and report are one program, and a notebook says itself what it is: a
// verdict holds for a notebook that its learner wrote to learn. It is no proof against
// one that was written to deceive.
//
// Whatever happens, the processes of a run all end with it and its temporary
// folder goes (family_linux.go, session.go).
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

// Options say how notebooks are run. The zero value of a field means what its
// comment says.
type Options struct {
	Kernel  Kernel
	Out     string // folder for the executed notebooks; "" writes none
	Charts  bool   // in what is written, charts come in their interactive form too
	Reuse   Reuse
	HTML    bool          // also write each as an HTML page to Out
	Trust   bool          // in pages, keep scripts and all else that the notebooks display
	Timeout time.Duration // for a cell; 0 is one minute
	Limit   time.Duration // for a notebook; 0 is a quarter of an hour
	Jobs    int           // notebooks at a time; 0 is one

	StreamCap  int // bytes of text that a cell may print; 0 is a million
	DisplayCap int // bytes of pictures, pages and data that a cell may show; 0 is 16 million

	Exercise string  // which every notebook has to pass; "" leaves that to the notebooks
	Seed     *uint64 // the variant that the notebooks have to be of; nil leaves that to them
	Person   bool    // a person works in the notebooks: the progress in them is recorded

	// Progress, if not nil, is called when a cell begins (done cells of all) and
	// when the notebook has ended (done = all). Calls do not overlap.
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

// grace is how long an interrupted cell may take to end. GoNB itself kills a
// program that ignores the interrupt after 5 seconds.
const grace = 10 * time.Second

// startup is how long a kernel may take to answer; it takes a third of a second
// on an idle machine.
const startup = time.Minute

// Run executes notebooks, each in a kernel of its own, and judges them. Paths may
// be files or folders (then all notebooks below). A file that is no notebook, or that
// cannot be read or run, is a verdict, and the others are run all the same.
//
// A nil summary comes with an error: nothing could be begun. An error beside a
// summary says why notebooks are missing in it or on the disk: ctx ended, the set-up
// is broken, or a result could not be written. The verdicts that are there hold.
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
		queue <- i // once ctx has ended, runOne only says so
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

// firstError is the first of errs, and how many more there are.
func firstError(errs []error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) > 1 {
		return fmt.Errorf("%w (and %d more)", errs[0], len(errs)-1)
	}
	return errors.Join(errs...)
}

// judge gives the verdict on what became of a cell, and notes in the notebook
// itself why its outputs end where they do.
func (e execution) judge(cell *nbformat.Cell, k claim, o Options) Cell {
	if !e.started {
		return Cell{ID: cell.ID, Exercise: exerciseOf(cell), Verdict: NotRun, Detail: "the run ended before this cell"}
	}
	if !e.ended { // the limit of the whole notebook
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

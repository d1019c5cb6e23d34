package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// Options say how notebooks are run. The zero value of a field means what its
// comment says.
type Options struct {
	Kernel  Kernel
	Out     string        // folder for the executed notebooks; "" writes none
	HTML    bool          // also write each as an HTML page to Out
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
	set := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	set(&o.Timeout, time.Minute)
	set(&o.Limit, 15*time.Minute)
	count := func(n *int, v int) {
		if *n == 0 {
			*n = v
		}
	}
	count(&o.Jobs, 1)
	count(&o.StreamCap, 1e6)
	count(&o.DisplayCap, 16e6)
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
// be files or folders (then all notebooks below). A file that is no notebook is a
// verdict; an error means that something could not be run at all, or that ctx
// ended.
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

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make([]Notebook, len(files))
	failures := make([]error, len(files))
	queue := make(chan int)
	var workers sync.WaitGroup
	for range min(o.Jobs, len(files)) {
		workers.Go(func() {
			for i := range queue {
				results[i], failures[i] = o.runOne(ctx, files[i], targets[i])
				if failures[i] != nil {
					cancel() // what could not run here will not run elsewhere
				}
			}
		})
	}
	for i := range files {
		if ctx.Err() != nil {
			break
		}
		queue <- i
	}
	close(queue)
	workers.Wait()
	if err := firstError(failures); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &Summary{Schema: "hyperplane-run/1", Passed: true, Notebooks: results}
	for _, n := range results {
		s.Passed = s.Passed && n.Verdict.Pass()
	}
	return s, nil
}

// firstError prefers an error that says more than that all was cancelled.
func firstError(errs []error) error {
	var first error
	for _, err := range errs {
		if err != nil && (first == nil || errors.Is(first, context.Canceled)) {
			first = err
		}
	}
	return first
}

// runOne executes and judges one notebook; target is where it is to be written,
// without the extension, "" for nowhere.
func (o Options) runOne(ctx context.Context, path, target string) (Notebook, error) {
	n := Notebook{Path: path, Cells: []Cell{}}
	if err := ctx.Err(); err != nil {
		return n, err
	}
	nb, err := nbformat.ReadFile(path)
	if err != nil {
		if errors.As(err, new(*os.PathError)) {
			return n, err
		}
		n.Verdict, n.Detail = NotANotebook, strings.TrimPrefix(err.Error(), path+": ")
		return n, nil
	}
	nb.Strip()
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return n, err
	}
	j := job{Kernel: "gonb", Folder: folder, Startup: startup.Seconds(), Timeout: o.Timeout.Seconds(), Grace: grace.Seconds(),
		StreamCap: o.StreamCap, DisplayCap: o.DisplayCap, person: o.Person}
	var code []int // positions of the cells that run
	for i, c := range nb.Cells {
		if c.Type == nbformat.Code {
			code = append(code, i)
			j.Cells = append(j.Cells, c.Source)
		}
	}

	limited, cancel := context.WithTimeout(ctx, o.Limit)
	defer cancel()
	done, err := play(limited, o.Kernel, j, func(e event) {
		if e.Event == "start" {
			o.Progress(path, e.Cell, len(code))
		}
	})
	if err != nil {
		return n, fmt.Errorf("%s: %w", path, err)
	}
	if err := ctx.Err(); err != nil {
		return n, err
	}
	o.Progress(path, len(code), len(code))
	claimed := o.claimOf(nb)
	for k, i := range code {
		cell := nb.Cells[i]
		cell.Outputs, cell.ExecutionCount = done[k].outputs, done[k].count
		c := done[k].judge(cell, claimed, o)
		c.Number = i + 1
		n.Cells = append(n.Cells, c)
	}
	n.conclude(claimed)
	if target != "" {
		n.Files, err = o.write(ctx, nb, target)
	}
	return n, err
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
			c.Detail += fmt.Sprintf(" of %v for a cell", o.Timeout)
		} else {
			c.Detail += fmt.Sprintf(" of %v for the notebook", o.Limit)
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

package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// A batch is the run of several notebooks.
type batch struct {
	Options
	stop     context.CancelCauseFunc // ends the run of all, with a reason
	formulas formula.Renderer        // of all pages
}

// unfinished is what is known of a notebook before it has run.
func unfinished(path string) Notebook {
	return Notebook{Path: path, Verdict: NotJudged, Detail: "the run ended before this notebook did", Cells: []Cell{}}
}

// runOne executes and judges one notebook; target is where it is to be written,
// without the extension, "" for nowhere. An error says that it could not be written.
func (b *batch) runOne(ctx context.Context, path, target string) (Notebook, error) {
	n := unfinished(path)
	if ctx.Err() != nil {
		return n, nil
	}
	nb, err := nbformat.ReadFile(path)
	if err != nil {
		if unread := new(fs.PathError); errors.As(err, &unread) {
			n.Detail = unread.Err.Error()
		} else {
			n.Verdict, n.Detail = NotANotebook, strings.TrimPrefix(err.Error(), path+": ")
		}
		return n, nil
	}
	nb.Strip()
	kept, err := b.kept(nb)
	if err != nil {
		return n, err
	}
	if old, executed := again(kept, path); executed != nil {
		b.Progress(path, len(old.Cells), len(old.Cells))
		return b.finish(old, executed, target)
	}
	code, sources := []int{}, []string{} // of the cells that run
	for i, c := range nb.Cells {
		if c.Type == nbformat.Code {
			code, sources = append(code, i), append(sources, c.Source)
		}
	}
	done, err := b.execute(ctx, &n, sources)
	if ctx.Err() != nil {
		return n, nil
	}
	if err != nil {
		n.Detail = err.Error()
		if errors.As(err, new(*unstarted)) {
			b.blameSetup(ctx, &n)
		}
		return n, nil
	}
	b.Progress(path, len(code), len(code))
	claimed := b.claimOf(nb)
	for k, i := range code {
		cell := nb.Cells[i]
		cell.Outputs, cell.ExecutionCount = done[k].outputs, done[k].count
		c := done[k].judge(cell, claimed, b.Options)
		c.Number = i + 1
		n.Cells = append(n.Cells, c)
	}
	n.Verdict, n.Detail = "", ""
	n.conclude(claimed)
	if n.Verdict == CompileError && b.blameSetup(ctx, &n) {
		return n, nil
	}
	if kept != "" && n.Verdict.Pass() {
		if err := keep(kept, n, nb); err != nil {
			return n, err
		}
	}
	return b.finish(n, nb, target)
}

// finish writes an executed notebook to where it is wanted.
func (b *batch) finish(n Notebook, nb *nbformat.Notebook, target string) (_ Notebook, err error) {
	if target != "" {
		n.Files, err = b.write(nb, target)
	}
	return n, err
}

// execute runs cells in the folder of their notebook.
func (b *batch) execute(ctx context.Context, n *Notebook, sources []string) ([]execution, error) {
	if len(sources) == 0 {
		return nil, nil // without a kernel
	}
	folder, err := filepath.Abs(filepath.Dir(n.Path))
	if err != nil {
		return nil, err
	}
	j := b.job(sources)
	j.Folder = []byte(folder)
	limited, cancel := context.WithTimeout(ctx, b.Limit)
	defer cancel()
	done, warning, err := play(limited, b.Kernel, j, func(e event) {
		if e.Event == "start" {
			b.Progress(n.Path, e.Cell, len(sources))
		}
	})
	if warning != nil {
		n.Warning = warning.Error()
	}
	return done, err
}

// job is that of running cells under the options.
func (o Options) job(sources []string) job {
	return job{Kernel: "gonb", Cells: sources, Startup: startup.Seconds(), Timeout: o.Timeout.Seconds(), Grace: grace.Seconds(),
		StreamCap: o.StreamCap, DisplayCap: o.DisplayCap, person: o.Person, charts: o.Charts}
}

// blameSetup asks, when a notebook did not start or compile, whether any can. If
// none can, that is no verdict on this one, and the others need not be tried.
func (b *batch) blameSetup(ctx context.Context, n *Notebook) bool {
	detail := n.Detail
	err := Probe(ctx, b.Kernel)
	switch {
	case err == nil && !diskFull(detail):
		return false
	case err == nil: // there may be room again, or just enough for the probe
	case ctx.Err() != nil:
		detail = unfinished("").Detail
	default:
		err = fmt.Errorf("the set-up is broken, no notebook can be judged: %w", err)
		detail = err.Error()
		b.stop(err)
	}
	*n = unfinished(n.Path)
	n.Detail = detail
	return true
}

// diskFull reports whether a message of the go command says so.
func diskFull(message string) bool {
	return strings.Contains(message, syscall.ENOSPC.Error()) || strings.Contains(message, syscall.EDQUOT.Error())
}

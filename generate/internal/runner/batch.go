package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
)

// A batch contains the data that all notebooks of one run share.
type batch struct {
	Options
	stop     context.CancelCauseFunc // ends the whole run; the argument is the reason
	formulas formula.Renderer        // renderer that all pages share
}

// unfinishedResult returns the result for a notebook that has not been run yet.
func unfinishedResult(path string) Notebook {
	return Notebook{Path: path, Verdict: NotJudged, Detail: "the run ended before this notebook was judged", Cells: []Cell{}}
}

// runOne executes and judges the notebook at path, or takes the result of an earlier run (see [Reuse]).
// The argument `target` is the path of the files to write, without extension. If `target` is "", runOne
// writes none of these files. It returns an error only if a result or its page could not be made or
// written.
func (b *batch) runOne(ctx context.Context, path, target string) (Notebook, error) {
	n := unfinishedResult(path)
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
	kept, err := b.resultPath(nb)
	if err != nil {
		return n, err
	}
	if old, executed := storedResult(kept, path); executed != nil {
		b.Progress(path, len(old.Cells), len(old.Cells))
		return b.finish(old, executed, target)
	}
	code, sources := []int{}, []string{} // for the cells to run: their indices in nb.Cells, and their sources
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
		if err := storeResult(kept, n, nb); err != nil {
			return n, err
		}
	}
	return b.finish(n, nb, target)
}

// finish writes the executed notebook nb to files, unless `target` is "". It adds the names of the
// written files to the result n, and returns n.
func (b *batch) finish(n Notebook, nb *nbformat.Notebook, target string) (_ Notebook, err error) {
	if target != "" {
		n.Files, err = b.write(nb, target)
	}
	return n, err
}

// execute runs the cells with the given sources in the folder of notebook n.
func (b *batch) execute(ctx context.Context, n *Notebook, sources []string) ([]execution, error) {
	if len(sources) == 0 {
		return nil, nil // without code cells, no kernel is necessary
	}
	folder, err := filepath.Abs(filepath.Dir(n.Path))
	if err != nil {
		return nil, err
	}
	j := b.newJob(sources)
	j.Folder = []byte(folder)
	limited, cancel := context.WithTimeout(ctx, b.Limit)
	defer cancel()
	done, warning, err := runCells(limited, b.Kernel, j, func(e event) {
		if e.Event == "start" {
			b.Progress(n.Path, e.Cell, len(sources))
		}
	})
	if warning != nil {
		n.Warning = warning.Error()
	}
	return done, err
}

// newJob returns a job for runner.py, with the given sources of cells, and with the limits and the
// fields Person and Charts of the options.
func (o Options) newJob(sources []string) job {
	return job{Kernel: "gonb", Cells: sources, Startup: startup.Seconds(), Timeout: o.Timeout.Seconds(),
		Grace:     grace.Seconds(),
		StreamCap: o.StreamCap, DisplayCap: o.DisplayCap, person: o.Person, charts: o.Charts}
}

// blameSetup runs one correct cell, the probe. runOne calls it if the kernel of notebook n did not start,
// or if a cell of n did not compile, to find out whether the set-up is the reason. If the probe fails,
// blameSetup ends the whole run, unless ctx has already ended. If the probe fails or the disk was full,
// blameSetup gives n the verdict NotJudged and returns true. Otherwise it returns false.
func (b *batch) blameSetup(ctx context.Context, n *Notebook) bool {
	detail := n.Detail
	err := Probe(ctx, b.Kernel)
	switch {
	case err == nil && !diskFull(detail):
		return false
	case err == nil: // the notebook failed because the disk was full, but the probe had enough space
	case ctx.Err() != nil:
		detail = unfinishedResult("").Detail
	default:
		err = fmt.Errorf("the set-up is broken, so no notebook can be judged: %w", err)
		detail = err.Error()
		b.stop(err)
	}
	*n = unfinishedResult(n.Path)
	n.Detail = detail
	return true
}

// diskFull reports whether a message of the go command means that the disk is full or that the user's
// quota is used up.
func diskFull(message string) bool {
	return strings.Contains(message, syscall.ENOSPC.Error()) || strings.Contains(message, syscall.EDQUOT.Error())
}

// write writes the executed notebook and, if b.HTML is set, its page. The path of each file is
// `target` with the extension of the file. Each file is written completely or not at all. Unless
// b.Trust is set, the page contains no scripts of the notebook.
func (b *batch) write(nb *nbformat.Notebook, target string) ([]string, error) {
	data, err := nb.Marshal()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", target, err)
	}
	written := []string{target + extension}
	if err := files.Write(written[0], data); err != nil {
		return nil, err
	}
	if !b.HTML {
		return written, nil
	}
	text := page.New(page.Options{Formulas: &b.formulas, Trust: b.Trust})
	text.Notebook(nb)
	doc, err := text.Document()
	if err == nil {
		data, err = doc.Standalone(filepath.Base(target))
	}
	if err != nil {
		return written, fmt.Errorf("%s: cannot make the HTML page: %w", target, err)
	}
	if err := files.Write(target+pageEnding, data); err != nil {
		return written, err
	}
	return append(written, target+pageEnding), nil
}

// Reuse configures the reuse of results. A notebook that passed is run again only if the notebook, the
// field Inputs, or one of the options Charts, Exercise and Seed has changed.
type Reuse struct {
	Dir    string // folder of the stored results; "" disables the reuse of results
	Inputs string // hash of everything, except the notebook, that affects the result of a run
}

// result is the stored result of a run.
type result struct {
	Notebook Notebook        `json:"notebook"`
	Executed json.RawMessage `json:"executed"`
}

// resultPath returns the path of the file in which the result of the notebook nb is stored. If
// results are not reused, it returns "". nb must not contain outputs. The path depends on Inputs,
// Charts, Exercise, Seed and the notebook.
func (b *batch) resultPath(nb *nbformat.Notebook) (string, error) {
	if b.Reuse.Dir == "" {
		return "", nil
	}
	text, err := nb.Marshal()
	if err != nil {
		return "", err
	}
	seed := ""
	if b.Seed != nil {
		seed = fmt.Sprint(*b.Seed)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %v %q %q %s", b.Reuse.Inputs, b.Charts, b.Exercise, seed, text))
	return filepath.Join(b.Reuse.Dir, hex.EncodeToString(sum[:16])+".json"), nil
}

// storedResult reads from `file` the stored result of the notebook at `path`. If the file cannot be
// read or is invalid, storedResult returns a nil notebook.
func storedResult(file, path string) (Notebook, *nbformat.Notebook) {
	var r result
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &r) != nil {
		return Notebook{}, nil
	}
	nb, err := nbformat.Parse(file, r.Executed)
	if err != nil {
		return Notebook{}, nil
	}
	r.Notebook.Path, r.Notebook.Reused = path, true
	return r.Notebook, nb
}

// storeResult stores the result of a notebook that passed.
func storeResult(file string, n Notebook, nb *nbformat.Notebook) error {
	text, err := nb.Marshal()
	if err != nil {
		return err
	}
	data, err := json.Marshal(result{n, text})
	if err != nil {
		return err
	}
	return files.Write(file, data)
}

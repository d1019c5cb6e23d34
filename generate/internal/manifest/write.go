package manifest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Options configures [Write] and [Check]. Check ignores Formats and Size, and uses the formats and
// the size in the manifest. The zero value selects every figure at notebook size, as SVG, PNG and
// PDF, with its numbers as CSV. Figures with an interactive form also get an HTML page.
type Options struct {
	IDs     []string // ids of figures, such as "fig-prml-4.4" or "prml-4.4"; empty means all
	Formats []string // some of [Formats]; empty means svg, png, pdf, csv and html
	Jobs    int      // number of figures to draw at the same time; 0 means one
	Size    string   // "notebook" (also ""), "page" or "slide"
	// Context, if not nil, stops Write when the context is cancelled. Files already written are
	// complete.
	Context context.Context
	// Progress, if not nil, is called after each figure, with the number of figures done so far.
	// Two calls never overlap.
	Progress func(done, total int, id string)
}

// Formats returns the formats that [Write] accepts: all of show.Formats, and html. The format html
// is a page with the interactive form of a figure, and applies only to figures with this form.
func Formats() []string { return append(show.Formats(), pageFormat) }

const pageFormat = "html"

// Name is the name of the manifest in the folder of figures.
const Name = "manifest.json"

// Gallery is the name of the page that shows all figures, in the folder of figures. The pages with
// interactive forms link to this page.
const Gallery = "index.html"

// Write draws figures and writes them to dir as ID.format. Then it writes the manifest and returns
// it. It creates the folder if necessary. The same options give the same bytes for any value of
// Jobs.
//
// Before Write writes anything, it checks the ids, formats and size. The error for an unknown id
// suggests the nearest id. Write replaces each file only when the new file is complete. After the
// first error Write stops and keeps the old manifest.
func Write(dir string, o Options) (*Manifest, error) {
	if dir == "" {
		return nil, errors.New("figures: no output folder")
	}
	w, err := newWriter(o, func(name string, b []byte) error { return toolkit.WriteFile(filepath.Join(dir, name), b) })
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("figures: cannot make the folder %s: %w; choose another, or change the permissions of its parent", dir, err)
	}
	items, err := w.writeAll()
	if err != nil {
		return nil, err
	}
	m := &Manifest{Schema: schema, Version: version, Size: w.size.Name, Figures: items}
	b, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, fmt.Errorf("figures: manifest: %w", err)
	}
	if err := toolkit.WriteFile(filepath.Join(dir, Name), append(b, '\n')); err != nil {
		return nil, fmt.Errorf("figures: %w", err)
	}
	return m, nil
}

// A writer draws the figures in entries and calls keep for each of their files.
type writer struct {
	keep    func(name string, b []byte) error
	entries []figures.Entry
	formats []string
	size    show.Size
	jobs    int
	ctx     context.Context
	done    func(done, total int, id string)
}

// newWriter checks the options and returns a writer.
func newWriter(o Options, keep func(name string, b []byte) error) (*writer, error) {
	if o.Jobs < 0 {
		return nil, fmt.Errorf("figures: Jobs is %d; it must not be negative", o.Jobs)
	}
	w := &writer{keep: keep, jobs: max(1, o.Jobs), ctx: o.Context, done: o.Progress}
	if w.ctx == nil {
		w.ctx = context.Background()
	}
	var err error
	if w.entries, err = selected(o.IDs); err != nil {
		return nil, err
	}
	if w.size, err = show.SizeByName(o.Size); err != nil {
		return nil, fmt.Errorf("figures: %w", err)
	}
	for _, f := range o.Formats {
		f = strings.ToLower(strings.TrimSpace(f))
		if !slices.Contains(Formats(), f) {
			return nil, fmt.Errorf("figures: unknown format %q: want one of %s", f, strings.Join(Formats(), ", "))
		}
		if !slices.Contains(w.formats, f) {
			w.formats = append(w.formats, f)
		}
	}
	if len(w.formats) == 0 {
		w.formats = []string{"svg", "png", "pdf", "csv", pageFormat}
	}
	return w, nil
}

// writeAll draws the entries in w.jobs goroutines and returns the figures' items in the order of
// the catalogue.
func (w *writer) writeAll() ([]Item, error) {
	ctx, stop := context.WithCancelCause(w.ctx)
	defer stop(nil)
	items := make([]Item, len(w.entries))
	next := make(chan int, len(w.entries))
	for i := range w.entries {
		next <- i
	}
	close(next)
	var mu sync.Mutex // mu guards done and serializes calls of w.done
	done := 0
	var workers sync.WaitGroup
	for range min(w.jobs, len(w.entries)) {
		workers.Go(func() {
			for i := range next {
				if ctx.Err() != nil {
					return
				}
				item, err := w.write(w.entries[i])
				if err != nil {
					stop(err)
					return
				}
				mu.Lock()
				items[i] = item
				if done++; w.done != nil {
					w.done(done, len(w.entries), w.entries[i].ID)
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	err := context.Cause(ctx)
	if err != nil && err == context.Cause(w.ctx) {
		err = fmt.Errorf("figures: stopped after %d of %d figures: %w", done, len(w.entries), err)
	}
	return items, err
}

// write draws one figure and calls w.keep for each of its files.
func (w *writer) write(e figures.Entry) (Item, error) {
	fig, err := e.Draw()
	if err != nil {
		return Item{}, fmt.Errorf("figures: %s: %w", e.ID, err)
	}
	fig = fig.At(w.size)
	numbers, err := fig.Encode("csv")
	if err != nil {
		return Item{}, fmt.Errorf("figures: %s: %w", e.ID, err)
	}
	item := Item{
		ID: e.ID, Title: e.Title, Source: e.Source, LookFor: e.LookFor, Alt: fig.Alt,
		Call: e.Call, ChartCall: e.ChartCall, Parameters: e.Parameters, Seed: e.Seed, Numbers: sum(numbers),
	}
	for _, format := range w.formats {
		if format == pageFormat && e.Chart == nil {
			continue
		}
		b, err := encode(e, fig, format)
		if err != nil {
			return Item{}, fmt.Errorf("figures: %s: %w", e.ID, err)
		}
		name := e.ID + "." + format
		if err := w.keep(name, b); err != nil {
			return Item{}, fmt.Errorf("figures: %s: %w", e.ID, err)
		}
		item.Files = append(item.Files, File{Name: name, SHA256: sum(b)})
	}
	return item, nil
}

// encode returns the figure in a format. For html, it returns the page of the chart, which has its
// own size.
func encode(e figures.Entry, fig *show.Figure, format string) ([]byte, error) {
	if format != pageFormat {
		return fig.Encode(format)
	}
	c, err := e.Chart()
	if err != nil {
		return nil, err
	}
	return c.Page(show.ChartPage{Title: e.Title, Source: e.Source, Caption: e.LookFor, Back: Gallery + "#" + e.ID,
		BackName: "All figures"})
}

// selected returns the entries with these ids in the order of the catalogue, or all entries if ids
// is empty.
func selected(ids []string) ([]figures.Entry, error) {
	if len(ids) == 0 {
		return figures.All(), nil
	}
	var wanted []string
	for _, id := range ids {
		e, err := figures.Find(id)
		if err != nil {
			return nil, err
		}
		wanted = append(wanted, e.ID)
	}
	var out []figures.Entry
	for _, e := range figures.All() {
		if slices.Contains(wanted, e.ID) {
			out = append(out, e)
		}
	}
	return out, nil
}

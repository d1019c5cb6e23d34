// Package manifest draws the figures of the catalogue into a folder, records them in a manifest,
// and compares a manifest with newly drawn figures.
package manifest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

const (
	schema  = "hyperplane-figures/1"
	version = toolkit.Version
)

// A Manifest lists the figures in a folder, the code that draws them, and the checksums of their
// files. It contains no dates and no paths of folders, so two folders with equal figures have equal
// manifests.
type Manifest struct {
	Schema  string `json:"schema"`  // "hyperplane-figures/1"
	Version string `json:"version"` // version of the toolkit that drew the figures
	Size    string `json:"size"`
	Figures []Item `json:"figures"`
}

// An Item is one figure of a manifest.
type Item struct {
	ID         string  `json:"id"`
	Title      string  `json:"title"`
	Source     string  `json:"source"`
	LookFor    string  `json:"look_for"`
	Alt        string  `json:"alt"`                  // description of the picture
	Call       string  `json:"call"`                 // Go expression that draws the figure
	ChartCall  string  `json:"chart_call,omitempty"` // Go expression for the interactive version of the figure
	Parameters any     `json:"parameters,omitempty"`
	Seed       *uint64 `json:"seed,omitempty"`
	Numbers    string  `json:"numbers"` // SHA-256 of the figure's numbers in CSV format
	Files      []File  `json:"files"`
}

// A File is one file of a figure.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// Read reads a manifest that [Write] has written. It returns an error if the file is not a manifest
// or lists a figure twice.
func Read(path string) (*Manifest, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("figures: cannot read the manifest: %w", err)
	}
	m := &Manifest{}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	d.UseNumber() // keep numbers as text, because a float64 cannot represent all digits of a long seed
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("figures: %s is not a manifest of figures: %w; make one with `go run ./generate figures`", path,
			err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("figures: %s has more text after the end of the manifest", path)
	}
	if m.Schema != schema {
		return nil, fmt.Errorf("figures: %s has schema %q, want %q; make it again", path, m.Schema, schema)
	}
	seen := map[string]bool{}
	for _, item := range m.Figures {
		if seen[item.ID] {
			return nil, fmt.Errorf("figures: %s lists %s twice; make it again", path, item.ID)
		}
		seen[item.ID] = true
	}
	return m, nil
}

// Check draws the figures of the manifest again, in the manifest's size and formats. It returns one
// line of text for each difference from the manifest. Check compares the version of the toolkit and, for
// each figure, the numbers, the bytes of the files, the parameters, the seed and the texts. A figure
// that only the catalogue or only the manifest contains is also a difference. If o.IDs is not empty,
// Check compares only the figures in o.IDs. Check writes nothing.
//
// Check returns an error if an id in o.IDs is unknown, if the manifest has an unknown size or an
// invalid file name, if o.Jobs is negative, if a figure cannot be drawn, or if o.Context is cancelled.
func Check(m *Manifest, o Options) ([]string, error) {
	var diffs []string
	if m.Version != version {
		diffs = append(diffs, fmt.Sprintf("the manifest was made with version %q, but this is version %q", m.Version, version))
	}
	wanted, err := selectEntries(o.IDs)
	if err != nil {
		return nil, err
	}
	listed := map[string]Item{}
	for _, item := range m.Figures {
		listed[item.ID] = item
	}
	var both []string
	for _, e := range wanted {
		if _, ok := listed[e.ID]; ok {
			both = append(both, e.ID)
		} else {
			diffs = append(diffs, e.ID+": is not in the manifest")
		}
	}
	for _, item := range m.Figures {
		if _, err := figures.Find(item.ID); err != nil && len(o.IDs) == 0 {
			diffs = append(diffs, item.ID+": is in the manifest, but the figure does not exist")
		}
	}
	o.IDs, o.Size = both, m.Size
	if o.Formats, err = formatsOf(m); err != nil {
		return nil, err
	}
	// Call newWriter even if there are no figures to draw, because newWriter also checks the size.
	w, err := newWriter(o, func(string, []byte) error { return nil })
	if err != nil {
		return nil, err
	}
	if len(both) == 0 { // return now, because the writer takes an empty list to mean all figures
		return diffs, nil
	}
	items, err := w.writeAll()
	if err != nil {
		return nil, err
	}
	for _, drawn := range items {
		d, err := compare(listed[drawn.ID], drawn)
		if err != nil {
			return nil, err
		}
		diffs = append(diffs, d...)
	}
	return diffs, nil
}

// formatsOf returns all formats of the files in m. Check draws each figure in all of these formats,
// so that it notices if the manifest lists a format for one figure but not for another.
func formatsOf(m *Manifest) ([]string, error) {
	found := map[string]bool{}
	for _, item := range m.Figures {
		for _, f := range item.Files {
			format, ok := strings.CutPrefix(f.Name, item.ID+".")
			if !ok || !slices.Contains(Formats(), format) {
				return nil, fmt.Errorf("figures: the manifest lists the file %q of %s: want the name %s.FORMAT, where FORMAT is one of %s",
					f.Name, item.ID, item.ID, strings.Join(Formats(), ", "))
			}
			found[format] = true
		}
	}
	var formats []string
	for _, f := range Formats() {
		if found[f] {
			formats = append(formats, f)
		}
	}
	return formats, nil
}

// compare returns the differences between two items for the same figure: `listed` comes from the
// manifest, and `drawn` describes the figure as it was drawn just now.
func compare(listed, drawn Item) (diffs []string, err error) {
	add := func(format string, a ...any) { diffs = append(diffs, drawn.ID+": "+fmt.Sprintf(format, a...)) }
	if listed.Numbers != drawn.Numbers {
		add("numbers differ")
	}
	old := map[string]string{}
	for _, f := range listed.Files {
		old[f.Name] = f.SHA256
	}
	for _, f := range drawn.Files {
		switch h, ok := old[f.Name]; {
		case !ok:
			add("%s: is not in the manifest", f.Name)
		case h != f.SHA256:
			add("%s: bytes differ", f.Name)
		}
	}
	for _, f := range listed.Files {
		if !slices.ContainsFunc(drawn.Files, func(d File) bool { return d.Name == f.Name }) {
			add("%s: is in the manifest, but the figure no longer has this file", f.Name)
		}
	}
	// Compare all other fields as JSON values, because the manifest is stored as JSON.
	a, err := fields(listed)
	if err != nil {
		return nil, err
	}
	b, err := fields(drawn)
	if err != nil {
		return nil, err
	}
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !reflect.DeepEqual(a[name], b[name]) {
			add("%s: %v in the manifest, now %v", name, a[name], b[name])
		}
	}
	return diffs, nil
}

// fields returns the fields of an item as JSON values. It omits the fields for the checksum of the
// numbers and for the files.
func fields(item Item) (map[string]any, error) {
	b, err := json.Marshal(item)
	if err != nil {
		return nil, fmt.Errorf("figures: %s: %w", item.ID, err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	m := map[string]any{}
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("figures: %s: %w", item.ID, err)
	}
	delete(m, "numbers")
	delete(m, "files")
	return m, nil
}

// Options configures [Write] and [Check]. Check ignores Formats and Size, and uses the formats and
// the size in the manifest. The zero value selects every figure, the size for notebooks, and all of
// these formats: SVG, PNG, PDF, CSV for the figure's numbers, and HTML for the interactive version if
// the figure has one.
type Options struct {
	IDs     []string // ids of figures, such as "fig-prml-4.4" or "prml-4.4"; empty means all figures
	Formats []string // formats, each one of [Formats]; empty means svg, png, pdf, csv and html
	Jobs    int      // number of figures to draw at the same time; 0 means one
	Size    string   // "notebook" (also selected by ""), "page" or "slide"
	// Context, if not nil, can stop Write and Check: they stop when Context is cancelled. Each file
	// that Write has written by then is complete.
	Context context.Context
	// Progress, if not nil, is called after each figure, with the number of figures done so far.
	// Two calls never overlap.
	Progress func(done, total int, id string)
}

// Formats returns the formats that [Write] accepts: all of show.Formats, and html. The format html
// is a page with the interactive version of a figure. Write skips this format if the figure has no
// interactive version.
func Formats() []string { return append(show.Formats(), pageFormat) }

const pageFormat = "html"

// Name is the name of the manifest in the folder of figures.
const Name = "manifest.json"

// Gallery is the name of the page that shows all figures. The page is in the folder of figures. The
// pages with interactive versions link to this page.
const Gallery = "index.html"

// Write draws figures and writes them to dir as ID.format. Then it writes the manifest and returns
// it. It creates the folder if necessary. With the same IDs, Formats and Size, Write always writes
// the same bytes, whatever the value of Jobs is.
//
// Before Write writes anything, it checks the ids, formats, size and Jobs. The error for an unknown
// id suggests the nearest id. Write replaces each file only when the new file is complete. After the
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

// A writer draws the figures in its list `entries`. For each file of a figure, it calls the function
// `keep`.
type writer struct {
	keep    func(name string, b []byte) error
	entries []figures.Entry
	formats []string
	size    show.Size
	jobs    int
	ctx     context.Context
	done    func(done, total int, id string)
}

// newWriter checks the options and returns a writer for the chosen figures.
func newWriter(o Options, keep func(name string, b []byte) error) (*writer, error) {
	if o.Jobs < 0 {
		return nil, fmt.Errorf("figures: Jobs is %d; it must not be negative", o.Jobs)
	}
	w := &writer{keep: keep, jobs: max(1, o.Jobs), ctx: o.Context, done: o.Progress}
	if w.ctx == nil {
		w.ctx = context.Background()
	}
	var err error
	if w.entries, err = selectEntries(o.IDs); err != nil {
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

// writeAll draws the figures in at most w.jobs goroutines. It returns an Item for each figure, in the
// order of w.entries. After an error, the Items of some figures are empty.
func (w *writer) writeAll() ([]Item, error) {
	ctx, stop := context.WithCancelCause(w.ctx)
	defer stop(nil)
	items := make([]Item, len(w.entries))
	next := make(chan int, len(w.entries))
	for i := range w.entries {
		next <- i
	}
	close(next)
	var mu sync.Mutex // mu protects the variable `done`, and ensures that calls of w.done do not overlap
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

// encode returns the bytes of the figure's file in the given format. For the format html, the file
// is a page with the interactive version, and Options.Size has no effect on the size of this
// version.
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

// selectEntries returns the entries with the given ids in the order of the catalogue, or all
// entries if the list of ids is empty.
func selectEntries(ids []string) ([]figures.Entry, error) {
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

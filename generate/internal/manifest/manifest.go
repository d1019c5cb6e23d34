// Package manifest draws the figures of the catalogue into a folder, records them in a manifest,
// and compares a manifest with newly drawn figures.
package manifest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

const (
	schema  = "hyperplane-figures/1"
	version = toolkit.Version
)

// A Manifest lists the figures in a folder, the code that draws them, and the checksums of their
// files. It does not contain dates or paths, so equal figures have equal manifests.
type Manifest struct {
	Schema  string `json:"schema"`  // "hyperplane-figures/1"
	Version string `json:"version"` // version of the toolkit
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
	Call       string  `json:"call"`                 // Go code that draws the figure
	ChartCall  string  `json:"chart_call,omitempty"` // Go code of the interactive form
	Parameters any     `json:"parameters,omitempty"`
	Seed       *uint64 `json:"seed,omitempty"`
	Numbers    string  `json:"numbers"` // SHA-256 of the numbers as CSV
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

// Read reads a manifest written by [Write]. It returns an error if the file is not a manifest or
// lists a figure twice.
func Read(path string) (*Manifest, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("figures: cannot read the manifest: %w", err)
	}
	m := &Manifest{}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	d.UseNumber() // a seed can have more digits than a float64
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

// Check draws the figures of the manifest again, in its size and formats, and returns the
// differences, one line each. Check compares the numbers, the bytes of files, the parameters and
// the texts. A figure that only the catalogue or only the manifest contains is also a difference.
// If o.IDs is not empty, Check compares only the figures in o.IDs. Check writes nothing. If there
// is no difference, Write would write the same manifest.
//
// Errors: an unknown id, size or format, or a figure that cannot be drawn.
func Check(m *Manifest, o Options) ([]string, error) {
	var diffs []string
	if m.Version != version {
		diffs = append(diffs, fmt.Sprintf("the manifest was made with version %q, but this is version %q", m.Version, version))
	}
	wanted, err := selected(o.IDs)
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
	// Call newWriter before the shortcut below, because it returns an error for an invalid size.
	w, err := newWriter(o, func(string, []byte) error { return nil })
	if err != nil {
		return nil, err
	}
	if len(both) == 0 { // a writer without ids would draw all figures
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
// so that it detects a missing file of a figure.
func formatsOf(m *Manifest) ([]string, error) {
	found := map[string]bool{}
	for _, item := range m.Figures {
		for _, f := range item.Files {
			format, ok := strings.CutPrefix(f.Name, item.ID+".")
			if !ok || !slices.Contains(Formats(), format) {
				return nil, fmt.Errorf("figures: the manifest lists the file %q of %s: want a name %s.FORMAT with a format of %s",
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

// compare returns the differences between a figure as listed in the manifest and the same figure as
// drawn now.
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
			add("%s: is in the manifest, but the file is missing", f.Name)
		}
	}
	// Compare all other fields in the form that the JSON file contains.
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

// fields returns the fields of an item as JSON values, without numbers and files.
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

package manifest

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// TestCheck checks that Check reports each difference in the table and no other difference. In this
// test, Write draws the two figures one after the other, but Check draws them at the same time. The
// figures must be the same nevertheless.
func TestCheck(t *testing.T) {
	ids := []string{"fig-prml-4.4", "fig-prml-4.9"}
	const zero = "0000000000000000000000000000000000000000000000000000000000000000"
	seed := uint64(77)
	entry := must.Get(figures.Find("prml-4.9"))(t)
	tests := []struct {
		name   string
		change func(m *Manifest)
		want   []string
	}{
		{"as written", func(*Manifest) {}, nil},
		{"numbers", func(m *Manifest) { m.Figures[1].Numbers = zero }, []string{"fig-prml-4.9: numbers differ"}},
		{"bytes", func(m *Manifest) { m.Figures[0].Files[1].SHA256 = zero },
			[]string{"fig-prml-4.4: fig-prml-4.4.svg: bytes differ"}},
		{"one digit", func(m *Manifest) {
			h := []byte(m.Figures[0].Files[0].SHA256)
			h[63] ^= 1 // flip the lowest bit of the last digit, so that the digit always changes
			m.Figures[0].Files[0].SHA256 = string(h)
		}, []string{"fig-prml-4.4: fig-prml-4.4.csv: bytes differ"}},
		{"file left out", func(m *Manifest) { m.Figures[1].Files = m.Figures[1].Files[:1] },
			[]string{"fig-prml-4.9: fig-prml-4.9.svg: is not in the manifest"}},
		{"figure left out", func(m *Manifest) { m.Figures = m.Figures[1:] },
			[]string{"fig-prml-4.4: is not in the manifest"}},
		{"all left out", func(m *Manifest) { m.Figures = nil },
			[]string{"fig-prml-4.4: is not in the manifest", "fig-prml-4.9: is not in the manifest"}},
		{"size", func(m *Manifest) { m.Size = "slide" },
			[]string{"fig-prml-4.4: fig-prml-4.4.svg: bytes differ", "fig-prml-4.9: fig-prml-4.9.svg: bytes differ"}},
		{"parameters", func(m *Manifest) { m.Figures[0].Parameters = figures.PRML4x4Options{N: 51, Outliers: 8} },
			[]string{"fig-prml-4.4: parameters: map[N:51 Outliers:8 Seed:0] in the manifest, now map[N:50 Outliers:8 Seed:0]"}},
		{"seed", func(m *Manifest) { m.Figures[0].Seed = &seed },
			[]string{"fig-prml-4.4: seed: 77 in the manifest, now 0"}},
		{"title", func(m *Manifest) { m.Figures[1].Title = "" },
			[]string{"fig-prml-4.9: title:  in the manifest, now " + entry.Title}},
		{"version", func(m *Manifest) { m.Version = "0.0.0" },
			[]string{`the manifest was made with version "0.0.0", but this is version "` + version + `"`}},
	}
	dir := t.TempDir()
	must.Get(Write(dir, Options{IDs: ids, Formats: []string{"csv", "svg"}, Size: "page"}))(t)
	before := must.Tree(t, dir)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := must.Get(Read(filepath.Join(dir, Name)))(t)
			tt.change(m)
			diffs := must.Get(Check(m, Options{IDs: ids, Jobs: 2}))(t)
			if !slices.Equal(diffs, tt.want) {
				t.Errorf("differences\n%s\nwant\n%s", strings.Join(diffs, "\n"), strings.Join(tt.want, "\n"))
			}
			if !maps.Equal(must.Tree(t, dir), before) {
				t.Error("Check has changed files, want no changes")
			}
		})
	}
}

// TestCheckUnmatchedFigures checks that, without ids, Check reports each figure that is in the
// manifest but not in the catalogue, or the other way round. In this test, the manifest and the
// catalogue have no figure in common, so Check draws nothing.
func TestCheckUnmatchedFigures(t *testing.T) {
	m := &Manifest{Schema: schema, Version: version, Size: "page", Figures: []Item{{ID: "fig-prml-4.99"}}}
	diffs := must.Get(Check(m, Options{}))(t)
	if len(diffs) != len(figures.All())+1 {
		t.Errorf("got %d differences, want %d: one for each figure of the catalogue, and one for the unknown figure", len(diffs), len(figures.All())+1)
	}
	if last := diffs[len(diffs)-1]; last != "fig-prml-4.99: is in the manifest, but the figure does not exist" {
		t.Errorf("the last difference is %q, want the message that the figure fig-prml-4.99 does not exist", last)
	}
}

func TestCheckErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		m    Manifest
		o    Options
		word string
	}{
		{"id", Manifest{}, Options{IDs: []string{"prml-4.99"}}, "did you mean"},
		{"size", Manifest{Size: "poster"}, Options{}, `"poster"`},
		{"jobs", Manifest{}, Options{Jobs: -1}, "Jobs is -1"},
		{"format", Manifest{Figures: []Item{{ID: "fig-prml-4.9", Files: []File{{Name: "fig-prml-4.9.gif"}}}}},
			Options{}, "fig-prml-4.9.gif"},
		{"file of another figure", Manifest{Figures: []Item{{ID: "fig-prml-4.9", Files: []File{{Name: "fig-prml-4.4.svg"}}}}},
			Options{}, "fig-prml-4.4.svg"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Check(&c.m, c.o)
			must.Fail(t, err, c.word)
		})
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	written := must.Get(Write(dir, Options{IDs: []string{"fig-prml-4.4"}, Formats: []string{"csv"}}))(t)
	read := must.Get(Read(filepath.Join(dir, Name)))(t)
	if diffs, err := compare(read.Figures[0], written.Figures[0]); err != nil || len(diffs) != 0 {
		t.Errorf("after writing and reading the manifest, got the differences %v and the error %v, want no differences and no error", diffs, err)
	}
	const head = `{"schema":"hyperplane-figures/1","figures":`
	for name, c := range map[string]struct{ text, word string }{
		"not JSON":      {"figures", "is not a manifest"},
		"unknown field": {head + `[], "date": 1}`, `"date"`},
		"other schema":  {`{"schema":"hyperplane-report/1"}`, "hyperplane-report/1"},
		"twice":         {head + `[{"id":"fig-prml-4.4"},{"id":"fig-prml-4.4"}]}`, "twice"},
		"two values":    {head + `[]} {}`, "has more text"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "m.json")
			must.Write(t, path, c.text)
			_, err := Read(path)
			must.Fail(t, err, c.word)
		})
	}
	_, err := Read(filepath.Join(dir, "none.json"))
	must.Fail(t, err, "cannot read")
}

func TestWriteIsTheSameForAnyJobs(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short: the test draws all figures")
	}
	one, two := filepath.Join(t.TempDir(), "new", "folder"), t.TempDir()
	var calls []int
	m, err := Write(one, Options{Progress: func(done, total int, id string) {
		if total != len(figures.All()) {
			t.Errorf("Progress got the total %d, want %d", total, len(figures.All()))
		}
		calls = append(calls, done)
	}})
	must.Do(t, err)
	for i := range figures.All() {
		if len(calls) != len(figures.All()) || calls[i] != i+1 {
			t.Errorf("Progress got the counts %v, want 1 to %d", calls, len(figures.All()))
			break
		}
	}
	// Draw only a few figures with several jobs, because the gate `figures` already draws all figures
	// with several jobs and compares them with the manifest in the repository.
	must.Get(Write(two,
		Options{Jobs: 3, IDs: []string{"fig-prml-4.4", "fig-prml-4.5", "fig-prml-4.9", "fig-prml-4.12"}}))(t)
	a, b := must.Tree(t, one), must.Tree(t, two)
	delete(b, Name)
	want := 4*len(figures.All()) + 1
	for _, e := range figures.All() {
		if e.Chart != nil {
			want++
		}
	}
	if len(a) != want || len(b) < 16 {
		t.Errorf("all figures and the manifest: got %d files, want %d; four figures: got %d files, want 16 or more", len(a), want, len(b))
	}
	for name := range b {
		if a[name] != b[name] {
			t.Errorf("the content of %s depends on the number of jobs", name)
		}
	}
	if m.Version != toolkit.Version || m.Size != "notebook" {
		t.Errorf("got a manifest with the version %q and the size %q, want the toolkit's version and the size \"notebook\"", m.Version, m.Size)
	}
	var read Manifest
	must.Do(t, json.Unmarshal([]byte(a[Name]), &read))
	for i, item := range read.Figures {
		if item.ID != figures.All()[i].ID {
			t.Errorf("figure %d of the manifest is %s, want %s", i, item.ID, figures.All()[i].ID)
		}
		for _, f := range item.Files {
			if sum([]byte(a[f.Name])) != f.SHA256 {
				t.Errorf("%s: the checksum of the file differs from the checksum in the manifest", f.Name)
			}
			if strings.HasSuffix(f.Name, ".csv") && f.SHA256 != item.Numbers {
				t.Errorf("%s: in the manifest, the checksum of the numbers differs from the checksum of the CSV file", item.ID)
			}
		}
		if (item.Seed != nil) != (figures.All()[i].Seed != nil) {
			t.Errorf("%s: got the seed %v in the manifest, want a seed if and only if the catalogue has a seed for the figure", item.ID, item.Seed)
		}
	}
}

func TestWriteSelection(t *testing.T) {
	dir := t.TempDir()
	m := must.Get(Write(dir,
		Options{IDs: []string{"prml-4.9", "fig-prml-4.4", "prml-4.9"}, Formats: []string{"CSV", "json", "csv"},
			Size: "page"}))(t)
	if len(m.Figures) != 2 || m.Figures[0].ID != "fig-prml-4.4" || len(m.Figures[0].Files) != 2 || m.Size != "page" {
		t.Errorf("got the manifest %+v, want two figures in the size \"page\", the first one fig-prml-4.4 with two files", m)
	}
	if n := len(must.Tree(t, dir)); n != 5 {
		t.Errorf("got %d files, want 5: two files for each of two figures, and the manifest", n)
	}
}

func TestWriteErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must.Write(t, file, "")
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, c := range []struct {
		name string
		dir  string
		o    Options
		word string
	}{
		{"no folder", "", Options{}, "no output folder"},
		{"id", "x", Options{IDs: []string{"prml-4.55"}}, "did you mean"},
		{"format", "x", Options{Formats: []string{"bmp"}}, `"bmp": want one of svg`},
		{"size", "x", Options{Size: "poster"}, `"poster"`},
		{"jobs", "x", Options{Jobs: -1}, "Jobs is -1"},
		{"folder is a file", file, Options{}, "cannot make the folder"},
		{"stopped", t.TempDir(), Options{Context: stopped}, "stopped after"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Write(c.dir, c.o)
			must.Fail(t, err, c.word)
		})
	}
	if _, err := os.Stat("x"); !errors.Is(err, os.ErrNotExist) {
		t.Error("Write made the folder in spite of an invalid option")
	}
}

func TestFirstErrorEndsTheWork(t *testing.T) {
	w := must.Get(newWriter(Options{Formats: []string{"csv"}, Jobs: 2}, func(string, []byte) error { return nil }))(t)
	w.entries = []figures.Entry{
		{ID: "fig-bad", Draw: func() (*show.Figure, error) { return nil, errors.New("no ink") }},
		figures.All()[1],
	}
	_, err := w.writeAll()
	must.Fail(t, err, "fig-bad: no ink")
}

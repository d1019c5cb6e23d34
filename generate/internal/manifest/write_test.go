package manifest

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func TestWriteIsTheSameForAnyJobs(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short: the test draws all figures")
	}
	one, two := filepath.Join(t.TempDir(), "new", "folder"), t.TempDir()
	var calls []int
	m, err := Write(one, Options{Progress: func(done, total int, id string) {
		if total != len(figures.All()) {
			t.Errorf("got %d figures, want %d", total, len(figures.All()))
		}
		calls = append(calls, done)
	}})
	must.Do(t, err)
	for i, done := range calls {
		if done != i+1 || len(calls) != len(figures.All()) {
			t.Errorf("got the progress %v, want 1 to %d", calls, len(figures.All()))
			break
		}
	}
	// The comparison of all figures with the committed manifest, which several jobs draw, covers
	// the other figures.
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
		t.Errorf("got %d files, want %d; got %d files of four figures, want 16 or more", len(a), want, len(b))
	}
	for name := range b {
		if a[name] != b[name] {
			t.Errorf("%s depends on the number of jobs", name)
		}
	}
	if m.Version != toolkit.Version || m.Size != "notebook" {
		t.Errorf("the manifest has the version %q and the size %q", m.Version, m.Size)
	}
	var read Manifest
	must.Do(t, json.Unmarshal([]byte(a[Name]), &read))
	for i, item := range read.Figures {
		if item.ID != figures.All()[i].ID {
			t.Errorf("figure %d of the manifest is %s, want %s", i, item.ID, figures.All()[i].ID)
		}
		for _, f := range item.Files {
			if sum([]byte(a[f.Name])) != f.SHA256 {
				t.Errorf("%s: checksum differs from the manifest", f.Name)
			}
			if strings.HasSuffix(f.Name, ".csv") && f.SHA256 != item.Numbers {
				t.Errorf("%s: the checksum of the numbers differs from the file with the numbers", item.ID)
			}
		}
		if (item.Seed != nil) != (figures.All()[i].Seed != nil) {
			t.Errorf("%s: seed %v", item.ID, item.Seed)
		}
	}
}

func TestWriteSelection(t *testing.T) {
	dir := t.TempDir()
	m := must.Get(Write(dir,
		Options{IDs: []string{"prml-4.9", "fig-prml-4.4", "prml-4.9"}, Formats: []string{"CSV", "json", "csv"},
			Size: "page"}))(t)
	if len(m.Figures) != 2 || m.Figures[0].ID != "fig-prml-4.4" || len(m.Figures[0].Files) != 2 || m.Size != "page" {
		t.Errorf("manifest %+v", m)
	}
	if n := len(must.Tree(t, dir)); n != 5 {
		t.Errorf("got %d files, want 2 × 2 and the manifest", n)
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

// TestTogether checks that two figures drawn at the same time equal the same figures drawn one
// after the other. The race detector runs this test, because it would need over ten minutes for all
// figures.
func TestTogether(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	o := Options{IDs: []string{"fig-prml-4.4", "fig-prml-4.9"}, Formats: []string{"csv", "svg"}}
	must.Get(Write(one, o))(t)
	o.Jobs = 2
	must.Get(Write(two, o))(t)
	if a, b := must.Tree(t, one), must.Tree(t, two); len(a) != 5 || !maps.Equal(a, b) {
		t.Errorf("got %d files, want 5, including a manifest, equal to the %d files drawn one after the other", len(b),
			len(a))
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

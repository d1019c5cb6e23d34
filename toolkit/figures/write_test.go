package figures

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All() {
		if !strings.HasPrefix(e.ID, "fig-") || seen[e.ID] {
			t.Errorf("id %q is malformed or taken", e.ID)
		}
		seen[e.ID] = true
		for name, s := range map[string]string{"Title": e.Title, "Source": e.Source, "LookFor": e.LookFor, "Call": e.Call} {
			if s == "" {
				t.Errorf("%s has no %s", e.ID, name)
			}
		}
		if !strings.HasPrefix(e.Call, "figures.") {
			t.Errorf("%s: Call is %q", e.ID, e.Call)
		}
		fig, err := e.Draw()
		if err != nil {
			t.Errorf("%s: %v", e.ID, err)
			continue
		}
		if fig.Alt == "" || len(fig.Data()) == 0 {
			t.Errorf("%s: no description or no numbers", e.ID)
		}
	}
}

func TestFind(t *testing.T) {
	for _, id := range []string{"fig-prml-4.4", "prml-4.4", " PRML-4.4 "} {
		if e, err := Find(id); err != nil || e.ID != "fig-prml-4.4" {
			t.Errorf("%q: %v, %v", id, e.ID, err)
		}
	}
	for id, near := range map[string]string{"fig-prml-4.99": "fig-prml-4.9", "gambosi-sigmod": "fig-gambosi-sigmoid", "alpaydin-10.55": "fig-alpaydin-10.5"} {
		if _, err := Find(id); err == nil || !strings.Contains(err.Error(), "did you mean "+near+"?") {
			t.Errorf("%q: %v; want the suggestion %s", id, err, near)
		}
	}
}

// folder returns the files of dir by name.
func folder(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, e := range entries {
		if out[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestWriteAllIsTheSameForAnyJobs(t *testing.T) {
	one, two := filepath.Join(t.TempDir(), "new", "folder"), t.TempDir()
	var calls []int
	m, err := WriteAll(one, WriteOptions{Progress: func(done, total int, id string) {
		if total != len(All()) {
			t.Errorf("%d figures in all, want %d", total, len(All()))
		}
		calls = append(calls, done)
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i, done := range calls {
		if done != i+1 || len(calls) != len(All()) {
			t.Errorf("progress %v, want 1 to %d", calls, len(All()))
			break
		}
	}
	if _, err := WriteAll(two, WriteOptions{Jobs: 3}); err != nil {
		t.Fatal(err)
	}
	a, b := folder(t, one), folder(t, two)
	want := 4*len(All()) + 1
	for _, e := range All() {
		if e.Chart != nil {
			want++
		}
	}
	if len(a) != want || len(b) != len(a) {
		t.Errorf("%d and %d files, want %d", len(a), len(b), want)
	}
	for name := range a {
		if !bytes.Equal(a[name], b[name]) {
			t.Errorf("%s depends on the number of jobs", name)
		}
	}
	if m.Version != toolkit.Version || m.Size != "notebook" {
		t.Errorf("manifest of version %q, size %q", m.Version, m.Size)
	}
	var read Manifest
	if err := json.Unmarshal(a[ManifestName], &read); err != nil {
		t.Fatal(err)
	}
	for i, item := range read.Figures {
		if item.ID != All()[i].ID {
			t.Errorf("figure %d of the manifest is %s, want %s", i, item.ID, All()[i].ID)
		}
		for _, f := range item.Files {
			if sum(a[f.Name]) != f.SHA256 {
				t.Errorf("%s has another checksum than the manifest says", f.Name)
			}
			if strings.HasSuffix(f.Name, ".csv") && f.SHA256 != item.Numbers {
				t.Errorf("%s: the numbers have another checksum than their file", item.ID)
			}
		}
		if (item.Seed != nil) != (All()[i].Seed != nil) {
			t.Errorf("%s: seed %v", item.ID, item.Seed)
		}
	}
}

func TestWriteAllSelection(t *testing.T) {
	dir := t.TempDir()
	m, err := WriteAll(dir, WriteOptions{IDs: []string{"prml-4.9", "fig-prml-4.4", "prml-4.9"}, Formats: []string{"CSV", "json", "csv"}, Size: "page"})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Figures) != 2 || m.Figures[0].ID != "fig-prml-4.4" || len(m.Figures[0].Files) != 2 || m.Size != "page" {
		t.Errorf("manifest %+v", m)
	}
	if n := len(folder(t, dir)); n != 5 {
		t.Errorf("%d files, want 2 × 2 and the manifest", n)
	}
}

func TestWriteAllErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, c := range []struct {
		name string
		dir  string
		o    WriteOptions
		word string
	}{
		{"no folder", "", WriteOptions{}, "no folder"},
		{"id", "x", WriteOptions{IDs: []string{"prml-4.55"}}, "did you mean"},
		{"format", "x", WriteOptions{Formats: []string{"bmp"}}, `"bmp"; there are svg`},
		{"size", "x", WriteOptions{Size: "poster"}, `"poster"`},
		{"jobs", "x", WriteOptions{Jobs: -1}, "Jobs is -1"},
		{"folder is a file", file, WriteOptions{}, "cannot make the folder"},
		{"stopped", t.TempDir(), WriteOptions{Context: stopped}, "stopped after"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := WriteAll(c.dir, c.o)
			if err == nil || !strings.Contains(err.Error(), c.word) {
				t.Errorf("error %v does not say %q", err, c.word)
			}
		})
	}
	if _, err := os.Stat("x"); !errors.Is(err, os.ErrNotExist) {
		t.Error("a bad option made the folder")
	}
}

func TestFirstErrorEndsTheWork(t *testing.T) {
	dir := t.TempDir()
	w, err := newWriter(dir, WriteOptions{Formats: []string{"csv"}, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	w.entries = []Entry{
		{ID: "fig-bad", Draw: func() (*show.Figure, error) { return nil, errors.New("no ink") }},
		prml4x9Entry(),
	}
	if _, err := w.writeAll(); err == nil || !strings.Contains(err.Error(), "fig-bad: no ink") {
		t.Errorf("error %v", err)
	}
}

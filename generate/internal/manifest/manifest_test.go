package manifest

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

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
			h[63] ^= 1 // the code flips the lowest bit, so the digit always changes
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
				t.Error("the check wrote files")
			}
		})
	}
}

// TestCheckMissesFigures checks that, without ids, Check reports a figure that only the manifest or
// only the catalogue contains. Check draws nothing in this test, because the manifest contains no
// figure of the catalogue.
func TestCheckMissesFigures(t *testing.T) {
	m := &Manifest{Schema: schema, Version: version, Size: "page", Figures: []Item{{ID: "fig-prml-4.99"}}}
	diffs := must.Get(Check(m, Options{}))(t)
	if len(diffs) != len(figures.All())+1 {
		t.Errorf("got %d differences, want one for each of %d figures and one more", len(diffs), len(figures.All()))
	}
	if last := diffs[len(diffs)-1]; last != "fig-prml-4.99: is in the manifest, but the figure does not exist" {
		t.Errorf("last difference is %q", last)
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
		{"file of another", Manifest{Figures: []Item{{ID: "fig-prml-4.9", Files: []File{{Name: "fig-prml-4.4.svg"}}}}},
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
		t.Errorf("reading changes the manifest: %v, %v", diffs, err)
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

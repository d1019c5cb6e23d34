package nbformat

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// sample returns a notebook with contents that different JSON encoders write differently. It
// contains non-ASCII and HTML characters, the line separators that Python recognizes beside \n, control
// characters, JSON data, and empty lists and objects.
func sample() *Notebook {
	nb := New()
	nb.Metadata["hyperplane"] = map[string]any{"exercise": "prml-4.25", "seed": 0, "none": nil, "tags": []any{},
		"also": []string{"a"}}
	nb.AddMarkdown("title", "# λ² & <b>bold</b>\n\n$\\sigma(a)$ \"quoted\"\ttab")
	nb.AddMarkdown("empty", "")
	nb.AddMarkdown("lines", "a\r\nb\rc\vd\u2028e\u0085f\x1cg\n\n").Attachments = map[string]any{
		"x.png": map[string]any{"image/png": "iVBORw0KGgo=\n"},
	}
	c := nb.AddCode("run", "%%\nfmt.Println(1)\n")
	count := 3
	c.ExecutionCount = &count
	c.Metadata["hyperplane"] = map[string]any{"role": "check"}
	c.Metadata["execution"] = map[string]any{"iopub.execute_input": "2026-01-01T00:00:00Z"}
	c.Outputs = []Output{
		{"output_type": "stream", "name": "stdout", "text": "1\n2"},
		{"output_type": "display_data", "metadata": map[string]any{}, "data": map[string]any{
			"text/html":     "<b>a</b>\nb",
			"image/svg+xml": "<svg>\n</svg>",
			"image/png":     "iVBORw0KGgo=\n",
			"application/vnd.hyperplane.report+json": map[string]any{"parts": []any{"a\nb"},
				"loss": json.Number("1.5")},
		}},
		{"output_type": "error", "ename": "E", "evalue": "v\nw", "traceback": []any{"l1", "l2\n"}},
	}
	nb.AddCode("idle", "var x = 1 // \x1b\x7f")
	return nb
}

func TestMarshalForm(t *testing.T) {
	nb := &Notebook{Metadata: map[string]any{"kernelspec": kernelspec()}}
	nb.AddMarkdown("a", "x <y>\nλ")
	got := must.Get(nb.Marshal())(t)
	want := `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "a",
   "metadata": {},
   "source": [
    "x <y>\n",
    "λ"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "Go (gonb)",
   "language": "go",
   "name": "gonb"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`
	if string(got) != want {
		t.Errorf("Marshal wrote\n%s\nwant\n%s", got, want)
	}
}

func TestRoundTrip(t *testing.T) {
	first := must.Get(sample().Marshal())(t)
	nb := must.Get(Parse("sample", first))(t)
	second := must.Get(nb.Marshal())(t)
	must.SameNotebooks(t, map[string]string{"sample.ipynb": string(first)})
	if string(first) != string(second) {
		t.Errorf("reading and writing again changed the file:\n%s\nbecame\n%s", first, second)
	}
	if got, want := nb.Cell("lines").Source, sample().Cell("lines").Source; got != want {
		t.Errorf("got the source %q, want %q", got, want)
	}
	name, text := nb.Cell("run").Outputs[0].Stream()
	if name != "stdout" || text != "1\n2" {
		t.Errorf("got a stream with the name %q and the text %q, want stdout and \"1\\n2\"", name, text)
	}
	report, _ := nb.Cell("run").Outputs[1].Data("application/vnd.hyperplane.report+json").(map[string]any)
	if parts, _ := report["parts"].([]any); len(parts) != 1 {
		t.Errorf("after reading, the JSON data contain the report %v, want a report with a list of one part", report)
	}
	if got := nb.Cell("run").Outputs[1].Data("text/html"); got != "<b>a</b>\nb" {
		t.Errorf("got the HTML %q, want \"<b>a</b>\\nb\"", got)
	}
}

func TestStrip(t *testing.T) {
	run := sample()
	run.Metadata["language_info"] = map[string]any{"name": "go", "version": "go1.99"}
	run.Strip()
	c := run.Cell("run")
	if c.Outputs != nil || c.ExecutionCount != nil {
		t.Errorf("Strip left the outputs %v and the execution count %v, want nil for both", c.Outputs, c.ExecutionCount)
	}
	if _, left := c.Metadata["execution"]; left {
		t.Error("Strip did not remove the metadata about timing")
	}
	if OwnMetadata(c.Metadata)["role"] != "check" {
		t.Error("Strip removed the generator's own metadata")
	}
	if info := run.Metadata["language_info"].(map[string]any); info["version"] != "go1.26" {
		t.Errorf("Strip left the metadata %v about the language, want the version go1.26", info)
	}

	// StripTiming must remove the output with the chart library, but no other output.
	timed := sample()
	c = timed.Cell("run")
	c.Outputs = append(c.Outputs, Output{"output_type": "display_data", "metadata": map[string]any{},
		"data": map[string]any{"text/html": "<script>…</script>", show.LibraryMIME: "library"}})
	timed.StripTiming()
	if len(c.Outputs) != 3 || c.ExecutionCount == nil {
		t.Errorf("StripTiming left %d outputs and the execution count %v, want 3 outputs and a count that is not nil", len(c.Outputs), c.ExecutionCount)
	}
	if _, left := c.Metadata["execution"]; left {
		t.Error("StripTiming did not remove the metadata about timing")
	}
}

// TestStripCharts checks which parts of an output StripTiming removes. StripTiming must remove the
// interactive version of a chart that also has a picture. It must also remove the vector pictures that
// show.Display adds for pages. It must keep a chart that has no picture, HTML that is not a chart, and
// an SVG that show.Display has not written.
func TestStripCharts(t *testing.T) {
	const chart = chartPlace + ` data-key="k"></div>`
	bundle := func(data ...any) Output {
		m := map[string]any{}
		for i := 0; i < len(data); i += 2 {
			m[data[i].(string)] = data[i+1]
		}
		return Output{"output_type": "display_data", "metadata": map[string]any{}, "data": m}
	}
	nb := New()
	nb.AddCode("a", "x").Outputs = []Output{bundle("image/png", "AAAA", "text/html", chart), bundle("text/html", chart),
		bundle("image/png", "AAAA", "text/html", "<b>x</b>"),
		bundle("image/png", "AAAA", "image/svg+xml", "<svg/>", show.NarrowMIME, "<svg/>"),
		bundle("image/png", "AAAA", "image/svg+xml", "<svg/>")}
	still := New()
	still.AddCode("a", "x").Outputs = []Output{bundle("image/png", "AAAA"), bundle("text/html", chart),
		bundle("image/png", "AAAA", "text/html", "<b>x</b>"), bundle("image/png", "AAAA"),
		bundle("image/png", "AAAA", "image/svg+xml", "<svg/>")}
	nb.StripTiming()
	if got, want := string(must.Get(nb.Marshal())(t)), string(must.Get(still.Marshal())(t)); got != want {
		t.Errorf("StripTiming left the notebook %s, want %s", got, want)
	}
}

func TestParseErrors(t *testing.T) {
	cell := func(fields string) string {
		return `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[{` + fields + `}]}`
	}
	tests := []struct{ name, in, want string }{
		{"empty file", " \n", "f.ipynb: not a notebook: the file is empty"},
		{"not JSON", "{\n\"a\": 1,\n# Title\n}", "invalid JSON at line 3"},
		{"cut off", `{"cells": [`, "ends too early"},
		{"two objects", "{}\n{}", "more text follows the JSON at line 2"},
		{"a list", "[1]", "found a list, want a JSON object"},
		{"other JSON", `{"a":1}`, "nbformat: found nothing, want a number (is this a notebook?)"},
		{"version as text", `{"nbformat":"4"}`, "nbformat: found a text"},
		{"version 3", `{"nbformat":3,"nbformat_minor":0}`, "found notebook format 3.0, want 4.0 to 4.5"},
		{"version 4.9", `{"nbformat":4,"nbformat_minor":9}`, "found notebook format 4.9"},
		{"fractional version", `{"nbformat":4.5,"nbformat_minor":5}`, "nbformat: found 4.5, want a whole number"},
		{"no metadata", `{"nbformat":4,"nbformat_minor":5,"cells":[]}`, "metadata: found nothing"},
		{"no cells", `{"nbformat":4,"nbformat_minor":5,"metadata":{}}`, "cells: found nothing, want a list"},
		{"cells null", `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":null}`, "cells: found null"},
		{"cell is a number", `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[7]}`,
			"cell 1: found the number 7"},
		{"source is a number", cell(`"cell_type":"code","id":"a","metadata":{},"source":1`),
			"cell 1: source: found the number 1"},
		{"no outputs", cell(`"cell_type":"code","id":"a","metadata":{},"source":""`), "cell 1: outputs: found nothing"},
		{"unknown type", cell(`"cell_type":"heading","id":"a","metadata":{},"source":""`), `cell 1 has type "heading"`},
		{"no id", cell(`"cell_type":"markdown","metadata":{},"source":""`), `cell 1 has the id ""`},
		{"unknown output",
			cell(`"cell_type":"code","id":"a","metadata":{},"source":"","execution_count":null,"outputs":[{"output_type":"pyout"}]`), `has type "pyout"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("f.ipynb", []byte(tt.in))
			must.Fail(t, err, "f.ipynb: ", tt.want)
		})
	}
}

func TestOldMinorGetsIDs(t *testing.T) {
	nb := must.Get(Parse("old.ipynb", []byte(`{"nbformat":4,"nbformat_minor":2,"metadata":{},"cells":[
		{"cell_type":"markdown","metadata":{},"source":["a\n","b"]},
		{"cell_type":"code","metadata":{},"source":"x","outputs":[],"execution_count":null}]}`)))(t)
	if nb.Cell("cell-1").Source != "a\nb" || nb.Cell("cell-2") == nil || nb.Cell("cell-3") != nil {
		t.Errorf("got the notebook\n%s\nwant two cells: cell-1 with the source \"a\\nb\", and cell-2", must.Get(nb.Marshal())(t))
	}
}

func TestValidate(t *testing.T) {
	one := 1
	tests := []struct {
		name string
		edit func(nb *Notebook)
		want string
	}{
		{"good", func(*Notebook) {}, ""},
		{"id of 64", func(nb *Notebook) { nb.Cells[0].ID = strings.Repeat("a", 64) }, ""},
		{"id of 65", func(nb *Notebook) { nb.Cells[0].ID = strings.Repeat("a", 65) }, "1 to 64"},
		{"dot in id", func(nb *Notebook) { nb.Cells[0].ID = "prml-4.25" }, "letters, digits"},
		{"newline in id", func(nb *Notebook) { nb.Cells[0].ID = "a\n" }, "letters, digits"},
		{"same id twice", func(nb *Notebook) { nb.Cells[1].ID = nb.Cells[0].ID }, "cells 1 and 2 have the same id"},
		{"outputs on markdown", func(nb *Notebook) { nb.Cells[0].Outputs = []Output{{"output_type": "stream"}} },
			"has outputs"},
		{"count on markdown", func(nb *Notebook) { nb.Cells[0].ExecutionCount = &one }, "execution count"},
		{"attachments on code", func(nb *Notebook) { nb.Cell("idle").Attachments = map[string]any{} }, "attachments"},
		{"nil cell", func(nb *Notebook) { nb.Cells[0] = nil }, "cell 1 is nil"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nb := sample()
			tt.edit(nb)
			_, err := nb.Marshal() // Marshal calls Validate
			must.Fail(t, err, tt.want)
		})
	}
}

func TestMarshalRefusesForeignTypes(t *testing.T) {
	nb := New()
	nb.Metadata["x"] = func() {}
	_, err := nb.Marshal()
	must.Fail(t, err, "func()")
	must.Fail(t, nb.WriteFile("a.ipynb"), "a.ipynb: ", "func()")
}

func TestID(t *testing.T) {
	for _, tt := range []struct {
		parts []string
		want  string
	}{
		{[]string{"prml-4.25", "check"}, "prml-4-25-check"},
		{[]string{"alpaydin-10.3", "hint", "1"}, "alpaydin-10-3-hint-1"},
		{[]string{"tour", "Fit a model!"}, "tour-Fit-a-model-"},
	} {
		if got := ID(tt.parts...); got != tt.want {
			t.Errorf("ID(%q) = %q, want %q", tt.parts, got, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(must.Get(sample().Marshal())(f))
	f.Add([]byte(`{"nbformat":4,"nbformat_minor":2,"metadata":{},"cells":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		nb, err := Parse("fuzz", data)
		if err != nil {
			return
		}
		first, err := nb.Marshal()
		if err != nil {
			t.Fatalf("Parse accepts the notebook, but Marshal fails: %v", err)
		}
		again, err := Parse("fuzz", first)
		if err != nil {
			t.Fatalf("Parse fails on the text that Marshal returned: %v", err)
		}
		second, err := again.Marshal()
		if err != nil || string(first) != string(second) {
			t.Fatalf("after Marshal and Parse, a second Marshal returned the error %v and the text\n%s\nwant no error and the text of the first Marshal\n%s", err, second, first)
		}
	})
}

// TestReadFileRefuses checks that ReadFile accepts only a regular file of at most MaxSize bytes.
// ReadFile must reject everything else immediately, without waiting for data.
func TestReadFileRefuses(t *testing.T) {
	link := func(to string) func(string) error {
		return func(path string) error { return os.Symlink(to, path) }
	}
	tests := []struct {
		name string
		make func(path string) error
		want string
	}{
		{"missing", func(string) error { return nil }, "no such file"},
		{"pipe", func(path string) error { return unix.Mkfifo(path, 0o600) }, "not a regular file"},
		{"device without end", link("/dev/zero"), "not a regular file"},
		{"dangling link", link("nowhere"), "no such file"},
		{"link to itself", link("x.ipynb"), "too many levels"},
		{"link to a folder", link("."), "a folder"},
		{"folder", func(path string) error { return os.Mkdir(path, 0o700) }, "a folder"},
		{"giant", func(path string) error {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(path, MaxSize+1) // this file is sparse, so it occupies no disk space
		}, "more than a notebook may have"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.ipynb")
			must.Do(t, tt.make(path))
			_, err := ReadFile(path)
			if must.Fail(t, err, path, tt.want); !errors.As(err, new(*fs.PathError)) {
				t.Errorf("got the error %v, want an fs.PathError", err)
			}
		})
	}
}

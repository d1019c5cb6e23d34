package nbformat

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// sample uses what makes notebook writers differ: non-ASCII, HTML characters,
// line separators that only Python splits at, control characters, JSON data,
// empty lists and objects.
func sample() *Notebook {
	nb := New()
	nb.Metadata["hyperplane"] = map[string]any{"exercise": "prml-4.25", "seed": 0, "none": nil, "tags": []any{}, "also": []string{"a"}}
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
			"text/html":                              "<b>a</b>\nb",
			"image/svg+xml":                          "<svg>\n</svg>",
			"image/png":                              "iVBORw0KGgo=\n",
			"application/vnd.hyperplane.report+json": map[string]any{"parts": []any{"a\nb"}, "loss": json.Number("1.5")},
		}},
		{"output_type": "error", "ename": "E", "evalue": "v\nw", "traceback": []any{"l1", "l2\n"}},
	}
	nb.AddCode("idle", "var x = 1 // \x1b\x7f")
	return nb
}

func TestMarshalForm(t *testing.T) {
	nb := New()
	nb.AddMarkdown("a", "x <y>\nλ")
	got, err := nb.Marshal()
	if err != nil {
		t.Fatal(err)
	}
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
  },
  "language_info": {
   "codemirror_mode": "",
   "file_extension": ".go",
   "mimetype": "text/x-go",
   "name": "go",
   "nbconvert_exporter": "",
   "pygments_lexer": "",
   "version": "go1.26"
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
	first, err := sample().Marshal()
	if err != nil {
		t.Fatal(err)
	}
	nb, err := Parse("sample", first)
	if err != nil {
		t.Fatal(err)
	}
	second, err := nb.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if string(first) != string(second) {
		t.Errorf("reading and writing again changed the file:\n%s\nbecame\n%s", first, second)
	}
	if got, want := nb.Cell("lines").Source, sample().Cell("lines").Source; got != want {
		t.Errorf("source became %q, want %q", got, want)
	}
	name, text := nb.Cell("run").Outputs[0].Stream()
	if name != "stdout" || text != "1\n2" {
		t.Errorf("stream became %q %q", name, text)
	}
	report, _ := nb.Cell("run").Outputs[1].Data("application/vnd.hyperplane.report+json").(map[string]any)
	if parts, _ := report["parts"].([]any); len(parts) != 1 {
		t.Errorf("a list in JSON data was not kept: %v", report)
	}
	if got := nb.Cell("run").Outputs[1].Data("text/html"); got != "<b>a</b>\nb" {
		t.Errorf("HTML became %q", got)
	}
}

func TestStrip(t *testing.T) {
	run := sample()
	run.Metadata["language_info"] = map[string]any{"name": "go", "version": "go1.99"}
	run.Strip()
	c := run.Cell("run")
	if c.Outputs != nil || c.ExecutionCount != nil {
		t.Error("outputs or execution count are left")
	}
	if _, left := c.Metadata["execution"]; left {
		t.Error("timing metadata is left")
	}
	if _, kept := c.Metadata["hyperplane"]; !kept {
		t.Error("the generator's own metadata is gone")
	}
	if info := run.Metadata["language_info"].(map[string]any); info["version"] != "go1.26" {
		t.Errorf("the kernel's release is left: %v", info)
	}

	timed := sample()
	timed.StripTiming()
	c = timed.Cell("run")
	if len(c.Outputs) != 3 || c.ExecutionCount == nil {
		t.Error("StripTiming took outputs or the execution count away")
	}
	if _, left := c.Metadata["execution"]; left {
		t.Error("StripTiming left timing metadata")
	}
}

func TestParseErrors(t *testing.T) {
	cell := func(fields string) string {
		return `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[{` + fields + `}]}`
	}
	tests := []struct{ name, in, want string }{
		{"empty file", " \n", "f.ipynb: not a notebook: the file is empty"},
		{"not JSON", "{\n\"a\": 1,\n# Title\n}", "no JSON at line 3"},
		{"cut off", `{"cells": [`, "cut off"},
		{"two objects", "{}\n{}", "more text follows the JSON at line 2"},
		{"a list", "[1]", "found a list, want a JSON object"},
		{"other JSON", `{"a":1}`, "nbformat: found nothing, want a number (is this a notebook?)"},
		{"version as text", `{"nbformat":"4"}`, "nbformat: found a text"},
		{"version 3", `{"nbformat":3,"nbformat_minor":0}`, "notebook format 3.0 found, want 4.5"},
		{"version 4.9", `{"nbformat":4,"nbformat_minor":9}`, "notebook format 4.9 found"},
		{"fractional version", `{"nbformat":4.5,"nbformat_minor":5}`, "nbformat: found 4.5, want a whole number"},
		{"no metadata", `{"nbformat":4,"nbformat_minor":5,"cells":[]}`, "metadata: found nothing"},
		{"no cells", `{"nbformat":4,"nbformat_minor":5,"metadata":{}}`, "cells: found nothing, want a list"},
		{"cells null", `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":null}`, "cells: found null"},
		{"cell is a number", `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[7]}`, "cell 1: found the number 7"},
		{"source is a number", cell(`"cell_type":"code","id":"a","metadata":{},"source":1`), "cell 1: source: found the number 1"},
		{"no outputs", cell(`"cell_type":"code","id":"a","metadata":{},"source":""`), "cell 1: outputs: found nothing"},
		{"unknown type", cell(`"cell_type":"heading","id":"a","metadata":{},"source":""`), `cell 1 has type "heading"`},
		{"no id", cell(`"cell_type":"markdown","metadata":{},"source":""`), `cell 1 has the id ""`},
		{"unknown output", cell(`"cell_type":"code","id":"a","metadata":{},"source":"","execution_count":null,"outputs":[{"output_type":"pyout"}]`), `has type "pyout"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("f.ipynb", []byte(tt.in))
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "f.ipynb: ") {
				t.Errorf("error %q, want f.ipynb: …%s…", err, tt.want)
			}
		})
	}
	if _, err := ReadFile(t.TempDir() + "/missing.ipynb"); err == nil || !strings.Contains(err.Error(), "missing.ipynb") {
		t.Errorf("missing file: error %v, want one that names it", err)
	}
}

func TestOldMinorGetsIDs(t *testing.T) {
	nb, err := Parse("old.ipynb", []byte(`{"nbformat":4,"nbformat_minor":2,"metadata":{},"cells":[
		{"cell_type":"markdown","metadata":{},"source":["a\n","b"]},
		{"cell_type":"code","metadata":{},"source":"x","outputs":[],"execution_count":null}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if nb.Cell("cell-1").Source != "a\nb" || nb.Cell("cell-2") == nil || nb.Cell("cell-3") != nil {
		t.Errorf("cells are %+v", nb.Cells)
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
		{"outputs on markdown", func(nb *Notebook) { nb.Cells[0].Outputs = []Output{{"output_type": "stream"}} }, "has outputs"},
		{"count on markdown", func(nb *Notebook) { nb.Cells[0].ExecutionCount = &one }, "execution count"},
		{"attachments on code", func(nb *Notebook) { nb.Cell("idle").Attachments = map[string]any{} }, "attachments"},
		{"nil cell", func(nb *Notebook) { nb.Cells[0] = nil }, "cell 1 is nil"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nb := sample()
			tt.edit(nb)
			err := nb.Validate()
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if _, err := nb.Marshal(); err == nil {
				t.Error("Marshal wrote a notebook that Validate refuses")
			}
		})
	}
}

func TestMarshalRefusesForeignTypes(t *testing.T) {
	nb := New()
	nb.Metadata["x"] = struct{ A int }{1}
	if _, err := nb.Marshal(); err == nil || !strings.Contains(err.Error(), "struct") {
		t.Errorf("error %v, want one that names the type", err)
	}
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
	good, err := sample().Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"nbformat":4,"nbformat_minor":2,"metadata":{},"cells":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		nb, err := Parse("fuzz", data)
		if err != nil {
			return
		}
		first, err := nb.Marshal()
		if err != nil {
			t.Fatalf("read but not written: %v", err)
		}
		again, err := Parse("fuzz", first)
		if err != nil {
			t.Fatalf("written but not read: %v", err)
		}
		second, err := again.Marshal()
		if err != nil || string(first) != string(second) {
			t.Fatalf("second writing differs (%v)", err)
		}
	})
}

// The chart library goes, the charts stay.
func TestStripLibrary(t *testing.T) {
	nb := sample()
	c := nb.Cell("run")
	n := len(c.Outputs)
	c.Outputs = append(c.Outputs, Output{"output_type": "display_data", "metadata": map[string]any{},
		"data": map[string]any{"text/html": "<script>…</script>", show.LibraryMIME: "library"}})
	nb.StripTiming()
	if len(c.Outputs) != n {
		t.Errorf("%d outputs, want the %d without the library", len(c.Outputs), n)
	}
}

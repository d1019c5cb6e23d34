// Package nbformat reads, checks and writes Jupyter notebooks of format 4.5,
// byte for byte as Jupyter itself writes them.
package nbformat

import "regexp"

// Major and Minor are the notebook format that this package writes.
const (
	Major = 4
	Minor = 5
)

// A CellType is the kind of a cell.
type CellType string

// The kinds of cells.
const (
	Markdown CellType = "markdown"
	Code     CellType = "code"
	Raw      CellType = "raw"
)

// A Notebook is one .ipynb file.
type Notebook struct {
	Cells    []*Cell
	Metadata map[string]any
}

// A Cell is one cell of a notebook. Source is whole, with its newlines; the file
// holds it as a list of lines.
type Cell struct {
	Type           CellType
	ID             string // unique in the notebook, 1 to 64 of a-z A-Z 0-9 - _
	Source         string
	Metadata       map[string]any
	ExecutionCount *int           // code cells only; nil when not run
	Outputs        []Output       // code cells only
	Attachments    map[string]any // markdown and raw cells only; nil when there are none
}

// An Output is one output of a code cell, as the notebook format has it.
// Texts that the file holds as lists of lines are joined.
type Output map[string]any

// Type returns "stream", "display_data", "execute_result" or "error".
func (o Output) Type() string { return o.text("output_type") }

// Stream returns "stdout" or "stderr" and the text of a stream output, and empty
// strings for any other output.
func (o Output) Stream() (name, text string) {
	if o.Type() != "stream" {
		return "", ""
	}
	return o.text("name"), o.text("text")
}

// Data returns what a display_data or execute_result output holds for a MIME
// type: a string, or for a JSON type what encoding/json makes of it (numbers as
// json.Number). It returns nil where there is none.
func (o Output) Data(mime string) any {
	data, _ := o["data"].(map[string]any)
	return data[mime]
}

func (o Output) text(key string) string {
	s, _ := o[key].(string)
	return s
}

// New returns an empty notebook for the GoNB kernel, with the metadata that
// Jupyter stores for it.
func New() *Notebook {
	return &Notebook{Metadata: map[string]any{
		"kernelspec":    kernelspec(),
		"language_info": languageInfo(),
	}}
}

// kernelspec is what GoNB's kernel.json says of itself.
func kernelspec() map[string]any {
	return map[string]any{"display_name": "Go (gonb)", "language": "go", "name": "gonb"}
}

// languageInfo is GoNB's kernel_info_reply. GoNB gives as version the Go release
// that it was built with; here stands the language version of the module, so that
// a notebook's bytes do not depend on the machine that made it.
func languageInfo() map[string]any {
	return map[string]any{
		"codemirror_mode":    "",
		"file_extension":     ".go",
		"mimetype":           "text/x-go",
		"name":               "go",
		"nbconvert_exporter": "",
		"pygments_lexer":     "",
		"version":            "go1.26",
	}
}

// AddMarkdown appends a markdown cell and returns it.
func (nb *Notebook) AddMarkdown(id, source string) *Cell {
	return nb.add(&Cell{Type: Markdown, ID: id, Source: source})
}

// AddCode appends a code cell without outputs and returns it.
func (nb *Notebook) AddCode(id, source string) *Cell {
	return nb.add(&Cell{Type: Code, ID: id, Source: source})
}

func (nb *Notebook) add(c *Cell) *Cell {
	c.Metadata = map[string]any{}
	nb.Cells = append(nb.Cells, c)
	return c
}

// Cell returns the cell with an id, or nil.
func (nb *Notebook) Cell(id string) *Cell {
	for _, c := range nb.Cells {
		if c.ID == id {
			return c
		}
	}
	return nil
}

var notIDCharacter = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)

// ID makes a cell id of parts: joined by -, with every run of characters that an
// id cannot hold turned into a -. ID("prml-4.25", "check") is "prml-4-25-check".
func ID(parts ...string) string {
	id := ""
	for i, p := range parts {
		if i > 0 {
			id += "-"
		}
		id += p
	}
	return notIDCharacter.ReplaceAllString(id, "-")
}

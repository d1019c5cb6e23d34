// Package nbformat reads Jupyter notebooks of the formats 4.0 to 4.5, checks them, and writes
// notebooks of format 4.5. The files that it writes equal, byte for byte, the files that Jupyter
// writes.
package nbformat

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Major and Minor are the version of the notebook format that this package writes.
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

// A Notebook is the content of an .ipynb file.
type Notebook struct {
	Cells    []*Cell
	Metadata map[string]any
}

// A Cell is one cell of a notebook. Source is the whole text of the cell, including newlines. In
// the file, this text is a list of lines.
type Cell struct {
	Type           CellType
	ID             string // unique in the notebook, with 1 to 64 of the characters a-z A-Z 0-9 - _
	Source         string
	Metadata       map[string]any
	ExecutionCount *int           // set only for code cells; nil if the cell has not run
	Outputs        []Output       // code cells only
	Attachments    map[string]any // set only for Markdown and raw cells; may be nil
}

// An Output is one output of a code cell, as defined by the notebook format. If the file stores a
// text as a list of lines, the Output contains the text as one string.
type Output map[string]any

// Type returns the type of the output. In a valid notebook the type is "stream", "display_data",
// "execute_result" or "error".
func (o Output) Type() string { return o.text("output_type") }

// Stream returns "stdout" or "stderr" and the text of a stream output, and two empty strings for
// any other output.
func (o Output) Stream() (name, text string) {
	if o.Type() != "stream" {
		return "", ""
	}
	return o.text("name"), o.text("text")
}

// Data returns the data of a display_data or execute_result output for a MIME type. For a JSON type,
// the data are the value that encoding/json decodes, in which numbers have the type json.Number. For
// any other type, the data are a string. If the output contains no data of this type, Data returns
// nil.
func (o Output) Data(mime string) any {
	data, _ := o["data"].(map[string]any)
	return data[mime]
}

func (o Output) text(key string) string {
	s, _ := o[key].(string)
	return s
}

// OwnMetadata returns, from the metadata of a cell or a notebook, the part that hyperplane's
// generator has written.
func OwnMetadata(metadata map[string]any) map[string]any {
	m, _ := metadata["hyperplane"].(map[string]any)
	return m
}

// New returns an empty notebook with the metadata that Jupyter stores for the GoNB kernel, apart from
// the Go version (see languageInfo).
func New() *Notebook {
	return &Notebook{Metadata: map[string]any{
		"kernelspec":    kernelspec(),
		"language_info": languageInfo(),
	}}
}

// kernelspec returns the metadata about the kernel, as in GoNB's kernel.json.
func kernelspec() map[string]any {
	return map[string]any{"display_name": "Go (gonb)", "language": "go", "name": "gonb"}
}

// languageInfo returns the metadata about the language, as in GoNB's kernel_info_reply, apart from the
// version. The version in GoNB's reply is the Go release that compiled GoNB. languageInfo uses the
// language version of the module instead, because a notebook's bytes must not depend on the machine.
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

// Cell returns the cell with the given id, or nil.
func (nb *Notebook) Cell(id string) *Cell {
	if i := slices.IndexFunc(nb.Cells, func(c *Cell) bool { return c.ID == id }); i >= 0 {
		return nb.Cells[i]
	}
	return nil
}

var (
	idForm         = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	notIDCharacter = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)
)

// ID joins the parts with hyphens to form a cell id. It replaces each sequence of invalid
// characters with one hyphen. ID("prml-4.25", "check") is "prml-4-25-check".
func ID(parts ...string) string {
	return notIDCharacter.ReplaceAllString(strings.Join(parts, "-"), "-")
}

// Validate checks the cells against notebook format 4.5. The error names the first invalid cell. A
// cell is invalid if it is nil, if its type is unknown, if its id is missing or malformed, or if an
// earlier cell has the same id. A cell that is not code must not have outputs or an execution count.
// A code cell must not have attachments or an output of an unknown type.
func (nb *Notebook) Validate() error {
	first := map[string]int{}
	for i, c := range nb.Cells {
		if c == nil {
			return fmt.Errorf("notebook: cell %d is nil", i+1)
		}
		if m, ok := first[c.ID]; ok {
			return fmt.Errorf("notebook: cells %d and %d have the same id %q", m, i+1, c.ID)
		}
		first[c.ID] = i + 1
		if err := c.validate(); err != nil {
			return fmt.Errorf("notebook: cell %d %w", i+1, err)
		}
	}
	return nil
}

func (c *Cell) validate() error {
	switch {
	case c.Type != Markdown && c.Type != Code && c.Type != Raw:
		return fmt.Errorf("has type %q, want code, markdown or raw", c.Type)
	case !idForm.MatchString(c.ID):
		return fmt.Errorf("has the id %q, want 1 to 64 letters, digits, - or _", c.ID)
	case c.Type != Code && (len(c.Outputs) > 0 || c.ExecutionCount != nil):
		return fmt.Errorf("(%s) is %s but has outputs or an execution count", c.ID, c.Type)
	case c.Type == Code && c.Attachments != nil:
		return fmt.Errorf("(%s) is code but has attachments", c.ID)
	}
	for j, o := range c.Outputs {
		if !slices.Contains(outputTypes, o.Type()) {
			return fmt.Errorf("(%s): output %d has type %q, want one of %q", c.ID, j+1, o.Type(), outputTypes)
		}
	}
	return nil
}

var outputTypes = []string{"stream", "display_data", "execute_result", "error"}

// transient contains the keys of cell metadata that are added by a run or by a viewer of notebooks.
var transient = []string{"execution", "ExecuteTime", "collapsed", "scrolled", "trusted"}

// Strip removes from nb everything that a run adds: outputs, execution counts, and metadata about
// timing, view, trust and widgets. In a notebook for GoNB, it also replaces the metadata about kernel
// and language, which contain the Go release of the kernel, with the metadata of New. It keeps all
// content that a person or the generator has written.
func (nb *Notebook) Strip() {
	for _, c := range nb.Cells {
		c.Outputs = nil
		c.ExecutionCount = nil
		maps.DeleteFunc(c.Metadata, func(key string, _ any) bool { return slices.Contains(transient, key) })
	}
	if spec, ok := nb.Metadata["kernelspec"].(map[string]any); ok && spec["name"] == "gonb" {
		nb.Metadata["kernelspec"] = kernelspec()
		nb.Metadata["language_info"] = languageInfo()
	}
	delete(nb.Metadata, "signature")
	delete(nb.Metadata, "widgets")
}

// chartPlace is the text at the beginning of every result of show.Chart.Snippet.
const chartPlace = `<div class="hyperplane-chart"`

// StripTiming prepares a notebook with outputs for a commit. It removes metadata that change with
// every run, such as the time at which a cell ran and the Go release that ran it. It removes
// outputs with the chart library, which is a script of 700 kB. It also removes the interactive
// version of each chart that has a PNG picture, and the vector pictures that show.Display adds to a PNG
// picture for pages. It keeps all other outputs and the execution counts.
func (nb *Notebook) StripTiming() {
	before := make([]Cell, len(nb.Cells))
	for i, c := range nb.Cells {
		before[i] = *c
	}
	nb.Strip()
	for i, c := range nb.Cells {
		c.ExecutionCount = before[i].ExecutionCount
		c.Outputs = slices.DeleteFunc(before[i].Outputs, func(o Output) bool { return o.Data(show.LibraryMIME) != nil })
		for _, o := range c.Outputs {
			if page, _ := o.Data("text/html").(string); o.Data("image/png") != nil && strings.HasPrefix(page, chartPlace) {
				delete(o["data"].(map[string]any), "text/html")
			}
			if o.Data(show.NarrowMIME) != nil && o.Data("image/png") != nil {
				delete(o["data"].(map[string]any), show.NarrowMIME)
				delete(o["data"].(map[string]any), "image/svg+xml")
			}
		}
	}
}

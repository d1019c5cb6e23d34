// Package page makes HTML of notebooks and of markdown: formulas as MathML, Go with
// its colours, outputs as they look in Jupyter. What it makes needs no network and,
// but for interactive charts, no script.
package page

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Options say how a page is made.
type Options struct {
	Formulas *formula.Renderer
	// Trust keeps scripts, styles and all else that a notebook brings; without it
	// only what the policy of package page lets through is left.
	Trust bool
	// Strict makes a formula that cannot be set an error; else it stands as code.
	Strict bool
	// Link, if not nil, says where a link of the text leads: to another address,
	// nowhere (then its text stays), or to an error.
	Link func(href string) (to string, err error)
	// Chart, if not nil, returns the interactive form of the figure that a cell
	// shows by its source alone, "" for none.
	Chart func(source string) (snippet string, err error)
}

// A Document is what a page holds.
type Document struct {
	Title    string // of the first heading
	Body     template.HTML
	Headings []Heading
	Sections []Section
	Charts   []Chart // in the order of the page
}

// A Heading is one of the second or third level.
type Heading struct {
	Level    int
	ID, Text string
}

// A Section is the text below a heading, for a search.
type Section struct{ ID, Heading, Text string }

// A Chart is the script of an interactive chart; its place, with the picture, is in
// the body.
type Chart struct{ Key, Script string }

// A Builder makes a document piece by piece. The first error stays, and nothing is
// added after it.
type Builder struct {
	o     Options
	body  strings.Builder
	doc   Document
	taken map[string]bool // ids
	folds int             // that are open
	err   error
}

// New returns a builder of an empty document.
func New(o Options) *Builder {
	o.Formulas = cmp.Or(o.Formulas, &formula.Renderer{})
	return &Builder{o: o, taken: map[string]bool{}, doc: Document{Sections: []Section{{}}}}
}

// Document returns what was built.
func (b *Builder) Document() (*Document, error) {
	if b.err != nil {
		return nil, b.err
	}
	b.doc.Body = template.HTML(b.body.String())
	return &b.doc, nil
}

// HTML adds an element of the page's own, as it is.
func (b *Builder) HTML(text string) {
	if b.err == nil {
		b.body.WriteString(text)
	}
}

// Fold adds what body adds, to be seen on request. Its headings are not in
// Document.Headings, and a search does not find it.
func (b *Builder) Fold(class, summary string, body func()) {
	b.HTML(fmt.Sprintf("<details class=\"%s\">\n<summary>%s</summary>\n", class, html.EscapeString(summary)))
	b.folds++
	body()
	b.folds--
	b.HTML("</details>\n")
}

// Fragment adds a piece of HTML as if it were a text: its headings are noted, and the
// scripts of its charts are taken out.
func (b *Builder) Fragment(where string, text template.HTML) {
	if b.err == nil {
		b.err = b.fragment(string(text), nil, true)
		b.name(where)
	}
}

// Markdown adds a text; where names it in errors.
func (b *Builder) Markdown(where, source string) {
	if b.err == nil {
		b.err = b.markdown(source)
		b.name(where)
	}
}

// Notebook adds all cells.
func (b *Builder) Notebook(nb *nbformat.Notebook) {
	for i, c := range nb.Cells {
		b.Cell(fmt.Sprintf("cell %d (%s)", i+1, c.ID), c)
	}
}

// Cell adds a cell with its outputs; where names it in errors.
func (b *Builder) Cell(where string, c *nbformat.Cell) {
	if b.err != nil {
		return
	}
	switch c.Type {
	case nbformat.Markdown:
		b.HTML("<div class=\"text\">\n")
		b.Markdown(where, c.Source)
		b.HTML("</div>\n")
	case nbformat.Code:
		b.HTML("<div class=\"cell\">\n" + code("go", c.Source))
		b.err = b.outputs(c)
		b.name(where)
		b.HTML("</div>\n")
	default:
		b.HTML("<pre>" + html.EscapeString(c.Source) + "</pre>\n")
	}
}

// name puts in front of an error where it is.
func (b *Builder) name(where string) {
	if b.err != nil && where != "" {
		b.err = fmt.Errorf("%s: %w", where, b.err)
	}
}

func (b *Builder) markdown(source string) error {
	text, formulas, err := markdown(source)
	if err != nil {
		return err
	}
	return b.fragment(text, formulas, true)
}

// outputs adds those of a code cell.
func (b *Builder) outputs(c *nbformat.Cell) error {
	live, pictures := "", 0
	for _, o := range c.Outputs {
		if o.Data("image/png") != nil {
			pictures++
		}
	}
	if b.o.Chart != nil && pictures <= 1 { // of several it might be any
		var err error
		if live, err = b.o.Chart(c.Source); err != nil {
			return err
		}
	}
	for _, o := range c.Outputs {
		text := ""
		switch {
		case o.Data(show.LibraryMIME) != nil: // the page has it already, if it has charts
			continue
		case live != "" && o.Data("image/png") != nil:
			text, live = live, ""
		case o.Type() == "display_data" || o.Type() == "execute_result":
			if source, ok := o.Data("text/markdown").(string); ok && o.Data("text/html") == nil {
				b.HTML("<div class=\"out text\">\n")
				if err := b.markdown(source); err != nil {
					return err
				}
				b.HTML("</div>\n")
				continue
			}
			text = picture(o)
		default:
			text = printed(o)
		}
		if err := b.output(text); err != nil {
			return err
		}
	}
	return b.output(live) // of a cell whose picture is not there
}

func (b *Builder) output(text string) error {
	if text == "" {
		return nil
	}
	b.HTML("<div class=\"out\">\n")
	err := b.fragment(withoutMarks.Replace(text), nil, false)
	b.HTML("</div>\n")
	return err
}

// escapes are the commands to a terminal.
var escapes = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

// printed is the text of a stream or an error.
func printed(o nbformat.Output) string {
	name, text := o.Stream()
	if o.Type() == "error" {
		name = "error"
		lines, _ := o["traceback"].([]any)
		for _, line := range lines {
			text += fmt.Sprintln(line)
		}
		if text == "" {
			text = fmt.Sprintf("%v: %v", o["ename"], o["evalue"])
		}
	}
	if text == "" {
		return ""
	}
	return fmt.Sprintf("<pre class=\"%s\">%s</pre>\n", html.EscapeString(name), html.EscapeString(escapes.ReplaceAllString(text, "")))
}

// picture is the richest form of a display that a page can show.
func picture(o nbformat.Output) string {
	plain, _ := o.Data("text/plain").(string)
	if text, ok := o.Data("text/html").(string); ok {
		return text
	}
	for _, mime := range []string{"image/svg+xml", "image/png", "image/jpeg"} {
		data, ok := o.Data(mime).(string)
		if !ok {
			continue
		}
		if mime == "image/svg+xml" { // shown as a picture: there no script runs
			data = base64.StdEncoding.EncodeToString([]byte(data))
		}
		data = strings.Join(strings.Fields(data), "")
		if _, err := base64.StdEncoding.DecodeString(data); err != nil {
			continue // no picture, whatever it is
		}
		return fmt.Sprintf("<img alt=\"%s\"%s src=\"data:%s;base64,%s\">\n", html.EscapeString(cmp.Or(strings.Join(strings.Fields(plain), " "), "What the cell draws")),
			width(o, mime), mime, data)
	}
	if plain == "" {
		return ""
	}
	return "<pre class=\"stdout\">" + html.EscapeString(plain) + "</pre>\n"
}

// width is the attribute for a picture whose output says how large it is.
func width(o nbformat.Output, mime string) string {
	all, _ := o["metadata"].(map[string]any)
	of, _ := all[mime].(map[string]any)
	n, ok := of["width"].(json.Number)
	if _, err := n.Int64(); !ok || err != nil {
		return ""
	}
	return fmt.Sprintf(" width=\"%s\"", n)
}

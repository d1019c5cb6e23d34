// Package page converts notebooks and Markdown to HTML. Formulas become MathML, Go gets syntax
// colours, and outputs look as they do in Jupyter. The result needs no network, unless the notebook
// shows a picture from another site. Only interactive charts need scripts, but if the notebook is
// trusted, the result also contains the notebook's own scripts.
package page

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/alecthomas/chroma/v2"
	formatter "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Options configures a page.
type Options struct {
	Formulas *formula.Renderer
	// If Trust is true, the page contains all HTML of the notebook, including scripts and styles.
	// Otherwise it contains only the elements and attributes that `policy` (fragment.go)
	// allows.
	Trust bool
	// If Strict is true, an invalid formula is an error. Otherwise the page shows an invalid
	// formula as code.
	Strict bool
	// If PictureFirst is true and a cell draws a figure, the page shows the outputs of the cell
	// first. The code of the cell follows in a closed fold.
	PictureFirst bool
	// Link, if not nil, returns the new address of a link or a picture. If the new address is "",
	// the page contains only the text of the link, or no picture.
	Link func(href string) (to string, err error)
	// Chart, if not nil, returns the interactive version of the figure that a cell shows, or "" if
	// there is no interactive version. The argument of Chart is the source of the cell.
	Chart func(source string) (snippet string, err error)
	// Keep, if not nil, stores a vector picture as a file of the site and returns the address of
	// this file. The argument `kind` is the file's extension, ".svg". Other pictures in outputs,
	// or all of them if Keep is nil, are part of the page itself.
	Keep func(kind string, picture []byte) (href string)
}

// A Document is the content of a page.
type Document struct {
	Title    string // text of the first heading of level 1
	Body     template.HTML
	Headings []Heading
	Sections []Section
	Charts   []Chart // charts, in the order in which they appear on the page
}

// A Heading is a heading of the second or third level.
type Heading struct {
	Level    int
	ID, Text string
}

// A Section is the text below a heading of level 1, 2 or 3. The site's search uses it. The first section
// of a document is the text before the first such heading; its ID and Heading are "".
type Section struct{ ID, Heading, Text string }

// A Chart is the script of an interactive chart. The body of the document contains the placeholder
// of the chart. The placeholder contains a picture of the chart.
type Chart struct{ Key, Script string }

// A Builder builds a document piece by piece. After the first error the Builder adds nothing more,
// and Document returns that error.
type Builder struct {
	o     Options
	body  strings.Builder
	doc   Document
	taken map[string]bool // ids in use
	folds int             // number of folds that have begun and not ended
	kept  map[string]bool // addresses that Options.Keep has returned
	err   error
}

// New returns a builder for an empty document.
func New(o Options) *Builder {
	o.Formulas = cmp.Or(o.Formulas, &formula.Renderer{})
	return &Builder{o: o, taken: map[string]bool{}, kept: map[string]bool{}, doc: Document{Sections: []Section{{}}}}
}

// Document returns the finished document, or the first error.
func (b *Builder) Document() (*Document, error) {
	if b.err != nil {
		return nil, b.err
	}
	b.doc.Body = template.HTML(b.body.String())
	return &b.doc, nil
}

// HTML adds text unchanged. The text is HTML of the page itself, not of a notebook.
func (b *Builder) HTML(text string) {
	if b.err == nil {
		b.body.WriteString(text)
	}
}

// Fold calls the function `body`. Everything that `body` adds to the page is in a fold, which the
// reader can open. Document.Headings does not contain headings in a fold, and the search does not
// find text in a fold.
func (b *Builder) Fold(class, summary string, body func()) {
	b.BeginFold(class, summary)
	body()
	b.EndFold()
}

// BeginFold begins a fold. Everything that is added before the call of EndFold is in this fold.
func (b *Builder) BeginFold(class, summary string) {
	b.HTML(fmt.Sprintf("<details class=\"%s\">\n<summary>%s</summary>\n", class, html.EscapeString(summary)))
	b.folds++
}

// EndFold ends the innermost open fold.
func (b *Builder) EndFold() {
	b.folds--
	b.HTML("</details>\n")
}

// Fragment adds a piece of HTML. Fragment treats the HTML like HTML that was made from Markdown: it
// records the headings and extracts the scripts of charts. The message of an error begins with
// `where`, unless `where` is "".
func (b *Builder) Fragment(where string, text template.HTML) {
	if b.err == nil {
		b.err = b.addFragment(string(text), nil, true)
		b.nameError(where)
	}
}

// Markdown adds a Markdown text. The message of an error begins with `where`, unless `where` is "".
func (b *Builder) Markdown(where, source string) {
	if b.err == nil {
		b.err = b.markdown(source)
		b.nameError(where)
	}
}

// Notebook adds all cells of a notebook.
func (b *Builder) Notebook(nb *nbformat.Notebook) {
	for i, c := range nb.Cells {
		b.Cell(fmt.Sprintf("cell %d (%s)", i+1, c.ID), c)
	}
}

// Cell adds a cell with its outputs. The message of an error begins with `where`, unless `where` is "".
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
		source := code("go", c.Source)
		if b.o.PictureFirst && hasPicture(c) {
			b.HTML("<div class=\"cell drawing\">\n")
			b.err = b.addOutputs(c)
			b.nameError(where)
			b.HTML("<details class=\"code-of\">\n<summary>The code of this figure</summary>\n" + source + "</details>\n</div>\n")
			return
		}
		b.HTML("<div class=\"cell\">\n" + source)
		b.err = b.addOutputs(c)
		b.nameError(where)
		b.HTML("</div>\n")
	default:
		b.HTML("<pre>" + html.EscapeString(c.Source) + "</pre>\n")
	}
}

// nameError puts its argument, the name of a text or cell, in front of the error of b. It does
// nothing if b has no error or if the name is "".
func (b *Builder) nameError(where string) {
	if b.err != nil && where != "" {
		b.err = fmt.Errorf("%s: %w", where, b.err)
	}
}

func (b *Builder) markdown(source string) error {
	text, formulas, err := convertMarkdown(source)
	if err != nil {
		return err
	}
	return b.addFragment(text, formulas, true)
}

//go:embed page.css
var ownCSS string

// CSS is the style sheet of all pages, for light and dark mode. The style sheet loads formula.Font
// from a file called Temml.woff2.
var CSS = formula.CSS + ownCSS

var alone = template.Must(template.New("").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<link rel="icon" href="data:,">
<style>{{.CSS}}</style>
</head>
<body>
<main>
{{.Body}}</main>
{{- range .Scripts}}
<script>{{.}}</script>
{{- end}}
</body>
</html>
`))

// Standalone returns the document as a complete page in one file. If the document has interactive
// charts, the page includes the chart library (700 kB).
func (d *Document) Standalone(title string) ([]byte, error) {
	font := "data:font/woff2;base64," + base64.StdEncoding.EncodeToString(formula.Font)
	var scripts []template.JS
	for _, c := range d.Charts {
		scripts = append(scripts, template.JS(c.Script))
	}
	if len(scripts) > 0 {
		scripts = append(scripts, template.JS(show.ChartLibrary()))
	}
	var b bytes.Buffer
	err := alone.Execute(&b, map[string]any{
		"Title": title, "Body": d.Body, "Scripts": scripts,
		"CSS": template.CSS(strings.ReplaceAll(CSS, "Temml.woff2", font)),
	})
	return b.Bytes(), err
}

// Code returns a box with program text. If the language is known, the text has classes for its
// colours (see [CSS]).
func Code(language, source string) template.HTML { return template.HTML(code(language, source)) }

func code(language, source string) string {
	source = strings.TrimRight(source, "\n") + "\n"
	var b strings.Builder
	b.WriteString(`<pre class="code"><code>`)
	if lexer := lexers.Get(language); lexer == nil || highlight(&b, lexer, source) != nil {
		b.WriteString(html.EscapeString(source))
	}
	b.WriteString("</code></pre>\n")
	return b.String()
}

func highlight(b *strings.Builder, lexer chroma.Lexer, source string) error {
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, source)
	if err != nil {
		return err
	}
	var out strings.Builder
	if err := formatter.New(formatter.WithClasses(true), formatter.PreventSurroundingPre(true)).Format(&out,
		styles.Fallback, tokens); err != nil {
		return err
	}
	// The line %% is not Go. Give it the class c1, so that it has the colour of comments.
	b.WriteString(strings.ReplaceAll(out.String(), `<span class="o">%%</span>`, `<span class="c1">%%</span>`))
	return nil
}

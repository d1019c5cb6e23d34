// Package gallery makes index.html, the page that shows all figures in a folder. The page uses only
// files in the same folder, and needs no network and no script.
package gallery

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"path"
	"reflect"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/manifest"
	pages "github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
)

// Name is the name of the page in the folder of figures.
const Name = manifest.Gallery

//go:embed page.html
var pageSource string

var page = template.Must(template.New(Name).Option("missingkey=error").Parse(pageSource))

type section struct {
	Key, Short, Title, Part string
	Figures                 []figure
}

type figure struct {
	manifest.Item
	Number     string // number of the figure, such as "4.5"; "" for a figure without a number
	Picture    string // path of the picture file to show; "" if the figure has neither SVG nor PNG
	Chart      string // path of the HTML file with the interactive version; "" if there is no such version
	Links      []Link
	Code       template.HTML
	ChartCode  template.HTML // notebook code of the interactive version, as HTML; "" if there is no such version
	Parameters []parameter
	Extra
}

// A Link is the text of a link (Label) and the path of the file that the link opens (File). The path
// may end with an anchor.
type Link struct{ Label, File string }

// Extra contains what only a page other than the gallery shows for a figure, see [Sections].
type Extra struct {
	Live   template.HTML // HTML of the interactive version, shown in place of the picture; "" if there is no such version
	Narrow string        // path of the picture file for a phone; "" if the figure has no such picture
	Uses   []Use
}

// A Use lists links to the equations, lessons or exercises that belong to a figure. All of these links
// are of one kind, which Label names, for example "Exercises".
type Use struct {
	Label string
	Links []Link
}

// Turns reports whether the figure's interactive version is three-dimensional, so that a reader can
// rotate it.
func (e Extra) Turns() bool { return strings.Contains(string(e.Live), `"grid3D"`) }

type parameter struct{ Name, Value string }

// Render returns the page for the figures of a manifest. The page has a section for each book, in
// which the figures have the manifest's order. Equal manifests always give exactly the same page.
func Render(m *manifest.Manifest) ([]byte, error) {
	sections, err := arrange(m.Figures, "", func(string) Extra { return Extra{} })
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = page.Execute(&b, map[string]any{
		"Version": m.Version, "Size": m.Size, "Count": len(m.Figures), "Sections": sections, "Manifest": manifest.Name,
	})
	if err != nil {
		return nil, fmt.Errorf("gallery: %w", err)
	}
	return b.Bytes(), nil
}

// Sections returns the part of the gallery's page that shows the figures, for use in a different
// page. `folder` is the path from that page to the figures' files, with a slash at the end. The
// function `extra` returns the Extra of the figure with the given id.
func Sections(m *manifest.Manifest, folder string, extra func(id string) Extra) (template.HTML, error) {
	sections, err := arrange(m.Figures, folder, extra)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = page.ExecuteTemplate(&b, "sections", sections)
	return template.HTML(b.String()), err
}

// arrange groups the figures by book and returns a section for each book.
func arrange(items []manifest.Item, folder string, extra func(string) Extra) ([]section, error) {
	var sections []section
	at := map[string]int{}
	for _, item := range items {
		key, rest, ok := strings.Cut(strings.TrimPrefix(item.ID, "fig-"), "-")
		book, known := exercises.Standard().BookOfReference(strings.TrimPrefix(item.ID, "fig-"))
		if !ok || rest == "" || !known {
			return nil, fmt.Errorf("gallery: invalid figure id %q: want fig-BOOK-NAME, where BOOK is the id of a book in exercises.Standard", item.ID)
		}
		if _, ok := at[book.Source()]; !ok {
			at[book.Source()] = len(sections)
			s := section{Key: key, Short: book.Name, Title: book.Title, Part: book.Chapter}
			if book.Author != "" {
				s.Title = book.Author + ", " + book.Title
			}
			sections = append(sections, s)
		}
		f, err := newFigure(item, rest, folder)
		if err != nil {
			return nil, err
		}
		f.Extra = extra(item.ID)
		sections[at[book.Source()]].Figures = append(sections[at[book.Source()]].Figures, f)
	}
	return sections, nil
}

func newFigure(item manifest.Item, rest, folder string) (figure, error) {
	f := figure{Item: item, Code: pages.Code("go", cellCode("show.Display", item.Call))}
	if item.ChartCall != "" {
		f.ChartCode = pages.Code("go", cellCode("show.LoadCharts()\nshow.DisplayChart", item.ChartCall))
	}
	if rest[0] >= '0' && rest[0] <= '9' {
		f.Number = rest
	}
	for _, file := range item.Files {
		format := strings.TrimPrefix(path.Ext(file.Name), ".")
		if format == "html" {
			f.Chart = folder + file.Name
			continue
		}
		label := strings.ToUpper(format)
		if format == "csv" || format == "json" {
			label = "Numbers, " + label
		}
		f.Links = append(f.Links, Link{label, folder + file.Name})
		// Prefer SVG to PNG, because SVG is sharp at every size.
		if format == "svg" || format == "png" && f.Picture == "" {
			f.Picture = folder + file.Name
		}
	}
	var err error
	f.Parameters, err = parameters(item.Parameters)
	if err != nil {
		return f, fmt.Errorf("gallery: the parameters of %s: %w", item.ID, err)
	}
	return f, nil
}

// cellCode returns the code of a notebook cell that shows a figure. In this code, the expression
// `call` makes the figure. The string `display` ends with the name of the function that shows it.
func cellCode(display, call string) string {
	return `import (
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

%%
` + display + `(` + call + `)`
}

// parameters lists the fields of a struct of options in order, with their values as JSON. A string
// has no quotes.
func parameters(options any) (list []parameter, err error) {
	if options == nil {
		return nil, nil
	}
	v := reflect.ValueOf(options)
	for _, field := range reflect.VisibleFields(v.Type()) {
		if field.Anonymous {
			continue // skip embedded structs, because VisibleFields also lists their fields
		}
		value, err := json.Marshal(v.FieldByIndex(field.Index).Interface())
		if err != nil {
			return nil, err
		}
		list = append(list, parameter{field.Name, strings.Trim(string(value), `"`)})
	}
	return list, nil
}

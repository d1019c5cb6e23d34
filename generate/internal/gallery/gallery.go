// Package gallery makes the page that shows a folder of figures: index.html,
// which needs no network, no script and nothing but the figures beside it.
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

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/manifest"
)

// Name is the name of the page in the folder of figures.
const Name = manifest.Gallery

//go:embed page.html
var pageSource string

var page = template.Must(template.New(Name).Option("missingkey=error").Parse(pageSource))

// sources are the sections, by the word of the id that follows "fig-".
var sources = map[string]section{
	"prml":     {Short: "PRML", Title: "Bishop, Pattern Recognition and Machine Learning", Part: "Chapter 4"},
	"alpaydin": {Short: "Alpaydin", Title: "Alpaydin, Introduction to Machine Learning", Part: "Chapter 10"},
	"gambosi":  {Short: "Gambosi", Title: "Gambosi, Machine Learning", Part: "Slides on linear classification"},
}

type section struct {
	Key, Short, Title, Part string
	Figures                 []figure
}

type figure struct {
	manifest.Item
	Number     string // "4.5"; "" for a figure without one
	Picture    string // the file that the page shows; "" if no file is a picture that it can show
	Chart      string // the page with the interactive form, or ""
	Links      []link
	Code       string
	ChartCode  string // "" if there is no interactive form
	Parameters []parameter
}

type link struct{ Label, File string }

type parameter struct{ Name, Value string }

// Render returns the page for the figures of a manifest, in the manifest's order:
// a section for each source. Equal manifests give equal bytes.
func Render(m *manifest.Manifest) ([]byte, error) {
	sections, err := arrange(m.Figures)
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

// arrange puts the figures into the sections of their sources.
func arrange(items []manifest.Item) ([]section, error) {
	var sections []section
	at := map[string]int{}
	for _, item := range items {
		key, rest, ok := strings.Cut(strings.TrimPrefix(item.ID, "fig-"), "-")
		s, known := sources[key]
		if !ok || rest == "" || !known {
			return nil, fmt.Errorf("gallery: no section for the figure %q; add its source to package gallery", item.ID)
		}
		if _, ok := at[key]; !ok {
			at[key] = len(sections)
			s.Key = key
			sections = append(sections, s)
		}
		f, err := newFigure(item, rest)
		if err != nil {
			return nil, err
		}
		sections[at[key]].Figures = append(sections[at[key]].Figures, f)
	}
	return sections, nil
}

func newFigure(item manifest.Item, rest string) (figure, error) {
	f := figure{Item: item, Code: cell("show.Display", item.Call)}
	if item.ChartCall != "" {
		f.ChartCode = cell("show.LoadCharts()\nshow.DisplayChart", item.ChartCall)
	}
	if rest[0] >= '0' && rest[0] <= '9' {
		f.Number = rest
	}
	for _, file := range item.Files {
		format := strings.TrimPrefix(path.Ext(file.Name), ".")
		if format == "html" {
			f.Chart = file.Name
			continue
		}
		label := strings.ToUpper(format)
		if format == "csv" || format == "json" {
			label = "Numbers, " + label
		}
		f.Links = append(f.Links, link{label, file.Name})
		// The sharpest that a browser shows: SVG before PNG.
		if format == "svg" || format == "png" && f.Picture == "" {
			f.Picture = file.Name
		}
	}
	var err error
	f.Parameters, err = parameters(item.Parameters)
	if err != nil {
		return f, fmt.Errorf("gallery: the parameters of %s: %w", item.ID, err)
	}
	return f, nil
}

// cell returns the notebook cell that shows the figure.
func cell(display, call string) string {
	return `import (
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

%%
` + display + `(` + call + `)`
}

// parameters lists the fields of a struct of options in their order, with their
// values as JSON has them.
func parameters(options any) (list []parameter, err error) {
	if options == nil {
		return nil, nil
	}
	v := reflect.ValueOf(options)
	for _, field := range reflect.VisibleFields(v.Type()) {
		if field.Anonymous {
			continue // its fields are in the list themselves
		}
		value, err := json.Marshal(v.FieldByIndex(field.Index).Interface())
		if err != nil {
			return nil, err
		}
		list = append(list, parameter{field.Name, strings.Trim(string(value), `"`)})
	}
	return list, nil
}

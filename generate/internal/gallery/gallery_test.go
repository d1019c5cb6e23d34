package gallery

import (
	"encoding/xml"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/manifest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

// catalogue returns a manifest that lists a file of every figure in each of the given formats. It
// draws no figures, so the files do not exist.
func catalogue(formats ...string) *manifest.Manifest {
	m := &manifest.Manifest{Version: "9.9.9", Size: "page"}
	for _, e := range figures.All() {
		item := manifest.Item{
			ID: e.ID, Title: e.Title, Source: e.Source, LookFor: e.LookFor,
			Alt:  "The picture of " + e.ID + " in words.",
			Call: e.Call, Parameters: e.Parameters, Seed: e.Seed,
		}
		for _, f := range formats {
			item.Files = append(item.Files, manifest.File{Name: e.ID + "." + f})
		}
		m.Figures = append(m.Figures, item)
	}
	return m
}

func render(t *testing.T, m *manifest.Manifest) string {
	t.Helper()
	return string(must.Get(Render(m))(t))
}

// parsePage returns the text of the page and the values of each attribute by the attribute's name.
// It parses the page as XML, and fails the test if the elements are not nested correctly.
func parsePage(t *testing.T, page string) (words string, attributes map[string][]string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Entity = xml.HTMLEntity
	attributes = map[string][]string{}
	var b strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String(), attributes
		}
		if err != nil {
			t.Fatalf("the elements of the page are not nested correctly: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			for _, a := range token.Attr {
				attributes[a.Name.Local] = append(attributes[a.Name.Local], a.Value)
			}
		case xml.CharData:
			b.Write(token)
		}
	}
}

func TestEveryFigureHasAnEntry(t *testing.T) {
	m := catalogue("svg", "png", "pdf", "csv")
	words, attributes := parsePage(t, render(t, m))
	for _, item := range m.Figures {
		must.Contain(t, words, item.Title, item.Source, item.LookFor, "show.Display("+item.Call+")")
		for name, values := range map[string][]string{
			"id": {item.ID}, "alt": {item.Alt}, "src": {item.ID + ".svg"},
			"href": {"#" + item.ID, item.ID + ".svg", item.ID + ".png", item.ID + ".pdf", item.ID + ".csv"},
		} {
			for _, value := range values {
				if !slices.Contains(attributes[name], value) {
					t.Errorf("%s: no %s=%q", item.ID, name, value)
				}
			}
		}
		if item.Seed != nil && item.Parameters == nil {
			t.Errorf("%s has a seed but no parameters", item.ID)
		}
	}
	if n := len(attributes["src"]); n != len(m.Figures) {
		t.Errorf("the page shows %d pictures for %d figures, want one picture for each figure", n, len(m.Figures))
	}
}

// TestCodeImportsWhatItUses checks that the cell of every figure is valid Go and imports exactly
// the packages that it uses.
func TestCodeImportsWhatItUses(t *testing.T) {
	for _, e := range figures.All() {
		source := "package main\n" + strings.Replace(cellCode("show.Display", e.Call), "%%", "func main() {", 1) + "\n}"
		file := must.Get(parser.ParseFile(token.NewFileSet(), e.ID, source, 0))(t)
		var imported, used []string
		for _, s := range file.Imports {
			imported = append(imported, path.Base(strings.Trim(s.Path.Value, `"`)))
		}
		for _, id := range file.Unresolved {
			if !slices.Contains(used, id.Name) {
				used = append(used, id.Name)
			}
		}
		slices.Sort(used)
		if !slices.Equal(imported, used) {
			t.Errorf("%s: the code imports %q, but uses %q", e.ID, imported, used)
		}
	}
}

// TestPageIsAlone checks that the page loads no files from the network and contains no script.
func TestPageIsAlone(t *testing.T) {
	page := render(t, catalogue("svg"))
	if page != render(t, catalogue("svg")) {
		t.Error("two pages of equal manifests differ")
	}
	_, attributes := parsePage(t, page)
	for _, name := range []string{"href", "src"} {
		for _, v := range attributes[name] {
			if strings.Contains(v, "//") || filepath.IsAbs(v) {
				t.Errorf("%s=%q refers to a file outside the folder", name, v)
			}
		}
	}
	for _, word := range []string{"<script", "@import", "url("} {
		if strings.Contains(page, word) {
			t.Errorf("the page has %s", word)
		}
	}
	if bad := regexp.MustCompile(`ZgotmplZ|<no value>`).FindString(page); bad != "" {
		t.Errorf("the template left %q", bad)
	}
}

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		name    string
		formats []string
		picture string // extension of the picture that the page must show; "" if the page must show no picture
	}{
		{"SVG", []string{"svg"}, ".svg"},
		{"PNG", []string{"png", "csv"}, ".png"},
		{"SVG before PNG", []string{"png", "svg"}, ".svg"},
		{"PDF", []string{"pdf"}, ""},
		{"numbers", []string{"csv", "json"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := catalogue(c.formats...)
			words, attributes := parsePage(t, render(t, m))
			if c.picture == "" {
				if len(attributes["src"]) != 0 || !strings.Contains(words, m.Figures[0].Alt) {
					t.Errorf("got the pictures %q, want no picture, only the figure's alternative text", attributes["src"])
				}
			} else if want := m.Figures[0].ID + c.picture; attributes["src"][0] != want {
				t.Errorf("picture %q, want %q", attributes["src"][0], want)
			}
			for _, href := range attributes["href"] {
				format := strings.TrimPrefix(filepath.Ext(href), ".")
				if strings.HasPrefix(href, "fig-") && !slices.Contains(c.formats, format) {
					t.Errorf("got a link to %s, but no such file is written", href)
				}
			}
		})
	}
}

// TestCharts checks that the page contains a link and a notebook cell for each figure that has an
// interactive version.
func TestCharts(t *testing.T) {
	m := catalogue("svg", "html")
	n := 0
	for i, e := range figures.All() {
		m.Figures[i].ChartCall = e.ChartCall
		if e.Chart == nil {
			m.Figures[i].Files = m.Figures[i].Files[:1]
		} else {
			n++
		}
	}
	words, attributes := parsePage(t, render(t, m))
	for _, e := range figures.All() {
		if has := slices.Contains(attributes["href"], e.ID+".html"); has != (e.Chart != nil) {
			t.Errorf("%s: the page links to a chart: %v", e.ID, has)
		}
		if e.Chart != nil && !strings.Contains(words, "show.LoadCharts()\nshow.DisplayChart("+e.ChartCall+")") {
			t.Errorf("%s: the page has no code that shows the chart", e.ID)
		}
	}
	if n == 0 || strings.Count(words, "Its interactive form") != n {
		t.Errorf("%d figures have charts, but %d cells show a chart", n, strings.Count(words, "Its interactive form"))
	}
}

func TestTextIsEscaped(t *testing.T) {
	m := catalogue("svg")
	m.Figures = m.Figures[:1]
	m.Figures[0].Title, m.Figures[0].Alt = "a < b & c", `said "<b>"`
	page := render(t, m)
	words, attributes := parsePage(t, page)
	if !strings.Contains(words, "a < b & c") || attributes["alt"][0] != `said "<b>"` || strings.Contains(page, "<b>") {
		t.Error("text is not escaped")
	}
	if !strings.Contains(page, "1 figure,") {
		t.Error("for one figure, the page does not contain the text “1 figure,”")
	}
}

func TestOrderAndErrors(t *testing.T) {
	type options struct {
		B int
		A []string
	}
	list, err := parameters(options{3, []string{"x", "y"}})
	if err != nil || len(list) != 2 || list[0] != (parameter{"B", "3"}) || list[1] != (parameter{"A", `["x","y"]`}) {
		t.Errorf("parameters %v, %v", list, err)
	}
	if list, err := parameters(nil); list != nil || err != nil {
		t.Errorf("parameters of a figure without parameters: got %v, error %v", list, err)
	}
	for _, id := range []string{"fig-murphy-8.1", "fig-prml", "fig-prml-"} {
		_, err := Render(&manifest.Manifest{Figures: []manifest.Item{{ID: id}}})
		must.Fail(t, err, id)
	}
}

// TestLinksExist checks that every link of the page leads to an existing file or anchor when all
// figures are drawn.
func TestLinksExist(t *testing.T) {
	dir := t.TempDir()
	m := must.Get(manifest.Write(dir,
		manifest.Options{IDs: []string{"fig-prml-4.9", "fig-gambosi-sigmoid"}, Formats: []string{"svg", "csv"}}))(t)
	page := render(t, m)
	_, attributes := parsePage(t, page)
	for _, item := range m.Figures {
		if item.Alt == "" || !slices.Contains(attributes["alt"], item.Alt) {
			t.Errorf("%s: the picture lacks the text %q", item.ID, item.Alt)
		}
	}
	n := 0
	for _, v := range append(attributes["href"], attributes["src"]...) {
		if id, ok := strings.CutPrefix(v, "#"); ok {
			if !slices.Contains(attributes["id"], id) {
				t.Errorf("the link %s has no target", v)
			}
			continue
		}
		if v == "data:," { // the empty icon
			continue
		}
		n++
		if _, err := os.Stat(filepath.Join(dir, v)); err != nil {
			t.Errorf("a link to a missing file: %v", err)
		}
	}
	if n < 7 { // for each of two figures: a picture and two links; and a link to the manifest
		t.Errorf("got only %d links to files", n)
	}
}

package gallery

import (
	"encoding/xml"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/manifest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

// catalogue returns a manifest that lists, for every figure, one file in each of the given formats. A
// figure without a chart has no HTML file. catalogue draws no figures, so the files do not exist.
func catalogue(formats ...string) *manifest.Manifest {
	m := &manifest.Manifest{Version: "9.9.9", Size: "page"}
	for _, e := range figures.All() {
		item := manifest.Item{
			ID: e.ID, Title: e.Title, Source: e.Source, LookFor: e.LookFor,
			Alt:  "The picture of " + e.ID + " in words.",
			Call: e.Call, ChartCall: e.ChartCall, Parameters: e.Parameters, Seed: e.Seed,
		}
		for _, f := range formats {
			if f != "html" || e.Chart != nil {
				item.Files = append(item.Files, manifest.File{Name: e.ID + "." + f})
			}
		}
		m.Figures = append(m.Figures, item)
	}
	return m
}

func render(t *testing.T, m *manifest.Manifest) string {
	t.Helper()
	return string(must.Get(Render(m))(t))
}

// parsePage returns the text of the page and a map from each attribute name to all of its values. It
// parses the page as XML, and fails the test if the page is not well-formed.
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
			t.Fatalf("the page is not well-formed XML: %v", err)
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

// TestEveryFigureHasAnEntry checks the page's entry for each figure. It must contain the figure's texts,
// a picture, the code of a notebook cell, and links to all files of the figure. The page must not load
// files from the network and must contain no script.
func TestEveryFigureHasAnEntry(t *testing.T) {
	m := catalogue("svg", "png", "pdf", "csv", "html")
	page := render(t, m)
	if page != render(t, catalogue("svg", "png", "pdf", "csv", "html")) {
		t.Error("equal manifests give different pages")
	}
	words, attributes := parsePage(t, page)
	var hrefs, sources, alts []string
	charts := 0
	for _, item := range m.Figures {
		must.Contain(t, words, item.Title, item.Source, item.LookFor, "show.Display("+item.Call+")", "Numbers, CSV")
		hrefs = append(hrefs, "#"+item.ID)
		for _, file := range item.Files {
			hrefs = append(hrefs, file.Name)
		}
		sources, alts = append(sources, item.ID+".svg"), append(alts, item.Alt)
		if item.ChartCall != "" {
			charts++
			must.Contain(t, words, "show.LoadCharts()\nshow.DisplayChart("+item.ChartCall+")")
		}
		if item.Seed != nil && item.Parameters == nil || !slices.Contains(attributes["id"], item.ID) {
			t.Errorf("%s has no anchor on the page, or has a seed but no parameters", item.ID)
		}
	}
	for name, want := range map[string][]string{"href": append(hrefs, "#figures", "data:,", manifest.Name), "src": sources, "alt": alts} {
		slices.Sort(want)
		if got := slices.Compact(slices.Sorted(slices.Values(attributes[name]))); !slices.Equal(got, want) {
			t.Errorf("the values of the attribute %s are\n%q, want\n%q", name, got, want)
		}
	}
	cells, links := strings.Count(words, "Its interactive form"), strings.Count(page, `class="chart"`)
	if charts == 0 || cells != charts || links != charts {
		t.Errorf("%d figures have charts, %d cells show a chart and %d links lead to a chart; want equal numbers above 0", charts, cells, links)
	}
	if bad := regexp.MustCompile(`<script|@import|url\(|ZgotmplZ|<no value>`).FindString(page); bad != "" {
		t.Errorf("the page contains %s, want no script, no file from the network and no template error", bad)
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

// TestFormats checks that the page prefers an SVG to a PNG as the picture of a figure. Without a
// picture, the page must show the figure's alternative text.
func TestFormats(t *testing.T) {
	for formats, want := range map[string]string{"svg": "svg", "png csv": "png", "png svg": "svg", "pdf": "", "csv json": ""} {
		m := catalogue(strings.Fields(formats)...)
		words, attributes := parsePage(t, render(t, m))
		if got := attributes["src"]; (want == "") != (len(got) == 0) || want != "" && got[0] != m.Figures[0].ID+"."+want {
			t.Errorf("%s: the page shows the pictures %q, want the format %q (\"\" means no pictures)", formats, got, want)
		}
		if want == "" {
			must.Contain(t, words, m.Figures[0].Alt)
		}
	}
}

func TestTextIsEscaped(t *testing.T) {
	m := catalogue("svg")
	m.Figures = m.Figures[:1]
	m.Figures[0].Title, m.Figures[0].Alt = "a < b & c", `said "<b>"`
	page := render(t, m)
	words, attributes := parsePage(t, page)
	if !strings.Contains(words, "a < b & c") || attributes["alt"][0] != `said "<b>"` || strings.Contains(page, "<b>") {
		t.Error("the page does not escape the texts of a figure")
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
		t.Errorf("got the parameters %v and the error %v, want [{B 3} {A [\"x\",\"y\"]}] and no error", list, err)
	}
	if list, err := parameters(nil); list != nil || err != nil {
		t.Errorf("without parameters, got the list %v and the error %v, want neither", list, err)
	}
	for _, id := range []string{"fig-murphy-8.1", "fig-prml", "fig-prml-"} {
		_, err := Render(&manifest.Manifest{Figures: []manifest.Item{{ID: id}}})
		must.Fail(t, err, id)
	}
}

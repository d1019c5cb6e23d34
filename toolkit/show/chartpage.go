package show

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/echarts"
)

// A ChartPage is what stands around a chart on a page of its own. The zero value works.
type ChartPage struct {
	Title    string // heading and title of the page; default: that of the figure
	Source   string // a line over the heading, as "PRML figure 4.1", "" for none
	Caption  string // under the heading; default: what the figure says to those who cannot see it
	Back     string // address of the page that leads here, "" for none
	BackName string // its name; default "Back"
}

//go:embed chartpage.html
var chartPageSource string

var chartPage = template.Must(template.New("chart").Option("missingkey=error").Parse(chartPageSource))

// Page returns a page of its own with the chart and the library, about 700 kB, that
// needs no network: a heading, the caption, what can be done with the chart. Errors:
// those of Snippet.
func (c *Chart) Page(p ChartPage) ([]byte, error) {
	snippet, err := c.Snippet()
	if err != nil {
		return nil, err
	}
	p.Title = cmp.Or(p.Title, unicodeText(c.picture.Title), c.picture.description())
	p.Caption = cmp.Or(p.Caption, unicodeText(c.picture.Alt))
	p.BackName = cmp.Or(p.BackName, "Back")
	var b bytes.Buffer
	if err := chartPage.Execute(&b, map[string]any{
		"Page": p, "Hints": c.hints(), "Chart": template.HTML(snippet), "Library": template.HTML("<script>" + echarts.Script() + "</script>"),
	}); err != nil {
		return nil, fmt.Errorf("show: Page: %w", err)
	}
	return b.Bytes(), nil
}

// hints says what can be done with the chart.
func (c *Chart) hints() []string {
	var out []string
	_, turns := c.data.Option["grid3D"]
	_, moves := c.data.Option["dataZoom"]
	if turns {
		out = append(out, "The surfaces can be turned: drag them.")
	}
	if moves {
		out = append(out, "Drag a panel to move it.")
	}
	if turns || moves {
		out = append(out, "Shift and the wheel zooms.")
	}
	if moves {
		out = append(out, "The round arrow in the corner puts all back.")
	}
	if len(c.picture.allLegends()) > 0 {
		out = append(out, "Click a name in the legend to take it away.")
	}
	if slices.ContainsFunc(c.data.Frames, func(f chartFrame) bool { return len(f.Probes) > 0 }) {
		out = append(out, "Point at a place to read the posterior there.")
	}
	switch len(c.data.Sliders) {
	case 0:
	case 1:
		out = append(out, "The slider under the chart changes the figure.")
	default:
		out = append(out, "The sliders under the chart change the figure.")
	}
	return out
}

// HTML is [Chart.Page] with the texts of the figure. Errors: those of Snippet.
func (c *Chart) HTML() ([]byte, error) { return c.Page(ChartPage{}) }

// Save writes the page of [Chart.HTML]; path must end in .html. The folder must exist.
// A file of that name is replaced only when the new one is complete. Errors:
// another ending, those of HTML, and of writing the file.
func (c *Chart) Save(path string) error {
	if !slices.Contains([]string{".html", ".htm"}, strings.ToLower(filepath.Ext(path))) {
		return fmt.Errorf("show: Save: %q does not end in .html; for other formats save its Figure()", path)
	}
	page, err := c.HTML()
	if err != nil {
		return err
	}
	return save(path, page)
}

package show

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/echarts"
)

// LibraryMIME marks the output that holds the chart library, for tools that strip
// it from a notebook.
const LibraryMIME = "application/vnd.hyperplane.charts"

// LoadCharts puts the chart library on the notebook's page, for all charts that
// [DisplayChart] shows there. Call it in one cell; its output is 700 kB, those of the
// charts are small. Outside a notebook, and where a notebook runs without a person
// (HYPERPLANE_HEADLESS=1), it does nothing. An error is one of the connection to
// the notebook.
func LoadCharts() error {
	if !gonbui.IsNotebook || headless() {
		return nil
	}
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
		protocol.MIMETextHTML:          "<small>Charts on this page answer to the mouse.</small><script>" + echarts.Script() + "</script>",
		protocol.MIMETextPlain:         "Charts on this page answer to the mouse.",
		protocol.MIMEType(LibraryMIME): "library",
	}})
	gonbui.Sync()
	return gonbui.Error()
}

// DisplayChart shows the chart in the notebook whose cell is running. The page must
// have the library: call [LoadCharts] in one cell, before or after. Where scripts do
// not run (a notebook that is not trusted, a code host) the picture stands in its
// place, and where a notebook runs without a person (HYPERPLANE_HEADLESS=1) only
// the picture is made. Errors, also that of the chart, are treated as by [Display]:
//
//	show.DisplayChart(show.Interactive(show.Regions(m, d, show.RegionsOptions{})))
func DisplayChart(c *Chart, err ...error) error {
	if c == nil {
		return Display(nil, err...)
	}
	if headless() {
		return Display(c.picture, err...)
	}
	return display(c.picture, err, func(f *Figure) (*protocol.DisplayData, error) {
		snippet, err := c.Snippet()
		if err != nil {
			return nil, err
		}
		return &protocol.DisplayData{
			Data: map[protocol.MIMEType]any{protocol.MIMETextHTML: snippet, protocol.MIMETextPlain: f.description()},
		}, nil
	})
}

func headless() bool { return os.Getenv("HYPERPLANE_HEADLESS") == "1" }

func hasEnding(path string, endings ...string) bool {
	return slices.Contains(endings, strings.ToLower(filepath.Ext(path)))
}

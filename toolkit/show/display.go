package show

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"html"
	"os"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/canvas"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/echarts"
)

// Display shows the figure in the notebook whose cell is running: a PNG with two
// pixels for each of the screen's. It takes the error of the plot too:
//
//	show.Display(show.Regions(m, d, show.RegionsOptions{}))
//
// If there is one, or the figure cannot be drawn, the cell shows the error in a line,
// and it is returned. Outside a notebook nothing is shown, and only the error of the
// plot is returned.
func Display(f *Figure, err ...error) error {
	return display(f, err, (*Figure).still)
}

// still is the figure as a picture: where a person waits for it made sooner, and where
// nobody does, and it is kept, made smaller.
func (f *Figure) still() (*protocol.DisplayData, error) {
	png, err := f.png(func(page *canvas.PNG) {
		page.Quick = headless() == ""
		page.Light = !page.Quick
	})
	if err != nil {
		return nil, err
	}
	_, w, h := f.page()
	// 96 CSS pixels are an inch, 72 points too.
	px := func(pt float64) int { return int(pt*96/72 + 0.5) }
	return &protocol.DisplayData{
		Data: map[protocol.MIMEType]any{protocol.MIMEImagePNG: png, protocol.MIMETextPlain: f.description()},
		Metadata: map[string]any{
			// Not map[string]any: the pipe's other end knows only types of package protocol.
			string(protocol.MIMEImagePNG): map[string]int{"width": px(w), "height": px(h)},
		},
	}, nil
}

// DisplaySVG is [Display] with a vector picture, sharp at any magnification, in
// an <img> element, where notebooks let SVG stand even before they trust it.
// Errors: those of Display.
func DisplaySVG(f *Figure, err ...error) error {
	return display(f, err, func(f *Figure) (*protocol.DisplayData, error) {
		svg, err := f.SVG()
		if err != nil {
			return nil, err
		}
		return f.html(fmt.Sprintf(`<img alt="%s" src="data:image/svg+xml;base64,%s">`,
			html.EscapeString(f.description()), base64.StdEncoding.EncodeToString(svg))), nil
	})
}

// html is an output that stands for the figure.
func (f *Figure) html(text string) *protocol.DisplayData {
	return &protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextHTML: text, protocol.MIMETextPlain: f.description()}}
}

// display sends what encode makes of f unless there is an error already, and waits
// until the kernel has it: a cell's program may end before the kernel has read its
// last output.
func display(f *Figure, given []error, encode func(*Figure) (*protocol.DisplayData, error)) error {
	err := cmp.Or(given...)
	if !gonbui.IsNotebook {
		return err
	}
	var data *protocol.DisplayData
	if err == nil {
		data, err = encode(f)
	}
	if err != nil {
		data = &protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextPlain: err.Error()}}
	}
	gonbui.SendData(data)
	gonbui.Sync()
	if err == nil {
		err = gonbui.Error()
	}
	return err
}

// LibraryMIME marks the output that holds the chart library, for tools that strip
// it from a notebook.
const LibraryMIME = "application/vnd.hyperplane.charts"

// LoadCharts puts the chart library on the notebook's page, for all charts that
// [DisplayChart] shows there. Call it in one cell; its output is 700 kB, those of the
// charts are small. Outside a notebook, and where a notebook runs without a person
// (HYPERPLANE_HEADLESS is set), it does nothing. An error is one of the connection to
// the notebook.
func LoadCharts() error {
	if !gonbui.IsNotebook || headless() != "" {
		return nil
	}
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
		protocol.MIMETextHTML:          `<small class="hyperplane-charts-live"></small><script>` + echarts.Script() + "</script>",
		protocol.MIMETextPlain:         "The library of the charts.",
		protocol.MIMEType(LibraryMIME): "library",
	}})
	gonbui.Sync()
	return gonbui.Error()
}

// DisplayChart shows the chart in the notebook whose cell is running. The page must
// have the library: call [LoadCharts] in one cell, before or after. Where scripts do
// not run (a notebook that is not trusted, a code host) the picture stands in its
// place, and where a notebook runs without a person (HYPERPLANE_HEADLESS=1) only
// the picture is made. With HYPERPLANE_HEADLESS=charts picture and chart are two
// forms of one output, so that the chart can be taken out of the notebook and the
// picture stays. Errors, also that of the chart, are treated as by [Display]:
//
//	show.DisplayChart(show.Interactive(show.Regions(m, d, show.RegionsOptions{})))
func DisplayChart(c *Chart, err ...error) error {
	if c == nil {
		return Display(nil, err...)
	}
	if headless() == "1" {
		return Display(c.picture, err...)
	}
	return display(c.picture, err, func(f *Figure) (*protocol.DisplayData, error) {
		snippet, err := c.Snippet()
		if err != nil || headless() == "" {
			return f.html(snippet), err
		}
		both, err := f.still()
		if err == nil {
			both.Data[protocol.MIMETextHTML] = snippet
		}
		return both, err
	})
}

// ChartLibrary returns the script that [LoadCharts] puts on a notebook's page, for
// pages made of notebooks: it may stand before or after the charts.
func ChartLibrary() string { return echarts.Script() }

// headless says how a notebook runs without a person: "" with one, "1" without, "charts" too,
// with interactive charts for a page that is to be made of it.
func headless() string {
	if v := os.Getenv("HYPERPLANE_HEADLESS"); v == "1" || v == "charts" {
		return v
	}
	return ""
}

package show

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"html"
	"os"
	"runtime"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/canvas"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/echarts"
)

// Display shows the figure in the notebook whose cell is running, as a PNG with two pixels per
// screen pixel. It also accepts the error of the plot:
//
//	show.Display(show.Regions(m, d, show.RegionsOptions{}))
//
// If the plot failed or the figure cannot be drawn, the cell shows the error in one line, and
// Display returns the error. Outside a notebook, Display shows nothing and returns only the error
// of the plot.
func Display(f *Figure, err ...error) error {
	return display(f, err, (*Figure).still)
}

// NarrowMIME marks the SVG document of a figure drawn for a phone, with its panels below each other,
// in an output that also contains the figure as image/svg+xml.
const NarrowMIME = "application/vnd.hyperplane.narrow"

// inPage reports whether the cell runs in the learner's page and not in a notebook.
const inPage = runtime.GOOS == "js"

// still returns the figure as a picture. In an interactive notebook it optimises for
// speed; in a headless run, whose output is stored, for size. A page shows vector pictures: they
// follow the theme of the page and the width of its window.
func (f *Figure) still() (*protocol.DisplayData, error) {
	if inPage {
		data := &protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextPlain: f.description()}}
		return data, f.vectors(data)
	}
	png, err := f.png(func(page *canvas.PNG) {
		page.Quick = headless() == ""
		page.Light = !page.Quick
	})
	if err != nil {
		return nil, err
	}
	_, w, h := f.page()
	// An inch is 96 CSS pixels or 72 points.
	px := func(pt float64) int { return int(pt*96/72 + 0.5) }
	data := &protocol.DisplayData{
		Data: map[protocol.MIMEType]any{protocol.MIMEImagePNG: png, protocol.MIMETextPlain: f.description()},
		Metadata: map[string]any{
			// gob encodes only registered types. Package protocol registers map[string]int, but not
			// map[string]any.
			string(protocol.MIMEImagePNG): map[string]int{"width": px(w), "height": px(h)},
		},
	}
	if headless() != "charts" {
		return data, nil
	}
	return data, f.vectors(data)
}

// vectors adds the figure to an output as two SVG documents, for a wide and for a narrow window.
func (f *Figure) vectors(data *protocol.DisplayData) error {
	wide, err := f.SVG()
	if err != nil {
		return err
	}
	narrow, err := f.Narrow().SVG()
	if err != nil {
		return err
	}
	data.Data[protocol.MIMEImageSVG], data.Data[protocol.MIMEType(NarrowMIME)] = string(wide), string(narrow)
	return nil
}

// DisplaySVG is [Display] with a vector picture, which is sharp at any magnification.
// It uses an <img> element, in which notebooks show SVG even before they are trusted.
// Errors: as for Display.
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

// html returns an HTML output with the description of the figure as plain text.
func (f *Figure) html(text string) *protocol.DisplayData {
	return &protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextHTML: text,
		protocol.MIMETextPlain: f.description()}}
}

// display sends the result of encode to the notebook, or the given error. It waits until the kernel
// has received the output, because the cell's program may end before the kernel reads the last
// output.
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

// LibraryMIME marks the output that contains the chart library, for tools that strip
// it from a notebook.
const LibraryMIME = "application/vnd.hyperplane.charts"

// LoadCharts puts the chart library on the notebook's page, for all charts that [DisplayChart]
// shows there. Call LoadCharts in one cell. The output of that cell is 700 kB; the outputs of
// charts are small. LoadCharts does nothing outside a notebook or in a headless run
// (HYPERPLANE_HEADLESS is set). It returns an error if the connection to the notebook fails.
func LoadCharts() error {
	if !gonbui.IsNotebook || headless() != "" {
		return nil
	}
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
		protocol.MIMETextHTML: `<small class="hyperplane-charts-live"></small><script>` + echarts.Script() +
			"</script>",
		protocol.MIMETextPlain:         "The library of the charts.",
		protocol.MIMEType(LibraryMIME): "library",
	}})
	gonbui.Sync()
	return gonbui.Error()
}

// DisplayChart shows the chart in the notebook whose cell is running. The page must have the
// library: call [LoadCharts] in one cell, before or after. If scripts do not run (a notebook that
// is not trusted, a code host), the page shows the picture instead. A headless run with
// HYPERPLANE_HEADLESS=1 produces only the picture. With HYPERPLANE_HEADLESS=charts, picture and
// chart are two forms of one output, so that a tool can strip the chart from the notebook and keep
// the picture. DisplayChart handles errors, including the error of the chart, as [Display] does:
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

// ChartLibrary returns the script that [LoadCharts] puts on a notebook's page, for pages made from
// notebooks. The script may come before or after the charts.
func ChartLibrary() string { return echarts.Script() }

// headless returns the headless mode: "" for an interactive notebook, "1" for pictures only,
// "charts" for pictures with interactive charts, for pages made from the notebook.
func headless() string {
	if v := os.Getenv("HYPERPLANE_HEADLESS"); v == "1" || v == "charts" {
		return v
	}
	return ""
}

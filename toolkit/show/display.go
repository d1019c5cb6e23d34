package show

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"html"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/canvas"
)

// Display shows the figure in the notebook whose cell is running. The figure is a PNG. At the default
// Size, it has twice the resolution of a screen. The second argument is the error that the plot has
// returned:
//
//	show.Display(show.Regions(m, d, show.RegionsOptions{}))
//
// If the plot failed or the figure cannot be drawn, the cell shows the error in one line, and
// Display returns the error. It also returns an error if the connection to the notebook fails.
// Outside a notebook, Display shows nothing and returns only the error of the plot.
func Display(f *Figure, err ...error) error {
	return display(f, err, (*Figure).picture)
}

// NarrowMIME is the media type of a figure for a phone: an SVG document in which the panels are
// stacked vertically. The same output also contains the figure for wider windows, with the media
// type image/svg+xml.
const NarrowMIME = "application/vnd.hyperplane.narrow"

// inPage reports whether the program runs in a web browser, as part of a page, instead of in a
// notebook.
const inPage = runtime.GOOS == "js"

// picture returns the figure as an output. In an interactive notebook, the output is a PNG that is
// encoded quickly. In a headless run, where the output is stored, the PNG is encoded in few bytes.
// On a page the output is a vector picture, which adapts to the colours of the page and to the width
// of its window. With HYPERPLANE_HEADLESS=charts, the output contains the PNG and the vector picture.
func (f *Figure) picture() (*protocol.DisplayData, error) {
	if inPage {
		data := &protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextPlain: f.description()}}
		return data, f.addSVG(data)
	}
	png, err := f.encodePNG(func(page *canvas.PNG) {
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
			// map[string]any, so the sizes are in a map[string]int.
			string(protocol.MIMEImagePNG): map[string]int{"width": px(w), "height": px(h)},
		},
	}
	if headless() != "charts" {
		return data, nil
	}
	return data, f.addSVG(data)
}

// addSVG adds the figure to an output as two SVG documents, for a wide and for a narrow window.
func (f *Figure) addSVG(data *protocol.DisplayData) error {
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

// DisplaySVG is like [Display], but shows a vector picture, which is sharp at any magnification.
// DisplaySVG uses an <img> element, because a notebook that is not trusted shows SVG only in such
// an element. It returns the same errors as Display.
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

// html returns an output in HTML. The output also contains the description of the figure as plain
// text.
func (f *Figure) html(text string) *protocol.DisplayData {
	return &protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextHTML: text,
		protocol.MIMETextPlain: f.description()}}
}

// display sends the result of `encode`, or the given error, to the notebook. It waits until the
// kernel has received the output, because otherwise the program of the cell might end before the
// kernel has read the last output. Outside a notebook, display only returns the given error.
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

// LibraryMIME is the media type of the output that contains the chart library. A tool can find this
// output by its type and remove it from a notebook.
const LibraryMIME = "application/vnd.hyperplane.charts"

// LoadCharts adds the chart library to the notebook. All charts that [DisplayChart] shows in the
// notebook need this library. Call LoadCharts in one cell. The output of that cell is 700 kB, while
// the outputs of charts are small. LoadCharts does nothing outside a notebook or in a headless run
// (HYPERPLANE_HEADLESS is 1 or charts). It returns an error if the connection to the notebook fails.
func LoadCharts() error {
	if !gonbui.IsNotebook || headless() != "" {
		return nil
	}
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
		protocol.MIMETextHTML: `<small class="hyperplane-charts-live"></small><script>` + ChartLibrary() +
			"</script>",
		protocol.MIMETextPlain:         "The library of the charts.",
		protocol.MIMEType(LibraryMIME): "library",
	}})
	gonbui.Sync()
	return gonbui.Error()
}

// DisplayChart shows the chart in the notebook whose cell is running. The page needs the chart
// library: call [LoadCharts] in one cell, before or after this call. If scripts do not run (for
// example in an untrusted notebook or on a code host), the page shows a picture instead. A headless
// run with HYPERPLANE_HEADLESS=1 produces only the picture. With HYPERPLANE_HEADLESS=charts, the
// picture and the chart are two forms of the same output. A tool can then remove the chart from the
// notebook and keep the picture. DisplayChart handles errors, including the error of the chart, in
// the same way as [Display]:
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
		both, err := f.picture()
		if err == nil {
			both.Data[protocol.MIMETextHTML] = snippet
		}
		return both, err
	})
}

// headless returns the mode of a headless run. "" means an interactive notebook, "1" means pictures
// only, and "charts" means pictures with interactive charts, for pages made from the notebook.
func headless() string {
	if v := os.Getenv("HYPERPLANE_HEADLESS"); v == "1" || v == "charts" {
		return v
	}
	return ""
}

const (
	progressAfter = 2 * time.Second // time between the first call and the first bar
	progressEvery = 200 * time.Millisecond
)

// Progress returns a function for the field Progress of classify.RowsOptions. That function shows
// the progress of a pass over the rows as a bar. In a notebook, the bar is in the output of the
// running cell. In other programs, it is one line on standard error, if standard error is a
// terminal; otherwise the function shows nothing. The bar appears two seconds after the first call.
//
//	rows, err := classify.NewRows(each, classify.RowsOptions{Progress: show.Progress()})
func Progress() func(pass, row, rows int) {
	switch {
	case gonbui.IsNotebook:
		id := "hyperplane_progress_" + gonbui.UniqueId()
		return (&progress{now: time.Now, draw: func(pass, row, rows int) {
			gonbui.UpdateHTML(id, progressBar(pass, row, rows))
		}}).step
	case isTerminal(os.Stderr):
		return (&progress{now: time.Now, draw: func(pass, row, rows int) {
			fmt.Fprint(os.Stderr, progressLine(pass, row, rows))
		}}).step
	}
	return func(int, int, int) {}
}

// isTerminal reports whether f is a character device, such as a terminal.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// progress draws a progress bar. It updates the bar at most every 200 ms. At the end of a pass for
// which it has drawn a bar, it updates the bar once more.
type progress struct {
	now         func() time.Time
	draw        func(pass, row, rows int)
	first, last time.Time
	pass        int // pass for which the last bar was drawn
}

func (p *progress) step(pass, row, rows int) {
	now := p.now()
	if p.first.IsZero() {
		p.first = now
	}
	ends := row == rows && p.pass == pass // at the end of a pass, update a bar that was drawn, so that it is full
	if now.Sub(p.first) < progressAfter || now.Sub(p.last) < progressEvery && !ends {
		return
	}
	p.last, p.pass = now, pass
	p.draw(pass, row, rows)
}

// progressBar returns the HTML bar of a pass. The argument `row` is the number of rows that the
// pass has read so far, and `rows` is the total number of rows. In the first pass the total is not
// known yet, so `rows` is 0.
func progressBar(pass, row, rows int) string {
	if rows == 0 {
		return fmt.Sprintf(`<progress></progress> %d rows counted`, row)
	}
	return fmt.Sprintf(`<progress value="%d" max="%d"></progress> pass %d: row %d of %d`, row, rows, pass, row, rows)
}

// progressLine is like progressBar, but for a terminal. It replaces the previous line. The line of
// a finished pass remains, unless it was the first pass.
func progressLine(pass, row, rows int) string {
	const width = 20
	if rows == 0 {
		return fmt.Sprintf("\r%d rows counted\x1b[K", row)
	}
	full := width * row / rows
	end := ""
	if row == rows {
		end = "\n"
	}
	return fmt.Sprintf("\r[%s%s] pass %d: row %d of %d\x1b[K%s",
		strings.Repeat("=", full), strings.Repeat(" ", width-full), pass, row, rows, end)
}

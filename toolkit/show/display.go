package show

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"html"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
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
	return display(f, err, func(f *Figure) (*protocol.DisplayData, error) {
		png, err := f.PNG()
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
	})
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
		alt := f.description()
		img := fmt.Sprintf(`<img alt="%s" src="data:image/svg+xml;base64,%s">`,
			html.EscapeString(alt), base64.StdEncoding.EncodeToString(svg))
		return &protocol.DisplayData{
			Data: map[protocol.MIMEType]any{protocol.MIMETextHTML: img, protocol.MIMETextPlain: alt},
		}, nil
	})
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

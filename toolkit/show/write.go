package show

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/canvas"
)

// Formats returns the formats that [Figure.Encode] and [Figure.Save] know.
func Formats() []string { return []string{"svg", "png", "pdf", "csv", "json"} }

// SVG returns the figure as an SVG document. Text is outlines: it looks the same
// in every viewer. Errors: a nil figure or one without panels, a Size that cannot
// be drawn.
func (f *Figure) SVG() ([]byte, error) {
	return f.on(func(w, h float64) document { return canvas.NewSVG(w, h, f.description()) })
}

// PDF returns the figure as a PDF document of one page, without dates and
// identifiers. Errors: those of SVG.
func (f *Figure) PDF() ([]byte, error) {
	return f.on(func(w, h float64) document { return canvas.NewPDF(w, h, f.description()) })
}

// PNG returns the figure as a PNG file with the density of its Size. Errors: those
// of SVG.
func (f *Figure) PNG() ([]byte, error) {
	return f.on(func(w, h float64) document { return canvas.NewPNG(w, h, f.Size.dpi()) })
}

// A document takes a drawing and returns the file.
type document interface {
	canvas.Sink
	Bytes() ([]byte, error)
}

// on draws the figure on a page of its size.
func (f *Figure) on(page func(w, h float64) document) ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	_, w, h := f.page()
	s := page(w, h)
	if err := f.render(s); err != nil {
		return nil, err
	}
	return s.Bytes()
}

// Encode returns the figure ("svg", "png", "pdf") or its numbers ("csv",
// "json"). Any other format is an error that lists these.
func (f *Figure) Encode(format string) ([]byte, error) {
	switch strings.ToLower(format) {
	case "svg":
		return f.SVG()
	case "png":
		return f.PNG()
	case "pdf":
		return f.PDF()
	case "csv":
		return f.data.CSV()
	case "json":
		return f.data.JSON()
	}
	return nil, fmt.Errorf("show: no format %q; there are %s", format, strings.Join(Formats(), ", "))
}

// Save writes the figure in the format that the ending of path names. The folder
// must exist. A file of that name is replaced only when the new one is complete:
// an interrupted or failed Save leaves it whole. Errors: an ending that names no
// format, those of drawing, and of writing the file.
func (f *Figure) Save(path string) error {
	ext := strings.TrimPrefix(filepath.Ext(path), ".")
	if ext == "" {
		return fmt.Errorf("show: %q has no ending to name the format; end it in .%s", path, strings.Join(Formats(), ", ."))
	}
	b, err := f.Encode(ext)
	if err != nil {
		return err
	}
	return save(path, b)
}

func save(path string, b []byte) error {
	if err := toolkit.WriteFile(path, b); err != nil {
		return fmt.Errorf("show: %w", err)
	}
	return nil
}

package show

import (
	"fmt"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/canvas"
)

// Formats returns the formats that [Figure.Encode] and [Figure.Save] support.
func Formats() []string { return []string{"svg", "png", "pdf", "csv", "json"} }

// SVG returns the figure as an SVG document. Letters are drawn as outlines, so the text looks the
// same in every viewer. Errors: a nil figure, a figure without panels, a Width or Height that is not
// between 0.5 and 100 inches, and a panel that gonum/plot cannot draw.
func (f *Figure) SVG() ([]byte, error) {
	return f.encodeOn(func(w, h vg.Length) document { return canvas.NewSVG(w, h, f.description()) })
}

// encodePNG returns the figure as a PNG file. It calls the function `set`, which changes the
// settings of the page.
func (f *Figure) encodePNG(set func(*canvas.PNG)) ([]byte, error) {
	return f.encodeOn(func(w, h vg.Length) document {
		page := canvas.NewPNG(w, h, f.Size.dpi())
		set(page)
		return page
	})
}

// A document is a Sink that returns the finished file.
type document interface {
	canvas.Sink
	Bytes() ([]byte, error)
}

// encodeOn draws the figure on a page of the figure's size and returns the file.
func (f *Figure) encodeOn(page func(w, h vg.Length) document) ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	_, w, h := f.page()
	s := page(vg.Points(w), vg.Points(h))
	if err := f.render(s); err != nil {
		return nil, err
	}
	return s.Bytes()
}

// Encode returns the figure ("svg", "png", "pdf") or its numbers ("csv", "json"). For any other
// format it returns an error that lists the formats. A nil figure is an error for every format. For
// a picture, Encode also returns the other errors of [Figure.SVG].
func (f *Figure) Encode(format string) ([]byte, error) {
	if f == nil {
		return nil, f.check()
	}
	switch strings.ToLower(format) {
	case "svg":
		return f.SVG()
	case "png":
		return f.encodePNG(func(*canvas.PNG) {}) // the field Size determines the resolution
	case "pdf":
		return f.encodeOn(func(w, h vg.Length) document { return canvas.NewPDF(w, h, f.description()) })
	case "csv":
		return f.data.csv()
	case "json":
		return f.data.json()
	}
	return nil, fmt.Errorf("show: unknown format %q; want one of %s", format, strings.Join(Formats(), ", "))
}

// Save writes the figure in the format given by the extension of path. The folder must exist. Save
// replaces an existing file only when the new file is complete, so the existing file remains intact
// if Save fails or is interrupted. Save returns an error if the extension is not a format, or if
// the figure cannot be drawn or the file cannot be written.
func (f *Figure) Save(path string) error {
	ext := strings.TrimPrefix(filepath.Ext(path), ".")
	if ext == "" {
		return fmt.Errorf("show: path %q has no extension; want one of .%s", path,
			strings.Join(Formats(), ", ."))
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

// A Size describes a kind of page. In a notebook, most figures are 4 to 8 inches wide. On another
// kind of page, the Size determines how large the figure and its text are.
type Size struct {
	Name                string
	MaxWidth, MaxHeight float64 // inches
	Scale               float64 // factor for text and lines; 0 means that the whole figure is scaled to fill the page
	DPI                 int     // resolution of PNG files in pixels per inch; 0 means 192
}

// These are the page sizes. The zero Size means Notebook. PNG files for Notebook have twice the
// usual resolution of a screen, so that they are sharp on screens with a high resolution.
var (
	Notebook = Size{Name: "notebook", MaxWidth: 8.4, MaxHeight: 12, Scale: 1, DPI: 192}
	Page     = Size{Name: "page", MaxWidth: 5, MaxHeight: 7.5, Scale: 0.8, DPI: 300}
	Slide    = Size{Name: "slide", MaxWidth: 12.8, MaxHeight: 7.2, DPI: 150}
)

// Sizes returns the sizes whose names [SizeByName] accepts.
func Sizes() []Size { return []Size{Notebook, Page, Slide} }

// SizeByName returns the Size with the name "notebook", "page" or "slide"; "" means "notebook". For
// any other name it returns an error that lists the names.
func SizeByName(name string) (Size, error) {
	if name == "" {
		return Notebook, nil
	}
	var names []string
	for _, s := range Sizes() {
		if s.Name == strings.ToLower(name) {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Size{}, fmt.Errorf("show: unknown size %q; want one of %s", name, strings.Join(names, ", "))
}

// fit returns the page for a figure that is w × h inches large in a notebook. The results are the
// scale of the page, and its width and height in inches before scaling.
func (s Size) fit(w, h float64) (scale, width, height float64) {
	if s == (Size{}) {
		s = Notebook
	}
	if s.Scale == 0 {
		return min(s.MaxWidth/w, s.MaxHeight/h), w, h
	}
	shrink := min(1, s.MaxWidth/(w*s.Scale), s.MaxHeight/(h*s.Scale))
	return s.Scale, w * shrink, h * shrink
}

func (s Size) dpi() int {
	if s.DPI <= 0 {
		return Notebook.DPI
	}
	return s.DPI
}

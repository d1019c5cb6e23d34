package show

import (
	"fmt"
	"strings"
)

// A Size is a kind of page. Figures have a natural size (5 to 8 inches wide on
// a notebook page); a Size says how large they, and their lettering, become.
type Size struct {
	Name                string
	MaxWidth, MaxHeight float64 // inches
	Scale               float64 // of lettering and lines; 0: whatever fills the page
	DPI                 int     // pixels per inch of PNG files
}

// The sizes. Notebook is what the zero Size means: PNG files have two pixels for
// each of the screen's, so that they are sharp on dense screens.
var (
	Notebook = Size{Name: "notebook", MaxWidth: 8.4, MaxHeight: 12, Scale: 1, DPI: 192}
	Page     = Size{Name: "page", MaxWidth: 5, MaxHeight: 7.5, Scale: 0.8, DPI: 300}
	Slide    = Size{Name: "slide", MaxWidth: 12.8, MaxHeight: 7.2, DPI: 150}
)

// Sizes returns the sizes that [SizeByName] knows.
func Sizes() []Size { return []Size{Notebook, Page, Slide} }

// SizeByName returns "notebook", "page" or "slide"; "" is notebook. Any other
// name is an error that lists them.
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
	return Size{}, fmt.Errorf("show: no size %q; there are %s", name, strings.Join(names, ", "))
}

// fit returns the scale and the width and height in inches, before scaling, of
// the page for a figure whose natural size is w × h inches.
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

package show

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Look is how a line, mark or text added to a figure looks. The zero value is
// a solid line, the first marker or plain text in the colour of the axes.
type Look struct {
	Color  color.NRGBA // the zero colour is Ink()
	Width  float64     // of lines, in points; 0 is 1.6
	Dash   int         // of lines: 0 is solid, 1 to 6 are the patterns of the curves
	Marker int         // of marks: that of class Marker
	Size   float64     // radius of marks (0 is 2.6) or size of text (0 is 9), in points
	Align  float64     // of text: 0 starts at the point, −0.5 is centred on it, −1 ends there
}

func (l Look) color() color.NRGBA {
	if l.Color == (color.NRGBA{}) {
		return ink
	}
	return l.Color
}

// AddLine draws the line through the points (x[i], y[i]) over a panel. NaN
// interrupts it. Under a name it enters the legend and the numbers (name.x,
// name.y); with an empty name neither. The axes stay as they are. It returns an
// error if there is no such panel or x and y differ in length.
func (f *Figure) AddLine(panel int, name string, x, y []float64, l Look) error {
	pts, err := f.series("AddLine", panel, x, y)
	if err != nil {
		return err
	}
	width := vg.Points(l.Width)
	if l.Width <= 0 {
		width = lineWidth
	}
	layer := lineLayer{[][]xy{pts}, draw.LineStyle{Color: l.color(), Width: width, Dashes: dash(max(0, l.Dash))}}
	f.panels[panel].Add(layer)
	f.named(name, x, y)
	if name != "" {
		f.AddLegend(name, layer)
	}
	return nil
}

// AddMarks draws a marker at each point (x[i], y[i]) inside a panel; the rest is
// as for AddLine. Errors: those of AddLine.
func (f *Figure) AddMarks(panel int, name string, x, y []float64, l Look) error {
	pts, err := f.series("AddMarks", panel, x, y)
	if err != nil {
		return err
	}
	radius := vg.Points(l.Size)
	if l.Size <= 0 {
		radius = markerSize
	}
	layer := pointLayer{pts, draw.GlyphStyle{Color: l.color(), Radius: radius, Shape: marker(max(0, l.Marker))}}
	f.panels[panel].Add(layer)
	f.named(name, x, y)
	if name != "" {
		f.AddLegend(name, layer)
	}
	return nil
}

// AddText writes a label, which may hold formulas, at the height of (x, y),
// moved dx points to the right and dy up. Errors: those of AddLine.
func (f *Figure) AddText(panel int, label string, x, y, dx, dy float64, l Look) error {
	pts, err := f.series("AddText", panel, []float64{x}, []float64{y})
	if err != nil {
		return err
	}
	size := vg.Points(l.Size)
	if l.Size <= 0 {
		size = tickSize
	}
	f.panels[panel].Add(textLayer{
		at: pts, labels: []string{label}, size: size, color: l.color(),
		dx: vg.Points(dx), dy: vg.Points(dy), xalign: draw.XAlignment(l.Align),
	})
	return nil
}

func (f *Figure) series(who string, panel int, x, y []float64) ([]xy, error) {
	if panel < 0 || panel >= len(f.panels) {
		return nil, fmt.Errorf("show: %s: there is no panel %d; the figure has the panels 0 to %d", who, panel, len(f.panels)-1)
	}
	if len(x) != len(y) {
		return nil, fmt.Errorf("show: %s: %d values of x and %d of y; each point needs both", who, len(x), len(y))
	}
	pts := polyline(x, y)
	for i, q := range pts {
		pts[i] = xy{X: round9(q.X), Y: round9(q.Y)}
		if math.IsInf(q.X, 0) || math.IsInf(q.Y, 0) {
			pts[i].Y = math.NaN()
		}
	}
	return pts, nil
}

func (f *Figure) named(name string, x, y []float64) {
	if name != "" {
		f.AddData(plain(name)+".x", x)
		f.AddData(plain(name)+".y", y)
	}
}

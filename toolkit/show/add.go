package show

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
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

// size returns the size of a mark or text, or the usual one.
func (l Look) size(usual vg.Length) vg.Length {
	if l.Size > 0 {
		return vg.Points(l.Size)
	}
	return usual
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
	layer := lineLayer{[][]xy{pts}, l.line(lineWidth)}
	f.put(panel, name, layer, x, y)
	return nil
}

// AddMarks draws a marker at each point (x[i], y[i]) inside a panel; the rest is
// as for AddLine. Errors: those of AddLine.
func (f *Figure) AddMarks(panel int, name string, x, y []float64, l Look) error {
	pts, err := f.series("AddMarks", panel, x, y)
	if err != nil {
		return err
	}
	layer := pointLayer{pts, draw.GlyphStyle{Color: l.color(), Radius: l.size(markerSize), Shape: marker(max(0, l.Marker))}}
	f.put(panel, name, layer, x, y)
	return nil
}

// AddText writes a label, which may hold formulas, at the height of (x, y),
// moved dx points to the right and dy up. Errors: those of AddLine.
func (f *Figure) AddText(panel int, label string, x, y, dx, dy float64, l Look) error {
	pts, err := f.series("AddText", panel, []float64{x}, []float64{y})
	if err != nil {
		return err
	}
	f.panels[panel].Add(textLayer{
		at: pts, labels: []string{label}, size: l.size(tickSize), color: l.color(),
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

// put adds a layer to a panel, and under a name to the numbers and the legend.
func (f *Figure) put(panel int, name string, layer interface {
	plot.Plotter
	plot.Thumbnailer
}, x, y []float64) {
	f.panels[panel].Add(layer)
	if name != "" {
		f.AddData(plain(name)+".x", x)
		f.AddData(plain(name)+".y", y)
		f.AddLegend(name, layer)
	}
}

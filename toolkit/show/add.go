package show

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Look is the style of a line, mark or text added to a figure. The zero value is
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

// or returns a length in points, or the usual one.
func or(v float64, usual vg.Length) vg.Length {
	if v > 0 {
		return vg.Points(v)
	}
	return usual
}

// line returns the style of a line, of that width unless l has its own.
func (l Look) line(width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: l.color(), Width: or(l.Width, width), Dashes: dash(max(0, l.Dash))}
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
	return f.put(panel, name, lineLayer{[][]xy{pts}, l.line(lineWidth)}, x, y)
}

// AddMarks draws a marker at each point (x[i], y[i]) inside a panel; the rest is
// as for AddLine. Errors: those of AddLine.
func (f *Figure) AddMarks(panel int, name string, x, y []float64, l Look) error {
	pts, err := f.series("AddMarks", panel, x, y)
	if err != nil {
		return err
	}
	return f.put(panel, name, pointLayer{pts, draw.GlyphStyle{Color: l.color(), Radius: or(l.Size, markerSize), Shape: marker(max(0, l.Marker))}}, x, y)
}

// AddText writes a label, which may hold formulas, at the height of (x, y),
// moved dx points to the right and dy up. Errors: those of AddLine.
func (f *Figure) AddText(panel int, label string, x, y, dx, dy float64, l Look) error {
	pts, err := f.series("AddText", panel, []float64{x}, []float64{y})
	if err != nil {
		return err
	}
	f.panels[panel].add(textLayer{
		at: pts, labels: []string{label}, size: or(l.Size, tickSize), color: l.color(),
		dx: vg.Points(dx), dy: vg.Points(dy), xalign: draw.XAlignment(l.Align),
	})
	return nil
}

// AddArrow draws an arrow from (x0, y0) to (x1, y1) over a panel. Under a name it
// enters the legend and the numbers (name.x, name.y); with an empty name neither.
// The axes stay as they are. It returns an error if there is no such panel or a
// coordinate is not finite.
func (f *Figure) AddArrow(panel int, name string, x0, y0, x1, y1 float64, l Look) error {
	return f.arrow("AddArrow", panel, name, []float64{x0, x1}, []float64{y0, y1}, l, false)
}

// AddSpan draws a line with a head at both ends, as distances are marked on
// drawings; the rest is as for AddArrow. Errors: those of AddArrow.
func (f *Figure) AddSpan(panel int, name string, x0, y0, x1, y1 float64, l Look) error {
	return f.arrow("AddSpan", panel, name, []float64{x0, x1}, []float64{y0, y1}, l, true)
}

func (f *Figure) arrow(who string, panel int, name string, x, y []float64, l Look, both bool) error {
	pts, err := f.finite(who, panel, x, y)
	if err != nil {
		return err
	}
	return f.put(panel, name, arrowLayer{pts[0], pts[1], l.line(1.1), 7, both}, x, y)
}

// AddArea fills the polygon with the corners (x[i], y[i]) with a light tint of
// the colour of l, or with hatching if l has a Dash: 1 and 3 rise, 2 and 4 fall.
// What lies outside of the frame is cut off. Name and errors are as for AddArrow;
// fewer than three corners are an error.
func (f *Figure) AddArea(panel int, name string, x, y []float64, l Look) error {
	pts, err := f.finite("AddArea", panel, x, y)
	if err != nil {
		return err
	}
	if len(pts) < 3 {
		return fmt.Errorf("show: AddArea: %d corners; an area has at least 3", len(pts))
	}
	area := areaLayer{rings: [][]xy{pts}, color: mix(paper, l.color(), tintShare), clip: true}
	if l.Dash > 0 {
		area.color = mix(paper, l.color(), tintShare/2)
		area.hatch = &hatching{slope: vg.Length(2*(l.Dash%2) - 1), spacing: 5, style: l.line(0.7)}
		area.hatch.style.Dashes = nil
	}
	return f.put(panel, name, area, x, y)
}

// AddRightAngle draws the mark of a right angle at (x, y), between the directions
// (ux, uy) and (vx, vy), with sides of Size points (0 is 7). It looks right where
// the axes are equal (see [Figure.EqualAxes]). Errors are as for AddArrow.
func (f *Figure) AddRightAngle(panel int, x, y, ux, uy, vx, vy float64, l Look) error {
	pts, err := f.finite("AddRightAngle", panel, []float64{x, ux, vx}, []float64{y, uy, vy})
	if err != nil {
		return err
	}
	f.panels[panel].add(cornerLayer{pts[0], pts[1], pts[2], or(l.Size, 7), l.line(0.9)})
	return nil
}

// series returns the points of columns that are to be drawn on a panel.
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

// finite is series without gaps.
func (f *Figure) finite(who string, panel int, x, y []float64) ([]xy, error) {
	pts, err := f.series(who, panel, x, y)
	for i := range pts {
		if v := x[i]*0 + y[i]*0; v != 0 { // NaN or infinite
			return nil, fmt.Errorf("show: %s: point %d is (%v, %v); it must be finite", who, i, x[i], y[i])
		}
	}
	return pts, err
}

// put adds a mark to a panel, and under a name to the numbers and the legend.
func (f *Figure) put(panel int, name string, m legendMark, x, y []float64) error {
	f.panels[panel].add(m)
	if name != "" {
		f.AddData(plain(name)+".x", x)
		f.AddData(plain(name)+".y", y)
		f.AddLegend(name, m)
	}
	return nil
}

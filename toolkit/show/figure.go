package show

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Figure consists of one or more panels, a legend, and the numbers that the panels show. The
// functions of this package return figures. [NewFigure] makes a figure from custom plots.
type Figure struct {
	Title string // title above the panels; "" omits it
	Alt   string // one sentence for readers who cannot see the picture

	// Width and Height are the size in inches that the figure has in a notebook.
	Width, Height float64
	Size          Size // page for which the figure is drawn; the zero value means Notebook

	panels []panel
	cols   int
	legend []legendItem
	bar    *colorBar
	data   Data
}

type legendItem struct {
	name   string
	thumbs []plot.Thumbnailer
}

// NewFigure arranges plots in rows of `cols` plots, beginning at the top left. It returns an error
// if there are no plots, a plot is nil, or `cols` is not positive. [NewPanel] returns an empty plot
// in the style of this package.
func NewFigure(cols int, plots ...*plot.Plot) (*Figure, error) {
	panels := make([]panel, len(plots))
	for i, p := range plots {
		if p == nil {
			return nil, fmt.Errorf("show: plot %d of %d is nil", i+1, len(plots))
		}
		panels[i].Plot = p
	}
	return newFigure(cols, panels...)
}

func newFigure(cols int, panels ...panel) (*Figure, error) {
	if len(panels) == 0 {
		return nil, errors.New("show: no plots are given; want at least one")
	}
	if cols < 1 {
		return nil, fmt.Errorf("show: there are %d plots in rows of %d; want at least one plot per row",
			len(panels), cols)
	}
	f := &Figure{panels: panels, cols: min(cols, len(panels))}
	f.Width, f.Height = naturalSize(len(panels), f.cols)
	return f, nil
}

// NewPanel returns an empty plot in the style of this package. Its labels may contain formulas
// between dollar signs, in a small subset of LaTeX:
//   - Letters are italic.
//   - _ lowers the next character or {group}, and ^ raises it.
//   - \sigma, \Phi, \nabla and so on are symbols.
//   - \mathbf{x} is bold, and \text{…} is upright.
//   - An unknown \name is drawn as upright letters, like \ln.
//
// Outside dollar signs every character is drawn as it is. To draw a dollar sign, write \$. A dollar
// sign that no second dollar sign follows is also drawn as it is.
func NewPanel(xLabel, yLabel string) *plot.Plot { return newPanel(xLabel, yLabel).Plot }

// naturalSize returns the default size, in inches, of a figure with n panels in rows of `cols`
// panels.
func naturalSize(n, cols int) (w, h float64) {
	rows := (n + cols - 1) / cols
	if cols == 1 {
		return 5.4, []float64{4.1, 6.2, 8}[min(rows, 3)-1]
	}
	w = min(4*float64(cols), 8.4)
	return w, float64(rows)*(w/float64(cols))*0.95 + 0.3
}

// singlePanel returns a figure with one panel.
func singlePanel(p panel) *Figure {
	f := &Figure{panels: []panel{p}, cols: 1}
	f.Width, f.Height = naturalSize(1, 1)
	return f
}

// Panel returns panel i, so that the caller can change it or add to it. Panel 0 is at the top left.
// Panel returns nil if the panel does not exist.
func (f *Figure) Panel(i int) *plot.Plot {
	if i < 0 || i >= len(f.panels) {
		return nil
	}
	return f.panels[i].Plot
}

// Len returns the number of panels.
func (f *Figure) Len() int { return len(f.panels) }

// Data returns the numbers that the figure shows.
func (f *Figure) Data() Data { return f.data }

// AddData appends a column to the Data of the figure. It rounds the numbers to nine significant
// digits.
func (f *Figure) AddData(name string, values []float64) { f.data.add(name, values) }

// AddLegend appends an entry to the legend under the panels. It does nothing if the
// legend already has an entry with that name.
func (f *Figure) AddLegend(name string, thumbs ...plot.Thumbnailer) {
	for _, it := range f.legend {
		if it.name == name {
			return
		}
	}
	f.legend = append(f.legend, legendItem{name, thumbs})
}

// appendToAlt adds a name to the list of names at the end of Alt. The index i is 0 for the first
// name.
func (f *Figure) appendToAlt(i int, name string) {
	if i > 0 {
		f.Alt += ","
	}
	f.Alt += " " + name
}

// At returns the same figure for a different kind of page. Both figures share their plots.
func (f *Figure) At(s Size) *Figure {
	g := *f
	g.Size, g.panels = s, slices.Clone(f.panels)
	return &g
}

// Panels combines figures into one figure with one legend. There are `cols` panels in each row. If a
// figure has a single panel and this panel has no title, the title of the figure becomes the title
// of the panel. Otherwise Panels omits the title of the figure. If several figures have a colour bar,
// only the first bar remains. In the Data, the names of the columns begin with "a." for the first
// figure, with "b." for the second figure, and so on. Panels returns an error if there are no figures
// or more than 26, if a figure is nil, or if `cols` is not positive.
func Panels(cols int, figures ...*Figure) (*Figure, error) {
	if len(figures) > 26 {
		return nil, fmt.Errorf("show: %d figures for one page; want at most 26, because each figure is named by a letter", len(figures))
	}
	var panels []panel
	for i, g := range figures {
		if g == nil {
			return nil, fmt.Errorf("show: figure %d of %d is nil", i+1, len(figures))
		}
		panels = append(panels, g.panels...)
		if len(g.panels) == 1 && g.Title != "" && g.panels[0].Title.Text == "" {
			titled := *g.panels[0].Plot
			titled.Title.Text = g.Title
			panels[len(panels)-1].Plot = &titled
		}
	}
	f, err := newFigure(cols, panels...)
	if err != nil {
		return nil, err
	}
	for i, g := range figures {
		for _, it := range g.legend {
			f.AddLegend(it.name, it.thumbs...)
		}
		if f.bar == nil {
			f.bar = g.bar
		}
		f.data = append(f.data, g.data.withPrefix(string(rune('a'+i))+".")...)
		if g.Alt != "" {
			if f.Alt != "" {
				f.Alt += " "
			}
			f.Alt += fmt.Sprintf("(%c) %s", 'a'+i, g.Alt)
		}
	}
	return f, nil
}

// PanelsLegends is like [Panels], but with legends under the panels. Entries that occur in all
// figures are under the whole figure. Every other entry is under the first panel of its figure.
// PanelsLegends returns the same errors as Panels.
func PanelsLegends(cols int, figures ...*Figure) (*Figure, error) {
	f, err := Panels(cols, figures...)
	if err != nil {
		return nil, err
	}
	times := map[string]int{}
	for _, g := range figures {
		for _, it := range g.legend {
			times[it.name]++
		}
	}
	own := func(it legendItem) bool { return times[it.name] < len(figures) }
	f.legend = slices.DeleteFunc(f.legend, own)
	at := 0
	for _, g := range figures {
		for _, it := range g.legend {
			if own(it) {
				f.panels[at].legend = append(slices.Clip(f.panels[at].legend), it)
			}
		}
		at += len(g.panels)
	}
	return f, nil
}

// allLegends returns the legend entries of the figure and of its panels.
func (f *Figure) allLegends() []legendItem {
	out := slices.Clone(f.legend)
	for _, p := range f.panels {
		out = append(out, p.legend...)
	}
	return out
}

// A panel is a plot with additional properties.
type panel struct {
	*plot.Plot
	equal bool // whether one unit has the same length on both axes
	bare  bool // whether the panel draws its own axes and has no frame
	low   bool // whether the panel is a supplement to the panel above it; a row with only such panels is lower than other rows

	legend []legendItem // legend entries under this panel instead of under the figure
	probes probes       // models whose posteriors an interactive chart shows at the mouse pointer
}

// lowRow is the height of a row of low panels, as a fraction of the height of other rows.
const lowRow = 0.3

// rowShares returns each row's fraction of the total height.
func (f *Figure) rowShares(rows int) []vg.Length {
	shares, sum := make([]vg.Length, rows), vg.Length(0)
	for r := range shares {
		shares[r] = lowRow
		for _, p := range f.panels[r*f.cols : min((r+1)*f.cols, len(f.panels))] {
			if !p.low {
				shares[r] = 1
			}
		}
		sum += shares[r]
	}
	for r := range shares {
		shares[r] /= sum
	}
	return shares
}

// frameSize returns the size of the largest frame of the panel that fits into the given space.
func (p panel) frameSize(room vg.Point) vg.Point {
	if !p.equal {
		return room
	}
	ratio := vg.Length((p.Y.Max - p.Y.Min) / (p.X.Max - p.X.Min))
	if high := room.X * ratio; high <= room.Y {
		return vg.Point{X: room.X, Y: high}
	}
	return vg.Point{X: room.Y / ratio, Y: room.Y}
}

// EqualAxes draws a panel so that one unit has the same length on both axes. Right angles and
// circles then have the correct shape. The frame becomes narrower or lower, but the ranges do not
// change. EqualAxes returns an error if the panel does not exist, or if a range is not positive. It
// also returns an error if one range is more than ten times the other, because the frame would be
// too narrow.
func (f *Figure) EqualAxes(panel int) error {
	if _, err := f.series("EqualAxes", panel, nil, nil); err != nil {
		return err
	}
	p := f.panels[panel]
	w, h := p.X.Max-p.X.Min, p.Y.Max-p.Y.Min
	if !(w > 0 && h > 0) || w > 10*h || h > 10*w {
		return fmt.Errorf("show: EqualAxes: the ranges of panel %d are %g wide and %g high; want positive ranges with a ratio of at most 10",
			panel, w, h)
	}
	f.panels[panel].equal = true
	return nil
}

// A Look is the style of a line, mark or text that is added to a figure. The zero value means a
// solid line, the first marker, or plain text, in the colour of the axes.
type Look struct {
	Color  color.NRGBA // colour; the zero colour means Ink()
	Width  float64     // width of lines, in points; 0 means 1.6, and less for arrows, right angles and hatching
	Dash   int         // pattern of lines: 0 is solid, 1 to 6 are patterns of dashes and dots
	Marker int         // index of the class whose marker is drawn as the mark
	// Size is the radius of marks (0 means 2.6), the size of text (0 means 9) or the length of the
	// sides of a right angle (0 means 7), in points.
	Size  float64
	Align float64 // whether a text begins at its point (0), is centred on the point (−0.5) or ends there (−1)
}

func (l Look) color() color.NRGBA {
	if l.Color == (color.NRGBA{}) {
		return ink
	}
	return l.Color
}

// pointsOr returns v as a length in points. If v is not positive, it returns `usual` instead.
func pointsOr(v float64, usual vg.Length) vg.Length {
	if v > 0 {
		return vg.Points(v)
	}
	return usual
}

// strokeStyle returns the style of a line with the Look l. If l has no width, it uses the argument
// `width`.
func (l Look) strokeStyle(width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: l.color(), Width: pointsOr(l.Width, width), Dashes: dash(max(0, l.Dash))}
}

// AddLine draws the line through the points (x[i], y[i]) over a panel. A coordinate that is NaN or
// infinite interrupts the line. If `name` is not empty, AddLine also adds a legend entry, and two
// columns to the Data: the name without markup, followed by ".x" and by ".y". The axes do not
// change. AddLine returns an error if the panel does not exist, or if x and y have different lengths.
func (f *Figure) AddLine(panel int, name string, x, y []float64, l Look) error {
	pts, err := f.series("AddLine", panel, x, y)
	if err != nil {
		return err
	}
	return f.put(panel, name, lineLayer{[][]xy{pts}, l.strokeStyle(lineWidth)}, x, y)
}

// AddMarks draws a marker at each point (x[i], y[i]) that is inside the panel. The name, the axes
// and the errors are as for AddLine.
func (f *Figure) AddMarks(panel int, name string, x, y []float64, l Look) error {
	pts, err := f.series("AddMarks", panel, x, y)
	if err != nil {
		return err
	}
	return f.put(panel, name,
		pointLayer{pts,
			draw.GlyphStyle{Color: l.color(), Radius: pointsOr(l.Size, markerSize),
				Shape: marker(max(0, l.Marker))}}, x, y)
}

// AddText writes a label, which may contain formulas. The label is dx points to the right of (x, y)
// and dy points above (x, y). AddText returns an error if the panel does not exist.
func (f *Figure) AddText(panel int, label string, x, y, dx, dy float64, l Look) error {
	pts, err := f.series("AddText", panel, []float64{x}, []float64{y})
	if err != nil {
		return err
	}
	f.panels[panel].add(textLayer{
		at: pts, labels: []string{label}, size: pointsOr(l.Size, tickSize), color: l.color(),
		dx: vg.Points(dx), dy: vg.Points(dy), xalign: draw.XAlignment(l.Align),
	})
	return nil
}

// AddArrow draws an arrow from (x0, y0) to (x1, y1) over a panel. If `name` is not empty, AddArrow
// also adds a legend entry, and two columns to the Data: the name without markup, followed by ".x"
// and by ".y". The axes do not change. AddArrow returns an error if the panel does not exist or a
// coordinate is not finite.
func (f *Figure) AddArrow(panel int, name string, x0, y0, x1, y1 float64, l Look) error {
	return f.arrow("AddArrow", panel, name, []float64{x0, x1}, []float64{y0, y1}, l, false)
}

// AddSpan draws a line with an arrowhead at both ends, like a dimension line in a technical
// drawing. The name, the axes and the errors are as for AddArrow.
func (f *Figure) AddSpan(panel int, name string, x0, y0, x1, y1 float64, l Look) error {
	return f.arrow("AddSpan", panel, name, []float64{x0, x1}, []float64{y0, y1}, l, true)
}

func (f *Figure) arrow(who string, panel int, name string, x, y []float64, l Look, both bool) error {
	pts, err := f.finitePoints(who, panel, x, y)
	if err != nil {
		return err
	}
	return f.put(panel, name, arrowLayer{pts[0], pts[1], l.strokeStyle(1.1), 7, both}, x, y)
}

// AddArea fills the polygon whose corners are (x[i], y[i]) with a light tint of the colour of l. If
// l.Dash is positive, the tint is lighter and AddArea hatches the polygon: the lines rise if Dash
// is odd and fall if Dash is even. It does not draw the part of the polygon outside the frame. The
// name and the errors are as for AddArrow. Fewer than three corners, and different lengths of x and
// y, are also errors.
func (f *Figure) AddArea(panel int, name string, x, y []float64, l Look) error {
	pts, err := f.finitePoints("AddArea", panel, x, y)
	if err != nil {
		return err
	}
	if len(pts) < 3 {
		return fmt.Errorf("show: AddArea: %d corners; an area must have at least 3", len(pts))
	}
	area := areaLayer{rings: [][]xy{pts}, color: mix(paper, l.color(), tintShare), clip: true}
	if l.Dash > 0 {
		area.color = mix(paper, l.color(), tintShare/2)
		area.hatch = &hatching{slope: vg.Length(2*(l.Dash%2) - 1), spacing: 5, style: l.strokeStyle(0.7)}
		area.hatch.style.Dashes = nil
	}
	return f.put(panel, name, area, x, y)
}

// AddRightAngle draws the mark of a right angle at (x, y), between the directions (ux, uy) and (vx,
// vy). The sides of the mark have the length Size in points (0 means 7). The mark has the correct
// shape only if one unit has the same length on both axes (see [Figure.EqualAxes]). AddRightAngle
// returns the same errors as AddArrow.
func (f *Figure) AddRightAngle(panel int, x, y, ux, uy, vx, vy float64, l Look) error {
	pts, err := f.finitePoints("AddRightAngle", panel, []float64{x, ux, vx}, []float64{y, uy, vy})
	if err != nil {
		return err
	}
	f.panels[panel].add(cornerLayer{pts[0], pts[1], pts[2], pointsOr(l.Size, 7), l.strokeStyle(0.9)})
	return nil
}

// series returns the rounded points (x[i], y[i]), which will be drawn on a panel. An infinite point
// becomes a gap.
func (f *Figure) series(who string, panel int, x, y []float64) ([]xy, error) {
	if panel < 0 || panel >= len(f.panels) {
		return nil, fmt.Errorf("show: %s: there is no panel %d; the figure has the panels 0 to %d", who, panel,
			len(f.panels)-1)
	}
	if len(x) != len(y) {
		return nil, fmt.Errorf("show: %s: %d values of x and %d of y; each point needs a value of x and a value of y",
			who, len(x), len(y))
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

// finitePoints is like series, but returns an error if a point is not finite.
func (f *Figure) finitePoints(who string, panel int, x, y []float64) ([]xy, error) {
	pts, err := f.series(who, panel, x, y)
	for i := range pts {
		if v := x[i]*0 + y[i]*0; v != 0 { // NaN or infinite
			return nil, fmt.Errorf("show: %s: point %d is (%v, %v); want finite numbers", who, i, x[i], y[i])
		}
	}
	return pts, err
}

// put adds a mark to a panel. If `name` is not empty, it also adds the points to the Data and the
// mark to the legend.
func (f *Figure) put(panel int, name string, m legendMark, x, y []float64) error {
	f.panels[panel].add(m)
	if name != "" {
		f.AddData(plainText(name)+".x", x)
		f.AddData(plainText(name)+".y", y)
		f.AddLegend(name, m)
	}
	return nil
}

package show

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// A Figure is one or more panels with a legend and the numbers behind them. The
// functions of this package make figures; [NewFigure] makes one from plots of
// one's own.
type Figure struct {
	Title string // drawn above the panels, if not empty
	Alt   string // one sentence for those who cannot see the picture

	// Width and Height are the natural size in inches, on a notebook page.
	Width, Height float64
	Size          Size // the page it is for; the zero value is Notebook

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

// NewFigure arranges plots in rows of cols, from the top left. It returns an
// error if there is no plot, one is nil, or cols is not positive. [NewPanel]
// returns empty plots in the house style.
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
		return nil, errors.New("show: a figure needs at least one plot; none was given")
	}
	if cols < 1 {
		return nil, fmt.Errorf("show: %d plots in rows of %d; give at least one to a row", len(panels), cols)
	}
	f := &Figure{panels: panels, cols: min(cols, len(panels))}
	f.Width, f.Height = naturalSize(len(panels), f.cols)
	return f, nil
}

// NewPanel returns an empty plot in the house style. Its labels may hold formulas
// between dollar signs, in the small part of LaTeX that labels need: letters are
// italic, _ and ^ make one sign or a {group} a subscript or superscript, \sigma, \Phi,
// \nabla … name symbols, \mathbf{x} is bold, \text{…} upright. Outside dollar signs
// everything is itself; \$ is a dollar sign, and a lone dollar sign too. An unknown
// \name is set as its letters, upright, as \ln is.
func NewPanel(xLabel, yLabel string) *plot.Plot { return newPanel(xLabel, yLabel).Plot }

// naturalSize returns the size in inches of n panels in rows of cols.
func naturalSize(n, cols int) (w, h float64) {
	rows := (n + cols - 1) / cols
	if cols == 1 {
		return 5.4, []float64{4.1, 6.2, 8}[min(rows, 3)-1]
	}
	w = min(4*float64(cols), 8.4)
	return w, float64(rows)*(w/float64(cols))*0.95 + 0.3
}

// one returns a figure of a single panel.
func one(p panel) *Figure {
	f := &Figure{panels: []panel{p}, cols: 1}
	f.Width, f.Height = naturalSize(1, 1)
	return f
}

// Panel returns the i-th panel from the top left, to add to or change; nil if
// there is none.
func (f *Figure) Panel(i int) *plot.Plot {
	if i < 0 || i >= len(f.panels) {
		return nil
	}
	return f.panels[i].Plot
}

// Len returns the number of panels.
func (f *Figure) Len() int { return len(f.panels) }

// Data returns the numbers behind the figure.
func (f *Figure) Data() Data { return f.data }

// AddData appends a column to the numbers behind the figure, rounded to nine
// significant digits.
func (f *Figure) AddData(name string, values []float64) { f.data.add(name, values) }

// AddLegend appends an entry to the legend under the panels. An entry of that
// name that is already there is left as it is.
func (f *Figure) AddLegend(name string, thumbs ...plot.Thumbnailer) {
	for _, it := range f.legend {
		if it.name == name {
			return
		}
	}
	f.legend = append(f.legend, legendItem{name, thumbs})
}

// mention appends the i-th of the names with which Alt ends.
func (f *Figure) mention(i int, name string) {
	if i > 0 {
		f.Alt += ","
	}
	f.Alt += " " + name
}

// At returns the same figure for another size of page. The panels are shared.
func (f *Figure) At(s Size) *Figure {
	g := *f
	g.Size, g.panels = s, slices.Clone(f.panels)
	return &g
}

// Panels puts figures side by side, cols to a row, with one legend. The titles
// of figures of one panel become the titles of the panels, and their columns of
// numbers are preceded by "a.", "b." …. It returns an error if there is no
// figure, one is nil, or there are more than 26.
func Panels(cols int, figures ...*Figure) (*Figure, error) {
	if len(figures) > 26 {
		return nil, fmt.Errorf("show: %d figures in one; at most 26 keep their letters", len(figures))
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
		f.data = append(f.data, g.data.prefixed(string(rune('a'+i))+".")...)
		if g.Alt != "" {
			if f.Alt != "" {
				f.Alt += " "
			}
			f.Alt += fmt.Sprintf("(%c) %s", 'a'+i, g.Alt)
		}
	}
	return f, nil
}

// PanelsLegends is [Panels] with legends in the panels: an entry that all figures have
// stands under the whole, every other one under its panel. Its errors are those of Panels.
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

// allLegends are the entries under the panels and under the whole.
func (f *Figure) allLegends() []legendItem {
	out := slices.Clone(f.legend)
	for _, p := range f.panels {
		out = append(out, p.legend...)
	}
	return out
}

// A panel is a plot and what is special about its frame.
type panel struct {
	*plot.Plot
	equal bool // one unit is as long upwards as across
	bare  bool // the panel draws its own axes: no frame
	low   bool // the panel goes with the one above: a row of such is lower

	legend []legendItem // what stands under this panel and not under the figure
	probes probes       // what an interactive chart reads off under the pointer
}

// lowRow is the height of a row of low panels, as a part of that of the others.
const lowRow = 0.3

// rowShares returns the part of the height that each row of panels gets.
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

// within returns the largest frame of the panel in the given room.
func (p panel) within(room vg.Point) vg.Point {
	if !p.equal {
		return room
	}
	ratio := vg.Length((p.Y.Max - p.Y.Min) / (p.X.Max - p.X.Min))
	if high := room.X * ratio; high <= room.Y {
		return vg.Point{X: room.X, Y: high}
	}
	return vg.Point{X: room.Y / ratio, Y: room.Y}
}

// EqualAxes makes one unit as long upwards as across in a panel, so that right
// angles look right and circles round. The frame becomes narrower or lower; the
// ranges stay. It returns an error if there is no such panel, or if one range is
// more than ten times the other: the frame would be a strip.
func (f *Figure) EqualAxes(panel int) error {
	if _, err := f.series("EqualAxes", panel, nil, nil); err != nil {
		return err
	}
	p := f.panels[panel]
	w, h := p.X.Max-p.X.Min, p.Y.Max-p.Y.Min
	if !(w > 0 && h > 0) || w > 10*h || h > 10*w {
		return fmt.Errorf("show: EqualAxes: panel %d is %g wide and %g high; the larger may be ten times the smaller", panel, w, h)
	}
	f.panels[panel].equal = true
	return nil
}

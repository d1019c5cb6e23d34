package show

import (
	"errors"
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/canvas"
)

const (
	margin    = vg.Length(7)
	gap       = vg.Length(14) // distance between panels
	titleGap  = vg.Length(4)  // distance between the frame of a panel and its title
	frameLine = vg.Length(0.7)

	panelLegendGap = vg.Length(3) // distance between the labels of a panel and its legend
)

// narrowWidth is the width of a figure on a phone, in inches. It equals 360 CSS pixels.
const narrowWidth = 3.75

// Narrow returns the figure for a phone. The text keeps its size. The panels are stacked vertically.
// They keep about the same proportions, except that no panel becomes more than 1.2 times as high. A
// low panel supplements another panel, and is directly below that panel. If f is nil, has no panels
// or has an invalid Width or Height, Narrow returns f itself.
func (f *Figure) Narrow() *Figure {
	if f.check() != nil {
		return f
	}
	g := f.At(Size{Name: "narrow", MaxWidth: narrowWidth, MaxHeight: 99, Scale: 1})
	_, w, h := f.Size.fit(f.Width, f.Height)
	rows := (len(f.panels) + f.cols - 1) / f.cols
	// Legends keep their height. The height of a panel with its labels and title is multiplied by the
	// same factor as its width, but by at most 1.2.
	inner, narrow := vg.Length(72*w)-2*margin, vg.Length(72*narrowWidth)-2*margin
	wide := (vg.Length(72*h) - 2*margin - f.legendHeight(inner)) / vg.Length(rows)
	column := (inner - gap*vg.Length(f.cols-1)) / vg.Length(f.cols)
	height := 2*margin + f.legendHeight(narrow)
	shares := f.rowShares(rows)
	var order []int
	if slices.ContainsFunc(f.panels, func(p panel) bool { return p.low }) {
		for c := range f.cols {
			for i := c; i < len(f.panels); i += f.cols {
				order = append(order, i)
			}
		}
	} else {
		for i := range f.panels {
			order = append(order, i)
		}
	}
	g.panels, g.cols = nil, 1
	for _, i := range order {
		p := f.panels[i]
		g.panels = append(g.panels, p)
		lines, _ := legendRows(p.legend, narrow)
		height += vg.Length(rows)*shares[i/f.cols]*wide*min(narrow/column, 1.2) + rowHeight*vg.Length(len(lines))
	}
	g.Width, g.Height = narrowWidth, min(98, float64(height)/72)
	return g
}

// shrinkToFit returns the style, with a smaller font if the text would be wider than the given
// width.
func shrinkToFit(sty draw.TextStyle, text string, width vg.Length) draw.TextStyle {
	if w := sty.Width(text); w > width {
		sty.Font.Size *= width / w
	}
	return sty
}

// page returns the factor by which the page is magnified, and the final size of the page in points.
func (f *Figure) page() (scale, w, h float64) {
	scale, wi, hi := f.Size.fit(f.Width, f.Height)
	return scale, wi * scale * 72, hi * scale * 72
}

// render draws the figure into sink. If a plot panics, for example because a logarithmic axis
// contains zero, render returns an error.
func (f *Figure) render(sink canvas.Sink) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("show: drawing failed: %v", r)
		}
	}()
	if err := f.check(); err != nil {
		return err
	}
	scale, w, h := f.page()
	dc := draw.New(canvas.New(vg.Points(w), vg.Points(h), scale, sink))
	dc.SetColor(paper)
	dc.Fill(dc.Rectangle.Path())
	dc = draw.Crop(dc, margin, -margin, margin, -margin)
	if f.Title != "" {
		sty := newPanel("", "").Title.TextStyle
		sty.Font = bold(titleSize)
		sty = shrinkToFit(sty, f.Title, dc.Size().X)
		dc.FillText(sty, vg.Point{X: dc.Center().X, Y: dc.Max.Y + sty.FontExtents().Descent}, f.Title)
		dc = draw.Crop(dc, 0, 0, 0, -1.6*titleSize)
	}
	strip := f.legendHeight(dc.Size().X)
	f.drawLegend(draw.Crop(dc, 0, 0, 0, strip-dc.Size().Y))
	if strip > 0 {
		strip += 7
	}
	f.drawPanels(draw.Crop(dc, 0, 0, strip, 0))
	return nil
}

// check returns an error if the figure is nil, has no panels, or has an invalid Width or Height.
func (f *Figure) check() error {
	if f == nil || len(f.panels) == 0 {
		return errors.New("show: the figure is empty; make one with a function of package show")
	}
	if !(f.Width > 0.5 && f.Width < 100 && f.Height > 0.5 && f.Height < 100) {
		return fmt.Errorf("show: the figure is %g × %g inches; Width and Height must lie between 0.5 and 100", f.Width,
			f.Height)
	}
	return nil
}

// drawPanels draws the panels in rows and columns. Their frames have the same size and are aligned,
// even if some labels need more space than others. Low panels, panels with equal axes, and panels
// without a frame can have a different size.
func (f *Figure) drawPanels(dc draw.Canvas) {
	cols := f.cols
	rows := (len(f.panels) + cols - 1) / cols
	left, right := make([]vg.Length, cols), make([]vg.Length, cols)
	bottom, top := make([]vg.Length, rows), make([]vg.Length, rows)
	outer := make([]vg.Rectangle, len(f.panels))
	titles := make([]string, len(f.panels))
	// copies of the panels without their titles, which drawPanels draws itself
	panels := make([]plot.Plot, len(f.panels))
	// To measure the labels, use cells of about the final size.
	trial := dc.Rectangle
	trial.Max.X = trial.Min.X + dc.Size().X/vg.Length(cols)
	trial.Max.Y = trial.Min.Y + dc.Size().Y/vg.Length(rows)
	for i, p := range f.panels {
		panels[i], titles[i] = *p.Plot, p.Title.Text
		panels[i].Title.Text = ""
		cell := draw.Canvas{Canvas: dc.Canvas, Rectangle: trial}
		in := panels[i].DataCanvas(cell)
		// margins of the panel: left and bottom in Min, right and top in Max
		outer[i].Min = in.Min.Sub(cell.Min)
		outer[i].Max = cell.Max.Sub(in.Max)
		r, c := i/cols, i%cols
		left[c], right[c] = max(left[c], outer[i].Min.X), max(right[c], outer[i].Max.X)
		bottom[r], top[r] = max(bottom[r], outer[i].Min.Y), max(top[r], outer[i].Max.Y)
		if titles[i] != "" {
			top[r] = max(top[r], titleGap+1.3*p.Title.TextStyle.Font.Size)
		}
	}
	room := dc.Size()
	for c := range cols {
		room.X -= left[c] + right[c]
	}
	w := (room.X - gap*vg.Length(cols-1)) / vg.Length(cols)
	labels := slices.Clone(bottom) // height of the labels below each row; `bottom` will also include the panel legends
	for i, p := range f.panels {
		if recordOf(dc) != nil { // a chart has a single legend under all panels
			break
		}
		r, c := i/cols, i%cols
		if lines, _ := legendRows(p.legend, left[c]+w+right[c]); len(lines) > 0 {
			bottom[r] = max(bottom[r], labels[r]+panelLegendGap+rowHeight*vg.Length(len(lines)))
		}
	}
	for r := range rows {
		room.Y -= bottom[r] + top[r]
	}
	heights := f.rowShares(rows)
	for r := range heights {
		heights[r] *= room.Y - gap*vg.Length(rows-1)
	}
	at := vg.Point{X: dc.Min.X, Y: dc.Max.Y}
	for i := range panels {
		r, c := i/cols, i%cols
		if c == 0 { // panel i is the first panel of a row
			at.X = dc.Min.X
			if r > 0 {
				at.Y -= bottom[r-1] + gap
			}
			at.Y -= top[r] + heights[r]
		}
		at.X += left[c]
		p, look := &panels[i], f.panels[i]
		room := vg.Point{X: w, Y: heights[r]}
		frame := look.frameSize(room)
		corner := at.Add(room.Sub(frame).Scale(0.5))
		if look.bare { // a panel without a frame also fills the space that other panels need for labels
			corner.X, frame.X = corner.X-left[c], frame.X+left[c]+right[c]
		}
		at.X += w + right[c] + gap
		cell := draw.Canvas{Canvas: dc.Canvas,
			Rectangle: vg.Rectangle{Min: corner.Sub(outer[i].Min), Max: corner.Add(frame).Add(outer[i].Max)}}
		inner := p.DataCanvas(cell)
		if r := recordOf(dc); r != nil {
			r.layers, r.frames = append(r.layers, nil), append(r.frames, inner.Rectangle)
		}
		p.Draw(cell)
		if !look.bare {
			inner.SetLineStyle(draw.LineStyle{Color: ink, Width: frameLine})
			inner.Stroke(inner.Rectangle.Path())
		}
		if len(look.legend) > 0 {
			end := at.X - gap // coordinate of the right edge of the column
			under := draw.Canvas{Canvas: dc.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: end - right[c] - w - left[c], Y: at.Y - bottom[r]}, Max: vg.Point{X: end, Y: at.Y}}}
			drawRows(under, look.legend, at.Y-labels[r]-panelLegendGap)
		}
		if titles[i] != "" {
			sty := shrinkToFit(p.Title.TextStyle, titles[i], dc.Size().X)
			sty.XAlign, sty.YAlign = draw.XCenter, draw.YBottom
			dc.FillText(sty, vg.Point{X: inner.Center().X, Y: inner.Max.Y + titleGap + sty.FontExtents().Descent},
				titles[i])
		}
	}
}

// description returns the text that screen readers read for the figure. It is also the title of a
// PDF file.
func (f *Figure) description() string {
	var parts []string
	for _, s := range []string{f.Title, f.Alt} {
		if s = strings.TrimSuffix(plainText(s), "."); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ". ")
}

// The legend is under the panels, so it never covers the data. Its entries are in centred rows,
// below the colour bar if the figure has one. The entries of a single panel may be directly under
// this panel.

const (
	lineThumb  = vg.Length(24) // width of the sample of a line in the legend
	pointThumb = vg.Length(9)  // width of the sample of a marker in the legend
	thumbGap   = vg.Length(5)
	entryGap   = vg.Length(15)
	rowHeight  = vg.Length(15)
	barWidth   = vg.Length(170)
	barHeight  = vg.Length(9)
)

// A colorBar shows which colours the bands between levels have.
type colorBar struct {
	label  string
	levels []float64     // borders between neighbouring bands, in ascending order
	colors []color.NRGBA // colours of the bands; there is one more band than levels
	lo, hi float64       // ends of the scale; if both are 0, the scale is 0 to 1
	marks  []float64     // values to write under the bar; nil means the ends and all levels
}

const gradientSteps = 64

// gradientBar returns a colour bar whose colours change in small steps.
func gradientBar(label string, lo, hi float64, marks []float64, step func(i int) color.NRGBA) *colorBar {
	b := &colorBar{label: label, lo: lo, hi: hi, marks: marks}
	for i := range gradientSteps {
		if i > 0 {
			b.levels = append(b.levels, lo+(hi-lo)*float64(i)/gradientSteps)
		}
		b.colors = append(b.colors, step(i))
	}
	return b
}

func (b *colorBar) ends() (lo, hi float64) {
	if b.lo == 0 && b.hi == 0 {
		return 0, 1
	}
	return b.lo, b.hi
}

func legendStyle() text.Style {
	return text.Style{Color: ink, Font: sans(tickSize), XAlign: draw.XLeft, YAlign: draw.YCenter, Handler: formulas{}}
}

// thumbWidth returns the width of the sample in a legend entry. The sample of a marker is narrower
// than the sample of a line.
func (it legendItem) thumbWidth() vg.Length {
	for _, t := range it.thumbs {
		if _, ok := t.(pointLayer); !ok {
			return lineThumb
		}
	}
	return pointThumb
}

// legendRows divides the legend entries into rows. Only a row with a single entry may be wider than
// `width`.
func legendRows(items []legendItem, width vg.Length) (rows [][]legendItem, widths []vg.Length) {
	sty := legendStyle()
	for _, it := range items {
		w := it.thumbWidth() + thumbGap + sty.Width(it.name)
		n := len(rows) - 1
		if n < 0 || widths[n]+entryGap+w > width {
			rows, widths = append(rows, []legendItem{it}), append(widths, w)
			continue
		}
		rows[n] = append(rows[n], it)
		widths[n] += entryGap + w
	}
	return rows, widths
}

func (f *Figure) legendHeight(width vg.Length) vg.Length {
	rows, _ := legendRows(f.legend, width)
	h := rowHeight * vg.Length(len(rows))
	if f.bar != nil {
		h += barHeight + 1.9*tickSize
	}
	return h
}

// drawLegend draws the legend, beginning at the top of dc.
func (f *Figure) drawLegend(dc draw.Canvas) {
	top := dc.Max.Y
	if f.bar != nil {
		f.bar.draw(dc, top)
		top -= barHeight + 1.9*tickSize
	}
	drawRows(dc, f.legend, top)
}

// drawRows draws legend entries in centred rows. The top of the first row is at the height `top`,
// and the other rows are below it.
func drawRows(dc draw.Canvas, items []legendItem, top vg.Length) {
	sty := legendStyle()
	rows, widths := legendRows(items, dc.Size().X)
	for r, row := range rows {
		x := dc.Center().X - widths[r]/2
		for _, it := range row {
			box := draw.Canvas{Canvas: dc.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: x, Y: top - rowHeight + 2}, Max: vg.Point{X: x + it.thumbWidth(), Y: top - 2}}}
			for _, t := range it.thumbs {
				t.Thumbnail(&box)
			}
			dc.FillText(sty, vg.Point{X: x + it.thumbWidth() + thumbGap, Y: baseline(sty, top-rowHeight/2)}, it.name)
			x += it.thumbWidth() + thumbGap + sty.Width(it.name) + entryGap
		}
		top -= rowHeight
	}
}

// baseline returns the y coordinate to give to FillText, so that the lower-case letters of a text
// with the alignment draw.YCenter are vertically centred at y.
func baseline(sty text.Style, y vg.Length) vg.Length {
	e := sty.FontExtents()
	return y + e.Descent/2 + 0.12*sty.Font.Size
}

// draw draws the colour bar with its label and the numbers of its scale. The top of the bar is at the
// height `top`.
func (b *colorBar) draw(dc draw.Canvas, top vg.Length) {
	sty := legendStyle()
	label := sty.Width(b.label)
	left := dc.Center().X - (label+thumbGap+barWidth)/2
	dc.FillText(sty, vg.Point{X: left, Y: baseline(sty, top-barHeight/2)}, b.label)
	left += label + thumbGap
	lo, hi := b.ends()
	at := func(v float64) vg.Length { return left + barWidth*vg.Length((v-lo)/(hi-lo)) }
	edges := append(append([]float64{lo}, b.levels...), hi)
	for i, c := range b.colors {
		r := vg.Rectangle{Min: vg.Point{X: at(edges[i]), Y: top - barHeight}, Max: vg.Point{X: at(edges[i+1]), Y: top}}
		if len(b.colors) > 20 { // in a gradient the bands overlap, so that no gaps are visible
			r.Max.X = at(hi)
		}
		dc.SetColor(c)
		dc.Fill(r.Path())
	}
	frame := vg.Rectangle{Min: vg.Point{X: at(lo), Y: top - barHeight}, Max: vg.Point{X: at(hi), Y: top}}
	dc.SetLineStyle(draw.LineStyle{Color: ink, Width: frameLine})
	dc.Stroke(frame.Path())
	tick := tickStyle()
	for _, m := range b.marksThatFit() {
		x := left + m.at
		dc.StrokeLine2(draw.LineStyle{Color: ink, Width: frameLine}, x, top-barHeight, x, top-barHeight-2)
		dc.FillText(tick, vg.Point{X: x, Y: top - barHeight - 3 + tick.FontExtents().Descent/2}, m.label)
	}
}

// A barMark is a number written under a colour bar.
type barMark struct {
	at    vg.Length // distance between the middle of the number and the left end of the bar
	label string
}

func tickStyle() text.Style {
	sty := legendStyle()
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
	sty.Font = sans(tickSize - 1)
	return sty
}

// marksThatFit returns the numbers that fit under the bar without overlap.
func (b *colorBar) marksThatFit() (out []barMark) {
	lo, hi := b.ends()
	marks := b.marks
	if marks == nil {
		marks = append(append([]float64{lo}, b.levels...), hi)
	}
	last := vg.Length(-1e9)
	for _, v := range marks {
		name := minus(strconv.FormatFloat(v, 'g', 4, 64))
		at, w := barWidth*vg.Length((v-lo)/(hi-lo)), tickStyle().Width(name)
		if at-w/2 > last+3 {
			out = append(out, barMark{at, name})
			last = at + w/2
		}
	}
	return out
}

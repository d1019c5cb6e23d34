package show

import (
	"image/color"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The legend is under the panels, never over the data. Its entries are in centred rows below the
// colour bar of the figure. Entries of a single panel may be under that panel.

const (
	lineThumb  = vg.Length(24) // width of a line sample
	pointThumb = vg.Length(9)  // width of a marker sample
	thumbGap   = vg.Length(5)
	entryGap   = vg.Length(15)
	rowHeight  = vg.Length(15)
	barWidth   = vg.Length(170)
	barHeight  = vg.Length(9)
)

// A colorBar explains the colours of bands between levels.
type colorBar struct {
	label  string
	levels []float64     // the inner borders of the bands, ascending
	colors []color.NRGBA // one more than levels
	lo, hi float64       // the ends of the scale; both 0 mean 0 to 1
	marks  []float64     // values to write under the bar; nil means the ends and all levels
}

const gradientSteps = 64

// gradient returns a bar whose colours change in small steps.
func gradient(label string, lo, hi float64, marks []float64, step func(i int) color.NRGBA) *colorBar {
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

// thumbWidth returns the width of the sample. Samples of markers are narrower than samples of
// lines.
func (it legendItem) thumbWidth() vg.Length {
	for _, t := range it.thumbs {
		if _, ok := t.(pointLayer); !ok {
			return lineThumb
		}
	}
	return pointThumb
}

// legendRows divides the entries into rows no wider than width.
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

// drawLegend draws the legend from the top of dc.
func (f *Figure) drawLegend(dc draw.Canvas) {
	top := dc.Max.Y
	if f.bar != nil {
		f.bar.draw(dc, top)
		top -= barHeight + 1.9*tickSize
	}
	drawRows(dc, f.legend, top)
}

// drawRows draws entries in centred rows from top downwards.
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
			dc.FillText(sty, vg.Point{X: x + it.thumbWidth() + thumbGap, Y: middle(sty, top-rowHeight/2)}, it.name)
			x += it.thumbWidth() + thumbGap + sty.Width(it.name) + entryGap
		}
		top -= rowHeight
	}
}

// middle returns the baseline for a text whose lower-case letters are vertically centred on y.
func middle(sty text.Style, y vg.Length) vg.Length {
	e := sty.FontExtents()
	return y + e.Descent/2 + 0.12*sty.Font.Size
}

// draw draws the bar with the ends and levels of its scale.
func (b *colorBar) draw(dc draw.Canvas, top vg.Length) {
	sty := legendStyle()
	label := sty.Width(b.label)
	left := dc.Center().X - (label+thumbGap+barWidth)/2
	dc.FillText(sty, vg.Point{X: left, Y: middle(sty, top-barHeight/2)}, b.label)
	left += label + thumbGap
	lo, hi := b.ends()
	at := func(v float64) vg.Length { return left + barWidth*vg.Length((v-lo)/(hi-lo)) }
	edges := append(append([]float64{lo}, b.levels...), hi)
	for i, c := range b.colors {
		r := vg.Rectangle{Min: vg.Point{X: at(edges[i]), Y: top - barHeight}, Max: vg.Point{X: at(edges[i+1]), Y: top}}
		if len(b.colors) > 20 { // the bands of a gradient overlap to hide seams
			r.Max.X = at(hi)
		}
		dc.SetColor(c)
		dc.Fill(r.Path())
	}
	frame := vg.Rectangle{Min: vg.Point{X: at(lo), Y: top - barHeight}, Max: vg.Point{X: at(hi), Y: top}}
	dc.SetLineStyle(draw.LineStyle{Color: ink, Width: frameLine})
	dc.Stroke(frame.Path())
	tick := tickStyle()
	for _, m := range b.fitting() {
		x := left + m.at
		dc.StrokeLine2(draw.LineStyle{Color: ink, Width: frameLine}, x, top-barHeight, x, top-barHeight-2)
		dc.FillText(tick, vg.Point{X: x, Y: top - barHeight - 3 + tick.FontExtents().Descent/2}, m.label)
	}
}

// A barMark is a number under a bar.
type barMark struct {
	at    vg.Length // distance from the left end of the bar
	label string
}

func tickStyle() text.Style {
	sty := legendStyle()
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
	sty.Font = sans(tickSize - 1)
	return sty
}

// fitting returns the numbers that fit under the bar without overlap.
func (b *colorBar) fitting() (out []barMark) {
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

package show

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/canvas"
)

const (
	margin    = vg.Length(7)
	gap       = vg.Length(14) // between panels
	titleGap  = vg.Length(4)  // between a frame and its title
	frameLine = vg.Length(0.7)

	panelLegendGap = vg.Length(3) // between the labels of a panel and its legend
)

// narrowWidth is the width in inches of a figure on a phone: 360 pixels.
const narrowWidth = 3.75

// Narrow returns the figure for a phone. Its lettering has the same size. Panels go below each other,
// each with the proportions that it has, and a panel that belongs to another comes after it.
func (f *Figure) Narrow() *Figure {
	if f.check() != nil {
		return f
	}
	g := f.At(Size{Name: "narrow", MaxWidth: narrowWidth, MaxHeight: 99, Scale: 1})
	_, w, h := f.Size.fit(f.Width, f.Height)
	rows := (len(f.panels) + f.cols - 1) / f.cols
	// Of the height, legends and titles keep their size, and the panels shrink with the width.
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

// fitted returns the style with a size at which the text is at most so wide.
func fitted(sty draw.TextStyle, text string, width vg.Length) draw.TextStyle {
	if w := sty.Width(text); w > width {
		sty.Font.Size *= width / w
	}
	return sty
}

// page returns the scale and the size in points of the finished page.
func (f *Figure) page() (scale, w, h float64) {
	scale, wi, hi := f.Size.fit(f.Width, f.Height)
	return scale, wi * scale * 72, hi * scale * 72
}

// render draws the figure into sink. A panic of a plot becomes an error, e.g. if a
// logarithmic axis contains zero.
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
		sty = fitted(sty, f.Title, dc.Size().X)
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

// check returns an error if the figure cannot be drawn.
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

// drawPanels draws the panels in rows and columns so that their frames have the same
// size and line up, no matter how much room their labels need.
func (f *Figure) drawPanels(dc draw.Canvas) {
	cols := f.cols
	rows := (len(f.panels) + cols - 1) / cols
	left, right := make([]vg.Length, cols), make([]vg.Length, cols)
	bottom, top := make([]vg.Length, rows), make([]vg.Length, rows)
	outer := make([]vg.Rectangle, len(f.panels))
	titles := make([]string, len(f.panels))
	panels := make([]plot.Plot, len(f.panels)) // copies without titles; drawPanels writes the titles itself
	// Measure the labels on cells of about the final size.
	trial := dc.Rectangle
	trial.Max.X = trial.Min.X + dc.Size().X/vg.Length(cols)
	trial.Max.Y = trial.Min.Y + dc.Size().Y/vg.Length(rows)
	for i, p := range f.panels {
		panels[i], titles[i] = *p.Plot, p.Title.Text
		panels[i].Title.Text = ""
		cell := draw.Canvas{Canvas: dc.Canvas, Rectangle: trial}
		in := panels[i].DataCanvas(cell)
		// Until the frames are known, outer holds the widths of the four margins.
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
	labels := slices.Clone(bottom) // height of the labels below each row; panel legends add to bottom
	for i, p := range f.panels {
		if recordOf(dc) != nil { // a chart has a single legend
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
		if c == 0 { // first panel of a row
			at.X = dc.Min.X
			if r > 0 {
				at.Y -= bottom[r-1] + gap
			}
			at.Y -= top[r] + heights[r]
		}
		at.X += left[c]
		p, look := &panels[i], f.panels[i]
		room := vg.Point{X: w, Y: heights[r]}
		frame := look.within(room)
		corner := at.Add(room.Sub(frame).Scale(0.5))
		if look.bare { // a bare panel uses the room that other panels need for their labels
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
			end := at.X - gap // right end of the column
			under := draw.Canvas{Canvas: dc.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: end - right[c] - w - left[c], Y: at.Y - bottom[r]}, Max: vg.Point{X: end, Y: at.Y}}}
			drawRows(under, look.legend, at.Y-labels[r]-panelLegendGap)
		}
		if titles[i] != "" {
			sty := fitted(p.Title.TextStyle, titles[i], dc.Size().X)
			sty.XAlign, sty.YAlign = draw.XCenter, draw.YBottom
			dc.FillText(sty, vg.Point{X: inner.Center().X, Y: inner.Max.Y + titleGap + sty.FontExtents().Descent},
				titles[i])
		}
	}
}

// description returns the text for screen readers, which is also the title of a PDF.
func (f *Figure) description() string {
	var parts []string
	for _, s := range []string{f.Title, f.Alt} {
		if s = strings.TrimSuffix(plain(s), "."); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ". ")
}

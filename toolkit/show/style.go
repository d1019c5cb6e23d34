package show

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette contains the colours of Okabe and Ito ("Color Universal Design", 2008), which people with
// any kind of colour vision can distinguish. From blue to orange, each colour is lighter than the
// colour before it. Yellow is omitted because it is hard to see on white. The grey at the end is an
// addition.
var palette = []color.NRGBA{
	{0x00, 0x72, 0xB2, 255}, // blue
	{0xD5, 0x5E, 0x00, 255}, // vermillion
	{0x00, 0x9E, 0x73, 255}, // bluish green
	{0xCC, 0x79, 0xA7, 255}, // reddish purple
	{0xE6, 0x9F, 0x00, 255}, // orange
	{0x56, 0xB4, 0xE9, 255}, // sky blue
	{0x6E, 0x6E, 0x6E, 255}, // grey
}

// MaxClasses is the largest number of classes that colours and markers can distinguish.
const MaxClasses = 7

// ClassColor returns the colour of class k, 0 ≤ k < [MaxClasses]. For other k the colours repeat.
func ClassColor(k int) color.NRGBA {
	return palette[((k%len(palette))+len(palette))%len(palette)]
}

// lineColors are the colours of the lines that show models and functions. They do not include the
// colours of the first two classes.
var lineColors = []color.NRGBA{palette[2], {0xA8, 0x3F, 0x7C, 255}, ink, palette[4], palette[5], palette[6]}

// LineColor returns the colour of the i-th line that represents a model or a function, 0 ≤ i < 6.
// For other i the colours repeat.
func LineColor(i int) color.NRGBA {
	return lineColors[((i%len(lineColors))+len(lineColors))%len(lineColors)]
}

// Ink is the colour of axes, text and boundaries.
func Ink() color.NRGBA { return ink }

// These colours do not represent classes. Of these colours, only ink can represent a model or a
// function, because it is one of lineColors.
var (
	ink       = color.NRGBA{0x22, 0x22, 0x22, 255} // lines, text
	softInk   = color.NRGBA{0x70, 0x70, 0x70, 255} // thin lines, such as contours and zero lines
	gridInk   = color.NRGBA{0xE2, 0xE2, 0xE2, 255} // guide lines
	paper     = color.NRGBA{255, 255, 255, 255}
	tintShare = 0.22 // fraction of the class colour in the tint of a region
)

// mix returns the opaque colour (1−share)·a + share·b. Tints are mixed with this function and are
// not transparent, so that they are the same in every file format.
func mix(a, b color.NRGBA, share float64) color.NRGBA {
	at := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + share*(float64(y)-float64(x)))) }
	return color.NRGBA{at(a.R, b.R), at(a.G, b.G), at(a.B, b.B), 255}
}

// These are the sizes in a notebook, in points. On other pages they are scaled (see [Size]).
const (
	labelSize  = vg.Length(10)
	tickSize   = vg.Length(9)
	titleSize  = vg.Length(11)
	markerSize = vg.Length(2.6) // radius
	lineWidth  = vg.Length(1.6)
	thinWidth  = vg.Length(0.7)
)

// dashes contains the dash pattern of each curve. The first pattern is solid.
var dashes = [][]vg.Length{nil, {6, 3}, {1.5, 2.5}, {8, 2.5, 1.5, 2.5}, {3, 2}, {10, 4}, {6, 2, 1.5, 2, 1.5, 2}}

func dash(k int) []vg.Length { return dashes[k%len(dashes)] }

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

func bold(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Weight: stdfont.WeightBold, Size: size}
}

// newPanel returns an empty panel in the style of this package.
func newPanel(xLabel, yLabel string) panel {
	p := plot.New()
	p.TextHandler = formulas{}
	p.BackgroundColor = nil
	p.Title.TextStyle.Font = bold(labelSize)
	p.Title.TextStyle.Handler = formulas{}
	p.Title.TextStyle.Color = ink
	p.Title.Padding = 5
	p.Legend.TextStyle.Handler = formulas{}
	p.Legend.TextStyle.Font = sans(tickSize)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = sans(labelSize)
		a.Label.TextStyle.Handler = formulas{}
		a.Label.TextStyle.Color = ink
		a.Label.Padding = 3
		a.Tick.Label.Font = sans(tickSize)
		a.Tick.Label.Handler = formulas{}
		a.Tick.Label.Color = ink
		a.Tick.LineStyle.Color = ink
		a.Tick.LineStyle.Width = thinWidth
		a.Tick.Length = 4
		a.Tick.Marker = niceTicks{}
		a.LineStyle.Width = 0 // all four sides are already drawn with the frame of the panel
		a.Padding = 0
	}
	p.X.Label.Text, p.Y.Label.Text = xLabel, yLabel
	return panel{Plot: p}
}

// lineStyle returns the style of line i.
func lineStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: LineColor(i), Width: lineWidth, Dashes: dash(i)}
}

// solidLine returns the style of a solid line in the colour of the axes.
func solidLine(width vg.Length) draw.LineStyle { return draw.LineStyle{Color: ink, Width: width} }

// Markers differ in colour and shape. Some shapes are filled, and the others consist of lines. Each
// marker has a thin border in the colour of the paper, so that neighbouring points can be
// distinguished.

// marker returns the shape of the markers of class k.
func marker(k int) draw.GlyphDrawer { return markers[k%len(markers)] }

var markers = []draw.GlyphDrawer{
	glyph{outline: circle, full: true, symbol: "circle"},
	glyph{outline: strokes(0.9, [2]vg.Point{{X: -1, Y: -1}, {X: 1, Y: 1}}, [2]vg.Point{{X: -1, Y: 1}, {X: 1, Y: -1}}),
		symbol: "path://M-1,-1L1,1M-1,1L1,-1"},
	glyph{outline: polygon(3, math.Pi/2), full: true, size: 1.25, symbol: "triangle"},
	glyph{outline: polygon(4, math.Pi/4), size: 1.15, symbol: "rect"},
	glyph{outline: polygon(4, 0), full: true, size: 1.3, symbol: "diamond"},
	glyph{outline: strokes(1, [2]vg.Point{{X: -1}, {X: 1}}, [2]vg.Point{{Y: -1}, {Y: 1}}), size: 1.15,
		symbol: "path://M-1,0L1,0M0,-1L0,1"},
	glyph{outline: polygon(3, -math.Pi/2), size: 1.25, symbol: "path://M-1,-1L1,-1L0,1Z"},
}

// A glyph draws one marker: an outline that is filled or is drawn as a thick line.
type glyph struct {
	outline func(at vg.Point, r vg.Length) vg.Path
	full    bool
	size    vg.Length // factor by which the radius is multiplied; 0 means 1
	symbol  string    // the marker in interactive charts: the name or the path of a symbol of echarts
}

// DrawGlyph implements draw.GlyphDrawer.
func (g glyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	r := sty.Radius
	if g.size > 0 {
		r *= g.size
	}
	p := g.outline(at, r)
	stroke := func(clr color.Color, w vg.Length) {
		c.SetLineStyle(draw.LineStyle{Color: clr, Width: w})
		c.Stroke(p)
	}
	if g.full {
		stroke(paper, 1.2)
		c.SetColor(sty.Color)
		c.Fill(p)
		return
	}
	stroke(paper, 2.6)
	stroke(sty.Color, 1.4)
}

func circle(at vg.Point, r vg.Length) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: at.X + r, Y: at.Y})
	p.Arc(at, r, 0, 2*math.Pi)
	p.Close()
	return p
}

// polygon returns a regular polygon with n corners. The first corner is in the direction of the
// given angle.
func polygon(n int, turn float64) func(vg.Point, vg.Length) vg.Path {
	return func(at vg.Point, r vg.Length) vg.Path {
		var p vg.Path
		for i := range n {
			sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(n))
			p.Line(vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)})
		}
		p[0].Type = vg.MoveComp
		p.Close()
		return p
	}
}

// strokes returns lines between pairs of points. The unit of the coordinates is `scale` times the
// radius of the marker.
func strokes(scale vg.Length, ends ...[2]vg.Point) func(vg.Point, vg.Length) vg.Path {
	return func(at vg.Point, r vg.Length) vg.Path {
		var p vg.Path
		for _, e := range ends {
			p.Move(at.Add(e[0].Scale(scale * r)))
			p.Line(at.Add(e[1].Scale(scale * r)))
		}
		return p
	}
}

// ringGlyph draws a thin open circle around another marker.
type ringGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (ringGlyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: 0.9})
	c.Stroke(circle(at, sty.Radius))
}

// dotGlyph draws a disc without a border.
type dotGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (dotGlyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	c.SetColor(sty.Color)
	c.Fill(circle(at, sty.Radius))
}

// niceTicks places three to eight labels at the multiples of a step, which is 1, 2 or 5 times a power
// of ten. Negative numbers have a minus sign instead of a hyphen.
type niceTicks struct{}

// Ticks implements plot.Ticker.
func (niceTicks) Ticks(lo, hi float64) []plot.Tick {
	step := niceStep(hi - lo)
	if !(step > 0) || math.IsInf(step, 0) {
		return nil
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	return multipleLabels(lo, hi, step, decimals)
}

// multipleLabels returns labels for the multiples of `step` from lo to hi, but at most 20 labels.
func multipleLabels(lo, hi, step float64, decimals int) []plot.Tick {
	var out []plot.Tick
	first := math.Ceil(lo/step - 1e-9)
	for n := range 20 { // without this limit the loop would never end if rounding made v the same for every n
		v := (first + float64(n)) * step
		if v > hi+1e-9*step {
			break
		}
		out = append(out, plot.Tick{Value: v, Label: tickLabel(v, decimals, max(math.Abs(lo), math.Abs(hi)))})
	}
	return out
}

// niceStep returns a step that divides a span into three to eight parts. The step is 1, 2 or 5 times
// a power of ten. If the span is not positive, niceStep returns 0.
func niceStep(span float64) float64 {
	if !(span > 0) {
		return 0
	}
	raw := span / 5
	p := math.Pow(10, math.Floor(math.Log10(raw)))
	switch f := raw / p; {
	case f < 1.5:
		return p
	case f < 3:
		return 2 * p
	case f < 7:
		return 5 * p
	}
	return 10 * p
}

// tickLabel returns the label for the value v, which is "0" for 0. In plain digits it has the given
// number of decimals. If this number is above 4, or if `large` is at least 1e5, plain digits would
// be too wide for the margin, so the label has the form a·10ⁿ. To give all labels of an axis the
// same form, pass the largest absolute value on the axis as `large`.
func tickLabel(v float64, decimals int, large float64) string {
	if v == 0 {
		return "0"
	}
	if large >= 1e5 || decimals > 4 {
		s := strconv.FormatFloat(v, 'g', 6, 64)
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			f = v
		}
		mant, exp, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
		n, err := strconv.Atoi(exp)
		if err != nil {
			return s
		}
		return "$" + powerLabel(mant, n) + "$"
	}
	return minus(strconv.FormatFloat(v, 'f', decimals, 64))
}

// powerLabel returns mant × 10ⁿ as a formula without its dollar signs.
func powerLabel(mant string, n int) string {
	e := "10^{" + minus(strconv.Itoa(n)) + "}"
	switch mant {
	case "1":
		return e
	case "-1":
		return "−" + e
	}
	return minus(mant) + "·" + e
}

func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// exponentTicks write powers of ten as the labels of an axis whose values are logarithms (log₁₀).
// There is a mark at every power of ten, but at most seven marks have a label.
type exponentTicks struct{}

// Ticks implements plot.Ticker.
func (exponentTicks) Ticks(lo, hi float64) []plot.Tick {
	first, last := int(math.Ceil(lo)), int(math.Floor(hi))
	every := max(1, int(math.Ceil(float64(last-first)/6)))
	var out []plot.Tick
	for n := first; n <= last; n++ {
		t := plot.Tick{Value: float64(n)}
		if (last-n)%every == 0 {
			t.Label = "$" + powerLabel("1", n) + "$"
		}
		out = append(out, t)
	}
	return out
}

// countTicks label an axis only with integers.
type countTicks struct{}

// Ticks implements plot.Ticker.
func (countTicks) Ticks(lo, hi float64) []plot.Tick {
	return multipleLabels(lo, hi, max(1, niceStep(hi-lo)), 0)
}

// shiftedLogTicks label an axis whose values are log₁₀(1 + n) with the integers n = 0, 1, 10, 100, …
// up to `last`.
type shiftedLogTicks struct{ last float64 }

// Ticks implements plot.Ticker.
func (s shiftedLogTicks) Ticks(_, _ float64) []plot.Tick {
	out := []plot.Tick{{Value: 0, Label: "0"}}
	for n := 1.0; n <= s.last; n *= 10 {
		out = append(out, plot.Tick{Value: math.Log10(1 + n), Label: tickLabel(n, 0, n)})
		for m := 2.0; m < 10 && m*n <= s.last; m++ {
			out = append(out, plot.Tick{Value: math.Log10(1 + m*n)})
		}
	}
	return out
}

// classTicks label fixed positions of an axis with class names.
type classTicks []plot.Tick

// Ticks implements plot.Ticker.
func (t classTicks) Ticks(_, _ float64) []plot.Tick { return t }

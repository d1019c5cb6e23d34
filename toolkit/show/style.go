package show

import (
	"image/color"
	"math"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette is Okabe and Ito's set of colours that stay apart for every kind of
// colour vision ("Color Universal Design", 2008), ordered so that neighbours
// differ in lightness too. Yellow is left out: it vanishes on white.
var palette = []color.NRGBA{
	{0x00, 0x72, 0xB2, 255}, // blue
	{0xD5, 0x5E, 0x00, 255}, // vermillion
	{0x00, 0x9E, 0x73, 255}, // bluish green
	{0xCC, 0x79, 0xA7, 255}, // reddish purple
	{0xE6, 0x9F, 0x00, 255}, // orange
	{0x56, 0xB4, 0xE9, 255}, // sky blue
	{0x6E, 0x6E, 0x6E, 255}, // grey
}

// MaxClasses is the number of classes that colours and markers keep apart.
const MaxClasses = 7

// ClassColor returns the colour of class k, 0 ≤ k < [MaxClasses]; other numbers
// wrap around.
func ClassColor(k int) color.NRGBA {
	return palette[((k%len(palette))+len(palette))%len(palette)]
}

// lineColors are for lines that stand for models and functions: none is the
// colour of the first two classes.
var lineColors = []color.NRGBA{palette[2], {0xA8, 0x3F, 0x7C, 255}, ink, palette[4], palette[5], palette[6]}

// LineColor returns the colour of the i-th line that stands for a model or a
// function, 0 ≤ i < 6; other numbers wrap around.
func LineColor(i int) color.NRGBA {
	return lineColors[((i%len(lineColors))+len(lineColors))%len(lineColors)]
}

// Ink is the colour of axes, text and boundaries.
func Ink() color.NRGBA { return ink }

// The other colours of the house.
var (
	ink       = color.NRGBA{0x22, 0x22, 0x22, 255} // lines, text
	softInk   = color.NRGBA{0x70, 0x70, 0x70, 255} // thin contour lines
	gridInk   = color.NRGBA{0xE2, 0xE2, 0xE2, 255} // guide lines
	paper     = color.NRGBA{255, 255, 255, 255}
	tintShare = 0.22 // of the class colour in the tint of its region
)

// mix returns (1−share) a + share b, opaque: tints are mixed here and not by
// transparency, so that they are the same in every file format.
func mix(a, b color.NRGBA, share float64) color.NRGBA {
	at := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + share*(float64(y)-float64(x)))) }
	return color.NRGBA{at(a.R, b.R), at(a.G, b.G), at(a.B, b.B), 255}
}

// Sizes in points on a notebook page; other pages scale them (see [Size]).
const (
	labelSize  = vg.Length(10)
	tickSize   = vg.Length(9)
	titleSize  = vg.Length(11)
	markerSize = vg.Length(2.6) // radius
	lineWidth  = vg.Length(1.6)
	thinWidth  = vg.Length(0.7)
)

// dashes gives curve k its own pattern, solid first.
var dashes = [][]vg.Length{nil, {6, 3}, {1.5, 2.5}, {8, 2.5, 1.5, 2.5}, {3, 2}, {10, 4}, {6, 2, 1.5, 2, 1.5, 2}}

func dash(k int) []vg.Length { return dashes[k%len(dashes)] }

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

func bold(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Weight: stdfont.WeightBold, Size: size}
}

// newPanel returns an empty panel in the house style.
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
		a.LineStyle.Width = 0 // the frame draws all four sides
		a.Padding = 0
	}
	p.X.Label.Text, p.Y.Label.Text = xLabel, yLabel
	return panel{Plot: p}
}

// lineStyle is the style of the i-th line.
func lineStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: LineColor(i), Width: lineWidth, Dashes: dash(i)}
}

// solid is the style of an unbroken line in the colour of the axes.
func solid(width vg.Length) draw.LineStyle { return draw.LineStyle{Color: ink, Width: width} }

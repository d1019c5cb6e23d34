package show

import (
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Math sets labels with formulas between dollar signs, the small part of LaTeX
// that labels need: letters are italic, _ and ^ make one sign or a {group} a
// subscript or superscript, \sigma, \Phi, \nabla … name symbols, \mathbf{x} is
// bold, \text{…} upright. Outside dollar signs everything is itself; \$ is a dollar sign, and a
// lone dollar sign too. An unknown \name is set as its letters, upright, as
// \ln is.
//
// It is the text handler of every panel of this package, and can be given to a
// plot of one's own: p.X.Label.TextStyle.Handler = show.Math{}.
type Math struct{}

var _ text.Handler = Math{}

// Cache returns the fonts of gonum/plot.
func (Math) Cache() *font.Cache { return font.DefaultCache }

// Extents returns the extents of a font.
func (Math) Extents(f font.Font) font.Extents {
	face := font.DefaultCache.Lookup(f, f.Size)
	return face.Extents()
}

// Lines splits at line breaks.
func (Math) Lines(txt string) []string { return strings.Split(strings.TrimRight(txt, "\n"), "\n") }

// Box returns width, height above and depth below the baseline of one line.
func (m Math) Box(txt string, f font.Font) (width, height, depth vg.Length) {
	_, width = typeset(txt, f)
	e := m.Extents(f)
	return width, e.Ascent, e.Descent
}

// Draw sets txt at pt.
func (m Math) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	if strings.TrimSpace(txt) == "" {
		return
	}
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(sty.Rotation)
		sin, cos := math.Sincos(sty.Rotation)
		s, k := vg.Length(sin), vg.Length(cos)
		pt.X, pt.Y = pt.Y*s+pt.X*k, pt.Y*k-pt.X*s
	}
	sty.Handler = m
	lines := m.Lines(txt)
	// As gonum's plain handler places lines, so that panels mix well.
	y := pt.Y + sty.Height(txt)*vg.Length(sty.YAlign) - m.Extents(sty.Font).Ascent
	for i, line := range lines {
		runs, width := typeset(line, sty.Font)
		x := pt.X + vg.Length(sty.XAlign)*width
		up := vg.Length(len(lines)-i) * sty.Font.Size
		for _, r := range runs {
			c.FillString(font.DefaultCache.Lookup(r.face, r.face.Size), vg.Point{X: x + r.dx, Y: y + up + r.dy}, r.text)
		}
	}
}
